"""Ways to play rounds from a shoe: a table of totals, Hi-Lo with the usual indices, optimal play of the shoe that is left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import ACE, RANKS, hard_total
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.kernels import dealing
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.plans import PAIR_RANKS
from zermelo.games.blackjack.rules import Rules, points_needed
from zermelo.games.blackjack.solving import FIRST_PAIR, Values, tables_of
from zermelo.games.blackjack.strategy import HARD, PAIR, ROWS, SOFT, UPS, Strategy

HI_LO = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)  # the amount that a card of each rank adds to the count
LOW, HIGH = -10, 10  # true counts beyond are played like these
INSURE = 3  # the true count from which Hi-Lo insures
NEVER = 1_000

# The other 17 of the "Illustrious 18" of Schlesinger 1986 ("Attacking the shoe", Blackjack Forum 6/3): row, up card, true count, the
# play from there on ("": as in the table), and below.
INDICES = (
    ("hard 16", "10", 0, "S", ""), ("hard 15", "10", 4, "S", ""), ("pair 10", "5", 5, "P", ""), ("pair 10", "6", 4, "P", ""),
    ("hard 10", "10", 4, "D", ""), ("hard 12", "3", 2, "S", ""), ("hard 12", "2", 3, "S", ""), ("hard 11", "A", 1, "D", ""),
    ("hard 9", "2", 1, "D", ""), ("hard 10", "A", 4, "D", ""), ("hard 9", "7", 3, "D", ""), ("hard 16", "9", 5, "S", ""),
    ("hard 13", "2", -1, "", "H"), ("hard 12", "4", 0, "", "H"), ("hard 12", "5", -2, "", "H"), ("hard 12", "6", -1, "", "H"),
    ("hard 13", "3", -2, "", "H"),
)  # fmt: skip
Indices = Sequence[tuple[str, str, int, str, str]]
CODES = {"S": dealing.STAND, "H": dealing.HIT, "D": dealing.DOUBLE_HIT, "Ds": dealing.DOUBLE_STAND, "R": dealing.SURRENDER_HIT,
         "Rs": dealing.SURRENDER_STAND}  # fmt: skip
PAIR_CODES = {"-": dealing.AS_TOTAL, "P": dealing.SPLIT, "R": dealing.SURRENDER_PAIR}


def check_dealt(rules: Rules, share: float) -> None:
    """Raise `ParameterError` unless this is a share of the shoe that may be dealt, with enough left for a round."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise ParameterError(f"dealt must be shares of the shoe between 0 and 1, such as 0.75, not {share!r}")
    left = hard_total(rules.cards) * (1 - share)
    if left < 1.25 * points_needed(rules.split_to):
        raise ParameterError(
            f"with {share:.0%} dealt some {left:.0f} points (aces as 1) are left, which may not suffice for a round with "
            f"split_to={rules.split_to}: deal less, or give a smaller split_to"
        )


class Way(NamedTuple):
    """How a player plays, by his count."""

    later: np.ndarray  # int8[counts, hands, 10]
    pairs: np.ndarray  # int8[counts, 10, 10]
    tags: np.ndarray  # int64[10]
    low: int
    high: int
    insure_from: int  # index of a true count


def way_of_table(strategy: Strategy, indices: Indices = (), insure_from: int = NEVER) -> Way:
    """The table of totals, or Hi-Lo: the same with indices, by the true count at every decision, and insurance from one on."""
    ways = [_codes(at_count(strategy, count, indices) if indices else strategy) for count in range(LOW, HIGH + 1)]
    later, pairs = np.array([w[0] for w in ways]), np.array([w[1] for w in ways])
    return Way(later, pairs, np.array(HI_LO), LOW, HIGH, NEVER if insure_from == NEVER else insure_from - LOW)


def at_count(strategy: Strategy, count: int, indices: Indices = INDICES) -> Strategy:
    """The table that is played at a true count. Hands that are surrendered stay so, unless an index is about surrender."""
    cells = {row: list(codes) for row, codes in strategy.cells.items()}
    for row, up, index, above, below in indices:
        at = next(i for i, rank in enumerate(UPS) if rank == (ACE if up == "A" else int(up) - 1))
        code = above if count >= index else below
        if code and (cells[row][at] not in ("R", "Rs") or cells[row][at] in (above, below)):
            cells[row][at] = code
    return Strategy({row: tuple(codes) for row, codes in cells.items()})


def _codes(strategy: Strategy) -> tuple[np.ndarray, np.ndarray]:
    of_row = np.full((len(ROWS) + 1, RANKS), dealing.STAND, np.int8)
    for i, row in enumerate(ROWS):
        if not row.startswith(PAIR):
            of_row[i, UPS] = [CODES[code] for code in strategy.cells[row]]
    later = of_row[_rows()]
    pairs = np.zeros((RANKS, RANKS), np.int8)
    for rank in range(RANKS):
        row = f"{PAIR} {'A' if rank == ACE else rank + 1}"
        pairs[rank, list(UPS)] = [PAIR_CODES[code] for code in strategy.cells[row]]
    return later, pairs


@cache
def _rows() -> np.ndarray:
    """int64[hands]: the row of every hand; the last one for those that stand whatever a table says."""
    known, number = hands(), {row: i for i, row in enumerate(ROWS)}
    named = (f"{SOFT if soft else HARD} {points}" for soft, points in zip(known.soft, known.points, strict=True))
    return np.array([number.get(name, len(ROWS)) if h >= FIRST_PAIR else len(ROWS) for h, name in enumerate(named)])


def way_of_values(values: Values) -> Way:
    """Optimal play of the shoe that was solved, by composition; CDZ- after a split."""
    stand, hit, double = values.parts
    hits = hit > stand
    later = np.where(hits, dealing.HIT, dealing.STAND).astype(np.int8)
    doubles = double > np.fmax(stand, hit)
    later[doubles] = np.where(hits, dealing.DOUBLE_HIT, dealing.DOUBLE_STAND)[doubles]
    worth = np.where(np.isnan(values.worth), -np.inf, values.worth)
    first, pairs = worth.argmax(1), np.zeros((RANKS, RANKS), np.int8)
    for i, rank in enumerate(PAIR_RANKS):
        given_up = first[i] == Option.SURRENDER
        if rank >= 0:
            pairs[rank] = np.where(first[i] == Option.SPLIT, dealing.SPLIT, np.where(given_up, dealing.SURRENDER_PAIR, dealing.AS_TOTAL))
        else:
            two = later[FIRST_PAIR + i]
            two[given_up] = np.where(hits[FIRST_PAIR + i], dealing.SURRENDER_HIT, dealing.SURRENDER_STAND)[given_up]
    return Way(later[None], pairs[None], np.zeros(RANKS, np.int64), 0, 0, NEVER)


class Played(NamedTuple):
    """Rounds that were played from a shoe."""

    at: int  # where the next one begins
    running: int  # the count there
    starts: np.ndarray  # int64[rounds] where each began
    counts: np.ndarray  # int64[rounds] the true count there, rounded down
    results: np.ndarray  # float64[rounds] in units of the first bet
    sides: np.ndarray  # float64[rounds] result of half a bet of insurance, if it was taken


class Compared(NamedTuple):
    """Rounds of many shoes, each played in two ways from the same cards."""

    shoe: np.ndarray  # int64[rounds]
    starts: np.ndarray
    counts: np.ndarray
    results: np.ndarray  # of the way by which the shoes are played on
    others: np.ndarray  # of the other one, insurance included
    short: int  # shoes that ran out of cards


class Dealer:
    """Plays rounds of a table by a way."""

    def __init__(self, rules: Rules):
        known, self.rules = hands(), rules
        most = np.array([rules.most_hands(rank) for rank in range(RANKS)])
        may_double = tables_of(rules).double
        self.fixed = (
            known.child, known.points, known.soft, may_double, rules.double_any_number, rules.double_after_split,
            rules.hits_soft_17, rules.peek, float(rules.payoff), most, rules.hit_split_aces,
        )  # fmt: skip
        self.room = sum(rules.cards) // 4 + 2  # rounds of a shoe, at most

    def play(self, way: Way, cards: np.ndarray, at: int = 0, cut: int = 1, most: int = 1, running: int = 0) -> Played:
        """Rounds from a position of the shoe on, until one would begin at the cut or after it; none if the cards do not suffice."""
        starts, indices = np.zeros(self.room, np.int64), np.zeros(self.room, np.int64)
        results, sides = np.zeros(self.room), np.zeros(self.room)
        played, at, running = dealing.play_shoe(
            cards, at, cut, min(most, self.room), running, way.tags, way.low, way.high, way.later, way.pairs, way.insure_from, *self.fixed,
            starts, indices, results, sides,
        )  # fmt: skip
        n = max(played, 0)
        return Played(at, running, starts[:n], indices[:n] + way.low, results[:n], sides[:n])

    def compare(self, way: Way, other: Way, shoes: np.ndarray, cut: int) -> Compared:
        """Every shoe played to the cut by one way, and each of its rounds by another one, too."""
        room = len(shoes) * self.room
        shoe, starts, counts = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
        results, others = np.zeros(room), np.zeros(room)
        n, short = dealing.compare_shoes(
            shoes, cut, way.tags, way.low, way.high, way.later, way.pairs, other.later, other.pairs, other.insure_from, *self.fixed,
            shoe, starts, counts, results, others,
        )  # fmt: skip
        return Compared(shoe[:n], starts[:n], counts[:n] + way.low, results[:n], others[:n], short)
