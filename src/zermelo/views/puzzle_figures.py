"""Pictures of the small problems: functions of a puzzle's parameters that return a matplotlib Figure (see plot.py)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.puzzles import ant, bridge, coupons, podiums
from zermelo.views.plot import BLUE, GREEN, GREY, INK, ORANGE, RED, SKY, at_whole_numbers, canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 400  # of a curve
LARGE = 10**7  # counts this large are not written out
LETTER_COLOURS = "Set2"  # of the letters from 1 on, if there are more than two


# --- coupons ----------------------------------------------------------------------------------------------------------


def coupons_figure(draws: int = 50, kinds: int = 40, confidence: Any = coupons.CONFIDENCE) -> Figure:
    """On the left the likelihood of each number of kinds, with the confidence set; on the right the root."""
    confidence = coupons.level(confidence)
    low, high = coupons.confidence_set(draws, kinds, confidence)
    best, root = coupons.most_likely(draws, kinds), coupons.root(draws, kinds, 6)
    most = max(high if high is not None else 10 * low, (best or 1) + 2)
    s = np.unique(np.geomspace(max(kinds, low // 2), 1.25 * most, POINTS).astype(int))
    there_are = "there is 1 kind" if best == 1 else f"there are {best} kinds"
    finding = f"most likely {there_are}" if best is not None else "the more kinds, the likelier"
    title = f"{kinds} different among {draws} draws: {finding}"
    figure, (left, right) = canvas(title, 12, 4.8, 1, 2)
    logs = np.array([_log_likelihood(draws, kinds, int(n)) for n in s])
    said = f"{low} to {high}" if high is not None else f"from {low} on"
    end = high if high is not None else s[-1]
    left.axvspan(low, end, color=SKY, alpha=0.3, linewidth=0, label=f"{coupons.percent(confidence)}% set: {said}")
    left.plot(s, np.exp(logs - logs.max()), color=BLUE)
    if best is not None:
        left.axvline(best, color=ORANGE, linewidth=1.2, label=f"most likely: {best}")
    left.set(xlabel="number of kinds", ylabel="likelihood, relative to the highest shown", ylim=(0, 1.05))
    left.set_title("likelihood", loc="left")
    needed = [sum(n / (n - j) for j in range(kinds)) for n in s]
    right.plot(s, needed, color=BLUE)
    right.axhline(draws, color=INK, linewidth=1, linestyle="--")
    right.annotate(f"{draws} draws", (s[-1], draws), ha="right", va="bottom" if root else "top", color=INK)
    if root is not None:
        right.plot(float(root), draws, "o", color=ORANGE, label=f"root: {float(root):.10g}")
        right.legend(frameon=False)
    right.set(xlabel="number of kinds", ylabel=f"draws until {kinds} are seen, on average")
    bottom, top = min(needed[-1], draws), min(max(needed), 3 * draws)
    right.set_ylim(bottom - 0.1 * (top - bottom) - 0.01, top + 0.01)
    right.set_title("the equation that is solved", loc="left")
    at_whole_numbers(left.xaxis, right.xaxis)
    left.legend(frameon=False, loc="upper right", bbox_to_anchor=(1.0, 1.12), ncols=2, fontsize=9)
    return figure


def _log_likelihood(draws: int, kinds: int, s: int) -> float:
    """ln of s (s - 1) ... (s - kinds + 1) / s^draws."""
    return math.lgamma(s + 1) - math.lgamma(s - kinds + 1) - draws * math.log(s)


# --- podiums ----------------------------------------------------------------------------------------------------------


def podiums_figure(runners: int = 6, steps: int = 3) -> Figure:
    """The number of podiums in each reading, by the number of runners."""
    podiums.check(runners, steps)
    shown = range(1, max(runners, 2) + 1)
    figure, axes = canvas(f"Podiums of {steps} {'step' if steps == 1 else 'steps'}, with ties", 8, 5)
    for reading, colour in zip(podiums.Reading, (ORANGE, GREY, BLUE, SKY), strict=True):
        counts = [podiums.count(n, steps, reading) for n in shown]
        logs = [math.log10(n) if n else math.nan for n in counts]
        axes.plot(shown, logs, color=colour, marker="o" if runners <= 40 else "", markersize=4, label=reading.value)
        last = counts[runners - 1]
        if 0 < last < LARGE:
            axes.annotate(f" {last:,}", (runners, logs[runners - 1]), color=colour, va="center", fontsize=9)
    axes.set(xlabel="runners", ylabel="podiums")
    axes.set_xlim(0.5, max(shown) * 1.12)
    at_whole_numbers(axes.xaxis, axes.yaxis)
    axes.yaxis.set_major_formatter(lambda y, _: f"$10^{{{y:g}}}$")
    axes.legend(frameon=False)
    return figure


# --- the ant ----------------------------------------------------------------------------------------------------------


def ant_figure(letters: int = 2, longest: int = 12) -> Figure:
    """On the left the shortest pattern that reveals the direction, as a ring, and its mirror image; on the right their number."""
    found = ant.shortest(letters)
    title = "Which way did the ant go?"
    figure, (left, right) = canvas(title, 12, 4.8, 1, 2, width_ratios=(1.35, 1))
    left.set_aspect("equal")
    left.axis("off")
    if found is None:
        left.set_title("a trail of one letter never tells", loc="left")
    else:
        _ring(left, found, 0.0, letters, "walked clockwise")
        _ring(left, found[::-1], 3.6, letters, "walked the other way")
        left.set_xlim(-1.6, 5.2)
        left.set_ylim(-1.7, 1.6)
        left.set_title(f"{ant.written(found)}: no turn makes one of these rings the other", loc="left")
    lengths = range(1, longest + 1)
    share = [100 * ant.chiral(letters, n) / ant.necklaces(letters, n) for n in lengths]
    right.bar(lengths, share, color=BLUE, width=0.8)
    right.set(xlabel="length of the pattern", ylabel="% that tell the direction", ylim=(0, 100))
    right.set_title(f"patterns of {letters} {'letter' if letters == 1 else 'letters'}", loc="left")
    at_whole_numbers(right.xaxis)
    return figure


def _ring(axes: Axes, word: ant.Word, x: float, letters: int, below: str) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Circle

    axes.add_patch(Circle((x, 0), 1, fill=False, edgecolor="#BBBBBB", linewidth=1.2))
    for i, letter in enumerate(word):
        angle = math.pi / 2 - 2 * math.pi * i / len(word)
        at = (x + math.cos(angle), math.sin(angle))
        colour = "white" if letter == 0 else BLUE if letters == 2 else colormaps[LETTER_COLOURS](letter - 1)
        axes.add_patch(Circle(at, 0.2, facecolor=colour, edgecolor=INK, linewidth=1, zorder=2))
        axes.annotate(str(letter), at, ha="center", va="center", zorder=3, color="white" if colour == BLUE else INK)
    axes.annotate(below, (x, -1.5), ha="center", color=INK)


# --- bridge -----------------------------------------------------------------------------------------------------------

PATHS, MOMENTS, SEED = 6, 2000, 14


def bridge_figure(
    price: float = bridge.PRICE, par: float = bridge.PAR, volatility: float = bridge.VOLATILITY, time: float = bridge.TIME
) -> Figure:
    """On the left the line at which to sell, with some paths of the price; on the right the value by the present price."""
    price, par, volatility, time = bridge.check(price, par, volatility, time)
    value = bridge.worth(price, time, par, volatility)
    title = f"A price of {price:.12g} that is {par:.12g} in the end: worth {value:.4f}"
    figure, (left, right) = canvas(title, 12, 4.8, 1, 2, f"volatility {volatility:.12g}, time {time:.12g}, no interest")
    t = np.linspace(0, time, MOMENTS + 1)
    sell = par + bridge.stopping_constant() * volatility * np.sqrt(time - t)
    noise = np.random.default_rng(SEED).normal(size=(PATHS, MOMENTS)) * volatility * math.sqrt(time / MOMENTS)
    free = np.concatenate((np.zeros((PATHS, 1)), np.cumsum(noise, axis=1)), axis=1)
    courses = price + (par - price) * t / time + free - free[:, -1:] * t / time
    for course in courses:
        sold = course >= sell
        end = int(np.argmax(sold)) if sold[:-1].any() else MOMENTS
        left.plot(t[: end + 1], course[: end + 1], color=BLUE, linewidth=1)
        left.plot(t[end:], course[end:], color=GREY, linewidth=0.6, alpha=0.7)
        left.plot(t[end], course[end], "o", color=GREEN if end < MOMENTS else INK, markersize=5, zorder=3)
    left.fill_between(t, sell, max(sell.max(), courses.max()) + volatility * math.sqrt(time) / 4, color="#E4E4E4", linewidth=0)
    left.plot(t, sell, color=RED, linewidth=1.8)
    left.set(xlabel="time", ylabel="price", xlim=(0, 1.01 * time))
    left.set_title(f"sell as soon as the price is on the line ({PATHS} paths; grey: how they would have gone on)", loc="left", fontsize=10)
    deviation = volatility * math.sqrt(time)
    low, high = max(min(price, par) - 2 * deviation, -bridge.MOST), min(max(price, sell[0]) + deviation / 2, bridge.MOST)
    now = np.linspace(low, high, POINTS)
    right.plot(now, [bridge.worth(p, time, par, volatility) for p in now], color=BLUE, linewidth=2, label="sold at the best time")
    right.plot(now, now, color=GREY, linewidth=1.2, linestyle="--", label="sold now")
    right.axhline(par, color=ORANGE, linewidth=1.2, linestyle="--", label="kept to the end")
    right.plot(price, value, "o", color=INK, markersize=5, zorder=3)
    right.axvline(sell[0], color=RED, linewidth=1)
    right.set(xlabel="price now", ylabel="worth on average")
    right.set_title("what it is worth now; above the upright line sell at once", loc="left", fontsize=10)
    right.legend(frameon=False)
    return figure
