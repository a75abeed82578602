"""The rules of a table of blackjack, with the casinos' names for them, and the shoe that is dealt from. Standard library only."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from numbers import Integral
from operator import index
from typing import Annotated, Any, NamedTuple

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import DECK, RANKS, Counts, Total, hard_total

MOST_DECKS = 100
MOST_OF_A_RANK = 16 * MOST_DECKS
ANY, NINE, TEN_UP = "any", "9-11", "10-11"
DOUBLES = (ANY, NINE, TEN_UP)
LEAST_POINTS, POINTS_OF_A_HAND = (
    28,
    30,
)  # a busted hand has at most 30 points; 28 leave an up card and two more at least


class AfterSplit(Enum):
    """How hands are played after a split. Farmer's and MGP's names; both can be played and are valued exactly."""

    CDZ = "CDZ-"  # as the same cards would be played without a split; a pair that is split is split again
    CDP1 = "CDP1"  # as is best for the first hand of a pair that is split once, from one other card of the pair gone


class Rules(NamedTuple):
    """A table of blackjack. Values are in units of the first bet; only the total of points matters, suits never do."""

    decks: Annotated[int, "decks of 52 cards", range(1, MOST_DECKS + 1)] = 6
    shoe: Annotated[tuple[int, ...], "the shoe by ranks A,2,...,9,10 instead of whole decks"] = ()
    hits_soft_17: Annotated[bool, "the dealer hits a soft 17 (H17), or stands on every 17 (S17)"] = False
    double: Annotated[str, "first two cards that may be doubled, by hard total; any: soft ones too", DOUBLES] = ANY
    double_after_split: Annotated[bool, "split hands may be doubled"] = True
    double_any_number: Annotated[bool, "hands of more than two cards may be doubled"] = False
    split_to: Annotated[int, "most hands that a pair may be split to; 1: no splitting", range(1, 5)] = 4
    resplit_aces: Annotated[bool, "split aces may be split again"] = False
    hit_split_aces: Annotated[bool, "split aces are played like other hands; otherwise they get one card each"] = False
    late_surrender: Annotated[bool, "the first two cards may be given up for half the bet"] = False
    peek: Annotated[
        bool, "the dealer looks for a blackjack first; otherwise all bets lose to it (European, no hole card)"
    ] = True
    blackjack_pays: Annotated[str, "payoff of a blackjack, as 3:2, 6:5 or 1.5"] = "3:2"

    @property
    def cards(self) -> Counts:
        """The shoe by ranks, in whole numbers of Python: numpy's small ones overflow."""
        return tuple(map(index, self.shoe)) or tuple(index(self.decks) * count for count in DECK)

    @property
    def payoff(self) -> Fraction:
        """The payoff of a blackjack."""
        return _payoff(self.blackjack_pays)

    def may_double(self, total: Total, cards: int) -> bool:
        """Whether a hand of that total and number of cards may be doubled (before a split)."""
        if cards < 2 or (cards > 2 and not self.double_any_number):
            return False
        return self.double == ANY or (not total.soft and (9 if self.double == NINE else 10) <= total.points <= 11)

    def most_hands(self, rank: int) -> int:
        """The most hands that a pair of this rank may be split to."""
        return self.split_to if rank or self.resplit_aces else min(self.split_to, 2)

    def text(self) -> str:
        """The rules as players abbreviate them."""
        words = [f"{self.decks} deck{'s' * (self.decks > 1)}" if not self.shoe else f"a shoe of {sum(self.shoe)} cards"]
        words.append("H17" if self.hits_soft_17 else "S17")
        words.append({ANY: "double any", NINE: "double 9-11", TEN_UP: "double 10-11"}[self.double])
        words += ["any number of cards"] * self.double_any_number
        if self.split_to == 1:
            words.append("no splitting")
        else:
            words += ["DAS" if self.double_after_split else "no DAS", f"split to {self.split_to} hands"]
            words += ["resplit aces"] * self.resplit_aces + ["hit split aces"] * self.hit_split_aces
        words += ["late surrender"] * self.late_surrender
        words += ["peek" if self.peek else "no hole card"]
        words.append(f"blackjack pays {self.blackjack_pays}")
        return ", ".join(words)


def _payoff(text: Any) -> Fraction:
    pays, _, per = str(text).replace("/", ":").partition(":")
    try:
        found = Fraction(pays) / Fraction(per or "1")
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if not 0 < found <= 10:
        raise ParameterError(f"blackjack_pays must be a payoff such as 3:2, 6:5 or 1, up to 10, not {text!r}")
    return found


def check_shoe(shoe: Any, name: str = "shoe") -> Counts:
    """Ten counts of cards. Raises `ParameterError` in the user's words for anything else."""
    try:
        counts = tuple(shoe)
    except TypeError:
        counts = ()
    if len(counts) != RANKS:
        raise ParameterError(
            f"{name} must be ten counts of cards, for A, 2, ..., 9 and 10 (with J, Q, K), not {shoe!r}"
        )
    for rank, count in enumerate(counts):
        if not isinstance(count, Integral) or isinstance(count, bool) or not 0 <= int(count) <= MOST_OF_A_RANK:
            what = "ace" if rank == 0 else str(rank + 1)
            raise ParameterError(
                f"{name}: the count of rank {what} must be a whole number from 0 to {MOST_OF_A_RANK}, not {count!r}"
            )
    if not sum(counts):
        raise ParameterError(f"{name} is empty")
    return tuple(int(count) for count in counts)


def points_needed(split_to: int) -> int:
    """The points (aces as 1) that a shoe must hold so that neither the player nor the dealer can run out of cards."""
    return POINTS_OF_A_HAND * int(split_to) + LEAST_POINTS


def check_after_split(after_split: Any) -> None:
    """Raises `ParameterError` for anything but an `AfterSplit`."""
    if not isinstance(after_split, AfterSplit):
        raise ParameterError(f"after_split must be one of {', '.join(map(str, AfterSplit))}, not {after_split!r}")


def check_rules(rules: Rules) -> Rules:
    """The same rules, if they make sense. Raises a `ParameterError` that names the rule that does not, and why."""
    if not isinstance(rules, Rules):
        raise ParameterError(f"rules must be blackjack.Rules(...), not {rules!r}")
    whole("decks", rules.decks, 1, MOST_DECKS)
    whole("split_to", rules.split_to, 1, 4)
    for name in _YES_OR_NO:
        if not isinstance(getattr(rules, name), bool):
            raise ParameterError(f"{name} must be True or False, not {getattr(rules, name)!r}")
    if rules.double not in DOUBLES:
        raise ParameterError(f"double must be one of {', '.join(DOUBLES)}, not {rules.double!r}")
    _payoff(rules.blackjack_pays)
    if not isinstance(rules.shoe, tuple | list):
        raise ParameterError(
            f"shoe must be ten counts of cards, for A, 2, ..., 9 and 10, in a tuple, not {rules.shoe!r}"
        )
    _check_together(rules)
    if rules.shoe != ():
        check_shoe(rules.shoe)
    needed, points = points_needed(rules.split_to), hard_total(rules.cards)
    if points < needed:
        raise ParameterError(
            f"shoe: with {points} points (aces as 1) the dealer or the player could run out of cards; with split_to="
            f"{rules.split_to} it must hold at least {needed}: give more cards, or a smaller split_to"
        )
    return rules


_YES_OR_NO = (
    "hits_soft_17", "double_after_split", "double_any_number", "resplit_aces", "hit_split_aces", "late_surrender", "peek",
)  # fmt: skip


def _check_together(rules: Rules) -> None:
    """Contradictory rules."""
    if rules.shoe != () and rules.decks != Rules._field_defaults["decks"]:
        raise ParameterError("give decks or shoe, not both")
    if rules.resplit_aces and rules.split_to < 3:
        raise ParameterError(f"resplit_aces contradicts split_to={rules.split_to}: splitting again makes three hands")
    if rules.hit_split_aces and rules.split_to < 2:
        raise ParameterError("hit_split_aces contradicts split_to=1: no hand is split")
    if rules.late_surrender and not rules.peek:
        raise ParameterError(
            "late_surrender contradicts peek=False: it is offered once the dealer has looked for a blackjack"
        )
