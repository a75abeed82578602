"""Plays kept on the server, since they contain what the page must not know yet: a hidden number, cards of the other side."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

from zermelo.errors import ParameterError

MOST_KEPT = 64  # plays of a solution; the least recently requested are forgotten first

Kept = TypeVar("Kept")


class Sessions(Generic[Kept]):
    """The sessions of one solution, by name. Hold `lock` while using one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._names = map(str, itertools.count(1))
        self.shared: Any = None  # the data of the solution that all of them need, made with the first
        self.lock = threading.Lock()

    def add(self, session: Kept) -> str:
        """Add a session; return its name."""
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
