"""Games in stages whose values are kept in a folder: the same bits whenever another process goes on, and what is damaged or of another
game is refused."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from test_entries import Forever, Wide
from test_stages import Pile
from zermelo.games import LeftCenterRight, TenThousandRace
from zermelo.storage import kept_values

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from coin_race import CoinRace  # noqa: E402

GAMES = [LeftCenterRight(3, chips=2), CoinRace(14), TenThousandRace(14)]
GAME = GAMES[0]


class Stopped(Exception):
    pass


def stopping(after: int) -> Any:
    """Progress that ends the process, so to speak, after so many reports on solving."""
    reports = iter(range(after))

    def progress(what: str, done: int, total: int | None) -> None:
        if what == "solving" and next(reports, None) is None:
            raise Stopped

    return progress


def assert_same(one: Any, other: Any) -> None:
    a, b = one.answers, other.answers
    assert one.value == other.value and one.report.facts | {"interpreted": 0} == other.report.facts | {"interpreted": 0}
    assert np.array_equal(a.value[:], b.value[:]) and np.array_equal(a.error[:], b.error[:])


def written(folder: Path) -> dict[str, int]:
    """When each file was."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_another_process_goes_on_to_the_same_values(game: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped again and again, with what is done written now and then."""
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    monkeypatch.setattr("zermelo.engines.entries.worker.RUN", 2)
    monkeypatch.setattr("zermelo.basics.threads._asked", [2])  # of many, the one that reports has few stages
    wanted, stops = zermelo.solve(game), 0
    for after in (0, 1, 0, 2, 0, 1):
        try:
            zermelo.solve(game, checkpoint=tmp_path / "run", progress=stopping(after))
        except Stopped:
            stops += 1
    found = zermelo.solve(game, checkpoint=tmp_path / "run")
    assert stops > 2
    assert_same(found, wanted)
    assert found.report.notes == (f"values are read from {tmp_path / 'run'}: keep it, or `save` the solution",)
    times = written(tmp_path / "run")
    assert_same(zermelo.solve(game, checkpoint=str(tmp_path / "run")), wanted)
    assert times == written(tmp_path / "run") and set(times) == {"values", "done"}


@pytest.mark.parametrize("game", GAMES[:2], ids=str)  # the rules of the third would be compiled once more, to explore all states
def test_solutions_whose_values_are_kept_are_used_like_others(game: Any, tmp_path: Path) -> None:
    wanted = zermelo.solve(game)
    zermelo.solve(game, checkpoint=tmp_path / "run")
    times = written(tmp_path / "run")
    again = zermelo.solve(game, checkpoint=tmp_path / "run")
    assert again.length == wanted.length
    again.save(tmp_path / "saved")
    opened = zermelo.open(tmp_path / "saved", type(game))
    assert opened.value == pytest.approx(wanted.value, abs=1e-13) and opened.low <= wanted.high and opened.high >= wanted.low
    assert times == written(tmp_path / "run")


@pytest.mark.parametrize("game", [LeftCenterRight(4, chips=5), CoinRace(40)], ids=str)
def test_it_goes_on_after_it_was_killed(game: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    wanted = zermelo.solve(game)
    for seconds in (0.0, 0.05, 0.1, 0.2, 0.3):
        child = os.fork()
        if not child:
            try:
                zermelo.solve(game, checkpoint=tmp_path)
            finally:
                os._exit(0)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert_same(zermelo.solve(game, checkpoint=tmp_path), wanted)
    assert {path.name for path in tmp_path.iterdir()} == {"values", "done"}


def test_a_wider_layout_begins_anew(in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half done with the wider one; the first one does not hold the states."""
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    monkeypatch.setattr("zermelo.engines.entries.solving.SPARE", 0)
    wanted = zermelo.solve(Wide(2))
    assert_same(zermelo.solve(Wide(2), checkpoint=tmp_path), wanted)
    assert_same(zermelo.solve(Wide(2), checkpoint=tmp_path), wanted)


class Late(NamedTuple):
    """The first payoff counts the moves in all stages but the first one, which is solved last."""

    stones: int = 12
    payoffs = ("moves, it seems", "heads")

    def start(self) -> Pile:
        return Pile(self.stones, 0)

    def outcomes(self, s: Pile) -> Iterator[tuple[int, tuple[int, int], Pile]]:
        if s.stones > 0:
            yield 1, (2 if s.stones == self.stones else 1, 0), Pile(s.stones - 1, s.heads)
            yield 2, (1, 1), Pile(s.stones, min(s.heads + 1, 3))

    def stage(self, s: Pile) -> int:
        return 12 - s.stones

    def space(self, stage: int) -> Any:
        return None if stage > 12 else (range(12 - stage, 13 - stage), range(4))


def test_a_game_whose_payoff_does_not_count_the_moves_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a process was stopped before, or after, it was found."""
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    wanted = zermelo.solve(Late())
    assert wanted.report.engine == "stages" and wanted.report.facts["moves"] is None
    for after in (3, 1, 10, 2):
        with pytest.raises(Stopped):
            zermelo.solve(Late(), checkpoint=tmp_path, progress=stopping(after))
    assert_same(zermelo.solve(Late(), checkpoint=tmp_path), wanted)


def refused(folder: Path, game: Any = GAME) -> str:
    with pytest.raises(zermelo.ZermeloError) as caught:
        zermelo.solve(game, checkpoint=folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_folders_that_do_not_do_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "file", tmp_path / "run"
    file.write_text("something")
    assert "it is a file, and a game in stages needs a folder" in refused(file)
    assert "can't be written" in refused(Path("/proc/run"))
    zermelo.solve(GAME, checkpoint=folder)
    assert "is of another game (parameters: {'players': 3, 'chips': 2, 'dice': 3} there" in refused(folder, LeftCenterRight(3))
    values, done = (folder / "values").read_bytes(), (folder / "done").read_bytes()
    (folder / "values").write_bytes(values[:-8])
    assert "its length is not what it was" in refused(folder)
    (folder / "values").write_bytes(values[:80] + bytes([values[80] ^ 1]) + values[81:])
    assert "is not what it was): delete the folder, and solve again" in refused(folder)
    (folder / "values").unlink()
    assert "values is missing" in refused(folder)
    (folder / "values").write_bytes(values)
    for changed in (done[:-3], done[:9] + bytes([done[9] ^ 1]) + done[10:], b"", b"something"):
        (folder / "done").write_bytes(changed)
        assert "is damaged, or of something else: give another folder" in refused(folder)
    there = json.loads(done.rpartition(b"\n")[0])
    for changed_to, why in (
        ({**there, "format": 2}, "done has format 2, but this Zermelo"),
        ({**there, "run": {**there["run"], "seed": 7}}, "done is of another game (seed: 7 there, None here)"),
    ):
        text = json.dumps(changed_to).encode()
        (folder / "done").write_bytes(b"%b\n%d" % (text, zlib.crc32(text)))
        assert why in refused(folder)
    text = json.dumps({key: value for key, value in there.items() if key != "format"}).encode()
    for whole in (b"%b\n%d" % (text, zlib.crc32(text)), done):  # of versions that wrote no format
        (folder / "done").write_bytes(whole)
        assert zermelo.solve(GAME, checkpoint=folder).value == zermelo.solve(GAME).value
    assert there["format"] == 1
    assert zermelo.solve(GAME, checkpoint=folder).value == zermelo.solve(GAME).value


def test_a_full_disk_is_told_before_anything_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    said = refused(tmp_path)
    assert "No space left on device (" in said and re.search(r"[1-9]\d* KiB are needed, ", said) and not list(tmp_path.iterdir())


def test_two_processes_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with kept_values.kept_in(tmp_path, {}):
        assert "is in use by another process" in refused(tmp_path)


def test_memory_is_that_of_the_largest_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.basics.machine.available", lambda: 800_000)
    monkeypatch.setattr("zermelo.basics.machine.SMALL", 0)
    game = LeftCenterRight(4, chips=5)
    with pytest.raises(zermelo.OutOfReach, match="checkpoint=FOLDER"):
        zermelo.solve(game)
    assert zermelo.solve(game, checkpoint=tmp_path).value > 0


def test_what_the_general_engine_must_solve_is_refused(tmp_path: Path) -> None:
    assert "takes no checkpoint" in refused(tmp_path / "exact", Forever())


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from zermelo.cli.app import main

    command = ["solve", "left-center-right", "--players", "3", "--checkpoint", str(tmp_path / "run"), "--json"]
    first, second = ((main(command), json.loads(capsys.readouterr().out)) for _ in range(2))
    assert first[0] == second[0] == 0 and first[1]["value"] == second[1]["value"]
    assert zermelo.plan("left-center-right", players=3, checkpoint=tmp_path / "run").engine == "stages"
