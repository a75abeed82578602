"""A line of play as a filmstrip: a sequence of boards, each from the first player's side, with the moved pieces outlined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.basics.words import counted, game_in_words
from zermelo.errors import OutOfReach
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Action, Rules, State
from zermelo.solution import Solution
from zermelo.views.look import boards_of_results
from zermelo.views.plot import BLUE, GREY, ORANGE, RED, canvas, has_distances
from zermelo.views.slices import NO_FIX, Fix, View, has_board
from zermelo.views.words import has_winner, result_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 6  # boards in a row
MOST = 36  # boards
MARKS, COLOURED = ("x", "o"), ("x (blue)", "o (orange)")  # of both players' pieces, as they are drawn
Grid = list[list[Mapping[str, Any]]]  # of cells, as pictures have them


class Frame(NamedTuple):
    """A board of the strip."""

    title: str
    cells: Grid
    is_turned: bool  # whether owner 0 is the second player
    moved: frozenset[tuple[int, int]]  # cells that differ from the board before


def longest(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The longest win, one board per move, from the side of its first mover."""
    rules, first = solution.rules, solution.farthest()
    line = list(best_line(solution, first)) if first is not None else []
    about = _about(solution, line[0][0]) if line else game_in_words(solution.game)
    win = "win" if has_winner(solution) else "way to 1"
    return filmstrip(f"The longest {win} takes {counted(len(line), 'move')}", about, frames(rules, line))


def _about(solution: Solution, first: State) -> str:
    turned = "; moves are named as their player sees the board" if "other side" in _board(solution.rules, first) else ""
    return f"{game_in_words(solution.game)}; {who_wins(solution, first, is_coloured=True)}; what has moved is outlined{turned}"


def who_wins(solution: Solution, first: State, is_coloured: bool = False) -> str:
    """"x moves first and wins", of a position that is won or lost."""
    player, words = solution.rules.player(first), result_words(solution)
    wins = float(solution.probe(first).value) * (1 if player == 0 else -1) > 0
    return f"{(COLOURED if is_coloured else MARKS)[player]} moves first and {words[1 if wins else -1]}"


def best_line(solution: Solution, state: State) -> Iterator[tuple[State, Action]]:
    """Positions and moves from here to the end, both sides playing their best: the quickest win, the longest defence."""
    while (action := solution.best_action(state)) is not None:
        yield state, action
        state = next(o.state for o in solution.rules.outcomes(state, action) if o.ways)


def frames(rules: Rules, line: Sequence[tuple[State, Action]], start: State | None = None) -> list[Frame]:
    """The boards of a line of play, including the last; without moves, the board of `start`. Raises `OutOfReach`."""
    found: list[Frame] = []
    view, title, state = 1, "", line[0][0] if line else start
    for number in range(len(line) + 1):
        assert state is not None
        cells = _seen(_board(rules, state), view)
        before = found[-1] if found else None
        told = _told(cells, view)
        moved = frozenset[tuple[int, int]]()
        if before is not None:
            moved = _differences(_told(before.cells, -1 if before.is_turned else 1), told)
        found.append(Frame(title, cells, view < 0, moved))
        if number < len(line):
            state, action = line[number]
            outcome = next(o for o in rules.outcomes(state, action) if o.ways)
            title, state, view = f"{number + 1}: {rules.action_name(action)}", outcome.state, view * outcome.sign
    return found


def _board(rules: Rules, state: State) -> Mapping[str, Any]:
    """The grid in the picture of a state. Raises `OutOfReach` if there is none."""
    try:
        return next(e for e in rules.picture(state) or [] if e["kind"] == "grid")
    except (Misdrawn, StopIteration) as error:
        why = str(error) or "`picture` has no grid"
        raise OutOfReach(f"{rules.name}: {why} (at {state}), so that this play is not drawn") from None


def _seen(board: Mapping[str, Any], view: int) -> Grid:
    """The cells from the first player's side; some games turn the board for the second player."""
    cells: Grid = [list(row) for row in board["cells"]]
    how = board.get("other side")
    if view > 0 or how is None:
        return cells
    if how == "diagonal":
        return [[cells[-1 - j][-1 - i] for j in range(len(cells))] for i in range(len(cells[0]))]
    return [row[::-1] for row in cells[::-1]]


def _told(cells: Grid, view: int) -> list[list[Any]]:
    """The content of each cell, with owners numbered as at the beginning."""
    return [[[_key(piece, view) for piece in cell["pieces"]] for cell in row] for row in cells]


def _key(piece: Any, view: int) -> tuple[Any, ...]:
    if not isinstance(piece, Mapping):
        return (piece,)
    return owner_of(piece, view < 0), piece.get("size"), piece.get("text")


def owner_of(piece: Mapping[str, Any], is_turned: bool) -> Any:
    """The owner of a piece: 0 for the player who moves first, 1 for the other, None for nobody."""
    owner = piece.get("owner")
    return 1 - owner if is_turned and owner in (0, 1) else owner


def _differences(before: list[list[Any]], after: list[list[Any]]) -> frozenset[tuple[int, int]]:
    """The cells that are not what they were; in boards of another size, also those that were not there."""
    old = {(i, j): cell for i, row in enumerate(before) for j, cell in enumerate(row)}
    return frozenset((i, j) for i, row in enumerate(after) for j, cell in enumerate(row) if old.get((i, j)) != cell)


def filmstrip(title: str, about: str, strip: Sequence[Frame]) -> Figure:
    """The frames side by side, in rows; the middle is left out if there are too many."""
    shown = list(strip) if len(strip) <= MOST else [*strip[: MOST // 2], *strip[-MOST // 2 :]]
    left_out = f"; boards {MOST // 2 + 1} to {len(strip) - MOST // 2} are left out" if len(shown) < len(strip) else ""
    down = -(-len(shown) // ACROSS)
    height = len(shown[0].cells) / len(shown[0].cells[0]) if shown else 1
    figure, axes = canvas(title, 2.1 * ACROSS, 0.7 + down * (1.9 * height + 0.35), down, ACROSS, about + left_out, squeeze=False)
    for place in axes.flat:
        place.axis("off")
    for place, frame in zip(axes.flat, shown, strict=False):
        draw(place, frame)
    return figure


def draw(axes: Axes, frame: Frame) -> None:
    """Draw a board."""
    from matplotlib.patches import Rectangle

    rows, columns = len(frame.cells), len(frame.cells[0])
    for i, row in enumerate(frame.cells):
        for j, cell in enumerate(row):
            x, y, is_new = j, rows - 1 - i, (i, j) in frame.moved
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="#FFF3D6" if is_new else "white", edgecolor=GREY, linewidth=0.8))
            for piece in cell["pieces"]:
                _draw_piece(axes, x, y, piece, frame.is_turned)
            if is_new:
                axes.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=ORANGE, linewidth=1.6))
    axes.set(xlim=(-0.6, columns - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    axes.set_title(frame.title, fontsize=8, loc="left")


def _draw_piece(axes: Axes, x: float, y: float, piece: Any, is_turned: bool) -> None:
    """Draw a piece: its owner by colour and by letter, so that colour is never needed; its size by size; its heading by a triangle."""
    from matplotlib.patches import Circle

    if not isinstance(piece, Mapping) or piece.get("owner") not in (0, 1):
        text = piece if isinstance(piece, str) else piece.get("text", "*")
        axes.text(x, y, str(text), ha="center", va="center", fontsize=9, color=GREY)
        return
    owner = owner_of(piece, is_turned)
    size = piece.get("size")
    radius = 0.34 if size is None else min(0.16 + 0.11 * float(size), 0.46)
    axes.add_patch(Circle((x, y), radius, facecolor=(BLUE, RED)[owner], edgecolor="white", linewidth=1))
    text = str(piece.get("text", ""))
    axes.text(x, y, text if text.isalnum() else "xo"[owner], ha="center", va="center", fontsize=9, color="white", fontweight="bold")


def has_longest(solution: Solution) -> bool:
    return has_distances(solution) and has_board(solution) and solution.farthest() is not None


VIEWS = {"longest": View("the win that takes longest, a board a move", longest, has_longest, likely=boards_of_results)}
