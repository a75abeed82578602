"""Tables of board games: first moves, positions by result and distance to the end, and the longest win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from zermelo.basics.words import game_in_words
from zermelo.errors import OutOfReach
from zermelo.language.rules import Action, State
from zermelo.solution import Solution
from zermelo.views.filmstrip import Frame, best_line, frames, owner_of, who_wins
from zermelo.views.look import of_results
from zermelo.views.plot import has_distances
from zermelo.views.slices import NO_FIX, Fix, View, has_board, state_with
from zermelo.views.table import Table
from zermelo.views.words import census_words, has_winner, result_words


def move_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """Every first move up to symmetry: its outcome, and in how many moves."""
    rules, state = solution.rules, state_with(solution, fix)
    values = solution.probe(state).actions
    view, words = 1 if rules.player(state) == 0 else -1, result_words(solution)
    seen: dict[tuple[State, int], tuple[str, str, int | None]] = {}
    for action, value in values.items():
        outcome = next(o for o in rules.outcomes(state, action) if o.ways)
        stands_for_it = rules.least(outcome.state), outcome.sign
        if stands_for_it not in seen:
            result = words[int(value) * view]
            seen[stands_for_it] = (rules.action_name(action), result, solution.moves_after(state, action))
    order = {words[result]: result for result in words}
    rows = tuple(sorted(seen.values(), key=lambda r: (-order[r[1]], (r[2] or 0) * (order[r[1]] or 1))))
    same = ("of moves that are the same up to symmetry one is listed",) if len(seen) < len(values) else ()
    notes = (*same, *_squares(solution))
    found = Table(f"{game_in_words(solution.game)}: first moves", ("move", "the mover", "moves to the end"), rows, notes)
    if any(moves is not None for *_, moves in rows):
        return found
    return found._replace(printed=found._replace(columns=found.columns[:2], rows=tuple(row[:2] for row in rows)))


def _squares(solution: Solution) -> tuple[str, ...]:
    """How the game says that it names squares."""
    return (solution.game.squares(),) if hasattr(solution.game, "squares") else ()


def distance_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    counts = solution.census()
    longest = max((d for name in ("won", "lost") for d, _ in counts[name]), default=0)
    by_move = {name: dict(counts[name]) for name in ("won", "lost")}
    rows: list[tuple[str | int | None, ...]] = [
        (str(d), by_move["won"].get(d), by_move["lost"].get(d), None) for d in range(longest + 1)
    ]
    drawn, words = sum(n for _, n in counts["drawn"]), census_words(solution)
    rows.append(("draw" if has_winner(solution) else words["drawn"], None, None, drawn))
    rows.append(("all", *(sum(by_move[name].values()) for name in ("won", "lost")), drawn))
    title = f"{game_in_words(solution.game)}: {solution.report.states:,} positions{' up to symmetry' if solution.rules.folded else ''}"
    of_0 = "" if solution.report.passes or not has_winner(solution) else "; where play is over, at 0 moves, for player 0"
    found = Table(title, ("moves to the end", *words.values()), tuple(rows), (f"for the player to move{of_0}",))
    return found._replace(printed=found._replace(rows=tuple(row for row in rows if any(n is not None for n in row[1:]))))


def longest_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The position that takes the most moves to win, and how it is won."""
    rules, first = solution.rules, solution.farthest()
    line = [*best_line(solution, first)] if first is not None else []
    rows = tuple((str(k), rules.action_name(action), _in_a_line(rules.show(state))) for k, (state, action) in enumerate(line, 1))
    seen = ("each position is shown as its player to move sees it",) if solution.report.passes else ()
    none = "no position is won" if has_winner(solution) else "no position is worth 1"
    notes = (*seen, *_squares(solution)) if line else (none,)
    name, win = game_in_words(solution.game), "win" if has_winner(solution) else "way to 1"
    found = Table(f"{name}: the longest {win}", ("move", "best", "in the position"), rows, notes)
    if not line:
        return found._replace(printed=Table(f"{name}: {none}", (), ()))
    with suppress(OutOfReach):  # a position can't be drawn: it is told in the table
        return found._replace(printed=_boards(solution, found, line)) if has_board(solution) else found
    return found


def _boards(solution: Solution, whole: Table, line: list[tuple[State, Action]]) -> Table:
    """For people: the board after every move, always from the side of the player who moves first here."""
    strip = list(frames(solution.rules, line))
    rows = []
    for k, frame in enumerate(strip, 1):
        number, _, name = frame.title.partition(": ")
        board = "\n".join(_text_rows(frame))
        rows.append((number, name or "begins with", board + "\n" * (k < len(strip))))
    names = tuple(note.replace("the player to move sees", "its player sees") for note in _squares(solution))
    notes = (f"{who_wins(solution, line[0][0])}; in brackets: the squares that the move has changed", *names)
    return Table(whole.title, ("move", "best", "board after it"), tuple(rows), notes)


def _text_rows(frame: Frame) -> Iterator[str]:
    """A board as text: x belongs to the player who moves first, whatever the game calls the pieces; with their sizes."""
    for i, row in enumerate(frame.cells):
        texts = [_piece_text(cell["pieces"][-1], frame) if cell["pieces"] else "." for cell in row]
        yield "".join(f"[{text}]" if (i, j) in frame.moved else f" {text} " for j, text in enumerate(texts))


def _piece_text(piece: Any, frame: Frame) -> str:
    owner = owner_of(piece, frame.is_turned) if isinstance(piece, Mapping) else None
    if owner not in (0, 1):
        return str(piece.get("text", "*") if isinstance(piece, Mapping) else piece)
    size = piece.get("size")
    return "xo"[owner] + ("" if size is None else str(size))


def _in_a_line(board: str) -> str:
    return " / ".join(" ".join(row.split()) for row in board.splitlines())


TABLES = {
    "moves": View("first moves: what each comes to", move_table, has_distances, takes_fix=True, likely=of_results),
    "distances": View("positions by result and moves to the end", distance_table, has_distances, likely=of_results),
    "longest": View("the win that takes longest, move by move", longest_table, has_distances, likely=of_results),
}
FIGURES: dict[str, View] = {}
