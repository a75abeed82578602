"""Rules that a process has Python run again and again, with any parameters: how long it has, and what is said if they can't be compiled
when that has cost as much as compiling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from zermelo.basics.notices import notify
from zermelo.errors import RulesError
from zermelo.language.rules import Rules

_seconds: WeakKeyDictionary[type, float] = WeakKeyDictionary()  # by the class of the game


def seconds_in_python(rules: Rules) -> float:
    """Seconds for which Python has run the rules of this class while that paid; negative if they can't be compiled."""
    return _seconds.get(type(rules.game), 0.0)


def count_in_python(rules: Rules, seconds: float) -> None:
    """Add to them."""
    _seconds[type(rules.game)] = seconds_in_python(rules) + seconds


@contextmanager
def stay_in_python(rules: Rules, why: RulesError) -> Iterator[None]:
    """From now on these rules are not compiled because they are run again and again, since the compiler can't; told if Python can run them
    in the `with` block. If not, they are at fault themselves, with these parameters, and nothing changes."""
    before = seconds_in_python(rules)
    _seconds[type(rules.game)] = -math.inf
    try:
        yield
    except BaseException:
        _seconds[type(rules.game)] = before
        raise
    said = f"{rules.name} was to be compiled, as it is solved again and again, and can't be: Python goes on running it ({why.faults[0]})"
    notify(said)
