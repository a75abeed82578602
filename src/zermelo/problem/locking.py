"""A sequence form with a part of one player's behaviour fixed: the decisions there are left to chance.

A sequence of a fixed set is its probability times the sequence that leads to the set. So the remaining sets follow sequences that are not
fixed, and payoffs and ways of reaching a state carry the product of the fixed probabilities.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from zermelo.problem.sequences import SequenceForm, Side, Visits

UNIT = 2.0**-53
FITS = 2**62


class Locked(NamedTuple):
    """The remaining form, and its origin."""

    form: SequenceForm
    sets: np.ndarray  # int64: the player's remaining sets, by their original numbers
    sequences: np.ndarray  # int64: the same for the player's sequences


def locked(form: SequenceForm, player: int, fixed: dict[int, list[Fraction]]) -> Locked:
    """The form in which `player` has these probabilities in the sets `fixed`."""
    side = form.sides[player]
    sets = np.array([k for k in range(side.sets) if k not in fixed], np.int64)
    first, parent = side.first.tolist(), side.parent.tolist()
    place, factor = [0] * side.sequences, [Fraction(1)] * side.sequences  # every sequence is `factor` times the new one at `place`
    parents, firsts, sequences = [], [1], [0]
    for k, leading in enumerate(parent):
        for at, s in enumerate(range(first[k], first[k + 1])):
            if k in fixed:
                place[s], factor[s] = place[leading], factor[leading] * fixed[k][at]
            else:
                place[s], factor[s] = firsts[-1] + at, factor[leading]
        if k not in fixed:
            parents.append(place[leading])
            sequences += range(first[k], first[k + 1])
            firsts.append(firsts[-1] + first[k + 1] - first[k])
    left = Side(np.array(parents, np.int32), np.array(firsts, np.int64))
    number = np.full(side.sets, -1, np.int64)
    number[sets] = np.arange(len(sets))
    own = _own_visits(form.visits[player], number, [factor[leading] for leading in parent])
    other = _other_visits(form.visits[1 - player], np.array(place, np.int32), factor)
    visits = (own, other) if player == 0 else (other, own)
    sides = (left, form.sides[1]) if player == 0 else (form.sides[0], left)
    return Locked(_form(form, player, sides, np.array(place, np.int32), factor, visits), sets, np.array(sequences, np.int64))


def _form(
    form: SequenceForm, player: int, sides: tuple[Side, Side], place: np.ndarray, factor: list[Fraction], visits: tuple[Visits, Visits]
) -> SequenceForm:
    own, other = form.indices(player)
    happens = np.flatnonzero(np.array([f > 0 for f in factor])[own])
    own, other = own[happens], other[happens]
    rows, columns = (place[own], other) if player == 0 else (other, place[own])
    order = np.lexsort((columns, rows))
    happens, own = happens[order], own[order]
    near = np.array([float(f) for f in factor])[own]
    values, size, blur = form.near[happens] * near, form.size[happens] * near * (1 + 8 * UNIT), form.blur + 4 * UNIT
    whole, unit = None, Fraction(1)
    if form.whole is not None:
        common = lcm(*(f.denominator for f in factor))
        scale = [int(f * common) for f in factor]
        products = [int(n) * scale[s] for n, s in zip(form.whole[happens].tolist(), own.tolist(), strict=True)]
        fits = all(abs(n) < FITS for n in products)
        whole, unit = np.array(products, np.int64 if fits else object), form.unit / common
    rows, columns = rows[order].astype(np.int32), columns[order].astype(np.int32)
    return SequenceForm(*sides, rows, columns, values, size, blur, visits, whole, unit, form.largest)


def _own_visits(visits: Visits, number: np.ndarray, factor: list[Fraction]) -> Visits:
    kept = np.flatnonzero(number[visits.set] >= 0)
    return _weighed(visits, kept, number[visits.set[kept]].astype(np.int32), visits.other[kept], [factor[k] for k in visits.set[kept]])


def _other_visits(visits: Visits, place: np.ndarray, factor: list[Fraction]) -> Visits:
    return _weighed(visits, np.arange(len(visits.set)), visits.set, place[visits.other], [factor[s] for s in visits.other])


def _weighed(visits: Visits, kept: np.ndarray, sets: np.ndarray, other: np.ndarray, factor: list[Fraction]) -> Visits:
    near = visits.near[kept] * np.array([float(f) for f in factor])
    over: Any = None
    under: Any = None
    if visits.over is not None and visits.under is not None:
        over = np.array([int(n) * f.numerator for n, f in zip(visits.over[kept], factor, strict=True)], dtype=object)
        under = np.array([int(n) * f.denominator for n, f in zip(visits.under[kept], factor, strict=True)], dtype=object)
    return Visits(sets, other, near, over, under)
