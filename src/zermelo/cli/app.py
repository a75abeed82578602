"""The commands put together with typer. A command about a game gets that game's parameters as options of its own."""

from __future__ import annotations

import errno
import gc
import importlib
import inspect
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from zermelo.basics.interrupts import interruptible
from zermelo.basics.machine import NO_THREAD
from zermelo.basics.notices import Notice
from zermelo.cli import cache, commands, completion, models, robot, serving, study, warm
from zermelo.cli.choosing import views_epilog
from zermelo.cli.encoding import any_console
from zermelo.cli.examples import epilog
from zermelo.cli.lines import as_options
from zermelo.cli.once import Once
from zermelo.cli.output import FAILED, INTERRUPTED, complain, nothing_but_json, verbatim
from zermelo.cli.own_options import spellings, spread, with_fields
from zermelo.cli.solving import Solving, is_command
from zermelo.errors import ZermeloError
from zermelo.foreign.words import parted
from zermelo.games.catalogue import COMMANDS as GAMES
from zermelo.games.named import Target, find, hidden_library

UsageError: Any = typer.BadParameter.__mro__[1]  # click's class, wherever this version of typer keeps it

ABOUT = """Optimal play, computed exactly: value, policy and certificate of a game.

GAME is a name from `zermelo list`, FILE.py:Class for a game of your own, MODEL.prism or MODEL.jani with --property, or a saved solution.
`zermelo solve GAME --help` shows the parameters of that game.
"""


WHAT_GAME_IS = "a game of the catalogue, FILE.py:Class, MODEL.prism (with --property), or a saved solution"
NO_MEMORY = "out of memory; give the game smaller parameters"
NO_ROOM = "failed to map segment"  # in errors of the system's linker
CANT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
BOXES = "Glyph "  # begins the warnings of matplotlib that views/glyphs.py tells in one line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; its exit code. The entry point of `zermelo`."""
    is_command[:] = [arguments is None]
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if "numpy" not in sys.modules:  # BLAS has one thread (methods/dense.py), and starting others takes longer than importing numpy
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if arguments is None:
        os.environ.pop("MPLBACKEND", None)  # pictures need no window, and a notebook's backend may be missing here
    if None in (sys.stdin, sys.stderr):  # closed by the caller
        _take_closed()
        sys.stdin, sys.stderr = sys.stdin or io.StringIO(""), sys.stderr or io.StringIO()
    if sys.stdout is None:
        complain("can't write: the standard output is closed")
        return FAILED
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # no file
            os.set_blocking(stream.fileno(), True)  # else Python loses, without a word, what a slow reader has no room for
    with any_console(), few_collections():
        return _spoken(words)


def _take_closed() -> None:
    """Keep files that are opened later from getting the number of a stream, to which libraries may write."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)


@contextmanager
def few_collections() -> Iterator[None]:
    """Collect cyclic garbage less often than after every 700 new objects, since importing modules leaves none."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _spoken(words: list[str]) -> int:
    """Run a command line; an error that the user can fix is reported in one line."""
    try:
        with notices_as_lines(), interruptible():
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
    except BrokenPipeError:  # the reader of the pipe has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        complain(NO_MEMORY)
    except (OSError, ImportError, RuntimeError, AttributeError) as error:
        complain(_of_the_system(error))
    return FAILED


def _of_the_system(error: OSError | ImportError | RuntimeError | AttributeError) -> str:
    """What the system refused, or a library in whose place a file was found, in one line. Raises an error of another kind."""
    if NO_ROOM in f"{error} {error.__context__}":  # for a library that is loaded on demand
        return NO_MEMORY
    if isinstance(error, BlockingIOError) and error.strerror == os.strerror(errno.EAGAIN):  # of `fork`
        return "the system lets this process start no other ones: raise the limit (ulimit -u), or end other processes"
    if isinstance(error, OSError):
        where = error.filename or ("can't write" if error.errno in CANT_WRITE else "")
        return f"{where}: {error.strerror or error}".removeprefix(": ")
    if NO_THREAD in str(error):
        return "the system lets this process start no more threads; ZERMELO_THREADS=1 needs the fewest"
    if isinstance(error, ImportError | AttributeError) and (said := hidden_library()):
        return f"{error}: {said}"
    raise error


def _run(words: list[str]) -> int:
    typed = completion.typed_words()
    if typed is None and "--json" in words and "--help" not in words:
        with nothing_but_json():
            return _carried_out(words, words, False)
    return _carried_out(words, words if typed is None else typed, typed is not None)


def _carried_out(words: list[str], known: Sequence[str], completing: bool) -> int:
    command = typer.main.get_command(build(known, completing))
    streams = sys.stdout, sys.stderr
    try:
        code = command.main(args=words, prog_name="zermelo", standalone_mode=False)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        sys.stdout, sys.stderr = streams  # typer has replaced them
        raise end.__context__ from None
    if code == INTERRUPTED:  # newer versions of typer turn Ctrl-C into this
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


@contextmanager
def notices_as_lines() -> Iterator[None]:
    """Print the library's warnings as single lines."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def shown(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, Notice):
                complain(str(message))
            elif not str(message).startswith(BOXES):  # told in one line
                show(message, category, *where, **more)

        warnings.showwarning = shown
        yield


def usage_text(error: Any) -> str:
    """Click's report on a wrong option or argument, in one line."""
    text = " ".join(str(error.format_message()).split())
    name = getattr(error, "option_name", None)
    if name and getattr(error, "ctx", None):
        known = [o[2:] for p in error.ctx.command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
        word = name.lstrip("-")
        if error.ctx.obj:
            return _no_option_of(error.ctx.obj, name)
        close = [o for o in known if o.lower() == word.lower()] or get_close_matches(word, known, 2)
        hint = f"; did you mean --{' or --'.join(close)}?" if close else "; --help shows all options"
        return f"no such option: {name}{hint}"
    unfit = re.match(r"invalid value for '(--[\w-]+).*? valid (integer|int|number|float)\b", text, re.IGNORECASE)
    if unfit:
        return f"{unfit[1]} must be a {'whole ' if unfit[2].lower().startswith('int') else ''}number"
    if "No such command" in text:
        word = text.split("'")[1] if "'" in text else ""
        group = getattr(getattr(error, "ctx", None), "info_name", None)
        if group in GROUPS:
            return str(group_of(group).unknown(word))
        if word in GAMES or ".py" in word or Path(word).is_file():
            return f"no command {word!r}; a game follows a command, as in `zermelo solve {word}`"
        close = get_close_matches(word, [*COMMANDS, *GROUPS], 2, 0.5)
        return f"no command {word!r}; " + (f"did you mean {' or '.join(close)}?" if close else "see zermelo --help")
    if extra := re.match(r"got unexpected extra arguments?(\(s\))? \((.*)\)$", text, re.IGNORECASE):
        name, equals, value = extra[2].partition("=")
        if equals:
            return f"unexpected words: {extra[2]}: a parameter is given as --{name} {value}"
        if extra[2].lower() in ("true", "false", "yes", "no"):
            return f"unexpected words: {extra[2]}; true is --name without a value, false is --no-name"
        return f"unexpected words: {extra[2]}; parameters and options are named, as in --goal 10 (see --help)"
    return text[:1].lower() + text[1:].rstrip(".")


def _no_option_of(saved: Path, name: str) -> str:
    """What is said of an unknown option, mostly a parameter of a game, where a file stands for the game."""
    with saved.open("rb") as file:
        if (prefix := file.read(len(commands.STORED))) != commands.STORED:
            from zermelo.storage.file import not_stored

            return not_stored(saved, prefix)
    return f"no such option: {name}; {saved} is a saved solution, whose parameters can't be changed; --help shows all options"


# --- the commands -----------------------------------------------------------------------------------------------------

ABOUT_GAMES: dict[str, Callable[..., Any]] = {
    "solve": commands.solve,
    "table": commands.table,
    "plot": commands.plot,
    "simulate": commands.simulate,
    "play": commands.play,
    "check": commands.check,
    "serve": serving.serve,
    "page": serving.page,
    "study": study.study,
}
OTHERS: dict[str, Callable[..., Any]] = {
    "list": commands.list_games,
    "answer": commands.answer,
    "verify": commands.verify,
    "reproduce": commands.reproduce,
    "demo": commands.demo,
    "warm": warm.warm,
    "cache": cache.cache,
    "translate": models.translate,
    "robot": robot.robot,
}
COMMANDS = (
    "list", "solve", "study", "table", "plot", "simulate", "play", "serve", "page", "check", "verify", "answer", "reproduce", "demo",
    "warm", "cache", "translate", "robot",
)  # fmt: skip
SEVERAL = "serve"  # the command that takes any number of games
GROUPS = ("puzzle", "blackjack")  # each has commands of its own, and a module of its name


def group_of(name: str) -> ModuleType:
    """The module of a group of commands, imported on demand, since the commands about games do not need it."""
    return importlib.import_module(f"zermelo.cli.{name}")


def build(words: Sequence[str], completing: bool = False) -> typer.Typer:
    """The application; the command that `words` names gets the parameters of the game that they name, and is the only one that is made,
    since typer takes milliseconds for each. Without such a word, as in `zermelo --help`, all commands are made.

    completing : the words are still being typed, and only games of the catalogue are looked up
    """
    app = typer.Typer(help=ABOUT, rich_markup_mode="rich")
    app.callback()(_about)
    named = next((w for w in words if not w.startswith("-")), "")
    is_alone = named in (*COMMANDS, *GROUPS) and named == words[0] and not completing
    for name in (named,) if is_alone else (*COMMANDS, *GROUPS):
        if name in GROUPS:
            app.add_typer(group_of(name).build(), name=name)
            continue
        about_views, saved = "", None
        if name in ABOUT_GAMES:
            function = spread(ABOUT_GAMES[name], "solving", Solving)
            word = game_word(function, words[list(words).index(name) + 1 :]) if name == named else ""
            is_known = word in GAMES if completing else bool(word)
            is_model = parted(word) is not None and not completing
            target = models.target_of(word, words) if is_model else find(word) if is_known else None
            function = (with_games if name == SEVERAL else with_parameters)(function, target)
            about_views = views_epilog(name, target) if target and "--help" in words else ""
            saved = target and target.saved
        elif name == "translate":
            function = with_game_to_write(words[list(words).index(name) + 1 :] if name == named and not completing else ())
        else:
            function = OTHERS[name]
        app.command(name, cls=Once, epilog=epilog(name) + about_views, context_settings={"obj": saved})(function)
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
    """The word that stands for GAME among the words of a command: the first that is neither an option nor an option's value."""
    takes_value = spellings(function)
    candidates = []
    rest = iter(words)
    for word in rest:
        if takes_value.get(word):
            next(rest, None)
        elif word == "-" or not word.startswith("-"):
            candidates.append(word)
    certain = [w for w in candidates if w in GAMES or ".py" in w or parted(w)]  # the value of a game's parameter may precede it
    return next(iter([*certain, *candidates]), "")


def with_games(function: Callable[..., Any], target: Target | None) -> Callable[..., Any]:
    """A command about any number of games: options for the parameters of the first one (`given`), and all words (`words`)."""
    about = typer.Argument(metavar="[GAME]...", help=WHAT_GAME_IS, show_default=False, autocompletion=completion.games)
    fields, panel = (target.fields, f"Parameters of {verbatim(target.word)}") if target else ((), "")
    own = inspect.signature(function, eval_str=True)
    games = inspect.Parameter("games", inspect.Parameter.KEYWORD_ONLY, default=None)

    def about_games(games: list[str] | None, **values: Any) -> Any:
        return function(words=models.in_words(games or [], values), **models.without_own(values))

    about_games.__signature__ = own.replace(parameters=[games, *models.with_own(own, target).parameters.values()])  # type: ignore[attr-defined]
    about_games.__name__, about_games.__doc__ = function.__name__, function.__doc__
    argument = {"games": Annotated[list[str] | None, about]}
    return with_fields(about_games, fields, panel, argument, hidden=("words",))


def with_parameters(function: Callable[..., Any], target: Target | None) -> Callable[..., Any]:
    """A command about a game: GAME, the options of `function`, and one for each parameter of the game (`given`)."""
    about = typer.Argument(metavar="GAME", help=WHAT_GAME_IS, show_default=False, autocompletion=completion.games)
    argument = {"game": Annotated[str, about]}
    fields, panel = (target.fields, f"Parameters of {verbatim(target.word)}") if target else ((), "")

    def about_game(game: str, **values: Any) -> Any:
        return function(target=target or find(game), **models.without_own(values))

    about_game.__signature__ = models.with_own(inspect.signature(function, eval_str=True), target)  # type: ignore[attr-defined]
    about_game.__name__, about_game.__doc__ = function.__name__, function.__doc__
    return with_fields(about_game, fields, panel, argument, hidden=("target",), several=function is study.study)


def with_game_to_write(words: Sequence[str]) -> Callable[..., Any]:
    """`translate` with these words: an option for each parameter of the game that is to be written, if it is one."""
    word = game_word(models.translate, words)
    target = models.game_to_write(words, word) if word else None
    fields, panel = (target.fields, f"Parameters of {verbatim(target.word)}") if target else ((), "")

    def about_game(**values: Any) -> Any:
        return models.translate(target=target, **values)

    about_game.__signature__ = inspect.signature(models.translate, eval_str=True)  # type: ignore[attr-defined]
    about_game.__name__, about_game.__doc__ = models.translate.__name__, models.translate.__doc__
    return with_fields(about_game, fields, panel, {}, hidden=("target",))


__all__ = ["build", "main"]
