"""Games in stages that are too large to be stored: every verb as the general engine has it, on small twins."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
import zermelo
from test_entries import Forever, Ladder, Place, Spot
from test_evaluate import Seen
from zermelo.basics import machine
from zermelo.games import TenThousandRace
from zermelo.games.ten_thousand_race import State, bank_at
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules
from zermelo.solvers.by_component import Cyclic
from zermelo.uses import need
from zermelo.uses.evaluation import LEAST_FAVOURABLE

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from coin_race import CoinRace  # noqa: E402

RACE = TenThousandRace(goal=6)
WALK = Ladder(3, 4, 2)  # two players by `player`, two payoffs on the way, circles within a stage
PASSING = Ladder(3, 4, 4, True, True)  # the same with PASS, and payoffs that are no whole numbers
PLAYS, FEW_PLAYS = 20_000, 500


def first_action(s: Place) -> int:
    return 0


@pytest.fixture(scope="module")
def twins() -> dict[Any, tuple[Any, Any]]:
    """(solved stage by stage, solved by the general engine)"""
    return {game: (zermelo.solve(game), zermelo.solve(game, solver=Cyclic())) for game in (RACE, WALK, PASSING)}


@pytest.fixture(autouse=True)
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved again with all states stored."""
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)


GAMES = pytest.mark.parametrize("game", [RACE, WALK, PASSING], ids=["race", "walk", "passing"])
POLICIES = pytest.mark.parametrize(("game", "policy"), [(RACE, bank_at(3)), (WALK, first_action)], ids=["race", "walk"])


def assert_alike(ours: Any, theirs: Any) -> None:
    """Two simulations of as many plays: totals and lengths agree to five standard errors of their difference."""
    for name, total in ours.totals.items():
        other = theirs.totals[name]
        assert abs(total.mean - other.mean) <= 5 * sqrt(total.standard_error**2 + other.standard_error**2)
        assert total.standard_error == pytest.approx(other.standard_error, rel=0.05)
    assert min(ours.lengths) == min(theirs.lengths) and ours.circling == 0
    for at_most in sorted(theirs.lengths)[:: max(1, len(theirs.lengths) // 8)]:
        one, two = (sum(n for k, n in found.lengths.items() if k <= at_most) / PLAYS for found in (ours, theirs))
        assert abs(one - two) <= 5 * sqrt(2 * max(two * (1 - two), 1 / PLAYS) / PLAYS)


@GAMES
def test_plays_under_optimal_play(twins: Any, game: Any) -> None:
    """Of the value that was solved, and spread as the general engine's; the same seed gives the same plays."""
    race, general = twins[game]
    found = race.simulate(PLAYS, seed=1)
    for name, total in found.totals.items():
        assert total.value == pytest.approx(general.probe(general.rules.start).payoffs[name], abs=1e-11)
        assert abs(total.z) < 5
    assert_alike(found, general.simulate(PLAYS, seed=2))
    found, again, other = (race.simulate(FEW_PLAYS, seed=seed) for seed in (1, 1, 2))
    assert (again.mean, again.standard_error, again.lengths) == (found.mean, found.standard_error, found.lengths)
    assert again.lengths != other.lengths


@POLICIES
@pytest.mark.parametrize("seat", [0, 1])
def test_plays_of_policies_of_ones_own(twins: Any, game: Any, policy: Any, seat: int) -> None:
    """Against optimal play, and against the same policy: plays come to what `evaluate` says."""
    race, general = twins[game]
    for opponent in (None, policy):
        ours = race.simulate(PLAYS, seed=5, policy=policy, opponent=opponent, seat=seat)
        assert ours.total.value is None
        with only("interpreted") if seat == 1 else nullcontext():  # one of the two is enough to compile
            evaluated = race.evaluate(policy, opponent, seat=seat)
        for name, worth in evaluated.payoffs.items():
            assert abs(ours.totals[name].mean - worth) <= 5 * ours.totals[name].standard_error + 1e-12
        if opponent is not None:
            assert_alike(ours, general.simulate(PLAYS, seed=6, policy=policy, opponent=opponent, seat=seat))


@GAMES
def test_lengths(twins: Any, game: Any) -> None:
    """Mean and variance, bounded; the walk counts its moves as a payoff, too."""
    race, general = twins[game]
    ours, theirs = race.length, general.length
    assert ours.mean == pytest.approx(theirs.mean, rel=1e-12) and ours.variance == pytest.approx(theirs.variance, rel=1e-10)
    assert ours.mean_low <= theirs.mean_high and theirs.mean_low <= ours.mean_high and ours.mean_high - ours.mean_low < 1e-10 * ours.mean
    assert ours.variance_low <= theirs.variance_high and theirs.variance_low <= ours.variance_high
    assert ours.variance_high - ours.variance_low < 1e-9 * (1 + ours.variance)
    if game is WALK:
        assert ours.mean == pytest.approx(race.probe(race.rules.start).payoffs["moves"], rel=1e-12)


@POLICIES
@pytest.mark.parametrize("seat", [0, 1])
def test_the_policy_of_a_best_response(twins: Any, game: Any, policy: Any, seat: int) -> None:
    """Played against the opponent in the general engine it comes to what the response is worth."""
    race, general = twins[game]
    with only("interpreted") if seat == 0 else nullcontext():  # one of the two is enough to compile
        response, expected = race.best_response(policy, seat=seat), general.best_response(policy, seat=seat)
        assert response.value == pytest.approx(expected.value, abs=1e-11)
        played = general.evaluate(response.policy, policy, seat=seat)
    assert played.value == pytest.approx(response.value, abs=1e-11)


class Corner(NamedTuple):
    level: int
    spot: int


class Ring(NamedTuple):
    """Every level has as many entries as may lead to one another, so that twice as many do where players are told apart."""

    levels: int = 3
    spots: int = 16

    def start(self) -> Corner:
        return Corner(0, 0)

    def stage(self, s: Corner) -> int:
        return s.level

    def entries(self) -> Iterator[Corner]:
        for level in range(self.levels):
            for spot in range(self.spots):
                yield Corner(level, spot)

    def actions(self, s: Corner) -> Iterator[int]:
        if s.level < self.levels:
            yield 0
            yield 1

    def outcomes(self, s: Corner, action: int) -> Iterator[Any]:
        yield 1, (s.spot * 7 + action * 3 + s.level) % 5 - 2, Corner(s.level + 1, (s.spot + action) % self.spots)
        for k in range(4):
            spot = (s.spot * 5 + 3 * k * k + action * 2 + 1 + s.level) % self.spots
            yield 1, 0, Corner(s.level, spot), -1 if k % 2 else 1

    def payoff(self, s: Corner) -> int:
        return s.spot % 3


@pytest.mark.parametrize("seat", [0, 1])
def test_a_policy_can_be_judged_wherever_the_game_is_solved(seat: int) -> None:
    def by_spot(s: Corner) -> int:
        return s.spot % 2

    ours, theirs = zermelo.solve(Ring()), zermelo.solve(Ring(), solver=Cyclic())
    assert ours.report.engine == "entries"
    for ask in ("best_response", "evaluate"):
        found, expected = (getattr(solution, ask)(by_spot, seat=seat).value for solution in (ours, theirs))
        assert found == pytest.approx(expected, abs=1e-11)


def test_where_a_response_has_no_answer(twins: Any) -> None:
    race, _ = twins[RACE]
    answer = race.best_response(bank_at(3)).policy
    with pytest.raises(zermelo.UnreachableState):
        answer(State(0, 0, 6, 5, 0))  # the play is over
    with pytest.raises(zermelo.ParameterError, match="is not a state of TenThousandRace"):
        answer((0, 0))
    with pytest.raises(zermelo.ParameterError, match="can't be pickled: hand on the solution, and ask best_response there"):
        pickle.dumps(answer)
    walk, _ = twins[WALK]
    answer = walk.best_response(first_action, seat=1).policy
    with pytest.raises(zermelo.UnreachableState):
        answer(Place(0, 0, 0))  # the opponent decides here


def test_a_policy_that_never_leaves_a_stage_is_told() -> None:
    class Leaving(Forever):
        """Staying costs, so that optimal play leaves."""

        def outcomes(self, s: Spot, action: int) -> Any:
            if action == 0:
                yield 1, -1, Spot(s.level, 1 - s.spot)
            else:
                yield 1, 0, Spot(s.level + 1, 0)

    race = zermelo.solve(Leaving())
    assert race.report.engine == "entries"

    def stay(s: Spot) -> int:
        return 0

    for ask in (race.evaluate, lambda p: race.simulate(10, policy=p)):
        told = r"stage \d, which is entered in .*Spot\(level=\d, spot=0\), is not solved under these policies: .*; a policy that "
        with pytest.raises(zermelo.OutOfReach, match=told):
            ask(stay)


def test_what_is_refused(twins: Any) -> None:
    race, _ = twins[RACE]
    from zermelo.uses.simulate import simulate

    with pytest.raises(zermelo.OutOfReach, match="still going on after 2 moves, at player to move .*; so long a play is not simulated"):
        simulate(race.answers, 10, max_length=2)
    with pytest.raises(zermelo.ParameterError, match="seat must be 0 or 1"):
        race.simulate(10, policy=bank_at(3), seat=2)
    with pytest.raises(zermelo.ParameterError, match="a policy is a function"):
        race.simulate(10, policy=7)
    with pytest.raises(zermelo.OutOfReach, match=r"needs all [\d,]+ states of TenThousandRace, which are not stored"):
        race.to_dataframe()


def test_a_saved_race_opens(twins: Any, tmp_path: Path) -> None:
    """Without a compiler: the stages of a small race are solved again by Python."""
    race, _ = twins[RACE]
    path = tmp_path / "race"
    race.save(path)
    again = zermelo.open(path)
    assert again.report.engine == "entries" and (again.value, again.bounds) == (race.value, race.bounds)
    assert again.certificate == race.certificate and again.statistics == race.statistics
    for state in (race.rules.start, State(2, 1, 0, 5, 0), State(2, 1, 1, 4, 0)):
        assert again.probe(state) == race.probe(state)
    assert again.simulate(100, seed=1).totals == race.simulate(100, seed=1).totals
    code = (
        "import sys, zermelo\n"
        f"s = zermelo.open({str(path)!r})\n"
        "State = type(s.rules.start)\n"
        f"assert s.value == {race.value!r} and s.bounds == {race.bounds!r}\n"
        f"assert s.answers.known(State(2, 1, 0, 5, 0)).values == {race.answers.known(State(2, 1, 0, 5, 0)).values!r}\n"
        f"assert s.probe(State(2, 1, 1, 4, 0)).value == {race.probe(State(2, 1, 1, 4, 0)).value!r}\n"
        "assert s.certificate.kind == 'bound' and 'numba' not in sys.modules\n"
    )
    nothing_earlier = os.environ | {"ZERMELO_CACHE": str(tmp_path / "cache")}  # of which Python might have run a kernel long enough
    subprocess.run([sys.executable, "-c", code], env=nothing_earlier, check=True)


def of_any_number(*states: Any) -> int:
    return 0


def test_policies_that_do_not_compile_are_told_of_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were told to be faults of the rules. Where Python runs them all is well, as in `evaluate` of a small game."""
    solution = zermelo.solve(TenThousandRace(4))
    monkeypatch.setattr("zermelo.uses.need.MOST_BRIDGED", 0)
    asked: tuple[Any, ...] = (solution.evaluate, solution.best_response, lambda p: solution.simulate(10, policy=p))
    with only("compiled"):
        for ask in asked:
            with pytest.raises(zermelo.ParameterError, match="compiled with the rules.*; where no policy is given, play is opt") as caught:
                ask(solution.best_action)
            assert "\n" not in str(caught.value)
        with pytest.raises(zermelo.ParameterError, match="can't be: `partial` is not a plain Python function"):  # it had an address
            solution.evaluate(partial(solution.action_value, action=0))
        with pytest.raises(zermelo.ParameterError, match="can't be: it runs in Python but .*'What compiles'; write it with"):
            solution.evaluate(of_any_number)
    assert solution.evaluate(solution.best_action).value == pytest.approx(solution.value, abs=1e-12)


def test_states_are_asked_for_by_several_threads_at_once(twins: Any, in_python: None) -> None:
    """Policies that Python runs are asked by all threads that solve stages, which spoiled each other's arrays."""
    solution, stored = zermelo.solve(RACE), twins[RACE][1].answers
    response = solution.best_response(bank_at(3)).policy
    states = [s for s in stored.layout.unpack_many(stored.keys) if stored.rules.actions(s)]
    asked = [s for first in range(2) for s in states[first::50]]  # each of another stage than the one before
    asks = lambda s: solution.probe(s).value, solution.best_action, response
    wanted = [[ask(s) for s in asked] for ask in asks]
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-4)
        for ask, found in zip(asks, wanted, strict=True):
            solution.answers._seen.clear()
            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(ask, asked)) == found
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_policy_that_raises_an_error_is_told_with_the_state(tier: str) -> None:
    def late(s: Any) -> int:
        return 1 // (s.turn - 2) if s.turn == 2 else 0

    solution = zermelo.solve(CoinRace(goal=6))
    with only(tier):
        for ask in (solution.evaluate, solution.best_response)[: 1 if tier == "compiled" else 2]:  # each compiles its own kernel
            with pytest.raises(zermelo.ParameterError, match=r"^the policy fails at State\(.*turn=2\): ZeroDivisionError: "):
                ask(late)


def test_a_compiled_policy_catches_no_exceptions() -> None:
    """It would also catch what stops it where Python goes on, such as a number beyond 64 bits, and take another action."""

    def careful(s: Any) -> int:
        try:
            return int((s.turn + 2) ** 99 < 0)
        except Exception:
            return 1

    solution = zermelo.solve(CoinRace(goal=6))
    with only("compiled"), pytest.raises(zermelo.ParameterError, match="`try` can't compile: test with `if` before the operation"):
        solution.evaluate(careful)


def test_a_policy_without_source_is_told_where_to_write_it() -> None:
    solution, written = zermelo.solve(RACE), dict[str, Any]()
    exec("def nowhere(s): return 0", written)
    with only("compiled"):
        with pytest.raises(zermelo.ParameterError, match=r"`nowhere` can't be read \(.*\): define it with `def` in a .py file or a n"):
            solution.evaluate(written["nowhere"])
        with pytest.raises(zermelo.ParameterError, match=r"<lambda>` is a lambda, which can't compile: write it with `def`$"):
            solution.evaluate(lambda s: 0)


# --- distributions -----------------------------------------------------------------------------------------------------


def assert_equal(ours: Any, theirs: Any) -> None:
    """Two distributions: each probability within what both say of their errors."""
    missed = dict(zip(ours.support.tolist(), ours.errors.tolist(), strict=True))
    found = dict(zip(ours.support.tolist(), ours.probabilities.tolist(), strict=True))
    expected = dict(zip(theirs.support.tolist(), theirs.probabilities.tolist(), strict=True))
    off = dict(zip(theirs.support.tolist(), theirs.errors.tolist(), strict=True))
    slack = ours.tail + theirs.tail
    for x in {*found, *expected}:
        room = missed.get(x, slack) + off.get(x, slack) + slack
        assert abs(found.get(x, 0.0) - expected.get(x, 0.0)) <= room, (x, found.get(x), expected.get(x), room)
    assert sum(found.values()) + ours.tail == pytest.approx(1.0, abs=1e-12) and max(missed.values()) < 2e-12


@GAMES
@pytest.mark.parametrize("tail", [1e-12, 1e-3])
def test_the_distribution_of_the_length(twins: Any, game: Any, tail: float) -> None:
    ours, theirs = twins[game]
    found = ours.distribution(tail=tail)
    assert found.tail <= tail and found.endless == 0
    if tail < 1e-6:
        assert_equal(found, theirs.distribution())
        assert found.mean == pytest.approx(ours.length.mean, abs=1e-9)
        assert found.variance == pytest.approx(ours.length.variance, rel=1e-8)


@pytest.mark.parametrize("game", [RACE, CoinRace(6)], ids=["race", "coins"])
def test_who_wins(game: Any) -> None:
    """The payoff is that of whoever moves first, or of player 0; its mean is the value."""
    ours, theirs = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert ours.report.engine == "entries"
    for name in ours.payoffs:
        found = ours.distribution(name)
        assert_equal(found, theirs.distribution(name))
        assert len(found.support) >= 2 and found.mean == pytest.approx(float(ours.payoffs[name]), abs=1e-11)


def test_distributions_that_are_refused(twins: Any) -> None:
    ours, _ = twins[WALK]
    with pytest.raises(zermelo.OutOfReach, match=r"is paid before the end of play, too, so that its distribution needs all states with"):
        ours.distribution(next(iter(ours.payoffs)))
    race, _ = twins[RACE]
    with pytest.raises(zermelo.OutOfReach, match="after 3 moves plays are still going on with a probability of at least 0.5"):
        race.distribution(max_steps=3)
    with pytest.raises(zermelo.OutOfReach, match="after 1 move in one stage plays are still going on"):
        race.distribution(next(iter(race.payoffs)), max_steps=1)


def test_only_as_much_memory_as_there_is(in_python: None, twins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.engines.entries.flow.require", lambda size, what: machine.require(1e15 * size, what))
    with pytest.raises(zermelo.OutOfReach, match="lengths at .* entry states needs about"):
        twins[RACE][0].distribution()


class Doubled(NamedTuple):
    """A random game of levels, where one may walk in circles until one gets to a level above; every spot has a twin, where play is the
    same: so half of all actions are as good as another one. The last actions, odd and even, lead to the one or to the other twin."""

    seed: int = 0
    passing: bool = False
    levels: int = 3
    spots: int = 4

    def start(self) -> Place:
        return Place(0, 0, 0)

    def entries(self) -> Iterator[Place]:
        for level in range(self.levels):
            for spot in range(self.spots):
                for side in range(1 if self.passing else 2):
                    yield Place(level, spot, side)

    def stage(self, s: Place) -> int:
        return s.level

    def player(self, s: Place) -> int:
        return s.side

    def drawn(self, s: Place, action: int, k: int) -> int:
        x = (self.seed * 7919 + s.level * 104729 + s.spot // 2 * 1299709 + s.side * 31337 + action // 2 * 15485863 + k * 7907) % 2147483647
        for _ in range(3):
            x = x * 48271 % 2147483647
        return x // 16

    def actions(self, s: Place) -> Iterator[int]:
        if s.level < self.levels:
            yield 0
            yield 1
            yield 2
            yield 3

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place, int]]:
        for k in range(3):
            drawn = self.drawn(s, action, k)
            twin = action % 2 if s.spot % 2 == 0 else 1 - action % 2
            side = 0 if self.passing else drawn // 64 % 2
            sign = -1 if self.passing and drawn // 64 % 2 == 1 else 1
            yield 1 + drawn % 3, drawn // 8 % 3 - 1, Place(s.level + (k == 0), drawn // 512 % (self.spots // 2) * 2 + twin, side), sign

    def payoff(self, s: Place) -> int:
        return s.spot // 2


class AmongBest:
    """What is left, for the oracle, if `seat` keeps to a policy and the other one chooses among what is best in the game itself."""

    def __init__(self, game: Any, policy: Any, seat: int, first: bool = False):
        self.rules, self.game, self.policy, self.seat, self.first = Rules(game), game, policy, seat, first
        self.values = naive.solve(game)

    def start(self) -> Seen:
        return Seen(self.rules.start, 0)

    def player(self, s: Any) -> int:
        return self.rules.player(s.state) ^ s.side

    def actions(self, s: Any) -> Iterator[Any]:
        if not self.rules.actions(s.state):
            return
        if self.player(s) == self.seat:
            yield self.policy(s.state)
            return
        worth = naive.action_values(self.game, s.state, self.values)
        most = (min if self.rules.player(s.state) else max)(value[0] for value in worth.values())
        best = [action for action, value in worth.items() if value[0] == most]
        yield from best[:1] if self.first else best

    def outcomes(self, s: Any, action: Any) -> Iterator[tuple[Any, Any, Any]]:
        view = 1 - 2 * s.side
        for o in self.rules.outcomes(s.state, action):
            yield o.ways, view * o.payoff[0], Seen(o.state, s.side ^ (o.sign < 0))

    def payoff(self, s: Any) -> Any:
        return (1 - 2 * s.side) * self.rules.payoff(s.state)[0]


def wavering(s: Place) -> int:
    """Of twins it does at the one what is not best at the other."""
    return (s.level * 2 + s.spot * 3 + s.side) % 4


@pytest.mark.parametrize("passing", [False, True])
def test_a_race_is_evaluated_against_the_least_favourable_opponent_that_plays_best(passing: bool) -> None:
    """Exactly, in fractions; the stored opponent, which takes the first of equally good actions, would come to something else."""
    differing = 0
    for seed in range(4):
        game = Doubled(seed, passing)
        race = zermelo.solve(game)
        assert race.report.engine == "entries"
        for seat in (0, 1):
            expected = naive.value(AmongBest(game, wavering, seat))
            found = race.evaluate(wavering, seat=seat)
            assert found.against == LEAST_FAVOURABLE
            assert found.low <= expected <= found.high and found.high - found.low < 1e-10
            assert found.loss == pytest.approx(abs(float(race.value) - float(expected)), abs=1e-11)
            differing += naive.value(AmongBest(game, wavering, seat, first=True)) != expected
    assert differing > 1


class Draws(NamedTuple):
    """One of 49 equal chances to get the same, or that for sure, and a move later: 49 times 1/49 is rounded, in one way or another."""

    def start(self) -> Spot:
        return Spot(0, 0)

    def stage(self, s: Spot) -> int:
        return s.level

    def entries(self) -> Iterator[Spot]:
        yield Spot(0, 0)
        yield Spot(1, 0)

    def actions(self, s: Spot) -> Iterator[int]:
        if s.level < 2:
            yield 0
        if s.level == 0:
            yield 1

    payoffs = ("gain", "moves")

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, tuple[int, int], Spot]]:
        if s.level == 0 and action == 0:
            for k in range(49):
                yield 1, (0, 1), Spot(2, k)
        else:
            yield 1, (0, 1), Spot(s.level + 1, 0)

    def payoff(self, s: Spot) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize("most", [0, 100], ids=["large", "small"])
def test_every_verb_is_of_one_policy(in_python: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, most: int) -> None:
    """Also where another of equally good actions is taken by the general engine, which solves small games once more, and tells by rounding
    alone which of them is better."""
    monkeypatch.setattr(need, "MOST_BRIDGED", most)
    race, other = zermelo.solve(Draws()), zermelo.solve(Draws(), solver=Cyclic())
    assert race.report.engine == "entries" and (race.payoffs["moves"], other.payoffs["moves"]) == (2.0, 1.0)
    race.save(tmp_path / "race")
    for solution in (race, zermelo.open(tmp_path / "race", Draws())):
        start = solution.rules.start
        assert solution.payoffs == race.payoffs and (solution.best_action(start), solution.probe(start).action) == (1, 1)
        assert solution.length.mean == 2.0 and solution.distribution().probability(2) == 1.0
        own = solution.policy if most else sure
        assert solution.simulate(10).lengths == solution.simulate(10, policy=own).lengths == {2: 10}
        if most:
            assert solution.distribution("moves").probability(2) == 1.0
            at = solution.space.rank(start)
            assert solution.action_numbers[at] == 1 and solution.to_dataframe().at[at, "action"] == "1"
            assert solution.payoff_values[at].tolist() == [1.0, 2.0]
            assert solution.evaluate(solution.policy).payoffs["moves"] == 2.0
            solution.export_certificate(tmp_path / "certificate")
            with zipfile.ZipFile(tmp_path / "certificate") as archive:
                assert np.load(io.BytesIO(archive.read("policy.npy")))[at] == 1
            assert zermelo.verify(tmp_path / "certificate", Draws()).verified


def sure(s: Spot) -> int:
    return 1 if s.level == 0 else 0


class Nim(NamedTuple):
    """Up to `top` by 1 to 3; whoever gets there wins. Values are products of 49 and 1/49."""

    top: int = 9

    def start(self) -> Spot:
        return Spot(0, 0)

    def stage(self, s: Spot) -> int:
        return s.level

    def entries(self) -> Iterator[Spot]:
        for level in range(self.top):
            yield Spot(level, 0)
            yield Spot(level, 1)

    def player(self, s: Spot) -> int:
        return s[1]

    def actions(self, s: Spot) -> Iterator[int]:
        if s.level < self.top:
            yield 1
            yield 2
            yield 3

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, int, Spot]]:
        yield 49, 0, Spot(min(self.top, s.level + action), 1 - s[1])

    def payoff(self, s: Spot) -> int:
        return 1 if s[1] else -1


def test_where_all_is_won_or_lost_the_same_policy_is_played(in_python: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not that of the quickest wins, which the general engine has; values of all states are whole numbers as there."""
    monkeypatch.setattr(need, "MOST_BRIDGED", 100)
    race = zermelo.solve(Nim())
    state, moves = race.rules.start, 0
    while race.rules.actions(state):
        (outcome,) = race.rules.outcomes(state, race.best_action(state))
        state, moves = outcome.state, moves + 1
    assert race.report.engine == "entries" and race.length.mean == moves and race.simulate(5).lengths == {moves: 5}
    assert set(race.values.tolist()) == {1.0, -1.0} and not race.errors.any() and race.distances is None
    race.export_certificate(tmp_path / "certificate")
    assert zermelo.verify(tmp_path / "certificate", Nim()).verified
