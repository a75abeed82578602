# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that finds states. A template, put behind steps.py."""

from zermelo.kernels.exploring import enter_steps


@njit(cache=True, nogil=True)
def search(
    integers, floats, layout, table, direct, keys, begin, link, c, most, wide,
    at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, own_of,
):  # fmt: skip
    """Ask what follows from the states that wait, a batch at a time, and enter it, until no state waits, or `wide` ones, `most` states
    have been found, or there may be no room for what follows from a batch. Returns a status, `c` holds the counters. Should a rule raise,
    what `at` says has been written of the states from c[ENTERED] on has not been entered."""
    room = len(ways_of)
    while 0 < c[FOUND] - c[ENTERED] < wide and c[FOUND] <= most:
        if c[FOUND] + room > len(keys) or c[LINKS] + room > len(link) or (not direct and 2 * (c[FOUND] + room) > len(table)):
            return GROW
        written = write_steps(
            integers, floats, layout, keys[c[ENTERED] : c[FOUND]], at, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of,
            player_of, own_of,
        )  # fmt: skip
        if written == 0:
            return TOO_MANY
        status = enter_steps(
            table, direct, keys, written, row_of, outcome_of, ways_of, key_of, sign_of, payoff_of, final_of, player_of, begin, link, c
        )  # fmt: skip
        if status != DONE:
            return status
    return DONE
