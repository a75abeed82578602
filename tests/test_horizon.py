"""Games that end after a number of moves, whose states are stored once for all numbers of moves left (engines/horizon/)."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from limits import FEW_STORED, MOST_BRIDGED, WORD_BITS, lowered
from zermelo.basics.threads import threads
from zermelo.cli import main
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.horizon.solving import solve_horizon
from zermelo.engines.horizon.sweeping import kept_layers
from zermelo.kernels.kernel import only
from zermelo.language.countdown import countdown, why_not_counted
from zermelo.language.passthrough import passthrough_fields
from zermelo.language.rules import Rules
from zermelo.solution import solution_of


class At(NamedTuple):
    place: int
    left: int


class Wander(NamedTuple):
    """A random game: what can happen at some places, for a number of moves. It is drawn by the rules, from numbers only, so that they are
    compiled once for all such games."""

    seed: int
    places: int
    most: int  # that is paid at once
    moves: int

    def drawn(self, what: int, place: int, number: int, below: int) -> int:
        """One of the numbers from 0 on, for a place and another number."""
        x = ((((self.seed * 131 + what) * 131 + place) * 131 + number) * 1103515245 + 12345) % 2147483648
        x = (x // 4096 * 1103515245 + 12345) % 2147483648
        return (x // 65536) % below

    def start(self) -> At:
        return At(0, self.moves)

    def over(self, s: At) -> bool:
        return s.left <= 0 or (s.place > 0 and self.drawn(1, s.place, 0, 10) < 3)

    def player(self, s: At) -> int:
        return 1 if self.drawn(2, s.place, 0, 3) == 0 else 0

    def actions(self, s: At) -> Iterator[int]:
        if not self.over(s):
            for action in range(1 + self.drawn(3, s.place, 0, 3)):  # noqa: UP028
                yield action

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        for k in range(1 + self.drawn(4, s.place, action, 3)):
            number = 3 * action + k
            ways = (1, 1, 2, 3, 7)[self.drawn(5, s.place, number, 5)]
            paid = self.drawn(6, s.place, number, 2 * self.most + 1) - self.most
            yield ways, paid, s._replace(place=self.drawn(7, s.place, number, self.places), left=s.left - 1)

    def payoff(self, s: At) -> int:
        return self.drawn(8, s.place, 0, 7) - 3


def random_game(seed: int) -> Wander:
    dice = random.Random(seed)
    return Wander(seed, dice.randint(2, 7), dice.choice([0, 1, 5]), dice.randint(1, 12))


def by_recursion(game: Any) -> Any:
    """The value of a state, and for each action, by recursion in fractions."""
    rules = Rules(game)

    @cache
    def value(state: Any) -> Fraction:
        actions = rules.actions(state)
        if not actions:
            return Fraction(str(rules.payoff(state)[0]))
        best = min if rules.player(state) else max
        return Fraction(best(worth(state, action) for action in actions))

    def worth(state: Any, action: Any) -> Fraction:
        found = rules.outcomes(state, action)
        total = sum(Fraction(str(o.ways)) for o in found)
        return sum((Fraction(str(o.ways)) * (Fraction(str(o.payoff[0])) + o.sign * value(o.state)) for o in found), Fraction(0)) / total

    return value


@pytest.mark.parametrize("seed", range(25))
def test_random_games_have_the_values_that_recursion_finds(seed: int) -> None:
    game = random_game(seed)
    value, start = by_recursion(game), game.start()
    exact = solve_horizon(Request(game, exact=True))
    assert exact.known(start).values == (value(start),) and exact.is_exact
    answers = solve_horizon(Request(game))
    for state in zermelo.solve(game).space:
        low, high = answers.known(state).interval()
        assert low <= value(state) <= high
        assert high - low < 1e-11
    for action in Rules(game).actions(start):
        for after in Rules(game).outcomes(start, action):
            assert exact.known(after.state).values == (value(after.state),)


class Tenths(NamedTuple):
    """Play that costs tenths, now or at the end."""

    moves: int = 7

    def start(self) -> At:
        return At(0, self.moves)

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0 and s.place < 3:
            yield 1
            yield 2

    def outcomes(self, s: At, action: int) -> Iterator[tuple[float, float, At]]:
        yield 0.1, -0.7, s._replace(place=action, left=s.left - 1)
        yield 0.3, 0, s._replace(place=0, left=s.left - 1)
        yield 0.1 * 0, 0.1, s._replace(place=3, left=s.left - 1)
        yield 0.2, 0, s._replace(place=3, left=s.left - 1)

    def payoff(self, s: At) -> float:
        return 0.1 if s.left > 0 else -0.004


def test_beside_exact_values_decimals_are_meant_as_written(in_python: None) -> None:
    """The interval of a state with no move left was the float itself, which is not the decimal."""
    game = Tenths()
    value, exact = by_recursion(game), solve_horizon(Request(game, exact=True))
    for state in zermelo.solve(game).space:
        low, high = exact.known(state).interval()
        assert Fraction(low) <= value(state) <= Fraction(high) and high - low < 1e-12
    assert solve_horizon(Request(game)).known(At(1, 0)).errors == (0.0,)  # elsewhere a float is what it is
    whole = solve_horizon(Request(Wander(3, 4, 5, 6), exact=True))
    assert whole.layer(0).error == 0.0


class Detour(NamedTuple):
    """Both actions are paid alike on average. One of them is a detour, and nobody plays for those."""

    moves: int = 3
    payoffs = ("pay", "detours")

    def start(self) -> At:
        return At(0, self.moves)

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, tuple[float, int], At]]:
        if action == 0:
            yield 1, (0.1, 0), s._replace(left=s.left - 1)
        else:
            yield 1, (0.8, 1), s._replace(left=s.left - 1)
            yield 1, (-0.6, 1), s._replace(left=s.left - 1)


def test_of_equally_good_actions_the_best_is_that_on_which_the_other_payoffs_rest() -> None:
    with only("interpreted"):
        solution = solution_of(solve_horizon(Request(Detour())))
        counted = sum(solution.best_action(At(0, left)) for left in (1, 2, 3))  # rounding decides
        assert solution.payoffs["detours"] == counted == solution.simulate(5).totals["detours"].mean
        assert solution.probe(At(0, 3)).action == solution.best_action(At(0, 3)) == 1


def test_solutions_name_the_engine_and_keep_nothing_else() -> None:
    game = random_game(13)
    with lowered(FEW_STORED, -1), lowered(MOST_BRIDGED, 0):
        solution, exact = zermelo.solve(game), zermelo.solve(game, exact=True)
        assert solution.report.engine == exact.report.engine == "horizon"
        assert [name for name, _ in solution.report.tried][-1] == "explored" and not any("gave up" in n for n in solution.report.notes)
        assert exact.certificate.kind == "proof" and solution.certificate.kind == "bound"
        assert solution.low <= exact.value <= solution.high
        assert exact.best_action(game.start()) == zermelo.solve(game, exact=True, max_states=10_000).best_action(game.start())
        with pytest.raises(zermelo.OutOfReach, match="not kept for every number of moves left: solve it with max_states=") as refused:
            solution.length  # noqa: B018
        most = int(str(refused.value).partition("max_states=")[2].split(",")[0])
        assert zermelo.solve(game, max_states=most).simulate(10).plays == 10
        later = next(o.state for a in Rules(game).actions(game.start()) for o in Rules(game).outcomes(game.start(), a))
        deeper = next(o.state for a in Rules(game).actions(later) for o in Rules(game).outcomes(later, a))
        assert exact.probe(later).low == exact.probe(later).high == by_recursion(game)(later)
        assert exact.probe(deeper).low < by_recursion(game)(deeper) < exact.probe(deeper).high
        assert any("those of the others are certified intervals" in note for note in exact.report.notes)
    assert zermelo.solve(game).report.engine == "explored"
    assert any("the engine horizon is asked" in note for note in zermelo.plan(game).notes)


def test_states_that_can_not_be_reached_are_refused() -> None:
    answers = solve_horizon(Request(random_game(1)))
    start = answers.rules.start
    for state in (start._replace(left=start.left + 1), start._replace(place=99), start._replace(left=-1)):
        with pytest.raises(zermelo.UnreachableState):
            answers.known(state)
    with pytest.raises(zermelo.ParameterError):
        answers.known("here")


@pytest.mark.parametrize("number", [1, 2, 3, 8])
def test_the_number_of_threads_changes_no_bit(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.engines.horizon.sweeping.LEAST", 1)
    monkeypatch.setattr("zermelo.engines.horizon.exact.LEAST", 1)
    game, before = random_game(6), threads()
    one = solve_horizon(Request(game))
    try:
        threads(number)
        again, exact = solve_horizon(Request(game)), solve_horizon(Request(game, exact=True))
    finally:
        threads(before)
    assert exact.known(game.start()).values == (by_recursion(game)(game.start()),)
    for a, b in zip(one.kept, again.kept, strict=True):
        assert a.left == b.left and a.value.tobytes() == b.value.tobytes() and a.error.tobytes() == b.error.tobytes()


def test_a_discount_and_both_tiers() -> None:
    game = random_game(13)
    wanted = zermelo.solve(game, discount=0.9, max_states=1000)
    answers = solve_horizon(Request(game, discount=0.9))
    assert answers.known(game.start()).values[0] == pytest.approx(float(wanted.value), abs=1e-13)
    with pytest.raises(GivesUp, match="without a discount"):
        solve_horizon(Request(game, discount=0.9, exact=True))
    with only("interpreted"):
        slowly = solve_horizon(Request(game))
    for a, b in zip(slowly.kept, solve_horizon(Request(game)).kept, strict=True):
        assert a.value.tobytes() == b.value.tobytes() and a.error.tobytes() == b.error.tobytes()


# --- walks of long numbers ---------------------------------------------------------------------------------------------------


class Walk(NamedTuple):
    """To the right or to the left, without end, for a number of moves; it pays to be far away."""

    moves: int = 300
    ways: float = 0.3

    def start(self) -> At:
        return At(0, self.moves)

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0:
            yield 1
            yield -1

    def outcomes(self, s: At, step: int) -> Iterator[tuple[float, float, At]]:
        yield self.ways, -0.5, At(place=s.place + step, left=s.left - 1)
        yield 1 - 0.3, 0, s._replace(place=s.place - step, left=s.left - 1)

    def payoff(self, s: At) -> int:
        return abs(s.place)


def test_a_walk_without_end_is_explored_as_far_as_its_moves_go(in_python: None) -> None:
    game = Walk(120)
    value, start = by_recursion(game), game.start()
    answers, exact = solve_horizon(Request(game)), solve_horizon(Request(game, exact=True))
    assert len(answers.keys) == 241
    assert exact.known(start).values == (value(start),)
    assert exact.known(start).values[0].denominator.bit_length() > 200
    low, high = answers.known(start).interval()
    assert low <= value(start) <= high
    near = At(4, 50)
    assert answers.known(near).interval()[0] <= value(near) <= answers.known(near).interval()[1]


def test_keys_of_several_words() -> None:
    with lowered(WORD_BITS, 5):
        exact = solve_horizon(Request(Walk(30), exact=True))
        assert exact.layout.num_words > 1
        assert exact.known(exact.rules.start).values == (by_recursion(Walk(30))(At(0, 30)),)


def test_the_layers_that_are_kept() -> None:
    assert kept_layers(1) == [0, 1]
    assert kept_layers(10) == [0, 3, 6, 9, 10]
    assert len(kept_layers(1_000_000)) == 1_001


# --- plays -------------------------------------------------------------------------------------------------------------------


class Plain(NamedTuple):
    moves: int = 5

    def start(self) -> At:
        return At(0, self.moves)

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0:
            yield 0

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 0, At(s.place + 1, s.left - 1)

    def payoff(self, s: At) -> int:
        return s.place


class Passing(Plain):
    """Whoever moves is paid, and may hand the move over."""

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At, int]]:
        yield 1, action, At(s.place, s.left - 1), -1  # PASS
        yield 2, 1, At(s.place + 1, s.left - 1), 1


@pytest.mark.parametrize("game", [random_game(6), random_game(13), random_game(9), Walk(30), Passing(9)])
def test_plays_are_paid_what_the_solution_expects(game: Any) -> None:
    expected = float(by_recursion(game)(game.start()))
    with lowered(FEW_STORED, -1), lowered(MOST_BRIDGED, 0):
        with only("interpreted"):
            solution = zermelo.solve(game)
        assert solution.report.engine == "horizon"
        played = solution.simulate(20_000, seed=7)
        assert played.totals["payoff"].value == pytest.approx(expected, abs=1e-12)
        assert abs(played.z) < 4
        assert max(played.lengths) <= game.start().left and sum(played.lengths.values()) == 20_000
        assert solution.simulate(20_000, seed=7).mean == played.mean
        assert solution.simulate(20_000, seed=8).lengths != played.lengths or len(played.lengths) == 1


def test_plays_that_are_refused() -> None:
    game = Walk(9)
    with lowered(FEW_STORED, -1), lowered(MOST_BRIDGED, 0):
        assert set(zermelo.solve(game).simulate(100).lengths) == {9}
        assert zermelo.solve(game, exact=True).simulate(100).mean == zermelo.solve(game).simulate(100).mean
        with pytest.raises(zermelo.ParameterError, match="its plays make their moves together"):
            zermelo.solve(game).simulate(100, cluster="local")
        with pytest.raises(zermelo.OutOfReach, match="playing a policy of your own needs all"):
            zermelo.solve(game).simulate(100, policy=lambda s: 1)


# --- files -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exact", [False, True])
def test_files(tmp_path: Path, exact: bool) -> None:
    game = Walk(40)
    with lowered(FEW_STORED, -1), lowered(MOST_BRIDGED, 0):
        solution = zermelo.solve(game, exact=exact)
        solution.save(tmp_path / "walk.npz")
        opened = zermelo.open(tmp_path / "walk.npz", game)
        assert (opened.value, opened.low, opened.high, opened.is_exact) == (solution.value, solution.low, solution.high, exact)
        assert opened.report.engine == "horizon" and opened.report.summary == solution.report.summary
        near = At(5, 17)
        assert opened.probe(near) == solution.probe(near)
        assert opened.best_action(game.start()) == solution.best_action(game.start())


# --- what counts the moves left ----------------------------------------------------------------------------------------------


class LooksAtIt(Plain):
    def payoff(self, s: At) -> int:
        return s.place + s.left


class ComparesIt(Plain):
    def payoff(self, s: At) -> int:
        return s.place if s.left < 3 else 0


class CopiesItElsewhere(Plain):
    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 0, At(s.left - 1, s.left - 1)


class LowersItByTwo(Plain):
    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 0, At(s.place + 1, s.left - 2)


class UnpacksIt(Plain):
    def payoff(self, s: At) -> int:
        place, left = s
        return place + left


class WithSymmetries(Plain):
    def symmetries(self, s: At) -> Iterator[At]:
        yield s


@pytest.mark.parametrize("game", [Plain(), Walk(), random_game(0)])
def test_a_field_counts_the_moves_left(game: Any) -> None:
    assert countdown(Rules(game)) == "left" and why_not_counted(Rules(game)) is None


ORDER = [2, 0, 1]


class AsksAList(Plain):
    def payoff(self, s: At) -> int:
        return ORDER.index(s.place % 3)


def test_a_method_of_a_list() -> None:
    """`plan`, and what `zermelo check` says, ended in a traceback: a list can't be looked up among functions."""
    assert countdown(Rules(AsksAList())) == "left" and passthrough_fields(Rules(AsksAList())) == ()


@pytest.mark.parametrize("kind", [LooksAtIt, ComparesIt, CopiesItElsewhere, LowersItByTwo, UnpacksIt, WithSymmetries])
def test_no_field_counts_the_moves_left(kind: Any) -> None:
    assert why_not_counted(Rules(kind()))
    with lowered(FEW_STORED, -1):
        assert zermelo.solve(kind()).report.engine == "explored"


class Sometimes(Plain):
    """Waiting at place 3 takes no time."""

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 3:
            yield 1, 0, s._replace(place=4)
        else:
            yield 1, 0, s._replace(place=s.place + 1, left=s.left - 1)


class Twice(Plain):
    """The last move may be made twice: play goes on with no move left."""

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0 or s.place < 6:
            yield 0

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.left > 0:
            yield 1, 0, s._replace(place=s.place + 1, left=s.left - 1)
        else:
            yield 1, 0, s._replace(place=s.place + 1)


class RaisesAtTheEnd(Plain):
    def payoff(self, s: At) -> int:
        if s.place < 5:
            raise ValueError("play was too short")
        return s.place


@pytest.mark.parametrize(
    ("kind", "why"),
    [(Sometimes, "a move leaves `left` as it is"), (Twice, "play may go on where `left` is 0"), (RaisesAtTheEnd, "a rule can't be asked")],
)
def test_games_that_are_given_up_have_the_general_engine(kind: Any, why: str) -> None:
    with only("interpreted"), pytest.raises(GivesUp, match=why):
        solve_horizon(Request(kind()))
    with lowered(FEW_STORED, -1), nullcontext() if kind is RaisesAtTheEnd else only("interpreted"):
        solution = zermelo.solve(kind())
    assert solution.report.engine == "explored" and any(why in note for note in solution.report.notes)
    assert solution.value == zermelo.solve(kind()).value


class LongPay(Plain):
    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 2**45, At(s.place + 1, s.left - 1)


class SeveralPayoffs(Plain):
    payoffs = ("points", "steps")

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, Any, At]]:
        yield 1, (0, 1), At(s.place + 1, s.left - 1)

    def payoff(self, s: At) -> Any:
        return s.place, 0


def test_exact_values_that_only_the_general_engine_finds(in_python: None) -> None:
    for kind, why in ((LongPay, "of more than 30 bits"), (SeveralPayoffs, "one payoff and without PASS")):
        with pytest.raises(GivesUp, match=why):
            solve_horizon(Request(kind(), exact=True))
        with lowered(FEW_STORED, -1):
            assert zermelo.solve(kind(), exact=True).value == (5 + 5 * 2**45 if kind is LongPay else 5)
    answers = solve_horizon(Request(SeveralPayoffs()))
    assert answers.known(answers.rules.start).values == (5.0, 5.0)
    assert np.all(answers.kept[-1].error < 1e-12)


# --- models ------------------------------------------------------------------------------------------------------------------

MODEL = """mdp
const int k;
module walk
  x : [0..40] init 20;
  [up] x>0 & x<40 -> 0.4 : (x'=x-1) + 0.6 : (x'=x+1);
  [stay] x>0 & x<40 -> 0.5 : (x'=x) + 0.5 : (x'=x+2>40 ? 40 : x+2);
endmodule
rewards "r" [up] true : 2; x=21 : 1; endrewards
"""


@pytest.mark.parametrize(
    ("asked", "tier"),
    [
        ("Pmax=? [ F<=k x=40 ]", None),
        ('R{"r"}min=? [ C<=k ]', "in_python"),
        ('R{"r"}max=? [ I=k ]', "in_python"),
        ("Pmin=? [ G<=k x<40 ]", "in_python"),
    ],
)
def test_bounds_on_steps_of_models(tmp_path: Path, asked: str, tier: str | None, request: pytest.FixtureRequest) -> None:
    if tier:
        request.getfixturevalue(tier)
    (tmp_path / "walk.prism").write_text(MODEL)
    word = f"{tmp_path}/walk.prism:{asked}"
    wanted = zermelo.solve(word, k=30, exact=True)
    assert wanted.report.engine == "explored"
    with lowered(FEW_STORED, -1):
        exact, floats = zermelo.solve(word, k=30, exact=True), zermelo.solve(word, k=30)
    assert exact.report.engine == floats.report.engine == "horizon"
    assert exact.value == wanted.value and floats.low <= wanted.value <= floats.high
    assert str(exact.property) == str(wanted.property)


def test_few_states_are_stored_all_the_same() -> None:
    """The general engine has it asked whether the moves left are counted when an eighth of as many states are found."""
    game = Walk(40)
    states = int(zermelo.solve(game).report.facts["states"])
    with lowered(FEW_STORED, 2 * states):
        solution = zermelo.solve(game)
    assert solution.report.engine == "explored" and not any("gave up" in note for note in solution.report.notes)
    with lowered(FEW_STORED, states // 2):
        assert zermelo.solve(game).report.engine == "horizon"


# --- counts that a move sets, which the source does not show ------------------------------------------------------------------

HOME = At(3, 4)


class SetsIt(Plain):
    """Where the start is, the count is what it is after the first move."""

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 2:
            yield 1, 1, At(3, self.moves - 1)
        elif s.place == 3:
            yield 1, 1, s._replace(left=s.left - 1)
        else:
            yield 1, 1, At(s.place + 1, s.left - 1)


class SetsItByTheClass(Plain):
    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 2:
            yield 1, 1, HOME
        else:
            yield 1, 1, s._replace(place=min(s.place + 1, 3), left=s.left - 1)


class Later(NamedTuple):
    place: int
    left: int = 4


class SetsItByDefault(Plain):
    def start(self) -> Any:
        return Later(0, self.moves)

    def outcomes(self, s: Any, action: int) -> Iterator[tuple[int, int, Any]]:
        if s.place == 2:
            yield 1, 1, Later(3)
        else:
            yield 1, 1, s._replace(place=min(s.place + 1, 3), left=s.left - 1)


@pytest.mark.parametrize("kind", [SetsIt, SetsItByTheClass, SetsItByDefault])
def test_a_count_that_is_set_is_not_lowered(kind: Any) -> None:
    tiers = ("interpreted", "compiled") if kind is SetsIt else ("interpreted",)
    for tier in tiers:
        with only(tier), pytest.raises(GivesUp, match="`left` is not lowered by 1 wherever a move is made"):
            solve_horizon(Request(kind()))
    with lowered(FEW_STORED, -1), only("interpreted"):
        assert zermelo.solve(kind(), exact=True).value == by_recursion(kind())(kind().start())


def test_small_probabilities_keep_their_digits(tmp_path: Path, in_python: None) -> None:
    (tmp_path / "walk.prism").write_text(MODEL.replace("mdp", "dtmc").replace("  [stay]", "  // [stay]"))
    word = f"{tmp_path}/walk.prism:P=? [ F<=k x=40 ]"
    exact = zermelo.solve(word, k=22, exact=True).value
    with lowered(FEW_STORED, -1):
        found = zermelo.solve(word, k=22)
        none = zermelo.solve(word, k=19)
    assert found.report.engine == "horizon" and 0 < exact < 1e-3
    assert found.low <= exact <= found.high and found.high - found.low < 1e-13 * exact
    assert none.value == 0 and none.high < 1e-200


# --- commands ----------------------------------------------------------------------------------------------------------------


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "walk.prism").write_text(MODEL)
    word, given = f"{tmp_path}/walk.prism", ["--property", "Pmax=? [ F<=k x=40 ]"]

    def said(*words: str, text: str = "") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        capsys.readouterr()
        main([words[0], word, *given, *words[1:]])
        found = capsys.readouterr()
        return found.out + found.err

    with lowered(FEW_STORED, -1), lowered(MOST_BRIDGED, 0):
        solved = said("solve", "--k", "60")
        assert "nothing can happen in" in solved and "play stays there forever (a deadlock)" in " ".join(solved.split())
        assert "states, up to 60 moves left" in solved and "need --max-states, as many as there are" in " ".join(solved.split())
        shown = said("plot", "--k", "60", "-o", str(tmp_path / "a.png"))
        assert "a picture needs all" in shown and "--max-states=" in shown and not (tmp_path / "a.png").exists()
        assert "play unfinished" in said("play", "--k", "60", "--exact", text="1\n1\n")
        study = said("study", "--k", "40,50,60")
        assert study.count("--max-states, as many as there are") == 1
        assert '"engine": "horizon"' in said("solve", "--k", "60", "--json")


class Ring(NamedTuple):
    """Round and round, for many moves."""

    moves: int = 1000
    cost: int = 0

    def start(self) -> At:
        return At(0, self.moves)

    def actions(self, s: At) -> Iterator[int]:
        if s.left > 0:
            yield 1
            yield 2

    def outcomes(self, s: At, step: int) -> Iterator[tuple[int, int, At]]:
        yield 2, 2 - s.place - self.cost, s._replace(place=(s.place + step) % 7, left=s.left - 1)
        yield 1, s.place, s._replace(place=(s.place + 2 * step) % 7, left=s.left - 1)


@pytest.mark.parametrize("cost", [-4, 0])
def test_many_moves_in_few_places(cost: int, in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Ring(200, cost)
    exact = zermelo.solve(game, exact=True, max_states=10_000)
    answers = solve_horizon(Request(game))
    assert len(answers.keys) == 7 and answers.report.facts["states"] >= exact.report.states
    for state in exact.space:
        low, high = answers.known(state).interval()
        assert low <= exact.probe(state).value <= high and high - low < 1e-8
    monkeypatch.setattr("zermelo.engines.horizon.sweeping.LEAST", 1)  # one kernel for each layer
    for one, other in zip(answers.kept, solve_horizon(Request(game)).kept, strict=True):
        assert one.value.tobytes() == other.value.tobytes() and one.error.tobytes() == other.error.tobytes()


def test_a_horizon_that_is_out_of_reach_is_given_up_at_once() -> None:
    with pytest.raises(GivesUp, match="100,000,000,000 moves are left at the start, more than 10,000,000"):
        solve_horizon(Request(Ring(10**11)))


class OddWays(Ring):
    def outcomes(self, s: At, step: int) -> Iterator[tuple[float, int, At]]:
        yield 0.5, 0, s._replace(place=s.place + 1, left=s.left - 1)
        yield 0.5 if s.place < 50 else 0.4, 0, s._replace(place=s.place + 1, left=s.left - 1)


class WrongFarAway(Ring):
    def outcomes(self, s: At, step: int) -> Iterator[tuple[int, int, At]]:
        yield (1 if s.place < 60 else -1), 0, s._replace(place=s.place + 1, left=s.left - 1)


def test_what_is_odd_or_wrong_far_from_the_start_is_told_of_states_that_are_reached(in_python: None) -> None:
    with lowered(FEW_STORED, -1):
        solution = zermelo.solve(OddWays(80))
        assert solution.report.engine == "horizon" and any("place=50, left=30" in note for note in solution.report.notes)
    with pytest.raises(zermelo.RulesError, match="place=60, left=20"):
        solve_horizon(Request(WrongFarAway(80)))
