"""What it costs that compiled rules stop where they would differ from Python: python benchmarks/checked_price.py [ROUNDS]

Each game is solved with the tests and without them (machine code without any `Stopped`, which only this script makes), in processes of
their own that take turns; seconds are processor time, the median of the rounds of the least of three solves (compiled before).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

WITHOUT = "without"


def leave_tests_out() -> None:
    """Machine code from here on has no tests; its modules have another name."""
    from zermelo.kernels import checked
    from zermelo.link import module

    checked._Emitter.stop_if = lambda self, wrong, why: None  # type: ignore[method-assign]
    module.HEAD = module.HEAD.replace("import math", "import math  # without tests", 1)


def card_draw() -> Any:
    """All states and transitions: its own engine does not run the rules at every state."""
    from zermelo.engines.exploring.explore import explore
    from zermelo.games import CardDraw
    from zermelo.language.checking import check
    from zermelo.language.rules import read

    game = CardDraw(1000, 1000)
    for _ in explore(read(game), check(game).states).batches():
        pass


def solving(name: str, **given: Any) -> Callable[[], Any]:
    def solve() -> None:
        import zermelo
        from zermelo import games

        zermelo.solve(getattr(games, name)(**given))

    return solve


GAMES: dict[str, Callable[[], Any]] = {
    "Pig to 100": solving("Pig", goal=100),
    "card draw, 1000 of each": card_draw,
    "Hog to 100": solving("Hog", goal=100),
    "Ten Thousand race to 60 chips": solving("TenThousandRace", goal=60),
    "Dodgem, 3 x 3": solving("Dodgem"),
    "Gobblet (2, 3)": solving("GobbletGobblers", sizes=2, per_size=3),
}


def least(name: str) -> float:
    """The least seconds of three solves, after one."""
    from zermelo.kernels.kernel import only

    found = []
    with only("compiled"):
        for _ in range(4):
            before = time.process_time()
            GAMES[name]()
            found.append(time.process_time() - before)
    return min(found[1:])


def measured(name: str, *words: str) -> float:
    said = subprocess.run([sys.executable, __file__, "--one", name, *words], capture_output=True, text=True, check=True)
    return float(said.stdout.split()[-1])


def main(rounds: int) -> None:
    print("| game | with tests, s | without | more |\n|---|---|---|---|")
    for name in GAMES:
        pairs = [(measured(name), measured(name, WITHOUT)) for _ in range(rounds)]
        one, other = (median(side) for side in zip(*pairs, strict=True))
        more = median(a / b - 1 for a, b in pairs)
        print(f"| {name} | {one:.3f} | {other:.3f} | {100 * more:+.0f} % |", flush=True)


if __name__ == "__main__":
    if "--one" in sys.argv:
        if WITHOUT in sys.argv:
            leave_tests_out()
        print(least(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
