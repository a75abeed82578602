"""One component of any kind of a game in which both players choose at once, with sparse linear systems.

- Shapley's sweep v -> T(v) finds the best mixed strategies for the values at hand; then the values of these two strategies are
  computed by a sparse linear system (Pollatschek and Avi-Itzhak 1969), as long as going there, or a part of the way (Filar and Tolwinski
  1991), makes T(v) - v smaller.
- Where it does not, only player 0 keeps to the strategy and player 1 plays a best response: a game for one, solved by policy iteration
  (Hoffman and Karp 1966). These values rise towards the true ones. With PASS every state stands twice, seen by either player
  (`both_sides`), so that it is the same player who keeps to the strategy wherever play goes.

Where play could cycle forever, a slightly stopped game is solved first, as in policy_iteration.py, and its solution improved
without stopping. There may be no optimal strategies then, only nearly optimal ones (Everett 1957); the certificate shows this. What
strategies of the stopped game guarantee without stops can depend on a probability of 1e-6: one player needs it, lest play goes on forever,
and the other one must not have it, as he would pay for it in the end. So there are `ATTEMPTS`: strategies of games that stop more or less
often, without the probabilities below `SMALL` of one player or both.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.kernels.components import could_stay, isolate
from zermelo.kernels.condense import Rows
from zermelo.kernels.joint_newton import Mixed, best_mixtures
from zermelo.kernels.newton import CUTSET, SLOPES
from zermelo.kernels.orders import order_states
from zermelo.methods import linear
from zermelo.methods.layout import laid_out
from zermelo.methods.policy_iteration import STOPPING, Block, Stuck
from zermelo.problem.solver import Fallback, NotConverged

CLOSE = 4.0 * 2.0**-52  # T(v) - v at which a solution is as good as rounding lets it be, relative to the largest value
ACCEPTED = 1e-9  # and at which one is accepted if rounding allows no improvement,
PART = 1e-3  # at most this part of the chance that a step stops the game: staying would solve it but for that chance, whatever the value,
LEAST = 1e-14  # but no less than rounding,
ROUNDED = 1e-12  # or this, relative to the largest payoff: where values are 0, of a fair game, rounding leaves a part of the payoffs
PATIENCE = 8  # rounds with little gain before that
ROUNDS = 400  # the most rounds of switching strategies
NEARBY = 30  # and before a game is solved on the way that stops more often,
NEAR = 0.25  # unless the one solved before stops at most this much more often
FURTHER = 12  # rounds from a place with a larger gap, as long as it shrinks
SEARCHES = 60  # for a part of the way that are in vain, before no more are made
PARTS = tuple(0.5**k for k in range(11))  # of the way to the values of both strategies, tried in turn
SIDES: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (0, 1))
ATTEMPTS = ((STOPPING, ()), *((STOPPING[:k], sides) for k in (len(STOPPING), len(STOPPING) - 1) for sides in SIDES))
SMALL = 1e-4  # of probabilities


def suits_newton(rows: Rows, start: int, end: int, discounted: bool) -> bool:
    """Whether Newton's method (kernels/joint_newton.py) has been tried on a component: its cutset is small, and play is certain to end."""
    n, first = end - start, rows.first_row[start - rows.low : end - rows.low + 1]
    order, slot = np.empty(n, number_type(n)), np.empty(n, number_type(n))
    cut = order_states(rows, start, end, order, slot, np.empty(n, np.int64), np.empty(n, np.int64))
    outcomes = slice(int(rows.first_outcome[first[0]]), int(rows.first_outcome[first[-1]]))
    state = np.repeat(np.arange(start, end), np.diff(rows.first_outcome[first]))
    own = different(state[(rows.next[outcomes] == state) & (rows.coef[outcomes] != 0.0)])
    cut += int((slot[own - start] < 0).sum())
    if cut > CUTSET or cut * n > SLOPES:
        return False
    return cut == 0 or discounted or not could_stay(rows, start, end, order)


def solve_component(
    rows: Rows, mixed: Mixed, start: int, end: int, discount: float, value: np.ndarray, attempt: int = 0
) -> tuple[list[Fallback], bool]:
    """The general method for one component. Returns the fast ways that were abandoned, and whether play could cycle here forever, so that
    the next attempt can find other strategies."""
    low = start - rows.low
    part = slice(int(mixed.p_start[low]), int(mixed.p_start[end - rows.low]))
    other = slice(int(mixed.q_start[low]), int(mixed.q_start[end - rows.low]))
    alone = Rows(*isolate(rows, start, end, value))
    strategies = Mixed(
        mixed.width[low : end - rows.low],
        mixed.p_start[low : end - rows.low + 1] - part.start,
        mixed.q_start[low : end - rows.low + 1] - other.start,
        mixed.p[part],
        mixed.q[other],
    )
    n = end - start
    if (alone.coef[alone.next < n] < 0.0).any():
        alone, strategies = both_sides(alone, strategies)
    block = JointBlock(alone, strategies, discount < 1.0, attempt)
    try:
        block.settle()
    except RuntimeError as failure:
        raise NotConverged(np.arange(start, end), is_sure_to_end=not block.can_circle()) from failure
    value[start:end] = block.value[:n]
    mixed.p[part], mixed.q[other] = strategies.p[: part.stop - part.start], strategies.q[: other.stop - other.start]
    if not block.is_stopped:
        return [], block.circles
    slower = f"the solution of the game that stops with a chance of {block.chance:.0e} at every step"
    return [Fallback("switching strategies", slower, n)], True


def both_sides(rows: Rows, mixed: Mixed) -> tuple[Rows, Mixed]:
    """An isolated component without PASS: state n + s is s with the players exchanged, worth the negative of s, and PASS leads from one
    kind to the other. The strategies are to be found."""
    n, width, others = rows.player.size, mixed.width, np.diff(mixed.q_start)
    state = np.repeat(np.arange(n), np.diff(rows.first_row))
    j, i = np.divmod(np.arange(state.size) - rows.first_row[state], width[state])
    turned = rows.first_row[state] + i * others[state] + j  # row (j, i) of n + s is row (i, j) of s
    lengths = np.diff(rows.first_outcome)
    outcomes = runs(rows.first_outcome[turned], lengths[turned])
    outside, passes = rows.next == n, rows.coef < 0.0
    after = [np.where(outside, 2 * n, rows.next + n * to_other) for to_other in (passes, ~passes)]
    p_start, q_start = (running(np.concatenate(counts)) for counts in ((width, others), (others, width)))
    doubled = Rows(
        0,
        np.concatenate([rows.first_row, rows.first_row[1:] + rows.first_row[-1]]),
        running(np.concatenate([lengths, lengths[turned]])),
        np.concatenate([after[0], after[1][outcomes]]).astype(number_type(2 * n)),
        np.abs(np.concatenate([rows.coef, rows.coef[outcomes]])),
        np.concatenate([rows.reward, -rows.reward[turned]]),
        np.concatenate([rows.pays, rows.pays[turned]]),
        np.concatenate([rows.player, rows.player]),
    )
    widths = np.concatenate([width, others], dtype=width.dtype, casting="unsafe")
    return doubled, Mixed(widths, p_start, q_start, np.zeros(p_start[-1]), np.zeros(q_start[-1]))


class _Pattern(NamedTuple):
    """The transitions inside a component under any strategies, as a matrix whose rows are compressed. Its entries are sums of a few
    products each; these lie one entry after the other."""

    state: np.ndarray  # of each row of the game
    row: np.ndarray  # of each product
    coef: np.ndarray  # of each product
    first: np.ndarray  # product of each entry
    indptr: np.ndarray
    indices: np.ndarray


class JointBlock:
    """A component by itself (`kernels.components.isolate`) without PASS, with the strategies and the values found so far.

    `ends` : play is certain to end under all strategies (it is discounted, or stopped). `attempt` : which strategies are taken if it
    isn't (`ATTEMPTS`)."""

    def __init__(self, rows: Rows, mixed: Mixed, ends: bool, attempt: int = 0):
        self.rows, self.mixed, self.ends, self.attempt = rows, mixed, ends, attempt
        self.n = n = rows.player.size
        self.value = np.zeros((n + 1, rows.reward.shape[1]))  # the last row stands for outside
        self.fresh = np.empty(n)
        self.is_stopped = False  # the values are those of the stopped game
        self.chance = 1.0  # with which that stops

    def settle(self) -> None:
        """Find optimal strategies, or nearly optimal ones, and their values."""
        if self.circles:
            self.settle_circling()
        else:
            self.iterate()
        for j in range(1, self.value.shape[1]):
            self.value[:-1, j] = self.worth(j)

    @cached_property
    def circles(self) -> bool:
        """Whether play could cycle here forever."""
        return not self.ends and self.can_circle()

    def can_circle(self) -> bool:
        order, slot = np.empty(self.n, number_type(self.n)), np.empty(self.n, number_type(self.n))
        order_states(self.rows, 0, self.n, order, slot, np.empty(self.n, np.int64), np.empty(self.n, np.int64))
        return could_stay(self.rows, 0, self.n, order)

    def settle_circling(self) -> None:
        """The stopped game, with ever rarer stops, in smaller steps where that fails; then, from there, the game without stops, if that
        leads to a nearby solution. It begins with what all actions are worth that are equally likely: from 0, values would spread by a
        state a round from where play leaves."""
        self.mix_evenly()
        self.value[:-1, 0] = JointBlock(self.stopped(STOPPING[0]), self.mixed, True).worth(0)
        chances, sides = ATTEMPTS[self.attempt]
        waiting = [*reversed(chances)]
        while waiting:
            chance = waiting[-1]
            is_near, is_first = chance >= NEAR * self.chance, self.chance > chances[0]
            stopped = JointBlock(self.stopped(chance), self.mixed, True)
            stopped.value[:] = self.value
            strategies = self.mixed.p.copy(), self.mixed.q.copy()
            try:
                stopped.iterate(ROUNDS if is_near and is_first else NEARBY, min(ACCEPTED, max(PART * chance, LEAST)))
            except RuntimeError:
                self.mixed.p[:], self.mixed.q[:] = strategies
                if not is_near:
                    waiting.append((chance * self.chance) ** 0.5)
                    continue
                if is_first:
                    raise
                break
            self.chance, self.value[:] = waiting.pop(), stopped.value
        kept = self.value.copy(), self.mixed.p.copy(), self.mixed.q.copy()
        if self.attempt > 0:
            self.is_stopped = True
            for side in sides:
                self.leave_out_small(side)
            return
        near = 1e-3 * max(float(np.abs(self.value[:, 0]).max()), float(np.abs(self.rows.reward[:, 0]).max()))
        try:
            self.iterate()
            if np.abs(self.value[:, 0] - kept[0][:, 0]).max() <= near:
                self.keep_as_good(*kept[1:])
                return
        except RuntimeError:
            pass
        self.is_stopped = True  # the certificate determines the value of its strategies without stopping
        self.value[:], self.mixed.p[:], self.mixed.q[:] = kept

    def keep_as_good(self, p: np.ndarray, q: np.ndarray) -> None:
        """Take the pure strategies of the stopped game where they are as good: where staying is worth as much as leaving, they leave."""
        rows, mixed = self.rows, self.mixed
        own, other = self._pairs
        owner = np.repeat(np.arange(own.size), np.diff(rows.first_outcome))
        worth = rows.reward[:, 0] + np.bincount(owner, rows.coef * self.value[rows.next, 0], own.size)
        low = np.minimum.reduceat(np.bincount(other, p[own] * worth, q.size), mixed.q_start[:-1])
        high = np.maximum.reduceat(np.bincount(own, q[other] * worth, p.size), mixed.p_start[:-1])
        value, allowed = self.value[:-1, 0], CLOSE * float(np.abs(self.value[:, 0]).max())
        for mine, start, before, is_good in (
            (mixed.p, mixed.p_start, p, low >= value - allowed),
            (mixed.q, mixed.q_start, q, high <= value + allowed),
        ):
            kept = np.repeat(is_good & (np.maximum.reduceat(before, start[:-1]) == 1.0), np.diff(start))
            mine[kept] = before[kept]

    def mix_evenly(self) -> None:
        """Every action with the same probability."""
        for start, probabilities in ((self.mixed.p_start, self.mixed.p), (self.mixed.q_start, self.mixed.q)):
            counts = np.diff(start)
            probabilities[:] = np.repeat(1.0 / np.maximum(counts, 1), counts)

    def leave_out_small(self, side: int) -> None:
        """A player's strategy without the probabilities below SMALL."""
        start, probabilities = ((self.mixed.p_start, self.mixed.p), (self.mixed.q_start, self.mixed.q))[side]
        probabilities[probabilities < SMALL] = 0.0
        probabilities /= np.repeat(np.add.reduceat(probabilities, start[:-1]), np.diff(start))

    def stopped(self, chance: float) -> Rows:
        """The rows of the game in which each step inside is the last with this chance."""
        return self.rows._replace(
            coef=np.where(self.rows.next < self.n, self.rows.coef * (1.0 - chance), self.rows.coef)
        )

    # --- one round ----------------------------------------------------------------------------------------------------

    def gap(self) -> float:
        """Find the best strategies for the present values; returns the largest |T(v) - v|."""
        best_mixtures(self.rows, self.mixed, 0, self.n, self.value, self.fresh)
        return float(np.abs(self.fresh - self.value[:-1, 0]).max())

    def iterate(self, rounds: int = ROUNDS, accepted: float = ACCEPTED) -> None:
        """Switch both strategies at once if that leads closer than ever before, otherwise player 0's against the best response, which ends
        in the solution: so nothing is gone through twice. Raises RuntimeError."""
        gap, best, stalled, failed, kept = self.gap(), np.inf, 0, 0, self.value[:-1, 0].copy()
        largest = float(np.abs(self.rows.reward[:, 0]).max())
        for _ in range(rounds):
            scale = float(np.abs(self.fresh).max())
            if gap <= CLOSE * scale:
                return
            stalled = stalled + 1 if gap > 0.5 * best else 0
            if gap < best:
                best, kept = gap, self.value[:-1, 0].copy()
            is_accepted = stalled > PATIENCE and best <= max(accepted * scale, min(accepted, ROUNDED) * largest)
            if is_accepted or (stalled and gap <= CLOSE * largest):
                if gap > best:
                    self.value[:-1, 0] = kept
                    self.gap()
                return
            if stalled > PATIENCE and rounds < ROUNDS:
                break
            now = self.switched_together(best, PARTS if failed < SEARCHES else PARTS[:1])
            if now < best:
                gap = now
                continue
            failed += 1
            self.gap()
            self.value[:-1, 0] = self.answered()
            gap = self.gap()
        raise RuntimeError("switching strategies does not end")

    def switched_together(self, best: float, parts: tuple[float, ...]) -> float:
        """Go to the values of both strategies, if that makes the gap smaller than the best so far; else a part of the way, or from either
        to the values of the strategies found there, and so on. The gap there, infinite if none is small enough."""
        before = self.value[:-1, 0].copy()
        try:
            step = self.worth(0) - before
            for share in parts:
                self.value[:-1, 0] = before + share * step
                now = self.gap()
                if now < (1.0 - 0.1 * share) * best:
                    return now
                for _ in range(FURTHER if share == 1.0 else 1):
                    last = now
                    self.value[:-1, 0] = self.worth(0)
                    now = self.gap()
                    if now < 0.9 * best:
                        return now
                    if now > 0.9 * last:
                        break
        except RuntimeError:
            pass
        self.value[:-1, 0] = before
        return np.inf

    def worth(self, j: int) -> np.ndarray:
        """float64[n]: payoff j under both strategies."""
        share = self.shares(self.mixed.p, self.mixed.q)
        return self.evaluated(share, j)

    def shares(self, p: np.ndarray, q: np.ndarray) -> np.ndarray:
        """float64[rows]: the probability of each pair of actions in its state."""
        own, other = self._pairs
        return p[own] * q[other]

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """For each row the places of its two actions among the probabilities."""
        width, begin = self.mixed.width, self.mixed.q_start
        others = np.diff(begin)
        own = np.repeat(np.arange(len(self.mixed.p)), np.repeat(others, width))
        first = self.rows.first_row[:-1] - self.rows.first_row[0]
        state = np.repeat(np.arange(self.n), width * others)
        return own, begin[state] + (np.arange(own.size) - first[state]) % others[state]

    @cached_property
    def _pattern(self) -> _Pattern:
        rows, n = self.rows, self.n
        state = np.repeat(np.arange(n), np.diff(rows.first_row))
        row = np.repeat(np.arange(state.size), np.diff(rows.first_outcome))
        inside = np.flatnonzero(rows.next < n)
        key = state[row[inside]] * n + rows.next[inside]
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        indptr = np.searchsorted(key[first], n * np.arange(n + 1))
        return _Pattern(state, row[inside[order]], rows.coef[inside[order]], first, indptr, key[first] % n)

    def evaluated(self, share: np.ndarray, j: int) -> np.ndarray:
        """The value if each row is played with this probability. Raises RuntimeError if there is none."""
        pattern = self._pattern
        right = np.bincount(pattern.state, share * self.rows.reward[:, j], self.n)
        data = np.add.reduceat(share[pattern.row] * pattern.coef, pattern.first) if pattern.first.size else np.empty(0)
        found = linear.solve((pattern.indptr, pattern.indices, data), right[:, None], self.value[:-1, j : j + 1])[:, 0]
        if not np.isfinite(found).all():
            raise RuntimeError("the strategies have no value")
        return found

    def answered(self) -> np.ndarray:
        """float64[n]: the values if player 0 keeps to p and player 1 plays a best response. Raises RuntimeError if he collects payoffs
        forever, which he can only where both together could keep play inside."""
        rows, mixed = self.rows, self.mixed
        others = np.diff(mixed.q_start)
        # the pairs (i, j) of a state become its rows j: their outcomes, one i after the other
        first = np.repeat(rows.first_row[:-1], others)
        column = np.arange(first.size) - np.repeat(mixed.q_start[:-1], others)
        stride, height = np.repeat(others, others), np.repeat(mixed.width, others)
        owner = np.repeat(np.arange(first.size), height)
        i = runs(np.zeros(height.size, np.int64), height)
        pair = first[owner] + i * stride[owner] + column[owner]
        state = np.repeat(np.arange(self.n), others)
        share = mixed.p[mixed.p_start[:-1][state[owner]] + i]
        lengths = np.diff(rows.first_outcome)[pair]
        outs = runs(rows.first_outcome[pair], lengths)
        weight = np.repeat(share, lengths)
        reward = np.column_stack([np.bincount(owner, share * rows.reward[pair, 0], first.size)])
        alone = Rows(
            0,
            running(others),
            running(np.bincount(owner, lengths, first.size)),
            rows.next[outs],
            weight * rows.coef[outs],
            reward,
            np.ones((first.size, 1), np.bool_),
            np.ones(self.n, np.int8),
        )
        laid, place = laid_out(alone)
        block, worth = Block(laid), np.empty(self.n)
        try:
            block.settle(self.ends)
        except Stuck as stuck:
            raise RuntimeError("against this strategy, payoffs can be collected forever") from stuck
        worth[place] = block.value[:-1, 0]
        return worth
