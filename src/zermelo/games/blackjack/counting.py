"""The gain of counting cards: betting and playing by the exact shoe, compared with Hi-Lo with the usual indices.

Shoes are shuffled and played round after round to one player, until a share of the cards is dealt; then they are shuffled again. A bettor
puts 1 on a round, or the most that the spread allows where a win is expected. The means need few random numbers:

- Many shoes are played by the table of totals, with Hi-Lo's true count before every round.
- A sample of their rounds is drawn, the same share of those with each true count. Their values with the cards that are left are computed
  exactly, for the table and for optimal play. The mean is that of the true counts' means, weighted by how often they come up.
- The value of indices is the change in results when all rounds are played again by them, from the same cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.errors import ParameterError
from zermelo.games.blackjack.analysis import analyse
from zermelo.games.blackjack.cards import ACE, RANKS, TEN, hard_total
from zermelo.games.blackjack.dealer import UNIT
from zermelo.games.blackjack.errors import errors
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.index_search import search_indices
from zermelo.games.blackjack.plans import Plan, plan_value
from zermelo.games.blackjack.rules import Rules, check_rules, points_needed
from zermelo.games.blackjack.shoes import Effects, rules_with
from zermelo.games.blackjack.simple import Table, best_strategy
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, Values, solve
from zermelo.games.blackjack.threads import pool
from zermelo.games.blackjack.ways import HI_LO, HIGH, INSURE, LOW, Compared, Dealer, Indices, check_dealt, way_of_table
from zermelo.games.blackjack.ways import INDICES as PUBLISHED

AT_ONCE = 2_000  # shoes
DEALT, SPREAD = (0.5, 0.75), (1, 4, 8, 12)
RARE = 1_000  # a true count that comes up less often than once in this many rounds is not used to set where bets are raised
INSURED = 200 * UNIT  # rounding of insurance: a mean over pairs of some three operations each, of values up to 1
TABLE, INDICES, OWN = "table of totals, bets by Hi-Lo", "Hi-Lo with 18 indices", "Hi-Lo with indices for this table"
BETS, ALL = "table of totals, bets by the exact shoe", "bets and plays by the exact shoe"


class Gain(NamedTuple):
    """A player's win in 100 rounds, in units of the smallest bet."""

    player: str
    dealt: float  # the share of the shoe that is dealt
    spread: int  # the largest bet; 0: one unit where a win is expected, else none
    mean: float
    error: float  # standard error
    rounding: float = 0.0  # bound on the rounding of the mean, for the rounds that were drawn and the counts that raise bets


class Counting(NamedTuple):
    """Gains of all players, depths and spreads."""

    rules: Rules
    gains: tuple[Gain, ...]
    raised_from: dict[float, int]  # by depth: the true count from which Hi-Lo raises its bet
    betting: float  # Hi-Lo's betting correlation
    insurance: float  # and its correlation with insurance
    rounds: int  # that were played
    valued: int  # of these, exactly
    short: int  # shoes that ran out of cards, and rounds that were left out since the next one might have


class Sample(NamedTuple):
    """Rounds that were valued exactly."""

    number: np.ndarray  # int64[n] which of the rounds that were played
    table: np.ndarray  # float64[n] playing the table of totals
    optimal: np.ndarray  # float64[n] optimally, insurance included
    error: float  # how far any of these values can be from the truth, at most


def counting_gains(
    rules: Rules,
    dealt: Sequence[float] = DEALT,
    spread: Sequence[int] = SPREAD,
    valued: int = 1_000,
    shoes: int = 100_000,
    seed: int = 1,
    progress: Progress = silent,
    own_indices: bool = False,
) -> Counting:
    """What counters win in 100 rounds, by how much of the shoe is dealt, and by the largest bet.

    valued : rounds that are valued exactly, some ten milliseconds each; shoes : how many are played, some microseconds a round.
    own_indices : Hi-Lo plays by indices that are searched for this table and the deepest of the depths, instead of the published eighteen.
    Nobody else plays, and the smallest bet is 1; a spread of 0 means to bet 1 where a win is expected, and otherwise nothing.
    Raises `ParameterError`.
    """
    check_rules(rules)
    for name, number in (("valued", valued), ("shoes", shoes)):
        whole(name, number, 100, 10_000_000)
    whole("seed", seed, 0)
    _check(rules, dealt, spread)
    full = np.repeat(np.arange(RANKS, dtype=np.int8), rules.cards)
    cut = int(max(dealt) * len(full))
    strategy = best_strategy(rules, progress).strategy
    with Table(rules) as table:
        plan = table.plan(strategy)
    dealer, random = Dealer(rules), np.random.default_rng(seed)
    indices: Indices = PUBLISHED
    insure, counter = INSURE, INDICES
    if own_indices:
        searched = search_indices(rules, max(dealt), valued, seed, progress)
        indices, insure, counter = tuple(index[:5] for index in searched.indices), searched.insure_from, OWN
    ways, parts, cards = (way_of_table(strategy), way_of_table(strategy, indices, insure)), [], []
    for begin in range(0, shoes, AT_ONCE):
        cards.append(random.permuted(np.tile(full, (min(AT_ONCE, shoes - begin), 1)), axis=1))
        part = dealer.compare(*ways, cards[-1], cut)
        parts.append(part._replace(shoe=part.shoe + begin))
        progress("playing shoes", begin, shoes)
    joined = [np.concatenate([part[k] for part in parts]) for k in range(5)]
    played = Compared(joined[0], joined[1], joined[2], joined[3], joined[4], sum(part.short for part in parts))
    sample, thin = _valued(rules, plan, played, np.concatenate(cards), valued, random, progress)
    gains, raised = [], {}
    for share in dealt:
        rounds = _Rounds(played, sample, int(share * len(full)), shoes)
        raised[share] = rounds.raised_from()
        gains += [Gain(player, share, most, *rounds.gain(player, most)) for most in spread for player in (TABLE, counter, BETS, ALL)]
    betting, insurance = betting_correlation(rules), insurance_correlation(rules)
    return Counting(rules, tuple(gains), raised, betting, insurance, len(played.starts), len(sample.number), played.short + thin)


def _check(rules: Rules, dealt: Sequence[float], spread: Sequence[int]) -> None:
    if not len(dealt) or not len(spread):
        raise ParameterError("counting needs a share of the shoe and a spread at least")
    for most in spread:
        whole("spread", most, 0, 1_000_000)
    for share in dealt:
        check_dealt(rules, share)


def _valued(
    rules: Rules, plan: Plan, played: Compared, cards: np.ndarray, valued: int, random: np.random.Generator, progress: Progress
) -> tuple[Sample, int]:
    """Draw rounds, the same share of those with each true count, and value them; and how many were left out as the shoe was too thin."""
    chosen = []
    for count in np.unique(played.counts):
        among = np.flatnonzero(played.counts == count)
        chosen.append(random.choice(among, min(len(among), max(20, round(valued * len(among) / len(played.counts)))), replace=False))
    numbers, needed = np.sort(np.concatenate(chosen)), points_needed(rules.split_to)

    def value(number: int) -> tuple[float, float, float]:
        left = tuple(np.bincount(cards[played.shoe[number], played.starts[number] :], minlength=RANKS).tolist())
        if hard_total(left) < needed:
            return np.nan, np.nan, 0.0
        now = rules_with(rules, left)
        values = solve(now)
        return plan_value(rules, left, plan), values.value + insured(left, values), errors(now).round + INSURED

    found = []
    for pair in pool().map(value, numbers.tolist()):
        found.append(pair)
        progress("valuing rounds", len(found), len(numbers))
    table, optimal, error = np.array(found).T
    fits = ~np.isnan(table)
    return Sample(numbers[fits], table[fits], optimal[fits], float(error.max())), int((~fits).sum())


def insured(left: Sequence[int], values: Values) -> float:
    """The value of half a bet of insurance to a player who takes it where it gains, given his cards."""
    if not left[ACE]:
        return 0.0
    tens = hands().counts[FIRST_PAIR : FIRST_PAIR + PAIRS, TEN].astype(float)
    gain = 0.5 * (3.0 * (left[TEN] - tens) / (sum(left) - 3) - 1.0)
    return float(left[ACE] / sum(left) * (values.chance[:, ACE] * np.maximum(gain, 0.0)).sum())


class _Rounds:
    """The rounds that begin before a cut, by the true count there."""

    def __init__(self, played: Compared, sample: Sample, cut: int, shoes: int):
        inside, own = played.starts < cut, played.starts[sample.number] < cut
        self.shoes, self.shoe, self.at = shoes, played.shoe[inside], played.counts[inside] - LOW
        self.change = (played.others - played.results)[inside]  # that indices and insurance make
        self.own = played.counts[sample.number][own] - LOW
        self.table, self.optimal, self.error = sample.table[own], sample.optimal[own], sample.error
        self.often = np.bincount(self.at, minlength=HIGH - LOW + 1) / len(self.at)

    def raised_from(self) -> int:
        """The true count from which on a round played by the table is worth something on average."""
        known, values = np.bincount(self.own, minlength=len(self.often)), np.bincount(self.own, self.table, len(self.often))
        loses = (self.often > 1 / RARE) & (known > 0) & (values <= 0)
        return int(np.flatnonzero(loses).max(initial=-1)) + 1 + LOW

    def gain(self, player: str, most: int) -> tuple[float, float, float]:
        """The mean of 100 rounds, its standard error, and a bound of its rounding."""
        small, large = (0, 1) if most == 0 else (1, most)
        values = self.optimal if player == ALL else self.table
        by_count = np.where(np.arange(len(self.often)) + LOW >= self.raised_from(), large, small)
        bets = by_count[self.own] if player in (TABLE, INDICES, OWN) else np.where(values > 0, large, small)
        mean, error = self._stratified(bets * values)
        if player in (INDICES, OWN):
            change, doubt = self._of_shoes(by_count[self.at] * self.change)
            mean, error = mean + change, np.hypot(error, doubt)
        # A bet by the exact shoe changes where the value passes 0, so the error of its win is at most `large` times that of the value.
        terms = len(self.at) + len(self.own) + self.shoes + 4 * len(self.often)  # that are added up, one after the other
        added = terms * UNIT * large * (np.abs(values).max(initial=0.0) + np.abs(self.change).max(initial=0.0))
        return 100 * float(mean), 100 * float(error), 101 * float(large * self.error + added)

    def _stratified(self, won: np.ndarray) -> tuple[float, float]:
        """The mean over all rounds, from those that were valued."""
        known = np.bincount(self.own, minlength=len(self.often))
        means = np.bincount(self.own, won, len(self.often)) / np.maximum(known, 1)
        spread = np.bincount(self.own, (won - means[self.own]) ** 2, len(self.often)) / np.maximum(known - 1, 1)
        within = (self.often**2 * spread / np.maximum(known, 1)).sum()
        mean, doubt = self._of_shoes(means[self.at])
        return mean, float(np.sqrt(within + doubt**2))

    def _of_shoes(self, won: np.ndarray) -> tuple[float, float]:
        """The mean of a round and its standard error, a ratio of sums over shoes, which are independent."""
        total, rounds = np.bincount(self.shoe, won, self.shoes), np.bincount(self.shoe, minlength=self.shoes)
        mean = total.sum() / rounds.sum()
        return float(mean), float(np.sqrt(((total - mean * rounds) ** 2).sum()) / rounds.sum())


# --- how good Hi-Lo is ---------------------------------------------------------------------------------------------------------


def betting_correlation(rules: Rules, tags: Sequence[int] = HI_LO) -> float:
    """How a count goes with the effects of removal on the value of a round (Griffin, "The Theory of Blackjack")."""
    effects = Effects(analyse(rules))
    return _correlation(rules, [removal.frozen - effects.value for removal in effects.removals], tags)


def insurance_correlation(rules: Rules, tags: Sequence[int] = HI_LO) -> float:
    """How a count goes with the effects of removal on insurance, which pays for a ten only."""
    return _correlation(rules, [-9 if rank == TEN else 4 for rank in range(RANKS) if rules.cards[rank]], tags)


def _correlation(rules: Rules, effects: Sequence[float], tags: Sequence[int]) -> float:
    cards = np.array([count for count in rules.cards if count], float)
    counted = np.array([tag for tag, count in zip(tags, rules.cards, strict=True) if count], float)
    x, y = (v - (v * cards).sum() / cards.sum() for v in (np.array(effects, float), counted))
    return float((x * y * cards).sum() / np.sqrt((x * x * cards).sum() * (y * y * cards).sum()))
