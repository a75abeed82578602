"""What counting wins: rounds dealt as by hand, means that are known exactly, and the published correlations of Hi-Lo."""

from __future__ import annotations

import json
import random
import shlex
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games.blackjack import Rules, analyse, best_strategy, counting_gains, evaluate_strategy
from zermelo.games.blackjack.cards import counted
from zermelo.games.blackjack.counting import (
    ALL,
    BETS,
    INDICES,
    TABLE,
    Sample,
    _Rounds,
    betting_correlation,
    insurance_correlation,
    insured,
)
from zermelo.games.blackjack.index_search import _crossing, search_indices
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.solving import solve
from zermelo.games.blackjack.strategy import Strategy
from zermelo.games.blackjack.trainer import Round
from zermelo.games.blackjack.ways import (
    HIGH,
    INSURE,
    LOW,
    NEVER,
    Compared,
    Dealer,
    at_count,
    way_of_table,
    way_of_values,
)
from zermelo.games.blackjack.ways import INDICES as PUBLISHED

ONE = Rules(decks=1, split_to=2)
EUROPE = Rules(decks=2, hits_soft_17=True, peek=False, double="9-11", double_after_split=False, resplit_aces=True)
SURRENDER = Rules(decks=2, late_surrender=True, hit_split_aces=True, double_any_number=True)


@cache
def best(rules: Rules) -> Strategy:
    return best_strategy(rules).strategy


def shoes(rules: Rules, number: int, seed: int = 1) -> np.ndarray:
    full = np.repeat(np.arange(10, dtype=np.int8), rules.cards)
    return np.random.default_rng(seed).permuted(np.tile(full, (number, 1)), axis=1)


class Stacked(random.Random):
    """Cards in the order of our dealer, put as the trainer draws them: from the end, the up card first."""

    def __init__(self, cards: np.ndarray):
        super().__init__(0)
        self.cards = cards

    def shuffle(self, x: Any) -> None:
        first, up, second, hole, *rest = self.cards.tolist()
        x[:] = [up, first, second, hole, *rest][::-1]


@pytest.mark.parametrize("rules", [ONE, EUROPE, SURRENDER], ids=lambda r: r.text()[:12])
def test_rounds_are_dealt_and_settled_as_in_the_trainer(rules: Rules) -> None:
    """The trainer draws both second cards of a split pair at once: such rounds are left to the test of means."""
    analysis, dealer, compared = analyse(rules), Dealer(rules), 0
    way = way_of_values(solve(rules))
    for cards in shoes(rules, 120):
        turn = Round(analysis, Stacked(cards))
        while turn.hand is not None and turn.values().best != Option.SPLIT:
            turn.decide(turn.values().best)
        if turn.hand is None:
            compared += 1
            assert dealer.play(way, cards).results.tolist() == [turn.result]
    assert compared > 95


@pytest.mark.parametrize("rules", [Rules(decks=1, split_to=3, resplit_aces=True), EUROPE], ids=lambda r: r.text()[:12])
def test_means_are_those_that_are_known_exactly(rules: Rules) -> None:
    strategy, dealer = best(ONE), Dealer(rules)
    table = way_of_table(strategy)
    known = evaluate_strategy(rules, strategy).value, analyse(rules).value
    many = shoes(rules, 30_000)
    for way, value in zip((table, way_of_values(solve(rules))), known, strict=True):
        results = dealer.compare(way, table, many, 1).results
        assert len(results) == 30_000
        assert abs(results.mean() - float(value)) < 4 * results.std() / len(results) ** 0.5


def test_the_standard_deviation_is_that_of_rounds_that_are_dealt() -> None:
    dealer, table = Dealer(ONE), way_of_table(best(ONE))
    results = dealer.compare(way_of_values(solve(ONE)), table, shoes(ONE, 15_000), 1).results
    assert analyse(ONE).standard_deviation == pytest.approx(results.std(), rel=0.02)


def test_a_pair_that_is_split_by_hand() -> None:
    """8-8 against 6: each half gets a ten and stands at 18; the dealer has 6, 10, 10 and is bust."""
    ranks = [7, 5, 7, 9, 9, 9, 9]
    cards = np.array(ranks + [0] * 45, np.int8)
    dealer, way = Dealer(ONE), way_of_table(best(ONE))
    played = dealer.play(way, cards)
    assert played.results.tolist() == [2.0] and played.at == 7
    assert played.running == sum(way.tags[r] for r in ranks)


def test_insurance_by_the_count_and_by_the_shoe() -> None:
    dealer, strategy = Dealer(ONE), best(ONE)
    way = way_of_table(strategy, PUBLISHED, INSURE)
    assert way.insure_from == 3 - LOW and way_of_table(strategy).insure_from == NEVER
    rich = np.array([9, 0, 8, 9, *[9] * 48], np.int8)
    assert dealer.play(way, rich, running=40).sides.tolist() == [1.0]
    assert dealer.play(way, rich, running=0).sides.tolist() == [0.0]
    assert dealer.play(way, np.array([9, 0, 8, 8, *[9] * 48], np.int8), running=40).sides.tolist() == [-0.5]
    left = (2, 1, 2, 2, 2, 2, 2, 2, 2, 16)
    values, by_hand = solve(Rules(shoe=left, split_to=1)), 0.0
    for i in range(10):
        for j in range(10):
            hand = counted((i, j))
            if all(a - (r == 0) >= b for r, (a, b) in enumerate(zip(left, hand, strict=True))):
                first, second = left[i] - (i == 0), left[j] - (j == 0) - (i == j)
                chance = left[0] / 33 * first / 32 * second / 31
                by_hand += chance * max(0.0, 0.5 * (3 * (left[9] - hand[9]) / 30 - 1))
    assert insured(left, values) == pytest.approx(by_hand, abs=1e-15) and by_hand > 0
    assert insured((0, *left[1:]), values) == 0.0


def test_indices_change_the_table_where_they_should() -> None:
    """Schlesinger 1986: stand with 16 against 10 from a true count of 0 on, hit 12 against 4 below it, double 11 against an ace from 1."""
    table = best(Rules(decks=6, split_to=2))
    for count, row, up, code in (
        (0, "hard 16", 9, "S"), (-1, "hard 16", 9, "H"), (-1, "hard 12", 3, "H"), (0, "hard 12", 3, "S"), (5, "pair 10", 4, "P"),
        (4, "pair 10", 4, "-"), (4, "pair 10", 5, "P"), (1, "hard 11", 0, "D"), (-3, "hard 13", 2, "H"), (4, "hard 15", 9, "S"),
    ):  # fmt: skip
        assert at_count(table, count).code(row, up) == code
    given_up = best(Rules(decks=6, split_to=2, late_surrender=True))
    assert at_count(given_up, 9).code("hard 16", 9) == "Rs", "what is surrendered stays so"


def test_published_correlations_of_hi_lo() -> None:
    """0.97 for betting and 0.76 for insurance, after Griffin's Theory of Blackjack (blackjackinfo.com, 2009)."""
    rules = Rules(decks=1, double_after_split=False, split_to=2)
    assert f"{betting_correlation(rules):.2f}" == "0.97" and f"{insurance_correlation(rules):.2f}" == "0.76"
    assert insurance_correlation(rules, (4,) * 9 + (-9,)) == pytest.approx(1.0)


def test_who_knows_more_wins_more() -> None:
    rules = Rules(decks=4, split_to=1)
    found = counting_gains(rules, (0.2, 0.4), (0, 1, 6), valued=100, shoes=500)
    gain = {(g.dealt, g.spread, g.player): g for g in found.gains}
    assert len(gain) == 24 and found.short == 0 and all(g.error > 0 for g in found.gains)
    assert all(0 < g.rounding < 1e-8 for g in found.gains)
    for dealt in (0.2, 0.4):
        for spread in (0, 1, 6):
            table, bets, every = (gain[dealt, spread, player].mean for player in (TABLE, BETS, ALL))
            assert table <= bets <= every, "the same rounds, better bets, better play"
        assert gain[dealt, 0, ALL].mean >= 0 and gain[dealt, 6, ALL].mean >= gain[dealt, 1, ALL].mean
        flat = gain[dealt, 1, TABLE]
        known = 100 * best_strategy(rules).value
        assert abs(flat.mean - known) < 4 * flat.error + 0.1, "flat bets win what the full shoe is worth, but for the cut card"
    assert all(LOW <= count <= HIGH + 1 for count in found.raised_from.values()) and (INDICES in {g.player for g in found.gains})


@pytest.mark.parametrize("error", [0.0, 1e-13, 0.02])
@pytest.mark.parametrize("most", [0, 1, 12])
def test_means_are_as_far_off_as_rounding_and_the_values_can_make_them(error: float, most: int) -> None:
    """Beside the means of values that are as wrong as they may be, in fractions; many are near 0, where bets by the exact shoe change."""
    random, rounds, shoes, valued = np.random.default_rng(most), 3_000, 100, 400
    shoe, counts = np.sort(random.integers(shoes, size=rounds)), random.integers(-3, 4, size=rounds)
    results, others = random.integers(-4, 5, size=(2, rounds)) / 2
    played = Compared(shoe, np.zeros(rounds, int), counts, results, others, 0)
    numbers = np.sort(random.choice(rounds, valued, replace=False))
    table, optimal = random.normal(counts[numbers] * 0.01, 0.03, size=(2, valued))
    found = _Rounds(played, Sample(numbers, table, optimal, error), 1, shoes)
    small, large = (0, 1) if most == 0 else (1, most)
    limit = found.raised_from()
    for player, values in ((TABLE, table), (INDICES, table), (BETS, table), (ALL, optimal)):
        true = [Fraction(float(v)) + Fraction(error) * int(sign) for v, sign in zip(values, random.choice((-1, 1), valued), strict=True)]
        by_count: dict[int, list[Fraction]] = {}
        for count, v in zip(counts[numbers].tolist(), true, strict=True):
            raised = v > 0 if player in (BETS, ALL) else count >= limit
            by_count.setdefault(count, []).append(v * (large if raised else small))
        means = {c: sum(those, Fraction(0)) / len(those) for c, those in by_count.items()}
        mean = sum(means[c] for c in counts.tolist()) / rounds
        if player == INDICES:
            change = zip(counts.tolist(), (others - results).tolist(), strict=True)
            mean += sum((large if c >= limit else small) * Fraction(x) for c, x in change) / rounds
        ours, _, rounding = found.gain(player, most)
        assert abs(Fraction(ours) - 100 * mean) <= rounding <= 101 * (large * error + 1e-10)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"dealt": (1.0,)}, "shares of the shoe"), ({"dealt": ()}, "at least"), ({"spread": (-1,)}, "spread"), ({"spread": ()}, "at least"),
        ({"valued": 3}, "valued"), ({"shoes": 0}, "shoes"), ({"seed": -1}, "seed"), ({"dealt": (0.9,)}, "deal less, or give a smaller"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        counting_gains(ONE, **given)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split("blackjack counting --decks 4 --split-to 1 --valued 100 --shoes 100 --dealt 0.2 --spread 0,8")
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["gains"]) == 8 and data["insurance correlation"] == pytest.approx(0.76, abs=0.005)
    assert main([*words[:-1], "1,x"]) == 2 and "--spread is a list of numbers" in capsys.readouterr().err


# --- the search for indices ------------------------------------------------------------------------------------------------


def test_a_crossing_is_found_where_it_is() -> None:
    """Differences that are known: a line with its zero at 2.3 and noise; one that turns twice; one that never changes its sign."""
    random = np.random.default_rng(1)
    bins = random.integers(0, HIGH - LOW + 1, 4000)
    counts, weight, noise = bins + LOW, random.uniform(0.5, 2, 4000), random.normal(0, 0.02, 4000)
    index, error, gain, rises = _crossing(bins, 0.1 * (counts - 2.3) + noise, weight)  # type: ignore[misc]
    assert index == 3 and rises and 0 < error < 0.1
    assert gain == pytest.approx(100 * sum(w * 0.1 * (c - 2.3) for w, c in zip(weight, counts, strict=True) if c >= 3), rel=0.01)
    assert _crossing(bins, -0.1 * (counts - 2.3) + noise, weight)[3] is False  # type: ignore[index]
    assert _crossing(bins, 0.1 * (counts**2 - 9.0), weight) is None and _crossing(bins, 1.0 + 0.01 * counts, weight) is None


def test_the_usual_indices_are_found() -> None:
    """Those of Schlesinger 1986 within one, at a table without splitting, where shoes are quickly valued; and insurance."""
    found = search_indices(Rules(split_to=1), valued=420)
    assert found.insure_from == INSURE
    known = {(row, up): index for row, up, index, *_ in PUBLISHED if not row.startswith("pair")}
    ours = {(i.row, i.up): i for i in found.indices}
    for cell, index in known.items():
        assert abs(ours[cell].true_count - index) <= 1, cell
        assert ours[cell].published == index
    assert {(i.above, i.below) for i in found.indices if i.row.startswith("hard 1") and i.row > "hard 11"} <= {("S", "H")}
    gains = [i.gain for i in found.indices]
    assert gains == sorted(gains, reverse=True) and len(set(known) & {(i.row, i.up) for i in found.indices[:20]}) > 10


def test_indices_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = "blackjack indices --decks 4 --split-to 1 --dealt 0.5 --valued 100 --most 3"
    assert main([*words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dealt"] == 0.5
    for wrong, said in (("--dealt 0.99", "which may not suffice"), ("--valued 3", "valued must be"), ("--most 0", "most must be")):
        option, value = wrong.split()
        assert main([value if before == option else word for before, word in pairwise(["", *words.split()])]) == 2
        assert said in capsys.readouterr().err.replace("--", "")
