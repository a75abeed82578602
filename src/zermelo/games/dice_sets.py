"""Scoring dice of Ten Thousand and Farkle: what a roll of one to six dice scores, in how many ways, and what may be set aside.

A chip is 50 points. What scores: each 5 one chip, each 1 two chips; three 2s, 3s, 4s or 6s in one roll twice as many
chips as the number says; three 5s ten chips and three 1s twenty instead of three and six. The roller sets at least
one scoring combination aside; with six dice there may be two triples.
"""

from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import NamedTuple

MOST_DICE = 6
POINTS_A_CHIP = 50
TRIPLES = (2, 3, 4, 6)  # numbers of which only three count


class DiceSet(NamedTuple):
    """Scoring dice: 5s, 1s, and the numbers of the triples, in ascending order."""

    fives: int
    ones: int
    triples: tuple[int, ...]

    def chips(self) -> int:
        fives = self.fives + 7 * (self.fives // 3)
        return fives + 2 * self.ones + 14 * (self.ones // 3) + 2 * sum(self.triples)

    def dice(self) -> int:
        return self.fives + self.ones + 3 * len(self.triples)

    def parts(self) -> list["DiceSet"]:
        """Everything that can be set aside from these dice, least first, excluding nothing at all."""
        triples = {tuple(t for t, kept in zip(self.triples, keep, strict=True) if kept)
                   for keep in product((0, 1), repeat=len(self.triples))}  # fmt: skip
        found = [DiceSet(f, o, t) for f in range(self.fives + 1) for o in range(self.ones + 1) for t in triples]
        return sorted((part for part in found if part.dice()), key=lambda part: (part.dice(), part.chips(), part))

    def __str__(self) -> str:
        return " ".join(["5"] * self.fives + ["1"] * self.ones + [f"{t}{t}{t}" for t in self.triples]) or "nothing"


def scoring(roll: tuple[int, ...]) -> DiceSet:
    """The scoring dice of a roll."""
    triples = tuple(face for face in TRIPLES for _ in range(roll.count(face) // 3))
    return DiceSet(roll.count(5), roll.count(1), triples)


@cache
def frequencies() -> tuple[dict[DiceSet, int], ...]:
    """By the number of dice rolled, 0 to 6: in how many rolls these dice score; rolls without score are under `NOTHING`."""
    found: list[dict[DiceSet, int]] = []
    for dice in range(MOST_DICE + 1):
        ways: dict[DiceSet, int] = {}
        for roll in combinations_with_replacement(range(1, 7), dice):
            dice_set = scoring(roll)
            count = factorial(dice) // prod(factorial(roll.count(face)) for face in range(1, 7))
            ways[dice_set] = ways.get(dice_set, 0) + count
        found.append(dict(sorted(ways.items(), key=lambda item: (item[0].dice(), item[0].chips(), item[0]))))
    return tuple(found)


NOTHING = DiceSet(0, 0, ())
SETS = (
    NOTHING,
    *sorted({s for ways in frequencies() for s in ways} - {NOTHING}, key=lambda s: (s.dice(), s.chips(), s)),
)
NUMBER = {dice_set: number for number, dice_set in enumerate(SETS)}
CHIPS = tuple(s.chips() for s in SETS)
DICE_OF = tuple(s.dice() for s in SETS)

# Rolls of n dice: the sets ROLLED[k], in WAYS[k] ways, k = ROLLS_FROM[n] .. ROLLS_FROM[n + 1] - 1; nothing comes first.
ROLLED = tuple(NUMBER[s] for ways in frequencies() for s in ways)
WAYS = tuple(count for ways in frequencies() for count in ways.values())
ROLLS_FROM = tuple(sum(len(ways) for ways in frequencies()[:n]) for n in range(MOST_DICE + 2))

# Of set s the parts PARTS[k] may be set aside, k = PARTS_FROM[s] .. PARTS_FROM[s + 1] - 1; all of it comes last.
PARTS = tuple(NUMBER[part] for s in SETS for part in s.parts())
PARTS_FROM = tuple(sum(len(s.parts()) for s in SETS[:n]) for n in range(len(SETS) + 1))
CHOICES = tuple(len(s.parts()) for s in SETS)
