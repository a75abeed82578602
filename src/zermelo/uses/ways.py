"""The choice of a verb's implementation: in general, through the arrays of all states; for an answer that offers something better, or has
too many states for arrays, one of the other ways in the verb's table. A way takes the same arguments as the verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from zermelo.answers.base import Answers
from zermelo.uses.need import can_be_tabled


class Way(NamedTuple):
    """A way for the answers that have a capability (answers/base.py)."""

    capability: type
    run: Callable[..., Any]
    only_large: bool = False  # only where there are too many states to store: the general way reports more


def way_for(answers: Answers, ways: Iterable[Way], general: Callable[..., Any]) -> Callable[..., Any]:
    """The first of these ways that the answer supports, otherwise the general way."""
    for capability, run, only_large in ways:
        if answers.lacks(capability) is None and not (only_large and can_be_tabled(answers)):
            return run
    return general
