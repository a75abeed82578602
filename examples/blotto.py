"""Colonel Blotto: both sides distribute soldiers over battlefields, hidden from each other.

`zermelo solve examples/blotto.py:Blotto --ours 20 --theirs 20`. There are millions of ways to distribute a few dozen
soldiers, but the best reply to a mixture of them is a knapsack: field by field, how much is to be gained with so many
soldiers here (Borel 1921; Ahmadinejad and others 2016 on replies by dynamic programming).
"""

from typing import Annotated, NamedTuple


class Blotto(NamedTuple):
    """Whoever sends more soldiers to a field wins what it is worth from the other; a tie there pays nothing."""

    ours: Annotated[int, "soldiers of the row player", range(1, 200)] = 12
    theirs: Annotated[int, "soldiers of the column player", range(1, 200)] = 10
    worth: Annotated[tuple[int, ...], "what each field is worth"] = (1, 2, 3, 4)

    def rows(self):
        yield (self.ours,) + (0,) * (len(self.worth) - 1)

    def columns(self):
        yield (self.theirs,) + (0,) * (len(self.worth) - 1)

    def payoff(self, row, column):
        return sum(w * ((r > c) - (r < c)) for w, r, c in zip(self.worth, row, column, strict=True))

    def best_row(self, weights):
        return best_reply(self.ours, self.worth, weights)

    def best_column(self, weights):
        return best_reply(self.theirs, self.worth, weights)  # the game is the same seen from the other side


def best_reply(soldiers, worth, weights):
    """The distribution that wins most against others with these weights."""
    best = [(0, ())] * (soldiers + 1)  # on the fields so far with at most i soldiers: what is won, and how
    for field, w in enumerate(worth):
        against = {}  # how likely the other side has how many soldiers here
        for other, weight in weights.items():
            against[other[field]] = against.get(other[field], 0) + weight
        gain = [w * sum(p * ((here > n) - (here < n)) for n, p in against.items()) for here in range(soldiers + 1)]
        best = [
            max((best[i - here][0] + gain[here], best[i - here][1] + (here,)) for here in range(i + 1))
            for i in range(soldiers + 1)
        ]
    return best[soldiers][1]
