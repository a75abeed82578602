"""The worth of given strategies where both choose at once, and the best response to one: `evaluate` and `best_response` for such games.

Under fixed strategies of both, pure or mixed, a game is pure chance: the outcomes of all pairs of actions, weighted with their
probabilities. Under a fixed strategy of one player it is a game for the other player alone. Both are solved like any other game,
certificate included, and in rationals where the solution is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from zermelo.answers.base import Tabled
from zermelo.basics.bounds import interval
from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress
from zermelo.certificates.fixed_strategies import chain_blur, left_blur, left_to, mixed_chain
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import answer_of, position
from zermelo.errors import NoValue, OutOfReach
from zermelo.language.rules import Action, State
from zermelo.matrix.mixture import probabilities
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.solver import Result, Solver
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.uses.chain import (
    LiftedChain,
    all_of,
    by_mixtures,
    by_number,
    check_policy,
    joined,
    play_out,
    without_circling,
)
from zermelo.uses.evaluation import (
    LEAST_FAVOURABLE_MIXTURE,
    MIXTURE,
    Evaluation,
    Response,
    failures_in_words,
    opponents,
)
from zermelo.uses.least_mixtures import against_least_favourable
from zermelo.uses.legal import check_seat
from zermelo.uses.need import explored_of
from zermelo.uses.probe import MixedPolicy
from zermelo.uses.response_policy import StoredPolicy
from zermelo.uses.until import check_response_ends, rely, surely_ends

Strategy = Callable[[State], Action | Mapping[Action, float]]
Asked = dict[int, list[Fraction]]  # by state number: the probabilities of the legal actions, where there are several


def evaluate_joint(
    answers: Tabled, optimal: Any, policy: Strategy, opponent: Strategy | None, seat: int, progress: Progress
) -> Evaluation:
    """The worth of `policy` in `seat` against `opponent`, or against the least favourable of all opponents that mix optimally: that play,
    in every state, a mixture that is optimal in the matrix of that state at the values of optimal play. optimal : the value of the start.

    In a game that never returns to a state these are just the optimal opponents. Where play can return, an opponent may mix optimally in
    every state and still postpone its goal forever. Such opponents are included, as in games where players take turns.
    Where that leaves a payoff without a value, and where the bounds fail, the policy is played against the solution's own mixture, and
    `against` says so. In floats, mixtures that are optimal up to rounding (1e-10 of the span of a matrix) count as optimal; the bounds
    are those of the opponent that was found.

    A strategy is a function from a state to an action, or to the probabilities of actions as a dict. It is called in every state where
    its player has a choice. (No list of mistakes: single decisions have no cost of their own where both mix.)
    """
    explored = _explored(answers, seat)
    asked = _asked(explored, policy, opponent, seat, progress)
    payoffs: dict[str, Number]
    against = LEAST_FAVOURABLE_MIXTURE
    if answers.is_exact:
        values, _ = _followed(answers, explored, (asked[0], asked[1]), None, progress)
        payoffs, errors = _named(explored, values[explored.start]), [0.0] * explored.num_payoffs
    else:
        used = _used(answers, explored, asked)
        start, solved, against = _best_or_given(answers, explored, used, opponent is None, seat, progress)
        payoffs, errors = _named(explored, solved.value[start].tolist()), solved.error[start].tolist()
    bounds = {name: interval(v, e) for (name, v), e in zip(payoffs.items(), errors, strict=True)}
    value, (low, high) = next(iter(payoffs.values())), next(iter(bounds.values()))
    loss = _beyond(answers, optimal, value, 1 - seat)
    if opponent is None:
        loss = max(loss, type(loss)(0))  # no negative loss by rounding
    return Evaluation(value, low, high, loss, payoffs, bounds, seat, explored.num_states, (), opponents(answers.report, opponent, against))


def _best_or_given(
    answers: Tabled, explored: Explored, used: Mixtures, is_free: bool, seat: int, progress: Progress
) -> tuple[int, Result, str]:
    """The place of the start, all values, and the opponent that they refer to if none was given: the least favourable one (`is_free`), or
    one that keeps to the mixtures `used`."""
    if is_free:
        try:
            game, solved = against_least_favourable(answers, explored, _left_rows(explored, used, 1 - seat), used, seat, progress)
            if not explored.rules.must_end or surely_ends(game.game, game.start):
                rely(answers, explored, game.nodes >> 1)
                return game.start, solved, LEAST_FAVOURABLE_MIXTURE
        except (NoValue, OutOfReach):  # such an opponent may choose endless play
            pass
    played = _reached(explored, _played(explored, used), max(chain_blur(batch) for batch, _ in explored.batches()))
    _check_ends(played)
    if is_free:
        rely(answers, explored, played.nodes >> 1)
    with failures_in_words(played, answers):
        return played.start, Cyclic().solve(played, answers.discount, progress), MIXTURE


def joint_chain(
    answers: Tabled, policy: Strategy | None, opponent: Strategy | None, seat: int, progress: Progress
) -> Transitions:
    """The play in all states if `policy` plays `seat` against `opponent`; None stands for the optimal mixture."""
    explored = _explored(answers, seat)
    game = _played(explored, _used(answers, explored, _asked(explored, policy, opponent, seat, progress)))
    played = _reached(explored, game, 0.0)
    _check_ends(played)
    if None in (policy, opponent):
        rely(answers, explored, played.nodes >> 1)
    return game


def _asked(
    explored: Explored, policy: Strategy | None, opponent: Strategy | None, seat: int, progress: Progress
) -> list[Asked | None]:
    """The answers of the strategies of player 0 and of player 1."""
    policies = [policy if side == seat else opponent for side in (0, 1)]
    return [None if given is None else _ask(explored, given, side, progress) for side, given in enumerate(policies)]


def best_response_joint(answers: Tabled, optimal: Any, opponent: Strategy, seat: int, progress: Progress) -> Response:
    """The best that `seat` can do against the strategy `opponent` of the other player, pure or mixed, with a policy that does it.
    optimal : the value of the start.

    The response is a function from a state to a single action; against a fixed strategy no mixture is needed. It is best in all states, or,
    where some have no value against this strategy, in those that play can come to, and the first action elsewhere.
    """
    explored = _explored(answers, seat)
    asked: list[Asked | None] = [None, None]
    asked[1 - seat] = _ask(explored, opponent, 1 - seat, progress)
    if answers.is_exact:
        values, chosen = _followed(answers, explored, (asked[0], asked[1]), seat, progress)
        payoffs, errors = _named(explored, values[explored.start]), [0.0] * explored.num_payoffs
    else:
        left, solved = _left_solved(answers, explored, _used(answers, explored, asked), seat, progress)
        payoffs, errors = _named(explored, solved.value[left.start].tolist()), solved.error[left.start].tolist()
        chosen = np.where(_choices(explored, seat) > 0, 0, -1).astype(np.int32)
        chosen[left.nodes >> 1] = solved.policy
    value = next(iter(payoffs.values()))
    low, high = interval(value, errors[0])
    gain = _beyond(answers, optimal, value, seat)
    chosen = np.asarray(chosen)
    own = np.flatnonzero(chosen >= 0)
    reply = StoredPolicy(explored, own, chosen[own], seat)
    return Response(value, low, high, max(gain, type(gain)(0)), payoffs, seat, explored.num_states, reply)


def _explored(answers: Tabled, seat: int) -> Explored:
    """The explored game; refuses games in which strategies can't be followed."""
    check_seat(seat)
    explored = explored_of(answers)
    if explored.facts["passes"]:
        raise OutOfReach(
            f"{explored.rules.name}: strategies can't be evaluated where both choose at once and -1 exchanges the players"
        )
    return explored


def _check_ends(played: LiftedChain) -> None:
    """Raise `NoValue` if the game declares `must_end` and play may not end."""
    if played.rules.must_end:
        without_circling(played)


def _beyond(answers: Tabled, optimal: Any, value: Number, seat: int) -> Any:
    """The amount by which a value is better for `seat` than the optimal one."""
    if not answers.is_exact:
        optimal = float(optimal)
    return value - optimal if seat == 0 else optimal - value


def _named(explored: Explored, values: Sequence[Number]) -> dict[str, Number]:
    return dict(zip(explored.rules.payoffs, values, strict=True))


# --- the play ---------------------------------------------------------------------------------------------------


def _used(answers: Tabled, explored: Explored, asked: Sequence[Asked | None]) -> Mixtures:
    """The mixtures of both players in floats: the requested ones, and the solution's for None."""
    best = by_mixtures(answers, explored)
    parts = (best.own.copy(), best.other.copy())
    for starts, weights, found in zip((best.own_start, best.other_start), parts, asked, strict=True):
        for number, mixture in (found or {}).items():
            weights[starts[number] : starts[number + 1]] = [float(p) for p in mixture]
    return best._replace(own=parts[0], other=parts[1])


def _followed(
    answers: Tabled,
    explored: Explored,
    asked: tuple[Asked | None, Asked | None],
    answering: int | None,
    progress: Progress,
) -> Any:
    """Payoffs and responses in rationals, by number."""
    from zermelo.solvers.rational_simultaneous import follow_strategies

    order = by_number(answers, explored, np.arange(explored.num_states))
    optimal = [answers.exact[k] for k in order.tolist()]
    return follow_strategies(explored, optimal, asked, answering, answers.discount, progress)


def _left_solved(
    answers: Tabled, explored: Explored, used: Mixtures, seat: int, progress: Progress
) -> tuple[LiftedChain, Result]:
    """The game that remains for `seat`, solved: in all states, or, where some have no value, or play must end, in those that play can come
    to."""
    rows, blur = _left_rows(explored, used, seat), max(left_blur(batch) for batch, _ in explored.batches())

    def solved(left: LiftedChain) -> tuple[LiftedChain, Result]:
        method: Solver = Backward() if left.is_acyclic else Cyclic()
        with failures_in_words(left, answers):
            return left, method.solve(left, answers.discount, progress)

    if explored.rules.must_end:
        left = _reached(explored, rows, blur)
        if seat == 0:
            check_response_ends(left)
        found = solved(left)
        if seat == 1:
            check_response_ends(left, found[1].policy)
        return found
    try:
        return solved(all_of(explored, rows, blur))
    except (NoValue, OutOfReach):
        return solved(_reached(explored, rows, blur))


def _left_rows(explored: Explored, used: Mixtures, seat: int) -> Transitions:
    """The same in all states, by their numbers."""
    return joined(explored, [_kept(left_to(seat, b, used.between(b.low, b.high))) for b, _ in explored.batches()])


def _played(explored: Explored, used: Mixtures) -> Transitions:
    """The game of pure chance that both strategies lead to, in all states."""
    return joined(explored, [_kept(mixed_chain(b, used.between(b.low, b.high))) for b, _ in explored.batches()])


def _reached(explored: Explored, game: Transitions, blur: float) -> LiftedChain:
    """The part that play can come to: elsewhere, strategies need not give a value."""
    return replace(play_out(explored, (None, None), game=game), blur=blur)


def _kept(part: Transitions) -> Transitions:
    """A batch whose arrays the next one does not overwrite."""
    return part._replace(final_payoff=part.final_payoff.copy(), player=part.player.copy())


def _ask(explored: Explored, policy: Strategy, side: int, progress: Progress) -> Asked:
    """The answers of a strategy in all states where its player has a choice."""
    check_policy(policy)
    rules, found = explored.rules, {}
    counts = _choices(explored, side)
    states = np.flatnonzero(counts > 1)
    for k, number in enumerate(states.tolist()):
        state = explored.layout.unpack(explored.keys[number])
        found[number] = answered(rules, policy, state, side)
        if k % 4096 == 0:
            progress("asking the policy", k, len(states))
    return found


def _choices(explored: Explored, side: int) -> np.ndarray:
    """int64[states]: the number of the player's actions."""
    widths = np.asarray(explored.widths(0, explored.num_states), np.int64)
    if side == 0:
        return widths
    rows = np.concatenate([np.diff(b.action_start) for b, _ in explored.batches()])
    return rows // np.maximum(widths, 1)


def answered(rules: Any, policy: Strategy, state: State, side: int) -> list[Fraction]:
    """The strategy's answer as probabilities of the player's actions. A solution's own `policy` answers for the player who is asked.
    Raises `ParameterError`."""
    if isinstance(policy, MixedPolicy):
        policy = partial(policy, seat=side)
    legal, answer = rules.choices(state)[side], answer_of(rules, policy, state)
    given = answer.items() if isinstance(answer, Mapping) else [(answer, 1)]
    mixture = {legal[position(rules, state, legal, action)]: p for action, p in given}
    found = probabilities(mixture, f"the policy's probabilities at {rules.in_line(state)}")
    return [found.get(action, Fraction(0)) for action in legal]
