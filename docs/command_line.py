"""The reference of the command line, written from the commands themselves when the site is built."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer
from mkdocs.structure.files import File, Files

from zermelo.cli.app import build
from zermelo.cli.examples import EXAMPLES

PAGE = "reference/command-line.md"
HEAD = """# Command line

Every command prints results to standard output, and progress and complaints to standard error.
`GAME` is a name from `zermelo list`, `FILE.py:Class` for a game of your own, `MODEL.prism` or `MODEL.jani` with `--property`,
a file of Gambit or UMB, or a saved solution.
`zermelo solve GAME --help` also lists the parameters of that game, each as an option.

| exit code | means |
|---|---|
| 0 | done |
| 1 | `verify`: a claim of the certificate fails; `reproduce`: a figure differs; `study`: some combinations have no value |
| 2 | the request cannot be carried out, or the rules contain faults; standard error says why |
| 130 | interrupted with Ctrl-C |

| environment variable | what it sets (the first four in Python, too) |
|---|---|
| `ZERMELO_CACHE` | the folder for what is kept for the next run, such as machine code and rows of studies (`~/.cache/zermelo`) |
| `ZERMELO_THREADS` | how many threads work on a game, as `--threads` (all that the process may use) |
| `ZERMELO_ANEW` | `1`: large decks are solved again, though the cache holds their solution |
| `ZERMELO_TIER` | `interpreted` or `compiled`: how all rules and kernels run, for tests and measurements (decided game by game) |
| `NO_COLOR`, `COLUMNS` | no colours; the width of a line |
"""


def on_files(files: Files, config: Any) -> Files:
    files.append(File.generated(config, PAGE, content=page()))
    return files


def page() -> str:
    """The whole page as Markdown."""
    command: Any = typer.main.get_command(build(["--help"]))
    return "\n".join([HEAD, *described(command, "")])


def described(group: Any, before: str) -> Iterator[str]:
    for name, command in group.commands.items():
        words = f"{before}{name}"
        if hasattr(command, "commands"):
            yield f"\n## zermelo {words}\n\n{plain(command.help)}\n"
            yield from described(command, f"{words} ")
            continue
        yield f"\n{'###' if before else '##'} zermelo {words}\n\n{plain(command.help)}\n"
        rows = [row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)]
        yield "\n".join(["| option | meaning |", "|---|---|", *rows, ""])
        yield "\n".join(["```", *EXAMPLES[words], "```\n"])


def row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        value = "" if parameter.is_flag else f" {parameter.metavar or kind(parameter.type)}"
        name = ", ".join(f"`{spelling}{value}`" for spelling in (*parameter.opts, *parameter.secondary_opts))
    default = parameter.default
    shown = default is not None and default is not False and parameter.show_default and not callable(default) and default != ()
    text = plain(getattr(parameter, "help", None))
    return f"| {name} | {text}{f' Default: {default}.' if shown else ''} |".replace("\n", " ")


def kind(type_: Any) -> str:
    """What stands for a value: NUMBER, or the choices."""
    choices = getattr(type_, "choices", None)
    return "\\|".join(str(c) for c in choices) if choices else str(type_.name).upper()


def plain(text: str | None) -> str:
    """A help text without the marks of the terminal."""
    return re.sub(r"\[/?(dim|bold|red|green)\]", "", inspect.cleandoc(text or "")).replace("\f", "")


if __name__ == "__main__":
    print(page())
