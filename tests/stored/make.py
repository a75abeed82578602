"""Write the stored files of this folder, one of every kind that Zermelo writes, and what they say to expected.json.

    python tests/stored/make.py          from the root of the repository

Files that exist are never written again, nor is what is expected of them: they stand for the files that people have. Run this
only to add a kind, with a new row below, when something new is stored. A file that no longer opens is a fault of the
source, not of the file.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "examples")]

from chow_robbins import ChowRobbins  # noqa: E402
from goofspiel import Goofspiel  # noqa: E402

import zermelo  # noqa: E402
from limits import CELLS_A_CALL, FEW_POSITIONS, lowered  # noqa: E402
from stored.own import LongPile  # noqa: E402
from zermelo import games  # noqa: E402
from zermelo.engines.urn.curves import curve  # noqa: E402
from zermelo.games import card_draw, dreidel, gobblet, left_center_right  # noqa: E402

EXPECTED = HERE / "expected.json"
NOTHING: Mapping[str, Any] = MappingProxyType({})
EXACT = MappingProxyType({"exact": True})
TIC_TAC_TOE = games.GobbletGobblers(1, 5, False)


class Made(NamedTuple):
    """How a file was made, and at which states it is probed besides the start and two others."""

    game: Any
    options: Mapping[str, Any] = NOTHING  # of `solve`
    saving: Mapping[str, Any] = NOTHING  # options of `save`
    probes: tuple[Any, ...] = ()
    in_table: bool = False  # a board game in a table of codes, as large ones are

    def solve(self) -> Any:
        with lowered(FEW_POSITIONS, -1 if self.in_table else FEW_POSITIONS[0].FEW_POSITIONS):
            return zermelo.solve(self.game, **self.options)


SOLUTIONS = {
    "floats": Made(games.CardDraw(6, 6)),
    "exact": Made(games.CardDraw(6, 6), EXACT),
    "discounted": Made(games.CardDraw(6, 6), {"discount": 0.9}),
    "discounted-exact": Made(games.CardDraw(6, 6), {"discount": 0.9, "exact": True}),
    "circling": Made(games.Pig(8)),
    "circling-exact": Made(games.Pig(8), EXACT),
    "settled": Made(games.SolitairePig()),
    "distances-symmetries": Made(TIC_TAC_TOE, probes=(gobblet.State((0, 256)),)),
    "distances-exact": Made(games.Dodgem(2), EXACT),
    "several-payoffs": Made(games.CoinPatterns(flips=8)),
    "several-payoffs-exact": Made(games.CoinPatterns(flips=8), EXACT),
    "cut-off": Made(ChowRobbins(30)),
    "at-once": Made(games.HogSimultaneous(5, 3, first=1)),
    "at-once-exact": Made(Goofspiel(3), EXACT),
    "staged": Made(games.LeftCenterRight(3, 2), probes=(left_center_right.State((0, 2, 2), 1),)),
    "staged-exact": Made(games.LeftCenterRight(3, 1), EXACT, probes=(left_center_right.State((0, 1, 1), 1),)),
    "staged-dreidel": Made(games.Dreidel(3, 2), probes=(dreidel.State((1, 0, 2), 3, 2),)),
    "entered": Made(games.TenThousandRace(goal=2)),
    "board": Made(games.GobbletGobblers(1, 2, True), in_table=True),
    "board-packed": Made(games.ConnectFour(4, 4), saving={"compress": True}, in_table=True),
    "board-long": Made(LongPile(), in_table=True),
    "hidden-choice": Made(games.BinarySearch(13)),
    "hidden-choice-bound": Made(games.BinarySearch(30), {"tolerance": 1e-3}),
}


class Interrupted(Exception):
    """Stops a sweep half way."""


def interrupt(what: str, done: int, total: int | None) -> None:
    if done >= 300_000:
        raise Interrupted


def interrupted(run: Callable[[], Any]) -> None:
    with lowered(CELLS_A_CALL, 100_000):
        try:
            run()
        except Interrupted:
            return
    raise AssertionError("the sweep came to its end")


LARGE, BALANCED = games.CardDraw(9000, 9000), (10, 1000, 3000)
SWEEPS: dict[str, Callable[[Path], Any]] = {  # writes a checkpoint
    "finished": lambda path: zermelo.solve(games.CardDraw(3000, 3000), checkpoint=path),
    "interrupted": lambda path: interrupted(lambda: zermelo.solve(LARGE, checkpoint=path, progress=interrupt)),
    "finished-tolerance": lambda path: zermelo.solve(games.CardDraw(71, 60), tolerance=1e-6).save(path),
    "finished-curve": lambda path: curve(3000, at=BALANCED, checkpoint=path),
    "interrupted-curve": lambda path: interrupted(
        lambda: curve(3000, at=BALANCED, checkpoint=path, progress=interrupt)
    ),
}
def anew() -> Path:
    """A checkpoint that does not exist yet: a small deck is swept only with one."""
    return Path(tempfile.mkdtemp()) / "run"


SWEPT: dict[str, Callable[[Path | None], Any]] = {  # what comes of it, from a copy of the checkpoint, or anew
    "finished": lambda path: zermelo.solve(games.CardDraw(3000, 3000), checkpoint=path),
    "interrupted": lambda path: zermelo.solve(LARGE, checkpoint=path),
    "finished-tolerance": lambda path: zermelo.solve(games.CardDraw(71, 60), tolerance=1e-6, checkpoint=path or anew()),
    "finished-curve": lambda path: curve(3000, at=BALANCED, checkpoint=path),
    "interrupted-curve": lambda path: curve(3000, at=BALANCED, checkpoint=path),
}
SWEPT_PROBES = {
    "finished": card_draw.State(2990, 2995),
    "interrupted": card_draw.State(8999, 9000),
    "finished-tolerance": card_draw.State(70, 60),
}


# --- what a solution says, as plain data ------------------------------------------------------------------------------


def number(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else None if value is None else float(value)


def pairs(numbers: Mapping[Any, Any] | None) -> Any:
    return None if numbers is None else [[key, number(value)] for key, value in numbers.items()]


def said(solution: Any, probes: tuple[Any, ...] = ()) -> dict[str, Any]:
    """All that is expected of a solution."""
    certificate = solution.certificate
    found = {
        "value": number(solution.value),
        "low": number(solution.low),
        "high": number(solution.high),
        "certificate": [certificate.kind, number(certificate.low), number(certificate.high)],
    }
    if hasattr(solution, "row"):  # a game of hidden choice
        return {**found, "row": pairs(solution.row), "column": pairs(solution.column)}
    return {
        **found,
        "is exact": solution.is_exact,
        "discount": solution.discount,
        "payoffs": pairs(solution.payoffs),
        "bounds": [[name, number(low), number(high)] for name, (low, high) in solution.bounds.items()],
        "solver": solution.statistics["solver"],
        "probes": [probed(solution, state) for state in probes],
    }


def probed(solution: Any, state: Any) -> dict[str, Any]:
    seen = solution.probe(state)
    return {
        "state": list(state),
        "value": number(seen.value),
        "low": number(seen.low),
        "high": number(seen.high),
        "action": seen.action,
        "actions": pairs(seen.actions),
        "payoffs": pairs(seen.payoffs),
        "player": seen.player,
        "distance": seen.distance,
        "mixture": pairs(seen.mixture),
        "other actions": pairs(seen.other_actions),
        "other mixture": pairs(seen.other_mixture),
    }


def said_of(name: str, solution: Any) -> dict[str, Any]:
    """What is expected of the solution in the file of this name."""
    if hasattr(solution, "row"):
        return said(solution)
    space = solution.space
    places = [min(k * space.size // 3, 1000 * k) for k in (1, 2)]
    states = [next(islice(space, at, None)) for at in places]
    found = said(solution, (solution.rules.start, *states, *SOLUTIONS[name].probes))
    if not solution.counts_moves:
        return {**found, "states": space.size}
    census = {what: [list(pair) for pair in counts] for what, counts in solution.census().items()}
    return {**found, "states": space.size, "census": census}


def said_of_sweep(name: str, swept: Any) -> dict[str, Any]:
    if not hasattr(swept, "rules"):
        return {"n": swept.n.tolist(), "value": swept.value.tolist(), "error": swept.error.tolist()}
    found = said(swept, (swept.rules.start, SWEPT_PROBES[name]))
    stops = [bool(swept.frontier.stops(r, r + x)) for r in (5, 30) for x in range(12)]
    return {**found, "states": swept.statistics["states"], "stops": stops}


def main() -> None:
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    for name, made in SOLUTIONS.items():
        path = HERE / f"{name}.solution"
        if not path.exists():
            solution = made.solve()
            solution.save(path, **made.saving)
            expected[path.name] = said_of(name, zermelo.open(path, game=made.game))
            print(path.name, path.stat().st_size)
    for name, write in SWEEPS.items():
        path = HERE / f"{name}.sweep"
        if not path.exists():
            write(path)
            expected[path.name] = said_of_sweep(name, SWEPT[name](None))
            print(path.name, path.stat().st_size)
    entries = [f"{json.dumps(file)}: {json.dumps(entry)}" for file, entry in expected.items()]
    EXPECTED.write_text("{\n" + ",\n".join(entries) + "\n}\n")


if __name__ == "__main__":
    main()
