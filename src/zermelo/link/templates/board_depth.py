# ruff: noqa: F821
# mypy: ignore-errors
"""Positions of a board game decided by those that they lead to, depth first: one look at each where play can't come back, whatever the
number of moves to the end. A template that follows board_rules.py, of which it uses the rules and the numbering.
"""

NO_LOSS = 1 << 30  # moves to the end of a next position that the opponent has lost, where there is none


@inner
def is_waiting(waiting, depth, index):
    """Whether a position is one of the first `depth` + 1 that wait."""
    k = depth
    while k >= 0 and waiting[k] != index:
        k -= 1
    return k >= 0


@inner
def write_known(known, depth, looked, soonest, longest, holds):
    known[depth, 0], known[depth, 1], known[depth, 2], known[depth, 3] = looked, soonest, longest, holds


@njit(cache=True, nogil=True)
def deepen(integers, floats, data, shape, codes, low, high, block, stamps, left, draw, unknown, most, c):
    """Decide the open positions (DRAWN) from `low` to `high` after all that they lead to: they are won or lost, or have the code `draw`.
    `unknown`, the largest code, is for those from which play may come back, or which are further from the end than codes can tell: c[LEFT]
    counts these; and for all that lead to such positions, unless they are won in 2 moves.

    What another thread decides meanwhile is decided once more, to the same effect. After `most` looks at positions it returns, with
    c[NEXT] to go on from; what still waits then is looked at again.
    """
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(codes)
    c[REASON] = DONE
    waiting = np.empty(DEEPEST, np.int64)  # positions, each waiting for the next one
    known = np.empty((DEEPEST, 4), np.int64)  # of each: how many moves were looked at, and what they lead to, as in `compare`
    looks, c[NEXT] = 0, high
    for first in range(low, high):
        if codes[first] != DRAWN:
            continue
        depth, waiting[0] = 0, first
        write_known(known, 0, 0, NO_LOSS, -1, 0)
        while depth >= 0:
            if looks == most:
                c[NEXT] = first
                return
            looks += 1
            i = c[WHERE] = waiting[depth]
            state = state_of(slots_at(i, tables, shape))
            mover = player(game, state)
            number, looked, soonest, longest, holds = 0, known[depth, 0], known[depth, 1], known[depth, 2], known[depth, 3]
            code, opens = DRAWN, -1
            for action in actions(game, state):
                for ways, _, x, sign in outcomes(game, state, action, 0):
                    if ways == 0.0:
                        continue
                    number += 1
                    if number <= looked:
                        continue
                    index = index_of(game, x, tables, shape)
                    after = np.int64(fetch(seen, index))
                    if after in (DRAWN, unknown):
                        if after == DRAWN and depth + 1 < DEEPEST and not is_waiting(waiting, depth, index):
                            opens = index
                        code = unknown
                        break
                    if after in (draw, FINAL_DRAW):
                        holds = 1
                    else:
                        moves = abs(after) - FIRST
                        if (after > 0) == is_others(game, mover, x, sign, moves == 0):
                            longest = max(longest, moves)
                        else:
                            soonest = min(soonest, moves)
                    looked = number
                if code == unknown or soonest == 1:  # a win in 1 move was seen when positions were found
                    break
            if opens >= 0:
                write_known(known, depth, looked, soonest, longest, holds)
                depth += 1
                waiting[depth] = opens
                write_known(known, depth, 0, NO_LOSS, -1, 0)
                continue
            if soonest == 1 or code != unknown:
                distance = soonest + 1 if soonest < NO_LOSS else longest + 1
                if soonest == NO_LOSS and holds == 1:
                    code = draw
                elif FIRST + distance >= unknown:
                    code = unknown
                    c[LEFT] += 1
                else:
                    code = FIRST + distance if soonest < NO_LOSS else -FIRST - distance
            codes[i] = code
            depth -= 1
