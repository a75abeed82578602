"""The promises hold for the installed package: the same rules hashes, the same answers by the same ways, the same commands.

Run by run.py with a Python that has the wheel of this checkout installed, and that can't import the checkout itself.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.games import (
    BinarySearch,
    CardDraw,
    Dodgem,
    ExactPig,
    GobbletGobblers,
    HogSimultaneous,
    KuhnPoker,
    LeftCenterRight,
    Pig,
    TenThousand,
    TenThousandRace,
)
from zermelo.games.catalogue import ENTRIES, Entry
from zermelo.language.passthrough import passthrough_fields
from zermelo.language.rules import read
from zermelo.language.rules_text import rules_hash

Way = Callable[..., tuple[Any, str]]
HASHES = json.loads((Path(__file__).parent / "rules_hashes.json").read_text())
TINY = {"sizes": 1, "per_size": 5, "moving": False}


# --- the environment -----------------------------------------------------------------------------------------------------


def test_python_finds_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "zermelo", "solve", "solitaire-pig", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout)["value"] == pytest.approx(492303203 / 60466176)


def test_it_is_the_installed_package() -> None:
    checkout = Path(__file__).resolve().parents[2]
    home = Path(zermelo.__file__).resolve()
    assert home.is_relative_to(Path(sys.prefix).resolve()) and not Path(sys.prefix).resolve().is_relative_to(checkout)
    places = [Path(p or ".").resolve() / "zermelo" for p in sys.path]
    assert [p for p in places if p.exists()] == [home.parent]
    assert checkout / "src" not in {p.parent for p in places} and Path.cwd() != checkout
    of_package = [m for n, m in list(sys.modules.items()) if n.partition(".")[0] == "zermelo"]
    assert all(Path(m.__file__ or "").resolve().is_relative_to(home.parent) for m in of_package)
    assert importlib.metadata.version("zermelo") == zermelo.__version__


def test_everything_that_the_sources_have_is_in_the_wheel() -> None:
    sources, installed = Path(__file__).resolve().parents[2] / "src" / "zermelo", Path(zermelo.__file__).parent
    files = {f.relative_to(sources) for f in sources.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    there = {f.relative_to(installed) for f in installed.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    assert files == there and Path("py.typed") in there and Path("link/templates/steps.py") in there
    assert all((sources / f).read_bytes() == (installed / f).read_bytes() for f in files)


# --- rules ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_rules_hashes_are_those_of_the_checkout(entry: Entry) -> None:
    game: Any = entry.game_class()
    assert rules_hash(game(**entry.preset)) == HASHES[entry.command]


def test_passthrough_fields() -> None:
    assert passthrough_fields(read(TenThousandRace(60))) == passthrough_fields(read(Pig())) == ("theirs",)


def test_an_unlimited_score_is_cut_off_by_a_proof() -> None:
    assert "proven best for every score" in zermelo.solve(TenThousand()).certificate.argument


# --- every engine ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game, options, expected, value",
    [
        (CardDraw(3, 3), {}, "explored: Backward", Fraction(17, 20)),
        (CardDraw(3, 3), {"exact": True}, "explored: Backward", Fraction(17, 20)),
        (Pig(10), {}, "explored: Cyclic", 2 * 0.70942432259830307453 - 1),
        (ExactPig(10), {"solver": zermelo.Cyclic()}, "explored: Cyclic", None),
        (Dodgem(3), {}, "explored: Retrograde", 1),
        (GobbletGobblers(**TINY), {}, "explored: Retrograde", 0),
        (HogSimultaneous(5), {}, "explored: Simultaneous", 0),
        (LeftCenterRight(3), {}, "stages: Stages", 17.51588601023136),
        (TenThousandRace(20), {}, "entries: Entries by patterns", None),
        (CardDraw(3000, 3000), {}, "urn: UrnSweep", 28.578225084216687),
        (BinarySearch(20), {}, "replies", None),
        (KuhnPoker(), {}, "hidden: linear program", Fraction(-1, 18)),
        (TenThousand(), {}, "explored: Backward", 5.872018918465638),
    ],
    ids=lambda x: repr(x) if hasattr(x, "_fields") else "",
)
def test_every_engine_solves_in_its_own_way(way: Way, game: Any, options: Any, expected: str, value: Any) -> None:
    solution, name = way(game, **options)
    assert name == expected
    certificate = solution.certificate
    assert float(certificate.high - certificate.low) < 1e-6 and certificate.low <= solution.value <= certificate.high
    if value is not None:
        assert float(solution.value) == pytest.approx(float(value), abs=1e-9)


def test_a_board_of_ranked_positions(small_boards_are_ranked: None) -> None:
    ranked = zermelo.solve(GobbletGobblers(**TINY))
    assert ranked.report.engine == zermelo.plan(GobbletGobblers(**TINY)).engine == "boards" and ranked.value == 0
    assert ranked.statistics["states"] == 765


def test_a_race_by_patterns_is_the_race_by_the_general_solver(way: Way) -> None:
    race, _ = way(TenThousandRace(8))
    general, name = way(TenThousandRace(8), solver=zermelo.Cyclic())
    assert name == "explored: Cyclic"
    assert float(race.value) == pytest.approx(float(general.value), abs=1e-9)


# --- the page --------------------------------------------------------------------------------------------------------------


def test_the_page_is_in_the_package(tmp_path: Path) -> None:
    script = Path(sys.executable).parent / "zermelo"
    made = subprocess.run([script, "page", "pig", "--goal", "3", "-o", str(tmp_path / "pig.html")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    text = (tmp_path / "pig.html").read_text("utf-8")
    assert "board_script" in text and "<style>" in text and "data:image/svg+xml" in text
    page = Path(zermelo.__file__).parent / "serve" / "page"
    assert {"index.html", "style.css", "icon.svg", "main.js", "board.js", "ask.js", "offline.js"} <= {f.name for f in page.iterdir()}


# --- rules of a package of somebody else's -----------------------------------------------------------------------------------

RULES = """
from typing import NamedTuple
from their_helpers import pays

class S(NamedTuple):
    left: int

class Countdown(NamedTuple):
    coins: int = 4

    def start(self):
        return S(self.coins)

    def actions(self, s):
        if s.left:
            yield 1
            if s.left > 1:
                yield 2

    def outcomes(self, s, action):
        yield 1, pays(s.left, action), S(s.left - action)
"""
PLAY = """
import sys, zermelo, their_games
from zermelo.language.rules_text import rules_hash
if sys.argv[1] == "save":
    solution = zermelo.solve(their_games.Countdown())
    solution.save(sys.argv[2])
else:
    solution = zermelo.open(sys.argv[2])
print(rules_hash(solution.game), float(solution.value))
"""


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_an_edited_helper_is_noticed_by_a_stored_solution(tier: str, tmp_path: Path) -> None:
    """Both are installed as pip installs them: beside the package, under site-packages."""
    place = tmp_path / "site-packages"
    place.mkdir()
    (place / "their_games.py").write_text(RULES)

    def run(what: str, helper: str) -> subprocess.CompletedProcess[str]:
        (place / "their_helpers.py").write_text(f"def pays(left, taken):\n    return {helper}\n")
        variables = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", "ZERMELO_TIER": tier}
        command = [sys.executable, "-c", PLAY, what, "stored.zermelo"]
        return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)

    saved = run("save", "left * taken")
    assert saved.returncode == 0, saved.stderr
    assert run("open", "left * taken").stdout == saved.stdout
    refused = run("open", "left + taken")
    assert refused.returncode and "those of Countdown have changed: solve again" in refused.stderr
    anew = run("save", "left + taken")
    assert [a != b for a, b in zip(anew.stdout.split(), saved.stdout.split(), strict=True)] == [True, True]


# --- files and commands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [CardDraw(5, 5), Pig(10), HogSimultaneous(5), BinarySearch(10)], ids=repr)
def test_stored_solutions_open(tmp_path: Path, game: Any) -> None:
    solution = zermelo.solve(game)
    solution.save(tmp_path / "stored.zermelo")
    assert float(zermelo.open(tmp_path / "stored.zermelo").value) == pytest.approx(float(solution.value), abs=1e-12)


def test_a_stored_board_opens(tmp_path: Path, small_boards_are_ranked: None) -> None:
    solution: Any = zermelo.solve(GobbletGobblers(**TINY))
    solution.save(tmp_path / "board.zermelo")
    assert zermelo.open(tmp_path / "board.zermelo").value == 0


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command that pip has put beside Python."""
    program = Path(sys.executable).parent / "zermelo"
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)


def test_the_command(tmp_path: Path) -> None:
    assert zermelo.__version__ in command(tmp_path, "--version").stdout
    assert "card-draw" in command(tmp_path, "list").stdout
    solved = command(
        tmp_path, "solve", "card-draw", "--red", "3", "--black", "3", "--json", "--output", "stored.zermelo"
    )
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["value"] == pytest.approx(0.85)
    opened = command(tmp_path, "solve", "stored.zermelo", "--json")
    assert opened.returncode == 0, opened.stderr
    assert json.loads(opened.stdout)["value"] == pytest.approx(0.85)


def test_a_game_of_the_users_own_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "countdown.py").write_text(RULES)
    (tmp_path / "their_helpers.py").write_text("def pays(left, taken):\n    return left * taken\n")
    solved = command(tmp_path, "solve", "countdown.py:Countdown", "--json", "--output", "stored.zermelo")
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["value"] == pytest.approx(12)
    found_again = "import zermelo; print(zermelo.open('stored.zermelo').value)"
    run = subprocess.run([sys.executable, "-c", found_again], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.startswith("12"), run.stderr
    wrong = command(tmp_path, "solve", "countdown.py:Countup")
    assert wrong.returncode and len(wrong.stderr.strip().splitlines()) == 1
