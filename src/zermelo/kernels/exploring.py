"""Finding the states of a game: the successors of states according to the rules are examined and entered; at the end all states are
numbered in component order.

States have numbers in the order in which they are found, and are asked about in this order: breadth first. `table` maps a key to a
state's number (-1: none), either by the key itself (`direct`) or by its hash; keys[number] is its key, a row of words if keys have several
(states/keys.py).
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.calling import called
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.meeting import LOOKS, increase, is_first_to_increase, latest, let_others_run
from zermelo.kernels.prefetch import fetch, pointer, uncounted
from zermelo.kernels.status import (
    AT_FAULT,
    BACK,
    BAD_STATE,
    BRANCHES,
    CHOICES,
    CLOSE,
    COMPONENTS,
    COUNTERS,
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
    ODD_WAYS,
    OUTCOMES,
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


@inner
def examine_steps(states, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, seen):
    """Examine what `write_steps` (link/templates/steps.py) has written of the next `states` states. Returns a status: DONE or AT_FAULT;
    seen : int64[COUNTERS], what is said by all states before the first one at fault, seen[ENTERED] in number; seen[ODD_WAYS] counts from
    the first of them."""
    good, bad, size = 0, states + 1, states  # so many states are not at fault; one of so many is
    while True:
        if _note(size, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, seen):
            good = size
        else:
            bad = size
        if size == good and good + 1 == bad:
            return DONE if good == states else AT_FAULT
        size = (good + bad) // 2


@inner
def _note(states, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, seen):
    """Note what is said of so many states. Returns whether nothing is wrong. The loops have no exit, so that several numbers are looked at
    at once."""
    rows, payoffs = row_of[states], payoff_of.shape[1]
    outcomes = outcome_of[rows]
    good, whole, passes, pays, negative = True, True, False, False, False
    for o in range(outcomes):
        ways, sign = ways_of[o], sign_of[o]
        good &= (ways >= SMALLEST) & (ways <= LARGEST) & (sign != 0)
        whole &= ways == np.floor(ways)
        passes |= sign < 0
    if key_of.ndim == 1:
        for o in range(outcomes):
            good &= key_of[o] >= 0
    else:
        for o in range(outcomes):
            good &= key_of[o, 0] >= 0
    paid = pointer(payoff_of)
    for k in range(outcomes * payoffs):
        payoff = fetch(paid, k)
        good &= abs(payoff) <= LARGEST
        pays |= payoff != 0.0
        negative |= payoff < 0.0
    branches, odd = False, 0
    for row in range(rows):
        size = outcome_of[row + 1] - outcome_of[row]
        good &= size > 0
        branches |= size > 1
    finals, most, mixed, first_moves, second_moves = 0, 0, False, False, False
    for i in range(states):
        actions, player = row_of[i + 1] - row_of[i], player_of[i]
        good &= player >= 0
        most = max(most, actions)
        if actions > 0:
            first_moves |= player == 0
            second_moves |= player == 1
            continue
        finals += 1
        mixed |= not (final_of[i, 0] == 0.0 or final_of[i, 0] == 1.0 or final_of[i, 0] == -1.0)
        for j in range(payoffs):
            good &= abs(final_of[i, j]) <= LARGEST
            negative |= final_of[i, j] < 0.0
    if not whole:
        for i in range(states):
            for row in range(row_of[i], row_of[i + 1]):
                if odd == 0 and _is_odd(ways_of[outcome_of[row] : outcome_of[row + 1]]):
                    odd = 1 + i
    seen[ENTERED], seen[ROWS], seen[OUTCOMES], seen[FINALS], seen[MOST_ACTIONS], seen[ODD_WAYS] = states, rows, outcomes, finals, most, odd
    seen[PASSES], seen[PAYS], seen[PAYS_NEGATIVE], seen[BRANCHES], seen[MIXED_FINAL] = passes, pays, negative, branches, mixed
    seen[PLAYER_0], seen[PLAYER_1], seen[CHOICES] = first_moves, second_moves, most > 1
    return good


@inner
def _is_odd(ways):
    """Whether ways look like probabilities, but do not sum to 1."""
    total, most, whole = 0.0, 0.0, True
    for k in range(len(ways)):
        total += ways[k]
        most = max(most, ways[k])
        whole &= ways[k] == np.floor(ways[k])
    return not whole and most <= 1.0 and abs(total - 1.0) > CLOSE


@inner
def enter_examined(table, direct, keys, row_of, outcome_of, key_of, begin, link, c, seen):
    """Enter what follows from the next states, seen[ENTERED] in number. There must be room for all.

    link[begin[s] : begin[s+1]] become the states that follow from state s; `c` holds the counters: c[ENTERED] states have been dealt with.
    """
    found, back, first = c[FOUND], False, c[ENTERED]
    for i in range(seen[ENTERED]):
        slot = first + i
        links = begin[slot]
        for o in range(outcome_of[row_of[i]], outcome_of[row_of[i + 1]]):
            if key_of.ndim == 1:  # noqa: SIM108  (numba drops the impossible branch of an `if` statement only)
                place = key_of[o] if direct else hashed_place(table, keys, key_of[o])
            else:
                place = hashed_row(table, keys, key_of, o)
            near = table[place]
            if near < 0:
                near = found
                table[place] = near
                keys[near] = key_of[o]
                found += 1
            elif near <= slot:
                back |= near == slot or begin[near] < begin[near + 1]
            link[links] = near
            links += 1
        begin[slot + 1] = links
    if seen[ODD_WAYS] > 0 and c[ODD_WAYS] == 0:
        c[ODD_WAYS] = first + seen[ODD_WAYS]
    c[FOUND], c[LINKS] = found, begin[first + seen[ENTERED]]
    c[BACK] |= back
    c[MOST_ACTIONS] = max(c[MOST_ACTIONS], seen[MOST_ACTIONS])
    for sum_of in (ENTERED, ROWS, OUTCOMES, FINALS):
        c[sum_of] += seen[sum_of]
    for fact in (BRANCHES, PASSES, PLAYER_0, PLAYER_1, CHOICES, PAYS, PAYS_NEGATIVE, MIXED_FINAL):
        c[fact] |= seen[fact]
    c[BAD_STATE] = c[ENTERED]  # if one is at fault, it is the next one


@kernel
def enter_steps(
    table, direct, keys, states, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, begin, link, c
):  # fmt: skip
    """Examine what follows from the next `states` states, and enter it up to the first state at fault. Returns a status."""
    seen = np.zeros(COUNTERS, np.int64)
    why = examine_steps(states, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, seen)
    enter_examined(table, direct, keys, row_of, outcome_of, key_of, begin, link, c, seen)
    return why


@kernel
def search(
    integers, floats, layout, write_steps, table, direct, keys, begin, link, c, most, wide,
    at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of,
):  # fmt: skip
    """Enter the successors of the waiting states, a batch at a time, until no state waits, or `wide` ones, `most` states have been
    found, or there may be no room for the successors of a batch. Returns a status, `c` holds the counters. Should a rule raise,
    what `at` says has been written of the states from c[ENTERED] on has not been entered.

    write_steps : that of link/templates/steps.py, as `called` takes it; integers, floats, layout : what it is given."""
    room, seen = len(ways_of), np.zeros(COUNTERS, np.int64)
    while 0 < c[FOUND] - c[ENTERED] < wide and c[FOUND] <= most:
        if c[FOUND] + room > len(keys) or c[LINKS] + room > len(link) or (not direct and 2 * (c[FOUND] + room) > len(table)):
            return GROW
        waiting = keys[c[ENTERED] : c[FOUND]]
        written = called(write_steps, (
            integers, floats, layout, waiting, at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of,
        ))  # fmt: skip
        if written == 0:
            return TOO_MANY
        status = examine_steps(written, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, seen)
        enter_examined(table, direct, keys, row_of, outcome_of, key_of, begin, link, c, seen)
        if status != DONE:
            return status
    return DONE


# Places of what the threads of `search_together` share, each in a line of the cache of its own: batches that threads have taken, batches
# that may be expanded, whether it is over; and for each room, how often it has been filled.
TURNS, OFFERED, OVER, READY = (8 * place for place in range(4))
LOW, HIGH, WRITTEN, WHY = range(COUNTERS, COUNTERS + 4)  # places in what is said of the batch in a room, after the counters
SAID = 32
PATIENCE = LOOKS + 100  # looks until the first thread expands a batch itself that another one has taken
IDLE = LOOKS + 20_000  # looks until another thread with nothing to do leaves


@kernel
def search_together(
    integers, floats, layout, write_steps, table, direct, keys, begin, link, c, most, narrow, shared, said,
    at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of, first,
):  # fmt: skip
    """The same as `search` by several threads, which all call it: one of them is the `first`. It offers batches of waiting states, and
    enters what follows from them, in order, so that states are found in the same order as by one thread. All others, and the first while
    the batch that it has to enter is not ready, expand and examine them. It does not wait for a thread that was taken off its processor.
    It ends where fewer than `narrow` states wait, 1 or more.

    shared : int64[READY + 8 rooms], zeros; said : int64[rooms + 1, SAID]; the arrays of a batch have as many rows, the last one for the
    first thread alone. Returns a status; what has been expanded and not entered is dropped. If a rule raises in one thread, the caller
    must set shared[OVER]."""
    keys, at, row_of, outcome_of, ways_of = uncounted(keys), uncounted(at), uncounted(row_of), uncounted(outcome_of), uncounted(ways_of)
    key_of, sign_of, payoff_of, final_of = uncounted(key_of), uncounted(sign_of), uncounted(payoff_of), uncounted(final_of)
    player_of, own_of, said = uncounted(player_of), uncounted(own_of), uncounted(said)  # counting takes longer than what threads gain
    places, rooms = pointer(shared), len(at) - 1
    offered, entered, asked, why = 0, 0, c[ENTERED], DONE
    alone, is_offered = False, False  # the first has expanded a batch in its own room; whether this batch had been offered
    looks, lately = 0, 0  # lately : outcomes a state
    while latest(places, OVER) == 0 and (first or looks < IDLE):
        r, turn = -1, latest(places, TURNS)  # r : the room for the batch to be expanded
        if first:
            if why != DONE or c[FOUND] - c[ENTERED] < narrow or c[FOUND] > most:
                break
            size = ways_of.shape[1] // (2 * (1 + max(c[OUTCOMES] // max(c[ENTERED], 1), lately)))
            size = max(1, min(size, player_of.shape[1], (c[FOUND] - c[ENTERED]) // rooms))
            while offered - entered < rooms and c[FOUND] - asked >= size:
                of = offered % rooms
                if latest(places, READY + 8 * of) < offered // rooms:  # a thread has come late
                    break
                said[of, LOW], said[of, HIGH] = asked, asked + size
                asked += size
                offered += 1
                increase(places, OFFERED)
            of = rooms if alone else entered % rooms
            if alone or (entered < offered and latest(places, READY + 8 * of) > entered // rooms):
                room = outcome_of[of, row_of[of, said[of, WRITTEN]]]
                if c[FOUND] + room > len(keys) or c[LINKS] + room > len(link) or (not direct and 2 * (c[FOUND] + room) > len(table)):
                    why = GROW
                    continue
                is_offered |= not alone
                why = said[of, WHY]
                enter_examined(table, direct, keys, row_of[of], outcome_of[of], key_of[of], begin, link, c, said[of])
                lately = said[of, OUTCOMES] // max(said[of, ENTERED], 1)
                if why != DONE or c[ENTERED] == said[of, HIGH]:
                    entered += is_offered
                    alone, is_offered, looks = False, False, 0
                    continue
                if said[of, WRITTEN] == 0:
                    why = TOO_MANY
                    continue
                said[rooms, HIGH], said[rooms, LOW], r = said[of, HIGH], c[ENTERED], rooms  # the rest, for which there was no room
            elif turn < offered:
                r = turn % rooms if is_first_to_increase(places, TURNS, turn) else -1
            elif entered == offered:
                size = min(size, c[FOUND] - asked)
                said[rooms, LOW], said[rooms, HIGH], r = asked, asked + size, rooms
                asked += size
            elif looks > PATIENCE:
                said[rooms, LOW], said[rooms, HIGH], r, is_offered = said[of, LOW], said[of, HIGH], rooms, True
        elif turn < latest(places, OFFERED) and is_first_to_increase(places, TURNS, turn):
            r = turn % rooms
        if r < 0:
            looks += 1
            if looks > LOOKS:
                let_others_run()
            continue
        written = called(write_steps, (
            integers, floats, layout, keys[said[r, LOW] : said[r, HIGH]], at[r], row_of[r], outcome_of[r], ways_of[r], key_of[r],
            sign_of[r], payoff_of[r], final_of[r], player_of[r], own_of[r],
        ))  # fmt: skip
        said[r, WRITTEN], looks = written, 0
        said[r, WHY] = examine_steps(
            written, row_of[r], outcome_of[r], ways_of[r], key_of[r], sign_of[r], payoff_of[r], final_of[r], player_of[r], said[r]
        )
        if r == rooms:
            alone = True
        else:
            increase(places, READY + 8 * r)
    if first:
        increase(places, OVER)
    return why


@kernel
def numbers_of(table, direct, keys, found, number):
    """number[k] : the number of the state with the key found[k]."""
    for k in range(len(number)):
        if found.ndim == 1:
            number[k] = table[found[k] if direct else hashed_place(table, keys, found[k])]
        else:
            number[k] = table[hashed_row(table, keys, found, k)]


@kernel
def order_backwards(begin, keys, number, ordered):
    """Number the states of a game in which play never goes back (not c[BACK]): final ones first, then the others in reverse order of
    discovery, so that all successors of a state have smaller numbers. The arrays are those of `order_components`."""
    n = len(number)
    placed = 0
    for is_final in (True, False):
        for s in range(n - 1, -1, -1):
            if (begin[s] == begin[s + 1]) == is_final:
                ordered[placed], number[s] = keys[s], placed
                placed += 1


@kernel
def order_components(roots, begin, link, keys, marks, number, ordered, starts, looped, c):
    """Number the states in component order, successors first (Tarjan 1972).

    link[begin[s] : begin[s+1]] are the states that follow from state s; the states 0..roots-1 are where the search begins.
    number[s] becomes its number, and ordered[number[s]] its key keys[s]; starts[i] is the first number of component i and
    looped[i] : uint8 whether play can return to it. `c` holds the counters.

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
                    number[member] = placed
                    ordered[placed] = keys[member]
                    placed += 1
            elif lowest < marks[path[depth], low]:
                marks[path[depth], low] = lowest
    c[COMPONENTS] = components
