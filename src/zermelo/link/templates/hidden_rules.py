# ruff: noqa: F821
# mypy: ignore-errors
"""Kernels that call the rules of a game with hidden information. A template, put behind steps.py."""


@inner
def write_action(action, numbers, filled):
    """Write the numbers of an action from this place on. Returns the place behind them, or -1 if the array is full."""
    for number in zermelo_support.numbers_of(action):
        if filled >= len(numbers):
            return -1
        numbers[filled] = number
        filled += 1
    return filled


@njit(cache=True, nogil=True)
def see(integers, floats, layout, keys, low, high, begin, numbers):
    """Write four lists of numbers for each of the states low, low+1, ... until `high` or until an array is full: what player 0 knows, what
    player 1 knows, the actions, and the other actions where both choose at once, as numbers one behind the other.

    List k of state low + i is numbers[begin[4 * i + k] : begin[4 * i + k + 1]]. Returns the first state that was not written.
    """
    game = game_of(integers, floats)
    filled = 0
    begin[0] = 0
    for i in range(low, high):
        if 4 * (i - low) + 4 >= len(begin):
            return i
        state = unpack(keys[i], layout)
        at = 4 * (i - low)
        for viewer in range(2):
            for number in zermelo_rule_sees(game, state, viewer):
                if filled >= len(numbers):
                    return i
                numbers[filled] = zermelo_support.whole(number)
                filled += 1
            begin[at + viewer + 1] = filled
        for action in zermelo_rule_actions(game, state):
            filled = write_action(action, numbers, filled)
            if filled < 0:
                return i
        begin[at + 3] = filled
        if JOINT:
            for action in zermelo_rule_other_actions(game, state):
                filled = write_action(action, numbers, filled)
                if filled < 0:
                    return i
        begin[at + 4] = filled
    return high


@njit(cache=True, nogil=True)
def mark_open(integers, floats, numbers, keys, is_open):
    """Write whether play goes on in the states with these keys: whether there is an action. `numbers` : the layout, as `write_steps` takes
    it."""
    game, layout = game_of(integers, floats), slots_of_layout(numbers)
    for i in range(len(keys)):
        is_open[i] = False
        for _action in actions(game, unpack(keys[i], layout)):
            is_open[i] = True
            break
