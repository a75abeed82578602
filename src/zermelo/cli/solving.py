"""The source of a command's solution: the options about solving, declared once for all commands, and `solution_of`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from zermelo.basics.parameters import whole
from zermelo.basics.threads import MOST, threads
from zermelo.cli.output import progress_bar
from zermelo.errors import NoRules, ParameterError
from zermelo.games.named import Target, find

is_command: list[bool] = []  # whether this process is the command itself, which may be started again for what it needs (basics/ahead.py)

Exact = Annotated[bool, typer.Option("--exact", help="Compute in rational numbers, proven.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT, auto, or local (this machine)."),
]


class Solving(NamedTuple):
    """The options about solving, shared by all commands that solve a game."""

    exact: Exact = False
    discount: Annotated[
        float, typer.Option(metavar="D", help="A payoff one step later counts D times as much, 0 < D <= 1.")
    ] = 1.0
    tolerance: Annotated[
        float | None,
        typer.Option(metavar="T", help="How far the value may be from the truth, such as 1e-9 (relative)."),
    ] = None
    max_states: Annotated[
        int | None, typer.Option(metavar="N", help="Refuse games with more than N states.", show_default="100 million explored")
    ] = None
    quick: Annotated[
        bool, typer.Option("--quick", help="Large board games: check a sample of the table, which proves nothing.")
    ] = False
    refine: Annotated[
        bool, typer.Option("--refine", help="Hidden information: strategies that make the other player's mistakes cost most, proven.")
    ] = False
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many threads share the work: finding states, certificates, games in stages, races, large boards, simulated plays.",
            show_default="all the process may use",
        ),
    ] = None
    rules: Annotated[
        str | None, typer.Option(metavar="FILE.py:Class", help="The rules of a saved solution, if they are your own.")
    ] = None


DEFAULTS = Solving()


def rules_of(word: str) -> Any:
    """The class that `--rules` names."""
    game_class = find(word).game_class
    if game_class is None:
        raise ParameterError(f"--rules is FILE.py:Class, and {word} is a saved solution")
    return game_class


def compile_ahead() -> None:
    """Let this process start another one that compiles what it is going to need, if it is the command itself."""
    from zermelo.basics import ahead

    if any(is_command):
        ahead.allow()


def use_threads(number: int | None) -> None:
    """Have so many threads work, if the option says how many."""
    if number is not None:
        threads(whole("--threads", number, 1, MOST))


def solution_of(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving = DEFAULTS,
    checkpoint: Path | None = None,
    as_data: bool = False,
    cluster: str | None = None,
) -> Any:
    """Solve the given game, or open the saved solution: a `Solution`, or a `MixedSolution` of a matrix game; with `as_data` also
    a `DataSolution`, if the rules of a saved solution are not known."""
    use_threads(solving.threads)
    if target.saved:
        import zermelo

        if solving._replace(threads=None, rules=None) != DEFAULTS or checkpoint is not None or cluster is not None:
            raise ParameterError(f"{target.word} is a saved solution: options about how to solve it come too late")
        solution = zermelo.open(target.saved, None if solving.rules is None else rules_of(solving.rules))
        if isinstance(solution, zermelo.DataSolution) and not as_data:
            raise NoRules(solution.need)
        return solution
    exact, discount, tolerance, max_states, quick, refine, _, rules = solving
    if rules is not None:
        raise ParameterError(f"--rules is about saved solutions, and {target.word} is none")
    if max_states is not None and max_states < 1:
        raise ParameterError(f"--max-states must be at least 1, not {max_states}")
    from zermelo.solving import solve

    game = target.game(given)
    compile_ahead()
    with progress_bar() as progress:
        return solve(
            game,
            exact=exact,
            discount=discount,
            max_states=max_states,
            tolerance=tolerance,
            checkpoint=checkpoint,
            quick=quick,
            refine=refine,
            cluster=cluster,
            progress=progress,
        )
