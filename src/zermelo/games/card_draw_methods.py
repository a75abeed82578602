"""Five ways to compute the card draw, from the plainest to the quickest, written to be read and compared.

With r red and b black cards left, V(r, b) is what a perfect player expects to win from here on:

    V(r, b) = max(0, r/(r+b) (1 + V(r-1, b)) + b/(r+b) (-1 + V(r, b-1))),    V(0, 0) = 0

The first term of max is to stop, the second to draw. So V(r, 0) = r and V(0, b) = 0. Each method fills the same cells with the
same arithmetic, only in another order; so they agree to the last bit, and differ in what they keep and what they leave out.
docs/card-draw-methods.md has the details, with measured growth. Everyday use: `zermelo.solve(CardDraw(red, black))`.

Gwern 2022 ("Problem 14"), with the diagonals of FeepingCreature and the blocks of Khoth.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError


def memoised_recursion(red: int, black: int) -> float:
    """Top down: the formula as it stands, and a dictionary of what is known.

    It goes red + black calls deep. Where Python allows no more (`sys.getrecursionlimit()`), it raises ParameterError.
    """
    red, black = _cards(red, black)
    known = {(0, 0): 0.0}

    def value(r: int, b: int) -> float:
        if (r, b) not in known:
            if_red = r * (1 + value(r - 1, b)) if r else 0.0
            if_black = b * (value(r, b - 1) - 1) if b else 0.0
            known[r, b] = max(0.0, (if_red + if_black) / (r + b))
        return known[r, b]

    try:
        return value(red, black)
    except RecursionError:
        raise ParameterError(_too_deep(red, black)) from None


def full_table(red: int, black: int) -> float:
    """Bottom up: fill the whole spreadsheet, smallest decks first, and read off its last cell."""
    return float(spreadsheet(red, black)[-1, -1])


def spreadsheet(red: int, black: int) -> np.ndarray:
    """All values: v[r, b] = V(r, b), `float64[red + 1, black + 1]`."""
    red, black = _cards(red, black)
    v = np.zeros((red + 1, black + 1))
    v[:, 0] = range(red + 1)
    for r in range(1, red + 1):
        for b in range(1, black + 1):
            v[r, b] = max(0.0, (r * (1 + v[r - 1, b]) + b * (v[r, b - 1] - 1)) / (r + b))
    return v


def row(red: int, black: int) -> float:
    """The spreadsheet with one row in memory: each row overwrites the one before it."""
    red, black = _cards(red, black)
    v = [0.0] * (black + 1)  # v[b] = V(0, b)
    for r in range(1, red + 1):
        v[0] = float(r)
        for b in range(1, black + 1):  # v[b] is still V(r-1, b), v[b-1] is already V(r, b-1)
            v[b] = max(0.0, (r * (1 + v[b]) + b * (v[b - 1] - 1)) / (r + b))
    return v[black]


def diagonal(red: int, black: int) -> float:
    """All decks with the same number of cards at once: none of them needs another."""
    red, black = _cards(red, black)
    reds = np.arange(red + 1.0)
    v = np.zeros(red + 1)  # v[r] = V(r, cards - r)
    for cards in range(1, red + black + 1):
        low, high = max(1, cards - black), min(red, cards) + 1
        r = reds[low:high]
        v[low:high] = np.maximum(0.0, (r * (1 + v[low - 1 : high - 1]) + (cards - r) * (v[low:high] - 1)) / cards)
    return float(v[red])


def blocked(red: int, black: int, size: int = 2048) -> float:
    """Square blocks of the spreadsheet, of which only the edges are kept; blocks where stopping is always best are skipped.

    V rises with red cards and falls with black ones. So where stopping is best one column before a block's best corner
    (the most red, the fewest black), it is best in the whole block, and all its values are 0.
    """
    red, black = _cards(red, black)
    size = whole("size", size, 1)
    left = np.arange(red + 1.0)  # left[r] = V(r, the last column done in this row), at first V(r, 0)
    below = np.zeros(black + 1)  # below[b] = V(the last row done in this column, b), at first V(0, b)
    rows, columns = -(-red // size), -(-black // size)
    for wave in range(rows + columns - 1):  # blocks on an antidiagonal: none of them needs another
        for i in range(max(0, wave - columns + 1), min(wave + 1, rows)):
            r, b = 1 + i * size, 1 + (wave - i) * size
            beside, under = left[r : r + size], below[b : b + size]
            if beside[-1] == 0:
                beside[:] = under[:] = 0
            else:
                _block(r, b, beside, under)
    return float(left[red])


def _block(r0: int, b0: int, left: np.ndarray, below: np.ndarray) -> None:
    """One block, diagonal by diagonal: from V(r, b0-1) and V(r0-1, b) to its last column and row, written into the same arrays."""
    height, width = len(left), len(below)
    reds = np.arange(r0, r0 + height, dtype=float)
    v = np.append(0.0, left)
    for d in range(height + width - 1):
        low, high = max(0, d - width + 1), min(height, d + 1)
        r, cards = reds[low:high], r0 + b0 + d
        if d < width:
            v[0] = below[d]
        draw = (r * (1 + v[low:high]) + (cards - r) * (v[low + 1 : high + 1] - 1)) / cards
        v[low + 1 : high + 1] = np.maximum(0.0, draw)
        if high == height:
            below[d - height + 1] = v[height]
    left[:] = v[1:]


METHODS: dict[str, Callable[[int, int], float]] = {
    "memoised_recursion": memoised_recursion,
    "full_table": full_table,
    "row": row,
    "diagonal": diagonal,
    "blocked": blocked,
}


def _cards(red: object, black: object) -> tuple[int, int]:
    return whole("red", red, 0), whole("black", black, 0)


def _too_deep(red: int, black: int) -> str:
    return (
        f"{red} red and {black} black cards need a recursion {red + black:,} calls deep, which is more than Python allows here; "
        "take another method, or raise the limit with sys.setrecursionlimit"
    )
