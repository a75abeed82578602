"""Arithmetic of the rules, rewritten so that it stops where machine numbers would differ from Python's (kernels/checked.py).

An expression that is certainly a float in Python, too, is not changed; neither are whole numbers where nothing can go wrong.
"""

from __future__ import annotations

import ast
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.basics.syntax import all_nodes, copied
from zermelo.language.names import place
from zermelo.link.constants import LIMIT, CannotCompile
from zermelo.link.kinds import FLOAT, FLOAT_CALLS, WHOLE, WHOLE_CALLS, Kinds, kind_of_value
from zermelo.link.syntax import call, free_names, name_of
from zermelo.link.written_out import WithoutTables

if TYPE_CHECKING:
    from zermelo.link.module import Module

CHECKED: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
COMPARED: dict[type, str] = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
CONVERTED = {int: "int", math.floor: "floor", math.ceil: "ceil", math.trunc: "trunc", round: "round"}
ASKED_TWICE = (*FLOAT_CALLS, *CONVERTED, *WHOLE_CALLS, float, abs, min, max)
OF_TWO = (math.atan2, math.copysign, math.hypot, math.pow)
MOST_STEPS = 10_000_000  # of a `while` loop
MOST_YIELDS = 100_000  # of a loop that yields
MOST_CALLS = 1000  # nested calls of a function that calls itself


class Arithmetic(ast.NodeTransformer):
    """The part of the rewriter that is about numbers and loops."""

    module: Module
    function: Any
    tree: ast.FunctionDef
    kinds: Kinds
    loops: int
    name: str
    locals: set[str]
    helpers: list[str]

    def resolve(self, node: ast.AST) -> Any:
        raise NotImplementedError

    def evaluate(self, node: ast.expr) -> Any:
        raise NotImplementedError

    def with_definitions(self, free: set[str]) -> tuple[list[str], list[str]]:
        raise NotImplementedError

    def _written(self, node: ast.expr) -> str:
        return ast.unparse(ast.fix_missing_locations(self.visit(node)))

    def _place(self, node: ast.AST, text: str | None = None) -> ast.Constant:
        """The number of this place of the rules, for messages."""
        line = max(getattr(node, "lineno", 0), self.tree.lineno)
        text = text or ast.unparse(WithoutTables().visit(copied(node)))
        return ast.Constant(self.module.place(text, place(self.function.__code__.co_filename, line)))

    def remember_line(self, name: str, node: ast.AST) -> None:
        """Keep the line of the rules of a function that is made of one expression."""
        self.module.origins[name] = self.function.__code__.co_filename, [max(getattr(node, "lineno", 0), self.tree.lineno)]

    def _certain(self, *nodes: ast.expr) -> ast.Constant:
        return ast.Constant(sum((self.kinds.of(n) == FLOAT) << i for i, n in enumerate(nodes)))

    def arithmetic(self, node: ast.BinOp) -> ast.expr:
        """An operation of two operands."""
        left, right = self.kinds.of(node.left), self.kinds.of(node.right)
        at = self._place(node)
        a, b = self.visit(node.left), self.visit(node.right)
        plain = ast.BinOp(a, node.op, b)
        folded = _folded_constant(plain)
        if folded is not None:
            return folded
        if isinstance(node.op, ast.Pow):
            return call("zermelo_power", a, b, ast.Constant(1 if FLOAT in (left, right) else 0), at)
        if FLOAT in (left, right) or _is_sequence(node.left) or _is_sequence(node.right):
            return plain
        if isinstance(node.op, ast.Div):
            return call("zermelo_truediv", a, b, at)
        name = CHECKED.get(type(node.op))
        if name is None or (isinstance(node.op, ast.FloorDiv | ast.Mod) and left == WHOLE and _is_positive(b)):
            return plain
        return call(f"zermelo_{name}", a, b, at)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target = node.target
        if isinstance(target, ast.Subscript) and not self._may_be_asked_twice(target.value):
            raise CannotCompile(f"`{ast.unparse(node)}` can't compile: give `{ast.unparse(target.value)}` a name on a line of its own")
        load = copied(target)
        load.ctx = ast.Load()
        if isinstance(node.op, ast.Pow):
            before = self._index_apart(node, target, load)
            power = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
            return [*before, ast.Assign([self.visit(target)], self.visit(power), lineno=node.lineno)]
        name = "truediv" if isinstance(node.op, ast.Div) else CHECKED.get(type(node.op))
        if name is None or FLOAT in (self.kinds.of(load), self.kinds.of(node.value)):
            return self.generic_visit(node)
        at = self._place(node)
        before = self._index_apart(node, target, load)
        value = call(f"zermelo_{'' if name == 'truediv' else 'i'}{name}", self.visit(load), self.visit(node.value), at)
        return [*before, ast.Assign([self.visit(target)], value, lineno=node.lineno)]

    def _index_apart(self, node: ast.AugAssign, target: ast.expr, load: ast.expr) -> list[ast.stmt]:
        """A line that evaluates an index with calls, so that reading and writing share it."""
        if not isinstance(target, ast.Subscript) or not any(isinstance(n, ast.Call) for n in all_nodes(target.slice)):
            return []
        assert isinstance(load, ast.Subscript)
        self.loops += 1
        index = f"zermelo_index{self.loops}"
        before = ast.Assign([ast.Name(index, ast.Store())], self.visit(target.slice), lineno=node.lineno)
        target.slice, load.slice = name_of(index), name_of(index)
        return [before]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Invert):
            return call("zermelo_invert", self.visit(node.operand))
        if not isinstance(node.op, ast.USub) or self.kinds.of(node.operand) == FLOAT:
            return self.generic_visit(node)  # type: ignore[return-value]
        at = self._place(node)
        operand = self.visit(node.operand)
        return ast.UnaryOp(node.op, operand) if isinstance(operand, ast.Constant) else call("zermelo_neg", operand, at)

    # calls ---------------------------------------------------------------------------------------------------------------

    def number_call(self, value: Any, node: ast.Call) -> ast.expr | None:
        """A call of one of Python's functions of numbers; None for anything else."""
        if node.keywords or not node.args or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        first, rest = node.args[0], node.args[1:]
        if value is pow and len(rest) == 1:
            return self.arithmetic(ast.copy_location(ast.BinOp(first, ast.Pow(), rest[0]), node))
        if value is math.gcd and len(rest) == 1:
            return call("zermelo_gcd", *map(self.visit, node.args))
        if value is pow and len(rest) == 2:
            return call("zermelo_power_modulo", *map(self.visit, node.args))
        if value is divmod and len(rest) == 1 and not all(map(self._may_be_asked_twice, node.args)):
            return self._divided_once(node)
        if value is divmod and len(rest) == 1:
            parts = (ast.copy_location(ast.BinOp(copied(first), op, copied(rest[0])), node) for op in (ast.FloorDiv(), ast.Mod()))
            return ast.Tuple([self.arithmetic(part) for part in parts], ast.Load())
        if value is round and rest:
            raise CannotCompile(f"`{ast.unparse(node)}` rounds otherwise when it is compiled: round only what is shown, or scale by hand")
        at = self._place(node)
        if value is sum and len(rest) < 2:
            return call("zermelo_total", *map(self.visit, node.args), *([] if rest else [ast.Constant(0)]), at)
        if rest and value not in OF_TWO:
            return None
        if value in CONVERTED:
            return call(f"zermelo_{CONVERTED[value]}", self.visit(first), self._certain(first), at)
        if value is abs:
            return call("zermelo_absolute", self.visit(first), at)
        if value in FLOAT_CALLS and len(rest) == (value in OF_TWO):
            return call(f"zermelo_math_{value.__name__}", *map(self.visit, node.args), at)
        return None

    def _divided_once(self, node: ast.Call) -> ast.expr:
        """`divmod(a, b)` as a function of its own, so that a and b are evaluated once."""
        at, is_float = ast.unparse(self._place(node)), any(self.kinds.of(part) == FLOAT for part in node.args)
        parts = "{0} // {1}, {0} % {1}" if is_float else f"zermelo_floordiv({{0}}, {{1}}, {at}), zermelo_mod({{0}}, {{1}}, {at})"
        return self.evaluated_once("divmod", node, node.args, parts)

    def evaluated_once(self, what: str, node: ast.expr, operands: Sequence[ast.expr], result: str) -> ast.expr:
        """A function of its own that returns `result`, where {0}, {1}, ... are the operands: evaluated once, in their order."""
        self.module.folds += 1
        name, names = f"{self.name}_{what}{self.module.folds}", [f"zermelo_operand{i}" for i in range(len(operands))]
        self.remember_line(name, node)
        self.helpers.append(f"@rule\ndef {name}({', '.join(names)}):\n    return {result.format(*names)}")
        return call(name, *map(self.visit, operands))

    # comparisons ---------------------------------------------------------------------------------------------------------

    def compared(self, node: ast.Compare) -> ast.expr:
        """A comparison, or a chain of them."""
        operands = [node.left, *node.comparators]
        needed = [self._differs(op, a, b) for op, a, b in zip(node.ops, operands, node.comparators, strict=False)]
        if not any(needed):
            return self.generic_visit(node)  # type: ignore[return-value]
        if len(node.ops) == 1:
            return self._one_comparison(node, node.ops[0], node.left, node.comparators[0])
        pairs = list(zip(node.ops, operands, node.comparators, strict=False))
        if not all(map(self._may_be_asked_twice, operands[1:-1])):
            return self._comparing_apart(node, operands)
        return ast.BoolOp(ast.And(), [self._one_comparison(node, op, copied(a), copied(b)) for op, a, b in pairs])

    def _may_be_asked_twice(self, node: ast.expr) -> bool:
        """Whether an expression has the same value when it is evaluated again: it calls only functions of numbers."""
        called = [self.resolve(n.func) for n in all_nodes(node) if isinstance(n, ast.Call)]
        return all(any(f is known for known in ASKED_TWICE) for f in called)

    def _comparing_apart(self, node: ast.Compare, operands: list[ast.expr]) -> ast.expr:
        """A chain as a separate function, in which each operand is evaluated once."""
        free, definitions = self.with_definitions({n for n in free_names(node) if n in self.locals})
        self.module.folds += 1
        chain = f"{self.name}_chain{self.module.folds}"
        names = [name_of(f"zermelo_operand{i}") for i in range(len(operands))]
        body = [*definitions, *(f"{n.id} = {self._written(copied(o))}" for n, o in zip(names, operands, strict=True))]
        for i, op in reversed(list(enumerate(node.ops))):
            said = self._one_comparison(node, op, operands[i], operands[i + 1], (names[i], names[i + 1]))
            text = ast.unparse(ast.fix_missing_locations(said))
            last = i == len(node.ops) - 1
            body.insert(len(definitions) + i + 2, f"return {text}" if last else f"if not {text}:\n    return False")
        self.remember_line(chain, node)
        self.helpers.append(f"@rule\ndef {chain}({', '.join(free)}):\n{textwrap.indent(chr(10).join(body), '    ')}")
        return call(chain, *map(name_of, free))

    def _differs(self, op: ast.cmpop, a: ast.expr, b: ast.expr) -> bool:
        """Whether machine numbers could compare otherwise than Python's: a whole number beyond 2^53 with a float."""
        if not isinstance(op, (*COMPARED, ast.In, ast.NotIn)):
            return False
        kinds = (self.kinds.of(a), self.kinds.of(b))
        if kinds in ((WHOLE, WHOLE), (FLOAT, FLOAT)):
            return False
        return not any(_is_small(self.evaluate(n)) for n in (a, b))

    def _one_comparison(
        self, node: ast.Compare, op: ast.cmpop, a: ast.expr, b: ast.expr, values: tuple[ast.expr, ast.expr] | None = None
    ) -> ast.expr:
        """A comparison of two operands; `values` holds these if they have already been evaluated."""
        differs, at, certain = self._differs(op, a, b), self._place(node), self._certain(a, b)
        is_inside = isinstance(op, ast.In | ast.NotIn)
        if differs and is_inside and values is None and not (self._may_be_asked_twice(a) and self._may_be_asked_twice(b)):
            found = self.evaluated_once("inside", node, (a, b), f"zermelo_contains({{1}}, {{0}}, {ast.unparse(at)})")
            return found if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), found)
        one, other = values or (self.visit(a), self.visit(b))
        if not differs:
            return ast.Compare(one, [op], [other])
        if is_inside:
            found = call("zermelo_contains", other, one, at)
            return found if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), found)
        return call(f"zermelo_{COMPARED[type(op)]}", one, other, certain, at)

    # loops ---------------------------------------------------------------------------------------------------------------

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self.counted(node, getattr(node, "told", f"while {ast.unparse(node.test)}"))

    def counted(self, node: ast.While | ast.For, text: str) -> list[ast.stmt]:
        """A loop that may not end: its steps are counted."""
        most = MOST_YIELDS if any(isinstance(n, ast.Yield) for n in all_nodes(node)) else MOST_STEPS
        self.loops += 1
        name, at = f"zermelo_steps{self.loops}", self._place(node, text)
        self.generic_visit(node)
        step = call("zermelo_step", name_of(name), ast.Constant(most), at)
        node.body.insert(0, ast.Assign([ast.Name(name, ast.Store())], step, lineno=node.lineno))
        return [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0), lineno=node.lineno), node]


def _is_sequence(node: ast.expr) -> bool:
    is_part = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return is_part or isinstance(node, ast.Tuple | ast.List | ast.ListComp | ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def _is_small(value: Any) -> bool:
    """Whether comparing a value with a rounded whole number gives the same result as with the whole number itself."""
    return bool(kind_of_value(value)) and abs(value) < 2**53


def _is_positive(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 0


def _folded_constant(node: ast.expr) -> ast.expr | None:
    """The number that an operation of constants gives; None for anything else."""
    if isinstance(node, ast.BinOp):
        if not (isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)):
            return None
        if isinstance(node.op, ast.Pow | ast.LShift) and not 0 <= getattr(node.right, "value", 0) < 64:
            return None
    elif not isinstance(node, ast.UnaryOp) or not isinstance(node.operand, ast.Constant):
        return None
    try:
        value = eval(compile(ast.fix_missing_locations(ast.Expression(copied(node))), "<rules>", "eval"))
    except Exception:
        return None
    if not kind_of_value(value) or (isinstance(value, int) and not -LIMIT <= value < LIMIT):
        return None
    return ast.Constant(value) if value >= 0 else None
