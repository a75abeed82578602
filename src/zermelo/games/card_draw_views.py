"""Tables and pictures of the card draw: values, the published spreadsheet, and when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.numbers import digits
from zermelo.basics.runs import running
from zermelo.basics.words import discount_text
from zermelo.engines.urn.curves import Curve, curve
from zermelo.engines.urn.exact import balanced_values
from zermelo.games.card_draw_players import few_enough, players
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, any_solution, box_of, sampled
from zermelo.views.table import LIMIT, Table, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 14
CELLS = 7  # cards of a colour whose values are written into a picture
BLOCKS = 8  # along a side of the table
PALE = ("#BCD7EC", "#DCE9F4")  # of the waves of blocks, in turn
GAMES = 200
BINS = 30  # for the wins of games, in a picture
DRAWN = 500  # points of a path in a picture
FEW = np.array([*range(11), *(k * 10**power for power in range(1, 10) for k in (1, 2, 5)), 26, 52])  # decks that are listed
GROWTH = 1_000_000  # cards of a colour up to which the growth is measured in any case: a third of a second


def value_array(solution: Solution) -> np.ndarray:
    """The expected future win, by cards left: [red, black]."""
    return box_of(solution, solution.values, np.nan)


def stops(solution: Solution) -> np.ndarray:
    """bool[red, black]: drawing on gains nothing, so the player may stop here."""
    return value_array(solution) <= box_of(solution, solution.errors, 0.0)


def boundary(solution: Solution) -> list[int | None]:
    """For 0, 1, ... red cards left: the smallest number of black cards left at which to stop, if any.

    Where the deck is too large to be stored: the part that is known.
    """
    if solution.has_stopping_line:
        return _swept_boundary(solution).tolist()
    return [int(np.argmax(row)) if row.any() else None for row in stops(solution)]


def _swept_boundary(solution: Solution) -> np.ndarray:
    frontier, game = solution.frontier, solution.game
    ahead = np.arange(len(frontier.reach))
    last_red = (frontier.reach - ahead) // 2  # the most red cards with which to stop at this lead
    red = np.arange(max(0, min(int(last_red.max()), game.red)) + 1)
    black = red + np.searchsorted(np.maximum.accumulate(last_red), red)
    black[0] = 0
    return black[black <= game.black]


def stopping_rule(solution: Solution) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A function of arrays of red and of black cards left: whether to stop."""
    if solution.has_stopping_line:
        return solution.frontier.stops
    stop = stops(solution)
    return lambda red, black: stop[red, black]


def values(solution: Solution, fix: Fix = NO_FIX) -> Table:
    return thinned(lambda limit: _sheet(solution, False, limit), LIMIT)


def spreadsheet(solution: Solution, fix: Fix = NO_FIX) -> Table:
    return thinned(lambda limit: _sheet(solution, True, limit), LIMIT)


def _sheet(solution: Solution, with_winnings: bool, limit: int) -> Table:
    value, stop = value_array(solution), stops(solution)
    reds, red_note = sampled(np.arange(value.shape[0])[::-1], limit)
    blacks, black_note = sampled(np.arange(value.shape[1])[::-1], limit)
    game = solution.game
    rows = []
    for r in reds:
        won = [(game.red - r) - (game.black - b) if with_winnings else 0 for b in blacks]
        rows.append((int(r), *(float(value[r, b] + w) for b, w in zip(blacks, won, strict=True))))
    marked = {(i, j + 1) for i, r in enumerate(reds) for j, b in enumerate(blacks) if stop[r, b]}
    what = "dollars won so far plus what is still to be won" if with_winnings else "dollars still to be won"
    notes = [f"rows: red cards left, columns: black cards left, cells: {what}"]
    notes += [f"{note} of {name} cards" for note, name in ((red_note, "red"), (black_note, "black")) if note]
    header = ("red \\ black", *(str(b) for b in blacks))
    title = f"Card draw, {game.red} red and {game.black} black cards"
    return Table(title, header, tuple(rows), tuple(notes), frozenset(marked), "stop", decimals=3)


def stopping(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """When to stop: one line for each number of red cards left."""
    return thinned(lambda limit: _stopping(solution, limit), 2 * LIMIT)


def _stopping(solution: Solution, limit: int) -> Table:
    game, edge = solution.game, boundary(solution)
    kept, note = sampled(np.arange(len(edge)), limit)
    rows = []
    for r in kept:
        black = edge[int(r)]
        ahead = None if black is None else black - game.black + game.red - int(r)
        rows.append((int(r), black, ahead))
    header = ("red cards left", "stop at so many black cards left", "dollars ahead there")
    notes = ("empty: draw on, however many of the black cards are left",) + ((f"{note} of red cards",) if note else ())
    title = f"Card draw, {game.red} red and {game.black} black cards: when to stop"
    return Table(title, header, tuple(rows), notes)


def balanced(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The values of decks with as many red as black cards, from none up to the solution's deck, with the error of each."""
    largest = min(solution.game.red, solution.game.black)
    if solution.is_exact:
        exact = balanced_values(solution.rules.name, largest)
        value, error = exact, [0.0] * len(exact)
    else:
        found = curve(largest)
        value, error = found.value.tolist(), found.error.tolist()
    few = np.unique(np.append(FEW[largest >= FEW], largest))

    def table(kept: np.ndarray) -> Table:
        rows = tuple((int(n), value[n], *((float(value[n]),) if solution.is_exact else ()), error[n]) for n in kept)
        header = ("cards of each colour", "value", *(("as a decimal",) if solution.is_exact else ()), "error")
        left_out = (f"{len(kept)} of {largest + 1:,} decks shown; `-o FILE.csv` or `.npy` writes all",) if len(kept) <= largest else ()
        notes = ("dollars; error: how far the value can be from the truth", *left_out)
        return Table("Card draw: decks with as many red as black cards", header, rows, notes, decimals=12)

    return table(few)._replace(whole=lambda: table(np.arange(largest + 1)))


def growing(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """How the value grows with the deck, computed up to the solution's deck, or to a million cards, and extrapolated from there."""
    from zermelo.games import card_draw_growth as law

    found = _measured(solution)
    far, c = law.extrapolation(found), law.growth_constant()

    def row(n: int, value: float, error: float, how: str) -> tuple[str, ...]:
        shown = digits(value, value - error, value + error)
        return f"{n:,}", shown, f"{c * math.sqrt(n) - value:.3e}", f"{error:.0e}", how

    measured = zip(found.n.tolist(), found.value.tolist(), found.error.tolist(), strict=True)
    data = [(n, value, error, "computed") for n, value, error in measured]
    beyond = [10**power for power in range(math.ceil(math.log10(found.n[-1] + 1)), 16)]
    data += [(n, far.value(n), far.error(n), "extrapolated") for n in beyond]
    header = ("cards of each colour n", "value", "c sqrt(n) - value", "error", "")
    terms = " - ".join(f"{k:.6g} n^-{e:.4f}" for k, e in far.terms).replace("- -", "+ ")
    notes = (
        f"c = sqrt(pi) (1 - a^2) = {c:.13f}, where a = {law.stopping_constant():.13f} (Shepp 1969)",
        f"fitted: value = c sqrt(n) - {terms}",
        "error: computed values are certified to it; for extrapolated ones it is an estimate",
    )
    title = "Card draw: how the value grows with the deck"
    numbers = Table(title, ("n", "value", "error", "computed"), tuple((n, v, e, int(how == "computed")) for n, v, e, how in data))
    return Table(title, header, tuple(row(*line) for line in data), notes, whole=lambda: numbers)


def _measured(solution: Solution) -> Curve:
    """Values of balanced decks, four a decade, up to the solution's deck, or to a million cards. A balanced deck that is solved is
    not swept again: a sweep up to the next smaller one costs less than half as much."""
    from zermelo.games.card_draw_growth import decades

    game = solution.game
    limit = max(GROWTH, min(game.red, game.black))
    n = decades(limit, 4)
    if not game.red == game.black == limit:
        return curve(limit, at=n)
    smaller = curve(int(n[-2]), at=n[:-1])
    value, error = float(solution.value), float(max(solution.high - solution.value, solution.value - solution.low))
    return Curve(n, np.append(smaller.value, value), np.append(smaller.error, error))


TABLES = {
    "values": View("dollars still to be won, by cards left", values, discounted=True),
    "spreadsheet": View("the published spreadsheet: dollars won so far plus those still to be won", spreadsheet),
    "boundary": View("the number of black cards left at which to stop", stopping, any_solution, discounted=True),
    "players": View("what a player wins who knows the order, and one who takes every draw for a fair coin", players, few_enough),
    "balanced": View("what decks with as many red as black cards are worth, 0, 1, 2, ...", balanced, any_solution),
    "growth": View(
        "values of balanced decks from 1000 cards of a colour on, and the gap to c sqrt(n)",
        growing,
        any_solution,
    ),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def few_cards(solution: Solution) -> bool:
    """Few enough for 49 games to be drawn card by card."""
    return solution.game.red + solution.game.black <= 4_000_000


def sample_games(solution: Solution, games: int, seed: int) -> list[np.ndarray]:
    """Winnings after 0, 1, 2, ... draws of optimal play with shuffled decks, up to where it stops."""
    game, is_stop = solution.game, stopping_rule(solution)
    deck = np.repeat([1, -1], [game.red, game.black])
    generator = np.random.default_rng(seed)
    paths = []
    for _ in range(games):
        cards = generator.permutation(deck)
        red = game.red - running(cards == 1)
        black = game.black - running(cards == -1)
        end = int(np.argmax(is_stop(red, black)))
        paths.append(running(cards)[: end + 1])
    return paths


def stopping_line(solution: Solution) -> np.ndarray:
    """For each number of draws: the least winnings at which to stop, or to have stopped one draw ago; NaN where none is enough."""
    game = solution.game
    line = np.full(game.red + game.black + 1, np.nan)
    if solution.has_stopping_line:
        frontier = solution.frontier
        left = np.arange(game.red + game.black, -1, -1)
        line[:] = np.searchsorted(frontier.reach, left) + game.red - game.black
        line[left > frontier.known] = np.nan
        return line
    stop = stops(solution)
    for r, b in np.argwhere(stop):
        t, w = game.red + game.black - r - b, (game.red - r) - (game.black - b)
        line[t] = np.fmin(line[t], w)
    return np.fmin(line, np.append(np.nan, line[:-1]))  # winnings are even after an even number of draws


def games_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Optimally played games drawn over each other, with the line at which to stop; on the right, how much they win."""
    from zermelo.views.plot import BLUE, GREY, INK, RED, canvas

    game = solution.game
    paths, line = sample_games(solution, GAMES, SEED), stopping_line(solution)
    ends = np.array([path[-1] for path in paths])
    title = f"Optimal play wins \\${float(solution.value):,.2f} on average; {int((ends > 0).sum())} of {GAMES} games end ahead"
    lost = int((ends < 0).sum())
    about = (
        f"{GAMES} games with {game.red:,} red and {game.black:,} black cards win \\${float(ends.mean()):,.2f} on average "
        "(the dashed line: all games)"
        f"{f', and {lost} of them lose' if lost else ''}"
    )
    figure, (axes, side) = canvas(title, 11, 5.6, 1, 2, about, sharey=True, gridspec_kw={"width_ratios": [4, 1]})
    low, high = min(map(min, paths)), max(map(max, paths))
    room = 0.06 * (high - low) + 1
    kept = _spread(len(line))
    axes.fill_between(kept, line[kept], high + room, step="post", color="#E4E4E4", linewidth=0)
    axes.axhline(0, color=GREY, linewidth=0.8)
    for path in paths:
        shown = _spread(len(path))
        axes.plot(shown, path[shown], color=BLUE, linewidth=0.5, alpha=0.22)
    axes.plot([len(path) - 1 for path in paths], ends, "o", color=RED, markersize=3, linestyle="none", zorder=3)
    axes.text(0.99, 0.98, "grey: stop here; a dot is the end of a game", transform=axes.transAxes, ha="right", va="top",
              fontsize=9, color=INK)  # fmt: skip
    axes.set(xlabel="cards drawn", ylabel="dollars won", xlim=(0, max(1, len(line) - 1)), ylim=(low - room, high + room))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    least, most = int(ends.min()), int(ends.max())
    edges = np.arange(least - 0.5, most + 1) if most - least < BINS else np.linspace(least, most + 1, BINS)
    side.hist(ends, bins=edges.tolist(), orientation="horizontal", color=BLUE)
    side.axhline(float(solution.value), color=INK, linewidth=1.2, linestyle="--")
    side.set_title("how they end", fontsize=9)
    side.set(xlabel="games")
    side.xaxis.get_major_locator().set_params(integer=True)
    return figure


def _spread(count: int) -> np.ndarray:
    """Places along a path, first and last included, at most about `DRAWN` of them."""
    return np.unique(np.append(np.arange(0, count, max(1, count // DRAWN)), count - 1))


def dollars(amount: float) -> str:
    """An amount with its sign, as matplotlib wants the dollar written."""
    sign = "-" if amount < 0 else "+" if amount > 0 else ""
    return f"{sign}\\${abs(amount):.4f}" if isinstance(amount, float) else f"{sign}\\${abs(amount)}"


def boundary_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The expected future win, by cards left, and the line at which to stop."""
    from zermelo.views.plot import INK, MAP, RED, at_whole_numbers, canvas

    value, edge = value_array(solution), boundary(solution)
    red, black = solution.game.red, solution.game.black
    about = f"Dollars still to be won with {red} red and {black} black cards, on top of what has been won so far"
    about += discount_text(solution.discount)
    ahead = [b - r for r, b in enumerate(edge) if b is not None and r]  # if there are as many red cards as black ones
    title = f"Stop when \\${max(ahead)} ahead at first, \\${min(ahead)} near the end" if red == black and ahead else "Stop below the line"
    figure, axes = canvas(title, 8, 6.2, about=about)
    extent = (-0.5, value.shape[1] - 0.5, -0.5, value.shape[0] - 0.5)
    image = axes.imshow(np.sqrt(value), origin="lower", extent=extent, cmap=MAP, aspect="auto", interpolation="nearest")
    bar = figure.colorbar(image, ax=axes, label="dollars still to be won")
    ticks = [v for v in (0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if v <= np.nanmax(value)]
    bar.set_ticks(np.sqrt(ticks), labels=[f"{t:g}" for t in ticks])
    where = [(b - 0.5, r) for r, b in enumerate(edge) if b is not None]
    edge_x = [*(b for b, _ in where), value.shape[1] - 0.5]
    edge_y = [*(r + 0.5 for _, r in where), where[-1][1] + 0.5]
    axes.step(edge_x, edge_y, where="post", color=RED, linewidth=2)
    middle = where[len(where) // 3]
    stop = middle[0] + value.shape[1] * 0.12, middle[1] - value.shape[0] * 0.05
    draw = middle[0] * 0.35, middle[1] + value.shape[0] * 0.15
    for name, at, is_there in (("stop", stop, value == 0), ("draw", draw, value > 0)):
        r, b = np.rint(at[::-1]).astype(int)
        if min(value.shape) > CELLS and 0 <= r < len(value) and 0 <= b < value.shape[1] and is_there[r, b]:
            axes.text(*at, name, color="white", fontsize=14)
        elif is_there.any():  # in the cell that is nearest to the middle of them
            cells = np.argwhere(is_there)
            r, b = min(cells.tolist(), key=lambda cell: float(np.hypot(*(cell - cells.mean(axis=0)))))
            axes.text(b, r, name, color="white", fontsize=14, ha="center", va="center", bbox={"color": INK, "alpha": 0.6})
    axes.set(xlabel="black cards left", ylabel="red cards left")
    at_whole_numbers(axes.xaxis, axes.yaxis)
    return figure


def growth_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """How far each of the essay's three fits is from the values that it fits."""
    from zermelo.games import card_draw_growth as law
    from zermelo.views.plot import BLUE, GREEN, RED, canvas

    found = law.essay_values()
    about = f"least squares over 1 to {law.ESSAY:,} cards of each colour, and {law.BEYOND:,}"
    figure, axes = canvas("Card draw: the value grows with the root of the deck", 9, 5.4, about=about)
    at = [*(np.unique(np.rint(np.geomspace(1, law.ESSAY, 45))).astype(int) - 1), -1]
    n = found.n[at]
    for fit, colour in zip(law.fits(found), (RED, BLUE, GREEN), strict=True):
        away = np.abs(found.value[at] - fit.value(n.astype(float)))
        axes.plot(n, away, color=colour, linewidth=1.2, marker="o", markersize=3.5)
        axes.annotate(f" {fit.name}:\n {fit.spread:.2g} on average", (n[-1], away[-1]), color=colour, va="center", fontsize=9)
    axes.set(xlabel="cards of each colour", ylabel="distance of the fit from the value, dollars", xscale="log", yscale="log")
    axes.set_xlim(0.8, 12 * n[-1])
    axes.grid(alpha=0.3)
    return figure


def rest_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The gap to the limit law, on logarithmic scales, with its predicted decay."""
    from zermelo.games import card_draw_growth as law
    from zermelo.views.plot import BLUE, INK, RED, canvas

    found = _measured(solution)
    missing, far, r = law.rest(found), law.extrapolation(found), law.decay()
    largest = int(found.n[-1])
    about = f"computed up to {largest:,} cards of each colour, extrapolated to $10^{{15}}$; c = {law.growth_constant():.10f}"
    figure, axes = canvas(f"Card draw: the gap to $c\\,\\sqrt{{n}}$ falls as $n^{{-{r:.4f}}}$", 8, 5.4, about=about, math=True)
    n, beyond = np.geomspace(1000, largest, 100), np.geomspace(largest, 1e15, 100)
    scale = far.terms[0][0]
    axes.plot([*n, *beyond], scale * np.append(n, beyond) ** -r, ":", color=RED, linewidth=1.2,
              label=f"{scale:.5f} $n^{{-{r:.4f}}}$, the slowest term")  # fmt: skip
    axes.plot(n, far.rest(n), color=BLUE, linewidth=1.4, label="fit of four terms")
    axes.plot(beyond, far.rest(beyond), "--", color=BLUE, linewidth=1.4, label="the same, extrapolated")
    axes.errorbar(
        found.n,
        missing,
        found.error,
        fmt="o",
        color=INK,
        markersize=4,
        label="computed, with its certified error",
        zorder=3,
    )
    axes.set(xlabel="cards of each colour n", ylabel="$c\\,\\sqrt{n} - $ value, in dollars", xscale="log", yscale="log")
    axes.legend(frameon=False)
    return figure


def skipped_blocks(solution: Solution, size: int) -> np.ndarray:
    """bool[rows, columns] of blocks of size x size cells, those of 1 to `size` cards first: is the cell beside the best corner 0?"""
    stop = stops(solution)
    red, black = stop.shape[0] - 1, stop.shape[1] - 1
    best = np.minimum(np.arange(size, red + size, size), red)  # the most red cards of each row of blocks
    beside = np.arange(0, black, size)  # the last column before each block
    return stop[np.ix_(best, beside)]


def order_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """In which order the cells of the table can be computed: diagonals of cells, and blocks, of which some need no computing."""
    from matplotlib.patches import Patch

    from zermelo.views.plot import BLUE, INK, MAP, ORANGE, RED, canvas

    value = value_array(solution)
    red, black = value.shape[0] - 1, value.shape[1] - 1
    size = max(2, -(-min(red, black) // BLOCKS))  # cells along the side of a block
    about = "A deck's value depends on two decks with one card fewer: left and below. Cells of one colour do not depend on each other."
    title = "Card draw: whole diagonals, or whole waves of blocks, can be computed at once"
    figure, (cells, blocks) = canvas(title, 12.4, 6.1, 1, 2, about)

    few = np.add.outer(np.arange(min(red, CELLS) + 1), np.arange(min(black, CELLS) + 1))
    cells.imshow(few, origin="lower", cmap=MAP, alpha=0.55, aspect="equal")
    for r, b in np.ndindex(few.shape):
        cells.text(b, r, f"{value[r, b]:.2f}", ha="center", va="center", fontsize=8.5, color=INK)
        arrow = {"arrowprops": {"arrowstyle": "->", "color": INK, "linewidth": 0.7, "shrinkA": 11, "shrinkB": 11}}
        if r and b:
            cells.annotate("", (b - 1, r), (b, r), **arrow)
            cells.annotate("", (b, r - 1), (b, r), **arrow)
    cells.set_title("a diagonal at a time: all decks with the same number of cards")
    cells.set(xlabel="black cards left", ylabel="red cards left")

    skip = skipped_blocks(solution, size)
    rows, columns = skip.shape
    for (i, j), skipped in np.ndenumerate(skip):
        left = j * size
        colour = "#E4E4E4" if skipped else PALE[(i + j) % 2]
        blocks.fill_between((left + 0.5, left + size + 0.5), i * size + 0.5, (i + 1) * size + 0.5, color=colour, linewidth=0)
        blocks.text(left + (size + 1) / 2, i * size + (size + 1) / 2, str(i + j + 1), ha="center", va="center", fontsize=9,
                    color="#9A9A9A" if skipped else INK)  # fmt: skip
        for x, y in ((left + 0.5, None), (None, i * size + 0.5)):
            if x is None:
                blocks.plot((left + 0.5, left + size + 0.5), (y, y), color="white", linewidth=1.5)
            else:
                blocks.plot((x, x), (i * size + 0.5, (i + 1) * size + 0.5), color="white", linewidth=1.5)
    edge = [(b - 0.5, r) for r, b in enumerate(boundary(solution)) if b is not None]
    blocks.step([b for b, _ in edge], [r + 0.5 for _, r in edge], where="post", color=RED, linewidth=1.8)
    i, j = min(2, rows - 1), min(1, columns - 1)
    x, y = j * size + 0.5, i * size + 0.5
    blocks.plot((x, x), (y, y + size), color=BLUE, linewidth=4, solid_capstyle="butt")
    blocks.plot((x, x + size), (y, y), color=ORANGE, linewidth=4, solid_capstyle="butt")
    blocks.set_title(f"a wave of blocks at a time: {size} x {size} cells each")
    blocks.set(xlabel="black cards left", ylabel="red cards left", xlim=(0.5, columns * size + 0.5), ylim=(0.5, rows * size + 0.5))
    blocks.set_aspect("equal")
    handles = [
        Patch(color=PALE[0], label="computed; the number is that of its wave"),
        Patch(color="#E4E4E4", label="skipped: stopping is best in all of it"),
        Patch(color=BLUE, label="what a block needs: the last column before it"),
        Patch(color=ORANGE, label="and the last row below it"),
        Patch(color=RED, label="the line at which to stop"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def is_drawn_by_cells(solution: Solution) -> bool:
    """Whether the table is stored and has rows and columns enough to be cut into blocks."""
    return solution.has_states and min(solution.game.red, solution.game.black) >= 2 * BLOCKS


FIGURES = {
    "games": View(f"{GAMES} sample games of optimal play with the line at which to stop", games_figure, few_cards),
    "boundary": View("values by cards left, and the line at which to stop", boundary_figure, discounted=True),
    "order": View("in which order the table can be computed: diagonals and blocks", order_figure, is_drawn_by_cells),
    "growth": View("how far the three fits of the essay are from the values of growing decks", growth_figure, any_solution),
    "rest": View("the gap to c sqrt(n), and how it falls", rest_figure, any_solution),
}
