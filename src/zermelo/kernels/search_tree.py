"""Optimal binary search trees (Knuth 1971): the cheapest way to find a key in 0..n-1 by guesses "lower", "higher", "found".

    cost(i, j) = weight(i, j) + min over roots r in [i, j) of cost(i, r) + cost(r+1, j),     cost(i, i) = 0

is the sum of weight * depth over the keys i..j-1, the root having depth 1. The leftmost best root moves monotonically with i and
j, for weights >= 0 (Yao 1980), so that all roots together take O(n^2) comparisons instead of O(n^3).

`weight`, `cost` : any numbers. Compiled for floats and int64; for longer whole numbers `optimal_tree.interpreted` takes arrays of
objects. In int64 sums stay below 2^63 if n.bit_length() + 2 times all weights together do: no subtree costs more than
when it is balanced.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def optimal_tree(weight, cost, root):
    """Fill cost[n+1, n+1] and root[n+1, n+1] above their diagonals; `cost` must be 0 on its diagonal."""
    n = weight.size
    for i in range(n):
        cost[i, i + 1] = weight[i]
        root[i, i + 1] = i
    before = np.cumsum(weight)  # weight of the keys up to this one
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length
            best = root[i, j - 1]
            least = cost[i, best] + cost[best + 1, j]
            for r in range(best + 1, root[i + 1, j] + 1):
                sum_of_both = cost[i, r] + cost[r + 1, j]
                if sum_of_both < least:
                    least, best = sum_of_both, r
            cost[i, j] = least + before[j - 1] - before[i] + weight[i]
            root[i, j] = best


@kernel
def depths(root, top, depth, stack):
    """Fill depth[n] with those of the tree that `root` describes, but with the key `top` first. stack : int64[n+2, 3]."""
    waiting, r = _wait(stack, 0, 0, depth.size, 1), top
    while waiting:
        waiting -= 1
        i, j, level = stack[waiting]
        if level > 1:
            r = root[i, j]
        depth[r] = level
        if r > i:
            waiting = _wait(stack, waiting, i, r, level + 1)
        if r + 1 < j:
            waiting = _wait(stack, waiting, r + 1, j, level + 1)


@inner
def _wait(stack, waiting, i, j, level):
    """Put the interval i..j of a level onto the stack; how many wait now."""
    stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = i, j, level
    return waiting + 1
