"""Studies: many solves asked once, side by side, kept on disk; where the value crosses a number, and how it changes."""

from __future__ import annotations

import csv
import errno
import gc
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import zermelo
from asking import Here
from zermelo.basics.notices import Notice
from zermelo.cli import main
from zermelo.cli.study import _print_slopes
from zermelo.errors import NoMemory, OutOfReach, ParameterError
from zermelo.games import Pig
from zermelo.studies import kept, row, study, workers
from zermelo.studies.dual import Dual, NotSmooth
from zermelo.studies.figure import _course
from zermelo.studies.pace import Pace
from zermelo.studies.workers import Workers

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class At(NamedTuple):
    at: int


class Toll(NamedTuple):
    """Walk to the end by a coin: one step pays `prize`, and costs `price`; staying is free, and ends it."""

    length: Annotated[int, "how far", range(1, 1000)] = 5
    price: float = 0.25
    prize: int = 1
    weights: tuple[int, int] = (1, 1)
    bold: bool = False

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.at < self.length:
            yield 1
            if not self.bold:
                yield 0

    def outcomes(self, s: At, a: int) -> Iterator[tuple[int, float, At]]:
        if a == 0:
            yield 1, 0, At(self.length)
        else:
            yield self.weights[0], self.prize - self.price, At(s.at + 1)
            yield self.weights[1], -self.price, At(s.at + 1)


def worth(length: int, price: float, prize: int = 1, bold: bool = False) -> float:
    """The value of `Toll` with even weights, by hand: every step is worth prize / 2 - price."""
    each = prize / 2 - price
    return length * (each if bold else max(each, 0.0))


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is known from an earlier time, and one process solves where a test does not ask for more: each is a copy of a large one."""
    for module in ("asking", "study"):
        monkeypatch.setattr(f"zermelo.studies.{module}.default_processes", lambda: 1)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: Any) -> tuple[int, str, str]:
        code = main([*map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studies.asking.Workers", Here)


in_this_process = pytest.mark.usefixtures("here")


# --- rows --------------------------------------------------------------------------------------------------------------


def test_every_combination_has_the_row_that_solve_gives() -> None:
    found = zermelo.study(Toll, length=range(1, 6), price=[0.25, 0.75], bold=[False, True], processes=2)
    assert found.is_whole and len(found.rows) == found.asked == 20 and not found.failed
    assert [tuple(r.parameters.values())[:2] for r in found.rows[:5]] == [(1, 0.25), (1, 0.25), (1, 0.75), (1, 0.75), (2, 0.25)]
    for r in found.rows:
        p = r.parameters
        assert r.low <= worth(p["length"], p["price"], bold=p["bold"]) <= r.high
        alone = zermelo.solve(Toll(**p))
        assert (r.value, r.low, r.high, r.states) == (alone.value, alone.low, alone.high, alone.report.states)
        assert r.certificate == alone.certificate.kind
        assert r.payoffs == {"payoff": (r.value, r.low, r.high)}


def test_one_value_is_a_study_too_and_a_game_gives_defaults() -> None:
    found = zermelo.study(Toll(length=7, price=0.125))
    assert [r.parameters for r in found.rows] == [Toll(length=7, price=0.125)._asdict()]
    assert found.varied == () and found.table().printed is not None


def test_a_combination_that_fails_loses_no_other() -> None:
    found = zermelo.study(Toll, length=[3, 50, 4], max_states=20, processes=2)
    assert [bool(r.error) for r in found.rows] == [False, True, False]
    assert "20" in found.failed[0].error and "\n" not in found.failed[0].error
    assert found.failed[0].value is None and found.failed[0].low is None
    again = zermelo.study(Toll, length=[3, 50, 4], max_states=20)
    assert [r.from_disk for r in again.rows] == [True, False, True]  # reasons are not kept


class Broken(NamedTuple):
    size: int = 2

    def start(self) -> At:
        return At(1 // (self.size - 2))

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.at:
            yield 1, 1, At(0)


def test_an_error_of_the_rules_is_the_error_of_its_row() -> None:
    found = zermelo.study(Broken, size=[2, 3])
    assert found.rows[0].error and "\n" not in found.rows[0].error
    assert found.rows[1].value == 1


@in_this_process
def test_exact_values_and_several_payoffs_and_games_of_strategies() -> None:
    kuhn = zermelo.study("kuhn-poker", cards=[3, 4], lengths=True)
    assert kuhn.rows[0].value == Fraction(-1, 18) and kuhn.rows[0].certificate == "proof"
    assert kuhn.rows[0].length == pytest.approx(zermelo.solve("kuhn-poker", cards=3).length.mean)
    chance = zermelo.study("left-center-right", players=[2], chips=[1, 2])
    assert list(chance.rows[0].payoffs) == ["turns", "seat 1 wins", "seat 2 wins"]
    assert {"seat 1 wins", "seat 1 wins low"} <= set(chance.to_dataframe().columns)
    exact = zermelo.study(Toll, length=[2], exact=True)
    assert exact.rows[0].value == Fraction(1, 2) == exact.rows[0].low


@in_this_process
def test_lengths_and_the_longest_game() -> None:
    found = zermelo.study(Toll, length=[2, 6, 4], lengths=True)
    assert [r.length for r in found.rows] == [2, 6, 4]
    longest = found.longest()
    assert longest is not None and longest.parameters["length"] == 6
    with pytest.raises(ParameterError, match="lengths=True"):
        zermelo.study(Toll, length=[2]).longest()


def test_a_length_that_cannot_be_had_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: Any) -> Any:
        raise OutOfReach("too large")

    monkeypatch.setattr(zermelo.Solution, "length", property(none))
    found = zermelo.study(Toll, length=[2], lengths=True)
    assert found.rows[0].value == 0.5 and found.rows[0].length is None and found.rows[0].notes == ("no length: too large",)
    assert found.longest() is None


@in_this_process
def test_tuples_truth_values_and_text() -> None:
    found = zermelo.study(Toll, weights="1,1;3,1", bold="no,yes", length="1..3,5", price="0..0.3:0.1")
    assert {r.parameters["weights"] for r in found.rows} == {(1, 1), (3, 1)}
    assert {r.parameters["length"] for r in found.rows} == {1, 2, 3, 5}
    assert sorted({r.parameters["price"] for r in found.rows}) == [0.0, 0.1, 0.2, 0.3]  # not 0.30000000000000004
    assert len(found.rows) == 2 * 2 * 4 * 4
    assert [r.parameters["weights"] for r in zermelo.study(Toll, weights=[3, 1]).rows] == [(3, 1)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"length": "9..3"}, "length: the range 9..3 is empty: it goes down"),
        ({"length": "3..9:-1"}, "is empty: it goes up"),
        ({"length": "3..9:0"}, "its step is 0"),
        ({"length": "3..9:0.5"}, "length must be whole numbers"),
        ({"length": "3.."}, "no range"),
        ({"length": "a..b"}, "no range"),
        ({"length": ""}, "length must be a whole number"),
        ({"length": []}, "length is given no value"),
        ({"length": range(0)}, "length is given no value"),
        ({"length": "5..2000:5"}, "must be from 1 to 999, not 1000"),
        ({"length": [2, 3.5]}, "must be a whole number"),
        ({"length": "1..10000000000"}, "100,000"),
        ({"length": "1.." + "9" * 5000}, "far too many values, and a study has at most"),
        ({"price": "0..1"}, r"needs a step, as in 0..1:0.1"),
        ({"length": "1..999", "prize": "1..999"}, "998,001 combinations"),
        ({"size": 3}, "no parameter 'size'"),
        ({"bold": "maybe"}, "yes or no"),
        ({"length": 3, "processes": 0}, "processes must be a whole number"),
        ({"length": 3, "lengths": 1}, "lengths must be True or False"),
        ({"length": 3, "discount": 2}, "discount"),
        ({"length": 3, "tolerance": -1}, "tolerance"),
    ],
)
def test_what_makes_no_sense_is_one_line_before_anything_is_solved(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        zermelo.study(Toll, **given)
    assert not kept.folder().exists()


def test_what_is_no_game() -> None:
    for wrong in (3, At, At(3), None):
        with pytest.raises(ParameterError):
            zermelo.study(wrong)
    with pytest.raises(ParameterError, match="given twice"):
        zermelo.study(Toll, {"length": 3}, length=4)


# --- what is kept ------------------------------------------------------------------------------------------------------


def entries() -> list[Path]:
    return sorted(kept.folder().glob("*/*.json"))


def test_the_same_question_twice_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    first = zermelo.study(Toll, length=[3, 4], exact=True)
    assert len(entries()) == 2 and first.from_disk == 0

    def not_again(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(study.Asker, "_solve", not_again)
    again = zermelo.study(Toll, length=[4, 3], exact=True)
    assert [r._replace(from_disk=False) for r in again.rows] == list(reversed(first.rows))
    assert again.from_disk == 2 and again.processes == 0 and again.busy is None


@in_this_process
def test_other_questions_are_not_answered_by_it() -> None:
    zermelo.study(Toll, length=[3])
    for other in ({"length": [4]}, {"length": [3], "price": 0.5}, {"length": [3], "exact": True}, {"length": [3], "discount": 0.5},
                  {"length": [3], "tolerance": 1e-3}, {"length": [3], "lengths": True}):  # fmt: skip
        assert zermelo.study(Toll, **other).from_disk == 0, other  # type: ignore[arg-type]
    assert zermelo.study(Toll, length=[3]).from_disk == 1
    assert zermelo.study(Toll, length=[3], anew=True).from_disk == 0


RULES = """
    from typing import NamedTuple

    class S(NamedTuple):
        at: int

    def paid():
        return {paid}

    class Walk(NamedTuple):
        length: int = 3

        def start(self):
            return S(0)

        def outcomes(self, s):
            if s.at < self.length:
                yield 1, paid(), S(s.at + 1)
"""


def test_rules_whose_helper_was_edited_are_other_rules(place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    for paid, disk in ((1, "no"), (2, "no"), (1, "yes")):
        (place / "walk.py").write_text(textwrap.dedent(RULES).format(paid=paid))
        assert run("study", "walk.py:Walk", "--length", "3,4", "-o", "walk.csv")[0] == 0
        sys.modules.pop("walk", None)
        with open("walk.csv") as file:
            rows = list(csv.DictReader(file))
        assert [(float(r["value"]), r["from disk"]) for r in rows] == [(3 * paid, disk), (4 * paid, disk)]


def test_another_program_does_not_believe_it(monkeypatch: pytest.MonkeyPatch) -> None:
    zermelo.study(Toll, length=[3])
    monkeypatch.setattr(kept, "program", lambda: "another")
    assert zermelo.study(Toll, length=[3]).from_disk == 0


@pytest.mark.parametrize("damage", ["cut", "bit", "empty", "other", "no json"])
def test_a_damaged_entry_is_told_and_replaced(damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    zermelo.study(Toll, length=[3, 4], processes=1)
    path, other = entries()
    content = path.read_bytes()
    middle = len(content) // 2
    damaged = {
        "cut": content[:middle], "bit": content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :], "empty": b"",
        "other": other.read_bytes(), "no json": kept.hashlib.sha256(b"[").digest() + b"[",
    }  # fmt: skip
    path.write_bytes(damaged[damage])
    with pytest.warns(UserWarning, match="a kept answer was damaged: it is computed again and replaced"):
        found = zermelo.study(Toll, length=[3, 4], processes=1)
    assert found.from_disk == 1 and [r.value for r in found.rows] == [0.75, 1.0]
    assert zermelo.study(Toll, length=[3, 4]).from_disk == 2


def test_where_nothing_can_be_kept_it_is_said(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    (place / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE", str(place / "file"))
    with pytest.warns(UserWarning, match="answers can't be kept for the next time .*ZERMELO_CACHE"):
        assert zermelo.study(Toll, length=[3]).rows[0].value == 0.75


def test_numbers_of_any_length_come_back_as_they_were() -> None:
    number = Fraction(3**20000, 7**15000)
    there = row.Row({"a": 1}, number, 0.1, float("inf"), {"x": (number, 0.1, 1e-300)}, "proof", None, None, 0.5, 0.1, ("note",))
    assert row.decoded({"a": 1}, json.loads(row.as_bytes(row.encoded(there)))) == there


# --- processes -----------------------------------------------------------------------------------------------------------


SLOW = """
    import time
    from typing import NamedTuple

    class S(NamedTuple):
        at: int

    def nap(seconds):
        time.sleep(seconds)
        return 0

    class Slow(NamedTuple):
        length: int = 1
        nap: float = 0.5

        def start(self):
            return S({start})

        def outcomes(self, s):
            if s.at < self.length:
                yield 1, 1, S(s.at + 1)
"""


def command(place: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "zermelo.cli", *words], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in found.read_text().split()] if found.exists() else []


def wait_for(what: Callable[[], Any], seconds: float = 60.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def slow(place: Path, start: str) -> None:
    (place / "slow.py").write_text(textwrap.dedent(SLOW).format(start=start))


def test_ctrl_c_keeps_what_is_done_and_the_next_time_goes_on(place: Path) -> None:
    slow(place, "nap(self.nap)")
    words = ("study", "slow.py:Slow", "--length", "1..40", "--nap", "0.2", "--processes", "2", "-o", "slow.csv")
    with command(place, *words) as process:
        wait_for(lambda: len(entries()) > 3)
        workers = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "of 40 combinations are done and kept on disk: the same command once more goes on there" in err and "Traceback" not in err
    with open("slow.csv") as file:
        done = list(csv.DictReader(file))
    assert 3 < len(done) < 40 and f"{len(done)} of 40 combinations" in out
    busy = re.search(r"busy (\d+) % of the time", out)
    assert busy and int(busy[1]) > 50
    assert workers and not [pid for pid in workers if Path(f"/proc/{pid}/stat").exists()]
    assert not list(kept.folder().rglob("*.tmp"))
    with command(place, *words[:2], "--length", ",".join(r["length"] for r in done), *words[4:8], "--json") as process:
        out, err = process.communicate(timeout=60)
    assert json.loads(out)["from disk"] == len(done), err


def test_in_python_ctrl_c_leaves_a_study_of_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.basics.notices._said", [])

    def pressed(what: str, done: int, total: int | None) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match=r"interrupted: \d+ of 30 combinations are done and kept on disk"):
        found = zermelo.study(Toll, length=range(1, 31), processes=2, progress=pressed)
    assert not found.is_whole and 3 <= len(found.rows) == len(entries()) < 30 and found.asked == 30 and not found.failed
    again = zermelo.study(Toll, length=range(1, 31), processes=2)
    assert again.is_whole and again.from_disk == len(found.rows) and len(again.rows) == 30


def test_what_was_kept_but_not_yet_told_when_ctrl_c_came_counts_as_done() -> None:
    def pressed(what: str, done: int, total: int | None) -> None:
        if done == 1:
            wait_for(lambda: len(entries()) >= 3)
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted"):
        found = zermelo.study(Toll, length=range(1, 31), processes=2, progress=pressed)
    assert 3 <= len(found.rows) == len(entries()) and not found.is_whole


def test_a_process_that_is_killed_costs_its_piece_only(place: Path) -> None:
    flag, system = place / "flag", "__import__('os')"
    flag.touch()
    is_first = f"self.length == 2 and {system}.path.exists({str(flag)!r})"
    slow(place, f"({system}.remove({str(flag)!r}), {system}.kill({system}.getpid(), 9)) if {is_first} else 0")
    with command(place, "study", "slow.py:Slow", "--length", "1..6", "--processes", "2", "--json") as process:
        out, err = process.communicate(timeout=60)
    data = json.loads(out)
    assert data["done"] == 6 and [r["value"] for r in data["rows"]] == [1, 2, 3, 4, 5, 6], err  # the piece was tried again, alone
    assert not flag.exists()


def test_a_process_of_a_pool_studies() -> None:
    """Such a process was not allowed to have children, and a study could not be pickled."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        rows = pool.apply(zermelo.study, ("pig",), {"goal": [2, 3]}).rows
    assert [row.value for row in rows] == [zermelo.solve("pig", goal=n).value for n in (2, 3)]


def test_garbage_is_freed_by_one_process_only(place: Path) -> None:
    """What is garbage when a process is forked is none there: freed there, too, references to things of a cluster end the cluster."""

    class Garbage:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            (place / f"freed by {os.getpid()}").touch()

    def work(what: Any) -> bytes:
        gc.collect()
        return b"%d" % os.getpid()

    gc.freeze()  # collections look at nothing that there is already
    gc.disable()
    try:
        Garbage()
        with Workers(work, 1) as workers:
            ((_, theirs),) = workers.done(Pace([{"length": 1}]), lambda piece: piece)
        gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
    assert theirs != b"%d" % os.getpid() and [path.name for path in place.glob("freed by *")] == [f"freed by {os.getpid()}"]


@pytest.mark.parametrize("most", [0, 1])
def test_where_no_more_processes_can_be_started_those_that_there_are_go_on(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With none of them this one, which does not sweep anew from then on."""
    begun, start = list[Any](), workers.FORK.Process.start

    def limited(self: Any) -> None:
        if len(begun) == most:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        begun.append(self)
        start(self)

    monkeypatch.setattr(workers.FORK.Process, "start", limited)
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    with pytest.warns(Notice, match="^the system lets this process start no other ones: "):
        found = zermelo.study(Toll, length=[1, 2, 3], processes=2, anew=True)
    assert [row.value for row in found.rows] == pytest.approx([0.25, 0.5, 0.75])
    assert len(begun) == most and "ZERMELO_ANEW" not in os.environ


def test_a_combination_that_ends_its_process_is_a_row_with_a_reason(place: Path) -> None:
    slow(place, "__import__('os').kill(__import__('os').getpid(), 9) if self.length == 3 else 0")
    with command(place, "study", "slow.py:Slow", "--length", "1..4", "--json") as process:
        out, err = process.communicate(timeout=60)
    rows = json.loads(out)["rows"]
    assert [r["value"] for r in rows] == [1, 2, None, 4], err
    assert "ended from outside (signal 9)" in rows[2]["error"] and process.returncode == 1
    assert "1 of 4 combinations have no value: their rows say why" in err


def test_two_studies_at_once_write_the_same_rows(place: Path) -> None:
    (place / "walk.py").write_text(textwrap.dedent(RULES).format(paid=1))
    words = ("study", "walk.py:Walk", "--length", "1..20", "--json")
    with command(place, *words) as one, command(place, *words) as other:
        outs = [json.loads(process.communicate(timeout=120)[0]) for process in (one, other)]
    for data in outs:
        assert [r["value"] for r in data["rows"]] == [*range(1, 21)]
    assert len(entries()) == 20 and not list(kept.folder().rglob("*.tmp"))


def test_what_failed_for_want_of_memory_is_tried_once_more_alone(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    trace = place / "trace"

    def short(game: Any, **options: Any) -> Any:
        with trace.open("a") as file:
            file.write(f"{game.length}\n")
        if game.length == 5 and trace.read_text().split().count("5") == 1:
            raise NoMemory("nothing is free")
        return zermelo.solving.solve(game, **options)

    monkeypatch.setattr(row, "solve", short)
    found = zermelo.study(Toll, length=[4, 5, 6], processes=3)
    assert [r.value for r in found.rows] == [1.0, 1.25, 1.5] and sorted(trace.read_text().split()) == ["4", "5", "5", "6"]


def test_largest_first_and_times_are_learnt() -> None:
    games = [{"length": n, "price": x} for n in (1, 10, 100) for x in (0.0, 0.5)]
    pace = Pace(games)
    assert pace.left(2) is None
    assert games[pace.next()]["length"] == 100
    pace = Pace([{"n": 2**k} for k in range(12)])
    for k in (11, 10, 9, 8):
        assert pace.next() == k
        pace.done(k, 1e11 / 2 ** (3 * k))  # the small ones take longest
    assert pace.next() == 0
    assert pace.left(1) is not None


# --- questions -----------------------------------------------------------------------------------------------------------


@in_this_process
def test_where_it_is_fair_between_whole_numbers() -> None:
    found = zermelo.study(Toll, length=[2, 9], prize=[1, 40], price=[6.2], bold=True)
    crossings = found.root("prize")
    assert [(c.parameters["length"], c.start, c.end, c.why) for c in crossings] == [(2, 12, 13, ""), (9, 12, 13, "")]
    for c in crossings:
        assert c.rows[0].high < 0 < c.rows[1].low
    assert worth(2, 6.2, 12, True) < 0 < worth(2, 6.2, 13, True)


@in_this_process
def test_where_it_is_fair_exactly_or_as_far_as_the_certificate_tells() -> None:
    (c,) = zermelo.study(Toll, prize=[1, 5], price=1.5, bold=True, exact=True).root("prize")
    assert c.start == c.end == 3 and c.rows[0].value == 0 and "exactly" in str(c)
    (c,) = zermelo.study(Toll, prize=[1, 6], price=1.5, bold=True).root("prize")
    assert (c.start, c.end) == (2, 4) and "prize=3 the certificate leaves open" in c.why


@in_this_process
def test_where_it_is_fair_between_floats() -> None:
    found = zermelo.study(Toll, price=[0.0, 1.0], bold=True, processes=2)
    (c,) = found.root("price", 1 / 3)  # 5 (1/2 - price) = 1/3
    true = Fraction(1, 2) - Fraction(1 / 3) / 5
    assert c.start < true < c.end and c.end - c.start <= 1e-6 and c.why == ""
    assert c.rows[0].low > 1 / 3 > c.rows[1].high
    (d,) = found.root("price", 1 / 3, width=0.1)
    assert d.start < true < d.end and 0.01 < d.end - d.start <= 0.1
    (same,) = zermelo.study(Toll, price=[0, 1]).root("price", 1 / 3, width=0.1)  # whole numbers for a parameter that is none
    assert 0 < same.end - same.start <= 0.1 and same.start < d.end and d.start < same.end
    (e,) = found.root("price", 1 / 3, width=1e-300)
    assert e.start < true < e.end and e.why


@in_this_process
def test_rows_in_fractions_take_a_float_for_the_decimal_that_it_is_written_as() -> None:
    found = zermelo.study(Toll, price=[0.1, 0.3, 0.36], bold=True, exact=True)  # the value is 5 (1/2 - price)
    assert [(s.slope, s.low, s.high) for s in found.slope("price")] == [(Fraction(-5),) * 3] * 2
    (c,) = found.root("price", 0.7)
    assert (c.start, c.end, c.rows[0].value) == (0.36, 0.36, Fraction(7, 10))


@in_this_process
def test_a_crossing_in_fractions_is_as_narrow_as_any() -> None:
    (c,) = zermelo.study(Fee, fee=[0.0, 1.0], exact=True, processes=2).root("fee")
    assert 3 * c.start < 1 < 3 * c.end and c.end - c.start <= 1e-6 and c.why == ""  # at thirds of the way, rules in fractions can't be read
    (c,) = zermelo.study(Toll, price=[0.0, 1.0], bold=True, exact=True, processes=2).root("price", 0.7)  # 1 - 0.36 is no short decimal
    assert c.start < 0.36 < c.end and c.end - c.start <= 1e-3 and "short decimals" in c.why


class Fee(NamedTuple):
    """Get 1 with probability 1/3 for a fee."""

    fee: float = 0.5

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, float, At]]:
        if s.at == 0:
            yield 1, -self.fee, At(1)
        elif s.at == 1:
            yield 1, 1, At(2)
            yield 2, 0, At(2)


class Cents(NamedTuple):
    """Get so many cents."""

    cents: int = 7
    payoff_unit = ("$", 100)

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.at == 0:
            yield 1, self.cents, At(1)


@in_this_process
def test_a_fair_value_in_the_unit_is_not_rounded() -> None:
    found = zermelo.study(Cents, cents=[1, 9], exact=True)
    assert found.measure is not None and found.measure.in_payoffs(0.07) == 7 != 0.07 * 100
    (c,) = found.root("cents", found.measure.in_payoffs(0.07))
    assert (c.start, c.end) == (7, 7)
    assert found.measure.in_payoffs(float("inf")) == float("inf")  # which `root` refuses


def test_no_crossing_and_wrong_questions() -> None:
    found = zermelo.study(Toll, length=[2, 9], price=[0.1, 0.2], bold=True)
    assert found.root("length") == []
    for call in (lambda: found.root("prize"), lambda: found.root("lenght"), lambda: found.root("bold"), lambda: found.slope("weights"),
                 lambda: found.root("length", "x"), lambda: found.root("length", float("nan")), lambda: found.root("price", 0, -1),
                 lambda: zermelo.study(Toll).figure()):  # fmt: skip
        with pytest.raises(ParameterError):
            call()


@in_this_process
def test_values_that_are_one_number_or_far_apart() -> None:
    """1 and 1.0 are two values, and no step from one to the other; a quotient may be beyond all floats. Both were errors of Python."""
    found = zermelo.study(Paid, pay=[1, 1.0, -0.0, 0.0, 2.0])
    assert len(found.rows) == 5 and [(s.start, s.end) for s in found.slope("pay")] == [(0.0, 1), (1.0, 2.0)]
    assert [round(c.start, 4) for c in found.root("pay", np.int64(1))] == [1] and found.root("pay", 10**400) == []
    steep = zermelo.study(Sudden, x=[0.0, 5e-324, 1.0]).slope("x")
    assert [s.slope for s in steep] == [sys.float_info.max, 0] and steep[0].low <= sys.float_info.max < steep[0].high


@in_this_process
def test_what_is_no_number_has_rows_and_no_slope() -> None:
    found = zermelo.study(Sudden, x=[float("inf"), 1.0, float("nan")])
    assert [row.value for row in found.rows] == [1e99, 1e99, -1e99]
    for ask in (found.slope, found.root, found.figure):
        with pytest.raises(ParameterError, match="several values of x in the study, and they must be finite numbers"):
            ask("x")
    odd = zermelo.study(Sudden, x=[[1], {1: 2}, 3.0])
    assert len(odd.failed) == 2 and all("TypeError" in row.error for row in odd.failed)


@pytest.mark.parametrize("wrong", [5, [("x", 1)], {1: 2}])
def test_parameters_are_by_name(wrong: Any) -> None:
    with pytest.raises(ParameterError, match="parameters are values by name, such as {'goal': "):
        zermelo.study(Sudden, wrong)


@in_this_process
def test_a_name_that_is_no_text_is_told() -> None:
    found = zermelo.study(Sudden, x=[0.0, 1.0])
    for ask in (found.slope, found.root, found.figure, found.derivatives):
        with pytest.raises(ParameterError, match="no parameter 1 in Sudden; there are x|no parameter 1 in Sudden; there is x"):
            ask(1)


class Walls(NamedTuple):
    size: int = 2
    drawn: tuple[int, ...] = ()


class Drawn(Walls):
    """Fills in what follows from its size, unless it is given, as the robot's maze is drawn."""

    __slots__ = ()

    def __new__(cls, *given: Any, **named: Any) -> Any:
        made = super().__new__(cls, *given, **named)
        return made if made.drawn else super().__new__(cls, made.size, (1,) * made.size)

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Any:
        if s.at == 0:
            yield 1, sum(self.drawn), At(1)


def test_a_number_with_a_derivative_is_equal_to_no_text_and_to_nothing_missing() -> None:
    number = Dual(Fraction(1, 2), Fraction(1))
    assert number != None and number != "1/2" and number not in (None, "x")  # noqa: E711  # as rules may write it
    for use in (lambda: number * (1,), lambda: number == 0.5, lambda: number + "1", lambda: number < None):
        with pytest.raises(NotSmooth):
            use()


@in_this_process
def test_parameters_that_a_class_fills_in_are_no_other_combination() -> None:
    """Each size had walls of its own: no slope, and "nowhere" for a crossing between 2 and 4."""
    found = zermelo.study(Drawn, size=[2, 4])
    assert [row.parameters for row in found.rows] == [{"size": 2, "drawn": ()}, {"size": 4, "drawn": ()}]
    (s,) = found.slope("size")
    assert s.low <= 1 <= s.high and [(c.start, c.end) for c in found.root("size", 2.5)] == [(2, 3)]
    assert found.from_disk == 0 and zermelo.study(Drawn, size=[2, 4]).slope("size") == [s]
    (d,) = zermelo.study(Drawn).derivatives("size")  # it was 0, surely, as what follows from the size was taken for given
    assert d.derivative is None and d.why == "size: rules use it in another way than by + - * /, whole powers and comparisons"
    given = zermelo.study(Drawn(2, (5, 5)), size=[2, 4])
    assert [(row.parameters["drawn"], row.value) for row in given.rows] == [((5, 5), 10), ((5, 5), 10)]


class Sudden(NamedTuple):
    """Pays much, or costs it."""

    x: float = 1.0

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Any:
        if s.at == 0:
            yield 1, 1e99 if self.x > 0 else -1e99, At(1)


@in_this_process
def test_how_the_value_changes() -> None:
    found = zermelo.study(Toll, price=[0.125, 0.25, 0.75], length=[4, 8], bold=True)
    slopes = found.slope("price")
    assert [(s.parameters["length"], s.start, s.end) for s in slopes] == [(n, *x) for n in (4, 8) for x in ((0.125, 0.25), (0.25, 0.75))]
    for s in slopes:
        assert s.low <= -s.parameters["length"] <= s.high and s.high - s.low < 1e-9
    exact = zermelo.study(Toll, price=[0.125, 0.25], length=3, bold=True, exact=True).slope("price")
    assert exact[0].slope == exact[0].low == exact[0].high == -3


class Ruin(NamedTuple):
    """Between 0 and `size` by a coin of `heads` to `tails`, both players' turns alike: `size` pays `prize`."""

    size: int = 4
    heads: float = 3.0
    tails: int = 1
    prize: float = 1.0

    def start(self) -> At:
        return At(self.size // 2)

    def outcomes(self, s: At) -> Iterator[tuple[float, float, At]]:
        if 0 < s.at < self.size:
            yield self.heads, self.prize if s.at + 1 == self.size else 0, At(s.at + 1)
            yield self.tails, 0, At(s.at - 1)


@in_this_process
def test_printed_bounds_of_a_slope_contain_the_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    slopes = zermelo.study(Ruin, heads=[1.0, 2.0], exact=True).slope("heads")  # from 1/2 to 4/5
    _print_slopes("heads", slopes, None)
    assert capsys.readouterr().out.splitlines()[-2].split() == ["1.0", "2.0", "0.3", "0.3", "0.30000000000000004"]  # 0.3 is below 3/10


@in_this_process
def test_the_derivative_of_a_game_of_chance_is_the_one_by_hand() -> None:
    for heads in (1, 3, 7):  # with h = heads, t = tails the value is h^2 / (h^2 + t^2)
        (d,) = zermelo.study(Ruin(heads=float(heads), tails=2)).derivatives("heads")
        assert d.derivative == Fraction(2 * heads * 4, (heads**2 + 4) ** 2)
        (d,) = zermelo.study(Ruin(heads=float(heads), tails=2)).derivatives("tails")  # a whole number may be one, too
        assert d.derivative == Fraction(-(heads**2) * 4, (heads**2 + 4) ** 2)
        assert d.is_of_value and not d.why  # play can return to a state, but nobody ever has a choice
        (d,) = zermelo.study(Ruin(heads=float(heads), tails=2), discount=0.5).derivatives("prize")
        assert d.is_of_value and d.derivative == zermelo.solve(Ruin(heads=float(heads), tails=2), discount=0.5, exact=True).value


@in_this_process
def test_the_derivative_under_the_optimal_policy() -> None:
    found = zermelo.study(Toll, price=[0.25, 0.5, 0.75], length=[4]).derivatives("price")
    assert [(d.derivative, d.is_of_value) for d in found] == [(-4, True), (-4, False), (0, True)]
    assert "equally good" in found[1].why and not found[0].why


class Auction(NamedTuple):
    """Look once more for the price `fee`, or take what there is; both for two, who differ in the sign."""

    fee: float = 0.25
    half: float = 0.5

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.at < 40:
            yield 0
            yield 1

    def player(self, s: At) -> int:
        return s.at % 2

    def outcomes(self, s: At, a: int) -> Iterator[tuple[float, float, At]]:
        gain = (s.at * 7 + a * 3) % 11 - 5
        yield 1 + a * self.fee**2, gain * self.half - a * self.fee * (1 - 2 * (s.at % 2)), At(min(s.at + 1 + a, 40))
        yield 2, gain / 4, At(min(s.at + 3, 40))


@in_this_process
def test_the_derivative_lies_between_slopes_from_near_by() -> None:
    near = Fraction(1, 1024)
    for at in (0.25, 0.375, 1.5):
        (d,) = zermelo.study(Auction(fee=at)).derivatives("fee")
        assert d.is_of_value and d.derivative is not None, d.why
        left, right = zermelo.study(Auction, fee=[at - float(near), at, at + float(near)]).slope("fee")
        assert abs(d.derivative - (left.slope + right.slope) / 2) < 1e-4
        assert min(left.low, right.low) - 0.05 < d.derivative < max(left.high, right.high) + 0.05


class Odd(NamedTuple):
    price: float = 0.5
    kind: int = 0

    def start(self) -> At:
        return At(int(2 * self.price) if self.kind == 1 else 1)

    def actions(self, s: At) -> Iterator[int]:
        if s.at == 1:
            yield 0
            yield 1

    def outcomes(self, s: At, a: int) -> Iterator[tuple[float, float, At]]:
        if self.kind == 2:
            yield 1, 1 if self.price >= 0.5 else 0, At(0)
        elif self.kind == 3:
            yield 1, round(self.price) + 1, At(0)
        elif self.kind == 4:
            yield self.price - 0.5, 1, At(0)
            yield 1, 2, At(0)
        elif self.kind == 5:
            yield 1, -1 if a == 1 and self.price > 0.25 and self.price > 0.5 else a, At(0)
        elif self.kind == 6:
            yield 1, (1 - a) * max(self.price, 0.5) - (2 * a if self.price != 3 else 0), At(0)
        else:
            yield 1, self.price + a, At(0)


@in_this_process
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (1, "another way"), (2, "just this number"), (3, "another way"), (4, "probability 0 just here"), (5, "just this number"),
        (6, "just this number"),
    ],
)  # fmt: skip
def test_where_there_is_no_derivative_it_says_why(kind: int, said: str) -> None:
    (d,) = zermelo.study(Odd(kind=kind)).derivatives("price")
    assert d.derivative is None and said in d.why and not d.is_of_value
    (d,) = zermelo.study(Odd()).derivatives("price")
    assert d.derivative == 1 and d.is_of_value


@in_this_process
def test_where_there_is_no_derivative_it_says_why_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said again in every row, of another number in each."""
    path = tmp_path / "square_game.py"
    path.write_text("""from typing import NamedTuple


class S(NamedTuple):
    x: int


class Square(NamedTuple):
    p: float = 0.5

    def start(self):
        return S(0)

    def actions(self, s):
        if s.x == 0:
            yield 0

    def outcomes(self, s, a):
        yield self.p * self.p, 1, S(1)
        yield 1 - self.p * self.p, 0, S(1)
""")
    assert main(["study", str(path), "--p", "0.1,0.2,0.5,0.7", "--derivative", "p"]) == 0
    table = capsys.readouterr().out.partition("the derivative of the value by p\n")[2]
    assert [line.split(maxsplit=1)[1].strip() for line in table.split("\n")[1:5]] == ["none, see below"] * 2 + ["1", "none, see below"]
    said = " ".join(table.partition("3 of 4 have none:")[2].split())
    assert said.startswith("p=0.1 (and likewise p=0.2, p=0.7): --exact needs whole numbers or short decimals in the rules, and 0.010")
    assert said.count("short decimals") == 1
    assert main(["study", str(path), "--p", "0.1,0.2", "--derivative", "p"]) == 0
    assert "\n2 of 2 have none:\n  --exact needs" in capsys.readouterr().out


@in_this_process
def test_a_kink_off_the_path_is_told() -> None:
    (d,) = zermelo.study(Kinked()).derivatives("price")
    assert d.derivative == 1 and not d.is_of_value and "elsewhere in the game" in d.why


class Kinked(NamedTuple):
    price: float = 0.5

    def start(self) -> At:
        return At(2)

    def actions(self, s: At) -> Iterator[int]:
        if s.at:
            yield 0
            if s.at == 2:
                yield 1

    def outcomes(self, s: At, a: int) -> Iterator[tuple[float, float, At]]:
        if s.at == 2 and a == 1:
            yield 1, 0, At(1)
        elif s.at == 2:
            yield 1, self.price, At(0)
        else:
            yield 1, 5 if self.price > 0.5 else 0, At(0)  # jumps above `price` as soon as that grows


def test_derivatives_that_are_not_for_this(monkeypatch: pytest.MonkeyPatch) -> None:
    for word, parameter in (("kuhn-poker", "cards"), ("binary-search", "n")):
        (d,) = zermelo.study(word, **{parameter: 3}).derivatives(parameter)
        assert d.derivative is None and d.why == "derivatives are of games in which players see everything and move in turn"
    with pytest.raises(ParameterError, match="is by a number"):
        zermelo.study(Toll).derivatives("bold")
    with pytest.raises(ParameterError, match="did you mean"):
        zermelo.study(Toll).derivatives("prize_")
    monkeypatch.setattr("zermelo.studies.derivative.MOST_REACHED", 3)
    (d,) = zermelo.study(Toll).derivatives("price")
    assert d.derivative is None and "more than 3 states" in d.why


@in_this_process
def test_tables_frames_and_pictures(place: Path) -> None:
    found = zermelo.study(Toll, length=range(1, 5), price=[0.25, 0.5], max_states=4)
    frame = found.to_dataframe()
    assert list(frame.columns[:5]) == ["length", "price", "prize", "weights", "bold"] and len(frame) == 8
    assert frame["value"][0] == 0.25 and frame["error"].map(bool).sum() == 2
    figure = found.figure("price")
    (axes,) = figure.axes
    assert axes.get_xlabel() == "price" and len(axes.lines) == 4
    assert found.figure().axes[0].get_xlabel() == "length"


@in_this_process
def test_pictures_call_a_game_what_other_pictures_call_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def title(game: Any) -> str:
        return zermelo.study(game, **{"goal" if game == "pig" else "length": [1, 2]}).figure().texts[0].get_text().partition(": ")[0]

    class HighToll(Toll):  # type: ignore[misc, name-defined]
        pass

    monkeypatch.chdir(tmp_path)
    text = (
        "from typing import NamedTuple\nclass S(NamedTuple):\n    left: int\nclass Way(NamedTuple):\n    length: int = 1\n"
        "    def start(self): return S(self.length)\n"
        "    def outcomes(self, s):\n        if s.left: yield 1, 1, S(s.left - 1)\n"
    )
    Path("alone.py").write_text(text)
    Path("named.py").write_text(text + "    title = 'Der Weg'\n")
    assert [title(game) for game in ("alone.py", "alone.py:Way", "named.py", "named.py:Way")] == ["Way", "Way", "Der Weg", "Der Weg"]
    assert [title(game) for game in ("pig", Toll, HighToll)] == ["Pig", "Toll", "High Toll"]


@in_this_process
def test_a_title_says_how_values_go_only_where_all_bounds_show_it() -> None:
    rising = [[_between(0.0, 0.1), _between(0.2, 0.3)], [_between(5.0, 5.0), _between(5.5, 6.0)]]
    assert _course(rising) == "rises with"
    assert _course([line[::-1] for line in rising]) == "falls with"
    assert _course([*rising, [_between(1.0, 1.2), _between(1.1, 1.4)]]) == "by"  # the bounds overlap
    assert _course([rising[0], rising[1][::-1]]) == "by"
    assert _course([[_between(0.0, 0.1)]]) == "by"
    assert _course([[*rising[0], row.Row({}, error="fails")]]) == "by"


def _between(low: float, high: float) -> row.Row:
    return row.Row({}, value=(low + high) / 2, low=low, high=high)


# --- the command line ------------------------------------------------------------------------------------------------------


def test_the_command(place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    words = ("study", "card-draw", "--red", "0..4:2", "--black", "1,2")
    files = ("-o", "cards.csv", "--plot", "cards.png")
    code, out, err = run(*words, "--lengths", *files, "--fair", "red", "--fair-value", "1", "--slope", "red")
    assert code == 0 and not err
    assert "6 combinations, 6 solved in" in out and "the longest game: red=4, black=2" in out
    assert "between red=0 (value 0) and red=2" not in out and "black=1: between red=1" in out
    with open("cards.csv") as file:
        rows = list(csv.DictReader(file))
    assert [(r["red"], r["black"]) for r in rows] == [("0", "1"), ("0", "2"), ("2", "1"), ("2", "2"), ("4", "1"), ("4", "2")]
    for r in rows:
        assert float(r["low"]) <= zermelo.solve("card-draw", red=int(r["red"]), black=int(r["black"])).value <= float(r["high"])
    assert (place / "cards.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = run(*words, "--lengths")
    assert "6 combinations, 6 from disk" in out and "from disk" in out.splitlines()[2]
    data = json.loads(run(*words, "--lengths", "--fair", "red", "--fair-value", "1", "--json")[1])
    assert data["from disk"] == 6 and data["whole"] and {c["parameters"]["black"] for c in data["crossings"]} == {1, 2}


def test_numbers_of_a_parameter_that_may_be_none(place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    """What is asked about numbers was refused for `int | None`."""
    (place / "stop.py").write_text(
        "from typing import NamedTuple\nclass S(NamedTuple):\n    left: int\nclass Stop(NamedTuple):\n    bonus: int | None = None\n"
        "    def start(self):\n        return S(1)\n    def outcomes(self, s):\n        if s.left:\n"
        "            yield 1, 0 if self.bonus is None else self.bonus, S(0)\n"
    )
    asked = ("--fair", "bonus", "--fair-value", "0.5", "--slope", "bonus", "--derivative", "bonus", "--plot", "stop.svg")
    code, out, err = run("study", "stop.py", "--bonus", "0..2:2", *asked)
    assert code == 0 and not err and "1 more game to find the crossings" in out and "between bonus=0 (value 0) and bonus=1 (value 1)" in out
    assert [line.split()[:3] for line in out.splitlines()].count(["2", "1"]) == 1 and (place / "stop.svg").exists()
    for option in ("--fair", "--slope", "--derivative"):
        code, _, err = run("study", "stop.py", "--bonus", "none,1", option, "bonus")
        assert code == 2 and "number" in err, option


FRACTIONS = """
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple
class S(NamedTuple):
    left: int
class Fee(NamedTuple):
    p: Fraction = Fraction(1, 3)
    fee: Decimal = Decimal("0.1")
    def start(self):
        return S(2)
    def outcomes(self, s):
        if s.left == 2:
            yield 1, -float(self.fee), S(1)
        elif s.left == 1:
            yield self.p.numerator, 1, S(0)
            yield self.p.denominator - self.p.numerator, 0, S(0)
"""


@pytest.mark.parametrize(("name", "values"), [("p", "1/4,2/3"), ("fee", "0.01,0.7")])
def test_fractions_and_decimals_are_numbers(name: str, values: str, place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    """They were refused: "give p several values that are numbers". Worth p - fee."""
    (place / "fee.py").write_text(FRACTIONS)
    asked = ("study", "fee.py", f"--{name}", values, "--fair", name, "--fair-value", "0.3", "--slope", name, "--plot", "fee.svg")
    for exact in ((), ("--exact",)):
        code, out, err = run(*asked, *exact)
        assert code == 0 and not err and (place / "fee.svg").exists(), err
        data = json.loads(run(*asked, *exact, "--json")[1])
        (slope,), (found,) = data["slopes"], data["crossings"]
        assert Fraction(slope["slope"]) == pytest.approx(1 if name == "p" else -1) and not found["why no closer"]
        ends = sorted((Fraction(found["start"]), Fraction(found["end"])))
        truth = Fraction(4, 10) if name == "p" else Fraction(1, 30)
        assert ends[0] <= truth <= ends[1] <= ends[0] + Fraction(2, 10**6)
        assert max(end.denominator for end in ends) < 10**8, "numbers that people can read"
    code, _, err = run("study", "fee.py", f"--{name}", values, "--derivative", name)
    assert code == 2 and "no parameter of this name that is a whole number or a float" in err
    assert run("solve", "fee.py")[1].startswith("Fee: p 1/3, fee 0.1\n")  # it was Fraction(1, 3), Decimal('0.1')


def test_parameters_are_named_as_their_options_are(run, place):
    """head-start was no parameter: --head-start gave its values, and --fair, --slope and --derivative wanted head_start."""
    (place / "race.py").write_text(
        "from typing import NamedTuple\nclass S(NamedTuple):\n    left: int\nclass Race(NamedTuple):\n    head_start: int = 0\n"
        "    def start(self):\n        return S(1)\n    def outcomes(self, s):\n        if s.left:\n"
        "            yield 1, self.head_start - 2, S(0)\n"
    )
    for name in ("head-start", "head_start"):
        asked = ("--fair", name, "--slope", name, "--derivative", name, "--plot", "race.svg", "--against", name)
        code, out, err = run("study", "race.py", "--head-start", "0..3", *asked)
        assert code == 0 and not err and "head_start=2, where the value is exactly 0" in out
    code, _, err = run("study", "race.py", "--head-start", "0..3", "--fair", "head-strat")
    assert code == 2 and "did you mean head_start?" in err


class Paid(NamedTuple):
    """One payoff; nothing else is asked."""

    size: int = 1
    pay: float = 1.0
    kind: str = "$a$ and $b$"

    def start(self) -> One:
        return One(1)

    def outcomes(self, s: One) -> Any:
        if s.left:
            yield 1, self.size * self.pay, One(0)


class One(NamedTuple):
    left: int


def test_names_of_lines_do_not_lie_on_one_another() -> None:
    """Lines that end at one height had names that could not be read; `$` began a formula, and long names took half of the picture."""
    drawn = zermelo.study(Paid, size=[1, 2], pay=[1.0, 1.01, 1.02, 50.0], kind=["$a$ and $b$", "x" * 90], processes=1).figure("size")
    labels = [t for t in drawn.axes[0].texts if t.get_text()]
    drawn.canvas.draw()
    boxes = sorted((t.get_window_extent() for t in labels), key=lambda box: box.y0)
    assert len(labels) == 8 and all(a.y1 <= b.y0 + 1 for a, b in pairwise(boxes)) and max(len(t.get_text()) for t in labels) < 50
    assert {t.get_text() for t in labels} > {"pay 50.0, kind \\$a\\$ and \\$b\\$"}


def test_shades_of_many_lines_are_explained() -> None:
    drawn = zermelo.study(Paid, size=[1, 2], pay=[float(k) for k in range(1, 13)], processes=1).figure("size")
    assert drawn.axes[0].get_title() == "a line for each pay, from 1.0 (dark) to 12.0 (light)"
    assert "\\$a\\$" in drawn.texts[1].get_text()



@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--goal", "9..3"), "--goal: the range 9..3 is empty"),
        (("--goal", "3..9:x"), "--goal: '3..9:x' is no range"),
        (("--goal", "5..2000:5"), "--goal must be from 1 to"),
        (("--goal", "5,6", "-o", "x.txt"), "written to .csv"),
        (("--goal", "5,6", "-o", "no/x.csv"), "no directory"),
        (("--goal", "5,6", "--plot", "x.csv"), "must end in one of"),
        (("--goal", "5", "--plot", "x.png"), "--plot needs a parameter with several values"),
        (("--goal", "5,6", "--against", "goal"), "--plot FILE"),
        (("--goal", "5,6", "--fair-value", "1"), "--fair"),
        (("--goal", "5,6", "--fair", "goal", "--fair-value", "nan"), "--fair-value must be a finite number, not nan"),
        (("--goal", "1..1e9999999999"), "--goal: 1..1e9999999999 has far too many values"),
        (("--goal", "1e9999999999..1"), "--goal: the range 1e9999999999..1 is empty"),
        (("--goal", "5", "--fair", "goal"), "give goal several values"),
        (("--goal", "5,6", "--slope", "gaol"), "did you mean goal"),
        (("--goal", "5,6", "--processes", "0"), "--processes must be a whole number"),
        (("--goal", "5,6", "--max-states", "0"), "--max-states"),
        (("--goal", "5,6", "--discount", "3"), "discount"),
    ],
)
def test_wrong_words_are_one_line(words: tuple[str, ...], said: str, run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = run("study", "pig", *words)
    assert code == 2 and said in err and not out and len(err.splitlines()) == 1
    assert not kept.folder().exists() and not list(Path.cwd().glob("x.*"))


def test_the_longest_of_games_of_one_move(run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "moves on average" not in (out := run("study", "binary-search", "--n", "1,2", "--lengths")[1]) and ", 1 move on average" in out


def test_a_study_without_any_value_fails_and_says_why(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("study", "pig", "--goal", "50,60", "--max-states", "10")
    assert code == 2 and "2 of 2 could not be solved:\n  goal=50, goal=60: Pig has more than 10 states" in out and "--max-states" in out


def test_the_reasons_are_told_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, run: Callable[..., tuple[int, str, str]]) -> None:
    """They were a column of the table, which a terminal has no room for."""
    monkeypatch.setenv("COLUMNS", "40")
    code, out, err = run("study", "pig", "--goal", "1,50..54", "--max-states", "10")
    assert code == 1 and not err
    assert "\n5 of 6 could not be solved:\n  goal=50, goal=51, goal=52 and 2 more:\n  Pig has more than 10 states; " in out
    assert "why not" not in out


def test_a_parameter_with_the_name_of_an_option_or_a_result(place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    text = textwrap.dedent(RULES).format(paid=1).replace("length", "states")
    (place / "odd.py").write_text(text.replace("    states: int = 3", "    states: int = 3\n    exact: int = 0"))
    code, out, err = run("study", "odd.py:Walk", "--states", "1..3", "--game-exact", "0,1", "-o", "odd.csv")
    sys.modules.pop("odd", None)
    assert code == 0, err
    with open("odd.csv") as file:
        rows = list(csv.DictReader(file))
    assert [(r["game states"], r["exact"], r["states"]) for r in rows][:3] == [("1", "0", "2"), ("1", "1", "2"), ("2", "0", "3")]


@in_this_process
@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        (Pig, {"goal": [1, 2]}), ("tic-tac-toe", {}), ("binary-search", {"n": [2, 3]}), ("kuhn-poker", {"cards": [3]}),
        ("left-center-right", {"players": [2], "chips": [1]}), ("hog-simultaneous", {"goal": [2], "most_dice": [2]}),
    ],
)  # fmt: skip
def test_games_of_every_kind(game: Any, parameters: dict[str, Any]) -> None:
    found = zermelo.study(game, parameters)
    assert not found.failed
    for r in found.rows:
        alone = zermelo.solve(game(**r.parameters) if isinstance(game, type) else found._asker.target.game_class(**r.parameters))
        assert (r.value, r.low, r.high, r.payoffs) == (
            alone.value, alone.low, alone.high, {n: (v, *alone.bounds[n]) for n, v in alone.payoffs.items()}
        )  # fmt: skip


# --- zermelo cache ---------------------------------------------------------------------------------------------------------


def test_the_cache_is_shown_limited_and_cleared(place: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    zermelo.study(Toll, length=[3, 4])
    cache = place / "cache"
    (cache / "__pycache__").mkdir()
    for name, age in (("rules_a", 100), ("rules_b", 50)):
        for path in (cache / f"{name}.py", cache / "__pycache__" / f"{name}.f-1.py311.nbc"):
            path.write_bytes(b"x" * 1000)
            os.utime(path, (time.time() - age, time.time() - age))
    (cache / "letter.txt").write_text("not ours")
    left_behind = ".blackjack_a.json.1.tmp", "__pycache__/.rules_b.nbc.1.tmp", "__pycache__/.rules_b.nbi.lock"
    begun = [f"{kind}/{key}/{name}" for kind in ("stages", "spread") for key in ("a", "b") for name in ("x.json", ".x.json.lock")]
    for name in ("interpreted/a", *left_behind, *begun):
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
        (cache / name).touch()
    data = json.loads(run("cache", "--json")[1])
    assert data["folder"] == str(cache)
    assert data["answers"]["entries"] == 2 and data["machine code"] == {"entries": 2, "bytes": 4000}
    assert data["clusters"]["entries"] == 4
    code, out, _ = run("cache", "--limit", f"{data['answers']['bytes'] + 2000}B")
    assert code == 0 and "deleted 1 entry, " in out
    assert not (cache / "rules_a.py").exists() and (cache / "__pycache__" / "rules_b.f-1.py311.nbc").exists()
    assert zermelo.study(Toll, length=[3, 4]).from_disk == 2
    assert run("cache", "--clear")[0] == 0
    assert [p.name for p in cache.rglob("*") if p.is_file()] == ["letter.txt"]  # less was deleted
    assert not list((cache / "stages").iterdir()) and not list((cache / "spread").iterdir())
    assert zermelo.study(Toll, length=[3, 4]).from_disk == 0


@pytest.mark.parametrize("words", [("--limit", "lots"), ("--limit", "-3MB"), ("--limit", "5MB", "--clear"), ("--limit", "1e")])
def test_wrong_words_delete_nothing(words: tuple[str, ...], run: Callable[..., tuple[int, str, str]]) -> None:
    zermelo.study(Toll, length=[3])
    code, _, err = run("cache", *words)
    assert code == 2 and len(err.splitlines()) == 1 and len(entries()) == 1


def test_workers_end_with_the_one_that_has_begun_them(place: Path) -> None:
    """They went on until their pieces were done."""
    slow(place, "nap(self.nap)")
    with command(place, "study", "slow.py:Slow", "--length", "1..40", "--nap", "600", "--processes", "3") as process:
        workers = wait_for(lambda: found if len(found := children(process.pid)) == 3 else [])
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    wait_for(lambda: not [pid for pid in workers if is_alive(pid)])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_ctrl_c_while_a_crossing_is_looked_for_leaves_the_rows(place: Path) -> None:
    slow(place, "-1 if nap(self.nap) else -1")
    text = (place / "slow.py").read_text().replace("yield 1, 1,", "yield 1, self.nap - 0.1503,")
    (place / "slow.py").write_text(text)
    with command(place, "study", "slow.py:Slow", "--nap", "0.05,0.25", "--fair", "nap", "-o", "slow.csv") as process:
        wait_for(lambda: (place / "slow.csv").exists() and len(entries()) > 2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err, err
    assert "2 combinations, 2 solved" in out and "crosses" not in out
    assert "what is done is kept on disk: the same command once more goes on there" in err
    assert len((place / "slow.csv").read_text().splitlines()) == 3
