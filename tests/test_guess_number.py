"""Guess by guess: values beside optimal search trees, and beside the game in which Alice chooses how to hide."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from naive_matrix import cheapest_tree
from zermelo.errors import ParameterError
from zermelo.games import BinarySearch, GuessNumber
from zermelo.games.guess_number import State


@pytest.mark.parametrize(("n", "ends"), [(1, 2), (2, 0), (3, 0), (6, 2), (9, 5), (12, 1)])
def test_the_value_is_the_cost_of_an_optimal_tree(n: int, ends: int) -> None:
    if n == 2 and not ends:
        with pytest.raises(ParameterError, match="no number to be hidden"):
            zermelo.solve(GuessNumber(n, ends))
        return
    weights = [ends if i in (0, n - 1) else 1 for i in range(n)]
    assert zermelo.solve(GuessNumber(n, ends), exact=True).value == Fraction(cheapest_tree(weights), sum(weights))


@pytest.mark.parametrize("n", [7, 10, 13])
def test_alice_does_no_better_by_this_mixture_than_by_her_best(n: int) -> None:
    ours, hers = zermelo.solve(GuessNumber(n), exact=True).value, zermelo.solve(BinarySearch(n)).value
    assert ours <= hers and (ours == hers) == (n != 13)


def test_the_picture_has_the_numbers_that_are_left() -> None:
    game = GuessNumber(23)
    cells = [cell for row in game.picture(State(5, 21))["cells"] for cell in row]
    assert [int(c["pieces"][0]) for c in cells if c["look"] == "plain"] == list(range(5, 22))
    assert [c["pieces"] for c in cells][22:] == [["23"], *[[]] * 7]
    assert game.show(State(5, 21)) == "from 5 to 21: 17 numbers are left" and game.show(State(4, 4)) == "it is 4"
