"""Data frames: of all states, or of some, which every solution answers for."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import zermelo
from asking import solve_board, solve_urn
from zermelo.games import Dodgem
from zermelo.games.card_draw import CardDraw, State
from zermelo.games.hog_simultaneous import HogSimultaneous
from zermelo.games.ten_thousand_race import TenThousandRace
from zermelo.solvers.by_component import Cyclic

STORED = [CardDraw(5, 4), Dodgem(2), HogSimultaneous(4)]


@pytest.mark.parametrize("game", STORED, ids=lambda g: type(g).__name__)
def test_some_states_of_a_game_that_is_stored(game: Any, in_python: None) -> None:
    """Row by row what the frame of all states says."""
    solution = zermelo.solve(game)
    every, states = solution.to_dataframe(), list(solution.space)
    pd.testing.assert_frame_equal(solution.to_dataframe(states[:9:-3]), every[:9:-3].reset_index(drop=True), rtol=1e-12)
    none = solution.to_dataframe([])
    assert len(none) == 0 and list(none) == list(every)


def test_some_states_of_a_board_game(in_python: None) -> None:
    board, general = solve_board(Dodgem(2)), zermelo.solve(Dodgem(2))
    states = list(general.space)[::5]
    ours, theirs = board.to_dataframe(states), general.to_dataframe(states)
    pd.testing.assert_frame_equal(ours.drop(columns="action"), theirs.drop(columns="action"))
    for state, action in zip(states, ours.action, strict=True):
        best = board.probe(state).action
        assert pd.isna(action) if best is None else action == board.rules.action_name(best)
    assert (ours.distance >= -1).all() and ours.distance.max() > 0


def test_some_states_of_a_race() -> None:
    game = TenThousandRace(goal=4)
    general = zermelo.solve(game, solver=Cyclic())
    states = list(general.space)[::40]
    ours, theirs = zermelo.solve(game).to_dataframe(states), general.to_dataframe(states)
    assert zermelo.solve(game).report.engine == "entries"
    pd.testing.assert_frame_equal(
        ours.drop(columns=["action", "error"]), theirs.drop(columns=["action", "error"]), check_exact=False, atol=1e-12
    )


def test_some_states_of_a_swept_urn() -> None:
    """The best action of a deck with 1 red and 2 black cards is either."""
    swept, general = solve_urn(CardDraw(20, 20)), zermelo.solve(CardDraw(20, 20))
    states = [s for s in list(general.space)[::3] if s != State(1, 2)]
    ours, theirs = swept.to_dataframe(states), general.to_dataframe(states)
    pd.testing.assert_frame_equal(ours.drop(columns="error"), theirs.drop(columns="error"), check_exact=False, atol=1e-9)
    assert (abs(ours.value - theirs.value) <= ours.error + 1e-12).all()
    large = zermelo.solve(CardDraw(3000, 3000))
    frame = large.to_dataframe(State(n, n) for n in (0, 1, 26, 3000))
    assert frame.red.tolist() == [0, 1, 26, 3000] and frame.action.fillna("").tolist() == ["", "draw", "draw", "draw"]
    assert frame.value.tolist() == [0.0, 0.5, *(large.probe(State(n, n)).value for n in (26, 3000))]


def test_what_is_refused() -> None:
    large = zermelo.solve(CardDraw(3000, 3000))
    with pytest.raises(zermelo.OutOfReach, match="a data frame without `states` needs all 9,006,001 states of CardDraw"):
        large.to_dataframe()
    with pytest.raises(zermelo.UnreachableState, match="can't be reached"):
        large.to_dataframe([State(3001, 5)])
    with pytest.raises(zermelo.ParameterError, match="states must be a sequence of states.*not 5"):
        large.to_dataframe(5)  # type: ignore[arg-type]
    with pytest.raises(zermelo.ParameterError, match="not a state"):
        large.to_dataframe(State(5, 5))  # type: ignore[arg-type]


def test_a_field_that_is_called_as_a_column_of_the_solution_keeps_its_name() -> None:
    """Lemonade's assets are a field of its states and its payoff: the column of values was written over the field."""
    solution = zermelo.solve("lemonade", days=1, assets=20, first_day=7)
    assert solution.rules.payoffs[0] in solution.layout.slot_names == ("day", "weather", "assets")
    for frame in (solution.to_dataframe(), solution.to_dataframe(list(solution.space))):
        assert [*frame.columns[:4]] == ["day", "weather", "assets", "assets (solution)"]
        assert [tuple(row) for row in frame[["day", "weather", "assets"]].to_numpy().tolist()] == [tuple(s) for s in solution.space]
        assert frame["assets (solution)"].tolist() == solution.values.tolist()


def test_errors_below_every_digit_are_rounded_up() -> None:
    """Where only underflow could have been lost bounds are as small as 2e-200; a proven value has no error."""
    solution = zermelo.solve("card-draw", red=5, black=5)
    errors, shown = solution.errors, solution.to_dataframe().error.to_numpy()
    assert 0 < errors[errors > 0].min() < 1e-100, "there are such bounds"
    assert (shown >= errors).all() and shown[shown > 0].min() == 1e-16 and ((shown == 0) == (errors == 0)).all()
    assert (shown[errors > 1e-15] == errors[errors > 1e-15]).all()
    assert solution.to_dataframe(list(solution.space)).error.tolist() == shown.tolist()
