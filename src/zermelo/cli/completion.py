"""Tab completion: the words that the shell requests after `zermelo --install-completion`."""

from __future__ import annotations

import os

import typer

from zermelo.games.catalogue import COMMANDS, ENTRIES, Entry

ASKED = "_ZERMELO_COMPLETE"  # set by the shell when it asks for completions
TYPED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # the words typed so far: bash; zsh and others


def typed_words() -> list[str] | None:
    """The words after `zermelo` that are to be completed; None if this is a command to be run."""
    if not os.environ.get(ASKED, "").startswith("complete"):
        return None
    return next((os.environ[name].split()[1:] for name in TYPED if os.environ.get(name)), [])


def games(incomplete: str) -> list[tuple[str, str]]:
    """The games of the catalogue that begin with this; if there are none, the shell completes file names."""
    return [(e.command, e.doc) for e in ENTRIES if e.command.startswith(incomplete)]


def reproduced(incomplete: str) -> list[str]:
    """The games with published numbers that begin with this."""
    from zermelo.reproduce import all_claims

    return [name for name in dict.fromkeys(claim.game for claim in all_claims()) if name.startswith(incomplete)]


def views(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The views of the game that has been typed."""
    from zermelo.games.all_views import FIGURES, TABLES, likely_views
    from zermelo.games.named import find

    entry = _typed_game(context)
    if entry is None:
        return []
    kind = FIGURES if context.command.name == "plot" else TABLES
    found = likely_views(find(entry.command).game({}), kind)
    return [(name, view.doc) for name, view in found.items() if name.startswith(incomplete)]


def fields(context: typer.Context, incomplete: str) -> list[str]:
    """The fields of the states of the game that has been typed."""
    from zermelo.cli.choosing import fields_of_states
    from zermelo.games.named import find

    entry = _typed_game(context)
    found = [] if entry is None else fields_of_states(find(entry.command).game({}))
    return [name for name in found if name.startswith(incomplete)]


def numbers(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The parameters of the game that has been typed that are numbers."""
    from zermelo.games.named import find

    entry = _typed_game(context)
    found = () if entry is None else find(entry.command).fields
    return [(f.name, f.doc) for f in found if f.type in (int, float) and f.name.startswith(incomplete)]


def seats(incomplete: str) -> list[tuple[str, str]]:
    """The players of a game for two."""
    return [(seat, about) for seat, about in (("1", "the first player"), ("2", "the second")) if seat.startswith(incomplete)]


def _typed_game(context: typer.Context) -> Entry | None:
    """The game of the catalogue that has been typed."""
    typed = (context.params.get("game"), *context.args)  # an argument stays among these until the words are complete
    return next((COMMANDS[word] for word in typed if word in COMMANDS), None)
