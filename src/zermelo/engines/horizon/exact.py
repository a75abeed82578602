"""The value of the start in rationals of any length: backward induction in whole numbers, one number of moves left after another.

All values of a layer have one denominator, unit * base^e: `base` is the least common multiple of the sums of ways, and e grows by 1 from
one layer to the next, unless every numerator can be divided by `base` (kernels/long_numbers.py). What is paid is raised by what is paid at
worst, so that no number is negative; at the end that is taken off again.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.machine import require
from zermelo.basics.numbers import WHOLE, written
from zermelo.basics.progress import Progress
from zermelo.basics.threads import ranges, shared
from zermelo.engines.base import GivesUp
from zermelo.engines.horizon.core import Core
from zermelo.engines.horizon.sweeping import LEAST
from zermelo.kernels.kernel import at_once
from zermelo.kernels.long_numbers import LIMB, divide, long_values
from zermelo.problem.transitions import Transitions

MOST = 1 << LIMB  # factors and payments are smaller
ROOM = 1.3  # times as many limbs as are needed, so that arrays are seldom made again


def exact_values(core: Core, steps: Transitions, ended: np.ndarray, progress: Progress) -> dict[Any, tuple[Fraction, ...]]:
    """The exact values of the start and of the states after one move. Raises `GivesUp` if the numbers of the rules are too long."""
    problem = _Whole(core, steps, ended)
    before = after = problem.first()
    for left in range(1, core.horizon + 1):
        before, after = after, problem.next(after, left)
        progress("solving in rationals, moves left", left, core.horizon)
    start = core.rules.start
    following = {o.state for action in core.rules.actions(start) for o in core.rules.outcomes(start, action) if o.ways}
    found = {state: (problem.value(before, core.number_of(state), core.horizon - 1),) for state in following}
    return {**found, start: (problem.value(after, core.number_of(start), core.horizon),)}


class _Numbers:
    """The numerators of one layer over unit * base^exponent."""

    def __init__(self, limb: np.ndarray, exponent: int, limbs: int):
        self.limb = limb  # int32[states, room], the lowest limb first
        self.exponent = exponent
        self.limbs = limbs  # that are in use

    def whole(self, number: int) -> int:
        """The numerator of a state."""
        return sum(v << LIMB * k for k, v in enumerate(self.limb[number, : self.limbs].tolist()))


class _Whole:
    """The game in whole numbers."""

    def __init__(self, core: Core, steps: Transitions, ended: np.ndarray):
        self.core, self.steps = core, steps
        self.spare: np.ndarray | None = None
        if core.num_payoffs > 1 or np.any(steps.sign < 0):
            raise GivesUp("exact values for every number of moves left are found for one payoff and without PASS")
        ways, _ = _whole_numbers(steps.ways)
        starts, outcomes = steps.outcome_start[:-1], np.diff(steps.outcome_start)
        common = np.gcd.reduceat(ways, starts)
        total = np.add.reduceat(ways, starts) // common
        self.base = int(np.lcm.reduce(different(total), dtype=object, initial=1))
        if self.base >= MOST:
            raise self._too_long("the sums of the ways of an action have a common multiple")
        self.factor = ways // np.repeat(common, outcomes) * np.repeat(self.base // total, outcomes)
        self.is_whole = np.logical_and.reduceat(self.factor % self.base == 0, starts)
        every = np.concatenate([steps.payoff[:, 0], steps.final_payoff[:, 0], ended[:, 0]])
        numbers, self.unit = _whole_numbers(every)
        paid, final, last = np.split(numbers, np.cumsum([len(steps.payoff), len(steps.final_payoff)]))
        self.a_move, self.at_end = max(0, -int(paid.min(initial=0))), max(0, -int(min(final.min(initial=0), last.min(initial=0))))
        self.gain = np.add.reduceat(self.factor * (paid + self.a_move), starts)
        self.final, self.last = final + self.at_end, last + self.at_end
        self.most_paid = int(paid.max(initial=0)) + self.a_move
        self.most_ended = int(max(self.final.max(initial=0), self.last.max(initial=0)))
        largest = max(int(self.gain.max(initial=0)), self.base * self.most_paid, self.most_ended + core.horizon * self.a_move)
        if largest >= MOST:
            raise self._too_long("what is paid, in whole units, has a number")

    def _too_long(self, what: str) -> GivesUp:
        return GivesUp(f"{what} of more than {LIMB} bits")

    def _limbs(self, left: int, exponent: int) -> int:
        """The limbs that hold every number with so many moves left."""
        most = self.most_ended + left * (self.most_paid + self.a_move) + 1
        return (most * self.base**exponent).bit_length() // LIMB + 1

    def first(self) -> _Numbers:
        """The layer with no move left."""
        limb = np.zeros((self.core.num_states, 1), np.int32)
        limb[:, 0] = self.last
        return _Numbers(limb, 0, 1)

    def next(self, before: _Numbers, left: int) -> _Numbers:
        """The layer with `left` moves left."""
        steps, exponent = self.steps, before.exponent + 1
        limbs = self._limbs(left, exponent)
        before = self._with_room(before, limbs)
        spare, self.spare = self.spare, before.limb  # of the layer before the last one
        after = _Numbers(spare if spare is not None and spare.shape == before.limb.shape else np.empty_like(before.limb), exponent, limbs)
        end = self.core.end(self.core.horizon - left)
        one, scale = (_in_limbs(self.base**e, limbs) for e in (exponent - 1, exponent))
        final = self.final + left * self.a_move

        def fill(some: tuple[int, int]) -> bool:
            return bool(at_once(long_values)(
                *some, steps.action_start, steps.outcome_start, self.factor, steps.next, self.gain, self.is_whole, final, steps.player,
                self.base, one, scale, limbs, before.limb, after.limb,
            ))  # fmt: skip

        if not any(shared(fill, ranges(end, LEAST))):
            shared(lambda some: at_once(divide)(*some, self.base, limbs, after.limb), ranges(end, LEAST))
            after.exponent, after.limbs = exponent - 1, self._limbs(left, exponent - 1)
        return after

    def _with_room(self, numbers: _Numbers, limbs: int) -> _Numbers:
        """The same numbers, in arrays with room for so many limbs, those that are not in use being 0."""
        states, room = numbers.limb.shape
        if room < limbs:
            room = math.ceil(ROOM * limbs)
            require(12.0 * states * room, f"{self.core.rules.name}: {states:,} rationals of {LIMB * limbs:,} bits")
            wider = np.zeros((states, room), np.int32)
            wider[:, : numbers.limbs] = numbers.limb[:, : numbers.limbs]
            return _Numbers(wider, numbers.exponent, limbs)
        numbers.limb[:, numbers.limbs : limbs] = 0
        return _Numbers(numbers.limb, numbers.exponent, limbs)

    def value(self, numbers: _Numbers, state: int, left: int) -> Fraction:
        """The value of a state."""
        return Fraction(numbers.whole(state), self.unit * self.base**numbers.exponent) - Fraction(
            self.at_end + left * self.a_move, self.unit
        )


def _whole_numbers(numbers: np.ndarray) -> tuple[np.ndarray, int]:
    """int64: whole numbers in the proportions of `numbers`, read as they are written (0.1 as 1/10), and the factor that they were
    multiplied by. Raises `GivesUp`, `OutOfReach`."""
    distinct, place = np.unique(numbers, return_inverse=True)
    fractions = [written(float(v)) for v in distinct]
    scale = math.lcm(*(f.denominator for f in fractions))
    whole = [int(f * scale) for f in fractions]
    if max(map(abs, whole), default=0) >= WHOLE:
        raise GivesUp("the numbers of the rules have no short common denominator")
    return np.array(whole, np.int64)[place.reshape(numbers.shape)], scale


def _in_limbs(number: int, limbs: int) -> np.ndarray:
    """int64[limbs]: a whole number, the lowest limb first."""
    return np.array([number >> LIMB * k & (1 << LIMB) - 1 for k in range(limbs)], np.int64)
