"""Gobblet Gobblers: tic-tac-toe with pieces that swallow smaller ones. With one size and no moving it is tic-tac-toe.

Blue Orange Games 2003; the variants and counts are those of "Strongly solving Gobblet Gobblers using retrograde
analysis" (Possibly Wrong blog).

Squares are numbered 0 1 2 / 3 4 5 / 6 7 8; a set of squares is a mask of nine bits, one mask a size, smallest size
first.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

PASS = -1  # the other player moves next
SQUARES = 9
LINES = (
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
)


class State(NamedTuple):
    mine: tuple[int, ...]  # for each size the squares with a piece of the player to move
    theirs: tuple[int, ...]  # the same of the opponent


def has_line(squares: int) -> bool:
    for line in LINES:  # noqa: SIM110 - compiled, so no generator expression
        if squares & line == line:
            return True
    return False


def visible(own: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Squares where the topmost piece is one's own."""
    seen, covered = 0, 0
    for i in range(len(own)):
        size = len(own) - 1 - i
        seen |= own[size] & ~covered
        covered |= own[size] | other[size]
    return seen


def number_of(squares: int) -> int:
    n = 0
    while squares:
        squares &= squares - 1
        n += 1
    return n


def mirrored(squares: int) -> int:
    """Left and right exchanged."""
    return (squares & 0b001_001_001) << 2 | squares & 0b010_010_010 | (squares & 0b100_100_100) >> 2


def transposed(squares: int) -> int:
    """Rows and columns exchanged."""
    return (
        squares & 0b100_010_001
        | (squares & 0b000_100_010) << 2
        | (squares & 0b010_001_000) >> 2
        | (squares & 0b000_000_100) << 4
        | (squares & 0b001_000_000) >> 4
    )


class GobbletGobblers(NamedTuple):
    """Three in a row wins. In your turn put a piece, new or moved, on an empty square or over a smaller piece.

    Only the topmost pieces count. A position with a visible line ends the game, and a move that uncovers a line of
    the opponent loses, also when it makes a line of one's own. Who can't move, or plays on for ever, has a draw: 0;
    a win is worth 1. An action is (source, target): the square that a piece leaves, or -1, -2, -3 for a new piece
    of size 1, 2, 3.
    """

    sizes: Annotated[int, "sizes of pieces", range(1, 4)] = 3
    per_size: Annotated[int, "pieces of each size that a player has", range(1, 10)] = 2
    moving: Annotated[bool, "pieces on the board may be moved"] = True

    def start(self) -> State:
        return State((0,) * self.sizes, (0,) * self.sizes)

    def actions(self, s: State) -> Iterator[tuple[int, int]]:
        if not has_line(visible(s.mine, s.theirs)) and not has_line(visible(s.theirs, s.mine)):
            covered = 0  # squares with a larger piece
            for i in range(self.sizes):
                size = self.sizes - 1 - i
                movable = s.mine[size] & ~covered
                covered |= s.mine[size] | s.theirs[size]
                for target in range(SQUARES):
                    if not covered >> target & 1:
                        if number_of(s.mine[size]) < self.per_size:
                            yield -1 - size, target
                        if self.moving:
                            for source in range(SQUARES):
                                if movable >> source & 1:
                                    yield source, target

    def outcomes(self, s: State, action: tuple[int, int]) -> Iterator[tuple[int, int, State, int]]:
        source, target = action
        size, change = -1 - source, 1 << target
        if source >= 0:
            size, change = self.size_at(s, source), 1 << source | 1 << target
        yield 1, 0, State(s.theirs, s.mine[:size] + (s.mine[size] ^ change,) + s.mine[size + 1 :]), PASS

    def size_at(self, s: State, square: int) -> int:
        """The size (from 0) of the player's topmost piece on a square."""
        top = 0
        for size in range(self.sizes):
            if s.mine[size] >> square & 1:
                top = size
        return top

    def payoff(self, s: State) -> int:
        if has_line(visible(s.mine, s.theirs)):
            return 1  # the opponent uncovered it
        if has_line(visible(s.theirs, s.mine)):
            return -1
        return 0

    def symmetries(self, s: State) -> Iterator[State]:
        mine, theirs = s.mine, s.theirs
        for _ in range(4):
            mine = tuple(mirrored(mine[i]) for i in range(self.sizes))
            theirs = tuple(mirrored(theirs[i]) for i in range(self.sizes))
            yield State(mine, theirs)
            mine = tuple(transposed(mine[i]) for i in range(self.sizes))
            theirs = tuple(transposed(theirs[i]) for i in range(self.sizes))
            yield State(mine, theirs)

    def show(self, s: State, reveal: bool = False) -> str:
        """The board: x is to move, o is the opponent, with sizes. `reveal` shows covered pieces too, topmost first."""
        cells = []
        for square in range(SQUARES):
            stack = [
                f"{name}{size + 1 if self.sizes > 1 else ''}"
                for size in reversed(range(self.sizes))
                for name, pieces in (("x", s.mine), ("o", s.theirs))
                if pieces[size] >> square & 1
            ]
            cells.append(" ".join(stack if reveal else stack[:1]) or ".")
        width = max(map(len, cells))
        return "\n".join("  ".join(cell.ljust(width) for cell in cells[i : i + 3]).rstrip() for i in (0, 3, 6))

    def action_name(self, action: tuple[int, int]) -> str:
        source, target = action
        return f"new piece of size {-source} to {target}" if source < 0 else f"{source} to {target}"
