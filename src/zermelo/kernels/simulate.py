"""Playing a game many times under a fixed policy. Arrays in, arrays out.

Outcomes are drawn by the alias method (Walker 1977; tables after Vose 1991): a column of the row, each equally likely,
and then the column's own outcome or its alias; two loads, however many outcomes a row has. Random
numbers come from xoshiro256++ (Blackman and Vigna 2019). Every block of plays has a generator of its own, seeded by
(seed, number of the block) through splitmix64, so that results depend neither on the number of threads nor on the
distribution of blocks among them.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.chain import CYCLES
from zermelo.kernels.kernel import inner, kernel

BLOCK = 1024  # plays that share a generator
LANES = 16  # plays that one thread runs at the same time: while one waits for memory, others continue
FINISHED, PAID_CIRCLE, TOO_LONG = 0, 1, 2  # how the plays of a block went
NEGLIGIBLE = 1e-18  # a discounted play is over when what follows weighs less, unless much larger payoffs follow

UNIT = 2.0**-53

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def columns_for(outcomes: int, numbers: np.dtype) -> np.ndarray:
    """Room for what a draw needs, side by side in memory: a row of doubles for each outcome. The first is its threshold; the rest, seen as
    numbers of this type, end with the next state and that of its alias.

    Not an array of records: numba names machine code by the number that such a type happens to have in its process, so that two
    functions kept by two processes can have one name, and one is run for the other.
    """
    return np.empty((outcomes, 1 + 2 * numbers.itemsize // 8))


@kernel
def alias_tables(
    edge_start: np.ndarray, ways: np.ndarray, next_state: np.ndarray, sign: np.ndarray, thresholds: np.ndarray, states: np.ndarray,
    alias: np.ndarray,
) -> None:  # fmt: skip
    """Fill `thresholds` (`columns_for`), `states`, the same bytes, and `alias` int32, within the row, for the outcomes of some states.

    `edge_start` int64[states + 1] : where each state's outcomes begin, the first of which is row 0 of the other arrays. A next state with a
    negative sign, after PASS, is written as its complement.
    """
    n, begin = len(edge_start) - 1, edge_start[0]
    own, other = states.shape[1] - 2, states.shape[1] - 1
    widest = 0
    for i in range(n):
        widest = max(widest, edge_start[i + 1] - edge_start[i])
    scaled, small, large = np.empty(widest, np.float64), np.empty(widest, np.int32), np.empty(widest, np.int32)
    for i in range(n):
        first = edge_start[i] - begin
        width = edge_start[i + 1] - edge_start[i]
        total = 0.0
        for k in range(width):
            total += ways[first + k]
        n_small, n_large = 0, 0
        for k in range(width):
            scaled[k] = ways[first + k] / total * width
            thresholds[first + k, 0], alias[first + k] = 1.0, k
            states[first + k, own] = ~next_state[first + k] if sign[first + k] < 0 else next_state[first + k]
            if scaled[k] < 1.0:
                small[n_small] = k
                n_small += 1
            else:
                large[n_large] = k
                n_large += 1
        while n_small > 0 and n_large > 0:
            n_small -= 1
            less, more = small[n_small], large[n_large - 1]
            thresholds[first + less, 0] = scaled[less]
            alias[first + less] = more
            scaled[more] = (scaled[more] + scaled[less]) - 1.0
            if scaled[more] < 1.0:
                n_large -= 1
                small[n_small] = more
                n_small += 1
        for k in range(first, first + width):
            states[k, other] = states[first + alias[k], own]


@kernel(inline="always")
def _mixed(z: np.uint64) -> np.uint64:
    """The output function of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@kernel(inline="always")
def _turned(x: np.uint64, bits: int) -> np.uint64:
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@kernel(inline="always")
def seeded(seed: np.ndarray, block: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The state of a block's own generator."""
    z = _mixed(seed[0] ^ _mixed(seed[1] + np.uint64(block) * _GOLDEN))
    return (
        _mixed(z + _GOLDEN),
        _mixed(z + _GOLDEN * np.uint64(2)),
        _mixed(z + _GOLDEN * np.uint64(3)),
        _mixed(z + _GOLDEN * np.uint64(4)),
    )


@kernel(inline="always")
def drawn(s0, s1, s2, s3):
    """A random number in [0, 1), and the next state of the generator (xoshiro256++)."""
    number = np.float64(np.int64((_turned(s0 + s3, 23) + s0) >> np.uint64(11))) * UNIT
    t = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    return number, s0, s1, s2, _turned(s3, 45)


@inner
def play_block(
    block: int, seed: np.ndarray, start: int, edge_start: np.ndarray, thresholds: np.ndarray, states: np.ndarray, alias: np.ndarray,
    payoff: np.ndarray, pays: bool, final_payoff: np.ndarray, kind: np.ndarray, discount: float, least: float, max_length: int,
    totals: np.ndarray, lengths: np.ndarray, cycled: np.ndarray,
) -> tuple[int, np.int64]:  # fmt: skip
    """Play once for each row of `totals` float64[plays, payoffs]; how it went, and the state where it stopped.

    `edge_start` int64[n+1], `thresholds` (`columns_for`), `states`, the same bytes : the outcomes that follow a state; `alias`,
    `payoff` : the alias and the payoffs of each, looked at only if `pays`; `kind` int8[n] : ENDS, CYCLES or CYCLES_PAYING
    (kernels/chain.py); `least` : the weight below which nothing is followed.
    """
    own, other = states.shape[1] - 2, states.shape[1] - 1
    s0, s1, s2, s3 = seeded(seed, block)
    payoffs = totals.shape[1]
    totals[:] = 0.0
    active, begun = min(LANES, len(totals)), min(LANES, len(totals))
    play_of, state_of, steps_of = np.arange(LANES), np.full(LANES, start), np.zeros(LANES, np.int64)
    view_of, weight_of = np.ones(LANES), np.ones(LANES)
    lane = 0
    while active > 0:
        play, state, weight = play_of[lane], state_of[lane], weight_of[lane]
        first = edge_start[state]
        width = edge_start[state + 1] - first
        if width > 0 and weight >= least:
            if steps_of[lane] == max_length:
                return TOO_LONG, state
            at, is_own = first, True
            if width > 1:
                number, s0, s1, s2, s3 = drawn(s0, s1, s2, s3)
                x = number * width  # in [0, width]
                column = min(np.int64(x), width - 1)
                at = first + column
                is_own = x - column < thresholds[at, 0]
            if pays:
                chosen = at if is_own else first + alias[at]
                for j in range(payoffs):
                    totals[play, j] += view_of[lane] * weight * payoff[chosen, j]
            after = np.int64(states[at, own if is_own else other])
            passed = after >> 63  # -1 after PASS, where the next state is written as its complement; 0 otherwise
            state_of[lane] = after ^ passed
            view_of[lane] *= 1 + 2 * passed
            weight_of[lane] = weight * discount
            steps_of[lane] += 1
            lane += 1
        else:
            if width == 0:
                if kind[state] > CYCLES:
                    return PAID_CIRCLE, state
                for j in range(payoffs):
                    totals[play, j] += view_of[lane] * weight * final_payoff[state, j]
            cycled[play] = width == 0 and kind[state] == CYCLES
            lengths[play] = steps_of[lane]
            if begun < len(totals):  # the lane begins another play
                play_of[lane], state_of[lane], steps_of[lane], view_of[lane], weight_of[lane] = (
                    begun,
                    start,
                    0,
                    1.0,
                    1.0,
                )
                begun += 1
            else:  # the last lane moves here
                active -= 1
                play_of[lane], state_of[lane], steps_of[lane] = play_of[active], state_of[active], steps_of[active]
                view_of[lane], weight_of[lane] = view_of[active], weight_of[active]
        if lane >= active:
            lane = 0
    return FINISHED, np.int64(0)


@kernel
def play_blocks(
    first_block: int, seed: np.ndarray, start: int, edge_start: np.ndarray, thresholds: np.ndarray, states: np.ndarray, alias: np.ndarray,
    payoff: np.ndarray, pays: bool, final_payoff: np.ndarray, kind: np.ndarray, discount: float, least: float, max_length: int,
    totals: np.ndarray, lengths: np.ndarray, cycled: np.ndarray, how: np.ndarray, where: np.ndarray,
) -> None:  # fmt: skip
    """Play the blocks first_block, first_block + 1, ... until `totals` is full or one does not finish. `how`, `where` : what `play_block`
    returns, by block."""
    for b in range(len(how)):
        low, high = b * BLOCK, min((b + 1) * BLOCK, len(totals))
        how[b], where[b] = play_block(
            first_block + b, seed, start, edge_start, thresholds, states, alias, payoff, pays, final_payoff, kind,
            discount, least, max_length, totals[low:high], lengths[low:high], cycled[low:high],
        )  # fmt: skip
        if how[b] != FINISHED:
            return
