"""The exact worth of a given policy (`evaluate`) and of the best response to it (`best_response`).

The policy is played in one seat and the opponent's in the other; the rest of the game has no choices (or only those of the
seat that responds), and is solved like any other game, certificate included.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial
from typing import Any

import numpy as np

from zermelo.answers.base import Answers, Coded, Entered, StoppingLine, Tabled
from zermelo.basics.bounds import interval
from zermelo.basics.different import different
from zermelo.basics.progress import Progress, silent
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import NoValue, OutOfReach
from zermelo.kernels import chain as kernels
from zermelo.problem.solver import Solver
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.uses.best_play import best_rows
from zermelo.uses.board_response import best_response_on_board, evaluate_on_board
from zermelo.uses.chain import (
    LiftedChain,
    SeatPolicy,
    check_decides,
    check_only_seat,
    check_policy,
    deciding_seat,
    optimal_choices,
    optimal_values,
    play_out,
    policies_of,
    without_circling,
)
from zermelo.uses.evaluate_entered import best_response_entered, evaluate_entered
from zermelo.uses.evaluate_joint import best_response_joint, evaluate_joint
from zermelo.uses.evaluate_urn import evaluate_urn
from zermelo.uses.evaluation import (
    LEAST_FAVOURABLE,
    STORED,
    Evaluation,
    Mistake,
    Policy,
    Response,
    Worth,
    completed,
    failures_in_words,
    opponents,
)
from zermelo.uses.need import apart, check_end, explored_of, tabled
from zermelo.uses.probe import best_action, known_start, probe
from zermelo.uses.response_policy import StoredPolicy
from zermelo.uses.until import check_response_ends, doubtful, rely, surely_ends
from zermelo.uses.ways import Way, way_for

MISTAKES = 10  # at most this many are listed
ROUNDING = 1e-14
WAYS = (
    Way(Entered, evaluate_entered, only_large=True),
    Way(StoppingLine, evaluate_urn, only_large=True),
    Way(Coded, evaluate_on_board),
)
RESPONSE_WAYS = (Way(Entered, best_response_entered, only_large=True), Way(Coded, best_response_on_board, only_large=True))


def evaluate(
    answers: Answers, policy: Policy, opponent: Policy | None = None, *, seat: int = 0, progress: Progress = silent
) -> Evaluation:
    """The exact worth of `policy`, a function from a state to a legal action, and what it loses against optimal play.

    In games for two it plays `seat` (0: player 0, or the player who moves first in a game with PASS; 1: the other) against
    `opponent`, or against optimal play: the least favourable of all opponents that always take a best action.
    (Of several equally good actions, one may lead to states where the policy errs, and another may not.) `against` of the
    result names the opponent, which is another one that plays best if the least favourable one can't be found.
    The policy is called once in every state that can occur with more than one action (in an urn too large to be
    stored: in every state that is likely to occur), also in each of several states that `symmetries` says are the same.
    Raises `ParameterError` where it fails or returns an action that is not legal; `NoValue` where play cycles forever while
    payoffs go on; `OutOfReach`.
    """
    check_end(answers, "evaluating a policy")
    check_policy(policy)
    check_decides(answers.rules, policy)
    found: Evaluation = way_for(answers, WAYS, _through_all_states)(answers, policy, opponent, seat, progress)
    return completed(found, answers)


def _through_all_states(
    answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress
) -> Evaluation:
    solved = tabled(answers, "evaluating a policy", progress)
    table = apart(solved, progress)
    if table.rules.is_simultaneous:
        return evaluate_joint(table, known_start(answers).values[0], policy, opponent, seat, progress)
    explored = explored_of(table)
    seat = deciding_seat(table, explored, seat, opponent)
    best = optimal_choices(table, explored) if table is solved else partial(best_action, solved)  # hardly ever asked
    policies = policies_of(table, explored, policy, opponent, seat, best)
    lifted, worth, against = _played_out(table, explored, policies, opponent, seat, progress)
    if opponent is None and table.report.is_for_two:
        rely(table, explored, lifted.nodes >> 1)
    value, (low, high) = worth.value
    optimal: Any = known_start(answers).values[0]
    loss = optimal - value if seat == 0 else value - optimal
    if opponent is None:
        loss = max(loss, type(loss)(0))  # no negative loss by rounding
    mistakes = () if len(doubtful(table, explored, lifted.nodes >> 1)) else _mistakes(table, lifted, seat)
    return Evaluation(value, low, high, loss, worth.payoffs, worth.bounds, seat, lifted.num_states, mistakes, against)


def _played_out(
    table: Tabled, explored: Explored, policies: tuple[SeatPolicy, SeatPolicy], opponent: Policy | None, seat: int, progress: Progress
) -> tuple[LiftedChain, Worth, str]:
    """The part reached under these policies, its worth, and the opponent."""
    against = opponents(table.report, opponent, LEAST_FAVOURABLE)
    if against != LEAST_FAVOURABLE:
        lifted = play_out(explored, policies, progress)
    else:
        game, own = explored.whole(), policies[seat]
        assert callable(own)
        asked = cache(own)
        lifted = play_out(explored, (asked, None) if seat == 0 else (None, asked), progress, game, best_rows(table, explored, game))
        if not lifted.has_no_choice:
            with suppress(NoValue, OutOfReach):  # the opponent may choose endless play
                if not lifted.rules.must_end or surely_ends(lifted.game, lifted.start):
                    return lifted, _solved(lifted, table, progress), against
            against, stored = STORED, policies[1 - seat]
            lifted = play_out(explored, (asked, stored) if seat == 0 else (stored, asked), progress, game)
    return lifted, _solved(without_circling(lifted) if table.discount == 1.0 else lifted, table, progress), against


def best_response(answers: Answers, opponent: Policy, *, seat: int = 0, progress: Progress = silent) -> Response:
    """The best that `seat` can do against the fixed policy `opponent` of the other seat, with a policy that does it.

    Where both choose at once, `opponent` may return the probabilities of actions, as a dict.
    """
    check_end(answers, "a best response")
    check_policy(opponent)
    check_decides(answers.rules, opponent)
    if not (answers.report.is_for_two or answers.rules.is_simultaneous):
        check_only_seat(answers, seat, opponent)
    found: Response = way_for(answers, RESPONSE_WAYS, _response_through_all_states)(answers, opponent, seat, progress)
    return completed(found, answers)


def _response_through_all_states(answers: Answers, opponent: Policy, seat: int, progress: Progress) -> Response:
    table = apart(tabled(answers, "a best response", progress), progress)
    if table.rules.is_simultaneous:
        return best_response_joint(table, known_start(answers).values[0], opponent, seat, progress)
    explored = explored_of(table)
    seat = deciding_seat(table, explored, seat, opponent)
    policies: tuple[SeatPolicy, SeatPolicy] = (None, opponent) if seat == 0 else (opponent, None)
    lifted = play_out(explored, policies, progress)
    if seat == 0:
        check_response_ends(lifted)
    worth = _solved(lifted, table, progress)
    if seat == 1:
        check_response_ends(lifted, worth.policy)
    value, (low, high) = worth.value
    optimal: Any = known_start(answers).values[0]
    gain = value - optimal if seat == 0 else optimal - value
    own = np.flatnonzero((lifted.game.player == seat) & (np.diff(lifted.game.action_start) > 0))
    answer = StoredPolicy(explored, lifted.nodes[own] >> 1, worth.policy[own], seat)
    return Response(value, low, high, max(gain, type(gain)(0)), worth.payoffs, seat, lifted.num_states, answer)


# --- values -----------------------------------------------------------------------------------------------------------


def _solved(lifted: LiftedChain, answers: Tabled, progress: Progress) -> Worth:
    """Solve the rest of the game: directly where play can't return to a state, by policy iteration otherwise."""
    exact, start = answers.is_exact, lifted.start
    with failures_in_words(lifted, answers):
        if exact:
            from zermelo.solvers.rational import solve_exactly

            ratios, solved = solve_exactly(lifted, answers.discount, progress)
        else:
            method: Solver = Backward() if lifted.is_acyclic else Cyclic()
            solved = method.solve(lifted, answers.discount, progress)
    if exact:
        values, errors = list(ratios[start]), [0.0] * lifted.num_payoffs
    else:
        values, errors = solved.value[start].tolist(), solved.error[start].tolist()
    names = lifted.rules.payoffs
    bounds = {name: interval(v, e) for name, v, e in zip(names, values, errors, strict=True)}
    return Worth(dict(zip(names, values, strict=True)), bounds, solved.policy)


# --- mistakes ---------------------------------------------------------------------------------------------------------


def _mistakes(answers: Tabled, lifted: LiftedChain, seat: int) -> tuple[Mistake, ...]:
    """The costliest actions of the seat's policy, by the values of optimal play."""
    explored = lifted.explored
    numbers = different(lifted.nodes[lifted.game.player == seat] >> 1)
    chosen, best = lifted.choice[seat], optimal_choices(answers, explored)
    numbers = numbers[(chosen[numbers] >= 0) & (best[numbers] >= 0) & (chosen[numbers] != best[numbers])]
    costs = _costs(answers, explored, numbers, chosen, best)
    costliest = np.argsort(-costs, kind="stable")[:MISTAKES]
    found = [
        _mistake(answers, explored, int(numbers[i]), int(chosen[numbers[i]]), int(best[numbers[i]])) for i in costliest
    ]
    least = (
        0.0
        if answers.is_exact
        else 2.0 * float(np.max(answers.error[:, 0])) + ROUNDING * float(np.abs(answers.value[:, 0]).max())
    )
    return tuple(sorted((m for m in found if m.cost > least), key=lambda m: -m.cost))


def _costs(
    answers: Tabled, explored: Explored, numbers: np.ndarray, chosen: np.ndarray, best: np.ndarray
) -> np.ndarray:
    """float64[len(numbers)]: how much worse the chosen action of each state is, by float values; batch by batch."""
    costs = np.empty(len(numbers))
    if not len(numbers):
        return costs
    values = optimal_values(answers, explored)
    for game, _ in explored.batches():
        here = slice(*np.searchsorted(numbers, [game.low, game.high]))
        at = numbers[here]
        costs[here] = kernels.costs(
            at - game.low, chosen[at], best[at], game.action_start, game.outcome_start, game.ways, game.next,
            game.sign, game.payoff, game.player, values, float(answers.discount),
        )  # fmt: skip
    return costs


def _mistake(answers: Tabled, explored: Explored, number: int, chosen: int, best: int) -> Mistake:
    state = explored.layout.unpack(explored.keys[number])
    actions = explored.rules.actions(state)
    values = probe(answers, state).actions
    difference: Any = values[actions[best]] - values[actions[chosen]]
    return Mistake(
        state, actions[chosen], actions[best], difference if explored.rules.player(state) == 0 else -difference
    )
