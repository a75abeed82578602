"""One step of a chain, for its whole probability distribution. Arrays in, arrays out.

    m'(j, y + g) = sum of m(i, y) p(i -> j, g)        for all ways g is paid on i -> j

m(i, y) is the probability that play stands at node i with a total of y. It lies in a *window*: a row of n nodes for every total
that occurs in play, the rows one after the other, so that node i has the place row * n + i. What ends is added to the probability of
its total, and the rounding of each addition is kept beside it (Ogita, Rump and Oishi 2005, Sum2).
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

IN_PLAY, OVER, ENDLESS = 0, 1, 2  # kinds of nodes


@kernel
def shares(edge_start: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """float64[edges]: the probability of every outcome of a node, ways / (sum of the node's ways)."""
    share = np.empty(len(ways), np.float64)
    for i in range(len(edge_start) - 1):
        total = 0.0
        for k in range(edge_start[i], edge_start[i + 1]):
            total += ways[k]
        for k in range(edge_start[i], edge_start[i + 1]):
            share[k] = ways[k] / total
    return share


@kernel
def first_totals(
    start: int, edge_start: np.ndarray, target: np.ndarray, gain: np.ndarray, kind: np.ndarray
) -> np.ndarray:
    """int64[n]: the total with which play comes to a node on one way there, its first; 0 where play is over."""
    n = len(kind)
    total = np.zeros(n, np.int64)
    seen = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int64)
    queue[0], seen[start] = start, True
    at, count = 0, 1
    while at < count:
        i = queue[at]
        at += 1
        for k in range(edge_start[i], edge_start[i + 1]):
            j = target[k]
            if not seen[j] and kind[j] == IN_PLAY:
                seen[j], total[j], queue[count] = True, total[i] + gain[k], j
                count += 1
    return total


@kernel(inline="always")
def add(sums: np.ndarray, at: int, x: float) -> None:
    """sums[0, at] += x, and what rounding takes from that to sums[1, at]."""
    before = sums[0, at]
    after = before + x
    part = after - before
    sums[0, at] = after
    sums[1, at] += (before - (after - part)) + (x - part)


@kernel
def step(
    places: np.ndarray, window: np.ndarray, first_row: int, edge_start: np.ndarray, share: np.ndarray,
    target: np.ndarray, gain: np.ndarray, least_gain: int, kind: np.ndarray, final: np.ndarray, ended: np.ndarray,
    offset: int, endless: np.ndarray, next_places: np.ndarray, next_window: np.ndarray,
) -> tuple[int, int, int, float, int]:  # fmt: skip
    """Move all probability one action on, from `window` to `next_window`, and leave `window` empty.

    `places` int64[:] : where `window` float64[rows * n] is not zero, in rows from `first_row` on; the next window begins
    at the total first_row + least_gain of this one. Edge k of a node leads to target[k] with the probability share[k]
    and pays gain[k] int64; `kind` int8[n], `final` int64[n] : what a node is, and what it pays in the end. `ended`,
    `endless` float64[2, :] : probability, and what rounding took of it, of totals that are over (total - first_row
    + offset), and of play that never ends. Fills `next_places`.

    Returns how many these are, their first and last row, their probability, and the number of additions to what ended.
    """
    n = len(kind)
    count, first, last, additions = 0, np.int64(1) << 62, np.int64(-1), 0
    for place in places:
        row = place // n
        i = place - row * n
        mass = window[place]
        window[place] = 0.0
        for k in range(edge_start[i], edge_start[i + 1]):
            x = mass * share[k]
            if x == 0.0:
                continue
            j, total = target[k], row - first_row + gain[k]
            if kind[j] == IN_PLAY:
                next_row = total - least_gain
                to = next_row * n + j
                if next_window[to] == 0.0:
                    next_places[count] = to
                    count += 1
                    first, last = min(first, next_row), max(last, next_row)
                next_window[to] += x
            elif kind[j] == OVER:
                add(ended, total + final[j] + offset, x)
                additions += 1
            else:
                add(endless, 0, x)
                additions += 1
    left = 0.0
    for c in range(count):
        left += next_window[next_places[c]]
    return count, int(first), int(last), left, additions


@kernel
def tidy(
    places: np.ndarray, window: np.ndarray, first: int, last: int, n: int, negligible: float
) -> tuple[int, int, int, float, float, int]:
    """Bring the `places` where `window` is not zero, in rows `first` to `last`, into order by looking at all places of these rows, and take
    those out of play whose probability is less than `negligible`.

    Returns how many are left, their first and last row, their probability, that of what was taken out, and the first row it was taken
    from."""
    count, low, high, lowest = 0, last, first - 1, last + 1
    left = dropped = 0.0
    for row in range(first, last + 1):
        before = count
        for place in range(row * n, (row + 1) * n):
            mass = window[place]
            if mass == 0.0:
                continue
            if mass < negligible:
                window[place] = 0.0
                dropped += mass
                lowest = min(lowest, row)
            else:
                places[count] = place
                count += 1
                left += mass
        if count > before:
            low, high = min(low, row), row
    return count, low, high, left, dropped, lowest


@kernel
def order_of_unpaid(edge_start: np.ndarray, target: np.ndarray, gain: np.ndarray, kind: np.ndarray, order: np.ndarray) -> tuple[int, int]:
    """Write the nodes in play to `order`, each before those that it leads to without a gain.

    Returns how many could be written, fewer than there are if play can go round without a gain, and the most moves in a row without one."""
    n, count, at = len(kind), 0, 0
    before, depth = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        for k in range(edge_start[i], edge_start[i + 1]):
            if gain[k] == 0 and kind[i] == IN_PLAY and kind[target[k]] == IN_PLAY:
                before[target[k]] += 1
    for i in range(n):
        if kind[i] == IN_PLAY and before[i] == 0:
            order[count] = i
            count += 1
    while at < count:
        i = order[at]
        at += 1
        for k in range(edge_start[i], edge_start[i + 1]):
            j = target[k]
            if gain[k] == 0 and kind[j] == IN_PLAY:
                depth[j] = max(depth[j], depth[i] + 1)
                before[j] -= 1
                if before[j] == 0:
                    order[count] = j
                    count += 1
    return count, int(depth.max())


@kernel
def totals(
    begin: int, end: int, ring: np.ndarray, order: np.ndarray, edge_start: np.ndarray, share: np.ndarray, target: np.ndarray,
    gain: np.ndarray, kind: np.ndarray, final: np.ndarray, ended: np.ndarray, offset: int, endless: np.ndarray,
) -> int:  # fmt: skip
    """Move on all play whose total lies in begin..end-1, whatever its number of moves, where no gain is below 0.

    `ring` float64[rows, n], more rows than the largest gain: row total % rows holds the probabilities with which play comes to the nodes
    with a total. `order` : from `order_of_unpaid`; the others as in `step`, `ended` being of the totals from -offset on. Returns the number
    of additions to what ended."""
    rows, additions = len(ring), 0
    for total in range(begin, end):
        row = total % rows
        for i in order:
            mass = ring[row, i]
            if mass == 0.0:
                continue
            ring[row, i] = 0.0
            for k in range(edge_start[i], edge_start[i + 1]):
                x, j = mass * share[k], target[k]
                if kind[j] == IN_PLAY:
                    to = row + gain[k]
                    ring[to - rows if to >= rows else to, j] += x
                elif kind[j] == OVER:
                    add(ended, total + gain[k] + final[j] + offset, x)
                    additions += 1
                else:
                    add(endless, 0, x)
                    additions += 1
    return additions
