"""One function of the rules, rewritten for numba.

Names from outside become constants, helper functions or classes of the module; constructs that numba does not support, or
interprets differently from Python, become calls of `kernels/support.py`. Everything else is left to numba.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import itertools
import math
import re
import textwrap
import types
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.syntax import all_nodes, bound_by, bound_names, copied, parsed
from zermelo.errors import RulesError
from zermelo.language.named_values import with_names_first
from zermelo.language.names import place
from zermelo.language.shorthand import written_in_full
from zermelo.language.source import GENERATED, MISSING, lookup, tree_of
from zermelo.link.arithmetic import MOST_CALLS
from zermelo.link.constants import LIMIT, CannotCompile, as_built_in, expression, flag_among, literal
from zermelo.link.idioms import KEYS, Idioms, begins_empty, functions_inside
from zermelo.link.kinds import FLOAT, Kinds
from zermelo.link.none_known import Answers, asks_for_none
from zermelo.link.syntax import (
    CONSTANTS,
    WithLengths,
    call,
    counted,
    free_names,
    hint_of,
    is_fixed,
    local_names,
    method_call,
    name_of,
    own_nodes,
    owns,
    substituted,
    without_docstring,
)
from zermelo.link.written_out import as_loops

if TYPE_CHECKING:
    from zermelo.link.module import Module

FOLDS = ("sum", "any", "all", "min", "max")
OF_OBJECTS = (isinstance, issubclass, type, str, repr, ascii, format, hash, id)  # functions of any object, not of numbers
TAKEN = re.compile(r"zermelo_|(np|math)$")  # names that the module itself uses


def source_of(function: Any) -> ast.FunctionDef:
    """The parsed source of a function that rules use."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    if not isinstance(function, types.FunctionType):
        raise CannotCompile(f"`{name}` is not a plain Python function, which can't compile: write a helper with `def`")
    if hasattr(function, "__wrapped__"):
        raise CannotCompile(f"`{name}` is decorated (a cache?), which can't compile: remove the decorator")
    try:
        tree = tree_of(function)
    except RulesError as error:
        raise CannotCompile(error.faults[0]) from None
    if not isinstance(tree, ast.FunctionDef):
        raise CannotCompile(f"the helper `{name}` is a lambda, which can't compile: write it with `def`")
    return tree


def _flat(statements: Iterable[Any]) -> list[ast.stmt]:
    """A flat list of statements, some of which have become several."""
    return [s for part in statements for s in (part if isinstance(part, list) else [part])]


def _definition(name: str, signature: list[str], body: list[ast.stmt], decorator: str = "rule") -> str:
    text = "\n".join(ast.unparse(ast.fix_missing_locations(n)) for n in body) or "pass"
    return f"@{decorator}\ndef {name}({', '.join(signature)}):\n{textwrap.indent(text, '    ')}"


def _changed(node: ast.AST) -> str:
    """The name of the list, dictionary or set that a node may extend."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) | ast.AugAssign(target=ast.Name(id=name)):
            return name
    return ""


class Rewriter(Idioms):
    """Rewrites one function; `member` is its member of the game, "" for a helper."""

    def __init__(self, module: Module, function: Any, tree: ast.FunctionDef, member: str):
        tree = with_names_first(written_in_full(tree, function))
        self.module, self.function, self.tree, self.member = module, function, tree, member
        self.name = ""  # in the module
        named = sorted(zip(tree.args.kwonlyargs, tree.args.kw_defaults, strict=True), key=lambda given: given[1] is not None)
        self.arguments = [a.arg for a in (*tree.args.posonlyargs, *tree.args.args, *(argument for argument, _ in named))]
        self.by_name = len(named)  # of them must be named in calls
        self.locals = local_names(tree)
        self.bound = Counter(bound_names(tree))
        taken = sorted(n for n in (*self.arguments, *self.bound) if TAKEN.match(n))
        if taken:
            raise CannotCompile(f"`{taken[0]}` in `{function.__qualname__}`: this name is taken by the compiled rules, use another")
        first = self.arguments[0] if self.arguments else None
        self.self_name = first if owns(module.game_class, function) else None
        self.state_name = self._state_name(first)
        self.evaluating: set[str] = set()
        self.written_out: dict[str, Any] = {}
        self.assigned = self._single_assignments()
        if None in module.game or asks_for_none(tree):
            ast.fix_missing_locations(Answers(self).visit(tree))
        self.tree, self.written_out = as_loops(tree)
        for table in self.written_out.values():
            module.enter_table(table)
        self.locals |= local_names(self.tree)
        self.bound = Counter(bound_names(self.tree))
        self.assigned = self._single_assignments()
        self.loops = 0  # of which steps are counted
        self.helpers: list[str] = []
        self.inner: dict[str, ast.FunctionDef] = {}  # functions inside this one, rewritten
        self.aliases: dict[str, ast.Assign] = {}  # local names of tables of many numbers
        self.empty, self.functions_inside = begins_empty(self.tree), functions_inside(self.tree)
        self.kinds = Kinds(self)
        self.lengths = self.lengths_told()

    def text(self, name: str) -> str:
        """The function, preceded by those made from its loops; `name` is its name in the module."""
        self.name = name
        arguments = [*self.arguments]
        emits = self.member == "outcomes"
        if emits:
            arguments += ["zermelo_no_action"] * self.module.rules.is_chance + ["zermelo_layout"]
        signature = arguments if emits else self._signature()
        body = _flat(map(self.visit, without_docstring(self.tree.body)))
        self._empty_what_is_not_used(body)
        self._remember_lines(name, body)
        if name in self.module.recursive:
            return "\n\n".join([*self.helpers, *self._counting_calls(arguments, signature, body)])
        return "\n\n".join([*self.helpers, _definition(name, signature, body)])

    def _remember_lines(self, name: str, body: list[ast.stmt]) -> None:
        """Keep the line of the rules of every statement, in the order in which `ast.walk` finds them in the text."""
        made = ast.Module(list(map(ast.fix_missing_locations, body)), [])
        lines = [max(n.lineno, self.tree.lineno) for n in all_nodes(made) if isinstance(n, ast.stmt)]
        file = self.function.__code__.co_filename
        self.module.origins |= dict.fromkeys((name, f"{name}_deep"), (file, lines or [self.tree.lineno]))

    def _signature(self) -> list[str]:
        """The arguments with their defaults. numba knows none that must be named: calls are looked at instead (`_call_of`)."""
        function = self.function
        if self.member and self.by_name:
            raise CannotCompile(f"`{self.member}` takes arguments after `*`, which nobody gives: remove them")
        plain = self.arguments[: len(self.arguments) - self.by_name]
        given = dict(zip(reversed(plain), reversed(function.__defaults__ or ()), strict=False)) | (function.__kwdefaults__ or {})
        signature = [f"{a}={self._literal(given[a], a)}" if a in given else a for a in self.arguments]
        for before, after in itertools.pairwise(self.arguments):
            if before in given and after not in given:
                raise CannotCompile(f"`{function.__qualname__}` takes `{after}` without a default after others with one: give it one")
        return signature

    def _counting_calls(self, arguments: list[str], signature: list[str], body: list[ast.stmt]) -> list[str]:
        """The texts of a function that calls itself, perhaps through others: its depth is passed to it."""
        recursive = self.module.recursive
        if any(isinstance(n, ast.Name) and n.id in recursive for text in self.helpers for n in all_nodes(parsed(text))):
            raise CannotCompile(f"`{self.function.__qualname__}` calls itself inside of sum(...) or the like: write a `for` loop")
        at = self._place(self.tree, f"{self.function.__name__}(...)")
        for node in (n for statement in body for n in all_nodes(statement)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in recursive:
                node.func.id += "_deep"
                deeper = call("zermelo_step", name_of("zermelo_depth"), ast.Constant(-MOST_CALLS), at)
                node.keywords.append(ast.keyword("zermelo_depth", deeper))
        deep = f"{self.name}_deep"
        outer = f"@rule\ndef {self.name}({', '.join(signature)}):\n    return {deep}({', '.join([*arguments, '0'])})"
        return [_definition(deep, [*arguments, "zermelo_depth"], body, "recursive"), outer]

    def _empty_what_is_not_used(self, body: list[ast.stmt]) -> None:
        """Inner functions that only helpers call: numba refuses them if they take local variables; and unused tables."""

        def is_used(name: str) -> bool:
            found = (n for node in body for n in all_nodes(node) if isinstance(n, ast.Name) and n.id == name)
            return any(isinstance(n.ctx, ast.Load) for n in found)

        for name, function in reversed(self.inner.items()):  # later ones may call earlier ones
            function.body = function.body if is_used(name) else [ast.Pass()]
        for name, assignment in self.aliases.items():
            assignment.value = assignment.value if is_used(name) else ast.Constant(0)

    def visit(self, node: ast.AST) -> Any:
        """The node rewritten; a refusal names the innermost line that is the user's own."""
        try:
            told = self.kinds_told(node) if self.empty and isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef) else []
            made = super().visit(node)
            return _flat([told, made]) if told else made
        except CannotCompile as error:
            line = getattr(node, "lineno", 0)
            if not error.where and line >= self.tree.lineno:  # nodes made here have none, or 1
                error.where = place(self.function.__code__.co_filename, line)
            raise

    def _state_name(self, first: str | None) -> str | None:
        """The argument that is certainly a state: that of a member of the game, or `self` in a method of the state."""
        is_member = self.self_name is not None and bool(self.member) and len(self.arguments) > 1
        name = (
            self.arguments[1] if is_member else first if owns(self.module.layout.state_class, self.function) else None
        )
        return None if name in self.bound else name

    def _single_assignments(self) -> dict[str, ast.expr]:
        """Local variables that are assigned in one place only, and their values."""
        found: dict[str, ast.expr] = {}
        for node in own_nodes(self.tree):
            given = [(node.targets[0], node.value)] if isinstance(node, ast.Assign) and len(node.targets) == 1 else []
            if given and isinstance(target := given[0][0], ast.Tuple) and isinstance(value := given[0][1], ast.Tuple):
                is_plain = len(target.elts) == len(value.elts) and not any(isinstance(n, ast.Starred) for n in all_nodes(node))
                given = [*zip(target.elts, value.elts, strict=True)] if is_plain else []
            for name, value in given:
                if isinstance(name, ast.Name) and self.bound[name.id] == 1 and name.id not in self.arguments:
                    found[name.id] = copied(value)
        return found

    # values from outside -------------------------------------------------------------------------------------------------

    def _literal(self, value: Any, name: str) -> str:
        return literal(value, name, self.module.class_name)

    def resolve(self, node: ast.AST) -> Any:
        """The Python object that a name or an attribute of a module, class or enum refers to; MISSING for anything else."""
        if isinstance(node, ast.Name):
            if node.id in self.written_out:
                return self.written_out[node.id]
            return MISSING if node.id in self.locals else lookup(self.function, node.id)
        if isinstance(node, ast.Attribute):
            within = self.resolve(node.value)
            if isinstance(within, type | types.ModuleType) or (isinstance(within, enum.Enum) and node.attr == "value"):
                if not hasattr(within, node.attr):
                    raise CannotCompile(f"`{ast.unparse(node)}` does not exist")
                return getattr(within, node.attr)
        return MISSING

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression that depends on parameters and constants only, or MISSING."""
        node = WithLengths(self.state_name, self.module.layout).visit(copied(node))
        scope: dict[str, Any] = {}
        bound = {n.id for n in all_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for n in all_nodes(node):
            if isinstance(n, ast.Lambda | ast.Await | ast.Yield | ast.NamedExpr) or self._read(n):
                return MISSING
            if not isinstance(n, ast.Name) or not isinstance(n.ctx, ast.Load) or n.id in bound:
                continue
            if n.id == "zermelo_state_class":
                scope[n.id] = self.module.layout.state_class
            elif n.id == self.self_name:
                scope[n.id] = self.module.game
            elif n.id in self.assigned and n.id not in self.evaluating:
                self.evaluating.add(n.id)
                value = self.evaluate(self.assigned[n.id])
                scope[n.id] = value if is_fixed(value) else MISSING
                self.evaluating.discard(n.id)
            else:
                scope[n.id] = self.resolve(n)
            if scope[n.id] is MISSING:
                return MISSING
        try:
            return self._run(node, scope)
        except Exception:
            return MISSING

    def _run(self, node: ast.expr, scope: dict[str, Any]) -> Any:
        """The value of the user's own expression, for their own parameters."""
        if isinstance(node, ast.Name):
            return scope[node.id]
        if isinstance(node, ast.Attribute):
            return getattr(self._run(node.value, scope), node.attr)
        if isinstance(node, ast.Constant):
            return node.value
        return eval(compile(ast.unparse(node), "<rules>", "eval"), scope)

    def known(self, value: Any, node: ast.expr, hint: str) -> ast.expr:
        """The expression by which the module refers to a value from outside the function."""
        if value is MISSING:
            return node
        if value is None:
            return ast.Constant(None)
        if isinstance(value, np.generic):
            value = value.item()
        as_built_in(type(value))
        self.module.flag = self.module.flag or flag_among(value)
        if isinstance(value, bool | int | float) or (isinstance(value, tuple) and hasattr(value, "_fields")):
            return expression(value, hint, self.module.class_name)
        if isinstance(value, str):
            return ast.Constant(str.__str__(value))  # a member of a StrEnum is a text, too
        if isinstance(value, tuple | list | np.ndarray):
            return name_of(self.module.constant_name(value, hint))
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return name_of(self.module.class_name(value))
        if isinstance(value, types.FunctionType):
            return name_of(self.module.function_name(value))
        if value is math or value is np:
            return name_of("math" if value is math else "np")
        name = getattr(value, "__name__", "")
        if any(value is f for f in OF_OBJECTS):
            raise CannotCompile(f"`{name}` can't compile: compiled numbers do not know their Python type")
        if getattr(builtins, name, None) is value:
            return name_of(name)
        for home in (math, np):
            if getattr(home, name, None) is value:
                return ast.Attribute(name_of("math" if home is math else "np"), name, ast.Load())
        if isinstance(value, dict | set | frozenset):
            use = f"`{hint}[x]`, `{hint}.get(x, y)`, `x in {hint}`" if isinstance(value, dict) else f"`x in {hint}`"
            raise CannotCompile(f"`{hint}` is a {type(value).__name__}, which compiles only as {use} and in `for` loops, with {KEYS}")
        raise CannotCompile(f"`{hint}` is a {type(value).__name__}, which can't compile: use numbers or tuples of numbers")

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.id.startswith("zermelo_"):
            return node
        self.module.game_is_passed_on |= node.id == self.self_name  # `self.x` and `self.f()` are handled elsewhere
        return self.known(self.resolve(node), node, node.id)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int) and node.value >= LIMIT:
            raise CannotCompile(f"{node.value}: whole numbers in rules must lie between -2^63 and 2^63 - 1")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)  # type: ignore[return-value]
        if isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            return self._member(node)
        value = self.resolve(node)
        if value is not MISSING:
            static = inspect.getattr_static(self.resolve(node.value), node.attr, None)
            is_method = isinstance(static, staticmethod | types.FunctionType)
            return name_of(self.module.function_name(static)) if is_method else self.known(value, node, node.attr)
        state = self.module.layout.state_class
        static = inspect.getattr_static(state, node.attr, MISSING)
        if isinstance(static, property) and node.attr not in state._fields:
            return call(self.module.function_name(static), self._a_state(node.value))
        if not isinstance(static, CONSTANTS):
            return self.generic_visit(node)  # type: ignore[return-value]
        constant = self.known(static, node, node.attr)
        if isinstance(node.value, ast.Name) and node.value.id == self.state_name:
            return constant
        cls = name_of(self.module.class_name(state))  # another tuple may have a field of this name
        return call("zermelo_constant_of", self.visit(node.value), ast.Constant(node.attr), cls, constant)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and (held := self.held(node.value)) is not None and held.values:
            return self.looked_up(held, node, [node.slice])
        base: ast.expr = node.value
        indexes = [node.slice]
        while isinstance(base, ast.Subscript):
            indexes.insert(0, base.slice)
            base = base.value
        constant = self.evaluate(base) if isinstance(base, ast.Name | ast.Attribute) else MISSING
        is_item = isinstance(node.ctx, ast.Load) and not any(isinstance(index, ast.Slice) for index in indexes)
        if is_item and isinstance(constant, tuple | list) and not self.is_table(constant):
            self.can_choose(constant, indexes, node)
        self.displayed(node)
        if isinstance(constant, tuple | list) or isinstance(base, ast.Tuple | ast.List):  # not a dictionary
            indexes[:] = map(self.place_in, indexes)
            node.slice = indexes[-1]
        is_narrow = is_item and self.module.is_small(constant, len(indexes))
        chosen = self._chosen(node, base, indexes)
        return call("zermelo_narrow", chosen) if is_narrow and not isinstance(chosen, ast.Constant) else chosen

    def visit_Slice(self, node: ast.Slice) -> ast.Slice:
        """The places that follow from the parameters as numbers: a part of a tuple compiles only between such."""
        for part in ("lower", "upper", "step"):
            asked = getattr(node, part)
            known = MISSING if asked is None or isinstance(asked, ast.Constant) else self.evaluate(asked)
            if type(known) is int and abs(known) < LIMIT:
                setattr(node, part, ast.Constant(known))
        return self.generic_visit(node)  # type: ignore[return-value]

    def _chosen(self, node: ast.Subscript, base: ast.expr, indexes: list[ast.expr]) -> ast.expr:
        """An item of a tuple, a list or a table."""
        table = self._table(base)
        if table is MISSING or not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)  # type: ignore[return-value]
        item = self.evaluate(node)
        if item is not MISSING:
            return self.known(item, node, hint_of(base))
        most = self.module.table(table).depth  # type: ignore[union-attr]
        chosen = list(itertools.takewhile(lambda index: not isinstance(index, ast.Slice), indexes[:most]))
        lookup = self.module.lookup_name(table, hint_of(base), len(chosen))
        if lookup is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        result: ast.expr = call(lookup, *map(self.visit, chosen))
        for index in indexes[len(chosen) :]:
            result = ast.Subscript(result, self.visit(index), ast.Load())
        return result

    def _table(self, node: ast.expr) -> Any:
        """The constant table of many numbers that a name or attribute stands for; MISSING for anything else."""
        value = self.evaluate(node) if isinstance(node, ast.Name | ast.Attribute) else MISSING
        return value if self.module.table(value) else MISSING

    def is_table(self, value: Any) -> bool:
        return self.module.table(value) is not None

    def _items(self, items: ast.expr) -> ast.expr:
        """The iterable of a loop, with tables of many numbers item by item."""
        if isinstance(items, ast.Call) and self.resolve(items.func) in (zip, enumerate):
            items.args = [self._items(a) for a in items.args]
        items = self.gone_through(self.in_parts(items))
        table = self._table(items)
        rows = None if table is MISSING else self.module.rows_name(table, hint_of(items))
        return items if rows is None else call(rows)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        name = hint_of(node.targets[0])
        if name in self.assigned and self._table(node.value) is not MISSING:
            self.aliases[name] = node
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self._items(node.iter)
        before = self.kept_while_it_yields(node)
        made = self._visit_loop(node)
        return _flat([before, made]) if before else made

    def _visit_loop(self, node: ast.For) -> Any:
        if isinstance(node.iter, ast.Name) and node.iter.id in map(_changed, all_nodes(node)):
            return self.counted(node, f"for {ast.unparse(node.target)} in {node.iter.id}")
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self._items(node.iter)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _a_state(self, node: ast.expr) -> ast.expr:
        """The expression, which must be a state: refused while compiling if it is another tuple."""
        return call("zermelo_only_a", self.visit(node), name_of(self.module.class_name(self.module.layout.state_class)))

    def _member(self, node: ast.Attribute) -> ast.expr:
        """`self.x`: a parameter, a constant of the class or a property."""
        cls = self.module.game_class
        if node.attr in cls._fields:
            value = getattr(self.module.game, node.attr)
            return self.known(value, node, node.attr) if isinstance(value, str | tuple | list) else node
        static = inspect.getattr_static(cls, node.attr, MISSING)
        if static is MISSING:
            raise CannotCompile(f"`self.{node.attr}` does not exist in {cls.__name__}")
        if isinstance(static, property):
            return call(self.module.function_name(static), name_of(self.self_name or "self"))
        return self.known(static, node, node.attr)

    # calls ---------------------------------------------------------------------------------------------------------------

    def _read(self, node: ast.AST) -> str:
        """The name of the method, if this calls one whose numbers are read from a text among the parameters."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[], keywords=[]) if name == self.self_name:
                return method if method in self.module.readings else ""
        return ""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = node.func
        if method := self._read(node):
            return ast.Attribute(name_of(self.self_name or "self"), self.module.read_name(method), ast.Load())
        if isinstance(called, ast.Attribute):
            held = self.held(called.value) if called.attr == "get" and len(node.args) in (1, 2) and not node.keywords else None
            if held is not None and held.values:
                return self.looked_up(held, node, [*node.args, *([] if node.args[1:] else [ast.Constant(None)])])
            if called.attr == "_replace":
                return self._replaced_fields(node)
            known = self._method(called)
            if known is not None:
                self._names_what_it_must(known[0], len(known[1]), node)
                made = method_call(*known, [self.visit(a) for a in node.args], [self.visit(k) for k in node.keywords])
                is_certain = known[1] or getattr(called.value, "id", "") in (self.self_name, self.state_name)
                return made if is_certain else call("zermelo_second", self._a_state(called.value), made)
        value = self.resolve(called)
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return self._new(value, node)
        if isinstance(value, types.FunctionType):
            self._names_what_it_must(self.module.function_name(value), 0, node)
            return self.generic_visit(node)  # type: ignore[return-value]
        self.without_names(node)
        found = self.searched(node) or self.sorted_by(node)
        if found is not None:
            return found
        if not isinstance(called, ast.Name):
            return self.number_call(value, node) or self.generic_visit(node)  # type: ignore[return-value]
        if value in (len, sum, min, max, sorted, list) and len(node.args) == 1:
            node.args = [self.in_parts(node.args[0])]
        first = node.args[0] if node.args else None
        items = first if first is None or value not in (len, sum, min, max) else self.gone_through(first)
        if items is not None and (items is not first or (value in (len, sum, min, max) and self._table(items) is not MISSING)):
            value, node.args[0] = self.evaluate(node), items
            return self.generic_visit(node) if value is MISSING else self.known(value, node, called.id)  # type: ignore[return-value]
        if value is tuple and len(node.args) == 1 and not node.keywords and not isinstance(first, ast.Starred):
            return self.tuple_of(node)
        if isinstance(first, ast.GeneratorExp | ast.ListComp) and called.id in FOLDS and value is getattr(builtins, called.id):
            return self._folded(called.id, node, first)
        return self.number_call(value, node) or self.generic_visit(node)  # type: ignore[return-value]

    def _names_what_it_must(self, function: str, more: int, node: ast.Call) -> None:
        """Refuse a call that does not name the arguments after a `*`; so does Python, but perhaps in a state that was not examined.
        `more` : arguments that are not written."""
        if more + len(node.args) > self.module.unnamed.get(function, more + len(node.args)):
            text, name = ast.unparse(node), ast.unparse(node.func)
            raise CannotCompile(f"`{text}` must name the arguments that stand after `*` where `{name}` is defined")

    def _method(self, called: ast.Attribute) -> tuple[str, list[ast.expr]] | None:
        """(function, first arguments) of a call of a method of the game or of a state."""
        if isinstance(called.value, ast.Name) and called.value.id == self.self_name:
            method = inspect.getattr_static(self.module.game_class, called.attr, None)
            if called.attr == "outcomes":
                raise CannotCompile("`self.outcomes(...)` in another rule can't compile: put what both need into a helper")
            if isinstance(method, types.FunctionType | staticmethod):
                first: list[ast.expr] = [] if isinstance(method, staticmethod) else [called.value]
                return self.module.function_name(method), first
        method = inspect.getattr_static(self.module.layout.state_class, called.attr, None)
        is_method = isinstance(method, types.FunctionType | staticmethod) and called.attr not in GENERATED
        if is_method and not isinstance(self.resolve(called.value), types.ModuleType | type):
            first = [] if isinstance(method, staticmethod) else [self._a_state(called.value)]
            return self.module.function_name(method), first
        return None

    def _new(self, cls: Any, node: ast.Call) -> ast.expr:
        """A NamedTuple, with omitted fields written out, since numba has no defaults."""
        names = [*cls._fields[: len(node.args)], *(k.arg for k in node.keywords)]
        operands = [*node.args, *(k.value for k in node.keywords)]
        if names != [n for n in cls._fields if n in names] and not all(map(self._may_be_asked_twice, operands)):
            return self._made_in_order(cls, node, names, operands)
        given = {k.arg: self.visit(k.value) for k in node.keywords}
        if None in given or any(isinstance(a, ast.Starred) for a in node.args):
            return self._made(self.generic_visit(node), node)  # type: ignore[arg-type]
        values: dict[str | None, ast.expr] = dict(zip(cls._fields, map(self.visit, node.args), strict=False)) | given
        for name, default in cls._field_defaults.items():
            if name not in values:
                values[name] = expression(default, name, self.module.class_name)
        if set(values) != set(cls._fields) or len(node.args) > len(cls._fields):
            return self.generic_visit(node)  # type: ignore[return-value]  # numba says what is wrong
        return self._made(call(self.module.class_name(cls), *(values[name] for name in cls._fields)), node)

    def _made_in_order(self, cls: Any, node: ast.Call, names: list[str | None], operands: list[ast.expr]) -> ast.expr:
        """A NamedTuple whose fields are given in another order, in which they are evaluated."""
        if None in names or len(set(names)) < len(names) or not set(names) <= set(cls._fields):
            return self._made(self.generic_visit(node), node)  # type: ignore[arg-type]  # numba says what is wrong
        fields = []
        for name in cls._fields:
            if name not in names and name not in cls._field_defaults:
                return self._made(self.generic_visit(node), node)  # type: ignore[arg-type]
            default = "" if name in names else ast.unparse(expression(cls._field_defaults[name], name, self.module.class_name))
            fields.append(f"{{{names.index(name)}}}" if name in names else default.replace("{", "{{").replace("}", "}}"))
        return self._made(self.evaluated_once("made", node, operands, f"{self.module.class_name(cls)}({', '.join(fields)})"), node)

    def _replaced_fields(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        at = copied(node)
        result: ast.expr = self.visit(node.func.value)
        for keyword in node.keywords:
            if keyword.arg is None:
                raise CannotCompile("`**` in a call can't compile: name the arguments")
            result = call("zermelo_replace_field", result, ast.Constant(keyword.arg), self.visit(keyword.value))
        return self._made(result, at)

    def _made(self, value: ast.expr, node: ast.Call) -> ast.expr:
        """A new NamedTuple; if it is a state, with whole numbers as fields."""
        cls = name_of(self.module.class_name(self.module.layout.state_class))
        return call("zermelo_as_state", value, cls, self._place(node))

    # comprehensions --------------------------------------------------------------------------------------------------------

    def unrolled(self, node: ast.GeneratorExp | ast.ListComp) -> ast.Tuple | None:
        """`tuple(f(x) for x in items)` with a length known from the parameters or from the state: the tuple written out."""
        rounds: list[dict[str, ast.expr]] = [{}]
        for generator in node.generators:
            inside = []
            for scope in rounds:
                items = self._known_items(substituted(generator.iter, scope), generator.target)
                if items is None:
                    return None
                for found in ({**scope, **more} for more in items):
                    tests = [self.evaluate(substituted(test, found)) for test in generator.ifs]
                    if any(test is MISSING for test in tests):
                        return None
                    inside += [found] if all(tests) else []
            rounds = inside
        return ast.Tuple([self.visit(substituted(node.elt, scope)) for scope in rounds], ast.Load())

    def _known_items(self, items: ast.expr, target: ast.expr) -> list[dict[str, ast.expr]] | None:
        """The values of the loop variables in each round, if the number of rounds is known; otherwise None."""
        called = self.resolve(items.func) if isinstance(items, ast.Call) and not items.keywords else None
        parts = target.elts if isinstance(target, ast.Tuple) else []
        if isinstance(items, ast.Call) and called in (enumerate, zip) and len(parts) > 1:
            return self._known_rows(items, parts, called is zip)
        values = self.evaluate(items)
        if isinstance(values, tuple | list | range):
            bound = [self._bound(target, value) for value in values]
            return None if None in bound else bound  # type: ignore[return-value]
        if not isinstance(target, ast.Name):
            return None
        meant = self.assigned.get(items.id, items) if isinstance(items, ast.Name) else items
        lengths = dict(zip(self.module.layout.state_class._fields, self.module.layout.lengths, strict=True))
        if isinstance(meant, ast.Attribute) and lengths.get(meant.attr):
            n = lengths[meant.attr]  # `exactly` refuses a tuple of another length
            wholes = [call("zermelo_exactly", copied(items), ast.Constant(n)) for _ in range(n)]
            return [{target.id: ast.Subscript(w, ast.Constant(i), ast.Load())} for i, w in enumerate(wholes)]
        return None

    def _known_rows(self, items: ast.Call, parts: list[ast.expr], is_zip: bool) -> list[dict[str, ast.expr]] | None:
        """The same for `zip(...)` and `enumerate(...)`, `parts` being the loop variables."""
        if is_zip and len(parts) == len(items.args):
            columns = [self._known_items(*column) for column in zip(items.args, parts, strict=True)]
            rows = zip(*(column or () for column in columns), strict=False)
            return None if None in columns else [{k: v for scope in row for k, v in scope.items()} for row in rows]
        if not is_zip and len(parts) == 2 and isinstance(parts[0], ast.Name) and items.args:
            inner = self._known_items(items.args[0], parts[1])
            return inner and [{parts[0].id: counted(i, items.args[1:]), **scope} for i, scope in enumerate(inner)]
        return None

    def _bound(self, target: ast.expr, value: Any) -> dict[str, ast.expr] | None:
        """The values of loop variables that are given a known value."""
        if isinstance(target, ast.Name):
            return {target.id: expression(value, target.id, self.module.class_name)}
        if not isinstance(target, ast.Tuple) or not isinstance(value, tuple | list) or len(value) != len(target.elts):
            return None
        inner = [self._bound(*pair) for pair in zip(target.elts, value, strict=True)]
        return None if None in inner else {k: v for scope in inner for k, v in (scope or {}).items()}

    def _folded(self, fold: str, node: ast.Call, loop: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """`sum(... for ... in ...)` and similar calls as a helper function with a loop."""
        if node.keywords or len(node.args) > (2 if fold == "sum" else 1):
            raise CannotCompile(f"`{ast.unparse(node)}`: {fold}(...) of a loop takes no further arguments here")
        bound = {n.id for g in loop.generators for n in all_nodes(g.target) if isinstance(n, ast.Name)}
        if bound & {n.id for n in all_nodes(loop.generators[0].iter) if isinstance(n, ast.Name)}:
            raise CannotCompile(f"`{ast.unparse(node)}`: give the loop variable a name of its own")
        own = {n for n in free_names(loop) if n in self.locals}
        if bound & set(self.with_definitions(own & set(self.inner))[0]):  # an inner function means another variable by this name
            raise CannotCompile(f"`{ast.unparse(node)}`: give the loop variable a name of its own")
        free, definitions = self.with_definitions(own)
        self.module.folds += 1
        name = f"{self.name}_{fold}{self.module.folds}"
        total, item, empty = (f"{word}_of_fold{self.module.folds}" for word in ("total", "item", "empty"))
        outside, self.locals = self.locals, self.locals | bound
        element = ast.unparse(ast.fix_missing_locations(self.visit(copied(loop.elt))))
        sure = 3 if self.kinds.of(loop.elt) == FLOAT else 0

        def compared(how: str) -> str:
            return f"zermelo_{how}({item}, {total}, {sure}, {ast.unparse(self._place(node))})"

        added = f"zermelo_add({total}, {element}, {ast.unparse(self._place(node))})"
        first_item = f"{item} = {element}\nif {empty}:\n    {total} = {item}\n    {empty} = False"
        step = {
            "sum": f"{total} = {added}",
            "any": f"if {element}:\n    return True",
            "all": f"if not ({element}):\n    return False",
            "min": f"{first_item}\nelif {compared('lt')}:\n    {total} = {item}",
            "max": f"{first_item}\nelif {compared('gt')}:\n    {total} = {item}",
        }[fold]
        for generator in reversed(loop.generators):
            for test in reversed(generator.ifs):
                condition = ast.unparse(ast.fix_missing_locations(self.visit(copied(test))))
                step = f"if {condition}:\n{textwrap.indent(step, '    ')}"
            items = ast.unparse(ast.fix_missing_locations(self.visit(self._items(copied(generator.iter)))))
            step = f"for {ast.unparse(generator.target)} in {items}:\n{textwrap.indent(step, '    ')}"
        self.locals = outside
        start = self.visit(node.args[1]) if len(node.args) > 1 else ast.Constant(0)
        before = {"sum": f"{total} = start_of_{total}", "any": "", "all": ""}.get(fold, f"{empty} = True")
        nothing = f'if {empty}:\n    raise ValueError("{fold}() of nothing")\nreturn {total}'
        after = {"any": "return False", "all": "return True", "sum": f"return {total}"}.get(fold, nothing)
        body = textwrap.indent("\n".join(line for line in (*definitions, before, step, after) if line), "    ")
        used = {n.id for n in all_nodes(parsed(textwrap.dedent(body))) if isinstance(n, ast.Name)}
        free = [n for n in free if n in used]
        arguments = [*free, *([f"start_of_{total}"] if fold == "sum" else [])]
        self.remember_line(name, node)
        self.helpers.append(f"@rule\ndef {name}({', '.join(arguments)}):\n{body}")
        return call(name, *map(name_of, free), *([start] if fold == "sum" else []))

    def with_definitions(self, free: set[str]) -> tuple[list[str], list[str]]:
        """The arguments of a helper that uses these local names, and the texts of the inner functions among them."""
        definitions: list[str] = []
        for name, function in reversed(self.inner.items()):
            if name in free:
                taken = (free_names(function) & self.locals) - local_names(function)
                free = (free | taken) - {name}
                definitions.insert(0, ast.unparse(ast.fix_missing_locations(function)))
        return sorted(free), definitions

    # operators -------------------------------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        replaced = self._replaced_item(node)
        if replaced is not None:
            return replaced
        if isinstance(node.op, ast.Mult):
            for items, times in ((node.left, node.right), (node.right, node.left)):
                if isinstance(items, ast.Tuple):
                    count = self.evaluate(times)
                    if count is MISSING:
                        raise CannotCompile(f"`{ast.unparse(node)}`: its length must follow from the parameters")
                    if count == 1 or all(map(self._may_be_asked_twice, items.elts)):
                        return ast.Tuple([self.visit(copied(e)) for _ in range(count) for e in items.elts], ast.Load())
                    once = [f"{{{i}}}" for i in range(len(items.elts))] * count
                    return self.evaluated_once("repeated", node, items.elts, f"({', '.join(once)}{',' if once else ''})")
        return self.arithmetic(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            if [ast.unparse(c) for c in node.comparators] == ["None"]:
                return self.generic_visit(node)  # type: ignore[return-value]
            raise CannotCompile(f"`{ast.unparse(node)}`: `is` compiles only before None: compare with ==")
        held = self.held(node.comparators[0]) if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn) else None
        if held is not None:
            at = call("zermelo_place_of", self.visit(name_of(held.keys)), self.visit(node.left))
            return ast.Compare(at, [ast.GtE() if isinstance(node.ops[0], ast.In) else ast.Lt()], [ast.Constant(0)])
        if isinstance(node.ops[-1], ast.In | ast.NotIn):
            node.comparators[-1] = self.in_parts(node.comparators[-1])
        table = self._table(node.comparators[-1])
        if table is not MISSING and isinstance(node.ops[-1], ast.In | ast.NotIn):
            array, *more = self.module.table(table).arrays  # type: ignore[union-attr]
            if array.ndim == 1 and not more:
                node.comparators[-1] = name_of(self.module.constant_name(array, hint_of(node.comparators[-1])))
        return self.compared(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        value = self.evaluate(node.value)
        if isinstance(value, int | float) and abs(value) >= 2**53:
            raise CannotCompile(f"`case {ast.unparse(node)}` can't compile: compare numbers from 2^53 on with `if`")
        return self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        raise CannotCompile(f"`{ast.unparse(node)}`: `:=` can't compile here: assign on a line of its own")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], self.visit(node.value), lineno=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.returns = None
        named = node.args
        if named.kwonlyargs and not named.vararg and (None not in named.kw_defaults or not named.defaults):
            named.args, named.kwonlyargs = [*named.args, *named.kwonlyargs], []
            named.defaults, named.kw_defaults = [*named.defaults, *filter(None, named.kw_defaults)], []
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        self._inside(local_names(node), node)
        if bound_names(self.tree).count(node.name) == 1 and node in own_nodes(self.tree):
            self.inner[node.name] = node
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return self._inside(local_names(node), node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._inside(bound_by(node), node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._inside(bound_by(node), node)

    def _inside(self, names: set[str], node: ast.AST) -> Any:
        """A function or comprehension with its own local names, which elsewhere may refer to something outside."""
        outside, self.locals = self.locals, self.locals | names
        self.generic_visit(node)
        self.locals = outside
        return node

    def _replaced_item(self, node: ast.BinOp) -> ast.expr | None:
        """`t[:i] + (x,) + t[i + 1:]` -> replace_item(t, i, x)."""
        match node:
            case ast.BinOp(
                left=ast.BinOp(
                    left=ast.Subscript(value=t1, slice=ast.Slice(lower=None, upper=i, step=None)),
                    op=ast.Add(), right=ast.Tuple(elts=[x]),
                ),
                op=ast.Add(),
                right=ast.Subscript(value=t2, slice=ast.Slice(lower=after, upper=None, step=None)),
            ) if i is not None and after is not None:  # fmt: skip
                sums = (ast.BinOp(i, ast.Add(), ast.Constant(1)), ast.BinOp(ast.Constant(1), ast.Add(), i))
                one_more = ast.dump(after) in map(ast.dump, sums)
                numbers = all(isinstance(n, ast.Constant) and isinstance(n.value, int) for n in (i, after))
                next_to = numbers and ast.literal_eval(after) == ast.literal_eval(i) + 1
                if ast.dump(t1) == ast.dump(t2) and (one_more or next_to) and all(map(self._may_be_asked_twice, (t1, i))):
                    return call("zermelo_replace_item", self.visit(t1), self.visit(i), self.visit(x))
        return None

    # outcomes ------------------------------------------------------------------------------------------------------------

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if self.member != "outcomes":
            return self.generic_visit(node)  # type: ignore[return-value]
        value = node.value
        if not isinstance(value, ast.Tuple) or len(value.elts) not in (3, 4):
            raise CannotCompile("write the outcome out where it is yielded: `yield ways, payoff, State(...)`")
        context = [name_of(self.self_name or "self"), name_of("zermelo_layout")]
        return ast.Yield(call(f"zermelo_emit{len(value.elts)}", *map(self.visit, value.elts), *context))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        raise CannotCompile("`yield from` can't compile: write `for x in ...: yield x`")
