"""The parameters of a game: the fields of its NamedTuple, as the command line and the docs show them. Standard library only."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple

from zermelo.basics.values import LOADS, Unstorable, expression, is_record, restored, stored
from zermelo.errors import ParameterError
from zermelo.language.forms import FREE, LITERAL, Form, behind, fault_of, fitted, form_of

REQUIRED = inspect.Parameter.empty  # the default of a parameter that must be given


class Field(NamedTuple):
    """A parameter of a game, as the command line and the docs show it."""

    name: str
    type: type
    default: Any  # `REQUIRED` if the game gives none
    doc: str
    allowed: range | tuple[Any, ...] | None  # from `Annotated[int, "doc", range(...)]`

    @property
    def form(self) -> Form:
        """The type of its values, and how text is read as one: from the annotation, and the default where that says little."""
        try:
            return form_of(self.type) if self.default is REQUIRED else form_of(self.type, self.default)
        except RecursionError:  # `type Tree = int | tuple[Tree, ...]`
            return Form(FREE)

    @property
    def type_name(self) -> str:
        """The name of its type, as programs read it: "int", "tuple", "Mode"."""
        return getattr(self.type, "__name__", "tuple")

    @property
    def choices(self) -> list[Any] | None:
        """The few values that it may have: numbers and texts, or the names of the members of an Enum; None if it is not one of a few."""
        if isinstance(self.allowed, tuple):
            return list(self.allowed)
        return list(self.form.values if self.form.kind is LITERAL else self.form.choices) or None


def made(game_class: type) -> str:
    """How a game of this class is made, as Python: Pig(), or Walk(length=...) if a parameter has no default."""
    return f"{game_class.__name__}({', '.join(f'{f.name}=...' for f in fields(game_class) if f.default is REQUIRED)})"


def fields(game_class: type) -> tuple[Field, ...]:
    """The parameters of a game class in order, with documentation and allowed values from `Annotated`."""
    hints = _hints(game_class)
    defaults = getattr(game_class, "_field_defaults", {})
    found = []
    for name in getattr(game_class, "_fields", ()):
        plain, metadata = behind(hints.get(name, int))
        doc = next((m for m in metadata if isinstance(m, str)), "")
        allowed = next((m for m in metadata if isinstance(m, range | tuple)), None)
        found.append(Field(name, plain, defaults.get(name, REQUIRED), doc, allowed))
    return tuple(found)


def _hints(game_class: type) -> dict[str, Any]:
    """The annotations of a class; `Any` for those that name something unknown here: rules run anyway."""
    try:
        return typing.get_type_hints(game_class, include_extras=True)
    except Exception:
        pass
    found = {}
    for base in reversed(game_class.__mro__):
        for name, hint in getattr(base, "__annotations__", {}).items():
            alone = type("Alone", (), {"__annotations__": {name: hint}, "__module__": base.__module__})
            try:
                found[name] = typing.get_type_hints(alone, include_extras=True)[name]
            except Exception:
                found[name] = Any
    return found


def validate_parameters(game: Any) -> None:
    """Raise `ParameterError` if a parameter has the wrong type or lies outside its declared range."""
    for field in fields(type(game)):
        fault = misfit(field, getattr(game, field.name))
        if fault:
            of_default = "the default of " if getattr(game, field.name) is field.default else ""
            raise ParameterError(f"{type(game).__name__}: {of_default}{field.name} {fault}")


def game_with(game_class: Any, values: Mapping[str, Any]) -> Any:
    """The game of this class with these parameters. Raises `ParameterError`, also where the class makes another game of a game's own."""
    game = _made_with(game_class, values)
    validate_parameters(game)
    if not (hasattr(game, "_fields") and _makes_its_own(game_class)):
        return game
    again = _made_with(game_class, dict(zip(game._fields, game, strict=True)))
    for name, before, after in zip(game._fields, game, again, strict=True):
        if before != after:
            raise ParameterError(
                f"{game_class.__name__}.__new__ makes a game with {name}={expression(after)} of {name}={expression(before)}, and so no "
                "file, study or command can tell which game is meant: write a function that makes the game"
            )
    return game


def _made_with(game_class: Any, values: Mapping[str, Any]) -> Any:
    try:
        return game_class(**values)
    except Exception as error:
        if not _makes_its_own(game_class):
            raise
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise ParameterError(f"{game_class.__name__}.__new__ fails where it is given the parameters {', '.join(values)} ({why})") from None


def _makes_its_own(game_class: type) -> bool:
    """Whether a class has a `__new__` of its own, and not that of a NamedTuple."""
    return any("__new__" in vars(c) and "_fields" not in vars(c) for c in game_class.__mro__ if c not in (tuple, object, Generic))


def misfit(field: Field, value: Any) -> str:
    """The fault of a value for this parameter, such as "must be from 1 to 1000, not 5000"; "" if there is none."""
    if field.type is int and (isinstance(value, bool) or not isinstance(value, int)):
        return f"must be a whole number, not {value!r}"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return f"must lie between -2^63 and 2^63 - 1, not {value}"
    if field.type is bool and not isinstance(value, bool):
        return f"must be True or False, not {value!r}"
    wanted = items(field.type)
    if wanted and value != field.default and not (isinstance(value, tuple) and len(value) == wanted):
        return f"must be a tuple of {wanted}, not {value!r}"
    if field.allowed is not None and not _is_allowed(field.allowed, value):
        return f"must be {describe(field.allowed)}, not {expression(value)}"
    if fault := fault_of(field.form, value):
        return f"{fault}, not {expression(value)}"
    return ""


def _is_allowed(allowed: range | tuple[Any, ...], value: Any) -> bool:
    """Whether a value is allowed; in a range, every number of a tuple must be."""
    if isinstance(allowed, range) and isinstance(value, tuple | list | frozenset):
        return all(item in allowed for item in value)
    return value in allowed


def items(hint: Any) -> int:
    """The length of the tuples of a type such as `tuple[int, int]`; 0 for any other."""
    parts = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
    return 0 if Ellipsis in parts else len(parts)


def describe(allowed: range | tuple[Any, ...]) -> str:
    """Allowed values in words: "from 0 to 100" or "one of 2, 3, 5"."""
    if isinstance(allowed, range) and abs(allowed.step) == 1:
        least, most = ends(allowed)
        return f"from {least} to {most}"
    return "one of " + ", ".join(map(str, allowed))


def ends(allowed: range) -> tuple[int, int]:
    """The smallest and the largest number of a range."""
    return min(allowed[0], allowed[-1]), max(allowed[0], allowed[-1])


# --- in files -----------------------------------------------------------------------------------------------------------


def stored_parameters(game: Any) -> dict[str, Any]:
    """The parameters of a game in JSON, from which `restored_parameters` makes them again. Raises `ParameterError`."""
    name, classes = type(game).__name__, classes_of(type(game))
    found = {}
    for parameter, value in zip(game._fields, game, strict=True):
        try:
            found[parameter] = stored(value)
        except Unstorable as error:
            raise ParameterError(f"{name}: {parameter} holds {error}, which no file can hold: use {LOADS}") from None
        try:
            restored(found[parameter], classes)
        except ValueError as error:
            raise ParameterError(
                f"{name}: {parameter} is {expression(value)}, whose class would not be found when the file is read ({error}): annotate "
                f"{parameter} with the class, at the top of the file"
            ) from None
    return found


def restored_parameters(game_class: type, stored_ones: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters in a file, as the rules expect them. Raises what `restored` raises."""
    classes, by_name = classes_of(game_class), {f.name: f for f in fields(game_class)}
    found = {str(name): restored(value, classes) for name, value in stored_ones.items()}
    return {name: fitted(by_name[name].form, value) if name in by_name else value for name, value in found.items()}


def packed(game: Any) -> dict[str, Any]:
    """The parameters of a game as another process gets them, where their classes may be others of the same name; pickled only where nothing
    else is possible."""
    try:
        return {"stored": stored_parameters(game)}
    except ParameterError:
        return {"as they are": game._asdict()}


def unpacked(game_class: Any, sent: Mapping[str, Any]) -> Any:
    """The game that was packed."""
    if "as they are" in sent:
        return game_class(**sent["as they are"])
    classes = classes_of(game_class)
    return game_class(**{name: restored(value, classes) for name, value in sent["stored"].items()})


def classes_of(game_class: type) -> dict[str, type]:
    """The NamedTuples and Enums that parameters and strategies may be made of, by name: of its module, annotations and defaults."""
    module = vars(sys.modules.get(game_class.__module__, typing))
    found = {c.__name__: c for c in module.values() if isinstance(c, type) and (is_record(c) or hasattr(c, "__members__"))}
    for field in fields(game_class):
        found |= {c.__name__: c for form in (field.form, form_of(Any, field.default)) for c in form.classes()}
    return found
