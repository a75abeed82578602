# ruff: noqa: F821
# mypy: ignore-errors
"""A kernel that calls the rules of a game in which both choose at once. A template, as link/templates/rules.py is, and put behind it."""


@njit(cache=True)
def count_actions(integers, floats, layout, keys, low, counts):
    """counts[i] : int32, how many actions player 0 has in the state with the key keys[low + i]. Returns their sum."""
    game = game_of(integers, floats)
    total = 0
    for i in range(len(counts)):
        state = unpack(keys[low + i], layout)
        counts[i] = 0
        for _ in zermelo_rule_actions(game, state):
            counts[i] += 1
        total += counts[i]
    return total
