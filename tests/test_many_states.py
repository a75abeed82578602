"""Games with more states than 32 bits can number: such a game takes more than 100 GB, so here 32 bits are made to suffice for few states.

All answers must be those of the same game with short numbers, down to the last bit, and so must files and certificates.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from capabilities import record
from capabilities.twins import TWIN, solved_generally
from capabilities.verbs import Case
from limits import SHORT_NUMBER, lowered
from test_long_keys import Boxed, FarRace, FarSecret
from test_tiers import Both, Wild
from zermelo import Cyclic
from zermelo.basics.numbering import number_type
from zermelo.engines.stages import spaces
from zermelo.errors import OutOfReach, ZermeloError
from zermelo.games import Dreidel, LeftCenterRight, Pig
from zermelo.kernels.kernel import forced, only
from zermelo.storage.file import read as read_file
from zermelo.uses.need import explored_of

FEW = 40  # states for which 32 bits suffice


class Stone(NamedTuple):
    row: int
    column: int
    mover: int


class Drift(NamedTuple):
    """Two push a stone in turn, forwards and back, without chance; whoever brings it to an edge wins or loses there."""

    size: int = 12

    def start(self) -> Stone:
        return Stone(self.size // 2, self.size // 2, 0)

    def player(self, s: Stone) -> int:
        return s.mover

    def actions(self, s: Stone) -> Iterator[int]:
        if 0 < s.row < self.size and 0 < s.column < self.size:
            for step in range(3 + s.mover):  # noqa: UP028
                yield step

    def outcomes(self, s: Stone, step: int) -> Iterator[tuple[int, int, Stone]]:
        row, column = s.row, s.column
        if step == 0:
            row += 1
        elif step == 1:
            column += 1
        elif step == 2:
            row, column = row - 1, column - 1 + s.mover
        else:
            column -= 2 if column > 1 else 1
        yield 1, 0, Stone(row, column, 1 - s.mover)

    def payoff(self, s: Stone) -> int:
        return 1 if s.row == self.size else -1 if s.column == self.size else 0


class At(NamedTuple):
    x: int
    y: int


class Stroll(NamedTuple):
    """A walk by chance alone, in one large component; it ends at an edge."""

    size: int = 30

    def start(self) -> At:
        return At(self.size // 2, self.size // 2)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if 0 < s.x < self.size and 0 < s.y < self.size:
            yield 3, 1, At(s.x + 1, s.y)
            yield 2, 0, At(s.x - 1, s.y)
            yield 2, 1, At(s.x, s.y + 1)
            yield 1, 0, At(s.x, s.y - 1)

    def payoff(self, s: At) -> int:
        return s.x - s.y


class Step(NamedTuple):
    x: int
    y: int
    mover: int = 0


class Race(NamedTuple):
    """Steps back and, by chance, long ones forwards: one large component, which play leaves sooner or later whatever is done."""

    size: int = 8
    players: int = 2
    passing: bool = False
    paying: bool = True

    def start(self) -> Step:
        return Step(self.size // 3, self.size // 2)

    def player(self, s: Step) -> int:
        return s.mover

    def actions(self, s: Step) -> Iterator[int]:
        if s.x < self.size and s.y < self.size:
            for a in range(2 + (s.x + s.y) % 2):  # noqa: UP028
                yield a

    def outcomes(self, s: Step, a: int) -> Iterator[tuple[int, float, Step, int]]:
        pays = 0.1 * ((3 * s.x + 5 * s.y + a) % 7) - 0.3 if self.paying else 0.0
        mover = 1 - s.mover if self.players == 2 and not self.passing else s.mover
        sign = -1 if self.passing and (s.x + a) % 3 > 0 else 1
        if a == 0:
            yield 2, pays, Step(max(s.x - 1, 0), s.y, mover), sign
            yield 1, pays, Step(s.x + 3, s.y, mover), sign
        elif a == 1:
            yield 2, pays, Step(s.x, max(s.y - 1, 0), mover), sign
            yield 1, pays, Step(s.x, s.y + 3, mover), sign
        else:
            yield 1, pays, Step(s.x + 1, max(s.y - 1, 0), mover), sign
            yield 1, 0.5 * pays, Step(max(s.x - 1, 0), s.y + 2, mover), sign

    def payoff(self, s: Step) -> float:
        return 0.25 * ((3 * s.x + s.y) % 9) - 1


class Meeting(NamedTuple):
    """The same where both choose at once."""

    size: int = 8

    def start(self) -> At:
        return At(self.size // 3, self.size // 2)

    def actions(self, s: At) -> Iterator[int]:
        if s.x < self.size and s.y < self.size:
            yield 0
            yield 1

    def other_actions(self, s: At) -> Iterator[int]:
        if s.x < self.size and s.y < self.size:
            yield 0
            yield 1

    def outcomes(self, s: At, a: int, b: int) -> Iterator[tuple[int, float, At]]:
        pays = 0.1 * ((3 * s.x + 5 * s.y + a + 2 * b) % 7) - 0.3
        if a == b:
            yield 2, pays, At(max(s.x - 1, 0), s.y)
            yield 1, pays, At(s.x + 3, s.y)
        else:
            yield 2, pays, At(s.x, max(s.y - 1, 0))
            yield 1, pays, At(s.x, s.y + 3)

    def payoff(self, s: At) -> float:
        return 0.25 * ((3 * s.x + s.y) % 9) - 1


def square(states: int, each: int) -> int:
    """The side of a square with about this many states, so many at each place."""
    return int((states / each) ** 0.5) + 1


GAMES = {
    "acyclic": lambda n: Wild(1, n, 0, 2),
    "acyclic passing": lambda n: Wild(2, n, 0, 2, True),
    "one player": lambda n: Race(square(n, 1), 1),
    "two players": lambda n: Race(square(n, 2)),
    "two players passing": lambda n: Race(square(n, 1), 2, True),
    "unpaid": lambda n: Race(square(n, 2), 2, False, False),
    "unpaid passing": lambda n: Race(square(n, 1), 2, True, False),
    "won or lost": lambda n: Drift(square(n, 2)),
    "chance": lambda n: Stroll(square(n, 1)),
    "pig": lambda n: Pig(int((2 * n) ** (1 / 3)) + 1),
    "at once": lambda n: Both(1, n, 0),
    "at once cyclic": lambda n: Meeting(square(n, 1)),
}


def first_action(s: Any) -> Any:
    return 0


def first_mixture(s: Any) -> dict[int, float]:
    return {0: 1.0}


def asked(ask: Any) -> Any:
    """What is said, or why not: a refusal must be the same one."""
    try:
        return ask()
    except ZermeloError as error:
        return type(error).__name__, str(error)


def digest(*arrays: Any) -> str:
    """Of all arrays: numbers that are not whole count to the last bit."""
    found = hashlib.sha256()
    for array in arrays:
        if hasattr(array, "__array__"):  # also those of a file that are read page by page
            array = np.asarray(array)
            array = array.astype(np.int64) if array.dtype.kind in "iu" else array
            found.update(np.ascontiguousarray(array).tobytes())
        else:
            found.update(repr(array).encode())
    return found.hexdigest()


def contents(path: Path) -> dict[str, str]:
    """The arrays in a file. (Its head tells when it was written.)"""
    return {name: array.dtype.str + digest(np.asarray(array)) for name, array in read_file(path).arrays.items()}


def proven(path: Path) -> dict[str, str]:
    """The arrays of a certificate."""
    with zipfile.ZipFile(path) as archive:
        return {name: digest(np.load(io.BytesIO(archive.read(name)))) for name in archive.namelist() if name.endswith(".npy")}


def packed(path: Path) -> str:
    """The arrays of a model for model checkers."""
    with tarfile.open(path) as archive:
        return digest({m.name: digest(archive.extractfile(m).read()) for m in archive if m.name.endswith(".bin")})


def findings(game: Any, folder: Path, plays: int = 2000) -> dict[str, Any]:
    """Answers of all kinds to questions about a game."""
    solution = zermelo.solve(game, solver=Cyclic()) if isinstance(game, Pig) else zermelo.solve(game)
    explored, path, proof = explored_of(solution.answers), folder / "stored", folder / "proof"
    assert explored.whole().next.dtype == number_type(explored.num_states)
    solution.save(path)
    opened = zermelo.open(path, type(game))
    found = {
        "value": (solution.value, solution.low, solution.high, solution.report.notes, solution.payoffs),
        "states": digest(explored.keys, explored.component_start, explored.looped, explored.whole().next.astype(np.int64)),
        "arrays": digest(solution.values, solution.errors, solution.payoff_values, solution.action_numbers, solution.distances),
        "opened": digest(opened.values, opened.errors, opened.payoff_values, opened.action_numbers, opened.distances),
        "file": contents(path),
        "frame": asked(lambda: digest(solution.to_dataframe().to_csv())),
    }
    if explored.rules.is_simultaneous:
        found["mixtures"] = digest(*solution.mixtures)
    policy: Any = first_mixture if explored.rules.is_simultaneous else first_action
    asks: dict[str, Any] = {
        "simulated": lambda: repr(solution.simulate(plays, 7)),
        "policy simulated": lambda: repr(solution.simulate(plays, 7, policy)),
        "evaluated": lambda: repr(solution.evaluate(policy)),
        "answered": lambda: repr(solution.best_response(policy)),
        "distribution": lambda: repr(solution.distribution()),
        "second distribution": lambda: repr(solution.distribution("second")),
        "length": lambda: repr(solution.length),
        "discounted": lambda: repr(zermelo.solve(game, discount=0.9).value),
        "umb": lambda: find_spec("umbi") and repr(solution.export_umb(folder / "model")) + packed(folder / "model"),
        "proof": lambda: (solution.export_certificate(proof), proven(proof)),
        "verified": lambda: repr(zermelo.verify(proof, game, interpreted=forced() == "interpreted")),
    }
    return found | {name: asked(ask) for name, ask in asks.items()}


@pytest.mark.parametrize("kind", GAMES)
def test_every_answer_interpreted(kind: str, tmp_path: Path) -> None:
    with only("interpreted"):
        expected = findings(GAMES[kind](FEW + 10), tmp_path, 20)
        with lowered(SHORT_NUMBER, FEW):
            assert findings(GAMES[kind](FEW + 10), tmp_path, 20) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_every_answer_compiled(kind: str, tmp_path: Path) -> None:
    with only("compiled"):
        expected = findings(GAMES[kind](2000), tmp_path)
        with lowered(SHORT_NUMBER, FEW):
            assert findings(GAMES[kind](2000), tmp_path) == expected


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_numbers_grow_in_the_middle_of_the_search(tier: str) -> None:
    game = FarRace(25)  # with keys of several words, in a table by their hash
    with only(tier):
        expected = zermelo.solve(game)
        with lowered(SHORT_NUMBER, 60):
            found = zermelo.solve(game)
        assert explored_of(found.answers).table.__class__ is explored_of(expected.answers).table.__class__
    assert found.values.tolist() == expected.values.tolist() and list(found.space) == list(expected.space)


def test_a_box_of_many_states() -> None:
    with lowered(SHORT_NUMBER, 35):
        found = zermelo.solve(Boxed())
    assert found.values.tolist() == zermelo.solve(Boxed()).values.tolist()


@pytest.mark.parametrize(
    ("tier", "game"), [("interpreted", LeftCenterRight(3, 1)), ("interpreted", Dreidel(2, 4)), ("compiled", LeftCenterRight(4))], ids=str
)
def test_games_in_stages(tier: str, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With both methods for large systems of equations where they are compiled."""
    monkeypatch.setattr("zermelo.methods.sweeping.MOST_SWEEPS", 10)

    def answers() -> Any:
        found = zermelo.solve(game)
        assert found.report.engine == "stages"
        asked = (found.length, found.distribution(), found.simulate(50, seed=3)) if tier == "interpreted" else ()  # as in `test_a_verb`
        return [*map(repr, (found.value, found.low, found.high, *asked))], digest(found.values, found.errors, found.payoff_values)

    with only(tier):
        expected = answers()
        with lowered(SHORT_NUMBER, FEW // 8):
            assert answers() == expected


def test_stages_of_many_states_are_refused_unless_asked_for(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spaces, "MOST_STATES", 50)
    with pytest.raises(OutOfReach, match=r"^LeftCenterRight has 165 states in 9 stages, more than 50 \(max_states\)$"):
        zermelo.solve(LeftCenterRight(3))
    assert zermelo.solve(LeftCenterRight(3), max_states=10_000).report.states > 50


def test_states_with_hidden_information_are_refused_in_one_line() -> None:
    expected = zermelo.solve(FarSecret())
    with lowered(SHORT_NUMBER, 5), pytest.raises(OutOfReach, match=r"^FarSecret: \d+ states .* too many to unfold") as error:
        zermelo.solve(FarSecret())
    assert "\n" not in str(error.value) and zermelo.solve(FarSecret()).value == expected.value


@pytest.mark.parametrize("verb", record.VERBS)
@pytest.mark.parametrize("column", ["acyclic", "cyclic", "won-lost", "at-once"])
def test_a_verb(verb: str, column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    expected, reference = record.recorded()[verb][column], solved_generally(column)
    with only("interpreted"), lowered(SHORT_NUMBER, 0):
        monkeypatch.setattr(record, "case_of", lambda *_: Case(TWIN[column], with_long_numbers(column), reference, tmp_path))
        assert record.observed(column, verb, tmp_path) == expected


@cache
def with_long_numbers(column: str) -> Any:
    """A twin whose states all have numbers of 64 bits."""
    with only("interpreted"), lowered(SHORT_NUMBER, 0):
        return zermelo.solve(TWIN[column].game)
