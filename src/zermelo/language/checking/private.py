"""Numbers in the state that look private: dealt by chance, never changed, never shown. Standard library only.

Where both players choose while such a number lies there, and nothing depends on it but what is paid in the end, it is most likely a card
that somebody holds in his hand. A game that does not say who sees it (`sees`) is solved as if everybody did. What is looked at is a sample
of states, each compared with states that differ in this number only; so this is a hint, and may miss some.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from zermelo.language.rules import Rules, State, lengths

SECONDS = 0.05  # after which what has been seen must suffice
COMPARED = 100  # states that are compared with such as differ in one number
VALUES = 3  # other values of that number


def private_fields(rules: Rules, states: Iterable[State]) -> list[str]:
    """The fields that look private, in the order of the state; none in a game with `sees`, and where only one player chooses."""
    if rules.is_hidden or rules.is_chance or rules.is_cut_off or not (rules.is_simultaneous or hasattr(rules.game, "player")):
        return []
    began, play = time.perf_counter(), {}
    for state in states:
        play[state] = _rows(rules, state)
        if time.perf_counter() - began > SECONDS:
            break
    fields = [name for name, n in zip(rules.start._fields, lengths(rules.start), strict=True) for _ in range(n or 1)]
    return list(dict.fromkeys(name for slot, name in enumerate(fields) if _looks_private(rules, play, slot)))


def _rows(rules: Rules, state: State) -> dict[Any, list[tuple[Any, State]]]:
    """What can happen, by action: payoffs and next states."""
    return {action: [(o.payoff, o.state) for o in rules.outcomes(state, action) if o.ways] for action in rules.actions(state)}


def _looks_private(rules: Rules, play: dict[State, Any], slot: int) -> bool:
    before, dealt = set(), set()
    for state, rows in play.items():
        here = flat(state)[slot]
        for outcomes in rows.values():
            after = {flat(successor)[slot] for _, successor in outcomes}
            if after == {here}:
                continue
            if len(after) == 1:
                return False  # an action changes it
            before.add(here)
            dealt |= after
    if not dealt or before & dealt:
        return False
    lying = [state for state in play if flat(state)[slot] in dealt]
    if {q for state in lying for q in _choosers(rules, state)} != {0, 1}:
        return False
    try:
        return _matters_in_the_end_only(rules, play, lying[-COMPARED:], slot, sorted(dealt))
    except (Exception, SystemExit):  # the rules need not make sense of a state that can't be
        return False


def _choosers(rules: Rules, state: State) -> list[int]:
    if rules.is_simultaneous:
        return [q for q in range(2) if len(rules.choices(state)[q]) > 1]
    return [rules.player(state)] if len(rules.actions(state)) > 1 else []


def _matters_in_the_end_only(rules: Rules, play: dict[State, Any], lying: list[State], slot: int, dealt: list[int]) -> bool:
    """Whether states with another number there have the same actions, which lead to the same, but for what is paid in the end."""
    pays = False
    for state in lying:
        for number in [n for n in dealt if n != flat(state)[slot]][:VALUES]:
            other = _with(state, slot, number)
            rows, others = play[state], _rows(rules, other)
            if list(rows) != list(others):
                return False
            if not rows:
                pays |= rules.payoff(state) != rules.payoff(other)
            for one, two in zip(rows.values(), others.values(), strict=True):
                if len(one) > 1 or len(two) > 1:
                    continue  # what chance deals may depend on what was dealt
                (paid, after), (paid_too, after_too) = one[0], two[0]
                ends = not rules.actions(after)
                if _with(after, slot, 0) != _with(after_too, slot, 0) or (paid != paid_too and not ends):
                    return False
                pays |= paid != paid_too
    return pays


def flat(state: State) -> tuple[int, ...]:
    """The numbers of a state, in order."""
    return tuple(n for value in state for n in (value if isinstance(value, tuple) else (value,)))


def _with(state: State, slot: int, number: int) -> State:
    """The state with another number in this place."""
    values, at = [], 0
    for value in state:
        size = len(value) if isinstance(value, tuple) else 1
        inside = slot - at
        if 0 <= inside < size:
            value = (*value[:inside], number, *value[inside + 1 :]) if isinstance(value, tuple) else number
        values.append(value)
        at += size
    return type(state)(*values)
