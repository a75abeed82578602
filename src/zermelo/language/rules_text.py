"""What a game's rules are, as text that is the same in every process, and its hash: by these a study, a saved solution and a certificate
know whether rules have changed. Layout and comments don't count. Standard library only.

The text has the parts that rules name (source.py) and what they can reach through values (reached.py).
"""

from __future__ import annotations

import hashlib
import os
from types import FunctionType
from typing import Any

from zermelo.basics.syntax import all_nodes
from zermelo.errors import RulesError
from zermelo.language.bare_code import bare_code
from zermelo.language.described import describe, describe_class
from zermelo.language.forms import form_of
from zermelo.language.parameters import fields
from zermelo.language.reached import Held, imported, is_given, own_functions, words
from zermelo.language.source import Part, members, part, reachable, references


def rules_text(game: Any) -> str:
    """Everything that a game's answers depend on except its parameters, as deterministic text. `game` is a game or its class."""
    game_class: Any = game if isinstance(game, type) else type(game)
    lines = [f"game {game_class.__name__}({', '.join(game_class._fields)})"]
    if isinstance(payoffs := getattr(game_class, "payoffs", None), tuple | list):
        lines.append(f"payoffs = {payoffs!r}")
    if getattr(game_class, "must_end", False):
        lines.append("must_end = True")
    parts = reachable(members(game_class).values(), game_class)
    held = Held()
    for of_parameters in _parameter_classes(game_class):  # their methods are called through `self`, where they are not seen
        lines.append(f"parameters are made of {describe_class(of_parameters)}")
        parts = reachable(own_functions(of_parameters), of_parameters) | parts
        held.look(of_parameters)
    held.look_at_game(game_class, parts)
    return "\n".join([*lines, *_text_of_parts(parts, held)]) + "\n"


def function_text(function: FunctionType) -> str:
    """The same of a function, such as a policy: all that its results depend on. Raises `RulesError` where the source can't be read."""
    return "\n".join(_text_of_parts(reachable([function]), Held()))


def rules_hash(game: Any) -> str:
    """sha256 of `rules_text`, in hexadecimal."""
    return hash_of(rules_text(game))


def hash_of(text: str) -> str:
    """The hash of rules, given their text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _text_of_parts(parts: dict[str, Part], held: Held) -> list[str]:
    """The text of parts and of what they reach; `held` : what is reached otherwise."""
    lines: list[str] = []
    seen = {this.function for this in parts.values()}
    for name, this in parts.items():
        lines += _text_of_part(name, this)
        lines += _text_of_held(Held.by(this), seen)
    return lines + _text_of_held(held, seen)


def _text_of_part(name: str, this: Part) -> list[str]:
    where = {r.name: describe(r.value) for r in references(this)} | {n: describe(v) for n, v in imported(this)}
    return [f"\n# {name}", _code(this), *(f"# where {n} = {text}" for n, text in sorted(where.items()) if text), *_environment(this)]


def _environment(this: Part) -> list[str]:
    """The variables of the environment that a part names, if it reads any: not the others, which may be secrets."""
    if not any(r.value is os.environ or r.value is os.getenv for r in references(this)):
        return []
    named = {word for word in words(all_nodes(this.tree)) if word.isidentifier()}
    return [f"# environment {name} = {os.environ.get(name)!r}" for name in sorted(named)]


def _text_of_held(held: Held, seen: set[FunctionType]) -> list[str]:
    """The text of what is reached through values, but for the functions that were seen."""
    lines, waiting = [], [held]
    while waiting:
        held = waiting.pop(0)
        lines += held.lines
        for function in held.functions:
            if function in seen or is_given(function):
                continue
            seen.add(function)
            try:
                this = part(function)
            except RulesError:  # it was written by a program
                lines.append(f"\n# {function.__qualname__} {describe(function.__code__)}")
                waiting.append(Held.by_written(function))
                continue
            lines += _text_of_part(this.name, this)
            waiting.append(Held.by(this))
    return lines


def _parameter_classes(game_class: Any) -> list[type]:
    """The NamedTuples and Enums that the parameters of a game are made of, as annotations and defaults say."""
    every = fields(game_class)
    forms = [form for field in every for form in (field.form, form_of(Any, field.default))]
    return sorted({c for form in forms for c in form.classes()}, key=lambda c: c.__qualname__)


def _code(this: Part) -> str:
    """The code without comments, docstring, annotations and layout; values of default arguments at the end."""
    defaults, named = this.function.__defaults__, this.function.__kwdefaults__
    lines = [bare_code(this), *([f"# defaults {describe(defaults)}"] if defaults else [])]
    return "\n".join([*lines, *([f"# named {describe(named)}"] if named else [])])
