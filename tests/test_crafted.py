"""Files with valid sums and contents that no version of Zermelo wrote: one clear error each, or what they say as data. Nothing is imported
because a file names it."""

from __future__ import annotations

import copy
import json
import random
import struct
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import zermelo
from stored.make import EXPECTED, HERE, SOLUTIONS
from stored.own import LongPile, Pile
from zermelo.cli import main
from zermelo.storage import file as store
from zermelo.views.words import solved_in_words

PREFIX = struct.Struct("<8sIIQ")
MATRIX = "a matrix"  # written anew: no version wrote one differently
FILES = (
    "floats.solution", "exact.solution", "at-once.solution", "distances-symmetries.solution", "staged.solution", "board.solution",
    "board-packed.solution", "board-long.solution", "hidden-choice.solution", "cut-off.solution",
    MATRIX,
)  # fmt: skip
FEW, MANY = 12, 600  # crafted files of each kind


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


DEEPEST = "5000 levels"  # stands for them: from Python 3.12 on, no JSON of that depth is written
NASTY: list[Any] = [
    None, True, 0, -1, 1, 3, 64, 1 << 31, 1 << 62, 1 << 63, -(1 << 70), 10**400, 0.5, -0.0, float("nan"), float("inf"), 1e308,
    "", "x", "O", "<f8", "|O", "<U9", "<M8[s]", "object", "os:system", "zermelo.games.pig:Pig", "zermelo.games.nope:Pig",
    "subprocess:Popen", "..:x", "a" * 10_000, "\n", "é\x00",
    [], {}, [1], [[]], [-1], [1 << 40, 1 << 40], ["x", "y"], {"x": 1}, {"": {}}, [None] * 3, deep(60), DEEPEST,
]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all parts of a header."""
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value[:6]) if isinstance(value, list) and len(at) < 9 else ()
    return [at, *(p for key, part in inside for p in places(part, (*at, key)))]


def crafted(header: Any, chance: random.Random) -> Any:
    """The header with one to three parts replaced, deleted, doubled or exchanged."""
    found = copy.deepcopy(header)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        paths = [p for p in places(found) if p]
        path = chance.choice(paths)
        parent = found
        for key in path[:-1]:
            parent = parent[key]
        kind = chance.randrange(6)
        if kind == 0:
            del parent[path[-1]]
        elif kind == 1 and isinstance(parent[path[-1]], int | float):
            parent[path[-1]] += chance.choice((-1, 1, 64, 1 << 20, -(1 << 40)))
        elif kind == 2 and isinstance(parent, dict):
            other = chance.choice(list(parent))
            parent[other], parent[path[-1]] = parent[path[-1]], parent[other]
        elif kind == 3 and isinstance(parent, list):
            parent.append(copy.deepcopy(chance.choice(parent)))
        else:
            parent[path[-1]] = copy.deepcopy(chance.choice(NASTY))
    return found


def text_of(header: Any) -> str:
    """JSON, however deep a part of it is."""
    return json.dumps(header).replace(f'"{DEEPEST}"', "[" * 5000 + "1" + "]" * 5000)


def written(path: Path, version: int, header: Any, data: bytes) -> None:
    """The file, with sums that agree. `data` is all that follows the header."""
    text = text_of(header).encode()
    text += b" " * (-(PREFIX.size + len(text)) % 64)
    path.write_bytes(PREFIX.pack(b"ZERMELO\n", version, zlib.crc32(text), len(text)) + text + data)


def taken_apart(content: bytes) -> tuple[int, Any, bytes]:
    """Version of the format, header, and all that follows it."""
    _, version, _, length = PREFIX.unpack(content[: PREFIX.size])
    begin = PREFIX.size + length
    return version, json.loads(content[PREFIX.size : begin]), content[begin + -begin % 64 :]


def examined(path: Path) -> str:
    """What opening and asking gives: "answer", "data" or "refused"; any other end fails."""
    seen = "refused"
    try:
        solution = zermelo.open(path)
        seen = "data" if isinstance(solution, zermelo.DataSolution) else "answer"
        for ask in (repr, lambda s: s.value, lambda s: s.certificate, lambda s: s.bounds, lambda s: s.payoffs, lambda s: s.statistics, str,
                    lambda s: s.probe(s.rules.start), lambda s: s.values.sum(), lambda s: s.census(), lambda s: list(s.space)[:3],
                    lambda s: s.probe(s.space.unrank(0)), lambda s: s.row):  # fmt: skip
            try:
                ask(solution)
            except zermelo.ZermeloError as error:
                one_line(error)
            except AttributeError:
                assert not hasattr(type(solution), "probe") or not hasattr(solution, "row"), "a matrix game has no states"
    except zermelo.ZermeloError as error:
        one_line(error)
    return seen


def one_line(error: Exception) -> None:
    said = str(error)
    assert said and "\n" not in said and "Traceback" not in said and len(said) < 12_000, said[:500]


def crafted_files(name: str, count: int, tmp_path: Path, seed: int) -> dict[str, int]:
    """How many crafted files ended in which way."""
    content = b"" if name == MATRIX else (HERE / name).read_bytes()
    if name == MATRIX:
        zermelo.matrix_game([[3, -1, 0.5], [-2, 1, 10**30]]).save(tmp_path / "again")
        content = (tmp_path / "again").read_bytes()
    elif seed % 2:
        made = SOLUTIONS.get(name.partition(".")[0])
        zermelo.open(HERE / name, made.game if made else None).save(tmp_path / "again")
        content = (tmp_path / "again").read_bytes()
    version, header, data = taken_apart(content)
    chance = random.Random(f"{name} {seed}")
    before, seen = set(sys.modules), {"answer": 0, "data": 0, "refused": 0}
    for _ in range(count):
        found = crafted(header, chance)
        written(tmp_path / "file", version, found, data)
        try:
            seen[examined(tmp_path / "file")] += 1
        except BaseException as error:
            (tmp_path / "header.json").write_text(text_of(found))
            raise AssertionError(f"{tmp_path / 'header.json'}: {type(error).__name__}: {error}") from error
    new = {m.partition(".")[0] for m in set(sys.modules) - before}
    assert not new & {"subprocess", "os", "antigravity", "this"}
    return seen


@pytest.mark.parametrize("seed", [0, 1], ids=["format 1", "format 2"])
@pytest.mark.parametrize("name", FILES)
def test_crafted_headers_give_one_clear_error_each(name: str, seed: int, tmp_path: Path) -> None:
    assert crafted_files(name, FEW, tmp_path, seed)["refused"] > FEW // 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("name", FILES)
def test_many_crafted_headers(name: str, seed: int, tmp_path: Path) -> None:
    print(name, seed, crafted_files(name, MANY, tmp_path, seed))


# --- arrays that lie elsewhere ----------------------------------------------------------------------------------------


def test_arrays_must_lie_one_after_the_other(tmp_path: Path) -> None:
    version, header, data = taken_apart((HERE / "floats.solution").read_bytes())
    path = tmp_path / "file"
    for entry in (
        ["<f8", [49, 1], 0, 0], ["<f8", [49, 1], 1 << 40, 0], ["<f8", [-49, -1], 448, 0], ["<f8", [1 << 62, 1 << 62], 448, 0],
        ["|O", [49, 1], 448, 0], ["<f8", [49, 1], 449, 0], ["<f8", 49, 448, 0], ["<f8", [49, 1], 448], ["<f8", [1] * 40, 448, 0],
        ["<f8", [True, 49], 448, 0], "x", None,
    ):  # fmt: skip
        written(path, version, {**header, "arrays": {**header["arrays"], "values": entry}}, data)
        with pytest.raises(zermelo.FileError, match="its header can't be understood|is cut short|too many") as caught:
            zermelo.open(path)
        one_line(caught.value)


# --- the rules that a file names --------------------------------------------------------------------------------------


def renamed(path: Path, name: str, game: str) -> Path:
    """A copy of a stored file that names another game."""
    version, header, data = taken_apart((HERE / name).read_bytes())
    header["header"] = {**header["header"], "game": game}
    written(path, version, header, data)
    return path


def test_nothing_is_imported_because_a_file_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    path = renamed(tmp_path / "file", "floats.solution", "evil:CardDraw")
    solution = zermelo.open(path)
    assert isinstance(solution, zermelo.DataSolution) and "evil" not in sys.modules
    assert main(["table", "file"]) == 2 and "evil" not in sys.modules
    unfit = ("os:system", "builtins:tuple", "collections:namedtuple", "zermelo:solve", "zermelo.games.pig:Pig", "zermelo.games.no.pig:Pig")
    for game in unfit:
        assert isinstance(zermelo.open(renamed(path, "floats.solution", game)), zermelo.DataSolution)


def saved_as(solution: zermelo.Solution, path: Path, game: str) -> Path:
    """A file of a solution that names another game."""
    solution.save(path)
    version, header, data = taken_apart(path.read_bytes())
    header["header"]["game"] = game
    sums = data[: 64 * -(-4 * -(-(len(data) - 64) // store.PAGE) // 64)]
    header["pages"][1] = zlib.crc32(sums)
    written(path, version, header, data)
    return path


@pytest.mark.usefixtures("in_python")
def test_a_sample_as_data_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.engines.boards.engine.FEW_POSITIONS", -1)
    monkeypatch.setattr("zermelo.engines.boards.solving.SAMPLED", 20)
    sampled = zermelo.solve(LongPile(), quick=True)
    solution = zermelo.open(saved_as(sampled, tmp_path / "sampled", "mine:Game"))
    assert isinstance(solution, zermelo.DataSolution) and solution.certificate == sampled.certificate
    assert solution.certificate.kind == "sample"


def test_a_solution_as_data(tmp_path: Path) -> None:
    made = zermelo.solve(LongPile(9, 3))
    path = saved_as(made, tmp_path / "pile.zermelo", "my_pile:LongPile")
    solution = zermelo.open(path)
    assert (solution.value, solution.low, solution.high) == (made.value, made.low, made.high)
    assert solution.payoffs == made.payoffs and solution.certificate == made.certificate and solution.parameters == {"pile": 9, "last": 3}
    assert solution.values.tolist() == made.values.tolist() and solution.action_numbers.tolist() == made.action_numbers.tolist()
    state = solution.state(left=4)
    assert type(state).__name__ == "Pile" and state == (4,)
    probe, expected = solution.probe(state), made.probe(Pile(4))
    assert (probe.value, probe.low, probe.high, probe.distance) == (expected.value, expected.low, expected.high, expected.distance)
    assert [tuple(s) for s in solution.space] == [tuple(s) for s in made.space]
    assert "class LongPile" in solution.rules_text or "def outcomes" in solution.rules_text
    need = f"{path} holds a solution of LongPile, whose rules were not given: zermelo.open({str(path)!r}, LongPile), or --rules "
    for verb in ("simulate", "evaluate", "rules", "game", "policy", "save"):
        with pytest.raises(zermelo.NoRules) as caught:
            getattr(solution, verb)
        assert str(caught.value) == f"`{verb}`: needs the rules; {need}my_pile.py:LongPile on the command line"
        assert not hasattr(solution, verb)
    with pytest.raises(zermelo.UnreachableState, match="is not stored"):
        solution.probe(solution.state(100))
    with pytest.raises(zermelo.ParameterError, match="expected left"):
        solution.probe((1, 2))
    for given in (LongPile, LongPile(9, 3)):
        assert zermelo.open(path, given).probe(Pile(4)) == expected
    with pytest.raises(zermelo.FileError, match=r"holds the solution of LongPile\(pile=9, last=3\), not of LongPile\(pile=8"):
        zermelo.open(path, LongPile(8, 3))
    with pytest.raises(zermelo.FileError, match="does not fit Pile"):
        zermelo.open(path, Pile)


def test_as_data_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = renamed(tmp_path / "x.zermelo", "board-long.solution", "own:LongPile")
    rules = f"{HERE / 'own.py'}:LongPile"
    assert main(["solve", "x.zermelo"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Long Pile: pile 300, last 7, as data" in said and "--rules own.py:LongPile" in said
    discounted = zermelo.DataSolution(replace(zermelo.open(path).answers, discount=0.5))
    assert solved_in_words(discounted) == "Long Pile: pile 300, last 7, discount 0.5"  # `solve` said nothing of the discount
    assert main(["solve", "x.zermelo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"] is None
    assert main(["table", "x.zermelo"]) == 2
    assert capsys.readouterr().err.startswith("zermelo: x.zermelo holds a solution of LongPile, whose rules were not given")
    assert main(["solve", "x.zermelo", "--rules", rules, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == float(zermelo.open(path, LongPile).value)
    assert main(["solve", "card-draw", "--rules", rules]) == 2
    assert "--rules is about saved solutions" in capsys.readouterr().err


def test_what_is_kept_without_states_is_shown_as_data_too(tmp_path: Path) -> None:
    said = json.loads(EXPECTED.read_text())["hidden-choice.solution"]
    solution = zermelo.open(renamed(tmp_path / "file", "hidden-choice.solution", "mine:Game"))
    assert isinstance(solution, zermelo.DataSolution) and str(solution.value) == said["value"]
    assert [[key, str(p)] for key, p in solution.row.items()] == said["row"]
    for kind in ("board-packed", "staged"):
        solution = zermelo.open(renamed(tmp_path / kind, f"{kind}.solution", "mine:Game"))
        with pytest.raises(zermelo.NoRules, match="the start, which files of older versions do not name"):
            _ = solution.value
        assert "without its rules" in repr(solution)
