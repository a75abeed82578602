"""What solving and certifying a batch both begin with: its rows, condensed, and the orders in which the states of its strongly connected
components are gone through, with their cutsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.kernels.components import fill
from zermelo.kernels.condense import Rows, condensed
from zermelo.kernels.kernel import inner, kernel

if TYPE_CHECKING:
    from zermelo.problem.transitions import Transitions

UNKNOWN = -1


class Orders(NamedTuple):
    """Orders of the components of a batch, each found when it is asked for first, by who solves or who certifies."""

    cuts: np.ndarray  # int64[components], the size of the cutset; UNKNOWN if the order is not known yet
    order: np.ndarray  # whole numbers [states], local numbers (state - start of its component) in post-order, component by component
    slot: np.ndarray  # the same, place in the cutset or -1
    edge: np.ndarray  # int64[states of the largest component], scratch, and the same:
    stack: np.ndarray


class Prepared(NamedTuple):
    """What solving and certifying a batch begin with."""

    rows: Rows
    orders: Orders


def prepared(batch: Transitions, components: np.ndarray, discount: float) -> Prepared:
    """The same for a batch of these components. components : int64[c+1], their boundaries."""
    return Prepared(condensed(batch, discount), orders_of(components))


def orders_of(components: np.ndarray) -> Orders:
    """Orders of these components, not known yet."""
    n, largest = int(components[-1] - components[0]), int(np.diff(components).max(initial=1))
    order, slot = np.empty(n, number_type(largest)), np.empty(n, number_type(largest))
    return Orders(np.full(components.size - 1, UNKNOWN), order, slot, np.empty(largest, np.int64), np.empty(largest, np.int64))


@inner
def order_component(rows, components, c, orders):
    """(order, slot, size of the cutset) of component c."""
    cuts, order, slot, edge, stack = orders
    start, end, first = components[c], components[c + 1], components[0]
    order, slot = order[start - first : end - first], slot[start - first : end - first]
    if cuts[c] == UNKNOWN:
        cuts[c] = order_states(rows, start, end, order, slot, edge, stack)
    return order, slot, cuts[c]


@kernel
def order_states(rows, start, end, order, slot, edge, stack):
    """Post-order of the states and their cutset; returns the size of the cutset.

    order : whole numbers [n], local numbers in post-order. slot : the same, place in the cutset or -1. edge, stack : int64[n], scratch.
    Self-loops do not count. The search starts at the state that most outcomes lead to, a good member of the cutset.
    """
    n, base = end - start, start - rows.low
    # 1. The root: most outcomes lead there.
    fill(slot, n, 0)
    for o in range(rows.first_outcome[rows.first_row[base]], rows.first_outcome[rows.first_row[base + n]]):
        t = rows.next[o] - start
        if t >= 0 and t < n and rows.coef[o] != 0.0:
            slot[t] += 1
    root = 0
    for s in range(n):
        if slot[s] > slot[root]:
            root = s
    # 2. Depth-first search; edge[s] is -1 for states not yet met, -2 for those left, else the next outcome to follow.
    fill(slot, n, -1)
    fill(edge, n, -1)
    placed, cut = 0, 0
    for k in range(n):
        top = (root + k) % n
        if edge[top] != -1:
            continue
        depth = 0
        stack[0] = top
        edge[top] = rows.first_outcome[rows.first_row[base + top]]
        while depth >= 0:
            s = stack[depth]
            o, last = edge[s], rows.first_outcome[rows.first_row[base + s + 1]]
            deeper = False
            while o < last and not deeper:
                t = rows.next[o] - start
                if t >= 0 and t < n and t != s and rows.coef[o] != 0.0:
                    if edge[t] == -1:
                        deeper = True
                        depth += 1
                        stack[depth] = t
                        edge[t] = rows.first_outcome[rows.first_row[base + t]]
                    elif edge[t] != -2 and slot[t] < 0:
                        slot[t] = cut
                        cut += 1
                o += 1
            edge[s] = o
            if not deeper:
                edge[s] = -2
                order[placed] = s
                placed += 1
                depth -= 1
    return cut
