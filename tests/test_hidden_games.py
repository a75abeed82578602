"""Games of the catalogue whose players do not see everything: closed forms, whole plays in fractions, and hands counted."""

from __future__ import annotations

import inspect
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import Any, NamedTuple

import pytest

import naive_hidden as naive
import zermelo
from zermelo.engines.hidden import solving
from zermelo.games import (
    Battleship,
    Goofspiel,
    HoldemRiver,
    Inspection,
    KuhnPoker,
    LeducPoker,
    LiarsDice,
    OneCardPoker,
    poker_hands,
)
from zermelo.games.holdem_river import means
from zermelo.games.poker_hands import strength
from zermelo.uses import hidden

F = Fraction


def proven(game: Any) -> Fraction:
    """The value, shown once more by following whole plays against both strategies."""
    solution = zermelo.solve(game)
    policies = solution.policy(0), solution.policy(1)
    for player in range(2):
        assert naive.best_reply(game, player, policies[1 - player]) == solution.value
    assert solution.is_exact
    return solution.value


# --- one card each ----------------------------------------------------------------------------------------------------------


def test_one_card_poker() -> None:
    """G. Gordon's page on one-card poker: losses of about 6.4 cents a deal, if antes and bets are a dollar."""
    assert OneCardPoker() == KuhnPoker(13) and proven(OneCardPoker()) == F(-5, 78) and round(float(F(5, 78)), 3) == 0.064
    assert [proven(KuhnPoker(n)) for n in (2, 3, 4)] == [0, F(-1, 18), F(-1, 24)]


# --- days and inspections ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "most"), [(1, 0), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 4), (5, 2)])
def test_inspections(days: int, most: int) -> None:
    """Dresher's formula where the inspectee is told. Else the inspector draws his days, and is there with probability most / days."""
    told = F(comb(days - 1, most), sum(comb(days, i) for i in range(most + 1)))
    assert proven(Inspection(days, most, told=True)) == told
    assert proven(Inspection(days, most)) == max(F(0), 1 - F(2 * most, days))


class Open(NamedTuple):
    """The same rules without `sees`: everybody sees everything, and every state is a matrix game."""

    days: int = 4
    inspections: int = 2

    start, left, actions, other_actions, outcomes = (
        Inspection.start, Inspection.left, Inspection.actions, Inspection.other_actions, Inspection.outcomes
    )  # fmt: skip


def test_an_inspectee_who_is_told_sees_everything() -> None:
    assert zermelo.solve(Open(), exact=True).value == zermelo.solve(Inspection(4, 2, told=True)).value == F(3, 11)


# --- bids and ships ---------------------------------------------------------------------------------------------------------


def test_goofspiel_is_fair() -> None:
    solution = zermelo.solve(Goofspiel(4))
    assert solution.value == 0 and solution.statistics["information_sets"] == sum(map(len, naive.sets(Goofspiel(4))))
    assert proven(Goofspiel(3)) == proven(Goofspiel(3, shown=True)) == 0


def test_goofspiel_with_a_lead() -> None:
    """Bids that are shown help him who is behind."""
    unseen, shown = (proven(Goofspiel(3, shown, 2, False)) for shown in (False, True))
    assert -1 <= unseen <= shown < 0
    assert proven(Goofspiel(3, ahead=1)) == -1  # points: the lead is all there is


@pytest.mark.parametrize(("width", "height"), [(2, 1), (3, 1), (2, 2)])
def test_ships_of_one_square_are_found_at_random(width: int, height: int) -> None:
    """Both find the other's ship at a time that is uniform on 1, ..., n; the first wins if his is not later: (n + 1) / 2n."""
    squares = width * height
    assert zermelo.solve(Battleship(width, height, 1, squares)).value == F(1, squares)


def test_longer_ships() -> None:
    assert proven(Battleship(3, 1, 2, 3)) == F(1, 2) and proven(Battleship(2, 2, 2, 2)) == F(1, 16)
    with pytest.raises(zermelo.ZermeloError, match="a ship of 3 squares has no room on a board of 2 x 2"):
        zermelo.solve(Battleship(2, 2, 3))


# --- hands of poker ---------------------------------------------------------------------------------------------------------

OF_FIVE = {  # how many hands of five cards are of each category, the highest first
    8: 40, 7: 624, 6: 3_744, 5: 5_108, 4: 10_200, 3: 54_912, 2: 123_552, 1: 1_098_240, 0: 1_302_540,
}  # fmt: skip
OF_SEVEN = {8: 41_584, 7: 224_848, 6: 3_473_184, 5: 4_047_644, 4: 6_180_020, 3: 6_461_620, 2: 31_433_400, 1: 58_627_800, 0: 23_294_460}


def by_counting(hand: tuple[int, ...]) -> tuple[int, list[int]]:
    """The best five cards in another way: all fives are sorted by how often ranks occur."""
    best: tuple[int, list[int]] = (-1, [])
    for five in combinations(hand, 5):
        ranks = sorted((c // 4 for c in five), reverse=True)
        often = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
        shape, order = [n for _, n in often], [r for r, _ in often]
        top = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0] if ranks[0] - ranks[4] == 4 and len(order) == 5 else None
        is_flush = len({c % 4 for c in five}) == 1
        if top is not None:
            found = (8 if is_flush else 4), [top]
        elif is_flush:
            found = 5, ranks
        else:
            found = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)], order
        best = max(best, found)
    return best


def test_all_hands_of_five_cards() -> None:
    """2,598,960 hands, as classes of ranks, with one suit or with several; 7,462 of them differ in worth."""
    counts: Counter[int] = Counter()
    worth = set()
    for ranks in combinations_with_replacement(range(13), 5):
        often = Counter(ranks)
        if max(often.values()) > 4:
            continue
        ways, flushes = 1, 4 if len(often) == 5 else 0
        for n in often.values():
            ways *= comb(4, n)
        at: Counter[int] = Counter()
        hand = []
        for place, rank in enumerate(ranks):
            hand.append(4 * rank + (at[rank] if len(often) < 5 else place == 0))
            at[rank] += 1
        for cards, number in ((tuple(hand), ways - flushes), (tuple(4 * r for r in ranks), flushes)):
            if number:
                found = strength(cards)
                counts[found >> 20] += number
                worth.add(found)
                assert found >> 20 == by_counting(cards)[0]
    assert counts == OF_FIVE and sum(counts.values()) == comb(52, 5) and len(worth) == 7462


def test_hands_of_seven_cards_compare_as_their_best_five() -> None:
    dice = random.Random(7)
    hands = [tuple(dice.sample(range(52), 7)) for _ in range(1500)]
    hands += [tuple(dice.sample(range(0, 52, 4), 5) + dice.sample(range(1, 52, 4), 2)) for _ in range(300)]  # flushes
    hands += [tuple(dice.sample(range(16), 7)) for _ in range(700)]  # four ranks: many pairs, threes and fours
    ranked = sorted((by_counting(hand), strength(hand)) for hand in hands)
    for (a, one), (b, two) in pairwise(ranked):
        assert one < two if a < b else one == two


@pytest.mark.slow
def test_all_hands_of_seven_cards() -> None:
    """133,784,560 hands, one by one, in machine code."""
    import numba
    import numpy as np

    space: dict[str, Any] = {**vars(poker_hands), "np": np}
    for name in ("bits", "straight", "highest", "strength"):
        exec(inspect.getsource(getattr(poker_hands, name)), space)
        space[name] = numba.njit(space[name])
    count = """
def count():
    found = np.zeros(9, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                found[strength((a, b, c, d, e, f, g)) >> 20] += 1
    return found
"""
    exec(count, space)
    assert dict(enumerate(numba.njit(space["count"])().tolist())) == OF_SEVEN


# --- the river --------------------------------------------------------------------------------------------------------------


def hands(word: str) -> int:
    return sum(means(word, a, b) for a in range(52) for b in range(a))


def test_ranges() -> None:
    for word, count in (("AA", 6), ("AK", 16), ("AKs", 4), ("AKo", 12), ("TT+", 30), ("A9s+", 20), ("AhKd", 1), ("all", 1326), ("72o", 12)):
        assert hands(word) == count
    for word in ("AKx", "27", "A", "AhAhx", "+", "AAs", "ZZ"):
        assert hands(word) == 0
    for changed in ({"first": "AA ZZ"}, {"board": "Ks Th 7s 4d"}, {"board": "Ks Ks 7s 4d 2s"}, {"first": "AhAd", "second": "AhAs"},
                    {"middle_bet": 20}, {"first": ""}):  # fmt: skip
        with pytest.raises(zermelo.ZermeloError) as refused:
            zermelo.solve(HoldemRiver(**changed))
        assert "\n" not in str(refused.value)


NUTS_OR_NOTHING = {"board": "2c 2d 7h 8s Jc", "second": "AhAs", "raises": 1}


@pytest.mark.parametrize("percent", [50, 100, 200])
def test_the_best_or_nothing_against_one_hand(percent: int) -> None:
    """With a pot of P and a bet of b the caller folds so often that a bluff wins nothing: he calls with P / (P + b). Bluffs with
    probability b / (P + b) keep him indifferent. So the nuts get P + b P / (P + b), the rest nothing."""
    game = HoldemRiver(first="2h2s 4d3d", pot=100, stack=percent, bet=percent, **NUTS_OR_NOTHING)
    call = F(100, 100 + percent)
    solution = zermelo.solve(game)
    assert proven(game) == F(1, 2) * (100 + percent * call) - 50
    rivals = solution.policy(1)
    called = next(mixture for seen, mixture in rivals.items() if 0 in mixture)
    assert called[1] == call
    bluffs = solution.policy(0)[4 * 2 + 1, 4 * 1 + 1, 0]
    assert 1 - bluffs[1] == F(percent, 100 + percent)


def test_who_holds_a_card_takes_it_from_the_other() -> None:
    """The chance of a pair of hands is the same for all pairs that go together."""
    game = HoldemRiver(first="AA", second="AA KK", raises=1, stack=1)
    drawn = Counter()
    rules = zermelo.language.rules.Rules(game)
    for first in rules.outcomes(rules.start, 1):
        for second in rules.outcomes(first.state, 1):
            share = F(second.ways, sum(o.ways for o in rules.outcomes(first.state, 1)))
            drawn[first.state.first, second.state.second] += F(first.ways, sum(o.ways for o in rules.outcomes(rules.start, 1))) * share
    assert len(set(drawn.values())) == 1 and sum(drawn.values()) == 1
    assert all(not set(a) & set(b) for a, b in drawn) and len(drawn) == 6 * (1 + 3)  # the king of spades is on the board


def test_a_river_in_two_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proven, and to a thousandth of the pot by regret minimisation."""
    game = HoldemRiver(first="AA KTs QJs", second="KQs TT", stack=150, bet=50, middle_bet=100)
    value = proven(game)
    monkeypatch.setattr(solving, "FEW", 0)
    near = zermelo.solve(game, tolerance=0.005)  # times a value of about -12
    assert near.low <= value <= near.high and near.high - near.low <= 0.2 and near.certificate.kind == "bound"


# --- figures ----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_leduc_with_thirteen_ranks_in_two_ways() -> None:
    proven, bounded = zermelo.solve(LeducPoker(13)), zermelo.solve(LeducPoker(13), tolerance=1e-6)
    assert abs(float(proven.value) + 0.0926739) < 5e-8 and proven.is_exact
    assert bounded.low <= proven.value <= bounded.high and bounded.report.facts["rounds"] > 1000  # no linear program


TABLE = {  # dice, other dice, wild: by sides from 1
    (1, 1, 0): (1, 0, F(-1, 9), F(-1, 8), F(-3, 25), F(-1, 9)),
    (1, 1, 1): (1, 1, F(1, 3), 0, 0, F(-7, 327)),
    (1, 1, -1): (1, F(1, 2), F(1, 9), F(1, 16), F(1, 125), F(-7, 258)),
    (2, 1, 0): (1, F(1, 4), F(1, 9), F(345, 1696)),
    (2, 1, 1): (1, 1, F(1, 3), F(1, 4)),
    (2, 1, -1): (1, F(3, 4), F(7, 27), F(33, 152)),
    (1, 2, 0): (1, 0, F(-1, 27), F(-1, 8)),
    (1, 2, 1): (1, 1, F(-1, 27), F(-1, 32)),
    (1, 2, -1): (1, F(3, 4), F(-5, 27), F(-13, 80)),
    (2, 2, 0): (1, F(1, 8), F(1, 81)),
    (2, 2, 1): (1, 1, F(7, 81)),
    (2, 2, -1): (1, F(7, 8), F(5, 81)),
}


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE)
def test_the_table_of_liars_dice(row: tuple[int, int, int]) -> None:
    for sides, value in enumerate(TABLE[row], 1):
        assert zermelo.solve(LiarsDice(row[0], row[1], sides, row[2])).value == value


BOUNDS = {  # the same with five sides, between two bounds
    (2, 1, 0): (0.25408, 0.25410),
    (2, 1, 1): (0.27188, 0.27211),
    (2, 1, -1): (0.20185, 0.20234),
    (1, 2, 0): (-0.21639, -0.21599),
    (1, 2, 1): (-0.02417, -0.02399),
    (1, 2, -1): (-0.14724, -0.14690),
}


@pytest.mark.slow
@pytest.mark.parametrize("row", BOUNDS)
def test_bounds_of_liars_dice(row: tuple[int, int, int]) -> None:
    found, (low, high) = zermelo.solve(LiarsDice(row[0], row[1], 5, row[2]), tolerance=1e-3), BOUNDS[row]
    assert found.low <= high and low <= found.high  # both contain the value
    assert row != (2, 1, 0) or found.low <= F(2128, 8375) <= found.high  # as Ahle's table has it


def test_boards_that_a_player_sees_are_words_in_a_line() -> None:
    """Information sets of battleship were shown as eight numbers."""
    seen = hidden.shown(zermelo.solve(Battleship(shots=1)).answers, 0)
    assert "where does the ship lie?" in seen.values() and "## / .. | .. / .." in seen.values()
    assert len(set(seen.values())) == len(seen)
