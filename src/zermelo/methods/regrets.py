"""Near-optimal plans by regret minimisation (kernels/regret.py), round after round."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.regret import fill_in, minimise
from zermelo.problem.sequences import SequenceForm, even_plan

SLIGHTLY = 1e-6  # how often the other player errs, where a best response to optimal play leaves a choice


class Regrets:
    """The state of the search. `weights` of both players mean a behaviour: in each set probabilities in proportion to them."""

    def __init__(self, form: SequenceForm):
        self.form, self.rounds = form, 0
        self._rows = [by_sequence(form, player) for player in range(2)]
        self._state = []
        for side in form.sides:
            zeros = [np.zeros(side.sequences) for _ in range(3)]
            self._state += [zeros[0], zeros[1], even_plan(side), zeros[2]]

    def run(self, rounds: int) -> None:
        own, other = self.form.sides
        minimise(
            rounds, self.rounds, own.parent, own.first, *self._rows[0], other.parent, other.first, *self._rows[1], *self._state
        )  # fmt: skip
        self.rounds += rounds

    @property
    def weights(self) -> tuple[np.ndarray, np.ndarray]:
        """The averages of all plans so far."""
        sums = self._state[3], self._state[7]
        return sums[0] / max(sums[0][0], sums[0].max(), 1e-300), sums[1] / max(sums[1][0], sums[1].max(), 1e-300)


def by_sequence(form: SequenceForm, player: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The payoffs by sequences of a player: where those of each begin, the other's sequences, what is paid to the player."""
    own, other = form.indices(player)
    order = np.argsort(own, kind="stable")
    start = np.searchsorted(own[order], np.arange(form.sides[player].sequences + 1)).astype(np.int64)
    return start, other[order].astype(np.int32), form.near[order] * (1 - 2 * player)


def completed(form: SequenceForm, player: int, weight: np.ndarray, other_plan: np.ndarray) -> np.ndarray:
    """The weights of a player with a choice in every set: where he gets only by a mistake of his own, a best response to the plan of the
    other, who also errs now and then."""
    own, other = form.indices(player)
    against = (1 - SLIGHTLY) * other_plan + SLIGHTLY * even_plan(form.sides[1 - player])
    side, filled = form.sides[player], weight.astype(float)
    worth = np.bincount(own, form.near * (1 - 2 * player) * against[other], side.sequences)
    fill_in(worth, side.parent, side.first, filled)
    return filled
