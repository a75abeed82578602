"""The machine's memory and processors. Limits of a container (a control group) and of the process are respected."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import threading
from collections.abc import Iterator
from pathlib import Path

from zermelo.basics.interrupts import check_outside_compiler, interruptible, of_handler, raise_soon, take_back
from zermelo.errors import NoMemory

GROUPS = Path("/sys/fs/cgroup")
PROCESS = Path("/proc")
LEFT_FREE = 0.1  # fraction of the available memory, for everything that is not counted
LOOKS = 0.1  # seconds between two checks of the watch
SHORT = 0.04  # fraction of all memory: if less is free, the watch ends the computation
LEAST = 1 << 26  # bytes, likewise
FOR_COMPILER = 400 << 20  # bytes of addresses that it takes, with the first kernels of blackjack
NO_LIMIT = 1 << 60  # bytes: groups of version 1 that have no limit name the largest number of pages
NO_THREAD = "can't start new thread"  # in an error of Python, where the system refuses one
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
HEAPED = 1 << 25  # bytes of the largest array that lies in the heap, whose memory can be kept: glibc allows no more
KEPT, SHARE = 1 << 27, 32  # bytes that are free at the end of the heap and not given back; a smaller machine keeps this part of its memory
SMALL = 1 << 20  # bytes of which nobody asks whether they are available: to look takes milliseconds


def memory() -> int:
    """Bytes of memory that this process may use in all."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([physical, *(limit for limit, _ in _groups()), *(limit for limit, _ in _address_space())])


def available() -> int:
    """Bytes of memory that this process can still allocate."""
    free = [max(limit - used, 0) for limit, used in (*_groups(), *_address_space())]
    with contextlib.suppress(OSError, IndexError, ValueError):
        free.append(1024 * _line(PROCESS / "meminfo", "MemAvailable:"))
    return min(free) if free else memory()


def require(needed: float, what: str, advice: str = "give smaller parameters") -> None:
    """Raise `NoMemory` if this many more bytes are not available, before the machine suffers. `what` names the step that needs them."""
    if not fits(needed):
        raise NoMemory(f"{what} needs about {in_words(needed)} of memory, and {in_words(available())} are free: {advice}")


def require_compiler() -> None:
    """Raise `NoMemory` where a limit of the address space leaves too little for the compiler, which would end the process."""
    free = min((limit - used for limit, used in _address_space()), default=FOR_COMPILER)
    if free < FOR_COMPILER:
        raise NoMemory(
            f"the compiler needs {in_words(FOR_COMPILER)} of addresses, and {in_words(max(free, 0))} are free: raise the limit (ulimit -v)"
        )


def keep_freed() -> None:
    """Have the C library keep some of the memory that arrays give back, for the next ones: memory from the system comes page by page, which
    took up to a quarter of the processor time of games whose transitions are written in many batches. Nothing is changed where the user has
    asked for something else, or with other libraries than glibc."""
    if any(name in os.environ for name in ("GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")):
        return
    import ctypes  # only here, since it is heavy

    with contextlib.suppress(OSError, AttributeError):
        change = ctypes.CDLL(None).mallopt
        change(M_MMAP_THRESHOLD, HEAPED)
        change(M_TRIM_THRESHOLD, min(KEPT, memory() // SHARE))


def fits(needed: float) -> bool:
    """Whether this many more bytes are available."""
    return needed <= SMALL or needed <= (1 - LEFT_FREE) * available()


def cores_granted() -> float:
    """The number of processors that the control groups of this process grant it on average; infinity if they set no limit."""
    granted = [math.inf]
    for folder in _of_process(""):
        with contextlib.suppress(OSError, ValueError):  # no such group, or no limit ("max")
            quota, period = (folder / "cpu.max").read_text().split()
            granted.append(int(quota) / int(period))
    for folder in _of_process("cpu"):
        with contextlib.suppress(OSError, ValueError):
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
            if int(quota) > 0:
                granted.append(int(quota) / int(period))
    return min(granted)


@contextlib.contextmanager
def enough(what: str) -> Iterator[None]:
    """Watch memory during the block (`watched`), and raise `NoMemory` if it runs out; nested blocks are not watched twice. Raises
    `OutOfReach` in the middle of compiling."""
    check_outside_compiler()
    if threading.get_ident() in _watched:
        yield
        return
    try:
        _watched.add(threading.get_ident())
        with interruptible(), watched():
            yield
    except KeyboardInterrupt as error:
        if type(error) is not KeyboardInterrupt:  # of a handler of the user's
            raise
        _emptied(error)
        raise KeyboardInterrupt from None
    except MemoryError as error:
        why = f"memory ran out, {in_words(available())} are free ({str(error) or 'no more was given'})"
        _emptied(error)
        raise NoMemory(f"{what}: {why}: give smaller parameters") from None
    except SystemError as error:  # what numba makes of an error that a handler of the user's raised as a kernel ended
        if raised := of_handler(error):
            raise raised from None
        raise
    finally:
        _watched.discard(threading.get_ident())


def _emptied(error: BaseException | None) -> None:
    """Let go what is held where an error, or another one that it follows from, was raised: a notebook keeps the last error."""
    while error is not None:
        place, error.__traceback__ = error.__traceback__, None
        while place is not None:  # to clear the frames would leave what inner functions share with outer ones
            following, place.tb_next = place.tb_next, None
            place = following
        error = error.__cause__ or error.__context__


_watched: set[int] = set()  # threads


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """Raise `MemoryError` in this thread, between two of Python's steps, as soon as memory gets short: for data that grow little by little,
    to an unpredictable size. (Large single allocations call `require` first.)"""
    watch = _Watch(threading.get_ident())
    try:  # Ctrl-C may come while it starts
        with contextlib.suppress(RuntimeError):  # no thread can be started: unwatched
            watch.start()
        yield
    finally:
        watch.stop()


class _Watch(threading.Thread):
    """Checks the free memory ten times a second."""

    def __init__(self, thread: int):
        super().__init__(name="memory", daemon=True)
        self._watched, self._over, self._lock = thread, threading.Event(), threading.Lock()
        self._has_raised = False

    def run(self) -> None:
        short = 0.0
        while not self._over.wait(LOOKS):
            free = available()
            short = short or min(max(SHORT * memory(), LEAST), 0.5 * free)
            with self._lock:
                if not self._over.is_set() and free < short and raise_soon(self._watched, MemoryError):
                    self._has_raised = True
                    return

    def stop(self) -> None:
        """Cancel an error that has not been raised yet."""
        with self._lock:
            self._over.set()
            if self._has_raised:  # only then, as another waiting error is not ours
                take_back(self._watched)


def in_words(size: float) -> str:
    """A number of bytes as text for people."""
    if size >= 1 << 29:
        return f"{size / 2**30:,.1f} GiB"
    for unit, bytes_ in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= bytes_:
            return f"{size / bytes_:,.0f} {unit}"
    return f"{size:,.0f} bytes"


def _groups() -> list[tuple[int, int]]:
    """Limit and use of memory of the control groups that this process is in, if they have a limit."""
    found = []
    for folder, limit, used, cache in (
        *((path, "memory.max", "memory.current", "inactive_file") for path in _of_process("")),
        *((path, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file") for path in _of_process("memory")),
    ):
        with contextlib.suppress(OSError, ValueError, IndexError):  # no such group, or no limit ("max")
            if (at_most := int((folder / limit).read_text())) >= NO_LIMIT:
                continue
            now = int((folder / used).read_text())
            with contextlib.suppress(OSError, ValueError, IndexError):
                now -= _line(folder / "memory.stat", cache)  # is released when needed
            found.append((at_most, max(now, 0)))
    return found


def _of_process(controller: str) -> list[Path]:
    """The folder of this process's control group, and all above it; `controller` is "" in version 2."""
    root = GROUPS / controller if controller else GROUPS
    try:
        lines = [line.split(":", 2) for line in (PROCESS / "self" / "cgroup").read_text().splitlines()]
    except OSError:
        return [root]
    names = [path for _, controllers, path in lines if controller in controllers.split(",")]
    folder = root / names[0].lstrip("/") if names else root
    return [folder, *(parent for parent in folder.parents if root in (parent, *parent.parents))]


def _address_space() -> list[tuple[int, int]]:
    """Limit and use of the address space, if it is limited."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return []
    with contextlib.suppress(OSError, IndexError, ValueError):
        return [(limit, 1024 * _line(PROCESS / "self" / "status", "VmSize:"))]
    return [(limit, 0)]


def _line(path: Path, name: str) -> int:
    """The number that follows this name in a file of names and numbers."""
    return [int(words[1]) for words in map(str.split, path.read_text().splitlines()) if words and words[0] == name][0]
