"""Numbers of states beyond 2**53 are exact in a page: JavaScript would read them from JSON as floats, and ask for other states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, needs_chromium, serving
from zermelo.basics.plain import plain
from zermelo.games.named import find
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet
from zermelo.serve.whole import LARGEST, whole

FAR = 2**53
RULES = """
from typing import NamedTuple

class Far(NamedTuple):
    x: int

class Spot(NamedTuple):
    x: int
    y: int

class Jump(NamedTuple):
    def start(self):
        return Spot(2**53 + 1, -2**60)

    def actions(self, s):
        if s.x < 2**53 + 5:
            for n in (2**53 + 1, 2**53 + 2):
                yield (n, 1)
                yield (n, 2)

    def asks(self, s):
        return ["far", "up"]

    def why_not(self, s, action):
        return "it is too far" if action[0] > 2**53 + 2 else ""

    def outcomes(self, s, action):
        n, up = action
        yield 1, n - 2**53 + up, Spot(s.x + n - 2**53, s.y + up)

class Walk(NamedTuple):
    def start(self):
        return Far(2**53 + 1)

    def actions(self, s):
        if s.x < 2**53 + 6:
            yield 1
            yield 2

    def outcomes(self, s, n):
        yield 1, n * n, Far(s.x + n)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path: Path = tmp_path_factory.mktemp("large") / "far_walk.py"
    path.write_text(RULES)
    with serving([Sheet("walk", find(f"{path}:Walk")), Sheet("jump", find(f"{path}:Jump"))]) as made:
        yield made


@pytest.mark.parametrize("number", [0, FAR - 1, FAR, FAR + 1, -FAR, 1 - FAR, 2**200])
def test_there_and_back(number: int) -> None:
    sent = plain({"state": [number]}, LARGEST)["state"][0]
    assert isinstance(sent, str) == (abs(number) >= FAR)
    assert whole(json.loads(json.dumps(sent))) == number


@pytest.mark.parametrize("sent", ["", "0", "-7", str(FAR - 1), "1.0", "+1", " 1", "1_0", "٣", "-", True, None, 0.5, "1" * 1001])
def test_what_is_no_whole_number_stays_as_it_was_sent(sent: object) -> None:
    assert whole(sent) is sent


@needs_chromium
def test_a_walk_far_out(server: Server) -> None:
    with Browser() as page:
        page.open(f"{server.url}#/walk")
        page.until("document.querySelector('.move')")
        page.until(f"document.body.innerText.includes('{FAR + 1}')")
        page.click(".move")  # the best: two steps
        page.until(f"location.hash.includes('{FAR + 3}')")
        assert "worth 8 from here on" in page.text(".where")
        page.open("about:blank")
        page.open(f"{server.url}#/walk/play?~at={FAR + 5}")  # an address that was kept
        page.until("document.querySelector('.where')?.textContent.includes('worth 4 ')")
        page.open("about:blank")
        page.open(f"{server.url}#/walk/states")
        page.until("document.querySelector('.states tbody tr a')")
        links = page.run(
            "[...document.querySelectorAll('.states tbody a')].map((a) => a.getAttribute('href').split('~at=')[1]).join()"
        )
        assert {int(n) for n in links.split(",")} == {FAR + k for k in range(1, 8)}
        assert page.complaints == []


def typed(page: Browser, form: str, *numbers: int) -> None:
    """Type numbers into the fields of a form."""
    for k, n in enumerate(numbers):
        page.run(f"document.querySelectorAll('{form} input')[{k}].value = '{n}'")


@needs_chromium
def test_maps_typed_moves_and_any_state_far_out(server: Server) -> None:
    """Neighbours that floats take for the same are cells of their own, and are played from."""
    left, below = FAR + 1, -(2**60)
    with Browser() as page:
        page.open(f"{server.url}#/jump/map")
        page.until("document.querySelector('.map:not([hidden])')")
        assert page.run("[...document.querySelectorAll('.mapping select')].map((s) => s.value).join()") == "x,y"
        page.run("document.querySelector('.mapping canvas').focus()")
        for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
            page.press(key)
        assert page.text(".mapping .readout").startswith(f"x {left + 1}, y −{-below - 2}: 10, ")  # 3 + 3 + 4: by ones, and two at the end
        page.press("Enter")
        page.until(f"location.hash.endsWith('~at={left + 1},{below + 2}') && document.querySelector('.move')")
        # a move that is typed
        typed(page, ".asking", FAR + 1, 2)
        page.click(".asking button")
        page.until(f"location.hash.endsWith('~at={left + 2},{below + 4}')")
        typed(page, ".asking", FAR + 7, 2)
        page.click(".asking button")
        page.until("document.querySelector('.notice.error')")
        # any state
        page.run("document.querySelector('.jump').open = true")
        typed(page, ".slots", left + 3, below + 6)
        page.click(".slots button")
        page.until(f"location.hash.endsWith('~at={left + 3},{below + 6}')")
        page.until("document.querySelector('.where').textContent.includes('worth 4 ')")
        assert [text for text in page.complaints if "status of 400" not in text] == []


def test_files_and_conditions_of_large_numbers_are_exact(server: Server) -> None:
    book = server.api.shelf.open("jump")
    assert book.job.over.wait(60)
    path = f"/api/solutions/{book.name}/states"
    rows = json.loads(server.api.get(f"{path}.json", {}).body)
    lines = server.api.get(f"{path}.csv", {}).body.decode().splitlines()
    places = {(whole(row["x"]), whole(row["y"])) for row in rows}
    assert places == {tuple(map(int, line.split(",")[:2])) for line in lines[1:]} and (FAR + 1, -(2**60)) in places
    asked = json.dumps({"where": {"x": f"{FAR + 2}..{FAR + 3}"}}).encode()
    found = json.loads(server.api.post(path, asked).body)["result"]["rows"]
    assert {whole(row[0]) for row in found} == {FAR + 2, FAR + 3}
