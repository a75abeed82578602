"""Whether the first player of Gobblet Gobblers wins as fast as the solution says, shown a second way: by playing it out.

    python benchmarks/gobblet_win.py                 # two sizes of three, solved here in seconds
    python benchmarks/gobblet_win.py FOLDER/table.zermelo     # a solution that was saved, such as that of three sizes of three

The rules are written once more, with stacks of pieces on squares and nothing taken from `zermelo`. The solution is asked only which
move the first player makes; every reply is tried, to the end of each play. Positions that differ by turning or mirroring the board
count once.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import zermelo
from zermelo.games import GobbletGobblers

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
QUARTER = (6, 3, 0, 7, 4, 1, 8, 5, 2)  # the square that comes to each place when the board is turned
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)
Stack = tuple[tuple[int, int], ...]  # from the bottom: size of the piece (3 is the largest), player 0 or 1
Board = tuple[Stack, ...]


def has_row(board: Board, player: int) -> bool:
    return any(all(board[q] and board[q][-1][1] == player for q in row) for row in ROWS)


def moves(board: Board, player: int, sizes: int, each: int) -> Iterator[tuple[Board, tuple[int, int, int]]]:
    """Boards after a move, and the move: size, square that the piece leaves or -1 for the hand, square that it goes to."""
    used = [sum(piece == (size, player) for stack in board for piece in stack) for size in range(sizes + 1)]
    lifted = [(size, -1) for size in range(1, sizes + 1) if used[size] < each]
    lifted += [(stack[-1][0], q) for q, stack in enumerate(board) if stack and stack[-1][1] == player]
    for size, source in lifted:
        rest = list(board)
        if source >= 0:
            rest[source] = rest[source][:-1]
        for target in range(9):
            if target != source and (not rest[target] or rest[target][-1][0] < size):
                after = list(rest)
                after[target] = (*after[target], (size, player))
                yield tuple(after), (size, source, target)


def alike(board: Board) -> Iterator[Board]:
    for _ in range(4):
        board = tuple(board[q] for q in QUARTER)
        yield board
        yield tuple(board[q] for q in MIRROR)


class FirstPlayer:
    """Plays by a solution, and counts how many moves every reply lets the game last."""

    def __init__(self, solution: Any):
        self.solution, self.sizes, self.each = solution, solution.game.sizes, solution.game.per_size
        self.proven: dict[Board, int] = {}

    def choice(self, board: Board) -> tuple[int, int, int]:
        """What the solution plays: size, square or -1, square."""
        masks = [0] * (2 * self.sizes)
        for q, stack in enumerate(board):
            for size, player in stack:
                masks[2 * (self.sizes - size) + player] |= 1 << q
        place, source, target = self.solution.policy(self.solution.game.start()._replace(pieces=tuple(masks)))
        return self.sizes - place // 2, -1 if source > 0b111_111_111 else source.bit_length() - 1, target.bit_length() - 1

    def lasts(self, board: Board, most: int) -> int:
        """Moves until the first player, who is to move, has won, whatever the second does.

        Raises `AssertionError` if that takes more than `most`, or if he does not win.
        """
        board = min(alike(board))
        if board in self.proven:
            return self.proven[board]
        assert most > 0, f"not won in time: {board}"
        choice = self.choice(board)
        after = next(after for after, move in moves(board, 0, self.sizes, self.each) if move == choice)
        assert not has_row(after, 1), f"{choice} uncovers a row of the other player: {board}"
        longest = 1
        if not has_row(after, 0):
            replies = 0
            for reply, _ in moves(after, 1, self.sizes, self.each):
                replies += 1
                if has_row(reply, 0):  # uncovered: the first player has won, whatever else the move did
                    longest = max(longest, 2)
                    continue
                assert not has_row(reply, 1), f"the second player wins: {after}"
                longest = max(longest, 2 + self.lasts(reply, most - 2))
            assert replies, f"the second player can't move, a draw: {after}"
        self.proven[board] = longest
        return longest


def main() -> None:
    began = time.perf_counter()
    solution = zermelo.open(sys.argv[1]) if len(sys.argv) > 1 else zermelo.solve(GobbletGobblers(sizes=2, per_size=3))
    first = FirstPlayer(solution)
    said = solution.probe(solution.game.start()).distance or 0
    found = first.lasts(((),) * 9, said)
    print(f"{solution.game}: {said} moves by the solution, {found} at most by playing out")
    print(f"{len(first.proven):,} positions of the first player, up to symmetry; {time.perf_counter() - began:.1f} s")
    assert found == said


if __name__ == "__main__":
    main()
