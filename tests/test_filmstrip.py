"""The longest win as a strip of boards: every board from one side, and what has moved."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games.board_views import TABLES
from zermelo.views import plot, table
from zermelo.views.filmstrip import VIEWS, best_line, frames
from zermelo.views.table import Table


def owners(frame):
    """Where pieces of the player who moves first (0) and of the other one (1) stand."""
    found = {}
    for i, row in enumerate(frame.cells):
        for j, cell in enumerate(row):
            for piece in cell["pieces"]:
                found[i, j] = 1 - piece["owner"] if frame.is_turned else piece["owner"]
    return found


GAMES = [("tic-tac-toe", {}), ("dodgem", {"size": 3}), ("connect-four", {"width": 4, "height": 3})]


@pytest.mark.parametrize(("word", "parameters"), GAMES)
def test_each_board_differs_from_the_one_before_by_the_move_of_one_player(word, parameters):
    solution = zermelo.solve(word, **parameters)
    line = list(best_line(solution, solution.farthest()))
    strip = frames(solution.rules, line)
    assert len(strip) == len(line) + 1 and not strip[0].moved
    for number, (before, after) in enumerate(zip(strip, strip[1:], strict=False)):
        was, now = owners(before), owners(after)
        changed = {place for place in was.keys() | now.keys() if was.get(place) != now.get(place)}
        assert changed == after.moved and 1 <= len(changed) <= 2
        assert {owner for p in changed for owner in (was.get(p), now.get(p)) if owner is not None} == {number % 2}
    assert VIEWS["longest"].fits(solution)
    figure = VIEWS["longest"].make(solution)
    assert sum(bool(axes.get_title(loc="left")) for axes in figure.axes) == len(line)


def test_the_table_of_the_longest_win_keeps_sides():
    """x is the player who moves first on every line; a move puts brackets around what it changes."""
    solution = zermelo.solve("connect-four", width=4, height=3)
    whole = TABLES["longest"].make(solution)
    assert all(row[2].rstrip().count("\n") == 2 for row in whole.printed.rows), "a board is one cell of three lines"
    boards = [row[2].replace("\n", "") for row in whole.printed.rows]
    assert len(boards) == len(whole.rows) + 1 and "[" not in boards[0]
    for number, (before, after) in enumerate(zip(boards, boards[1:], strict=False)):
        assert after.count("[") == 1 and after[after.index("[") + 1] == "xo"[number % 2]
        (changed,) = (i for i in range(1, len(after), 3) if before[i] != after[i])
        assert (before[changed], after[changed - 1 : changed + 2]) == (".", f"[{'xo'[number % 2]}]")


def test_where_no_position_is_won_the_table_says_so_and_has_no_empty_columns():
    solution = zermelo.solve("connect-four", width=3, height=3)
    assert TABLES["longest"].make(solution).printed == Table("Connect Four: 3 columns, 3 rows: no position is won", (), ())
    moves = TABLES["moves"].make(solution)
    assert moves.printed.columns == ("move", "the mover"), "all moves draw, and take no number of moves"
    assert moves.columns == (*moves.printed.columns, "moves to the end") and moves.rows == tuple((*row, None) for row in moves.printed.rows)


def test_games_without_boards_have_no_strip_and_boards_no_map_of_their_squares():
    pig, dodgem = zermelo.solve("pig", goal=5), zermelo.solve("dodgem", size=2)
    assert (VIEWS["longest"].fits(pig), plot.VIEWS["values"].fits(pig)) == (False, True)
    assert (VIEWS["longest"].fits(dodgem), plot.VIEWS["values"].fits(dodgem)) == (True, False)
    assert (table.VIEWS["states"].fits(pig), table.VIEWS["states"].fits(dodgem)) == (True, False)


def test_the_map_of_simultaneous_moves_names_the_likeliest_action_and_leaves_final_states_out():
    solution = zermelo.solve("hog-simultaneous", goal=8, most_dice=4)
    values, actions = (axes for axes in plot.VIEWS["values"].make(solution).axes if axes.get_xlabel() == "second")
    assert actions.get_title(loc="left") == "likeliest action of the first player"
    assert actions.get_xlim()[1] == actions.get_ylim()[1] == 7.5 < values.get_xlim()[1]
