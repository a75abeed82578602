"""One file of HTML that shows and plays a solved game without a server: the scripts of the page, and the data that they would request.

It holds all states that play can reach, compressed, with everything that the page shows of them, and the tables and
distributions of the game. The scripts are those of `zermelo serve` in sequence, with offline.js in the place of
ask.js. A policy in the file itself forbids the browser to load anything from anywhere.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from zermelo.basics.plain import plain
from zermelo.basics.progress import Progress
from zermelo.errors import OutOfReach, ZermeloError
from zermelo.language.rules import Joint, State
from zermelo.serve import deals, offline_plays, pictures, positions, searches
from zermelo.serve.api import summary
from zermelo.serve.shelf import Sheet
from zermelo.serve.whole import LARGEST
from zermelo.solution import DataSolution, HiddenSolution, Solution
from zermelo.views.slices import slots_of

MOST_STATES = 20_000  # that are shown
MOST_PLAYED = 300_000  # of a game with hidden information, whose states are only used for playing
MOST_MEGABYTES = 8.0  # of the file
BEGINS = b"<!doctype html>\n<!-- zermelo page -->"  # each of these files; others are not overwritten
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
TABS = ("play", "search", "deal", "map", "lengths", "tree", "tables", "pictures")  # that need no server
PATIENCE = 20.0  # seconds for a table or a picture
INSTEAD = "give the game smaller parameters, or play it with `zermelo serve`"
WAIT = "--patience SECONDS waits for them, and smaller parameters take less"
MOST_OF_A_PICTURE = 2_000_000  # bytes, before it is compressed
MOST_ROWS = 50_000  # of a table


class Page(NamedTuple):
    """A file, and one line on what it lacks; "" if it has everything."""

    content: bytes
    lacks: str


class _TooLong(BaseException):
    """Raised in a view when it reports progress after its time is up. Not an `Exception`, since rules may catch those."""


def page_of(solution: Any, sheet: Sheet, progress: Progress, patience: float = PATIENCE) -> Page:
    """The whole file; tables and pictures that take more than `patience` seconds are left out. Raises `OutOfReach` if it would be
    too large."""
    played = {} if isinstance(solution, Solution | DataSolution) else _played(solution, progress)
    held = _held(solution, sheet, played, progress, patience)
    progress("writing the page", 0, None)
    text = json.dumps({**plain(held, LARGEST), **played}, allow_nan=False, separators=(",", ":"))  # plays are plain already
    made = _document(sheet.title, base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode())
    if len(made) > MOST_MEGABYTES * 1e6:
        raise OutOfReach(_too_large(sheet, f"has {len(made) / 1e6:.1f} MB", f"{MOST_MEGABYTES:g}"))
    return Page(made, held["about"].get("note", ""))


def _too_large(sheet: Sheet, what: str, most: str) -> str:
    return f"the page of {sheet.title} {what}, and {most} is the most: give the game smaller parameters, or look at it with `zermelo serve`"


def _held(solution: Any, sheet: Sheet, played: Mapping[str, Any], progress: Progress, patience: float) -> dict[str, Any]:
    """The contents of the file except for the plays of games without states that can be shown."""
    about = {"solution": "file", "game": sheet.word, "title": sheet.title, **summary(solution), "tabs": TABS}
    found, start, lacks = [], [], []
    if isinstance(solution, Solution):
        found, start = _positions(solution, sheet, progress), slots_of(solution.rules.start)
        about["has states"] = {"yes": True, "why": ""}
    else:
        about.update({"dealt": "deal" in played, "searched": "search" in played})
        if not played and not isinstance(solution, DataSolution):
            lacks.append(f"{_most_played(solution)} can be played in a file: {INSTEAD}")
    views = _Views(about, patience, progress)
    tables = views.made("tables", lambda name, progress: _table(solution, name, progress))
    figures = views.made("figures", lambda name, progress: _figure(solution, name, progress))
    lacks += views.lacks()
    about.update({"note": "; ".join(lacks)} if lacks else {})
    return {
        "sheet": {**sheet.as_data(), "game": "game", "saved": True, "parameters": []},
        "about": {**about, "game": "game"},
        "start": start,
        "positions": found,
        "views": {"distribution": _distributions(solution, about, progress), "table": tables, "figure": figures},
    }


def _most_played(solution: Any) -> str:
    if isinstance(solution, HiddenSolution):
        return f"only games of up to {MOST_PLAYED:,} states"
    if searches.is_played(solution):
        return f"only {offline_plays.MOST_NUMBERS} numbers"
    return f"only {offline_plays.MOST_CELLS:,} pairs of strategies"


def _played(solution: Any, progress: Progress) -> dict[str, Any]:
    """The data for playing a game without states that can be shown; nothing if that is too much."""
    held: dict[str, Any] = {}
    if searches.is_played(solution):
        held["search"] = offline_plays.held_search(solution)
    elif isinstance(solution, HiddenSolution):
        held["deal"] = offline_plays.held_deals(solution, MOST_PLAYED, progress)
    elif deals.is_dealt(solution):
        held["deal"] = offline_plays.held_matrix(solution)
    return {name: data for name, data in held.items() if data is not None}


class _Views:
    """Tables and figures of a solution, as a server makes them without fixed fields; `about` names only those that are included."""

    def __init__(self, about: dict[str, Any], patience: float, progress: Progress):
        self._about, self._patience, self._progress = about, patience, progress
        self._late: list[str] = []  # views that took too long
        self._large: list[str] = []

    def lacks(self) -> list[str]:
        """The omitted views, and why they are omitted."""
        found = []
        if self._large:
            found.append(f"left out for their size: {', '.join(self._large)}; `zermelo table` and `zermelo plot` have them")
        if self._late:
            found.append(f"left out for taking more than {self._patience:g} s: {', '.join(self._late)}; {WAIT}")
        return found

    def made(self, kind: str, make: Callable[[str, Progress], Any]) -> dict[str, Any]:
        """All views of a kind by name. Progress reports each before it begins, and how long it may take."""
        found, known, word = {}, self._about["views"].get(kind, []), kind.removesuffix("s")
        for k, view in enumerate(known):
            named = f"the {word} {view['name']}"
            self._progress(f"{named}, {self._patience:g} s at most", k, len(known))
            try:
                found[view["name"]] = make(view["name"], self._until(named, time.monotonic() + self._patience))
            except ZermeloError:  # a view that this solution can't have; the page of a server says why
                continue
            except _TooLong:
                self._late.append(named)
        self._large += [f"the {word} {name}" for name, made in found.items() if made is None]
        found = {name: made for name, made in found.items() if made is not None}
        self._about["views"] = {**self._about["views"], kind: [{**v, "takes": False} for v in known if v["name"] in found]}
        return found

    def _until(self, named: str, end: float) -> Progress:
        """A progress callback that ends a view when its time is up."""

        def report(what: str, done: int, total: int | None) -> None:
            if time.monotonic() > end:
                raise _TooLong
            self._progress(f"{named}: {what}", done, total)

        return report


def _table(solution: Any, name: str, progress: Progress) -> dict[str, Any] | None:
    made = pictures.table(solution, name, None, progress)
    return made if len(made["rows"]) <= MOST_ROWS else None


def _figure(solution: Any, name: str, progress: Progress) -> dict[str, Any] | None:
    made = pictures.figure(solution, name, None, progress)
    return made if len(made["svg"]) <= MOST_OF_A_PICTURE else None


def _distributions(solution: Any, about: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """By the name of a payoff; nothing for lengths. Where there is none, why not."""
    found = {}
    for name in ("", *about.get("play", {}).get("payoffs", ())):
        try:
            found[name] = pictures.distribution(solution, name or None, progress)
        except ZermeloError as error:
            found[name] = {"error": str(error)}
    return found


def _positions(solution: Solution, sheet: Sheet, progress: Progress) -> list[dict[str, Any]]:
    """All states that play can reach from the start, each with the outcomes of every action."""
    number: dict[State, int] = {solution.rules.start: 0}
    waiting, leads = deque([solution.rules.start]), []
    while waiting:
        leads.append(_leads(solution, waiting.popleft(), number, waiting))
        if len(number) > MOST_STATES:
            raise OutOfReach(_too_large(sheet, f"holds more than {MOST_STATES:,} states", f"{MOST_STATES:,}"))
    found: list[dict[str, Any]] = []
    for state, led in zip(number, leads, strict=True):
        if len(found) % 64 == 0:
            progress("writing positions", len(found), len(number))
        position = positions.position(solution, state)
        if position.get("more actions"):
            raise OutOfReach(_too_large(sheet, f"has {len(position['actions']) + position['more actions']:,} actions in a state", "1,000"))
        found.append({**position, "asks": [], "leads": led})
    return found


def _leads(solution: Solution, state: State, number: dict[State, int], waiting: deque[State]) -> dict[str, Any]:
    """By action (by both, with a comma, where both choose at once): its name and its outcomes, states by number."""
    rules = solution.rules
    if rules.is_simultaneous:
        own, others = rules.choices(state)
        taken = {f"{k},{j}": Joint(a, b) for k, a in enumerate(own) for j, b in enumerate(others)}
    else:
        taken = {str(k): a for k, a in enumerate(rules.actions(state))}
    return {k: {"action": rules.action_name(a), "outcomes": _outcomes(solution, state, a, number, waiting)} for k, a in taken.items()}


def _outcomes(solution: Solution, state: State, action: Any, number: dict[State, int], waiting: deque[State]) -> list[Any]:
    found = []
    for probability, outcome in positions.likeliest(solution, state, action):
        if outcome.state not in number:
            number[outcome.state] = len(number)
            waiting.append(outcome.state)
        found.append([number[outcome.state], *positions.outcome_facts(outcome, probability).values()])
    return found


# --- the document -----------------------------------------------------------------------------------------------------------


def _document(title: str, packed: str) -> bytes:
    icon = f"data:image/svg+xml;base64,{base64.b64encode(_asset('icon.svg').encode()).decode()}"
    text = _asset("index.html").replace('"icon.svg"', f'"{icon}"').replace("<!doctype html>", BEGINS.decode(), 1)
    parts = {
        "<title>Zermelo</title>": f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>{html.escape(title)}</title>',
        '<link rel="stylesheet" href="style.css">': f"<style>\n{_asset('style.css')}</style>",
        '<script type="module" src="main.js"></script>': "",
        "</body>": f'<script type="text/plain" id="solved">{packed}</script>\n<script type="module">\n{_bundle()}</script>\n</body>',
    }
    for old, new in parts.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()


def _asset(name: str) -> str:
    return files("zermelo.serve").joinpath("page", name).read_text("utf-8")


def _bundle() -> str:
    """All scripts as one: each in a separate function that returns the script's exports, in the order of their dependencies."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        text = _asset(name)
        done[name] = ""  # in progress: scripts that import each other would otherwise recurse forever
        for _, other in re.findall(IMPORT, text):
            add(_instead(other))
        exported = re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, re.MULTILINE)
        exported += [n for line in re.findall(r"^export const (.*;)$", text, re.MULTILINE) for n in re.findall(r", ([A-Z]\w*) = ", line)]
        text = re.sub(IMPORT, lambda found: f"const {{{found[1]}}} = {_variable(_instead(found[2]))};", text)
        text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
        del done[name]
        done[name] = f"const {_variable(name)} = (() => {{\n{text}return {{ {', '.join(dict.fromkeys(exported))} }};\n}})();\n"

    add("main.js")
    return "".join(done.values())


IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)


def _instead(name: str) -> str:
    return "offline.js" if name == "ask.js" else name


def _variable(name: str) -> str:
    return f"{name.removesuffix('.js')}_script"
