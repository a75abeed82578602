"""Claims of bounds for one strongly connected component of any kind; kernels/verify_claims.py checks them.

1. *End components* (graph.py): sets of nodes in which their owner can stay without end, by actions without a clear loss. If every payoff
   there is h(s) - h(next) for some h - above all if there are no payoffs, h = 0 - then k + h is as good a bound as any, k being large
   enough for it to be v or more and not negative on average. The actions that stay are free then.
2. The rise: what the other actions can lose, the same throughout an end component, which acts as a single state. Here by policy
   iteration with dense matrices, for few nodes; certificates/find/stay.py has it for many.

Limits of these bounds: where actions that look equally good can be repeated without end and their payoffs are no h(s) -
h(next), such as fair bets that a player may continue until he is ahead by any amount, there is no bound. Nor is
there one where cycling is better on average than the given values, because then they are not the values of the game. An action that
loses less than a clear loss counts as equally good, so values that differ less than that are not told apart. And no bound
is closer than the rounding of one step times the number of steps that play can last among actions that look equally good:
a million steps at values of a million leave 1e-4.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.graph import end_components
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import eliminate
from zermelo.kernels.twice import sum_error
from zermelo.kernels.verify import row_terms
from zermelo.kernels.verify_claims import average_excess, raise_values

# What leaving pays less than cycling on average where the values are not the game's, relative to the values
WORSE = 1e-5
SWEEPS = 10_000  # of relative value iteration
ROUNDS = 100  # of policy iteration
SWITCH = 1e-12  # what a switch of it must gain, relatively


@kernel
def propose_claim(
    first_row, first_outcome, ways, to, payoff, value, error, discount, blur, loss, base, potential, drift, free, group, excess
):
    """Fill base, potential, drift : float64[n] and free : bool[rows], all of a claim but its rise; False if there is none.

    loss : of an action, relative to the values, that is clear. For the rise: group : int64[n], nodes that act as one have the same number
    below 2n; excess : float64[rows], what the row gains if the claim is what play is worth, -inf for free rows. Returns also the largest
    of these numbers that is a clear loss."""
    n, plus = base.size, np.ones(to.size, np.int8)
    scale, noise, largest = 0.0, 0.0, 0.0
    for k in range(value.shape[0]):
        scale, noise = max(scale, abs(value[k, 0])), max(noise, error[k, 0])
    largest = scale
    for o in range(to.size):
        scale = max(scale, abs(payoff[o, 0]))
    for s in range(n):
        most = -np.inf  # zero but for rounding
        for row in range(first_row[s], first_row[s + 1]):
            excess[row], _ = row_terms(
                first_outcome[row], first_outcome[row + 1], ways, to, plus, payoff, discount, value, value, s, 0, 1, blur
            )
            most = max(most, excess[row])
        noise = max(noise, abs(most))
    if not (scale < np.inf and noise < np.inf):
        return False, 0.0
    least = -max(loss * scale, 4.0 * noise)
    label, ends = np.full(n, -1, to.dtype), 0
    for row in range(free.size):
        free[row] = discount == 1.0 and excess[row] > least
    if discount == 1.0:
        ends = end_components(first_row, first_outcome, to, ways, free, label)
    for s in range(n):
        base[s], potential[s], drift[s] = value[s, 0], 0.0, 0.0
        group[s] = s if label[s] < 0 else n + label[s]
    members, first = by_label(label, ends)
    met, moved, paid = np.zeros(n, np.bool_), np.zeros((value.shape[0], 1)), np.empty((to.size, 1))  # scratch of all end components
    for k in range(ends):
        own = members[first[k] : first[k + 1]]
        if not find_potential(first_row, first_outcome, ways, to, payoff, free, own, potential, met):
            return False, 0.0
        enough, steepest = -np.inf, 0.0
        for s in own:
            enough, steepest = max(enough, value[s, 0] - potential[s]), max(steepest, abs(potential[s]))
        constant = swing(first_row, first_outcome, ways, to, plus, free, own, potential, enough, blur, drift, moved, paid)
        if constant > enough + WORSE * max(largest, steepest):
            return False, 0.0
        for s in own:
            base[s] = constant
    raised = value.copy()
    rough = raise_values(base, potential, raised)
    for s in range(n):
        for row in range(first_row[s], first_row[s + 1]):
            if free[row]:
                excess[row] = -np.inf
            else:
                excess[row], _ = row_terms(
                    first_outcome[row], first_outcome[row + 1], ways, to, plus, payoff, discount, raised, raised, s, 0, 1, blur
                )
                excess[row] += 2.0 * rough
    return True, least


@inner
def by_label(label, labels):
    """(nodes in the order of their labels 0..labels-1, where those of each begin); nodes of label -1 are left out."""
    first = np.zeros(labels + 2, np.int64)
    for s in range(label.size):
        if label[s] >= 0:
            first[label[s] + 2] += 1
    for k in range(labels):
        first[k + 2] += first[k + 1]
    members = np.empty(first[labels + 1], np.int64)
    for s in range(label.size):
        if label[s] >= 0:
            members[first[label[s] + 1]] = s
            first[label[s] + 1] += 1
    return members, first[:-1]


@kernel
def find_potential(first_row, first_outcome, ways, to, payoff, staying, members, potential, met):
    """Fill `potential` with h of the members of an end component: payoff = h(node) - h(next) exactly, for all outcomes of rows that stay.
    False if there is none. met : bool[n], False for the members, which becomes True."""
    queue = np.empty(members.size, np.int64)
    waiting = 1
    queue[0], met[members[0]], potential[members[0]] = members[0], True, 0.0
    while waiting > 0:
        waiting -= 1
        s = queue[waiting]
        for row in range(first_row[s], first_row[s + 1]):
            if not staying[row]:
                continue
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if ways[o] == 0.0:
                    continue
                t, after = to[o], potential[s] - payoff[o, 0]
                if sum_error(potential[s], -payoff[o, 0], after) != 0.0:
                    return False
                if met[t]:
                    if potential[t] != after:
                        return False
                else:
                    met[t], potential[t] = True, after
                    queue[waiting] = t
                    waiting += 1
    return True


@kernel
def swing(first_row, first_outcome, ways, to, plus, staying, members, potential, enough, blur, drift, moved, paid):
    """k and `drift` of the members of an end component, with: however play cycles by the rows that stay, k + potential is not negative on
    average.

    The drift is the witness that the check asks for; k is the least that it proves, or `enough`. A good one is found by
    relative value iteration (White 1963), each step halved, so that it does not oscillate; k then tends to the least (Puterman
    1994, section 8.5.5). moved : float64[nodes, 1], paid : float64[outcomes, 1], scratch."""
    lowest, scale = np.inf, 0.0
    for s in members:
        lowest, scale = min(lowest, potential[s]), max(scale, abs(potential[s]))
    if -lowest <= enough or scale == 0.0:
        return max(enough, -lowest)
    step = np.empty(members.size)
    for _ in range(SWEEPS):
        most, least = average_steps(first_row, first_outcome, ways, to, staying, members, potential, drift, step)
        if most <= enough or most - least <= 2.0**-52 * scale:
            break
        origin = drift[members[0]] + step[0] / 2.0
        for i in range(members.size):
            drift[members[i]] += step[i] / 2.0 - origin
    found = enough
    for s in members:
        moved[s, 0] = drift[s]
    for s in members:
        for row in range(first_row[s], first_row[s + 1]):
            if staying[row]:
                first, last = first_outcome[row], first_outcome[row + 1]
                found = max(found, average_excess(first, last, ways, to, plus, paid, moved, blur, potential[s], s))
    return found


@inner
def average_steps(first_row, first_outcome, ways, to, staying, members, potential, drift, step):
    """Fill `step` with the most that the drift gains at a member, less its potential; returns the largest and the least."""
    largest, smallest = -np.inf, np.inf
    for i in range(members.size):
        s = members[i]
        most = -np.inf
        for row in range(first_row[s], first_row[s + 1]):
            if staying[row]:
                total, weight = 0.0, 0.0
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    if ways[o] != 0.0:
                        total += ways[o] * drift[to[o]]
                        weight += ways[o]
                most = max(most, total / weight)
        step[i] = (most - potential[s]) - drift[s]
        largest, smallest = max(largest, step[i]), min(smallest, step[i])
    return largest, smallest


@inner
def longest_stay(first_row, first_outcome, ways, to, error, discount, excess, least, group, share, rise):
    """Fill rise : float64[n], the largest sum of (excess + drop) along any play, groups acting as single states; False if policy iteration
    fails. Groups without a row whose excess is above `least` need none. `share` : the drop, relative to the largest excess or 1e-6 of
    the errors outside."""
    n = rise.size
    place, count = np.full(2 * n, -1, np.int64), 0
    node = np.empty(first_outcome.size - 1, np.int64)
    for s in range(n):
        for row in range(first_row[s], first_row[s + 1]):
            node[row] = s
            if excess[row] > least and place[group[s]] < 0:
                place[group[s]] = count
                count += 1
    gain, most = 0.0, 0.0
    for row in range(node.size):
        if place[group[node[row]]] >= 0 and excess[row] > -np.inf:
            away, weight = known_later(first_outcome, ways, to, error, group, place, row, n)
            gain, most = max(gain, excess[row]), max(most, discount * away / weight)
    drop = max(share * max(gain, 1e-6 * most), 1e-150)
    best, policy, x = np.full(count, -np.inf), np.full(count, -1, np.int64), np.zeros(count)
    for row in range(node.size):
        k = place[group[node[row]]]
        if k >= 0 and excess[row] > -np.inf:
            worth = reward_of(first_outcome, ways, to, error, discount, excess, least, group, place, drop, row, n)
            if worth > best[k]:
                best[k], policy[k] = worth, row
    matrix = np.empty((count, count))
    for _ in range(ROUNDS):
        for k in range(count):
            for i in range(count):
                matrix[k, i] = 1.0 if i == k else 0.0
            row = policy[k]
            x[k] = reward_of(first_outcome, ways, to, error, discount, excess, least, group, place, drop, row, n)
            weight = weight_of(first_outcome, ways, row)
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if to[o] < n and place[group[to[o]]] >= 0:
                    matrix[k, place[group[to[o]]]] -= discount * ways[o] / weight
        if not eliminate(matrix, x):
            return False
        for k in range(count):
            if not 0.0 <= x[k] < np.inf:
                return False
            best[k] = x[k]
        switched = False
        for row in range(node.size):
            k = place[group[node[row]]]
            if k < 0 or not excess[row] > -np.inf:
                continue
            worth = reward_of(first_outcome, ways, to, error, discount, excess, least, group, place, drop, row, n)
            weight = weight_of(first_outcome, ways, row)
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if to[o] < n and place[group[to[o]]] >= 0:
                    worth += discount * ways[o] / weight * x[place[group[to[o]]]]
            if worth > best[k] + SWITCH * max(x[k], abs(worth)):
                best[k], policy[k], switched = worth, row, True
        if not switched:
            for s in range(n):
                rise[s] = x[place[group[s]]] if place[group[s]] >= 0 else 0.0
            return True
    return False


@inner
def weight_of(first_outcome, ways, row):
    weight = 0.0
    for o in range(first_outcome[row], first_outcome[row + 1]):
        weight += ways[o]
    return weight


@inner
def known_later(first_outcome, ways, to, error, group, place, row, n):
    """(sum of the ways to where the error is known times that error, sum of all ways) of a row."""
    away, weight = 0.0, 0.0
    for o in range(first_outcome[row], first_outcome[row + 1]):
        weight += ways[o]
        if to[o] >= n:
            away += ways[o] * error[to[o], 0]
    return away, weight


@inner
def reward_of(first_outcome, ways, to, error, discount, excess, least, group, place, drop, row, n):
    """What a row adds to the rise by itself: its excess, the drop, and what is known of the rise that comes after."""
    away, weight = known_later(first_outcome, ways, to, error, group, place, row, n)
    gain = max(excess[row], 0.0) if excess[row] > least else excess[row]
    return gain + drop + discount * away / weight
