"""Optimal stopping on an urn, stage by stage, in a window around the likely plays.

An urn holds i balls of +1 and m - i balls of -1; balls are drawn without replacement, and the player may stop at any time (Shepp 1969).
With V the value from here on, W(m, i) = V + (m - 2i) is what being allowed to stop early adds to drawing all balls. W >= 0, W(0, 0) = 0
and

    W(m, i) = max(m - 2i,  W(m-1, i) + i/m (W(m-1, i-1) - W(m-1, i)))        (stop, or draw)

is a sweep over the stages m = 1, 2, ..., each one read from the one before. A stage is stored from many +1 balls to few:
`cells[j]` is W(m, top - j), so that a step reads `cells[j]` and `cells[j + 1]` and works in place, as many cells at a time as the
processor can: four or eight.
Cells with 2i >= m need no comparison: drawing on is worth i - (m - i) >= 0 at least.

Stages are taken in tiles. Within a tile the window is made of the states with at most `top` balls of +1 and at most
a fixed number of balls of -1: play leaves it only from one tile to the next. The tile loses one cell a stage at its low end.
Outside of the window W is set to its lower bound max(0, m - 2i). Below the frontier (the most +1 balls with which
one stops) that is no bound but the value: where a stage stops at i and i - 1, the next one stops at i, in floating numbers too.

A wide tile is cut into columns that fit the first-level cache, and these are done from right to left for a span of stages: a
column needs of its right neighbour only the first cell, stage after stage (`history`).

Several threads cut a tile into parts, before it is cut into columns. A part begins with the cells that the next stages of its right
neighbour's begin from, as many as the tile has stages, and loses one of them a stage: so each thread takes a copy of its part at the tile's
beginning, and what it has made of its own cells goes back at the end. Each cell is computed from the same numbers in the same way, to the
same bits, however many parts there are.
"""

from __future__ import annotations

import math

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.meeting import meet
from zermelo.kernels.prefetch import uncounted
from zermelo.kernels.registers import widest
from zermelo.kernels.urn_places import (
    AHEAD,
    BASE,
    CELLS,
    CLOSED,
    FEWEST,
    FRONTIER,
    GOES_ON,
    LAST,
    LONGEST,
    LOST,
    MOST,
    SHORTEST,
    STAGE,
    STEPS,
    TILES,
    TOP,
    WIDE,
    WIDTH,
)

FUSED = {"contract"}  # a*b + c is rounded once where the processor can; the bound of certificates/urn.py holds either way
ALIGNED = 8  # cells of 64 bytes
UNROLLED = 64  # cells that a pass of the inner loop takes; their numbers are constants in it
COLUMN = 2048 + ALIGNED  # cells; the last one of a column is done apart
PART = 1024  # cells that the part of a thread has at least
SPAN = 128  # stages
NOTHING = -(2.0**20)  # stands for the largest W where stopping is best everywhere and no W is rounded


@kernel(fastmath=FUSED)
def _draw(cells, n, top, each):
    """A step for n cells where drawing is best, a multiple of UNROLLED. `top`: a float."""
    widest()
    for begin in range(0, n, UNROLLED):
        block, balls = cells[begin : begin + UNROLLED + 1], top - begin
        for j in range(UNROLLED):
            kept = block[j]
            block[j] = kept + ((balls - j) * each) * (block[j + 1] - kept)


@kernel(fastmath=FUSED)
def _best(kept, below, balls, each, m):
    """W of a cell after a step: of stopping or of drawing, after which W is `below` or, for a -1 ball, `kept`. `balls` and `m`: floats."""
    drawn = kept + (balls * each) * (below - kept)
    stopped = m - 2.0 * balls
    return drawn if drawn > stopped else stopped


@kernel(fastmath=FUSED)
def _draw_or_stop(cells, n, top, each, m):
    """A step for n cells. `top` and `m`: floats."""
    widest()
    whole = n // UNROLLED * UNROLLED
    for begin in range(0, whole, UNROLLED):
        block, balls = cells[begin : begin + UNROLLED + 1], top - begin
        for j in range(UNROLLED):
            block[j] = _best(block[j], block[j + 1], balls - j, each, m)
    for j in range(whole, n):
        cells[j] = _best(cells[j], cells[j + 1], top - j, each, m)


@kernel(fastmath=FUSED)
def _block(cells, begin, end, is_last, has_end, m0, first, last, top, right, left, carried, reach, at, curve):
    """Steps first..last-1 after stage m0 for the cells begin..end-1 of a tile; `right` and `left` are the histories.

    The last column loses a cell a stage at its end (where whole passes of the loop may spoil lost cells). If it `has_end`, that of the
    window, it follows the frontier, and notes in reach[x] the last stage at which one stops with x more -1 balls than +1 balls left.
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
            cells[stop] = _best(cells[stop], right[t], float(top - stop), each, float(m))
        elif has_end and carried[LOST] == 0:
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


@inner
def _steps(cells, width, has_end, m0, steps, top, history, carried, reach, at, curve):
    """All steps of a tile, or of a part of it, column by column. has_end : it ends where the window does."""
    columns = max(1, width // COLUMN)
    span = SPAN if columns > 1 else steps
    for first in range(0, steps, span):
        last = min(steps, first + span)
        for column in range(columns - 1, -1, -1):
            is_last = column == columns - 1
            begin = column * COLUMN
            end = width if is_last else begin + COLUMN
            right, left = history[(column + 1) % 2], history[column % 2]
            _block(cells, begin, end, is_last, has_end, m0, first, last, top, right, left, carried, reach, at, curve)


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


@inner
def _highest(cells, width, top, m0, carried):
    """The largest W above the frontier, which rises to where it is in the new window; NOTHING if one stops everywhere."""
    if carried[LOST] != 0:
        return cells[width - 1]
    z = carried[FRONTIER]
    while z < top and cells[top - z - 1] == m0 - 2 * (z + 1):
        z += 1
    carried[FRONTIER] = z
    return NOTHING if z >= top else cells[max(0, min(width - 1, top - z - 1))]


@inner
def _begin(buffer, carried, tiles, highest, plus, minus, end, deviations, tile):
    """Begin the next tile: the window of the stage before it with all cells that the tile needs. The
    stages of the tile and the cells of its window go to `tile`, the rest to `tiles` and `highest`."""
    m0, base, known, k = carried[STAGE], carried[BASE], carried[LOST] == 0, carried[TILES]
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
    highest[k] = _highest(cells, width, top, m0, carried) + steps
    tiles[k, LAST], tiles[k, MOST], tiles[k, FEWEST] = m1, top, low
    carried[TOP], carried[BASE] = top, base
    tile[STEPS], tile[WIDE] = steps, width


@inner
def _end(carried, tiles, tile):
    """End this tile, all cells of which are computed."""
    steps, width, k = tile[STEPS], tile[WIDE], carried[TILES]
    carried[STAGE], carried[WIDTH] = tiles[k, LAST], width - steps
    tiles[k, CLOSED] = carried[LOST] == 0 and carried[FRONTIER] >= tiles[k, FEWEST] - 1
    carried[TILES] += 1
    carried[CELLS] += width * steps


@inner
def _copy(source, target, n):
    """target[:n] = source[:n]."""
    for j in range(n):
        target[j] = source[j]


@kernel
def sweep(
    buffer, own, history, carried, tiles, highest, reach, at, curve, plus, minus, end, deviations, budget, tile, shared, part, parts
):
    """Go on, tile by tile, to stage `end` or until `budget` cells are done or `tiles` is full: one of as many threads as `parts`.

    `carried` says where the sweep is: buffer[carried[BASE] :][: carried[WIDTH]] is its last stage. `deviations` is half the
    width of the window in standard deviations of the number of +1 balls left. tiles[k] is (LAST, MOST, FEWEST, CLOSED) and
    highest[k] the largest W that a step of the tile can have rounded. own : room for the cells of this part. history : float64[2,
    LONGEST] of its own. tile : int64[TILE], and shared : int64[PLACES], zeros, for all threads.
    """
    buffer, own, history = uncounted(buffer), uncounted(own), uncounted(history)  # parts of them are passed on at every stage
    done = 0
    while True:
        if part == 0:
            tile[GOES_ON] = carried[STAGE] < end and done < budget and carried[TILES] < len(tiles)
            if tile[GOES_ON]:
                _begin(buffer, carried, tiles, highest, plus, minus, end, deviations, tile)
        meet(shared, parts)
        if not tile[GOES_ON]:
            break
        m0, top, steps, width = carried[STAGE], carried[TOP], tile[STEPS], tile[WIDE]
        cells, number = buffer[carried[BASE] :], max(1, min(parts, width // PART))
        if number == 1:
            if part == 0:
                _steps(cells, width, True, m0, steps, top, history, carried, reach, at, curve)
        else:
            has_end = part == number - 1
            low = part * width // number // ALIGNED * ALIGNED
            high = width if has_end else (part + 1) * width // number // ALIGNED * ALIGNED
            n = 0 if part >= number else high - low if has_end else high - low + steps
            _copy(cells[low:], own, n)
            meet(shared, parts)
            if n > 0:
                _steps(own, n, has_end, m0, steps, top - low, history, carried, reach, at, curve)
                _copy(own, cells[low:], high - low)
        meet(shared, parts)
        if part == 0:
            _end(carried, tiles, tile)
            done += width * steps
