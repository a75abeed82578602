"""The same analysis in whole numbers: every value is an integer over a falling factorial, known beforehand.

A hand of c cards leaves N cards in the shoe, the up card included. Its value, not conditional on the dealer's having no blackjack, is
an integer divided by (N - 1)(N - 2) ... (12 + C - c factors), where C is the number of cards of the longest hand. The dealer needs up to 12
cards in addition to the up card, and every card that the player may draw adds one factor, since

    hit(h) = 1/(N - 1) sum_r (s_r - [r = u]) best(h + r).

Factors below 1 are replaced by 1; cards that are not there have no ways. Shares no code with the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from zermelo.basics.progress import Progress
from zermelo.games.blackjack.cards import (
    ACE,
    BEST,
    EMPTY,
    RANKS,
    TEN,
    Counts,
    counted,
    hard_total,
    total,
    with_card,
    without,
)
from zermelo.games.blackjack.dealer_hands import dealer_hands
from zermelo.games.blackjack.options import Number, Option, is_blackjack
from zermelo.games.blackjack.rules import AfterSplit, Rules
from zermelo.games.blackjack.splitting import further_pairs, patterns

DRAWS = 12  # of the dealer, at most, in addition to the up card
LEVELS = range(6)  # totals up to 16, then 17 to 21
UPS = range(RANKS)
Row = list[int]  # an integer for each up card


@lru_cache(maxsize=65536)
def product(n: int, factors: int) -> int:
    """n (n - 1) (n - 2) ..., this many factors, none below 1."""
    return max(n, 1) * product(n - 1, factors - 1) if factors > 0 else 1


class Dealer:
    """The value of standing, in integers over product(N - 1, DRAWS)."""

    def __init__(self, shoe: Counts, hits_soft_17: bool, peek: bool):
        self.shoe, self.peek = shoe, peek
        self._known: dict[Counts, list[Row]] = {}
        multipliers = dealer_hands(hits_soft_17).multipliers
        steps: dict[Counts, int] = {EMPTY: 0}
        self._steps: list[
            tuple[int, int, int]
        ] = []  # hand from the one before: its number, the rank drawn, how many before
        self._ends: list[tuple[int, int, int, list[tuple[int, int]]]] = []  # number, level, cards, (up, multiplier)
        for hand, of_hand in multipliers.items():
            before = EMPTY
            for rank in UPS:
                for k in range(hand[rank]):
                    after = with_card(before, rank)
                    if after not in steps:
                        steps[after] = len(steps)
                        self._steps.append((steps[before], rank, k))
                    before = after
            self._ends.append((steps[hand], total(hand).points - 16, sum(hand), list(of_hand.items())))

    def stands(self, gone: Counts) -> list[Row]:
        """For each level and up card, with these cards gone from the shoe."""
        if gone not in self._known:
            self._known[gone] = self._computed(without(self.shoe, gone))
        return self._known[gone]

    def _computed(self, shoe: Counts) -> list[Row]:
        cards, whole = sum(shoe), product(sum(shoe) - 1, DRAWS)
        ways = [1]
        for before, rank, k in self._steps:
            ways.append(ways[before] * (shoe[rank] - k) if shoe[rank] > k else 0)
        scale = [whole // product(cards - 1, n - 1) if n else 0 for n in range(DRAWS + 2)]
        ends = [[0] * RANKS for _ in LEVELS]
        for number, level, n, of_hand in self._ends:
            if ways[number]:
                scaled = ways[number] * scale[n]
                row = ends[level]
                for up, m in of_hand:
                    row[up] += m * scaled
        found = [[0] * RANKS for _ in LEVELS]
        for up in UPS:
            if shoe[up]:
                clear = whole - _blackjacks(shoe, up, whole)
                rest = clear if self.peek else 2 * clear - whole
                for level in reversed(LEVELS):
                    exactly = ends[level][up] // shoe[up] if level else 0
                    found[level][up] = rest - exactly
                    rest -= 2 * exactly
        return found


def _blackjacks(shoe: Counts, up: int, whole: int) -> int:
    """The dealer's blackjacks, as an integer over `whole`, of which the number of unseen cards is a factor."""
    other = {ACE: TEN, TEN: ACE}.get(up)
    return 0 if other is None else shoe[other] * (whole // (sum(shoe) - 1))


class Play(NamedTuple):
    """The value of a hand against every up card, over a common denominator."""

    stand: Row
    hit: Row | None
    double: Row | None
    best: Row
    action: list[Option]


Choose = Callable[[Counts, int], "Option | None"]  # the play of a hand against an up card; None: the best


class Hands:
    """The play of hands, each computed when it is first needed, with `gone` in addition to the hand removed from the shoe."""

    def __init__(
        self, dealer: Dealer, gone: Counts, may_double: Callable[[Counts], bool], must_stand: Callable[[Counts], bool],
        choose: Choose,
    ):  # fmt: skip
        self.dealer, self.gone = dealer, gone
        self.cards = sum(dealer.shoe) - sum(gone)
        self.may_double, self.must_stand, self.choose = may_double, must_stand, choose
        self.longest = _most_cards(dealer.shoe)
        self._known: dict[Counts, Play] = {}

    def play(self, hand: Counts) -> Play:
        """The options with a hand, and their values, by up card."""
        if hand not in self._known:
            self._known[hand] = self._played(hand)
        return self._known[hand]

    def best(self, hand: Counts) -> Row:
        """The value of the hand if it is played by `choose`, and optimally where that gives None; by up card."""
        return self.play(hand).best

    def denominator(self, cards: int) -> int:
        """The denominator of the whole numbers of a hand of this many cards."""
        return product(self.cards - cards - 1, DRAWS + self.longest - cards)

    def _stand(self, hand: Counts) -> Row:
        n = sum(hand)
        level = max(total(hand).points - 16, 0)
        all_gone = tuple(a + b for a, b in zip(hand, self.gone, strict=True))
        more = product(self.cards - n - 1 - DRAWS, self.longest - n)
        return [more * x for x in self.dealer.stands(all_gone)[level]]

    def _bust(self, hand: Counts) -> Row:
        """A hand that has just gone bust: lost, unless a blackjack of the dealer has taken the bet before."""
        n = sum(hand)
        whole = product(self.cards - n - 1, DRAWS + self.longest - n)
        if not self.dealer.peek:
            return [-whole] * RANKS
        shoe = without(without(self.dealer.shoe, self.gone), hand)
        return [_blackjacks(shoe, up, whole) - whole for up in UPS]

    def one_more(self, hand: Counts, worth: Callable[[Counts], Row]) -> Row:
        """The sum over the next card of ways times worth: over the denominator of `hand`."""
        left = without(without(self.dealer.shoe, self.gone), hand)
        found = [0] * RANKS
        for rank in UPS:
            if left[rank]:
                row = worth(with_card(hand, rank))
                for up in UPS:
                    found[up] += (left[rank] - (rank == up)) * row[up]
        return found

    def _played(self, hand: Counts) -> Play:
        stand = self._stand(hand)
        if self.must_stand(hand):
            return Play(stand, None, None, stand, [Option.STAND] * RANKS)
        wanted = [self.choose(hand, up) for up in UPS]
        hit = double = None
        if any(w in (None, Option.HIT) for w in wanted):
            hit = self.one_more(hand, lambda h: self.play(h).best if hard_total(h) <= BEST else self._bust(h))
        if self.may_double(hand) and any(w in (None, Option.DOUBLE) for w in wanted):
            once = self.one_more(hand, lambda h: self._stand(h) if hard_total(h) <= BEST else self._bust(h))
            double = [2 * x for x in once]
        rows = {Option.STAND: stand, Option.HIT: hit, Option.DOUBLE: double}
        action = [w if w is not None else _best(rows, up) for up, w in enumerate(wanted)]
        best = [(rows[a] or stand)[up] for up, a in enumerate(action)]
        return Play(stand, hit, double, best, action)


def _best(rows: Mapping[Option, Row | None], up: int) -> Option:
    found = Option.STAND
    for option, row in rows.items():
        current = rows[found]
        if row is not None and current is not None and row[up] > current[up]:
            found = option
    return found


def _most_cards(shoe: Counts) -> int:
    """How many cards a hand can have before it is bust."""
    points = cards = 0
    for rank in (r for r in UPS for _ in range(shoe[r])):
        points += rank + 1
        if points > BEST:
            break
        cards += 1
    return cards


def hands_of(shoe: Counts) -> list[Counts]:
    """All hands of two cards and more that the shoe holds, not bust, by number of cards."""
    found: list[Counts] = []
    longest = [(counted(()), 0, 0)]  # with its total and its highest card: each hand is found once, from low cards to high ones
    while longest:
        found += sorted(h for h, _, _ in longest if sum(h) > 1)
        longest = [
            (with_card(h, r), points + r + 1, r)
            for h, points, highest in longest
            for r in range(highest, min(RANKS, BEST - points))
            if h[r] < shoe[r]
        ]
    return found


# --- pairs ------------------------------------------------------------------------------------------------------------


def split_values(
    rules: Rules, dealer: Dealer, rank: int, choose: Choose, may_double: Callable[[Counts], bool]
) -> list[Fraction | None]:
    """The value of splitting a pair of this rank, against every up card; None where the cards are not there."""
    most = rules.most_hands(rank)
    if dealer.shoe[rank] < 2 or most < 2:
        return [None] * RANKS
    must_stand = _gets_one_card(rules, rank)
    single = with_card(EMPTY, rank)
    pair = with_card(single, rank)
    x: dict[tuple[int, int], Row | list[Fraction]] = {}
    n: dict[tuple[int, int], list[Fraction]] = {}
    for a in range(further_pairs(most)):
        gone = with_card(EMPTY, rank, 1 + a)
        if dealer.shoe[rank] < 2 + a:
            x[a, 0] = n[a, 0] = [Fraction(0)] * RANKS
            continue
        hands = Hands(dealer, gone, may_double, must_stand, choose)
        any_card = [Fraction(v, hands.denominator(1)) for v in hands.one_more(single, hands.best)]
        has_pair = dealer.shoe[rank] > 2 + a
        paired = (
            [Fraction(v, hands.denominator(2)) for v in hands.play(pair).best] if has_pair else [Fraction(0)] * RANKS
        )
        x[a, 0] = any_card
        n[a, 0] = [_rest(any_card[u], _chance(dealer.shoe, rank, u, a, 0), paired[u]) for u in UPS]
    for b in range(1, further_pairs(most)):
        for a in range(further_pairs(most) - b):
            q = [[_chance(dealer.shoe, rank, u, a, b - 1 + own) for u in UPS] for own in (0, 1)]
            x[a, b] = [_rest(x[a, b - 1][u], q[0][u], x[a + 1, b - 1][u]) for u in UPS]
            n[a, b] = [_rest(n[a, b - 1][u], q[1][u], n[a + 1, b - 1][u]) for u in UPS]
    found: list[Fraction | None] = []
    for up in UPS:
        if dealer.shoe[rank] < 2 + (up == rank) or not dealer.shoe[up]:
            found.append(None)
            continue
        value = Fraction(0)
        for ways, pairs, others, still_open in patterns(most):
            chance = Fraction(ways)
            for j in range(pairs):
                chance *= _chance(dealer.shoe, rank, up, j, 0)
            for j in range(others):
                chance *= 1 - _chance(dealer.shoe, rank, up, pairs, j)
            if chance:
                closed = others * n[pairs, others - 1][up] if others else 0
                value += chance * (closed + (still_open * x[pairs, others][up] if still_open else 0))
        found.append(value)
    return found


def _rest(mean: Fraction | int, q: Fraction, part: Fraction | int) -> Fraction:
    """The y of mean = q part + (1 - q) y."""
    return (mean - q * part) / (1 - q) if q < 1 else Fraction(0)


def _chance(shoe: Counts, rank: int, up: int, a: int, b: int) -> Fraction:
    """The chance that the next card is of the pair's rank, when a of that rank and b others are gone, not counting pair and up card."""
    cards, of_rank = sum(shoe) - 3 - a - b, shoe[rank] - 2 - a - (up == rank)
    return Fraction(of_rank, cards) if of_rank > 0 and cards > 0 else Fraction(0)


# --- the whole --------------------------------------------------------------------------------------------------------


class Exact:
    """All values as fractions: the `Source` of an analysis."""

    def __init__(self, rules: Rules, base: Hands, splits: list[list[Fraction | None]]):
        self.rules, self._base, self._splits = rules, base, splits
        self.by_up: list[Number] = [self._of_up(up) for up in UPS]
        shoe = rules.cards
        self.value: Number = sum(Fraction(shoe[u], sum(shoe)) * Fraction(self.by_up[u]) for u in UPS)

    def worth(self, hand: Counts, up: int) -> dict[Option, Number]:
        clear = self.clear(hand, up)
        if is_blackjack(hand):
            return {Option.STAND: self.rules.payoff * clear}
        play, whole = self._base.play(hand), self._base.denominator(sum(hand))
        rows = {Option.STAND: play.stand, Option.HIT: play.hit, Option.DOUBLE: play.double}
        found: dict[Option, Number] = {o: Fraction(row[up], whole) for o, row in rows.items() if row is not None}
        if sum(hand) == 2:
            split = self._splits[hand.index(2)][up] if 2 in hand else None
            if split is not None:
                found[Option.SPLIT] = split
            if self.rules.late_surrender:
                found[Option.SURRENDER] = -clear / 2
        return found

    def clear(self, hand: Counts, up: int) -> Fraction:
        left = without(self.rules.cards, hand)
        return 1 - Fraction(_blackjacks(left, up, sum(left) - 1), sum(left) - 1)

    def _of_up(self, up: int) -> Number:
        shoe = without(self.rules.cards, with_card(EMPTY, up))
        value: Number = Fraction(0)
        cards = sum(shoe)
        if shoe[up] < 0:
            return value
        for a, b in combinations_with_replacement(UPS, 2):
            ways = shoe[a] * (shoe[a] - 1) if a == b else 2 * shoe[a] * shoe[b]
            if ways:
                hand = counted((a, b))
                lost = 0 if is_blackjack(hand) or not self.rules.peek else 1 - self.clear(hand, up)
                value += Fraction(ways, cards * (cards - 1)) * (max(self.worth(hand, up).values()) - lost)
        return value


def solve_exactly(rules: Rules, after_split: AfterSplit, progress: Progress) -> Exact:
    """The whole analysis of checked rules."""
    dealer = Dealer(rules.cards, rules.hits_soft_17, rules.peek)

    def may_double(hand: Counts) -> bool:
        return rules.may_double(total(hand), sum(hand))

    def double_after_split(hand: Counts) -> bool:
        return rules.double_after_split and may_double(hand)

    base = Hands(dealer, EMPTY, may_double, lambda h: False, lambda h, up: None)
    every = hands_of(rules.cards)
    for i, hand in enumerate(reversed(every)):
        if i % 64 == 0:
            progress("playing all hands in whole numbers", i, len(every))
        base.play(hand)

    def as_before(hand: Counts, up: int) -> Option | None:
        play = base.play(hand)
        rows = {Option.STAND: play.stand, Option.HIT: play.hit}
        return _best(rows | ({Option.DOUBLE: play.double} if double_after_split(hand) else {}), up)

    splits = []
    for rank in UPS:
        progress("splitting pairs in whole numbers", rank, RANKS)
        choose: Choose = as_before
        if after_split is AfterSplit.CDP1 and rules.cards[rank] >= 2:
            choose = _best_after_split(rules, dealer, rank, double_after_split)
        splits.append(split_values(rules, dealer, rank, choose, double_after_split))
    return Exact(rules, base, splits)


def _best_after_split(rules: Rules, dealer: Dealer, rank: int, may_double: Callable[[Counts], bool]) -> Choose:
    """The best play of a split hand while just one other card of the rank is known to be gone."""
    first = Hands(dealer, with_card(EMPTY, rank), may_double, _gets_one_card(rules, rank), lambda h, up: None)
    return lambda hand, up: first.play(hand).action[up]


def _gets_one_card(rules: Rules, rank: int) -> Callable[[Counts], bool]:
    """Which split hands must stand."""
    is_ace = rank == ACE and not rules.hit_split_aces
    return lambda hand: is_ace and sum(hand) == 2
