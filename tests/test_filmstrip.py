"""The longest win as a strip of boards: every board from one side, and what has moved."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest

import zermelo
from conversation import talk
from zermelo.errors import OutOfReach
from zermelo.games.all_views import fitting, likely_views
from zermelo.states.layout import flatten
from zermelo.views import board_moves, plot, table
from zermelo.views.board_tables import TABLES
from zermelo.views.filmstrip import VIEWS, best_line, frames, who_wins
from zermelo.views.play import Session
from zermelo.views.slices import has_board
from zermelo.views.table import Table

pytestmark = pytest.mark.usefixtures("in_python")  # boards of some thousand positions


@cache
def solved(word, **parameters):
    """Of the games of several tests."""
    return zermelo.solve(word, **parameters)


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
    solution = solved(word, **parameters)
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
    solution = solved("connect-four", width=4, height=3)
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


class Heap(NamedTuple):
    left: int


class Matches(NamedTuple):
    """Take one to three matches of five; the last one wins. 0 takes one, too, and one moves again. One outcome never happens."""

    def start(self):
        return Heap(5)

    def actions(self, s):
        for take in range(0 if s.left == 5 else 1, min(3, s.left) + 1):  # noqa: UP028
            yield take

    def outcomes(self, s, take):
        yield 0, 0, Heap(0), 1
        yield 1, 0, Heap(s.left - max(take, 1)), 1 if take == 0 else -1

    def payoff(self, s):
        return -1


def test_board_games_of_ones_own_have_the_tables_of_those_of_the_catalogue():
    """They had none; and a move to the same position was left out although another player moves there."""
    solution = zermelo.solve(Matches())
    views = fitting(solution, "TABLES")
    assert list(views) == ["states", "actions", "moves", "distances", "longest"] == list(likely_views(Matches(), "TABLES"))
    moves = views["moves"].make(solution)
    assert [row[1:] for row in moves.rows] == [("wins", 3), ("loses", 3), ("loses", 2), ("loses", 2)] and moves.notes == ()
    assert views["moves"].make(solution, {"left": 0}).rows == ()
    assert views["distances"].make(solution).rows[-1][1:] == (4, 2, 0)
    longest = views["longest"].make(solution)
    assert [row[1] for row in longest.rows] == [solution.rules.action_name(a) for _, a in best_line(solution, solution.farthest())]
    assert not {"moves", "distances", "longest"} & set(likely_views(zermelo.games.Pig(goal=5), "TABLES"))


class Named(NamedTuple):
    """The same matches, one or three at a time, where `player` says who moves."""

    start = Matches.start

    def player(self, s):
        return s.left % 2

    def actions(self, s):
        for take in range(1, min(3, s.left) + 1, 2):  # noqa: UP028
            yield take

    def outcomes(self, s, take):
        yield 1, 0, Heap(s.left - take)

    def payoff(self, s):
        return 1


def test_of_whom_finished_positions_are_counted_is_said():
    """A mate of player 1 counts as won, at 0 moves, below "for the player to move"."""
    for game, more in ((Named(), "; where play is over, at 0 moves, for player 0"), (Matches(), ""), (Ladder(), "")):
        assert TABLES["distances"].make(zermelo.solve(game)).notes == (f"for the player to move{more}",)


class Ladder(NamedTuple):
    """One player climbs down by one or two rungs, and gets 1 on the ground; without the last rung, -1 or 0."""

    missing: int = -1

    def start(self):
        return Heap(3)

    def actions(self, s):
        for rungs in range(1, min(2, s.left) + 1):  # noqa: UP028
            yield rungs

    def outcomes(self, s, rungs):
        yield 1, 0, Heap(s.left - rungs if s.left != 2 or rungs == 1 else -1)

    def payoff(self, s):
        return self.missing if s.left < 0 else 1

    def picture(self, s):
        yield {"kind": "grid", "cells": [[{"owner": 0} if s.left == left else None for left in range(-1, 4)]]}


def test_one_player_does_not_win_or_draw_but_gets_something():
    """Of one player it was said that he wins, that positions are lost for him, and "a win" is not what 1 must be."""
    for missing in (-1, 0):
        solution = zermelo.solve(Ladder(missing))
        tables = {name: TABLES[name].make(solution, {"left": 2}) for name in ("moves", "distances", "longest")}
        assert [row[1:] for row in tables["moves"].rows] == [("gets 1", 2), (f"gets {missing}", 1 if missing else None)]
        assert tables["distances"].columns[1:] == ("gets 1", "gets -1", "gets 0")
        assert tables["distances"].rows[-1][1:] == (4, -missing, 1 + missing)
        figures = [VIEWS["longest"].make(solution), plot.distances(solution), board_moves.board_moves(solution, {"left": 2})]
        said = [f"{table.title} {table.columns} {table.rows} {table.notes} {table.printed}" for table in tables.values()]
        said += [text.get_text() for figure in figures for part in (figure, *figure.axes) for text in part.texts]
        said += [talk(Session(solution), "h", "1", "h", "2", "1")]
        assert not re.search(r"\b(wins?|won|draws?|drawn|los[te]|loses|loss)\b", " ".join(said)), said
        assert {"1 in 2", f"{missing} in 1" if missing else "0"} <= set(said)
    assert TABLES["longest"].make(solution).title == "Ladder: missing 0: the longest way to 1"
    assert board_moves.board_moves(solution, {"left": 2}).texts[0].get_text() == "1 of 2 moves gets 1"


def test_games_without_boards_have_no_strip_and_boards_no_map_of_their_squares():
    pig, dodgem = zermelo.solve("pig", goal=5), solved("dodgem", size=2)
    assert (VIEWS["longest"].fits(pig), plot.VIEWS["values"].fits(pig)) == (False, True)
    assert (VIEWS["longest"].fits(dodgem), plot.VIEWS["values"].fits(dodgem)) == (True, False)
    assert (table.VIEWS["states"].fits(pig), table.VIEWS["states"].fits(dodgem)) == (True, False)


def test_the_map_of_simultaneous_moves_names_the_likeliest_action_and_leaves_final_states_out():
    solution = zermelo.solve("hog-simultaneous", goal=8, most_dice=4)
    values, actions = (axes for axes in plot.VIEWS["values"].make(solution).axes if axes.get_xlabel() == "second")
    assert actions.get_title(loc="left") == "likeliest action of the first player"
    assert actions.get_xlim()[1] == actions.get_ylim()[1] == 7.5 < values.get_xlim()[1]


def boxes(figure):
    """What the results on the squares say, by the place of their centre: (x, y) from the lower left."""
    (axes,) = figure.axes
    return {(round(t.get_position()[0]), round(t.get_position()[1])): t.get_text() for t in axes.texts if t.get_bbox_patch() is not None}


def texts(figure):
    return [t.get_text() for t in figure.texts]


def test_results_of_moves_stand_on_their_squares():
    solution = solved("tic-tac-toe")
    view = board_moves.VIEWS["moves"]
    assert view.fits(solution)
    figure = view.make(solution, {"pieces[1]": 1})  # the other one has a corner
    assert texts(figure)[0] == "No move wins; 1 of 8 moves draws"
    assert boxes(figure) == {(x, y): "D" if (x, y) == (1, 1) else "L6" for x in range(3) for y in range(3) if (x, y) != (0, 2)}
    assert set(boxes(view.make(solution)).values()) == {"D"} and texts(view.make(solution))[0] == "Every move draws"
    won = view.make(solution, {"pieces[0]": 0b011_000_000, "pieces[1]": 0b000_000_011})
    assert texts(won)[0] == "2 of 5 moves win", "three in a row at once, or a block that makes two threats"
    assert boxes(won)[2, 0] == "W1" and boxes(won)[2, 2] == "W3"


def test_a_piece_falls_to_where_its_result_stands():
    solution = solved("connect-four", width=4, height=3)
    figure = board_moves.VIEWS["moves"].make(solution)
    assert boxes(figure).keys() == {(column, 0) for column in range(4)}


def test_a_car_that_leaves_the_board_has_its_result_where_it_was():
    solution = solved("dodgem", size=2)
    rules = solution.rules
    leaving = next(
        (s, a) for s in solution.space for a in rules.actions(s) if a is not None and len(frames(rules, [(s, a)])[1].moved) == 1
    )
    ((i, j),) = frames(rules, [leaving])[1].moved
    fix = dict(zip(solution.layout.slot_names, flatten(leaving[0]), strict=True))
    assert (j, 1 - i) in boxes(board_moves.VIEWS["moves"].make(solution, fix))


def test_several_moves_to_a_square_and_no_moves():
    gobblet = zermelo.solve("gobblet", sizes=2, per_size=1)
    figure = board_moves.VIEWS["moves"].make(gobblet)
    assert len(board_moves.results(gobblet, gobblet.rules.start)) == 18 and len(boxes(figure)) == 9
    played = solved("tic-tac-toe")
    over = board_moves.VIEWS["moves"].make(played, {"pieces[0]": 0b000_011_000, "pieces[1]": 0b000_000_111})
    assert texts(over)[0] == "No moves" and texts(over)[1].endswith("play is over here") and not boxes(over)
    assert not board_moves.VIEWS["moves"].fits(zermelo.solve("pig", goal=3))


class Squares(NamedTuple):
    at: tuple[int, int, int]
    mover: int


class Slide(NamedTuple):
    """Each side has a piece at an end and may move it to the middle, where it wins; player 1 begins, and has no pass."""

    def start(self):
        return Squares((0, -1, 1), 1)

    def player(self, s):
        return s.mover

    def actions(self, s):
        if s.at[1] == -1:
            yield 0
            if s.mover == 0:
                yield 1

    def outcomes(self, s, action):
        if action == 1:
            yield 1, 0, Squares(s.at, 1)
        elif s.mover == 1:
            yield 1, 0, Squares((0, 1, -1), 0)
        else:
            yield 1, 0, Squares((-1, 0, 1), 1)

    def payoff(self, s):
        return 1 if s.at[1] == 0 else -1

    def picture(self, s):
        return {"kind": "grid", "cells": [[{"shape": "disc", "owner": n} if n >= 0 else None for n in s.at]]}


def test_the_piece_that_moves_is_named_by_its_own_colour():
    """Where nobody passes, x was said to move though player 1, o, did, and the result stood on the square that was left."""
    solution = zermelo.solve(Slide())
    figure = board_moves.VIEWS["moves"].make(solution)
    assert "; o (orange) moves: " in texts(figure)[1] and [*boxes(figure)] == [(1, 0)]
    assert who_wins(solution, solution.rules.start) == "o moves first and gets 1"
    assert who_wins(solution, solution.rules.start, is_coloured=True) == "o (orange) moves first and gets 1"


# --- games of one's own ------------------------------------------------------------------------------------------------


class Pile(NamedTuple):
    left: int
    side: int


class Take(NamedTuple):
    """Take one or two; who takes the last wins. `kind` is how the positions are drawn."""

    kind: str = "none"

    def start(self):
        return Pile(5, 0)

    def player(self, s):
        return s.side

    def actions(self, s):
        yield from range(1, min(s.left, 2) + 1)

    def outcomes(self, s, action):
        yield 1, 0, Pile(s.left - action, 1 - s.side)

    def payoff(self, s):
        return -1 if s.side == 0 else 1


def drawn_as(picture):
    return zermelo.solve(type("Take", (Take,), {"picture": picture})())


def grid(rows, columns):
    return {"kind": "grid", "cells": [[{"pieces": [{"owner": 0}]}] * columns] * rows}


@pytest.mark.parametrize("spoiled", [lambda self, s: 5, lambda self, s: {"kind": "grid", "cells": [[]]}, lambda self, s: 1 // 0])
def test_a_picture_that_is_none_keeps_nothing_from_being_told(spoiled):
    """Tables and pictures of such games were an error that names a class of ours."""
    solution = drawn_as(spoiled)
    assert not has_board(solution) and {"moves", "longest"} <= fitting(solution, "TABLES").keys()
    assert TABLES["longest"].make(solution).printed is None and not {"moves", "longest"} & fitting(solution, "FIGURES").keys()


@pytest.mark.parametrize(("word", "title"), [("dodgem", "1,395 positions"), ("tic-tac-toe", "765 positions up to symmetry")])
def test_positions_are_counted_up_to_symmetry_where_there_are_symmetries(word, title):
    assert TABLES["distances"].make(zermelo.solve(word)).title.endswith(f": {title}")


def test_a_play_whose_later_boards_are_none():
    solution = drawn_as(lambda self, s: grid(1, 2) if s.left > 2 else {"kind": "facts", "facts": [("left", str(s.left))]})
    assert has_board(solution) and TABLES["longest"].make(solution).rows and TABLES["longest"].make(solution).printed is None
    with pytest.raises(OutOfReach, match=r"`picture` has no grid \(at Pile\(left=[0-2], side=\d\)\), so that this play is not drawn"):
        VIEWS["longest"].make(solution)


def test_boards_that_grow_have_new_squares():
    solution = drawn_as(lambda self, s: grid(6 - s.left, 6 - s.left))
    first = solution.farthest()
    assert first is not None
    strip = frames(solution.rules, list(best_line(solution, first)))
    sides = [len(frame.cells) for frame in strip]
    assert sides == sorted(set(sides)) and [len(f.moved) for f in strip[1:]] == [b**2 - a**2 for a, b in pairwise(sides)]
