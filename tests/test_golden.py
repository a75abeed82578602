"""Every game of the catalogue, small: its value, its best first move, and the shape of all that the command line prints as JSON.

What is expected is in golden.json. `python tests/test_golden.py` records what is missing there, and never changes what is.
Values may move within their certificate, and JSON may gain keys; none may disappear or change its type.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from zermelo.cli import commands, main
from zermelo.games.catalogue import COMMANDS

GOLDEN = Path(__file__).with_name("golden.json")
WORDS = {  # the parameters of each game
    "card-draw": "--red 7 --black 6",
    "solitaire-pig": "--sides 4",
    "pig": "--goal 20",
    "piglet": "--goal 5",
    "exact-pig": "--goal 10",
    "hog": "--goal 15 --most-dice 4",
    "ten-thousand": "",
    "ten-thousand-house": "--dice 3 --small-straight 750 --more doubled",
    "ten-thousand-turns": "--goal 200 --dice 5 --hot --entry 150",
    "fewest-turns": "--goal 12",
    "ten-thousand-race": "--goal 2",
    "house-race": "--goal 400 --dice 3 --entry 200 --small-straight 750 --more doubled",
    "farkle": "--goal 2",
    "gobblet": "--sizes 2 --per-size 1",
    "tic-tac-toe": "",
    "connect-four": "--width 4 --height 3",
    "dodgem": "--size 2",
    "left-center-right": "--players 3 --chips 2",
    "dreidel": "--players 3 --coins 3",
    "coin-patterns": "--flips 10",
    "hog-simultaneous": "--goal 8 --most-dice 3 --first 2",
    "lemonade": "--days 3",
    "binary-search": "--n 15",
    "kuhn-poker": "",
    "leduc-poker": "--ranks 2",
    "liars-dice": "--sides 3",
    "one-card-poker": "",
    "holdem-river": "",
    "goofspiel": "--cards 3",
    "inspection": "--days 3",
    "battleship": "--width 3 --height 1",
    "robot-maze": "--height 3 --width 3",
    "guess-number": "--n 12",
}
MORE = {  # what other engines and options print: (game, options of `solve`)
    "card-draw, swept": ("card-draw --red 3000 --black 3000", ""),
    "card-draw, exact": ("card-draw --red 7 --black 6", "--exact"),
    "card-draw, discounted": ("card-draw --red 7 --black 6", "--discount 0.5"),
    "left-center-right, exact": ("left-center-right --players 3 --chips 1", "--exact"),
    "tic-tac-toe, exact": ("tic-tac-toe", "--exact"),
    "binary-search, bounded": ("binary-search --n 30", "--tolerance 1e-3"),
}
CASES = {**{name: (f"{name} {words}", "") for name, words in WORDS.items()}, **MORE}
VIEW = {("card-draw", "plot"): "--view boundary"}  # where the first view takes seconds
SLOW = {("card-draw, swept", "plot")}
KIND = {bool: "truth", int: "number", float: "number", str: "text", type(None): "nothing"}
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def printed(line: str) -> Any:
    """What a command line prints as JSON."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main(line.split())
    assert code == 0, line
    return json.loads(out.getvalue())


# --- the shape of JSON ------------------------------------------------------------------------------------------------


def shape(data: Any) -> Any:
    """The keys and types of JSON: an object by its keys, a list by what its items have in common or not, keys that are numbers
    as one key "#", anything else as the name of its type."""
    if isinstance(data, dict):
        parts: dict[str, Any] = {}
        for key, part in data.items():
            name = "#" if NUMBER.fullmatch(key) else key
            parts[name] = united(parts[name], shape(part)) if name in parts else shape(part)
        return parts
    if isinstance(data, list):
        items = None
        for part in data:
            items = shape(part) if items is None else united(items, shape(part))
        return [] if items is None else [items]
    return KIND[type(data)]


def united(one: Any, other: Any) -> Any:
    """One shape for items of a list that differ."""
    if one == other:
        return one
    if isinstance(one, dict) and isinstance(other, dict):
        return {k: united(one[k], other[k]) if k in one and k in other else {**one, **other}[k] for k in one | other}
    if isinstance(one, list) and isinstance(other, list) and one and other:
        return [united(one[0], other[0])]
    if isinstance(one, list) and isinstance(other, list):
        return one or other
    return "any of " + ", ".join(sorted({*kinds(one), *kinds(other)}))


def kinds(part: Any) -> list[str]:
    if isinstance(part, str):
        return part.removeprefix("any of ").split(", ")
    return ["object" if isinstance(part, dict) else "list"]


def lost(found: Any, recorded: Any, where: str = "") -> list[str]:
    """What was recorded and is there no more, or has another type. (Where nothing was, anything may be now.)"""
    if recorded == "nothing" or recorded == []:
        return []
    if isinstance(recorded, dict):
        if not isinstance(found, dict):
            return [f"{where}: an object no more"]
        return [
            text
            for key, part in recorded.items()
            for text in ([f"{where}/{key}"] if key not in found else lost(found[key], part, f"{where}/{key}"))
        ]
    if isinstance(recorded, list):
        if not isinstance(found, list) or not found:
            return [f"{where}: a list no more, or an empty one"]
        return lost(found[0], recorded[0], f"{where}[]")
    missing = set(kinds(recorded)) - set(kinds(found))
    return [f"{where}: {recorded}, now {found if isinstance(found, str) else kinds(found)[0]}"] if missing else []


def test_what_is_lost_is_noticed() -> None:
    before = shape({"a": [{"b": 1}, {"c": None}], "d": {"1": 2, "7": 3}, "e": "x"})
    assert before == {"a": [{"b": "number", "c": "nothing"}], "d": {"#": "number"}, "e": "text"}
    assert lost(shape({"a": [{"b": 1.5, "c": 5}], "d": {"8": 2}, "e": "", "new": 1}), before) == []
    assert lost(shape({"a": [{"c": 5}], "d": 3, "e": 4}), before) == [
        "/a[]/b",
        "/d: an object no more",
        "/e: text, now number",
    ]
    assert lost(shape({"d": {}}), before) == ["/a", "/d/#", "/e"]


# --- what the commands print -----------------------------------------------------------------------------------------


def views(name: str, directory: Path) -> dict[str, Any]:
    """What `table` and `plot` print, for the view that they choose themselves unless that takes seconds, and the names of all views."""
    game, picture = CASES[name][0], directory / "picture.svg"
    lines = {"table": f"table {game}", "plot": f"plot {game} -o {picture}"}
    found: dict[str, Any] = {}
    for command, line in lines.items():
        if (name, command) not in SLOW:
            data = printed(f"{line} {VIEW.get((name, command), '')} --json")
            found |= {command: shape(data), f"{command}, view": data["view"], f"{command}, views": offered(line)}
    assert "plot" not in found or picture.stat().st_size > 1000
    return found


def offered(line: str) -> list[str]:
    """The names of the views of a game, from the complaint about one that there is not; none where it does not tell them."""
    with contextlib.redirect_stderr(io.StringIO()) as err:
        assert main(f"{line} --view nosuch".split()) == 2
    return sorted(re.split("; there (?:is|are) ", err.getvalue().strip())[-1].split(", "))


@contextlib.contextmanager
def solved_once() -> Iterator[None]:
    """Commands about the same game share its solution: that they solve it each time is what takes them long."""
    solution_of, known = commands.solution_of, dict[str, Any]()

    def known_or_solved(target: Any, given: Any, solving: Any, checkpoint: None = None, cluster: None = None, as_data: bool = False) -> Any:
        assert checkpoint is None and cluster is None, "as_data is about saved solutions"
        about = repr((target.word, given, solving))
        if about not in known:
            known[about] = solution_of(target, given, solving, as_data=as_data)
        return known[about]

    with patch.object(commands, "solution_of", known_or_solved):
        yield


def recorded_now(name: str, directory: Path) -> dict[str, Any]:
    """All that golden.json has about a case, as it is now."""
    game, options = CASES[name]
    solved = printed(f"solve {game} {options} --json")
    found = {
        "value": solved["value"],
        "width": solved["high"] - solved["low"],
        "exact": solved["exact"],
        "certificate": solved["certificate"]["kind"],
        "best": solved.get("start", {}).get("best action"),
        "solve": shape(solved),
    }
    if name not in MORE or name.endswith("swept"):
        found["simulate"] = shape(printed(f"simulate {game} --plays 100 --seed 1 --json"))
        found["check"] = shape(printed(f"check {game} --json"))
        found |= views(name, directory)
    return found


def recorded() -> dict[str, Any]:
    return json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}


EXPECTED: Mapping[str, Any] = recorded()


def test_every_game_is_recorded() -> None:
    assert set(WORDS) == set(COMMANDS)
    assert set(EXPECTED) == {*CASES, "list"}


@pytest.mark.parametrize("name", CASES)
def test_a_game_is_as_recorded(name: str, tmp_path: Path) -> None:
    with solved_once():
        was, now = EXPECTED[name], recorded_now(name, tmp_path)
    scale = max(1.0, abs(was["value"]))
    assert abs(now["value"] - was["value"]) <= 5e-15 * scale + was["width"], "15 digits, or what is certified"
    assert now["width"] <= 4 * was["width"] + 1e-15 * scale
    assert was["exact"] in (None, now["exact"])
    same = ("certificate", "best", *(part for part in was if part.endswith("view")))
    assert {part: now[part] for part in same} == {part: was[part] for part in same}
    for part in ("solve", "simulate", "check", "table", "plot"):
        if part in was:
            assert lost(now[part], was[part]) == [], part
    for part in ("table, views", "plot, views"):
        assert set(was.get(part, ())) <= set(now.get(part, ())), part


def test_the_list_is_as_recorded() -> None:
    assert lost(shape(printed("list --json")), EXPECTED["list"]) == []


def record() -> None:
    """Add to golden.json what is missing there."""
    found = recorded()
    with tempfile.TemporaryDirectory() as directory:
        for name in CASES:
            if name not in found:
                found[name] = recorded_now(name, Path(directory))
    found.setdefault("list", shape(printed("list --json")))
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in found.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
