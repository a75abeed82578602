"""Optimal stopping on an urn, stage by stage, in a window around the likely plays.

An urn holds i balls of +1 and m - i balls of -1; balls are drawn without replacement, and the player may stop at any time (Shepp 1969).
With V the value from here on, W(m, i) = V + (m - 2i) is what being allowed to stop early adds to drawing all balls. W >= 0, W(0, 0) = 0
and

    W(m, i) = max(m - 2i,  W(m-1, i) + i/m (W(m-1, i-1) - W(m-1, i)))        (stop, or draw)

is a sweep over the stages m = 1, 2, ..., each one read from the one before. A stage is stored from many +1 balls to few:
`cells[j]` is W(m, top - j), so that a step reads `cells[j]` and `cells[j + 1]` and works in place, as many cells at a time as the
processor can: four or eight. (Numbers of cells are made floats from 32 bits: without AVX-512 no instruction makes several floats from 64.)
Cells with 2i >= m need no comparison: drawing on is worth i - (m - i) >= 0 at least.

Stages are taken in tiles. Within a tile the window is made of the states with at most `top` balls of +1 and at most
a fixed number of balls of -1: play leaves it only from one tile to the next. The tile loses one cell a stage at its low end.
Outside of the window W is set to its lower bound max(0, m - 2i). Below the frontier (the most +1 balls with which
one stops) that is no bound but the value: where a stage stops at i and i - 1, the next one stops at i, in floating numbers too.

A wide tile is cut into columns that fit the first-level cache, and these are done from right to left for a span of stages: a
column needs of its right neighbour only the first cell, stage after stage (`history`).
"""

from __future__ import annotations

import math

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.urn_places import (
    AHEAD,
    BASE,
    CELLS,
    CLOSED,
    FEWEST,
    FRONTIER,
    LAST,
    LONGEST,
    LOST,
    MOST,
    SHORTEST,
    STAGE,
    TILES,
    TOP,
    WIDTH,
)

FUSED = {"contract"}  # a*b + c is rounded once where the processor can; the bound of certificates/urn.py holds either way
ALIGNED = 8  # cells of 64 bytes
UNROLLED = 32  # cells that a pass of the inner loop takes
COLUMN = 2048 + ALIGNED  # cells; the last one of a column is done apart
SPAN = 128  # stages
NOTHING = -(2.0**20)  # stands for the largest W where stopping is best everywhere and no W is rounded


@kernel(fastmath=FUSED)
def _draw(cells, n, top, each):
    """A step for n cells where drawing is best. `top`: a float."""
    for j in range(n):
        kept = cells[j]
        cells[j] = kept + ((top - np.float64(np.int32(j))) * each) * (cells[j + 1] - kept)


@kernel(fastmath=FUSED)
def _draw_or_stop(cells, n, top, each, m):
    """A step for n cells. `top` and `m`: floats."""
    for j in range(n):
        kept = cells[j]
        balls = top - np.float64(np.int32(j))
        drawn = kept + (balls * each) * (cells[j + 1] - kept)
        stopped = m - 2.0 * balls
        cells[j] = drawn if drawn > stopped else stopped


@kernel(fastmath=FUSED)
def _block(cells, begin, end, is_last, m0, first, last, top, right, left, carried, reach, at, curve):
    """Steps first..last-1 after stage m0 for the cells begin..end-1 of a tile; `right` and `left` are the histories.

    The last column loses a cell a stage at its end (where whole passes of the loop may spoil lost cells), follows the
    frontier, and notes in reach[x] the last stage at which one stops with x more -1 balls than +1 balls left.
    curve[p] becomes W at the urn of at[p] balls of each kind.
    """
    drawing = (max(top - (m0 + last + 1) // 2 - begin, 0) // UNROLLED) * UNROLLED  # cells for which drawing is best
    sample = np.searchsorted(at, (m0 + first + 2) // 2)
    for t in range(first, last):
        m = m0 + t + 1
        each = 1.0 / m
        left[t] = cells[begin]
        stop = end - (t + 1) if is_last else end - 1
        middle = begin + min(drawing, ((stop - begin) // UNROLLED) * UNROLLED)
        rest = stop - middle
        if is_last:
            rest = ((rest + UNROLLED - 1) // UNROLLED) * UNROLLED
        _draw(cells[begin:], middle - begin, float(top - begin), each)
        _draw_or_stop(cells[middle:], rest, float(top - middle), each, float(m))
        if not is_last:
            kept = cells[stop]
            drawn = kept + ((top - stop) * each) * (right[t] - kept)
            stopped = float(m - 2 * (top - stop))
            cells[stop] = drawn if drawn > stopped else stopped
        elif carried[LOST] == 0:
            z = carried[FRONTIER]
            j = top - z - 1
            while 0 <= j < stop and cells[j] == m - 2 * (z + 1):
                z += 1
                j -= 1
            carried[FRONTIER] = z
            carried[LOST] = j >= stop
            ahead = m - 2 * z  # grows with m; if it falls, the window ends too near to the frontier
            if 0 <= j < stop and carried[AHEAD] - 1 <= ahead < len(reach):
                reach[ahead] = m
                carried[AHEAD] = max(carried[AHEAD], ahead)
        if sample < len(at) and 2 * at[sample] == m:
            j = top - at[sample]
            if begin <= j < (stop if is_last else end):
                curve[sample] = cells[j]
            sample += 1


@kernel
def _steps(cells, width, m0, steps, top, history, carried, reach, at, curve):
    """All steps of a tile, column by column."""
    columns = max(1, width // COLUMN)
    span = SPAN if columns > 1 else steps
    for first in range(0, steps, span):
        last = min(steps, first + span)
        for column in range(columns - 1, -1, -1):
            is_last = column == columns - 1
            begin = column * COLUMN
            end = width if is_last else begin + COLUMN
            right, left = history[(column + 1) % 2], history[column % 2]
            _block(cells, begin, end, is_last, m0, first, last, top, right, left, carried, reach, at, curve)


@inner
def _tile(m0, end, top, plus, minus, deviations, known, frontier):
    """The next tile: its last stage, the most +1 balls in it (a few too many, to stay aligned), the fewest at its last stage."""
    total = plus + minus
    width = 0.75 * deviations * math.sqrt((m0 + 1.0) * max(total - m0, 1) / total)
    m1 = min(m0 + max(SHORTEST, min(LONGEST, int(width / 16))), end)
    mean = m1 * (plus / total)
    away = 0.5 * deviations * math.sqrt(m1 * (total - m1) / total) + 2
    most = min(plus, int(mean + away))
    low = m1 - min(minus, int(m1 - mean + away))
    if known:
        low = max(low, frontier + 1)
    return m1, top + -(-max(most - top, 0) // ALIGNED) * ALIGNED, min(low, most)


@inner
def _fill(cells, begin, end, top, m):
    """Put the lower bound of W into cells."""
    for j in range(begin, end):
        cells[j] = max(0.0, float(m - 2 * (top - j)))


@kernel
def _highest(cells, width, top, m0, carried):
    """The largest W above the frontier, which rises to where it is in the new window; NOTHING if one stops everywhere."""
    if carried[LOST] != 0:
        return cells[width - 1]
    z = carried[FRONTIER]
    while z < top and cells[top - z - 1] == m0 - 2 * (z + 1):
        z += 1
    carried[FRONTIER] = z
    return NOTHING if z >= top else cells[max(0, min(width - 1, top - z - 1))]


@kernel
def sweep(buffer, history, carried, tiles, highest, reach, at, curve, plus, minus, end, deviations, budget):
    """Go on, tile by tile, to stage `end` or until `budget` cells are done or `tiles` is full.

    `carried` says where the sweep is: buffer[carried[BASE] :][: carried[WIDTH]] is its last stage. `deviations` is half the
    width of the window in standard deviations of the number of +1 balls left. tiles[k] is (LAST, MOST, FEWEST, CLOSED) and
    highest[k] the largest W that a step of the tile can have rounded.
    """
    done = 0
    while carried[STAGE] < end and done < budget and carried[TILES] < len(tiles):
        m0, base, known = carried[STAGE], carried[BASE], carried[LOST] == 0
        m1, top, low = _tile(m0, end, carried[TOP], plus, minus, deviations, known, carried[FRONTIER])
        steps, more = m1 - m0, top - carried[TOP]
        if more > base:  # no room before the window: move it to the buffer's end
            room = len(buffer) - carried[WIDTH] - LONGEST - 2 * UNROLLED
            room -= room % ALIGNED
            for j in range(carried[WIDTH] - 1, -1, -1):
                buffer[room + j] = buffer[base + j]
            base = room
        base -= more
        cells = buffer[base:]
        width = top - (low - steps) + 1
        _fill(cells, 0, more, top, m0)
        _fill(cells, more + carried[WIDTH], width + UNROLLED, top, m0)
        highest[carried[TILES]] = _highest(cells, width, top, m0, carried) + steps
        _steps(cells, width, m0, steps, top, history, carried, reach, at, curve)
        carried[STAGE], carried[TOP], carried[WIDTH], carried[BASE] = m1, top, width - steps, base
        tile = carried[TILES]
        tiles[tile, LAST], tiles[tile, MOST], tiles[tile, FEWEST] = m1, top, low
        tiles[tile, CLOSED] = carried[LOST] == 0 and carried[FRONTIER] >= low - 1
        carried[TILES] += 1
        carried[CELLS] += width * steps
        done += width * steps
