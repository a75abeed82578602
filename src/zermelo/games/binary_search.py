"""Binary search against an opponent who hides the number on purpose.

Graham-Cumming 2024, on a question of Steve Ballmer's in job interviews; the analysis of all trees for n <= 13, and the
conjecture that (2, 1, ..., 1, 2)/(n + 2) is optimal for Alice, in a post of the same year; Gukov 2024 bounds n = 100.

Alice has n strategies; Bob has one for each search tree, some 10^57 for n = 100. But his best response to a mixture of hers is
an optimal binary search tree (Knuth 1971), found in n^2 steps, and zermelo.matrix solves the game from such replies. The game
is symmetric under i -> n + 1 - i, so the mean of an optimal mixture and its mirror image is also optimal. The number i therefore
stands for "i or n + 1 - i, decided by a coin", and a tree for itself and its mirror image.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.search_trees import Depths, Tree, balanced, by_rule, good, guesses, optimal, preorder

MANY = 3  # trees a reply: the best ones with different first guesses


class BinarySearch(NamedTuple):
    """Alice hides a number from 1 to n. Bob guesses, told "lower" or "higher", until he has it: a dollar for each guess.

    The value is what Bob pays on average when both play optimally.
    """

    n: Annotated[int, "how many numbers there are to hide", range(1, 1001)] = 100

    def title(self) -> str:
        return f"Binary search: {counted(self.n, 'number')}"

    def payoff_unit(self) -> str:
        return "$"

    def players(self) -> tuple[str, str]:
        return "Alice", "Bob"

    def rows(self) -> Iterator[int]:
        """Alice's numbers up to the middle, each for itself and its mirror image."""
        return iter(range(1, (self.n + 1) // 2 + 1))

    def columns(self) -> Iterator[Depths]:
        """Bob starts with always guessing the middle."""
        yield balanced(self.n)

    def unit(self) -> Fraction:
        """Payoffs are sums over two mirror images."""
        return Fraction(1, 2)

    def payoff(self, number: int, tree: Depths) -> int:
        return tree[number - 1] + tree[self.n - number]

    def best_column(self, weights: Mapping[int, Any]) -> list[Depths]:
        """Optimal trees for a secret that is i or n + 1 - i with weight w_i, half each."""
        spread = [0] * self.n
        for number, weight in weights.items():
            spread[number - 1] += weight
            spread[self.n - number] += weight
        return [min(tree, tree[::-1]) for tree in good(spread, MANY)]

    def best_member_column(self, weights: Mapping[int, int]) -> Tree:
        """An optimal tree for numbers with any weights."""
        if not all(number in range(1, self.n + 1) for number in weights):
            raise ValueError(f"numbers go from 1 to {self.n}")
        return preorder(optimal([weights.get(number, 0) for number in range(1, self.n + 1)])[1])

    def column_by(self, rule: Callable[[int, int], int]) -> Tree:
        """Bob guessing by a rule: rule(least, most) is his guess when he knows that the number lies in least..most."""
        return by_rule(self.n, rule)

    def member_payoff(self, number: int, tree: Tree) -> int:
        return guesses(tree)[number - 1]

    def row_members(self, number: int) -> tuple[int, int]:
        return number, self.n + 1 - number

    def column_members(self, tree: Depths) -> tuple[Tree, Tree]:
        """Trees as they are usually written: in pre-order."""
        return preorder(tree), preorder(tree[::-1])

    def show_column(self, tree: Tree) -> str:
        return " ".join(map(str, tree))
