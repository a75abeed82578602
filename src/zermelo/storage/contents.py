"""Validation of files: header and arrays are checked before anything is built from them, so that a file that no version of
Zermelo wrote gives one clear error, whatever it contains."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.errors import FileError
from zermelo.states.layout import MOST_WORDS, SLOT_BITS, are_words

MOST = 1 << 62  # the limit of whole numbers in a header
CLASS = re.compile(r"[\w.<>-]{1,200}:[\w.<>]{1,200}")  # modules that `runpy` ran are called "<run_path>"
FLOATS, WHOLES = ("<f8",), ("<i8",)
CODES, POLICY = ("|i1", "<i2"), ("<i4", "<i8")


def check_contents(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any], check: Check) -> None:
    """Raise `FileError` unless a file, whose header has been checked, holds the contents of its kind, which `check` validates."""
    with _told(path):
        check(header, Arrays(arrays))


def check_header(path: str | Path, header: Mapping[str, Any]) -> None:
    """Raise `FileError` unless the header is one that Zermelo writes, in this version or an older one."""
    with _told(path):
        for name, fits in FITS.items():
            if name in header and not fits(header[name]):
                raise Unfit(f"`{name}` in its header")


@contextmanager
def _told(path: str | Path) -> Iterator[None]:
    try:
        yield
    except Unfit as error:
        raise FileError(f"{path} does not hold what such a file must ({error}): solve and save again") from None


class Unfit(Exception):
    """The fault, as a clause."""


# --- headers ----------------------------------------------------------------------------------------------------------


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _whole(value: Any) -> bool:
    return type(value) is int and -MOST < value < MOST


def _long(value: Any) -> bool:
    """A number of 64 bits, of a parameter or a state."""
    return type(value) is int and -(2**63) <= value < 2**63


def _long_or_truth(value: Any) -> bool:
    """A number of a state; older versions wrote truth values as such."""
    return isinstance(value, bool) or _long(value)


def _number(value: Any) -> bool:
    return _whole(value) or (isinstance(value, float) and math.isfinite(value))


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _nested(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A check for such a value, or lists and dictionaries of such values."""

    def found(value: Any, depth: int = 0) -> bool:
        parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
        return fits(value) if parts is None else depth < 50 and all(found(v, depth + 1) for v in parts)

    return found


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | str) or _number(value)


def _facts(value: Any) -> bool:
    if not isinstance(value, dict) or not _nested(_plain)(value):
        return False
    length = value.get("length")
    is_length = length is None or (isinstance(length, dict) and set(length) in LENGTHS and all(map(_number, length.values())))
    counts = [v for n, v in value.items() if n.startswith("seconds ") or n in COUNTS]
    return is_length and all(map(_number, counts))


LENGTH = {"mean", "variance", "variance_low", "variance_high"}
LENGTHS = LENGTH, LENGTH | {"mean_low", "mean_high"}  # files written before the mean had bounds
COUNTS = ("states", "rows", "columns", "stages", "actions", "outcomes", "finals", "cells", "bytes")


def _parameters(value: Any) -> bool:
    return isinstance(value, dict) and all(n.isidentifier() and _nested(_parameter)(v) for n, v in value.items())


def _parameter(value: Any) -> bool:
    return _plain(value) or _long(value)


def _state(value: Any) -> bool:
    if not isinstance(value, dict) or not _text(value.get("name")) or not value["name"].isidentifier():
        return False
    parts: list[Any] = [value.get(name) for name in ("fields", "lengths", "low", "bits")]
    fields, lengths, low, bits = parts
    words: Any = value.get("words", [0] * len(bits) if isinstance(bits, list) else None)
    named = _list_of(lambda v: isinstance(v, str) and v.isidentifier())(fields)
    if not named or not all(_list_of(_whole)(part) for part in (lengths, bits, words)) or not _list_of(_long)(low):
        return False
    slots = sum(n or 1 for n in lengths)
    shape = len(fields) == len(lengths) and min(lengths, default=0) >= 0 and slots == len(low) == len(bits)
    return shape and bool(bits) and min(bits) >= 0 and max(bits) <= SLOT_BITS and are_words(words, bits) and words[-1] < MOST_WORDS


def _start(value: Any) -> bool:
    if not isinstance(value, dict) or not _list_of(_nested(_long_or_truth))(value.get("state")):
        return False
    if not _list_of(_line)(value.get("payoffs")):
        return False
    values: Any = value.get("values")
    errors: Any = value.get("errors")
    payoffs = len(value["payoffs"])
    numbers = _list_of(lambda v: _number(v) or (isinstance(v, str) and FRACTION.fullmatch(v) is not None))
    return numbers(values) and _list_of(_number)(errors) and len(values) == len(errors) == payoffs > 0


def _strategies(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(side, list) and _nested(_parameter)(side) for side in value)


FRACTION = re.compile(r"-?[0-9a-f]+/0*[1-9a-f][0-9a-f]*")
FITS: dict[str, Callable[[Any], bool]] = {
    "zermelo": _text,
    "created": _text,
    "game": lambda v: isinstance(v, str) and CLASS.fullmatch(v) is not None,
    "name": lambda v: isinstance(v, str) and v.isidentifier(),
    "parameters": _parameters,
    "rules hash": _text,
    "rules": _text,
    "model": _line,
    "kind": _text,
    "count": lambda v: isinstance(v, str) and v.isidentifier(),
    "state": _state,
    "start": _start,
    "argument": _text,
    "discount": lambda v: _number(v) and 0 < v <= 1,
    "statistics": _facts,
    "engine": _text,
    "summary": _text,
    "tried": _list_of(lambda v: _list_of(_text)(v) and len(v) == 2),
    "notes": _list_of(_text),
    "codes": lambda v: isinstance(v, list) and len(v) == 2 and _whole(v[0]) and v[0] >= 0 and v[1] in CODES,
    "exact": lambda v: isinstance(v, bool),
    "strategies": _strategies,
    "represented": _strategies,
    "all states": lambda v: isinstance(v, dict) and all(n not in FITS or FITS[n](part) for n, part in v.items()),
    "shape": lambda v: _list_of(_whole)(v) and len(v) == 2 and min(v) >= 1,
    "certificate": lambda v: _list_of(_text)(v) and len(v) == 2,
    "run": lambda v: isinstance(v, dict) and all(map(_number, v.values())),
    "seconds": _number,
}
GAME = ("game", "name", "parameters", "rules hash", "rules")


def require(header: Mapping[str, Any], *names: str) -> None:
    """Raise `Unfit` unless the header has these entries."""
    for name in names:
        if name not in header:
            raise Unfit(f"no `{name}` in its header")


# --- arrays -----------------------------------------------------------------------------------------------------------


class Arrays:
    """The arrays of a file, requested by name, type and shape."""

    def __init__(self, arrays: Mapping[str, Any]):
        self.arrays = arrays

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def shape(self, name: str, types: tuple[str, ...], *wanted: int | None) -> tuple[int, ...]:
        """The shape of an array, which must exist with this type and shape (None: any number)."""
        if name not in self.arrays:
            raise Unfit(f"no array `{name}`")
        found = self.arrays[name]
        shape: tuple[int, ...] = found.shape
        if found.dtype.str not in types or len(shape) != len(wanted) or any(w not in (None, n) for w, n in zip(wanted, shape, strict=True)):
            raise Unfit(f"the array `{name}`: {found.dtype.str}{list(shape)}")
        return shape

    def keys(self, name: str, header: Mapping[str, Any], count: int | None = None) -> int:
        """The number of keys in an array, each of as many words as the states in the header take."""
        words = header["state"].get("words", [0])[-1] + 1
        return self.shape(name, WHOLES, count, *([words] if words > 1 else []))[0]

    def fractions(self, count: int) -> None:
        """Raise `Unfit` unless this many fractions are stored."""
        for name in ("numerator", "denominator"):
            self.shape(f"{name}s", ("|u1",), None)
            self.shape(f"{name}_ends", WHOLES, count)


Check = Callable[[Mapping[str, Any], Arrays], None]
