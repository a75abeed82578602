"""Random models against a second, slow reading of the semantics (naive_models.py), and random damage against the parser."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

import zermelo
from naive_models import Explicit
from zermelo.errors import NoValue, OutOfReach, ZermeloError
from zermelo.foreign import prism
from zermelo.foreign.loading import game_class
from zermelo.uses.property import answer

CASES = 5  # of each kind; 40 were tried
DAMAGES = 200


def random_model(r: random.Random, kind: str) -> str:
    """Two or three modules over small variables, some labels shared."""
    modules, players = [], ["", ""]
    count = r.choice((2, 2, 3))
    for k in range(count):
        lines = [f"  x{k} : [0..{r.choice((1, 2))}];"]
        for _ in range(r.randint(2, 4)):
            label = r.choice(("", "", "a", "b"))
            if kind == "smg":
                label = r.choice(("", f"l{k}", f"l{k}"))
            guard = f"x{k}{r.choice(('=0', '=1', '<2', '>0', '!=1'))}"
            if r.random() < 0.4:
                guard += f" {r.choice('&|')} {r.choice(('', '!'))}(x{(k + 1) % count}={r.randint(0, 2)})"
            if kind == "smg":
                guard = f"turn={k % 2} & ({guard})"
            lines.append(f"  [{label}] {guard} -> {random_updates(r, k, kind)};")
        modules.append(f"module m{k}\n" + "\n".join(lines) + "\nendmodule")
        players[k % 2] += f"{', ' if players[k % 2] else ''}m{k}, [l{k}]"
    head = "".join(f"player p{i} {p} endplayer\n" for i, p in enumerate(players)) + "global turn : [0..1];\n" if kind == "smg" else ""
    rewards = "rewards\n  x0=1 : 1/2;\n  [] true : 1;\n  [a] x1>0 : 3;\n  [l0] true : 2;\nendrewards\n"
    return f"{kind}\n{head}" + "\n".join(modules) + "\n" + rewards


def random_updates(r: random.Random, k: int, kind: str) -> str:
    def update() -> str:
        parts = [f"(x{k}'={r.choice(('0', '1', f'min(x{k}+1,1)', f'1-min(x{k},1)'))})"]
        if kind == "smg" and r.random() < 0.7:
            parts.append(f"(turn'={r.choice(('0', '1', '1-turn'))})")
        return " & ".join(parts) if r.random() < 0.9 else "true"

    split = r.choice(((1,), (1, 1), (1, 2), (1, 3, 2), (0.25, 0.75)))
    if split == (1,):
        return update()
    total = sum(split)
    return " + ".join(f"{p}/{total:g} : {update()}" for p in split)


def random_property(r: random.Random, kind: str) -> str:
    goal = r.choice(("x1=1", "x0=1 & x1=0", "x0+x1>1", "!(x0=0 | x1=1)"))
    best = r.choice(("max", "min")) if kind != "dtmc" else ""
    path = r.choice((
        f"F {goal}", f"G !({goal})", f"x0=0 U {goal}", f"F<=3 {goal}", f"X {goal}", f"x0=0 W {goal}", f"F[1,4] {goal}", f"G<=2 !({goal})",
    ))  # fmt: skip
    who = f"<<{r.choice(('p0', 'p1', 'p0,p1', '2'))}>> " if kind == "smg" else ""
    if r.random() < 0.4:
        return f"{who}R{best}=? [ {r.choice((f'F {goal}', f'F {goal}', 'C<=4', 'I=3'))} ]"
    return f"{who}P{best}=? [ {path} ]"


@pytest.mark.parametrize("kind", ["dtmc", "mdp", "smg"])
@pytest.mark.parametrize("seed", range(CASES))
def test_as_a_second_reading_of_the_semantics_says(kind, seed, tmp_path):
    r = random.Random(f"{kind}{seed}")
    text = random_model(r, kind)
    explicit = Explicit(prism.model_of(text, "naive"))
    for k in range(3):
        asked = random_property(r, kind)
        path = tmp_path / f"m{k}.prism"
        path.write_text(text)
        question = prism.properties_of(asked, explicit.model)["1"]
        expected = explicit.answer(question)
        said = f"{text}\n{asked}: {expected}"
        try:
            solution = _solved(path, asked)
        except NoValue as error:
            assert "infinite" in str(error), said
            assert expected == math.inf, said
            continue
        found = answer(solution)
        assert found is not None
        assert found.low <= found.value <= found.high
        assert expected == pytest.approx(float(found.value), abs=1e-5), said


def _solved(path: Path, asked: str):
    """With `never` where the plain game does not tell it."""
    try:
        return zermelo.solve(game_class(path, asked)())
    except OutOfReach as error:
        assert "never" in str(error)
    return zermelo.solve(game_class(path, asked, never=True)(never=1000))


@pytest.mark.parametrize("seed", range(DAMAGES))
def test_damaged_text_is_refused_in_one_line(seed, tmp_path):
    r = random.Random(seed)
    text = random_model(r, r.choice(("dtmc", "mdp", "smg")))
    asked = random_property(r, text.split()[0])
    words = ["module", "endmodule", "->", ";", "'", "(", ")", "[", "]", "..", "=", "?", ":", "max", "1/0", '"', "x9", "true", "é", "P", "F"]
    for _ in range(r.randint(1, 3)):
        if r.random() < 0.8:
            text = _damaged(r, text, words)
        else:
            asked = _damaged(r, asked, words)
    path = tmp_path / "m.prism"
    path.write_text(text)
    try:
        game_class(path, asked)
    except ZermeloError as error:
        assert "\n" not in str(error)
    # whatever is left is a model: nothing else may be raised


def _damaged(r: random.Random, text: str, words: list[str]) -> str:
    at = r.randrange(len(text) + 1)
    end = min(len(text), at + r.randint(0, 4))
    return text[:at] + r.choice(("", "", *words)) + text[end:]
