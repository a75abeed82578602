"""Whether an action or a seat can be asked about: rules answer anything, or fail, for what they never yield."""

from __future__ import annotations

from typing import Any

from zermelo.answers.base import Answers
from zermelo.errors import ParameterError
from zermelo.language.rules import State

ILLEGAL = "it is not a legal action here"


def check_seat(seat: Any) -> int:
    """The seat of a game for two. Raises `ParameterError`."""
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
        raise ParameterError(f"seat must be 0 or 1, not {seat!r}")
    return seat


def check_action(answers: Answers, state: State, action: Any) -> None:
    """Raise unless the state has a value and the action can be taken there, be it one that `actions` leaves out since others are as good.

    Raises `UnreachableState`, and `ParameterError` for what is no state or no legal action.
    """
    answers.known(state)
    why = _why_not(answers, state, action)
    if why:
        rules = answers.rules
        raise ParameterError(f"{rules.action_in_words(action)} at {rules.in_line(state)}: {why}")


def _why_not(answers: Answers, state: State, action: Any) -> str:
    rules = answers.rules
    if action in rules.all_actions(state):
        return ""
    try:
        why = rules.why_not(state, action)
        return why if why or rules.outcomes(state, action) else ILLEGAL
    except Exception:  # rules that are asked about something else
        return ILLEGAL
