"""Games with too many strategies to list, solved exactly from best replies (column generation, double oracle).

The linear program of the strategies known so far gives mixtures p and q; each player who has more strategies is asked for
best replies, which are added; and so on (Dantzig and Wolfe 1960 for one side, McMahan, Gordon and Blum 2003 for both). With
p(T) the payoff of p against a column T, and likewise for rows,

    low = min over all columns T of p(T)  <=  value  <=  max over all rows R of q(R) = high

are certified by the replies themselves, whatever p and q are.

Stabilisation: the mixtures of a restricted game jump about. Replies are also asked to points on the way from them to the
best mixture so far, the one with the best bound, which is the centre (Wentges 1997; du Merle and others 1999). Those near the
centre improve the bounds, those near the jumping end close the program; each is another strategy learnt in one round.

Proof: the basis of the last program is solved in rationals (exact.py), and replies to these mixtures, as whole numbers, are
asked for. If no reply is better than the value of the restricted game, that is the value of the whole game. Else the reply
is one more strategy. This ends because each time one more of finitely many strategies is known.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.engines.base import Request
from zermelo.engines.replies.known import Known
from zermelo.errors import OutOfReach, ParameterError, RulesError
from zermelo.language.parameters import validate_parameters
from zermelo.matrix.exact import Equilibrium, solve
from zermelo.matrix.master import Master, Optimum
from zermelo.matrix.numbers import rational, whole

SHARES = (0.0, 0.3, 0.6, 0.9, 0.97)  # of the centre in the points to which replies are asked
CLOSED = 1e-10  # gap, of the largest payoff, at which floats have done what they can
RESCALED = 16.0  # times the largest payoff so far: the linear program is written anew
CHECKED = 8  # strategies of each player whose payoffs are compared with those of what they stand for
GRID = 2**44  # floats become whole weights out of so many


class Bounds(NamedTuple):
    """What two mixtures guarantee."""

    low: Fraction
    high: Fraction
    p: dict[int, Fraction]
    q: dict[int, Fraction]


class Search:
    """The search in floats. `centre[side]` is the best mixture of a player, `bound[side]` what it guarantees."""

    def __init__(self, known: Known, progress: Progress):
        self.known, self.progress = known, progress
        self.master = Master(known.array)
        self.rounds = 0
        self.bound = [-np.inf, np.inf]
        self.centre = [np.full(k, 1.0 / k) for k in known.array.shape]

    @property
    def gap(self) -> float:
        """Of the largest payoff."""
        return (self.bound[1] - self.bound[0]) / self.master.scale

    def close(self, gap: float) -> Optimum:
        """Learn strategies until the gap is closed so far, or nobody knows a better reply; the last program's optimum."""
        while True:
            optimum = self.master.solve()
            self.rounds += 1
            new = self._look(0, optimum.p) + self._look(1, optimum.q)
            self.grow()
            self.progress(f"finding best replies, gap {max(0.0, self.gap):.0e}", self.rounds, None)
            if self.gap <= gap or not new:
                return self.master.solve() if new else optimum

    def grow(self) -> None:
        """Tell the linear program what has been learnt."""
        array, master = self.known.array, self.master
        if np.abs(array).max() > RESCALED * master.scale:
            self.master = Master(array)
            return
        if array.shape[1] > master.columns:
            master.add_columns(array[: master.rows, master.columns :])
        if array.shape[0] > master.rows:
            master.add_rows(array[master.rows :])

    def _look(self, side: int, mixture: np.ndarray) -> int:
        """Ask what the other player makes of this player's mixture, and of points towards the centre; how many are new."""
        other, new = 1 - side, 0
        shares = SHARES if self.known.asks_for(other) else SHARES[:1]
        centre = np.zeros(mixture.size)
        centre[: self.centre[side].size] = self.centre[side]
        for share in shares:
            point = (1 - share) * mixture + share * centre
            if self.known.asks_for(other):
                new += self.known.learn(other, point)
            averages = self.known.averages(other, point)
            bound = max(averages) if other == 0 else min(averages)
            if (bound > self.bound[0]) if side == 0 else (bound < self.bound[1]):
                self.bound[side], self.centre[side] = bound, point
        return new


def solve_replies(request: Request) -> MixedAnswers:
    """Solve a game given by best replies (language/replies.py): the exact value and an optimal mixed strategy for each.

    With a tolerance, and without `exact`, the search ends when the value is known so well (relative; absolute below 1), with bounds that
    are rational and proven by replies, but not equal. Raises `RulesError` and `ParameterError` for games that are at fault.
    """
    game, tolerance = request.game, None if request.exact else request.tolerance
    if isinstance(game, type):
        raise RulesError(game.__name__, [f"this is the class; pass a game, as in {game.__name__}()"])
    if isinstance(game, tuple) and hasattr(game, "_fields"):
        validate_parameters(game)
    unit = unit_of(game)
    with Stopwatch() as solving:
        known = Known(game)
        search = Search(known, request.progress)
        found = _proven(search) if tolerance is None else _bounded(search, tolerance, unit)
    low, high = found.low * unit, found.high * unit
    facts = {
        "rows": len(known.rows),
        "columns": len(known.columns),
        "rounds": search.rounds,
        "pivots": search.master.pivots,
    }
    summary = f"{len(known.rows):,} rows and {len(known.columns):,} columns found in {search.rounds:,} rounds"
    seconds = {"compiling": solving.compiling, "solving": solving.seconds}
    return MixedAnswers(
        game,
        _spread(game, "row_members", known.rows, found.p),
        _spread(game, "column_members", known.columns, found.q),
        _certificate(known, low, high),
        Report("replies", "", summary, facts, seconds),
    )


def unit_of(game: Any) -> Fraction:
    """What payoffs are counted in."""
    unit = game.unit() if callable(getattr(game, "unit", None)) else 1
    where = f"{type(game).__name__}: unit()"
    if not (exact := Fraction(rational(unit, where))) > 0:
        raise ParameterError(f"{where} must be a positive number, not {unit!r}")
    return exact


def check_replies(game: Any) -> int:
    """Ask a game given by best replies a few questions; how many strategies came up. Raises what `solve_replies` raises."""
    known = Known(game)
    for _ in range(2):
        for side, others in ((0, known.columns), (1, known.rows)):
            if known.asks_for(side):
                known.learn(side, [1] * len(others))
                known.learn(side, np.arange(1.0, len(others) + 1))
    _check_members(game, known)
    return len(known.rows) + len(known.columns)


def _check_members(game: Any, known: Known) -> None:
    """Where a strategy stands for several: is its payoff the mean of what they pay, if the game says what that is?"""
    if not callable(getattr(game, "member_payoff", None)):
        return
    unit = unit_of(game)
    for i, row in enumerate(known.rows[:CHECKED]):
        for j, column in enumerate(known.columns[:CHECKED]):
            rows, columns = members(game, "row_members", row), members(game, "column_members", column)
            paid = [Fraction(rational(game.member_payoff(r, c), "member_payoff")) for r in rows for c in columns]
            mean = sum(paid, Fraction(0)) / len(paid)
            if mean != known.table[i][j] * unit:
                raise RulesError(
                    known.name,
                    [
                        f"`payoff` of {row!r} against {column!r} is {known.table[i][j] * unit} (times `unit`), but on average "
                        f"`member_payoff` of the strategies that these stand for is {mean}"
                    ],
                )


def members(game: Any, method: str, strategy: Any) -> list[Any]:
    """The strategies that this one stands for: itself unless the game says so."""
    members = getattr(game, method, None)
    return list(members(strategy)) if members else [strategy]


def _proven(search: Search) -> Bounds:
    """Floats until they see no gap, then rationals until no reply is better."""
    known, optimum = search.known, search.close(CLOSED)
    while True:
        search.progress("proving in rationals", search.rounds, None)
        integers, unit = whole(known.table)
        found = solve(integers, optimum.rows, optimum.columns)
        value = found.value / unit
        if not _refute(known, found):
            return Bounds(value, value, found.p, found.q)
        search.grow()
        optimum = search.close(CLOSED)


def _refute(known: Known, found: Equilibrium) -> int:
    """Ask both for replies to the exact mixtures; how many of the replies are new and better than the value."""
    better = 0
    for side, mixture, size in ((0, found.q, len(known.columns)), (1, found.p, len(known.rows))):
        if known.asks_for(side):
            weights = _whole_weights(mixture, size)
            before = known.worth(side, weights)
            if known.learn(side, weights):
                better += known.worth(side, weights) != before
    return better


def _whole_weights(mixture: dict[int, Fraction], size: int) -> list[int]:
    common = lcm(*(p.denominator for p in mixture.values()))
    return [int(mixture.get(k, 0) * common) for k in range(size)]


def _bounded(search: Search, tolerance: float, unit: Fraction) -> Bounds:
    """Floats until the gap is small enough, then the bounds of the best mixtures in whole numbers."""
    known, gap = search.known, tolerance / 2
    while True:
        search.close(gap * max(1e-300, 1 / float(unit), abs(search.bound[0])) / search.master.scale)
        whole_p, whole_q = ([round(w * GRID) for w in centre] for centre in search.centre)
        for side, weights in ((0, whole_q), (1, whole_p)):
            if known.asks_for(side):
                known.learn(side, weights)
        low, high = known.worth(1, whole_p), known.worth(0, whole_q)
        if (high - low) * unit <= Fraction(tolerance) * max(Fraction(1), abs(low * unit)):
            return Bounds(low, high, _normed(whole_p), _normed(whole_q))
        search.grow()
        gap /= 16
        if gap < 1e-14:
            raise OutOfReach(
                f"{known.name}: floats can't close the gap to {tolerance:.1e}; without a tolerance it is solved exactly"
            )


def _normed(weights: list[int]) -> dict[int, Fraction]:
    total = sum(weights)
    return {k: Fraction(w, total) for k, w in enumerate(weights) if w}


def _spread(game: Any, method: str, strategies: list[Any], mixture: dict[int, Fraction]) -> dict[Any, Fraction]:
    """Probabilities by strategy, the most likely first; strategies that stand for several are replaced by these."""
    found: dict[Any, Fraction] = {}
    for k, probability in mixture.items():
        several = members(game, method, strategies[k])
        for strategy in several:
            found[strategy] = found.get(strategy, Fraction(0)) + probability / len(several)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _certificate(known: Known, low: Fraction, high: Fraction) -> Certificate:
    asked = [method for side, method in enumerate(("best_row", "best_column")) if known.asks_for(side)]
    by = f"{' and '.join(asked)} in whole numbers"
    if low == high:
        argument = (
            f"proof: in rationals, each strategy guarantees the value against every reply, the best ones found by {by}"
        )
        return Certificate("proof", low, high, argument)
    return Certificate(
        "bound", low, high, f"what the strategies guarantee against every reply, the best ones found by {by}"
    )
