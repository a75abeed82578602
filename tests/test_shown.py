"""Pages show what comes out (shown.py runs them), every picture has its command, and every message about rules is explained."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import shown
from shown import IMAGES, ROOT, essence, has_slow, pages, run
from zermelo.kernels import faithful, status, stopped

DOCS = ROOT / "docs"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_shows_what_comes_out(page: Path) -> None:
    this = run(page, slow=False)
    assert this.shown or has_slow(page), "nothing was run"
    assert not this.differences, "\n\n".join(map(str, this.differences)) + "\n\npython tests/shown.py --write writes it anew"


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in pages() if has_slow(p)], ids=name_of)
def test_a_page_shows_what_comes_out_after_a_while(page: Path) -> None:
    this = run(page, slow=True)
    assert not this.differences, "\n\n".join(map(str, this.differences)) + "\n\npython tests/shown.py --write writes it anew"


# --- and the comparison notices what is wrong -------------------------------------------------------------------------------

PAGE = """# A page

```python title="shown_here.py"
def twice(x):
    return 2 * x
```

```pycon
>>> from shown_here import twice
>>> twice(3)
{six}
>>> import matplotlib.image
>>> matplotlib.image.imsave("{picture}", [[0.0, 1.0] * 20] * 40)
```

    ```console
    $ zermelo solve card-draw --red 2 --black 2 | head -2
    Card draw: 2 red and 2 black cards
      value              {value}
    ```

![a picture](images/{picture})
"""


def made(folder: Path, six: str = "6", value: str = "0.666667   (certified to 6.7e-16)", picture: str = "shown-test.png") -> Path:
    page = folder / "page.md"
    page.write_text(PAGE.format(six=six, value=value, picture=picture))
    return page


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages and pictures in a folder of their own."""
    monkeypatch.setattr(shown, "ROOT", tmp_path)
    monkeypatch.setattr(shown, "IMAGES", tmp_path)
    return tmp_path


def test_wrong_output_and_missing_pictures_are_noticed_and_written(elsewhere: Path) -> None:
    page = made(elsewhere, six="7", value="0.66666666666668")
    assert [d.what for d in run(page, slow=False).differences] == [
        "twice(3)", "zermelo solve card-draw --red 2 --black 2 | head -2", "the picture shown-test.png",
    ]  # fmt: skip
    run(page, slow=False, write=True)
    assert page.read_text() == PAGE.format(six="6", value="$0.666667   (certified to 6.7e-16)", picture="shown-test.png")
    assert not run(page, slow=False).differences


def test_a_picture_that_changed_in_one_corner_is_noticed(tmp_path: Path) -> None:
    import numpy as np
    from matplotlib.image import imsave

    before, after = np.ones((200, 300, 3)), np.ones((200, 300, 3))
    after[:12, :40:2] = 0  # a line of text
    imsave(tmp_path / "before.png", before)
    imsave(tmp_path / "after.png", after)
    imsave(tmp_path / "smaller.png", before[:180])
    assert shown.apart(tmp_path / "before.png", tmp_path / "before.png") == 0
    assert shown.apart(tmp_path / "before.png", tmp_path / "after.png") > shown.MOST_DIFFERENT
    assert shown.apart(tmp_path / "before.png", tmp_path / "smaller.png") == 1


def test_only_times_and_line_breaks_are_overlooked() -> None:
    assert essence("time  0.20 s exploring, 0.17 s\n  solving (Backward)") == essence("time 3 ms exploring, 12 s solving (Backward)")
    assert essence("the value 2.624475548993925") != essence("the value 2.624475548993926")
    assert essence("729 states") != essence("730 states")


# --- pictures ---------------------------------------------------------------------------------------------------------------


BY_SCRIPT = {
    "chance-growth.png": "python benchmarks/chance_growth.py --write docs/chance.md",  # what is measured differs in each run
    "blackjack-page.png": "python tests/page_pictures.py",
    "robot-race.png": "python tests/page_pictures.py",
}


def test_every_picture_is_shown_and_has_its_command() -> None:
    text = "\n".join(page.read_text() for page in [ROOT / "README.md", *DOCS.rglob("*.md")])
    for picture in sorted(IMAGES.iterdir()):
        assert f"images/{picture.name})" in text, f"{picture.name} is shown nowhere"
        drawn = re.search(rf"^ *(\$ zermelo .* (?:-o|--plot) |>>> .*savefig\(\"){re.escape(picture.name)}", text, re.M)
        assert drawn or BY_SCRIPT.get(picture.name, "\0") in text, f"no command draws {picture.name}"


# --- messages about rules ------------------------------------------------------------------------------------------------

FEW = 2  # spaces: a text of fewer is no sentence
NO_MESSAGES = {("play.py", "one of two")}  # a key


def sentences() -> Iterator[tuple[str, str]]:
    """Where, and the longest constant part of every text of a few words in the checker."""
    for file in sorted((ROOT / "src" / "zermelo" / "language" / "checking").glob("*.py")):
        tree = ast.parse(file.read_text())
        passed: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                passed.add(id(node.body[0].value))  # type: ignore[attr-defined]
            if isinstance(node, ast.JoinedStr):
                passed.update(id(v) for v in node.values)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "described":
                passed.update(id(keyword.value) for keyword in node.keywords)
        for node in ast.walk(tree):
            longest = plain(max(parts_of(node, passed), key=len, default=""))
            if longest.count(" ") >= FEW and (file.name, longest) not in NO_MESSAGES:
                yield f"{file.name}:{node.lineno}", longest


def parts_of(node: ast.AST, passed: set[int]) -> list[str]:
    """The constant parts of a text in the source; none of what is no text, or `passed` (by id)."""
    if isinstance(node, ast.JoinedStr):
        return [str(v.value) for v in node.values if isinstance(v, ast.Constant)]
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed
    return [node.value] if is_text else []  # type: ignore[attr-defined]


ELSEWHERE = (  # whatever compiles or solves can find faults, too
    "language", "link", "states", "engines", "solvers", "methods", "certificates", "problem", "solving.py", "uses/until.py",
    "kernels/checked.py", "kernels/faithful.py", "kernels/support.py",
)  # fmt: skip
ERRORS = {  # calls whose texts are messages, also where they come by way of a local name
    "RulesError", "CannotCompile", "RuleRaised", "OutOfReach", "NoValue", "NoMemory", "Unbounded", "Unproven", "Refused",
}  # fmt: skip
SAID_BY = {  # functions and classes whose texts are messages
    "differ", "_in_words", "_check", "_payoff", "compiler_fault", "_reason", "_why_not_put", "_why_not_chosen", "_why_several",
    "_several_kinds", "RuleRaised", "unsolved", "_wrong_images", "SolverFailure",
}  # fmt: skip
ELSE = {"sequences, pairs of which pay something", "found for signature"}  # a note of a report; what is cut off


def texts_of_errors(tree: ast.AST) -> Iterator[ast.AST]:
    """Where the texts of errors may be: in calls of their classes, in what is assigned to the names used there, in `SAID_BY`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in SAID_BY:
            yield from node.body
        if not isinstance(node, ast.FunctionDef):
            continue
        calls = [c for c in ast.walk(node) if isinstance(c, ast.Call) and getattr(c.func, "id", "") in ERRORS]
        yield from calls
        names = {n.id for call in calls for n in ast.walk(call) if isinstance(n, ast.Name)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign):
                given = {n.id for target in inner.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
                yield from [inner.value] if given & names else []


def sentences_of_engines() -> Iterator[tuple[str, str]]:
    """The same of what is said outside of the checker: by the compiler, by engines and by solvers."""
    within = ROOT / "src" / "zermelo"
    for path in (file for name in ELSEWHERE for file in (sorted((within / name).rglob("*.py")) or [within / name])):
        tree = ast.parse(path.read_text())
        own = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
        own |= {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}  # docstrings
        for text in {id(t): t for node in texts_of_errors(tree) for t in ast.walk(node)}.values():
            parts = parts_of(text, own)
            longest = plain(max(parts, key=len, default=""))
            if longest.count(" ") >= FEW and not ELSE & {longest, plain(" ".join(parts))} and not re.search(r"\\[sw(]", longest):
                yield f"{path.relative_to(within)}:{text.lineno}", longest
    yield from (("kernels/status.py", plain(text)) for text in status.IN_WORDS.values())
    told = (*vars(stopped).items(), *vars(faithful).items())
    texts = ((name, text) for name, text in told if name.isupper() and isinstance(text, str) and name not in ("NOT_TOLD", "TOLD"))
    yield from ((f"kernels: {name}", plain(text)) for name, text in texts)


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split()).strip(" ,;:.=()")


def test_every_message_about_rules_is_explained() -> None:
    page = plain((DOCS / "how-to" / "check-messages.md").read_text())
    found = [*sentences(), *sentences_of_engines()]
    assert len(found) > 320
    assert {where.split("/")[0] for where, _ in found} >= {"link", "engines", "solvers", "methods", "states"}
    missing = [f"{where}: {text}" for where, text in found if text not in page]
    assert not missing, "say what to do about these in docs/how-to/check-messages.md:\n" + "\n".join(missing)
