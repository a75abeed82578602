"""Finished sweeps on disk: the same question twice is answered from there, to the bit; damage and other questions are not believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import zermelo
from asking import solve_urn
from zermelo.basics import notices
from zermelo.cli import main
from zermelo.engines.urn import kept
from zermelo.engines.urn import sweep as sweeps
from zermelo.engines.urn.curves import curve
from zermelo.errors import ParameterError
from zermelo.games.card_draw import CardDraw


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.delenv("ZERMELO_ANEW", raising=False)
    monkeypatch.setattr(kept, "WORTH", 0.0)
    return tmp_path / "sweeps"


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on nothing may be swept."""

    def refuse(*_: object) -> None:
        raise AssertionError("swept again")

    return lambda: monkeypatch.setattr(sweeps.kernel, "sweep", refuse)


@pytest.mark.parametrize("exact", [False, True])
def test_the_same_deck_twice_costs_nothing(place: Path, asleep: Callable[[], None], exact: bool) -> None:
    first = solve_urn(CardDraw(150, 170), exact=exact)
    assert len(list(place.iterdir())) == 1 and not first.report.notes
    asleep()
    second = solve_urn(CardDraw(150, 170), exact=exact)
    assert (second.value, second.low, second.high, second.is_exact) == (first.value, first.low, first.high, exact)
    assert (second.frontier.reach == first.frontier.reach).all()
    assert second.report.facts == first.report.facts and "from an earlier time" in second.report.notes[0]
    state = CardDraw.State(149, 170)
    assert second.probe(state) == first.probe(state)


def test_the_same_curve_twice_costs_nothing(place: Path, asleep: Callable[[], None]) -> None:
    first = curve(300, at=[26, 300])
    assert first.value[0] == pytest.approx(2.624475548993925, abs=1e-12)  # Gwern 2022, Problem 14: 41984711742427/15997372030584
    asleep()
    second = curve(300, at=[26, 300])
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    for other in ({"at": [25, 300]}, {"at": [26, 300], "tolerance": 1e-6}):
        with pytest.raises(AssertionError, match="swept again"):
            curve(300, **other)


@pytest.mark.filterwarnings("always::zermelo.basics.notices.Notice")
def test_what_is_not_believed(place: Path) -> None:
    first = curve(200)
    (path,) = place.iterdir()
    whole = bytearray(path.read_bytes())
    for damaged in (whole[: len(whole) // 2], bytes([*whole[:-9], whole[-9] ^ 1, *whole[-8:]]), b"", b"letter"):
        path.write_bytes(damaged)
        notices._said.clear()
        with pytest.warns(notices.Notice, match="damaged"):
            assert (curve(200).value == first.value).all()
        notices._said.clear()
        assert (curve(200).value == first.value).all() and len(path.read_bytes()) == len(whole), "and is replaced"
    solve_urn(CardDraw(200, 200))
    other = next(p for p in place.iterdir() if p != path)
    path.write_bytes(other.read_bytes())
    notices._said.clear()
    with pytest.warns(notices.Notice, match="damaged"):
        assert (curve(200).value == first.value).all()


def test_anew_and_cheap_ones(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_ANEW", "1")
    curve(200)
    assert not place.exists()
    monkeypatch.setenv("ZERMELO_ANEW", "false")  # it was as good as 1
    with pytest.raises(ParameterError, match="ZERMELO_ANEW must be 1 or 0, not 'false'"):
        curve(200)
    monkeypatch.delenv("ZERMELO_ANEW")
    monkeypatch.setattr(kept, "WORTH", 1e9)
    curve(200)
    assert not place.exists()


def test_a_folder_that_can_not_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("ZERMELO_CACHE", str(blocked))
    monkeypatch.setattr(kept, "WORTH", 0.0)
    notices._said.clear()
    with pytest.warns(notices.Notice, match=r"can't be kept for the next time \(\S*file/sweeps: Not a directory\)"):
        assert curve(200).n[-1] == 200


def test_a_checkpoint_is_its_own_file(place: Path, tmp_path: Path) -> None:
    curve(200, checkpoint=tmp_path / "run.ckpt")
    assert not place.exists()


def test_the_cache_says_how_much(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    curve(200)
    assert main(["cache", "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert before["sweeps"]["entries"] == 1 and before["sweeps"]["bytes"] > 1000
    assert main(["cache", "--clear"]) == 0
    assert not list(place.iterdir())


def test_a_cache_that_can_not_be_read_is_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("ZERMELO_CACHE", str(blocked))
    for words in ([], ["--clear"], ["--json"]):
        assert main(["cache", *words]) == 2
        said = " ".join("".join(capsys.readouterr()).split())
        assert said.endswith(": Not a directory ($ZERMELO_CACHE names another place)")


def test_small_decks_are_stored_whole_and_not_kept(place: Path) -> None:
    assert float(zermelo.solve(CardDraw(26, 26)).value) == pytest.approx(2.624475548993925)
    assert not place.exists() and np.isfinite(curve(3).value).all()
