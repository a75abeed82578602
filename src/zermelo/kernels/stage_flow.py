"""All plays at once of a game that is solved stage by stage: the probability at the entries of a stage is moved on until it leaves it.

Only sums of products of non-negative numbers occur. Every probability m has a bound r of its error: a part m w / W of it, W being
a sum of k ways, has the error w / W r + (k + 3) u m w / W at most, and an addition adds u times the sum, with u = 2^-53 (Higham 2002,
chapter 3).
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.verify_block import U

INNER, OVER = -2, -1  # what a state is, unless it is an entry of a later stage: then the number of that
FOLLOWED, PAYS = 0, 1  # PAYS: something is paid before the play is over


@kernel
def follow_stage(nodes, own, after, block, entry_keys, entry_table, mass, rough, by_length, column, over, over_rough, enough, most_steps):
    """Move on what is at the entries own .. after - 1 of a stage. (how it went, the probability left behind, moves)

    block : the solved stage (kernels/block.py), whose first nodes are these entries
    mass, rough : float64[entries, views, lengths], the probability of every entry and its error. `views` is 2 where PASS can have
        exchanged the players: whoever moved first is then the player to move (0) or the other one (1). `lengths` is 1 unless plays are
        told apart by how many moves they have taken (`by_length`)
    over, over_rough : what is over after so many moves, float64[1, lengths], or in which state, float64[nodes, views]; added to
    column : the payoff that is asked for, -1 for none: if it is paid on the way, nothing is found
    enough : a probability so small may be left behind; so is what takes more than `most_steps` moves in the stage, or `lengths` in all
    """
    first_row, policy, first_outcome, total, to, ways, paid = (
        block.first_row, block.policy, block.first_outcome, block.total, block.to, block.ways, block.paid
    )  # fmt: skip
    views, lengths = mass.shape[1], mass.shape[2]
    kind = np.full(nodes, INNER, np.int64)
    for i in range(nodes):
        if first_row[i + 1] == first_row[i]:
            entry = entry_table[hashed_place(entry_table, entry_keys, block.keys[i])]
            kind[i] = entry if entry >= after else OVER
    begin, end = lengths, 0
    for e in range(own, after):
        for v in range(views):
            for k in range(lengths):
                if mass[e, v, k] > 0.0:
                    begin, end = min(begin, k), max(end, k + 1)
    here, here_rough = np.zeros((nodes, views)), np.zeros((nodes, views))
    next_here, next_rough = np.zeros((nodes, views)), np.zeros((nodes, views))
    time, left, inside = begin, 0.0, 0.0
    while time < end or inside > enough:
        if by_length and time + 1 >= lengths or time - begin >= most_steps:
            break
        if time < end:
            for e in range(own, after):
                for v in range(views):
                    if mass[e, v, time] > 0.0:
                        here[e - own, v] += mass[e, v, time]
                        here_rough[e - own, v] += rough[e, v, time] + U * here[e - own, v]
        inside = 0.0
        for i in range(nodes):
            for v in range(views):
                m, r = here[i, v], here_rough[i, v]
                if m == 0.0:
                    continue
                here[i, v], here_rough[i, v] = 0.0, 0.0
                if kind[i] != INNER:  # an entry in which play is over
                    a, b = (0, time) if by_length else (i, v)
                    over[a, b] += m
                    over_rough[a, b] += r + U * over[a, b]
                    continue
                row = first_row[i] + policy[i]
                roundings = first_outcome[row + 1] - first_outcome[row] + 3.0
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    if column >= 0 and paid[o, column] != 0.0:
                        return PAYS, 0.0, 0
                    share = abs(ways[o]) / total[row]
                    part = m * share
                    loss = r * share + roundings * U * part
                    n, u = to[o], 1 - v if views == 2 and ways[o] < 0.0 else v
                    if kind[n] == INNER:
                        next_here[n, u] += part
                        next_rough[n, u] += loss + U * next_here[n, u]
                        inside += part
                    elif kind[n] == OVER:
                        a, b = (0, time + 1) if by_length else (n, u)
                        over[a, b] += part
                        over_rough[a, b] += loss + U * over[a, b]
                    else:
                        k = time + 1 if by_length else 0
                        mass[kind[n], u, k] += part
                        rough[kind[n], u, k] += loss + U * mass[kind[n], u, k]
        here, next_here = next_here, here
        here_rough, next_rough = next_rough, here_rough
        time += 1
    for i in range(nodes):
        for v in range(views):
            left += here[i, v] + here_rough[i, v]
    for e in range(own, after):  # what has not moved at all
        for v in range(views):
            for k in range(time, end):
                left += mass[e, v, k] + rough[e, v, k]
    return FOLLOWED, left, time - begin
