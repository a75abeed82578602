"""Which states a game calls the same: the one of them that is kept, and what reading the values of another from it costs.

A game says so in one of two ways. `symmetries` yields the positions that are the same as a state, with the same values; the smallest of
them is kept. `turned` gives the state with the table turned, and by how many seats: there the payoffs of the seats have changed places.
Both are a representative and a number of turns (0 for mirror images); `Rules.payoff_after` says where a payoff is found after them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.language.rules import Rules, State, lengths
from zermelo.states.layout import Layout


class Kept(NamedTuple):
    """Where the values of a state may be found."""

    key: int  # of the state that stands for it; -1 if the layout does not hold it
    turns: int  # seats by which the table was turned


def smallest_key(rules: Rules, layout: Layout, state: Any) -> int:
    """The smallest of the keys of a state and of its mirror images, under which all of them are kept; -1 if it can't be one."""
    if not isinstance(state, layout.state_class) or lengths(state) != layout.lengths:
        return -1  # the rules need not make sense of it
    return min(layout.pack(s) for s in (state, *rules.same_as(state)))


def kept(rules: Rules, layout: Layout, state: State) -> Iterator[Kept]:
    """Where to look a state of the game up, in this order: under its own class of mirror images, then with the table turned.

    Nothing is yielded twice. Rules that can't tell what a state is turned to, since it is none of theirs, end the search.
    """
    yield Kept(smallest_key(rules, layout, state), 0)
    if lengths(state) != layout.lengths:
        return
    try:
        turned, turns = rules.turned(state)
    except Exception:  # rules need not make sense of what is no state of the game
        return
    if turned != state and 0 <= turns < max(len(rules.seats), 1):
        yield Kept(layout.pack(turned), turns)


def columns_after(rules: Rules) -> np.ndarray:
    """int64[turns, payoffs]: in which column each payoff of a state stands, among those of the state that it was turned to."""
    payoffs, turns = range(len(rules.payoffs)), range(max(len(rules.seats), 1))
    return np.array([[rules.payoff_after(j, k) for j in payoffs] for k in turns], dtype=np.int64)


def payoffs_turned(rules: Rules, payoffs: tuple[Any, ...], turns: int) -> tuple[Any, ...]:
    """The payoffs of a state in the order that they have after so many turns of the table."""
    return tuple(payoffs[j] for j in sorted(range(len(payoffs)), key=lambda j: rules.payoff_after(j, turns)))
