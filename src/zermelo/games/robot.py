"""A robot in a maze as a game against chance: drive out in as few moves as possible, on wheels that slip and turns that miss.

The maze is that of `zermelo.robot.maze` for the same size and seed: a uniform spanning tree of the grid (Wilson 1996), left through a gap
above the upper right cell. The optimal policy knows the maze, where the robot is and which way it faces: a Markov decision process. The
noise of the sensors costs only a policy that relies on them: `left_hand` and `right_hand` are policies that see only the last reading, and
`solution.evaluate(left_hand)` is their exact value.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.robot import Maze, maze

AHEAD, LEFT, BACK, RIGHT, LOOK = range(5)  # the first four: quarter turns to the left, and then a cell ahead
NORTH = 1  # headings: 0 to the right, 1 up, 2 to the left, 3 down
SEEN = 8  # readings: 1 for a wall to the left, 2 ahead, 4 to the right, added up
UNREAD = SEEN
BEATS = 100  # chances are in per cent


class State(NamedTuple):
    column: Annotated[int, "from the left, from 0"]
    row: Annotated[int, "from below, from 0; the number of rows: the robot is out"]
    heading: Annotated[int, "0 to the right, 1 up, 2 to the left, 3 down"]
    reading: Annotated[int, "of the sensors: walls to the left 1, ahead 2, to the right 4, added up; 8: it has yet to look"]


class Parameters(NamedTuple):
    height: Annotated[int, "rows of cells", range(1, 21)] = 8
    width: Annotated[int, "cells in a row", range(1, 21)] = 8
    seed: Annotated[int, "of the maze", range(1_000_000)] = 1
    slip: Annotated[int, "per cent of moves in which the wheels slip", range(100)] = 10
    turn_error: Annotated[int, "per cent of turns that end a quarter turn short or too far", range(100)] = 10
    noise: Annotated[int, "per cent of readings of each sensor that are wrong", range(100)] = 0
    passages: Annotated[tuple[int, ...], "a maze of your own: for each row from below the sum of 4^c for a way to the right of column c "
                        "and 2*4^c for one upwards; none: drawn from the seed"] = ()  # fmt: skip


class RobotMaze(Parameters):
    """Drive out of a maze in the fewest moves. A move turns the robot to one of its four sides and drives it a cell ahead.

    A turn that goes wrong ends a quarter turn short or too far, equally likely. Wheels that slip leave the robot in its cell, or let it
    slide on through a second one, equally likely. A wall stops it. The value is the expected number of moves.
    """

    __slots__ = ()
    payoff_unit = "moves"

    def title(self) -> str:
        noise = f", sensors err {self.noise} %" if self.noise else ""
        seed = f", seed {self.seed}" if self.passages == coded(maze(self.height, self.width, self.seed)) else " of your own"
        return f"Robot maze: {self.height} x {self.width} cells{seed}, wheels slip {self.slip} %, turns miss {self.turn_error} %{noise}"

    def __new__(cls, *given: Any, **named: Any) -> "RobotMaze":
        game = super().__new__(cls, *given, **named)
        is_drawn = not game.passages and all(type(n) is int for n in game[:3])  # errors are reported where parameters are checked
        return super().__new__(cls, *game[:-1], coded(maze(*game[:3]))) if is_drawn else game

    def _replace(self, **changes: Any) -> "RobotMaze":
        """With other parameters; the maze is drawn again where its size or its seed changes."""
        is_drawn = not {"height", "width", "seed"}.isdisjoint(changes)
        return type(self)(**{**self._asdict(), **({"passages": ()} if is_drawn else {}), **changes})

    def maze(self) -> Maze:
        """The maze as the robot of `zermelo.robot` takes it: for `follow_wall` and `fill_dead_ends`."""
        cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        right = [((x, y), (x + 1, y)) for x, y in cells if self.passages[y] >> 2 * x & 1]
        up = [((x, y), (x, y + 1)) for x, y in cells if self.passages[y] >> 2 * x + 1 & 1]
        return Maze(self.height, self.width, frozenset(map(frozenset, right + up)))

    def start(self) -> State:
        if len(self.passages) != self.height or any(not 0 <= row < 4**self.width for row in self.passages):
            raise ValueError(f"passages must have {self.height} numbers, a row each, below 4^{self.width}")
        found = self.maze()
        if any(not (0 <= x < self.width and 0 <= y < self.height) for pair in found.passages for x, y in pair):
            raise ValueError("passages lead out of the maze: the only way out is above the upper right cell")
        return State(0, 0, NORTH, UNREAD if self.noise > 0 else self.truth(0, 0, NORTH))

    def player(self, s: State) -> int:
        """The robot wants few moves."""
        return 1

    def actions(self, s: State) -> Iterator[int]:
        if s.row < self.height:
            if s.reading == UNREAD:
                yield LOOK
            else:
                yield AHEAD
                yield LEFT
                yield BACK
                yield RIGHT

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == LOOK:
            truth = self.truth(s.column, s.row, s.heading)
            for reading in range(SEEN):
                yield self.ways(reading ^ truth), 0, State(s.column, s.row, s.heading, reading)
        else:
            for error in range(-1, 2):
                heading = (s.heading + action + error) % 4
                column, row = self.beyond(s.column, s.row, heading)
                after = self.beyond(column, row, heading)
                turned = self.turned(action, error)
                yield turned * 2 * (BEATS - self.slip), 1, self.arrived(column, row, heading)
                yield turned * self.slip, 1, self.arrived(s.column, s.row, heading)
                yield turned * self.slip, 1, self.arrived(after[0], after[1], heading)

    def turned(self, action: int, error: int) -> int:
        """Ways in 200 that a turn misses by this many quarter turns. A robot that drives straight ahead does not turn."""
        if action == AHEAD:
            return 2 * BEATS if error == 0 else 0
        return 2 * (BEATS - self.turn_error) if error == 0 else self.turn_error

    def arrived(self, column: int, row: int, heading: int) -> State:
        """The state after a move: out, before a look that may be wrong, or with what the sensors say for certain."""
        if row == self.height:
            return State(self.width - 1, row, NORTH, 0)
        return State(column, row, heading, UNREAD if self.noise > 0 else self.truth(column, row, heading))

    def beyond(self, column: int, row: int, heading: int) -> tuple[int, int]:
        """Where a drive in this direction ends: in the next cell, or at a wall in the same one."""
        if not self.is_open(column, row, heading):
            return column, row
        return column + (1, 0, -1, 0)[heading], row + (0, 1, 0, -1)[heading]

    def is_open(self, column: int, row: int, heading: int) -> bool:
        """Whether there is no wall on this side of a cell."""
        if row == self.height:
            return False  # a robot that is out stays out
        if heading == 0:
            return self.passages[row] >> 2 * column & 1 > 0
        if heading == 1:
            return self.passages[row] >> 2 * column + 1 & 1 > 0 or (row == self.height - 1 and column == self.width - 1)
        if heading == 2:
            return column > 0 and self.passages[row] >> 2 * (column - 1) & 1 > 0
        return row > 0 and self.passages[row - 1] >> 2 * column + 1 & 1 > 0

    def truth(self, column: int, row: int, heading: int) -> int:
        """The reading of sensors without noise."""
        seen = 0
        for side, mark in ((LEFT, 1), (AHEAD, 2), (RIGHT, 4)):
            if not self.is_open(column, row, (heading + side) % 4):
                seen += mark
        return seen

    def ways(self, wrong: int) -> int:
        """Ways in 100 ** 3 that exactly these sensors err."""
        ways = 1
        for mark in (1, 2, 4):
            ways *= self.noise if wrong & mark else BEATS - self.noise
        return ways

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        cells = []
        for y in range(self.height - 1, -1, -1):
            row: list[dict[str, Any]] = []
            for x in range(self.width):
                is_here = (x, y) == (s.column, s.row)
                robot = {"shape": "arrow", "owner": 0, "heads": HEADS[s.heading]}
                walls = [HEADS[h] for h in range(4) if not self.is_open(x, y, h)]
                row.append({"pieces": [robot] if is_here else [], "walls": walls})
            cells.append(row)
        yield {"kind": "grid", "cells": cells}
        yield {"kind": "facts", "facts": [("sensors", self.said(s.reading) if s.row < self.height else "the robot is out")]}

    def said(self, reading: int) -> str:
        """A reading in words."""
        if reading == UNREAD:
            return "not read yet"
        walls = [name for name, mark in (("left", 1), ("ahead", 2), ("right", 4)) if reading & mark]
        return f"wall {', '.join(walls)}" if walls else "no wall"

    def places(self, s: State, action: int) -> Iterator[int]:
        """The cell that the robot is meant to drive to, also behind a wall; the way out is clicked in the last cell."""
        if action != LOOK:
            heading = (s.heading + action) % 4
            x, y = s.column + (1, 0, -1, 0)[heading], s.row + (0, 1, 0, -1)[heading]
            if (x, y) == (self.width - 1, self.height):
                y -= 1
            if 0 <= x < self.width and 0 <= y < self.height:
                yield (self.height - 1 - y) * self.width + x

    def show(self, s: State) -> str:
        if s.row == self.height:
            return "the robot is out"
        return f"column {s.column}, row {s.row}, looking {HEADS[s.heading]}; sensors: {self.said(s.reading)}"

    def action_name(self, action: int) -> str:
        return ("ahead", "left", "back", "right", "look")[action]


HEADS = ("right", "up", "left", "down")
RobotMaze.State = State  # type: ignore[attr-defined]


def coded(found: Maze) -> tuple[int, ...]:
    """The parameter `passages` of a maze."""
    bits = {frozenset(((x, y), (x + dx, y + dy))): (y, 1 << 2 * x + dy) for x, y in found.cells() for dx, dy in ((1, 0), (0, 1))}
    open_ = [bits[pair] for pair in found.passages]
    return tuple(sum(bit for row, bit in open_ if row == y) for y in range(found.rows))


def left_hand(s: State) -> int:
    """Follow the wall with the left hand, by the sensors alone: the first side without a wall, of left, ahead, right, back."""
    return _first_free(s.reading, (LEFT, AHEAD, RIGHT))


def right_hand(s: State) -> int:
    """The same with the right hand."""
    return _first_free(s.reading, (RIGHT, AHEAD, LEFT))


def _first_free(reading: int, sides: tuple[int, ...]) -> int:
    if reading == UNREAD:
        return LOOK
    marks = {LEFT: 1, AHEAD: 2, RIGHT: 4}
    return next((side for side in sides if not reading & marks[side]), BACK)
