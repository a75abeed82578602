# ruff: noqa: F821
# mypy: ignore-errors
"""The two kernels that call the rules. This file is a template: `link.py` puts a game's rules in front of its text.

The text above it defines, for one game: CHANCE (bool), PAYOFFS (int) and the compiled functions
    game_of(integers, floats) -> game        unpack(key, layout) -> state        player(game, state) -> 0 or 1
    actions(game, state) -> yields actions   final_payoff(game, state) -> (float, ...)
    outcomes(game, state, action, layout) -> yields (ways, (payoff, ...), key of the next state or -1, sign)
`layout` is int64[3, k]: lowest value, shift and number of values of each slot of a state (see layout.py).
"""


@njit
def place_of(table, direct, keys, key):
    """Where the key stands in the table, or where it would be put."""
    if direct:
        return key
    return hashed_place(table, keys, key)


@njit(cache=True)
def explore(
    integers, floats, layout, table, direct, keys, lowest, number, returns, stack, frames, waiting, order, starts, looped, c, budget
):  # fmt: skip
    """Find the states reachable from the keys on `stack`, and number them in component order (Tarjan 1972).

    Slot numbers are given in the order of discovery: `keys[slot]`, `lowest[slot]` (Tarjan's low link), `number[slot]`
    (-1 until the component is complete), `returns[slot]` (it can be its own successor). `table` maps a key to its slot.
    `stack` holds keys still to visit and, as ~slot, frames to close; `frames` the open slots, `waiting` the slots whose
    component is not complete. `order[number] = slot`; `starts[i]` is the first number of component i and `looped[i]`
    whether play can return to it. Returns a status; `c` holds the counters.
    """
    game = game_of(integers, floats)
    n_stack, n_frames, n_slots, n_open = c[STACK], c[FRAMES], c[SLOTS], c[OPEN]
    done = 0
    status = DONE
    while n_stack > 0:
        if done >= budget:
            status = PAUSED
            break
        entry = stack[n_stack - 1]
        if entry < 0:  # 1. close a frame: all that can be reached from it has been seen
            slot = ~entry
            n_stack -= 1
            n_frames -= 1
            low = lowest[slot]
            if low == slot:  # a component is complete: number its states
                first = c[NUMBERED]
                starts[c[COMPONENTS]] = first
                looped[c[COMPONENTS]] = waiting[n_open - 1] != slot or returns[slot]
                c[CYCLES] += looped[c[COMPONENTS]]
                c[COMPONENTS] += 1
                member = -1
                while member != slot:
                    n_open -= 1
                    member = waiting[n_open]
                    number[member] = c[NUMBERED]
                    order[c[NUMBERED]] = member
                    c[NUMBERED] += 1
            if n_frames > 0 and low < lowest[frames[n_frames - 1]] and number[slot] < 0:
                lowest[frames[n_frames - 1]] = low
            continue
        # 2. visit a state for the first time
        place = place_of(table, direct, keys, entry)
        if table[place] >= 0:
            n_stack -= 1
            continue
        if n_slots + 1 >= len(keys) or n_frames + 1 >= len(frames) or (not direct and 2 * n_slots >= len(table)):
            status = GROW
            break
        slot = n_slots
        c[BAD_KEY] = entry  # should a rule raise
        table[place] = slot
        keys[slot] = entry
        before = n_stack
        low = slot
        rows = 0
        edges = 0
        branches = False
        self_loop = False
        pays = False
        negative = False
        state = unpack(entry, layout)
        for action in actions(game, state):
            total = 0.0
            in_row = 0
            for ways, payoff, key, sign in outcomes(game, state, action, layout):
                if ways == 0.0:
                    continue
                if not (ways >= SMALLEST and ways <= LARGEST):
                    status = BAD_WAYS
                    break
                for j in range(PAYOFFS):
                    if not abs(payoff[j]) <= LARGEST:
                        status = BAD_PAYOFF
                    pays |= payoff[j] != 0.0
                    negative |= payoff[j] < 0.0
                if key < 0:
                    status = OUTSIDE
                if sign != 1 and sign != -1:
                    status = BAD_SIGN
                if status != DONE:
                    break
                c[PASSES] |= sign < 0
                total += ways
                in_row += 1
                found = table[place_of(table, direct, keys, key)]
                if found < 0:
                    if n_stack + 1 >= len(stack):
                        status = GROW
                        break
                    stack[n_stack] = key
                    n_stack += 1
                elif found == slot:
                    self_loop = True
                elif number[found] < 0 and found < low:
                    low = found
            if status != DONE:
                break
            if in_row == 0:
                if CHANCE:
                    break
                status = NO_OUTCOME if total == 0.0 else NO_WAYS
                break
            rows += 1
            edges += in_row
            branches |= in_row > 1
        if status != DONE:  # take the visit back; the host mends what is wrong and calls again, or reports the state
            table[place] = -1
            n_stack = before
            break
        if rows == 0:
            c[FINALS] += 1
            final = final_payoff(game, state)
            for j in range(PAYOFFS):
                if not abs(final[j]) <= LARGEST:
                    status = BAD_PAYOFF
                negative |= final[j] < 0.0
            if not (final[0] == 0.0 or final[0] == 1.0 or final[0] == -1.0):
                c[MIXED_FINAL] = 1
            if status != DONE:
                table[place] = -1
                n_stack = before
                break
        else:
            mover = player(game, state)
            if mover != 0 and mover != 1:
                status = BAD_PLAYER
                table[place] = -1
                n_stack = before
                break
            c[PLAYER_0] |= mover == 0
            c[PLAYER_1] |= mover == 1
        c[ROWS] += rows
        c[OUTCOMES] += edges
        c[BRANCHES] |= branches
        c[PAYS] |= pays
        c[PAYS_NEGATIVE] |= negative
        c[CHOICES] |= rows > 1
        c[MOST_ACTIONS] = max(c[MOST_ACTIONS], rows)
        n_slots += 1
        done += 1
        lowest[slot] = low
        number[slot] = -1
        returns[slot] = self_loop
        if n_stack == before and low == slot:  # nothing new below: a component of its own
            number[slot] = c[NUMBERED]
            order[c[NUMBERED]] = slot
            starts[c[COMPONENTS]] = c[NUMBERED]
            looped[c[COMPONENTS]] = self_loop
            c[CYCLES] += self_loop
            c[NUMBERED] += 1
            c[COMPONENTS] += 1
            n_stack -= 1
            continue
        if n_stack == before and low < slot:  # nothing new below, but it can return to an open state
            waiting[n_open] = slot
            n_open += 1
            n_stack -= 1
            if low < lowest[frames[n_frames - 1]]:
                lowest[frames[n_frames - 1]] = low
            continue
        stack[before - 1] = ~slot
        frames[n_frames] = slot
        n_frames += 1
        waiting[n_open] = slot
        n_open += 1
    c[STACK], c[FRAMES], c[SLOTS], c[OPEN] = n_stack, n_frames, n_slots, n_open
    return status


@njit(cache=True)
def materialize(
    integers, floats, layout, table, direct, keys, low, high,
    action_start, outcome_start, ways_of, next_of, sign_of, payoff_of, final_of, player_of,
):  # fmt: skip
    """Write the transitions of the states low, low+1, ... (see transitions.py) until `high` or until an array is full.

    `table` maps a key to a state's number, `keys[number]` is its key. Returns the first state that was not written.
    """
    game = game_of(integers, floats)
    rows = 0
    filled = 0
    action_start[0] = 0
    outcome_start[0] = 0
    for i in range(low, high):
        if i - low + 1 >= len(action_start):
            return i
        first_row, first_outcome = rows, filled
        state = unpack(keys[i], layout)
        full = False
        for action in actions(game, state):
            begin = filled
            for ways, payoff, key, sign in outcomes(game, state, action, layout):
                if ways == 0.0:
                    continue
                if filled >= len(ways_of):
                    full = True
                    break
                ways_of[filled] = ways
                next_of[filled] = table[place_of(table, direct, keys, key)]
                sign_of[filled] = sign
                for j in range(PAYOFFS):
                    payoff_of[filled, j] = payoff[j]
                filled += 1
            if CHANCE and filled == begin:
                break
            if full or rows + 1 >= len(outcome_start):
                full = True
                break
            rows += 1
            outcome_start[rows] = filled
        if full:
            return i
        action_start[i - low + 1] = rows
        if rows == first_row:
            filled = first_outcome
            player_of[i - low] = 0
            final = final_payoff(game, state)
            for j in range(PAYOFFS):
                final_of[i - low, j] = final[j]
        else:
            player_of[i - low] = player(game, state)
            for j in range(PAYOFFS):
                final_of[i - low, j] = 0.0
    return high
