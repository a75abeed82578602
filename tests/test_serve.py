"""The page's questions and answers, in this process: they agree with the library, and whatever is wrong with one is said in one line."""

from __future__ import annotations

import gc
import http.client
import json
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import weakref
from collections.abc import Callable, Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import pandas
import pytest

import zermelo
from browser import serving
from several_threads import limited
from zermelo.cli import main
from zermelo.cli.serving import _sheets
from zermelo.cli.solving import DEFAULTS
from zermelo.games import CardDraw, ConnectFour, Pig
from zermelo.games.catalogue import COMMANDS
from zermelo.games.named import find
from zermelo.serve import pictures, positions
from zermelo.serve.api import Api, summary
from zermelo.serve.jobs import MOST_WAITING, Cancelled, Jobs
from zermelo.serve.server import MOST_AT_ONCE, MOST_BODY, Handler, Server
from zermelo.serve.shelf import MOST_KEPT, Sheet, sheet_of
from zermelo.serve.words import on_the_page
from zermelo.views.play import Session
from zermelo.views.table import actions

OWN = '''
from typing import NamedTuple

class S(NamedTuple):
    at: int

class One(NamedTuple):
    """Nothing happens."""
    def start(self):
        return S(0)
    def actions(self, s):
        if s.at > 0:
            yield 0
    def outcomes(self, s, a):
        yield 1, 0, S(0)

class Endless(NamedTuple):
    """Payoffs without end."""
    def start(self):
        return S(0)
    def actions(self, s):
        yield 0
    def outcomes(self, s, a):
        yield 1, 1, s

class Faulty(NamedTuple):
    def start(self):
        return S(0)
    def actions(self, s):
        yield 1
    def outcomes(self, s, a):
        yield -1, 1, S(s.at)

class Misdrawn(NamedTuple):
    """Its picture fails in the middle."""
    def start(self):
        return S(3)
    def actions(self, s):
        if s.at > 0:
            yield 1
    def outcomes(self, s, a):
        yield 1, 1, S(s.at - 1)
    def picture(self, s):
        return {"kind": "coins", "coins": s.at if s.at != 2 else "two"}

class Walk(NamedTuple):
    """Walk <b>far</b>."""
    length: int
    def start(self):
        return S(0)
    def actions(self, s):
        if s.at < self.length:
            yield 1
            yield 2
    def outcomes(self, s, a):
        yield 1, a, S(min(s.at + a, self.length))
        yield 1, 0, S(s.at + 1)
    def show(self, s):
        return str(1 // (s.at - 3))
'''


class Asking:
    """The API of some games."""

    def __init__(self, *words: str, **more: Any):
        self.api = Api([Sheet(word, find(word), **more) for word in words])

    def post(self, path: str, _status: int = 200, **asked: Any) -> Any:
        reply = self.api.post(f"/api/{path}", json.dumps(asked).encode())
        data = json.loads(reply.body)
        assert reply.status == _status, data
        if _status != 200:
            assert set(data) == {"error"} and "\n" not in data["error"] and data["error"]
            return data["error"]
        return data

    def get(self, path: str, _status: int = 200, **query: str) -> Any:
        reply = self.api.get(f"/api/{path}", query)
        assert reply.status == _status, reply.body
        return json.loads(reply.body) if reply.kind.startswith("application/json") else reply.body.decode()

    def solved(self, word: str, **asked: Any) -> dict[str, Any]:
        found = self.post("open", game=word, **asked)
        return self.until(lambda: self.get(f"solutions/{found['solution']}"))

    def view(self, solution: dict[str, Any], name: str, **asked: Any) -> Any:
        """The result of a job, or its error."""
        found = self.post(f"solutions/{solution['solution']}/{name}", **asked)
        found = self.until(lambda: self.get(f"jobs/{found['progress']['job']}"))
        return found["result"] if found["progress"]["status"] == "done" else found["progress"]["error"]

    def at(self, solution: dict[str, Any], *slots: int) -> Any:
        return self.post(f"solutions/{solution['solution']}/position", **({"state": list(slots)} if slots else {}))

    @staticmethod
    def until(ask: Callable[[], Any]) -> Any:
        end = time.monotonic() + 120
        while (found := ask())["progress"]["status"] in ("waiting", "running"):
            assert time.monotonic() < end
            time.sleep(0.02)
        return found


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "served_games.py"
    path.write_text(OWN)
    return path


# --- it says what the library says ----------------------------------------------------------------------------------------


def test_the_answer_is_that_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    told = Asking("pig").solved("pig", parameters={"goal": "10"})
    assert main(["solve", "pig", "--goal", "10", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    different = {"statistics", "output"}  # times; a file
    assert {n: told[n] for n in printed if n not in different} == {
        n: v for n, v in printed.items() if n not in different
    }
    assert told["lines"][0][0] == "first player wins" and told["kind"] == "states"


@pytest.mark.parametrize(
    ("word", "parameters"),
    [
        ("pig", {"goal": 8}),
        ("tic-tac-toe", {}),
        ("card-draw", {"red": 4, "black": 4}),
        ("left-center-right", {"players": 3}),
        ("dodgem", {"size": 2}),
    ],
)
def test_positions_and_outcomes_are_those_of_probe(word: str, parameters: dict[str, Any]) -> None:
    asking = Asking(word)
    told, solution = asking.solved(word, parameters=parameters), zermelo.solve(word, **parameters)
    dice = random.Random(1)
    for _ in range(8):
        state, slots = solution.rules.start, told["play"]["start"]
        for _ in range(100):
            shown, probe = asking.at(told, *slots), solution.probe(state)
            assert shown["value"] == float(probe.value) and shown["text"] == solution.rules.show(state)
            assert {a["name"]: a["value"] for a in shown["actions"]} == {
                solution.rules.action_name(a): float(v) for a, v in probe.actions.items()
            }
            if shown["over"]:
                assert shown["paid at the end"] == [float(x) for x in solution.rules.payoff(state)]
                break
            best = shown["actions"][0]
            sign = 1 if probe.player == 0 else -1
            assert best["loss"] <= 1e-12 and all(
                a["loss"] == pytest.approx(sign * (best["value"] - a["value"]), abs=1e-12) for a in shown["actions"]
            )
            action = dice.choice(shown["actions"])
            led = asking.post(f"solutions/{told['solution']}/outcomes", state=slots, action=action["index"])
            ours = [o for o in solution.rules.outcomes(state, solution.rules.actions(state)[action["index"]]) if o.ways]
            ways: dict[tuple[Any, ...], Fraction] = {}
            for o in ours:
                ways[o[1:]] = ways.get(o[1:], Fraction(0)) + Fraction(o.ways)
            chances = sorted((float(w / sum(ways.values())) for w in ways.values()), reverse=True)
            assert [o["probability"] for o in led["outcomes"]] == chances  # what differs in nothing is one outcome
            drawn = led["outcomes"][dice.randrange(len(led["outcomes"]))]
            (outcome,) = [
                o for o in ours if list(map(int, flat(o.state))) == drawn["state"] and o.sign == drawn["sign"]
            ][:1]
            assert drawn["payoff"] == [float(x) for x in outcome.payoff]
            state, slots = outcome.state, drawn["state"]


def flat(state: Any) -> list[Any]:
    return [x for field in state for x in (field if isinstance(field, tuple) else (field,))]


def test_chance_is_drawn_as_often_as_it_should_be() -> None:
    asking = Asking("pig")
    told = asking.solved("pig", parameters={"goal": 5})
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(1200):
        led = asking.post(f"solutions/{told['solution']}/outcomes", state=told["play"]["start"], action=0)
        state = tuple(led["outcomes"][led["drawn"]]["state"])
        counts[state] = counts.get(state, 0) + 1
    expected = {tuple(o["state"]): 0.0 for o in led["outcomes"]}
    for o in led["outcomes"]:
        expected[tuple(o["state"])] += 1200 * o["probability"]
    assert (
        sum((counts.get(s, 0) - e) ** 2 / e for s, e in expected.items()) < 25
    )  # chi-squared of at most 5 degrees: 1 in 10,000


@pytest.fixture(scope="module")
def lemonade() -> Any:
    """Solved once: what the page says of other games is compared with a solution of the library's own."""
    asking = Asking("lemonade")
    told = asking.solved("lemonade", parameters={"days": 1})
    book = asking.api.shelf.book(told["solution"])
    assert book is not None
    return asking, told, book.solution


def test_moves_that_are_typed_as_numbers(lemonade: Any) -> None:
    asking, told, game = lemonade
    shown = asking.at(told)
    assert shown["asks"] == list(game.rules.asks(game.rules.start)) and shown["asks"]
    best = game.best_action(game.rules.start)
    led = asking.post(f"solutions/{told['solution']}/outcomes", state=told["play"]["start"], action=list(best))
    assert led["loss"] == pytest.approx(0, abs=1e-9) and led["action"] == game.rules.action_name(best)
    asking.post(f"solutions/{told['solution']}/outcomes", 400, state=told["play"]["start"], action=[-1] * len(best))


def test_simultaneous_moves() -> None:
    asking, parameters = Asking("hog-simultaneous"), {"goal": 6, "most_dice": 2}
    told, solution = (
        asking.solved("hog-simultaneous", parameters=parameters),
        zermelo.solve("hog-simultaneous", **parameters),
    )
    shown, probe = asking.at(told), solution.probe(solution.rules.start)
    assert probe.mixture is not None and probe.other_mixture is not None
    name = solution.rules.action_name
    assert {a["name"]: a["probability"] for a in shown["actions"]} == {
        name(a): float(p) for a, p in probe.mixture.items()
    }
    assert {a["name"]: a["probability"] for a in shown["other actions"]} == {
        name(a): float(p) for a, p in probe.other_mixture.items()
    }
    led = asking.post(f"solutions/{told['solution']}/outcomes", state=told["play"]["start"], action=0, other=1)
    assert "against" in led["action"]
    asking.post(f"solutions/{told['solution']}/outcomes", 400, state=told["play"]["start"], action=0)


def test_exact_values() -> None:
    told = Asking("piglet").solved("piglet", parameters={"goal": 3}, options={"exact": True})
    exact = zermelo.solve("piglet", goal=3, exact=True)
    assert Fraction(told["exact"]) == exact.value and told["certificate"]["kind"] == "proof"


def test_a_map_is_the_values_of_the_states() -> None:
    asking = Asking("pig")
    told, solution = asking.solved("pig", parameters={"goal": 9}), zermelo.solve("pig", goal=9)
    name = solution.rules.action_name
    found = asking.view(told, "map", rows="mine", columns="theirs", fix={"turn": 3})
    assert (
        found["fixed"] == {"turn": 3}
        and found["unit"] == "chance that the player to move wins"
        and len(found["values"]) > 20
    )
    for mine, theirs, value, chance, best in zip(
        *(found["at"][n] for n in ("mine", "theirs")), found["values"], found["shown"], found["best"], strict=True
    ):
        probe = solution.probe(solution.state(mine, theirs, 3))
        assert value == float(probe.value) and chance == (1 + value) / 2
        assert (found["actions"][best] if best >= 0 else None) == (None if probe.action is None else name(probe.action))
    assert found["texts"][:1] == [solution.rules.in_line(solution.state(found["at"]["mine"][0], found["at"]["theirs"][0], 3))]
    assert "no field 'mime'" in asking.view(told, "map", rows="mime")
    assert "no state with" in asking.view(told, "map", fix={"turn": 99})
    for name in ("map", "table"):
        assert asking.view(told, name, view="states", fix={"turn": 1.5}) == "turn must be a whole number, not 1.5"


def test_the_map_of_a_game_in_stages_tells_each_state_as_it_is() -> None:
    """It is solved again for the map, and keys of the first solution have other bits: other states were described, with their actions."""
    asking, solution = Asking("ten-thousand-race"), zermelo.solve("ten-thousand-race", goal=2)
    found = asking.view(asking.solved("ten-thousand-race", parameters={"goal": 2}), "map", rows="mine", columns="theirs")
    name = solution.rules.action_name
    for k, (text, best) in enumerate(zip(found["texts"], found["best"], strict=True)):
        state = solution.state(**{"rolled": 0, **found["fixed"], **{n: at[k] for n, at in found["at"].items()}})
        probe = solution.probe(state)
        assert text == solution.rules.in_line(state)
        assert (found["actions"][best] if best >= 0 else None) == (None if probe.action is None else name(probe.action))


def test_amounts_are_told_in_the_unit_of_the_game(lemonade: Any) -> None:
    """Lemonade's rules count cents: its distribution was told in them, without a unit."""
    asking, told, solution = lemonade
    spread = solution.distribution("assets")
    found = asking.view(told, "distribution", payoff="assets")
    assert found["says"].startswith(f"mean ${spread.mean / 100:.2f}, ") and found["mean"] == spread.mean
    assert asking.view(told, "distribution")["says"] == solution.distribution().in_words()
    states = asking.view(told, "states")
    assert states["heads"] == {"assets (solution)": "assets (solution), 1/100 $", "error": "error, 1/100 $"}
    other = Asking("pig")
    assert other.view(other.solved("pig", parameters={"goal": 5}), "states")["heads"] == {}


def test_large_maps_are_thinned_and_say_so() -> None:
    asking = Asking("card-draw")
    told = asking.solved("card-draw", parameters={"red": 1100, "black": 20})
    found = asking.view(told, "map", rows="red", columns="black")
    assert (
        found["thinned"] == {"red": 3}
        and len(found["values"]) == 367 * 21
        and set(np.diff(sorted(set(found["at"]["red"])))) == {3}
    )


def test_distributions() -> None:
    asking = Asking("pig")
    told = asking.solved("pig", parameters={"goal": 6})
    found, spread = asking.view(told, "distribution"), zermelo.solve("pig", goal=6).distribution(tail=1e-9)
    assert found["mean"] == spread.mean and found["bars"][0][:2] == [int(spread.support[0])] * 2
    assert sum(p for *_, p in found["bars"]) + found["above"] + found["below"] == pytest.approx(1)
    assert "no payoff 'x'" in asking.view(told, "distribution", payoff="x")


def test_the_list_of_all_states_page_by_page() -> None:
    asking = Asking("pig")
    told, frame = asking.solved("pig", parameters={"goal": 6}), zermelo.solve("pig", goal=6).to_dataframe()
    found = asking.view(
        told, "states", sort="value", descending=True, where={"turn": "1..3", "action": "HOLD"}, first=2, count=3
    )
    ours = frame[(frame.turn >= 1) & (frame.turn <= 3) & (frame.action == "hold")].sort_values(
        "value", ascending=False, kind="stable"
    )
    assert found["of"] == len(ours) and [row[3] for row in found["rows"]] == list(ours.value[2:5])
    assert "is a number" in asking.view(told, "states", where={"turn": "many"})
    assert "no column" in asking.view(told, "states", sort="nothing")
    assert "whole numbers" in asking.view(told, "states", first=-1)
    text = asking.get(
        f"solutions/{told['solution']}/states.csv", where='{"turn": ">=2"}', sort="mine", descending="true"
    )
    pandas.testing.assert_frame_equal(
        pandas.read_csv(StringIO(text)),
        frame[frame.turn >= 2].sort_values("mine", ascending=False, kind="stable").reset_index(drop=True),
        check_dtype=False,
    )
    records = asking.get(f"solutions/{told['solution']}/states.json")
    assert len(records) == len(frame) and records[3]["value"] == pytest.approx(frame.value[3], abs=1e-14)


def test_tables_and_pictures_of_the_catalogue() -> None:
    asking = Asking("card-draw")
    told = asking.solved("card-draw", parameters={"red": 4, "black": 4})
    for view in told["views"]["tables"]:
        found = asking.view(told, "table", view=view["name"])
        assert found["columns"] and len(found["rows"]) == len(found["sorted by"]) and found["data"]["title"]
    found = asking.view(told, "figure", view="values", fix={"red": 2})
    assert found["svg"].lstrip().startswith("<?xml") and "<script" not in found["svg"]
    assert "no view 'x'" in asking.view(told, "figure", view="x")


def test_no_game_is_solved_again_before_a_view_needs_it() -> None:
    solution = zermelo.solve("ten-thousand-race", goal=2)
    assert summary(solution)["has states"]["yes"] and solution.answers.bridge is None  # type: ignore[attr-defined]
    solution.require_states("a map")
    assert solution.answers.bridge is not None  # type: ignore[attr-defined]


@pytest.mark.parametrize(("word", "kind"), [("kuhn-poker", "hidden"), ("binary-search", "strategies")])
def test_games_of_strategies(word: str, kind: str) -> None:
    asking = Asking(word)
    told = asking.solved(word, parameters={} if kind == "hidden" else {"n": 5})
    assert told["kind"] == kind and told["lines"][0][0] == "value" and not told["has states"]["yes"]
    assert asking.view(told, "states")["of"] > 3
    assert "no states" in asking.post(f"solutions/{told['solution']}/position", 400)
    assert asking.view(told, "map") == told["has states"]["why"].replace("a map or list of all states", "a map")
    spread = asking.view(told, "distribution", payoff="payoff")
    assert spread["mean"] == pytest.approx(told["value"]) and sum(p for *_, p in spread["bars"]) == pytest.approx(1)


def test_the_distribution_of_a_matrix_game_is_in_its_payoffs(tmp_path: Path) -> None:
    """It was refused with the name of a method. Payoffs may be fractions; rare strategies are grouped."""
    fair = zermelo.matrix_game([[0.5, -1, 2], [1, 0, -1], [-1, 2, 0]])
    many = zermelo.matrix_game([[(i * j) % 701 * (1 if i < j else -1) + (i == j) * 1000 for j in range(40)] for i in range(40)])
    for solution in (fair, many):
        solution.save(path := tmp_path / "m.zermelo")
        asking = Asking(str(path))
        told, ours = asking.solved(str(path)), solution.distribution()
        for payoff in (None, "payoff"):
            found = asking.view(told, "distribution", payoff=payoff)
            assert found["of"] == "payoff" and found["mean"] == float(ours.mean)
            assert found["quantiles"]["0.5"] == float(ours.quantile(0.5))
            assert len(found["bars"]) <= pictures.MOST_BARS and sum(p for *_, p in found["bars"]) == pytest.approx(1)
            for low, high, p in found["bars"]:
                within = sum(q for x, q in zip(ours.support, ours.probabilities, strict=True) if low <= x <= high)
                assert p == pytest.approx(float(within))
        assert "no payoff named 'length'" in asking.view(told, "distribution", payoff="length")


KINDS = ("pig", "kuhn-poker", "binary-search", "hog-simultaneous", "connect-four", "m.zermelo", "data.zermelo")
ROUTES = (
    ("position", {}), ("position", {"state": [0]}), ("outcomes", {"state": [0], "action": 0}), ("search", {"seat": 0}),
    ("deal", {"seat": 0}),
    ("map", {}), ("distribution", {}), ("distribution", {"payoff": "payoff"}), ("distribution", {"payoff": "x"}), ("table", {"view": "x"}),
    ("figure", {"view": "x"}), ("states", {}),
)  # fmt: skip
SMALL = {
    "pig": {"goal": 5}, "binary-search": {"n": 4}, "hog-simultaneous": {"goal": 3, "most_dice": 3},
    "connect-four": {"width": 3, "height": 2},
}  # fmt: skip
INTERNAL = ("require_states", "to_dataframe", "Solution has no", "object has no", "Traceback", "an error in Zermelo")


@pytest.mark.parametrize("word", KINDS)
def test_every_request_of_every_kind_of_solution(word: str, tmp_path: Path, own: Path) -> None:
    """It is answered, or refused in words that someone at the page can use."""
    if word == "m.zermelo":
        zermelo.matrix_game([[1, -1], [-1, 2]]).save(tmp_path / word)
    elif word == "data.zermelo":
        command = [sys.executable, "-m", "zermelo", "solve", f"{own}:One", "-o", tmp_path / word]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        own.unlink()
    name = str(tmp_path / word) if word.endswith("zermelo") else word
    asking = Asking(name)
    told = asking.solved(name, **({"parameters": SMALL[word]} if word in SMALL else {}))
    said = [told["has states"]["why"]]
    for route, body in ROUTES:
        reply = asking.api.post(f"/api/solutions/{told['solution']}/{route}", json.dumps(body).encode())
        found = json.loads(reply.body)
        if "progress" in found:
            found = asking.until(lambda job=found: asking.get(f"jobs/{job['progress']['job']}"))  # type: ignore[misc]
            said.append(found["progress"]["error"] or "")
        assert reply.status in (200, 400), found
        said.append(found.get("error") or "")
    for file in ("states.csv", "states.json"):
        reply = asking.api.get(f"/api/solutions/{told['solution']}/{file}", {})
        assert reply.status in (200, 400)
        said.append("" if reply.status == 200 else reply.body.decode())
    assert not [text for text in said if any(word in text for word in INTERNAL)]


def test_a_large_race_has_positions_and_refuses_the_rest() -> None:
    asking = Asking("ten-thousand-race")
    told = asking.solved("ten-thousand-race", parameters={"goal": 6})
    solution = zermelo.solve("ten-thousand-race", goal=6)
    assert asking.at(told)["value"] == float(solution.value)
    if not told["has states"]["yes"]:
        assert told["has states"]["why"] == asking.view(told, "map")


# --- saved solutions ---------------------------------------------------------------------------------------------------


def test_saved_solutions(tmp_path: Path, own: Path) -> None:
    zermelo.solve("pig", goal=7).save(tmp_path / "pig.zermelo")
    asking = Asking(str(tmp_path / "pig.zermelo"))
    told = asking.solved(str(tmp_path / "pig.zermelo"))
    assert told["value"] == float(zermelo.solve("pig", goal=7).value) and asking.at(told)["actions"]
    assert told["in words"] == "Pig: first to 7 points"  # where the page has no form, and the name of the file as its title
    assert "too late" in asking.post("open", 400, game=str(tmp_path / "pig.zermelo"), parameters={"goal": 5})
    walk = find(f"{own}:One").game({})
    zermelo.solve(walk).save(tmp_path / "one.zermelo")
    text = (tmp_path / "one.zermelo").read_bytes()
    assert text
    (tmp_path / "bad.zermelo").write_bytes(text[:100])
    asking = Asking(str(tmp_path / "bad.zermelo"))
    assert asking.solved(str(tmp_path / "bad.zermelo"))["progress"]["status"] == "failed"


# --- what can go wrong -----------------------------------------------------------------------------------------------------


def test_games_that_cannot_be_solved(own: Path) -> None:
    asking = Asking(f"{own}:Endless", f"{own}:Faulty", f"{own}:Walk", f"{own}:One", "pig")
    failed = asking.solved(f"{own}:Endless")["progress"]
    assert failed["status"] == "failed" and "\n" not in failed["error"] and failed["error"]
    failed = asking.solved(f"{own}:Faulty")["progress"]
    assert failed["error"].startswith("1 fault in the rules of Faulty") and len(failed["faults"]) == 1
    assert "there is no default" in asking.post("open", 400, game=f"{own}:Walk")
    one = asking.solved(f"{own}:One")
    shown = asking.at(one)
    assert shown["over"] and shown["actions"] == [] and one["lines"] == [["value", "0"]]
    assert "the play is over" in asking.post(f"solutions/{one['solution']}/outcomes", 400, state=[0], action=0)
    assert asking.view(one, "states")["of"] == 1 and asking.view(one, "map")["values"] == [0.0]
    assert "from 1 to 1000" in asking.post("open", 400, game="pig", parameters={"goal": 0})
    assert "no parameter 'gaol'" in asking.post("open", 400, game="pig", parameters={"gaol": 10})
    assert "no option 'solver'" in asking.post("open", 400, game="pig", options={"solver": "x"})
    assert "discount must" in asking.post("open", 400, game="pig", options={"discount": 2})
    assert "exact must" in asking.post("open", 400, game="pig", options={"exact": 1})
    assert "not started for" in asking.post("open", 404, game="/etc/passwd")


def test_options_have_the_names_that_they_have_on_the_page(tmp_path: Path, own: Path) -> None:
    """Python's notation, which nobody can type there, is rewritten: in errors, in faults of rules, and in what a larger search needs."""
    path = tmp_path / "worded_game.py"
    rules = OWN.partition("class Faulty")[0]
    path.write_text(rules.replace("yield 1, 0, S(0)", "yield 1, 0.1234567890123456789, S(0)").replace("return S(0)", "return S(1)", 1))
    asking = Asking(str(path) + ":One", f"{own}:Endless", options={"max_states": 10})
    failed = asking.solved(f"{path}:One", options={"exact": True})["progress"]
    assert failed["error"].startswith('the option "exact" needs whole numbers or short decimals in the rules')
    said = asking.solved(f"{own}:Endless")["progress"]["error"]
    assert "with a discount, such as 0.99, there is one" in said and "=" not in said.partition("States")[0]
    assert on_the_page("it has more than 9 states; give smaller parameters or raise max_states") == (
        "it has more than 9 states; give smaller parameters or start the page with a larger --max-states"
    )
    assert on_the_page("end play, or give max_states=7 if it does end") == "end play, or start the page with --max-states=7 if it does end"
    assert on_the_page("it has no value (`probe` with off_play=True works one out)") == "it has no value"
    assert on_the_page("more than 9 (max_states)") == "more than 9 (--max-states)"
    assert on_the_page("leave out refine=True for an interval") == 'leave out the option "refine" for an interval'
    assert on_the_page("no field exact=1, as `exact` is none") == "no field exact=1, as `exact` is none"


def test_rules_that_fail_when_they_are_shown_do_not_end_the_page(own: Path) -> None:
    asking = Asking(f"{own}:Walk")
    told = asking.solved(f"{own}:Walk", parameters={"length": "6"})
    if told["progress"]["status"] == "failed":  # the checker found it
        assert told["progress"]["faults"]
        return
    assert asking.at(told, 2)["text"] == "-1"
    assert "S(at=3)" in asking.at(told, 3)["text"]


@pytest.mark.usefixtures("in_python")
def test_pictures_and_their_places() -> None:
    asking = Asking("dodgem")
    told = asking.solved("dodgem", parameters={"size": 3})
    shown, rules = asking.at(told), zermelo.solve("dodgem", size=3).rules
    assert shown["picture"] == rules.picture(rules.start)
    legal = rules.actions(rules.start)
    assert shown["places"] == {str(k): rules.places(rules.start, a) for k, a in enumerate(legal)} and len(legal) > 1


def test_a_picture_that_fails_is_told_and_the_rest_goes_on(own: Path) -> None:
    asking = Asking(f"{own}:Misdrawn")
    told = asking.solved(f"{own}:Misdrawn")
    assert any("`picture`" in note or "'coins' of element 1" in note for note in told["notes"])
    assert asking.at(told, 3)["picture"] == [{"kind": "coins", "coins": 3}]
    shown = asking.at(told, 2)
    assert "picture" not in shown and shown["text"] == "S(at=2)" and len(shown["actions"]) == 1
    assert shown["misdrawn"] == (
        "There is no picture of this position: 'coins' of element 1 of `picture` must be a whole number from 0, not 'two'."
    )


def test_parameters_that_are_no_parameters() -> None:
    asking, dice = Asking("pig", "coin-patterns"), random.Random(3)
    junk = [True, -1, 1.5, 10**400, "", "x" * 900, [], {}, [[1]], {"a": {}}, [None], "1,2", "nan", float("inf"), "²", "１"]
    for _ in range(150):
        name = dice.choice(["goal", "first", "flips", ""])
        body = {"game": dice.choice(["pig", "coin-patterns"]), "parameters": {name: dice.choice(junk)}}
        body["options"] = {dice.choice(["exact", "discount", "x"]): dice.choice(junk)} if dice.random() < 0.5 else dice.choice(junk)
        reply = asking.api.post("/api/open", json.dumps(body).encode())
        assert reply.status in (200, 400), (body, reply.body)
        if reply.status == 200:
            asking.api.post(f"/api/jobs/{json.loads(reply.body)['progress']['job']}/cancel", b"")


def test_typed_actions_that_are_none() -> None:
    asking = Asking("lemonade")
    told = asking.solved("lemonade", parameters={"days": 1})
    for action in ([[1], 2, 3], [1.5, 0, 3], [1, 2], [], ["1", "2", "3"], [None] * 3, [{}, {}, {}], [10**40, 0, 1], [True, 0, 1]):
        assert asking.post(f"solutions/{told['solution']}/outcomes", 400, state=told["play"]["start"], action=action)


NIM = """
from typing import NamedTuple

class Heap(NamedTuple):
    left: int
    turn: int

class Nim(NamedTuple):
    def start(self):
        return Heap(5, 1)
    def player(self, s):
        return s.turn
    def actions(self, s):
        for n in range(1, min(3, s.left) + 1):
            yield n
    def outcomes(self, s, n):
        yield 1, 0, Heap(s.left - n, 1 - s.turn)
    def payoff(self, s):
        return 1 if s.turn == 1 else -1
"""


@pytest.mark.usefixtures("in_python")
def test_a_win_is_that_of_whoever_moves(tmp_path: Path) -> None:
    """In games without PASS the wins of player 1 were called losses, and his mistakes gave up nothing. Who takes the last one wins."""
    path = tmp_path / "nim_of_two.py"
    path.write_text(NIM)
    asking = Asking(str(path))
    told = asking.solved(str(path))
    assert told["lines"][-1] == ["value", "-1, a win for the second player, who begins, in 3 moves"]
    for left, turn in ((5, 1), (4, 0), (2, 0), (3, 1), (1, 0)):
        shown = asking.at(told, left, turn)
        wins = left % 4 > 0
        assert shown["says"].startswith("win in" if wins else "loss in") and shown["player"] == turn
        assert [a["says"].split()[0] for a in shown["actions"]] == ["win"] * wins + ["loss"] * (min(3, left) - wins)
        assert [a["action"] for a in shown["actions"] if a["loss"] == 0] == ([left % 4] if wins else [1, 2, 3])
    assert asking.at(told, 0, 1)["says"] == "the first player won" and asking.at(told, 0, 0)["says"] == "the second player won"


AIMED = """
from typing import NamedTuple

class At(NamedTuple):
    left: int
    done: tuple[int, ...]

class Aimed(NamedTuple):
    long: int = 2
    def start(self):
        return At(6, (0,) * self.long)
    def actions(self, s):
        if s.left > 1:
            yield (2,)
    def asks(self, s):
        return ("steps",)
    def why_not(self, s, action):
        return "" if 0 < action[0] <= s.left else "too far"
    def outcomes(self, s, action):
        (steps,) = action
        yield 1, steps, At(s.left - steps, s.done)
"""


def test_states_and_actions_that_were_not_solved_are_refused_in_words_of_the_page(tmp_path: Path) -> None:
    """What Python says of them names an argument that nobody can type at the page. The table that is named instead gives their value."""
    path = tmp_path / "aimed_game.py"
    path.write_text(AIMED)
    asking = Asking(str(path), "card-draw", "dodgem")
    told = asking.solved("card-draw", parameters={"red": 3, "black": 4})
    solved, table = f"solutions/{told['solution']}", "what every action is worth at one state"
    more = f'enter other numbers, or try the table "{table}": where it can, it works out what such a state is worth'
    for name, more_asked in (("position", {}), ("outcomes", {"action": 0})):
        said = asking.post(f"{solved}/{name}", 400, state=[7, 5], **more_asked)
        assert said == f"no play from the start comes to red 7, black 5: {more}"
    assert table in [view["about"] for view in told["views"]["tables"] if view["name"] == "actions"]
    probe = zermelo.solve("card-draw", red=3, black=4).probe(CardDraw.State(7, 5), off_play=True)
    rows = asking.view(told, "table", view="actions", fix={"red": 7, "black": 5})["sorted by"]
    assert {name: value for name, value, _ in rows} == pytest.approx({probe.action_names[a]: v for a, v in probe.actions.items()})
    board = asking.solved("dodgem")
    said = asking.post(f"solutions/{board['solution']}/position", 400, state=[3] * len(board["play"]["start"]))
    assert said.startswith("no play from the start comes to ") and "off_play" not in said and "(" not in said
    for kind in ("table", "figure"):
        said = asking.view(board, kind, view="moves", fix={"cells[0]": 2})
        assert said.startswith("no play from the start comes to cells 2 0 0 1 0 0 0 2 2: enter other numbers, or try the table")
    for long, words in ((2, "left 5, done 0 0"), (60, "this state")):
        own = asking.solved(str(path), parameters={"long": long})
        said = asking.post(f"solutions/{own['solution']}/position", 400, state=[5, *[0] * long])
        assert said.startswith(f"no play from the start comes to {words}: enter other numbers")
        start = own["play"]["start"]
        assert asking.post(f"solutions/{own['solution']}/outcomes", state=start, action=[2])["outcomes"]
        said = asking.post(f"solutions/{own['solution']}/outcomes", 400, state=start, action=[3])
        assert said.endswith("leads to states that were not solved: choose one of the actions in the list")
        assert asking.post(f"solutions/{own['solution']}/outcomes", 400, state=start, action=[7]).endswith("too far")


def test_hostile_questions() -> None:
    asking = Asking("pig", "tic-tac-toe")
    told = asking.solved("pig", parameters={"goal": 5})
    name = told["solution"]
    for state in (
        [],
        [0],
        [0, 0, 0, 0],
        [0.5, 0, 0],
        ["0", 0, 0],
        [True, 0, 0],
        {"mine": 0},
        "0,0,0",
        [10**30, 0, 0],
        [-1, 0, 0],
        [4, 4, 4],
        7,
    ):
        assert asking.post(f"solutions/{name}/position", 400, state=state)
    for action in (None, -1, 1, 10**20, 0.0, "0", True, [0], {"a": 1}):
        assert asking.post(f"solutions/{name}/outcomes", 400, state=[0, 0, 0], action=action)
    for path in (
        "",
        "nothing",
        "solutions",
        f"solutions/{name}",
        f"solutions/{name}/save",
        "solutions/x/position",
        "jobs/7/x",
        "jobs/999/cancel",
    ):
        asking.post(path, 404)
    asking.get("jobs/999", 404)
    asking.get(f"solutions/{name}/../../x", 404)
    for body in (
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"x"',
        b"\xff",
        b"[" * 100_000,
        b'{"state": 1e999}',
        b'{"game": ' + b"9" * 5000 + b"}",
    ):
        reply = asking.api.post("/api/open", body)
        assert reply.status in (400, 404) and set(json.loads(reply.body)) == {"error"}
    dice = random.Random(7)
    junk = [None, True, 0, -1, 1.5, 10**40, "", "x" * 900, [], {}, [[]], {"a": {}}, [None], "mine", "..", float("inf")]
    for _ in range(300):
        verb = dice.choice(["position", "outcomes", "map", "distribution", "table", "figure", "states"])
        keys = [
            "state",
            "action",
            "other",
            "rows",
            "columns",
            "fix",
            "payoff",
            "view",
            "sort",
            "where",
            "first",
            "count",
            "descending",
        ]
        body = json.dumps({k: dice.choice(junk) for k in dice.sample(keys, dice.randrange(1, 6))}).encode()
        reply = asking.api.post(f"/api/solutions/{name}/{verb}", body)
        assert reply.status in (200, 400), (verb, body, reply.body)
    assert asking.at(told)["text"]


# --- jobs ------------------------------------------------------------------------------------------------------------------


def test_solving_is_cancelled_and_can_be_begun_again() -> None:
    asking = Asking("ten-thousand-race", "pig")
    first = asking.post("open", game="ten-thousand-race", parameters={"goal": 200})
    job = first["progress"]["job"]
    second = asking.post("open", game="pig", parameters={"goal": 5})
    assert second["progress"]["status"] == "waiting"  # one at a time
    told = asking.post(f"jobs/{job}/cancel")["progress"]
    assert told["cancelling"] or told["status"] == "cancelled"
    assert asking.until(lambda: asking.get(f"jobs/{job}"))["progress"]["status"] == "cancelled"
    assert asking.until(lambda: asking.get(f"solutions/{second['solution']}"))["value"]
    asking.post(f"solutions/{first['solution']}/position", 409)
    again = asking.post("open", game="ten-thousand-race", parameters={"goal": 200})
    assert again["progress"]["job"] != job
    asking.post(f"jobs/{again['progress']['job']}/cancel")


def test_what_waits_for_its_turn_is_cancelled_at_once_and_can_be_begun_again() -> None:
    """It went on waiting for the work before it, "ending at the next step", and whoever opened the game again got it, cancelled."""
    asking, go = Asking("pig"), threading.Event()
    try:
        asking.api.jobs.start(lambda progress: go.wait(60))
        job = asking.post("open", game="pig", parameters={"goal": 5})["progress"]["job"]
        told = asking.post(f"jobs/{job}/cancel")["progress"]
        assert (told["status"], told["cancelling"]) == ("cancelled", False)
        again = asking.post("open", game="pig", parameters={"goal": 5})
        assert again["progress"]["status"] == "waiting" and again["progress"]["job"] != job
    finally:
        go.set()
    assert asking.until(lambda: asking.get(f"solutions/{again['solution']}"))["progress"]["status"] == "done"


def test_a_game_that_is_opened_while_it_is_being_cancelled_is_solved_anew() -> None:
    """It was cancelled for the second page, too."""
    asking, begun, go = Asking("pig"), threading.Event(), threading.Event()
    book = asking.api.shelf.open("pig", {"goal": 5})
    assert book.job.over.wait(60)

    def slow(progress: Any) -> None:
        begun.set()
        assert go.wait(60)
        progress("solving", 0, None)

    book.job = asking.api.jobs.start(slow)
    assert begun.wait(60)
    book.job.cancel()
    try:
        again = asking.api.shelf.open("pig", {"goal": 5})
        assert again is not book and not again.job.is_unwanted
    finally:
        go.set()
    assert again.job.over.wait(60) and again.job.status == "done" and book.job.status == "cancelled"


def test_two_tabs_share_a_solution() -> None:
    asking = Asking("pig")
    names = {
        asking.post("open", game="pig", parameters=p)["progress"]["job"]
        for p in ({"goal": 12}, {"goal": "12"}, {"goal": 12})
    }
    assert len(names) == 1


def test_old_solutions_are_forgotten() -> None:
    asking = Asking("pig")
    names = [asking.solved("pig", parameters={"goal": goal})["solution"] for goal in range(1, MOST_KEPT + 3)]
    asking.get(f"solutions/{names[0]}", 404)
    assert asking.get(f"solutions/{names[-1]}")["value"] is not None


def test_forgotten_solutions_leave_the_memory() -> None:
    """Also those that `zermelo serve` sets apart from garbage collections, without one. In a process of its own, as others have millions
    of objects to look through at each collection."""
    code = "import test_serve; test_serve.forget(False); test_serve.forget(True)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=True, timeout=120)


def forget(is_set_apart: bool) -> None:
    asking = Asking("pig")
    asking.api.shelf.is_set_apart = is_set_apart
    first = asking.solved("pig", parameters={"goal": 1})["solution"]
    book = asking.api.shelf.book(first)
    assert book is not None and (gc.get_freeze_count() > 10_000) == is_set_apart
    kept = weakref.ref(book.solution)
    del book
    for goal in range(2, MOST_KEPT + 4):
        asking.solved("pig", parameters={"goal": goal})
    if not is_set_apart:
        gc.collect()
    assert kept() is None


def test_no_more_jobs_wait_than_can_be_answered() -> None:
    asking, begun, go = Asking("pig"), threading.Event(), threading.Event()
    told = asking.solved("pig", parameters={"goal": 5})
    asking.api.jobs.start(lambda progress: begun.set() or go.wait(60))
    assert begun.wait(30)
    waiting = [asking.api.jobs.start(lambda progress: None) for _ in range(MOST_WAITING)]
    assert "try again later" in asking.post(f"solutions/{told['solution']}/map", 503)
    waiting[3].cancel()
    another = asking.api.jobs.start(lambda progress: None)
    go.set()
    assert another.over.wait(30)


def test_jobs() -> None:
    jobs, begun, go = Jobs(), threading.Event(), threading.Event()

    def work(progress: Any) -> str:
        begun.set()
        assert go.wait(30)
        progress("counting", 1, 3)
        return "done"

    one, two = jobs.start(work), jobs.start(work)
    assert begun.wait(30) and two.status == "waiting"
    two.cancel()
    go.set()
    assert one.over.wait(30) and two.over.wait(30)
    assert (one.status, one.result, one.doing, one.total) == ("done", "done", "counting", 3)
    assert two.status == "cancelled" and not issubclass(Cancelled, Exception)
    failed = jobs.start(lambda progress: 1 // 0)
    assert failed.over.wait(30) and "ZeroDivisionError" in failed.error and failed.as_data()["status"] == "failed"


def test_no_thread_is_left_when_nothing_waits() -> None:
    before, jobs = set(threading.enumerate()), Jobs()
    for _ in range(2):
        assert jobs.start(lambda progress: None).over.wait(30)
        for thread in set(threading.enumerate()) - before:
            thread.join(30)
            assert not thread.is_alive()


def test_where_no_thread_can_be_started_requests_are_answered_one_by_one() -> None:
    """A connection was closed without a word, and a job that had not begun waited for ever."""
    jobs = Jobs()
    with limited(0):
        assert jobs.start(lambda progress: "done").result == "done" == jobs.start(lambda progress: "done").result
    with Server([], port=0) as server:
        other = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        other.start()
        with limited(0):
            for _ in range(2):
                with urllib.request.urlopen(server.url) as answer:
                    assert answer.status == 200 and answer.headers["Connection"] == "close"
        server.shutdown()


def test_work_that_reports_nothing_ends_at_the_next_kernel_or_pass_of_the_compiler() -> None:
    from zermelo.basics.interrupts import heed

    jobs, begun = Jobs(), threading.Event()

    def work(progress: Any) -> None:
        while True:  # as the compiler does: no progress is told, but every pass looks whether it is still wanted
            heed()
            begun.set()

    one = jobs.start(work)
    assert begun.wait(30)
    one.cancel()
    assert one.over.wait(30) and one.status == "cancelled" and not one.error
    two = jobs.start(lambda progress: heed() or "done")  # of the same jobs
    assert two.over.wait(30) and two.result == "done"
    two.cancel()
    three = jobs.start(lambda progress: heed() or "done")
    assert three.over.wait(30) and three.status == "done"


def test_a_game_that_takes_minutes_begins_small_and_offers_the_whole() -> None:
    sheet = sheet_of("gobblet", find("gobblet")).as_data()
    given = {f["name"]: f["given"] for f in sheet["parameters"]}
    assert (given["sizes"], given["per_size"], given["moving"]) == (2, 2, None)
    assert sheet["whole"]["parameters"] == {"sizes": 3, "per_size": 2} and "341 million" in sheet["whole"]["about"]
    assert sheet_of("pig", find("pig")).as_data()["whole"] is None
    for words, sizes in ((["gobblet"], 2), (["gobblet", "--sizes", "3"], None)):
        target = find("gobblet")
        found = _sheets(words[:1], {"sizes": 3} if words[1:] else {}, DEFAULTS)[0]
        assert found.target.fields == target.fields and found.given.get("sizes") == sizes
    entry = COMMANDS["gobblet"]
    assert {f.name for f in target.fields} >= set(entry.first)


# --- HTTP ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Server]:
    with serving([Sheet("pig", find("pig"))]) as made:
        yield made


def asked(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    names = {n.replace("_", "-"): v for n, v in headers.items()}
    connection.request(method, path, body, {"Host": f"127.0.0.1:{server.port}", **names})
    response = connection.getresponse()
    found = response.status, response.read(), dict(response.getheaders())
    connection.close()
    return found


def test_the_page_and_its_headers(server: Server) -> None:
    status, body, headers = asked(server, "GET", "/")
    assert status == 200 and b"<title>Zermelo</title>" in body and headers["Content-Type"].startswith("text/html")
    assert "default-src 'none'" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in headers
    for name in ("main.js", "style.css", "icon.svg"):
        assert asked(server, "GET", f"/{name}")[0] == 200
    assert asked(server, "HEAD", "/")[1] == b""
    for path in ("/x", "/../api.py", "/%2e%2e/api.py", "//etc/passwd", "/page/main.js", "/__init__.py"):
        assert asked(server, "GET", path)[0] == 404


def test_only_this_page_is_answered(server: Server) -> None:
    own, json_type = f"http://127.0.0.1:{server.port}", {"Content_Type": "application/json"}
    assert asked(server, "GET", "/api/games")[0] == 200
    assert asked(server, "GET", "/api/games", Host=f"localhost:{server.port}")[0] == 200
    for host in (
        "evil.example",
        f"evil.example:{server.port}",
        "127.0.0.1:1",
        "",
        f"localhost.evil.example:{server.port}",
        f"x@127.0.0.1:{server.port}",
    ):
        status, body, _ = asked(server, "GET", "/api/games", Host=host)
        assert status == 403 and set(json.loads(body)) == {"error"}, host
        assert asked(server, "GET", "/", Host=host)[0] == 403
    for origin in (
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        f"http://127.0.0.1:{server.port + 1}",
        f"http://evil.example:{server.port}",
    ):
        assert asked(server, "POST", "/api/open", b'{"game": "pig"}', Origin=origin, **json_type)[0] == 403
        assert asked(server, "GET", "/api/games", Origin=origin)[0] == 403
    for path in ("/api/games", f"{own}/api/games"):
        assert asked(server, "GET", path, Sec_Fetch_Site="cross-site")[0] == 403
    assert (
        asked(server, "POST", "/api/open", b'{"game": "pig", "parameters": {"goal": 5}}', Origin=own, **json_type)[0]
        == 200
    )


def test_requests_that_are_wrong(server: Server) -> None:
    json_type = {"Content_Type": "application/json"}
    assert (
        asked(server, "POST", "/api/open", b"{}", Content_Type="text/plain")[0] == 415
    )  # what a form of another page could send
    assert asked(server, "POST", "/api/open", b" " * (MOST_BODY + 1), **json_type)[0] == 413
    assert asked(server, "POST", "/", b"{}", **json_type)[0] == 404
    assert asked(server, "DELETE", "/api/games")[0] == 501
    assert asked(server, "GET", "/" + "x" * 70_000)[0] == 414
    assert asked(server, "GET", "/api/games")[0] == 200  # it goes on


def test_addresses_and_lengths_that_cannot_be_read(server: Server) -> None:
    json_type = {"Content_Type": "application/json"}
    for path in ("//[", "http://[/api/games", "/api/games?%ff=1", "/api/%00", "/api/" + "x/" * 2000):
        assert asked(server, "GET", path)[0] in (200, 400, 404), path
        assert asked(server, "POST", path, b"{}", **json_type)[0] in (400, 404), path
    assert asked(server, "GET", "/api/games", b"{}")[0] == 400
    for length in ("9" * 5000, "99999999999", "-1", "1_0", "x", ""):
        assert asked(server, "POST", "/api/open", b"", Content_Length=length, **json_type)[0] in (411, 413), length
    assert asked(server, "GET", "/api/games")[0] == 200


def test_slow_requests_keep_nobody_waiting(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    host, slow = f"Host: 127.0.0.1:{server.port}\r\n", list[socket.socket]()

    def begin() -> None:
        slow.append(socket.create_connection(("127.0.0.1", server.port)))
        slow[-1].sendall(f"POST /api/open HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{{".encode())

    monkeypatch.setattr(Handler, "timeout", None)
    monkeypatch.setattr("zermelo.serve.server.PATIENCE", 2.0)
    for _ in range(MOST_AT_ONCE + 6):
        begin()
    assert asked(server, "GET", "/api/games")[0] == 200  # not that there are too many requests
    monkeypatch.setattr(Handler, "timeout", 0.2)
    begin()
    slow[-1].settimeout(30)
    assert slow[-1].recv(100).startswith(b"HTTP/1.1 408")
    for connection in slow:
        connection.close()


def test_many_connections_at_once_wait_for_their_turn() -> None:
    """Beyond 32 they were reset by chance, or tried again after a second."""
    with Server([], port=0) as busy:
        connections = [socket.create_connection(("127.0.0.1", busy.port), timeout=0.5) for _ in range(150)]
        thread = threading.Thread(target=busy.serve_forever, args=[0.05], daemon=True)
        thread.start()
        for connection in connections:
            connection.settimeout(30)
            connection.sendall(f"GET /api/games HTTP/1.0\r\nHost: 127.0.0.1:{busy.port}\r\n\r\n".encode())
        assert all(connection.recv(100).startswith(b"HTTP/1.1 200") for connection in connections)
        for connection in connections:
            connection.close()
        busy.shutdown()
        thread.join()


def test_it_listens_where_it_was_told_to(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert server.is_local and server.url == f"http://127.0.0.1:{server.port}/"
    assert main(["serve", "pig", "--port", str(server.port), "--no-browser"]) == 2
    assert "can't listen at 127.0.0.1" in capsys.readouterr().err
    with Server([], port=0, host="0.0.0.0") as public:
        assert (
            not public.is_local
            and public.is_own_name(f"192.168.1.7:{public.port}")
            and not public.is_own_name(f"evil.example:{public.port}")
        )
        typed = urlsplit(public.url)
        assert typed.hostname not in ("0.0.0.0", None) and public.is_own_name(typed.netloc)
        threading.Thread(target=public.serve_forever, daemon=True).start()
        with urllib.request.urlopen(public.url) as answer:
            assert answer.status == 200
        public.shutdown()


def test_without_a_network_the_address_is_that_of_the_machine_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    class Alone(socket.socket):
        def connect(self, address: Any) -> None:
            raise OSError("Network is unreachable")

    with Server([], port=0, host="0.0.0.0") as public:
        monkeypatch.setattr(socket, "socket", Alone)
        assert public.url == f"http://127.0.0.1:{public.port}/"


# --- the command --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs `zermelo serve`, which ends at once: exit code, what it says, and the server."""
    made: list[Server] = []

    def ended(self: Server, *_: Any) -> None:
        made.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", ended)

    def run(*words: str) -> Any:
        made.clear()
        code = main(["serve", *words, "--port", "0"])
        return code, capsys.readouterr(), made[0] if made else None

    return run


def test_the_command(served: Callable[..., Any], own: Path) -> None:
    code, said, server = served("pig", "--goal", "30", "--exact", "--json")
    assert code == 0 and json.loads(said.out) == {"url": f"{server.url}#/pig", "games": ["pig"]}
    assert server.api.shelf.sheets["pig"].as_data()["parameters"][0]["given"] == 30
    assert server.api.shelf.sheets["pig"].options == {"exact": True}
    code, said, server = served()
    assert code == 0 and "Ctrl-C" in said.out and len(server.api.shelf.sheets) > 15
    code, said, server = served(f"{own}:Walk", "tic-tac-toe")
    assert code == 0 and list(server.api.shelf.sheets) == [f"{own}:Walk", "tic-tac-toe"]
    assert json.loads(server.api.get("/api/games", {}).body)["games"][0]["about"] == "Walk <b>far</b>."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("pig --goal 0", "--goal must be from 1 to 1000"),
        ("pgi", "did you mean pig"),
        ("--exact", "need a GAME"),
        ("pig --rules x.py:Y", "about saved solutions"),
        ("pig --host nowhere.invalid", "can't listen at nowhere.invalid: no address is known for this name; give one of this machine's"),
        ("pig --host a..b", "can't listen at a..b: no address is known for this name"),
        ("pig --host 192.0.2.1", "can't listen at 192.0.2.1: Cannot assign requested address"),
        ("pig --host=", "can't listen at an empty address: give one of this machine's"),
    ],
)
def test_what_the_command_refuses(words: str, text: str, served: Callable[..., Any]) -> None:
    code, said, _ = served(*words.split())
    assert code == 2 and text in said.err and said.err.count("\n") == 1


def test_ctrl_c_ends_the_page_as_soon_as_its_address_is_printed(served: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.cli.serving.has_browser", interrupted)
    code, said, _ = served("pig")
    assert code == 0 and said.err == "" and "Ctrl-C" in said.out


def test_the_catalogue_is_listed_without_loading_games() -> None:
    heavy = ("http.server", "numpy", "pandas", "matplotlib")
    script = f"import sys; from zermelo.cli import main; main(['serve', '--help']); print('loaded:', *(set({heavy}) & sys.modules.keys()))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.strip().splitlines()[-1] == "loaded:"


def test_sessions_and_the_page_see_the_same_play() -> None:
    """What `zermelo play` says of a play, the questions of the page say, too: values, losses, result."""
    asking = Asking("pig")
    told, solution = asking.solved("pig", parameters={"goal": 12}), zermelo.solve("pig", goal=12)
    session = Session(solution, 0, seed=5)
    while not session.is_over:
        session.act(session.legal()[-1].action)
    view, total, slots = 1, 0.0, told["play"]["start"]
    for step in session.steps:
        shown = asking.at(told, *slots)
        action = next(a for a in shown["actions"] if a["name"] == step.name)
        assert action["loss"] == pytest.approx(step.loss, abs=1e-12)
        assert step.seat == (shown["player"] if view == 1 else 1 - shown["player"])
        led = asking.post(f"solutions/{told['solution']}/outcomes", state=slots, action=action["index"])
        outcome = next(
            o for o in led["outcomes"] if o["state"] == flat(step.outcome.state) and o["sign"] == step.outcome.sign
        )
        total += view * outcome["payoff"][0]
        view, slots = view * outcome["sign"], outcome["state"]
    assert total + view * asking.at(told, *slots)["paid at the end"][0] == session.result


def test_strategies_of_a_matrix_game_are_listed_in_its_words(tmp_path: Path) -> None:
    """And its page is called what its file calls it, not by the name of a class that a phone has no room for."""
    file = tmp_path / "game.nfg"
    strategies, payoffs = '{ { "heads" "tails" } { "left" "right" } }', '{ { "" 1, -1 } { "" 0, 0 } { "" 0, 0 } { "" 1, -1 } }'
    file.write_text(f'NFG 1 R "Penny with a twist" {{ "Row" "Column" }} {strategies} "" {payoffs} 1 2 3 4')
    assert Sheet(str(file), find(str(file))).title == "Penny with a twist"
    listed = pictures.frame(zermelo.solve(zermelo.from_gambit(file)), lambda *_: None)
    said = {player: set(of.strategy) for player, of in listed.groupby("player")}
    assert said == {"Row": {"heads", "tails"}, "Column": {"left", "right"}}


def test_notes_of_tables_say_what_to_do_on_the_page() -> None:
    said = pictures.for_page("other scores: --fix mine=N --fix theirs=N; a chip is 50")
    assert said == "other scores: type mine and theirs above; a chip is 50"
    shown = pictures.table(zermelo.solve(Pig(20)), "turn", None, lambda *_: None)
    assert any("type mine and theirs above" in n for n in shown["notes"]) and not any("--" in n for n in shown["notes"])


def test_draws_have_no_distance_on_the_page_and_in_its_files() -> None:
    solution = zermelo.solve(ConnectFour(3, 3))
    plain = solution.to_dataframe()["distance"]
    frame = pictures.frame(solution, lambda *_: None)
    shown = pictures.page(frame, 0, 100)
    at = shown["columns"].index("distance")
    ours = [row[at] for row in shown["rows"]]
    assert shown["numeric"][at] and ours == [None if d == -1 else d for d in plain[:100]] and None in ours
    assert [row["distance"] for row in json.loads(pictures.as_json(frame))] == [None if d == -1 else d for d in plain]
    cells = [line.split(",")[at] for line in frame.to_csv(index=False).splitlines()[1:]]
    assert cells == ["" if d == -1 else str(d) for d in plain]
    few = pictures.selected(frame, "distance", False, {"distance": "<2"})["distance"]
    assert list(few) == sorted(d for d in plain if 0 <= d < 2)  # a draw is no win that is near
    assert list(pictures.selected(frame, "distance", True, None)["distance"].dropna()) == sorted((d for d in plain if d >= 0), reverse=True)


class Ball(NamedTuple):
    drawn: int


class Small(NamedTuple):
    """1 or 0 for a ball out of very many; or nothing."""

    def start(self) -> Ball:
        return Ball(0)

    def actions(self, s: Ball) -> Iterator[int]:
        if not s.drawn:
            yield 0
            yield 1

    def outcomes(self, s: Ball, action: int) -> Iterator[tuple[int, int, Ball]]:
        yield 19_999_999_999 if action else 1, 0, Ball(1)
        if action:
            yield 1, 1, Ball(2)


def test_a_loss_is_one_that_bounds_prove_however_small_it_is() -> None:
    """The move that loses all of 5e-11 was "as good", and where an interval alone is known, the best move was a mistake."""
    solution = zermelo.solve(Small())
    best, worse = positions.position(solution, Ball(0))["actions"]
    assert (best["name"], best["loss"], worse["loss"]) == ("1", 0.0, pytest.approx(5e-11, rel=1e-6))
    printed = actions(solution)
    assert printed.text(printed.rows[0][1]) == "0.0000000000500000000" and printed.text(printed.rows[1][1]) == "0.0000000000000000000"
    cut = zermelo.solve("examples/chow_robbins.py:ChowRobbins", flips=9)
    for state in cut.space:
        found = positions.position(cut, state)["actions"]
        assert all(a["loss"] == 0.0 for a in found if a["best"])
        sure = max((a["low"] for a in found), default=0.0)
        assert all((a["loss"] > 0) == (a["high"] < sure) for a in found)
