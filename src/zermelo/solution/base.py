"""The attributes that all solutions share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Generic, TypeVar, cast

from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.html import card, facts, note
from zermelo.basics.machine import enough
from zermelo.basics.numbers import Number, with_decimals
from zermelo.basics.parameters import check_progress
from zermelo.basics.progress import silent
from zermelo.errors import ZermeloError
from zermelo.uses.mixed import whose
from zermelo.uses.need import check_same_names, check_same_rules
from zermelo.uses.property import PropertyAnswer, answer, apart
from zermelo.uses.units import measure, percent

N = TypeVar("N", bound=Number)
Verb = TypeVar("Verb", bound=Callable[..., Any])

# The verbs that may take much memory, which is watched while they work, as it is while a game is solved.
WATCHED = frozenset({
    "best_response", "census", "distribution", "evaluate", "export_certificate", "export_umb", "length", "lock", "save",
    "simulate", "to_dataframe", "to_xarray",
})  # fmt: skip


OF_A_STATE = frozenset({  # the verbs that run the rules in one state, or in one after another
    "action_value", "best_action", "moves_after", "probe", "to_gymnasium", "to_pettingzoo",
})  # fmt: skip
WRITTEN = ("save", "export_certificate", "export_umb")  # what holds the rules, too, which must be those that were solved


def _watched(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    def work(self: Any, *arguments: Any, **options: Any) -> Any:
        check_progress(options.get("progress", silent))
        (check_same_rules if name in WRITTEN else check_same_names)(self.answers)
        with enough(name):
            return verb(self, *arguments, **options)

    return cast(Verb, work)


def _of_same_rules(verb: Verb) -> Verb:
    @wraps(verb)
    def work(self: Any, *arguments: Any, **options: Any) -> Any:
        check_same_names(self.answers)
        return verb(self, *arguments, **options)

    return cast(Verb, work)


class OfModel:
    """What solutions say about a model. (A class of its own: in the class with the attribute `property` no other could be one.)"""

    @cached_property
    def property(self) -> PropertyAnswer | None:
        """The answer to the property of a PRISM or JANI model, as `zermelo solve` prints it: `value` and bounds, whether a threshold is
        met, the values of several states. None for other games. `solution.value` is that of the translated game, which may be another
        number: 1 - the probability for G, W and R, a multiple of the reward. Raises `OutOfReach`."""
        return answer(self)


class AnySolution(OfModel, ABC, Generic[N]):
    """The value of the game, an interval that contains the true one, the reason why it does, and how it was found. `answers` is what an
    engine, or a file, left behind; numbers have the type N."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in OF_A_STATE & vars(cls).keys():
            setattr(cls, name, _of_same_rules(vars(cls)[name]))
        for name in WATCHED & vars(cls).keys():
            verb = vars(cls)[name]
            if isinstance(verb, cached_property):
                verb = cached_property(_watched(name, verb.func))
                verb.__set_name__(cls, name)
                setattr(cls, name, verb)
            elif callable(verb):
                setattr(cls, name, _watched(name, verb))

    has_rules = False  # whether the game was given by rules with states, and these rules are known
    answers: Any

    @property
    def report(self) -> Report:
        """The engine and the method that solved the game, the time taken, and the faster ways that were not possible."""
        report: Report = self.answers.report
        return report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts, method and times in one dictionary; docs/glossary.md explains its keys."""
        return self.report.statistics

    @property
    def is_exact(self) -> bool:
        """Whether values are rational numbers proven to be the true ones, and not only bounded. (After an urn sweep, and by the
        engine `horizon`: whether the start's value is; other values are floats with bounds.)"""
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
        """How far `value` can be from the true value: kind ("proof" or "bound"; "sample" if only a part was checked), interval and
        argument."""

    def _repr_html_(self) -> str:
        """The solution as HTML, for notebooks."""
        title = repr(self).strip("<>").partition(": value")[0]
        try:
            low_high, sure = self.bounds, self.certificate
            rows = [(name, with_decimals(value, *low_high[name])) for name, value in self.payoffs.items()]
            if unit := measure(getattr(self, "game", None)):
                rows[0] = (rows[0][0], unit.written(with_decimals(*unit.shown(self.value, self.low, self.high))))
            rows = [("value", rows[0][1] + whose(getattr(self, "game", None)))] if len(rows) == 1 else rows
            if asked := self.property:
                told = f"value of the translated game: {apart(self.game)}"  # type: ignore[attr-defined]
                own = [(told, rows[0][1])] if asked.is_of_start and rows[0][1] and apart(self.game) else []  # type: ignore[attr-defined]
                rows, title = [("property", asked.line), *own], title.removesuffix(f": {asked.line}")
            if win := getattr(self, "win_probability", lambda: None)():
                rows.insert(0, ("chance of winning", f"{percent(win)} %"))
            rows.append((sure.kind, sure.argument.removeprefix("proof: ")))
        except ZermeloError as error:  # a data file without the value of the start
            return card(title, note(str(error)))
        return card(title, facts([*rows, ("game", self.report.summary), ("engine", self.report.engine)]), *map(note, self.report.notes))

    @property
    def value(self) -> N:
        """The expected total of the first payoff if both play optimally: a Fraction if `is_exact`."""
        return next(iter(self.payoffs.values()))

    @property
    def low(self) -> N:
        """A lower bound of the true value."""
        return next(iter(self.bounds.values()))[0]

    @property
    def high(self) -> N:
        """An upper bound of the true value."""
        return next(iter(self.bounds.values()))[1]


class FromStart(AnySolution[Number]):
    """Solutions of games with states: the value of the game and its bounds are those of the start."""

    @property
    @abstractmethod
    def _start(self) -> StateFacts:
        """What is known about the start."""

    @property
    @abstractmethod
    def _names(self) -> tuple[str, ...]:
        """The names of the payoffs."""

    @property
    def discount(self) -> float:
        """The factor by which payoffs one move later count less; 1.0 without discounting."""
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
        """How far `value` can be from the true value: kind ("proof" or "bound"; "sample" if only a part was checked), interval and
        argument."""
        return self.report.certificate(*self._start.interval(), self.answers.argument)


class OfStrategies(AnySolution[N]):
    """Solutions that consist of a strategy for each of two players; these guarantee `low` and `high`. With a certificate of kind "bound"
    `value` is the midpoint."""

    has_states = counts_moves = has_stopping_line = False
    discount = 1.0  # nothing is discounted

    @property
    def _payoff(self) -> str:
        """The name of the payoff."""
        return "payoff"

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the true value, and why."""
        certificate: Certificate = self.answers.certificate
        return certificate

    @property
    def payoffs(self) -> dict[str, N]:
        """The value, keyed by the name of the payoff, as for games with states."""
        return {self._payoff: self.answers.value}

    @property
    def bounds(self) -> dict[str, tuple[N, N]]:
        """The interval (`low`, `high`), keyed by the name of the payoff."""
        return {self._payoff: (self.answers.low, self.answers.high)}
