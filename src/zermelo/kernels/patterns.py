"""Stages whose states form the same pattern repeatedly: in a race, a turn is the same whatever the opponent has banked.

A *pattern* is the graph of the states that follow from an entry, up to the next entries (its *exits*) and the ends of play, for all values
of a passthrough field (language/passthrough.py). It is found once, by running the rules; for each value only the keys of the exits
differ. Its nodes come after those they lead to, so that values are computed from first to last. What a pattern has in common with all
larger ones stands once for all of them (kernels/pattern_items.py).

**Values.** Of the entries of one stage each may lead to one of the same stage, itself included. Given guesses u of their values, one sweep
gives F(u), its slopes, and so a step of Newton's method for u = F(u): policy iteration, as in kernels/block.py. After a step u is claimed.

**Bound.** kernels/verify_patterns.py goes from the claims to values and bounds, by a sweep of its own, which leaves one equation for the
error E of each entry. The solution is enlarged a little, proposed, and checked there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.block import ROUNDS
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import eliminate
from zermelo.kernels.prefetch import fetch
from zermelo.kernels.status import ALL_NODES, ALL_OUTCOMES, ALL_ROWS, AT, DONE, HARD, LARGEST_BLOCK, NOT_READY
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.twice import fused, product_error, sum_error
from zermelo.kernels.verify_block import U
from zermelo.kernels.verify_patterns import DROP, bound, bounded_sweep, claim, closes, open_exits

IS_ENTRY = -2  # the policy of nodes that are exits (link/templates/entered_rules.py)
ORDERS = (2, 2), (2, 1), (1, 2), (1, 1), (2, 0), (0, 2), (1, 0), (0, 1)  # of mixed differences
SIGNED = (1.0, 0.0, 0.0), (1.0, -1.0, 0.0), (1.0, -2.0, 1.0)  # the numbers of a difference of each order


class Patterns(NamedTuple):
    """All patterns of a game, as compact as possible: a sweep is as fast as they can be read from memory.

    Exits and nodes have numbers, from 0 on in each pattern. First stands what patterns have in common, of which the pattern p has the first
    shared[p, 0] exits and shared[p, 1] nodes; then for each pattern what is its own, from own[p] on.

    Nodes, their rows and outcomes are read in turn. A node with `kind` k > 0 is a choice of k rows with one outcome each, which is certain;
    one with k < 0 has -k rows of any number of outcomes, whose ways many rows have in common."""

    of_entry: np.ndarray  # int32[entries], the pattern of each entry
    handed: np.ndarray  # int64[entries], the value of the field that is handed on
    ahead: np.ndarray  # int64[2], how much larger the keys of entries are that come next in two directions, 0 for none
    root: np.ndarray  # int32[patterns], the number of the entry
    numbers: np.ndarray  # int64[patterns], of exits and nodes
    sizes: np.ndarray  # int64[patterns, 3], the states, rows and outcomes, as the rules have them
    shared: np.ndarray  # int64[patterns, 2]
    own: np.ndarray  # int64[patterns + 1, 4], the first exit, node, row and outcome
    exit: np.ndarray  # int32[exits], its number
    key: np.ndarray  # int64[exits], without the handed value
    shift: np.ndarray  # int8[exits], where that is to be added; or NOT_MOVED or ENDED
    worth: np.ndarray  # float64[exits], of one that ENDED
    sign: np.ndarray  # float64[exits], -1 where it counts negated
    node: np.ndarray  # int32[nodes], its number
    side: np.ndarray  # int8[nodes], 1 where the player to move maximises, -1 where he minimises
    kind: np.ndarray  # int32[nodes]
    outcomes: np.ndarray  # int32[rows of nodes with kind < 0], how many each has
    begin: np.ndarray  # int32[the same], where their ways begin
    to: np.ndarray  # int32[outcomes]
    ways: (
        np.ndarray
    )  # float64, of the outcomes of a row; then their sum, and what rounding may do to an average of ones


@inner
def sweep(patterns, p, value, slope, sums):
    """Values and slopes of all nodes of the pattern p, from those of its exits.

    sums : float64[most rows of a node, 3], scratch."""
    _, own_node, own_row, own_outcome = patterns.own[p]
    swept(patterns, 0, patterns.shared[p, 1], 0, 0, value, slope, sums)
    swept(patterns, own_node, patterns.own[p + 1, 1], own_row, own_outcome, value, slope, sums)


@inner
def swept(patterns, begin_node, end_node, row, o, value, slope, sums):
    """The same for some nodes, whose first row and outcome are given."""
    node, side, kind, counts, begins, to, ways = (
        patterns.node, patterns.side, patterns.kind, patterns.outcomes, patterns.begin, patterns.to, patterns.ways
    )  # fmt: skip
    for s in range(begin_node, end_node):
        i, sign, rows = fetch(node, s), float(fetch(side, s)), fetch(kind, s)
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
                count, begin = fetch(counts, row), fetch(begins, row)
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


@inner
def newton_system(patterns, own, guess, target, shared, value, slope, sums, matrix, step):
    """The equations of a step of Newton's method from the guesses, to `matrix` and `step`; returns how far F(u) is from u."""
    far = 0.0
    matrix[:] = 0.0
    for k in range(guess.size):
        p = patterns.of_entry[own + k]
        slope[k, :patterns.numbers[p]] = 0.0
        for negated in range(2):
            i = shared[k, negated]
            if i >= 0:
                sign = 1.0 - 2.0 * negated
                value[k, i], slope[k, i] = sign * guess[target[k] - own], sign
        sweep(patterns, p, value[k], slope[k], sums)
        root = patterns.root[p]
        step[k] = value[k, root] - guess[k]
        matrix[k, k] += 1.0
        if target[k] >= 0:
            matrix[k, target[k] - own] -= slope[k, root]
        far = max(far, abs(step[k]) * (1.0 + 2.0 * U))
    return far


@inner
def bounded(patterns, own, guess, target, shared, largest, value, asked, sums, a, b, rest):
    """Values and what bounds them (kernels/verify_patterns.py) if the guesses are claimed; returns how far F(u) is from u."""
    far = 0.0
    for k in range(guess.size):
        if target[k] >= 0:
            claim(shared[k], guess[target[k] - own], value[k], asked[k])
        p = patterns.of_entry[own + k]
        bounded_sweep(patterns, p, largest, value[k], asked[k], sums)
        root = patterns.root[p]
        a[k], b[k] = asked[k, 2 * root], asked[k, 2 * root + 1]
        rest[k] = abs(value[k, root] - guess[k]) * (1.0 + 2.0 * U)
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
def continued(order, ahead, key, after, known_from, entries):
    """The value of an entry if the mixed difference of this order, over entries of later stages that come next, were zero. Returns (DONE,
    NOT_READY, or HARD where there are not so many, the value)."""
    entry_keys, entry_table, entry_value, _ = entries
    value = 0.0
    for i in range(order[0] + 1):
        for j in range(order[1] + 1):
            if i + j == 0:
                continue
            step = i * ahead[0] + j * ahead[1]
            entry = entry_table[hashed_place(entry_table, entry_keys, key + step)] if step != 0 else -1
            if entry < after:
                return HARD, 0.0
            if not (entry >= known_from[1] or entry < known_from[0]):
                return NOT_READY, 0.0
            value -= SIGNED[order[0]][i] * SIGNED[order[1]][j] * entry_value[entry, 0]
    return DONE, value


@inner
def guessed(ahead, key, after, known_from, entries):
    """(DONE or NOT_READY, a guess of the value of an entry)."""
    for order in ORDERS:
        status, guess = continued(order, ahead, key, after, known_from, entries)
        if status != HARD:
            return status, guess
    return DONE, 0.0


@inner
def count_pattern(patterns, p, c):
    states, rows, outcomes = patterns.sizes[p]
    c[ALL_NODES] += states
    c[ALL_ROWS] += rows
    c[ALL_OUTCOMES] += outcomes
    c[LARGEST_BLOCK] = max(c[LARGEST_BLOCK], states)


@inner
def solve_stage(patterns, own, after, known_from, entries, value, slope, asked, sums, c):
    """Solve the stage with the entries own .. after - 1 and store their values and errors. Returns DONE, NOT_READY, or HARD where this
    method fails.

    value, slope : float64[entries, nodes], asked : float64[entries, 2 * nodes], sums : float64[rows of a node, 3], scratch."""
    n = after - own
    entry_keys, _, entry_value, entry_error = entries
    if n > value.shape[0]:
        return HARD
    target, shared = np.empty(n, np.int64), np.empty((n, 2), np.int64)
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
        status, guess[k] = guessed(patterns.ahead, entry_keys[own + k], after, known_from, entries)
        if status != DONE:
            return status
    is_linked, last = False, np.inf
    for k in range(n):
        is_linked |= target[k] >= 0
    for turn in range(ROUNDS):
        far = 0.0
        if is_linked and turn == 0:
            far = newton_system(patterns, own, guess, target, shared, value, slope, sums, matrix, step)
        if turn > 0 or not is_linked or is_close(far, last, largest):
            far = bounded(patterns, own, guess, target, shared, largest, value, asked, sums, a, b, rest)
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
    if not bound(patterns, a, b, target, own, error, largest, asked, step):
        return HARD
    for k in range(n):
        p = patterns.of_entry[own + k]
        entry_value[own + k, 0], entry_error[own + k, 0] = value[k, patterns.root[p]], step[k]
        count_pattern(patterns, p, c)
    return DONE


@kernel(undo="c")
def solve_by_patterns(patterns, first_entry, low, high, at, ready_from, entries, value, slope, asked, sums, c):
    """Solve the stages at, at - 1, ..., low like `solve_stages` (kernels/entered.py), with the same arguments, but without rules. Returns
    DONE, NOT_READY or HARD, which is for the general way; c[AT] is the stage where it stopped.

    value, slope, asked, sums : see `solve_stage`."""
    for k in range(at, low - 1, -1):
        c[AT] = k
        known = first_entry[high], ready_from
        status = solve_stage(patterns, first_entry[k], first_entry[k + 1], known, entries, value, slope, asked, sums, c)
        if status != DONE:
            return status
    return DONE
