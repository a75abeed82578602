"""A board game solved on a cluster: the same answer as on one machine."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.boards import BoardAnswers, counted
from zermelo.answers.report import Report
from zermelo.basics.disk import cache_directory
from zermelo.basics.machine import available
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
from zermelo.engines.boards.spread.conductor import SHARE, TABLE, Conductor, Task, forget, kept, parts_of
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import CHUNK
from zermelo.errors import FileError, OutOfReach
from zermelo.language.rules_text import rules_hash

FOLDER = "spread"
NAMESPACE = "zermelo"
LOOKS = 0.2  # seconds between two queries of the conductor


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
            shipped(type(rules.game)), tuple(rules.game), rules.name, start, owners, takes_back, stride, str(folder), program(),
            share, chunk,
        )  # fmt: skip
        found, conductor = _led(library, task, f"zermelo-{key}", request)
        codes = _codes(folder, size, found["width"])
        library.kill(conductor)
        if not isinstance(codes, np.memmap):
            forget(folder)
    return _answer(request, of, codes, found, owners, watch)


def _owners(folder: Path, size: int, parts: int, unit: int | None) -> Owners:
    """The parts of the table, as they were when it was started."""
    path = folder / "owners.json"
    folder.mkdir(parents=True, exist_ok=True)
    if path.exists() and (folder / "state.json").exists():
        try:
            owners = Owners(*json.loads(path.read_text()))
        except (OSError, ValueError, TypeError) as error:
            raise FileError(f"{path} is damaged ({error}): delete {folder}, and solve again") from None
        if owners.size == size:
            return owners
    owners = Owners.of(size, parts, unit)
    path.write_text(json.dumps(list(owners)))
    return owners


def _led(library: Any, task: Task, name: str, request: Request) -> tuple[dict[str, Any], Any]:
    """The conductor's result, and the conductor: the one already at work, or a new one. A lost one is replaced."""
    errors = library.exceptions
    folder = Path(task.folder)
    while True:
        try:
            conductor = library.get_actor(name, namespace=NAMESPACE)
            notify(f"attached to what is being solved on the cluster already ({name})")
        except ValueError:
            if kept(folder).cut:
                notify(f"taken up from {folder}, where it was left")
            kind = library.remote(num_cpus=0, max_concurrency=4)(Conductor)
            conductor = kind.options(name=name, namespace=NAMESPACE, lifetime="detached", get_if_exists=True).remote(task)
        try:
            return _followed(library, conductor, request), conductor
        except errors.RayActorError as error:
            if not _is_lost(library, conductor):
                raise OutOfReach(f"{task.name}: {error}") from None
        except errors.RayTaskError as error:
            library.kill(conductor)
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except KeyboardInterrupt:
            library.kill(conductor)
            if (state := kept(folder)).cut:
                done = f"{len(state.levels)} levels" if state.is_expanded else "a part of the positions that can be reached"
                notify(f"interrupted: {done} are on disk ({folder}); the same command goes on there")
            raise


def _followed(library: Any, conductor: Any, request: Request) -> dict[str, Any]:
    """Wait for the conductor's result, and report its progress meanwhile."""
    found = conductor.lead_once.remote()
    while True:
        ready, _ = library.wait([found], timeout=LOOKS)
        if ready:
            result: dict[str, Any] = library.get(found)
            return result
        what, done, total = library.get(conductor.said.remote())
        request.progress(what, done, total)


def _is_lost(library: Any, conductor: Any) -> bool:
    try:
        library.get(conductor.said.remote(), timeout=10)
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


def _answer(request: Request, of: Any, codes: np.ndarray, found: dict[str, Any], owners: Owners, watch: Stopwatch) -> BoardAnswers:
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
        "parts": owners.parts,
        "machines": found["machines"],
        "bytes between parts": state["bytes"],
        "batches": state["batches"],
        "bytes of a part": largest,
        "bytes of a process": max(int(cost["process"]) for cost in found["costs"]),
        "processor seconds": sum(cost["seconds"] for cost in found["costs"]),
        "parts lost": state["losses"],
    }
    summary = (
        f"{census.positions:,} positions, {state['moves']:,} moves, {in_players(facts)}, deterministic; a table of {owners.parts} "
        f"parts of {largest / 2**20:,.0f} MiB on {found['machines']} machines, {len(state['levels'])} levels"
    )
    steps = {"compiling": watch.compiling, "solving": watch.seconds - seconds.get("checking", 0.0), **seconds}
    lost = state["losses"]
    parts = "1 part of the table was" if lost == 1 else f"{lost} parts of the table were"
    notes = [why_forward(rules, state["keeps"]), slower_images(of)] + ([f"{parts} lost and replaced"] if lost else [])
    report = Report("boards", "Retrograde", summary, facts, steps, notes=tuple(filter(None, notes)))
    return BoardAnswers(of.positions, codes, argument(found["compared"], census.positions), report, request.exact)


