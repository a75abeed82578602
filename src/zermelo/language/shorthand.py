"""Shorthand of Python that numba refuses, written out: the same in more words, before anything else is done with a function.

`yield from items`, `any(items)`, `sorted(... for ...)`, `reversed(range(n))`, loops over `itertools.product(...)` and the like.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from zermelo.basics.syntax import all_nodes, bound_by, bound_names, copied
from zermelo.language.source import MISSING, lookup

CHOICES: dict[Any, tuple[int, bool]] = {  # where the next item is looked for after one: so far behind it, or anywhere else
    itertools.combinations: (1, False),
    itertools.combinations_with_replacement: (0, False),
    itertools.permutations: (0, True),
}
NAMES = {"any", "all", "sorted", "list", "reversed", "product", *(kind.__name__ for kind in CHOICES)}
Loops = list[tuple[str, ast.expr, ast.expr | None, ast.expr]]  # the name of each, what it goes through, what must hold, and the item
MOST = 10  # loops inside of one another that are made of one
Comprehension = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
PLAIN = ast.Name | ast.Constant | ast.Attribute | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context


def uses_shorthand(tree: ast.AST) -> bool:
    """Whether there may be anything to write out."""
    return any(isinstance(n, ast.YieldFrom) or getattr(n, "id", "") in NAMES or getattr(n, "attr", "") in NAMES for n in all_nodes(tree))


def written_in_full(tree: ast.FunctionDef, function: Any) -> ast.FunctionDef:
    """The function without shorthand; the tree is changed. What can't be written out so that it surely does the same stays as it is."""
    if uses_shorthand(tree):
        Longhand(tree, function).generic_visit(tree)
        ast.fix_missing_locations(tree)
    return tree


class Longhand(ast.NodeTransformer):
    def __init__(self, tree: ast.FunctionDef, function: Any):
        self.tree, self.function = tree, function
        self.bound = {*bound_names(tree), *(a.arg for a in all_nodes(tree.args) if isinstance(a, ast.arg))}
        self.used = {n.id for n in all_nodes(tree) if isinstance(n, ast.Name)}
        self.made = 0

    def _meant(self, node: ast.AST) -> Any:
        """The function of Python's or of a module's that a name stands for; MISSING for anything else."""
        if isinstance(node, ast.Name):
            return MISSING if node.id in self.bound else lookup(self.function, node.id)
        if isinstance(node, ast.Attribute) and self._meant(node.value) is itertools:
            return getattr(itertools, node.attr, MISSING)
        return MISSING

    def _fresh(self) -> str:
        self.made += 1
        name = f"item{self.made}"
        return self._fresh() if name in self.used | self.bound else name

    # calls -----------------------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        meant, first = self._meant(node.func), node.args[0] if len(node.args) == 1 else None
        if first is None:
            return node
        if meant in (any, all) and not node.keywords and not isinstance(first, Comprehension | ast.Starred):
            name = self._fresh()
            each = ast.comprehension(ast.Name(name, ast.Store()), first, [], 0)
            node.args = [_at(first, ast.GeneratorExp(ast.Name(name, ast.Load()), [each]))]
        elif meant in (sorted, list) and isinstance(first, ast.GeneratorExp):
            made = _at(first, ast.ListComp(first.elt, first.generators))
            return made if meant is list and not node.keywords else _with_first(node, made)
        elif meant is reversed and not node.keywords:
            return self._reversed(node, first)
        return node

    def _reversed(self, node: ast.Call, first: ast.expr) -> ast.expr:
        """`reversed(range(n))`, or of a range from one simple number to another."""
        match first:
            case ast.Call(args=[*ends], keywords=[]) if len(ends) in (1, 2) and self._meant(first.func) is range and _is_plain(*ends):
                low, high = ends if len(ends) == 2 else (ast.Constant(0), ends[0])
                first.args = [_less_one(high), _less_one(low), ast.UnaryOp(ast.USub(), ast.Constant(1))]
                return first
        return node

    # yield from ------------------------------------------------------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> Any:
        self.generic_visit(node)
        if not isinstance(node.value, ast.YieldFrom):
            return node
        items = node.value.value
        if isinstance(items, ast.Tuple | ast.List) and not any(isinstance(item, ast.Starred) for item in items.elts):
            return [_at(node, ast.Expr(ast.Yield(item))) for item in items.elts] or ast.Pass()
        if isinstance(items, ast.GeneratorExp) and not any(isinstance(n, ast.Lambda) for n in all_nodes(items)):
            return self._loops(node, items)
        name = self._fresh()
        items = _at(items, ast.ListComp(items.elt, items.generators)) if isinstance(items, ast.GeneratorExp) else items
        return _at(node, ast.For(ast.Name(name, ast.Store()), items, [ast.Expr(ast.Yield(ast.Name(name, ast.Load())))], []))

    def _loops(self, node: ast.Expr, items: ast.GeneratorExp) -> ast.stmt:
        """The loops of a comprehension, with names of their own for its variables."""
        names, first = {name: self._fresh() for name in sorted(bound_by(items))}, items.generators[0].iter
        items.generators[0].iter = ast.Constant(0)  # which is not inside
        inside = _Renamed(names).visit(items)
        inside.generators[0].iter = first
        body: ast.stmt = ast.Expr(ast.Yield(inside.elt))
        for part in reversed(inside.generators):
            for test in reversed(part.ifs):
                body = ast.If(test, [body], [])
            body = ast.For(part.target, part.iter, [body], [])
        return _at(node, body)

    # itertools -------------------------------------------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.stmt:
        loops = None if node.orelse or _leaves(node.body) else self._chosen(node.iter, _changed_in(node), [])
        if loops is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        items = [item for _, _, _, item in loops]
        body: list[ast.stmt] = [ast.Assign([node.target], ast.Tuple(items, ast.Load())), *node.body]
        for name, places, test, _ in reversed(loops):
            body = [ast.If(test, body, [])] if test is not None else body
            body = [ast.For(ast.Name(name, ast.Store()), places, body, [])]
        return self.generic_visit(_at(node, body[0]))  # type: ignore[return-value]

    def _in_parts(self, node: Any) -> Any:
        """A comprehension over choices: a part for each item."""
        parts: list[ast.comprehension] = []
        for part in node.generators:
            names = [getattr(name, "id", "") for name in part.target.elts] if isinstance(part.target, ast.Tuple) else []
            are_names = bool(names) and all(names) and len(set(names)) == len(names)
            loops = self._chosen(part.iter, set(names), names) if are_names else None
            if loops is None or not all(isinstance(item, ast.Name) for *_, item in loops):
                parts.append(part)
                continue
            for name, places, test, _ in loops:
                parts.append(ast.comprehension(ast.Name(name, ast.Store()), places, [] if test is None else [test], 0))
            parts[-1].ifs += part.ifs
        node.generators = parts
        return self.generic_visit(node)

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _in_parts

    def _chosen(self, node: ast.expr, changed: set[str], names: list[str]) -> Loops | None:
        """The loops that make the same choices in the same order; None where that can't be told. `changed` : names that mean something else
        while these loops run; `names` : of the loops, if they shall have certain ones."""
        meant = self._meant(node.func) if isinstance(node, ast.Call) else MISSING
        if not isinstance(node, ast.Call) or not any(meant is kind for kind in (itertools.product, *CHOICES)):
            return None
        pools, named = [*node.args], {k.arg: k.value for k in node.keywords}
        count = named.pop("repeat", ast.Constant(1)) if meant is itertools.product else named.pop("r", None)
        if meant is not itertools.product and len(pools) == 2 and count is None:
            count = pools.pop()
        times = count.value if isinstance(count, ast.Constant) and type(count.value) is int else 0
        number = times * len(pools)
        if named or not 0 < number <= MOST or (names and len(names) != number) or not all(self._is_steady(p, changed) for p in pools):
            return None
        names = names or [self._fresh() for _ in range(number)]
        if meant is itertools.product:
            return [(name, copied(pool), None, ast.Name(name, ast.Load())) for name, pool in zip(names, pools * times, strict=True)]
        return self._of_one(pools[0], names, *CHOICES[meant]) if len(pools) == 1 else None

    def _of_one(self, pool: ast.expr, names: list[str], behind: int, anywhere: bool) -> Loops:
        """`combinations(pool, r)` and the like."""
        ends = pool.args if isinstance(pool, ast.Call) else [ast.Call(ast.Name("len", ast.Load()), [pool], [])]
        low, high = ends if len(ends) == 2 else (ast.Constant(0), ends[0])
        loops: Loops = []
        for k, name in enumerate(names):
            begin = copied(low)
            if k and not anywhere:
                before = ast.Name(names[k - 1], ast.Load())
                begin = ast.BinOp(before, ast.Add(), ast.Constant(behind)) if behind else before
            places = ast.Call(ast.Name("range", ast.Load()), [begin, copied(high)], [])
            at = ast.Name(name, ast.Load())
            others = [ast.Compare(at, [ast.NotEq()], [ast.Name(other, ast.Load())]) for other in names[:k]] if anywhere else []
            test = ast.BoolOp(ast.And(), [*others]) if len(others) > 1 else others[0] if others else None
            loops.append((name, places, test, at if isinstance(pool, ast.Call) else ast.Subscript(copied(pool), at, ast.Load())))
        return loops

    def _is_steady(self, pool: ast.expr, changed: set[str]) -> bool:
        """Whether this is the same wherever the loops ask for it: a range by steps of 1, a field of the state or of the game, a constant, a
        tuple written out of such."""
        if self._meant(ast.Name("range")) is not range or self._meant(ast.Name("len")) is not len:
            return False
        if any(isinstance(n, ast.Name) and n.id in changed for n in all_nodes(pool)):
            return False
        if isinstance(pool, ast.Call):
            return self._meant(pool.func) is range and not pool.keywords and len(pool.args) in (1, 2) and _is_plain(*pool.args)
        if isinstance(pool, ast.Tuple):
            return _is_plain(*pool.elts)
        return isinstance(pool, ast.Attribute) and isinstance(pool.value, ast.Name) or isinstance(self._meant(pool), tuple)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _at(node: ast.AST, made: Any) -> Any:
    """What was made in place of a node, all of it at its line."""
    for part in all_nodes(made):
        if isinstance(part, ast.expr | ast.stmt) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return made


def _with_first(node: ast.Call, first: ast.expr) -> ast.Call:
    node.args = [first]
    return node


def _less_one(number: ast.expr) -> ast.expr:
    if isinstance(number, ast.Constant) and isinstance(number.value, int):
        number = ast.Constant(number.value - 1)
        return number if number.value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number.value))  # type: ignore[operator]
    return ast.BinOp(number, ast.Sub(), ast.Constant(1))


def _is_plain(*nodes: ast.expr) -> bool:
    """Whether evaluating these changes nothing."""
    return all(isinstance(part, PLAIN) for node in nodes for part in all_nodes(node))


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a `break` in the body of a loop leaves this loop."""
    waiting: list[Any] = [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        parts = node.orelse if isinstance(node, ast.For | ast.While) else ast.iter_child_nodes(node)
        waiting += parts if not isinstance(node, ast.FunctionDef | ast.Lambda) else ()
    return False


def _changed_in(node: ast.For) -> set[str]:
    """The names that a loop gives another meaning."""
    return {n.id for n in all_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del)}
