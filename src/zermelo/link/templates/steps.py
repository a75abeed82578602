# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that asks the rules what follows from given states: no numbers of states, no table. This file is a template: `module.py` puts
a game's rules in front of its text.

The text above it defines, for one game: CHANCE (bool), JOINT (bool: both choose at once), PAYOFFS (int) and the compiled functions
    game_of(integers, floats) -> game        unpack(key, layout) -> state        player(game, state) -> 0 or 1
    actions(game, state) -> yields actions   final_payoff(game, state) -> (float, ...)
    outcomes(game, state, action, layout) -> yields (ways, (payoff, ...), key of the next state or -1, sign)
    own_actions(game, state) -> how many actions player 0 has, and
    one_is_idle(game, state) -> whether only one of the players has an action; if JOINT
    slots_of_layout(numbers) -> layout
`layout` : lowest value, shift and number of values of each slot of a state (see layout.py); tuples, which machine code keeps in registers.
"""


@njit(cache=True, nogil=True)
def write_steps(
    integers, floats, numbers, keys, at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of
):  # fmt: skip
    """Write the outcomes of the states with these keys, those of positive ways. Returns how many states were written before an array was
    full. A next state that keys of this layout can't hold has the key -1; a `player` that is neither 0 nor 1 is written as -1, and as -2
    where only one of two has an action; a sign that is neither KEEP nor PASS as 0. at[0]: the state that is being written, should a rule
    raise.

    row_of[i]: where the rows of state i begin; outcome_of[r]: where the outcomes of row r begin. `own_of`: the actions of player 0.
    `numbers` : int64[3, slots], the layout; an array, so that kernels that are given this one are the same for all games."""
    game, layout = game_of(integers, floats), slots_of_layout(numbers)
    rows, filled = 0, 0
    row_of[0], outcome_of[0] = 0, 0
    for i in range(min(len(keys), len(player_of))):
        at[0] = i
        state = unpack(keys[i], layout)
        first_row = rows
        for action in actions(game, state):
            begin = filled
            for ways, payoff, key, sign in outcomes(game, state, action, layout):
                if ways == 0.0:
                    continue
                if filled == len(ways_of):
                    return i
                ways_of[filled], key_of[filled], sign_of[filled] = ways, key, sign
                for j in range(PAYOFFS):
                    payoff_of[filled, j] = payoff[j]
                filled += 1
            if CHANCE and filled == begin:
                break
            if rows + 2 > len(outcome_of) - 1:
                return i
            rows += 1
            outcome_of[rows] = filled
        row_of[i + 1] = rows
        player_of[i], own_of[i] = 0, own_actions(game, state) if JOINT and rows > first_row else 0
        for j in range(PAYOFFS):
            final_of[i, j] = 0.0
        if rows > first_row:
            mover = player(game, state)
            player_of[i] = mover if mover == 0 or mover == 1 else -1
        elif JOINT and one_is_idle(game, state):
            player_of[i] = -2
        else:
            final = final_payoff(game, state)
            for j in range(PAYOFFS):
                final_of[i, j] = final[j]
    return min(len(keys), len(player_of))
