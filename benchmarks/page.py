"""How quick the page is, in Chromium: the first page once a game is solved, a move, a jump to a state, and probes of random positions.

    python benchmarks/page.py [--only WORD]
    python benchmarks/page.py --robot          # pictures a second of the robot's view while it is turned
    python benchmarks/page.py --saved FILE     # positions of a saved solution as the page asks for them, without a browser

Each line: medians and the slowest, in milliseconds. Aims: 1000 for the first page, 100 for what is done in it, 20 for a probe.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser import Browser, chromium
from zermelo.games.named import find
from zermelo.robot import Robot, maze
from zermelo.serve.robot import watch
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet
from zermelo.views.slices import slots_of

GAMES: dict[str, dict[str, int]] = {
    "tic-tac-toe": {},
    "pig": {"goal": 50},
    "robot-maze": {"height": 16, "width": 16},
    "guess-number": {},
    "dodgem": {"size": 4},
    "connect-four": {"width": 5, "height": 4},
}
PROBES, MOVES = 300, 12
CLICK = """new Promise(done => {
  const before = document.querySelectorAll('.step').length, began = performance.now();
  document.querySelector('.move').click();
  const look = () => document.querySelectorAll('.step').length !== before ? done(performance.now() - began) : requestAnimationFrame(look);
  look();
})"""
JUMP = """(address => new Promise(done => {
  const board = document.querySelector('.board').firstElementChild, began = performance.now();
  location.hash = address;
  const isThere = () => document.querySelector('.board').firstElementChild !== board;
  const look = () => isThere() ? done(performance.now() - began) : requestAnimationFrame(look);
  look();
}))"""
SPIN = """new Promise(done => {
  const scene = document.querySelector('canvas').scene, kept = scene.before, from = scene.frames, began = performance.now();
  scene.before = now => { scene.turn(0.01, 0); kept?.(now); return true; };
  setTimeout(() => { scene.before = kept; done([1000 * (scene.frames - from) / (performance.now() - began), scene.sharpness]); }, 5000);
})"""


def walked(solution: Any, count: int) -> list[Any]:
    """Positions of random plays."""
    dice, rules, found = random.Random(1), solution.rules, []
    state = rules.start
    while len(found) < count:
        found.append(state)
        actions = rules.actions(state)
        state = dice.choice([o for o in rules.outcomes(state, dice.choice(actions)) if o.ways]).state if actions else rules.start
    return found


def told(name: str, times: list[float]) -> str:
    return f"{name} {statistics.median(times):.1f} (slowest {max(times):.1f})"


def measure(word: str, parameters: dict[str, int]) -> None:
    with Server([Sheet(word, find(word), parameters)], port=0) as server, Browser() as browser:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.api.shelf.is_set_apart = True  # as in `zermelo serve`
        book = server.api.shelf.open(word)
        book.job.over.wait()
        solution, probes = book.solution, []
        for state in walked(solution, PROBES):
            began = time.perf_counter()
            solution.probe(state)
            probes.append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        browser.open(server.url)
        browser.until("document.querySelector('.move')")
        first = 1000 * (time.perf_counter() - began)
        moves = []
        for _ in range(MOVES):
            if not browser.run("!!document.querySelector('.move:not([disabled])')"):
                browser.press("n")
                browser.until("document.querySelectorAll('.step').length === 0 && document.querySelector('.move')")
            moves.append(browser.run(CLICK))
            time.sleep(0.1)
        states = [",".join(map(str, slots_of(s))) for s in walked(solution, PROBES)[:: PROBES // MOVES]]
        addresses = [f"#/{word}/play?~at={at}" for at, before in itertools.pairwise(states) if at != before]
        jumps = [browser.run(f"{JUMP}({json.dumps(address)})") for address in addresses]
        head = f"{word} {parameters}, {solution.report.states:,} states"
        print(f"{head}: first page {first:.0f}; {told('a move', moves)}; {told('a jump', jumps)}; {told('a probe', probes)}", flush=True)
        server.shutdown()


def saved(file: str) -> None:
    """Positions of random plays of a saved solution: what the page asks for them by HTTP, and the probe in it, each first and once more.
    Wall time, and in brackets that of the processor, server and client together."""
    with Server([Sheet(file, find(file))], port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.api.shelf.is_set_apart = True
        began = time.perf_counter()
        book = server.api.shelf.open(file)
        book.job.over.wait()
        solution, opened = book.solution, 1000 * (time.perf_counter() - began)
        address = f"{server.url}api/solutions/{book.name}/position"
        states, lines = walked(solution, 2 * PROBES), []

        def asked(state: Any) -> None:
            body = json.dumps({"state": slots_of(state)}).encode()
            with urlopen(Request(address, body, {"Content-Type": "application/json"})) as answer:
                answer.read()

        for name, ask, some in (("a probe", solution.probe, states[:PROBES]), ("by HTTP", asked, states[PROBES:])):
            for when in ("first", "again"):
                walls, works = [], []
                for state in some:
                    began, worked = time.perf_counter(), time.process_time()
                    ask(state)
                    walls.append(1000 * (time.perf_counter() - began))
                    works.append(1000 * (time.process_time() - worked))
                lines.append(f"{told(f'{name}, {when}', walls)} [{statistics.median(works):.1f} ({max(works):.1f})]")
        size = Path(file).stat().st_size / 1e6
        head = f"{Path(file).name}: {solution.report.states:,} positions, {size:.1f} MB, opened in {opened:.0f} ms"
        print("; ".join([head, *lines]), flush=True)
        server.shutdown()


def spent(browser: Browser) -> tuple[float, float]:
    """Seconds of scripts, and of all tasks of the page's thread, so far."""
    told = {m["name"]: m["value"] for m in browser.ask("Performance.getMetrics")["metrics"]}
    return told["ScriptDuration"], told["TaskDuration"]


def spin() -> None:
    view = watch(Robot(maze(8, 8, 1)), {}, port=0, browser=False)
    with Browser(1280, 800) as browser:
        for tab in ("drive", "race"):
            browser.open(f"{view.url}#{tab}")
            browser.until("document.querySelector('canvas')?.scene?.frames > 0")
            time.sleep(3)
            browser.ask("Performance.enable")
            for _ in range(3):
                before, begun = spent(browser), browser.run("document.querySelector('canvas').scene.frames")
                rate, sharpness = browser.run(SPIN)
                drawn = browser.run("document.querySelector('canvas').scene.frames") - begun
                script, thread = (1000 * (now - then) / drawn for then, now in zip(before, spent(browser), strict=True))
                print(
                    f"the robot, {tab}: {rate:.1f} pictures a second, {sharpness:.2f} of the pixels of a side; for each {script:.2f} ms of "
                    f"script, {thread:.2f} ms of the page's thread in all",
                    flush=True,
                )
    view.close()


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--only", choices=GAMES)
    given.add_argument("--robot", action="store_true")
    given.add_argument("--saved", nargs="+", metavar="FILE", default=())
    asked = given.parse_args()
    for file in asked.saved:
        saved(file)
    if asked.saved:
        return
    if chromium() is None:
        raise SystemExit("there is no Chromium (Debian: apt-get install chromium)")
    if asked.robot:
        spin()
        return
    for word, parameters in GAMES.items():
        if asked.only in (None, word):
            measure(word, parameters)


if __name__ == "__main__":
    main()
