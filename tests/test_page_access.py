"""The page for everybody: contrast in light and dark, colours that the colour-blind can tell apart, names and keys for all controls.

`python tests/audit_page.py axe.min.js` asks axe-core besides, for every view; docs/explorer.md says what it found last.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import zermelo
from browser import Browser, needs_chromium, serving
from zermelo.games.named import find
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet

PAGE = Path(zermelo.__file__).parent / "serve" / "page"
TEXT = [  # what is read, and on what
    *itertools.product(("ink", "muted"), ("paper", "sheet", "soft")),
    *itertools.product(("accent", "wrong"), ("paper", "sheet")),
    ("on-accent", "accent"), ("right", "right-soft"), ("ink", "note-soft"), ("ink", "wrong-soft"), ("wrong", "wrong-soft"), ("ink", "line"),
]  # fmt: skip
SIGNS = [
    *itertools.product(("focus", "edge"), ("paper", "sheet")), ("focus", "soft"), ("bar-best", "soft"), ("bar-worst", "soft"),
]  # fmt: skip
# What the world looks like to those who lack one kind of cone: Machado, Oliveira and Fernandes (2009), severity 1.
BLIND = {
    "nobody": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def palettes() -> dict[str, dict[str, str]]:
    css = (PAGE / "style.css").read_text()
    light = dict(re.findall(r"--([\w-]+): (#\w{6})", css.partition("@media")[0]))
    texts = re.findall(r'\[data-theme="(?:light|dark)"\]\)? \{([^}]*--[^}]*)\}', css)
    blocks = [dict(re.findall(r"--([\w-]+): (#\w{6})", text)) for text in texts]
    assert len(blocks) == 2 and blocks[0] == blocks[1]  # dark as the system has it, and as it was chosen
    return {"light": light, "dark": {**light, **blocks[0]}}


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """As in WCAG 2."""
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_signs_stand_out(theme: str) -> None:
    palette = palettes()[theme]
    for pairs, least in ((TEXT, 4.5), (SIGNS, 3.0)):
        for one, other in pairs:
            assert contrast(palette[one], palette[other]) >= least, (one, other)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_letters_of_the_blackjack_chart_stand_out() -> None:
    """axe-core does not judge the contrast of single letters."""
    css = (PAGE / "blackjack.css").read_text()
    plain = re.search(r"\.charts td button \{[^}]*; color: (#\w+)", css)
    codes = re.findall(r"\.code-(\w+) \{ background: (#\w{6})(?:; color: (#\w+))?", css)
    assert plain and {code for code, *_ in codes} == {"S", "H", "D", "Ds", "P", "R", "Rs"}
    for code, ground, ink in codes:
        assert contrast((ink or plain[1]).replace("#fff", "#ffffff")[:7], ground) >= 4.5, code


@pytest.mark.parametrize("who", BLIND)
def test_colours_with_a_meaning_can_be_told_apart(who: str) -> None:
    """By a distance of 10 in CIE Lab; 2.3 is just noticeable."""
    actions = re.search(r"ACTIONS = \[(.*?)\]", (PAGE / "palette.js").read_text())
    named = dict(re.findall(r'([A-Z]+) = "(#\w{6})"', (PAGE / "palette.js").read_text()))
    assert actions
    best = [named.get(word, word.strip('"')) for word in actions[1].split(", ")]
    for palette in palettes().values():
        bars = [palette[f"bar-{kind}"] for kind in ("best", "near", "worse", "worst")]
        for colours in (bars, best, [palette["blue"], palette["orange"]]):
            seen = [lab(np.clip(np.array(BLIND[who]) @ linear(c), 0, 1)) for c in colours]
            assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 10, colours


# --- in the browser ----------------------------------------------------------------------------------------------------------

NAMED = """(() => {
  const shown = (e) => e.getClientRects().length > 0, html = (list) => list.map((e) => e.outerHTML.slice(0, 120));
  const label = (e) => e.getAttribute('aria-label') ?? [...(e.labels ?? [])].map((l) => l.textContent).join('');
  const name = (e) => label(e) || e.textContent || e.title || e.alt;
  const inner = (e) => e.querySelector('a[href],button,input,select,[tabindex]');
  const all = (selector) => [...document.querySelectorAll(selector)], scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflow);
  const controls = all('button, a[href], input, select, summary, canvas, [role=button], [role=img], img').filter(shown);
  const isLong = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
  const heads = (t) => t.querySelectorAll('thead th').length > 0 && [...t.querySelectorAll('thead th')].every((h) => h.scope === 'col');
  const levels = all('h1, h2, h3').filter(shown).map((e) => Number(e.tagName[1])), ids = all('[id]').map((e) => e.id);
  return {
    nameless: html(controls.filter((e) => e.getAttribute('alt') !== '' && !name(e)?.trim())),
    tables: html(all('main table').filter((t) => shown(t) && (!t.getAttribute('aria-label') || !heads(t)))),
    regions: html(all('.answer, .below > section').filter((e) => !e.getAttribute('aria-label'))),
    inside: html(all('summary, button, a[href], [role=button]').filter(inner)),
    stuck: html(all('main *').filter((e) => shown(e) && scrolls(e) && isLong(e) && e.tabIndex < 0 && !inner(e))),
    levels: levels.filter((l, k) => l > (levels[k - 1] ?? 0) + 1), first: levels[0],
    ids: ids.length - new Set(ids).size, lang: document.documentElement.lang,
  };
})()"""
CLEAN = {"nameless": [], "tables": [], "regions": [], "inside": [], "stuck": [], "levels": [], "first": 1, "ids": 0, "lang": "en"}
VIEWS = {
    "pig?goal=8": {"play": ".move", "map": ".mapping canvas", "lengths": ".spread .chart", "tree": ".tree .node", "states": "tbody tr",
                   "tables": ".tables tbody tr", "pictures": ".picture-view img"},
    "kuhn-poker": {"deal": ".dealing .move", "states": "tbody tr"},
    "binary-search?n=7": {"search": ".searching .cell.can"},
    "tic-tac-toe": {"play": ".playing:not(.searching) .cell.can"},
}  # fmt: skip


@pytest.fixture(scope="module")
def page() -> Iterator[tuple[Server, Browser]]:
    with serving([Sheet(w, find(w)) for w in (v.partition("?")[0] for v in VIEWS)]) as server, Browser() as browser:
        yield server, browser


@needs_chromium
def test_every_view_can_be_used_by_keys_and_read_aloud(page: tuple[Server, Browser]) -> None:
    server, browser = page
    browser.open(server.url)
    browser.until("document.querySelector('.card')")
    assert browser.run(NAMED) == CLEAN
    for word, views in VIEWS.items():
        name, _, query = word.partition("?")
        for view, wanted in views.items():
            browser.open(f"{server.url}#/{name}/{view}?{query}")
            browser.until(f"location.hash.startsWith('#/{name}/{view}') && document.querySelector('{wanted}')")
            browser.run("document.querySelectorAll('details').forEach((d) => (d.open = true))")
            browser.until("document.querySelector('h1')?.textContent")
            assert browser.run(NAMED) == CLEAN, (name, view)


FOCUSED = "document.activeElement.closest('.playing') !== null"
HEARD = """window.heard = []; new MutationObserver(() => heard.push(document.getElementById('live').textContent.trim()))
  .observe(document.getElementById('live'), {childList: true, characterData: true, subtree: true});"""
PLAYS = [  # where play begins; what the moves are called; what is heard in the end
    ("tic-tac-toe/play", "[0-8]", "The play is over"),
    ("kuhn-poker/deal", "check|bet|call|fold", "The play is over: you get"),
    ("binary-search/search?n=7", "[1-7]", "that is it"),
]


def tab_to(browser: Browser, selector: str) -> None:
    """Press Tab until the focus is on such an element."""
    for _ in range(80):
        if browser.run(f"document.activeElement.matches({selector!r})"):
            return
        browser.press("Tab")
    pytest.fail(f"no {selector} is reached by Tab")


@needs_chromium
@pytest.mark.parametrize(("where", "named", "end"), PLAYS, ids=[p[0] for p in PLAYS])
def test_a_play_can_be_followed_by_who_does_not_see_it(where: str, named: str, end: str, page: tuple[Server, Browser]) -> None:
    """From start to end with Tab and Enter alone: each move is heard, what the focus is on has a name, and the focus is never lost."""
    server, browser = page
    browser.open("about:blank")
    browser.open(f"{server.url}#/{where}")
    browser.until("document.querySelector('.playing .move') && document.getElementById('live').textContent")
    browser.run(HEARD)
    begins = ".searching input[type=number]" if "search" in where else ".playing .move"
    for _ in range(9):
        tab_to(browser, begins)
        heard = browser.run("heard.length")
        if "search" in where:
            browser.press(browser.run("document.querySelector('.searching .move .name').textContent"))
        browser.press("Enter")
        browser.until(f"heard.length > {heard}")
        assert browser.until(FOCUSED), "the focus is lost"
        nodes = [n for n in browser.ask("Accessibility.getFullAXTree")["nodes"] if not n["ignored"]]
        facts = [{p["name"]: p["value"].get("value") for p in n.get("properties", [])} for n in nodes]
        told = [(n["role"]["value"], n.get("name", {}).get("value", ""), f) for n, f in zip(nodes, facts, strict=True)]
        assert not [role for role, name, facts in told if facts.get("focusable") and not name and role not in ("RootWebArea", "main")]
        assert [name for _, name, facts in told if facts.get("focused") and name]
        assert re.search(named, browser.run("heard.at(-1)"))
        if end in browser.run("heard.at(-1)"):
            break
    else:
        pytest.fail(f"the end is not heard, only {browser.run('heard')}")
    assert "New" in browser.run("document.activeElement.textContent")  # play goes on with Enter
    assert browser.complaints == []


@needs_chromium
def test_what_is_printed_is_dark_on_white_and_whole(page: tuple[Server, Browser]) -> None:
    """In the dark it was light on nothing, and of a list that scrolls paper has what is seen of it."""
    server, browser = page
    browser.open("about:blank")
    browser.open(f"{server.url}#/pig?goal=8")
    browser.until("document.querySelector('.moves .list')")
    scheme = [{"name": "prefers-color-scheme", "value": "dark"}]
    try:
        for chosen in ("", "dark"):
            browser.ask("Emulation.setEmulatedMedia", media="print", features=scheme)
            browser.run(f"void (document.documentElement.dataset.theme = {chosen!r})")
            found = browser.run("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
            assert found == ["rgb(28, 34, 40)", "rgb(255, 255, 255)"]
            assert browser.run("getComputedStyle(document.querySelector('.moves .list')).maxHeight") == "none"
    finally:
        browser.ask("Emulation.setEmulatedMedia", media="", features=[])
        browser.run("delete document.documentElement.dataset.theme")


@needs_chromium
def test_the_focus_stays_where_views_and_tables_change(page: tuple[Server, Browser]) -> None:
    """On a tab, the head of a column, the button for the next rows; in the view that a link opens; on what has opened a form."""
    server, browser = page
    browser.open("about:blank")
    browser.open(f"{server.url}#/pig/tables?goal=8")
    browser.until("document.querySelector('.tables thead button')")
    browser.run("document.querySelector('.skip').focus()")
    browser.press("Enter")  # it was taken for the address of a game
    found = browser.run("[document.activeElement.id, location.hash, document.querySelector('h1').textContent]")
    assert found == ["main", "#/pig/tables?goal=8", "Pig"]
    browser.run("document.querySelector('.tables thead th:nth-child(2) button').focus()")
    browser.press("Enter")
    assert browser.run("document.activeElement.closest('[aria-sort=ascending]')?.cellIndex") == 1
    browser.run("[...document.querySelectorAll('.tabs a')].find((a) => a.textContent === 'States').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('.states tbody tr')")
    assert browser.run("document.activeElement.closest('.tabs') && document.activeElement.ariaCurrent") == "page"
    of = browser.run("document.querySelector('.states [role=status]').textContent.split(' of ')[1]")
    browser.run("document.querySelector('.states .foot button:enabled').focus()")
    for first in range(51, int(of.replace(",", "")) + 1, 50):
        browser.press("Enter")
        browser.until(f"document.querySelector('.states [role=status]').textContent.startsWith('{first} to ')")
        assert browser.run("document.activeElement.closest('.foot') && !document.activeElement.disabled")
    assert browser.run("document.activeElement.textContent") == "Previous"  # there are no further rows
    browser.run("document.querySelector('.states thead button').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('.states th[aria-sort=ascending]')")
    assert browser.run("document.activeElement.closest('th')?.cellIndex") == 0
    browser.run("document.querySelector('.states tbody a').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('.playing .board .picture')")
    assert browser.run("document.activeElement.ariaLabel") == "Play"  # the view that a state is played in
    browser.run("document.querySelector('.form summary').focus()")
    browser.press("Enter")
    browser.press("Tab")
    browser.run("document.activeElement.value = 7")
    browser.press("Enter")
    browser.until("location.hash.includes('goal=7') && document.activeElement.textContent === 'goal 7change'")
    assert browser.complaints == []


@needs_chromium
def test_the_tree_opens_as_deep_as_is_chosen(page: tuple[Server, Browser]) -> None:
    """The last states show their actions, closed; above them each state's best action is open, or all (two, once there is a turn total)."""
    server, browser = page
    browser.open(f"{server.url}#/pig/tree?goal=8")
    browser.until("document.querySelector('.tree .node details[open]')")
    deep = """(() => { const depth = (e) => (e ? 1 + depth(e.parentElement.closest('details.state[open]')) : 0);
      const open = [...document.querySelectorAll('details.state[open]')];
      const actions = open.map((e) => e.querySelectorAll(':scope > ul > li > details.action[open]').length);
      return [Math.max(...open.map(depth)), Math.max(...actions), open.length]; })()"""
    for which, opened in (("best", (0, 1, 1)), ("every", (0, 1, 2))):
        for depth, most in enumerate(opened, 1):
            chosen = json.dumps([str(depth), which])
            browser.run(
                f"(([depth, which]) => {{ const [a, b] = document.querySelectorAll('.tree select'); a.value = depth; b.value = which;"
                f" b.dispatchEvent(new Event('change')); }})({chosen})"
            )
            browser.until("!document.querySelector('.tree > p:last-child').textContent.startsWith('Opening')")
            found = browser.run(deep)
            assert found[:2] == [depth, most] and found[2] >= depth, (which, depth, found)
