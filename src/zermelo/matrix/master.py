"""The linear program of a matrix game in floats, to which strategies are added as they are found.

    minimise w   subject to   sum_j a_ij q_j <= w  for each row i,   sum_j q_j = 1,   q >= 0

w is the value, q the column player's mixed strategy, and the dual variables of the rows are the row player's p (Dantzig
1951). HiGHS keeps the basis from one call to the next, so that adding a few rows or columns costs only a few pivots.

A basis of this program is a set J of columns and an equally large set I of rows: the q_j that may be positive, and
the rows that must hold with equality. That is all that the exact solution (exact.py) needs; no other result computed
here is trusted.
"""

from __future__ import annotations

from typing import NamedTuple

import highspy
import numpy as np

from zermelo.basics.highs import linear_program
from zermelo.basics.machine import require

TOLERANCE = 1e-9
BYTES = 64  # used by HiGHS for each payoff: by columns and by rows, scaled, and copied when they are added
INFINITY = highspy.kHighsInf
BASIC = highspy.HighsBasisStatus.kBasic


class Optimum(NamedTuple):
    """An optimal basis of the linear program and its solution, in floats."""

    value: float
    p: np.ndarray  # float64[rows]
    q: np.ndarray  # float64[columns]
    rows: list[int]  # I
    columns: list[int]  # J


class Master:
    """The linear program of a restricted game, which can grow. `payoff` : float64[rows, columns]."""

    def __init__(self, payoff: np.ndarray):
        rows, columns = payoff.shape
        require(BYTES * payoff.size, f"a linear program of {rows:,} by {columns:,} payoffs")
        # doubles hold 16 digits, and the tolerance is absolute: payoffs are scaled to about 1
        self.scale = float(np.abs(payoff).max()) or 1.0
        self.rows, self.columns, self.pivots = rows, 0, 0
        self._lp = linear_program(
            presolve="off", solver="simplex", simplex_strategy=4,
            primal_feasibility_tolerance=TOLERANCE, dual_feasibility_tolerance=TOLERANCE,
        )  # fmt: skip
        self._lp.addRow(1.0, 1.0, 0, np.zeros(0, np.int32), np.zeros(0))  # row 0: the probabilities sum to 1
        for _ in range(rows):
            self._lp.addRow(-INFINITY, 0.0, 0, np.zeros(0, np.int32), np.zeros(0))
        index = np.arange(1, rows + 1, dtype=np.int32)
        self._lp.addCol(1.0, -INFINITY, INFINITY, rows, index, -np.ones(rows))  # column 0: the value
        self.add_columns(payoff)

    def add_columns(self, payoff: np.ndarray) -> None:
        """Add columns with these payoffs : float64[rows, new]."""
        rows, new = payoff.shape
        entries = np.ones((new, rows + 1))
        entries[:, 1:] = payoff.T / self.scale
        start = np.arange(new, dtype=np.int32) * (rows + 1)
        index = np.tile(np.arange(rows + 1, dtype=np.int32), new)
        infinite = np.full(new, INFINITY)
        self._lp.addCols(new, np.zeros(new), np.zeros(new), infinite, entries.size, start, index, entries.ravel())
        self.columns += new

    def add_rows(self, payoff: np.ndarray) -> None:
        """Add rows with these payoffs : float64[new, columns]."""
        index = np.arange(self.columns + 1, dtype=np.int32)
        for row in payoff:
            entries = np.concatenate([[-1.0], row / self.scale])
            self._lp.addRow(-INFINITY, 0.0, entries.size, index, entries)
        self.rows += len(payoff)

    def solve(self) -> Optimum:
        """A basis that is optimal up to float precision. If the program cannot be solved in floats, I and J are empty, and p and q
        arbitrary mixtures."""
        self._lp.run()
        solution, basis = self._lp.getSolution(), self._lp.getBasis()
        self.pivots += max(0, int(self._lp.getInfo().simplex_iteration_count))
        p = _mixture(-np.array(solution.row_dual)[1:], self.rows)
        q = _mixture(np.array(solution.col_value)[1:], self.columns)
        value = solution.col_value[0] * self.scale if solution.value_valid else float("nan")
        if not basis.valid:
            return Optimum(value, p, q, [], [])
        rows = [i for i, status in enumerate(list(basis.row_status)[1:]) if status != BASIC]
        columns = [j for j, status in enumerate(list(basis.col_status)[1:]) if status == BASIC]
        return Optimum(value, p, q, rows, columns)


def _mixture(weights: np.ndarray, size: int) -> np.ndarray:
    """Probabilities from weights that may be slightly negative; uniform ones if the weights are unusable."""
    weights = np.maximum(weights, 0.0) if weights.size == size and np.isfinite(weights).all() else np.zeros(size)
    total = weights.sum()
    return weights / total if total > 0 else np.full(size, 1.0 / size)
