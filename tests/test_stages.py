"""Games that go through stages: against the general engine, against known values, and what is refused."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.basics import ahead, machine_code
from zermelo.cli.report import summary
from zermelo.engines.stages import solving, spaces
from zermelo.games import Dreidel, LeftCenterRight
from zermelo.games.left_center_right import State
from zermelo.kernels.kernel import Kernel, only
from zermelo.kernels.sweeps import krylov_step, sweep
from zermelo.kernels.verify_linear import residuals
from zermelo.methods import sweeping
from zermelo.solvers.by_component import Cyclic
from zermelo.spaces import compositions


def passing_coins(players: int, coins: int) -> Any:
    """The game of examples/passing_coins.py."""
    path = Path(__file__).parent.parent / "examples" / "passing_coins.py"
    spec = importlib.util.spec_from_file_location("passing_coins", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.PassingCoins(players, coins)


class Pile(NamedTuple):
    stones: int
    heads: int


class Stones(NamedTuple):
    """A coin a stone: heads keeps it, tails removes it; every third time nothing happens. Pays for stones, and none for moves."""

    stones: int = 6
    wage: float = 1.5
    payoffs = ("pay", "left")

    def start(self) -> Pile:
        return Pile(self.stones, 0)

    def outcomes(self, s: Pile) -> Iterator[tuple[int, tuple[float, float], Pile]]:
        if s.stones > 0:
            yield 1, (self.wage * s.heads, 0), Pile(s.stones - 1, 0)
            yield 1, (-1, 1), Pile(s.stones, min(s.heads + 1, 3))
            yield 1, (0, 0), s

    def payoff(self, s: Pile) -> tuple[float, float]:
        return 2.0, -1.0

    def stage(self, s: Pile) -> int:
        return 10 - s.stones

    def space(self, stage: int) -> Any:
        return None if stage > 10 else (range(10 - stage, 11 - stage), range(4))


GAMES = [
    LeftCenterRight(2, 1),
    LeftCenterRight(3, 2),
    LeftCenterRight(3, 2, 1),
    LeftCenterRight(4, 1),
    Dreidel(2, 1),
    Dreidel(2, 5),
    Dreidel(3, 2, False),
    Dreidel(3, 3, True, 1),
    passing_coins(2, 1),
    passing_coins(3, 2),
    Stones(),
    Stones(1, 0.25),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_agrees_with_the_general_engine(game: Any) -> None:
    """Payoffs of states all over the space within both bounds; the variance of the length within what the whole distribution says."""
    ours, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    for name in ours.payoffs:
        assert ours.bounds[name][0] <= general.bounds[name][1] and general.bounds[name][0] <= ours.bounds[name][1]
    for state in list(general.space)[:: max(1, general.space.size // 50)]:
        one, two = ours.probe(state), general.probe(state)
        assert one.low <= two.high and two.low <= one.high
        for name in one.payoffs:
            assert float(one.payoffs[name]) == pytest.approx(float(two.payoffs[name]), rel=1e-10, abs=1e-11)
    lengths, ours_too = general.distribution(tail=1e-15), ours.distribution(tail=1e-15)
    assert np.array_equal(lengths.support, ours_too.support)
    assert np.abs(lengths.probabilities - ours_too.probabilities).max() <= lengths.errors.max() + ours_too.errors.max()
    assert ours.length.mean == pytest.approx(lengths.mean, rel=1e-9)
    assert ours.length.mean_low <= general.length.mean_high and general.length.mean_low <= ours.length.mean_high
    assert ours.length.variance == pytest.approx(lengths.variance, rel=1e-8, abs=1e-9)
    assert ours.length.variance_low <= ours.length.variance <= ours.length.variance_high


@pytest.mark.parametrize("game", [LeftCenterRight(3, 1), LeftCenterRight(2, 2), Dreidel(2, 2), Stones(3, 0.5)], ids=str)
def test_bounds_hold_the_exact_values(game: Any) -> None:
    bounds, exact = zermelo.solve(game).bounds, zermelo.solve(game, exact=True).payoffs
    for name, (low, high) in bounds.items():
        assert Fraction(low) <= exact[name] <= Fraction(high)
        assert high - low < 1e-11


class Turn(NamedTuple):
    step: int
    height: int
    player: int


class Once(NamedTuple):
    """One seat moves once, then the other for long; each is paid for its own moves, so that no payoff counts all of them."""

    back: int = 2
    height: int = 5
    payoffs = ("moves of seat 1", "moves of seat 2")

    def seats(self) -> tuple[str, ...]:
        return ("moves of seat 1", "moves of seat 2")

    def start(self) -> Turn:
        return Turn(0, 0, 0)

    def outcomes(self, s: Turn) -> Iterator[Any]:
        paid = (1 if s.player == 0 else 0, 1 if s.player == 1 else 0)
        if s.step == 0:
            yield 1, paid, Turn(1, 0, 1 - s.player)
        if s.step == 1 and s.height < self.height:
            yield 1, paid, Turn(1, s.height + 1, s.player)
            yield self.back, paid, Turn(1, 0, s.player)

    def stage(self, s: Turn) -> int:
        return s.step

    def space(self, stage: int) -> Any:
        return (range(stage, stage + 1), range(self.height + 1), range(1)) if stage < 2 else None

    def turned(self, s: Turn) -> tuple[Turn, int]:
        return Turn(s.step, s.height, 0), s.player


def test_a_seats_payoff_does_not_count_the_moves() -> None:
    """In every position that is kept the first seat moves: its payoff looks as if it counted all moves."""
    solution, exact = zermelo.solve(Once()), zermelo.solve(Once(), exact=True)
    for name, (low, high) in solution.bounds.items():
        assert Fraction(low) <= exact.payoffs[name] <= Fraction(high)
    moves = 1 + float(exact.payoffs["moves of seat 2"])
    assert solution.length.mean == pytest.approx(moves) and solution.statistics["moves"] is None
    assert solution.distribution("moves of seat 1").mean == pytest.approx(1.0)


class Ruin(NamedTuple):
    """A walk that goes on for too long for sweeps."""

    size: int = 1000
    payoffs = ("moves", "ruin")

    def start(self) -> Pile:
        return Pile(0, self.size // 2)

    def outcomes(self, s: Pile) -> Iterator[Any]:
        if 0 < s.heads < self.size:
            yield 1, (1, 0), Pile(0, s.heads + 1)
            yield 1, (1, 0), Pile(0, s.heads - 1)

    def payoff(self, s: Pile) -> tuple[int, int]:
        return 0, 1 if s.heads == 0 else 0

    def stage(self, s: Pile) -> int:
        return 0

    def space(self, stage: int) -> Any:
        return None if stage else (range(1), range(self.size + 1))


def test_what_sweeps_cannot_solve_goes_to_the_general_engine() -> None:
    solution = zermelo.solve(Ruin())
    assert solution.low <= 250_000 <= solution.high and solution.bounds["ruin"][0] <= 0.5 <= solution.bounds["ruin"][1]


def test_what_is_no_state_has_no_value() -> None:
    solution = zermelo.solve(LeftCenterRight(3, 2))
    for state in (
        State((1, 1), 1),
        State((1, 1, 1, 1), 1),
        State((1, 1, 1), -1),
        State((1, 1, 1), 7),
        State((9, 9, 9), 1),
    ):
        with pytest.raises((zermelo.UnreachableState, zermelo.ParameterError)):
            solution.probe(state)


def test_variance_by_hand() -> None:
    """With one chip each, one roll decides with probability 1/6 + 1/6 + 1/6: the length is geometric."""
    length = zermelo.solve(LeftCenterRight(2, 1)).length
    assert length.mean == pytest.approx(2.0) and length.variance_low <= 2.0 <= length.variance_high


def test_tables_are_turned() -> None:
    solution = zermelo.solve(LeftCenterRight(4, 2))
    here, there = (solution.probe(s).payoffs for s in (State((2, 0, 1, 3), 0), State((1, 3, 2, 0), 2)))
    assert here["turns"] == there["turns"]
    assert [there[f"seat {i} wins"] for i in (3, 4, 1, 2)] == [here[f"seat {i} wins"] for i in (1, 2, 3, 4)]


def test_saved_and_opened(tmp_path: Path) -> None:
    class Later(LeftCenterRight):
        __slots__ = ()

        def start(self) -> State:
            return State((self.chips,) * self.players, 1)

    solution = zermelo.solve(Later(3, 2))
    plain = zermelo.solve(LeftCenterRight(3, 2))
    assert solution.payoffs["seat 2 wins"] == plain.payoffs["seat 1 wins"]  # the second seat begins
    solution.save(tmp_path / "game")
    opened = zermelo.open(tmp_path / "game", Later(3, 2))
    assert opened.payoffs == solution.payoffs and opened.bounds == solution.bounds and opened.length == solution.length
    assert opened.probe(State((1, 1, 2), 2)) == solution.probe(State((1, 1, 2), 2))


def test_one_run_is_like_another() -> None:
    one, two = (zermelo.solve(LeftCenterRight(3, 2)) for _ in range(2))
    assert one.bounds == two.bounds and np.array_equal(one.payoff_values, two.payoff_values)


# --- what is refused --------------------------------------------------------------------------------------------------


class Wrong(LeftCenterRight):
    __slots__ = ()


def with_members(**members: Any) -> Any:
    return type("Wrong", (Wrong,), {"__slots__": (), **members})(3, 2)


def half_space(self: Any, stage: int) -> Any:
    held = self.players * self.chips - stage
    return (compositions(held, self.players, (2, 0, 0)), range(1)) if held > 1 else None


def unlike_turned(self: Any, s: State) -> Any:
    return State(tuple(s.chips[(s.player - i) % 3] for i in range(3)) if s.player else s.chips, 0), s.player


def turned_again(self: Any, s: State) -> Any:
    return s, 1


def turned_to_a_number(self: Any, s: State) -> Any:
    return 5, 0


def turned_by_a_word(self: Any, s: State) -> Any:
    return s, "a"


def passing(self: Any, s: State) -> Iterator[Any]:
    yield 1, (1, 0, 0, 0), s, -1


def never(self: Any, s: State) -> bool:
    return False


def turned_wrongly(self: Any, s: State) -> Any:
    return s.chips[self.players]


def turned_too_far(self: Any, s: State) -> Any:
    return s, 7


def falling(self: Any, s: State) -> int:
    return s.chips[0] + s.chips[1] + s.chips[2]


FAULTS = {
    "the start is not in its space": ({"space": lambda self, stage: (compositions(1, 3), range(1))}, "does not hold"),
    "no space at all": ({"space": lambda self, stage: None}, "does not hold the start"),
    "a space of another shape": (
        {"space": lambda self, stage: compositions(6, 3)},
        "3 numbers a state, and a state has 4",
    ),
    "a space that fails": ({"space": lambda self, stage: 1 // 0}, "ZeroDivisionError"),
    "states are missing": ({"space": half_space}, "does not hold"),
    "turned another way": ({"turned": unlike_turned}, "other things can happen"),
    "turned to a state to be turned": ({"turned": turned_again}, "turned by 0"),
    "turned by too much": ({"turned": turned_too_far}, "by how many of 3 seats"),
    "turned to no state": ({"turned": turned_to_a_number}, "must give the state"),
    "turned by no number": ({"turned": turned_by_a_word}, "must give the state"),
    "seats twice": (
        {"seats": lambda self: ("turns", "turns"), "payoffs": ("turns", "a", "b", "c")},
        "different payoffs",
    ),
    "seats as a text": ({"seats": lambda self: "turns", "payoffs": ("turns", "a", "b", "c")}, "must return a tuple"),
    "passing": ({"outcomes": passing}, "fourth element"),
    "settled": ({"settled": never}, "do not go together"),
    "turned with an error": ({"turned": turned_wrongly}, "`turned` raised IndexError"),
    "seats that fail": ({"seats": lambda self: 1 // 0, "payoffs": ("turns", "a", "b", "c")}, "`seats` raised"),
    "seats that are no payoffs": ({"payoffs": lambda self: ("turns", "a", "b", "c")}, "none of the `payoffs`"),
    "a stage that falls": ({"stage": falling}, "must never fall"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    members, words = FAULTS[name]
    with pytest.raises(zermelo.RulesError, match=words):
        zermelo.solve(with_members(**members))


def test_the_command_check_looks_at_stages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from zermelo.cli import main

    text = (Path(__file__).parent.parent / "examples" / "passing_coins.py").read_text()
    wrong = tmp_path / "wrong.py"
    wrong.write_text(text.replace("(s.player + i) % self.players", "(s.player + 2 * i) % self.players"))
    assert main(["check", f"{wrong}:PassingCoins", "--players", "3"]) == 2
    assert "turns that again" in capsys.readouterr().err
    wrong.write_text(text)
    assert main(["check", f"{wrong}:PassingCoins", "--players", "3"]) in (0, None)


class Endless(NamedTuple):
    """Where play never ends from some states."""

    n: int = 3

    def start(self) -> Pile:
        return Pile(self.n, 0)

    def outcomes(self, s: Pile) -> Iterator[Any]:
        if s.stones > 0:
            yield 1, 1, Pile(s.stones, 1 - s.heads)

    def stage(self, s: Pile) -> int:
        return 0

    def space(self, stage: int) -> Any:
        return None if stage > 0 else (range(1, self.n + 1), range(2))


def test_play_without_end() -> None:
    with pytest.raises(zermelo.NoValue, match="adds up without end while play cycles"):
        zermelo.solve(Endless())


def test_stages_are_for_pure_chance() -> None:
    class Choosing(Endless):
        __slots__ = ()

        def actions(self, s: Pile) -> Iterator[int]:
            yield 0

        def outcomes(self, s: Pile, action: int) -> Iterator[Any]:  # type: ignore[override]
            yield 1, 1, s

    with pytest.raises(zermelo.RulesError, match="pure chance"):
        zermelo.solve(Choosing())


def test_a_space_with_too_large_tables_is_told_with_the_game() -> None:
    game = type("Many", (LeftCenterRight,), {"space": lambda self, stage: (compositions(4000, 40), range(40))})(3, 2)
    for ask in (zermelo.plan, zermelo.solve):
        with pytest.raises(zermelo.OutOfReach, match=r"^`space\(0\)` of Many: a space with .* is too large; give smaller parameters$"):
            ask(game)


def test_too_many_states() -> None:
    with pytest.raises(zermelo.OutOfReach, match="max_states"):
        zermelo.solve(LeftCenterRight(6, 3), max_states=1000)
    with pytest.raises(zermelo.OutOfReach, match="GiB"):
        zermelo.solve(LeftCenterRight(10, 3))
    with pytest.raises(zermelo.OutOfReach, match="certified to"):
        zermelo.solve(LeftCenterRight(3, 3), tolerance=1e-15)


# --- what shows far from the start only, or nowhere in the sample ------------------------------------------------------------------------


class At(NamedTuple):
    x: int


class Walk(NamedTuple):
    """One step after the other. The state `odd` is far from those at which the rules are examined."""

    n: int = 599
    odd: int = 450
    payoffs = ("pay",)

    def start(self) -> Any:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.x < self.n:
            yield 1, (1,), At(s.x + 1)

    def payoff(self, s: At) -> Any:
        return (10,)

    def stage(self, s: At) -> Any:
        return s.x // 100

    def space(self, stage: int) -> Any:
        return None if 100 * stage > self.n else (range(100 * stage, min(100 * stage + 100, self.n + 1)),)


def never_happening(self: Any, s: At) -> Iterator[Any]:
    if s.x < self.n:
        yield int(s.x != self.odd), (1,), At(s.x + 1)


def happening_less_than_never(self: Any, s: At) -> Iterator[Any]:
    if s.x < self.n:
        yield -1 if s.x == self.odd else 1, (1,), At(s.x + 1)


def passing_late(self: Any, s: At) -> Iterator[Any]:
    if s.x < self.n:
        yield 1, (1,), At(s.x + 1), -1 if s.x == self.odd else 1


def between_stages(self: Any, s: At) -> Any:
    return s.x // 100 + (0.5 if s.x == self.odd else 0)


def wide_space(self: Any, stage: int) -> Any:
    return None if 100 * stage > self.n else (range(100 * stage, min(100 * stage + 101, self.n + 1)),)


LATE_FAULTS = {
    "no ways": ({"outcomes": never_happening}, r"the ways sum to 0 at At\(x=450\)"),
    "negative ways": ({"outcomes": happening_less_than_never}, r"the ways are -1 at At\(x=450\): .*test_stages.py line"),
    "passing": ({"outcomes": passing_late}, r"an outcome at At\(x=450\) has PASS"),
    "half a stage": ({"stage": between_stages}, r"`stage` returns 4.5 at At\(x=450\)"),
    "a space of two stages": ({"space": wide_space}, r"at At\(x=500\): `space\(4\)` holds this state, but its `stage` is 5"),
}


@pytest.mark.parametrize("name", LATE_FAULTS)
def test_faults_far_from_the_start(name: str, in_python: None) -> None:
    """They were values (no ways: play was over there), or told without the line, or the states of two spaces were counted twice."""
    members, words = LATE_FAULTS[name]
    game_class: Any = type("Wrong", (Walk,), {"__slots__": (), **members})
    with pytest.raises(zermelo.RulesError, match=words):
        zermelo.solve(game_class())


class Narrow(NamedTuple):
    x: Annotated[int, range(550)]


def test_declared_ranges_hold_in_spaces(in_python: None) -> None:
    def outcomes(self: Any, s: Any) -> Iterator[Any]:
        if s.x < self.n:
            yield 1, (1,), Narrow(s.x + 1)

    game_class: Any = type("Wide", (Walk,), {"__slots__": (), "start": lambda self: Narrow(0), "outcomes": outcomes})
    with pytest.raises(zermelo.RulesError, match=r"`space\(5\)` holds states whose x is 599, but the state class declares it from 0 to 5"):
        zermelo.solve(game_class())
    assert zermelo.solve(game_class(549)).value == 559


class Two(NamedTuple):
    a: int
    b: int


class Alike(NamedTuple):
    """Two heaps grow in turn by chance; exchanging them changes nothing, as long as neither is worth more."""

    price: int = 1
    n: int = 3

    def start(self) -> Two:
        return Two(0, 1)

    def outcomes(self, s: Two) -> Iterator[Any]:
        if s.a < self.n and s.b < self.n:
            yield 1, 1, Two(s.a + 1, s.b)
            yield 1, self.price, Two(s.a, s.b + 1)

    def stage(self, s: Two) -> int:
        return s.a + s.b

    def space(self, stage: int) -> Any:
        return None if stage > 2 * self.n else compositions(stage, 2)

    def turned(self, s: Two) -> Any:
        return Two(min(s.a, s.b), max(s.a, s.b)), 0


def test_what_is_turned_by_no_seat_is_compared_too(in_python: None) -> None:
    """Nothing was compared where the table was turned by 0 seats, so that a wrong value was certified."""
    ours, exact = zermelo.solve(Alike()), zermelo.solve(Alike(), exact=True)
    assert ours.low <= exact.value <= ours.high and ours.report.engine == "stages"
    with pytest.raises(zermelo.RulesError, match=r"`turned` takes Two\(a=2, b=1\) for Two\(a=1, b=2\), but other things can happen"):
        zermelo.solve(Alike(price=2))


def test_what_is_declared_is_compared_all_over_the_spaces(monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    monkeypatch.setattr(spaces, "check_laws", lambda stages, states: None)  # as if no state of the sample showed it
    with pytest.raises(zermelo.RulesError, match="`turned` takes"):
        zermelo.solve(Alike(price=2))


class Askew(NamedTuple):
    """Steps down, somewhere turned by half a seat."""

    n: int = 60
    payoffs = ("own", "other")

    def start(self) -> Two:
        return Two(0, 0)

    def outcomes(self, s: Two) -> Iterator[Any]:
        if s.a < self.n:
            yield 1, (1, 2), Two(s.a + 1, 0)
            yield 1, (0, 0), Two(s.a + 1, 0)

    def stage(self, s: Two) -> int:
        return s.a

    def space(self, stage: int) -> Any:
        return None if stage > self.n else (range(stage, stage + 1), range(1))

    def turned(self, s: Two) -> Any:
        return s, 0.5 if s.a == 30 else 0

    def seats(self) -> tuple[str, ...]:
        return self.payoffs


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_table_is_not_turned_by_half_a_seat(monkeypatch: pytest.MonkeyPatch, tier: str) -> None:
    """It was taken for no seat where no state of the sample showed it."""
    monkeypatch.setattr(spaces, "check_laws", lambda stages, states: None)
    with only(tier), pytest.raises(zermelo.RulesError, match=r"at Two\(a=29, b=0\): `turned` turns a table by a number of seats that is"):
        zermelo.solve(Askew())


class Steps(NamedTuple):
    """Some steps, each of which can happen in three ways."""

    n: int = 13
    ways: float = 0.3
    pays: float = 1

    def start(self) -> Two:
        return Two(0, 0)

    def outcomes(self, s: Two) -> Iterator[Any]:
        if s.a < self.n:
            for b in range(3):
                yield self.ways, self.pays, Two(s.a + 1, b)

    def stage(self, s: Two) -> int:
        return s.a

    def space(self, stage: int) -> Any:
        return None if stage > self.n else (range(stage, stage + 1), range(3))


def test_lengths_that_are_all_the_same_have_no_deviation(in_python: None) -> None:
    """The variance, a difference, was negative, and had no root."""
    length = zermelo.solve(Steps()).length
    assert length.standard_deviation == 0 and length.variance_low <= length.variance <= length.variance_high


@pytest.mark.parametrize(("ways", "pays"), [(1e-100, 1e-230), (1e-100, 1e-215), (1e-100, 5e-324), (1.0, 5e-324), (1e100, 1e-230)])
def test_underflow_is_bounded(ways: float, pays: float, in_python: None) -> None:
    """Payoffs times ways vanish, and are divided by the ways."""
    solution = zermelo.solve(Steps(2, ways, pays))
    low, high = solution.bounds["payoff"]
    assert Fraction(low) <= 2 * Fraction(pays) <= Fraction(high) and high < 1e-190 and solution.report.engine == "stages"


class Cancelling(NamedTuple):
    """Pays much, or costs as much; in the end it pays a little."""

    much: float = 1e20

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.x < 1:
            yield 1, self.much, At(1)
            yield 1, -self.much, At(1)

    def payoff(self, s: At) -> int:
        return 1000

    def stage(self, s: At) -> int:
        return s.x

    def space(self, stage: int) -> Any:
        return None if stage > 1 else (range(stage, stage + 1),)


def test_rounding_is_no_fault_of_the_rules(in_python: None) -> None:
    """Python added up in another order, and the rules were said to differ from themselves."""
    solution = zermelo.solve(Cancelling())
    assert solution.report.engine == "stages" and solution.low <= 1000 <= solution.high


class Seat(NamedTuple):
    step: int
    player: int


class Ring(NamedTuple):
    """A token goes round a table to the right, sometimes; where it is in the end, it is worth 1."""

    players: int = 140

    def payoffs(self) -> tuple[str, ...]:
        return self.seats()

    def seats(self) -> tuple[str, ...]:
        return tuple(f"seat {i}" for i in range(self.players))

    def start(self) -> Seat:
        return Seat(0, 0)

    def outcomes(self, s: Seat) -> Iterator[Any]:
        if s.step < 2:
            right = (s.player + self.players - 1) % self.players
            yield 1, (0,) * self.players, Seat(s.step + 1, s.player)
            yield 3, (0,) * self.players, Seat(s.step + 1, right)
            yield 4, (0,) * self.players, Seat(s.step, right)

    def payoff(self, s: Seat) -> tuple[int, ...]:
        return tuple(int(i == s.player) for i in range(self.players))

    def stage(self, s: Seat) -> int:
        return s.step

    def space(self, stage: int) -> Any:
        return None if stage > 2 else (range(stage, stage + 1), range(1))

    def turned(self, s: Seat) -> Any:
        return Seat(s.step, 0), s.player


def test_a_table_of_more_seats_than_a_byte_counts(in_python: None) -> None:
    found = zermelo.solve(Ring())
    few = zermelo.solve(Ring(40))
    for back in range(5):  # it hardly ever goes all the way round
        assert found.payoffs[f"seat {140 - back - 1}"] == pytest.approx(few.payoffs[f"seat {40 - back - 1}"], rel=1e-9)
    assert found.distribution().mean == pytest.approx(4)


class Far(NamedTuple):
    """A few steps, with numbers near the ends of 64 bits."""

    base: int

    def start(self) -> At:
        return At(self.base)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.x < self.base + 3:
            yield 1, 1, At(s.x + 1)

    def stage(self, s: At) -> int:
        return s.x - self.base

    def space(self, stage: int) -> Any:
        return None if stage > 3 else (range(self.base + stage, self.base + stage + 1),)


@pytest.mark.parametrize("base", [2**62 - 2, 2**63 - 5, -(2**62) - 2, 1 - 2**63])
def test_numbers_of_all_sizes_are_states_in_python_too(base: int, in_python: None) -> None:
    """Interpreted rules were said to leave the space from 2^62 on."""
    solution = zermelo.solve(Far(base))
    assert solution.report.engine == "stages" and solution.probe(At(base + 1)).value == 2


def test_the_length_is_told_in_moves_whatever_the_payoffs_are_called(in_python):
    solution = zermelo.solve(passing_coins(2, 1))
    length = dict(summary(solution))["length"]
    mean, spread = solution.length.mean, solution.length.standard_deviation
    assert length == f"{mean:.6g} moves on average, standard deviation {spread:.6g}"


def test_what_is_compiled_ahead_is_what_sweeps_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the numbers of payoffs of the game; where Python would sweep for long."""
    told: list[Any] = []
    called: set[Any] = set()
    call, needed = Kernel.__call__, (sweep, krylov_step, residuals)
    game = Dreidel(3, 3)

    def noted(kernel: Kernel, *arguments: Any) -> Any:
        if kernel in needed:
            called.add((kernel, machine_code.kinds(kernel.compiled, arguments)))
        return call(kernel, *arguments)

    monkeypatch.setattr(ahead, "begin_with", told.extend)
    monkeypatch.setattr(sweep, "foresee", lambda seconds, arguments: True)
    zermelo.solve(game)
    assert not told
    monkeypatch.setattr(Kernel, "__call__", noted)
    for module, name, value in ((solving, "A_VALUE", 1.0), (solving, "MANY", 0), (solving, "FEW", 0), (sweeping, "MOST_SWEEPS", 0)):
        monkeypatch.setattr(module, name, value)
    with only("interpreted"):
        zermelo.solve(game)
    known = {(kernel, machine_code.kinds(kernel.compiled, given)) for kernel, given in told}
    assert known < called and [kernel for kernel, _ in called - known] == [krylov_step] and len(known) == len(told) == 4
