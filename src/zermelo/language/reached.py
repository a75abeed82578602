"""What rules reach through values, beside the parts that they name (source.py): functions in tables, methods of objects, operators. It is
not known which of them are called, so that all of them count.
"""

from __future__ import annotations

import ast
import enum
import inspect
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    NoneType,
    SimpleNamespace,
)
from typing import Any

from zermelo.basics.syntax import all_nodes
from zermelo.basics.values import is_record
from zermelo.language.described import PLAIN, describe, is_array
from zermelo.language.members import HASHED
from zermelo.language.source import (
    GENERATED,
    MISSING,
    MOST_KNOWN,
    Part,
    as_written,
    called_by,
    is_foreign,
    lookup,
    names_outside,
    plain,
    references,
)

FOR_PEOPLE = ("__str__", "__repr__", "__format__")
OF_LATER_ENUMS = ("_hashable_values_", "_unhashable_values_map_")  # what Python 3.13 added, which says nothing of its own
OF_MEMBERS = ("_value_", "_name_", "_sort_order_", "__objclass__")  # of an Enum
ARRAY = 1000  # numbers of an array, from which on its text leaves some out
MOST_LAYERS = 100  # of functions that wrap one another


class Held:
    """What is reached through values: functions, and lines of text about other things."""

    def __init__(self) -> None:
        self.functions: dict[FunctionType, None] = {}
        self.lines: list[str] = []
        self.met: set[int] = set()
        self.alive: list[Any] = []  # so that ids stay unique

    @staticmethod
    def by(this: Part) -> Held:
        """What a part reaches through the values that it names, and through its defaults and attributes."""
        held = Held()
        for reference in references(this):
            held.functions |= dict.fromkeys(function for function, _ in called_by(reference, None))
            held.look(reference.value)
        for _, value in imported(this):
            held.look(value)
        for value in (this.function.__defaults__, this.function.__kwdefaults__, vars(this.function)):
            held.look(value)
        held.lines += [f"# {this.name}.{n} = {describe(v)}" for n, v in sorted(vars(this.function).items()) if n != "__wrapped__"]
        return held

    @staticmethod
    def by_written(function: FunctionType) -> Held:
        """The same for a function without a source."""
        held = Held()
        names = {name: lookup(function, name) for name in names_outside(function.__code__) | {*function.__code__.co_freevars}}
        for name, value in sorted({**names, "defaults": function.__defaults__, "named": function.__kwdefaults__}.items()):
            held.lines += [f"# {function.__qualname__}: {name} = {text}" for text in [describe(value)] if text not in ("", "None")]
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
                waiting += [] if is_given(value) else self._of(f"module {value.__name__}", vars(value))
            elif isinstance(function, FunctionType):
                self.functions |= dict.fromkeys(_layers(value))
            elif is_array(value) and value.size > ARRAY:
                self.lines.append(f"# array {describe(value)}")
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
        written = as_written(game_class)
        for name in HASHED:
            member = written.get(name)
            if not isinstance(member, tuple | list | bool | FunctionType | NoneType) or hasattr(member, "__wrapped__"):
                self.look(member)
                self.lines += [] if isinstance(plain(member), FunctionType) else [f"# member {name} = {describe(member)}"]
        own = [this for this in parts.values() if this.owner is game_class]
        if not any(map(_passes_itself_on, own)):
            return
        nodes = [n for this in parts.values() for n in all_nodes(this.tree)]
        used = {n.attr for n in nodes if isinstance(n, ast.Attribute)} | set(words(nodes))
        known = {*HASHED, *GENERATED, *getattr(game_class, "_fields", ())}
        known |= {r.name.partition(".")[2] for this in own for r in references(this) if r.within is not None}
        for name in sorted(name for name in used - known if not name.startswith("__")):
            member = inspect.getattr_static(game_class, name, MISSING)
            if member is not MISSING:
                self.look(member)
                self.lines += [f"# game: {name} = {text}" for text in [describe(member)] if text]

    def _of_class(self, cls: type, operators_only: bool) -> list[Any]:
        """What the user wrote for this class: what may have to be looked into."""
        found: list[Any] = []
        for home in cls.__mro__:
            own = {} if is_given(home) else {n: v for n, v in vars(home).items() if n not in (*GENERATED, *FOR_PEOPLE)}
            methods = {n: v for n, v in own.items() if isinstance(plain(v), FunctionType)}
            written = {n: layer for n, v in methods.items() for layer in _layers(v) if not layer.__code__.co_filename.startswith("<")}
            self.functions |= dict.fromkeys(f for n, f in written.items() if n.startswith("__") or not operators_only)
            if not operators_only:
                found += self._of(home.__name__, {n: v for n, v in own.items() if n not in methods})
                if "__dataclass_fields__" in own:  # where the defaults of a class with slots are
                    self.lines.append(f"# {home.__name__}: {[describe(f) for f in own['__dataclass_fields__'].values()]}")
        return found

    def _of_enum(self, cls: Any) -> list[Any]:
        """What members of an Enum have beside their names and values."""
        self.functions |= dict.fromkeys(own_functions(cls))
        found: list[Any] = []
        for member in cls:
            found += self._of(f"{member}", {n: v for n, v in vars(member).items() if n not in OF_MEMBERS})
        aliases = {n: m.name for n, m in cls.__members__.items() if n != m.name}
        self.lines += [f"# {cls.__name__}: {aliases}"] if aliases else []
        return found

    def _of_record(self, cls: type) -> list[Any]:
        """What a NamedTuple has beside its fields, methods, and the constants with which it is described."""
        found: list[Any] = []
        for home in (home for home in cls.__mro__ if not is_given(home)):
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
        self.lines += [f"# {where}: {n} = {text}" for n, v in sorted(own.items()) if (text := describe(v))]
        return list(own.values())


def imported(this: Part) -> Iterator[tuple[str, Any]]:
    """What a part that only Python runs imports itself."""
    for node in _imports(this):
        home = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
        for name in (alias.name for alias in node.names):
            if is_given(SimpleNamespace(__module__=home or name)):  # not imported for this: it may take long
                continue
            with suppress(Exception):  # which is reported where it runs
                found = import_module(home or name, this.function.__globals__.get("__package__"))
                if not is_given(found):
                    yield name, getattr(found, name) if home else found


@lru_cache(maxsize=MOST_KNOWN)
def _imports(this: Part) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in all_nodes(this.tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The texts among these nodes."""
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


@lru_cache(maxsize=MOST_KNOWN)
def _passes_itself_on(this: Part) -> bool:
    """Whether a method uses its `self` otherwise than to look up a name in it, as in helper(self)."""
    arguments = [a.arg for a in (*this.tree.args.posonlyargs, *this.tree.args.args)][:1]
    nodes = all_nodes(this.tree)
    looked_up = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr != "__class__"}
    return any(isinstance(n, ast.Name) and n.id in arguments and id(n) not in looked_up for n in nodes)


def own_functions(cls: type) -> list[FunctionType]:
    """The methods and properties that a user's class has."""
    values = (plain(v) for c in cls.__mro__ for n, v in vars(c).items() if n not in GENERATED and not n.startswith("__"))
    return [v for v in values if isinstance(v, FunctionType) and not is_foreign(v)]


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


def is_given(value: Any) -> bool:
    """Whether a function, class or module is Python's, a library's or Zermelo's, but for its games: a version says what they do."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if (home := f"{name}.").startswith("zermelo.") and not home.startswith(("zermelo.games.", "zermelo.puzzles.")):
        return True
    return is_foreign(SimpleNamespace(__module__=name)) if isinstance(value, ModuleType) else is_foreign(value)


def _inside(value: Any) -> list[Any]:
    """The values in a container, a partial function, a bound method or another object of Python's own, but for numbers and the like."""
    inside: Iterable[Any] = ()
    if isinstance(value, dict | MappingProxyType):
        inside = [*value, *value.values(), getattr(value, "default_factory", None)]
    elif isinstance(value, set | frozenset):
        inside = sorted(value, key=describe)
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
