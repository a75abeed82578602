"""Stages whose states form the same pattern repeatedly: in a race, a turn is the same whatever the opponent has banked.

A *pattern* is the graph of the states that follow from an entry, up to the next entries (its *exits*) and the ends of play, for all values
of a passthrough field (language/passthrough.py). It is found once, by running the rules; for each value only the keys of the exits
differ. Everything of a pattern but its exits is in depth-first post-order, so that values are computed from first to last.

**Values.** Of the entries of one stage each may lead to one of the same stage, itself included. Given guesses u of their values, one sweep
gives F(u), its slopes, and so a step of Newton's method for u = F(u): policy iteration, as in kernels/block.py. After a step u is claimed.

**Bound.** kernels/verify_patterns.py goes from the claims to values and bounds, by a sweep of its own, which leaves one equation for the
error E of each entry. The solution is enlarged a little, proposed, and checked there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.block import ROUNDS, in_order
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import eliminate
from zermelo.kernels.prefetch import fetch
from zermelo.kernels.status import ALL_NODES, ALL_OUTCOMES, ALL_ROWS, DONE, HARD, LARGEST_BLOCK
from zermelo.kernels.twice import fused, product_error, sum_error
from zermelo.kernels.verify_block import U
from zermelo.kernels.verify_patterns import DROP, ENDED, NOT_MOVED, bound, bounded_sweep, claim, closes, open_exits

MANY = 1000  # numbers before the end, among which the same ways are looked for
UNKNOWN = -3  # of an exit, beside NOT_MOVED and ENDED: its key changes in another way
IS_ENTRY = -2  # the policy of nodes that are exits (link/templates/entered_rules.py)


class Patterns(NamedTuple):
    """All patterns of a game, one after the other, as compact as possible: a sweep is as fast as they can be read from memory.

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


@kernel
def read_pattern(a, b, nodes, value, apart, own, shifts, out):
    """The pattern of two blocks, of entries with the handed values `value` and `value` + `apart`, to `out`.

    Returns its numbers of (exits, nodes, rows of nodes with kind < 0, outcomes, ways, all rows), or zeros if there is none: play
    cycles, or pays on its way, or changes otherwise."""
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
def sweep(patterns, p, value, slope, sums):
    """Values and slopes of all nodes of the pattern p, from those of its exits.

    sums : float64[most rows of a node, 3], scratch. Returns the last node, the entry."""
    side, kind, counts, begins, to, ways = (
        patterns.side, patterns.kind, patterns.outcomes, patterns.begin, patterns.to, patterns.ways
    )  # fmt: skip
    i = patterns.first_exit[p + 1] - patterns.first_exit[p]
    row, o, base = patterns.first_row[p], patterns.first_outcome[p], patterns.first_ways[p]
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
            slope[i] = fetch(slope, best)
            o += rows
        else:
            k, most = 0, -np.inf
            for x in range(-rows):
                count, begin = fetch(counts, row), base + fetch(begins, row)
                total, rest, lean = 0.0, 0.0, 0.0
                for y in range(count):
                    t, w = fetch(to, o + y), fetch(ways, begin + y)
                    v = fetch(value, t)
                    term = w * v
                    now = total + term
                    rest += sum_error(total, term, now) + product_error(w, v, term)
                    total = now
                    lean += w * fetch(slope, t)
                all_ways = fetch(ways, begin + count)
                worth = total / all_ways
                worth += (fused(-worth, all_ways, total) + rest) / all_ways
                worth *= sign
                sums[x, 0] = lean / all_ways
                if worth > most:
                    k, most = x, worth
                o += count
                row += 1
            slope[i] = sums[k, 0]
        value[i] = sign * most
        i += 1
    return i - 1


@inner
def newton_system(patterns, own, guess, target, shared, value, slope, sums, matrix, step):
    """The equations of a step of Newton's method from the guesses, to `matrix` and `step`; returns how far F(u) is from u."""
    far = 0.0
    matrix[:] = 0.0
    for k in range(guess.size):
        p = patterns.of_entry[own + k]
        for i in range(patterns.first_exit[p + 1] - patterns.first_exit[p]):
            slope[k, i] = 0.0
        for negated in range(2):
            i = shared[k, negated]
            if i >= 0:
                sign = 1.0 - 2.0 * negated
                value[k, i], slope[k, i] = sign * guess[target[k] - own], sign
        root = sweep(patterns, p, value[k], slope[k], sums)
        step[k] = value[k, root] - guess[k]
        matrix[k, k] += 1.0
        if target[k] >= 0:
            matrix[k, target[k] - own] -= slope[k, root]
        far = max(far, abs(step[k]) * (1.0 + 2.0 * U))
    return far


@inner
def bounded(patterns, own, guess, target, shared, largest, value, asked, sums, a, b, rest, root):
    """Values and what bounds them (kernels/verify_patterns.py) if the guesses are claimed; returns how far F(u) is from u."""
    far = 0.0
    for k in range(guess.size):
        if target[k] >= 0:
            claim(shared[k], guess[target[k] - own], value[k], asked[k])
        root[k] = bounded_sweep(patterns, patterns.of_entry[own + k], largest, value[k], asked[k], sums)
        a[k], b[k] = asked[k, 2 * root[k]], asked[k, 2 * root[k] + 1]
        rest[k] = abs(value[k, root[k]] - guess[k]) * (1.0 + 2.0 * U)
        far = max(far, rest[k])
    return far


@inner
def is_close(far, last, largest):
    """Whether F(u) is as close to u as rounding allows."""
    return far <= 8.0 * U * largest or (far <= 1e-12 * largest and far > 0.25 * last)


@inner
def propose(a, b, rest, target, own, error):
    """Fill `error` : float64[entries of the stage], E such that, but for rounding, E = c + rest + a + b * E(target), and a little more."""
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


@kernel
def solve_by_patterns(patterns, own, after, guesses, known_from, entries, value, slope, asked, sums, c):
    """Solve the stage with the entries own .. after - 1 and store their values and errors; `guesses` stages after it, which have as
    many entries and are solved, tell about where these will be. Returns DONE, NOT_READY, or HARD where this method fails.

    value, slope : float64[entries, nodes], asked : float64[entries, 2 * nodes], sums : float64[rows of a node, 3], scratch."""
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
            patterns, patterns.of_entry[own + k], patterns.handed[own + k], known_from, own, after, entries, value[k], asked[k], shared[k]
        )  # fmt: skip
        if status != DONE:
            return status
        largest = max(largest, most)
        guess[k] = extrapolated(entry_value, after + k, n, guesses)
    is_linked, last = False, np.inf
    for k in range(n):
        is_linked |= target[k] >= 0
    for turn in range(ROUNDS):
        far = 0.0
        if is_linked and turn == 0:
            far = newton_system(patterns, own, guess, target, shared, value, slope, sums, matrix, step)
        if turn > 0 or not is_linked or is_close(far, last, largest):
            far = bounded(patterns, own, guess, target, shared, largest, value, asked, sums, a, b, rest, root)
            if not is_linked or is_close(far, last, largest):
                break
            far = newton_system(patterns, own, guess, target, shared, value, slope, sums, matrix, step)  # one step was not enough
        last = far
        if not eliminate(matrix, step):
            return HARD
        for k in range(n):
            guess[k] = min(max(guess[k] + step[k], -largest), largest)
    else:
        return HARD
    if is_linked and not (propose(a, b, rest, target, own, error) and closes(a, b, rest, target, own, error)):
        return HARD
    if not bound(a, b, root, target, own, error, largest, asked, step):
        return HARD
    for k in range(n):
        entry_value[own + k, 0], entry_error[own + k, 0] = value[k, root[k]], step[k]
        count_pattern(patterns, patterns.of_entry[own + k], c)
    return DONE
