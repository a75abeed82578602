"""The tables with which compiled code numbers positions: the parts of the space, and how symmetries map them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.engines.base import GivesUp
from zermelo.errors import RulesError
from zermelo.language.by_parts import maps_by_parts
from zermelo.language.rules import Rules
from zermelo.link import BoardRules, RuleRaised
from zermelo.link.numbering import is_direct, rooms
from zermelo.spaces import RankedSpace
from zermelo.states.layout import Layout, flatten
from zermelo.states.positions import Positions, image_outside, state_of

MOST_OF_A_PART = 4_000_000  # the most tuples of a part
LARGE = 1 << 25  # positions from which on kernels are compiled for the tables of this game alone
NONE = -(1 << 30)  # a rank that is below 0 with everything added to it that comes before a tuple
SAMPLE = 4_000  # positions from which it is judged whether symmetries map part by part


class Numbering(NamedTuple):
    """Positions, and the tables of link/templates/board_rules.py."""

    positions: Positions
    native: BoardRules
    data: np.ndarray  # int32: all tables, one after another
    shape: tuple[
        tuple[int, ...], ...
    ]  # low, width; the beginnings of the parts' ranks or automata, items and images; strides; sizes; the `rest`
    is_proven: bool  # that `symmetries` yields what the tables say, at all positions

    @property
    def asks_symmetries(self) -> bool:
        """Whether what `symmetries` yields is compared with the tables at all positions that are reached."""
        by_parts, *_, symmetries = self.shape[7]
        return bool(by_parts) and symmetries > 1 and not self.is_proven


def too_large_a_part(space: RankedSpace) -> str | None:
    """The reason why the tuples of a part of the space cannot be listed; None if those of every part can."""
    size = max(part.size for part in space.parts)
    if size <= MOST_OF_A_PART:
        return None
    return f"`space` has a part of {size:,} tuples, more than {MOST_OF_A_PART:,}: write it as a `product` of smaller ones"


def numbering(rules: Rules, by_parts: bool = True) -> Numbering:
    """Number the positions of a game that declares a ranked space. `by_parts` : symmetries are looked at part by part if they seem to map
    like that. Raises `RulesError`."""
    space: RankedSpace = rules.ranked
    layout = Layout.of([state_of(rules, corner) for corner in space.corners])
    native = BoardRules(rules, layout)
    joined = _Joined()
    roots = tuple(joined.put(_ranks(part) if is_direct(part) else _automaton(part)) for part in space.parts)
    low = np.concatenate([part.automaton.low for part in space.parts])
    width = np.concatenate([rooms(part) if is_direct(part) else part.automaton.width for part in space.parts])
    bare = _numbers(low), _numbers(width), roots  # enough to rank the parts
    is_proven = not rules.folded or (by_parts and maps_by_parts(rules, [part.places for part in space.parts]))
    images = _images(rules, native, (joined.array, bare), is_proven) if by_parts or not rules.folded else None
    each = images or [np.arange(part.size)[None] for part in space.parts]  # int64[symmetries, ranks] of every part
    least = each[0].min(axis=0)
    if len(odd := np.flatnonzero((least[each[0]] != least).any(axis=0))):
        here = rules.in_line(state_of(rules, space.unrank(int(odd[0]) * (space.size // space.parts[0].size))))
        raise RulesError(rules.name, [f"`symmetries` is not a group: at {here}, images of an image are missing"])
    positions = Positions(rules, images)
    items = tuple(joined.put(part.unrank_all(np.arange(part.size))) for part in space.parts)
    image = tuple(map(joined.put, each))
    sizes = [part.size for part in space.parts]
    first, ways, further = _ways(each[0] == least)
    known = np.stack([first, joined.put(ways) + further, np.searchsorted(positions.representatives, least)], axis=1)
    # whether symmetries map part by part; where what is known of the first part's ranks begins, and the representatives; all symmetries
    rest = (int(images is not None), joined.put(known), joined.put(positions.representatives), len(each[0]))
    shape = (*bare, items, image, _numbers(_strides(sizes)), tuple(sizes), rest)
    if positions.size >= LARGE:
        native = BoardRules(rules, layout, shape)
    return Numbering(positions, native, joined.array, shape, is_proven)


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


def _ways(makes_least: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The symmetries that lead from each rank of the first part to the smallest of its images (bool[symmetries, ranks]), one after another:
    of each rank the first one; all of them; and where its further ones begin among all. A symmetry is twice its number, and 1 more
    if another one follows, so that most ranks, of which only one leads there, need nothing but the first."""
    rank, symmetry = np.nonzero(makes_least.T)
    ways = 2 * symmetry + (np.diff(rank, append=-1) == 0)
    begin = np.searchsorted(rank, np.arange(makes_least.shape[1]))
    return ways[begin], ways, begin + 1


def _ranks(part: RankedSpace) -> np.ndarray:
    """int64[product of the rooms]: the rank of the tuple with these values, or NONE."""
    items, room = part.unrank_all(np.arange(part.size)) - part.automaton.low, rooms(part)
    table = np.full(int(room.prod()), NONE)
    table[items @ (room[::-1].cumprod()[::-1] // room)] = np.arange(part.size)
    return table


def _automaton(part: RankedSpace) -> np.ndarray:
    """int64[k, 2], a row for each node and value: the index in the flattened table at which the next node begins, and the number of tuples
    that come before; with values that no tuple has, the last node, from which no other follows, and NONE."""
    following, before = part.automaton.following, part.automaton.before
    known = np.stack([np.where(following < 0, 2 * len(following), 2 * following), np.where(following < 0, NONE, before)], axis=1)
    return np.concatenate([known, np.tile([2 * len(following), NONE], (max(part.automaton.width), 1))])


Bare = tuple[np.ndarray, tuple[tuple[int, ...], ...]]


def _images(rules: Rules, native: BoardRules, bare: Bare, is_proven: bool) -> list[np.ndarray] | None:
    """For every part int64[symmetries, ranks]: the rank of its image; the identity is included. None if symmetries do not map part
    by part, of which random positions are examples, unless it `is_proven`."""
    space: RankedSpace = rules.ranked
    sizes = [part.size for part in space.parts]
    if not rules.folded:
        return [np.arange(size)[None] for size in sizes]
    symmetries = len(list(rules.same_as(rules.start)))
    if not symmetries:
        return None
    strides = _strides(sizes)
    alone = np.concatenate([np.arange(size) * stride for size, stride in zip(sizes, strides, strict=True)])
    seen = _mirrored(rules, native, bare, alone, symmetries)  # [alone, symmetries, parts]
    if seen is None:
        return None
    part_of = np.repeat(np.arange(len(sizes)), sizes)
    identity = np.concatenate([np.arange(size) for size in sizes])
    images = _distinct(np.vstack([identity, seen[np.arange(len(alone)), :, part_of].T]))
    each = np.split(images, np.cumsum(sizes)[:-1], axis=1)
    if is_proven:
        return each
    sample = np.random.default_rng(1).integers(0, space.size, SAMPLE)
    digits = [sample // stride % size for size, stride in zip(sizes, strides, strict=True)]
    sampled = _mirrored(rules, native, bare, sample, symmetries)
    if sampled is None:
        return None
    found = np.concatenate([np.array(digits).T[:, None], sampled], axis=1)
    expected = np.stack([part[:, digit].T for part, digit in zip(each, digits, strict=True)], axis=2)
    fits = all(set(map(tuple, f)) == set(map(tuple, e)) for f, e in zip(found, expected, strict=True))
    return each if fits else None


def _distinct(rows: np.ndarray) -> np.ndarray:
    """The rows of int64[n, ranks], each once and in order. (`np.unique` makes a type of as many fields, which takes up to 0.2 s.)"""
    found = sorted({row.tobytes() for row in rows.astype(">i8")})  # bytes in the order of the numbers, as none is negative
    return np.frombuffer(b"".join(found), ">i8").reshape(len(found), -1).astype(np.int64)


def _mirrored(rules: Rules, native: BoardRules, bare: Bare, ranks: np.ndarray, symmetries: int) -> np.ndarray | None:
    """int64[n, symmetries, parts]: the ranks of the parts of all symmetric images of the tuples with these ranks. None if some do not have
    as many."""
    space: RankedSpace = rules.ranked
    found = np.empty((len(ranks), symmetries, len(space.parts)), np.int64)
    slots = space.unrank_all(ranks)
    try:
        wrong = native.call("mirror_images", *bare, slots, found)
    except RuleRaised as error:
        raise _raised_by_symmetries(rules, slots, error) from None
    if wrong >= 0:
        state = state_of(rules, slots[wrong])
        for image in rules.same_as(state):
            if flatten(image) not in rules.ranked:
                raise image_outside(rules, state, image)
        return None
    return found


def _raised_by_symmetries(rules: Rules, slots: np.ndarray, error: RuleRaised) -> RulesError:
    """The error for an exception in `symmetries` at one of these tuples."""
    for row in slots:
        state = state_of(rules, row)
        try:
            list(rules.same_as(state))
        except Exception as again:
            return RulesError(rules.name, [f"at {rules.in_line(state)}: `symmetries` raised {type(again).__name__}: {again}"])
    return error


def slower_images(of: Numbering) -> str:
    """The slower way in which mirror images are found or checked; "" if there are none, or these are proven to map part by part."""
    if of.asks_symmetries:
        return (
            "mirror images were compared with the numbering position by position, which takes longer: it isn't proven beforehand that "
            "`symmetries` map each part of `space` by itself"
        )
    if of.is_proven or of.shape[7][0]:
        return ""
    return "mirror images are computed one by one, and all of them are in the table: `symmetries` don't map each part of `space` by itself"


class NotByParts(Exception):
    """Symmetries do not map each part by itself at some position, though they do where it was tried; the text says where."""


def check_images(of: Numbering, numbers: np.ndarray) -> None:
    """Raise `NotByParts` if `symmetries` does not yield, at one of these positions, all that the numbering takes for the same. (Asked only
    where `asks_symmetries`.)"""
    symmetries = of.shape[7][-1]
    scratch = np.empty(8 * symmetries, np.int64), np.zeros(symmetries, np.int64)
    wrong = of.native.call("differing_images", of.data, of.shape, numbers, *scratch)
    if wrong >= 0:
        here = of.positions.rules.in_line(of.positions.state(int(numbers[wrong])))
        raise NotByParts(f"symmetries map each part of a position by itself wherever that was tried, but not at {here}")


def require_images(of: Numbering, numbers: np.ndarray) -> None:
    """Raise `GivesUp` for what `check_images` finds."""
    try:
        check_images(of, numbers)
    except NotByParts as error:
        raise GivesUp(str(error)) from None
