"""Whether an optimal plan is refined, that is, makes the other player's mistakes cost the most: a proof in whole numbers.

A mistake costs what a choice loses against the best one in its information set, if the plan is played. Costs are summed by the number of
choices that the player has made by then. Of two plans, the better one has the larger of the first sums in which they differ; the value
is the 0th. Suppose the other player must give each sequence of d choices at least the probability e^d. Against a plan that player then
loses the sum of all e^d costs[d], by paying for the forced choices and playing optimally otherwise. Now let y(e) be a plan of that player
with at least these probabilities, for all small e > 0. No plan gets more against every such opponent than the best response to y(e) gets
against y(e). So if x gets this amount, for all small e, then x is refined.

The witness y(e) has polynomials in e as its numbers, stored as plans by powers of e. For small e they are compared from the lowest power
on. (methods/sequence_program.py finds plan and witness.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.certificates.best_replies import WholePlan, best_actions, payments
from zermelo.problem.sequences import SequenceForm, Side


def costs_of_mistakes(form: SequenceForm, player: int, plan: WholePlan) -> list[Fraction]:
    """The payoff of `player` with this plan, and the total cost of the other player's mistakes by the number of choices made: exact."""
    other, sign = form.sides[1 - player], 1 if player == 0 else -1
    worth = [sign * amount for amount in payments(form, player, plan)]
    best = best_actions(other, worth, min)
    depth = other.depth.tolist()
    sums = [worth[0]] + [0] * max(depth)
    for sequence, k in enumerate(other.set_of[1:].tolist(), start=1):
        sums[depth[sequence]] += worth[sequence] - worth[best[k]]
    return [Fraction(amount, plan.denominator) * form.unit for amount in sums]


def refined_choices(form: SequenceForm, player: int, plan: WholePlan, trembling: Sequence[WholePlan]) -> np.ndarray | None:
    """A best sequence of `player` in each of that player's information sets against the witness `trembling`, by powers of e; None if that
    does not prove that the plan is refined."""
    own, other, sign = form.sides[player], form.sides[1 - player], 1 if player == 0 else -1
    if not _trembles(other, trembling):
        return None
    paid = [payments(form, 1 - player, part) for part in trembling]
    worth = [_Polynomial(sign * amount for amount in amounts) for amounts in zip(*paid, strict=True)]
    best = best_actions(own, worth, max)
    reply = [Fraction(amount, part.denominator) * form.unit for amount, part in zip(worth[0], trembling, strict=True)]
    return best if reply == costs_of_mistakes(form, player, plan) else None


def _trembles(side: Side, parts: Sequence[WholePlan]) -> bool:
    """Whether this is a plan of the side for all small e, with at least e^d for each sequence of d choices."""
    depth, first, parent = side.depth.tolist(), side.first.tolist(), side.parent.tolist()
    if len(parts) != max(depth) + 1 or any(len(part.numerator) != side.sequences or part.denominator <= 0 for part in parts):
        return False
    for power, part in enumerate(parts):
        numbers = part.numerator
        if numbers[0] != (0 if power else part.denominator):
            return False
        if any(sum(numbers[first[k] : first[k + 1]]) != numbers[leading] for k, leading in enumerate(parent)):
            return False
    none = (0,) * len(parts)
    spare = ((part.numerator[s] - (part.denominator if power == d else 0) for power, part in enumerate(parts)) for s, d in enumerate(depth))
    return all(tuple(coefficients) >= none for coefficients in spare)


class _Polynomial(tuple[Any, ...]):
    """Coefficients, each with its own unit, that are added up and compared like those of a polynomial in a small number."""

    def __add__(self, more: tuple[Any, ...]) -> _Polynomial:
        return _Polynomial(a + b for a, b in zip(self, more, strict=True))
