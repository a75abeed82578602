"""Files of UMB as games: what is exported comes back with the same value, and properties mean what model checkers mean."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings

import zermelo
from test_umb import game_of, games, value_of
from zermelo.basics import notices
from zermelo.basics.notices import Notice
from zermelo.cli import main
from zermelo.errors import FileError, NoValue, OutOfReach, ParameterError, ZermeloError
from zermelo.kernels.kernel import only
from zermelo.uses.umb import export_game

pytest.importorskip("umbi.umb.umb_to_tar")


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with only("interpreted"):
        yield


def value(path: Path, asked: str = "") -> Any:
    return zermelo.solve(zermelo.from_umb(path, asked), exact=True).value


@settings(max_examples=40, deadline=None)
@given(games())
def test_random_games_come_back_with_the_same_value(tmp_path_factory: pytest.TempPathFactory, game: Any) -> None:
    path = tmp_path_factory.mktemp("umb") / "game.umb"
    exported = export_game(game, path, start=game.high - 1)
    asked = exported.properties[0].replace('F "over"', "C")
    assert value(path, asked) == value_of(game, game.high - 1)


@pytest.mark.parametrize("name, options", [("card-draw", {"red": 3, "black": 3}), ("pig", {"goal": 6})])
def test_solutions_come_back_with_the_same_value(tmp_path: Path, name: str, options: Any) -> None:
    solution = zermelo.solve(name, exact=True, **options)
    solution.export_umb(tmp_path / "game.umb")
    assert value(tmp_path / "game.umb") == solution.value


def ring(tmp_path: Path) -> Path:
    """State 2: player 0 goes to 1 or stays, each for a reward of 1; state 1: player 1 goes back, or to the end or to 3, where he stays."""
    states = [
        (0, [], 0),
        (1, [[(1, 2, 1, 0)], [(1, 0, 1, 2), (2, 3, 1, 2)]], 0),
        (0, [[(1, 1, 1, 1)], [(1, 2, 1, 1)]], 0),
        (0, [[(1, 3, 1, 0)]], 0),
    ]
    export_game(game_of(states), tmp_path / "ring.umb", start=2)
    return tmp_path / "ring.umb"


class Place(NamedTuple):
    x: int


class Cheaper(NamedTuple):
    """Only player 1 decides: he pays 3 or 5."""

    def start(self) -> Place:
        return Place(0)

    def player(self, s: Place) -> int:
        return 1

    def actions(self, s: Place) -> Iterator[int]:
        if s.x == 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, (3, 5)[action], Place(1)


def test_an_only_player_who_wants_the_total_low_comes_back_as_such(tmp_path: Path) -> None:
    """The file did not say so: 5 came back for 3."""
    path = tmp_path / "game.umb"
    assert zermelo.solve(Cheaper()).export_umb(path).properties == ('R{"payoff"}min=? [F "over"]',)
    assert value(path) == 3 and value(path, 'R{"payoff"}max=? [ C ]') == 5 and value(path, 'R{"payoff"}min=? [ C ]') == 3
    maze = zermelo.solve("robot-maze", height=2, width=2)
    maze.export_umb(path)
    assert zermelo.solve(zermelo.from_umb(path)).value == pytest.approx(float(maze.value), abs=1e-9)


def test_properties_are_those_of_model_checkers(tmp_path: Path) -> None:
    path = ring(tmp_path)
    assert value(path, '<<max, min>> Pmax=? [ F "over" ]') == Fraction(1, 3)
    assert value(path, '<<max>> Pmax=? [ F "over" ]') == 0
    assert value(path, '<<1>> Pmin=? [F "over"]') == 0
    assert value(path, '<<2>> Pmax=?[F "over"]') == 0  # the other one stays
    assert value(path, '<<max,min>> R{"payoff"}min=? [ C ]') == 3
    with pytest.raises(NoValue):
        value(path, '<<max,min>> R{"payoff"}min=? [ F "over" ]')


@pytest.mark.parametrize(
    "asked, said",
    [
        ('R{"gold"}max=? [ C ]', "has no reward 'gold'; it has payoff"),
        ('Pmax=? [ F "goal" ]', "has no label 'goal'; it has over"),
        ('<<3>> Pmax=? [ F "over" ]', "has no player 3"),
        ("Pmax=? [ C ]", "a probability is that of coming to a label"),
        ('Pmax=? [ G "over" ]', "can't be asked"),
    ],
)
def test_questions_that_are_none(tmp_path: Path, asked: str, said: str) -> None:
    with pytest.raises(ParameterError, match=".") as error:
        zermelo.from_umb(ring(tmp_path), asked)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_rewards_that_need_a_name_and_rewards_below_0(tmp_path: Path) -> None:
    path = tmp_path / "two.umb"
    export_game(game_of([(0, [], (1, -2)), (0, [[(1, 0, 1, (0, 0))]], (0, 0))], 2), path, start=1, payoffs=("gain", "cost"))
    with pytest.raises(ParameterError, match="has the rewards gain, cost: what is asked"):
        zermelo.from_umb(path)
    assert value(path, 'R{"cost"}min=? [ C ]') == -2 and value(path, 'R{"gain"}=? [ F "over" ]') == 1
    with pytest.raises(OutOfReach, match="rewards below 0"):
        zermelo.from_umb(path, 'R{"cost"}=? [ F "over" ]')


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    whole = ring(tmp_path).read_bytes()
    path, random = tmp_path / "damaged.umb", np.random.default_rng(1)
    for k in range(60):
        damaged = bytearray(whole)
        if k % 2:
            del damaged[int(random.integers(len(whole))) :]
        else:
            damaged[int(random.integers(len(whole)))] ^= int(random.integers(1, 256))
        path.write_bytes(bytes(damaged))
        try:
            zermelo.from_umb(path)
        except ZermeloError as error:
            assert "\n" not in str(error)
    with pytest.raises(FileError, match="can't read"):
        zermelo.from_umb(tmp_path / "none.umb")
    with pytest.raises(ZermeloError, match="takes the path of a file, not int"):
        zermelo.from_umb(3)
    path.write_text("no archive")
    with pytest.raises(FileError, match="is no file of UMB"):
        zermelo.from_umb(path)


def test_files_whose_parts_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.umb"
    with tarfile.open(ring(tmp_path)) as old, tarfile.open(path, "w:gz") as new:
        for entry in old.getmembers():
            content = old.extractfile(entry)
            assert content is not None
            data = content.read()
            if entry.name == "branch-to-target.bin":
                data = data[:-8] + (99).to_bytes(8, "little")
            entry.size = len(data)
            new.addfile(entry, io.BytesIO(data))
    with pytest.raises(FileError, match="a branch leads to a state that is not there"):
        zermelo.from_umb(path)


def test_payoffs_that_are_no_decimals_are_told(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "third.umb"
    export_game(game_of([(0, [], 0), (0, [[(1, 0, 1, 1), (2, 0, 1, 0)]], 0)]), path, start=1)
    with pytest.warns(Notice, match=r"third\.umb: a payoff that is no decimal, such as 1/3, is paid as 0 or 1 with the mean 1/3"):
        assert value(path) == Fraction(1, 3)
    notices._said.clear()
    assert not main(["solve", str(path), "--exact"])
    assert "such as 1/3" in "".join(capsys.readouterr())


def test_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    path = ring(tmp_path)
    assert not main(["solve", str(path), "--property", '<<max,min>> Pmax=? [ F "over" ]', "--exact"])
    assert "1/3" in capsys.readouterr().out
    assert main(["solve", str(path), "--property", 'Pmax=? [ F "x" ]']) == 2
    assert main(["solve", str(path), "--property", 'Pmax=? [ F "over" ]', "--const", "N=3"]) == 2
