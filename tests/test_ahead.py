"""The second process that compiles ahead for the command line: it is started once, compiles what is missing, and two processes never
compile the same function at the same time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.basics import ahead, machine_code
from zermelo.basics.disk import alone_with
from zermelo.cli import main
from zermelo.cli.ahead import _compiled
from zermelo.engines.exploring import game as exploring
from zermelo.kernels.kernel import only
from zermelo.kernels.sweeps import done_before

HOLD = """import sys
from pathlib import Path
from zermelo.basics import ahead
ahead.LONGEST = float(sys.argv[2])
with ahead.after_others(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
print("free", flush=True)"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The words of processes that would have been started."""
    words: list[list[str]] = []

    class Process:
        def __init__(self, given: list[str], **options: object):
            words.append(given)

        def kill(self) -> None:
            pass

        wait = kill

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(ahead, "KERNELS", tmp_path / "kernels")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("ZERMELO_TIER", raising=False)
    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(ahead, "threads", lambda: 2)
    for name in ("_allowed", "_processes", "_sharing"):
        monkeypatch.setattr(ahead, name, [])
    return words


def test_a_process_that_was_stopped_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command waited for it for ever, with its answer printed."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    process.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(ahead, "_processes", [process])
    ahead._end()
    assert process.returncode == -signal.SIGKILL


def test_threads_that_come_together_start_one(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of them compiled the same beside the one that waited for them."""
    make = subprocess.Popen

    def slowly(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.05)
        return make(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", slowly)
    ahead.allow()
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(ahead.begin, ["entries"] * 3))
    assert len(started) == 1


def test_only_the_command_starts_it_once_and_not_if_all_is_compiled(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    ahead.begin("cycles")
    assert not started and not ahead.is_shared()  # a program that uses the library
    ahead.allow()
    monkeypatch.setattr(ahead, "threads", lambda: 1)
    ahead.begin("cycles")
    assert not started
    monkeypatch.setattr(ahead, "threads", lambda: 2)
    with monkeypatch.context() as nowhere:
        nowhere.setattr(ahead, "KERNELS", Path("/proc/none"))
        nowhere.setenv("ZERMELO_CACHE", "/proc/none")
        ahead.begin("cycles")
        ahead.begin_with([])
        assert not started  # nothing can be kept: it compiled for nobody, at every command
    ahead.begin("cycles")
    ahead.begin("cycles")
    ((*_, mark, kind, urgent),) = started
    assert (kind, urgent) == ("cycles", "") and ahead.is_shared()
    assert Path(mark).match("kernels/__pycache__/compiled-ahead.cycles-*")  # where machine code lies: it is not there without the mark
    ahead._processes.clear()
    ahead.mark_of("condense", Path(mark)).touch()
    ahead.begin("cycles", "condense")
    assert len(started) == 1  # what it is asked for is compiled
    Path(mark).touch()
    ahead.begin("cycles")
    assert len(started) == 1
    shutil.rmtree(Path(mark).parent)
    ahead.begin("cycles", "condense")
    assert len(started) == 2  # machine code was deleted, and what is kept in the cache folder was not


@pytest.mark.parametrize(
    ("word", "parameters", "kind"),
    [("pig", {"goal": 4}, "cycles"), ("card-draw", {"red": 2, "black": 2}, "chance"), ("tic-tac-toe", {}, None),
     ("hog-simultaneous", {"goal": 2, "most_dice": 1}, None)],
)  # fmt: skip
def test_what_is_compiled_ahead_fits_the_game(word: str, parameters: Any, kind: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, explore = [], exploring.explore
    monkeypatch.setattr(exploring, "explore", lambda *given: seen.append(given[-1]) or explore(*given))
    zermelo.solve(word, **parameters)
    assert seen == [kind]


def test_commands_in_a_process_that_goes_on_start_nothing(started: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "pig", "--goal", "5"]) == 0 and not started


@pytest.mark.parametrize(("is_writable", "longest"), [(True, 60.0), (True, 0.1), (False, 60.0)])
def test_what_another_process_compiles_is_waited_for(tmp_path: Path, is_writable: bool, longest: float) -> None:
    path = tmp_path / "kernel.nbi" if is_writable else Path("/proc/none/kernel.nbi")
    words = [sys.executable, "-c", HOLD, str(path), str(longest)]
    first = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert first.stdin is not None and first.stdout is not None and first.stdout.readline() == "held\n"
    second = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert second.stdout is not None
    if is_writable and longest > 1.0:
        time.sleep(0.5)
        assert second.poll() is None
        first.communicate("\n")
        assert second.communicate()[0] == "held\nfree\n"
        assert list(tmp_path.iterdir()) == []
    else:  # nothing can be kept there, so nobody waits; or the other process has stopped
        assert second.communicate()[0] == "held\nfree\n"
        first.communicate("\n")


@pytest.mark.parametrize("kind", ahead.GAMES)
def test_the_other_process_compiles_what_a_game_of_the_kind_calls(tmp_path: Path, kind: str) -> None:
    with only("compiled"):
        zermelo.solve("pig", goal=4)  # in this process most of it is compiled, perhaps
    mark = tmp_path / "folder" / kind
    urgent = {"entries": "solve_by_patterns"}.get(kind, "")
    words = [str(os.getpid()), str(mark), kind, urgent]
    done = subprocess.run([sys.executable, "-P", "-c", ahead.CHILD, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert mark.exists() and ahead.mark_of(urgent, mark).exists() == bool(urgent)


def test_it_compiles_what_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where kinds of arguments depend on the game, as in `dreidel`, which one process compiled alone."""
    numbers = np.zeros(0, np.int16)
    told = [(done_before, (numbers, numbers, np.zeros(0), numbers, numbers))]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("ZERMELO_TIER", raising=False)
    monkeypatch.setattr(ahead, "threads", lambda: 2)
    for name in ("_allowed", "_processes", "_sharing"):
        monkeypatch.setattr(ahead, name, [])
    ahead.begin_with(told)
    assert not ahead._processes  # a program that uses the library
    ahead.allow()
    ahead.begin_with(told)
    assert ahead._processes[0].wait() == 0 and len([*tmp_path.rglob("*.done_before-*.nbc")]) == 1


def test_what_the_other_process_compiles_now_comes_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine_code, "is_kept", lambda *_: True)
    function = done_before.compiled
    calls = [(done_before, (number,)) for number in "abc"]
    path = machine_code._locked(function._cache, ("a",))
    assert path is not None and path != machine_code._locked(function._cache, ("b",))
    path.parent.mkdir(parents=True, exist_ok=True)
    with alone_with(path):
        assert [kinds for _, (kinds,) in _compiled(calls[:])] == ["b", "c", "a"]
    assert [kinds for _, (kinds,) in _compiled(calls[:])] == ["a", "b", "c"]


LISTED = """import json, sys
from zermelo.basics.ahead import GAMES
from zermelo.cli.ahead import _called_by, _in_turn
for kind, urgent in json.loads(sys.argv[1]):
    called = _called_by(*GAMES[kind])
    print(json.dumps([[kernel.__name__ for kernel, _ in found] for found in (called, _in_turn(called, 1.0, urgent))]))"""


def test_it_begins_with_about_half_of_what_takes_long() -> None:
    """It began with the last one, and was idle from then on while the other compiled the search: `coin-patterns` took 6 s, not 4."""
    firsts = {
        ("cycles", ""): {"certify_components"}, ("chance", ""): {"search"}, ("chance", "backward"): {"backward"},
        ("entries", ""): {"solve_by_patterns", "solve_block"}, ("alone", ""): {"solve_stages"}, ("hidden", ""): set(),
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-c", LISTED, json.dumps([*firsts])], capture_output=True, text=True, check=True)
    for ((_, urgent), first), line in zip(firsts.items(), done.stdout.splitlines(), strict=True):
        called, turns = json.loads(line)
        assert sorted(called) == sorted(turns) and first < set(turns) and not first & set(turns[-3:])
        assert len(called) <= 10, "all choices among them are tried: find a quicker way"
        if urgent:
            assert turns[0] == urgent


def test_what_a_full_disk_kept_away_is_compiled_by_the_next_one(tmp_path: Path) -> None:
    mark, full = tmp_path / "cycles", "from zermelo.basics import machine_code; machine_code.is_kept = lambda *_: False; "
    words = [str(os.getpid()), str(mark), "cycles", ""]
    subprocess.run([sys.executable, "-P", "-c", full + ahead.CHILD, *words], check=True)
    assert not mark.exists()


@pytest.mark.slow
def test_nothing_is_compiled_twice_on_a_fresh_machine(tmp_path: Path) -> None:
    """The package elsewhere, where no kernel has machine code."""
    package = Path(zermelo.__file__).parent
    shutil.copytree(package, tmp_path / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "ZERMELO_CACHE": str(tmp_path / "cache"), "ZERMELO_THREADS": "2"}
    environment.pop("ZERMELO_TIER", None)
    words = [sys.executable, "-P", "-m", "zermelo", "solve", "pig"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "0.0611855" in done.stdout and not done.stderr
    assert len(list((tmp_path / "zermelo/kernels/__pycache__").glob("compiled-ahead.*"))) == 1
    for name in ("certify_components", "settle_components", "condense"):
        assert len(list(tmp_path.glob(f"zermelo/kernels/__pycache__/*.{name}-*.nbc"))) == 1, name
