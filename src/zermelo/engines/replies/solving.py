"""Matrix games with too many strategies to list, solved exactly from best responses (column generation, double oracle).

The linear program of the restricted game, that of the strategies generated so far, gives mixed strategies p and q; each player with
more strategies is asked for best responses, which are added, and this is repeated (Dantzig and Wolfe 1960 for one side, McMahan, Gordon and
Blum 2003 for both). With p(T) the payoff of p against a column T, and likewise for rows,

    low = min over all columns T of p(T)  <=  value  <=  max over all rows R of q(R) = high

are certified by the responses themselves, for any p and q.

Stabilisation: the optimal mixed strategies of successive restricted games differ widely. Best responses are therefore also computed to
points between them and the centre, the mixed strategy with the best bound so far (Wentges 1997; du Merle and others 1999). Responses to
points near the centre improve the bounds, those to points near the other end close the gap of the program; each adds a strategy.

Proof: the basis of the last program is solved in rationals (matrix/exact.py), and best responses to these mixed strategies, with whole
weights, are computed. If none is better than the value of the restricted game, that is the value of the whole game. If one is better, it is
added. This terminates, as each step adds one more of finitely many strategies.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from heapq import nlargest
from itertools import product
from math import lcm
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.words import counted
from zermelo.engines.base import Request
from zermelo.engines.replies.restricted import RestrictedGame
from zermelo.errors import ParameterError, RulesError
from zermelo.language.parameters import made, validate_parameters
from zermelo.matrix.exact import Equilibrium, solve
from zermelo.matrix.master import Master, Optimum
from zermelo.matrix.numbers import rational, whole

SHARES = (0.0, 0.3, 0.6, 0.9, 0.97)  # the weight of the centre in the points to which best responses are computed
CLOSED = 1e-10  # gap, relative to the largest payoff, at which floats can do no better
RESCALED = 16.0  # with payoffs this many times larger than before, the linear program is set up again
CHECKED = 8  # strategies of each player whose payoffs are compared with those of the strategies that they stand for
NONE: Mapping[int, Fraction] = MappingProxyType({})
MEMBERS = ("row_members", "column_members")
GRID = 2**44  # probabilities are rounded to multiples of 1 / GRID, to get whole weights


class Bounds(NamedTuple):
    """The guarantees of two mixed strategies: p at least `low` to the row player, q at most `high`; probabilities by number of the
    strategy."""

    low: Fraction
    high: Fraction
    p: dict[int, Fraction]
    q: dict[int, Fraction]


class Search:
    """The search in floats. `centre[side]` is the best mixed strategy of a player so far, `bound[side]` its guarantee."""

    def __init__(self, restricted: RestrictedGame, progress: Progress):
        self.restricted, self.progress = restricted, progress
        self.master = Master(restricted.array)
        self.rounds = 0
        self.bound = [-np.inf, np.inf]
        self.centre = [np.full(k, 1.0 / k) for k in restricted.array.shape]

    @property
    def gap(self) -> float:
        """The difference of the bounds, relative to the largest payoff."""
        return (self.bound[1] - self.bound[0]) / self.master.scale

    def close(self, gap: float) -> Optimum:
        """Generate strategies until the gap is at most this, or no response is new; returns the optimum of the last linear program."""
        while True:
            optimum = self.master.solve()
            self.rounds += 1
            new = self._look(0, optimum.p) + self._look(1, optimum.q)
            self.grow()
            self.progress(f"finding best responses, gap {max(0.0, self.gap):.0e}", self.rounds, None)
            if self.gap <= gap or not new:
                return self.master.solve() if new else optimum

    def grow(self) -> None:
        """Add the new rows and columns to the linear program."""
        array, master = self.restricted.array, self.master
        if np.abs(array).max() > RESCALED * master.scale:
            self.master = Master(array)
            return
        if array.shape[1] > master.columns:
            master.add_columns(array[: master.rows, master.columns :])
        if array.shape[0] > master.rows:
            master.add_rows(array[master.rows :])

    def _look(self, side: int, mixture: np.ndarray) -> int:
        """Add the other player's best responses to this player's mixed strategy and to points towards the centre, and improve the bounds;
        returns the number of new responses."""
        other, new = 1 - side, 0
        shares = SHARES if self.restricted.asks_for(other) else SHARES[:1]
        centre = np.zeros(mixture.size)
        centre[: self.centre[side].size] = self.centre[side]
        for share in shares:
            point = (1 - share) * mixture + share * centre
            if self.restricted.asks_for(other):
                new += self.restricted.learn(other, point)
            averages = self.restricted.averages(other, point)
            bound = max(averages) if other == 0 else min(averages)
            if (bound > self.bound[0]) if side == 0 else (bound < self.bound[1]):
                self.bound[side], self.centre[side] = bound, point
        return new


def solve_replies(request: Request) -> MixedAnswers:
    """Solve a matrix game given by best responses (language/replies.py): the exact value and an optimal mixed strategy for each player.

    With a tolerance, and without `exact`, the search ends when the value is known to within it (relative; absolute below 1): the bounds are
    then rational and proven by best responses, and not always equal. Raises `RulesError`, `ParameterError`, `OutOfReach`.
    """
    game, tolerance = request.game, None if request.exact else request.tolerance
    unit = _examined_unit(game)
    with Stopwatch() as solving:
        restricted = RestrictedGame(game)
        _check_members(restricted, unit)
        _check_names(restricted)
        search = Search(restricted, request.progress)
        found = _proven(search) if tolerance is None else _bounded(search, tolerance, unit)
        _check_members(restricted, unit, found.p, found.q)
    low, high = found.low * unit, found.high * unit
    facts = {
        "rows": len(restricted.rows),
        "columns": len(restricted.columns),
        "rounds": search.rounds,
        "pivots": search.master.pivots,
    }
    strategies = f"{counted(len(restricted.rows), 'row')} and {counted(len(restricted.columns), 'column')}"
    summary = f"{strategies} found in {counted(search.rounds, 'round')}"
    seconds = {"compiling": solving.compiling, "solving": solving.seconds}
    return MixedAnswers(
        game,
        _spread(restricted, MEMBERS[0], restricted.rows, found.p),
        _spread(restricted, MEMBERS[1], restricted.columns, found.q),
        _certificate(restricted, low, high),
        Report("replies", "", summary, facts, seconds),
        (_by_strategy(restricted.rows, found.p), _by_strategy(restricted.columns, found.q)) if has_members(game) else None,
    )


def _examined_unit(game: Any) -> Fraction:
    """The unit of the payoffs of a game whose parameters are examined first."""
    if isinstance(game, type):
        raise RulesError(game.__name__, [f"this is the class; pass a game, as in {made(game)}"])
    if isinstance(game, tuple) and hasattr(game, "_fields"):
        validate_parameters(game)
    return unit_of(game)


def unit_of(game: Any) -> Fraction:
    """The unit of the payoffs."""
    unit = game.unit() if callable(getattr(game, "unit", None)) else 1
    where = f"{type(game).__name__}: unit()"
    if not (exact := Fraction(rational(unit, where))) > 0:
        raise ParameterError(f"{where} must be a positive number, not {unit!r}")
    return exact


def check_replies(game: Any) -> RestrictedGame:
    """Compute a few best responses; returns what was seen. Raises the same errors as `solve_replies`."""
    unit = _examined_unit(game)
    restricted = RestrictedGame(game)
    for _ in range(2):
        for side, others in ((0, restricted.columns), (1, restricted.rows)):
            if restricted.asks_for(side):
                restricted.learn(side, [1] * len(others))
                restricted.learn(side, np.arange(1.0, len(others) + 1))
    _check_members(restricted, unit)
    _check_names(restricted)
    return restricted


def _check_names(restricted: RestrictedGame) -> None:
    """Raise `RulesError` where the game has no two names for its players, or no text for one of the first strategies."""
    if getattr(restricted.game, "players", None):
        found = restricted.call("players")
        if not isinstance(found, tuple | list) or len(found) != 2 or str(found[0]) == str(found[1]):
            raise RulesError(restricted.name, [f"`players` returned {found!r}: it must return two names, which differ"])
    for side, method in enumerate(("show_row", "show_column")):
        for strategy in restricted.strategies(side)[:CHECKED] if getattr(restricted.game, method, None) else ():
            restricted.call(method, restricted.members(MEMBERS[side], strategy)[0])


def _check_members(restricted: RestrictedGame, unit: Fraction, p: Mapping[int, Fraction] = NONE, q: Mapping[int, Fraction] = NONE) -> None:
    """Raise `RulesError` if the payoff of a strategy that stands for several is not the mean of their payoffs (`member_payoff`): for the
    first rows and columns, and for the most probable ones of two mixed strategies."""
    if not callable(getattr(restricted.game, "member_payoff", None)):
        return
    chosen_rows = {*range(len(restricted.rows))[:CHECKED], *nlargest(CHECKED, p, key=p.__getitem__)}
    chosen_columns = {*range(len(restricted.columns))[:CHECKED], *nlargest(CHECKED, q, key=q.__getitem__)}
    rows, columns = (
        {k: restricted.members(method, strategies[k]) for k in sorted(chosen)}
        for method, strategies, chosen in (
            ("row_members", restricted.rows, chosen_rows),
            ("column_members", restricted.columns, chosen_columns),
        )
    )
    for i, j in product(rows, columns):
        paid = [Fraction(rational(restricted.call("member_payoff", r, c), "member_payoff")) for r in rows[i] for c in columns[j]]
        mean = sum(paid, Fraction(0)) / len(paid)
        if mean != restricted.table[i][j] * unit:
            text = (
                f"`payoff` of {restricted.rows[i]!r} against {restricted.columns[j]!r} is {restricted.table[i][j] * unit} (times `unit`), "
                f"but on average `member_payoff` of the strategies that these stand for is {mean}"
            )
            raise RulesError(restricted.name, [text])


def has_members(game: Any) -> bool:
    """Whether a strategy of one of the players stands for several."""
    return any(callable(getattr(game, method, None)) for method in MEMBERS)


def members(game: Any, method: str, strategy: Any) -> list[Any]:
    """The strategies that this one stands for: itself unless the game declares others."""
    members = getattr(game, method, None)
    return list(members(strategy)) if members else [strategy]


def _proven(search: Search) -> Bounds:
    """Search in floats until no gap is left, then in rationals until no response is better than the value."""
    restricted, optimum = search.restricted, search.close(CLOSED)
    while True:
        search.progress("proving in rationals", search.rounds, None)
        integers, unit = whole(restricted.table)
        found = solve(integers, optimum.rows, optimum.columns)
        value = found.value / unit
        if not _refute(restricted, found):
            return Bounds(value, value, found.p, found.q)
        search.grow()
        optimum = search.close(CLOSED)


def _refute(restricted: RestrictedGame, found: Equilibrium) -> int:
    """Best responses of both players to the exact mixed strategies; returns the number of those that are new and better than the value."""
    better = 0
    for side, mixture, size in ((0, found.q, len(restricted.columns)), (1, found.p, len(restricted.rows))):
        if restricted.asks_for(side):
            weights = _whole_weights(mixture, size)
            before = restricted.worth(side, weights)
            if restricted.learn(side, weights):
                better += restricted.worth(side, weights) != before
    return better


def _whole_weights(mixture: dict[int, Fraction], size: int) -> list[int]:
    common = lcm(*(p.denominator for p in mixture.values()))
    return [int(mixture.get(k, 0) * common) for k in range(size)]


def _bounded(search: Search, tolerance: float, unit: Fraction) -> Bounds:
    """Search in floats until the gap is small enough, then bound the best mixed strategies in whole numbers. Where floats can't close it,
    the value is proven."""
    restricted, gap = search.restricted, tolerance / 2
    least = float(min(1 / unit, Fraction(10**300)))
    while gap >= 1e-14:
        search.close(gap * max(1e-300, least, abs(search.bound[0])) / search.master.scale)
        whole_p, whole_q = ([round(w * GRID) for w in centre] for centre in search.centre)
        for side, weights in ((0, whole_q), (1, whole_p)):
            if restricted.asks_for(side):
                restricted.learn(side, weights)
        low, high = restricted.worth(1, whole_p), restricted.worth(0, whole_q)
        if (high - low) * unit <= Fraction(tolerance) * max(Fraction(1), abs(low * unit)):
            return Bounds(low, high, _normed(whole_p), _normed(whole_q))
        search.grow()
        gap /= 16
    return _proven(search)


def _normed(weights: list[int]) -> dict[int, Fraction]:
    total = sum(weights)
    return {k: Fraction(w, total) for k, w in enumerate(weights) if w}


def _by_strategy(strategies: list[Any], mixture: dict[int, Fraction]) -> dict[Any, Fraction]:
    return {strategies[k]: probability for k, probability in mixture.items()}


def _spread(restricted: RestrictedGame, method: str, strategies: list[Any], mixture: dict[int, Fraction]) -> dict[Any, Fraction]:
    """Probabilities by strategy, the most likely first; a strategy that stands for several is replaced by these, equally likely."""
    found: dict[Any, Fraction] = {}
    for k, probability in mixture.items():
        several = restricted.members(method, strategies[k])
        for strategy in several:
            found[strategy] = found.get(strategy, Fraction(0)) + probability / len(several)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _certificate(restricted: RestrictedGame, low: Fraction, high: Fraction) -> Certificate:
    asked = [method for side, method in enumerate(("best_row", "best_column")) if restricted.asks_for(side)]
    by = f"{' and '.join(asked)} in whole numbers"
    if low == high:
        argument = (
            f"proof: in rationals, each strategy guarantees the value against every response, the best ones found by {by}"
        )
        return Certificate("proof", low, high, argument)
    return Certificate(
        "bound", low, high, f"what the strategies guarantee against every response, the best ones found by {by}"
    )
