"""Models in PRISM's and JANI's languages on the command line: the options that name a property and constants, and `translate`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from zermelo.cli.output import check_writable, complain, print_json
from zermelo.errors import ParameterError
from zermelo.foreign.words import parted
from zermelo.games.catalogue import COMMANDS
from zermelo.games.named import Target, find, model_target

PROPERTY, CONST, NEVER = "--property", "--const", "--never"
HEADER = b'"""'  # the first bytes of a translation
TREES = (".efg", ".nfg")  # how files of Gambit end

Property = Annotated[
    str,
    typer.Option(PROPERTY, metavar="TEXT", help="What is asked: 'Pmax=? [ F \"goal\" ]', FILE.props:NAME, or the name of a property."),
]
Const = Annotated[
    list[str] | None,
    typer.Option(
        CONST, metavar="NAME=VALUE", help="Write an open constant into the rules, such as p=1/3, which stays exact; may be repeated."
    ),
]


def target_of(word: str, words: Sequence[str]) -> Target:
    """The game that the words of a command mean, given that `word`, the first that is not an option, is a model."""
    asked = values(words, PROPERTY)
    if len(asked) > 1:
        raise ParameterError(f"{PROPERTY} is given {len(asked)} times: ask one question at a time")
    never = any(w == NEVER or w.startswith(f"{NEVER}=") for w in words)
    written = values(words, CONST)
    options = [part for name, given in ((PROPERTY, asked), (CONST, written)) for value in given for part in (name, value)]
    try:
        return model_target(word, "".join(asked), constants(written), never)._replace(options=tuple(options))
    except ParameterError:
        found = parted(word)
        if "--help" not in words or asked or (found and found[1]):
            raise
        return Target(word)  # help without its parameters, which are the constants on which the property depends


OWN: dict[str, tuple[Any, Any]] = {"property": (Property, ""), "const": (Const, None)}  # annotation and default


def with_own(signature: inspect.Signature, target: Target | None) -> inspect.Signature:
    """The signature of a command with the options of models, if its game is one: `target_of` has read them from the words already."""
    if target is None or parted(target.word) is None:
        return signature
    own = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, annotation=a, default=d) for n, (a, d) in OWN.items()]
    return signature.replace(parameters=[*own, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in signature.parameters.values())])


def without_own(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the command itself receives."""
    return {n: v for n, v in values.items() if n not in OWN}


def in_words(games: Sequence[str], given: Mapping[str, Any]) -> list[str]:
    """The words of a command about several games, the models with the property that is given. Raises `ParameterError`."""
    if given.get("const"):
        raise ParameterError(f"{CONST} is about one game: run zermelo translate MODEL {CONST} ... -o game.py, and give game.py here")
    asked = given.get("property")
    return [f"{w}:{asked}" if asked and (found := parted(w)) and not found[1] else w for w in games]


def of_certificate(file: Path, game: str | None, asked: str, const: Sequence[str]) -> Any:
    """Where the rules of a certificate are, as `zermelo.verify` takes it: the class of the game, if they are those of a model."""
    if game is None or parted(game) is None:
        if asked or const:
            raise ParameterError(f"{PROPERTY} and {CONST} are about models: zermelo verify {file} MODEL.prism {PROPERTY} ...")
        return game
    from zermelo.solving import gives_up
    from zermelo.verifier import read

    return model_target(game, asked, constants(const), gives_up(read(file).header)).game_class


def what_is_verified(rules: Any) -> str:
    """What the number of a certificate is: the value, or how it differs from the answer to a property of a model."""
    from zermelo.foreign.modules import question_about

    question = question_about(rules)
    if question is None:
        return "the value"
    return f"the value of the game that {question.text} was translated to{', 1 - P,' if question.reads == 'rest' else ''}"


def values(words: Sequence[str], option: str) -> list[str]:
    """The values given with an option, one for each time it occurs."""
    after = [words[i + 1] for i, w in enumerate(words[:-1]) if w == option]
    return after + [w.partition("=")[2] for w in words if w.startswith(f"{option}=")]


def constants(given: Sequence[str]) -> dict[str, str]:
    """`--const p=1/3 --const N=4`, also `--const p=1/3,N=4`, by name."""
    found: dict[str, str] = {}
    for part in (part for text in given for part in text.split(",")):
        name, equals, value = (w.strip() for w in part.partition("="))
        if not equals or not name or not value:
            raise ParameterError(f"{CONST} takes NAME=VALUE, as in {CONST} N=4, not {part!r}")
        if found.get(name, value) != value:
            raise ParameterError(f"{CONST} gives {name} twice: {found[name]} and {value}")
        found[name] = value
    return found


def game_to_write(words: Sequence[str], word: str) -> Target | None:
    """The game whose parameters are options of `translate`, given its words and the one that names a model or a game: that which a file of
    Gambit is to be of. A model is written as rules with their parameters, so that none is chosen."""
    if any(output.endswith(TREES) for option in ("--output", "-o") for output in values(words, option)):
        return target_of(word, words) if parted(word) else find(word)
    return find(word) if word in COMMANDS or (".py" in word and not parted(word)) else None


def translate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A file of PRISM, JANI or Gambit; with -o FILE.efg any game.")],
    property: Property = "",
    const: Const = None,
    never: Annotated[bool, typer.Option(NEVER, help="Rewards until a goal: what never gets there costs the parameter `never`.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="FILE.py, or FILE.efg for Gambit; the screen if left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")] = False,
    given: Mapping[str, Any] = MappingProxyType({}),
    target: Target | None = None,
) -> None:
    """Write the game of a model's property, or a game of Gambit (.efg, .nfg), as rules in Python; or a small game as a file of Gambit."""
    if output and output.suffix in TREES:
        if parted(model) is None and (property or const or never):
            raise ParameterError(f"{model} is a game: {PROPERTY}, {CONST} and {NEVER} are for models; its parameters are options")
        _write_gambit(target or find(model), given, output)
        if as_json:
            print_json({"file": output})
        else:
            print(f"{output}: written")
        return
    found = parted(model)
    if found is None:
        raise ParameterError(f"{model} names no model: a file that ends in .prism, .nm, .pm, .sm, .smg, .jani, .efg, .nfg or .umb")
    if output:
        if output.suffix != ".py":
            raise ParameterError(f"{output} must end in .py, or in .efg for Gambit")
        check_writable(output, HEADER)
    from zermelo.foreign.loading import translation
    from zermelo.storage.file import replacing

    if property and found[1]:
        raise ParameterError(f"{model} names a property already; {PROPERTY} is another one")
    made = translation(found[0], property or found[1], constants(const or []), never)
    if output is not None:
        with replacing(output) as temporary:
            temporary.write_text(made.text, encoding="utf-8")
    if as_json:
        print_json({"file": output, "class": made.class_name, "notes": made.notes, **({} if output else {"rules": made.text})})
        return
    if output is None:
        print(made.text, end="")
        return
    for note in made.notes:
        complain(f"{model}: {note}", prefix="")
    print(f"{output}: zermelo solve {output}:{made.class_name}")


def _write_gambit(target: Target, given: Mapping[str, Any], output: Path) -> None:
    """Write a game as a file of Gambit. Raises `ParameterError`, `OutOfReach`."""
    check_writable(output, b"EFG " if output.suffix == ".efg" else b"NFG ")
    from zermelo.foreign.as_gambit import to_gambit

    if target.game_class is None:
        raise ParameterError(f"{target.word} is a saved solution: zermelo translate GAME -o {output} writes the game")
    to_gambit(target.game(given), output)
