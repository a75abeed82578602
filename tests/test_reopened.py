"""Every game of the catalogue, saved and opened by its name alone: with its rules, and to the bit what was saved."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import zermelo
from test_cli import run  # noqa: F401
from test_golden import WORDS
from zermelo.cli import main
from zermelo.engines.exploring import explore as exploring
from zermelo.games import GuessNumber, HogSimultaneous, Pig, Piglet, RobotMaze
from zermelo.states.layout import Layout
from zermelo.storage.game import without_rules

Run = Callable[..., tuple[int, str, str]]
SMALLER = {
    **WORDS, "pig": "--goal 8", "lemonade": "--days 1", "connect-four": "--width 4 --height 2", "gobblet": "--sizes 1 --per-size 2",
    "house-race": "--goal 250 --dice 3 --entry 200 --small-straight 750 --more doubled",
}  # fmt: skip
OPEN = """
import json, sys, zermelo
from zermelo.basics.plain import plain
from zermelo.views.data import as_data
print(json.dumps([plain(as_data(zermelo.open(path))) for path in sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[dict[str, Any], Path]]:
    """For each command of the catalogue: what is said of a small game when it is solved, and its file."""
    folder, found = tmp_path_factory.mktemp("saved"), {}
    for name, words in SMALLER.items():
        path, said = folder / f"{name}.zermelo", StringIO()
        with redirect_stdout(said):
            assert main(["solve", name, *words.split(), "-o", str(path), "--json"]) == 0
        found[name] = json.loads(said.getvalue()), path
    return found


@pytest.fixture(scope="module")
def again(files: Mapping[str, tuple[dict[str, Any], Path]]) -> Mapping[str, dict[str, Any]]:
    """What is said of the files by a process that has imported no game."""
    paths = [str(path) for _, path in files.values()]
    done = subprocess.run([sys.executable, "-c", OPEN, *paths], capture_output=True, text=True, check=True)
    return dict(zip(files, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", WORDS)
def test_it_says_what_was_said_when_it_was_solved(name: str, files: Any, again: Mapping[str, dict[str, Any]]) -> None:
    """Value, bounds, actions and strategies, units: all but the name of the file."""
    solved, _ = files[name]
    assert {**again[name], "output": solved["output"]} == solved


def test_a_reopened_maze_has_all_verbs(files: Any, run: Run) -> None:  # noqa: F811
    _, path = files["robot-maze"]
    assert "Robot maze: 3 x 3 cells, seed 1" in run("solve", path)[1] and " moves" in run("solve", path)[1]
    for words in (["table", path], ["simulate", path, "--plays", "10"], ["page", path, "-o", "maze.html"]):
        code, out, err = run(*words)
        assert code == 0 and out, err


class Longer(Pig):
    """A game that inherits its parameters."""


def test_a_game_that_inherits_its_parameters_is_found_where_it_is_imported(tmp_path: Path) -> None:
    zermelo.solve(Longer(5)).save(tmp_path / "file")
    found = zermelo.open(tmp_path / "file")
    assert found.game == Longer(5) and type(found.game) is Longer


def test_a_game_that_the_catalogue_no_longer_has() -> None:
    """No file of the user is named that he does not have."""
    said = without_rules("file", {"game": "zermelo.games.robot:RobotMaze"})
    assert said == "file holds a solution of RobotMaze as another version of Zermelo had it, whose rules are not here: solve again"


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "exact"])
@pytest.mark.parametrize("first", ["length", "evaluate"])
def test_a_certificate_is_written_whatever_was_asked_before(in_python: None, tmp_path: Path, first: str, exact: bool) -> None:
    """States are in another order in a file than where they were explored, which a question does once more."""
    zermelo.solve(Piglet(3), exact=exact).save(tmp_path / "piglet")
    again = zermelo.open(tmp_path / "piglet")
    assert again.length.mean > 1 if first == "length" else again.evaluate(again.policy).loss == pytest.approx(0)
    again.export_certificate(tmp_path / "proof")
    assert zermelo.verify(tmp_path / "proof").verified


@pytest.mark.parametrize("game", [RobotMaze(3, 2), GuessNumber(9), Piglet(4), HogSimultaneous(3, 2)], ids=str)
def test_states_are_known_again_whatever_the_rules_checker_has_seen(
    game: Any, in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layout of keys depends on the states that it has seen, and so on the time that it took. Where it was another one in the process
    that opened a file, states were taken for one another: `simulate` and others ended in an error, or went wrong."""
    before = zermelo.solve(game)
    before.save(tmp_path / "file")
    after, tight = zermelo.open(tmp_path / "file"), Layout.tight

    class Wider:
        @staticmethod
        def tight(states: Any) -> Layout:
            found = tight(states)
            return dataclasses.replace(found, low=tuple(n - 1 for n in found.low), bits=tuple(b + 2 for b in found.bits), words=())

    monkeypatch.setattr(exploring, "Layout", Wider)
    for ask in (lambda s: s.simulate(50, seed=1).mean, lambda s: s.length.mean, lambda s: s.distribution("payoff").mean):
        assert ask(after) == ask(before)
    after.export_certificate(tmp_path / "proof")
    assert zermelo.verify(tmp_path / "proof").verified
