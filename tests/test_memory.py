"""Running out of memory: one `OutOfReach`, before the machine suffers."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from limits import FEW_POSITIONS, lowered
from zermelo import games
from zermelo.basics import machine
from zermelo.engines.explored.engine import ExploredEngine

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


def test_exploring_asks_before_it_takes_more(little: None) -> None:
    assert "Pig has more than" in (said := refused(games.Pig(100))) and "room for twice as many needs" in said


def test_boards_stages_and_sweeps_ask_before_anything_is_done(little: None) -> None:
    with lowered(FEW_POSITIONS, -1):
        assert "ConnectFour ranks about" in refused(games.ConnectFour(5, 4))
    assert "LeftCenterRight has" in refused(games.LeftCenterRight(6, 3))
    assert "a sweep over 2,000,000,000 stages" in refused(games.CardDraw(10**9, 10**9))


def test_memory_that_runs_out_elsewhere_is_told_likewise(monkeypatch: pytest.MonkeyPatch, little: None) -> None:
    def solve(self: object, request: object) -> None:
        raise MemoryError("Unable to allocate 9.00 GiB for an array")

    monkeypatch.setattr(ExploredEngine, "solve", solve)
    assert refused(games.Pig(5)).startswith("Pig: memory ran out, 1 MiB are free (Unable to allocate 9.00 GiB for an array)")


def test_enough_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available", lambda: 1000)
    machine.require(900, "this")
    with pytest.raises(zermelo.OutOfReach, match="^this needs about 0 MiB of memory, and 0 MiB are free: give smaller parameters$"):
        machine.require(901, "this")


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
