"""Arguments and surroundings that nobody means well: one clear error each. (What rules and files can do wrong is in test_check.py,
test_crafted.py and others.) Each row ended otherwise before: as a traceback, an AssertionError, or in silence."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games import Pig


def leaves(state: Any) -> Any:
    raise SystemExit(0)


def shouts(state: Any) -> Any:
    raise RuntimeError("first line\nsecond line")


ASKED: list[tuple[Callable[[Any], Any], str]] = [
    (lambda s: s.evaluate(None), "a policy is a function from a state to an action, not None"),
    (lambda s: s.evaluate(leaves), "the policy fails at .*: SystemExit: 0$"),
    (lambda s: s.evaluate(shouts), "the policy fails at .*: RuntimeError: first line second line$"),
    (lambda s: s.evaluate(lambda _: np.eye(2)), r"the policy returns array\(\[\[1., 0.\], \[0., 1.\]\]\) at"),
    (lambda s: zermelo.solve("kuhn-poker").evaluate(leaves), "given the numbers .*, failed: SystemExit: 0$"),
    (lambda s: zermelo.solve("kuhn-poker").evaluate(shouts), "failed: RuntimeError: first line second line$"),
    (lambda s: zermelo.solve("binary-search", n=2).best_response(lambda *_: leaves(_)), "given for Bob failed: SystemExit: 0$"),
    (lambda s: zermelo.solve("dreidel").evaluate(leaves), "nobody decides anything in this game"),
    (lambda s: s.save("a\0b"), "a file is named by its path, not by"),
    (lambda s: s.export_certificate("a\0b"), "a file is named by its path, not by"),
    (lambda s: zermelo.open("a\0b"), "a file is named by its path, not by"),
    (lambda s: zermelo.open(None), "a file is named by its path, not by None"),
    (lambda s: zermelo.verify(None), "a file is named by its path, not by None"),
    (lambda s: zermelo.solve(Pig(4), solver="Backward"), "solver must be an object such as zermelo.Backward"),
    (lambda s: zermelo.solve(Pig(4), progress=None), "progress must be a function of what, done and total, not None"),
    (lambda s: zermelo.solve(Pig(4), exact="no"), "exact must be True or False, not 'no'"),
    (lambda s: zermelo.plan(Pig(4), quick="no"), "quick must be True or False, not 'no'"),
    (lambda s: s.simulate(10**23), "plays must be a whole number from 1 to"),
]


@pytest.mark.parametrize(("ask", "says"), ASKED, ids=[says[:40] for _, says in ASKED])
def test_arguments_that_make_no_sense(ask: Callable[[Any], Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        ask(zermelo.solve(Pig(4)))


@pytest.mark.parametrize("index", [None, "x", 1.5])
def test_an_index_is_a_whole_number(index: Any) -> None:
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        zermelo.solve(Pig(4)).space.unrank(index)


def test_a_long_whole_number_is_no_fraction() -> None:
    assert repr(zermelo.matrix_game([[10**400]])).endswith(f"value 1{'0' * 23}...{'0' * 24} (401 digits) to the row player>")


def in_a_shell(command: str) -> subprocess.CompletedProcess[str]:
    run = f"import sys; from zermelo.cli import main; sys.exit(main({command.split()!r}))"
    return subprocess.run(["sh", "-c", f'"$0" -c "$1" {closed(command)}', sys.executable, run], capture_output=True, text=True)


def closed(command: str) -> str:
    return "<&-" if command.startswith("play") else ">&-"


@pytest.mark.parametrize("command", ["list", "solve pig --goal 4 --json", "verify --help"])
def test_a_closed_output_is_told(command: str) -> None:
    done = in_a_shell(command)
    assert (done.returncode, done.stderr) == (2, "zermelo: can't write: the standard output is closed\n")


@pytest.mark.parametrize("of_errors", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_an_error_that_nobody_can_read_has_its_exit_code(of_errors: str) -> None:
    """A traceback that nobody saw ended it with 1. A file that is opened later does not get the number 2, to which libraries write."""
    run = "import os, sys; from zermelo.cli import main; code = main(['solve', 'nosuch']); os.fstat(2); sys.exit(code)"
    done = subprocess.run(["sh", "-c", f'"$0" -c "$1" {of_errors}', sys.executable, run], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "can't write: No space left on device"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (OSError(errno.EMFILE, "Too many open files", "x"), "x: Too many open files"),
        (OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)), "the system lets this process start no other ones"),
        (OSError(errno.EAGAIN, "write could not complete without blocking"), "write could not complete without blocking"),
        (RuntimeError("can't start new thread"), "the system lets this process start no more threads"),
        (ImportError("a.so: failed to map segment from shared object"), "out of memory"),
    ],
)
def test_what_the_system_refuses(
    error: Exception, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("zermelo.solving.solve", refused)
    assert main(["solve", "pig"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"zermelo: {says}") and said.count("\n") == 1


def test_other_errors_are_not_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solving.solve", lambda *_, **__: shouts(None))
    with pytest.raises(RuntimeError, match="first line"):
        main(["solve", "pig"])


def test_a_slow_reader_of_a_pipe_that_does_not_wait_gets_everything() -> None:
    """What such a pipe had no room for was lost, and the exit code was 0."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.write(writing, b" " * fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ))  # there is no room until something is read
    with subprocess.Popen([sys.executable, "-m", "zermelo", "--version"], stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        with open(reading, "rb") as pipe:
            said = pipe.read().strip()
        assert process.wait() == 0 and said == f"zermelo {zermelo.__version__}".encode()


def test_a_closed_input_ends_a_game() -> None:
    done = in_a_shell("play tic-tac-toe")
    assert "Traceback" not in done.stderr and "lost sys.stdin" not in done.stderr, done.stderr
