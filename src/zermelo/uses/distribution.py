"""Whole distributions, not only means: how long a play lasts, and what a payoff in whole numbers comes to in the end.

Under optimal play a game is a chain. All probability starts at the start; a step moves it along all outcomes at once
(kernels/distribution.py) until what is still in play is no more than `tail`. Nothing is drawn at random.

**What rounding can do.** Every number here is a sum of products of non-negative numbers, so that no digits cancel and relative
errors only add up. With u = 2^-53, at most d outcomes a state and at most a ways into one, one step costs a path
d roundings for its probability (a sum of d ways, a division; where both choose at once a few more, for ways are products with the
probabilities of actions), one for the product and a - 1 for adding it to the others. What
ends is added with the rounding kept beside it, which costs 2u and (additions times u)^2 in the end. After t steps

    |p - P| <= r P    with    r = gamma_{t (d + a) + 2} + 1.1 (additions u)^2,    gamma_k = k u / (1 - k u)

(Higham 2002, chapter 3; Ogita, Rump and Oishi 2005). Probabilities below 1e-308 lose up to 2^-1074 a product; no number of
products that a computer gets through comes to 1e-300 in this way, which is added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from zermelo.answers.base import Answers, CountsLength, StoppingLine
from zermelo.basics.machine import memory as machine_memory
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import game_text, no_such, round_step
from zermelo.engines.stages.chain import TurnedChain, turned_chain
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels import distribution as kernels
from zermelo.kernels.chain import CIRCLES_PAYING, ENDS
from zermelo.kernels.distribution import ENDLESS, IN_PLAY, OVER
from zermelo.uses.board_line import is_large_board, line_of
from zermelo.uses.chain import Lifted, circling_error, edge_starts, endless_states, optimal_chain
from zermelo.uses.need import check_end, explored_of, tabled
from zermelo.uses.stopping import lengths, totals

MAX_STEPS = 1_000_000
MOST_PAYOFF = 2**31
UNIT = 2.0**-53  # the relative error of one operation
UNDERFLOW = 1e-300  # more than all products together lose that are too small for a float
BYTES_A_PLACE = 32  # two windows and two lists of places


@dataclass(frozen=True, eq=False)
class Distribution:
    """The probabilities of a whole number X: the length of a play in actions, or a payoff's total over a play.

    The true P(X = support[i]) lies within errors[i] of probabilities[i]. All other values together have at most the probability
    `tail` (plays that were still going on) and `endless`. Probabilities and quantiles count the tail as larger than any
    value of the support; that is certain where `tail_from` exceeds it.
    """

    of: str  # what X is, and of which game
    support: np.ndarray  # int64[values], ascending
    probabilities: np.ndarray  # float64[values]
    tail: float  # at most so much probability is missing; 0.0 where every play has ended
    tail_from: float  # what the tail comes to at least: -inf if not known, inf if there is none
    endless: (
        float  # of a length: the probability that play circles for ever. Of a total: 0, for circling adds nothing to it
    )
    rounding: float  # relative error of each probability, at most
    steps: int  # actions after which this was left

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[values]: how far each of `probabilities` can be from the truth."""
        return self.probabilities * self.rounding + UNDERFLOW + np.where(self.support >= self.tail_from, self.tail, 0.0)

    @cached_property
    def mean(self) -> float:
        """The mean of X over all plays but those of the tail; inf if some play never ends."""
        if self.endless > 0:
            return math.inf
        return float(np.average(self.support, weights=self.probabilities))

    @cached_property
    def variance(self) -> float:
        """The variance of X over all plays but those of the tail; NaN if some play never ends."""
        if self.endless > 0:
            return math.nan
        return float(np.average((self.support - self.mean) ** 2, weights=self.probabilities))

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @cached_property
    def _cumulative(self) -> np.ndarray:
        return np.cumsum(self.probabilities)

    def probability(self, value: int) -> float:
        """P(X = value)."""
        return float(self.probabilities[self.support == value].sum())

    def at_most(self, value: float) -> float:
        """P(X <= value)."""
        return float(self.probabilities[: np.searchsorted(self.support, value, "right")].sum())

    def at_least(self, value: float) -> float:
        """P(X >= value), the tail and endless plays among them."""
        return (
            float(self.probabilities[np.searchsorted(self.support, value, "left") :].sum()) + self.tail + self.endless
        )

    def quantile(self, q: float) -> float:
        """The smallest k with P(X <= k) >= q, as far as rounding can tell; inf where only endless plays are left.

        Raises `OutOfReach` for a quantile that lies in the tail.
        """
        if not isinstance(q, int | float) or not 0 <= q <= 1:
            raise ParameterError(f"a quantile is asked for by a number from 0 to 1, not {q!r}")
        slack = self.rounding + len(self.support) * UNIT
        at = int(np.searchsorted(self._cumulative, q - slack))
        if at < len(self.support):
            return int(self.support[at])
        if not self.tail or q > 1 - self.endless + slack:
            return math.inf
        raise OutOfReach(f"{self.of}: the quantile of {q} lies in the tail of {self.tail:.2g}; ask for a smaller tail")

    def bins(self, most: int, beyond: float = 0.001) -> list[tuple[int, int, float]]:
        """(least value, greatest value, probability) of at most about `most` equal ranges of values, without rare values:
        those that less than a share `beyond` of plays fall short of, or exceed."""
        total = self._cumulative[-1] if len(self.support) else 0.0
        if total == 0.0:
            return []
        low, high = (int(self.support[np.searchsorted(self._cumulative, q * total)]) for q in (beyond, 1 - beyond))
        width = round_step((high - low + 1) / most)
        starts = range(low // width * width, high + 1, width) if width > 1 else range(low, high + 1)
        places = np.searchsorted(self.support, [*starts, starts[-1] + width])
        parts = zip(starts, places[:-1], places[1:], strict=True)
        return [(s, s + width - 1, float(self.probabilities[a:b].sum())) for s, a, b in parts]

    def in_words(self) -> str:
        """Mean, standard deviation and quantiles."""
        if self.endless > 0:
            return f"play never ends with probability {self.endless:.6g}"
        spread = f"mean {self.mean:.2f}, standard deviation {self.standard_deviation:.2f}, median {self.quantile(0.5)}"
        return f"{spread}; 90% are at most {self.quantile(0.9)}, 99% at most {self.quantile(0.99)}"

    def __repr__(self) -> str:
        tail = f", tail {self.tail:.1g}" if self.tail else ""
        never = f", endless with probability {self.endless:.6g}" if self.endless else ""
        about = f"mean {self.mean:.6g}, standard deviation {self.standard_deviation:.6g}"
        span = f"{self.support[0]} to {self.support[-1]}" if len(self.support) else "no value"
        return f"<Distribution of {self.of}: {span}{'' if never else ', ' + about}{never}{tail}>"


def distribution(
    answers: Answers,
    payoff: str | None = None,
    *,
    tail: float = 1e-12,
    max_steps: int | None = None,
    progress: Progress = silent,
) -> Distribution:
    """The distribution of the length of a play under the solution's policy, or of its total of the named `payoff`.

    In a game with PASS totals are in the view of whoever moves first. Play that circles for ever without payoff has the total
    that it had before, as values count it, and no length. Of a swept urn play is that to its stopping line, stopping being an
    action. `max_steps` : a million by default; of an urn, as many as there are balls. Raises `ParameterError`; `NoValue` where
    play circles for ever while payoffs go on; `OutOfReach` for totals that are not whole numbers, for more than `max_steps`
    actions, and for totals so many that memory could not hold them.
    """
    check_end(answers, "a distribution")
    rules, column = answers.rules, _column(answers, payoff)
    of = f"the {'length' if payoff is None else payoff} of {game_text(rules.game)}"
    max_steps = None if max_steps is None else whole("max_steps", max_steps, 0)
    if isinstance(tail, bool) or not isinstance(tail, int | float) or not 0 <= tail < 1:
        raise ParameterError(f"tail must be a probability from 0 to less than 1, such as 1e-12, not {tail!r}")
    if answers.lacks(StoppingLine) is None:
        found = (lengths if payoff is None else totals)(answers, tail, max_steps, progress)
        return Distribution(of=of, endless=0.0, **found._asdict())
    max_steps = MAX_STEPS if max_steps is None else max_steps
    if is_large_board(answers):
        return _of_one_line(answers, payoff, max_steps, progress)
    if answers.lacks(CountsLength) is None and payoff in (None, answers.moves):  # type: ignore[attr-defined]
        chain = _chain(turned_chain(rules), None)
    else:
        table = tabled(answers, "a distribution", progress)
        chain = _chain(optimal_chain(table, explored_of(table)), column)
    going = _Going(rules.name, chain)
    while going.left > tail:
        if going.steps == max_steps:
            raise OutOfReach(
                f"{rules.name}: after {max_steps:,} actions plays are still going on with probability {going.left:.3g}, which is "
                f"more than the tail of {tail:g}; raise tail or max_steps"
            )
        going.step()
        progress("following all plays", going.steps, None)
    return going.result(of)


def _of_one_line(answers: Answers, payoff: str | None, max_steps: int, progress: Progress) -> Distribution:
    """The length of the one play under optimal play, or its total: a distribution with one value, or none where play never ends."""
    line = line_of(answers, (None, None), progress, max_steps, "max_steps")
    never_ends = line.circles and payoff is None
    support = [] if never_ends else [line.length if payoff is None else line.result]
    return Distribution(
        of=f"the {payoff or 'length'} of {game_text(answers.rules.game)}",
        support=np.array(support, np.int64),
        probabilities=np.ones(len(support)),
        tail=0.0,
        tail_from=math.inf,
        endless=float(never_ends),
        rounding=0.0,
        steps=len(line.moves),
    )


def _column(answers: Answers, payoff: str | None) -> int | None:
    """Which payoff is meant; None for the number of actions."""
    rules = answers.rules
    if payoff is None:
        return None
    if payoff not in rules.payoffs:
        raise ParameterError(no_such("payoff", str(payoff), rules.payoffs, rules.name))
    if answers.discount != 1:
        raise OutOfReach(
            f"{rules.name}: a discounted payoff has no whole numbers as its totals; solve without discount"
        )
    return rules.payoffs.index(payoff)


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
    """Where play goes under optimal play, and what is counted on the way, in multiples of `unit`.

    Where a state's total is much the same whichever way play came there, as with a score that the state holds, totals
    are counted beside that of the state, `usual`: gains are then what a step adds to the difference.
    """

    start: int
    edge_start: np.ndarray  # int64[n+1]
    share: np.ndarray  # float64[edges], probabilities
    target: np.ndarray  # int32[edges]
    gain: np.ndarray  # int64[edges]
    final: np.ndarray  # int64[n]
    kind: np.ndarray  # int8[n]: IN_PLAY, OVER or ENDLESS
    unit: int
    gains: _Span  # of steps after which play goes on
    ends: _Span  # of steps that end it, final payoffs included
    least: float  # what is gained at least from any state on, beside its total; -inf if that may fall
    roundings: int  # of one step, at most: for a probability, a product and the sum of all that comes to a state

    @property
    def size(self) -> int:
        return len(self.kind)


def _chain(lifted: Lifted | TurnedChain, column: int | None) -> _Chain:
    game, starts = lifted.game, edge_starts(lifted.game)
    counted = game.payoff[:, :0] if column is None else game.payoff[:, column : column + 1]
    kind = np.where(np.diff(starts) == 0, OVER, IN_PLAY).astype(np.int8)
    if not lifted.is_acyclic:
        circling = endless_states(game._replace(payoff=np.ascontiguousarray(counted)))
        if (circling == CIRCLES_PAYING).any():
            raise circling_error(lifted.rules, lifted.show(int(np.argmax(circling == CIRCLES_PAYING))))
        kind[circling != ENDS] = ENDLESS if column is None else OVER
    if column is None:
        gain, final, unit = np.ones(len(game.next), np.int64), np.zeros(len(kind), np.int64), 1
    else:
        gain, final, unit = _whole(lifted, column, counted[:, 0], game.final_payoff[:, column])
    source, target = np.repeat(np.arange(len(kind)), np.diff(starts)), game.next
    in_play, into = kind[source] == IN_PLAY, kind[target]  # circles are never left
    goes_on = in_play & (into == IN_PLAY)
    usual = kernels.first_totals(lifted.start, starts, target, gain, kind)
    beside = gain + usual[source] - usual[target]
    least = _span(gain[in_play]).least
    falls = least < 0 or (final < 0).any()
    if _span(beside[goes_on]).width < _span(gain[goes_on]).width:
        gain, least = beside, least + int(usual.min())
    return _Chain(
        lifted.start, starts, kernels.shares(starts, game.ways), target, gain, final, kind, unit,
        gains=_span(gain[goes_on]),
        ends=_span((gain + final[target])[in_play & (into == OVER)]),
        least=-math.inf if falls else least,
        roundings=int(np.diff(starts).max(initial=0))
        + int(np.bincount(target[goes_on], minlength=1).max())
        + math.ceil(getattr(lifted, "blur", 0.0) / UNIT),  # where both choose at once, ways are products with probabilities
    )  # fmt: skip


def _whole(
    lifted: Lifted | TurnedChain, column: int, gain: np.ndarray, final: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Payoffs as whole multiples of their greatest common divisor. Raises `OutOfReach` where they are none."""
    name = lifted.rules.payoffs[column]
    for numbers, at in ((gain, np.repeat(np.arange(lifted.num_states), np.diff(edge_starts(lifted.game)))),
                        (final, np.arange(lifted.num_states))):  # fmt: skip
        odd = np.flatnonzero((numbers != np.rint(numbers)) | (np.abs(numbers) > MOST_PAYOFF))
        if len(odd):
            raise OutOfReach(
                f"{lifted.rules.name}: distributions are of payoffs that are whole numbers up to {MOST_PAYOFF:,}, and at "
                f"{lifted.show(int(at[odd[0]]))} {name} is {abs(numbers[odd[0]]):g}; give payoffs in a smaller or larger unit"
            )
    unit = int(np.gcd.reduce(np.concatenate([gain, final]).astype(np.int64))) or 1
    return gain.astype(np.int64) // unit, final.astype(np.int64) // unit, unit


# --- all plays at once ------------------------------------------------------------------------------------------------


class _Going:
    """All plays at once: the probability of every state and total after some steps, and of what has ended by then."""

    def __init__(self, name: str, chain: _Chain):
        self.name, self.chain = name, chain
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

    def step(self) -> None:
        """Everybody takes one action."""
        chain, lowest = self.chain, self.base + self.first
        self._make_room(self.last - self.first + 1 + chain.gains.width)
        self._cover(lowest + chain.ends.least, self.base + self.last + chain.ends.most)
        count, first, last, left, additions = kernels.step(
            self.places, self.window, self.first, chain.edge_start, chain.share, chain.target, chain.gain,
            chain.gains.least, chain.kind, chain.final, self.ended, lowest - self.ended_from, self.endless, self.lists[0],
            self.next_window,
        )  # fmt: skip
        self.base, self.first, self.last = lowest + chain.gains.least, first, last
        self.window, self.next_window = self.next_window, self.window
        self.places = self.lists[0][:count]
        self.places.sort()  # neighbours in memory one after the other: six times faster
        self.lists.reverse()
        self.left, self.steps, self.additions = left, self.steps + 1, self.additions + additions

    def _make_room(self, rows: int) -> None:
        """A next window of so many totals, and some more if it has to grow."""
        room = rows * self.chain.size
        if room <= min(len(self.next_window), len(self.lists[0])):
            return
        places = (rows + rows // 2) * self.chain.size
        self._check_memory(BYTES_A_PLACE * places, f"{rows:,} totals at {self.chain.size:,} states")
        self.next_window, self.lists[0] = np.zeros(places), np.empty(places, np.int64)

    def _cover(self, least: int, most: int) -> None:
        """Make room for the probabilities of these totals."""
        low, high = self.ended_from, self.ended_from + self.ended.shape[1] - 1
        if low <= least and most <= high:
            return
        width = max(high, most) - min(low, least) + 1
        least, most = min(low, least - width // 2 * (least < low)), max(high, most + width // 2 * (most > high))
        self._check_memory(16 * (most - least + 1), f"{width:,} different totals")
        wider = np.zeros((2, most - least + 1))
        wider[:, low - least : high - least + 1] = self.ended
        self.ended, self.ended_from = wider, least

    def _check_memory(self, needed: int, what: str) -> None:
        memory = machine_memory()
        if 2 * needed > memory:
            raise OutOfReach(
                f"{self.name}: after {self.steps:,} actions there are {what}, which take {needed / 2**30:,.1f} GiB, more than half of "
                f"the memory of {memory / 2**30:,.1f} GiB; {self.left:.3g} of the probability is still in play"
            )

    def result(self, of: str) -> Distribution:
        chain = self.chain
        probabilities = self.ended.sum(axis=0)
        at = np.flatnonzero(probabilities > 0)
        roundings = self.steps * chain.roundings + 2
        r = roundings * UNIT / (1 - roundings * UNIT) + 1.1 * (self.additions * UNIT) ** 2
        r = r / (1 - r) * (1 + 1e-9)
        return Distribution(
            of=of,
            support=(at + self.ended_from) * chain.unit,
            probabilities=probabilities[at],
            tail=self.left * (1 + 2 * r + 2 * len(self.places) * UNIT),
            tail_from=(self.base + self.first + chain.least) * chain.unit if self.left else math.inf,
            endless=float(self.endless.sum()),
            rounding=r,
            steps=self.steps,
        )
