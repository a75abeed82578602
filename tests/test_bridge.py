"""When to sell a bond: the closed form against its equation, a lattice of cards, the card draw's curve, and its limits."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest

import zermelo
from zermelo.cli.app import main
from zermelo.errors import ParameterError
from zermelo.games import CardDraw
from zermelo.games.card_draw_growth import growth_constant, stopping_constant
from zermelo.puzzles import bridge
from zermelo.views.puzzle_figures import bridge_figure

A = bridge.stopping_constant()


def test_shepps_constant_and_the_limit_of_the_card_draw() -> None:
    """0.839923675692373 (Shepp 1969), and sqrt(pi) (1 - a^2) = 0.522037675987124 times the root of the cards of each colour."""
    assert abs(A - 0.839923675692373) < 5e-16 and abs(A - stopping_constant()) < 1e-14
    assert abs(bridge.worth(0, 2, 0, 1) - 0.522037675987124) < 1e-14 and abs(bridge.worth(0, 2, 0, 1) - growth_constant()) < 1e-13


@pytest.mark.parametrize("price", [-8.0, -1.5, 0.0, 0.4, 0.7])
@pytest.mark.parametrize("time", [0.3, 1.0, 2.5])
def test_the_value_solves_the_equation_of_the_bridge(price: float, time: float) -> None:
    """Below the line: dV/dt - x/u dV/dx + 1/2 d2V/dx2 = 0, by differences; on it, value and slope are those of selling."""
    price *= math.sqrt(time)
    h, k = 1e-3 * math.sqrt(time), 1e-4 * time

    def v(x: float, u: float) -> float:
        return bridge.worth(x, u, 0.0, 1.0)

    slope, bend = (v(price + h, time) - v(price - h, time)) / (2 * h), (v(price + h, time) - 2 * v(price, time) + v(price - h, time)) / h**2
    passing = -(v(price, time + k) - v(price, time - k)) / (2 * k)
    assert abs(passing - price / time * slope + bend / 2) < 1e-5 / math.sqrt(time)
    edge = bridge.line(time, 0.0, 1.0)
    assert abs(v(edge - 1e-9, time) - edge) < 2e-9 and abs((v(edge, time) - v(edge - h, time)) / h - 1) < 3e-3
    assert all(v(x, time) > x for x in np.linspace(edge - 3, edge - 1e-3, 50))


def test_the_lattice_is_the_card_draw() -> None:
    for ups, downs in ((30, 30), (25, 31), (40, 12)):
        found = bridge.lattice(downs - ups + 0.0, ups + downs, ups + downs, 0.0, 1.0)
        assert found == pytest.approx(downs - ups + float(zermelo.solve(CardDraw(ups, downs)).value), abs=1e-12)


@pytest.mark.parametrize("price", [94.0, 98.0, 100.0, 101.7, 103.0])
def test_lattices_come_nearer_to_the_limit(price: float) -> None:
    limit = bridge.worth(price, 1.0)
    gaps = [limit - bridge.lattice(price, 1.0, steps) for steps in (50, 200, 800)]
    assert abs(gaps[2]) < 0.01 and (abs(gaps[0]) > abs(gaps[1]) > abs(gaps[2]) or max(map(abs, gaps)) < 1e-9)


def test_simulated_courses_earn_what_it_is_worth() -> None:
    paths, moments = 20_000, 2000
    generator = np.random.default_rng(1)
    price, sold = np.full(paths, 98.0), np.full(paths, np.nan)
    for k in range(moments):
        left = 1 - k / moments
        due = np.isnan(sold) & (price >= bridge.line(left))
        sold[due] = price[due]
        ahead = max(left - 1 / moments, 0.0)
        noise = 3.0 * math.sqrt(ahead / left / moments) * generator.normal(size=paths)
        price = price + (100 - price) / (left * moments) + noise
    sold[np.isnan(sold)] = 100.0
    assert abs(sold.mean() - bridge.worth(98.0, 1.0)) < 4 * sold.std() / math.sqrt(paths) + 0.01


def test_far_below_and_far_above() -> None:
    assert bridge.worth(103, 1.0) == 103 and bridge.worth(102.519, 1.0) > 102.519
    near, far = bridge.worth(100 - 3 * 29.999999, 1.0), bridge.worth(100 - 3 * 30.000001, 1.0)
    assert near > far > 100 and near - far < 1e-8
    assert bridge.worth(-1e6, 1.0) == pytest.approx(100 + 3 * (1 - A * A) / ((100 + 1e6) / 3), rel=1e-12)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "bridge", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert round(found["worth"], 6) == 100.698388 and round(found["line"][0]["sell at"], 6) == 102.519771 and not found["sell now"]
    assert [round(row["worth"], 6) for row in found["lattices"]] == [100.682085, 100.692184, 100.696055]
    for words, why in ((["--time", "0"], "time must be a number from 1e-12 to"), (["--price", "nan"], "price must be a number")):
        assert main(["puzzle", "bridge", *words]) == 2 and why in capsys.readouterr().err
    assert main(["puzzle", "bridge", "--price", "104"]) == 0 and "sell now" in capsys.readouterr().out


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400, True, "98", None, 1j])
def test_what_is_no_number_is_told(value: object) -> None:
    """Also where only a value, a line or a lattice is asked for; they computed nan, or ended in an error of Python."""
    for ask in (
        lambda: bridge.worth(value, 1.0), lambda: bridge.worth(98.0, value), lambda: bridge.line(1.0, value),
        lambda: bridge.lattice(98.0, 1.0, 10, volatility=value), lambda: bridge.answer(98.0, 100.0, 3.0, value),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=r"must be a number from -?1e[-+]12 to 1e\+12, not "):
            ask()


@pytest.mark.parametrize("large", [1e12, -1e12])
def test_the_largest_and_smallest_numbers_have_answers(large: float) -> None:
    for volatility, time in product((1e-12, 1e12), repeat=2):
        data = bridge.answer(large, -large, volatility, time).data
        assert math.isfinite(data["worth"]) and data["worth"] >= max(large, -large) * (1 - 1e-15)
    bridge_figure(large, -large, 1e12, 1e12)
