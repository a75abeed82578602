"""Inspections: on which of the days does the inspector come, and on which does somebody break the rules? (Dresher 1962)

On each of a number of days the inspectee may break the rules, once in all, and the inspector may come, up to a maximum number of times.
Breaking the rules wins 1 on a day without an inspection and loses 1 on a day with one; never breaking them wins nothing. Both choose at
once. If the inspectee learns of inspections, as in Dresher's game, he waits until they are used up; otherwise the inspector need only draw
his days at random.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted

KEEP, BREAK = 0, 1
STAY, COME = 0, 1


class State(NamedTuple):
    day: int  # 0 is the first
    came: int  # the days on which the inspector came, as bits
    caught: int  # 1 caught, -1 got away, 0 nothing broken yet


class Inspection(NamedTuple):
    """The value is the average win of the inspectee, who is player 0. With m inspections on n days it is 1 - 2m/n, or 0 if that is less;
    if he learns of inspections, C(n-1, m) / (C(n, 0) + ... + C(n, m))."""

    days: Annotated[int, "days", range(1, 13)] = 4
    inspections: Annotated[int, "days on which the inspector can come", range(13)] = 1
    told: Annotated[bool, "the inspectee learns of every inspection"] = False

    def title(self) -> str:
        text = f"Inspection: {self.inspections} in {counted(self.days, 'day')}"
        return f"{text}, each told" if self.told else text

    def start(self) -> State:
        return State(0, 0, 0)

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.day
        if player == 1 or self.told:
            yield s.came

    def left(self, s: State) -> int:
        done = 0
        for day in range(self.days):
            done += s.came >> day & 1
        return self.inspections - done

    def actions(self, s: State) -> Iterator[int]:
        if s.day < self.days and s.caught == 0:
            yield KEEP
            yield BREAK

    def other_actions(self, s: State) -> Iterator[int]:
        if s.day < self.days and s.caught == 0:
            yield STAY
            if self.left(s) > 0:
                yield COME

    def outcomes(self, s: State, own: int, other: int) -> Iterator[tuple[int, int, State]]:
        came = s.came | other << s.day
        if own == KEEP:
            yield 1, 0, State(s.day + 1, came, 0)
        elif other == COME:
            yield 1, -1, State(s.day + 1, came, 1)
        else:
            yield 1, 1, State(s.day + 1, came, -1)

    def show(self, s: State, player: int = -1) -> str:
        if player == 0 and not self.told:
            return f"day {min(s.day + 1, self.days)} of {self.days}"
        came = " ".join(str(day + 1) for day in range(s.day) if s.came >> day & 1)
        end = {1: ": caught", -1: ": got away"}.get(s.caught, "")
        return f"day {min(s.day + 1, self.days)} of {self.days}, inspections on {came or 'none'}{end}"

    def picture(self, s: State, player: int = -1) -> dict[str, Any]:
        """The days, today marked, with the inspections that are known."""
        is_told = player != 0 or self.told
        cells = [
            {"pieces": ["✓"] if is_told and s.came >> day & 1 else [], "text": str(day + 1), "look": "marked" if day == s.day else "plain"}
            for day in range(self.days)
        ]
        return {"kind": "grid", "label": "days, and inspections ✓", "cells": [cells]}

    def action_name(self, action: int) -> str:
        return ("stay", "go")[action]


Inspection.State = State  # type: ignore[attr-defined]
