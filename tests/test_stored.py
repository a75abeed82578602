"""Files written in the past open, and say what they said: the values in stored/expected.json, and what solving anew gives.

stored/make.py tells how each was made. None of these files may ever be written again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zermelo
from stored import make
from stored.make import EXPECTED, HERE, SOLUTIONS, SWEPT
from zermelo.cli import main
from zermelo.kernels.kernel import Kernel, only
from zermelo.link.interpreted import Interpreted
from zermelo.link.interpreted_steps import InterpretedSteps
from zermelo.storage import file
from zermelo.storage.pages import PagedArray

SAID = json.loads(EXPECTED.read_text())
CATALOGUE = [name for name in SOLUTIONS if type(SOLUTIONS[name].game).__module__.startswith("zermelo.")]
CLOSE = 1e-12  # what is computed on opening may be added up in another order one day


def agrees(found: Any, expected: Any, where: str = "") -> None:
    """The same numbers, texts and names. What is expected must be there; more may be."""
    if isinstance(expected, dict):
        for name, part in expected.items():
            assert name in found, f"{where}: no {name!r}"
            agrees(found[name], part, f"{where}, {name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            agrees(one, other, f"{where} [{i}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=CLOSE, abs=CLOSE), where
    else:
        assert (type(found), found) == (type(expected), expected), where


def plain(data: Any) -> Any:
    """As it comes out of JSON."""
    return json.loads(json.dumps(data))


def opened(name: str) -> Any:
    made = SOLUTIONS[name]
    needs_game = type(made.game).__module__.startswith("stored")
    return zermelo.open(HERE / f"{name}.solution", **({"game": made.game} if needs_game else {}))


def test_every_file_is_tested() -> None:
    files = {path.name for path in HERE.iterdir() if path.suffix in (".solution", ".sweep")}
    assert files == set(SAID) == {*(f"{n}.solution" for n in SOLUTIONS), *(f"{n}.sweep" for n in SWEPT)}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution_says_what_it_said(name: str) -> None:
    solution, expected = opened(name), SAID[f"{name}.solution"]
    found = plain(make.said_of(name, solution))
    agrees(found, expected, name)
    for what in ("value", "low", "high", "certificate"):
        assert found[what] == expected[what], "what is in the file is read to the last bit"
    assert solution.game == SOLUTIONS[name].game


@pytest.fixture
def as_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are verified page by page, when they are read, however small they are."""
    monkeypatch.setattr(file, "CHECKED_BYTES", -1)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_so_it_does_page_by_page_and_saved_again(name: str, as_large_files: None, tmp_path: Path) -> None:
    solution, expected = opened(name), SAID[f"{name}.solution"]
    agrees(plain(make.said_of(name, solution)), expected, name)
    path = tmp_path / "again"
    solution.save(path, **SOLUTIONS[name].saving)
    assert (HERE / f"{name}.solution").read_bytes()[8] == 1 and path.read_bytes()[8] == 2, "the version of the format"
    agrees(plain(make.said_of(name, zermelo.open(path, game=SOLUTIONS[name].game))), expected, name)


@pytest.fixture
def arrays_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels and rules refuse in Python, too, what only machine code refuses: arrays that are verified when they are read."""

    def refuse(arguments: Iterable[Any]) -> None:
        for argument in arguments:
            assert not isinstance(argument, PagedArray)
            if isinstance(argument, tuple):
                refuse(argument)

    def strict(call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: (refuse(arguments), call(*arguments))[1]

    for owner, name in [
        (Kernel, "__call__"), (Kernel, "by_python"), (Interpreted, "call"), (InterpretedSteps, "of"), (InterpretedSteps, "images"),
    ]:  # fmt: skip
        monkeypatch.setattr(owner, name, strict(getattr(owner, name)))


@pytest.mark.parametrize(
    ("name", "tier"), [("circling", "compiled"), ("at-once", "interpreted"), ("staged", "interpreted"), ("board", "interpreted")]
)
def test_all_verbs_take_what_is_verified_page_by_page(
    name: str, tier: str, as_large_files: None, arrays_only: None, tmp_path: Path
) -> None:
    """In machine code, too, as large games are, which takes nothing but arrays."""
    solution = opened(name)
    verbs: list[Callable[[], Any]] = [
        lambda: solution.to_dataframe(), lambda: solution.to_xarray(), lambda: solution.values.sum() + solution.errors.sum(),
        lambda: solution.payoff_values, lambda: solution.action_numbers, lambda: solution.distances, lambda: solution.farthest(),
        lambda: solution.mixtures_at(0), lambda: solution.mixtures.likeliest(), lambda: solution.space.columns,
        lambda: solution.simulate(100), lambda: solution.distribution(), lambda: solution.length,
        lambda: solution.evaluate(solution.policy), lambda: solution.best_response(solution.policy),
        lambda: solution.export_certificate(tmp_path / "certificate"),
    ]  # fmt: skip
    answered = 0
    for verb in verbs:
        try:
            with only(tier):
                verb()
            answered += 1
        except (zermelo.OutOfReach, zermelo.ParameterError):
            pass
    assert answered >= 5


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution_is_what_solving_anew_gives(name: str) -> None:
    with only("interpreted") if name in ("board", "board-long") else nullcontext():  # others are too large for that, or small anyway
        solution, anew = opened(name), SOLUTIONS[name].solve()
    assert isinstance(anew, type(solution)) or name == "entered", "the solution of a race is stored with all its states"
    assert solution.low <= anew.high and anew.low <= solution.high
    assert abs(solution.value - anew.value) <= (solution.high - solution.low) + (anew.high - anew.low)
    if not hasattr(solution, "row"):
        assert solution.is_exact == anew.is_exact and (not anew.is_exact or solution.value == anew.value)
        assert {n: pytest.approx(float(v), abs=1e-9) for n, v in anew.payoffs.items()} == solution.payoffs


@pytest.mark.parametrize("name", [name for name, made in SOLUTIONS.items() if made.options.get("exact")])
def test_exact_values_are_fractions(name: str) -> None:
    solution = opened(name)
    assert type(solution.value) is Fraction and str(solution.value) == SAID[f"{name}.solution"]["value"]
    assert solution.certificate.kind == "proof"


@pytest.mark.parametrize("name", SWEPT)
def test_a_sweep_goes_on_from_its_checkpoint(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(HERE / f"{name}.sweep", tmp_path / "run"))
    went_on = make.said_of_sweep(name, SWEPT[name](path))
    agrees(plain(went_on), SAID[f"{name}.sweep"], name)
    if not name.endswith("curve"):
        assert went_on["low"] <= went_on["value"] <= went_on["high"]


@pytest.mark.parametrize("name", SWEPT)
def test_a_sweep_from_its_checkpoint_is_the_whole_sweep(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(HERE / f"{name}.sweep", tmp_path / "run"))
    went_on, whole = SWEPT[name](path), SWEPT[name](None)
    if name.endswith("curve"):
        assert went_on.value.tolist() == whole.value.tolist() and went_on.error.tolist() == whole.error.tolist()
    else:
        assert (went_on.value, went_on.low, went_on.high) == (whole.value, whole.low, whole.high)


def test_an_interrupted_sweep_is_half_way() -> None:
    """Or the tests above would not go on from anywhere."""
    from zermelo.storage.file import read

    for name in ("interrupted", "interrupted-curve"):
        arrays = read(HERE / f"{name}.sweep").arrays
        assert len(arrays["tiles"]) and not len(arrays["kept"])


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_command_line_takes_a_stored_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = SAID[f"{name}.solution"]
    assert main(["solve", str(HERE / f"{name}.solution"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (
        data["value"] == float(Fraction(expected["value"]))
        and data["certificate"]["kind"] == expected["certificate"][0]
    )
    assert main(["table", str(HERE / f"{name}.solution"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]


def test_all_files_open_without_a_compiler() -> None:
    code = (
        "import sys, zermelo\n"
        f"for name in {CATALOGUE!r}:\n"
        f"    solution = zermelo.open(f'{HERE}/{{name}}.solution')\n"
        "    solution.value, solution.certificate\n"
        "    if hasattr(solution, 'rules'): solution.probe(solution.rules.start)\n"
        "    assert 'numba' not in sys.modules, name\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
