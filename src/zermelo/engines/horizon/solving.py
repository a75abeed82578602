"""Find the states apart from the number of moves left, sweep over these numbers, answer."""

from __future__ import annotations

from typing import Any

from zermelo.answers.counted import CountedAnswers, Layer
from zermelo.answers.report import Report
from zermelo.basics.progress import silent
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.words import counted
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.exploring.agreement import check_agreement
from zermelo.engines.exploring.game import remarks_on_ways
from zermelo.engines.horizon.core import Core, core_of
from zermelo.engines.horizon.exact import exact_values
from zermelo.engines.horizon.sweeping import Sweep, has_decimals, layers
from zermelo.language.countdown import countdown
from zermelo.problem.transitions import Transitions

MOST_MOVES = 10_000_000
ARGUMENT = "backward induction, one number of moves left after another; what rounding adds with each is bounded"
EXACT_ARGUMENT = "backward induction in rationals, one number of moves left after another"


def solve_horizon(request: Request, few: int = 0) -> CountedAnswers:
    """The values of all states, for some numbers of moves left; of games with more states than `few`. Raises `GivesUp`, `RulesError`,
    `OutOfReach`."""
    rules = request.rules
    count = countdown(rules)
    assert count is not None
    if (moves := getattr(rules.start, count)) > MOST_MOVES:
        raise GivesUp(f"{moves:,} moves are left at the start, more than {MOST_MOVES:,}")
    if request.exact and request.discount != 1:
        raise GivesUp("exact values of a game that ends after a number of moves are found without a discount")
    with Stopwatch() as exploring:
        core = core_of(rules, request.sample, count, request.progress)
        if (states := core.in_all) <= few:
            raise GivesUp(f"all {states:,} states can be stored", is_noted=False)
        check_agreement(core)
        steps, ended = core.steps, core.ended()
    with Stopwatch() as solving:
        exact = exact_values(core, steps, ended, request.progress) if request.exact else None
        kept = layers(core, steps, ended, request.discount, request.progress, request.exact and has_decimals(steps, ended))
    seconds = {
        "compiling": exploring.compiling + solving.compiling, "exploring": exploring.seconds, "solving": solving.seconds,
    }  # fmt: skip
    notes = ["values are kept for some numbers of moves left only; questions that need all states need max_states, as many as there are"]
    if request.exact:
        notes.append("exact are the values of the start and of the states after one move; those of the others are certified intervals")
    notes += remarks_on_ways(request, core)
    report = Report("horizon", "Backward", _in_words(core), _facts(core, steps), seconds, notes=tuple(notes))
    argument = EXACT_ARGUMENT if request.exact else ARGUMENT
    return CountedAnswers(
        rules, core.layout, count, core.keys, kept, argument, report, sweep_again, request.discount, exact, core
    )


def _facts(core: Core, steps: Transitions) -> dict[str, Any]:
    """Facts about the game; `states` counts a state once for each number of moves left with which play may be in it."""
    facts = core.facts
    choices = bool(facts["choices"])
    both = bool(facts["passes"]) or (bool(facts["player_0"]) and bool(facts["player_1"]))
    return {
        "states": core.in_all, "distinct states": core.num_states, "distinct outcomes": len(steps.ways),
        "horizon": core.horizon, "acyclic": True, "chance_only": not choices,
        "players": 0 if not choices else 2 if both else 1, "passes": bool(facts["passes"]), "deterministic": not facts["branches"],
    }  # fmt: skip


def _in_words(core: Core) -> str:
    return f"{counted(core.num_states, 'state')}, up to {core.horizon:,} moves left"


def core_behind(answers: CountedAnswers) -> Core:
    """The states apart from the moves left; found again where another process solved the game."""
    if answers.explored is None:
        answers.explored = core_of(answers.rules, [answers.rules.start], answers.count, silent)
    core: Core = answers.explored
    return core


def sweep_again(answers: CountedAnswers, below: Layer, last: int) -> list[Layer]:
    """The layers above a kept one, up to that with `last` moves left."""
    core = core_behind(answers)
    decimals = answers.is_exact and has_decimals(core.steps, answers.kept[0].value)
    return list(Sweep(core, core.steps, answers.discount, decimals).above(below, last))
