"""Optimal plans of a sequence form by linear programming: in floats first, then in rational numbers from the resulting basis.

The plan x of a player and the values v of the other's information sets solve

    maximise v_0,   E x = e,   F' v <= A' x,   x >= 0

with E and F the information sets of both, and A the payoffs (von Stengel 1996). A basis says which of the x and v are not fixed at 0 and
which rows hold with equality: this gives a square system, mostly with few and small numbers, solved exactly (methods/rational_linear.py).
Whether the plan is optimal is not checked here but by best responses to it (certificates/best_replies.py).

There are often many optimal plans. The *refined* one makes the other player's mistakes cost the most: first, summed over all of that
player's first choices, the loss of each choice against the best one there; among those plans, the same for the second choices; and so on.
This plan is best against an opponent who makes every choice occasionally, however rarely. With l = e^d for a sequence of d choices, and
y = l + y', y' >= 0, as the other player's plan, only the objective changes:

    maximise A l x + (f - F l)' v,

a polynomial in e, and thus, for small e, a sequence of objectives (Miltersen and Sorensen 2010; one-sided quasi-perfect: Farina and
Sandholm 2021). After each objective, the columns and rows with a reduced cost are fixed, so that later ones cannot spoil it. The last basis
is the refined plan's, and its duals are y(e), a plan of the opponent to which it is a best response (certificates/mistakes.py checks that).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
from flint import fmpz
from scipy.sparse import coo_matrix, csc_matrix, diags, hstack, vstack

from zermelo.basics.highs import linear_program
from zermelo.basics.machine import require
from zermelo.methods.rational_linear import some_solution
from zermelo.methods.rational_matrix import Column, Matrix, column
from zermelo.problem.sequences import SequenceForm, Side

BYTES = 200  # used by HiGHS for each nonzero, row and column: the program, its presolved form, and the factors of its bases
COSTS = 1e-9  # a reduced cost beyond this is taken not to be a rounding error
PRIMAL = 4  # HiGHS's number of the primal simplex method, which continues from the end of another objective
PASSES, TIGHT = 20, 1e-10  # over the rows and columns of a program that are scaled; its tolerances, the smallest that HiGHS takes
TINY = 1e-300  # less than any number of an objective


class Basis(NamedTuple):
    """The end of the simplex method: which columns and which rows are basic."""

    columns: np.ndarray  # bool
    rows: np.ndarray  # bool


class Optima:
    """Optimal bases of the program of a player: `plain`, and on request the refined one; None if the program is not solved.

    `payoff` : the payoffs of the form, perhaps in another unit, which leaves a basis optimal. `is_scaled` : rows and columns are given in
    units of their own, so that tolerances mean something also where payoffs are tiny beside others; this leaves it optimal, too."""

    def __init__(self, form: SequenceForm, player: int, payoff: np.ndarray, is_scaled: bool = False):
        self.form, self.player, self.payoff, self.is_scaled = form, player, payoff, is_scaled
        self._sign = 1 if player == 0 else -1
        tight = {"primal_feasibility_tolerance": TIGHT, "dual_feasibility_tolerance": TIGHT} if is_scaled else {}
        self._highs = linear_program(solver="simplex", random_seed=0, **tight)
        self._highs.passModel(self._model())
        self.plain = self._solved()

    def _model(self) -> Any:
        own = self.form.sides[self.player]
        matrix = _program(self.form, self.player, self.payoff * self._sign).tocsc()
        rows, columns = matrix.shape
        self._units = np.ones(columns)  # of the columns
        if self.is_scaled:
            of_rows, self._units = _units(matrix)
            matrix = (diags(of_rows) @ matrix @ diags(self._units)).tocsc()
        low, high = np.full(columns, -np.inf), np.full(columns, np.inf)
        low[: own.sequences] = 0.0
        low[0] = high[0] = 1.0 / self._units[0]
        size = f"{rows:,} rows, {columns:,} columns and {matrix.nnz:,} nonzeros"
        require(BYTES * (matrix.nnz + rows + columns), f"a linear program of {size}")
        program = highspy.HighsLp()
        program.num_col_, program.num_row_, program.sense_ = columns, rows, highspy.ObjSense.kMaximize
        program.col_cost_, program.col_lower_, program.col_upper_ = self._cost(0), low, high
        program.row_lower_ = np.concatenate([np.zeros(own.sets), np.full(rows - own.sets, -np.inf)])
        program.row_upper_ = np.zeros(rows)
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
        return program

    def _solved(self) -> Basis | None:
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        basis, basic = self._highs.getBasis(), highspy.HighsBasisStatus.kBasic
        return Basis(*(np.array([s == basic for s in status], np.bool_) for status in (basis.col_status, basis.row_status)))

    @property
    def plan(self) -> np.ndarray:
        """The numbers of the sequences at the end of the last objective, not negative, and right but for rounding."""
        found: np.ndarray = (np.array(self._highs.getSolution().col_value) * self._units)[: self.form.sides[self.player].sequences]
        return np.maximum(found, 0.0)

    def _cost(self, depth: int) -> np.ndarray:
        """The objective of this depth, the largest of its numbers 1."""
        cost = _objective(self.form, self.player, depth, self.payoff) * self._units
        return cost / max(np.abs(cost).max(), TINY)

    def refined(self) -> Basis | None:
        """Solve one objective after another."""
        found = self.plain
        for name, value in (("presolve", "off"), ("simplex_strategy", PRIMAL)):
            self._highs.setOptionValue(name, value)
        for depth in range(1, int(self.form.sides[1 - self.player].depth.max()) + 1):
            if found is None:
                return None
            cost = self._cost(depth)
            if cost.any():
                self._fix(found)
                self._highs.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)
                found = self._solved()
        return found

    def _fix(self, found: Basis) -> None:
        """Columns and rows that would spoil this objective keep their bounds from now on."""
        own, solution = self.form.sides[self.player], self._highs.getSolution()
        costs, duals = np.array(solution.col_dual), np.array(solution.row_dual)
        columns = np.flatnonzero(~found.columns & (np.abs(costs) > COSTS))
        rows = np.flatnonzero(~found.rows & (np.abs(duals) > COSTS))
        columns, rows = columns[(columns > 0) & (columns < own.sequences)].astype(np.int32), rows[rows >= own.sets].tolist()
        self._highs.changeColsBounds(len(columns), columns, np.zeros(len(columns)), np.zeros(len(columns)))
        for row in rows:
            self._highs.changeRowBounds(row, 0.0, 0.0)


def _units(matrix: csc_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Powers of 2 by which the rows and columns of a matrix are multiplied, so that the largest and the smallest number of each are about
    as far from 1."""
    numbers = matrix.tocoo()
    numbers.eliminate_zeros()
    at, size = (numbers.row, numbers.col), np.log2(np.abs(numbers.data))
    powers = [np.zeros(n) for n in matrix.shape]
    for step in range(2 * PASSES):
        own, other = step % 2, 1 - step % 2
        now = size + powers[other][at[other]]
        most, least = np.full(len(powers[own]), -np.inf), np.full(len(powers[own]), np.inf)
        np.maximum.at(most, at[own], now)
        np.minimum.at(least, at[own], now)
        powers[own] = np.where(np.isfinite(most), -(most + least) / 2, 0.0)
    return np.exp2(np.rint(powers[0])), np.exp2(np.rint(powers[1]))


def exact_plan(form: SequenceForm, player: int, found: Basis) -> Column | None:
    """The plan that a basis stands for, in rational numbers; None if it is not a plan, or is not found."""
    own = form.sides[player]
    square, matrix = _square(form, player, found)
    if square is None:
        return None
    columns, rows = np.flatnonzero(found.columns), np.flatnonzero(~found.rows)
    solved = some_solution(_as_system(square), [column((-matrix[rows, 0].toarray().ravel()).tolist())])
    if solved is None:
        return None
    numbers = [fmpz(0)] * own.sequences
    numbers[0] = solved[0].denominator
    for at, number in zip(columns.tolist(), solved[0].numerator, strict=True):
        if at < own.sequences:
            numbers[at] = number
    return Column(numbers, solved[0].denominator) if min(numbers) >= 0 else None


def trembling_plan(form: SequenceForm, player: int, found: Basis) -> list[Column] | None:
    """The duals of a basis: the other player's plan y(e), by powers of e from the 0th on; None if they are not found."""
    own, other = form.sides[player], form.sides[1 - player]
    square, _ = _square(form, player, found)
    if square is None:
        return None
    columns, rows = np.flatnonzero(found.columns), np.flatnonzero(~found.rows)
    depth = other.depth
    powers = range(int(depth.max()) + 1)
    costs = [_objective(form, player, power, form.whole)[columns] for power in powers]
    solved = some_solution(_as_system(square.T.tocsr()), [column(cost.tolist()) for cost in costs])
    plans = []
    for power, duals in zip(powers, solved or (), strict=False):
        numbers = [duals.denominator if power and d == power else fmpz(0) for d in depth.tolist()]
        for row, number in zip((rows - own.sets).tolist(), duals.numerator, strict=True):
            if row >= 0:
                numbers[row] += number
        plans.append(Column(numbers, duals.denominator))
    return plans if solved else None


def _square(form: SequenceForm, player: int, found: Basis) -> tuple[Any, Any]:
    """The equations of a basis, and the program they are from; None for the equations if they are not square, or too long."""
    columns, rows = np.flatnonzero(found.columns), np.flatnonzero(~found.rows)
    if found.columns[0] or len(columns) != len(rows) or form.whole.dtype == object:
        return None, None
    matrix = _program(form, player, form.whole * (1 if player == 0 else -1)).tocsr()
    square = matrix[rows][:, columns]
    square.eliminate_zeros()
    return square, matrix


def _as_system(square: Any) -> Matrix:
    return Matrix(square.indptr.astype(np.int64), square.indices.astype(np.int64), square.data.astype(np.int64))


def _objective(form: SequenceForm, player: int, power: int, payoff: np.ndarray) -> np.ndarray:
    """The contributions of the columns of the program to the coefficient of e^power."""
    own, other = form.sides[player], form.sides[1 - player]
    cost = np.zeros(own.sequences + other.sets + 1, payoff.dtype)
    if power == 0:
        cost[-1] = 1
        return cost
    tremble = (other.depth == power).astype(payoff.dtype)
    cost[: own.sequences] = _payoffs(form, player, payoff * (1 if player == 0 else -1)).tocsr().T @ tremble
    cost[own.sequences : -1] = -(_incidence(other, payoff.dtype).tocsr() @ tremble)
    return cost


def _program(form: SequenceForm, player: int, payoff: np.ndarray) -> Any:
    """The matrix of the linear program: columns are sequences, then the values of the other's sets, then that of the game."""
    own, other = form.sides[player], form.sides[1 - player]
    kind = payoff.dtype
    whole = coo_matrix((np.ones(1, kind), ([0], [0])), shape=(other.sequences, 1))
    above = hstack([_incidence(own, kind), csc_matrix((own.sets, other.sets + 1), dtype=kind)])
    below = hstack([-_payoffs(form, player, payoff), _incidence(other, kind).T, whole])
    return vstack([above, below])


def _payoffs(form: SequenceForm, player: int, payoff: np.ndarray) -> Any:
    """The payoffs by the other player's sequences and the player's own."""
    own, other = form.indices(player)
    return coo_matrix((payoff, (other, own)), shape=(form.sides[1 - player].sequences, form.sides[player].sequences))


def _incidence(side: Side, kind: Any) -> Any:
    """The sum of the sequences of a set minus the sequence that leads to it; by set and sequence."""
    sets = np.arange(side.sets)
    rows, columns = np.concatenate([sets, side.set_of[1:]]), np.concatenate([side.parent, np.arange(1, side.sequences)])
    entries = np.concatenate([np.full(side.sets, -1, kind), np.ones(side.sequences - 1, kind)])
    return coo_matrix((entries, (rows, columns)), shape=(side.sets, side.sequences))
