"""Whole distributions, not only means: how long a play lasts, and the total of a payoff in whole numbers.

Under optimal play a game is a chain. All probability starts at the start; a step moves it along all outcomes at once
(kernels/distribution.py) until the probability still in play is at most `tail`. Nothing is drawn at random. Where many totals are in play
at many states, most of them are so improbable that they hardly matter: they are left out, a quarter of `tail` in all at most, which is
counted as missing. Where no move makes totals smaller, play is moved on from total to total if that is less work than from move to move.

**What rounding can do.** Every number here is a sum of products of non-negative numbers, so that no digits cancel and relative
errors only add up. With u = 2^-53, at most d outcomes per state and at most a ways into one, one step costs a path
d roundings for its probability (a sum of d ways, a division; where both choose at once a few more, for ways are products with the
probabilities of actions), one for the product and a - 1 for adding it to the others. What
ends is added with the rounding kept beside it, which costs 2u and (additions times u)^2 in the end. After t steps

    |p - P| <= r P    with    r = gamma_{t (d + a) + 2} + 1.1 (additions u)^2,    gamma_k = k u / (1 - k u)

(Higham 2002, chapter 3; Ogita, Rump and Oishi 2005). Probabilities below 1e-308 lose up to 2^-1074 per product. No feasible number
of products can lose as much as 1e-300 in this way; that amount is added.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from zermelo.answers.base import Answers, Coded, CountsLength, Entered, StoppingLine
from zermelo.answers.hidden import HiddenAnswers
from zermelo.basics.machine import memory as machine_memory
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.basics.runs import runs
from zermelo.basics.words import counted, no_such
from zermelo.engines.faults import MOST_PAYOFF, no_total
from zermelo.engines.stages.chain import TurnedChain, turned_chain
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels import distribution as kernels
from zermelo.kernels.chain import CYCLES_PAYING, ENDS
from zermelo.kernels.distribution import ENDLESS, IN_PLAY, OVER
from zermelo.language.rules import Rules
from zermelo.uses.board_line import distribution_on_board
from zermelo.uses.chain import LiftedChain, cycling_error, edge_starts, endless_states, optimal_chain, where_paid
from zermelo.uses.chain_hidden import reached
from zermelo.uses.distribution_entered import distribution_entered
from zermelo.uses.need import check_end, explored_of, tabled
from zermelo.uses.probabilities import MAX_STEPS, UNIT, Distribution, subject
from zermelo.uses.stopping import distribution_of_urn
from zermelo.uses.ways import Way, way_for

MARGIN = 1e-6  # far more than rounding takes from probabilities and powers in a million steps
MANY = 1 << 14  # places in play from which on those that hardly matter are left
SPARSE = 16  # times as many places are looked at as are in play, rather than sort these
LONG = 1 << 22  # places that were looked at, from which on it is asked whether going from total to total takes less
LESS = 8  # times less
MOST_IN_RING = 1 << 25  # places of totals and states that this has
TOGETHER = 1 << 20  # places that one call of a kernel looks at
MOST_SCATTERED = 1 << 22  # outcomes of a move, where each total that is reached has a place of its own
BYTES_A_PLACE = 32  # two windows and two lists of places
WAYS = (
    Way(StoppingLine, distribution_of_urn),
    Way(Coded, distribution_on_board),
    Way(Entered, distribution_entered, only_large=True),
)


def distribution(
    answers: Answers,
    payoff: str | None = None,
    *,
    tail: float = 1e-12,
    max_steps: int | None = None,
    progress: Progress = silent,
) -> Distribution:
    """The distribution of the length of a play under the solution's policy, or of its total of the named `payoff`.

    In a game with PASS, totals are those of the player who moves first. Play that cycles forever without payoffs keeps the
    total that it had before, as in values, and has no length. Play of a swept urn goes to its stopping line; stopping is a
    move. `max_steps` : a million by default; the number of balls for an urn. Raises `ParameterError`; `NoValue` where
    play cycles forever while payoffs go on; `OutOfReach` for totals that are not whole numbers, for more than `max_steps`
    moves, and for more totals than memory can hold.
    """
    check_end(answers, "a distribution")
    _check_payoff(answers.rules, payoff, answers.discount)
    max_steps = _checked(tail, max_steps)
    found: Distribution = way_for(answers, WAYS, _through_all_states)(answers, payoff, tail, max_steps, progress)
    return found


def distribution_where_hidden(
    answers: HiddenAnswers, payoff: str | None, *, tail: float = 1e-12, max_steps: int | None = None, progress: Progress = silent
) -> Distribution:
    """The same for a game whose players do not see everything, played by the solution's strategies."""
    rules = answers.rules
    _check_payoff(rules, payoff, 1.0)
    max_steps = _checked(tail, max_steps)
    chain = _chain(reached(answers, progress), None if payoff is None else 0)
    return _followed(rules, chain, payoff, tail, max_steps, progress)


def _checked(tail: float, max_steps: int | None) -> int | None:
    if isinstance(tail, bool) or not isinstance(tail, int | float) or not 0 <= tail < 1:
        raise ParameterError(f"tail must be a probability from 0 to less than 1, such as 1e-12, not {tail!r}")
    return None if max_steps is None else whole("max_steps", max_steps, 0)


def _through_all_states(
    answers: Answers, payoff: str | None, tail: float, max_steps: int | None, progress: Progress
) -> Distribution:
    rules = answers.rules
    if answers.lacks(CountsLength) is None and payoff in (None, answers.moves):  # type: ignore[attr-defined]
        chain = _chain(turned_chain(rules), None)
    else:
        table = tabled(answers, "a distribution", progress)
        chain = _chain(optimal_chain(table, explored_of(table)), None if payoff is None else rules.payoffs.index(payoff))
    return _followed(rules, chain, payoff, tail, max_steps, progress)


def _followed(
    rules: Rules, chain: _Chain, payoff: str | None, tail: float, max_steps: int | None, progress: Progress
) -> Distribution:
    """All plays, followed until hardly any continue."""
    is_limited, max_steps = max_steps is not None, MAX_STEPS if max_steps is None else max_steps
    ask_from = LONG
    if tail == 0 and chain.stays.any():
        raise OutOfReach(
            f"{rules.name}: play can return to a state, so that it may go on for any number of moves, and something is always left: "
            f"give a tail above 0, such as 1e-12"
        )
    going = _Going(rules.name, chain, tail)
    while going.missing > tail:
        least = going.least_left(max_steps) if going.steps & (going.steps - 1) == 0 else 0.0  # looked at after 0, 1, 2, 4, ... moves
        if going.steps == max_steps or least > tail:
            how = f"{going.left:.3g}" if going.steps == max_steps else f"at least {least:.3g}"
            raise OutOfReach(
                f"{rules.name}: after {counted(max_steps, 'move')} plays are still going on with probability {how}, which is "
                f"more than the tail of {tail:g}; raise tail or max_steps"
            )
        try:
            going.step()
        except _Wide as wide:
            if type(going) is not _Going:  # it went another way already
                raise
            going = _Scattered(going, wide)
            going.step()
        if going.work > ask_from and not is_limited:
            going, ask_from = going.by_totals() or going, 2 * going.work
        progress("following all plays", going.steps, None)
    return going.result(subject(rules, payoff))


def _check_payoff(rules: Rules, payoff: str | None, discount: float) -> None:
    """Raise `ParameterError` for an unknown payoff, `OutOfReach` for a discounted one. None is the number of moves."""
    if payoff is not None and (not isinstance(payoff, str) or payoff not in rules.payoffs):
        raise ParameterError(no_such("payoff", str(payoff), rules.payoffs, rules.name))
    if payoff is not None and discount != 1:
        raise OutOfReach(
            f"{rules.name}: a discounted payoff has no whole numbers as its totals; solve without discount"
        )


# --- the chain --------------------------------------------------------------------------------------------------------


class _Span(NamedTuple):
    least: int
    most: int

    @property
    def width(self) -> int:
        return self.most - self.least


def _span(numbers: np.ndarray) -> _Span:
    return _Span(int(numbers.min()), int(numbers.max())) if len(numbers) else _Span(0, 0)


class _Chain(NamedTuple):
    """The chain of optimal play, and the totals counted along it, in multiples of `unit`.

    Where a state's total hardly depends on the way play got there, as with a score that the state holds, totals are
    counted relative to that of the state, `usual`. A gain is then what a step adds to the difference.
    """

    start: int
    edge_start: np.ndarray  # int64[n+1]
    share: np.ndarray  # float64[edges], probabilities
    target: np.ndarray  # whole numbers [edges]
    gain: np.ndarray  # int64[edges]
    paid: np.ndarray  # int64[edges], the same, not counted relative to the totals of states
    usual: _Span  # of the totals that others are relative to; 0 and 0 if none are
    final: np.ndarray  # int64[n]
    kind: np.ndarray  # int8[n]: IN_PLAY, OVER or ENDLESS
    unit: int
    gains: _Span  # of steps after which play continues
    ends: _Span  # of steps that end it, final payoffs included
    least: float  # the least gain from any state on, relative to its total; -inf if that may fall
    roundings: int  # of one step, at most: for a probability, a product and the sum of all that enters a state
    component: np.ndarray  # whole numbers [n]: the component of each state; none where play never returns to a state
    goes_on: np.ndarray  # bool[edges]: play continues
    stays: np.ndarray  # float64[components]: play stays in the component with at least this probability, whatever its state there

    @property
    def size(self) -> int:
        return len(self.kind)


def _chain(lifted: LiftedChain | TurnedChain, column: int | None) -> _Chain:
    game, starts = lifted.game, edge_starts(lifted.game)
    counted = game.payoff[:, :0] if column is None else game.payoff[:, column : column + 1]
    kind = np.where(np.diff(starts) == 0, OVER, IN_PLAY).astype(np.int8)
    if not lifted.is_acyclic:
        cycling = endless_states(game._replace(payoff=np.ascontiguousarray(counted)))
        if (cycling == CYCLES_PAYING).any():
            raise cycling_error(lifted.rules, where_paid(lifted, cycling == CYCLES_PAYING, column or 0), discount_helps=False)
        kind[cycling != ENDS] = ENDLESS if column is None else OVER
    if column is None:
        gain, final, unit = np.ones(len(game.next), np.int64), np.zeros(len(kind), np.int64), 1
    else:
        gain, final, unit = _whole(lifted, column, counted[:, 0], game.final_payoff[:, column])
    source, target = np.repeat(np.arange(len(kind)), np.diff(starts)), game.next
    in_play, into = kind[source] == IN_PLAY, kind[target]  # cycles are never left
    goes_on = in_play & (into == IN_PLAY)
    usual = kernels.first_totals(lifted.start, starts, target, gain, kind)
    beside = gain + usual[source] - usual[target]
    least = _span(gain[in_play]).least
    falls = least < 0 or (final < 0).any()
    paid, relative = gain, _Span(0, 0)
    if _span(beside[goes_on]).width < _span(gain[goes_on]).width:
        gain, least, relative = beside, least + int(usual.min()), _span(usual)
    share = kernels.shares(starts, game.ways)
    component, stays = _staying(lifted, source, target, share, kind)
    return _Chain(
        lifted.start, starts, share, target, gain, paid, relative, final, kind, unit,
        gains=_span(gain[goes_on]),
        ends=_span((gain + final[target])[in_play & (into == OVER)]),
        least=-math.inf if falls else least,
        roundings=int(np.diff(starts).max(initial=0))
        + int(np.bincount(target[goes_on], minlength=1).max())
        + math.ceil(getattr(lifted, "blur", 0.0) / UNIT),  # where both choose at once, ways are products with probabilities
        component=component, goes_on=goes_on, stays=stays,
    )  # fmt: skip


def _staying(
    lifted: LiftedChain | TurnedChain, source: np.ndarray, target: np.ndarray, share: np.ndarray, kind: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`component` and `stays` of a chain."""
    if lifted.is_acyclic or isinstance(lifted, TurnedChain):
        return np.zeros(0, np.int64), np.zeros(0)
    first = lifted.component_start[:-1]
    component = np.repeat(np.arange(len(first)), np.diff(lifted.component_start))
    inside = (component[source] == component[target]) & (kind[source] == IN_PLAY) & (kind[target] == IN_PLAY)
    staying = np.bincount(source[inside], share[inside], minlength=len(kind))
    return component, np.minimum.reduceat(staying, first)


def _whole(
    lifted: LiftedChain | TurnedChain, column: int, gain: np.ndarray, final: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Payoffs as whole multiples of their greatest common divisor. Raises `OutOfReach` if they are not."""
    name = lifted.rules.payoffs[column]
    for numbers, at in ((gain, np.repeat(np.arange(lifted.num_states), np.diff(edge_starts(lifted.game)))),
                        (final, np.arange(lifted.num_states))):  # fmt: skip
        odd = np.flatnonzero((numbers != np.rint(numbers)) | (np.abs(numbers) > MOST_PAYOFF))
        if len(odd):
            node = int(at[odd[0]])
            is_turned = isinstance(lifted, LiftedChain) and lifted.nodes[node] & 1  # the rules speak for the player in seat 1 there
            paid = -numbers[odd[0]] if is_turned else numbers[odd[0]]
            raise no_total(lifted.rules, f"at {lifted.show(node)} {name} is {paid:g}")
    unit = int(np.gcd.reduce(np.concatenate([gain, final]).astype(np.int64))) or 1
    return gain.astype(np.int64) // unit, final.astype(np.int64) // unit, unit


# --- all plays at once ------------------------------------------------------------------------------------------------


class _Wide(OutOfReach):
    """There is no room for every total from the least to the greatest."""


class _Going:
    """All plays at once: the probability of every state and total after some steps, and of what has ended by then."""

    dropped, dropped_from, times_dropped = 0.0, math.inf, 0  # probability that hardly matters, and the least total that it had
    work = 0  # places that were looked at

    def __init__(self, name: str, chain: _Chain, tail: float):
        self.name, self.chain, self.tail = name, chain, tail
        self.base = self.first = self.last = 0  # of the window: the total of row 0, and the rows in use
        self.window, self.next_window = np.zeros(chain.size), np.zeros(0)
        self.places, self.lists = np.array([chain.start]), [np.zeros(0, np.int64), np.zeros(0, np.int64)]
        self.ended, self.ended_from, self.endless = np.zeros((2, 1)), 0, np.zeros((2, 1))
        self.left, self.steps, self.additions = 1.0, 0, 0
        if chain.kind[chain.start] == IN_PLAY:
            self.window[chain.start] = 1.0
        else:
            self.left, self.ended_from = 0.0, int(chain.final[chain.start])
            (self.endless if chain.kind[chain.start] == ENDLESS else self.ended)[0, 0] = 1.0

    @property
    def missing(self) -> float:
        """The probability of plays that have not ended, or are not followed any more."""
        return self.left + self.dropped

    def _negligible(self, places: int) -> float:
        """Probability that may be dropped from each of so many places in play, so that never more than a quarter of the tail is."""
        if places <= MANY:
            return 0.0
        self.times_dropped += 1
        return self.tail / (4.0 * self.times_dropped * (self.times_dropped + 1) * places)

    def _drop(self, probability: float, lowest: float) -> None:
        if probability:
            self.dropped, self.dropped_from = self.dropped + probability, min(self.dropped_from, lowest)

    def least_left(self, steps: int) -> float:
        """The probability that is at least still in play after this many steps in all: what is now in a component stays there in each step
        as probably as in the state that is left most easily. So a loop that is hardly ever left is refused at once."""
        chain = self.chain
        if not len(chain.stays) or not self.left:
            return 0.0
        nodes, masses = self.in_play()
        now = np.bincount(chain.component[nodes], masses, minlength=len(chain.stays))
        sure = np.clip(chain.stays * (1 - (chain.roundings + 2) * UNIT), 0.0, 1.0)
        return float((now * sure ** float(steps - self.steps)).sum()) * (1 - MARGIN)

    def in_play(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes at which play stands, once for each total, and their probabilities."""
        return self.places % self.chain.size, self.window[self.places]

    def step(self) -> None:
        """Advance all plays by one move."""
        chain, lowest = self.chain, self.base + self.first
        self._make_room(self.last - self.first + 1 + chain.gains.width)
        self._cover(lowest + chain.ends.least, self.base + self.last + chain.ends.most)
        count, first, last, left, additions = kernels.step(
            self.places, self.window, self.first, chain.edge_start, chain.share, chain.target, chain.gain,
            chain.gains.least, chain.kind, chain.final, self.ended, lowest - self.ended_from, self.endless, self.lists[0],
            self.next_window,
        )  # fmt: skip
        self.base = lowest + chain.gains.least
        self.window, self.next_window = self.next_window, self.window
        rows = last + 1 - first
        if count > MANY and rows * chain.size <= SPARSE * count:
            negligible = self._negligible(count) if rows > 1 else 0.0
            count, first, last, left, dropped, lowest = kernels.tidy(self.lists[0], self.window, first, last, chain.size, negligible)
            self._drop(dropped, self.base + lowest)
            self.places = self.lists[0][:count]
        else:
            self.places = self.lists[0][:count]
            self.places.sort()  # neighbours in memory one after the other: six times faster
        self.first, self.last = first, last
        self.lists.reverse()
        self.left, self.steps, self.additions = left, self.steps + 1, self.additions + additions
        self.work += count

    def by_totals(self) -> _ByTotals | None:
        """All plays from the start again, from total to total, if that takes less than what was done so far; None if it doesn't."""
        chain = self.chain
        highest, lowest = self.base + self.last + chain.usual.most, self.base + self.first + chain.usual.least
        for sign, most in ((1, highest), (-1, -lowest)):
            gains = _span(sign * chain.paid[chain.goes_on])
            if gains.least < 0 or (gains.most + 1) * chain.size > MOST_IN_RING or LESS * chain.size * max(most, gains.most, 1) > self.work:
                continue
            order = np.empty(chain.size, np.int64)
            count, depth = kernels.order_of_unpaid(chain.edge_start, chain.target, chain.paid, chain.kind, order)
            if count == (chain.kind == IN_PLAY).sum():
                return _ByTotals(self, sign, order[:count], depth)
        return None

    def _make_room(self, rows: int) -> None:
        """A next window for this many totals, and some more if it has to grow."""
        room = rows * self.chain.size
        if room <= min(len(self.next_window), len(self.lists[0])):
            return
        places = (rows + rows // 2) * self.chain.size
        self._check_memory(BYTES_A_PLACE * places, rows, f" at each of {self.chain.size:,} states")
        self.next_window, self.lists[0] = np.zeros(places), np.empty(places, np.int64)

    def _cover(self, least: int, most: int) -> None:
        """Make room for the probabilities of these totals."""
        low, high = self.ended_from, self.ended_from + self.ended.shape[1] - 1
        if low <= least and most <= high:
            return
        width = max(high, most) - min(low, least) + 1
        least, most = min(low, least - width // 2 * (least < low)), max(high, most + width // 2 * (most > high))
        self._check_memory(16 * (most - least + 1), width, "")
        wider = np.zeros((2, most - least + 1))
        wider[:, low - least : high - least + 1] = self.ended
        self.ended, self.ended_from = wider, least

    def _check_memory(self, needed: int, width: int, where: str) -> None:
        memory = machine_memory()
        if 2 * needed > memory:
            raise _Wide(
                f"{self.name}: every total from the least to the greatest has a place in memory{where}, also those that no play has; "
                f"with move {self.steps + 1:,} these are {width:,}, which take {needed / 2**30:,.1f} GiB, more than half of the memory "
                f"of {memory / 2**30:,.1f} GiB; {self.left:.3g} of the probability is still in play: give a tail above that, smaller "
                "parameters, or payoffs in a coarser unit"
            )

    @property
    def most_moves(self) -> int:
        """The most moves of a play that was followed."""
        return self.steps

    def result(self, of: str) -> Distribution:
        chain = self.chain
        totals, probabilities, lowest = self.found()
        at = np.flatnonzero(probabilities > 0)
        roundings = self.most_moves * chain.roundings + 2
        r = roundings * UNIT / (1 - roundings * UNIT) + 1.1 * (self.additions * UNIT) ** 2
        r = r / (1 - r) * (1 + 1e-9)
        return Distribution(
            of=of,
            support=totals[at] * chain.unit,
            probabilities=probabilities[at],
            tail=(self.left * (1 + 2 * len(self.in_play()[0]) * UNIT) + self.dropped * (1 + MARGIN)) * (1 + 2 * r),
            tail_from=(min(lowest if self.left else math.inf, self.dropped_from) + chain.least) * chain.unit if self.missing else math.inf,
            endless=float(self.endless.sum()),
            rounding=r,
            steps=self.most_moves,
        )

    def found(self) -> tuple[np.ndarray, np.ndarray, int]:
        """The totals with which plays have ended, their probabilities, and the least total in play."""
        return self.ended_from + np.arange(self.ended.shape[1]), self.ended.sum(axis=0), self.base + self.first


class _ByTotals(_Going):
    """The same from total to total, where no move makes totals smaller (`sign` 1), or none makes them larger (-1): all play that has come
    to a total is moved on at once, whatever its number of moves."""

    def __init__(self, before: _Going, sign: int, order: np.ndarray, depth: int):
        chain = before.chain
        source = np.repeat(np.arange(chain.size), np.diff(chain.edge_start))
        ending = (chain.kind[source] == IN_PLAY) & (chain.kind[chain.target] == OVER)
        ends = _span(sign * (chain.paid + chain.final[chain.target])[ending])  # `chain.ends` may be relative to totals of states
        super().__init__(before.name, chain._replace(gain=sign * chain.paid, final=sign * chain.final, ends=ends), before.tail)
        self.sign, self.order, self.depth = sign, order, depth
        gains = self.chain.gain[chain.goes_on]
        self.smallest = int(gains[gains > 0].min(initial=MOST_PAYOFF))
        self.ring = np.zeros((int(gains.max()) + 1, chain.size))
        self.ring[0, chain.start] = 1.0
        self.total = 0  # that all totals in play have reached

    def least_left(self, steps: int) -> float:
        return 0.0

    def in_play(self) -> tuple[np.ndarray, np.ndarray]:
        rows, nodes = np.nonzero(self.ring)
        return nodes, self.ring[rows, nodes]

    def step(self) -> None:
        chain, end = self.chain, self.total + max(TOGETHER // self.chain.size, 1)
        self._cover(self.total + chain.ends.least, end - 1 + chain.ends.most)
        self.additions += kernels.totals(
            self.total, end, self.ring, self.order, chain.edge_start, chain.share, chain.target, chain.gain, chain.kind, chain.final,
            self.ended, -self.ended_from, self.endless,
        )  # fmt: skip
        self.total, self.left, self.steps = end, float(self.ring.sum()), self.steps + 1

    @property
    def most_moves(self) -> int:
        return (self.depth + 1) * (self.total // self.smallest + 1)

    def found(self) -> tuple[np.ndarray, np.ndarray, int]:
        totals, probabilities, _ = super().found()
        return self.sign * totals[:: self.sign], probabilities[:: self.sign], self.sign * self.total


class _Scattered(_Going):
    """The same where few of the totals between the least and the greatest are reached: only these have places."""

    def __init__(self, before: _Going, wide: _Wide):
        self.name, self.chain, self.tail, self.wide = before.name, before.chain, before.tail, wide
        self.dropped, self.dropped_from, self.times_dropped = before.dropped, before.dropped_from, before.times_dropped
        self.node, self.mass = before.in_play()
        self.total = before.base + before.places // before.chain.size
        totals, _, _ = before.found()
        at = np.flatnonzero(before.ended[0])
        self.sums = {int(totals[k]): before.ended[:, k : k + 1].copy() for k in at}  # by total, as in `ended`
        self.endless, self.left, self.steps, self.additions = before.endless, before.left, before.steps, before.additions

    def in_play(self) -> tuple[np.ndarray, np.ndarray]:
        return self.node, self.mass

    def step(self) -> None:
        chain = self.chain
        counts = chain.edge_start[self.node + 1] - chain.edge_start[self.node]
        if counts.sum() > MOST_SCATTERED:
            raise self.wide
        source = np.repeat(np.arange(len(counts)), counts)
        edge = runs(chain.edge_start[self.node], counts)
        x, to, total = self.mass[source] * chain.share[edge], chain.target[edge], self.total[source] + chain.gain[edge]
        kind = np.where(x == 0.0, -1, chain.kind[to])
        for k in np.flatnonzero(kind == OVER).tolist():
            kernels.add.function(self.sums.setdefault(int(total[k] + chain.final[to[k]]), np.zeros((2, 1))), 0, x[k])
        for k in np.flatnonzero(kind == ENDLESS).tolist():
            kernels.add.function(self.endless, 0, x[k])
        self.additions += int((kind > IN_PLAY).sum())
        on = np.flatnonzero(kind == IN_PLAY)
        on = on[np.lexsort((total[on], to[on]))]
        is_new = np.ones(len(on), bool)
        is_new[1:] = (np.diff(total[on]) != 0) | (np.diff(to[on]) != 0)
        first = np.flatnonzero(is_new)
        self.node, self.total = to[on][first], total[on][first]
        self.mass = np.add.reduceat(x[on], first) if len(on) else np.zeros(0)
        if (slight := self.mass < self._negligible(len(first))).any():
            self._drop(float(self.mass[slight].sum()), int(self.total[slight].min()))
            self.node, self.total, self.mass = self.node[~slight], self.total[~slight], self.mass[~slight]
        self.left, self.steps = float(self.mass.sum()), self.steps + 1

    def found(self) -> tuple[np.ndarray, np.ndarray, int]:
        totals = sorted(self.sums)
        probabilities = np.array([self.sums[total].sum() for total in totals])
        return np.array(totals, np.int64), probabilities, int(self.total.min()) if len(self.total) else 0
