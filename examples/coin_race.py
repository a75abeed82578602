"""A race for two that is solved stage by stage: only the values of the beginnings of turns are kept.

zermelo solve examples/coin_race.py --goal 300
"""

from typing import Annotated, NamedTuple

FLIP, BANK = range(2)
KEEP, PASS = +1, -1


class State(NamedTuple):
    mine: int  # banked by the player to move
    theirs: int
    turn: int  # points of this turn, not banked yet


class CoinRace(NamedTuple):
    """Flip three coins as often as you like: each head is a point, three tails lose the turn. Bank `goal` points first to win."""

    goal: Annotated[int, "points to win", range(1, 1001)] = 100

    def start(self):
        return State(0, 0, 0)

    def actions(self, s):
        if s.mine + s.turn < self.goal:
            yield FLIP
            if s.turn > 0:
                yield BANK

    def outcomes(self, s, action):
        if action == BANK:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0), PASS
        else:
            yield 1, 0, State(s.theirs, s.mine, 0), PASS
            for heads, ways in ((1, 3), (2, 3), (3, 1)):
                yield ways, 0, State(s.mine, s.theirs, min(s.turn + heads, self.goal - s.mine)), KEEP

    def payoff(self, s):
        return 1  # the player to move has reached the goal

    def stage(self, s):
        return (s.mine + s.theirs) * self.goal + min(s.mine, s.theirs)

    def entries(self):
        for mine in range(self.goal):
            for theirs in range(self.goal):
                yield State(mine, theirs, 0)
