"""Ways out of a maze: wall following, which needs sensors only, and dead-end filling, which needs the map."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from zermelo.errors import ParameterError
from zermelo.robot.mazes import Cell, Maze
from zermelo.robot.robot import Robot


def follow_wall(robot: Robot, maze: Maze, hand: Literal["left", "right"] = "left") -> int:
    """Drive from cell to cell with a hand on the wall until the robot is outside; return the number of cells driven.

    In a maze without islands this always leads out. Raises `ParameterError` for any other hand, and if the robot stalls or does not get
    out: it did not begin in the middle of a cell, parallel to the walls, or no way leads out.
    """
    if hand not in ("left", "right"):
        raise ParameterError(f"the hand is left or right, not {hand!r}")
    if not isinstance(maze, Maze):
        raise ParameterError(f"a hand follows the walls of a maze, maze(rows, columns, seed), not of {maze!r}")
    side = 90 if hand == "left" else -90
    for moves in range(4 * maze.rows * maze.columns + 1):
        if maze.is_outside(robot.x, robot.y):
            return moves
        robot.left(side)
        for _ in range(3):  # turn away from the wall
            if robot.proximity_center:
                robot.left(-side)
        if robot.proximity_center:
            raise ParameterError(f"the robot does not get out: at {_at(robot)} there are walls on all its sides")
        robot.forward(1)
        if robot.is_stalled:
            raise ParameterError(f"the robot stalled at {_at(robot)}: it must begin in the middle of a cell and look along the grid")
    raise ParameterError(
        "the robot does not get out: it began beyond the maze or among walls of another one, its wall is that of an island, or no way "
        "leads out"
    )


def _at(robot: Robot) -> str:
    return f"({robot.x:.4g}, {robot.y:.4g})"


def fill_dead_ends(maze: Maze) -> list[Cell]:
    """The only way from the start to the exit, as cells: the rest after dead ends are filled until there are none. Raises
    `ParameterError` if there is no way, or a choice is left between several."""
    if not isinstance(maze, Maze):
        raise ParameterError(f"dead ends are those of a maze, maze(rows, columns, seed), not of {maze!r}")
    cells = set(maze.cells())
    left = {cell: set(maze.neighbours(cell)) & cells for cell in cells}
    kept = {maze.start, maze.last}
    dead = [cell for cell, around in left.items() if len(around) <= 1 and cell not in kept]
    while dead:
        cell = dead.pop()
        for other in left.pop(cell):
            left[other].discard(cell)
            if len(left[other]) <= 1 and other not in kept:
                dead.append(other)
    way = [maze.start]
    while way[-1] != maze.last:
        following = [cell for cell in left[way[-1]] if cell not in way[-2:]]
        if len(following) != 1:
            said = "there are several ways, as the maze has loops" if following else "there is none"
            raise ParameterError(f"dead ends are filled to find the only way from {maze.start} to {maze.last}, and {said}")
        way += following
    return way


def drive_along(robot: Robot, cells: Iterable[Cell]) -> int:
    """Drive to the middle of each of these cells in turn, in straight lines; return the number of cells reached before it stalled. Raises
    `ParameterError` for what is no cell."""
    done = 0
    for cell in cells:
        try:
            x, y = cell
            dx, dy = x + 0.5 - robot.x, y + 0.5 - robot.y
        except (TypeError, ValueError):
            raise ParameterError(f"a cell is (column, row), not {cell!r}") from None
        if length := math.hypot(dx, dy):
            angle = (math.degrees(math.atan2(dy, dx)) - robot.heading + 180) % 360 - 180
            robot.left(angle)
            robot.forward(length)
        if robot.is_stalled:
            break
        done += 1
    return done
