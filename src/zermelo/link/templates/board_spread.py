# ruff: noqa: F821
# mypy: ignore-errors
"""What the rules say about positions of a board game whose table is spread over machines. A template that follows board_rules.py, of which
it uses the numbering and the checks of moves: next positions and earlier ones are written down as numbers, to be sent to their owners.
"""


@inner
def seen_before(found, begin, end, number, flags, flag):
    for k in range(begin, end):  # noqa: SIM110 compiled
        if found[k] == number and flags[k] == flag:
            return True
    return False


@inner
def winning_move(game, state, mover, tables, shape):
    """(number of the position after a move that wins at once, its flag), -1 if there is none."""
    for action in actions(game, state):
        for ways, _, x, sign in outcomes(game, state, action, 0):
            if ways == 0.0:
                continue
            others = is_others(game, mover, x, sign, True)
            if code_of_end(game, state_of(x)) == (-FIRST if others else FIRST):
                flag = np.uint8(is_others(game, mover, x, sign, False) + 2 * others)
                return index_of(game, x, tables, shape), flag
    return -1, np.uint8(0)


@njit(cache=True, nogil=True)
def follow(integers, floats, data, shape, numbers, claimed, open_moves, begins, found, flags, c):
    """Write the next positions of `numbers` int64[n] to `found` int64[room], each once, those of position i from begins[i] on.
    `flags` : 1 if the next position's result is that of the opponent of the player who moves now, 2 if that is so where play is over there.

    `claimed` : codes of these positions, or none: of those that are said to be won in 1 move one that proves it is written alone.
    `open_moves` int64[n] or [0] : how many next positions are not won for the opponent at once, -1 if one is lost for them at once.
    Returns how many positions are written: fewer than n if there is no room. c counts as in `expand`; c[WHERE] is an index of `numbers`."""
    game, tables = game_of(integers, floats), pointer(data)
    c[REASON] = DONE
    k = begins[0] = 0
    for i in range(len(numbers)):
        c[WHERE] = i
        state = state_of(slots_at(numbers[i], tables, shape))
        mover = player(game, state)
        if mover != 0 and mover != 1:
            c[REASON] = BAD_PLAYER
            return i
        if len(claimed) > 0 and claimed[i] == FIRST + 1:
            index, flag = winning_move(game, state, mover, tables, shape)
            if index >= 0:
                if k == len(found):
                    return i
                found[k], flags[k] = index, flag
                k += 1
                begins[i + 1] = k
                continue
        moves, left, wins = 0, 0, False
        for action in actions(game, state):
            count = 0
            for ways, payoff, x, sign in outcomes(game, state, action, 0):
                if ways == 0.0:
                    continue
                count += 1
                reason, unfit = fault_of_move(ways, payoff[0], sign, count)
                if reason != DONE or unfit:
                    c[REASON], c[UNFIT] = reason, unfit
                    return i
                index = index_of(game, x, tables, shape)
                if index < 0:
                    c[REASON] = OUTSIDE
                    return i
                flag = np.uint8(is_others(game, mover, x, sign, False) + 2 * is_others(game, mover, x, sign, True))
                if flag != 3:
                    c[KEEPS] = 1
                if sign < 0:
                    c[PASSED] = 1
                if seen_before(found, begins[i], k, index, flags, flag):
                    continue
                if k == len(found):
                    return i
                found[k], flags[k] = index, flag
                k += 1
                if len(open_moves) > 0:
                    code = code_of_end(game, state_of(x))
                    others = flag & 2 != 0
                    wins = wins or code == (-FIRST if others else FIRST)
                    left += code != (FIRST if others else -FIRST)
            if count == 0:
                c[REASON] = NO_OUTCOME
                return i
            moves += 1
        c[MOVES] += moves
        c[OF_1] += mover
        begins[i + 1] = k
        if len(open_moves) > 0:
            open_moves[i] = -1 if wins else left
    return len(numbers)


@njit(cache=True, nogil=True)
def before(integers, floats, data, shape, numbers, begins, found, flags, c):
    """The same for the positions that moves are taken back to."""
    game, tables = game_of(integers, floats), pointer(data)
    k = begins[0] = 0
    for i in range(len(numbers)):
        c[WHERE] = i
        for parent in parents(game, state_of(slots_at(numbers[i], tables, shape))):
            index = index_of(game, slots_of(parent), tables, shape)
            if index < 0 or seen_before(found, begins[i], k, index, flags, 3):
                continue
            if k == len(found):
                return i
            found[k], flags[k] = index, 3
            k += 1
        begins[i + 1] = k
    return len(numbers)


@njit(cache=True, nogil=True)
def ends(integers, floats, data, shape, numbers, codes, c):
    """Write to `codes` what `code_of_end` says of each position."""
    game, tables = game_of(integers, floats), pointer(data)
    for i in range(len(numbers)):
        c[WHERE] = i
        codes[i] = code_of_end(game, state_of(slots_at(numbers[i], tables, shape)))
        if codes[i] == UNSEEN:
            c[UNFIT] = ODD_END
