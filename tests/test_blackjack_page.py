"""The page of blackjack: what it asks, beside the library; and the page itself, where there is a Chromium."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from browser import Browser, needs_chromium, serving
from zermelo.cli import main
from zermelo.games import blackjack
from zermelo.games.blackjack.trainer import Training
from zermelo.serve.blackjack import MOST_TRAININGS, PAGE, BlackjackApi
from zermelo.serve.server import Server

RULES = {"decks": 1, "split_to": 2}


@pytest.fixture(scope="module")
def api() -> BlackjackApi:
    return BlackjackApi(RULES)


def post(api: BlackjackApi, question: str, **body: Any) -> Any:
    """The answer, or the line that says why there is none."""
    reply = api.post(f"/api/blackjack/{question}", json.dumps(body).encode())
    found = json.loads(reply.body)
    return found if reply.status == 200 else (reply.status, found["error"])


@pytest.fixture(scope="module")
def table(api: BlackjackApi) -> dict[str, Any]:
    found = post(api, "table")
    job = api.jobs.find(found["progress"]["job"])
    assert job is not None and job.over.wait(300)
    return dict(job.result)


@pytest.fixture(scope="module")
def analysis() -> blackjack.Analysis:
    return blackjack.analyse(blackjack.Rules(**RULES))


def test_the_chart_is_the_best_table_of_totals(table: dict[str, Any], analysis: blackjack.Analysis) -> None:
    best = blackjack.best_strategy(analysis.rules)
    assert table["value"] == analysis.value and table["chart value"] == best.value and table["cost"] == best.cost
    assert {f"{kind} {name}": tuple(codes) for kind, name, codes in table["rows"]} == dict(best.strategy.cells)
    assert table["ups"] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"] and table["text"] == analysis.rules.text()


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"resplit_aces": True}, '"resplit aces" contradicts "split to" 2: splitting again makes three hands'),
        ({"late_surrender": True, "peek": False}, '"late surrender" contradicts "peek" left unticked: it is offered'),
        ({"split_to": 1, "hit_split_aces": True}, '"hit split aces" contradicts "split to" 1: no hand is split'),
        ({"blackjack_pays": "x"}, '"blackjack pays" must be a payoff such as 3:2'),
    ],
)
def test_rules_that_contradict_one_another_are_named_as_on_the_form(api: BlackjackApi, asked: dict[str, Any], text: str) -> None:
    status, said = post(api, "table", rules=asked)
    assert status == 400 and said.startswith(text)


def test_a_hand_is_worth_what_the_library_says(api: BlackjackApi, table: dict[str, Any], analysis: blackjack.Analysis) -> None:
    found, known = post(api, "hand", table=table["table"], cards="10 6", up="10"), analysis.hand("10 6", "10")
    assert {v["option"]: v["value"] for v in found["values"]} == {str(o): v for o, v in known.values.items()}
    assert found["certified to"] == max(known.errors.values()) < 1e-12
    assert found["values"][0]["best"] and found["values"][0]["option"] == str(known.best) == "hit"
    gone = post(api, "hand", table=table["table"], cards="10 6", up="10", seen="5 5 6 A")
    assert gone["values"][0]["option"] == "stand"
    ace = post(api, "hand", table=table["table"], cards="A,A", up="A")
    assert ace["insurance"] is not None and {v["option"] for v in ace["values"]} >= {"split", "hit"}


def test_a_training_is_that_of_the_terminal(api: BlackjackApi, table: dict[str, Any], analysis: blackjack.Analysis) -> None:
    turn = post(api, "deal", table=table["table"])
    training = api._trainings[turn["training"]]
    assert isinstance(training, Training)
    decided = 0
    for _ in range(30):
        while turn["result"] is None:
            (hand,) = (h for h in turn["hands"] if h["active"])
            assert turn["dealer"] == [turn["up"]] and turn["dealer says"] == ""  # the other card is not told
            allowed = turn["options"]
            turn = post(api, "decide", training=turn["training"], option="stand" if "stand" in allowed else allowed[0])
            decided += 1
            judged = turn["decision"]
            if len(turn["hands"]) == 1 and len(hand["cards"]) == 2:
                known = analysis.hand(" ".join(hand["cards"]), turn["up"])
                assert judged["best"] == str(known.best) and judged["cost"] == pytest.approx(float(known.costs[blackjack.Option.STAND]))
        assert not turn["options"] and len(turn["dealer"]) > 1
        turn = post(api, "deal", table=table["table"], training=turn["training"])
    assert turn["score"]["decisions"] == decided == len(training.decisions) and turn["score"]["won"] == training.won
    assert turn["score"]["cost"] == sum(d.cost for d in training.mistakes)


def test_what_is_wrong_is_said_in_a_line(api: BlackjackApi, table: dict[str, Any]) -> None:
    name = table["table"]
    for question, body in (
        ("table", {"rules": {"decks": 0}}),
        ("table", {"rules": {"shoe": "1,2"}}),
        ("table", {"rules": [1]}),
        ("table", {"rules": {"blackjack_pays": "x"}}),
        ("hand", {"table": "another", "cards": "10 6", "up": "10"}),
        ("hand", {"table": name, "cards": "10 10 10", "up": "10"}),
        ("hand", {"table": name, "cards": "16", "up": "10"}),
        ("hand", {"table": name, "cards": ["10", "6"], "up": "10"}),
        ("hand", {"table": name, "cards": "10 6", "up": "B"}),
        ("hand", {"table": name, "cards": "10 6", "up": "10", "seen": "5 5 5 5 5"}),
        ("hand", {"table": name, "cards": "A" * 500, "up": "10"}),
        ("deal", {"table": {}}),
        ("decide", {"training": "none", "option": "hit"}),
        ("decide", {}),
        ("nothing", {}),
    ):
        status, text = post(api, question, **body)
        assert status in (400, 404) and text and "\n" not in text, question
    turn = post(api, "deal", table=name)
    while turn["result"] is not None:
        turn = post(api, "deal", table=name, training=turn["training"])
    assert "an option is one of" in post(api, "decide", training=turn["training"], option="fold")[1]


def test_trainings_are_forgotten_in_the_end(api: BlackjackApi, table: dict[str, Any]) -> None:
    first = post(api, "deal", table=table["table"])["training"]
    for _ in range(MOST_TRAININGS):
        post(api, "deal", table=table["table"])
    assert len(api._trainings) == MOST_TRAININGS and "deal again" in post(api, "decide", training=first, option="hit")[1]


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(Server, "serve_forever", lambda server: seen.append(server.api))
    assert main(["blackjack", "serve", "--decks", "2", "--no-browser", "--port", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["url"].endswith(PAGE) and found["rules"].startswith("2 decks") and seen[0].given["decks"] == 2
    assert main(["blackjack", "serve", "--decks", "0"]) == 2
    assert main(["blackjack", "serve", "--shoe", "20,20,20,20,20,20,20,20,20,80"]) == 2
    assert "leave --shoe out" in capsys.readouterr().err


@pytest.fixture
def page(api: BlackjackApi, table: dict[str, Any]) -> Iterator[Browser]:
    with serving(api) as server, Browser() as browser:
        browser.open(server.url + PAGE)
        yield browser
        assert browser.complaints == [] and all(url.startswith((server.url, "about:")) for url in browser.requests)


@needs_chromium
def test_the_page_shows_charts_hands_and_rounds(page: Browser, analysis: blackjack.Analysis) -> None:
    page.until("document.querySelectorAll('.charts td button').length === 360")
    page.run("[...document.querySelectorAll('.charts td button')].find(b => b.title.startsWith('hard 16 against 10')).click()")
    page.until("document.querySelectorAll('.worths > div').length > 2")
    values = analysis.hand("10 6", "10").values
    assert page.text(".worths .best .value") == f"{values[blackjack.Option.HIT]:.6f}".replace("-", "−")
    page.resize(360, 800)
    inside = "e.getBoundingClientRect().right < e.closest('.felt').getBoundingClientRect().right"
    assert page.run(f"[...document.querySelectorAll('.worths .cost')].every((e) => {inside})")
    page.resize(1280, 900)
    page.click("[data-tab=train]")
    for _ in range(200):  # rounds can be over at once; a key does nothing while the page waits for an answer
        page.until("document.querySelector('[data-option], .felt .primary')")
        if page.run("!!document.querySelector('[data-option=stand]')"):
            break
        page.press("n")
        time.sleep(0.05)
    page.press("s")
    page.until("document.querySelector('.verdict')")
    assert page.run("document.querySelectorAll('.felt .facts dd')[2].textContent") == "1"  # decisions
