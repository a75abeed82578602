"""Mazes: walls between the cells of a grid, with exactly one way between any two cells.

The passages are a spanning tree of the grid, drawn by loop-erased random walks (Wilson 1996, "Generating random spanning trees more quickly
than the cover time"), which makes all spanning trees equally likely.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError

Cell = tuple[int, int]  # column and row, from the lower left; the cell is the square [column, column + 1] x [row, row + 1]
Point = tuple[float, float]
Wall = tuple[Point, Point]

MOST = 200  # rows or columns
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Maze(NamedTuple):
    """A maze of unit squares. The entrance is the lower left cell, the exit a gap above the upper right one."""

    rows: int
    columns: int
    passages: frozenset[frozenset[Cell]]  # pairs of neighbours without a wall between them

    @property
    def start(self) -> Cell:
        return (0, 0)

    @property
    def last(self) -> Cell:
        """The cell below the way out."""
        return (self.columns - 1, self.rows - 1)

    @property
    def outside(self) -> Cell:
        """The cell outside the maze where the robot is after leaving it."""
        return (self.columns - 1, self.rows)

    def cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.rows) for x in range(self.columns)]

    def is_open(self, cell: Cell, other: Cell) -> bool:
        """Whether there is a passage from a cell to its neighbour; the way out counts as open."""
        return frozenset((cell, other)) in self.passages or {cell, other} == {self.last, self.outside}

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells of the maze that can be reached in one step."""
        around = ((cell[0] + dx, cell[1] + dy) for dx, dy in STEPS)
        return [other for other in around if frozenset((cell, other)) in self.passages]

    def is_outside(self, x: float, y: float) -> bool:
        """Whether a point lies outside the outer walls."""
        return not (0 <= x <= self.columns and 0 <= y <= self.rows)

    def walls(self) -> tuple[Wall, ...]:
        """All walls, as segments between corners of cells; collinear neighbours are joined."""
        lying = [(x, y) for y in range(self.rows + 1) for x in range(self.columns) if not self.is_open((x, y - 1), (x, y))]
        standing = [(x, y) for x in range(self.columns + 1) for y in range(self.rows) if not self.is_open((x - 1, y), (x, y))]
        joined = [((float(a), float(y)), (float(b), float(y))) for y, a, b in _runs([(y, x) for x, y in lying])]
        return (*joined, *(((float(x), float(a)), (float(x), float(b))) for x, a, b in _runs(standing)))

    def __str__(self) -> str:
        """The maze in characters, the first row at the bottom."""
        lines = []
        for y in range(self.rows, -1, -1):
            lines.append("+" + "+".join("  " if self.is_open((x, y - 1), (x, y)) else "--" for x in range(self.columns)) + "+")
            if y > 0:
                sides = (" " if self.is_open((x - 1, y - 1), (x, y - 1)) else "|" for x in range(self.columns + 1))
                lines.append("  ".join(sides))
        return "\n".join(lines)


def _runs(places: list[Cell]) -> list[tuple[int, int, int]]:
    """(line, from, to) of neighbouring unit pieces (line, place), joined."""
    found: list[tuple[int, int, int]] = []
    for line, at in sorted(places):
        if found and found[-1][0] == line and found[-1][2] == at:
            found[-1] = (line, found[-1][1], at + 1)
        else:
            found.append((line, at, at + 1))
    return found


def maze(rows: int = 8, columns: int = 8, seed: int | None = None) -> Maze:
    """A random maze; all spanning trees of the grid are equally likely. The same seed gives the same maze. Raises
    `ParameterError`."""
    whole("rows", rows, 1, MOST)
    whole("columns", columns, 1, MOST)
    try:
        dice = random.Random(seed)
    except TypeError:
        raise ParameterError(f"seed must be a whole number or None, not {seed!r}") from None
    reached: set[Cell] = {(0, 0)}
    passages: set[frozenset[Cell]] = set()
    for first in ((x, y) for y in range(rows) for x in range(columns)):
        after: dict[Cell, Cell] = {}  # where the walk went last from each cell: this erases loops
        cell = first
        while cell not in reached:
            around = [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]
            after[cell] = dice.choice([(x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows])
            cell = after[cell]
        cell = first
        while cell not in reached:
            reached.add(cell)
            passages.add(frozenset((cell, after[cell])))
            cell = after[cell]
    return Maze(rows, columns, frozenset(passages))
