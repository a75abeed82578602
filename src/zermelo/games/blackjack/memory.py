"""A pair split once and played with full memory: an upper bound on the value of any strategy.

While the first hand is played, only its cards and the other card of the pair are known; the second hand is played knowing all cards
of the first. The average result of the first hand does not depend on how many cards the second one then draws, as cards to come are
exchangeable. So the second hand maximises its own value, given the cards gone, and the first the sum of its own value and that one.

    best(h) = max(stand(h) + second(h), 2 sum_r p_r stand(h + r) + sum_r p_r second(h + r), sum_r p_r best(h + r))
"""

from __future__ import annotations

from functools import partial

import numpy as np

from zermelo.basics.once import once
from zermelo.basics.progress import Progress, silent
from zermelo.basics.threads import threads
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games.blackjack.cards import BEST, NAMES, RANKS, Counts, hard_total, with_card
from zermelo.games.blackjack.errors import DIVISION, memory_error
from zermelo.games.blackjack.hands import hands, numbered
from zermelo.games.blackjack.kernels import memory as kernel
from zermelo.games.blackjack.options import read_hand
from zermelo.games.blackjack.rules import Rules, check_rules
from zermelo.games.blackjack.solving import fixed_hands, tables_of
from zermelo.games.blackjack.threads import pool

BITS = 6  # of a count in a key
MOST_MULTISETS = 30_000_000
CHUNK = 200  # finals of the first hand between two looks at Ctrl-C
PLACES = np.int64(1) << (BITS * np.arange(RANKS, dtype=np.int64))


def full_memory_split(
    rules: Rules, pair: str | int, up: str | int, conditional: bool | None = None, progress: Progress = silent
) -> float:
    """The value of splitting a pair once, with full memory, against an up card, in units of the first bet.

    conditional : given that the dealer has no blackjack; by default where the dealer looks for one. Otherwise a blackjack of the dealer
    takes the first bet only (peek), or all bets. Takes seconds for small cards and many decks.
    """
    rank, seen, clear, given = _asked(rules, pair, up, conditional)
    value = _Splitting(rules, rank, seen).value(progress)
    return value / clear if given else value - (1.0 - clear if rules.peek else 0.0)


def full_memory_error(rules: Rules, pair: str | int, up: str | int, conditional: bool | None = None) -> float:
    """How far `full_memory_split` can be from the truth, at most."""
    _, _, clear, given = _asked(rules, pair, up, conditional)
    return memory_error(rules) / (clear if given else 1.0) + DIVISION


def _asked(rules: Rules, pair: str | int, up: str | int, conditional: bool | None) -> tuple[int, int, float, bool]:
    """Rank of the pair, the up card, the chance that the dealer has no blackjack, and whether that is given."""
    from zermelo.games.blackjack.analysis import is_given, no_blackjack

    check_rules(rules)
    if rules.split_to < 2:
        raise ParameterError("split_to=1 allows no splitting")
    name = (
        NAMES[int(pair) - 1]
        if isinstance(pair, int) and not isinstance(pair, bool) and 1 <= pair <= RANKS
        else str(pair)
    )
    hand, seen = read_hand(rules.cards, f"{name} {name}", up)
    return hand.index(2), seen, float(no_blackjack(rules, hand, seen)), is_given(rules, conditional)


class _Splitting:
    """One rank against one up card."""

    def __init__(self, rules: Rules, rank: int, up: int):
        self.rules, self.rank, self.up, self.t = rules, rank, up, tables_of(rules)
        self.shoe = np.array(rules.cards, np.int64)
        self.members = self.t.split.hands[rank]
        self.member_keys = hands().counts[self.members].astype(np.int64) @ PLACES
        finals = self._finals()
        order = np.argsort(finals @ PLACES)
        self.finals = finals[order]
        self.final_keys = self.finals @ PLACES

    def _finals(self) -> np.ndarray:
        """Every multiset that the first hand can end with, bust ones too, if the shoe holds them and the other card : int64."""
        left = self.shoe - np.eye(RANKS, dtype=np.int64)[self.up] - np.eye(RANKS, dtype=np.int64)[self.rank]
        found: set[Counts] = set()
        known = list(numbered())
        for number in self.members.tolist():
            hand = known[number]
            if number > RANKS:
                found.add(hand)
            found |= {with_card(hand, r) for r in range(RANKS) if hard_total(hand) + r + 1 > BEST}
        rows = np.array(sorted(found), np.int64)
        return rows[(rows <= left).all(1)]

    def value(self, progress: Progress) -> float:
        """Of both hands, not conditional on no blackjack of the dealer."""
        t, rules = self.t, self.rules
        keys = self._keys(progress)
        gone = ((keys[:, None] >> (BITS * np.arange(RANKS))) & ((1 << BITS) - 1)).astype(np.int16)
        stands = np.empty((len(keys), kernel.LEVELS))
        for begin, end in _chunks(len(keys), 1 << 18):
            progress("asking the dealer", begin, len(keys))
            ask = partial(self._ask, gone, stands)
            list(pool().map(ask, *zip(*_chunks(end - begin, -(-(end - begin) // threads()), begin), strict=True)))
        arrays = (hands().counts, hands().child, hands().level, t.double_after_split, fixed_hands(t, rules, self.rank))
        where = (self.rank, self.up, rules.peek, keys, stands)
        second = np.zeros(len(self.finals))

        def play(begin: int, end: int) -> None:
            kernel.second_hands(
                self.finals, self.final_keys, begin, end, self.shoe, self.members, self.member_keys, *arrays, *where, second
            )  # fmt: skip

        parts = list(_chunks(len(self.finals), CHUNK))
        for i in range(0, len(parts), threads()):
            progress("playing second hands", parts[i][0], len(self.finals))
            list(pool().map(play, *zip(*parts[i : i + threads()], strict=True)))
        return float(
            kernel.first_hand(self.members, self.shoe, self.member_keys, *arrays, *where, self.final_keys, second)
        )  # fmt: skip

    def _ask(self, gone: np.ndarray, stands: np.ndarray, begin: int, end: int) -> None:
        kernel.stands_against(self.t.tree, self.shoe, gone, self.up, self.rules.peek, begin, end, stands)

    def _keys(self, progress: Progress) -> np.ndarray:
        """All multisets that can be gone when a hand stands, sorted: a final of the first hand and a hand of the second."""
        keys = once(self.member_keys + self.member_keys[0])
        for begin, end in _chunks(len(self.finals), CHUNK * 5):
            progress("counting cards", begin, len(self.finals))
            keys = once(keys, self.final_keys[begin:end, None] + self.member_keys[None, :])
            if len(keys) > MOST_MULTISETS:
                raise OutOfReach("full memory: too many sets of cards can be gone; take a larger card, or fewer decks")
        return keys


def _chunks(total: int, size: int, first: int = 0) -> list[tuple[int, int]]:
    return [(first + at, first + min(at + size, total)) for at in range(0, total, max(size, 1))]
