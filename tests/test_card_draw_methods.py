"""The methods of the card draw agree with one another and with the formula in Fractions; their page shows them as they are."""

from __future__ import annotations

import ast
import inspect
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo
from test_docs import blocks
from zermelo import ParameterError
from zermelo.games import card_draw_methods
from zermelo.games.card_draw import CardDraw
from zermelo.games.card_draw_methods import METHODS, blocked, diagonal, memoised_recursion, row, spreadsheet
from zermelo.games.card_draw_views import skipped_blocks

PAGE = "docs/card-draw-methods.md"
PUBLISHED = Fraction(41984711742427, 15997372030584)  # 26 red and 26 black cards
DECKS = st.integers(0, 60)
each_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@cache
def truth(red: int, black: int) -> Fraction:
    if red == black == 0:
        return Fraction(0)
    if_red = red * (1 + truth(red - 1, black)) if red else Fraction(0)
    if_black = black * (truth(red, black - 1) - 1) if black else Fraction(0)
    return max(Fraction(0), (if_red + if_black) / (red + black))


def close(value: Fraction | float):
    return pytest.approx(float(value), rel=1e-14, abs=1e-14)


def test_the_formula_is_the_game():
    assert truth(26, 26) == PUBLISHED
    assert all(truth(*s) == value for s, (value,) in naive.solve(CardDraw(8, 11)).items())


# --- values -----------------------------------------------------------------------------------------------------------


@each_method
def test_all_small_decks(method):
    for red in range(13):
        for black in range(13):
            value = method(red, black)
            assert type(value) is float and value == close(truth(red, black)), (red, black)


@each_method
def test_the_published_value(method):
    assert method(26, 26) == close(PUBLISHED) == 2.624475548993925


@each_method
@pytest.mark.parametrize("deck", [(0, 90), (90, 0), (1, 90), (90, 1), (40, 50), (50, 40), (150, 3), (3, 150)], ids=str)
def test_unequal_decks(method, deck):
    assert method(*deck) == close(truth(*deck))


@each_method
def test_numbers_of_numpy_do_not_wrap_around(method):
    assert method(np.int8(100), np.int8(100)) == row(100, 100)


@settings(deadline=None)
@given(DECKS, DECKS)
def test_all_methods_agree_to_the_last_bit(red, black):
    assert len({method(red, black) for method in METHODS.values()}) == 1


def test_the_spreadsheet_holds_every_smaller_deck():
    v = spreadsheet(9, 12)
    assert v.shape == (10, 13)
    assert all(value == row(*deck) for deck, value in np.ndenumerate(v))


def test_values_rise_with_red_cards_and_fall_with_black_ones():
    """What allows `blocked` to skip."""
    v = spreadsheet(80, 120)
    assert (np.diff(v, axis=0) >= 0).all() and (np.diff(v, axis=1) <= 0).all()


# --- blocks -----------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(DECKS, DECKS, st.integers(1, 70))
def test_blocks_of_any_size(red, black, size):
    assert blocked(red, black, size) == diagonal(red, black)


@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 31, 32, 33, 34, 10**9])
def test_blocks_that_just_fit_or_just_do_not(size):
    assert blocked(32, 33, size) == diagonal(32, 33)


def test_the_default_block_is_passed_both_ways():
    size = inspect.signature(blocked).parameters["size"].default
    for deck in [(size + 1, 40), (40, size + 1), (size, size - 1)]:
        assert blocked(*deck) == diagonal(*deck)


def test_blocks_beyond_the_stopping_boundary_are_skipped(monkeypatch):
    done = []
    block = card_draw_methods._block
    monkeypatch.setattr(card_draw_methods, "_block", lambda r, b, *edges: (done.append((r, b)), block(r, b, *edges)))
    assert blocked(640, 640, 16) == diagonal(640, 640)
    assert 800 < len(done) < 960  # of 40 x 40: the half with more red cards than black ones, and a band beside it
    v = spreadsheet(640, 640)
    skipped = {(r, b) for r in range(1, 641, 16) for b in range(1, 641, 16)} - set(done)
    assert all((v[r : r + 16, b : b + 16] == 0).all() for r, b in skipped)


# --- what is refused --------------------------------------------------------------------------------------------------


@each_method
@pytest.mark.parametrize("bad", [-1, 2.0, "3", None, True, Fraction(4)], ids=repr)
def test_bad_numbers_of_cards_are_refused_by_name(method, bad):
    with pytest.raises(ParameterError, match=r"^red must be a whole number of at least 0, not "):
        method(bad, 5)
    with pytest.raises(ParameterError, match=r"^black must be a whole number of at least 0, not "):
        method(5, bad)


@pytest.mark.parametrize("bad", [0, -1, 1.5])
def test_bad_block_sizes_are_refused(bad):
    with pytest.raises(ParameterError, match="^size must be a whole number of at least 1"):
        blocked(5, 5, bad)


def test_a_recursion_too_deep_is_told_and_can_be_allowed(monkeypatch):
    cards = sys.getrecursionlimit() // 2 + 1
    with pytest.raises(ParameterError, match=rf"{cards} red .* {2 * cards:,} calls deep.* sys\.setrecursionlimit"):
        memoised_recursion(cards, cards)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 2 * cards)
    try:
        assert memoised_recursion(cards, cards) == diagonal(cards, cards)
    finally:
        sys.setrecursionlimit(before)


# --- the page ---------------------------------------------------------------------------------------------------------


def shown(code: str) -> dict[str, str]:
    """The functions of some code without their docstrings."""
    found = {}
    for function in ast.parse(code).body:
        if isinstance(function, ast.FunctionDef):
            if ast.get_docstring(function) is not None:
                del function.body[0]
            found[function.name] = ast.unparse(function)
    return found


def test_the_page_shows_the_methods_as_they_are():
    on_the_page = shown("".join(blocks(PAGE, "python")))
    module = shown(inspect.getsource(card_draw_methods))
    assert METHODS.keys() <= on_the_page.keys() <= module.keys()
    assert all(module[name] == code for name, code in on_the_page.items())


def test_the_page_runs_from_top_to_bottom():
    scope: dict = {}
    compared = 0
    for line in (line for block in blocks(PAGE, "python") if "def " not in block for line in block.splitlines()):
        code, _, comment = line.partition("  # ")
        if not comment:
            exec(code, scope)
        else:
            assert np.array_equal(eval(code, scope), eval(comment)), line
            compared += 1
    assert compared >= len(METHODS)


@pytest.mark.parametrize(("red", "black", "size"), [(64, 64, 8), (50, 61, 7), (61, 50, 7), (16, 60, 16)])
def test_the_blocks_of_the_picture_are_those_that_are_skipped(red, black, size, monkeypatch):
    done, work = set(), card_draw_methods._block

    def noted(r0, b0, left, below):
        done.add(((r0 - 1) // size, (b0 - 1) // size))
        work(r0, b0, left, below)

    monkeypatch.setattr(card_draw_methods, "_block", noted)
    blocked(red, black, size)
    skip = skipped_blocks(zermelo.solve(CardDraw(red, black)), size)
    assert done == {at for at, skipped in np.ndenumerate(skip) if not skipped} and skip.any()
