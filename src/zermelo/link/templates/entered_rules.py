# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that calls the rules of a game that is solved stage by stage from where stages are entered; kernels/entered.py solves what it
finds. A template like steps.py: `link` puts the rules in front of its text, which define PAYOFFS (int) and the compiled functions
    game_of(integers, floats) -> game        unpack(key, layout) -> state        player(game, state) -> 0 or 1
    actions(game, state) -> yields actions   final_payoff(game, state) -> (float, ...)
    outcomes(game, state, action, layout) -> yields (ways, (payoff, ...), key of the next state or -1, sign)
    zermelo_rule_stage(game, state) -> int   any_action(game, state) -> bool
    slots_of_layout(numbers) -> layout
POLICY_0, POLICY_1 (bool): whether a player keeps to a policy; policy_0(state), policy_1(state) -> the action that it takes. With a policy,
states are *lifted*: the last bit of a key says whether PASS has exchanged the players, an odd number of times, since the start.
"""

from zermelo.kernels.patterns import IS_ENTRY
from zermelo.kernels.verify import rounding


@inner
def enter(game, layout, lifted, key, stage, known, entries, value, error, i, c):
    """Set up the node i of this key. 0: it is of this stage, 1: it lies beyond and is known, IS_ENTRY: it is an entry of some stage,
    if these are kept apart; else a status.

    entries : their keys, the table of these, values and errors; solved are those of later stages below known[0] and all from known[1]
    on. If known[0] is negative, entries are kept apart: none is looked at."""
    entry_keys, entry_table, entry_value, entry_error = entries
    if known[0] < 0 and entry_table[hashed_place(entry_table, entry_keys, key)] >= 0:
        return IS_ENTRY
    state = unpack(key >> 1 if lifted else key, layout)
    its_stage = zermelo_rule_stage(game, state)
    if its_stage < stage:
        return BAD_STAGE
    if its_stage == stage:
        return 0
    entry = entry_table[hashed_place(entry_table, entry_keys, key)]
    if entry >= 0:
        if not (entry >= known[1] or entry < known[0]):
            return NOT_READY
        for j in range(PAYOFFS):
            value[i, j], error[i, j] = entry_value[entry, j], entry_error[entry, j]
        return 1
    if any_action(game, state):
        return NO_ENTRY
    final = final_payoff(game, state)
    for j in range(PAYOFFS):
        value[i, j], error[i, j] = final[j], rounding(final[j])
        if not abs(final[j]) <= LARGEST:
            return BAD_PAYOFF
    if not (final[0] == 0.0 or final[0] == 1.0 or final[0] == -1.0):
        c[MIXED_FINAL] = 1
    return 1


@njit(cache=True, nogil=True)
def fill_block(
    integers, floats, numbers, lifted, stage, known, entries, roots, block, best_keys, best_table, best_first, best_may, c
):  # fmt: skip
    """Find the states of a stage that can be reached from the keys `roots`, and write their rows. Returns a status.

    If entries are kept apart (`enter`), the root is one, and what is beyond entries, itself included, is left out.
    numbers : int64[3, slots], the layout, as for `write_steps` in steps.py.

    With `lifted` keys the players keep to their policies; who has none takes in the state number i of best_keys the actions for which
    best_may[best_first[i] + position] is true, or, if that is empty, any."""
    (keys, table, first_row, player_of, value, error, policy, first_outcome, total_of, reward, rough, loose, _, to, ways_of,
     _, _, _, _, _, _, paid) = block  # fmt: skip
    game, layout = game_of(integers, floats), slots_of_layout(numbers)
    nodes, rows, filled, apart = np.int64(0), 0, 0, known[0] < 0
    passes, branches = False, False
    first_row[0], first_outcome[0] = 0, 0
    for at in range(len(table)):
        table[at] = -1
    for key in roots:
        place = hashed_place(table, keys, key)
        if table[place] < 0:
            c[BAD_KEY] = key >> 1 if lifted else key
            beyond = 0 if apart else enter(game, layout, lifted, key, stage, known, entries, value, error, nodes, c)
            if beyond > 1:
                return beyond
            if not apart:
                table[place] = nodes
            keys[nodes] = key
            policy[nodes] = -1 if beyond == 1 else beyond
            nodes += 1
    i = 0
    while i < nodes:
        first_row[i + 1] = rows
        if policy[i] < 0:
            i += 1
            continue
        plain, seat = (keys[i] >> 1, keys[i] & 1) if lifted else (keys[i], 0)
        c[BAD_KEY] = plain
        state = unpack(plain, layout)
        begin, is_final, position, plain_row = rows, True, 0, -1
        choices = 0  # policies are asked where there are several
        if POLICY_0 or POLICY_1:
            for _ in actions(game, state):
                choices += 1
        mover = player(game, state)
        if lifted and len(best_keys) > 0 and not (POLICY_0 if mover == seat else POLICY_1):
            plain_row = best_first[best_table[hashed_place(best_table, best_keys, plain)]]
        for action in actions(game, state):
            if rows + 1 >= len(total_of):
                return GROW
            is_final = False
            position += 1
            if plain_row >= 0 and not best_may[plain_row + position - 1]:
                continue
            if POLICY_0:  # noqa: SIM102  (numba leaves out what an `if` of its own says can't be)
                if lifted and choices > 1 and mover == seat and action != policy_0(state):
                    continue
            if POLICY_1:  # noqa: SIM102
                if lifted and choices > 1 and mover != seat and action != policy_1(state):
                    continue
            total, whole, count = 0.0, True, 0
            for j in range(PAYOFFS):
                reward[rows, j], rough[rows, j] = 0.0, 0.0
            for ways, payoff, key, sign in outcomes(game, state, action, layout):
                if ways == 0.0:
                    continue
                if not (ways >= SMALLEST and ways <= LARGEST):
                    return BAD_WAYS
                if key < 0:
                    return OUTSIDE
                if sign != 1 and sign != -1:
                    return BAD_SIGN
                for j in range(PAYOFFS):
                    if payoff[j] != 0.0:
                        if not abs(payoff[j]) <= LARGEST:
                            return BAD_PAYOFF
                        c[PAYS] = 1
                        term = ways * payoff[j]
                        reward[rows, j] += term
                        rough[rows, j] += 1.2e-16 * (abs(term) + abs(reward[rows, j]))
                whole &= ways == np.floor(ways)
                total += ways
                count += 1
                if lifted:
                    key = (key << 1) | (seat ^ 1 if sign < 0 else seat)
                place = hashed_place(table, keys, key)
                node = table[place]
                if node < 0:
                    if nodes + 1 >= len(keys) or 2 * nodes >= len(table):
                        return GROW
                    beyond = enter(game, layout, lifted, key, stage, known, entries, value, error, nodes, c)
                    if beyond > 1:
                        c[BAD_NEXT] = key >> 1 if lifted else key
                        return beyond
                    node = nodes
                    table[place] = node
                    keys[node] = key
                    policy[node] = -1 if beyond == 1 else beyond
                    nodes += 1
                if filled >= len(to):
                    return GROW
                if len(paid) > 0:
                    for j in range(PAYOFFS):
                        paid[filled, j] = payoff[j]
                to[filled] = node
                ways_of[filled] = ways * sign
                passes |= sign < 0
                filled += 1
            if count == 0:
                return NO_WAYS
            loose[rows] = 0.0 if whole and total < WHOLE else 1.2e-16 * count
            branches |= count > 1
            total_of[rows] = total
            rows += 1
            first_outcome[rows] = filled
        if rows == begin and not is_final:
            return BAD_POLICY
        if is_final:
            final = final_payoff(game, state)
            policy[i] = -1
            for j in range(PAYOFFS):
                if not abs(final[j]) <= LARGEST:
                    return BAD_PAYOFF
                value[i, j], error[i, j] = final[j], rounding(final[j])
            c[FINALS] += 1
            if not (final[0] == 0.0 or final[0] == 1.0 or final[0] == -1.0):
                c[MIXED_FINAL] = 1
        else:
            if mover != 0 and mover != 1:
                return BAD_PLAYER
            player_of[i] = mover
            c[PLAYER_0] |= mover == 0
            c[PLAYER_1] |= mover == 1
            c[CHOICES] |= rows > begin + 1
        i += 1
        first_row[i] = rows
    c[NODES], c[ROWS], c[OUTCOMES] = nodes, rows, filled
    c[PASSES] |= passes
    c[BRANCHES] |= branches
    return DONE
