"""Players of the card draw other than the optimal one: what they expect to win, and what they win on average.

*A player who knows the order* of the cards stops at the highest point that the sum reaches. By reflection at m > red - black, the number of
orders that reach m is that of orders with m more black cards than red ones drawn in all: C(red + black, black + m). (Howe 2014: $4.04 for
26 + 26.)

*A player who takes every draw for a fair coin*, while cards of both colours are left, sees no reason to stop before the last red card: the
coin pays 0 on average, and if the black cards run out first, the red ones that are left can be taken for certain. Such a player
expects sum_k (red - k) C(black - 1 + k, k) / 2^(black + k), k < red being the red cards drawn before the last black one: $2.86 for
26 + 26, the essay's first, mistaken answer. In truth each black card comes before the last red one with chance red / (red + 1).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix
from zermelo.views.table import Table

MOST = 2000  # cards, so that arithmetic on whole numbers of this length stays quick


def with_foresight(red: int, black: int) -> Fraction:
    """The average win of a player who knows the order of the cards: the mean of the highest sum on the way."""
    sure = max(red - black, 0)  # the sum reaches this in every order
    orders = comb(red + black, black)
    return sure + Fraction(sum(comb(red + black, black + m) for m in range(sure + 1, red + 1)), orders)


def expected_of_a_coin(red: int, black: int) -> Fraction:
    """The win expected by a player who takes every draw for a fair coin."""
    if black == 0:
        return Fraction(red)
    return sum((Fraction((red - k) * comb(black - 1 + k, k), 2 ** (black + k)) for k in range(red)), Fraction(0))


def until_the_last_red(red: int, black: int) -> Fraction:
    """The average win of a player who draws until no red card is left: what that player gets."""
    return red - Fraction(red * black, red + 1)


def few_enough(solution: Solution) -> bool:
    return bool(solution.game.red + solution.game.black <= MOST)


def players(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The win that each player expects, and the average win."""
    red, black = solution.game.red, solution.game.black
    foresight, last = float(with_foresight(red, black)), float(until_the_last_red(red, black))
    rows = (
        ("knows the order of the cards", foresight, foresight),
        ("plays optimally", float(solution.value), float(solution.value)),
        ("takes every draw for a fair coin", float(expected_of_a_coin(red, black)), last),
        ("draws all cards", float(red - black), float(red - black)),
    )
    notes = ("dollars; a fair coin: as long as both colours are left, so one draws until no red card is left",)
    title = f"Card draw, {red} red and {black} black cards: players"
    return Table(title, ("a player who", "expects", "wins on average"), rows, notes, decimals=6)
