"""Gobblet Gobblers: tic-tac-toe with pieces that swallow smaller ones. With one size and no moving it is tic-tac-toe.

Blue Orange Games 2003; the variants and counts are those of "Strongly solving Gobblet Gobblers using retrograde
analysis" (Possibly Wrong blog).

Squares are numbered 0 1 2 / 3 4 5 / 6 7 8; a set of squares is a mask of nine bits.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

PASS = -1  # the other player moves next
SQUARES = 9
ALL = 0b111_111_111
HAND = 1 << SQUARES  # where pieces are that are not on the board yet
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
HAS_LINE = tuple(any(squares & line == line for line in LINES) for squares in range(ALL + 1))


class State(NamedTuple):
    pieces: Annotated[tuple[int, ...], "size by size, the largest first: squares with a piece of the player to move, of the opponent"]


def visible(pieces: tuple[int, ...], player: int) -> int:
    """Squares where the topmost piece is of the player to move (0) or of the opponent (1)."""
    seen, covered = 0, 0
    for i in range(len(pieces) // 2):
        seen |= pieces[2 * i + player] & ~covered
        covered |= pieces[2 * i] | pieces[2 * i + 1]
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
    the opponent loses, even if it also makes a line of your own. A player who can't move has a draw, and so does endless play: 0;
    a win is worth 1. An action is (place of its size among `pieces`, square that a piece leaves or HAND, square that it
    goes to), squares being masks.
    """

    sizes: Annotated[int, "sizes of pieces", range(1, 4)] = 3
    per_size: Annotated[int, "pieces of each size that a player has", range(1, 10)] = 2
    moving: Annotated[bool, "pieces on the board may be moved"] = True

    def title(self) -> str:
        if self.sizes == 1 and not self.moving and self.per_size >= 5:
            return "Tic-tac-toe"
        sizes = "1 size" if self.sizes == 1 else f"{self.sizes} sizes"
        fixed = "" if self.moving else ", pieces stay where they are"
        return f"Gobblet Gobblers: {sizes}, {self.per_size} of each{fixed}"

    def start(self) -> State:
        return State((0,) * (2 * self.sizes))

    def actions(self, s: State) -> Iterator[tuple[int, int, int]]:
        if not HAS_LINE[visible(s.pieces, 0)] and not HAS_LINE[visible(s.pieces, 1)]:
            covered = 0  # squares with a piece at least this large
            for i in range(0, 2 * self.sizes, 2):
                sources = s.pieces[i] & ~covered if self.moving else 0
                if number_of(s.pieces[i]) < self.per_size:
                    sources |= HAND
                covered |= s.pieces[i] | s.pieces[i + 1]
                while sources:
                    source = sources & -sources
                    sources ^= source
                    targets = ALL & ~covered
                    while targets:
                        target = targets & -targets
                        targets ^= target
                        yield i, source, target

    def outcomes(self, s: State, action: tuple[int, int, int]) -> Iterator[tuple[int, int, State, int]]:
        i, source, target = action
        yield 1, 0, self.moved(s, i + 1, (source | target) & ALL), PASS

    def parents(self, s: State) -> Iterator[State]:
        """Moves taken back: a topmost piece of the opponent goes back to where no piece of its size or a larger one is, or
        to the hand."""
        covered = 0
        for i in range(0, 2 * self.sizes, 2):
            targets = s.pieces[i + 1] & ~covered
            covered |= s.pieces[i] | s.pieces[i + 1]
            while targets:
                target = targets & -targets
                targets ^= target
                sources = ALL & ~covered | HAND if self.moving else HAND
                while sources:
                    source = sources & -sources
                    sources ^= source
                    yield self.moved(s, i, (source | target) & ALL)

    def moved(self, s: State, i: int, change: int) -> State:
        """The position as the other player sees it, with some squares of its pieces[i] changed."""
        pieces = tuple(s.pieces[j ^ 1] for j in range(2 * self.sizes))
        return State(pieces[:i] + (pieces[i] ^ change,) + pieces[i + 1 :])

    def payoff(self, s: State) -> int:
        if HAS_LINE[visible(s.pieces, 0)]:
            return 1  # the opponent uncovered it
        if HAS_LINE[visible(s.pieces, 1)]:
            return -1
        return 0

    def symmetries(self, s: State) -> Iterator[State]:
        pieces = s.pieces
        for _ in range(4):
            pieces = tuple(mirrored(pieces[i]) for i in range(2 * self.sizes))
            yield State(pieces)
            pieces = tuple(transposed(pieces[i]) for i in range(2 * self.sizes))
            yield State(pieces)

    def space(self) -> Any:
        """For each size, all squares that the players' pieces can be on."""
        from zermelo.spaces import product, words

        def step(others: int, squares: int) -> int | None:
            return squares if number_of(squares) <= self.per_size and not others & squares else None

        return product(*[words([range(ALL + 1)] * 2, 0, step)] * self.sizes)

    def squares(self) -> str:
        return "squares: 0 1 2 / 3 4 5 / 6 7 8"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """The board: x is to move, o is the opponent, with sizes; an empty square shows its number. Then what is not on the board yet."""
        yield {"kind": "grid", "cells": [[self.square(s, row + column) for column in range(3)] for row in (0, 3, 6)]}
        if self.sizes > 1 or self.moving:
            for owner in (0, 1):
                yield {"kind": "grid", "label": "in hand", "owner": owner, "cells": [self.hand(s, owner)], "in text": False}

    def square(self, s: State, square: int) -> dict[str, Any]:
        """Its pieces, the lowest first."""
        pieces = [self.piece(i) for i in range(2 * self.sizes) if s.pieces[i] >> square & 1]
        return {"pieces": pieces[::-1], "text": str(square)}

    def hand(self, s: State, owner: int) -> list[dict[str, Any]]:
        """A cell for each size: how many pieces of it are not on the board."""
        cells = []
        for i in range(owner, 2 * self.sizes, 2):
            left = self.per_size - number_of(s.pieces[i])
            place = f"hand {i // 2}" if owner == 0 else "opponent"
            cells.append({"pieces": [self.piece(i)] if left else [], "text": "", "count": left, "place": place})
        return cells

    def piece(self, i: int) -> dict[str, Any]:
        """A piece of pieces[i]; those of tic-tac-toe have no size."""
        if self.sizes == 1:
            return {"shape": "disc" if self.moving else "mark", "owner": i % 2}
        return {"shape": "disc", "owner": i % 2, "size": self.sizes - i // 2}

    def places(self, s: State, action: tuple[int, int, int]) -> Iterator[str]:
        i, source, target = action
        if source != HAND:
            yield str(source.bit_length() - 1)
        elif self.sizes > 1 or self.moving:
            yield f"hand {i // 2}"
        yield str(target.bit_length() - 1)

    def action_name(self, action: tuple[int, int, int]) -> str:
        i, source, target = action
        to = str(target.bit_length() - 1)
        if source != HAND:
            return f"{source.bit_length() - 1} to {to}"
        if self.sizes > 1:
            return f"new piece of size {self.sizes - i // 2} to {to}"
        return f"new piece to {to}" if self.moving else to


GobbletGobblers.State = State  # type: ignore[attr-defined]


def TicTacToe() -> GobbletGobblers:
    """Tic-tac-toe: one size of pieces, and no moving."""
    return GobbletGobblers(sizes=1, per_size=5, moving=False)
