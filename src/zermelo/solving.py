"""`zermelo.solve`: one engine after the other is asked until one solves the game; `plan` says which that is, and why not the others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, overload

from zermelo.answers.report import Refusal
from zermelo.basics.progress import Progress, silent
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.choose import refusal, willing
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games.named import game_named
from zermelo.language.replies import GivenByReplies
from zermelo.problem.solver import Solver
from zermelo.problem.structure import Structure
from zermelo.solution import MixedSolution, Solution, solution_of


@overload
def solve(
    game: GivenByReplies, *, exact: bool = ..., tolerance: float | None = ..., progress: Progress = ...
) -> MixedSolution: ...


@overload
def solve(
    game: Any,
    *,
    exact: bool = ...,
    discount: float = ...,
    solver: Solver | None = ...,
    max_states: int | None = ...,
    tolerance: float | None = ...,
    checkpoint: str | Path | None = ...,
    progress: Progress = ...,
    **parameters: Any,
) -> Solution: ...


def solve(
    game: Any,
    *,
    exact: bool = False,
    discount: float = 1.0,
    solver: Solver | None = None,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress = silent,
    **parameters: Any,
) -> Solution | MixedSolution:
    """Solve a game: its value, an optimal policy for every reachable state, and a certificate.

    game        a game, or its name with parameters: `solve(Pig(goal=50))`, `solve("pig", goal=50)`, `solve("file.py:Game", goal=50)`
    exact       values are rational numbers, proven
    discount    in (0, 1]: the factor by which what comes one move later counts less; 1 is the normal case
    solver      replaces the automatic choice (`zermelo.choose`)
    max_states  larger games are refused (default: 100 million states if they are explored, else what fits into memory)
    tolerance   how far the value may be from the truth (relative; absolute for values below 1)
    checkpoint  a file from which a long urn sweep goes on, and to which it is saved
    progress    called now and then as progress(what, done, total)

    A matrix game given by best responses (`best_row`, `best_column`) is solved exactly unless there is a tolerance.
    Raises `RulesError` (with all faults of the rules), `ParameterError`, `NoValue`, `OutOfReach`, `FileError`.
    """
    game = _meant(game, parameters)
    request = Request(game, exact, discount, solver, max_states, tolerance, checkpoint, progress).checked()
    tried: list[Refusal] = []
    notes: list[str] = []
    closest: Any = None
    for engine in willing(request, tried, notes):
        try:
            answer = engine.solve(request)
        except GivesUp as error:
            tried.append(Refusal(engine.name, error.why))
            notes.append(f"the engine {engine.name} gave up: {error.why}")
            continue
        answer.report = answer.report.after(tuple(tried), tuple(notes))
        solution = solution_of(answer)
        if _meets(solution, tolerance):
            return solution
        tried.append(Refusal(engine.name, f"the value is certified to {_width(solution):.1e} only"))
        closest = min(closest or solution, solution, key=_width)
    if closest is not None:
        advice = "bound it more closely" if closest.rules.is_cut_off else "`exact` proves it"
        raise OutOfReach(f"{request.name}: the value is certified to {_width(closest):.1e} only; {advice}")
    raise refusal(request, tried)


def _meant(game: Any, parameters: Mapping[str, Any]) -> Any:
    """The game itself, or the one with this name and these parameters."""
    if isinstance(game, str):
        return game_named(game, **parameters)
    if parameters:
        names = ", ".join(parameters)
        raise ParameterError(f"solve knows no option {names}: parameters of a game are given where it is made, or beside its name")
    return game


def _meets(solution: Any, tolerance: float | None) -> bool:
    return tolerance is None or _width(solution) <= tolerance * max(1.0, abs(float(solution.value)))


def _width(solution: Any) -> float:
    """Half the length of the interval that contains the true value."""
    return float(solution.high - solution.low) / 2


class Plan(NamedTuple):
    """Which engine would solve a game, which engines would be asked before it, and which faster ways are not possible."""

    game: str
    engine: str | None  # None: no engine takes it
    tried: tuple[Refusal, ...]  # the engines before it, and why they do not take the game
    notes: tuple[str, ...]  # faster ways that are not possible, and why
    examined: int  # states (in matrix games: strategies) at which the rules were run and examined

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.engine or 'no engine takes it'}"]
        lines += [f"  not {name}: {why}" for name, why in self.tried]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def plan(
    game: Any,
    *,
    exact: bool = False,
    discount: float = 1.0,
    solver: Solver | None = None,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    **parameters: Any,
) -> Plan:
    """Which engine `solve` would use with these options, and why not the ones before it. Nothing is solved, but the rules are examined,
    including what they declare for that engine. The engine may still give up while it solves (`solution.report` then says so).
    Arguments are those of `solve`. Raises `RulesError`, `ParameterError`."""
    request = Request(_meant(game, parameters), exact, discount, solver, max_states, tolerance, checkpoint).checked()
    tried: list[Refusal] = []
    notes: list[str] = []
    for engine in willing(request, tried, notes):
        found = tuple(tried), (*notes, *engine.notes(request)), engine.examine(request)
        return Plan(request.name, engine.name, *found)
    return Plan(request.name, None, tuple(tried), tuple(notes), 0)


def examine(game: Any, **parameters: Any) -> Structure:
    """The structure of a game: explores it and solves nothing. Raises `RulesError`, `ParameterError`, `NoValue`, `OutOfReach`."""
    from zermelo.engines.explored.solving import explored_game

    return explored_game(Request(_meant(game, parameters))).structure


__all__ = ["Plan", "Solution", "examine", "plan", "solve"]
