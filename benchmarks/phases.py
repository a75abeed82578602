"""Where the time of a solve goes: the steps of the pipeline, each without the steps inside it. Also run by itself:

python benchmarks/phases.py Pig goal=100
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any

from contender import Result, median

STEPS = (  # what the step is called, its module, the name under which its caller finds it
    ("check the rules", "zermelo.language.checking", "check"),
    ("write or load the native module", "zermelo.link", "NativeRules.__init__"),
    ("search: host and threads", "zermelo.engines.exploring.game", "explore"),
    ("search: kernel of one thread", "zermelo.link", "NativeRules.search"),
    ("structure", "zermelo.engines.exploring.explored", "structure_of"),
    ("rules: kernel", "zermelo.link", "NativeRules.write_steps"),
    ("batches: host", "zermelo.engines.exploring.explored", "_Gathered.add"),
    ("solve", "zermelo.methods.backward", "solve"),
    ("solve", "zermelo.methods.cyclic", "solve"),
    ("certify", "zermelo.certificates.certify", "Certifier.certify"),
    ("rationals", "zermelo.solvers.rational", "solve_exactly"),
    ("prove what is settled", "zermelo.engines.explored.solving", "_proof_of_settled"),
    ("sort the states (when looked at)", "zermelo.answers.stored", "StoredAnswers.ordered"),
)


class Clock:
    """Adds up what named steps take, without what the steps inside them take."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.inside: list[float] = []

    def timing(self, name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(step)
        def timed(*positional: Any, **named: Any) -> Any:
            self.inside.append(0.0)
            began = time.perf_counter()
            try:
                return step(*positional, **named)
            finally:
                took = time.perf_counter() - began
                self.seconds[name] += took - self.inside.pop()
                if self.inside:
                    self.inside[-1] += took

        return timed

    def watch(self, name: str, module: str, attribute: str) -> None:
        """Time this step from now on; nothing where the pipeline no longer has it."""
        *path, last = attribute.split(".")
        home: Any = importlib.import_module(module)
        for part in path:
            home = getattr(home, part, None)
        if hasattr(home, last):
            setattr(home, last, self.timing(name, getattr(home, last)))


def solve(name: str, given: dict[str, Any], exact: bool = False, repeats: int = 7) -> Result:
    """Medians of every step over `repeats` solves, after a first one."""
    from ours import game_of

    import zermelo

    os.environ["ZERMELO_ANEW"] = "1"  # no answer from an earlier time
    game = game_of(name, given)
    zermelo.solve(game, exact=exact)
    clock, runs, totals = Clock(), [], []
    for step in STEPS:
        clock.watch(*step)
    solving = clock.timing("other", zermelo.solve)
    for _ in range(repeats):
        clock.seconds.clear()
        solution = solving(game, exact=exact)
        runs.append(dict(clock.seconds))
        totals.append(sum(clock.seconds.values()))
    parts = {step: median([run.get(step, 0.0) for run in runs]) for step in dict.fromkeys([*runs[0]])}
    return {"seconds": median(totals), "states": solution.space.size, "parts": parts}


def main() -> None:
    name, *words = sys.argv[1:] or ["Pig"]
    given = {key: int(value) for key, value in (word.split("=") for word in words)}
    found = solve(name, given)
    for step, seconds in sorted(found["parts"].items(), key=lambda item: -item[1]):
        print(f"{1e3 * seconds:9.1f} ms  {100 * seconds / found['seconds']:4.0f} %  {step}")
    print(f"{1e3 * found['seconds']:9.1f} ms         {name}, {found['states']:,} states")


if __name__ == "__main__":
    main()
