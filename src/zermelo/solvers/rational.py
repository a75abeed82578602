"""Exact answers: the values of a game as rational numbers, and its policy proven optimal.

The float solution supplies a policy. Its values are computed in rationals, component by component: directly where play can't return,
by an exact linear solve (rational_linear.py) where it can. Then every action of every state is compared in rationals; an action that is
strictly better replaces the chosen one and the component is solved again. What is left satisfies the optimality equation
exactly; that the equation has one solution is what the float certificate has verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from zermelo.errors import NoValue, OutOfReach
from zermelo.solvers.base import Problem, Progress, Solved
from zermelo.solvers.rational_linear import Column, Matrix, combine, solve
from zermelo.transitions import Transitions

MAX_STATES = 2_000_000
MAX_UNKNOWNS = 20_000
MAX_ROUNDS = 100
WRITTEN_DIGITS = 12

Ratio = tuple[fmpz, fmpz]  # numerator, denominator > 0, not necessarily in lowest terms
Terms = list[tuple[int, Any, Any]]  # sum of weight * numerator / denominator


class ExactValues(Sequence[tuple[Fraction, ...]]):
    """The exact payoffs of every state; fractions are reduced when they are looked at."""

    def __init__(self, ratios: list[tuple[Ratio, ...]]):
        self._ratios = ratios

    @staticmethod
    def of(values: np.ndarray) -> ExactValues:
        """Of whole numbers that floats hold exactly."""
        return ExactValues([tuple((fmpz(int(v)), fmpz(1)) for v in row) for row in values])

    def __len__(self) -> int:
        return len(self._ratios)

    def __getitem__(self, index: Any) -> Any:
        return tuple(_fraction(r) for r in self._ratios[index])


def _fraction(ratio: Ratio) -> Fraction:
    reduced = fmpq(*ratio)
    return Fraction(int(reduced.p), int(reduced.q))


def written(number: float | Fraction) -> Fraction:
    """The rational that a person means by a float: 0.1 is 1/10. Raises `OutOfReach` for floats that no short decimal names."""
    if isinstance(number, Fraction | int):
        return Fraction(number)
    if float(number).is_integer():
        return Fraction(int(number))
    decimal = Decimal(repr(float(number)))
    if len(decimal.as_tuple().digits) > WRITTEN_DIGITS:
        raise OutOfReach(
            f"exact=True needs whole numbers or short decimals in the rules, and {number!r} is neither; give ways and payoffs as "
            "whole numbers, for example by multiplying them by a common denominator"
        )
    return Fraction(decimal)


def solve_exactly(
    problem: Problem, solved: Solved, discount: float | Fraction, progress: Progress
) -> tuple[ExactValues, Solved]:
    """Rational values of every state, and the solution with a policy that is proven optimal.

    Raises `OutOfReach` with the reason where a component or the game is too large, or where the rules hold numbers that are not exact.
    """
    n = problem.num_states
    if n > MAX_STATES:
        raise OutOfReach(
            f"exact values of {n:,} states are out of reach (at most {MAX_STATES:,}); leave out exact=True for a certified interval"
        )
    policy = solved.policy.copy()
    ratios: list[tuple[Ratio, ...]] = [()] * n
    for batch, components in problem.batches():
        game = _Exact(batch, ratios, policy, written(discount), problem.num_payoffs)
        for low, high in zip(components[:-1], components[1:], strict=True):
            game.settle(int(low), int(high))
            progress("solving in rationals", int(high), n)
    return ExactValues(ratios), solved._replace(
        policy=policy,
        argument="proof: the values are rational numbers that satisfy the optimality equation exactly, every action of every state "
        "compared in rationals",
    )  # fmt: skip


class _Exact:
    """One batch of transitions in whole numbers."""

    def __init__(
        self, batch: Transitions, ratios: list[tuple[Ratio, ...]], policy: np.ndarray, discount: Fraction, payoffs: int
    ):
        self.batch, self.ratios, self.policy, self.discount, self.payoffs = batch, ratios, policy, discount, payoffs
        self.action_start = batch.action_start.tolist()
        self.outcome_start = batch.outcome_start.tolist()
        self.next = batch.next.tolist()
        self.sign = batch.sign.tolist()
        self.ways, _ = _whole(batch.ways)  # scaled together: probabilities stay what they were
        self.payoff, self.payoff_scale = _whole(batch.payoff)

    def settle(self, low: int, high: int) -> None:
        """Solve the component low..high-1; all earlier ones are solved."""
        if high - low == 1 and not self._returns(low):
            self._settle_one(low)
            return
        if high - low > MAX_UNKNOWNS:
            raise OutOfReach(
                f"an exact solution would need a linear system with {high - low:,} unknowns (at most {MAX_UNKNOWNS:,}); "
                "leave out exact=True for a certified interval, or give smaller parameters"
            )
        for _ in range(MAX_ROUNDS):
            self._evaluate(low, high)
            if not self._improve(low, high):
                return
        raise OutOfReach(
            f"the exact policy of states {low}..{high - 1} had not settled after {MAX_ROUNDS} rounds; please report this game"
        )

    # --- one state ----------------------------------------------------------------------------------------------------

    def _rows(self, state: int) -> range:
        i = state - self.batch.low
        return range(self.action_start[i], self.action_start[i + 1])

    def _chosen(self, state: int) -> int:
        return self.action_start[state - self.batch.low] + int(self.policy[state])

    def _outcomes(self, row: int) -> range:
        return range(self.outcome_start[row], self.outcome_start[row + 1])

    def _returns(self, state: int) -> bool:
        return any(self.next[o] == state for row in self._rows(state) for o in self._outcomes(row))

    def _settle_one(self, state: int) -> None:
        rows = self._rows(state)
        if not rows:
            final = self.batch.final_payoff[state - self.batch.low]
            values = [written(v) for v in final]
            self.ratios[state] = tuple((fmpz(v.numerator), fmpz(v.denominator)) for v in values)
            return
        values_of_rows = self._row_values(rows, 0)
        best = self._best(state, values_of_rows)
        self.policy[state] = best
        row = rows[best]
        rest = [self._row_values([row], j) for j in range(1, self.payoffs)]
        first = (values_of_rows.numerator[best], values_of_rows.denominator)
        self.ratios[state] = tuple(_reduced(r) for r in (first, *((c.numerator[0], c.denominator) for c in rest)))

    def _row_values(self, rows: Sequence[int], payoff: int) -> Column:
        """The value of each row, as fractions over one denominator."""
        return combine(self._terms(row, payoff, sum(self.ways[o] for o in self._outcomes(row))) for row in rows)

    def _terms(self, row: int, payoff: int, divisor: int, but: range = range(0)) -> Terms:
        """ways * (payoff + sign * discount * next value) / divisor, the next values in `but` left out."""
        terms: Terms = []
        top, bottom = self.discount.numerator, self.discount.denominator
        gain = 0
        for o in self._outcomes(row):
            gain += self.ways[o] * self.payoff[o][payoff]
            j = self.next[o]
            if j not in but:
                numerator, denominator = self.ratios[j][payoff]
                terms.append((self.ways[o] * self.sign[o] * top, numerator, denominator * (divisor * bottom)))
        if gain:
            terms.append((gain, fmpz(1), fmpz(divisor * self.payoff_scale)))
        return terms

    def _best(self, state: int, values: Column) -> int:
        """The best row: the chosen one unless another is strictly better."""
        sense = -1 if self.batch.player[state - self.batch.low] else 1
        best = int(self.policy[state])
        for a, value in enumerate(values.numerator):
            if sense * value > sense * values.numerator[best]:
                best = a
        return best

    # --- components ---------------------------------------------------------------------------------------------------

    def _evaluate(self, low: int, high: int) -> None:
        """Exact values of low..high-1 under the policy."""
        inside = range(low, high)
        leaving = self._leaving(inside)
        unknown = [i for i in inside if leaving[i - low]]
        for i in inside:
            if not leaving[i - low]:
                self._check_unpaid(i)
                self.ratios[i] = ((fmpz(0), fmpz(1)),) * self.payoffs
        position = {i: k for k, i in enumerate(unknown)}
        start, column, entry = [0], [], []
        top, bottom = self.discount.numerator, self.discount.denominator
        for i in unknown:
            outcomes = self._outcomes(self._chosen(i))
            column.append(position[i])
            entry.append(sum(self.ways[o] for o in outcomes) * bottom)
            for o in outcomes:
                if self.next[o] in position:
                    column.append(position[self.next[o]])
                    entry.append(-self.ways[o] * self.sign[o] * top)
            start.append(len(column))
        matrix = Matrix(*(np.array(a, dtype=np.int64) for a in (start, column, entry)))
        right = [self._right(unknown, position, j) for j in range(self.payoffs)]
        solution = solve(matrix, right)
        for k, i in enumerate(unknown):
            self.ratios[i] = tuple((x.numerator[k], x.denominator) for x in solution)

    def _right(self, unknown: list[int], position: dict[int, int], payoff: int) -> Column:
        """ways * payoff + what comes from outside the component, times the denominator of the discount."""
        top, bottom = self.discount.numerator, self.discount.denominator
        rows = []
        for i in unknown:
            terms: Terms = []
            for o in self._outcomes(self._chosen(i)):
                if self.payoff[o][payoff]:
                    terms.append((self.ways[o] * self.payoff[o][payoff] * bottom, fmpz(1), fmpz(self.payoff_scale)))
                if self.next[o] not in position:
                    terms.append((self.ways[o] * self.sign[o] * top, *self.ratios[self.next[o]][payoff]))
            rows.append(terms)
        return combine(rows)

    def _leaving(self, inside: range) -> list[bool]:
        """Which states leave the component with positive probability, sooner or later, under the policy."""
        if self.discount < 1:
            return [True] * len(inside)
        into: dict[int, list[int]] = {}
        leaving = [False] * len(inside)
        queue = []
        for i in inside:
            for o in self._outcomes(self._chosen(i)):
                j = self.next[o]
                if j in inside:
                    into.setdefault(j, []).append(i)
                elif not leaving[i - inside.start]:
                    leaving[i - inside.start] = True
                    queue.append(i)
        while queue:
            for i in into.get(queue.pop(), ()):
                if not leaving[i - inside.start]:
                    leaving[i - inside.start] = True
                    queue.append(i)
        return leaving

    def _check_unpaid(self, state: int) -> None:
        if any(any(self.payoff[o]) for o in self._outcomes(self._chosen(state))):
            raise NoValue(f"play can circle for ever at state number {state} while payoffs pile up")

    def _improve(self, low: int, high: int) -> bool:
        """Switch to strictly better actions; whether there were any."""
        changed = False
        for i in range(low, high):
            rows = self._rows(i)
            if len(rows) > 1:
                best = self._best(i, self._row_values(rows, 0))
                changed |= best != self.policy[i]
                self.policy[i] = best
        return changed


def _reduced(ratio: Ratio) -> Ratio:
    value = fmpq(*ratio)
    return value.p, value.q


def _whole(numbers: np.ndarray) -> tuple[list[Any], int]:
    """Whole numbers in the proportions of `numbers`, and the factor they were multiplied by."""
    if np.all(numbers == np.rint(numbers)) and np.all(np.abs(numbers) < 2**53):
        return numbers.astype(np.int64).tolist(), 1
    distinct = {v: written(float(v)) for v in np.unique(numbers)}
    scale = int(np.lcm.reduce([f.denominator for f in distinct.values()], dtype=object))
    whole = {v: int(f * scale) for v, f in distinct.items()}
    flat = [whole[v] for v in numbers.ravel().tolist()]
    if numbers.ndim == 1:
        return flat, scale
    width = numbers.shape[1]
    return [flat[i : i + width] for i in range(0, len(flat), width)], scale
