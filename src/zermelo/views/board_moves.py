"""A position with the result of every move on the square that it goes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from zermelo.basics.words import game_in_words
from zermelo.language.rules import Action, State
from zermelo.solution import Solution
from zermelo.views.filmstrip import COLOURED, Frame, draw, frames, owner_of
from zermelo.views.look import boards_of_results
from zermelo.views.plot import BLUE, RED, canvas, has_distances
from zermelo.views.slices import NO_FIX, Fix, View, has_board, state_with
from zermelo.views.words import has_winner, result_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 3  # results on a square: the best ones
SIDE = 0.8  # side of a square, in inches
COLOURS = {1: BLUE, 0: "#6B6B6B", -1: RED}
MARKS = {1: "W", 0: "D", -1: "L"}
MARKS_OF_ONE = {1: "1 in ", 0: "0", -1: "-1 in "}  # where there is nobody to win against
ABOUT = "moves: W5 wins in 5 moves, D draws, L8 loses in 8"
ABOUT_OF_ONE = "moves: what each gets, 1 in 5: in 5 moves"
MORE = "; of several moves to a square the best is on top"


class Result(NamedTuple):
    """The result of a move for the player who makes it: 1, 0 or -1; the moves to the end, None for a draw; what is written before these."""

    value: int
    moves: int | None
    mark: str

    @property
    def order(self) -> tuple[int, int]:
        """The best first: quick wins, then draws, then slow losses."""
        return -self.value, self.value * (self.moves or 0)

    def __str__(self) -> str:
        return self.mark + ("" if self.moves is None else str(self.moves))


def board_moves(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The position with the result of every move, in the colour and with the letter of the result."""
    state = state_with(solution, fix)
    found = results(solution, state)
    (board,) = frames(solution.rules, [], state)
    rows, columns = len(board.cells), len(board.cells[0])
    squares = _by_square(solution, state, found)
    more = MORE if any(len(of_square) > 1 for of_square in squares.values()) else ""
    moves = f"{COLOURED[solution.rules.player(state)]} {ABOUT if has_winner(solution) else ABOUT_OF_ONE}"
    about = f"{game_in_words(solution.game)}; {moves if found else 'play is over here'}{more}"
    title = _finding(solution, [result for _, result in found])
    figure, axes = canvas(title, max(SIDE * columns + 0.4, 5.5), SIDE * rows + 1.0, about=about)
    axes.axis("off")
    draw(axes, board)
    for (i, j), of_square in squares.items():
        _label(axes, j, rows - 1 - i, of_square, bool(board.cells[i][j]["pieces"]))
    return figure


def results(solution: Solution, state: State) -> list[tuple[Action, Result]]:
    """Every move with its result for the player who makes it."""
    view, marks = 1 if solution.rules.player(state) == 0 else -1, MARKS if has_winner(solution) else MARKS_OF_ONE
    values = {a: int(value) * view for a, value in solution.probe(state).actions.items() if a is not None}
    return [(action, Result(value, solution.moves_after(state, action), marks[value])) for action, value in values.items()]


def _by_square(solution: Solution, state: State, found: Sequence[tuple[Action, Result]]) -> dict[tuple[int, int], list[Result]]:
    """The results by (row, column): a move counts at the square that its piece reaches, or at its old square if it leaves the board."""
    squares: dict[tuple[int, int], list[Result]] = {}
    for action, result in found:
        _, after = frames(solution.rules, [(state, action)])
        changed = sorted(after.moved)
        reached = [square for square in changed if _is_movers(after, square, solution.rules.player(state))]
        for square in (reached or changed)[:1]:
            squares.setdefault(square, []).append(result)
    return {square: sorted(set(of), key=lambda r: r.order) for square, of in squares.items()}


def _is_movers(board: Frame, square: tuple[int, int], mover: int) -> bool:
    """Whether the piece on top of a square belongs to the player who has moved there."""
    pieces = board.cells[square[0]][square[1]]["pieces"]
    return bool(pieces) and not isinstance(pieces[-1], str) and owner_of(pieces[-1], board.is_turned) == mover


def _label(axes: Axes, x: float, y: float, of_square: Sequence[Result], is_taken: bool) -> None:
    """The results in boxes, the best one on top; in the corner of a square that has a piece."""
    shown = of_square[:MOST]
    step, size = (0.3, 10) if len(shown) > 1 or is_taken else (0.0, 14)
    right, top = (0.28, 0.34) if is_taken else (0.0, step * (len(shown) - 1) / 2)
    for k, result in enumerate(shown):
        axes.text(
            x + right, y + top - k * step, str(result), ha="center", va="center", fontsize=size, color="white", fontweight="bold",
            bbox={"boxstyle": "round,pad=0.25", "facecolor": COLOURS[result.value], "edgecolor": "white", "linewidth": 0.6},
        )  # fmt: skip


def _finding(solution: Solution, found: Sequence[Result]) -> str:
    """The picture's finding, in a few words."""
    if not found:
        return "No moves"
    words = result_words(solution)
    for value in (1, 0):
        one, many = words[value], words[value].replace("s", "", 1)
        count = sum(r.value == value for r in found)
        if count == len(found):
            return f"Every move {one}"
        if count:
            before = "" if value else f"No move {words[1]}; "
            return f"{before}{count} of {len(found)} moves {one if count == 1 else many}"
    return f"Every move {words[-1]}"


def fits(solution: Solution) -> bool:
    return has_distances(solution) and has_board(solution)


VIEWS = {"moves": View("the position with the result of every move", board_moves, fits, takes_fix=True, likely=boards_of_results)}
