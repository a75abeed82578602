"""The three iterative programs of Vilches (2022) for Pig to exactly 75, and why they converge.

With own score i, opponent's score j and turn total k, P(i, j, k) is the probability that the player to move wins. Only
P(i, j, 0) and P(j, i, 0) depend on each other in a cycle; each program starts with the guess `start` for both, and iterates
until they converge.

One turn is a function: f_ij(x) is what the best turn of a player with i against j is worth if P(j, i, 0) = x, that is, if a turn
that fails is worth 1 - x. A way to play the turn that fails with probability q is worth a + q (1 - x) with some a, and f_ij is the
largest of these: convex, never increasing, and its slope at x is -q of the best turn there. P(i, j, 0) is the fixed point of
f_ij(f_ji(x)), whose slope is the product of two such probabilities. So an error shrinks by that product every two rounds, from
any start near enough; `failing` computes it. docs/pig-75.md has the full account.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from zermelo.kernels import exact_pig as kernels

GOAL = 75
TIE = 1e-9  # the smallest difference between holding and rolling that is not 0 is 3e-8


class Method(NamedTuple):
    """One of the programs, with the rounds and the start that it is printed with."""

    name: str
    rounds: int
    start: float
    short_array: bool = False  # P(i, j, k) is kept where there is no place for k = goal: only "pair by pair"

    @property
    def title(self) -> str:
        return f"{self.name}, array too short" if self.short_array else self.name


METHODS = (
    Method("pair by pair", 41, 0.5),  # p_approximate: every pair of scores goes round by itself
    Method("round by round", 38, 0.5),  # a round number is a part of the state
    Method("in place", 35, 0.0),  # all values are overwritten, 35 times
)

SHORT_ARRAY = METHODS[0]._replace(short_array=True)
PUBLISHED = (SHORT_ARRAY, METHODS[1]._replace(rounds=35), METHODS[2])  # the programs that the post links to
FORTY_ROUNDS = METHODS[0]._replace(rounds=40)  # the first of them as it was until the day before the post


class Decided(NamedTuple):
    """What a method finds: P(i, j, 0), and the decision in every position that the contest asks for."""

    first: np.ndarray  # float64[goal, goal]
    hold: np.ndarray  # float64[goal, goal, goal + 1]: the value of holding at turn totals 1 ... goal - i; NaN elsewhere
    roll: np.ndarray  # the same of rolling

    @property
    def holds(self) -> np.ndarray:
        """bool[goal, goal, goal + 1]: where holding is worth more than rolling."""
        return self.hold > self.roll

    @property
    def asked(self) -> np.ndarray:
        """The positions of the contest: no turn total is 1."""
        return ~np.isnan(self.hold) & (np.arange(self.hold.shape[2]) > 1)

    @property
    def ties(self) -> np.ndarray:
        """bool[goal, goal, goal + 1]: the positions of the contest in which holding and rolling are worth the same, to rounding."""
        return self.asked & (np.abs(self.hold - self.roll) <= TIE)


@lru_cache(maxsize=8)
def decided(method: Method, goal: int = GOAL) -> Decided:
    """Run a method. Its arrays are read-only, since they are remembered."""
    found = _run(method, goal)
    for array in found:
        array.flags.writeable = False
    return found


def _run(method: Method, goal: int) -> Decided:
    if method.name == "pair by pair":
        first = kernels.pair_by_pair(goal, method.rounds, method.start)
        found = Decided(first[:goal, :goal], *kernels.decisions(goal, first))
        return _from_a_short_array(found, goal) if method.short_array else found
    if method.name == "round by round":
        first, before = kernels.round_by_round(goal, method.rounds, method.start)
        return Decided(first[:goal, :goal], *kernels.decisions(goal, before))
    values = kernels.in_place(goal, method.rounds, method.start)
    return Decided(values[:goal, :goal, 0], *kernels.decisions_of_all(goal, values))


def _from_a_short_array(found: Decided, goal: int) -> Decided:
    """The same decisions where P(i, j, k) is kept in float64[goal, goal, goal], row by row: P(0, j, goal) is read from the place of
    P(0, j + 1, 0), and P(0, goal - 1, goal) from that of P(1, 0, 0). It is known by then, since it is asked for first."""
    first, hold, roll = found.first, found.hold, found.roll.copy()
    failed = 1.0 - first[:, 0]
    value = np.empty((goal, goal + 1))
    value[:, goal] = np.append(first[0, 1:], first[1, 0])
    for k in range(goal - 1, 0, -1):
        worth = failed
        for face in range(2, 7):
            worth = worth + (value[:, k + face] if k + face <= goal else failed)
        roll[0, :, k] = worth / 6
        value[:, k] = np.maximum(hold[0, :, k], roll[0, :, k])
    return Decided(first, hold, roll)


def known(first: np.ndarray) -> Decided:
    """The decisions that follow from the true P(i, j, 0), float64[goal, goal]."""
    return Decided(first, *kernels.decisions(len(first), first))


def differs(found: Decided, exact: Decided) -> np.ndarray:
    """bool[goal, goal, goal + 1]: where decisions differ. The exact answer to a tie is to roll."""
    return exact.asked & (found.holds != (exact.hold - exact.roll > TIE))


def differing(found: Decided, exact: Decided) -> tuple[int, int]:
    """How many decisions differ, and how many of these are ties, where either decision is right."""
    wrong = differs(found, exact)
    return int(wrong.sum()), int((wrong & exact.ties).sum())


def failing(first: np.ndarray) -> np.ndarray:
    """float64[goal, goal]: the probability that a best turn fails, from the true P(i, j, 0). Times that of the opponent's next turn
    it is the factor by which the error of P(i, j, 0) shrinks every two rounds."""
    return kernels.failing(len(first), first)


def largest_error(found: Decided, first: np.ndarray) -> float:
    """The largest error of P(i, j, 0) where both players can still win. With goal - 1 points nobody can: a 1 ends the turn."""
    return float(np.abs(found.first - first)[:-1, :-1].max(initial=0.0))
