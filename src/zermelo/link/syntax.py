"""Syntax trees of rules: making, copying and reading them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.basics.syntax import all_nodes, binds, bound_by, child_nodes, copied, parsed
from zermelo.states.layout import Layout

COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
SCOPES = (ast.FunctionDef, ast.Lambda, *COMPREHENSIONS)
CONSTANTS = bool | int | float | str | tuple | list | np.ndarray


class WithLengths(ast.NodeTransformer):
    """Replaces `len(s.cells)` by its number and `s.BASE` by the constant of the class, s being the state."""

    def __init__(self, state_name: str | None, layout: Layout):
        self.state_name, self.state_class = state_name, layout.state_class
        self.lengths = dict(zip(layout.state_class._fields, layout.lengths, strict=True))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=ast.Name(id=name), attr=field)]):
                if name == self.state_name and self.lengths.get(field):
                    return ast.Constant(self.lengths[field])
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_constant = isinstance(inspect.getattr_static(self.state_class, node.attr, None), CONSTANTS)
        if is_constant and isinstance(node.value, ast.Name) and node.value.id == self.state_name:
            return ast.Attribute(name_of("zermelo_state_class"), node.attr, node.ctx)
        return self.generic_visit(node)  # type: ignore[return-value]


def owns(cls: type, function: Any) -> bool:
    """Whether the function is a method of the class (not a static one)."""
    found = [v for c in cls.__mro__ for n, v in vars(c).items() if not n.startswith("__")]
    return any(function is (f.fget if isinstance(f, property) else f) for f in found)


def is_fixed(value: Any) -> bool:
    """Whether the value is immutable."""
    if isinstance(value, tuple):
        return all(map(is_fixed, value))
    return value is None or isinstance(value, bool | int | float | str | range)


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def hint_of(node: ast.expr) -> str:
    """The name, or the last one of a.b.c."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(name_of(function), list(arguments), [])


def method_call(
    function: str, first: list[ast.expr], arguments: list[ast.expr], keywords: list[ast.keyword]
) -> ast.Call:
    return ast.Call(name_of(function), [*first, *arguments], keywords)


def counted(i: int, start: list[ast.expr]) -> ast.expr:
    """The number of round i in `enumerate(items, start)`."""
    return ast.BinOp(ast.Constant(i), ast.Add(), copied(start[0])) if start else ast.Constant(i)


def local_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Every name that is local to the function itself, not only to a function or comprehension inside it."""
    return {name for node in own_nodes(function) for name in binds(node)}


def own_nodes(function: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """The nodes of a function, without those inside its inner functions and comprehensions."""
    waiting = child_nodes(function)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += child_nodes(node)


def free_names(node: ast.AST) -> set[str]:
    """The names that an expression takes from outside itself."""
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0].iter
        rest = [c for c in all_nodes(node) if c is not node]
        inside: set[str] = set().union(*(free_names(c) for c in child_nodes(node)), set()) if rest else set()
        return (inside - bound_by(node)) | free_names(first)
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    return set().union(*(free_names(c) for c in child_nodes(node)), set())


def substituted(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr:
    """The expression with names replaced, except those that a comprehension or lambda inside it binds again."""

    class Substitute(ast.NodeTransformer):
        def __init__(self, values: dict[str, ast.expr]):
            self.values = values

        def visit_Name(self, name: ast.Name) -> ast.expr:
            return self.values.get(name.id, name) if isinstance(name.ctx, ast.Load) else name

        def generic_visit(self, inner: ast.AST) -> ast.AST:
            bound: set[str] = set()
            if isinstance(inner, COMPREHENSIONS):
                bound = bound_by(inner)
            elif isinstance(inner, ast.Lambda):
                bound = {a.arg for a in inner.args.args}
            if not bound & set(self.values):
                return super().generic_visit(inner)
            return Substitute({n: v for n, v in self.values.items() if n not in bound}).generic_visit(inner)

    return ast.fix_missing_locations(Substitute(values).visit(copied(node)))


class _Asking(ast.NodeTransformer):
    """Turns a generator into a function that returns True instead of yielding anything, and False at the end."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node  # an inner function

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return ast.Return(ast.Constant(True)) if isinstance(node.value, ast.Yield) else node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return ast.Return(ast.Constant(False))


def asking(generator: str, name: str) -> str:
    """The text of a function that says whether the last generator in this text yields anything."""
    function = parsed(generator).body[-1]
    assert isinstance(function, ast.FunctionDef)
    function.name = name
    function.body = [*map(_Asking().visit, function.body), ast.Return(ast.Constant(False))]
    return ast.unparse(ast.fix_missing_locations(function))
