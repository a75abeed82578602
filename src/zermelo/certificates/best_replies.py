"""The guarantee of a realization plan (here: a plan) in a game in sequence form: the best response to it, in whole numbers, or in floats
including their rounding.

Against a plan x of one player the other player gets the maximum of x A y over that player's plans y. This is linear in y, so it is found
by taking the best action of each information set, from the last to the first. If the best responses to both plans have the same value,
that is the value of the game, and both plans are optimal; otherwise the value lies between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.threads import shared, threads
from zermelo.kernels.kernel import at_once
from zermelo.kernels.verify_panels import paid_by_panels, spans
from zermelo.kernels.verify_replies import best_of, paid_by_pairs, shares
from zermelo.problem.panels import PanelForm
from zermelo.problem.sequences import SequenceForm, Side

UNIT = 2.0**-53
LARGE = 1_000_000  # from this many pairs of sequences with a payoff on, threads share the work
GUARANTEED = "what each strategy guarantees against every response, rounding included"
PARTS = 4  # for each thread, since parts take different times


class WholePlan(NamedTuple):
    """A plan in whole numbers over a common denominator."""

    numerator: Sequence[int]  # by sequence; the first is the denominator
    denominator: int


def is_plan(side: Side, plan: WholePlan) -> bool:
    """Whether these numbers form a plan."""
    numbers = plan.numerator
    if len(numbers) != side.sequences or numbers[0] != plan.denominator or plan.denominator <= 0 or min(numbers) < 0:
        return False
    first = side.first.tolist()
    return all(sum(numbers[first[k] : first[k + 1]]) == numbers[leading] for k, leading in enumerate(side.parent.tolist()))


def guaranteed(form: SequenceForm, player: int, plan: WholePlan) -> Fraction:
    """Player 0's payoff if `player` follows the plan and the other player a best response to it: exact."""
    if not is_plan(form.sides[player], plan):
        raise ValueError("these numbers are no plan")
    worth = payments(form, player, plan)
    best_actions(form.sides[1 - player], worth, best=max if player == 1 else min)
    return Fraction(worth[0], plan.denominator) * form.unit


def payments(form: SequenceForm, player: int, plan: WholePlan) -> list[int]:
    """The payment for each sequence of the other player against the plan, times its denominator, in the unit of the payoffs."""
    own, other = form.indices(player)
    numbers, paid = plan.numerator, [0] * form.sides[1 - player].sequences
    for i, j, amount in zip(own.tolist(), other.tolist(), form.whole.tolist(), strict=True):
        weight = numbers[i]
        if weight:
            paid[j] += weight * amount
    return paid


def best_actions(side: Side, worth: list[Any], best: Any) -> np.ndarray:
    """A best sequence of every information set, the first of several; `worth` of each sequence is increased by the value of what follows
    it."""
    chosen = np.zeros(side.sets, np.int64)
    first, parent = side.first.tolist(), side.parent.tolist()
    for k in range(side.sets - 1, -1, -1):
        values = worth[first[k] : first[k + 1]]
        value = best(values)
        chosen[k] = first[k] + values.index(value)
        worth[parent[k]] += value
    return chosen


def interval(form: SequenceForm, behaviour: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    """(low, high): player 0 gets at least `low` with player 0's behaviour, and at most `high` against that of player 1, whatever the other
    player does; behaviours as in `reply_between`. The work is shared between threads, and the result does not depend on their number."""
    (low, _), (_, high) = _bounds([_Reply(form, player, behaviour[player]) for player in range(2)])
    return low, high


def reply_between(form: SequenceForm, player: int, behaviour: np.ndarray) -> tuple[float, float]:
    """(low, high): between these lies what player 0 gets if `player` has this behaviour and the other player responds best, rounding
    included. A behaviour float64[sequences], not negative, stands for probabilities proportional to its numbers, uniform where these
    are 0."""
    return _bounds([_Reply(form, player, behaviour)])[0]


def _bounds(replies: list[_Reply]) -> list[tuple[float, float]]:
    """The bounds of these replies to one sequence form."""
    in_turn = replies[0].form.entries < LARGE
    each = _in_turn if in_turn else shared
    each(_Reply.begin, replies)
    parts = 1 if in_turn else PARTS * threads()
    each(lambda part: part[0].pay(*part[1:]), [(reply, *part) for reply in replies for part in reply.cut(parts)])
    return each(_Reply.bounds, replies)


def _in_turn(work: Any, pieces: list[Any]) -> list[Any]:
    return [work(piece) for piece in pieces]


class _Reply:
    """The best response to a player's behaviour, in three steps; each part of the second step may run on its own thread."""

    def __init__(self, form: SequenceForm, player: int, behaviour: np.ndarray):
        self.form, self.behaviour, self.player = form, behaviour, player
        self.side, self.replying = form.sides[player], form.sides[1 - player]
        self.sign = 1.0 if player == 1 else -1.0  # the other player's view
        self.plan, self.off = np.empty(self.side.sequences), np.empty(self.side.sequences)
        self.worth, self.error = np.zeros(self.replying.sequences), np.zeros(self.replying.sequences)

    def begin(self) -> None:
        """The plan, and the places of its payoffs."""
        self._tier(shares)(self.behaviour, self.side.parent, self.side.first, self.plan, self.off)
        if not isinstance(self.form, PanelForm):
            self._pairs = self.form.by_column if self.player == 0 else self.form.by_row
            return
        held, m = self.form.payments, self.form.payments.matrices
        ends = (held.rows_at, held.columns_at), (m.high, m.wide), (held.row, held.column)
        (own_at, other_at), (own, other), loose = (pair if self.player == 0 else pair[::-1] for pair in ends)
        self._spans = np.empty(len(held.matrix), np.int32), np.empty(len(held.matrix), np.int32)
        self._tier(spans)(held.matrix, other_at, other, held.sequence, *self._spans)
        self._panels = (
            held.matrix, held.scale, own_at, other_at, held.sequence, own, other, m.cap, m.at, self.player == 0, m.pool, *loose, held.near,
        )  # fmt: skip

    def cut(self, parts: int) -> list[tuple[int, int]]:
        """The sequences of the replying player in at most this many ranges."""
        n = self.replying.sequences
        ends = sorted({n * k // parts for k in range(parts + 1)})
        return list(zip(ends[:-1], ends[1:], strict=True))

    def pay(self, low: int, high: int) -> None:
        """The payments of these sequences of the replying player."""
        blur, found = self.form.blur, (self.worth, self.error)
        if isinstance(self.form, PanelForm):
            self._tier(paid_by_panels)(low, high, self.plan, self.off, *self._panels, *self._spans, self.sign, blur, *found)
        else:
            self._tier(paid_by_pairs)(low, high, self.plan, self.off, *self._pairs, self.sign, blur, *found)

    def bounds(self) -> tuple[float, float]:
        """What player 0 gets at least, and at most."""
        value, error = self._tier(best_of)(self.replying.parent, self.replying.first, self.worth, self.error)
        value *= self.sign
        return float(np.nextafter(value - error, -np.inf)), float(np.nextafter(value + error, np.inf))

    def _tier(self, kernel: Any) -> Any:
        """Compiled if the rules were, and for several threads: they write to parts of the same arrays."""
        return at_once(kernel) if isinstance(self.form, PanelForm) or self.form.entries >= LARGE else kernel
