"""Values of all states and bounds of their errors with 0 moves left, with 1, and so on.

With t moves left a state leads to states with t - 1. So the values of one number of moves left take those of the one before, by backward
induction (kernels/backward.py), and so do their bounds (kernels/verify.py). With t of T moves left, T - t have been made: only states that
so many moves lead to are computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from zermelo.answers.counted import Layer
from zermelo.basics.machine import require
from zermelo.basics.progress import Progress, silent
from zermelo.basics.threads import ranges, shared
from zermelo.engines.horizon.core import Core
from zermelo.errors import OutOfReach
from zermelo.kernels.backward import backward
from zermelo.kernels.kernel import at_once
from zermelo.kernels.verify import bound_singles
from zermelo.problem.transitions import Transitions

LEAST = 1 << 12  # states for which another thread pays off


class Sweep:
    """The layers of a game, one after another. With the arrays of two of them: of what is asked for, and of the one before."""

    def __init__(self, core: Core, steps: Transitions, discount: float):
        self.core, self.steps, self.discount = core, steps, discount
        n = core.num_states
        self.value, self.error = np.zeros((2, 2 * n, core.num_payoffs))  # first those of the layer before
        self.policy = np.empty(2 * n, np.int32)

    def above(self, layer: Layer, last: int, progress: Progress = silent) -> Iterator[Layer]:
        """The layers after this one, up to that with `last` moves left; each is invalid once the next one is requested."""
        n, at = self.core.num_states, len(layer.value)
        self.value[:at], self.error[:at] = layer.value, layer.error
        for left in range(layer.left + 1, last + 1):
            end = int(self.core.ends[self.core.horizon - left])
            done = shared(self._fill, ranges(end, LEAST))
            if not all(done):
                raise OutOfReach(f"{self.core.rules.name}: with {left:,} moves left the values are too large to be bounded")
            value, error = self.value[n : n + end], self.error[n : n + end]
            self.value[:end], self.error[:end] = value, error
            progress("solving, moves left", left, self.core.horizon)
            yield Layer(left, value, error)

    def _fill(self, some: tuple[int, int]) -> bool:
        """Fill in the values and bounds of the states low..high-1; whether they are bounded."""
        low, high = some
        n, steps = self.core.num_states, self.steps
        batch = Transitions(
            n + low, n + high, steps.action_start[low : high + 1], steps.outcome_start, steps.ways, steps.next, steps.sign, steps.payoff,
            steps.final_payoff[low:high], steps.player[low:high],
        )  # fmt: skip
        at_once(backward)(*batch[:1], *batch[2:], self.discount, self.value, self.policy)
        singles = np.arange(n + low, n + high + 1)
        done = at_once(bound_singles)(batch, singles, 0, self.discount, self.value, self.policy, self.error, 0.0)
        return bool(done == high - low)


def kept_layers(horizon: int) -> list[int]:
    """The numbers of moves left for which values are kept: about as many as lie between two of them."""
    return [*range(0, horizon, max(1, math.isqrt(horizon))), horizon]


def layers(core: Core, steps: Transitions, ended: np.ndarray, discount: float, progress: Progress) -> list[Layer]:
    """The layers that are kept, with 0 moves left first."""
    which = kept_layers(core.horizon)
    numbers = 16 * core.num_payoffs * int(core.ends[[core.horizon - left for left in which]].sum())
    require(2.0 * numbers, f"{core.rules.name}: the values of {core.num_states:,} states with {len(which):,} numbers of moves left")
    found = [Layer(0, ended, np.zeros_like(ended))]
    for layer in Sweep(core, steps, discount).above(found[0], core.horizon, progress):
        if layer.left in which[1:]:
            found.append(Layer(layer.left, layer.value.copy(), layer.error.copy()))
    return found
