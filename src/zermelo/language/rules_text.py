"""What a game's rules are, as text that is the same in every process, and its hash: by these a study, a saved solution and a certificate
know whether rules have changed. Layout and comments don't count. Standard library only.

Beside the parts that rules name (source.py), the text has what they can reach through values: functions in tables, methods of objects,
operators. It is not known which of them are called, so that all of them count.
"""

from __future__ import annotations

import ast
import enum
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache, partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.errors import RulesError
from zermelo.language.forms import form_of
from zermelo.language.parameters import fields
from zermelo.language.source import (
    GENERATED,
    MISSING,
    MOST_KNOWN,
    Part,
    called_by,
    is_foreign,
    members,
    own_members,
    part,
    plain,
    reachable,
    references,
)

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # in the text of an object without a text of its own
FOR_PEOPLE = ("__str__", "__repr__", "__format__")
PLAIN = (bool, int, float, complex, str, bytes, NoneType)


def rules_text(game: Any) -> str:
    """Everything that a game's answers depend on except its parameters, as deterministic text. `game` is a game or its class."""
    game_class: Any = game if isinstance(game, type) else type(game)
    lines = [f"game {game_class.__name__}({', '.join(game_class._fields)})"]
    if isinstance(getattr(game_class, "payoffs", None), tuple):
        lines.append(f"payoffs = {game_class.payoffs!r}")
    parts = reachable(members(game_class).values(), game_class)
    for of_parameters in _parameter_classes(game_class):  # their methods are called through `self`, where they are not seen
        lines.append(f"parameters are made of {_describe_class(of_parameters)}")
        parts = reachable(_own_functions(of_parameters), of_parameters) | parts
    seen = {this.function for this in parts.values()}
    for name, this in parts.items():
        lines += _text_of_part(name, this)
        lines += _text_of_held(this, seen)
    return "\n".join(lines) + "\n"


def rules_hash(game: Any) -> str:
    """sha256 of `rules_text`, in hexadecimal."""
    return hashlib.sha256(rules_text(game).encode()).hexdigest()


def _text_of_part(name: str, this: Part) -> list[str]:
    where = {r.name: _describe(r.value) for r in references(this)}
    return [f"\n# {name}", _code(this), *(f"# where {n} = {text}" for n, text in sorted(where.items()) if text)]


# What rules reach through values -------------------------------------------------------------------------------------------------


def _text_of_held(this: Part, seen: set[FunctionType]) -> list[str]:
    """The text of what a part reaches through values, but for the functions that were seen."""
    lines, waiting = [], [this]
    while waiting:
        held = _Held(waiting.pop(0))
        lines += held.lines
        for function in held.functions:
            if function in seen or _is_given(function):
                continue
            seen.add(function)
            try:
                waiting.append(part(function))
            except RulesError:  # it was written by a program
                code = function.__code__
                about = f"{hashlib.sha256(code.co_code).hexdigest()} {code.co_names} {_describe(code.co_consts)}"
                lines.append(f"\n# {function.__qualname__} {about}")
                continue
            lines += _text_of_part(waiting[-1].name, waiting[-1])
    return lines


class _Held:
    """What a part reaches through the values that it names, and through its defaults and attributes: functions, and lines of text about
    other things."""

    def __init__(self, this: Part):
        self.functions: dict[FunctionType, None] = {}
        self.lines: list[str] = []
        self.met: set[int] = set()
        self.alive: list[Any] = []  # so that ids stay unique
        for reference in references(this):
            self.functions |= dict.fromkeys(function for function, _ in called_by(reference, None))
            self._look(reference.value)
        for value in (this.function.__defaults__, this.function.__kwdefaults__, vars(this.function)):
            self._look(value)
        self.lines += [f"# {this.name}.{n} = {_describe(v)}" for n, v in sorted(vars(this.function).items()) if n != "__wrapped__"]

    def _look(self, first: Any) -> None:
        waiting = [first]
        for value in waiting:
            if type(value) in PLAIN or id(value) in self.met or (isinstance(value, ModuleType) and value is first):
                continue
            self.met.add(id(value))
            self.alive.append(value)
            waiting += _inside(value)
            function = plain(value)
            if isinstance(function, FunctionType):
                self.functions |= {function: None} if value is not first else {}
            elif isinstance(value, ModuleType):
                waiting += self._of(f"module {value.__name__}", vars(value))
            elif not is_foreign(value if isinstance(value, type) else type(value)):
                is_named = value is first and isinstance(value, type | enum.Enum)  # and so are those of its members that rules use
                waiting += self._of_class(value if isinstance(value, type) else type(value), is_named)
                if hasattr(value, "__dict__") and not isinstance(value, type | enum.Enum):
                    waiting += self._of(f"object of {type(value).__name__}", vars(value))

    def _of_class(self, cls: type, operators_only: bool) -> list[Any]:
        """What the user wrote for this class: what may have to be looked into."""
        found: list[Any] = []
        for home in cls.__mro__:
            own = {} if _is_given(home) else {n: v for n, v in vars(home).items() if n not in (*GENERATED, *FOR_PEOPLE)}
            methods = {n: v for n, v in own.items() if isinstance(plain(v), FunctionType)}
            written = {n: plain(v) for n, v in methods.items() if not plain(v).__code__.co_filename.startswith("<")}
            self.functions |= dict.fromkeys(f for n, f in written.items() if n.startswith("__") or not operators_only)
            if not operators_only:
                found += self._of(home.__name__, {n: v for n, v in own.items() if n not in methods})
        return found

    def _of(self, where: str, values: dict[str, Any]) -> list[Any]:
        """The values of a module, class or object."""
        own = {n: v for n, v in values.items() if not (n.startswith("__") or isinstance(v, ModuleType | BuiltinFunctionType))}
        self.lines += [f"# {where}: {n} = {text}" for n, v in sorted(own.items()) if (text := _describe(v))]
        return list(own.values())


def _is_given(value: Any) -> bool:
    """Whether a function or class is Python's, a library's or Zermelo's, but for its games: a version of these says what they do."""
    home = f"{getattr(value, '__module__', '')}."
    return is_foreign(value) or (home.startswith("zermelo.") and not home.startswith(("zermelo.games.", "zermelo.puzzles.")))


def _inside(value: Any) -> list[Any]:
    """The values in a container, a partial function or a bound method, but for numbers and the like."""
    inside: Iterable[Any] = ()
    if isinstance(value, dict):
        inside = [*value, *value.values()]
    elif isinstance(value, set | frozenset):
        inside = sorted(value, key=_describe)
    elif isinstance(value, partial):
        inside = [value.func, value.args, value.keywords]
    elif isinstance(value, MethodType):
        inside = [value.__self__]
    elif isinstance(value, tuple | list):
        inside = value
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
    return ast.unparse(tree)


def _describe(value: Any) -> str:
    """A constant as text that is the same in every process; "" for objects that are described elsewhere or belong to Python."""
    if type(value) in PLAIN:
        return repr(value)
    value = plain(value)
    if value is MISSING or isinstance(value, ModuleType | BuiltinFunctionType | property):
        return ""
    if isinstance(value, enum.Enum):
        return f"{value} = {value.value!r}"
    if isinstance(value, type):
        return _describe_class(value)
    if isinstance(value, FunctionType):
        return value.__qualname__.rsplit("<locals>.", 1)[-1]
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(map(_describe, value))})"
    if isinstance(value, dict | set | frozenset):
        items = value.items() if isinstance(value, dict) else value
        return f"{type(value).__name__}({', '.join(sorted(map(_describe, items)))})"
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype}{value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, str | bytes):
        return repr(value)
    return "" if type(value).__name__ == "_tuplegetter" else ADDRESS.sub("", repr(value))


def _describe_class(value: Any) -> str:
    if issubclass(value, enum.Enum):
        return f"enum({', '.join(f'{m.name}={m.value!r}' for m in value)})"
    if hasattr(value, "_fields"):
        own = {n: v for n, v in own_members(value).items() if isinstance(v, int | float | str | tuple | list)}
        constants = "".join(f" {name}={_describe(v)}" for name, v in sorted(own.items()))
        return (
            f"{value.__name__}({', '.join(value._fields)}) {_describe(tuple(value._field_defaults.items()))}{constants}"
        )
    return value.__name__
