"""The solution of a game given by best replies: its value, a mixed strategy for each player, the certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.basics.progress import Progress, silent
from zermelo.matrix.numbers import rational
from zermelo.solution import Certificate

if TYPE_CHECKING:
    from zermelo.uses.simulate import Simulation


@dataclass(frozen=True)
class MixedSolution:
    """The value of a game of hidden choice, and an optimal mixed strategy for each player (there may be others).

    `row` and `column` give the probabilities of the strategies that are played at all. Everything is rational. With a
    certificate of kind "bound" the two strategies guarantee `low` and `high`, and `value` is the middle of these.
    """

    game: Any
    row: Mapping[Any, Fraction] = field(repr=False)
    column: Mapping[Any, Fraction] = field(repr=False)
    certificate: Certificate
    statistics: Mapping[str, Any] = field(repr=False)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both."""
        named = getattr(self.game, "players", None)
        first, second = named() if named else ("row player", "column player")
        return str(first), str(second)

    def shown(self, side: int, strategy: Any) -> str:
        """A strategy of the row player (side 0) or of the column player (side 1), for people."""
        show = getattr(self.game, ("show_row", "show_column")[side], None)
        return str(strategy if show is None else show(strategy))

    def paid(self, row: Any, column: Any) -> Fraction:
        """What the row player gets if these two strategies of `row` and `column` meet."""
        exact = getattr(self.game, "member_payoff", None)
        if exact is not None:
            return Fraction(rational(exact(row, column), "member_payoff"))
        unit = self.game.unit() if callable(getattr(self.game, "unit", None)) else 1
        return Fraction(rational(self.game.payoff(row, column), "payoff")) * Fraction(rational(unit, "unit()"))

    @property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What the two strategies guarantee, as for games with states."""
        return {"payoff": (self.low, self.high)}

    def save(self, path: str | Path) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it."""
        from zermelo.storage.mixed import save

        save(self, path)

    def simulate(self, plays: int, seed: int = 0, *, progress: Progress = silent) -> Simulation:
        """Let both draw from their mixtures many times: mean, standard error and distribution of the payoff."""
        from zermelo.uses.simulate_mixtures import simulate

        return simulate(self, plays, seed, progress)

    @property
    def value(self) -> Fraction:
        """What the row player gets from the column player on average."""
        return (self.low + self.high) / 2

    @property
    def low(self) -> Fraction:
        """What `row` guarantees to the row player."""
        return Fraction(self.certificate.low)

    @property
    def high(self) -> Fraction:
        """What `column` makes the column player pay at most."""
        return Fraction(self.certificate.high)
