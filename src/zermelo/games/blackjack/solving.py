"""All values of a table of blackjack: the dealer's outcomes for every multiset of cards, the player's hands, the pairs, the round."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from zermelo.basics.threads import threads
from zermelo.games.blackjack.cards import ACE, RANKS, Total
from zermelo.games.blackjack.dealer import Tree, tree_tables
from zermelo.games.blackjack.hands import Hands, SplitHands, hands, split_hands
from zermelo.games.blackjack.kernels import player, splits
from zermelo.games.blackjack.kernels.dealer import CACHE_LINE
from zermelo.games.blackjack.kernels.lanes import LANES
from zermelo.games.blackjack.kernels.player import LEVELS
from zermelo.games.blackjack.kernels.rounds import OPTIONS, first_two
from zermelo.games.blackjack.rules import AfterSplit, Rules
from zermelo.games.blackjack.splitting import further_pairs, pattern_table

T = TypeVar("T")
FIRST_PAIR, PAIRS = (
    1 + RANKS,
    RANKS * (RANKS + 1) // 2,
)  # the hands of two cards come after the empty one and the single cards
RAISED = 2.0  # the bet after doubling
HARDEST_FIRST = tuple(range(1, RANKS)) + (ACE,)  # ranks of pairs, those with the most hands first


class Tables(NamedTuple):
    """The tables that do not depend on the shoe."""

    tree: Tree
    hands: Hands
    split: SplitHands
    double: np.ndarray  # bool[size]
    double_after_split: np.ndarray  # bool[size]
    free: np.ndarray  # bool[size], no hand must stand
    one_card: np.ndarray  # bool[size], hands of two cards must stand


class Scratch:
    """Arrays that one thread works in, kept for the next analysis. All numbers in them stay finite."""

    def __init__(self) -> None:
        size, multisets = len(hands().counts), len(split_hands().gone)
        self.values = rows(size + 1)
        self.values[-1] = -1.0
        self.parts = np.zeros((3, size, LANES))
        self.action = np.zeros((size, RANKS), np.int8)
        self.mark, self.reached = np.zeros(multisets, np.bool_), np.zeros(size, np.int16)


class Stands:
    """The value of standing for every multiset of cards gone: one array, shared by the threads of an analysis."""

    def __init__(self) -> None:
        self.rows = np.zeros((len(split_hands().gone) + 1, LEVELS, LANES))
        self.rows[-1] = -1.0  # for hands that are bust


_kept: dict[type, deque[Any]] = {Scratch: deque(), Stands: deque()}  # deques may be used by several threads


@contextmanager
def borrowed(kind: type[T]) -> Iterator[T]:
    """An object that nobody else uses at the time."""
    try:
        one = _kept[kind].pop()
    except IndexError:
        one = kind()
    try:
        yield one
    finally:
        _kept[kind].append(one)


def rows(count: int) -> np.ndarray:
    """float64[count, LANES] of zeros, that begins at a line of the cache."""
    flat = np.zeros(count * LANES + CACHE_LINE)
    skipped = -(flat.ctypes.data // 8) % CACHE_LINE
    return flat[skipped : skipped + count * LANES].reshape(count, LANES)


@cache
def tables(rules: Rules) -> Tables:
    """The rules for every hand. `rules` : without a shoe."""
    known = hands()
    double = np.array(
        [
            rules.may_double(Total(*t), c)
            for t, c in zip(zip(known.points, known.soft, strict=True), known.cards, strict=True)
        ]
    )
    return Tables(
        tree_tables(rules.hits_soft_17),
        known,
        split_hands(),
        double,
        double & rules.double_after_split,
        np.zeros(len(double), np.bool_),
        known.cards == 2,
    )


def tables_of(rules: Rules) -> Tables:
    """The tables for rules with any shoe."""
    return tables(
        Rules(**{**rules._asdict(), "shoe": (), "decks": 1, "blackjack_pays": "3:2", "late_surrender": False})
    )


# --- the steps --------------------------------------------------------------------------------------------------------


class Values(NamedTuple):
    """All values, not conditional on the dealer's having no blackjack (kernels/player.py), by up card u.

    In `parts` and `worth` nan means not allowed. Hands are numbered as in hands.py.
    """

    parts: np.ndarray  # float64[3, size, 10] standing, hitting, doubling, for every hand
    action: np.ndarray  # int8[size, 10] the best of the three
    splits: np.ndarray  # float64[10, 10] splitting a pair of each rank
    worth: np.ndarray  # float64[55, OPTIONS, 10] every option with the first two cards
    chance: np.ndarray  # float64[55, 10] of these cards, given the up card
    clear: np.ndarray  # float64[55, 10] no blackjack of the dealer, given up card and hand
    by_up: np.ndarray  # float64[10] the round, given the up card
    value: float  # the round


def ask_dealer(t: Tables, shoe: np.ndarray, peek: bool, stands: np.ndarray, wanted: np.ndarray) -> None:
    player.stand_values(t.tree, shoe, t.split.gone, wanted, peek, stands)


def play_hands(t: Tables, shoe: np.ndarray, peek: bool, stands: np.ndarray, own: Scratch) -> None:
    """Optimal play of every hand that is not split, into own.parts and own.action."""
    members = np.arange(FIRST_PAIR, len(t.hands.counts))
    place = np.arange(len(t.hands.counts))
    own.parts[:] = np.nan
    player.play(
        members, shoe.astype(float), *hand_arrays(t), place, stands, t.double, RAISED, peek, t.free, True, own.action, own.values,
        own.parts,
    )  # fmt: skip


def hand_arrays(t: Tables) -> tuple[np.ndarray, ...]:
    return t.hands.counts, t.hands.child, t.hands.level, t.hands.safe


def choose_after_split(
    t: Tables, rules: Rules, after: AfterSplit, shoe: np.ndarray, stands: np.ndarray, parts: np.ndarray, rank: int, own: Scratch
) -> None:  # fmt: skip
    """own.action = how the hands of a split pair of this rank are played."""
    if after is AfterSplit.CDP1 and shoe[rank] > 1:
        _best_after_split(t, rules, shoe, stands, rank, own)
    else:
        splits.actions_after_split(
            t.split.hands[rank], parts, t.double_after_split, fixed_hands(t, rules, rank), own.action
        )


def fixed_hands(t: Tables, rules: Rules, rank: int) -> np.ndarray:
    """Which split hands of this rank must stand : bool[size]."""
    return t.one_card if rank == ACE and not rules.hit_split_aces else t.free


def split_rank(
    t: Tables, rules: Rules, after: AfterSplit, shoe: np.ndarray, stands: np.ndarray, parts: np.ndarray, rank: int
) -> np.ndarray:
    """Values of splitting a pair of this rank : float64[10]."""
    most = rules.most_hands(rank)
    if shoe[rank] < 2 or most < 2:
        return np.full(RANKS, np.nan)
    out = np.zeros(RANKS)
    with borrowed(Scratch) as own:
        choose_after_split(t, rules, after, shoe, stands, parts, rank, own)
        wanted = splits.needed(
            rank, t.split.hands[rank], t.hands.counts, t.hands.child, own.action, t.split.place[rank], further_pairs(most),
            len(t.hands.counts), own.mark, own.reached,
        )  # fmt: skip
        ask_dealer(t, shoe, rules.peek, stands, wanted)
        value_split(t, rules, shoe, stands, rank, own, out)
    return out


def value_split(
    t: Tables, rules: Rules, shoe: np.ndarray, stands: np.ndarray, rank: int, own: Scratch, out: np.ndarray, raised: float = RAISED
) -> None:  # fmt: skip
    """out[u] = value of splitting, when hands are then played as own.action says and the dealer has been asked.

    raised : the factor by which doubling multiplies the result of a hand
    """
    splits.split_value(
        rank, shoe, pattern_table(rules.most_hands(rank)), t.split.hands[rank][1:], *hand_arrays(t), t.split.place[rank], stands,
        t.double_after_split, raised, rules.peek, fixed_hands(t, rules, rank), own.action, own.values, own.parts, out,
    )  # fmt: skip


def _best_after_split(
    t: Tables, rules: Rules, shoe: np.ndarray, stands: np.ndarray, rank: int, own: Scratch
) -> None:  # fmt: skip
    """own.action = the best play of a split hand while just one other card of the rank is known to be gone."""
    members, place = t.split.hands[rank][1:], t.split.place[rank][0]
    ask_dealer(t, shoe, rules.peek, stands, place[members])
    left = shoe.astype(float)
    left[rank] -= 1
    double, fixed = t.double_after_split, fixed_hands(t, rules, rank)
    player.play(
        members, left, *hand_arrays(t), place, stands, double, RAISED, rules.peek, fixed, True, own.action, own.values, own.parts
    )  # fmt: skip


def solve(rules: Rules, after: AfterSplit = AfterSplit.CDZ, pool: Executor | None = None) -> Values:
    """All values for checked rules. `pool` : threads to share the work with."""
    t, shoe, peek = tables_of(rules), np.array(rules.cards, np.int64), rules.peek
    size = len(t.hands.counts)
    every = map if pool is None else pool.map
    with borrowed(Stands) as kept, borrowed(Scratch) as own:
        parts_of = np.array_split(np.arange(FIRST_PAIR, size), 1 if pool is None else threads())
        list(every(partial(ask_dealer, t, shoe, peek, kept.rows), parts_of))
        play_hands(t, shoe, peek, kept.rows, own)
        found = np.empty((RANKS, RANKS))
        of_rank = partial(split_rank, t, rules, after, shoe, kept.rows, own.parts)
        found[list(HARDEST_FIRST)] = list(every(of_rank, HARDEST_FIRST))
        worth, chance, clear = np.empty((PAIRS, OPTIONS, RANKS)), np.empty((PAIRS, RANKS)), np.empty((PAIRS, RANKS))
        by_up = np.empty(RANKS)
        value = first_two(
            shoe, np.arange(FIRST_PAIR, FIRST_PAIR + PAIRS), t.hands.counts, own.parts, found, rules.late_surrender, peek,
            float(rules.payoff), worth, chance, clear, by_up,
        )  # fmt: skip
        parts = own.parts[:, :, :RANKS].copy()
        return Values(parts, own.action.copy(), found, worth, chance, clear, by_up, value)
