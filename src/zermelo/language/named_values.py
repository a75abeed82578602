"""`if (w := f(x)) > 3:` with `w = f(x)` on a line of its own, which compiles: where `:=` is what is evaluated first.
"""

from __future__ import annotations

import ast

from zermelo.basics.syntax import all_nodes

Hoisted = tuple[list[ast.stmt], ast.expr]


def with_names_first(tree: ast.FunctionDef) -> ast.FunctionDef:
    """The function with these assignments apart; the tree is changed. What remains of `:=` is in parts that are not always evaluated, or
    after others."""
    if any(isinstance(n, ast.NamedExpr) for n in all_nodes(tree)):
        _Hoist().generic_visit(tree)
    return tree


class _Hoist(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node, ast.While) and not node.orelse:
            before, test = _first(node.test)
            if before:
                node.told = f"while {ast.unparse(node.test)}"  # type: ignore[attr-defined]  # for messages
                leave = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
                node.test, node.body = ast.Constant(True), [*before, leave, *node.body]
                for made in (node.test, leave):
                    ast.copy_location(made, test)
                    ast.fix_missing_locations(made)
            return node
        for part in ("test", "iter", "value"):
            asked = getattr(node, part, None)
            if isinstance(node, ast.If | ast.Assert | ast.For | ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) and asked is not None:
                before, value = _first(asked)
                setattr(node, part, value)
                return [*before, node] if before else node
        return node


def _first(node: ast.expr) -> Hoisted:
    """The assignments that an expression begins with, and the expression without them."""
    if isinstance(node, ast.NamedExpr):
        before, value = _first(node.value)
        target = ast.copy_location(ast.Name(node.target.id, ast.Store()), node)
        named = ast.copy_location(ast.Assign([target], value), node)
        return [*before, named], ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
    match node:
        case ast.Compare(left=ast.Constant()):
            return _first_of(node, node.comparators)
        case ast.Compare() | ast.BinOp():
            part = "left"
        case ast.UnaryOp():
            part = "operand"
        case ast.IfExp():
            part = "test"
        case ast.Subscript() | ast.Attribute() | ast.Yield(value=ast.expr()):
            part = "value"
        case ast.BoolOp():
            return _first_of(node, node.values)
        case ast.Tuple() | ast.List():
            return _first_of(node, node.elts)
        case ast.Call(func=ast.Name(id=name)) if name not in {n.target.id for n in all_nodes(node) if isinstance(n, ast.NamedExpr)}:
            return _first_of(node, node.args)
        case _:
            return [], node
    before, value = _first(getattr(node, part))
    setattr(node, part, value)
    return before, node


def _first_of(node: ast.expr, parts: list[ast.expr]) -> Hoisted:
    before: list[ast.stmt] = []
    if parts:
        before, parts[0] = _first(parts[0])
    return before, node
