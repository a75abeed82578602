"""The source of a game's rules: every method, helper and constant that the answers depend on. Standard library only.

A *part* is one function with its syntax tree. Parts are found by following names from the game's methods: globals,
closure variables, `self.helper`, `module.helper`, methods of the state.
"""

from __future__ import annotations

import ast
import dis
import enum
import inspect
import linecache
import os
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from tokenize import TokenError
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.errors import RulesError
from zermelo.language.members import HASHED

GENERATED = ("_make", "_replace", "_asdict", "_fields", "_field_defaults")  # members of every NamedTuple
MISSING = object()
GIVEN = ("numpy", "numba", "llvmlite", "scipy")  # numerical libraries: treated like Python's own functions
MOST_KNOWN = 512  # parsed functions that are cached
CHANGED = "` has changed since it was loaded ("  # in the message about a file that was edited meanwhile, which is no fault of the rules
SUPER = "super()"  # how a name begins that is looked up in the bases of a class
HIDES = ("<timed exec>", "<magic-timeit>")  # files of cells that begin with %%time or %%timeit
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
    written = as_written(game_class)
    found = {name: plain(written[name]) for name in names if name in written}
    return {name: function for name, function in found.items() if isinstance(function, FunctionType)}


def as_written(cls: type) -> dict[str, Any]:
    """All members of a class and its bases: what `inspect.getattr_static` finds for each name, which takes long for many."""
    return {name: value for home in reversed(cls.__mro__) for name, value in vars(home).items()}


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
    except (RulesError, OSError, TypeError, SyntaxError, TokenError, IndexError) as error:
        if moved := _moved(function):
            return parse(function, function.__code__, owner, *moved)
        if isinstance(error, RulesError):
            raise
        name, file = _name(function), function.__code__.co_filename
        if file.endswith(".py") and os.path.exists(file):  # it was read when it was loaded
            raise _changed(function, owner) from None
        cell = "a notebook cell" + (" without %%time, which hides it" if file in HIDES else "")
        why = f"there is no file {file}" if file.endswith(".py") else f"({file}): define the game in a .py file or {cell}"
        text = f"the source of `{name}` can't be read{': ' if file.endswith('.py') else ' '}{why}"
        raise RulesError(owner.__name__ if owner else name, [text]) from None


def _changed(function: FunctionType, owner: type | None) -> RulesError:
    """The error about a file that was edited, and now is another or no Python."""
    name, advice = _name(function), "load it again (importlib.reload, or restart Python)"
    if owner is not None and getattr(sys.modules.get(function.__module__), owner.__name__, owner) is not owner:
        advice = f"import `{owner.__name__}` again, which was loaded anew"
    text = f"the source of `{name}` has changed since it was loaded ({function.__code__.co_filename}): {advice}"
    return RulesError(owner.__name__ if owner else name, [text])


@lru_cache(maxsize=MOST_KNOWN)
def _parsed(function: FunctionType, code: CodeType, owner: type | None, text: str, first: int) -> Part:
    """`code` : the function's current code, which may be replaced (as by %autoreload)."""
    name = _name(function)
    tree = parsed(textwrap.dedent(text))
    if code.co_name == "<lambda>":
        node: Any = _lambda_of(code, tree)
    else:
        node = next((n for n in all_nodes(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    if node is None or not _is_source_of(node, function, code.co_firstlineno if code.co_name == "<lambda>" else first):
        raise _changed(function, owner)
    ast.increment_lineno(node, first - 1)
    return Part(name, function, code.co_filename, node, owner)


def _lambda_of(code: CodeType, tree: ast.AST) -> ast.Lambda | None:
    """The lambda of this code in the tree of its whole file: several may begin on one line."""
    here = [n for n in all_nodes(tree) if isinstance(n, ast.Lambda)]
    runs = [(line, column) for line, _, column, end in code.co_positions() if line and column is not None and end]
    if not runs:  # Python was told to leave columns out, or it returns a constant in Python 3.12
        there = [n for n in here if n.lineno == code.co_firstlineno]
        alike = [n for n in there if any(_same_code(code, c) for c in _alone(n).co_consts if isinstance(c, CodeType))]
        return next(iter(alike or there), None)
    spans = {((b := n.body).lineno, b.col_offset, b.end_lineno or 0, b.end_col_offset or 0): n for n in here}
    around = [span for span in spans if span[:2] <= min(runs) and max(runs) <= span[2:]]
    return spans[max(around)] if around else None  # the one that begins last lies within the others


def _alone(node: ast.Lambda) -> CodeType:
    return compile(ast.Expression(node), "<lambda>", "eval", dont_inherit=True)


def _name(function: FunctionType) -> str:
    return function.__qualname__.rsplit("<locals>.", 1)[-1]


def _source_lines(function: FunctionType) -> tuple[list[str], int]:
    """The lines of a function and the number of the first, of a lambda all lines of its file. Like `inspect.getsourcelines`, but that reads
    each function token by token; this parses its file once."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if code.co_name == "<lambda>":
        if not lines:
            raise OSError
        return lines, 1
    end = _ends("".join(lines)).get((code.co_name, code.co_firstlineno))
    return (lines[code.co_firstlineno - 1 : end], code.co_firstlineno) if end else inspect.getsourcelines(function)


def _moved(function: FunctionType) -> tuple[str, int] | None:
    """The text and the first line of a function whose code says that it begins elsewhere in its file, as %autoreload of newer versions of
    IPython has it; None if it is not there."""
    code, text = function.__code__, "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))
    with suppress(SyntaxError, ValueError):
        found = [
            first
            for (name, first), codes in _codes(text, code.co_filename).items()
            if name == code.co_name and any(c.co_qualname == function.__qualname__ and _same_code(code, c) for c in codes)
        ]
        if len(found) == 1 and (end := _ends(text).get((code.co_name, found[0]))):
            return "".join(text.splitlines(keepends=True)[found[0] - 1 : end]), found[0]
    return None


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


def _is_source_of(node: ast.FunctionDef | ast.Lambda, function: FunctionType, first: int) -> bool:
    """Whether this is the source of the function that runs: the current text of its file compiles to the same code. first : its line."""
    code = function.__code__
    arguments = tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))
    if arguments != code.co_varnames[: code.co_argcount] or getattr(node, "name", "<lambda>") != code.co_name:
        return False
    if any(name.startswith("@py") for name in code.co_names):  # pytest has rewritten its `assert`
        return True
    today = _codes("".join(linecache.getlines(code.co_filename, function.__globals__)), code.co_filename)
    return any(_same_code(code, other) for other in today.get((code.co_name, first), ()))


@cache
def _codes(text: str, file: str) -> dict[tuple[str, int], list[CodeType]]:
    """The code of every function in a file, by its name and first line."""
    found: dict[tuple[str, int], list[CodeType]] = {}
    with warnings.catch_warnings():  # they were issued when it was imported
        warnings.simplefilter("ignore")
        waiting = [compile(text, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)]  # as cells of notebooks may have
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
            waiting += called_by(reference, owner)
    return found


def called_by(reference: Reference, owner: type | None) -> list[tuple[FunctionType, type | None]]:
    value = plain(reference.value)
    if isinstance(value, FunctionType) and not is_foreign(value):
        within = reference.within
        is_own = isinstance(within, type) and owner is not None and issubclass(owner, within)
        has_self = is_own and not isinstance(reference.value, staticmethod)
        return [(value, owner if has_self else None)]
    if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        own = ((plain(v), None if isinstance(v, staticmethod) else value) for v in own_members(value).values())
        return [(function, itself) for function, itself in own if isinstance(function, FunctionType)]
    return []


def own_members(cls: type) -> dict[str, Any]:
    """The members of a NamedTuple class other than its fields and those that every NamedTuple has."""
    classes = [c for c in reversed(cls.__mro__) if hasattr(c, "_fields")]
    return {n: v for c in classes for n, v in vars(c).items() if n not in GENERATED and not n.startswith("__")}


OF_TUPLES = ("__eq__", "__ne__", "__iter__", "__getitem__", "__getattribute__", "__getattr__")


def redefined(cls: type, *more: str) -> str:
    """What a NamedTuple does not do as tuples do it, of what is asked of every one; "" for none. `more` : of this kind."""
    own = {name for base in cls.__mro__ if not is_foreign(base) for name in vars(base)}
    return next((name for name in (*OF_TUPLES, *more) if name in own), "")


def is_foreign(value: Any) -> bool:
    """Whether a function or class comes with Python, or with one of the libraries in `GIVEN`. Everything else is part of the rules
    that use it, wherever it is installed: when its source changes, their answers may change, too."""
    root = (getattr(value, "__module__", None) or "").partition(".")[0]
    code = getattr(value, "__code__", None)
    if code is None:
        home = getattr(sys.modules.get(getattr(value, "__module__", None) or ""), "__file__", None) or ""
        is_named_so = root in sys.stdlib_module_names and root != "__main__"
        return root in GIVEN or is_named_so and (not home.endswith(".py") or _comes_with_python(home))
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
        if chain == [SUPER]:  # kept in a variable, or handed on: anything of the next class may be asked of it
            yield from (Reference(node, SUPER, base, None) for base in _bases(this)[:1])
        elif chain[0] == SUPER:
            home = next((c for c in _bases(this) if chain[1] in vars(c)), None)
            yield _follow(node, chain[:2], chain[2:], vars(home)[chain[1]] if home else MISSING, home or this.owner)
        else:
            yield _follow(node, chain[:1], chain[1:], this.owner if is_own else lookup(this.function, chain[0]), None)


def _bases(this: Part) -> tuple[type, ...]:
    """The classes in which `super()` looks in a method, in their order."""
    home: Any = lookup(this.function, "__class__")  # the class in whose body the method stands
    if not isinstance(home, type):
        return ()
    order = this.owner.__mro__ if this.owner and home in this.owner.__mro__ else home.__mro__
    return order[order.index(home) + 1 :]


@lru_cache(maxsize=MOST_KNOWN)
def _occurrences(this: Part) -> list[tuple[ast.AST, list[str], bool]]:
    """The place of such a name; a.b.c as ["a", "b", "c"]; and whether it begins with the part's `self`."""
    outside = names_outside(this.function.__code__) | set(this.function.__code__.co_freevars)
    inner = {id(n.value) for n in all_nodes(this.tree) if isinstance(n, ast.Attribute)}
    inner |= {id(a) for n in all_nodes(this.tree) if _is_super(n) for a in n.args}  # type: ignore[attr-defined]
    arguments = this.tree.args.posonlyargs + this.tree.args.args
    itself = arguments[0].arg if this.owner and arguments else None
    if any(isinstance(n, ast.Name) and n.id == itself and isinstance(n.ctx, ast.Store) for n in all_nodes(this.tree)):
        itself = None
    chains = ((node, _chain(node)) for node in _body(this.tree) if id(node) not in inner)
    named = ((node, chain) for node, chain in chains if chain)
    return [
        (node, chain, chain[0] not in outside)
        for node, chain in named
        if chain[0] in outside or (chain[0] == itself and len(chain) > 1) or (chain[0] == SUPER and chain[-1][:2] != "__")
    ]


def _body(tree: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """The nodes that run when the function runs: no annotations, decorators or defaults."""
    for statement in [tree.body] if isinstance(tree, ast.Lambda) else tree.body:
        yield from all_nodes(statement)


def names_outside(code: CodeType) -> set[str]:
    nested = [c for c in code.co_consts if isinstance(c, CodeType)]
    here = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return here.union(*(names_outside(c) for c in nested))


def _chain(node: ast.AST) -> list[str]:
    """a.b.c as ["a", "b", "c"], super().b as ["super()", "b"]; [] for anything else."""
    if isinstance(node, ast.Name):
        return [node.id]
    if _is_super(node):
        return [SUPER]
    if isinstance(node, ast.Attribute):
        head = _chain(node.value)
        return [*head, node.attr] if head else []
    return []


def _is_super(node: ast.AST) -> bool:
    """Whether it is `super()` or `super(Class, self)`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


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


def names_used(game_class: type) -> list[tuple[Callable[[str], Any], str, Any]]:
    """What the names in the rules of a game stand for now: how to look one up, its name, and what is found. The hash of rules sees more,
    and takes a hundred times as long. Raises `RulesError` as `part` does."""
    found: dict[tuple[int, str], tuple[Callable[[str], Any], str, Any]] = {}

    def note(home: Any, look_up: Callable[[str], Any], name: str) -> Any:
        _, _, value = found.setdefault((id(home), name), (look_up, name, look_up(name)))
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):  # asked through its objects
            for member in own_members(value):
                owner = next(c for c in value.__mro__ if member in vars(c))
                found.setdefault((id(owner), member), (vars(owner).get, member, vars(owner)[member]))
        return value

    def follow(value: Any, names: Iterable[str], bases: tuple[type, ...] = ()) -> None:
        homes: tuple[Any, ...] = bases or _homes(value)
        for name in names:
            home = next((home for home in homes if name in vars(home)), None)
            if home is None:
                return
            homes = _homes(note(home, vars(home).get, name))

    for member in HASHED:
        follow(game_class, [member])
    for this in reachable(members(game_class).values(), game_class).values():
        function = this.function
        for attribute in ("__code__", "__defaults__", "__kwdefaults__"):
            note(function, function.__getattribute__, attribute)
        for _, (first, *rest), is_own in _occurrences(this):
            if first == SUPER:
                follow(None, rest, _bases(this))
            elif is_own:
                follow(this.owner, rest)
            elif first not in function.__code__.co_freevars:
                follow(note(function.__globals__, function.__globals__.get, first), rest)
    return list(found.values())


def _homes(value: Any) -> tuple[Any, ...]:
    """Where attributes of a class or module are looked up."""
    return value.__mro__ if isinstance(value, type) else (value,) if isinstance(value, ModuleType) else ()
