"""The verifier's (verifier.py) verdict on a certificate."""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.basics.fields import described


@described(
    verified="Whether everything was verified.",
    fault="The first thing that fails, with the state.",
    kind='"bounds", "exact", "results", "strategies" or "information sets".',
    game="The game, with its parameters.",
    low="The value of the game is at least this.",
    high="The value of the game is at most this.",
    states="States listed, and checked unless something failed; with hidden information, steps of the replies that were followed.",
    rules="How the rules were run.",
    assumes="Declarations of the game that are believed.",
    discount="The discount of the payoffs to which the value belongs; 1 if there is none.",
)
class Verdict(NamedTuple):
    """The result of checking a certificate. It is true as a condition (`if verdict:`) if everything was verified."""

    verified: bool
    fault: str | None
    kind: str
    game: str
    low: Any
    high: Any
    states: int
    rules: str
    assumes: tuple[str, ...]
    discount: float

    def __bool__(self) -> bool:
        """Whether everything was verified."""
        return self.verified
