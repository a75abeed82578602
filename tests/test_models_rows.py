"""Hundreds of commands that differ in numbers only are rows of tables: the same game as written out, and as a second reading says."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import zermelo
from naive_models import Explicit
from zermelo.basics.notices import Notice
from zermelo.foreign import prism, rows
from zermelo.foreign.loading import game_class, translation
from zermelo.uses.property import answer

CELLS = 33  # 64 commands and more are rows


def row_of_cells(kind: str) -> str:
    """A walk over a row of cells with a wind that depends on the cell and on a flag: two commands for each cell."""
    lines = []
    for k in range(CELLS):
        to = min(k + 1, CELLS - 1) - 2
        lines.append(f"[] x={k - 2} & mine -> 1/{k + 2} : (x'={to}) & (b'=true) + {k + 1}/{k + 2} : (turn'=1);")
        lines.append(f"[] turn=0 & x={k - 2} & !b -> 0.25 : (x'={to}) + 0.75 : (x'=-2) & (turn'=1) & (b'=true);")
    own = "player one first endplayer player two [c], second endplayer" if kind == "smg" else ""
    return f"""{kind} {own}
        formula mine = turn=0;
        global turn : [0..1]; global x : [-2..{CELLS - 3}] init -2; global b : bool;
        module first {" ".join(lines)} [] turn=0 & x>-2 & b -> (x'=x-1); endmodule
        module second [c] turn=1 -> (turn'=0); [] turn=1 & b & x>-2 -> (x'=x-1) & (turn'=0) & (b'=false); endmodule
        rewards x=1 : 2; [] true : 1/2; [c] x=-2 : 3; endrewards"""


@pytest.mark.parametrize(
    ("kind", "property"),
    [
        ("smg", "<<one>> Pmax=? [ !(x=0 & b & turn=1) U x=3 ]"),
        ("smg", "<<two>> Rmax=? [ C<=4 ]"),
        ("mdp", "Pmin=? [ F<=6 x=3 ]"),
        ("mdp", "Pmax=? [ F b & x=3 & turn=1 ]"),
    ],
)
def test_rows_are_the_commands(kind, property, tmp_path, monkeypatch, in_python):
    path = tmp_path / "cells.prism"
    path.write_text(row_of_cells(kind))
    text = translation(path, property).text
    assert "first_FIRST = (" in text
    assert len(text.splitlines()) < 200
    found = answer(zermelo.solve(game_class(path, property)(), exact=True))
    monkeypatch.setattr(rows, "FEWEST", 10**9)
    assert "first_FIRST" not in translation(path, property).text
    assert answer(zermelo.solve(game_class(path, property)(), exact=True)).value == found.value
    explicit = Explicit(prism.model_of(row_of_cells(kind), "naive"))
    assert explicit.answer(prism.properties_of(property, explicit.model)["1"]) == pytest.approx(float(found.value), abs=1e-5)


def switches() -> str:
    """Eighty commands, each of which tests two of six variables, and two others."""
    pick, lines = random.Random(7), []
    number = {f"b{k}": ("{}=true", "!{}") for k in range(4)} | {f"y{k}": ("{}=3", "{}=4", "{}=5") for k in range(2)}
    for k in range(80):
        guard = " & ".join(pick.choice(number[v]).format(v) for v in pick.sample(list(number), 2))
        to = pick.choice(list(number))
        value = pick.choice(["true", "false"]) if to[0] == "b" else pick.randint(3, 5)
        lines.append(f"[] {guard} -> 1/{k % 7 + 2} : ({to}'={value}) + {k % 7 + 1}/{k % 7 + 2} : true;")
    fields = " ".join([*(f"b{k} : bool;" for k in range(4)), *(f"y{k} : [3..5];" for k in range(2))])
    return f"""mdp module all {fields} {" ".join(lines)} [] y0+y1>8 -> (b0'=!b0); [] y0+y1=6 -> 0.5 : (y1'=y0) + 0.5 : (y0'=4); endmodule
        rewards y0=4 & b1 : 1; endrewards"""


@pytest.mark.parametrize("property", ["Pmax=? [ F y0=5 & y1=5 & b0 & b3 ]", "Rmax=? [ C<=4 ]"])
def test_rows_without_a_key(property, tmp_path, monkeypatch, in_python):
    """No variable is tested by nearly all commands: all rows are gone through."""
    path = tmp_path / "switches.prism"
    path.write_text(switches())
    text = translation(path, property).text
    assert "for row in range(80):" in text and "all_FIRST" not in text
    found = answer(zermelo.solve(game_class(path, property)(), exact=True))
    monkeypatch.setattr(rows, "FEWEST", 10**9)
    assert "for row" not in translation(path, property).text
    assert answer(zermelo.solve(game_class(path, property)(), exact=True)).value == found.value
    explicit = Explicit(prism.model_of(switches(), "naive"))
    assert explicit.answer(prism.properties_of(property, explicit.model)["1"]) == pytest.approx(float(found.value), abs=1e-5)


@pytest.mark.parametrize("many", [1, 70])
@pytest.mark.parametrize("kind", ["mdp", "dtmc"])
def test_probabilities_of_more_digits_than_whole_ways_have_are_floats(kind, many, tmp_path):
    """19 digits: ways of 10^19 were refused. And what sums to 1 up to rounding only is told once, not line by line."""
    first = ("0.1178062671681411712", "0.8821937328318588289")  # they sum to 1 + 1e-19
    moves = "\n".join(f"[] x={k} -> {first[0]} : (x'={k + 1}) + {first[1]} : (x'={many + 1});" for k in range(many))
    path = tmp_path / "digits.prism"
    path.write_text(f"{kind} module m x:[0..{many + 1}]; {moves} [] x>={many} -> true; endmodule")
    with pytest.warns(Notice) as told:
        found = answer(zermelo.solve(game_class(path, f"P{'max' if kind == 'mdp' else ''}=? [ F x=1 ]")()))
    expected = Fraction(first[0]) / sum(map(Fraction, first))
    assert abs(found.value - expected) < 1e-15
    assert found.high - found.low < 1e-14
    said = [str(w.message) for w in told]
    assert len(said) == 1
    assert "line 1: the probabilities sum to 1 + 1e-19; they are divided by it" in said[0]
    assert ("69 further commands" in said[0]) == (many == 70)
