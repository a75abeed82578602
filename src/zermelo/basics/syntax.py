"""Python text to a syntax tree, by one thread at a time.

CPython 3.11 counts how deep `ast.parse` is in one place for all threads: two that parse at once may end with "SystemError: AST constructor
recursion depth mismatch" (seen with 3.11.7).
"""

import ast
import threading
from typing import Any

_parsing = threading.RLock()  # a finaliser may also parse while garbage is collected here


def parsed(text: str) -> ast.Module:
    """The tree of statements. Raises `SyntaxError`, like `ast.parse`."""
    with _parsing:
        return ast.parse(text)


def parsed_expression(text: str) -> ast.expr:
    """The tree of one expression. Raises `SyntaxError`, like `ast.parse`."""
    with _parsing:
        return ast.parse(text, mode="eval").body


class _Parts(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of a kind of node that may hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        no_nodes = kind._fields if kind is ast.Constant else ("ctx", "id", "attr", "kind", "type_comment")
        return self.setdefault(kind, tuple(name for name in kind._fields if name not in no_nodes))


_PARTS = _Parts()


def all_nodes(tree: ast.AST) -> list[ast.AST]:
    """The nodes of a tree in the order of `ast.walk`, which takes nearly three times as long; but without those that say whether a
    name is read or written (`ctx`)."""
    found = [tree]
    for node in found:
        found += child_nodes(node)
    return found


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, without `ctx`."""
    found: list[ast.AST] = []
    own = node.__dict__
    for name in _PARTS[type(node)]:
        part = own.get(name)
        if isinstance(part, ast.AST):
            found.append(part)
        elif type(part) is list:
            found += [item for item in part if isinstance(item, ast.AST)]
    return found


class _Kept(dict[type[ast.AST], frozenset[str]]):
    """What belongs to a kind of node: its fields, its place in the text, and what we note on a loop (language/named_values.py)."""

    def __missing__(self, kind: type[ast.AST]) -> frozenset[str]:
        return self.setdefault(kind, frozenset((*kind._fields, *kind._attributes, "told")))


_KEPT = _Kept()


def copied(node: Any) -> Any:
    """A copy of a syntax tree, or of a list of them. Three times as fast as `copy.deepcopy`, which checks for cycles.

    Other attributes are left behind: IPython's tracebacks (`executing`) note its parent on every node that they meet, also on
    those that Python shares among all trees of a process (`ctx`, operators), from where such notes lead through trees without end.
    """
    if isinstance(node, list):
        return [copied(part) for part in node]
    if not isinstance(node, ast.AST):
        return node
    made = node.__class__.__new__(node.__class__)
    kept = _KEPT[node.__class__]
    made.__dict__.update({name: copied(part) for name, part in node.__dict__.items() if name in kept})
    return made


def bound_names(function: ast.FunctionDef) -> list[str]:
    """Every name bound inside the function, once for each binding, without its own arguments."""
    own = {id(a) for a in all_nodes(function.args)}
    return [name for n in all_nodes(function) if id(n) not in own and n is not function for name in binds(n)]


def binds(node: ast.AST) -> list[str]:
    """The name that a node of a syntax tree binds, if any."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def bound_by(node: Any) -> set[str]:
    """The loop variables of a comprehension."""
    return {n.id for g in node.generators for n in all_nodes(g.target) if isinstance(n, ast.Name)}
