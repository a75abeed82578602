"""Left-Center-Right as one would write it for oneself: states in a dictionary, one sparse system for every number of chips in play.

By default scipy's GMRES with a relative tolerance of 1e-7; or scipy's sparse LU (SuperLU). Two systems a stage: the expected turns,
and the chance of the seat to roll to win; those of the other seats follow by turning the table.
"""

from __future__ import annotations

import time
from math import comb

import numpy as np
from contender import Result
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import gmres, splu


def left_center_right(players: int, chips: int = 3, solver: str = "gmres", tolerance: float = 1e-7) -> Result:
    began = time.perf_counter()
    known: dict[tuple[int, ...], tuple[float, list[float]]] = {}  # chips from the seat to roll on: turns, who wins
    built, states, misses = 0.0, 0, 0.0
    for held in range(1, players * chips + 1):
        begins = time.perf_counter()
        places = [p for p in shared(held, players) if p[0] > 0]
        number = {p: i for i, p in enumerate(places)}
        rows, columns, weights, right, ends = [], [], [], np.zeros((len(places), 2)), {}
        turned = []  # (row, weight, state, seats by which it is turned): who wins depends on it
        for i, p in enumerate(places):
            if p[0] == held:
                right[i] = 0.0, 1.0
                continue
            right[i, 0] = 1.0
            for weight, q, by in turns(p):
                if q in number:
                    rows.append(i), columns.append(number[q]), weights.append(weight)
                    turned.append(by)
                else:
                    ends.setdefault(i, []).append((weight, q, by))
        n = len(places)
        matrix = csr_matrix((weights, (rows, columns)), shape=(n, n))
        for i, outcomes in ends.items():
            right[i, 0] += sum(w * known[q][0] for w, q, _ in outcomes)
        built += time.perf_counter() - begins
        length = solved(identity(n, format="csr") - matrix, right[:, 0], solver, tolerance)
        # the chances of all seats: one system over states and seats, seat j of a state being seat j - by of the next
        big_rows = np.concatenate([np.array(rows, int) * players + j for j in range(players)])
        seats = [(j - np.array(turned, int)) % players for j in range(players)]
        big_columns = np.concatenate([np.array(columns, int) * players + s for s in seats])
        big = csr_matrix((np.tile(weights, players), (big_rows, big_columns)), shape=(n * players,) * 2)
        constant = np.zeros(n * players)
        constant[::players] = right[:, 1]
        for i, outcomes in ends.items():
            for weight, q, by in outcomes:
                for j in range(players):
                    constant[i * players + j] += weight * known[q][1][(j - by) % players]
        wins = solved(identity(n * players, format="csr") - big, constant, solver, tolerance).reshape(n, players)
        for i, p in enumerate(places):
            known[p] = length[i], wins[i].tolist()
        states += n
        misses = max(misses, abs(wins.sum(axis=1) - 1).max())
    seconds = time.perf_counter() - began
    value, wins_of_start = known[(chips,) * players]
    parts = {"build": built, "sum of chances, away from 1": abs(sum(wins_of_start) - 1)}
    return {"seconds": seconds, "parts": parts, "states": states, "value": value}


def shared(total: int, parts: int):
    """All ways to share so many chips."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in shared(total - first, parts - 1):
            yield (first, *rest)


def turns(p: tuple[int, ...]):
    """What a roll of the first seat leads to: probability, chips from the next seat to roll on, seats that it is away."""
    players, dice = len(p), min(p[0], 3)
    for left in range(dice + 1):
        for right in range(dice + 1 - left):
            for center in range(dice + 1 - left - right):
                q = list(p)
                q[0] -= left + right + center
                q[1] += left
                q[-1] += right
                by = next(k for k in range(1, players + 1) if q[k % players])
                ways = comb(dice, left) * comb(dice - left, right) * comb(dice - left - right, center)
                yield (
                    ways * 3 ** (dice - left - right - center) / 6**dice,
                    (*q[by:], *q[:by]) if by < players else tuple(q),
                    by % players,
                )


def solved(matrix, right: np.ndarray, solver: str, tolerance: float) -> np.ndarray:
    if solver == "gmres":
        return gmres(matrix, right, rtol=tolerance)[0]
    return splu(matrix.tocsc()).solve(right)
