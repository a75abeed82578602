"""An unbounded score is cut only where the engine proves that stopping is best."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import pytest

import zermelo
from zermelo.engines.explored.settled import Beyond, DependsOnX
from zermelo.games.solitaire_pig import SolitairePig
from zermelo.games.ten_thousand import ENOUGH, TenThousand


def test_the_catalogue_claims_are_proven():
    pig = zermelo.solve(SolitairePig(), exact=True)
    assert pig.value == Fraction(492303203, 60466176)
    assert "proven best for every total" in pig.certificate.argument
    turn = zermelo.solve(TenThousand(), exact=True)
    assert str(turn.value).startswith("121641015674847448340982258132218446206307/")
    assert "proven best for every score" in turn.certificate.argument
    assert ENOUGH == 56


@pytest.mark.parametrize("limit", [20, 21, 30, 57])
def test_any_true_claim_gives_the_same_value(limit):
    class Claim(SolitairePig):
        def settled(self, s):
            return s.total >= limit

    assert zermelo.solve(Claim(), exact=True).value == Fraction(492303203, 60466176)


def test_a_false_claim_is_refused_with_the_better_action():
    class TooSoon(SolitairePig):
        def settled(self, s):
            return s.total >= 19

    with pytest.raises(zermelo.RulesError, match="claims that hold is best at .*19.*, but roll is worth more"):
        zermelo.solve(TooSoon())


class Total(NamedTuple):
    total: int


class Doubling(NamedTuple):
    """Double or nothing in your favour: stopping is never best, whatever is claimed."""

    def start(self):
        return Total(1)

    def actions(self, s):
        if s.total > 0:
            yield 0
            yield 1

    def outcomes(self, s, action):
        if action == 0:
            yield 1, s.total, Total(0)
        else:
            yield 2, 0, Total(2 * s.total)
            yield 1, 0, Total(0)

    def settled(self, s):
        return s.total > 100


def test_a_claim_that_is_false_for_every_score_is_refused():
    with pytest.raises(zermelo.RulesError, match="worth more"):
        zermelo.solve(Doubling())


def test_a_settled_action_must_end_the_play():
    class NotEnding(SolitairePig):
        def actions(self, s):
            if s.total >= 0:
                yield 1
                yield 0

    with pytest.raises(zermelo.ZermeloError):
        zermelo.solve(NotEnding(), max_states=10_000)


def test_numbers_with_an_unknown_part():
    x = Beyond(10, 1)
    assert x + 1 > 10 and x - 3 >= 7 and 2 * x > 19 and x <= x + 0 and x != 9 and -x < 0 and 3 - x < 0
    with pytest.raises(DependsOnX):
        bool(x > 12)
    with pytest.raises(DependsOnX):
        bool(x == 12)
    with pytest.raises(DependsOnX):
        x * x
