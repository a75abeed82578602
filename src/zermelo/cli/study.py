"""`zermelo study`: a game solved for many parameters, as a table, CSV, JSON or a picture."""

from __future__ import annotations

import math
import re
import shlex
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.basics.numbers import down, in_few, up
from zermelo.basics.parameters import whole
from zermelo.basics.threads import MOST as MOST_THREADS
from zermelo.basics.threads import threads
from zermelo.basics.values import NUMBERS, as_json, written
from zermelo.basics.words import no_such, value_in_words
from zermelo.cli import completion
from zermelo.cli.commands import Json
from zermelo.cli.lines import LEAST, as_options, folded, width
from zermelo.cli.output import (
    FAILED,
    IN_PART,
    INTERRUPTED,
    check_writable,
    complain,
    console,
    print_json,
    progress_bar,
    seconds,
)
from zermelo.cli.own_options import spelling, spellings
from zermelo.cli.solving import DEFAULTS, Cluster, Exact
from zermelo.errors import FileError, ParameterError
from zermelo.games.named import Target
from zermelo.language.parameters import REQUIRED

if TYPE_CHECKING:
    from zermelo.uses.units import Measure  # loads numpy

REASONS, NAMED = 10, 3  # why combinations could not be solved, and those that are named for each


def study(
    target: Target,
    given: Mapping[str, Any],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the rows to this file, too, a name ending in .csv.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the value against a parameter: a name ending in .png, .svg or .pdf.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The parameter of the picture.", show_default="the one with the most values",
            autocompletion=completion.numbers,
        ),
    ] = None,
    fair: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Find where the value crosses --fair-value between the values of this parameter.",
            autocompletion=completion.numbers,
        ),
    ] = None,
    fair_value: Annotated[float, typer.Option(metavar="X", help="The value that counts as fair, in the game's unit.")] = 0.0,
    slope: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="How much the value changes for each unit of this parameter, from row to row, with bounds.",
            autocompletion=completion.numbers,
        ),
    ] = None,
    derivative: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The derivative of the value by this parameter at every row, in rationals (small games).",
            autocompletion=completion.numbers,
        ),
    ] = None,
    lengths: Annotated[
        bool, typer.Option("--lengths", help="The mean number of moves of a play, too, and which game is the longest.")
    ] = False,
    exact: Exact = False,
    discount: Annotated[
        float, typer.Option(metavar="D", help="A payoff one step later counts D times as much, 0 < D <= 1.")
    ] = DEFAULTS.discount,
    tolerance: Annotated[
        float | None, typer.Option(metavar="T", help="How far a value may be from the truth, such as 1e-9 (relative).")
    ] = None,
    max_states: Annotated[
        int | None, typer.Option(metavar="N", help="Refuse games with more than N states.", show_default="100 million explored")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Large board games: check a sample of the table, which proves nothing.")
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How many games are solved at the same time; they share the threads.", show_default="all the process may use"
        ),
    ] = None,
    cluster: Cluster = None,
    anew: Annotated[bool, typer.Option("--anew", help="Solve again what is known from an earlier run.")] = False,
    as_json: Json = False,
) -> int:
    """Solve a game for many parameters: one row for each, as a table, CSV, JSON or a picture.

    Parameters take several values: 2,3,4 or 10..200:10 (both ends included), or both; for parameters that are lists of numbers: 1,2;3,4.
    Every row is stored on disk as soon as it is solved: after Ctrl-C the same command continues, and repeating it costs nothing.

    Exit code 0 if every combination has a value, 1 if some have none (the rows say why), 2 if none has.
    """
    if target.saved:
        raise FileError(f"{target.word} is a saved solution, not a game: a study solves a game for many parameters")
    if max_states is not None and max_states < 1:
        raise ParameterError(f"--max-states must be at least 1, not {max_states}")
    if processes is not None and cluster is None:
        whole("--processes", processes, 1, MOST_THREADS)
    if against and not plot:
        raise ParameterError("--against is about the picture: give --plot FILE, too")
    if not math.isfinite(fair_value):
        raise ParameterError(f"--fair-value must be a finite number, not {fair_value}")
    if fair_value and not fair:
        raise ParameterError("--fair-value is what --fair NAME looks for: give --fair, too")
    _check_files(output, plot)
    asked = _several(target, given)
    against, fair, slope, derivative = (_parameter(target, name) for name in (against, fair, slope, derivative))
    if derivative and not _are_numbers(asked.get(derivative, ()), (int, float)):
        raise ParameterError(f"--derivative {derivative}: {target.word} has no parameter of this name that is a whole number or a float")
    for option, name in (("--against", against), ("--fair", fair), ("--slope", slope)):
        _check_name(target, option, name, asked)
    from zermelo.uses.property import check_number  # loads numpy

    for option, given_to in (("--plot", plot), ("--fair", fair), ("--slope", slope), ("--derivative", derivative)):
        if given_to:
            check_number(target.game_class, option)
    if plot and not any(_are_numbers(v) and len(v) > 1 for v in asked.values()):
        raise ParameterError("--plot needs a parameter with several values that are numbers, such as 10..200:10")
    import zermelo

    options: dict[str, Any] = {"exact": exact, "discount": discount, "tolerance": tolerance, "max_states": max_states, "quick": quick}
    crossings: list[Any] | None = None
    with progress_bar() as progress, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "interrupted: ")  # reported below, once the bar is gone
        found = zermelo.study(target, asked, lengths=lengths, processes=processes, cluster=cluster, anew=anew, progress=progress, **options)
        _write(found, output, plot, against)
        if fair and found.is_whole:
            with suppress(KeyboardInterrupt):  # the rows so far are printed anyway
                crossings = found.root(fair, found.measure.in_payoffs(fair_value) if found.measure else fair_value)
    is_over = found.is_whole and (crossings is not None or not fair)
    slopes = found.slope(slope) if slope else None
    derivatives = found.derivatives(derivative) if derivative and is_over else None
    if as_json:
        print_json(_as_data(found, output, plot, crossings, slopes, derivatives))
    else:
        _print(found, target, output, plot)
        if crossings is not None:
            _print_fair(found, fair, fair_value, crossings)
        if slopes is not None:
            _print_slopes(str(slope), slopes, found.measure)
        if derivatives is not None:
            _print_derivatives(found, derivatives)
    if not is_over:
        missing = "" if found.is_whole else f"{len(found.rows)} of {found.asked} combinations are done and "
        complain(f"{missing or 'what is done is '}kept on disk: the same command once more goes on there")
        return INTERRUPTED
    if as_json and found.failed:
        complain(f"{len(found.failed)} of {len(found.rows)} combinations have no value: their rows say why")
    return FAILED if not found.solved else IN_PART if found.failed else 0


def _several(target: Target, given: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The values of the parameters that are given."""
    from zermelo.studies.values import Several, read

    fields = {f.name: f for f in target.fields}
    asked = {n: (fields[n].default,) if text is None else read(fields[n], text) for n, text in given.items()}
    return {n: Several(values) for n, values in asked.items() if given[n] is not None or values not in ((None,), (REQUIRED,))}


def _parameter(target: Target, name: str | None) -> str | None:
    """The parameter of this name, which may be written as its option is: head-start for head_start. Other names stay as they are."""
    known = {f.name: f.name for f in target.fields}
    known |= {spelling(f, spellings(study)).removeprefix("--"): f.name for f in target.fields}
    return known.get(name, name) if name else name


def _check_name(target: Target, option: str, name: str | None, asked: Mapping[str, tuple[Any, ...]]) -> None:
    """Refuse, before anything is solved, a parameter without several values, or with values that are not numbers."""
    if name is None:
        return
    if name not in asked:
        raise ParameterError(f"{option}: " + no_such("parameter", name, [f.name for f in target.fields], target.word))
    if len(asked[name]) < 2 or not _are_numbers(asked[name]):
        raise ParameterError(f"{option} {name}: give {name} several values that are numbers, such as 10..200:10")


def _are_numbers(values: tuple[Any, ...], kinds: tuple[type, ...] = NUMBERS) -> bool:
    return bool(values) and all(type(v) in kinds and math.isfinite(v) for v in values)


def _check_files(output: Path | None, plot: Path | None) -> None:
    if output:
        if output.suffix.lower() != ".csv":
            raise ParameterError(f"{output}: the rows of a study are written to .csv; --json prints them, too")
        check_writable(output)
    if plot:
        from zermelo.views.plot import check_format

        check_writable(check_format(plot))


def _write(found: Any, output: Path | None, plot: Path | None, against: str | None) -> None:
    """Write the files that have any content."""
    if output and found.rows:
        from zermelo.views import files

        files.write(found.table(), output)
    if plot and found.solved:
        from zermelo.views import plot as plots

        plots.save(found.figure(against), plot)


def _print(found: Any, target: Target, output: Path | None, plot: Path | None) -> None:
    from zermelo.views.table import print_table

    if found.rows:
        table = found.table()
        shown = table.printed or table
        if found.failed:  # the reasons, which are long, come below
            shown = shown._replace(columns=shown.columns[:-1], rows=tuple(row[:-1] for row in shown.rows))
        print_table(shown._replace(title=_typed(found, target), notes=tuple(map(as_options, shown.notes))), console())
    print("\n".join(folded(_said(found), width())))
    if found.failed:
        _print_reasons(found)
    if (longest := found.longest() if _has_lengths(found) else None) is not None:
        where = ", ".join(f"{n}={value_in_words(longest.parameters[n])}" for n in found.varied)
        print(f"the longest game: {where or 'the only one'}, {in_few(longest.length)} move{'' if longest.length == 1 else 's'} on average")
    if output and found.rows:
        print(f"rows written to {output}")
    if plot:
        print(f"picture written to {plot}" if found.solved else f"no picture: {found.game} has no value to be drawn")


def _typed(found: Any, target: Target) -> str:
    """The game, and the options that all rows have, as they are typed."""
    taken, words = spellings(study), [target.word, *target.options]
    for field in target.fields:
        if field.name not in found.varied:
            words += [spelling(field, taken), written(found.rows[0].parameters[field.name])]
    return shlex.join([*words, *(["--discount", str(found.discount)] if found.discount != 1 else [])])


def _print_reasons(found: Any) -> None:
    """Why combinations could not be solved, each reason once."""
    print(f"{len(found.failed)} of {len(found.rows)} could not be solved:")
    where: dict[str, list[str]] = {}
    for row in found.failed:
        where.setdefault(as_options(row.error), []).append(_at(row.parameters, found.varied))
    _print_where((_some_of(names) if found.varied else "", why) for why, names in where.items())


def _print_without_derivative(derivatives: Sequence[Any], own: Sequence[str]) -> None:
    """Why there is no derivative, the same reason once, also if it names another number in each row."""
    none = [d for d in derivatives if d.derivative is None]
    if not none:
        return
    where: dict[str, list[Any]] = {}
    for d in none:
        where.setdefault(re.sub(r"\([^)]*\)|[\d.,e/-]+", "", d.why), []).append(d)
    print(f"{len(none)} of {len(derivatives)} have none:")
    told = []
    for alike in where.values():
        first, *others = (_at(d.parameters, own) for d in alike)
        at = f"{first} (and likewise {_some_of(others)})" if others else first
        told.append(("" if len(alike) == len(derivatives) > 1 else at, as_options(alike[0].why)))
    _print_where(told)


def _at(parameters: Mapping[str, Any], names: Sequence[str]) -> str:
    return " ".join(f"{n}={value_in_words(parameters[n])}" for n in names)


def _some_of(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")


def _print_where(reasons: Iterable[tuple[str, str]]) -> None:
    """Where, and why, in a few lines each."""
    told = list(reasons)
    for at, why in told[:REASONS]:
        print("\n".join(f"  {line}" for line in folded(f"{at}: {why}" if at else why, max(LEAST, width() - 2))))
    if len(told) > REASONS:
        print(f"  and {len(told) - REASONS:,} more reasons: --json has all")


def _has_lengths(found: Any) -> bool:
    return any(row.length is not None for row in found.rows)


def _said(found: Any) -> str:
    """A summary of what was solved, in one line."""
    new = len(found.rows) - found.from_disk
    parts = [f"{len(found.rows)} of {found.asked} combinations" if not found.is_whole else _plural(found.asked, "combination")]
    parts += [f"{found.from_disk} from disk"] if found.from_disk else []
    compiling = sum(row.compiling for row in found.rows if not row.from_disk)
    with_compiling = f" ({seconds(compiling)} of compiling in it, all processes together)" if compiling > 0.1 else ""
    failed = sum(not row.from_disk for row in found.failed)
    done = f"{new - failed} solved and {failed} not" if failed else f"{new} solved"
    parts += [f"{done} in {seconds(found.seconds)}{with_compiling}"] if new else []
    if found.busy is not None:
        each = 1 if found.cluster else max(threads() // found.processes, 1)
        with_threads = f" of {each} threads" if each > 1 else ""
        busy = f", busy {100 * found.busy:.0f} % of the time" if found.processes > 1 else ""
        parts.append(f"{_plural(found.processes, 'process', 'es')}{with_threads}{busy}")
    more = [f"{_plural(found.besides, 'more game')} to find the crossings"] if found.besides else []
    return ", ".join([*parts, *more])


def _plural(n: int, what: str, ending: str = "s") -> str:
    return f"{n:,} {what}{'' if n == 1 else ending}"


def _print_fair(found: Any, name: str | None, value: float, crossings: list[Any]) -> None:
    print(f"\nwhere the value crosses {found.measure.written(in_few(value)) if found.measure else in_few(value)}:")
    for crossing in crossings:
        print("\n".join(folded(f"  {crossing.in_words(found.measure)}", width())))
    if not crossings:
        why = ": all that are certain lie on one side" if found.solved else ", none of which is solved"
        print(f"  nowhere between the values of {name}{why}")


def _print_slopes(name: str, slopes: list[Any], unit: Measure | None) -> None:
    from zermelo.views.table import Table, print_table

    others = list(slopes[0].parameters) if slopes else []
    varied = [n for n in others if len({s.parameters[n] for s in slopes}) > 1]
    rows = tuple(
        (
            *(value_in_words(s.parameters[n]) for n in varied), str(s.start), str(s.end),
            f"{float(slope):.9g}", repr(down(low)), repr(up(high)),
        )
        for s in slopes
        for slope, low, high in [unit.shown(s.slope, s.low, s.high) if unit else (s.slope, s.low, s.high)]
    )
    print()
    change = f"change for each {name}"
    columns = (*varied, f"{name} from", "to", unit.label(change) if unit else change, "at least", "at most")
    note = "bounds hold for the true values: it is the mean of the derivative between the two, where there is one"
    print_table(Table(f"how the value changes with {name}", columns, rows, (note,)), console())


def _print_derivatives(found: Any, derivatives: list[Any]) -> None:
    from zermelo.studies.table import number_text
    from zermelo.views.table import Table, print_table

    if not derivatives:
        return
    name = derivatives[0].name
    own = list(dict.fromkeys((*found.varied, name)))
    unit = found.measure
    texts = ["" if d.derivative is None else number_text(d.derivative, d.derivative, d.derivative, unit) for d in derivatives]
    rows = tuple(
        (*(value_in_words(d.parameters[n]) for n in own), text, d.why if text else "none, see below")
        for d, text in zip(derivatives, texts, strict=True)
    )
    print()
    note = "of the optimal policy; of the value of the game, too, where nothing is remarked"
    columns = (*own, unit.label("derivative") if unit else "derivative", "remark")
    print_table(Table(f"the derivative of the value by {name}", columns, rows, (note,)), console())
    _print_without_derivative(derivatives, own)


TOLD = ("holds", "said", "least", "most")  # of rows about models


def _as_data(found: Any, output: Path | None, plot: Path | None, crossings: Any, slopes: Any, derivatives: Any) -> dict[str, Any]:
    rows = [{**_with_data(row), "from disk": row.from_disk, "notes": list(row.notes)} for row in found.rows]
    for row in rows:
        del row["from_disk"], row["short_of_memory"]
        if not found.property:
            for name in TOLD:
                del row[name]
    data = {
        "game": found.game, **({"property": found.property} if found.property else {}),
        "discount": found.discount, "varied": list(found.varied), "asked": found.asked, "done": len(rows),
        "from disk": found.from_disk, "whole": found.is_whole, "seconds": found.seconds, "processes": found.processes, "busy": found.busy,
        "rows": rows, "output": output, "plot": plot,
    }  # fmt: skip
    if crossings is not None:
        data["crossings"] = [
            {
                "parameters": as_json(c.parameters), "parameter": c.name, "value": c.value, "start": c.start, "end": c.end,
                "why no closer": c.why,
            }
            for c in crossings
        ]
    if slopes is not None:
        data["slopes"] = [_with_data(s) for s in slopes]
    if derivatives is not None:
        data["derivatives"] = [_with_data(d) for d in derivatives]
    return data


def _with_data(found: Any) -> dict[str, Any]:
    """A row, a slope or a derivative by name, with its parameters as other programs read them."""
    return {**found._asdict(), "parameters": as_json(found.parameters)}


__all__ = ["study"]
