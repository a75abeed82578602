"""One turn by the rules of a house, against dice thrown and set aside one by one: every roll is enumerated."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import ZermeloError
from zermelo.games import HouseRace, TenThousand, TenThousandHouse, TenThousandRace, TenThousandTurns
from zermelo.games.ten_thousand_house import ROLL, STOP

Roll = tuple[int, ...]
House = TenThousandHouse | HouseRace | TenThousandTurns

THREE = (1000, 200, 300, 400, 500, 600)
HOUSES: dict[str, dict[str, Any]] = {
    "plain": {},
    "paper": {"hot": True},
    "doubled": {"more": "doubled", "three": "1000,250,300,400,500,600", "one": 110},
    "added": {"more": "added", "five": 0},
    "straights": {"straight": 1500, "small_straight": 750, "three_pairs": 750},
    "many": {"more": "1000,2000,3000", "straight": 1500, "three_pairs": 1500, "four_and_pair": 1250, "two_triples": 2500},
    "added, full house": {"more": "added", "full_house": 700, "two_triples": 900},
    "none back": {"back": "none", "small_straight": 500},
    "some back": {"back": "5,1,55,222,51", "full_house": 450},
}


def one_group(game: House, group: Roll) -> int:
    """Points for dice that score together, all of them."""
    many = sorted(Counter(group).values(), reverse=True)
    faces, size, face = sorted(set(group)), len(group), group[0]
    three = [int(n) for n in game.three.split(",")]
    if size == 1:
        return {1: game.one, 5: game.five}.get(face, 0)
    if size == 3 and many == [3]:
        return three[face - 1]
    if size > 3 and many == [size]:
        if game.more == "doubled":
            return three[face - 1] * 2 ** (size - 3)
        return three[face - 1] * (size - 2) if game.more == "added" else 0 if game.more == "none" else int(game.more.split(",")[size - 4])
    if faces == [1, 2, 3, 4, 5, 6] and size == 6:
        return game.straight
    if size == 5 and faces in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
        return game.small_straight
    named = {(2, 2, 2): game.three_pairs, (4, 2): game.four_and_pair, (3, 3): game.two_triples, (3, 2): game.full_house}
    return named.get(tuple(many), 0)


@cache
@lru_cache(None, typed=True)
def worth(game: House, dice: Roll) -> int:
    """The most points for dice that are all set aside, sorted; 0 if they can't be: the first die scores with some of the others."""
    found = 0
    for size in range(len(dice)):
        for others in set(combinations(range(1, len(dice)), size)):
            points = one_group(game, (dice[0], *(dice[i] for i in others)))
            rest = tuple(die for i, die in enumerate(dice) if i and i not in others)
            if points and (not rest or worth(game, rest)):
                found = max(found, points + (worth(game, rest) if rest else 0))
    return found


@cache
def choices(game: House, roll: Roll) -> frozenset[tuple[int, int]]:
    """(points, dice) of all that may be set aside of a sorted roll."""
    parts = {part for size in range(1, len(roll) + 1) for part in combinations(roll, size) if worth(game, part)}
    if not parts:
        return frozenset()
    if game.hot and roll in parts:
        parts = {roll}
    elif game.back != "all":
        most = max(parts, key=lambda part: (worth(game, part), len(part), [-die for die in part]))
        named = [Counter(map(int, name)) for name in game.back.split(",")] if game.back != "none" else []
        parts = {most, *(part for part in parts if not Counter(part) - Counter(most) and Counter(most) - Counter(part) in named)}
    return frozenset((worth(game, part), len(part)) for part in parts)


@cache
def thrown(dice: int) -> dict[Roll, int]:
    """Every roll, sorted, and how many rolls that is."""
    return Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))


def all_choices(game: House) -> dict[int, Counter[frozenset[tuple[int, int]]]]:
    """By the number of dice: how many rolls leave which choices."""
    found: dict[int, Counter[frozenset[tuple[int, int]]]] = {n: Counter() for n in range(1, game.dice + 1)}
    for n, counted in found.items():
        for roll, ways in thrown(n).items():
            counted[choices(game, roll)] += ways
    return found


def turn(game: TenThousandHouse, end: int) -> Fraction:
    """The value of a turn, from the definition; from `end` points on one stops."""
    found = all_choices(game)

    @cache
    def value(score: int, left: int) -> Fraction:
        stopped = Fraction(score if score >= game.entry else 0)
        if score >= end:
            return stopped
        going = Fraction(0)
        for options, ways in found[left].items():
            going += ways * max((value(score + points, left - n or game.dice) for points, n in options), default=Fraction(0))
        return max(stopped, going / 6**left)

    return value(0, game.dice)


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("dice", [3, 5, 6])
def test_menus_are_all_ways_to_set_dice_aside(name: str, dice: int) -> None:
    """What the tables say of each of the 6, 36, ..., 46,656 rolls."""
    game = TenThousandHouse(dice, **HOUSES[name])
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    step, first = game.step()[0], game.first()
    for k in range(game.rolls()[dice], game.rolls()[dice + 1]):
        options = range(first[game.rolled()[k]], first[game.rolled()[k] + 1])
        found[tuple((game.steps()[i] * step, game.taken()[i]) for i in options)] += game.ways()[k]
    expected: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, ways in thrown(dice).items():
        best: dict[int, int] = {}
        for points, n in choices(game, roll):
            best[n] = max(best.get(n, 0), points)
        expected[tuple(sorted(((points, n) for n, points in best.items()), reverse=True))] += ways
    assert found == expected and sum(found.values()) == 6**dice


@pytest.mark.parametrize(
    ("name", "dice", "entry"),
    [*((name, 3, 0) for name in HOUSES), ("plain", 4, 0), ("plain", 3, 450), ("added", 4, 200), ("some back", 4, 50)],
)
def test_turns_are_worth_what_the_definition_says(name: str, dice: int, entry: int) -> None:
    game = TenThousandHouse(dice, entry=entry, **HOUSES[name])
    step, enough = game.step()
    assert zermelo.solve(game, exact=True).value == turn(game, step * enough)


@pytest.mark.parametrize("back", ["all", "none", "5", "11,551,511,111,222,555"])
def test_the_turn_of_the_paper(back: str, in_python: None) -> None:
    """Crocce and Mordecki 2014, in points, for any of its actions: the other game has other states and the same value."""
    ours, theirs = zermelo.solve(TenThousandHouse(5, hot=True, back=back)), zermelo.solve(TenThousand(back=back))
    assert ours.low <= 50 * theirs.high and 50 * theirs.low <= ours.high


@cache
def of_the_docs() -> Any:
    return zermelo.solve(TenThousandHouse())


def test_figures_of_the_docs() -> None:
    """Of games that were solved by rules written apart before these: chips of 50 points."""
    for solution, chips in (
        (of_the_docs(), "8.93142881"),
        (zermelo.solve(TenThousandHouse(entry=500)), "8.13598520"),
        (zermelo.solve(TenThousandHouse(5, hot=True, back="none")), "5.57632628"),
    ):
        assert f"{float(solution.value) / 50:.8f}" == chips


def test_when_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table against the values themselves, and the picture. Farkle's 250 points for one or two dice are the usual advice."""
    assert main(["table", "ten-thousand-house", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[-3:] == [["3 dice", 300, 400], ["2 dice", 200, 250], ["1 die", None, 250]]
    solution = of_the_docs()
    for dice, (_, rolling, stopping) in zip(range(6, 0, -1), rows, strict=True):
        if rolling:
            assert solution.best_action(solution.state(rolling // 50, dice, 0)) == ROLL
        if stopping < 50 * TenThousandHouse().step()[1]:
            assert solution.best_action(solution.state(stopping // 50, dice, 0)) == STOP
    assert main(["plot", "ten-thousand-house", "--entry", "300", "--dice", "4", "-o", str(tmp_path / "gain.svg")]) == 0
    assert (tmp_path / "gain.svg").stat().st_size > 1000
    capsys.readouterr()
    assert main(["table", "ten-thousand-house", "--dice", "2", "--view", "rolls", "--json"]) == 0
    assert [row[-1] for row in json.loads(capsys.readouterr().out)["rows"]] == [16, 8, 8, 1, 2, 1]


def test_options_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = "ten-thousand-house --dice 5 --straight 1000 --small-straight 750 --entry 300 --more doubled --three 1000,200,300,400,500,600"
    assert main(["solve", *words.split(), "--hot", "--back", "5,1", "--json"]) == 0
    same = TenThousandHouse(5, straight=1000, small_straight=750, entry=300, more="doubled", hot=True, back="5,1")
    assert json.loads(capsys.readouterr().out)["value"] == float(zermelo.solve(same).value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--three", "1000,200"], "three is six numbers"),
        (["--three", "1000,200,300,400,500,-6"], "three is six numbers"),
        (["--more", "twice"], "more is none, doubled, added or three numbers"),
        (["--more", "1,2"], "more is none, doubled, added or three numbers"),
        (["--back", "7"], "back is all, none or dice"),
        (["--back", "5,,1"], "back is all, none or dice"),
        (["--straight", "-1"], "straight"),
        (["--dice", "7"], "dice"),
    ],
)
def test_what_is_no_house(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "ten-thousand-house", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error and error.count("\n") <= 2


def test_a_house_in_which_nothing_scores() -> None:
    game = TenThousandHouse(3, 0, 0, "0,0,0,0,0,0")
    solution = zermelo.solve(game)
    assert solution.value == 0 and "0 points" in solution._repr_html_()
    with pytest.raises(ZermeloError, match="three is six numbers"):
        zermelo.solve(game._replace(three="much"))


# --- the race -------------------------------------------------------------------------------------------------------------


def race(game: HouseRace) -> dict[tuple[int, int], float]:
    """The probability that the player to move wins, by both scores in points; dice one by one, iterated until nothing changes any more."""
    found = all_choices(game)
    unit = 50
    win: dict[tuple[int, int], float] = {}

    def turn(mine: int, theirs: int) -> float:
        @cache
        def best(points: int, left: int) -> float:
            if mine + points >= game.goal:
                return 1.0
            banked = 1 - win[theirs, mine + points] if points and (mine or points >= game.entry) else 0.0
            going = 0.0
            for options, ways in found[left].items():
                going += ways * max((best(points + p, left - n or game.dice) for p, n in options), default=1 - win[theirs, mine])
            return max(banked, going / 6**left)

        return best(0, game.dice)

    scores = range(0, game.goal, unit)
    for mine, theirs in sorted(product(scores, scores), key=lambda pair: (-sum(pair), pair)):
        if mine > theirs:
            continue
        win[mine, theirs] = win[theirs, mine] = 0.5
        change = 1.0
        while change > 1e-15:
            before = win[mine, theirs], win[theirs, mine]
            win[mine, theirs] = turn(mine, theirs)
            win[theirs, mine] = turn(theirs, mine)
            change = abs(before[0] - win[mine, theirs]) + abs(before[1] - win[theirs, mine])
    return win


@pytest.mark.parametrize(
    ("name", "dice", "goal", "entry"),
    [("plain", 3, 400, 0), ("paper", 5, 300, 200), ("some back", 4, 300, 150), ("straights", 6, 200, 0), ("added, full house", 5, 250, 0)],
)
def test_races_are_won_as_often_as_dice_one_by_one_say(name: str, dice: int, goal: int, entry: int) -> None:
    game = HouseRace(goal, dice, entry=entry, **HOUSES[name])
    solution = zermelo.solve(game)
    for (mine, theirs), win in race(game).items():
        found = solution.probe(solution.state(mine // 50, theirs // 50, 0, dice, 0))
        assert abs((1 + float(found.value)) / 2 - win) < 1e-13


@pytest.mark.parametrize(("goal", "dice"), [(1, 5), (10, 5), (6, 6)])
def test_the_race_of_the_paper(goal: int, dice: int) -> None:
    """The race in chips, whose states are others: five dice that all score stay, six may be left."""
    ours, theirs = zermelo.solve(HouseRace(50 * goal, dice, hot=dice == 5)), zermelo.solve(TenThousandRace(goal, dice))
    assert ours.low <= theirs.high and theirs.low <= ours.high


def test_a_goal_between_two_steps_is_the_next_one() -> None:
    """330 points are reached with 350."""
    assert zermelo.solve(HouseRace(330, 3)).value == zermelo.solve(HouseRace(350, 3)).value


def test_a_race_in_which_nothing_scores_never_ends() -> None:
    assert zermelo.solve(HouseRace(100, 3, 0, 0, "0,0,0,0,0,0")).value == 0


# --- alone, in the fewest turns -------------------------------------------------------------------------------------------


def fewest(game: TenThousandTurns, unit: int) -> dict[int, float]:
    """The expected number of turns by the points banked; dice one by one, iterated until nothing changes any more."""
    found = all_choices(game)
    turns: dict[int, float] = {}

    def going(banked: int) -> float:
        @cache
        def best(points: int, left: int) -> float:
            if banked + points >= game.goal:
                return 0.0
            on = 0.0
            for options, ways in found[left].items():
                on += ways * min((best(points + p, left - n or game.dice) for p, n in options), default=turns[banked])
            may = points > 0 and (banked > 0 or points >= game.entry)
            return min(on / 6**left, turns[banked + points]) if may else on / 6**left

        return 1 + best(0, game.dice)

    for banked in reversed(range(0, game.goal, unit)):
        turns[banked], change = 1.0, 1.0
        while change > 1e-15 * turns[banked]:
            before, turns[banked] = turns[banked], going(banked)
            change = abs(turns[banked] - before)
    return turns


@pytest.mark.parametrize(
    ("name", "dice", "goal", "entry"),
    [
        *(("plain", 3, 600, 0), ("doubled", 4, 330, 0), ("some back", 4, 400, 150)),
        *(("straights", 6, 300, 200), ("added, full house", 5, 450, 0)),
    ],
)
def test_fewest_turns_are_what_dice_one_by_one_say(name: str, dice: int, goal: int, entry: int) -> None:
    game = TenThousandTurns(goal, dice, entry=entry, **HOUSES[name])
    step, solution = game.step()[0], zermelo.solve(game)
    for banked, turns in fewest(game, step).items():
        assert abs(float(solution.probe(solution.state(banked // step, 0, dice, 0)).value) + turns) < 1e-11


def test_a_goal_that_is_never_reached() -> None:
    with pytest.raises(ZermeloError, match="no roll scores by these rules"):
        zermelo.solve(TenThousandTurns(100, 2, 0, 0))
    with pytest.raises(ZermeloError, match="entry .201. must be at most the goal .200."):
        zermelo.solve(TenThousandTurns(200, entry=201))
