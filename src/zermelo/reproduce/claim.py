"""A published number as data: where it is printed, how it is computed here, and the verdict from comparing the two.

Two numbers agree if ours, rounded to the printed digits, is the printed one. If they differ, the claim states our number, and
the verdict requires that the computed number agrees with it. A printed figure is called wrong only if the claim also derives it by the
mistake that led to it; otherwise the two are said to differ.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.progress import Progress, silent
from zermelo.errors import ZermeloError
from zermelo.solution import Solution

MORE_DIGITS = 4  # of ours than are printed

AGREES, WRONG, DIFFERS, NOT_REPRODUCED = "agrees", "printed figure is wrong", "differs", "NOT REPRODUCED"
OWN = "this project's "  # the beginning of the source of an unpublished figure: one of our own, computed in another way


class Bench:
    """Solves each game once, for all claims that need it."""

    def __init__(self, progress: Progress = silent):
        self.progress = progress
        self._solutions: dict[tuple[Any, bool], Solution] = {}

    def solve(self, game: Any, exact: bool = False) -> Solution:
        from zermelo.solving import solve

        key = (game, exact)
        if (type(game), *key) not in self._solutions:
            self._solutions[(type(game), *key)] = solve(game, exact=exact, progress=self.progress)  # type: ignore[index]
        return self._solutions[(type(game), *key)]  # type: ignore[index]


class Tally(NamedTuple):
    """Many printed numbers at once: how many agree, and the first that do not."""

    agreeing: int
    total: int
    failures: tuple[str, ...] = ()
    remark: str = ""


class Claim(NamedTuple):
    """One published number, or one table of them."""

    id: str
    game: str  # command of the catalogue, or name of a puzzle
    source: str  # author, year, section
    what: str
    printed: str  # as it is printed
    compute: Callable[[Bench], Any]  # ours: a number, a text, or a `Tally`
    right: str = ""  # ours, if the printed figure differs
    why: str = ""  # why it differs; or a remark on the printed figure
    mistake: Callable[[Bench], Any] | None = None  # gives the printed figure, by the mistake that `why` describes

    @property
    def is_published(self) -> bool:
        return not self.source.startswith(OWN)


class Verdict(NamedTuple):
    """A claim and our verdict on it."""

    claim: Claim
    ours: str
    text: str

    @property
    def is_expected(self) -> bool:
        return self.text != NOT_REPRODUCED

    def as_json(self) -> dict[str, Any]:
        c = self.claim
        return {
            "id": c.id,
            "game": c.game,
            "source": c.source,
            "published": c.is_published,
            "what": c.what,
            "printed": c.printed,
            "ours": self.ours,
            "verdict": self.text,
            "why": c.why or None,
        }


def judge(claim: Claim, bench: Bench) -> Verdict:
    """Compute our number and compare; if a game can't be solved, its number is not reproduced."""
    try:
        ours = claim.compute(bench)
    except ZermeloError as error:
        return Verdict(claim, str(error).splitlines()[0], NOT_REPRODUCED)
    if isinstance(ours, Tally):
        verdict = AGREES if ours.agreeing == ours.total else NOT_REPRODUCED
        return Verdict(claim, tally_text(ours), verdict)
    if not claim.right:
        return Verdict(claim, shown(ours, claim.printed), AGREES if agree(claim.printed, ours) else NOT_REPRODUCED)
    return Verdict(claim, shown(ours, claim.right), _different(claim, ours, bench))


def _different(claim: Claim, ours: Any, bench: Bench) -> str:
    """The verdict on a figure that is known not to be ours."""
    if not agree(claim.right, ours) or agree(claim.printed, ours):
        return NOT_REPRODUCED
    if claim.mistake is None:
        return DIFFERS
    return WRONG if agree(claim.printed, claim.mistake(bench)) else NOT_REPRODUCED


def agree(printed: str, ours: Any) -> bool:
    """Whether `ours`, rounded to the printed digits, is the printed figure. Texts and fractions must be the same."""
    if isinstance(ours, str):
        return printed == ours
    if "/" in printed:
        return isinstance(ours, Fraction) and Fraction(printed) == ours
    return abs(Fraction(printed) - Fraction(ours)) <= unit(printed) / 2 + Fraction(1, 10**18)


def unit(printed: str) -> Fraction:
    """The value of the last printed digit."""
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    return Fraction(10) ** exponent


def agrees_in_last_digit(printed: str, ours: float) -> bool:
    """Whether `ours` agrees with a figure that was cut off, not rounded, after its last digit."""
    return abs(Fraction(printed) - Fraction(ours)) <= unit(printed) * Fraction(101, 100)


def tally(pairs: list[tuple[str, str, Any]], test: Callable[[str, Any], bool] = agree, remark: str = "") -> Tally:
    """Compare many: (name, printed, ours)."""
    failures = tuple(f"{name}: {text} printed, {ours} here" for name, text, ours in pairs if not test(text, ours))
    return Tally(len(pairs) - len(failures), len(pairs), failures, remark)


def tally_text(t: Tally) -> str:
    text = f"{t.agreeing} of {t.total} agree" + (f"; {t.remark}" if t.remark else "")
    return text + "".join(f"\n{f}" for f in t.failures[:3])


def shown(ours: Any, like: str) -> str:
    """Our number with a few more digits than `like`."""
    if isinstance(ours, str | int):
        return str(ours)
    if isinstance(ours, Fraction) and "/" in like:
        return str(ours)
    decimals = max(0, -Decimal(like).as_tuple().exponent) if "/" not in like else 12  # type: ignore[operator]
    return f"{float(ours):.{min(decimals + MORE_DIGITS, 15)}f}"
