"""Rules -> native code: the only room that knows both a game's rules and the kernels.

The source of the rules is rewritten (a few idioms that numba can't take, see docs/design.md), written in front of the template
`kernels/rules.py` and saved as a module whose name is a hash of its text and of the versions of everything below it. numba keeps
the machine code of the two outer kernels beside that module, so that a second process compiles nothing; edited rules have another
text, hence another name, and can never meet stale machine code.
"""

from __future__ import annotations

import ast
import builtins
import enum
import hashlib
import importlib.util
import inspect
import math
import os
import sys
import tempfile
import textwrap
import types
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import RulesError
from zermelo.game import Rules, fields
from zermelo.layout import Layout
from zermelo.version import __version__

TEMPLATE = Path(__file__).parent / "kernels" / "rules.py"
COMPILED_MEMBERS = ("actions", "outcomes", "player", "payoff", "symmetries", "settled")


NO_ACTIONS = "@njit\ndef actions(game, s):\n    yield 0"
CUT_ACTIONS = """@njit
def actions(game, s):
    settled = rule_settled(game, s)
    for action in rule_actions(game, s):
        yield action
        if settled:
            break"""


class CannotCompile(Exception):
    """A construct that has no native counterpart; the text says which and what to write instead."""


# --- the text of the native module -----------------------------------------------------------------------------------


def module_text(rules: Rules, layout: Layout) -> str:
    """The source of the native module for these rules (without the template)."""
    return _Module(rules, layout).text()


class _Module:
    """Collects functions, constants and classes that the rules need, each once, and writes them down."""

    def __init__(self, rules: Rules, layout: Layout):
        self.rules, self.layout = rules, layout
        self.game, self.game_class = rules.game, type(rules.game)
        self.pieces: list[str] = []
        self.names: dict[int, str] = {}  # id of a Python object -> its name in the module
        self.alive: list[Any] = []  # keeps those objects alive, so that ids stay unique
        self.state_members: dict[str, str] = {}

    def text(self) -> str:
        state, game = self.layout.state_class, self.game_class
        self.class_name(state)
        head = [
            f"CHANCE = {self.rules.is_chance}",
            f"PAYOFFS = {len(self.rules.payoffs)}",
            self._game_of(),
            self._unpack(),
            self._pack(),
            self._payoff_floats(),
        ]
        for member in COMPILED_MEMBERS:
            if callable(getattr(game, member, None)):
                self.function_name(inspect.getattr_static(game, member), member)
        tail = [self._canonical(), *self._defaults()]
        body = "\n\n".join([*self.pieces_of_classes(), *head, *self.pieces, *tail])
        return body.replace("\n\n\n", "\n\n")

    # classes -----------------------------------------------------------------------------------------------------------

    def class_name(self, cls: type) -> str:
        if id(cls) not in self.names:
            taken = set(self.names.values())
            name = f"T{len([n for n in taken if n.startswith('T')])}_{cls.__name__}"
            self.names[id(cls)] = name
            self.alive.append(cls)
        return self.names[id(cls)]

    def pieces_of_classes(self) -> list[str]:
        found = []
        for cls in self.alive:
            if isinstance(cls, type):
                defaults = tuple(getattr(cls, "_field_defaults", {}).values())
                found.append(
                    f"{self.names[id(cls)]} = namedtuple({cls.__name__!r}, {cls._fields!r}, defaults={defaults!r})"  # type: ignore[attr-defined]
                )
        return found

    # functions ---------------------------------------------------------------------------------------------------------

    def function_name(self, function: Any, wanted: str | None = None, owner: type | None = None) -> str:
        """The name in the module of a helper or method; its rewritten text is added on first use."""
        if isinstance(function, property):
            function = function.fget
        is_static = isinstance(function, staticmethod)
        if is_static:
            function = function.__func__
        if id(function) in self.names:
            return self.names[id(function)]
        name = f"rule_{wanted}" if wanted else f"f{len(self.alive)}_{function.__name__}"
        self.names[id(function)] = name
        self.alive.append(function)
        self.pieces.append(
            _rewritten(self, function, name, is_method=wanted is not None or owner is not None, owner=owner)
        )
        return name

    def constant_name(self, value: Any, hint: str) -> str:
        if id(value) not in self.names:
            self.names[id(value)] = f"c{len(self.alive)}_{hint}"
            self.alive.append(value)
            self.pieces.insert(0, f"{self.names[id(value)]} = {_literal(value, hint)}")
        return self.names[id(value)]

    # what surrounds the rules --------------------------------------------------------------------------------------------

    def _game_of(self) -> str:
        parts: list[str] = []
        i, f = 0, 0
        for field, value in zip(fields(self.game_class), self.game, strict=True):
            if isinstance(value, bool):
                parts, i = [*parts, f"integers[{i}] != 0"], i + 1
            elif isinstance(value, int):
                parts, i = [*parts, f"integers[{i}]"], i + 1
            elif isinstance(value, float):
                parts, f = [*parts, f"floats[{f}]"], f + 1
            elif isinstance(value, tuple | list | str):
                parts.append(_literal(value, field.name))
            else:
                raise CannotCompile(
                    f"the parameter {field.name} = {value!r} is neither a number, a text nor a tuple of numbers"
                )
        name = "T_game"
        arguments = ", ".join(parts) if parts else ""
        return (
            f"{name} = namedtuple({self.game_class.__name__!r}, {self.game_class._fields!r})\n\n"
            f"@njit\ndef game_of(integers, floats):\n    return {name}({arguments})"
        )

    def _unpack(self) -> str:
        parts, slot = [], 0
        for n in self.layout.lengths:
            if n:
                parts.append("(" + "".join(self._slot(slot + i) + ", " for i in range(n)) + ")")
            else:
                parts.append(self._slot(slot))
            slot += n or 1
        return f"@njit\ndef unpack(key, layout):\n    return {self.class_name(self.layout.state_class)}({', '.join(parts)})"

    @staticmethod
    def _slot(slot: int) -> str:
        return f"((key >> layout[1][{slot}]) & (layout[2][{slot}] - 1)) + layout[0][{slot}]"

    def _pack(self) -> str:
        lines, slot = ["@njit", "def pack(s, layout):", "    key = np.int64(0)"], 0
        for field, n in enumerate(self.layout.lengths):
            for i in range(n or 1):
                item = f"s[{field}][{i}]" if n else f"s[{field}]"
                lines += [
                    f"    x = np.int64({item}) - layout[0][{slot}]",
                    f"    if x < 0 or x >= layout[2][{slot}]:",
                    "        return np.int64(-1)",
                    f"    key |= x << layout[1][{slot}]",
                ]
                slot += 1
        return "\n".join([*lines, "    return key"])

    def _payoff_floats(self) -> str:
        payoffs = [f"p[{j}]" for j in range(len(self.rules.payoffs))] if self.rules.has_several_payoffs else ["p"]
        parts = "".join(f"{p} * 1.0, " for p in payoffs)
        return f"@njit\ndef payoff_floats(p):\n    return ({parts})"

    def _canonical(self) -> str:
        lines = ["@njit", "def canonical(game, s, layout):", "    key = pack(s, layout)"]
        if hasattr(self.game_class, "symmetries"):
            lines += ["    for t in rule_symmetries(game, s):", "        other = pack(t, layout)"]
            lines += ["        if other < key:", "            key = other"]
        lines += ["    return key"]
        emit = (
            "@njit\ndef emit3(w, p, s, game, layout):\n"
            "    return w * 1.0, payoff_floats(p), canonical(game, s, layout), np.int64(1)\n\n"
            "@njit\ndef emit4(w, p, s, sign, game, layout):\n"
            "    return w * 1.0, payoff_floats(p), canonical(game, s, layout), np.int64(sign)"
        )
        return "\n".join(lines) + "\n\n" + emit

    def _defaults(self) -> list[str]:
        zeros = "(" + "0.0, " * len(self.rules.payoffs) + ")"
        has = lambda member: callable(getattr(self.game_class, member, None))  # noqa: E731
        return [
            "outcomes = rule_outcomes",
            NO_ACTIONS if not has("actions") else CUT_ACTIONS if has("settled") else "actions = rule_actions",
            "@njit\ndef player(game, s):\n    return " + ("np.int64(rule_player(game, s))" if has("player") else "0"),
            "@njit\ndef final_payoff(game, s):\n    return "
            + ("payoff_floats(rule_payoff(game, s))" if has("payoff") else zeros),
        ]


def _literal(value: Any, name: str) -> str:
    """A constant of the rules as source text."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, tuple | list):
        items = [_literal(v, name) for v in value]
        return "(" + "".join(item + ", " for item in items) + ")"
    if isinstance(value, np.ndarray | np.generic):
        return f"np.array({value.tolist()!r}, dtype=np.{value.dtype.name})"
    raise CannotCompile(
        f"the name `{name}` stands for a {type(value).__name__}; only numbers and tuples of numbers can be used"
    )


# --- rewriting one function --------------------------------------------------------------------------------------------


def _rewritten(module: _Module, function: Any, name: str, is_method: bool, owner: type | None) -> str:
    tree = function_tree(function)
    rewriter = _Rewriter(module, function, tree, name, is_method, owner)
    return rewriter.text()


def function_tree(function: Any) -> ast.FunctionDef:
    """The parsed source of a function."""
    if not isinstance(function, types.FunctionType):
        raise CannotCompile(f"`{getattr(function, '__name__', function)!s}` is not a plain Python function")
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError, IndentationError) as error:
        raise CannotCompile(
            f"the source of `{function.__qualname__}` can't be read ({error}); put the game into a file or a notebook cell"
        ) from None
    if not isinstance(tree, ast.FunctionDef):
        raise CannotCompile(f"`{function.__qualname__}` is a lambda or async function; write it with `def`")
    return tree


_UNKNOWN = object()


class _Rewriter(ast.NodeTransformer):
    """Rewrites one function of the rules; unknown names and constructs are left to numba."""

    def __init__(
        self, module: _Module, function: Any, tree: ast.FunctionDef, name: str, is_method: bool, owner: type | None
    ):
        self.module, self.function, self.tree, self.name = module, function, tree, name
        self.owner = owner
        arguments = [a.arg for a in tree.args.args]
        self.self_name = arguments[0] if is_method and arguments and owner is None else None
        self.locals = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | set(
            arguments
        )
        self.assigned_once = self._single_assignments()
        self.emits = name == "rule_outcomes"
        self.helpers: list[str] = []

    def text(self) -> str:
        tree = self.tree
        body = [self.visit(node) for node in self._without_docstring(tree.body)]
        flat = [n for node in body for n in (node if isinstance(node, list) else [node]) if n is not None]
        arguments = [a.arg for a in tree.args.args]
        if self.name == "rule_outcomes":
            if self.module.rules.is_chance:
                arguments.append("no_action")
            arguments.append("layout_")
        defaults = [ast.unparse(d) for d in tree.args.defaults]
        signature = [*arguments[: len(arguments) - len(defaults)], *(
            f"{a}={d}" for a, d in zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
        )] if defaults and self.name != "rule_outcomes" else arguments  # fmt: skip
        text = "\n".join(ast.unparse(ast.fix_missing_locations(n)) for n in flat) or "pass"
        definition = f"@njit\ndef {self.name}({', '.join(signature)}):\n{textwrap.indent(text, '    ')}"
        return "\n\n".join([*self.helpers, definition])

    @staticmethod
    def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
        first = body[0] if body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            return body[1:]
        return body

    def _single_assignments(self) -> dict[str, ast.expr]:
        found: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.id, []).append(None)
        return {
            n: v[0]
            for n, v in found.items()
            if len([x for x in v if x is not None]) == 1 and len(v) <= 2 and v[0] is not None
        }

    # names ---------------------------------------------------------------------------------------------------------------

    def resolve(self, name: str) -> Any:
        """The Python object that a name stands for, or _UNKNOWN for a local variable or an undefined name."""
        if name in self.locals:
            return _UNKNOWN
        closure = inspect.getclosurevars(self.function).nonlocals if self.function.__closure__ else {}
        for scope in (closure, self.function.__globals__, vars(builtins)):
            if name in scope:
                return scope[name]
        return _UNKNOWN

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression that depends on parameters and constants only, or _UNKNOWN."""
        scope: dict[str, Any] = {}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                if n.id == self.self_name:
                    scope[n.id] = self.module.game
                elif n.id in self.assigned_once:
                    scope[n.id] = self.evaluate(self.assigned_once[n.id])
                else:
                    scope[n.id] = self.resolve(n.id)
                if scope[n.id] is _UNKNOWN:
                    return _UNKNOWN
            elif isinstance(n, ast.Lambda | ast.Await | ast.Yield | ast.NamedExpr):
                return _UNKNOWN
        expression = ast.Expression(ast.fix_missing_locations(_copy(node)))
        return eval(
            compile(expression, "<rules>", "eval"), {}, scope
        )  # the user's own expression, run on their own parameters

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        return self._known(self.resolve(node.id), node, node.id)

    def _known(self, value: Any, node: ast.expr, hint: str) -> ast.expr:
        if value is _UNKNOWN or value is None:
            return node
        if isinstance(value, bool | int | float) and not isinstance(value, type):
            return ast.Constant(value.value if isinstance(value, enum.Enum) else value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            items = [ast.parse(_literal(v, hint), mode="eval").body for v in value]
            return ast.Call(ast.Name(self.module.class_name(type(value)), ast.Load()), items, [])
        if isinstance(value, tuple | list | np.ndarray):
            return ast.Name(self.module.constant_name(value, hint), ast.Load())
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return ast.Name(self.module.class_name(value), ast.Load())
        if isinstance(value, types.FunctionType):
            return ast.Name(self.module.function_name(value), ast.Load())
        if value is math or value is np:
            return ast.Name("math" if value is math else "np", ast.Load())
        name = getattr(value, "__name__", "")
        if getattr(builtins, name, None) is value:
            return ast.Name(name, ast.Load())
        if isinstance(value, types.BuiltinFunctionType) and getattr(math, name, None) is value:
            return ast.Attribute(ast.Name("math", ast.Load()), name, ast.Load())
        raise CannotCompile(f"`{hint}` is a {type(value).__name__}, which can't be used in compiled rules")

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.value.id == self.self_name:
                return self._member(node)
            value = self.resolve(node.value.id)
            if isinstance(value, type | types.ModuleType):
                member = getattr(value, node.attr, _UNKNOWN)
                if member is _UNKNOWN:
                    raise CannotCompile(f"`{ast.unparse(node)}` does not exist")
                if isinstance(value, type) and isinstance(
                    inspect.getattr_static(value, node.attr), staticmethod | types.FunctionType
                ):
                    return ast.Name(self.module.function_name(inspect.getattr_static(value, node.attr)), ast.Load())
                return self._known(member, node, node.attr)
        state = self.module.layout.state_class
        static = inspect.getattr_static(state, node.attr, None)
        if isinstance(static, property) and node.attr not in state._fields:
            return ast.Call(
                ast.Name(self.module.function_name(static, owner=state), ast.Load()), [self.visit(node.value)], []
            )
        return self.generic_visit(node)  # type: ignore[return-value]

    def _member(self, node: ast.Attribute) -> ast.expr:
        """`self.x`: a parameter, a constant of the class or a property."""
        cls = self.module.game_class
        if node.attr in cls._fields:
            if isinstance(getattr(self.module.game, node.attr), str | tuple | list):
                value = getattr(self.module.game, node.attr)
                return (
                    ast.Constant(value)
                    if isinstance(value, str)
                    else ast.Name(self.module.constant_name(value, node.attr), ast.Load())
                )
            return node
        static = inspect.getattr_static(cls, node.attr, _UNKNOWN)
        if static is _UNKNOWN:
            raise CannotCompile(f"`self.{node.attr}` does not exist in {cls.__name__}")
        if isinstance(static, property):
            function = ast.Name(self.module.function_name(static, node.attr), ast.Load())
            return ast.Call(function, [ast.Name(self.self_name or "self", ast.Load())], [])
        return self._known(static, node, node.attr)

    # calls ---------------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = node.func
        if isinstance(called, ast.Attribute):
            if called.attr == "_replace":
                return self._replaced_fields(node)
            if isinstance(called.value, ast.Name) and called.value.id == self.self_name:
                method = inspect.getattr_static(self.module.game_class, called.attr, None)
                if isinstance(method, types.FunctionType | staticmethod):
                    target = ast.Name(self.module.function_name(method, called.attr), ast.Load())
                    first = [] if isinstance(method, staticmethod) else [called.value]
                    return ast.Call(
                        target, [*first, *map(self.visit, node.args)], [self.visit(k) for k in node.keywords]
                    )
            state = self.module.layout.state_class
            method = inspect.getattr_static(state, called.attr, None)
            is_module = isinstance(called.value, ast.Name) and isinstance(
                self.resolve(called.value.id), types.ModuleType | type
            )
            if isinstance(method, types.FunctionType) and not called.attr.startswith("_") and not is_module:
                target = ast.Name(self.module.function_name(method, owner=state), ast.Load())
                return ast.Call(
                    target,
                    [self.visit(called.value), *map(self.visit, node.args)],
                    list(map(self.visit, node.keywords)),
                )
        if (
            isinstance(called, ast.Name)
            and self.resolve(called.id) is getattr(builtins, called.id, None)
            and len(node.args) >= 1
        ):
            first_argument = node.args[0]
            if called.id == "tuple" and isinstance(first_argument, ast.GeneratorExp | ast.ListComp):
                return self._unrolled(first_argument)
            if called.id in ("sum", "any", "all", "min", "max") and isinstance(
                first_argument, ast.GeneratorExp | ast.ListComp
            ):
                return self._folded(called.id, node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _replaced_fields(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        result: ast.expr = self.visit(node.func.value)
        for keyword in node.keywords:
            if keyword.arg is None:
                raise CannotCompile("`_replace(**...)` can't be compiled; name the fields")
            result = ast.Call(
                ast.Name("replace_field", ast.Load()),
                [result, ast.Constant(keyword.arg), self.visit(keyword.value)],
                [],
            )
        return result

    def _unrolled(self, node: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """`tuple(f(x) for x in items)` with a length known from the parameters or from the state: the tuple written out."""
        comprehension = node.generators[0]
        substitutions = self._known_items(comprehension.iter, comprehension.target)
        if len(node.generators) != 1 or substitutions is None:
            raise CannotCompile(
                f"`tuple({ast.unparse(node)})` has a length that isn't fixed by the parameters; write it with range(...) of parameters"
            )
        parts = []
        for scope in substitutions:
            tests = [self.evaluate(_substituted(test, scope)) for test in comprehension.ifs]
            if any(test is _UNKNOWN for test in tests):
                raise CannotCompile(f"`tuple({ast.unparse(node)})`: the condition makes its length depend on the state")
            if all(tests):
                parts.append(self.visit(_substituted(node.elt, scope)))
        return ast.Tuple(parts, ast.Load())

    def _known_items(self, items: ast.expr, target: ast.expr) -> list[dict[str, ast.expr]] | None:
        """What the loop variables stand for in each round, where the number of rounds is known; else None."""
        if (
            isinstance(items, ast.Call)
            and isinstance(items.func, ast.Name)
            and items.func.id == "enumerate"
            and len(items.args) == 1
        ):
            if not (isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[0], ast.Name)):
                return None
            inner = self._known_items(items.args[0], target.elts[1])
            return (
                None
                if inner is None
                else [{target.elts[0].id: ast.Constant(i), **scope} for i, scope in enumerate(inner)]
            )
        if not isinstance(target, ast.Name):
            return None
        lengths = dict(zip(self.module.layout.state_class._fields, self.module.layout.lengths, strict=True))
        if isinstance(items, ast.Attribute) and lengths.get(items.attr):
            return [{target.id: ast.Subscript(items, ast.Constant(i), ast.Load())} for i in range(lengths[items.attr])]
        values = self.evaluate(items)
        if values is _UNKNOWN or not all(isinstance(v, int | float) for v in values):
            return None
        return [{target.id: ast.Constant(value)} for value in values]

    def _folded(self, fold: str, node: ast.Call) -> ast.expr:
        """`sum(... for ... in ...)` and its kin as a helper function with a loop."""
        comprehension = node.args[0]
        assert isinstance(comprehension, ast.GeneratorExp | ast.ListComp)
        if node.keywords or len(node.args) > (2 if fold == "sum" else 1):
            raise CannotCompile(f"`{ast.unparse(node)}`: {fold}(...) of a loop takes no further arguments here")
        bound = {n.id for g in comprehension.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        free = sorted({
            n.id for n in ast.walk(comprehension)
            if isinstance(n, ast.Name) and n.id in self.locals and n.id not in bound
        })  # fmt: skip
        inner = _Rewriter.__new__(_Rewriter)
        inner.__dict__.update(self.__dict__)
        inner.locals = self.locals | bound
        inner.helpers = []
        element = ast.unparse(ast.fix_missing_locations(inner.visit(_copy(comprehension.elt))))
        start = ast.unparse(self.visit(node.args[1])) if fold == "sum" and len(node.args) > 1 else "0"
        first = {
            "sum": f"total = {start}",
            "any": "",
            "all": "",
            "min": "empty = True\ntotal = 0",
            "max": "empty = True\ntotal = 0",
        }[fold]
        step = {
            "sum": f"total += {element}",
            "any": f"if {element}:\n    return True",
            "all": f"if not ({element}):\n    return False",
            "min": f"item = {element}\nif empty or item < total:\n    total = item\nempty = False",
            "max": f"item = {element}\nif empty or item > total:\n    total = item\nempty = False",
        }[fold]
        text = step
        for generator in reversed(comprehension.generators):
            for test in reversed(generator.ifs):
                text = f"if {ast.unparse(ast.fix_missing_locations(inner.visit(_copy(test))))}:\n{textwrap.indent(text, '    ')}"
            iterated = ast.unparse(ast.fix_missing_locations(inner.visit(_copy(generator.iter))))
            text = f"for {ast.unparse(generator.target)} in {iterated}:\n{textwrap.indent(text, '    ')}"
        nothing = f'if empty:\n    raise ValueError("{fold}() of nothing")\nreturn total'
        last = {"any": "return False", "all": "return True", "sum": "return total"}.get(fold, nothing)
        name = f"{self.name}_{fold}{len(self.helpers)}"
        body = textwrap.indent("\n".join(line for line in (first, text, last) if line), "    ")
        self.helpers += [*inner.helpers, f"@njit\ndef {name}({', '.join(free)}):\n{body}"]
        return ast.Call(ast.Name(name, ast.Load()), [ast.Name(n, ast.Load()) for n in free], [])

    # tuples --------------------------------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        replaced = self._replaced_item(node)
        if replaced is not None:
            return replaced
        if isinstance(node.op, ast.Mult):
            for items, times in ((node.left, node.right), (node.right, node.left)):
                if isinstance(items, ast.Tuple):
                    count = self.evaluate(times)
                    if count is _UNKNOWN:
                        raise CannotCompile(f"`{ast.unparse(node)}`: the length isn't fixed by the parameters")
                    return ast.Tuple([self.visit(_copy(e)) for _ in range(count) for e in items.elts], ast.Load())
        return self.generic_visit(node)  # type: ignore[return-value]

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
                one_more = ast.unparse(after) in (f"{ast.unparse(i)} + 1", f"1 + {ast.unparse(i)}")
                next_to = (i, after)
                constant = all(isinstance(x, ast.Constant) and isinstance(x.value, int) for x in next_to) and (
                    ast.literal_eval(after) == ast.literal_eval(i) + 1
                )
                if ast.dump(t1) == ast.dump(t2) and (one_more or constant):
                    return ast.Call(
                        ast.Name("replace_item", ast.Load()), [self.visit(t1), self.visit(i), self.visit(x)], []
                    )
        return None

    # outcomes ------------------------------------------------------------------------------------------------------------

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if not self.emits:
            return self.generic_visit(node)  # type: ignore[return-value]
        value = node.value
        if not isinstance(value, ast.Tuple) or len(value.elts) not in (3, 4):
            raise CannotCompile("write the outcome out where it is yielded: `yield ways, payoff, State(...)`")
        emit = ast.Name(f"emit{len(value.elts)}", ast.Load())
        context = [ast.Name(self.self_name or "self", ast.Load()), ast.Name("layout_", ast.Load())]
        return ast.Yield(ast.Call(emit, [*map(self.visit, value.elts), *context], []))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        raise CannotCompile("`yield from` can't be compiled; write a loop: `for x in ...: yield ...`")


def _copy(node: Any) -> Any:
    return ast.parse(ast.unparse(ast.fix_missing_locations(node)), mode="eval").body


def _substituted(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr:
    class Substitute(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return values.get(name.id, name) if isinstance(name.ctx, ast.Load) else name

    return ast.fix_missing_locations(Substitute().visit(_copy(node)))


# --- the compiled module -----------------------------------------------------------------------------------------------

HEAD = '''"""Written by Zermelo from the rules of {game}; the file's name is a hash of its text. It can be deleted at any time."""
import math
from collections import namedtuple
import numpy as np
from numba import njit
from zermelo.kernels.status import *
from zermelo.kernels.support import replace_field, replace_item
from zermelo.kernels.tables import hashed_place
'''


class NativeRules:
    """The compiled kernels of one game: `explore` and `materialize` bound to its parameters."""

    def __init__(self, rules: Rules, layout: Layout):
        self.rules = rules
        try:
            text = module_text(rules, layout)
        except CannotCompile as error:
            raise RulesError(rules.name, [str(error)]) from None
        self.module = load_module(HEAD.format(game=rules.name) + text + "\n\n" + TEMPLATE.read_text())
        numbers = [v for v in rules.game if not isinstance(v, tuple | list | str)]
        self.integers = np.array([int(v) for v in numbers if isinstance(v, int)], dtype=np.int64)
        self.floats = np.array([v for v in numbers if isinstance(v, float)], dtype=np.float64)

    def explore(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.explore, layout, *arguments)

    def materialize(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.materialize, layout, *arguments)

    def _call(self, kernel: Callable[..., int], layout: Layout, *arguments: Any) -> int:
        from numba.core.errors import NumbaError, UnsupportedBytecodeError

        try:
            return kernel(self.integers, self.floats, layout_numbers(layout), *arguments)
        except (NumbaError, UnsupportedBytecodeError, AssertionError, NotImplementedError) as error:
            raise RulesError(self.rules.name, [compiler_fault(error)]) from None
        except (ArithmeticError, LookupError, ValueError) as error:
            fault = f"a rule raised {type(error).__name__}: {error}, at a state that the checker did not try"
            raise RulesError(self.rules.name, [fault]) from None


def layout_numbers(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Lowest value, shift and number of values of each slot. A tuple, so that compiled code keeps them in registers."""
    return tuple(layout.low), tuple(layout.shifts), tuple(1 << b for b in layout.bits)


def compiler_fault(error: Exception) -> str:
    """What the compiler could not take, in one line without its traceback."""
    import re

    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    reasons = [
        line for line in lines if line and not line.startswith(("During", "File", "Failed in", "Traceback", "-", "^"))
    ]
    source = [lines[i - 1] for i, line in enumerate(lines) if line == "^" and i > 0]
    reason = next((line for line in reasons if not line.startswith("- ")), "it has no native counterpart")
    where = f" in the line `{source[0]}`" if source else ""
    return f"these rules run in Python but can't be compiled{where}: {reason.rstrip('.')}. See docs/writing-games.md, 'What compiles'."


def cache_directory() -> Path:
    """Where native modules and their machine code are kept: $ZERMELO_CACHE, or the user's cache directory."""
    if "ZERMELO_CACHE" in os.environ:
        return Path(os.environ["ZERMELO_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "zermelo"


@lru_cache(maxsize=256)
def load_module(text: str) -> types.ModuleType:
    """The module with this text, imported from the cache directory; written there first where it is missing."""
    import numba

    support = "".join((TEMPLATE.parent / name).read_text() for name in ("status.py", "support.py", "tables.py"))
    stamp = "\n".join([__version__, numba.__version__, np.__version__, sys.version, support, text])
    name = "rules_" + hashlib.sha256(stamp.encode()).hexdigest()[:32]
    path = _written(cache_directory(), name, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _written(directory: Path, name: str, text: str) -> Path:
    path = directory / f"{name}.py"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_text() == text:
            return path
        descriptor, temporary = tempfile.mkstemp(dir=directory, suffix=".tmp")
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        os.replace(temporary, path)
        return path
    except OSError:  # a read-only home: compile anew in every process rather than fail
        private = Path(tempfile.mkdtemp(prefix="zermelo-"))
        (private / f"{name}.py").write_text(text)
        return private / f"{name}.py"
