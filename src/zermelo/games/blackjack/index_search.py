"""Indices for Hi-Lo: the true count from which a cell of the table of totals is better played in another way, at this particular table.

Shoes are shuffled and dealt to random depths. For a sample with each true count, every option of every two first cards against every up
card is valued exactly. The player decides with the count that these three cards leave. For each cell, the difference of two options,
averaged over its hands weighted by probability, is fitted by a parabola in the true count (rounded down). The index is the first count
from which on the other option is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.games.blackjack.cards import ACE, NAMES, RANKS, TEN, hard_total, total
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.plans import PAIR_RANKS
from zermelo.games.blackjack.rules import Rules, check_rules, points_needed
from zermelo.games.blackjack.shoes import rules_with
from zermelo.games.blackjack.simple import best_strategy
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, solve
from zermelo.games.blackjack.strategy import HARD, PAIR, SOFT, UPS, Strategy
from zermelo.games.blackjack.threads import pool
from zermelo.games.blackjack.ways import HI_LO, HIGH, INDICES, INSURE, LOW, check_dealt

SHUFFLED = 20_000  # shoes, of which those that are valued are chosen
BINS = HIGH - LOW + 1
MOST_DOUBTFUL = 1.0  # an index whose standard error is larger is left out
DONE = {"S": Option.STAND, "H": Option.HIT, "D": Option.DOUBLE, "Ds": Option.DOUBLE, "P": Option.SPLIT, "R": Option.SURRENDER,
        "Rs": Option.SURRENDER}  # fmt: skip


class Index(NamedTuple):
    """From a true count on, a cell is played as `above`, below it as `below`; one of the two is the table's play."""

    row: str
    up: str
    true_count: int
    above: str
    below: str
    error: float  # standard error of the true count at which both are equal
    gain: float  # units of the bet in 100 rounds with equal bets
    published: int | None  # in the list of 1986


class Found(NamedTuple):
    """The indices of a table, those that gain most first."""

    rules: Rules
    strategy: Strategy
    dealt: float
    insure_from: int  # the true count
    insurance_gain: float
    indices: tuple[Index, ...]
    valued: int


class _Sample(NamedTuple):
    """Shoes that were valued."""

    weight: np.ndarray  # float64[n] how often such shoes come up; sums to 1
    bins: np.ndarray  # int64[n, 55, 10] of the true count when hand and up card are seen
    chance: np.ndarray  # float64[n, 55, 10] of hand and up card
    worth: np.ndarray  # float64[n, 55, options, 10]
    tens: np.ndarray  # float64[n, 55] chance of a ten below an ace


def search_indices(
    rules: Rules, dealt: float = 0.75, valued: int = 1_000, seed: int = 1, progress: Progress = silent
) -> Found:
    """Hi-Lo's indices for a table, by the values of its hands.

    dealt : the share of the shoe that is dealt before it is shuffled; valued : shoes that are valued exactly. Raises `ParameterError`.
    """
    check_rules(rules)
    whole("valued", valued, 100, 1_000_000)
    whole("seed", seed, 0)
    check_dealt(rules, dealt)
    strategy = best_strategy(rules, progress).strategy
    sample = _sampled(rules, dealt, valued, seed, progress)
    found = [index for row, up in _cells(rules) if (index := _index(rules, strategy, sample, row, up)) is not None]
    insure, gain = _insurance(sample)
    indices = tuple(sorted(found, key=lambda index: -index.gain))
    return Found(rules, strategy, float(dealt), insure, gain, indices, len(sample.weight))


def _sampled(rules: Rules, dealt: float, valued: int, seed: int, progress: Progress) -> _Sample:
    random, tags = np.random.default_rng(seed), np.array(HI_LO, np.int8)
    full = np.repeat(np.arange(RANKS, dtype=np.int8), rules.cards)
    shoes = random.permuted(np.tile(full, (SHUFFLED, 1)), axis=1)
    at = random.integers(0, max(int(dealt * len(full)), 1), SHUFFLED)
    gone = np.arange(len(full))[None, :] < at[:, None]
    running = np.where(gone, tags[shoes], 0).sum(1, dtype=int)
    counts = np.clip(np.floor(52 * running / (len(full) - at)), LOW, HIGH).astype(int)
    chosen, weights = [], []
    for count in range(LOW, HIGH + 1):
        among = np.flatnonzero(counts == count)[: max(10, valued // BINS)]
        chosen += among.tolist()
        weights += [float((counts == count).mean()) / max(len(among), 1)] * len(among)
    known = hands().counts[FIRST_PAIR : FIRST_PAIR + PAIRS].astype(int)
    needed = points_needed(rules.split_to)

    def value(number: int) -> tuple[np.ndarray, ...] | None:
        left = np.bincount(shoes[number, at[number] :], minlength=RANKS)
        if hard_total(tuple(left.tolist())) < needed:
            return None
        values = solve(rules_with(rules, tuple(left.tolist())))
        unseen = left.sum() - 3
        count = np.floor(52 * (running[number] + (known @ tags.astype(int))[:, None] + tags[None, :]) / unseen)
        tens = (left[TEN] - known[:, TEN]) / unseen
        return np.clip(count, LOW, HIGH).astype(int) - LOW, values.chance * left / left.sum(), values.worth, tens

    parts, own = [], []
    for part, weight in zip(pool().map(value, chosen), weights, strict=True):
        if part is not None:
            parts.append(part)
            own.append(weight)
        progress("valuing shoes", len(parts), len(chosen))
    columns = [np.array(column) for column in zip(*parts, strict=True)]
    return _Sample(np.array(own) / sum(own), columns[0], columns[1], columns[2], columns[3])


def _cells(rules: Rules) -> Iterator[tuple[str, int]]:
    """Rows of the table and up cards."""
    rows = (*(f"{HARD} {n}" for n in range(5, 21)), *(f"{SOFT} {n}" for n in range(13, 21)), *(f"{PAIR} {NAMES[r]}" for r in UPS))
    return ((row, up) for row in rows for up in UPS if rules.cards[up])


def _members(strategy: Strategy, row: str, up: int) -> list[int]:
    """The hands of two cards that are played by this row; a pair that is not split or surrendered is played as its total."""
    kind, _, what = row.partition(" ")
    found = []
    for i, rank in enumerate(PAIR_RANKS):
        number = FIRST_PAIR + i
        if kind == PAIR:
            if rank >= 0 and NAMES[rank] == what:
                found.append(i)
        elif (
            hands().points[number] == int(what)
            and hands().soft[number] == (kind == SOFT)
            and (rank < 0 or strategy.code(f"{PAIR} {NAMES[rank]}", up) == "-")
        ):
            found.append(i)
    return found


def _options(rules: Rules, strategy: Strategy, row: str, up: int) -> tuple[str, dict[str, Option]]:
    """The table's code in a cell, and the possible alternatives, with the options they mean."""
    code = strategy.code(row, up)
    if row.startswith(PAIR):
        rank = NAMES.index(row.partition(" ")[2])
        pair = tuple(2 * (r == rank) for r in range(RANKS))
        as_total = strategy.later(pair, up, rules.may_double(total(pair), 2))
        every = {"-": as_total, "P": Option.SPLIT, "R": Option.SURRENDER}
    else:
        rest = "s" if DONE[code] is Option.STAND or code.endswith("s") else ""
        every = {"S": Option.STAND, "H": Option.HIT, f"D{rest}": Option.DOUBLE, f"R{rest}": Option.SURRENDER}
        every[code] = DONE[code]
    return code, every


def _index(rules: Rules, strategy: Strategy, sample: _Sample, row: str, up: int) -> Index | None:
    """The index of a cell that gains most; None where no count makes another option better, or where the count can't be determined."""
    members, (code, every) = _members(strategy, row, up), _options(rules, strategy, row, up)
    if not members:
        return None
    worth, bins = sample.worth[:, :, :, up][:, members], sample.bins[:, :, up][:, members]
    weight = sample.weight[:, None] * sample.chance[:, :, up][:, members]
    base, best = worth[:, :, every[code]], None
    for other, option in every.items():
        difference = worth[:, :, option] - base
        there = ~np.isnan(difference) & (weight > 0)
        if option is every[code] or not there.any():
            continue
        found = _crossing(bins[there], difference[there], weight[there])
        if found is not None and (best is None or found[2] > best.gain):
            count, error, gain, rises = found
            above, below = (other, code) if rises else (code, other)
            best = Index(row, NAMES[up], count, above, below, error, gain, _published(row, NAMES[up]))
    return best


def _crossing(bins: np.ndarray, difference: np.ndarray, weight: np.ndarray) -> tuple[int, float, float, bool] | None:
    """(index, its standard error, gain in 100 rounds, whether the difference rises) where a parabola through the differences has one zero.

    The first and the last bin, in which all counts beyond are, are not fitted.
    """
    of_bin = np.bincount(bins, weight, BINS)
    inside = (bins > 0) & (bins < BINS - 1)
    bins, difference, weight = bins[inside], difference[inside], weight[inside]
    if len(np.unique(bins)) < 4:
        return None
    scaled = weight / of_bin[bins] * np.bincount(bins, minlength=BINS)[bins]
    x, root = (bins + LOW).astype(float), np.sqrt(scaled)
    design = np.stack([np.ones_like(x), x, x * x], 1)
    fit, *_ = np.linalg.lstsq(design * root[:, None], difference * root, rcond=None)
    counts = np.arange(LOW, HIGH + 1)
    line = fit[0] + fit[1] * counts + fit[2] * counts**2
    changes = np.flatnonzero((line[1:] > 0) != (line[:-1] > 0))
    if len(changes) != 1:
        return None
    at = int(changes[0]) + 1
    rises = bool(line[-1] > 0)
    residual = (difference - design @ fit) * root
    spread = np.linalg.pinv((design * root[:, None]).T @ (design * root[:, None])) * float(residual @ residual) / max(len(x) - 3, 1)
    zero = np.array([1.0, counts[at] - 0.5, (counts[at] - 0.5) ** 2])
    slope = fit[1] + 2 * fit[2] * (counts[at] - 0.5)
    error = float(np.sqrt(max(zero @ spread @ zero, 0.0)) / abs(slope)) if slope else np.inf
    if error > MOST_DOUBTFUL:
        return None
    better = line > 0
    return int(counts[at]), error, 100 * float((of_bin * np.where(better, line, 0.0)).sum()), rises


def _published(row: str, up: str) -> int | None:
    return next((count for r, u, count, *_ in INDICES if (r, u) == (row, up)), None)


def _insurance(sample: _Sample) -> tuple[int, float]:
    """The true count from which half a bet of insurance gains, and its gain in 100 rounds."""
    gain = 0.5 * (3.0 * sample.tens - 1.0)
    bins, weight = sample.bins[:, :, ACE], sample.weight[:, None] * sample.chance[:, :, ACE]
    found = _crossing(bins.ravel(), gain.ravel(), weight.ravel())
    return (found[0], found[2]) if found is not None else (INSURE, 0.0)
