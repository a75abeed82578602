"""The output of `solve` for a saved solution whose rules were not given: the contents of the file, and how to give the rules."""

from __future__ import annotations

from zermelo.basics.numbers import USUAL
from zermelo.cli.lines import print_pairs, print_title
from zermelo.cli.report import Command
from zermelo.solution import DataSolution
from zermelo.views.words import certificate_text, number_text, solved_in_words


def print_solution(solution: DataSolution, most: int = USUAL, explain: bool = False, table: Command | None = None) -> None:
    """The text output of `solve`."""
    print_title(solved_in_words(solution), ", as data")
    lines = []
    if solution.answers.at_start is not None:
        is_one = len(solution.payoffs) == 1
        lines += [("value" if is_one else name, number_text(v, *solution.bounds[name], most)) for name, v in solution.payoffs.items()]
        lines.append(("certificate", certificate_text(solution.certificate, explain)))
    print_pairs([*lines, ("game", solution.report.summary), ("note", solution.need)])
