"""What a given policy is worth, exactly: `evaluate`; and what the best answer to it is worth: `best_response`.

The policy is played in one seat and the opponent's in the other; what is left of the game has no choices (or only
those of the seat that answers), and goes through the solvers like any other game, certificate included.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number, shortened
from zermelo.basics.progress import Progress, silent
from zermelo.engines.entries.solution import EnteredSolution
from zermelo.engines.explored.explore import Explored
from zermelo.errors import NoValue, OutOfReach, ParameterError, UnreachableState
from zermelo.kernels import chain as kernels
from zermelo.language.rules import Action, State
from zermelo.problem.solver import NotConverged, Solved, Solver, Unbounded, Uncertified, Unproven
from zermelo.solution import Solution
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.solving import engine_of
from zermelo.uses.chain import (
    Lifted,
    Plan,
    Policy,
    check_policy,
    deciding_seat,
    optimal_choices,
    optimal_values,
    plans_of,
    play_out,
    without_circling,
)

MISTAKES = 10  # that are listed
ROUNDING = 1e-14


class Mistake(NamedTuple):
    """A state where the policy chooses an action that is not best."""

    state: State
    action: Action  # the policy's
    best: Action
    cost: Number  # by how much it is worse, in the eyes of whoever decides, if play is optimal from there on


@dataclass(frozen=True)
class Evaluation:
    """The worth of a policy from the start, in the view of `Solution.value` (player 0; with PASS the first mover)."""

    value: Number
    low: Number  # the true worth lies in [low, high]
    high: Number
    loss: Number  # what the policy's seat gives away against the solution's value; >= 0 if the opponent is optimal
    payoffs: dict[str, Number]  # the expected total of every named payoff
    bounds: dict[str, tuple[Number, Number]]
    seat: int
    states: int  # pairs of a state and who sees it that can occur under the policy
    mistakes: tuple[Mistake, ...]  # the costliest, at most 10

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def worst_state(self) -> State | None:
        """Where the policy's costliest mistake is made; None if it makes none."""
        return self.mistakes[0].state if self.mistakes else None

    def __repr__(self) -> str:
        return f"<Evaluation: value {_digits(self.value)}, loss {_digits(self.loss)}, {self.states:,} states>"


@dataclass(frozen=True)
class Response:
    """The best answer to a fixed policy."""

    value: Number  # in the same view as `Solution.value`
    low: Number
    high: Number
    gain: Number  # what the seat that answers gets beyond the solution's value
    payoffs: dict[str, Number]
    seat: int  # of the answer
    states: int
    policy: Policy  # the answer: a function of the states that can occur

    def __repr__(self) -> str:
        return f"<Response in seat {self.seat}: value {_digits(self.value)}, gain {_digits(self.gain)}>"


def _digits(number: Number) -> str:
    return shortened(number) if isinstance(number, Fraction) else f"{number:.15g}"


def evaluate(
    solution: Solution, policy: Policy, opponent: Policy | None = None, *, seat: int = 0, progress: Progress = silent
) -> Evaluation:
    """The exact worth of `policy`, a function from a state to a legal action, and what it loses against optimal play.

    In games for two it plays `seat` (0: player 0, or whoever moves first in a game with PASS; 1: the other) against
    optimal play, or against `opponent`. It is asked once in every state that can occur with more than one action.
    Raises `ParameterError` where it fails or answers something not legal; `NoValue` where play circles for ever while
    payoffs go on.
    """
    if solution.rules.is_simultaneous:
        from zermelo.uses.evaluate_joint import evaluate_joint

        return evaluate_joint(solution, policy, opponent, seat, progress)
    explored = engine_of(solution)
    seat = deciding_seat(explored, seat, opponent)
    plans = plans_of(solution, explored, policy, opponent, seat)
    lifted = play_out(explored, plans, progress)
    worth = _solved(without_circling(lifted) if solution.discount == 1.0 else lifted, solution, progress)
    value, (low, high) = worth.value
    loss: Any = solution.value - value if seat == 0 else value - solution.value
    if opponent is None:
        loss = max(loss, type(loss)(0))  # no negative loss by rounding
    mistakes = _mistakes(solution, lifted, seat)
    return Evaluation(value, low, high, loss, worth.payoffs, worth.bounds, seat, lifted.num_states, mistakes)


def evaluate_by_stages(
    solution: EnteredSolution,
    policy: Policy,
    opponent: Policy | None = None,
    *,
    seat: int = 0,
    progress: Progress = silent,
) -> Evaluation:
    """The same for a game that is solved stage by stage, however large. Policies are compiled with the rules; mistakes are not listed."""
    from zermelo.engines.entries.plans import worth_of

    for plan in (policy, opponent):
        if plan is not None:
            check_policy(plan)
    two = solution.statistics["players"] == 2
    if seat not in ((0, 1) if two else (0,)) or (opponent is not None and not two):
        what = "seat must be 0 or 1" if two else "there is one player, whose seat is 0, and no opponent"
        raise ParameterError(f"{solution.rules.name}: {what}")
    found = worth_of(solution, (policy, opponent) if seat == 0 else (opponent, policy), False, progress)
    names = solution.rules.payoffs
    values = dict(zip(names, found.value.tolist(), strict=True))
    bounds = {
        name: interval(v, e) for name, v, e in zip(names, found.value.tolist(), found.error.tolist(), strict=True)
    }
    value = values[names[0]]
    loss = float(solution.value) - value if seat == 0 else value - float(solution.value)
    loss = max(loss, 0.0) if opponent is None else loss
    low, high = bounds[names[0]]
    return Evaluation(value, low, high, loss, values, bounds, seat, found.states, ())


def best_response(solution: Solution, opponent: Policy, *, seat: int = 0, progress: Progress = silent) -> Response:
    """The best that `seat` can do against the fixed policy `opponent` of the other seat, with a policy that does it."""
    explored = engine_of(solution)
    check_policy(opponent)
    seat = deciding_seat(explored, seat, opponent)
    plans: tuple[Plan, Plan] = (None, opponent) if seat == 0 else (opponent, None)
    lifted = play_out(explored, plans, progress)
    worth = _solved(lifted, solution, progress)
    value, (low, high) = worth.value
    gain: Any = value - solution.value if seat == 0 else solution.value - value
    answer = _Answer(lifted, worth.policy, seat)
    return Response(value, low, high, max(gain, type(gain)(0)), worth.payoffs, seat, lifted.num_states, answer)


class _Answer:
    """The responding seat's policy as a function of the state."""

    def __init__(self, lifted: Lifted, chosen: np.ndarray, seat: int):
        own = np.flatnonzero((lifted.game.player == seat) & (np.diff(lifted.game.action_start) > 0))
        self._explored = lifted.explored
        self._position = dict(zip((lifted.nodes[own] >> 1).tolist(), chosen[own].tolist(), strict=True))

    def __call__(self, state: State) -> Action:
        rules, number = self._explored.rules, self._explored.number_of(state)
        if number not in self._position:
            raise UnreachableState(
                f"{rules.show(state)} is no state where the answer decides: it does not occur in this play"
            )
        return rules.actions(state)[self._position[number]]


class _Worth(NamedTuple):
    """What the start is worth under some plans."""

    payoffs: dict[str, Number]
    bounds: dict[str, tuple[Number, Number]]
    policy: np.ndarray  # int32[nodes], chosen actions

    @property
    def value(self) -> tuple[Number, tuple[Number, Number]]:
        """The first payoff and its bounds."""
        name = next(iter(self.payoffs))
        return self.payoffs[name], self.bounds[name]


# --- values -----------------------------------------------------------------------------------------------------------


def _solved(lifted: Lifted, solution: Solution, progress: Progress) -> _Worth:
    """Solve what is left of the game: directly where play can't return to a state, by policy iteration otherwise."""
    exact, start = solution.is_exact, lifted.start
    method: Solver = Backward() if lifted.is_acyclic else Cyclic()
    with failures_in_words(lifted):
        is_chain = exact and lifted.has_no_choice
        solved = _only_row(lifted) if is_chain else method.solve(lifted, solution.discount, progress)
        if exact:
            from zermelo.solvers.rational import solve_exactly

            ratios, solved = solve_exactly(lifted, solved, solution.discount, progress)
    if exact:
        values, errors = list(ratios[start]), [0.0] * lifted.num_payoffs
    else:
        values, errors = solved.value[start].tolist(), solved.error[start].tolist()
    names = lifted.rules.payoffs
    bounds = {name: interval(v, e) for name, v, e in zip(names, values, errors, strict=True)}
    return _Worth(dict(zip(names, values, strict=True)), bounds, solved.policy)


@contextmanager
def failures_in_words(lifted: Any) -> Iterator[None]:
    """`NoValue` or `OutOfReach` that names a state instead of what solvers raise."""
    try:
        yield
    except (Unbounded, NotConverged, Uncertified) as failure:
        state = lifted.show(failure.states[0])
        raise NoValue(f"{lifted.rules.name}: no value at {state}: {failure.why}") from failure
    except Unproven as failure:
        state = lifted.show(failure.states[0])
        raise OutOfReach(f"{lifted.rules.name}: no exact value at {state}: {failure.why}") from failure


def _only_row(lifted: Lifted) -> Solved:
    """A chain's policy, for exact values that need no float values first."""
    zeros = np.zeros((lifted.num_states, lifted.num_payoffs))
    policy = np.where(np.diff(lifted.game.action_start) > 0, 0, -1).astype(np.int32)
    return Solved(zeros, policy, zeros, None, "")


def interval(value: Number, error: float) -> tuple[Number, Number]:
    if error == 0.0:
        return value, value
    return math.nextafter(value - error, -math.inf), math.nextafter(value + error, math.inf)


# --- mistakes ---------------------------------------------------------------------------------------------------------


def _mistakes(solution: Solution, lifted: Lifted, seat: int) -> tuple[Mistake, ...]:
    """The costliest actions of the seat's policy, by the values of optimal play."""
    explored = lifted.explored
    numbers = np.unique(lifted.nodes[lifted.game.player == seat] >> 1)
    chosen, best = lifted.choice[seat], optimal_choices(solution, explored)
    numbers = numbers[(chosen[numbers] >= 0) & (best[numbers] >= 0) & (chosen[numbers] != best[numbers])]
    costs = _costs(solution, explored, numbers, chosen, best)
    costliest = np.argsort(-costs, kind="stable")[:MISTAKES]
    found = [
        _mistake(solution, explored, int(numbers[i]), int(chosen[numbers[i]]), int(best[numbers[i]])) for i in costliest
    ]
    least = (
        0.0
        if solution.is_exact
        else 2.0 * float(np.max(solution.errors)) + ROUNDING * float(np.abs(solution.values).max())
    )
    return tuple(sorted((m for m in found if m.cost > least), key=lambda m: -m.cost))


def _costs(
    solution: Solution, explored: Explored, numbers: np.ndarray, chosen: np.ndarray, best: np.ndarray
) -> np.ndarray:
    """float64[len(numbers)]: how much worse the chosen action of each state is, by float values; batch by batch."""
    costs = np.empty(len(numbers))
    if not len(numbers):
        return costs
    values = optimal_values(solution, explored)
    for game, _ in explored.batches():
        here = slice(*np.searchsorted(numbers, [game.low, game.high]))
        at = numbers[here]
        costs[here] = kernels.costs(
            at - game.low, chosen[at], best[at], game.action_start, game.outcome_start, game.ways, game.next,
            game.sign, game.payoff, game.player, values, float(solution.discount),
        )  # fmt: skip
    return costs


def _mistake(solution: Solution, explored: Explored, number: int, chosen: int, best: int) -> Mistake:
    state = explored.layout.unpack(int(explored.keys[number]))
    actions = explored.rules.actions(state)
    values = solution.probe(state).actions
    difference: Any = values[actions[best]] - values[actions[chosen]]
    return Mistake(
        state, actions[chosen], actions[best], difference if explored.rules.player(state) == 0 else -difference
    )
