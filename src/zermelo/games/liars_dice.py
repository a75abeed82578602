"""Liar's Dice: claim how many dice show a face, or call the opponent a liar.

Both roll their dice and look at them under their cups. In turn they claim that at least some number of all dice show a face. Each claim is
higher than the one before: more dice, or as many of a higher face. Instead of making a claim, a player may call the last one a lie.
Then all dice are shown, and the player who was wrong loses 1. A wild face counts as any face.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.hand_pictures import hands

LIAR = 0  # an action; 1, 2, ... are the claims, from low to high
HIGHEST = -1


class State(NamedTuple):
    first: tuple[int, ...]  # how many of the first player's dice show each face
    second: tuple[int, ...]
    claims: int  # that were made, as bits: claim k is bit k - 1
    last: int  # the last one; 0 before the first
    mover: int
    called: int  # 1 when the last claim was called a lie


class LiarsDice(NamedTuple):
    """The value is the first player's chance to win minus his chance to lose."""

    dice: Annotated[int, "dice of the first player", range(1, 5)] = 1
    other_dice: Annotated[int, "dice of the second player", range(1, 5)] = 1
    sides: Annotated[int, "sides of a die", range(1, 11)] = 6
    wild: Annotated[int, "the wild face: 1 the lowest, ..., -1 the highest; 0 for none", range(-1, 11)] = HIGHEST

    def title(self) -> str:
        each = f"{self.dice} {'die' if self.dice == 1 else 'dice'} each" if self.dice == self.other_dice else ""
        dice = f"{each or f'{self.dice} against {self.other_dice} dice'}, {self.sides} sides"
        wild = {0: "none wild", HIGHEST: "the highest wild"}.get(self.wild, f"{self.wild} wild")
        return f"Liar's Dice: {dice}, {wild}"

    def start(self) -> State:
        if self.wild > self.sides:
            raise ValueError(f"dice with {self.sides} sides have no face {self.wild} to be wild")
        none = (0,) * self.sides
        return State(none, none, 0, 0, 0, 0)

    def rolled(self, s: State) -> int:
        return sum(s.first) + sum(s.second)

    def player(self, s: State) -> int:
        return s.mover

    def sees(self, s: State, player: int) -> Iterator[int]:
        if self.rolled(s) == self.dice + self.other_dice:
            for face in range(self.sides):
                yield s.first[face] if player == 0 else s.second[face]
        yield s.claims

    def actions(self, s: State) -> Iterator[int]:
        if self.rolled(s) < self.dice + self.other_dice:
            yield LIAR  # roll
        elif s.called == 0:
            if s.last > 0:
                yield LIAR
            for claim in range(s.last + 1, (self.dice + self.other_dice) * self.sides + 1):  # noqa: UP028
                yield claim

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if self.rolled(s) < self.dice + self.other_dice:
            is_first = sum(s.first) < self.dice
            for face in range(self.sides):
                first = s.first[:face] + (s.first[face] + int(is_first),) + s.first[face + 1 :]
                second = s.second[:face] + (s.second[face] + 1 - int(is_first),) + s.second[face + 1 :]
                yield 1, 0, State(first, second, 0, 0, 0, 0)
        elif action == LIAR:
            yield 1, 0, State(s.first, s.second, s.claims, s.last, s.mover, 1)
        else:
            yield 1, 0, State(s.first, s.second, s.claims | 1 << action - 1, action, 1 - s.mover, 0)

    def payoff(self, s: State) -> int:
        """The mover called the opponent's claim a lie."""
        dice, face = (s.last - 1) // self.sides + 1, (s.last - 1) % self.sides
        wild = self.sides - 1 if self.wild == HIGHEST else self.wild - 1
        shown = s.first[face] + s.second[face]
        if wild >= 0 and face != wild:
            shown += s.first[wild] + s.second[wild]
        return 1 if (shown < dice) == (s.mover == 0) else -1

    def claim_in_words(self, claim: int) -> str:
        return f"{(claim - 1) // self.sides + 1} x {(claim - 1) % self.sides + 1}"

    def show(self, s: State, player: int = -1) -> str:
        if self.rolled(s) < self.dice + self.other_dice:
            return "the dice are rolled"
        shown = (s.first, s.second) if player < 0 else ((s.first, s.second)[player],)
        most = (self.dice + self.other_dice) * self.sides
        said = ", ".join(self.claim_in_words(k) for k in range(1, most + 1) if s.claims >> k - 1 & 1)
        cups = " | ".join(" ".join(self.faces(hand)) for hand in shown)
        return f"{cups}: {said or 'nothing claimed yet'}{', called a lie' if s.called else ''}"

    def faces(self, hand: tuple[int, ...]) -> list[str]:
        return [str(f + 1) for f, n in enumerate(hand) for _ in range(n)]

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        """The dice under both cups, and all claims as a table: those made, the last one marked, and those that can still be made."""
        yield from hands((self.faces(s.first), self.faces(s.second)), player, "dice")
        claims = [range(k * self.sides + 1, (k + 1) * self.sides + 1) for k in range(self.dice + self.other_dice)]
        cells = [[self.claim_cell(s, claim) for claim in row] for row in claims]
        yield {"kind": "grid", "label": "claims", "cells": cells, "in text": False}
        last = f"{self.claim_in_words(s.last) if s.last else 'none'}{', called a lie' if s.called else ''}"
        yield {"kind": "facts", "facts": [("last claim", last)]}

    def claim_cell(self, s: State, claim: int) -> dict[str, Any]:
        made = s.claims >> claim - 1 & 1
        look = "marked" if claim == s.last else "dark" if made else "out" if claim < s.last else "plain"
        return {"pieces": [self.claim_in_words(claim)], "place": claim, "look": look}

    def places(self, s: State, action: int) -> Iterator[int]:
        if action != LIAR:
            yield action

    def action_name(self, action: int) -> str:
        return "liar!" if action == LIAR else self.claim_in_words(action)


LiarsDice.State = State  # type: ignore[attr-defined]
