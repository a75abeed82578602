"""Games that cut play off and bound the rest: the value lies between, whoever decides, and faults are told."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from asking import solve_urn
from zermelo.basics.numbers import Number
from zermelo.cli.report import summary
from zermelo.engines.urn.exact import exact_value
from zermelo.errors import ParameterError, RulesError
from zermelo.games.card_draw import STOP, CardDraw, State
from zermelo.serve import positions
from zermelo.serve.api import summary as of_page
from zermelo.studies.table import number_text
from zermelo.uses.units import Chance, percent
from zermelo.views.play import Session, converse
from zermelo.views.table import actions, states
from zermelo.views.words import answer_lines, finding

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from chow_robbins import FLIP, ChowRobbins  # noqa: E402
from chow_robbins import State as Flips  # noqa: E402

CHOW_ROBBINS = 0.79295350640  # Haggstrom and Wastlund 2013


class CutCardDraw(NamedTuple):
    """The card draw, cut off far from where play is likely to come: there one may stop or draw all cards, or knows their order."""

    red: int = 26
    black: int = 26
    deviations: float = 7.0

    start, actions, outcomes = CardDraw.start, CardDraw.actions, CardDraw.outcomes  # type: ignore[assignment]

    def bounds(self, s: State) -> Iterator[tuple[float, float]]:
        total, left = self.red + self.black, s.red + s.black
        away = s.red - left * self.red / total
        if abs(away) > self.deviations * 0.5 * math.sqrt(left * (total - left) / total) + 1:
            high, low = max(s.red, s.black), min(s.red, s.black)
            more = min(low / (high - low + 1), 0.5 * math.sqrt(math.pi / 2 * (left + 2)))
            value = max(0.0, float(s.red - s.black))
            yield value, value + more


@pytest.mark.parametrize(
    ("red", "black", "deviations"), [(60, 60, 3.0), (200, 180, 4.0), (700, 700, 7.0), (160, 140, 2.0)]
)
def test_the_general_window_agrees_with_the_sweep(red: int, black: int, deviations: float) -> None:
    cut = zermelo.solve(CutCardDraw(red, black, deviations))
    swept = solve_urn(CardDraw(red, black), tolerance=1e-9)
    assert cut.low <= exact_value("cut", red, black) <= cut.high
    assert cut.low <= swept.high and swept.low <= cut.high
    if deviations == 7.0:
        assert cut.value == pytest.approx(swept.value, rel=1e-9) and cut.high - cut.low < 1e-8
        assert cut.statistics["states"] < 0.4 * (red + 1) * (black + 1)
    else:
        assert cut.high - cut.low > 1e-5, "a narrow window misses something, and the interval says so"


def test_a_game_without_end() -> None:
    widths = []
    for flips in (1, 2, 30, 300, 1000):
        solution = zermelo.solve(ChowRobbins(flips))
        assert solution.low <= CHOW_ROBBINS <= solution.high
        widths.append(solution.high - solution.low)
    assert widths == sorted(widths, reverse=True) and widths[-1] < 2e-3
    assert solution.certificate.kind == "bound" and "lower and with the upper bounds" in str(solution.certificate)
    assert solution.best_action(Flips(1, 1)) == STOP and solution.best_action(Flips(0, 1)) == FLIP
    assert solution.best_action(Flips(5, 8)) == STOP
    going_on = (solution.probe(Flips(6, 9)).high + solution.probe(Flips(5, 9)).high) / 2
    assert going_on < 5 / 8, "with 5 heads in 8 flips stopping is proven best (Haggstrom and Wastlund 2013)"
    cut = solution.probe(Flips(750, 1000))
    assert cut.action is None and cut.low <= 0.75 <= cut.value <= cut.high
    assert solution.simulate(2000, seed=1).mean == pytest.approx(0.79, abs=0.03)


class Step(NamedTuple):
    place: int
    mover: int = 0


class Tug(NamedTuple):
    """Two pull a rope, one step a turn, or let chance do it; beyond `edge` nobody has worked out who wins."""

    edge: int = 3
    low: float = 0.25
    high: float = 0.75
    minimiser: bool = True
    turned: bool = False

    def start(self) -> Step:
        return Step(0)

    def player(self, s: Step) -> int:
        return s.mover if self.minimiser else 0

    def actions(self, s: Step) -> Iterator[int]:
        yield 0
        yield 1

    def outcomes(self, s: Step, action: int) -> Iterator[tuple[int, int, Step]]:
        pull = 1 if s.mover == 0 or not self.minimiser else -1
        yield 1 + action, 0, Step(s.place + pull, 1 - s.mover)
        yield 2 - action, 0, Step(s.place - pull, 1 - s.mover)

    def payoff(self, s: Step) -> int:
        return 0

    def bounds(self, s: Step) -> Iterator[tuple[float, float]]:
        if s.place >= self.edge:
            if self.turned:
                yield self.high, self.low
            else:
                yield self.low, self.high
        if s.place <= -self.edge:
            yield 0, 0


def test_one_and_two_players_who_may_circle() -> None:
    two = zermelo.solve(Tug())
    share = 5 / 9  # by hand: whoever moves first is ahead
    assert two.low == pytest.approx(0.25 * share, abs=1e-9) and two.high == pytest.approx(0.75 * share, abs=1e-9)
    one = zermelo.solve(Tug(minimiser=False))
    up = 1 - Fraction(1, 2) ** 3
    share = float(up / (1 - Fraction(1, 2) ** 6))  # gambler's ruin with odds 2 to 1
    assert one.low == pytest.approx(0.25 * share, abs=1e-9) and one.high == pytest.approx(0.75 * share, abs=1e-9)
    exact = zermelo.solve(Tug(low=0.5, high=0.5))
    assert exact.value == pytest.approx(0.5 * 5 / 9, abs=1e-12) and exact.high - exact.low < 1e-11


class Wait(NamedTuple):
    """Pure chance: wait until a coin falls heads; cut off after `most` flips."""

    most: int = 5

    def start(self) -> Step:
        return Step(0)

    def outcomes(self, s: Step) -> Iterator[tuple[int, int, Step]]:
        if s.mover == 0:
            yield 1, 1, Step(s.place, 1)
            yield 1, 1, Step(s.place + 1)

    def bounds(self, s: Step) -> Iterator[tuple[int, int]]:
        if s.place == self.most and s.mover == 0:
            yield 1, 4


def test_pure_chance() -> None:
    solution = zermelo.solve(Wait())
    assert solution.low == pytest.approx(2 - 2 / 32 + 1 / 32, abs=1e-12)
    assert solution.high == pytest.approx(2 - 2 / 32 + 4 / 32, abs=1e-12)


def test_a_saved_solution_keeps_its_interval(tmp_path: Path) -> None:
    solution = zermelo.solve(ChowRobbins(50))
    solution.save(tmp_path / "game")
    opened = zermelo.open(tmp_path / "game")
    assert (opened.low, opened.high) == (solution.low, solution.high)


class Passing(Tug):
    def outcomes(self, s: Step, action: int) -> Iterator[Any]:
        yield 1, 0, Step(s.place + 1, 0), -1


class Named(Tug):
    payoffs = ("a", "b")


def test_what_bounds_do_not_go_with() -> None:
    with pytest.raises(ParameterError, match="can't be exact"):
        zermelo.solve(Tug(), exact=True)
    with pytest.raises(RulesError, match="`bounds` and PASS do not go together"):
        zermelo.solve(Passing())
    with pytest.raises(RulesError, match="`bounds` and `payoffs` do not go together"):
        zermelo.check(Named())


@pytest.mark.parametrize("game", [Tug(turned=True), Tug(low=math.nan), Tug(high=math.inf)])
def test_bounds_that_are_none(game: Any) -> None:
    with pytest.raises(RulesError, match="`bounds` yields .* one pair of numbers, the lower bound first"):
        zermelo.check(game)


class Race(NamedTuple):
    """No chance, and lower bounds that look like wins, draws and losses."""

    low: float = 0.0
    high: float = 0.5

    def start(self) -> Step:
        return Step(0)

    def player(self, s: Step) -> int:
        return s.mover

    def actions(self, s: Step) -> Iterator[int]:
        if s.place < 12:
            yield 1
            yield 2

    def outcomes(self, s: Step, action: int) -> Iterator[tuple[int, int, Step]]:
        yield 1, 0, Step(s.place + action, 1 - s.mover)

    def payoff(self, s: Step) -> int:
        return 1 if s.mover else 0

    def bounds(self, s: Step) -> Iterator[tuple[float, float]]:
        if s.place == 10:
            yield self.low, self.high


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.5), (-1.0, 0.25), (0.0, 5.0), (1.0, 7.0), (-1.0, 1.0)])
def test_lower_bounds_that_look_like_wins_draws_and_losses(low: float, high: float) -> None:
    solution = zermelo.solve(Race(low, high))
    assert solution.certificate.kind == "bound"
    for truth in (low, (low + high) / 2, high):
        assert solution.low <= zermelo.solve(Race(truth, truth)).value <= solution.high


class There(NamedTuple):
    place: int


class Round(NamedTuple):
    """From 0 and 1 play is cut off at once, or nearly so: between -1 and 1, or (`left` in 1000 times) between -3 and 7."""

    left: int

    def start(self) -> There:
        return There(0)

    def outcomes(self, s: There) -> Iterator[tuple[int, int, There]]:
        if s.place < 2:
            yield 1000, 0, There(2)
            yield self.left, 0, There(3)
            yield 1, 0, There(1 - s.place)

    def bounds(self, s: There) -> Iterator[tuple[int, int]]:
        if s.place >= 2:
            yield (-1, 1) if s.place == 2 else (-3, 7)


@pytest.mark.parametrize("left", range(1, 12, 2))
def test_ends_far_from_a_middle_near_0_are_rounded_outwards(left: int) -> None:
    low, high = Fraction(-1000 - 3 * left, 1000 + left), Fraction(1000 + 7 * left, 1000 + left)
    solution = zermelo.solve(Round(left))
    assert solution.low <= low < high <= solution.high
    assert solution.low - 1e-14 < low and high < solution.high + 1e-14


class Wrong(Race):
    def bounds(self, s: Step) -> Iterator[tuple[float, float]]:
        if s.place >= 900:
            yield (2.0, self.low) if s.place == 900 else (0.0, 1.0)

    def actions(self, s: Step) -> Iterator[int]:
        yield 1
        yield 2


@pytest.mark.parametrize("other", [1.0, math.inf, math.nan, 1e200])
def test_bounds_that_are_wrong_where_the_checker_does_not_look(other: float) -> None:
    with pytest.raises(RulesError, match="bounds"):
        zermelo.solve(Wrong(low=other if other == 1.0 else 1.0) if other == 1.0 else Race(0.0, other))


def test_what_would_need_to_know_how_play_ends_is_refused(tmp_path: Path) -> None:
    solution = zermelo.solve(ChowRobbins(20))
    for ask in (
        lambda: solution.evaluate(solution.policy),
        lambda: solution.best_response(solution.policy),
        lambda: solution.export_umb(tmp_path / "x.umb"),
    ):
        with pytest.raises(zermelo.OutOfReach, match="cuts play off"):
            ask()
    assert solution.simulate(1000).z is None


class Tossed(NamedTuple):
    n: int
    over: int


class Cut(NamedTuple):
    """Stop for a quarter, or toss a coin that may pay 1 and end play; cut off after n tosses."""

    n: int = 3

    def start(self) -> Tossed:
        return Tossed(0, 0)

    def actions(self, s: Tossed) -> Any:
        if s.n < self.n and not s.over:
            yield 0
            yield 1

    def outcomes(self, s: Tossed, a: int) -> Any:
        if a:
            yield 1, 0, Tossed(s.n, 1)
        else:
            yield 1, 0, Tossed(s.n + 1, 0)
            yield 1, 1, Tossed(s.n, 1)

    def payoff(self, s: Tossed) -> float:
        return 0.25 if s.over else 0

    def bounds(self, s: Tossed) -> Any:
        if s.n == self.n:
            yield 0, 1


class CutDollars(Cut):
    payoff_unit = ("$", 2)


def test_what_is_hardly_known_is_shown_as_an_interval_everywhere() -> None:
    """[1.09375, 1.21875] by recursion: 1/2 (1 + 1/4 + v) three times from 0 and from 1. Only the first line of `solve` told so; elsewhere
    was the middle, 1.15625, and its repr was "value 1.2"."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(3):
        low, high = (Fraction(5, 4) + low) / 2, (Fraction(5, 4) + high) / 2
    solution, known = zermelo.solve(Cut()), f"between {float(low):g} and {float(high):g}"
    assert solution.value == pytest.approx(float((low + high) / 2)) and known == "between 1.09375 and 1.21875"
    start = solution.probe(solution.rules.start)
    listed = actions(solution)
    assert repr(solution) == f"<Solution of Cut(n=3): value {known}>" and known in solution._repr_html_()
    assert repr(start) == f"Tossed(n=0, over=0): value {known}\n  0  {known}   best\n  1  0.25" and known in start._repr_html_()
    assert listed.printed.rows == (("0", known, 0.0), ("1", 0.25, "between 0.84375 and 0.96875")) and f"value {known}" in listed.notes
    assert [row[1] for row in listed.rows] == pytest.approx([1.15625, 0.25])  # for machines, with the bounds beside it
    assert states(solution).notes[-1] == "values are the middles of intervals: a true one may be up to 0.5 away"
    assert positions.position(solution, start.state)["says"] == known == dict(of_page(solution)["lines"])["value"]
    assert finding(solution) == f"{known} on average with best play"
    dollars, in_dollars = zermelo.solve(CutDollars()), "between $0.546875 and $0.609375"
    assert f"value {in_dollars}\n  0  {in_dollars}" in repr(dollars.probe(start.state))
    assert states(dollars).printed.notes[-1].endswith("up to $0.25 away")
    lines = dict(summary(solution))
    assert lines["value"] == known and lines["best at the start"] == f"0   (0: {known}, 1: 0.25)"
    assert number_text(solution.value, solution.low, solution.high) == known


class CutChances(Cut):
    """The same payoffs as chances of winning: a third of them."""

    def win_probability(self, value: Number) -> Number:
        return value / 3


def test_chances_that_are_hardly_known_are_shown_as_intervals_too() -> None:
    """[0.364583, 0.40625]: "chance that the player wins 39 %" was said of it, in tables 40, of [0, 1] 50."""
    solution = zermelo.solve(CutChances())
    start, known = solution.probe(solution.rules.start), "between 36.4583 and 40.625 %"
    assert known in repr(solution) and f"wins {known}" in repr(start) and known in start._repr_html_() and known in solution._repr_html_()
    assert positions.position(solution, start.state)["says"] == known and dict(summary(solution))["the player wins"] == known
    assert finding(solution).startswith(f"The player wins {known}")
    listed = actions(solution).printed
    assert listed.text(listed.rows[0][1]) == known.removesuffix(" %")
    printed = states(solution).printed
    assert printed.notes[-1] == "chances are the middles of intervals: a true one may be up to 17 % away"  # 1/6, rounded up
    assert percent(Chance(0.5, 0.0, 1.0)) == "between 0 and 100" and percent(Chance(0.25, 0.25, 0.25)) == "25.0000"


def test_play_claims_no_more_than_bounds_prove() -> None:
    """The value lies between 1.09375 and 1.21875, and its middle was told; a play that was cut off was over."""
    solution, kinds = zermelo.solve(Cut(3)), set()
    for seed in range(20):
        said: list[str] = []
        waiting = iter(["0", "0", "0", "q"])
        converse(Session(solution, seed=seed), lambda prompt="", own=waiting: next(own), lambda text="", own=said: own.append(text))
        text = "\n".join(said)
        assert "optimal play gets between 1.09375 and 1.21875 on average" in text and "1.15625" not in text
        is_cut = "the play is over: Tossed(n=3, over=0)" in text
        assert ("(play is cut off here, and paid the lower bound)" in text) == is_cut
        kinds.add(is_cut)
    assert kinds == {True, False}


class Undecided(NamedTuple):
    def start(self) -> Tossed:
        return Tossed(0, 0)

    def player(self, s: Tossed) -> int:
        return s.over

    def actions(self, s: Tossed) -> Any:
        if s.n < 2:
            yield 0
            yield 1

    def outcomes(self, s: Tossed, a: int) -> Any:
        yield 1, 0, Tossed(s.n + 1, 1 - s.over)

    def payoff(self, s: Tossed) -> float:
        return 0

    def bounds(self, s: Tossed) -> Any:
        if s.n == 2:
            yield -1, 1


def test_values_in_doubt_are_no_wins() -> None:
    """Play is cut off between a loss and a win: the middle, 0, was called a draw."""
    solution = zermelo.solve(Undecided())
    assert list(answer_lines(solution)) == [("value", "between -1 and 1")]
    assert positions.position(solution, solution.rules.start)["says"] == "between -1 and 1"
    assert dict(summary(solution))["best at the start"].endswith("(0: between -1 and 1, 1: between -1 and 1)")
    assert finding(solution) == "between -1 and 1 on average with best play"
