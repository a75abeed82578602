"""Whether an expression of the rules is certainly a whole number, certainly a float, or may be either.

"Certainly" refers to Python and to machine code: every value assigned to a name is of that kind. Where the kind is not known, the
machine code tests for possible errors (kernels/checked.py).
"""

from __future__ import annotations

import ast
import inspect
import math
import types
from typing import TYPE_CHECKING, Any

from zermelo.basics.syntax import all_nodes, child_nodes
from zermelo.basics.values import in_python
from zermelo.language.source import MISSING, plain

if TYPE_CHECKING:
    from zermelo.link.rewrite import Rewriter

WHOLE, FLOAT, EITHER = "whole", "float", ""
WHOLE_CALLS = (len, int, bool, math.floor, math.ceil, math.trunc, math.comb, math.gcd)
FLOAT_FUNCTIONS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "copysign", "cos", "cosh", "degrees", "erf", "erfc", "exp", "expm1", "fabs",
    "gamma", "hypot", "lgamma", "log", "log10", "log1p", "log2", "pow", "radians", "sin", "sinh", "sqrt", "tan", "tanh",
)  # fmt: skip
FLOAT_CALLS = tuple(getattr(math, name) for name in FLOAT_FUNCTIONS)
SAME = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)


def join(kinds: Any) -> str:
    """The common kind of values of several kinds."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else EITHER


def kind_of_value(value: Any) -> str:
    if isinstance(value, bool | int):
        return WHOLE
    return FLOAT if isinstance(value, float) else EITHER


def kind_of_items(value: Any, depth: int) -> str:
    """The kind of the items that `depth` indexes select from nested tuples."""
    if depth == 0:
        return kind_of_value(in_python(value))
    if hasattr(value, "tolist"):
        value = value.tolist()
    return join(kind_of_items(v, depth - 1) for v in value) if isinstance(value, tuple | list) else EITHER


class Kinds:
    """The kinds of the names and expressions of one function."""

    def __init__(self, rewriter: Rewriter):
        self.rewriter = rewriter
        self.arguments = set(rewriter.arguments)
        self.given: dict[str, list[tuple[ast.expr | None, str]]] = {}  # the values assigned to a name: an expression, or a kind
        for node in all_nodes(rewriter.tree):
            self._read(node)
        self.names: dict[str, str] = {}
        self._settle()
        self.result = self._returned()  # of the function

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._give(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._give(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            load = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
            self._give(node.target, ast.BinOp(load, node.op, node.value))
        elif isinstance(node, ast.For | ast.comprehension):
            self._give_items(node.target, node.iter)
        elif isinstance(node, ast.FunctionDef | ast.Lambda) and node is not self.rewriter.tree:
            arguments = node.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                self.given.setdefault(argument.arg, []).append((None, EITHER))
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            self.given.setdefault(node.name, []).append((None, EITHER))

    def _give(self, target: ast.expr, value: ast.expr | None, kind: str = EITHER) -> None:
        if isinstance(target, ast.Name):
            self.given.setdefault(target.id, []).append((value, kind))
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for i, part in enumerate(target.elts):
                self._give(part, parts[i] if parts else None)

    def _give_items(self, target: ast.expr, items: ast.expr) -> None:
        called = self.rewriter.resolve(items.func) if isinstance(items, ast.Call) else MISSING
        if called is range:
            self._give(target, None, WHOLE)
        elif called is enumerate and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            start = items.args[1] if isinstance(items, ast.Call) and len(items.args) > 1 else ast.Constant(0)
            self._give(target.elts[0], start)
            if isinstance(items, ast.Call) and items.args:
                self._give_items(target.elts[1], items.args[0])
        elif isinstance(target, ast.Name):
            self._give(target, ast.Subscript(items, ast.Name("zermelo_any", ast.Load()), ast.Load()))
        else:
            self._give(target, None)

    def _settle(self) -> None:
        """Begin with the kinds found first and repeat until nothing changes; a name of two kinds has neither."""
        unsettled = {name for name in self.given if name not in self.arguments}
        self.names = dict.fromkeys(unsettled, "unknown")
        for _ in range(len(unsettled) + 2):
            before = dict(self.names)
            for name in unsettled:
                kinds = {kind if value is None else self.of(value) for value, kind in self.given[name]} - {"unknown"}
                self.names[name] = kinds.pop() if len(kinds) == 1 else EITHER if kinds else "unknown"
            if before == self.names:
                break
        else:
            self.names = {}
        self.names = {n: EITHER if k == "unknown" else k for n, k in self.names.items()}

    # expressions ---------------------------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> str:
        method = getattr(self, f"_of_{type(node).__name__}", None)
        return method(node) if method else EITHER

    def _of_Constant(self, node: ast.Constant) -> str:
        return kind_of_value(node.value)

    def _of_Name(self, node: ast.Name) -> str:
        if node.id in self.names:
            return self.names[node.id]
        return EITHER if node.id in self.arguments else kind_of_value(self.rewriter.resolve(node))

    def _of_Attribute(self, node: ast.Attribute) -> str:
        rewriter = self.rewriter
        if isinstance(node.value, ast.Name) and node.value.id == rewriter.state_name:
            fields = dict(zip(rewriter.module.layout.state_class._fields, rewriter.module.layout.lengths, strict=True))
            if node.attr in fields:
                return EITHER if fields[node.attr] else WHOLE
        return self._of_outside(node, 0)

    def _of_outside(self, node: ast.expr, depth: int) -> str:
        """The kind of the items that `depth` indexes select from a constant or a parameter."""
        base = node
        while isinstance(base, ast.Attribute):
            base = base.value
        if not isinstance(base, ast.Name) or base.id in self.names or (base.id in self.arguments and base.id != self.rewriter.self_name):
            return EITHER
        value = self.rewriter.evaluate(node)
        return EITHER if value is MISSING else kind_of_items(value, depth)

    def _of_Subscript(self, node: ast.Subscript) -> str:
        base: ast.expr = node
        depth = 0
        while isinstance(base, ast.Subscript):
            if isinstance(base.slice, ast.Slice):
                return EITHER
            base, depth = base.value, depth + 1
        if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name) and base.value.id == self.rewriter.state_name:
            return WHOLE if depth == 1 and base.attr in self.rewriter.module.layout.state_class._fields else EITHER
        return self._of_outside(base, depth)

    def _of_BinOp(self, node: ast.BinOp) -> str:
        if isinstance(node.op, ast.Div):
            return FLOAT
        kinds = {self.of(node.left), self.of(node.right)}
        if FLOAT in kinds and isinstance(node.op, (*SAME, ast.Pow)):
            return FLOAT
        if "unknown" in kinds:
            return "unknown"
        if kinds != {WHOLE}:
            return EITHER
        is_power = isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant)
        return WHOLE if is_power or isinstance(node.op, (*SAME, *BITS)) else EITHER

    def _of_UnaryOp(self, node: ast.UnaryOp) -> str:
        return WHOLE if isinstance(node.op, ast.Not) else self.of(node.operand)

    def _of_Compare(self, node: ast.Compare) -> str:
        return WHOLE

    def _either(self, *nodes: ast.expr) -> str:
        kinds = {self.of(n) for n in nodes}
        return join(kinds - {"unknown"}) if kinds != {"unknown"} else "unknown"

    def _of_BoolOp(self, node: ast.BoolOp) -> str:
        return self._either(*node.values)

    def _of_IfExp(self, node: ast.IfExp) -> str:
        return self._either(node.body, node.orelse)

    def _of_Call(self, node: ast.Call) -> str:
        called = self.rewriter.resolve(node.func)
        if called in WHOLE_CALLS or (called is round and len(node.args) == 1) or (called is pow and len(node.args) == 3):
            return WHOLE
        if called is float or called in FLOAT_CALLS:
            return FLOAT
        if called is abs and node.args:
            return self.of(node.args[0])
        if called in (min, max) and len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args):
            return self._either(*node.args)
        if called is sum and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return WHOLE if self.of(node.args[0].elt) == WHOLE else EITHER
        return self._of_helper(node, called)

    def _of_helper(self, node: ast.Call, called: Any) -> str:
        """The kind of the result of a function of the rules."""
        rewriter = self.rewriter
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Attribute) and isinstance(owner, ast.Name) and owner.id == rewriter.self_name:
            called = inspect.getattr_static(rewriter.module.game_class, node.func.attr, MISSING)
        called = plain(called) if called is not MISSING else MISSING
        return rewriter.module.returned_kind(called) if isinstance(called, types.FunctionType) else EITHER

    def _returned(self) -> str:
        returns: list[Any] = []
        waiting: list[ast.AST] = list(self.rewriter.tree.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Return):
                returns.append(node.value)
            if isinstance(node, ast.Yield | ast.YieldFrom):
                return EITHER
            if not isinstance(node, ast.FunctionDef | ast.Lambda):
                waiting += child_nodes(node)
        return join(EITHER if value is None else self.of(value) for value in returns) if returns else EITHER
