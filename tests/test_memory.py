"""Running out of memory: one `OutOfReach`, before the machine suffers."""

from __future__ import annotations

import gc
import os
import platform
import re
import resource
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from limits import FEW_POSITIONS, lowered
from zermelo import games
from zermelo.basics import machine
from zermelo.basics.raise_in import raise_in, unbroken
from zermelo.engines.explored.engine import ExploredEngine
from zermelo.engines.exploring import search
from zermelo.language.checking import watchdog
from zermelo.matrix.master import Master
from zermelo.methods.rational_linear import solve
from zermelo.methods.rational_matrix import column, matrix_of
from zermelo.solvers import rational_values

LITTLE = 1 << 20


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte is free."""
    monkeypatch.setattr(machine, "available", lambda: LITTLE)


def refused(game: object, **options: object) -> str:
    with pytest.raises(zermelo.OutOfReach) as caught:
        zermelo.solve(game, **options)
    said = str(caught.value)
    assert "\n" not in said and "1 MiB are free" in said and "give smaller parameters" in said, said
    return said


def test_exploring_asks_before_it_takes_more(little: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "UNASKED", 1 << 23)  # not 32 MiB, which this game hardly needs
    assert "Pig has more than" in (said := refused(games.Pig(100))) and "room for twice as many needs" in said


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_was_begun_is_not_kept_with_the_error(error: type[BaseException]) -> None:
    """A notebook keeps the last error: after an interrupt hundreds of megabytes stayed taken."""

    def work() -> None:
        table = np.zeros(1)
        held.append(weakref.ref(table))

        def part() -> None:
            raise error(len(table))

        part()

    held: list[Any] = []
    with pytest.raises((KeyboardInterrupt, zermelo.NoMemory)) as caught, machine.enough("this"):
        work()
    assert held[0]() is None and caught.value.__traceback__


def test_boards_stages_and_sweeps_ask_before_anything_is_done(little: None) -> None:
    with lowered(FEW_POSITIONS, -1):
        assert "ConnectFour ranks about" in refused(games.ConnectFour(5, 4))
    assert "LeftCenterRight has" in refused(games.LeftCenterRight(6, 3))
    assert "a sweep over 2,000,000,000 stages" in refused(games.CardDraw(10**9, 10**9))


def test_exact_values_ask_for_the_room_of_a_fraction_each(monkeypatch: pytest.MonkeyPatch) -> None:
    zermelo.solve(games.Pig(3), exact=True)
    monkeypatch.setattr(rational_values, "ONE_STATE", 1 << 50)
    with pytest.raises(zermelo.OutOfReach, match=r"a list of \d+ exact values needs about .* leave out exact=True"):
        zermelo.solve(games.Pig(3), exact=True)


def test_memory_that_runs_out_elsewhere_is_told_likewise(monkeypatch: pytest.MonkeyPatch, little: None) -> None:
    def solve(self: object, request: object) -> None:
        raise MemoryError("Unable to allocate 9.00 GiB for an array")

    monkeypatch.setattr(ExploredEngine, "solve", solve)
    assert refused(games.Pig(5)).startswith("Pig: memory ran out, 1 MiB are free (Unable to allocate 9.00 GiB for an array)")


class Chain(NamedTuple):
    n: int


class Short(NamedTuple):
    """Memory gets short while a rule runs, as whoever watches it says, far from the states of the sample."""

    def start(self) -> Chain:
        return Chain(0)

    def outcomes(self, s: Chain) -> Any:
        if s.n == 1500:
            raise MemoryError
        if s.n < 2000:
            yield 1, 1, Chain(s.n + 1)


def test_memory_that_runs_out_while_python_runs_the_rules_is_no_fault_of_theirs(in_python: None) -> None:
    with pytest.raises(zermelo.OutOfReach, match=r"^Short: memory ran out, .* are free"):
        zermelo.solve(Short())


def test_enough_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available", lambda: 1000)
    machine.require(machine.SMALL, "this")  # so little is not asked for
    monkeypatch.setattr(machine, "SMALL", 0)
    machine.require(900, "this")
    with pytest.raises(zermelo.OutOfReach, match="^this needs about 901 bytes of memory, and 1,000 bytes are free: give smaller"):
        machine.require(901, "this")


def test_sizes_in_words() -> None:
    sizes = (0, 1023, 1024, 2**20, 2**29, 2**40)
    assert [machine.in_words(size) for size in sizes] == ["0 bytes", "1,023 bytes", "1 KiB", "1 MiB", "0.5 GiB", "1,024.0 GiB"]


def test_what_is_free_is_known_here() -> None:
    assert 0 < machine.available() <= machine.memory()


def test_the_limit_of_the_process_counts() -> None:
    code = (
        "import resource; from zermelo.basics import machine\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "print(machine.memory(), machine.available())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    memory, available = map(int, run.stdout.split())
    assert memory == 1 << 30 and available < memory
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != 1 << 30


@pytest.mark.parametrize("version", [1, 2])
def test_the_limit_of_a_container_counts(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "PROCESS", tmp_path / "proc")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    controller, limit, used, cache = {
        1: ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        2: ("", "memory.max", "memory.current", "inactive_file"),
    }[version]
    (tmp_path / "proc" / "self" / "cgroup").write_text(f"5:cpu:/\n4:{controller}:/outer/inner\n")
    inner = tmp_path / "cgroup" / controller / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / limit).write_text("max\n")
    assert machine._groups() == []
    for folder, most, now in ((inner, 5000, 1000), (inner.parent, 4000, 3500)):
        (folder / limit).write_text(f"{most}\n")
        (folder / used).write_text(f"{now}\n")
        (folder / "memory.stat").write_text(f"anon 1\n{cache} 100\n")
    assert machine.memory() == 4000 and machine.available() == 600


# Takes a megabyte after the other; slower where the watch may act, which looks ten times a second, or later on a busy machine.
TAKE = (
    "import time, zermelo\n"
    "from zermelo.basics.machine import available\n"
    "held = []\n"
    "def take(*arguments, **options):\n"
    "    while len(held) < 300:\n"
    "        held.append(bytearray(1 << 20))\n"
    "        time.sleep(0.001 if available() > 80 << 20 else 0.05)\n"
)


def in_a_process(code: str) -> str:
    """What a process prints that has only so much address space more than it has taken by then."""
    limit = (
        "import resource\n"
        "def limited(more):\n"
        "    now = next(int(l.split()[1]) for l in open('/proc/self/status') if l.startswith('VmSize')) << 10\n"
        "    resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))\n"
    )
    return subprocess.run([sys.executable, "-c", limit + code], capture_output=True, text=True, check=True, timeout=300).stdout


def test_the_compiler_is_not_begun_without_room() -> None:
    """It ended the process: "std::bad_alloc", "LLVM ERROR"."""
    said = in_a_process(
        "import zermelo, zermelo.kernels.kernel as kernel\n"
        "limited(300 << 20)\n"
        "try:\n"
        "    kernel.compiler()\n"
        "except zermelo.OutOfReach as error:\n"
        "    print(error)\n"
        "try:\n"
        "    import zermelo.games.blackjack.kernels.dealer\n"
        "except zermelo.OutOfReach as error:\n"
        "    print(error)\n"
    )
    assert re.fullmatch(r"(the compiler needs 400 MiB of addresses, and \d+ MiB are free: raise the limit \(ulimit -v\)\n){2}", said), said


def test_what_grows_by_little_is_watched() -> None:
    """A solver that takes a megabyte after the other is stopped while some are left, and the process goes on."""
    said = in_a_process(
        f"{TAKE}"
        "from zermelo.games import Pig\n"
        "from zermelo.engines.explored.engine import ExploredEngine\n"
        "ExploredEngine.solve = take\n"
        "game = Pig(5)\n"
        "limited(300 << 20)\n"
        "try:\n"
        "    zermelo.solve(game)\n"
        "except zermelo.OutOfReach as error:\n"
        "    print(len(held), error)\n"
    )
    held, words = said.split(" ", 1)
    assert 50 < int(held) < 290 and words.startswith("Pig: memory ran out"), said


def test_a_watch_that_is_over_raises_nothing() -> None:
    for _ in range(50):
        with machine.watched():
            pass
    machine._Watch(0).stop()


def test_linear_programs_and_rational_systems_ask_before_they_begin(little: None) -> None:
    with pytest.raises(zermelo.OutOfReach, match="^a linear program of 200 by 100 payoffs needs about 1 MiB of memory, and 1 MiB are free"):
        Master(np.ones((200, 100)))
    rows, ones = np.arange(400), np.ones(400, object)
    matrix = matrix_of(400, np.tile(rows, 2), np.concatenate([rows, (rows + 1) % 400]), np.concatenate([10**30 * ones, ones]))
    with pytest.raises(zermelo.OutOfReach, match="^solving 400 equations in rationals of up to [0-9,]+ bits needs about"):
        solve(matrix, [column([1] * 400)])


def test_a_large_linear_program_is_freed_at_once() -> None:
    """Each waited for Python to collect cycles, which it need not do for long: hundreds that were solved in turn stayed in memory."""
    master = Master(np.random.default_rng(0).random((150, 150)))
    kept = weakref.ref(master._lp)
    gc.disable()
    try:
        master.solve()
        del master
        assert kept() is None
    finally:
        gc.enable()


VERBS = {"evaluate": "solution.evaluate(solution.policy)", "length": "solution.length", "distribution": "solution.distribution()"}


def test_where_no_thread_can_be_started_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game ended as "RuntimeError: can't start new thread"."""

    def none_left(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none_left)
    monkeypatch.setattr(watchdog, "_thread", None)
    assert zermelo.solve(games.Pig(4)).low > 0
    zermelo.check(games.Pig(4))


def test_verbs_are_watched_as_solving_is() -> None:
    """A verb that takes a megabyte after the other is stopped while some are left, and the process goes on, to the next one."""
    asked = "".join(
        f"zermelo.uses.{verb}.{verb} = take\n"
        "held.clear()\n"
        "try:\n"
        f"    {words}\n"
        "except zermelo.OutOfReach as error:\n"
        "    print(len(held), error)\n"
        for verb, words in VERBS.items()
    )
    said = in_a_process(
        f"{TAKE}"
        "from zermelo.games import Pig\n"
        f"import {', '.join(f'zermelo.uses.{verb}' for verb in VERBS)}\n"
        "solution = zermelo.solve(Pig(5))\n"
        f"limited(300 << 20)\n{asked}"
    )
    for verb, line in zip(VERBS, said.splitlines(), strict=True):
        held, words = line.split(" ", 1)
        assert 50 < int(held) < 290 and words.startswith(f"{verb}: memory ran out"), said


def test_nothing_is_raised_while_libraries_are_loaded() -> None:
    class Raised(Exception):
        pass

    here = threading.get_ident()
    with unbroken():
        assert not raise_in(here, Raised)
        with unbroken():
            pass
        assert not raise_in(here, Raised)  # still
    with pytest.raises(Raised):
        assert raise_in(here, Raised)
        for _ in range(1000):
            time.sleep(0)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such limits")
def test_freed_memory_is_used_again_unless_the_user_wants_it_back() -> None:
    code = """
import resource
from zermelo.basics.machine import keep_freed
keep_freed()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    arrays = [b"x" * (4 << 20) for _ in range(3)]
    del arrays
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    kept, given_back = (
        int(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout)
        for env in (os.environ, os.environ | {"MALLOC_TRIM_THRESHOLD_": "131072"})
    )
    assert 2 * kept < given_back
