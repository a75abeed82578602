"""What belongs to the rules, told by what it is and not by where it is installed; and an edited helper is never missed."""

from __future__ import annotations

import collections
import copy
import enum
import fractions
import functools
import heapq
import importlib
import json
import os
import posixpath
import random
import runpy
import statistics
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
import scipy.special

import zermelo
from zermelo.games.catalogue import ENTRIES, Entry
from zermelo.language.passthrough import passthrough_fields
from zermelo.language.rules import Rules
from zermelo.language.rules_text import rules_hash, rules_text
from zermelo.language.source import is_foreign, plain
from zermelo.link import cache

HASHES = json.loads((Path(__file__).parent / "installed" / "rules_hashes.json").read_text())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_rules_hashes_are_those_under_which_solutions_were_stored(entry: Entry) -> None:
    game: Any = entry.game_class()
    assert rules_hash(game(**entry.preset)) == HASHES[entry.command]


# --- what is foreign -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        random.choice,
        statistics.mean,
        heapq.nsmallest,
        functools.partialmethod,
        functools.cmp_to_key,
        copy.deepcopy,
        posixpath.join,  # frozen into the interpreter
        json.dumps,  # in a package
        collections.namedtuple("Pair", "a b")._replace,
        collections.Counter.most_common,
        collections.abc.Mapping.get,
        enum.Enum.__dir__,
        fractions.Fraction.limit_denominator,
        fractions.Fraction,
        np.clip,
        np.cumsum,
        np.ndarray,
        np.linalg.norm,
        np.polynomial.polynomial.polyval,
        numba.prange,
        numba.njit,
        scipy.special.logsumexp,
        len,
        dict,
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_comes_with_python_or_is_a_library_of_numbers(value: Any) -> None:
    assert is_foreign(plain(value))


def helper(x: int) -> int:
    return x + 1


def test_what_tests_and_zermelo_itself_define() -> None:
    from zermelo.games.dice_sets import scoring

    assert not is_foreign(helper) and not is_foreign(scoring)
    assert not is_foreign(pytest.approx)  # a library in Python like any other


PLACES = [
    "project",
    "site-packages",
    "env/lib/python3.11/site-packages",
    "usr/lib/python3/dist-packages",
    "site-packages/env/lib/site-packages/vendored",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["their_helpers", "code"])  # the latter is a module of Python's, too
def test_a_function_of_the_users_wherever_it_lies(tmp_path: Path, place: str, name: str) -> None:
    file = tmp_path / place / f"{name}.py"
    file.parent.mkdir(parents=True)
    file.write_text("def helper(x):\n    return x + 1\n")
    assert not is_foreign(runpy.run_path(str(file), run_name=name)["helper"])
    assert not is_foreign(runpy.run_path(str(file), run_name="__main__")["helper"])


def test_packages_in_a_folder_of_pythons_own() -> None:
    """Without a virtual environment they are installed there."""
    library = os.path.dirname(random.__file__)
    for file, expected in {
        "random.py": True,
        "collections/__init__.py": True,
        "site-packages/their_games/rules.py": False,
        "dist-packages/random.py": False,
    }.items():
        space: dict[str, Any] = {"__name__": "somewhere"}
        exec(compile("def f(): pass", os.path.join(library, file), "exec"), space)
        assert is_foreign(space["f"]) == expected


# --- an edited helper ----------------------------------------------------------------------------------------------------

RULES = """
from typing import NamedTuple
from . import helpers

class S(NamedTuple):
    mine: int
    theirs: int
    turn: int

class Race(NamedTuple):
    goal: int = 5

    def start(self):
        return S(0, 0, 0)

    def actions(self, s):
        if s.mine + s.turn < self.goal:
            yield 0
            if s.turn:
                yield 1

    def outcomes(self, s, action):
        if action:
            yield 1, 0, helpers.passed(s, s.turn), -1
        else:
            yield 1, 0, helpers.passed(s, 0), -1
            yield helpers.ways(), 0, s._replace(turn=s.turn + 1), 1

    def payoff(self, s):
        return 1

    def stage(self, s):
        return s.mine + s.theirs

    def entries(self):
        for mine in range(self.goal):
            for theirs in range(self.goal):
                yield S(mine, theirs, 0)

class Urn(NamedTuple):
    plus: int = 3000
    minus: int = 3000

    def start(self):
        return helpers.urn(self.plus, self.minus)

    def actions(self, s):
        if s.plus + s.minus > 0:
            yield 0
            yield 1

    def outcomes(self, s, action):
        if action == 0:
            yield 1, 0, helpers.urn(0, 0)
        else:
            yield s.plus, helpers.pays(), helpers.urn(s.plus - 1, s.minus)
            yield s.minus, -1, helpers.urn(s.plus, s.minus - 1)

    def urn(self, s):
        return s.plus, s.minus

class Hidden(NamedTuple):
    sides: int = 3

    def rows(self):
        yield from range(self.sides)

    def columns(self):
        yield from range(self.sides)

    def payoff(self, row, column):
        return helpers.duel(row, column)

    def best_row(self, weights):
        return max(range(self.sides), key=lambda r: sum(w * helpers.duel(r, c) for c, w in weights.items()))
"""
HELPERS = """
from typing import NamedTuple
from other_library import tools

class Balls(NamedTuple):
    plus: int
    minus: int

def urn(plus, minus):
    return Balls(plus, minus)

def pays():
    return 1

def passed(s, gained):
    return s._replace(mine=s.theirs, theirs=s.mine + gained, turn=0)

def ways():
    return tools.twice(1)

def duel(row, column):
    return (row - column + 1) % 3 - 1 if tools.given(row) else 0
"""
TOOLS = """
NOTHING = object()

def twice(x):
    return 2 * x

def given(x, missing=NOTHING):
    return x is not missing and x is not NOTHING
"""
Install = Callable[..., Any]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package with games and a library that these use, and imports the games anew."""
    place = tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def installed(helpers: str = HELPERS, tools: str = TOOLS) -> Any:
        texts = {"their_games/__init__": "", "their_games/rules": RULES, "their_games/helpers": helpers}
        for name, text in {**texts, "other_library/__init__": "", "other_library/tools": tools}.items():
            file = place / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for name in [n for n in sys.modules if n.partition(".")[0] in ("their_games", "other_library")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return importlib.import_module("their_games.rules")

    yield installed
    for name in [n for n in sys.modules if n.partition(".")[0] in ("their_games", "other_library")]:
        del sys.modules[name]


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


LIBRARY = {"tools": edited(TOOLS, "2 * x", "3 * x")}
EDITS = [{"helpers": edited(HELPERS, "tools.twice(1)", "tools.twice(2)")}, LIBRARY]


def test_fields_that_are_handed_on_by_helpers_of_a_package(install: Install) -> None:
    assert passthrough_fields(Rules(install().Race())) == ("theirs",)


@pytest.mark.parametrize("edit", EDITS, ids=["of the package", "of a library that it uses"])
def test_an_edited_helper_of_a_package(install: Install, tmp_path: Path, edit: dict[str, str]) -> None:
    """The hash, the machine code, the answers, and what was stored."""
    seen = []
    for texts in ({}, edit):
        game = install(**texts).Race()
        cache.load_module.cache_clear()
        before = set(sys.modules)
        solution = zermelo.solve(game)
        modules = {n for n in set(sys.modules) - before if n.startswith("rules_")}
        seen.append((rules_hash(game), modules, float(solution.value)))
        solution.save(tmp_path / f"{len(seen)}.zermelo")
    (one, code, value), (other, other_code, other_value) = seen
    assert one != other and not code & other_code and abs(value - other_value) > 0.01
    assert zermelo.open(tmp_path / "2.zermelo").value == pytest.approx(other_value, rel=1e-12)
    with pytest.raises(zermelo.FileError, match="those of Race have changed: solve again"):
        zermelo.open(tmp_path / "1.zermelo")
    with pytest.raises(zermelo.FileError, match="those of Race have changed: solve again"):
        zermelo.open(tmp_path / "1.zermelo", game)
    again = install().Race()
    assert rules_hash(again) == one
    assert zermelo.open(tmp_path / "1.zermelo").value == pytest.approx(value, rel=1e-12)
    assert zermelo.solve(again).value == pytest.approx(value, rel=1e-12)


def test_an_edited_helper_of_a_game_of_hidden_choice(install: Install, tmp_path: Path) -> None:
    stored = tmp_path / "hidden.zermelo"
    solution = zermelo.solve(install().Hidden())
    solution.save(stored)
    assert zermelo.open(stored).value == solution.value == 0
    changed = install(edited(HELPERS, "% 3 - 1 if", "% 3 if")).Hidden()
    with pytest.raises(zermelo.FileError, match="those of Hidden have changed: solve again"):
        zermelo.open(stored)
    assert zermelo.solve(changed).value == 1


@pytest.mark.parametrize(
    "old, new, error, said",
    [
        ("return 1\n", "return 2\n", zermelo.RulesError, "not those of an urn"),
        ("Balls(plus, minus)", "Balls(plus, minus and minus + 1)", zermelo.RulesError, "not those of an urn"),
    ],
)
def test_an_edited_helper_of_an_urn(
    install: Install, tmp_path: Path, old: str, new: str, error: Any, said: str
) -> None:
    """Its checkpoint holds only numbers of balls: rules that are no longer those of an urn never come to it."""
    stored = tmp_path / "urn.checkpoint"
    solution = zermelo.solve(install().Urn(), checkpoint=stored)
    assert zermelo.solve(install().Urn(), checkpoint=stored).value == solution.value
    kept = stored.read_bytes()
    with pytest.raises(error, match=said):
        zermelo.solve(install(edited(HELPERS, old, new)).Urn(), checkpoint=stored)
    assert stored.read_bytes() == kept


def test_another_start_is_another_run(install: Install, tmp_path: Path) -> None:
    stored = tmp_path / "urn.checkpoint"
    zermelo.solve(install().Urn(), checkpoint=stored)
    more = install(edited(HELPERS, "Balls(plus, minus)", "Balls(plus + (plus == 3000), minus)")).Urn()
    with pytest.raises((zermelo.FileError, zermelo.RulesError)):
        zermelo.solve(more, checkpoint=stored)


def test_helpers_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = set()
    for number, tools in enumerate((TOOLS, *LIBRARY.values())):
        archive = tmp_path / f"{number}.zip"
        with zipfile.ZipFile(archive, "w") as file:
            helpers = edited(HELPERS, "from other_library", "from .")
            for name, text in {"__init__": "", "rules": RULES, "helpers": helpers, "tools": tools}.items():
                file.writestr(f"zipped_{number}/{name}.py", text)
        monkeypatch.syspath_prepend(str(archive))
        game = importlib.import_module(f"zipped_{number}.rules").Race()
        assert passthrough_fields(Rules(game)) == ("theirs",)
        hashes.add(rules_hash(game))
    assert len(hashes) == 2


def test_a_constant_without_a_text_of_its_own_is_the_same_in_every_process(install: Install, tmp_path: Path) -> None:
    """`object()` is told by where it lies in memory: no stored solution would ever be found to be that of the game."""
    text = rules_text(install().Hidden())
    assert "<object object>" in text
    code = "import their_games.rules as r; from zermelo.language.rules_text import rules_text as t; print(t(r.Hidden()), end='')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        assert run.stdout == text
