"""Twenty-one matches: the smallest complete game for two. Try `zermelo solve examples/matches.py:Matches`."""

from typing import Annotated, NamedTuple


class Heap(NamedTuple):
    matches: int  # left on the table


class Matches(NamedTuple):
    """Take one to `most` matches in turn; whoever takes the last one wins."""

    matches: Annotated[int, "matches on the table at the start", range(1, 1000)] = 21
    most: Annotated[int, "most that a player may take at once", range(1, 10)] = 3

    def start(self):
        return Heap(self.matches)

    def actions(self, s):
        for take in range(1, min(self.most, s.matches) + 1):
            yield take

    def outcomes(self, s, take):
        yield 1, 0, Heap(s.matches - take), -1  # -1: now the other player moves

    def payoff(self, s):
        return -1  # no match left: the player to move has lost

    def action_name(self, take):
        return f"take {take}"
