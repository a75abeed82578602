"""Certificates for games in which both players choose at once: each strategy is fixed, and the best response to it is bounded."""

from __future__ import annotations

import numpy as np

from zermelo.basics.once import once
from zermelo.certificates.certify import Certifier, unbounded
from zermelo.certificates.endless import losing_nodes
from zermelo.certificates.fixed_strategies import blur_of, chain, deviations
from zermelo.certificates.sides import by_itself
from zermelo.kernels.deviations import Mixed, double_components, pair_ways
from zermelo.problem.cycles import paying_cycle
from zermelo.problem.solver import Unbounded, Uncertified
from zermelo.problem.transitions import Transitions


class StrategiesCertifier:
    """The errors of a game's values, found batch by batch from the strategies of both.

    error[s, j] >= |value[s, j] - true value|; of payoffs other than the first, the true value under both strategies."""

    def __init__(self, value: np.ndarray, discount: float):
        states, payoffs = value.shape
        self.value = value
        self.error = np.full(value.shape, np.inf)
        self._nodes = Certifier(np.zeros((2 * states, 1)), np.full(2 * states, -1, np.int32), discount, from_above=True)
        self._played = Certifier(value, np.zeros(states, np.int32), discount) if payoffs > 1 else None

    def certify(self, batch: Transitions, components: np.ndarray, mixed: Mixed) -> None:
        """Fill `error` for the states of a batch."""
        low, high = batch.low, batch.high
        of_node = self._nodes.value
        of_node[2 * low : 2 * high : 2, 0] = self.value[low:high, 0]
        of_node[2 * low + 1 : 2 * high : 2, 0] = -self.value[low:high, 0]
        if not ((mixed.p >= 0.0).all() and (mixed.q >= 0.0).all()):
            raise Uncertified(np.arange(low, high), "the strategies found are no probabilities")
        total, exact, most = pair_ways(batch.outcome_start, batch.ways)
        blur = blur_of(exact, most)
        left = deviations(batch, mixed, total)
        try:
            self._nodes.certify(left, double_components(batch, components), blur)
        except Uncertified as error:  # names nodes, two of which make up a state
            start, end = min(error.states) >> 1, (max(error.states) >> 1) + 1
            part = by_itself(left, 2 * start, 2 * end, of_node, np.zeros_like(of_node), 0, blur)
            losing = losing_nodes(part) if self._nodes.discount == 1.0 else np.empty(0, np.int64)
            if losing.size:
                states = once(start + losing // 2)
                raise Unbounded(states, is_proven=True, cycle=paying_cycle(chain(batch, mixed, total), states)) from None
            raise unbounded(batch, start, end) from None
        self.error[low:high, 0] = self._nodes.error[2 * low : 2 * high, 0].reshape(-1, 2).max(axis=1)
        if self._played is not None:
            self._played.certify(chain(batch, mixed, total), components, 2.0 * blur)
            self.error[low:high, 1:] = self._played.error[low:high, 1:]
