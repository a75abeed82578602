"""Solutions of matrix games, for people and as data: the value and a mixed strategy for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import decimals, in_full
from zermelo.cli.output import console
from zermelo.cli.report import DIGITS, print_facts
from zermelo.solution import MixedSolution

if TYPE_CHECKING:
    from rich.console import Console

LINES = 16  # of a mixed strategy
SHORT = 24  # characters of a fraction that is shown beside its decimals


def print_solution(solution: MixedSolution, most: int = DIGITS, explain: bool = False) -> None:
    """What `solve` prints for people."""
    print_facts(solution, most, explain)
    out = console()
    show = (getattr(solution.game, "show_row", None), getattr(solution.game, "show_column", None))
    for seat, (name, text) in enumerate(zip(solution.players, show, strict=True)):
        _print_mixture(name, solution.policy(seat), text, out)


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
