"""The tables with which compiled code numbers positions: the parts of the space, and how symmetries map them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import RulesError
from zermelo.language.rules import Rules, State
from zermelo.link import BoardRules
from zermelo.spaces import RankedSpace
from zermelo.states.layout import Layout, flatten
from zermelo.states.positions import Positions, state_of

MOST_OF_A_PART = 4_000_000  # the most tuples of a part
SAMPLE = 4_000  # positions from which it is judged whether symmetries map part by part


class Numbering(NamedTuple):
    """Positions, and the tables of link/templates/board_rules.py."""

    positions: Positions
    native: BoardRules
    data: np.ndarray  # int32: all tables, one after another
    shape: tuple[
        tuple[int, ...], ...
    ]  # low, width; the beginnings of the parts' automata, items and images; strides; the place of the rest


def too_large_a_part(space: RankedSpace) -> str | None:
    """The reason why the tuples of a part of the space cannot be listed; None if those of every part can."""
    size = max(part.size for part in space.parts)
    if size <= MOST_OF_A_PART:
        return None
    return f"`space` has a part of {size:,} tuples, more than {MOST_OF_A_PART:,}: write it as a `product` of smaller ones"


def numbering(rules: Rules) -> Numbering:
    """Number the positions of a game that declares a ranked space. Raises `RulesError`."""
    space: RankedSpace = rules.ranked
    native = BoardRules(rules, Layout.of([state_of(rules, corner) for corner in space.corners]))
    joined = _Joined()
    roots = tuple(joined.put(_automaton(part)) for part in space.parts)
    low, width = (np.concatenate([getattr(part.automaton, name) for part in space.parts]) for name in ("low", "width"))
    bare = _numbers(low), _numbers(width), roots  # enough to rank the parts
    images = _images(rules, native, (joined.array, bare))
    by_parts = images is not None
    each = images or [np.arange(part.size)[None] for part in space.parts]  # int64[symmetries, ranks] of every part
    least = each[0].min(axis=0)
    if not (least[each[0]] == least).all():
        raise RulesError(rules.name, ["`symmetries` is not a group: images of an image are missing"])
    positions = Positions(rules, images)
    ways = np.argwhere((each[0] == least).T)  # (rank of the first part, symmetry that leads to the representative)
    items = tuple(joined.put(part.unrank_all(np.arange(part.size))) for part in space.parts)
    image = tuple(map(joined.put, each))
    sizes = [part.size for part in space.parts]
    rest = (
        int(by_parts),
        joined.put(np.searchsorted(ways[:, 0], np.arange(len(least) + 1))),
        joined.put(ways[:, 1]),
        joined.put(np.searchsorted(positions.representatives, least)),
        joined.put(positions.representatives),
    )
    return Numbering(
        positions, native, joined.array, (*bare, items, image, _numbers(_strides(sizes)), tuple(sizes), rest)
    )


class _Joined:
    """Tables joined into one array, equal ones only once, so that they fit into the caches."""

    def __init__(self) -> None:
        self.array = np.empty(0, np.int32)
        self._begins: dict[bytes, int] = {}

    def put(self, table: np.ndarray) -> int:
        """Add a table if it is new; returns the index at which it begins."""
        numbers = np.ravel(table).astype(np.int32)
        begin = self._begins.setdefault(numbers.tobytes(), len(self.array))
        if begin == len(self.array):
            self.array = np.concatenate([self.array, numbers])
        return begin


def _numbers(array: np.ndarray) -> tuple[int, ...]:
    return tuple(map(int, array))


def _strides(sizes: list[int]) -> np.ndarray:
    """The increase of the number of a position per rank of each part."""
    return np.cumprod([1, *sizes[:0:-1]], dtype=np.int64)[::-1]


def _automaton(part: RankedSpace) -> np.ndarray:
    """int64[k, 2], a row for each node and value: the index in the flattened table at which the next node begins (-1: there is none), and
    the number of tuples that come before."""
    following = part.automaton.following
    return np.stack([np.where(following < 0, -1, 2 * following), part.automaton.before], axis=1)


Bare = tuple[np.ndarray, tuple[tuple[int, ...], ...]]


def _images(rules: Rules, native: BoardRules, bare: Bare) -> list[np.ndarray] | None:
    """For every part int64[symmetries, ranks]: the rank of its image; the identity is included. None if symmetries do not map part
    by part."""
    space: RankedSpace = rules.ranked
    sizes = [part.size for part in space.parts]
    symmetries = len(list(rules.same_as(rules.start)))
    if not symmetries:
        return [np.arange(size)[None] for size in sizes]
    strides = _strides(sizes)
    alone = np.concatenate([np.arange(size) * stride for size, stride in zip(sizes, strides, strict=True)])
    seen = _mirrored(rules, native, bare, alone, symmetries)  # [alone, symmetries, parts]
    part_of = np.repeat(np.arange(len(sizes)), sizes)
    identity = np.concatenate([np.arange(size) for size in sizes])
    images = np.unique(np.vstack([identity, seen[np.arange(len(alone)), :, part_of].T]), axis=0)
    each = np.split(images, np.cumsum(sizes)[:-1], axis=1)
    sample = np.random.default_rng(1).integers(0, space.size, SAMPLE)
    digits = [sample // stride % size for size, stride in zip(sizes, strides, strict=True)]
    found = np.concatenate([np.array(digits).T[:, None], _mirrored(rules, native, bare, sample, symmetries)], axis=1)
    expected = np.stack([part[:, digit].T for part, digit in zip(each, digits, strict=True)], axis=2)
    fits = all(set(map(tuple, f)) == set(map(tuple, e)) for f, e in zip(found, expected, strict=True))
    return each if fits else None


def _mirrored(rules: Rules, native: BoardRules, bare: Bare, ranks: np.ndarray, symmetries: int) -> np.ndarray:
    """int64[n, symmetries, parts]: the ranks of the parts of all symmetric images of the tuples with these ranks."""
    space: RankedSpace = rules.ranked
    found = np.empty((len(ranks), symmetries, len(space.parts)), np.int64)
    slots = space.unrank_all(ranks)
    wrong = native.call("mirror_images", *bare, slots, found)
    if wrong >= 0:
        raise RulesError(rules.name, [_wrong_images(rules, state_of(rules, slots[wrong]), symmetries)])
    return found


def _wrong_images(rules: Rules, state: State, symmetries: int) -> str:
    images: list[Any] = list(rules.same_as(state))
    for image in images:
        if flatten(image) not in rules.ranked:
            return f"`symmetries` yields {rules.show(image)} for {rules.show(state)}: `space` does not hold it"
    return f"`symmetries` yields {len(images)} positions for {rules.show(state)}, but {symmetries} for the start"
