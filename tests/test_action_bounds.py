"""Bounds of single actions: every interval contains the true value, is about as narrow as that of its state, and certifies decisions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from asking import solve_urn
from zermelo.answers.entered import EnteredAnswers
from zermelo.answers.known import StateFacts
from zermelo.basics.bounds import interval
from zermelo.basics.numbers import down, up
from zermelo.games import CardDraw, Pig, TenThousandRace
from zermelo.language.rules import Joint, Outcome
from zermelo.uses.lookahead import Lookahead, mean, places
from zermelo.uses.units import Chance, percent, winning
from zermelo.views import plot, table


class Place(NamedTuple):
    at: int
    who: int


class Walk(NamedTuple):
    """Two players push a token along; probabilities, payoffs and steps are decimals that floats only come near to."""

    width: int = 5

    def start(self) -> Place:
        return Place(self.width // 2, 0)

    def player(self, s: Place) -> int:
        return s.who

    def actions(self, s: Place) -> Iterator[int]:
        if 0 < s.at < self.width:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[float, float, Place]]:
        other = 1 - s.who
        if action == 0:
            yield 0.1, 0.3, Place(s.at - 1, other)
            yield 0.7, -0.1, Place(s.at + 1, other)
            yield 0.2, 0.0, Place(s.at, other)
        elif action == 1:
            yield 0.3, 0.7, Place(s.at - 1, other)
            yield 0.6, -1.1, Place(s.at + 1, other)
        else:
            yield 1.0, 0.1, Place(s.at - 1, other)

    def payoff(self, s: Place) -> float:
        return 0.1 if s.at == 0 else 2.3


class Round(NamedTuple):
    lead: int
    left: int  # rounds


class Bluff(NamedTuple):
    """Both choose at once, a few times; who is ahead is paid."""

    rounds: int = 3

    def start(self) -> Round:
        return Round(0, self.rounds)

    def actions(self, s: Round) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1
            yield 2

    def other_actions(self, s: Round) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: Round, action: int, other: int) -> Iterator[tuple[float, float, Round]]:
        if action == other:
            yield 0.3, 0.1, Round(s.lead + 1, s.left - 1)
            yield 0.7, 0.0, Round(s.lead, s.left - 1)
        else:
            yield 0.9, -0.7, Round(s.lead, s.left - 1)
            yield 0.1, 0.3 * action, Round(s.lead - 1, s.left - 1)

    def payoff(self, s: Round) -> float:
        return (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9)[s.lead + 3]


GAMES: dict[str, tuple[Any, dict[str, Any]]] = {
    "PASS": (Pig(9), {}),
    "PASS, discounted": (Pig(6), {"discount": 0.9}),
    "decimals": (Walk(), {}),
    "decimals, discounted": (Walk(7), {"discount": 0.7}),
    "urn, all states stored": (CardDraw(6, 5), {}),
    "at once": (Bluff(), {}),
}


@cache
def twins(name: str) -> tuple[Any, Any]:
    game, options = GAMES[name]
    return zermelo.solve(game, **options), zermelo.solve(game, exact=True, **options)


def width(ends: tuple[Any, Any]) -> float:
    return float(ends[1]) - float(ends[0])


def contains_exactly(ends: tuple[Any, Any], truth: Fraction) -> bool:
    assert isinstance(truth, Fraction)
    return Fraction(ends[0]) <= truth <= Fraction(ends[1])


@pytest.mark.parametrize("name", [name for name in GAMES if name != "at once"])
def test_bounds_contain_the_exact_value_of_every_action_and_are_as_narrow_as_those_of_the_state(name: str) -> None:
    rounded, exact = twins(name)
    decisions = 0
    for state in exact.space:
        found, truth = rounded.probe(state), exact.probe(state)
        assert set(found.action_bounds) == set(found.actions) == set(truth.actions)
        for action, ends in found.action_bounds.items():
            assert contains_exactly(ends, truth.actions[action]), (state, action)
            assert ends[0] <= found.actions[action] <= ends[1]
            assert width(ends) <= width((found.low, found.high)) + 1e-14, "next states are known about as well"
        if len(truth.actions) > 1:
            decisions += 1
            assert truth.is_action_certain, "exact values leave no doubt"
        if len(found.actions) > 1 and found.is_action_certain:
            best = max(truth.actions.values()) if found.player == 0 else min(truth.actions.values())
            assert truth.actions[found.action] == best
    assert decisions > 3


def test_bounds_where_both_choose_at_once_are_those_of_actions_against_the_mixture() -> None:
    rounded, exact = twins("at once")
    mixed = 0
    for state in exact.space:
        found = rounded.probe(state)
        assert found.mixture is not None and found.other_mixture is not None
        sides = (
            (found.actions, found.action_bounds, found.other_mixture, lambda a, b: (a, b)),
            (found.other_actions, found.other_action_bounds, found.mixture, lambda a, b: (b, a)),
        )
        for values, bounds, mixture, joined in sides:
            assert values is not None
            for action in values:
                truths = [exact.action_value(state, Joint(*joined(action, b))) for b in mixture]
                assert contains_exactly(bounds[action], mean(list(mixture.values()), truths)), (state, action)
                assert bounds[action][0] <= values[action] <= bounds[action][1]
                assert width(bounds[action]) <= width((found.low, found.high)) + 1e-14
        mixed += len(found.mixture) > 1
        assert not found.is_action_certain
    assert mixed > 5


def test_bounds_of_a_swept_urn_contain_the_exact_values() -> None:
    swept = solve_urn(CardDraw(60, 60))
    exact = zermelo.solve(CardDraw(12, 12), exact=True)
    state_class = type(swept.rules.start)
    for red in range(0, 13, 3):
        for black in range(0, 13, 2):
            found, truth = swept.probe(state_class(red, black)), exact.probe(state_class(red, black))
            for action, ends in found.action_bounds.items():
                assert contains_exactly(ends, truth.actions[action]), (red, black, action)
                assert width(ends) <= width((found.low, found.high)) + 1e-12
    start = swept.probe(swept.rules.start)
    assert start.is_action_certain and all(map(math.isfinite, start.action_bounds[start.action]))


def test_bounds_in_a_race_solved_stage_by_stage_contain_the_exact_values() -> None:
    race, exact = zermelo.solve(TenThousandRace(goal=3)), zermelo.solve(TenThousandRace(goal=3), exact=True)
    assert isinstance(race.answers, EnteredAnswers)
    choices = 0
    for state in exact.space:
        found, truth = race.probe(state), exact.probe(state)
        for action, ends in found.action_bounds.items():
            assert contains_exactly(ends, truth.actions[action]), (state, action)
            assert width(ends) <= width((found.low, found.high)) + 1e-14
        choices += len(truth.actions) > 1
    assert choices > 3


# --- one step, with what is known of the next states made up ---------------------------------------------------------

SMALL = st.floats(-4, 4, allow_subnormal=False)
DECIMAL = st.integers(1, 999).map(lambda n: (n / 100, Fraction(n, 100)))  # a float, and what is meant by it
STEP = st.tuples(DECIMAL, DECIMAL, st.sampled_from([1, -1]), SMALL, st.floats(0, 1e-3), st.floats(-1, 1))


@settings(deadline=None, max_examples=200)
@given(st.lists(STEP, min_size=1, max_size=6), st.sampled_from([(1.0, Fraction(1)), (0.9, Fraction(9, 10)), (0.5, Fraction(1, 2))]))
def test_an_interval_contains_what_decimals_mean(steps: list[Any], discount: tuple[float, Fraction]) -> None:
    outcomes, known, gain, total = [], [], Fraction(0), Fraction(0)
    for (ways, meant_ways), (paid, meant_paid), sign, value, error, where in steps:
        share = meant_ways if len(steps) > 1 else Fraction(1)
        truth = Fraction(value) + Fraction(error) * Fraction(where)  # somewhere within the error
        outcomes.append(Outcome(ways, (paid,), None, sign))
        known.append(StateFacts((value,), (error,)))
        assert interval(value, error)[0] <= truth <= interval(value, error)[1]
        gain += share * (meant_paid + sign * discount[1] * truth)
        total += share
    look = Lookahead(outcomes, known, discount[0])
    low, high = look.interval
    assert Fraction(low) <= gain / total <= Fraction(high) and low <= look.value <= high
    if max(error for *_, error, _ in steps) == 0.0:
        assert high - low <= 1e-13, "rounding alone costs little"


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 2**40), st.integers(-3, 3), st.sampled_from([1, -1]), SMALL), min_size=1, max_size=8))
def test_whole_numbers_cost_one_rounding(steps: list[Any]) -> None:
    outcomes = [Outcome(ways, (paid,), None, sign) for ways, paid, sign, _ in steps]
    look = Lookahead(outcomes, [StateFacts((v,), (0.0,)) for *_, v in steps], 1.0)
    ways = [w for w, *_ in steps] if len(steps) > 1 else [1]
    truth = mean(ways, [paid + sign * Fraction(v) for _, paid, sign, v in steps])
    low, high = look.interval
    assert min(look.value, down(truth)) == low and max(look.value, up(truth)) == high


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("known", [StateFacts((0.1,), (0.0,)), StateFacts((0.999,), (0.001,), least=1.0), StateFacts((math.inf,), (0.0,))])
def test_what_is_only_passed_on_has_the_bounds_of_the_next_state(sign: int, known: StateFacts) -> None:
    """Also where these lie beside the value: from below it is known by a separate argument that it is 1."""
    look = Lookahead([Outcome(7, (0,), None, sign)], [known], 1.0)
    low, high = known.interval() if math.isfinite(known.values[0]) else (-math.inf, math.inf)
    found = look.interval
    assert found[0] <= min(sign * low, sign * high) and max(sign * low, sign * high) <= found[1]
    if known.errors == (0.0,) and math.isfinite(known.values[0]):
        assert found == (sign * 0.1, sign * 0.1)


def test_an_interval_without_end_stays_one() -> None:
    look = Lookahead([Outcome(1, (0,), None, -1)], [StateFacts((0.0,), (math.inf,))], 1.0)
    assert look.interval == (-math.inf, math.inf)


def test_roundings_are_those_to_the_next_float() -> None:
    third = Fraction(1, 3)
    assert down(third) < third < up(third) and math.nextafter(down(third), 1) == up(third)
    assert down(Fraction(1, 4)) == up(Fraction(1, 4)) == 0.25
    assert down(-third) == -up(third)


# --- certain decisions ------------------------------------------------------------------------------------------------


def test_a_tie_is_certain_only_where_it_is_proven() -> None:
    found = twins("PASS")[0].probe(twins("PASS")[0].rules.start)
    tie = found._replace(action=0, actions={0: 0.5, 1: 0.5}, action_bounds={0: (0.5, 0.5), 1: (0.5, 0.5)})
    assert tie.is_action_certain, "1 is not better than 0"
    near = tie._replace(action_bounds={0: (0.499, 0.501), 1: (0.4995, 0.4999)})
    assert not near.is_action_certain
    assert near._replace(action_bounds={0: (0.5, 0.501), 1: (0.4, 0.5)}).is_action_certain
    assert not near._replace(action_bounds={0: (0.5, 0.501), 1: (0.4, 0.5)}, player=1).is_action_certain
    assert near._replace(action_bounds={0: (0.3, 0.4), 1: (0.4, 0.5)}, player=1).is_action_certain
    assert near._replace(action=None, actions={}, action_bounds={}).is_action_certain


class Routes(NamedTuple):
    """Three instalments of 0.6 in all, the smallest or the largest first: in floats one sum is larger. Or 0.1 at once."""

    def start(self) -> Place:
        return Place(0, 0)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at == 0:
            yield 2
            yield 0
            yield 1
        elif s.at < 3:
            yield s.who

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, float, Place]]:
        if action == 2:
            yield 1, 0.1, Place(3, 0)
        else:
            yield 1, (0.1, 0.2, 0.3)[2 - s.at if action else s.at], Place(s.at + 1, action)

    def win_probability(self, value: float) -> float:
        return value


def test_actions_that_are_equally_good_stand_in_the_order_of_the_rules() -> None:
    """Rounding decided."""
    found = zermelo.solve(Routes())
    probe = found.probe(found.rules.start)
    assert probe.actions[1] > probe.actions[0] and not probe.is_action_certain
    for shown in (table.actions(found), table.actions(found).printed):
        assert shown is not None and [row[0] for row in shown.rows] == ["0", "1", "2"]
    assert [line.split()[0] for line in repr(probe).splitlines()[1:]] == ["0", "1", "2"]
    assert [*places(probe.actions, probe.action_bounds, 1).values()] == [0, 0, 1]
    wide = {0: (0.0, 1.0), 1: (0.0, 1.0), 2: (0.0, 1.0)}  # such intervals say nothing of equality
    assert places(probe.actions, wide, 1) == {1: 0, 0: 1, 2: 2} and places(probe.actions, wide, -1) == {2: 0, 0: 1, 1: 2}


# --- chances of winning -----------------------------------------------------------------------------------------------


class Coin(NamedTuple):
    """A game for one: stop with 0.3 of a win, or toss for one. Its conversion is written in floats."""

    half: bool = True

    def start(self) -> Place:
        return Place(0, 0)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at == 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[float, float, Place]]:
        if action == 0:
            yield 0.3, 0, Place(1, 0)
            yield 0.7, 0, Place(2, 0)
        else:
            yield 1, 0, Place(1, 0)
            yield 1, 0, Place(2, 0)

    def payoff(self, s: Place) -> int:
        return 10 if s.at == 1 else 0

    def win_probability(self, value: float) -> float:
        return 0.1 * float(value)


def test_chances_contain_the_exact_ones() -> None:
    rounded, exact = twins("PASS")
    assert rounded.win_probability() == rounded.probe(rounded.rules.start).win_probability
    for state in exact.space:
        found, truth = rounded.probe(state), exact.probe(state)
        right = rounded.win_probability(state)
        assert right == found.win_probability and right.low <= right.value <= right.high
        assert contains_exactly((right.low, right.high), (1 + truth.value) / 2) and width(right[1:]) < 1e-13
        assert truth.win_probability == ((1 + truth.value) / 2,) * 3
        for action, chance in found.win_probabilities.items():
            assert contains_exactly((chance.low, chance.high), (1 + truth.actions[action]) / 2)
            assert 0 <= chance.low <= chance.value <= chance.high <= 1
    frame = rounded.to_dataframe()
    assert list(frame["win probability"]) == [(1 + v) / 2 for v in frame["value"]]


def test_chances_of_a_conversion_in_floats() -> None:
    found = zermelo.solve(Coin()).win_probability()
    assert found is not None and found.low <= 0.5 <= found.high and 0 < found.high - found.low < 1e-13
    unit = winning(zermelo.solve(Coin()).answers)
    assert unit is not None and unit.name == "chance that the player wins"


def test_no_chance_without_a_meaning_or_with_a_discount() -> None:
    for name in ("PASS, discounted", "urn, all states stored"):
        solution = twins(name)[0]
        found = solution.probe(solution.rules.start)
        assert solution.win_probability() is None and found.win_probability is None and not found.win_probabilities


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Chance(0.530592725, 0.530592724, 0.530592726), "53.0593"),
        (Chance(0.530592725, 0.5305, 0.5307), "53.1"),
        (Chance(0.0530592725, 0.0530592725, 0.0530592725), "5.30593"),
        (Chance(0.00000123456789, 0.0000012, 0.0000013), "0.0001"),
        (Chance(0.5, 0.496, 0.504), "50"),
        (Chance(0.5, 0.2, 0.8), "between 20 and 80"),
        (Chance(0.5, 0.0, 1.0), "between 0 and 100"),
        (Chance(Fraction(1), Fraction(1), Fraction(1)), "100"),
        (Chance(0.0, 0.0, 0.0), "0"),
        (Chance(0.0, 0.0, 1e-9), "0.0000"),
        (Chance(0.5, 0.5 - 1e-15, 0.5), "50.0000"),
    ],
)
def test_percent_shows_certain_digits(chance: Chance, text: str) -> None:
    assert percent(chance) == text


def test_percent_with_nine_zeros_is_a_whole_number() -> None:
    assert percent(Chance(0.5, 0.5 - 1e-15, 0.5), most=17) == "50"


def table_of(name: str, **fix: int) -> Any:
    return table.actions(twins(name)[0], fix)


def test_tables_show_chances_to_people_and_values_to_machines() -> None:
    shown = table_of("PASS", turn=4)
    people, json = shown.printed, shown.as_json()
    assert people is not None and people.columns == ("action", "wins, %", "loss against the best, %")
    assert json["columns"] == ["action", "value", "loss against the best"]
    chance = json["win probabilities"][people.rows[0][0]]
    assert chance["value"] == people.rows[0][1].value == (1 + shown.rows[0][1]) / 2
    assert people.text(people.rows[0][1]) == f"{100 * chance['value']:.4f}" and people.text(people.rows[0][2]) == "0"
    lost = (shown.rows[0][1] - shown.rows[1][1]) / 2
    assert people.text(people.rows[1][2]) == f"{100 * lost:.4f}"
    assert json["certain"] is True and "is certain to be a best action" in people.notes[-1]
    assert json["unit"] == "chance that the player to move wins"
    states = table.states(twins("PASS")[0])
    assert states.printed is not None and "cells: chance that the player to move wins, in %" in states.printed.notes[0]
    assert states.as_json()["win probabilities"][1][1] == (1 + states.rows[1][1]) / 2


def test_tables_of_other_games_and_discounted_ones_show_values() -> None:
    for name in ("PASS, discounted", "decimals"):
        assert table_of(name).printed is None and table.states(twins(name)[0]).printed is None
        assert "win probabilities" not in table_of(name).as_json()
    assert "win probabilities" not in table_of("urn, all states stored").as_json()


def test_a_loss_that_may_be_none_is_shown_as_an_upper_bound() -> None:
    solution = twins("PASS")[0]
    found = solution.probe(solution.state(0, 0, 4))
    near = found._replace(actions={0: 0.5, 1: 0.5}, action_bounds={0: (0.499, 0.501), 1: (0.499, 0.501)}, action=0)
    unit = winning(solution.answers)
    ends = (0.499, 0.501)
    assert unit is not None and table._lost(unit, (0.5, ends), (0.5, ends), 1) == "at most 0.1"
    lost = table._lost(unit, (0.6, (0.599, 0.601)), (0.5, ends), 1)
    assert isinstance(lost, Chance) and lost.low < 0.0491 and lost.high > 0.0509
    tie = near._replace(action_bounds={0: (0.5, 0.5), 1: (0.5, 0.5)})
    assert table._lost(unit, (0.5, (0.5, 0.5)), (0.5, (0.5, 0.5)), 1) == Chance(0.0, 0.0, 0.0)
    assert "not certain" in table._how_certain("roll", near) and "is certain" in table._how_certain("roll", tie)


def test_pictures_are_labelled_by_what_they_show() -> None:
    (axes, bar) = plot.values(twins("PASS")[0]).axes[:2]
    labels = {axes.get_title(loc="left"), bar.get_ylabel(), *(a.get_ylabel() for a in plot.values(twins("PASS")[0]).axes)}
    assert "chance that the player to move wins, %" in labels
    shown = axes.get_images()[0].get_array()
    assert 50 < shown.max() <= 100 and shown.min() >= 0
    labels = {a.get_ylabel() for a in plot.values(twins("urn, all states stored")[0]).axes}
    assert r"value, \$" in labels and not any("%" in label for label in labels)


class At(NamedTuple):
    n: int
    end: int


def decimal_end(game: Any, s: At) -> float:
    return ((7 * s.n + 5 * s.end + 3 * game.seed) % 23 - 11) / 10


def stage_of(game: Any, s: At) -> int:
    return s.n


class ByChance(NamedTuple):
    """Nothing is paid before the end, which pays decimals."""

    seed: int

    def start(self) -> At:
        return At(0, 0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.end == 0:
            yield 1 + self.seed % 3, 0, At(s.n, 1)
            yield 1, 0, At(s.n + 1, 0) if s.n < 4 else At(s.n, 2)

    def payoff(self, s: At) -> float:
        return decimal_end(self, s)


class ByChoice(NamedTuple):
    """The same, or an end of one's own."""

    seed: int

    def start(self) -> At:
        return At(0, 0)

    def actions(self, s: At) -> Iterator[int]:
        if s.end == 0:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if action == 0:
            yield 1 + self.seed % 3, 0, At(s.n, 1)
            yield 1, 0, At(s.n + 1, 0) if s.n < 4 else At(s.n, 2)
        else:
            yield 1, 0, At(s.n, 3)

    def payoff(self, s: At) -> float:
        return decimal_end(self, s)


ENTERED = type("Entered", (ByChoice,), {"stage": stage_of, "entries": lambda self: (At(n, 0) for n in range(5))})
STAGED = type("Staged", (ByChance,), {"stage": stage_of, "space": lambda self, n: (range(n, n + 1), range(4)) if n < 5 else None})


@pytest.mark.parametrize(
    ("engine", "game", "plain"), [("explored", ByChoice, ByChoice), ("entries", ENTERED, ByChoice), ("stages", STAGED, ByChance)]
)
def test_what_the_end_pays_is_meant_as_a_decimal(engine: str, game: Any, plain: Any, in_python: None) -> None:
    """The end's value was 0.1 without any error, and 1/10 lay outside."""
    for seed in range(5):
        solution, exact = zermelo.solve(game(seed)), zermelo.solve(plain(seed), exact=True)
        assert solution.report.engine == engine
        for state in (At(0, 0), At(0, 1), At(2, 0), At(4, 0), At(4, 2)):
            found, true = solution.probe(state), exact.probe(state)
            assert found.low <= true.value <= found.high and found.high - found.low < 1e-13
            assert all(low <= true.actions[a] <= high for a, (low, high) in found.action_bounds.items())
