"""The cache folder, files that are written completely or not at all, and exclusive access for one process at a time.

A process holds a lock on each temporary file while it writes it: a file without a lock was left behind by a process that was killed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import os
import time
from collections.abc import Iterator
from pathlib import Path

DAY = 86_400  # seconds after which a temporary file is deleted if the file system has no locks


def cache_directory() -> Path:
    """The folder for data kept between runs: $ZERMELO_CACHE, or the user's cache directory; for a user without a home, such as one that
    only a container knows, a folder that can't be made."""
    if named := os.environ.get("ZERMELO_CACHE"):
        return Path(os.path.expanduser(named))  # a file of settings is read by no shell
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        base = os.devnull
    return Path(base) / "zermelo"


@contextlib.contextmanager
def replacing(path: Path, lasting: bool = True, stale: str | None = None) -> Iterator[Path]:
    """An empty file in the folder of `path`, which it replaces at the end; it is deleted if anything goes wrong. Raises `OSError`, also
    if `path` is not a regular file but, for example, a device, which must not be replaced.

    lasting : once the file is replaced, a power cut cannot undo that
    stale   : the temporary files in the folder that are deleted if no process is writing them; by default those of `path`
    """
    target = Path(os.path.realpath(path))
    if other := other_than_file(target):
        raise OSError(errno.EINVAL, other)
    remove_left_behind(target.parent, stale or f".{glob.escape(target.name)}.*.tmp")
    temporary, descriptor = _new(target)
    try:
        yield temporary
        if lasting:
            _sync(temporary, os.O_RDWR)
        os.replace(temporary, target)
        if lasting:
            with contextlib.suppress(OSError, AttributeError):
                _sync(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    finally:
        with contextlib.suppress(OSError):  # already moved unless something went wrong
            temporary.unlink()
        os.close(descriptor)


def read_whole(path: Path) -> bytes:
    """The bytes of a file. Raises `OSError`, also for a device or a pipe, which may have no end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is a device or a pipe")
    return path.read_bytes()


def other_than_file(path: Path) -> str:
    """A clause if something with this name exists that is not a regular file but a directory, a device or a pipe. Otherwise ""."""
    if path.is_dir():
        return "it is a directory"
    return "it is no ordinary file, and would be replaced by one" if path.exists() and not path.is_file() else ""


def remove_left_behind(folder: Path, pattern: str) -> None:
    """Delete the temporary files of this pattern that no process is still writing."""
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDWR)
            try:
                if _is_locked(descriptor, otherwise=time.time() - path.stat().st_mtime > DAY):
                    path.unlink()
            finally:
                os.close(descriptor)


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[bool]:
    """Whether no other process is inside `alone_with` for the same file, which need not exist. Raises `OSError` if that cannot be
    determined."""
    target = Path(os.path.realpath(path))
    lock = target.with_name(f".{target.name}.lock")
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    is_alone = False
    try:  # Ctrl-C may come at any time
        while (is_alone := _is_locked(descriptor, otherwise=True)) and not os.fstat(descriptor).st_nlink:
            other = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)  # the process that held it has just deleted it
            os.close(descriptor)
            descriptor = other
        yield is_alone
    finally:
        if is_alone:
            with contextlib.suppress(OSError):
                lock.unlink()
        os.close(descriptor)


def _new(target: Path) -> tuple[Path, int]:
    """A new temporary file, and a descriptor that holds its lock."""
    while True:
        path = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            if _is_locked(descriptor, otherwise=True) and os.fstat(descriptor).st_nlink:
                return path, descriptor
        except BaseException:  # Ctrl-C
            path.unlink(missing_ok=True)
            os.close(descriptor)
            raise
        os.close(descriptor)  # another process considered it abandoned


def _is_locked(descriptor: int, otherwise: bool) -> bool:
    """Whether the file is locked now, by us; `otherwise` if the file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return otherwise
    return True


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
