"""Methods that read a text among the parameters, such as a range of poker hands, and return a tuple of whole numbers.

They take only the game, so that Python can run each of them once, before play begins. Machine code receives the numbers: the same
code serves every text, and the functions that such a method calls need not compile (they may use a cache or a dictionary).
Standard library only.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from types import FunctionType
from typing import Any

from zermelo.language.members import COMPILED

LARGEST = 2**63


def readings(game: Any) -> dict[str, FunctionType]:
    """These methods of a game, by name."""
    cls = type(game)
    texts = {field for field in getattr(cls, "_fields", ()) if isinstance(getattr(game, field), str)}
    found = {}
    for name in {name for c in cls.__mro__ if hasattr(c, "_fields") for name in vars(c)} if texts else ():
        function = inspect.getattr_static(cls, name, None)
        if isinstance(function, FunctionType) and name not in COMPILED and _reads(function, texts):
            with suppress(Exception):  # reported where the rules run
                if numbers_read(game, name) is not None:
                    found[name] = function
    return found


def _reads(function: FunctionType, texts: set[str]) -> bool:
    code = function.__code__
    has_more = code.co_argcount != 1 or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return not has_more and not inspect.isgeneratorfunction(function) and bool(texts & set(code.co_names))


def numbers_read(game: Any, name: str) -> tuple[int, ...] | None:
    """The result of such a method of the game; None if it is not a tuple of whole numbers."""
    found = getattr(game, name)()
    return found if type(found) is tuple and all(type(n) is int and -LARGEST <= n < LARGEST for n in found) else None
