"""Rules that Python runs again and again, with any parameters: for how long it has, in this process and, in stages, in earlier ones."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary, ref

from zermelo.kernels.earlier import seconds_before
from zermelo.language.rules import Rules

_seconds: WeakKeyDictionary[type, float] = WeakKeyDictionary()  # by the class of the game
_before: dict[str, float] = {}  # of earlier processes, by the hash of the rules; negative: they don't count


def seconds_in_python(rules: Rules) -> float:
    """Seconds for which this process has had Python run the rules of this class while that paid; negative if they can't be compiled."""
    return _seconds.get(type(rules.game), 0.0)


def seconds_in_all(rules: Rules) -> float:
    """The same with those of earlier processes that asked for it, too."""
    if rules.hash not in _before:
        of = ref(type(rules.game))

        def now() -> float:
            game = of()
            return 0.0 if game is None else _seconds.get(game, 0.0)

        _before[rules.hash] = seconds_before(_name(rules), now)
    return seconds_in_python(rules) + max(_before[rules.hash], 0.0)


def count_alone(rules: Rules) -> None:
    """From now on each process counts its own seconds only: what it compiles can't be kept for the next one."""
    if _before.get(rules.hash, 0.0) >= 0.0:
        _before[rules.hash] = -math.inf
        seconds_before(_name(rules), lambda: -math.inf)


def _name(rules: Rules) -> str:
    return f"rules-{rules.hash[:32]}"


def count_in_python(rules: Rules, seconds: float) -> None:
    """Add to them."""
    _seconds[type(rules.game)] = seconds_in_python(rules) + seconds


def never_again(rules: Rules) -> None:
    """From now on these rules are not compiled because they are run again and again: the compiler can't."""
    _seconds[type(rules.game)] = -math.inf


def are_refused(rules: Rules) -> bool:
    """Whether this process knows that the compiler can't take the rules of this class."""
    return seconds_in_python(rules) < 0.0
