"""Tables and pictures of Pig to an exact goal: those of Pig, and the three iterative programs of Vilches (2022) and the exact answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.games import exact_pig_methods as methods
from zermelo.games import pig_views
from zermelo.games.exact_pig_methods import METHODS, PUBLISHED, Decided, Method
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST = 100  # goal up to which the programs are run
SLOWEST = 15  # pairs of scores that are listed
ROUNDS = (1, 3, 5, 7, 11, 15, 21, 25, 31, 35, 41)  # odd: after an even number "pair by pair" has the value of the other player
STARTS = (0.0, 0.5, 1.5)


def first_values(solution: Solution) -> np.ndarray:
    """float64[goal, goal]: P(i, j, 0), the certified probability that the player to move wins at the beginning of a turn."""
    found: np.ndarray = pig_views.probability(pig_views.decisions(solution).value[:, :, 0])
    return np.ascontiguousarray(found)


def is_small(solution: Solution) -> bool:
    return bool(solution.has_states and solution.game.goal <= LARGEST)


def _row(method: Method, exact: Decided, goal: int) -> tuple[Any, ...]:
    found = methods.decided(method, goal)
    wrong, ties = methods.differing(found, exact)
    first, error = float(found.first[0, 0]), methods.largest_error(found, exact.first)
    return method.title, method.rounds, method.start, first, error, wrong - ties, ties


def methods_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The three programs as they are printed, as they are published where that is not the same, and from a start that is no probability."""
    goal, exact = solution.game.goal, methods.known(first_values(solution))
    every = [*METHODS, *(m for m in PUBLISHED if m not in METHODS), *(m._replace(start=1.5) for m in METHODS)]
    rows = [("exact", None, None, float(exact.first[0, 0]), 0.0, 0, 0), *(_row(m, exact, goal) for m in every)]
    asked = int(exact.asked.sum())
    notes = (
        f"{asked:,} positions are asked for; decided wrongly: of those where one decision is better",
        f"ties: others where both are worth the same, and the error left decides; {int(exact.ties.sum()):,} positions are ties",
        f"largest error: of P(i, j, 0) where both players can still win, so with less than {goal - 1} points each",
        f"array too short: the published program reads P(0, j, {goal}) from the place of another value (docs/pig-75.md)",
    )
    header = ("program", "rounds", "start", "P(0, 0, 0)", "largest error", "decided wrongly", "ties decided otherwise")
    return Table(f"Pig to exactly {goal}: three iterative programs", header, tuple(rows), notes, decimals=9)


def wrong_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The queries that a published program decides wrongly, excluding ties, with the cost of each, the most expensive first."""
    goal, exact = solution.game.goal, methods.known(first_values(solution))
    each = [methods.differs(methods.decided(m, goal), exact) & ~exact.ties for m in PUBLISHED]
    cost = np.abs(exact.hold - exact.roll)
    found = sorted(np.argwhere(np.logical_or.reduce(each)).tolist(), key=lambda query: -cost[tuple(query)])
    rows: list[tuple[Any, ...]] = []
    for i, j, k in found:
        hold, roll = float(exact.hold[i, j, k]), float(exact.roll[i, j, k])
        right, other = ("H", "C") if hold > roll else ("C", "H")
        rows.append((i, j, k, hold, roll, right, abs(hold - roll), *(other if wrong[i, j, k] else "" for wrong in each)))
    names = [f"{m.name}, {m.rounds} rounds" for m in PUBLISHED]
    notes = (
        "; ".join(f"{name}: {int(wrong.sum())}" for name, wrong in zip(names, each, strict=True)) + " decided wrongly",
        "of the programs as they are published; queries where both decisions are worth the same are left out",
    )
    header = ("own score", "opponent's", "turn total", "holding wins", "rolling wins", "right", "error costs", *names)
    return Table(f"Pig to exactly {goal}: queries that iterative programs decide wrongly", header, tuple(rows), notes, decimals=9)


def convergence_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The pairs of scores at which the error shrinks slowest."""
    goal = solution.game.goal
    fails = methods.failing(first_values(solution))
    factor = np.triu((fails * fails.T)[: goal - 1, : goal - 1])
    order = np.argsort(-factor, axis=None, kind="stable")[:SLOWEST]
    pairs = [divmod(int(k), factor.shape[1]) for k in order if factor.flat[k] > 0]
    rows = tuple((i, j, float(fails[i, j]), float(fails[j, i]), float(factor[i, j])) for i, j in pairs)
    notes = (
        "only turns that fail lead back to the same scores: of an error, two rounds leave the chance that both turns fail",
        f"with {goal - 1} points nobody can win any more, and such scores are left out",
    )
    header = ("one player has", "the other one", "a best turn of one fails", "of the other one", "error shrinks by")
    return Table(f"Pig to exactly {goal}: where iteration converges slowest", header, rows, notes, decimals=6)


def convergence_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The largest error by rounds, for each program and several starts; and by how much an error shrinks in two rounds, by both scores."""
    from zermelo.views.plot import BLUE, GREEN, MAP, RED, canvas

    goal, exact = solution.game.goal, first_values(solution)
    figure, (left, right) = canvas(f"Pig to exactly {goal}: errors shrink by the chance that two turns fail", 13, 5.8, 1, 2)
    for method, colour in zip(METHODS, (BLUE, GREEN, RED), strict=True):
        for start, style in zip(STARTS, (":", "-", "--"), strict=True):
            found = [methods.largest_error(methods.decided(Method(method.name, k, start), goal), exact) for k in ROUNDS]
            left.plot(ROUNDS, found, style, color=colour, marker="o", markersize=3, label=f"{method.name}, from {start:g}")
    left.set(xlabel="rounds", ylabel="largest error of P(i, j, 0)", yscale="log")
    left.set_title("largest error, by rounds and start", loc="left")
    left.legend(frameon=False, fontsize=8)
    left.grid(alpha=0.3)
    fails = methods.failing(exact)
    factor = (fails * fails.T)[: goal - 1, : goal - 1]
    extent = (-0.5, goal - 1.5, -0.5, goal - 1.5)
    image = right.imshow(factor, origin="lower", extent=extent, cmap=MAP, interpolation="nearest", vmin=0)
    figure.colorbar(image, ax=right, label="factor of two rounds", shrink=0.85)
    right.set(xlabel="opponent's score", ylabel="score of the player to move")
    right.set_title("by how much an error shrinks in two rounds", loc="left")
    return figure


TABLES = {
    **pig_views.TABLES,
    "methods": View("three iterative programs beside the exact answer", methods_table, is_small),
    "wrong": View("the queries that these programs decide wrongly", wrong_table, is_small),
    "convergence": View("the pairs of scores at which these programs converge slowest", convergence_table, is_small),
}
FIGURES = {
    **pig_views.FIGURES,
    "convergence": View("how fast three iterative programs converge, and why", convergence_figure, is_small),
}
