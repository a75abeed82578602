"""All plays at once that draw from an urn of +1 and -1 balls until a line says to stop. Arrays in, arrays out.

With p(m, i) the probability that play is still going on with m balls left, i of them of +1,

    p(m - 1, i) = p(m, i) (m - i)/m + p(m, i + 1) (i + 1)/m        unless one stops with m - 1 balls, i of them of +1

is a sweep over the stages from the full urn to the empty one. A stage is stored from few +1 balls to many in a window that grows by a
cell a stage, at its low end, where plays stop; cells of negligible probability are cut off from time to time, and counted.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.distribution import add
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.registers import widest

FUSED = {"contract"}  # a*b + c is rounded once where the processor can: fewer roundings than are counted
OFTEN = 32  # stages after which the window's ends are cut

# what is carried from one call to the next: balls left, fewest +1 balls in the window, its first cell, its cells, how far ahead one stops,
# the most cells that stopped at one stage, additions to totals, length of the shortest play that was cut off (0: none)
LEFT, LOW, FIRST, WIDTH, AHEAD, ADDED, ADDITIONS, CUT_FROM = range(8)
CARRIED = 8
CUT, UNKNOWN = range(2)  # probability that was cut off, and that came to where the line is not known


@kernel(fastmath=FUSED)
def _draw(cells, low, width, m):
    """A ball is drawn where m are left: cells[1..width] hold low + 1, low + 2, ... balls of +1, and cells[0..width] what follows."""
    widest()
    each, minus, plus = 1.0 / m, float(m - low), float(low + 1)
    for k in range(width + 1):
        place = np.float64(np.int32(k))  # from 32 bits: without AVX-512 no instruction makes several floats from 64
        cells[k] = cells[k] * ((minus - place) * each) + cells[k + 1] * ((plus + place) * each)


@inner
def _move(cells, carried):
    """Move the window to the end of the buffer, where its last cell stays empty."""
    first, width = carried[FIRST], carried[WIDTH]
    to = len(cells) - 1 - width
    for k in range(width - 1, -1, -1):
        cells[to + k] = cells[first + k]
    carried[FIRST] = to


@inner
def _trim(cells, carried, allowed):
    """The probability of cells that are cut off from both ends: at most `allowed` from each."""
    lost = 0.0
    first, width = carried[FIRST], carried[WIDTH]
    here = 0.0
    while width > 0 and here + cells[first + width - 1] <= allowed:
        here += cells[first + width - 1]
        cells[first + width - 1] = 0.0
        width -= 1
    lost += here
    here = 0.0
    while width > 0 and here + cells[first] <= allowed:
        here += cells[first]
        first, width = first + 1, width - 1
        carried[LOW] += 1
    carried[FIRST], carried[WIDTH] = first, width
    return lost + here


@inner
def _stop(cells, carried, reach, known, totals, lost):
    """Remove the plays that stop at this stage from the window; their probability."""
    m, stopped, added = carried[LEFT], 0.0, 0
    while carried[AHEAD] > 0 and reach[carried[AHEAD] - 1] >= m:
        carried[AHEAD] -= 1
    is_known = m <= known or carried[AHEAD] < len(reach)
    while carried[WIDTH] > 0 and (m == 0 or m - 2 * carried[LOW] >= carried[AHEAD]):
        mass = cells[carried[FIRST]]
        if mass > 0.0 and (is_known or m == 0):
            stopped += mass
            add(totals, m - 2 * carried[LOW], mass)
            added += 1
        elif mass > 0.0:
            lost[UNKNOWN] += mass
        carried[FIRST] += 1
        carried[LOW] += 1
        carried[WIDTH] -= 1
    carried[ADDED] = max(carried[ADDED], added)
    carried[ADDITIONS] += added
    return stopped


@kernel
def flow(cells, carried, balls, reach, known, allowed, totals, ended, lost):
    """Go on for len(ended) draws, or until the urn is empty; how many it were.

    `balls` are in the urn at first. One stops with x more -1 balls than +1 balls among m left if reach[x] int64 >= m, and for
    larger x if m <= known. ended[k] becomes the probability of stopping after the k-th draw; totals float64[2, x] grows by what
    stops so far ahead (and by what rounding took of it), lost float64[2] by what is cut off (every `OFTEN` stages at most `allowed`
    at either end) and by what comes to where the line is not known. `cells` has room for the window and twice the draws.
    """
    if carried[FIRST] < len(ended) + 1:
        _move(cells, carried)
    for step in range(len(ended)):
        if carried[LEFT] == 0 or carried[WIDTH] == 0:
            return step
        first = carried[FIRST] - 1
        cells[first] = 0.0
        _draw(cells[first:], carried[LOW] - 1, carried[WIDTH], carried[LEFT])
        carried[FIRST], carried[LOW], carried[WIDTH] = first, carried[LOW] - 1, carried[WIDTH] + 1
        carried[LEFT] -= 1
        ended[step] = _stop(cells, carried, reach, known, totals, lost)
        if carried[LEFT] % OFTEN == 0 and carried[LEFT] > 0:
            cut = _trim(cells, carried, allowed)
            lost[CUT] += cut
            if cut > 0.0 and carried[CUT_FROM] == 0:
                carried[CUT_FROM] = balls - carried[LEFT] + 1
    return len(ended)
