"""Binary search on the page of `zermelo serve`: the questions, checked against the solution, and both sides played in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zermelo
from browser import Browser, needs_chromium, serving
from zermelo.games.binary_search import BinarySearch
from zermelo.games.named import find
from zermelo.games.search_trees import guesses
from zermelo.serve.api import Api
from zermelo.serve.searches import is_played
from zermelo.serve.shelf import Sheet

WORD = "binary-search"


@pytest.fixture(scope="module")
def api() -> Api:
    return Api([Sheet(WORD, find(WORD), {"n": 13})])


@pytest.fixture(scope="module")
def search(api: Api) -> Callable[..., Any]:
    """Asks the question of a game of binary search."""
    book = api.shelf.open(WORD)
    assert book.job.over.wait(60)
    return lambda **asked: json.loads(api.post(f"/api/solutions/{book.name}/search", json.dumps(asked).encode()).body)



def test_a_number_is_guessed_and_stays_hidden_until_it_is_found(search: Callable[..., Any]) -> None:
    solution = zermelo.solve("binary-search", n=13)
    seen = search(seat=1)
    assert seen["exact"] == "485/152" and min(seen["costs"]) == 0 and seen["mixture"] is None and len(seen["worth"]) == 13
    assert min(seen["worth"]) == pytest.approx(float(solution.value))  # what the best first guess comes to
    lost, steps = 0.0, 0
    while True:
        assert "secret" not in json.dumps(seen)
        number, cost = seen["low"], seen["costs"][0]  # from below: a poor way to search
        seen = search(session=seen["session"], number=number)
        lost, steps = lost + cost, steps + 1
        assert seen["said"]["number"] == number and seen["said"]["cost"] == pytest.approx(cost)
        if seen["said"]["answer"] == "found":
            break
        assert seen["said"] == {**seen["said"], "answer": "higher", "ended": None} and (seen["low"], seen["paid"]) == (number + 1, steps)
    assert seen["said"]["ended"] == {"secret": number, "guesses": list(range(1, number + 1)), "cost": pytest.approx(lost)}
    assert seen["tally"]["games"] == 1 and seen["tally"]["mean"] == steps and seen["tally"]["account"] == 3 - steps
    search(session=seen["session"], number=7)
    assert search(session=seen["session"])["paid"] == 0  # begun anew: what was not ended does not count


def test_a_number_is_hidden_and_found_by_the_mixture(search: Callable[..., Any]) -> None:
    solution = zermelo.solve("binary-search", n=13)
    seen = search(seat=0)
    assert sum(seen["mixture"]) == pytest.approx(1) and max(seen["worth"]) <= float(solution.value) + 1e-12
    depths = {}
    for number in range(1, 14):
        depths[number] = sum(float(p) * guesses(tree)[number - 1] for tree, p in solution.column.items())
        ended = search(session=seen["session"], number=number)["said"]["ended"]
        assert ended["secret"] == number == ended["guesses"][-1] and ended["cost"] == pytest.approx(seen["costs"][number - 1])
    assert seen["worth"] == pytest.approx(list(depths.values()))
    assert seen["costs"] == pytest.approx([float(solution.value) - depth for depth in depths.values()], abs=1e-12)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({}, "seat must be 0"),
        ({"seat": True}, "seat must be 0"),
        ({"seat": [1]}, "seat must be 0"),
        ({"session": "nothing", "number": 1}, "not in memory"),
        ({"session": ["1"]}, "not in memory"),
        ({"seat": 1, "number": 0}, "between 1 and 13"),
        ({"seat": 0, "number": 14}, "from 1 to 13"),
        ({"seat": 0, "number": "7"}, "a whole number"),
    ],
)
def test_what_is_wrong_with_a_search_is_said(search: Callable[..., Any], wrong: dict[str, Any], says: str) -> None:
    assert says in search(**wrong)["error"]


class Doubled(BinarySearch):
    """Two dollars a guess."""

    def unit(self) -> Any:
        return 2 * super().unit()

    def member_payoff(self, number: int, tree: Any) -> int:
        return 2 * super().member_payoff(number, tree)


def test_a_subclass_that_may_pay_otherwise_is_not_searched() -> None:
    """The page offered it with a dollar a guess; `zermelo play` plays it by its own payoffs."""
    one, other = zermelo.solve(BinarySearch(3)), zermelo.solve(Doubled(3))
    assert is_played(one) and other.value == 2 * one.value and not is_played(other)


def test_other_games_are_not_searched() -> None:
    api = Api([Sheet("kuhn-poker", find("kuhn-poker"))])
    book = api.shelf.open("kuhn-poker")
    assert book.job.over.wait(60)
    found = api.post(f"/api/solutions/{book.name}/search", b'{"seat": 1}')
    assert found.status == 400 and "not played by guessing" in json.loads(found.body)["error"]


# --- in the browser -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(api: Api) -> Iterator[Browser]:
    with serving(api) as server, Browser() as browser:
        browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        browser.open(f"{server.url}#/{WORD}")
        browser.until("document.querySelector('.searching .cell.can')")
        yield browser
        assert browser.complaints == [] and all(url.startswith((server.url, "about:", "data:")) for url in browser.requests)


@needs_chromium
def test_both_sides_are_played_in_the_browser(page: Browser) -> None:
    title, steps = "document.querySelector('.where h2').textContent", "document.querySelectorAll('.step').length"
    assert page.run(title) == "Guess: it is one of 1 to 13" and page.run("document.querySelectorAll('.cell.can').length") == 13
    assert page.run("document.querySelectorAll('.move').length") == 10 and page.run("!!document.querySelector('.cell.best .worth')")
    page.run("document.querySelector('.settings input').click()")  # without values nothing is given away
    assert not page.run("document.querySelector('.move') || document.querySelector('.worth')")
    assert page.run("document.querySelector('[data-place=\"7\"]').getAttribute('aria-label')") == "7"
    page.run("document.querySelector('[data-place=\"6\"]').focus()")
    page.press("ArrowRight")
    assert page.run("document.activeElement.dataset.place") == "7"
    page.press("Enter")
    page.until(f"{steps} === 1")
    for count in range(2, 9):
        if "found" in page.run(title):
            break
        page.press("b")
        page.until(f"{steps} === {count}")
    assert "Optimal play comes to $3.1908 (485/152)" in page.text(".where") and "1 game:" in page.text(".history")
    secret = int(page.run(title).split("found ")[1].split()[0])
    assert page.run("document.querySelector('.cell.marked').textContent") == str(secret)
    page.press("n")
    page.until(f"{steps} === 0 && document.querySelectorAll('.cell.can').length === 13")
    page.run("(s => { s.value = '0'; s.dispatchEvent(new Event('change')); })(document.querySelector('.settings select'))")
    page.until(f"{title} === 'Hide a number from 1 to 13'")
    page.press("4")  # a digit begins to type a number
    page.press("Enter")
    page.until(f"{title}.startsWith('Bob has found 4 with')")
    assert page.run(f"{title}.match(/with (\\d)/)[1]") == str(page.run(steps))
