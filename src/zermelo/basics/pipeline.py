"""Pieces of work that other threads begin ahead of who uses the results, or do behind who makes the pieces.

Who waits for a result does another piece meanwhile, so that as many threads work as are allowed, and no more: one that is taken off its
processor by others holds up all who wait for it. Pipelines within a pipeline, such as transitions that are written ahead while bounds are
found behind, share their threads.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from zermelo.basics.interrupts import from_outside
from zermelo.basics.threads import crew

if TYPE_CHECKING:
    from zermelo.basics.crew import Crew

Piece = TypeVar("Piece")
Found = TypeVar("Found")
Given = ParamSpec("Given")

_local = threading.local()  # .team: that of the pipelines which this thread has begun
os.register_at_fork(after_in_child=lambda: vars(_local).clear())  # its threads are not there, and one of them may have held its lock


def ahead(work: Callable[[Piece], Found], pieces: Iterable[Piece], number: int) -> Generator[Found]:
    """`work(piece)` of each piece, in order, computed by this many threads, this one among them, while earlier results are used. A piece is
    taken from `pieces` when it may be begun: at most number + 1 are begun and not yet used.
    Close it (`contextlib.closing`) if it is not read to its end.
    """
    return _overlapping(work, pieces, number, number) if number > 1 else (work(piece) for piece in pieces)


def behind(work: Callable[[Piece], Found], pieces: Iterable[Piece], number: int) -> Generator[Found]:
    """`work(piece)` of each piece, one after another, while later pieces are computed, by this many threads in all. Close it
    (`contextlib.closing`) if it is not read to its end."""
    return _overlapping(work, pieces, number, 1, one_by_one=True) if number > 1 else (work(piece) for piece in pieces)


def _overlapping(
    work: Callable[[Piece], Found], pieces: Iterable[Piece], number: int, most: int, one_by_one: bool = False
) -> Generator[Found]:
    """The results of this many threads, in order; at most `most` + 1 pieces are begun and not yet used."""
    begun, coming = deque[_Task[Found]](), iter(pieces)
    with _team(number) as team:
        try:
            while True:
                try:
                    piece = next(coming)
                except StopIteration:
                    break
                except Exception as error:
                    for earlier in () if from_outside(error) else begun:  # an error of an earlier piece is reported instead of this one
                        team.result(earlier)
                    raise
                begun.append(team.give(work, piece, begun[-1] if one_by_one and begun else None))
                if len(begun) > most:
                    yield team.result(begun.popleft())
            while begun:
                yield team.result(begun.popleft())
        finally:
            team.drop(begun)


def closed_when_dropped(function: Callable[Given, Generator[Found]]) -> Callable[Given, Generator[Found]]:
    """A function whose generators need not be closed where a loop over them ends early, as after Ctrl-C."""

    @wraps(function)
    def made(*given: Given.args, **named: Given.kwargs) -> Generator[Found]:
        return _Dropped(function(*given, **named))

    return made


class _Dropped(Generator[Found]):
    """A generator that ends in `__del__`, where another Ctrl-C waits until threads have ended (basics/interrupts.py). What is raised in a
    generator that Python closes by itself is printed and forgotten."""

    def __init__(self, pieces: Generator[Found]):
        self._pieces = pieces

    def send(self, sent: None) -> Found:
        return self._pieces.send(sent)

    def throw(self, *error: Any) -> Found:
        return self._pieces.throw(*error)

    def close(self) -> None:
        self._pieces.close()

    def __del__(self) -> None:
        self._pieces.close()


class _Task(Generic[Found]):
    """Work on a piece, and what came of it."""

    def __init__(self, work: Callable[[Any], Found], piece: Any, after: _Task[Found] | None):
        self.work, self.piece, self.after = work, piece, after
        self.done = threading.Event()
        self.found: Found | None = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do it. What comes to this thread from outside is raised at once: it is not about this piece, whose turn may never come."""
        try:
            self.found = self.work(self.piece)
        except BaseException as error:
            self.error = error
            if not isinstance(error, Exception) or from_outside(error):
                raise
        finally:
            del self.work, self.piece  # which may be large
            self.done.set()


class _Team:
    """Threads that do tasks in the order in which these are given, unless one has to wait for another one."""

    def __init__(self, pool: Crew):
        self._pool, self._lock = pool, threading.Lock()
        self.is_over = False
        self._waiting: list[_Task[Any]] = []

    def give(self, work: Callable[[Piece], Found], piece: Piece, after: _Task[Found] | None) -> _Task[Found]:
        task = _Task(work, piece, after)
        with self._lock:
            self._waiting.append(task)
        self._call()
        return task

    def result(self, task: _Task[Found]) -> Found:
        """What came of a task. This thread does it itself if nobody has begun it, or other ones until it is done."""
        while not task.done.is_set() and (other := self._taken(task)) is not None:
            other.run()
            if self._waiting:
                self._call()  # for one that could not be done before this one
        task.done.wait()
        if (error := task.error) is not None:
            task.error = None  # otherwise the error, which knows where it was raised, and the task would keep each other in memory
            try:
                raise error
            finally:
                del error
        return task.found  # type: ignore[return-value]

    def drop(self, tasks: Iterable[_Task[Any]]) -> None:
        """Forget tasks that nobody has begun."""
        with self._lock:
            self._waiting = [task for task in self._waiting if task not in tasks]

    def _call(self) -> None:
        """Have another thread do what there is to do."""
        with suppress(RuntimeError):  # the team is no more, since its pipeline was closed before this one: this thread does all
            self._pool.submit(self._work)

    def _work(self) -> None:
        while (task := self._taken()) is not None:
            task.run()

    def _taken(self, first: _Task[Any] | None = None) -> _Task[Any] | None:
        """The first task that can be done, or this one; nobody else will do it."""
        with self._lock:
            able = [task for task in self._waiting if task.after is None or task.after.done.is_set()]
            if not able:
                return None
            task = first if first in able else able[0]
            self._waiting.remove(task)
            task.after = None
            return task


@contextmanager
def _team(number: int) -> Generator[_Team]:
    """This many threads, this one among them: those of the pipeline within which this one was begun, if there is one."""
    team = getattr(_local, "team", None)
    if team is not None and not team.is_over:
        yield team
        return
    with crew(number - 1) as pool:
        team = _local.team = _Team(pool)
        try:
            yield team
        finally:
            team.is_over = True  # told to whichever thread began it, as another one may end it with the last reference to it
