"""Solve a game stage by stage, and certify the answer by the residuals of every equation.

**Certificate.** Let v be the values that were computed, for every state of every stage, and eps_j the largest amount by which
v_j misses its equation

    v_j(s) = sum over outcomes of p (payoff_j + v_j(next state)),        v_j(s) = payoff_j(s) where play is over.

Let g >= 0 be computed likewise for the payoff 1 an outcome, the mean number of moves. It misses its equation by at most
eps_g < 1, so that g(s) >= 1 - eps_g + sum of p g(next): play ends for sure, and the errors that a play meets on its way add up
to the mean

    |v_j(s) - true value| <= eps_j g(s) / (1 - eps_g).

Where tables are turned, eps_j is the largest of the payoffs that take values from one another.

Rounding: an equation has m outcomes at most; it is computed as a sum of products with non-negative weights, whole numbers
being added without rounding. So the computed residual is wrong by at most

    gamma_K (P_j + V_j),    K = m + 4, or 3 m + 4 if ways or payoffs are not whole,    gamma_K = K u / (1 - K u),   u = 2^-53,

P_j and V_j being the largest absolute payoff of a state and value (Higham 2002, section 3.1).

The length T of a play has E T^2 = sum of p E T'^2 + 2 E T - 1, T' being the length after a move: one more system with the same
matrix, bounded in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.errors import NoValue, RulesError
from zermelo.game import Rules
from zermelo.kernels import status
from zermelo.kernels.sweeps import System, residuals
from zermelo.link import StagedRules
from zermelo.progress import Progress
from zermelo.solution import Found, Length, Solution
from zermelo.solvers.sweeping import settle
from zermelo.stages.equations import Equations, Stage, memory_for
from zermelo.stages.spaces import Stages, check_laws, stages_of
from zermelo.stopwatch import Stopwatch

UNIT = 2.0**-53
AGREEING = 30  # states at which values are compared with the rules run in Python
ARGUMENT = (
    "the stages solved one after the other, the last one first; what every equation is missed by, rounding included, "
    "times the mean number of moves"
)


def solve_stages(rules: Rules, sample: Sequence[Any], max_states: int, progress: Progress) -> Solution:
    """The values of all states of all stages, certified. `sample`: states at which the game's claims are checked."""
    with Stopwatch() as reading:
        stages = stages_of(rules, max_states)
        check_laws(stages, sample)
        memory_for(stages, len(rules.payoffs) + 1, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        native = StagedRules(rules, stages.layout)
    with Stopwatch() as solving:
        found = _Sweep(stages, native, len(rules.payoffs), progress)
        if not found.run():  # the first payoff does not count the moves: count them beside the payoffs
            found = _Sweep(stages, native, len(rules.payoffs) + 1, progress)
            found.run()
        _check_agreement(stages, found.values)
    statistics = {
        "states": stages.num_states,
        "stages": len(stages.spaces),
        "largest_stage": max(space.size for space in stages.spaces),
        "entries": found.entries,
        "sweeps": found.sweeps,
        "length": found.length()._asdict(),
        "solver": "Stages",
        "seconds compiling": reading.compiling + solving.compiling,
        "seconds numbering": reading.seconds,
        "seconds solving": solving.seconds,
    }
    return Solution(rules, stages.layout, found.result(), 1.0, statistics)


class Multiples:
    """The array column[:, None] * factors, float64[n, factors], of which nothing is in memory but the two."""

    def __init__(self, column: np.ndarray, factors: np.ndarray):
        self.column, self.factors = column, factors

    def __getitem__(self, key: Any) -> Any:
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        return np.multiply.outer(self.column[rows], self.factors[columns])

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype)


class _Sweep:
    """One pass over the stages with so many payoffs; the last one counts the moves, or the first does."""

    def __init__(self, stages: Stages, native: StagedRules, payoffs: int, progress: Progress):
        self.stages, self.progress = stages, progress
        self.moves = 0 if payoffs == len(stages.rules.payoffs) else payoffs - 1
        self.values, self.squares = np.zeros((stages.num_states, payoffs)), np.zeros(stages.num_states)
        self.equations = Equations(stages, native, self.values, self.squares)
        self.missed, self.square_missed = np.zeros(payoffs), 0.0  # the largest residuals
        self.square_paid = 0.0  # what the equations of the squares have from the means, at most
        self.largest = np.zeros(payoffs)  # the largest absolute values
        self.entries, self.sweeps = 0, 0

    def run(self) -> bool:
        """Fill in the values; False if the payoff that should count the moves does not."""
        done, total = 0, self.stages.num_states
        for stage in reversed(range(len(self.stages.spaces))):
            if self.stages.states_of(stage):
                equations = self.equations.of(stage)
                if self.moves == 0 and self.equations.counts[status.NOT_UNIT]:
                    return False
                self._solve(stage, equations)
                done += self.stages.states_of(stage)
                self.progress("solving", done, total)
        return True

    def _solve(self, stage: int, equations: Stage) -> None:
        offset, system = self.stages.offset, equations.system
        x = self.values[offset[stage] : offset[stage + 1]]
        squares = self.squares[offset[stage] : offset[stage + 1]].reshape(-1, 1)
        sweeps = settle(system, x)
        if sweeps >= 0:
            by_itself = _squares_of(equations, x[:, self.moves])
            squared = settle(by_itself, squares)
            sweeps = -1 if squared < 0 else sweeps
        missed, square_missed = np.empty(x.shape[1]), np.empty(1)
        least = residuals(*system, x, missed)
        if sweeps < 0 or not np.isfinite(missed).all() or least[self.moves] < 0 or missed[self.moves] > 0.5:
            raise NoValue(
                f"{self.stages.rules.name}: the equations of stage {stage + self.stages.first} can't be solved; does play "
                f"end for sure from every state of `space({stage + self.stages.first})`?"
            )
        residuals(*by_itself, squares, square_missed)
        self.missed = np.maximum(self.missed, missed)
        self.largest = np.maximum(self.largest, np.abs(x).max(axis=0))
        self.square_missed = max(self.square_missed, float(square_missed[0]))
        self.square_paid = max(self.square_paid, float((2.0 * equations.scale * x[:, self.moves]).max()))
        self.entries += len(system.to)
        self.sweeps += sweeps

    def _gamma(self) -> float:
        whole = not self.equations.counts[status.NOT_WHOLE]
        roundings = (1 if whole else 3) * int(self.equations.counts[status.MOST_OUTCOMES]) + 4
        return roundings * UNIT / (1 - roundings * UNIT)

    def factors(self) -> np.ndarray:
        """float64[payoffs]: the error of a payoff is so many times the mean number of moves."""
        group = self.equations.group
        missed = self.missed + self._gamma() * (self.largest + self.equations.most_paid)
        worst = np.zeros(group.max() + 1)
        np.maximum.at(worst, group, missed)
        return worst[group] / (1 - missed[self.moves]) * (1 + 16 * UNIT)

    def result(self) -> Found:
        stage, rank, turns = self.stages.place_of(self.stages.rules.start)
        payoffs, moves = len(self.stages.rules.payoffs), self.values[:, self.moves]
        return Found(
            self.stages.keys(), self.values[:, :payoffs], Multiples(moves, self.factors()[:payoffs]),
            np.where(moves > 0, 0, -1).astype(np.int32), None, None, int(self.stages.offset[stage]) + rank, ARGUMENT, turns,
        )  # fmt: skip

    def length(self) -> Length:
        """How long a play from the start takes."""
        stage, rank, _ = self.stages.place_of(self.stages.rules.start)
        number, factor = int(self.stages.offset[stage]) + rank, float(self.factors()[self.moves])
        mean, square = float(self.values[number, self.moves]), float(self.squares[number])
        missed = (
            self.square_missed + 2 * self._gamma() * (self.squares.max() + self.square_paid) + factor * self.square_paid
        )
        square_error = missed * mean / (1 - factor) * (1 + 16 * UNIT)
        error = square_error + (2 * mean + factor * mean) * factor * mean + 4 * UNIT * square
        variance = square - mean * mean
        return Length(mean, variance, max(variance - error, 0.0), variance + error)


def _squares_of(equations: Stage, moves: np.ndarray) -> System:
    """The system of the mean squares of the length: E T^2 = sum of p E (1 + T')^2 = sum of p E T'^2 + 2 E T - 1."""
    system = equations.system
    right = equations.square + equations.scale * (2.0 * moves - 1.0)
    columns = np.zeros((len(system.columns), 1), np.int64)
    return system._replace(columns=columns, group=np.zeros(1, np.int64), right=right.reshape(-1, 1))


def _check_agreement(stages: Stages, values: np.ndarray) -> None:
    """Raise `RulesError` if values do not satisfy the equations that the rules give when run in Python."""
    rules, dice = stages.rules, np.random.default_rng(0)
    close = 1e-9 * np.maximum(1.0, np.abs(values).max(axis=0))
    for number in np.unique(dice.integers(0, stages.num_states, AGREEING)):
        stage = int(np.searchsorted(stages.offset, number, side="right")) - 1
        state = stages.state(stage, int(number - stages.offset[stage]))
        outcomes = [o for o in rules.outcomes(state, None) if o.ways]
        for j in range(len(rules.payoffs)):
            if outcomes:
                total = sum(o.ways for o in outcomes)
                said = sum(o.ways * (o.payoff[j] + _value(stages, values, o.state, j)) for o in outcomes) / total
            else:
                said = rules.payoff(state)[j]
            if abs(float(said) - values[number, j]) > close[j]:
                why = "was the file edited after it was imported? do whole numbers grow beyond 2^63?"
                raise RulesError(
                    rules.name, [f"at {rules.show(state)}: compiled rules must say what they say in Python ({why})"]
                )


def _value(stages: Stages, values: np.ndarray, state: Any, payoff: int) -> float:
    stage, rank, turns = stages.place_of(state)
    return float(values[stages.offset[stage] + rank, stages.rules.payoff_after(payoff, turns)])
