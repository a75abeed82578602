"""Optimal plans of a sequence form by linear programming: in floats first, then in rational numbers from the basis that these end with.

The plan x of a player and the values v of the other's information sets solve

    maximise v_0,   E x = e,   F' v <= A' x,   x >= 0

with E and F the information sets of both, and A the payoffs (von Stengel 1996). A basis says which of the x and v are not fixed at 0 and
which rows hold with equality: that is a square system, mostly with few and small numbers, solved exactly (methods/rational_linear.py).
Whether the plan is optimal is not asked here: best responses to it say so (certificates/best_replies.py).

There are often many optimal plans. `favour`, a plan of the other player that excludes nothing, weighs a little in the objective: the plan
is then one that also does well against a player who errs. It counts so little that it should not cost anything; whether it does is seen
from the best responses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
from flint import fmpz
from scipy.sparse import coo_matrix, csc_matrix, hstack, vstack

from zermelo.basics.highs import linear_program
from zermelo.basics.machine import require
from zermelo.methods.rational_linear import Column, Matrix, column, some_solution
from zermelo.problem.sequences import SequenceForm, Side

BYTES = 200  # of HiGHS for each nonzero, row and column: the program, what presolve leaves of it, and the factors of its bases
FAVOUR = 1e-4  # what a play against `favour` weighs, compared with one against a best response


class Optimum(NamedTuple):
    """The end of the simplex method: a plan in floats, and which columns and rows are basic (bool)."""

    plan: np.ndarray
    columns: np.ndarray
    rows: np.ndarray


def optimum(form: SequenceForm, player: int, favour: np.ndarray | None = None) -> Optimum | None:
    """An optimal plan of a player, in floats; None where the linear program is not solved."""
    own = form.sides[player]
    matrix = _program(form, player, form.near * (1 if player == 0 else -1)).tocsc()
    rows, columns = matrix.shape
    cost = np.zeros(columns)
    cost[-1] = 1.0
    if favour is not None:
        against = _payoffs(form, player, form.near * (1 if player == 0 else -1)).T @ favour
        weight = FAVOUR / max(np.abs(against).max(initial=0.0), 1e-300)
        cost[: own.sequences] = weight * against
    low, high = np.full(columns, -np.inf), np.full(columns, np.inf)
    low[: own.sequences] = 0.0
    low[0] = high[0] = 1.0
    require(BYTES * (matrix.nnz + rows + columns), f"a linear program of {rows:,} rows, {columns:,} columns and {matrix.nnz:,} entries")
    program = highspy.HighsLp()
    program.num_col_, program.num_row_, program.sense_ = columns, rows, highspy.ObjSense.kMaximize
    program.col_cost_, program.col_lower_, program.col_upper_ = cost, low, high
    program.row_lower_ = np.concatenate([np.zeros(own.sets), np.full(rows - own.sets, -np.inf)])
    program.row_upper_ = np.zeros(rows)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = linear_program(solver="simplex", random_seed=0)
    highs.passModel(program)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis, basic = highs.getBasis(), highspy.HighsBasisStatus.kBasic
    plan = np.maximum(np.array(highs.getSolution().col_value[: own.sequences]), 0.0)
    is_basic = (np.array([s == basic for s in status], np.bool_) for status in (basis.col_status, basis.row_status))
    return Optimum(plan, *is_basic)


def exact_plan(form: SequenceForm, player: int, found: Optimum) -> Column | None:
    """The plan that a basis stands for, in rational numbers; None if it is none, or is not found."""
    own = form.sides[player]
    columns, rows = np.flatnonzero(found.columns), np.flatnonzero(~found.rows)
    if found.columns[0] or len(columns) != len(rows) or form.whole.dtype == object:
        return None
    matrix = _program(form, player, form.whole * (1 if player == 0 else -1)).tocsr()
    right = -matrix[rows, 0].toarray().ravel()
    square = matrix[rows][:, columns]
    square.eliminate_zeros()
    system = Matrix(square.indptr.astype(np.int64), square.indices.astype(np.int64), square.data.astype(np.int64))
    solved = some_solution(system, column(right.tolist()))
    if solved is None:
        return None
    numbers = [fmpz(0)] * own.sequences
    numbers[0] = solved.denominator
    for at, number in zip(columns.tolist(), solved.numerator, strict=True):
        if at < own.sequences:
            numbers[at] = number
    return Column(numbers, solved.denominator) if min(numbers) >= 0 else None


def _program(form: SequenceForm, player: int, payoff: np.ndarray) -> Any:
    """The matrix of the linear program: columns are sequences, then the values of the other's sets, then that of the game."""
    own, other = form.sides[player], form.sides[1 - player]
    kind = payoff.dtype
    whole = coo_matrix((np.ones(1, kind), ([0], [0])), shape=(other.sequences, 1))
    above = hstack([_incidence(own, kind), csc_matrix((own.sets, other.sets + 1), dtype=kind)])
    below = hstack([-_payoffs(form, player, payoff), _incidence(other, kind).T, whole])
    return vstack([above, below])


def _payoffs(form: SequenceForm, player: int, payoff: np.ndarray) -> Any:
    """By the other's sequences and one's own."""
    own, other = form.indices(player)
    return coo_matrix((payoff, (other, own)), shape=(form.sides[1 - player].sequences, form.sides[player].sequences))


def _incidence(side: Side, kind: Any) -> Any:
    """What the sequences of a set sum to, minus the sequence that leads to it; by set and sequence."""
    sets = np.arange(side.sets)
    rows, columns = np.concatenate([sets, side.set_of[1:]]), np.concatenate([side.parent, np.arange(1, side.sequences)])
    entries = np.concatenate([np.full(side.sets, -1, kind), np.ones(side.sequences - 1, kind)])
    return coo_matrix((entries, (rows, columns)), shape=(side.sets, side.sequences))
