"""A board game solved on a cluster: the same answer as on one machine."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.boards import BoardAnswers, counted
from zermelo.answers.report import Report
from zermelo.basics import words
from zermelo.basics.disk import cache_directory
from zermelo.basics.machine import available, in_words
from zermelo.basics.notices import notify
from zermelo.basics.sources import program
from zermelo.basics.stopwatch import Stopwatch
from zermelo.cluster.connection import connected
from zermelo.cluster.sources import shipped
from zermelo.engines.base import Request
from zermelo.engines.boards.board import (
    SAMPLED,
    argument,
    check_size,
    in_players,
    raise_differing,
    who_moves,
    why_forward,
)
from zermelo.engines.boards.numbering import numbering, slower_images
from zermelo.engines.boards.spread.conductor import LOOKS, SHARE, TABLE, Conductor, Task, kept, parts_of
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import CHUNK
from zermelo.errors import OutOfReach
from zermelo.language.rules_text import rules_hash

FOLDER = "spread"
NAMESPACE = "zermelo"
AT_ONCE = 10  # seconds within which a conductor answers


def solve_on_cluster(
    request: Request, parts: int | None = None, unit: int | None = None, share: float = SHARE, chunk: int = CHUNK
) -> BoardAnswers:
    """Win, draw or loss and the distance to the end of every reachable position, computed by the machines of `request.cluster`.

    parts, unit : the number of parts of the table (default: one per processor of the cluster), and the number of consecutive positions that
    are kept together; share : the largest fraction of the time that goes to saving; chunk : positions whose moves are examined at a time.
    Raises the same errors as `solve_board`, and `OutOfReach` without a cluster."""
    rules = request.rules
    check_size(rules, request.max_states)
    with connected(str(request.cluster)) as library, Stopwatch() as watch:
        of = numbering(rules)
        size, start = of.positions.size, of.positions.number(rules.start)
        takes_back = not why_forward(rules)
        about = [rules_hash(rules.game), type(rules.game).__name__, [repr(v) for v in rules.game], program(), request.quick]
        key = hashlib.sha256(json.dumps(about).encode()).hexdigest()[:32]
        folder = cache_directory().resolve() / FOLDER / key
        owners = _owners(folder, size, parts or parts_of(library), unit)
        stride = max(size // SAMPLED, 1) | 1 if request.quick else 1
        task = Task(
            shipped(type(rules.game), rules_hash), tuple(rules.game), rules.name, start, owners, takes_back, stride, str(folder), program(),
            share, chunk,
        )  # fmt: skip
        found, codes = _led(library, task, f"zermelo-{key}", request)
    return _answer(request, of, codes, found, watch)


def _owners(folder: Path, size: int, parts: int, unit: int | None) -> Owners:
    """The parts of the table, as they were when it was started."""
    _, owners = kept(folder)
    return owners or Owners.of(size, parts, unit)


def _led(library: Any, task: Task, name: str, request: Request) -> tuple[dict[str, Any], np.ndarray]:
    """The conductor's result, and the codes of all positions: of the one already at work, or a new one. A lost one is replaced."""
    errors = library.exceptions
    folder, me = Path(task.folder), os.urandom(8).hex()
    while True:
        try:
            conductor = library.get_actor(name, namespace=NAMESPACE)
            notify(f"attached to what is being solved on the cluster already ({name})")
        except ValueError:
            if kept(folder)[0].cut:
                notify(f"taken up from {folder}, where it was left")
            kind = library.remote(num_cpus=0, max_concurrency=4)(Conductor)
            conductor = kind.options(name=name, namespace=NAMESPACE, lifetime="detached", get_if_exists=True).remote(task)
        try:
            if found := _followed(library, conductor, me, request):
                codes = _codes(folder, task.owners.size, found["width"])
                _leave(library, conductor, me, not isinstance(codes, np.memmap))
                return found, codes
            library.kill(conductor)  # others have just taken its result, and nothing is left of it
            time.sleep(1)  # until its name is free
        except errors.RayActorError as error:
            if not _is_lost(library, conductor, me):
                raise OutOfReach(f"{task.name}: {error}") from None
        except errors.RayTaskError as error:
            _leave(library, conductor, me)
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except KeyboardInterrupt:
            if not _leave(library, conductor, me, at_once=True):
                notify("interrupted: what is being solved goes on, for another process that waits for it")
            elif (state := kept(folder)[0]).cut:
                done = f"{len(state.levels)} levels" if state.is_expanded else "a part of the positions that can be reached"
                notify(f"interrupted: {done} are on disk ({folder}); the same command goes on there")
            raise


def _followed(library: Any, conductor: Any, me: str, request: Request) -> dict[str, Any] | None:
    """Wait for the conductor's result, and report its progress meanwhile; None if others have taken it, and it is gone."""
    while isinstance(told := library.get(conductor.asked.remote(me)), tuple):
        request.progress(*told)
    return told


def _leave(library: Any, conductor: Any, me: str, forgets: bool = False, at_once: bool = False) -> bool:
    """End a conductor once nobody else waits for its result; if others do, and this is to be `at_once`, leave it to them, and return
    False."""
    try:
        while not library.get(conductor.left.remote(me, forgets), timeout=AT_ONCE):
            if at_once:
                return False
            time.sleep(LOOKS)
    except library.exceptions.RayError:
        pass  # it does not answer
    library.kill(conductor)
    return True


def _is_lost(library: Any, conductor: Any, me: str) -> bool:
    try:
        library.get(conductor.asked.remote(me), timeout=AT_ONCE)
    except library.exceptions.RayError:
        time.sleep(1)  # until its name is free
        return True
    return False


def _codes(folder: Path, size: int, width: int) -> np.ndarray:
    """The codes of all positions: in memory if they fit, otherwise on disk."""
    path, kind = folder / TABLE, np.dtype(np.int8 if width == 1 else np.int16)
    if size * width < available() // 2:
        return np.fromfile(path, kind)
    notify(f"the table is read from {path}, since it does not fit into memory")
    return np.memmap(path, kind, "r")


def _answer(request: Request, of: Any, codes: np.ndarray, found: dict[str, Any], watch: Stopwatch) -> BoardAnswers:
    rules, state = request.rules, found["state"]
    if (different := found["different"]) >= 0:
        raise_differing(rules, of.positions.state(different), not why_forward(rules, state["keeps"]))
    census = counted(codes)
    seconds = {name: value for name, value in state["seconds"].items() if name != "saved bytes"}
    largest = max(int(cost["arrays"]) for cost in found["costs"])
    facts = {
        "states": census.positions,
        "checked": found["compared"],
        "table": of.positions.size,
        "moves": state["moves"],
        **who_moves(state["looked"], state["moves"], state["of_1"], state["passes"]),
        "deterministic": True,
        "win_draw_loss": True,
        "levels": [
            {"moves": d, "won": census.won_in(d), "lost": census.lost_in(d), "seconds": took} for d, _, _, took in state["levels"]
        ],
        "parts": found["parts"],
        "machines": found["machines"],
        "bytes between parts": state["bytes"],
        "batches": state["batches"],
        "bytes of a part": largest,
        "bytes of a process": max(int(cost["process"]) for cost in found["costs"]),
        "processor seconds": sum(cost["seconds"] for cost in found["costs"]),
        "parts lost": state["losses"],
    }
    summary = (
        f"{census.positions:,} positions, {state['moves']:,} moves, {in_players(facts)}, deterministic; a table in "
        f"{words.counted(found['parts'], 'part')} of {in_words(largest)} on {words.counted(found['machines'], 'machine')}, "
        f"{words.counted(len(state['levels']), 'level')}"
    )
    steps = {"compiling": watch.compiling, "solving": watch.seconds - seconds.get("checking", 0.0), **seconds}
    lost = state["losses"]
    parts = "1 part of the table was" if lost == 1 else f"{lost} parts of the table were"
    notes = [why_forward(rules, state["keeps"]), slower_images(of)] + ([f"{parts} lost and replaced"] if lost else [])
    report = Report("boards", "Retrograde", summary, facts, steps, notes=tuple(filter(None, notes)))
    return BoardAnswers(of.positions, codes, argument(found["compared"], census.positions), report, request.exact)


