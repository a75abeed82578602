"""Pieces of work done by the machines of a cluster: one task each, started again elsewhere if its process or machine is lost."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from zermelo.basics.sources import program
from zermelo.basics.threads import threads
from zermelo.cluster.connection import check_program, first_line, processors
from zermelo.errors import OutOfReach

AHEAD = 2  # pieces per processor that are sent ahead, so that no processor waits for the next one
ATTEMPTS = 2  # further attempts for a piece whose process or machine was lost


class Lost(NamedTuple):
    """A piece whose process or machine was lost at every attempt."""

    why: str


class Done(NamedTuple):
    """The result of a piece of work, and how long it took."""

    result: Any
    seconds: float


class Tasks:
    """Does `work(shared, piece)` on a cluster, each piece on one processor. `work` is a function of a module of this package. `shared` is
    sent once to every machine. With `in_place` its arrays lie there in memory that all processes can read and none can write; otherwise
    each process has its own copy."""

    def __init__(
        self, library: Any, work: Callable[[Any, Any], Any], shared: Any, number: int | None = None, in_place: bool = False
    ):
        self._ray, self.number = library, number or processors(library)
        arrays: list[pickle.PickleBuffer] = []
        text = pickle.dumps(shared, protocol=5, buffer_callback=arrays.append if in_place else None)
        self._shared = library.put((text, arrays))
        self._work, self._remote = work, library.remote(num_cpus=1, max_retries=ATTEMPTS, retry_exceptions=False)(_run)

    def done(self, pieces: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Done | Lost]]:
        """(name, result) of every piece, given as (name, argument of `work`), as soon as it is done. Pieces are taken from their
        iterator when they can be sent. An error that `work` raises is raised here. Work that is still running when the iterator is
        closed, or Ctrl-C is pressed, is cancelled."""
        coming, at_work = iter(pieces), dict[Any, Any]()
        try:
            while True:
                while len(at_work) < AHEAD * self.number:
                    name, piece = next(coming, (None, None))
                    if piece is None:
                        break
                    at_work[self._begin(piece)] = name
                if not at_work:
                    return
                ready, _ = self._ray.wait(list(at_work), num_returns=1)
                for reference in ready:
                    name = at_work.pop(reference)
                    yield name, self._answer(reference)
        finally:
            for reference in at_work:
                self._ray.cancel(reference, force=True)

    def in_order(self, pieces: Iterable[Any]) -> Iterator[Any]:
        """The results of the pieces, in their order. Raises `OutOfReach` for a piece that was lost."""
        waiting: dict[int, Any] = {}
        following = 0
        for place, found in self.done(enumerate(pieces)):
            if isinstance(found, Lost):
                raise OutOfReach(found.why)
            waiting[place] = found.result
            while following in waiting:
                yield waiting.pop(following)
                following += 1

    def _begin(self, piece: Any) -> Any:
        return self._remote.remote(self._work, [self._shared], piece, program())  # in a list, so that it is not looked up for each piece

    def _answer(self, reference: Any) -> Done | Lost:
        from ray.exceptions import RayTaskError

        try:
            return Done(*self._ray.get(reference))
        except RayTaskError as error:
            cause = error.cause
            raise (cause if isinstance(cause, Exception) else error) from None
        except self._ray.exceptions.RayError as error:
            why = first_line(error)
            return Lost(f"the processes that were to do it were lost {ATTEMPTS + 1} times ({why}), perhaps for want of memory")


_known: dict[str, Any] = {}  # in a process of the cluster: the shared objects, by the names of their references


def _run(work: Callable[[Any, Any], Any], shared: list[Any], piece: Any, wanted: str) -> tuple[Any, float]:
    """Do a piece of work in a process of the cluster."""
    check_program(wanted)
    threads(1)
    (reference,) = shared
    if reference.hex() not in _known:
        import ray

        _known.clear()
        text, arrays = ray.get(reference)
        _known[reference.hex()] = pickle.loads(text, buffers=arrays)
    began = time.perf_counter()
    return work(_known[reference.hex()], piece), time.perf_counter() - began
