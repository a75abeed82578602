"""Plays that the server keeps, since they hold what the page must not know yet: a hidden number, cards of the other side."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

from zermelo.errors import ParameterError

MOST_KEPT = 64  # plays of a solution; those asked for longest ago are forgotten first

Kept = TypeVar("Kept")


class Sessions(Generic[Kept]):
    """Those of one solution, by their names. Hold `lock` while one is used."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._names = map(str, itertools.count(1))
        self.shared: Any = None  # what all of them need of the solution, made with the first
        self.lock = threading.Lock()

    def add(self, session: Kept) -> str:
        """Its name."""
        name = next(self._names)
        self._kept[name] = session
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return name

    def find(self, name: Any) -> Kept:
        """The session of this name. Raises `ParameterError`."""
        if not isinstance(name, str) or name not in self._kept:
            raise ParameterError("this game is not in memory (any more): begin a new one")
        self._kept.move_to_end(name)
        return self._kept[name]
