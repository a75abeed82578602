"""Tables of Gobblet Gobblers and tic-tac-toe: first moves, and positions by result and distance to the end."""

from __future__ import annotations

from zermelo.plot import has_distances
from zermelo.slices import NO_FIX, Fix, View, game_text, state_with
from zermelo.solution import Solution
from zermelo.table import Table

RESULT = {1: "wins", 0: "draws", -1: "loses"}


def move_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """Every first move up to symmetry: what it comes to, and in how many moves."""
    rules, state = solution.rules, state_with(solution, fix)
    seen: dict[int, tuple[str, str, int | None]] = {}
    for action in rules.actions(state):
        (outcome,) = rules.outcomes(state, action)
        index = solution.space.rank(outcome.state)
        reply = solution.probe(outcome.state)
        if index not in seen:
            moves = None if reply.distance is None else reply.distance + 1
            seen[index] = (rules.action_name(action), RESULT[-int(reply.value)], moves)
    order = {"wins": 0, "draws": 1, "loses": 2}
    rows = tuple(sorted(seen.values(), key=lambda r: (order[r[1]], (r[2] or 0) * (-1 if r[1] == "loses" else 1))))
    notes = ("one move of each kind of those that are the same up to symmetry", "squares: 0 1 2 / 3 4 5 / 6 7 8")
    return Table(f"{game_text(solution.game)}: first moves", ("move", "the mover", "moves to the end"), rows, notes)


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
    title = f"{game_text(solution.game)}: {solution.space.size:,} positions up to symmetry"
    return Table(title, ("moves to the end", "won", "lost", "drawn"), tuple(rows), ("for the player to move",))


TABLES = {
    "moves": View("first moves: what each comes to", move_table, takes_fix=True),
    "distances": View("positions by result and moves to the end", distance_table, has_distances),
}
FIGURES: dict[str, View] = {}
