"""The smallest tree of draws that passes through every hand of the dealer: a minimisation, solved by HiGHS.

The probability of drawing the cards of a hand h, prod_i (s_i)_(h_i) / (N)_|h|, needs one multiplication if that of a hand with one
card fewer is known. Finding all of them means finding a tree in the graph of multisets of cards, rooted in the empty one, that
contains all hands of the dealer, with as few other vertices as possible: a Steiner tree (Possibly Wrong, 2012, who reached
2034 vertices by hand). Let x_v be 1 where a multiset is in the tree. As edges lead from n cards to n + 1, a choice is a
tree once every chosen multiset has a chosen predecessor, so that

    minimise sum_v x_v   subject to   x_v <= sum_i x_(v - e_i)  for all v,   x_h = 1 for the dealer's hands

is exact: there are no cycles to be cut off. HiGHS proves the minimum, 1867 vertices (1933 with H17), at the root of its search.

A second programme chooses for each vertex its parent among the others, so that there are as few different factors
(s_i - k) / (N - n) as these vertices allow.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import highspy
import numpy as np

from zermelo.basics.disk import cache_directory, replacing
from zermelo.basics.highs import linear_program
from zermelo.errors import OutOfReach
from zermelo.games.blackjack.cards import EMPTY, RANKS, Counts, with_card
from zermelo.games.blackjack.dealer_hands import dealer_hands

SECONDS = 60.0  # time limit for HiGHS, which needs less than a second


class Factor(NamedTuple):
    """The probability that card number `position` (from 0) is of this rank when `before` of the rank came before it."""

    rank: int
    before: int
    position: int


class DrawTree(NamedTuple):
    """Vertices in depth-first order, without the root (the empty hand); every parent comes before its children."""

    hands: tuple[Counts, ...]
    factors: tuple[Factor, ...]  # the last draw on the way to each

    @property
    def vertices(self) -> int:
        """With the root."""
        return len(self.hands) + 1


def predecessors(hand: Counts) -> Iterator[tuple[Counts, Factor]]:
    """The hands with one card fewer, each with the draw that leads from there."""
    for rank in range(RANKS):
        if hand[rank]:
            yield with_card(hand, rank, -1), Factor(rank, hand[rank] - 1, sum(hand) - 1)


@cache
def draw_tree(hits_soft_17: bool) -> DrawTree:
    """The tree, from the user's cache where it has been computed before by this very file."""
    path = _file(hits_soft_17)
    try:
        chosen = {tuple(hand): tuple(parent) for hand, parent in json.loads(path.read_text())}
        return _in_depth_first_order(_checked(chosen, hits_soft_17))
    except (OSError, ValueError, TypeError, KeyError):
        tree = smallest_tree(hits_soft_17)
    _keep(path, [(h, with_card(h, f.rank, -1)) for h, f in zip(tree.hands, tree.factors, strict=True)])
    return tree


def smallest_tree(hits_soft_17: bool) -> DrawTree:
    """Solve both programmes. Raises `OutOfReach` if HiGHS proves no minimum."""
    required = sorted(dealer_hands(hits_soft_17).multipliers)
    extra = _candidates(required)
    return _in_depth_first_order(_fewest_factors(_fewest_vertices(required, extra)))


def _candidates(required: Sequence[Counts]) -> list[Counts]:
    """All other multisets that a hand of the dealer contains."""
    found: set[Counts] = set()
    rest = list(required)
    while rest:
        for before, _ in predecessors(rest.pop()):
            if before not in found and before != EMPTY:
                found.add(before)
                rest.append(before)
    return sorted(found - set(required))


# --- the two programmes -----------------------------------------------------------------------------------------------


class _Program:
    """A programme in variables that are 0 or 1, put together row by row."""

    def __init__(self, costs: Sequence[float]):
        self.lp = linear_program(time_limit=SECONDS, mip_rel_gap=0.0)
        none = (0, np.zeros(0, np.int32), np.zeros(0))
        for column, cost in enumerate(costs):
            self.lp.addCol(float(cost), 0.0, 1.0, *none)
            self.lp.changeColIntegrality(column, highspy.HighsVarType.kInteger)

    def at_least(self, low: float, terms: dict[int, float]) -> None:
        index, value = np.array(list(terms), np.int32), np.array(list(terms.values()))
        self.lp.addRow(low, highspy.kHighsInf, len(terms), index, value)

    def solve(self) -> list[bool]:
        """An optimal choice. Raises `OutOfReach` if HiGHS can't prove one."""
        self.lp.run()
        if self.lp.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise OutOfReach(f"HiGHS has proven no minimum for the dealer's tree of draws within {SECONDS:.0f} s")
        return [v > 0.5 for v in self.lp.getSolution().col_value]


def _fewest_vertices(required: Sequence[Counts], extra: Sequence[Counts]) -> list[Counts]:
    """The vertices of a smallest tree, without the root."""
    column = {v: i for i, v in enumerate(extra)}
    present = {*required, EMPTY}
    program = _Program([1.0] * len(extra))
    for hand in (*required, *extra):
        before = [v for v, _ in predecessors(hand)]
        if not present.intersection(before):
            own = {column[hand]: -1.0} if hand in column else {}
            program.at_least(0.0 if own else 1.0, own | {column[v]: 1.0 for v in before})
    return [*required, *(v for v, chosen in zip(extra, program.solve(), strict=True) if chosen)]


def _fewest_factors(hands: Sequence[Counts]) -> dict[Counts, Counts]:
    """The parent of each of these vertices, so that as few different factors as possible are needed."""
    inside = {*hands, EMPTY}
    entering = {hand: {f: v for v, f in predecessors(hand) if v in inside} for hand in hands}
    factors = sorted({factor for of_hand in entering.values() for factor in of_hand})
    column = {factor: i for i, factor in enumerate(factors)}
    program = _Program([1.0] * len(factors))
    for of_hand in entering.values():
        program.at_least(1.0, {column[factor]: 1.0 for factor in of_hand})
    chosen = {factor for factor, is_chosen in zip(factors, program.solve(), strict=True) if is_chosen}
    return {hand: next(v for f, v in of_hand.items() if f in chosen) for hand, of_hand in entering.items()}


# --- the tree ---------------------------------------------------------------------------------------------------------


def _checked(parents: dict[Counts, Counts], hits_soft_17: bool) -> dict[Counts, Counts]:
    """The same, if it is a tree that contains all hands of the dealer. Raises `ValueError` otherwise."""
    if missing := dealer_hands(hits_soft_17).multipliers.keys() - parents.keys():
        raise ValueError(f"{len(missing)} hands of the dealer are missing")
    for hand, parent in parents.items():
        if parent not in [v for v, _ in predecessors(hand)] or (parent != EMPTY and parent not in parents):
            raise ValueError(f"{parent} is no parent of {hand}")
    return parents


def _in_depth_first_order(parents: dict[Counts, Counts]) -> DrawTree:
    children: dict[Counts, list[Counts]] = {}
    for hand, parent in parents.items():
        children.setdefault(parent, []).append(hand)
    hands: list[Counts] = []
    rest = sorted(children[EMPTY])
    while rest:
        hands.append(rest.pop())
        rest += sorted(children.get(hands[-1], []))
    draws = (next(f for v, f in predecessors(hand) if v == parents[hand]) for hand in hands)
    return DrawTree(tuple(hands), tuple(draws))


def _file(hits_soft_17: bool) -> Path:
    here = Path(__file__)
    text = here.read_bytes() + here.with_name("dealer_hands.py").read_bytes()
    name = hashlib.sha256(text).hexdigest()[:24]
    return cache_directory() / f"blackjack_{'h17' if hits_soft_17 else 's17'}_{name}.json"


def _keep(path: Path, parents: list[tuple[Counts, Counts]]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=False) as temporary:
            temporary.write_text(json.dumps(parents))
    except OSError:  # a read-only home: computed again in every process
        return
