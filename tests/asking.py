"""Verbs asked directly, as free functions of what an engine leaves behind; and engines asked by name, whatever the size of the game.
Studies solved in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.engines.base import Request
from zermelo.engines.boards.solving import solve_board as _solve_board
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.urn.solving import solve_urn as _solve_urn
from zermelo.solution import Solution, solution_of
from zermelo.studies.pace import Pace
from zermelo.studies.workers import Workers
from zermelo.uses import evaluate as _evaluate
from zermelo.uses import simulate as _simulate
from zermelo.uses.need import explored_of


def evaluate(solution: Solution, *arguments: Any, **options: Any) -> Any:
    return _evaluate.evaluate(solution.answers, *arguments, **options)


def best_response(solution: Solution, *arguments: Any, **options: Any) -> Any:
    return _evaluate.best_response(solution.answers, *arguments, **options)


def simulate(solution: Solution, *arguments: Any, **options: Any) -> Any:
    return _simulate.simulate(solution.answers, *arguments, **options)


def engine_of(solution: Solution) -> Explored:
    return explored_of(solution.answers)  # type: ignore[arg-type]


def solve_board(game: Any, **options: Any) -> Any:
    return solution_of(_solve_board(Request(game, **options)))


def solve_urn(game: Any, **options: Any) -> Any:
    return solution_of(_solve_urn(Request(game, **options)))


class Here(Workers):
    """Does the work of a study in this process, with what another one would be sent: to fork a large process takes ten times as long as to
    solve a small game."""

    def done(self, pace: Pace, what: Callable[[int], Any]) -> Iterator[tuple[int, bytes]]:
        while len(pace):
            piece = pace.next()
            yield piece, self._work(pickle.loads(pickle.dumps(what(piece))))
