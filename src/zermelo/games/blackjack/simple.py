"""Simple strategies: the exact value of a table of totals, and the best table.

Up cards are separate games, so a row can be tried against all ten up cards at once, and each takes its best code. The search
starts from the values of optimal play, averaged over the hands of a row, and goes on until no single cell of the table can be improved.
"""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import NamedTuple

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.progress import Progress, silent
from zermelo.errors import ParameterError
from zermelo.games.blackjack.analysis import analyse, is_given, no_blackjack, solved
from zermelo.games.blackjack.cards import EMPTY, NAMES, RANKS, Total, rank_of, with_card
from zermelo.games.blackjack.errors import DIVISION, errors
from zermelo.games.blackjack.hands import hands, numbered
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.plans import PAIR_RANKS, Plan, first_cards, plan_by_up, split_of
from zermelo.games.blackjack.rules import Rules, check_rules
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, Stands, ask_dealer, borrowed, tables_of
from zermelo.games.blackjack.splitting import further_pairs
from zermelo.games.blackjack.strategy import HARD, PAIR, ROWS, SOFT, TOTALS, UPS, Strategy, checked, hands_in_row
from zermelo.games.blackjack.threads import pool

IMPROVED = 1e-14
ROUNDS = 20  # of the search; two or three are needed
STANDS, DOUBLES, SURRENDERS = ({"S", "Ds", "Rs"}, {"D", "Ds"}, {"R", "Rs"})
ALL = len(ROWS)  # the row of hands of 21, which stand


class Evaluated(NamedTuple):
    """The value of a simple strategy, in units of the first bet, blackjacks included."""

    strategy: Strategy
    value: float
    by_up_card: dict[str, float]
    optimal: float  # value of optimal play by composition
    error: float = 0.0  # how far each of these values can be from the truth, at most

    @property
    def cost(self) -> float:
        """The average loss of the strategy compared with optimal play."""
        return self.optimal - self.value


class Table:
    """A table of blackjack at which simple strategies are tried. To be used in a `with` block."""

    def __init__(self, rules: Rules):
        self.analysis = analyse(rules)
        self.rules, self._known = rules, tables_of(rules)
        self._shoe = np.array(rules.cards, np.int64)
        self._deal = first_cards(self._shoe)
        soft, points = hands().soft, hands().points
        named = [f"{SOFT if s else HARD} {p}" for s, p in zip(soft, points, strict=True)]
        self._row = np.array([ROWS.index(name) if name in ROWS else ALL for name in named])

    def __enter__(self) -> Table:
        self._stands = borrowed(Stands)
        self._rows = self._stands.__enter__().rows
        most = {rank: self.rules.most_hands(rank) for rank in range(RANKS)}
        used = [
            self._known.split.place[rank][: further_pairs(n), self._known.split.hands[rank]].ravel()
            for rank, n in most.items() if n > 1
        ]  # fmt: skip
        wanted = different(np.arange(FIRST_PAIR, len(hands().counts)), *used)
        ask = partial(ask_dealer, self._known, self._shoe, self.rules.peek, self._rows)
        list(pool().map(ask, np.array_split(wanted, 8)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stands.__exit__(kind, error, trace)

    # --- the value of a strategy --------------------------------------------------------------------------------------

    def evaluate(self, strategy: Strategy) -> Evaluated:
        by_up = self.by_up(np.array([strategy.cells[row] for row in ROWS]))
        shoe = self._shoe
        found = {NAMES[u]: float(by_up[u]) for u in UPS if shoe[u]}
        value, optimal, known = float(by_up @ shoe / shoe.sum()), float(self.analysis.value), errors(self.rules)
        return Evaluated(strategy, value, found, optimal, max(known.round, *known.by_up.tolist()))

    def by_up(self, cells: np.ndarray) -> np.ndarray:
        """Value of the round by up card : float64[10]. cells : codes [rows, columns in the order of UPS]."""
        return plan_by_up(self._known, self.rules, self._shoe, self._deal, self._plan(cells), self._rows, pool())

    def plan(self, strategy: Strategy) -> Plan:
        """A strategy's play of every hand."""
        return self._plan(np.array([strategy.cells[row] for row in ROWS]))

    def _plan(self, cells: np.ndarray) -> Plan:
        codes = np.empty((len(ROWS) + 1, RANKS), cells.dtype)
        codes[:-1, UPS] = cells
        codes[-1] = "S"
        later = self._actions(codes, self._known.double)
        first = later[FIRST_PAIR : FIRST_PAIR + PAIRS].copy()
        if self.rules.late_surrender:
            first[np.isin(codes, [*SURRENDERS])[self._row[FIRST_PAIR : FIRST_PAIR + PAIRS]]] = Option.SURRENDER
        for i, rank in enumerate(PAIR_RANKS):
            if rank >= 0:
                of_pair = codes[ROWS.index(f"{PAIR} {NAMES[rank]}")]
                first[i, (of_pair == "P") & (self.rules.most_hands(rank) > 1)] = Option.SPLIT
                first[i, (of_pair == "R") & self.rules.late_surrender] = Option.SURRENDER
        return Plan(first, later, (self._actions(codes, self._known.double_after_split),) * RANKS)

    def _actions(self, codes: np.ndarray, double: np.ndarray) -> np.ndarray:
        """int8[size, 10]: the play of every hand that can be neither split nor surrendered. codes : by row, and by up card."""
        action = np.where(np.isin(codes, [*STANDS]), np.int8(Option.STAND), np.int8(Option.HIT))[self._row]
        return np.where(np.isin(codes, [*DOUBLES])[self._row] & double[:, None], np.int8(Option.DOUBLE), action)

    def split_value(self, strategy: Strategy, rank: int, up: int) -> float:
        """Of splitting a pair, its hands played by the strategy; not conditional, and a dealer's blackjack counts 0 where he looks."""
        return float(split_of(self._known, self.rules, self._shoe, self.plan(strategy), self._rows, rank)[up])

    # --- the search ---------------------------------------------------------------------------------------------------

    def codes(self, row: str) -> list[str]:
        """The codes that can make a difference in a row."""
        rules = self.rules
        kind, _, what = row.partition(" ")
        if kind == PAIR:
            rank = NAMES.index(what)
            return ["-", *["P"] * (rules.most_hands(rank) > 1), *["R"] * rules.late_surrender]
        soft = kind == SOFT
        double = rules.may_double(Total(int(what), soft), 2)
        return [*TOTALS[:2], *TOTALS[2:4] * double, *TOTALS[4:] * rules.late_surrender]

    def first_guess(self) -> np.ndarray:
        """Codes that are best on average over the hands of a row, if all else is played optimally."""
        optimal, by_number = solved(self.analysis), list(numbered())
        twos = by_number[FIRST_PAIR : FIRST_PAIR + PAIRS]
        cells = np.empty((len(ROWS), len(UPS)), "U2")
        for i, row in enumerate(ROWS):
            members = [numbered()[h] - FIRST_PAIR for h in hands_in_row(row, twos)]
            worth = np.nan_to_num(optimal.worth[members], nan=0.0)
            mean = (worth * optimal.chance[members][:, None, :]).sum(0)[:, UPS]
            allowed = self.codes(row)
            usual = np.where(mean[Option.STAND] >= mean[Option.HIT], "S", "H")
            if row.startswith(PAIR):
                usual = np.full(len(UPS), "-")
            best = np.where(usual == "S", mean[Option.STAND], mean[Option.HIT])
            if row.startswith(PAIR):
                best = np.maximum(np.maximum(mean[Option.STAND], mean[Option.HIT]), mean[Option.DOUBLE])
            for option, codes in (
                (Option.DOUBLE, ("D", "Ds")),
                (Option.SPLIT, ("P",)),
                (Option.SURRENDER, ("R", "Rs")),
            ):
                if codes[0] in allowed:
                    better = mean[option] > best
                    code = np.where(usual == "S", codes[-1], codes[0])
                    usual, best = np.where(better, code, usual), np.maximum(best, mean[option])
            cells[i] = usual
        return cells

    def best(self, progress: Progress = silent) -> Evaluated:
        """The best simple strategy, to the extent that changes of single cells can find it."""
        cells = self.first_guess()
        reached = self.by_up(cells)
        for turn in range(ROUNDS):
            before = reached
            for i, row in enumerate(ROWS):
                progress("searching for the best simple table", turn * len(ROWS) + i, None)
                cells, reached = self._improved(cells, reached, i, row)
            if not (reached > before + IMPROVED).any():
                break
        return self.evaluate(checked({row: [str(c) for c in codes] for row, codes in zip(ROWS, cells, strict=True)}))

    def _improved(self, cells: np.ndarray, reached: np.ndarray, i: int, row: str) -> tuple[np.ndarray, np.ndarray]:
        """The table with the best codes in row i, against every up card, and the values of the round by up card."""
        best = cells.copy()
        for code in self.codes(row):
            tried = cells.copy()
            tried[i] = code
            by_up = self.by_up(tried)
            better = by_up > reached + IMPROVED
            best[i] = np.where(better[list(UPS)], code, best[i])
            reached = np.where(better, by_up, reached)
        return best, reached


def evaluate_strategy(rules: Rules, strategy: Strategy) -> Evaluated:
    """The exact value of a simple strategy at a table: all hands with the same total are played alike, split hands too.

    Raises `ParameterError` for a strategy with holes.
    """
    if not isinstance(strategy, Strategy):
        raise ParameterError(f"strategy must be a blackjack.Strategy, as read_strategy makes it, not {strategy!r}")
    whole = checked(strategy.cells)
    with Table(rules) as table:
        return table.evaluate(whole)


def split_value(rules: Rules, strategy: Strategy, card: str, up: str, conditional: bool | None = None) -> float:
    """The value of splitting a pair of this card against an up card, with its hands played by the strategy.

    conditional : given that the dealer has no blackjack; by default where the dealer looks for one. Otherwise a blackjack of the dealer
    takes the first bet only (peek), or all bets. Raises `ParameterError` where the pair can't be split.
    """
    rank, against, clear, given = _asked(rules, card, up, conditional)
    with Table(rules) as table:
        value = table.split_value(checked(strategy.cells), rank, against)
    return value / clear if given else value - (1.0 - clear if rules.peek else 0.0)


def split_error(rules: Rules, card: str, up: str, conditional: bool | None = None) -> float:
    """How far `split_value` can be from the truth, at most, whatever the strategy."""
    rank, against, clear, given = _asked(rules, card, up, conditional)
    return float(errors(rules).split[rank, against]) / (clear if given else 1.0) + DIVISION


def _asked(rules: Rules, card: str, up: str, conditional: bool | None) -> tuple[int, int, float, bool]:
    """Rank of the pair, the up card, the chance that the dealer has no blackjack, and whether that is given."""
    rank, against = rank_of(card), rank_of(up, "the up card")
    check_rules(rules)
    if rules.most_hands(rank) < 2 or rules.cards[rank] < 2 + (rank == against) or not rules.cards[against]:
        raise ParameterError(f"a pair of {NAMES[rank]} against {NAMES[against]} can't be split at this table")
    clear = float(no_blackjack(rules, with_card(EMPTY, rank, 2), against))
    return rank, against, clear, is_given(rules, conditional)


def best_strategy(rules: Rules, progress: Progress = silent) -> Evaluated:
    """The best simple strategy for a table: no other code in any single cell is worth more."""
    with Table(rules) as table:
        return table.best(progress)
