"""Numbers and names on the page of `zermelo serve`, in a real browser: ends of scales, digits, what a 0 looks like, long names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from browser import Browser, needs_chromium, serving
from zermelo.games.named import find, model_target
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet

pytestmark = needs_chromium

RULES = '''
from typing import NamedTuple

class Left(NamedTuple):
    left: int

class Tenths(NamedTuple):
    """Walk home; each step costs a tenth."""
    steps: int = 10

    def start(self):
        return Left(self.steps)

    def actions(self, s):
        for n in range(1, min(s.left, 2) + 1):
            yield n

    def outcomes(self, s, n):
        yield 1, -0.1 * n, Left(s.left - n)

class Halves(NamedTuple):
    \"\"\"Large payoffs whose means are no whole numbers.\"\"\"
    steps: int = 3

    def start(self):
        return Left(self.steps)

    def actions(self, s):
        if s.left:
            yield 0
            yield 1

    def outcomes(self, s, n):
        yield 1, 1000000001 - 2 * n, Left(s.left - 1)
        yield 1, 1000000000, Left(s.left - 1)

class Hand(NamedTuple):
    left: int
    score: int

class Hands(NamedTuple):
    """Rock, paper, scissors, each with its own weight, three times."""
    rounds: int = 3

    def start(self):
        return Hand(self.rounds, 0)

    def actions(self, s):
        for n in range(3 if s.left else 0):
            yield n

    def other_actions(self, s):
        for n in range(3 if s.left else 0):
            yield n

    def outcomes(self, s, a, b):
        win = (0, 1, -1)[(a - b) % 3]
        yield 1, win * (a + 1), Hand(s.left - 1, s.score + win)

    def payoff(self, s):
        return 2 if s.score > 0 else 0

class Field(NamedTuple):
    left: int
    won: int
    LONG: int

class Named(NamedTuple):
    """A field and a parameter with long names."""
    LONG: int = 4

    def start(self):
        return Field(2, 0, self.LONG)

    def actions(self, s):
        if s.left:
            yield 0
            yield 1

    def outcomes(self, s, n):
        yield 1, n, Field(s.left - 1, s.won + n, s.LONG)
        yield 1, 0, Field(s.left - 1, s.won, s.LONG - 1)

class Tiny(NamedTuple):
    """LONG: small payoffs, a labelled board, and moves that are written from right to left."""
    payoffs = ("first", "second")

    def start(self):
        return Left(3)

    def actions(self, s):
        for n in range(2 if s.left else 0):
            yield n

    def outcomes(self, s, n):
        yield 1, (-1e-12 * (n + 2), -3e-9), Left(s.left - 1)
        yield 2, (-2e-12, -1e-7), Left(s.left - 1)

    def action_name(self, n):
        return "\u202e" + ("less", "more")[n]

    def show(self, s):
        return f"{s.left} left"

    def picture(self, s):
        yield {"kind": "grid", "label": "board", "cells": [[None] * 8] * 8}
        yield {"kind": "facts", "facts": [("LONG", "LONG")]}
'''
MODEL = """
dtmc
module walker
  x : [0..3] init 0;
  [] x < 3 -> 0.7 : (x' = x + 1) + 0.3 : (x' = max(x - 1, 0));
endmodule
label "goal" = x = 3;
"""
LONG = "a_name_of_a_field_that_is_longer_than_any_phone_is_wide_and_has_no_spaces"
GAMES = ("Tenths", "Halves", "Hands", "Named", "Tiny")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "page_numbers.py").write_text(RULES.replace("LONG", LONG))
    (folder / "walker.prism").write_text(MODEL)
    sheets = [Sheet(name, find(f"{folder / 'page_numbers.py'}:{name}")) for name in GAMES]
    sheets.append(Sheet("walker", model_target(str(folder / "walker.prism"), 'P=? [ F "goal" ]')))
    with serving(sheets) as made:
        yield made


@pytest.fixture
def see(server: Server, chrome: Browser) -> Iterator[Callable[[str, str], Browser]]:
    """Opens an address of the page and waits for something; at the end nothing must have gone wrong."""
    chrome.complaints.clear()

    def seen(address: str, wanted: str) -> Browser:
        chrome.open("about:blank")
        chrome.open(f"{server.url}#/{address}")
        chrome.until(f"document.querySelector('{wanted}')")
        return chrome

    yield seen
    assert chrome.complaints == []


# Ends of scales that stood still in a loop: the step is lost beside them.
ALIKE = ((-0.9999999999999999, -0.9999999999999998), (0.9999999999999999, 1.0), (1e17, 1e17 + 16), (-1e300, -1e300))
OTHERS = ((0, 0), (-1e308, 1e308), (0, 5e-324), (1e-320, 2e-320), ("NaN", 1), (0, "Infinity"), ("-Infinity", "Infinity"))


def test_no_scale_has_many_ticks(see: Callable[[str, str], Browser]) -> None:
    page = see("Tenths", ".move")
    for low, high in ALIKE + OTHERS:
        found = page.run(f"import('/chart.js').then(({{ ticks }}) => ticks({low}, {high}, 4).length)")
        assert found <= (1 if (low, high) in ALIKE else 6), (low, high)
    for low, high, ticks in ((0, 1, [0, 0.5, 1]), (-3, 12, [0, 5, 10]), (1e9, 1e9 + 4, [1e9 + k for k in range(5)]), (6, 6, [6])):
        assert page.run(f"import('/chart.js').then(({{ ticks }}) => ticks({low}, {high}, 4))") == ticks
    for low, high in (*ALIKE, (0, 0), (3, 3), (1e99, -1e99)):
        points = f"[[0, {low}], [1, {high}]], [[{low}, 0], [{high}, 1]]"
        script = f"[{points}].map((p) => lineChart(p).querySelectorAll('.tick').length)"
        count = page.run(f"import('/chart.js').then(({{ lineChart }}) => {script})")
        assert max(count) < 20, (low, high)


def test_what_differs_by_rounding_is_drawn_as_constant(see: Callable[[str, str], Browser]) -> None:
    page = see("Tenths", ".move")
    for step in range(5):
        page.press("b")
        page.until(f"document.querySelectorAll('.step').length === {step + 1} && !document.querySelector('[aria-busy]')")
    heights = page.run("[...document.querySelectorAll('.history .dot')].map((e) => Number(e.getAttribute('cy')))")
    assert len(heights) == 6 and max(heights) - min(heights) < 1e-3
    page = see("walker/map", ".map .dot")
    heights = page.run("[...document.querySelectorAll('.map .dot')].map((e) => Number(e.getAttribute('cy')))")
    assert len(heights) == 4 and max(heights) - min(heights) < 1e-3


# --- digits ----------------------------------------------------------------------------------------------------------------

NUMBERS = {
    "number(5000000002.5)": "5,000,000,002.5",
    "number(1234567.754)": "1,234,567.75",
    "number(999999.6)": "999,999.6",
    "number(61728894.5, 4)": "61,728,894.5",
    "number(-0.123456789)": "−0.123457",
    "number(123456789)": "123,456,789",
    "number(9999)": "9999",
    "number(2 ** 62)": "4.61169e+18",
    "within(5000000002.5, 2e-6)": "5,000,000,002.5",
    "within(2 / 3, 2.9e-15)": "0.66666666666667",
    "within(2 / 3, 1e-5)": "0.666667",
    "within(-1.9428903e-16, 2e-15)": "0",
    "within(-0.5, 1e-16)": "−0.5",
    "within(0.1, 0)": "0.1",
    "within(1 / 3, 0)": "0.3333333333333333",
    "within(1e6 + 1 / 3, 0)": "1,000,000.3333333334",  # as the float is
    "within(1.5e-9, 1e-25)": "1.5e−9",
    "within(3, 1e-15)": "3",
    "within(2 ** 62, 600)": "4.61168601842739e+18",
    "within(0.3, 0.5)": "0.3",
}


def test_numbers_have_the_figures_that_are_certain(see: Callable[[str, str], Browser]) -> None:
    page = see("Tenths", ".move")
    calls = ", ".join(NUMBERS)
    assert page.run(f"import('/dom.js').then(({{ number, within }}) => [{calls}])") == list(NUMBERS.values())


def test_large_values_are_not_rounded_to_whole_numbers(see: Callable[[str, str], Browser]) -> None:
    page = see("Halves/states", "tbody tr")
    cells = page.run("[...document.querySelectorAll('tbody tr')].map((r) => [...r.children].slice(0, 3).map((c) => c.innerText))")
    assert [c[:2] for c in cells] == [["0", "0"], ["1", "1,000,000,000.5"], ["2", "2,000,000,001"], ["3", "3,000,000,001.5"]]
    assert all(float(c[2].replace("−", "-")) < 1e-5 for c in cells)
    page = see("Halves", ".move")
    assert "worth 3,000,000,001.5 from here on" in page.text(".where")
    moves = "[...document.querySelectorAll('.move')].map((m) => [m.querySelector('.says').innerText, m.querySelector('.cost').innerText])"
    assert page.run(moves) == [["3,000,000,001.5", "best"], ["3,000,000,000.5", "−1"]]
    page = see("Halves/map", ".map .dot")
    assert "3: 3,000,000,001.5" in page.run("[...document.querySelectorAll('.map .dot title')].map((e) => e.textContent)")


def test_small_numbers_and_names_from_right_to_left_on_a_phone(see: Callable[[str, str], Browser], chrome: Browser) -> None:
    """An exponent was broken behind its hyphen, words ran out, a labelled board was as small as a hand, and values stood reversed."""
    begins = "((r) => (r.setStart(t, 0), r.setEnd(t, 1), r.getBoundingClientRect().x))(document.createRange())"
    ends = begins.replace("(t, 0)", "(t, t.length - 1)").replace("(t, 1)", "(t, t.length)")
    chrome.resize(360, 800)
    try:
        assert see("", ".card").run("document.documentElement.scrollWidth") <= 360
        for view, wanted in (("play", ".cells"), ("tree", ".action .says")):
            page = see(f"Tiny/{view}", wanted)
            assert page.run("document.documentElement.scrollWidth") <= 360
            assert not re.search(r"\de-\d", page.text("main")) and "e−12" in page.text(".big") and page.text(".facts dd")[0] == "−"
            if view == "play":
                assert page.run("document.querySelector('.cells').clientWidth") > 250
        assert page.run(f"[...document.querySelectorAll('.action .says')].every((e) => ((t) => {begins} < {ends})(e.firstChild))")
        below = "(s) => s.firstElementChild.getClientRects()[0].y - s.getBoundingClientRect().y"
        assert max(page.run(f"[...document.querySelectorAll('.tree summary')].map({below})")) < 12  # lines begin beside their triangles
    finally:
        chrome.resize(1280, 900)


# --- axes ------------------------------------------------------------------------------------------------------------------

INSIDE = """[...document.querySelectorAll('{}')].map((e) => {{
  const [text, chart] = [e.getBoundingClientRect(), e.closest('svg').getBoundingClientRect()];
  return [e.textContent, text.left >= chart.left - 1 && text.right <= chart.right + 1];
}})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_numbers_at_axes_are_not_cut(width: int, see: Callable[[str, str], Browser], chrome: Browser) -> None:
    chrome.resize(width, 900)
    try:
        page = see("Halves", ".move")
        for step in range(2):
            page.press("b")
            page.until(f"document.querySelectorAll('.step').length === {step + 1} && !document.querySelector('[aria-busy]')")
        labels = page.run(INSIDE.format(".history .tick"))
        assert all(is_inside for _, is_inside in labels) and len({text for text, _ in labels}) == len(labels) > 4, labels
        page = see("Halves/map", ".map .dot")
        labels = page.run(INSIDE.format(".map .tick"))
        assert all(is_inside for _, is_inside in labels) and len(labels) > 4, labels
        points = "[[0, 0.7407407], [1e9, 0.7407411]]"
        made = page.run(f"import('/chart.js').then(({{ lineChart }}) => void document.querySelector('.map').append(lineChart({points})))")
        assert made is None
        labels = page.run(INSIDE.format(".map > .chart .tick"))
        assert all(is_inside for _, is_inside in labels) and len({text for text, _ in labels}) == len(labels) > 4, labels
    finally:
        chrome.resize(1280, 900)


# --- long names ------------------------------------------------------------------------------------------------------------

VIEWS = {
    "play": ".move",
    "map": ".sliders label",
    "lengths": ".chart .bar",
    "tree": ".node",
    "states": "tbody tr",
    "tables": "tbody tr",
    "pictures": "figure img",
}
BESIDE = """[...document.querySelectorAll('.sliders label')].map((e) => {
  const [name, slider] = [e.querySelector('.name').getBoundingClientRect(), e.querySelector('input').getBoundingClientRect()];
  return [slider.width > 60, name.right <= slider.left || name.bottom <= slider.top];
})"""


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("view", VIEWS)
def test_long_names_stay_in_the_window(view: str, width: int, see: Callable[[str, str], Browser], chrome: Browser) -> None:
    chrome.resize(width, 900)
    try:
        page = see(f"Named/{view}", VIEWS[view])
        page.run("document.querySelectorAll('.form, .jump').forEach((e) => (e.open = true))")
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run("[...document.querySelectorAll('select')].every((e) => e.getBoundingClientRect().right <= innerWidth)")
        if view == "map":
            assert page.run(BESIDE) == [[True, True]]
            sides = "document.querySelectorAll('.mapping select')"
            page.run(f"{sides}.forEach((e, k) => (e.value = e.options[e.options.length - 2 + k].value))")
            page.run(f"{sides}[0].dispatchEvent(new Event('change'))")
            page.until(f"{sides}[1].value.length > 60 && document.querySelector('.map canvas').width > 200")
            assert page.run("document.documentElement.scrollWidth") <= width
    finally:
        chrome.resize(1280, 900)


# --- what 0 looks like -----------------------------------------------------------------------------------------------------


def test_a_value_that_can_not_be_told_from_0_is_0(server: Server, see: Callable[[str, str], Browser]) -> None:
    book = server.api.shelf.open("Hands")
    assert book.job.over.wait(60)
    values, errors = (np.asarray(a, float) for a in (book.solution.values, book.solution.errors))
    assert ((values != 0) & (np.abs(values) < errors)).any()  # so that there is something to see
    page = see("Hands/states", "tbody tr")
    values = page.run("[...document.querySelectorAll('tbody tr')].map((r) => r.children[2].innerText)")
    assert len(values) == 16 and {float(v) for v in values if float(v) < 0.1} == {0.0} and not any("e" in v or "−" in v for v in values)
    page = see("Hands/tables", "tbody tr")
    cells = page.text("tbody").split()
    assert "0.0000" in cells and not any(c.strip("-−") == "0.0000" != c for c in cells)
    page = see("Hands/play?~at=1,-2", ".move")
    assert "worth 0 from" in page.text(".where")
    titles = page.run("[...document.querySelectorAll('.move')].map((m) => m.title)")
    assert all(": 0 ± " in t or t.endswith(": exactly 0") for t in titles), titles
    page = see("Hands/map", ".map canvas")
    page.until("document.querySelector('.key span')")
    assert page.text(".key span").startswith("0")  # no scale with two hues, around what is 0


def test_moves_without_a_decision_come_to_an_end(see: Callable[[str, str], Browser]) -> None:
    """An opponent who moves on forever was waited for, and then the person was to move in its place, without a word."""
    page = see("Tenths", ".move")
    script = """import('/playing.js').then(({ PlayView }) => {
      let moves = 0;
      const play = { position: { actions: [] }, choice: () => null };
      const made = { play, isMine: () => false, take: async () => { moves += 1; } };
      return PlayView.prototype.letOthersMove.call(made).then(() => "", (error) => `${moves}: ${error.message}`);
    })"""
    assert page.run(script).startswith("500: 500 moves in a row without a decision of yours: this play may never end")


def test_sums_of_what_is_paid_have_no_rounding(see: Callable[[str, str], Browser]) -> None:
    page = see("Tenths", ".move")
    script = """import('/play.js').then(({ Play }) => {
      const play = new Play({ discount: 1 });
      play.at = async () => ({ over: false, value: 0 });
      play.moment = { view: 1, total: 0 };
      play.position = { over: false, value: 0 };
      const paid = (x) => play.take({}, { payoff: [x], sign: 1, state: [0] });
      return paid(0.1).then(() => paid(0.2)).then(() => paid(-0.3)).then(() => [play.moment.total, play.history]);
    })"""
    assert page.run(script) == [0, [0, 0.1, 0.30000000000000004, 0]]
