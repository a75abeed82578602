"""Statements and calls of Python that numba refuses or takes otherwise, written so that it takes them as Python does.

`del`, counting into an empty dictionary, texts for errors, `.index(...)` of a constant, and which choices among a constant's items
can't be made.
"""

from __future__ import annotations

import ast
import enum
import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.syntax import all_nodes, bound_by, child_nodes, copied
from zermelo.language.source import MISSING
from zermelo.link.arithmetic import Arithmetic
from zermelo.link.constants import CannotCompile, expression, uniform
from zermelo.link.syntax import COMPREHENSIONS, call, local_names, name_of, own_nodes
from zermelo.link.tables import MANY

STARTS = ("get", "setdefault")  # methods of dictionaries that take the value to start with
SEARCHES = ("index", "count")


KEYS = "whole numbers, or tuples of as many whole numbers, as keys"


class Held(NamedTuple):
    """The names of constants that stand for a constant dictionary or set: `values` is "" for a set."""

    keys: str  # ascending
    values: str  # in this order
    items: str  # the keys in the order of the dictionary, or what is in the set
    in_order: str  # the values in the order of the dictionary
    pairs: str


class Idioms(Arithmetic):
    """The part of the rewriter that is about these."""

    member: str
    lengths: dict[str, int]  # of tuples made of lists, by their text
    assigned: dict[str, ast.expr]  # local names that are assigned once
    locals: set[str]
    empty: set[str]  # local names of dictionaries that begin empty
    inner: dict[str, ast.FunctionDef]
    functions_inside: set[str]
    written_out: dict[str, Any]  # constants that this function has names for
    tells: bool = False  # inside of what an error says

    # dictionaries that begin empty -------------------------------------------------------------------------------------------

    def kinds_told(self, node: ast.stmt) -> list[ast.stmt]:
        """`d[key] = value`, never run, before a statement with `d.get(key, value)`: numba must know what an empty dictionary will hold
        before it is asked for anything, and finds that in what is put into it."""
        told: list[ast.stmt] = []
        headers = [part for part in child_nodes(node) if not isinstance(part, ast.stmt | ast.match_case | ast.excepthandler)]
        inner = {name for part in headers for n in all_nodes(part) for name in _bound_inside(n)}
        for asked in (n for part in headers for n in all_nodes(part)):
            match asked:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[key, value], keywords=[]):
                    is_known = name in self.empty and method in STARTS and not _is_none(value)
                    if is_known and not inner & {n.id for n in all_nodes(asked) if isinstance(n, ast.Name)}:
                        place = ast.Subscript(name_of(name), self.visit(copied(key)), ast.Store())
                        put = ast.Assign([place], self.visit(copied(value)), lineno=node.lineno)
                        told.append(ast.copy_location(ast.If(call("zermelo_never"), [put], []), node))
        return told

    # del -------------------------------------------------------------------------------------------------------------------------

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        """`del a[i]` is `a.pop(i)`; a name that is deleted is not used again (language/checking/unbound.py)."""
        made: list[ast.stmt] = []
        for target in _targets(node):
            if isinstance(target, ast.Name):
                made.append(ast.copy_location(ast.Pass(), node))
            elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
                popped = ast.Call(ast.Attribute(self.visit(target.value), "pop", ast.Load()), [self.visit(target.slice)], [])
                made.append(ast.copy_location(ast.Expr(popped), node))
            else:
                made.append(ast.copy_location(ast.Delete([self.generic_visit(target)]), node))  # type: ignore[list-item]
        return made

    # tuples of lists -----------------------------------------------------------------------------------------------------------

    def lengths_told(self) -> dict[str, int]:
        """How long the tuples are that are put into a field of the state, by their text; 0 where that is not known."""
        given: dict[str, list[ast.expr]] = {}
        for node in all_nodes(self.tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                given.setdefault(node.targets[0].id, []).append(node.value)
        layout = self.module.layout
        fields = dict(zip(layout.state_class._fields, layout.lengths, strict=True))
        found: dict[str, set[int]] = {}
        for node in all_nodes(self.tree):
            placed: list[tuple[str | None, ast.expr]] = []
            if isinstance(node, ast.Call) and self._makes_states(node.func):
                placed = [*zip(fields, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
            elif isinstance(node, ast.Yield) and node.value is not None and self.member in ("actions", "other_actions"):
                placed = [(None, node.value)]
            for field, value in placed:
                for text in map(ast.unparse, given.get(value.id, []) if isinstance(value, ast.Name) else [value]):
                    found.setdefault(text, set()).add(fields.get(field or "", 0))
        return {text: lengths.pop() if len(lengths) == 1 else 0 for text, lengths in found.items()}

    def _makes_states(self, called: ast.expr) -> bool:
        is_class = isinstance(called, ast.Name) and self.resolve(called) is self.module.layout.state_class
        return is_class or (isinstance(called, ast.Attribute) and called.attr == "_replace")

    def tuple_of(self, node: ast.Call) -> ast.expr:
        """`tuple(items)`: as long as the field of the state to which it is given, or else as all tuples of the state, which is tested."""
        items, place = node.args[0], self._place(node)
        known = self.evaluate(node)
        if isinstance(known, tuple):
            return self.known(known, node, "items")
        if isinstance(items, ast.List | ast.Tuple) and not any(isinstance(item, ast.Starred) for item in items.elts):
            return ast.Tuple([self.visit(item) for item in items.elts], ast.Load())
        lengths = {n for n in self.module.layout.lengths if n}
        length = ast.Constant(self.lengths.get(ast.unparse(node), lengths.pop() if len(lengths) == 1 else 0))
        if isinstance(items, ast.Call) and self.resolve(items.func) is sorted and len(items.args) == 1:
            in_order = {k.arg: k.value for k in items.keywords}
            if in_order.keys() <= {"reverse"}:
                inner, reverse = items.args[0], in_order.get("reverse", ast.Constant(False))
                written = self.unrolled(inner) if isinstance(inner, ast.GeneratorExp | ast.ListComp) else None
                return call("zermelo_sorted_tuple", written or self.visit(inner), self.visit(reverse), length, place)
        if isinstance(items, ast.GeneratorExp | ast.ListComp):
            if (written := self.unrolled(items)) is not None:
                return written
            items = ast.copy_location(ast.ListComp(items.elt, items.generators), items)
        if not length.value and self._is_list(items):
            write = "write `tuple(items[i] for i in range(n))` with n from the parameters, or len(s.field)"
            raise CannotCompile(f"`{ast.unparse(node)}`: its length must be known: {write}")
        return call("zermelo_tuple_of", self.visit(items), length, place)

    def _is_list(self, node: ast.expr) -> bool:
        """Whether this is certainly a list."""
        if isinstance(node, ast.Name):
            node = self.assigned.get(node.id, node)
        if isinstance(node, ast.BinOp):
            return self._is_list(node.left) or self._is_list(node.right)
        is_made = isinstance(node, ast.Call) and self.resolve(node.func) in (sorted, list)
        return is_made or isinstance(node, ast.List | ast.ListComp)

    # constant dictionaries and sets ------------------------------------------------------------------------------------------------

    def held(self, node: ast.expr) -> Held | None:
        """What a constant dictionary or set holds, under names that only this function has; None for anything else."""
        value = self.evaluate(node) if isinstance(node, ast.Name | ast.Attribute) else MISSING
        if not isinstance(value, dict | set | frozenset) or not value:
            return None
        number, *parts = self.module.held(value)
        if parts[0] is None:
            return None
        held = Held(*(f"{part}_of_constant{number}" for part in Held._fields))
        self.written_out |= dict(zip(held, parts, strict=True))
        return held if isinstance(value, dict) else held._replace(values="", pairs="")

    def looked_up(self, held: Held, node: ast.expr, asked: list[ast.expr]) -> ast.expr:
        """`D[key]` or, with two that are asked, `D.get(key, otherwise)`."""
        self.module.folds += 1
        name = f"{self.name}_looked_up{self.module.folds}"
        item = ast.Subscript(name_of(held.values), name_of("zermelo_at"), ast.Load())
        keys, chosen = (ast.unparse(self.visit(n)) for n in (name_of(held.keys), item))
        missing = "    if zermelo_at < 0:\n        raise KeyError('a key that the dictionary does not hold')\n" if len(asked) == 1 else ""
        result = chosen if missing else f"{chosen} if zermelo_at >= 0 else zermelo_otherwise"
        arguments = ["zermelo_key", "zermelo_otherwise"][: len(asked)]
        self.remember_line(name, node)
        head = f"@rule\ndef {name}({', '.join(arguments)}):\n    zermelo_at = zermelo_place_of({keys}, zermelo_key)\n"
        self.helpers.append(f"{head}{missing}    return {result}")
        return call(name, *map(self.visit, asked))

    def gone_through(self, items: ast.expr) -> ast.expr:
        """What a loop goes through: of a constant dictionary or set, the tuple of its keys, values or pairs in their order."""
        match items:
            case ast.Call(func=ast.Attribute(value=owner, attr="keys" | "values" | "items" as part), args=[], keywords=[]):
                if (held := self.held(owner)) is None or not held.values:
                    return items
                return name_of({"keys": held.items, "values": held.in_order, "items": held.pairs}[part])
            case ast.Name() | ast.Attribute() if (held := self.held(items)) is not None:
                return name_of(held.items)
        return items

    def in_parts(self, items: ast.expr) -> ast.expr:
        """What is gone through, counted or looked into: part of a tuple between places that are known in play only, as part of a list."""
        if not isinstance(items, ast.Subscript) or not isinstance(items.slice, ast.Slice) or self.resolve(name_of("list")) is not list:
            return items
        places = (items.slice.lower, items.slice.upper, items.slice.step)
        is_open = any(at is not None and self.evaluate(at) is MISSING for at in places)
        meant = self.assigned.get(items.value.id, items.value) if isinstance(items.value, ast.Name) else items.value
        value, layout = self.evaluate(meant), self.module.layout
        fields = dict(zip(layout.state_class._fields, layout.lengths, strict=True))
        is_field = value is MISSING and isinstance(meant, ast.Attribute) and fields.get(meant.attr, 0) > 0
        is_constant = isinstance(value, tuple) and len(set(map(type, value))) == 1 and not self.is_table(value)
        if is_open and (is_field or is_constant):
            items.value = ast.copy_location(ast.Call(name_of("list"), [items.value], []), items)
        return items

    # loops that yield ------------------------------------------------------------------------------------------------------------

    def kept_while_it_yields(self, node: ast.For) -> list[ast.stmt]:
        """Let a loop that yields go through a list in place of a dictionary (kernels/support.py, `kept`), but stop where Python does: where
        the dictionary gets longer or shorter. Returns what stands before the loop."""
        if not any(isinstance(n, ast.Yield) for n in all_nodes(node)):
            return []
        owners: list[str] = []
        node.iter = self._kept(node.iter, owners)
        before: list[ast.stmt] = []
        for owner in owners:
            self.loops += 1
            size = f"zermelo_size{self.loops}"
            before.append(ast.Assign([ast.Name(size, ast.Store())], call("zermelo_dictionary_size", name_of(owner)), lineno=node.lineno))
            changed = ast.Compare(call("zermelo_dictionary_size", name_of(owner)), [ast.NotEq()], [name_of(size)])
            stop = ast.Raise(call("RuntimeError", ast.Constant("dictionary changed size during iteration")), None)
            node.body.insert(0, ast.copy_location(ast.If(changed, [stop], []), node))
            node.orelse.insert(0, ast.copy_location(ast.If(copied(changed), [copied(stop)], []), node))
        return before

    def _kept(self, items: ast.expr, owners: list[str]) -> ast.expr:
        """What a loop goes through, as it can be kept; `owners` : to be filled with the names of what may be dictionaries."""
        match items:
            case ast.Name(id=name) if name in self.locals:
                owners.append(name)
            case ast.Call(func=ast.Attribute(value=owner, attr="items" | "keys" | "values"), args=[], keywords=[]):
                owners += [owner.id] if isinstance(owner, ast.Name) and owner.id in self.locals else []
            case ast.Call() if self.resolve(items.func) in (zip, enumerate):
                items.args = [self._kept(part, owners) for part in items.args]
                return items
            case ast.Call() if inspect.isgeneratorfunction(self._called(items.func)) or not self._called(items.func):
                return items
            case ast.Call() | ast.Dict() | ast.DictComp() | ast.IfExp() | ast.BoolOp():
                pass
            case _:
                return items
        return call("zermelo_kept", items)

    def _called(self, called: ast.expr) -> Any:
        """The function of the rules that is called; None for anything else."""
        found = self.resolve(called)
        if isinstance(called, ast.Attribute) and found is MISSING:
            owners = self.module.game_class, self.module.layout.state_class
            found = next((getattr(owner, called.attr) for owner in owners if hasattr(owner, called.attr)), None)
        return found if isinstance(found, types.FunctionType) else None

    # exceptions ------------------------------------------------------------------------------------------------------------------

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Refused, also in policies, which the checker does not read: it would catch what stops compiled rules where Python goes on."""
        raise CannotCompile("`try` can't compile: test with `if` before the operation")

    # texts -----------------------------------------------------------------------------------------------------------------------

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return self._telling(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        if node.msg is None:
            return self.generic_visit(node)
        node.test = self.visit(node.test)
        node.msg = self._telling(node.msg)  # type: ignore[assignment]
        return node

    def _telling(self, node: ast.AST) -> ast.AST:
        before, self.tells = self.tells, True
        told = self.generic_visit(node) if isinstance(node, ast.Raise) else self.visit(node)
        self.tells = before
        return told

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        if all(isinstance(v, ast.Constant) for v in node.values):
            return ast.Constant("".join(v.value for v in node.values))  # type: ignore[attr-defined]
        if not self.tells:
            raise CannotCompile(f"`{ast.unparse(node)}`: formatted text can't compile: compare numbers, or texts as they are")
        is_simple = all(isinstance(v, ast.Constant) or _is_simple(v) for v in node.values)
        return self.generic_visit(node) if is_simple else ast.Constant(ast.unparse(node))  # type: ignore[return-value]

    # functions inside of a function ------------------------------------------------------------------------------------------------

    def without_names(self, node: ast.Call) -> None:
        """Write the arguments of a call of an inner function in its order: numba takes the defaults in place of those that are named."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not node.keywords or not (name in self.functions_inside or isinstance(node.func, ast.Lambda)):
            return
        text, inner = ast.unparse(node), self.inner.get(name)
        names = [a.arg for a in (*inner.args.posonlyargs, *inner.args.args)] if inner else []
        defaults = dict(zip(reversed(names), reversed(inner.args.defaults), strict=False)) if inner else {}
        given = dict(zip(names, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
        is_known = len(given) == len(node.args) + len(node.keywords) and given.keys() <= set(names) <= given.keys() | defaults.keys()
        taken = [defaults[n] for n in names if n not in given and n in defaults]
        if not is_known or not all(isinstance(getattr(default, "operand", default), ast.Constant) for default in taken):
            raise CannotCompile(f"`{text}` can't compile: give an inner function its arguments without their names, in their order")
        if list(given) != [n for n in names if n in given] and not all(map(self._may_be_asked_twice, given.values())):
            raise CannotCompile(f"`{text}` can't compile: give an inner function its arguments without their names, in their order")
        node.args, node.keywords = [given[n] if n in given else copied(defaults[n]) for n in names], []

    # constants --------------------------------------------------------------------------------------------------------------------

    def searched(self, node: ast.Call) -> ast.expr | None:
        """`NAMES.index(x)` and `.count(x)` of a constant tuple or list; None for anything else."""
        called = node.func
        if not isinstance(called, ast.Attribute) or called.attr not in SEARCHES or node.keywords:
            return None
        items = self.evaluate(called.value) if isinstance(called.value, ast.Name | ast.Attribute | ast.Tuple) else MISSING
        if not isinstance(items, tuple | list):
            return None
        found = self.evaluate(node)
        if type(found) is int:
            return ast.Constant(found)
        if self.is_table(items):
            raise CannotCompile(f"`{ast.unparse(node)}` among more than {MANY} numbers can't compile: write a `for` loop")
        method = ast.Attribute(call("zermelo_unchanged", self.visit(called.value)), called.attr, ast.Load())
        return ast.Call(method, [self.visit(argument) for argument in node.args], [])

    def sorted_by(self, node: ast.Call) -> ast.expr | None:
        """`sorted(items, key=...)` and `items.sort(key=...)`; None for anything else."""
        given = {k.arg: self.visit(k.value) for k in node.keywords if k.arg in ("key", "reverse")}
        if "key" not in given or _is_none(given["key"]) or len(given) < len(node.keywords):
            return None
        more = [given["key"], given.get("reverse", ast.Constant(False))]
        if len(node.args) == 1 and self.resolve(node.func) is sorted:
            return call("zermelo_in_order", self.visit(node.args[0]), *more)
        if not node.args and isinstance(node.func, ast.Attribute) and node.func.attr == "sort":
            return call("zermelo_put_in_order", self.visit(node.func.value), *more)
        return None

    def is_table(self, value: Any) -> bool:
        raise NotImplementedError

    def known(self, value: Any, node: ast.expr, hint: str) -> ast.expr:
        raise NotImplementedError

    def unrolled(self, node: ast.GeneratorExp | ast.ListComp) -> ast.Tuple | None:
        raise NotImplementedError

    def displayed(self, node: ast.Subscript) -> None:
        """Write `(1, 0.5)[i]` with numbers of one kind, as constants are written."""
        if not isinstance(node.value, ast.Tuple) or isinstance(node.slice, ast.Constant | ast.Slice):
            return
        values = self.evaluate(node.value)
        if isinstance(values, tuple) and all(isinstance(v, bool | int | float) for v in values) and len(set(map(type, values))) > 1:
            node.value = ast.Tuple([expression(v, "", lambda cls: cls.__name__) for v in uniform(values)], ast.Load())

    def place_in(self, index: ast.expr) -> ast.expr:
        """An index, with a truth value as the number that it is."""
        if isinstance(index, ast.Constant) and isinstance(index.value, bool):
            return ast.Constant(int(index.value))
        return call("int", index) if _is_truth(index) else index

    def can_choose(self, value: Any, indexes: list[ast.expr], node: ast.Subscript) -> None:
        """Refuse a choice by a variable among items of several kinds."""
        items = uniform(value)
        for index in indexes:
            if not isinstance(items, tuple | list) or hasattr(items, "_fields") or not items:
                return
            known = self.evaluate(index)
            if isinstance(known, int):
                if not -len(items) <= known < len(items):
                    return
                items = items[known]
                continue
            kinds = {_kind(item) for item in items}
            if len(kinds) > 1:
                raise CannotCompile(f"`{ast.unparse(node)}` can't compile: {_why_several(items, kinds)}")
            items = items[0]


def begins_empty(tree: ast.FunctionDef) -> set[str]:
    """The local names to which an empty dictionary is given."""
    given: list[tuple[ast.expr, ast.expr | None]] = []
    for node in own_nodes(tree):
        if isinstance(node, ast.Assign):
            given += [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign):
            given.append((node.target, node.value))
    found = set()
    for target, value in given:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            given += zip(target.elts, value.elts, strict=False)
        elif isinstance(target, ast.Name) and value is not None and _is_empty(value):
            found.add(target.id)
    return found


def _is_empty(value: ast.expr) -> bool:
    """Whether this is `{}` or `dict()`."""
    if isinstance(value, ast.Call):
        return getattr(value.func, "id", "") == "dict" and not value.args and not value.keywords
    return isinstance(value, ast.Dict) and not value.keys


def functions_inside(tree: ast.FunctionDef) -> set[str]:
    """The names of functions that are written inside of a function."""
    found = {n.name for n in all_nodes(tree) if isinstance(n, ast.FunctionDef) and n is not tree}
    assigned = [n for n in all_nodes(tree) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Lambda)]
    return found | {t.id for n in assigned for t in n.targets if isinstance(t, ast.Name)}


def _bound_inside(node: ast.AST) -> set[str]:
    if isinstance(node, COMPREHENSIONS):
        return bound_by(node)
    return local_names(node) if isinstance(node, ast.Lambda) else set()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_simple(value: ast.expr) -> bool:
    return isinstance(value, ast.FormattedValue) and value.format_spec is None and value.conversion == -1


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is certainly a truth value."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_truth, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _targets(node: ast.Delete) -> Iterator[ast.expr]:
    waiting = list(node.targets)
    while waiting:
        target = waiting.pop(0)
        if isinstance(target, ast.Tuple | ast.List):
            waiting = [*target.elts, *waiting]
        else:
            yield target


def _kind(value: Any) -> Any:
    """What a constant is for the compiler: items that a variable chooses from must all be the same."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list):
        cls = type(value) if hasattr(value, "_fields") else tuple
        return (cls, *(int if hasattr(value, "_fields") and isinstance(v, bool) else _kind(v) for v in value))
    return type(value)


def _why_several(items: Any, kinds: set[Any]) -> str:
    lengths = {len(item) if isinstance(item, tuple | list) else -1 for item in items}
    if len(lengths) > 1 and -1 not in lengths:
        return "what a variable chooses from must hold rows of one length (pad them with -1)"
    if kinds <= {bool, int, float}:
        return "it holds whole numbers beyond 2^53 and floats, and a variable chooses from numbers of one kind: write floats only, or none"
    return "what a variable chooses from must hold values of one kind"


