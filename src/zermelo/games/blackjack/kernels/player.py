"""The values of the player's hands, against all ten up cards at once.

Values are not conditional: a value here is the mean of (what the hand wins, if the dealer has no blackjack, else 0), given the up card
and the cards that are known to be gone. Cards are then drawn as if nobody had looked for a blackjack,

    hit(h, u) = sum_r (s_r - [r = u]) / n  best(h + r, u)        s: the shoe without h and what is gone; n: its cards but u

and dividing by the probability of no blackjack gives what players call the value. Where the dealer does not look, blackjacks are
lost like all other hands, and nothing is divided.

stands[g, level, u] is the value of standing if the multiset g is gone from the shoe, level 0 for totals up to 16, then for 17 to 21.
Rows have LANES numbers, of which the first ten are used.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import ACE, OUTCOMES, RANKS, TEN, outcomes, rows_of_lanes
from zermelo.games.blackjack.kernels.lanes import LANES, weighted_sum

LEVELS = OUTCOMES + 1
STAND, HIT, DOUBLE = 0, 1, 2
TIE = 1e-14  # options that differ by less are equal, and the first of them is taken: rounding must not decide how split hands are played
BLOCK = 64  # shoes that are given to the dealer at once


@njit(cache=True, nogil=True, error_model="numpy")
def no_blackjack(shoe, up):
    """Probability that the dealer has none. shoe[10] with the up card in it, of at least two cards."""
    if up != ACE and up != TEN:
        return 1.0
    cards = 0.0
    for r in range(RANKS):
        cards += shoe[r]
    return 1.0 - shoe[TEN if up == ACE else ACE] / (cards - 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def stand_values(tree, shoe, gone, wanted, peek, stands):
    """Fill stands[g] for every g that is wanted: the dealer plays from shoe - gone[g]. Multisets that are not there are left out."""
    shoes = np.empty((BLOCK, RANKS), np.int16)
    which = np.empty(BLOCK, np.int64)
    found = np.empty((BLOCK, OUTCOMES, RANKS))
    filled = 0
    for i in range(len(wanted) + 1):
        if i < len(wanted):
            possible = True
            for r in range(RANKS):
                shoes[filled, r] = shoe[r] - gone[wanted[i], r]
                possible &= shoes[filled, r] >= 0
            if possible:
                which[filled] = wanted[i]
                filled += 1
        if filled == BLOCK or (i == len(wanted) and filled > 0):
            outcomes(tree, shoes, 0, filled, found)
            for b in range(filled):
                g = which[b]
                for u in range(RANKS):
                    without = no_blackjack(shoes[b], u)
                    rest = without if peek else 2.0 * without - 1.0
                    for t in range(OUTCOMES - 1, -1, -1):
                        stands[g, t + 1, u] = rest - found[b, t, u]
                        rest -= 2.0 * found[b, t, u]
                    stands[g, 0, u] = rest
            filled = 0


@njit(cache=True, nogil=True, error_model="numpy")
def _remaining(shoe, counts, left):
    """left = shoe - counts; how many cards, or -1 if the shoe does not hold them."""
    cards = 0.0
    for r in range(RANKS):
        left[r] = shoe[r] - counts[r]
        cards += left[r]
        if left[r] < 0.0:
            return -1.0
    return cards


@njit(cache=True, nogil=True, error_model="numpy")
def _one_card_more(out, values, children, left, cards, safe, peek):
    """out[0, u] = mean over the next card of values[child, u]. Bust hands have a row of -1 that a blackjack of the dealer excuses."""
    weighted_sum(out, 0, values, children, left, 0, len(children))
    for u in range(RANKS):
        out[0, u] = (out[0, u] - values[children[u], u]) / (cards - 1.0)
    if peek:
        for u in (ACE, TEN):
            other = TEN if u == ACE else ACE
            excused = 0.0
            for r in range(safe, RANKS):
                excused += (left[r] - (r == u)) * (left[other] - (r == other)) / (cards - 2.0)
            out[0, u] += excused / (cards - 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def play(
    members, shoe, counts, child, level, safe, place, stands, double, raised, peek, fixed, choose, action, values, parts
):
    """Values of the hands `members` (numbers, by number of cards), from the last to the first, if choose the best ones.

    shoe : float64[10] without the cards that are gone in addition to the hand; place[i] : the row of `stands` for a hand
    double : bool[size] which hands may be doubled; raised : the factor by which that multiplies their value
    fixed : bool[size] whether the hand must stand
    action : int8[size, 10]; read, or written if choose
    values : float64[size + 1, LANES], its last row is -1; parts : float64[3, size, LANES] standing, hitting, doubling, if choose
    """
    size = len(level)
    left, hit, doubled = np.zeros(child.shape[1]), rows_of_lanes(1), rows_of_lanes(1)
    rows = np.empty(child.shape[1], np.uint32)
    flat = stands.reshape((stands.shape[0] * LEVELS, LANES))
    for i in range(len(members) - 1, -1, -1):
        h = members[i]
        cards = _remaining(shoe, counts[h], left)
        if cards < 2.0:
            continue
        stand = flat[place[h] * LEVELS + level[h]]
        if fixed[h]:
            for u in range(RANKS):
                values[h, u] = stand[u]
                if choose:
                    action[h, u] = STAND
                    parts[0, h, u] = stand[u]
            continue
        doubles, hits = double[h], True
        if not choose:
            doubles = hits = False
            for u in range(RANKS):
                doubles |= action[h, u] == DOUBLE
                hits |= action[h, u] == HIT
        hits &= cards >= 3.0
        doubles &= cards >= 3.0
        if hits:
            _one_card_more(hit, values, child[h], left, cards, safe[h], peek)
        if doubles:
            for r in range(len(rows)):
                after = child[h, r]
                rows[r] = place[after] * LEVELS + level[after] if after < size else len(flat) - 1
            _one_card_more(doubled, flat, rows, left, cards, safe[h], peek)
        for u in range(RANKS):
            if choose:
                best, what = stand[u], STAND
                if hits and hit[0, u] > best + TIE:
                    best, what = hit[0, u], HIT
                if doubles and raised * doubled[0, u] > best + TIE:
                    best, what = raised * doubled[0, u], DOUBLE
                values[h, u] = best
                action[h, u] = what
                parts[0, h, u] = stand[u]
                parts[1, h, u] = hit[0, u] if hits else np.nan
                parts[2, h, u] = raised * doubled[0, u] if doubles else np.nan
            else:
                what = action[h, u]
                values[h, u] = stand[u] if what == STAND else hit[0, u] if what == HIT else raised * doubled[0, u]


@njit(cache=True, nogil=True, error_model="numpy")
def first_card(card, shoe, child, values, peek, out):
    """out[u] = value of a hand that so far has only this card; shoe : float64[10] without it and the other cards that are gone."""
    cards, left, hit = 0.0, np.zeros(child.shape[1]), rows_of_lanes(1)
    for r in range(RANKS):
        left[r] = shoe[r]
        cards += left[r]
    _one_card_more(hit, values, child[1 + card], left, cards, RANKS, peek)
    for u in range(RANKS):
        out[u] = hit[0, u]
