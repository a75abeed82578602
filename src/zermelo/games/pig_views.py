"""Tables and pictures of Pig, Piglet and Pig to an exact goal: at which turn totals to hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.words import no_such
from zermelo.errors import ParameterError
from zermelo.games.pig import HOLD
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, box_of, sampled
from zermelo.views.table import Table, thinned
from zermelo.views.words import finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLED = 12  # rows and columns of a table of scores
SCORES = ("mine", "theirs")  # what --fix may name
LINES = 5  # scores of the opponent that a picture has a line for
FAR = 50  # the goal from which on the title states what the lines show
PUZZLE = (41, 49)  # scores at which holding is best at 22 to 26 and again from 28 on


class Decisions(NamedTuple):
    """Arrays [mine, theirs, turn] over all states."""

    exists: np.ndarray  # bool
    hold: np.ndarray  # bool: holding is best; also where the turn total reaches the goal
    value: np.ndarray  # of the state, for the player to move


@lru_cache(maxsize=4)
def decisions(solution: Solution) -> Decisions:
    goal = solution.game.goal
    shape = (slice(0, goal),) * 2
    exists = box_of(solution, np.ones(solution.space.size, dtype=bool), False)[shape]
    position = box_of(solution, solution.action_numbers, -1)[shape]
    mine, _, turn = np.ogrid[[slice(0, n) for n in exists.shape]]
    reached = mine + turn == goal
    possible = exists & (mine + turn <= goal)
    value = box_of(solution, solution.values, np.nan)[shape]
    return Decisions(possible, possible & ((position == HOLD) | reached), value)


def hold_totals(solution: Solution) -> np.ndarray:
    """The least turn total at which to hold, [mine, theirs]; 0 where no play leads to these scores."""
    d = decisions(solution)
    return np.where(d.exists[:, :, 0], np.argmax(d.hold, axis=2), 0)


def hold_set(solution: Solution, mine: int, theirs: int) -> list[int]:
    """All turn totals at which holding is best, those that reach the goal not counted."""
    goal = solution.game.goal
    return [int(t) for t in np.flatnonzero(decisions(solution).hold[mine, theirs]) if mine + t < goal]


def ranges(numbers: Sequence[int], among: Sequence[int] | None = None) -> str:
    """Numbers as ranges: "22-26, 28-56"; neighbours are taken `among` those that occur."""
    order = {n: i for i, n in enumerate(among if among is not None else range(max(numbers, default=0) + 1))}
    runs: list[list[int]] = []
    for n in numbers:
        if runs and order[n] == order[runs[-1][-1]] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def probability(value: Any) -> Any:
    return (1 + value) / 2


# --- the contest of exact Pig -----------------------------------------------------------------------------------------


def advantage(solution: Solution) -> np.ndarray:
    """The gain of holding over rolling, [mine, theirs, turn], for exact Pig with its full box of states; NaN where
    there is no such choice."""
    goal = solution.game.goal
    value = box_of(solution, solution.values, np.nan)
    found = np.full((goal, goal, goal + 1), np.nan)
    for mine in range(goal):
        for turn in range(1, goal - mine + 1):
            lost = -value[:goal, mine, 0] if mine < goal else np.zeros(goal)
            rolled = lost.copy()
            for face in range(2, 7):
                rolled += value[mine, :goal, turn + face] if mine + turn + face <= goal else lost
            held = -value[:goal, mine + turn, 0] if mine + turn <= goal else lost
            found[mine, :, turn] = held - rolled / 6
    return found


@lru_cache(maxsize=2)
def _strict(solution: Solution) -> np.ndarray:
    """bool[mine, theirs, turn]: holding is better than rolling by more than all errors together."""
    return np.nan_to_num(advantage(solution), nan=-1.0) > 4 * float(np.max(solution.errors)) + 1e-14


def holds_strictly(solution: Solution, mine: Sequence[int], theirs: Sequence[int], turn: Sequence[int]) -> list[bool]:
    """For many queries at once: is holding strictly better than rolling?"""
    return _strict(solution)[np.asarray(mine, int), np.asarray(theirs, int), np.asarray(turn, int)].tolist()


# --- tables -----------------------------------------------------------------------------------------------------------


def hold_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    totals, goal = hold_totals(solution), solution.game.goal
    title = f"{_name(solution)}: the least turn total at which to hold"
    cell = {at: int(t) for at, t in np.ndenumerate(totals)}
    marked = {at for at, t in cell.items() if t == goal - at[0]}
    return _scores(solution, title, cell, marked, "roll on to the goal")


def win_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    d = decisions(solution)
    cell = {at: float(probability(v)) for at, v in np.ndenumerate(d.value[:, :, 0]) if d.exists[*at, 0]}
    return _scores(solution, f"{_name(solution)}: probability that the player to move wins", cell, set(), "")


def _scores(solution: Solution, title: str, cell: dict[Any, Any], marked: set[Any], mark: str) -> Table:
    return thinned(lambda limit: _some_scores(solution, title, cell, marked, mark, limit), SAMPLED)


def _some_scores(solution: Solution, title: str, cell: dict[Any, Any], marked: set[Any], mark: str, limit: int) -> Table:
    scores, note = sampled(np.arange(solution.game.goal), limit)
    rows = tuple((int(m), *(cell.get((int(m), int(t))) for t in scores)) for m in scores)
    at = {(i, j + 1) for i, m in enumerate(scores) for j, t in enumerate(scores) if (int(m), int(t)) in marked}
    notes = ["rows: score of the player to move, columns: the opponent's"] + ([f"{note} of each score"] if note else [])
    header = ("mine \\ theirs", *(str(t) for t in scores))
    return Table(title, header, rows, tuple(notes), frozenset(at), mark if at else "")


def turn_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """What to do at one pair of scores, by turn total."""
    mine, theirs = pair(solution, fix)
    d, goal = decisions(solution), solution.game.goal
    totals = [int(t) for t in np.flatnonzero(d.exists[mine, theirs]) if mine + t < goal]
    runs: list[list[int]] = []
    for t in totals:
        if runs and d.hold[mine, theirs, t] == d.hold[mine, theirs, runs[-1][-1]]:
            runs[-1].append(t)
        else:
            runs.append([t])
    rows: list[tuple[Any, ...]] = [
        (ranges(run, totals), _action(d.hold[mine, theirs, run[0]], solution), _win(d, mine, theirs, run[0]),
         _win(d, mine, theirs, run[-1])) for run in runs
    ]  # fmt: skip
    rows.append((str(goal - mine), "has reached the goal", None, None))
    title = f"{_name(solution)} at {mine} against {theirs}, by turn total"
    notes = ("another pair of scores: --fix mine=N --fix theirs=N",)
    columns = ("turn total", "best action", "wins, at the first of these", "at the last")
    return Table(title, columns, tuple(rows), notes, decimals=6)


def _win(d: Decisions, mine: int, theirs: int, turn: int) -> float:
    return float(probability(d.value[mine, theirs, turn]))


def _action(holds: bool, solution: Solution) -> str:
    return solution.rules.action_name(1 if holds else 0)


def pair(solution: Solution, fix: Fix) -> tuple[int, int]:
    """The scores of both players that `fix` names; those of the published puzzle where they exist, else 0 and 0."""
    for name in fix:
        if name not in SCORES:
            raise ParameterError(no_such("field", name, SCORES, "this view"))
    goal = solution.game.goal
    mine, theirs = PUZZLE if goal > max(PUZZLE) and not fix else (0, 0)
    mine, theirs = fix.get("mine", mine), fix.get("theirs", theirs)
    if not (0 <= mine < goal and 0 <= theirs < goal) or not decisions(solution).exists[mine, theirs, 0]:
        raise ParameterError(f"no play of {_name(solution)} leads to {mine} against {theirs}")
    return mine, theirs


def _name(solution: Solution) -> str:
    name = type(solution.game).__name__
    return f"{'Pig to exactly' if name == 'ExactPig' else f'{name} to'} {solution.game.goal}"


TABLES = {
    "hold": View("the least turn total at which to hold, by both scores", hold_table, discounted=True),
    "turn": View("what to do at one pair of scores, by turn total", turn_table, takes_fix=SCORES),
    "win": View("the probability that the player to move wins, by both scores", win_table),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def boundary_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left: the least total at which to hold, a line for each of some scores of the opponent. Right: what to do against one of them."""
    from zermelo.views.plot import BLUE, ORANGE, PAIR, canvas, key, two_actions, whole_numbers

    mine, theirs = pair(solution, fix)
    goal, d = solution.game.goal, decisions(solution)
    totals = hold_totals(solution)[0, d.exists[0, :, 0]]
    few = "Hold later against a higher score" if (np.diff(totals) >= 0).all() and totals[0] < totals[-1] else "When to hold"
    few = few if _holds_early(solution).any() else "Roll on to the goal: never hold before it"
    title = "Hold earlier when far ahead, later when far behind" if goal >= FAR else few
    figure, (left, right) = canvas(title, 13, 6.2, 1, 2, f"{_name(solution)}. {finding(solution)}")
    _threshold_lines(left, solution)
    states = np.where(d.exists[:, theirs], d.hold[:, theirs].astype(float), np.nan)
    reached = np.add.outer(np.arange(goal), np.arange(states.shape[1])) >= goal
    states = np.where(reached & d.exists[:, theirs], 2, states)
    two_actions(right, states.T, (-0.5, goal - 0.5, -0.5, states.shape[1] - 0.5))
    for edge in (mine - 0.5, mine + 0.5):
        right.axvline(edge, color=ORANGE, linewidth=0.9)
    said = ranges(hold_set(solution, mine, theirs), [int(t) for t in np.flatnonzero(d.exists[mine, theirs])])
    right.set(xlabel="score of the player to move", ylabel="turn total", ylim=(-0.5, min(goal, states.shape[1]) - 0.5))
    marked = f"; with {mine} (orange) hold at {said}" if said else ""
    right.set_title(f"what to do against {theirs}{marked}", loc="left")
    roll, hold = _action(False, solution), _action(True, solution)
    unreached = {"does not occur": "white"} if not d.exists[:goal, theirs, 0].all() else {}
    key(right, {roll: PAIR[0], hold: BLUE, "goal reached": "#D0D0D0", **unreached}, loc="upper right")
    whole_numbers(left, right)
    return figure


def _holds_early(solution: Solution) -> np.ndarray:
    """By both scores, whether the least total at which to hold is less than what reaches the goal."""
    goal, totals = solution.game.goal, hold_totals(solution)
    return decisions(solution).exists[:goal, : totals.shape[1], 0] & (totals < goal - np.arange(goal)[:, None])


def _threshold_lines(axes: Any, solution: Solution) -> None:
    """The least total at which to hold, by the mover's score; where it would reach the goal, the line ends at the goal's own."""
    from zermelo.views.plot import GREY, INK, shades

    goal, d = solution.game.goal, decisions(solution)
    own = np.flatnonzero(d.exists[:, 0, 0])  # a score of 1 does not occur in Pig
    scores = list(dict.fromkeys(int(own[np.abs(own - goal * k / LINES).argmin()]) for k in range(LINES)))
    axes.plot([0, goal], [goal, 0], color=GREY, linewidth=1, linestyle="--")
    axes.text(goal * 0.62, goal * 0.40, "reaches the goal", color=INK, fontsize=9)
    totals, early = hold_totals(solution), _holds_early(solution)
    apart = 0.08 if goal < FAR else 0.0  # between lines that would coincide
    for k, (theirs, colour) in enumerate(zip(scores, shades(len(scores)), strict=True)):
        at = totals[own, theirs].astype(float)
        at += apart * (k - (len(scores) - 1) / 2)
        axes.step(own, np.where(early[own, theirs], at, np.nan), where="mid", color=colour, linewidth=1.8, label=str(theirs))
    if early.any():
        axes.legend(title="opponent's score", frameon=False, fontsize=9, loc="upper right")
    axes.set(xlabel="score of the player to move", ylabel="hold from this turn total on", xlim=(-0.5, goal), ylim=(0, None))
    axes.set_ylim(0, min(goal, 1.6 * float(np.nanmax(np.where(early, totals, 0)))) or goal)
    axes.set_title("the least turn total at which to hold", loc="left")
    axes.grid(alpha=0.3)


def win_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The probability that the player to move wins, by both scores."""
    from zermelo.views.plot import canvas, chances, whole_numbers

    d = decisions(solution)
    about = f"{_name(solution)}: the probability that the player to move wins"
    figure, axes = canvas(finding(solution), 7.4, 6.2, about=about)
    chances(figure, axes, np.where(d.exists[:, :, 0], probability(d.value[:, :, 0]), np.nan))
    axes.set(xlabel="opponent's score", ylabel="score of the player to move")
    whole_numbers(axes)
    return figure


FIGURES = {
    "boundary": View(
        "when to hold: by both scores, and against one score of the opponent", boundary_figure, takes_fix=SCORES
    ),
    "win": View("the probability that the player to move wins, by both scores", win_figure),
}
