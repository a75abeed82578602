"""`zermelo warm`: compiles machine code in advance, so that the first large game of a kind does not wait for the compiler.

Each game is solved with compiled rules in a separate process, and two of these run in parallel, since the compiler uses one thread only.
They leave the same files on disk as solving would: the kernels that do not depend on rules, which all games share, and the rules of
these games, which also serve for other parameters.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from zermelo.basics.notices import notify
from zermelo.basics.threads import threads
from zermelo.basics.words import no_such
from zermelo.cli.commands import Json
from zermelo.cli.lines import print_pairs
from zermelo.cli.output import print_json, progress_bar, seconds
from zermelo.errors import ParameterError, ZermeloError
from zermelo.games.named import game_named

PROCESSES = 2  # each takes 300 to 400 MiB
CHILD = "import sys; from zermelo.cli.warm import compile_for; sys.exit(compile_for(*sys.argv[1:]))"
LOOK = 0.1  # seconds for which the end of a process is waited for, in turn

class Job(NamedTuple):
    """The code compiled for one kind of games, by solving one of them with parameters that make it small."""

    kind: str
    about: str
    word: str
    parameters: Mapping[str, int]


class Done(NamedTuple):
    """What the process of a job did."""

    seconds: float
    compiled: bool  # something; otherwise all was there
    kept: bool  # all that it compiled


JOBS = (  # the longest first
    Job("cycles", "games in which play can come back to a state", "pig", {"goal": 10}),
    Job("entries", "races in stages, with decisions, solved from where stages are entered", "ten-thousand-race", {"goal": 6}),
    Job("alone", "the same, if stages have no pattern in common", "house-race", {"goal": 100}),
    Job("mixed", "both players choose at once", "hog-simultaneous", {"goal": 4, "most_dice": 2}),
    Job("large", "many states that play can come back to, as in models of PRISM", f"{Path(__file__).with_name('warm_game.py')}:Chase", {}),
    Job("hidden", "cards or dice that one player sees", "kuhn-poker", {}),
    Job("chance", "chance and decisions, but no cycles", "card-draw", {"red": 4, "black": 4}),
    Job("wins", "win, draw and loss, without chance", "dodgem", {"size": 2}),
    Job("stages", "games that are solved stage by stage", "left-center-right", {"players": 2}),
)


def _kinds(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The kinds that begin with this, but those that have been typed."""
    typed = context.params.get("kinds") or ()
    return [(job.kind, job.about) for job in JOBS if job.kind.startswith(incomplete) and job.kind not in typed]


def warm(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KIND]...", help=f"Only these: {', '.join(job.kind for job in JOBS)}.", show_default=False,
            autocompletion=_kinds,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile in advance the code that all games of a kind share: a minute or two, once, which the first large game otherwise takes."""
    known = [job.kind for job in JOBS]
    for kind in kinds or ():
        if kind not in known:
            raise ParameterError(no_such("kind of games", kind, known, "zermelo warm"))
    jobs = [job for job in JOBS if not kinds or job.kind in kinds]
    done: dict[str, Done] = {}
    with progress_bar() as progress:
        progress(f"compiling: {', '.join(job.kind for job in jobs)}", 0, len(jobs))
        for job, found in _run(jobs):
            done[job.kind] = found
            progress(f"compiling: {', '.join(job.kind for job in jobs if job.kind not in done)}", len(done), len(jobs))
    if as_json:
        print_json([{"kind": j.kind, "about": j.about, "game": Path(j.word).name, **done[j.kind]._asdict()} for j in jobs])
    else:
        print_pairs((job.kind, f"{_in_words(done[job.kind])}  {job.about} ({Path(job.word).name})") for job in jobs)


def _in_words(done: Done) -> str:
    return f"{seconds(done.seconds) if done.compiled else 'there':6}{'' if done.kept else '  not kept:'}"


def _run(jobs: list[Job]) -> Iterator[tuple[Job, Done]]:
    """Each job when it is done; what its process has noticed is reported. Raises `ZermeloError` with the last message of one that
    fails."""
    waiting = list(jobs)
    with _processes() as running:
        while waiting or running:
            while waiting and len(running) < min(PROCESSES, threads()):
                job = waiting.pop(0)
                words = [str(os.getpid()), job.kind, job.word, *(f"{name}={value}" for name, value in job.parameters.items())]
                try:
                    process = subprocess.Popen([sys.executable, "-P", "-c", CHILD, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                except BlockingIOError:  # no more can be started now
                    if not running:
                        raise
                    waiting.insert(0, job)
                    break
                running[process] = job, time.perf_counter()
            for process in list(running):
                try:
                    said, more = (text.decode(errors="replace").strip() for text in process.communicate(timeout=LOOK))
                except subprocess.TimeoutExpired:  # what it has written so far is read, or it would wait for that
                    continue
                job, began = running.pop(process)
                if process.returncode:
                    raise ZermeloError(f"{job.word}: {(said or more or 'compiling failed').splitlines()[-1]}")
                *told, facts = said.splitlines()
                for text in told:
                    notify(text)
                yield job, Done(time.perf_counter() - began, **json.loads(facts))


@contextmanager
def _processes() -> Iterator[dict[subprocess.Popen[bytes], tuple[Job, float]]]:
    """Processes that are ended if anything goes wrong, for instance with Ctrl-C. The files that they have written are complete."""
    running: dict[subprocess.Popen[bytes], tuple[Job, float]] = {}
    try:
        yield running
    finally:
        for process in running:
            process.kill()  # not only asked to end, as it may have been stopped
        for process in running:
            process.wait()


def compile_for(parent: str, kind: str, word: str, *parameters: str) -> int:
    """Solve a game with everything compiled, and print what was noticed, a line each, and at last whether anything was compiled, and kept;
    the exit code of the process that does it, and that ends with its parent, of this number."""
    import signal

    from zermelo.basics.machine_code import CANT_KEEP, compilations
    from zermelo.basics.notices import said
    from zermelo.basics.parent import end_with
    from zermelo.cli.ahead import leave_mark
    from zermelo.engines.exploring import search
    from zermelo.kernels.kernel import only
    from zermelo.solving import solve

    end_with(int(parent))
    search.WIDE = search.BATCH = 1  # so that threads share what is to be found in a small game, too
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent process reports the interruption
    try:
        with only("compiled"):
            solve(game_named(word, **dict(p.split("=", 1) for p in parameters)))
    except ZermeloError as error:
        print(" ".join(str(error).split()))
        return 1
    leave_mark(kind)
    kept = not any(text.startswith(CANT_KEEP) for text in said())
    print(*said(), json.dumps({"compiled": compilations() > 0, "kept": kept}), sep="\n")
    return 0
