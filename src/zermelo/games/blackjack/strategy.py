"""Strategies as players know them: a table of totals against up cards, to be read, written and compared. Standard library only.

    hard 12:   H  H  S  S  S  H  H  H  H  H        against 2, 3, ..., 10, A

S stands, H hits; D doubles or else hits, Ds doubles or else stands; R surrenders or else hits, Rs surrenders or else stands. In the rows of
pairs P splits, R surrenders, and - plays the pair as its total.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import BEST, NAMES, RANKS, Counts, Total, hard_total, total
from zermelo.games.blackjack.options import Option, is_blackjack
from zermelo.games.blackjack.rules import Rules

UPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)  # ranks in the order of the columns
TOTALS, PAIRS = ("S", "H", "D", "Ds", "R", "Rs"), ("P", "R", "-")
HARD, SOFT, PAIR = "hard", "soft", "pair"
ROWS = (
    *(f"{HARD} {n}" for n in range(4, BEST)),
    *(f"{SOFT} {n}" for n in range(12, BEST)),
    *(f"{PAIR} {NAMES[r]}" for r in UPS),
)
MEANING = {
    "S": "stand", "H": "hit", "D": "double, or else hit", "Ds": "double, or else stand", "R": "surrender, or else hit",
    "Rs": "surrender, or else stand", "P": "split", "-": "as its total",
}  # fmt: skip
_LINE = re.compile(r"^\s*(hard|soft|pair)[\s_-]+(\w+)\s*[:,|]?\s*(.*)$", re.IGNORECASE)


class Strategy(NamedTuple):
    """A table: for each of `ROWS` ten codes, against 2, 3, ..., 10, A. `checked` makes sure of it."""

    cells: Mapping[str, tuple[str, ...]]

    def code(self, row: str, up: int) -> str:
        """The code in a row against an up card, given by its rank."""
        return self.cells[row][UPS.index(up)]

    def text(self) -> str:
        """The table as `read_strategy` reads it."""
        head = " " * 9 + "".join(f"{NAMES[up]:>4}" for up in UPS)
        lines = [f"{row + ':':9}" + "".join(f"{code:>4}" for code in self.cells[row]) for row in ROWS]
        return "\n".join(["#" + head[1:], *lines]) + "\n"

    def first(self, rules: Rules, hand: Counts, up: int) -> Option:
        """The play of two cards."""
        if is_blackjack(hand):
            return Option.STAND
        if 2 in hand:
            rank = hand.index(2)
            pair = self.code(f"{PAIR} {NAMES[rank]}", up)
            if pair == "P" and rules.most_hands(rank) > 1:
                return Option.SPLIT
            if pair == "R" and rules.late_surrender:
                return Option.SURRENDER
        if rules.late_surrender and self._of_total(total(hand), up) in ("R", "Rs"):
            return Option.SURRENDER
        return self.later(hand, up, rules.may_double(total(hand), 2))

    def later(self, hand: Counts, up: int, may_double: bool) -> Option:
        """How to play a hand that can be neither split nor surrendered."""
        code = self._of_total(total(hand), up)
        if may_double and code in ("D", "Ds"):
            return Option.DOUBLE
        return Option.STAND if code in ("S", "Ds", "Rs") else Option.HIT

    def _of_total(self, total: Total, up: int) -> str:
        return "S" if total.points >= BEST else self.code(row_of(total), up)


def row_of(total: Total) -> str:
    return f"{SOFT if total.soft else HARD} {total.points}"


def checked(cells: Mapping[str, Sequence[str]]) -> Strategy:
    """A strategy from rows of codes. Raises `ParameterError` that names every row that is missing or wrong."""
    if unknown := [row for row in cells if row not in ROWS]:
        raise ParameterError(
            f"the strategy has a row {unknown[0]!r}; rows are hard 4 to 20, soft 12 to 20, pair 2 to 10 and A"
        )
    if missing := [row for row in ROWS if row not in cells]:
        more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
        raise ParameterError(f"the strategy has holes: there is no row {', '.join(missing[:4])}{more}")
    for row, codes in cells.items():
        allowed = PAIRS if row.startswith(PAIR) else TOTALS
        if len(codes) != RANKS:
            raise ParameterError(f"the strategy has {len(codes)} codes in row {row}, not ten, for 2, 3, ..., 10, A")
        for up, code in zip(UPS, codes, strict=True):
            if code not in allowed:
                raise ParameterError(
                    f"the strategy says {code!r} in row {row} against {NAMES[up]}; it may be {', '.join(allowed)}"
                )
    return Strategy({row: tuple(cells[row]) for row in ROWS})


def read_strategy(text: str) -> Strategy:
    """A strategy from the lines of a text; lines that begin with # are skipped. Raises `ParameterError` for lines that make no sense."""
    cells: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.match(line)
        if not found:
            raise ParameterError(
                f"line {number} of the strategy is no row such as 'hard 12: H H S S S H H H H H': {line.strip()!r}"
            )
        kind, what, codes = found.groups()
        name = {"T": "10", "1": "A", "11": "A"}.get(what.upper(), what.upper()) if kind.lower() == PAIR else what
        row = f"{kind.lower()} {name}"
        if row in cells:
            raise ParameterError(f"line {number} of the strategy gives row {row} again")
        cells[row] = [code.capitalize() for code in re.split(r"[\s,|]+", codes.strip()) if code]
    return checked(cells)


def hands_in_row(row: str, hands: Sequence[Counts]) -> list[Counts]:
    """Those of the hands that a row is about; pairs belong to the rows of their totals, too, where these have no other hands."""
    kind, _, what = row.partition(" ")
    if kind == PAIR:
        return [h for h in hands if sum(h) == 2 and h[NAMES.index(what)] == 2]
    of_total = [h for h in hands if row_of(total(h)) == row and hard_total(h) <= BEST]
    return [h for h in of_total if 2 not in h or sum(h) > 2] or of_total
