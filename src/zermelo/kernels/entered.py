"""Games that are solved stage by stage from where stages are entered: the last stage first, each from the values of the entries of later
ones. What follows from entries is found by the rules (link/templates/entered_rules.py), called by address, so that these kernels are
compiled once for all games; kernels/block.py solves a stage."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.block import best_rows, solve_block
from zermelo.kernels.calling import called
from zermelo.kernels.kernel import kernel
from zermelo.kernels.status import (
    ALL_NODES,
    ALL_OUTCOMES,
    ALL_ROWS,
    ANSWER,
    ANY_BEST,
    AT,
    DONE,
    HARD,
    LARGEST_BLOCK,
    NODES,
    OUTCOMES,
    ROWS,
)  # fmt: skip


@kernel
def solve_stages(
    integers, floats, layout, fill_block, lifted, low, high, at, ready_from, stage_number, first_entry, entries, more, block, plain, best,
    unasked, c,
):  # fmt: skip
    """Solve the stages at, at - 1, ..., low, and store the values and errors of their entries. Stages up to high - 1 are solved.

    stage_number : int64[stages], as the game numbers them, ascending; entries : keys, table, values and errors; stage k is entered in
    the states with the numbers first_entry[k] .. first_entry[k + 1] - 1. Entries from number `ready_from` on are solved, and those of the
    stages k + 1 .. high - 1. `more` : int64, keys of states of stage `at` that are wanted, too.

    With policies, keys and entries are `lifted`, and `plain` are the solved entries of the game itself. unasked : what who has no policy
    plays: ANSWER, a best response; FIRST_BEST, as in the game itself, whose stages are solved again to `best`; ANY_BEST, what is best for
    him among the actions that are best there.
    fill_block : that of link/templates/entered_rules.py, as `called` takes it; integers, floats, layout : what it is given.
    Returns a status; c[AT] is the stage where it stopped.
    """
    entry_keys, entry_table, entry_value, entry_error = entries
    nobody, nowhere, nothing, none = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.bool_)
    everything = np.int64(0), np.int64(0)  # all entries are known
    sides = max(len(entry_keys) // len(plain[0]), 1)  # lifted entries for each of the game itself
    for k in range(at, low - 1, -1):
        c[AT] = k
        own, after = first_entry[k], first_entry[k + 1]
        behind = first_entry[k + 2] if k + 1 < high else after
        best_keys, best_table, best_first, best_may = nobody, nowhere, nothing, none
        if lifted and unasked != ANSWER:
            status = called(fill_block, (
                integers, floats, layout, not lifted, stage_number[k], everything, plain, plain[0][own // sides : after // sides], best,
                nobody, nowhere, nothing, none, c,
            ))  # fmt: skip
            if status != DONE:
                return status
            if not solve_block(c[NODES], best, plain[2][after // sides : behind // sides]):
                return HARD
            best_keys, best_table, best_first, best_may = best.keys, best.table, best.first_row, np.zeros(c[ROWS], np.bool_)
            if unasked == ANY_BEST:
                best_rows(c[NODES], best, best_may)
            else:
                for i in range(c[NODES]):
                    if best_first[i + 1] > best_first[i]:
                        best_may[best_first[i] + best.policy[i]] = True
        known = first_entry[high], ready_from
        roots = np.empty(after - own + more.size, np.int64)
        for i in range(after - own):
            roots[i] = entry_keys[own + i]
        for i in range(more.size):
            roots[after - own + i] = more[i]
        status = called(fill_block, (
            integers, floats, layout, lifted, stage_number[k], known, entries, roots, block, best_keys, best_table, best_first, best_may, c,
        ))  # fmt: skip
        if status != DONE:
            return status
        if not solve_block(c[NODES], block, entry_value[after:behind]):
            return HARD
        for i in range(after - own):
            for j in range(entry_value.shape[1]):
                entry_value[own + i, j], entry_error[own + i, j] = block.value[i, j], block.error[i, j]
        c[ALL_NODES] += c[NODES]
        c[ALL_ROWS] += c[ROWS]
        c[ALL_OUTCOMES] += c[OUTCOMES]
        c[LARGEST_BLOCK] = max(c[LARGEST_BLOCK], c[NODES])
    return DONE
