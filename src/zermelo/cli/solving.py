"""How a command comes to its solution: the options about solving, declared once for all commands, and `solution_of`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from zermelo.cli.output import progress_bar
from zermelo.errors import ParameterError
from zermelo.games.named import Target

Exact = Annotated[bool, typer.Option("--exact", help="Compute in rational numbers, proven.")]


class Solving(NamedTuple):
    """The options about solving that every command has that solves a game."""

    exact: Exact = False
    discount: Annotated[
        float, typer.Option(metavar="D", help="What comes one step later counts D times as much, 0 < D <= 1.")
    ] = 1.0
    tolerance: Annotated[
        float | None,
        typer.Option(metavar="T", help="How far the value may be from the truth, such as 1e-9 (relative)."),
    ] = None
    max_states: Annotated[
        int | None, typer.Option(metavar="N", help="Refuse games of more states.", show_default="100 million explored")
    ] = None


DEFAULTS = Solving()


def solution_of(
    target: Target, given: Mapping[str, Any], solving: Solving = DEFAULTS, checkpoint: Path | None = None
) -> Any:
    """Solve the game that is meant, or open the saved solution: a `Solution`, or a `MixedSolution` of a matrix game."""
    if target.saved:
        import zermelo

        if solving._replace(max_states=None) != DEFAULTS or checkpoint is not None:
            raise ParameterError(f"{target.word} is a saved solution: options about how to solve it come too late")
        sys.path.append(str(Path.cwd()))  # where the file of the user's game is, most likely
        return zermelo.open(target.saved)
    exact, discount, tolerance, max_states = solving
    if max_states is not None and max_states < 1:
        raise ParameterError(f"--max-states must be at least 1, not {max_states}")
    from zermelo.solving import solve

    game = target.game(given)
    with progress_bar() as progress:
        return solve(
            game,
            exact=exact,
            discount=discount,
            max_states=max_states,
            tolerance=tolerance,
            checkpoint=checkpoint,
            progress=progress,
        )
