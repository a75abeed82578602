"""Tables and picture of the robot in its maze: the cost of policies that rely on the sensors, and the value of every cell as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.games.robot import HEADS, LOOK, NORTH, UNREAD, State, left_hand, right_hand
from zermelo.robot import fill_dead_ends
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POLICIES = {"left hand on the wall": left_hand, "right hand on the wall": right_hand}
ROUND_A_MAP = 1.2  # inches: titles above a maze, numbers and a name below


def pose(solution: Solution, column: int, row: int, heading: int) -> State:
    """The state of a robot with this position and heading: with the reading of noiseless sensors, or before it looks if they have noise."""
    game = solution.game
    return State(column, row, heading, UNREAD if game.noise else game.truth(column, row, heading))


def worth(solution: Solution, heading: int) -> list[list[float | None]]:
    """Expected moves to the way out, [row][column], for a robot with this heading; None where the play never gets to."""
    game = solution.game
    at = [[pose(solution, x, y, heading) for x in range(game.width)] for y in range(game.height)]
    return [[float(solution.probe(s).value) if s in solution.space else None for s in row] for row in at]


def policies_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The average number of moves of each way out."""
    game, best = solution.game, float(solution.value)
    rows = [("optimal policy", "the maze, its place and heading", best, 0.0)]
    for name, policy in POLICIES.items():
        moves = float(solution.evaluate(policy).value)
        rows.append((name, "the last reading", moves, moves - best))
    notes = (
        f"without any error the shortest way takes {len(fill_dead_ends(game.maze()))} moves",
        f"slips {game.slip} %, turn errors {game.turn_error} %, wrong readings of each sensor {game.noise} %",
    )
    title = f"A robot in a maze of {game.height} x {game.width}, seed {game.seed}: expected moves to the way out"
    return Table(title, ("policy", "goes by", "expected moves", "more than the best"), tuple(rows), notes, decimals=6)


def maze_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The floor coloured by value, and where the optimal policy drives from each cell."""
    from zermelo.views.plot import INK, MAP, canvas

    game, heading = solution.game, fix.get("heading", NORTH)
    if heading not in range(4):
        raise ParameterError(f"heading is 0 (right), 1 (up), 2 (left) or 3 (down), not {heading}")
    most = max(game.height, game.width)
    cell = (max(3.2, 0.5 * most + 1) - ROUND_A_MAP) / most  # inches, as are these:
    size = max(5.2, cell * game.width + ROUND_A_MAP + 2), cell * game.height + ROUND_A_MAP
    about = f"expected moves of a robot facing {HEADS[heading]}, and the direction in which it drives"
    title = f"A maze of {game.height} x {game.width}: {float(solution.value):.4f} moves"
    figure, axes = canvas(title, *size, about=about)
    from matplotlib.collections import LineCollection  # after `canvas`, which loads matplotlib

    found: Any = [[float("nan") if v is None else v for v in row] for row in worth(solution, heading)]
    extent = (-0.5, game.width - 0.5, -0.5, game.height - 0.5)
    image = axes.imshow(found, origin="lower", extent=extent, cmap=MAP, interpolation="nearest", vmin=0)
    figure.colorbar(image, ax=axes, label="expected moves", shrink=0.85)
    for y, row in enumerate(found):
        for x, value in enumerate(row):
            if value == value:
                dx, dy = ((0.3, 0), (0, 0.3), (-0.3, 0), (0, -0.3))[driven(solution, pose(solution, x, y, heading))]
                axes.annotate("", (x + dx, y + dy), (x - dx, y - dy),
                              arrowprops={"arrowstyle": "->", "color": "white", "linewidth": 1.3})  # fmt: skip
    walls = [[(x - 0.5, y - 0.5) for x, y in wall] for wall in game.maze().walls()]
    axes.add_collection(LineCollection(walls, colors=INK, linewidths=3, capstyle="round", clip_on=False))
    axes.set(xlim=(-0.6, game.width - 0.4), ylim=(-0.6, game.height - 0.4), xlabel="column", ylabel="row")
    for axis, cells in ((axes.xaxis, game.width), (axes.yaxis, game.height)):
        axis.set_ticks(range(0, cells, 1 + cells // 24))  # the number of a cell stands at its middle
        axis.set_tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def driven(solution: Solution, state: State) -> int:
    """The heading in which the optimal policy drives from a state."""
    game, action = solution.game, solution.probe(state).action
    if action == LOOK:  # its next action does not depend on the reading
        action = solution.probe(state._replace(reading=game.truth(*state[:3]))).action
    return int((state.heading + action) % 4)


TABLES = {"policies": View("the optimal policy beside a hand on the wall, exactly", policies_table)}
FIGURES = {"maze": View("the value of every cell as a map, and where the optimal policy drives", maze_figure, takes_fix=("heading",))}
