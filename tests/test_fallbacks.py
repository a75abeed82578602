"""A faster method that was tried and given up is told: in the report of the solution, by the command line, in its JSON and in files."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from test_simultaneous import problem, random_game
from zermelo.cli import report as cli_report
from zermelo.games import LeftCenterRight, Pig
from zermelo.methods import chance, cyclic, joint_block, linear
from zermelo.problem.solver import Fallback, told
from zermelo.solvers import simultaneous
from zermelo.solvers.simultaneous import Simultaneous
from zermelo.views.data import as_data


class At(NamedTuple):
    place: int


class Walk(NamedTuple):
    """A walk on a line until it comes to an end of it; 1 is paid at the right end."""

    size: int = 600

    def start(self) -> At:
        return At(self.size // 2)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if 0 < s.place < self.size:
            yield 1, 0, At(s.place - 1)
            yield 1, 0, At(s.place + 1)

    def payoff(self, s: At) -> int:
        return 1 if s.place == self.size else 0


def not_converging(settle_components: Any, components_at: int) -> Any:
    """The kernel as if Newton's method converged in no component of several states."""

    def settle(*arguments: Any) -> int:
        before, components, at, after = (
            arguments[:components_at], arguments[components_at], arguments[components_at + 1], arguments[components_at + 2 :],
        )  # fmt: skip
        while at < components.size - 1 and components[at + 1] - components[at] == 1:
            settle_components(*before, components[: at + 2], at, *after)
            at += 1
        return int(at)

    return settle


def lines(solution: Any) -> list[str]:
    return [text for label, text in cli_report.summary(solution) if label == "note"]


def check_told(solution: Any, what: str, tmp_path: Path) -> None:
    """In the report, in the last lines of `solve`, in JSON, and in the file."""
    notes = list(solution.report.notes)
    assert notes and all(note.startswith(what) for note in notes) and lines(solution) == notes
    data = json.loads(json.dumps(as_data(solution), default=str))
    assert data["notes"] == notes and data["engine"] == solution.report.engine
    solution.save(tmp_path / "file")
    assert zermelo.open(tmp_path / "file", solution.game).report.notes == tuple(notes)


def test_nothing_is_told_where_nothing_was_given_up() -> None:
    solution = zermelo.solve(Pig(5))
    assert solution.report.notes == () and lines(solution) == [] and as_data(solution)["notes"] == []


def test_sweeps_that_do_not_converge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A walk takes so long that sweeps really do not get there."""
    monkeypatch.setattr(chance, "DIRECT", 100)
    monkeypatch.setattr(linear, "solve_thin", lambda *_: None)
    solution = zermelo.solve(Walk())
    assert solution.low <= Fraction(1, 2) <= solution.high and solution.high - solution.low < 1e-6
    what = "Gauss-Seidel sweeps did not converge in 1 component (of up to 599 states), where value iteration from 0, then policy"
    check_told(solution, what, tmp_path)


def test_newtons_method_that_does_not_converge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = zermelo.solve(Pig(5), exact=True).value
    monkeypatch.setattr(cyclic, "settle_components", not_converging(cyclic.settle_components, 2))
    solution = zermelo.solve(Pig(5))
    assert solution.low <= expected <= solution.high and solution.high - solution.low < 1e-12
    check_told(solution, "Newton's method did not converge in", tmp_path)


def test_a_component_that_newtons_method_is_not_made_for_gives_up_nothing() -> None:
    solution = zermelo.solve(Walk(), discount=0.5)
    assert solution.report.facts["largest_component"] == 599 and solution.report.notes == ()


def test_newtons_method_where_both_choose_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = problem(random_game(random.Random(7), 5))
    before = Simultaneous().solve(game, 1.0, lambda *_: None)
    monkeypatch.setattr(simultaneous, "settle_components", not_converging(simultaneous.settle_components, 3))
    found = Simultaneous().solve(game, 1.0, lambda *_: None)
    assert before.notes == () and np.abs(found.value - before.value).max() < 1e-12
    (note,) = found.notes
    assert note == "Newton's method did not converge in 1 component (of up to 5 states), where switching strategies was used instead"


def test_the_stopped_games_solution_where_both_choose_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stay = [[[(Fraction(1), 0, 2, 1)], [(Fraction(1), 0, 1, 1)]], [[(Fraction(1), 0, 0, 1)], [(Fraction(1), 0, 0, 1)]]]
    iterate = joint_block.JointBlock.iterate

    def only_stopped(self: Any, *rounds: int) -> None:
        if not self.ends:
            raise RuntimeError
        iterate(self, *rounds)

    monkeypatch.setattr(joint_block.JointBlock, "iterate", only_stopped)
    found = Simultaneous().solve(problem([Fraction(-1), Fraction(1), stay]), 1.0, lambda *_: None)
    assert abs(found.value[2, 0]) <= found.error[2, 0] + 1e-300
    (note,) = found.notes
    assert note.startswith("switching strategies did not converge in 1 component") and "the game that stops with a chance of 9e-13" in note


def test_an_engine_that_gives_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = zermelo.solve(LeftCenterRight(3, 1))
    monkeypatch.setattr("zermelo.engines.stages.solving.settle", lambda *_, **__: -1)
    solution = zermelo.solve(LeftCenterRight(3, 1))
    assert solution.report.engine == "explored" and float(solution.value) == pytest.approx(float(expected.value))
    check_told(solution, "the engine stages gave up: sweeps do not solve the equations of stage", tmp_path)


def test_what_is_told_of_many_components() -> None:
    found = told([Fallback("A", "B", 3), Fallback("A", "C", 5), Fallback("A", "B", 1234)])
    assert found == (
        "A did not converge in 2 components (of up to 1,234 states), where B was used instead",
        "A did not converge in 1 component (of up to 5 states), where C was used instead",
    )
    assert told([]) == ()
