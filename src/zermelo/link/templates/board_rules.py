# ruff: noqa: F821
# mypy: ignore-errors
"""The kernels that call the rules of a board game whose positions are ranked. A template like steps.py: `link` puts the rules in
front of its text, which define PARTS (int), HAS_PLAYER (bool) and the compiled functions
    game_of(integers, floats) -> game             state_of(slots) -> state          final_payoff(game, state) -> (float,)
    actions(game, state) -> yields actions        any_action(game, state) -> bool   parents(game, state) -> yields states
    player(game, state) -> 0 or 1
    outcomes(game, state, action, 0) -> yields (ways, (payoff, ...), slots of the next state, sign)
    part_ranks(slots, data, shape) -> the rank of each part, all -1 for what is no position
    image_index(k, ranks, data, shape) -> number of the image of a position under symmetry k, which makes its first part the smallest
    whole_rank(ranks, shape) -> the rank of a position in the space; rank_of_image(k, ranks, data, shape) -> that of its image
    slots_at(number, data, shape) -> slots of the position with a number

One code a position: see kernels/status.py. Results are those of the player to move; of a finished position, of the player whom
`payoff` pays. Kernels of several threads may run over different positions at once: what is reached is entered once, a level's code is
written once or again to the same effect, and what a level decides is not read before the next one.

`data` int32[:] holds all tables of boards/numbering.py, and `shape` where in it they are: tuples of integers, which stay in
registers. `tables` and `seen` are where `data` and `codes` lie: counting at every call who has an array took a third of all time.
`stamps` int16[2, 2, blocks]: stamps[0, d & 1, b] = d says that a position of block b was won in d moves, stamps[1, d & 1, b] = d
lost; `left` bool[blocks]: there may be undecided ones.
"""


@inlined
def index_of(game, x, data, shape):
    """The number of the position that stands for the one with these slots: the smallest of its mirror images. -1 if none does. (A call
    that the compiler does not inline passes all numbers of `shape`, which takes as long as the rest.)"""
    ranks = part_ranks(x, data, shape)
    if ranks[0] < 0:
        return -1
    if shape[7][0]:  # symmetries map each part of a position by itself: only some make the first part the smallest
        way = fetch(data, shape[7][1] + 3 * ranks[0])
        best = image_index(way >> 1, ranks, data, shape)
        if way & 1:
            e = fetch(data, shape[7][1] + 3 * ranks[0] + 1)
            while way & 1:
                way = fetch(data, e)
                best = min(best, image_index(way >> 1, ranks, data, shape))
                e += 1
        return best
    best = image_index(0, ranks, data, shape)
    for t in symmetries(game, state_of(x)):
        ranks = part_ranks(slots_of(t), data, shape)
        if ranks[0] < 0:
            return -1
        best = min(best, image_index(0, ranks, data, shape))
    return best


@inner
def code_of_end(game, state):
    """The code of a position if play is over there, else NEW; UNSEEN if the end pays anything but a win, a draw or a loss."""
    if any_action(game, state):
        return NEW
    final = final_payoff(game, state)[0]
    if final == 1.0:
        return FIRST
    if final == -1.0:
        return -FIRST
    return FINAL_DRAW if final == 0.0 else UNSEEN


@inner
def fault_of_move(ways, payoff, sign, count):
    """(reason, unfit) for an outcome of positive ways, the `count`-th of its action: what is wrong with the rules, else DONE; and why
    the game is not one for these kernels, else 0."""
    if not (ways >= SMALLEST and ways <= LARGEST):
        return BAD_WAYS, 0
    if sign != 1 and sign != -1:
        return BAD_SIGN, 0
    if count > 1:
        return DONE, CHANCE_MOVES
    return DONE, PAYS_ON_THE_WAY if payoff != 0.0 else 0


@inner
def is_end(code):
    return abs(code) == FIRST or code == FINAL_DRAW


@inner
def is_others(game, mover, x, sign, ends):
    """Whether the next position's result is that of the opponent of the player who moves now."""
    if HAS_PLAYER:
        return ((mover == 1) if ends else (mover != player(game, state_of(x)))) != (sign < 0)
    return sign < 0


@njit(cache=True, nogil=True)
def expand(integers, floats, data, shape, codes, low, high, block, stamps, left, downwards, c):
    """Look at all moves of the NEW positions from `low` to `high`, or in the opposite order: next positions not seen before become NEW, or
    are over. A position is decided here if a move leads to the opponent's loss at once, or every move to a win of the opponent at once.

    c counts; c[REASON] says why it returned, with the position at c[WHERE]; c[UNFIT] why the game is not one for these kernels.
    """
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(codes)
    c[REASON] = DONE
    i, step, stop = (high - 1, -1, low - 1) if downwards else (low, 1, high)
    while True:
        while i != stop and fetch(seen, i) != NEW:
            i += step
        if i == stop:
            return
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
                code = fetch(seen, index)
                if code == UNSEEN:
                    code = code_of_end(game, state_of(x))
                    if code == UNSEEN:
                        c[UNFIT] = ODD_END
                        return
                    replace(seen, index, UNSEEN, code)  # not what another thread has made of it since
                other = is_others(game, mover, x, sign, is_end(code))
                if not other:
                    c[KEEPS] = 1
                if sign < 0:
                    c[PASSED] = 1
                if code == (-FIRST if other else FIRST):
                    wins = True
                elif code != (FIRST if other else -FIRST):
                    every = False
            if count == 0:
                c[REASON] = NO_OUTCOME
                return
            c[MOVES] += 1
        c[OF_1] += mover
        b = i // block
        if wins:
            codes[i] = FIRST + 1
            stamps[0, 1, b] = 1
            c[WON] += 1
        elif every:
            codes[i] = -FIRST - 1
            stamps[1, 1, b] = 1
            c[LOST] += 1
        else:
            codes[i] = DRAWN
            left[b] = True
            c[LEFT] += 1
        i += step


@inner
def decided(game, state, tables, shape, seen, d, look_for_wins):
    """+1 if a move leads to a loss of the opponent in less than d moves, -1 if every move leads to a win of theirs in less than
    d moves, 0 otherwise. Wins are missed unless `look_for_wins`."""
    mover = player(game, state)
    every = True
    for action in actions(game, state):
        for ways, _, x, sign in outcomes(game, state, action, 0):
            if ways == 0.0:
                continue
            code = np.int64(fetch(seen, index_of(game, x, tables, shape)))
            moves = abs(code) - FIRST
            known = moves >= 0 and moves < d
            is_loss = False
            if known:
                other = is_others(game, mover, x, sign, moves == 0)
                is_loss = (code > 0) == other
                if not is_loss:
                    return 1
            if not is_loss:
                if not look_for_wins:
                    return 0
                every = False
    return -1 if every else 0


@njit(cache=True, nogil=True)
def pull(integers, floats, data, shape, codes, low, high, block, stamps, left, d, look_for_wins, c):
    """Decide the positions from `low` to `high` that are won or lost in d moves by looking at their moves."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(codes)
    for start in range(low, high, block):
        b = start // block
        if not left[b]:
            continue
        remain = False
        for i in range(start, min(start + block, high)):
            if codes[i] != DRAWN:
                continue
            c[WHERE] = i
            found = decided(game, state_of(slots_at(i, tables, shape)), tables, shape, seen, d, look_for_wins)
            if found > 0:
                codes[i] = FIRST + d
                stamps[0, d & 1, b] = d
                c[WON] += 1
            elif found < 0:
                codes[i] = -FIRST - d
                stamps[1, d & 1, b] = d
                c[LOST] += 1
            else:
                remain = True
        left[b] = remain


@njit(cache=True, nogil=True)
def push(integers, floats, data, shape, codes, low, high, block, stamps, left, d, from_won, c):
    """Take moves back from the positions from `low` to `high` that are lost in d - 1 moves: what leads there is won in d.
    Or, if `from_won`, from those won in d - 1: what leads there may be lost in d."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(codes)
    wanted = FIRST + d - 1 if from_won else -FIRST - d + 1
    side = 0 if from_won else 1
    for start in range(low, high, block):
        if d > 1 and stamps[side, (d - 1) & 1, start // block] != d - 1:
            continue
        for i in range(start, min(start + block, high)):
            if codes[i] != wanted:
                continue
            c[WHERE] = i
            for parent in parents(game, state_of(slots_at(i, tables, shape))):
                index = index_of(game, slots_of(parent), tables, shape)
                if index < 0 or codes[index] != DRAWN:
                    continue
                if not from_won:
                    codes[index] = FIRST + d
                    stamps[0, d & 1, index // block] = d
                    c[WON] += 1
                elif decided(game, parent, tables, shape, seen, d, False) < 0:
                    codes[index] = -FIRST - d
                    stamps[1, d & 1, index // block] = d
                    c[LOST] += 1


@njit(cache=True, nogil=True)
def mirror_images(integers, floats, data, shape, slots, found):
    """Write the ranks of the parts of all mirror images of positions, int64[n, slots], to found int64[n, images, PARTS].

    Returns the first position with another number of images, or one that is not in the space; -1 if there is none."""
    game, tables = game_of(integers, floats), pointer(data)
    for i in range(len(slots)):
        k = 0
        for t in symmetries(game, state_of(slots[i])):
            ranks = part_ranks(slots_of(t), tables, shape)
            if k == found.shape[1] or ranks[0] < 0:
                return i
            write_ranks(ranks, found[i, k])
            k += 1
        if k < found.shape[1]:
            return i
    return -1


@njit(cache=True, nogil=True)
def differing_images(integers, floats, data, shape, numbers, yielded, places):
    """The first of these positions of which `symmetries` does not yield all the images that the numbering takes for the same; -1 if
    there is none. `yielded` int64[most images that it may yield + 1], `places` int64[symmetries]: scratch."""
    game, tables = game_of(integers, floats), pointer(data)
    for i in range(len(numbers)):
        state = state_of(slots_at(numbers[i], tables, shape))
        ranks = part_ranks(slots_of(state), tables, shape)
        yielded[0], n = whole_rank(ranks, shape), 1
        for t in symmetries(game, state):
            if n == len(yielded):
                return i
            yielded[n] = whole_rank(part_ranks(slots_of(t), tables, shape), shape)
            n += 1
        for k in range(len(places)):
            wanted = rank_of_image(k, ranks, tables, shape)
            if places[k] < n and yielded[places[k]] == wanted:
                continue  # where it was in the position before
            places[k] = 0
            while places[k] < n and yielded[places[k]] != wanted:
                places[k] += 1
            if places[k] == n:
                places[k] = 0
                return i
    return -1
