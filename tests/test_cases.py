"""One table of cases: every game by every solver that takes it, in floats and in rationals, against the oracle (naive.py)."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import NamedTuple

import pytest

import naive
import zermelo
from zermelo.games.card_draw import CardDraw
from zermelo.games.coin_patterns import CoinPatterns
from zermelo.games.dreidel import Dreidel
from zermelo.games.exact_pig import ExactPig
from zermelo.games.gobblet import GobbletGobblers
from zermelo.games.hog import Hog
from zermelo.games.left_center_right import LeftCenterRight
from zermelo.games.pig import Pig, Piglet
from zermelo.games.solitaire_pig import SolitairePig
from zermelo.games.ten_thousand import TenThousand


class Place(NamedTuple):
    at: int


class Loop(NamedTuple):
    """Pay `cost` a step until, with 1 way in `ways`, it is over; a model checker's sound default gives -59.5 for -1 and 100."""

    cost: int = -1
    ways: int = 100

    def start(self):
        return Place(0)

    def outcomes(self, s):
        if s.at == 0:
            yield 1, self.cost, Place(1)
            if self.ways > 1:
                yield self.ways - 1, self.cost, Place(0)


class Wait(NamedTuple):
    """Wait (and pay `wait`) or leave (and pay `leave`)."""

    wait: int = 0
    leave: int = -5

    def start(self):
        return Place(0)

    def actions(self, s):
        if s.at == 0:
            yield 0
            yield 1

    def outcomes(self, s, action):
        if action == 0:
            yield 1, self.wait, Place(0)
        else:
            yield 1, self.leave, Place(1)


class Standoff(NamedTuple):
    """Both players can cycle forever; residuals alone don't determine the value (-1/3): value iteration from 0 goes wrong."""

    def start(self):
        return Place(0)

    def player(self, s):
        return 1 if s.at == 0 else 0

    def actions(self, s):
        if s.at < 2:
            yield 0
            yield 1

    def outcomes(self, s, action):
        if action == 0:
            yield 1, 0, s
        elif s.at == 0:
            yield 2, -1, Place(2)
            yield 1, 0, Place(1)
        else:
            yield 1, 1, Place(2)


class Ring(NamedTuple):
    """Walk round a ring, by choice either way or by chance both ways; each place has its own payoff; leaving is by luck."""

    size: int = 7
    luck: int = 1

    def start(self):
        return Place(0)

    def actions(self, s):
        if s.at < self.size:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s, action):
        here = s.at * s.at % 5 - 2
        yield self.luck, here, Place(self.size)
        if action < 2:
            yield 3, here, Place((s.at + 1 + action * (self.size - 2)) % self.size)
        else:
            yield 1, 0, Place((s.at + 1) % self.size)
            yield 1, 0, Place((s.at + self.size - 1) % self.size)


class Duel(NamedTuple):
    """The ring for two, in turn: one wants much, the other little."""

    size: int = 6

    def start(self):
        return Place(0)

    def player(self, s):
        return s.at % 2

    def actions(self, s):
        if s.at < self.size:
            yield 0
            yield 1

    def outcomes(self, s, action):
        yield 1, s.at - 2, Place(self.size)
        yield 2, 1 - 2 * action, Place((s.at + 1 + action) % self.size)


GAMES = [
    CardDraw(0, 0), CardDraw(1, 0), CardDraw(0, 3), CardDraw(5, 7), CardDraw(12, 12),
    SolitairePig(), SolitairePig(2), SolitairePig(12),
    Pig(1), Pig(2), Pig(9), Piglet(1), Piglet(5), ExactPig(2), ExactPig(3), ExactPig(5), ExactPig(8),
    Hog(1, 1), Hog(4, 3), Hog(9, 2),
    TenThousand(2),
    GobbletGobblers(1, 1, False), GobbletGobblers(1, 1, True), GobbletGobblers(1, 2, True), GobbletGobblers(1, 5, False),
    LeftCenterRight(2, 1), LeftCenterRight(2, 2), LeftCenterRight(3, 1), Dreidel(2, 1), Dreidel(2, 2), Dreidel(3, 1, False),
    CoinPatterns(flips=0), CoinPatterns(flips=9), CoinPatterns(flips=7, heads=3, tails=2),
    Loop(), Loop(-1, 1), Loop(3, 7), Wait(), Wait(0, 5), Wait(-1, -100), Wait(-1, 3), Standoff(),
    Ring(), Ring(1), Ring(2), Ring(12, 3), Duel(), Duel(1), Duel(9),
]  # fmt: skip
SOLVERS = [zermelo.Backward(), zermelo.Cyclic(), zermelo.Retrograde()]


@functools.cache
def _oracle(kind, game):
    return naive.solve(game)


def oracle(game):
    """What the oracle says, which is asked once. (Games of different kinds with the same parameters are equal tuples.)"""
    return _oracle(type(game), game)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_solver_agrees_with_the_oracle(game):
    truth = oracle(game)
    structure = zermelo.examine(game)
    assert (structure.states, structure.outcomes, structure.finals) == naive.count(game)
    for solver in SOLVERS:
        if not solver.accepts(structure):
            continue
        solution = zermelo.solve(game, solver=solver)
        assert len(solution.space) == len(truth)
        for state, expected in truth.items():
            known = solution.answers.known(state)  # without what each action is worth: that is for the exact values below
            low, high = known.interval()
            assert Fraction(low) <= expected[0] <= Fraction(high)
            assert high - low <= 1e-10 * max(1, abs(expected[0]))
            assert [float(v) for v in known.values] == pytest.approx([float(v) for v in expected], rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_exact_values_are_those_of_the_oracle(game):
    truth = oracle(game)
    solution = zermelo.solve(game, exact=True)
    assert solution.is_exact and solution.low == solution.value == solution.high
    for state, expected in truth.items():
        probe = solution.probe(state)
        assert probe.value == expected[0]
        assert tuple(probe.payoffs.values()) == tuple(expected)
        if probe.action is not None:
            assert probe.actions[probe.action] == expected[0]


@pytest.mark.parametrize("game", [Wait(1, 5), Wait(1, -5), Loop(1, 1)._replace(ways=2)], ids=str)
def test_payoffs_without_end_have_no_value(game):
    if isinstance(game, Loop):
        assert zermelo.solve(game).value == pytest.approx(2)
        return
    with pytest.raises(zermelo.NoValue, match=r"Place\(at=0\)"):
        zermelo.solve(game)


def test_a_loop_that_nobody_can_leave():
    class Trap(NamedTuple):
        pay: int = 0

        def start(self):
            return Place(0)

        def outcomes(self, s):
            yield 1, self.pay, Place(1 - s.at)

    assert zermelo.solve(Trap()).value == 0
    with pytest.raises(zermelo.NoValue, match="Place"):
        zermelo.solve(Trap(1))


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.999])
@pytest.mark.parametrize("game", [Loop(-1, 1), Loop(), CardDraw(5, 5), Duel(), Ring(), Wait(1, 5)], ids=str)
def test_discounted_values_in_floats_and_rationals_agree(game, discount):
    solution = zermelo.solve(game, discount=discount)
    exact = zermelo.solve(game, discount=discount, exact=True)
    assert Fraction(solution.low) <= exact.value <= Fraction(solution.high)
    if game == Wait(1, 5):
        assert exact.value == max(Fraction(5), 1 / (1 - Fraction(str(discount))))


def test_relabelling_states_changes_nothing():
    class Elsewhere(NamedTuple):
        """Duel with the places renamed."""

        size: int = 6

        def start(self):
            return Place(100)

        def place(self, s):
            return s.at // -3 + 34 if s.at >= 0 else 0

        def player(self, s):
            return (100 - s.at) % 2

        def actions(self, s):
            if 100 - s.at < self.size:
                yield 1
                yield 0

        def outcomes(self, s, action):
            at = 100 - s.at
            yield 2, 1 - 2 * action, Place(100 - (at + 1 + action) % self.size)
            yield 1, at - 2, Place(100 - self.size)

    assert zermelo.solve(Elsewhere(), exact=True).value == zermelo.solve(Duel(), exact=True).value


@pytest.mark.parametrize("discount", [0, -1, 1.5, float("nan")])
def test_a_discount_out_of_range_is_refused(discount):
    with pytest.raises(zermelo.ParameterError, match="discount"):
        zermelo.solve(CardDraw(), discount=discount)


def test_a_solver_that_does_not_fit_is_refused():
    with pytest.raises(zermelo.ParameterError, match="Backward does not take this game"):
        zermelo.solve(Pig(5), solver=zermelo.Backward())


def test_too_many_states_are_refused():
    with pytest.raises(zermelo.OutOfReach, match="more than 1,000 states"):
        zermelo.solve(CardDraw(200, 200), max_states=1000)


# States, outcomes that can happen, and finals: golden data, so that a change of rules or exploring doesn't go unseen.
COUNTS = {
    CardDraw(): (27 * 27, 3 * (27 * 27 - 1) - 2 * 26, 1),
    CardDraw(1000, 1000): (1001**2, 3 * (1001**2 - 1) - 2 * 1000, 1),
    Pig(): (490_248, 3_353_328, 99 * 99),
    Hog(): (9_900, 1_753_290, 99),
    ExactPig(): (75 * 76 * 76, 1_530_000, 213_825),
    TenThousand(): (1_873, 16_602, 1),
    LeftCenterRight(): (495, 6_198, 3 * 9),
    CoinPatterns(flips=30): (1_309, 2_444, 87),
    GobbletGobblers(1, 5, False): (765, 2_270, 138),
}


@pytest.mark.parametrize("game", COUNTS, ids=str)
def test_counts(game):
    structure = zermelo.examine(game)
    assert (structure.states, structure.outcomes, structure.finals) == COUNTS[game]
