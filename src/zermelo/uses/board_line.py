"""Large board games under given policies. There is no chance, so play is a single line of positions. The line is followed once, with the
rules run interpreted, until it ends or a position repeats with the same player to move. Then play cycles forever, which is a draw.

A policy is called once for each position with more than one action. As in games whose states are stored, it sees only the mirror image
of a position that sorts first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.known import ENDLESS, Length
from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import counted
from zermelo.engines.faults import TOO_LONG_TO_PLAY
from zermelo.errors import OutOfReach
from zermelo.language.rules import Action, State
from zermelo.uses.chain import check_alone, check_policy, chosen_position
from zermelo.uses.evaluation import STORED, Evaluation, Mistake, Policy, opponents
from zermelo.uses.legal import check_seat
from zermelo.uses.plays import BLOCK, Simulation, play_all
from zermelo.uses.probabilities import MAX_STEPS, Distribution, subject
from zermelo.uses.probe import action_value, best_action, known_start, payoffs_of

LOOKS = 1 << 10  # moves between two reports of progress
MISTAKES = 10  # at most this many are listed


# --- the line ---------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """One move of a line."""

    state: State
    seat: int  # whose move it is: 0 is player 0, with PASS the player who moves first
    action: Action
    is_own: bool  # chosen by a policy of the user's


@dataclass(frozen=True)
class Line:
    """A play: its moves up to the end, or until a position first repeats."""

    moves: tuple[Move, ...]
    length: int  # of the play; where it cycles forever, the moves before the first position that repeats
    cycles: bool
    result: int  # +1, 0 or -1 for seat 0

    @property
    def positions(self) -> int:
        """The number of positions that occur, each counted once for every player to move there."""
        return len(self.moves) + (not self.cycles)


def line_of(
    answers: Answers,
    policies: tuple[Policy | None, Policy | None],
    progress: Progress,
    most: float = math.inf,
    advice: str = TOO_LONG_TO_PLAY,
) -> Line:
    """The play in which seat 0 and seat 1 keep to their policies; a seat without one plays best (the quickest win, the longest defence,
    the first action that holds a draw). Raises `ParameterError` where a policy fails, `OutOfReach` with `advice` beyond `most`
    moves."""
    rules = answers.rules
    state, view = rules.start, 1
    seen: dict[tuple[State, int], int] = {}
    moves: list[Move] = []
    while (state, view) not in seen:
        actions = rules.actions(state)
        if not actions:
            return Line(tuple(moves), len(moves), False, view * int(rules.payoff(state)[0]))
        if len(moves) >= most:
            passed = counted(int(most), "move")
            raise OutOfReach(f"{rules.name}: a play was still going on after {passed}, at {rules.in_line(state)}; {advice}")
        seen[state, view] = len(moves)
        seat = rules.player(state) if view > 0 else 1 - rules.player(state)
        action, is_own = _chosen(answers, policies[seat], state, actions)
        moves.append(Move(state, seat, action, is_own))
        outcome = next(o for o in rules.outcomes(state, action) if o.ways)
        state, view = outcome.state, view * outcome.sign
        if len(moves) % LOOKS == 0:
            progress("following the play", len(moves), None)
    return Line(tuple(moves), seen[state, view], True, 0)


def _chosen(answers: Answers, policy: Policy | None, state: State, actions: list[Action]) -> tuple[Action, bool]:
    """The action taken, and whether a policy chose it."""
    if len(actions) == 1:
        return actions[0], False
    if policy is None:
        return best_action(answers, state), False
    return actions[chosen_position(answers.rules, policy, state)], True


def seat_on_board(answers: Answers, seat: int, opponent: Policy | None) -> int:
    """The seat to play: the one requested in a game for two, the only one in a game for one, which takes no opponent."""
    check_seat(seat)
    rules = answers.rules
    if answers.report.is_for_two:
        return seat
    only = rules.player(rules.start) if rules.actions(rules.start) else 0
    check_alone(rules, seat, only, opponent)
    return only


def policies_of(policy: Policy | None, opponent: Policy | None, seat: int) -> tuple[Policy | None, Policy | None]:
    """The policies of seat 0 and seat 1."""
    for given in (policy, opponent):
        if given is not None:
            check_policy(given)
    return (policy, opponent) if seat == 0 else (opponent, policy)


# --- results of a line -----------------------------------------------------------------------------------------------


def simulate_on_board(
    answers: Answers, plays: int, seed: int, policy: Policy | None, opponent: Policy | None, seat: int, max_length: int, progress: Progress,
    cluster: None = None,
) -> Simulation:
    """Play many times; every play is the same."""
    seat = seat_on_board(answers, seat, opponent)
    line = line_of(answers, policies_of(policy, opponent, seat), progress, max_length)
    values = payoffs_of(answers, known_start(answers)) if policy is None and opponent is None else {}
    return play_all(_LinePlays(answers, line), plays, seed, values, progress)


class _LinePlays:
    """A line prepared for simulation: every play is the same."""

    is_whole = True
    block = BLOCK

    def __init__(self, answers: Answers, line: Line):
        self.names, self.line = answers.rules.payoffs, line

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays], whether they cycle bool[plays]."""
        line = self.line
        return np.full((plays, 1), float(line.result)), np.full(plays, line.length), np.full(plays, line.cycles)


def distribution_on_board(
    answers: Answers, payoff: str | None, tail: float, max_steps: int | None, progress: Progress
) -> Distribution:
    """The length of the one play under optimal play, or its total: a distribution with one value, or none where play never ends."""
    line = line_of(answers, (None, None), progress, MAX_STEPS if max_steps is None else max_steps, "raise max_steps")
    never_ends = line.cycles and payoff is None
    support = [] if never_ends else [line.length if payoff is None else line.result]
    return Distribution(
        of=subject(answers.rules, payoff),
        support=np.array(support, np.int64),
        probabilities=np.ones(len(support)),
        tail=0.0,
        tail_from=math.inf,
        endless=float(never_ends),
        rounding=0.0,
        steps=len(line.moves),
    )


def length_on_board(answers: Answers, progress: Progress = silent) -> Length:
    """The number of moves under optimal play; infinite, and its variance not a number, where play never ends."""
    line = line_of(answers, (None, None), progress)
    moves = float(line.length)
    return ENDLESS if line.cycles else Length(moves, 0.0, 0.0, 0.0, moves, moves)


def evaluate_line(
    answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress
) -> Evaluation:
    """The result of `policy` in `seat` against `opponent`, or against the best actions that `best_action` returns."""
    check_policy(policy)
    line = line_of(answers, policies_of(policy, opponent, seat), progress)
    value = result_of(answers, line.result)
    optimal: Any = known_start(answers).values[0]
    loss = optimal - value if seat == 0 else value - optimal
    if opponent is None:
        loss = max(loss, type(loss)(0))
    (name,) = answers.rules.payoffs
    bounds = {name: (value, value)}
    mistakes = mistakes_of(answers, ((m.state, m.action) for m in line.moves if m.seat == seat and m.is_own))
    against = opponents(answers.report, opponent, STORED)
    return Evaluation(value, value, value, loss, {name: value}, bounds, seat, line.positions, mistakes, against)


def result_of(answers: Answers, result: int) -> Number:
    """A result as a value of the answer: a fraction if the answer has fractions."""
    return Fraction(result) if answers.is_exact else float(result)


def mistakes_of(answers: Answers, chosen: Iterable[tuple[State, Action]]) -> tuple[Mistake, ...]:
    """The costliest of a policy's moves, each position once; moves of equal cost keep the order in which they are given."""
    found: dict[State, Mistake] = {}
    for state, action in chosen:
        if state in found:
            continue
        best = best_action(answers, state)
        difference: Any = action_value(answers, state, best) - action_value(answers, state, action)
        cost = difference if answers.rules.player(state) == 0 else -difference
        if cost > 0:
            found[state] = Mistake(state, action, best, cost)
    return tuple(sorted(found.values(), key=lambda m: -m.cost)[:MISTAKES])
