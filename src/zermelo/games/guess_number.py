"""Bob's side of binary search, guess by guess: a number is hidden on purpose, and a dollar is paid for each guess.

Alice hides 1 and n twice as often as each other number, (2, 1, ..., 1, 2)/(n + 2), a mixture of Graham-Cumming's (2024). Where it is her
best one, as for n = 100, the value is that of `binary-search`; elsewhere it is less, as for n = 13. Against a known mixture a
guess is a decision like any other, so the cost of every guess can be stated.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

ACROSS = 10  # numbers in a row of the picture


class State(NamedTuple):
    low: Annotated[int, "the lowest number that is left"]
    high: Annotated[int, "the highest one; below `low`: the number is found"]


class GuessNumber(NamedTuple):
    """Find a number from 1 to n, told "lower" or "higher": a dollar for each guess, and fewest dollars on average.

    Alice hides 1 and n with weight `ends`, each other number with weight 1.
    """

    n: Annotated[int, "how many numbers there are", range(1, 201)] = 100
    ends: Annotated[int, "how often 1 and n are hidden, each of the others once", range(101)] = 2

    def title(self) -> str:
        ends = "" if self.ends == 1 else f", the two ends weighted {self.ends}-fold"
        return f"Guess a number: 1 to {self.n}{ends}"

    def payoff_unit(self) -> str:
        return "$"

    def start(self) -> State:
        if self.ends == 0 and self.n < 3:
            raise ValueError("with ends=0 there is no number to be hidden: n must be at least 3")
        return State(1, self.n) if self.ends else State(2, self.n - 1)

    def player(self, s: State) -> int:
        """Bob wants to pay little."""
        return 1

    def actions(self, s: State) -> Iterator[int]:
        for number in range(s.low, s.high + 1):  # noqa: UP028  # `yield from` does not compile
            yield number

    def outcomes(self, s: State, guess: int) -> Iterator[tuple[int, int, State]]:
        yield self.weight(guess, guess), 1, State(1, 0)
        if guess > s.low:
            yield self.weight(s.low, guess - 1), 1, State(s.low, guess - 1)
        if guess < s.high:
            yield self.weight(guess + 1, s.high), 1, State(guess + 1, s.high)

    def weight(self, low: int, high: int) -> int:
        """How often Alice hides one of these numbers, in n - 2 + 2 * ends times."""
        return high - low + 1 + (self.ends - 1 if low == 1 else 0) + (self.ends - 1 if high == self.n and self.n > 1 else 0)

    def picture(self, s: State) -> dict[str, Any]:
        """All numbers in rows of ten, those that are left to be clicked."""
        rows = []
        for first in range(1, self.n + 1, ACROSS):
            row: list[Any] = []
            for number in range(first, first + min(ACROSS, self.n)):
                is_left = s.low <= number <= s.high
                text = str(number) if number <= self.n else ""
                row.append({"pieces": [text] if text else [], "place": f"{number}", "look": "plain" if is_left else "out"})
            rows.append(row)
        return {"kind": "grid", "cells": rows}

    def places(self, s: State, guess: int) -> Iterator[str]:
        yield f"{guess}"

    def show(self, s: State) -> str:
        if s.low > s.high:
            return "found"
        return f"it is {s.low}" if s.low == s.high else f"from {s.low} to {s.high}: {s.high - s.low + 1} numbers are left"

    def action_name(self, guess: int) -> str:
        return f"{guess}"


GuessNumber.State = State  # type: ignore[attr-defined]
