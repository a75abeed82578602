"""The value of splitting a pair, by the patterns of splitting.py, for a given way to play the hands after the split.

EV[X; a, 0] and EV[P; a, 0] (the second card makes a pair that may not be split) come from playing all hands with a further cards of the
rank gone. All others follow from the law of total expectation, with q the chance that one more card is of the pair's rank:

    EV[X; a, 0] = q EV[P; a, 0] + (1 - q) EV[N; a, 0]
    EV[. ; a, b - 1] = q EV[. ; a + 1, b - 1] + (1 - q) EV[. ; a, b]

Values are not conditional, as in player.py, so that cards are drawn as if nobody had looked.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import RANKS
from zermelo.games.blackjack.kernels.player import DOUBLE, HIT, STAND, TIE, first_card, play

TOP = 6  # values of a and b, at most


@njit(cache=True, nogil=True, error_model="numpy")
def actions_after_split(members, parts, double, fixed, action):
    """action[h, u] = the best of standing, hitting and doubling before a split, where it is allowed after one."""
    for h in members:
        for u in range(RANKS):
            what = STAND
            if not fixed[h]:
                best = parts[STAND, h, u]
                if parts[HIT, h, u] > best + TIE:
                    best, what = parts[HIT, h, u], HIT
                if double[h] and parts[DOUBLE, h, u] > best + TIE:
                    what = DOUBLE
            action[h, u] = what


@njit(cache=True, nogil=True, error_model="numpy")
def needed(rank, members, counts, child, action, place, kinds, size, mark, reached):
    """Numbers of the multisets that the dealer must be asked about: the hands that are stood on, with 1, ..., kinds cards gone.

    mark : bool[all], reached : int16[size], both zero before and after. Only multisets beyond the hands themselves are returned.
    """
    all_ups = (1 << RANKS) - 1
    for r in range(RANKS):
        if child[1 + rank, r] < size:
            reached[child[1 + rank, r]] = all_ups
    found = np.empty(len(members) * kinds, np.int64)
    count = 0
    for h in members:
        ups = reached[h]
        if ups == 0:
            continue
        stands = False
        for u in range(RANKS):
            if ups >> u & 1:
                what = action[h, u]
                if what == STAND:
                    stands = True
                else:
                    for r in range(RANKS):
                        after = child[h, r]
                        if after < size:
                            if what == HIT:
                                reached[after] |= 1 << u
                            else:
                                reached[after] |= 1 << RANKS  # stood on after doubling
        if stands or ups >> RANKS & 1:
            for k in range(kinds):
                if place[k, h] >= size and not mark[place[k, h]]:
                    mark[place[k, h]] = True
                    found[count] = place[k, h]
                    count += 1
    for i in range(count):
        mark[found[i]] = False
    for h in members:
        reached[h] = 0
    return np.sort(found[:count])


@njit(cache=True, nogil=True, error_model="numpy")
def split_value(
    rank, shoe, pattern, members, counts, child, level, safe, place, stands, double, raised, peek, fixed, action, values, parts, out
):  # fmt: skip
    """out[u] = value of splitting two cards of this rank, not conditional. shoe : int64[10] with the pair and the up card in it.

    action : int8[size, 10] how hands are played after the split. Returns nothing; out is 0 where the cards are not there.
    """
    most = 2
    for i in range(len(pattern)):
        most = max(most, pattern[i, 1] + 2)
    kinds = 2 * (most - 2) + 1
    x, n = np.zeros((TOP, TOP, RANKS)), np.zeros((TOP, TOP, RANKS))
    gone = np.empty(RANKS)
    pair = child[1 + rank, rank]
    for a in range(kinds):
        for r in range(RANKS):
            gone[r] = shoe[r]
        gone[rank] -= 1 + a
        if gone[rank] < 1:
            break
        play(
            members, gone, counts, child, level, safe, place[a], stands, double, raised, peek, fixed, False, action, values, parts
        )  # fmt: skip
        gone[rank] -= 1
        first_card(rank, gone, child, values, peek, x[a, 0])
        for u in range(RANKS):
            q = _chance(shoe, rank, u, a, 0)
            p = values[pair, u] if q > 0.0 else 0.0
            n[a, 0, u] = (x[a, 0, u] - q * p) / (1.0 - q) if q < 1.0 else 0.0
    for b in range(1, kinds):
        for a in range(kinds - b):
            for u in range(RANKS):
                q = _chance(shoe, rank, u, a, b - 1)
                x[a, b, u] = (x[a, b - 1, u] - q * x[a + 1, b - 1, u]) / (1.0 - q) if q < 1.0 else 0.0
                q = _chance(shoe, rank, u, a, b)
                n[a, b, u] = (n[a, b - 1, u] - q * n[a + 1, b - 1, u]) / (1.0 - q) if q < 1.0 else 0.0
    for u in range(RANKS):
        out[u] = 0.0
        for i in range(len(pattern)):
            ways, pairs, others, still_open = pattern[i]
            chance = float(ways)
            for j in range(pairs):
                chance *= _chance(shoe, rank, u, j, 0)
            for j in range(others):
                chance *= 1.0 - _chance(shoe, rank, u, pairs, j)
            if chance > 0.0:
                if others:
                    out[u] += chance * others * n[pairs, others - 1, u]
                if still_open:
                    out[u] += chance * still_open * x[pairs, others, u]


@njit(cache=True, nogil=True, error_model="numpy")
def _chance(shoe, rank, up, a, b):
    """The chance that the next card is of the pair's rank, when a of that rank and b others are gone, not counting pair and up card."""
    cards = -3.0 - a - b
    for r in range(RANKS):
        cards += shoe[r]
    of_rank = shoe[rank] - 2.0 - a - (up == rank)
    return of_rank / cards if of_rank > 0.0 and cards > 0.0 else 0.0
