"""Small problems, each answered exactly by one short file: its own functions, and `answer`, which fills tables.

They use whole numbers and fractions only, and no engine. Reading this list imports none of them.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import NamedTuple


class Puzzle(NamedTuple):
    """A small problem: its name on the command line, and its question in one line."""

    name: str
    doc: str

    def module(self) -> ModuleType:
        return importlib.import_module(f"{__name__}.{self.name}")


PUZZLES = (
    Puzzle("coupons", "n draws have shown k kinds of coupons: how many kinds are there?"),
    Puzzle("podiums", "six runners, three medals, ties: how many podiums?"),
    Puzzle("whodunit", "the guilty lie, the innocent don't, and they speak of what others could claim: who did it?"),
    Puzzle("ant", "the shortest repeating trail that tells which way the ant went"),
    Puzzle("bridge", "the price of a bond is random, and at par in the end: when to sell?"),
)

NAMES = tuple(puzzle.name for puzzle in PUZZLES)

__all__ = ["NAMES", "PUZZLES", "Puzzle"]
