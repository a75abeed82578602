"""The plan of the house, as far as import-linter does not see it: no file is in a circle, imports inside functions included."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import zermelo

SOURCE = Path(zermelo.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
ROOT = {"__init__.py", "__main__.py", "errors.py", "solving.py", "spaces.py", "verifier.py", "version.py"}
CONTRACTS = Path(__file__).parent.parent / ".importlinter"
ASKS = {  # all that these import themselves; behind it lies more, which contracts can't leave out
    "serve": {
        "answers", "basics", "errors", "games", "language", "robot", "serve", "solution", "uses", "version", "views", "zermelo", "numpy",
        "matplotlib",
    },  # the page asks solutions and views what everybody can ask them
    "verifier": {"basics", "errors", "language", "link", "states", "numpy"},  # it calls no kernel
}  # fmt: skip


def module_of(path: Path) -> str:
    parts = ("zermelo", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The modules that are imported when the code of a file runs: what is imported for type checking only is left out."""
    return tuple(imported(ast.parse(path.read_text()), MODULES))


def imported(node: ast.AST, modules: Collection[str]) -> Iterator[str]:
    if isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "TYPE_CHECKING" for n in ast.walk(node.test)):
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        below = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name if name in modules else node.module for name in below)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):  # no expression imports
            yield from imported(child, modules)


def test_no_file_is_in_a_circle_of_imports() -> None:
    number = {name: k for k, name in enumerate(MODULES)}
    public = sorted({home for home, _ in zermelo._HOME_OF.values()})  # the package imports these where they are first asked for
    arrows = [
        (number[module_of(path)], number[name])
        for path in FILES
        for found in imports_of(path)
        for name in (public if found == "zermelo" and path != SOURCE / "__init__.py" else [found])
        if name in number and name != module_of(path)
    ]
    assert len(arrows) > len(FILES)
    start, end = np.array(arrows).T
    graph = coo_matrix((np.ones(len(arrows)), (start, end)), shape=(len(FILES), len(FILES)))
    _, circle = connected_components(graph, directed=True, connection="strong")
    shared = [c for c, size in enumerate(np.bincount(circle)) if size > 1]
    assert not [[str(FILES[k]) for k in np.flatnonzero(circle == c)] for c in shared]


def test_few_files_lie_outside_of_the_rooms() -> None:
    assert {path.name for path in SOURCE.glob("*.py")} == ROOT


def test_contracts_have_no_exceptions() -> None:
    text = CONTRACTS.read_text()
    assert "[importlinter:contract:layers]" in text
    assert "ignore_imports" not in text and "allow_indirect_imports" not in text


@pytest.mark.parametrize("room", ASKS)
def test_what_a_room_asks_itself(room: str) -> None:
    files = sorted((SOURCE / room).rglob("*.py")) or [SOURCE / f"{room}.py"]
    names = {name for path in files for name in imports_of(path)}
    rooms = {(name.split(".") + [""])[name.startswith("zermelo.")] for name in names}
    assert rooms - sys.stdlib_module_names - {"__future__"} == ASKS[room]


OF_THE_URN = re.compile(r"engines/urn/|(answers|storage)/swept\.py|(certificates|kernels)/urn\w*\.py|uses/(stopping|\w+_urn)\.py")
KNOWS_THE_URN = re.compile(r'engines\.urn\b|\b(StoppingLine|has_stopping_line)\b|\bfrontier\(self|\.frontier\b|"frontier"')


def test_what_goes_with_an_engine_is_what_the_docs_say() -> None:
    """docs/design.md lists the files that are touched when the engine `urn` is taken out."""
    said = (SOURCE.parent.parent / "docs" / "design.md").read_text().partition("by removing `urn`")[2].partition("**To add")[0]
    listed = set()
    for path in re.findall(r"`([a-z_/{},]+(?:\.py|/))`", said):
        before, names, after = re.fullmatch(r"([^{]*)\{?([^{}]*)\}?(\.py|/)", path).groups()  # type: ignore[union-attr]
        listed |= {f"{before}{name}{after}" for name in names.split(",")}
    parts: dict[str, set[str]] = {"its own": set(), "others": set()}
    modules = {name: path.relative_to(SOURCE).as_posix() for name, path in MODULES.items()}
    for path in FILES:
        text, name = path.read_text(), path.relative_to(SOURCE).as_posix()
        if own := OF_THE_URN.match(name):
            parts["its own"].add("engines/urn/" if own[0].endswith("/") else name)
        elif KNOWS_THE_URN.search(text) or any(OF_THE_URN.match(modules.get(m, "")) for m in imports_of(path)):
            parts["others"].add(name)
    assert len(parts["its own"]) == 11 and "engines/choose.py" in parts["others"]
    assert listed == parts["its own"] | parts["others"]


def test_solve_is_a_loop_that_is_seen_whole() -> None:
    """From the request to the answer, without the docstring that explains the options."""
    tree = ast.parse((SOURCE / "solving.py").read_text())
    solve = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "solve"][-1]
    first, last = solve.body[1], solve.body[-1]
    assert last.end_lineno is not None and last.end_lineno - first.lineno + 1 <= 25


def kernels() -> Iterator[tuple[Path, ast.FunctionDef]]:
    """The functions that are compiled, with their files."""
    for path in FILES:
        text = path.read_text()
        for function in ast.walk(ast.parse(text)) if re.search(r"\b(kernel|inner|njit)\b", text) else ():
            if not isinstance(function, ast.FunctionDef):
                continue
            if {"kernel", "inner", "njit"} & {n.id for d in function.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}:
                yield path, function


def test_kernels_fill_slices_with_constants_only() -> None:
    """numba gives an assignment of an array or a tuple to a slice a message with its shape, and compiles Python's strings for it: two
    seconds in every process that compiles such a kernel."""
    found, looked_at = [], 0
    for path, function in kernels():
        looked_at += 1
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and is_costly(node.targets, node.value):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}")
    assert looked_at > 200 and found == []


def test_kernels_do_not_count_from_the_end() -> None:
    """Compiled kernels take an index as it is (basics/machine_code.py); tests/test_tiers.py has the indices that are no constants."""
    found = []
    for path, function in kernels():
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and re.search(r"(^|[(,])\s*-\d", ast.unparse(node.slice)):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}")
    assert found == []


def test_no_array_has_records() -> None:
    """numba names the machine code of a function for an array of records by a number that the type has in its process only: two functions
    that two processes have kept can have one name, and one is run for the other."""
    texts = [(path, text) for path in FILES if "dtype" in (text := path.read_text())]
    calls = [(path, node) for path, text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    types = [(path, n) for path, n in calls if isinstance(n.func, ast.Attribute) and ast.unparse(n.func) == "np.dtype"]
    assert types and [f"{path}: {ast.unparse(n)}" for path, n in types if isinstance(n.args[0], ast.List | ast.Dict)] == []
    assert not [path for path, node in calls if any(isinstance(k.value, ast.List) for k in node.keywords if k.arg == "dtype")]


def test_what_is_asserted_changes_nothing() -> None:
    """`python -O` leaves it out: a table of a paper was read wrongly, and `zermelo reproduce` said that it is not reproduced."""
    changing = re.compile(r"^ *assert .*(:=|\bnext\(|\.(pop|popleft|popitem|append|add|remove|update|setdefault)\().*", re.MULTILINE)
    assert [f"{path}: {found.group()}" for path in FILES for found in changing.finditer(path.read_text())] == []


def is_costly(targets: list[ast.expr], value: ast.expr) -> bool:
    """Whether a slice is given what may be an array, or a part of an array a tuple."""
    parts = [t for t in targets if isinstance(t, ast.Subscript)]
    if not parts:
        return False
    of_several = any(isinstance(n, ast.Slice) for t in parts for n in ast.walk(t.slice))
    is_constant = isinstance(value, ast.Constant) or ast.unparse(value).lstrip("-") in ("np.inf", "np.nan", "1")
    return (of_several and not is_constant) or isinstance(value, ast.Tuple)
