# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that writes what follows from given states, as the rules say it and nothing else: no numbers of states, no table. A template,
as link/templates/rules.py is, with the same functions in front of it.
"""


@njit(cache=True)
def write_steps(integers, floats, layout, keys, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of):
    """Write the outcomes of the states with these keys, those of positive ways. Returns how many states were written
    before an array was full. A next state that keys of this layout can't hold has the key -1.

    row_of[i]: where the rows of state i begin; outcome_of[r]: where the outcomes of row r begin. `own_of`: the actions of player 0."""
    game = game_of(integers, floats)
    rows, filled = 0, 0
    row_of[0], outcome_of[0] = 0, 0
    for i in range(len(keys)):
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
        player_of[i], own_of[i] = 0, own_actions(game, state) if rows > first_row else 0
        for j in range(PAYOFFS):
            final_of[i, j] = 0.0
        if rows > first_row:
            player_of[i] = player(game, state)
        else:
            final = final_payoff(game, state)
            for j in range(PAYOFFS):
                final_of[i, j] = final[j]
    return len(keys)
