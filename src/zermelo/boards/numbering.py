"""What compiled code needs to number positions: tables of the parts of the space, and how symmetries map them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.boards.positions import Positions, state_of
from zermelo.errors import OutOfReach, RulesError
from zermelo.game import Rules, State
from zermelo.layout import Layout, flatten
from zermelo.link import BoardRules
from zermelo.spaces import RankedSpace

MOST_OF_A_PART = 4_000_000  # tuples
SAMPLE = 4_000  # positions by which it is judged whether symmetries map part by part


class Numbering(NamedTuple):
    """Positions, and the tables of kernels/board_rules.py."""

    positions: Positions
    native: BoardRules
    data: np.ndarray  # int32: all tables, one after the other
    shape: tuple[
        tuple[int, ...], ...
    ]  # low, width; where the parts' automata, items and images begin; strides; where the rest is


def numbering(rules: Rules) -> Numbering:
    """Number the positions of a game that declares a ranked space. Raises `RulesError`, `OutOfReach`."""
    space: RankedSpace = rules.ranked
    for part in space.parts:
        if part.size > MOST_OF_A_PART:
            raise OutOfReach(
                f"{rules.name}: `space` has a part of {part.size:,} tuples, more than {MOST_OF_A_PART:,}: write it as a `product` "
                "of smaller ones"
            )
    native = BoardRules(rules, Layout.of([state_of(rules, corner) for corner in space.corners]))
    automata, roots = _automata(space)
    low, width = (np.concatenate([getattr(part.automaton, name) for part in space.parts]) for name in ("low", "width"))
    bare = automata, (_numbers(low), _numbers(width), roots)  # enough to rank the parts
    images = _images(rules, native, bare)
    first = np.arange(space.parts[0].size)
    images = None if images is None else np.unique(images, axis=0)
    every = first[None] if images is None else images[:, : len(first)]  # of the first part: int64[symmetries, ranks]
    least = every.min(axis=0)
    if not (least[every] == least).all():
        raise RulesError(rules.name, ["`symmetries` is not a group: images of an image are missing"])
    positions = Positions(rules, np.flatnonzero(least == first))
    ways = np.argwhere((every == least).T)  # (rank of the first part, symmetry that leads to the representative)
    sizes = [part.size for part in space.parts]
    joined = _Joined(automata)
    items = tuple(joined.put(part.unrank_all(np.arange(part.size))) for part in space.parts)
    image_rows = images if images is not None else np.concatenate([np.arange(size) for size in sizes])[None]
    image = joined.put(image_rows)
    rest = (
        int(images is not None),
        joined.put(np.searchsorted(ways[:, 0], np.arange(len(first) + 1))),
        joined.put(ways[:, 1]),
        joined.put(np.searchsorted(positions.representatives, least)),
        joined.put(positions.representatives),
    )
    at = _numbers(image + np.cumsum([0, *sizes[:-1]]))
    shape = (*bare[1], items, at, _numbers(_strides(sizes)), (image_rows.shape[1],), rest)
    return Numbering(positions, native, joined.array, shape)


class _Joined:
    """Tables put one after the other into one array."""

    def __init__(self, first: np.ndarray):
        self.array = first

    def put(self, table: np.ndarray) -> int:
        """Where it begins."""
        begin = len(self.array)
        self.array = np.concatenate([self.array, np.ravel(table).astype(np.int32)])
        return begin


def _numbers(array: np.ndarray) -> tuple[int, ...]:
    return tuple(map(int, array))


def _strides(sizes: list[int]) -> np.ndarray:
    """By how much the number of a position grows with the rank of each part."""
    return np.cumprod([1, *sizes[:0:-1]], dtype=np.int64)[::-1]


def _automata(space: RankedSpace) -> tuple[np.ndarray, tuple[int, ...]]:
    """int32: for every entry of the parts' automata where the next node begins (-1: none), and the tuples before; and where each begins."""
    automata = [part.automaton for part in space.parts]
    roots = np.cumsum([0, *(len(a.following) for a in automata)], dtype=np.int64)
    steps = [
        np.stack([np.where(a.following < 0, -1, 2 * (a.following + at)), a.before], axis=1)
        for a, at in zip(automata, roots, strict=False)
    ]
    return np.concatenate(steps).astype(np.int32).ravel(), _numbers(2 * roots[:-1])


Bare = tuple[np.ndarray, tuple[tuple[int, ...], ...]]


def _images(rules: Rules, native: BoardRules, bare: Bare) -> np.ndarray | None:
    """int64[symmetries, ranks of the first part, then of the others]: the rank of a part's image, the first symmetry being the
    identity. None if symmetries do not map part by part."""
    space: RankedSpace = rules.ranked
    sizes = [part.size for part in space.parts]
    symmetries = len(list(rules.same_as(rules.start)))
    identity = np.concatenate([np.arange(size) for size in sizes])
    if not symmetries:
        return identity[None, :]
    strides = _strides(sizes)
    alone = np.concatenate([np.arange(size) * stride for size, stride in zip(sizes, strides, strict=True)])
    seen = _mirrored(rules, native, bare, alone, symmetries)  # [alone, symmetries, parts]
    part_of = np.repeat(np.arange(len(sizes)), sizes)
    images = np.vstack([identity, seen[np.arange(len(alone)), :, part_of].T])
    sample = np.random.default_rng(1).integers(0, space.size, SAMPLE)
    found = _mirrored(rules, native, bare, sample, symmetries)
    for p, (size, stride, begin) in enumerate(zip(sizes, strides, np.cumsum([0, *sizes]), strict=False)):
        if (found[:, :, p] != images[1:, begin + sample // stride % size].T).any():
            return None
    return images


def _mirrored(rules: Rules, native: BoardRules, bare: Bare, ranks: np.ndarray, symmetries: int) -> np.ndarray:
    """int64[n, symmetries, parts]: the ranks of the parts of all mirror images of the tuples with these ranks."""
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
