"""Tables and pictures of Ten Thousand, in the layout of Crocce and Mordecki 2014 (tables 4, 5 and 6)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.games.dice_sets import POINTS_A_CHIP
from zermelo.games.ten_thousand import (
    DICE,
    ENOUGH,
    STOP,
    State,
    TenThousand,
    chips,
    combinations,
    frequencies,
    scoring_dice,
)
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Cell, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Column(NamedTuple):
    """A column of Table 6: states with the same choices."""

    name: str
    fives: int
    ones: int
    dice: int


COLUMNS = (
    Column("5 dice", 0, 0, 5),
    Column("4 dice", 0, 0, 4),
    Column("3: 55 or 51", 2, 0, 3),
    Column("3: 11", 0, 2, 3),
    Column("3: other", 0, 0, 3),
    Column("2: 551", 2, 1, 2),
    Column("2: 511", 1, 2, 2),
    Column("2: 55 or 51", 2, 0, 2),
    Column("2: other", 0, 0, 2),
)
SHORT = {"take back 5": "back 5", "take back 1": "back 1", "take back 55": "back 55", "take back 51": "back 51"}
TABLE_4 = (2, 3, 4, 5, 6, 15)
ACTIONS_OF_TABLE_4 = {2: "stop, roll", 3: "and take back 5", 4: "and 1", 5: "and 55", 6: "and 51", 15: "all"}


def unit(solution: Solution) -> int:
    """The payment for a chip."""
    return POINTS_A_CHIP if solution.game.points else 1


def state_in(column: Column, score: int) -> State:
    return State(score, column.fives, column.ones, 0, column.dice)


def is_position(state: State) -> bool:
    """Whether Table 6 has this state: every die set aside scores a chip or more. Not all of these occur in play."""
    earlier = DICE - state.dice - scoring_dice(state.fives, state.ones, state.triple)
    return state.dice == DICE or state.score >= chips(state.fives, state.ones, state.triple) + earlier


@lru_cache(maxsize=1 << 12)
def worth(solution: Solution, state: State) -> Number:
    """The value of a state, even one that no play leads to, from the states that it leads to."""
    return solution.probe(state).value if state in solution.space else max(options(solution, state).values())


def options(solution: Solution, state: State) -> dict[int, Number]:
    """The value of every action, even in states that no play reaches."""
    if state in solution.space:
        return solution.probe(state).actions
    found = {}
    for action in solution.rules.actions(state):
        outcomes = solution.rules.outcomes(state, action)
        gain = sum(o.ways * (o.payoff[0] + worth(solution, o.state)) for o in outcomes)
        ways = sum(o.ways for o in outcomes)
        found[action] = gain / (Fraction(ways) if isinstance(gain, Fraction) else ways)
    return found


def table_6(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """Values of the states in which going on is better than stopping, with what is best in each column."""
    rows: list[tuple[Cell, ...]] = []
    best: list[set[str]] = [set() for _ in COLUMNS]
    for score in range(ENOUGH):
        line: list[Cell] = [score]
        for column, names in zip(COLUMNS, best, strict=True):
            state = state_in(column, score)
            values = options(solution, state) if is_position(state) else {STOP: 0}
            best_action = max(values, key=lambda a: values[a])
            line.append(float(values[best_action]) if best_action != STOP else None)
            if best_action != STOP:
                names.add(solution.rules.action_name(best_action))
        rows.append(tuple(line))
    actions = tuple(" or ".join(SHORT.get(n, n) for n in sorted(names)) or "stop" for names in best)
    rows.append(("best", *actions))
    notes = (
        "columns: dice to roll next, and which of the last scoring dice can be taken back",
        f"empty: stopping is best, or there is no such position; with 1 die, and from {ENOUGH} chips on, always stop",
    )
    return Table("Ten Thousand: value of going on (Table 6)", ("chips", *(c.name for c in COLUMNS)), tuple(rows), notes,
                 decimals=3)  # fmt: skip


def table_5(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """What a roll can score, and in how many ways."""
    rows = tuple(
        (
            f"{f} {o} {t}" if f + o + t else "nothing",
            scoring_dice(f, o, t),
            combinations(f, o, t),
            chips(f, o, t),
            *(n or None for n in ways),
        )
        for f, o, t, *ways in frequencies()
    )
    columns = ("5s, 1s, triple", "dice", "combinations", "chips", *(f"{n} dice" for n in range(1, DICE + 1)))
    notes = ("under `1 dice` to `5 dice`: in how many of the 6, 36, ..., 7776 rolls",)
    return Table("Ten Thousand: what a roll scores (Table 5)", columns, rows, notes)


def table_4(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The value of the game if only some actions are allowed."""
    import zermelo

    rows = tuple(
        (moves, ACTIONS_OF_TABLE_4[moves], float(zermelo.solve(TenThousand(moves, solution.game.points)).value))
        for moves in TABLE_4
    )
    return Table("Ten Thousand with fewer actions (Table 4)", ("actions", "which", "value"), rows, decimals=10)


TABLES = {
    "table6": View("value of going on, by chips and dice (Table 6)", table_6),
    "table5": View("what a roll scores, in how many ways (Table 5)", table_5),
    "table4": View("the game with fewer actions (Table 4)", table_4),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def gains(solution: Solution) -> np.ndarray:
    """The gain of going on over stopping, [dice - 1, chips]; NaN in states that no play reaches."""
    found = np.full((DICE, ENOUGH), np.nan)
    for dice in range(1, DICE + 1):
        for score in range(ENOUGH):
            state = State(score, 0, 0, 0, dice)
            if is_position(state):
                others = [float(v) for a, v in options(solution, state).items() if a != STOP]
                found[dice - 1, score] = max(others) - score * unit(solution) if others else np.nan
    return found


def gain_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The gain of rolling over stopping, for each number of dice, and where rolling gains."""
    from zermelo.views.plot import BLUE, GREEN, INK, ORANGE, PAIR, RED, SKY, canvas, key, two_actions

    gain = gains(solution)
    chip = "points" if solution.game.points else "chips"
    about = f"The turn is worth {float(solution.value):.6f} {chip}. Shown: rolls after which every scoring die stays set aside."
    figure, (top, bottom) = canvas(
        "Ten Thousand, one turn: the fewer dice are left, the sooner to stop", 10, 7.2, 2, 1, about, sharex=True, height_ratios=[3, 1.6]
    )
    score = np.arange(ENOUGH)
    for dice, colour in zip(range(DICE, 0, -1), (BLUE, ORANGE, GREEN, RED, SKY), strict=True):
        there = ~np.isnan(gain[dice - 1])
        name = f"{dice} dice" if dice > 1 else "1 die"
        top.plot(score[there], gain[dice - 1][there], color=colour, linewidth=1.8)
        end = int(np.flatnonzero(there & (gain[dice - 1] > -5 * unit(solution)) & (score < 51))[-1])
        top.annotate(
            name, (end, gain[dice - 1][end]), (5, 5), textcoords="offset points", color=colour, fontweight="bold"
        )
    top.axhline(0, color=INK, linewidth=0.8)
    top.set(ylabel=f"rolling gains ({chip} on average)", ylim=(-6 * unit(solution), 6.5 * unit(solution)))
    where = np.where(np.isnan(gain), np.nan, (gain <= 0).astype(float))
    two_actions(bottom, where, (-0.5, ENOUGH - 0.5, 0.5, DICE + 0.5))
    bottom.set(xlabel="chips collected in this turn", ylabel="dice to roll", yticks=range(1, DICE + 1))
    key(bottom, {"roll": PAIR[0], "stop": PAIR[1], "does not occur": "white"}, loc="center right")
    return figure


FIGURES = {"gain": View("what rolling gains over stopping, by chips and dice", gain_figure)}
