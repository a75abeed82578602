"""What keys of several words cost: python benchmarks/long_keys.py [--goal N] [--repeats N]

Pig with three more numbers in the state, whose declared ranges make keys of 62 bits (one word), of 126 (two) and of 250 (four); the rules
are the same. Processor seconds of zermelo.solve with compiled rules, by turns, the median of each; and the bits of a state.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import zermelo
from zermelo.basics.threads import threads
from zermelo.kernels.kernel import only

RULES = """
from typing import Annotated, NamedTuple

class State(NamedTuple):
    mine: Annotated[int, range(1 << 7)]
    theirs: Annotated[int, range(1 << 7)]
    turn: Annotated[int, range(1 << 7)]
    more: Annotated[int, range(1 << {bits[0]})]
    and_more: Annotated[int, range(1 << {bits[1]})]
    still_more: Annotated[int, range(1 << {bits[2]})]
    and_still: Annotated[int, range(1 << {bits[3]})]
    last: Annotated[int, range(1 << {bits[4]})]

class Padded(NamedTuple):
    goal: int = 100

    def start(self):
        return state(0, 0, 0)

    def actions(self, s):
        if s.mine + s.turn < self.goal:
            yield 0
            if s.turn > 0:
                yield 1

    def outcomes(self, s, action):
        if action == 1:
            yield 1, 0, state(s.theirs, s.mine + s.turn, 0), -1
        else:
            yield 1, 0, state(s.theirs, s.mine, 0), -1
            for face in range(2, 7):
                yield 1, 0, state(s.mine, s.theirs, min(s.turn + face, self.goal - s.mine)), 1

    def payoff(self, s):
        return 1

def state(mine, theirs, turn):
    return State(mine, theirs, turn, mine, theirs, turn, mine ^ theirs, theirs ^ turn)
"""
BITS = {62: (8, 8, 8, 8, 9), 126: (14, 14, 14, 31, 32), 250: (42, 31, 32, 62, 62)}


def game(bits: int, folder: Path) -> Any:
    """The class of the game whose states take so many bits."""
    path = folder / f"padded_{bits}.py"
    path.write_text(RULES.format(bits=BITS[bits]))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.Padded


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--goal", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=9)
    given = parser.parse_args()
    taken: dict[int, list[float]] = {bits: [] for bits in BITS}
    values, words = {}, {}
    with tempfile.TemporaryDirectory() as folder, only("compiled"):
        games = {bits: game(bits, Path(folder))(given.goal) for bits in BITS}
        for turn in range(given.repeats + 1):
            for bits, padded in games.items():
                began = time.process_time()
                solution = zermelo.solve(padded)
                if turn:  # the first one compiles
                    taken[bits].append(time.process_time() - began)
                layout = solution.space.layout
                assert sum(layout.bits) == bits, layout
                values[bits], words[bits] = solution.value, layout.num_words
    assert len(set(values.values())) == 1, values
    least = statistics.median(taken[62])
    print(
        f"Pig({given.goal}), {solution.report.states:,} states, {threads()} threads, median of {given.repeats}, processor seconds"
    )
    for bits, seconds in taken.items():
        middle = statistics.median(seconds)
        print(
            f"{bits:4} bits, {words[bits]} words: {middle:.3f} s, {middle / least:.2f} times (best {min(seconds):.3f})"
        )


if __name__ == "__main__":
    main()
