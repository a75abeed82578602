"""Attributes that are made once, also if several threads ask for them at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class once(Generic[Value]):
    """A `functools.cached_property` with a lock, as it had one up to Python 3.11: since then two threads may make a value each. Making it
    may ask for the same attribute of other objects, in circles, too: other threads see all these values when the last one is made, since
    each may refer to others."""

    def __init__(self, make: Callable[[Any], Value]):
        self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__
        self.renew()

    def renew(self) -> None:
        """Begin with a new lock, in a forked process, which has no thread that could release the old one."""
        self.lock = threading.RLock()
        self._making: dict[int, tuple[Any, Value]] | None = None  # (object, value), by the object's id

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        if instance is None:  # asked of the class
            return self  # type: ignore[return-value]
        with self.lock:
            if self.name in vars(instance):
                value: Value = vars(instance)[self.name]
                return value
            is_first = self._making is None
            made = self._making = {} if self._making is None else self._making
            try:
                if id(instance) not in made:
                    value = self.make(instance)
                    made.setdefault(id(instance), (instance, value))  # in a circle, the value that others refer to
            finally:
                if is_first:
                    self._making = None
            if is_first:
                for each, value in made.values():
                    vars(each)[self.name] = value
            return made[id(instance)][1]
