"""The page of `zermelo serve` in a real browser. Skipped where there is no Chromium; test_serve.py tests the questions behind it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest

import zermelo
from browser import MISSING, Browser, needs_chromium, serving
from zermelo.games.named import find
from zermelo.serve import positions
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet
from zermelo.views import plot

PAGE = Path(zermelo.__file__).parent / "serve" / "page"
GAMES = (
    "pig",
    "tic-tac-toe",
    "card-draw",
    "left-center-right",
    "hog-simultaneous",
    "kuhn-poker",
    "leduc-poker",
    "binary-search",
    "ten-thousand-race",
    "dodgem",
    "connect-four",
)
OWN = '''
from typing import NamedTuple

class Heap(NamedTuple):
    sticks: int

class Sticks(NamedTuple):
    """Take one, two or three; who takes the last one <wins>."""
    sticks: int = 5

    def start(self):
        return Heap(self.sticks)

    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n

    def outcomes(self, s, n):
        yield 1, 0, Heap(s.sticks - n), -1

    def payoff(self, s):
        return -1

    def picture(self, s):
        return {"kind": "coins", "label": "<i>heap</i>", "coins": s.sticks, "place": "heap"} if s.sticks != 3 else 3

    def places(self, s, n):
        return ["heap"] * n
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "page_sticks.py").write_text(OWN)
    zermelo.solve("piglet", goal=4).save(folder / "piglet.zermelo")
    words = (*GAMES, str(folder / "page_sticks.py"), str(folder / "piglet.zermelo"))
    with serving([Sheet(word, find(word)) for word in words]) as made:
        yield made


@pytest.fixture
def see(server: Server, chrome: Browser) -> Iterator[Callable[[str, str], Browser]]:
    """Opens an address of the page and waits for something; at the end nothing must have gone wrong, and nobody else been asked."""
    chrome.complaints.clear()
    chrome.requests.clear()

    def seen(address: str, wanted: str) -> Browser:
        chrome.open("about:blank")
        chrome.open(f"{server.url}{address}")
        chrome.until(wanted)
        return chrome

    yield seen
    assert [text for text in chrome.complaints if "status of 400" not in text] == []  # refusals, which are shown
    assert all(url.startswith((server.url, "about:", "data:", "blob:")) for url in chrome.requests)


MOVES = "document.querySelector('.move')"


# --- without a browser ---------------------------------------------------------------------------------------------------


def test_the_colours_are_those_of_plots() -> None:
    script = (PAGE / "palette.js").read_text()
    for name in ("BLUE", "ORANGE", "GREEN", "RED", "SKY", "GREY"):
        assert f'{name} = "{getattr(plot, name)}"' in script
    found = re.search(r"const VIRIDIS = (\[.*?\n\]);", script, re.DOTALL)
    assert found
    ours = np.array(json.loads(found[1].replace(",\n]", "\n]")))
    theirs = 255 * matplotlib.colormaps[plot.MAP](np.linspace(0, 1, len(ours)))[:, :3]
    assert np.abs(ours - theirs).max() <= 3
    assert f'const RESULTS = ["{plot.LOSS}", "{plot.EVEN}", "{plot.WIN}"]' in script


def test_the_page_asks_nobody_else_and_has_no_code_in_its_html() -> None:
    for file in PAGE.iterdir():
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text and "eval(" not in text and "innerHTML" not in text, (
            file
        )
    assert re.findall(r"<script(?![^>]* src=)|<style| on[a-z]+=| style=", (PAGE / "index.html").read_text()) == []


def test_without_chromium_one_line_says_so_and_all_pass(tmp_path: Path) -> None:
    tests = Path(__file__).parent
    asked = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_search_page.py", "-k", "browser"]
    run = subprocess.run(asked, cwd=tests, env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0 and run.stdout.count("Chromium") == 1, run.stdout + run.stderr
    assert f"{MISSING}: the tests of pages in a browser were skipped" in run.stdout


# --- in the browser ------------------------------------------------------------------------------------------------------


@needs_chromium
def test_the_list_of_games(see: Callable[[str, str], Browser]) -> None:
    page = see("", "document.querySelector('.card')")
    assert len(page.run("[...document.querySelectorAll('.card')].map(c => c.textContent)")) == len(GAMES) + 2
    page.run(
        "(i => { i.value = 'dice'; i.dispatchEvent(new Event('input')); })(document.querySelector('.start input'))"
    )
    assert "Pig" in page.text(".cards") and "Kuhn" not in page.text(".cards")
    page.click(".card")
    page.until("location.hash.startsWith('#/') && document.querySelector('.answer')")
    assert "not started for" in see("#/nothing", "document.querySelector('.notice')").text()


@needs_chromium
def test_a_game_is_played_to_its_end(see: Callable[[str, str], Browser]) -> None:
    solution = zermelo.solve("tic-tac-toe")
    page = see("#/tic-tac-toe", MOVES)
    assert "a draw for the player who moves first" in page.text(".answer") and "Proven" in page.text(".certificate")
    for step in range(9):
        assert f"{step} move" in page.text(".history") or step == 0
        page.press("b")
        page.until(f"document.querySelectorAll('.step').length === {step + 1}")
    assert "A draw." in page.text(".where") and "The first player: all 4 decisions were optimal" in page.text(".history")
    page.press("u")
    page.until("document.querySelectorAll('.step').length === 7")  # the last decision: the ninth move was the only one left
    page.press("n")
    page.until("document.querySelectorAll('.step').length === 0 && document.querySelectorAll('.move').length === 9")
    # a mistake: corner, then an edge, which loses
    page.run("document.querySelector('.move[title^=\"0:\"]').click()")
    page.until("document.querySelectorAll('.step').length === 1")
    state = solution.rules.outcomes(solution.rules.start, solution.rules.actions(solution.rules.start)[0])[0].state
    worth = {solution.rules.action_name(a): v for a, v in solution.probe(state).actions.items()}
    shown = page.run(
        "Object.fromEntries([...document.querySelectorAll('.move')].map(m => ['.name', '.says'].map(c => m.querySelector(c).textContent)))"
    )
    assert {name: text.split()[0] for name, text in shown.items()} == {
        n: {1: "win", 0: "draw", -1: "loss"}[int(v)] for n, v in worth.items()
    }
    page.run("document.querySelector('.move[title^=\"1:\"]').click()")
    page.until("document.querySelectorAll('.step').length === 2")
    assert (
        "1 mistake in 1 decision" in page.text(".history")
        and page.run("document.querySelectorAll('.dot.mistake').length") == 1
    )


PLACE = "[data-place='{}']"


@needs_chromium
def test_moves_are_made_on_the_board(see: Callable[[str, str], Browser]) -> None:
    page = see("#/tic-tac-toe", "document.querySelector('.cell.can')")
    assert page.run("document.querySelectorAll('.cell.can').length") == 9
    page.click(PLACE.format(4))
    page.until("document.querySelectorAll('.step').length === 1")
    assert page.run("[...document.querySelectorAll('.cell.can')].map(c => c.dataset.place).join()") == "0,1,2,3,5,6,7,8"
    page.run(f"document.querySelector({PLACE.format(1)!r}).focus()")
    page.press("Enter")
    page.until("document.querySelectorAll('.step').length === 2")
    assert page.run("document.querySelectorAll('.piece.one path.stroke').length") == 1  # a cross in the middle is the first player's
    assert page.run("document.querySelectorAll('.piece.two circle.stroke').length") == 1
    solution = zermelo.solve("tic-tac-toe")
    state = solution.rules.start
    for square in ("4", "1"):
        (action,) = (a for a in solution.rules.actions(state) if solution.rules.action_name(a) == square)
        state = solution.rules.outcomes(state, action)[0].state
    kinds = {solution.rules.action_name(a): {1: "win", 0: "draw", -1: "loss"}[int(v)] for a, v in solution.probe(state).actions.items()}
    for square, kind in kinds.items():
        assert page.run(f"document.querySelector({PLACE.format(square)!r}).classList.contains({kind!r})")
    page.run("document.querySelector('.settings .check input').click()")  # without values nothing is given away
    page.until("!document.querySelector('.worth')")
    assert not re.search("win|draw|loss", page.run(f"document.querySelector({PLACE.format(0)!r}).getAttribute('aria-label')"))


@needs_chromium
@pytest.mark.usefixtures("in_python")
def test_the_board_stands_still_while_sides_change(see: Callable[[str, str], Browser]) -> None:
    page = see("#/dodgem", "document.querySelector('.cell.can')")
    cars = "[...document.querySelectorAll('.cell')].map(c => c.querySelector('.one') ? '1' : c.querySelector('.two') ? '2' : '.').join('')"
    before = page.run(cars)
    assert before == "1..1...22"
    page.click(PLACE.format(0))
    page.until("document.querySelector('.cell.chosen') && !document.querySelector('.step')")
    page.press("Escape")
    page.until("!document.querySelector('.cell.chosen')")
    page.click(PLACE.format(0))
    page.until("document.querySelector('.cell.chosen')")
    page.click(PLACE.format(1))
    page.until("document.querySelectorAll('.step').length === 1")
    assert page.run(cars) == ".1.1...22"
    page.press("b")
    page.until("document.querySelectorAll('.step').length === 2")
    after = page.run(cars)
    assert after.count("1") == 2 and sum(a != b for a, b in zip(after, ".1.1...22", strict=True)) == 2  # one car of the second player
    page = see("#/connect-four?width=4&height=3", "document.querySelector('.cell.can')")
    page.click(".cell", 9)  # any square of a column
    page.until("document.querySelectorAll('.step').length === 1")
    assert "column 1" in page.text(".steps") and page.run("document.querySelectorAll('.cell')[9].querySelector('.one') !== null")


@needs_chromium
def test_fields_of_a_state_are_explained_where_it_is_entered(see: Callable[[str, str], Browser]) -> None:
    page = see("#/left-center-right", MOVES)
    page.resize(390, 600)
    page.click(".jump summary")
    assert page.text(".jump legend").split() == ["chips", "of", "each", "seat;", "the", "rest", "lies", "in", "the", "center"]
    assert page.run("[...document.querySelectorAll('.jump fieldset input')].map((e) => e.ariaLabel)") == [
        f"chips[{i}], of each seat; the rest lies in the center" for i in range(3)
    ]
    assert "the seat that rolls next" in page.text(".jump label")
    page.run("[1, 0, 2].forEach((n, k) => { document.querySelectorAll('.jump fieldset input')[k].value = n; })")
    page.click(".jump .buttons button")
    page.until("decodeURIComponent(location.hash).includes('1,0,2,0')")
    page.run("document.querySelector('.jump .items input').value = '9'")
    page.click(".jump .buttons button")
    page.until("document.querySelector('.notice.error')")
    said = page.text(".notice.error")
    assert said.startswith("no play from the start comes to chips 9 0 2, player 0: enter other numbers") and "off_play" not in said
    assert "1,0,2,0" in page.run("decodeURIComponent(location.hash)")  # play stays where it was
    place = page.run("(r => [r.top, r.bottom, innerHeight])(document.querySelector('.notice.error').getBoundingClientRect())")
    assert 0 < place[0] < place[1] < place[2]  # it is seen, though the form stands below the board
    page.resize(1280, 900)


PIG = ["score of the player to move", "score of the opponent", "points collected in this turn"]


@needs_chromium
def test_fields_are_explained_at_sliders_of_maps_and_at_tables(see: Callable[[str, str], Browser]) -> None:
    """Single numbers under their slider, those of a tuple by one heading; the axes beside their choice. Nothing is wider than the page."""
    of_seats = "of each seat; the rest lies in the center"
    page = see("#/left-center-right/map?players=4", "document.querySelector('.sliders fieldset')")
    assert page.run("document.querySelector('.sliders legend').textContent") == f"chips {of_seats}"
    named = "(e) => [e.parentElement.querySelector('.name').textContent, e.ariaLabel]"
    labels = page.run(f"[...document.querySelectorAll('.sliders input')].map({named})")
    assert len(labels) == 2 and all(label == f"{name}, {of_seats}" and name.startswith("chips[") for name, label in labels)
    assert page.run("[...document.querySelectorAll('.controls .hint')].map((e) => e.textContent)") == [of_seats] * 2
    page.run("(s => { s.value = 5; s.dispatchEvent(new Event('input')); })(document.querySelector('.sliders input'))")
    page.until(f"document.querySelector('.readout').textContent.includes('With {labels[0][0]} 5')")
    for width in (1100, 390):
        page.resize(width, 844)
        page = see("#/pig/map?goal=20", "document.querySelector('.sliders input[type=range]')")
        assert page.text(".sliders label").split("\n")[-1] in PIG and page.run("document.querySelector('.sliders fieldset') === null")
        page.run("document.querySelector('.tabs a[href*=\"/tables\"]').click()")
        page.until("document.querySelector('.tables tbody tr')")
        page.run("(s => { s.value = 'actions'; s.dispatchEvent(new Event('change')); })(document.querySelector('.tables select'))")
        page.until("document.querySelectorAll('.tables .sliders input').length === 3 && document.querySelector('.tables tbody tr')")
        assert page.run("[...document.querySelectorAll('.tables .sliders input')].map((e) => e.ariaLabel.split(', ')[1])") == PIG
        assert page.run("document.documentElement.scrollWidth") <= width
        measured = "(e) => [e.getBoundingClientRect().right, e.scrollWidth - e.clientWidth]"
        hints = page.run(f"[...document.querySelectorAll('.tables .sliders label')].map({measured})")
        assert all(right <= width and over <= 0 for right, over in hints)
    page.resize(1280, 900)


@needs_chromium
def test_dice_and_coins_can_be_clicked(see: Callable[[str, str], Browser]) -> None:
    page = see("#/pig?goal=20", "document.querySelector('.place')")
    assert page.run("document.querySelectorAll('.place').length") == 1  # nothing to hold yet
    page.click("button.place")
    page.until("document.querySelectorAll('.step').length === 1")
    assert "roll" in page.text(".steps") and page.run("document.querySelectorAll('.lane').length") == 2


@needs_chromium
def test_parameters_progress_and_errors(see: Callable[[str, str], Browser]) -> None:
    page = see("#/pig?goal=5", MOVES)
    first = page.text(".big")
    page.click(".form summary")
    page.run("document.querySelector('form.parameters input').value = '7'")
    page.click("form.parameters button.primary")
    page.until(
        f"location.hash.includes('goal=7') && document.querySelector('.big') && document.querySelector('.big').innerText !== {first!r}"
    )
    win = zermelo.solve("pig", goal=7).win_probability()
    assert win and float(page.text(".big").rstrip(" %")) == pytest.approx(100 * float(win.value), abs=1e-10)
    text = see("#/pig?goal=0", "document.querySelector('.notice.error')").text(".notice.error")
    assert text == "goal must be from 1 to 1000, not 0"
    page = see("#/ten-thousand-race?goal=200", "document.querySelector('.solving button')")
    page.click(".solving button")
    page.until("document.querySelector('.notice')?.textContent === 'Cancelled.'", patience=240)  # the compiler can't be interrupted


LATE = """(() => {  // the answer to a move comes when another address was asked for
  const ask = window.fetch, form = document.querySelector('form.parameters');
  let release;
  window.fetch = (path, ...more) => path.endsWith('/outcomes') ? new Promise((done) => { release = done; }) : ask(path, ...more);
  document.querySelector('.playing [aria-keyshortcuts=b]').click();
  form.querySelector('input').value = '7';
  HOW;
  release({ ok: true, json: async () => ({ error: 'late' }) });
})()"""


@needs_chromium
@pytest.mark.parametrize("how", ["form.requestSubmit()", "location.hash = '#/pig?goal=7'"], ids=["form", "typed"])
def test_what_is_answered_late_changes_no_address(see: Callable[[str, str], Browser], how: str) -> None:
    """The view that was left wrote its own address over the new one, which was never shown. Addresses lead back and forward, too."""
    page = see("#/pig?goal=5", MOVES)
    first = page.text(".big")
    page.run(LATE.replace("HOW", how))
    page.until(f"![undefined, {first!r}].includes(document.querySelector('.big')?.innerText) && {MOVES}")
    assert "goal=7" in page.run("location.hash") and page.text(".shown") == "goal 7"
    page.run("history.back()")
    page.until(f"document.querySelector('.big')?.innerText === {first!r} && {MOVES}")
    page.run("history.forward()")
    page.until(f"document.querySelector('.shown')?.innerText === 'goal 7' && {MOVES}")


OPTIONAL = """
from typing import NamedTuple
class S(NamedTuple):
    left: int
class Capped(NamedTuple):
    cap: int | None = 3
    def start(self):
        return S(1)
    def outcomes(self, s):
        if s.left:
            yield 1, 9 if self.cap is None else self.cap, S(0)
"""


@needs_chromium
def test_none_can_be_typed_for_a_parameter_that_may_be_none(tmp_path: Path) -> None:
    """Its field took numbers only, and an empty one stands for the default."""
    (tmp_path / "own.py").write_text(OPTIONAL)
    word = f"{tmp_path / 'own.py'}:Capped"
    with serving([Sheet(word, find(word))]) as server, Browser() as page:
        page.open(server.url)
        page.until("document.querySelector('.pill')")
        assert (page.text(".shown"), page.text(".big")) == ("cap 3", "3")
        page.click(".form summary")
        assert page.text("form.parameters .hint") == "or none"
        page.run("void (document.querySelector('form.parameters input').value = 'none')")
        page.click("form.parameters .primary")
        page.until("document.querySelector('.shown').innerText === 'cap none' && document.querySelector('.big')?.innerText === '9'")


@needs_chromium
@pytest.mark.parametrize("goal", ["", "9"])
def test_a_parameter_that_is_emptied_has_its_default(goal: str, see: Callable[[str, str], Browser]) -> None:
    page = see(f"#/pig?goal={goal}", MOVES)
    default = "goal 100"
    assert page.text(".shown") == (f"goal {goal}" if goal else default)
    page.click(".form summary")
    page.run("void (document.querySelector('form.parameters input').value = '')")
    page.click("form.parameters .primary")
    page.until(f"document.querySelector('.shown').innerText === '{default}' && {MOVES}")
    assert page.run("document.querySelector('form.parameters input').value") == default.removeprefix("goal ")
    assert "goal" not in page.run("location.hash")


@needs_chromium
def test_against_an_opponent_and_chance_that_is_chosen(see: Callable[[str, str], Browser]) -> None:
    page = see("#/pig?goal=20", MOVES)
    page.run(
        "(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.querySelector('.settings select'))"
    )  # the second player
    page.until("/You, the second|over/.test(document.querySelector('.where h2').textContent)")
    assert page.run("[...document.querySelectorAll('.who')].every(w => w.textContent === '1')")
    page.run(
        "(s => { s.value = 'both'; s.dispatchEvent(new Event('change')); })(document.querySelector('.settings select'))"
    )
    page.press("n")
    page.until("!document.querySelector('.step') && document.querySelector('.move')")
    page.run("document.querySelectorAll('.settings select')[1].value = 'chosen'")
    page.press("1")
    page.until("document.querySelectorAll('.outcome').length === 6")
    page.click(".outcome", 5)
    page.until("document.querySelectorAll('.step').length === 1")
    assert "0 + 6 of 20" in page.text(".board")


@needs_chromium
def test_maps_say_what_the_numbers_of_a_state_mean(see: Callable[[str, str], Browser]) -> None:
    """What other fields are was a bare number, as a reading of the robot's sensors."""
    page = see("#/left-center-right/map?chips=1", "document.querySelector('.map:not([hidden])')")
    assert re.search(r"With chips\[0\] \d, a state is, for example: seat 1: \d, ", page.text(".mapping .readout"))


@needs_chromium
def test_maps_can_be_read_and_lead_to_states(see: Callable[[str, str], Browser]) -> None:
    solution = zermelo.solve("card-draw", red=6, black=6)
    page = see("#/card-draw/map?red=6&black=6", "document.querySelector('.map:not([hidden])')")
    page.run("document.querySelector('.mapping canvas').focus()")
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.press(key)
    text = page.text(".mapping .readout")
    found = re.fullmatch(r"red (\d), black (\d): \$([\d.]+), (\w+)\. .*left", text)
    assert found, text
    probe = solution.probe(solution.state(int(found[1]), int(found[2])))
    assert float(found[3]) == pytest.approx(float(probe.value), abs=1e-5) and found[4] == solution.rules.action_name(
        probe.action
    )
    page.press("Enter")
    page.until(f"location.hash.includes('~at={found[1]},{found[2]}') && document.querySelector('.move')")
    assert f"{float(probe.value):.4g}"[:5] in page.text(".where")


@needs_chromium
def test_pictures_say_what_is_pointed_at(see: Callable[[str, str], Browser]) -> None:
    solution = zermelo.solve("card-draw", red=5, black=5)
    page = see("#/card-draw/pictures?red=5&black=5", "document.querySelector('figure img')")
    page.run("(s => { s.value = 'lengths'; s.dispatchEvent(new Event('change')); })(document.querySelector('.figures select'))")
    page.until("document.querySelector('.figures a.button')?.download === 'lengths.svg'")
    page.run("document.querySelector('.sheet').focus()")
    spread = solution.distribution()
    for _ in range(3):
        page.press("ArrowRight")
        found = re.fullmatch(r"moves (\d+), % of all plays ([\d.]+)", page.text(".figures .readout"))
        assert found and float(found[2]) == pytest.approx(100 * float(spread.probability(int(found[1]))), rel=1e-5)
    at = page.run("(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.pointed').getBoundingClientRect())")
    page.ask("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=400)
    page.ask("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])
    assert page.text(".figures .readout") == found[0]  # the pointer finds the bar where the keys have marked it
    width = page.run("document.querySelector('.sheet').clientWidth")
    page.click("figcaption button", 1)
    assert page.run("document.querySelector('.sheet').clientWidth") == pytest.approx(1.5 * width, abs=2)


@needs_chromium
@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("card-draw/lengths?red=5&black=5", ".spread .chart .bar"),
        ("card-draw/tree?red=5&black=5", ".tree details[open] .node"),
        ("card-draw/states?red=5&black=5", ".states tbody tr:nth-child(20)"),
        ("card-draw/tables?red=5&black=5", ".tables tbody tr"),
        ("card-draw/pictures?red=5&black=5", "figure img"),
        ("left-center-right/play?players=3", ".table .seat.turn .coin"),
        ("hog-simultaneous/play?goal=8&most_dice=2", ".list + h2 + .list .move"),
        ("kuhn-poker/states", ".states tbody tr"),
        ("leduc-poker/tables", ".tables tbody tr"),
        ("binary-search/states?n=4", ".states tbody tr"),
        ("binary-search/pictures?n=4", "figure img"),
        ("ten-thousand-race/play?goal=3", ".move"),
    ],
)
def test_every_view_shows_something_and_fits_a_phone(
    address: str, wanted: str, see: Callable[[str, str], Browser], chrome: Browser
) -> None:
    page = see(f"#/{address}", f"document.querySelector('{wanted}')")
    assert page.run("document.querySelectorAll('.notice.error').length") == 0
    chrome.resize(390, 844)
    try:
        assert page.run("document.documentElement.scrollWidth") <= 390
    finally:
        chrome.resize(1280, 900)


@needs_chromium
def test_a_game_of_ones_own_on_a_phone_in_the_dark(
    server: Server, see: Callable[[str, str], Browser], chrome: Browser
) -> None:
    word = next(w for w in server.api.shelf.sheets if w.endswith("page_sticks.py"))
    chrome.resize(390, 844)
    chrome.colours(dark=True)
    try:
        page = see("#/" + word.replace("/", "%2F"), MOVES)
        assert "who takes the last one <wins>." in page.text(".about")
        assert page.run("document.documentElement.scrollWidth") <= 390
        paper = page.run("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, re.findall(r"\d+", paper)[:3])) < 60
        assert page.text(".picture .label") == "<i>heap</i>" and page.text(".picture .amount") == "5"
        page.run("document.querySelector('.move[title^=\"2:\"]').click()")
        page.until("document.querySelectorAll('.step').length === 1")
        assert "picture must return a dict" in page.text(".board .notice") and page.text(".board .notice code") == "picture"
        assert "Heap(sticks=3)" in page.text(".board .line")
        assert page.run("document.documentElement.scrollWidth") <= 390
    finally:
        chrome.resize(1280, 900)
        chrome.colours(dark=False)


@needs_chromium
def test_a_saved_solution(server: Server, see: Callable[[str, str], Browser]) -> None:
    word = next(w for w in server.api.shelf.sheets if w.endswith("piglet.zermelo"))
    page = see("#/" + word.replace("/", "%2F"), MOVES)
    assert "piglet.zermelo" in page.text("h1") and page.run("document.querySelector('.form').hidden")


@needs_chromium
def test_a_weaker_opponent_where_both_choose_at_once(see: Callable[[str, str], Browser]) -> None:
    """It draws from its mixture, or errs as often as is asked, by no more than is asked."""
    page = see("#/pig?goal=3", MOVES)  # any page has the script
    solution = zermelo.solve("hog-simultaneous", goal=8, most_dice=3)
    position = positions.position(solution, solution.rules.start)
    for actions in (position["actions"], position["other actions"]):
        losses = sorted(a["loss"] for a in actions)
        most = losses[len(losses) // 2]
        script = """(async () => { const { Play } = await import('/play.js'), play = new Play({});
          play.position = { 'other actions': true };
          const drawn = (weak) => { const found = {};
            for (let k = 0; k < 4000; k++) { const { name } = play.choice(actions, weak); found[name] = (found[name] ?? 0) + 1 / 4000; }
            return found; };
          return [drawn({}), drawn({ errs: 1, most }), drawn({ errs: 0.25, most: 9 })]; })()"""
        given = f"const actions = {json.dumps(actions)}, most = {most};"
        mixed, worse, now_and_then = page.run(script.replace("{ const", "{ " + given + " const", 1))
        shares = {a["name"]: a["probability"] for a in actions}
        errors = {a["name"]: a["loss"] for a in actions if a["loss"] > 1e-9}
        assert all(abs(mixed.get(name, 0) - p) < 0.04 for name, p in shares.items())
        assert set(worse) == {name for name, loss in errors.items() if loss <= most + 1e-9} and worse
        assert abs(sum(now_and_then.get(name, 0) for name in errors if not shares[name]) - 0.25) < 0.04


@needs_chromium
def test_maps_have_the_colours_of_pictures(see: Callable[[str, str], Browser]) -> None:
    """Chances are coloured around 50 %, from 0 to 100; the action that goes on is the pale one; squares of a board are no axes."""
    page = see("#/pig/map?goal=20", "document.querySelector('.map:not([hidden]) .ramp')")
    assert page.text(".map .key").split("\n")[0] == "0 %" and "100 %" in page.text(".map .key")
    page = see("#/card-draw/map?red=6&black=6", "document.querySelector('.map:not([hidden]) .ramp')")
    page.click(".toggle button", 1)
    assert page.text(".map .key").split() == ["draw", "stop"]
    assert page.run("document.querySelector('.swatch i').style.background") == "rgb(220, 233, 244)"
    see("#/tic-tac-toe/map", MOVES)
    assert "Map" not in page.text(".tabs") and page.run("document.querySelector('.tabs [aria-current]').textContent") == "Play"


@needs_chromium
def test_pictures_and_trees_can_be_read_on_a_phone(see: Callable[[str, str], Browser], chrome: Browser) -> None:
    """Wide pictures were as narrow as the phone, with letters of 3 pixels, and a tree's triangles stood alone in their lines."""
    chrome.resize(390, 844)
    try:
        page = see("#/kuhn-poker/pictures", "document.querySelector('.sheet')?.clientWidth > 600")
        assert page.run("document.documentElement.scrollWidth") <= 390 and page.run("document.querySelector('.window').scrollLeft") == 0
        assert page.text(".readout").startswith("The picture goes on to the right")
        page.click(".picture-view button", 0)
        assert page.run("document.querySelector('.sheet').clientWidth") < 600 + 300
        page = see("#/pig/tree?goal=20", "document.querySelector('.tree .where')")
        below = "(s) => s.firstElementChild.getClientRects()[0].y - s.getBoundingClientRect().y"
        lines = page.run(f"[...document.querySelectorAll('.tree summary')].map({below})")
        assert max(lines) < 12
    finally:
        chrome.resize(1280, 900)


@needs_chromium
def test_what_is_paid_has_its_unit(see: Callable[[str, str], Browser]) -> None:
    page = see("#/card-draw/tree?red=3&black=3", "document.querySelector('.tree .paid')")
    assert page.run("[...document.querySelectorAll('.tree .paid')].map((e) => e.textContent + e.className)") == ["+$1paid", "−$1paid lost"]
    page = see("#/kuhn-poker/states", "document.querySelector('.states thead')")
    assert "value, chips" in page.text(".states thead")
    page = see("#/kuhn-poker", MOVES)
    assert "by at most  chips" in page.text(".settings").replace("\n", " ")
    page = see("#/tic-tac-toe", MOVES)
    page.click('.move[title^="0:"]')
    page.until("document.querySelectorAll('.step').length === 1")
    assert page.text(".move.loss .cost") == "gives up a draw"


@needs_chromium
def test_maps_of_many_cells(see: Callable[[str, str], Browser]) -> None:
    """The largest map that the server sends, 512 x 512 cells: more than a function can have arguments."""
    page = see("#/card-draw/map?red=511&black=511", "document.querySelector('.mapping canvas')?.width > 300")
    page.until("document.querySelector('.map .key').textContent.includes('value')")
    assert page.text(".map .key").startswith("$0")  # of one sign: from the least value to the greatest


@needs_chromium
def test_games_of_the_same_name_can_be_told_apart(tmp_path: Path, chrome: Browser) -> None:
    files = [tmp_path / "page_sticks_one.py", tmp_path / "page_sticks_two.py"]
    for file in files:
        file.write_text(OWN)
    with serving([Sheet(word, find(word)) for word in (*map(str, files), "pig")]) as made:
        chrome.open("about:blank")
        chrome.open(made.url)
        chrome.until("document.querySelector('.card')")
        names = chrome.run("[...document.querySelectorAll('.card strong')].map((e) => e.innerText)")
        assert names == [*(f"Sticks ({file})" for file in files), "Pig"]
        assert chrome.run("[...document.querySelectorAll('header option')].map((e) => e.text)") == ["All games", *names]


LONG = '''
from typing import NamedTuple

class Store(NamedTuple):
    units_that_are_still_in_the_warehouse_by_the_river: int
    k: int

class Merchant(NamedTuple):
    """Everything about it is long."""
    payoff_unit = "gold sovereigns"
    k: int = 1

    def start(self):
        return Store(5, self.k)

    def actions(self, s):
        if s.k > 0:
            yield 0
            yield 1

    def outcomes(self, s, a):
        yield 1, a * 123456789, Store(5 + a, s.k - 1)
        yield 2, -98765432.5 * a - 6e16 * (self.k - 1), Store(5 - a, s.k - 1)

    def action_name(self, a):
        return "wait for the wind to turn and the fleet to come home" if a == 0 else "sell"
'''
BESIDE = """[...document.querySelectorAll('.move')].map((row) => { const [name, says, cost] = ['name', 'says', 'cost'].map((c) => {
  const range = document.createRange(); range.selectNodeContents(row.querySelector('.' + c)); return range.getBoundingClientRect(); });
  const of = row.getBoundingClientRect();
  return (name.width > 100 || name.height < 40) && says.right < cost.left && cost.right < of.right; })"""


@needs_chromium
@pytest.mark.usefixtures("in_python")
def test_long_names_units_and_numbers_have_room(tmp_path: Path, chrome: Browser) -> None:
    """Values ran into their costs where the unit was long, one long name hid all other columns on a phone, and an exponent was broken."""
    file = tmp_path / "page_long.py"
    file.write_text(LONG)
    with serving([Sheet(str(file), find(str(file)))]) as made:
        address = f"{made.url}#/{str(file).replace('/', '%2F')}"
        chrome.open("about:blank")
        chrome.open(f"{address}/play")
        chrome.until("document.querySelectorAll('.move').length === 2")
        assert chrome.run(BESIDE) == [True, True]
        chrome.resize(360, 800)
        try:
            chrome.open("about:blank")
            chrome.open(f"{address}/states")
            chrome.until("document.querySelectorAll('.states tbody tr').length === 4")
            assert chrome.run("document.querySelectorAll('.states thead th')[2].getBoundingClientRect().right") < 360  # the value
            chrome.open("about:blank")
            chrome.open(f"{address}/play?k=2")
            chrome.until("document.querySelector('.big')?.textContent.includes('e+')")
            assert chrome.run("document.querySelector('.big .whole').getClientRects().length") == 1
            assert chrome.text(".big .whole") in ("e+16", "e+17")
            chrome.open("about:blank")
            chrome.open(f"{address}/map?k=0")
            assert "the same numbers" in str(chrome.until("document.querySelector('.mapping .notice')?.textContent"))
        finally:
            chrome.resize(1280, 900)
