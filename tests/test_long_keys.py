"""States beyond 63 bits: their keys have several words, and every verb answers as if they had one.

Two ways: small games get several words where a word is made to hold few bits, and all verbs are compared with the general engine on
the same game with keys of one word; games of more than 100 bits are compared with the oracle in Fractions.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError

import naive
import naive_hidden
import zermelo
from capabilities import record
from capabilities.twins import TWIN, among_its_like, solved_generally
from capabilities.verbs import Case
from limits import WORD_BITS, lowered
from zermelo.cli.__main__ import main
from zermelo.engines.exploring import explore
from zermelo.engines.hidden import solving as hidden_solving
from zermelo.errors import OutOfReach
from zermelo.kernels.kernel import Allowance
from zermelo.kernels.tables import hashed_row
from zermelo.states.keys import distinct, index_of, sortable
from zermelo.states.layout import Layout, are_words, words_for

TIERS = ("interpreted", "compiled")


@contextmanager
def rules_run(tier: str) -> Iterator[None]:
    """Rules are run in this tier; which one array kernels take is left to them."""
    with lowered((explore, "allowance"), lambda *_: Allowance(0.0 if tier == "compiled" else 1e9)):  # type: ignore[arg-type]
        yield


# --- games of more than 100 bits -----------------------------------------------------------------------------------------

HIGH = 1 << 40


class Far(NamedTuple):
    far: int
    at: int
    cells: tuple[int, int, int]
    turn: int


class FarRace(NamedTuple):
    """Steps of 1 or 2, and by chance one more; whoever comes to the goal wins. The other numbers tell how play went, from far away."""

    goal: int = 5

    def start(self) -> Far:
        return Far(1 << 60, 0, (HIGH, HIGH, -7), 0)

    def player(self, s: Far) -> int:
        return s.turn

    def actions(self, s: Far) -> Iterator[int]:
        if s.at < self.goal:
            yield 1
            yield 2

    def outcomes(self, s: Far, step: int) -> Iterator[Any]:
        for more in range(2):
            cells = (s.cells[0] + step * HIGH, s.cells[1] - more * HIGH, s.cells[2])
            yield 1 + more, step - more, Far(s.far - more * HIGH, s.at + step + more, cells, 1 - s.turn)

    def payoff(self, s: Far) -> int:
        return 3 if s.turn == 0 else -3


class FarMirrored(NamedTuple):
    """The same with cells that may be exchanged."""

    goal: int = 4

    def start(self) -> Far:
        return Far(1 << 60, 0, (HIGH, HIGH, -7), 0)

    def actions(self, s: Far) -> Iterator[int]:
        if s.at < self.goal:
            yield 0
            yield 1

    def outcomes(self, s: Far, side: int) -> Iterator[Any]:
        left, right, more = s.cells
        yield 1, side, Far(s.far - 1, s.at + 1, (left + 5 * HIGH, right, more), s.turn)
        yield 1, side, Far(s.far - 1, s.at + 1, (left, right + 5 * HIGH, more), s.turn)

    def symmetries(self, s: Far) -> Iterator[Far]:
        yield Far(s.far, s.at, (s.cells[1], s.cells[0], s.cells[2]), s.turn)

    def payoff(self, s: Far) -> int:
        return 2 * s.at - max(s.cells[0], s.cells[1]) // HIGH


class FarMatches(NamedTuple):
    """Whoever takes the last match loses: positions are won or lost, with moves to the end."""

    matches: int = 6

    def start(self) -> Far:
        return Far(1 << 60, self.matches, (1 << 61, 0, 0), 0)

    def player(self, s: Far) -> int:
        return s.turn

    def actions(self, s: Far) -> Iterator[int]:
        for take in range(1, min(2, s.at) + 1):  # noqa: UP028
            yield take

    def outcomes(self, s: Far, take: int) -> Iterator[Any]:
        yield 1, 0, Far(s.far - take * HIGH, s.at - take, (s.cells[0] - (take << 50), s.cells[1] + take, 0), 1 - s.turn)

    def payoff(self, s: Far) -> int:
        return 1 - 2 * s.turn


class FarBurglar(NamedTuple):
    """Both choose at once: go or stay, watch or sleep."""

    nights: int = 2

    def start(self) -> Far:
        return Far(1 << 60, self.nights, (0, 1 << 60, 1), 0)

    def actions(self, s: Far) -> Iterator[int]:
        for goes in range(2 if s.at > 0 else 0):  # noqa: UP028
            yield goes

    def other_actions(self, s: Far) -> Iterator[int]:
        for watches in range(2 if s.at > 0 else 0):  # noqa: UP028
            yield watches

    def outcomes(self, s: Far, goes: int, watches: int) -> Iterator[Any]:
        caught = goes * watches
        paid = -2 if caught else 1 if watches else goes * s.cells[2]
        after = 0 if caught else s.at - 1
        yield 1, paid, Far(s.far - HIGH, after, (s.cells[0] + caught * HIGH, s.cells[1] - HIGH, 1), 0)
        yield 1, paid, Far(s.far - HIGH, after, (s.cells[0], s.cells[1] - 2 * HIGH, 2), 0)


class FarSecret(NamedTuple):
    """A coin that player 0 sees and player 1 has to guess, after player 0 has said something."""

    def start(self) -> Far:
        return Far(1 << 60, 0, (0, 1 << 60, 0), 0)

    def player(self, s: Far) -> int:
        return 1 if s.at == 2 else 0

    def actions(self, s: Far) -> Iterator[int]:
        if s.at == 0:
            yield 0
        elif s.at < 3:
            yield 0
            yield 1

    def outcomes(self, s: Far, action: int) -> Iterator[Any]:
        if s.at == 0:
            for coin in range(2):
                yield 1 + coin, 0, Far(s.far - 1, 1, (coin, s.cells[1], 0), 0)
        else:
            yield 1, 0, Far(s.far - HIGH, s.at + 1, (s.cells[0], s.cells[1] - HIGH, 2 * s.cells[2] + action), 0)

    def sees(self, s: Far, player: int) -> Iterator[int]:
        yield s.at
        if player == 0:
            yield s.cells[0]
        yield s.cells[2]

    def payoff(self, s: Far) -> int:
        said, guessed = s.cells[2] // 2, s.cells[2] % 2
        return (1 if guessed != s.cells[0] else -1) + said


GAMES = (FarRace(), FarMirrored(), FarMatches())
SLOW = pytest.mark.slow  # compiling these takes seconds, and FarRace is compiled


def in_both_tiers(*games: Any) -> Any:
    """Every game interpreted and compiled."""
    pairs = [(game, tier) for game in games for tier in TIERS]
    marked = [pytest.param(g, t, marks=SLOW if t == "compiled" and g != FarRace() else ()) for g, t in pairs]
    return pytest.mark.parametrize(("game", "tier"), marked, ids=[f"{type(g).__name__}-{t}" for g, t in pairs])


@cache
def solved(game: Any, tier: str, exact: bool = False) -> Any:
    with rules_run(tier):
        solution = zermelo.solve(game, exact=exact)
    assert solution.space.layout.num_words >= 2 and sum(solution.space.layout.bits) > 100
    assert solution.report.facts["interpreted"] == (tier == "interpreted")
    return solution


@in_both_tiers(*GAMES)
def test_the_oracle_agrees_about_every_state(game: Any, tier: str) -> None:
    solution, values = solved(game, tier), naive.solve(game)
    assert list(solution.space) == sorted(values)
    for index, (state, (value,)) in enumerate(sorted(values.items())):
        known = solution.probe(state)
        assert known.low <= value <= known.high and known.high - known.low < 1e-9
        assert solution.space.rank(state) == index and solution.space.unrank(index) == state
    exact = zermelo.solve(game, exact=True)
    assert exact.value == naive.value(game) and all(exact.probe(s).value == v for s, (v,) in values.items())


@in_both_tiers(*GAMES, FarBurglar())
def test_files_and_certificates_hold_long_keys(
    game: Any, tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution, path, proof = solved(game, tier), tmp_path / "stored", tmp_path / "certificate"
    solution.save(path)
    opened = zermelo.open(path, type(game))
    assert opened.value == solution.value and opened.space.layout == solution.space.layout
    assert all(opened.probe(s) == solution.probe(s) for s in solution.space)
    with monkeypatch.context() as unknown:
        unknown.delitem(sys.modules, __name__)
        data = zermelo.open(path)  # what the file says without its rules
    assert [tuple(s) for s in data.space] == [tuple(s) for s in solution.space]
    assert [data.probe(s).value for s in data.space] == solution.values.tolist()
    with rules_run(tier):
        solution.export_certificate(proof)
    for interpreted in (True, *([False] if tier == "compiled" else [])):
        found = zermelo.verify(proof, game, interpreted=interpreted)
        assert found.verified and found.low <= solution.value <= found.high


@pytest.mark.parametrize("tier", ["interpreted", pytest.param("compiled", marks=SLOW)])
def test_both_choose_at_once(tier: str) -> None:
    solution = solved(FarBurglar(), tier)
    assert zermelo.solve(FarBurglar(), exact=True).value == by_hand(FarBurglar().start())
    assert float(by_hand(FarBurglar().start())) == pytest.approx(solution.value, abs=1e-9)
    row, column = solution.mixtures_at(len(solution.space) - 1)
    assert sum(row) == pytest.approx(1) and sum(column) == pytest.approx(1)
    found = solution.evaluate(lambda s: {0: 0.5, 1: 0.5}, None)
    assert found.value <= solution.high


def by_hand(s: Far) -> Any:
    """The value of a state of FarBurglar, by matrices of 2 x 2."""
    if s.at == 0:
        return Fraction(0)
    follow = [[list(FarBurglar().outcomes(s, goes, watches)) for watches in range(2)] for goes in range(2)]
    return zermelo.matrix_game(
        [[sum(paid + by_hand(t) for _, paid, t in cell) / 2 for cell in row] for row in follow]
    ).value


@pytest.mark.parametrize("tier", ["interpreted", pytest.param("compiled", marks=SLOW)])
def test_hidden_information(tier: str, tmp_path: Path) -> None:
    game, path = FarSecret(), tmp_path / "stored"
    with rules_run(tier):
        solution = zermelo.solve(game)
    assert solution.value == zermelo.matrix_game(naive_hidden.matrix(game)).value
    solution.save(path)
    opened = zermelo.open(path, FarSecret)
    assert (
        opened.value == solution.value
        and opened.probe(game.start()._replace(at=1, far=(1 << 60) - 1)).value is not None
    )


# --- every verb ----------------------------------------------------------------------------------------------------------------


@cache
def with_short_words(column: str, tier: str) -> tuple[Any, int]:
    """A twin solved with keys of several words, and how many bits a word has."""
    layout = Layout.tight(list(solved_generally(column).space))
    bits = max(layout.bits)
    with lowered(WORD_BITS, bits), rules_run(tier):
        solution = zermelo.solve(TWIN[column].game)
    assert solution.space.layout.num_words >= 2
    return solution, bits


@pytest.mark.parametrize("verb", record.VERBS)
@pytest.mark.parametrize(
    ("column", "tier"), [("acyclic", "interpreted"), ("cyclic", "interpreted"), ("at-once", "interpreted")]
)
def test_a_verb(verb: str, column: str, tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    solution, bits = with_short_words(column, tier)
    monkeypatch.setattr(record, "case_of", lambda *_: Case(TWIN[column], solution, solved_generally(column), tmp_path))
    with lowered(WORD_BITS, bits), rules_run(tier):
        assert record.observed(column, verb, tmp_path) == record.recorded()[verb][column]


def test_games_in_stages_are_explored_instead() -> None:
    twin = TWIN["entries"]
    with lowered(WORD_BITS, 3), among_its_like(twin):
        solution = zermelo.solve(twin.game)
    assert solution.report.engine == "explored" and solution.value == pytest.approx(
        zermelo.solve(twin.game).value, abs=1e-9
    )
    assert any("bits, and where stages are entered" in refusal.why for refusal in solution.report.tried)


class Cells(NamedTuple):
    cells: tuple[int, ...]
    more: int


class Boxed(NamedTuple):
    """Every state of a box, whether play comes there or not."""

    def space(self) -> Cells:
        return Cells((range(-1, 2), range(3)), range(4))  # type: ignore[arg-type]

    def start(self) -> Cells:
        return Cells((1, 2), 3)

    def outcomes(self, s: Cells) -> Iterator[Any]:
        if s.more:
            yield 1, s.cells[0], Cells((s.cells[1] - 1, s.cells[0] + 1), s.more - 1)

    def payoff(self, s: Cells) -> int:
        return s.cells[1]


def test_a_box_of_states_with_long_keys() -> None:
    with lowered(WORD_BITS, 2):
        solution = zermelo.solve(Boxed())
        assert solution.space.layout.num_words == 3 and len(solution.space) == 36
        assert solution.values.tolist() == zermelo.solve(Boxed()).values.tolist()
    assert solution.values.tolist() == [float(v) for _, (v,) in sorted(naive.solve(Boxed()).items())]


def test_json_and_studies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = f"{__file__}:FarRace"
    assert main(["solve", name, "--goal", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(float(naive.value(FarRace(3))))
    study = zermelo.study(FarRace, goal=range(2, 5))
    assert [row.value for row in study.rows] == pytest.approx(
        [float(naive.value(FarRace(goal))) for goal in range(2, 5)]
    )


# --- keys ------------------------------------------------------------------------------------------------------------------


def test_words_are_as_few_as_will_do() -> None:
    assert words_for((31, 32)) == (0, 0) and words_for((32, 32)) == (0, 1)
    assert words_for((2,) * 81)[-1] == 2 and words_for((1, 62, 1, 62))[-1] == 1  # 126 bits in two words
    for bits in ((), (5,), (63,), (62, 62, 62), (7, 0, 60, 3, 0, 1), (1,) * 500):
        words = words_for(bits)
        assert are_words(words, bits) and sorted(words) == list(words)
    assert not are_words((0, 0), (32, 32)) and not are_words((0, 2), (32, 32))
    assert not are_words((1, 1), (3, 3)) and not are_words((0,), (1, 1))


def test_long_keys_sort_as_states_do() -> None:
    states = sorted(
        Cells((a, -b, c << 40), d << 50) for a in range(3) for b in range(4) for c in range(3) for d in range(3)
    )
    layout = Layout.tight(states)
    keys = layout.pack_many(states)
    assert keys.shape == (len(states), layout.num_words) and layout.num_words == 2
    assert layout.unpack_many(keys) == states and [layout.unpack(k) for k in keys] == states
    assert [layout.unpack(layout.pack(s)) for s in states] == states
    assert np.array_equal(layout.array(layout.wholes(keys)), keys) and list(layout.wholes(keys)) == [
        layout.pack(s) for s in states
    ]
    own = sortable(keys)
    assert np.all(own[1:] > own[:-1]) and layout.are_held(keys).all()
    back = keys[::-1]
    assert np.array_equal(distinct(np.concatenate([back, keys]))[0], keys)
    assert [index_of(keys, layout.item(layout.pack(s))) for s in states] == list(range(len(states)))
    assert index_of(keys, layout.item(-1)) == -1 and not layout.are_held(keys + (np.int64(1) << 62)).any()
    assert layout.pack(Cells((5, 0, 0), 0)) == -1 and np.array_equal(layout.array([-1]), [[-1, -1]])


@pytest.mark.parametrize("words", [2, 3, 5])
def test_the_table_of_long_keys(words: int) -> None:
    keys = np.random.default_rng(words).integers(0, 1 << 62, (200, words))
    keys[100:] = keys[:100]
    keys[100:, words // 2] ^= 1  # a single bit makes another key
    table = np.full(1024, -1, np.int32)
    for k in range(len(keys)):
        place = hashed_row(table, keys, keys, k)
        assert table[place] == -1
        table[place] = k
    assert [table[hashed_row(table, keys, keys, k)] for k in range(len(keys))] == list(range(len(keys)))
    assert hashed_row.compiled(table, keys, keys, 7) == hashed_row(table, keys, keys, 7)
    with pytest.raises(TypingError, match="do not lie one after another"):
        hashed_row.compiled(table, keys[:, ::-1], keys, 7)


def test_a_look_into_the_table_of_long_keys_counts_no_references() -> None:
    """A look took 2.6 times as long while it counted those to its three arrays."""
    keys = np.zeros((8, 2), np.int64)
    look = njit(no_cpython_wrapper=True)(hashed_row.compiled.py_func)  # code from the disk can't be read
    look.compile(tuple(map(typeof, (np.full(16, -1, np.int32), keys, keys, 0))))
    (code,) = look.inspect_llvm().values()
    assert "@" in code and not re.findall(r"call void @NRT_\w+", code)


def test_a_number_that_grows_keeps_its_word_while_there_is_room() -> None:
    layout = Layout.tight([Cells((0, 0), 0), Cells((1 << 50, 1 << 50), 1)])
    assert layout.words == (0, 1, 1)
    wider = layout.widened(2, 1000)
    assert wider.words == layout.words and wider.bits == (51, 51, 10)
    assert wider.widened(1, 1 << 60).words == (0, 1, 2)


class Many(NamedTuple):
    cells: Annotated[tuple[int, ...], range(1 << 60)]
    more: int


class Growing(NamedTuple):
    """Numbers of 60 bits, and one that grows to 2^`top`."""

    many: int
    top: int
    first: int = 1

    def start(self) -> Many:
        return Many((1,) * self.many, self.first)

    def outcomes(self, s: Many) -> Iterator[Any]:
        if s.more < 1 << self.top:
            yield 1, 1, s._replace(more=max(1, 2 * s.more))


def test_what_does_not_fit_is_told_by_field_a_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutOfReach, match=r"needs 1,0\d\d bits, and keys have at most 16 words of 63 bits") as error:
        zermelo.solve(Growing(17, 50))
    lines = str(error.value).splitlines()
    assert len(lines) == 3 and lines[1] == "  `cells`: 1,020 bits, 17 numbers of 60" and lines[2].startswith("  `more`: ")
    with pytest.raises(OutOfReach, match=r"`more` of Many needs 63 bits .*at most 62"):
        zermelo.solve(Growing(1, 62, first=-1))
    for seen in (3, 40, 1000):  # by the checker, before the rest is found
        monkeypatch.setattr("zermelo.language.checking.checker.check.__defaults__", (seen, 1.0))
        assert zermelo.solve(Growing(1, 62)).value == 62  # 1 to 2^62 are below 2^62 apart


def test_long_keys_are_not_sorted_by_public_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_solving, "SOME_STATES", 3)
    solution = zermelo.solve(FarSecret())
    assert solution.value == zermelo.matrix_game(naive_hidden.matrix(FarSecret())).value
    assert "the game was explored state by state: its states need more than 63 bits" in " ".join(solution.report.notes)
