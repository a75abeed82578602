"""The values that the essay's fits were made from: its program in C keeps every value as a `float`, of 24 bits.

Gwern 2022, approximating; the program is FeepingCreature's. A value is computed in double precision from two floats (one more or less than
the float before it, itself a float) and rounded to a float, so that about n roundings add up: V(22974, 22974) comes out as 79.11305 instead
of 79.11653. Far from the diagonal nothing is computed. Where red cards outnumber black ones by `BAND`, play goes on to the last card;
where black ones outnumber red ones by as many it stops; no play reaches such states with a probability that a float could show.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from zermelo.games.card_draw_growth import BEYOND, ESSAY, FORMS, Fit, fits_to

BAND = 1000  # cards of one colour more than of the other
FAR = 165.076  # the value of 100,000 + 100,000 cards, as the essay's fits have it
LARGEST, TOP = 133_787_000, 6038.22  # the deck that was added to the last fit, and its value there
DECIMALS = 6  # with which the program prints


@lru_cache(maxsize=2)
def balanced(largest: int) -> np.ndarray:
    """V(n, n) for n = 0, 1, ... `largest` as the program prints them, by diagonals: all cells with the same number of cards at once.
    Read-only, since it is remembered."""
    values, numbers = np.zeros(largest + 1), np.arange(2 * largest + 1)
    before, first = np.zeros(1, np.float32), 0  # the diagonal of one card fewer, from `first` red cards on
    for cards in range(1, 2 * largest + 1):
        low, high = max(0, (cards - BAND + 1) // 2), min(cards, (cards + BAND) // 2)
        red = numbers[low : high + 1]
        black = cards - red
        wide = np.empty(len(red) + 1, np.float32)  # with low - 1, ..., high red cards and one card fewer in all
        at, end = max(first, low - 1), min(first + len(before), high + 1)
        wide[at - low + 1 : end - low + 1] = before[at - first : end - first]
        for missing in (*range(low - 1, at), *range(end, high + 1)):
            wide[missing - low + 1] = max(2 * missing - (cards - 1), 0)
        if_red, if_black = wide[:-1] + np.float32(1), wide[1:] - np.float32(1)
        mean = red / cards * if_red.astype(float) + black / cards * if_black.astype(float)
        before, first = np.maximum(0.0, mean).astype(np.float32), low
        if high == cards:
            before[-1] = cards
        if low == 0:
            before[0] = 0
        if cards % 2 == 0:
            values[cards // 2] = before[cards // 2 - low]
    rounded = np.round(values, DECIMALS)
    rounded.flags.writeable = False
    return rounded


def essay_values(with_largest: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of cards and values as the essay fits them."""
    beyond = [(BEYOND, FAR), (LARGEST, TOP)][: 1 + with_largest]
    n = np.concatenate([np.arange(1.0, ESSAY + 1), [float(cards) for cards, _ in beyond]])
    return n, np.concatenate([balanced(ESSAY)[1:], [value for _, value in beyond]])


def fit_with_predictions() -> Fit:
    """The last fit of the essay as it came about: over the values and the predictions of all three fits together."""
    n, values = essay_values()
    predicted = [fit.value(n) for fit in fits_to(n, values)]
    return fits_to(np.tile(n, 1 + len(predicted)), np.concatenate([values, *predicted]))[FORMS.index("log n and sqrt n")]
