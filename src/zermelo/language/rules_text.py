"""What a game's rules are, as text that is the same in every process, and its hash: by these a study, a saved solution and a certificate
know whether rules have changed. Layout and comments don't count. Standard library only.

Beside the parts that rules name (source.py), the text has what they can reach through values: functions in tables, methods of objects,
operators. It is not known which of them are called, so that all of them count.
"""

from __future__ import annotations

import ast
import enum
import hashlib
import inspect
import os
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    NoneType,
    SimpleNamespace,
)
from typing import Any

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.basics.values import is_record
from zermelo.errors import RulesError
from zermelo.language.forms import form_of
from zermelo.language.members import HASHED
from zermelo.language.parameters import fields
from zermelo.language.source import (
    GENERATED,
    MISSING,
    MOST_KNOWN,
    Part,
    called_by,
    is_foreign,
    lookup,
    members,
    names_outside,
    own_members,
    part,
    plain,
    reachable,
    references,
)

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # in the text of an object without a text of its own
FOR_PEOPLE = ("__str__", "__repr__", "__format__")
OF_LATER_ENUMS = ("_hashable_values_", "_unhashable_values_map_")  # what Python 3.13 added, which says nothing of its own
OF_MEMBERS = ("_value_", "_name_", "_sort_order_", "__objclass__")  # of an Enum
ARRAY = 1000  # numbers of an array, from which on its text leaves some out
QUOTES = ("'", '"', '"""', "'''")
MOST_LAYERS = 100  # of functions that wrap one another
PLAIN = (bool, int, float, complex, str, bytes, NoneType)


def rules_text(game: Any) -> str:
    """Everything that a game's answers depend on except its parameters, as deterministic text. `game` is a game or its class."""
    game_class: Any = game if isinstance(game, type) else type(game)
    lines = [f"game {game_class.__name__}({', '.join(game_class._fields)})"]
    if isinstance(payoffs := getattr(game_class, "payoffs", None), tuple | list):
        lines.append(f"payoffs = {payoffs!r}")
    if getattr(game_class, "must_end", False):
        lines.append("must_end = True")
    parts = reachable(members(game_class).values(), game_class)
    held = _Held()
    for of_parameters in _parameter_classes(game_class):  # their methods are called through `self`, where they are not seen
        lines.append(f"parameters are made of {_describe_class(of_parameters)}")
        parts = reachable(_own_functions(of_parameters), of_parameters) | parts
        held.look(of_parameters)
    held.look_at_game(game_class, parts)
    return "\n".join([*lines, *_text_of_parts(parts, held)]) + "\n"


def function_text(function: FunctionType) -> str:
    """The same of a function, such as a policy: all that its results depend on. Raises `RulesError` where the source can't be read."""
    return "\n".join(_text_of_parts(reachable([function]), _Held()))


def rules_hash(game: Any) -> str:
    """sha256 of `rules_text`, in hexadecimal."""
    return hashlib.sha256(rules_text(game).encode()).hexdigest()


def _text_of_parts(parts: dict[str, Part], held: _Held) -> list[str]:
    """The text of parts and of what they reach; `held` : what is reached otherwise."""
    lines: list[str] = []
    seen = {this.function for this in parts.values()}
    for name, this in parts.items():
        lines += _text_of_part(name, this)
        lines += _text_of_held(_Held.by(this), seen)
    return lines + _text_of_held(held, seen)


def _text_of_part(name: str, this: Part) -> list[str]:
    where = {r.name: _describe(r.value) for r in references(this)} | {n: _describe(v) for n, v in _imported(this)}
    return [f"\n# {name}", _code(this), *(f"# where {n} = {text}" for n, text in sorted(where.items()) if text), *_environment(this)]


def _imported(this: Part) -> Iterator[tuple[str, Any]]:
    """What a part that only Python runs imports itself."""
    for node in all_nodes(this.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            home = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
            for name in (alias.name for alias in node.names):
                if _is_given(SimpleNamespace(__module__=home or name)):  # not imported for this: it may take long
                    continue
                with suppress(Exception):  # which is reported where it runs
                    found = import_module(home or name, this.function.__globals__.get("__package__"))
                    if not _is_given(found):
                        yield name, getattr(found, name) if home else found


def _environment(this: Part) -> list[str]:
    """The variables of the environment that a part names, if it reads any: not the others, which may be secrets."""
    if not any(r.value is os.environ or r.value is os.getenv for r in references(this)):
        return []
    named = {word for word in _words(all_nodes(this.tree)) if word.isidentifier()}
    return [f"# environment {name} = {os.environ.get(name)!r}" for name in sorted(named)]


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The texts among these nodes."""
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


# What rules reach through values -------------------------------------------------------------------------------------------------


def _text_of_held(held: _Held, seen: set[FunctionType]) -> list[str]:
    """The text of what is reached through values, but for the functions that were seen."""
    lines, waiting = [], [held]
    while waiting:
        held = waiting.pop(0)
        lines += held.lines
        for function in held.functions:
            if function in seen or _is_given(function):
                continue
            seen.add(function)
            try:
                this = part(function)
            except RulesError:  # it was written by a program
                lines.append(f"\n# {function.__qualname__} {_describe(function.__code__)}")
                waiting.append(_Held.by_written(function))
                continue
            lines += _text_of_part(this.name, this)
            waiting.append(_Held.by(this))
    return lines


class _Held:
    """What is reached through values: functions, and lines of text about other things."""

    def __init__(self) -> None:
        self.functions: dict[FunctionType, None] = {}
        self.lines: list[str] = []
        self.met: set[int] = set()
        self.alive: list[Any] = []  # so that ids stay unique

    @staticmethod
    def by(this: Part) -> _Held:
        """What a part reaches through the values that it names, and through its defaults and attributes."""
        held = _Held()
        for reference in references(this):
            held.functions |= dict.fromkeys(function for function, _ in called_by(reference, None))
            held.look(reference.value)
        for _, value in _imported(this):
            held.look(value)
        for value in (this.function.__defaults__, this.function.__kwdefaults__, vars(this.function)):
            held.look(value)
        held.lines += [f"# {this.name}.{n} = {_describe(v)}" for n, v in sorted(vars(this.function).items()) if n != "__wrapped__"]
        return held

    @staticmethod
    def by_written(function: FunctionType) -> _Held:
        """The same for a function without a source."""
        held = _Held()
        names = {name: lookup(function, name) for name in names_outside(function.__code__) | {*function.__code__.co_freevars}}
        for name, value in sorted({**names, "defaults": function.__defaults__, "named": function.__kwdefaults__}.items()):
            held.lines += [f"# {function.__qualname__}: {name} = {text}" for text in [_describe(value)] if text not in ("", "None")]
            held.look(value)
        return held

    def look(self, first: Any) -> None:
        """Look into a value."""
        waiting = [first]
        for value in waiting:
            if type(value) in PLAIN or id(value) in self.met or value is sys.modules:
                continue
            self.met.add(id(value))
            self.alive.append(value)
            waiting += _inside(value)
            function = plain(value)
            if isinstance(value, ModuleType):
                waiting += [] if _is_given(value) else self._of(f"module {value.__name__}", vars(value))
            elif isinstance(function, FunctionType):
                self.functions |= dict.fromkeys(_layers(value))
            elif _is_array(value) and value.size > ARRAY:
                self.lines.append(f"# array {_describe(value)}")
            elif not is_foreign(value if isinstance(value, type) else type(value)):
                self._look_at_object(value, value is first, waiting)

    def _look_at_object(self, value: Any, is_first: bool, waiting: list[Any]) -> None:
        cls: Any = value if isinstance(value, type) else type(value)
        is_named = is_first and (isinstance(value, enum.Enum) or issubclass(cls, enum.Enum) or (value is cls and is_record(cls)))
        waiting += self._of_class(cls, is_named)
        if is_named and issubclass(cls, enum.Enum):
            waiting += self._of_enum(cls)
        elif is_named:
            waiting += self._of_record(cls)
        elif value is not cls and not isinstance(value, enum.Enum):
            waiting += self._of(f"object of {cls.__name__}", {**_slots(value), **getattr(value, "__dict__", {})})

    def look_at_game(self, game_class: type, parts: dict[str, Part]) -> None:
        """What is reached through the game itself: its operators, members that are no plain functions, and, where rules pass it on, all
        that has a name which they use."""
        self._of_class(game_class, operators_only=True)
        self.functions.pop(plain(inspect.getattr_static(game_class, "__new__")), None)  # it only makes parameters
        for name in HASHED:
            member = inspect.getattr_static(game_class, name, None)
            if not isinstance(member, tuple | list | bool | FunctionType | NoneType) or hasattr(member, "__wrapped__"):
                self.look(member)
                self.lines += [] if isinstance(plain(member), FunctionType) else [f"# member {name} = {_describe(member)}"]
        own = [this for this in parts.values() if this.owner is game_class]
        if not any(map(_passes_itself_on, own)):
            return
        nodes = [n for this in parts.values() for n in all_nodes(this.tree)]
        used = {n.attr for n in nodes if isinstance(n, ast.Attribute)} | set(_words(nodes))
        known = {*HASHED, *GENERATED, *getattr(game_class, "_fields", ())}
        known |= {r.name.partition(".")[2] for this in own for r in references(this) if r.within is not None}
        for name in sorted(name for name in used - known if not name.startswith("__")):
            member = inspect.getattr_static(game_class, name, MISSING)
            if member is not MISSING:
                self.look(member)
                self.lines += [f"# game: {name} = {text}" for text in [_describe(member)] if text]

    def _of_class(self, cls: type, operators_only: bool) -> list[Any]:
        """What the user wrote for this class: what may have to be looked into."""
        found: list[Any] = []
        for home in cls.__mro__:
            own = {} if _is_given(home) else {n: v for n, v in vars(home).items() if n not in (*GENERATED, *FOR_PEOPLE)}
            methods = {n: v for n, v in own.items() if isinstance(plain(v), FunctionType)}
            written = {n: layer for n, v in methods.items() for layer in _layers(v) if not layer.__code__.co_filename.startswith("<")}
            self.functions |= dict.fromkeys(f for n, f in written.items() if n.startswith("__") or not operators_only)
            if not operators_only:
                found += self._of(home.__name__, {n: v for n, v in own.items() if n not in methods})
                if "__dataclass_fields__" in own:  # where the defaults of a class with slots are
                    self.lines.append(f"# {home.__name__}: {[_describe(f) for f in own['__dataclass_fields__'].values()]}")
        return found

    def _of_enum(self, cls: Any) -> list[Any]:
        """What members of an Enum have beside their names and values."""
        self.functions |= dict.fromkeys(_own_functions(cls))
        found: list[Any] = []
        for member in cls:
            found += self._of(f"{member}", {n: v for n, v in vars(member).items() if n not in OF_MEMBERS})
        aliases = {n: m.name for n, m in cls.__members__.items() if n != m.name}
        self.lines += [f"# {cls.__name__}: {aliases}"] if aliases else []
        return found

    def _of_record(self, cls: type) -> list[Any]:
        """What a NamedTuple has beside its fields, methods, and the constants with which it is described."""
        found: list[Any] = []
        for home in (home for home in cls.__mro__ if not _is_given(home)):
            own = {n: v for n, v in vars(home).items() if n not in GENERATED and not n.startswith("__")}
            if hasattr(home, "_fields"):
                own = {n: v for n, v in own.items() if not isinstance(v, int | float | str | tuple | list | property)}
            self.functions |= dict.fromkeys(plain(v) for v in own.values() if isinstance(plain(v), FunctionType))
            found += self._of(home.__name__, {n: v for n, v in own.items() if not isinstance(plain(v), FunctionType)})
        return found

    def _of(self, where: str, values: dict[str, Any]) -> list[Any]:
        """The values of a module, class or object."""
        values = {n: v for n, v in values.items() if not (n.startswith("__") or n in OF_LATER_ENUMS)}
        own = {n: v for n, v in values.items() if not isinstance(v, ModuleType | BuiltinFunctionType)}
        self.lines += [f"# {where}: {n} = {text}" for n, v in sorted(own.items()) if (text := _describe(v))]
        return list(own.values())


def _passes_itself_on(this: Part) -> bool:
    """Whether a method uses its `self` otherwise than to look up a name in it, as in helper(self)."""
    arguments = [a.arg for a in (*this.tree.args.posonlyargs, *this.tree.args.args)][:1]
    nodes = all_nodes(this.tree)
    looked_up = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr != "__class__"}
    return any(isinstance(n, ast.Name) and n.id in arguments and id(n) not in looked_up for n in nodes)


def _layers(value: Any) -> Iterator[FunctionType]:
    """The function in a static method, a property or the like, and those that it wraps."""
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    for _ in range(MOST_LAYERS):
        if isinstance(value, FunctionType):
            yield value
        if (value := getattr(value, "__wrapped__", None)) is None:
            break


def _slots(value: Any) -> dict[str, Any]:
    """What an object has in slots."""
    found = {}
    for home in type(value).__mro__:
        names = vars(home).get("__slots__", ())
        for name in [names] if isinstance(names, str) else names:
            there = f"_{home.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
            with suppress(AttributeError):
                found[there] = getattr(value, there)
    return found


def _is_given(value: Any) -> bool:
    """Whether a function, class or module is Python's, a library's or Zermelo's, but for its games: a version says what they do."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if (home := f"{name}.").startswith("zermelo.") and not home.startswith(("zermelo.games.", "zermelo.puzzles.")):
        return True
    return is_foreign(SimpleNamespace(__module__=name)) if isinstance(value, ModuleType) else is_foreign(value)


def _is_array(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("tobytes", "dtype", "size")) and not isinstance(value, type)


def _inside(value: Any) -> list[Any]:
    """The values in a container, a partial function, a bound method or another object of Python's own, but for numbers and the like."""
    inside: Iterable[Any] = ()
    if isinstance(value, dict | MappingProxyType):
        inside = [*value, *value.values(), getattr(value, "default_factory", None)]
    elif isinstance(value, set | frozenset):
        inside = sorted(value, key=_describe)
    elif isinstance(value, partial):
        inside = [value.func, value.args, value.keywords]
    elif isinstance(value, MethodType | BuiltinFunctionType | MethodWrapperType):
        inside = [] if isinstance(value.__self__, ModuleType | type) else [value.__self__]
    elif isinstance(value, tuple | list | deque):
        inside = value
    elif isinstance(value, property):
        inside = [value.fget]
    elif isinstance(value, staticmethod | classmethod):
        inside = [value.__func__]
    elif isinstance(value, FunctionType):  # `singledispatch` has functions in one of Python's own
        inside = [c.cell_contents for c in value.__closure__ or () if c != CellType()] if is_foreign(value) else ()
    elif not isinstance(value, type | ModuleType | enum.Enum) and is_foreign(type(value)) and hasattr(value, "__dict__"):
        inside = vars(value).values()
    return [one for one in inside if type(one) not in PLAIN]


# Descriptions --------------------------------------------------------------------------------------------------------------------


def _parameter_classes(game_class: Any) -> list[type]:
    """The NamedTuples and Enums that the parameters of a game are made of, as annotations and defaults say."""
    every = fields(game_class)
    forms = [form for field in every for form in (field.form, form_of(Any, field.default))]
    return sorted({c for form in forms for c in form.classes()}, key=lambda c: c.__qualname__)


def _own_functions(cls: type) -> list[FunctionType]:
    """The methods and properties that a user's class has."""
    values = (plain(v) for c in cls.__mro__ for n, v in vars(c).items() if n not in GENERATED and not n.startswith("__"))
    return [v for v in values if isinstance(v, FunctionType) and not is_foreign(v)]


def _code(this: Part) -> str:
    """The code without comments, docstring, annotations and layout; values of default arguments at the end."""
    defaults, named = this.function.__defaults__, this.function.__kwdefaults__
    lines = [_bare_code(this), *([f"# defaults {_describe(defaults)}"] if defaults else [])]
    return "\n".join([*lines, *([f"# named {_describe(named)}"] if named else [])])


@lru_cache(maxsize=MOST_KNOWN)
def _bare_code(this: Part) -> str:
    tree = parsed(ast.unparse(this.tree))
    for node in all_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree if sys.version_info < (3, 12) else _Formatted().visit(tree))


class _Formatted(ast.NodeTransformer):
    """Formatted text as Python 3.11 writes it, put where names are written as they are: later versions choose other quotes, so that rules
    would seem to have changed."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts = [(_formatted(value), isinstance(value, ast.Constant)) for value in node.values]
        quotes, texts = list(QUOTES), []
        for inside, is_constant in parts:
            text, left = _quotable(inside, quotes, is_constant)
            if not set(left) & set(quotes):
                quotes, texts = ["'''"], [repr('"' + inside)[2:-1] for inside, _ in parts]
                break
            quotes, texts = left, [*texts, text]
        return ast.Name(f"f{quotes[0]}{''.join(texts)}{quotes[0]}")


class _WithinFormatted(ast.NodeTransformer):
    """The same within braces, where Python 3.11 allows no backslashes."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Name(f"f{_quoted(_formatted(node))}")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(f"{node.kind or ''}{_quoted(node.value)}") if isinstance(node.value, str) else node


def _formatted(node: ast.AST) -> str:
    match node:
        case ast.JoinedStr():
            return "".join(map(_formatted, node.values))
        case ast.FormattedValue():
            end = ast.IfExp(ast.Name("_"), _WithinFormatted().visit(node.value), ast.Name("_"))  # which parenthesizes as braces do
            value = ast.unparse(end).removesuffix(" if _ else _")
            how = f"!{chr(node.conversion)}" if node.conversion != -1 else ""
            spec = f":{_formatted(node.format_spec)}" if node.format_spec else ""
            return f"{{{' ' if value.startswith('{') else ''}{value}{how}{spec}}}"
        case ast.Constant(value=value):
            return str(value).replace("{", "{{").replace("}", "}}")
    raise TypeError(node)


def _quoted(text: str) -> str:
    written, quotes = _quotable(text, list(QUOTES), False)
    return f"{quotes[0]}{written}{quotes[0]}"


def _quotable(text: str, quotes: list[str], escapes_lines: bool) -> tuple[str, list[str]]:
    """A text as it is written between quotes, and those of the quotes that it may have."""
    written = "".join(
        c if c.isprintable() and c != "\\" or c in "\n\t" and not escapes_lines else c.encode("unicode_escape").decode() for c in text
    )
    possible = [q for q in quotes if q not in written and ("\n" not in written or len(q) == 3)]
    if not possible:
        quote = repr(text)[0]
        return repr(text)[1:-1], [next((q for q in quotes if quote in q), quote)]
    if written:
        possible.sort(key=lambda q: q[0] == written[-1])
        if possible[0][0] == written[-1]:
            written = f"{written[:-1]}\\{written[-1]}"
    return written, possible


def _describe(value: Any) -> str:
    """A constant as text that is the same in every process; "" for objects that are described elsewhere or belong to Python."""
    if type(value) in PLAIN:
        return repr(value)
    value = plain(value)
    if isinstance(value, BuiltinFunctionType | MethodWrapperType) and not isinstance(value.__self__, ModuleType | type | NoneType):
        return f"{value.__name__} of {_describe(value.__self__)}"
    if value is MISSING or value is os.environ or value is sys.modules or isinstance(value, ModuleType | BuiltinFunctionType | property):
        return ""
    if isinstance(value, CodeType):
        return f"{hashlib.sha256(value.co_code).hexdigest()} {value.co_names} {_describe(value.co_consts)}"
    if isinstance(value, enum.Enum):
        return f"{value} = {value.value!r}"
    if isinstance(value, type):
        return _describe_class(value)
    if isinstance(value, FunctionType):
        return value.__qualname__.rsplit("<locals>.", 1)[-1]
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(map(_describe, value))})"
    if isinstance(value, dict | set | frozenset):
        items = list(map(_describe, value.items() if isinstance(value, dict) else value))
        in_order = sorted(items)
        order = f" in the order {[in_order.index(item) for item in items]}" if isinstance(value, dict) and in_order != items else ""
        return f"{type(value).__name__}({', '.join(in_order)}){order}"
    if _is_array(value):
        exactly = _describe(value.tolist()) if value.dtype.hasobject else hashlib.sha256(value.tobytes()).hexdigest()
        return f"{value.dtype}{value.shape} {exactly}"
    if isinstance(value, str | bytes):
        return repr(value)
    if isinstance(value, memoryview):
        return f"memoryview {value.tolist()}"
    if isinstance(value, re.Pattern):
        return f"pattern {value.pattern!r} {value.flags}"
    if isinstance(value, int | float):  # of a class of the user's
        return f"{type(value).__name__}({float.__repr__(value) if isinstance(value, float) else int.__repr__(value)})"
    return "" if type(value).__name__ == "_tuplegetter" else ADDRESS.sub("", repr(value))


def _describe_class(value: Any) -> str:
    if issubclass(value, enum.Enum):
        return f"enum({', '.join(f'{m.name}={m.value!r}' for m in value)})"
    if is_record(value):
        own = {n: v for n, v in own_members(value).items() if isinstance(v, int | float | str | tuple | list)}
        constants = "".join(f" {name}={_describe(v)}" for name, v in sorted(own.items()))
        return (
            f"{value.__name__}({', '.join(value._fields)}) {_describe(tuple(value._field_defaults.items()))}{constants}"
        )
    return value.__name__
