"""The parts of a table as actors of a Ray cluster, and the actor that leads them.

The conductor is detached and has a name: it carries on when the process that requested it is gone, and another process with the same
request finds it. All that wait for its result take it, and the last one ends it. The parts belong to it, and end with it. Finished work is
saved in a folder that all machines see. If a part is lost, with its process or its machine, another one takes its place, and all parts
resume from the last cut, the last state on which they agreed.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.machine import require
from zermelo.basics.threads import threads
from zermelo.cluster.connection import check_program, machines, processors
from zermelo.cluster.sources import Shipped, received
from zermelo.engines.boards.spread.levels import Leader, State, mail
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import CHUNK, Part, Sent, read_of
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.language.rules import read
from zermelo.language.rules_text import rules_hash
from zermelo.storage.file import is_there, made, replacing, write

SHARE = 0.1  # the largest fraction of the time that goes to saving
PATIENCE = 8  # losses in a row without a cut between them
SILENT = 5.0  # seconds after which a process that waits for the result and has not asked for it any more is taken for gone
LOOKS = 0.2  # seconds for which a question waits for the result
STATE, TABLE, TOKEN = "state", "table", "token"
WORKING = 40 * (1 << 20) * 4  # about the bytes that a part needs in addition to its positions


class Task(NamedTuple):
    """A requested table."""

    game: Shipped
    parameters: tuple[Any, ...]
    name: str
    start: int
    owners: Owners
    takes_back: bool
    stride: int  # the stride of the positions that are compared at the end
    folder: str
    program: str
    share: float = SHARE
    chunk: int = CHUNK


class PartActor:
    """A part, in a process on one of the machines."""

    def __init__(self, task: Task, number: int):
        self._task, self._number = task, number

    @cached_property
    def _part(self) -> Part:
        """Made by the first step: Ray passes on the errors of steps, but takes an actor that can't begin for lost."""
        task = self._task
        check_program(task.program)
        threads(1)
        require(2 * task.owners.places(self._number) + WORKING, f"a part of the table of {task.name}")
        return Part(read(received(task.game, rules_hash)(*task.parameters)), task.owners, self._number, task.takes_back, task.chunk)

    def do(self, method: str, *arguments: Any) -> Any:
        """The result of the part."""
        return getattr(self._part, method)(*arguments)

    def hand_out(self, method: str, *arguments: Any) -> Any:
        """The report of a step and the data it hands out, as separate results."""
        sent, batches = getattr(self._part, method)(*arguments)
        return (sent, *batches) if batches else sent


class Machines:
    """The crew of all parts on a cluster. While parts do a step, the data handed out in the previous step is in transit."""

    def __init__(self, library: Any, task: Task):
        self._ray, self._task, self.parts = library, task, task.owners.parts
        free = int(library.available_resources().get("CPU", 0))
        self._actors = [self._begun(k, 1 if k < free else 0) for k in range(self.parts)]

    def _begun(self, number: int, processors: int) -> Any:
        """An actor for a part; with 0 it shares a processor with another one, for when fewer processors are left than there are parts."""
        kind = self._ray.remote(num_cpus=processors, scheduling_strategy="SPREAD", max_restarts=0)(PartActor)
        return kind.remote(self._task, number)

    def mend(self) -> int:
        """Replace the lost parts; returns their number."""
        lost = 0
        for number, actor in enumerate(self._actors):
            try:
                self._ray.get(actor.do.remote("is_there", ""))
            except self._ray.exceptions.RayActorError:
                self._actors[number] = self._begun(number, 0)
                lost += 1
            except self._ray.exceptions.RayError:
                pass  # an error from one of its arguments
        return lost

    def each(self, method: str, *arguments: Any) -> list[Any]:
        return list(self._ray.get([actor.do.remote(method, *arguments) for actor in self._actors]))

    def exchange(
        self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...], is_short: bool = False
    ) -> Iterator[tuple[list[Sent], list[Any]]]:
        def handed(done: list[tuple[Any, list[Any]]]) -> list[Any]:
            return [actor.do.remote(take, *more, *mail(done, k)) for k, actor in enumerate(self._actors)]

        done, before = self._step(step, given), list[Any]()
        if is_short:
            taken = handed(done)
            sents, told = self._ray.get([sent for sent, _ in done]), self._ray.get(taken)
            if (yield sents, [t for t in told if t is not None]):
                return []
            done = self._step(step, given)
        while True:
            following = self._step(step, given)
            taken = handed(done)
            sents, told = self._ray.get([sent for sent, _ in done]), self._ray.get(before)
            if (yield sents, [t for t in told if t is not None]):
                taken += handed(following)
                rest = self._ray.get(taken)
                return [(self._ray.get([sent for sent, _ in following]), [t for t in rest if t is not None])]
            done, before = following, taken

    def inquire(self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...]) -> Iterator[tuple[list[Sent], list[Any]]]:
        def handed(answers: list[list[Any]]) -> list[Any]:
            return [actor.do.remote(take, *more, *told) for actor, told in zip(self._actors, answers, strict=True)]

        done, before, answers = self._step(step, given), list[Any](), list[list[Any]]()
        while True:
            following = self._step(step, given)
            asked, answers = answers, [self._told(k, batches) for k, (_, batches) in enumerate(done)]
            taken = handed(asked) if asked else []  # what came back for the step before, so that no part waits for answers
            sents, told = self._ray.get([sent for sent, _ in done]), self._ray.get(before)
            if (yield sents, told):
                return [([], self._ray.get(taken + handed(answers)))]
            done, before = following, taken

    def _told(self, k: int, batches: list[Any]) -> list[Any]:
        """The answers of the other parts to what part k hands out."""
        others = self._actors[:k] + self._actors[k + 1 :]
        return [other.do.remote("told", batch) for other, batch in zip(others, batches, strict=True)]

    def _step(self, step: str, given: tuple[Any, ...]) -> list[tuple[Any, list[Any]]]:
        found = []
        for actor in self._actors:
            references = actor.hand_out.options(num_returns=self.parts).remote(step, *given)
            found.append((references[0], list(references[1:])) if self.parts > 1 else (references, []))
        return found


class Conductor:
    """Leads the parts of a table, in a process of the cluster."""

    def __init__(self, task: Task):
        self._task = task
        self._found: Future[dict[str, Any]] | None = None
        self._waiting: dict[str, float] = {}  # for the result: who, and when they last asked for it
        self._lock, self._is_over = threading.Lock(), False
        self._said: tuple[str, int, int | None] = ("beginning", 0, None)
        self._saved, self._saving, self._in_a_row = time.monotonic(), 1.0, 0

    def asked(self, who: str) -> tuple[str, int, int | None] | dict[str, Any] | None:
        """The result of `lead`; before that the activity, the amount done, and the total; None once all that waited have the result."""
        self._check()
        with self._lock:
            if self._is_over:
                return None
            self._waiting[who] = time.monotonic()
            self._found = self._found or ThreadPoolExecutor(1).submit(self.lead)
        wait([self._found], LOOKS)
        return self._found.result() if self._found.done() else self._said

    def left(self, who: str, forgets: bool) -> bool:
        """Whether nobody else waits for the result: this conductor is then over, and its folder deleted if it `forgets`."""
        with self._lock:
            self._waiting.pop(who, None)
            self._is_over = not any(time.monotonic() - at < SILENT for at in self._waiting.values())
            if self._is_over and forgets:
                shutil.rmtree(self._task.folder, ignore_errors=True)
        return self._is_over

    def _check(self) -> None:
        check_program(self._task.program)

    def _tell(self, what: str, done: int, total: int | None) -> None:
        self._said = what, done, total

    def lead(self) -> dict[str, Any]:
        """Solve the table, from the last cut on. Returns the facts about it; its codes are in the file TABLE of the folder."""
        import ray

        task, began = self._task, time.perf_counter()
        folder = made(task.folder, "a table on a cluster")
        state, _ = kept(folder)
        crew = Machines(ray, task)
        token = folder / TOKEN
        with replacing(token):
            pass
        leader = Leader(crew, task.takes_back, self._tell, lambda s: self._save(crew, s), self._is_due)
        while True:
            try:
                if not all(crew.each("is_there", str(token))):
                    raise OutOfReach(
                        f"{folder} is not seen by all machines of the cluster: ZERMELO_CACHE=FOLDER names one that they share"
                    )
                crew.each("restore", task.folder, state.cut)
                self._saved = time.monotonic()
                leader.solve(state, task.start, task.owners.size)
                compared, different = leader.compare(task.stride, state, task.owners.size)
                return self._delivered(crew, state, compared, different) | {"wall": time.perf_counter() - began}
            except ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None)
                if isinstance(error, ray.exceptions.RayTaskError) and not isinstance(cause, ray.exceptions.RayError):
                    raise (cause if isinstance(cause, Exception) else error) from None
                self._in_a_row += 1
                if self._in_a_row > PATIENCE:
                    raise OutOfReach(f"{task.name}: parts of the table were lost {PATIENCE} times without any progress: {error}") from None
                self._tell("replacing a part that was lost", 0, None)
                losses = state.losses + crew.mend()
                state, _ = kept(folder)
                state.losses = losses

    def _delivered(self, crew: Machines, state: State, compared: int, different: int) -> dict[str, Any]:
        import ray

        width = 2 if state.next_level - 1 > status.MOST_MOVES else 1
        with replacing(Path(self._task.folder) / TABLE) as path:
            os.truncate(path, self._task.owners.size * width)
            crew.each("deliver", str(path))

        return {
            "state": state.as_data(), "compared": compared, "different": different, "width": width, "costs": crew.each("cost"),
            "machines": machines(ray), "parts": crew.parts,
        }  # fmt: skip

    def _is_due(self) -> bool:
        """Whether saving takes a small fraction of the time since the last save."""
        return self._saving <= self._task.share * (time.monotonic() - self._saved)

    def _save(self, crew: Machines, state: State) -> None:
        began = time.monotonic()
        state.cut += 1
        written = crew.each("save", self._task.folder, state.cut)
        write(Path(self._task.folder) / STATE, {"owners": list(self._task.owners), "state": state.as_data()}, {})
        self._saved, self._in_a_row = time.monotonic(), 0
        self._saving = max(self._saved - began, 1.0)
        state.seconds["saving"] = state.seconds.get("saving", 0.0) + self._saved - began
        state.seconds["saved bytes"] = sum(written)


def kept(folder: Path) -> tuple[State, Owners | None]:
    """The state of the last cut in a folder, and its parts; if there is none, the state before the first one. Raises `FileError`."""
    path = folder / STATE
    if not is_there(path):
        return State(), None
    header = read_of(path).header
    data = header["state"]
    data["first"], data["last"] = tuple(data["first"]), tuple(data["last"])
    data["levels"] = [tuple(level) for level in data["levels"]]
    return State(**data), Owners(*header["owners"])


def parts_of(library: Any) -> int:
    """The number of parts of a table on a cluster: one per processor."""
    return processors(library)
