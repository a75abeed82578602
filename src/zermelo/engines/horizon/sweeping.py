"""Values of all states with 0 moves left, with 1, and so on, and one bound of their errors for each of these numbers.

With t moves left a state leads to states with t - 1. So the values of one layer follow from those of the layer before:

    v(s, t) = max or min over the rows a of s of   reward[a] + sum over the outcomes o of a of coef[o] * v(next[o], t - 1)

(kernels/condense.py). With t of T moves left, T - t have been made: only states that so many moves lead to are computed.

Rounding, with u = 2^-53 (Higham 2002, sections 2.2 and 3.1). If no number in a row goes through more than r operations, from the ways and
payoffs of the rules to the sum, then what is computed of the row differs from what the computed values of the layer before make of it by
at most r u / (1 - r u) times the sum of its terms without their signs, and so does the best row. These errors add up: the coefficients of a
row sum to the discount, which is at most 1.

- Where nothing is negative, that sum is the value itself. So errors are relative to values: after t layers at most t times as large.
- Otherwise it is at most P + V, with P the largest payoff and V the largest value of the layer before.

What underflows is less than `TINY`.

Beside exact values a number of the rules that is not whole stands for a decimal, such as 0.1 for 1/10, of which its float is off by u: that
is three operations more, one for a payoff and two for ways and their sum. What the end of play pays is off by u as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from zermelo.answers.counted import TINY, Layer
from zermelo.basics.machine import require
from zermelo.basics.numbers import WHOLE
from zermelo.basics.progress import Progress
from zermelo.basics.threads import ranges, shared
from zermelo.engines.horizon.core import Core
from zermelo.errors import OutOfReach
from zermelo.kernels.condense import condense
from zermelo.kernels.counting_down import moves_more, next_error, one_move_more
from zermelo.kernels.kernel import at_once
from zermelo.problem.transitions import Transitions

LEAST = 1 << 15  # states for which another thread pays off: about a millisecond
U = 2.0**-53
ROOM = 1.0 + 2.0**-20  # for what is neglected where numbers as small as u are multiplied, and for computing the bound itself
MOST = 1e290


class Sweep:
    """The layers of a game, one after another. `decimals` : whether numbers that are not whole stand for such."""

    def __init__(self, core: Core, steps: Transitions, discount: float, decimals: bool = False):
        self.core, self.steps, self.discount = core, steps, discount
        self.coef, self.reward, _ = at_once(condense)(steps.outcome_start, steps.ways, steps.sign, steps.payoff, discount)
        self.rounding = (_operations(steps, discount) + (3 if decimals else 0)) * U * ROOM
        self.paid = np.abs(steps.payoff).max(axis=0, initial=0.0)
        if decimals:
            self.paid = np.maximum(self.paid, np.abs(steps.final_payoff).max(axis=0, initial=0.0))

    def above(self, layer: Layer, last: int) -> Iterator[Layer]:
        """The layers after this one, up to that with `last` moves left. Raises `OutOfReach`."""
        for left in range(layer.left + 1, last + 1):
            layer = self._after(layer, left)
            yield layer

    def at(self, layer: Layer, last: int) -> Layer:
        """The layer with `last` moves left, from one with fewer."""
        core, states = self.core, len(layer.value)
        if states == core.end(core.horizon - last) < LEAST:  # one thread, no new states: in one kernel
            return self._long_after(layer, last)
        for later in self.above(layer, last):
            layer = later
        return layer

    def _after(self, before: Layer, left: int) -> Layer:
        steps, end = self.steps, self.core.end(self.core.horizon - left)
        value = np.empty((end, self.core.num_payoffs))

        def fill(some: tuple[int, int]) -> None:
            at_once(one_move_more)(
                *some, steps.action_start, steps.outcome_start, steps.next, self.coef, self.reward, steps.final_payoff, steps.player,
                before.value, value,
            )  # fmt: skip

        shared(fill, ranges(end, LEAST))
        largest = np.abs(before.value).max(axis=0, initial=0.0)
        self._check(largest, left)
        bounds = zip(before.error, self.paid, largest, strict=True)
        error = [
            next_error.interpreted(e, self.rounding, p, v, self.discount, before.is_relative, ROOM, TINY) for e, p, v in bounds
        ]
        return Layer(left, value, np.array(error), before.is_relative)

    def _long_after(self, before: Layer, last: int) -> Layer:
        steps, value, error = self.steps, before.value.copy(), before.error.copy()
        at_once(moves_more)(
            last - before.left, steps.action_start, steps.outcome_start, steps.next, self.coef, self.reward, steps.final_payoff,
            steps.player, value, np.empty_like(value), error, self.rounding, self.paid, self.discount, before.is_relative, ROOM, TINY,
        )  # fmt: skip
        self._check(np.abs(value).max(axis=0, initial=0.0), last)
        return Layer(last, value, error, before.is_relative)

    def _check(self, largest: np.ndarray, left: int) -> None:
        if not np.all(largest < MOST):
            raise OutOfReach(f"{self.core.rules.name}: with {left:,} moves left the values are too large to be bounded")


def _operations(steps: Transitions, discount: float) -> int:
    """The most operations that a number of a row goes through."""
    outcomes = int(np.diff(steps.outcome_start).max(initial=0))
    is_whole = bool(np.all(steps.ways == np.rint(steps.ways)) and steps.ways.sum() < WHOLE)  # then sums of ways are exact
    share = (0 if is_whole else outcomes) + 1 + (discount != 1)  # the sum of the ways, division, discount
    if not steps.payoff.any():
        return share + outcomes  # a product, and all sums but the first, which adds to 0
    paid = (0 if is_whole else outcomes) + outcomes + 1  # the sum of the ways; products and sums; division
    return max(share + 1, paid) + outcomes


def nothing_is_negative(steps: Transitions, ended: np.ndarray) -> bool:
    """Whether no payoff is, and no value counts negated."""
    return all(float(paid.min(initial=0.0)) >= 0 for paid in (steps.payoff, steps.final_payoff, ended)) and bool(np.all(steps.sign > 0))


def has_decimals(steps: Transitions, ended: np.ndarray) -> bool:
    """Whether a number of the rules is not whole."""
    return any(not np.array_equal(numbers, np.rint(numbers)) for numbers in (steps.ways, steps.payoff, steps.final_payoff, ended))


def kept_layers(horizon: int) -> list[int]:
    """The numbers of moves left for which values are kept: about as many as lie between two of them."""
    return [*range(0, horizon, max(1, math.isqrt(horizon))), horizon]


def layers(
    core: Core, steps: Transitions, ended: np.ndarray, discount: float, progress: Progress, decimals: bool = False
) -> list[Layer]:
    """The layers that are kept, with 0 moves left first. `decimals` : as of `Sweep`."""
    which = kept_layers(core.horizon)
    needed = 8.0 * core.num_payoffs * (sum(core.end(core.horizon - left) for left in which) + 2 * core.num_states)
    require(needed, f"{core.rules.name}: the values of {core.num_states:,} states with {len(which):,} numbers of moves left")
    is_relative = nothing_is_negative(steps, ended)
    size = np.ones(core.num_payoffs) if is_relative else np.abs(ended).max(axis=0, initial=0.0)
    found = [Layer(0, ended, size * (U * ROOM if decimals else 0.0), is_relative)]
    sweep = Sweep(core, steps, discount, decimals)
    for left in which[1:]:
        found.append(sweep.at(found[-1], left))
        progress("solving, moves left", left, core.horizon)
    return found
