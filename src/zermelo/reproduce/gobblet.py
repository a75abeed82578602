"""Published numbers about tic-tac-toe and the small rule sets of Gobblet Gobblers."""

from __future__ import annotations

from typing import Any

from zermelo.games import GobbletGobblers
from zermelo.reproduce.claim import Bench, Claim

POST = "Possibly Wrong, Strongly solving Gobblet Gobblers"
TIC_TAC_TOE = GobbletGobblers(1, 5, False)


def states(game: GobbletGobblers) -> Any:
    return lambda bench: bench.solve(game).report.states


def decided(bench: Bench) -> int:
    """Positions that are won or lost."""
    return int((bench.solve(TIC_TAC_TOE).values != 0).sum())


def result(game: GobbletGobblers) -> Any:
    """The first player's result, and the number of moves."""

    def compute(bench: Bench) -> str:
        solution = bench.solve(game)
        distance = solution.probe(solution.rules.start).distance
        word = {1: "win", 0: "draw", -1: "loss"}[int(solution.value)]
        return word if distance is None or word == "draw" else f"{word} in {distance} moves"

    return compute


PLACES = {0: "corner", 1: "edge", 4: "centre"}
WINS = "X1 corner 15, X1 edge 13, X1 centre 15, X3 corner 13, X3 edge 15, X3 centre 13"


def first_moves(solution: Any) -> dict[tuple[int, str], tuple[int, int | None]]:
    """For every size and kind of square: the result of a first move there, and the moves to the end."""
    rules = solution.rules
    values = solution.probe(rules.start).actions
    found = {}
    for action, value in values.items():
        i, _, target = action
        square = target.bit_length() - 1
        if square in PLACES:
            moves = solution.moves_after(rules.start, action)
            found[solution.game.sizes - i // 2, PLACES[square]] = (int(value), moves)
    return dict(sorted(found.items(), key=lambda item: (item[0][0], list(PLACES.values()).index(item[0][1]))))


def winning_moves(bench: Bench) -> str:
    moves = first_moves(bench.solve(GobbletGobblers(3, 2, True)))
    return ", ".join(f"X{size} {place} {away}" for (size, place), (value, away) in moves.items() if value > 0)


def holding_moves(bench: Bench) -> str:
    moves = first_moves(bench.solve(GobbletGobblers(3, 2, False)))
    holds = {
        size: [place for (s, place), (value, _) in moves.items() if s == size and value == 0] for size in (1, 2, 3)
    }
    return ", ".join(f"X{s} {'anywhere' if len(at) == 3 else ' '.join(at)}" for s, at in holds.items() if at)


CLAIMS = (
    Claim("tic-tac-toe.states", "tic-tac-toe", POST, "positions", "765", states(TIC_TAC_TOE)),
    Claim("tic-tac-toe.decided", "tic-tac-toe", POST, "positions won or lost", "614", decided),
    Claim("tic-tac-toe.value", "tic-tac-toe", POST, "for the first player", "draw", result(TIC_TAC_TOE)),
    Claim("gobblet.221", "gobblet", POST, "positions of (2, 2, 1)", "252238", states(GobbletGobblers(2, 2, True))),
    Claim("gobblet.221-value", "gobblet", POST, "(2, 2, 1)", "draw", result(GobbletGobblers(2, 2, True))),
    Claim("gobblet.230", "gobblet", POST, "positions of (2, 3, 0)", "1964786", states(GobbletGobblers(2, 3, False))),
    Claim("gobblet.231-value", "gobblet", POST, "(2, 3, 1)", "win in 11 moves", result(GobbletGobblers(2, 3, True))),
    Claim("gobblet.320", "gobblet", POST, "positions of (3, 2, 0)", "148599441", states(GobbletGobblers(3, 2, False))),
    Claim("gobblet.320-value", "gobblet", POST, "(3, 2, 0)", "draw", result(GobbletGobblers(3, 2, False))),
    Claim("gobblet.320-moves", "gobblet", POST, "first moves that draw", "X1 anywhere, X3 centre", holding_moves),
    Claim("gobblet.321", "gobblet", POST, "positions of (3, 2, 1)", "341024631", states(GobbletGobblers(3, 2, True))),
    Claim("gobblet.321-value", "gobblet", POST, "(3, 2, 1)", "win in 13 moves", result(GobbletGobblers(3, 2, True))),
    Claim("gobblet.321-moves", "gobblet", POST, "first moves and moves to the win", WINS, winning_moves),
    Claim("gobblet.230-value", "gobblet", POST, "(2, 3, 0)", "win in 9 moves", result(GobbletGobblers(2, 3, False))),
)
