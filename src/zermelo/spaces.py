"""Ranked spaces: all tuples of integers of some kind, numbered 0..size-1 in lexicographic order, and back.

    from zermelo.spaces import compositions, subsets, words

    compositions(5, 3)          # three whole numbers that sum to 5
    subsets(52, 5)              # five different numbers below 52, ascending
    rank_subset([5, 999], 10**9)  # its number among all pairs below 10^9
    words([range(4)] * 3, start=0, step=add, accept=9)  # your own condition, read from left to right

A space is a finite automaton that reads a tuple from left to right: a *node* is everything it remembers of what it has read
(the sum so far, for example). Count the tuples that can still follow from each node. The rank of a tuple is then the number of accepted
tuples that branch off to a smaller value along its path,

    rank(x) = sum over i of the number of completions of all values below x[i] at the node before it,

one table entry per place (Lucchesi and Kowaltowski 1993, "Applications of finite automata representing large vocabularies").
For compositions and subsets these numbers are sums of binomial coefficients, the combinatorial number system (Lehmer 1964).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.basics.subsets import rank_subset as rank_subset
from zermelo.basics.subsets import unrank_subset as unrank_subset
from zermelo.errors import OutOfReach, ParameterError

MOST = 2**62  # the most tuples in a space: ranks are 64-bit integers
MOST_ENTRIES = 4_000_000  # the most table entries for one place
DEAD = -1


class Automaton(NamedTuple):
    """Tables for the compiled ranking (kernels/ranking.py). An *entry* belongs to a node and a value that can be read there.

    The entries of a node are contiguous: one for every value low[i] .. low[i] + width[i] - 1 of its place i, and one more at the end.
    """

    low: np.ndarray  # int64[places], the smallest value
    width: np.ndarray  # int64[places]
    following: np.ndarray  # int64[entries], first entry of the next node; -1 if the value is not allowed here
    before: (
        np.ndarray
    )  # int64[entries], tuples that branch off to a smaller value at this node; in the entry after the last value, all of them


class RankedSpace:
    """All tuples that an automaton accepts. Made by `compositions`, `subsets`, `words` and `product`."""

    def __init__(self, automaton: Automaton, size: int, parts: tuple[RankedSpace, ...] = ()):
        self.automaton, self.size = automaton, size
        self.parts = parts or (self,)  # the spaces whose product it is

    def __len__(self) -> int:
        return self.size

    @property
    def places(self) -> int:
        """The length of a tuple."""
        return len(self.automaton.low)

    def rank(self, item: Sequence[int]) -> int:
        """The number of a tuple. Raises `ValueError` if it is not in the space."""
        rank = self.find(item)
        if rank < 0:
            raise ValueError(f"{tuple(item)} is not in {self}")
        return rank

    def find(self, item: Any) -> int:
        """The number of a tuple; -1 if it is not in the space."""
        a = self.automaton
        if not isinstance(item, Sequence) or len(item) != self.places:
            return -1
        at, rank = 0, 0
        for value, low, width in zip(item, a.low.tolist(), a.width.tolist(), strict=True):
            if not isinstance(value, int | np.integer) or not 0 <= int(value) - low < width:
                return -1
            entry = at + int(value) - low
            at = int(a.following[entry])
            if at == DEAD:
                return -1
            rank += int(a.before[entry])
        return rank

    def __contains__(self, item: Any) -> bool:
        return self.find(item) >= 0

    def unrank(self, rank: int) -> tuple[int, ...]:
        """The tuple with this number."""
        if not 0 <= rank < self.size:
            raise IndexError(f"{rank} is not in 0..{self.size - 1}, the ranks of {self}")
        a, at, item = self.automaton, 0, []
        for low, width in zip(a.low, a.width, strict=True):
            value = int(np.searchsorted(a.before[at : at + width + 1], rank, side="right")) - 1
            rank -= int(a.before[at + value])
            item.append(value + int(low))
            at = int(a.following[at + value])
        return tuple(item)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self.unrank, range(self.size))

    def rank_all(self, items: np.ndarray) -> np.ndarray:
        """int64[n]: the ranks of the rows of int64[n, places], compiled; -1 for rows that are not in the space."""
        from zermelo.kernels.ranking import rank_all

        rows = _whole_numbers(items)
        if rows.ndim != 2 or rows.shape[1] != self.places:
            raise ParameterError(f"expected rows of {self.places} numbers, not an array of shape {rows.shape}")
        return rank_all(*tables([self]), rows)

    def unrank_all(self, ranks: np.ndarray) -> np.ndarray:
        """int64[n, places]: the tuples with the ranks int64[n], compiled."""
        from zermelo.kernels.ranking import unrank_all

        wanted = _whole_numbers(ranks)
        if wanted.size and not (wanted.min() >= 0 and wanted.max() < self.size):
            raise IndexError(f"ranks of {self} lie in 0..{self.size - 1}")
        return unrank_all(*tables([self]), wanted)

    @cached_property
    def corners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The smallest and the largest value in each place."""
        a = self.automaton
        return tuple(map(int, a.low)), tuple(map(int, a.low + a.width - 1))

    def __repr__(self) -> str:
        return f"<space of {self.size:,} tuples of {self.places}>"


class ManySubsets(RankedSpace):
    """The k-subsets of 0..n-1 when there are too many for tables: numbered one at a time, in whole numbers of any size."""

    def __init__(self, n: int, k: int):
        self.n, self.k, self.size, self.parts = n, k, comb(n, k), (self,)

    @property
    def automaton(self) -> Automaton:  # type: ignore[override]
        raise OutOfReach(f"{self} is too large for the tables of a game or of an array; `rank` and `unrank` number single subsets of it")

    @property
    def places(self) -> int:
        return self.k

    @property
    def corners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(range(self.k)), tuple(range(self.n - self.k, self.n))

    def find(self, item: Any) -> int:
        if not isinstance(item, Sequence) or len(item) != self.k or not all(isinstance(x, int | np.integer) for x in item):
            return -1
        numbers = [int(x) for x in item]
        if not all(a < b for a, b in pairwise([-1, *numbers, self.n])):
            return -1
        return rank_subset(numbers, self.n)

    def rank(self, item: Sequence[int], order: str = "lexicographic") -> int:
        """The number of a subset, in this order or "colexicographic". Raises `ValueError` if it is not in the space."""
        super().rank(item)
        return rank_subset(item, self.n, order)

    def unrank(self, rank: int, order: str = "lexicographic") -> tuple[int, ...]:
        """The subset with this number."""
        if not 0 <= rank < self.size:
            raise IndexError(f"{rank} is not in 0..{self.size - 1}, the ranks of {self}")
        return unrank_subset(int(rank), self.n, self.k, order)


def _whole_numbers(numbers: Any) -> np.ndarray:
    array = np.asarray(numbers)
    if array.size and array.dtype.kind not in "iu":
        raise ParameterError(f"expected whole numbers, not an array of {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.int64)


def tables(spaces: Sequence[RankedSpace]) -> tuple[np.ndarray, ...]:
    """low, width, following, before, root of spaces whose tuples have the same length, concatenated (kernels/ranking.py)."""
    automata = [space.automaton for space in spaces]
    root = np.cumsum([0, *(len(a.following) for a in automata)], dtype=np.int64)
    following = [np.where(a.following == DEAD, DEAD, a.following + at) for a, at in zip(automata, root, strict=False)]
    return (
        np.array([a.low for a in automata]), np.array([a.width for a in automata]), np.concatenate(following),
        np.concatenate([a.before for a in automata]), root[:-1],
    )  # fmt: skip


def words(
    values: Sequence[range],
    start: Hashable = 0,
    step: Callable[[Any, int], Hashable | None] = lambda node, value: node,
    accept: Callable[[Any], bool] = lambda node: True,
) -> RankedSpace:
    """All tuples with x[i] in values[i] that lead from `start` through node = step(node, x[i]) to an accepted node.

    Nodes can be any hashable objects. `step` returns None if no tuple with this beginning is accepted.
    """
    if not isinstance(values, Sequence):
        raise ParameterError(f"values must be a list of ranges, one a place, not {values!r}")
    for place, allowed in enumerate(values):
        if not isinstance(allowed, range) or (len(allowed) > 1 and allowed.step != 1):
            raise ParameterError(f"place {place} of a space: expected a range without gaps, not {allowed!r}")
    levels: list[Level] = []
    nodes: list[Hashable] = [start]
    for allowed in values:
        if len(nodes) * (allowed.stop - allowed.start) > MOST_ENTRIES:
            raise OutOfReach(
                f"a space with a table of {len(nodes) * (allowed.stop - allowed.start):.2g} entries is too large"
            )
        level = {node: {v: after for v in allowed if (after := step(node, v)) is not None} for node in nodes}
        levels.append(level)
        nodes = list(dict.fromkeys(after for row in level.values() for after in row.values()))
    counts: list[dict[Hashable, int]] = [{node: 1 for node in nodes if accept(node)}]
    for level in reversed(levels):
        totals = {node: sum(counts[0].get(after, 0) for after in row.values()) for node, row in level.items()}
        counts.insert(0, {node: total for node, total in totals.items() if total})
    size = _checked(counts[0].get(start, 0))
    return RankedSpace(_automaton(levels, counts), size)


Level = dict[Hashable, dict[int, Hashable]]  # for each node before a place, the node to which each value leads


def _checked(size: int) -> int:
    if size >= MOST:
        raise OutOfReach(f"a space of {size:.3g} tuples is too large to be numbered")
    return size


def _automaton(levels: list[Level], counts: list[dict[Hashable, int]]) -> Automaton:
    """Number the nodes from which some tuple is accepted, and write their entries."""
    lows, widths, first = [], [], []
    at = 0
    for level, ways, after_ways in zip(levels, counts, counts[1:], strict=False):
        live = [v for node in ways for v, after in level[node].items() if after in after_ways]
        lows.append(min(live, default=0))
        widths.append(max(live, default=lows[-1] - 1) - lows[-1] + 1)
        first.append({node: at + k * (widths[-1] + 1) for k, node in enumerate(ways)})
        at += len(ways) * (widths[-1] + 1)
    first.append(dict.fromkeys(counts[-1], at))  # the nodes at the end, where nothing more is read
    following, before = np.full(at, DEAD, np.int64), np.zeros(at, np.int64)
    for place, level in enumerate(levels):
        for node, entry in first[place].items():
            smaller = 0
            for value in range(widths[place]):
                before[entry + value] = smaller
                after = level[node].get(value + lows[place])
                if after in counts[place + 1]:
                    following[entry + value] = first[place + 1][after]
                    smaller += counts[place + 1][after]
            before[entry + widths[place]] = smaller
    return Automaton(np.array(lows, np.int64), np.array(widths, np.int64), following, before)


def compositions(total: int, parts: int, least: int | Sequence[int] = 0) -> RankedSpace:
    """All ways to share `total` among `parts`, each of which gets at least `least` (one number for all, or one per part)."""
    whole("parts", parts, 1)
    whole("total", total, -MOST)
    lows = list(least) if isinstance(least, Sequence) else [least] * parts
    if len(lows) != parts:
        raise ParameterError(f"least must be one number, or {parts} of them, one a part, not {least!r}")
    spare = total - sum(lows)
    shared = words(
        [range(spare + 1)] * parts,
        0,
        lambda so_far, value: so_far + value if so_far + value <= spare else None,
        lambda so_far: so_far == spare,
    )
    automaton = shared.automaton
    return RankedSpace(automaton._replace(low=automaton.low + np.array(lows, np.int64)), shared.size)


def subsets(n: int, k: int) -> RankedSpace:
    """All sets of k different numbers below n, ascending. If there are too many for tables, they are numbered one at a time and no game can
    use them."""
    whole("n", n, 0)
    whole("k", k, 0)
    try:
        return words(
            [range(i, max(i, n - k + i + 1)) for i in range(k)],
            -1,
            lambda last, value: value if value > last else None,
        )
    except OutOfReach:
        return ManySubsets(n, k)


def product(*spaces: Any) -> RankedSpace:
    """All tuples made of one part from each space in turn; a `range` stands for a single number, and tuples may be nested."""
    parts = [p for s in _flat(spaces) for p in (words([s]) if isinstance(s, range) else s).parts]
    if len(parts) == 1:
        return parts[0]
    automata = [part.automaton for part in parts]
    size = 1
    for part in parts:
        size *= part.size
    _checked(size)
    following, before = [], []
    at, rest = 0, size
    for part, table in zip(parts, automata, strict=True):
        rest = rest // part.size if part.size else 0
        following.append(np.where(table.following == DEAD, DEAD, table.following + at))
        before.append(table.before * rest)
        at += len(table.following)
    joined = [
        np.concatenate([getattr(t, name) for t in automata] or [[]]).astype(np.int64) for name in ("low", "width")
    ]
    joined += [np.concatenate(column or [[]]).astype(np.int64) for column in (following, before)]
    return RankedSpace(Automaton(*joined), size, tuple(parts))


def _flat(spaces: Any) -> Iterator[Any]:
    for space in spaces:
        if isinstance(space, RankedSpace | range):
            yield space
        elif isinstance(space, tuple):
            yield from _flat(space)
        else:
            raise ParameterError(f"expected a space, a range or a tuple of them, not {space!r}")
