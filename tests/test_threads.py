"""Results do not depend on the number of threads, and that number is what the process may use or what was asked for."""

from __future__ import annotations

import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from threadpoolctl import ThreadpoolController, threadpool_limits

import zermelo
from asking import solve_board
from several_threads import limited, several
from zermelo.answers.entered import EnteredAnswers
from zermelo.basics import machine, notices, threads
from zermelo.basics.once import once
from zermelo.engines.boards import solving as boards
from zermelo.engines.stages import equations
from zermelo.engines.urn import sweep
from zermelo.games import CardDraw, ConnectFour, LeftCenterRight, Pig, TenThousandRace
from zermelo.games.blackjack import Rules, analyse, evaluate
from zermelo.games.blackjack.threads import pool
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels import kernel, meeting, simulate, urn, urn_play
from zermelo.kernels import urn_places as places
from zermelo.methods import linear, orders
from zermelo.uses import simulate_urn


@pytest.fixture(autouse=True)
def by_default() -> Iterator[None]:
    yield
    threads._asked.clear()


def same(found: list[Any]) -> None:
    """All of them are the same, bit for bit."""
    for other in found[1:]:
        np.testing.assert_equal(other, found[0])


def with_each(work: Any) -> list[Any]:
    found = []
    for number in several():
        assert zermelo.threads() == number
        found.append(work())
    return found


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tier", "players"), [("interpreted", 3), ("compiled", 4)])
def test_stages(tier: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equations, "CHUNK", 1 << 4)
    monkeypatch.setattr(equations, "LEAST", 1 << 4)  # so that all threads have something to write
    monkeypatch.setattr(orders, "LEAST", 1 << 4)

    def work() -> Any:
        solution = zermelo.solve(LeftCenterRight(players))
        return solution.values, solution.errors, solution.length, dict(solution.report.facts)

    with kernel.only(tier):
        same(with_each(work))


def test_races() -> None:
    def work() -> Any:
        solution = zermelo.solve(TenThousandRace(40))
        answers = solution.answers
        return answers.keys, answers.value, answers.error, solution.low, solution.high, dict(solution.report.facts)

    same(with_each(work))


def test_verbs_of_races(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their stages are solved again ahead, also those that play does not come to."""
    monkeypatch.setattr("zermelo.uses.need.MOST_BRIDGED", 0)  # as if the game were too large to be stored

    def work() -> Any:
        solution = zermelo.solve(TenThousandRace(8))
        return solution.length, [vars(solution.distribution(payoff, tail=1e-6)) for payoff in (None, "payoff")]

    with kernel.only("compiled"):  # threads run at the same time
        same(with_each(work))


@pytest.mark.parametrize("game", [GobbletGobblers(2, 2, True), ConnectFour(4, 3)], ids=["levels", "depth first"])
def test_boards(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BLOCK", 1 << 6)

    def work() -> Any:
        solution = solve_board(game)
        levels = [{**level, "seconds": 0} for level in solution.report.facts["levels"]]
        return np.asarray(solution.answers.codes[:]), {**solution.report.facts, "levels": levels}

    found = with_each(work)
    same(found)
    codes, facts = found[0]
    decided = sum(level["won"] + level["lost"] for level in facts["levels"])
    ends = np.isin(codes, (boards.status.FIRST, -boards.status.FIRST))
    open_or_drawn = np.isin(codes, (boards.status.UNSEEN, boards.status.DRAWN, boards.status.FINAL_DRAW))
    assert decided == np.sum(~ends & ~open_or_drawn) > 400


@pytest.mark.parametrize(("red", "black", "deviations", "most"), [(30_000, 30_000, 40.0, 4), (50_000, 30_000, 50.0, 6), (5, 5, 1e4, 1)])
def test_urns(red: int, black: int, deviations: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "BUDGET", 10_000_000)  # they come back several times
    monkeypatch.setattr(sweep, "SLOWER", math.inf)  # even if other programs use the processors
    together, numbers = sweep.together, set()

    def noted(work: Any, number: int, give_up: Any) -> None:
        def part(k: int, among: int) -> None:
            numbers.add(among)
            work(k, among)

        together(part, number, give_up)

    monkeypatch.setattr(sweep, "together", noted)

    def work() -> Any:
        done = sweep.Sweep(red, black, deviations, [10, min(red, black)])
        done.run()
        return done._arrays(), done.cells

    same(with_each(work))
    assert numbers == {1, min(2, most), min(8, most)}  # with three, two can work


@pytest.mark.parametrize("most", [0, 2])
def test_threads_that_meet_are_those_that_can_be_started(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others waited for one that never came, or all was over. It is said once."""
    monkeypatch.setattr(notices, "_said", [])
    done: list[tuple[int, int]] = []
    with limited(most), pytest.warns(notices.Notice, match="^the system lets this process start no more threads: ") as said:
        for _ in range(2):
            threads.together(lambda k, number: done.append((k, number)), 4, lambda: None)
    assert sorted(done) == sorted(2 * [(k, most + 1) for k in range(most + 1)]) and len(said) == 1


@pytest.mark.parametrize("most", [0, 1, 2])
def test_what_no_thread_can_be_started_for_is_done_by_those_there_are(most: int) -> None:
    """In the turn of the pieces, once each; an error of the first piece that has one is raised, and what is not asked for is not done."""
    did = list[int]()

    def work(k: int) -> int:
        did.append(k)
        return 6 // (9 - k)

    with limited(most), threads.crew(2) as crew:
        jobs = [crew.submit(work, k) for k in range(9)]
        assert [job.result() for job in jobs[:7]] == [6 // (9 - k) for k in range(7)]
        assert jobs[7].cancel() or most
        held = weakref.ref(jobs.pop())
        assert not held() or most  # nor kept, as it may be large
    assert sorted(did)[:7] == list(range(7)) and len(set(did)) == len(did) and (most or len(did) == 7)
    with limited(most), pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "_asked", [3])
        with pytest.raises(ZeroDivisionError):
            threads.shared(work, range(12))
    gc.disable()
    try:
        with limited(most), threads.crew(1) as crew:
            failed = crew.submit(work, 9)
            with suppress(ZeroDivisionError):
                failed.result()
            held = weakref.ref(failed)
            del failed
        assert held() is None  # nor kept by its error
    finally:
        gc.enable()


def test_threads_that_meet_do_not_wait_for_one_that_is_interrupted() -> None:
    shared, tile = np.zeros(meeting.PLACES, np.int64), np.zeros(places.TILE, np.int64)
    done = sweep.Sweep(5_000, 5_000, 40.0)
    done.run()  # loads the kernel
    done._carried[places.STAGE] -= 1
    nothing = np.zeros(8)

    def work(k: int, number: int) -> None:
        if k == 0:
            raise KeyboardInterrupt
        urn.sweep.compiled(
            done._buffer, nothing, np.zeros((2, 8)), done._carried, done._tiles, done._highest, done._reach, done.at, done.curve,
            5_000, 5_000, 10_000, 40.0, 1, tile, shared, k, number,
        )  # fmt: skip

    with pytest.raises(KeyboardInterrupt):
        threads.together(work, 3, lambda: shared.__setitem__(meeting.GIVEN_UP, 1))
    assert shared[meeting.MEETINGS] == 0


def test_plays() -> None:
    pig, urn = zermelo.solve(Pig(20)), zermelo.solve(CardDraw(2000, 2000))
    assert urn.report.engine == "urn"
    for solution in (pig, urn):
        same([(s.totals, s.lengths, s.circling) for s in with_each(lambda: solution.simulate(20_000, seed=5))])  # noqa: B023


def test_blackjack() -> None:
    shoes = np.full((3, 10), 4) + np.eye(10, dtype=int)[:3]
    shoes[:, 9] += 12
    same(with_each(lambda: (evaluate(shoes, Rules(decks=1, split_to=2)), analyse(Rules(decks=1)).value)))


class Spot(NamedTuple):
    number: int
    stage: int


class Flat(NamedTuple):
    """Most rows of the first half have more nonzeros than those that the room is judged by."""

    spots: int = 400

    def start(self) -> Spot:
        return Spot(2, 0)

    def outcomes(self, s: Spot) -> Iterator[tuple[int, int, Spot]]:
        if s.stage == 0:
            yield 1, s.number, Spot(0, 1)
            yield 1, 1, Spot((s.number + 37) % self.spots, 0)
            if s.number < self.spots // 2 and s.number % 4 == 2:
                yield 1, 1, Spot((s.number + 61) % self.spots, 0)
                yield 1, 1, Spot((s.number + 111) % self.spots, 0)


class Uneven(Flat):
    """The same in stages."""

    def stage(self, s: Spot) -> int:
        return s.stage

    def space(self, stage: int) -> Any:
        return (range(self.spots), range(stage, stage + 1)) if stage < 2 else None


def test_the_parts_of_a_stage_do_not_write_over_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equations, "CHUNK", 1 << 4)
    expected = zermelo.solve(Flat())
    for _ in several():
        solution = zermelo.solve(Uneven())
        assert solution.report.engine == "stages" and expected.report.engine != "stages"
        assert solution.low <= expected.high and expected.low <= solution.high
        for at in range(0, 400, 17):
            assert solution.probe(Spot(at, 0)).value == pytest.approx(expected.probe(Spot(at, 0)).value, rel=1e-12)


@pytest.mark.parametrize("swept", [False, True])
def test_what_a_thread_begins_anew_is_its_own_part(swept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both threads have Python play, the second until the first is ready; then its time is over, and it begins anew, compiled."""
    solution = zermelo.solve(CardDraw(3000, 3000)) if swept else zermelo.solve(CardDraw(4, 4))
    assert solution.has_stopping_line == swept
    monkeypatch.setattr(simulate_urn, "DRAWS", 1 << 16)
    plays = 2 * (10 if swept else simulate.BLOCK)  # two blocks
    zermelo.threads(1)
    expected = solution.simulate(plays)
    played = (urn_play if swept else simulate).play_blocks
    monkeypatch.setattr(played, "is_ready", False)
    monkeypatch.setattr(played, "seconds", 0.0)
    begun, first_is_ready, interpret = Barrier(2), Event(), kernel.interpret

    def interpreted(function: Any, arguments: tuple[Any, ...], allowance: Any) -> Any:
        if function is not played.interpreted:
            return interpret(function, arguments, allowance)
        begun.wait(60)
        if arguments[0] == 0:
            result = interpret(function, arguments, kernel.Allowance(60))
            first_is_ready.set()
            return result
        assert first_is_ready.wait(60)
        raise kernel.OutOfTime

    monkeypatch.setattr(kernel, "interpret", interpreted)
    zermelo.threads(2)
    found = solution.simulate(plays)
    assert first_is_ready.is_set() and (found.totals, found.lengths) == (expected.totals, expected.lengths)


# --- the number -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, -1, 1025, 1.5, True, "2"])
def test_numbers_that_are_none(number: Any) -> None:
    with pytest.raises(zermelo.ParameterError, match=r"threads must be a whole number from 1 to 1,024, not"):
        zermelo.threads(number)


def told(**environment: str) -> subprocess.CompletedProcess[str]:
    code = "import zermelo; print(zermelo.threads())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment})


def test_the_processors_of_this_process_are_used() -> None:
    code = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); import zermelo; print(zermelo.threads())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "1\n"
    assert told(ZERMELO_THREADS="5").stdout == "5\n"
    assert "ZERMELO_THREADS must be a whole number from 1 to 1,024, not 'many'" in told(ZERMELO_THREADS="many").stderr


def test_the_variable_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read once, and 5,000 digits were a traceback of Python's."""
    monkeypatch.setattr("zermelo.basics.threads._asked", [])
    for number in ("3", " 2 ", "5"):
        monkeypatch.setenv("ZERMELO_THREADS", number)
        assert zermelo.threads() == int(number)
    monkeypatch.setenv("ZERMELO_THREADS", "9" * 5000)
    with pytest.raises(zermelo.ParameterError, match="from 1 to 1,024, not '9{59}$"):
        zermelo.threads()


@pytest.mark.parametrize(
    ("version", "limit", "granted"), [(2, "150000 100000", 1.5), (2, "max 100000", np.inf), (1, "150000", 1.5), (1, "-1", np.inf)]
)
def test_a_container_grants_less(version: int, limit: str, granted: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "PROCESS", tmp_path / "proc")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    controller = "" if version == 2 else "cpu"
    (tmp_path / "proc" / "self" / "cgroup").write_text(f"4:memory:/\n{0 if version == 2 else 5}:{controller}:/outer/inner\n")
    inner = tmp_path / "cgroup" / controller / "outer" / "inner"
    inner.mkdir(parents=True)
    where = inner.parent  # the limit of a group above holds as well
    if version == 2:
        (where / "cpu.max").write_text(limit + "\n")
    else:
        (where / "cpu.cfs_quota_us").write_text(limit + "\n")
        (where / "cpu.cfs_period_us").write_text("100000\n")
    assert machine.cores_granted() == granted


def test_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    from zermelo.cli.app import main

    found = []
    for number in ("1", "3"):
        assert main(["solve", "left-center-right", "--players", "3", "--threads", number, "--json"]) == 0
        assert zermelo.threads() == int(number)
        found.append(capfd.readouterr().out)
    assert '"value"' in found[0]
    assert main(["solve", "pig", "--threads", "0"]) == 2
    assert capfd.readouterr().err == "zermelo: --threads must be a whole number from 1 to 1024, not 0\n"


def test_one_thread_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in stages was solved by a second thread even when one was asked for."""
    zermelo.threads(1)
    monkeypatch.setattr("concurrent.futures.thread.ThreadPoolExecutor.submit", lambda *_: pytest.fail("another thread"))
    assert zermelo.solve(LeftCenterRight(2)).value > 1


IMPORTING = """
import sys, threading
from zermelo.basics.stopwatch import seconds_compiling
threading.Thread(target=__import__, args=("numba",), daemon=True).start()
while "numba" not in sys.modules:
    pass
print(seconds_compiling())
"""


def test_a_thread_asks_for_the_time_of_the_compiler_while_another_one_imports_it() -> None:
    """Two threads that solved their first games waited for each other for ever, or ended in an AttributeError of numba's."""
    done = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0.0\n", "")


def test_an_attribute_is_made_once_by_several_threads() -> None:
    """Since Python 3.12 `cached_property` has no lock: kernels that two threads asked for were compiled with names not there yet."""
    made: list[int] = []

    class Slow:
        @once
        def value(self) -> object:
            time.sleep(0.02)
            made.append(threading.get_ident())
            return object()

    slow, found = Slow(), list[object]()
    others = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(4)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert len(made) == 1 and len(found) == 4 and set(found) == {slow.value}


@pytest.mark.parametrize("fails", [False, True])
def test_attributes_that_refer_to_one_another_are_seen_when_all_are_made(fails: bool) -> None:
    """A thread compiled a kernel whose names another thread was still entering: "Cannot determine Numba type of" another kernel."""
    inside, go_on, names, seen = threading.Event(), threading.Event(), dict[str, int](), list[dict[str, int]]()

    class Node:
        @once
        def around(self) -> dict[str, int]:
            if self is first:
                assert second.around is names
                inside.set()
                assert go_on.wait(10)
                if fails:
                    raise KeyboardInterrupt
                names["second"] = 2
            return names

    first, second = Node(), Node()
    maker = threading.Thread(target=lambda: first.around)
    asker = threading.Thread(target=lambda: seen.append({**second.around}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "excepthook", lambda raised: None)
        maker.start()
        assert inside.wait(10)
        asker.start()
        asker.join(0.02)
        assert not seen and not vars(second)
        go_on.set()
        maker.join()
        asker.join()
    assert seen == [{} if fails else {"second": 2}] and bool(vars(first)) != fails


ENDING = """
import atexit, threading
from zermelo.basics.threads import shared, threads
from zermelo.games.blackjack.threads import pool

def work(where):
    if threading.current_thread() is not threading.main_thread():
        threading.main_thread().join()
    print(where, shared(abs, [-1, -2]), list(pool().map(abs, [-3, -4])))

threads(2)
atexit.register(work, "at exit")
threading.Thread(target=work, args=("after the script",)).start()
"""


def test_what_is_solved_when_the_script_has_ended() -> None:
    """Pools of threads can't be made then: a thread that solved on, and a function registered with `atexit`, ended in a RuntimeError."""
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("after the script [1, 2] [3, 4]\nat exit [1, 2] [3, 4]\n", "")


def test_a_process_that_is_forked_off_has_threads_of_its_own() -> None:
    """Blackjack waited there for ever for the threads of the process that it was forked from."""
    zermelo.threads(2)
    assert list(pool().map(abs, [-1])) == [1]
    child = os.fork()
    if child == 0:
        try:
            os._exit(pool().submit(abs, -3).result(timeout=10))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3


def test_a_process_that_is_forked_off_asks_for_states_of_stages_although_another_thread_did() -> None:
    solution, held, end = zermelo.solve("ten-thousand-race", goal=3), threading.Event(), threading.Event()

    def hold() -> None:
        with EnteredAnswers._solving:
            held.set()
            end.wait()

    (holder := threading.Thread(target=hold)).start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(solution.best_action(solution.rules.start) if EnteredAnswers._solving.acquire(timeout=1) else 99)
    end.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == solution.best_action(solution.rules.start)


def test_a_process_that_is_forked_off_beside_threads_that_solve() -> None:
    """The child waited for locks of threads that it does not have: of attributes that they made, of the compiler and of imports."""

    class Slow:
        @once
        def value(self) -> int:
            making.set()
            assert done.wait(10)
            return 3

    def hold(lock: Any) -> None:
        with lock:
            held.set()
            let_go.wait(10)
            found.append("let go")

    making, done, held, let_go, found = threading.Event(), threading.Event(), threading.Event(), threading.Event(), list[str]()
    namespace = ModuleType("zermelo.slow")
    namespace.Slow = Slow  # type: ignore[attr-defined]
    compiler = global_compiler_lock._lock
    others = [threading.Thread(target=lambda: Slow().value), threading.Thread(target=hold, args=(compiler,))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "zermelo.slow", namespace)
        clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: let_go.set() or time.sleep(seconds))
        patch.setattr(threads, "time", clock, raising=False)  # the compiler ends once the fork waits for it
        for other in others:
            other.start()
        assert making.wait(10) and held.wait(10)
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(10)  # if it waits
                done.set()
                os._exit(Slow().value if found and compiler.acquire(timeout=5) else 1)
            finally:
                os._exit(1)
        done.set()
        for other in others:
            other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    assert compiler.acquire(blocking=False)  # given back here, too
    compiler.release()


FORKING = """
import os, sys, threading, time, _frozen_importlib
from types import SimpleNamespace
from zermelo.basics import threads
from zermelo.basics.interrupts import importers

def hold():
    with lock:
        held.set()
        time.sleep(0.05)
        import logging
        logging.getLogger("compiler").isEnabledFor(10)

held, lock = threading.Event(), threading.Lock()
threads.COMPILER, sys.modules["compiler"] = (("compiler", "lock"),), SimpleNamespace(lock=lock)
threading.Thread(target=hold).start()
held.wait()
began = time.monotonic()
if os.fork() == 0:
    os._exit(0)
print(time.monotonic() - began < 10)
with _frozen_importlib._ModuleLockManager("importlib.metadata"):
    print(importers() == {threading.get_ident()})
"""


def test_a_fork_waits_before_it_takes_locks_of_others() -> None:
    """The compiler waited for the lock of `logging`, which the fork had, and the fork a minute for the compiler; then the child hung."""
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("True\nTrue\n", "")


def numbers_of_blas() -> set[int]:
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


def test_full_systems_are_solved_by_one_thread_of_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others spin while they wait, which takes hundreds of times as long on a busy machine."""
    seen, solve, n = [], np.linalg.solve, 150

    def watched(*given: Any) -> Any:
        seen.append(numbers_of_blas())
        return solve(*given)

    monkeypatch.setattr(np.linalg, "solve", watched)
    circle = (np.arange(n + 1), np.roll(np.arange(n), -1), np.full(n, 0.5))  # x[i] = 1 + x[i + 1] / 2
    with threadpool_limits(2, "blas"):
        found = linear.solve(circle, np.ones((n, 1)), np.zeros((n, 1)))
        with ThreadPoolExecutor(2) as pool:
            others = list(pool.map(lambda _: linear.solve(circle, np.ones((n, 1)), np.zeros((n, 1))), range(4)))
        assert numbers_of_blas() == {2}
    same([found, *others])
    assert found.ravel() == pytest.approx(2.0, abs=1e-15)
    assert seen and seen[0] == {1}
