"""Explore a game, solve it by a method that fits its structure, prove it in rationals on request; report failures in the user's terms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.answers.report import Report
from zermelo.answers.stored import Place, StoredAnswers
from zermelo.basics.bounds import interval
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.engines.base import Request
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.exploring.game import explored_game, remarks_on_ways
from zermelo.engines.faults import unsolved
from zermelo.errors import OutOfReach, ParameterError, RulesError
from zermelo.language.checking import check_states
from zermelo.problem.solver import Result, Solver, SolverFailure, Unproven
from zermelo.solvers.auto import choose
from zermelo.solvers.retrograde import Retrograde

LARGEST = 1e100  # the largest payoff or bound
SMALLEST = 2.0**-1074  # the distance of the smallest floats
MOST_EXACT = 40_000  # the most states of a game in which both players choose at once, each with a rational number


def solve_explored(request: Request, exploring_progress: Progress | None = None) -> StoredAnswers:
    """Values, error bounds and an optimal policy of all reachable states. `exploring_progress` : is told how many were found, instead of
    that of the request. Raises `RulesError`, `ParameterError`, `NoValue`, `OutOfReach`."""
    with Stopwatch() as exploring:
        explored = explored_game(request, exploring_progress)
    structure, method = explored.structure, request.solver
    if explored.rules.is_cut_off:  # seen with the lower bounds only; the upper ones may be other than win, draw and loss
        structure = structure._replace(win_draw_loss=False)
    method = method or choose(structure, request.discount)
    if not method.accepts(structure, request.discount):
        with_discount = f", discounted by {request.discount}" if request.discount != 1 else ""
        raise ParameterError(f"{type(method).__name__} does not take this game: {structure.in_words()}{with_discount}")
    with Stopwatch() as solving:
        if explored.rules.is_cut_off:
            solved, exact_values = _joined(*solved_between_bounds(explored, method, request)), None
        else:
            solved, exact_values = _solved(explored, method, request)
    seconds = {
        "compiling": exploring.compiling + solving.compiling, "exploring": exploring.seconds, "solving": solving.seconds,
    }  # fmt: skip
    facts = {**structure._asdict(), "interpreted": explored.is_interpreted}
    odd = remarks_on_ways(request, explored)
    report = Report("explored", type(method).__name__, structure.in_words(), facts, seconds, notes=(*solved.notes, *odd))
    return _answers(explored, solved, exact_values, request.discount, report)


def _answers(explored: Explored, solved: Result, exact_values: Any, discount: float, report: Report) -> StoredAnswers:
    """The answer from the results of exploring and solving."""
    return StoredAnswers(
        explored.rules, explored.layout, explored.keys, solved.value, solved.error, solved.policy, Place(explored.start), solved.argument,
        report, discount, solved.distance, exact_values, solved.mixtures if exact_values is None else None, explored=explored,
    )  # fmt: skip


def solved_between_bounds(explored: Explored, method: Solver, request: Request) -> tuple[Result, Result]:
    """Solve a game that cuts play off twice, with its lower and with its upper bounds. The true values lie between."""
    name = explored.rules.name
    if request.exact:
        raise ParameterError(f"{name} cuts play off and bounds the rest: its value is an interval, and can't be exact")
    if explored.facts["passes"]:
        raise RulesError(name, ["`bounds` and PASS do not go together: say who moves with `player` instead"])
    low, _ = _solved(explored, method, request)
    lower = _final_payoffs(explored)
    try:
        explored.native.count_upper_bounds(True)
        upper = _final_payoffs(explored)
        wrong = ~((lower <= upper) & (np.abs(upper) <= LARGEST))
        if wrong.any():
            state = explored.layout.unpack(explored.keys[int(np.argmax(wrong))])
            check_states(explored.rules, [state])  # raises, with the line
            raise RulesError(
                name, [f"`bounds` at {explored.rules.in_line(state)} are not two numbers, the lower one first"]
            )
        high, _ = _solved(explored, method, request)
    finally:
        explored.native.count_upper_bounds(False)
    return low, high


def _joined(low: Result, high: Result) -> Result:
    """The combined result: intervals that contain the true values."""
    least = np.where(low.error > 0.0, np.nextafter(low.value - low.error, -np.inf), low.value)
    most = np.where(high.error > 0.0, np.nextafter(high.value + high.error, np.inf), high.value)
    value = (least + most) / 2
    error = np.maximum(most - value, value - least)
    error = np.where(error > 0.0, np.nextafter(error, np.inf), 0.0)
    argument = f"solved twice, with the lower and with the upper bounds of the game where it cuts play off; each time: {low.argument}"
    return Result(value, low.policy, error, None, argument, notes=tuple(dict.fromkeys((*low.notes, *high.notes))))


def _final_payoffs(explored: Explored) -> np.ndarray:
    """float64[states]: the payoffs of the states where play ends or is cut off; 0 elsewhere."""
    return np.concatenate([batch.final_payoff[:, 0] for batch, _ in explored.batches()])


def _solved(explored: Explored, method: Solver, request: Request) -> tuple[Result, Any]:
    """The solver's answer and, if wanted, the exact values; failures are reported in the user's terms."""
    discount, progress = request.discount, request.progress
    try:
        if request.exact:
            solved, exact_values = _solved_exactly(explored, method, discount, progress)
        else:
            solved, exact_values = method.solve(explored, discount, progress), None
    except SolverFailure as error:
        def show(number: int) -> str:
            return explored.rules.in_line(explored.layout.unpack(explored.keys[number]))

        helps = isinstance(error, Unproven) and _is_solved(explored, method, discount, progress)
        raise unsolved(explored.rules, error, show, not request.exact, discount == 1, helps) from None
    if hasattr(explored.rules.game, "settled"):
        solved = solved._replace(
            argument=f"{solved.argument}; {_proof_of_settled(explored, solved, exact_values, discount)}"
        )
    return solved, exact_values


def _is_solved(explored: Explored, method: Solver, discount: float, progress: Progress) -> bool:
    """Whether the game is solved in floats."""
    try:
        method.solve(explored, discount, progress)
    except (SolverFailure, OutOfReach):
        return False
    return True


def _solved_exactly(explored: Explored, method: Solver, discount: float, progress: Progress) -> tuple[Result, Any]:
    """The proven policy and the exact values."""
    if explored.rules.is_simultaneous:
        return _solved_by_state(explored, method, discount, progress)
    if isinstance(method, Retrograde):  # wins, draws and losses are whole numbers and already proven
        from zermelo.solvers.rational_values import ExactValues

        solved = method.solve(explored, discount, progress)
        return solved, ExactValues.of(solved.value)
    from zermelo.solvers.rational import solve_exactly

    exact_values, solved = solve_exactly(explored, discount, progress)
    return solved, exact_values


def _solved_by_state(explored: Explored, method: Solver, discount: float, progress: Progress) -> tuple[Result, Any]:
    """A game with simultaneous moves, solved in rationals. Raises `OutOfReach`, and a `SolverFailure` where there is no value at all."""
    from zermelo.solvers.rational_simultaneous import solve_by_state

    name = explored.rules.name
    if not explored.structure.acyclic:
        method.solve(explored, discount, progress)  # says so if there is none
        raise OutOfReach(
            f"{name}: both choose at once and play can return to a state, so that values need not be rational; without `exact` they "
            "are bounded"
        )
    if explored.num_states > MOST_EXACT:
        raise OutOfReach(
            f"{name} has {explored.num_states:,} states, and at most {MOST_EXACT:,} are solved in rationals"
        )
    found = solve_by_state(explored, discount, progress)
    value = np.array([[float(x) for x in values] for values in found.values])
    rounded = [[x != Fraction(y) for x, y in zip(*pair, strict=True)] for pair in zip(found.values, value.tolist(), strict=True)]
    error = np.where(rounded, np.abs(value) * 2.0**-52 + SMALLEST, 0.0)
    argument = "a matrix game in every state, solved in rationals; no response to either strategy is better"
    return Result(value, np.array(found.likeliest, np.int32), error, None, argument), found.values


def _proof_of_settled(explored: Explored, solved: Result, exact_values: Any, discount: float) -> str:
    """Check the game's claim that play is settled in some states (settled.py)."""
    from zermelo.engines.explored.settled import prove

    rules = explored.rules
    if discount != 1:
        raise ParameterError(
            "a game that declares `settled` can't be discounted: its claim is about undiscounted payoffs"
        )

    def upper_value(state: Any) -> Any:
        i = explored.number_of(state)
        if i < 0:
            return None
        return interval(float(solved.value[i, 0]), float(solved.error[i, 0]))[1] if exact_values is None else exact_values[i][0]

    rows = np.concatenate([np.diff(batch.action_start) for batch, _ in explored.batches()])
    if explored.facts["player_1"]:
        continuing = explored.layout.unpack_many(explored.keys[rows > 0])
        at = next(s for s in continuing if rules.player(s) != 0)
        raise RulesError(rules.name, [f"`settled` is for one player, player 0, and {rules.in_line(at)} is player 1's"])
    if explored.facts["pays_negative"] or explored.facts["passes"]:
        at = rules.in_line(explored.layout.unpack(explored.keys[_first_that_takes(explored)]))
        raise RulesError(rules.name, [f"`settled` is for one player and payoffs that are not negative, and {at} has others"])
    with_one_action = explored.layout.unpack_many(explored.keys[rows == 1])  # where play is settled, only the first one was followed
    return prove(rules, [s for s in with_one_action if rules.is_settled(s)], upper_value, exact_values is not None)


def _first_that_takes(explored: Explored) -> int:
    """The number of the first state in which a payoff is negative, or from which play goes on for the other player."""
    for batch, _ in explored.batches():
        takes = (batch.payoff < 0.0).any(axis=1) | (batch.sign < 0)
        rows = np.searchsorted(batch.outcome_start, np.flatnonzero(takes), side="right") - 1
        states = np.searchsorted(batch.action_start, rows, side="right") - 1
        found = [*states, *np.flatnonzero((batch.final_payoff < 0.0).any(axis=1))]
        if found:
            return batch.low + int(min(found))
    raise AssertionError("no payoff is negative")
