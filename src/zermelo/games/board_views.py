"""Tables of board games: first moves, positions by result and distance to the end, and the longest win."""

from __future__ import annotations

from zermelo.basics.words import game_text
from zermelo.language.rules import State
from zermelo.solution import Solution
from zermelo.views.filmstrip import best_line
from zermelo.views.plot import has_distances
from zermelo.views.slices import NO_FIX, Fix, View, state_with
from zermelo.views.table import Table

RESULT = {1: "wins", 0: "draws", -1: "loses"}


def move_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """Every first move up to symmetry: what it comes to, and in how many moves."""
    rules, state = solution.rules, state_with(solution, fix)
    values = solution.probe(state).actions
    view = 1 if rules.player(state) == 0 else -1
    seen: dict[State, tuple[str, str, int | None]] = {}
    for action, value in values.items():
        (outcome,) = rules.outcomes(state, action)
        stands_for_it = rules.least(outcome.state)
        if stands_for_it not in seen:
            result = RESULT[int(value) * view]
            seen[stands_for_it] = (rules.action_name(action), result, solution.moves_after(state, action))
    order = {"wins": 0, "draws": 1, "loses": 2}
    rows = tuple(sorted(seen.values(), key=lambda r: (order[r[1]], (r[2] or 0) * (-1 if r[1] == "loses" else 1))))
    notes = ("one move of each kind of those that are the same up to symmetry", *_squares(solution))
    return Table(f"{game_text(solution.game)}: first moves", ("move", "the mover", "moves to the end"), rows, notes)


def _squares(solution: Solution) -> tuple[str, ...]:
    """How the game says that it names squares."""
    return (solution.game.squares(),) if hasattr(solution.game, "squares") else ()


def distance_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    counts = solution.census()
    longest = max((d for name in ("won", "lost") for d, _ in counts[name]), default=0)
    by_move = {name: dict(counts[name]) for name in ("won", "lost")}
    rows: list[tuple[str | int | None, ...]] = [
        (str(d), by_move["won"].get(d), by_move["lost"].get(d), None) for d in range(longest + 1)
    ]
    drawn = sum(n for _, n in counts["drawn"])
    rows.append(("draw", None, None, drawn))
    rows.append(("all", *(sum(by_move[name].values()) for name in ("won", "lost")), drawn))
    title = f"{game_text(solution.game)}: {solution.report.states:,} positions up to symmetry"
    return Table(title, ("moves to the end", "won", "lost", "drawn"), tuple(rows), ("for the player to move",))


def longest_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The position that takes the most moves to win, and how it is won."""
    rules, first = solution.rules, solution.farthest()
    rows = []
    for number, (state, action) in enumerate(best_line(solution, first) if first is not None else ()):
        rows.append((str(number + 1), rules.action_name(action), _in_a_line(rules.show(state))))
    notes = ("each position is shown as its player to move sees it", *_squares(solution))
    return Table(
        f"{game_text(solution.game)}: the longest win", ("move", "best", "in the position"), tuple(rows), notes
    )


def _in_a_line(board: str) -> str:
    return " / ".join(" ".join(row.split()) for row in board.splitlines())


TABLES = {
    "moves": View("first moves: what each comes to", move_table, has_distances, takes_fix=True),
    "distances": View("positions by result and moves to the end", distance_table, has_distances),
    "longest": View("the win that takes longest, move by move", longest_table, has_distances),
}
FIGURES: dict[str, View] = {}
