"""The source of a game's rules: every method, helper and constant that the answers depend on. Standard library only.

A *part* is one function with its syntax tree. Parts are found by following names from the game's methods: globals,
closure variables, `self.helper`, `module.helper`, methods of the state. `rules_hash` ignores layout and comments.
"""

from __future__ import annotations

import ast
import dis
import enum
import hashlib
import inspect
import linecache
import os
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache, partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, NamedTuple

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.errors import RulesError
from zermelo.language.forms import form_of
from zermelo.language.members import HASHED
from zermelo.language.parameters import fields

GENERATED = ("_make", "_replace", "_asdict", "_fields", "_field_defaults")  # members of every NamedTuple
MISSING = object()
GIVEN = ("numpy", "numba", "llvmlite", "scipy")  # numerical libraries: treated like Python's own functions
MOST_KNOWN = 512  # parsed functions that are cached
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # in the text of an object without a text of its own
STANDARD_LIBRARY = os.path.dirname(inspect.getsource.__code__.co_filename) + os.sep


class Part(NamedTuple):
    """One function that rules run. `name` is qualified ("CardDraw.outcomes"), line numbers are those of its file."""

    name: str
    function: Any  # a plain Python function
    file: str
    tree: ast.FunctionDef | ast.Lambda
    owner: type | None  # the class that `self` belongs to


class Reference(NamedTuple):
    """A name in a part that is defined outside of it: "STOP", "self.goal", "math.comb"."""

    node: ast.AST
    name: str
    value: Any  # MISSING: it does not exist
    within: Any  # the object in which the last attribute was looked up; None for a plain name


def members(game_class: type, names: Iterable[str] = HASHED) -> dict[str, FunctionType]:
    """The methods of a game that make up its rules, as plain functions."""
    found = {name: plain(inspect.getattr_static(game_class, name, None)) for name in names}
    return {name: function for name, function in found.items() if isinstance(function, FunctionType)}


def plain(value: Any) -> Any:
    """The function inside a staticmethod, a property, a cached or otherwise wrapped function; anything else unchanged."""
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    return inspect.unwrap(value) if callable(value) else value


def part(function: FunctionType, owner: type | None = None) -> Part:
    """The function with its syntax tree, which must not be changed; `RulesError` if its source can't be read or is no longer the one that
    runs. It is parsed once, as long as the source does not change."""
    return _part(_parsed, function, owner)


def tree_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """A copy of the function's syntax tree, which may be changed. Raises `RulesError` as `part` does."""
    return _part(_parsed.__wrapped__, function, None).tree


def _part(parse: Callable[..., Part], function: FunctionType, owner: type | None) -> Part:
    try:
        lines, first = _source_lines(function)
        return parse(function, function.__code__, owner, "".join(lines), first)
    except (OSError, TypeError, SyntaxError, IndexError):
        name, file = _name(function), function.__code__.co_filename
        text = f"the source of `{name}` can't be read ({file}): define the game in a .py file or a notebook cell"
        raise RulesError(owner.__name__ if owner else name, [text]) from None


@lru_cache(maxsize=MOST_KNOWN)
def _parsed(function: FunctionType, code: CodeType, owner: type | None, text: str, first: int) -> Part:
    """`code` : the function's current code, which may be replaced (as by %autoreload)."""
    name = _name(function)
    tree = parsed(textwrap.dedent(text))
    kind = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    node = next((n for n in all_nodes(tree) if isinstance(n, kind)), None)
    if node is None or not _is_source_of(node, function):
        advice = "load it again (importlib.reload, or restart Python)"
        text = f"the source of `{name}` has changed since it was loaded ({code.co_filename}): {advice}"
        raise RulesError(owner.__name__ if owner else name, [text])
    ast.increment_lineno(node, first - 1)
    return Part(name, function, code.co_filename, node, owner)


def _name(function: FunctionType) -> str:
    return function.__qualname__.rsplit("<locals>.", 1)[-1]


def _source_lines(function: FunctionType) -> tuple[list[str], int]:
    """The lines of a function and the number of the first. Like `inspect.getsourcelines`, but that reads each function token by token;
    this parses its file once."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    end = _ends("".join(lines)).get((code.co_name, code.co_firstlineno))
    return (lines[code.co_firstlineno - 1 : end], code.co_firstlineno) if end else inspect.getsourcelines(function)


@lru_cache(maxsize=16)
def _ends(text: str) -> dict[tuple[str, int], int]:
    """The last line of every named function in a file, by name and first line, decorators included."""
    found: dict[tuple[str, int], int] = {}
    with suppress(SyntaxError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in `_codes`
        for node in all_nodes(parsed(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno:
                found[node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])] = node.end_lineno
    return found


def _is_source_of(node: ast.FunctionDef | ast.Lambda, function: FunctionType) -> bool:
    """Whether this is the source of the function that runs: the current text of its file compiles to the same code."""
    code = function.__code__
    arguments = tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))
    if arguments != code.co_varnames[: code.co_argcount] or getattr(node, "name", "<lambda>") != code.co_name:
        return False
    if any(name.startswith("@py") for name in code.co_names):  # pytest has rewritten its `assert`
        return True
    today = _codes("".join(linecache.getlines(code.co_filename, function.__globals__)), code.co_filename)
    return any(_same_code(code, other) for other in today.get((code.co_name, code.co_firstlineno), ()))


@cache
def _codes(text: str, file: str) -> dict[tuple[str, int], list[CodeType]]:
    """The code of every function in a file, by its name and first line."""
    found: dict[tuple[str, int], list[CodeType]] = {}
    with warnings.catch_warnings():  # they were issued when it was imported
        warnings.simplefilter("ignore")
        waiting = [compile(text, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        waiting += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def _same_code(one: CodeType, other: CodeType) -> bool:
    """Whether two functions do the same: instructions, constants, names; not their positions."""
    names = ("code", "names", "varnames", "freevars", "cellvars", "argcount", "posonlyargcount", "kwonlyargcount")
    if any(getattr(one, f"co_{n}") != getattr(other, f"co_{n}") for n in names) or len(one.co_consts) != len(other.co_consts):
        return False
    return all(_same_constant(a, b) for a, b in zip(one.co_consts, other.co_consts, strict=True))


def _same_constant(one: Any, other: Any) -> bool:
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _same_code(one, other)
    if isinstance(one, frozenset):
        return one == other
    return type(one) is type(other) and repr(one) == repr(other)  # 1, 1.0 and True are equal, and so are 0.0 and -0.0


def reachable(
    functions: Iterable[FunctionType], game_class: type | None = None, apart: Iterable[FunctionType] = ()
) -> dict[str, Part]:
    """These functions and every helper of the user's that they call, in order of discovery; `apart` : functions to leave out, with the
    helpers that only they call."""
    found: dict[str, Part] = {}
    seen: set[FunctionType] = set(apart)
    waiting = [(function, game_class) for function in functions]
    while waiting:
        function, owner = waiting.pop(0)
        if function in seen:
            continue
        seen.add(function)
        this = part(function, owner)
        found[this.name if this.name not in found else f"{this.name}#{len(found)}"] = this
        for reference in references(this):
            waiting += _functions(reference, owner)
    return found


def _functions(reference: Reference, owner: type | None) -> list[tuple[FunctionType, type | None]]:
    value = plain(reference.value)
    if isinstance(value, FunctionType) and not is_foreign(value):
        within = reference.within
        is_own = isinstance(within, type) and owner is not None and issubclass(owner, within)
        has_self = is_own and not isinstance(reference.value, staticmethod)
        return [(value, owner if has_self else None)]
    if isinstance(value, type) and hasattr(value, "_fields"):
        own = ((plain(v), None if isinstance(v, staticmethod) else value) for v in _own(value).values())
        return [(function, itself) for function, itself in own if isinstance(function, FunctionType)]
    return []


def _own(cls: type) -> dict[str, Any]:
    """The members of a NamedTuple class other than its fields and those that every NamedTuple has."""
    classes = [c for c in reversed(cls.__mro__) if hasattr(c, "_fields")]
    return {n: v for c in classes for n, v in vars(c).items() if n not in GENERATED and not n.startswith("__")}


def is_foreign(value: Any) -> bool:
    """Whether a function or class comes with Python, or with one of the libraries in `GIVEN`. Everything else is part of the rules
    that use it, wherever it is installed: when its source changes, their answers may change, too."""
    root = (getattr(value, "__module__", None) or "").partition(".")[0]
    code = getattr(value, "__code__", None)
    if code is None:
        return root in GIVEN or root in sys.stdlib_module_names and root != "__main__"
    return root in GIVEN or _comes_with_python(code.co_filename)


def _comes_with_python(file: str) -> bool:
    """Decided by the file, not by the name: a user's `code.py` is the user's. Packages may be installed in a folder of Python's own."""
    if not file.startswith(STANDARD_LIBRARY):
        return file.startswith("<frozen ")
    first = re.split(r"[\\/.]", file[len(STANDARD_LIBRARY) :], maxsplit=1)[0]
    return first in sys.stdlib_module_names


def references(this: Part) -> Iterator[Reference]:
    """Every occurrence of a name that is defined outside the part; attributes are looked up if the result is certain."""
    for node, chain, is_own in _occurrences(this):
        yield _follow(node, chain[:1], chain[1:], this.owner if is_own else lookup(this.function, chain[0]), None)


@lru_cache(maxsize=MOST_KNOWN)
def _occurrences(this: Part) -> list[tuple[ast.AST, list[str], bool]]:
    """The place of such a name; a.b.c as ["a", "b", "c"]; and whether it begins with the part's `self`."""
    outside = _outside(this.function.__code__) | set(this.function.__code__.co_freevars)
    inner = {id(n.value) for n in all_nodes(this.tree) if isinstance(n, ast.Attribute)}
    arguments = this.tree.args.posonlyargs + this.tree.args.args
    itself = arguments[0].arg if this.owner and arguments else None
    if any(isinstance(n, ast.Name) and n.id == itself and isinstance(n.ctx, ast.Store) for n in all_nodes(this.tree)):
        itself = None
    chains = ((node, _chain(node)) for node in _body(this.tree) if id(node) not in inner)
    named = ((node, chain) for node, chain in chains if chain)
    return [
        (node, chain, chain[0] not in outside)
        for node, chain in named
        if chain[0] in outside or (chain[0] == itself and len(chain) > 1)
    ]


def _body(tree: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """The nodes that run when the function runs: no annotations, decorators or defaults."""
    for statement in tree.body if isinstance(tree, ast.FunctionDef) else [tree.body]:
        yield from all_nodes(statement)


def _outside(code: CodeType) -> set[str]:
    nested = [c for c in code.co_consts if isinstance(c, CodeType)]
    here = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return here.union(*(_outside(c) for c in nested))


def _chain(node: ast.AST) -> list[str]:
    """a.b.c as ["a", "b", "c"]; [] for anything else."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        head = _chain(node.value)
        return [*head, node.attr] if head else []
    return []


def _follow(node: ast.AST, said: list[str], rest: list[str], value: Any, within: Any) -> Reference:
    """Look up attributes in modules and classes, where they are certain; stop at any other value."""
    while rest and isinstance(value, ModuleType | type | enum.Enum):
        static = isinstance(value, type) and not issubclass(value, enum.Enum)
        within, value = value, (inspect.getattr_static if static else getattr)(value, rest[0], MISSING)
        said, rest = [*said, rest[0]], rest[1:]
    return Reference(node, ".".join(said), value, within)


def lookup(function: FunctionType, name: str) -> Any:
    """The value of a global or closure name inside `function`; MISSING if there is none."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if name in cells:
        try:
            return cells[name].cell_contents
        except ValueError:
            return MISSING
    builtins = function.__globals__["__builtins__"]
    builtins = builtins if isinstance(builtins, dict) else vars(builtins)
    return function.__globals__.get(name, builtins.get(name, MISSING))


def constants(parts: Iterable[Part]) -> dict[str, Any]:
    """Every value that is not a function, module or class, by the name under which rules use it."""
    skipped = (FunctionType, BuiltinFunctionType, ModuleType, type)
    found = (r for p in parts for r in references(p))
    return {r.name: r.value for r in found if r.value is not MISSING and not isinstance(plain(r.value), skipped)}


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
        for reference in references(this):
            lines += _text_of_held(reference.value, seen)
    return "\n".join(lines) + "\n"


def _text_of_part(name: str, this: Part) -> list[str]:
    where = {r.name: _describe(r.value) for r in references(this)}
    return [f"\n# {name}", _code(this), *(f"# where {n} = {text}" for n, text in sorted(where.items()) if text)]


def _text_of_held(value: Any, seen: set[FunctionType]) -> list[str]:
    """The text of the functions that a value holds, such as a tuple of functions or an object with methods, and of all that these call,
    but for those that were seen. (They are not among the parts of the rules, as it is not known which of them are called.)"""
    lines: list[str] = []
    waiting = [f for f in _held(value) if f not in seen]
    while waiting:
        function = waiting.pop(0)
        if function in seen or is_foreign(function):
            continue
        seen.add(function)
        try:
            this = part(function)
        except RulesError:  # it was written by a program, such as the methods of a dataclass
            code = function.__code__
            lines.append(f"\n# {_name(function)} {hashlib.sha256(code.co_code).hexdigest()} {code.co_names} {_describe(code.co_consts)}")
            continue
        lines += _text_of_part(this.name, this)
        for reference in references(this):
            waiting += [f for f, _ in _functions(reference, None)]
            waiting += _held(reference.value)
    return lines


def _held(value: Any) -> list[FunctionType]:
    """The functions of the user's in a container, a partial function or an object, however deep; of a class itself, those that operators
    call (`__add__`)."""
    found: dict[FunctionType, None] = {}
    waiting, met = [value], set()
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, ModuleType) or type(one) in (bool, int, float, str, bytes, NoneType) or id(one) in met:
            continue
        met.add(id(one))
        if isinstance(one, tuple | list | set | frozenset):
            waiting += sorted(one, key=_describe) if isinstance(one, set | frozenset) else one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, partial):
            waiting += [one.func, one.args, one.keywords]
        elif isinstance(one, MethodType):
            waiting.append(one.__self__)
        function = plain(one)
        if isinstance(function, FunctionType):
            found |= {} if one is value else {function: None}
        elif not is_foreign(one if isinstance(one, type) else type(one)):
            is_named = one is value and isinstance(one, type | enum.Enum)  # and so are those of its methods that rules call
            found |= dict.fromkeys(_methods_of(one, operators_only=is_named))
            waiting += list(vars(one).values()) if hasattr(one, "__dict__") and not isinstance(one, type | enum.Enum) else []
    return list(found)


def _methods_of(value: Any, operators_only: bool) -> Iterator[FunctionType]:
    """The methods that the user wrote for this class, or for the class of this object."""
    for cls in (value if isinstance(value, type) else type(value)).__mro__:
        for name, member in () if is_foreign(cls) else vars(cls).items():
            function = plain(member)
            is_wanted = name.startswith("__") or not operators_only
            if is_wanted and isinstance(function, FunctionType) and not function.__code__.co_filename.startswith("<"):
                yield function


def _parameter_classes(game_class: Any) -> list[type]:
    """The NamedTuples and Enums that the parameters of a game are made of, as annotations and defaults say."""
    every = fields(game_class)
    forms = [form for field in every for form in (field.form, form_of(Any, field.default))]
    return sorted({c for form in forms for c in form.classes()}, key=lambda c: c.__qualname__)


def _own_functions(cls: type) -> list[FunctionType]:
    """The methods and properties that a user's class has."""
    values = (plain(v) for c in cls.__mro__ for n, v in vars(c).items() if n not in GENERATED and not n.startswith("__"))
    return [v for v in values if isinstance(v, FunctionType) and not is_foreign(v)]


def rules_hash(game: Any) -> str:
    """sha256 of `rules_text`, in hexadecimal."""
    return hashlib.sha256(rules_text(game).encode()).hexdigest()


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
        own = {n: v for n, v in _own(value).items() if isinstance(v, int | float | str | tuple | list)}
        constants = "".join(f" {name}={_describe(v)}" for name, v in sorted(own.items()))
        return (
            f"{value.__name__}({', '.join(value._fields)}) {_describe(tuple(value._field_defaults.items()))}{constants}"
        )
    return value.__name__
