"""`zermelo blackjack COMMAND`: tables of blackjack, with their rules as options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.commands import Exact, Json
from zermelo.cli.output import console, print_json, progress_bar
from zermelo.cli.own_options import with_fields
from zermelo.cli.target import converted
from zermelo.errors import ParameterError
from zermelo.game import fields
from zermelo.games.blackjack.cards import NAMES
from zermelo.games.blackjack.rules import Rules, check_rules

if TYPE_CHECKING:
    from zermelo.games.blackjack import Analysis
    from zermelo.table import Table

NAME = "blackjack"
PANEL = "Rules of the table"
UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")  # in the order of every printed strategy

Cdp1 = Annotated[
    bool,
    typer.Option("--cdp1", help="After a split play as is best for its first hand, instead of as before the split."),
]
Up = Annotated[str, typer.Option("--up", metavar="CARD", help="The dealer's card: A, 2 to 10, J, Q or K.")]


def build() -> typer.Typer:
    """The command `blackjack` with its own commands."""
    app = typer.Typer(invoke_without_command=True, help="Blackjack, exactly: strategy, values, hands, any shoe.")
    app.callback()(list_commands)
    for name, function in COMMANDS.items():
        app.command(name)(with_fields(function, fields(Rules), PANEL, {}))
    return app


def list_commands(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        width = max(map(len, COMMANDS))
        for name, function in COMMANDS.items():
            console().print(f"[bold cyan]{name:{width}}[/]  {(function.__doc__ or '').splitlines()[0]}")
        print("\nzermelo blackjack COMMAND --help shows the rules that can be varied.")


def unknown(word: str) -> str:
    close = get_close_matches(word, COMMANDS, 2, 0.5)
    return f"no command blackjack {word!r}; " + (
        f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(COMMANDS)}"
    )


def rules_of(given: Mapping[str, Any]) -> Rules:
    """The rules that were given as options; a shoe takes the place of the decks."""
    by_name = {f.name: f for f in fields(Rules)}
    values = {n: converted(by_name[n], v) for n, v in given.items() if v not in (None, "")}
    return check_rules(Rules(**values))


def analysis_of(given: Mapping[str, Any], cdp1: bool = False, exact: bool = False) -> Analysis:
    from zermelo.games.blackjack import AfterSplit, analyse

    rules = rules_of(given)
    with progress_bar() as progress:
        return analyse(rules, AfterSplit.CDP1 if cdp1 else AfterSplit.CDZ, exact, progress)


def show(tables: list[Table], data: Mapping[str, Any], as_json: bool) -> None:
    from zermelo.table import print_table

    if as_json:
        print_json(data)
        return
    out = console()
    for i, table in enumerate(tables):
        if i:
            out.print()
        print_table(table, out)


# --- the commands -----------------------------------------------------------------------------------------------------


def value(given: Mapping[str, Any], cdp1: Cdp1 = False, exact: Exact = False, as_json: Json = False) -> None:
    """What a round is worth, overall and by up card."""
    from zermelo.games.blackjack.views import value_data, value_table

    analysis = analysis_of(given, cdp1, exact)
    show([value_table(analysis)], value_data(analysis), as_json)


def hand(
    given: Mapping[str, Any],
    cards: Annotated[str, typer.Argument(metavar="CARDS", help='The hand, such as "10 6", A7 or 8,8.')],
    up: Up,
    unconditional: Annotated[
        bool, typer.Option("--unconditional", help="Values before the dealer has looked for a blackjack.")
    ] = False,
    cdp1: Cdp1 = False,
    exact: Exact = False,
    as_json: Json = False,
) -> None:
    """What every option of a hand is worth against an up card."""
    from zermelo.games.blackjack.options import read_hand
    from zermelo.games.blackjack.views import hand_data, hand_table

    read_hand(rules_of(given).cards, cards, up)
    analysis = analysis_of(given, cdp1, exact)
    found = analysis.hand(cards, up, False if unconditional else None)
    show([hand_table(analysis, found)], hand_data(analysis, found), as_json)


def dealer(
    given: Mapping[str, Any],
    conditional: Annotated[
        bool, typer.Option("--conditional", help="Given that the dealer has no blackjack, as after a look.")
    ] = False,
    exact: Exact = False,
    as_json: Json = False,
) -> None:
    """How the dealer ends, for every up card."""
    from zermelo.games.blackjack.views import dealer_data, dealer_table

    rules = rules_of(given)
    show([dealer_table(rules, conditional, exact)], dealer_data(rules, conditional, exact), as_json)


COMMANDS: dict[str, Callable[..., None]] = {"value": value, "hand": hand, "dealer": dealer}

__all__ = ["NAME", "NAMES", "ParameterError", "build", "unknown"]
