"""What a game looks like at the states of the sample: who chooses, whether there is chance, whether play can return, how many states.
For people who wonder whether their rules say what they mean: a forgotten -1 makes a game for two one for one player."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.basics.fields import described

PLAYERS = ("nobody has a choice", "one player", "two players")
CLOSE = 1e-9  # of a sum of probabilities to 1


@described(
    players="How many players have something to choose.",
    has_chance="Whether an action has several outcomes.",
    returns="Whether play can come back to a state.",
    states="Examined states, and those that they lead to.",
    is_all="Whether play leads to no others.",
)
class Seen(NamedTuple):
    """What was seen of a game."""

    players: int
    has_chance: bool
    returns: bool
    states: int
    is_all: bool

    def __str__(self) -> str:
        chance = "chance" if self.has_chance else "no chance"
        parts = ["chance only"] if not self.players and self.has_chance else [PLAYERS[self.players], chance]
        parts.append("play can return to a state" if self.returns else "play never returns to a state")
        states = f"{self.states:,} state{'s' if self.states != 1 else ''}"
        return ", ".join([*parts, states]) if self.is_all else f"{', '.join([*parts, f'{states} and more'])} (as far as examined)"


ODD_WAYS = "the ways "


def odd_ways(ways: Sequence[Any], context: str, where: str = "") -> str:
    """A remark on ways that look like probabilities but do not sum to 1; "" for all others."""
    total = math.fsum(ways)
    if not ways or max(ways) > 1 or abs(total - 1) <= CLOSE or all(way == int(way) for way in ways):
        return ""
    return f"{ODD_WAYS}{context} sum to {total:.6g}{where}: each counts as its share of the sum; probabilities would sum to 1"


class Signs:
    """What is noticed on the way, state by state."""

    def __init__(self) -> None:
        self.choosers: set[int] = set()  # players who have something to choose somewhere
        self.passes, self.has_chance = False, False
        self.odd_ways = ""  # a remark on the first distribution that does not sum to 1
        self.movers: dict[Any, int] = {}  # what `player` says
        self.passed: list[tuple[Any, Any, str]] = []  # in games with `player`: two states with -1 between them, and where it is yielded

    def outcomes(self, ways: Sequence[Any], signs: Sequence[Any], context: str, where: object) -> None:
        """Of an action: the ways of its outcomes that can happen, and their signs."""
        self.has_chance |= len(ways) > 1
        self.passes |= -1 in signs
        if not self.odd_ways:
            self.odd_ways = odd_ways(ways, context, f" {where}")

    def exchanged_twice(self) -> str:
        """A remark on the first outcome at which both `player` and -1 exchange the players; "" if there is none."""
        for state, successor, at in self.passed:
            mover, next_mover = self.movers.get(state), self.movers.get(successor)
            if None not in (mover, next_mover) and mover != next_mover:
                said = f"{at} an outcome has -1, and `player` goes from {mover} to {next_mover}, too"
                return f"{said}: players are exchanged twice, so that one side makes all moves; leave out one of the two"
        return ""

    def seen(self, next_states: dict[Any, list[Any]], is_simultaneous: bool, is_cut_short: bool) -> Seen:
        """Put together with the states that follow the examined ones."""
        known = set(next_states).union(*next_states.values())
        players = 2 if self.passes or is_simultaneous or len(self.choosers) == 2 else len(self.choosers)
        return Seen(players, self.has_chance, _returns(next_states), len(known), not is_cut_short and len(known) == len(next_states))


def _returns(next_states: dict[Any, list[Any]]) -> bool:
    """Whether there is a cycle: not all states can be taken away, one after the other, that no other leads to."""
    leading = dict.fromkeys(next_states, 0)
    for after in next_states.values():
        for state in set(after) & next_states.keys():
            leading[state] += 1
    free = [state for state, count in leading.items() if not count]
    left = len(next_states)
    while free:
        left -= 1
        for state in set(next_states[free.pop()]) & next_states.keys():
            leading[state] -= 1
            if not leading[state]:
                free.append(state)
    return left > 0
