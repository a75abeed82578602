"""The strength of poker hands: the best five of up to seven cards, as one number.

A card is 4 * rank + suit, with the ranks 2, 3, ..., A from 0 to 12. Two hands compare as their numbers do.
"""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
SUIT = 8191  # thirteen bits


def strength(hand: tuple[int, ...]) -> int:
    """The category of the best five cards, and then the ranks that decide, four bits each."""
    counts, suits = 0, 0  # three bits a rank; thirteen bits a suit
    for c in hand:
        counts += 1 << 3 * (c // 4)
        suits |= 1 << 13 * (c % 4) + c // 4
    ranks, flush = 0, 0
    for suit in range(4):
        own = suits >> 13 * suit & SUIT
        ranks |= own
        if bits(own) >= 5:
            flush = own
    if flush > 0 and straight(flush) > 0:
        return STRAIGHT_FLUSH << 20 | straight(flush)
    four, three, pair, other = -1, -1, -1, -1  # the highest rank that occurs this often; `other`, a second pair
    for rank in range(12, -1, -1):
        n = counts >> 3 * rank & 7
        if n == 4:
            four = max(four, rank)
        elif n == 3 and three < 0:
            three = rank
        elif n >= 2 and pair < 0:
            pair = rank
        elif n >= 2 and other < 0:
            other = rank
    if four >= 0:
        return FOUR << 20 | four << 4 | highest(ranks & ~(1 << four), 1)
    if three >= 0 and pair >= 0:
        return FULL_HOUSE << 20 | three << 4 | pair
    if flush > 0:
        return FLUSH << 20 | highest(flush, 5)
    if straight(ranks) > 0:
        return STRAIGHT << 20 | straight(ranks)
    if three >= 0:
        return THREE << 20 | three << 8 | highest(ranks & ~(1 << three), 2)
    if other >= 0:
        return TWO_PAIRS << 20 | pair << 8 | other << 4 | highest(ranks & ~(1 << pair) & ~(1 << other), 1)
    if pair >= 0:
        return PAIR << 20 | pair << 12 | highest(ranks & ~(1 << pair), 3)
    return HIGH_CARD << 20 | highest(ranks, 5)


def bits(number: int) -> int:
    count = 0
    while number > 0:
        number &= number - 1
        count += 1
    return count


def straight(ranks: int) -> int:
    """The highest rank of five in a row, the ace also below the 2; 0 if there are none."""
    with_ace = ranks << 1 | ranks >> 12
    for top in range(12, 2, -1):
        if with_ace >> top - 3 & 31 == 31:
            return top
    return 0


def highest(ranks: int, count: int) -> int:
    """The highest of these ranks, this many of them, four bits each."""
    found = 0
    for rank in range(12, -1, -1):
        if count > 0 and ranks >> rank & 1:
            found = found << 4 | rank
            count -= 1
    return found
