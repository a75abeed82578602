"""Texas Hold'em after the last card: two ranges of hands, a board of five cards, a pot and what both have behind.

Each player holds two cards, every hand of his range equally likely, provided that no card appears twice. The first player begins. They
check, bet, call, raise or fold; bets and raises are of a few sizes, in per cent of the pot with the call, or all in. The best five of seven
cards win. A value is the amount that the first player gets, bets included, beyond half of the pot: the winner takes half of the pot and
the loser's bets.

Ranges are texts: "AA" a pair, "AKs" suited, "AKo" not suited, "AK" both, "TT+" and "A9s+" what is better, "AhKd" these two cards, "all".
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, NamedTuple

from zermelo.games.hand_pictures import hands, stakes
from zermelo.games.poker_hands import RANKS, SUITS, strength

FOLD, CALL, ALL_IN = 0, 1, 5  # to call nothing is to check; 2, 3 and 4 are bets or raises of the three sizes
BETTING, FOLDED, SHOWDOWN = range(3)
CARDS = 52


class State(NamedTuple):
    first: tuple[int, int]  # cards, 4 * rank + suit, the higher one first; -1 before the deal
    second: tuple[int, int]
    line: int  # what was done, in base 8, the first action lowest: action + 1


class Told(NamedTuple):
    """The outcome of a line."""

    first: int  # what the first player has bet
    second: int
    mover: int
    raises: int
    end: int


class HoldemRiver(NamedTuple):
    """The value is what the first player gets beyond half of the pot."""

    board: Annotated[str, "the five cards on the table"] = "Ks Th 7s 4d 2s"
    first: Annotated[str, "hands of the first player"] = "AA KTs QJs AsQs"
    second: Annotated[str, "hands of the second player"] = "KQ TT 77"
    pot: Annotated[int, "chips in the pot", range(1, 10_001)] = 100
    stack: Annotated[int, "chips that each has behind", range(1, 100_001)] = 100
    bet: Annotated[int, "smallest bet or raise, in per cent of the pot", range(1, 1001)] = 50
    middle_bet: Annotated[int, "another size; 0 for none", range(1001)] = 0
    large_bet: Annotated[int, "and another one", range(1001)] = 0
    all_in: Annotated[bool, "all chips may be bet at once"] = True
    raises: Annotated[int, "most raises, the bet included", range(1, 6)] = 2

    def title(self) -> str:
        return f"Texas Hold'em, the river: board {self.board}, {self.pot} chips in the pot, {self.stack} behind"

    def payoff_unit(self) -> str:
        return "chips"

    def start(self) -> State:
        check_texts(self.board, self.first, self.second)
        sizes = [size for size in (self.bet, self.middle_bet, self.large_bet) if size]
        if sizes != sorted(set(sizes)) or (self.large_bet and not self.middle_bet):
            raise ValueError("the sizes of bets must increase")
        return State((-1, -1), (-1, -1), 0)

    def first_hands(self) -> tuple[int, ...]:
        """For every two cards 1 if the first player can hold them, else 0."""
        return dealt(self.board, self.first)

    def second_hands(self) -> tuple[int, ...]:
        """The same of the second player."""
        return dealt(self.board, self.second)

    def strengths(self) -> tuple[int, ...]:
        """The strength of every two cards on this board; 0 for cards that lie on it."""
        return strengths(self.board)

    def told(self, line: int) -> Told:
        first, second, mover, raises, end, checked = 0, 0, 0, 0, BETTING, 0
        while line > 0:
            action = line % 8 - 1
            line //= 8
            if action == FOLD:
                end = FOLDED
            elif action == CALL:
                end = SHOWDOWN if raises > 0 or checked > 0 else BETTING
                first, second, checked = max(first, second), max(first, second), 1
            else:
                raises += 1
                to = self.amount(action, max(first, second), min(first, second))
                first, second = (to if mover == 0 else first), (second if mover == 0 else to)
            mover = 1 - mover
        return Told(first, second, mover, raises, end)

    def amount(self, action: int, most: int, least: int) -> int:
        """The total that a player has bet after a bet or raise of this size."""
        if action == ALL_IN:
            return self.stack
        percent = self.bet if action == 2 else self.middle_bet if action == 3 else self.large_bet
        return min(most + max(percent * (self.pot + 2 * most) // 100, most - least, 1), self.stack)

    def player(self, s: State) -> int:
        return self.told(s.line).mover

    def sees(self, s: State, player: int) -> Iterator[int]:
        hand = s.first if player == 0 else s.second
        yield hand[0]
        yield hand[1]
        yield s.line

    def actions(self, s: State) -> Iterator[int]:
        if s.second[0] < 0:
            yield CALL  # the deal
        else:
            told = self.told(s.line)
            most, least = max(told.first, told.second), min(told.first, told.second)
            if told.end == BETTING:
                if most > least:
                    yield FOLD
                yield CALL
                if told.raises < self.raises and most < self.stack:
                    before = most
                    for action in range(2, 5):
                        percent = self.bet if action == 2 else self.middle_bet if action == 3 else self.large_bet
                        to = self.amount(action, most, least)
                        if percent > 0 and to > before:
                            yield action
                            before = to
                    if self.all_in and before < self.stack:
                        yield ALL_IN

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if s.first[0] < 0:
            own, others = self.first_hands(), self.second_hands()
            held = [0] * CARDS  # hands of the second player with each card
            count = 0
            for c in range(CARDS):
                for d in range(c):
                    if others[place(c, d)] > 0:
                        held[c] += 1
                        held[d] += 1
                        count += 1
            for a in range(CARDS):
                for b in range(a):
                    if own[place(a, b)] > 0:
                        yield count - held[a] - held[b] + others[place(a, b)], 0, State((a, b), s.second, 0)
        elif s.second[0] < 0:
            others = self.second_hands()
            for a in range(CARDS):
                if a != s.first[0] and a != s.first[1]:
                    for b in range(a):
                        if others[place(a, b)] > 0 and b != s.first[0] and b != s.first[1]:
                            yield 1, 0, State(s.first, (a, b), 0)
        else:
            power, rest = 1, s.line
            while rest > 0:
                power, rest = power * 8, rest // 8
            yield 1, 0, State(s.first, s.second, s.line + power * (action + 1))

    def payoff(self, s: State) -> float:
        told = self.told(s.line)
        if told.end == FOLDED:  # the mover has won, as the other one has folded
            return self.pot / 2 + told.second if told.mover == 0 else -self.pot / 2 - told.first
        one, two = self.strengths()[place(s.first[0], s.first[1])], self.strengths()[place(s.second[0], s.second[1])]
        if one == two:
            return 0.0
        return self.pot / 2 + told.second if one > two else -self.pot / 2 - told.first

    def show(self, s: State, player: int = -1) -> str:
        if s.second[0] < 0:
            return f"{self.board}: before the deal" if s.first[0] < 0 else f"{self.board}: first has {cards(s.first)}"
        if player >= 0:
            return f"you have {cards((s.first, s.second)[player])}: {self.said(s)}; {self.board}"
        return f"{self.board}: first has {cards(s.first)}, second has {cards(s.second)}: {self.said(s)}"

    def said(self, s: State) -> str:
        said, line = [], s.line
        while line:
            said.append(self.action_name(line % 8 - 1))
            line //= 8
        return ", ".join(said) or "nothing said yet"

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        held = ([face(c) for c in hand if c >= 0] for hand in (s.first, s.second))
        told = self.told(s.line)
        yield {"kind": "cards", "label": "on the table", "cards": [face(c) for c in board_cards(self.board)]}
        yield {"kind": "coins", "label": "pot", "coins": self.pot}
        yield from hands(held, player)
        yield from stakes((told.first, told.second))
        yield {"kind": "facts", "facts": [("so far", self.said(s))]}

    def action_name(self, action: int) -> str:
        sizes = f"{self.bet} %", f"{self.middle_bet} %", f"{self.large_bet} %"
        return ("fold", "check or call", *sizes, "all in")[action]


HoldemRiver.State = State  # type: ignore[attr-defined]


def place(a: int, b: int) -> int:
    """The number of the cards a > b among all pairs."""
    return a * (a - 1) // 2 + b


def board_cards(text: str) -> tuple[int, ...]:
    """The five cards of a board."""
    return tuple(card(text, 3 * k) for k in range(5))


@cache
def check_texts(board: str, first: str, second: str) -> None:
    """Raise `ValueError` for a board or ranges that make no sense."""
    table = board_cards(board)
    if len(board.split()) != 5 or len({*table}) != 5 or min(table) < 0:
        raise ValueError(f"the board must be five different cards, such as Ks Th 7s 4d 2s, not {board!r}")
    pairs = [(a, b) for a in range(CARDS) for b in range(a)]
    for word in (first + " " + second).replace(",", " ").split():
        if not hands_of(word):
            raise ValueError(f"{word!r} names no hands: ranges are written as in AA AKs AKo AK TT+ A9s+ AhKd all")
    own, others = ([hand for hand, held in zip(pairs, dealt(board, text), strict=True) if held] for text in (first, second))
    if not any({a, b}.isdisjoint(hand) for a, b in own for hand in others):
        raise ValueError("no two hands of these ranges go together with each other and with the board")


@cache
def dealt(board: str, text: str) -> tuple[int, ...]:
    """For every two cards 1 if a player with this range can hold them, else 0."""
    table = board_cards(board)
    meant = frozenset().union(*map(hands_of, text.replace(",", " ").split()))
    return tuple(int(a not in table and b not in table and (a, b) in meant) for a in range(CARDS) for b in range(a))


@cache
def strengths(board: str) -> tuple[int, ...]:
    """What every two cards are worth on this board; 0 for those that lie there."""
    table = board_cards(board)
    return tuple(0 if a in table or b in table else strength((a, b, *table)) for a in range(CARDS) for b in range(a))


def card(text: str, at: int) -> int:
    """The card that is written at this place, such as Ks; below 0 for none."""
    if len(text) < at + 2:
        return -100
    rank, suit = RANKS.find(text[at]), SUITS.find(text[at + 1])
    return 4 * rank + suit if rank >= 0 and suit >= 0 else -100


def face(card: int) -> str:
    """A card as it is drawn: 10♥."""
    return RANKS[card // 4].replace("T", "10") + "♣♦♥♠"[card % 4]


def cards(hand: tuple[int, ...]) -> str:
    """Cards as text."""
    return "".join(RANKS[c // 4] + SUITS[c % 4] for c in hand)


@cache
def hands_of(word: str) -> frozenset[tuple[int, int]]:
    """The hands, cards a > b, that a word of a range means."""
    return frozenset((a, b) for a in range(CARDS) for b in range(a) if means(word, a, b))


def means(word: str, a: int, b: int) -> bool:
    """Whether a word of a range means the cards a > b."""
    if word == "all":
        return True
    if len(word) < 2:
        return False
    if len(word) == 4 and word[3] != "+":
        one, two = card(word, 0), card(word, 2)
        return max(one, two) == a and min(one, two) == b
    high, low = RANKS.find(word[0]), RANKS.find(word[1])
    is_open = word[len(word) - 1] == "+"
    length = len(word) - 1 if is_open else len(word)
    kind = word[2] if length == 3 else ""
    if low < 0 or high < low or length > 3 or (length == 3 and (high == low or (kind != "s" and kind != "o"))):
        return False
    if high == low:
        return a // 4 == b // 4 and (a // 4 == high or (is_open and a // 4 > high))
    if a // 4 != high or b // 4 == high or not (b // 4 == low or (is_open and b // 4 > low)):
        return False
    return kind == "" or (a % 4 == b % 4) == (kind == "s")
