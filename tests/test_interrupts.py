"""Ctrl-C and short memory in the middle of things: each is raised where it does no harm, and soon."""

from __future__ import annotations

import _frozen_importlib
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from several_threads import limited
from zermelo.basics import machine
from zermelo.basics.interrupts import Ended, ended, heed, interruptible, raise_soon, take_back
from zermelo.basics.raise_in import load, unbroken
from zermelo.basics.threads import crew
from zermelo.kernels.kernel import only
from zermelo.link.interpreted import Interpreted

KERNEL = """
import os, signal, sys, threading, time
import numba, numpy as np
from zermelo.basics.interrupts import interruptible, raise_soon

@numba.njit(nogil=True)
def slow(n):
    x = 0.0
    for i in range(n):
        x += np.sin(i)
    return 1, np.full((3, 2), x), (np.full(3, 1), np.full((2, 2), x))

slow(1)
main = threading.get_ident()

def later(interrupt):
    time.sleep(0.04)
    interrupt()

for interrupt in (lambda: os.kill(os.getpid(), signal.SIGINT), lambda: raise_soon(main, MemoryError)):
    for _ in range(3):
        try:
            with interruptible():
                threading.Thread(target=later, args=(interrupt,)).start()
                slow(8_000_000)
                while True:
                    pass
        except (KeyboardInterrupt, MemoryError) as error:
            print(type(error).__name__)
"""


def test_a_kernel_that_hands_over_arrays() -> None:
    """numba makes arrays of the results with Python in which the error came up, and went on: a SystemError, or a crash."""
    assert _ran(KERNEL) == ["KeyboardInterrupt"] * 3 + ["MemoryError"] * 3


CALLED_BACK = """
import os, signal, sys
import numba
from llvmlite.binding import executionengine as engine
from zermelo.basics import machine_code
from zermelo.basics.interrupts import interruptible

name = next(name for name, kind in vars(engine).items() if hasattr(kind, "_find_module_ptr"))
kind = getattr(engine, name)
find = kind._find_module_ptr
sent = []

def found(self, pointer):
    if not sent:
        sent.append(True)
        os.kill(os.getpid(), signal.SIGINT)
    return find(self, pointer)

kind._find_module_ptr = found
try:
    with interruptible():
        numba.njit(lambda x: x + 1)(1)
        print("went on")
except KeyboardInterrupt:
    print("KeyboardInterrupt", len(sent))
print(numba.njit(lambda x: x + 2)(1))  # the compiler has taken no harm
"""


BETWEEN = """
import os, signal
import numba
from numba.core import event
from zermelo.basics import machine_code
from zermelo.basics.interrupts import interruptible

class Sending(event.Listener):
    def on_start(self, happened):
        pass
    def on_end(self, happened):
        passed.append(happened)
        if len(passed) == 3:
            os.kill(os.getpid(), signal.SIGINT)

passed = []
event.register("numba:run_pass", Sending())
f = numba.njit(lambda x: x + 1)
try:
    with interruptible():
        f(1)
except KeyboardInterrupt:
    print("KeyboardInterrupt", len(passed))
print(f(1))
"""


def test_compiling_is_ended_where_it_calls_back_and_between_two_passes() -> None:
    """In what it calls back an error was printed and forgotten, and solving went on."""
    *called_back, told, result = _ran(CALLED_BACK + BETWEEN)
    assert called_back == ["KeyboardInterrupt 1", "3"]
    assert told.startswith("KeyboardInterrupt") and int(told.split()[1]) < 6 and result == "2"


def test_outside_of_the_compiler_it_is_raised_at_once() -> None:
    for error in (KeyboardInterrupt, MemoryError):
        with pytest.raises(error), interruptible():
            if error is MemoryError:
                raise_soon(threading.get_ident(), error)
            else:
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Ending:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class Watched:
    pass


@pytest.mark.parametrize("begin", [Ending, lambda: weakref.finalize(Watched(), signal.raise_signal, signal.SIGINT)])
def test_where_an_object_ends_it_waits(begin: Callable[[], object]) -> None:
    """Python printed it there ("Exception ignored in") and went on: the program had to be interrupted once more."""
    with pytest.raises(KeyboardInterrupt), interruptible():
        begin()
        for _ in range(500):
            time.sleep(0.01)


def test_what_was_taken_back_is_not_raised() -> None:
    with interruptible():
        done = threading.Event()

        def both() -> None:
            raise_soon(main, MemoryError)
            take_back(main)
            done.set()

        main = threading.get_ident()
        switch = sys.getswitchinterval()
        sys.setswitchinterval(5)  # so that this thread runs on only after both
        try:
            threading.Thread(target=both).start()
            done.wait()
        finally:
            sys.setswitchinterval(switch)


class Rung(NamedTuple):
    left: int


class Ladder(NamedTuple):
    """Down by one; the user's time may be over when the rules are asked."""

    rungs: int
    alarm: bool = False

    def start(self) -> Rung:
        return Rung(self.rungs)

    def actions(self, s: Rung) -> Iterator[int]:
        if s.left > 0:
            yield 1

    def outcomes(self, s: Rung, n: int) -> Iterator[tuple[int, int, Rung]]:
        if self.alarm:
            signal.raise_signal(signal.SIGALRM)
        yield 1, n, Rung(s.left - n)


class Late(Exception):
    pass


class Alarm:
    """Handlers of three kinds."""

    def method(self, number: int, frame: object) -> None:
        raise Late

    __call__ = method


def alarmed(number: int, frame: object) -> None:
    raise Late


def late(*_: Any) -> Any:
    signal.raise_signal(signal.SIGALRM)


def late_in_a_kernel() -> None:
    try:
        late()
    except Late as error:
        raise SystemError("returned a result with an exception set") from error


@pytest.mark.parametrize("handler", [alarmed, Alarm(), Alarm().method], ids=["function", "object", "method"])
def test_what_a_user_s_handler_raises_is_no_fault_of_the_rules(handler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the checker runs them, in a policy, while the game is explored, and as a kernel ends."""
    solution = zermelo.solve("pig", goal=3)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        with only("interpreted"):
            with pytest.raises(Late):
                zermelo.solve(Ladder(12, True))
            with pytest.raises(Late):
                solution.evaluate(late)
            monkeypatch.setattr(Interpreted, "_asked", late)
            with pytest.raises(Late):
                zermelo.solve("pig", goal=4)
            with pytest.raises(Late), machine.enough("pig"):
                late_in_a_kernel()
    finally:
        signal.signal(signal.SIGALRM, before)


LOADED_LATE = """
import signal, threading
signal.pthread_kill(threading.main_thread().ident, signal.SIGALRM)
whole = [True for _ in range(1000)]
"""


def test_what_a_user_s_handler_raises_leaves_no_library_half_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limit of time that ended while the compiler was imported, nothing could be solved in this process any more."""
    (tmp_path / "loaded_late.py").write_text(LOADED_LATE)
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.signal(signal.SIGALRM, alarmed)
    try:
        with pytest.raises(Late):
            load("loaded_late")
        assert all(load("loaded_late").whole)
        del sys.modules["loaded_late"]
        monkeypatch.setitem(zermelo._HOME_OF, "late", ("loaded_late", "whole"))  # as the first `zermelo.solve`
        with pytest.raises(Late):
            zermelo.__getattr__("late")
        assert all(zermelo.__getattr__("late"))
        del vars(zermelo)["late"]
        with pytest.raises(ModuleNotFoundError):
            load("loaded_never")
    finally:
        signal.signal(signal.SIGALRM, before)


def called_by(module: str, function: str, verb: Callable[[], object]) -> None:
    """Call it as a function of this module does, or what interrupts that, or as the module itself does while it is imported."""
    inside: dict[str, Any] = {"__name__": module, "verb": verb}
    if function == "<module>":
        exec(compile("verb()", module, "exec"), inside)
    else:
        exec(f"def {function}(verb): verb()", inside)
        inside[function](verb)


@pytest.mark.parametrize(
    ("module", "function", "is_whole"),
    [
        ("numpy", "<module>", True), ("pandas.core", "<module>", True), ("zermelo.basics.threads", "_give_back", True),
        ("mygame", "<module>", False),
    ],
)  # fmt: skip
def test_ctrl_c_waits_for_imports_and_forks(module: str, function: str, is_whole: bool) -> None:
    """In a notebook, after half an import of numpy no game could be compiled any more; locks were not given back after a fork."""
    done: list[int] = []

    def verb() -> None:
        signal.raise_signal(signal.SIGINT)
        done.extend(range(1000))

    with pytest.raises(KeyboardInterrupt), interruptible():
        called_by(module, function, verb)
        for _ in range(250):
            time.sleep(0.02)
    assert bool(done) == is_whole


@pytest.mark.parametrize("is_solved", [False, True])
def test_a_handler_of_signals_does_not_solve_while_its_thread_compiles(is_solved: bool) -> None:
    """The compiler's lock let the same thread in again: false errors of rules, errors of imports, and a crash of the whole process."""
    solution = zermelo.solve("pig", goal=3)
    verb = (lambda: solution.evaluate(solution.policy)) if is_solved else (lambda: zermelo.solve("pig", goal=3))
    importing = _frozen_importlib._ModuleLock("numba.core.compiler")
    with only("interpreted"):
        with pytest.raises(zermelo.OutOfReach, match="have the handler note what is wanted"):
            called_by("numba.core.compiler", "compiling", verb)
        for place in (("concurrent.futures.thread", "submit"), ("threading", "start")):  # both waited forever
            with pytest.raises(zermelo.OutOfReach, match="or starts a thread"):
                called_by(*place, verb)
        called_by("concurrent.futures.thread", "_worker", verb)
        called_by("threading", "wait", verb)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(_frozen_importlib._module_locks, importing.name, lambda: importing)
            importing.acquire()
            with pytest.raises(zermelo.OutOfReach, match="loads the compiler"):
                verb()
            importing.release()
        verb()


def test_where_no_thread_can_be_started_blas_does_not_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """It raised KeyboardInterrupt in who solved a game."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    with limited(0):
        load("__future__")
        assert "OPENBLAS_NUM_THREADS" not in os.environ  # is there
        monkeypatch.delitem(sys.modules, "__future__")
        load("__future__")
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def test_where_no_thread_can_ring_again_ctrl_c_waits_for_the_next_kernel() -> None:
    waited = []
    with pytest.raises(KeyboardInterrupt), limited(0), interruptible():
        with unbroken():
            signal.raise_signal(signal.SIGINT)
            waited.append(True)
        heed()
    assert waited


def test_another_meaning_of_ctrl_c_is_left_alone() -> None:
    def own(number: int, frame: object) -> None:
        seen.append(number)

    seen: list[int] = []
    before = signal.signal(signal.SIGINT, own)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is own
        assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_that_nobody_waits_for_end_at_their_next_kernel() -> None:
    """They went on to the end of their piece, which could take as long as compiling a game."""

    def work() -> None:
        end = time.monotonic() + 30
        begun.set()
        while time.monotonic() < end:
            heed()

    begun, began = threading.Event(), time.monotonic()
    with pytest.raises(KeyboardInterrupt), crew(1) as pool:
        future = pool.submit(work)
        begun.wait()
        raise KeyboardInterrupt
    assert time.monotonic() - began < 10 and isinstance(future.exception(), Ended)
    with ended([]):
        heed()


def test_threads_that_begin_where_others_end_go_on() -> None:
    """A thread gets the number of one that is over, and was ended in its place: programs with several threads that solve saw `Ended`."""

    def solve() -> None:
        for _ in range(20):
            with crew(2) as pool:
                seen.update([f.exception() for f in [pool.submit(heed) for _ in range(2)]])

    seen = set[BaseException | None]()
    solving = [threading.Thread(target=solve) for _ in range(4)]
    for thread in solving:
        thread.start()
    for thread in solving:
        thread.join()
    assert seen == {None}


LINEAR = """
import os, signal, threading, time
import numpy as np
import zermelo
payoffs = np.random.default_rng(1).integers(-9, 10, (1000, 1000)).tolist()
zermelo.matrix_game([[1, 2], [3, 0]])

def later():
    while all(thread.name != "linear program" for thread in threading.enumerate()):
        time.sleep(0.01)
    time.sleep(0.2)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

sent = []
threading.Thread(target=later, daemon=True).start()
try:
    print(zermelo.matrix_game(payoffs).value)
except KeyboardInterrupt:
    print("KeyboardInterrupt", time.monotonic() - sent[0] < 4)
print(zermelo.matrix_game(np.eye(200).tolist()).value)
"""


def test_a_large_linear_program() -> None:
    """It went on to its end, 20 seconds and more; and a thread that HiGHS leaves behind ended the process."""
    assert _ran(LINEAR) == ["KeyboardInterrupt True", "1/200"]


def test_ctrl_c_while_the_command_line_is_loaded() -> None:
    script = """
import sys
class Interrupting:
    def find_spec(self, name, *more):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from zermelo.cli import main
sys.exit(main(["solve", "pig"]))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "interrupted\n")


def _ran(script: str) -> list[str]:
    """The lines that a process prints that ends well, without a complaint."""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=100)
    assert run.returncode == 0 and not run.stderr, run.stderr
    return run.stdout.splitlines()


def test_ctrl_c_that_comes_while_signals_are_set_or_memory_begins_to_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler of Ctrl-C is Python's again, and no thread goes on watching."""
    handler, watches, set_handler = signal.getsignal(signal.SIGINT), [], signal.signal

    class Interrupted(machine._Watch):
        def start(self) -> None:
            super().start()
            watches.append(self)
            raise KeyboardInterrupt

    monkeypatch.setattr(machine, "_Watch", Interrupted)
    with pytest.raises(KeyboardInterrupt), machine.enough("a game"):
        pass
    watches[0].join(10)
    assert not watches[0].is_alive()

    def interrupted(number: int, handler: Any) -> None:
        set_handler(number, handler)
        if handler is not signal.default_int_handler:
            raise KeyboardInterrupt

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt), interruptible():
        pass
    assert signal.getsignal(signal.SIGINT) is handler
