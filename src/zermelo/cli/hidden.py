"""Solutions of games with hidden information, for people and as data: the value, and what to do in information sets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import digits, in_full, with_decimals
from zermelo.basics.words import game_text
from zermelo.cli.output import seconds
from zermelo.solution import HiddenSolution

if TYPE_CHECKING:
    from rich.console import Console

LINES = 12  # information sets of a player
SHORT = 16  # characters of a fraction that is shown


def as_data(solution: HiddenSolution) -> dict[str, Any]:
    """What `solve --json` prints."""
    value, certificate = solution.value, solution.certificate
    name = solution.rules.action_name
    return {
        "game": type(solution.game).__name__,
        "parameters": solution.game._asdict(),
        "value": float(value),
        "digits": _value_text(solution),
        "exact": in_full(value) if isinstance(value, Fraction) else None,
        "low": float(solution.low),
        "high": float(solution.high),
        "certificate": {
            "kind": certificate.kind,
            "low": float(certificate.low),
            "high": float(certificate.high),
            "argument": certificate.argument,
        },
        "strategies": [
            [
                {"sees": list(seen), "actions": [{"action": name(a), "probability": float(p)} for a, p in mixture.items()]}
                for seen, mixture in solution.policy(seat).items()
            ]
            for seat in range(2)
        ],
        "statistics": solution.statistics,
        "engine": solution.report.engine,
        "not asked": [refusal._asdict() for refusal in solution.report.tried],
        "notes": list(solution.report.notes),
    }


def print_solution(solution: HiddenSolution, out: Console) -> None:
    """What `solve` prints for people."""
    from rich.table import Table
    from rich.text import Text

    out.print(f"[bold]{game_text(solution.game)}[/bold]", highlight=False)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("  value", Text(_value_text(solution), style="bold"))
    grid.add_row("  certificate", str(solution.certificate))
    grid.add_row("  game", solution.report.summary)
    facts = solution.statistics
    compiling = f"{seconds(facts['seconds compiling'])} compiling, " if facts["seconds compiling"] > 0.01 else ""
    grid.add_row("  time", f"{compiling}{seconds(facts['seconds exploring'])} exploring, {seconds(facts['seconds solving'])} solving")
    for note in solution.report.notes:
        grid.add_row("  note", note)
    out.print(grid)
    for player in range(2):
        _print_player(solution, player, out)


def _value_text(solution: HiddenSolution) -> str:
    low, high = solution.low, solution.high
    return with_decimals(low, low, high) if solution.is_exact else digits(float(solution.value), float(low), float(high))


def _print_player(solution: HiddenSolution, player: int, out: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    policy, name = solution.policy(player), solution.rules.action_name
    if not policy:
        return
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for seen, mixture in list(policy.items())[:LINES]:
        chosen = ", ".join(f"{name(action)} {_share(p)}" for action, p in mixture.items() if p)
        grid.add_row("  " + (" ".join(map(str, seen)) or "nothing"), Text(chosen))
    out.print(f"\n[cyan]player {player}[/cyan], by what he sees:")
    out.print(grid)
    if len(policy) > LINES:
        out.print(f"[dim]  and {len(policy) - LINES:,} more (`zermelo table` and --json have all)[/dim]")


def _share(probability: Any) -> str:
    if probability == 1:
        return ""
    exact = in_full(probability) if isinstance(probability, Fraction) else ""
    return exact if exact and len(exact) <= SHORT else f"{float(probability):.6f}"
