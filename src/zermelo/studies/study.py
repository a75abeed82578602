"""`zermelo.study`: a game solved for all combinations of parameters, and queries of the rows of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.basics.notices import notify
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.basics.raise_in import load
from zermelo.basics.threads import MOST as MOST_THREADS
from zermelo.basics.values import NUMBERS
from zermelo.basics.words import no_such
from zermelo.cluster.connection import check_address
from zermelo.engines.base import Request
from zermelo.errors import FileError, ParameterError
from zermelo.foreign.modules import question_about
from zermelo.games.named import Target, find
from zermelo.language.replies import is_given_by_replies
from zermelo.studies import crossing, derivative, slope, table
from zermelo.studies.asking import Asker, default_processes
from zermelo.studies.row import Options, Row
from zermelo.studies.values import combinations
from zermelo.uses.property import check_number, check_undiscounted, check_value_answers, named
from zermelo.uses.units import Measure, measure

MOST_PROCESSORS = 1_000_000  # the most processors of a cluster

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from zermelo.views.table import Table


def study(
    game: Any,
    parameters: Mapping[str, Any] | None = None,
    /,
    *,
    exact: bool = False,
    discount: float = 1.0,
    tolerance: float | None = None,
    max_states: int | None = None,
    quick: bool = False,
    lengths: bool = False,
    processes: int | None = None,
    cluster: str | None = None,
    anew: bool = False,
    progress: Progress = silent,
    **more: Any,
) -> Study:
    """Solve a game for all combinations of parameters: `study(Pig, goal=range(10, 210, 10))`, `study("pig", goal="10..200:10")`.

    game        the class of a game, one of its games (whose parameters are then the defaults), or a name that `zermelo.solve` accepts
    parameters  by name, one or more values: a list, a range, an array, or text as on the command line ("10..200:10", "2,3,4"). The same
                may be given as keywords (`**more`), except for names that are options here
    exact, discount, tolerance, max_states, quick   as in `zermelo.solve`, for every combination
    lengths     also compute the mean number of moves of a play
    processes   how many combinations are solved in parallel (default: the number of threads that the process may use, which they share)
    cluster     solve on a Ray cluster (docs/cluster.md): "local", "auto" or HOST:PORT; `processes` is then the maximum number of processors
                used, over all machines
    anew        solve again even what is known from an earlier run
    progress    called from time to time as progress(what, done, total)

    Every combination has a row, even one that cannot be solved: its `error` says why. Rows are stored on disk as soon as they are available
    (docs/how-to/study.md), so that asking the same question twice is free and an interrupted study resumes where it stopped. Ctrl-C leaves
    a study of the finished rows, and `is_whole` is false. Raises `ParameterError`, before anything is solved, for unsuitable parameters and
    options, and `FileError`.
    """
    if parameters is not None and not (isinstance(parameters, Mapping) and all(isinstance(n, str) for n in parameters)):
        raise ParameterError(f"parameters are values by name, such as {{'goal': [10, 20]}}, not {parameters!r}")
    target, defaults = _meant(game, "never" in {**(parameters or {}), **more})
    options = Options(exact, discount, tolerance, max_states, quick, lengths)
    if both := set(parameters or ()) & set(more):
        raise ParameterError(f"{', '.join(sorted(both))} is given twice: by name, and in the parameters")
    for name, value in (("lengths", lengths), ("anew", anew)):
        if not isinstance(value, bool):
            raise ParameterError(f"{name} must be True or False, not {value!r}")
    several, asked = combinations(target, {**defaults, **(parameters or {}), **more})
    most = MOST_THREADS if cluster is None else MOST_PROCESSORS
    number = None if processes is None else whole("processes", processes, 1, most)
    if cluster is not None:
        check_address(cluster)
    elif number is None:
        number = default_processes()
    Request(None, progress=progress, **options.of_solve).checked()
    check_undiscounted(target.game_class, discount)
    asker = Asker(target, options, number, anew, progress, cluster)
    rows, is_whole = asker.rows(asked)
    if not is_whole:
        notify(f"interrupted: {len(rows)} of {len(asked)} combinations are done and kept on disk; the same study once more goes on there")
    varied = tuple(name for name, values in several.items() if len(values) > 1)
    return Study(target.word, varied, tuple(rows), len(asked), is_whole, asker)


def _meant(game: Any, never: bool) -> tuple[Target, dict[str, Any]]:
    """The class to study, and the defaults of its parameters if one of its games was given. never : this parameter of a model is given."""
    if isinstance(game, str | Target):  # the command line has already found it
        target = find(game, never) if isinstance(game, str) else game
        if target.saved:
            raise FileError(f"{target.word} is a saved solution, not a game: a study solves a game for many parameters")
        return target, {}
    game_class = game if isinstance(game, type) else type(game)
    if not hasattr(game_class, "_fields") or not (hasattr(game_class, "outcomes") or is_given_by_replies(game_class)):
        raise ParameterError(f"a study is of a game: its class, one of its games, or its name, not {game!r}")
    return Target(game_class.__name__, game_class), {} if isinstance(game, type) else game._asdict()


class _OfModel:
    """What a study says about a model. (A class of its own: in the class with the attribute `property` no other could be one.)"""

    _asker: Asker

    @property
    def property(self) -> str | None:
        """The property of a model that every row answers, in its own words; None for other games."""
        question = question_about(self._asker.target.game_class)
        return None if question is None else str(question.text)


@dataclass(frozen=True)
class Study(_OfModel):
    """The rows of a study, in the order of the combinations, and queries of them."""

    game: str
    """The name of the game."""
    varied: tuple[str, ...]
    """The parameters that were given more than one value."""
    rows: tuple[Row, ...]
    """A row for every finished combination."""
    asked: int
    """The number of combinations requested."""
    is_whole: bool
    """Whether all of them are finished; false after Ctrl-C."""
    _asker: Asker
    """Provides the additional rows that `root` needs."""

    @property
    def discount(self) -> float:
        """The factor by which payoffs one move later count less, in every row; 1.0 without discounting."""
        return float(self._asker.options.discount)

    @property
    def solved(self) -> tuple[Row, ...]:
        """The rows that have a value."""
        return tuple(row for row in self.rows if not row.error)

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows that have an error instead."""
        return tuple(row for row in self.rows if row.error)

    @property
    def from_disk(self) -> int:
        """The number of rows from an earlier run."""
        return sum(row.from_disk for row in self.rows)

    @property
    def seconds(self) -> float:
        """Wall-clock time that the study has taken so far, in seconds, including `root`."""
        return self._asker.effort.seconds

    @property
    def besides(self) -> int:
        """The number of additional combinations that `root` requested, whether solved now or known before."""
        return self._asker.effort.rows - self.asked

    @property
    def processes(self) -> int:
        """The number of processes that solved at the same time; 0 if all rows came from disk."""
        return self._asker.effort.processes

    @property
    def cluster(self) -> str | None:
        """The cluster that was used, as requested."""
        return self._asker.cluster

    @property
    def busy(self) -> float | None:
        """The fraction of the processes' time in which they were busy, from 0 to 1; None if nothing was solved."""
        return self._asker.effort.busy

    @property
    def _question(self) -> Any:
        """The meaning of the property of a model; None for other games."""
        return question_about(self._asker.target.game_class)

    @property
    def measure(self) -> Measure | None:
        """The unit that the game names for its payoffs (`payoff_unit`), if it is the same for all rows. Output for people uses it; rows,
        data frames and files use the payoffs of the rules."""
        if self.property:  # rows have the answer in the unit of the model
            return None
        named = {measure(self._asker.target.game_class(**row.parameters)) for row in self.rows} if self._asker.target.game_class else set()
        return named.pop() if len(named) == 1 else None

    def table(self) -> Table:
        """The rows as a table, with every parameter and number in a column."""
        asked = self._asker.options
        title, unit = named(self.game, self._question), self.measure
        return table.of_rows(title, self.rows, self.varied, asked.lengths, unit, asked.discount, self._question)

    def _repr_html_(self) -> str:
        """The rows as notebooks show them."""
        return self.table()._repr_html_()

    def __repr__(self) -> str:
        done = f"{len(self.rows)} of {self.asked}" if not self.is_whole else str(self.asked)
        failed = f", {len(self.failed)} without a value" if self.failed else ""
        by = f" by {', '.join(self.varied)}" if self.varied else ""
        noun = "combination" if self.asked == 1 else "combinations"
        return f"<Study of {self.game}{by}: {done} {noun}{failed}>"

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for every combination, with the columns of `table()`. Fractions stay fractions; missing entries are NaN or None."""
        load("pandas")
        import pandas

        data = self.table()
        return pandas.DataFrame(list(data.rows), columns=list(data.columns))

    def figure(self, against: str | None = None) -> Figure:
        """The value against a parameter (by default the one with the most values), with a line for each combination of the others; what the
        certificates leave open is shaded. Raises `ParameterError`."""
        from zermelo.studies.figure import figure  # loads matplotlib

        against = self._numeric(against, "a picture")
        check_number(self._asker.target.game_class, "a picture")
        return figure(self._asker.target.title, self.rows, self.varied, against, self.measure, self.discount, self.property)

    def root(self, name: str, value: Number = 0, width: float | None = None) -> list[crossing.Crossing]:
        """The places where the value of the game crosses `value` as the parameter `name` changes, for every combination of the others.

        The study's own rows show the pairs of values between which there is a crossing. Between these, more games are solved, and kept,
        until the parameter is known as closely as possible: to two adjacent whole numbers, or otherwise to an interval of at most `width`
        (default: a millionth of the parameter, absolute below 1). At both ends the side of `value` on which the true value lies is
        certified. Several crossings between two adjacent rows are found as one, or not at all. Raises `ParameterError`,
        `KeyboardInterrupt`.
        """
        name = self._numeric(name, "a crossing")
        check_number(self._asker.target.game_class, "a crossing")
        return crossing.crossings(self._asker, self.solved, name, value, width)

    def slope(self, name: str) -> list[slope.Slope]:
        """The change of the value per unit of the parameter `name`, between adjacent rows, for every combination of the
        others: (next value - value) / (next parameter - parameter), with bounds that hold for the true values. It is the mean
        of the derivative between the two, where there is a derivative, and not the derivative at one point. Raises `ParameterError`."""
        name = self._numeric(name, "a slope")
        check_number(self._asker.target.game_class, "a slope")
        return slope.slopes(self.solved, name)

    def derivatives(self, name: str) -> list[derivative.Derivative]:
        """The derivative of the value with respect to the parameter `name` at every row, under the optimal policy, as a Fraction without
        rounding; and whether it is certain to be the derivative of the value of the game.

        Each game is solved in rationals, by this process, and the rules are run in Python with a number that carries its derivative. This
        is therefore for games in which players move in turn, with at most 20,000 states, of which play reaches at most 2,000; if there is
        no derivative, the answer says why. Raises `ParameterError` for a parameter that is not a number."""
        field = next((f for f in self._asker.target.fields if f.name == name), None)
        if field is None:
            raise ParameterError(no_such("parameter", name, [f.name for f in self._asker.target.fields], self.game))
        if any(isinstance(v := row.parameters[name], bool) or not isinstance(v, int | float) for row in self.rows):
            raise ParameterError(f"a derivative is by a number, an int or a float, and {name} is none")
        target, discount = self._asker.target, self._asker.options.discount
        check_value_answers(target.game_class, [target.game(self._chosen(row)) for row in self.solved[:1]])
        return [derivative.derivative(target, row.parameters, discount, name, row.states) for row in self.solved]

    def _chosen(self, row: Row) -> dict[str, Any]:
        """The parameters of a row that are not fixed by the name of the game."""
        return {f.name: row.parameters[f.name] for f in self._asker.target.fields}

    def longest(self) -> Row | None:
        """The combination whose plays take the most moves on average; None if no length is known. Raises `ParameterError` if the study
        was made without `lengths=True`."""
        if not self._asker.options.lengths:
            raise ParameterError("the lengths of plays were not asked for: study(..., lengths=True)")
        return max((row for row in self.solved if row.length is not None), key=lambda row: row.length or 0.0, default=None)

    def _numeric(self, name: str | None, what: str) -> str:
        """The requested parameter, provided that it has more than one value and these are numbers."""
        def is_number(n: str) -> bool:
            given = [r.parameters[n] for r in self.rows]
            return all(isinstance(v, NUMBERS) and not isinstance(v, bool) and math.isfinite(v) for v in given)

        numeric = [n for n in self.varied if is_number(n)]
        if name is None and numeric:
            return max(numeric, key=lambda n: len({row.parameters[n] for row in self.rows}))
        if name in numeric:
            return name
        known = [f.name for f in self._asker.target.fields]
        if name is not None and name not in known:
            raise ParameterError(no_such("parameter", name, known, self.game))
        which = "" if name is None else f" of {name}"
        raise ParameterError(f"{what} needs several values{which} in the study, and they must be finite numbers")
