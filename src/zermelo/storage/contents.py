"""What a file must hold: its header and arrays are examined before anything is made of them, so that a file that no version of Zermelo
wrote is one clear error, whatever is in it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zermelo.errors import FileError
from zermelo.kernels.urn_places import CARRIED
from zermelo.states.layout import KEY_BITS
from zermelo.storage import boards, entered, hidden, mixed, swept

MOST = 1 << 62  # of a whole number in a header
CLASS = re.compile(r"[\w.<>-]{1,200}:[\w.<>]{1,200}")  # modules that `runpy` ran are called "<run_path>"
FLOATS, WHOLES = ("<f8",), ("<i8",)
CODES, POLICY = ("|i1", "<i2"), ("<i4", "<i8")


def check_contents(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Raise `FileError` unless header and arrays are such as Zermelo writes them, in this version or an older one."""
    try:
        _check_header(header)
        kind = header.get("kind")
        if kind in CHECKS:
            CHECKS[kind](header, _Arrays(arrays))
        elif kind is None:
            (_check_board if "codes" in header else _check_stored)(header, _Arrays(arrays))
    except _Unfit as error:
        raise FileError(f"{path} does not hold what such a file must ({error}): solve and save again") from None


class _Unfit(Exception):
    """What does not fit, in a clause."""


# --- headers ----------------------------------------------------------------------------------------------------------


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _whole(value: Any) -> bool:
    return type(value) is int and -MOST < value < MOST


def _number(value: Any) -> bool:
    return _whole(value) or (isinstance(value, float) and math.isfinite(value))


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _nested(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Such a value, or lists and dictionaries of such values."""

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
    is_length = length is None or (isinstance(length, dict) and set(length) == LENGTH and all(map(_number, length.values())))
    counts = [v for n, v in value.items() if n.startswith("seconds ") or n in COUNTS]
    return is_length and all(map(_number, counts))


LENGTH = {"mean", "variance", "variance_low", "variance_high"}
COUNTS = ("states", "rows", "columns", "stages", "actions", "outcomes", "finals", "cells", "bytes")


def _parameters(value: Any) -> bool:
    return isinstance(value, dict) and all(n.isidentifier() and _nested(_plain)(v) for n, v in value.items())


def _state(value: Any) -> bool:
    if not isinstance(value, dict) or not _text(value.get("name")) or not value["name"].isidentifier():
        return False
    parts: list[Any] = [value.get(name) for name in ("fields", "lengths", "low", "bits")]
    fields, lengths, low, bits = parts
    named = _list_of(lambda v: isinstance(v, str) and v.isidentifier())(fields)
    if not named or not all(_list_of(_whole)(part) for part in (lengths, low, bits)):
        return False
    slots = sum(n or 1 for n in lengths)
    shape = len(fields) == len(lengths) and min(lengths, default=0) >= 0 and slots == len(low) == len(bits)
    return shape and bool(bits) and min(bits) >= 0 and sum(bits) <= KEY_BITS


def _start(value: Any) -> bool:
    if not isinstance(value, dict) or not _list_of(_nested(_whole))(value.get("state")) or not _list_of(_line)(value.get("payoffs")):
        return False
    values: Any = value.get("values")
    errors: Any = value.get("errors")
    payoffs = len(value["payoffs"])
    numbers = _list_of(lambda v: _number(v) or (isinstance(v, str) and FRACTION.fullmatch(v) is not None))
    return numbers(values) and _list_of(_number)(errors) and len(values) == len(errors) == payoffs > 0


FRACTION = re.compile(r"-?[0-9a-f]+/0*[1-9a-f][0-9a-f]*")
FITS: dict[str, Callable[[Any], bool]] = {
    "zermelo": _text,
    "created": _text,
    "game": lambda v: isinstance(v, str) and CLASS.fullmatch(v) is not None,
    "name": lambda v: isinstance(v, str) and v.isidentifier(),
    "parameters": _parameters,
    "rules hash": _text,
    "rules": _text,
    "kind": _text,
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
    "strategies": lambda v: isinstance(v, list) and len(v) == 2 and all(isinstance(side, list) and _nested(_plain)(side) for side in v),
    "shape": lambda v: _list_of(_whole)(v) and len(v) == 2 and min(v) >= 1,
    "certificate": lambda v: _list_of(_text)(v) and len(v) == 2,
    "run": lambda v: isinstance(v, dict) and all(map(_number, v.values())),
    "seconds": _number,
}
GAME = ("game", "name", "parameters", "rules hash", "rules")


def _check_header(header: Mapping[str, Any]) -> None:
    for name, fits in FITS.items():
        if name in header and not fits(header[name]):
            raise _Unfit(f"`{name}` in its header")


def _need(header: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if name not in header:
            raise _Unfit(f"no `{name}` in its header")


# --- arrays -----------------------------------------------------------------------------------------------------------


class _Arrays:
    """The arrays of a file, asked for by name, type and shape."""

    def __init__(self, arrays: Mapping[str, Any]):
        self.arrays = arrays

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def shape(self, name: str, types: tuple[str, ...], *wanted: int | None) -> tuple[int, ...]:
        """The shape of an array, which must be there with such a type and shape (None: any number)."""
        if name not in self.arrays:
            raise _Unfit(f"no array `{name}`")
        found = self.arrays[name]
        shape: tuple[int, ...] = found.shape
        if found.dtype.str not in types or len(shape) != len(wanted) or any(w not in (None, n) for w, n in zip(wanted, shape, strict=True)):
            raise _Unfit(f"the array `{name}`: {found.dtype.str}{list(shape)}")
        return shape

    def fractions(self, count: int) -> None:
        for name in ("numerator", "denominator"):
            self.shape(f"{name}s", ("|u1",), None)
            self.shape(f"{name}_ends", WHOLES, count)


def _check_stored(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, *GAME, "state", "argument", "discount", "statistics")
    _need(header["statistics"], "states")
    (n,) = arrays.shape("keys", WHOLES, None)
    payoffs = arrays.shape("values", FLOATS, n, None)[1]
    arrays.shape("errors", FLOATS, n, payoffs)
    arrays.shape("policy", POLICY, n)
    if not n or not payoffs:
        raise _Unfit("no states")
    if "distances" in arrays:
        arrays.shape("distances", POLICY, n)
    if "mixture own_start" in arrays:
        for side in ("own", "other"):
            arrays.shape(f"mixture {side}_start", WHOLES, n + 1)
            arrays.shape(f"mixture {side}", FLOATS, None)
    if "numerators" in arrays:
        arrays.fractions(n * payoffs)


def _check_board(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, *GAME, "state", "argument", "statistics")
    _need(header["statistics"], "states")
    size, dtype = header["codes"]
    if "codes" in arrays:
        arrays.shape("codes", (dtype,), size)
    else:
        arrays.shape("blocks", ("|u1",), None)
        arrays.shape("ends", WHOLES, -(-size // boards.BLOCK))
    for name in arrays.arrays:
        if name.startswith("images"):
            arrays.shape(name, ("<i4",), None, None)


def _check_entered(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, *GAME, "state", "argument", "statistics")
    _need(header["statistics"], "states")
    (n,) = arrays.shape("keys", WHOLES, None)
    (stages,) = arrays.shape("stages", WHOLES, None)
    arrays.shape("first", WHOLES, stages + 1)
    payoffs = arrays.shape("values", FLOATS, n, None)[1]
    arrays.shape("errors", FLOATS, n, payoffs)


def _check_mixed(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, *GAME, "strategies", "certificate", "statistics")
    row, column = header["strategies"]
    if not row or not column:
        raise _Unfit("`strategies` in its header")
    arrays.fractions(2 + len(row) + len(column))


def _check_matrix(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, "shape", "strategies", "certificate", "statistics")
    rows, columns = header["shape"]
    for side, count in zip(header["strategies"], (rows, columns), strict=True):
        if not side or not all(type(s) is int and 0 <= s < count for s in side) or len(set(side)) != len(side):
            raise _Unfit("`strategies` in its header")
    arrays.fractions(2 + sum(map(len, header["strategies"])) + rows * columns)


def _check_hidden(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, *GAME, "state", "tuples", "certificate", "blur", "statistics")
    arrays.shape("ends", FLOATS, 2)
    (entries,) = arrays.shape("near", FLOATS, None)
    arrays.shape("size", FLOATS, entries)
    for name in ("row", "column"):
        arrays.shape(name, ("<i4",), entries)
    sequences = 0
    for player in range(2):
        (sets,) = arrays.shape(f"parent {player}", ("<i4",), None)
        arrays.shape(f"first {player}", WHOLES, sets + 1)
        arrays.shape(f"seen_start {player}", WHOLES, sets + 1)
        arrays.shape(f"seen {player}", WHOLES, None)
        arrays.shape(f"state {player}", WHOLES, sets)
        (own, _) = arrays.shape(f"actions {player}", WHOLES, None, None)
        (visits,) = arrays.shape(f"visit_near {player}", FLOATS, None)
        for name in ("set", "other"):
            arrays.shape(f"visit_{name} {player}", ("<i4",), visits)
        sequences += own
        if header["certificate"][0] != "proof":
            arrays.shape(f"weights {player}", FLOATS, own)
    if header["certificate"][0] == "proof":
        arrays.fractions(2 + sequences + entries)


def _check_swept(header: Mapping[str, Any], arrays: _Arrays) -> None:
    _need(header, "run", "seconds")
    _need(header["run"], "balls that pay 1", "balls that cost 1", "width of the window")
    plus, minus = header["run"]["balls that pay 1"], header["run"]["balls that cost 1"]
    if not all(type(n) is int and n >= 0 for n in (plus, minus)):
        raise _Unfit("`run` in its header")
    if "game" in header:
        _need(header, *GAME)
    arrays.shape("window", FLOATS, None)
    arrays.shape("carried", WHOLES, CARRIED)
    (tiles,) = arrays.shape("highest", FLOATS, None)
    arrays.shape("tiles", WHOLES, tiles, 4)
    arrays.shape("reach", WHOLES, None)
    arrays.shape("curve", FLOATS, *arrays.shape("at", WHOLES, None))
    arrays.shape("kept", FLOATS, None)
    if "numerators" in arrays:
        arrays.fractions(1)


CHECKS: dict[str, Callable[[Mapping[str, Any], _Arrays], None]] = {
    entered.KIND: _check_entered, hidden.KIND: _check_hidden, mixed.KIND: _check_mixed,
    mixed.ONE_MATRIX: _check_matrix, swept.KIND: _check_swept,
}  # fmt: skip
