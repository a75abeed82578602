"""States that no play reaches, worked out from those that they lead to: as the game solved from there has them, or refused in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

import zermelo
from asking import solve_urn
from zermelo.cli import main
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.games import CardDraw, Pig, TenThousand
from zermelo.games import ten_thousand_views as views

# Crocce and Mordecki 2014, Table 6, columns 3: 55 or 51 and 2: 551 and others, where no play comes; the printed digits
TABLE_6 = {
    (3, 2, 0, 3): "5.021", (4, 2, 0, 3): "5.743", (3, 0, 0, 4): "5.743", (5, 0, 0, 4): "7.212", (5, 0, 2, 3): "5.743",
    (1, 0, 0, 5): "6.607", (4, 0, 0, 5): "8.883", (5, 2, 1, 2): "5.743", (5, 0, 0, 3): "5.552",
}  # fmt: skip


@pytest.fixture(scope="module")
def turn() -> zermelo.Solution:
    return zermelo.solve(TenThousand())


@pytest.mark.parametrize("where", TABLE_6)
def test_printed_values_where_no_play_comes(turn: zermelo.Solution, where: tuple[int, int, int, int]) -> None:
    score, fives, ones, dice = where
    state = TenThousand.State(score, fives, ones, 0, dice)
    with pytest.raises(UnreachableState, match="off_play=True"):
        turn.probe(state)
    probe = turn.probe(state, off_play=True)
    assert f"{probe.value:.3f}" == TABLE_6[where] and probe.low <= probe.value <= probe.high
    assert probe.high - probe.low < 1e-12 and probe.is_action_certain
    assert probe.actions == pytest.approx(views.options(turn, state), rel=1e-12)


def test_one_die_is_never_rolled(turn: zermelo.Solution) -> None:
    for score in range(4, 56):  # four dice set aside score at least 4 chips
        probe = turn.probe(TenThousand.State(score, 0, 0, 0, 1), off_play=True)
        assert probe.action == 0 and probe.value == score


def test_a_smaller_deck_knows_a_larger_one() -> None:
    exact = zermelo.solve(CardDraw(3, 4), exact=True)
    larger = zermelo.solve(CardDraw(7, 5), exact=True)
    probe = exact.probe(CardDraw.State(7, 5), off_play=True)
    assert probe.value == larger.value and isinstance(probe.value, Fraction) and probe.low == probe.high
    floats = zermelo.solve(CardDraw(3, 4)).probe(CardDraw.State(7, 5), off_play=True)
    assert floats.low <= probe.value <= floats.high and floats.high - floats.low < 1e-12


def test_turns_that_pass_and_chances_of_winning() -> None:
    """A turn total of 1 can't be rolled; the post asks about it all the same (Vilches 2022)."""
    game = Pig(goal=20)
    solution = zermelo.solve(game)
    state = Pig.State(3, 5, 1)
    with pytest.raises(UnreachableState):
        solution.probe(state)
    probe = solution.probe(state, off_play=True)
    chance = {a: sum(o.ways * (o.sign * solution.probe(o.state).value + o.payoff[0]) for o in outs) / sum(o.ways for o in outs)
              for a in probe.actions for outs in [solution.rules.outcomes(state, a)]}  # fmt: skip
    assert probe.actions == pytest.approx(chance) and probe.value == max(probe.actions.values())
    assert probe.win_probability is not None and 0.0 < probe.win_probability.value < 1.0


def test_states_where_play_is_solved_are_as_before(turn: zermelo.Solution) -> None:
    assert turn.probe(turn.rules.start, off_play=True) == turn.probe(turn.rules.start)


class Spot(NamedTuple):
    x: int


class Line(NamedTuple):
    """From 0 step to 2; from odd numbers play goes round among them, from below 0 the rules fail, from 1000 on it goes far."""

    def start(self) -> Spot:
        return Spot(0)

    def actions(self, s: Spot) -> Iterator[int]:
        if s.x != 2:
            yield 1

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, int, Spot]]:
        if s.x < 0:
            yield -1, 0, s
        elif s.x >= 1000:
            yield 1, 0, Spot(s.x + 2)
        else:
            yield 1, 1, Spot((s.x + 2) % 8 if s.x % 2 else 2)


def test_what_is_refused(turn: zermelo.Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = zermelo.solve(Line())
    assert solution.probe(Spot(4), off_play=True).value == 1.0
    with pytest.raises(OutOfReach, match="go round"):
        solution.probe(Spot(3), off_play=True)
    with pytest.raises(UnreachableState, match="the rules fail"):
        solution.probe(Spot(-1), off_play=True)
    monkeypatch.setattr("zermelo.uses.off_play.MOST", 50)
    with pytest.raises(OutOfReach, match="more than 50 such states"):
        solution.probe(Spot(1000), off_play=True)
    with pytest.raises(ParameterError, match="is not a state"):
        solution.probe((4,), off_play=True)
    with pytest.raises(ParameterError, match="off_play must be"):
        solution.probe(Spot(4), off_play=1)  # type: ignore[arg-type]
    with pytest.raises(OutOfReach, match="settled"):
        turn.probe(TenThousand.State(400, 0, 0, 0, 3), off_play=True)


def test_a_deck_that_is_swept_is_not_swept_for_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is solved once more, all states stored, if there are few of them."""
    monkeypatch.setattr("zermelo.uses.need.MOST_BRIDGED", 100)
    deck, larger = solve_urn(CardDraw(30, 30)), CardDraw.State(34, 30)
    with pytest.raises(OutOfReach, match="in CardDraw; working out its value needs all 961 states of CardDraw, which are not stored"):
        deck.probe(larger, off_play=True)
    monkeypatch.setattr("zermelo.uses.need.MOST_BRIDGED", 1000)
    found, anew = deck.probe(larger, off_play=True), zermelo.solve(CardDraw(34, 30))
    assert found.value == pytest.approx(anew.value, abs=1e-12) and found.low <= anew.high and anew.low <= found.high


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["table", "ten-thousand", "--view", "actions", "--fix", "score=3,fives=2,dice=3"]
    assert main(words) == 0
    assert "no play from the start comes here" in " ".join(capsys.readouterr().out.split())
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["rows"][0][0] == "take back 5" and data["rows"][0][1] == pytest.approx(5.0205818708)
