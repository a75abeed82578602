"""How many moves play takes from the states of a stage that was solved, under the policy that was found: two linear systems.

With T the number of moves, and T' that after one,  E T = 1 + sum of p E T'  and  E T^2 = 2 E T - 1 + sum of p E T'^2.  They are solved and
bounded as values of payoffs beside the first one are (kernels/block.py): as the columns 1 and 2 of a block whose ways are all positive.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.block import bound, in_order, settle
from zermelo.kernels.kernel import kernel
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.verify_block import U

MEAN, SQUARE = 1, 2
MOST_MEAN, MOST_ERROR = 0, 1  # over all states of all stages: the largest E T, and how far one of them is off at most


@kernel
def count_moves(nodes, block, own, after, entry_keys, entry_table, known, missed, most):
    """Fill in E T and E T^2 of the entries own .. after - 1, those of later stages being known. False if this method fails.

    block : the stage, with `value`, `error`, `reward` and `rough` of three columns, the first unused, and ways >= 0;
    known, missed : float64[entries, 2], both moments and how far they are off at most; most : float64[2], see above."""
    first_row, policy, value, error = block.first_row, block.policy, block.value, block.error
    for i in range(nodes):
        if first_row[i + 1] > first_row[i]:
            continue
        entry = entry_table[hashed_place(entry_table, entry_keys, block.keys[i])]
        is_later = entry >= after
        for k in range(2):
            value[i, MEAN + k] = known[entry, k] if is_later else 0.0
            error[i, MEAN + k] = missed[entry, k] if is_later else 0.0
    n, cut = in_order(nodes, first_row, block.first_outcome, block.to, block.order, block.slot, block.edge, block.stack)
    if cut > block.slope.shape[1]:
        return False
    fresh, matrix, members = np.empty(cut), np.empty((cut, cut)), np.empty(cut, np.int64)
    for i in range(n):
        s = block.order[i]
        if block.slot[s] >= 0:
            members[block.slot[s]] = s
    for j in (MEAN, SQUARE):
        for i in range(n):
            s = block.order[i]
            row = first_row[s] + policy[s]
            paid = 1.0 if j == MEAN else 2.0 * value[s, MEAN] - 1.0
            block.reward[row, j] = block.total[row] * paid
            block.rough[row, j] = 0.0 if j == MEAN else 4.0 * U * abs(block.reward[row, j])
        for k in range(cut):
            value[members[k], j] = 0.0
        if not settle(nodes, n, cut, block, j, False, fresh, matrix, members):
            return False
        if not bound(nodes, n, cut, block, j, fresh, matrix, members):
            return False
    for i in range(n):
        s = block.order[i]
        most[MOST_MEAN] = max(most[MOST_MEAN], value[s, MEAN])
        most[MOST_ERROR] = max(most[MOST_ERROR], error[s, MEAN])
    for entry in range(own, after):
        for k in range(2):
            is_over = first_row[entry - own + 1] == first_row[entry - own]
            known[entry, k] = 0.0 if is_over else value[entry - own, MEAN + k]
            missed[entry, k] = 0.0 if is_over else error[entry - own, MEAN + k]
    return True
