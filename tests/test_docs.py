"""What the README and the docs show is run: every Python block, every value in a comment, every shell command with a game."""

from __future__ import annotations

import ast
import importlib.util
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md", "docs/writing-games.md", "docs/card-draw.md", "docs/card-draw-methods.md", "docs/chance.md", "docs/puzzles.md",
    "docs/hidden-choice.md", "docs/board-games.md", "docs/blackjack.md", "docs/lemonade.md", "docs/races.md",
]  # fmt: skip


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S)


def loaded(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules, questions = blocks("README.md", "python")
    (tmp_path / "card_draw_of_the_readme.py").write_text(rules)
    scope = dict(vars(loaded(tmp_path / "card_draw_of_the_readme.py")))
    shown = 0
    for line in questions.splitlines():
        if not line.strip():
            continue
        code, _, comment = line.partition("  #")
        tree = ast.parse(code.strip())
        if isinstance(tree.body[0], ast.Expr):
            value = eval(code.strip(), scope)
            if re.match(r"\s*(Fraction\(.*\)|[\d.]+)$", comment):
                assert value == eval(comment.strip(), {"Fraction": Fraction}), line
                shown += 1
        else:
            exec(code.strip(), scope)
    assert shown == 2 and (tmp_path / "card-draw.zermelo").exists()


def test_the_page_on_writing_games_shows_the_examples():
    def statements(text: str) -> set[str]:
        """The statements of the classes, functions without docstrings and annotations."""
        found = set()
        for statement in (s for c in ast.parse(text).body if isinstance(c, ast.ClassDef) for s in c.body):
            if isinstance(statement, ast.FunctionDef):
                statement.returns = None
                for argument in statement.args.args:
                    argument.annotation = None
                if ast.get_docstring(statement):
                    del statement.body[0]
            found.add(ast.unparse(statement))
        return found - {"..."}

    for block, example in zip(
        blocks("docs/writing-games.md", "python"), ("matches", "goofspiel", "passing_coins", "coin_race"), strict=True
    ):
        assert statements(block) <= statements((ROOT / "examples" / f"{example}.py").read_text())


def test_the_page_on_hidden_choice_runs_as_it_stands():
    scope, shown = {}, 0
    for line in "\n".join(blocks("docs/hidden-choice.md", "python")).splitlines():
        code, _, comment = line.partition("  #")
        if re.match(r"\s*(Fraction|\(Fraction|\d|\{)", comment):
            assert eval(code.strip(), scope) == eval(comment.strip(), {"Fraction": Fraction}), line
            shown += 1
        else:
            exec(code.strip(), scope)
    assert shown == 9


def test_the_page_on_blackjack_shows_what_comes_out():
    scope: dict = {}
    shown = 0
    for line in "\n".join(blocks("docs/blackjack.md", "python")).splitlines():
        code, _, comment = line.partition("  #")
        if re.match(r"\s*('|\[|\(|-?\d)", comment):
            assert eval(code.strip(), scope) == ast.literal_eval(comment.strip()), line
            shown += 1
        else:
            exec(code.strip(), scope)
    assert shown == 8


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.S)
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (ROOT / page).parent.joinpath(target).exists(), target


def test_every_command_that_the_readme_names_exists():
    from zermelo.cli import main

    named = {shlex.split(c)[1] for c in re.findall(r"`(zermelo [a-z][^`]*)`", (ROOT / "README.md").read_text())}
    assert {"list", "solve", "check", "reproduce"} <= named
    for command in named:
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(main([command, "--help"]))
        assert ended.value.code in (0, None), command


def test_the_catalogue_table_of_the_readme_is_the_catalogue():
    from zermelo.games.catalogue import ENTRIES

    table = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "README.md").read_text(), re.M))
    assert table == {entry.command for entry in ENTRIES} - {"tic-tac-toe"}
