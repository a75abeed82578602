"""What axe-core finds on the pages, in light and dark: python tests/audit_page.py axe.min.js

axe-core is no part of the package: `npm pack axe-core` brings it (package/axe.min.js in what comes). Each line is a rule that is broken and
where; no line, and nothing was found.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser import Browser
from zermelo.games.catalogue import ENTRIES
from zermelo.games.named import find
from zermelo.robot import Robot, maze
from zermelo.serve.blackjack import PAGE, BlackjackApi
from zermelo.serve.robot import watch
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet

SMALL: dict[str, dict[str, int]] = {  # solved at once
    "pig": {"goal": 20}, "piglet": {"goal": 4}, "exact-pig": {"goal": 12}, "fewest-turns": {"goal": 12},
    "hog": {"goal": 15, "most_dice": 4},
    "hog-simultaneous": {"goal": 5, "most_dice": 3}, "ten-thousand-turns": {"goal": 200, "dice": 3}, "ten-thousand-race": {"goal": 2},
    "house-race": {"goal": 500, "dice": 3}, "farkle": {"goal": 2}, "gobblet": {"sizes": 2, "per_size": 1}, "dodgem": {"size": 2},
    "connect-four": {"width": 4, "height": 3}, "left-center-right": {"chips": 1}, "dreidel": {"players": 3, "coins": 3},
    "coin-patterns": {"flips": 10}, "leduc-poker": {"ranks": 2}, "liars-dice": {"sides": 3}, "goofspiel": {"cards": 3},
    "battleship": {"width": 3, "height": 1}, "lemonade": {"days": 2}, "binary-search": {"n": 13}, "guess-number": {"n": 12},
}  # fmt: skip
GAMES = {entry.command: SMALL.get(entry.command, {}) for entry in ENTRIES}
TABS = {"pig": ("map", "lengths", "tree", "states", "tables", "pictures"), "kuhn-poker": ("states", "pictures")}
READY = "document.querySelector('.below > :nth-child(2)')?.textContent"
FIND = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((v) => [v.id, v.impact,
  v.nodes.slice(0, 3).map((n) => n.html.slice(0, 110))]))"""


def pages(url: str) -> Iterator[tuple[str, str]]:
    yield url, "document.querySelector('.card')"
    for word in GAMES:
        yield f"{url}#/{word}", READY
        for tab in TABS.get(word, ()):
            yield f"{url}#/{word}/{tab}", READY


def main() -> None:
    axe = Path(sys.argv[1]).read_text()
    sheets = [Sheet(word, find(word), given) for word, given in GAMES.items()]
    view = watch(Robot(maze(8, 8, 1)), {}, port=0, browser=False)
    with Server(sheets, port=0) as server, Server(BlackjackApi({}), port=0) as table, Browser(1100, 900) as browser:
        for one in (server, table):
            threading.Thread(target=one.serve_forever, daemon=True).start()
        asked = [
            *pages(server.url),
            (table.url + PAGE, "document.querySelectorAll('.charts td button').length > 300"),
            *((f"{view.url}#{tab}", "document.querySelector('canvas')") for tab in ("drive", "race")),
        ]
        for dark in (False, True):
            browser.colours(dark)
            for address, ready in asked:
                browser.open("about:blank")
                browser.open(address)
                browser.until(ready, 600)
                browser.run("document.querySelectorAll('details').forEach((d) => (d.open = true))")
                browser.run(f"new Promise((done) => setTimeout(done, 800)).then(() => {{ {axe}; }})")
                found: list[Any] = browser.run(FIND)
                for rule, impact, where in found:
                    print("dark" if dark else "light", address.partition("#")[2] or address, rule, impact, *where, sep="\n  ", flush=True)
        print(f"{2 * len(asked)} pages were looked at")
        for one in (server, table):
            one.shutdown()
    view.close()


if __name__ == "__main__":
    main()
