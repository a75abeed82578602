# ruff: noqa: F821
# mypy: ignore-errors
"""The check of a board game's table, after it was solved. A template that follows board_rules.py, of which it uses the numbering and
nothing that decides positions; what must follow from next positions is told in kernels/verify_results.py.
"""

from zermelo.kernels.verify_results import NEVER, implied


@njit(cache=True, nogil=True)
def compare(integers, floats, data, shape, codes, low, high, block, stamps, left, stride, c):
    """Compare the codes of the multiples of `stride` from `low` to `high` with what follows from those of the next positions.

    c[LEFT] counts them; c[REASON] is DIFFERS at the first one that differs, at c[WHERE]. A move that wins at once proves a win in 1
    move, so the moves after it are not looked at there."""
    game, tables, seen = game_of(integers, floats), pointer(data), pointer(codes)
    c[REASON] = DONE
    for i in range(-(-low // stride) * stride, high, stride):
        code = np.int64(codes[i])
        if code == UNSEEN:
            continue
        c[LEFT] += 1
        c[WHERE] = i
        state = state_of(slots_at(i, tables, shape))
        if is_end(code):  # where `player` need not be defined
            if code != code_of_end(game, state):
                c[REASON] = DIFFERS
                return
            continue
        mover = player(game, state)
        soonest, longest, holds, moves = NEVER, -1, False, 0
        for action in actions(game, state):
            for ways, _, x, sign in outcomes(game, state, action, 0):
                if ways == 0.0:
                    continue
                moves += 1
                index = index_of(game, x, tables, shape)
                after = np.int64(fetch(seen, index)) if index >= 0 else UNSEEN
                if after == UNSEEN:
                    c[REASON] = DIFFERS
                    return
                if abs(after) == DRAWN:  # or FINAL_DRAW
                    holds = True
                    continue
                away = abs(after) - FIRST
                if (after > 0) == is_others(game, mover, x, sign, away == 0):
                    longest = max(longest, away)
                else:
                    soonest = min(soonest, away)
            if soonest == 0:
                break
        result, distance = implied(soonest, holds, longest)
        expected = result * (FIRST + distance) if result != 0 else np.int64(DRAWN)
        if moves == 0 or code != expected:
            c[REASON] = DIFFERS
            return
