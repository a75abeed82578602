"""Lemonade Stand: what becomes of the assets, what the page says, playing, tables and pictures, and what is refused."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import zermelo
from conversation import talk
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games import LemonadeStand
from zermelo.games.lemonade import CLOUDY, HOT, NEXT_DAY, STREET, SUNNY, WEATHERS, State, cost, market, tenths
from zermelo.games.lemonade_day import COSTS, MARKETS, SIGN, best_day, demand
from zermelo.games.lemonade_views import FIGURES, TABLES, day_by_day, future, plan
from zermelo.views.play import Session


@cache
def solved(game):
    return zermelo.solve(game)


@pytest.fixture(scope="module")
def ten():
    return solved(LemonadeStand())


# --- what becomes of the assets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [LemonadeStand(), LemonadeStand(modified=True), LemonadeStand(4, 12, 6), LemonadeStand(14)], ids=str
)
def test_distribution_of_the_assets(game):
    solution = solved(game)
    found = future(solution)
    last = found.evenings[-1]
    assert last.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert last.mean == pytest.approx(solution.value, rel=1e-12)
    assert found.bankrupt == pytest.approx(solution.payoffs["bankrupt"], rel=1e-9, abs=1e-300)


def test_who_has_nothing_is_bankrupt_on_the_first_evening(tmp_path, capsys):
    solution = solved(LemonadeStand(3, 0, 7))
    found = future(solution)
    assert found.bankrupt == 1 and [e.support.tolist() for e in found.evenings] == [[0]] * 4
    words = ["lemonade", "--days", "3", "--assets", "0", "--first-day", "7"]
    assert main(["table", *words, "--view", "assets"]) == 0
    assert main(["plot", *words, "--view", "worth", "-o", str(tmp_path / "x.png")]) == 0
    assert all(TABLES[view].make(solution, {}).rows for view in ("plan", "day"))
    for view in ("assets", "day"):
        figure = FIGURES[view].make(solution, {})
        figure.savefig(tmp_path / "x.png")
        if view == "assets":  # the only bar leaves room for what stands beside the mean
            right = figure.axes[1]
            assert right.get_ylim()[1] > 110 and np.diff(right.get_xlim())[0] > 5 * right.patches[0].get_width()
        else:
            assert "street work" in {text.get_text() for text in figure.axes[-1].get_legend().get_texts()}
    capsys.readouterr()


@pytest.mark.parametrize("game", [LemonadeStand(3, 12, 6), LemonadeStand(2, 100, 2, True)], ids=str)
def test_distribution_of_the_assets_two_ways(game):
    """Followed here in true assets, and by the general tool through the solved game."""
    solution = solved(game)
    ours, general = future(solution).evenings[-1], solution.distribution("assets")
    assert ours.support.tolist() == general.support.tolist()
    assert ours.probabilities == pytest.approx(general.probabilities, rel=1e-12)


def test_the_plan_is_the_policy(ten):
    chance = random.Random(8)
    for _ in range(300):
        s = State(chance.randint(4, 10), chance.randint(SUNNY, WEATHERS - 1), chance.randint(1, ten.game.most()))
        chosen = plan(ten, s.day, s.weather, np.array([s.assets]))
        action = ten.best_action(s)
        glasses, signs, _ = action
        assert chosen.expense[0] == cost(s.day) * glasses + SIGN * signs, s
        assert chosen.revenue[0] == glasses * action[2]
        assert market(s) == 3 * MARKETS.index(tenths(s)) + COSTS.index(cost(s.day))


PAGE = (Path(__file__).parent.parent / "docs" / "lemonade.md").read_text()


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("first release", LemonadeStand()),
        ("modified copy", LemonadeStand(modified=True)),
        ("from day 4 with 20 cents", LemonadeStand(assets=20, first_day=4)),
    ],
)
def test_what_the_page_says_of_the_best_single_day_every_day(line, game):
    found = re.search(rf"^\| {line} \| (.*) \|$", PAGE, re.M)
    plan, bankrupt, loss, often = found[1].split(" | ")
    solution = solved(game)
    simple = solution.evaluate(day_by_day)
    assert f"{solution.value:.2f}" == plan and float(loss.split()[0]) == pytest.approx(simple.loss, rel=0.1, abs=0.005)
    assert float(bankrupt) == pytest.approx(solution.payoffs["bankrupt"], rel=0.05)
    assert float(often) == pytest.approx(simple.payoffs["bankrupt"], rel=0.01)


@pytest.mark.parametrize("days", ["10", pytest.param("30", marks=pytest.mark.slow)])
def test_what_the_page_says_of_the_copies(days):
    ((_, *cells),) = re.findall(rf"^\| ({days}) \| \$(.*) \| (.*) \| \$(.*) \| (.*) \|$", PAGE, re.M)
    for modified, mean, bankrupt in zip((False, True), cells[::2], cells[1::2], strict=True):
        solution = solved(LemonadeStand(int(days), modified=modified))
        assert f"{solution.value / 100:.2f}" == mean
        assert float(bankrupt) == pytest.approx(solution.payoffs["bankrupt"], rel=0.1)


def test_day_by_day_is_the_best_day():
    names = {SUNNY: "sunny", HOT: "hot", STREET: "street", CLOUDY: "cloudy30", CLOUDY + 4: "cloudy70"}
    for weather, name in names.items():
        for assets in (3, 40, 217, 900):
            s = State(5, weather, assets)
            glasses, signs, price = day_by_day(s)
            revenue, storms = min(glasses, demand(tenths(s), signs, price)) * price, int(weather >= CLOUDY)
            gain = Fraction((4 - storms) * revenue, 4) - cost(5) * glasses - SIGN * signs
            assert gain == best_day(assets, cost(5), name).expected


# --- playing ----------------------------------------------------------------------------------------------------------


def test_a_person_may_decide_as_the_program_lets_them(ten):
    session = Session(ten, seed=1)
    said = talk(session, "57, 5 10", "", "57 5 12", "u", "1 2", "1001 0 0", "0 51 0", "0 0 101", "300 0 5", "much")
    assert "optimal" in said and "costs $1.02 on average; 57 glasses, 5 signs, 10 cents was better" in said
    assert "type 3 numbers: glasses, signs, price in cents" in said
    for refused in ("glasses: from 0 to 1000, not 1001", "signs: from 0 to 50", "price in cents: from 0 to 100"):
        assert refused in said
    assert "that costs $6.00, and there is $5.81" in said
    assert len(session.decisions) == 1 and not session.mistakes


def test_a_whole_game_is_played(ten):
    session = Session(ten, seed=3)
    while not session.is_over:
        session.act(session.hint()[0].action)
    assert session.result == sum(float(s.outcome.payoff[0]) for s in session.steps)
    assert len(session.decisions) == 10 and session.cost == 0


def test_an_evening_asks_for_nothing(ten):
    session = Session(ten, seed=1)
    session.act((57, 5, 10))
    assert session.asked == () and session.why_not(NEXT_DAY) == ""
    with pytest.raises(ParameterError, match="it is evening"):
        session.act((1, 0, 10))


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "lemonade", "--days", "0"], "days must be from 1 to 99"),
        (["solve", "lemonade", "--assets", "-1"], "assets must be from 0 to 4000"),
        (["solve", "lemonade", "--assets", "two"], "--assets must be a whole number"),
        (
            ["table", "lemonade", "--days", "1", "--view", "day", "--fix", "cost=0"],
            "cost must be a whole number of at least 1",
        ),
        (["table", "lemonade", "--days", "1", "--view", "day", "--fix", "price=3"], "no field 'price' in the view day"),
        (["table", "lemonade", "--days", "1", "--view", "plan", "--fix", "day=2"], "day must be from 1 to 1, not 2"),
    ],
)
def test_what_makes_no_sense_is_refused(words, said, capsys):
    assert main(words) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


def test_tables(capsys):
    assert main(["table", "lemonade", "--view", "day", "--fix", "assets=200", "--fix", "cost=2"]) == 0
    assert "74 3 12: 695" in capsys.readouterr().out
    assert main(["table", "lemonade", "--days", "6", "--view", "plan", "--fix", "day=4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["columns"]) == WEATHERS and data["marked"]
    assert main(["table", "lemonade", "--days", "4", "--view", "assets", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bankrupt"] == 0 and data["mean"] == pytest.approx(1431.49)


@pytest.mark.parametrize("view", ["assets", "worth", "day"])
def test_pictures(view, ten, tmp_path):
    FIGURES[view].make(ten, {}).savefig(tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size > 10_000
