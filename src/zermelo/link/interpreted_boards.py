"""The kernels of board games in a table (link/templates/board_rules.py and those that follow it), run by Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.kernels.prefetch import fetch, merge, pointer, replace
from zermelo.language.rules import Rules, State
from zermelo.link.interpreted import Interpreted, Row
from zermelo.link.interpreted_stages import numbers_of, state_from
from zermelo.link.numbering import numbering_text
from zermelo.states.layout import Layout


class InterpretedBoards(Interpreted):
    """templates : whose kernels it has"""

    def __init__(self, rules: Rules, layout: Layout, templates: Sequence[str]):
        self.templates = templates
        self._slots: dict[State, tuple[float, ...]] = {}
        self._positions: dict[tuple[int, ...], State] = {}
        super().__init__(rules, layout)

    def _templates(self) -> list[str]:
        return list(self.templates)

    def _around(self) -> dict[str, Any]:
        rules = self.rules
        around = {
            **super()._around(),
            "fetch": fetch,
            "merge": merge,
            "pointer": pointer,
            "replace": replace,
            "HAS_PLAYER": hasattr(rules.game, "player"),
            "state_of": self._position,
            "slots_of": self._slots_of,
            "outcomes": lambda game, state, row, nothing: self._followed(row),
            "any_action": lambda game, state: bool(rules.actions(state)),
            "parents": lambda game, state: rules.game.parents(state),
            "symmetries": lambda game, state: rules.same_as(state),
        }
        exec(numbering_text(rules.ranked.parts), around)
        return around

    def _followed(self, row: Row) -> Iterator[tuple[float, tuple[float, ...], tuple[float, ...], int]]:
        return ((ways, paid, self._slots_of(state), sign) for ways, paid, state, sign in row)

    def _slots_of(self, state: State) -> tuple[float, ...]:
        if not self.layout.is_for(state):  # tuples of other classes may be equal
            return numbers_of(self.layout, state)
        if state not in self._slots:
            self._slots[state] = numbers_of(self.layout, state)
        return self._slots[state]

    def _position(self, slots: Any) -> State:
        numbers = tuple(map(int, slots))
        if numbers not in self._positions:
            self._positions[numbers] = state_from(self.layout, numbers)
        return self._positions[numbers]
