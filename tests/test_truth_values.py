"""States with truth values, True and False, in what leaves the process: files of every kind, certificates, pages, studies, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from asking import solve_board
from limits import MOST_BRIDGED, lowered
from zermelo.basics.plain import plain
from zermelo.basics.progress import silent
from zermelo.games.named import find
from zermelo.serve.offline import page_of
from zermelo.serve.shelf import Sheet
from zermelo.solution import Solution
from zermelo.storage import file
from zermelo.views.data import as_data


class Flag(NamedTuple):
    at: int
    up: bool


class Flags(NamedTuple):
    at: int
    up: tuple[bool, bool]


class Falling(NamedTuple):
    """Pure chance, and a parameter that is a truth value."""

    up: bool = True

    def start(self) -> Flag:
        return Flag(2, self.up)

    def outcomes(self, s: Flag) -> Iterator[tuple[int, int, Flag]]:
        if s.at:
            yield 1, 1 + s.up, Flag(s.at - 1, not s.up)


class Pair(NamedTuple):
    """Tuples of truth values, and actions that are truth values."""

    def start(self) -> Flags:
        return Flags(3, (True, False))

    def actions(self, s: Flags) -> Iterator[bool]:
        if s.at:
            yield False
            yield True

    def outcomes(self, s: Flags, action: bool) -> Iterator[tuple[int, int, Flags]]:
        yield 1, s.up[0] + action * s.up[1], Flags(s.at - 1, (s.up[1], not s.up[0]))
        yield 2, s.up[1], Flags(s.at - 1, (s.up[1], action))


class Wandering(NamedTuple):
    """Play can return to a state."""

    def start(self) -> Flag:
        return Flag(2, True)

    def actions(self, s: Flag) -> Iterator[int]:
        if s.at:
            yield 0
            yield 1

    def outcomes(self, s: Flag, action: int) -> Iterator[tuple[int, int, Flag]]:
        yield 1, 1, Flag(s.at - 1, action == 1)
        yield 1, s.up, Flag(s.at, not s.up)


class Pennies(NamedTuple):
    """Simultaneous moves."""

    def start(self) -> Flag:
        return Flag(2, True)

    def actions(self, s: Flag) -> Iterator[int]:
        if s.at:
            yield 0
            yield 1

    def other_actions(self, s: Flag) -> Iterator[int]:
        if s.at:
            yield 0
            yield 1

    def outcomes(self, s: Flag, action: int, other: int) -> Iterator[tuple[int, int, Flag]]:
        yield 1, (1 + s.up) * (1 + action) if action == other else 0, Flag(s.at - 1, action == other)


class Coin(NamedTuple):
    """Hidden information: player 0 sees a coin, player 1 whether it is called heads."""

    def start(self) -> Flags:
        return Flags(0, (False, False))

    def player(self, s: Flags) -> int:
        return 1 if s.at == 2 else 0

    def actions(self, s: Flags) -> Iterator[int]:
        if s.at < 3:
            yield 0
            if s.at:
                yield 1

    def sees(self, s: Flags, player: int) -> Iterator[int]:
        yield s.at
        yield s.up[player]

    def outcomes(self, s: Flags, action: int) -> Iterator[tuple[int, int, Flags]]:
        if s.at == 0:
            yield 1, 0, Flags(1, (True, False))
            yield 1, 0, Flags(1, (False, False))
        elif s.at == 1:
            yield 1, 0, Flags(2, (s.up[0], action == 1))
        else:
            yield 1, (2 if s.up[0] else -2) if action else 1 - 2 * s.up[1], Flags(3, s.up)


class Stairs(NamedTuple):
    """Stages that are entered: the only states whose values are kept."""

    def start(self) -> Flag:
        return Flag(0, True)

    def stage(self, s: Flag) -> int:
        return s.at

    def entries(self) -> Iterator[Flag]:
        for at in range(5):
            yield Flag(at, True)
            yield Flag(at, False)

    def actions(self, s: Flag) -> Iterator[int]:
        if s.at < 5:
            yield 0
            yield 1

    def outcomes(self, s: Flag, action: int) -> Iterator[tuple[int, int, Flag]]:
        yield 1, s.at, Flag(s.at + 1, action == 1)
        yield 1, s.up, Flag(s.at + 1, not s.up)


class Counters(NamedTuple):
    """A board: a table of positions."""

    def start(self) -> Flags:
        return Flags(12, (False, True))

    def space(self) -> Any:
        return zermelo.spaces.product(range(13), (range(2), range(2)))

    def player(self, s: Flags) -> int:
        return int(s.up[1])

    def actions(self, s: Flags) -> Iterator[int]:
        if s.at:
            yield 1
        if s.at > 1 and not s.up[0]:
            yield 2

    def outcomes(self, s: Flags, action: int) -> Iterator[tuple[int, int, Flags]]:
        yield 1, 0, Flags(s.at - action, (action == 2, not s.up[1]))

    def payoff(self, s: Flags) -> int:
        return 1 if s.up[1] else -1


EXPLORED = [Falling(), Pair(), Wandering(), Pennies()]
CASES = {
    **{f"{type(game).__name__}, exact={exact}": (game, {"exact": exact}) for game in EXPLORED for exact in (False, True)},
    **{type(game).__name__: (game, {}) for game in (Coin(), Stairs(), Counters())},
}


@pytest.fixture(params=CASES)
def solved(request: pytest.FixtureRequest, in_python: None) -> Iterator[Any]:
    """Each solved by its engine, and no state stored that the engine does not store."""
    game, options = CASES[request.param]
    with lowered(MOST_BRIDGED, 0):
        yield solution_of_case(game, options)


def solution_of_case(game: Any, options: dict[str, Any]) -> Any:
    return solve_board(game) if isinstance(game, Counters) else zermelo.solve(game, **options)


def test_a_file_opens_with_its_rules_and_without(solved: Any, tmp_path: Path) -> None:
    solved.save(tmp_path / "file")
    for again in (zermelo.open(tmp_path / "file"), zermelo.open(tmp_path / "file", type(solved.game))):
        assert again.value == solved.value and again.bounds == solved.bounds and again.game == solved.game
        if isinstance(solved, Solution):
            assert again.probe(again.rules.start) == solved.probe(solved.rules.start)
    header, _ = file.read(tmp_path / "file")
    assert "true" not in json.dumps([header["state"], header.get("start")])


def test_files_open_in_a_process_that_has_no_rules(in_python: None, tmp_path: Path) -> None:
    values = []
    with lowered(MOST_BRIDGED, 0):
        for number, (game, options) in enumerate(CASES.values()):
            found = solution_of_case(game, options)
            found.save(tmp_path / f"{number}")
            values.append(float(found.value))
    text = f"import zermelo; print([float(zermelo.open(str(k)).value) for k in range({len(values)})])"
    elsewhere = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(elsewhere.stdout) == values


def test_a_certificate_is_verified(solved: Any, tmp_path: Path) -> None:
    with lowered(MOST_BRIDGED, 100):
        solved.export_certificate(tmp_path / "certificate")
    verdict = zermelo.verify(tmp_path / "certificate", solved.game)
    assert verdict.verified and verdict.low <= solved.high and solved.low <= verdict.high


def test_a_page_and_json_are_written(solved: Any, tmp_path: Path) -> None:
    copy = tmp_path / "games_of_truth_values.py"  # by its own name, its classes would be loaded again
    copy.write_text(Path(__file__).read_text())
    word = f"{copy}:{type(solved.game).__name__}"
    with lowered(MOST_BRIDGED, 100):
        assert page_of(solved, Sheet(word, find(word)), silent).lacks == ""
        json.dumps(plain(as_data(solved)), allow_nan=False)


def test_a_study_of_a_truth_value() -> None:
    study = zermelo.study(Falling, up=[True, False])
    assert [row.value for row in study.rows] == [3.0, 3.0] and not any(row.error for row in study.rows)


def test_files_of_older_versions_have_truth_values_in_the_start(tmp_path: Path) -> None:
    """They were written and did not open."""
    zermelo.solve(Falling()).save(tmp_path / "file")
    header, arrays = file.read(tmp_path / "file")
    header["start"]["state"] = [2, True]
    file.write(tmp_path / "old", header, {name: array[:] for name, array in arrays.items()})
    assert zermelo.open(tmp_path / "old").probe(Flag(2, True)).value == 3
