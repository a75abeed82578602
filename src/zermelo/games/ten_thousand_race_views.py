"""Tables and pictures of the races of Ten Thousand and Farkle: when to roll on, compared with play for a single turn; head starts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.words import no_such
from zermelo.errors import ParameterError, UnreachableState
from zermelo.games.dice_sets import POINTS_A_CHIP
from zermelo.games.dice_sums import so_many_dice
from zermelo.games.pig_views import ranges
from zermelo.games.ten_thousand import ENOUGH, ROLL, STOP, TenThousand
from zermelo.games.ten_thousand import State as Alone
from zermelo.games.ten_thousand_race import BANK, HOT_DICE_STAY, State, bank_at
from zermelo.games.ten_thousand_views import options
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, any_solution, sampled
from zermelo.views.table import Cell, Table, thinned
from zermelo.views.words import finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLED = 12  # rows and columns of a table of scores
SCORES = ("mine", "theirs")  # what --fix may name
HEAD_STARTS = 16  # chips that the second player may begin with, in the table of head starts
SIMPLE = (4, 5, 6, 7)  # chips at which simple policies bank
PICTURED = 60  # turn totals in a picture


# --- what is best -----------------------------------------------------------------------------------------------------------


def rolls_on(solution: Solution, mine: int, theirs: int, dice: int) -> list[int]:
    """The turn totals, from 1 chip to one less than wins, at which rolling this many dice is better than banking."""
    totals = range(1, solution.game.goal - mine)
    return [t for t in totals if chosen(solution, State(mine, theirs, t, dice, 0)) not in (BANK, None)]


def least_with(dice: int, all_dice: int) -> int:
    """The least turn total with this many dice left to roll: each of the others was set aside for at least a chip. (With all dice: the
    least of a hot hand.)"""
    return all_dice - dice if dice < all_dice else 1


def occurring(totals: list[int], dice: int, all_dice: int) -> list[int]:
    """The turn totals among these that play can reach."""
    return [t for t in totals if t >= least_with(dice, all_dice)]


def chosen(solution: Solution, state: State) -> int | None:
    """The best action; None in a state that play never reaches, if all states are stored (in saved and exact solutions)."""
    try:
        return int(solution.best_action(state))
    except UnreachableState:
        return None


@lru_cache(maxsize=1)
def alone() -> Solution:
    """One turn of Ten Thousand for the most chips."""
    import zermelo

    return zermelo.solve(TenThousand())


def rolls_on_alone(dice: int) -> list[int]:
    """The same for one turn alone, where nothing can be taken back."""
    found = []
    for chips in range(1, ENOUGH):
        worth = options(alone(), Alone(chips, 0, 0, 0, dice))
        if max(worth, key=lambda action: worth[action]) != STOP:
            found.append(chips)
    return found


def win(solution: Solution, mine: int, theirs: int) -> float:
    """The probability that the player to move, beginning a turn with these scores, wins."""
    return float(solution.game.win_probability(turn_value(solution, mine, theirs)))


def turn_value(solution: Solution, mine: int, theirs: int) -> float:
    start = State(mine, theirs, 0, solution.game.dice, 0)
    return float(solution.value_at(start)) if hasattr(solution, "value_at") else float(solution.probe(start).value)


def fairest(solution: Solution) -> int:
    """The head start, in chips, at which the chances are the most even."""
    return min(range(solution.game.goal), key=lambda chips: abs(win(solution, 0, chips) - 0.5))


def scores(solution: Solution, fix: Fix) -> tuple[int, int]:
    """The scores that `fix` names; 0 and 0 by default."""
    for name in fix:
        if name not in SCORES:
            raise ParameterError(no_such("field", name, SCORES, "this view"))
    for name, chips in fix.items():
        if not 0 <= chips < solution.game.goal:
            raise ParameterError(f"{name} must lie between 0 and {solution.game.goal - 1} chips, not {chips}")
    return fix.get("mine", 0), fix.get("theirs", 0)


def _name(solution: Solution) -> str:
    game = solution.game
    return f"{'Ten Thousand' if game.dice == HOT_DICE_STAY else 'Farkle'} to {game.goal} {'chip' if game.goal == 1 else 'chips'}"


# --- tables -----------------------------------------------------------------------------------------------------------------


def roll_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """At which turn totals to roll on, by dice, at one pair of scores; for five dice next to play for a single turn."""
    mine, theirs = scores(solution, fix)
    compared = solution.game.dice == HOT_DICE_STAY
    rows: list[tuple[Cell, ...]] = []
    for dice in range(1, solution.game.dice + 1):
        every = [rolls_on(solution, mine, theirs, dice), *([rolls_on_alone(dice)] if compared else [])]
        rows.append((dice, *(ranges(occurring(totals, dice, solution.game.dice)) or "never" for totals in every)))
    notes = ["other scores: --fix mine=N --fix theirs=N; a chip is 50 points"]
    notes += ["one turn alone: the most chips on average, nothing to take back (zermelo table ten-thousand)"] * compared
    notes += ["only turn totals that occur with this number of dice are listed"]
    columns = ("dice to roll", "roll on with chips", *(["one turn alone"] if compared else []))
    return Table(f"{_name(solution)} at {mine} against {theirs}: when to roll on", columns, tuple(rows), tuple(notes))


def win_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The probability to win by both scores."""
    return thinned(lambda limit: _win_table(solution, limit), SAMPLED)


def _win_table(solution: Solution, limit: int) -> Table:
    shown, note = sampled(np.arange(solution.game.goal), limit)
    rows = tuple((int(m), *(win(solution, int(m), int(t)) for t in shown)) for m in shown)
    notes = ["rows: chips of the player to move, columns: the opponent's"] + ([f"{note} of each score"] if note else [])
    columns = ("mine \\ theirs", *(str(t) for t in shown))
    return Table(f"{_name(solution)}: probability that the player to move wins", columns, rows, tuple(notes))


def head_start_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The first player's chance by the second player's head start."""
    chips = range(min(HEAD_STARTS, solution.game.goal))
    fair = fairest(solution)
    rows = tuple((k, POINTS_A_CHIP * k, win(solution, 0, k), "the fairest" if k == fair else None) for k in chips)
    columns = ("head start, chips", "points", "first player wins", "")
    return Table(f"{_name(solution)}: a head start for the second player", columns, rows, decimals=10)


def simple_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The exact loss of simple policies that set aside all that scores and bank a given number of points."""
    from zermelo.answers.base import Entered
    from zermelo.uses.evaluate_entered import evaluate_entered

    answers = solution.answers
    compared = solution.game.dice == HOT_DICE_STAY
    rows: list[tuple[Cell, ...]] = []
    for chips in SIMPLE:
        policy = bank_at(chips)
        found = (
            evaluate_entered(answers, policy, None, 0) if answers.lacks(Entered) is None else solution.evaluate(policy)
        )
        row: list[Cell] = [
            POINTS_A_CHIP * chips,
            float(solution.game.win_probability(found.value)),
            float(found.loss) / 2,
        ]
        if compared:
            turn = alone().evaluate(stop_at(chips))
            row += [float(turn.value), float(turn.loss)]
        rows.append(tuple(row))
    columns = (
        "bank at points",
        "first player wins",
        "loses",
        *(["chips of a turn alone", "loses"] if compared else []),
    )
    notes = ("against an opponent who plays as if both played best; what is lost is chance of winning, and chips",)
    return Table(f"{_name(solution)}: set all aside, bank at so many points", columns, tuple(rows), notes, decimals=6)


def stop_at(chips: int) -> Callable[[Alone], int]:
    """The same for one turn alone: nothing is taken back."""
    return lambda s: STOP if s.score >= chips else ROLL


TABLES = {
    "rolls": View("at which turn totals to roll on, against one turn alone", roll_table, any_solution, takes_fix=SCORES),
    "win": View("the probability that the player to move wins, by both scores", win_table, any_solution),
    "head-start": View("what a head start of the second player is worth", head_start_table, any_solution),
    "simple": View("what simple policies lose: bank at 200, 250, 300, 350 points", simple_table, any_solution),
}


# --- pictures -----------------------------------------------------------------------------------------------------------------


def roll_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left: when to roll on at one pair of scores, next to play for a single turn. Right: with four dice, at all equal scores."""
    from zermelo.views.plot import BLUE, ORANGE, PAIR, canvas, key, two_actions, whole_numbers

    mine, theirs = scores(solution, fix)
    game = solution.game
    top = max(2, min(PICTURED, game.goal))
    about = f"{_name(solution)}. {finding(solution)}. A chip is 50 points."
    figure, (left, right) = canvas("Roll or bank? The fewer dice, the sooner to bank", 13, 5.8, 1, 2, about)
    rows = range(1, game.dice + 1)
    kinds = [("the race", BLUE, "o", 0.12, lambda n: rolls_on(solution, mine, theirs, n))]
    if game.dice == HOT_DICE_STAY:
        kinds.append(("one turn alone", ORANGE, "D", -0.12, rolls_on_alone))
    for name, colour, mark, aside, found in kinds:
        _roll_lines(left, name, colour, mark, [(n + aside, least_with(n, game.dice), occurring(found(n), n, game.dice)) for n in rows])
    left.set(xlabel="chips of this turn", ylim=(0.4, game.dice + 0.6), xlim=(0, top))
    left.set_yticks(rows, [so_many_dice(n) for n in rows])
    left.grid(axis="x", alpha=0.3)
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_title(f"at {mine} against {theirs}: roll on up to the mark", loc="left")
    if len(kinds) > 1:
        left.legend(frameon=False, loc="lower right")
    equal = np.full((top - 1, game.goal), np.nan)
    for score in range(game.goal):
        for t in range(1, min(top, game.goal - score)):
            action = chosen(solution, State(score, score, t, 4, 0))
            equal[t - 1, score] = np.nan if action is None else action == BANK
    two_actions(right, equal, (-0.5, game.goal - 0.5, 0.5, top - 0.5))
    right.set(xlabel="chips of either player", ylabel="chips of this turn")
    key(right, {"roll": PAIR[0], "bank": PAIR[1], "does not occur": "white"}, loc="upper right")
    whole_numbers(right)
    right.set_title("4 dice to roll, equal scores: not always a threshold", loc="left")
    return figure


def _roll_lines(axes: Any, name: str, colour: str, mark: str, rows: list[tuple[float, int, list[int]]]) -> None:
    """At each height, a line over the turn totals at which to roll on, from the least that occurs, and a mark at the end of each run."""
    for y, least, totals in rows:
        for first, last in runs_of(totals):
            axes.plot([first, last], [y, y], color=colour, linewidth=2.5, solid_capstyle="round")
            axes.plot(last, y, mark, color=colour, markersize=7, label=name)
            name = f"_{name.lstrip('_')}"  # the legend has one mark of each kind
            axes.annotate(str(last), (last, y), (7, 0), textcoords="offset points", va="center", fontsize=8, color=colour)
        if not totals:
            axes.plot(least, y, mark, markerfacecolor="white", markeredgecolor=colour, markersize=7)
            axes.annotate("never", (least, y), (7, 0), textcoords="offset points", va="center", fontsize=8, color=colour)


def runs_of(numbers: list[int]) -> list[tuple[int, int]]:
    """The runs of consecutive numbers: first and last of each."""
    found: list[tuple[int, int]] = []
    for n in numbers:
        found = [*found[:-1], (found[-1][0], n)] if found and n == found[-1][1] + 1 else [*found, (n, n)]
    return found


def win_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The probability that the player to move wins, by both scores."""
    from zermelo.views.plot import canvas, chances, whole_numbers

    goal = solution.game.goal
    chance = np.array([[win(solution, mine, theirs) for theirs in range(goal)] for mine in range(goal)])
    figure, axes = canvas(finding(solution), 7.4, 6.2, about=f"{_name(solution)}: the probability that the player to move wins")
    chances(figure, axes, chance)
    axes.set(xlabel="chips of the opponent", ylabel="chips of the player to move")
    whole_numbers(axes)
    return figure


FIGURES = {
    "rolls": View("when to roll on, by dice and by score", roll_figure, any_solution, takes_fix=SCORES),
    "win": View("the probability that the player to move wins, by both scores", win_figure, any_solution),
}
