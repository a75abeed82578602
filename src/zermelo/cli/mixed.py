"""Solutions of matrix games, for people and as data: the value and a mixed strategy for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import USUAL, in_full, probability_text
from zermelo.basics.words import choice_text, counted
from zermelo.cli.lines import GAP
from zermelo.cli.output import console, verbatim
from zermelo.cli.report import Command, print_facts
from zermelo.solution import MixedSolution

if TYPE_CHECKING:
    from rich.console import Console

LINES = 16  # of a mixed strategy
SHORT = 24  # characters of a fraction shown beside its decimals

Line = tuple[Fraction, bool, str, int]  # probability, whether each of several has it, text, number of strategies


def print_solution(solution: MixedSolution, most: int = USUAL, explain: bool = False, table: Command | None = None) -> None:
    """The text output of `solve`."""
    print_facts(solution, most, explain)
    out = console()
    for seat, (name, method) in enumerate(zip(solution.players, ("show_row", "show_column"), strict=True)):
        show = partial(solution.shown, seat) if getattr(solution.game, method, None) else None
        _print_mixture(name, solution.policy(seat), show, out)


def _print_mixture(name: str, mixture: Mapping[Any, Fraction], show: Any, out: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    lines, left, how = list(_lines(mixture, show)), len(mixture), ""
    if any(len(text) > out.width // 2 for _, _, text, count in lines if count == 1):
        lines, how = _by_beginning(lines), ", by what they begin with"
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in range(2):
        grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for probability, each, text, count in lines[:LINES]:
        grid.add_row("  " + probability_text(probability), _note(probability, each), Text(text))
        left -= count
    out.print(f"\n[cyan]{verbatim(name)}[/cyan], {counted(len(mixture), 'strategy', 'strategies')} with positive probability{how}:")
    out.print(grid)
    if left or how:
        more = [f"and {left:,} more"] if left else []
        out.print(f"[dim]  {'; '.join([*more, '--json has all, with exact probabilities'])}[/dim]")


def _by_beginning(lines: list[Line]) -> list[Line]:
    """Strategies whose texts are long, such as search trees, summed up by their first words, the likeliest first."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line[2].partition(" ")[0], []).append(line)
    summed = []
    for word, of_word in found.items():
        count = sum(line[3] for line in of_word)
        summed.append((sum((line[0] for line in of_word), Fraction(0)), False, f"{word} ...   ({count} of them)", count))
    return sorted(summed, key=lambda line: -line[0])


def _note(probability: Fraction, each: bool) -> str:
    exact = in_full(probability)
    return f"{exact if len(exact) <= SHORT else ''}{' each' if each else ''}"


def _lines(mixture: Mapping[Any, Fraction], show: Any) -> Iterator[Line]:
    """Probability, whether each of several has it, their text and number. Whole numbers of one probability share a line."""
    for probability, group in groupby(mixture.items(), key=lambda item: item[1]):
        strategies = [s for s, _ in group]
        if show is None and all(type(s) is int for s in strategies):
            yield probability, len(strategies) > 1, runs(sorted(strategies)), len(strategies)
        else:
            for s in strategies:
                yield probability, False, choice_text(s) if show is None else show(s), 1


def runs(numbers: list[int]) -> str:
    """1, 2, 3, 7 as "1 to 3, 7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in found)
