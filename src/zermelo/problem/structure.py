"""The structure of an explored game: the facts that decide which solver takes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Structure(NamedTuple):
    """Facts about the reachable part of a game, collected while it was explored."""

    states: int
    actions: int  # rows: pairs of a state and an action
    outcomes: int
    finals: int
    components: int
    largest_component: int
    acyclic: bool  # no state can be returned to
    deterministic: bool  # every action has one outcome
    chance_only: bool  # nobody ever has a choice
    players: int  # 0 (chance only), 1 or 2
    passes: bool  # two players, values being those of the player to move (PASS)
    win_draw_loss: bool  # one payoff; nothing is paid before the end, and the end pays -1, 0 or +1
    non_negative: bool  # no payoff is negative
    simultaneous: bool = False  # moves are simultaneous

    def in_words(self) -> str:
        kind = {0: "chance only", 1: "one player", 2: "two players"}[self.players]
        cycles = "acyclic" if self.acyclic else f"cyclic (largest component {self.largest_component:,})"
        moves = ", deterministic" if self.deterministic and self.players else ""
        moves += ", both choose at once" if self.simultaneous else ""
        return f"{self.states:,} states, {self.outcomes:,} outcomes, {kind}, {cycles}{moves}"


def structure_of(facts: dict[str, int], component_start: np.ndarray, simultaneous: bool = False) -> Structure:
    """The structure of a game from the counters of `explore` and the boundaries of its components."""
    sizes = np.diff(component_start)
    choices = bool(facts["choices"])
    both = simultaneous or bool(facts["passes"]) or (bool(facts["player_0"]) and bool(facts["player_1"]))
    return Structure(
        states=int(component_start[-1]),
        actions=facts["rows"],
        outcomes=facts["outcomes"],
        finals=facts["finals"],
        components=len(sizes),
        largest_component=int(sizes.max()),
        acyclic=not facts["cycles"],
        deterministic=not facts["branches"],
        chance_only=not choices,
        players=0 if not choices else 2 if both else 1,
        passes=bool(facts["passes"]),
        win_draw_loss=facts["payoffs"] == 1 and not facts["pays"] and not facts["mixed_final"],
        non_negative=not facts["pays_negative"],
        simultaneous=simultaneous,
    )
