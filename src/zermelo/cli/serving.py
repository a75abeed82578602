"""`zermelo serve`: the page of some games, or of the whole catalogue. `zermelo page`: that of one game as a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.output import check_writable, complain, print_json, progress_bar
from zermelo.cli.solving import DEFAULTS, Solving, rules_of, solution_of, use_threads
from zermelo.errors import ParameterError
from zermelo.games.catalogue import ENTRIES
from zermelo.games.named import Target, converted, find

if TYPE_CHECKING:
    from zermelo.serve.server import Server

SHARED = ("exact", "discount", "tolerance", "max_states", "quick", "refine")  # options that are passed on unchanged


def serve(
    words: Sequence[str],
    given: Mapping[str, Any],
    solving: Solving,
    port: Annotated[
        int | None, typer.Option(metavar="N", help="Where to listen.", show_default="8713, or a free one")
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Another address than this machine's own: others can then use the page, too."
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, if there is one.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the address as JSON, and nothing else.")] = False,
) -> None:
    """Open a page of solved games: play against them, and explore values, moves, maps and distributions. Press Ctrl-C to stop.

    Without GAME, the page has the whole catalogue. Parameters and options are those of the first GAME; the page can change them.
    """
    sheets = _sheets(words, given, solving)
    from zermelo.serve.server import Server

    use_threads(solving.threads)
    with Server(sheets, host, port) as server:
        server.api.shelf.is_set_apart = True
        url = server.url + (f"#/{_quoted(sheets[0].word)}" if len(sheets) == 1 else "")
        until_ended(server, url, {"games": [sheet.word for sheet in sheets]}, browser, as_json)


def until_ended(server: Server, url: str, data: Mapping[str, Any], browser: bool, as_json: bool) -> None:
    """Print the address of a page, open it, and serve it until Ctrl-C, which ends it as soon as the address is printed."""
    try:
        if as_json:
            print_json({"url": url, **data})
        else:
            print(f"{url}   (Ctrl-C ends it)")
        sys.stdout.flush()
        if not server.is_local:
            where = "this machine" if server.is_everywhere else server.asked_host
            complain(f"whoever reaches {where} in the network can use this page")
        if browser and not as_json and has_browser():
            import webbrowser  # only here, since other commands do not need it

            webbrowser.open(url)
        server.serve_forever()
    except KeyboardInterrupt:
        if not as_json:
            print()


def page(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file, a name ending in .html.")],
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", help="Leave out tables and pictures that take longer.")
    ] = 20.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")] = False,
) -> None:
    """Write the page of a solved game as one file that can be opened without a server, sent, or put on a static site."""
    from zermelo.serve.offline import BEGINS, page_of
    from zermelo.serve.shelf import Sheet
    from zermelo.storage.file import replacing

    if output.suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"{output} must be a name in .html")
    if not patience >= 0:
        raise ParameterError(f"--patience must be 0 or more seconds, not {patience:g}")
    check_writable(output, BEGINS)
    solution = solution_of(target, given, solving)
    with progress_bar() as progress:
        made, lacks = page_of(solution, Sheet(target.word, target, given), progress, patience)
    with replacing(output) as path:
        path.write_bytes(made)
    if as_json:
        print_json({"file": output, "bytes": len(made), **({"lacks": lacks} if lacks else {})})
    else:
        print(f"written to {output} ({len(made) / 1e6:.2g} MB): a browser opens it, without a server")
        if lacks:
            print(lacks)


def _sheets(words: Sequence[str], given: Mapping[str, Any], solving: Solving) -> list[Any]:
    """The offer of the page: the named games, the first with these parameters and options; or the catalogue."""
    from zermelo.serve.shelf import Sheet, sheet_of

    if not words:
        if solving._replace(threads=None) != DEFAULTS:
            raise ParameterError("options about how to solve a game need a GAME; in the page each game has its own")
        return [sheet_of(e.command, find(e.command)) for e in ENTRIES]
    targets = [find(word) for word in dict.fromkeys(words)]
    options = {name: getattr(solving, name) for name in SHARED if getattr(solving, name) != getattr(DEFAULTS, name)}
    first = targets[0]
    if first.saved:
        if options:
            raise ParameterError(f"{first.word} is a saved solution: options about how to solve it come too late")
        options = {} if solving.rules is None else {"rules": rules_of(solving.rules)}
    elif solving.rules is not None:
        raise ParameterError(f"--rules is about saved solutions, and {first.word} is none")
    is_asked = bool(options) or any(value is not None for value in given.values())
    begun = Sheet(first.word, first, _chosen(first, given), options) if is_asked else sheet_of(first.word, first)
    return [begun, *(sheet_of(t.word, t) for t in targets[1:])]


def _chosen(target: Target, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that differ from their defaults. Raises `ParameterError` for a value that does not fit."""
    values = {f.name: converted(f, given[f.name]) for f in target.fields if given.get(f.name) is not None}
    return {f.name: values[f.name] for f in target.fields if f.name in values and values[f.name] != f.default}


def _quoted(word: str) -> str:
    from urllib.parse import quote

    return quote(word, safe="")


def has_browser() -> bool:
    """Whether a window can be opened, rather than a browser in this terminal."""
    has_windows = sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return sys.stdout.isatty() and has_windows


__all__ = ["has_browser", "page", "serve", "until_ended"]
