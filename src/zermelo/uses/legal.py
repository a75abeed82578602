"""Whether an action or a seat is valid: for actions that rules never yield, they may return anything or fail. And what is told where rules
fail at a state."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from zermelo.answers.base import Answers
from zermelo.errors import ParameterError, ZermeloError
from zermelo.language.rules import Action, State
from zermelo.states.space import plain

ILLEGAL = "it is not a legal action here"
Verb = TypeVar("Verb", bound=Callable[..., Any])


def told(verb: Verb) -> Verb:
    """A verb about a state. Raises `RulesError` where the rules fail: in a mirror image, which nothing has asked them about before."""

    @wraps(verb)
    def asked(answers: Answers, state: State, *arguments: Any, **options: Any) -> Any:
        try:
            return verb(answers, state, *arguments, **options)
        except ZermeloError:
            raise
        except Exception:
            from zermelo.language.checking import check_states  # not for each program that opens a file

            check_states(answers.rules, [plain(state)])  # raises, with the line
            raise

    return cast(Verb, asked)


def check_seat(seat: Any) -> int:
    """The seat of a game for two. Raises `ParameterError`."""
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
        raise ParameterError(f"seat must be 0 or 1, not {seat!r}")
    return seat


@told
def legal_action(answers: Answers, state: State, action: Any) -> Action:
    """The action as the rules have it (1 for 1.0), if it can be taken in the state, even if `actions` omits it because others are
    equally good. Raises `UnreachableState`, and `ParameterError` for anything that is not a state or not a legal action."""
    answers.known(state)
    rules = answers.rules
    every = rules.all_actions(state)
    for known in every:
        if is_same(known, action):
            return known
    if rules.is_simultaneous and every and not (isinstance(action, tuple) and len(action) == 2):
        raise ParameterError(f"{action!r} at {rules.in_line(state)}: both choose at once: give both actions, such as {tuple(every[0])!r}")
    why = _why_not(answers, state, action)
    if why:
        name = rules.action_in_words(action)  # of what is no action, perhaps that of another one
        what = repr(action) if name == repr(action) else f"{action!r} ({name})"
        raise ParameterError(f"{what} at {rules.in_line(state)}: {why}")
    return action


def is_same(action: Action, other: Any) -> bool:
    """Whether the given object is this action: an equal number is."""
    try:
        return bool(action == other)
    except ValueError:  # an array, which compares number by number
        return False


def _why_not(answers: Answers, state: State, action: Any) -> str:
    rules = answers.rules
    try:
        why = rules.why_not(state, action)
        return why if why or rules.outcomes(state, action) else ILLEGAL
    except Exception:  # rules that are called with something else
        return ILLEGAL
