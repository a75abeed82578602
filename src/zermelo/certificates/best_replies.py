"""What a realization plan (here: a plan) guarantees in a game in sequence form: the best response to it, in whole numbers, or in floats
with their rounding.

Against a plan x of one player the other one gets the best of y over his plans of x A y, which is linear in y: from the last information
sets to the first, the best action of each. If the best responses to both plans come to the same number, that is the value of the game, and
both plans are optimal; else the value lies between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.kernels.kernel import at_once
from zermelo.kernels.verify_panels import best_reply_to_panels
from zermelo.kernels.verify_replies import best_reply
from zermelo.problem.panels import PanelForm
from zermelo.problem.sequences import SequenceForm, Side

UNIT = 2.0**-53


class WholePlan(NamedTuple):
    """A plan in whole numbers over a common denominator."""

    numerator: Sequence[int]  # by sequence; the first is the denominator
    denominator: int


def is_plan(side: Side, plan: WholePlan) -> bool:
    """Whether these are numbers that a plan may have."""
    numbers = plan.numerator
    if len(numbers) != side.sequences or numbers[0] != plan.denominator or plan.denominator <= 0 or min(numbers) < 0:
        return False
    first = side.first.tolist()
    return all(sum(numbers[first[k] : first[k + 1]]) == numbers[leading] for k, leading in enumerate(side.parent.tolist()))


def guaranteed(form: SequenceForm, player: int, plan: WholePlan) -> Fraction:
    """What player 0 gets if `player` follows the plan and the other one a best response to it: exact."""
    if not is_plan(form.sides[player], plan):
        raise ValueError("these numbers are no plan")
    worth = payments(form, player, plan)
    best_actions(form.sides[1 - player], worth, best=max if player == 1 else min)
    return Fraction(worth[0], plan.denominator) * form.unit


def payments(form: SequenceForm, player: int, plan: WholePlan) -> list[int]:
    """The payment for each sequence of the other player against the plan, times its denominator, in the unit of the payoffs."""
    own, other = form.indices(player)
    numbers, paid = plan.numerator, [0] * form.sides[1 - player].sequences
    for i, j, amount in zip(own.tolist(), other.tolist(), form.whole.tolist(), strict=True):
        weight = numbers[i]
        if weight:
            paid[j] += weight * amount
    return paid


def best_actions(side: Side, worth: list[Any], best: Any) -> np.ndarray:
    """A best sequence of every information set, the first of several; `worth` of each sequence is made to hold what follows it, too."""
    chosen = np.zeros(side.sets, np.int64)
    first, parent = side.first.tolist(), side.parent.tolist()
    for k in range(side.sets - 1, -1, -1):
        values = worth[first[k] : first[k + 1]]
        value = best(values)
        chosen[k] = first[k] + values.index(value)
        worth[parent[k]] += value
    return chosen


def interval(form: SequenceForm, behaviour: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    """(low, high): player 0 gets at least `low` with his behaviour, and at most `high` against that of player 1, whatever the other one
    does; as `bound_of`."""
    return bound_of(form, 0, behaviour[0]), bound_of(form, 1, behaviour[1])


def bound_of(form: SequenceForm, player: int, behaviour: np.ndarray) -> float:
    """What player 0 gets at least with his behaviour, or at most against that of player 1. Rounding is included: a behaviour
    float64[sequences], not negative, means the probabilities in proportion to its numbers, all alike where these are 0."""
    side, replying = form.sides[player], form.sides[1 - player]
    sign = 1.0 if player == 1 else -1.0  # the other one's view
    if isinstance(form, PanelForm):
        value, error = _reply_to_panels(form, player, behaviour, sign)
        return float(np.nextafter(sign * (value + error), sign * np.inf))
    start, own, near, size = form.by_column if player == 0 else form.by_row
    value, error = best_reply(
        behaviour, side.parent, side.first, replying.parent, replying.first, start, own, sign * near, size, form.blur,
    )  # fmt: skip
    return float(np.nextafter(sign * (value + error), sign * np.inf))


def _reply_to_panels(form: PanelForm, player: int, behaviour: np.ndarray, sign: float) -> tuple[float, float]:
    side, replying, held, m = form.sides[player], form.sides[1 - player], form.payments, form.payments.matrices
    ends = (held.rows_at, held.columns_at), (m.high, m.wide), (held.row, held.column)
    (own_at, other_at), (own, other), (loose_own, loose_other) = (pair if player == 0 else pair[::-1] for pair in ends)
    value, error = at_once(best_reply_to_panels)(
        behaviour, side.parent, side.first, replying.parent, replying.first, held.matrix, held.scale, own_at, other_at, held.sequence,
        own, other, m.cap, m.at, player == 0, m.pool, loose_own, loose_other, held.near, sign, form.blur,
    )  # fmt: skip
    return value, error
