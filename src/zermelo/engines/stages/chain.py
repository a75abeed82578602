"""All transitions of a game of chance that goes through stages, up to rotation of the table (for uses/distribution.py)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.basics.runs import running
from zermelo.engines.stages.columns import Columns
from zermelo.engines.stages.equations import Equations
from zermelo.engines.stages.spaces import stages_of
from zermelo.language.rules import Rules
from zermelo.link import StagedRules
from zermelo.problem.transitions import Transitions


@dataclass(frozen=True)
class TurnedChain:
    """The states of all stages and their transitions, without payoffs, with the attributes of `uses.chain.LiftedChain`.

    Play ends with probability 1 from every state: that was proven when the stages were solved.
    """

    rules: Rules
    game: Transitions
    start: int
    is_acyclic: bool = True  # every play ends

    @property
    def num_states(self) -> int:
        return self.game.high

    def show(self, number: int) -> str:
        return f"state {number}"


def turned_chain(rules: Rules) -> TurnedChain:
    """The transitions of all states. Raises `RulesError`, `OutOfReach`."""
    stages = stages_of(rules, 2**62)
    payoffs = len(rules.payoffs)
    columns = np.hstack([stages.columns, np.full((len(stages.columns), 1), payoffs)])
    nothing = Columns(0, np.arange(payoffs + 1))
    equations = Equations(stages, StagedRules(rules, stages.layout), nothing, columns, all_outcomes=True)
    parts = [equations.of(stage) for stage in range(len(stages.spaces)) if stages.states_of(stage)]
    counts = np.concatenate([np.diff(part.first) for part in parts])
    ways, successors = np.concatenate([p.weight for p in parts]), np.concatenate([p.to for p in parts])
    n, (stage, rank, _) = stages.num_states, stages.place_of(rules.start)
    starts = running(counts)
    over = counts == 0
    game = Transitions(
        0, n, running(~over), np.concatenate([[0], starts[1:][~over]]), ways, successors,
        np.ones(len(ways), np.int8), np.zeros((len(ways), 0)), np.zeros((n, 0)), np.zeros(n, np.int8),
    )  # fmt: skip
    return TurnedChain(rules, game, int(stages.offset[stage]) + rank)
