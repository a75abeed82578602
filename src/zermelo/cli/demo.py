"""`zermelo demo`: two games solved end to end, to show the form of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.cli.output import check_writable, console, print_json, progress_bar, seconds
from zermelo.cli.solving import compile_ahead

if TYPE_CHECKING:
    from zermelo.solution import Solution

PICTURE = "card-draw.png"
SHOWN = range(0, 27, 2)  # numbers of red cards of which the demo shows the boundary


def run(directory: Path, as_json: bool) -> None:
    """Solve the card draw and Pig to 100; show value, fraction, certificate, policy and a picture."""
    from zermelo.games import CardDraw, Pig
    from zermelo.games.card_draw_views import games_figure
    from zermelo.solving import solve
    from zermelo.views.plot import save

    picture = directory / PICTURE
    check_writable(picture)
    compile_ahead()
    with progress_bar() as progress:
        cards = solve(CardDraw(), progress=progress)
        exact = solve(CardDraw(), exact=True, progress=progress)
        pig = solve(Pig(), progress=progress)
    save(games_figure(cards), picture)
    if as_json:
        print_json(_data(cards, exact, pig, picture))
    else:
        _show(cards, exact, pig, picture)


def _data(cards: Solution, exact: Solution, pig: Solution, picture: Path) -> dict[str, Any]:
    from zermelo.games.card_draw_views import boundary
    from zermelo.views.data import as_data

    return {
        "card-draw": {**as_data(cards), "exact": str(exact.value), "stop at black cards left": boundary(exact)},
        "pig": as_data(pig),
        "picture": picture,
    }


def _show(cards: Solution, exact: Solution, pig: Solution, picture: Path) -> None:
    from zermelo.cli.report import print_solution
    from zermelo.games.card_draw_views import stopping
    from zermelo.uses.units import percent
    from zermelo.views.table import print_table

    out = console()
    out.rule("[bold]1. Red and black: when do you stop?[/bold]", align="left")
    out.print("A deck of 26 red and 26 black cards. Red pays $1, black costs $1. Draw as long as you like.\n")
    print_solution(cards)
    out.print(f"\nProven in rational numbers: [bold]{exact.value}[/bold]\n")
    whole = stopping(exact)
    rows = tuple(row for row in whole.rows if row[0] in SHOWN)
    note = "every second line of: zermelo table card-draw --view boundary"
    print_table(whole._replace(title="When to stop", rows=rows, notes=(note,)), out)
    out.print(f"\n49 games of optimal play are drawn in [bold]{picture}[/bold]\n")
    out.rule("[bold]2. Pig: the dice race to 100[/bold]", align="left")
    out.print("Roll as often as you like and bank the total, but a 1 loses it. First to 100 wins.\n")
    print_solution(pig)
    win, statistics = pig.win_probability(), pig.statistics
    assert win is not None
    took = statistics["seconds exploring"] + statistics["seconds solving"]
    out.print(
        f"\nThe player who moves first wins [bold]{percent(win)} %[/bold] of all games, "
        f"found, solved and certified in {seconds(took)}: {statistics['states']:,} states."
    )
    out.print("\nNext: [cyan]zermelo list[/cyan], [cyan]zermelo play pig[/cyan], [cyan]zermelo reproduce[/cyan]")
