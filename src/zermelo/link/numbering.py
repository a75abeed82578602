"""The text of the functions that number the positions of a ranked space (engines/boards/numbering.py), for both tiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.spaces import RankedSpace

Shape = tuple[tuple[int, ...], ...]  # where the tables are: `shape` of link/templates/board_rules.py
PLACE = re.compile(r"(?<![\w.])shape\[(\d+)\]\[(\d+)\]")


def with_constants(text: str, shape: Shape) -> str:
    """The text of kernels with the numbers of `shape` written in, which saves a fifth of the time: they are then for these tables alone. As
    it is without a shape."""
    if not shape:
        return text
    return PLACE.sub(lambda found: str(shape[int(found[1])][int(found[2])]), text)


def numbering_text(parts: Sequence[RankedSpace]) -> str:
    """PARTS, `part_ranks`, `write_ranks`, `image_index`, `whole_rank`, `rank_of_image` and `slots_at` of link/templates/board_rules.py."""
    none = "return (" + "-1, " * len(parts) + ")"
    ranks, slots, slot = [], [], 0
    index, images, rest = ["np.int64(fetch(data, shape[7][3] + ranks[0])) * shape[5][0]"], [], []
    for p, part in enumerate(parts):
        ranks += [f"    at, r{p} = shape[2][{p}], np.int64(0)"]
        for i in range(slot, slot + part.places):
            ranks += [
                f"    value = x[{i}] - shape[0][{i}]",
                f"    if value < 0 or value >= shape[1][{i}]:",
                f"        {none}",
                "    at += 2 * value",
                f"    r{p} += fetch(data, at + 1)",
                f"    at = shape[2][{p}] + fetch(data, at)",
            ]
        rest += [f"    at = number // shape[5][{p}]", f"    number -= at * shape[5][{p}]"]
        images.append(f"np.int64(fetch(data, shape[4][{p}] + k * shape[6][{p}] + ranks[{p}])) * shape[5][{p}]")
        if p:
            index.append(images[p])
        else:
            rest += ["    at = np.int64(fetch(data, shape[7][4] + at))"]
        rest.append(f"    place{p} = shape[3][{p}] + at * {part.places}")
        slots += [f"np.int64(fetch(data, place{p} + {j}))" for j in range(part.places)]
        slot += part.places
    count = range(len(parts))
    ranks += [f"    if {' | '.join(f'r{p}' for p in count)} < 0:", f"        {none}"]
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
