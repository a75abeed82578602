"""Tables and pictures of the binary search game: the sawtooth, search trees, and where Alice hides."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.numbers import in_full
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import counted
from zermelo.games.binary_search_families import FAMILIES, Family
from zermelo.games.binary_search_growth import Tooth, stake, teeth, windows
from zermelo.games.binary_search_players import first_guesses, players
from zermelo.games.search_trees import Tree, guesses
from zermelo.views.slices import NO_FIX, Fix, View, any_solution
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.solution import MixedSolution

LONGEST = 30  # characters of a fraction that a table shows
LABELLED = 40  # keys up to which every key of a drawn tree has its number in a box
HIGH, NUMBERED = 4, 110  # levels with boxes in larger trees; keys up to which all have their numbers


# --- tables -----------------------------------------------------------------------------------------------------------


def sawtooth_table(solution: MixedSolution, fix: Fix = NO_FIX, progress: Progress = silent) -> Table:
    """For every n up to that of the solution: the exact value, Alice's return, and the closed form that is optimal."""
    found = teeth(solution.game.n, exact=True, progress=progress)
    rows = tuple((t.n, _short(t.value), t.stake, float(t.value - t.stake), named(t.families)) for t in found)
    notes = (
        f"n at which the game favours Alice: {in_words(windows(found))}",
        *(f"{k}: {form(f)}" for k, f in enumerate(FAMILIES, 1)),
    )
    title = "Binary search: value, stake of floor(log2 n), Alice's return, closed forms that are optimal for her"
    data = [
        {"n": t.n, "value": t.value, "stake": t.stake, "optimal": [FAMILIES.index(f) + 1 for f in t.families]}
        for t in found
    ]
    return Table(title, ("n", "value", "stake", "return", "optimal"), rows, notes, decimals=6, data={"teeth": data})


def named(families: tuple[Family, ...]) -> str:
    return " ".join(str(FAMILIES.index(f) + 1) for f in families)


def form(family: Family) -> str:
    """(2, 1, ..., 1, 2)"""
    ends = ", ".join(map(str, family.ends))
    back = ", ".join(map(str, reversed(family.ends)))
    return f"weights {ends}, {family.inner}, ..., {family.inner}, {back}"


def in_words(ranges: list[range]) -> str:
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in ranges) or "none"


def _short(value: Fraction) -> str:
    text = in_full(value)
    return text if len(text) <= LONGEST else f"{float(value):.15f}"


def number_table(solution: MixedSolution, fix: Fix = NO_FIX) -> Table:
    """Where Alice hides, and Bob's average payment for each number."""
    paid = bob_pays(solution)
    chances = [(i, _short(solution.row.get(i, Fraction(0)))) for i in range(1, solution.game.n + 1)]
    notes = (f"value {in_full(solution.value)}",) if solution.low == solution.high else ()
    title = f"Binary search with {counted(solution.game.n, 'number')}: where Alice hides, what Bob pays there"
    rows = tuple((i, chance, float(paid[i])) for i, chance in chances)
    found = Table(title, ("number", "probability", "guesses of Bob"), rows, notes, decimals=9)
    if len(set(paid.values())) > 1:
        return found
    once = f"guesses of Bob on average, the same for every number: {float(paid[1]):.9f}"
    return found._replace(printed=Table(title, ("number", "probability"), tuple(chances), (once, *notes)))


def bob_pays(solution: MixedSolution) -> dict[int, Fraction]:
    """The average payment of Bob's mixture for each number: no more than the value."""
    paid = dict.fromkeys(range(1, solution.game.n + 1), Fraction(0))
    for tree, probability in solution.column.items():
        for number, depth in enumerate(guesses(tree), 1):
            paid[number] += probability * depth
    return paid


TABLES = {
    "numbers": View("where Alice hides, and what Bob pays there", number_table, any_solution),
    "players": View("what should I play? Ways to hide and to search, each against each", players, any_solution),
    "first": View("how often Bob begins with which number", first_guesses, any_solution),
    "sawtooth": View(
        "value and Alice's return for every n up to --n (a minute for 200)", sawtooth_table, any_solution, is_long=True
    ),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def sawtooth_figure(solution: MixedSolution, fix: Fix = NO_FIX, progress: Progress = silent) -> Figure:
    """Alice's return at a stake of floor(log2 n), for every n up to that of the solution."""
    found = teeth(solution.game.n, progress=progress)
    return draw_sawtooth(found)


def draw_sawtooth(found: list[Tooth]) -> Figure:
    from zermelo.views.plot import BLUE, GREY, INK, RED, canvas

    favourable, last = windows(found), found[-1].n
    about = f"What Alice wins on average at a stake of floor(log2 n) dollars. Shaded: n that favour her, {in_words(favourable)}"
    title = "The stake favours Alice just before it rises" if favourable else "The stake never favours Alice"
    figure, axes = canvas(title, 12, 5, about=about)
    numbers, returns = [t.n for t in found], [float(t.value) - t.stake for t in found]
    for k, window in enumerate(favourable):
        axes.axvspan(window[0] - 0.5, window[-1] + 0.5, color=RED, alpha=0.15, linewidth=0, label="favours Alice" if not k else None)
    axes.axhline(0, color=GREY, linewidth=0.8)
    at = 0
    for k in range(1, len(found) + 1):
        if k == len(found) or stake(numbers[k]) != stake(numbers[at]):
            axes.plot(numbers[at:k], returns[at:k], color=BLUE, marker="o", markersize=2.5, linewidth=1)
            if numbers[k - 1] > 1.3 * numbers[at]:
                axes.text(np.sqrt(numbers[at] * numbers[k - 1]), 0.98, f"stake ${stake(numbers[at])}", color=INK, fontsize=8, ha="center",
                          va="top", transform=axes.get_xaxis_transform())  # fmt: skip
            at = k
    axes.set_xscale("log", base=2)
    powers = [2**k for k in range(last.bit_length())]
    axes.set_xticks(powers, [str(p) for p in powers])
    axes.minorticks_off()
    axes.set(xlabel="n, how many numbers there are", ylabel="Alice's mean return, dollars", xlim=(0.95, 1.06 * last))
    axes.grid(alpha=0.3)
    return figure


def trees_figure(solution: MixedSolution, fix: Fix = NO_FIX) -> Figure:
    """How often Bob begins with which number, and his likeliest search tree."""
    from zermelo.views.plot import BLUE, at_whole_numbers, canvas

    (tree, probability, images), *_ = distinct_trees(solution)
    n, first = solution.game.n, dict.fromkeys(range(1, solution.game.n + 1), Fraction(0))
    for each, p in solution.column.items():
        first[each[0]] += p
    likely = [k for k, p in first.items() if p]
    span = f"{likely[0]} to {likely[-1]}" if len(likely) > 1 else str(likely[0])
    about = f"Numbers 1 to {n}, hidden on purpose; Bob pays {float(solution.value):.6g} {'guess' if n == 1 else 'guesses'} on average"
    figure, (bars, place) = canvas(f"Bob begins with {span}", 13, 7.4, 2, 1, about, gridspec_kw={"height_ratios": [1, 2.6]}, sharex=True)
    bars.bar([*first], [float(p) for p in first.values()], 0.85, color=BLUE)
    bars.set(ylabel="probability", xlim=(0.3, n + 0.7))
    bars.set_title("how often each number is the first guess", loc="left")
    draw_tree(place, tree)
    mirrored = ", and so has its mirror image" if images == 2 else ""
    place.set_title(f"the likeliest tree: it has probability {float(probability):.4f}{mirrored}", loc="left")
    place.set(xlabel="number", yticks=[-d for d in range(1, max(guesses(tree)) + 1)])
    place.set_yticklabels([str(d) for d in range(1, max(guesses(tree)) + 1)])
    place.set_ylabel("guess")
    at_whole_numbers(place.xaxis)
    return figure


def distinct_trees(solution: MixedSolution, most: int = 1) -> list[tuple[Tree, Fraction, int]]:
    """The likeliest trees, with their probability and how many images they have in a mirror."""
    n, seen, found = solution.game.n, set(), []
    for tree, probability in solution.column.items():
        depth = guesses(tree)
        if depth in seen:
            continue
        seen |= {depth, depth[::-1]}
        found.append((tree, probability, 1 if depth == depth[::-1] else 2))
        if len(found) == most:
            break
    assert all(len(tree) == n for tree, _, _ in found)
    return found


def draw_tree(axes: Any, tree: Tree) -> None:
    """A search tree: numbers from left to right, guesses from top to bottom."""
    from zermelo.views.plot import BLUE, GREY

    n, depth = len(tree), guesses(tree)
    for child, parent in parents(tree).items():
        axes.plot([child, parent], [-depth[child - 1], -depth[parent - 1]], color=GREY, linewidth=0.7, zorder=1)
    for number in range(1, n + 1):
        level = depth[number - 1]
        is_high = n <= LABELLED or level <= HIGH
        if is_high or n <= NUMBERED:
            box = {"boxstyle": "round,pad=0.18", "facecolor": "white", "edgecolor": BLUE, "linewidth": 0.7} if is_high else None
            axes.text(number, -level, str(number), ha="center", va="center", fontsize=8 if is_high else 6, zorder=3, bbox=box,
                      backgroundcolor=None if is_high else "white")  # fmt: skip
        else:
            axes.plot(number, -level, "o", color=BLUE, markersize=2.5, zorder=2)
    axes.set(xlim=(0.3, n + 0.7), ylim=(-max(depth) - 0.6, -0.4))


def parents(tree: Tree) -> dict[int, int]:
    """The number that is guessed just before each, by number; none for the first guess. `tree` is in pre-order."""
    found: dict[int, int] = {}
    open_ranges = [(1, len(tree), 0)]  # where keys not yet written lie, and the guess before
    for key in tree:
        least, most, before = open_ranges.pop()
        if before:
            found[key] = before
        open_ranges += [r for r in ((key + 1, most, key), (least, key - 1, key)) if r[0] <= r[1]]
    return found


def numbers_figure(solution: MixedSolution, fix: Fix = NO_FIX) -> Figure:
    """Where Alice hides, as a multiple of hiding uniformly."""
    from zermelo.views.plot import BLUE, GREY, at_whole_numbers, canvas

    n = solution.game.n
    figure, axes = canvas(f"Binary search with {counted(n, 'number')}: where Alice hides", 11, 4.2)
    axes.bar(range(1, n + 1), [float(solution.row.get(i, 0) * n) for i in range(1, n + 1)], 0.9, color=BLUE)
    axes.axhline(1, color=GREY, linewidth=0.8)
    axes.set(xlabel="number", ylabel="probability, times n", xlim=(0.3, n + 0.7))
    at_whole_numbers(axes.xaxis)
    return figure


FIGURES = {
    "sawtooth": View(
        "Alice's return for every n up to --n (a minute for 200)", sawtooth_figure, any_solution, is_long=True
    ),
    "trees": View("how Bob begins, and his likeliest search tree", trees_figure, any_solution),
    "numbers": View("where Alice hides", numbers_figure, any_solution),
}
