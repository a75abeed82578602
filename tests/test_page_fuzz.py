"""Questions of the page, changed at random, to every kind of solution: each gets an answer or one clear line, and the server goes on."""

from __future__ import annotations

import copy
import http.client
import json
import random
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from browser import serving
from zermelo.games.named import find
from zermelo.robot import Robot, maze
from zermelo.serve.api import Reply
from zermelo.serve.blackjack import BlackjackApi
from zermelo.serve.robot import RobotApi
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet
from zermelo.serve.words import MOST_SAID

GAMES: dict[str, dict[str, Any]] = {
    "pig": {"goal": 5},
    "piglet": {"goal": 3},
    "dodgem": {"size": 2},
    "card-draw": {"red": 4, "black": 4},
    "left-center-right": {"chips": 1},
    "ten-thousand-race": {"goal": 3},
    "hog-simultaneous": {"goal": 6, "most_dice": 2},
    "robot-maze": {"height": 2, "width": 2},
    "binary-search": {"n": 4},
    "kuhn-poker": {},
    "lemonade": {"days": 1},
}
SMALL = ["piglet", "card-draw"]  # whatever is wrong with their parameters, as those that are lacking are what they are usually
STRANGE = [
    None, True, False, 0, -1, 1, 1.5, 10**40, -(10**19), 1e300, 2**53, str(2**53 + 1), "", "x" * 900, "\u00fc\u2028\x00", "7", "3..9",
    ">=0", "..", "__class__", "../../etc/passwd", "{x}", "%s", [], {}, [[]], [None], [0] * 50, {"a": {}}, {"": 0}, "mine",
    float("inf"), float("nan"),
]  # fmt: skip
ALLOWED = {200, 400, 404, 409, 503}


@pytest.fixture(scope="module")
def api() -> RobotApi:
    made = RobotApi(Robot(maze(2, 2)), GAMES["robot-maze"])
    made.shelf.sheets.update({word: Sheet(word, find(word), given) for word, given in GAMES.items()})
    return made


def strange(dice: random.Random) -> Any:
    return copy.deepcopy(dice.choice(STRANGE))


def asked(api: Any, dice: random.Random) -> tuple[str, dict[str, Any]]:
    """A question that makes sense."""
    word = dice.choice(list(GAMES))
    book = api.shelf.open(word)
    assert book.job.over.wait(120)
    path = f"/api/solutions/{book.name}"
    about = json.loads(api.get(path, {}).body)
    play, views = about.get("play", {}), about["views"]
    start, slots, small = play.get("start", [0]), play.get("slots", ["x"]), dice.choice(SMALL)
    fix = {dice.choice(slots): dice.choice([0, 1])}
    questions: list[tuple[str, dict[str, Any]]] = [
        ("/api/open", {"game": small, "parameters": dict(GAMES[small]), "options": {"exact": False, "discount": 1}}),
        (f"{path}/position", {"state": start}),
        (f"{path}/outcomes", {"state": start, "action": 0, "other": 0}),
        (f"{path}/search", {"seat": 1, "session": "1", "number": 2}),
        (f"{path}/deal", {"seat": 0, "session": "1", "action": 0, "errs": 0.5, "most": 1, "undo": True}),
        (f"{path}/map", {"rows": slots[0], "columns": slots[-1], "fix": fix}),
        (f"{path}/distribution", {"payoff": dice.choice([None, "payoff"])}),
        (f"{path}/states", {"sort": slots[0], "descending": True, "where": {slots[0]: "0..3"}, "first": 0, "count": 5}),
        (f"{path}/table", {"view": dice.choice([v["name"] for v in views["tables"]] or ["x"]), "fix": fix}),
        ("/api/jobs/1/cancel", {}),
        ("/api/robot/program", {"program": "dead ends filled"}),
        ("/api/robot/drive", {"solution": api.shelf.open("robot-maze").name, "policy": "optimal"}),
    ]
    return dice.choice(questions)


def changed(body: dict[str, Any], dice: random.Random) -> Any:
    """The question with one to three things wrong."""
    made: Any = copy.deepcopy(body)
    for _ in range(dice.randint(1, 3)):
        if not isinstance(made, dict) or not made:
            return dice.choice([made, strange(dice)])
        key, how = dice.choice(list(made)), dice.randrange(5)
        if how == 0:
            del made[key]
        elif how == 1:
            made[key] = strange(dice)
        elif how == 2:
            made[dice.choice(["x", "", "state", "game", "__proto__"])] = strange(dice)
        elif isinstance(made[key], list) and made[key]:
            made[key][dice.randrange(len(made[key]))] = strange(dice)
        elif isinstance(made[key], dict) and made[key]:
            made[key][dice.choice([*made[key], "x"])] = strange(dice)
        else:
            made[key] = [made[key]] if how == 3 else strange(dice)
    return made


def unfair(reply: Reply) -> str:
    """What is wrong with an answer; nothing if it is one, or says in a line why there is none."""

    def no_constant(text: str) -> Any:
        raise ValueError(f"{text} is no JSON")

    data = json.loads(reply.body, parse_constant=no_constant)
    if reply.status not in ALLOWED:
        return f"status {reply.status}: {data}"
    told = data.get("error") if reply.status != 200 else (data.get("progress") or {}).get("error")
    if reply.status != 200 and (set(data) != {"error"} or not told):
        return f"no error in {data}"
    if told and ("\n" in told or len(told) > MOST_SAID + 3 or "error in Zermelo" in told or "Traceback" in told):
        return f"a poor line: {told}"
    return ""


def ended(api: Any, reply: Reply) -> Reply:
    """The answer, or what the job comes to that it names."""
    data = json.loads(reply.body)
    for _ in range(1200):
        progress = data.get("progress") if isinstance(data, dict) and "result" in data else None
        if not progress or progress["status"] not in ("waiting", "running"):
            break
        time.sleep(0.05)
        reply = api.get(f"/api/jobs/{progress['job']}", {})
        data = json.loads(reply.body)
    return reply


def fuzzed(api: Any, seed: int, count: int) -> list[str]:
    """What went wrong in so many questions."""
    dice, wrong = random.Random(seed), []
    for _ in range(count):
        path, body = asked(api, dice)
        sent = json.dumps(changed(body, dice)).encode()
        if dice.random() < 0.1:
            at = dice.randrange(len(sent) + 1)
            sent = sent[:at] + bytes([dice.randrange(256)]) + sent[at + dice.randrange(3) :]
        reply = api.post(path, sent)
        found = unfair(reply) or unfair(ended(api, reply))
        if found:
            wrong.append(f"{path} {sent!r}: {found}")
    return wrong


@pytest.mark.parametrize("seed", range(2))
def test_questions_with_something_wrong(api: RobotApi, seed: int) -> None:
    assert fuzzed(api, seed, 100) == []
    assert api.get("/api/games", {}).status == 200


@pytest.mark.slow
def test_many_questions_with_something_wrong(api: RobotApi) -> None:
    assert fuzzed(api, 99, 3000) == []


def test_blackjack_with_something_wrong() -> None:
    api, dice = BlackjackApi({}), random.Random(3)
    name = json.loads(ended(api, api.post("/api/blackjack/table", b"{}")).body)["result"]["table"]
    training = json.loads(api.post("/api/blackjack/deal", json.dumps({"table": name}).encode()).body)["training"]
    questions: list[tuple[str, dict[str, Any]]] = [
        ("table", {"rules": {"decks": 6, "soft17": True}}),
        ("hand", {"table": name, "cards": "10 6", "up": "10", "seen": "A A"}),
        ("deal", {"table": name, "training": training}),
        ("decide", {"training": training, "option": "stand"}),
    ]
    for _ in range(200):
        verb, body = dice.choice(questions)
        body = changed(body, dice)
        reply = api.post(f"/api/blackjack/{verb}", json.dumps(body).encode())
        assert not unfair(reply), (verb, body, reply)
    assert api.post("/api/blackjack/hand", json.dumps(questions[1][1]).encode()).status == 200


# --- bytes that are no requests ------------------------------------------------------------------------------------------------

INSERTED = [b"\r\n", b"\x00", b" ", b"/../", b"%00", b"9" * 40, b"Host: evil\r\n", b"Transfer-Encoding: chunked\r\n"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving([Sheet("piglet", find("piglet"), {"goal": 3})]) as made:
        yield made


@pytest.mark.parametrize("seed", range(2))
def test_bytes_that_are_no_requests(server: Server, seed: int) -> None:
    """Whatever is sent: what comes back is an answer of HTTP, or the end of the connection, and the next request is answered."""
    dice, body = random.Random(seed), b'{"game": "piglet"}'
    heads = ("POST /api/open HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Content-Type: application/json", f"Content-Length: {len(body)}")
    good = "\r\n".join([*heads, "", ""]).encode() + body
    for _ in range(60):
        sent = bytearray(good)
        for _ in range(dice.randint(1, 6)):
            at, how = dice.randrange(len(sent)), dice.randrange(4)
            if how == 0:
                sent[at] = dice.randrange(256)
            elif how == 1:
                del sent[at + 1 : at + dice.randint(2, 12)]
            elif how == 2:
                sent[at:at] = dice.choice(INSERTED)
            else:
                sent = sent[: max(at, 1)]
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(bytes(sent))
            line.shutdown(socket.SHUT_WR)
            found = b""
            while part := line.recv(1 << 16):
                found += part
        assert found == b"" or found.startswith((b"HTTP/1.1 ", b'{"error"')), (bytes(sent), found[:200])
        assert b"Traceback" not in found and b" 500 " not in found.split(b"\r\n")[0]
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    asking.request("GET", "/api/games")
    assert asking.getresponse().status == 200
    asking.close()
