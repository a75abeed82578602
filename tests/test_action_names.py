"""Actions that have the same name, or none: they are told apart, and `check` remarks on them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import zermelo
from zermelo.cli import main
from zermelo.views.table import actions, states


class S(NamedTuple):
    left: int


class Same(NamedTuple):
    def start(self) -> S:
        return S(1)

    def actions(self, s: S) -> Iterator[int]:
        if s.left:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s: S, a: int) -> Iterator[tuple[int, int, S]]:
        yield 1, 4 + a, S(0)

    def action_name(self, a: int) -> str:
        return ("go", "go", "stay")[a]


class Unnamed(Same):
    def action_name(self, a: int) -> str:
        return ("go", "", "stay")[a]


class Numbered(Same):
    """The third one is called what the first one would be called instead."""

    def action_name(self, a: int) -> str:
        return ("go", "go", "go (0)")[a]


class Both(NamedTuple):
    """Two players who may do the same: their actions have the same names, which is as it should be."""

    def start(self) -> S:
        return S(1)

    def actions(self, s: S) -> Iterator[int]:
        if s.left:
            yield 0
            yield 1

    def other_actions(self, s: S) -> Iterator[int]:
        if s.left:
            yield 0
            yield 1

    def outcomes(self, s: S, a: int, b: int) -> Iterator[tuple[int, int, S]]:
        yield 1, int(a == b), S(0)

    def action_name(self, a: int) -> str:
        return ("heads", "tails")[a]


@pytest.mark.parametrize(
    ("game", "remarks", "bounds"),
    [
        (Same(), ["`action_name` is 'go' for both actions 0 and 1 (at S(left=1))"], {"go (0)": [4, 4], "go (1)": [5, 5], "stay": [6, 6]}),
        (Unnamed(), ["`action_name` is empty for action 1 (at S(left=1))"], {"go": [4, 4], "(1)": [5, 5], "stay": [6, 6]}),
    ],
)
def test_actions_called_alike_are_told_apart(game: Same, remarks: list[str], bounds: dict[str, list[int]]) -> None:
    assert [*zermelo.check(game).remarks] == remarks
    solution = zermelo.solve(game)
    shown = actions(solution)
    assert shown.as_json()["bounds"] == bounds and sorted(row[0] for row in shown.rows) == sorted(bounds)
    assert [*solution.probe(S(1)).action_names.values()] == [*bounds]


def test_no_name_is_what_another_one_becomes() -> None:
    names = zermelo.solve(Numbered()).rules.action_names(range(3))
    assert names == {0: "go (0) (0)", 1: "go (1)", 2: "go (0) (2)"}


def test_tables_of_states_tell_them_apart() -> None:
    solution = zermelo.solve(Numbered())
    for frame in (solution.to_dataframe(), solution.to_dataframe([S(0), S(1)])):
        assert frame["action"].dropna().to_list() == ["go (0) (2)"]
    assert [row[-1] for row in states(solution).rows] == ["", "go (0) (2)"]


def test_what_is_no_action_is_told_with_its_number(in_python: None) -> None:
    """`action_name` of it may be the name of a legal one."""
    with pytest.raises(zermelo.ParameterError, match=r"^-1 \(stay\) at S\(left=1\): it is not a legal action here$"):
        zermelo.solve(Same()).action_value(S(1), -1)


def test_two_players_may_have_actions_of_the_same_name() -> None:
    assert zermelo.check(Both()).remarks == ()
    assert [row[:2] for row in actions(zermelo.solve(Both())).rows] == [(p, a) for p in ("first", "second") for a in ("heads", "tails")]


def test_commands_tell_them_apart(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    named = f"{__file__}:Same"
    assert main(["solve", named]) == 0
    assert "(go (0): 4, go (1): 5, stay: 6)" in capsys.readouterr().out
    assert main(["table", named, "--view", "actions", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["bounds"]) == 3
    monkeypatch.setattr("sys.stdin", io.StringIO("go (1)\n"))
    assert main(["play", named]) == 0
    assert "you get 5; optimal play gets 6" in capsys.readouterr().out
