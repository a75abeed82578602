"""A play that goes on, or begins elsewhere: solutions that are not in memory any more, files that were edited, states that were entered."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, needs_chromium, serving
from zermelo.games.named import find
from zermelo.serve.server import Server
from zermelo.serve.shelf import MOST_KEPT, Sheet

pytestmark = needs_chromium

RULES = '''
from typing import NamedTuple

class Left(NamedTuple):
    left: int

class Walk(NamedTuple):
    """Walk home."""
    steps: int = 6

    def start(self):
        return Left(self.steps)

    def actions(self, s):
        if s.left > 0:
            yield 1
        if s.left > 1:
            yield 2

    def outcomes(self, s, n):
        yield 1, n * n, Left(s.left - n)
'''
IDLE = "!document.querySelector('[aria-busy]')"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "page_walk.py").write_text(RULES)
    with serving([Sheet("walk", find(f"{tmp_path / 'page_walk.py'}:Walk"))]) as made:
        yield made


def test_a_question_of_a_page_that_was_closed_is_cancelled(server: Server, chrome: Browser) -> None:
    """It waited for its turn and was worked out for nobody, before what the next page asked for."""
    chrome.open("about:blank")
    chrome.open(f"{server.url}#/walk/play")
    chrome.until(f"document.querySelector('.move') && {IDLE}")
    jobs, go = server.api.jobs, threading.Event()
    try:
        jobs.start(lambda progress: go.wait(60))
        chrome.run("location.hash = '#/walk/map'")
        chrome.until("document.querySelector('.solving')")
        assert chrome.run("document.querySelector('.mapping .controls').hidden")  # no menus without anything in them
        waiting = jobs.find("3")
        assert waiting is not None and waiting.status == "waiting"
        chrome.open("about:blank")
        end = time.monotonic() + 60
        while not waiting.is_unwanted:
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        go.set()


def test_a_solution_that_is_gone_is_solved_again_and_the_moves_are_kept(server: Server, chrome: Browser) -> None:
    chrome.open(f"{server.url}#/walk/play?~at=5")
    for step in range(2):
        chrome.until(f"document.querySelectorAll('.step').length === {step} && document.querySelector('.move') && {IDLE}")
        chrome.press("b")
    chrome.until(f"document.querySelectorAll('.step').length === 2 && {IDLE}")
    here = chrome.text(".board"), chrome.text(".history")
    for steps in range(10, 11 + MOST_KEPT):  # what another page asks for
        assert server.api.shelf.open("walk", {"steps": steps}).job.over.wait(60)
    chrome.press("b")
    chrome.until("document.querySelector('.missing button')")
    assert "no longer in memory" in chrome.text(".missing")
    assert chrome.run("[...document.querySelectorAll('.notice')].filter((e) => e.checkVisibility()).length") == 1  # said once
    chrome.click(".missing button")
    chrome.until("!document.querySelector('.missing').children.length")
    assert (chrome.text(".board"), chrome.text(".history")) == here and chrome.text(".playing .notice") == ""
    chrome.press("b")
    chrome.until(f"document.querySelectorAll('.step').length === 3 && {IDLE}")
    # the server was started again, with no solution at all; a view that was open is shown once it is there
    server.api.shelf._books.clear()
    chrome.run("void (location.hash = document.querySelectorAll('.tabs a')[1].getAttribute('href'))")
    chrome.click(".missing button")
    chrome.until("document.querySelector('.map .dot')")
    chrome.run("void (location.hash = document.querySelectorAll('.tabs a')[0].getAttribute('href'))")
    chrome.until("document.querySelectorAll('.step').length === 3")
    assert [text for text in chrome.complaints if "status of 404" not in text] == []


def test_a_tree_that_can_not_be_opened_is_not_being_opened(server: Server, chrome: Browser) -> None:
    chrome.open("about:blank")
    chrome.open(f"{server.url}#/walk")
    chrome.until("document.querySelector('.move')")
    server.api.shelf._books.clear()
    chrome.run("void (location.hash = document.querySelectorAll('.tabs a')[3].getAttribute('href'))")
    chrome.until("document.querySelector('.tree .notice, .missing button')")
    assert "Opening" not in chrome.text(".tree")


def test_a_file_that_was_edited_is_told_with_what_helps(server: Server, tmp_path: Path, chrome: Browser) -> None:
    chrome.complaints.clear()
    chrome.open("about:blank")
    chrome.open(f"{server.url}#/walk")
    chrome.until("document.querySelector('.move')")
    file = tmp_path / "page_walk.py"
    file.write_text(RULES.replace("n * n", "2 * n"))
    chrome.open(f"{server.url}#/walk?steps=9")
    chrome.until("document.querySelector('.answer .notice.error')")
    what_helps = "end zermelo serve and start it again, then try again here"
    assert chrome.text(".answer .notice") == f"the source of Walk.outcomes has changed since it was loaded ({file}): {what_helps}"
    assert chrome.run("document.querySelectorAll('.faults').length") == 0
    file.write_text("no Python (")  # it was said that the rules are at fault, and must be in a .py file
    chrome.open("about:blank")
    chrome.open(f"{server.url}#/walk?steps=8")
    chrome.until("document.querySelector('.answer .notice.error')?.textContent.includes('Walk.')")
    assert "has changed since it was loaded" in chrome.text(".answer .notice")
    chrome.open(f"{server.url}#/walk?steps=8&~exact=maybe")  # it was taken for false
    chrome.until("document.querySelector('.notice.error')?.textContent.includes('exact')")
    assert [text for text in chrome.complaints if "status of 400" not in text] == []


@pytest.mark.parametrize("discount", ["1", "0.5"])
def test_a_play_that_began_elsewhere_is_compared_with_its_own_start(discount: str, server: Server, chrome: Browser) -> None:
    chrome.complaints.clear()
    book = server.api.shelf.open("walk", None, {"discount": discount})
    assert book.job.over.wait(60)
    expected = {left: float(book.solution.probe(type(book.solution.rules.start)(left)).value) for left in (4, 6)}
    for at, began in (("", "the start"), ("&~at=4", "where this play began")):
        chrome.open("about:blank")
        chrome.open(f"{server.url}#/walk/play?~discount={discount}{at}")
        chrome.until("document.querySelector('.move')")
        chrome.click('.move[title^="1:"]')  # a mistake: two steps at once are paid 4
        for step in range(1, 4):
            chrome.until(f"document.querySelectorAll('.step').length === {step} && {IDLE}")
            if "over" not in chrome.text(".where"):
                chrome.press("b")
        chrome.until("document.querySelector('.where').innerText.includes('over')")
        value = expected[4 if at else 6]
        assert f"; optimal play from {began} expects {value:g}." in chrome.text(".where") and "so far" not in chrome.text(".where")
        judged = chrome.text(".judged")
        assert judged.startswith("You: 1 mistake")
        assert judged.endswith("on average." if discount == "1" else "discounted to where the play began.")
    assert chrome.complaints == []


def test_an_address_that_is_no_state_is_told_and_play_begins_at_the_start(server: Server, chrome: Browser) -> None:
    """Where the number of numbers was wrong play began at the start without a word."""
    for at in ("3,4", "x"):
        chrome.open("about:blank")
        chrome.open(f"{server.url}#/walk/play?~at={at}")
        chrome.until(f"document.querySelector('.playing .notice') && document.querySelector('.move') && {IDLE}")
        assert "left" in chrome.text(".playing .notice")
        assert chrome.run("document.querySelectorAll('.step').length") == 0
