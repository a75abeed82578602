"""Rules that the compiler refuses: Python goes on with them alone, for much longer than it has before rules are compiled, and says so. What
it needs a moment for is solved on a slow machine, too."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from zermelo.basics.notices import notify
from zermelo.errors import RulesError
from zermelo.kernels.kernel import Allowance, OneTakesLong, OutOfTime, forced
from zermelo.language.checking.watchdog import LONGEST
from zermelo.language.rules import Rules
from zermelo.link.again import never_again
from zermelo.link.native import RulesRefused
from zermelo.link.outgrown import forget_outgrown
from zermelo.link.too_long import seconds_to_compile

ALONE = 30.0  # seconds: machine code does in a moment what Python takes longer for, and to change the rules takes no longer
TIMES = 10  # as many as it had before, where that was more


def goes_on_alone(rules: Rules, why: RulesRefused, kernels: str = "") -> float:
    """The seconds for which Python goes on with rules that the compiler refuses; the user is told. `kernels` : what calls them, as for
    `is_outgrown`. Raises `why` where a tier is asked for."""
    seconds = max(ALONE, TIMES * seconds_to_compile(rules))
    tell_alone(rules, why, f", and for {seconds:.0f} s at most")
    forget_outgrown(rules, kernels)
    never_again(rules)
    return seconds


@contextmanager
def in_python_alone(rules: Rules, why: RulesRefused) -> Generator[Allowance]:
    """The time for which Python goes on (`goes_on_alone`), in the block; raises `RulesError` where it is not enough."""
    allowed = Allowance(goes_on_alone(rules, why))
    try:
        yield allowed
    except OutOfTime as end:
        raise not_alone(why, allowed.seconds, end) from None


def tell_alone(rules: Rules, why: RulesRefused, longest: str = "") -> None:
    """Tell the user that Python goes on, and for how long at most. Raises `why` where a tier is asked for."""
    if forced() is not None:
        raise why
    notify(f"Python goes on running {rules.name}, about a hundred times slower than machine code{longest}: {why.faults[0]}")


def not_alone(why: RulesRefused, seconds: float, end: OutOfTime | None = None) -> RulesError:
    """The error where these were not enough. `end` : how that was seen, unless it was estimated."""
    told = f"Python alone may take {seconds:.0f} s, and needs longer: change what the compiler refuses, or make the game smaller"
    if isinstance(end, OneTakesLong):
        told = f"In Python, a rule was still running after {LONGEST:.0f} s: does a loop never end?"
    return RulesError(why.game, [f"{why.faults[0].rstrip('.')}. {told}"])
