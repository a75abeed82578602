"""Numbers about Ten Thousand and Farkle as races: this project's own reference computations, and figures from the literature."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from zermelo.games import HouseRace, TenThousandRace
from zermelo.games.dice_sets import POINTS_A_CHIP
from zermelo.games.ten_thousand_race import State
from zermelo.games.ten_thousand_race_views import fairest, rolls_on, rolls_on_alone
from zermelo.reproduce.claim import Bench, Claim, Tally, tally

REFERENCE = "this project's ten_thousand_2p.json"
FARKLE = "Busche and Neller 2017"
FARKLE_REFERENCE = "this project's farkle_2p.json"  # by their rules
PAPER = "Crocce and Mordecki 2014"
EXACT = {
    1: "324/349",
    2: "69984/76829",
    4: "314928/378113",
    5: "157464/204583",
    8: "283602644266505635334098815331095298290592776222490006858880908525636256047653186/"
    "452140627547944013483476268817999453992625601479582274289621461513489597154624413",
}
AT_SCORES = {
    (64, 83): "0.338628099403882", (50, 61): "0.422500181792193", (74, 121): "0.101818298692922", (142, 156): "0.328534340634760",
    (142, 161): "0.254026692182096", (169, 128): "0.963210644456996", (7, 127): "0.001288992868973", (44, 48): "0.490138766286609",
    (46, 84): "0.188898178359334", (82, 30): "0.910174724013132", (199, 66): "0.999999979827906", (136, 120): "0.741282700421562",
    (49, 18): "0.779417133553258", (20, 51): "0.261049002551399", (112, 152): "0.095443561936864", (180, 137): "0.982208346706974",
    (20, 20): "0.525618247406318", (150, 150): "0.548080552784407", (190, 190): "0.615349696619829", (100, 0): "0.993461957717671",
    (0, 100): "0.009669417290779", (0, 50): "0.148497028409305",
}  # fmt: skip
ROLL_SETS = {  # for 1, 2, ... dice: the chips of the turn with which rolling on is best
    (0, 0): ((1, 3), (1, 3), (1, 6), (1, 17), (1, 42)),
    (100, 100): ((1, 3), (1, 3), (1, 6), (1, 17), (1, 35)),
    (0, 100): ((1, 4), (1, 4), (1, 11), (1, 50), (1, 114)),
    (100, 0): ((1, 2), (1, 2), (1, 4), (1, 10), (1, 18)),
    (180, 180): ((1, 3), (1, 3), (1, 7), (1, 13, 18, 19), (1, 19)),
    (0, 199): ((1, 199),) * 5,
    (190, 120): ((), (1, 1), (1, 4), (1, 4), (1, 9)),
}


def first_wins(goal: int, dice: int = 5, exact: bool = False) -> Callable[[Bench], Any]:
    def compute(bench: Bench) -> Any:
        value = bench.solve(TenThousandRace(goal, dice), exact).value
        return (1 + value) / 2 if exact else (1 + float(value)) / 2

    return compute


def fractions(bench: Bench) -> Tally:
    pairs = [(f"{goal} chips", text, first_wins(goal, exact=True)(bench)) for goal, text in EXACT.items()]
    return tally(pairs, lambda text, ours: Fraction(text) == ours)


def at_scores(bench: Bench) -> Tally:
    """Printed to the fifteenth digit, where doubles are off by some units: the certified interval must contain the rounded number."""
    solution = bench.solve(TenThousandRace(200))
    pairs = []
    for (mine, theirs), text in AT_SCORES.items():
        probe = solution.probe(State(mine, theirs, 0, 5, 0))
        pairs.append((f"{mine} to {theirs}", text, ((1 + float(probe.low)) / 2, (1 + float(probe.high)) / 2)))
    return tally(
        pairs, lambda text, ours: ours[0] - 1e-15 <= float(text) <= ours[1] + 1e-15 and ours[1] - ours[0] < 1e-13
    )


def roll_sets(bench: Bench) -> Tally:
    solution = bench.solve(TenThousandRace(200))
    pairs = []
    for (mine, theirs), sets in ROLL_SETS.items():
        for dice, ends in enumerate(sets, 1):
            expected = [t for first, last in zip(ends[::2], ends[1::2], strict=True) for t in range(first, last + 1)]
            pairs.append(
                (f"{mine} to {theirs}, {dice} dice", str(expected), str(rolls_on(solution, mine, theirs, dice)))
            )
    return tally(pairs)


def pressing_on(bench: Bench) -> str:
    """How far to roll on with five dice at the beginning of the race, and in a single turn."""
    race = max(rolls_on(bench.solve(TenThousandRace(200)), 0, 0, 5))
    return f"{race} chips, alone {max(rolls_on_alone(5))}"


def head_start(bench: Bench) -> int:
    """Points."""
    return POINTS_A_CHIP * fairest(bench.solve(TenThousandRace(200, 6)))


def in_one_turn(bench: Bench) -> Any:
    return (1 + bench.solve(HouseRace(goal=250, dice=5, entry=250, hot=True), exact=True).value) / 2


def claim(game: str, name: str, source: str, what: str, printed: str, compute: Any, why: str = "") -> Claim:
    return Claim(f"{game}.{name}", game, source, what, printed, compute, "", why)


RACE = "ten-thousand-race"
CLAIMS = (
    claim(RACE, "fractions", REFERENCE, "first player wins, exactly", f"{len(EXACT)} fractions", fractions),
    claim(RACE, "20", REFERENCE, "to 20 chips", "0.571309778935164", first_wins(20)),
    claim(RACE, "60", REFERENCE, "to 60 chips", "0.543981432316519", first_wins(60)),
    claim(RACE, "100", REFERENCE, "to 100 chips", "0.534227685722316", first_wins(100)),
    claim(RACE, "200", REFERENCE, "to 200 chips (10,000 points)", "0.52431815829646", first_wins(200),
          f"{PAPER} leave the competitive game as an open question"),
    claim(RACE, "scores", REFERENCE, "at other scores", f"{len(AT_SCORES)} values", at_scores),
    claim(RACE, "rolls", REFERENCE, "when to roll on", f"{5 * len(ROLL_SETS)} sets", roll_sets),
    claim(RACE, "pressing-on", REFERENCE, "five dice at 0 to 0: roll on up to", "42 chips, alone 55", pressing_on),
    claim("farkle", "200", FARKLE_REFERENCE, "first player wins, to 10,000 points", "0.536953031813", first_wins(200, 6)),
    claim("farkle", "head-start", FARKLE, "fairest head start, points", "200", head_start),
    claim("house-race", "whole", "this project's recursion for Ten Thousand", "to 250 points, all in the first turn that is banked",
          "157464/204583", in_one_turn),
)  # fmt: skip
