"""Swept urns: the length and winnings of play to the stopping line, computed for all plays at once (kernels/urn_flow.py).

Play follows `frontier`, as in `simulate`: it stops at the line, also where drawing is worth as much. Stopping is an action.
The little probability that is cut off at the ends of the window, or goes where the line is not known, is counted in the tail.

**What rounding can do.** With u = 2^-53 a weight i/m is computed as i times 1/m, with a relative error of 2u; product and sum cost one u
each. All numbers are positive, so after t draws the relative error of a probability is at most gamma_{4t}, and totals
are added up as in distribution.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

import numpy as np

from zermelo.answers.base import Answers, StoppingLine
from zermelo.answers.known import Length
from zermelo.answers.swept import Frontier, UrnAnswers
from zermelo.basics.machine import memory as machine_memory
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import counted
from zermelo.engines.base import Request
from zermelo.engines.urn.engine import UrnEngine
from zermelo.errors import OutOfReach
from zermelo.kernels import urn_flow as kernel
from zermelo.uses.probabilities import Distribution, subject
from zermelo.uses.probe import known_start

UNIT = 2.0**-53
DRAWS = 1 << 12  # between two checks for Ctrl-C and for room in the window
TAIL = 1e-12  # of plays that the mean and variance of their length leave out
WIDER = 2.0  # standard deviations by which a sweep's window grows if the line is not known far enough
MOST_WIDENED = 3
MOST_WHOLE = 10**10  # states of an urn that can be processed without a tail


class Flow:
    """All plays at once, from the full urn on."""

    def __init__(self, answers: UrnAnswers, frontier: Frontier, tail: float):
        plus, minus = answers.swept.plus, answers.swept.minus
        self.balls, self.ahead = plus + minus, minus - plus
        self.tail, self.reach, self.known = tail, frontier.reach, frontier.known
        self.stops_at_once = self.balls == 0 or known_start(answers).values[0] == 0
        self.cells = np.zeros(4 * DRAWS)
        self.carried = np.zeros(kernel.CARRIED, np.int64)
        self.carried[[kernel.LEFT, kernel.LOW, kernel.WIDTH, kernel.AHEAD]] = self.balls, plus, 1, len(self.reach)
        self.carried[kernel.FIRST] = first = len(self.cells) - 2
        self.cells[first] = 1.0
        self.totals = np.zeros((2, max(len(self.reach), self.ahead) + 3))  # by how far ahead play stops
        self.lost = np.zeros(2)
        self.steps = 0

    @property
    def is_lost(self) -> bool:
        """Whether more than half the tail has reached places where the line is not known."""
        return bool(self.lost[kernel.UNKNOWN] > self.tail / 2)

    def parts(self, progress: Progress) -> Iterator[tuple[int, np.ndarray]]:
        """(k, probabilities of plays of k, k + 1, ... actions), part by part."""
        if self.stops_at_once:
            self.steps = int(self.balls > 0)
            yield self.steps, np.ones(1)
            return
        allowed = 0.25 * self.tail * kernel.OFTEN / self.balls
        while self.carried[kernel.LEFT] > 0 and self.carried[kernel.WIDTH] > 0 and not self.is_lost:
            self._make_room()
            ended, drawn = np.zeros(DRAWS), self.balls - int(self.carried[kernel.LEFT])
            steps = kernel.flow(
                self.cells, self.carried, self.balls, self.reach, self.known, allowed, self.totals, ended, self.lost
            )
            self.steps = drawn + steps
            progress("following all plays", self.steps, self.balls)
            if self.steps < self.balls:
                yield drawn + 2, ended[:steps]
            else:
                yield drawn + 2, ended[: steps - 1]
                yield self.balls, ended[steps - 1 : steps]  # drawing the last ball takes as many moves as leaving it

    def _make_room(self) -> None:
        width, first = int(self.carried[kernel.WIDTH]), int(self.carried[kernel.FIRST])
        if width + 2 * DRAWS + 4 > len(self.cells):
            wider = np.zeros(2 * len(self.cells))
            self.carried[kernel.FIRST] = len(wider) - 1 - width
            wider[-1 - width : -1] = self.cells[first : first + width]
            self.cells = wider

    @property
    def won(self) -> np.ndarray:
        """The probabilities of the winnings beyond the sum of all balls."""
        if self.stops_at_once:
            return (np.arange(self.ahead + 1) == self.ahead).astype(float)
        return self.totals.sum(axis=0)

    @property
    def rounding(self) -> float:
        """The relative error of each probability, at most."""
        roundings = 4 * self.steps + int(self.carried[kernel.ADDED]) + 4
        r = roundings * UNIT / (1 - roundings * UNIT) + 1.1 * (int(self.carried[kernel.ADDITIONS]) * UNIT) ** 2
        return r / (1 - r) * (1 + 1e-9)

    @property
    def missing(self) -> float:
        """The most probability that is missing."""
        return float(self.lost.sum()) * (1 + 2 * self.rounding + 2 * self.steps * UNIT)

    def followed(self, of: str, probabilities: np.ndarray, first: int, missing_from: float) -> Distribution:
        """These probabilities, of `first` and the next values; the missing values are at least `missing_from`."""
        at = np.flatnonzero(probabilities > 0)
        least = missing_from if self.missing else math.inf
        return Distribution(of, at + first, probabilities[at], self.missing, least, 0.0, self.rounding, self.steps)

    @property
    def missing_from(self) -> int:
        """The least number of actions of the missing plays."""
        return int(self.carried[kernel.CUT_FROM]) if not self.lost[kernel.UNKNOWN] else 1


def frontier(answers: Answers) -> Frontier:
    """The stopping line. An urn small enough that all its states were stored is swept for it. Raises `OutOfReach`."""
    why = answers.lacks(StoppingLine)
    if why is not None:
        if not answers.rules.urn_states or answers.discount != 1:
            raise OutOfReach(f"the stopping line {why}")
        answers = UrnEngine().solve(Request(answers.rules.game))
    return cast(UrnAnswers, answers).frontier


def distribution_of_urn(
    answers: Answers, payoff: str | None, tail: float, max_steps: int | None, progress: Progress
) -> Distribution:
    """The probability of every length of a play to the line (stopping is a move), or of all its possible winnings."""
    urn, of = cast(UrnAnswers, answers), subject(answers.rules, payoff)
    return _lengths(urn, of, tail, max_steps, progress) if payoff is None else _totals(urn, of, tail, max_steps, progress)


def _lengths(urn: UrnAnswers, of: str, tail: float, max_steps: int | None, progress: Progress) -> Distribution:
    balls = urn.swept.plus + urn.swept.minus
    if 32 * balls > machine_memory():
        raise OutOfReach(
            f"{urn.rules.name}: the probabilities of {balls:,} lengths take more than half of the memory; `length` has mean and variance"
        )
    _check_steps(urn, tail, max_steps)
    for flow in _flows(urn, tail):
        found = np.zeros(balls + 1)
        for begin, part in flow.parts(progress):
            found[begin : begin + len(part)] += part
        if not flow.is_lost:
            break
    return flow.followed(of, found, 0, float(flow.missing_from))


def _totals(urn: UrnAnswers, of: str, tail: float, max_steps: int | None, progress: Progress) -> Distribution:
    _check_steps(urn, tail, max_steps)
    for flow in _flows(urn, tail):
        for _ in flow.parts(progress):
            pass
        if not flow.is_lost:
            break
    return flow.followed(of, flow.won, -flow.ahead, float(-flow.ahead))


def _check_steps(urn: UrnAnswers, tail: float, max_steps: int | None) -> None:
    balls, name = urn.swept.plus + urn.swept.minus, urn.rules.name
    if max_steps is not None and max_steps < balls:
        raise OutOfReach(f"{name}: plays may take {counted(balls, 'move')}, more than max_steps; leave it out")
    if not tail and urn.report.states > MOST_WHOLE:
        raise OutOfReach(f"{name}: {urn.report.states:,} states are too many to follow every play; give a tail, such as 1e-12")


def length_of_urn(answers: Answers, progress: Progress = silent) -> Length:
    """Mean and variance of the length of a play to the line."""
    urn = cast(UrnAnswers, answers)
    balls = urn.swept.plus + urn.swept.minus
    for flow in _flows(urn, TAIL):
        parts = []
        for begin, part in flow.parts(progress):
            moves = np.arange(begin, begin + len(part), dtype=float)
            short = balls - moves
            parts.append((part.sum(), part @ moves, part @ moves**2, part @ short, part @ short**2))
        if not flow.is_lost:
            break
    mass, *sums = (math.fsum(column) for column in zip(*parts, strict=True))
    far = sums[1] > sums[3]  # from 0, so that moves are counted from the last ball on: fewer digits cancel
    first, second = sums[2:] if far else sums[:2]
    mean, square = first / mass, second / mass
    r, missing = flow.rounding + 4 * DRAWS * UNIT, flow.missing
    low, high = first * (1 - r), first * (1 + r) + missing * balls
    least, most = second * (1 - r) - high * high, second * (1 + r) + missing * balls**2 - low * low
    variance = max(square - mean * mean, 0.0)
    slack = 8 * UNIT * (square + high * high)
    mean, low, high = (balls - mean, balls - high, balls - low) if far else (mean, low, high)
    off = 8 * UNIT * balls
    variances = min(max(least - slack, 0.0), variance), max(most + slack, variance)
    return Length(mean, variance, *variances, min(low - off, mean), max(high + off, mean))


def _flows(urn: UrnAnswers, tail: float) -> Iterator[Flow]:
    """Flows to follow, by lines that are known further and further. Raises `OutOfReach` if none is known far enough."""
    frontier, deviations = urn.frontier, urn.swept.deviations
    for _ in range(MOST_WIDENED):
        yield Flow(urn, frontier, tail)
        deviations += WIDER
        frontier = urn.sweep_from(urn.swept.plus, urn.swept.minus, deviations).frontier
    raise OutOfReach(
        f"{urn.rules.name}: when to stop is known with up to {frontier.known:,} balls left only, and more than the tail of {tail:g} "
        "comes to the line before; ask for a larger tail"
    )
