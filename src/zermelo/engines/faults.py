"""Faults of rules that show only when they run compiled, reported in the user's words with the state."""

from __future__ import annotations

from typing import Any

from zermelo.errors import NoValue, OutOfReach, RulesError
from zermelo.language.checking import check_states
from zermelo.language.rules import Rules, lengths
from zermelo.link import RuleRaised
from zermelo.states.layout import Layout, flatten


def raised_at(rules: Rules, state: Any, error: RuleRaised) -> RulesError:
    """The error for a rule that raised an exception at `state` while it ran compiled. (Raises it if Python raises there, too, with the
    line.)"""
    check_states(rules, [state])  # raises, with the line, if Python raises there too
    return RulesError(rules.name, [f"at {rules.show(state)}: {error.faults[0]}"])


def holding_successors(rules: Rules, layout: Layout, state: Any) -> Layout:
    """A layout that also holds every next state of `state`; `layout` does not hold one of them. Raises `RulesError`, `NoValue`."""
    check_states(rules, [state])
    wider = layout
    for action in rules.actions(state):
        for outcome in rules.outcomes(state, action):
            for successor in (outcome.state, *rules.same_as(outcome.state)) if outcome.ways else ():
                if wider.pack(successor) < 0:
                    wider = holding(rules, wider, state, successor)
    if wider is layout:
        why = "compiled rules lead elsewhere than they do in Python; do numbers go beyond 2^63?"
        raise RulesError(rules.name, [f"at {rules.show(state)}: {why}"])
    return wider


def holding(rules: Rules, layout: Layout, state: Any, successor: Any) -> Layout:
    """A layout that also holds `successor`, a next state of `state`. Raises `RulesError` for what is no state, `NoValue` if 62 bits are too
    few."""
    if not isinstance(successor, layout.state_class):
        raise RulesError(
            rules.name, [f"at {rules.show(state)}: the next state {successor!r} is not a {layout.state_class.__name__}"]
        )
    if lengths(successor) != layout.lengths:
        raise RulesError(
            rules.name, [f"at {rules.show(state)}: the next state {successor!r} has a tuple of another length"]
        )
    for slot, value in enumerate(flatten(successor)):
        if not 0 <= value - layout.low[slot] < 1 << layout.bits[slot]:
            try:
                layout = layout.widened(slot, int(value))
            except OutOfReach as error:
                raise NoValue(f"{rules.name}: {error}") from None
    return layout


def disagreement(rules: Rules, state: Any, what: str = "") -> RulesError:
    """The error for compiled rules that differ from the same rules in Python at `state`; `what` is put behind the state."""
    why = "was the file edited after it was imported? do whole numbers grow beyond 2^63?"
    where = f"at {rules.show(state)}{what}"
    return RulesError(rules.name, [f"{where}: compiled rules must say what they say in Python ({why})"])
