"""Tables and pictures of any solution of a matrix game: the probability of each strategy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import digits, in_full
from zermelo.basics.words import game_in_words
from zermelo.solution import MixedSolution
from zermelo.uses.mixed import strategy_data
from zermelo.uses.units import measure
from zermelo.views.slices import NO_FIX, Fix, View, any_solution
from zermelo.views.table import Table, rarities
from zermelo.views.words import finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LONGEST = 40  # characters of a fraction that a table shows
DECIMALS = 6  # of a probability in a table
BARS = 40  # strategies of a player that a picture shows


def strategies(solution: MixedSolution, fix: Fix = NO_FIX) -> Table:
    """Every strategy with positive probability, the likeliest first."""
    rows: list[tuple[Any, ...]] = []
    sides = [(name, likeliest(solution, seat)) for seat, name in enumerate(solution.players)]
    for side, (name, likely) in enumerate(sides):
        for strategy, probability in likely:
            exact = in_full(probability)
            shown = exact if len(exact) <= LONGEST else "(long)"
            rows.append((name, float(probability), shown, solution.shown(side, strategy)))
    unit, ends = measure(solution.game), (solution.value, solution.low, solution.high)
    title = f"{game_in_words(solution.game)}: mixed strategies"
    data = [
        {"player": name, **strategy_data(solution.game, side, s), "probability": p}
        for side, (name, likely) in enumerate(sides)
        for s, p in likely
    ]
    columns = ("player", "probability", "exactly", "strategy")
    rare = rarities((row[1] for row in rows), DECIMALS)
    table = Table(title, columns, tuple(rows), (f"value {digits(*ends)}", *rare), decimals=DECIMALS, data={"strategies": data})
    if unit is None:
        return table
    return table._replace(printed=table._replace(notes=(f"value {unit.written(digits(*unit.shown(*ends)))}", *rare)))


def mixtures(solution: MixedSolution, fix: Fix = NO_FIX) -> Figure:
    """Bars of both mixtures, the likeliest strategies first."""
    from zermelo.views.plot import BLUE, ORANGE, canvas

    sides = [(name, likeliest(solution, seat), (BLUE, ORANGE)[seat]) for seat, name in enumerate(solution.players)]
    lines = max(min(len(likely), BARS) for _, likely, _ in sides)
    figure, axes = canvas(finding(solution), 12, max(3.2, 1.4 + 0.2 * lines), 1, 2, f"{game_in_words(solution.game)}: mixed strategies")
    for side, (name, likely, colour) in enumerate(sides):
        bars(axes[side], name, [(solution.shown(side, s), p) for s, p in likely], colour)
    return figure


def likeliest(solution: MixedSolution, seat: int) -> list[tuple[Any, Fraction]]:
    """The strategies of a player that have a positive probability, the likeliest first."""
    return sorted(solution.policy(seat).items(), key=lambda item: -item[1])


def bars(axes: Any, name: str, likely: list[tuple[str, Fraction]], colour: str) -> None:
    """The likeliest strategies of one player."""
    from zermelo.views.plot import literal, shortened_name

    shown = likely[:BARS]
    labels = [literal(shortened_name(text)) for text, _ in shown]
    axes.barh(range(len(shown)), [float(p) for _, p in shown], color=colour)
    axes.set_yticks(range(len(shown)), labels, fontsize=8)
    axes.invert_yaxis()
    rest = len(likely) - len(shown)
    axes.set(xlabel="probability")
    axes.set_title(f"{literal(name)}{f', without {rest} rarer ones' if rest else ''}", loc="left")


TABLES = {"strategies": View("who plays what how often", strategies, any_solution)}
FIGURES = {"strategies": View("who plays what how often", mixtures, any_solution)}
