"""Value iteration from 0 in a component in which nothing is paid and all that it leads to is worth 0 or more to one of the players.

Values then only rise, towards the least solution of v = T(v), which is what play is worth where endless cycling is worth 0. The
player for whom they rise keeps the row that raised the value last: this rise comes from where play leaves, so the policy does not cycle.
"""

from __future__ import annotations

from zermelo.kernels.kernel import inner, kernel

GAINS = 1e-13  # of a row, relative to the value so far, for which it is taken


@kernel
def rise(rows, order, sense, enough, sweeps, value, policy):
    """Fill value : float64[n + 1, payoffs] and policy : int32[n], by sweeps forwards and backwards; returns the largest last change.

    rows : an isolated component (kernels/components.py), no coefficient negative. sense : 1.0 if what it leads to is worth 0 or more,
    -1.0 if 0 or less. Ends when no value changes by more than `enough`, or after so many `sweeps`."""
    added = 0.0
    for s in range(order.size):
        value[s, 0], policy[s] = 0.0, 0
    for k in range(sweeps):
        added = raise_all(rows, order, k % 2 == 0, sense, value, policy)
        if added <= enough:
            break
    return added


@inner
def raise_all(rows, order, forwards, sense, value, policy):
    """One sweep; returns the largest change. (A kernel of its own, so that the time is looked at before each.)"""
    n, added = order.size, 0.0
    riser = 0 if sense > 0.0 else 1
    for i in range(n):
        s = order[i] if forwards else order[n - 1 - i]
        here, best, best_worth = sense * value[s, 0], -1, 0.0
        for row in range(rows.first_row[s], rows.first_row[s + 1]):
            worth, own, away = sense * rows.reward[row, 0], 0.0, 0.0
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                if rows.next[o] == s:
                    own += rows.coef[o]
                else:
                    away += rows.coef[o]
                    worth += rows.coef[o] * sense * value[rows.next[o], 0]
            if own > 0.0:
                worth = worth / away if away > 0.0 else 0.0
            if best < 0 or (worth > best_worth if rows.player[s] == riser else worth < best_worth):
                best, best_worth = row, worth
        if rows.player[s] != riser:
            policy[s] = best - rows.first_row[s]
        if best_worth > here * (1.0 + GAINS):
            added = max(added, best_worth - here)
            value[s, 0] = sense * best_worth
            policy[s] = best - rows.first_row[s]
    return added
