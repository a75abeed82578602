"""From a game whose players do not see everything to its sequence form (Romanovskii 1962; Koller, Megiddo and von Stengel 1994).

A *sequence* is what a player has chosen so far: an information set of this player and the action there, which determine the earlier
choices; 0 is the empty one. States are visited from the start on, each with all pairs of sequences that lead to it and with the
probability that chance contributes: an *entry*. What is paid is written down with the pair of sequences by then, so that the payoff is
linear in the strategy of either player. Perfect recall means that all entries of an information set have the same sequence of its player.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel

# What `unfold` tells: all is well; two ways to a state; two states that look the same, after different choices; or with other actions.
UNFOLDED, FORGOTTEN, UNLIKE, OTHER_ACTIONS = range(4)
SAFE = 4.0e18  # products of whole numbers below this fit 63 bits


@inner
def _longer(array: np.ndarray) -> np.ndarray:
    """The array with twice the room."""
    grown = np.empty(2 * len(array), array.dtype)
    for i in range(len(array)):
        grown[i] = array[i]
    return grown


@inner
def _divisor(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


@kernel(inline="always")
def _place(state: int, row: int, column: int) -> np.int64:
    code = np.int64(state) * -7046029254386353131 + np.int64(row)
    code = (code ^ (code >> 31)) * -4658895280553007687 + np.int64(column)
    code = (code ^ (code >> 29)) * -7723592293110705685
    return code ^ (code >> 32)


@inner
def _keeps_view(
    state: int, view: np.ndarray, action_start: np.ndarray, outcome_start: np.ndarray, near_ways: np.ndarray, next_of: np.ndarray
) -> bool:
    """Whether nothing that can happen in the state changes what this player sees, or whether chance alone moves."""
    first, last = action_start[state], action_start[state + 1]
    happening = 0
    for o in range(outcome_start[first], outcome_start[last]):
        happening += near_ways[o] != 0.0
    if last == first + 1 and happening > 1:
        return True
    for o in range(outcome_start[first], outcome_start[last]):
        after = next_of[o]
        if near_ways[o] == 0.0:
            continue
        if action_start[after] == action_start[after + 1] or view[after] != view[state]:
            return False
    return True


@kernel
def unfold(
    action_start: np.ndarray, outcome_start: np.ndarray, ways: np.ndarray, near_ways: np.ndarray, next_of: np.ndarray, payoff: np.ndarray,
    final_payoff: np.ndarray, views: np.ndarray, acts: np.ndarray, asked: np.ndarray, widths: np.ndarray, start: int, fault: np.ndarray,
):  # fmt: skip
    """The sequence form of an acyclic game with the states 0..n-1, each of which has its next states before it.

    action_start, ..., final_payoff : the game, as in problem/transitions.py; `ways` int64, which need be right only if the answer is to be
    exact, `near_ways` float64, `payoff` and `final_payoff` float64 by outcome and by state; views int32[2, n] : what a player sees, by an
    id; acts int32[2, n] : between which actions he chooses, likewise; asked bool[2, n] : whether he is the one to choose; widths int32[2,
    n] : among how many actions, 1 where he is not asked. Where both choose at once, row a * widths[1] + b of a state belongs to the
    actions a and b.

    Returns (why, sets, sequences, entries, parent, first, set_view, set_state, row, column, over, under, near, paid, player, set, other,
    over, under, near, steps, is_exact).
    why : UNFOLDED, or what is wrong, with details in `fault` int64[5]: the player, two states, two sequences. sets int64[2] and
    sequences int64[2] : how many there are, of either player; parent[q, k] : the sequence that leads to set k, first[q, k] : its first own
    sequence; set_view, set_state : what is seen there, and a state of it. For every payment a pair of sequences (row, column), the
    probability of chance, over / under (whole numbers, if is_exact) or near (float64, off by at most `steps` roundings), and what is paid.
    For every way into a set the player, the set, the other's sequence, and the probability of chance.
    """
    n = len(action_start) - 1
    seen = views.max() + 1
    set_of = np.full((2, seen), -1, np.int32)
    asked_acts = np.full((2, seen), -1, np.int32)  # what a player who sees this chooses among
    asked_state = np.full((2, seen), -1, np.int32)
    sets, sequences = np.zeros(2, np.int64), np.ones(2, np.int64)
    room = 1024
    parent_0, first_0 = np.empty(room, np.int32), np.empty(room, np.int64)
    view_0, state_0 = np.empty(room, np.int32), np.empty(room, np.int32)
    parent_1, first_1 = np.empty(room, np.int32), np.empty(room, np.int64)
    view_1, state_1 = np.empty(room, np.int32), np.empty(room, np.int32)
    e_state, e_row, e_column = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    e_over, e_under = np.empty(room, np.int64), np.empty(room, np.int64)
    e_near, e_steps = np.empty(room, np.float64), np.empty(room, np.int32)
    e_follow = np.empty(room, np.int32)
    head = np.full(n, -1, np.int32)
    table = np.full(4 * room, -1, np.int32)
    entries = 1
    e_state[0], e_row[0], e_column[0], e_over[0], e_under[0], e_near[0], e_steps[0], e_follow[0] = start, 0, 0, 1, 1, 1.0, 0, -1
    head[start] = 0
    p_row, p_column = np.empty(room, np.int32), np.empty(room, np.int32)
    p_over, p_under = np.empty(room, np.int64), np.empty(room, np.int64)
    p_near, p_paid = np.empty(room, np.float64), np.empty(room, np.float64)
    payments = 0
    if action_start[start] == action_start[start + 1] and final_payoff[start] != 0.0:  # a play that is over as it starts
        p_row[0], p_column[0], p_over[0], p_under[0], p_near[0], p_paid[0] = 0, 0, 1, 1, 1.0, final_payoff[start]
        payments = 1
    v_player, v_set, v_other = np.empty(room, np.int8), np.empty(room, np.int32), np.empty(room, np.int32)
    v_over, v_under, v_near = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float64)
    visits = 0
    most_steps = 0
    is_exact = True
    why = UNFOLDED
    at = np.zeros(2, np.int64)  # the set in which a player chooses here; -1 if he does not
    for i in range(start, -1, -1):
        if head[i] < 0 or action_start[i] == action_start[i + 1]:
            continue
        for q in range(2):  # 1. the information sets of this state
            at[q] = -1
            view = views[q, i]
            if not asked[q, i]:
                continue
            if widths[q, i] == 1 and _keeps_view(i, views[q], action_start, outcome_start, near_ways, next_of):
                continue
            if asked_acts[q, view] < 0:
                asked_acts[q, view], asked_state[q, view] = acts[q, i], i
            if asked_acts[q, view] != acts[q, i]:
                fault[0], fault[1], fault[2] = q, asked_state[q, view], i
                why = OTHER_ACTIONS
                break
            if widths[q, i] == 1:
                continue
            own = e_row[head[i]] if q == 0 else e_column[head[i]]
            e = head[i]
            while e >= 0:
                if (e_row[e] if q == 0 else e_column[e]) != own:
                    fault[0], fault[1], fault[2], fault[3], fault[4] = q, i, i, own, e_row[e] if q == 0 else e_column[e]
                    why = FORGOTTEN
                    break
                e = e_follow[e]
            if why != UNFOLDED:
                break
            k = set_of[q, view]
            if k < 0:
                k = sets[q]
                set_of[q, view] = k
                if q == 0:
                    if k == len(parent_0):
                        parent_0, first_0, view_0, state_0 = _longer(parent_0), _longer(first_0), _longer(view_0), _longer(state_0)
                    parent_0[k], first_0[k], view_0[k], state_0[k] = own, sequences[q], view, i
                else:
                    if k == len(parent_1):
                        parent_1, first_1, view_1, state_1 = _longer(parent_1), _longer(first_1), _longer(view_1), _longer(state_1)
                    parent_1[k], first_1[k], view_1[k], state_1[k] = own, sequences[q], view, i
                sets[q] += 1
                sequences[q] += widths[q, i]
            before = parent_0[k] if q == 0 else parent_1[k]
            if before != own:
                fault[0], fault[1], fault[2], fault[3], fault[4] = q, state_0[k] if q == 0 else state_1[k], i, before, own
                why = UNLIKE
                break
            at[q] = k
        if why != UNFOLDED:
            break
        e = head[i]
        while e >= 0:  # 2. all that can happen, for every pair of sequences
            for q in range(2):
                if at[q] < 0:
                    continue
                if visits == len(v_set):
                    v_player, v_set, v_other = _longer(v_player), _longer(v_set), _longer(v_other)
                    v_over, v_under, v_near = _longer(v_over), _longer(v_under), _longer(v_near)
                v_player[visits], v_set[visits], v_other[visits] = q, at[q], e_column[e] if q == 0 else e_row[e]
                v_over[visits], v_under[visits], v_near[visits] = e_over[e], e_under[e], e_near[e]
                visits += 1
            for a in range(action_start[i], action_start[i + 1]):
                choice = a - action_start[i]
                row, column = e_row[e], e_column[e]
                if at[0] >= 0:
                    row = np.int32(first_0[at[0]] + choice // widths[1, i])
                if at[1] >= 0:
                    column = np.int32(first_1[at[1]] + choice % widths[1, i])
                total, near_total = np.int64(0), 0.0
                happening = 0
                for o in range(outcome_start[a], outcome_start[a + 1]):
                    total += ways[o]
                    near_total += near_ways[o]
                    happening += near_ways[o] != 0.0
                for o in range(outcome_start[a], outcome_start[a + 1]):
                    if near_ways[o] == 0.0:
                        continue
                    over, under, near, steps = e_over[e], e_under[e], e_near[e], e_steps[e]
                    if happening > 1:
                        near *= near_ways[o] / near_total
                        steps += 2 + happening
                        common = _divisor(ways[o], total)
                        share, of = ways[o] // common, total // common
                        one, other = _divisor(over, of), _divisor(share, under)
                        over, of, share, under = over // one, of // one, share // other, under // other
                        if float(over) * float(share) > SAFE or float(under) * float(of) > SAFE:
                            is_exact = False
                            over, under = 0, 1
                        over, under = over * share, under * of
                    after = next_of[o]
                    ends = action_start[after] == action_start[after + 1]
                    for k in range(2):
                        paid = payoff[o] if k == 0 else final_payoff[after]
                        if paid == 0.0 or (k == 1 and not ends):
                            continue
                        if payments == len(p_row):
                            p_row, p_column, p_over, p_under = _longer(p_row), _longer(p_column), _longer(p_over), _longer(p_under)
                            p_near, p_paid = _longer(p_near), _longer(p_paid)
                        p_row[payments], p_column[payments], p_over[payments], p_under[payments] = row, column, over, under
                        p_near[payments], p_paid[payments] = near, paid
                        payments += 1
                        most_steps = max(most_steps, steps)
                    if ends:
                        continue
                    mask = np.int64(len(table) - 1)
                    place = _place(after, row, column) & mask
                    while table[place] >= 0:
                        t = table[place]
                        if e_state[t] == after and e_row[t] == row and e_column[t] == column:
                            break
                        place = (place + 1) & mask
                    t = table[place]
                    if t >= 0:  # the pair has led there before: probabilities add up
                        e_near[t] += near
                        e_steps[t] = max(e_steps[t], steps) + 1
                        common = _divisor(e_under[t], under)
                        left, right = under // common, e_under[t] // common
                        if max(float(e_over[t]) * float(left), float(over) * float(right), float(e_under[t]) * float(left)) > SAFE:
                            is_exact = False
                        else:
                            e_over[t] = e_over[t] * left + over * right
                            e_under[t] *= left
                            common = _divisor(e_over[t], e_under[t])
                            e_over[t], e_under[t] = e_over[t] // common, e_under[t] // common
                        continue
                    if entries == len(e_state):
                        e_state, e_row, e_column, e_follow = _longer(e_state), _longer(e_row), _longer(e_column), _longer(e_follow)
                        e_over, e_under, e_near, e_steps = _longer(e_over), _longer(e_under), _longer(e_near), _longer(e_steps)
                        table = np.full(2 * len(table), -1, np.int32)
                        mask = np.int64(len(table) - 1)
                        for t in range(1, entries):
                            place = _place(e_state[t], e_row[t], e_column[t]) & mask
                            while table[place] >= 0:
                                place = (place + 1) & mask
                            table[place] = t
                        place = _place(after, row, column) & mask
                        while table[place] >= 0:
                            place = (place + 1) & mask
                    table[place] = entries
                    e_state[entries], e_row[entries], e_column[entries] = after, row, column
                    e_over[entries], e_under[entries], e_near[entries], e_steps[entries] = over, under, near, steps
                    e_follow[entries] = head[after]
                    head[after] = entries
                    entries += 1
            e = e_follow[e]
    return (
        why, sets, sequences, entries, (parent_0[: sets[0]], parent_1[: sets[1]]), (first_0[: sets[0]], first_1[: sets[1]]),
        (view_0[: sets[0]], view_1[: sets[1]]), (state_0[: sets[0]], state_1[: sets[1]]),
        p_row[:payments], p_column[:payments], p_over[:payments], p_under[:payments], p_near[:payments], p_paid[:payments],
        v_player[:visits], v_set[:visits], v_other[:visits], v_over[:visits], v_under[:visits], v_near[:visits], most_steps, is_exact,
    )  # fmt: skip
