"""Numbers of states beyond 2**53 are exact in a page: JavaScript would read them from JSON as floats, and ask for other states."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, chromium
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
    with Server([Sheet("walk", find(str(path)))], port=0) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.mark.parametrize("number", [0, FAR - 1, FAR, FAR + 1, -FAR, 1 - FAR, 2**200])
def test_there_and_back(number: int) -> None:
    sent = plain({"state": [number]}, LARGEST)["state"][0]
    assert isinstance(sent, str) == (abs(number) >= FAR)
    assert whole(json.loads(json.dumps(sent))) == number


@pytest.mark.parametrize("sent", ["", "0", "-7", str(FAR - 1), "1.0", "+1", " 1", "1_0", "٣", "-", True, None, 0.5, "1" * 1001])
def test_what_is_no_whole_number_stays_as_it_was_sent(sent: object) -> None:
    assert whole(sent) is sent


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium (Debian: apt-get install chromium)")
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
