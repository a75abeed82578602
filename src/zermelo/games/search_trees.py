"""Binary search trees as strategies of search: as the depths of their keys, and in pre-order.

A tree of n keys is determined by the depth of each key, in order of the keys (its root is the only key of depth 1, and so on down).
The depth is also the number of guesses that the key takes. In pre-order the first guess comes first, then all guesses made if the
secret is lower, then all guesses made if it is higher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from zermelo.errors import ParameterError

Depths = tuple[int, ...]
Tree = tuple[int, ...]  # keys 1..n in pre-order

SAFE = 2**62  # whole numbers below fit machine words


def preorder(depths: Sequence[int]) -> Tree:
    """The keys 1..n in the order in which the tree is written."""
    found: list[int] = []
    stack = [(0, len(depths))]
    while stack:
        i, j = stack.pop()
        if i < j:
            top = min(range(i, j), key=depths.__getitem__)
            found.append(top + 1)
            stack += [(top + 1, j), (i, top)]
    return tuple(found)


def guesses(tree: Tree) -> Depths:
    """How many guesses each key takes, from the tree in pre-order. Raises ValueError if it is no search tree of 1..n."""
    depth = [0] * len(tree)
    open_ranges = [(1, len(tree), 1)]  # where keys not yet written lie: least, greatest, depth
    for key in tree:
        least, most, level = open_ranges.pop()
        if not least <= key <= most:
            raise ValueError(
                f"{tree} is no search tree in pre-order: {key} comes where keys are from {least} to {most}"
            )
        depth[key - 1] = level
        open_ranges += [r for r in ((key + 1, most, level + 1), (least, key - 1, level + 1)) if r[0] <= r[1]]
    return tuple(depth)


def by_rule(n: int, rule: Callable[[int, int], int], first: int | None = None) -> Tree:
    """The tree of a player who guesses by a rule: rule(least, most) is the next guess if the number lies in least..most.

    first : the first guess, if the rule does not say it. Raises `ParameterError` for a guess that is out of the range.
    """
    found: list[int] = []
    open_ranges = [(1, n)]
    while open_ranges:
        least, most = open_ranges.pop()
        if least > most:
            continue
        guess = first if first is not None and not found else rule(least, most)
        if isinstance(guess, bool) or not isinstance(guess, int) or not least <= guess <= most:
            raise ParameterError(f"a guess must be a number from {least} to {most} where the secret is one of these, not {guess!r}")
        found.append(guess)
        open_ranges += [(guess + 1, most), (least, guess - 1)]
    return tuple(found)


def balanced(n: int) -> Depths:
    """Always guess the middle."""
    depth = [0] * n
    stack = [(0, n, 1)]
    while stack:
        i, j, level = stack.pop()
        if i < j:
            middle = (i + j) // 2
            depth[middle] = level
            stack += [(i, middle, level + 1), (middle + 1, j, level + 1)]
    return tuple(depth)


def optimal(weights: Sequence[Any]) -> tuple[Any, Depths]:
    """The least sum of weight * depth, and a tree that has it: exact for whole numbers of any size."""
    cost, root = solved(weights)
    n = len(weights)
    return cost[0, n], _tree(root, n, int(root[0, n]))


def good(weights: Sequence[Any], many: int) -> list[Depths]:
    """For weights that are the same in a mirror: an optimal tree, and the best trees with other first guesses, none of them
    beyond the middle. `many` in all, the best first."""
    cost, root = solved(weights)
    n = len(weights)
    tops = sorted(range((n + 1) // 2), key=lambda r: cost[0, r] + cost[r + 1, n])[:many]
    return [_tree(root, n, top) for top in tops]


def solved(weights: Sequence[Any]) -> tuple[Any, Any]:
    """(cost, root) of every range of keys: cost[i, j] is the least sum of weight * depth of the keys i..j-1, counted from 0."""
    import numpy as np

    from zermelo.kernels.search_tree import optimal_tree

    n = len(weights)
    whole = all(isinstance(w, int) for w in weights)
    is_long = whole and sum(weights) * (n.bit_length() + 2) >= SAFE
    kind = object if is_long else np.int64 if whole else np.float64
    cost, root = np.zeros((n + 1, n + 1), kind), np.zeros((n + 1, n + 1), np.int64)
    fill = optimal_tree.py_func if is_long else optimal_tree
    fill(np.array(weights, kind), cost, root)
    return cost, root


def _tree(root: Any, n: int, top: int) -> Depths:
    import numpy as np

    from zermelo.kernels.search_tree import depths

    depth = np.empty(n, np.int64)
    depths(root, top, depth, np.empty((n + 2, 3), np.int64))
    return tuple(depth.tolist())


@lru_cache
def every(n: int) -> tuple[Depths, ...]:
    """All search trees of n keys: 1, 1, 2, 5, 14, 42, ... of them (Catalan)."""
    return tuple(_every(n)) if n else ((),)


def _every(n: int) -> Iterator[Depths]:
    for r in range(n):
        for left in every(r):
            for right in every(n - 1 - r):
                yield (*(d + 1 for d in left), 1, *(d + 1 for d in right))
