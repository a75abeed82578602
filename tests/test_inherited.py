"""Subclasses of NamedTuples, which get no fields of their own: what looks like a new parameter is refused, and what is none is let be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import ParameterError, RulesError
from zermelo.games import BinarySearch, Pig
from zermelo.games.pig import HOLD, KEEP, PASS, State
from zermelo.language.inherited import field_faults


class Added(Pig):
    sides: int = 4


class Added2(Added):
    rounds: int
    bets: Any = ()


class Hidden(Pig):
    goal: int = 20


class Fixed(Pig):
    goal = 20


class Fine(Pig):
    """Constants and declarations."""

    sides: ClassVar[int] = 4
    most: Final = 3
    LEAST: int = 2
    _depth: int = 1
    title: str = "Pig with a die of 4"
    rounds = 7


class Searched(BinarySearch):
    depth: int = 3


def said(ask: Any, game: Any) -> list[str]:
    with pytest.raises(RulesError) as told:
        ask(game)
    return told.value.faults


@pytest.mark.parametrize("ask", [zermelo.check, zermelo.solve, zermelo.plan])
def test_new_fields_of_a_subclass_are_refused(ask: Any) -> None:
    (fault,) = said(ask, Added(10))
    assert fault.startswith("`sides` of Added is no field: a subclass of a NamedTuple gets none. Write `class Added(NamedTuple):` with all")
    assert "(goal, sides)" in fault and "`start = Pig.start`" in fault and "`sides = ...`" in fault and "\n" not in fault
    both = said(ask, Added2(10))
    assert both[0].startswith("`rounds` and `bets` of Added2 are no fields") and both[1] == fault


@pytest.mark.parametrize("game_class", [Hidden, Fixed])
def test_a_value_that_hides_a_parameter_is_refused(game_class: Any) -> None:
    """The game was Pig(10) in its name and in its file, and to 20 in the rules that Python runs."""
    name = game_class.__name__
    for ask in (zermelo.check, zermelo.solve):
        (fault,) = said(ask, game_class(10))
        assert fault.startswith(f"`goal` of {name} hides the field `goal` of Pig, so that what a tuple holds there is not read: ")


def test_matrix_games_are_refused_too() -> None:
    (fault,) = said(zermelo.solve, Searched(3))
    assert fault.startswith("`depth` of Searched is no field")


def test_constants_and_declarations_are_let_be() -> None:
    assert not [*field_faults(Fine)] and not [*field_faults(Pig)]
    assert zermelo.solve(Fine(10)).value == zermelo.solve(Pig(10)).value
    assert not [*field_faults(type("Made", (NamedTuple("Base", [("n", int)]),), {"m": 3}))]  # noqa: UP014


class More(NamedTuple):
    """What the message says to write."""

    goal: int = 10
    sides: int = 6

    start, actions, payoff, win_probability = Pig.start, Pig.actions, Pig.payoff, Pig.win_probability

    def outcomes(self, s: State, action: int) -> Iterator[Any]:
        if action == HOLD:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0), PASS
        else:
            yield 1, 0, State(s.theirs, s.mine, 0), PASS
            for face in range(2, self.sides + 1):
                yield 1, 0, State(s.mine, s.theirs, min(s.turn + face, self.goal - s.mine)), KEEP


def test_the_advice_helps() -> None:
    pig, same, four = (zermelo.solve(g) for g in (Pig(10), More(10), More(10, 4)))
    assert pig.value == pytest.approx(same.value, abs=1e-12) and abs(pig.value - four.value) > 1e-3


def test_new_fields_of_a_class_of_states_are_refused() -> None:
    class Place(NamedTuple):
        n: int

    class Longer(Place):
        rest: int = 0

    class Walk(NamedTuple):
        def start(self) -> Any:
            return Longer(2)

        def outcomes(self, s: Any) -> Iterator[Any]:
            if s.n > 0:
                yield 1, 1, Longer(s.n - 1)

    for ask in (zermelo.check, zermelo.solve):
        assert said(ask, Walk())[0].startswith("`rest` of Longer is no field: a subclass of a NamedTuple gets none.")


def test_the_command_line_tells_it_before_it_misses_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "more_sides.py"
    file.write_text("from zermelo.games import Pig\n\n\nclass MoreSides(Pig):\n    sides: int = 4\n")
    for arguments in (["solve", f"{file}:MoreSides", "--sides", "6"], ["check", str(file)]):
        assert main(arguments) == 2
        assert "`sides` of MoreSides is no field: a subclass of a NamedTuple gets none. Write" in capsys.readouterr().err


class Added3(Pig):
    def __new__(cls, goal: int = 5) -> Any:
        return super().__new__(cls, goal + 3)


class Chosen(Pig):
    def __new__(cls) -> Any:
        return super().__new__(cls, 5)


class Rounded(Pig):
    def __new__(cls, goal: int = 5) -> Any:
        return super().__new__(cls, goal + goal % 2)


def test_a_class_that_makes_other_games_than_it_is_asked_for_is_refused_where_parameters_are_given(tmp_path: Path, capsys: Any) -> None:
    """A file of the game to 8 was opened as one of the game to 11; and what does not take the parameters ended in a traceback."""
    told = {
        Added3: r"Added3.__new__ makes a game with goal=14 of goal=11, and so no file, study or command can tell which game is meant",
        Chosen: r"Chosen.__new__ fails where it is given the parameters goal \(TypeError: .*unexpected keyword argument 'goal'\)",
    }
    for kind, said in told.items():
        solution, path = zermelo.solve(kind()), tmp_path / f"{kind.__name__}.zermelo"
        solution.save(path)
        assert zermelo.open(path, kind()).value == solution.value
        with pytest.raises(zermelo.errors.FileError, match=said):
            zermelo.open(path, kind)
        solution.export_certificate(path)
        with pytest.raises(ParameterError, match=said):
            zermelo.verify(path, kind)
        with pytest.raises(ParameterError, match=f"{kind.__name__}.__new__ "):
            zermelo.study(kind, goal=[5], processes=1)
        assert main(["solve", f"{__file__}:{kind.__name__}", "--goal", "5"]) == 2
        assert f"{kind.__name__}.__new__ " in capsys.readouterr().err
    assert zermelo.study(Rounded, goal=[5], processes=1).rows[0].value == zermelo.solve(Pig(6)).value, "it keeps what it has made"


FILE = """
from typing import NamedTuple
from zermelo.games.pig import State
class Base(NamedTuple):
    n: int = 3
    def start(self):
        return State(FIRST, 0, 0)
    def outcomes(self, s):
        if s.mine < self.n:
            yield 1, 1, State(s.mine + 1, 0, 0)
class Same(Base):
    def start(self):
        return super().start()
class Kept(Base):
    def start(self):
        above = super()
        return above.start()
class Between:
    def start(self):
        return super(Between, self).start()
class Mixed(Between, Base):
    pass
"""


@pytest.mark.parametrize("name", ["Same", "Kept", "Mixed"])
def test_the_hash_sees_what_super_calls(name: str, tmp_path: Path) -> None:
    """A study answered from disk, and a saved solution opened, with the value of before `Base.start` was edited."""
    file = tmp_path / "of_base.py"
    file.write_text(FILE.replace("FIRST", "0"))
    solution = zermelo.solve(f"{file}:{name}")
    assert solution.value == 3
    solution.save(tmp_path / "base.zermelo")
    file.write_text(FILE.replace("FIRST", "1"))
    assert zermelo.solve(f"{file}:{name}").value == 2
    with pytest.raises(zermelo.errors.FileError, match="have changed: solve again"):
        zermelo.open(tmp_path / "base.zermelo", f"{file}:{name}")


class Doubled(Pig):
    win_probability = None  # type: ignore[assignment]

    def payoff(self, s: State) -> int:
        return 2 * super(Doubled, self).payoff(s)  # noqa: UP008


def test_super_with_a_class_is_one_fault() -> None:
    """Everything of the class that it names was examined, too: six faults, of `title` and `show`."""
    (fault,) = said(zermelo.solve, Doubled(4))
    assert fault.startswith("`super(Doubled, self).payoff(s)` can't compile: write `Pig.payoff(self, s)` (")


class Threefold(Pig):
    win_probability = None  # type: ignore[assignment]

    def payoff(self, s: State) -> int:
        base = super()
        return 3 * Pig.payoff(self, s) + super().payoff(s) + base.goal


def test_super_is_told_what_to_write() -> None:
    """"Call the helper by its class" did not say which, nor that `self` is given to it."""
    assert [fault.partition(" (")[0] for fault in said(zermelo.solve, Threefold(4))] == [
        "`super` can't compile: name the class, as in `Base.method(self)`",
        "`super().payoff(s)` can't compile: write `Pig.payoff(self, s)`",
    ]


class NoPayoff(Pig):
    payoff = None  # type: ignore[assignment]
    player = None


class Static(Pig):
    @staticmethod
    def payoff(s: State) -> int:  # type: ignore[override]
        return s.mine


def test_members_that_are_none_or_static_are_told() -> None:
    """It was "'NoneType' object is not callable", "line 0", and that `s.mine` does not exist."""
    one, other = sorted(said(zermelo.solve, NoPayoff(4)))
    assert one.startswith("`payoff` is None, and stands for a method `def payoff(self, s)`: leave it out for that of Pig; for none, ")
    assert other == "`player` is None, and stands for a method `def player(self, s)`: leave it out"
    assert "`payoff` is a static method, and stands for a method of the game: write `def payoff(self, s)` without `@staticmethod`" in said(
        zermelo.solve, Static(4)
    )
