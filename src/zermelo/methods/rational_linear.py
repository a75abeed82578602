"""Exact solution over the rationals of sparse square systems A x = b with several right-hand sides.

The systems are those of one component of a chain, (I - P) x = r: up to some hundred thousand unknowns, and r thousands of
digits long because it holds the values of components solved before.

Method: lifting, as in Dixon (1982) modulo the powers of a prime, but from the most significant end, with a float64
sparse LU of A in the place of the inverse modulo p (Wan 2006; Saunders, Wood and Youse 2011). Each step shifts the
residual by `shift` bits, appends the next bits of b, rounds inverse(A) residual to an integer digit, and subtracts
A digit exactly in int64. The condition of A determines how many bits a step yields: 40 where play leaves the component
within a hundred turns; a prime leaves room for 26 bits if a thousand products are to fit in a word. Radix 2 also makes it
free to cut b into digits and to join those of x.

So x is known to K bits behind the point. Its denominator d divides det A, and b's is set aside. Euclid's algorithm on
2^K and the fraction, stopped half-way, finds d once K exceeds twice its length (Wang 1981; here the modulus is a power
of 2). The length is not known beforehand, so K grows by a third until d is found; Hadamard's bound on det A ends the
search. d x is an integer vector N, rounded from the digits.

Proof: A N = d b is checked in long integers, and the invertibility of A in machine integers (`_regular`). No float is
trusted. Where floats fail (condition over 2^45), the system is lifted modulo the powers of a prime (`modular_linear.py`), or, while it
is small, FLINT solves it as a dense system.

Cost: (bits of b + 2 to 2.7 times the bits of d) / shift steps of one sparse substitution each. d has at most
log2 |det A| bits, some 6 per unknown with dice. There is then a product of N's and d's lengths for each unknown, and a short one
for each entry of A. Euclid is quadratic, which does not matter below 10^5 bits. Left-Center-Right, four players, twelve
chips: 1452 unknowns, 12 708 entries, 258 000 in the LU, 5 sides, b of 14 000, d of 7 800 bits: 784 steps of 0.6 ms,
0.8 s in all; the components from 2 to 12 chips, 5460 states, take 3 s. A second thread would not help:
three quarters of that time go to long integers.

J. D. Dixon, Exact solution of linear equations using p-adic expansions, Numer. Math. 40 (1982) 137-141.
P. S. Wang, A p-adic algorithm for univariate partial fractions, SYMSAC 1981, 212-217.
Z. Wan, An algorithm to solve integer linear systems exactly using numerical methods, J. Symb. Comp. 41 (2006) 621-632.
B. D. Saunders, D. H. Wood, B. S. Youse, Numeric-symbolic exact rational linear system solver, ISSAC 2011, 305-312.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat
from scipy.sparse import csc_matrix
from scipy.sparse.csgraph import structural_rank
from scipy.sparse.linalg import SuperLU, splu

from zermelo.basics.machine import require
from zermelo.basics.progress import Progress, silent
from zermelo.errors import OutOfReach
from zermelo.kernels import lifting
from zermelo.methods.factors import ask_for_factors
from zermelo.methods.modular_linear import solve_modulo
from zermelo.methods.rational_matrix import Column, Matrix, longest, merged, scipy, width
from zermelo.methods.rational_search import WORD, Search

SMALL = 12  # unknowns: up to here FLINT's elimination is faster than the lifting
MEDIUM, SHORT = 40, 256  # unknowns, bits: likewise while both numbers are small
DENSE = 200  # unknowns: up to here, FLINT takes no more than a moment for systems that floats cannot solve
GUESSED = 400  # unknowns: the same for solutions that are guesses: with long numbers 1 s, with twice as many unknowns 11
LARGE = 5000  # unknowns: beyond, a dense matrix takes gigabytes
ASKED = 3000  # unknowns: beyond, the memory for the factors is checked
WITHOUT_ASKING = 1 << 20  # bytes that are taken without looking at the free memory, which takes a millisecond
LANES = (1, 4, 8)  # right-hand sides lifted at a time; a compilation for each number
DOUBLE = 49  # bits of a float64, four given up to the rounding errors of the factors
PRIME = 2**61 - 1


class SingularMatrix(ArithmeticError):
    """The matrix has no inverse, so the system has no solution or many."""


def solve(matrix: Matrix, right: Sequence[Column], progress: Progress = silent) -> list[Column]:
    """x with A x = b for each b of `right`, exact and checked in integers. Raises `SingularMatrix`, and `OutOfReach` if that takes more
    memory than there is. `progress` gets the number of known bits of the solution, and the maximum number."""
    if not matrix.size or not right:
        return [Column([], fmpz(1)) for _ in right]
    bits = max(longest(b.numerator) for b in right)
    if matrix.size <= SMALL or (matrix.size <= MEDIUM and bits <= SHORT) or not _is_narrow(matrix):
        return _eliminate(matrix, right)
    matrix = merged(matrix)
    return _lift(matrix, right, progress) or _lift_modulo(matrix, right, progress) or _eliminate(matrix, right)


def some_solution(matrix: Matrix, right: Sequence[Column]) -> list[Column] | None:
    """x with A x = b for each b of `right`, exact and checked in integers; None if it is not found. Whether A has an inverse is
    not checked, and its diagonal is arbitrary. This is for systems whose solution is a guess that is checked in another way."""
    if not matrix.size:
        return None
    found = _lifted_as_it_is(merged(matrix), right) if _is_narrow(matrix) else None
    if found is None and matrix.size <= GUESSED:
        with suppress(SingularMatrix, OutOfReach):
            return _eliminate(matrix, right)
    return found


def _lifted_as_it_is(matrix: Matrix, right: Sequence[Column]) -> list[Column] | None:
    """Lifted, without a proof that A has an inverse; None if floats do not find it."""
    transposed = _transposed(matrix, matrix.entry)
    if transposed is None:
        return None
    try:
        factors = splu(transposed)
    except RuntimeError:  # a pivot is zero
        return None
    found = []
    for b in right:  # one at a time, as lifting several together would need another compilation
        solved = _lifted(matrix, factors, [b])
        if solved is None:
            return None
        found += solved
    return found


def _is_narrow(matrix: Matrix) -> bool:
    """Whether sums of |entries| in a row are within `WORD` bits: beyond, machine integers would wrap silently."""
    return matrix.entry.dtype != object and width(matrix) <= WORD


def _lowest_terms(numerator: list[fmpz], denominator: fmpz) -> Column:
    common = denominator
    for value in numerator:
        if common == 1:
            return Column(numerator, denominator)
        common = common.gcd(value)
    return Column([value // common for value in numerator], denominator // common)


# small systems, and those beyond float64


def _room_for_elimination(matrix: Matrix, right: Sequence[Column]) -> None:
    """Raise `OutOfReach` if the dense matrix, its copies and the solutions do not fit into memory: FLINT would end the process. By
    Cramer's rule and Hadamard's bound a solution is as long as the rows of A and b are together."""
    row = np.repeat(np.arange(matrix.size), np.diff(matrix.start))
    length = np.frexp(matrix.entry)[1] if matrix.entry.dtype != object else np.array([abs(e).bit_length() for e in matrix.entry.tolist()])
    squares = np.bincount(row, weights=2.0 * length, minlength=matrix.size).tolist()
    bits = sum(squares) / 2 + max(longest(b.numerator) for b in right)
    needed = 32.0 * matrix.size**2 + 3 * matrix.size * len(right) * bits / 8
    if needed > WITHOUT_ASKING:
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
            f"an exact solution would need a dense linear system with {n:,} unknowns (at most {LARGE:,}), because the denominators of "
            "probabilities are too long for a sparse one; leave out exact=True for a certified interval"
        )
    start, columns, entries = (array.tolist() for array in matrix)
    dense = [0] * (n * n)
    for i in range(n):
        for k in range(start[i], start[i + 1]):
            dense[i * n + columns[k]] += entries[k]
    return fmpz_mat(n, n, dense)


# lifting


def _lift(matrix: Matrix, right: Sequence[Column], progress: Progress = silent) -> list[Column] | None:
    """None if A is so close to a singular matrix that floats do not find the solution, or is not known to be regular."""
    factors = _factors(matrix, matrix.entry)
    return _lifted(matrix, factors, right, progress) if factors is not None and _regular(matrix, factors) else None


def _lift_modulo(matrix: Matrix, right: Sequence[Column], progress: Progress) -> list[Column] | None:
    """None if the system is small, or cannot be solved in this way."""
    if matrix.size <= DENSE:
        return None
    solved = solve_modulo(matrix, [b.numerator for b in right], progress)
    return None if solved is None else [_lowest_terms(x, d * b.denominator) for (x, d), b in zip(solved, right, strict=True)]


def _lifted(matrix: Matrix, factors: SuperLU, right: Sequence[Column], progress: Progress = silent) -> list[Column] | None:
    """The same with these factors; None if their rounding errors are too large."""
    shift = _radix(matrix, factors)
    result: list[Column] = []
    for first in range(0, len(right), LANES[-1]):
        group = right[first : first + LANES[-1]]
        solved = None
        while solved is None and shift >= 4:
            solved = _Lifting(matrix, factors, shift, [b.numerator for b in group], progress).run()
            shift -= 0 if solved else 6
        if solved is None:
            return None
        result += [_lowest_terms(x, d * b.denominator) for (x, d), b in zip(solved, group, strict=True)]
    return result


def _factors(matrix: Matrix, entry: np.ndarray) -> SuperLU | None:
    """The factors of the transposed matrix, so that the columns that SuperLU stores are the rows that substitution reads.

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
    """The matrix in floats, ready to be factorised; None if it is structurally singular, on which SuperLU may crash. Raises `OutOfReach`
    if there is no memory for the factors (estimated from a good order of pivots on the diagonal, so it is about right)."""
    transposed = scipy(matrix, entry.astype(float)).T
    if structural_rank(transposed) < matrix.size:
        return None
    if matrix.size > ASKED:
        ask_for_factors(transposed.tocsr())
    return transposed


def _regular(matrix: Matrix, factors: SuperLU) -> bool:
    """Whether A is proven to have an inverse: by a diagonal that dominates after scaling; modulo a prime, if it is small.

    It has one if |a_ii| v_i > sum of |a_ij| v_j over j != i in every row for some v > 0. In I - P the expected times
    until play leaves the component are such a v, also if some outcomes count negated. Rounded, v proves itself.
    """
    size = np.abs(matrix.entry)
    rows = np.repeat(np.arange(matrix.size), np.diff(matrix.start))
    compared = np.where(rows == matrix.column, size, -size)
    compared_factors = factors if np.array_equal(compared, matrix.entry) else _factors(matrix, compared)
    bits = min(52, WORD - width(matrix))
    if compared_factors is not None and bits > 0:
        times = compared_factors.solve(np.ones(matrix.size), "T")
        if np.isfinite(times).all() and times.min() > 0:
            v = np.rint(times / times.max() * 2.0**bits).astype(np.int64)
            if v.min() > 0 and np.add.reduceat(compared * v[matrix.column], matrix.start[:-1]).min() > 0:
                return True
    return matrix.size <= DENSE and bool(nmod_mat(_dense(matrix), PRIME).rank() == matrix.size)


def _radix(matrix: Matrix, factors: SuperLU) -> int:
    """Bits per step: those of a float that the condition of A leaves, while the sums fit in a word. An estimate on the high side."""
    signs = np.ones((matrix.size, 2))
    signs[::2, 1] = -1
    inverse = np.abs(factors.solve(signs, "T")).max()
    if not 0 < inverse < 2.0**DOUBLE:
        return 0
    bits = width(matrix)
    return min(DOUBLE, WORD - bits) - max(0, bits + int(np.ceil(np.log2(inverse))))


class _Lifting(Search):
    """Digits in the radix 2^shift, most significant first: y / 2^fraction is x, rounded."""

    def __init__(self, matrix: Matrix, factors: SuperLU, shift: int, right: list[list[fmpz]], progress: Progress):
        super().__init__(matrix, shift, right, progress)
        self.factors = (_sorted(factors.U), _sorted(factors.L))
        self.orders = (factors.perm_c, factors.perm_r)

    def _given(self, whole: int) -> np.ndarray:
        return np.stack([lifting.digits(_words(b), self.shift, whole) for b in self.right], axis=1)

    def _advance(self, active: list[int], steps: int, given: np.ndarray) -> bool:
        """Append digits to each active solution; False if the residual outgrows what rounding explains."""
        sides = len(active)
        lanes = (0,) * next(count for count in LANES if count >= sides)
        residual = np.zeros((self.matrix.size, len(lanes)), dtype=np.int64)
        residual[:, :sides] = self.residual
        digit = np.empty((steps, sides, self.matrix.size), dtype=np.int64)
        rows = (self.matrix.start, self.matrix.column, self.matrix.entry)
        limit = 8 << width(self.matrix)
        if not lifting.lift(rows, self.factors, self.orders, self.shift, limit, given, residual, digit, lanes):
            return False
        self.residual = residual[:, :sides]
        for position, c in enumerate(active):
            self.digits[c].append(digit[:, position])
        return True

    def _numbers(self, c: int, which: slice) -> list[fmpz]:
        """Some unknowns of solution c, times 2^fraction."""
        words = lifting.join(np.concatenate([block[:, which] for block in self.digits[c]]), self.shift)
        return [fmpz(int.from_bytes(row.tobytes(), "little", signed=True)) for row in words]

    def _modulus(self) -> fmpz:
        return fmpz(1) << self.fraction

    def _part(self, quotient: fmpz, rest: fmpz) -> fmpz:
        return quotient


def _sorted(columns: csc_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    columns.sort_indices()
    return columns.indptr, columns.indices, columns.data


def _words(numbers: list[fmpz]) -> np.ndarray:
    length = longest(numbers) // 64 + 1
    text = b"".join(int(value).to_bytes(8 * length, "little", signed=True) for value in numbers)
    return np.frombuffer(text, dtype="<i8").reshape(-1, length)
