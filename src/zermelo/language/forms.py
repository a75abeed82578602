"""The types that parameters of a game may have, and how text is read as one of them. Standard library only.

A `Form` follows from the annotation of a parameter, and where that says little (`tuple`, `Any`, none) from the default. The command line,
the page, studies and `zermelo.solve("file.py:Game", ...)` all read through `read` and `fitted`. How a value is written: `basics/values.py`.
"""

from __future__ import annotations

import ast
import collections.abc
import enum
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.values import COLLECTIONS, is_record, written

NUMBERS = (int, float, Fraction, Decimal)
SCALARS = (*NUMBERS, bool, str)
EITHER, LITERAL, FREE, UNREAD = "either", "literal", "free", "unread"
YES_NO = {"true": True, "yes": True, "false": False, "no": False}
ABSTRACT: Mapping[Any, type] = {
    collections.abc.Sequence: tuple, collections.abc.Collection: tuple, collections.abc.Iterable: tuple, collections.abc.Set: frozenset,
    collections.abc.MutableSequence: list,
}  # fmt: skip
MOST_NAMES = 100  # that stand for one another in an annotation; `type A = A` goes on forever
CLOSING = {"(": ")", "[": "]", "{": "}"}
NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)
MANY: Mapping[Any, str] = {
    int: "whole numbers", float: "numbers", Fraction: "numbers", Decimal: "numbers", bool: "yes or no, each", str: "texts",
}  # fmt: skip


class Form(NamedTuple):
    """A type that a parameter may have."""

    kind: Any  # one of `SCALARS` or `COLLECTIONS`, a NamedTuple, an Enum, NoneType; EITHER, LITERAL, FREE (what it looks like), UNREAD
    parts: tuple[Form, ...] = ()  # of the items: of each, or one for all; of EITHER the alternatives
    names: tuple[str, ...] = ()  # of the fields of a NamedTuple
    is_fixed: bool = False  # whether `parts` has the form of each item, not one for all
    values: tuple[Any, ...] = ()  # of a LITERAL
    optional: tuple[str, ...] = ()  # fields of a NamedTuple that have defaults

    @property
    def is_collection(self) -> bool:
        """Whether its text has commas between items."""
        return self.kind in (*COLLECTIONS, FREE) or bool(self.names) or any(part.is_collection for part in self.alternatives)

    @property
    def alternatives(self) -> tuple[Form, ...]:
        """The forms that values may have instead of this one, other than None."""
        return tuple(part for part in self.parts if part.kind is not types.NoneType) if self.kind is EITHER else ()

    @property
    def may_be_none(self) -> bool:
        """Whether None is one of the alternatives."""
        return self.kind is EITHER and any(part.kind is types.NoneType for part in self.parts)

    @property
    def scalar(self) -> Any:
        """One of `int`, `float`, `bool` and `str` if values are such (`int` also if they may be floats); else None."""
        kinds = {part.kind for part in self.alternatives or (self,)}
        if kinds == {int, float}:
            return int
        (kind,) = kinds if len(kinds) == 1 else (None,)
        return kind if kind in (int, float, bool, str) else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that stand for all of its values, if it has only a few."""
        if isinstance(self.kind, enum.EnumMeta):
            return tuple(self.kind.__members__)
        return tuple(map(written, self.values)) if self.kind is LITERAL else ()

    def classes(self) -> Iterator[type]:
        """The NamedTuples and Enums that values are made of."""
        if self.names or isinstance(self.kind, enum.EnumMeta):
            yield self.kind
        for part in self.parts:
            yield from part.classes()


MISSING = object()


def behind(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type that an annotation stands for, through `Annotated`, `NewType` and names given by `type`, and what `Annotated` adds to it."""
    told: tuple[Any, ...] = ()
    for _ in range(MOST_NAMES):
        if hasattr(hint, "__metadata__"):
            hint, told = hint.__origin__, (*hint.__metadata__, *told)
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            try:
                hint = hint.__value__  # Python looks up what it names only now
            except RecursionError:  # it names itself: nothing is wrong with what it names
                raise
            except Exception:
                return Any, told
        else:
            return hint, told
    return Any, told


def form_of(hint: Any, default: Any = MISSING) -> Form:
    """The form of the values that are annotated with `hint`, one of which is `default`."""
    hint, _ = behind(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is types.NoneType:
        return Form(types.NoneType)
    if origin is typing.Literal:
        return Form(LITERAL, values=arguments)
    if origin in (typing.Union, types.UnionType):
        alternatives = dict.fromkeys(form_of(a, default) for a in arguments)
        if type(default) is float and Form(float) in alternatives:
            alternatives.pop(Form(int), None)  # a float stands for both
        return Form(EITHER, tuple(sorted(alternatives, key=_rank)))
    if hint in SCALARS:
        return Form(hint)
    if isinstance(hint, enum.EnumMeta):
        return Form(hint)
    if isinstance(hint, type) and is_record(hint):
        return _record_form(hint)
    kind = origin or hint
    try:
        kind = ABSTRACT.get(kind, kind)
    except TypeError:  # an unhashable annotation
        return _of_default(hint, default)
    if kind not in COLLECTIONS:
        return _of_default(hint, default)
    if isinstance(default, COLLECTIONS) and not is_record(default):
        kind = type(default)  # what the rules are used to
    given = tuple(a for a in arguments if a is not Ellipsis)
    if origin is tuple and arguments and Ellipsis not in arguments:
        return Form(kind, tuple(map(form_of, given)), is_fixed=True)
    return Form(kind, (form_of(given[0]),)) if given else Form(kind, (_of_items(default),))


def _record_form(kind: Any) -> Form:
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:  # an annotation that names something unknown here
        hints = {}
    defaults = kind._field_defaults
    parts = tuple(form_of(hints.get(name, Any), defaults.get(name, MISSING)) for name in kind._fields)
    return Form(kind, parts, kind._fields, is_fixed=True, optional=tuple(defaults))


def _of_default(hint: Any, default: Any) -> Form:
    """The form where the annotation tells nothing: `Any`, or a class that is not among those that are read."""
    if default is MISSING or default is None:
        return Form(FREE)
    if hint is Any and type(default) is int:
        return Form(EITHER, (Form(int), Form(float)))
    return _of_value(default)


def _of_value(value: Any) -> Form:
    kind = type(value)
    if kind in SCALARS or isinstance(value, enum.Enum):
        return Form(kind)
    if is_record(value):
        return _record_form(kind)
    return Form(kind, (_of_items(value),)) if kind in COLLECTIONS else Form(UNREAD, values=(kind,))


def _of_items(default: Any) -> Form:
    """The form of the items of a tuple: that of the default's items if these are alike, else free."""
    if not isinstance(default, COLLECTIONS) or not default:
        return Form(int)
    forms = set(map(_of_value, default))
    if len(forms) == 1:
        return next(iter(forms))
    kinds = {form.kind for form in forms}
    if kinds == {int, float}:
        return Form(EITHER, (Form(int), Form(float)))
    return next(iter(forms))._replace(parts=(Form(FREE),), is_fixed=False) if len(kinds) == 1 and kinds <= {tuple, list} else Form(FREE)


def _rank(form: Form) -> int:
    """The order in which alternatives are tried: 3 is whole rather than 3.0, and everything could be a text."""
    order = (int, Fraction, Decimal, float, bool, types.NoneType)
    return order.index(form.kind) if form.kind in order else len(order) + 2 * (form.kind is str) + (form.kind is FREE)


# --- words about it -------------------------------------------------------------------------------------------------------


def wanted(form: Form) -> str:
    """What a text must be, in words that follow "must be"."""
    return f"{_wanted(form)} or none" if form.may_be_none else _wanted(form)


def _wanted(form: Form) -> str:
    if form.scalar is int and form.kind is EITHER and any(part.kind is float for part in form.parts):
        return "a number"
    if form.scalar:
        return {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}[form.scalar]
    if form.choices:
        return f"one of {', '.join(form.choices)}"
    if form.kind in (Fraction, Decimal):
        return "a number"
    if form.names:
        return f"{', '.join(form.names)} of {form.kind.__name__}, separated by commas"
    if form.alternatives:
        return " or ".join(dict.fromkeys(map(wanted, form.alternatives)))
    if form.kind in COLLECTIONS:
        return f"{_items_wanted(form)} separated by commas"
    return "a value"


def _items_wanted(form: Form) -> str:
    kinds = {part.scalar or part.kind for part in form.parts}
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind in MANY:
        return MANY[kind]
    if kind is None or kind is FREE:
        return "values"
    part = form.parts[0]
    if part.choices:
        return f"words of {', '.join(part.choices)}"
    return f"({metavar(part)})" if part.is_collection else "values"


def metavar(form: Form) -> str:
    """The value of an option in its help: N, X, LOW|HIGH, N,N,..., N|none"""
    return f"{_metavar(form)}|none" if form.may_be_none else _metavar(form)


def _metavar(form: Form) -> str:
    if form.scalar:
        return {int: "N", float: "X", str: "TEXT", bool: "yes|no"}[form.scalar]
    if form.choices:
        return "|".join(form.choices)
    if form.alternatives:
        return "|".join(dict.fromkeys(map(metavar, form.alternatives)))
    if form.is_fixed:
        return ",".join(n.upper() for n in form.names) or ",".join(map(_item_metavar, form.parts)) or "()"
    if form.kind in COLLECTIONS:
        item = _item_metavar(form.parts[0])
        return f"{item},{item},..."
    return "X" if form.kind in NUMBERS else "VALUE"


def _item_metavar(form: Form) -> str:
    return f"({metavar(form)})" if form.is_collection and form.kind is not FREE else metavar(form)


# --- text -> value --------------------------------------------------------------------------------------------------------


def read(form: Form, text: str) -> Any:
    """The value that a text stands for. Raises `ValueError`, or `Unread` where the command line reads no such type."""
    return _read(form, text, is_item=False)


class Unread(ValueError):
    """A type that is not read from text; the text is its name."""


def _read(form: Form, text: str, is_item: bool) -> Any:
    kind, word = form.kind, text.strip()
    if kind is UNREAD:
        raise Unread(form.values[0].__name__)
    if kind is str:
        return _unquoted(word) if is_item else text
    if kind is bool:
        if word.lower() not in YES_NO:
            raise ValueError(word)
        return YES_NO[word.lower()]
    if kind is types.NoneType:
        if word.lower() != "none":
            raise ValueError(word)
        return None
    if kind in NUMBERS:
        return _number(kind, word)
    if kind is EITHER:
        return _first(form.parts, lambda part: _read(part, text, is_item))
    if kind is LITERAL:
        return _first(form.values, lambda value: _equal(value, word, is_item))
    if kind is FREE:
        return _free(word)
    if isinstance(kind, enum.EnumMeta):
        return _member(kind, word)
    return _collection(form, word, is_item)


def _number(kind: Any, word: str) -> Any:
    try:
        return kind(word)
    except ArithmeticError:  # of Fraction and Decimal
        raise ValueError(word) from None


def _first(options: Any, attempt: Callable[[Any], Any]) -> Any:
    for option in options:
        try:
            return attempt(option)
        except Unread:
            if len(options) == 1:
                raise
        except ValueError:
            pass
    raise ValueError


def _equal(value: Any, word: str, is_item: bool) -> Any:
    if word not in (written(value), written(value, is_item=True)):
        raise ValueError(word)
    return value


def _member(kind: Any, word: str) -> Any:
    """A member of an Enum by its name, in whatever case if that is enough, with or without its class; or by its value."""
    name = word.removeprefix(f"{kind.__name__}.")
    members = kind.__members__
    close = [member for n, member in members.items() if n.lower() == name.lower()]
    if name in members:
        return members[name]
    if len(close) == 1:
        return close[0]
    for member in members.values():
        if _unquoted(word) == written(member.value):
            return member
    if issubclass(kind, enum.Flag):
        return kind(int(word))
    raise ValueError(word)


def _free(word: str) -> Any:
    """Whatever a word looks like: a number, yes or no, none, a tuple, else a text."""
    if _inside(word) is not None or len(_pieces(word)) > 1:
        return _collection(Form(tuple, (Form(FREE),)), word, is_item=_inside(word) is not None)
    return _first([Form(int), Form(float), Form(bool), Form(types.NoneType), Form(str)], lambda form: _read(form, word, is_item=True))


def _collection(form: Form, word: str, is_item: bool) -> Any:
    if form.names and word.startswith(form.kind.__name__ + "("):  # Point(x=1, y=2)
        word = word.removeprefix(form.kind.__name__)
    inner = _inside(word)
    texts = [inner] if inner is not None else []
    if not is_item:
        texts.append(word)
    return _first(texts, lambda text: _made(form, _pieces(text), is_item))


def _made(form: Form, pieces: list[str], is_item: bool) -> Any:
    if form.names:
        return _record(form, pieces)
    if is_item and form.is_fixed and len(pieces) != len(form.parts):  # elsewhere `misfit` says it better
        raise ValueError
    forms = [*form.parts, *form.parts[-1:] * (len(pieces) - len(form.parts))] if form.is_fixed else form.parts * len(pieces)
    return form.kind([_read(part, piece, is_item=True) for part, piece in zip(forms, pieces, strict=False)])


def _record(form: Form, pieces: list[str]) -> Any:
    named = [NAMED.fullmatch(piece) for piece in pieces]
    found = {m[1]: m[2] for m in named if m} if all(named) and pieces else dict(zip(form.names, pieces, strict=len(pieces) > 0))
    if len(found) != len(pieces) or not set(found) <= set(form.names) or not set(form.names) <= {*found, *form.optional}:
        raise ValueError
    forms = dict(zip(form.names, form.parts, strict=True))
    return form.kind(**{name: _read(forms[name], text, is_item=True) for name, text in found.items()})


def _inside(word: str) -> str | None:
    """What is between the brackets that enclose the whole word; None if none do."""
    if len(word) < 2 or CLOSING.get(word[0]) != word[-1] or len(list(_parts(word))) > 1:
        return None
    depth = 0
    for at, depth in _depths(word):
        if depth == 0 and at < len(word) - 1:
            return None
    return word[1:-1]


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Every place of a text outside of quotes, and the number of brackets that are open after it. Raises `ValueError` for brackets and
    quotes that do not match."""
    waiting: list[str] = []
    quote, at = "", 0
    while at < len(text):
        c = text[at]
        if quote:
            at += c == "\\"
            quote = "" if c == quote else quote
        elif c in "'\"" and not text[:at].rstrip()[-1:].isalnum():  # not the apostrophe of a word
            quote = c
        else:
            if c in CLOSING:
                waiting.append(CLOSING[c])
            elif c in CLOSING.values() and (not waiting or waiting.pop() != c):
                raise ValueError(text)
            yield at, len(waiting)
        at += 1
    if quote or waiting:
        raise ValueError(text)


def _parts(text: str) -> Iterator[str]:
    start = 0
    for at, depth in _depths(text):
        if depth == 0 and text[at] == ",":
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _pieces(text: str) -> list[str]:
    """The parts of a text between commas that are not in brackets or quotes; after the last comma there may be nothing."""
    found = list(_parts(text))
    return found if found[-1].strip() else found[:-1]


def _unquoted(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        try:
            return str(ast.literal_eval(word))
        except (SyntaxError, ValueError):
            raise ValueError(word) from None
    return word


# --- Python value -> value of the form ------------------------------------------------------------------------------------


def fitted(form: Form, value: Any) -> Any:
    """A value of Python, or one that JSON has made of it, in the type that the form says: a list as a tuple, a tuple as a NamedTuple, 2 or
    "HIGH" as a member of an Enum. What does not fit is returned as it is."""
    if form.kind is EITHER:
        if any(_is_of(part, value) for part in form.parts):
            return value
        return next((found for part in form.parts if _is_of(part, found := fitted(part, value))), value)
    if isinstance(form.kind, enum.EnumMeta) and not isinstance(value, form.kind):
        return _member_for(form.kind, value)
    if form.names and not isinstance(value, form.kind):
        if isinstance(value, Mapping):
            value = tuple(value.get(n) for n in form.names) if set(value) == set(form.names) else value
        if isinstance(value, tuple | list) and len(value) == len(form.names):
            return form.kind(*map(fitted, form.parts, value))
        return value
    if form.kind in COLLECTIONS and isinstance(value, COLLECTIONS) and not is_record(value):
        is_set, was_set = form.kind in (frozenset, set), isinstance(value, frozenset | set)
        if was_set and not is_set or (form.is_fixed and len(value) != len(form.parts)):
            return value
        parts = form.parts if form.is_fixed else form.parts * len(value)
        try:
            return form.kind(map(fitted, parts, value))
        except TypeError:  # a set of lists
            return value
    return tuple(value) if form.kind is FREE and isinstance(value, list) else value


def _member_for(kind: Any, value: Any) -> Any:
    try:
        return _member(kind, value) if isinstance(value, str) else kind(value)
    except (ValueError, TypeError, KeyError):
        return value


def _is_of(form: Form, value: Any) -> bool:
    """Whether a value has this type already."""
    if form.kind is EITHER:
        return any(_is_of(part, value) for part in form.parts)
    if form.kind is LITERAL:
        return any(value == v and type(value) is type(v) for v in form.values)
    if form.kind is FREE:
        return True
    if form.kind is UNREAD:
        return isinstance(value, form.values)
    if form.kind in NUMBERS:
        return type(value) is form.kind or (type(value) is int and form.kind is not int)
    if form.kind in COLLECTIONS:
        right = isinstance(value, form.kind) and (not form.is_fixed or len(value) == len(form.parts))
        return right and not is_record(value) and all(map(_is_of, form.parts if form.is_fixed else form.parts * len(value), value))
    if form.names:
        return isinstance(value, form.kind) and all(map(_is_of, form.parts, value))
    return isinstance(value, form.kind)


def fault_of(form: Form, value: Any) -> str:
    """Why a value has none of the few values of its type, as "must be one of LOW, HIGH"; "" if that is not so."""
    if isinstance(form.kind, enum.EnumMeta) and _member_for(form.kind, value) is value and not isinstance(value, form.kind):
        return f"must be {wanted(form)}"
    if form.kind is LITERAL and value not in form.values:
        return f"must be {wanted(form)}"
    return ""


def is_one_value(form: Form, value: Any) -> bool:
    """Whether a collection is one value of a parameter of this form, rather than several values of it."""
    if not form.is_collection:
        return False
    if isinstance(value, frozenset | set | Mapping) or is_record(value):
        return True
    items = [part for f in form.alternatives or (form,) for part in f.parts if f.is_collection]
    if any(part.kind is FREE for part in items) and isinstance(value, tuple):
        return True
    if any(part.is_collection and part.kind is not FREE for part in items):
        return any(_is_of(f, fitted(f, value)) for f in form.alternatives or (form,))
    return isinstance(value, tuple | list) and not any(isinstance(part, COLLECTIONS) for part in value)
