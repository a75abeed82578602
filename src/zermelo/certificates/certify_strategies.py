"""Certificates for games in which both players choose at once: each strategy is fixed, and the best response to it is bounded."""

from __future__ import annotations

import numpy as np

from zermelo.basics.different import different
from zermelo.certificates.certify import Certifier, unbounded
from zermelo.certificates.endless import losing_nodes
from zermelo.certificates.fixed_strategies import ROUNDING, blur_of, chain, deviations
from zermelo.certificates.sides import by_itself
from zermelo.kernels.deviations import Mixed, double_components, pair_ways
from zermelo.methods import cyclic
from zermelo.problem.cycles import paying_cycle
from zermelo.problem.solver import SolverFailure, Unbounded, Uncertified
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
            certify_nodes(self._nodes, left, double_components(batch, components), blur)
        except Uncertified as error:  # names nodes, two of which make up a state
            start, end = min(error.states) >> 1, (max(error.states) >> 1) + 1
            part = by_itself(left, 2 * start, 2 * end, of_node, np.zeros_like(of_node), 0, blur)
            losing = losing_nodes(part) if self._nodes.discount == 1.0 else np.empty(0, np.int64)
            if losing.size:
                states = different(start + losing // 2)
                raise Unbounded(states, is_proven=True, cycle=paying_cycle(chain(batch, mixed, total), states)) from None
            raise unbounded(batch, start, end) from None
        self._take_over(low, high)
        if self._played is not None:
            self._played.certify(chain(batch, mixed, total), components, 2.0 * blur)
            self.error[low:high, 1:] = self._played.error[low:high, 1:]

    def _take_over(self, low: int, high: int) -> None:
        """The errors of the states; where other values were bounded, the middle between the two bounds is the value."""
        worth, error = (array[2 * low : 2 * high, 0].reshape(-1, 2) for array in (self._nodes.value, self._nodes.error))
        self.error[low:high, 0] = error.max(axis=1)
        value = self.value[low:high, 0]
        moved = np.flatnonzero((worth[:, 0] != value) | (worth[:, 1] != -value))
        if moved.size:
            most, least = (worth[moved] + error[moved]).T * np.array([[1.0], [-1.0]])
            value[moved] = 0.5 * most + 0.5 * least
            rounding = 8.0 * ROUNDING * np.maximum(np.abs(most), np.abs(least))
            self.error[low + moved, 0] = np.maximum(most - value[moved], value[moved] - least) + rounding


def certify_nodes(nodes: Certifier, left: Transitions, components: np.ndarray, blur: float) -> None:
    """Bound what best responses are worth: near the values at hand, or else near their own values, which replace these: a small loss
    can't be told from values that are a little off. Raises `Uncertified`."""
    try:
        nodes.certify(left, components, blur)
    except Uncertified as failure:
        own = slice(left.low, left.high)
        before = nodes.value[own].copy()
        try:
            cyclic.solve(left, components, nodes.value, np.empty(len(nodes.value), np.int32), nodes.discount)
            nodes.certify(left, components, blur)
        except SolverFailure:
            nodes.value[own] = before
            raise failure from None
