"""The patterns of a game, gathered one by one: what most of them have in common is stored once (kernels/pattern_items.py)."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.pattern_items import EXIT, OWN, Read, enter_pattern, write_items
from zermelo.kernels.patterns import Patterns
from zermelo.kernels.verify_patterns import ENDED
from zermelo.states.lists import Lists

NONE = 0, ENDED, 0.0, 1.0  # key, shift, worth and sign of an exit to the same stage that a pattern does not have


class Gathered:
    """Patterns, each a list of items."""

    def __init__(self) -> None:
        self.ways, self.items = Lists(), Lists()
        self.items.enter(np.arange(3), np.arange(2), 0, 1, np.zeros(2, np.int32))  # OWN and OWN + 1
        self.of: list[np.ndarray] = []  # the items of each pattern
        self.own: list[tuple[tuple[float, ...], ...]] = []  # and its exits to the same stage, as NONE
        self.sizes: list[tuple[int, int, int]] = []  # states, rows and outcomes, as the rules have them

    @property
    def size(self) -> int:
        """How many numbers the items have."""
        return int(self.items.begin[self.items.count])

    def add(self, sizes: tuple[int, ...], read: Read, value: int, same_stage: np.ndarray, plain: tuple[int, int]) -> None:
        """Add a pattern of these numbers of exits, nodes, rows, outcomes and ways, read where the handed value was `value`.

        same_stage : int64, the keys of the entries of that stage; plain : the numbers of rows and outcomes that the rules have."""
        exits, nodes, rows, outcomes, ways = sizes
        key, shift, sign = read.key[:exits], read.shift[:exits], read.sign[:exits]
        whole = key + np.where(shift >= 0, np.int64(value) << np.maximum(shift, 0).astype(np.int64), 0)
        own = np.full(2, -1)
        for e in np.flatnonzero((shift != ENDED) & np.isin(whole, same_stage))[::-1]:
            own[int(sign[e] < 0)] = e
        self.ways.make_room(rows, ways)
        self.items.make_room(exits + nodes, 5 * exits + 2 * nodes + 2 * rows + outcomes)
        found, written = np.empty(exits + nodes, np.int32), np.empty(5 + 2 * rows + outcomes, np.int64)
        counts = np.array([[self.ways.count], [self.items.count]])
        lists = [(kept.begin, kept.numbers, kept.table, count) for kept, count in zip((self.ways, self.items), counts, strict=True)]
        enter_pattern(exits, nodes, read, own, (read.worth.view(np.int64), read.ways.view(np.int64)), *lists, written, found)
        self.ways.count, self.items.count = counts[:, 0].tolist()
        self.of.append(found)
        self.own.append(tuple((int(key[e]), int(shift[e]), float(read.worth[e]), float(sign[e])) if e >= 0 else NONE for e in own))
        self.sizes.append((exits + nodes, *plain))

    def patterns(self, of_entry: np.ndarray, handed: np.ndarray, ahead: np.ndarray) -> Patterns:
        """All of them. An item is shared by the patterns from where on, in order of size, all have it; so is what it leads to."""
        items, many = self.items, len(self.of)
        rank = np.argsort(np.argsort([len(found) for found in self.of], kind="stable"))
        since = self._since(rank)
        shared = np.flatnonzero(since < many)
        shared = shared[np.argsort(since[shared], kind="stable")]
        number = np.zeros(items.count, np.int32)
        number[[OWN, OWN + 1]] = 0, 1
        number[shared] = 2 + np.arange(len(shared))
        is_exit = items.numbers[items.begin[: items.count]] == EXIT
        has = np.searchsorted(since[shared], rank, side="right")  # of the shared items, how many each pattern has
        tails = [found[(since[found] > rank[p]) & (found > OWN + 1)] for p, found in enumerate(self.of)]
        written = self._counted([shared, *tails])
        written[1:, 0] += 2
        ends = np.cumsum(written, axis=0)
        out = _Arrays(ends[-1])
        at = np.zeros(4, np.int64)
        arrays = (out.exit, out.key, out.shift, out.worth, out.sign, out.node, out.side, out.kind, out.outcomes, out.begin, out.to)
        lists = items.begin, items.numbers
        bits = out.worth.view(np.int64)
        write_items(shared, number, *lists, at, arrays, bits)
        root, numbers = np.zeros(many, np.int32), np.zeros(many, np.int64)
        for p, tail in enumerate(tails):
            first = 2 + has[p]
            before = number[tail]
            number[tail] = first + np.arange(len(tail))
            for k, (key, shift, worth, sign) in enumerate(self.own[p]):
                x = at[0] + k
                out.exit[x], out.key[x], out.shift[x], out.worth[x], out.sign[x] = k, key, shift, worth, sign
            at[0] += 2
            write_items(tail, number, *lists, at, arrays, bits)
            root[p], numbers[p] = number[self.of[p][-1]], first + len(tail)
            number[tail] = before
        exits = np.append(0, np.cumsum(is_exit[shared]))[has]
        return Patterns(
            of_entry, handed, ahead, root, numbers, np.array(self.sizes, np.int64).reshape(-1, 3),
            np.stack([exits, has - exits], axis=1), ends, *arrays, self.ways.numbers[: self.ways.begin[self.ways.count]].view(np.float64),
        )  # fmt: skip

    def _since(self, rank: np.ndarray) -> np.ndarray:
        """int64[items]: the rank from which on all patterns have an item; as many as there are patterns for OWN and OWN + 1."""
        since = np.zeros(self.items.count, np.int64)
        for p in np.argsort(rank):
            lacks = np.ones(self.items.count, np.bool_)
            lacks[self.of[p]] = False
            since[lacks] = rank[p] + 1
        since[[OWN, OWN + 1]] = len(self.of)
        return since

    def _counted(self, groups: list[np.ndarray]) -> np.ndarray:
        """int64[groups, 4]: the exits, nodes, rows and outcomes of items."""
        items = self.items
        begin = items.begin[: items.count + 1]
        first, kind = items.numbers[begin[:-1]], items.numbers[np.minimum(begin[:-1] + 1, len(items.numbers) - 1)]
        rows = np.where(first == EXIT, 0, np.maximum(-kind, 0))
        outcomes = np.where(first == EXIT, 0, np.diff(begin) - 2 - 2 * rows)
        each = np.stack([first == EXIT, first != EXIT, rows, outcomes], axis=1).astype(np.int64)
        return np.array([each[group].sum(axis=0) for group in groups])


class _Arrays:
    """Room for so many exits, nodes, rows and outcomes."""

    def __init__(self, sizes: np.ndarray):
        exits, nodes, rows, outcomes = sizes.tolist()
        self.exit, self.key, self.shift = np.zeros(exits, np.int32), np.zeros(exits, np.int64), np.zeros(exits, np.int8)
        self.worth, self.sign = np.zeros(exits), np.zeros(exits)
        self.node, self.side, self.kind = np.zeros(nodes, np.int32), np.zeros(nodes, np.int8), np.zeros(nodes, np.int32)
        self.outcomes, self.begin = np.zeros(rows, np.int32), np.zeros(rows, np.int32)
        self.to = np.zeros(outcomes, np.int32)
