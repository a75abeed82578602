"""Games with hidden information on the page of `zermelo serve`: the questions, checked against the solution, and play in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import zermelo
from browser import Browser, needs_chromium, serving
from zermelo.games.named import find
from zermelo.serve import sessions
from zermelo.serve.api import Api
from zermelo.serve.shelf import Sheet

GAMES = {"kuhn-poker": {}, "leduc-poker": {"ranks": 2}, "goofspiel": {"cards": 3}, "inspection": {}}


@pytest.fixture(scope="module")
def api() -> Api:
    made = Api([Sheet(word, find(word), given) for word, given in GAMES.items()])
    assert all(made.shelf.open(word).job.over.wait(60) for word in GAMES)
    return made


@pytest.fixture(scope="module")
def deal(api: Api) -> Callable[..., Any]:
    """Asks the question of a play of a game."""

    def asked(word: str, **body: Any) -> Any:
        book = api.shelf.open(word)
        return json.loads(api.post(f"/api/solutions/{book.name}/deal", json.dumps(body).encode()).body)

    return asked


@pytest.mark.parametrize("word", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_actions_are_worth_is_what_the_solution_says(word: str, seat: int, api: Api, deal: Callable[..., Any]) -> None:
    solution = api.shelf.open(word).solution
    seen = deal(word, seat=seat)
    for play in range(1, 9):
        while not seen["over"]:
            session = api.shelf.open(word).kept["deal"].find(seen["session"]).session
            probe = solution.probe(session.seen(), seat)
            actions = seen["actions"]
            assert [a["name"] for a in actions] == [solution.rules.action_name(a) for a in probe.mixture]
            assert [a["share"] for a in actions] == pytest.approx([float(p) for p in probe.mixture.values()])
            worth = [None if w is None else float(w) * (1 if seat == 0 else -1) for w in probe.actions.values()]
            assert [a["worth"] for a in actions] == [w if w is None else pytest.approx(w) for w in worth]
            worst = min(range(len(actions)), key=lambda k: (actions[k]["worth"] is not None, actions[k]["worth"] or 0))
            steps, cost = len(seen["steps"]), seen["cost"]
            seen = deal(word, session=seen["session"], action=worst)
            assert seen["cost"] == pytest.approx(cost + (actions[worst]["loss"] or 0)) and len(seen["steps"]) == steps + 1
        assert seen["tally"]["plays"] == play and seen["value"] == pytest.approx(float(solution.value) * (1 if seat == 0 else -1))
        seen = deal(word, session=seen["session"])


def test_cards_of_the_other_side_stay_with_the_server(deal: Callable[..., Any]) -> None:
    for _ in range(12):
        seen = deal("kuhn-poker", seat=0)
        assert "second has" not in json.dumps(seen) and "you have" in seen["text"]
        seen = deal("kuhn-poker", session=seen["session"], action=1)  # a bet: the other side folds or calls
        assert seen["over"] and "second has" in seen["text"] and abs(seen["result"]) in (1, 2)


def test_undo_goes_back_and_counts_nothing_twice(deal: Callable[..., Any]) -> None:
    seen = deal("kuhn-poker", seat=0)
    first = seen["text"], seen["actions"]
    for _ in range(3):
        over = deal("kuhn-poker", session=seen["session"], action=1)
        assert over["over"] and over["tally"]["plays"] == 1 and len(over["steps"]) == 1
        back = deal("kuhn-poker", session=seen["session"], undo=True)
        assert (back["text"], back["actions"]) == first and back["steps"] == [] and not back["over"]


def test_a_weaker_opponent_errs_as_often_and_as_much_as_asked(api: Api, deal: Callable[..., Any]) -> None:
    """Kuhn poker: the second player, after a bet, loses one by folding the highest card, and nothing or a little by others."""
    seen = deal("kuhn-poker", seat=0, errs=0, most=0)
    session = api.shelf.open("kuhn-poker").kept["deal"].find(seen["session"]).session
    folded = {}
    for errs, most in ((0, 9), (1, 0.5), (1, 9), (0.5, 9)):
        found = []
        for _ in range(300 if errs == 0.5 else 60):  # where chance decides, and where it does not
            seen = deal("kuhn-poker", session=seen["session"], errs=errs, most=most)
            while not seen["over"]:
                bet = [a["name"] for a in seen["actions"]].index("bet or call")
                seen = deal("kuhn-poker", session=seen["session"], action=bet, errs=errs, most=most)
            if session.state.second == 2:
                found.append(seen["result"] == 1)
        folded[errs, most] = sum(found) / len(found)
    assert folded[0, 9] == folded[1, 0.5] == 0 and folded[1, 9] == 1 and 0.25 < folded[0.5, 9] < 0.75


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({}, "seat must be 0"),
        ({"seat": True}, "seat must be 0"),
        ({"seat": 2}, "seat must be 0"),
        ({"session": "nothing", "action": 0}, "not in memory"),
        ({"session": [1]}, "not in memory"),
        ({"seat": 0, "action": 7}, "from 0 to 1"),
        ({"seat": 0, "action": "0"}, "from 0 to 1"),
        ({"seat": 0, "errs": 2}, "errs must be"),
        ({"seat": 0, "errs": "x"}, "errs must be"),
        ({"seat": 0, "most": -1}, "most must be"),
        ({"seat": 0, "most": 1e400}, "most must be"),
    ],
)
def test_what_is_wrong_with_a_deal_is_said(deal: Callable[..., Any], wrong: dict[str, Any], says: str) -> None:
    assert says in deal("kuhn-poker", **wrong)["error"]


def test_a_matrix_game_of_ones_own_is_played() -> None:
    word, given = "examples/blotto.py:Blotto", {"ours": 4, "theirs": 3}
    api = Api([Sheet(word, find(word), given)])
    book = api.shelf.open(word)
    assert book.job.over.wait(60) and json.loads(api.get(f"/api/solutions/{book.name}", {}).body)["dealt"]
    solution = book.solution
    for seat in range(2):
        seen = json.loads(api.post(f"/api/solutions/{book.name}/deal", json.dumps({"seat": seat}).encode()).body)
        names = {solution.shown(seat, s): s for s in (*solution.policy(seat), *(solution.game.columns() if seat else solution.game.rows()))}
        for place, action in enumerate(seen["actions"]):
            strategy = names[action["name"]]
            against = solution.evaluate(strategy, solution.policy(1 - seat), seat=seat).value * (1, -1)[seat]
            assert action["worth"] == pytest.approx(float(against)) and action["share"] == float(solution.policy(seat).get(strategy, 0))
            asked = {"session": seen["session"], "action": place, "errs": 1, "most": 9}
            over = json.loads(api.post(f"/api/solutions/{book.name}/deal", json.dumps(asked).encode()).body)
            mine, other = over["text"].split("; ")[:: (1, -1)[seat]]
            assert over["over"] and mine.endswith(action["name"]) and over["tally"]["plays"] == place + 1 and over["cost"] == action["loss"]
            other_name = other.partition(": ")[2]
            theirs = (*solution.policy(1 - seat), *(solution.game.rows() if seat else solution.game.columns()))
            known = [s for s in theirs if solution.shown(1 - seat, s) == other_name]
            pair = (strategy, known[0])[:: (1, -1)[seat]]
            assert over["result"] == float(solution.paid(*pair)) * (1, -1)[seat]
            assert "the play is over" in json.loads(api.post(f"/api/solutions/{book.name}/deal", json.dumps(asked).encode()).body)["error"]
            asked = {"session": seen["session"]}
            assert not json.loads(api.post(f"/api/solutions/{book.name}/deal", json.dumps(asked).encode()).body)["over"]


def test_games_that_hide_nothing_are_not_dealt_and_old_plays_are_forgotten(deal: Callable[..., Any]) -> None:
    api = Api([Sheet("piglet", find("piglet"), {"goal": 3})])
    book = api.shelf.open("piglet")
    assert book.job.over.wait(60)
    found = api.post(f"/api/solutions/{book.name}/deal", b'{"seat": 0}')
    assert found.status == 400 and "hides nothing" in json.loads(found.body)["error"]
    first = deal("kuhn-poker", seat=0)["session"]
    for _ in range(sessions.MOST_KEPT):
        deal("kuhn-poker", seat=1)
    assert "not in memory" in deal("kuhn-poker", session=first)["error"]


# --- in the browser -----------------------------------------------------------------------------------------------------------


@needs_chromium
def test_both_sides_are_played_in_the_browser(api: Api) -> None:
    title, steps = "document.querySelector('.where h2').textContent", "document.querySelectorAll('.step').length"
    own = "document.querySelector('.board .card-face:not(.down)').textContent"
    down = "document.querySelectorAll('.board .card-face.down').length"
    with serving(api) as server, Browser() as page:
        page.open(f"{server.url}#/kuhn-poker")
        page.until("document.querySelector('.dealing .move')")
        assert page.run(title) == "Your move" and "−1/18 chips a play" in page.text(".where")
        worth = {a: float(v) for a, v in zermelo.solve("kuhn-poker").probe((int(page.run(own)), -1, -1, -1), 0).actions.items()}
        shown = page.run("[...document.querySelectorAll('.move .says')].map(e => e.textContent.replace('−', '-').replace(/ chips?/, ''))")
        assert list(map(float, shown)) == pytest.approx(list(worth.values()), abs=1e-5)
        page.press("2")  # bet
        page.until(f"{title}.startsWith('The play is over')")
        assert page.run(steps) == 1 and "1 play:" in page.text(".history") and page.run(down) == 0
        page.press("u")
        page.until(f"{title} === 'Your move' && {steps} === 0 && {down} === 1")
        page.run("document.querySelector('.settings .check input').click()")  # without values nothing is given away
        page.until("!document.querySelector('.says')")
        assert page.run("document.querySelector('.move').title") == "check or fold"
        page.run("(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.querySelector('.settings select'))")
        page.until("document.querySelector('.where p').textContent.includes(' 1/18')")
        for _ in range(3):
            page.until("document.querySelector('.where')")
            if page.run(title) != "Your move":
                break
            before = page.run(steps)
            page.press("b")
            page.until(f"{steps} > {before}")
        assert page.run(title).startswith("The play is over")
        page.open(f"{server.url}#/goofspiel")  # both choose at once, and see nothing
        page.until("document.querySelector('h1').textContent === 'Goofspiel' && document.querySelector('.dealing .move')")
        for count in range(1, 4):
            if page.run(title) != "Your move":
                break
            page.click("[data-place]")  # a card of one's own
            page.until(f"{steps} === {count}")
        page.until(f"{title}.startsWith('The play is over')")
        assert page.complaints == [] and all(url.startswith((server.url, "about:", "data:")) for url in page.requests)
