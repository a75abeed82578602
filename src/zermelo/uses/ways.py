"""How a verb finds its way: in general through the arrays of all states; where an answer has something better to go by, or too many
states for arrays, by one of the other ways in the verb's table. A way takes what the verb takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from zermelo.answers.base import Answers
from zermelo.uses.need import can_be_tabled


class Way(NamedTuple):
    """A way for the answers that have a capability (answers/base.py)."""

    capability: type
    run: Callable[..., Any]
    only_large: bool = False  # only where the states are too many to be stored: the general way tells more


def way_for(answers: Answers, ways: Iterable[Way], general: Callable[..., Any]) -> Callable[..., Any]:
    """The first of these ways that such an answer has, else the general way."""
    for capability, run, only_large in ways:
        if answers.lacks(capability) is None and not (only_large and can_be_tabled(answers)):
            return run
    return general
