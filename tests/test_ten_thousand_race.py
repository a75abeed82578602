"""Ten Thousand and Farkle as races: against an oracle that knows nothing of the engine or the rules' tables, and known values."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import isclose

import pytest

import zermelo
from known import Known, known
from zermelo.games import TenThousandRace
from zermelo.games.dice_sets import SETS, frequencies, scoring
from zermelo.games.ten_thousand import TenThousand
from zermelo.games.ten_thousand import frequencies as solitaire_frequencies
from zermelo.games.ten_thousand_race import BANK, ROLL, State
from zermelo.solvers.by_component import Cyclic

# --- the oracle: dice one by one ------------------------------------------------------------------------------------------


def score(kept: tuple[int, ...]) -> int | None:
    """Chips of dice set aside; None if some of them do not score."""
    total = 0
    for face in range(1, 7):
        triples, single = divmod(kept.count(face), 3)
        if single and face not in (1, 5):
            return None
        total += triples * (20 if face == 1 else 2 * face) + single * (2 if face == 1 else 1)
    return total


@cache
def rolls(dice: int, all_must: int) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """(how often, what can be set aside: (chips, dice)) of all rolls; if all dice score and there are `all_must`, all of them."""
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, ways in Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)).items():
        options = set()
        for n in range(1, dice + 1):
            for kept in set(combinations(roll, n)):
                chips = score(kept)
                if chips is not None:
                    options.add((chips, n))
        everything = {o for o in options if o[1] == dice}
        found[tuple(sorted(everything if everything and all_must else options))] += ways
    return tuple((count, options) for options, count in found.items())


def race(goal: int, dice: int) -> dict[tuple[int, int], float]:
    """The probability that the player to move wins, by both scores: iterated until nothing changes any more."""
    win: dict[tuple[int, int], float] = {}

    def turn(mine: int, theirs: int) -> float:
        @cache
        def best(chips: int, left: int) -> float:
            """Chips of the turn banked, or the dice rolled."""
            if mine + chips >= goal:
                return 1.0
            banked = 1 - win[theirs, mine + chips] if chips else 0.0
            lost = 1 - win[theirs, mine]
            total = 0.0
            for count, options in rolls(left, dice == 5):
                total += count * max((best(chips + c, left - n or dice) for c, n in options), default=lost)
            return max(banked, total / 6**left)

        return best(0, dice)

    for both in range(2 * goal - 2, -1, -1):
        for mine in range(max(0, both - goal + 1), min(both, goal - 1) + 1):
            win[mine, both - mine] = 0.5
        for mine in range(max(0, both - goal + 1), both // 2 + 1):
            theirs = both - mine
            change = 1.0
            while change > 1e-15:
                before = win[mine, theirs], win[theirs, mine]
                win[mine, theirs] = turn(mine, theirs)
                win[theirs, mine] = turn(theirs, mine)
                change = abs(before[0] - win[mine, theirs]) + abs(before[1] - win[theirs, mine])
    return win


@pytest.mark.parametrize(("goal", "dice"), [(1, 5), (3, 5), (5, 5), (1, 6), (4, 6)])
def test_agrees_with_dice_one_by_one(goal: int, dice: int) -> None:
    solution = zermelo.solve(TenThousandRace(goal, dice))
    for (mine, theirs), win in race(goal, dice).items():
        ours = (1 + float(solution.probe(State(mine, theirs, 0, dice, 0)).value)) / 2
        assert isclose(ours, win, abs_tol=1e-13)


# --- the tables of dice -----------------------------------------------------------------------------------------------------


def test_frequencies_of_five_dice_are_those_of_all_rolls() -> None:
    """Both for the race and for the solitaire game, whose Table 5 is made of them."""
    counted: dict[tuple[int, ...], list[int]] = {}
    for dice in range(1, 6):
        for roll in product(range(1, 7), repeat=dice):
            triple = sum(face for face in (2, 3, 4, 6) if roll.count(face) >= 3)
            counted.setdefault((roll.count(5), roll.count(1), triple), [0] * 5)[dice - 1] += 1
    ours = {
        (s.fives, s.ones, sum(s.triples)): [ways.get(s, 0) for ways in frequencies()[1:6]]
        for s in SETS
        if any(s in ways for ways in frequencies()[1:6])
    }
    assert ours == counted
    assert {row[:3]: list(row[3:]) for row in solitaire_frequencies()} == counted


def test_six_dice() -> None:
    assert sum(frequencies()[6].values()) == 6**6
    assert scoring((2, 2, 2, 2, 2, 2)).chips() == 8
    assert scoring((1, 1, 1, 1, 1, 1)).chips() == 40
    assert [str(part) for part in scoring((5, 1, 3, 3, 3, 2)).parts()] == [
        "5",
        "1",
        "5 1",
        "333",
        "5 333",
        "1 333",
        "5 1 333",
    ]


# --- known values -----------------------------------------------------------------------------------------------------------


WINS = known("ten_thousand_race", "win probability")


@pytest.mark.parametrize("fact", [f for f in WINS if f.kind == "rational"], ids=lambda fact: fact.id)
def test_known_fractions(fact: Known) -> None:
    value = zermelo.solve(TenThousandRace(**fact.params), exact=True).value
    assert (1 + value) / 2 == fact.exact


@pytest.mark.parametrize(
    "fact", [f for f in WINS if f.kind == "decimal" and f.params["goal"] < 100], ids=lambda fact: fact.id
)
def test_known_decimals(fact: Known) -> None:
    solution = zermelo.solve(TenThousandRace(**fact.params))
    assert isclose((1 + float(solution.value)) / 2, float(fact.value), abs_tol=2e-15)
    assert float(solution.high) - float(solution.low) < 1e-13


# --- against the general engine ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("goal", "dice"), [(9, 5), (8, 6)])
def test_agrees_with_the_general_engine(goal: int, dice: int) -> None:
    """Value, interval and worth of every action, in states all over the game."""
    game = TenThousandRace(goal, dice)
    ours, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert ours.statistics["solver"] == "Entries"
    for state in list(general.space)[:: max(1, general.space.size // 300)]:
        one, two = ours.probe(state), general.probe(state)
        assert one.low <= two.high and two.low <= one.high
        assert one.actions.keys() == two.actions.keys()
        for action, worth in one.actions.items():
            assert isclose(worth, two.actions[action], abs_tol=1e-13)
        if one.action is not None:
            assert isclose(one.actions[one.action], max(one.actions.values()), abs_tol=1e-13)


def test_one_turn_is_worth_what_the_solitaire_game_says() -> None:
    """The first turn of a race without end in sight: bank or roll as the solitaire game, for chips, does. (The race is decided by
    winning, not by chips: only the obvious decisions are the same.)"""
    race, alone = zermelo.solve(TenThousandRace(60)), zermelo.solve(TenThousand())
    assert race.probe(State(0, 0, 1, 5, 0)).action == ROLL
    assert race.probe(State(0, 0, 40, 1, 0)).action == BANK
    assert alone.value > 5


def test_parameters() -> None:
    with pytest.raises(zermelo.ParameterError, match="dice must be one of 5, 6"):
        zermelo.solve(TenThousandRace(10, 4))
    with pytest.raises(zermelo.ZermeloError, match=r"head_start \(10\) must be less than the goal \(10\)"):
        zermelo.solve(TenThousandRace(10, 5, 10))


# --- policies ---------------------------------------------------------------------------------------------------------------


def test_policies_are_evaluated_by_stages_as_by_the_general_engine(in_python: None) -> None:
    """Against optimal play from either seat, and against another policy."""
    from zermelo.games.ten_thousand_race import bank_at
    from zermelo.uses.evaluate_entered import evaluate_entered

    solution = zermelo.solve(TenThousandRace(6))
    for seat in (0, 1):
        ours, general = evaluate_entered(solution.answers, bank_at(1), None, seat), solution.evaluate(bank_at(1), seat=seat)
        assert isclose(ours.value, general.value, abs_tol=1e-14) and isclose(ours.loss, general.loss, abs_tol=1e-14)
        assert ours.low <= general.high and general.low <= ours.high and ours.loss > 0.1


def test_policies_that_do_not_fit() -> None:
    from zermelo.uses.evaluate_entered import evaluate_entered

    solution = zermelo.solve(TenThousandRace(5))

    def bank(s: State) -> int:
        return BANK

    with pytest.raises(
        zermelo.ParameterError, match=r"^the policy returns 0 at player to move has \d chips, .*, where [\d, ]+ are legal$"
    ):
        evaluate_entered(solution.answers, bank, None, 0)
    with pytest.raises(zermelo.ParameterError, match="seat must be 0 or 1"):
        evaluate_entered(solution.answers, bank, None, 2)


# --- tables and pictures ----------------------------------------------------------------------------------------------------


def test_tables() -> None:
    from zermelo.games.ten_thousand_race_views import TABLES

    solution = zermelo.solve(TenThousandRace(12))
    rolls = TABLES["rolls"].make(solution, {"mine": 3, "theirs": 5})
    for dice, said, alone in rolls.rows:
        parts = [] if said == "never" else str(said).split(", ")
        totals = {t for part in parts for t in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)}
        for t in range(1 if dice == 5 else 5 - dice, 9):  # each die that was set aside scored a chip at least
            actions = solution.probe(State(3, 5, t, dice, 0)).actions
            assert (t in totals) == (actions[ROLL] >= actions[BANK])
        assert alone == {1: "never", 2: "3", 3: "2-6", 4: "1-18", 5: "1-55"}[dice]
    wins = TABLES["win"].make(solution, {})
    assert isclose(float(wins.rows[0][1]), (1 + float(solution.value)) / 2)
    starts = TABLES["head-start"].make(solution, {})
    (fair,) = (row for row in starts.rows if row[3])
    assert all(abs(float(fair[2]) - 0.5) <= abs(float(row[2]) - 0.5) for row in starts.rows)
    assert isclose(float(starts.rows[2][2]), (1 + float(zermelo.solve(TenThousandRace(12, 5, 2)).value)) / 2)
    for fix, what in (({"mine": 12}, "between 0 and 11 chips"), ({"turn": 1}, "no field 'turn'")):
        with pytest.raises(zermelo.ParameterError, match=what):
            TABLES["rolls"].make(solution, fix)


def test_pictures() -> None:
    from zermelo.games.ten_thousand_race_views import FIGURES

    solution = zermelo.solve(TenThousandRace(12))
    assert len(FIGURES["rolls"].make(solution, {"mine": 4}).axes) == 2
    assert FIGURES["win"].make(solution, {}).axes


@pytest.mark.filterwarnings("error")
def test_pictures_of_the_shortest_race() -> None:
    """Whoever scores has won: there is nothing to choose, and one pair of scores."""
    from zermelo.games.ten_thousand_race_views import FIGURES

    solution = zermelo.solve(TenThousandRace(1))
    for view in FIGURES.values():
        assert view.make(solution, {}).axes


def test_tables_and_pictures_of_solutions_whose_states_are_all_stored() -> None:
    """Saved and exact ones: they lack what play never comes to, such as one die to roll with one chip."""
    from zermelo.games.ten_thousand_race_views import FIGURES, TABLES

    solution = zermelo.solve(TenThousandRace(4), exact=True)
    table = TABLES["rolls"].make(solution, {})
    assert len(table.rows) == 5 and "only turn totals that occur" in table.notes[-1]
    assert FIGURES["rolls"].make(solution, {}).axes
