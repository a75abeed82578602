"""Every type of parameter with every verb: what is given on the command line, kept as a default, saved, certified, studied or asked by
the page is the value, of the type, that the rules expect. Values are compared with plain recursion (naive.py)."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import textwrap
from fractions import Fraction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any, NamedTuple, NewType

import numpy as np
import pytest

import naive
import zermelo
from asking import Here
from zermelo.basics.values import as_json, expression, restored, stored, written
from zermelo.basics.values import in_python as as_python
from zermelo.cli import main
from zermelo.errors import FileError, ParameterError, ZermeloError
from zermelo.games.named import converted, find, game_named
from zermelo.kernels.kernel import only
from zermelo.language.forms import form_of, metavar, read
from zermelo.language.parameters import fields, stored_parameters, validate_parameters
from zermelo.language.rules_text import rules_hash
from zermelo.serve.jobs import Jobs
from zermelo.serve.shelf import Sheet, Shelf
from zermelo.studies.values import values_of


class Case(NamedTuple):
    name: str
    hint: str
    default: str  # Python
    text: str  # on the command line
    given: str  # what it stands for, as Python
    worth: str  # of self.p: a payoff


CASES = [
    Case("Whole", "int", "2", "5", "5", "self.p"),
    Case("Float", "float", "2", "0.5", "0.5", "self.p"),
    Case("Truth", "bool", "True", "no", "False", "7 if self.p else 3"),
    Case("Text", "str", "'a'", "long", "'long'", "len(self.p)"),
    Case("Maybe", "int | None", "None", "5", "5", "9 if self.p is None else self.p"),
    Case("MaybeNot", "int | None", "4", "none", "None", "9 if self.p is None else self.p"),
    Case("IntOrText", "int | str", "'auto'", "5", "5", "9 if self.p == 'auto' else 5"),
    Case("OneOf", "Literal[1, 2]", "2", "1", "1", "self.p"),
    Case("OneWord", "Literal['few', 'many']", "'many'", "few", "'few'", "1 if self.p == 'few' else 8"),
    Case("Anything", "Any", "5", "0.5", "0.5", "self.p"),
    Case("AnyOrNone", "Any", "None", "(1,x,2.5)", "(1, 'x', 2.5)", "9 if self.p is None else self.p[2]"),
    Case("Later", "'int'", "5", "6", "6", "self.p"),
    Case("Whole_Enum", "Mode", "Mode.LOW", "HIGH", "Mode.HIGH", "10 if self.p == Mode.LOW else 1"),
    Case("Enum_By_Value", "Mode", "Mode.LOW", "2", "Mode.HIGH", "10 if self.p == Mode.LOW else 1"),
    Case("Raw_Enum", "Mode", "1", "high", "Mode.HIGH", "10 if self.p == Mode.LOW else 1"),
    Case("Text_Enum", "Colour", "Colour.RED", "BLUE", "Colour.BLUE", "2 if self.p == Colour.RED else 4"),
    Case("Flags", "Right", "Right.READ", "3", "Right.READ | Right.WRITE", "int(self.p)"),
    Case("Rows", "tuple[tuple[int, ...], ...]", "((1, 2), (3, 4))", "(5,6),(7,8)", "((5, 6), (7, 8))", "self.p[1][0]"),
    Case("One_Row", "tuple[tuple[int, ...], ...]", "((1, 2), (3, 4))", "(5,6),", "((5, 6),)", "self.p[0][1] + len(self.p)"),
    Case("Plain_Rows", "tuple", "((1, 2), (3, 4))", "((5,6),(7,8))", "((5, 6), (7, 8))", "self.p[1][0]"),
    Case("Plain", "tuple", "(1, 2)", "3,4", "(3, 4)", "self.p[1]"),
    Case("Pair", "tuple[int, int]", "(1, 2)", "(3, 4)", "(3, 4)", "self.p[1]"),
    Case("Mixed", "tuple[int, str]", "(1, 'b')", "3,long text", "(3, 'long text')", "self.p[0] + len(self.p[1])"),
    Case("Plain_Mixed", "tuple", "(1, 'b')", "3,'4'", "(3, '4')", "self.p[0] + len(self.p[1])"),
    Case("Floats", "tuple[float, ...]", "(0.5, 1)", "0.25,2", "(0.25, 2.0)", "self.p[0]"),
    Case("Truths", "tuple[bool, ...]", "(True, False)", "no,yes", "(False, True)", "5 if self.p[0] else 2"),
    Case("Texts", "tuple[str, ...]", "('a', 'b')", "it's,'x,y'", '("it\'s", "x,y")', "len(self.p[0]) + len(self.p[1])"),
    Case("Modes", "tuple[Mode, ...]", "(Mode.LOW,)", "HIGH,LOW", "(Mode.HIGH, Mode.LOW)", "self.p[0] * 3 + len(self.p)"),
    Case("Listed", "list[int]", "(5, 6)", "7,8", "(7, 8)", "self.p[1]"),
    Case("Empty", "tuple[int, ...]", "()", "7,8", "(7, 8)", "len(self.p)"),
    Case("To_Empty", "tuple[int, ...]", "(7, 8)", "()", "()", "len(self.p)"),
    Case("Set", "frozenset[int]", "frozenset({1, 2})", "2,3", "frozenset({2, 3})", "1 if 1 in self.p else 6"),
    Case("Set_Of_Texts", "frozenset", "frozenset({'x', 'y'})", "y,z", "frozenset({'y', 'z'})", "1 if 'x' in self.p else 6"),
    Case("Record", "Point", "Point(3, 4)", "5,6", "Point(5, 6)", "self.p.x * 10 + self.p.y"),
    Case("Named_Record", "Point", "Point(3, 4)", "y=6,x=5", "Point(5, 6)", "self.p.x * 10 + self.p.y"),
    Case("As_Python", "Point", "Point(3, 4)", "Point(x=5, y=6)", "Point(5, 6)", "self.p.x * 10 + self.p.y"),
    Case("Record_In_Any", "Any", "Point(3, 4)", "5,6", "Point(5, 6)", "self.p.x * 10 + self.p.y"),
    Case("Records", "tuple[Point, ...]", "(Point(1, 2),)", "(3,4),(5,6)", "(Point(3, 4), Point(5, 6))", "self.p[-1].x"),
    Case("Deep", "Line", "Line(Point(1, 2), Mode.LOW)", "(3,4),HIGH", "Line(Point(3, 4), Mode.HIGH)", "self.p.at.x + 5 * self.p.mode"),
    Case("Rational", "Fraction", "Fraction(1, 3)", "2/3", "Fraction(2, 3)", "int(self.p * 3)"),
]  # fmt: skip

HEAD = """
from enum import Enum, IntEnum, IntFlag, StrEnum
from fractions import Fraction
from typing import Any, Literal, NamedTuple


class Mode(IntEnum):
    LOW = 1
    HIGH = 2

class Colour(StrEnum):
    RED = "r"
    BLUE = "b"

class Right(IntFlag):
    READ = 1
    WRITE = 2

class Point(NamedTuple):
    x: int = 1
    y: int = 2

class Line(NamedTuple):
    at: Point
    mode: Mode

class S(NamedTuple):
    n: int
"""

GAME = """

class {name}(NamedTuple):
    p: {hint} = {default}
    def start(self):
        return S(2)
    def actions(self, s):
        if s.n > 0:
            yield 1
            yield 2
    def outcomes(self, s, a):
        yield a, {worth}, S(s.n - 1)
        yield 1, 0, S(s.n - 1)
"""

UNREAD = """

class Dictionary(NamedTuple):
    p: dict = {1: 5}
    def start(self): return S(1)
    def outcomes(self, s):
        if s.n > 0:
            yield 1, self.p[1], S(0)

class Complex(NamedTuple):
    p: complex = 3j
    def start(self): return S(1)
    def outcomes(self, s):
        if s.n > 0:
            yield 1, int(self.p.imag), S(0)

class NotTrue(NamedTuple):
    p: bool = 1
    def start(self): return S(1)
    def outcomes(self, s):
        if s.n > 0:
            yield 1, 5 if self.p else 2, S(0)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("types") / "types_of.py"
    path.write_text(HEAD + "".join(GAME.format(**case._asdict()) for case in CASES) + UNREAD)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    """The name of each game in a file of its own, which takes less time to load than the file of all."""
    folder = tmp_path_factory.mktemp("alone")
    for case in CASES:
        (folder / f"{case.name}.py").write_text(HEAD + GAME.format(**case._asdict()))
    return {case.name: f"{folder / case.name}.py:{case.name}" for case in CASES}


@pytest.fixture
def alone(files, case) -> str:
    return files[case.name]


@pytest.fixture(scope="module")
def module(file) -> ModuleType:
    """The file as a user imports it."""
    sys.path.insert(0, str(file.parent))
    try:
        return importlib.import_module("types_of")
    finally:
        sys.path.remove(str(file.parent))


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request) -> Case:
    found: Case = request.param
    return found


@pytest.fixture
def game_class(module, case) -> Any:
    return getattr(module, case.name)


@pytest.fixture
def given(module, case) -> Any:
    """The value that the text of the case stands for."""
    return eval(case.given, vars(module))


def same(value: Any, other: Any) -> bool:
    """Whether two values are the same, with the types of all their parts."""
    return value == other and expression(value) == expression(other) and type(value).__name__ == type(other).__name__


def as_option(case: Case, text: str) -> list[str]:
    return ["--p" if text == "yes" else "--no-p"] if case.hint == "bool" else ["--p", text]


def solved(capsys, *words: Any) -> dict[str, Any]:
    """What `zermelo ... --json` prints."""
    assert main([*map(str, words), "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def close(value: float, game: Any) -> None:
    assert value == pytest.approx(float(naive.value(game)), abs=1e-9)


# --- every verb -----------------------------------------------------------------------------------------------------------


def test_solve_in_python(game_class, given, case):
    for game in (game_class(), game_class(given)):
        with only("interpreted"):
            solution = zermelo.solve(game)
        close(solution.value, game)
        assert solution.report.facts["interpreted"]


UNCOMPILED = ("Set", "Set_Of_Texts", "Rational", "AnyOrNone")  # as docs/writing-games.md says
COMPILED = [case for case in CASES if case.name not in UNCOMPILED]


@pytest.mark.parametrize("case", [case for case in CASES if case.name in ("Text", "Rows", "Record")], ids=lambda case: case.name)
def test_solve_compiled(module, case):
    """A parameter by itself, of one kind each: constants, tuples of constants, records. (Numbers, and a second value of each: below.)"""
    game = getattr(module, case.name)(eval(case.given, vars(module)))
    with only("compiled"):
        solution = zermelo.solve(game)
    close(solution.value, game)
    assert not solution.report.facts["interpreted"]


@pytest.mark.parametrize("cases", [COMPILED[:17], COMPILED[17:]], ids=lambda cases: f"{cases[0].name} to {cases[-1].name}")
def test_solve_compiled_with_parameters_of_all_types(tmp_path, module, cases):
    """Many in one game, with a payoff for each, since compiling takes long."""
    path = tmp_path / "all_types.py"
    path.write_text(HEAD + f"""

class All(NamedTuple):
    {"; ".join(f"{case.name}: {case.hint} = {case.default}" for case in cases)}
    payoffs = {tuple(case.name for case in cases)}
    def start(self):
        return S(2)
    def outcomes(self, s):
        if s.n > 0:
            yield 1, ({", ".join(case.worth.replace("self.p", f"self.{case.name}") for case in cases)}), S(s.n - 1)
            yield 1, ({", ".join("0" for case in cases)}), S(s.n - 1)
""")
    names = vars(module)
    texts = {case.name: case.text for case in cases}
    for game, wanted in ((game_named(f"{path}:All"), "default"), (game_named(f"{path}:All", **texts), "given")):
        with only("compiled"):
            solution = zermelo.solve(game)
        assert not solution.report.facts["interpreted"]
        for case in cases:
            mine = SimpleNamespace(p=eval(getattr(case, wanted), dict(names)))
            assert solution.payoffs[case.name] == pytest.approx(float(eval(case.worth, {"self": mine, **names})), abs=1e-9), case.name


def test_the_command_line_leaves_a_default_as_it_is(game_class, case, alone, capsys):
    found = solved(capsys, "solve", alone)
    close(found["value"], game_class())
    assert found["parameters"] == json.loads(json.dumps({"p": as_json(game_class().p)}, default=str))
    target = find(alone)
    assert target.game({}).p is target.fields[0].default


def test_given_on_the_command_line(game_class, given, case, alone, capsys):
    found = solved(capsys, "solve", alone, *as_option(case, case.text))
    close(found["value"], game_class(given))
    assert same(game_named(alone, p=case.text).p, given)


def test_what_is_written_is_read_again(game_class, given, case):
    (field,) = fields(game_class)
    for value in (given, field.default):
        found = converted(field, written(value)) if value is not None or "none" in case.text else None
        assert found == value
        if value is given:
            assert same(found, value)


def test_python_values_are_fitted(game_class, given, case):
    """Lists for tuples, as JSON has them, and names of members."""
    if case.name in ("AnyOrNone", "Rational"):
        return
    (field,) = fields(game_class)
    value = json.loads(json.dumps(as_json(given)))
    assert same(converted(field, value if value is not None else given), given)


def test_check_and_help_know_the_parameter(case, alone, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["check", alone, *as_option(case, case.text)]) == 0, capsys.readouterr().err
    assert main(["solve", alone, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--p" in shown and (case.hint == "bool" or metavar(fields(find(alone).game_class)[0].form)[:20] in shown)


def test_saved_and_opened(game_class, given, case, alone, tmp_path):
    for game in (game_class(), game_class(given)):
        path = tmp_path / "s.zermelo"
        zermelo.solve(game).save(path)
        for rules in (game_class, game):
            found = zermelo.open(path, rules)
            assert found.game == game and (same(found.game.p, game.p) or case.name == "Raw_Enum")
            close(found.probe(game.start()).value, game)
            assert found.simulate(20, seed=1).plays == 20
        assert zermelo.open(path, alone).value == pytest.approx(float(naive.value(game)))


def test_files_in_a_fresh_process(module, files, tmp_path):
    """Without the rules, with the rules as text, and on the command line."""
    expected = {}
    for case in CASES:
        game = getattr(module, case.name)(eval(case.given, vars(module)))
        solution = zermelo.solve(game)
        solution.save(tmp_path / f"{case.name}.zermelo")
        solution.export_certificate(tmp_path / f"{case.name}.cert")
        expected[case.name] = [float(naive.value(game)), expression(game.p)]
    program = f"""
    import json, sys, zermelo
    from zermelo.basics.values import expression
    from zermelo.cli import main
    found, names, files = {{}}, {list(expected)!r}, {files!r}
    for name in names:
        data = zermelo.open(f"{{name}}.zermelo")
        assert type(data).__name__ == "DataSolution" and "p" in data.parameters and str(data) and main(["solve", f"{{name}}.zermelo"]) == 0
    for name in names:
        rules = files[name]
        solution = zermelo.open(f"{{name}}.zermelo", rules)
        verdict = zermelo.verify(f"{{name}}.cert", rules)
        assert verdict.verified, (name, verdict.fault)
        assert abs(float(verdict.low) - solution.probe(solution.game.start()).value) < 1e-6
        assert main(["simulate", f"{{name}}.zermelo", "--rules", rules, "--plays", "10", "--json"]) == 0
        found[name] = [solution.value, expression(solution.game.p)]
    print("FOUND", json.dumps(found))
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.rpartition("FOUND")[2])
    for name, (value, text) in expected.items():
        assert found[name][0] == pytest.approx(value) and found[name][1] == text, name


def test_certificate_and_verify(game_class, given, case, alone, tmp_path, capsys):
    for game, words in ((game_class(), []), (game_class(given), as_option(case, case.text))):
        path = tmp_path / "c.cert"
        assert main(["solve", alone, *words, "--certificate", str(path)]) == 0
        capsys.readouterr()
        verdict = zermelo.verify(path, game_class)
        assert verdict.verified, verdict.fault
        assert verdict.low - 1e-9 <= naive.value(game) <= verdict.high + 1e-9
        assert main(["verify", str(path), alone]) == 0, capsys.readouterr()
        assert expression(game.p) in capsys.readouterr().out


def test_study(game_class, given, case, alone, tmp_path, monkeypatch, capsys):
    """In Python and on the command line, by itself and from disk."""
    monkeypatch.setattr("zermelo.studies.asking.Workers", Here)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    games = [game_class(), game_class(given)]
    found = zermelo.study(game_class, {"p": [game.p for game in games]}, processes=1)
    assert [row.error for row in found.rows] == ["", ""] and found.from_disk == 0
    for row, game in zip(found.rows, games, strict=True):
        close(float(row.value), game)
        assert same(row.parameters["p"], game.p)
    again = zermelo.study(game_class, {"p": [game.p for game in games]}, processes=1)
    assert again.from_disk == 2 and [row.value for row in again.rows] == [row.value for row in found.rows]
    assert len(found.table().rows) == 2
    named = zermelo.study(alone, processes=1)
    close(float(named.rows[0].value), games[0])
    assert same(named.rows[0].parameters["p"], games[0].p)
    by_text = solved(capsys, "study", alone, "--p", case.text)
    close(by_text["rows"][0]["value"], games[1])
    assert by_text["rows"][0]["parameters"] == json.loads(json.dumps({"p": as_json(given)}, default=str))


def test_several_values_as_text(game_class, given, case):
    (field,) = fields(game_class)
    if field.default in (None, ()) or case.name in ("Texts", "AnyOrNone", "To_Empty"):
        return
    separator = ";" if field.form.is_collection else ","
    if case.hint == "str":
        return
    found = values_of(field, separator.join([written(field.default), written(given)]))
    assert len(found) == 2 and found[0] == field.default and same(found[1], given)


def test_the_page(game_class, given, case, alone):
    target = find(alone)
    sheet = Sheet("own", target)
    (about,) = sheet.as_data()["parameters"]
    json.dumps(about)
    shelf = Shelf([sheet], Jobs())
    shown = about["default"]
    for asked, game in (({}, game_class()), ({"p": shown}, game_class()), ({"p": case.text}, game_class(given))):
        book = shelf.open("own", asked)
        assert same(book.game.p, game.p) or (asked == {"p": shown} and book.game.p == game.p)
        close(zermelo.solve(book.game).value, game)
    if about["allowed"]:
        assert shown in about["allowed"]
    assert len({shelf.open("own", asked).name for asked in ({}, {"p": case.text})}) == 2


# --- what is refused ------------------------------------------------------------------------------------------------------


def refused(capsys, *words: Any) -> str:
    assert main([*map(str, words)]) == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error and error.count("\n") == 1, error
    return str(error)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Whole_Enum", "MIDDLE", "must be one of LOW, HIGH, not 'MIDDLE'"),
        ("OneWord", "some", "must be one of few, many, not 'some'"),
        ("Rows", "1,2", "must be (N,N,...) separated by commas, not '1,2'"),
        ("Rows", "(1,2", "not '(1,2'"),
        ("Floats", "1,x", "must be numbers separated by commas, not '1,x'"),
        ("Truths", "1,0", "must be yes or no, each separated by commas, not '1,0'"),
        ("Plain", "1,x", "must be whole numbers separated by commas, not '1,x'"),
        ("Pair", "1,2,3", "must be a tuple of 2, not (1, 2, 3)"),
        ("Mixed", "x,1", "must be values separated by commas, not 'x,1'"),
        ("Record", "1,2,3", "must be x, y of Point, separated by commas, not '1,2,3'"),
        ("Record", "x=1,z=3", "must be x, y of Point, separated by commas"),
        ("Maybe", "some", "must be a whole number or none, not 'some'"),
        ("Rational", "1/0", "must be a number, not '1/0'"),
        ("Dictionary", "1", "can't be written as text: it is a dict, here {1: 5}; give it in Python"),
        ("Complex", "1", "can't be written as text: it is a complex, here 3j"),
        ("NotTrue", None, "must be True or False, not 1"),
    ],
)
def test_refused_in_one_line(name, text, said, file, capsys):
    assert said in refused(capsys, "solve", f"{file}:{name}", *([] if text is None else ["--p", text]))


def test_a_type_that_is_not_read_keeps_its_default(file, capsys):
    assert solved(capsys, "solve", f"{file}:Dictionary")["value"] == 5
    assert solved(capsys, "solve", f"{file}:Complex")["value"] == 3
    assert solved(capsys, "study", f"{file}:Complex")["rows"][0]["value"] == 3


def test_a_dictionary_is_saved(module, tmp_path):
    path = tmp_path / "d.zermelo"
    zermelo.solve(module.Dictionary({1: 6, (2, 3): "x"})).save(path)
    assert zermelo.open(path, module.Dictionary).game.p == {1: 6, (2, 3): "x"}


def test_what_no_file_can_hold_is_said_before_solving(module, file, tmp_path, capsys):
    said = "Complex: p holds a complex, which no file can hold: use numbers, texts, members of an Enum, None, and tuples"
    with pytest.raises(ParameterError, match=said):
        zermelo.solve(module.Complex()).save(tmp_path / "x.zermelo")
    with pytest.raises(ParameterError, match=said):
        zermelo.solve(module.Complex()).export_certificate(tmp_path / "x.cert")
    for option in ("-o", "--certificate"):
        assert said in refused(capsys, "solve", f"{file}:Complex", option, tmp_path / "x.out")
    assert not list(tmp_path.iterdir())


def test_a_class_that_a_file_could_not_find_is_said(module):
    class Elsewhere(NamedTuple):
        x: int = 1

    with pytest.raises(ParameterError, match="Anything: p is Elsewhere.x=1., whose class would not be found"):
        stored_parameters(module.Anything(Elsewhere()))


def test_numbers_of_numpy_are_numbers_in_files(module):
    for number in (np.int64(3), np.float64(0.5), np.bool_(True)):
        assert json.dumps(stored_parameters(module.Anything(number))["p"]) == json.dumps(number.item())
    with pytest.raises(ParameterError, match="p holds an? ndarray"):
        stored_parameters(module.Anything(np.array([1, 2])))


def test_numbers_of_numpy_are_numbers_to_the_rules(module, files, in_python):
    """Ten times 100 in eight bits would be -24."""
    small = zermelo.solve(module.Record(module.Point(np.int8(100), 1)))
    assert small.value == zermelo.solve(module.Record(module.Point(100, 1))).value
    assert expression(small.game) == "Record(p=Point(x=100, y=1))"
    for held in ([1], {1}, frozenset({1}), {1: (1,)}):
        of_numpy = {np.int8(1): (np.int8(1),)} if isinstance(held, dict) else type(held)([np.int8(1)])
        assert expression(as_python(of_numpy)) == repr(held)
        assert as_python(held) is held
    assert {zermelo.solve(game).value for game in (module.Whole(np.uint8(5)), module.Whole(5))} == {
        zermelo.solve(files["Whole"], p=np.int64(5)).value
    }


def test_wrong_members_in_python(module):
    with pytest.raises(ParameterError, match="must be one of LOW, HIGH, not 7"):
        zermelo.solve(module.Whole_Enum(7))
    with pytest.raises(ParameterError, match="must be one of 1, 2, not 3"):
        zermelo.solve(module.OneOf(3))


# --- files and hashes -----------------------------------------------------------------------------------------------------


def test_files_of_older_versions_had_plain_tuples_and_numbers(module, tmp_path):
    from zermelo.storage.file import read as read_file
    from zermelo.storage.file import write

    for name, old in (("Record", [5, 6]), ("Whole_Enum", 2), ("Rows", [[5, 6], [7, 8]]), ("Text_Enum", "b")):
        game = getattr(module, name)(eval(next(c.given for c in CASES if c.name == name), vars(module)))
        zermelo.solve(game).save(tmp_path / "new.zermelo")
        header, arrays = read_file(tmp_path / "new.zermelo")
        write(tmp_path / "old.zermelo", {**header, "parameters": {"p": old}}, arrays)
        assert same(zermelo.open(tmp_path / "old.zermelo", type(game)).game.p, game.p)


def test_a_member_that_stands_for_something_else_now(tmp_path):
    path = tmp_path / "moved.py"
    text = HEAD + GAME.format(**next(c for c in CASES if c.name == "Whole_Enum")._asdict())
    path.write_text(text)
    zermelo.solve(game_named(f"{path}:Whole_Enum")).save(tmp_path / "m.zermelo")
    path.write_text(text.replace("LOW = 1", "LOW = 3"))
    with pytest.raises(FileError, match="parameters have changed"):
        zermelo.open(tmp_path / "m.zermelo", f"{path}:Whole_Enum")
    path.write_text(text.replace("LOW = 1", "DEEP = 1").replace("Mode.LOW", "Mode.DEEP"))
    with pytest.raises(FileError, match="parameters have changed"):
        zermelo.open(tmp_path / "m.zermelo", f"{path}:Whole_Enum")


METHOD = """
from typing import NamedTuple

class Point(NamedTuple):
    x: int = 1
    def worth(self):
        return self.x + 1

class S(NamedTuple):
    n: int

class G(NamedTuple):
    p: Point = Point(3)
    def start(self):
        return S(0)
    def outcomes(self, s):
        if s.n == 0:
            yield 1, self.p.worth(), S(1)
"""


def test_methods_of_a_parameter_are_part_of_the_rules(tmp_path, monkeypatch):
    """They are called through `self.p`, where reading the rules does not see them: a study must not return the rows of old ones."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "with_method.py"
    path.write_text(METHOD)
    assert zermelo.study(f"{path}:G", processes=1).rows[0].value == 4
    old = rules_hash(find(f"{path}:G").game_class)
    path.write_text(METHOD.replace("self.x + 1", "self.x + 2"))
    assert rules_hash(find(f"{path}:G").game_class) != old
    assert zermelo.study(f"{path}:G", processes=1).rows[0].value == 5


@pytest.mark.parametrize(
    "value",
    [
        None, True, 1, 2**62, -(2**63), 2**64, 0.5, float("inf"), -float("inf"), "x", "none", (), ((),), (1, (2, "3")), [1, [2]],
        frozenset(), frozenset({"b", "a"}), {1: (2,), "x": None}, Fraction(1, 3), {3, 1},
    ],
    ids=expression,
)  # fmt: skip
def test_stored_and_restored(value):
    found = restored(json.loads(json.dumps(stored(value))), {})
    assert found == value and expression(found) == expression(value)


@pytest.mark.parametrize(
    "data",
    [
        {"enum": "Mode", "name": "LOW", "value": 1}, {"record": "Point", "fields": {"x": 1}}, {"float": "x"}, {"int": "g"},
        {"fraction": "1/0"},
        {"fraction": "1/x"}, {"dict": [1]}, {"fraction": "1e999999999"}, {"frozenset": [{"list": []}]},
    ],
    ids=expression,
)  # fmt: skip
def test_damaged_values_raise_what_files_report(data):
    with pytest.raises((ValueError, TypeError, KeyError, ArithmeticError)):
        restored(data, {})


@pytest.mark.parametrize(
    ("hint", "default", "text", "value"),
    [
        (tuple[tuple[tuple[int, ...], ...], ...], (), "((1,2),(3,4))", (((1, 2), (3, 4)),)),
        (tuple[tuple[int, ...], ...], (), "(1,2)", ((1, 2),)),
        (tuple[tuple[int, ...], ...], (), "(),", ((),)),
        (tuple[int, ...], (1,), "(1,)", (1,)),
        (tuple[int, ...], (1,), "[1, 2]", (1, 2)),
        (tuple, (1, "x"), "(1,2),y", ((1, 2), "y")),
        (tuple, (0.5, 1), "1,2.5", (1, 2.5)),
        (list[int], [1], "1,2", [1, 2]),
        (float | None, None, "1", 1.0),
        (int | float, 0.5, "1", 1.0),
        (int | float, 1, "1.5", 1.5),
        (tuple[int, ...] | None, None, "1,2", (1, 2)),
        (tuple[str, ...], (), "a b, 'c' ,\"d,e\"", ("a b", "c", "d,e")),
    ],
)
def test_texts(hint, default, text, value):
    form = form_of(hint, default)
    assert same(read(form, text), value)
    assert same(read(form, written(value)), value)


def test_an_annotation_that_is_unknown_says_nothing(tmp_path, capsys):
    """Of one parameter: the others keep theirs."""
    path = tmp_path / "unknown.py"
    path.write_text(
        "from __future__ import annotations\n" + HEAD.replace("\nfrom enum", "from enum") + GAME.format(
            name="G", hint="Nowhere", default="(1, 'x')", worth="self.p[0] + (self.n if self.is_so else 0)"
        ).replace("    def start", "    n: int = 3\n    is_so: bool = True\n    def start")
    )  # fmt: skip
    game = game_named(f"{path}:G", p="4,y", n="5", is_so="yes")
    assert game[:] == ((4, "y"), 5, True)
    close(solved(capsys, "solve", f"{path}:G", "--p", "4,y", "--n", "5")["value"], game)


class TypeAliasType:
    """What `type Name = ...` makes in Python 3.12 and later."""

    def __init__(self, value):
        self.value = value

    @property
    def __value__(self):
        return self.value()


Amount = TypeAliasType(lambda: Annotated[int, "how many", range(1, 5)])
Fewer = TypeAliasType(lambda: Annotated[Amount, "fewer"])
Nowhere = TypeAliasType(lambda: unknown)  # noqa: F821
Itself = TypeAliasType(lambda: Itself)
Tree = TypeAliasType(lambda: tuple[Tree, ...])


class Aliases(NamedTuple):
    few: Annotated[Fewer, "these"] = 2
    some: NewType("Some", Amount) = 2
    lost: Nowhere = 2
    round: Itself = 2
    tree: Tree = ()


def test_names_given_by_type_stand_for_what_they_name():
    """The range of such a name was not heeded; one that names itself was a traceback."""
    few, some, lost, itself, tree = fields(Aliases)
    assert (few.type, few.doc, few.allowed) == (some.type, some.doc, some.allowed) == (int, "how many", range(1, 5))
    assert lost.form == itself.form == form_of(Any, 2) and tree.form == form_of(Any)
    validate_parameters(Aliases(tree=((), ((),))))
    with pytest.raises(ParameterError, match="few must be from 1 to 4, not 5"):
        validate_parameters(Aliases(few=5))


def test_every_item_of_a_tuple_lies_in_its_range(tmp_path):
    path = tmp_path / "ranges.py"
    path.write_text("from typing import Annotated\n" + HEAD + GAME.format(
        name="G", hint="Annotated[tuple[int, ...], range(0, 5)]", default="(1, 2)", worth="self.p[0]"))  # fmt: skip
    close(zermelo.solve(game_named(f"{path}:G", p="3,4")).value, game_named(f"{path}:G", p="3,4"))
    with pytest.raises(ZermeloError, match=r"p must be from 0 to 4, not \(1, 9\)"):
        game_named(f"{path}:G", p="1,9")


def test_a_game_that_a_file_imports(file, tmp_path, capsys):
    (tmp_path / "types_of.py").write_text(file.read_text())
    importing = tmp_path / "importing.py"
    importing.write_text("from types_of import *\n")
    assert solved(capsys, "solve", f"{importing}:Whole")["value"] > 0
    importing.write_text("from types_of import Whole\n")
    assert solved(capsys, "solve", importing)["value"] > 0
    assert "several games" in refused(capsys, "solve", file)


def test_numbers_of_a_state_beyond_62_bits(tmp_path):
    path = tmp_path / "far.py"
    path.write_text(HEAD + """

class Far(NamedTuple):
    base: int = 2**62
    def start(self):
        return S(self.base)
    def outcomes(self, s):
        if s.n < self.base + 3:
            yield 1, 1, S(s.n + 1)
""")
    for base in (2**62 - 4, 2**62, 2**63 - 4, -(2**62) - 3, -(2**63) + 1):
        far = game_named(f"{path}:Far", base=base)
        solution = zermelo.solve(far)
        assert solution.value == 3
        solution.save(tmp_path / "far.zermelo")
        assert zermelo.open(tmp_path / "far.zermelo", far).probe(type(far.start())(base + 1)).value == 2
        solution.export_certificate(tmp_path / "far.cert")
        assert zermelo.verify(tmp_path / "far.cert", f"{path}:Far").verified


class Place(NamedTuple):
    x: int
    y: int


class Unread(NamedTuple):
    """A parameter that no compiled method reads, of a class that none names."""

    top: int = 5
    at: Place = Place(3, 4)

    class S(NamedTuple):
        n: int

    def start(self):
        return Unread.S(0)

    def actions(self, s):
        if s.n < self.top:
            yield 0

    def outcomes(self, s, action):
        yield 1, 1, Unread.S(s.n + 1)


def test_parameters_that_nobody_reads_compile():
    with only("compiled"):
        solution = zermelo.solve(Unread())
    assert solution.value == 5 and not solution.report.facts["interpreted"]
