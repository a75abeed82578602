"""A game with hidden information, public state by public state: its sequence form without a table of states.

What both players know together at a point of play is a *public state*: all states that a player can't distinguish, directly or by a chain
of such pairs. They are found as they come: of the states that follow from a public state those that look the same to a player belong
together, and so do those that are connected by several such steps. What follows from different public states is never compared. What is
paid where play ends from a public state is a small matrix, by the sequences of both that lead there: a *panel*. Panels that are the same
up to a factor, as at a table of cards after any bets, share one matrix.

That these are all states of their information sets is checked, not assumed: an information set that is met in two public states,
or after different choices, ends it (UNSORTED), and the game is unfolded state by state (kernels/unfold.py), which says what is wrong with
it, if anything is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.kernel import inner, kernel

SORTED, UNSORTED = range(2)  # success; can't be sorted into public states
(ENTRIES, BUNDLES, SETS_0, SETS_1, SEQUENCES_0, SEQUENCES_1, SEEN_0, SEEN_1, ACTS_0, ACTS_1, PANELS, INDEX, MATRICES, POOL, LOOSE, WAYS_IN,
 HISTORIES, STEPS, HASHED, STAMP, ENDS, PUBLIC) = range(22)  # fmt: skip
COUNTERS = 22
PAYMENT, VISIT = 0, 1  # what a panel tells: payoffs by sequences; or the ways into the sets of player 0 (1) or 1 (2), by set and sequence
SPARSE = 4  # a matrix with more than so many numbers for each that is written is left loose


class Out(NamedTuple):
    """What is written; `c` counts. Arrays have room enough before each call."""

    key: np.ndarray  # int64: entries that wait, the states of bundles one behind the other
    row: np.ndarray  # int32: what player 0 has chosen by then
    column: np.ndarray  # int32
    near: np.ndarray  # float64: the probability of chance
    act: np.ndarray  # int32: the action that led there
    begin: np.ndarray  # int64[bundles + 1]
    steps: np.ndarray  # int32[bundles]: most roundings of a probability
    parent: np.ndarray  # int32[2, sets]
    first: np.ndarray  # int64[2, sets + 1]
    state: np.ndarray  # int64[2, sets]
    seen_begin: np.ndarray  # int64[2, sets + 1]
    seen: np.ndarray  # int64[2, numbers]
    acts: np.ndarray  # int64[2, numbers]: those of the actions, in the order of sequences
    views: np.ndarray  # int64[2, 2^k]: hashes of what is seen, the last bit set where there is a choice; 0 none
    kind: np.ndarray  # int8[panels]
    matrix: np.ndarray  # int32[panels]
    scale: np.ndarray  # float64[panels]
    rows_at: np.ndarray  # int64[panels]: where its rows begin in `listed`
    columns_at: np.ndarray  # int64[panels]
    listed: np.ndarray  # int32: sequences of panels
    high: np.ndarray  # int32[matrices]: rows
    wide: np.ndarray  # int32[matrices]: columns
    cap: np.ndarray  # float64[matrices]: the largest sum of absolute values of what one element is the sum of
    at: np.ndarray  # int64[matrices]: where it begins in `pool`
    pool: np.ndarray  # float64
    table: np.ndarray  # int32: matrices by hash; -1
    loose: np.ndarray  # int32[2, n]: row and column of payments that are in no panel
    paid: np.ndarray  # float64[n]
    ways_in: np.ndarray  # int32[3, n]: player, set and other sequence of ways in that are in no panel
    ways: np.ndarray  # float64[n]


class Work(NamedTuple):
    """Room to work in."""

    keys: np.ndarray  # int64[2^k]
    values: np.ndarray  # int32[2^k]
    stamps: np.ndarray  # int64[2^k]
    act: np.ndarray  # int32[n]: triples to be made a panel of
    row: np.ndarray
    column: np.ndarray
    near: np.ndarray  # float64[n]
    paid: np.ndarray
    order: np.ndarray  # int64[n]
    group: np.ndarray  # int32[2 n]
    first: np.ndarray  # int64[n]
    i: np.ndarray  # int32[n]
    j: np.ndarray
    rows: np.ndarray  # int32[n]
    columns: np.ndarray
    grid: np.ndarray  # float64[SPARSE * n]
    gross: np.ndarray
    rest: np.ndarray  # int64[n]: entries that are not final
    look: np.ndarray  # int32[2, n]: which view each has
    seen_by: np.ndarray  # int64[2 n]: an entry of each view
    code: np.ndarray  # int64[2 n]
    root: np.ndarray  # int32[2 n]
    width: np.ndarray  # int32[2 n]
    set: np.ndarray  # int32[2 n]
    part: np.ndarray  # int32[2 n]
    sorted: np.ndarray  # int64[n]
    counted: np.ndarray  # int64[2 n]


@kernel(inline="always")
def mix(code: np.int64, number: np.int64) -> np.int64:
    code = (code ^ number) * -7046029254386353131
    code = (code ^ (code >> 31)) * -4658895280553007687
    return code ^ (code >> 29)


@inner
def _place_of(key: np.int64, stamp: np.int64, w: Work) -> np.int64:
    """Where a number is kept, or would be."""
    mask = np.int64(len(w.keys) - 1)
    place = mix(np.int64(7), key) & mask
    while w.stamps[place] == stamp and w.keys[place] != key:
        place = (place + 1) & mask
    return place


@inner
def _numbered(
    number: np.ndarray, order: np.ndarray, low: int, high: int, found: np.ndarray, local: np.ndarray, w: Work, c: np.ndarray
) -> int:
    """Give the numbers of these triples local numbers, in the order in which they come first; returns how many there are."""
    c[STAMP] += 1
    count = 0
    for t in range(low, high):
        key = np.int64(number[order[t]])
        place = _place_of(key, c[STAMP], w)
        if w.stamps[place] != c[STAMP]:
            w.stamps[place], w.keys[place], w.values[place] = c[STAMP], key, count
            found[count] = key
            count += 1
        local[t] = w.values[place]
    return count


@inner
def _panel(low: int, high: int, kind: int, out: Out, w: Work, c: np.ndarray) -> None:
    """Write the triples order[low:high] as one panel, or loose."""
    rows = _numbered(w.row, w.order, low, high, w.rows, w.i, w, c)
    columns = _numbered(w.column, w.order, low, high, w.columns, w.j, w, c)
    size = rows * columns
    if size > SPARSE * (high - low):
        for t in range(low, high):
            triple = w.order[t]
            if kind == PAYMENT:
                out.loose[0, c[LOOSE]], out.loose[1, c[LOOSE]] = w.row[triple], w.column[triple]
                out.paid[c[LOOSE]] = w.near[triple] * w.paid[triple]
                c[LOOSE] += 1
            else:
                at = c[WAYS_IN]
                out.ways_in[0, at], out.ways_in[1, at], out.ways_in[2, at] = kind - VISIT, w.row[triple], w.column[triple]
                out.ways[at] = w.near[triple]
                c[WAYS_IN] += 1
        return
    most = 0.0
    for t in range(low, high):
        most = max(most, abs(w.paid[w.order[t]]))
    scale = most if w.paid[w.order[low]] > 0.0 else -most
    for k in range(size):
        w.grid[k], w.gross[k] = 0.0, 0.0
    for t in range(low, high):
        triple = w.order[t]
        share = w.near[triple] * (w.paid[triple] / scale)
        w.grid[w.i[t] * columns + w.j[t]] += share
        w.gross[w.i[t] * columns + w.j[t]] += abs(share)
    cap, used = 0.0, 0
    for k in range(size):
        cap = max(cap, w.gross[k])
        used += w.gross[k] > 0.0
        if w.gross[k] > 0.0 and w.grid[k] == 0.0:
            w.grid[k] = 5e-324  # a sum of 0 may be the result of rounding: it is not treated as 0
    c[STEPS] = max(c[STEPS], high - low - used)  # several that fall together
    bits = w.grid[:size].view(np.int64)
    code = mix(np.int64(rows), np.int64(columns))
    for k in range(size):
        code = mix(code, bits[k])
    mask = np.int64(len(out.table) - 1)
    place = code & mask
    known = -1
    while out.table[place] >= 0 and known < 0:
        m = out.table[place]
        same = out.high[m] == rows and out.wide[m] == columns and out.cap[m] == cap
        for k in range(size):
            if not same:
                break
            same = out.pool[out.at[m] + k] == w.grid[k]
        if same:
            known = m
        else:
            place = (place + 1) & mask
    if known < 0:
        known = c[MATRICES]
        out.table[place] = known
        out.high[known], out.wide[known], out.cap[known], out.at[known] = rows, columns, cap, c[POOL]
        for k in range(size):
            out.pool[c[POOL] + k] = w.grid[k]
        c[POOL] += size
        c[MATRICES] += 1
    p = c[PANELS]
    out.kind[p], out.matrix[p], out.scale[p] = kind, known, scale
    out.rows_at[p], out.columns_at[p] = c[INDEX], c[INDEX] + rows
    for k in range(rows):
        out.listed[c[INDEX] + k] = w.rows[k]
    for k in range(columns):
        out.listed[c[INDEX] + rows + k] = w.columns[k]
    c[INDEX] += rows + columns
    c[PANELS] += 1


@inner
def _panels(count: int, kind: int, out: Out, w: Work, c: np.ndarray) -> None:
    """Write so many triples, those of the same action as a panel."""
    c[STAMP] += 1
    groups = 0
    for t in range(count):
        place = _place_of(np.int64(w.act[t]), c[STAMP], w)
        if w.stamps[place] != c[STAMP]:
            w.stamps[place], w.keys[place], w.values[place] = c[STAMP], w.act[t], groups
            w.first[groups] = 0
            groups += 1
        w.group[t] = w.values[place]
        w.first[w.group[t]] += 1
    total = 0
    for g in range(groups):
        total, w.first[g] = total + w.first[g], total
    for t in range(count):
        w.order[w.first[w.group[t]]] = t
        w.first[w.group[t]] += 1
    low = 0
    for g in range(groups):
        _panel(low, w.first[g], kind, out, w, c)
        low = w.first[g]


@inner
def top_of(node: int, root: np.ndarray) -> int:
    while root[node] != node:
        root[node] = root[root[node]]
        node = root[node]
    return node


@inner
def _enter_view(views: np.ndarray, player: int, code: np.int64, is_set: int, c: np.ndarray) -> bool:
    """Remember what somebody has seen who was to act. Whether it was seen in another public state, and there is a choice."""
    code = (code | np.int64(1)) if is_set else (code & ~np.int64(1))
    if code == 0:
        code = np.int64(2)
    mask = np.int64(views.shape[1] - 1)
    place = (code >> 1) & mask
    while views[player, place] != 0:
        if views[player, place] | 1 == code | 1:
            return bool(is_set or views[player, place] & 1)
        place = (place + 1) & mask
    views[player, place] = code
    c[HASHED] += 1
    return False


@kernel
def views_again(old: np.ndarray, views: np.ndarray) -> None:
    """Enter what a table holds into a larger, empty one."""
    mask = np.int64(views.shape[1] - 1)
    for player in range(2):
        for at in range(old.shape[1]):
            code = old[player, at]
            if code != 0:
                place = (code >> 1) & mask
                while views[player, place] != 0:
                    place = (place + 1) & mask
                views[player, place] = code


@kernel
def matrices_again(out: Out, count: int) -> None:
    """Enter all matrices into an empty table."""
    mask = np.int64(len(out.table) - 1)
    for m in range(count):
        size = np.int64(out.high[m]) * out.wide[m]
        bits = out.pool[out.at[m] : out.at[m] + size].view(np.int64)
        code = mix(np.int64(out.high[m]), np.int64(out.wide[m]))
        for k in range(size):
            code = mix(code, bits[k])
        place = code & mask
        while out.table[place] >= 0:
            place = (place + 1) & mask
        out.table[place] = m


@inner
def _same(one: int, other: int, begin: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether two lists are the same."""
    size = begin[one + 1] - begin[one]
    same = begin[other + 1] - begin[other] == size
    for k in range(size):
        same = same and numbers[begin[one] + k] == numbers[begin[other] + k]
    return bool(same)


@inner
def _sort_views(rest: int, begin: np.ndarray, numbers: np.ndarray, w: Work, c: np.ndarray) -> int:
    """Which views the waiting entries have, and which of these are connected; w.sorted, w.counted : the entries (by their place among
    them) by public state. Returns how many public states there are."""
    nodes = 0
    mask = np.int64(len(w.keys) - 1)
    for q in range(2):
        c[STAMP] += 1
        for r in range(rest):
            which = 4 * w.rest[r] + q
            code = np.int64(begin[which + 1] - begin[which] + 1)
            for k in range(begin[which], begin[which + 1]):
                code = mix(code, numbers[k])
            place = code & mask
            while w.stamps[place] == c[STAMP]:
                node = w.values[place]
                if w.keys[place] == code and _same(which, 4 * w.seen_by[node] + q, begin, numbers):
                    break
                place = (place + 1) & mask
            if w.stamps[place] != c[STAMP]:
                w.stamps[place], w.keys[place], w.values[place] = c[STAMP], code, nodes
                w.seen_by[nodes], w.code[nodes], w.root[nodes], w.width[nodes], w.set[nodes] = w.rest[r], code, nodes, 0, -1
                nodes += 1
            w.look[q, r] = w.values[place]
    for r in range(rest):
        one, other = top_of(w.look[0, r], w.root), top_of(w.look[1, r], w.root)
        w.root[max(one, other)] = min(one, other)
    parts = 0
    for node in range(nodes):
        top = top_of(node, w.root)
        if top == node:
            w.part[node] = parts
            w.counted[parts] = 0
            parts += 1
    for r in range(rest):
        w.counted[w.part[top_of(w.look[0, r], w.root)]] += 1
    total = np.int64(0)
    for k in range(parts):
        total, w.counted[k] = total + w.counted[k], total
    for r in range(rest):
        k = w.part[top_of(w.look[0, r], w.root)]
        w.sorted[w.counted[k]] = r
        w.counted[k] += 1
    return parts


@inner
def _information_sets(
    low: int, high: int, row: np.ndarray, column: np.ndarray, key: np.ndarray, row_of: np.ndarray, outcome_of: np.ndarray,
    player: np.ndarray, begin: np.ndarray, numbers: np.ndarray, out: Out, w: Work, c: np.ndarray,
) -> bool:  # fmt: skip
    """Find the information sets of a public state. False where that fails here."""
    for s in range(low, high):
        r = w.sorted[s]
        e = w.rest[r]
        width, q = row_of[e + 1] - row_of[e], player[e]
        if width == 1 and outcome_of[row_of[e] + 1] - outcome_of[row_of[e]] > 1:
            continue  # chance
        if q != 0 and q != 1:
            return False
        node = w.look[q, r]
        own = row[e] if q == 0 else column[e]
        if w.width[node] > 0:
            if w.width[node] != width or not _same(4 * e + 2, 4 * np.int64(w.group[node]) + 2, begin, numbers):
                return False
            if width > 1 and out.parent[q, w.set[node]] != own:
                return False
            continue
        w.width[node], w.group[node] = width, e
        if _enter_view(out.views, q, w.code[node], width > 1, c):
            return False
        if width == 1:
            continue
        k = c[SETS_0 + q]
        w.set[node] = k
        out.parent[q, k], out.state[q, k], out.first[q, k] = own, key[e], c[SEQUENCES_0 + q]
        c[SETS_0 + q] += 1
        c[SEQUENCES_0 + q] += width
        out.first[q, k + 1] = c[SEQUENCES_0 + q]
        for n in range(begin[4 * e + q], begin[4 * e + q + 1]):
            out.seen[q, c[SEEN_0 + q]] = numbers[n]
            c[SEEN_0 + q] += 1
        out.seen_begin[q, k + 1] = c[SEEN_0 + q]
        for n in range(begin[4 * e + 2], begin[4 * e + 3]):
            out.acts[q, c[ACTS_0 + q]] = numbers[n]
            c[ACTS_0 + q] += 1
    return True


@inner
def _ways_in(low: int, high: int, row: np.ndarray, column: np.ndarray, near: np.ndarray, row_of: np.ndarray, player: np.ndarray, out: Out,
             w: Work, c: np.ndarray) -> None:  # fmt: skip
    """Write the ways into the sets of a public state."""
    for q in range(2):
        count = 0
        for s in range(low, high):
            r = w.sorted[s]
            e = w.rest[r]
            if player[e] == q and row_of[e + 1] - row_of[e] > 1:
                w.act[count], w.row[count], w.column[count] = 0, w.set[w.look[q, r]], column[e] if q == 0 else row[e]
                w.near[count], w.paid[count] = near[e], 1.0
                count += 1
        if count > 0:
            _panels(count, VISIT + q, out, w, c)


@kernel
def enter(
    batch: tuple[np.ndarray, ...], steps: np.ndarray, follow: tuple[np.ndarray, ...], begin: np.ndarray, numbers: np.ndarray, out: Out,
    w: Work, c: np.ndarray,
) -> int:  # fmt: skip
    """Enter what follows from the states of some bundles.

    batch : key, row, column, near, act of all entries and where the bundles begin; steps : of the bundles; follow : as `write_steps`
    tells of these states: row_of, outcome_of, ways, key, sign, payoff, final payoff, player; begin, numbers : as `see` tells. The layout
    holds all next states. Returns SORTED, or why not.
    """
    key, row, column, near, act, starts = batch
    row_of, outcome_of, ways, next_key, sign, payoff, final, player = follow
    for b in range(len(starts) - 1):
        count, rest = 0, 0
        for e in range(starts[b], starts[b + 1]):
            if row_of[e] < row_of[e + 1]:
                w.rest[rest] = e
                rest += 1
                continue
            c[ENDS] += 1
            if not np.isfinite(final[e, 0]):
                return UNSORTED
            if final[e, 0] != 0.0:
                w.act[count], w.row[count], w.column[count], w.near[count], w.paid[count] = act[e], row[e], column[e], near[e], final[e, 0]
                count += 1
        c[STEPS] = max(c[STEPS], steps[b])
        c[HISTORIES] += rest
        if count > 0:
            _panels(count, PAYMENT, out, w, c)
        if rest == 0:
            continue
        low = np.int64(0)
        for part in range(_sort_views(rest, begin, numbers, w, c)):
            high = w.counted[part]
            c[PUBLIC] += 1
            if not _information_sets(low, high, row, column, key, row_of, outcome_of, player, begin, numbers, out, w, c):
                return UNSORTED
            _ways_in(low, high, row, column, near, row_of, player, out, w, c)
            c[STAMP] += 1
            count, most, mask = 0, 0, np.int64(len(w.keys) - 1)
            base = c[ENTRIES]
            for s in range(low, high):
                r = w.sorted[s]
                e = w.rest[r]
                for a in range(row_of[e], row_of[e + 1]):
                    x, y = row[e], column[e]
                    choice = a - row_of[e]
                    if row_of[e + 1] - row_of[e] > 1:
                        if player[e] == 0:
                            x = np.int32(out.first[0, w.set[w.look[0, r]]] + choice)
                        else:
                            y = np.int32(out.first[1, w.set[w.look[1, r]]] + choice)
                    happening, total = outcome_of[a + 1] - outcome_of[a], 0.0
                    for o in range(outcome_of[a], outcome_of[a + 1]):
                        total += ways[o]
                        if not (ways[o] > 0.0 and ways[o] < 1e100) or sign[o] != 1 or not np.isfinite(payoff[o, 0]):
                            return UNSORTED
                    for o in range(outcome_of[a], outcome_of[a + 1]):
                        share = near[e] * (ways[o] / total) if happening > 1 else near[e]
                        if happening > 1:
                            most = max(most, 2 + happening)
                        if payoff[o, 0] != 0.0:
                            w.act[count], w.row[count], w.column[count], w.near[count], w.paid[count] = choice, x, y, share, payoff[o, 0]
                            count += 1
                        place = mix(mix(np.int64(x), np.int64(y)), next_key[o]) & mask
                        while w.stamps[place] == c[STAMP]:
                            t = base + w.values[place]
                            if out.key[t] == next_key[o] and out.row[t] == x and out.column[t] == y:
                                break
                            place = (place + 1) & mask
                        if w.stamps[place] == c[STAMP]:
                            out.near[base + w.values[place]] += share
                            most += 1
                            continue
                        t = c[ENTRIES]
                        w.stamps[place], w.values[place] = c[STAMP], t - base
                        out.key[t], out.row[t], out.column[t], out.near[t], out.act[t] = next_key[o], x, y, share, choice
                        c[ENTRIES] += 1
            if count > 0:
                _panels(count, PAYMENT, out, w, c)
            out.steps[c[BUNDLES]] = steps[b] + most
            c[BUNDLES] += 1
            out.begin[c[BUNDLES]] = c[ENTRIES]
            low = high
    return SORTED
