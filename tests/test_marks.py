"""What can be pointed at in pictures of the page: the places are compared with those in the SVG, the numbers with the solution."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import zermelo
from zermelo.serve import pictures
from zermelo.serve.marks import marks


def drawn(figure: Figure) -> tuple[str, list[dict[str, Any]]]:
    file = io.StringIO()
    figure.savefig(file, format="svg")
    return file.getvalue(), marks(figure)


def size(svg: str) -> tuple[float, float]:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_points_are_where_the_svg_has_them(scale: str) -> None:
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    x, y = np.array([1.0, 2, 5, 9, 40]), np.array([3.0, 1, 4, 100, 5])
    axes.plot(x, y, "o", label="$\\sqrt{n}$ of them")
    axes.plot([1, 2], [math.nan, 2])
    axes.set(xscale=scale, yscale=scale, xlabel="how\nmany", ylabel="worth")
    axes.axhline(2)
    svg, (found,) = drawn(figure)
    (points, alone, *lines) = found["series"]
    assert (found["x"], found["y"], points["label"], alone["label"]) == ("how many", "worth", "√n of them", "") and not lines
    assert points["x"] == x.tolist() and points["y"] == y.tolist() and alone["y"] == [2]
    width, height = size(svg)
    used = re.findall(r'<use [^>]*href="#m[^"]*" x="([\d.]+)" y="([\d.]+)" style="fill: #1f77b4', svg)
    markers = {(float(a) / width, float(b) / height) for a, b in used}
    assert len(markers) >= 5  # those of ticks are black
    for place in points["at"]:
        assert min(math.dist(place, m) for m in markers) < 2e-5


def test_bars_say_their_own_height_and_whole_numbers_where_they_stand_side_by_side() -> None:
    figure = Figure(figsize=(7, 4))
    left, right = figure.subplots(1, 2)
    left.bar([0.8, 1.8], [10, 20], 0.4, label="won")
    left.bar([0.8, 1.8], [5, 1], 0.4, bottom=[10, 20], label="lost")
    left.set(yscale="log", ylim=(1, 40))
    right.barh([0, 1], [0.25, 0.75])
    right.set_yticks([0, 1], ["heads", "tails"])
    _, (first, second) = drawn(figure)
    won, lost = first["series"]
    assert won["x"] == lost["x"] == [1, 2] and won["y"] == [10, 20] and lost["y"] == [5, 1]
    x0, y0, x1, y1 = first["box"]
    assert all(x0 <= b[0] < b[2] <= x1 and y0 <= b[1] < b[3] <= y1 for b in won["boxes"])  # on a log scale, too
    assert lost["boxes"][0][3] == pytest.approx(won["boxes"][0][1], abs=1e-5)  # they stand one upon the other
    assert second["series"][0]["y"] == ["heads", "tails"] and second["series"][0]["x"] == [0.25, 0.75]


@pytest.mark.parametrize("origin", ["lower", "upper"])
def test_cells_of_maps_are_where_their_numbers_are_drawn(origin: Any) -> None:
    figure = Figure(figsize=(6, 6))
    axes = figure.subplots()
    numbers = np.array([[1.0, 2, 3], [4, math.nan, 6]])
    image = axes.imshow(numbers, origin=origin, extent=(9.5, 12.5, -0.5, 1.5), aspect="auto")
    figure.colorbar(image, label="worth")
    _, (found,) = drawn(figure)
    (cells,) = found["maps"]
    assert cells["label"] == "worth" and cells["x"] == [10, 11, 12] and cells["y"] == ([0, 1] if origin == "lower" else [1, 0])
    assert cells["values"] == [[1, 2, 3], [4, None, 6]]
    x0, y0, x1, y1 = found["box"]
    assert cells["columns"] == pytest.approx([x0, x1], abs=1e-5)
    assert cells["rows"] == pytest.approx([y1, y0] if origin == "lower" else [y0, y1], abs=1e-5)


def test_pictures_of_the_catalogue_say_what_the_solution_says() -> None:
    solution = zermelo.solve("card-draw", red=6, black=5)
    value, best = pictures.figure(solution, "values", None, lambda *_: None)["axes"]
    (numbers,), (actions,) = value["maps"], best["maps"]
    fields = value["y"], value["x"]
    for row, y in enumerate(numbers["y"]):
        for column, x in enumerate(numbers["x"]):
            at = dict(zip(fields, (int(y), int(x)), strict=True))
            probe = solution.probe(solution.state(at["red"], at["black"]))
            assert numbers["values"][row][column] == pytest.approx(float(probe.value), abs=1e-7)
            if any(at.values()):
                assert actions["values"][row][column] == solution.rules.action_name(probe.action)
    lengths = pictures.figure(solution, "lengths", None, lambda *_: None)["axes"][0]["series"][0]
    spread = solution.distribution()
    for moves, share in zip(lengths["x"], lengths["y"], strict=True):
        assert share == pytest.approx(100 * float(spread.probability(int(moves))), abs=1e-6)


def test_large_maps_and_long_lines_are_thinned() -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.imshow(np.arange(1200 * 300.0).reshape(300, 1200), aspect="auto")
    axes.plot(np.arange(5000.0), np.zeros(5000))
    axes.set(xlim=(0, 1200), ylim=(0, 300))
    _, (found,) = drawn(figure)
    (cells,), (line,) = found["maps"], found["series"]
    assert len(cells["x"]) * len(cells["y"]) <= 40_000 and len(cells["values"]) == len(cells["y"]) and len(line["at"]) == 1000
    step = 1200 // len(cells["x"])
    assert cells["values"][0][1] in (step, step + 1)


def test_a_result_that_no_position_has_is_no_series() -> None:
    solution = zermelo.solve("gobblet", sizes=2, per_size=1)
    assert {name: bool(counts) for name, counts in solution.census().items()}["lost"] is False
    found = pictures.figure(solution, "distances", {}, lambda *_: None)
    (axes,) = found["axes"]
    assert axes["series"] and all(series["at"] for series in axes["series"])
