"""Gambler's ruin: chips change hands one at a time until one of two players has none left.

zermelo solve examples/gamblers_ruin.py --chips 300 --luck 50
"""

from typing import Annotated, NamedTuple


class Table(NamedTuple):
    mine: int  # chips of the first player; the others are the second one's


class GamblersRuin(NamedTuple):
    """How likely the first player is to win all chips, who has half of them at the beginning."""

    chips: Annotated[int, "chips on the table", range(2, 1_000_001)] = 300
    luck: Annotated[int, "his chance to win a round, in percent", range(1, 100)] = 50

    def start(self):
        return Table(self.chips // 2)

    def outcomes(self, s):
        if 0 < s.mine < self.chips:
            yield self.luck, 0, Table(s.mine + 1)
            yield 100 - self.luck, 0, Table(s.mine - 1)

    def payoff(self, s):
        return 1 if s.mine == self.chips else 0
