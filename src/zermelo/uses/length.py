"""The number of moves of a play under optimal play: mean and variance, by two linear systems on the rest of the game.

With T the length from a state, and T' after a move,  E T = 1 + sum of p E T'  and  E T^2 = 2 E T - 1 + sum of p E T'^2.  Both are
solved and bounded like any other game of chance; the error of the means enters the second system at most 2 E T times.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from zermelo.answers.base import Answers, Coded, CountsLength, Entered, StoppingLine
from zermelo.answers.entered import EnteredAnswers
from zermelo.answers.hidden import HiddenAnswers
from zermelo.answers.known import ENDLESS, Length
from zermelo.basics.bounds import interval
from zermelo.basics.progress import silent
from zermelo.engines.entries.moments import Moments, moments
from zermelo.kernels.chain import ENDS
from zermelo.problem.solver import Result, Solver
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.uses.board_line import length_on_board
from zermelo.uses.chain import LiftedChain, edge_starts, endless_states, optimal_chain
from zermelo.uses.chain_hidden import reached
from zermelo.uses.evaluation import failures_in_words
from zermelo.uses.need import check_end, explored_of, tabled
from zermelo.uses.stopping import length_of_urn
from zermelo.uses.ways import Way, way_for

UNIT = 2.0**-53
WHAT = "the length of a play"


def _counted_with_values(answers: Any) -> Length:
    found: Length = answers.length
    return found


def _by_stages(answers: Answers) -> Length:
    return _of_moments(moments(cast(EnteredAnswers, answers), silent))


WAYS = (
    Way(CountsLength, _counted_with_values),
    Way(StoppingLine, length_of_urn),
    Way(Entered, _by_stages, only_large=True),
    Way(Coded, length_on_board),
)


def length(answers: Answers) -> Length:
    """Mean and variance of the number of moves of a play. The mean is infinite, and the variance not a number, where play may go on
    forever. Raises `OutOfReach`."""
    check_end(answers, WHAT)
    found: Length = way_for(answers, WAYS, _through_all_states)(answers)
    return found


def _through_all_states(answers: Answers) -> Length:
    table = tabled(answers, WHAT)
    lifted = optimal_chain(table, explored_of(table))
    if (endless_states(lifted.game) != ENDS).any():
        return ENDLESS
    return _counted(lifted)


def length_where_hidden(answers: HiddenAnswers) -> Length:
    """The same for a game whose players do not see everything, played by the solution's strategies."""
    return _counted(reached(answers, silent))


@dataclass(frozen=True)
class _Counting:
    """A chain with a payoff per move: a `Problem` for the solvers."""

    lifted: LiftedChain
    game: Transitions

    num_payoffs = 1

    @property
    def num_states(self) -> int:
        return self.lifted.num_states

    @property
    def blur(self) -> float:
        """Twice the relative error of the ways (kernels/verify.py)."""
        return self.lifted.blur

    def whole(self) -> Transitions:
        return self.game

    def batches(self) -> Generator[tuple[Transitions, np.ndarray]]:
        yield self.game, self.lifted.component_start


def _counted(lifted: LiftedChain) -> Length:
    moves = np.diff(edge_starts(lifted.game))
    first = _solved(lifted, np.ones(lifted.num_states), moves)
    mean, error = first.value[:, 0], first.error[:, 0]
    second = _solved(lifted, 2.0 * mean - 1.0, moves)
    at = lifted.start
    square, square_error = float(second.value[at, 0]), float(second.error[at, 0])
    return _of_moments(
        Moments(float(mean[at]), float(error[at]), square, square_error, float(mean.max()), float(error.max()))
    )


def _of_moments(m: Moments) -> Length:
    """Mean and variance, with bounds of both."""
    low, high = m.mean - m.mean_error, m.mean + m.mean_error
    missed = m.square_error + (2 * m.most_error + 4 * UNIT * (2 * m.most_mean + 1)) * high
    variance = max(m.square - m.mean**2, 0.0)
    slack = 8 * UNIT * (m.square + high * high)
    least, most = m.square - missed - high * high - slack, m.square + missed - low * low + slack
    return Length(m.mean, variance, max(least, 0.0), max(most, variance), *map(float, interval(m.mean, m.mean_error)))


def _solved(lifted: LiftedChain, paid: np.ndarray, moves: np.ndarray) -> Result:
    """The expected sum of `paid`, by the state where a move begins."""
    n, outcomes = lifted.num_states, len(lifted.game.next)
    game = lifted.game._replace(
        payoff=np.repeat(paid, moves).reshape(outcomes, 1), final_payoff=np.zeros((n, 1)), player=np.zeros(n, np.int8)
    )
    method: Solver = Backward() if lifted.is_acyclic else Cyclic()
    with failures_in_words(replace(lifted, game=game), None):
        return method.solve(_Counting(lifted, game), 1.0, silent)

