"""What given strategies are worth where both choose at once: what `evaluate` does in such games.

Under fixed strategies of both, pure or mixed, a game is pure chance: the outcomes of all pairs of actions, weighted with their
probabilities. It goes through the solvers like any other game, certificate included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.answers.base import Tabled
from zermelo.basics.bounds import interval
from zermelo.basics.progress import Progress
from zermelo.certificates.fixed_strategies import chain_blur, mixed_chain
from zermelo.engines.explored.explore import Explored
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action, State
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Cyclic
from zermelo.uses.chain import by_mixtures, check_policy, joined
from zermelo.uses.evaluation import Evaluation, failures_in_words
from zermelo.uses.need import explored_of
from zermelo.uses.probe import known_start

Strategy = Callable[[State], Action | Mapping[Action, float]]


@dataclass(frozen=True)
class Played:
    """A game of pure chance: what both strategies lead to. A `Problem` for the solvers."""

    explored: Explored
    game: Transitions
    blur: float  # relative error of the ways, twice (kernels/verify.py)

    @property
    def num_states(self) -> int:
        return self.explored.num_states

    @property
    def num_payoffs(self) -> int:
        return self.explored.num_payoffs

    @property
    def rules(self) -> Any:
        return self.explored.rules

    def whole(self) -> Transitions:
        return self.game

    def batches(self) -> Iterator[tuple[Transitions, np.ndarray]]:
        yield self.game, self.explored.component_start

    def show(self, number: int) -> str:
        return self.rules.show(self.explored.layout.unpack(int(self.explored.keys[number])))


def evaluate_joint(
    answers: Tabled, policy: Strategy, opponent: Strategy | None, seat: int, progress: Progress
) -> Evaluation:
    """The worth of `policy` in `seat` against `opponent`, or against the optimal mixture.

    A strategy is a function from a state to an action, or to the probabilities of actions as a dict. It is asked in every state where
    its player has a choice. (No list of mistakes: single decisions have no cost of their own where both mix.)
    """
    if seat not in (0, 1) or isinstance(seat, bool):
        raise ParameterError(f"seat must be 0 or 1, not {seat!r}")
    explored = explored_of(answers)
    if explored.facts["passes"]:
        raise OutOfReach(
            f"{explored.rules.name}: strategies can't be evaluated where both choose at once and -1 exchanges the players"
        )
    best = by_mixtures(answers, explored)
    own, other = best.own.copy(), best.other.copy()
    for side, plan in ((seat, policy), (1 - seat, opponent)):
        if plan is not None:
            check_policy(plan)
            starts, weights = ((best.own_start, own), (best.other_start, other))[side]
            _ask(explored, plan, side, starts, weights, progress)
    used = best._replace(own=own, other=other)
    played = _played(explored, used)
    with failures_in_words(played):
        solved = Cyclic().solve(played, answers.discount, progress)
    start, names = explored.start, explored.rules.payoffs
    values, errors = solved.value[start].tolist(), solved.error[start].tolist()
    bounds = {name: interval(v, e) for name, v, e in zip(names, values, errors, strict=True)}
    low, high = bounds[names[0]]
    optimal = float(known_start(answers).values[0])
    loss = optimal - values[0] if seat == 0 else values[0] - optimal
    if opponent is None:
        loss = max(loss, 0.0)  # no negative loss by rounding
    payoffs = dict(zip(names, values, strict=True))
    return Evaluation(values[0], low, high, loss, payoffs, bounds, seat, explored.num_states, ())


def _played(explored: Explored, used: Mixtures) -> Played:
    parts, blur = [], 0.0
    for batch, _ in explored.batches():
        parts.append(_kept(mixed_chain(batch, used.between(batch.low, batch.high))))
        blur = max(blur, chain_blur(batch))
    return Played(explored, joined(explored, parts), blur)


def _kept(part: Transitions) -> Transitions:
    """A batch whose arrays are not written over by the next one."""
    return part._replace(final_payoff=part.final_payoff.copy(), player=part.player.copy())


def _ask(
    explored: Explored, plan: Strategy, side: int, starts: np.ndarray, weights: np.ndarray, progress: Progress
) -> None:
    """Write the strategy's probabilities into those of its player."""
    rules, counts = explored.rules, np.diff(starts)
    asked = np.flatnonzero(counts > 1)
    for k, number in enumerate(asked.tolist()):
        state = explored.layout.unpack(int(explored.keys[number]))
        legal = rules.choices(state)[side]
        weights[starts[number] : starts[number + 1]] = _probabilities(rules, plan, state, legal)
        if k % 4096 == 0:
            progress("asking the policy", k, len(asked))


def _probabilities(rules: Any, plan: Strategy, state: State, legal: list[Action]) -> list[float]:
    """The strategy's answer as probabilities of the legal actions. Raises `ParameterError`."""
    try:
        answer = plan(state)
    except Exception as error:
        raise ParameterError(f"the policy fails at {rules.show(state)}: {type(error).__name__}: {error}") from error
    mixture = answer if isinstance(answer, Mapping) else {answer: 1.0}
    for action in mixture:
        if action not in legal:
            names = ", ".join(map(repr, legal))
            raise ParameterError(f"the policy answers {action!r} at {rules.show(state)}, where {names} are legal")
    found = [float(mixture.get(action, 0.0)) for action in legal]
    total = sum(found)
    if not (min(found) >= 0 and abs(total - 1) < 1e-9):
        raise ParameterError(f"the policy's probabilities at {rules.show(state)} are {mixture!r}: they must sum to 1")
    return [p / total for p in found]
