"""What files of `zermelo page` play and draw by themselves: hidden information, matrix games, binary search, maps. The scripts answer as
the server does: in Chromium, with chance made of a fixed row of numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zermelo
from browser import Browser, needs_chromium, serving
from zermelo.basics.progress import silent
from zermelo.games.named import find
from zermelo.games.search_trees import guesses
from zermelo.serve import offline, pictures, positions, searches
from zermelo.serve.api import Api
from zermelo.serve.offline_plays import held_deals, held_matrix, held_search
from zermelo.serve.sessions import Sessions
from zermelo.serve.shelf import Sheet

BLOTTO = ("examples/blotto.py:Blotto", {"ours": 4, "theirs": 3})
GOOFSPIEL: dict[str, Any] = {"cards": 4, "ahead": 2, "points": False}
CHANCE = "let seed = 7; Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;"  # Lehmer's, with Park and Miller's factor


# --- what the file holds -----------------------------------------------------------------------------------------------------


GAMES = [("kuhn-poker", {}), ("leduc-poker", {"ranks": 2}), ("goofspiel", {"cards": 3}), ("inspection", {})]


@pytest.mark.parametrize(("word", "parameters"), GAMES)
def test_it_holds_every_set_as_the_solution_has_it(word: str, parameters: dict[str, Any]) -> None:
    solution = zermelo.solve(word, **parameters)
    held = held_deals(solution, 20_000, silent)
    assert held is not None and held["value"] == float(solution.value)
    assert sum(map(len, held["sets"])) == solution.report.facts["information_sets"]
    frame = solution.to_dataframe()
    for player in range(2):
        actions = [a for s in held["sets"][player] for a in s["actions"]]
        ours = sorted((a["name"], a["share"], math.nan if a["worth"] is None else a["worth"]) for a in actions)
        part, sign = frame[frame["player"] == player], (1, -1)[player]
        theirs = sorted(zip(part["name"], part["probability"], sign * part["value"], strict=True))
        assert [o[:2] for o in ours] == [t[:2] for t in theirs]
        assert sorted(o[2] for o in ours if o[2] == o[2]) == pytest.approx(sorted(t[2] for t in theirs if t[2] == t[2]))
    assert held_deals(solution, 5, silent) is None


def value_of(held: dict[str, Any]) -> float:
    """What the first player gets if both play as the file says: all plays followed, with their probabilities."""
    total, waiting = 0.0, [(0, 1.0)]
    while waiting:
        at, likely = waiting.pop()
        state = held["states"][at]
        if "leads" not in state:
            total += likely * state["pays"]
            continue
        for key, outcomes in state["leads"].items():
            share, ways = likely, sum(o[1] for o in outcomes)
            for player, place in enumerate(key.split(",")):
                if state["sees"][player] is not None:
                    share *= held["sets"][player][state["sees"][player]]["actions"][int(place)]["share"]
            for place, count, pays in outcomes if share else ():
                total += share * count / ways * pays
                waiting.append((place, share * count / ways))
    return total


@pytest.mark.parametrize(("word", "parameters"), [("kuhn-poker", {}), ("inspection", {}), ("goofspiel", GOOFSPIEL)])
def test_the_strategies_in_it_come_to_the_value(word: str, parameters: dict[str, Any]) -> None:
    solution = zermelo.solve(word, **parameters)
    assert value_of(held_deals(solution, 20_000, silent) or {}) == pytest.approx(float(solution.value), abs=1e-12)


def test_a_matrix_game_of_ones_own_is_held_whole() -> None:
    solution = zermelo.solve(find(BLOTTO[0]).game(BLOTTO[1]))
    held = held_matrix(solution)
    assert held is not None and value_of(held) == pytest.approx(float(solution.value))
    for seat, side in enumerate(held["sets"]):
        assert sum(a["share"] for a in side[0]["actions"]) == pytest.approx(1)
        best = max(a["worth"] for a in side[0]["actions"])
        assert best == pytest.approx(float(solution.value) * (1, -1)[seat])
        assert all((a["loss"] < 1e-12) or not a["share"] for a in side[0]["actions"])


# --- the scripts -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[..., Any]]:
    """Runs a piece of script in a page of the server, with a module of the page's and data."""
    with serving(Api([Sheet("piglet", find("piglet"), {"goal": 2})])) as server, Browser() as browser:
        browser.open(server.url)
        browser.until("document.querySelector('main')")

        def ran(module: str, script: str, **data: Any) -> Any:
            given = "".join(f"const {name} = {json.dumps(value)};" for name, value in data.items())
            return browser.run(f"(async () => {{ const m = await import('/{module}'); {given} {CHANCE} {script} }})()")

        yield ran


@needs_chromium
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("word", ["kuhn-poker", "goofspiel", "blotto"])
def test_plays_come_to_the_value_and_mistakes_are_counted(word: str, seat: int, run: Callable[..., Any]) -> None:
    """Against the mixture of the other side, from either side: by the own one, and by what costs most."""
    parameters = GOOFSPIEL if word == "goofspiel" else {}
    solution = zermelo.solve(find(BLOTTO[0]).game(BLOTTO[1])) if word == "blotto" else zermelo.solve(word, **parameters)
    held = held_matrix(solution) if word == "blotto" else held_deals(solution, 20_000, silent)
    script = """
      const all = [];
      for (const isPoor of [false, true]) {
        const deals = new m.Deals(held), results = [];
        let seen = deals.answer({ seat });
        for (let n = 0; n < 2000; n++) {
          while (!seen.over) {
            const costly = seen.actions.map((a) => a.loss ?? 0);
            const action = isPoor ? costly.indexOf(Math.max(...costly)) : m.drawn(seen.actions.map((a) => a.share));
            seen = deals.answer({ session: seen.session, action });
          }
          results.push(seen.result);
          if (n < 1999) seen = deals.answer({ session: seen.session });
        }
        const { plays, total, cost } = seen.tally, mean = total / plays, sum = results.reduce((s, r) => s + r, 0);
        all.push([plays, mean, Math.sqrt(results.reduce((s, r) => s + (r - mean) ** 2, 0)) / plays, cost / plays, total - sum]);
      }
      return all;"""
    (plays, mean, error, cost, rest), poor = run("offline_deals.js", script, held=held, seat=seat)
    value = float(solution.value) * (1, -1)[seat]
    assert plays == 2000 and rest == 0 and cost == 0 and abs(mean - value) <= 4 * error + 1e-12
    assert poor[3] > 0 or word == "goofspiel"
    assert abs(poor[1] + poor[3] - value) <= 5 * poor[2] + 1e-12  # what it gets is what the mistakes leave of the value


@needs_chromium
def test_undo_and_a_weaker_opponent(run: Callable[..., Any]) -> None:
    """Kuhn poker: the second player, after a bet, folds the highest card only if he may err by that much."""
    script = """
      const deals = new m.Deals(held), folded = {};
      const first = deals.answer({ seat: 0 }), { session } = first;
      const over = deals.answer({ session, action: 1 }), back = deals.answer({ session, undo: true });
      const last = deals.answer({ session, action: 1 });
      const again = [over.over, over.steps.length, back.over, back.steps.length, back.text === first.text, last.tally.plays];
      for (const [errs, most] of [[0, 9], [1, 0.5], [1, 9], [0.5, 9]]) {
        let [count, of] = [0, 0], seen = deals.answer({ seat: 0, errs, most });
        for (let n = 0; n < 400; n++) {
          while (!seen.over) seen = deals.answer({ session: seen.session, action: 1, errs, most });
          if (seen.text.includes("second has 2")) [count, of] = [count + (seen.result === 1), of + 1];
          seen = deals.answer({ session: seen.session, errs, most });
        }
        folded[[errs, most]] = count / of;
      }
      return [again, folded];"""
    again, folded = run("offline_deals.js", script, held=held_deals(zermelo.solve("kuhn-poker"), 100, silent))
    assert again == [True, 1, False, 0, True, 1]
    assert folded["0,9"] == folded["1,0.5"] == 0 and folded["1,9"] == 1 and 0.3 < folded["0.5,9"] < 0.7


@needs_chromium
def test_binary_search_is_judged_as_by_the_server(run: Callable[..., Any]) -> None:
    solution = zermelo.solve("binary-search", n=13)
    script = """
      const found = [], searches = new m.Searches(held);
      let seen = searches.answer({ seat: 1 });
      found.push(seen);
      while (!seen.said?.ended) found.push(seen = searches.answer({ session: seen.session, number: seen.low }));
      const wrong = searches.answer({ session: seen.session, number: 99 }).error;
      const hider = searches.answer({ seat: 0 }), { session } = hider;
      const hidden = Array.from({ length: 13 }, (_, k) => searches.answer({ session, number: k + 1 }).said.ended);
      return [found, wrong, hider, hidden, searches.answer({ session }).tally];"""
    found, wrong, hider, hidden, tally = run("offline_searches.js", script, held=held_search(solution))
    sessions: Sessions[Any] = Sessions()
    told = searches.answer(sessions, solution, {"seat": 1})
    sessions.find(told["session"]).secret = found[-1]["said"]["ended"]["secret"]
    for ours in found:
        if ours["said"]:
            told = searches.answer(sessions, solution, {"session": told["session"], "number": ours["said"]["number"]})
        assert ours.keys() == told.keys()
        for name, value in told.items():
            if name == "said" and value:
                assert ours["said"] == {**value, "cost": pytest.approx(value["cost"]), "ended": ours["said"]["ended"]}
            elif name != "session":
                assert ours[name] == pytest.approx(value)
    assert "between 1 and 13" in wrong
    told = searches.answer(sessions, solution, {"seat": 0})
    assert [hider[n] for n in ("worth", "costs", "mixture")] == [pytest.approx(told[n]) for n in ("worth", "costs", "mixture")]
    depths = [guesses(tree) for tree in solution.column]
    for number, ended in enumerate(hidden, 1):
        assert ended["secret"] == number == ended["guesses"][-1] and len(ended["guesses"]) in {d[number - 1] for d in depths}
    assert tally["games"] == 13 and tally["cost"] == pytest.approx(sum(hider["costs"]))


@needs_chromium
@pytest.mark.parametrize(
    ("word", "parameters", "asked"),
    [
        ("pig", {"goal": 8}, [{}, {"rows": "turn"}, {"rows": "theirs", "columns": "mine", "fix": {"turn": 2}}]),
        ("card-draw", {"red": 5, "black": 4}, [{}, {"rows": "black", "fix": {"red": 3}}]),
        ("guess-number", {"n": 6}, [{}]),
        ("hog-simultaneous", {"goal": 4, "most_dice": 2}, [{}, {"rows": "waiting"}]),
        ("robot-maze", {"height": 3, "width": 3}, [{}, {"fix": {"heading": 0}}]),
        ("examples/chow_robbins.py:ChowRobbins", {"flips": 7}, [{}]),
        ("tests/test_until.py:Detour", {}, [{}]),
    ],
)
def test_maps_are_those_of_the_server(word: str, parameters: dict[str, Any], asked: list[Any], run: Callable[..., Any]) -> None:
    solution = zermelo.solve(word, **parameters)
    found = offline._positions(solution, Sheet(word, find(word), parameters), silent)
    places = [{n: p[n] for n in ("state", "text", "value", "says", "actions", "leads")} for p in found]
    data = {"positions": places, "start": places[0]["state"], "about": {"play": positions.facts(solution)}}
    for ask in asked:
        ours = run("offline_maps.js", "return m.mapOf(data, ask);", data=data, ask=ask)
        told = pictures.heat_map(solution, ask.get("rows"), ask.get("columns"), ask.get("fix"), silent)
        sides = [told["rows"], *([told["columns"]] if told["columns"] else [])]
        for name in ("rows", "columns", "fixed", "unit", "payoff unit", "actions", "fields"):
            assert ours[name] == told[name], name
        assert cells(ours, sides) == {at: (pytest.approx(v), *more) for at, (v, *more) in cells(told, sides).items()}
        assert ours["texts"] is None is told["texts"] or sorted(ours["texts"]) == sorted(told["texts"])


def cells(found: dict[str, Any], sides: list[str]) -> dict[Any, Any]:
    """By place: the value, the best action, and what is said of a value that is not known, or only within an interval."""
    places, said = range(len(found["shown"])), {int(k): text for k, text in found["said"].items()}
    best = found["best"] or [None for _ in places]
    return {tuple(found["at"][n][k] for n in sides): (found["shown"][k], best[k], said.get(k)) for k in places}
