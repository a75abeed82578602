"""Large board games under given policies. There is no chance, so that play is one line of positions: it is followed once, by the rules, run
interpreted, until it ends or comes back to where it was with the same player to move. Then it circles for ever, which is a draw.

A policy is asked once in a position where there is something to choose. As in games whose states are stored, it sees of all mirror images
of a position the one that sorts first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers, CountsMoves, Tabled
from zermelo.answers.known import Length
from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress
from zermelo.errors import OutOfReach
from zermelo.language.rules import Action, State
from zermelo.uses.chain import check_policy, check_seat, chosen_position
from zermelo.uses.evaluation import Evaluation, Mistake, Policy
from zermelo.uses.plays import BLOCK
from zermelo.uses.probe import action_value, best_action, known_start, payoffs_of

LOOKS = 1 << 10  # moves between two reports of progress
MISTAKES = 10  # that are listed


def is_large_board(answers: Answers) -> bool:
    """Whether the answer is a table of codes of a board game, without chance and with nothing else known of its positions."""
    return answers.lacks(CountsMoves) is None and answers.lacks(Tabled) is not None


# --- the line ---------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """One move of a line."""

    state: State
    seat: int  # whose move it is: 0 is player 0, with PASS whoever moves first
    action: Action
    is_own: bool  # chosen by a policy of the user's


@dataclass(frozen=True)
class Line:
    """A play: its moves up to the end, or until it comes back to a position for the first time."""

    moves: tuple[Move, ...]
    length: int  # of the play; where it circles for ever, the moves before the first position that comes again
    circles: bool
    result: int  # +1, 0 or -1 in the view of seat 0

    @property
    def positions(self) -> int:
        """How many occur, each counted once for every player who is to move there."""
        return len(self.moves) + (not self.circles)


def line_of(
    answers: Answers, plans: tuple[Policy | None, Policy | None], progress: Progress, most: float = math.inf, option: str = "max_length"
) -> Line:
    """The play in which seat 0 and seat 1 keep to their plans; who has none plays the best action (the quickest win, the longest defence,
    the first action that holds a draw). Raises `ParameterError` where a policy fails, `OutOfReach` beyond `most` moves,
    as many as `option` allows."""
    rules = answers.rules
    state, view = rules.least(rules.start), 1
    seen: dict[tuple[State, int], int] = {}
    moves: list[Move] = []
    while (state, view) not in seen:
        actions = rules.actions(state)
        if not actions:
            return Line(tuple(moves), len(moves), False, view * int(rules.payoff(state)[0]))
        if len(moves) >= most:
            raise OutOfReach(f"{rules.name}: a play was still going on after {most:,} actions, at {rules.in_line(state)}; raise {option}")
        seen[state, view] = len(moves)
        seat = rules.player(state) if view > 0 else 1 - rules.player(state)
        action, is_own = _chosen(answers, plans[seat], state, actions)
        moves.append(Move(state, seat, action, is_own))
        outcome = next(o for o in rules.outcomes(state, action) if o.ways)
        state, view = rules.least(outcome.state), view * outcome.sign
        if len(moves) % LOOKS == 0:
            progress("following the play", len(moves), None)
    return Line(tuple(moves), seen[state, view], True, 0)


def _chosen(answers: Answers, plan: Policy | None, state: State, actions: list[Action]) -> tuple[Action, bool]:
    """The action that is taken, and whether a plan was asked for it."""
    if len(actions) == 1:
        return actions[0], False
    if plan is None:
        return best_action(answers, state), False
    return actions[chosen_position(answers.rules, plan, state)], True


def plans_of(policy: Policy | None, opponent: Policy | None, seat: int) -> tuple[Policy | None, Policy | None]:
    """The plans of seat 0 and seat 1."""
    check_seat(seat)
    for given in (policy, opponent):
        if given is not None:
            check_policy(given)
    return (policy, opponent) if seat == 0 else (opponent, policy)


# --- what is said of it -----------------------------------------------------------------------------------------------


class LinePlays:
    """A line, made ready to be played: every play is the same."""

    is_whole = True
    block = BLOCK

    def __init__(self, answers: Answers, line: Line):
        self.names, self.line = answers.rules.payoffs, line

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays], whether they circle bool[plays]."""
        line = self.line
        return np.full((plays, 1), float(line.result)), np.full(plays, line.length), np.full(plays, line.circles)


def length_of_board(answers: Answers, progress: Progress) -> Length:
    """The number of moves under optimal play; infinite, and its variance not a number, where play never ends."""
    line = line_of(answers, (None, None), progress)
    never = Length(math.inf, math.nan, math.nan, math.nan)
    return never if line.circles else Length(float(line.length), 0.0, 0.0, 0.0)


def evaluate_on_board(
    answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress
) -> Evaluation:
    """What `policy` in `seat` comes to against `opponent`, or against optimal play: the best actions as `best_action` tells them. Other
    best responses could lead elsewhere, but to nothing that is worse for the policy's opponent if that plays optimally."""
    check_policy(policy)
    line = line_of(answers, plans_of(policy, opponent, seat), progress)
    value = result_of(answers, line.result)
    optimal: Any = known_start(answers).values[0]
    loss = optimal - value if seat == 0 else value - optimal
    if opponent is None:
        loss = max(loss, type(loss)(0))
    (name,) = answers.rules.payoffs
    bounds = {name: (value, value)}
    mistakes = _mistakes(answers, line, seat)
    return Evaluation(value, value, value, loss, {name: value}, bounds, seat, line.positions, mistakes)


def result_of(answers: Answers, result: int) -> Number:
    """A result as a value of the answer: a fraction if it has these."""
    return Fraction(result) if answers.is_exact else float(result)


def _mistakes(answers: Answers, line: Line, seat: int) -> tuple[Mistake, ...]:
    """The costliest moves of the seat's policy, each position once, in the order of play if they cost the same."""
    found: dict[State, Mistake] = {}
    for move in line.moves:
        if move.seat != seat or not move.is_own or move.state in found:
            continue
        best = best_action(answers, move.state)
        difference: Any = action_value(answers, move.state, best) - action_value(answers, move.state, move.action)
        cost = difference if answers.rules.player(move.state) == 0 else -difference
        if cost > 0:
            found[move.state] = Mistake(move.state, move.action, best, cost)
    return tuple(sorted(found.values(), key=lambda m: -m.cost)[:MISTAKES])


def simulation_values(answers: Answers, is_optimal: bool) -> dict[str, Number]:
    """What a simulation expects: the values under optimal play, nothing under policies of the user's."""
    return payoffs_of(answers, known_start(answers)) if is_optimal else {}
