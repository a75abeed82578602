"""Players of the card draw, against their definitions: all orders of a deck, a recursion, and the evaluation of a policy."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate, permutations
from statistics import mean

import pytest

import zermelo
from zermelo.games import CardDraw
from zermelo.games.card_draw import DRAW, STOP
from zermelo.games.card_draw_players import MOST, expected_of_a_coin, until_the_last_red, with_foresight

DECKS = [(red, black) for red in range(5) for black in range(4)]


@pytest.mark.parametrize(("red", "black"), DECKS)
def test_who_knows_the_order_stops_at_the_highest_point(red: int, black: int) -> None:
    highest = [max(accumulate(order, initial=0)) for order in permutations([1] * red + [-1] * black)]
    assert with_foresight(red, black) == mean(map(Fraction, highest))


@cache
def believed(red: int, black: int) -> Fraction:
    """Stopping or drawing, whichever seems better, with the chance of red at 1/2 while there are cards of both colours."""
    if red == 0 or black == 0:
        return Fraction(red)
    return max(Fraction(0), (1 + believed(red - 1, black) - 1 + believed(red, black - 1)) / 2)


@pytest.mark.parametrize(("red", "black"), [*DECKS, (26, 26), (30, 7), (7, 30)])
def test_who_takes_draws_for_a_fair_coin(red: int, black: int) -> None:
    assert expected_of_a_coin(red, black) == believed(red, black)
    if red + black:
        drawing = zermelo.solve(CardDraw(red, black)).evaluate(lambda s: DRAW if s.red else STOP)
        assert drawing.value == pytest.approx(float(until_the_last_red(red, black)), abs=1e-12)


def test_the_published_figures() -> None:
    """Howe 2014 and the essay's first answer (Gwern 2022, Problem 14)."""
    assert round(float(with_foresight(26, 26)), 2) == 4.04
    assert round(float(expected_of_a_coin(26, 26)), 2) == 2.86
    assert until_the_last_red(26, 26) == Fraction(26, 27)


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    from zermelo.cli.app import main

    assert main(["table", "card-draw", "--view", "players"]) == 0
    out = capsys.readouterr().out
    assert all(figure in out for figure in ("4.040", "2.62447", "2.86301", "0.962963"))
    assert main(["table", "card-draw", "--red", str(MOST), "--view", "players"]) == 2
    assert "the view players does not fit this solution" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_the_picture_of_no_cards_is_drawn_without_a_word():
    from zermelo.games.card_draw_views import FIGURES

    figure = FIGURES["games"].make(zermelo.solve(CardDraw(0, 0)), {})
    assert figure.axes[0].get_xlim() == (0, 1)
