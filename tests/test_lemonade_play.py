"""Lemonade Stand for several people: the days are those of the rules, and playing by the optimal policy earns its value."""

from __future__ import annotations

import json

import pytest

import zermelo
from test_cli import run  # noqa: F401
from zermelo.games import LemonadeStand
from zermelo.games.lemonade import EVENING, HOT, State
from zermelo.games.lemonade_play import Stands, converse


def session(game, players, seed, lines):
    """What is said if these lines are typed, and the days as data."""
    said, rest = [], iter(lines)

    def read(prompt):
        said.append(prompt)
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    data = converse(zermelo.solve(game), players, seed, read, lambda text="": said.append(text))
    return "\n".join(said), data


@pytest.mark.parametrize("changes", [{}, {"modified": True}, {"other_odds": True}, {"any_start": True}], ids=str)
def test_every_day_is_an_outcome_of_the_rules(changes):
    game = LemonadeStand(days=20, assets=500, **changes)
    decisions = [(74, 3, 12), (20, 0, 7), (0, 0, 0), (50, 6, 15)]
    for seed in range(60):
        stands = Stands(game, 1, seed)
        while not stands.is_over:
            morning = stands.morning(0)
            action = next(a for a in decisions[seed % 4 :] + [(0, 0, 0)] if not game.why_not(morning, a))
            forecasts = [after for ways, _, after in game.outcomes(State(morning.day - 1, EVENING, morning.assets), (-1, -1, -1)) if ways]
            assert morning in forecasts
            stands.sell({0: action})
            evenings = {min(after.assets, game.most()): bool(paid[1]) for _, paid, after in game.outcomes(morning, action)}
            assert evenings[min(stands.assets[0], game.most())] == (not stands.open())


def test_playing_by_the_policy_earns_the_value():
    game = LemonadeStand()
    solution, total, squares, plays = zermelo.solve(game), 0, 0, 1500
    for seed in range(plays):
        stands = Stands(game, 1, seed)
        while not stands.is_over:
            morning = stands.morning(0)
            stands.sell({0: solution.best_action(morning._replace(assets=min(morning.assets, game.most())))})
        total += stands.assets[0]
        squares += stands.assets[0] ** 2
    mean = total / plays
    assert abs(mean - float(solution.value)) < 4 * ((squares / plays - mean**2) / plays) ** 0.5


def test_the_day_of_the_post():
    """Possibly Wrong: on a first day that is told to be hot and dry, 74 3 12 sells 37 glasses for $2.51 in the modified copy."""
    game = LemonadeStand(modified=True)
    seed = next(seed for seed in range(100) if Stands(game, 1, seed).weather == HOT)
    said, data = session(game, 1, seed, ["74 3 12"])
    assert "Day 1, hot and dry. A glass costs 2 cents" in said and "37 of 74 glasses sold at 12 cents" in said
    assert data["assets"] == [451] and data["days"][0]["sales"][0]["sold"] == 37


def test_several_people_and_what_they_type():
    said, data = session(LemonadeStand(days=2), 2, 1, ["74 3 12", "h", "x", "2000 0 5", "100 1 5", "10,0,5", "q"])
    assert "player 2, $2.00 > " in said and "advice: 57 glasses, 5 signs, 10 cents (57 5 10)" in said and "'x' is not understood" in said
    assert "not possible: glasses: from 0 to 1000, not 2000" in said and "not possible: that costs $2.15, and there is $2.00" in said
    assert data["assets"] == [451, 200 - 20 + 50] and data["players"] == 2 and "Player 1 has $4.51, the most." in said
    said, data = session(LemonadeStand(days=9), 1, 1, ["100 0 0"] * 9)
    assert data["bankrupt"] == [1] and "You can't make another glass: bankrupt." in said and len(data["days"]) == 1


def test_the_command(run, monkeypatch):  # noqa: F811
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO("74 3 12\n"))
    code, out, _ = run("play", "lemonade", "--people", 1, "--days", 1, "--json")
    assert code == 0 and json.loads(out)["assets"] == [451]
    assert run("play", "lemonade", "--people", 31)[0] == 2 and "--people belongs to lemonade" in run("play", "pig", "--people", 2)[2]
