"""A row of a study: the numbers kept from a solution, and their form on disk."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, meant
from zermelo.basics.stopwatch import Stopwatch
from zermelo.errors import NoMemory, OutOfReach, ZermeloError
from zermelo.solving import solve

Triple = tuple[Number, Number, Number]  # a number and its bounds


@described(
    parameters="The parameters of the game, by name.",
    value="The value: a Fraction if it is proven as one, else a float; None where the game could not be solved. Of a model: the answer to "
    "its property, in the unit of the model, and None where no single number answers.",
    low="The true value is at least this.",
    high="The true value is at most this.",
    payoffs="The expected total of every named payoff, as (total, low, high). The first is the value.",
    certificate='"proof", "bound" or "sample", as in `solution.certificate`; "" where the game could not be solved.',
    states="How many states the game has; None for games of strategies.",
    length="The mean number of moves of a play, if `lengths` was asked and it can be had.",
    holds="Of a model's property with a threshold: whether it is met; None if the bounds do not decide it, and for all others.",
    said="Of a model's property of several states: the answer as a sentence that follows the property; else \"\".",
    least="Of a model's property that has a range of values: the least, as (value, low, high).",
    most="Of such a property: the greatest.",
    seconds="Seconds that solving took when it was done, without compiling.",
    compiling="Seconds of compiling on top of that.",
    notes="What `solution.report.notes` said.",
    error="Why the game could not be solved, in one line; else \"\".",
    from_disk="Whether the row was kept from an earlier time.",
    short_of_memory="Whether memory did not suffice; such a combination is tried once more, alone.",
)
class Row(NamedTuple):
    """The results of a study for one combination of parameters."""

    parameters: dict[str, Any]
    value: Number | None = None
    low: Number | None = None
    high: Number | None = None
    payoffs: dict[str, tuple[Number, Number, Number]] = {}
    certificate: str = ""
    states: int | None = None
    length: float | None = None
    seconds: float = 0.0
    compiling: float = 0.0
    notes: tuple[str, ...] = ()
    error: str = ""
    from_disk: bool = False
    short_of_memory: bool = False
    holds: bool | None = None
    said: str = ""
    least: Triple | None = None
    most: Triple | None = None

    def sign(self, target: Number) -> int | None:
        """1 if the true value is certainly above `target`, -1 if it is below, 0 if it is proven to be equal; None if unknown. A value in
        fractions is compared with the decimal that a float is written as: 1/10 is 0.1."""
        if self.low is None or self.high is None:
            return None
        if isinstance(self.low, Fraction):
            target = meant(target)
        if self.low == self.high == target:
            return 0
        return 1 if self.low > target else -1 if self.high < target else None


class Options(NamedTuple):
    """The question asked of every combination: options of `zermelo.solve`, and whether the length of a play is wanted."""

    exact: bool = False
    discount: float = 1.0
    tolerance: float | None = None
    max_states: int | None = None
    quick: bool = False
    lengths: bool = False

    @property
    def of_solve(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if name != "lengths"}


def solved(game: Any, options: Options) -> Row:
    """The row of a game, which is solved now. Any error is recorded in the row."""
    parameters = game._asdict()
    with Stopwatch() as watch:
        try:
            row = _of_solution(parameters, solve(game, **options.of_solve), options.lengths)
        except ZermeloError as error:
            row = Row(parameters, error=in_one_line(error), short_of_memory=isinstance(error, NoMemory))
        except MemoryError:
            row = Row(parameters, error="out of memory", short_of_memory=True)
        except Exception as error:  # from the rules, or a bug of ours: other combinations are solved anyway
            row = Row(parameters, error=f"{type(error).__name__}: {in_one_line(error)}")
    return row._replace(seconds=watch.seconds, compiling=watch.compiling)


def in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _of_solution(parameters: dict[str, Any], solution: Any, lengths: bool) -> Row:
    totals = {name: (total, *solution.bounds[name]) for name, total in solution.payoffs.items()}
    length, notes = _length(solution) if lengths else (None, ())
    states = solution.report.facts.get("states")
    row = Row(
        parameters, solution.value, solution.low, solution.high, totals, solution.certificate.kind,
        None if states is None else int(states), length, notes=(*solution.report.notes, *notes),
    )  # fmt: skip
    asked = solution.property
    if asked is None:
        return row
    found = {} if asked.value is None else {asked.text: (asked.value, asked.low, asked.high)}
    return row._replace(
        value=asked.value, low=asked.low, high=asked.high, payoffs=found, holds=asked.holds, said=asked.said, least=asked.least,
        most=asked.most,
    )  # fmt: skip


def _length(solution: Any) -> tuple[float | None, tuple[str, ...]]:
    """The mean length, or a note on why there is none."""
    try:
        return float(solution.length.mean), ()
    except OutOfReach as error:
        return None, (f"no length: {in_one_line(error)}",)


# --- as text ----------------------------------------------------------------------------------------------------------

NUMBERS = ("value", "low", "high")
AS_THEY_ARE = ("certificate", "states", "length", "holds", "said", "seconds", "compiling", "error", "short_of_memory")


def encoded(row: Row) -> dict[str, Any]:
    """The row in a form that JSON can represent, without its parameters."""
    return {
        **{name: _number(getattr(row, name)) for name in NUMBERS},
        "payoffs": {name: [_number(x) for x in triple] for name, triple in row.payoffs.items()},
        **{name: triple and [_number(x) for x in triple] for name, triple in (("least", row.least), ("most", row.most))},
        **{name: getattr(row, name) for name in AS_THEY_ARE},
        "notes": list(row.notes),
    }


def decoded(parameters: dict[str, Any], data: dict[str, Any]) -> Row:
    """The row from the output of `encoded`. Raises `KeyError`, `TypeError` or `ValueError` for any other input."""
    return Row(
        parameters,
        **{name: _read(data[name]) for name in NUMBERS},
        payoffs={name: _triple(numbers) for name, numbers in data["payoffs"].items()},
        least=data["least"] and _triple(data["least"]),
        most=data["most"] and _triple(data["most"]),
        **{name: data[name] for name in AS_THEY_ARE},
        notes=tuple(data["notes"]),
    )


def _number(number: Any) -> Any:
    """Fractions as two whole numbers in hexadecimal, of any length."""
    return [hex(number.numerator), hex(number.denominator)] if isinstance(number, Fraction) else None if number is None else float(number)


def _triple(data: Any) -> Triple:
    value, low, high = data
    return _read(value), _read(low), _read(high)


def _read(data: Any) -> Any:
    return Fraction(int(data[0], 16), int(data[1], 16)) if isinstance(data, list) else data


def as_bytes(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()
