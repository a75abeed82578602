"""DynaPlex: the card draw as rules for its exact solver, which minimises costs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import dynaplex
from contender import Result
from dynaplex.modelling import (
    DiscreteDist,
    HorizonType,
    StateCategory,
    TrajectoryContext,
    Validity,
    const_dataclass,
)
from dynaplex.validation import mdp


@dataclass(slots=True)
class State:
    red: int
    black: int
    category: StateCategory = StateCategory.AWAIT_ACTION


@mdp
@const_dataclass(init=False, slots=True)
class CardDraw:
    n: int
    num_actions: int
    horizon_type: HorizonType

    def __init__(self, n: int):
        self.n = n
        self.num_actions = 2
        self.horizon_type = HorizonType.FINITE

    def get_initial_state(self, context: TrajectoryContext) -> State:
        return State(red=self.n, black=self.n, category=StateCategory.AWAIT_ACTION)

    def modify_state_with_action(self, state: State, context: TrajectoryContext, action: int) -> None:
        if action == 0 or state.red + state.black == 0:
            state.category = StateCategory.FINAL
        else:
            state.category = StateCategory.AWAIT_EVENT

    def modify_state_with_event(self, state: State, context: TrajectoryContext) -> None:
        chance = state.red / (state.red + state.black)
        if DiscreteDist.binomial_sample(1, chance, context.rng) == 1:
            state.red -= 1
            context.cumulative_cost -= 1.0
        else:
            state.black -= 1
            context.cumulative_cost += 1.0
        state.category = StateCategory.AWAIT_ACTION
        context.time_elapsed += 1

    def sweep_rank(self, state: State) -> int:
        return state.red + state.black

    def write_action_validity(self, state: State, valid: Validity) -> None:
        valid.set(0, True)
        valid.set(1, state.red + state.black > 0)


def card_draw(n: int) -> Result:
    """Solved once small, so that what it compiles and keeps is ready, then in full."""
    dynaplex.ExactSolver(CardDraw(2)).solve()
    began = time.perf_counter()
    solver = dynaplex.ExactSolver(CardDraw(n))
    found = time.perf_counter()
    answer = solver.solve()
    seconds = time.perf_counter() - began
    parts = {"build": found - began, "solve": seconds - (found - began)}
    return {"seconds": seconds, "value": -answer.cost, "states": answer.stats["states"], "parts": parts}


def explore_card_draw(n: int) -> Result:
    result = card_draw(n)
    seconds = result["parts"]["build"]
    rate = result["states"] / seconds / 1e6
    return {"seconds": seconds, "states": result["states"], "parts": {"million states a second": rate}}
