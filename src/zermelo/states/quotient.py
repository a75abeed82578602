"""Symmetric states: the representative that is stored, and how the values of another state are read from it.

A game declares them in one of two ways. `symmetries` yields the other states of an orbit, which have the same values; the smallest state
is the representative. `turned` gives the state with the table rotated, and the number of seats it was rotated by, which permutes the
payoffs of the seats. Either gives a representative and a number of turns (0 for mirror images); `Rules.payoff_after` gives the place of a
payoff after these turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.language.rules import Rules, State, lengths
from zermelo.states.layout import Layout


class Lookup(NamedTuple):
    """A place where the values of a state may be stored."""

    key: int  # of a representative; -1 if the layout cannot represent it
    turns: int  # seats by which the table was rotated


def smallest_key(rules: Rules, layout: Layout, state: Any) -> int:
    """The smallest key in the orbit of a state, under which the whole orbit is stored; -1 for anything that cannot be a state."""
    if not layout.is_for(state) or lengths(state) != layout.lengths:
        return -1  # the rules need not handle it
    return min(layout.pack(s) for s in (state, *rules.same_as(state)))


def kept(rules: Rules, layout: Layout, state: State) -> Iterator[Lookup]:
    """The places to look for the values of a state, in order: under its own orbit, then with the table rotated.

    Nothing is yielded twice. The search ends if `turned` fails, as it may on an object that is not a state of the game.
    """
    yield Lookup(smallest_key(rules, layout, state), 0)
    if lengths(state) != layout.lengths:
        return
    try:
        turned, turns = rules.turned(state)
    except Exception:  # rules need not handle objects that are not states of the game
        return
    if turned != state and 0 <= turns < max(len(rules.seats), 1):
        yield Lookup(layout.pack(turned), turns)


def columns_after(rules: Rules) -> np.ndarray:
    """int64[turns, payoffs]: the index that each payoff of a state has after a rotation of the table by this many seats."""
    payoffs, turns = range(len(rules.payoffs)), range(max(len(rules.seats), 1))
    return np.array([[rules.payoff_after(j, k) for j in payoffs] for k in turns], dtype=np.int64)


def order_after(rules: Rules, turns: int) -> list[int]:
    """The payoffs, by number, in the order that they have after a rotation of the table by this many seats."""
    return sorted(range(len(rules.payoffs)), key=lambda j: rules.payoff_after(j, turns))
