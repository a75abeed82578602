"""A table of blackjack analysed: the value of the round and of every hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from zermelo.basics.progress import Progress, silent
from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import ACE, NAMES, RANKS, TEN, Counts, hand_of, shown, without
from zermelo.games.blackjack.errors import DIVISION, Errors, errors
from zermelo.games.blackjack.hands import numbered
from zermelo.games.blackjack.options import HandValues, Number, Option, best_of, insurance, is_blackjack, read_hand
from zermelo.games.blackjack.rules import AfterSplit, Rules, check_after_split, check_rules
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, Values, solve
from zermelo.games.blackjack.threads import pool

if TYPE_CHECKING:
    from zermelo.games.blackjack.spread import Spread

DEFAULT = Rules()


class Source(Protocol):
    """Values that are not conditional on the dealer's having no blackjack (kernels/player.py), as floats or fractions."""

    @property
    def value(self) -> Number:
        """The value of a round to the player, in first bets."""

    @property
    def by_up(self) -> list[Number]:
        """The value of a round given the dealer's up card: ace, 2, ... 10."""

    def worth(self, hand: Counts, up: int) -> dict[Option, Number]:
        """The value of every allowed option with this hand against this up card; a blackjack is worth its payoff."""

    def clear(self, hand: Counts, up: int) -> Number:
        """The probability that the dealer has no blackjack, given the hand and the up card."""


class Analysis:
    """All values of a table under optimal play by composition. `analyse` makes it.

    Values of hands are conditional on the dealer's having no blackjack where the dealer looks for one (unless asked
    otherwise); `value` and `by_up_card` count blackjacks. All are means in units of the first bet, off the top of the
    shoe, without insurance.
    """

    def __init__(self, rules: Rules, after_split: AfterSplit, source: Source, exact: bool):
        self.rules, self.after_split, self.source, self.exact = rules, after_split, source, exact

    @property
    def value(self) -> Number:
        """The value of a round to the player."""
        return self.source.value

    @cached_property
    def by_up_card(self) -> dict[str, Number]:
        """The value of a round given the up card, blackjacks included; up cards that are not in the shoe are left out."""
        found = self.source.by_up
        return {NAMES[u]: found[u] for u in range(RANKS) if self.rules.cards[u]}

    @cached_property
    def errors(self) -> Errors | None:
        """How far values that are not conditional can be from the truth, at most; None where they are fractions."""
        return None if self.exact else errors(self.rules)

    @property
    def error(self) -> float:
        """How far `value` can be from the truth, at most."""
        return 0 if self.errors is None else self.errors.round

    @property
    def bounds(self) -> tuple[Number, Number]:
        """An interval that contains the true value, rounding included."""
        return self.value - self.error, self.value + self.error

    @property
    def by_up_card_errors(self) -> dict[str, float]:
        """How far the values of `by_up_card` can be from the truth, at most."""
        return {name: 0 if self.errors is None else float(self.errors.by_up[NAMES.index(name)]) for name in self.by_up_card}

    @cached_property
    def spread(self) -> Spread:
        """Mean and standard deviation of the result of a round, in floats, with a bound on the latter's error."""
        from zermelo.games.blackjack.plans import optimal_plan
        from zermelo.games.blackjack.spread import plan_spread

        source = self.source if isinstance(self.source, Solved) else analyse(self.rules, self.after_split).source
        assert isinstance(source, Solved)
        return plan_spread(self.rules, optimal_plan(self.rules, self.after_split, source.values))

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result of a round, including hands of split pairs against the same dealer. Always a float."""
        return self.spread.standard_deviation

    @property
    def standard_deviation_error(self) -> float:
        """How far `standard_deviation` can be from the truth, at most."""
        return self.spread.error

    def hand(self, cards: str | Counts, up: str | int, conditional: bool | None = None) -> HandValues:
        """Every option of a hand such as "10 6" against an up card.

        conditional : given that the dealer has no blackjack; by default where the dealer looks for one. Otherwise a
        blackjack of the dealer takes the first bet only (peek), or all bets (no hole card).
        """
        shoe = self.rules.cards
        hand, rank = read_hand(shoe, cards, up)
        clear = self.source.clear(hand, rank)
        given = is_given(self.rules, conditional) and (conditional is not None or clear > 0)
        if given and not clear:
            raise ParameterError(f"{shown(hand)} against {NAMES[rank]}: the dealer has a blackjack for certain")
        natural = is_blackjack(hand)
        lost = 0 if given or natural or not self.rules.peek else 1 - clear
        worth = self.source.worth(hand, rank)
        values = {option: (value / clear if given else value - lost) for option, value in worth.items()}
        side = insurance(shoe, hand) if rank == ACE else None
        return HandValues(
            shown(hand),
            NAMES[rank],
            values,
            best_of(values),
            side if side is None or self.exact else float(side),
            1 - clear,
            given,
            natural,
            self._errors_of(values, hand, rank, clear if given else 1),
        )

    def _errors_of(self, values: dict[Option, Number], hand: Counts, up: int, clear: Number) -> dict[Option, Number]:
        """Of the options of a hand, after the division by the chance that is given."""
        if self.errors is None:
            return dict.fromkeys(values, 0)
        of_pair = float(self.errors.split[hand.index(2), up]) if 2 in hand else 0.0
        return {o: ((of_pair if o is Option.SPLIT else self.errors.hand) + DIVISION) / float(clear) for o in values}


def split_once(analysis: Analysis, found: HandValues) -> tuple[float, float] | None:
    """The value of splitting a pair into two hands where more are allowed, and its error; None for other hands.

    The option itself is to split every further pair of the rank, too (docs/blackjack.md).
    """
    rules, hand = analysis.rules, hand_of(found.hand)
    if Option.SPLIT not in found.values or rules.most_hands(hand.index(2)) == 2:
        return None
    once = analyse(rules._replace(split_to=2, resplit_aces=False), analysis.after_split).hand(hand, found.up, found.conditional)
    return float(once.values[Option.SPLIT]), float(once.errors[Option.SPLIT])


class Solved:
    """Values in floats, as the kernels find them."""

    def __init__(self, values: Values, rules: Rules):
        self.values, self.rules = values, rules

    @property
    def value(self) -> Number:
        return self.values.value

    @property
    def by_up(self) -> list[Number]:
        return [float(v) for v in self.values.by_up]

    def worth(self, hand: Counts, up: int) -> dict[Option, Number]:
        number = numbered()[hand]
        pair = number - FIRST_PAIR
        found = self.values.worth[pair, :, up] if pair < PAIRS else self.values.parts[:, number, up]
        worth: dict[Option, Number] = {Option(i): float(v) for i, v in enumerate(found) if v == v}
        return {Option.STAND: worth[Option.STAND]} if is_blackjack(hand) else worth

    def clear(self, hand: Counts, up: int) -> Number:
        return float(no_blackjack(self.rules, hand, up))


def is_given(rules: Rules, conditional: bool | None) -> bool:
    """Whether values are given that the dealer has no blackjack; None: where he looks for one. Raises `ParameterError`."""
    given = rules.peek if conditional is None else conditional
    if given and not rules.peek:
        raise ParameterError("conditional values need peek=True: without a look nobody knows that there is no blackjack")
    return given


def no_blackjack(rules: Rules, hand: Counts, up: int) -> Fraction:
    """Probability that the dealer has none, given the player's hand."""
    left = without(rules.cards, hand)
    other = {ACE: TEN, TEN: ACE}.get(up)
    return 1 - Fraction(left[other], sum(left) - 1) if other is not None else Fraction(1)


def analyse(
    rules: Rules = DEFAULT,
    after_split: AfterSplit = AfterSplit.CDZ,
    exact: bool = False,
    progress: Progress = silent,
) -> Analysis:
    """Optimal play by composition for all hands, including repeated splits.

    after_split : how hands are played after a split (docs/blackjack.md); a pair that is split is split again wherever it comes.
    exact : in rational numbers, which takes seconds instead of hundredths. Raises `ParameterError` for contradictory
    rules, and for a shoe that could run out.
    """
    check_rules(rules)
    check_after_split(after_split)
    if exact:
        from zermelo.games.blackjack.rational import solve_exactly

        return Analysis(rules, after_split, solve_exactly(rules, after_split, progress), True)
    return Analysis(rules, after_split, Solved(solve(rules, after_split, pool()), rules), False)


def solved(analysis: Analysis) -> Values:
    """The arrays of an analysis in floats. Raises `ParameterError` for one in fractions, which has none."""
    if not isinstance(analysis.source, Solved):
        raise ParameterError("this needs an analysis in floats: analyse(rules) without exact=True")
    return analysis.source.values


__all__ = ["Analysis", "analyse"]
