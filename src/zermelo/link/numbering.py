"""The text of the functions that number the positions of a ranked space (engines/boards/numbering.py), for both tiers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from zermelo.spaces import RankedSpace

Shape = tuple[tuple[int, ...], ...]  # where the tables are: `shape` of link/templates/board_rules.py
MOST_DIRECT = 1 << 20  # the largest table that gives the rank of a part at once
PLACE = re.compile(r"(?<![\w.])shape\[(\d+)\]\[(\d+)\]")


def with_constants(text: str, shape: Shape) -> str:
    """The text of kernels with the numbers of `shape` written in, which saves a fifth of the time: they are then for these tables alone. As
    it is without a shape."""
    if not shape:
        return text
    return PLACE.sub(lambda found: str(shape[int(found[1])][int(found[2])]), text)


def rooms(part: RankedSpace) -> np.ndarray:
    """The number of values of each place, rounded up to a power of two."""
    return np.array([1 << max(int(width) - 1, 0).bit_length() for width in part.automaton.width], np.int64)


def is_direct(part: RankedSpace) -> bool:
    """Whether a table holds the rank of a tuple at the place that its values name."""
    return math.prod(rooms(part).tolist()) <= MOST_DIRECT


def numbering_text(parts: Sequence[RankedSpace]) -> str:
    """PARTS, `part_ranks`, `write_ranks`, `image_index`, `whole_rank`, `rank_of_image` and `slots_at` of link/templates/board_rules.py."""
    none = "        return (" + "-1, " * len(parts) + ")"
    part_of = [part for part in parts for _ in range(part.places)]
    ranks = [f"    v{i} = x[{i}] - shape[0][{i}]" for i in range(len(part_of))]
    if outside := " | ".join(f"v{i} & -shape[1][{i}]" for i, part in enumerate(part_of) if is_direct(part)):  # one look for all
        ranks += [f"    if {outside}:", none]
    slots, slot = [], 0
    index, images, rest = ["np.int64(fetch(data, shape[7][1] + 3 * ranks[0] + 2)) * shape[5][0]"], [], []
    for p, part in enumerate(parts):
        ranks += [f"    at, r{p} = shape[2][{p}], np.int64(0)"]
        for i in range(slot, slot + part.places):
            if is_direct(part):
                ranks += [f"    r{p} = r{p} * shape[1][{i}] + v{i}"]
                continue
            ranks += [
                f"    if v{i} < 0 or v{i} >= shape[1][{i}]:",
                none,
                f"    at += 2 * v{i}",
                f"    r{p} += fetch(data, at + 1)",
                f"    at = shape[2][{p}] + fetch(data, at)",
            ]
        if is_direct(part):
            ranks += [f"    r{p} = np.int64(fetch(data, at + r{p}))"]
        rest += [f"    at = number // shape[5][{p}]", f"    number -= at * shape[5][{p}]"]
        images.append(f"np.int64(fetch(data, shape[4][{p}] + k * shape[6][{p}] + ranks[{p}])) * shape[5][{p}]")
        if p:
            index.append(images[p])
        else:
            rest += ["    at = np.int64(fetch(data, shape[7][2] + at))"]
        rest.append(f"    place{p} = shape[3][{p}] + at * {part.places}")
        slots += [f"np.int64(fetch(data, place{p} + {j}))" for j in range(part.places)]
        slot += part.places
    count = range(len(parts))
    ranks += [f"    if {' | '.join(f'r{p}' for p in count)} < 0:", none]
    functions = [
        f"PARTS = {len(parts)}",
        "\n".join(["@inner", "def part_ranks(x, data, shape):", *ranks, f"    return ({', '.join(f'r{p}' for p in count)},)"]),
        "\n".join(["@inner", "def write_ranks(ranks, to):", *(f"    to[{p}] = ranks[{p}]" for p in count)]),
        f"@inner\ndef image_index(k, ranks, data, shape):\n    return {' + '.join(index)}",
        f"@inner\ndef whole_rank(ranks, shape):\n    return {' + '.join(f'ranks[{p}] * shape[5][{p}]' for p in count)}",
        f"@inner\ndef rank_of_image(k, ranks, data, shape):\n    return {' + '.join(images)}",
        "\n".join(["@inner", "def slots_at(number, data, shape):", *rest, f"    return ({', '.join(slots)},)"]),
    ]
    return "\n\n".join(functions)
