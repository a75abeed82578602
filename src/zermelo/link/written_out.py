"""Many consecutive `yield` statements that differ only in their numbers, rewritten as a loop over tables of these numbers.

Each `yield` is a place at which machine code can be resumed, and the compiler takes a tenth of a second for it; a loop has only one.
Statements run in the same order with the same numbers, so nothing else changes.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from zermelo.basics.syntax import all_nodes, copied
from zermelo.link.constants import LIMIT

FEWEST = 8  # statements required for a loop
ALONE = ast.Break | ast.Continue | ast.Return | ast.FunctionDef | ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
NUMBER, ROW = "number_{}_of_row", "number_of_row_{}"  # rules must not use names that begin with these


class Alike(ast.NodeTransformer):
    """One statement: its numbers, and the rest without them."""

    def __init__(self, tables: list[str], row: str):
        self.tables, self.row = tables, row  # the names that replace numbers; none: only read them
        self.numbers: list[int | float] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._number(node, node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        value = getattr(node.operand, "value", None) if isinstance(node.operand, ast.Constant) else None
        is_number = type(value) in (int, float) and isinstance(node.op, ast.USub)
        return self._number(node, -value) if is_number else self.generic_visit(node)  # type: ignore[operator, return-value]

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)  # the selected item may determine types
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Exponents, and the lengths of tuples, must stay known."""
        if isinstance(node.op, ast.Pow):
            node.left = self.visit(node.left)
        elif not (isinstance(node.op, ast.Mult) and any(isinstance(side, ast.Tuple | ast.List) for side in (node.left, node.right))):
            self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """The called function stays; only functions that make states, and _replace, get numbers from tables."""
        is_state = isinstance(node.func, ast.Name) and node.func.id[:1].isupper()
        if is_state or getattr(node.func, "attr", "") == "_replace":
            node.args = [self.visit(a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
        return node

    def _number(self, node: ast.expr, value: Any) -> ast.expr:
        if type(value) not in (int, float) or (type(value) is int and not -LIMIT <= value < LIMIT):
            return node
        self.numbers.append(value)
        if not self.tables:
            return ast.copy_location(ast.Name(f"<{type(value).__name__}>", ast.Load()), node)
        name = self.tables[len(self.numbers) - 1]
        if not name:
            return node
        table, row = ast.Name(name, ast.Load()), ast.Name(self.row, ast.Load())
        return ast.copy_location(ast.Subscript(table, row, ast.Load()), node)


Tables = dict[str, tuple[int | float, ...]]


def as_loops(tree: ast.FunctionDef) -> tuple[ast.FunctionDef, Tables]:
    """The function with loops, and the tables that these go through, by name. The tree itself is not changed."""
    used = {n.id for n in all_nodes(tree) if isinstance(n, ast.Name)}
    places = yields(tree)
    if places < FEWEST or any(name.startswith("number_") for name in used):
        return tree, {}
    made = [_with_loops_in(copied(tree), True)]
    if yields(made[0][0]) == places:  # no statements are alike
        return tree, {}
    made.append(_with_loops_in(copied(tree), False))
    fewest, tables = min(made, key=lambda result: yields(result[0]))
    return (ast.fix_missing_locations(fewest), tables) if tables else (tree, {})


def yields(tree: ast.AST) -> int:
    """The number of places that yield."""
    return sum(isinstance(n, ast.Yield) for n in all_nodes(tree))


def _with_loops_in(tree: ast.FunctionDef, inner_first: bool) -> tuple[ast.FunctionDef, Tables]:
    tables: Tables = {}
    waiting, found = [tree], []
    while waiting:
        node: Any = waiting.pop()
        parts = [part for part in ("body", "orelse") if isinstance(getattr(node, part, None), list)]
        for part in parts if node is tree or not isinstance(node, ALONE) else ():
            found.append((node, part))
            if not inner_first:
                setattr(node, part, _with_loops(getattr(node, part), tables))
            waiting += getattr(node, part)
    for node, part in reversed(found) if inner_first else ():
        setattr(node, part, _with_loops(getattr(node, part), tables))
    return tree, tables


def _with_loops(statements: list[ast.stmt], tables: Tables) -> list[ast.stmt]:
    result: list[ast.stmt] = []
    shapes = [_shape(s) for s in statements] if len(statements) >= FEWEST else [""] * len(statements)
    first = 0
    while first < len(statements):
        end = first + 1
        while end < len(statements) and shapes[end] and shapes[end] == shapes[first]:
            end += 1
        run = statements[first:end]
        result += [_loop(run, tables)] if len(run) >= FEWEST else run
        first = end
    return result


def _shape(statement: ast.stmt) -> str:
    """The statement without its numbers; "" if it yields nothing, or can't be put in a loop."""
    nodes = list(all_nodes(statement))
    if not any(isinstance(n, ast.Yield) for n in nodes) or any(isinstance(n, ALONE) for n in nodes):
        return ""
    return ast.dump(Alike([], "").visit(copied(statement)))


def _loop(run: list[ast.stmt], tables: Tables) -> ast.stmt:
    rows = []
    for statement in run:
        reader = Alike([], "")
        reader.visit(copied(statement))
        rows.append(reader.numbers)
    names = []
    known = {repr(table): name for name, table in tables.items()}
    for column in zip(*rows, strict=True):
        name = known.setdefault(repr(column), NUMBER.format(len(tables) + 1)) if len(set(map(repr, column))) > 1 else ""
        tables.update({name: column} if name else {})
        names.append(name)
    within = {n.target.id for n in all_nodes(run[0]) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)}
    row = next(name for name in map(ROW.format, itertools.count(1)) if name not in within)
    body = Alike(names, row).visit(run[0]) if names else run[0]
    counted = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(len(run))], [])
    return ast.copy_location(ast.For(ast.Name(row, ast.Store()), counted, [body], []), run[0])


class WithoutTables(ast.NodeTransformer):
    """For messages: `...` where the statements of a loop differ."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        is_ours = isinstance(node.slice, ast.Name) and node.slice.id.startswith(ROW.format(""))
        return ast.Constant(...) if is_ours else self.generic_visit(node)  # type: ignore[return-value]
