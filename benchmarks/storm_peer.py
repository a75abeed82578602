"""Storm (stormpy), a model checker: games written in the language of PRISM, or read from a file that Zermelo exported."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from contender import Result

CARD_DRAW = """mdp
module card_draw
  red : [0..{n}] init {n};
  black : [0..{n}] init {n};
  [stop] red + black > 0 -> (red' = 0) & (black' = 0);
  [draw] red + black > 0 -> red / (red + black) : (red' = max(red - 1, 0)) + black / (red + black) : (black' = max(black - 1, 0));
endmodule
rewards "payoff"
  [draw] red + black > 0 : (red - black) / (red + black);
endrewards
label "over" = red + black = 0;
"""

LOOP = """mdp
module loop
  at : [0..2] init 0;
  [step] at < 2 -> 0.99 : (at' = 1 - at) + 0.01 : (at' = 2);
  [dear] at < 2 -> 0.99 : (at' = 1 - at) + 0.01 : (at' = 2);
endmodule
rewards "payoff"
  [step] at < 2 : -1;
  [dear] at < 2 : -2;
endrewards
label "over" = at = 2;
"""

QUESTION = 'R{"payoff"}max=? [F "over"]'


def card_draw(n: int, repeats: int = 3) -> Result:
    return of_program(CARD_DRAW.format(n=n), "default", repeats)


def loop(way: str) -> Result:
    return of_program(LOOP, way, 1)


def of_program(text: str, way: str, repeats: int, asked: str = QUESTION) -> Result:
    """Build a model from a program and solve it; both in doubles, or both in rationals for the way "exact"."""
    import stormpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.prism"
        path.write_text(text)
        program = stormpy.parse_prism_program(str(path))
    question = stormpy.parse_properties(asked, program)
    build = stormpy.build_model[stormpy.Rational] if way == "exact" else stormpy.build_model
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        model = build(program, question)
        built = time.perf_counter()
        answer = stormpy.model_checking(model, question[0], environment=environment(way, model))
        times.append((time.perf_counter() - began, built - began))
    seconds, building = sorted(times)[len(times) // 2]
    parts = {"build": building, "solve": seconds - building}
    return {"seconds": seconds, "parts": parts, "states": model.nr_states, **bounds(answer[model.initial_states[0]])}


def environment(way: str, model: Any) -> Any:
    """What `model_checking` uses by itself ("default": sound methods), a method by name, or exact arithmetic."""
    from stormpy import environments

    if way in ("default", "exact"):
        return environments.default(model)
    chosen = environments.sound()
    chosen.solver().min_max().method = getattr(environments.MinMaxMethod, way)
    return chosen


def bounds(answer: Any) -> Result:
    """Value and interval of a `BoundedValue`; an end that Storm leaves open is left out."""
    found: Result = {"value": float(answer.value)}
    if answer.lower is not None:
        found["low"] = float(answer.lower)
    if answer.upper is not None:
        found["high"] = float(answer.upper)
    if type(answer.value).__name__ == "Rational":
        found["exact"] = f"{answer.value.numerator}/{answer.value.denominator}"
    return found


def of_export(path: str, payoff: str = "payoff", exact: bool = True) -> Result:
    """Read a file that Zermelo exported and ask for the expected total of a payoff."""
    import stormpy
    from stormpy.io import UmbImportOptions, UmbImportValueType

    options = UmbImportOptions()
    options.value_type = UmbImportValueType.RATIONAL if exact else UmbImportValueType.DOUBLE
    began = time.perf_counter()
    model = stormpy.build_model_from_umb(path, options=options)
    read = time.perf_counter()
    best = "max" if model.model_type.name == "MDP" else ""
    question = stormpy.parse_properties(f'R{{"{payoff}"}}{best}=? [F "over"]')[0]
    answer = stormpy.model_checking(model, question)
    seconds = time.perf_counter() - read
    parts = {"read": read - began, "solve": seconds}
    found = bounds(answer[model.initial_states[0]])
    return {"seconds": seconds, "parts": parts, "states": model.nr_states, "alone": not exact, **found}


def build_card_draw(n: int) -> Result:
    """Only find the states."""
    result = card_draw(n, repeats=1)
    seconds = result["parts"]["build"]
    rate = result["states"] / seconds / 1e6
    return {"seconds": seconds, "states": result["states"], "parts": {"million states a second": rate}}
