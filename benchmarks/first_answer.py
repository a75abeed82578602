"""How long somebody waits who writes a game: `python benchmarks/first_answer.py` prints two Markdown tables (`--only WORD`: some games).

Wall and processor time from the start of the process to its end, of `zermelo solve FILE.py:Game`:

- first: nothing is compiled on this machine (folders of their own for the machine code of rules and of kernels);
- edited: the file of the rules was changed since;
- again: unchanged;
- live: a process that has solved the game solves it once more, edited, as in a notebook (the solving only).

MiB is the most memory that any of these processes took. Medians; of what takes more than ten seconds, one measurement. The second table
has games of the catalogue, with nothing compiled (once), again, and once more: machine code is made when Python has taken as long, in
whatever processes. Python's bytecode
of the package and of those that it needs is there from the beginning, as `pip install` leaves it; without it a process takes up to
one and a half seconds longer.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from machine import machine, versions

import zermelo.games

MAIN = "import sys; from zermelo.cli import main; sys.argv[0] = 'zermelo'; sys.exit(main())"
LIVE = """
import importlib.util, sys, time
import zermelo

def game(path):
    spec = importlib.util.spec_from_file_location("live_" + str(len(sys.modules)), path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, sys.argv[3])(*map(int, sys.argv[4:]))

zermelo.solve(game(sys.argv[1]))
edited = game(sys.argv[2])
began = time.perf_counter(), time.process_time()
zermelo.solve(edited)
print(time.perf_counter() - began[0], time.process_time() - began[1])
"""
REPEATS = 5
LONG = 10.0  # seconds

STAIRS = '''
from typing import NamedTuple

class Step(NamedTuple):
    n: int

class Stairs(NamedTuple):
    """Climb 30 steps, one or two at a time; the more one dares, the likelier a fall."""

    def start(self):
        return Step(0)

    def actions(self, s):
        if s.n < 30:
            yield 1
            yield 2

    def outcomes(self, s, a):
        yield 4, -1, Step(min(s.n + a, 30))
        yield a, -1, Step(max(s.n - 3, 0))
'''
LAKE = '''
from typing import NamedTuple

MAP = "SFFF" "FHFH" "FFFH" "HFFG"

class At(NamedTuple):
    row: int
    column: int

class FrozenLake(NamedTuple):
    """The lake of 4 x 4 fields of OpenAI's Gym: one slips to either side as often as one goes where one wants to go."""

    def start(self):
        return At(0, 0)

    def actions(self, s):
        if MAP[4 * s.row + s.column] in "SF":
            for direction in range(4):
                yield direction

    def outcomes(self, s, direction):
        for turned in range(-1, 2):
            way = (direction + turned) % 4
            row = s.row + (1 if way == 1 else -1 if way == 3 else 0)
            column = s.column + (1 if way == 2 else -1 if way == 0 else 0)
            row, column = min(max(row, 0), 3), min(max(column, 0), 3)
            yield 1, (1 if MAP[4 * row + column] == "G" else 0), At(row, column)
'''
EXAMPLES = Path(__file__).parent.parent / "examples"
RUIN, RACE = EXAMPLES / "gamblers_ruin.py", EXAMPLES / "coin_race.py"


class Case(NamedTuple):
    """A game, and what was aimed at: seconds of wall time, first, edited, again and live, and MiB."""

    about: str
    text: str
    name: str
    parameters: dict[str, int]
    aims: tuple[float | None, ...]


def _text(module: str) -> str:
    return (Path(zermelo.games.__file__).parent / f"{module}.py").read_text()


CASES = [
    Case("a game of your own, 31 states", STAIRS, "Stairs", {}, (0.8, 0.8, 0.5, 0.1, 80)),
    Case("gambler's ruin, 301 states", RUIN.read_text(), "GamblersRuin", {"chips": 300}, (0.8, 0.8, 0.5, 0.1, None)),
    Case("card draw, 729 states", _text("card_draw"), "CardDraw", {"red": 26, "black": 26}, (0.8, 0.8, 0.5, 0.1, 80)),
    Case("FrozenLake, 16 states", LAKE, "FrozenLake", {}, (0.8, 0.8, 0.5, 0.1, 80)),
    Case("Left-Center-Right with 3 players, in stages, 165 states", _text("left_center_right"), "LeftCenterRight", {"players": 3},
         (6, None, 0.5, None, 80)),
    Case("Left-Center-Right with 4 players, 1,365 states", _text("left_center_right"), "LeftCenterRight", {"players": 4},
         (6, None, None, None, None)),
    Case("coin race to 10, in stages with decisions, 1,200 states", RACE.read_text(), "CoinRace", {"goal": 10}, (6, None, 0.5, None, 80)),
    Case("coin race to 30, in stages with decisions, 28,800 states", RACE.read_text(), "CoinRace", {"goal": 30},
         (6, None, None, None, None)),
    Case("coin race to 100, 1,020,000 states", RACE.read_text(), "CoinRace", {"goal": 100}, (6, None, None, None, None)),
    Case("card draw, 150 + 150, 22,801 states", _text("card_draw"), "CardDraw", {"red": 150, "black": 150}, (None, None, None, None, None)),
    Case("Dodgem, 3 x 3, ranked, 1,395 positions", _text("dodgem"), "Dodgem", {"size": 3}, (6, None, 0.5, None, 80)),
    Case("Pig to 100, 490,248 states", _text("pig"), "Pig", {"goal": 100}, (5, 2.5, None, None, None)),
]  # fmt: skip


CATALOGUE = (  # the command, and how large the game is
    ("left-center-right --players 4", "1,365 states"),
    ("left-center-right --players 6", "100,947 states"),
    ("dreidel --players 3", "5,920 states"),
    ("fewest-turns", "4,952 states"),
    ("hog --goal 30", "870 states"),
    ("hog --goal 36", "1,260 states"),
    ("coin-patterns", "14,854 states"),
    ("lemonade", "241,758 states"),
    ("ten-thousand-race --goal 20", "50,880 states"),
    ("ten-thousand-race", "130 million states"),
    ("house-race", "8.8 million states"),
)


def edited(text: str, name: str, edit: int) -> str:
    """The file with a line more in the rules."""
    begin = text.index(f"class {name}(")
    return text[:begin] + re.sub(r"(    def outcomes\(.*:\n)", rf"\1        edit = {edit}\n", text[begin:], count=1)


class Measured(NamedTuple):
    wall: float
    processor: float
    mebibytes: float


def process(words: list[str], given: dict[str, str]) -> tuple[Measured, str]:
    """A Python process, from its start to its end, and what it printed last."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # two edits in one second would find the bytecode of the first
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        running = subprocess.Popen([sys.executable, *words], env=environment | given, stdout=out, stderr=subprocess.STDOUT)
        _, code, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(code)
        wall = time.perf_counter() - began
        out.seek(0)
        said = out.read().decode().strip().splitlines()
    if running.returncode:
        raise RuntimeError(f"exit code {running.returncode}: {(said or ['no message'])[-1]}")
    return Measured(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), (said or [""])[-1]


def medians(found: list[Measured]) -> Measured:
    return Measured(*(median(column) for column in zip(*found, strict=True)))


def measure(case: Case) -> list[Measured]:
    """First, edited, again, live."""
    firsts: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder) / "rules.py", Path(folder) / "other.py"
        options = [word for n, v in case.parameters.items() for word in (f"--{n}", str(v))]
        words = ["-c", MAIN, "solve", f"{path}:{case.name}", *options]
        path.write_text(case.text)
        while not firsts or (len(firsts) < REPEATS and firsts[0].wall < LONG):
            given = {"ZERMELO_CACHE": f"{folder}/rules{len(firsts)}", "NUMBA_CACHE_DIR": f"{folder}/kernels{len(firsts)}"}
            firsts.append(process(words, given)[0])
        edits: list[Measured] = []
        while not edits or (len(edits) < REPEATS and edits[0].wall < LONG):
            path.write_text(edited(case.text, case.name, len(edits)))
            edits.append(process(words, given)[0])
        again = [process(words, given)[0] for _ in range(REPEATS)]
        lives: list[Measured] = []
        while not lives or (len(lives) < REPEATS and lives[0].wall < LONG):
            other.write_text(edited(case.text, case.name, 100 + len(lives)))
            took, said = process(["-c", LIVE, str(path), str(other), case.name, *map(str, case.parameters.values())], given)
            wall, processor = map(float, said.split())
            lives.append(Measured(wall, processor, took.mebibytes))
    return [medians(found) for found in (firsts, edits, again, lives)]


def measured_in_turn(command: str) -> list[Measured]:
    """First, again, and once more."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"ZERMELO_CACHE": f"{folder}/rules", "NUMBA_CACHE_DIR": f"{folder}/kernels"}
        return [process(["-c", MAIN, "solve", *command.split()], given)[0] for _ in range(3)]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    asked.add_argument("--only", default="", help="games with this word")
    only = asked.parse_args().only
    for what, value in machine().items():
        print(f"- {what}: {value}")
    said = versions()
    packages = str(Path(zermelo.__file__).parent), sysconfig.get_path("purelib")
    compiling = [sys.executable, "-m", "compileall", "-qq", "-j", "0", *packages]  # here it would add to the memory that is measured
    subprocess.run(compiling, check=False)  # some packages have files that are not meant to compile
    print(f"- versions: {', '.join(f'{name} {said[name]}' for name in ('numpy', 'numba', 'llvmlite', 'scipy'))}\n")
    print("| seconds, wall (processor) | first | edited | again | live | MiB |\n| --- | --- | --- | --- | --- | --- |")
    for case in CASES:
        if only not in case.about:
            continue
        found = measure(case)
        times = [f"{m.wall:.2f} ({m.processor:.2f})" for m in found]
        aims = ["" if aim is None else f", target {aim:g}" for aim in case.aims]
        cells = [time + aim for time, aim in zip(times, aims, strict=False)]
        print(f"| {case.about} | {' | '.join(cells)} | {max(m.mebibytes for m in found):.0f}{aims[4]} |", flush=True)
    print("\n| seconds, wall (processor) | first | again | once more |\n| --- | --- | --- | --- |")
    for command, size in CATALOGUE:
        if only in command:
            times = [f"{m.wall:.2f} ({m.processor:.2f})" for m in measured_in_turn(command)]
            print(f"| `{command}`, {size} | {' | '.join(times)} |", flush=True)


if __name__ == "__main__":
    main()
