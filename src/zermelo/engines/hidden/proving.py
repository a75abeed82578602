"""Optimal strategies by linear programming, refined if there are several, and proven in whole numbers: the best responses to both have
the same value. Refinement has a separate proof (certificates/mistakes.py), on request. Without whole numbers: the programs' plans in
floats, and what they guarantee."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.bounds import Certificate
from zermelo.certificates.best_replies import (
    GUARANTEED,
    WholePlan,
    best_actions,
    guaranteed,
    interval,
    is_plan,
    payments,
)
from zermelo.certificates.mistakes import refined_choices
from zermelo.methods.regrets import completed
from zermelo.problem.sequences import SequenceForm

PROOF = "proof: in whole numbers, no strategy of either player is better against that of the other one than the value"
REFINED = "; and no optimal strategy makes the other player's mistakes cost more, those in his first choices before those in later ones"

FAR_APART = 1e6  # the factor between payoffs from which on tolerances of the simplex method may take small ones for 0
CLOSE = 1e-9  # the width of an interval, relative to the largest payoff, at which payoffs in another unit are not tried

Weights = tuple[Any, Any]


class Plan(NamedTuple):
    """A plan that may be optimal and, if it is proven to be refined, a best sequence in every information set."""

    numbers: WholePlan
    best: np.ndarray | None = None


def proven(form: SequenceForm, wanted: bool) -> tuple[Weights, Certificate] | None:
    """Optimal plans of both players in whole numbers, refined if possible; None if best responses do not prove them. `wanted` : whether
    the refinement must also be proven.

    Payoffs are given to the linear programs as they are, which suits most games, and small ones beside large ones; then in a unit in which
    the largest is about 1, as the tolerances of the simplex method are absolute; and where some are tiny beside others, with a unit for
    each row and column."""
    for payoff, is_scaled in _attempts(form):
        found = _proven(form, payoff, is_scaled, wanted)
        if found is not None:
            return found
    return None


def _attempts(form: SequenceForm) -> Iterator[tuple[np.ndarray, bool]]:
    """The payoffs for the linear programs, and whether rows and columns are scaled."""
    yield from ((form.near, False), (_of_about_1(form.near), False))
    sizes = np.abs(form.near[form.near != 0.0])
    if sizes.size and sizes.max() > FAR_APART * sizes.min():
        yield form.near, True


def guaranteed_by_programs(form: SequenceForm) -> tuple[Weights, Certificate] | None:
    """The programs' plans in floats, and what they guarantee; None if a program is not solved. Payoffs are given as in `proven`."""
    found = []
    for payoff, is_scaled in _attempts(form):
        programs = [_program(form, player, payoff, is_scaled) for player in range(2)]
        if any(program is not None and program.plain is None for program in programs):
            continue
        plans = [
            np.concatenate([[1.0], np.zeros(side.sequences - 1)]) if program is None else program.plan
            for side, program in zip(form.sides, programs, strict=True)
        ]
        weights = completed(form, 0, plans[0], plans[1]), completed(form, 1, plans[1], plans[0])
        low, high = interval(form, weights)
        found.append((weights, Certificate("bound", low, high, GUARANTEED)))
        if high - low <= CLOSE * form.largest:
            break
    return min(found, key=lambda of: of[1].high - of[1].low, default=None)


def _of_about_1(payoff: np.ndarray) -> np.ndarray:
    """The payoffs times a power of 2, the largest of them between 1/2 and 1."""
    return payoff / 2.0 ** int(np.frexp(np.abs(payoff).max(initial=0.0))[1])


def _proven(form: SequenceForm, payoff: np.ndarray, is_scaled: bool, wanted: bool) -> tuple[Weights, Certificate] | None:
    """The same by linear programs with these payoffs."""
    programs = [_program(form, player, payoff, is_scaled) for player in range(2)]
    for is_refined in (True,) if wanted else (True, False):
        found = [_optimal(form, player, programs[player], is_refined, wanted) for player in range(2)]
        plans = [plan for plan in found if plan is not None and not (wanted and plan.best is None)]
        if len(plans) < 2:
            continue
        value = guaranteed(form, 0, plans[0].numbers)
        if value == guaranteed(form, 1, plans[1].numbers):
            argument = PROOF + REFINED if wanted else PROOF
            return _whole_weights(form, plans), Certificate("proof", value, value, argument)
    return None


def _program(form: SequenceForm, player: int, payoff: np.ndarray, is_scaled: bool) -> Any:
    """The linear program of a player; None if there is nothing to mix."""
    if not form.sides[player].sets or not form.sides[1 - player].sets:
        return None
    from zermelo.methods.sequence_program import Optima  # imported here, since linear programming is heavy

    return Optima(form, player, payoff, is_scaled)


def _optimal(form: SequenceForm, player: int, program: Any, is_refined: bool, wanted: bool) -> Plan | None:
    """The program's candidate for an optimal plan, or for a refined one; `wanted` : with a proof that it is refined."""
    if program is None:
        return _best_plan(form, player)
    from zermelo.methods.sequence_program import exact_plan, trembling_plan

    basis = program.refined() if is_refined else program.plain
    exact = None if basis is None else exact_plan(form, player, basis)
    if exact is None or not is_plan(form.sides[player], plan := _whole(exact)):
        return None
    witness = trembling_plan(form, player, basis) if wanted and is_refined else None
    best = None if witness is None else refined_choices(form, player, plan, [_whole(part) for part in witness])
    return Plan(plan, best)


def _whole(plan: Any) -> WholePlan:
    return WholePlan([int(n) for n in plan.numerator], int(plan.denominator))


def _best_plan(form: SequenceForm, player: int) -> Plan:
    """The only plan, or the best response to a player without choices, who makes no mistakes."""
    side = form.sides[player]
    chosen, plan = np.zeros(0, np.int64), [1] + [0] * (side.sequences - 1)
    if side.sets:
        chosen = best_actions(side, payments(form, 1 - player, WholePlan([1], 1)), max if player == 0 else min)
    for leading, sequence in zip(side.parent.tolist(), chosen.tolist(), strict=True):
        plan[sequence] = plan[leading]
    return Plan(WholePlan(plan, 1), chosen)


def _whole_weights(form: SequenceForm, plans: Any) -> Weights:
    """The plans as weights, with a choice also in sets that a player reaches only by own mistakes: the best one against an opponent who
    errs."""
    near = [np.array([n / plan.numbers.denominator for n in plan.numbers.numerator]) for plan in plans]
    weights: list[list[int]] = []
    for player in range(2):
        numbers, best, side = list(plans[player].numbers.numerator), plans[player].best, form.sides[player]
        if best is None:
            is_used = np.array([n > 0 for n in numbers], float)
            filled = completed(form, player, np.where(is_used > 0, np.maximum(near[player], 1e-300), 0.0), near[1 - player])
            numbers = [n if n or not f else 1 for n, f in zip(numbers, filled.tolist(), strict=True)]
        else:
            for sequence, leading in zip(best.tolist(), [plans[player].numbers.numerator[k] for k in side.parent.tolist()], strict=True):
                numbers[sequence] = numbers[sequence] if leading else 1
        weights.append(numbers)
    return weights[0], weights[1]
