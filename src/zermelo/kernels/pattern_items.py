"""Reading the patterns of a game (kernels/patterns.py), and storing what they consist of, exits and nodes, each only once: in a race, a
turn with fewer points to go is a part of one with more, but for the exit to where the turn began. A stored one is an *item*.

An item is a list of numbers (kernels/interning.py), of an exit EXIT, key, shift, worth (its bits) and sign; of a node its side and kind,
for each row how many outcomes it has and where their ways begin, if the kind is negative, and the items that its outcomes lead to.
The items OWN and OWN + 1 stand for the exits to entries of the same stage, with both signs, which differ from pattern to pattern.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.block import in_order
from zermelo.kernels.interning import intern
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.patterns import IS_ENTRY
from zermelo.kernels.verify_block import U
from zermelo.kernels.verify_patterns import ENDED, NOT_MOVED

UNKNOWN = -3  # of an exit, beside NOT_MOVED and ENDED: its key changes in another way
EXIT, OWN = 2, 0


class Read(NamedTuple):
    """A pattern as it was read from blocks: exits, whose numbers come first, nodes, their rows and outcomes. As in `Patterns`, but for
    ways, each of which stands for itself."""

    key: np.ndarray
    shift: np.ndarray
    worth: np.ndarray
    sign: np.ndarray
    side: np.ndarray
    kind: np.ndarray
    outcomes: np.ndarray  # int32[rows]
    to: np.ndarray
    ways: np.ndarray  # float64, of the outcomes of a row of nodes with kind < 0; then their sum, and what rounding may do to an average


def scratch(nodes: int, rows: int, outcomes: int) -> Read:
    """Room for a pattern of a block of at most this size."""
    exits = 2 * nodes
    return Read(
        np.empty(exits, np.int64), np.empty(exits, np.int8), np.empty(exits), np.empty(exits), np.empty(nodes, np.int8),
        np.empty(nodes, np.int32), np.empty(rows, np.int32), np.empty(outcomes, np.int32), np.empty(outcomes + 2 * rows),
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
def write_outcomes(block, row, number, place, to, filled, ways, end):
    """The outcomes of a row, by the numbers of nodes: one for all that lead to the same node, where ways are whole numbers, whose sums are
    not rounded. They are written to `to` and `ways` from the numbers `filled` and `end` on. Returns how many there are.

    place : int32[numbers], scratch."""
    count, exact = 0, block.loose[row] == 0.0
    for o in range(block.first_outcome[row], block.first_outcome[row + 1]):
        node, w = number[block.to[o], int(block.ways[o] < 0.0)], abs(block.ways[o])
        x = place[node]
        if exact and x < count and to[filled + x] == node:
            ways[end + x] += w
            continue
        place[node], to[filled + count], ways[end + count] = count, node, w
        count += 1
    return count


@kernel
def read_pattern(a, b, nodes, value, apart, own, shifts, out):
    """The pattern of two blocks, of entries with the handed values `value` and `value` + `apart`, to `out`.

    Returns its numbers of (exits, nodes, rows of nodes with kind < 0, outcomes, ways), or zeros if there is none: play cycles, or pays
    on its way, or changes otherwise."""
    moved = np.empty(nodes, np.int8)
    if not same_but_for(a, b, nodes, apart, own, shifts, moved):
        return 0, 0, 0, 0, 0
    placed, cut = in_order(nodes, a.first_row, a.first_outcome, a.to, a.order, a.slot, a.edge, a.stack)
    if cut > 0 or placed == 0:
        return 0, 0, 0, 0, 0
    # 1. Exits, apart by the sign of the outcomes that lead there.
    number = np.full((nodes, 2), -1, np.int32)
    exits = 0
    for o in range(a.first_outcome[a.first_row[nodes]]):
        i, negated = a.to[o], int(a.ways[o] < 0.0)
        if a.first_row[i + 1] > a.first_row[i]:
            if negated:
                return 0, 0, 0, 0, 0
        elif number[i, negated] < 0:
            number[i, negated] = exits
            out.key[exits], out.shift[exits], out.worth[exits], out.sign[exits] = a.keys[i], moved[i], 0.0, 1.0 - 2.0 * negated
            if moved[i] == ENDED:
                out.key[exits], out.worth[exits] = 0, a.value[i, 0]
            elif moved[i] != NOT_MOVED:
                out.key[exits] -= value << moved[i]
            exits += 1
    # 2. The other nodes.
    rows, filled, ways = 0, 0, 0
    place = np.zeros(exits + placed, np.int32)
    for k in range(placed):
        s = a.order[k]
        number[s, 0] = exits + k
        out.side[k] = 1 - 2 * a.player[s]
        first, last = a.first_row[s], a.first_row[s + 1]
        is_choice = a.first_outcome[last] - a.first_outcome[first] == last - first
        out.kind[k] = last - first if is_choice else first - last
        for row in range(first, last):
            count = write_outcomes(a, row, number, place, out.to, filled, out.ways, ways)
            filled += count
            if not is_choice:
                out.outcomes[rows] = count
                out.ways[ways + count] = a.total[row]
                out.ways[ways + count + 1] = a.loose[row] + (4.0 * count * U) ** 2  # the second: Ogita, Rump and Oishi 2005, Dot2
                ways += count + 2
                rows += 1
    return exits, placed, rows, filled, ways


@kernel
def enter_pattern(exits, nodes, read, own, bits, of_ways, items, written, found):
    """Enter the ways and the items of a pattern where they are not stored yet; there must be room.

    own : int64[2], its exits to the same stage, or -1; bits : those of read.worth and of read.ways, int64; of_ways, items : begin, numbers
    and table of the lists (kernels/interning.py), and int64[1], how many there are; written : int64, scratch for a list; found :
    int32[exits + nodes], the items."""
    ends, one = np.zeros(2, np.int64), np.zeros(1, np.int32)
    for e in range(exits):
        found[e] = OWN if e == own[0] else OWN + 1
        if e == own[0] or e == own[1]:
            continue
        written[0], written[1], written[2], written[3], written[4] = EXIT, read.key[e], read.shift[e], bits[0][e], read.sign[e]
        ends[1] = 5
        items[3][0] = intern(ends, written, 0, 1, one, items[0], items[1], items[2], items[3][0])
        found[e] = one[0]
    row, o, w = 0, 0, 0
    for k in range(nodes):
        kind, size = read.kind[k], 2
        written[0], written[1] = read.side[k], kind
        leads = max(kind, 0)
        for _ in range(-kind):
            count = read.outcomes[row]
            ends[0], ends[1] = w, w + count + 2
            of_ways[3][0] = intern(ends, bits[1], 0, 1, one, of_ways[0], of_ways[1], of_ways[2], of_ways[3][0])
            written[size], written[size + 1] = count, of_ways[0][one[0]]
            size += 2
            leads += count
            w += count + 2
            row += 1
        for _ in range(leads):
            written[size] = found[read.to[o]]
            size += 1
            o += 1
        ends[0], ends[1] = 0, size
        items[3][0] = intern(ends, written, 0, 1, one, items[0], items[1], items[2], items[3][0])
        found[exits + k] = one[0]


@kernel
def write_items(wanted, number, begin, numbers, at, out, bits):
    """Write items to the arrays of `Patterns`, from its `exit` on, but for `ways`; number[item] : what it is called there.

    at : int64[4], the next exit, node, row and outcome, which are counted on; bits : int64, those of out[3], worths."""
    exit, key, shift, _, sign, node, side, kind, outcomes, ways, to = out
    for item in wanted:
        low, high = begin[item], begin[item + 1]
        if numbers[low] == EXIT:
            x = at[0]
            exit[x], key[x], shift[x], bits[x], sign[x] = (
                number[item], numbers[low + 1], numbers[low + 2], numbers[low + 3], numbers[low + 4]
            )  # fmt: skip
            at[0] += 1
            continue
        x, rows = at[1], max(-numbers[low + 1], 0)
        node[x], side[x], kind[x] = number[item], numbers[low], numbers[low + 1]
        at[1] += 1
        for row in range(rows):
            outcomes[at[2]], ways[at[2]] = numbers[low + 2 + 2 * row], numbers[low + 3 + 2 * row]
            at[2] += 1
        for k in range(low + 2 + 2 * rows, high):
            to[at[3]] = number[numbers[k]]
            at[3] += 1
