"""The worth of a policy against the least favourable of all opponents that mix optimally, where both choose at once.

In the matrix of a state, at the values of optimal play, the optimal mixtures of the opponent are a polytope. The rest is a game for
the opponent alone, whose actions in a state are the corners of that polytope. The corners are found on demand. The game with those known so
far is solved like any other game, and in every state the corner that is best at its values is added, until none is better.

Which corner is best is a matrix game, too. Let each action of the opponent be paid a small share of its gain in addition. A mixture that
is then optimal, and also optimal in the matrix itself, gains most among all optimal mixtures: a better one would be better with the share.
"""

from __future__ import annotations

import numpy as np

from zermelo.answers.base import Tabled
from zermelo.basics.progress import Progress
from zermelo.basics.runs import running, runs
from zermelo.certificates.fixed_strategies import left_blur
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import OutOfReach
from zermelo.kernels.matrix_game import solve_matrix
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.solver import Result, Solver
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.uses.chain import LiftedChain, all_of, optimal_values, play_out
from zermelo.uses.evaluation import failures_in_words

CLOSE = 1e-10  # the share of the span of a matrix by which a mixture may miss its value and still count as optimal
BETTER = 1e-11  # the share of the largest value by which a corner must be better to be added
SHARES = 0.25 / 8.0 ** np.arange(11)
MOST_ROUNDS = 1000


def against_least_favourable(
    answers: Tabled, explored: Explored, left: Transitions, used: Mixtures, seat: int, progress: Progress
) -> tuple[LiftedChain, Result]:
    """The game that a strategy of `seat` leaves to the other player, with optimal mixtures for its actions, and its solution.

    left : the same game with all actions, by state number; used : the mixtures of the strategy in `seat` and the solution's of the other
    player. Raises `NoValue` or `OutOfReach` if such an opponent can continue play forever so that it has no value, or if the bounds fail.
    """
    matrices = _Matrices(answers, explored, left, used, 1 - seat)
    reached = np.zeros(explored.num_states, np.bool_)
    reached[play_out(explored, (None, None), game=left).nodes >> 1] = True
    corners = _Corners(left, (used.other, used.own)[seat], matrices.undecided(reached), reached)
    blur = 2.0 * max(left_blur(batch) for batch, _ in explored.batches())
    for turn in range(MOST_ROUNDS):
        game = corners.game(explored, blur)
        method: Solver = Backward() if game.is_acyclic else Cyclic()
        with failures_in_words(game, answers):
            solved = method.solve(game, answers.discount, progress)
        value = np.empty(explored.num_states)
        value[game.nodes >> 1] = solved.value[:, 0]
        if not corners.improved(matrices, value):
            return game, solved
        progress("looking for the least favourable mixtures", turn + 1, None)
    raise OutOfReach(f"{explored.rules.name}: the least favourable optimal mixtures were not found in {MOST_ROUNDS:,} rounds")


class _Matrices:
    """The matrices of all states as the opponent sees them: a row for each of its actions, and it maximises."""

    def __init__(self, answers: Tabled, explored: Explored, left: Transitions, used: Mixtures, opponent: int):
        self.left, self.opponent, self.discount = left, opponent, float(answers.discount)
        self.sign = 1.0 - 2.0 * opponent
        self.own = np.diff(used.own_start)
        values = optimal_values(answers, explored)
        parts, counts = [], []
        for batch, _ in explored.batches():
            parts.append(self._worth(batch, values))
            counts.append(np.diff(batch.action_start))
        self.worth = np.concatenate(parts)
        self.first = running(np.concatenate(counts))
        self.mixtures = used

    def _worth(self, game: Transitions, values: np.ndarray) -> np.ndarray:
        """float64[rows]: the worth of rows to the opponent at these values."""
        if not len(game.outcome_start) > 1:
            return np.zeros(0)
        each = game.ways * (game.payoff[:, 0] + self.discount * game.sign * values[game.next])
        starts = game.outcome_start[:-1]
        return self.sign * np.add.reduceat(each, starts) / np.add.reduceat(game.ways, starts)

    def of(self, state: int) -> np.ndarray:
        """float64[its actions, the other player's]."""
        pairs = self.worth[self.first[state] : self.first[state + 1]].reshape(int(self.own[state]), -1)
        return pairs if self.opponent == 0 else pairs.T

    def gains(self, values: np.ndarray) -> np.ndarray:
        """float64[rows of what is left]: the worth of the opponent's actions to it at the values of what is left."""
        return self._worth(self.left, values)

    def undecided(self, reached: np.ndarray) -> list[int]:
        """The states among those `reached` in which the opponent may have more than one optimal mixture."""
        found = []
        for state in np.flatnonzero((np.diff(self.left.action_start) > 1) & reached).tolist():
            table = self.normal(state)
            q = np.zeros(table.shape[1])
            solve_matrix(table, *table.shape, np.zeros(len(table)), q)
            rows = table @ q >= -CLOSE  # no others are ever played
            if np.count_nonzero(rows) > 1:
                met = np.vstack([table[rows][:, q > CLOSE].T, np.ones(np.count_nonzero(rows))])  # with equality by all optimal mixtures
                if np.linalg.matrix_rank(met, 1e-9) < met.shape[1]:
                    found.append(state)
        return found

    def normal(self, state: int) -> np.ndarray:
        """The matrix of a state less its value, in units of its span."""
        table = self.of(state)
        value, span = float((self.mixtures.of(state)[self.opponent] @ table).min()), max(float(np.ptp(table)), 1e-300)
        return np.ascontiguousarray((table - value) / span)

    def best_corner(self, state: int, gains: np.ndarray) -> np.ndarray | None:
        """float64[actions]: the optimal mixture that gains most, by the `gains` of the actions; None if all gain the same."""
        spread = float(np.ptp(gains))
        if not spread > 0.0:
            return None
        table = self.normal(state)
        more = ((gains - gains.min()) / spread)[:, None]
        for share in SHARES:
            p, q = np.zeros(len(table)), np.zeros(table.shape[1])
            solve_matrix(table + share * more, *table.shape, p, q)
            if float((p @ table).min()) >= -CLOSE:
                return p / p.sum()
        return None


class _Corners:
    """The opponent's known mixtures in each state that is reached: corners of the polytope of its optimal ones."""

    def __init__(self, left: Transitions, stored: np.ndarray, undecided: list[int], reached: np.ndarray):
        self.left, self.undecided, self.reached = left, undecided, reached
        counts = np.diff(left.action_start)
        self.more: dict[int, list[np.ndarray]] = {state: [] for state in undecided}
        self.stored, self.counts = stored, counts

    def game(self, explored: Explored, blur: float) -> LiftedChain:
        """The game that is left to the opponent: a row for each of its known mixtures. What is not reached counts as over."""
        left = self.left
        has = ((self.counts > 0) & self.reached).astype(np.int64)
        for state, found in self.more.items():
            has[state] += len(found)
        starts = running(has)
        rows = np.repeat(starts[:-1], self.counts)  # of the stored mixtures
        of, weights, mixed = [np.arange(len(self.stored))], [np.where(np.repeat(self.reached, self.counts), self.stored, 0.0)], [rows]
        for state, found in self.more.items():
            for k, mixture in enumerate(found):
                of.append(np.arange(left.action_start[state], left.action_start[state + 1]))
                weights.append(mixture)
                mixed.append(np.full(len(mixture), starts[state] + 1 + k))
        row_of, weight, row = np.concatenate(of), np.concatenate(weights), np.concatenate(mixed)
        used = weight > 0.0
        order = np.argsort(row[used], kind="stable")
        row_of, weight, row = row_of[used][order], weight[used][order], row[used][order]
        sizes = np.diff(left.outcome_start)[row_of]
        outcome = runs(left.outcome_start[:-1][row_of], sizes)
        per_row = np.bincount(row, sizes, int(starts[-1])).astype(np.int64)
        played = left._replace(
            action_start=starts, outcome_start=running(per_row),
            ways=np.repeat(weight, sizes) * left.ways[outcome], next=left.next[outcome], sign=left.sign[outcome],
            payoff=left.payoff[outcome],
        )  # fmt: skip
        return all_of(explored, played, blur)

    def improved(self, matrices: _Matrices, by_state: np.ndarray) -> bool:
        """Add in each state the optimal mixture that is best at these values; False if none is better than those that are known."""
        gains, signed = matrices.gains(by_state), matrices.sign * by_state
        least = BETTER * max(float(np.abs(by_state).max()), 1e-300)
        is_better = False
        for state in self.undecided:
            of_state = gains[self.left.action_start[state] : self.left.action_start[state + 1]]
            corner = matrices.best_corner(state, of_state)
            if corner is not None and float(corner @ of_state) > signed[state] + least:
                self.more[state].append(corner)
                is_better = True
        return is_better
