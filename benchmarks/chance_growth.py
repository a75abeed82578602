"""What games of chance around a table cost as they grow: `python benchmarks/chance_growth.py` prints a Markdown table.

`--write docs/chance.md` puts it between the markers there, and the picture beside it; `--slow` adds Left-Center-Right with 9 players
(five minutes and 12 GiB). Each game is solved twice (the large ones once, after a smaller one with the same compiled
code) in a process of its own; the second time counts.
"""

from __future__ import annotations

import argparse
import re
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from contender import clocked, peak_mib
from machine import machine, versions
from report import markdown

from zermelo import solve
from zermelo.games import Dreidel, LeftCenterRight

MARKERS = ("<!-- chance_growth.py writes what follows -->", "<!-- until here -->")
PICTURE = "images/chance-growth.png"
LCR = [LeftCenterRight(players) for players in range(2, 9)]
NINE = LeftCenterRight(9)
DREIDEL = [
    *(Dreidel(2, coins) for coins in (10, 30, 100)),
    *(Dreidel(3, coins) for coins in (5, 10, 15, 20, 30)),
    *(Dreidel(4, coins) for coins in (3, 5, 7, 10, 15, 20)),
    *(Dreidel(5, coins) for coins in (2, 3, 5, 8)),
]
LARGE = 1_000_000  # states of a game that is solved once


class Cost(NamedTuple):
    game: Any
    states: int
    stages: int
    entries: int
    sweeps: int
    seconds: float
    mib: float
    value: float
    width: float  # of the interval, relative to the value

    @property
    def a_stage(self) -> float:
        return self.sweeps / self.stages

    @property
    def name(self) -> str:
        if isinstance(self.game, LeftCenterRight):
            return f"Left-Center-Right, {self.game.players} players"
        return f"Dreidel, {self.game.players} players, {self.game.coins} coins"


def cost(game: Any) -> Cost:
    small = game._replace(chips=1) if isinstance(game, LeftCenterRight) else game._replace(coins=2)
    solve(small)  # loads the compiled code
    found = []
    seconds = clocked(lambda: found.append(solve(game)))
    mib = peak_mib()
    (solution,) = found
    if solution.statistics["states"] < LARGE:
        seconds = min(clocked(lambda: solve(game)) for _ in range(3))
    facts = (solution.statistics[name] for name in ("states", "stages", "entries", "sweeps"))
    width = float(solution.high - solution.low) / float(solution.value)
    return Cost(game, *facts, seconds, mib, float(solution.value), width)


def table(costs: list[Cost]) -> str:
    header = (
        "game",
        "states",
        "stages",
        "nonzeros",
        "sweeps a stage",
        "seconds",
        "MiB",
        "moves on average",
        "certified to",
    )
    rows = [
        (
            c.name, f"{c.states:,}", str(c.stages), f"{c.entries:,}", f"{c.a_stage:.0f}", f"{c.seconds:.3g}", f"{c.mib:,.0f}",
            f"{c.value:.10f}", f"{c.width / 2:.0e}",
        )
        for c in costs
    ]  # fmt: skip
    return markdown([header, *rows])


def picture(costs: list[Cost], path: Path) -> None:
    """Seconds and sweeps by the number of positions; Dreidel darker for more players, each line named at its end."""
    from zermelo.views.plot import ORANGE, canvas, save, shades

    about = "Each line is one kind of game, players (Left-Center-Right) or coins (Dreidel) growing; two cores"
    figure, axes = canvas("Sweeps grow fast with Dreidel's coins, slowly with the players of Left-Center-Right", 12, 5, 1, 2, about)
    kinds: dict[str, list[Cost]] = {}
    for c in costs:
        dreidel = isinstance(c.game, Dreidel)
        kinds.setdefault(f"Dreidel, {c.game.players}" if dreidel else "Left-Center-Right", []).append(c)
    colours = dict(zip(sorted(k for k in kinds if k.startswith("Dreidel")), reversed(shades(len(kinds) - 1)), strict=True))
    for kind, members in kinds.items():
        colour = colours.get(kind, ORANGE)
        states = [c.states for c in members]
        for axis, numbers in zip(axes, ([c.seconds for c in members], [c.a_stage for c in members]), strict=True):
            axis.plot(states, numbers, color=colour, marker="o", markersize=4, linewidth=1.3)
            at, side = ((6, 0), "left") if colour == ORANGE else ((-2, 5), "right")  # lines come from below, on the left
            axis.annotate(f"{kind} players" if colour != ORANGE else kind, (states[-1], numbers[-1]), at, textcoords="offset points",
                          fontsize=8, color=colour, ha=side, va="center" if colour == ORANGE else "bottom",
                          bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5})  # fmt: skip
    axes[0].set(ylabel="seconds", yscale="log")
    axes[1].set(ylabel="sweeps a stage", ylim=(0, 1.1 * max(c.a_stage for c in costs)))
    for axis in axes:
        axis.set(xlabel="positions, up to rotation of the table", xscale="log")
        axis.margins(x=0.3)
        axis.grid(alpha=0.25)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this Markdown file")
    parser.add_argument("--slow", action="store_true", help="also 9 players")
    asked = parser.parse_args()
    games = [*LCR, *([NINE] if asked.slow else []), *DREIDEL]
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        costs = pool.map(cost, games, chunksize=1)
    where, what = machine(), versions()
    about = f"Measured on {where['date']}: {where['processor']}, {where['cores']} cores; {where['system']}, numba {what['numba']}."
    text = f"{about}\n\n{table(costs)}\n\n![Seconds and sweeps by the size of the game]({PICTURE})"
    print(text)
    if asked.write:
        page = asked.write.read_text()
        begin, end = (re.escape(marker) for marker in MARKERS)
        asked.write.write_text(
            re.sub(f"{begin}.*{end}", lambda _: f"{MARKERS[0]}\n\n{text}\n\n{MARKERS[1]}", page, flags=re.S)
        )
        picture(costs, asked.write.parent / PICTURE)


if __name__ == "__main__":
    main()
