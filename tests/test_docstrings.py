"""Everything public says what it is: functions, classes, methods, properties and fields, by `help` and in the reference."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.basics.fields import described

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "api.md"
NAMED = re.findall(r"^::: (zermelo\.[\w.]+)$", PAGE.read_text(), re.M)


def named(path: str) -> Any:
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        home, _, name = path.rpartition(".")
        return getattr(importlib.import_module(home), name)


RETURNED = (  # by methods of solutions, and not in the reference
    "zermelo.matrix.verbs.MixedEvaluation", "zermelo.matrix.verbs.MixedResponse", "zermelo.matrix.verbs.ExactDistribution",
    "zermelo.problem.mixtures.Mixtures", "zermelo.uses.units.Measure", "zermelo.answers.boards.BoardSpace",
    "zermelo.language.checking.seen.Seen", "zermelo.games.coin_patterns_counts.Counts",
)  # fmt: skip
CLASSES = sorted(
    {c for c in (*map(named, (*NAMED, *RETURNED)), *(getattr(zermelo, n) for n in zermelo.__all__)) if inspect.isclass(c)},
    key=lambda c: c.__name__,
)


def said_in_source(kind: type) -> set[str]:
    """The fields of a class, and of those that it inherits from, below which a docstring stands."""
    return {field for c in kind.__mro__ if dataclasses.is_dataclass(c) for field in _said_in(c)}


def _said_in(kind: type) -> set[str]:
    body = ast.parse(inspect.getsource(kind)).body[0].body  # type: ignore[attr-defined]
    return {
        before.target.id
        for before, after in zip(body, body[1:], strict=False)
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    }


def without_a_word(kind: type) -> list[str]:
    """The public members of a class that say nothing."""
    silent = [] if (kind.__doc__ or "").strip() else [kind.__name__]
    fields = {f.name for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    silent += sorted(fields - said_in_source(kind))
    for name in dir(kind):
        value = inspect.getattr_static(kind, name)
        if name.startswith("_") or name in fields or any(name in vars(b) for b in (tuple, BaseException)):
            continue
        if callable(value) or hasattr(value, "__get__"):
            doc = inspect.getdoc(value) or next((inspect.getdoc(vars(b)[name]) for b in kind.__mro__ if name in vars(b)), "")
            silent += [name] if not doc or doc.startswith("Alias for field") else []
    return silent


@pytest.mark.parametrize("kind", CLASSES, ids=lambda c: c.__name__)
def test_a_public_class_says_what_it_is(kind: type) -> None:
    assert not without_a_word(kind)


def test_the_reference_names_all_that_is_public() -> None:
    shown = {id(named(path)) for path in NAMED}
    of_modules = {id(v) for path in NAMED if inspect.ismodule(named(path)) for v in vars(named(path)).values()}
    missing = {n for n in zermelo.__all__ if id(getattr(zermelo, n)) not in shown | of_modules}
    assert missing == {"__version__", "urn"}, "say what it is in docs/reference/api.md"
    assert all(inspect.getdoc(named(path)) for path in NAMED)


@pytest.mark.parametrize("path", NAMED)
def test_the_reference_shows_what_is_in_angles(path: str) -> None:
    """The site takes <<max>> for HTML, and shows <>, unless it is marked as code."""
    found = named(path)
    members = [] if inspect.ismodule(found) else [getattr(found, name) for name in dir(found) if not name.startswith("_")]
    docs = [inspect.getdoc(o) or "" for o in (found, *members)]
    assert not [said for said in docs if re.search(r"<\w[^<>\n]*>", re.sub(r"`[^`]*`", "", said))]


class Silent(NamedTuple):
    """Says nothing of its field and of its property."""

    field: int

    @property
    def twice(self) -> int:
        return 2 * self.field


@dataclasses.dataclass
class Half:
    """One field says what it is."""

    said: int
    """A number."""
    unsaid: int


def test_silence_is_noticed() -> None:
    assert without_a_word(Silent) == ["field", "twice"] and without_a_word(Half) == ["unsaid"]
    with pytest.raises(TypeError, match="the fields of Silent are described as other"):
        described(other="A number.")(Silent)
    assert without_a_word(described(field="A number.")(Silent)) == ["twice"]


NOT_SAID = r"twice the precision|in the view of|joint game|of two mirror images one"


def test_words_that_the_glossary_replaces_are_not_used() -> None:
    top = PAGE.parent.parent.parent
    texts = {p: p.read_text() for p in (*(top / "src").rglob("*.py"), *(top / "docs").rglob("*.md"), top / "README.md")}
    assert len(texts) > 500 and re.search(NOT_SAID, texts.pop(top / "docs" / "glossary.md"))
    assert not [(str(p), said) for p, text in texts.items() for said in re.findall(NOT_SAID, text)]
