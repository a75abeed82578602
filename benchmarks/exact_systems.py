"""How long exact linear systems take in which all unknowns depend on one another.

    python benchmarks/exact_systems.py track 3000

random : six successors at random, one of which may be the end
grid   : the four neighbours in a square, with weights 1 and 2; beyond the edge is the end
track  : a die leads one to six squares on, and each of these with probability 1/10 back to an earlier one instead: play is so long that
         floats can't solve it
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import time

from zermelo.methods.rational_linear import solve
from zermelo.methods.rational_matrix import Matrix, column, matrix_of

Row = dict[int, int]


def random_rows(n: int, pick: random.Random) -> list[Row]:
    return [_row(i, [pick.randrange(n + 1) for _ in range(6)], n) for i in range(n)]


def track(n: int, pick: random.Random) -> list[Row]:
    return [_row(i, [pick.randrange(i + 1) if pick.random() < 0.1 else i + d for d in range(1, 7)], n) for i in range(n)]


def _row(i: int, following: list[int], n: int) -> Row:
    row = {i: 6}
    for j in following:
        if j < n:
            row[j] = row.get(j, 0) - 1
    return row


def grid(n: int, pick: random.Random) -> list[Row]:
    side, rows = math.isqrt(n), []
    for x in range(side):
        for y in range(side):
            weights = {near: pick.randrange(1, 3) for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))}
            inside = {a * side + b: -w for (a, b), w in weights.items() if 0 <= a < side and 0 <= b < side}
            rows.append({x * side + y: sum(weights.values()), **inside})
    return rows


KINDS = {"random": random_rows, "grid": grid, "track": track}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("unknowns", type=int)
    given = parser.parse_args()
    matrix: Matrix = matrix_of(KINDS[given.kind](given.unknowns, random.Random(1)))
    began = time.process_time()
    (found,) = solve(matrix, [column([1] * matrix.size)])
    took, most = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{given.kind} {matrix.size:,}: {took:.1f} processor seconds, {most:.1f} GiB, {found.denominator.bit_length():,} bits")


if __name__ == "__main__":
    main()
