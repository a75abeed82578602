"""Finding the states of a game: the successors of states according to the rules are examined and entered; at the end all states are
numbered in component order.

States have numbers in the order in which they are found, and are asked about in this order: breadth first. `table` maps a key to a
state's number (-1: none), either by the key itself (`direct`) or by its hash; keys[number] is its key, a row of words if keys have several
(states/keys.py).
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.calling import called
from zermelo.kernels.kernel import kernel
from zermelo.kernels.status import (
    BACK,
    BAD_PAYOFF,
    BAD_PLAYER,
    BAD_SIGN,
    BAD_STATE,
    BAD_WAYS,
    BRANCHES,
    CHOICES,
    CLOSE,
    COMPONENTS,
    CYCLES,
    DONE,
    ENTERED,
    FINALS,
    FOUND,
    GROW,
    LARGEST,
    LINKS,
    MIXED_FINAL,
    MOST_ACTIONS,
    NO_OUTCOME,
    ODD_WAYS,
    ONE_IDLE,
    OUTCOMES,
    OUTSIDE,
    PASSES,
    PAYS,
    PAYS_NEGATIVE,
    PLAYER_0,
    PLAYER_1,
    ROWS,
    SMALLEST,
    TOO_MANY,
)
from zermelo.kernels.tables import hashed_place, hashed_row


@kernel
def enter_keys(table, direct, keys, found, c):
    """Enter states that play may begin with, by their keys `found`."""
    for k in range(len(found)):
        if found.ndim == 1:  # noqa: SIM108  (numba drops the impossible branch of an `if` statement only)
            place = found[k] if direct else hashed_place(table, keys, found[k])
        else:
            place = hashed_row(table, keys, found, k)
        if table[place] < 0:
            slot = c[FOUND]
            table[place] = slot
            keys[slot] = found[k]
            c[FOUND] += 1


@kernel
def enter_steps(
    table, direct, keys, states, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, begin, link, c
):  # fmt: skip
    """Examine and enter what follows from the next `states` states, which `write_steps` (link/templates/steps.py) has written. There must
    be room for all.

    link[begin[s] : begin[s+1]] become the states that follow from state s. Returns a status; `c` holds the counters: c[ENTERED] states have
    been dealt with, also if it stops before the last one.
    """
    payoffs = payoff_of.shape[1]
    for i in range(states):
        slot = c[ENTERED]
        c[BAD_STATE] = slot
        first, last = row_of[i], row_of[i + 1]
        c[LINKS] = begin[slot]
        pays, negative = False, False
        for row in range(first, last):
            if outcome_of[row] == outcome_of[row + 1]:
                return NO_OUTCOME
            total, most, whole = 0.0, 0.0, True
            for o in range(outcome_of[row], outcome_of[row + 1]):
                if not (ways_of[o] >= SMALLEST and ways_of[o] <= LARGEST):
                    return BAD_WAYS
                total += ways_of[o]
                most = max(most, ways_of[o])
                whole &= ways_of[o] == np.floor(ways_of[o])
                for j in range(payoffs):
                    if not abs(payoff_of[o, j]) <= LARGEST:
                        return BAD_PAYOFF
                    pays |= payoff_of[o, j] != 0.0
                    negative |= payoff_of[o, j] < 0.0
                if key_of.ndim == 1:
                    key = key_of[o]
                    if key < 0:
                        return OUTSIDE
                    place = key if direct else hashed_place(table, keys, key)
                else:
                    if key_of[o, 0] < 0:
                        return OUTSIDE
                    place = hashed_row(table, keys, key_of, o)
                if sign_of[o] == 0:
                    return BAD_SIGN
                c[PASSES] |= sign_of[o] < 0
                near = table[place]
                if near < 0:
                    near = c[FOUND]
                    table[place] = near
                    keys[near] = key_of[o]
                    c[FOUND] += 1
                elif near <= slot:
                    c[BACK] |= near == slot or begin[near] < begin[near + 1]
                link[c[LINKS]] = near
                c[LINKS] += 1
            if not whole and most <= 1.0 and abs(total - 1.0) > CLOSE and c[ODD_WAYS] == 0:
                c[ODD_WAYS] = 1 + slot
            c[BRANCHES] |= outcome_of[row + 1] - outcome_of[row] > 1
        if first == last:
            if player_of[i] < 0:
                return ONE_IDLE
            c[FINALS] += 1
            for j in range(payoffs):
                if not abs(final_of[i, j]) <= LARGEST:
                    return BAD_PAYOFF
                negative |= final_of[i, j] < 0.0
            if not (final_of[i, 0] == 0.0 or final_of[i, 0] == 1.0 or final_of[i, 0] == -1.0):
                c[MIXED_FINAL] = 1
        else:
            if player_of[i] < 0:
                return BAD_PLAYER
            c[PLAYER_0] |= player_of[i] == 0
            c[PLAYER_1] |= player_of[i] == 1
        begin[slot + 1] = c[LINKS]
        c[ENTERED] += 1
        c[ROWS] += last - first
        c[OUTCOMES] += outcome_of[last] - outcome_of[first]
        c[PAYS] |= pays
        c[PAYS_NEGATIVE] |= negative
        c[CHOICES] |= last - first > 1
        c[MOST_ACTIONS] = max(c[MOST_ACTIONS], last - first)
    return DONE


@kernel
def search(
    integers, floats, layout, write_steps, table, direct, keys, begin, link, c, most, wide,
    at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of,
):  # fmt: skip
    """Enter the successors of the waiting states, a batch at a time, until no state waits, or `wide` ones, `most` states have been
    found, or there may be no room for the successors of a batch. Returns a status, `c` holds the counters. Should a rule raise,
    what `at` says has been written of the states from c[ENTERED] on has not been entered.

    write_steps : that of link/templates/steps.py, as `called` takes it; integers, floats, layout : what it is given."""
    room = len(ways_of)
    while 0 < c[FOUND] - c[ENTERED] < wide and c[FOUND] <= most:
        if c[FOUND] + room > len(keys) or c[LINKS] + room > len(link) or (not direct and 2 * (c[FOUND] + room) > len(table)):
            return GROW
        waiting = keys[c[ENTERED] : c[FOUND]]
        written = called(write_steps, (
            integers, floats, layout, waiting, at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of,
        ))  # fmt: skip
        if written == 0:
            return TOO_MANY
        status = enter_steps(
            table, direct, keys, written, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, begin, link, c
        )  # fmt: skip
        if status != DONE:
            return status
    return DONE


@kernel
def numbers_of(table, direct, keys, found, number):
    """number[k] : the number of the state with the key found[k]."""
    for k in range(len(number)):
        if found.ndim == 1:
            number[k] = table[found[k] if direct else hashed_place(table, keys, found[k])]
        else:
            number[k] = table[hashed_row(table, keys, found, k)]


@kernel
def order_backwards(begin, number, order):
    """Number the states of a game in which play never goes back (not c[BACK]): final ones first, then the others in reverse order of
    discovery, so that all successors of a state have smaller numbers. The arrays are those of `order_components`."""
    n = len(number)
    placed = 0
    for is_final in (True, False):
        for s in range(n - 1, -1, -1):
            if (begin[s] == begin[s + 1]) == is_final:
                order[placed], number[s] = s, placed
                placed += 1


@kernel
def order_components(roots, begin, link, marks, number, order, starts, looped, c):
    """Number the states in component order, successors first (Tarjan 1972).

    link[begin[s] : begin[s+1]] are the states that follow from state s; the states 0..roots-1 are where the search begins.
    number[s] becomes its number, order[number[s]] = s; starts[i] is the first number of component i
    and looped[i] : uint8 whether play can return to it. `c` holds the counters.

    marks : whole numbers [n, 4], scratch that holds a number of links: what is known of a state lies side by side, since states are met in
    an order in which each is a wait for memory.
    """
    n = len(number)
    met, low, left, first = 0, 1, 2, 3  # when it was met, n once its component is complete; the links still to be followed, last first
    for s in range(n):
        marks[s, met], marks[s, left], marks[s, first] = -1, begin[s + 1] - begin[s], begin[s]
    path, open_states = np.empty(n, number.dtype), np.empty(n, number.dtype)
    returns = np.zeros(n, np.uint8)  # it can be its own successor
    count, placed, opened, components = 0, 0, 0, 0
    for root in range(roots):
        if marks[root, met] >= 0:
            continue
        depth = 0
        path[0] = root
        while depth >= 0:
            s = path[depth]
            if marks[s, met] < 0:
                marks[s, met] = count
                marks[s, low] = count
                count += 1
                open_states[opened] = s
                opened += 1
            deeper = False
            lowest = marks[s, low]
            links, links_left = marks[s, first], marks[s, left]
            while links_left > 0:
                links_left -= 1
                t = link[links + links_left]
                when = marks[t, met]
                if when < 0:
                    depth += 1
                    path[depth] = t
                    deeper = True
                    break
                if when < lowest:
                    lowest = when
                elif t == s:
                    returns[s] = 1
            marks[s, low], marks[s, left] = lowest, links_left
            if deeper:
                continue
            depth -= 1
            if lowest == marks[s, met]:
                starts[components] = placed
                looped[components] = open_states[opened - 1] != s or returns[s] == 1
                c[CYCLES] += looped[components]
                components += 1
                member = -1
                while member != s:
                    opened -= 1
                    member = open_states[opened]
                    marks[member, met] = n
                    order[placed] = member
                    placed += 1
            elif lowest < marks[path[depth], low]:
                marks[path[depth], low] = lowest
    for k in range(n):
        number[order[k]] = k
    c[COMPONENTS] = components
