"""Playing a game that is solved stage by stage: all plays that have come to a stage go on until they leave it. Arrays in, arrays out.

Plays wait at the entries of later stages in a list for each stage: waiting[stage] is the first of them, after[play] the next one, -1 none.
Every stage has a generator of random numbers of its own (kernels/simulate.py), so that plays depend on nothing but the seed.
"""

from __future__ import annotations

from zermelo.kernels.kernel import kernel
from zermelo.kernels.simulate import FINISHED, TOO_LONG, drawn, seeded
from zermelo.kernels.tables import hashed_place


@kernel
def play_stage(
    seed, stage, own, stage_of, entry_keys, entry_table, block, waiting, after, at, view, totals, lengths, max_length
):
    """Play on all plays that wait at the entries of a stage, the first of which is number `own`. (how it went, a key, plays that ended)

    block : the solved stage (kernels/block.py); stage_of : int32[entries]; at : int32[plays], the entry where a play is;
    view : int8[plays], -1 if PASS has exchanged the players an odd number of times;
    totals : float64[plays, payoffs]; lengths : int64[plays]."""
    s0, s1, s2, s3 = seeded(seed, stage)
    first_row, policy, first_outcome, total, to, ways, paid = (
        block.first_row, block.policy, block.first_outcome, block.total, block.to, block.ways, block.paid
    )  # fmt: skip
    payoffs = totals.shape[1]
    ended = 0
    play = waiting[stage]
    waiting[stage] = -1
    while play >= 0:
        following = after[play]
        node, sign, length = at[play] - own, view[play], lengths[play]
        while first_row[node + 1] > first_row[node]:
            if length == max_length:
                return TOO_LONG, block.keys[node], ended
            row = first_row[node] + policy[node]
            o, last = first_outcome[row], first_outcome[row + 1] - 1
            if o < last:
                number, s0, s1, s2, s3 = drawn(s0, s1, s2, s3)
                left = number * total[row]
                while o < last and left >= abs(ways[o]):
                    left -= abs(ways[o])
                    o += 1
            for j in range(payoffs):
                totals[play, j] += sign * paid[o, j]
            if ways[o] < 0.0:
                sign = -sign
            length += 1
            node = to[o]
        lengths[play], view[play] = length, sign
        entry = entry_table[hashed_place(entry_table, entry_keys, block.keys[node])]
        if entry >= 0 and stage_of[entry] != stage:
            at[play] = entry
            after[play] = waiting[stage_of[entry]]
            waiting[stage_of[entry]] = play
        else:
            for j in range(payoffs):
                totals[play, j] += sign * block.value[node, j]
            ended += 1
        play = following
    return FINISHED, 0, ended
