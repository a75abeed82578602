"""Stored files: what was saved is what is opened; damage, crashes and strangers are refused with one clear line."""

from __future__ import annotations

import importlib
import json
import os
import secrets
import subprocess
import sys
import zlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.errors import FileError, NoRules, RulesError
from zermelo.games.named import game_named
from zermelo.language.rules_text import rules_hash, rules_text
from zermelo.states.layout import Layout
from zermelo.storage import file as store
from zermelo.storage import fractions as numbers
from zermelo.storage import game as stored_game

ARRAYS = {
    "values": np.linspace(-1, 1, 300).reshape(100, 3),
    "policy": np.arange(-50, 50, dtype=np.int16),
    "flags": np.array([True, False, True]),
    "empty": np.zeros((0, 4), dtype=np.float32),
    "one": np.array(7, dtype=np.int64),
}
HEADER = {"name": "Ünïcode", "nested": {"list": [1, 2.5, None]}, "nan": 0.1}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "solution.zermelo"
    store.write(path, HEADER, ARRAYS)
    return path


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(FileError) as caught:
        store.read(path, **options)
    text = str(caught.value)
    assert text.startswith(str(path)) and "\n" not in text
    return text


# --- what was saved is what is opened --------------------------------------------------------------------------------


def test_round_trip(saved: Path) -> None:
    header, arrays = store.read(saved)
    assert header == HEADER
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype and arrays[name].shape == array.shape
        np.testing.assert_array_equal(arrays[name], array)


@pytest.mark.parametrize("small", [0, store.CHECKED_BYTES])
def test_arrays_are_mapped_unless_they_are_small_aligned_and_read_only(small: int, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CHECKED_BYTES", small)
    for array in store.read(saved, verify=True).arrays.values():
        assert isinstance(array, np.memmap) == (not small) or array.size == 0
        assert array.ctypes.data % store.ALIGNMENT == 0
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_what_is_written_over_an_open_file_is_not_read(saved: Path) -> None:
    """An opened solution said what another one said that was copied over its file, and where that was shorter the process crashed."""
    arrays = store.read(saved).arrays
    saved.write_bytes(saved.read_bytes()[:-100] + b"other" * 20)
    saved.write_bytes(b"")
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)


def test_any_layout_in_memory_is_stored_as_little_endian_rows(tmp_path: Path) -> None:
    path = tmp_path / "file"
    big = np.arange(12, dtype=">i4").reshape(3, 4)
    store.write(path, {}, {"big": big, "columns": np.asfortranarray(big), "slice": np.arange(20.0)[::3]})
    arrays = store.read(path).arrays
    assert arrays["big"].dtype.str == "<i4"
    np.testing.assert_array_equal(arrays["big"], big)
    np.testing.assert_array_equal(arrays["columns"], big)
    np.testing.assert_array_equal(arrays["slice"], np.arange(20.0)[::3])


def test_no_arrays_and_numbers_of_numpy_in_the_header(tmp_path: Path) -> None:
    store.write(tmp_path / "file", {"states": np.int64(3), "seconds": np.float64(0.5)}, {})
    assert store.read(tmp_path / "file") == ({"states": 3, "seconds": 0.5}, {})


def test_only_numbers_can_be_stored(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="only numbers can be stored"):
        store.write(tmp_path / "file", {}, {"words": np.array(["a"])})
    with pytest.raises(TypeError, match="header can't hold"):
        store.write(tmp_path / "file", {"set": {1}}, {})
    assert list(tmp_path.iterdir()) == []


def test_opening_needs_neither_compiler_nor_solvers(saved: Path) -> None:
    code = f"import sys; from zermelo.storage import file; file.read({str(saved)!r}); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "numpy" in modules
    assert not {"numba", "scipy", "flint", "zermelo.link", "zermelo.solving"} & modules


# --- damage ----------------------------------------------------------------------------------------------------------


def test_every_byte_of_the_header_is_guarded(saved: Path) -> None:
    good = saved.read_bytes()
    length = store.PREFIX.unpack(good[: store.PREFIX.size])[3]
    for at in range(store.PREFIX.size + length):
        saved.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        refusal(saved)


def test_every_byte_of_the_data_is_guarded(saved: Path) -> None:
    good = saved.read_bytes()
    first = good.index(ARRAYS["values"].tobytes())
    for at in range(first, len(good), 7):
        saved.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        size = len(good) - first
        assert f"is damaged: the sum of bytes 0 to {size:,} of its data does not agree" in refusal(saved)
        assert "is damaged" in refusal(saved, verify=True)
        store.read(saved, verify=False)


LARGE = {"small": np.arange(10), "large": np.random.default_rng(1).random((20_000, 2)), "after": np.arange(5000)}


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of many pages that is verified when it is read."""
    monkeypatch.setattr(store, "CHECKED_BYTES", 0)
    path = tmp_path / "large.zermelo"
    store.write(path, {}, LARGE)
    return path


def damaged(path: Path, at: int) -> None:
    """Flip a bit of the data."""
    content = bytearray(path.read_bytes())
    first = bytes(content).index(LARGE["small"].tobytes())
    content[first + at] ^= 1
    path.write_bytes(content)


def test_a_large_file_says_what_was_saved(large: Path) -> None:
    arrays = store.read(large).arrays
    for name, array in LARGE.items():
        paged = arrays[name]
        assert (len(paged), paged.shape, paged.ndim, paged.dtype) == (len(array), array.shape, array.ndim, array.dtype)
        slices = (slice(3, 9), slice(None, None, -1), slice(5, 2), slice(-3, None))
        for index in (0, -1, 7, *slices, [1, 3], array.ravel()[: len(array)] > 0.5):
            np.testing.assert_array_equal(paged[index], array[index])
        with pytest.raises(IndexError):
            paged[len(array)]
        np.testing.assert_array_equal(paged + 1, array + 1)
        np.testing.assert_array_equal(np.sqrt(paged) == 2 * paged, np.sqrt(array) == 2 * array)
        assert paged.max() == array.max() and paged.tolist() == array.tolist() and np.array_equal(list(paged), array)
    np.testing.assert_array_equal(arrays["large"][17, 1], LARGE["large"][17, 1])
    np.testing.assert_array_equal(arrays["large"][:, 1], LARGE["large"][:, 1])
    for value in (-1, 0, 17, 4999, 5000):
        for side in ("left", "right"):
            assert np.searchsorted(arrays["after"], value, side) == np.searchsorted(LARGE["after"], value, side)


def test_a_page_is_verified_when_it_is_first_read(large: Path) -> None:
    at = 80 + 48 + 16 * 15_000  # in row 15,000 of `large`: after `small` and its padding
    damaged(large, at)
    where = f"is damaged: the sum of bytes {at // store.PAGE * store.PAGE:,} to {(at // store.PAGE + 1) * store.PAGE:,} of its data"
    arrays = store.read(large).arrays
    assert arrays["large"][3, 0] == LARGE["large"][3, 0] and np.array_equal(arrays["after"], LARGE["after"])
    np.testing.assert_array_equal(arrays["large"][:14_000], LARGE["large"][:14_000])
    reads: list[Any] = [
        lambda a: a[15_000], lambda a: a[15_000, 1], lambda a: a[14_990:15_010], lambda a: a[-5_000], lambda a: a[:, 0], lambda a: a + 1,
        lambda a: a.max(), np.asarray, list, lambda a: a[[1, 2]], lambda a: a.searchsorted([1, 2]),
    ]  # fmt: skip
    for read in reads:
        for _ in range(2):
            with pytest.raises(FileError, match=where):
                read(arrays["large"])
    assert where in refusal(large, verify=True)


def test_every_bit_of_a_large_file_is_guarded(large: Path) -> None:
    good = large.read_bytes()
    chance = np.random.default_rng(2)
    for bit in chance.integers(0, 8 * len(good), 200).tolist():
        large.write_bytes(good[: bit // 8] + bytes([good[bit // 8] ^ 1 << bit % 8]) + good[bit // 8 + 1 :])
        with pytest.raises(FileError):
            for array in store.read(large).arrays.values():
                np.asarray(array)


def test_every_cut_is_noticed(saved: Path) -> None:
    good = saved.read_bytes()
    for length in (*range(1, 60), len(good) // 2, len(good) - 1):
        saved.write_bytes(good[:length])
        assert "is cut short" in refusal(saved, verify=False)
    saved.write_bytes(b"")
    assert "is empty" in refusal(saved)
    saved.write_bytes(good + b"x")
    assert "is damaged: it has 1 bytes too many" in refusal(saved)


def test_strangers(saved: Path, tmp_path: Path) -> None:
    saved.write_text("PK\3\4 some other file, long enough to hold a prefix")
    assert refusal(saved).endswith(f"is not a stored solution of Zermelo; if it is a certificate, `zermelo verify {saved}` checks it")
    saved.write_text("%PDF-1.4 some other file, long enough to hold a prefix")
    assert refusal(saved).endswith("is not a stored solution of Zermelo")
    assert refusal(tmp_path).endswith("is a directory, not a stored solution")
    assert refusal(tmp_path / "nowhere").endswith("does not exist")


@pytest.mark.parametrize("version, words", [(0, "solve and save again"), (3, "update Zermelo, or solve")])
def test_other_versions(saved: Path, monkeypatch: pytest.MonkeyPatch, version: int, words: str) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "FORMAT", version)
        store.write(saved, HEADER, ARRAYS)
    text = refusal(saved)
    assert f"has format {version}, but this Zermelo" in text and f"reads the formats 1 to 2: {words}" in text


def test_a_header_of_another_kind(saved: Path) -> None:
    for content in ({"header": {}}, {"header": 3, "arrays": {}}, {"header": {}, "arrays": {"a": [1]}}, [1]):
        text = json.dumps(content).encode()
        saved.write_bytes(store.PREFIX.pack(store.MAGIC, store.FORMAT, zlib.crc32(text), len(text)) + text)
        assert "is damaged: its header can't be understood" in refusal(saved)


# --- writing is all or nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")])
@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_an_interrupted_save_leaves_what_was_there(
    saved: Path, monkeypatch: pytest.MonkeyPatch, error: Any, moment: str
) -> None:
    before = saved.read_bytes()

    def fails(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr(os, moment, fails)
    expected = FileError if isinstance(error, OSError) else error
    with pytest.raises(expected) as caught:
        store.write(saved, {}, {"new": np.arange(1000)})
    assert os.listdir(saved.parent) == [saved.name]
    assert saved.read_bytes() == before
    if expected is FileError:
        assert str(caught.value) == f"{saved} can't be written: No space left on device"


def test_a_save_replaces_what_is_open(saved: Path) -> None:
    old = store.read(saved)
    store.write(saved, {"new": 1}, {"values": np.zeros(3)})
    np.testing.assert_array_equal(old.arrays["values"], ARRAYS["values"])
    assert store.read(saved).header == {"new": 1}
    assert os.listdir(saved.parent) == [saved.name]


def test_places_that_cannot_be_written(saved: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "file", saved / "file", tmp_path):
        with pytest.raises(FileError, match="can't be written: .*directory"):
            store.write(path, {}, {})
    assert os.listdir(tmp_path) == [saved.name]


def test_a_link_keeps_pointing(saved: Path) -> None:
    link = saved.with_name("link")
    link.symlink_to(saved)
    store.write(link, {"new": 1}, {})
    assert link.is_symlink() and store.read(saved).header == {"new": 1}


def test_a_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    store.write(tmp_path / "stored", {}, {})
    (tmp_path / "other").write_text("")
    assert (tmp_path / "stored").stat().st_mode == (tmp_path / "other").stat().st_mode


# --- exact values ----------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.lists(st.fractions() | st.integers(-(1 << 300), 1 << 300).map(lambda n: Fraction(n, 3**200))))
def test_fractions(fractions: list[Fraction]) -> None:
    decoded = numbers.decode_fractions(numbers.encode_fractions(fractions))
    assert list(decoded) == fractions and len(decoded) == len(fractions)
    assert decoded[::-2] == fractions[::-2]


def test_fractions_at_the_edges_of_bytes(tmp_path: Path) -> None:
    fractions = [Fraction(s * ((1 << k) + d)) for k in range(70) for d in (-1, 0, 1) for s in (1, -1)]
    store.write(tmp_path / "file", {}, numbers.encode_fractions(fractions))
    decoded = numbers.decode_fractions(store.read(tmp_path / "file").arrays)
    assert list(decoded) == fractions
    assert decoded[-1] == fractions[-1]
    for outside in (len(fractions), -len(fractions) - 1):
        with pytest.raises(IndexError, match="there are 420 fractions"):
            decoded[outside]


# --- the game in the header ------------------------------------------------------------------------------------------


class Place(NamedTuple):
    left: int
    seen: tuple[int, ...] = (0, 0)


class Count(NamedTuple):
    goal: int = 3
    steps: tuple[int, ...] = (1, 2)

    def start(self) -> Place:
        return Place(self.goal)

    def outcomes(self, s: Place) -> Iterator[Any]:
        for step in self.steps:
            if step <= s.left:
                yield 1, 0, Place(s.left - step, s.seen)


def header_of(game: Any) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(json.dumps(stored_game.game_header(game, Layout.of([game.start()]))))
    return header


def test_the_game_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, read = Count(5, (1, 3)), []
    monkeypatch.setattr(stored_game, "rules_text", lambda game: read.append(game) or rules_text(game))
    header = header_of(game)
    assert len(read) == 1, "the rules are read once"
    assert header["rules"] == rules_text(game) and header["rules hash"] == rules_hash(game)
    assert stored_game.game_of("file", header) == game
    assert stored_game.game_of("file", header, game) is game
    layout = stored_game.layout_of("file", header, game)
    assert layout == Layout.of([game.start()]) and layout.unpack(layout.pack(game.start())) == game.start()


def test_another_game_is_refused() -> None:
    header = header_of(Count())
    with pytest.raises(FileError, match=r"holds the solution of Count\(goal=3, steps=\(1, 2\)\), not of Count\(goal=4"):
        stored_game.game_of("file", header, Count(4))
    with pytest.raises(FileError, match="solved under other rules; those of Count have changed: solve again"):
        stored_game.game_of("file", {**header, "rules hash": "0"})
    told = r"holds the solution of Count\(total=3, steps=\(1, 2\)\), and Count has goal, steps as parameters now: solve again"
    with pytest.raises(FileError, match=told):  # it said "which does not fit Count"
        stored_game.game_of("file", {**header, "parameters": {"total": 3, "steps": header["parameters"]["steps"]}}, Count)
    for lost in ("nowhere:Count", "test_store:Lost", "test_store:Place", "json:dumps"):
        module, _, name = lost.partition(":")
        with pytest.raises(NoRules, match=rf"{name}, whose rules were not given: .*open\('file', {name}\), or --rules {module}.py:{name}"):
            stored_game.game_of("file", {**header, "game": lost})
    assert "nowhere" not in sys.modules
    changed = {**header, "state": {**header["state"], "fields": ["right", "seen"]}}
    with pytest.raises(FileError, match=r"solved with states Place\(right, seen\); solve again"):
        stored_game.layout_of("file", changed, Count())


# --- the rules as text -----------------------------------------------------------------------------------------------

RULES = '''
from typing import NamedTuple
import enum
import helpers_of_rules

BONUS = 2
TABLE = ((1, 2), (3, 4))

class Coin(enum.IntEnum):
    HEADS = 1

class S(NamedTuple):
    n: int

    def doubled(self):
        return 2 * self.n

def helper(x, k=BONUS):
    """Words."""
    return x + k + TABLE[0][0]

class Game(NamedTuple):
    goal: int = 3
    extra = 5

    def start(self):
        return S(self.goal)

    def value(self, s):
        return s.doubled() * self.extra + helpers_of_rules.twice(Coin.HEADS)

    def outcomes(self, s):
        # a remark
        if s.n > 0:
            yield 1, helper(s.n) + self.value(s), S(s.n - 1)

    def show(self, s):
        return f"{s.n} left"
'''
HELPERS = "def twice(x):\n    return 2 * x\n"


@pytest.fixture
def hash_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The hash of `Game` in a module with this text, and of `helpers_of_rules` with that."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def of(rules: str, helpers: str = HELPERS) -> str:
        name = f"rules_{secrets.token_hex(8)}"
        (tmp_path / f"{name}.py").write_text(rules)
        (tmp_path / "helpers_of_rules.py").write_text(helpers)
        sys.modules.pop("helpers_of_rules", None)
        importlib.invalidate_caches()
        game: Any = importlib.import_module(name).Game()
        return rules_hash(game)

    return of


@pytest.mark.parametrize(
    "old, new",
    [
        ("# a remark", "# another remark\n\n"),
        ('"""Words."""', '"""Other words."""\n'),
        ("1, helper(s.n) + self.value(s), S(s.n - 1)", "(1,   (helper(s.n)) + self.value(s),\n            S(s.n - 1))"),
        ("def helper(x, k=BONUS)", "def helper(x: int, k: int = BONUS) -> int"),
        ("goal: int = 3", "goal: int = 4"),
        ("left", "to go"),
        ("BONUS = 2", "UNUSED = 7\nBONUS = 2"),
    ],
)
def test_the_hash_ignores(hash_of: Any, old: str, new: str) -> None:
    assert old in RULES
    assert hash_of(RULES) == hash_of(RULES.replace(old, new))


@pytest.mark.parametrize(
    "old, new",
    [
        ("BONUS = 2", "BONUS = 3"),
        ("((1, 2), (3, 4))", "((1, 2), (3, 5))"),
        ("HEADS = 1", "HEADS = 2"),
        ("2 * self.n", "3 * self.n"),
        ("x + k", "x - k"),
        ("extra = 5", "extra = 6"),
        ("s.doubled() *", "s.doubled() +"),
        ("s.n > 0", "s.n > 1"),
        ("return S(self.goal)", "return S(self.goal + 1)"),
        ("    extra = 5", '    extra = 5\n    payoffs = ("money",)'),
        ("goal: int = 3", "goal: int = 3\n    other: int = 4"),
    ],
)
def test_the_hash_follows(hash_of: Any, old: str, new: str) -> None:
    assert old in RULES
    assert hash_of(RULES) != hash_of(RULES.replace(old, new))


def test_the_hash_follows_a_helper_in_another_module(hash_of: Any) -> None:
    assert hash_of(RULES) != hash_of(RULES, HELPERS.replace("2 * x", "3 * x"))


def test_the_text_is_the_same_in_every_process() -> None:
    code = "import test_store as t; print(t.rules_text(t.Count()), end='')"
    paths = os.pathsep.join([*sys.path, os.path.dirname(__file__)])
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "2" else "2"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout == rules_text(Count())


def test_a_solution_of_rules_that_have_changed_since_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file held the values of before, and the hash of the rules of now."""
    source = tmp_path / "changing.py"
    source.write_text(
        "from typing import NamedTuple\nBONUS = 1\nclass S(NamedTuple):\n    n: int\nclass G(NamedTuple):\n"
        "    def start(self): return S(2)\n    def outcomes(self, s):\n        if s.n:\n            yield 1, BONUS, S(s.n - 1)\n"
    )
    game = game_named(f"{source}:G")
    solution = zermelo.solve(game)
    monkeypatch.setitem(game.start.__func__.__globals__, "BONUS", 5)
    for write in (solution.save, solution.export_certificate):
        with pytest.raises(RulesError, match="the rules, or a constant that they use, have changed since they were solved: solve again"):
            write(tmp_path / "file")
    assert not (tmp_path / "file").exists()
    zermelo.solve(game).save(tmp_path / "file")
    assert zermelo.open(tmp_path / "file", game).value == 10
