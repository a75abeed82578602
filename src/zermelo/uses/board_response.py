"""The best response in a large board game: the positions that can occur under the opponent's policy are found with the rules
run interpreted, and solved backwards as a game in which the opponent has no choices. Also the worth of a policy against the least
favourable opponent that plays best, which is a best response restricted to best actions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.basics.progress import Progress
from zermelo.errors import OutOfReach
from zermelo.language.rules import Action, Rules, State
from zermelo.problem.transitions import Transitions
from zermelo.solvers.retrograde import Retrograde
from zermelo.states.layout import Layout
from zermelo.states.space import check_state
from zermelo.uses.board_line import evaluate_line, mistakes_of, result_of, seat_on_board
from zermelo.uses.chain import check_policy, chosen_position
from zermelo.uses.evaluation import LEAST_FAVOURABLE, Evaluation, Policy, Response, opponents
from zermelo.uses.legal import check_seat
from zermelo.uses.probe import action_value, known_start
from zermelo.uses.response_policy import OfRules, does_not_decide

MOST_POSITIONS = 300_000  # examined at most
MOST_EVALUATED = 20_000  # examined at most to find the least favourable opponent
LOOKS = 1 << 10  # positions between two reports of progress

Node = tuple[State, int]  # a position (the mirror image that sorts first), and +1 if seat 0 sees it as `rules` do, else -1


@dataclass
class _Found:
    """The positions that can occur, and their moves: a `Problem` for the solvers. Values are those of seat 0."""

    rules: Rules
    number: dict[Node, int] = field(default_factory=dict)
    first_move: list[int] = field(default_factory=lambda: [0])
    next: list[int] = field(default_factory=list)
    final: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    chosen: list[tuple[State, Action]] = field(default_factory=list)  # by the given policy

    num_payoffs = 1

    @property
    def num_states(self) -> int:
        return len(self.number)

    def whole(self) -> Transitions:
        moves, n = len(self.next), self.num_states
        return Transitions(
            0, n, np.array(self.first_move, np.int64), np.arange(moves + 1), np.ones(moves), np.array(self.next, np.int32),
            np.ones(moves, np.int8), np.zeros((moves, 1)), np.array(self.final, np.float64)[:, None], np.array(self.seats, np.int8),
        )  # fmt: skip

    def batches(self) -> Generator[tuple[Transitions, np.ndarray]]:
        yield self.whole(), np.array([0, self.num_states])

    def show(self, state: int) -> str:
        """A position as readable text."""
        return self.rules.in_line(list(self.number)[state][0])


def best_response_on_board(answers: Answers, opponent: Policy, seat: int, progress: Progress) -> Response:
    """The best that `seat` can do against `opponent`, with a policy that does it: the quickest win, a draw, or the longest defence.

    Raises `OutOfReach` where more than 300,000 positions can occur, `ParameterError` where the opponent's policy fails."""
    check_seat(seat)
    found = _explored(answers.rules, opponent, seat, progress, MOST_POSITIONS)
    solved = Retrograde().solve(found, 1.0, progress)
    value: Any = result_of(answers, int(solved.value[0, 0]))
    optimal: Any = known_start(answers).values[0]
    gain = value - optimal if seat == 0 else optimal - value
    (name,) = answers.rules.payoffs
    policy = _Answer(found, solved.policy, seat)
    return Response(value, value, value, max(gain, type(gain)(0)), {name: value}, seat, found.num_states, policy)


def evaluate_on_board(
    answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress
) -> Evaluation:
    """The result of `policy` in `seat` against `opponent`, or against the least favourable opponent that plays best; where too many
    positions can occur against the latter, against the best actions that `best_action` returns."""
    check_policy(policy)
    seat = seat_on_board(answers, seat, opponent)
    asked = cache(policy)
    if opponent is not None:
        return evaluate_line(answers, asked, opponent, seat, progress)
    try:
        found = _explored(answers.rules, asked, 1 - seat, progress, MOST_EVALUATED, partial(_best, answers))
    except OutOfReach:
        return evaluate_line(answers, asked, None, seat, progress)
    value = result_of(answers, int(Retrograde().solve(found, 1.0, progress).value[0, 0]))
    optimal: Any = known_start(answers).values[0]
    loss = optimal - value if seat == 0 else value - optimal
    (name,) = answers.rules.payoffs
    mistakes = mistakes_of(answers, found.chosen)
    return Evaluation(
        value, value, value, max(loss, type(loss)(0)), {name: value}, {name: (value, value)}, seat, found.num_states, mistakes,
        opponents(answers.report, None, LEAST_FAVOURABLE),
    )  # fmt: skip


def _best(answers: Answers, state: State, actions: list[Action]) -> list[Action]:
    """The actions that lead to the best result, however long it takes."""
    worth = [action_value(answers, state, action) for action in actions]
    most = max(worth) if answers.rules.player(state) == 0 else min(worth)
    return [action for action, value in zip(actions, worth, strict=True) if value == most]


def _explored(
    rules: Rules,
    opponent: Policy,
    seat: int,
    progress: Progress,
    most: int,
    considered: Callable[[State, list[Action]], list[Action]] | None = None,
) -> _Found:
    """All positions that can occur if the other seat follows `opponent`, which is called once in each position with a choice,
    and `seat` chooses among the actions `considered`: all by default."""
    start: Node = (rules.start, 1)
    found = _Found(rules, {start: 0})
    todo = [start]
    for state, view in todo:  # the list grows during the loop
        actions = rules.actions(state)
        mover = (rules.player(state) if view > 0 else 1 - rules.player(state)) if actions else 0
        if mover != seat and len(actions) > 1:
            actions = [actions[chosen_position(rules, opponent, state)]]
            found.chosen.append((state, actions[0]))
        elif considered and len(actions) > 1:
            actions = considered(state, actions)
        for action in actions:
            after = _next(rules, (state, view), action)
            if after not in found.number:
                found.number[after] = len(todo)
                todo.append(after)
            found.next.append(found.number[after])
        found.first_move.append(len(found.next))
        found.final.append(0 if actions else view * int(rules.payoff(state)[0]))
        found.seats.append(mover)
        if len(found.seats) % LOOKS == 0:
            progress("following the opponent's policy", len(found.seats), None)
        if len(todo) > most:
            raise OutOfReach(
                f"a best response needs all positions that can occur against the opponent's policy, which are more than "
                f"{most:,} in {rules.name}: ask for smaller parameters"
            )
    return found


def _next(rules: Rules, node: Node, action: Action) -> Node:
    """The position that an action leads to."""
    outcome = next(o for o in rules.outcomes(node[0], action) if o.ways)
    return outcome.state, node[1] * outcome.sign


class _Answer(OfRules):
    """The responding seat's policy as a function of the position."""

    def __init__(self, found: _Found, chosen: np.ndarray, seat: int):
        self.rules, self._number, self._seat = found.rules, found.number, seat
        after = np.array(found.first_move[:-1]) + chosen
        self._next = [found.next[row] if best >= 0 else -1 for row, best in zip(after.tolist(), chosen.tolist(), strict=True)]

    def __call__(self, state: State) -> Action:
        rules = self.rules
        check_state(rules, Layout.of([rules.start]), state)
        actions = rules.actions(state)
        if actions:
            view = 1 if rules.player(state) == self._seat else -1
            number = self._number.get((state, view), -1)
            if number >= 0:
                return next(a for a in actions if self._number.get(_next(rules, (state, view), a)) == self._next[number])
        raise does_not_decide(rules, state)
