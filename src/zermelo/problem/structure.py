"""The structure of an explored game: the facts that decide which solver takes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.basics.fields import described
from zermelo.basics.words import counted


@described(
    states="States that can be reached.",
    actions="Pairs of a state and an action.",
    outcomes="Triples of a state, an action and an outcome.",
    finals="Final states.",
    components="Strongly connected components.",
    largest_component="States of the largest component.",
    acyclic="Whether no state can be returned to.",
    deterministic="Whether every action has one outcome.",
    chance_only="Whether nobody ever has a choice.",
    players="How many players choose: 0 (chance only, or only one thing can happen), 1 or 2.",
    passes="Whether the rules use PASS, so that values are those of the player to move.",
    win_draw_loss="Whether there is one payoff, nothing is paid before the end, and the end pays -1, 0 or +1.",
    non_negative="Whether no payoff is negative.",
    simultaneous="Whether moves are simultaneous.",
)
class Structure(NamedTuple):
    """Facts about the reachable part of a game, collected while it was explored."""

    states: int
    actions: int
    outcomes: int
    finals: int
    components: int
    largest_component: int
    acyclic: bool
    deterministic: bool
    chance_only: bool
    players: int
    passes: bool
    win_draw_loss: bool
    non_negative: bool
    simultaneous: bool = False

    def in_words(self) -> str:
        """The facts in one line, as `zermelo solve` prints them."""
        kind = ("nobody has a choice" if self.deterministic else "chance only", "one player", "two players")[self.players]
        cycles = "acyclic" if self.acyclic else f"cyclic (largest component {self.largest_component:,})"
        moves = ", deterministic" if self.deterministic else ""
        moves += ", both choose at once" if self.simultaneous else ""
        return f"{counted(self.states, 'state')}, {counted(self.outcomes, 'outcome')}, {kind}, {cycles}{moves}"


def structure_of(facts: dict[str, int], component_start: np.ndarray, simultaneous: bool = False) -> Structure:
    """The structure of a game from the counters of `explore` and the boundaries of its components."""
    states, components = int(component_start[-1]), len(component_start) - 1
    choices = bool(facts["choices"])
    both = simultaneous or bool(facts["passes"]) or (bool(facts["player_0"]) and bool(facts["player_1"]))
    return Structure(
        states=states,
        actions=facts["rows"],
        outcomes=facts["outcomes"],
        finals=facts["finals"],
        components=components,
        largest_component=1 if components == states else int(np.diff(component_start).max()),
        acyclic=not facts["cycles"],
        deterministic=not facts["branches"],
        chance_only=not choices,
        players=0 if not choices else 2 if both else 1,
        passes=bool(facts["passes"]),
        win_draw_loss=facts["payoffs"] == 1 and not facts["pays"] and not facts["mixed_final"],
        non_negative=not facts["pays_negative"],
        simultaneous=simultaneous,
    )
