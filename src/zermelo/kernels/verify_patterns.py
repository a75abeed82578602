"""The check of the values of stages that are solved by patterns (kernels/patterns.py). Imports no solver.

What is claimed are the values u of the entries of one stage. Each of them may lead to one entry of the same stage, itself included; what
else it leads to is solved and bounded. From u and from those, one sweep gives every node's value, in double-double, and numbers a(s),
b(s) such that e(s) = a(s) + b(s) E satisfies the inequality of kernels/verify_block.py,

    e(s) >= c + h(r) + sum of p(o) * e(to[o])         for all rows r of s,

if the exit to the entry of the same stage has the error E, whatever E <= LIMIT is. A row's h is what the rounding of its sum may be,
plus how much worse it is than the best row (not positive). For that exit, the rest F(u) - u takes the place of h: the errors E of the
entries must satisfy E >= c + rest + a + b * E(target). `closes` checks that with all rounding upwards, whoever proposes them.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner
from zermelo.kernels.prefetch import fetch
from zermelo.kernels.status import DONE, HARD, NOT_READY
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.twice import fused, product_error, sum_error
from zermelo.kernels.verify_block import U

DROP = 1e-30  # c
LIMIT = 1e-9  # of E, relative to the largest value
NOT_MOVED, ENDED = -1, -2  # of an exit: its key is the same for all values; play is over


@inner
def open_exits(patterns, p, handed, known_from, own, after, entries, value, asked, shared):
    """Fill in the exits of pattern p for a handed value. Returns (status, the entry of the same stage that it leads to or -1, the
    largest value).

    known_from : see link/templates/entered_rules.py; own .. after - 1 : entries of this stage; shared[sign]: the exits that lead to it,
    which are left to `claim`."""
    entry_keys, entry_table, entry_value, entry_error = entries
    first, many, end = patterns.own[p, 0], patterns.shared[p, 0], patterns.own[p + 1, 0]
    target, largest = -1, 0.0
    shared[0], shared[1] = -1, -1
    for k in range(many + end - first):
        x = k if k < many else k - many + first
        i, sign = patterns.exit[x], patterns.sign[x]
        value[i], asked[2 * i], asked[2 * i + 1] = sign * patterns.worth[x], 0.0, 0.0
        if patterns.shift[x] != ENDED:
            wanted = patterns.key[x] if patterns.shift[x] == NOT_MOVED else patterns.key[x] + (handed << patterns.shift[x])
            entry = entry_table[hashed_place(entry_table, entry_keys, wanted)]
            if entry < own:  # none, or one of an earlier stage: the general method for the stage reports it
                return HARD, target, largest
            if entry < after:
                negated = int(sign < 0.0)
                if (target >= 0 and entry != target) or shared[negated] >= 0:  # `claim` knows one exit of each sign
                    return HARD, target, largest
                target = entry
                shared[negated] = i
                continue
            if not (entry >= known_from[1] or entry < known_from[0]):
                return NOT_READY, target, largest
            value[i], asked[2 * i] = sign * entry_value[entry, 0], entry_error[entry, 0]
        largest = max(largest, abs(value[i]))
    return DONE, target, largest


@inner
def claim(shared, u, value, asked):
    """Fill in the exits to the entry of the same stage, whose value is claimed to be u; their error is E."""
    for negated in range(2):
        i = shared[negated]
        if i >= 0:
            value[i], asked[2 * i], asked[2 * i + 1] = (1.0 - 2.0 * negated) * u, 0.0, 1.0


@inner
def bounded_sweep(patterns, p, largest, value, asked, sums):
    """Values of all nodes of the pattern p, and their (a, b), two in a row of `asked`, from those of its exits.

    largest : of the absolute values of exits; sums : float64[most rows of a node, 3], scratch."""
    _, own_node, own_row, own_outcome = patterns.own[p]
    bounded_nodes(patterns, 0, patterns.shared[p, 1], 0, 0, largest, value, asked, sums)
    bounded_nodes(patterns, own_node, patterns.own[p + 1, 1], own_row, own_outcome, largest, value, asked, sums)


@inner
def bounded_nodes(patterns, begin_node, end_node, row, o, largest, value, asked, sums):
    """The same for some nodes, whose first row and outcome are given."""
    node, side, kind, counts, begins, to, ways = (
        patterns.node, patterns.side, patterns.kind, patterns.outcomes, patterns.begin, patterns.to, patterns.ways
    )  # fmt: skip
    clear = -4.0 * LIMIT * largest  # what is worse by more asks for less than the best row, whatever E is: `bound`
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
            a, b = fetch(asked, 2 * best), fetch(asked, 2 * best + 1)
            for x in range(o, o + rows):
                t = fetch(to, x)
                gap = sign * fetch(value, t) - most
                if gap > clear and t != best:
                    worse = gap + 4.0 * U * abs(gap) + fetch(asked, 2 * t)
                    a, b = max(a, worse), max(b, fetch(asked, 2 * t + 1))
            o += rows
        else:
            k, most = 0, -np.inf
            for x in range(-rows):
                count, begin = fetch(counts, row), fetch(begins, row)
                total, rest, a, b = 0.0, 0.0, 0.0, 0.0
                for y in range(count):
                    t, w = fetch(to, o + y), fetch(ways, begin + y)
                    v = fetch(value, t)
                    term = w * v
                    now = total + term
                    rest += sum_error(total, term, now) + product_error(w, v, term)
                    total = now
                    a += w * fetch(asked, 2 * t)
                    b += w * fetch(asked, 2 * t + 1)
                all_ways, rough = fetch(ways, begin + count), fetch(ways, begin + count + 1)
                worth = total / all_ways
                worth += (fused(-worth, all_ways, total) + rest) / all_ways
                larger = (1.0 + (count + 16) * 4.0 * U) / all_ways
                sums[x, 0] = sign * worth
                sums[x, 1] = a * larger + (U * abs(worth) + rough * largest) * (1.0 + 1e-6)
                sums[x, 2] = b * larger
                worth *= sign
                if worth > most:
                    k, most = x, worth
                o += count
                row += 1
            a, b = sums[k, 1], sums[k, 2]
            for x in range(-rows):
                gap = sums[x, 0] - most
                if gap > clear and x != k:
                    worse = gap + 4.0 * U * abs(gap) + sums[x, 1]
                    a, b = max(a, worse), max(b, sums[x, 2])
        value[i] = sign * most
        asked[2 * i], asked[2 * i + 1] = (a + DROP) * (1.0 + 8.0 * U), b


@inner
def asks_for_more(numbers, asked, most_a, most_b):
    """Whether an a or a b of the first so many nodes is larger, or no number."""
    for i in range(numbers):  # noqa: SIM110  (numba knows no `any`)
        if not (asked[2 * i] <= most_a and asked[2 * i + 1] <= most_b):
            return True
    return False


@inner
def closes(a, b, rest, target, own, error):
    """Whether the errors of the entries of a stage that lead to one another are large enough: E >= c + rest + a + b * E(target)."""
    for k in range(a.size):
        later = b[k] * error[target[k] - own] if target[k] >= 0 else 0.0
        if not (error[k] >= 0.0 and (2.0 * DROP + rest[k] + a[k] + later) * (1.0 + 16.0 * U) <= error[k]):
            return False
    return True


@inner
def bound(patterns, a, b, target, own, error, largest, asked, found):
    """Fill `found`: how far the values of the entries of a stage can be from the truth; False if that can't be said. a, b : of their
    roots; error : E, which `closes`, where there is a target."""
    for k in range(a.size):
        later = 0.0
        if target[k] >= 0:
            later = b[k] * error[target[k] - own]
            if not error[target[k] - own] <= LIMIT * largest:
                return False
        if asks_for_more(patterns.numbers[patterns.of_entry[own + k]], asked[k], LIMIT * largest, 2.0):
            return False
        found[k] = (a[k] + later) * (1.0 + 8.0 * U)
    return True
