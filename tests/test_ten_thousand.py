"""Ten Thousand: any actions taken away, the fewest turns to a goal, and a race with an entry, against dice thrown one by one."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import RulesError, ZermeloError
from zermelo.games import HouseRace, TenThousand, TenThousandTurns

POINTS = {1: 20, 2: 4, 3: 6, 4: 8, 5: 10, 6: 12}  # chips of three of a kind (Crocce and Mordecki 2014, Table 1)


# --- dice, one by one ------------------------------------------------------------------------------------------------------


def score(dice: tuple[int, ...]) -> int:
    """Chips of dice that are all set aside; 0 if one of them does not score."""
    chips = 0
    for face, many in Counter(dice).items():
        if many >= 3:
            chips, many = chips + POINTS[face], many - 3
        if many and face not in (1, 5):
            return 0
        chips += many * {1: 2, 5: 1}.get(face, 0)
    return chips


@cache
def rolls(dice: int) -> dict[frozenset[tuple[int, int]], int]:
    """What can be set aside of a roll, as pairs (chips, dice), and in how many ways that comes up."""
    found: Counter[frozenset[tuple[int, int]]] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        options = {(score(part), n) for n in range(1, dice + 1) for part in combinations(sorted(roll), n) if score(part)}
        hot = {o for o in options if o[1] == dice}
        found[frozenset(hot or options)] += 1
    return dict(found)


class Turns:
    """The fewest turns to a goal with five dice, by Newton's method on what a failed turn costs, in fractions."""

    def __init__(self, goal: int, entry: int):
        self.goal, self.entry = goal, entry
        self.known: dict[tuple[int, int, int, Fraction], tuple[Fraction, Fraction]] = {}
        self.turns: dict[int, Fraction] = {}

    def of(self, banked: int) -> Fraction:
        again = Fraction(1000)
        while banked not in self.turns:
            cost, fails = self.rolled(banked, 0, 5, again)
            better = (1 + cost) / (1 - fails)
            if better == again:
                self.turns[banked] = again
            again = better
        return self.turns[banked]

    def rolled(self, banked: int, turn: int, dice: int, again: Fraction) -> tuple[Fraction, Fraction]:
        """What a roll is worth: turns that follow, and the probability of failing, chosen as if failing cost `again`."""
        key = banked, turn, dice, again
        if key not in self.known:
            total = [Fraction(0), Fraction(0)]
            for options, ways in rolls(dice).items():
                ends = [self.kept(banked, turn + chips, dice - n or 5, again) for chips, n in options]
                best = min(ends, key=lambda end: end[0] + end[1] * again, default=(Fraction(0), Fraction(1)))
                total = [t + Fraction(ways, 6**dice) * b for t, b in zip(total, best, strict=True)]
            self.known[key] = (total[0], total[1])
        return self.known[key]

    def kept(self, banked: int, turn: int, dice: int, again: Fraction) -> tuple[Fraction, Fraction]:
        if banked + turn >= self.goal:
            return Fraction(0), Fraction(0)
        found = [self.rolled(banked, turn, dice, again)]
        if banked or turn >= self.entry:
            found.append((self.of(banked + turn), Fraction(0)))
        return min(found, key=lambda e: e[0] + e[1] * again)


def fewest(goal: int, entry: int = 0) -> Fraction:
    return Turns(goal, entry).of(0)


# --- tests -----------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("in_python")  # other actions are other rules to compile
@pytest.mark.parametrize(
    ("back", "value"),
    [("none", "5.5763262782"), ("5", "5.8011800370"), ("1,5", "5.8153340639"), ("55,5,1", "5.8707484326"), ("5,1,55,51", "5.8720189185")],
)
def test_actions_of_table_4_by_name(back: str, value: str) -> None:
    """Crocce and Mordecki 2014, Table 4; its 5.8012180037 for the second row has a digit too many."""
    assert f"{float(zermelo.solve(TenThousand(back=back)).value):.10f}" == value


@pytest.mark.usefixtures("in_python")
def test_any_subset_of_actions() -> None:
    """More actions are never worse; taking back a triple or three dice gains nothing, as the paper says."""
    value = {back: float(zermelo.solve(TenThousand(back=back)).value) for back in ("none", "11,551,511,111,222,555", "1", "all")}
    assert value["none"] == pytest.approx(value["11,551,511,111,222,555"], abs=1e-12)
    assert value["none"] < value["1"] < value["all"]
    assert zermelo.solve(TenThousand(moves=3, back="1")).value == pytest.approx(value["none"]), "both must allow an action"


@pytest.mark.parametrize("back", ["", "7", "5 1", "5,", "ALL", ",5"])
def test_names_that_mean_nothing(back: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZermeloError, match="back is all, none or some of 5, 1"):
        zermelo.solve(TenThousand(back=back))
    assert main(["solve", "ten-thousand", "--back", back]) == 2
    assert "back is all, none" in capsys.readouterr().err


def test_on_the_command_line(in_python: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "ten-thousand", "--back", "5,55", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(5.8565944057)


@pytest.mark.parametrize(("goal", "entry"), [(1, 0), (2, 0), (4, 0), (4, 3), (6, 6)])
def test_the_fewest_turns(goal: int, entry: int) -> None:
    assert zermelo.solve(TenThousandTurns(50 * goal, 5, entry=50 * entry, hot=True), exact=True).value == -fewest(goal, entry)
    assert fewest(1) == Fraction(324, 299), "the first roll scores or not"


def test_an_entry_of_the_whole_goal_leaves_no_choice() -> None:
    """Whoever reaches the goal in one turn wins: 1 / (2 - p), p by the fewest turns 1 / p."""
    for goal in (3, 5):
        p = 1 / fewest(goal, goal)
        chance = zermelo.solve(HouseRace(50 * goal, 5, entry=50 * goal, hot=True), exact=True).value
        assert (1 + chance) / 2 == 1 / (2 - p)


def test_an_entry_that_is_none() -> None:
    from zermelo.games import TenThousandRace

    assert zermelo.solve(HouseRace(200, 5, hot=True), exact=True).value == zermelo.solve(TenThousandRace(4), exact=True).value
    with pytest.raises((ZermeloError, RulesError), match="entry"):
        zermelo.solve(HouseRace(200, 5, entry=201))
