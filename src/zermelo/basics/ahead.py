"""A second process that compiles a part of the kernels that a large game needs, while this process compiles its rules and the others.
Whichever comes later to one waits for the other.

This is for the first large game on a machine, as machine code is kept, and for the command line alone, whose program can be started
again by `sys.executable`.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.basics.code_folders import code_folders, folder_for_new_code
from zermelo.basics.disk import alone_with
from zermelo.basics.interrupts import heed
from zermelo.basics.sources import facts_of
from zermelo.basics.stopwatch import count_waiting
from zermelo.basics.threads import threads

CHILD = "import sys; from zermelo.cli.ahead import compile_for; compile_for(*sys.argv[1:])"
TOLD = "import sys; from zermelo.cli.ahead import compile_told; compile_told(*sys.argv[1:])"
GAMES = {  # of kinds of `zermelo warm`, a game that Python solves in a tenth of a second
    "cycles": ("pig", {"goal": 4}),
    "chance": ("card-draw", {"red": 4, "black": 4}),
    "entries": ("ten-thousand-race", {"goal": 4}),
    "alone": ("house-race", {"goal": 100}),
    "hidden": ("kuhn-poker", {}),
}
KERNELS = Path(__file__).parents[1] / "kernels"
LOOK = 0.02  # seconds between two checks whether another process has compiled something
LONGEST = 30.0  # seconds for which this process waits for that: the other one may have been stopped (Ctrl-Z)

_allowed: list[bool] = []
_processes: list[subprocess.Popen[bytes]] = []
_sharing: list[bool] = []
_beginning = threading.Lock()


def allow() -> None:
    """Let this process start another one for what it is going to need."""
    _allowed[:] = [True]


def begin(kind: str, urgent: str = "") -> None:
    """Start the other process, for a kind of `zermelo warm`, unless one was started before, for whatever kind, or all is compiled, or
    nothing can be kept, so that what it compiles would never be read. `urgent` : the name of the kernel that it compiles first; where that
    one is compiled, it is not started."""
    with suppress(OSError):
        if _may_begin() and not _is_compiled(name := _name(kind), urgent) and (folder := folder_for_new_code(KERNELS)):
            _start([CHILD, str(os.getpid()), str(folder / name), kind, urgent])


def begin_with(calls: list[tuple[Any, tuple[Any, ...]]]) -> None:
    """The same for these kernels, in turn, where the kinds of arguments depend on the game: each with arguments of the same kinds, which
    are passed on."""
    with suppress(OSError):
        if _may_begin() and folder_for_new_code(KERNELS):
            _start([TOLD, str(os.getpid())], pickle.dumps([(kernel.__module__, kernel.__name__, given) for kernel, given in calls]))


def _may_begin() -> bool:
    return bool(_allowed) and not _processes and threads() >= 2 and not os.environ.get("ZERMELO_TIER")


def _start(words: list[str], told: bytes = b"") -> None:
    """Start it, unless one was started; `told` is written to its input."""
    with _beginning:  # threads may come here together
        if _processes:
            return
        nothing = subprocess.DEVNULL
        given = subprocess.PIPE if told else nothing
        process = subprocess.Popen([sys.executable, "-P", "-c", *words], stdin=given, stdout=nothing, stderr=nothing)
        _processes.append(process)
        atexit.register(_end)
        share()
        if told and process.stdin:
            with process.stdin as pipe:
                pipe.write(told)


def _is_compiled(name: str, urgent: str) -> bool:
    """Whether a mark of an earlier process says so, of all or of the kernel that is urgent."""
    marks = [folder / name for folder in code_folders(KERNELS)]
    return any(mark.exists() or (urgent and mark_of(urgent, mark).exists()) for mark in marks)


def new_mark(kind: str) -> Path | None:
    """The file that is going to say that everything is compiled, for this kind, these kernels, this Python and this compiler: beside the
    machine code, so that one is not there without the other. None if nothing can be kept."""
    folder = folder_for_new_code(KERNELS)
    return folder and folder / _name(kind)


def _name(kind: str) -> str:
    """That of the mark: it takes a millisecond."""
    compiler = find_spec("numba")
    facts = os.stat(compiler.origin) if compiler and compiler.origin else None
    version = facts and (facts.st_size, int(facts.st_mtime))  # images of containers round times to seconds
    told = hashlib.sha256(repr([sys.implementation.cache_tag, facts_of(KERNELS), version]).encode()).hexdigest()
    return f"compiled-ahead.{kind}-{told[:16]}"  # an empty file


def mark_of(kernel: str, mark: Path) -> Path:
    """The file that says that this one of the kernels is compiled."""
    return mark.with_name(f"{mark.name}-{kernel}")


def _end() -> None:
    """End the other process with this one; what it has compiled is kept."""
    for process in _processes:
        process.kill()  # not only asked to end, as it may have been stopped
        process.wait()


def share() -> None:
    """Compile no function while another process does."""
    _sharing[:] = [True]


def is_shared() -> bool:
    """Whether another process compiles the same functions."""
    return bool(_sharing)


@contextmanager
def after_others(path: Path) -> Iterator[None]:
    """Wait until no other process is inside `after_others` for the same file, which need not exist; or too long, and then wait no more."""
    began = time.perf_counter()
    with ExitStack() as turn:
        with suppress(OSError):  # nothing can be written there
            path.parent.mkdir(parents=True, exist_ok=True)
            while not turn.enter_context(alone_with(path)):
                turn.close()
                if time.perf_counter() - began > LONGEST:
                    _sharing.clear()
                    break
                time.sleep(LOOK)
                heed()
        count_waiting(time.perf_counter() - began)
        yield
