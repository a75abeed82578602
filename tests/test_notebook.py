"""What notebooks show of solutions, probes, distributions and tables: right numbers, escaped, well formed, small."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import linecache
import os
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest

import zermelo
from zermelo.basics import html
from zermelo.games.all_views import TABLES, fitting
from zermelo.kernels.kernel import only
from zermelo.language.source import names_used
from zermelo.uses.units import percent
from zermelo.views.table import Table

ALONE = {"line", "rect"}  # elements that may end in />


class Read(HTMLParser):
    """Tags that are open, and the text; an end that does not fit is an error."""

    def __init__(self, text: str):
        super().__init__()
        self.stack: list[str] = []
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.stack.append(tag)
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        assert tag in ALONE

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def shown(thing: Any) -> list[str]:
    text = thing._repr_html_()
    assert len(text) < 60_000
    read = Read(text)
    assert not read.tags & {"script", "style", "img", "iframe", "b", "i"}
    return read.words


@pytest.mark.parametrize(
    ("word", "parameters", "value"),
    [
        ("pig", {"goal": 8}, None),
        ("card-draw", {"red": 4, "black": 4, "exact": True}, "$1"),
        ("dodgem", {"size": 3}, "1"),
        ("hog-simultaneous", {"goal": 4, "most_dice": 2}, "0"),
        ("kuhn-poker", {}, "-1/18 = -0.055555555555556 chips to player 0"),
        ("binary-search", {"n": 5}, "$20/9 = $2.222222222222222 to Alice"),
        ("left-center-right", {}, None),
        ("ten-thousand-race", {"goal": 6}, None),
    ],
)
def test_solutions(word: str, parameters: dict[str, Any], value: str | None) -> None:
    solution = zermelo.solve(word, **parameters)
    words = shown(solution)
    assert solution.report.engine in words and solution.report.summary in words
    assert any(w.startswith(str(float(solution.value))[:7]) for w in words) if value is None else value in words
    win = getattr(solution, "win_probability", lambda: None)()
    assert not win or f"{percent(win)} %" in words


def test_a_matrix_and_what_a_file_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "MatrixSolution of a matrix of 2 x 2 payoffs" in shown(zermelo.matrix_game([[1, -1], [-1, 1]]))
    source = (
        "from typing import NamedTuple\nclass S(NamedTuple):\n    n: int\nclass G(NamedTuple):\n    def start(self):\n        return S(2)\n"
        "    def actions(self, s):\n        if s.n:\n            yield 1\n    def outcomes(self, s, a):\n        yield 1, 2, S(s.n - 1)\n"
    )
    (tmp_path / "own.py").write_text(source)
    zermelo.solve(f"{tmp_path / 'own.py'}:G").save(tmp_path / "own.zermelo")
    for name in [n for n, module in sys.modules.items() if getattr(module, "__file__", None) == str(tmp_path / "own.py")]:
        monkeypatch.delitem(sys.modules, name)  # as in another process
    data = zermelo.open(tmp_path / "own.zermelo")
    assert isinstance(data, zermelo.DataSolution) and "4" in shown(data)


def test_probes() -> None:
    pig = zermelo.solve("pig", goal=10)
    probe = pig.probe(pig.state(2, 3, 6))
    words = shown(probe)
    assert words[0] == "State(mine=2, theirs=3, turn=6)" and f"{percent(probe.win_probability)} %" in words
    order = [w for w in words if w in ("roll", "hold")]
    assert order[0] == pig.rules.action_name(max(probe.actions, key=lambda a: probe.actions[a]))
    hog = zermelo.solve("hog-simultaneous", goal=4, most_dice=2)
    assert {"action", "other action", "played"} <= set(shown(hog.probe(hog.rules.start)))
    table = zermelo.solve("left-center-right", players=3)
    probe = table.probe(table.rules.start)
    words = shown(probe)
    assert [n for n in words if n in probe.payoffs] == ["turns", "seat 1 wins", "seat 2 wins", "seat 3 wins"]  # all that are counted
    assert f"{float(probe.payoffs['seat 2 wins']):.6g}"[:5] in " ".join(words) and "value" not in words
    second = zermelo.solve("card-draw", red=0, black=0)
    assert "action" not in shown(second.probe(second.rules.start))


def test_distributions() -> None:
    pig = zermelo.solve("pig", goal=10)
    spread = pig.distribution()
    words = shown(spread)
    assert words[0] == "Distribution of the length of Pig(goal=10)" and spread.in_words() in words
    bars = spread.bins(120)
    assert f"{bars[2][0]}: {bars[2][2]:.4g}" in words
    few = zermelo.solve("card-draw", red=3, black=4).distribution("payoff")
    told = [(f"{100 * p:.3g} %", str(low)) for low, _, p in few.bins(120)]  # each bar has its probability and its number
    assert len(told) == 3 and all(word in shown(few) for pair in told for word in pair)
    assert "mean" in " ".join(shown(pig.distribution(tail=0.5)))  # where quantiles lie in the tail


def test_what_is_known_where_cards_are_hidden() -> None:
    solution = zermelo.solve("kuhn-poker")
    words = [w for seat in range(2) for seen in solution.policy(seat) for w in shown(solution.probe(seen, seat))]
    assert {"Player 0 sees 0 -1 -1 -1", "value", "played", "value to player 0", "-1/3", "66.67 %"} <= set(words)
    solution = zermelo.solve("goofspiel", cards=3)  # where the other one never leads, values are not known
    unknown = next(s for s in solution.policy(0) if solution.probe(s, 0).value is None)
    assert "not known" in shown(solution.probe(unknown, 0))


def test_plays_policies_plans_and_studies() -> None:
    pig = zermelo.solve("pig", goal=8)
    plays = pig.simulate(1000)
    words = shown(plays)
    assert {"1,000 plays, seed 0", "payoff", f"{plays.mean:.6f}", f"{float(pig.value):.6f}"} <= set(words)
    assert sum(n for *_, n in plays.ranges(60)) == 1000
    assert plays.ranges(2) == [(-1, 0, plays.distribution[-1]), (1, 2, plays.distribution[1])]
    races = zermelo.solve("left-center-right").simulate(100)
    assert all(name in shown(races) for name in races.totals) and "svg" in Read(races._repr_html_()).tags
    hasty = pig.evaluate(lambda s: list(pig.game.actions(s))[-1])
    words = shown(hasty)
    assert words[0].startswith("Evaluation of a policy in seat 0, against") and "chance that the player to move wins" in words
    assert f"{percent(hasty.win_probability)} %" in words and f"{hasty.loss:.10g}" in words
    assert str(hasty.mistakes[0].state) in words
    assert "Best response in seat 0" in shown(pig.best_response(lambda s: 0))
    exact = zermelo.solve("card-draw", red=3, black=3, exact=True)
    assert "17/20 = 0.85" in " ".join(shown(exact.evaluate(lambda s: exact.policy(s))))
    plan = zermelo.plan("dodgem")
    assert {"Plan of Dodgem", "explored", "not boards", plan.rules} <= set(shown(plan))
    study = zermelo.study("pig", goal=[5, 6])
    assert {"goal", "5", "6"} <= set(shown(study)) and repr(study) == "<Study of pig by goal: 2 combinations>"
    assert study.figure()._repr_png_().startswith(b"\x89PNG")  # its text was shown, unless pyplot was imported
    assert repr(pig.space) == "<Space of Pig(goal=8): 210 states>"
    response = pig.best_response(lambda s: 0).policy
    assert repr(response) == "<policy of a best response in Pig(goal=8): a function of the state>"
    assert repr(zermelo.check("dreidel", players=2)).startswith("<Sample of Dreidel(players=2, ")  # it listed all states


def test_tables_of_the_catalogue() -> None:
    for word in ("pig", "dodgem"):
        solution = zermelo.solve(word, **({"goal": 10} if word == "pig" else {}))
        for view in fitting(solution, TABLES).values():
            if not view.is_long:
                made = view.make(solution, {})
                words = shown(made)
                assert (made.printed or made).title in words


def test_whatever_is_shown_is_escaped_and_cut() -> None:
    evil = "<script>alert('&\"x')</script>"
    table = Table(evil, (evil, "b"), tuple((evil, k) for k in range(70)), (evil,), frozenset({(0, 0)}), evil)
    words = "".join(shown(table))
    assert words.count(evil) == 4 + html.MOST_ROWS and "20 more rows" in words
    wide = Table("wide", tuple(map(str, range(40))), (tuple(range(40)),))
    assert "10 more columns" in shown(wide)
    assert evil in "".join(Read(html.bars([(0, 0, 0.5), (1, 3, 0.5)], evil) + html.facts([(evil, evil)])).words)
    assert html.bars([], "none") == ""


def test_columns_of_numbers_are_aligned_at_the_right() -> None:
    columns, row = ["number", "sign", "amount", "percent", "ratio", "name"], ["1.5", "−2", "-$2.25", "50 %", "1/3", "$ale"]
    text = html.table(columns, [row, [""] * 5 + ["x"]])
    assert [side.split('"')[0] for side in text.split("text-align:")[1:7]] == ["right"] * 5 + ["left"]



# --- cells that are run again ----------------------------------------------------------------------------------------

CELLS = {
    "names": "from typing import NamedTuple\nBONUS = 1\nTABLE = [1]",
    "helper": "def pay(a):\n    return a * BONUS * TABLE[0]",
    "state": "class S(NamedTuple):\n    n: int\n    STEP = 1",
    "game": """class G(NamedTuple):
    TOP = 4

    def start(self):
        return S(self.TOP)

    def actions(self, s):
        if s.n > 0:
            yield 1
        if s.n > 1:
            yield 2

    def outcomes(self, s, a):
        yield 1, pay(a), S(max(s.n - a * S.STEP, 0))""",
}


class Notebook:
    """Runs cells in one namespace, as a notebook does: their sources are where Python looks for them."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.run(*CELLS.values())

    def run(self, *cells: str) -> None:
        for cell in cells:
            file = f"<cell {len(cell)} {next(numbers)}>"
            linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
            exec(compile(cell, file, "exec", dont_inherit=True), self.names)


numbers = count()


@pytest.mark.parametrize(
    ("cell", "old", "new", "value"),
    [
        ("names", "BONUS = 1", "BONUS = 3", 12),
        ("helper", "a * BONUS", "a * a", 8),
        ("state", "STEP = 1", "STEP = 2", 3),
        ("game", "TOP = 4", "TOP = 6", 6),
    ],
)
def test_a_cell_that_is_run_again(cell: str, old: str, new: str, value: int) -> None:
    """An old solution went on with the new names and its own values: the best of two actions was the worse one."""
    book = Notebook()
    before = zermelo.solve(book.names["G"]())
    state, choice = before.state(2), 1
    assert before.value == 4 and before.probe(state).actions == {1: 2, 2: 2}
    verbs: list[Callable[[], Any]] = [
        lambda: before.probe(state), lambda: before.best_action(state), lambda: before.policy(state),
        lambda: before.action_value(state, choice), lambda: before.evaluate(lambda s: choice), lambda: before.simulate(10),
        lambda: before.distribution(), before.to_dataframe,
    ]  # fmt: skip
    book.run(CELLS[cell].replace(old, new))
    for verb in verbs if cell != "game" else ():  # the old class is as it was
        with pytest.raises(zermelo.RulesError, match="a constant that they use, have changed since they were solved"):
            verb()
    after = zermelo.solve(book.names["G"]())
    assert after.value == value == max(after.probe(after.rules.start).actions.values()) and before.value == 4
    book.run(CELLS["names"], CELLS["helper"], CELLS[cell])  # it is as it was again
    for verb in verbs:
        verb()


def test_names_are_compared_by_what_they_stand_for() -> None:
    book = Notebook()
    before = zermelo.solve(book.names["G"]())
    looked_up = {name for _, name, _ in names_used(book.names["G"])}
    assert {"BONUS", "pay", "S", "STEP", "TOP", "max", "start", "outcomes", "__code__"} <= looked_up
    book.names["pay"].__code__ = (lambda a: a * 5).__code__  # as %autoreload does
    with pytest.raises(zermelo.RulesError):
        before.probe(before.rules.start)


@pytest.mark.parametrize(
    "change", ["TABLE[0] = 3", "pay.__defaults__ = (2,)", "pay.__kwdefaults__ = {'b': 2}", "S.STEP = 2", "S.more = len"]
)
def test_what_changes_within_a_constant(change: str) -> None:
    """Probes were of the new item of a list with the old values: an action was worth more than the best one."""
    book = Notebook()
    before = zermelo.solve(book.names["G"]())
    state = before.state(2)
    assert before.probe(state).actions == {1: 2, 2: 2}
    book.run(change)
    for verb in (lambda: before.probe(state), lambda: before.action_value(state, 1), before.to_gymnasium, before.to_pettingzoo):
        if change == "S.more = len":  # of which the rules know nothing
            before.probe(state)
            continue
        with pytest.raises(zermelo.RulesError, match="a constant that they use, have changed since they were solved"):
            verb()


def test_what_has_changed_within_a_list(tmp_path: Path) -> None:
    """The game is explored again for a solution that was opened, and was another one."""
    book = Notebook()
    game = book.names["G"]()
    zermelo.solve(game).save(tmp_path / "game.zermelo")
    opened = zermelo.open(tmp_path / "game.zermelo", game)
    book.names["TABLE"][0] = 7
    with pytest.raises(zermelo.RulesError, match="solve again"):
        opened.evaluate(lambda s: 1)


def test_faults_name_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """They named the file in which the kernel has it, such as 1046832446.py."""
    book = Notebook()
    book.run(CELLS["game"].replace("pay(a)", "pay(a) // 0"))
    numbered = {book.names["G"].outcomes.__code__.co_filename: ("Cell", "In[7]")}
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=numbered.get))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    with pytest.raises(zermelo.RulesError, match=r"ZeroDivisionError.*, action 1 \(In\[7\] line 14\)"):
        zermelo.solve(book.names["G"]())


def test_errors_show_the_lines_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython asks an error how it is to be shown; it showed a screen of Zermelo's own lines, too."""
    book = Notebook()
    book.run("import zermelo\nsolution = zermelo.solve(G())", "def worth(choose):\n    return solution.evaluate(choose)")
    solved = book.names["solution"]
    file = book.names["worth"].__code__.co_filename
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name={file: ("Cell", "In[3]")}.get))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    def rendered(ask: Callable[[], Any]) -> list[str]:
        with pytest.raises(zermelo.ZermeloError) as caught:
            ask()
        assert "solving.py" in str(caught.traceback) or "of_states.py" in str(caught.traceback)
        return caught.value._render_traceback_()

    shown = rendered(lambda: book.names["worth"](lambda s: 1 // 0))
    assert [line.split("in ")[-1] for line in shown if "line" in line] == ["<lambda>", "rendered", "<lambda>", "worth"]
    assert shown[3:6] == ["ZeroDivisionError: integer division or modulo by zero", "", "which led to"]
    assert shown[-3:-1] == ["  Cell In[3], line 2, in worth", "    return solution.evaluate(choose)"]
    assert shown[-1].startswith("ParameterError: the policy fails at S(n=4): ZeroDivisionError")
    assert not any(os.path.dirname(zermelo.__file__) in line for line in shown)
    assert rendered(lambda: solved.probe(solved.state(99)))[-1].startswith("UnreachableState: S(n=99) can't be reached")
    assert zermelo.ParameterError("never raised")._render_traceback_() == ["ParameterError: never raised"]


def test_a_cell_whose_source_is_hidden() -> None:
    """The advice was to define the game in a cell."""
    book = Notebook()
    exec(compile(CELLS["game"], "<timed exec>", "exec"), book.names)
    with pytest.raises(zermelo.RulesError, match="define the game in a .py file or a notebook cell without %%time, which hides it"):
        zermelo.solve(book.names["G"]())


def test_a_cell_that_awaits_something() -> None:
    """Notebooks take `await` outside of functions; the source was said to be unreadable."""
    book = Notebook()
    cell = "import asyncio\nawait asyncio.sleep(0)\n" + CELLS["game"]
    linecache.cache["<awaits>"] = (len(cell), None, cell.splitlines(keepends=True), "<awaits>")
    code = compile(cell, "<awaits>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    asyncio.run(FunctionType(code, book.names)())
    assert zermelo.solve(book.names["G"]()).value == 4


@pytest.mark.parametrize("broken", ["pay(a", '"' * 3 + "pay", "pay(a) if"])
def test_a_file_that_is_saved_half_way(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open bracket was an error of Python's tokenizer. What is edited back is known again."""
    monkeypatch.syspath_prepend(tmp_path)
    file, text = tmp_path / "zz_broken.py", "\n".join(CELLS.values())
    file.write_text(text)
    module = importlib.import_module("zz_broken")
    del sys.modules["zz_broken"]
    before = zermelo.solve(module.G())
    file.write_text(text.partition("pay(a), S")[0] + broken)
    for ask in (lambda: zermelo.solve(module.G()), lambda: before.export_certificate(tmp_path / "g.certificate")):
        with pytest.raises(zermelo.RulesError, match="the source of `G.outcomes` has changed since it was loaded"):
            ask()
    file.write_text(text)
    before.export_certificate(tmp_path / "g.certificate")
    assert zermelo.solve(module.G()).value == before.value == 4


def test_a_class_whose_module_was_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice was to load it again."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "zz_loaded.py").write_text("\n".join(CELLS.values()))
    module = importlib.import_module("zz_loaded")
    monkeypatch.setitem(sys.modules, "zz_loaded", module)
    before = module.G
    (tmp_path / "zz_loaded.py").write_text("\n".join(CELLS.values()).replace("yield 1, pay(a)", "yield 1, 20 * pay(a)"))
    with pytest.raises(zermelo.RulesError, match=r"load it again \(importlib.reload, or restart Python\)"):
        zermelo.solve(before())
    edited = next(c for c in compile(inspect.getsource(module), "", "exec").co_consts if getattr(c, "co_name", "") == "G").co_consts
    code = next(c for c in edited if getattr(c, "co_name", "") == "outcomes")  # as newer versions of %autoreload replace it:
    loaded = before.outcomes.__code__
    before.outcomes.__code__ = code.replace(co_filename=module.__file__, co_firstlineno=2)  # its lines are not those of the file
    for tier in ("interpreted", "compiled"):
        with only(tier):
            assert zermelo.solve(before()).value == 80
    before.outcomes.__code__ = loaded
    importlib.reload(module)
    with pytest.raises(zermelo.RulesError, match="import `G` again, which was loaded anew"):
        zermelo.solve(before())
    assert zermelo.solve(module.G()).value == 80
