"""Lemonade Stand: one day against every decision, and the pruned game against the whole one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import naive
import zermelo
from known import known
from zermelo.errors import ParameterError
from zermelo.games import LemonadeStand
from zermelo.games.lemonade import CLOUDY, EVENING, HOT, NEXT_DAY, STREET, SUNNY, WEATHERS, State, cost, tenths
from zermelo.games.lemonade import ways as chances
from zermelo.games.lemonade_day import (
    COSTS,
    MARKETS,
    SIGN,
    best_day,
    demand,
    offers,
)
from zermelo.games.lemonade_day import (
    WEATHERS as DAYS,
)
from zermelo.views.slices import box_of

MOST = (1000, 50, 100)  # glasses, signs, price


@pytest.fixture(scope="module")
def ten():
    return zermelo.solve(LemonadeStand())


# --- one day ----------------------------------------------------------------------------------------------------------


def test_demand_is_rounded_down_from_the_true_number():
    """All weathers, signs and prices, with 50 digits."""
    with localcontext() as context:
        context.prec = 50
        faith = [2 - (Decimal(-s) / 2).exp() for s in range(51)]
        for tenth in MARKETS:
            for p in range(101):
                n = Decimal(tenth) / 10 * (54 - Decimal("2.4") * p if p < 10 else Decimal(3000) / (p * p))
                if p >= 10:  # a quotient is no exact decimal: decide whole numbers in fractions
                    whole = Fraction(300 * tenth, p * p)
                    assert demand(tenth, 0, p) == int(whole)
                else:
                    assert demand(tenth, 0, p) == int(n)
                assert [demand(tenth, s, p) for s in range(1, 51)] == [int(n * f) for f in faith[1:]]


def every_decision(assets: int, glass: int) -> Iterator[tuple[int, int, int]]:
    for glasses in range(min(MOST[0], assets // glass) + 1):
        for signs in range(min(MOST[1], (assets - glass * glasses) // SIGN) + 1):
            for price in range(MOST[2] + 1):
                yield glasses, signs, price


def brings(weather: str, glass: int, decision: tuple[int, int, int]) -> tuple[int, int]:
    """(expense, revenue without a storm)."""
    glasses, signs, price = decision
    return glass * glasses + SIGN * signs, min(glasses, demand(DAYS[weather].tenths, signs, price)) * price


@pytest.mark.parametrize("fact", known("lemonade", "best day"), ids=lambda f: f.id)
def test_the_best_single_day(fact):
    expected, *others = fact.value["best"]
    found = best_day(fact.params["assets"], fact.value["cost"], fact.value["weather"])
    assert tuple(found) == (Fraction(expected), *others)


@pytest.mark.parametrize("weather", DAYS)
@pytest.mark.parametrize(("assets", "glass"), [(0, 2), (14, 2), (47, 3), (61, 4), (75, 5), (9, 10)])
def test_the_best_day_is_the_best_of_all_decisions(weather, assets, glass):
    storms = DAYS[weather].storms

    def worth(decision):
        expense, revenue = brings(weather, glass, decision)
        return (4 - storms) * revenue - 4 * expense, revenue - expense, *decision

    quarters, *rest = max(map(worth, every_decision(assets, glass)))
    assert tuple(best_day(assets, glass, weather)) == (Fraction(quarters, 4), *rest)


@pytest.mark.parametrize("weather", DAYS)
@pytest.mark.parametrize(("assets", "glass"), [(44, 2), (60, 4), (72, 5)])
def test_no_decision_beats_the_offers_whatever_money_is_worth(weather, assets, glass):
    """Random growing values of what is left: the best offer that can be paid is as good as the best of all decisions."""
    chance = random.Random(assets)
    storms, decisions = DAYS[weather].storms, {brings(weather, glass, d) for d in every_decision(assets, glass)}
    kept = [o for o in offers(DAYS[weather].tenths, glass) if o.expense <= assets]
    offered = [(o.expense, o.revenue) for o in kept]
    assert set(offered) <= decisions
    both = [np.array(sorted(each)).T for each in (offered, decisions)]
    for _ in range(30):
        worth = np.cumsum(chance.choices([0, 0, 1, 1, 1, 7, 60], k=assets + 2500))
        most = [((4 - storms) * worth[assets - expense + revenue] + storms * worth[assets - expense]).max() for expense, revenue in both]
        assert most[0] == most[1]


def test_offers_cost_more_only_to_earn_more():
    for tenth in MARKETS:
        for glass in COSTS:
            found = offers(tenth, glass)
            assert found[0] == (0, 0, 0, 0, 0)
            for a, b in zip(found, found[1:], strict=False):
                assert a.expense < b.expense and a.revenue - a.expense < b.revenue - b.expense
            for o in found:
                assert o.expense == glass * o.glasses + SIGN * o.signs
                assert o.glasses <= demand(tenth, o.signs, o.price) and o.revenue == o.glasses * o.price


@pytest.mark.parametrize(
    ("given", "said"),
    [((-1, 2, "hot"), "assets"), ((200, 0, "hot"), "cost"), ((200, 2, "warm"), "weather"), ((2.5, 2, "hot"), "assets")],
)
def test_a_day_that_makes_no_sense(given, said):
    with pytest.raises(ParameterError, match=said):
        best_day(*given)


# --- the game ---------------------------------------------------------------------------------------------------------


class EveryDecision(NamedTuple):
    """The same game with every decision that the program takes, and with assets that are never capped."""

    days: int = 2
    assets: int = 30
    first_day: int = 4
    modified: bool = False

    def payoffs(self):
        return ("assets", "bankrupt")

    def start(self):
        return LemonadeStand(*self).start()

    def ends(self, s: State):
        return s.day >= self.first_day + self.days - 1 or (s.day >= self.first_day and s.assets <= cost(s.day))

    def actions(self, s: State):
        if s.weather == EVENING:
            if not self.ends(s):
                yield NEXT_DAY
        else:
            for glasses in range(min(1000, s.assets // cost(s.day)) + 1):
                for signs in range(min(50, (s.assets - cost(s.day) * glasses) // SIGN) + 1):
                    for price in range(101):
                        yield glasses, signs, price

    def outcomes(self, s: State, action: tuple[int, int, int]):
        if s.weather == EVENING:
            for weather in range(SUNNY, WEATHERS):
                yield chances(s.day + 1, weather, self.modified, self.modified), (0, 0), State(s.day + 1, weather, s.assets)
        else:
            glasses, signs, price = action
            spent = cost(s.day) * glasses + SIGN * signs
            earned = min(glasses, demand(tenths(s), signs, price)) * price
            brought = s.assets if s.day == self.first_day else 0
            for ways, gain in ((3, earned - spent), (1 if s.weather >= CLOUDY else 0, -spent)):
                yield (
                    ways,
                    (brought + gain, int(s.assets + gain <= cost(s.day))),
                    State(s.day, EVENING, s.assets + gain),
                )


@pytest.mark.parametrize(
    "given",
    [
        (2, 6, 4), (2, 5, 1, True), (2, 4, 1), (1, 40, 1),
        *(pytest.param(given, marks=pytest.mark.slow) for given in ((2, 22, 4), (2, 24, 7), (2, 30, 2), (2, 21, 6, True), (1, 200, 5))),
    ],  # fmt: skip
    ids=str,
)
def test_pruned_is_as_good_as_every_decision(given):
    every, pruned = EveryDecision(*given), zermelo.solve(LemonadeStand(*given))
    whole = zermelo.solve(every)
    assert whole.statistics["outcomes"] > 5 * len(whole.space)
    day, weather, assets = whole.space.columns.values()
    told = np.minimum(assets, pruned.game.most())
    values = box_of(pruned, pruned.values, np.nan)[day, weather, told]
    assert np.abs(values - whole.values).max() < 1e-9
    assert pruned.value == pytest.approx(whole.value, abs=1e-9)


def test_every_decision_by_the_oracle():
    """A small game in rationals, by the oracle and by the engine."""
    game = LemonadeStand(days=1, assets=26, first_day=5)
    every = naive.value(EveryDecision(*game[:3]))
    assert every[0] == naive.solve(game, [game.start()])[game.start()][0]
    assert zermelo.solve(game, exact=True).value == every[0]


@pytest.mark.parametrize("fact", known("lemonade", "assets")[::3], ids=lambda f: f.id)
def test_many_days(fact):
    """The others are in the claim lemonade.many: tests/test_reproduce.py."""
    solution = zermelo.solve(LemonadeStand(**fact.params))
    assert solution.value == pytest.approx(float(fact.value), abs=1e-9)
    assert solution.high - solution.low < 1e-10 and solution.low <= solution.value <= solution.high


@pytest.mark.parametrize(
    "game", [LemonadeStand(), LemonadeStand(8, 60, 5), LemonadeStand(6, modified=True), LemonadeStand(5, 80, any_start=True)], ids=str
)
def test_values_of_all_evenings_by_hand(game):
    """Dynamic programming over true assets, one array a day, sharing nothing with the engine nor with the cap."""
    size = 12_000
    solution, assets = zermelo.solve(game), np.arange(size)
    worth = assets.astype(float)
    for day in range(game.last_day(), game.first_day - 1, -1):
        evening = np.where(assets <= cost(day), assets, worth)
        shown = range(cost(day) + 1, game.most(), 97)
        if day < game.last_day():
            found = [solution.probe(State(day, EVENING, a)).value + a for a in shown]
            assert found == pytest.approx(evening[list(shown)], abs=1e-8)
        worth = sum(
            game.forecast(day, w) / 100 * morning(State(day, w, 0), evening, assets) for w in range(SUNNY, WEATHERS)
        )
    assert solution.value == pytest.approx(worth[game.assets], abs=1e-9)


def morning(s: State, evening: np.ndarray, assets: np.ndarray) -> np.ndarray:
    best, storm = np.zeros(len(assets)), 0.25 if s.weather >= CLOUDY else 0.0
    for o in offers(tenths(s), cost(s.day)):
        calm = evening[np.minimum(assets - o.expense + o.revenue, len(assets) - 1)]
        value = (1 - storm) * calm + storm * evening[np.maximum(assets - o.expense, 0)]
        best = np.where(assets >= o.expense, np.maximum(best, value), best)
    return best


def test_where_money_is_no_limit():
    """More than `enough` changes nothing, and less than the least need does; a cap further up changes nothing either."""
    six, other = zermelo.solve(LemonadeStand(6)), zermelo.solve(LemonadeStand(6, assets=4000))
    game = six.game
    for day in (1, 3, 5):
        rich = six.probe(State(day, EVENING, game.enough(day + 1))).value
        assert six.probe(State(day, EVENING, game.most())).value == pytest.approx(rich, abs=1e-9)
        assert other.probe(State(day, EVENING, 3999)).value == pytest.approx(rich, abs=1e-9)
        assert six.probe(State(day, EVENING, 150)).value < rich - 1
    assert other.value - 4000 == pytest.approx(six.probe(State(0, EVENING, game.most())).value - game.most(), abs=1e-9)


def test_money_is_worth_at_least_itself(ten):
    values = np.array([ten.probe(State(4, EVENING, a)).value + a for a in range(900)])
    assert (np.diff(values) >= 1 - 1e-9).all()


def test_forecasts():
    for modified in (False, True):
        game = LemonadeStand(modified=modified)
        for day in range(1, 12):
            assert sum(game.forecast(day, w) for w in range(SUNNY, WEATHERS)) == 100
    first, copy = LemonadeStand(), LemonadeStand(modified=True)
    assert [first.forecast(d, SUNNY) for d in (1, 2, 3, 4)] == [100, 100, 75, 45]
    assert [first.forecast(d, STREET) for d in (1, 2, 3, 4)] == [0, 0, 25, 15]
    assert [copy.forecast(d, HOT) for d in (1, 2, 3, 4)] == [30, 30, 30, 30]
    assert [copy.forecast(d, SUNNY) for d in (1, 2, 3, 4)] == [40, 40, 30, 30]
    assert tenths(State(2, HOT, 0)) == 10 and tenths(State(3, HOT, 0)) == 20


def test_each_change_of_the_modified_copy_by_itself():
    odds, start = LemonadeStand(other_odds=True), LemonadeStand(any_start=True)
    assert [odds.forecast(d, HOT) for d in (1, 2, 3, 4)] == [0, 0, 0, 30] and odds.forecast(4, SUNNY) == 30
    assert [start.forecast(d, HOT) for d in (1, 2, 3, 4)] == [20] * 4 and [start.forecast(d, SUNNY) for d in (1, 3)] == [60, 45]
    both, copy = LemonadeStand(4, other_odds=True, any_start=True), LemonadeStand(4, modified=True)
    assert both.start() == copy.start() and zermelo.solve(both).value == zermelo.solve(copy).value
    assert odds.start() == State(1, SUNNY, 200) and start.start() == State(0, EVENING, 200)


def test_the_hot_day_of_the_modified_copy():
    """74 glasses, 3 signs, 12 cents: $6.95 on a hot day, but on the first day hot weather changes nothing."""
    game = LemonadeStand(modified=True)
    ((_, paid, evening),) = game.outcomes(State(1, HOT, 200), (74, 3, 12))
    assert evening == (1, EVENING, 200 + 251) and paid == (200 + 251, 0)
    ((_, paid, evening),) = game.outcomes(State(3, HOT, 2000), (37, 3, 12))
    assert paid == (37 * 12 - 37 * 4 - 45, 0) and evening.assets == 2000 + paid[0]


def test_a_cloudy_forecast_of_the_modified_copy_can_bring_a_storm_on_the_first_day():
    game = LemonadeStand(modified=True)
    calm, storm = game.outcomes(State(1, CLOUDY, 200), (37, 3, 12))
    assert (calm[0], calm[2].assets, storm[0], storm[2].assets) == (3, 200 + 37 * 12 - 119, 1, 200 - 119)


def test_bankrupt_in_the_evening():
    """Whoever has no more than what a glass cost that day is out, and keeps it."""
    game = LemonadeStand(days=3, assets=5, first_day=7)
    assert game.is_over(State(7, EVENING, 5)) and not game.is_over(State(7, EVENING, 6))
    solution = zermelo.solve(game)
    assert solution.payoffs["bankrupt"] > 0
    assert solution.probe(State(7, EVENING, 5)).action is None
