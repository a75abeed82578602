"""One file that holds a solution: a header and arrays, checked by sums, memory-mapped when opened.

    8 bytes   "ZERMELO\\n"
    4 bytes   format version, little-endian as all numbers
    4 bytes   CRC-32 of the header
    8 bytes   length of the header
    header    JSON: {"header": ..., "arrays": {name: [dtype, shape, offset, CRC-32]}}
    arrays    each at a multiple of 64 bytes after the header; offsets count from the first

A file is written beside its place and moved there when it is complete, so that no reader ever meets half of one.
Opening needs neither numba nor the solvers. Every fault of a file is a `FileError` of one line.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import importlib
import json
import operator
import os
import secrets
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np

from zermelo.errors import FileError, RulesError
from zermelo.language.rules import Rules
from zermelo.language.source import rules_hash, rules_text
from zermelo.problem.mixtures import Mixtures
from zermelo.solution import Found, Solution, Space
from zermelo.states.layout import Layout
from zermelo.version import __version__

MAGIC = b"ZERMELO\n"
FORMAT = 1
PREFIX = struct.Struct("<8sIIQ")
ALIGNMENT = 64
CHECKED_BYTES = 64 << 20  # files with up to so much data are checked whole whenever they are opened
CHUNK = 1 << 24
SWEEP = "sweep of an urn"  # the kind of a checkpoint of a sweep, and of the solution that it ends with
AGAIN = "copy the file again, or solve and save again"


class Stored(NamedTuple):
    """What a file holds: `header` is plain JSON, `arrays` are read-only views of the file."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


class _Place(NamedTuple):
    """Where an array lies in a file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    crc: int

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


# --- writing ---------------------------------------------------------------------------------------------------------


def write(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write the file, or leave what was there untouched. Raises `FileError` if it can't be written."""
    plain = {name: _little_endian(name, array) for name, array in arrays.items()}
    head = _head(header, plain)
    with replacing(path) as temporary, open(temporary, "xb") as file:
        file.write(head)
        for array in plain.values():
            file.write(bytes(-file.tell() % ALIGNMENT))
            for chunk in _chunks(array):
                file.write(chunk)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A new file beside `path`, which it replaces at the end; if anything goes wrong it is gone without a trace."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        yield temporary
        _sync(temporary, os.O_RDWR)
        os.replace(temporary, target)
        with contextlib.suppress(OSError, AttributeError):  # makes the new name last through a power cut
            _sync(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise FileError(f"{path} can't be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):  # already moved unless something went wrong
            temporary.unlink()


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _little_endian(name: str, array: np.ndarray) -> np.ndarray:
    array = np.asarray(array, order="C")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the array {name} has the type {array.dtype}; only numbers can be stored")
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _head(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Prefix and header, up to the first array."""
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = _Place(array.dtype.str, array.shape, end, _crc(array))
        end += array.nbytes + -array.nbytes % ALIGNMENT
    text = json.dumps({"header": header, "arrays": places}, default=_plain).encode()
    prefix = PREFIX.pack(MAGIC, FORMAT, zlib.crc32(text), len(text))
    return prefix + text + bytes(-(len(prefix) + len(text)) % ALIGNMENT)


def _plain(value: Any) -> Any:
    """numpy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a header can't hold {value!r}, a {type(value).__name__}")


def _chunks(array: np.ndarray) -> Iterator[memoryview]:
    raw = array.reshape(-1).view(np.uint8).data
    return (raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK))


def _crc(array: np.ndarray) -> int:
    crc = 0
    for chunk in _chunks(array):
        crc = zlib.crc32(chunk, crc)
    return crc


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: str | Path, verify: bool | None = None) -> Stored:
    """Map the file into memory. The sums of its arrays are checked if `verify`, by default where they are up to 64 MB.

    Raises `FileError` if the file is missing, foreign, of another version, cut short or damaged.
    """
    try:
        with open(path, "rb") as file:
            prefix = file.read(PREFIX.size)
            text = _header_text(path, file, prefix)
            size = os.fstat(file.fileno()).st_size
            header, places = _parsed(path, text)
            first = PREFIX.size + len(text)
            first += -first % ALIGNMENT
            _check_size(path, size, first, places.values())
            data = np.memmap(file, dtype=np.uint8, mode="r")
    except OSError as error:
        raise FileError(f"{path} {_reason(error)}") from None
    arrays = {name: _view(data, first, place) for name, place in places.items()}
    if verify or (verify is None and sum(p.size for p in places.values()) <= CHECKED_BYTES):
        _check_sums(path, arrays, places)
    return Stored(header, arrays)


def _reason(error: OSError) -> str:
    words = {errno.ENOENT: "does not exist", errno.EISDIR: "is a directory, not a stored solution"}
    return words.get(error.errno or 0, f"can't be read: {error.strerror or error}")


def _header_text(path: str | Path, file: Any, prefix: bytes) -> bytes:
    if not prefix:
        raise FileError(f"{path} is empty: {AGAIN}")
    if not MAGIC.startswith(prefix[: len(MAGIC)]):
        raise FileError(f"{path} is not a stored solution of Zermelo")
    if len(prefix) < PREFIX.size:
        raise FileError(f"{path} is cut short after {len(prefix)} bytes: {AGAIN}")
    _, version, crc, length = PREFIX.unpack(prefix)
    if version != FORMAT:
        newer = "update Zermelo, or solve and save again" if version > FORMAT else "solve and save again"
        raise FileError(f"{path} has format {version}, but this Zermelo ({__version__}) reads format {FORMAT}: {newer}")
    left = os.fstat(file.fileno()).st_size - PREFIX.size
    if length > left:
        raise FileError(f"{path} is cut short or damaged: its header has {left:,} of {length:,} bytes: {AGAIN}")
    text: bytes = file.read(length)
    if zlib.crc32(text) != crc:
        raise FileError(f"{path} is damaged: the sum of its header does not agree: {AGAIN}")
    return text


def _parsed(path: str | Path, text: bytes) -> tuple[dict[str, Any], dict[str, _Place]]:
    try:
        content = json.loads(text)
        places = {n: _Place(d, tuple(shape), at, crc) for n, (d, shape, at, crc) in content["arrays"].items()}
        return dict(content["header"]), places
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileError(f"{path} is damaged: its header can't be understood: {AGAIN}") from None


def _check_size(path: str | Path, size: int, first: int, places: Iterable[_Place]) -> None:
    expected = max((first + p.offset + p.size for p in places), default=first)
    if size < expected:
        raise FileError(f"{path} is cut short: {size:,} of {expected:,} bytes are there: {AGAIN}")
    if size > expected:
        raise FileError(f"{path} is damaged: it has {size - expected:,} bytes too many: {AGAIN}")


def _view(data: np.ndarray, first: int, place: _Place) -> np.ndarray:
    begin = first + place.offset
    return data[begin : begin + place.size].view(place.dtype).reshape(place.shape)


def _check_sums(path: str | Path, arrays: Mapping[str, np.ndarray], places: Mapping[str, _Place]) -> None:
    for name, array in arrays.items():
        if _crc(array) != places[name].crc:
            raise FileError(f"{path} is damaged: the sum of its array `{name}` does not agree: {AGAIN}")


# --- exact values ----------------------------------------------------------------------------------------------------


class Fractions(Sequence[Fraction]):
    """Fractions of any size kept in arrays of bytes; each is made when it is asked for."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._bytes = (arrays["numerators"], arrays["denominators"])
        self._ends = (arrays["numerator_ends"], arrays["denominator_ends"])

    def __len__(self) -> int:
        return len(self._ends[0])

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fraction]: ...
    def __getitem__(self, index: int | slice) -> Fraction | list[Fraction]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = operator.index(index)
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} fractions, none has the index {index}")
        numerator, denominator = (self._number(which, at % len(self)) for which in (0, 1))
        return Fraction(numerator, denominator)

    def _number(self, which: int, at: int) -> int:
        ends = self._ends[which]
        begin = int(ends[at - 1]) if at else 0
        return int.from_bytes(self._bytes[which][begin : int(ends[at])].tobytes(), "little", signed=True)


def encode_fractions(fractions: Iterable[Fraction]) -> dict[str, np.ndarray]:
    """Fractions as arrays that `write` takes and `decode_fractions` understands."""
    fractions = list(fractions)
    return {
        **_encoded("numerator", [f.numerator for f in fractions]),
        **_encoded("denominator", [f.denominator for f in fractions]),
    }


def _encoded(name: str, numbers: list[int]) -> dict[str, np.ndarray]:
    parts = [n.to_bytes(n.bit_length() // 8 + 1, "little", signed=True) for n in numbers]
    ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
    return {f"{name}s": np.frombuffer(b"".join(parts), np.uint8), f"{name}_ends": ends.astype(np.int64)}


def decode_fractions(arrays: Mapping[str, np.ndarray]) -> Fractions:
    """The fractions behind these arrays, lazily: opening a large file takes no time."""
    return Fractions(arrays)


# --- the game in the header ------------------------------------------------------------------------------------------


def game_header(game: Any, layout: Layout) -> dict[str, Any]:
    """What a file says about the game and its states."""
    return {
        **rules_header(game),
        "state": {
            "name": layout.state_class.__name__,
            "fields": list(layout.state_class._fields),
            "lengths": layout.lengths,
            "low": layout.low,
            "bits": layout.bits,
        },
    }


def rules_header(game: Any) -> dict[str, Any]:
    """What a file says about the game: enough to find it again, and to notice that its rules have changed."""
    game_class = type(game)
    return {
        "zermelo": __version__,
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "game": f"{game_class.__module__}:{game_class.__qualname__}",
        "name": game_class.__name__,
        "parameters": dict(zip(game_class._fields, game, strict=True)),
        "rules hash": rules_hash(game),
        "rules": rules_text(game),
    }


def game_of(path: str | Path, header: Mapping[str, Any], game: Any = None) -> Any:
    """The game of a file, imported or the one given. Raises `FileError` if its rules or parameters differ."""
    if game is None:
        game = _game_class(path, header)(**{n: tuples(v) for n, v in header["parameters"].items()})
    parameters = json.loads(json.dumps(dict(zip(type(game)._fields, game, strict=True))))
    if type(game).__name__ != header["name"] or parameters != header["parameters"]:
        wanted = ", ".join(f"{n}={tuples(v)!r}" for n, v in header["parameters"].items())
        raise FileError(f"{path} holds the solution of {header['name']}({wanted}), not of {game!r}")
    try:
        same = rules_hash(game) == header["rules hash"]
    except RulesError as error:
        raise FileError(f"{path}: the rules can't be compared: {error.faults[0]}") from None
    if not same:
        raise FileError(f"{path} was solved under other rules; those of {header['name']} have changed: solve again")
    return game


def _game_class(path: str | Path, header: Mapping[str, Any]) -> Any:
    module, _, name = header["game"].partition(":")
    try:
        found = operator.attrgetter(name)(importlib.import_module(module))
    except Exception:  # whatever the user's module raises, the way out is the same
        found = None
    if not hasattr(found, "_fields") or set(found._fields) != set(header["parameters"]):
        raise FileError(f"{path} holds a solution of {header['game']}, which can't be imported: pass the game, as in "
                        f"zermelo.open(path, game={header['name']}(...))")  # fmt: skip
    return found


def layout_of(path: str | Path, header: Mapping[str, Any], game: Any) -> Layout:
    """How the states of a file are packed. Raises `FileError` if the game's states have other fields."""
    state_class, stored = type(game.start()), header["state"]
    if state_class.__name__ != stored["name"] or list(state_class._fields) != stored["fields"]:
        raise FileError(f"{path} was solved with states {stored['name']}({', '.join(stored['fields'])}); solve again")
    return Layout(state_class, tuple(stored["lengths"]), tuple(stored["low"]), tuple(stored["bits"]))


def tuples(value: Any) -> Any:
    """JSON has lists where parameters have tuples."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


# --- solutions -------------------------------------------------------------------------------------------------------


def save(solution: Solution, path: str | Path) -> None:
    """Write a solution to one file, atomically."""
    order = solution._order
    arrays = {
        "keys": solution.space.keys,
        "values": solution.payoff_values,
        "errors": np.asarray(solution._sorted(solution._found.error)),
        "policy": solution.action_numbers,
    }
    if solution._found.mixtures is not None:
        mixtures = solution._found.mixtures.reordered(solution._order)
        arrays |= {f"mixture {name}": array for name, array in mixtures._asdict().items()}
    if solution.distances is not None:
        arrays["distances"] = solution.distances
    if solution._found.exact is not None:
        arrays |= encode_fractions(f for i in order for f in solution._found.exact[int(i)])
    header = {
        **game_header(solution.game, solution.layout),
        "argument": solution._found.argument,
        "discount": solution.discount,
        "statistics": solution.statistics,
    }
    write(path, header, arrays)


def open_solution(path: str | Path, game: Any = None, *, verify: bool | None = None) -> Any:
    """Open a stored solution, a `Solution` or (of a game of hidden choice) a `MixedSolution`.

    Its arrays stay on disk and are read as they are needed, and no solver is loaded.
    `game` is needed where the file's game can't be imported by its name. Sums of all data are checked if `verify`, by default up to
    64 MB. Raises `FileError` for a damaged or foreign file, one of another version, or one solved under other rules.
    """
    header, arrays = read(path, verify)
    if header.get("kind") == "hidden choice":
        from zermelo.storage.mixed import opened

        return opened(path, header, arrays, game)
    if header.get("kind") == SWEEP and "game" in header:
        from zermelo.engines.urn.solution import opened as opened_sweep

        return opened_sweep(path, header, arrays, game)
    if "kind" in header:
        raise FileError(
            f"{path} is a checkpoint ({header['kind']}), not a solution: solve the game with it as checkpoint"
        )
    game = game_of(path, header, game)
    if "codes" in header:
        from zermelo.storage import boards

        return boards.opened(path, header, arrays, game)
    rules = Rules(game)
    layout = layout_of(path, header, game)
    exact = _Tuples(decode_fractions(arrays), len(rules.payoffs)) if "numerators" in arrays else None
    names = [f"mixture {name}" for name in Mixtures._fields]
    mixtures = Mixtures(*(arrays[name] for name in names)) if names[0] in arrays else None
    start, turns = Space(rules, layout, arrays["keys"]).find(rules.start)
    found = Found(
        arrays["keys"], arrays["values"], arrays["errors"], arrays["policy"], arrays.get("distances"), exact,
        start, header["argument"], turns, mixtures,
    )  # fmt: skip
    return Solution(rules, layout, found, header["discount"], header["statistics"])


class _Tuples(Sequence[tuple[Fraction, ...]]):
    """Stored fractions, as many a state as there are payoffs."""

    def __init__(self, fractions: Fractions, width: int):
        self._fractions, self._width = fractions, width

    def __len__(self) -> int:
        return len(self._fractions) // self._width

    def __getitem__(self, index: Any) -> Any:
        return tuple(self._fractions[index * self._width : (index + 1) * self._width])
