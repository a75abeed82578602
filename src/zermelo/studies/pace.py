"""The order in which combinations are solved, and how long the rest will take.

The largest are begun first, so that no process waits at the end for another one that has only just begun something long. Sizes are
estimated: the time is taken to be a product of powers of the parameters. All exponents are 1 at first, and are fitted as times become
known (by least squares of logarithms, where each exponent is pulled towards 1 with the weight of one combination).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.basics.values import expression

LEAST = 1e-4  # seconds: the shortest time that is assumed


class Pace:
    """The waiting combinations, and the times of the finished ones."""

    def __init__(self, combinations: Sequence[Mapping[str, Any]]):
        self._sizes = _sizes(combinations)
        self._known: dict[int, float] = {}
        self._seconds = 0.0  # the sum of all known times
        self._refit_at = 4
        self._begun: set[int] = set()
        self._waiting = list(range(len(combinations)))
        self._guess_with(self._sizes.sum(axis=1))

    def _guess_with(self, logarithms: np.ndarray) -> None:
        """Take these as the logarithms of all times, up to a common offset."""
        self._guess = np.exp(logarithms - logarithms.max(initial=0.0))
        self._waiting.sort(key=lambda i: self._guess[i])  # the largest last
        self._rest = float(self._guess[self._waiting].sum())
        self._guessed_of_known = float(self._guess[list(self._known)].sum())

    def __len__(self) -> int:
        return len(self._waiting)

    def next(self) -> int:
        """The largest waiting combination."""
        chosen = self._waiting.pop()
        self._rest -= self._guess[chosen]
        self._begun.add(chosen)
        return chosen

    def back(self, which: int) -> None:
        """Put back a combination that must be started again."""
        self._begun.discard(which)
        self._rest += self._guess[which]
        self._waiting.append(which)

    def done(self, which: int, seconds: float) -> None:
        self._begun.discard(which)
        self._known[which] = max(seconds, LEAST)
        self._seconds += self._known[which]
        self._guessed_of_known += self._guess[which]
        if len(self._known) >= self._refit_at:
            self._refit_at *= 2
            self._guess_with(_fitted(self._sizes, self._known))

    def left(self, processes: int) -> float | None:
        """The estimated seconds for the rest; None before any time is known. Combinations being solved count half."""
        if not self._known:
            return None
        rest = max(self._rest, 0.0) + 0.5 * sum(self._guess[i] for i in self._begun)
        return float(self._seconds * rest / max(self._guessed_of_known, 1e-300) / processes)


def _sizes(combinations: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """float64[combinations, parameters that vary]: the logarithm of a number, or for other values of their position."""
    columns = []
    for name in combinations[0] if combinations else ():
        values = [c[name] for c in combinations]
        if all(isinstance(v, int | float) and math.isfinite(v) for v in values):
            column = [math.log1p(abs(float(v))) for v in values]
        else:
            texts = [expression(v) for v in values]
            place = {text: k for k, text in enumerate(dict.fromkeys(texts))}
            column = [math.log1p(place[text]) for text in texts]
        if min(column) < max(column):
            columns.append(column)
    return np.array(columns, dtype=float).reshape(len(columns), len(combinations)).T


def _fitted(sizes: np.ndarray, known: Mapping[int, float]) -> np.ndarray:
    """Logarithms of the times of all combinations, estimated from the known ones."""
    done = list(known)
    x, y = sizes[done], np.log([known[i] for i in done])
    centre, level = x.mean(axis=0), y.mean()
    x = x - centre
    gram = x.T @ x + np.eye(x.shape[1])
    exponents = np.linalg.solve(gram, x.T @ (y - level) + 1.0)
    fitted: np.ndarray = np.clip((sizes - centre) @ exponents + level, math.log(LEAST), 40.0)
    return fitted
