"""Attributes that are made once, also if several threads ask for them at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class once(Generic[Value]):
    """A `functools.cached_property` with a lock, as it had one up to Python 3.11: since then two threads may make a value each. Making it
    may ask for the same attribute of other objects."""

    def __init__(self, make: Callable[[Any], Value]):
        self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__
        self.lock = threading.RLock()

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        if instance is None:  # asked of the class
            return self  # type: ignore[return-value]
        with self.lock:
            made = vars(instance)
            if self.name not in made:
                made[self.name] = self.make(instance)
            value: Value = made[self.name]
            return value
