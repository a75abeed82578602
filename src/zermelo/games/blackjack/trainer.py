"""A round of blackjack played by a person, every decision judged by its cost: first without input and output, then the conversation.

Decisions are judged by the options' values off the top of a full shoe, given the up card and the cards of the hand in play, as a player at
the table would compute them. After a split the values of CDZ- are used: those of the same cards before a split, without the options that
are no longer allowed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.games.blackjack.analysis import Analysis
from zermelo.games.blackjack.cards import ACE, EMPTY, NAMES, TEN, Counts, counted, shown, total, with_card
from zermelo.games.blackjack.dealer_hands import stands
from zermelo.games.blackjack.options import HandValues, Option, described, is_blackjack
from zermelo.games.blackjack.views import given, rules_data

NOTHING_LOST = 1e-9
WORDS = {"s": Option.STAND, "h": Option.HIT, "d": Option.DOUBLE, "p": Option.SPLIT, "r": Option.SURRENDER}
WORDS |= {str(option): option for option in Option}
HELP = """  s stand   h hit   d double   p split   r surrender
  v  what every option is worth     q  quit     ?  this help"""


class Decision(NamedTuple):
    """A decision and its cost compared with the best option."""

    hand: Counts
    up: int
    option: Option
    best: Option
    cost: float


class Hand:
    """One hand of the player."""

    def __init__(self, cards: Counts, is_split: bool = False, is_closed: bool = False):
        self.cards, self.bet, self.over = cards, 1.0, False
        self.is_split, self.is_closed = is_split, is_closed  # closed: it gets no card after its second

    @property
    def points(self) -> int:
        """The total of the cards, an ace counting 11 where that is not too much."""
        return total(self.cards).points


class Round:
    """One round from a freshly shuffled shoe. `hand` is the one to decide about; None when the round is over."""

    def __init__(self, analysis: Analysis, dice: random.Random):
        self.analysis, self.rules = analysis, analysis.rules
        self._left = [rank for rank, n in enumerate(self.rules.cards) for _ in range(n)]
        dice.shuffle(self._left)
        self.up = self._left.pop()
        first = counted((self._left.pop(), self._left.pop()))
        self.dealer = with_card(EMPTY, self.up)
        self.hands = [Hand(first)]
        self.decisions: list[Decision] = []
        self._valued: tuple[int, HandValues] | None = None  # after so many decisions
        self.result: float | None = None
        self._hole = self._left.pop()
        has_blackjack = {self.up, self._hole} == {ACE, TEN}
        if is_blackjack(first) or (has_blackjack and self.rules.peek):
            self._end(surrendered=False)

    @property
    def hand(self) -> Hand | None:
        """The hand to decide about; None when the round is over."""
        return next((h for h in self.hands if not h.over), None) if self.result is None else None

    def values(self) -> HandValues:
        """The values of the options of the hand in play."""
        assert self.hand is not None
        if self._valued is None or self._valued[0] != len(self.decisions):
            found = self.analysis.hand(self.hand.cards, self.up + 1)
            allowed = {o: float(v) for o, v in found.values.items() if self._allows(o)}
            best = max(allowed, key=lambda o: (allowed[o], -o))
            self._valued = len(self.decisions), found._replace(values=dict(allowed), best=best)
        return self._valued[1]

    def _allows(self, option: Option) -> bool:
        hand, rules = self.hand, self.rules
        assert hand is not None
        if option is Option.SPLIT:
            rank = hand.cards.index(2) if 2 in hand.cards else -1
            return rank >= 0 and sum(hand.cards) == 2 and len(self.hands) < rules.most_hands(rank)
        if hand.is_closed:
            return option is Option.STAND
        if option is Option.SURRENDER:
            return rules.late_surrender and not hand.is_split and sum(hand.cards) == 2
        if option is Option.DOUBLE:
            return rules.may_double(total(hand.cards), sum(hand.cards)) and (
                rules.double_after_split or not hand.is_split
            )
        return True

    def decide(self, option: Option) -> Decision:
        """Play the hand in play on. The option must be allowed."""
        found, hand = self.values(), self.hand
        assert hand is not None and option in found.values
        decision = Decision(hand.cards, self.up, option, found.best, float(found.costs[option]))
        self.decisions.append(decision)
        if option is Option.SURRENDER:
            self._end(surrendered=True)
        elif option is Option.SPLIT:
            self._split(hand)
        elif option is Option.STAND:
            hand.over = True
        else:
            hand.bet *= 2.0 if option is Option.DOUBLE else 1.0
            self._draw(hand)
            hand.over = option is Option.DOUBLE or hand.points >= 21
        if self.result is None and self.hand is None:
            self._end(surrendered=False)
        return decision

    def _draw(self, hand: Hand) -> None:
        hand.cards = with_card(hand.cards, self._left.pop())

    def _split(self, hand: Hand) -> None:
        rank = hand.cards.index(2)
        at = self.hands.index(hand)
        is_closed = rank == ACE and not self.rules.hit_split_aces
        pair = [Hand(with_card(EMPTY, rank), True, is_closed) for _ in range(2)]
        self.hands[at : at + 1] = pair
        for half in pair:
            self._draw(half)
            may_split_again = half.cards[rank] == 2 and len(self.hands) < self.rules.most_hands(rank)
            half.over = half.points == 21 or (is_closed and not may_split_again)

    def _end(self, surrendered: bool) -> None:
        """The dealer plays, and the bets are settled."""
        self.dealer = with_card(self.dealer, self._hole)
        natural = is_blackjack(self.dealer)
        if surrendered:
            self.result = -0.5
            return
        has_natural = len(self.hands) == 1 and is_blackjack(self.hands[0].cards)  # not an ace and a ten after a split
        if any(h.points <= 21 for h in self.hands) and not has_natural:
            while not stands(*total(self.dealer), self.rules.hits_soft_17):
                self.dealer = with_card(self.dealer, self._left.pop())
        if has_natural:
            self.result = 0.0 if natural else float(self.rules.payoff)
        else:
            self.result = sum(h.bet * self._sign(h, natural) for h in self.hands)

    def _sign(self, hand: Hand, natural: bool) -> int:
        mine, theirs = hand.points, total(self.dealer).points
        if mine > 21 or natural:
            return -1
        return 1 if theirs > 21 or mine > theirs else -1 if mine < theirs else 0


class Training:
    """Round after round: the winnings, and the cost of mistakes."""

    def __init__(self, analysis: Analysis, seed: int | None = None):
        self.analysis, self._dice = analysis, random.Random(seed)
        self.rounds: list[Round] = []

    def deal(self) -> Round:
        """Begin another round."""
        self.rounds.append(Round(self.analysis, self._dice))
        return self.rounds[-1]

    @property
    def decisions(self) -> list[Decision]:
        """All decisions so far."""
        return [d for r in self.rounds for d in r.decisions]

    @property
    def mistakes(self) -> list[Decision]:
        """The decisions that cost something."""
        return [d for d in self.decisions if d.cost > NOTHING_LOST]

    @property
    def won(self) -> float:
        """The net win so far, in first bets; negative if more was lost."""
        return sum(r.result or 0.0 for r in self.rounds)

    def as_data(self) -> dict[str, Any]:
        """The whole session as data, for machines."""
        return {
            "rules": rules_data(self.analysis.rules),
            "conditional on no dealer blackjack": self.analysis.rules.peek,
            "rounds": sum(r.result is not None for r in self.rounds),
            "won": self.won,
            "cost of mistakes": sum(d.cost for d in self.mistakes),
            "decisions": [
                {"hand": shown(d.hand), "up": NAMES[d.up], "option": str(d.option), "best": str(d.best), "cost": d.cost}
                for d in self.decisions
            ],
        }


# --- the conversation -------------------------------------------------------------------------------------------------


def converse(
    training: Training,
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = print,
    rounds: int | None = None,
) -> None:
    """Play in the terminal until the person leaves, or this many rounds. End of input and Ctrl-C leave too."""
    write(f"{training.analysis.rules.text()}. Every round is dealt from a full shoe. ? is help.")
    rules = training.analysis.rules
    write(f"{given(rules.peek, rules)}; costs are their differences")
    try:
        while rounds is None or len(training.rounds) < rounds:
            if not _play(training.deal(), read, write):
                break
    except (EOFError, KeyboardInterrupt):
        write("")
    _farewell(training, write)


def _play(turn: Round, read: Callable[[str], str], write: Callable[[str], None]) -> bool:
    """One round; False if the person leaves."""
    write(f"\nthe dealer shows {NAMES[turn.up]}")
    while turn.hand is not None:
        hand = turn.hand
        which = f" (hand {turn.hands.index(hand) + 1} of {len(turn.hands)})" if len(turn.hands) > 1 else ""
        word = read(f"you have {shown(hand.cards)}, {described(hand.cards)}{which}: ").strip().lower()
        values = turn.values()
        option = WORDS.get(word)
        if word in ("q", "quit"):
            return False
        if word in ("?", "help"):
            write(HELP)
        elif word in ("v", "values"):
            for o, v in sorted(values.values.items(), key=lambda item: -item[1]):
                write(f"  {str(o):10}{float(v):+.6f}{'  best' if o is values.best else ''}")
        elif option is None or option not in values.values:
            write(
                f"  {word!r} is not an option here; there are {', '.join(map(str, values.values))} (s, h, d do, p splits, r surrenders)"
            )
        else:
            _judge(turn.decide(option), write)
    _settle(turn, write)
    return True


def _judge(decision: Decision, write: Callable[[str], None]) -> None:
    if decision.cost > NOTHING_LOST:
        write(
            f"  a mistake: {decision.best} is better, and {decision.option} costs {decision.cost:.6f} of the bet on average"
        )
    else:
        write("  right")


def _settle(turn: Round, write: Callable[[str], None]) -> None:
    assert turn.result is not None
    for hand in turn.hands:
        bust = ", bust" if hand.points > 21 else ""
        write(f"  you: {shown(hand.cards)} ({hand.points}{bust})")
    points = total(turn.dealer).points
    what = "blackjack" if is_blackjack(turn.dealer) else f"{points}{', bust' if points > 21 else ''}"
    write(f"  dealer: {shown(turn.dealer)} ({what}). You get {turn.result:+g}.")


def _farewell(training: Training, write: Callable[[str], None]) -> None:
    finished = sum(r.result is not None for r in training.rounds)
    mistakes = training.mistakes
    found = [(finished, "round"), (len(training.decisions), "decision"), (len(mistakes), "mistake")]
    rounds, decisions, wrong = (f"{n} {what}{'s' * (n != 1)}" for n, what in found)
    write(f"\n{rounds}, {training.won:+g}; {decisions}, {wrong}")
    for d in sorted(mistakes, key=lambda d: -d.cost)[:10]:
        write(f"  {shown(d.hand)} v {NAMES[d.up]}: {d.option}, not {d.best}: cost {d.cost:.6f}")
    if mistakes:
        write(f"all mistakes together cost {sum(d.cost for d in mistakes):.6f} bets on average")
