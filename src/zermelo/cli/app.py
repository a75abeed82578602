"""The commands put together with typer. A command about a game gets that game's parameters as options of its own."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, get_args, get_origin

import typer

from zermelo.cli import commands, puzzle
from zermelo.cli.output import FAILED, INTERRUPTED, complain
from zermelo.cli.target import KINDS, Target, find, help_of, option
from zermelo.errors import ZermeloError
from zermelo.game import REQUIRED, Field
from zermelo.games.catalogue import COMMANDS as GAMES

UsageError: Any = typer.BadParameter.__mro__[1]  # click's, wherever this version of typer keeps it

ABOUT = """Optimal play, computed exactly: value, policy and certificate of a game.

GAME is a name from `zermelo list`, FILE.py:Class for a game of your own, or a saved solution.
`zermelo solve GAME --help` shows the parameters of that game.
"""


WHAT_GAME_IS = "a game of the catalogue, FILE.py:Class, or a saved solution"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; its exit code. The entry point of `zermelo`."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except ZermeloError as error:
        complain(as_options(str(error)))
    except UsageError as error:
        complain(usage_text(error))
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted", prefix="")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        complain("out of memory; give the game smaller parameters")
    except OSError as error:
        complain(f"{error.filename or 'file'}: {error.strerror or error}")
    return FAILED


def _run(words: list[str]) -> int:
    command = typer.main.get_command(build(words))
    code = command.main(args=words, prog_name="zermelo", standalone_mode=False)
    if code == INTERRUPTED:  # newer versions of typer turn Ctrl-C into this
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def as_options(text: str) -> str:
    """A message of the library with what is written in Python there as it is written here."""
    return text.replace("max_states", "--max-states").replace("exact=True", "--exact")


def usage_text(error: Any) -> str:
    """What click has to say about a wrong option or argument, in one line."""
    text = " ".join(str(error.format_message()).split())
    name = getattr(error, "option_name", None)
    if name and getattr(error, "ctx", None):
        known = [o for p in error.ctx.command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
        close = get_close_matches(name, known, 2, 0.5)
        hint = f"; did you mean {' or '.join(close)}?" if close else "; --help shows all options"
        return f"no such option: {name}{hint}"
    unfit = re.match(r"invalid value for '(--[\w-]+).*?(integer|number|float)", text, re.IGNORECASE)
    if unfit:
        return f"{unfit[1]} must be a {'whole ' if unfit[2].lower() == 'integer' else ''}number"
    if "No such command" in text:
        word = text.split("'")[1] if "'" in text else ""
        if getattr(error, "ctx", None) and error.ctx.info_name == puzzle.NAME:
            return puzzle.unknown(word)
        close = get_close_matches(word, [*COMMANDS, puzzle.NAME], 2, 0.5)
        return f"no command {word!r}; " + (f"did you mean {' or '.join(close)}?" if close else "see zermelo --help")
    return text[:1].lower() + text[1:].rstrip(".")


# --- the commands -----------------------------------------------------------------------------------------------------

ABOUT_GAMES: dict[str, Callable[..., Any]] = {
    "solve": commands.solve,
    "table": commands.table,
    "plot": commands.plot,
    "simulate": commands.simulate,
    "play": commands.play,
    "check": commands.check,
}
OTHERS: dict[str, Callable[..., Any]] = {
    "list": commands.list_games,
    "answer": commands.answer,
    "reproduce": commands.reproduce,
    "demo": commands.demo,
}
ORDER = ("list", "solve", "table", "plot", "simulate", "play", "check", "answer", "reproduce", "demo")
COMMANDS = {name: ABOUT_GAMES.get(name) or OTHERS[name] for name in ORDER}


def build(words: Sequence[str]) -> typer.Typer:
    """The application; the command that `words` names gets the parameters of the game that they name."""
    app = typer.Typer(help=ABOUT, add_completion=False, rich_markup_mode="rich")
    app.callback()(_about)
    named = next((w for w in words if not w.startswith("-")), "")
    for name, function in COMMANDS.items():
        if name in ABOUT_GAMES:
            word = game_word(function, words[list(words).index(name) + 1 :]) if name == named else ""
            function = with_parameters(function, find(word) if word else None)
        app.command(name)(function)
    app.add_typer(puzzle.build(), name=puzzle.NAME)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        from zermelo import __version__

        print(f"zermelo {__version__}")
        raise typer.Exit


def _about(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and stop.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    pass


_about.__doc__ = ABOUT


def game_word(function: Callable[..., Any], words: Sequence[str]) -> str:
    """The word that stands for GAME among the words of a command: the first that is no option and no option's value."""
    takes_value = spellings(function)
    candidates = []
    rest = iter(words)
    for word in rest:
        if takes_value.get(word):
            next(rest, None)
        elif not word.startswith("-"):
            candidates.append(word)
    certain = [w for w in candidates if w in GAMES or ".py" in w]  # a value of a game's parameter may stand before it
    return next(iter([*certain, *candidates]), "")


def spellings(function: Callable[..., Any]) -> dict[str, bool]:
    """Every spelling of the options of a command, and whether a value follows it."""
    found = {"--help": False}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        if get_origin(parameter.annotation) is Annotated:
            kind, info = get_args(parameter.annotation)[:2]
            names = [d for d in (info.default, *(info.param_decls or ())) if isinstance(d, str)] or [option(name)]
            found |= {part: kind is not bool for spelling in names for part in spelling.split("/")}
    return found


def with_parameters(function: Callable[..., Any], target: Target | None) -> Callable[..., Any]:
    """A command about a game: GAME, the options of `function`, and one for each parameter of the game (`given`)."""
    signature = inspect.signature(function, eval_str=True)
    own = {n: p.annotation for n, p in signature.parameters.items() if n not in ("target", "given")}
    taken = spellings(function)
    added = {f"parameter_{f.name}": f for f in target.fields} if target else {}
    annotations = {
        "game": Annotated[str, typer.Argument(metavar="GAME", help=WHAT_GAME_IS, show_default=False)],
        **own,
        **{name: _annotation(field, taken, target.word) for name, field in added.items() if target},
    }
    defaults = {
        **{n: p.default for n, p in signature.parameters.items()},
        **{n: _default(f) for n, f in added.items()},
    }

    def command(game: str, **values: Any) -> Any:
        given = {field.name: values.pop(name) for name, field in added.items()}
        return function(target=target, given=given, **values)

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


def _annotation(field: Field, taken: Mapping[str, bool], word: str) -> Any:
    name = option(field.name) if option(field.name) not in taken else option("game_" + field.name)
    spelling = f"{name}/--no-{name[2:]}" if field.type is bool else name
    kind = bool if field.type is bool else str  # converted in `Target.game`, which says in our words what does not fit
    metavar = {int: "N", float: "X", str: "TEXT", bool: None}.get(field.type, "N,N,...")
    panel = f"Parameters of {word}"
    return Annotated[kind | None, typer.Option(spelling, metavar=metavar, help=help_of(field), rich_help_panel=panel)]


def _default(field: Field) -> Any:
    if field.default is REQUIRED:
        return None
    if field.type is bool:
        return field.default
    return str(field.default) if field.type in KINDS else ",".join(map(str, field.default))


__all__ = ["build", "main"]
