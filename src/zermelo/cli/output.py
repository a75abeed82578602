"""The output of the command line: results to stdout (as text, or as JSON), progress and errors to stderr."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, TextIO

from zermelo.basics.disk import other_than_file
from zermelo.basics.plain import plain
from zermelo.cli.encoding import is_unicode
from zermelo.cli.lines import PIPE_WIDTH, folded
from zermelo.errors import FileError

if TYPE_CHECKING:
    from rich.console import Console

FAILED, INTERRUPTED, NOT_REPRODUCED, REFUSED, IN_PART = 2, 130, 1, 1, 1
WAIT = 0.4  # seconds until a bar appears: most small games are solved before rich has been imported
Progress = Callable[[str, int, "int | None"], None]


def complain(text: str, prefix: str = "zermelo: ") -> None:
    """One line to stderr (more only where the text lists faults)."""
    line = f"{prefix}{text}"
    if sys.stderr is not None and sys.stderr.isatty():
        line = "\n".join(folded(line, shutil.get_terminal_size().columns))
    with suppress(OSError):  # a full disk, or a reader that has gone: no reason to stop
        print(line, file=sys.stderr)


def console() -> Console:
    """The console for text results: colours only on a terminal; in a pipe, lines of `PIPE_WIDTH` characters."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH)


def verbatim(text: str) -> str:
    """A text that may hold brackets, such as a name that a game has given, as rich and typer print it unchanged."""
    if "[" not in text and not text.endswith("\\"):
        return text  # without rich, whose import takes longer than solving a small game
    from rich.markup import escape

    return escape(text)


def print_json(data: Any) -> None:
    """Results for machines: fractions as text "p/q", numbers that are not finite as null."""
    stream = _kept[-1] if _kept else sys.stdout
    json.dump(plain(data), stream, indent=1, ensure_ascii=not is_unicode(stream.encoding), allow_nan=False)
    stream.write("\n")
    stream.flush()


@contextmanager
def json_list() -> Iterator[Callable[[Any], None]]:
    """Prints a list as `print_json` does, but each item as soon as it is given. The list is closed even if the work is interrupted."""
    stream, items = _kept[-1] if _kept else sys.stdout, 0

    def add(item: Any) -> None:
        nonlocal items
        text = json.dumps(plain(item), indent=1, ensure_ascii=not is_unicode(stream.encoding), allow_nan=False)
        stream.write((",\n " if items else "[\n ") + text.replace("\n", "\n "))
        stream.flush()
        items += 1

    try:
        yield add
    finally:
        stream.write("\n]\n" if items else "[]\n")
        stream.flush()


_kept: list[TextIO] = []  # the standard output, while only JSON may be written to it


@contextmanager
def nothing_but_json() -> Iterator[None]:
    """Whatever is printed goes to stderr, such as what rules print while they are imported, except by `print_json`. Of a process with a
    standard output of its own, so does what other processes print, and what is written without Python's `sys.stdout`."""
    own, number, is_plain = sys.stdout, -1, sys.stdout is sys.__stdout__
    if is_plain:
        with suppress(OSError, ValueError):  # it may be no file
            own.flush()
            number = os.dup(own.fileno())
    if number < 0:
        _kept.append(own)
        try:
            with redirect_stdout(sys.stderr):
                yield
        finally:
            _kept.pop()
        return
    with open(number, "w", encoding=own.encoding, errors=own.errors) as kept:
        _kept.append(kept)
        os.dup2(2, own.fileno())
        stream = open(own.fileno(), "w", 1, sys.stderr.encoding, sys.stderr.errors, closefd=False)  # noqa: SIM115  # rules may close it
        try:
            with redirect_stdout(stream):
                yield
        finally:
            for written in (stream, own):
                with suppress(OSError, ValueError):
                    written.flush()
            os.dup2(number, own.fileno())
            _kept.pop()
            atexit.register(_end_on_stderr, own)  # called before what the rules registered, which may print as well


def _end_on_stderr(own: TextIO) -> None:
    with suppress(OSError, ValueError):
        own.flush()
        os.dup2(2, own.fileno())


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress callback that draws a bar on stderr, if that is a terminal and the work takes more than a moment; one bar at a time."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    bar = _Bar()
    waiting = Timer(WAIT, bar.begin)
    waiting.daemon = True
    with suppress(RuntimeError):  # no thread can be started: nothing is drawn
        waiting.start()
    try:
        yield bar.report
    finally:
        waiting.cancel()
        bar.end()


class _Bar:
    """The current work and its progress; drawn from `begin` to `end`."""

    def __init__(self) -> None:
        self._said: tuple[str, int, int | None] = "checking and compiling the rules", 0, None
        self._drawn: Any = None
        self._is_over, self._lock = False, Lock()

    def report(self, what: str, done: int, total: int | None) -> None:
        self._said = what, done, total
        if self._drawn is not None:
            self._drawn.update(0, description=what, completed=done, total=total)

    def begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        bar = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=30), MofNCompleteColumn(),
            TimeElapsedColumn(), console=Console(stderr=True), transient=True,
        )  # fmt: skip
        with self._lock:
            if not self._is_over:
                what, done, total = self._said
                bar.add_task(what, completed=done, total=total)
                try:
                    bar.start()
                    self._drawn = bar
                except RuntimeError:  # no thread can be started that draws it
                    bar.stop()

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._drawn is not None:
                self._drawn.stop()


def check_writable(path: Path, magic: bytes = b"") -> None:
    """Fail before long work, not after it, if a file can't be written; an existing one must begin with `magic`."""
    if path.is_dir():
        raise FileError(f"can't write {path}: it is a directory")
    if other := other_than_file(path):
        raise FileError(f"can't write {path}: {other}")
    if not path.parent.is_dir():
        raise FileError(f"can't write {path}: there is no directory {path.parent}")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()  # without a name, which would be left behind by a process that is killed here
    except OSError as error:
        raise FileError(f"can't write {path}: {error.strerror}") from None
    if path.exists() and path.stat().st_size and not begins_with(path, magic):
        raise FileError(f"{path} exists and is something else; give another name, or remove it first")


def begins_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def seconds(value: float) -> str:
    """A time as readable text: 3 ms, 0.42 s, 75 s."""
    if value < 0.1:
        return f"{1000 * value:.1f} ms" if value < 0.01 else f"{1000 * value:.0f} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"
