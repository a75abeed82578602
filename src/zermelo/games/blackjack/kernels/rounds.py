"""A whole round: the first two cards against every up card, and the mean over all of them."""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import ACE, RANKS, TEN
from zermelo.games.blackjack.kernels.player import DOUBLE, HIT, STAND, no_blackjack

SPLIT, SURRENDER = 3, 4
OPTIONS = 5


@njit(cache=True, nogil=True, error_model="numpy")
def first_two(shoe, pairs, counts, parts, splits, surrender, peek, pays, worth, chance, clear, by_up):
    """Every pair of first cards, and the value of the round.

    pairs : int64[55] the hands of two cards; parts : of player.play; splits : float64[10, 10] by rank and up card, nan: not allowed
    worth : float64[55, OPTIONS, 10] of every option, not conditional on no blackjack of the dealer, nan: not allowed;
    chance : float64[55, 10] of the hand, given the up card; clear : float64[55, 10] probability of no blackjack of the dealer
    by_up[u] : value of the round given the up card, blackjacks included. Returns the value of the round.
    """
    cards = 0.0
    for r in range(RANKS):
        cards += shoe[r]
    left = np.empty(RANKS)
    by_up[:] = 0.0
    value = 0.0
    for i in range(len(pairs)):
        h = pairs[i]
        a = b = -1
        for r in range(RANKS):
            if counts[h, r]:
                a, b = (r, a) if a >= 0 else (r, r)
        if counts[h, a] == 2:
            b = a
        for u in range(RANKS):
            possible = True
            for r in range(RANKS):
                left[r] = shoe[r] - counts[h, r]
                possible &= left[r] >= (r == u)
            worth[i, :, u] = np.nan
            chance[i, u] = clear[i, u] = 0.0
            if not possible:
                continue
            ways = (shoe[a] - (a == u)) * (shoe[b] - (b == u) - (a == b)) * (1 if a == b else 2)
            chance[i, u] = ways / ((cards - 1.0) * (cards - 2.0))
            clear[i, u] = no_blackjack(left, u)
            for what in range(3):
                worth[i, what, u] = parts[what, h, u]
            if a == b:
                worth[i, SPLIT, u] = splits[a, u]
            if surrender:
                worth[i, SURRENDER, u] = -0.5 * clear[i, u]
            is_blackjack = min(a, b) == ACE and max(a, b) == TEN
            if is_blackjack:  # it is paid at once: there is nothing to decide
                worth[i, STAND, u] = pays * clear[i, u]
                worth[i, HIT:, u] = np.nan
            best = worth[i, STAND, u]
            for what in range(HIT, OPTIONS):
                if worth[i, what, u] > best:
                    best = worth[i, what, u]
            if peek and not is_blackjack:
                best -= 1.0 - clear[i, u]
            by_up[u] += chance[i, u] * best
    for u in range(RANKS):
        value += shoe[u] / cards * by_up[u]
    return value


__all__ = ["DOUBLE", "HIT", "OPTIONS", "SPLIT", "STAND", "SURRENDER", "first_two"]
