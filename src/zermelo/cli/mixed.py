"""Solutions of matrix games, for people and as data: the value and a mixed strategy for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import decimals, digits, in_full, with_decimals
from zermelo.basics.words import game_text
from zermelo.cli.output import seconds
from zermelo.solution import MixedSolution

if TYPE_CHECKING:
    from rich.console import Console

LINES = 16  # of a mixed strategy
SHORT = 24  # characters of a fraction that is shown beside its decimals


def as_data(solution: MixedSolution) -> dict[str, Any]:
    """What `solve --json` prints."""
    value, low, high = solution.value, solution.low, solution.high
    certificate = solution.certificate
    return {
        "game": type(solution.game).__name__,
        "parameters": solution.game._asdict(),
        "value": float(value),
        "digits": _value_text(solution),
        "exact": in_full(value) if certificate.kind == "proof" else None,
        "low": float(low),
        "high": float(high),
        "certificate": {
            "kind": certificate.kind,
            "low": in_full(low),
            "high": in_full(high),
            "argument": certificate.argument,
        },
        "strategies": {
            name: [{"strategy": s, "probability": in_full(p)} for s, p in mixture.items()]
            for name, mixture in zip(solution.players, (solution.row, solution.column), strict=True)
        },
        "statistics": solution.statistics,
    }


def print_solution(solution: MixedSolution, out: Console) -> None:
    """What `solve` prints for people."""
    from rich.table import Table
    from rich.text import Text

    out.print(f"[bold]{game_text(solution.game)}[/bold]", highlight=False)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("  value", Text(_value_text(solution), style="bold"))
    grid.add_row("  certificate", str(solution.certificate))
    facts = solution.statistics
    searched = f"{facts['rows']:,} rows and {facts['columns']:,} columns found in {facts['rounds']:,} rounds"
    grid.add_row("  search", searched)
    compiling = f"{seconds(facts['seconds compiling'])} compiling, " if facts["seconds compiling"] > 0.01 else ""
    grid.add_row("  time", f"{compiling}{seconds(facts['seconds solving'])} solving")
    out.print(grid)
    show = (getattr(solution.game, "show_row", None), getattr(solution.game, "show_column", None))
    for name, mixture, text in zip(solution.players, (solution.row, solution.column), show, strict=True):
        _print_mixture(name, mixture, text, out)


def _value_text(solution: MixedSolution) -> str:
    low, high = solution.low, solution.high
    return with_decimals(low, low, high) if low == high else digits(float(solution.value), float(low), float(high))


def _print_mixture(name: str, mixture: Mapping[Any, Fraction], show: Any, out: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left"):
        grid.add_column(justify=justify, no_wrap=True)
    grid.add_column(overflow="fold")
    shown = 0
    lines = list(_lines(mixture, show))
    for probability, each, text, count in lines[:LINES]:
        exact = in_full(probability)
        note = f"{exact if len(exact) <= SHORT else ''}{' each' if each else ''}"
        grid.add_row("  " + decimals(probability, 6), note, Text(text))
        shown += count
    out.print(f"\n[cyan]{name}[/cyan], {len(mixture):,} strategies with positive probability:")
    out.print(grid)
    if shown < len(mixture):
        out.print(f"[dim]  and {len(mixture) - shown:,} more (--json prints all, with exact probabilities)[/dim]")


def _lines(mixture: Mapping[Any, Fraction], show: Any) -> Iterator[tuple[Fraction, bool, str, int]]:
    """Probability, whether each of several has it, their text and number. Whole numbers of one probability share a line."""
    for probability, group in groupby(mixture.items(), key=lambda item: item[1]):
        strategies = [s for s, _ in group]
        if show is None and all(isinstance(s, int) for s in strategies):
            yield probability, len(strategies) > 1, runs(sorted(strategies)), len(strategies)
        else:
            for s in strategies:
                yield probability, False, str(s) if show is None else show(s), 1


def runs(numbers: list[int]) -> str:
    """1, 2, 3, 7 as "1 to 3, 7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in found)
