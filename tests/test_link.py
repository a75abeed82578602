"""Compiled rules do what the same rules do interpreted, and a second process can never meet stale machine code."""

from __future__ import annotations

import enum
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.engines.exploring.explore import explore
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import RulesError
from zermelo.games import Pig
from zermelo.kernels.kernel import only
from zermelo.language.rules import read
from zermelo.link import module as link_module
from zermelo.link import native
from zermelo.link.constants import as_built_in, literal, uniform
from zermelo.link.module import entered_module_text, module_text
from zermelo.link.native import NativeRules
from zermelo.link.tables import as_array
from zermelo.states.layout import Layout


@pytest.fixture(autouse=True, scope="module")
def compiled_rules() -> Iterator[None]:
    """This is about the compiler: nothing is interpreted."""
    with only("compiled"):
        yield

# --- compiled = interpreted -------------------------------------------------------------------------------------------


class Move(enum.IntEnum):
    STAY = 0
    JUMP = 3


WEIGHTS = (1, 2, 3)
TABLE = ((1, 5), (2, 4), (3, 3))


def heavier(x: int, by: int = 1) -> int:
    return x + by


class Board(NamedTuple):
    cells: tuple[int, ...]
    clock: int

    @property
    def total(self) -> int:
        return sum(self.cells)

    def first_empty(self) -> int:
        for i in range(len(self.cells)):
            if self.cells[i] == 0:
                return i
        return -1

    def last_empty(self) -> int | None:
        for i in range(len(self.cells) - 1, -1, -1):
            if self.cells[i] == 0:
                return i
        return None


class Idioms(NamedTuple):
    """Uses every idiom that docs/writing-games.md promises."""

    size: int = 3
    rate: float = 0.5
    wrap: bool = True

    BONUS = 7

    def start(self):
        return Board((0,) * self.size, 0)

    def actions(self, s):
        if s.clock < self.limit() and s.total < 6:
            yield Move.STAY
            if any(c == 0 for c in s.cells):
                yield Move.JUMP

    def limit(self):
        return self.size + 1

    @property
    def cap(self):
        return 2

    @staticmethod
    def doubled(x):
        return 2 * x

    def outcomes(self, s, action):
        n = self.size
        if action == Move.JUMP:
            i = s.first_empty()
            for w, (a, b) in zip(WEIGHTS, TABLE):  # noqa: B905
                x = min(self.cap, heavier(a, by=0))
                yield w * b, self.rate * x, Board(s.cells[:i] + (x,) + s.cells[i + 1 :], s.clock + 1)
        else:
            yield 1, 1 if self.wrap else 0, s._replace(clock=s.clock + 1)
            yield (
                math.comb(4, 2),
                -self.BONUS,
                Board(tuple((c + 1) % 3 for c in s.cells) if n < 0 else s.cells, s.clock + 1),
            )
            yield (
                self.doubled(1),
                True,
                Board(tuple(s.cells[(i + 1) % self.size] for i in range(self.size)), heavier(s.clock)),
                1,
            )
            if max(c for c in s.cells) > 1 and all(c >= 0 for c in s.cells):
                last = s.last_empty()
                yield 2, -1 if last is None else last, s._replace(clock=s.clock + 1)
                yield 0, 0, Board((-5,) * n, 99)  # no ways: need not even be a state

    def payoff(self, s):
        return sum(c * (i + 1) for i, c in enumerate(s.cells)) + 0.25


class Pair(NamedTuple):
    x: int
    y: int


class Several(NamedTuple):
    """Several payoffs, negative numbers, pure chance, a cycle."""

    names = ("steps", "left", "right")

    def payoffs(self):
        return self.names

    def start(self):
        return Pair(0, -3)

    def outcomes(self, s):
        if abs(s.x) < 4:
            yield 2, (1, 0, 0), Pair(s.x - 1, -s.y)
            yield 1, (1, 0.5, 0), Pair(s.x + 1, s.y)

    def payoff(self, s):
        return (0, s.x < 0, s.x > 0)


class Mirrored(NamedTuple):
    """Symmetric positions are one; players take turns by `player`."""

    n: int = 4

    def start(self):
        return Pair(self.n, self.n)

    def actions(self, s):
        for take in range(1, 3):
            if s.x >= take:
                yield (0, take)
            if s.y >= take:
                yield (1, take)

    def outcomes(self, s, action):
        side, take = action
        yield 1, 0, Pair(s.x - take, s.y) if side == 0 else Pair(s.x, s.y - take)

    def symmetries(self, s):
        yield Pair(s.y, s.x)

    def player(self, s):
        return (s.x + s.y) % 2


GAMES = [Idioms(), Idioms(rate=0.25, wrap=False), Several(), Mirrored(), Mirrored(1), Mirrored(0)]


def interpreted(explored: Explored) -> list[tuple]:
    """Every state's transitions, by running the rules."""
    rules, layout = explored.rules, explored.layout
    found = []
    for key in explored.keys.tolist():
        state = layout.unpack(key)
        rows = []
        for action in rules.actions(state):
            outcomes = [o for o in rules.outcomes(state, action) if o.ways]
            rows.append(
                [(float(o.ways), tuple(map(float, o.payoff)), explored.number_of(o.state), o.sign) for o in outcomes]
            )
        final = tuple(map(float, rules.payoff(state))) if not rows else (0.0,) * len(rules.payoffs)
        found.append((rows, final, rules.player(state) if rows else 0))
    return found


def compiled(explored: Explored, outcomes_per_batch: int) -> list[tuple]:
    found = []
    for batch, _ in explored.batches(outcomes_per_batch):
        for i in range(batch.high - batch.low):
            rows = []
            for a in range(batch.action_start[i], batch.action_start[i + 1]):
                span = slice(batch.outcome_start[a], batch.outcome_start[a + 1])
                columns = (
                    batch.ways[span],
                    map(tuple, batch.payoff[span].tolist()),
                    batch.next[span],
                    batch.sign[span],
                )
                rows.append([(float(w), p, int(n), int(s)) for w, p, n, s in zip(*columns, strict=True)])
            found.append((rows, tuple(batch.final_payoff[i].tolist()), int(batch.player[i])))
    return found


def test_the_replace_of_every_named_tuple_since_python_3_13(monkeypatch):
    """It was taken for the user's own: nothing compiled."""
    monkeypatch.setattr(Board, "__replace__", lambda self, **changes: self._replace(**changes), raising=False)
    as_built_in(Board)



@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("outcomes_per_batch", [1, 1 << 18])
def test_compiled_rules_agree_with_interpreted_ones(game, outcomes_per_batch):
    explored = explore(read(game), [game.start()])
    assert compiled(explored, outcomes_per_batch) == interpreted(explored)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_states_are_numbered_in_component_order(game):
    explored = explore(read(game), [game.start()])
    component_of = {}
    for c, (low, high) in enumerate(zip(explored.component_start[:-1], explored.component_start[1:], strict=True)):
        component_of.update(dict.fromkeys(range(low, high), c))
    for i, (rows, _, _) in enumerate(interpreted(explored)):
        for row in rows:
            for _, _, j, _ in row:
                assert component_of[j] <= component_of[i]
                if component_of[j] == component_of[i]:
                    assert explored.looped[component_of[i]]


def test_a_field_wider_than_expected_only_costs_another_walk():
    class Wide(NamedTuple):
        top: int = 1000

        def start(self):
            return Pair(0, 0)

        def outcomes(self, s):
            if s.x < self.top:
                yield 1, 1, Pair(s.x * 2 + 1, -s.x)

    explored = explore(read(Wide()), [Pair(0, 0)])
    assert explored.num_states == 11 and explored.number_of(Pair(1023, -511)) == 0


def test_an_unbounded_state_is_refused_in_words():
    class Endless(NamedTuple):
        def start(self):
            return Pair(4**30, 1)

        def outcomes(self, s):
            yield 1, 1, Pair(s.x * 4, s.y + 1)

    with pytest.raises(Exception, match=r"`x` must stay below 2\^63"):
        explore(read(Endless()), [Endless().start()])


class Table(NamedTuple):
    def start(self):
        return Pair(0, 0)

    def outcomes(self, s):
        if s.x < 2:
            yield LOOKUP[s.x], 1, Pair(s.x + 1, 0)


LOOKUP = {0: 1, 1: 2, "two": 3}


def test_what_cannot_be_compiled_is_said_without_a_traceback():
    with pytest.raises(RulesError, match=r"LOOKUP.*dict") as caught:
        explore(read(Table()), [Pair(0, 0)])
    assert "Traceback" not in str(caught.value)


# --- the cache --------------------------------------------------------------------------------------------------------

RULES = """
from typing import NamedTuple
STEP = {step}
def gain(x):
    return {gain}
class State(NamedTuple):
    x: int
class Walk(NamedTuple):
    length: int = {length}
    FACTOR = {factor}
    def start(self):
        return State(0)
    def actions(self, s):
        if s.x < self.length:
            yield 0
            yield 1
    def outcomes(self, s, action):
        yield 1, {rule}, State(s.x + STEP)
"""
SCRIPT = """
import importlib, json, linecache, sys
from pathlib import Path
folder, *texts = sys.argv[1:]
sys.path.insert(0, folder)
from zermelo.engines.exploring.explore import explore
from zermelo.language.rules import read
for text in texts:
    (Path(folder) / "walk.py").write_text(text)
    sys.modules.pop("walk", None)
    linecache.clearcache()
    walk = importlib.import_module("walk")
    explored = explore(read(walk.Walk()), [walk.Walk().start()])
    total = sum(batch.payoff.sum() for batch, _ in explored.batches())
    module = explored.native.module
    hits = sum(module.write_steps.stats.cache_hits.values())
    print(json.dumps([total, hits]))
"""
BASE = {"step": 1, "gain": "x", "length": 10, "factor": 3, "rule": "gain(s.x) + self.FACTOR"}


def run(folder: Path, *edits: dict[str, object]) -> list[tuple[float, int]]:
    """Total of all payoffs and number of kernels found in the cache, in a fresh process, of one edited file after the other."""
    environment = {**os.environ, "ZERMELO_TIER": "compiled", "ZERMELO_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    texts = [RULES.format(**{**BASE, **changes}) for changes in edits]
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(folder), *texts], env=environment, capture_output=True, text=True, check=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_the_second_process_compiles_nothing_and_edits_are_never_missed(tmp_path):
    base = 2 * sum(x + 3 for x in range(10))
    assert run(tmp_path, {}) == [(base, 0)]
    edits: list[tuple[dict[str, object], int]] = [
        ({"step": 2}, 2 * sum(x + 3 for x in range(0, 10, 2))),  # a constant
        ({"gain": "2 * x"}, 2 * sum(2 * x + 3 for x in range(10))),  # a helper
        ({"factor": 5}, 2 * sum(x + 5 for x in range(10))),  # a constant of the class
        ({"rule": "1"}, 20),
    ]
    shorter = {"length": 5}, (2 * sum(x + 3 for x in range(5)), 1)  # a parameter is a run-time value
    asked = run(tmp_path, *(change for change, _ in edits), {}, shorter[0])
    assert asked == [*((expected, 0) for _, expected in edits), (base, 1), shorter[1]]  # the last two kernels come from the cache


def test_machine_code_of_kernels_is_forgotten_when_any_kernel_changes(tmp_path: Path) -> None:
    from zermelo.kernels import forget_stale_machine_code

    source, code = tmp_path / "newton.py", tmp_path / "__pycache__" / "certify.bound-1.py311.nbi"
    source.write_text("one = 1")
    forget_stale_machine_code(tmp_path)
    mark = code.with_name("compiled-ahead.cycles-1")  # says that all is there
    code.write_text("machine code")
    mark.touch()
    os.utime(source, (0, 0))  # images of containers round times to seconds
    forget_stale_machine_code(tmp_path)
    assert code.exists() and mark.exists()
    source.write_text("one = 2")
    forget_stale_machine_code(tmp_path)
    assert not code.exists() and not mark.exists()
    forget_stale_machine_code(tmp_path)


def test_a_function_is_lent_for_the_arrays_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code that counts on numbers side by side must not be given others: its address is asked for anew."""
    asked: list[Any] = []
    monkeypatch.setattr(native, "address_of", lambda function, arguments: asked.append(arguments[3]) or len(asked))
    rules = read(Pig(5))
    layout = Layout.of([rules.start])
    linked, kernel = NativeRules(rules, layout), SimpleNamespace(compiled=lambda *arguments: arguments[3])
    aside, apart = np.zeros((3, 2)), np.zeros((3, 4))[:, ::2]
    found = [linked.lend("write_steps", layout, ((a, 1),), kernel) for a in (aside, aside.copy(), apart, apart, aside)]
    assert found == [1, 1, 2, 2, 3] and len(asked) == 3


# --- texts of modules are kept ------------------------------------------------------------------------------------------

PRIZE = 3


def prize() -> int:
    return PRIZE


def other_prize() -> int:
    return 7


class Spin(NamedTuple):
    """Spin once for a prize of the module's, and one of a parameter's."""

    more: tuple[float, ...] = (1,)

    def start(self) -> Clock:
        return Clock(1)

    def actions(self, s: Clock) -> Iterator[int]:
        if s.time > 0:
            yield 0

    def outcomes(self, s: Clock, action: int) -> Iterator[tuple[int, float, Clock]]:
        yield 1, prize() + self.more[0] / 2, Clock(s.time - 1)


class Clock(NamedTuple):
    time: int


class Wait(NamedTuple):
    """Wait or go, in stages that are entered."""

    time: int = 3

    def start(self) -> Clock:
        return Clock(self.time)

    def actions(self, s: Clock) -> Iterator[int]:
        if s.time:
            yield 1
            yield 2

    def outcomes(self, s: Clock, action: int) -> Iterator[tuple[int, int, Clock]]:
        yield 1, action, Clock(s.time - 1)

    def stage(self, s: Clock) -> int:
        return self.time - s.time

    def entries(self) -> Iterator[Clock]:
        for time in range(self.time + 1):
            yield Clock(time)


def as_the_prize(s: Clock) -> int:
    return 2 if s.time > PRIZE else 1


def test_a_policy_is_written_anew_when_anything_has_changed_that_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it named was that of the first call: a wrong value of the policy, with bounds."""
    monkeypatch.setitem(as_the_prize.__globals__, "PRIZE", 0)
    rules = read(Wait())

    def text() -> str:
        return entered_module_text(rules, Layout.of([rules.start]), policies=(as_the_prize, None)).text

    first = text()
    monkeypatch.setitem(as_the_prize.__globals__, "PRIZE", 1)
    assert text() != first
    monkeypatch.setitem(as_the_prize.__globals__, "PRIZE", 0)
    assert text() is first


def test_rules_are_written_anew_when_anything_has_changed_that_they_use(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = link_module.Module.text
    monkeypatch.setattr(link_module.Module, "text", lambda module: written.append("") or write(module))

    def value(more: tuple[float, ...] = (1,)) -> float:
        return float(zermelo.solve(Spin(more)).value)

    def text(more: tuple[float, ...] = (1,)) -> str:
        rules = read(Spin(more))
        return module_text(rules, Layout.of([rules.start])).text

    assert (value(), value(), len(written)) == (3.5, 3.5, 1)
    monkeypatch.setitem(prize.__globals__, "PRIZE", 5)
    assert (value(), len(written)) == (5.5, 2)
    monkeypatch.setattr(sys.modules[__name__], "prize", other_prize)
    before = len(written)
    texts = [text(), text((1.5,)), text((1.0,)), text((True,))]
    assert all("return 7" in t for t in texts) and "1.5" in texts[1] and len(written) == before + 4
    assert text() == texts[0] and len(written) == before + 4


NUMBERS = [(1 << 62, -(1 << 63), *range(20_000)), (0.1, -2.5, 3.0), (1 << 63, 1), (1, 0.5), (True, False), (1, True)]


@pytest.mark.parametrize("numbers", NUMBERS, ids=range(6))
def test_rows_of_numbers_become_arrays(numbers: tuple[Any, ...]) -> None:
    """Those of one kind in a short way; a long one is written as a text."""
    found = as_array(numbers)
    if max(numbers) == 1 << 63:
        assert found is None
        return
    kinds = {type(n) for n in uniform(numbers)}
    assert found is not None and found.dtype == (float if float in kinds else bool if kinds == {bool} else int)
    assert found.tolist() == [*uniform(numbers)]
    text = literal(found, "TABLE", lambda c: c.__name__)
    again = eval(text, {"np": np})
    assert again.dtype == found.dtype and np.array_equal(again, found)
    assert ("fromstring" in text) is (len(numbers) > 20_000)


@pytest.mark.parametrize("count", [3, 31])
def test_an_item_is_replaced_wherever_the_tuple_stays_as_long(count: int) -> None:
    """In tuples of more than 30 items another way."""
    from zermelo.basics.machine_code import njit
    from zermelo.kernels.support import replace_item

    replaced, items = njit(lambda items, i: replace_item(items, i, 7)), tuple(range(count))
    for i in range(-count - 2, count + 3):
        in_python = items[:i] + (7,) + items[i + 1 :]
        if len(in_python) == count:
            assert replaced(items, i) == in_python, i
        else:
            with pytest.raises(IndexError, match="makes t longer"):
                replaced(items, i)
