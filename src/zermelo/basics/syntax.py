"""Python text to a syntax tree, by one thread at a time.

CPython 3.11 counts how deep `ast.parse` is in one place for all threads: two that parse at once may end with "SystemError: AST constructor
recursion depth mismatch" (seen with 3.11.7).
"""

import ast
import threading

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
