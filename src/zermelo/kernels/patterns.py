"""Stages whose states form the same pattern again and again: in a race, a turn is the same whatever the opponent has banked.

A *pattern* is the graph of the states that follow from an entry, up to the next entries (its *exits*) and the ends of play, for all values
of a passthrough field (language/passthrough.py). It is found once, by running the rules; for each value only the keys of the exits
differ. Everything of a pattern but its exits is in depth-first post-order, so that values are computed from first to last.

**Values.** Of the entries of one stage each may lead to one of the same stage, itself included. Given guesses u of their values, one sweep
gives F(u), its slopes, and so a step of Newton's method for u = F(u): policy iteration, as in kernels/block.py.

**Bound.** The same sweep finds numbers a(s), b(s) such that e(s) = a(s) + b(s) E satisfies the inequality of kernels/verify_block.py,

    e(s) >= c + h(r) + sum of p(o) * e(to[o])         for all rows r of s,

if the exit to the entry of the same stage has the error E, whatever E <= LIMIT is. A row's h is what the rounding of its sum may be,
plus how much worse it is than the best row (not positive). For that exit, the rest F(u) - u takes the place of h, which leaves one
equation for the E of each entry; the solution is enlarged a little, and checked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from zermelo.kernels.block import ROUNDS, in_order
from zermelo.kernels.inner import inner
from zermelo.kernels.newton import eliminate
from zermelo.kernels.prefetch import fetch
from zermelo.kernels.status import ALL_NODES, ALL_OUTCOMES, ALL_ROWS, DONE, HARD, LARGEST_BLOCK, NOT_READY
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.twice import fused, product_error, sum_error
from zermelo.kernels.verify_block import U

DROP = 1e-30  # c
LIMIT = 1e-9  # of E, relative to the largest value
MANY = 1000  # so many numbers back it is looked whether the same ways are there already
NOT_MOVED, ENDED, UNKNOWN = -1, -2, -3  # of an exit: its key is the same for all values; play is over
IS_ENTRY = -2  # the policy of nodes that are exits (link/templates/entered_rules.py)


class Patterns(NamedTuple):
    """All patterns of a game, one after the other, as small as can be: a sweep is as fast as they can be read from memory.

    Nodes, their rows and outcomes are read in turn. A node with `kind` k > 0 is a choice of k rows with one outcome each, which is certain;
    one with k < 0 has -k rows of any number of outcomes, whose ways many rows have in common."""

    of_entry: np.ndarray  # int32[entries], the pattern of each entry
    handed: np.ndarray  # int64[entries], the value of the field that is handed on
    first_exit: np.ndarray  # int64[patterns + 1]
    key: np.ndarray  # int64[exits], without the handed value
    shift: np.ndarray  # int8[exits], where that is to be added; or NOT_MOVED or ENDED
    worth: np.ndarray  # float64[exits], of one that ENDED
    sign: np.ndarray  # float64[exits], -1 where it counts negated
    first_node: np.ndarray  # int64[patterns + 1]
    side: np.ndarray  # int8[nodes], 1 where the player to move maximises, -1 where he minimises
    kind: np.ndarray  # int32[nodes]
    first_row: np.ndarray  # int64[patterns + 1], of the rows of nodes with kind < 0
    outcomes: np.ndarray  # int32[rows], how many each has
    begin: np.ndarray  # int32[rows], where their ways begin, counted within the pattern
    first_outcome: np.ndarray  # int64[patterns + 1]
    to: np.ndarray  # int32[outcomes], counted within the pattern, exits first
    first_ways: np.ndarray  # int64[patterns + 1]
    ways: (
        np.ndarray
    )  # float64, of the outcomes of a row; then their sum, and what rounding may do to an average of ones
    rows: np.ndarray  # int64[patterns], the rows of all nodes


class Scratch(NamedTuple):
    """What is written while a pattern is read from blocks: the same arrays, of one pattern."""

    key: np.ndarray
    shift: np.ndarray
    worth: np.ndarray
    sign: np.ndarray
    side: np.ndarray
    kind: np.ndarray
    outcomes: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    ways: np.ndarray


def scratch(nodes: int, rows: int, outcomes: int) -> Scratch:
    """Room for a pattern of a block of at most this size."""
    exits = 2 * nodes
    return Scratch(
        np.empty(exits, np.int64), np.empty(exits, np.int8), np.empty(exits), np.empty(exits), np.empty(nodes, np.int8),
        np.empty(nodes, np.int32), np.empty(rows, np.int32), np.empty(rows, np.int32), np.empty(outcomes, np.int32),
        np.empty(outcomes + 2 * rows),
    )  # fmt: skip


@inner
def same_but_for(a, b, nodes, apart, own, shifts, moved):
    """Whether two blocks, of entries whose handed values differ by `apart`, are the same but for where this value stands.

    own : the shift of the slot that holds it, shifts : of those to which it may go. moved[i] : of the one where the exit i holds it,
    NOT_MOVED if none does; ENDED at ends of play."""
    for i in range(nodes):
        if a.first_row[i + 1] != b.first_row[i + 1] or a.policy[i] != b.policy[i]:
            return False
        between = b.keys[i] - a.keys[i]
        if a.policy[i] == IS_ENTRY:
            moved[i] = NOT_MOVED if between == 0 else UNKNOWN
            for shift in shifts:
                if between == apart << shift:
                    moved[i] = shift
            if moved[i] == UNKNOWN:
                return False
        elif a.first_row[i + 1] == a.first_row[i]:
            moved[i] = ENDED
            if a.value[i, 0] != b.value[i, 0]:
                return False
        elif between != apart << own or a.player[i] != b.player[i]:
            return False
    for row in range(a.first_row[nodes]):
        if a.first_outcome[row + 1] != b.first_outcome[row + 1] or a.total[row] != b.total[row]:
            return False
        if a.reward[row, 0] != 0.0 or b.reward[row, 0] != 0.0:
            return False
    for o in range(a.first_outcome[a.first_row[nodes]]):  # noqa: SIM110  (numba knows no `all`)
        if a.to[o] != b.to[o] or a.ways[o] != b.ways[o]:
            return False
    return True


@inner
def write_ways(block, row, ways, end):
    """The ways of a row, their sum and how rough it is, if they are not there yet. Returns (where they begin, the new end)."""
    first, count = block.first_outcome[row], block.first_outcome[row + 1] - block.first_outcome[row]
    for x in range(count):
        ways[end + x] = abs(block.ways[first + x])
    size = count + 2
    ways[end + count] = block.total[row]
    ways[end + count + 1] = block.loose[row] + (4.0 * count * U) ** 2  # the second: Ogita, Rump and Oishi 2005, Dot2
    for begin in range(max(0, end - MANY), end - size + 1):
        same = 0
        while same < size and ways[begin + same] == ways[end + same]:
            same += 1
        if same == size:
            return begin, end
    return end, end + size


@njit(cache=True)
def read_pattern(a, b, nodes, value, apart, own, shifts, out):
    """The pattern of two blocks, of entries with the handed values `value` and `value` + `apart`, to `out`.

    Returns its numbers of (exits, nodes, rows of nodes with kind < 0, outcomes, ways, all rows), or zeros if there is none: play
    circles, or pays on its way, or changes otherwise."""
    moved = np.empty(nodes, np.int8)
    if not same_but_for(a, b, nodes, apart, own, shifts, moved):
        return 0, 0, 0, 0, 0, 0
    placed, cut = in_order(nodes, a.first_row, a.first_outcome, a.to, a.order, a.slot, a.edge, a.stack)
    if cut > 0 or placed == 0:
        return 0, 0, 0, 0, 0, 0
    # 1. Exits, apart by the sign of the outcomes that lead there.
    number = np.full((nodes, 2), -1, np.int32)
    exits = 0
    for o in range(a.first_outcome[a.first_row[nodes]]):
        i, negated = a.to[o], int(a.ways[o] < 0.0)
        if a.first_row[i + 1] > a.first_row[i]:
            if negated:
                return 0, 0, 0, 0, 0, 0
        elif number[i, negated] < 0:
            number[i, negated] = exits
            held = 0 if moved[i] < 0 else value << moved[i]
            out.key[exits], out.shift[exits], out.sign[exits] = a.keys[i] - held, moved[i], 1.0 - 2.0 * negated
            out.worth[exits] = a.value[i, 0] if moved[i] == ENDED else 0.0
            exits += 1
    # 2. The other nodes.
    rows, filled, ways = 0, 0, 0
    for k in range(placed):
        s = a.order[k]
        number[s, 0] = exits + k
        out.side[k] = 1 - 2 * a.player[s]
        first, last = a.first_row[s], a.first_row[s + 1]
        is_choice = a.first_outcome[last] - a.first_outcome[first] == last - first
        out.kind[k] = last - first if is_choice else first - last
        for row in range(first, last):
            for o in range(a.first_outcome[row], a.first_outcome[row + 1]):
                out.to[filled] = number[a.to[o], int(a.ways[o] < 0.0)]
                filled += 1
            if not is_choice:
                out.outcomes[rows] = a.first_outcome[row + 1] - a.first_outcome[row]
                out.begin[rows], ways = write_ways(a, row, out.ways, ways)
                rows += 1
    return exits, placed, rows, filled, ways, a.first_row[nodes]


@inner
def sweep(patterns, p, largest, value, lean, sums):
    """Values of all nodes of the pattern p, and their (slope, a, b), three in a row of `lean`, from those of its exits.

    largest : of the absolute values of exits; sums : float64[most rows of a node, 4], scratch. Returns the last node, the entry."""
    side, kind, counts, begins, to, ways = (
        patterns.side, patterns.kind, patterns.outcomes, patterns.begin, patterns.to, patterns.ways
    )  # fmt: skip
    i = patterns.first_exit[p + 1] - patterns.first_exit[p]
    row, o, base = patterns.first_row[p], patterns.first_outcome[p], patterns.first_ways[p]
    clear = -4.0 * LIMIT * largest  # what is worse by more asks for less than the best row, whatever E is: `most_asked`
    for s in range(patterns.first_node[p], patterns.first_node[p + 1]):
        sign, rows = float(fetch(side, s)), fetch(kind, s)
        if rows > 0:
            best = fetch(to, o)
            most = sign * fetch(value, best)
            for x in range(o + 1, o + rows):
                t = fetch(to, x)
                worth = sign * fetch(value, t)
                if worth > most:
                    best, most = t, worth
            slope, a, b = fetch(lean, 3 * best), fetch(lean, 3 * best + 1), fetch(lean, 3 * best + 2)
            asked = a
            for x in range(o, o + rows):
                t = fetch(to, x)
                gap = sign * fetch(value, t) - most
                if gap > clear and t != best:
                    worse = gap + 4.0 * U * abs(gap) + fetch(lean, 3 * t + 1)
                    asked, b = max(asked, worse), max(b, fetch(lean, 3 * t + 2))
            o += rows
        else:
            k, most = 0, -np.inf
            for x in range(-rows):
                count, begin = fetch(counts, row), base + fetch(begins, row)
                total, rest, slope, a, b = 0.0, 0.0, 0.0, 0.0, 0.0
                for y in range(count):
                    t, w = fetch(to, o + y), fetch(ways, begin + y)
                    v = fetch(value, t)
                    term = w * v
                    now = total + term
                    rest += sum_error(total, term, now) + product_error(w, v, term)
                    total = now
                    slope += w * fetch(lean, 3 * t)
                    a += w * fetch(lean, 3 * t + 1)
                    b += w * fetch(lean, 3 * t + 2)
                all_ways, rough = fetch(ways, begin + count), fetch(ways, begin + count + 1)
                worth = total / all_ways
                worth += (fused(-worth, all_ways, total) + rest) / all_ways
                larger = (1.0 + (count + 16) * 4.0 * U) / all_ways
                sums[x, 0], sums[x, 1] = sign * worth, slope / all_ways
                sums[x, 2] = a * larger + (U * abs(worth) + rough * largest) * (1.0 + 1e-6)
                sums[x, 3] = b * larger
                worth *= sign
                if worth > most:
                    k, most = x, worth
                o += count
                row += 1
            slope, a, b = sums[k, 1], sums[k, 2], sums[k, 3]
            asked = a
            for x in range(-rows):
                gap = sums[x, 0] - most
                if gap > clear and x != k:
                    worse = gap + 4.0 * U * abs(gap) + sums[x, 2]
                    asked, b = max(asked, worse), max(b, sums[x, 3])
        value[i] = sign * most
        lean[3 * i], lean[3 * i + 1], lean[3 * i + 2] = slope, (asked + DROP) * (1.0 + 8.0 * U), b
        i += 1
    return i - 1


@inner
def most_asked(last, lean):
    """The largest a, and the largest b."""
    a, b = 0.0, 0.0
    for i in range(last + 1):
        a, b = max(a, lean[3 * i + 1]), max(b, lean[3 * i + 2])
    return a, b


@inner
def open_exits(patterns, p, handed, known_from, own, after, entries, value, lean, shared):
    """Fill in the exits of pattern p for a handed value. Returns (status, the entry of the same stage that it leads to or -1, the
    largest value).

    known_from : see link/templates/entered_rules.py; own .. after - 1 : entries of this stage; shared[sign]: the exits that lead to it."""
    _, _, first_exit, key, shift, worth, sign = patterns[:7]
    entry_keys, entry_table, entry_value, entry_error = entries
    target, largest = -1, 0.0
    shared[0], shared[1] = -1, -1
    for x in range(first_exit[p], first_exit[p + 1]):
        i = x - first_exit[p]
        value[i], lean[3 * i], lean[3 * i + 1], lean[3 * i + 2] = sign[x] * worth[x], 0.0, 0.0, 0.0
        if shift[x] != ENDED:
            wanted = key[x] if shift[x] == NOT_MOVED else key[x] + (handed << shift[x])
            entry = entry_table[hashed_place(entry_table, entry_keys, wanted)]
            if entry < own:  # none, or one of an earlier stage: it is told by who solves the stage in the general way
                return HARD, target, largest
            if entry < after:
                if target >= 0 and entry != target:
                    return HARD, target, largest
                target = entry
                shared[int(sign[x] < 0.0)] = i
                continue
            if not (entry >= known_from[1] or entry < known_from[0]):
                return NOT_READY, target, largest
            value[i], lean[3 * i + 1] = sign[x] * entry_value[entry, 0], entry_error[entry, 0]
        largest = max(largest, abs(value[i]))
    return DONE, target, largest


@inner
def errors(a, b, rest, target, own, error):
    """Fill `error` : float64[entries of the stage], E such that E >= c + rest + a + b * E(target); False if none is found."""
    n = a.size
    matrix = np.zeros((n, n))
    for k in range(n):
        matrix[k, k] = 1.0
        error[k] = 2.0 * DROP + rest[k] + a[k]
        if target[k] >= 0:
            matrix[k, target[k] - own] -= b[k]
    if not eliminate(matrix, error):
        return False
    for k in range(n):
        error[k] *= 1.0 + 1e-6
    for k in range(n):
        later = b[k] * error[target[k] - own] if target[k] >= 0 else 0.0
        if not (error[k] >= 0.0 and (2.0 * DROP + rest[k] + a[k] + later) * (1.0 + 16.0 * U) <= error[k]):
            return False
    return True


@inner
def extrapolated(entry_value, first, step, count):
    """A guess from the values of so many entries (0 to 3 of them), `step` apart: the line or parabola through them."""
    if count == 0:
        return 0.0
    guess = entry_value[first, 0]
    if count > 1:
        guess += entry_value[first, 0] - entry_value[first + step, 0]
    if count > 2:
        guess += entry_value[first, 0] - 2.0 * entry_value[first + step, 0] + entry_value[first + 2 * step, 0]
    return guess


@inner
def count_pattern(patterns, p, c):
    nodes = patterns.first_node[p + 1] - patterns.first_node[p] + patterns.first_exit[p + 1] - patterns.first_exit[p]
    c[ALL_NODES] += nodes
    c[ALL_ROWS] += patterns.rows[p]
    c[ALL_OUTCOMES] += patterns.first_outcome[p + 1] - patterns.first_outcome[p]
    c[LARGEST_BLOCK] = max(c[LARGEST_BLOCK], nodes)


@njit(cache=True, nogil=True)
def solve_by_patterns(patterns, own, after, guesses, known_from, entries, value, lean, sums, c):
    """Solve the stage with the entries own .. after - 1 and store their values and errors; `guesses` stages after it, which have as
    many entries and are solved, tell about where these will be. Returns DONE, NOT_READY, or HARD where this method does not do.

    value : float64[entries, nodes], lean : float64[entries, 3 * nodes], sums : float64[rows of a node, 4], scratch."""
    n = after - own
    _, _, entry_value, entry_error = entries
    if n > value.shape[0]:
        return HARD
    target, root, shared = np.empty(n, np.int64), np.empty(n, np.int64), np.empty((n, 2), np.int64)
    a, b, rest, error = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    guess, step, matrix = np.empty(n), np.empty(n), np.empty((n, n))
    largest = 0.0
    for k in range(n):
        status, target[k], most = open_exits(
            patterns, patterns.of_entry[own + k], patterns.handed[own + k], known_from, own, after, entries, value[k], lean[k], shared[k]
        )  # fmt: skip
        if status != DONE:
            return status
        largest = max(largest, most)
        guess[k] = extrapolated(entry_value, after + k, n, guesses)
    is_linked, last = False, np.inf
    for k in range(n):
        is_linked |= target[k] >= 0
    for _ in range(ROUNDS):
        far = 0.0
        matrix[:] = 0.0
        for k in range(n):
            matrix[k, k] += 1.0
            for negated in range(2):
                i = shared[k, negated]
                if i >= 0:
                    sign = 1.0 - 2.0 * negated
                    value[k, i] = sign * guess[target[k] - own]
                    lean[k, 3 * i], lean[k, 3 * i + 1], lean[k, 3 * i + 2] = sign, 0.0, 1.0
            root[k] = sweep(patterns, patterns.of_entry[own + k], largest, value[k], lean[k], sums)
            a[k], b[k] = lean[k, 3 * root[k] + 1], lean[k, 3 * root[k] + 2]
            step[k] = value[k, root[k]] - guess[k]
            if target[k] >= 0:
                matrix[k, target[k] - own] -= lean[k, 3 * root[k]]
            rest[k] = abs(step[k]) * (1.0 + 2.0 * U)
            far = max(far, rest[k])
        if not is_linked or far <= 8.0 * U * largest or (far <= 1e-12 * largest and far > 0.25 * last):
            break
        last = far
        if not eliminate(matrix, step):
            return HARD
        for k in range(n):
            guess[k] = min(max(guess[k] + step[k], -largest), largest)
    else:
        return HARD
    if is_linked and not errors(a, b, rest, target, own, error):
        return HARD
    for k in range(n):
        most_a, most_b = most_asked(root[k], lean[k])
        later = 0.0
        if target[k] >= 0:
            later = b[k] * error[target[k] - own]
            if not error[target[k] - own] <= LIMIT * largest:
                return HARD
        if not (most_a <= LIMIT * largest and most_b <= 2.0):
            return HARD
        entry_value[own + k, 0] = value[k, root[k]]
        entry_error[own + k, 0] = (a[k] + later) * (1.0 + 8.0 * U)
        count_pattern(patterns, patterns.of_entry[own + k], c)
    return DONE
