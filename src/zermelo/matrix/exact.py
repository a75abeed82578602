"""The exact solution of a matrix game of whole numbers, from a basis that may be wrong.

Add a constant to all payoffs so that they are positive, a_ij >= 1. Then the game is the pair of linear programs

    maximise sum y_j,  A y <= 1,  y >= 0          and          minimise sum x_i,  x A >= 1,  x >= 0,

with value v = 1 / sum y = 1 / sum x, p = v x and q = v y (Gale, Kuhn and Tucker 1951). A basis is a set I of rows and an
equally large set J of columns whose kernel K = A[I, J] has an inverse. It stands for

    y_J = K^-1 1,  x_I = 1 K^-1,  0 elsewhere       (Shapley and Snow 1950: every extreme optimal pair is of this form).

Proof: y >= 0, x >= 0, A y <= 1 and x A >= 1 are checked for all rows and columns in whole numbers. They show that the
column player can hold the row player to v and that the row player can get v, no matter how I and J were found.

Repair: a basis from floats can be wrong, most often if many bases are nearly optimal (degenerate games). It then becomes the
start of the simplex method in rationals. With b the right-hand side, y_J = K^-1 b_I and the slacks s = b - A y:

- y, s >= 0: pivots of the primal method lead to x >= 0 and x A >= 1.
- x >= 0, x A >= 1: the same with the players exchanged, on the matrix c - A^T, which has the same kernels.
- neither: b is changed so that y and s stay as they are, except that negative entries become 0. The primal method then corrects x, which
  does not depend on b; with b = 1 again this is the previous case.

Pivots are chosen by largest gain. After a pivot without gain Bland's rule (1977) applies until one gains, which ensures termination.
Applegate, Cook, Dash and Espinoza 2007 ("Exact solutions to linear programming problems") describe using floats first and rationals
afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, cast

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat


class Equilibrium(NamedTuple):
    """The value and a pair of optimal mixed strategies, zero probabilities omitted."""

    value: Fraction
    p: dict[int, Fraction]  # by row
    q: dict[int, Fraction]  # by column
    pivots: int  # the number of pivots needed to repair the basis


class Basis(NamedTuple):
    """A basis: I and J, equally many rows and columns."""

    rows: list[int]
    columns: list[int]

    @property
    def transposed(self) -> Basis:
        return Basis(self.columns, self.rows)


class Point(NamedTuple):
    """The pair of solutions that a basis stands for, times positive common denominators."""

    y: list[fmpz]  # by position in J
    slack: list[fmpz]  # b - A y, by row
    x: list[fmpz]  # by position in I
    excess: list[fmpz]  # x A - 1, by column
    scale_y: fmpz
    scale_x: fmpz

    @property
    def is_primal(self) -> bool:
        return min(self.y) >= 0 and min(self.slack) >= 0

    @property
    def is_dual(self) -> bool:
        return min(self.x) >= 0 and min(self.excess) >= 0


class Program:
    """maximise sum y, A y <= b, y >= 0, for positive whole A; b >= 0."""

    def __init__(self, matrix: fmpz_mat, right: list[fmpz] | None = None):
        self.matrix = matrix
        self.rows, self.columns = matrix.nrows(), matrix.ncols()
        self.right = right or [fmpz(1)] * self.rows
        self.pivots = 0

    def kernel(self, basis: Basis) -> fmpz_mat:
        return fmpz_mat([[self.matrix[i, j] for j in basis.columns] for i in basis.rows])

    def point(self, basis: Basis) -> Point:
        """Raises `ZeroDivisionError` where the kernel has no inverse."""
        kernel = self.kernel(basis)
        y, scale_y = _cleared(_solve(kernel, [self.right[i] for i in basis.rows]))
        x, scale_x = _cleared(_solve(kernel.transpose(), [fmpz(1)] * len(basis.columns)))
        spent = _times(self._columns(basis.columns), y)
        slack = [scale_y * b - s for b, s in zip(self.right, spent, strict=True)]
        earned = _times(self._rows(basis.rows).transpose(), x)
        return Point(y, slack, x, [e - scale_x for e in earned], scale_y, scale_x)

    def primal(self, basis: Basis) -> tuple[Basis, Point]:
        """Run the simplex method from a basis with y, s >= 0 to an optimal one."""
        rows, columns = list(basis.rows), list(basis.columns)
        careful = False
        while True:
            basis = Basis(rows, columns)
            point = self.point(basis)
            gains = [(-e, j) for j, e in enumerate(point.excess) if e < 0]
            gains += [(-x, self.columns + i) for x, i in zip(point.x, rows, strict=True) if x < 0]
            if not gains:
                return basis, point
            entering = min(v for _, v in gains) if careful else max(gains, key=lambda gain: (gain[0], -gain[1]))[1]
            leaving, careful = self._leaving(basis, point, entering)
            _exchange(rows, columns, entering, leaving, self.columns)
            self.pivots += 1

    def _leaving(self, basis: Basis, point: Point, entering: int) -> tuple[int, bool]:
        """The variable that reaches 0 first as `entering` grows, and whether it does so immediately.

        Variables are numbered: y_j is j, and the slack of row i is `columns` + i.
        """
        n, inside = self.columns, set(basis.rows)
        change = [fmpz(self.matrix[i, entering]) if entering < n else fmpz(entering - n == i) for i in basis.rows]
        falls, scale = _cleared(_solve(self.kernel(basis), change))  # how fast the y_J fall
        spent = _times(self._columns(basis.columns), falls)
        candidates = [(y, f, j) for y, f, j in zip(point.y, falls, basis.columns, strict=True) if f > 0]
        for i in range(self.rows):
            fall = (scale * self.matrix[i, entering] if entering < n else fmpz(0)) - spent[i]
            if i not in inside and fall > 0:
                candidates.append((point.slack[i], fall, n + i))
        ratios = [(fmpq(room, fall), variable) for room, fall, variable in candidates]
        least, leaving = min(ratios)
        return leaving, least == 0

    def _columns(self, which: Sequence[int]) -> fmpz_mat:
        return fmpz_mat([[self.matrix[i, j] for j in which] for i in range(self.rows)])

    def _rows(self, which: Sequence[int]) -> fmpz_mat:
        return fmpz_mat([[self.matrix[i, j] for j in range(self.columns)] for i in which])


def solve(payoff: Sequence[Sequence[int]], rows: Sequence[int] = (), columns: Sequence[int] = ()) -> Equilibrium:
    """The value and optimal mixed strategies, proven. `rows` and `columns` are guesses of I and J, which may be empty or wrong."""
    least, most = min(map(min, payoff)), max(map(max, payoff))
    shift = 1 - least + (most - least) // 4  # far enough from 0 to keep kernels from being nearly singular
    matrix = fmpz_mat([[int(a) + shift for a in row] for row in payoff])
    program = Program(matrix)
    basis, point = _started(program, Basis([int(i) for i in rows], [int(j) for j in columns]))
    pivots = 0
    if not (point.is_primal and point.is_dual):
        basis, pivots = _repaired(program, basis, point, most + shift + 1)
        point = program.point(basis)
        if not (point.is_primal and point.is_dual):
            raise AssertionError("the exact simplex method ended in a basis that is not optimal")
    total_y, total_x = sum(point.y, fmpz(0)), sum(point.x, fmpz(0))
    value = Fraction(int(point.scale_y), int(total_y)) - shift
    p = {i: Fraction(int(x), int(total_x)) for i, x in sorted(zip(basis.rows, point.x, strict=True)) if x > 0}
    q = {j: Fraction(int(y), int(total_y)) for j, y in sorted(zip(basis.columns, point.y, strict=True)) if y > 0}
    return Equilibrium(value, p, q, pivots)


def _started(program: Program, basis: Basis) -> tuple[Basis, Point]:
    """The basis if its kernel has an inverse; otherwise column 0 and the row that it pays most."""
    if basis.rows and len(basis.rows) == len(basis.columns):
        try:
            return basis, program.point(basis)
        except ZeroDivisionError:
            pass
    row = max(range(program.rows), key=lambda i: program.matrix[i, 0])
    basis = Basis([row], [0])
    return basis, program.point(basis)


def _repaired(program: Program, basis: Basis, point: Point, above: int) -> tuple[Basis, int]:
    """An optimal basis by exact pivots, and the number of pivots. `above` is larger than all payoffs."""
    pivots = 0
    if not point.is_dual:
        right = program.right if point.is_primal else _relaxed(program, basis, point)
        relaxed = Program(program.matrix, right)
        basis, _ = relaxed.primal(basis)
        pivots += relaxed.pivots
        if program.point(basis).is_primal:
            return basis, pivots
    turned = [[fmpz(above) - program.matrix[i, j] for i in range(program.rows)] for j in range(program.columns)]
    other = Program(fmpz_mat(turned))
    basis, _ = other.primal(basis.transposed)
    return basis.transposed, pivots + other.pivots


def _relaxed(program: Program, basis: Basis, point: Point) -> list[fmpz]:
    """A right-hand side for which this basis has y, s >= 0."""
    y = [max(fmpz(0), value) for value in point.y]
    spent = _times(program._columns(basis.columns), y)
    inside = set(basis.rows)
    return [s + (fmpz(0) if i in inside else max(fmpz(0), point.slack[i])) for i, s in enumerate(spent)]


def _exchange(rows: list[int], columns: list[int], entering: int, leaving: int, n: int) -> None:
    """The basis after `entering` has replaced `leaving` (numbered as in `_leaving`)."""
    if leaving < n:
        columns.remove(leaving)
    else:
        rows.append(leaving - n)
    if entering < n:
        columns.append(entering)
    else:
        rows.remove(entering - n)


def _solve(kernel: fmpz_mat, right: list[fmpz]) -> fmpq_mat:
    """Raises `ZeroDivisionError` for a kernel without an inverse."""
    return cast(fmpq_mat, kernel.solve(fmpz_mat([[b] for b in right])))


def _cleared(solution: fmpq_mat) -> tuple[list[fmpz], fmpz]:
    """Numerators over a common positive denominator."""
    numerators, denominator = solution.numer_denom()
    return numerators.entries(), denominator


def _times(matrix: fmpz_mat, vector: list[fmpz]) -> list[fmpz]:
    return (matrix * fmpz_mat([[v] for v in vector])).entries()
