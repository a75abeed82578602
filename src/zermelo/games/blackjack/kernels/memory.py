"""The second hand of a pair that is split once, played optimally by a player who remembers all cards of the first one."""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import RANKS
from zermelo.games.blackjack.kernels.lanes import LANES
from zermelo.games.blackjack.kernels.player import BLOCK, LEVELS, no_blackjack, stand_values


@njit(cache=True, nogil=True, error_model="numpy")
def stands_against(tree, shoe, gone, up, peek, begin, end, out):
    """out[g, level] for begin <= g < end: the value of standing against a given up card when gone[g] is gone."""
    some = np.zeros((BLOCK + 1, LEVELS, LANES))
    for first in range(begin, end, BLOCK):
        count = min(BLOCK, end - first)
        stand_values(tree, shoe, gone[first : first + count], np.arange(count), peek, some)
        for b in range(count):
            for level in range(LEVELS):
                out[first + b, level] = some[b, level, up]


@njit(cache=True, nogil=True, error_model="numpy")
def find(keys, key):
    """Where a key is in sorted keys that contain it."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True, error_model="numpy")
def bust_value(shoe, up, peek):
    """The result of a hand that has gone bust. shoe : the remaining cards, including the up card."""
    return -no_blackjack(shoe, up) if peek else -1.0


@njit(cache=True, nogil=True, error_model="numpy")
def second_hands(
    finals, final_keys, begin, end, shoe, members, member_keys, counts, child, level, double, fixed, rank, up, peek, keys, stands, out
):  # fmt: skip
    """out[g] for begin <= g < end: value of the second hand, from its single card, when the first ended as finals[g].

    members : all hands that contain the card, by number of cards, the single card first; keys, stands : of all multisets gone
    """
    size = len(level)
    values, stand = np.zeros(size + 1), np.zeros(size)
    left = np.empty(RANKS)
    for g in range(begin, end):
        for i in range(len(members) - 1, -1, -1):
            h = members[i]
            cards = 0.0
            possible = True
            for r in range(RANKS):
                left[r] = shoe[r] - finals[g, r] - counts[h, r]
                cards += left[r]
                possible &= left[r] >= (r == up)
            if not possible:
                continue
            if i > 0:
                stand[h] = stands[find(keys, final_keys[g] + member_keys[i]), level[h]]
                values[h] = stand[h]
                if fixed[h]:
                    continue
            hit = doubled = 0.0
            for r in range(RANKS):
                ways = left[r] - (r == up)
                if ways > 0.0:
                    after = child[h, r]
                    if after < size:
                        hit += ways * values[after]
                        doubled += ways * stand[after]
                    else:
                        left[r] -= 1.0
                        lost = ways * bust_value(left, up, peek)
                        left[r] += 1.0
                        hit += lost
                        doubled += lost
            hit /= cards - 1.0
            doubled *= 2.0 / (cards - 1.0)
            if i == 0:
                out[g] = hit
            else:
                values[h] = max(values[h], hit)
                if double[h]:
                    values[h] = max(values[h], doubled)


@njit(cache=True, nogil=True, error_model="numpy")
def first_hand(
    members, shoe, member_keys, counts, child, level, double, fixed, rank, up, peek, keys, stands, final_keys, second
):  # fmt: skip
    """Value of both hands together. second[g] : of the second one, after the first ended as final number g, sorted by final_keys."""
    size = len(level)
    values, stand = np.zeros(size + 1), np.zeros(size)
    left = np.empty(RANKS)
    for i in range(len(members) - 1, -1, -1):
        h = members[i]
        cards = 0.0
        possible = True
        for r in range(RANKS):
            left[r] = shoe[r] - counts[h, r] - (r == rank)
            cards += left[r]
            possible &= left[r] >= (r == up)
        if not possible:
            continue
        if i > 0:
            then = second[find(final_keys, member_keys[i])]
            stand[h] = stands[find(keys, member_keys[i] + member_keys[0]), level[h]]
            values[h] = stand[h] + then
            if fixed[h]:
                continue
        hit = doubled = 0.0
        for r in range(RANKS):
            ways = left[r] - (r == up)
            if ways > 0.0:
                after = child[h, r]
                if after < size:
                    hit += ways * values[after]
                    doubled += ways * (values_of(stand, second, final_keys, member_keys[i], r, after))
                else:
                    left[r] -= 1.0
                    lost = bust_value(left, up, peek)
                    left[r] += 1.0
                    then = second[find(final_keys, member_keys[i] + (np.int64(1) << (6 * r)))]
                    hit += ways * (lost + then)
                    doubled += ways * (2.0 * lost + then)
        hit /= cards - 1.0
        doubled /= cards - 1.0
        if i == 0:
            return hit
        values[h] = max(values[h], hit)
        if double[h]:
            values[h] = max(values[h], doubled)
    return 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def values_of(stand, second, final_keys, key, r, after):
    """Of a doubled first hand that got rank r and is not bust, and of the second hand after it."""
    return 2.0 * stand[after] + second[find(final_keys, key + (np.int64(1) << (6 * r)))]
