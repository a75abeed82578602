"""Coin patterns: a coin is flipped n times, and the player whose pattern of heads and tails turns up more often wins.

Litt 2024 asked it for HH against HT and 100 flips; Segert 2024 ("A proof that HT is more likely to outnumber HH"); Janson, Nica and
Segert 2025 ("The generalized Alice HH vs Bob HT problem") on any two patterns of the same length; "Another coin flip puzzle"
(Possibly Wrong blog). Occurrences may overlap: THHHT has HH twice. The progress of a pattern is remembered as in
Knuth, Morris and Pratt 1977: by the number of its first letters that the last flips match.

Every number of flips up to tens of thousands, and all digits: coin_patterns_counts.py.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted

MOST_DRAWN = 40  # letters of a pattern in a picture


class State(NamedTuple):
    first: Annotated[int, "leading letters of the first pattern that the last flips match"]
    second: Annotated[int, "the same of the second pattern"]
    lead: Annotated[int, "occurrences of the first pattern, less those of the second"]
    left: Annotated[int, "flips to come"]


class CoinPatterns(NamedTuple):
    """Flip a coin; the first player scores wherever one pattern turns up, the second wherever another one does.

    Who scores more wins. Occurrences may overlap. Nobody decides anything, but who is more likely to win?
    """

    first: Annotated[str, "pattern of the first player, letters H and T"] = "HH"
    second: Annotated[str, "pattern of the second player"] = "HT"
    flips: Annotated[int, "flips of the coin", range(1_000_001)] = 100
    heads: Annotated[int, "ways to flip heads, as on a biased coin", range(1, 1_000_001)] = 1
    tails: Annotated[int, "ways to flip tails", range(1, 1_000_001)] = 1

    def title(self) -> str:
        bias = "" if self.heads == self.tails else f", heads to tails {self.heads} : {self.tails}"
        return f"Coin patterns: {self.first} against {self.second} in {counted(self.flips, 'flip')}{bias}"

    def payoffs(self) -> tuple[str, ...]:
        return "first wins", "second wins", "tie"

    def start(self) -> State:
        for name, pattern in (("first", self.first), ("second", self.second)):
            if not pattern or set(str(pattern)) - {"H", "T"}:
                raise ValueError(f"{name} must be a pattern of the letters H and T, such as HTH, not {pattern!r}")
        return State(0, 0, 0, self.flips)

    def outcomes(self, s: State) -> Iterator[tuple[int, tuple[int, int, int], State]]:
        if s.left > 0:
            yield self.heads, (0, 0, 0), self.after(s, "H")
            yield self.tails, (0, 0, 0), self.after(s, "T")

    def after(self, s: State, coin: str) -> State:
        first, second = self.first[: s.first] + coin, self.second[: s.second] + coin
        points = (1 if first == self.first else 0) - (1 if second == self.second else 0)
        return State(begun(self.first, first), begun(self.second, second), s.lead + points, s.left - 1)

    def payoff(self, s: State) -> tuple[int, int, int]:
        return (1 if s.lead > 0 else 0), (1 if s.lead < 0 else 0), (1 if s.lead == 0 else 0)

    def show(self, s: State) -> str:
        lead = f"{self.first if s.lead > 0 else self.second} is {abs(s.lead)} ahead" if s.lead else "even"
        seen = max(self.first[: s.first], self.second[: s.second], key=len)
        return f"{s.left} flips left, {lead}" + (f", last flips {seen}" if seen else "")


    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """Both patterns, with the letters that the last flips match; the flips so far; the coin."""
        for number, (pattern, matched) in enumerate(((self.first, s.first), (self.second, s.second))):
            if len(pattern) <= MOST_DRAWN:
                cards = [{"card": letter, "look": "marked" if k < matched else "plain"} for k, letter in enumerate(pattern)]
                yield {"kind": "cards", "label": ("first", "second")[number], "cards": cards, "in text": False}
        ahead = f"{self.first if s.lead > 0 else self.second}, by {abs(s.lead)}" if s.lead else "nobody"
        yield {"kind": "facts", "facts": [("ahead", ahead)], "in text": False}
        yield {"kind": "bars", "bars": [{"label": "flips", "value": self.flips - s.left, "of": max(self.flips, 1)}]}
        if s.left > 0:
            yield {"kind": "dice", "label": "flip", "dice": [None], "place": "flip"}

    def places(self, s: State, action: None) -> Iterator[str]:
        yield "flip"


CoinPatterns.State = State  # type: ignore[attr-defined]


def begun(pattern: str, flips: str) -> int:
    """The most letters, but not all, with which the pattern begins and the flips end."""
    letters = min(len(flips), len(pattern) - 1)
    while not flips.endswith(pattern[:letters]):
        letters -= 1
    return letters
