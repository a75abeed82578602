"""Published numbers about one turn of Ten Thousand."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from zermelo.games import TenThousand, TenThousandHouse
from zermelo.games.dice_sets import POINTS_A_CHIP
from zermelo.games.ten_thousand import ENOUGH, ROLL, STOP, State, chips, combinations, frequencies, scoring_dice
from zermelo.games.ten_thousand_views import COLUMNS, SHORT, Column, is_position, options, state_in, worth
from zermelo.reproduce.claim import Bench, Claim, Tally, tally
from zermelo.reproduce.printed_ten_thousand import ACTIONS, EXACT, TABLE_5, TABLE_6
from zermelo.solution import Solution

PAPER = "Crocce and Mordecki 2014"
REFERENCE = "this project's ten_thousand_solitaire.json"
BEST = ("roll", "roll", "back 5", "back 1", "roll", "back 55", "back 51")  # last row of Table 6, except for its last entry
HALF = 28  # Table 6 is printed in two halves
COLUMN_OF = {
    "n5": (0, 0, 5), "n4": (0, 0, 4), "n3_200_110": (2, 0, 3), "n3_020": (0, 2, 3), "n3_other": (0, 0, 3),
    "n2_210": (2, 1, 2), "n2_200_110": (2, 0, 2),
}  # fmt: skip


def value(moves: int = 15, exact: bool = False) -> Callable[[Bench], Any]:
    return lambda bench: bench.solve(TenThousand(moves), exact).value


def actions(bench: Bench) -> Tally:
    pairs = [(f"{m} actions", text, bench.solve(TenThousand(m), exact=True).value) for m, text in ACTIONS.items()]
    return tally(pairs, lambda text, ours: Fraction(text) == ours)


def table_5(bench: Bench) -> Tally:
    """Combinations, scores and frequencies of all configurations."""
    pairs = []
    for f, o, t, *ways in frequencies():
        ours = (combinations(f, o, t), chips(f, o, t), *ways[max(scoring_dice(f, o, t), 1) - 1 :])
        pairs.append((f"[{f},{o},{t}]", str(TABLE_5.get((f, o, t))), str(ours)))
    return tally(pairs)


def table_6(bench: Bench) -> Tally:
    """Every printed value except the first, in the printed order; and whether there are no others to print."""
    solution = bench.solve(TenThousand())
    pairs: list[tuple[str, str, Any]] = []
    for line in TABLE_6.strip().splitlines():
        score, *printed = line.split()
        beyond, second = int(printed.pop(-2)), printed.pop()
        assert beyond == int(score) + HALF
        ours = going_on(solution, int(score))
        if len(ours) != len(printed):
            pairs.append((f"{score} chips", " ".join(printed), " ".join(f"{v:.3f}" for v in ours)))
            continue
        pairs += [(f"{score} chips", text, v) for text, v in zip(printed, ours, strict=True)]
        (last,) = going_on(solution, int(score) + HALF)
        pairs.append((f"{int(score) + HALF} chips", second, last))
    return tally([p for p in pairs if p[1] != "5.8721"])


def going_on(solution: Solution, score: int) -> list[float]:
    """The values of a row of Table 6: where going on is better than stopping. Column n = 2, other i, is not printed."""
    found = []
    for column in COLUMNS[:-1]:
        state = state_in(column, score)
        if is_position(state) and worth(solution, state) > score:
            found.append(float(worth(solution, state)))
    return found


def policy(bench: Bench) -> Tally:
    """In each column one action is best wherever going on is."""
    solution = bench.solve(TenThousand())
    return tally([(c.name, expected, best(solution, c)) for c, expected in zip(COLUMNS, BEST, strict=False)])


def best(solution: Solution, column: Column) -> str:
    """The best action in a column of Table 6, wherever going on is better than stopping."""
    found = set()
    for score in range(ENOUGH):
        state = state_in(column, score)
        if is_position(state):
            values = options(solution, state)
            found.add(max(values, key=lambda a: values[a]))
    names = [solution.rules.action_name(a) for a in sorted(found - {STOP})]
    return " or ".join(SHORT.get(n, n) for n in names)


def exact_values(bench: Bench) -> Tally:
    solution = bench.solve(TenThousand(), exact=True)
    pairs = []
    for (column, score), text in EXACT.items():
        fives, ones, dice = COLUMN_OF[column]
        pairs.append((f"{column}, {score} chips", text, worth(solution, State(score, fives, ones, 0, dice))))
    return tally(pairs, lambda text, ours: Fraction(text) == ours)


def last_two(bench: Bench) -> str:
    """The best action with two dice to roll, three chips and no dice to take back."""
    probe = bench.solve(TenThousand()).probe(State(3, 0, 0, 0, 2))
    name = "roll" if probe.action == ROLL else "stop"
    return f"{name} at 3 chips: worth {float(probe.actions[ROLL]):.6f}"


def threshold(bench: Bench) -> int:
    return ENOUGH


def with_digit(moves: int, place: int, digit: str) -> Callable[[Bench], Fraction]:
    """The exact value of the game with this many actions, written with one digit more after the first `place` characters."""

    def misprinted(bench: Bench) -> Fraction:
        exact = value(moves, exact=True)(bench)
        text = f"{Decimal(exact.numerator) / Decimal(exact.denominator):.25f}"
        return Fraction(text[:place] + digit + text[place:])

    return misprinted


def by_house_rules(bench: Bench) -> float:
    return float(bench.solve(TenThousandHouse(dice=5, hot=True)).value) / POINTS_A_CHIP


def claim(
    name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "", mistake: Any = None
) -> Claim:
    return Claim(f"ten-thousand.{name}", "ten-thousand", source, what, printed, compute, right, why, mistake)


CLAIMS = (
    claim("value", f"{PAPER}, Theorem 4.1", "value of a turn, in chips", "5.872019", value()),
    claim("fraction", REFERENCE, "the same, exact", ACTIONS[15], value(exact=True)),
    claim("threshold", f"{PAPER}, Theorem 4.1", "stop from so many chips on", "56", threshold),
    claim("stop-roll", f"{PAPER}, sec. 5.1", "value if dice are never taken back", "5.576326", value(2)),
    claim("2", f"{PAPER}, Table 4", "2 actions", "5.5763262782", value(2)),
    claim("3", f"{PAPER}, Table 4", "3 actions", "5.8012180037", value(3), "5.8011800370",
          "a digit too many: with a 2 put in after 5.801 the exact value reads as printed, in all ten decimals", with_digit(3, 5, "2")),
    claim("4", f"{PAPER}, Table 4", "4 actions", "5.8153340639", value(4)),
    claim("5", f"{PAPER}, Table 4", "5 actions", "5.8707484326", value(5)),
    claim("6", f"{PAPER}, Table 4", "6 actions", "5.8720189185", value(6)),
    claim("15", f"{PAPER}, Table 4", "all 15 actions", "5.8720189185", value(15)),
    claim("actions", REFERENCE, "Table 4, exact", f"{len(ACTIONS)} fractions", actions),
    claim("table5", f"{PAPER}, Table 5", "scores and frequencies", "45 rows", table_5,
          why="the first column, printed as s(i), is d(i), the number of scoring dice"),
    claim("table6", f"{PAPER}, Table 6", "all values but the first", "103 values", table_6),
    claim("table6-0", f"{PAPER}, Table 6", "value with 0 chips", "5.8721", value(), "5.8720",
          "it is 5.872018...; 5.8721 comes from values rounded to two decimals, and from those of the table if it is cut off "
          "(docs/races.md)"),
    claim("policy", f"{PAPER}, Table 6", "best action of the first 7 columns", "7 actions", policy),
    claim("policy-8", f"{PAPER}, Table 6", "best action of the column two dice, [2,0,0] or [1,1,0]", "roll",
          lambda bench: best(bench.solve(TenThousand()), COLUMNS[7]), "back 5",
          "its printed values, 3.447 to 5.021, are those of taking back a 5; rolling is worth 3.173 at 3 chips"),
    claim("two-dice", f"{PAPER}, Table 6, note", "two dice, 'other i'", "always stop", last_two,
          "roll at 3 chips: worth 3.172609", "and the state can be reached, with 1 chip taken before"),
    claim("exact", REFERENCE, "Table 6, exact", f"{len(EXACT)} fractions", exact_values),
    Claim("ten-thousand-house.paper", "ten-thousand-house", f"{PAPER}, Theorem 4.1", "value of a turn by these rules, in chips", "5.872019",
          by_house_rules),
)  # fmt: skip
