"""`zermelo cache`: shows the files kept on disk for the next run and their sizes, and deletes them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from zermelo.basics.words import counted
from zermelo.cli.commands import Json
from zermelo.cli.lines import print_pairs
from zermelo.cli.output import print_json
from zermelo.errors import FileError, ParameterError

UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


class Kind(NamedTuple):
    """A kind of kept data, and how its files are named; no other file in the folder is counted or deleted."""

    name: str
    about: str
    patterns: tuple[str, ...]
    in_folders: bool = False  # each entry has a folder of its own


KINDS = (
    Kind("answers", "rows of studies", ("answers/??/*.json", "answers/??/.*.tmp")),
    Kind("sweeps", "large decks that were solved, and curves of values", ("sweeps/*.zermelo", "sweeps/.*.tmp")),
    Kind(
        "machine code", "of rules; without it they are compiled again",
        ("rules_*.py", "__pycache__/rules_*", ".rules_*", "__pycache__/.rules_*", "kernels_*/*"),
    ),
    Kind("large games", "took Python too long, so their rules are compiled at once", ("outgrown/*", "outgrown/.*.tmp")),
    Kind("notes", "on how long Python took", ("interpreted/*", "interpreted/.*.tmp")),
    Kind("grammars", "of PRISM's language", ("grammar_*.lark", ".grammar_*.tmp")),
    Kind("blackjack", "trees of the dealer's draws", ("blackjack_*.json", ".blackjack_*.tmp")),
    Kind("clusters", "large games that a cluster has begun, and goes on with", ("stages/*/*", "spread/*/*"), in_folders=True),
)


class Entry(NamedTuple):
    """Files that belong together: a module of rules and its machine code."""

    kind: str
    name: str
    size: int  # bytes
    used: float  # time, in seconds since 1970
    paths: tuple[Path, ...]


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all of it.")] = False,
    limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Delete now what was not used for longest, until this much is left: 500MB, 2GB, 0."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show, limit or clear the data kept on disk for the next run (answers of studies, large decks, machine code of rules).

    Deleted data is computed again when needed.
    The machine code of the package itself is stored beside the package, and counted only where that place can't be written to.
    """
    from zermelo.basics.disk import cache_directory

    if clear and limit is not None:
        raise ParameterError("--clear deletes all, --limit some: give one of them")
    most = 0 if clear else None if limit is None else size_of(limit)
    folder = cache_directory()
    before = entries(folder)
    gone = [] if most is None else _deleted(before, most)
    left = [entry for entry in before if entry not in gone]
    if as_json:
        kinds = {k.name: {"entries": len(of), "bytes": sum(e.size for e in of)} for k in KINDS for of in [_of(left, k)]}
        print_json({"folder": folder, **kinds, "deleted": {"entries": len(gone), "bytes": sum(e.size for e in gone)}})
        return
    print(f"{folder}   ($ZERMELO_CACHE names another place)")
    print_pairs((k.name, f"{_counted(_of(left, k))}: {k.about}") for k in KINDS)
    if most is not None:
        print(f"deleted {_counted(gone)}")


def _counted(entries: list[Entry]) -> str:
    return f"{counted(len(entries), 'entry', 'entries')}, {in_words(sum(e.size for e in entries))}"


def _of(found: list[Entry], kind: Kind) -> list[Entry]:
    return [entry for entry in found if entry.kind == kind.name]


def size_of(text: str) -> int:
    """Bytes from text such as 500MB. Raises `ParameterError`."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text.lower())
    if not match or match[2] not in UNITS:
        raise ParameterError(f"--limit is a size such as 500MB, 2GB or 0, not {text!r}")
    return int(float(match[1]) * UNITS[match[2]])


def in_words(size: int) -> str:
    """Bytes in the units of `--limit`."""
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            return f"{size / least:.1f} {unit}"
    return f"{size} bytes"


def entries(folder: Path) -> list[Entry]:
    """Everything that is kept, the most recently used last. Raises `FileError` for a folder that can't be read."""
    try:
        os.scandir(folder).close()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FileError(f"can't read the folder {folder}: {error.strerror} ($ZERMELO_CACHE names another place)") from None
    found: dict[tuple[str, str], list[tuple[Path, int, float]]] = {}
    for kind in KINDS:
        for path, size, used in _files(folder, kind):
            name = str(path.parent) if kind.in_folders else path.name.lstrip(".").partition(".")[0]
            found.setdefault((kind.name, name), []).append((path, size, used))
    every = [
        Entry(kind, name, sum(size for _, size, _ in files), max(used for *_, used in files), tuple(path for path, *_ in files))
        for (kind, name), files in found.items()
    ]
    return sorted(every, key=lambda entry: entry.used)


def _files(folder: Path, kind: Kind) -> Iterator[tuple[Path, int, float]]:
    for pattern in kind.patterns:
        for path in folder.glob(pattern):
            with contextlib.suppress(OSError):  # another process has just deleted it
                facts = path.stat()
                if path.is_file() and not path.is_symlink():
                    yield path, facts.st_size, max(facts.st_atime, facts.st_mtime)


def _deleted(found: list[Entry], most: int) -> list[Entry]:
    """Delete the least recently used entries until at most this many bytes are left; return the deleted ones. Raises `FileError`."""
    left = sum(entry.size for entry in found)
    gone = []
    for entry in found:
        if left <= most and (most or entry.size):
            break
        for path in entry.paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise FileError(f"can't delete {path}: {error.strerror}") from None
        if any(entry.kind == kind.name for kind in KINDS if kind.in_folders):
            with contextlib.suppress(OSError):  # it has other files, or another process has just deleted it
                entry.paths[0].parent.rmdir()
        left -= entry.size
        gone.append(entry)
    return gone
