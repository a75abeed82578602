"""`evaluate` and `best_response`: against an oracle that plays both seats in Fractions, and known figures."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
import zermelo
from asking import best_response, evaluate, simulate
from test_boards import TicTacToe, solve_board
from zermelo.answers.stored import Place
from zermelo.basics import notices
from zermelo.basics.notices import Notice
from zermelo.errors import NoValue, ParameterError, UnreachableState
from zermelo.games import CardDraw, ConnectFour, ExactPig, LeftCenterRight, Piglet, SolitairePig
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules
from zermelo.solution import Solution
from zermelo.uses import need

Policy = Callable[[Any], Any]
STAY, GO = range(2)
KEEP, PASS = +1, -1


class At(NamedTuple):
    place: int


class Walk(NamedTuple):
    """Walk between 0 and `length` towards a prize at either end; each step costs; two players in turn, written with `player`.

    Places of odd number belong to player 1, who minimises. GO moves up with 2 chances in 3, STAY down with 2 in 3.
    """

    length: int = 5
    cost: int = 1

    def start(self) -> At:
        return At(self.length // 2)

    def player(self, s: At) -> int:
        return s.place % 2

    def actions(self, s: At) -> Iterator[int]:
        if 0 < s.place < self.length:
            yield STAY
            yield GO

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        up = 2 if action == GO else 1
        yield up, -self.cost, At(s.place + 1)
        yield 3 - up, self.cost if s.place == 1 else 0, At(s.place - 1)

    def payoff(self, s: At) -> int:
        return 10 if s.place == self.length else 3 * s.place


class Circle(NamedTuple):
    """Leave with 1, or go round: GO pays `wage` and comes back to the same two places."""

    wage: int = 0

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield STAY
            yield GO

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if action == STAY:
            yield 1, 0, At(2)
        else:
            yield 1, self.wage, At(1 - s.place)

    def payoff(self, s: At) -> int:
        return 1


class Lazy(NamedTuple):
    """One player, who minimises: pay 1 and stop, or risk 3 with one chance in two."""

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return 1

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield STAY
            yield GO

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if action == STAY:
            yield 1, 1, At(1)
        else:
            yield 1, 3, At(1)
            yield 1, 0, At(1)


class Seen(NamedTuple):
    """A state of the oracle: who sees it."""

    state: Any
    side: int


class Fixed:
    """The game that is left, for the oracle: each seat follows its policy, or is free where it is None. No PASS is left."""

    def __init__(self, game: Any, policies: tuple[Policy | None, Policy | None]):
        self.rules, self.policies = Rules(game), policies

    def start(self) -> Seen:
        return Seen(self.rules.start, 0)

    def player(self, s: Seen) -> int:
        return self.rules.player(s.state) ^ s.side

    def actions(self, s: Seen) -> Iterator[Any]:
        legal = self.rules.actions(s.state)
        policy = self.policies[self.player(s)]
        yield from legal if policy is None or len(legal) < 2 else [policy(s.state)]

    def outcomes(self, s: Seen, action: Any) -> Iterator[tuple[Any, Any, Seen]]:
        view = 1 - 2 * s.side
        for o in self.rules.outcomes(s.state, action):
            yield o.ways, view * o.payoff[0], Seen(naive.canonical(self.rules, o.state), s.side ^ (o.sign < 0))

    def payoff(self, s: Seen) -> Any:
        return (1 - 2 * s.side) * self.rules.payoff(s.state)[0]


def worth(game: Any, first: Policy | None, second: Policy | None) -> Fraction:
    return naive.value(Fixed(game, (first, second)))


def scatter(game: Any, seed: int) -> Policy:
    """A policy that chooses at random, once and for all, in every state."""

    def policy(s: Any) -> Any:
        return random.Random(f"{seed} {s}").choice(Rules(game).actions(s))

    return policy


GAMES = [CardDraw(4, 5), Piglet(4), ExactPig(7), SolitairePig(), Walk(), Walk(6, 0)]
FOR_TWO = [Piglet(4), ExactPig(7), Walk(), Walk(6, 0)]


@pytest.fixture(scope="module")
def solved() -> Callable[[Any, bool], Any]:
    known: dict[Any, Any] = {}

    def solve(game: Any, exact: bool) -> Any:
        key = (type(game), game, exact)
        if key not in known:
            known[key] = zermelo.solve(game, exact=exact)
        return known[key]

    return solve


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_any_policy_against_optimal_play(game: Any, exact: bool, solved: Any) -> None:
    solution = solved(game, exact)
    for seed in range(3):
        policy = scatter(game, seed)
        report = evaluate(solution, policy)
        expected = worth(game, policy, solution.policy if game in FOR_TWO else policy)
        agree(report, expected, exact)
        assert report.loss >= 0
        assert float(report.loss) == pytest.approx(float(solution.value) - float(expected), abs=1e-12)
        surround(report.loss_bounds, report.loss, exact)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("game", FOR_TWO, ids=repr)
def test_both_seats_and_any_opponent(game: Any, exact: bool, solved: Any) -> None:
    solution = solved(game, exact)
    one, two = scatter(game, 1), scatter(game, 2)
    agree(evaluate(solution, one, two), worth(game, one, two), exact)
    second = evaluate(solution, two, seat=1)
    agree(second, worth(game, solution.policy, two), exact)
    assert second.loss >= 0
    assert float(second.loss) == pytest.approx(float(second.value) - float(solution.value), abs=1e-12)
    surround(second.loss_bounds, second.loss, exact)
    agree(evaluate(solution, two, one, seat=1), worth(game, one, two), exact)


def surround(bounds: tuple[Any, Any], amount: Any, exact: bool) -> None:
    assert bounds == (amount, amount) if exact else bounds[0] <= amount <= bounds[1] < bounds[0] + 1e-10


def agree(report: Any, expected: Fraction, exact: bool) -> None:
    if exact:
        assert report.value == report.low == report.high == expected
        assert isinstance(report.value, Fraction)
    else:
        assert report.low <= expected <= report.high
        assert report.high - report.low < 1e-10


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("game", FOR_TWO, ids=repr)
def test_best_response(game: Any, exact: bool, solved: Any) -> None:
    solution = solved(game, exact)
    for seed in range(2):
        fixed = scatter(game, seed)
        first, second = best_response(solution, fixed), best_response(solution, fixed, seat=1)
        agree(first, worth(game, None, fixed), exact)
        agree(second, worth(game, fixed, None), exact)
        assert first.gain >= 0
        assert second.gain >= 0
        for response in (first, second):
            surround(response.gain_bounds, response.gain, exact)
        agree(first, worth(game, first.policy, fixed), exact)
        agree(second, worth(game, fixed, second.policy), exact)


def test_best_response_to_optimal_play_gains_nothing(solved: Any) -> None:
    solution = solved(Piglet(4), True)
    assert best_response(solution, solution.policy).gain == 0
    assert best_response(solution, solution.policy, seat=1).gain == 0


def test_states_found_in_another_order(solved: Any) -> None:
    """As after opening a stored solution whose engine, explored anew, numbers states differently."""
    game = Walk()
    solution = zermelo.solve(game)
    answers: Any = solution.answers
    backwards = {k: v[::-1] for k, v in vars(answers).items() if isinstance(v, np.ndarray)}
    start = Place(len(backwards["keys"]) - 1 - answers.start.number)
    solution = Solution(replace(answers, **backwards, start=start, explored=None))
    policy = scatter(game, 1)
    assert evaluate(solution, policy) == evaluate(solved(game, False), policy)
    assert simulate(solution, 1000).lengths == simulate(solved(game, False), 1000).lengths


def test_optimal_play_loses_nothing(solved: Any) -> None:
    for game in GAMES:
        report = evaluate(solved(game, True), solved(game, True).policy)
        assert report.value == solved(game, True).value
        assert report.loss == 0
        assert report.mistakes == ()
        assert report.worst_state is None


def test_several_payoffs_and_chance_only(solved: Any) -> None:
    game = LeftCenterRight(3, 2)
    solution = solved(game, True)
    report = evaluate(solution, solution.policy)  # nobody ever chooses, and it says so
    assert report.payoffs == solution.payoffs
    assert report.bounds == solution.bounds


def test_hold_at_20_is_optimal_in_solitaire_pig(solved: Any) -> None:
    solution = solved(SolitairePig(), True)
    values = {n: evaluate(solution, lambda s, n=n: 0 if s.total >= n else 1).value for n in (15, 19, 20)}
    assert values[15] < values[19] < values[20] == Fraction(492303203, 60466176)


def test_a_minimisers_loss_is_not_negative(solved: Any) -> None:
    report = evaluate(solved(Lazy(), True), lambda s: GO)
    assert (report.value, report.loss, report.seat) == (Fraction(3, 2), Fraction(1, 2), 1)
    assert [tuple(m) for m in report.mistakes] == [(At(0), GO, STAY, Fraction(1, 2))]


def test_mistakes_are_named_with_their_cost(solved: Any) -> None:
    game = CardDraw(4, 5)
    report = evaluate(solved(game, True), lambda s: 0)
    values = naive.solve(game)
    assert report.worst_state == report.mistakes[0].state == game.start()
    assert report.mistakes[0].cost == values[game.start()][0] == report.loss
    everywhere = evaluate(solved(game, True), lambda s: 1)
    costs = [m.cost for m in everywhere.mistakes]
    assert costs == sorted(costs, reverse=True)
    assert 0 < len(costs) <= 10
    for m in everywhere.mistakes:
        worth_of = naive.action_values(game, m.state, values)
        assert (m.action, m.best, m.cost) == (1, 0, worth_of[0][0] - worth_of[1][0])


def test_asked_once_and_only_where_play_can_come(solved: Any) -> None:
    for game in GAMES:
        asked: list[Any] = []
        policy = scatter(game, 7)
        evaluate(solved(game, False), lambda s: asked.append(s) or policy(s))  # noqa: B023
        assert len(asked) == len(set(asked))
        assert all(len(Rules(game).actions(s)) > 1 for s in asked)
    asked = []
    evaluate(solved(CardDraw(4, 5), False), lambda s: asked.append(s) or 0)
    assert asked == [CardDraw(4, 5).start()]


def test_circling_without_pay_is_worth_nothing(solved: Any) -> None:
    report = evaluate(solved(Circle(0), True), lambda s: GO)
    assert (report.value, report.loss) == (0, 1)
    assert evaluate(solved(Circle(0), False), lambda s: GO).value == 0


def test_circling_for_pay_has_no_value(solved: Any) -> None:
    with pytest.raises(NoValue, match=r"cycle forever through At\(place=[01]\).*; with a discount, such as discount=0.99, it has one$"):
        evaluate(solved(Circle(-1), False), lambda s: GO)
    assert zermelo.solve(Circle(-1), discount=0.99).evaluate(lambda s: GO).value < 0


def test_discount() -> None:
    solution = zermelo.solve(Circle(-1), discount=0.5)
    assert evaluate(solution, lambda s: GO).value == pytest.approx(-2)
    assert evaluate(solution, lambda s: STAY).value == pytest.approx(0.5)
    assert evaluate(solution, lambda s: GO if s.place == 0 else STAY).value == pytest.approx(-1 + 0.5 * 0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: evaluate(s, lambda x: {0: 0.5, 1: 0.5}), r"1 are legal; probabilities are for games in which both choose at once"),
        (lambda s: evaluate(s, lambda x: 7), r"the policy returns 7 at player to move has 0.*, where 0, 1 are legal"),
        (lambda s: evaluate(s, lambda x: x.score), r"the policy fails at .*: AttributeError: .*score"),
        (lambda s: evaluate(s, 3), "a policy is a function from a state to an action, not 3"),
        (lambda s: evaluate(s, lambda x: 0, 3), "a policy is a function from a state to an action, not 3"),
        (lambda s: evaluate(s, dict.fromkeys(range(9), 0)), r"not \{0: 0, .*, \.\.\.\}; of a dictionary, give its method `get`$"),
        (lambda s: evaluate(s, lambda x: 0, seat=2), "seat must be 0 or 1, not 2"),
        (lambda s: best_response(s, None), "a policy is a function from a state to an action, not None"),
        (lambda s: best_response(s, lambda x: 0, seat="first"), "seat must be 0 or 1, not 'first'"),
    ],
)
def test_bad_input(call: Callable[[Any], Any], message: str, solved: Any) -> None:
    with pytest.raises(ParameterError, match=message):
        call(solved(Piglet(4), False))


def test_a_game_for_one_has_no_opponent(solved: Any) -> None:
    for arguments in ({"opponent": lambda s: 0}, {"seat": 1}):
        with pytest.raises(ParameterError, match="not a game for two"):
            evaluate(solved(CardDraw(4, 5), False), lambda s: 0, **arguments)
    with pytest.raises(ParameterError, match="not a game for two"):
        best_response(solved(CardDraw(4, 5), False), lambda s: 0)


class Handed(NamedTuple):
    """A ball goes to and fro `times` times; nobody has a choice."""

    times: int = 2

    def start(self) -> At:
        return At(self.times)

    def actions(self, s: At) -> Iterator[int]:
        if s.place:
            yield GO

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At, int]]:
        yield 1, 1, At(s.place - 1), -1


def test_a_game_for_two_without_a_choice_has_both_seats(solved: Any) -> None:
    """It was refused as "not a game for two", although values are told as those of a game for two."""
    solution = solved(Handed(3), False)
    for seat in (0, 1):
        assert evaluate(solution, lambda s: GO, lambda s: GO, seat=seat).value == solution.value == 1
        assert best_response(solution, lambda s: GO, seat=seat).value == 1
        assert simulate(solution, 5, policy=lambda s: GO, opponent=lambda s: GO, seat=seat).mean == 1


def test_texts_have_the_digits_that_are_certain(solved: Any) -> None:
    """They had fifteen, whatever the bounds were."""
    solution = solved(Walk(), False)
    rough: dict[str, Any] = {"value": -1.9999997, "low": -2.0000001, "high": -1.9999993}
    found = replace(evaluate(solution, lambda s: GO), **rough, loss=3e-7, loss_bounds=(0.0, 7e-7))
    assert repr(found).startswith("<Evaluation: value -2.000000, loss 0.000000 against")
    found = replace(best_response(solution, lambda s: GO), **rough, gain=3e-7, gain_bounds=(0.0, 7e-7))
    assert repr(found) == "<Response in seat 0: value -2.000000, gain 0.000000>"


def test_the_answer_knows_only_its_own_states(solved: Any) -> None:
    answer = best_response(solved(Walk(), False), lambda s: GO).policy
    with pytest.raises(UnreachableState, match="At"):
        answer(At(1))


def scattered(number: int, actions: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A policy that treats symmetric states differently."""

    def policy(state: Any) -> Any:
        every = list(actions(state))
        return every[zlib.crc32(repr((number, tuple(state))).encode()) % len(every)]

    return policy


def play_of(game: Any, policies: tuple[Callable[[Any], Any], ...]) -> int:
    """The result for the first player of a play without chance, in turns, from the rules alone."""
    state, sign, turn = game.start(), 1, 0
    while list(game.actions(state)):
        ((_, _, state, *passed),) = game.outcomes(state, policies[turn](state))
        sign, turn = sign * (passed[0] if passed else 1), 1 - turn
    return sign * game.payoff(state)


@pytest.mark.parametrize(
    ("game", "ranked"), [(TicTacToe(), False), (GobbletGobblers(1, 3, False), True), (ConnectFour(4, 2), False)], ids=str
)
def test_policies_are_asked_in_each_of_several_symmetric_states(game: Any, ranked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if ranked:  # as tables too large to be stored otherwise
        monkeypatch.setattr(need, "MOST_BRIDGED", 0)
    with only("interpreted") if ranked else nullcontext():
        solution = solve_board(game) if ranked else zermelo.solve(game)
    for number in range(2):
        pair = scattered(number, game.actions), scattered(100 + number, game.actions)
        wanted = play_of(game, pair)
        assert solution.evaluate(*pair).value == solution.simulate(3, policy=pair[0], opponent=pair[1]).mean == wanted
        for seat in (0, 1):
            response = solution.best_response(pair[1 - seat], seat=seat)
            against = (response.policy, pair[1]) if seat == 0 else (pair[0], response.policy)
            assert solution.evaluate(response.policy, pair[1 - seat], seat=seat).value == response.value == play_of(game, against)


class Two(NamedTuple):
    a: int
    b: int


class Counters(NamedTuple):
    """A walk of two counters, of which `symmetries` says that they can be exchanged."""

    mirrored: bool = True

    def start(self) -> Two:
        return Two(0, 0)

    def actions(self, s: Two) -> Iterator[int]:
        if s.a + s.b < 6:
            yield 0
            yield 1

    def outcomes(self, s: Two, action: int) -> Iterator[tuple[int, int, Two]]:
        yield 2, 0, Two(s.a + 1, s.b) if action == 0 else Two(s.a, s.b + 1)
        yield 1, 0, Two(s.a, s.b + 1) if action == 0 else Two(s.a + 1, s.b)

    def payoff(self, s: Two) -> int:
        return abs(s.a - s.b)

    def symmetries(self, s: Two) -> Iterator[Two]:
        if self.mirrored:
            yield Two(s.b, s.a)


@pytest.mark.parametrize("exact", [False, True])
def test_a_policy_that_symmetric_states_do_not_share(exact: bool) -> None:
    """Always 0: the sum over how often the first counter rises, 602/243."""
    wanted = sum(math.comb(6, k) * Fraction(2**k, 3**6) * abs(2 * k - 6) for k in range(7))
    assert wanted == Fraction(602, 243)
    mirrored, plain = zermelo.solve(Counters(), exact=exact), zermelo.solve(Counters(mirrored=False), exact=exact)
    assert len(mirrored.space) < len(plain.space) and mirrored.value == plain.value
    found, expected = (s.evaluate(lambda s: 0) for s in (mirrored, plain))
    assert found.value == expected.value and found.loss == expected.loss and found.states == expected.states
    assert found.value == wanted if exact else found.low <= wanted <= found.high
    assert [m.cost for m in found.mistakes] == [m.cost for m in expected.mistakes] and found.mistakes
    if not exact:  # how the game is rounded that is solved once more, with all states apart, makes no difference
        mirrored.answers.apart.value *= 1 + 2.0**-52
        assert mirrored.evaluate(lambda s: 0).loss == found.loss == mirrored.value - found.value
    played = mirrored.simulate(20_000, seed=1, policy=lambda s: 0)
    assert abs(played.mean - float(wanted)) < 5 * played.standard_error


def test_that_a_game_is_solved_once_more_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(need, "MANY", 20)
    monkeypatch.setattr(notices, "_said", [])
    with pytest.warns(Notice, match="Counters was solved once more, with 28 states instead of 16"):
        zermelo.solve(Counters()).evaluate(lambda s: 0)


class Tie(NamedTuple):
    """Player 1 has two replies that are as good, and player 0 the last word: to be paid 0, or to pay 1. Written with `player` or PASS."""

    passes: bool = False

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return int(s.place == 0 and not self.passes)

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 3:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At, int]]:
        if s.place == 0:
            yield 1, 0, At(1 + action), PASS if self.passes else KEEP
        else:
            yield 1, -action, At(3), KEEP


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.parametrize("erring", [1, 2])
def test_a_loss_does_not_depend_on_how_the_opponent_breaks_its_ties(erring: int, passes: bool, exact: bool) -> None:
    solution = zermelo.solve(Tie(passes), exact=exact)
    found = solution.evaluate(lambda s: int(s.place == erring), seat=int(passes))
    assert found.loss == 1 and found.value == (1 if passes else -1)
    assert found.against == "the least favourable opponent that plays best"
    assert [m.state.place for m in found.mistakes] == [erring]
    assert solution.evaluate(lambda s: 0, seat=int(passes)).loss == 0
    given = solution.evaluate(lambda s: int(s.place == erring), lambda s: 0, seat=int(passes))
    assert given.loss == (erring == 1) and "given" in given.against


class Ties(NamedTuple):
    """A random game: two players, chance, payoffs of -1, 0 and 1, and many ties."""

    seed: int = 0
    size: int = 12

    def start(self) -> At:
        return At(self.size)

    def drawn(self, a: int, b: int, c: int) -> int:
        x = (self.seed * 7919 + a * 104729 + b * 1299709 + c * 15485863 + 12345) % 2147483647
        for _ in range(3):
            x = x * 48271 % 2147483647
        return x // 16

    def player(self, s: At) -> int:
        return self.drawn(s.place, 0, 0) % 2

    def actions(self, s: At) -> Iterator[int]:
        for action in range(3):
            if s.place > 0 and action <= self.drawn(s.place, 0, 1) % 3:
                yield action

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        for i in range(1 + self.drawn(s.place, action, 2) % 2):
            after = s.place - 1 - self.drawn(s.place, action, 3 + i) % min(3, s.place)
            yield 1, self.drawn(s.place, action, 6 + i) % 3 - 1, At(after)


@pytest.mark.parametrize("exact", [False, True])
def test_the_least_favourable_opponent_that_plays_best(exact: bool) -> None:
    """Against an oracle: player 1 chooses among its best actions to player 0's disadvantage."""
    differing = 0
    for seed in range(60):
        game = Ties(seed)
        rules, best = Rules(game), naive.solve(game)

        def policy(s: At, game: Ties = game, rules: Rules = rules) -> int:
            return rules.actions(s)[game.drawn(s.place, 9, 9) % len(rules.actions(s))]

        def worth(s: At, pick: Any, game: Ties = game, rules: Rules = rules, best: Any = best, policy: Any = policy) -> Fraction:
            actions = rules.actions(s)
            if not actions:
                return Fraction(0)
            if rules.player(s) == 0:
                actions = [policy(s)]
            else:
                values = naive.action_values(game, s, best)
                actions = [a for a in actions if values[a] == min(values.values())]
            rows = [list(rules.outcomes(s, a)) for a in actions]
            return pick(sum((o.payoff[0] + worth(o.state, pick) for o in row), Fraction(0)) / len(row) for row in rows)

        found = zermelo.solve(game, exact=exact).evaluate(policy)
        low, high = (worth(rules.start, pick) for pick in (min, max))
        differing += low != high
        assert found.low <= low <= found.high
        assert found.loss == pytest.approx(float(best[rules.start][0] - low), abs=1e-12)
    assert differing > 5


class Heap(NamedTuple):
    stones: int = 0


class Take(NamedTuple):
    """Take any number."""

    stones: int = 500

    def start(self):
        return Heap(self.stones)

    def actions(self, s):
        yield from range(1, s.stones + 1)

    def outcomes(self, s, take):
        yield 1, 1, Heap(s.stones - take)


def test_a_message_lists_the_first_of_many_actions() -> None:
    solution = zermelo.solve(Take())
    with pytest.raises(ParameterError, match=r"where 1, 2, .*, 19, 20 and 480 more are legal$"):
        solution.evaluate(lambda s: 0)
    assert solution.evaluate({Heap(n): 1 for n in range(1, 501)}.get).loss == 0
