"""Rounds dealt one after the other from a shoe in a given order, to a player who may count, and settled as at a table."""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import ACE, TEN

STAND, HIT, DOUBLE_HIT, DOUBLE_STAND, SURRENDER_HIT, SURRENDER_STAND = range(6)  # the second word: where the first is not allowed
AS_TOTAL, SPLIT, SURRENDER_PAIR = range(3)
MOST_HANDS = 4
RAN_OUT = -1


@njit(cache=True, nogil=True)
def true_count(running, unseen, low, high):
    """The running count per 52 unseen cards, rounded down, as an index from 0 (for `low` and less) to high - low."""
    count = int(np.floor(52.0 * running / unseen))
    return min(max(count, low), high) - low


@njit(cache=True, nogil=True)
def play_shoe(
    cards, at, cut, most, running, tags, low, high, later, pairs, insure_from, child, points, soft, may_double, free_doubles,
    double_split, hits_soft_17, peek, pays, most_hands, hit_aces, starts, indices, results, sides,
):
    """Play rounds from position `at` until one would begin at `cut` or after it, at most `most`.

    cards : int8[n] ranks in the order in which they are dealt; running : the count so far; tags : int64[10] what a card adds to it
    later : int8[counts, hands, 10] the play of a hand against an up card, by the count (STAND to SURRENDER_STAND); pairs :
    int8[counts, 10, 10] the same for pairs (AS_TOTAL, SPLIT, SURRENDER_PAIR); insure_from : the least index at which half a bet is insured
    child, points, soft : of `Hands`; may_double : bool[hands]; free_doubles : whether hands of more than two cards may be doubled
    most_hands : int64[10] the most hands that a pair may be split to
    starts, indices, results, sides : for every round its first position, the count's index there, its result in units of the first
    bet, and the additional result of insurance

    Returns how many rounds were played, where the next one begins, and the running count there; RAN_OUT rounds if cards did not suffice.
    """
    n = len(cards)
    bust = len(points)
    hand = np.zeros(MOST_HANDS, np.int64)
    held = np.zeros(MOST_HANDS, np.int64)  # cards
    bet = np.zeros(MOST_HANDS)
    count = 0
    while at < cut and count < most:
        starts[count], indices[count] = at, true_count(running, n - at, low, high)
        if at + 4 > n:
            return RAN_OUT, at, running
        first, up, second, hole = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
        at += 4
        running += tags[first] + tags[up] + tags[second]
        dealer_natural = (up == ACE and hole == TEN) or (up == TEN and hole == ACE)
        natural = (first == ACE and second == TEN) or (first == TEN and second == ACE)
        sides[count] = 0.0
        if up == ACE and true_count(running, n - at + 1, low, high) >= insure_from:
            sides[count] = 1.0 if hole == TEN else -0.5
        result = 0.0
        if natural:
            result = 0.0 if dealer_natural else pays
        elif dealer_natural and peek:
            result = -1.0
        else:
            hands, alive, given_up = 1, False, False
            hand[0], held[0], bet[0] = child[child[0, first], second], 2, 1.0
            i = 0
            while i < hands and not given_up:
                if held[i] == 1:  # half of a pair
                    if at >= n:
                        return RAN_OUT, at, running
                    half = hand[i] - 1
                    card = cards[at]
                    at += 1
                    running += tags[card]
                    first, second = half, card
                    hand[i], held[i] = child[hand[i], card], 2
                k = true_count(running, n - at + 1, low, high)
                is_split = hands > 1
                if first == second and held[i] == 2:
                    what = pairs[k, first, up]
                    if what == SPLIT and hands < most_hands[first]:
                        hand[i], held[i] = 1 + first, 1
                        hand[hands], held[hands], bet[hands] = 1 + first, 1, 1.0
                        hands += 1
                        continue
                    if what == SURRENDER_PAIR and not is_split:
                        given_up = True
                        break
                closed = is_split and first == ACE and not hit_aces
                first = second = -1  # the hand is no pair any more
                while not closed:
                    k = true_count(running, n - at + 1, low, high)
                    code = later[k, hand[i], up]
                    if code >= SURRENDER_HIT:
                        if held[i] == 2 and not is_split:
                            given_up = True
                            break
                        code = HIT if code == SURRENDER_HIT else STAND
                    doubles = code in (DOUBLE_HIT, DOUBLE_STAND)
                    if doubles and not (
                        may_double[hand[i]] and (held[i] == 2 or free_doubles) and (double_split or not is_split)
                    ):
                        doubles = False
                        code = HIT if code == DOUBLE_HIT else STAND
                    if code == STAND:
                        break
                    if at >= n:
                        return RAN_OUT, at, running
                    card = cards[at]
                    at += 1
                    running += tags[card]
                    hand[i] = child[hand[i], card]
                    held[i] += 1
                    if doubles:
                        bet[i] = 2.0
                    if doubles or hand[i] == bust or points[hand[i]] >= 21:
                        break
                alive |= hand[i] != bust
                i += 1
            if given_up:
                result = -0.5
            else:
                theirs, own = 0, child[1 + up, hole]
                if alive:
                    while points[own] < 17 or (hits_soft_17 and soft[own] and points[own] == 17):
                        if at >= n:
                            return RAN_OUT, at, running
                        own = child[own, cards[at]]
                        running += tags[cards[at]]
                        at += 1
                        if own == bust:
                            break
                    theirs = 0 if own == bust else points[own]
                for j in range(hands):
                    if hand[j] == bust or dealer_natural:
                        result -= bet[j]
                    elif points[hand[j]] != theirs:
                        result += bet[j] if points[hand[j]] > theirs else -bet[j]
        running += tags[hole]
        results[count] = result
        count += 1
    return count, at, running


@njit(cache=True, nogil=True)
def compare_shoes(
    shoes, cut, tags, low, high, later, pairs, other_later, other_pairs, insure_from, child, points, soft, may_double, free_doubles,
    double_split, hits_soft_17, peek, pays, most_hands, hit_aces, shoe, starts, counts, results, others,
):
    """Play shoes (int8[shoes, cards]) to the cut by one way; and every round, from the same cards, by another one, too, with insurance.

    Filled in for every round: its shoe, first position, index of the true count there, and the result of either way. Returns the number of
    rounds, and how many shoes ran out of cards.
    """
    start, index, result, side = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1), np.zeros(1)
    found = short = 0
    for s in range(len(shoes)):
        at = running = 0
        while at < cut:
            played, next_at, next_running = 1, at, running
            for is_other in (True, False):  # one place to compile the call at
                played, next_at, next_running = play_shoe(
                    shoes[s], at, cut, 1, running, tags, low, high, other_later if is_other else later, other_pairs if is_other else pairs,
                    insure_from if is_other else 1_000_000, child, points, soft, may_double, free_doubles,
                    double_split, hits_soft_17, peek, pays, most_hands, hit_aces, start, index, result, side,
                )
                if played != 1:
                    break
                if is_other:
                    others[found] = result[0] + side[0]
            if played != 1:
                short += 1
                break
            shoe[found], starts[found], counts[found], results[found] = s, at, index[0], result[0]
            at, running = next_at, next_running
            found += 1
    return found, short
