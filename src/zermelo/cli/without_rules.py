"""What `solve` shows of a saved solution whose rules were not given: what the file says, and how to give the rules."""

from __future__ import annotations

from zermelo.basics.numbers import with_decimals
from zermelo.cli.lines import print_pairs, print_title
from zermelo.solution import DataSolution


def print_solution(solution: DataSolution) -> None:
    """What `solve` prints for people."""
    parameters = ", ".join(f"{n}={v!r}" for n, v in solution.parameters.items())
    print_title(f"{solution.name}({parameters})", ", as data")
    lines = []
    if solution.answers.at_start is not None:
        lines += [(name, with_decimals(v, *solution.bounds[name])) for name, v in solution.payoffs.items()]
        lines[0] = ("value", lines[0][1])
        lines.append(("certificate", str(solution.certificate)))
    print_pairs([*lines, ("game", solution.report.summary), ("note", solution.need)])
