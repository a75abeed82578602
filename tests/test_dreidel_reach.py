"""Every distribution of coins can come about at Dreidel: followed spin by spin, and by the ways of the proof."""

from __future__ import annotations

import pytest

from zermelo.cli.app import main
from zermelo.games import Dreidel
from zermelo.games.dreidel import State
from zermelo.games.dreidel_reach import possible, reached

NUN, GIMEL, HEI, SHIN = range(4)
TABLES = [(players, coins, half_up, least) for players, coins in ((2, 4), (3, 3), (4, 2)) for half_up in (True, False) for least in (0, 1)]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_all_but_one_are_reached(table: tuple[int, int, bool, int]) -> None:
    """The exercise of "Exact analysis of Dreidel game" (Possibly Wrong), and the one exception with `min_coins` 1."""
    game = Dreidel(*table)
    left_alone = State((game.players * game.coins - 1, *(0,) * (game.players - 1)), 1, 0)
    missing = possible(game) - reached(game)
    assert missing == ({left_alone} if game.min_coins else set()) and reached(game) <= possible(game)


def spun(game: Dreidel, state: State, spin: int) -> State:
    return list(game.outcomes(state))[spin][2]


def turn_of(game: Dreidel, state: State, seat: int) -> State:
    while state.player != seat:
        state = spun(game, state, NUN)
    return state


def way_to(game: Dreidel, goal: State) -> State:
    """Play as the proof does; the state that it ends in."""
    least, state = game.min_coins, game.start()
    staying = [seat for seat, held in enumerate(goal.coins) if held >= least]
    last = None
    if len(staying) == 1:
        last = (staying[0] + 1) % game.players
        staying.append(last)
    for seat in range(game.players):
        while state.coins[seat] > least:
            state = spun(game, turn_of(game, state, seat), SHIN)
    for seat in set(range(game.players)) - set(staying):
        state = spun(game, turn_of(game, state, seat), SHIN)
    for seat in staying:
        wanted = least if seat == last else goal.coins[seat]
        while state.coins[seat] < wanted:
            state = spun(game, turn_of(game, state, seat), HEI)
        while state.coins[seat] > wanted:
            state = spun(game, turn_of(game, state, seat), SHIN)
    if last is not None:
        return spun(game, turn_of(game, state, last), SHIN)
    return turn_of(game, state, goal.player)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_ways_of_the_proof_lead_there(table: tuple[int, int, bool, int]) -> None:
    game = Dreidel(*table)
    for goal in possible(game) & reached(game):
        found = way_to(game, goal)
        assert (found.coins, found.pot) == (goal.coins, goal.pot), goal


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "dreidel", "--players", "3", "--coins", "5", "--view", "reach"]) == 0
    every = len(possible(Dreidel(3, 5)))
    assert every > 500 and f"reached: {every:,}, possible: {every:,}" in capsys.readouterr().out
    assert main(["table", "dreidel", "--players", "3", "--coins", "4", "--min-coins", "1", "--view", "reach"]) == 0
    out = capsys.readouterr().out
    assert "reached: 285, possible: 286" in out and "seat 1: 11, seat 2: out, seat 3: out; pot: 1" in out
