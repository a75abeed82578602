"""Dreidel with more and more coins: the limit of what seats win, seen from both sides."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from zermelo.games import Dreidel
from zermelo.games.dreidel_growth import course, extrapolated, limit


@pytest.mark.parametrize("half_up", [True, False])
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_the_limit_is_one(players: int, half_up: bool) -> None:
    """What some win others lose, and pots beyond those that are counted don't matter."""
    found = limit(players, half_up)
    assert sum(found) == pytest.approx(0.0, abs=1e-12)
    assert found == pytest.approx(limit(players, half_up, pots=130), abs=1e-13)
    assert found[0] > 0 > found[-1]


@pytest.mark.parametrize("game", [Dreidel(2, half_up=False), Dreidel(2, min_coins=1), Dreidel(3)], ids=str)
def test_solved_games_tend_to_it(game: Dreidel) -> None:
    """Extrapolated from games of up to 24 coins, without knowing the limit."""
    most = 24 if game.min_coins else 18
    found = course(game, range(most // 2, most + 1))  # fewer coins count for nothing
    coins = np.array([float(c.coins) for c in found])
    for seat, far in enumerate(limit(game.players, game.half_up)):
        seen = extrapolated(coins, np.array([c.returns[seat] for c in found]))
        assert seen is not None and abs(seen.value - far) <= max(3 * seen.error, 1e-8)
        assert seen.error < 1e-4


def test_two_players_tend_to_the_published_limit() -> None:
    """ "two players tend to about 0.1108": the project's notes on the Possibly Wrong blog."""
    assert round(limit(2)[0], 4) == 0.1108
    assert limit(2)[0] == pytest.approx(0.11079689746, abs=1e-11)


def test_a_course_is_that_of_the_games() -> None:
    two = course(Dreidel(3, 7, min_coins=1), range(1, 4))
    assert [c.coins for c in two] == [2, 3]  # with one coin each the first ante takes everybody out
    solution = zermelo.solve(Dreidel(3, 3, min_coins=1))
    assert two[1].spins == solution.value and two[1].deviation == solution.length.standard_deviation
    assert two[1].returns == tuple(solution.game.net_return(solution.payoffs[name]) for name in solution.game.seats())
    assert extrapolated(np.arange(1.0, 6.0), np.ones(5)) is None
