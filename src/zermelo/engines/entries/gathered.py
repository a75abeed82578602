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
        self.of: list[np.ndarray] = []  # the items of each pattern, the entry last, each after those it leads to
        self.own: list[tuple[tuple[float, ...], ...]] = []  # and its exits to the same stage, as NONE
        self.sizes: list[tuple[int, ...]] = []  # states, rows and outcomes, as the rules have them

    @property
    def size(self) -> int:
        """How many numbers the items have."""
        return int(self.items.begin[self.items.count])

    def add(self, sizes: tuple[int, ...], read: Read, value: int, same_stage: np.ndarray) -> None:
        """Add a pattern, read where the handed value was `value`.

        sizes : the numbers of its exits, nodes, rows, outcomes and ways, and of the rows and outcomes that the rules have; same_stage :
        int64, the keys of the entries of that stage."""
        exits, nodes, rows, outcomes, ways, *plain = sizes
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
        self.of.append(found[np.sort(np.unique(found, return_index=True)[1])])  # some are alike
        self.own.append(tuple((int(key[e]), int(shift[e]), float(read.worth[e]), float(sign[e])) if e >= 0 else NONE for e in own))
        self.sizes.append((exits + nodes, *plain))

    def patterns(self, of_entry: np.ndarray, handed: np.ndarray, ahead: np.ndarray) -> Patterns:
        """All of them. In order of size, an item is shared from the pattern on from where all have it; so is what it leads to."""
        many = len(self.of)
        rank = np.argsort(np.argsort([len(found) for found in self.of], kind="stable"))
        since = self._since(rank)
        shared = np.flatnonzero(since < many).astype(np.int32)
        shared = shared[np.argsort(since[shared], kind="stable")]
        has = np.searchsorted(since[shared], rank, side="right")  # of the shared items, how many each pattern has
        each = self._counted(shared)
        exits = np.append(0, np.cumsum(each[:, 0]))[has]
        tails = [found[(since[found] > rank[p]) & (found > OWN + 1)] for p, found in enumerate(self.of)]
        written = np.array([found.sum(axis=0) for found in (each, *map(self._counted, tails))])
        written[1:, 0] += 2
        first = np.cumsum(written, axis=0)
        arrays, root, numbers = self._written(shared, tails, has, first[-1])
        ways = self.ways.numbers[: self.ways.begin[self.ways.count]].view(np.float64)
        sizes = np.array(self.sizes, np.int64).reshape(-1, 3)
        prefix = np.stack([exits, has - exits], axis=1)
        return Patterns._make((of_entry, handed, ahead, root, numbers, sizes, prefix, first, *arrays, ways))

    def _since(self, rank: np.ndarray) -> np.ndarray:
        """int64[items]: the rank from which on all patterns have an item; as many as there are patterns where the last one lacks it, and
        for OWN and OWN + 1."""
        since = np.full(self.items.count, len(self.of))
        for p in np.argsort(-rank):
            found = self.of[p]
            since[found[(since[found] == rank[p] + 1) & (found > OWN + 1)]] = rank[p]
        return since

    def _written(
        self, shared: np.ndarray, tails: list[np.ndarray], has: np.ndarray, sizes: np.ndarray
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
        """The arrays of `Patterns` from its `exit` on, but for `ways`: first what is shared, then for each pattern what is its own; and its
        `root` and `numbers`."""
        exits, nodes, rows, outcomes = sizes.tolist()
        exit, key, shift, worth, sign = arrays = (
            np.zeros(exits, np.int32), np.zeros(exits, np.int64), np.zeros(exits, np.int8), np.zeros(exits), np.zeros(exits),
        )  # fmt: skip
        out = (
            *arrays, np.zeros(nodes, np.int32), np.zeros(nodes, np.int8), np.zeros(nodes, np.int32), np.zeros(rows, np.int32),
            np.zeros(rows, np.int32), np.zeros(outcomes, np.int32),
        )  # fmt: skip
        at, number, lists = np.zeros(4, np.int64), np.zeros(self.items.count, np.int32), (self.items.begin, self.items.numbers)
        number[[OWN, OWN + 1]] = 0, 1
        number[shared] = 2 + np.arange(len(shared))
        write_items(shared, number, *lists, at, out, worth.view(np.int64))
        root, numbers = np.zeros(len(tails), np.int32), np.zeros(len(tails), np.int64)
        for p, tail in enumerate(tails):
            for k, own in enumerate(self.own[p]):
                x = at[0] + k
                exit[x], (key[x], shift[x], worth[x], sign[x]) = k, own
            at[0] += 2
            as_shared = number[tail]
            number[tail] = 2 + has[p] + np.arange(len(tail))
            write_items(tail, number, *lists, at, out, worth.view(np.int64))
            root[p], numbers[p] = number[self.of[p][-1]], 2 + has[p] + len(tail)
            number[tail] = as_shared
        return out, root, numbers

    def _counted(self, items: np.ndarray) -> np.ndarray:
        """int64[items, 4]: the exits, nodes, rows and outcomes that each is."""
        begin, numbers = self.items.begin, self.items.numbers
        is_exit, kind = numbers[begin[items]] == EXIT, numbers[begin[items] + 1]
        rows = np.where(is_exit, 0, np.maximum(-kind, 0))
        outcomes = np.where(is_exit, 0, begin[items + 1] - begin[items] - 2 - 2 * rows)
        return np.stack([is_exit, ~is_exit, rows, outcomes], axis=1).astype(np.int64)
