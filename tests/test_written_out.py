"""Hundreds of `yield`s that are alike but for their numbers are compiled as a loop, and say the same."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import RulesError
from zermelo.kernels.kernel import only
from zermelo.language.rules import read
from zermelo.link.module import module_text
from zermelo.link.written_out import FEWEST
from zermelo.states.layout import Layout

HEAD = """
from typing import NamedTuple
class S(NamedTuple):
    i: int
    x: int = 0
    t: tuple = (3, 5)
class G(NamedTuple):
    def start(self):
        return S(0)
    def actions(self, s):
        if s.i < 3:
            yield 0
            yield 1
    def outcomes(self, s, action):
"""


def straight(n: int) -> list[str]:
    return [f"yield {k % 7 + 1}, {k % 5 - 2}, S(s.i + 1, {k})" for k in range(n)]


def branches(n: int) -> list[str]:
    lines = []
    for k in range(n // 2):
        lines += [f"if s.x % {k + 2} == {k}:"]
        lines += [f"    yield {k % 3 + 1}, action, S(s.i + 1, {k})", f"    yield 2, {k}, s._replace(i=s.i + 1)"]
    return [*lines, "yield 1, 0, S(s.i + 1, 7)"]


def nested(n: int) -> list[str]:
    lines = []
    for k in range(9):
        lines += [f"if s.x < {k}:", *(f"    yield {j + 1}, {k}, S(s.i + 1, {j % 3})" for j in range(n // 9 + 9))]
    return [*lines, "yield 1, 0, S(s.i + 1, 4)"]


def together(n: int) -> list[str]:
    """Each of these in a step of its own, which takes the compiler less time than three games."""
    every = enumerate((straight, branches, nested))
    return [line for i, write in every for line in (f"if s.i == {i}:", *(f"    {line}" for line in write(n)))]


def several(n: int) -> list[str]:
    """Names, floats beside whole numbers, powers, indexes, lengths of tuples, conditions, two yields in turn."""
    lines = ["x = 0", "y = 1.5"]
    for k in range(n // 6):
        lines += [f"x = x + {k}", f"if x > {k}:", f"    yield {k + 1}, x, S(s.i + 1, {k})"]
    lines += [f"yield {k + 1}, {k / 2 if k % 3 else k}, S(s.i + 1, x % {k + 1})" for k in range(n // 6)]
    lines += [f"yield {k + 1}, y * {k / 4}, S(s.i + 1, (-{k}) ** {k % 4} % 9)" for k in range(n // 6)]
    lines += [f"yield 1, s.t[{k % 2}], S(s.i + 1, s.t[{k % 2}] - {k % 2})" for k in range(n // 6)]
    lines += [f"yield 1, sum((2,) * {k % 3 + 1}), S(s.i + 1, len((1,) * {k % 3}))" for k in range(n // 6)]
    return [*lines, *(f"yield {1 + k % 2}, -{k}, S(s.i + 1, action)" for k in range(n // 6))]


def game(name: str, lines: list[str], folder: Path) -> Any:
    path = folder / f"{name}.py"
    path.write_text(HEAD + "\n".join(f"        {line}" for line in lines) + "\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.G()


def solved(game: Any, tier: str) -> tuple[float, int, int]:
    with only(tier):
        solution = zermelo.solve(game)
    return solution.value, solution.report.states, solution.report.facts["outcomes"]


@pytest.mark.parametrize("write", [together, several])
def test_it_is_the_same_game(write: Any, tmp_path: Path) -> None:
    written = game(f"written_out_{write.__name__}", write(48), tmp_path)
    assert solved(written, "compiled") == solved(written, "interpreted")


@pytest.mark.parametrize(("write", "most"), [(straight, 5), (branches, 7), (nested, 15)])
def test_hundreds_of_yields_are_a_few(write: Any, most: int, tmp_path: Path) -> None:
    """Each yield costs the compiler a tenth of a second."""
    written = game(f"written_out_300_{write.__name__}", write(300), tmp_path)
    rules = read(written)
    text = module_text(rules, Layout.of([rules.start])).text
    assert sum("yield" in line for line in text.splitlines()) - text.count("zermelo_rule_bounds") <= most + 10


def test_the_line_and_what_differs_are_told(tmp_path: Path) -> None:
    lines = [f"yield 1, 0, S(s.i + 1, s.i * s.i * {10**17 + k} * 93 % 1000)" for k in range(20)]
    with only("compiled"), pytest.raises(RulesError, match=r"s\.i \* s\.i \* \.\.\. \* 93` goes beyond 64 bits.*line 1[45]") as caught:
        zermelo.solve(game("written_out_far", lines, tmp_path))
    assert "number_" not in str(caught.value)


def test_names_of_the_rules_are_not_taken(tmp_path: Path) -> None:
    lines = ["number_of_row_1 = 2", *(f"yield 1, number_of_row_1 * {k}, S(s.i + 1, {k})" for k in range(FEWEST))]
    written = game("written_out_names", lines, tmp_path)
    assert solved(written, "compiled") == solved(written, "interpreted")


@pytest.mark.slow
@pytest.mark.parametrize("write", [straight, branches])
def test_a_thousand_outcomes_compile_in_ten_seconds(write: Any, tmp_path: Path) -> None:
    import time

    before = time.process_time()
    solved(game(f"written_out_timed_{write.__name__}", write(1000), tmp_path), "compiled")
    assert time.process_time() - before < 20  # 7 to 9 on a quiet machine
