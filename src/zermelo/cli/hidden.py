"""Solutions of games with hidden information, for people and as data: the value, and the strategies in information sets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import USUAL, in_full, probability_text
from zermelo.cli.output import console
from zermelo.cli.report import Command, print_facts
from zermelo.solution import HiddenSolution
from zermelo.uses.hidden import shown

if TYPE_CHECKING:
    from rich.console import Console

LINES = 12  # information sets of a player
SHORT = 16  # characters of a fraction that is shown


def print_solution(solution: HiddenSolution, most: int = USUAL, explain: bool = False, table: Command | None = None) -> None:
    """The text output of `solve`."""
    print_facts(solution, most, explain)
    out = console()
    for player in range(2):
        _print_player(solution, player, out)


def _print_player(solution: HiddenSolution, player: int, out: Console) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    policy, words = solution.policy(player), shown(solution.answers, player)
    if not policy:
        return
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", max_width=out.width // 2)
    grid.add_column(overflow="fold")
    for seen, mixture in list(policy.items())[:LINES]:
        name = solution.rules.action_names(mixture)
        played = [(name[action], p) for action, p in mixture.items() if p]
        chosen = ", ".join(f"{what}: {_share(p)}" if len(played) > 1 else what for what, p in played)
        grid.add_row(Padding(Text(words[seen]), (0, 0, 0, 2)), Text(chosen))
    out.print(f"\n[cyan]player {player}[/cyan], by what he sees:")
    out.print(grid)
    if len(policy) > LINES:
        out.print(f"[dim]  and {len(policy) - LINES:,} more (`zermelo table` and --json have all)[/dim]")


def _share(probability: Any) -> str:
    exact = in_full(probability) if isinstance(probability, Fraction) else ""
    return exact if exact and len(exact) <= SHORT else probability_text(probability)
