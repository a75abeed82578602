"""Options made from the fields of a NamedTuple: parameters of a game, rules of a table, options about solving; and the given
ones written out again as a command to copy."""

from __future__ import annotations

import enum
import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from zermelo.basics.values import COLLECTIONS, written
from zermelo.cli.output import verbatim
from zermelo.errors import ParameterError
from zermelo.games.named import Target, WrongParameter
from zermelo.language.forms import metavar as metavar_of
from zermelo.language.parameters import REQUIRED, Field, describe


def option(name: str) -> str:
    """The option of a parameter; that of `raise_`, which is called so as `raise` is a word of Python, is --raise."""
    return "--" + (name[:-1] if iskeyword(name[:-1]) and name.endswith("_") else name).replace("_", "-")


def help_of(field: Field) -> str:
    """The help of a parameter's option: its meaning and allowed values."""
    allowed = describe(field.allowed) if field.allowed is not None else ""
    if field.form.scalar is bool:
        allowed = ""
    return verbatim(", ".join(filter(None, (field.doc, allowed))))


def spellings(function: Callable[..., Any]) -> dict[str, bool]:
    """Every spelling of the options of a command, and whether it takes a value."""
    found = {"--help": False}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        if get_origin(parameter.annotation) is Annotated:
            kind, info = get_args(parameter.annotation)[:2]
            names = [d for d in (info.default, *(info.param_decls or ())) if isinstance(d, str)] or [option(name)]
            found |= {part: kind is not bool for spelling in names for part in spelling.split("/")}
    return found


def spread(function: Callable[..., Any], name: str, group: Any) -> Callable[..., Any]:
    """The command with an option for each field of `group`, a NamedTuple class, in place of its parameter `name`."""
    signature = inspect.signature(function, eval_str=True)
    if name not in signature.parameters:
        return function
    hints = get_type_hints(group, include_extras=True)
    own = [
        inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, annotation=hints[n], default=group._field_defaults[n])
        for n in group._fields
    ]

    def command(**values: Any) -> Any:
        return function(**{name: group(*(values.pop(n) for n in group._fields))}, **values)

    others = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in signature.parameters.values() if p.name != name]
    last = [p for p in others if p.name == "as_json"]
    command.__name__, command.__doc__ = function.__name__, function.__doc__
    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*(p for p in others if p not in last), *own, *last]
    )
    return command


def with_fields(
    function: Callable[..., Any],
    fields: Sequence[Field],
    panel: str,
    first: Mapping[str, Any],
    hidden: Sequence[str] = (),
    several: bool = False,
) -> Callable[..., Any]:
    """The command `function` with an option for each field. It is called with the parameters `first`, its own, and `given`.

    first : annotations of parameters that come before its own; hidden : parameters of its own that the command line does not set
    several : an option takes several values, as text (studies/values.py)
    """
    signature = inspect.signature(function, eval_str=True)
    own = {n: p.annotation for n, p in signature.parameters.items() if n not in (*hidden, *first, "given")}
    taken = spellings(function)
    added = {f"parameter_{f.name}": f for f in fields}
    spelt = {f.name: spelling(f, taken) for f in fields}
    annotation = _annotation_of_several if several else _annotation
    annotations = {**first, **own, **{name: annotation(field, spelt, panel) for name, field in added.items()}}
    defaults = {
        **{n: p.default for n, p in signature.parameters.items()},
        **{n: _default(f, several) for n, f in added.items()},
    }

    def command(**values: Any) -> Any:
        given = {field.name: _given(field, values.pop(name), several) for name, field in added.items()}
        try:
            return function(given=given, **values)
        except WrongParameter as error:
            raise ParameterError(error.text(spelt.__getitem__)) from None

    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    command.__annotations__ = annotations
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, annotation=a, default=defaults.get(n, REQUIRED))
            for n, a in annotations.items()
        ]
    )
    return command


def spelling(field: Field, taken: Mapping[str, bool]) -> str:
    """The option of a parameter: its name, unless the command has an option of that name."""
    return option(field.name) if option(field.name) not in taken else option("game_" + field.name)


def command_line(function: Callable[..., Any], target: Target, given: Mapping[str, Any], options: Any, *more: str) -> str:
    """A command about the same game as typed text: with the parameters and the options of the NamedTuple `options` that
    differ from their defaults, and `more` words. `function` is the command."""
    taken = spellings(spread(function, "solving", type(options)))
    by_name = {f.name: f for f in target.fields}
    parameters = {spelling(by_name[n], taken): v for n, v in given.items() if v is not None and v != by_name[n].default}
    chosen = {option(n): v for n, v in options._asdict().items() if v != options._field_defaults[n]}
    words = [word for name, value in (parameters | chosen).items() for word in _typed(name, value)]
    return shlex.join(("zermelo", function.__name__, target.word, *target.options, *words, *more))


def _typed(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [name if value else f"--no-{name[2:]}"]
    return [name, value if isinstance(value, str) and not isinstance(value, enum.Enum) else written(value)]


def _annotation(field: Field, spelt: Mapping[str, str], panel: str) -> Any:
    name = spelt[field.name]
    is_bool = field.form.scalar is bool
    spelling = f"{name}/--no-{name[2:]}" if is_bool else name
    kind = bool if is_bool else str  # converted by `Target.game`, which reports errors in our words
    metavar = None if is_bool else metavar_of(field.form)
    return Annotated[kind | None, typer.Option(spelling, metavar=metavar, help=help_of(field), rich_help_panel=panel)]


def _annotation_of_several(field: Field, spelt: Mapping[str, str], panel: str) -> Any:
    one = metavar_of(field.form)
    usual = "N,N;N,N;..." if one == "N,N,..." else f"{one};{one};..." if field.form.is_collection else f"{one},{one},..."
    metavar = {int: "N..N:STEP|N,N,...", float: "X..X:STEP|X,X,...", bool: "yes,no"}.get(field.form.scalar, usual)
    about = help_of(field) if field.form.scalar is not bool else verbatim(field.doc)
    return Annotated[str | None, typer.Option(spelt[field.name], metavar=metavar, help=about, rich_help_panel=panel)]


def _default(field: Field, several: bool) -> Any:
    """The default of a parameter as the help shows it."""
    if field.default is REQUIRED or field.default is None or (field.form.kind in COLLECTIONS and not field.default):
        return None
    if field.form.scalar is bool and not several:
        return field.default if isinstance(field.default, bool) else None
    return written(field.default)


def _given(field: Field, value: Any, several: bool) -> Any:
    """What was given for a parameter: the default itself where that is what the help shows, as typer hands it over; with `several` None."""
    if field.default is REQUIRED or (value is not None and value != _default(field, several)):
        return value
    return None if several else field.default
