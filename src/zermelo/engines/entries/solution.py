"""The solution of a game whose stages were solved one by one: the values where stages are entered, and any other state on demand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.engines.entries.table import Entries
from zermelo.engines.entries.worker import Worker
from zermelo.errors import OutOfReach, UnreachableState
from zermelo.kernels import status
from zermelo.language.rules import Action, State
from zermelo.link import EnteredRules
from zermelo.solution import Found, Probe, Solution, check_state, interval

if TYPE_CHECKING:
    from zermelo.uses.evaluate import Evaluation, Response

MOST_STORED = 4_000_000  # states of a game that are all solved again and stored where something needs them
REMEMBERED = 16  # stages whose states are kept for the next question
ARGUMENT = (
    "stages solved one after the other, the last one first, by policy iteration on the few values that the others follow from; rounding "
    "and residuals of every state are bounded, and how long play can stay in a stage"
)


class Known(NamedTuple):
    """The states of a stage and what is known of them, by rows."""

    row: dict[int, int]  # by key
    value: np.ndarray  # float64[states, payoffs]
    error: np.ndarray  # float64[states, payoffs]
    policy: np.ndarray  # int32[states]


class EnteredSolution(Solution):
    """Keeps the values of the states in which stages are entered. Other states are computed again, a whole stage at a time, when they
    are asked for (a millisecond or so); what needs all states at once, such as tables of states or plays by the thousand, solves small
    games again by the general engine, and refuses large ones."""

    def __init__(self, entries: Entries, native: EnteredRules, statistics: dict[str, Any]):
        rules, layout = entries.rules, entries.layout
        nothing = np.full(len(entries.keys), -1, np.int32)
        start = entries.find(layout.pack(rules.start))
        found = Found(entries.keys, entries.value, entries.error, nothing, None, None, start, ARGUMENT)
        super().__init__(rules, layout, found, 1.0, statistics)
        self.entries = entries
        self._worker = Worker(native, entries)
        self._stages: OrderedDict[tuple[int, int], Known] = OrderedDict()

    # --- one state at a time ------------------------------------------------------------------------------------------------

    def value_at(self, state: State) -> float:
        """The value of a state, for the player to move in games with PASS."""
        return float(self._known(state)[0][0])

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action of a state, also of one that play from the start never comes to."""
        check_state(self.rules, self.layout, state)
        value, error, position = self._known(state, wants_policy=True)
        actions = self.rules.actions(state)
        values: dict[Action, Number] = {a: self._worth(state, a) for a in actions}
        payoffs: dict[str, Number] = {name: float(v) for name, v in zip(self.rules.payoffs, value, strict=True)}
        best = actions[position] if actions else None
        player = self.rules.player(state) if actions else 0
        low, high = interval(float(value[0]), float(error[0]))
        return Probe(state, float(value[0]), low, high, best, values, payoffs, player, None)

    def action_value(self, state: State, action: Action) -> float:
        """What an action is worth by the values of the next states."""
        check_state(self.rules, self.layout, state)
        return self._worth(state, action)

    def best_action(self, state: State) -> Action:
        """A best action in `state`; None where the play is over."""
        check_state(self.rules, self.layout, state)
        position = self._known(state, wants_policy=True)[2]
        return self.rules.actions(state)[position] if position >= 0 else None

    def _worth(self, state: State, action: Action) -> float:
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        total = sum(o.ways for o in outcomes)
        gain = sum(o.ways * (o.payoff[0] + o.sign * self.value_at(o.state)) for o in outcomes)
        return float(gain / total)

    def _known(self, state: State, wants_policy: bool = False) -> tuple[np.ndarray, np.ndarray, int]:
        """(values, errors, position of the best action or -1)."""
        key = self.layout.pack(state)
        entry = self.entries.find(key)
        if entry >= 0 and not wants_policy:
            return self.entries.value[entry], self.entries.error[entry], -1
        if not self.rules.actions(state):
            final = np.array([float(p) for p in self.rules.payoff(state)])
            return final, np.zeros_like(final), -1
        stage = self.entries.stage_of(state)
        if key < 0 or stage < 0:
            raise UnreachableState(
                f"{state} can't be reached from {self.rules.start} in {self.rules.name}; it has no computed value"
            )
        known = self._stage(stage, key)
        row = known.row[key]
        values = self.entries if entry >= 0 else known
        at = entry if entry >= 0 else row
        return values.value[at], values.error[at], int(known.policy[row])

    def _stage(self, stage: int, key: int) -> Known:
        """The states of a stage, the one with this key among them."""
        for name in ((stage, -1), (stage, key)):
            if name in self._stages and key in self._stages[name].row:
                self._stages.move_to_end(name)
                return self._stages[name]
        known = self._solved(stage, -1)
        name = stage, -1
        if key not in known.row:  # play that enters the stage does not come to it
            known, name = self._solved(stage, key), (stage, key)
        self._stages[name] = known
        if len(self._stages) > REMEMBERED:
            self._stages.popitem(last=False)
        return known

    def _solved(self, stage: int, key: int) -> Known:
        """Solve a stage again; the values of its entries stay as they are."""
        e, own = self.entries, slice(*self.entries.first[stage : stage + 2])
        before = e.value[own].copy(), e.error[own].copy()
        more = np.array([key] if key >= 0 else [], dtype=np.int64)
        self._worker.solve(stage, stage + 1, stage, 0, more)
        e.value[own], e.error[own] = before
        n, block = int(self._worker.c[status.NODES]), self._worker.block
        row = {int(k): i for i, k in enumerate(block.keys[:n])}
        return Known(row, block.value[:n].copy(), block.error[:n].copy(), block.policy[:n].copy())

    # --- what needs all states ----------------------------------------------------------------------------------------------

    @property
    def has_states(self) -> bool:
        return bool(self.statistics["states"] <= MOST_STORED)

    def require_states(self, what: str) -> None:
        if not self.has_states:
            raise OutOfReach(
                f"{what} needs all {self.statistics['states']:,} states of {self.rules.name}, which are not stored: "
                "ask for smaller parameters"
            )

    @cached_property
    def _stored(self) -> Solution:
        """The same game solved by the general engine, all states stored."""
        from zermelo.solvers.by_component import Cyclic
        from zermelo.solving import solve

        self.require_states("what was asked for")
        return solve(self.game, solver=Cyclic())

    @property
    def space(self) -> Any:
        return self._stored.space

    @property
    def values(self) -> Any:
        return self._stored.values

    @property
    def errors(self) -> Any:
        return self._stored.errors

    @property
    def payoff_values(self) -> Any:
        return self._stored.payoff_values

    @property
    def action_numbers(self) -> Any:
        return self._stored.action_numbers

    def evaluate(
        self, policy: Callable[[State], Action], opponent: Callable[[State], Action] | None = None, *, seat: int = 0
    ) -> Evaluation:
        """The exact worth of a policy. In games too large to be stored the policy is compiled with the rules (it must be written with
        `def`, as rules are), and its mistakes are not listed."""
        if self.has_states:
            return super().evaluate(policy, opponent, seat=seat)
        from zermelo.uses.evaluate import evaluate_by_stages

        return evaluate_by_stages(self, policy, opponent, seat=seat)

    def best_response(self, opponent: Callable[[State], Action], *, seat: int = 0) -> Response:
        """The best that the player in `seat` can do against a given policy of the opponent. In games too large to be stored that policy is
        compiled with the rules, and the answer's actions are not kept: its value is, its `policy` refuses."""
        if self.has_states:
            return super().best_response(opponent, seat=seat)
        from zermelo.uses.evaluate import best_response_by_stages

        return best_response_by_stages(self, opponent, seat=seat)
