"""Parking near the theatre, a classic of optimal stopping (MacQueen and Miller 1960), with payoffs that are costs.

You drive towards the theatre past `spaces` parking spaces; each is free with 1 way in `busy`. Walking back from space n costs n; if
you drive past the last one you pay for the garage.
"""

from typing import Annotated, NamedTuple

PARK, DRIVE_ON = range(2)


class Street(NamedTuple):
    left: int  # spaces between you and the theatre
    free: bool  # is the space beside you free?
    parked: bool


class Parking(NamedTuple):
    """Park in a free space far away, or drive on and hope?"""

    spaces: Annotated[int, "parking spaces on the way", range(1, 1001)] = 100
    busy: Annotated[int, "one space in so many is free", range(2, 101)] = 10
    garage: Annotated[int, "cost of the garage at the theatre", range(1001)] = 50

    def start(self):
        return Street(self.spaces, False, False)

    def actions(self, s):
        if not s.parked and s.left > 0:
            yield DRIVE_ON
            if s.free:
                yield PARK

    def outcomes(self, s, action):
        if action == PARK:
            yield 1, -s.left, Street(0, False, True)
        elif s.left == 1:
            yield 1, -self.garage, Street(0, False, False)
        else:
            yield 1, 0, Street(s.left - 1, True, False)
            yield self.busy - 1, 0, Street(s.left - 1, False, False)

    def action_name(self, action):
        return "park" if action == PARK else "drive on"
