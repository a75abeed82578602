"""Work on pieces that other threads begin ahead, or do behind: in order, by so many threads and no more, with errors in their turn."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from zermelo.basics import pipeline, threads
from zermelo.basics.crew import Crew

LONG = 60.0  # seconds, for what never takes so long


@pytest.mark.parametrize("number", [1, 2, 5])
def test_ahead_is_in_order_and_not_far_ahead(number: int) -> None:
    taken = []

    def pieces() -> Iterator[int]:
        for k in range(40):
            taken.append(k)
            yield k

    used = 0
    for k in pipeline.ahead(lambda k: k * k, pieces(), number):
        assert k == used * used
        used += 1
        assert len(taken) - used <= number
    assert used == 40


def test_behind_the_first_error_is_told() -> None:
    """That of a piece, of the work on an earlier one, or of the work on two of them."""

    def pieces(last: int) -> Iterator[int]:
        for k in range(6):
            if k == last:
                raise KeyError(k)
            yield k

    def work(k: int) -> int:
        if k in (3, 4):
            raise ValueError(k)
        return k

    for number in (1, 2):
        for last, error, told in ((2, KeyError, 2), (4, ValueError, 3), (9, ValueError, 3)):
            came = []
            with pytest.raises(error) as caught:
                for k in pipeline.behind(work, pieces(last), number):
                    came.append(k)
            assert caught.value.args == (told,) and came == list(range(min(told, 3)))[: len(came)]


def test_an_error_ahead_comes_in_its_turn() -> None:
    came = []
    with pytest.raises(ZeroDivisionError):
        for k in pipeline.ahead(lambda k: 6 // (3 - k), range(10), 3):
            came.append(k)
    assert came == [2, 3, 6]


@pytest.mark.parametrize("way", ["ahead", "pieces", "shared"])
def test_an_error_from_outside_comes_at_once(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the turn of the piece that this thread did while it waited, which may never come, or when earlier pieces are done."""
    did, is_begun, is_told = list[int](), threading.Event(), threading.Event()

    def work(k: int) -> None:
        did.append(k)
        if threading.current_thread() is not threading.main_thread():
            is_begun.set()
            assert is_told.wait(LONG)
        elif way != "pieces":
            fail()

    def fail() -> None:
        assert is_begun.wait(LONG)
        raise MemoryError

    def left(self: Crew, *how: Any, **more: Any) -> None:
        shutdown(self, False, cancel_futures=True)
        is_told.set()  # the other thread ends while this one leaves its threads
        shutdown(self, *how, **more)

    def pieces() -> Iterator[int]:
        yield 0
        assert is_begun.wait(LONG)
        yield 1
        if way == "pieces":
            fail()
        yield 2

    shutdown = Crew.shutdown
    monkeypatch.setattr(Crew, "shutdown", left)
    monkeypatch.setattr(threads, "_asked", [2])
    with pytest.raises(MemoryError):
        threads.shared(work, range(6)) if way == "shared" else list(pipeline.ahead(work, pieces(), 2))
    assert sorted(did) == ([0, 5] if way == "shared" else [0] if way == "pieces" else [0, 1])


def test_who_waits_does_other_pieces_meanwhile() -> None:
    """The second thread does the first piece until another one has done the second."""
    is_first_begun, is_second_done, did = threading.Event(), threading.Event(), {}

    def work(k: int) -> int:
        did[k] = threading.current_thread()
        if k == 0:
            is_first_begun.set()
            assert is_second_done.wait(LONG)
        if k == 1:
            is_second_done.set()
        return k

    def pieces() -> Iterator[int]:
        yield 0
        assert is_first_begun.wait(LONG)
        yield from range(1, 4)

    assert list(pipeline.ahead(work, pieces(), 2)) == [0, 1, 2, 3]
    assert did[0] is not did[1] is threading.main_thread()


@pytest.mark.parametrize("number", [2, 3, 8])
def test_one_pipeline_within_another_shares_its_threads(number: int) -> None:
    """Pieces that are written ahead, used in order, and looked at behind, one by one."""
    workers, busy, most, seen = set(), 0, 0, list[int]()
    lock = threading.Lock()

    def noting(k: int) -> int:
        nonlocal busy, most
        with lock:
            workers.add(threading.current_thread())
            busy += 1
            most = max(most, busy)
        threading.Event().wait(0.001)
        with lock:
            busy -= 1
        return k

    def looked_at(k: int) -> int:
        assert seen == list(range(k))
        seen.append(noting(k))
        assert seen == list(range(k + 1))
        return -k

    with closing(pipeline.behind(looked_at, pipeline.ahead(noting, range(30), number), number)) as found:
        assert list(found) == [-k for k in range(30)]
    assert len(workers) <= number and most <= number
    assert not [t for t in workers if t is not threading.main_thread() and t.is_alive()]


def test_a_pipeline_that_is_closed_leaves_nothing_to_do() -> None:
    """Of one within another, what was begun is forgotten; one that outlives the other goes on by itself."""
    begun = list[int]()

    def work(k: int) -> int:
        begun.append(k)
        return k

    outer = pipeline.behind(work, iter(range(5)), 2)
    next(outer)
    inner = pipeline.ahead(lambda k: k * k, iter(range(10)), 2)
    assert [next(inner), next(inner)] == [0, 1]
    outer.close()
    assert list(inner) == [k * k for k in range(2, 10)]
    dropped = pipeline.ahead(work, iter(range(100, 200)), 2)
    assert next(dropped) == 100
    dropped.close()
    assert len([k for k in begun if k >= 100]) <= 4
    assert list(pipeline.ahead(lambda k: k, range(5), 2)) == list(range(5))


def test_a_pipeline_that_another_thread_ends_leaves_no_dead_team() -> None:
    """As where garbage is found there: from then on this thread did all by itself."""
    found = pipeline.ahead(lambda k: k, iter(range(9)), 2)
    assert next(found) == 0
    ending = threading.Thread(target=found.close)
    ending.start()
    ending.join()
    both = threading.Barrier(2)
    assert list(pipeline.ahead(lambda k: both.wait(LONG) >= 0, range(2), 2)) == [True, True]


def test_a_process_that_is_forked_off_has_no_team() -> None:
    """It waited for a lock that was held in the other process, by a thread that it doesn't have."""
    outer = pipeline.ahead(lambda k: k, iter(range(9)), 2)
    assert next(outer) == 0
    with closing(outer), pipeline._local.team._lock:
        child = os.fork()
        if child == 0:
            signal.alarm(int(LONG))
            os._exit(list(pipeline.ahead(lambda k: k, iter(range(9)), 2)) != list(range(9)))
    assert os.waitpid(child, 0)[1] == 0
