"""What `solve` shows of a saved solution whose rules were not given: what the file says, and how to give the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import with_decimals
from zermelo.cli.report import number_as_data, print_pairs
from zermelo.solution import DataSolution

if TYPE_CHECKING:
    from rich.console import Console


def as_data(solution: DataSolution) -> dict[str, Any]:
    """What `solve --json` prints."""
    about = {"game": solution.name, "parameters": solution.parameters, "discount": solution.discount, "rules": None, "note": solution.need}
    if solution.answers.at_start is None:
        return {**about, "statistics": solution.statistics}
    certificate = solution.certificate
    return {
        **about,
        **number_as_data("value", solution.value, solution.low, solution.high),
        "payoffs": {n: number_as_data("value", v, *solution.bounds[n]) for n, v in solution.payoffs.items()},
        "certificate": {
            "kind": certificate.kind,
            "low": float(certificate.low),
            "high": float(certificate.high),
            "argument": certificate.argument,
        },
        "statistics": solution.statistics,
    }


def print_solution(solution: DataSolution, out: Console) -> None:
    """What `solve` prints for people."""
    parameters = ", ".join(f"{n}={v!r}" for n, v in solution.parameters.items())
    out.print(f"[bold]{solution.name}({parameters})[/bold], as data", highlight=False)
    lines = []
    if solution.answers.at_start is not None:
        lines += [(name, with_decimals(v, *solution.bounds[name])) for name, v in solution.payoffs.items()]
        lines[0] = ("value", lines[0][1])
        lines.append(("certificate", str(solution.certificate)))
    print_pairs([*lines, ("game", solution.report.summary), ("note", solution.need)], out)
