"""Docstrings of the fields of a NamedTuple, which Python itself describes as "Alias for field number 3"."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

C = TypeVar("C", bound=type)


def described(**docs: str) -> Callable[[C], C]:
    """Give every field of a NamedTuple its docstring. Raises `TypeError` if one is missing, or none has that name."""

    def decorated(kind: C) -> C:
        if set(docs) != set(kind._fields):  # type: ignore[attr-defined]
            raise TypeError(f"the fields of {kind.__name__} are described as {', '.join(docs)}")
        for name, doc in docs.items():
            getattr(kind, name).__doc__ = doc
        return kind

    return decorated
