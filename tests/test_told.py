"""Errors about what a person can't have: each says in one line what is the case, and what can be done instead."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.cli import main
from zermelo.engines.exploring import search
from zermelo.errors import NoValue, OutOfReach, ParameterError, RulesError
from zermelo.games import CardDraw, HogSimultaneous, LeftCenterRight, Pig
from zermelo.methods import policy_iteration
from zermelo.problem import cycles
from zermelo.views.play import Session


class Spot(NamedTuple):
    at: int


class Ruin(NamedTuple):
    """A gambler wins 10 at 4, and loses 2.5 at 0."""

    begin: int

    def start(self) -> Spot:
        return Spot(self.begin)

    def outcomes(self, s: Spot) -> Any:
        if 0 < s.at < 4:
            yield 1, 0, Spot(s.at - 1)
            yield 1, 0, Spot(s.at + 1)

    def payoff(self, s: Spot) -> float:
        return 10 if s.at else -2.5


class Passed(NamedTuple):
    """The player to move pays half a chip; then the other, who is paid a quarter."""

    def start(self) -> Spot:
        return Spot(0)

    def actions(self, s: Spot) -> Any:
        if s.at < 2:
            yield 0

    def outcomes(self, s: Spot, a: int) -> Any:
        yield 1, 0.25 if s.at else 0, Spot(s.at + 1), -1


def test_a_payoff_that_no_distribution_counts_has_its_sign() -> None:
    with pytest.raises(OutOfReach, match=r"and at Spot\(at=0\) payoff is -2.5; give payoffs in"):
        zermelo.solve(Ruin(2)).distribution("payoff")
    with pytest.raises(OutOfReach, match=r"and at Spot\(at=1\) payoff is 0.25; give payoffs in"):  # to who moves, as in the rules
        zermelo.solve(Passed()).distribution("payoff")


class Loitering(NamedTuple):
    """Fewest steps to 4; one may also stay, for nothing."""

    must_end = True

    def start(self) -> Spot:
        return Spot(0)

    def player(self, s: Spot) -> int:
        return 1

    def actions(self, s: Spot) -> Any:
        if s.at < 4:
            yield 0
            yield 1

    def outcomes(self, s: Spot, a: int) -> Any:
        yield 1, a, Spot(s.at + a)
        if a:
            yield 1, a, Spot(max(s.at - 1, 0))


def test_a_game_of_ones_own_is_not_told_to_use_an_option_of_models() -> None:
    with pytest.raises(OutOfReach, match="let play end after so many moves that it does not matter") as raised:
        zermelo.solve(Loitering())
    assert "`never`" not in str(raised.value)


@pytest.mark.usefixtures("in_python")
def test_where_both_choose_at_once_an_action_is_a_pair() -> None:
    solution = zermelo.solve(HogSimultaneous(3))
    start = solution.rules.start
    with pytest.raises(ParameterError, match=r"1 at .*: both choose at once: give both actions, such as \(\d+, \d+\)"):
        solution.action_value(start, 1)
    assert isinstance(solution.action_value(start, (1, 1)), float)
    with pytest.raises(ParameterError, match="it is not a legal action here"):
        solution.action_value(start, (1, -7))


class Onwards(NamedTuple):
    def start(self) -> Spot:
        return Spot(0)

    def outcomes(self, s: Spot) -> Any:
        yield 1, 0, Spot(s.at + 1)


def test_a_state_that_was_not_reached_is_not_said_to_be(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BUDGET", 500)
    said = r"has come to [\d,]+, seems to go on without end: also in at=[\d,]+, far beyond that, the rules lead on"
    with pytest.raises(OutOfReach, match=said):
        zermelo.solve(Onwards())


class TookCounts(NamedTuple):
    """Both players pass a chip to and fro while play goes on; the total is -1 or 0 in turn. One of them would lose by stopping."""

    def start(self) -> Spot:
        return Spot(0)

    def actions(self, s: Spot) -> Any:
        if s.at < 3:
            yield 0
            if s.at == 1:
                yield 1

    def other_actions(self, s: Spot) -> Any:
        if s.at < 3:
            yield 0
            if s.at == 0:
                yield 1
                yield 2

    def outcomes(self, s: Spot, a: int, b: int) -> Any:
        if s.at == 0:
            yield 1, b - 1, Spot(1)
            yield 1, 0, Spot(2 if b == 2 else 0)
        elif s.at == 1:
            yield 1, 1 - 3 * a, Spot(3 * a)
        else:
            yield 1, 2, Spot(3)
            yield 1, 0, Spot(0)


def test_best_play_whose_total_goes_up_and_down_may_have_a_value_but_its_plays_have_no_totals() -> None:
    """From 0 half of the time to 1, for -1, and from there back, for 1: of three moves the total is -1 after one on average."""
    solution = zermelo.solve(TookCounts())
    assert solution.low <= -1 / 3 <= solution.high and solution.certificate.kind == "bound"
    for refused, advice in ((lambda: solution.simulate(10), "; with a discount.*"), (lambda: solution.distribution("payoff"), "")):
        with pytest.raises(NoValue, match=f"play can cycle forever through .* while payoffs go on, and such a play has no total{advice}$"):
            refused()
    assert solution.length.mean == float("inf") and solution.distribution().endless == 1


class Waiting(NamedTuple):
    here: int
    there: int


class Queues(NamedTuple):
    """Two queues of up to `most` customers, who cost as long as they wait, for ever: one of them is served."""

    most: int = 20

    def start(self) -> Waiting:
        return Waiting(0, 0)

    def actions(self, s: Waiting) -> Any:
        yield 0
        yield 1

    def outcomes(self, s: Waiting, action: int) -> Any:
        paid = -1 - 2 * s.here - 3 * s.there
        yield 3, paid, Waiting(min(s.here + 1, self.most), s.there)
        yield 2, paid, Waiting(s.here, min(s.there + 1, self.most))
        if action == 0:
            yield 7, paid, Waiting(max(s.here - 1, 0), s.there)
        else:
            yield 7, paid, Waiting(s.here, max(s.there - 1, 0))


def test_the_first_policy_proves_that_there_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that stop more and more rarely were solved one after the other before that was looked at, 40,000 states in 24 s."""
    begun: list[tuple[float, bool]] = []
    begin = policy_iteration.Block.begin_stopped
    monkeypatch.setattr(policy_iteration.Block, "begin_stopped", lambda self, *how: (begun.append(how), begin(self, *how))[1])
    with pytest.raises(NoValue, match="adds up without end while play cycles"):
        zermelo.solve(Queues())
    assert begun == [policy_iteration.ATTEMPTS[0]]


def test_a_cycle_is_not_sought_for_longer_than_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no step with a payoff led back, the outcomes of all states were gone through in the end."""
    seen: list[int] = []
    outcomes = cycles._outcomes
    monkeypatch.setattr(cycles, "_outcomes", lambda game, state, *how: (seen.append(state), outcomes(game, state, *how))[1])
    monkeypatch.setattr(cycles, "FOLLOWED", 0)
    with pytest.raises(NoValue) as refusal:
        zermelo.solve(Queues())
    assert "A cycle" not in str(refusal.value) and 0 < len(seen) <= cycles.TRIED


def test_a_policy_is_refused_where_nobody_decides() -> None:
    """Any was accepted, even one that returned 99."""
    solution = zermelo.solve(LeftCenterRight(2, 2))
    for asked in (solution.evaluate, solution.best_response, lambda p: solution.simulate(10, policy=p)):
        for policy in (lambda s: 99, lambda s: s.nothing):
            with pytest.raises(ParameterError, match="LeftCenterRight: nobody decides anything in this game"):
                asked(policy)
    assert solution.evaluate(solution.policy).value == pytest.approx(solution.value)  # which chooses nothing


def test_states_are_whole_numbers() -> None:
    solution = zermelo.solve(Pig(5))
    assert solution.state(1, 2, 0) == (1, 2, 0) and solution.state(mine=1, theirs=0, turn=2).turn == 2
    for numbers in ((1, 2, "a"), (2.5, 0, 0), ((1,), 0, 0)):
        with pytest.raises(ParameterError, match="is not a state of Pig: expected State"):
            solution.state(*numbers)
    with pytest.raises(ParameterError, match="a state of Pig has the fields"):
        solution.state(1)


def test_the_seat_of_a_game_for_one() -> None:
    with pytest.raises(ParameterError, match="CardDraw: the seat must be 1, not 2: this is no game for two"):
        Session(zermelo.solve(CardDraw(2, 2)), seat=1)


def test_a_class_is_no_game() -> None:
    for wrong, said in ((Ruin, r"pass a game, as in Ruin\(begin=...\)"), (Loitering, r"as in Loitering\(\)")):
        with pytest.raises(RulesError, match=said):
            zermelo.solve(wrong)


def test_a_state_of_a_module_that_was_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "from typing import NamedTuple\nclass S(NamedTuple):\n    n: int\nclass Down(NamedTuple):\n    def start(self):\n"
        "        return S(2)\n    def outcomes(self, s):\n        if s.n:\n            yield 1, 1, S(s.n - 1)\n"
    )
    for name in ("loaded_again", "another_file"):
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    module, other = map(importlib.import_module, ("loaded_again", "another_file"))
    solution = zermelo.solve(module.Down())
    again = importlib.reload(module)
    assert solution.probe(again.S(2)).value == 2 and solution.simulate(1).mean == 2
    with pytest.raises(ParameterError, match=r"expected S\(n\); this S is another class of that name, from another_file"):
        solution.probe(other.S(2))
    del sys.modules["loaded_again"], sys.modules["another_file"]


@pytest.mark.parametrize(("name", "game", "parameters"), [("passing_coins", "PassingCoins", (2, 2)), ("coin_race", "CoinRace", (3,))])
def test_the_lines_of_a_game_run_again(name: str, game: str, parameters: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """As a cell of a notebook does: a solution from before answers on, stage by stage, too."""
    monkeypatch.syspath_prepend("examples")
    module = importlib.import_module(name)
    solution = zermelo.solve(getattr(module, game)(*parameters))
    importlib.reload(module)
    assert solution.distribution().mean == pytest.approx(solution.length.mean)
    assert solution.probe(solution.rules.start).value == solution.value
    assert len(solution.to_dataframe()) > 0
    del sys.modules[name]


def test_one_state_is_no_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "nothing.py").write_text(
        "from typing import NamedTuple\nclass S(NamedTuple):\n    n: int\nclass Nothing(NamedTuple):\n    def start(self):\n"
        "        return S(0)\n    def outcomes(self, s):\n        if s.n:\n            yield 1, 1, s\n"
    )
    assert main(["check", f"{tmp_path}/nothing.py"]) == 0
    assert "no faults (1 state examined)" in capsys.readouterr().out


def test_a_study_counts_what_was_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """"1 combination, 1 solved", and then "1 of 1 could not be solved"."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    assert main(["study", "pig", "--goal", "5,50", "--max-states", "200"]) in (0, 1)
    said = capsys.readouterr().out
    assert "2 combinations, 1 solved and 1 not in " in said and "1 of 2 could not be solved" in said
