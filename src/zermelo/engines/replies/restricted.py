"""The restricted game: those strategies of a game given by best responses that have been generated so far, and their payoffs."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.errors import ParameterError, RulesError, ZermeloError
from zermelo.language.checking import misspelt
from zermelo.language.inherited import field_faults
from zermelo.language.members import of_games
from zermelo.language.names import place
from zermelo.language.source import plain
from zermelo.language.units import payoff_unit, title, title_fault, unit_fault
from zermelo.matrix.numbers import Exact, floats, rational

MAY_BE_MISSING = [m for m in of_games(given_by_replies=True) if m.name not in ("rows", "columns", "payoff")]
SEVERAL = ("rows", "columns", "row_members", "column_members")  # methods that yield strategies
LARGEST = 10**100  # the largest payoff
Weights = Sequence[Any] | np.ndarray  # whole numbers, or floats

ROUNDING = 1e-7  # relative to the largest payoff: how much worse a best response to floats may be than a strategy generated before


class RestrictedGame:
    """The rows and columns generated so far. `table[i][j]` is the exact payoff of row i against column j; `array` contains the same in
    floats.

    In all methods `side` is 0 for the row player, who maximises, and 1 for the column player, who minimises; `weights` are non-negative
    weights of the other player's strategies, in the order in which they were generated.
    """

    def __init__(self, game: Any):
        self.game, self.name = game, type(game).__name__
        missing = [m for m in ("rows", "columns", "payoff") if not callable(getattr(game, m, None))]
        faults = [f"the method `{m}` is missing" for m in missing] + [text for _, text in misspelt(game)]
        given = [(m, getattr(game, m.name, None)) for m in MAY_BE_MISSING]
        none = [m for m, value in given if value is not None and not callable(value)]  # None leaves out what a base class has
        faults += [f"`{m.name}` is a value, but the name stands for a method `def {m.form}`: rename it" for m in none]
        faults += [*field_faults(type(game))]
        faults += filter(None, [unit_fault(payoff_unit(game)), title_fault(title(game))])
        if faults:
            raise RulesError(self.name, faults)
        self.rows: list[Any] = []
        self.columns: list[Any] = []
        self._numbers: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        self.table: list[list[Exact]] = []
        rows, columns = self._several("rows"), self._several("columns")
        self._enter(0, self.rows, rows)
        self._enter(1, self.columns, columns)
        self.table = [[self._payoff(row, column) for column in self.columns] for row in self.rows]
        self.array = floats(self.table)

    def asks_for(self, side: int) -> bool:
        """Whether this player has a method of best responses, so that more strategies can be generated."""
        return callable(getattr(self.game, ("best_row", "best_column")[side], None))

    def members(self, method: str, strategy: Any) -> list[Any]:
        """The strategies that this one stands for. Raises `RulesError` if there are none."""
        found: list[Any] = self.call(method, strategy) if callable(getattr(self.game, method, None)) else [strategy]
        if not found:
            text = f"`{method}` has no strategy for {_short(strategy)}: it must yield those that this one stands for"
            raise RulesError(self.name, [text])
        return found

    def strategies(self, side: int) -> list[Any]:
        """The known strategies of a player."""
        return self.rows if side == 0 else self.columns

    def add(self, side: int, strategies: list[Any]) -> None:
        """Add given strategies, with their payoffs."""
        self._extend(side, self._enter(side, self.strategies(side), strategies))

    def learn(self, side: int, weights: Weights) -> int:
        """Add this player's best responses to these weights; returns the number of new ones. Raises `RulesError`, `ParameterError`."""
        method = ("best_row", "best_column")[side]
        others = self.columns if side == 0 else self.rows
        given = {s: w for s, w in zip(others, weights, strict=False) if w}
        answer = self.call(method, given)
        replies = answer if isinstance(answer, list) else [answer]
        is_forgotten = None not in self._numbers[side] and any(reply is None for reply in replies)  # unless it began with that strategy
        if not replies or is_forgotten:
            what = "None" if replies else "an empty list"
            raise RulesError(self.name, [f"`{method}` returned {what}: it must return a best response"])
        new = self._enter(side, self.strategies(side), replies)
        self._extend(side, new)
        self._check(side, weights, [self._numbers[side][reply] for reply in replies])
        return len(new)

    def worth(self, side: int, weights: Sequence[int]) -> Fraction:
        """The payoff of this player's best strategy so far against the mixed strategy with these whole weights."""
        return _best(side, self.averages(side, weights)) / sum(weights)

    def averages(self, side: int, weights: Weights) -> list[Any]:
        """sum of weight * payoff, for each strategy of this player so far: exact if the weights are whole numbers, floats for an array."""
        if isinstance(weights, np.ndarray):
            table = self.array[:, : weights.size] if side == 0 else self.array[: weights.size].T
            found: list[Any] = np.einsum("ij,j", table, weights).tolist()  # not by threads of BLAS, as in methods/dense.py
            return found
        used = [(k, w) for k, w in enumerate(weights) if w]
        if side == 0:
            return [Fraction(sum(row[j] * w for j, w in used)) for row in self.table]
        return [Fraction(sum(self.table[i][j] * w for i, w in used)) for j in range(len(self.columns))]

    def _check(self, side: int, weights: Weights, replies: list[int]) -> None:
        """Raise `ParameterError` if the best of the responses is worse than a strategy generated before."""
        averages = self.averages(side, weights)
        best, reply = _best(side, averages), _best(side, [averages[k] for k in replies])
        slack = 0.0
        if isinstance(weights, np.ndarray):
            slack = ROUNDING * float(np.abs(self.array).max()) * float(weights.sum())
        if abs(best - reply) > slack:
            strategies, method = (self.rows, "best_row") if side == 0 else (self.columns, "best_column")
            known = strategies[averages.index(best)]
            total = sum(weights)
            raise ParameterError(
                f"{self.name}: {method} returned {_short(strategies[replies[0]])}, worth {float(reply / total):.9g} against the weights "
                f"given, but {_short(known)} is {'better' if side == 0 else 'cheaper'}: {float(best / total):.9g}"
                + ("" if slack else " (these weights are whole numbers: the response must be exactly best)")
            )

    def _extend(self, side: int, new: list[Any]) -> None:
        """Add the payoffs of new strategies to both tables."""
        if not new:
            return
        if side == 0:
            added = [[self._payoff(row, column) for column in self.columns] for row in new]
            self.table.extend(added)
            self.array = np.concatenate([self.array, floats(added)])
        else:
            wider = [[self._payoff(row, column) for column in new] for row in self.rows]
            for row, more in zip(self.table, wider, strict=True):
                row.extend(more)
            self.array = np.concatenate([self.array, floats(wider)], axis=1)

    def _payoff(self, row: Any, column: Any) -> Exact:
        number = self.call("payoff", row, column)
        if type(number) is not int:
            number = rational(number, f"the payoff of {_short(row)} against {_short(column)}")
        if not -LARGEST <= number <= LARGEST:
            raise ParameterError(
                f"the payoff of {_short(row)} against {_short(column)} is too large: payoffs are at most 1e100"
            )
        return number

    def _several(self, method: str) -> list[Any]:
        found = self.call(method)
        if not isinstance(found, Iterable) or not (listed := list(found)):
            raise RulesError(self.name, [f"`{method}` must yield strategies, at least one to start with"])
        return listed

    def _enter(self, side: int, strategies: list[Any], found: list[Any]) -> list[Any]:
        """Number these strategies; returns those that are new."""
        numbers, new = self._numbers[side], []
        for strategy in found:
            try:
                if strategy not in numbers:
                    numbers[strategy] = len(numbers)
                    new.append(strategy)
            except TypeError:
                text = f"{_short(strategy)} can't be a strategy: it must be hashable, such as a number or a tuple"
                raise RulesError(self.name, [text]) from None
        strategies.extend(new)
        return new

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the game. Raises `RulesError` with the line of the rules if it raises anything."""
        function: Callable[..., Any] = getattr(self.game, method)
        try:
            result = function(*arguments)
            return list(result) if method in SEVERAL else result
        except ZermeloError:
            raise
        except Exception as error:
            raise RulesError(self.name, [f"`{method}` raised {type(error).__name__}: {error} {_where(error, function)}".rstrip()]) from None


def _where(error: Exception, function: Callable[..., Any]) -> str:
    """The deepest line of the traceback in the file of the method; its first line if there is none."""
    code = getattr(plain(function), "__code__", None)
    if code is None:
        return ""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == code.co_filename and f.lineno]
    return place(code.co_filename, lines[-1] if lines else code.co_firstlineno)


def _best(side: int, values: list[Any]) -> Any:
    return max(values) if side == 0 else min(values)


def _short(strategy: Any) -> str:
    text = repr(strategy)
    return text if len(text) <= 60 else f"{text[:57]}..."
