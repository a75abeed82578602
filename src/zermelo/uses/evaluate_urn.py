"""Policies in urns that are too large to be stored: called stage by stage at the states that play is likely to reach.

All probability starts at the full urn and is moved by the rules, run interpreted. Play that is cut off as too unlikely is credited
with drawing all balls. A policy wins at most as much as a player who knows the order of the balls, and loses at most as much as such
a player wins from the opposite urn. So with p balls of +1 and m of -1 the credit is off by at most |p - m| + `known_order`.

**What rounding can do.** A step adds to a probability the rounding of a quotient, a product and the sum of the ways into a state, all of
positive numbers. Winnings are whole numbers and are added up without rounding.

**Mistakes.** The advantage of drawing over stopping falls with the +1 balls left. So the costliest ten are among the ten richest urns
of each stage where the policy stops, and the ten poorest where it draws. A second sweep, stage by stage, computes their costs.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.swept import UrnAnswers
from zermelo.basics.progress import Progress
from zermelo.certificates.urn import known_order
from zermelo.engines.urn.sweep import Sweep
from zermelo.errors import OutOfReach
from zermelo.language.rules import State
from zermelo.uses.chain import check_only_seat, check_policy, chosen_position
from zermelo.uses.evaluation import Evaluation, Mistake, Policy
from zermelo.uses.probe import known_start, probe

TAIL = 1e-13  # the most probability that is cut off
MOST_ASKED = 20_000_000  # calls of a policy: about five minutes
TRIED = 500_000  # calls after which the total number is estimated
MISTAKES = 10
UNIT = 2.0**-53


class Choice(NamedTuple):
    """The policy's choice at a state."""

    plus: int
    state: State
    position: int  # of its action


def evaluate_urn(answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress) -> Evaluation:
    """The worth of `policy`, with bounds, and its costliest mistakes. Raises `OutOfReach` for more than `MOST_ASKED` calls."""
    check_only_seat(answers, seat, opponent)
    check_policy(policy)
    urn = cast(UrnAnswers, answers)
    played = _Played(urn, policy)
    played.run(progress)
    value, error = played.worth()
    optimal: Any = known_start(urn).values[0]
    name, bounds = urn.rules.payoffs[0], (value - error, value + error)
    mistakes = _mistakes(urn, played)
    return Evaluation(value, *bounds, max(float(optimal) - value, 0.0), {name: value}, {name: bounds}, 0, played.asked, mistakes)


class _Played:
    """The plays of a policy, all at once."""

    def __init__(self, urn: UrnAnswers, policy: Policy):
        self.urn, self.rules, self.policy = urn, urn.rules, policy
        self.balls, self.ahead = urn.swept.plus + urn.swept.minus, urn.swept.minus - urn.swept.plus
        self.stage: dict[State, float] = {self.rules.start: 1.0}
        self.asked, self.roundings = 0, 0
        self.won: list[float] = []  # probability times winnings, by stage
        self.sizes: list[float] = []  # the same without sign
        self.missed: list[float] = []  # how far the credit of the cut-off play can be off
        self.stops: dict[int, list[Choice]] = {}  # by balls left, the richest urns
        self.draws: dict[int, list[Choice]] = {}  # the poorest

    def run(self, progress: Progress) -> None:
        """Follow all plays to their end."""
        for left in range(self.balls, 0, -1):
            self._cut(left)
            if not self.stage:
                return
            self._check(left)
            self._step(left)
            if left % 64 == 0:
                progress("asking the policy", self.balls - left, self.balls)
        self._end([(-self.ahead, p) for p in self.stage.values()])

    def _check(self, left: int) -> None:
        """Raise `OutOfReach` if too many calls lie ahead: a stage has about sqrt(left (balls - left)) likely states."""
        if self.asked <= TRIED:
            return
        s = 1 - left / self.balls
        share = (2 * math.asin(math.sqrt(s)) - 2 * math.sqrt(s * (1 - s)) * (1 - 2 * s)) / math.pi
        expected = max(self.asked, self.asked / share)
        if expected > MOST_ASKED:
            raise OutOfReach(
                f"evaluating this policy takes about {expected:.0e} questions to it, one at every state of {self.rules.name} that play is "
                f"likely to come to; {MOST_ASKED:,} are the most: ask for smaller parameters"
            )

    def _cut(self, left: int) -> None:
        """Cut off the least likely states."""
        if len(self.stage) < 3:
            return
        masses = np.fromiter(self.stage.values(), float, len(self.stage))
        order = np.argsort(masses, kind="stable")
        count = int(np.searchsorted(np.cumsum(masses[order]), TAIL / self.balls, "right"))
        if not count:
            return
        states = list(self.stage)
        cut = [(states[k], self.stage.pop(states[k])) for k in order[:count].tolist()]
        self._end([(-self.ahead, p) for _, p in cut])
        for state, p in cut:
            leads = max(self._plus(state), left - self._plus(state))
            self.missed.append(p * (2 * leads - left + float(known_order(np.array(float(left)), np.array(float(leads))))))

    def _plus(self, state: State) -> int:
        return int(self.rules.game.urn(state)[0])

    def _step(self, left: int) -> None:
        """Call the policy at every state of the stage, and take its action."""
        following: dict[State, list[Any]] = {}  # probability, ways there
        ended, stops, draws = [], [], []
        for state, mass in self.stage.items():
            position = chosen_position(self.rules, self.policy, state)
            outcomes = [o for o in self.rules.outcomes(state, self.rules.actions(state)[position]) if o.ways]
            choice = Choice(self._plus(state), state, position)
            if outcomes[0].payoff[0] == 0:
                stops.append(choice)
                ended.append((left - 2 * choice.plus - self.ahead, mass))
                continue
            draws.append(choice)
            total = sum(o.ways for o in outcomes)
            for o in outcomes:
                cell = following.setdefault(o.state, [0.0, 0])
                cell[0] += mass * (o.ways / total)
                cell[1] += 1
        self.asked += len(self.stage)
        self.stops[left] = heapq.nlargest(MISTAKES, stops, key=lambda c: c.plus)
        self.draws[left] = heapq.nsmallest(MISTAKES, draws, key=lambda c: c.plus)
        self.roundings += 2 + max((ways for _, ways in following.values()), default=0)
        self.stage = {state: mass for state, (mass, _) in following.items() if mass > 0}
        self._end(ended)

    def _end(self, ended: Iterable[tuple[int, float]]) -> None:
        """Plays end with these winnings and probabilities."""
        products = [won * p for won, p in ended]
        self.won.append(math.fsum(products))
        self.sizes.append(math.fsum(map(abs, products)))

    def worth(self) -> tuple[float, float]:
        """The policy's mean winnings, and how far that number can be off."""
        value, size = math.fsum(self.won), math.fsum(self.sizes)
        k = self.roundings + 8
        r = k * UNIT / (1 - 2 * k * UNIT)
        return value, (r * size + math.fsum(self.missed) * (1 + 2 * r)) * (1 + 1e-9) + 1e-300


# --- mistakes ---------------------------------------------------------------------------------------------------------


def _mistakes(urn: UrnAnswers, played: _Played) -> tuple[Mistake, ...]:
    """The costliest, by the bounds of optimal play."""
    costliest = heapq.nlargest(MISTAKES, _costs(urn, played), key=lambda found: found[0])
    mistakes = (_mistake(urn, choice) for cost, choice in costliest if cost > 0)
    return tuple(sorted((m for m in mistakes if m is not None), key=lambda m: -m.cost))


def _costs(urn: UrnAnswers, played: _Played) -> Iterator[tuple[float, Choice]]:
    """The approximate costs of the kept choices."""
    sweep = Sweep(urn.swept.plus, urn.swept.minus, urn.swept.deviations)
    for left in sorted(played.stops):
        if not played.stops[left] and not played.draws[left]:
            continue
        sweep.run_to(left - 1)
        for sign, choices in ((1, played.stops[left]), (-1, played.draws[left])):
            for choice in choices:
                yield sign * _drawing(sweep, left, choice.plus), choice


def _drawing(sweep: Sweep, left: int, plus: int) -> float:
    """The mean winnings of a draw followed by optimal play; the sweep is one stage before."""
    drawn = np.arange(plus - 1, plus + 1)  # V = W + plus - minus
    poorer, richer = (max(0.0, float(w)) for w in sweep.row(plus - 1, plus) + 2.0 * drawn - (left - 1))
    share = plus / left
    return 2 * share - 1 + share * poorer + (1 - share) * richer


def _mistake(urn: UrnAnswers, choice: Choice) -> Mistake | None:
    """The facts about a mistake; None if it may not be a mistake."""
    found = probe(urn, choice.state)
    chosen = urn.rules.actions(choice.state)[choice.position]
    if found.action == chosen or found.action_bounds[found.action][0] <= found.action_bounds[chosen][1]:
        return None
    cost: Any = found.actions[found.action]
    return Mistake(choice.state, chosen, found.action, cost - found.actions[chosen])
