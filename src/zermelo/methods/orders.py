"""The order in which sweeps go through the states of a system where players move in turn around a table.

Sweeps converge faster the more of a state's successors they have already done. If each seat has a payoff of its own, the seat that leads is
one place nearer after each move, as seen by who moves next. So states are swept by where it is, and a sweep follows play around most of the
table; by the numbers of states alone it follows two moves. Who leads is seen from the payoffs: their centre, if the seats lie on a circle.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.runs import runs
from zermelo.basics.threads import ranges, shared
from zermelo.kernels.registers import each_of
from zermelo.kernels.sweeps import System, sweep

SAMPLE = 2000  # rows by which an order is judged
PARTS = 16  # of the circle that are told apart: within one, states stay in sequence
LEAST = 1 << 16  # the fewest states that a thread is given
GAIN = 0.05  # of all weight that must lead to states swept earlier, in addition
SPREAD = 4  # sweeps until nearly all states have payoffs, where some have none at first


def around_the_table(system: System) -> np.ndarray | None:
    """int64[n]: the states of a system whose payoffs are those of the seats, in the order in which they should lie; the last one is swept
    first. None if they lie well as they are, or the table isn't turned."""
    n, seats = system.right.shape
    if len(system.columns) == 1 or seats == 1:
        return None
    rows = np.random.default_rng(0).integers(0, n, min(n, SAMPLE))
    x, angle = system.right, _angles(system.columns[1])
    if not x[rows].any(axis=1).all():
        x, change, largest = x.copy(), np.empty(seats), np.empty(seats)
        for _ in range(SPREAD):
            sweep(*system, each_of(seats), x, change, largest)
    lengths = system.first[rows + 1] - system.first[rows]
    places, state = runs(system.first[rows], lengths), np.repeat(rows, lengths)
    to, weight = system.to[places], system.weight[places]
    from_part, to_part = _parts(x[state], angle), _parts(x[to], angle)
    up, down, before = (weight[which].sum() for which in (to_part > from_part, to_part < from_part, to > state))
    all_weight = weight.sum()
    if max(up, down) + (all_weight - up - down) / 2 < before + GAIN * all_weight:
        return None
    part = _parts(x, angle)
    return np.argsort(part if up > down else -part, kind="stable")


def _angles(turned: np.ndarray) -> np.ndarray:
    """float64[seats]: where each seat lies on the circle. turned : the seat that it is after a turn by one."""
    angle, seat = np.empty(len(turned)), 0
    for k in range(len(turned)):
        angle[seat], seat = 2 * np.pi * k / len(turned), turned[seat]
    return angle


def _parts(x: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """int8[n]: the part of the circle in which the centre of the payoffs x, float64[n, seats], lies. Found by all threads."""

    def part(low: int, high: int) -> np.ndarray:
        with np.errstate(all="ignore"):  # where sweeps do not converge, any part will do
            # not by BLAS, which rounds a row as its threads divide them
            up, along = (np.einsum("ij,j", x[low:high], of(angle)) for of in (np.sin, np.cos))
            return np.floor(np.arctan2(up, along) * (PARTS / (2 * np.pi))).astype(np.int8)

    return np.concatenate(shared(lambda piece: part(*piece), ranges(len(x), LEAST)))
