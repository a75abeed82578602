"""Exact solution over the rationals of sparse square systems A x = b with several right-hand sides.

The systems are those of one component of a chain, (I - P) x = r: up to some thousands of unknowns, and r thousands of
digits long because it holds the values of components solved before.

Method: lifting, as Dixon (1982) does modulo the powers of a prime, but from the most significant end, with a float64
sparse LU of A in the place of the inverse modulo p (Wan 2006; Saunders, Wood and Youse 2011). Each step shifts the
residual by `shift` bits, appends the next bits of b, rounds inverse(A) residual to an integer digit, and subtracts
A digit exactly in int64. The condition of A decides how many bits a step yields: 40 where play leaves the component
within a hundred turns; a prime leaves room for 26 bits if thousand products shall fit in a word. And radix 2 makes it
free to cut b into digits and to join those of x.

So x is known to K bits behind the point. Its denominator d divides det A, and b's is set aside. Euclid's algorithm on
2^K and the fraction, stopped half-way, finds d once K exceeds twice its length (Wang 1981; here the modulus is a power
of 2). The length isn't known beforehand, so K grows by a third until d is found; Hadamard's bound on det A ends the
search. d x is an integer vector N, rounded from the digits.

Proof: A N = d b is checked in long integers, and that A has an inverse in machine integers (`_regular`). No float is
trusted. Where floats fail (condition over 2^45), FLINT solves the system as a dense one, exactly but 10 times slower.

Cost: (bits of b + 2 to 2.7 times the bits of d) / shift steps of one sparse substitution each. d has at most
log2 |det A| bits, some 6 an unknown with dice. Then a product of N's and d's lengths for each unknown, and a short one
for each entry of A. Euclid is quadratic, and doesn't show below 10^5 bits. Left-Center-Right, four players, twelve
chips: 1452 unknowns, 12 708 entries, 258 000 in the LU, 5 sides, b of 14 000, d of 7 800 bits: 784 steps of 0.6 ms,
0.8 s in all; the components from 2 to 12 chips, 5460 states, take 3 s. There is nothing to win from a second thread:
three quarters of that time go to long integers.

J. D. Dixon, Exact solution of linear equations using p-adic expansions, Numer. Math. 40 (1982) 137-141.
P. S. Wang, A p-adic algorithm for univariate partial fractions, SYMSAC 1981, 212-217.
Z. Wan, An algorithm to solve integer linear systems exactly using numerical methods, J. Symb. Comp. 41 (2006) 621-632.
B. D. Saunders, D. H. Wood, B. S. Youse, Numeric-symbolic exact rational linear system solver, ISSAC 2011, 305-312.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpz, fmpz_mat, nmod_mat
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.csgraph import structural_rank
from scipy.sparse.linalg import SuperLU, splu

from zermelo.basics.machine import require
from zermelo.errors import OutOfReach
from zermelo.kernels import lifting
from zermelo.methods.factors import ask_for_factors

SMALL = 12  # unknowns: up to here FLINT's elimination is faster than the lifting
MEDIUM, SHORT = 40, 256  # unknowns, bits: so it is while both are few
LARGE = 5000  # unknowns: beyond, a dense matrix takes gigabytes
ASKED = 3000  # unknowns: beyond, room for the factors is asked for
LANES = (1, 4, 8)  # right-hand sides lifted at a time; a compilation for each number
WORD = 61  # bits that the sums in a residual may use, sign and safety aside
DOUBLE = 49  # bits of a float64, four given up to the rounding errors of the factors
FIRST = 128  # bits behind the point before the first search for a denominator
SLACK = 32  # bits by which a denominator must beat a random candidate to be worth a check
PRIME = 2**61 - 1


class SingularMatrix(ArithmeticError):
    """The matrix has no inverse, so the system has no solution or many."""


class Matrix(NamedTuple):
    """A sparse square integer matrix in compressed rows.

    A row of rationals, and its right-hand sides, is multiplied by its denominator.
    """

    start: np.ndarray  # int64[n+1]
    column: np.ndarray  # int64[nnz]; repeated ones add up
    entry: np.ndarray  # int64[nnz], or Python's integers (dtype object) where one of them is longer

    @property
    def size(self) -> int:
        return len(self.start) - 1


def matrix_of(rows: Iterable[Mapping[int, int]]) -> Matrix:
    """The matrix whose row i has the entry rows[i][j] in column j; entries may be of any length."""
    start = [0]
    column: list[int] = []
    entry: list[int] = []
    for row in rows:
        column += row.keys()
        entry += row.values()
        start.append(len(column))
    fits = all(abs(value) < 2**63 for value in entry)
    return Matrix(np.array(start, np.int64), np.array(column, np.int64), np.array(entry, np.int64 if fits else object))


class Column(NamedTuple):
    """Rationals over one denominator: value i is numerator[i] / denominator. In lowest terms as a whole, not each.

    To reduce one fraction of 60 000 bits takes a millisecond, more than to compute it: reduce only what is shown.
    """

    numerator: list[fmpz]
    denominator: fmpz

    def value(self, i: int) -> fmpq:
        return fmpq(self.numerator[i], self.denominator)


def column(values: Iterable[int | Fraction]) -> Column:
    return combine([(1, value.numerator, value.denominator)] for value in values)


def combine(rows: Iterable[Iterable[tuple[int, int | fmpz, int | fmpz]]]) -> Column:
    """Each row is a sum of weight * numerator / denominator: a right-hand side made of the values of solved components.

    Terms over the same denominator are added first, so that a row costs one long product for each denominator in it.
    """
    sums: list[dict[int | fmpz, int | fmpz]] = []
    for row in rows:
        total: dict[int | fmpz, int | fmpz] = {}
        for weight, numerator, denominator in row:
            total[denominator] = total.get(denominator, 0) + numerator * weight
        sums.append(total)
    denominators = {d for total in sums for d in total}
    common = fmpz(1)
    for d in sorted(denominators, reverse=True):
        if common % d != 0:
            common = common.lcm(d)
    factor = {d: common // d for d in denominators}
    return Column([sum((s * factor[d] for d, s in total.items()), fmpz(0)) for total in sums], common)


def solve(matrix: Matrix, right: Sequence[Column]) -> list[Column]:
    """x with A x = b for each b of `right`, exact and checked in integers. Raises `SingularMatrix`."""
    if not matrix.size or not right:
        return [Column([], fmpz(1)) for _ in right]
    longest = max(_longest(b.numerator) for b in right)
    if matrix.size <= SMALL or (matrix.size <= MEDIUM and longest <= SHORT) or not _is_narrow(matrix):
        return _eliminate(matrix, right)
    matrix = _merged(matrix)
    return _lift(matrix, right) or _eliminate(matrix, right)


def some_solution(matrix: Matrix, right: Sequence[Column]) -> list[Column] | None:
    """x with A x = b for each b of `right`, exact and checked in integers; None where floats do not find one. Whether A has an inverse is
    not asked, and its diagonal may be anything: for systems whose solution is a guess that is checked otherwise."""
    if not matrix.size or not _is_narrow(matrix):
        return None
    matrix = _merged(matrix)
    transposed = _transposed(matrix, matrix.entry)
    if transposed is None:
        return None
    try:
        factors = splu(transposed)
    except RuntimeError:  # a pivot is zero
        return None
    found = []
    for b in right:  # one by one: to lift several together is another compilation
        solved = _lifted(matrix, factors, [b])
        if solved is None:
            return None
        found += solved
    return found


def _is_narrow(matrix: Matrix) -> bool:
    """Whether sums of |entries| in a row are within `WORD` bits: beyond, machine integers would wrap silently."""
    return matrix.entry.dtype != object and _width(matrix) <= WORD


def _merged(matrix: Matrix) -> Matrix:
    rows = _scipy(matrix, matrix.entry)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return Matrix(rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data)


def _scipy(matrix: Matrix, entry: np.ndarray) -> csr_matrix:
    return csr_matrix((entry, matrix.column, matrix.start), shape=(matrix.size, matrix.size), copy=True)


def _longest(numbers: list[fmpz]) -> int:
    return max(abs(value).bit_length() for value in numbers)


def _lowest_terms(numerator: list[fmpz], denominator: fmpz) -> Column:
    common = denominator
    for value in numerator:
        if common == 1:
            return Column(numerator, denominator)
        common = common.gcd(value)
    return Column([value // common for value in numerator], denominator // common)


# small systems, and those that are beyond float64


def _room_for_elimination(matrix: Matrix, right: Sequence[Column]) -> None:
    """Raise `OutOfReach` where the dense matrix, its copies and the solutions do not fit into memory: FLINT would end the process. By
    Cramer's rule and Hadamard's bound a solution is as long as the rows of A and b are together."""
    squares = [0.0] * matrix.size
    for row, entry in zip(np.repeat(np.arange(matrix.size), np.diff(matrix.start)).tolist(), matrix.entry.tolist(), strict=True):
        squares[row] += 2.0 * abs(entry).bit_length()
    bits = sum(squares) / 2 + max(_longest(b.numerator) for b in right)
    needed = 32.0 * matrix.size**2 + 3 * matrix.size * len(right) * bits / 8
    require(needed, f"solving {matrix.size:,} equations in rationals of up to {bits:,.0f} bits")


def _eliminate(matrix: Matrix, right: Sequence[Column]) -> list[Column]:
    n = matrix.size
    _room_for_elimination(matrix, right)
    numerators = fmpz_mat(n, len(right), [b.numerator[i] for i in range(n) for b in right])
    try:
        solved: Any = _dense(matrix).solve(numerators)
    except ZeroDivisionError:
        raise SingularMatrix(f"a system of {n} equations has no unique solution") from None
    solution, denominator = solved.numer_denom()
    table = solution.tolist()
    return [_lowest_terms([row[c] for row in table], b.denominator * denominator) for c, b in enumerate(right)]


def _dense(matrix: Matrix) -> fmpz_mat:
    """In long integers, repeated entries added up."""
    n = matrix.size
    if n > LARGE:
        raise OutOfReach(
            f"an exact solution would need a dense linear system with {n:,} unknowns (at most {LARGE:,}), because probabilities are too "
            "uneven or play is too long for a fast one; leave out exact=True for a certified interval"
        )
    start, columns, entries = (array.tolist() for array in matrix)
    dense = [0] * (n * n)
    for i in range(n):
        for k in range(start[i], start[i + 1]):
            dense[i * n + columns[k]] += entries[k]
    return fmpz_mat(n, n, dense)


# lifting


def _lift(matrix: Matrix, right: Sequence[Column]) -> list[Column] | None:
    """None where A is so near to a singular matrix that floats don't find the way, or isn't known to be regular."""
    factors = _factors(matrix, matrix.entry)
    return _lifted(matrix, factors, right) if factors is not None and _regular(matrix, factors) else None


def _lifted(matrix: Matrix, factors: SuperLU, right: Sequence[Column]) -> list[Column] | None:
    """The same with these factors; None where their rounding is too large."""
    shift = _radix(matrix, factors)
    result: list[Column] = []
    for first in range(0, len(right), LANES[-1]):
        group = right[first : first + LANES[-1]]
        solved = None
        while solved is None and shift >= 4:
            solved = _Lifting(matrix, factors, shift, [b.numerator for b in group]).run()
            shift -= 0 if solved else 6
        if solved is None:
            return None
        result += [_lowest_terms(x, d * b.denominator) for (x, d), b in zip(solved, group, strict=True)]
    return result


def _factors(matrix: Matrix, entry: np.ndarray) -> SuperLU | None:
    """Of the transposed matrix, so that the columns that SuperLU stores are the rows that substitution reads.

    The diagonal is large in the systems of games: it is preferred as pivot, which keeps the factors sparse.
    """
    transposed = _transposed(matrix, entry)
    if transposed is None:
        return None
    options = {"SymmetricMode": True}
    try:
        return splu(transposed, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, relax=1, options=options)
    except RuntimeError:  # a pivot is zero
        return None


def _transposed(matrix: Matrix, entry: np.ndarray) -> csc_matrix | None:
    """In floats, ready to be factorised; None if it is singular whatever the numbers are: SuperLU may crash on such. Raises `OutOfReach`
    where there is no room for factors (their number is that of a good order of pivots from the diagonal, so it is about right)."""
    transposed = _scipy(matrix, entry.astype(float)).T
    if structural_rank(transposed) < matrix.size:
        return None
    if matrix.size > ASKED:
        ask_for_factors(transposed.tocsr())
    return transposed


def _width(matrix: Matrix) -> int:
    """Bits of the largest sum of |entries| in a row."""
    sums = _scipy(matrix, np.abs(matrix.entry.astype(float))) @ np.ones(matrix.size)
    return int(np.ceil(np.log2(max(2.0, sums.max()))))


def _regular(matrix: Matrix, factors: SuperLU) -> bool:
    """Whether A is proven to have an inverse: by a diagonal that dominates after scaling, else modulo a prime.

    It has one if |a_ii| v_i > sum of |a_ij| v_j over j != i in every row for some v > 0. In I - P the expected times
    until play leaves the component are such a v, also if some outcomes count negated. Rounded, v proves itself.
    """
    size = np.abs(matrix.entry)
    rows = np.repeat(np.arange(matrix.size), np.diff(matrix.start))
    compared = np.where(rows == matrix.column, size, -size)
    compared_factors = factors if np.array_equal(compared, matrix.entry) else _factors(matrix, compared)
    bits = min(52, WORD - _width(matrix))
    if compared_factors is not None and bits > 0:
        times = compared_factors.solve(np.ones(matrix.size), "T")
        if np.isfinite(times).all() and times.min() > 0:
            v = np.rint(times / times.max() * 2.0**bits).astype(np.int64)
            if v.min() > 0 and np.add.reduceat(compared * v[matrix.column], matrix.start[:-1]).min() > 0:
                return True
    return nmod_mat(_dense(matrix), PRIME).rank() == matrix.size


def _radix(matrix: Matrix, factors: SuperLU) -> int:
    """Bits a step: what the condition of A leaves of a float, while the sums fit in a word. Rather too many."""
    signs = np.ones((matrix.size, 2))
    signs[::2, 1] = -1
    inverse = np.abs(factors.solve(signs, "T")).max()
    if not 0 < inverse < 2.0**DOUBLE:
        return 0
    width = _width(matrix)
    return min(DOUBLE, WORD - width) - max(0, width + int(np.ceil(np.log2(inverse))))


class _Lifting:
    """The digits of all solutions so far, and the search for the rationals behind them."""

    def __init__(self, matrix: Matrix, factors: SuperLU, shift: int, right: list[list[fmpz]]):
        self.matrix = matrix
        self.factors = (_sorted(factors.U), _sorted(factors.L))
        self.orders = (factors.perm_c, factors.perm_r)
        self.shift = shift
        self.right = right
        self.residual = np.zeros((matrix.size, len(right)), dtype=np.int64)  # of those that aren't solved yet
        self.digits: list[list[np.ndarray]] = [[] for _ in right]  # blocks [step, unknown] of each solution
        self.fraction = 0  # bits behind the point so far
        self.common = fmpz(1)  # a common denominator of all that is solved so far
        self.probe = [0] * len(right)  # the unknown that showed that more digits are needed
        self.solved: list[tuple[list[fmpz], fmpz] | None] = [None] * len(right)

    def run(self) -> list | None:
        """Numerators and denominator of each solution; None if the steps don't converge."""
        whole = max(_longest(b) for b in self.right) // self.shift + 1
        given = np.stack([lifting.digits(_words(b), self.shift, whole) for b in self.right], axis=1)
        active = list(range(len(self.right)))
        converging = self._advance(active, whole, given)
        while active and converging and self.fraction < self._enough():
            steps = 1 + max(FIRST, self.fraction // 3) // self.shift
            converging = self._advance(active, steps, given[:0, : len(active)])
            self.fraction += steps * self.shift
            for c in active if converging else []:
                self.solved[c] = self._rationals(c)
            self.residual = self.residual[:, [self.solved[c] is None for c in active]]
            active = [c for c in active if self.solved[c] is None]
        return None if active else self.solved

    def _enough(self) -> float:
        """Bits behind the point that are enough for any denominator: they divide det A, and Hadamard bounds that."""
        squares = np.add.reduceat(self.matrix.entry.astype(float) ** 2, self.matrix.start[:-1])
        return np.log2(squares).sum() + 2 * (WORD + SLACK)

    def _advance(self, active: list[int], steps: int, given: np.ndarray) -> bool:
        """Append digits to each active solution; False when the residual outgrows what rounding explains."""
        sides = len(active)
        lanes = (0,) * next(count for count in LANES if count >= sides)
        residual = np.zeros((self.matrix.size, len(lanes)), dtype=np.int64)
        residual[:, :sides] = self.residual
        digit = np.empty((steps, sides, self.matrix.size), dtype=np.int64)
        rows = (self.matrix.start, self.matrix.column, self.matrix.entry)
        limit = 8 << _width(self.matrix)
        if not lifting.lift(rows, self.factors, self.orders, self.shift, limit, given, residual, digit, lanes):
            return False
        self.residual = residual[:, :sides]
        for position, c in enumerate(active):
            self.digits[c].append(digit[:, position])
        return True

    def _rationals(self, c: int) -> tuple[list[fmpz], fmpz] | None:
        """Solution c as numerators and denominator, proven; None if it takes more digits."""
        bits, probe = self.fraction, self.probe[c]
        factor = _denominator(self.common * self._numbers(c, slice(probe, probe + 1))[0], bits)
        if factor is None:
            return None
        denominator = self.common * factor
        found: list[tuple[fmpz, fmpz]] = []
        for i, y in enumerate(self._numbers(c, slice(None))):
            nearest, near = _rounded(denominator * y, bits)
            if not near:
                factor = _denominator(denominator * y, bits)
                if factor is None:
                    self.probe[c] = i
                    return None
                denominator *= factor
                nearest, _ = _rounded(denominator * y, bits)
            found.append((nearest, denominator))
        numerators = [x if d is denominator else x * (denominator // d) for x, d in found]
        if not _solves(self.matrix, numerators, [denominator * b for b in self.right[c]]):
            return None
        self.common = denominator
        return numerators, denominator

    def _numbers(self, c: int, which: slice) -> list[fmpz]:
        """Some unknowns of solution c, times 2^fraction."""
        words = lifting.join(np.concatenate([block[:, which] for block in self.digits[c]]), self.shift)
        return [fmpz(int.from_bytes(row.tobytes(), "little", signed=True)) for row in words]


def _sorted(columns: csc_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    columns.sort_indices()
    return columns.indptr, columns.indices, columns.data


def _words(numbers: list[fmpz]) -> np.ndarray:
    length = _longest(numbers) // 64 + 1
    text = b"".join(int(value).to_bytes(8 * length, "little", signed=True) for value in numbers)
    return np.frombuffer(text, dtype="<i8").reshape(-1, length)


def _rounded(value: fmpz, bits: int) -> tuple[fmpz, bool]:
    """The integer nearest to value / 2^bits, and whether it is very near."""
    nearest = (value + (fmpz(1) << (bits - 1))) >> bits
    return nearest, abs(value - (nearest << bits)).bit_length() <= bits - SLACK


def _denominator(value: fmpz, bits: int) -> fmpz | None:
    """The d < 2^(bits/2) that makes d * value / 2^bits very nearly an integer; None if none stands out."""
    before, rest = fmpz(1) << bits, value % (fmpz(1) << bits)
    d_before, d = fmpz(0), fmpz(1)
    while rest.bit_length() > bits // 2:
        quotient, after = divmod(before, rest)
        before, rest = rest, after
        d_before, d = d, d_before + quotient * d
    return d if rest.bit_length() + d.bit_length() < bits - SLACK else None


def _solves(matrix: Matrix, x: list[fmpz], b: list[fmpz]) -> bool:
    """Whether A x = b, in long integers."""
    start, columns, entries = (array.tolist() for array in matrix)
    for i, value in enumerate(b):
        row = range(start[i], start[i + 1])
        if sum((x[columns[k]] * entries[k] for k in row), fmpz(0)) != value:
            return False
    return True
