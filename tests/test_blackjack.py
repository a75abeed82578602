"""Blackjack: the analysis against a slow oracle, whole numbers, the generic engine, and laws."""

import sys
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from naive_blackjack import Naive, add
from zermelo.errors import ParameterError
from zermelo.games import blackjack
from zermelo.games.blackjack import AfterSplit, Effects, Option, Rules, analyse, read_strategy
from zermelo.games.blackjack.cards import counted, hand_of, shown, total
from zermelo.games.blackjack.exceptions import deviations
from zermelo.games.blackjack.plans import plan_value
from zermelo.games.blackjack.rational import hands_of
from zermelo.games.blackjack.rules import check_rules
from zermelo.games.blackjack.simple import Table
from zermelo.games.blackjack.spread import plan_spread
from zermelo.games.blackjack.strategy import ROWS, checked
from zermelo.kernels.kernel import only

sys.path.append(str(Path(__file__).parents[1] / "examples"))
EIGHTS = (2, 0, 3, 0, 0, 2, 0, 5, 0, 9)  # many pairs in few cards
SHOES = [
    Rules(shoe=EIGHTS, split_to=4),
    Rules(shoe=EIGHTS, split_to=3, hits_soft_17=True, double_after_split=False),
    Rules(shoe=EIGHTS, split_to=3, peek=False),
    Rules(shoe=(4, 3, 0, 2, 0, 0, 0, 0, 5, 6), split_to=3, resplit_aces=True),
    Rules(shoe=(4, 3, 0, 2, 0, 0, 0, 0, 5, 6), split_to=3, hit_split_aces=True, double="9-11"),
    Rules(shoe=(4, 3, 0, 2, 0, 0, 0, 0, 5, 6), split_to=2, double_any_number=True, late_surrender=True),
]

TEXT = """#           2   3   4   5   6   7   8   9  10   A
hard 4:     H   H   H   H   H   H   H   H   H   H
hard 5:     H   H   H   H   H   H   H   H   H   H
hard 6:     H   H   H   H   H   H   H   H   H   H
hard 7:     H   H   H   H   H   H   H   H   H   H
hard 8:     H   H   H   D   D   H   H   H   H   H
hard 9:     D   D   D   D   D   H   H   H   H   H
hard 10:    D   D   D   D   D   D   D   D   H   H
hard 11:    D   D   D   D   D   D   D   D   D   D
hard 12:    H   H   S   S   S   H   H   H   H   H
hard 13:    S   S   S   S   S   H   H   H   H   H
hard 14:    S   S   S   S   S   H   H   H   H   H
hard 15:    S   S   S   S   S   H   H   H   H   H
hard 16:    S   S   S   S   S   H   H   H   H   H
hard 17:    S   S   S   S   S   S   S   S   S   S
hard 18:    S   S   S   S   S   S   S   S   S   S
hard 19:    S   S   S   S   S   S   S   S   S   S
hard 20:    S   S   S   S   S   S   S   S   S   S
soft 12:    H   H   H   D   D   H   H   H   H   H
soft 13:    H   H   D   D   D   H   H   H   H   H
soft 14:    H   H   D   D   D   H   H   H   H   H
soft 15:    H   H   D   D   D   H   H   H   H   H
soft 16:    H   H   D   D   D   H   H   H   H   H
soft 17:    D   D   D   D   D   H   H   H   H   H
soft 18:    S  Ds  Ds  Ds  Ds   S   S   H   H   S
soft 19:    S   S   S   S  Ds   S   S   S   S   S
soft 20:    S   S   S   S   S   S   S   S   S   S
pair 2:     P   P   P   P   P   P   -   -   -   -
pair 3:     P   P   P   P   P   P   P   -   -   -
pair 4:     -   -   P   P   P   -   -   -   -   -
pair 5:     -   -   -   -   -   -   -   -   -   -
pair 6:     P   P   P   P   P   P   -   -   -   -
pair 7:     P   P   P   P   P   P   P   -   -   -
pair 8:     P   P   P   P   P   P   P   P   P   P
pair 9:     P   P   P   P   P   -   P   P   -   -
pair 10:    -   -   -   -   -   -   -   -   -   -
pair A:     P   P   P   P   P   P   P   P   P   P
"""


def pairs_of(rules):
    for up in range(10):
        for rank in range(10):
            if rules.cards[up] and rules.cards[rank] >= 2 + (rank == up):
                yield rank, up


def options(analysis, hand, up):
    return analysis.hand(hand, up + 1).values


@pytest.mark.parametrize("rules", SHOES, ids=lambda r: r.text())
def test_hands_card_by_card(rules):
    """Every option but splitting, of every hand of a small shoe."""
    analysis = analyse(rules)
    compared = 0
    for up in (u for u in range(10) if rules.cards[u]):
        naive = Naive(rules, up)
        for hand in hands_of(add(rules.cards, up, -1)):
            if hand == counted((0, 9)):
                continue
            left = tuple(a - b for a, b in zip(add(rules.cards, up, -1), hand, strict=True))
            found, orders = options(analysis, hand, up), naive.orders(left)
            for option, value in naive.best(left, hand).items():
                assert found[option] == pytest.approx(value / orders, abs=3e-15)
                compared += 1
    assert compared > 500


@pytest.mark.parametrize("rules", SHOES[:5], ids=lambda r: r.text())
def test_splits_card_by_card(rules):
    """Pairs split and split again, hands played from left to right, for the strategy CDZ-."""
    analysis = analyse(rules)
    looked_at = {(7, 9)} if rules.split_to == 4 else {(7, 9), (7, 2), (0, 9), (8, 8), (0, 3)}
    for rank, up in looked_at.intersection(pairs_of(rules)):
        naive = Naive(rules, up)
        shoe = add(rules.cards, up, -1)

        def plan(hand, naive=naive, shoe=shoe):
            return naive.plan(tuple(a - b for a, b in zip(shoe, hand, strict=True)), hand)

        value = float(naive.split(rank, plan))
        assert options(analysis, counted((rank, rank)), up)[Option.SPLIT] == pytest.approx(value, abs=2e-14)


def test_a_pair_that_is_split_is_split_again():
    """As docs/blackjack.md says, with its numbers: also where that costs something, so that more hands can make a round worth less."""
    shoe = (2, 3, 2, 3, 4, 2, 1, 2, 2, 17)
    tables = [analyse(Rules(shoe=shoe, double_after_split=False, split_to=most)) for most in (2, 3, 4)]
    assert [round(table.value, 6) for table in tables] == [0.048539, 0.048528, 0.048005]
    assert all(table.by_up_card["6"] == pytest.approx(_round_against(table, 5), abs=1e-14) for table in tables)
    once, always = (analyse(Rules(split_to=most)).hand("10 10", "10") for most in (2, 4))
    assert [round(found.values[Option.SPLIT], 6) for found in (once, always)] == [0.052047, -0.363392]
    assert round(always.values[Option.STAND], 6) == 0.559145


def _round_against(table, up):
    """The value of a round against an up card: of each pair always splitting or never, whichever is better."""
    shoe, value = add(table.rules.cards, up, -1), 0.0
    for a, b in combinations_with_replacement(range(10), 2):
        ways = shoe[a] * (shoe[a] - 1) if a == b else 2 * shoe[a] * shoe[b]
        if ways:
            value += ways / (sum(shoe) * (sum(shoe) - 1)) * max(table.hand(counted((a, b)), up + 1, False).values.values())
    return value


@pytest.mark.parametrize(
    ("rules", "rank", "up"), [(SHOES[5], 8, 9), (SHOES[5], 0, 9), (SHOES[4], 0, 8), (SHOES[2], 7, 9)]
)
def test_full_memory_card_by_card(rules, rank, up):
    value = blackjack.full_memory_split(rules, rank + 1, up + 1)
    exactly = Naive(rules, up).split_with_memory(rank)
    assert value == pytest.approx(float(exactly), abs=1e-14)
    assert abs(Fraction(value) - exactly) <= blackjack.full_memory_error(rules, rank + 1, up + 1) < 1e-12


@pytest.mark.parametrize(
    "rules",
    [
        Rules(decks=1, split_to=1), Rules(decks=2, split_to=1, peek=False),
        Rules(decks=1, split_to=1, hits_soft_17=True, late_surrender=True),
    ],
    ids=str,
)  # fmt: skip
def test_exceptions_cost_together_what_the_best_table_costs(rules):
    """Without splits: the loss of a strategy is that of its mistakes, each times how often play comes to it (Kakade and Langford 2002)."""
    found = blackjack.best_strategy(rules)
    twos, more = deviations(analyse(rules), found.strategy)
    assert sum(d.cost_a_round for d in (*twos, *more)) == pytest.approx(found.cost, rel=1e-10) and len(more) > 300
    assert all(d.chance == 0 or d.cost_a_round > 0 for d in more) and more[0].cost_a_round == max(d.cost_a_round for d in more)


def test_the_order_of_ways_to_play_split_hands():
    """Full memory is worth most; what is best for the first hand more than what was best before the split."""
    rules = Rules(decks=1, split_to=2)
    before, first = (analyse(rules, after) for after in (AfterSplit.CDZ, AfterSplit.CDP1))
    for pair in ("7 7", "10 10"):
        for up in ("A", "6", "10"):
            best = blackjack.full_memory_split(rules, pair.split()[0], up)
            values = [a.hand(pair, up).values[Option.SPLIT] for a in (first, before)]
            assert best >= values[0] - 1e-15 and values[0] >= values[1] - 1e-15
    rules = Rules(decks=1, peek=False, double_after_split=False, split_to=2)
    before, first = (analyse(rules, a).hand("3 3", "10").values[Option.SPLIT] for a in (AfterSplit.CDZ, AfterSplit.CDP1))
    assert before < first < blackjack.full_memory_split(rules, "3", "10", False)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("peek", [False, True])
@pytest.mark.parametrize("shoe", [(2, 0, 1, 0, 1, 1, 0, 1, 0, 4), (2, 1, 0, 1, 0, 0, 1, 0, 1, 4)], ids=str)  # together every rank
def test_the_generic_engine_finds_the_same(shoe, hits_soft_17, peek):
    """Ordinary rules of a small blackjack, solved by `zermelo.solve`: cards one by one, two ways of looking for a blackjack."""
    from small_blackjack import SmallBlackjack

    game = SmallBlackjack(shoe, hits_soft_17, peek)
    table = analyse(Rules(shoe=shoe, split_to=1, hits_soft_17=hits_soft_17, peek=peek))
    with only("interpreted"):
        assert table.value == pytest.approx(zermelo.solve(game).value, abs=1e-13)


@pytest.mark.parametrize("after", AfterSplit)
@pytest.mark.parametrize("rules", SHOES, ids=lambda r: r.text())
def test_whole_numbers_and_floats(rules, after):
    """All options of all hands, in rationals by other code."""
    exact, floats = analyse(rules, after, exact=True), analyse(rules, after)
    assert isinstance(exact.value, Fraction) and exact.value == pytest.approx(floats.value, abs=1e-15)
    for name, value in exact.by_up_card.items():
        assert floats.by_up_card[name] == pytest.approx(float(value), abs=3e-15)
    for hand in hands_of(rules.cards):
        for up in range(10):
            if rules.cards[up] > hand[up]:
                mine, theirs = options(floats, hand, up), options(exact, hand, up)
                assert mine.keys() == theirs.keys()
                assert all(mine[o] == pytest.approx(float(theirs[o]), abs=2e-14) for o in mine)
                bounds = floats.hand(hand, up + 1).bounds
                assert all(Fraction(bounds[o][0]) <= theirs[o] <= Fraction(bounds[o][1]) for o in mine)
    assert Fraction(floats.bounds[0]) <= exact.value <= Fraction(floats.bounds[1]) and exact.bounds == (exact.value, exact.value)
    for name, value in exact.by_up_card.items():
        assert abs(Fraction(floats.by_up_card[name]) - value) <= floats.by_up_card_errors[name] < 1e-10


def test_a_blackjack_is_paid_at_once():
    """In a shoe of tens doubling an ace and a ten would win more; the value of the round took it for allowed."""
    rules = Rules(shoe=(1, 1, 1, 1, 1, 1, 1, 1, 1, 40))
    assert options(analyse(rules), counted((0, 9)), 5).keys() == {Option.STAND}
    assert analyse(rules).value == pytest.approx(float(analyse(rules, exact=True).value), abs=1e-14)


def test_errors_are_as_large_as_the_computation_makes_them():
    """Differences with one card of a rank in three enlarge errors; decks do so only as far as hands are longer."""
    tens, one, eight = (analyse(r) for r in (Rules(shoe=(1, 1, 1, 1, 1, 1, 1, 1, 1, 40)), Rules(decks=1), Rules(decks=8)))
    assert 1e-13 < one.error < eight.error < 1e-12 < tens.error < 1e-11
    twice = one.hand("8 8", "10").errors
    assert twice[Option.SPLIT] > twice[Option.STAND] > one.hand("8 8", "10", conditional=False).errors[Option.STAND]


@pytest.mark.parametrize("conditional", [False, True])
def test_the_dealers_outcomes_within_their_errors(conditional):
    for up in range(10):
        exact, floats = (blackjack.outcomes(Rules(decks=1).cards, up + 1, True, conditional, e) for e in (True, False))
        assert exact.error == 0 < floats.error < 1e-13
        both = [*zip(exact.totals.values(), floats.totals.values(), strict=True), (exact.bust, floats.bust)]
        assert all(abs(Fraction(b) - a) <= floats.error for a, b in both)


# --- laws -------------------------------------------------------------------------------------------------------------


def recursion(shoe, hits_soft_17, hand, p, found):
    """The dealer's plain recursion over all sequences of cards."""
    points, soft = total(hand)
    if sum(hand) == 2 and points == 21:
        found[6] += p
    elif points > 17 or (points == 17 and not (soft and hits_soft_17)):
        found[min(points, 22) - 17] += p
    else:
        for rank in range(10):
            if shoe[rank]:
                recursion(add(shoe, rank, -1), hits_soft_17, add(hand, rank), p * shoe[rank] / sum(shoe), found)


shoes = st.tuples(*[st.integers(0, 3)] * 9, st.integers(0, 6)).filter(
    lambda s: sum(n * (r + 1) for r, n in enumerate(s)) >= 17
)


@given(shoes, st.booleans())
@settings(max_examples=25, deadline=None)
def test_dealer_by_plain_recursion(shoe, hits_soft_17):
    floats = blackjack.dealer_outcomes([shoe], hits_soft_17)[0]
    for up in range(10):
        if not shoe[up]:
            assert np.isnan(floats[up]).all()
            continue
        found = [0.0] * 7
        recursion(add(shoe, up, -1), hits_soft_17, add((0,) * 10, up), 1.0, found)
        assert floats[up] == pytest.approx(found, abs=1e-14) and floats[up].min() >= 0
        exact = blackjack.outcomes(shoe, up + 1, hits_soft_17, exact=True)
        assert [*map(float, exact.totals.values()), float(exact.bust), float(exact.blackjack)] == pytest.approx(
            found, abs=1e-14
        )
        assert sum(exact.totals.values()) + exact.bust + exact.blackjack == 1


def test_many_shoes_at_once_are_each_what_they_are_alone():
    random = np.random.default_rng(5)
    many = np.array(Rules(decks=8).cards) - random.integers(0, 20, (700, 10))
    together = blackjack.dealer_outcomes(many)
    for i in (0, 1, 15, 16, 349, 350, 699):
        assert np.array_equal(together[i], blackjack.dealer_outcomes(many[i : i + 1])[0])


@pytest.mark.parametrize("after", AfterSplit)
@pytest.mark.parametrize("rules", [Rules(decks=1, late_surrender=True), *SHOES], ids=lambda r: r.text())
def test_a_card_burnt_unseen_changes_nothing(rules, after):
    """A plan fixed beforehand is worth as much on average when one random card has left the shoe."""
    if rules.shoe:  # so that cards enough are left
        rules = rules._replace(shoe=tuple(n + 2 for n in rules.cards))
    analysis = analyse(rules, after)
    effects = Effects(analysis)
    assert plan_value(rules, rules.cards, effects.plan) == pytest.approx(analysis.value, abs=1e-15)
    assert effects.mean == pytest.approx(analysis.value, abs=1e-15)
    assert all(r.optimal >= r.frozen - 1e-15 for r in effects.removals)


def test_values_of_many_shoes():
    random = np.random.default_rng(8)
    many = np.array(Rules(decks=1).cards) - random.integers(0, 3, (12, 10))
    found = blackjack.evaluate(many, Rules(split_to=2, hits_soft_17=True))
    for shoe, value in zip(many.tolist(), found, strict=True):
        assert value == analyse(Rules(shoe=tuple(shoe), split_to=2, hits_soft_17=True)).value


def test_rules_that_help_the_player_do():
    """Every freedom is worth something, and what the dealer gains costs it."""
    base = Rules(decks=1, split_to=2, double="10-11", double_after_split=False)
    worse = (base._replace(hits_soft_17=True), base._replace(peek=False), base._replace(blackjack_pays="6:5"))
    better = (
        base._replace(late_surrender=True), base._replace(double="9-11"), base._replace(double="any"),
        base._replace(double_any_number=True), base._replace(double_after_split=True), base._replace(hit_split_aces=True),
    )  # fmt: skip
    value = analyse(base).value
    assert all(analyse(rules).value < value - 1e-5 for rules in worse)
    assert all(analyse(rules).value > value + 1e-5 for rules in better)


# --- simple strategies ------------------------------------------------------------------------------------------------


def played_naively(rules, strategy, power=1):
    """The value of the round for a simple strategy, or its mean square, card by card."""
    value, cards = Fraction(0), sum(rules.cards)
    for up in (u for u in range(10) if rules.cards[u]):
        naive = Naive(rules, up, power)

        def later(hand, up=up, split=False):
            double = rules.may_double(total(hand), sum(hand)) and (rules.double_after_split or not split)
            return strategy.later(hand, up, double)

        def fixed(shoe, hand, what, naive=naive, later=later):
            if what is Option.STAND:
                return naive.paid(shoe, hand)
            found = 0
            for ways, r in naive.cards(shoe):
                left, after = add(shoe, r, -1), add(hand, r)
                over = total(after)[0] > 21
                if what is Option.DOUBLE:
                    found += ways * naive.paid(left, after, 2)
                else:
                    found += ways * (naive.paid(left, after) if over else fixed(left, after, later(after)))
            return found

        shoe = add(rules.cards, up, -1)
        for a, b in combinations_with_replacement(range(10), 2):
            ways = shoe[a] * (shoe[a] - 1) if a == b else 2 * shoe[a] * shoe[b]
            if not ways:
                continue
            hand, left = counted((a, b)), add(add(shoe, a, -1), b, -1)
            clear = 1 - Fraction(left[{0: 9, 9: 0}[up]], sum(left)) if up in (0, 9) else Fraction(1)
            what = strategy.first(rules, hand, up)
            if hand == counted((0, 9)):
                worth = rules.payoff**power * clear
            else:
                if what is Option.SPLIT:
                    worth = naive.split(a, lambda h, later=later: later(h, split=True))
                else:
                    given_up = what is Option.SURRENDER
                    worth = (-Fraction(1, 2)) ** power if given_up else Fraction(fixed(left, hand, what), naive.orders(left))
                worth = worth * clear + (-1) ** power * (1 - clear) if rules.peek else worth
            value += Fraction(rules.cards[up], cards) * Fraction(ways, sum(shoe) * (sum(shoe) - 1)) * worth
    return value


@pytest.mark.parametrize("rules", [SHOES[1], SHOES[2], SHOES[5]], ids=lambda r: r.text())
def test_simple_strategies_card_by_card(rules):
    best = blackjack.best_strategy(rules)
    assert best.value == pytest.approx(float(played_naively(rules, best.strategy)), abs=1e-14)
    assert best.cost >= 0 and best.optimal == analyse(rules).value
    timid = {row: ("-" if row.startswith("pair") else "H" if int(row[5:]) < 12 else "S",) * 10 for row in ROWS}
    timid["pair 8"] = ("P",) * 10
    found = blackjack.evaluate_strategy(rules, checked(timid))
    assert (
        found.value == pytest.approx(float(played_naively(rules, found.strategy)), abs=1e-14)
        and found.value < best.value
    )


@pytest.mark.parametrize("rules", SHOES[1:], ids=lambda r: r.text())
def test_splits_by_a_table_card_by_card(rules):
    """Pairs split and played by a table of totals, with bounds of the error, given that there is no blackjack and not."""
    table = {row: ("P" if row.startswith("pair") else "H" if int(row[5:]) < 14 else "S",) * 10 for row in ROWS}
    strategy = checked(table | {"hard 10": ("D",) * 10, "hard 11": ("D",) * 10, "soft 17": ("Ds",) * 10})
    for rank, up in {(7, 9), (0, 9), (7, 2), (9, 0), (0, 8), (1, 0)}.intersection(pairs_of(rules)):
        naive, left = Naive(rules, up), add(add(rules.cards, up, -1), rank, -2)

        def later(hand, up=up):
            return strategy.later(hand, up, rules.may_double(total(hand), sum(hand)) and rules.double_after_split)

        exactly = naive.split(rank, later)
        clear = 1 - Fraction(left[{0: 9, 9: 0}[up]], sum(left)) if up in (0, 9) else Fraction(1)
        pair = ["A", *"23456789", "10"][rank], ["A", *"23456789", "10"][up]
        for asked in (None, False):
            value = blackjack.split_value(rules, strategy, *pair, asked)
            expected = exactly if asked is None or not rules.peek else exactly * clear - (1 - clear)
            error = blackjack.split_error(rules, *pair, asked)
            assert abs(Fraction(value) - expected) <= error < 1e-10, (pair, value, float(expected))


def test_a_split_by_a_table_of_optimal_play_is_worth_what_the_hand_says():
    """The values of all functions are given the same thing: no blackjack where the dealer looks, unless asked otherwise."""
    rules = blackjack.Rules(decks=1, split_to=2)
    strategy, table = blackjack.best_strategy(rules).strategy, analyse(rules)
    for up in ("5", "10", "A"):
        for asked in (None, True, False):
            value = blackjack.split_value(rules, strategy, "A", up, asked)
            assert value == pytest.approx(table.hand("A A", up, asked).values[Option.SPLIT], abs=1e-14), "one card each: nothing to decide"
    with pytest.raises(ParameterError, match="conditional values need peek=True"):
        blackjack.split_value(rules._replace(peek=False), strategy, "A", "10", True)


@pytest.mark.parametrize("rules", [SHOES[0], SHOES[1], SHOES[2], SHOES[5]], ids=lambda r: r.text())
def test_standard_deviations_card_by_card(rules):
    """Hands of split pairs meet the same dealer, and share the cards."""
    codes = {row: ("-" if row.startswith("pair") else "H" if int(row[5:]) < 15 else "S",) * 10 for row in ROWS}
    codes |= {"pair 8": ("P",) * 10, "pair A": ("P",) * 10, "hard 11": ("D",) * 10, "soft 18": ("Ds",) * 10}
    strategy = checked(codes)
    found = plan_spread(rules, Table(rules).plan(strategy))
    mean, square = (played_naively(rules, strategy, power) for power in (1, 2))
    assert found.mean == pytest.approx(float(mean), abs=1e-14)
    assert found.standard_deviation**2 == pytest.approx(float(square - mean**2), abs=1e-13)
    low, high = (Fraction(found.standard_deviation + side * found.error) for side in (-1, 1))
    assert low**2 <= square - mean**2 <= high**2 and found.error < 1e-10


def test_the_best_simple_strategy_for_six_decks():
    """The table that every book prints for these rules, and no single cell of it can be improved."""
    rules = Rules(hits_soft_17=True)
    found = blackjack.best_strategy(rules)
    assert found.strategy.cells["hard 11"] == ("D",) * 10 and found.strategy.cells["hard 12"] == tuple("HHSSSHHHHH")
    assert found.strategy.cells["soft 18"] == ("Ds",) * 5 + ("S", "S", "H", "H", "H")
    assert found.strategy.cells["pair 9"] == tuple("PPPPP-PP--")
    assert 2e-5 < found.cost < 4e-5
    assert read_strategy(found.strategy.text()) == found.strategy
    cells = dict(found.strategy.cells)
    for row, column, code in (("hard 16", 8, "S"), ("hard 12", 1, "S"), ("soft 17", 1, "H"), ("pair 4", 3, "-")):
        changed = (*cells[row][:column], code, *cells[row][column + 1 :])
        assert blackjack.evaluate_strategy(rules, checked(cells | {row: changed})).value < found.value


@pytest.mark.parametrize(
    "rules", [Rules(decks=1), Rules(shoe=(9, 2, 3, 1, 4, 2, 3, 5, 1, 12), split_to=2)], ids=lambda r: r.text()
)
def test_no_two_changes_between_standing_and_hitting_improve_the_best_simple_strategy(rules):
    """Against every up card: what one cell can't do alone, two of the totals that matter can't do together."""
    with Table(rules) as table:
        best = table.best()
        cells = np.array([best.strategy.cells[row] for row in ROWS])
        reached = table.by_up(cells)
        rows = [
            ROWS.index(row)
            for row in ("hard 12", "hard 13", "hard 14", "hard 15", "hard 16", "hard 17", "soft 17", "soft 18")
        ]
        for i, j in combinations(rows, 2):
            tried = cells.copy()
            tried[[i, j]] = np.where(np.isin(tried[[i, j]], ["S", "Ds"]), "H", "S")
            assert (table.by_up(tried) <= reached + 1e-14).all()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[:12] + lines[13:], "holes: there is no row hard 15$"),
        (lambda lines: lines[:3], "there is no row hard 6, hard 7, hard 8, hard 9 and 30 more"),
        (lambda lines: [*lines, "hard 12: " + "H " * 10], "line 38 of the strategy gives row hard 12 again"),
        (lambda lines: [*lines, "firm 12: " + "H " * 10], "line 38 of the strategy is no row"),
        (lambda lines: [*lines, "hard 21: " + "S " * 10], "the strategy has a row 'hard 21'"),
        (lambda lines: [line.replace("hard 9:", "hard 9: S") for line in lines], "11 codes in row hard 9, not ten"),
        (
            lambda lines: [line.replace("S", "X", 1) for line in lines],
            "says 'X' in row hard 12 against 4; it may be S, H, D",
        ),
    ],
)
def test_strategies_that_make_no_sense(change, told):
    text = TEXT.splitlines()
    assert read_strategy(TEXT).text() == TEXT
    with pytest.raises(ParameterError, match=told):
        read_strategy("\n".join(change(text)))


# --- the tree of draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits_soft_17", "vertices"), [(False, 1867), (True, 1933)])
def test_the_smallest_tree_of_draws(hits_soft_17, vertices):
    """A tree: every hand of the dealer is in it, every parent has one card fewer; HiGHS proves that none is smaller."""
    from zermelo.games.blackjack.dealer_hands import dealer_hands
    from zermelo.games.blackjack.draw_tree import draw_tree, smallest_tree

    tree = smallest_tree(hits_soft_17)
    assert tree.vertices == vertices and sorted(draw_tree(hits_soft_17).hands) == sorted(tree.hands)
    seen = {(0,) * 10}
    for hand, factor in zip(tree.hands, tree.factors, strict=True):
        parent = add(hand, factor.rank, -1)
        assert parent in seen and hand not in seen
        assert (factor.before, factor.position) == (parent[factor.rank], sum(parent))
        seen.add(hand)
    assert dealer_hands(hits_soft_17).multipliers.keys() <= seen


def test_a_spoilt_tree_is_not_believed(tmp_path, monkeypatch):
    from zermelo.games.blackjack import draw_tree

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    draw_tree.draw_tree.cache_clear()
    draw_tree.draw_tree(False)
    (file,) = tmp_path.glob("blackjack_*.json")
    whole = file.read_text()
    for spoilt in (
        whole[:-40],
        "[]",
        whole.replace("[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]", "[0, 0, 0, 0, 0, 0, 0, 0, 1, 0]", 1),
    ):
        file.write_text(spoilt)
        draw_tree.draw_tree.cache_clear()
        assert draw_tree.draw_tree(False).vertices == 1867 and file.read_text() == whole
    draw_tree.draw_tree.cache_clear()


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hand"),
    [("10 6", (5, 9)), ("T6", (5, 9)), ("A,7", (0, 6)), ("8-8", (7, 7)), ("k A", (0, 9)), ("1 2 3", (0, 1, 2))],
)
def test_hands_as_they_are_typed(text, hand):
    assert hand_of(text) == counted(hand)


def test_hands_as_they_are_shown():
    assert shown(counted((0, 5, 9))) == "A-10-6"
    assert all(hand_of(shown(counted(pair))) == counted(pair) for pair in combinations_with_replacement(range(10), 2))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"decks": 0}, "decks must be a whole number from 1 to 100, not 0"),
        ({"decks": 1.5}, "decks must be a whole number"),
        ({"split_to": 5}, "split_to must be a whole number from 1 to 4"),
        ({"peek": 1}, "peek must be True or False"),
        ({"double": "11"}, "double must be one of any, 9-11, 10-11"),
        ({"blackjack_pays": "3:0"}, "blackjack_pays must be a payoff such as 3:2"),
        ({"blackjack_pays": "much"}, "blackjack_pays must be a payoff such as 3:2"),
        ({"shoe": (4,) * 9}, "shoe must be ten counts"),
        ({"shoe": (4,) * 9 + (-1,)}, "the count of rank 10 must be a whole number from 0"),
        ({"shoe": (0,) * 10}, "shoe is empty"),
        ({"shoe": (4, 4, 4, 0, 0, 0, 0, 0, 0, 0)}, "could run out of cards"),
        ({"shoe": (4,) * 10, "decks": 2}, "give decks or shoe, not both"),
        ({"resplit_aces": True, "split_to": 2}, "resplit_aces contradicts split_to=2"),
        ({"hit_split_aces": True, "split_to": 1}, "hit_split_aces contradicts split_to=1"),
        ({"late_surrender": True, "peek": False}, "late_surrender contradicts peek=False"),
    ],
)
def test_rules_that_make_no_sense(given, told):
    with pytest.raises(ParameterError, match=told):
        analyse(Rules(**given))


@pytest.mark.parametrize(
    ("cards", "up", "told"),
    [
        ("10 6", "11", "the up card must be A, 2 to 10"),
        ("10 x", "6", "a hand is a list of cards"),
        ("", "6", "a hand is a list of cards"),
        ("10", "6", "a hand has at least two cards"),
        ("16", "10", "may be the total of a hand or two cards"),
        ("10 6 6", "6", "the hand 10-6-6 is bust: it counts 22"),
        ("A A A A", "A", "the hand A-A-A-A against A can't occur: the shoe has 4 cards of rank A"),
    ],
)
def test_hands_that_make_no_sense(cards, up, told):
    with pytest.raises(ParameterError, match=told):
        analyse(Rules(decks=1)).hand(cards, up)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([[4] * 9], "ten columns"),
        ([[4.0] * 10], "whole numbers"),
        ([[4] * 9 + [-1]], "counts must be whole numbers from 0"),
        ([[4] * 10, [0, 0, 0, 3, 0, 0, 0, 0, 0, 0]], r"shoes\[1\]: with 12 points"),
    ],
)
def test_shoes_that_make_no_sense(given, told):
    with pytest.raises(ParameterError, match=told):
        blackjack.dealer_outcomes(given)


def test_rules_in_small_whole_numbers_of_numpy_do_not_overflow():
    assert Rules(decks=np.uint8(100), split_to=np.int8(4)).cards == Rules(decks=100).cards
    small = check_rules(Rules(shoe=tuple(np.array([4] * 9 + [16], np.int8))))  # 84 points in int8
    assert small.cards == Rules(decks=1).cards and {*map(type, small.cards)} == {int}
    with pytest.raises(ParameterError, match="it must hold at least 148"):
        check_rules(Rules(shoe=(4,) * 7 + (0, 0, 0), split_to=np.int8(4)))


def test_up_cards_that_make_no_sense():
    with pytest.raises(ParameterError, match="the up card 5 is not in the shoe"):
        blackjack.outcomes((4, 4, 4, 4, 0, 4, 4, 4, 4, 16), 5)
    with pytest.raises(ParameterError, match="a blackjack for certain"):
        blackjack.outcomes((1, 0, 0, 0, 0, 0, 0, 0, 0, 9), "A", conditional=True)
    with pytest.raises(ParameterError, match="need peek=True"):
        analyse(Rules(decks=1, peek=False)).hand("10 6", "10", conditional=True)


@pytest.mark.slow
def test_quadruple_precision():
    """Values of Farmer's quadruple precision, to all their digits."""
    from zermelo.basics.numbers import decimals
    from zermelo.reproduce.printed_blackjack import ROUNDS

    for rules, text in ROUNDS:
        places = len(text.partition(".")[2])
        if places > 18:
            assert decimals(analyse(Rules(**rules), exact=True).value, places) == text


def test_what_is_no_shoe_strategy_or_hand_is_named_before_anything_is_computed():
    """Words instead of the errors of what lies below, and never a silent default in their place."""
    full, table = (4,) * 9 + (16,), analyse(Rules(decks=1))
    for shoes in ([full, (1, 2)], [[1.5] * 10], "x"):
        for function in (blackjack.evaluate, blackjack.dealer_outcomes):
            with pytest.raises(ParameterError, match="shoes must be an array of whole numbers"):
                function(shoes)
    with pytest.raises(ParameterError, match="after_split must be one of"):
        blackjack.evaluate([full], after_split="CDP1")
    with pytest.raises(ParameterError, match=r"rules must be blackjack.Rules"):
        blackjack.evaluate([full], 3)
    for shoe in (iter(full), np.array(full)):
        with pytest.raises(ParameterError, match="shoe must be ten counts of cards"):
            analyse(Rules(shoe=shoe))
    with pytest.raises(ParameterError, match="the strategy has holes"):
        blackjack.evaluate_strategy(table.rules, blackjack.Strategy({"hard 4": ("H",) * 10}))
    with pytest.raises(ParameterError, match=r"must be a blackjack.Strategy"):
        blackjack.evaluate_strategy(table.rules, {"hard 4": ("H",) * 10})
    for hand in (None, (-1, 3, 0, 0, 0, 0, 0, 0, 0, 0), (1, 1)):
        with pytest.raises(ParameterError, match="a hand is a text such as"):
            table.hand(hand, "5")
    with pytest.raises(ParameterError, match="needs an analysis in floats"):
        _ = Effects(analyse(Rules(shoe=(2, 1, 1, 1, 2, 1, 1, 1, 1, 5), split_to=1), exact=True)).removals


def test_the_split_that_a_simpler_way_plays_better():
    """8 decks, no hole card, one split, no doubling after it, 3-3 against 10: published as -0.641977 "optimal" and -0.641948 simpler."""
    rules = blackjack.Rules(decks=8, peek=False, double_after_split=False, split_to=2)
    found = blackjack.best_strategy(rules).strategy
    stands = blackjack.Strategy({**found.cells, "hard 16": ("S",) * 5 + ("H", "H", "H", "S", "H")})
    cdz, cdp1 = (blackjack.analyse(rules, a).hand("3 3", "10").values[Option.SPLIT] for a in (AfterSplit.CDZ, AfterSplit.CDP1))
    simple, best_table = (blackjack.split_value(rules, s, "3", "10") for s in (stands, found))
    assert f"{cdz:.6f}" == "-0.641977" and f"{simple:.6f}" == "-0.641948"
    assert best_table < cdz < simple < cdp1
    with pytest.raises(ParameterError, match="can't be split at this table"):
        blackjack.split_value(rules._replace(split_to=1), found, "3", "10")
