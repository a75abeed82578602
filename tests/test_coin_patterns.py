"""Coin patterns: the rules, the counts in whole numbers and their limit, against each other and against all sequences."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import pytest

import naive
import zermelo
from known import known
from zermelo.games import CoinPatterns, coin_patterns_counts
from zermelo.games.coin_patterns_counts import Counts, course, exact_counts, growth, limit
from zermelo.language.rules import Rules


def by_hand(game: CoinPatterns) -> Counts:
    """Write down all sequences and count."""
    wins = [0, 0, 0]
    for letters in product("HT", repeat=game.flips):
        flips = "".join(letters)
        lead = occurrences(game.first, flips) - occurrences(game.second, flips)
        wins[0 if lead > 0 else 1 if lead < 0 else 2] += game.heads ** flips.count("H") * game.tails ** flips.count("T")
    return Counts(*wins)


def occurrences(pattern: str, flips: str) -> int:
    return sum(flips.startswith(pattern, i) for i in range(len(flips)))


def some_game(seed: int, most_flips: int, longest: int) -> CoinPatterns:
    """Any two patterns; often one begins, ends or repeats the other."""
    chance = random.Random(seed)
    first, second = ("".join(chance.choices("HT", k=chance.randint(1, longest))) for _ in range(2))
    second = chance.choice([second, second, first, first[1:] or "T", first + second, second + first])
    return CoinPatterns(first, second, chance.randint(0, most_flips), chance.randint(1, 3), chance.randint(1, 3))


@pytest.mark.parametrize("seed", range(60))
def test_counts_are_those_of_all_sequences(seed):
    game = some_game(seed, most_flips=10, longest=4)
    assert exact_counts(game) == by_hand(game)


@pytest.mark.parametrize("patterns", [("HH", "HT"), ("HTH", "H"), ("THHT", "HHH"), ("HHTHHTH", "THHTH")], ids=str)
def test_counts_of_twelve_flips(patterns):
    game = CoinPatterns(*patterns, flips=12)
    assert exact_counts(game) == by_hand(game)


@pytest.mark.parametrize("seed", range(12))
def test_rules_give_the_counts(seed):
    """The oracle follows the rules of the game state by state, in rationals."""
    game = some_game(seed, most_flips=14, longest=6)
    assert naive.value(game) == exact_counts(game).probabilities


@pytest.mark.parametrize(
    "game", [CoinPatterns(flips=40), CoinPatterns(flips=30, heads=3, tails=2), CoinPatterns("HTH", "T", 25)], ids=str
)
def test_the_general_engine_gives_the_counts(game):
    found = zermelo.solve(game, exact=True)
    assert tuple(found.payoffs.values()) == exact_counts(game).probabilities
    rounded = zermelo.solve(game)
    for name, exactly in zip(rounded.payoffs, exact_counts(game).probabilities, strict=True):
        low, high = rounded.bounds[name]
        assert Fraction(low) <= exactly <= Fraction(high)


@pytest.mark.parametrize("fact", known("coin_patterns", "counts"), ids=lambda f: f.id)
def test_known_counts(fact):
    assert [*map(str, exact_counts(CoinPatterns(**fact.params)))] == fact.value


@pytest.mark.parametrize("flips", [0, 1, 2, 63, 64, 65, 127, 300])
@pytest.mark.parametrize("pays", [0, 10**9])
def test_flip_by_flip_and_by_squaring(monkeypatch, flips, pays):
    game = CoinPatterns("HTH", "HHT", flips, 2, 1)
    *_, last = course(game)
    monkeypatch.setattr(coin_patterns_counts, "SQUARING_PAYS", pays)
    assert exact_counts(game) == last
    assert last.total == 3**flips


def test_who_is_first_makes_no_difference():
    one, other = exact_counts(CoinPatterns("HTT", "HHT", 80)), exact_counts(CoinPatterns("HHT", "HTT", 80))
    assert (one.first, one.second, one.tie) == (other.second, other.first, other.tie)


def test_a_pattern_against_itself_ties():
    assert exact_counts(CoinPatterns("HTHH", "HTHH", 40)) == (0, 0, 2**40)


# --- many flips -------------------------------------------------------------------------------------------------------


def test_the_limit_of_the_puzzle():
    """Segert 2024: HT is ahead of HH by 1 / (2 sqrt(pi n))."""
    assert growth(CoinPatterns()) == (0, Fraction(1, 2), Fraction(3, 4))
    assert limit(CoinPatterns()) == pytest.approx(-1 / (2 * math.sqrt(math.pi)), rel=1e-15)


@pytest.mark.parametrize(
    "patterns", [("HH", "HT"), ("HHH", "HTH"), ("HTH", "HHT"), ("HTHT", "HHTT"), ("TTT", "HHT")], ids=str
)
def test_edges_come_close_to_their_limit(patterns):
    game = CoinPatterns(*patterns, flips=2000)
    assert exact_counts(game).edge * math.sqrt(2000) == pytest.approx(limit(game), abs=1e-3)


@pytest.mark.parametrize(
    "game",
    [CoinPatterns("HT", "TH"), CoinPatterns("HH", "HH"), CoinPatterns("H", "HT"), CoinPatterns("HH", "HT", heads=2)],
    ids=str,
)
def test_no_limit_where_the_lead_is_bounded_or_drifts(game):
    assert limit(game) is None


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (CoinPatterns(""), "first must be a pattern of the letters H and T, such as HTH, not ''"),
        (CoinPatterns(second="hT"), "second must be a pattern of the letters H and T, such as HTH, not 'hT'"),
        (CoinPatterns(5), "first must be a pattern"),
        (CoinPatterns(flips=-1), "flips must be from 0"),
        (CoinPatterns(heads=0), "heads must be from 1"),
        (CoinPatterns(tails=0.5), "tails must be a whole number"),
    ],
)
def test_parameters_that_do_not_fit(game, says):
    for attempt in (zermelo.solve, exact_counts, limit, lambda g: [*course(g)]):
        with pytest.raises(zermelo.ParameterError, match=says):
            attempt(game)


def test_positions_in_words():
    game = CoinPatterns("HTH", "HH")
    assert game.show(game.start()) == "100 flips left, even"
    state = game.start()
    for coin in "THTHT":
        state = game.after(state, coin)
    assert game.show(state) == "95 flips left, HTH is 1 ahead, last flips HT"


def test_the_picture_marks_the_letters_that_the_last_flips_match():
    rules = Rules(CoinPatterns("HTH", "HHTT", 40))
    first, second, facts, bar, coin = rules.picture(CoinPatterns.State(2, 0, -1, 30))
    assert [(c["card"], c["look"]) for c in first["cards"]] == [("H", "marked"), ("T", "marked"), ("H", "plain")]
    assert {c["look"] for c in second["cards"]} == {"plain"}
    assert facts["facts"] == [["ahead", "HHTT, by 1"]]
    assert (bar["bars"][0]["value"], bar["bars"][0]["of"]) == (10, 40) and rules.places(rules.start, None) == [coin["place"]]
    assert len(rules.picture(CoinPatterns.State(0, 0, 0, 0))) == 4, "no coin after the last flip"
