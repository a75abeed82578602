"""Faults that show in the source of rules without running them: what cannot compile and names that do not exist.

Only constructs that surely fail are reported (each tried against numba 0.68 and the rewriting of `link/`), and lines that do nothing: rules
that pass here can still meet the compiler's refusal, but nothing else that compiles is refused. Standard library only.
"""

from __future__ import annotations

import ast
import builtins
import collections
import enum
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from zermelo.basics.syntax import all_nodes, child_nodes, copied
from zermelo.errors import RulesError
from zermelo.language.checking.unbound import unbound
from zermelo.language.members import COMPILED, Member, compiled_of, in_force
from zermelo.language.named_values import with_names_first
from zermelo.language.names import did_you_mean, place
from zermelo.language.readings import readings
from zermelo.language.rules import Rules
from zermelo.language.shorthand import CHOICES, uses_shorthand, written_in_full
from zermelo.language.source import (
    MISSING,
    Part,
    Reference,
    called_by,
    is_foreign,
    members,
    own_members,
    plain,
    reachable,
    references,
)

NUMBERS = frozenset({int, float})
MOST_KNOWN = 1000  # functions
FOLDS = ("sum", "any", "all", "min", "max")
NO_BUILTIN = {
    "reversed": "write `range(n - 1, -1, -1)`, or `items[::-1]`",
    "frozenset": "use a tuple of numbers",
    "bin": "use bit operations, or `n.bit_count()`",
}
NO_BUILTIN |= dict.fromkeys(
    ("callable", "dir", "eval", "exec", "format", "globals", "id", "input", "locals", "open", "vars"), "leave it out"
)
NO_MATH = {"cbrt", "dist", "factorial", "fmod", "fsum", "isclose", "isqrt", "lcm", "ldexp", "modf", "perm", "prod", "remainder"}
NO_METHOD = {"_asdict": "name the fields"}

CHANGING = {"add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "reverse", "sort", "update"}  # methods of lists, sets
TAKES_APART = "a `case` that takes something apart, as `case (0, y)` does, can't compile: compare the items with `if`"
Kind = tuple[str, ...]
SourceFaults = Iterator[tuple[Kind, str]]


def source_faults(game: Any, state_class: type | None) -> SourceFaults:
    """Every fault in the source of the compiled members and their helpers, with a key under which like faults fall."""
    game_class = type(game)
    try:
        rules = Rules(game)
        native = compiled_of(rules)
        first = members(game_class, native).values()
        parts = reachable(first, game_class, readings(game).values())
    except RulesError as error:
        yield from ((("source",), fault) for fault in error.faults)
        return
    known = in_force(rules)
    for this in _called(parts.values(), first):
        member = known.get(this.function.__name__) if this.owner else None
        if member:
            yield from _not_a_generator(this, member)
        yield from _part_faults(_in_full(this), state_class if member and member.name in native else None)


@lru_cache(maxsize=MOST_KNOWN)
def _in_full(this: Part) -> Part:
    """The part without shorthand that compiles."""
    if isinstance(this.tree, ast.Lambda) or not uses_shorthand(this.tree):
        return this
    return this._replace(tree=written_in_full(copied(this.tree), this.function))


def _called(parts: Iterable[Part], first: Iterable[FunctionType]) -> list[Part]:
    """The parts that these functions call: without methods of the state and the like that none of them names, such as texts for people,
    which need not compile."""
    known = {this.function: this for this in parts}
    found = dict.fromkeys(function for function in first if function in known)
    methods: dict[str, list[Any]] = {}  # of classes that are named, by name
    named: set[str] = set()
    waiting = list(found)
    for function in waiting:
        this, called = known[function], list[Any]()
        named |= {n.attr for n in all_nodes(this.tree) if isinstance(n, ast.Attribute)}
        for reference in references(this):
            if isinstance(reference.value, type):
                for name, value in own_members(reference.value).items() if hasattr(reference.value, "_fields") else ():
                    methods.setdefault(name, []).append(plain(value))
            else:
                called += [other for other, _ in called_by(reference, this.owner)]
        called += [other for name in named & methods.keys() for other in methods.pop(name)]
        new = [other for other in dict.fromkeys(called) if other in known and other not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return [known[function] for function in found]


def outside(game: Any) -> dict[str, tuple[Any, str]]:
    """What the compiled members and their helpers could change outside of a state, by name: lists and the like in constants, parameters and
    defaults of arguments, as they are now, and where they are used first. Nothing if the source can't be read. Raises `RulesError`."""
    game_class = type(game)
    try:
        parts = reachable(members(game_class, compiled_of(Rules(game))).values(), game_class, readings(game).values()).values()
    except RulesError:
        return {}
    found: dict[str, tuple[Any, str]] = {}
    for this in parts:
        held: dict[str, tuple[Any, ast.AST]] = {}
        for name, value in _defaults(this.function):
            held[f"{name}` of `{this.function.__name__}"] = value, this.tree
        for node, name, value, within in references(this):
            is_parameter = within is game_class and name.rpartition(".")[2] in game_class._fields
            held.setdefault(name, (getattr(game, name.rpartition(".")[2]) if is_parameter else value, node))
        for name, (value, node) in held.items():
            if _can_change(value):
                where = place(this.file, node.lineno)  # type: ignore[attr-defined]
                try:
                    found.setdefault(name, (_as_it_is(value), where))
                except RecursionError:
                    raise RulesError(game_class.__name__, [f"`{name}` contains itself: write it as a tuple of numbers {where}"]) from None
    return found


def changed(before: dict[str, tuple[Any, str]], game: Any) -> SourceFaults:
    """Faults: what the rules have changed since."""
    now = outside(game) if before else {}
    for name, (value, where) in before.items():
        if name in now and now[name][0] != value:
            text = f"`{name}` is changed by the rules, which depend only on the state and the parameters: put what changes into the state"
            yield ("changed", name), f"{text} {where}"


def _defaults(function: Any) -> Iterator[tuple[str, Any]]:
    values = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    yield from zip(names[len(names) - len(values) :], values, strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def _can_change(value: Any) -> bool:
    if isinstance(value, tuple):
        return not NUMBERS.issuperset(map(type, value)) and any(map(_can_change, value))  # quickly, as tables are large
    return isinstance(value, list | dict | set)


def _as_it_is(value: Any) -> Any:
    """A copy to be compared later."""
    if isinstance(value, list | tuple):
        return tuple(map(_as_it_is, value))
    if isinstance(value, dict):
        return tuple((key, _as_it_is(item)) for key, item in value.items())
    if isinstance(value, set):
        return frozenset(value)
    return value if value is None or isinstance(value, int | float | str) else repr(value)


def _not_a_generator(this: Part, member: Member) -> SourceFaults:
    if member.yields and not inspect.isgeneratorfunction(this.function):
        name, where = member.name, place(this.file, this.function.__code__.co_firstlineno)
        text = f"`{name}` must yield: write a line `yield ...` with {member.yields} for each one, do not return them {where}"
        yield ("generator", name), text
    elif member.yields and not isinstance(this.tree, ast.Lambda):
        for node in _returns(this.tree):
            where = place(this.file, node.lineno)
            text = f"`{member.name}` yields, so what `{ast.unparse(node)}` returns is lost"
            yield ("lost", this.file, member.name), f"{text}: write `yield`, or `yield from`, for each of these {where}"


def _returns(function: ast.AST) -> Iterator[ast.Return]:
    """Where a function returns something, in itself; `None`, `0`, `[]` and the like stand for nothing."""
    for node in child_nodes(function):
        if isinstance(node, ast.Return) and not _is_nothing(node.value):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from _returns(node)


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or isinstance(value, ast.Constant) or (isinstance(value, ast.List | ast.Tuple) and not value.elts)


def _part_faults(this: Part, state_class: type | None) -> SourceFaults:
    yield from _remembered(_known, this, _found_in)
    for reference in references(this):
        yield from _reference_faults(this, reference)
    yield from _state_fields(this, state_class)


Found = TypeVar("Found")
Read = tuple[CodeType, str, str, bool]  # a function that was read before: what is read from it is the same, whatever names mean now
_known: dict[Read, list[tuple[Kind, str]]] = {}  # what is wrong with it
_fields: dict[Read, list[tuple[str, int]]] = {}  # the fields of states that it uses


def _remembered(known: dict[Read, list[Found]], this: Part, find: Callable[[Part], Iterable[Found]]) -> list[Found]:
    key = this.function.__code__, this.file, this.name, bool(this.owner)
    if key not in known:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[key] = list(find(this))
    return known[key]


def _found_in(this: Part) -> SourceFaults:
    parents = {id(c): p for p in all_nodes(this.tree) for c in child_nodes(p)}
    for message, node in [*_signature(this), *_constructs(this, parents), *_yields(this), *_of_bases(this, parents)]:
        yield ("construct", this.file, message), f"{message} {place(this.file, node.lineno)}"  # type: ignore[attr-defined]
    tree = this.tree
    if isinstance(tree, ast.FunctionDef) and any(isinstance(n, ast.NamedExpr) for n in all_nodes(tree)):
        tree = with_names_first(copied(tree))
        for node in (n for n in all_nodes(tree) if isinstance(n, ast.NamedExpr)):
            message = f"`{ast.unparse(node)}`: `:=` can't compile here: assign on a line of its own"
            yield ("construct", this.file, message), f"{message} {place(this.file, node.lineno)}"
    for name, node in unbound(tree):
        where = place(this.file, node.lineno)  # type: ignore[attr-defined]
        text = f"`{name}` may have no value here: give it one before, on every path"
        yield ("unbound", this.file, this.name, name), f"{text} {where}"


def _signature(this: Part) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(this.tree, ast.Lambda):
        yield f"the helper `{this.name}` is a lambda, which can't compile: write it with `def`", this.tree
    arguments = this.tree.args
    if arguments.vararg or arguments.kwarg:
        yield f"`{this.name}` takes `*` arguments, which can't compile: name them one by one", this.tree
    if arguments.kwonlyargs and this.owner and this.function.__name__ in COMPILED:
        yield f"`{this.function.__name__}` takes arguments after `*`, which nobody gives: remove them", this.tree
    elif arguments.defaults and None in arguments.kw_defaults:
        name = arguments.kwonlyargs[arguments.kw_defaults.index(None)].arg
        yield f"`{this.name}` takes `{name}` without a default after others with one: give it one", this.tree


def _constructs(this: Part, parents: dict[int, ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for node in all_nodes(this.tree):
        check = CONSTRUCTS.get(type(node))
        message = check(node, parents) if check else None
        if message:
            yield message, node


def _yields(this: Part) -> Iterator[tuple[str, ast.AST]]:
    if this.function.__name__ != "outcomes" or not this.owner:
        return
    for node in all_nodes(this.tree):
        if isinstance(node, ast.Yield) and not isinstance(node.value, ast.Tuple):
            yield "write the outcome out where it is yielded: `yield ways, payoff, State(...)`", node


def _of_bases(this: Part, parents: dict[int, ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """`super()`, with what compiles in its place."""
    for node in all_nodes(this.tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "super" or this.owner is None:
            continue
        asked, own = parents.get(id(node)), this.owner.__mro__
        home = next((k for k, cls in enumerate(own) if any(plain(m) is this.function for m in vars(cls).values())), len(own))
        bases = (cls.__name__ for cls in own[home + 1 :] if isinstance(asked, ast.Attribute) and asked.attr in vars(cls))
        base, called = next(bases, "Base"), parents.get(id(asked))
        if isinstance(asked, ast.Attribute) and isinstance(called, ast.Call) and called.func is asked:
            given = ", ".join(["self", *map(ast.unparse, (*called.args, *called.keywords))])
            yield f"`{ast.unparse(called)}` can't compile: write `{base}.{asked.attr}({given})`", node
        else:
            yield f"`super` can't compile: name the class, as in `{base}.method(self)`", node


def _statement(node: ast.Expr, parents: dict[int, ast.AST]) -> str | None:
    """An expression that stands alone and does nothing: mostly one before which `yield` or `return` was forgotten."""
    value = node.value
    is_idle = isinstance(value, ast.Tuple) or not any(isinstance(n, ast.Call) for n in all_nodes(value))
    if not is_idle or any(isinstance(n, ast.Yield | ast.YieldFrom | ast.NamedExpr | ast.Await) for n in all_nodes(value)):
        return None
    if isinstance(value, ast.Constant) and (value.value is ... or isinstance(value.value, str)):
        return None  # a placeholder, a text about the rule
    text = ", ".join(map(ast.unparse, value.elts)) if isinstance(value, ast.Tuple) else ast.unparse(value)
    return f"`{text}` alone does nothing: was `yield` or `return` meant before it{_or_else(value)}?"


def _or_else(value: ast.expr) -> str:
    """What else an idle expression may be a slip for: ", or `x = 1`" for x == 1; "" if nothing is plain."""
    if isinstance(value, ast.Compare) and isinstance(value.left, ast.Name | ast.Subscript) and [*map(type, value.ops)] == [ast.Eq]:
        return f", or `{ast.unparse(value.left)} = {ast.unparse(value.comparators[0])}`"
    if isinstance(value, ast.Attribute) and value.attr in CHANGING:
        return f", or `{ast.unparse(value)}(...)`"
    return ""


def _call(node: ast.Call, parents: dict[int, ast.AST]) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    keywords = [k.arg for k in node.keywords]
    if None in keywords:
        return "`**` in a call can't compile: name the arguments"
    if isinstance(node.func, ast.Attribute) and node.func.attr in NO_METHOD:
        return f"`.{node.func.attr}()` can't compile: {NO_METHOD[node.func.attr]}"
    if name == "round" and len(node.args) > 1:
        return f"`{ast.unparse(node)}` rounds otherwise when it is compiled: round only what is shown, or scale by hand"
    if name == "zip" and keywords:
        return "`zip(..., strict=...)` can't compile: leave `strict` out"
    if name == "enumerate" and keywords:
        return "`enumerate(..., start=...)` can't compile: write the start without its name, `enumerate(x, 1)`"
    if name == "sum" and keywords and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
        return "`sum(..., start=...)` can't compile: write the start without its name, `sum((...), 1)`"
    if name in ("min", "max") and keywords:
        return f"`{name}(..., {keywords[0]}=...)` can't compile: write a `for` loop"
    return None


def _compare(node: ast.Compare, parents: dict[int, ast.AST]) -> str | None:
    is_of_none = len(node.ops) == 1 and "None" in (ast.unparse(node.left), ast.unparse(node.comparators[0]))
    if is_of_none or not any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
        return None
    return f"`{ast.unparse(node)}`: `is` compiles only before None: compare with =="


def _formatted(node: ast.JoinedStr, parents: dict[int, ast.AST]) -> str | None:
    """Formatted text that is not only said by an error."""
    inside: ast.AST = node
    while (around := parents.get(id(inside))) is not None:
        if isinstance(around, ast.Raise | ast.JoinedStr) or (isinstance(around, ast.Assert) and around.msg is inside):
            return None
        inside = around
    if all(isinstance(value, ast.Constant) for value in node.values):
        return None
    return f"`{ast.unparse(node)}`: formatted text can't compile: compare numbers, or texts as they are"


def _generator(node: ast.GeneratorExp, parents: dict[int, ast.AST]) -> str | None:
    parent = parents.get(id(node))
    if isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in (*FOLDS, "tuple") and parent.args[0] is node:
        return None
    called = getattr(parent.func, "id", "") if isinstance(parent, ast.Call) and parent.args == [node] else ""
    instead = "`set([... for ...])`" if called == "set" else "a `for` loop"
    return f"a generator expression compiles only directly inside tuple, list, sorted, {', '.join(FOLDS)}: write {instead}"


def _handler(node: ast.ExceptHandler, parents: dict[int, ast.AST]) -> str | None:
    """Numba takes `except Exception`, but that would also catch what stops compiled rules where Python goes on, as beyond 64 bits."""
    what = f"except {ast.unparse(node.type)}" if node.type else "except"
    return f"`{what}` can't compile: test with `if` before the operation"


def _finally(node: ast.Try, parents: dict[int, ast.AST]) -> str | None:
    return "`finally` can't compile: leave it out" if node.finalbody else None


def _singleton(node: ast.MatchSingleton, parents: dict[int, ast.AST]) -> str | None:
    if node.value is None:
        return None
    return f"`case {node.value}` can't compile: write `case {int(node.value)}`, which stands for the truth value, too"


def _starred(node: ast.Starred, parents: dict[int, ast.AST]) -> str | None:
    if isinstance(node.ctx, ast.Store):
        return "`*` on the left of `=` can't compile: take the items by index"
    return None


def _attribute(node: ast.Attribute, parents: dict[int, ast.AST]) -> str | None:
    if isinstance(node.ctx, ast.Store):
        if getattr(node.value, "id", "") == "self":
            return f"`{ast.unparse(node)} = ...`: parameters can't be changed; put into the state what changes in play"
        if getattr(node.value, "id", "")[:1].isupper():
            return f"`{ast.unparse(node)} = ...`: a class can't be changed; put into the state what changes in play"
        return f"`{ast.unparse(node)} = ...`: a state can't be changed; make a new one with State(...) or `_replace`"
    return None


def _always(message: str) -> Callable[..., str]:
    return lambda node, parents: message


CONSTRUCTS: dict[type, Callable[..., str | None]] = {
    ast.Expr: _statement,
    ast.Call: _call,
    ast.GeneratorExp: _generator,
    ast.ExceptHandler: _handler,
    ast.Try: _finally,
    ast.Starred: _starred,
    ast.Attribute: _attribute,
    ast.Compare: _compare,
    ast.JoinedStr: _formatted,
    ast.MatchSingleton: _singleton,
    **dict.fromkeys((ast.MatchSequence, ast.MatchMapping, ast.MatchClass), _always(TAKES_APART)),
    ast.With: _always("`with` can't compile: leave it out"),
    ast.Import: _always("`import` inside a rule can't compile: put it at the top of the file"),
    ast.ImportFrom: _always("`import` inside a rule can't compile: put it at the top of the file"),
    ast.Global: _always("`global` can't compile: rules depend only on the state and the parameters"),
    ast.Nonlocal: _always("`nonlocal` can't compile: pass the value as an argument"),
    ast.ClassDef: _always("a class inside a rule can't compile: put it at the top of the file"),
    ast.SetComp: _always("a set comprehension can't compile: write a `for` loop"),
    ast.AsyncFunctionDef: _always("`async` can't compile: write a plain `def`"),
    ast.Await: _always("`await` can't compile: leave it out"),
}


def _reference_faults(this: Part, found: Reference) -> SourceFaults:
    where = place(this.file, found.node.lineno)  # type: ignore[attr-defined]
    if found.value is MISSING:
        yield _missing(this, found, where)
        return
    message = _bad_value(found)
    if message:
        yield ("value", found.name), f"`{found.name}` {message} {where}"


def _missing(this: Part, found: Reference, where: str) -> tuple[Kind, str]:
    head, _, last = found.name.rpartition(".")
    if head:
        owner = head if found.within is not this.owner else this.owner.__name__ if this.owner else head
        text = f"`{found.name}` does not exist{did_you_mean(last, dir(found.within))} {where}"
        return ("attribute", getattr(found.within, "__name__", owner), last), text
    if this.owner is not None and hasattr(this.owner, found.name):
        return ("name", found.name), f"the name `{found.name}` is not defined; did you mean `self.{found.name}`? {where}"
    near = {*this.function.__globals__, *dir(builtins), *this.function.__code__.co_varnames}
    return ("name", found.name), f"the name `{found.name}` is not defined{did_you_mean(found.name, near)} {where}"


def _bad_value(found: Reference) -> str | None:
    """Why a value from outside can't be used in compiled rules, and what to use; None if it can or may."""
    value = found.value
    root = str(getattr(value, "__module__", None) or "").lstrip("_").partition(".")[0]
    if root == "random" or getattr(found.within, "__name__", "") in ("random", "numpy.random"):
        return "draws at random, but rules must always give the same answer: put chance into `outcomes`, as ways"
    if isinstance(value, property):
        return None
    if found.name.endswith("._make"):
        return "can't compile: name the fields one by one, as in State(a, b)"
    if isinstance(value, FunctionType | staticmethod | classmethod) or plain(value) is not value:
        return _bad_function(value)
    if isinstance(value, BuiltinFunctionType):
        return _bad_builtin(value, root)
    if isinstance(value, type):
        return _bad_class(value)
    return _bad_constant(value)


def _bad_function(value: Any) -> str | None:
    function = value.__func__ if isinstance(value, staticmethod) else value
    if isinstance(function, classmethod):
        return "is a classmethod, which can't compile: make it a function of the module"
    if plain(function) is not function and not is_foreign(plain(function)):
        return "is decorated (a cache?), which can't compile: remove the decorator"
    return None


def _bad_builtin(value: BuiltinFunctionType, root: str) -> str | None:
    name = value.__name__
    if root == "builtins":
        return f"can't compile: {NO_BUILTIN[name]}" if name in NO_BUILTIN else None
    if root == "math":
        return "can't compile: write it as a helper with a loop" if name in NO_MATH else None
    return None if root == "numpy" else f"is a function of `{root}`, which can't compile: write a helper of your own"


def _bad_class(value: type) -> str | None:
    if value.__module__ == "builtins":
        return f"can't compile: {NO_BUILTIN[value.__name__]}" if value.__name__ in NO_BUILTIN else None
    if issubclass(value, enum.Enum):
        members = "compiles only as one of its members, such as `Color.RED`"
        return f"is an enumeration, which {members}; to go through all of them, write `COLORS = tuple(Color)` at the top of the file"
    if hasattr(value, "_fields") or value.__module__.partition(".")[0] in ("numpy", "numba"):
        return None
    if value in (itertools.product, *CHOICES):
        return f"of `itertools` compiles only in a `for` over {value.__name__}(range(n), 2) or the like, without `break`: write `for` loops"
    if value in (collections.Counter, collections.defaultdict):
        return "belongs to `collections`, which can't compile: count in a dictionary of your own, `d[x] = d.get(x, 0) + 1`"
    if is_foreign(value):
        return f"belongs to `{value.__module__}`, which can't compile: write a `for` loop or a helper of your own"
    return "is a class, and only NamedTuples can be made in rules: use a NamedTuple or a tuple of numbers"


def _bad_constant(value: Any) -> str | None:
    if isinstance(value, enum.Enum) and not isinstance(value, int | str):
        return "is a member of an Enum: make it an IntEnum or a StrEnum"
    if isinstance(value, range):
        return "is a range kept in a name, which can't compile: write range(...) where it is used, or a tuple"
    if type(value).__name__ in ("Fraction", "Decimal", "complex"):
        return f"is a {type(value).__name__}, which can't compile: give ways as whole numbers and payoffs as numbers"
    known = isinstance(value, bool | int | float | str | bytes | tuple | list | dict | set | frozenset | ModuleType | property | None)
    if known or _is_native(value):
        return None
    return f"is a {type(value).__name__}, which can't compile: use numbers or tuples of numbers"


def _is_native(value: Any) -> bool:
    """numpy's and numba's objects, fields of NamedTuples, methods of C types: not ours to judge."""
    root = type(value).__module__.partition(".")[0]
    return root in ("numpy", "numba", "builtins", "collections", "typing", "types", "_collections")


def _state_fields(this: Part, state_class: type | None) -> SourceFaults:
    """Fields that do not exist, like `s.rde`, where s is the state that a member is given and is never assigned again. Without a state
    class this is no such member."""
    if state_class is None:
        return
    for name, line in _remembered(_fields, this, _fields_of_argument):
        if not hasattr(state_class, name):
            text = f"{state_class.__name__} has no field `{name}`{did_you_mean(name, dir(state_class))} {place(this.file, line)}"
            yield ("attribute", state_class.__name__, name), text


def _fields_of_argument(this: Part) -> Iterator[tuple[str, int]]:
    """(name, line) of all attributes of the first argument after `self` that are used, unless it is assigned again."""
    arguments = this.tree.args.posonlyargs + this.tree.args.args
    if len(arguments) < 2:
        return
    state = arguments[1].arg
    if any(isinstance(n, ast.Name) and n.id == state and isinstance(n.ctx, ast.Store) for n in all_nodes(this.tree)):
        return
    for node in all_nodes(this.tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == state:
            yield node.attr, node.lineno
