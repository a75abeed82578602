"""Checks of what players see: `sees` at one state. What takes many states (perfect recall) is checked where the game is explored."""

from __future__ import annotations

from typing import Any

from zermelo.language.checking.examination import Checks
from zermelo.language.checking.values import BIG, is_whole, short, show


class Sights(Checks):
    """Checks of `sees`."""

    def seen(self, state: Any) -> None:
        """Report anything that is no number, and answers that change."""
        if not self.has("sees"):
            return
        for player in range(2):
            found = self.runner.yielded("sees", state, f", player {player}", state, player)
            if found is None:
                return
            for where in found:
                if not is_whole(where.item) or abs(int(where.item)) >= BIG:
                    text = f"`sees` yields {short(where.item)} for player {player} at {show(state)}: it must be a whole number"
                    tuples = "; yield the numbers of a tuple one by one" if isinstance(where.item, tuple | list) else ""
                    self.faults.add(("sees", "number"), f"{text}{tuples} {where}")
