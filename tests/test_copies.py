"""Copies and pickles of solutions: the same in the other process as here, or one line that says what to do."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zermelo
from asking import solve_board
from test_boards import Countdown
from zermelo.errors import FileError, OutOfReach, ParameterError, ZermeloError
from zermelo.games import Pig
from zermelo.kernels.kernel import only
from zermelo.uses import need

SOLUTIONS = {
    "floats": lambda: zermelo.solve("pig", goal=5),
    "exact": lambda: zermelo.solve("pig", goal=5, exact=True),
    "discounted": lambda: zermelo.solve("card-draw", red=4, black=4, discount=0.9),
    "inherited parameters": lambda: zermelo.solve("robot-maze", height=3, width=3),
    "stages": lambda: zermelo.solve("dreidel", players=3, coins=2),
    "entries": lambda: zermelo.solve("ten-thousand-turns", goal=200, dice=3),
    "a swept urn": lambda: zermelo.solve("card-draw", red=3000, black=3000),
    "a board": lambda: solve_board(Countdown(20)),
    "simultaneous": lambda: zermelo.solve("hog-simultaneous", goal=3, most_dice=2),
    "hidden": lambda: zermelo.solve("kuhn-poker"),
    "best responses": lambda: zermelo.solve("binary-search", n=5),
    "matrix": lambda: zermelo.matrix_game([[1, 2], [3, 0]]),
}


@cache
def solved(name: str) -> Any:
    """Its copies are compared with it, and nobody changes it."""
    with only("interpreted") if name == "a board" else nullcontext():
        return SOLUTIONS[name]()


@pytest.mark.parametrize("name", SOLUTIONS)
@pytest.mark.parametrize("way", [lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy, copy.copy], ids=["pickle", "deepcopy", "copy"])
def test_a_copy_is_the_same(name: str, way: Any) -> None:
    solution = solved(name)
    other = way(solution)
    assert type(other) is type(solution) and other is not solution and other.game == solution.game
    assert other.payoffs == solution.payoffs and other.bounds == solution.bounds and other.certificate == solution.certificate
    assert other.report == solution.report and repr(other) == repr(solution)
    if isinstance(solution, zermelo.Solution):
        assert other.probe(solution.rules.start) == solution.probe(solution.rules.start)
        assert other.discount == solution.discount


def test_a_policy_of_both_at_once_is_handed_on() -> None:
    """In one line of text, and by pickle; it answers for whoever is asked, there as here."""
    solution = solved("simultaneous")
    assert repr(solution.policy) == f"<MixedPolicy of {solution!r}>"
    policy, start = pickle.loads(pickle.dumps(solution.policy)), solution.rules.start
    for seat in (0, 1):
        assert policy(start, seat) == policy(start, seat=seat) == solution.policy(start, seat)
        assert solution.evaluate(policy, seat=seat).loss == solution.evaluate(solution.policy, seat=seat).loss


def _worth(solution: Any) -> Any:
    return solution.value, solution.probe(solution.rules.start).action


def test_a_solution_is_sent_to_another_process() -> None:
    """Also one opened from a file, whose arrays are on disk."""
    solution = zermelo.solve(Pig(5), exact=True)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_worth, [solution]) == [_worth(solution)]


def test_an_opened_solution_is_pickled(tmp_path: Path) -> None:
    zermelo.solve(Pig(5)).save(tmp_path / "file")
    opened = zermelo.open(tmp_path / "file")
    content = pickle.dumps(opened)
    value = opened.value
    (tmp_path / "file").unlink()
    assert pickle.loads(content).value == value


def test_what_no_file_holds_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = zermelo.solve("kuhn-poker")
    locked = locked.lock({next(iter(locked.policy(0))): 0})
    zermelo.solve(Mine(5)).save(tmp_path / "file")
    monkeypatch.delitem(globals(), "Mine")
    data = zermelo.open(tmp_path / "file")
    assert isinstance(data, zermelo.DataSolution)
    for wrong in ("3.5", 0.5, (1, 2)):
        with pytest.raises(ParameterError, match=r"not a state of Mine: its fields are whole numbers \(mine; theirs; turn\)"):
            data.state(wrong, 0, 0)
    refusals: list[tuple[Any, type[ZermeloError], str]] = [
        (locked, OutOfReach, "a part is locked, and files hold the whole game only"),
        (data, ParameterError, "Mine: a solution without its rules can't be pickled: hand on its file, and zermelo.open it there"),
    ]
    for solution, error, said in refusals:
        assert copy.deepcopy(solution).value == solution.value
        with pytest.raises(error, match=said) as caught:
            pickle.dumps(solution)
        assert "\n" not in str(caught.value)


def test_what_is_wrong_is_told_in_another_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong parameter could not be pickled; rules that had changed were told of a temporary file."""
    with pytest.raises(ParameterError) as caught:
        zermelo.solve("pig", goal=0)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    content = pickle.dumps(zermelo.solve(Mine(5)))
    monkeypatch.setattr(Mine, "actions", lambda self, s: iter(()))
    with pytest.raises(FileError, match="^the pickled solution was solved under other rules; those of Mine have changed: solve again$"):
        pickle.loads(content)


@pytest.mark.parametrize("name", ["floats", "simultaneous", "a board"])
def test_a_best_response_is_pickled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its policy held a module."""
    solution = solved(name)
    actions = solution.rules.own_actions
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)  # so that the board is not solved again
    for seat in (0, 1):
        found = solution.best_response(lambda s: actions(s)[0], seat=seat)
        other = pickle.loads(pickle.dumps(found))
        assert repr(other) == repr(found) and solution.evaluate(other.policy, lambda s: actions(s)[0], seat=seat).value == found.value
    content = pickle.dumps(found)
    monkeypatch.setattr(type(solution.game), "actions", lambda self, s: iter(()))
    with pytest.raises(FileError, match="^the pickled response was found under other rules; those of .* have changed: solve again$"):
        pickle.loads(content)


class Mine(Pig):
    """A game whose rules are forgotten."""
