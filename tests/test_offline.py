"""`zermelo page`: one file that shows and plays a solved game, and asks nobody."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zermelo
from browser import Browser, needs_chromium
from zermelo.basics.progress import silent
from zermelo.cli import main
from zermelo.games.named import find
from zermelo.serve import offline, offline_plays, positions
from zermelo.serve.shelf import Sheet

OWN = '''
from typing import NamedTuple

class S(NamedTuple):
    at: int

class Walk(NamedTuple):
    """Walk </script><b>far</b>."""
    length: int = 4
    def start(self):
        return S(0)
    def actions(self, s):
        if s.at < self.length:
            yield 1
            yield 2
    def outcomes(self, s, a):
        yield 1, a, S(min(s.at + a, self.length))
        yield 1, 0, S(s.at + 1)
'''


def written(word: str, **parameters: Any) -> str:
    solution = zermelo.solve(word, **parameters)
    return offline.page_of(solution, Sheet(word, find(word), parameters), silent).content.decode()


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take most of the time, where nothing is asked of them."""
    monkeypatch.setattr(offline, "_figure", lambda *_: {"svg": "<svg/>"})


def held(text: str) -> dict[str, Any]:
    (packed,) = re.findall(r'id="solved">([^<]*)<', text)
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return found


def test_the_file_stands_alone() -> None:
    solution, sheet = zermelo.solve("dodgem", size=2), Sheet("dodgem", find("dodgem"), {"size": 2})
    made = offline.page_of(solution, sheet, silent).content
    text = made.decode()
    assert made.startswith(offline.BEGINS) and made == offline.page_of(solution, sheet, silent).content
    scripts = text.partition('<script type="module">')[2].partition("</script>")[0]
    assert scripts.count("(() => {") > 12 and not re.search(r"^(import|export) ", scripts, re.MULTILINE)
    assert "fetch(" not in scripts and "eval(" not in scripts and "innerHTML" not in scripts
    assert 'src="main.js"' not in text and 'href="style.css"' not in text and "default-src 'none'" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


@pytest.mark.parametrize(
    ("word", "parameters"),
    [("pig", {"goal": 6}), ("dodgem", {"size": 2}), ("hog-simultaneous", {"goal": 4, "most_dice": 2}), ("left-center-right", {"chips": 1})],
)
@pytest.mark.usefixtures("no_pictures")
def test_it_holds_what_the_server_would_say(word: str, parameters: dict[str, Any]) -> None:
    solution, data = zermelo.solve(word, **parameters), held(written(word, **parameters))
    by_state = {tuple(p["state"]): p for p in data["positions"]}
    assert len(by_state) == len(data["positions"]) and data["start"] == data["positions"][0]["state"]
    for kept in data["positions"][:40]:
        state = positions.state_at(solution, kept["state"])
        said = json.loads(json.dumps(positions.position(solution, state)))
        assert {**said, "asks": []} == {n: v for n, v in kept.items() if n != "leads"}
        for key, led in kept["leads"].items():
            own, _, other = key.partition(",")
            told = positions.outcomes(solution, state, int(own), int(other) if other else None)
            assert led["action"] == told["action"]
            ours = [(data["positions"][n]["state"], p, odds, payoff, sign) for n, p, odds, payoff, sign in led["outcomes"]]
            assert ours == [(o["state"], o["probability"], o["odds"], o["payoff"], o["sign"]) for o in told["outcomes"]]
    assert data["views"]["distribution"] and data["about"]["value"] == float(solution.value)


def test_strategies_have_a_page_too() -> None:
    data = held(written("binary-search", n=4))
    assert data["positions"] == [] and data["views"]["table"] and data["views"]["figure"] and data["about"]["kind"] == "strategies"
    assert data["search"]["numbers"] == 4 and data["about"]["searched"] and not data["about"]["dealt"]
    data = held(written("kuhn-poker"))
    assert data["about"]["kind"] == "hidden" and data["about"]["dealt"] and len(data["deal"]["states"]) == 55


@pytest.mark.usefixtures("no_pictures")
def test_hidden_games_that_are_too_large_have_a_page_that_says_why_it_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "MOST_PLAYED", 50)
    data = held(written("kuhn-poker"))
    assert "deal" not in data and not data["about"]["dealt"] and "only games of up to 50 states can be played" in data["about"]["note"]
    assert data["views"]["table"]


def test_what_takes_long_or_is_large_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "search.html"
    monkeypatch.setattr(offline, "MOST_ROWS", 4)
    assert main(["page", "binary-search", "--n", "5", "-o", str(file)]) == 0
    told, data = capsys.readouterr().out, held(file.read_text())
    assert data["about"]["note"] in told and "left out for their size: the table numbers" in told
    assert "numbers" not in data["views"]["table"]
    assert main(["page", "binary-search", "--n", "5", "--patience", "0", "-o", str(file)]) == 0
    told, data = capsys.readouterr().out, held(file.read_text())
    assert "left out for taking more than 0 s: the table numbers" in told and not data["views"]["table"]
    assert main(["page", "binary-search", "--n", "5", "--patience", "-1", "-o", str(file)]) == 2
    assert capsys.readouterr().err == "zermelo: --patience must be 0 or more seconds, not -1\n"


@pytest.mark.usefixtures("no_pictures")
def test_each_view_is_told_before_it_begins() -> None:
    told: list[tuple[str, int, int | None]] = []
    sheet = Sheet("binary-search", find("binary-search"), {"n": 5})
    offline.page_of(zermelo.solve("binary-search", n=5), sheet, lambda *what: told.append(what))
    views = [what for what, _, _ in told if what.startswith(("the table", "the figure"))]
    assert "the table numbers, 20 s at most" in views
    for word in ("table", "figure"):
        of_kind = [(done, total) for what, done, total in told if what.startswith(f"the {word}") and what.endswith(" s at most")]
        assert [done for done, _ in of_kind] == list(range(len(of_kind))) and {total for _, total in of_kind} == {len(of_kind)}


def test_ends_of_large_games_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = zermelo.solve("kuhn-poker")
    ends = {}
    for most in (0, 20_000):
        monkeypatch.setattr(offline_plays, "MOST_DRAWN", most)
        deals = offline_plays.held_deals(solution, 20_000, silent)
        assert deals is not None
        ends[most] = [state for state in deals["states"] if "pays" in state]
    assert all("picture" in drawn for drawn in ends[20_000])
    assert ends[0] == [{"text": drawn["text"], "pays": drawn["pays"]} for drawn in ends[20_000]]


@pytest.mark.usefixtures("no_pictures")
def test_what_is_too_large_is_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(offline, "MOST_STATES", 50)
    assert main(["page", "pig", "--goal", "8", "-o", str(tmp_path / "pig.html")]) == 2
    said = capsys.readouterr().err
    assert "holds more than 50 states, and 50 is the most: give the game smaller parameters" in said and said.count("\n") == 1
    monkeypatch.setattr(offline, "MOST_MEGABYTES", 0.01)
    assert main(["page", "piglet", "--goal", "2", "-o", str(tmp_path / "pig.html")]) == 2
    assert "MB, and 0.01 is the most" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_pictures")
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "secret folder" / "walk.py"
    path.parent.mkdir()
    path.write_text(OWN)
    page = tmp_path / "walk.html"
    assert main(["page", f"{path}:Walk", "--length", "3", "-o", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(page), "bytes": page.stat().st_size}
    data = held(page.read_text())
    assert "secret folder" not in json.dumps(data) and data["sheet"]["about"] == "Walk </script><b>far</b>."
    assert page.read_text().count("</script>") == 2
    assert main(["page", f"{path}:Walk", "-o", str(page)]) == 0  # an older page is replaced
    assert "a browser opens it" in capsys.readouterr().out
    other = tmp_path / "other.html"
    other.write_text("<!doctype html>\nmine")
    for name, text in (("other.html", "something else"), ("walk.txt", "a name in .html"), ("none/x.html", "no directory")):
        assert main(["page", "pig", "--goal", "3", "-o", str(tmp_path / name)]) == 2
        said = capsys.readouterr().err
        assert text in said and said.count("\n") == 1
    assert other.read_text() == "<!doctype html>\nmine"


@pytest.mark.usefixtures("no_pictures")
def test_a_saved_solution_has_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zermelo.solve("piglet", goal=3).save(tmp_path / "p.zermelo")
    assert main(["page", str(tmp_path / "p.zermelo"), "-o", str(tmp_path / "p.html")]) == 0
    assert "p.zermelo" in capsys.readouterr().out or held((tmp_path / "p.html").read_text())["positions"]


# --- in the browser ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(chrome: Browser) -> Iterator[Browser]:
    """The browser of all tests here, with an empty page, in which nothing has happened."""
    chrome.open("about:blank")
    chrome.complaints.clear()
    chrome.requests.clear()
    yield chrome
    chrome.resize(1280, 900)


FEW = OWN.replace("yield 1, a,", "yield 1, a / 3,")


@pytest.mark.usefixtures("no_pictures")
def test_why_there_is_no_distribution_is_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "few.py").write_text(FEW)
    spreads = held(written(str(tmp_path / "few.py")))["views"]["distribution"]
    assert spreads[""]["bars"] and "distributions are of payoffs that are whole numbers" in spreads["payoff"]["error"]


@needs_chromium
@pytest.mark.usefixtures("no_pictures")
def test_the_page_says_why_there_is_no_distribution(tmp_path: Path, page: Browser) -> None:
    (tmp_path / "few.py").write_text(FEW)
    assert main(["page", str(tmp_path / "few.py"), "-o", str(tmp_path / "few.html")]) == 0
    page.open((tmp_path / "few.html").as_uri() + "#/game/lengths")
    page.until("document.querySelector('.spread .chart')")
    page.run("(s => { s.value = 1; s.dispatchEvent(new Event('change')); })(document.querySelector('.spread select'))")
    page.until("document.querySelector('.spread .notice')")
    assert "distributions are of payoffs that are whole numbers" in page.text(".spread .notice")
    page.run("(s => { s.value = 0; s.dispatchEvent(new Event('change')); })(document.querySelector('.spread select'))")
    page.until("document.querySelector('.spread .chart') && !document.querySelector('.spread .notice')")


@needs_chromium
@pytest.mark.usefixtures("no_pictures")
def test_the_page_says_what_was_solved(tmp_path: Path, page: Browser) -> None:
    """A page that was sent told no parameters but in the details, and the discount nowhere."""
    (tmp_path / "own.py").write_text(OWN)
    for words, said in (
        (["pig", "--goal", "4"], "First to 4 points"),
        ([str(tmp_path / "own.py"), "--length", "3", "--discount", "0.5"], "Length 3, discount 0.5"),
    ):
        assert main(["page", *words, "-o", str(tmp_path / "one.html")]) == 0
        page.open((tmp_path / "one.html").as_uri())
        page.until("document.querySelector('.pill')")
        assert page.text(".solved") == said


NAMED = """int = 2
    payoff_unit = ("kilometres", 1000)
    def action_name(self, a):
        return "a walk of " + "many " * a + "steps\"
"""
WIDE = OWN.replace("int = 4", NAMED)


@needs_chromium
@pytest.mark.usefixtures("no_pictures")
def test_names_of_moves_have_room_on_a_phone_and_bounds_are_in_the_unit(tmp_path: Path, page: Browser) -> None:
    (tmp_path / "wide.py").write_text(WIDE)
    assert main(["page", str(tmp_path / "wide.py"), "-o", str(tmp_path / "wide.html")]) == 0
    page.resize(390, 844)
    page.open((tmp_path / "wide.html").as_uri())
    page.until("document.querySelectorAll('.move').length === 2")
    widths = page.run("[...document.querySelectorAll('.move .name')].map((e) => e.offsetWidth)")
    assert page.text(".move .cost") and min(widths) > 90
    assert re.fullmatch(r"Certified ± \d\.\de−1[89]", page.text(".pill")), page.text(".pill")
    assert page.run("document.querySelector('.move').title").endswith(", in 1/1000 kilometres")


@needs_chromium
@pytest.mark.usefixtures("no_pictures")
def test_a_file_is_played_where_the_browser_lets_it_have_no_address(tmp_path: Path, page: Browser) -> None:
    """In frames of notebooks and previews the page was blank: it began by going to an address within itself, which is refused there."""
    (tmp_path / "empty.html").write_text("<!doctype html>")
    page.open((tmp_path / "empty.html").as_uri())
    text = json.dumps(written("dodgem", size=2)).replace("</", "<\\/")
    page.run(f"void (location = URL.createObjectURL(new Blob([{text}], {{ type: 'text/html' }})))")
    page.until("location.protocol === 'blob:' && document.querySelector('.move')")
    assert page.complaints == []
    for tab in ("tree", "play", "tree"):
        page.click(f".tabs a[href*='/{tab}']")
        page.until(f"document.querySelector('.tabs [aria-current]').href.includes('/{tab}')")


@needs_chromium
@pytest.mark.usefixtures("no_pictures")
def test_a_file_is_played_without_a_server(tmp_path: Path, page: Browser) -> None:
    (tmp_path / "walk.py").write_text(OWN)
    for name, words in (
        ("dodgem", ["dodgem"]),
        ("pig", ["pig", "--goal", "10"]),
        ("kuhn", ["kuhn-poker"]),
        ("search", ["binary-search", "--n", "13"]),
        ("walk", [f"{tmp_path / 'walk.py'}:Walk"]),
    ):
        assert main(["page", *words, "-o", str(tmp_path / f"{name}.html")]) == 0
    solution = zermelo.solve("dodgem")
    page.open((tmp_path / "dodgem.html").as_uri())
    page.until("document.querySelector('.cell.can')")
    assert "a win for the player who moves first, in 20 moves" in page.text(".answer") and page.text("h1") == "Dodgem"
    page.click("[data-place='3']")
    page.click("[data-place='4']")
    page.until("document.querySelectorAll('.step').length === 1")
    for step in range(1, 40):
        if "over" in page.text(".where"):
            break
        page.press("b")
        page.until(f"document.querySelectorAll('.step').length === {step + 1}")
    assert "player wins." in page.text(".where")
    rules = solution.rules
    opening = next(a for a in rules.actions(rules.start) if rules.places(rules.start, a) == ["3", "4"])
    assert step == solution.moves_after(rules.start, opening)
    seen = (("lengths", ".spread .chart"), ("tree", ".tree .node"), ("tables", ".tables tbody tr"))
    for tab, wanted in seen:
        page.run(f"[...document.querySelectorAll('.tabs a')].find(a => a.href.includes('/{tab}')).click()")
        page.until(f"document.querySelector('{wanted}')")
        assert page.run("document.querySelectorAll('.notice.error').length") == 0
    page.open((tmp_path / "pig.html").as_uri())
    page.until("document.querySelector('button.place')")
    page.click("button.place")
    page.until("document.querySelectorAll('.step').length === 1")
    page.run("document.querySelector('.jump').open = true")
    page.run("document.querySelectorAll('.slots input')[0].value = '-1'")
    page.click(".slots button")
    page.until("document.querySelector('.notice.error')")
    assert page.text(".notice.error") == "no play from the start comes to mine -1, theirs 0, turn 0: enter other numbers"
    page.run("[...document.querySelectorAll('.tabs a')].find(a => a.href.includes('/map')).click()")
    page.until("document.querySelector('.map:not([hidden]) canvas')")
    for numbers in ("1", "1,x,2", "1,2,0.5"):
        page.open("about:blank")
        page.open(f"{(tmp_path / 'pig.html').as_uri()}#/game/play?~at={numbers}")
        page.until("document.querySelector('.notice.error')")
        assert page.text(".notice.error") == "a state of Pig is 3 whole numbers: mine, theirs, turn"  # as the server says
    page.open((tmp_path / "kuhn.html").as_uri())
    page.until("document.querySelector('.dealing .move') && document.querySelector('.card-face.down')")
    page.press("2")  # a bet, which the other side answers
    page.until("document.querySelector('.where h2').textContent.startsWith('The play is over')")
    assert not page.run("!!document.querySelector('.card-face.down')")
    assert "1 play:" in page.text(".history")
    page.open((tmp_path / "search.html").as_uri())
    page.until("document.querySelector('.searching .cell.can')")
    for count in range(1, 6):
        if "found" in page.text(".where"):
            break
        page.press("b")
        page.until(f"document.querySelectorAll('.step').length === {count}")
    assert "Every guess was a best one" in page.text(".where")
    page.resize(390, 844)
    page.open((tmp_path / "walk.html").as_uri())
    page.until("document.querySelector('.move')")
    assert "Walk </script><b>far</b>." in page.text(".about") and page.run("document.documentElement.scrollWidth") <= 390
    assert page.complaints == [] and all(url.startswith(("file:", "data:", "about:")) for url in page.requests)
