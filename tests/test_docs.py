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
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
BUILT = {"docs/reference/command-line.md", "docs/changelog.md"} | {  # pages that the site makes (docs/hooks.py, docs/command_line.py)
    f"docs/play/{word}.html" for word in ("tic-tac-toe", "pig", "kuhn-poker", "binary-search")  # docs/play_pages.py
}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S)


def loaded(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, rules, questions = blocks("README.md", "python")
    (tmp_path / "card_draw_of_the_readme.py").write_text(rules)
    scope: dict = {}
    shown = 0
    for line in [*first.splitlines(), "own", *questions.splitlines()]:
        if line == "own":
            scope.update(vars(loaded(tmp_path / "card_draw_of_the_readme.py")))
            continue
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
    assert scope["simple"].loss == pytest.approx(0.4423920, abs=5e-8)
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
    assert shown == 20


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
    for target in re.findall(r"\]\((?!http)([^)#]+)[)#]", text) + re.findall(r"^\[[\w-]+\]: ([^\s#]+)", text, re.M):
        path = (ROOT / page).parent.joinpath(target).resolve()
        assert path.exists() or str(path.relative_to(ROOT)) in BUILT, target


def test_the_page_on_trust_names_tests_that_are_there_and_a_last_run_for_each_promise():
    text = (ROOT / "docs" / "trust.md").read_text()
    named = set(re.findall(r"tests/\w+\.py", text))
    assert len(named) > 6 and all((ROOT / path).exists() for path in named)
    rows = [line.split(" | ") for line in text.split("| promise |")[1].split("\n\n")[0].splitlines()[2:]]
    assert len(rows) > 6
    for row in rows:
        assert len(row) == 3 and all(cell.strip(" |") for cell in row), row


def test_the_readme_is_understood_in_a_minute():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert max(map(len, lines)) <= 100
    first = "\n".join(lines[:30])
    for part in ("```python", "![", "**Use it for**", "**Not for**", "**Why not", "pip install ."):
        assert part in first, part


def test_every_command_that_the_readme_names_exists():
    from zermelo.cli import main

    readme = (ROOT / "README.md").read_text()
    commands = re.findall(r"`(zermelo [a-z][^`]*)`", readme) + re.findall(r"^(zermelo [a-z].*)$", readme, re.M)
    named = {shlex.split(c, comments=True)[1] for c in commands}
    assert {"list", "solve", "check", "reproduce"} <= named
    for command in named:
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(main([command, "--help"]))
        assert ended.value.code in (0, None), command


def test_the_readme_s_commands_about_its_game_run(tmp_path, monkeypatch, capsys):
    """All but `serve`, which does not end, as they stand there."""
    from zermelo.cli import main

    _, rules, _ = blocks("README.md", "python")
    (tmp_path / "card_draw.py").write_text(rules)
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text()
    commands = [shlex.split(c, comments=True)[1:] for c in re.findall(r"^(zermelo [a-z]+ card_draw.py.*)$", readme, re.M)]
    assert [words[0] for words in commands] == ["check", "solve", "plot", "study", "serve"]
    for words in commands[:-1]:
        assert main(words) == 0, (words, capsys.readouterr().err)


def commands_about_games() -> list[str]:
    """Every command in a block of a page about a game of the catalogue, an example or a saved solution."""
    from zermelo.games.catalogue import COMMANDS

    def is_known(word: str) -> bool:
        return word in COMMANDS or word.endswith(".zermelo") or word.startswith("examples/")

    text = "\n".join((ROOT / page).read_text() for page in PAGES)
    found = re.findall(r"^(?:    )?(zermelo (?:solve|table|plot|simulate|play) .+)$", text, re.M)
    commands = {c.partition(" #")[0].strip() for c in found}
    return sorted(c for c in commands if is_known(c.split()[2]))


def test_the_commands_of_the_pages_are_understood(tmp_path, monkeypatch):
    """Each comes as far as solving: the game, its parameters and views are there."""
    from zermelo.cli import main

    class Understood(BaseException):
        pass

    def solved(*_, **__):
        raise Understood

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("zermelo.cli.commands.solution_of", solved)
    monkeypatch.setattr("zermelo.cli.commands.check_writable", lambda *_: None)
    commands = commands_about_games()
    assert len(commands) > 30
    for command in commands:
        words = shlex.split(command)[1:]
        if words[1].endswith(".zermelo"):  # a saved solution
            words[1] = str(tmp_path / words[1])
            Path(words[1]).write_text("")
        with pytest.raises(Understood):
            print(command, main(words))


def test_the_catalogue_table_of_the_readme_is_the_catalogue():
    from zermelo.games.catalogue import ENTRIES

    table = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "README.md").read_text(), re.M))
    assert table == {entry.command for entry in ENTRIES}
