"""The kernels of games in stages, run by Python: for games of chance (link/templates/staged_rules.py), and for games with decisions
(link/templates/entered_rules.py)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from zermelo.kernels.entered import solve_stages
from zermelo.kernels.kernel import Allowance
from zermelo.kernels.ranking import rank, unrank
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.twice import product_error, sum_error
from zermelo.language.rules import Rules, State, lengths
from zermelo.link.interpreted import Interpreted, Row
from zermelo.link.module import Policies
from zermelo.states.layout import Layout, flatten, nested

BIG = 1 << 63  # no state has numbers as large as this


def state_from(layout: Layout, numbers: Any) -> State:
    """The state with these numbers."""
    return nested(layout.state_class, layout.lengths, [int(n) for n in numbers])


def numbers_of(layout: Layout, state: Any) -> tuple[float, ...]:
    """The numbers of a state; for anything else, numbers outside every space."""
    if layout.is_for(state) and lengths(state) == layout.lengths:
        numbers = flatten(state)
        if all(abs(n) < BIG and n == int(n) for n in numbers):
            return tuple(map(int, numbers))
    return (math.inf,) * len(layout.bits)


class InterpretedStages(Interpreted):
    """`write_rows`."""

    def _templates(self) -> list[str]:
        return ["staged_rules.py"]

    def _around(self) -> dict[str, Any]:
        layout = self.layout
        return {
            **super()._around(),
            "rank": rank,
            "unrank": unrank,
            "product_error": product_error,
            "sum_error": sum_error,
            "SLOTS_OF_STATE": len(layout.bits),
            "state_of": lambda numbers: state_from(layout, numbers),
            "zermelo_rule_stage": lambda game, state: self.rules.game.stage(state),
            "outcomes": lambda game, state, action, nothing: self._turned(state),
        }

    def _turned(self, state: State) -> list[tuple[float, tuple[float, ...], tuple[float, ...], int, int]]:
        """Ways, payoffs, numbers of the next state with the table turned, the turns, and its stage. After PASS, which is refused,
        the ways are NaN."""
        rules, found = self.rules, []
        for row in self._rows(state):
            for ways, paid, after, sign in row:
                turned, turns = rules.turned(after)
                by, stage = int(turns) if turns == int(turns) else -1, int(rules.game.stage(turned))
                found.append((ways if sign == 1 else float("nan"), paid, numbers_of(self.layout, turned), by, stage))
        return found


class _Answer:
    """A policy's answer, in a form that kernels can compare with an action, which is a row there."""

    def __init__(self, action: Any):
        self.action = action

    def __ne__(self, row: object) -> bool:
        return bool(row.action != self.action) if isinstance(row, Row) else NotImplemented


class InterpretedEntries(Interpreted):
    """`fill_block`, and `solve_stages` with it; policies as in `EnteredRules`."""

    def __init__(self, rules: Rules, layout: Layout, policies: Policies, said: dict[State, list[Row]] | None = None):
        self.policies = policies
        super().__init__(rules, layout, said)

    def with_layout(self, layout: Layout) -> InterpretedEntries:
        """The same for another layout; results of the rules are kept."""
        return self if layout is self.layout else InterpretedEntries(self.rules, layout, self.policies, self._said)

    def call(self, kernel: str, allowance: Allowance, *arguments: Any) -> Any:
        lent = [self._kernels["fill_block"]] if kernel == "solve_stages" else []
        return super().call(kernel, allowance, None, *lent, *arguments)

    def _templates(self) -> list[str]:
        return ["entered_rules.py"]

    def _around(self) -> dict[str, Any]:
        rules = self.rules
        around = {
            **super()._around(),
            "hashed_place": hashed_place,
            "solve_stages": solve_stages,
            "zermelo_rule_stage": lambda game, state: int(rules.game.stage(state)),
            "any_action": lambda game, state: bool(rules.actions(state)),
        }
        for seat, policy in enumerate(self.policies):
            around |= {f"POLICY_{seat}": policy is not None, f"policy_{seat}": policy and _answers(policy)}
        return around


def _answers(policy: Callable[[State], Any]) -> Callable[[State], _Answer]:
    return lambda state: _Answer(policy(state))
