"""Sets of states from which a player can lead play somewhere, found backwards along the transitions.

An attraction examines each transition a bounded number of times. A row is an action of a state, with its outcomes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.runs import running, runs
from zermelo.problem.transitions import Transitions


class Attractors:
    """The transitions of a game, backwards. Player 0 wants the value high, player 1 low."""

    def __init__(self, game: Transitions):
        self.game = game
        counts = np.diff(game.action_start)
        self.has_rows = counts > 0
        self.size = len(counts)
        self.row_owner = np.repeat(np.arange(self.size), counts)
        self.is_low = game.player == 1
        row_of = np.repeat(np.arange(len(self.row_owner)), np.diff(game.outcome_start))
        happens = game.ways > 0.0
        target, self.rows_into = game.next[happens], row_of[happens]
        order = np.argsort(target, kind="stable")
        self.rows_into = self.rows_into[order]
        self.into = running(np.bincount(target, minlength=self.size))
        self.outcomes = np.bincount(row_of[happens], minlength=len(self.row_owner))

    def _rows_to(self, states: np.ndarray) -> np.ndarray:
        """The rows with an outcome among these states, once for each such outcome."""
        return self.rows_into[runs(self.into[states], self.into[states + 1] - self.into[states])]

    def reaches(self, goal: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """bool[n]: the states from which a sequence of rows `kept` may lead to `goal`, with positive probability."""
        found = goal.copy()
        new = np.flatnonzero(goal)
        while len(new):
            rows = self._rows_to(new)
            owners = different(self.row_owner[rows[kept[rows]]])
            new = owners[~found[owners]]
            found[new] = True
        return found

    def may_never_end(self, kept: np.ndarray) -> np.ndarray:
        """bool[n]: the states from which play may go on forever with positive probability if all of the rows `kept` may be chosen."""
        left = np.bincount(self.row_owner[kept], minlength=self.size)  # rows that do not lead towards the end yet
        hit = ~kept
        ends = ~self.has_rows
        new = np.flatnonzero(ends)
        while len(new):
            rows = different(self._rows_to(new))
            rows = rows[~hit[rows]]
            hit[rows] = True
            np.subtract.at(left, self.row_owner[rows], 1)
            owners = different(self.row_owner[rows])
            new = owners[(left[owners] == 0) & ~ends[owners]]
            ends[new] = True
        return self.reaches(~ends, kept)

    def can_be_ended(self) -> np.ndarray:
        """bool[n]: the states from which player 1 can end the play with probability 1, whatever player 0 and chance do."""
        return self._surely_led(lambda stays: self._attracted(stays, ~self.has_rows))

    def can_stop_costs(self) -> np.ndarray:
        """bool[n]: the states from which player 1 can see to it, with probability 1, that nothing is paid any more from some time on. No
        payoff is below 0, so the total is finite there, and only there.

        From a state that `_led_to_rest` finds, either a row has a chance to lead to states found earlier, or it costs nothing and keeps
        play among those found with it or earlier; where the first are, nothing costs. So steps that cost are finitely many, in the mean,
        too."""
        row_of = np.repeat(np.arange(len(self.row_owner)), np.diff(self.game.outcome_start))
        paid = (self.game.ways > 0.0) & (self.game.payoff[:, 0] != 0.0)
        costs = np.bincount(row_of[paid], minlength=len(self.row_owner)) > 0
        return self._surely_led(lambda stays: self._led_to_rest(stays, stays & ~costs))

    def _surely_led(self, leads: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The largest set of states from which player 1 leads play where it wants with probability 1: from each of them with positive
        probability (`leads`, given the rows that never leave the set), and so again and again."""
        within = np.ones(self.size, np.bool_)
        while True:
            outside = np.bincount(self._rows_to(np.flatnonzero(~within)), minlength=len(self.row_owner)) > 0
            after = leads(~outside) & within
            if (after == within).all():
                return within
            within = after

    def _led_to_rest(self, stays: np.ndarray, free: np.ndarray) -> np.ndarray:
        """The states from which player 1 can lead play with positive probability to where it only takes rows `free`, if only the rows
        `stays` are possible. They are found in turns, as player 0 may choose whether play rests in a place or goes on to another."""
        found = np.zeros(self.size, np.bool_)
        while True:
            after = self._attracted(stays, self._rests(stays, free, found))
            if (after == found).all():
                return found
            found = after

    def _rests(self, stays: np.ndarray, free: np.ndarray, found: np.ndarray) -> np.ndarray:
        """The states from which player 1 can keep to the rows `free`, or to rows among `stays` that may lead to `found`."""
        leads = stays & (np.bincount(self._rows_to(np.flatnonzero(found)), minlength=len(self.row_owner)) > 0)
        good = leads | free
        left = np.bincount(self.row_owner[good], minlength=self.size)
        total = np.bincount(self.row_owner, minlength=self.size)
        within = np.ones(self.size, np.bool_)
        new = np.flatnonzero(self.has_rows & np.where(self.is_low, left == 0, left < total))
        while len(new):
            within[new] = False
            rows = different(self._rows_to(new))
            rows = rows[good[rows] & ~leads[rows]]
            good[rows] = False
            np.subtract.at(left, self.row_owner[rows], 1)
            owners = different(self.row_owner[rows])
            new = owners[within[owners] & np.where(self.is_low[owners], left[owners] == 0, True)]
        return within

    def _attracted(self, stays: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """The states from which player 1 can lead play to `goal` with positive probability if only the rows `stays` are possible."""
        left = np.bincount(self.row_owner, minlength=self.size)
        hit = np.zeros(len(self.row_owner), np.bool_)
        found = goal.copy()
        new = np.flatnonzero(found)
        while len(new):
            rows = different(self._rows_to(new))
            rows = rows[~hit[rows] & stays[rows]]
            hit[rows] = True
            np.subtract.at(left, self.row_owner[rows], 1)
            owners = different(self.row_owner[rows])
            low = np.zeros(self.size, np.bool_)
            low[self.row_owner[rows[self.is_low[self.row_owner[rows]]]]] = True
            new = owners[(low[owners] | (left[owners] == 0)) & ~found[owners]]
            found[new] = True
        return found
