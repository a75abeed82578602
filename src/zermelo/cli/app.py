"""The commands put together with typer. A command about a game gets that game's parameters as options of its own."""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from zermelo.basics.notices import Notice
from zermelo.cli import blackjack, commands, completion, puzzle
from zermelo.cli.choosing import views_epilog
from zermelo.cli.encoding import any_console
from zermelo.cli.examples import epilog
from zermelo.cli.output import FAILED, INTERRUPTED, complain
from zermelo.cli.own_options import spellings, spread, with_fields
from zermelo.cli.solving import Solving
from zermelo.errors import ZermeloError
from zermelo.games.catalogue import COMMANDS as GAMES
from zermelo.games.named import Target, find

UsageError: Any = typer.BadParameter.__mro__[1]  # click's, wherever this version of typer keeps it

ABOUT = """Optimal play, computed exactly: value, policy and certificate of a game.

GAME is a name from `zermelo list`, FILE.py:Class for a game of your own, or a saved solution.
`zermelo solve GAME --help` shows the parameters of that game.
"""


WHAT_GAME_IS = "a game of the catalogue, FILE.py:Class, or a saved solution"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; its exit code. The entry point of `zermelo`."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    with any_console():
        return _spoken(words)


def _spoken(words: list[str]) -> int:
    """Run a command line; whatever goes wrong that the user can mend is said in one line."""
    try:
        with notices_as_lines():
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
    typed = completion.typed_words()
    command = typer.main.get_command(build(words if typed is None else typed, typed is not None))
    code = command.main(args=words, prog_name="zermelo", standalone_mode=False)
    if code == INTERRUPTED:  # newer versions of typer turn Ctrl-C into this
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


@contextmanager
def notices_as_lines() -> Iterator[None]:
    """What the library tells as a warning is a line here."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def shown(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, Notice):
                complain(str(message))
            else:
                show(message, category, *where, **more)

        warnings.showwarning = shown
        yield


def as_options(text: str) -> str:
    """A message of the library with what is written in Python there as it is written here."""
    text = text.replace("max_states", "--max-states").replace("exact=True", "--exact").replace("quick=True", "--quick")
    return re.sub(r"\bdiscount=(?=[\d.])", "--discount ", text)


def usage_text(error: Any) -> str:
    """What click has to say about a wrong option or argument, in one line."""
    text = " ".join(str(error.format_message()).split())
    name = getattr(error, "option_name", None)
    if name and getattr(error, "ctx", None):
        known = [o for p in error.ctx.command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
        close = get_close_matches(name, known, 2, 0.5)
        hint = f"; did you mean {' or '.join(close)}?" if close else "; --help shows all options"
        return f"no such option: {name}{hint}"
    unfit = re.match(r"invalid value for '(--[\w-]+).*? valid (integer|int|number|float)\b", text, re.IGNORECASE)
    if unfit:
        return f"{unfit[1]} must be a {'whole ' if unfit[2].lower().startswith('int') else ''}number"
    if "No such command" in text:
        word = text.split("'")[1] if "'" in text else ""
        group = getattr(getattr(error, "ctx", None), "info_name", None)
        if group in GROUPS:
            return GROUPS[group].unknown(word)
        close = get_close_matches(word, [*COMMANDS, *GROUPS], 2, 0.5)
        return f"no command {word!r}; " + (f"did you mean {' or '.join(close)}?" if close else "see zermelo --help")
    return text[:1].lower() + text[1:].rstrip(".")


# --- the commands -----------------------------------------------------------------------------------------------------

ABOUT_GAMES: dict[str, Callable[..., Any]] = {
    function.__name__: spread(function, "solving", Solving)
    for function in (
        commands.solve,
        commands.table,
        commands.plot,
        commands.simulate,
        commands.play,
        commands.check,
    )
}
OTHERS: dict[str, Callable[..., Any]] = {
    "list": commands.list_games,
    "answer": commands.answer,
    "verify": commands.verify,
    "reproduce": commands.reproduce,
    "demo": commands.demo,
}
ORDER = ("list", "solve", "table", "plot", "simulate", "play", "check", "verify", "answer", "reproduce", "demo")
GROUPS = {puzzle.NAME: puzzle, blackjack.NAME: blackjack}
COMMANDS = {name: ABOUT_GAMES.get(name) or OTHERS[name] for name in ORDER}


def build(words: Sequence[str], completing: bool = False) -> typer.Typer:
    """The application; the command that `words` names gets the parameters of the game that they name.

    completing : the words are still being typed; only games of the catalogue are looked up then
    """
    app = typer.Typer(help=ABOUT, rich_markup_mode="rich")
    app.callback()(_about)
    named = next((w for w in words if not w.startswith("-")), "")
    for name, function in COMMANDS.items():
        if name in ABOUT_GAMES:
            word = game_word(function, words[list(words).index(name) + 1 :]) if name == named else ""
            is_known = word in GAMES if completing else bool(word)
            target = find(word) if is_known else None
            function = with_parameters(function, target)
            about_views = views_epilog(name, target) if target and "--help" in words else ""
        else:
            about_views = ""
        app.command(name, epilog=epilog(name) + about_views)(function)
    app.add_typer(puzzle.build(), name=puzzle.NAME)
    app.add_typer(blackjack.build(), name=blackjack.NAME)
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


def with_parameters(function: Callable[..., Any], target: Target | None) -> Callable[..., Any]:
    """A command about a game: GAME, the options of `function`, and one for each parameter of the game (`given`)."""
    about = typer.Argument(metavar="GAME", help=WHAT_GAME_IS, show_default=False, autocompletion=completion.games)
    argument = {"game": Annotated[str, about]}
    fields, panel = (target.fields, f"Parameters of {target.word}") if target else ((), "")

    def about_game(game: str, **values: Any) -> Any:
        return function(target=target or find(game), **values)

    about_game.__signature__ = inspect.signature(function, eval_str=True)  # type: ignore[attr-defined]
    about_game.__name__, about_game.__doc__ = function.__name__, function.__doc__
    return with_fields(about_game, fields, panel, argument, hidden=("target",))


__all__ = ["build", "main"]
