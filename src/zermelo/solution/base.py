"""What every solution says of itself, whatever it is the solution of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import Number

N = TypeVar("N", bound=Number)


class AnySolution(ABC, Generic[N]):
    """The value of the game, an interval that contains the true one, why it does, and how it was found. `answers` is what an engine, or a
    file, left behind; numbers are of the type N."""

    has_rules = False  # whether the game was given by rules with states, and these are known
    answers: Any

    @property
    def report(self) -> Report:
        """By which engine and method the game was solved, how long that took, and which faster ways were not possible."""
        report: Report = self.answers.report
        return report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts, method and times in one dictionary; for its keys see docs/glossary.md."""
        return self.report.statistics

    @property
    def is_exact(self) -> bool:
        """Whether values are rational numbers that are proven to be the true ones, and not only bounded. (After an urn sweep: whether the
        start's is; other values are floats with bounds.)"""
        return bool(self.answers.is_exact)

    @property
    @abstractmethod
    def payoffs(self) -> dict[str, N]:
        """The expected total of every named payoff, by name. The first is the value."""

    @property
    @abstractmethod
    def bounds(self) -> dict[str, tuple[N, N]]:
        """For every named payoff an interval (low, high) that contains its true expected total."""

    @property
    @abstractmethod
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth: kind ("proof" or "bound"; "sample" if not all was checked), interval and argument."""

    @property
    def value(self) -> N:
        """The expected total of the first payoff if both play optimally: a Fraction if `is_exact`."""
        return next(iter(self.payoffs.values()))

    @property
    def low(self) -> N:
        """The true value is at least this."""
        return next(iter(self.bounds.values()))[0]

    @property
    def high(self) -> N:
        """The true value is at most this."""
        return next(iter(self.bounds.values()))[1]


class FromStart(AnySolution[Number]):
    """Solutions of games with states: what they say of the game is what is known of its start."""

    @property
    @abstractmethod
    def _start(self) -> StateFacts:
        """What is known of the start."""

    @property
    @abstractmethod
    def _names(self) -> tuple[str, ...]:
        """The names of the payoffs."""

    @property
    def discount(self) -> float:
        """The factor by which what comes one move later counts less; 1.0 without discounting."""
        return float(self.answers.discount)

    @property
    def payoffs(self) -> dict[str, Number]:
        """The expected total of every named payoff from the start on, by name. The first is the value."""
        return dict(zip(self._names, self._start.values, strict=True))

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """For every named payoff an interval (low, high) that contains its true expected total from the start on."""
        return {name: self._start.interval(j) for j, name in enumerate(self._names)}

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth: kind ("proof" or "bound"; "sample" if not all was checked), interval and argument."""
        return self.report.certificate(*self._start.interval(), self.answers.argument)


class OfStrategies(AnySolution[N]):
    """Solutions that are a strategy for each of two players, who guarantee `low` and `high` with it. With a certificate of kind "bound"
    `value` is the middle."""

    has_states = counts_moves = has_stopping_line = False
    discount = 1.0  # nothing is discounted

    @property
    def _payoff(self) -> str:
        """The name of the payoff."""
        return "payoff"

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth, and why."""
        certificate: Certificate = self.answers.certificate
        return certificate

    @property
    def payoffs(self) -> dict[str, N]:
        """The value by the name of the payoff, as for games with states."""
        return {self._payoff: self.answers.value}

    @property
    def bounds(self) -> dict[str, tuple[N, N]]:
        """The interval (`low`, `high`) by the name of the payoff."""
        return {self._payoff: (self.answers.low, self.answers.high)}
