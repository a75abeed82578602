"""Pictures: the value by up card, effects of removal, and the dealer's tree of draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.games.blackjack.analysis import analyse
from zermelo.games.blackjack.cards import EMPTY, NAMES, Counts, listed, with_card
from zermelo.games.blackjack.dealer_hands import dealer_hands
from zermelo.games.blackjack.draw_tree import draw_tree
from zermelo.games.blackjack.rules import Rules
from zermelo.games.blackjack.shoes import Effects
from zermelo.games.blackjack.simple import best_strategy
from zermelo.games.blackjack.strategy import HARD, MEANING, PAIR, ROWS, SOFT, UPS
from zermelo.views.plot import BLUE, GREEN, GREY, INK, ORANGE, RED, SKY, canvas, key, minus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN_LEVELS = 2  # of the tree, enlarged
Place = tuple[float, float]  # angle, radius
MIDDLE = (0.0, 0.0)


def value_by_up_card(rules: Rules) -> Figure:
    """What a round is worth, given the up card."""
    analysis = analyse(rules)
    names = [NAMES[u] for u in UPS if rules.cards[u]]
    values = [100 * float(analysis.by_up_card[name]) for name in names]
    about = f"{rules.text()}. Blackjacks included; all rounds together: {100 * float(analysis.value):+.4f} %"
    most, least = (names[values.index(pick(values))] for pick in (max, min))
    title = f"Blackjack: the player fares best against {_a_card(most)}, worst against {_a_card(least)}"
    figure, axes = canvas(title, 8, 4.6, about=about)
    _bars(axes, names, values)
    axes.set(xlabel="the dealer's up card", ylabel="value of the round, % of the first bet")
    return figure


def effects_of_removal(rules: Rules) -> Figure:
    """What one card fewer of each rank changes."""
    effects = Effects(analyse(rules))
    found = {r.card: r for r in effects.removals}
    names = [NAMES[u] for u in UPS if NAMES[u] in found]
    about = f"{rules.text()}. Blackjacks included; the full shoe: {100 * effects.value:+.4f} %"
    best = [100 * (found[n].optimal - effects.value) for n in names]
    frozen = [100 * (found[n].frozen - effects.value) for n in names]
    most, least = (names[frozen.index(pick(frozen))] for pick in (max, min))
    title = f"Blackjack: without {_a_card(most)} the player gains most, without {_a_card(least)} he loses most"
    figure, axes = canvas(title, 9, 4.8, about=about)
    _bars(axes, names, frozen, best)
    (mark,) = axes.plot(range(len(names)), best, "D", color=ORANGE, markersize=5, label="strategy adapted to the smaller shoe")
    key(axes, {"same strategy: better": BLUE, "same strategy: worse": RED}, mark, loc="upper right")
    axes.set(xlabel="card that is missing from the shoe", ylabel="change of the round's value, % of the first bet")
    return figure


def _a_card(name: str) -> str:
    """A card by its name: a 5, an 8, an ace."""
    return "an ace" if name == "A" else f"an {name}" if name == "8" else f"a {name}"


def _bars(axes: Axes, names: list[str], values: list[float], marked: list[float] | None = None) -> None:
    """Bars with their numbers below the axis or above it, on the side where the bar is not; `marked`: where else something is drawn."""
    axes.bar(range(len(names)), values, color=[BLUE if v >= 0 else RED for v in values], width=0.7)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xticks(range(len(names)), names)
    span = max(values) - min(values)
    axes.set_ylim(min(*values, 0) - 0.12 * span, max(*values, 0) + 0.12 * span)
    for i, v in enumerate(values):
        side = 1 if v < 0 else -1
        mark = marked[i] if marked and marked[i] * side > 0 else None  # on the side of the number, which then stands beyond it
        away = (4 if side > 0 else -12) + (0 if mark is None else 4 * side)
        axes.annotate(minus(f"{v:+.2f}"), (i, mark or 0), (0, away), textcoords="offset points", ha="center", fontsize=9)


# --- the tree ---------------------------------------------------------------------------------------------------------


def tree_of_draws(rules: Rules) -> Figure:
    """The smallest tree of draws: its first levels, and how many hands there are by number of cards."""
    tree, required = draw_tree(rules.hits_soft_17), dealer_hands(rules.hits_soft_17).multipliers
    parents = {h: with_card(h, f.rank, -1) for h, f in zip(tree.hands, tree.factors, strict=True)}
    about = (
        f"dealer {'hits' if rules.hits_soft_17 else 'stands on'} soft 17; {len(required) + 1} of the vertices are required; "
        "proven to be the smallest tree"
    )
    title = f"All hands of the dealer are reached by a tree of {tree.vertices} vertices"
    figure, (left, right) = canvas(title, 13, 6.6, 1, 2, about, gridspec_kw={"width_ratios": [1.25, 1]})
    shown = {h: p for h, p in parents.items() if sum(h) <= SHOWN_LEVELS}
    places = _places(shown)
    _edges(left, shown, places)
    _vertices(left, [*shown], places, required, 26)
    left.set_aspect("equal")
    left.axis("off")
    _names(left, places)
    left.set_title(f"hands of up to {SHOWN_LEVELS} cards", loc="left")
    cards = range(1, max(map(sum, parents)) + 1)
    ends = [sum(1 for h in parents if sum(h) == n and h in required) for n in cards]
    others = [sum(1 for h in parents if sum(h) == n and h not in required) for n in cards]
    right.bar(cards, ends, color=RED, width=0.8)
    right.bar(cards, others, bottom=ends, color=BLUE, width=0.8)
    for n, one, other in zip(cards, ends, others, strict=True):
        right.annotate(str(one + other), (n, one + other), (0, 3), textcoords="offset points", ha="center", fontsize=9)
    right.set(xlabel="cards of the hand", ylabel="hands")
    right.set_xticks(cards)
    right.set_title("all of them, by number of cards", loc="left")
    key(right, {"a hand that the dealer ends with": RED, "on the way to one": BLUE}, loc="upper right")
    return figure


def _places(parents: dict[Counts, Counts]) -> dict[Counts, Place]:
    """Leaves around a circle in the order of the tree, the others in the middle of their children."""
    children: dict[Counts, list[Counts]] = {}
    for hand, parent in parents.items():
        children.setdefault(parent, []).append(hand)
    leaves = sum(hand not in children for hand in parents)
    places: dict[Counts, Place] = {}
    used = 0
    for hand in parents:  # in depth-first order
        if hand not in children:
            places[hand] = (2 * np.pi * used / leaves, float(sum(hand)))
            used += 1
    for hand in sorted([h for h in children if h != EMPTY], key=sum, reverse=True):
        angles = [places[child][0] for child in children[hand]]
        places[hand] = ((min(angles) + max(angles)) / 2, float(sum(hand)))
    return places


def _at(place: Place, scale: float = 1.0) -> Place:
    angle, radius = place
    return scale * radius * float(np.cos(angle)), scale * radius * float(np.sin(angle))


def _edges(axes: Axes, parents: dict[Counts, Counts], places: dict[Counts, Place]) -> None:
    from matplotlib.collections import LineCollection

    lines: Any = [[_at(places.get(parent, MIDDLE)), _at(places[hand])] for hand, parent in parents.items()]
    axes.add_collection(LineCollection(lines, colors=GREY, linewidths=0.5, zorder=1))


def _names(axes: Axes, places: dict[Counts, Place]) -> None:
    for hand, place in places.items():
        x, y = _at(place, 1.09 if sum(hand) > 1 else 1.2)
        text = "".join("T" if NAMES[r] == "10" else NAMES[r] for r in listed(hand))
        axes.text(x, y, text, ha="center", va="center", fontsize=9 if sum(hand) == 1 else 7.5)


def _vertices(axes: Axes, hands: list[Counts], places: dict[Counts, Place], required: Any, size: float) -> None:
    for colour, members in (
        (BLUE, [h for h in hands if h not in required]),
        (RED, [h for h in hands if h in required]),
        (INK, [EMPTY]),
    ):
        if members:
            x, y = zip(*(_at(places.get(h, MIDDLE)) for h in members), strict=True)
            axes.scatter(x, y, s=size, color=colour, zorder=2, linewidths=0)


# --- the strategy -----------------------------------------------------------------------------------------------------

COLOURS = {"S": RED, "H": GREEN, "D": BLUE, "Ds": SKY, "P": ORANGE, "R": GREY, "Rs": "#C8C8C8", "-": "white"}
DARK = {"S", "H", "D"}  # colours that are written on in white


def strategy_chart(rules: Rules) -> Figure:
    """The best table of totals, every cell in the colour of what is done."""
    from matplotlib.patches import Patch

    found = best_strategy(rules)
    title = f"Blackjack: playing by totals costs {100 * found.cost:.4f} % of the first bet"
    about = f"{rules.text()}. The best table of totals, against play by all cards"
    figure, axes = canvas(title, 12, 6.6, 1, 3, about, gridspec_kw={"width_ratios": [1, 1, 1]})
    used = set()
    for axis, (kind, title) in zip(axes, ((HARD, "hard totals"), (SOFT, "soft totals"), (PAIR, "pairs")), strict=True):
        rows = [row for row in reversed(ROWS) if row.startswith(kind)]
        for y, row in enumerate(rows):
            for x, code in enumerate(found.strategy.cells[row]):
                if not rules.cards[UPS[x]]:
                    continue
                used.add(code)
                axis.fill_between((x - 0.5, x + 0.5), len(rows) - y - 0.5, len(rows) - y + 0.5, color=COLOURS[code], linewidth=0)
                axis.text(x, len(rows) - y, code, ha="center", va="center", fontsize=8.5, color="white" if code in DARK else INK)
        names = [row.partition(" ")[2] for row in rows]
        axis.set_yticks(range(len(rows), 0, -1), [f"{name}-{name}" for name in names] if kind == PAIR else names)
        axis.set_xticks(range(len(UPS)), [NAMES[up] for up in UPS])
        axis.tick_params(length=0)
        axis.hlines(np.arange(0.5, len(rows) + 1), -0.5, 9.5, color="white", linewidth=1)
        axis.vlines(np.arange(-0.5, 10), 0.5, len(rows) + 0.5, color="white", linewidth=1)
        axis.set(xlim=(-0.5, 9.5), ylim=(0.5, len(rows) + 0.5), xlabel="the dealer's card", title=title)
        axis.spines[:].set_visible(False)
    shown = {f"{code}: {MEANING[code]}": colour for code, colour in COLOURS.items() if code in used}
    patches = [Patch(facecolor=c, edgecolor="#888888", linewidth=0.5, label=label) for label, c in shown.items()]
    figure.legend(handles=patches, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


FIGURES: dict[str, Callable[[Rules], Figure]] = {
    "value": value_by_up_card,
    "eor": effects_of_removal,
    "tree": tree_of_draws,
    "strategy": strategy_chart,
}
