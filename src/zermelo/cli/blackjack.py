"""`zermelo blackjack COMMAND`: tables of blackjack, with their rules as options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.commands import Json, contents
from zermelo.cli.encoding import typed
from zermelo.cli.examples import epilog
from zermelo.cli.lines import fitted, print_pairs
from zermelo.cli.once import Once
from zermelo.cli.output import check_writable, console, print_json, progress_bar
from zermelo.cli.own_options import option, with_fields
from zermelo.cli.solving import Exact
from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import NAMES
from zermelo.games.blackjack.rules import Rules, check_rules
from zermelo.games.named import converted
from zermelo.language.parameters import fields

if TYPE_CHECKING:
    from zermelo.games.blackjack import Analysis
    from zermelo.views.table import Table

NAME = "blackjack"
PANEL = "Rules of the table"
UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")  # in the order of every printed strategy

Cdp1 = Annotated[
    bool,
    typer.Option("--cdp1", help="After a split play as is best for its first hand, instead of as before the split."),
]
Digits = Annotated[int, typer.Option("--digits", metavar="N", help="Decimals that are printed.", min=1, max=15)]
Up = Annotated[str, typer.Option("--up", metavar="CARD", help="The dealer's card: A, 2 to 10, J, Q or K.")]


def build() -> typer.Typer:
    """The command `blackjack` with its own commands."""
    app = typer.Typer(invoke_without_command=True, help="Blackjack, exactly: strategy, values, hands, any shoe.")
    app.callback()(list_commands)
    for name, function in COMMANDS.items():
        app.command(name, cls=Once, epilog=epilog(f"{NAME} {name}"))(with_fields(function, fields(Rules), PANEL, {}))
    return app


def list_commands(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print_pairs((f"blackjack {name}", (function.__doc__ or "").partition("\n")[0]) for name, function in COMMANDS.items())
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
    with spelt_as_options():
        return check_rules(Rules(**values))


@contextmanager
def spelt_as_options() -> Iterator[None]:
    """Reports errors in rules in the words of the command line."""
    try:
        yield
    except ParameterError as error:
        raise ParameterError(as_options(str(error))) from None


def as_options(text: str) -> str:
    """An error about rules, with its Python notation rewritten as options."""
    for field in fields(Rules):
        spelt = option(field.name)
        if field.type is bool:
            text = text.replace(f"{field.name}=False", f"--no-{spelt[2:]}").replace(f"{field.name}=True", spelt)
        text = re.sub(rf"\b{field.name}=", f"{spelt} ", text)
        if "_" in field.name:
            text = re.sub(rf"\b{field.name}\b", spelt, text)
    return text


def analysis_of(given: Mapping[str, Any], cdp1: bool = False, exact: bool = False) -> Analysis:
    from zermelo.games.blackjack import AfterSplit, analyse

    rules = rules_of(given)
    with progress_bar() as progress:
        return analyse(rules, AfterSplit.CDP1 if cdp1 else AfterSplit.CDZ, exact, progress)


def show(tables: list[Table], data: Mapping[str, Any], as_json: bool) -> None:
    from zermelo.views.table import print_table

    if as_json:
        print_json(data)
        return
    out = console()
    for i, table in enumerate(tables):
        if i:
            out.print()
        print_table(table, out)


# --- the commands -----------------------------------------------------------------------------------------------------


def value(
    given: Mapping[str, Any],
    deviation: Annotated[
        bool, typer.Option("--deviation", help="The standard deviation of a round as well; takes some seconds.")
    ] = False,
    cdp1: Cdp1 = False,
    exact: Exact = False,
    digits: Digits = 6,
    as_json: Json = False,
) -> None:
    """The value of a round, overall and by up card."""
    from zermelo.games.blackjack.views import value_data, value_table

    analysis = analysis_of(given, cdp1, exact)
    show([value_table(analysis, deviation, digits)], value_data(analysis, deviation), as_json)


def hand(
    given: Mapping[str, Any],
    cards: Annotated[str, typer.Argument(metavar="CARDS", help='The hand, such as "10 6", A7 or 8,8.')],
    up: Up,
    unconditional: Annotated[
        bool, typer.Option("--unconditional", help="Values before the dealer has looked for a blackjack.")
    ] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="Of a pair, also the value of splitting it once and remembering all cards.")
    ] = False,
    seen: Annotated[
        str, typer.Option("--seen", metavar="CARDS", help="Other cards that are gone from the shoe, such as those of earlier rounds.")
    ] = "",
    cdp1: Cdp1 = False,
    exact: Exact = False,
    digits: Digits = 6,
    as_json: Json = False,
) -> None:
    """The value of every option of a hand against an up card, also when other cards are known to be gone."""
    from zermelo.games.blackjack import AfterSplit, analyse, full_memory_error, full_memory_split
    from zermelo.games.blackjack.cards import EMPTY, hand_of
    from zermelo.games.blackjack.options import is_pair, read_hand
    from zermelo.games.blackjack.shoes import rules_without
    from zermelo.games.blackjack.views import hand_data, hand_table

    with spelt_as_options():
        rules = rules_without(rules_of(given), hand_of(seen) if seen else EMPTY)
    read_hand(rules.cards, cards, up)
    with progress_bar() as progress:
        analysis = analyse(rules, AfterSplit.CDP1 if cdp1 else AfterSplit.CDZ, exact, progress)
    found = analysis.hand(cards, up, False if unconditional else None)
    remembered = None
    if memory:
        if not is_pair(found):
            raise ParameterError(f"--memory is about splitting, and {found.hand} is no pair")
        with progress_bar() as progress, spelt_as_options():
            card = found.hand.partition("-")[0]
            asked = analysis.rules, card, up, found.conditional
            remembered = full_memory_split(*asked, progress), full_memory_error(*asked)
    show([hand_table(analysis, found, remembered, digits)], hand_data(analysis, found, remembered), as_json)


def hands(
    given: Mapping[str, Any],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write every hand and value to this file, a name ending in .csv.")
    ] = None,
    cdp1: Cdp1 = False,
    as_json: Json = False,
) -> None:
    """The whole strategy by cards: the best option for every hand against every up card, and the value of each option."""
    from zermelo.games.blackjack.every_hand import hands_data, rows_of, two_cards
    from zermelo.games.blackjack.views import rules_data
    from zermelo.views import files

    if output:
        check_writable(files.check_format(output))
    analysis = analysis_of(given, cdp1)
    if not output and not as_json:
        show([two_cards(analysis)], {}, False)
        return
    with progress_bar() as progress:
        if output:
            written = files.write(rows_of(analysis, progress), output)
    if output and not as_json:
        print(f"{output}: {len(written.rows):,} rows, a hand and an up card each; {'; '.join(written.notes)}")
    if as_json:
        after = analysis.after_split.value
        data = {"file": output} if output else {"hands": hands_data(analysis)}
        print_json({"rules": rules_data(analysis.rules), "after split": after, **data})


def table(
    given: Mapping[str, Any],
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Evaluate this strategy instead of searching for the best one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the strategy there.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The best simple strategy, as players know it, with its cost and the exceptions to it."""
    from zermelo.games.blackjack.simple import best_strategy, evaluate_strategy
    from zermelo.games.blackjack.strategy import read_strategy
    from zermelo.games.blackjack.views import strategy_data, strategy_tables
    from zermelo.storage.file import replacing

    rules = rules_of(given)
    given_strategy = read_strategy(contents(str(strategy))) if strategy else None
    if output:
        check_writable(output, b"#")
    with progress_bar() as progress:
        found = evaluate_strategy(rules, given_strategy) if given_strategy else best_strategy(rules, progress)
    analysis = analysis_of(given)
    if output:
        with replacing(output) as temporary:
            temporary.write_text(found.strategy.text(), encoding="utf-8")
    if as_json:
        print_json({**strategy_data(found, analysis), "output": output})
        return
    *grids, exceptions = strategy_tables(found, analysis, strategy is None)
    for grid in grids:
        print_strategy(grid)
    show([exceptions], {}, False)


COLOURS = {
    "S": "bold white on dark_red", "H": "black on green3", "D": "bold white on blue3", "Ds": "bold white on slate_blue1",
    "P": "black on gold3", "R": "black on grey78", "Rs": "black on grey58", "-": "dim",
}  # fmt: skip


def print_strategy(grid: Table) -> None:
    """A part of a strategy, every code in its colour."""
    from rich.table import Table as RichTable
    from rich.text import Text

    out = console()
    lines = RichTable(box=None, padding=(0, 0, 0, 0))
    for name in grid.columns:
        lines.add_column(Text(f"{name:^4}" if name in NAMES else f"{name:5}"), header_style="bold cyan", no_wrap=True)
    for row, *codes in grid.rows:
        cells = [Text(f"{code:^4}", COLOURS[str(code)]) for code in codes]
        lines.add_row(Text(f"{row:>4} ", "cyan"), *cells)
    out.print(lines)
    for note in grid.notes:
        out.print(Text(note, style="dim"))
    out.print()


def dealer(
    given: Mapping[str, Any],
    conditional: Annotated[
        bool, typer.Option("--conditional", help="Given that the dealer has no blackjack, as after a look.")
    ] = False,
    exact: Exact = False,
    digits: Digits = 6,
    as_json: Json = False,
) -> None:
    """How the dealer ends, for every up card."""
    from zermelo.games.blackjack.views import dealer_data, dealer_table

    rules = rules_of(given)
    with progress_bar():
        table = dealer_table(rules, conditional, exact, digits)
    show([table], dealer_data(rules, conditional, exact), as_json)


def eor(given: Mapping[str, Any], cdp1: Cdp1 = False, digits: Digits = 6, as_json: Json = False) -> None:
    """Effects of removal: the value to the player of a card of each rank while it is in the shoe."""
    from zermelo.games.blackjack.shoe_views import effects_data, effects_table
    from zermelo.games.blackjack.shoes import Effects

    effects = Effects(analysis_of(given, cdp1))
    with progress_bar(), spelt_as_options():
        table = effects_table(effects, digits)
    show([table], effects_data(effects), as_json)


def shoe(
    given: Mapping[str, Any],
    dealt: Annotated[
        str,
        typer.Argument(
            metavar="[CARDS]", help='Cards gone from the full shoe, such as "10 6 A K 5".', show_default=False
        ),
    ] = "",
    cdp1: Cdp1 = False,
    digits: Digits = 6,
    as_json: Json = False,
) -> None:
    """The value of the next round to a player who has seen all cards so far, for bets and insurance."""
    from zermelo.games.blackjack import AfterSplit
    from zermelo.games.blackjack.cards import EMPTY, hand_of
    from zermelo.games.blackjack.shoe_views import shoe_data, shoe_table
    from zermelo.games.blackjack.shoes import state_of

    rules = rules_of(given)
    with progress_bar(), spelt_as_options():
        state = state_of(rules, hand_of(dealt) if dealt else EMPTY, AfterSplit.CDP1 if cdp1 else AfterSplit.CDZ)
    show([shoe_table(state, digits)], shoe_data(state), as_json)


def counting(
    given: Mapping[str, Any],
    dealt: Annotated[
        str, typer.Option(metavar="SHARES", help="How much of the shoe is dealt before it is shuffled: one or several.")
    ] = "0.5,0.75",
    spread: Annotated[
        str, typer.Option(metavar="BETS", help="The largest bet, the smallest being 1; 0: bet 1 where a win is expected, else nothing.")
    ] = "1,4,8,12",
    valued: Annotated[int, typer.Option(metavar="N", help="Rounds to value exactly, drawn from those that are played.")] = 1000,
    shoes: Annotated[int, typer.Option(metavar="N", help="Shoes to play.")] = 100_000,
    own_indices: Annotated[
        bool, typer.Option("--own-indices", help="Hi-Lo plays by the indices that `indices` finds for this table.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed shuffles in the same way.")] = 1,
    as_json: Json = False,
) -> None:
    """The winnings of card counting in 100 rounds: betting and playing by the exact shoe, compared with Hi-Lo with the usual indices."""
    from zermelo.games.blackjack.counting import counting_gains
    from zermelo.games.blackjack.shoe_views import counting_data, counting_table

    rules = rules_of(given)
    shares, bets = _numbers(dealt, "--dealt", float, "0.5,0.75"), _numbers(spread, "--spread", int, "1,4,8")
    with progress_bar() as progress, spelt_as_options():
        found = counting_gains(rules, shares, bets, valued, shoes, seed, progress, own_indices)
    show([counting_table(found)], counting_data(found), as_json)


def indices(
    given: Mapping[str, Any],
    dealt: Annotated[float, typer.Option(metavar="SHARE", help="How much of the shoe is dealt before it is shuffled.")] = 0.75,
    valued: Annotated[int, typer.Option(metavar="N", help="Shoes that are valued exactly, as many with each true count.")] = 1000,
    most: Annotated[int, typer.Option(metavar="N", help="Show N of them, those that gain most.")] = 30,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed shuffles in the same way.")] = 1,
    as_json: Json = False,
) -> None:
    """Hi-Lo's indices for this table: the true count from which a cell is played differently, and the gain."""
    from zermelo.basics.parameters import whole
    from zermelo.games.blackjack.index_search import search_indices
    from zermelo.games.blackjack.shoe_views import indices_data, indices_table

    rules = rules_of(given)
    with spelt_as_options():
        whole("most", most, 1)
    with progress_bar() as progress, spelt_as_options():
        found = search_indices(rules, dealt, valued, seed, progress)
    show([indices_table(found, most)], indices_data(found), as_json)


def _numbers(text: str, name: str, kind: Callable[[str], Any], example: str) -> list[Any]:
    try:
        return list(dict.fromkeys(kind(part) for part in text.split(",")))
    except ValueError:
        raise ParameterError(f"{name} is a list of numbers such as {example}, not {text!r}") from None


def plot(
    given: Mapping[str, Any],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to: .png, .svg or .pdf.")],
    view: Annotated[str, typer.Option(metavar="NAME", help="value, eor, tree or strategy.")] = "value",
    as_json: Json = False,
) -> None:
    """Draw the value by up card, the effects of removal, the dealer's tree of draws, or the strategy in colours."""
    from zermelo.games.blackjack.figures import FIGURES
    from zermelo.games.blackjack.views import rules_data
    from zermelo.views.plot import check_format, save

    if view not in FIGURES:
        raise ParameterError(f"--view must be one of {', '.join(FIGURES)}, not {view!r}")
    rules = rules_of(given)
    check_format(output)
    with progress_bar():
        save(FIGURES[view](rules), output)
    if as_json:
        print_json({"rules": rules_data(rules), "view": view, "output": output})
    else:
        said, _, _ = (FIGURES[view].__doc__ or "").partition("\n")  # python -OO has no docstrings
        print(f"{output}: {said}" if said else f"written to {output}")


def play(
    given: Mapping[str, Any],
    rounds: Annotated[int | None, typer.Option(metavar="N", help="Stop after N rounds.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed deals the same cards.")] = None,
    as_json: Json = False,
) -> None:
    """Play, with a report on every mistake and its cost."""
    from zermelo.games.blackjack.trainer import Training, converse

    if rounds is not None and rounds < 1:
        raise ParameterError(f"--rounds must be at least 1, not {rounds}")
    training = Training(analysis_of(given), seed)
    stream = sys.stderr if as_json else sys.stdout

    def write(text: str) -> None:
        print(fitted(text), file=stream, flush=True)

    def read(prompt: str) -> str:
        print(prompt, end="", file=stream, flush=True)
        return typed(input)

    converse(training, read, write, rounds)
    if as_json:
        print_json(training.as_data())


def serve(
    given: Mapping[str, Any],
    port: Annotated[int | None, typer.Option(metavar="N", help="Where to listen.", show_default="8713, or a free one")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, if there is one.")] = True,
    as_json: Json = False,
) -> None:
    """Open a page: the strategy as a chart, the value of every option of any hand, and a trainer. Press Ctrl-C to stop."""
    from zermelo.cli.serving import until_ended
    from zermelo.serve.blackjack import LEFT_OUT, PAGE, BlackjackApi
    from zermelo.serve.server import Server

    rules = rules_of(given)
    if rules.shoe:
        raise ParameterError("the page is about whole decks: leave --shoe out, and give cards that are gone in the page")
    asked = {name: value for name, value in rules._asdict().items() if name not in LEFT_OUT}
    with Server(BlackjackApi(asked), port=port) as server:
        until_ended(server, server.url + PAGE, {"rules": rules.text()}, browser, as_json)


COMMANDS: dict[str, Callable[..., None]] = {
    "table": table,
    "value": value,
    "hand": hand,
    "hands": hands,
    "dealer": dealer,
    "eor": eor,
    "shoe": shoe,
    "counting": counting,
    "indices": indices,
    "play": play,
    "plot": plot,
    "serve": serve,
}

__all__ = ["NAME", "NAMES", "ParameterError", "build", "unknown"]
