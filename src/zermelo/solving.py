"""`solve`: from rules to a certified solution. The steps: check, explore, read the structure, choose a solver, solve, certify."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from zermelo.basics.parameters import check_tolerance
from zermelo.basics.progress import Progress, silent
from zermelo.basics.stopwatch import Stopwatch
from zermelo.engines.explored.agreement import check_agreement
from zermelo.engines.explored.explore import MAX_STATES, Explored, explore
from zermelo.errors import NoValue, OutOfReach, ParameterError, RulesError
from zermelo.language.checking import check, check_states
from zermelo.language.replies import GivenByReplies, is_given_by_replies
from zermelo.language.rules import Rules, read
from zermelo.problem.solver import NotConverged, Solved, Solver, Unbounded, Uncertified, Unproven
from zermelo.problem.structure import Structure
from zermelo.solution import Found, Solution
from zermelo.solvers.auto import choose
from zermelo.solvers.retrograde import Retrograde

if TYPE_CHECKING:
    from zermelo.answers.mixed import MixedSolution

LARGEST = 1e100  # of payoffs and bounds
MOST_STORED = 4_000_000  # states of an urn that are stored one by one
MOST_EXACT = 40_000  # with a rational number each


@overload
def solve(
    game: GivenByReplies, *, exact: bool = ..., tolerance: float | None = ..., progress: Progress = ...
) -> MixedSolution: ...


@overload
def solve(
    game: Any,
    *,
    exact: bool = ...,
    discount: float = ...,
    solver: Solver | None = ...,
    max_states: int | None = ...,
    tolerance: float | None = ...,
    checkpoint: str | Path | None = ...,
    progress: Progress = ...,
) -> Solution: ...


def solve(
    game: Any,
    *,
    exact: bool = False,
    discount: float = 1.0,
    solver: Solver | None = None,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress = silent,
) -> Solution | MixedSolution:
    """Solve a game: its value, an optimal policy for every reachable state, and a certificate.

    `exact` gives rational numbers, proven; `discount` in (0, 1] multiplies what comes one step later (1 is the normal case);
    `solver` replaces the automatic choice (`zermelo.choose`); `max_states` refuses larger games (100 million
    states if they are explored, else what fits memory); `tolerance` is how far
    the value may be from the truth (relative; absolute below a value of 1); with `checkpoint` a long sweep over the
    stages of an urn goes on from this file, and is saved there; `progress(what, done, total)` is called now and then.
    A game of hidden choice given by best replies (`best_row`, `best_column`) is solved exactly unless there is a tolerance.
    Raises `RulesError` (all faults of the rules at once), `ParameterError`, `NoValue`, `OutOfReach`, `FileError`.
    """
    if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0 < discount <= 1:
        raise ParameterError(f"discount must be greater than 0 and at most 1, not {discount!r}")
    if max_states is not None and (isinstance(max_states, bool) or not isinstance(max_states, int) or max_states < 1):
        raise ParameterError(f"max_states must be a whole number of at least 1, not {max_states!r}")
    check_tolerance(tolerance)
    if is_given_by_replies(game):
        from zermelo.engines.replies import solve_by_replies

        if discount != 1 or solver is not None or checkpoint is not None:
            raise ParameterError(
                f"{type(game).__name__} is given by best replies: discount, solver and checkpoint are for other games"
            )
        return solve_by_replies(game, None if exact else tolerance, progress)
    if _is_swept(game, exact, tolerance, checkpoint):
        from zermelo.engines.urn import solve_urn

        if discount != 1 or solver is not None:
            raise OutOfReach(
                f"{type(game).__name__}: so large an urn is swept stage by stage, without discount or another solver; "
                "give smaller parameters"
            )
        check(game)
        return solve_urn(read(game), exact, tolerance, checkpoint, progress)
    if checkpoint is not None:
        raise ParameterError(
            f"{type(game).__name__} is solved in one go: a checkpoint is for sweeps over the stages of an urn"
        )
    rules = read(game)
    if rules.is_staged and not exact and discount == 1 and solver is None:
        from zermelo.engines.stages import Unsettled as UnsettledStage
        from zermelo.engines.stages import solve_stages

        try:
            solution = solve_stages(rules, check(game).states, max_states, progress)
            return _checked(solution, tolerance, "`exact` proves it")
        except (
            UnsettledStage
        ):  # play goes on for very long, or for ever: the general engine knows more methods, and tells
            pass
    if rules.is_entered and not exact and discount == 1 and solver is None:
        from zermelo.engines.entries import Unsettled as UnsettledEntry
        from zermelo.engines.entries import solve_entries

        with contextlib.suppress(UnsettledEntry):  # a stage where little leads on, or much leads back
            return _checked(
                solve_entries(rules, check(game).states, max_states, progress), tolerance, "`exact` proves it"
            )
    if rules.ranked is not None and discount == 1 and solver is None:
        from zermelo.engines.boards.solving import Unfit, is_large, solve_board

        try:
            if is_large(rules):
                check(game)
                return solve_board(rules, max_states, progress)
        except Unfit:  # there is chance in it, or more than wins, draws and losses
            pass
    with Stopwatch() as exploring:
        explored = explored_game(game, max_states, progress)
    structure = explored.structure
    if explored.rules.is_cut_off:  # seen with the lower bounds only; the upper ones may be neither win, draw nor loss
        structure = structure._replace(win_draw_loss=False)
    method = solver or choose(structure, discount)
    if not method.accepts(structure, discount):
        with_discount = f", discounted by {discount}" if discount != 1 else ""
        raise ParameterError(f"{type(method).__name__} does not take this game: {structure.in_words()}{with_discount}")
    with Stopwatch() as solving:
        if explored.rules.is_cut_off:
            solved, exact_values = _solved_between_bounds(explored, method, exact, discount, progress), None
        else:
            solved, exact_values = _solved(explored, method, exact, discount, progress)
    statistics = {
        **structure._asdict(),
        "solver": type(method).__name__,
        "seconds compiling": exploring.compiling + solving.compiling,
        "seconds exploring": exploring.seconds,
        "seconds solving": solving.seconds,
    }
    solution = solution_of(explored, solved, exact_values, discount, statistics)
    return _checked(solution, tolerance, "bound it more closely" if explored.rules.is_cut_off else "`exact` proves it")


def _checked(solution: Solution, tolerance: float | None, advice: str) -> Solution:
    """The solution if its value is certified to the tolerance."""
    width = float(solution.high - solution.low) / 2
    if tolerance is not None and width > tolerance * max(1.0, abs(float(solution.value))):
        raise OutOfReach(f"{solution.rules.name}: the value is certified to {width:.1e} only; {advice}")
    return solution


def _is_swept(game: Any, exact: bool, tolerance: float | None, checkpoint: Any) -> bool:
    """Whether a game on an urn is solved stage by stage in a window: if it is large, or a tolerance or checkpoint is given."""
    if not callable(getattr(game, "urn", None)):
        return False
    rules = read(game)
    try:
        plus, minus = rules.game.urn(rules.start)
        states = (plus + 1) * (minus + 1)
    except Exception:  # the checker finds it again, and tells it with its line
        return False
    return states > (MOST_EXACT if exact else MOST_STORED) or tolerance is not None or checkpoint is not None


def _solved_between_bounds(
    explored: Explored, method: Solver, exact: bool, discount: float, progress: Progress
) -> Solved:
    """Solve twice where the game cuts play off: with its lower and with its upper bounds. What is true lies between."""
    name = explored.rules.name
    if exact:
        raise ParameterError(f"{name} cuts play off and bounds the rest: its value is an interval, and can't be exact")
    if explored.facts["passes"]:
        raise RulesError(name, ["`bounds` and PASS do not go together: say who moves with `player` instead"])
    low, _ = _solved(explored, method, False, discount, progress)
    lower = _final_payoffs(explored)
    try:
        explored.native.count_upper_bounds(True)
        upper = _final_payoffs(explored)
        wrong = ~((lower <= upper) & (np.abs(upper) <= LARGEST))
        if wrong.any():
            state = explored.layout.unpack(int(explored.keys[int(np.argmax(wrong))]))
            check_states(explored.rules.game, [state])  # raises, with the line
            raise RulesError(
                name, [f"`bounds` at {explored.rules.show(state)} are no two numbers, the lower one first"]
            )
        high, _ = _solved(explored, method, False, discount, progress)
    finally:
        explored.native.count_upper_bounds(False)
    least, most = low.value - low.error, high.value + high.error
    value = (least + most) / 2
    error = np.maximum(most - value, value - least) + 2.0**-52 * np.abs(value)
    argument = f"solved twice, with the lower and with the upper bounds of the game where it cuts play off; each time: {low.argument}"
    return Solved(value, low.policy, error, None, argument)


def _final_payoffs(explored: Explored) -> np.ndarray:
    """float64[states]: the payoffs of the states where play ends or is cut off; 0 elsewhere."""
    return np.concatenate([batch.final_payoff[:, 0] for batch, _ in explored.batches()])


def _solved(explored: Explored, method: Solver, exact: bool, discount: float, progress: Progress) -> tuple[Solved, Any]:
    """The solver's answer and, if wanted, the exact values; failures are told in the user's words."""
    try:
        solved = method.solve(explored, discount, progress)
        exact_values = None
        if exact and explored.rules.is_simultaneous:
            exact_values = _solved_by_state(explored, discount, progress)
            solved = solved._replace(
                argument="a matrix game in every state, solved in rationals; no reply to either strategy is better"
            )
        elif exact:
            from zermelo.solvers.rational import ExactValues, solve_exactly

            proven = isinstance(method, Retrograde)  # wins, draws and losses are whole numbers and proven already
            exact_values, solved = (
                (ExactValues.of(solved.value), solved)
                if proven
                else solve_exactly(explored, solved, discount, progress)
            )
    except (Unbounded, NotConverged, Uncertified) as error:
        raise NoValue(_in_words(explored, "no value that can be certified", error.states, str(error.why))) from None
    except Unproven as error:
        raise OutOfReach(_in_words(explored, "no exact value that can be proven", error.states, error.why)) from None
    if hasattr(explored.rules.game, "settled"):
        solved = solved._replace(
            argument=f"{solved.argument}; {_proof_of_settled(explored, solved, exact_values, discount)}"
        )
    return solved, exact_values


def _solved_by_state(explored: Explored, discount: float, progress: Progress) -> Any:
    """Rational values of a game in which both choose at once."""
    from zermelo.solvers.rational_simultaneous import solve_by_state

    name = explored.rules.name
    if not explored.structure.acyclic:
        raise OutOfReach(
            f"{name}: both choose at once and play can return to a state, so that values need not be rational; without `exact` they "
            "are bounded"
        )
    if explored.num_states > MOST_EXACT:
        raise OutOfReach(
            f"{name} has {explored.num_states:,} states, and at most {MOST_EXACT:,} are solved in rationals"
        )
    return solve_by_state(explored, discount, progress)


def _proof_of_settled(explored: Explored, solved: Solved, exact_values: Any, discount: float) -> str:
    """Check the game's claim that play is settled in some states (settled.py)."""
    from zermelo.engines.explored.settled import prove

    rules = explored.rules
    if discount != 1:
        raise ParameterError(
            "a game that declares `settled` can't be discounted: its claim is about undiscounted payoffs"
        )
    states = explored.layout.unpack_many(explored.keys)
    number = {state: i for i, state in enumerate(states)}

    def upper_value(state: Any) -> Any:
        i = number.get(state)
        if i is None:
            return None
        return float(solved.value[i, 0] + solved.error[i, 0]) if exact_values is None else exact_values[i][0]

    return prove(rules, [s for s in states if rules.all_actions(s) and rules.is_settled(s)], upper_value)


def _in_words(explored: Explored, what: str, states: list[int], why: str) -> str:
    """A failure of a solver with the states as the user knows them."""
    shown = [explored.rules.show(explored.layout.unpack(int(explored.keys[i]))) for i in states[:3]]
    more = f" and {len(states) - 3:,} more" if len(states) > 3 else ""
    return f"{explored.rules.name} has {what}: {why}. States: {'; '.join(shown)}{more}"


def explored_game(game: Any, max_states: int | None = None, progress: Progress = silent) -> Explored:
    """Check the rules and find the states."""
    rules = read(game)
    sample = check(game)
    explored = explore(rules, sample.states, MAX_STATES if max_states is None else max_states, progress)
    check_agreement(explored)
    return explored


def examine(game: Any) -> Structure:
    """The structure of a game, found by exploring it."""
    return explored_game(game).structure


def solution_of(
    explored: Explored, solved: Solved, exact_values: Any, discount: float, statistics: dict[str, Any]
) -> Solution:
    """Put together what exploring and solving gave."""
    found = Found(
        explored.keys,
        solved.value,
        solved.error,
        solved.policy,
        solved.distance,
        exact_values,
        explored.start,
        solved.argument,
        mixtures=solved.mixtures if exact_values is None else None,
    )
    solution = Solution(explored.rules, explored.layout, found, discount, statistics)
    solution._engine = explored
    return solution


def engine_of(solution: Solution) -> Explored:
    """The explored game behind a solution; explored anew where the solution was opened from a file."""
    solution.require_states("this")
    if solution._engine is None:
        solution._engine = explored_game(solution.game)
    return solution._engine


__all__ = ["Rules", "Solution", "engine_of", "examine", "explored_game", "solution_of", "solve"]
