# ruff: noqa: F821
# mypy: ignore-errors
"""The kernels of a board game whose table does not fit into memory: three bits a position, and levels on disk. A template that follows
board_rules.py, of which it uses the rules and the numbering, and board_check.py.

`words` int64[]: fields of three bits, FIELDS in each (see kernels/status.py). Calls are for the positions low..high-1, `low` being a
multiple of FIELDS. Several threads may run `spread`, `push_level` and `pull_level` over different positions at once: a field only ever
gains bits, each in one step (`merge`). Bits of a level are uint8[], of the position low + 8 * byte + bit, the lowest bit first.
"""


@inner
def field_at(seen, index):
    word = index // FIELDS
    return (fetch(seen, word) >> (3 * (index - FIELDS * word))) & 7


@inner
def put(seen, index, bits):
    """Give a field these bits. Returns the field before."""
    word = index // FIELDS
    shift = 3 * (index - FIELDS * word)
    return (merge(seen, word, bits << shift) >> shift) & 7


@inner
def field_of_end(game, state):
    """The field of a position that was reached; 0 if the end pays anything but a win, a draw or a loss."""
    code = code_of_end(game, state)
    if code == NEW:
        return F_NEW
    if code == UNSEEN:
        return 0
    return F_END_DRAWN if code == FINAL_DRAW else F_END_WON if code == FIRST else F_END_LOST


@inner
def lone(word):
    """The lowest bit of every field that has no other one: F_NEW, or OPEN."""
    return word & ~(word >> 1) & ~(word >> 2) & LOWEST


@njit(cache=True, nogil=True)
def spread(integers, floats, data, shape, words, low, high, downwards, c):
    """Look at all moves of the new positions, as `expand` does."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(words)
    c[REASON] = DONE
    first, end = low // FIELDS, -(-high // FIELDS)
    for k in range(first, end):
        w = first + end - 1 - k if downwards else k
        new = lone(words[w])
        field = 0
        while new != 0:
            while (new >> (3 * field)) & 1 == 0:
                field = (field + 1) % FIELDS
            i = w * FIELDS + field
            c[WHERE] = i
            state = state_of(slots_at(i, tables, shape))
            mover = player(game, state)
            if mover != 0 and mover != 1:
                c[REASON] = BAD_PLAYER
                return
            wins, every = False, True
            for action in actions(game, state):
                count = 0
                for ways, payoff, x, sign in outcomes(game, state, action, 0):
                    if ways == 0.0:
                        continue
                    count += 1
                    reason, unfit = fault_of_move(ways, payoff[0], sign, count)
                    if reason != DONE or unfit:
                        c[REASON], c[UNFIT] = reason, unfit
                        return
                    index = index_of(game, x, tables, shape)
                    if index < 0:
                        c[REASON] = OUTSIDE
                        return
                    after = field_at(seen, index)
                    if after == 0:
                        after = field_of_end(game, state_of(x))
                        if after == 0:
                            c[UNFIT] = ODD_END
                            return
                        put(seen, index, after)
                    other = is_others(game, mover, x, sign, after & 1 == 0)
                    if not other:
                        c[KEEPS] = 1
                    if sign < 0:
                        c[PASSED] = 1
                    if after == (F_END_LOST if other else F_END_WON):
                        wins = True
                    elif after != (F_END_WON if other else F_END_LOST):
                        every = False
                if count == 0:
                    c[REASON] = NO_OUTCOME
                    return
                c[MOVES] += 1
            c[OF_1] += mover
            if wins:
                put(seen, i, F_WON)
                c[WON] += 1
            elif every:
                put(seen, i, F_LOST)
                c[LOST] += 1
            else:
                put(seen, i, F_OPEN)
                c[LEFT] += 1
            new = lone(words[w])  # some may have been reached from here


@njit(cache=True, nogil=True)
def settle(integers, floats, data, shape, words, low, high, codes):
    """Write the codes of what is known when everything was reached (kernels/status.py) to int8[high - low], and turn fields into those of
    the levels."""
    code = (UNSEEN, NEW, FIRST, DRAWN, -FIRST, FIRST + 1, FINAL_DRAW, -FIRST - 1)
    field = (0, 0, WON_BEFORE, OPEN, LOST_BEFORE, WON_BEFORE, END_DRAWN, LOST_BEFORE)
    for w in range(low // FIELDS, -(-high // FIELDS)):
        word, after = words[w], 0
        for k in range(FIELDS):
            found = (word >> (3 * k)) & 7
            i = w * FIELDS + k
            if i < high:
                codes[i - low] = code[found]
            after |= field[found] << (3 * k)
        words[w] = after


@njit(cache=True, nogil=True)
def lay(integers, floats, data, shape, words, low, high, codes, ends_only):
    """Fields of the levels from the codes that `settle` wrote; if `ends_only`, only those that are over are decided, and just now."""
    for w in range(low // FIELDS, -(-high // FIELDS)):
        word = 0
        for k in range(FIELDS):
            i = w * FIELDS + k
            code = np.int64(codes[i - low]) if i < high else UNSEEN
            if code == UNSEEN:
                continue
            field = OPEN
            if code == FINAL_DRAW:
                field = END_DRAWN
            elif code != DRAWN and not (ends_only and abs(code) > FIRST):
                field = WON_BEFORE if code > 0 else LOST_BEFORE
                field |= 1 if ends_only else 0
            word |= field << (3 * k)
        words[w] = word


@inner
def worth(game, state, tables, shape, seen, look_for_wins):
    """+1 if a move leads to a loss of the opponent that earlier levels decided, -1 if every move leads to a win of theirs that these
    decided, 0 otherwise. Wins are missed unless `look_for_wins`."""
    mover = player(game, state)
    every = True
    for action in actions(game, state):
        for ways, _, x, sign in outcomes(game, state, action, 0):
            if ways == 0.0:
                continue
            after = field_at(seen, index_of(game, x, tables, shape))
            is_loss = False
            if after in (WON_BEFORE, LOST_BEFORE):
                is_loss = (after == WON_BEFORE) == belongs_to_other(game, mover, x, sign)
                if not is_loss:
                    return 1
            if not is_loss:
                if not look_for_wins:
                    return 0
                every = False
    return -1 if every else 0


@inner
def belongs_to_other(game, mover, x, sign):
    """Whether the next position's result is that of the opponent of the player who moves now."""
    if HAS_PLAYER:
        return is_others(game, mover, x, sign, not any_action(game, state_of(x)))
    return sign < 0


@njit(cache=True, nogil=True)
def pull_level(integers, floats, data, shape, words, low, high, look_for_wins, c):
    """Decide open positions by looking at their moves."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(words)
    for w in range(low // FIELDS, -(-high // FIELDS)):
        still = lone(words[w])
        if still == 0:
            continue
        for field in range(FIELDS):
            if (still >> (3 * field)) & 1 == 0:
                continue
            i = c[WHERE] = w * FIELDS + field
            found = worth(game, state_of(slots_at(i, tables, shape)), tables, shape, seen, look_for_wins)
            if found > 0:
                put(seen, i, WON_NOW)
                c[WON] += 1
            elif found < 0:
                put(seen, i, LOST_NOW)
                c[LOST] += 1


@njit(cache=True, nogil=True)
def push_level(integers, floats, data, shape, words, low, bits, from_won, c):
    """Take moves back from the positions with these bits, which the last level found lost: what leads there is won. Or, if `from_won`, from
    those that it found won: what leads there may be lost."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(words)
    for byte in range(len(bits)):
        if bits[byte] == 0:
            continue
        for bit in range(8):
            if (bits[byte] >> bit) & 1 == 0:
                continue
            c[WHERE] = low + 8 * byte + bit
            for parent in parents(game, state_of(slots_at(c[WHERE], tables, shape))):
                index = index_of(game, slots_of(parent), tables, shape)
                if index < 0 or field_at(seen, index) != OPEN:
                    continue
                if not from_won:
                    if put(seen, index, WON_NOW) == OPEN:
                        c[WON] += 1
                elif worth(game, parent, tables, shape, seen, False) < 0 and put(seen, index, LOST_NOW) == OPEN:
                    c[LOST] += 1


@njit(cache=True, nogil=True)
def harvest(integers, floats, data, shape, words, low, high, won, lost, c):
    """Write the bits of what was decided just now, zeros so far, and let it be decided before. c[REASON] is DIFFERS where a position was
    found won and lost, at c[WHERE]."""
    c[REASON] = DONE
    for w in range(low // FIELDS, -(-high // FIELDS)):
        word = words[w]
        now = word & LOWEST & ((word >> 1) | (word >> 2))
        if now == 0:
            continue
        for k in range(FIELDS):
            if (now >> (3 * k)) & 1 == 0:
                continue
            field, at = (word >> (3 * k)) & 7, w * FIELDS + k - low
            if field == BOTH:
                c[REASON], c[WHERE] = DIFFERS, low + at
                return
            if field == WON_NOW:
                won[at >> 3] |= 1 << (at & 7)
                c[WON] += 1
            else:
                lost[at >> 3] |= 1 << (at & 7)
                c[LOST] += 1
        words[w] = word & ~now


@njit(cache=True, nogil=True)
def mark(integers, floats, data, shape, words, low, bits, field):
    """Give the open positions with these bits a field."""
    for byte in range(len(bits)):
        if bits[byte] == 0:
            continue
        for bit in range(8):
            if (bits[byte] >> bit) & 1:
                i = low + 8 * byte + bit
                words[i // FIELDS] ^= (OPEN ^ field) << (3 * (i % FIELDS))


@njit(cache=True, nogil=True)
def age(integers, floats, data, shape, words, low, high):
    """What was decided just now was decided before."""
    for w in range(low // FIELDS, -(-high // FIELDS)):
        words[w] &= ~(words[w] & LOWEST & ((words[w] >> 1) | (words[w] >> 2)))


@njit(cache=True, nogil=True)
def compare_ends(integers, floats, data, shape, low, codes, stride, c):
    """Compare what the codes of `settle` say of ends: that these and no others are over, and for whom."""
    game, tables = game_of(integers, floats), pointer(data)
    c[REASON] = DONE
    for i in range(-(-low // stride) * stride, low + len(codes), stride):
        code = np.int64(codes[i - low])
        if code == UNSEEN:
            continue
        end = code_of_end(game, state_of(slots_at(i, tables, shape)))
        if is_end(code):
            c[LEFT] += 1
        if end != (code if is_end(code) else NEW):
            c[REASON], c[WHERE] = DIFFERS, i
            return


@njit(cache=True, nogil=True)
def compare_level(integers, floats, data, shape, words, low, bits, claim, is_first, stride, c):
    """Compare what is said of the positions with these bits (`claim` +1: won in d moves, -1: lost in d) with the next positions, of which
    those decided in d - 1 moves are decided just now, and those decided sooner before. With `claim` 0: that open positions are drawn.

    c[LEFT] counts the multiples of `stride`, which alone are looked at; c[REASON] is DIFFERS at the first one that differs, at c[WHERE]."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(words)
    c[REASON] = DONE
    for byte in range(len(bits)):
        if bits[byte] == 0:
            continue
        for bit in range(8):
            i = low + 8 * byte + bit
            if (bits[byte] >> bit) & 1 == 0 or i % stride != 0:
                continue
            c[LEFT] += 1
            c[WHERE] = i
            state = state_of(slots_at(i, tables, shape))
            mover = player(game, state)
            sooner, now, holds, longest = False, False, False, False
            for action in actions(game, state):
                for ways, _, x, sign in outcomes(game, state, action, 0):
                    if ways == 0.0:
                        continue
                    index = index_of(game, x, tables, shape)
                    after = field_at(seen, index) if index >= 0 else 0
                    if after == 0:
                        c[REASON], c[WHERE] = DIFFERS, i
                        return
                    if after in (OPEN, END_DRAWN):
                        holds = True
                        continue
                    is_now = after & 1 == 1
                    if (after in (WON_BEFORE, WON_NOW)) == belongs_to_other(game, mover, x, sign):
                        longest |= is_now
                    elif is_now:
                        now = True
                    else:
                        sooner = True
                if is_first and now:
                    break
            wrong = sooner or (claim == 1) != now
            if claim != 1:
                wrong = wrong or (claim == 0) != holds or (claim == -1) != longest
            if wrong:
                c[REASON], c[WHERE] = DIFFERS, i
                return


@njit(cache=True, nogil=True)
def open_bits(integers, floats, data, shape, words, low, high, bits):
    """Write the bits of open positions, zeros so far."""
    for w in range(low // FIELDS, -(-high // FIELDS)):
        still = lone(words[w])
        for k in range(FIELDS):
            if (still >> (3 * k)) & 1:
                at = w * FIELDS + k - low
                bits[at >> 3] |= 1 << (at & 7)
