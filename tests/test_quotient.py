"""States that are the same: which of them is kept, and where its values are read."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from zermelo.games import GobbletGobblers, LeftCenterRight
from zermelo.language.checking import check
from zermelo.language.rules import Rules
from zermelo.states.layout import Layout
from zermelo.states.quotient import columns_after, kept, order_after, smallest_key


def test_all_mirror_images_have_the_key_of_the_smallest() -> None:
    game = GobbletGobblers()
    rules, states = Rules(game), check(game).states
    layout = Layout.of([s for state in states for s in (state, *rules.same_as(state))])
    for state in states:
        images = [state, *rules.same_as(state)]
        assert {smallest_key(rules, layout, s) for s in images} == {layout.pack(rules.least(state))} == {layout.pack(min(images))}
        assert [k.turns for k in kept(rules, layout, state)] == [0]
    assert smallest_key(rules, layout, (1, 2)) == -1
    assert smallest_key(rules, layout, type(states[0])(*[99 for _ in states[0]])) == -1


@pytest.fixture(scope="module")
def solved() -> Any:
    """Left-Center-Right for 3: by stages, with the table turned; and explored, every state by itself."""
    game = LeftCenterRight(3, 2)
    return zermelo.solve(game), zermelo.solve(game, exact=True)


def test_states_are_found_where_they_are_kept(solved: Any) -> None:
    by_stages, explored = solved
    rules = by_stages.rules
    for state in explored.space:
        (place, *rest) = kept(rules, by_stages.layout, state)
        found = [k for k in (place, *rest) if k.key in set(by_stages.space.keys.tolist())]
        assert len(found) == 1 and (found[0].turns > 0) == (state.player != 0)
        assert by_stages.space.unrank(by_stages.space.find(state)[0]) == by_stages.layout.unpack(found[0].key)
        assert by_stages.space.find(state)[1] == found[0].turns


def test_values_are_read_from_another_column(solved: Any) -> None:
    by_stages, explored = solved
    rules = by_stages.rules
    columns = columns_after(rules)
    for state in explored.space:
        turned, turns = rules.turned(state)
        here, there = (tuple(explored.payoff_values[explored.space.rank(s)]) for s in (state, turned))
        assert tuple(there[column] for column in columns[turns]) == pytest.approx(here)
        assert [here[j] for j in order_after(rules, turns)] == pytest.approx(there)


def test_what_is_no_state_of_the_game_is_not_found(solved: Any) -> None:
    by_stages, _ = solved
    state = by_stages.rules.start
    short = state._replace(chips=state.chips[:1])
    assert [k.key for k in kept(by_stages.rules, by_stages.layout, short)] == [-1]
    assert [k.key for k in kept(by_stages.rules, by_stages.layout, state._replace(player=99))][0] == -1
