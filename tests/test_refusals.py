"""What is said where a game has no answer, or none that doubles can certify: true, in one line, and with what can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.cli import main
from zermelo.engines import faults
from zermelo.engines.exploring import search
from zermelo.errors import NoValue, OutOfReach, RulesError
from zermelo.language.checking import runner
from zermelo.language.rules import Rules


class At(NamedTuple):
    place: int
    turn: int = 0


class Escape(NamedTuple):
    """Two take turns; each may wait (if `waiting`) or try to escape, which succeeds once in `n` times and is worth `prize`. Player 1 pays
    `toll` for a try that fails, and so does player 0."""

    n: int = 10**15
    prize: int = 1
    toll: int = 0
    waiting: bool = False

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield 0
            if self.waiting:
                yield 1

    def player(self, s: At) -> int:
        return s.turn

    def outcomes(self, s: At, waits: int) -> Iterator[Any]:
        if waits == 0:
            yield 1, 0, At(1, s.turn)
        yield self.n - 1, self.toll * (2 * s.turn - 1), At(0, 1 - s.turn)

    def payoff(self, s: At) -> int:
        return self.prize


class Climb(NamedTuple):
    """A ladder from which one falls to its foot 9 times in 10; a payoff of 1 for each step: (10^top - 1) / 9 * 10 in all."""

    top: int = 20

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.place < self.top:
            yield 1, 1, At(s.place + 1)
            yield 9, 1, At(0)


class Wage(NamedTuple):
    """One player who works for a wage, or goes home."""

    wage: int = 1

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield 0
            yield 1

    def outcomes(self, s: At, works: int) -> Iterator[Any]:
        yield 1, works * self.wage, At(1 - works)


class Wages(Wage):
    """The same with two payoffs."""

    payoffs = ("gold", "days")

    def outcomes(self, s: At, works: int) -> Iterator[Any]:
        yield 1, (works * self.wage, works), At(1 - works)

    def payoff(self, s: At) -> tuple[int, int]:
        return 0, 0


class Staged(NamedTuple):
    """Chance alone, in stages; a stage is left once in `n` times."""

    n: int = 10**15

    def start(self) -> At:
        return At(2)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.place > 0:
            yield 1, 1, At(s.place - 1)
            yield self.n - 1, 0, s

    def stage(self, s: At) -> int:
        return 2 - s.place

    def space(self, stage: int) -> Any:
        return None if stage > 2 else (range(2 - stage, 3 - stage), range(1))


@pytest.mark.parametrize("game", [Escape(toll=1), Climb()])
def test_play_that_surely_ends_has_a_value_that_doubles_may_not_certify(game: Any) -> None:
    with pytest.raises(OutOfReach, match="has a value, since play ends here with probability 1.* exact=True solves it in rationals"):
        zermelo.solve(game)


def test_where_doubles_fail_rationals_do_not() -> None:
    assert zermelo.solve(Climb(), exact=True).value == 10 * (10**20 - 1) // 9
    n, q = 10**15, Fraction(1, 10**15)  # v = q + (1 - q) (w - 1), w = q + (1 - q) (v + 1)
    found = zermelo.solve(Escape(n, toll=1), exact=True)
    assert found.value == (q - (1 - q) + (1 - q) * (q + (1 - q))) / (1 - (1 - q) ** 2)


def test_play_that_may_cycle_is_told_apart() -> None:
    told = "may have a value.* play can cycle here forever.* exact=True proves one where it can.* discount=0.99"
    with pytest.raises(OutOfReach, match=told):
        zermelo.solve(Escape(toll=1, waiting=True))
    solution = zermelo.solve(Escape(toll=1, waiting=True), discount=0.99)
    assert solution.high - solution.low < 1e-9


@pytest.mark.parametrize("n", [10**9, 10**15])
@pytest.mark.parametrize("exact", [False, True])
def test_rare_escapes_are_solved(n: int, exact: bool) -> None:
    for waiting in (False, True):
        for prize in (0, 1):
            solution = zermelo.solve(Escape(n, prize, 0, waiting), exact=exact)
            assert solution.low <= prize <= solution.high and solution.high - solution.low < 1e-6


@pytest.mark.parametrize("game", [Wage(), Wages()])
def test_payoffs_without_end_are_told_with_the_discount_that_helps(game: Any) -> None:
    with pytest.raises(NoValue, match="adds up without end while play cycles.*discount=0.99") as error:
        zermelo.solve(game)
    assert "payoff 0" not in str(error.value) and "\n" not in str(error.value)
    assert ("`gold`" in str(error.value)) == (game.__class__ is Wages)
    assert zermelo.solve(game, discount=0.99).value == pytest.approx(100)


class Swing(NamedTuple):
    """Win 1 and lose it again forever, or leave for -5."""

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if action == 0:
            yield 1, 1 if s.place == 0 else -1, At(1 - s.place)
        else:
            yield 1, 0, At(2)

    def payoff(self, s: At) -> int:
        return -5


class AsGood(Swing):
    """To leave is worth what swinging is on average, and possible from the start only."""

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield 0
        if s.place == 0:
            yield 1

    def payoff(self, s: At) -> float:
        return 0.5


class Ring(NamedTuple):
    """Paid a, then b, forever."""

    a: int
    b: int
    passes: bool = False

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        yield 1, self.a if s.place == 0 else self.b, At(1 - s.place), -1 if self.passes else 1


class Tollgate(NamedTuple):
    """Player 0 may collect `toll` forever unless player 1 has to `leave`."""

    toll: int = 1
    leave: bool = False

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return s.place

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0 or (s.place == 1 and not self.leave):
            yield 0
        if s.place == 0 or (s.place == 1 and self.leave):
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[Any]:
        if s.place == 0:
            yield 1, self.toll * action, At(1)
        else:
            yield 1, 0, At(2 * action)


class AtOnce(NamedTuple):
    """`pay` forever, and 1 more if both choose the same."""

    pay: int

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        yield 0
        yield 1

    def other_actions(self, s: At) -> Iterator[int]:
        yield 0
        yield 1

    def outcomes(self, s: At, action: int, other: int) -> Iterator[Any]:
        yield 1, self.pay + (1 if action == other else 0), At(0)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", [Ring(1, 0), Ring(-2, 1), Ring(1, -1, True), Tollgate(), AtOnce(0), AtOnce(-1)], ids=str)
def test_no_value_is_said_where_somebody_is_paid_without_end(game: Any, exact: bool) -> None:
    with pytest.raises(NoValue, match=f"{type(game).__name__} has no value: .* adds up without end.*States: At") as refused:
        zermelo.solve(game, exact=exact)
    assert re.search(r"\. A cycle that pays -?[12]: (At\(.*?\))( -> At\(.*?\))* -> \1$", str(refused.value)), refused.value


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", [Ring(1, -1), Ring(2, -2), Ring(1, 1, True)], ids=str)
def test_what_swings_for_ever_may_have_a_value(game: Any, exact: bool) -> None:
    """The truth is the average of the running total: 1/2, 1, 1/2."""
    with pytest.raises(OutOfReach, match="may have a value, but none can be certified"):
        zermelo.solve(game, exact=exact)


class Pennies(NamedTuple):
    """Played for ever: who both play at random are paid nothing on average, and yet the total never comes to rest."""

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Any:
        yield 0
        yield 1

    other_actions = actions

    def outcomes(self, s: At, action: int, other: int) -> Any:
        yield 1, 1 if action == other else -1, At(1 - s.place if action else s.place)


def test_where_both_choose_at_once_a_limit_of_moves_helps_as_well() -> None:
    told = "may have a value.*discount=0.99, there is one, and so there is if a number of the state counts the moves that are left"
    with pytest.raises(OutOfReach, match=told):
        zermelo.solve(Pennies())


def test_what_is_collected_is_finite_if_the_opponent_can_leave() -> None:
    assert zermelo.solve(Tollgate(leave=True)).value == 1
    assert zermelo.solve(Tollgate(-1)).value == 0


def test_what_swings_is_not_sent_from_floats_to_rationals_and_back() -> None:
    """Each said "use the other"."""
    with pytest.raises(OutOfReach, match="or goes up and down forever; with a discount, such as discount=0.99, there is one") as floats:
        zermelo.solve(Swing())
    with pytest.raises(zermelo.OutOfReach, match="never settle; let play end there sooner or later, or give a discount") as exact:
        zermelo.solve(Swing(), exact=True)
    assert "exact=True" not in str(floats.value) + str(exact.value)
    assert 0 < zermelo.solve(Swing(), discount=0.99).value < 1 and zermelo.solve(Swing(), discount=0.5, exact=True).value > 0


def test_what_only_floats_can_certify_is_sent_to_floats() -> None:
    """It was to be given an end or a discount."""
    refused = r"never settle; leave out exact=True for a certified interval\. States: At\(place=1, turn=0\)"
    with pytest.raises(zermelo.OutOfReach, match=refused):
        zermelo.solve(AsGood(), exact=True)
    assert zermelo.solve(AsGood()).high - 0.5 < 1e-14


def test_the_command_line_names_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", f"{__file__}:Wage"]) == 2
    assert "--discount 0.99" in capsys.readouterr().err
    assert main(["solve", f"{__file__}:Climb"]) == 2
    assert "--exact solves it" in capsys.readouterr().err


def test_stages_that_are_hardly_ever_left_are_put_to_the_general_engine() -> None:
    solution = zermelo.solve(Staged(10**6))
    assert solution.report.engine == "stages" and solution.value == pytest.approx(2)
    solution = zermelo.solve(Staged(10**12))
    assert solution.report.engine == "explored" and solution.low <= 2 <= solution.high
    assert any("hardly ever leaves" in note for note in solution.report.notes)


class Hanging(NamedTuple):
    """A loop that never ends, and yields nothing, in the rule `where`."""

    where: str = "outcomes"

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        while self.where == "actions" and s.place == 2:
            pass
        yield 0

    def outcomes(self, s: At, action: int) -> Iterator[Any]:
        try:
            while self.where == "outcomes" and s.place != 1:
                pass
        except Exception:  # hides nothing from the checker
            pass
        yield 1, 0, At(min(s.place + 1, 3))

    def show(self, s: At) -> str:
        while self.where == "show":
            pass
        return "here"


@pytest.mark.parametrize("where", ["actions", "outcomes", "show"])
def test_a_rule_that_never_ends_is_told_with_its_line_and_state(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "LONGEST", 0.2)
    said = rf"`{where}` was still running after 0.2 seconds of the processor at At\(place=[02], turn=0\)"
    with pytest.raises(RulesError, match=said) as error:
        zermelo.plan(Hanging(where))
    assert "does a loop never end? (test_refusals.py line" in str(error.value)


class Walk(NamedTuple):
    """Up and down until -5 is reached, or `top`."""

    top: int = 2**62
    weights: tuple[float, float] = (0.5, 0.5)

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        if -5 < s.place < self.top:
            yield self.weights[0], 0, At(s.place + 1, s.turn)
            yield self.weights[1], 0, At(s.place - 1, 1 - s.turn)

    def payoff(self, s: At) -> int:
        return 1


def test_a_number_that_grows_without_end_is_named_early(monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    monkeypatch.setattr(search, "BUDGET", 500)
    with pytest.raises(OutOfReach, match=r"`place`, which has come to [\d,]+, seems to go on without end.* or give max_states=") as error:
        zermelo.examine(Walk())
    states = int(str(error.value).split("more than ")[1].split(" ")[0].replace(",", ""))
    assert states < 5_000
    assert zermelo.examine(Walk(2_000)).states > 4_000  # a large game that does end


class Scores(NamedTuple):
    """Two scores, of which either grows by one or two each round; at most so many rounds."""

    rounds: int = 2**62
    bad: int = 2**62  # the round in which a rule fails

    class State(NamedTuple):
        round: int
        mine: int
        other: int

    def start(self) -> State:
        return self.State(0, 0, 0)

    def outcomes(self, s: State) -> Iterator[Any]:
        if s.round < self.rounds:
            yield 1, 0 // (s.round - self.bad), s._replace(round=s.round + 1, mine=s.mine + 2)
            yield 1, 0, s._replace(round=s.round + 1, other=s.other - 1)
            yield 1, 0, s._replace(round=s.round + 1)

    def payoff(self, s: State) -> int:
        return 1


NOW = [0.0]  # seconds


class SlowWalk(Walk):
    def outcomes(self, s: At) -> Iterator[Any]:
        NOW[0] += 0.01
        yield from Walk.outcomes(self, s)


def test_slow_rules_are_not_followed_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "LONGEST_FOLLOWED", 0.05)
    monkeypatch.setattr(faults, "time", SimpleNamespace(monotonic=lambda: NOW[0]))
    begun = NOW[0]
    assert not faults.goes_on(Rules(SlowWalk()), At(3), 0, 1)  # a few steps say nothing
    assert NOW[0] - begun < 0.1
    monkeypatch.setattr(faults, "FEW_FOLLOWED", 3)
    assert faults.goes_on(Rules(SlowWalk()), At(3), 0, 1)


class Owing(NamedTuple):
    score: int
    debt: int = 0
    is_over: bool = False


class Borrowing(NamedTuple):
    """Only the score is settled: the debt grows without end, and most where the score is high enough to stop."""

    most: int = 0  # of the debt, if there is a limit

    def start(self) -> Owing:
        return Owing(0)

    def actions(self, s: Owing) -> Iterator[int]:
        if not s.is_over:
            yield 0
            if not self.most or s.debt > -self.most:
                yield 1

    def settled(self, s: Owing) -> bool:
        return s.score >= 10

    def payoff(self, s: Owing) -> int:
        return s.score

    def outcomes(self, s: Owing, a: int) -> Iterator[Any]:
        if a == 0:
            yield 1, 0, Owing(s.score, 0, True)
        else:
            yield 1, 0, Owing(s.score + 1, s.debt - 1)
            yield 1, 0, Owing(s.score, s.debt - 1)


def test_a_number_that_grows_most_in_settled_states_is_named_early(monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    monkeypatch.setattr(search, "BUDGET", 1000)
    monkeypatch.setattr(search, "WIDE", 50)
    with pytest.raises(OutOfReach, match=r"`debt`, which has come to -[\d,]+, seems to go on without end"):
        zermelo.solve(Borrowing())
    assert zermelo.examine(Borrowing(500)).states > 5000  # a large game that does end


def test_several_numbers_that_grow_without_end_are_named_early(monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    monkeypatch.setattr(search, "BUDGET", 500)
    monkeypatch.setattr(search, "VARIED", 20)  # so that they are looked at in the game that ends, too
    with pytest.raises(OutOfReach, match=r"which has come to [-\d,]+, seems to go on without end"):
        zermelo.examine(Scores())
    monkeypatch.setattr(search, "WIDE", 10)
    assert zermelo.examine(Scores(23)).states == 24 * 25 * 26 // 6  # they grow for long, and play ends
    with pytest.raises(RulesError, match=r"ZeroDivisionError.* at State\(round=20,"):
        zermelo.examine(Scores(23, 20))


def test_probabilities_that_do_not_sum_to_1_are_told() -> None:
    found = zermelo.plan(Walk(10, (0.5, 0.4)))
    assert any("sum to 0.9" in note and "(test_refusals.py line" in note for note in found.notes)
    assert any("sum to 0.9" in note for note in zermelo.solve(Walk(10, (0.5, 0.4))).report.notes)
    for weights in ((0.5, 0.5), (1.5, 0.4), (3.0, 2.0), (0.1 + 0.2, 0.7)):
        assert not any("sum to" in note for note in zermelo.plan(Walk(10, weights)).notes)


class Heap(NamedTuple):
    """Take one or two in turn; the sign of the outcomes may be forgotten."""

    sign: int = -1

    def start(self) -> At:
        return At(5)

    def actions(self, s: At) -> Iterator[int]:
        for n in range(1, 3):
            if n <= s.place:
                yield n

    def outcomes(self, s: At, n: int) -> Iterator[Any]:
        yield 1, 0, At(s.place - n), self.sign

    def payoff(self, s: At) -> int:
        return -1


def test_what_a_game_looks_like_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert str(zermelo.plan(Heap()).seen) == "two players, no chance, play never returns to a state, 6 states"
    assert str(zermelo.plan(Heap(1)).seen).startswith("one player, no chance")
    assert str(zermelo.plan(Wage()).seen) == "one player, no chance, play can return to a state, 2 states"
    seen = zermelo.plan(Walk()).seen
    assert seen is not None and (seen.players, seen.has_chance, seen.returns, seen.is_all) == (0, True, True, False)
    assert main(["check", f"{__file__}:Heap", "--sign", "1"]) == 0
    assert "seen: one player" in capsys.readouterr().out
