"""Matrix games as the page plays them: both choose at once, a person one of the known strategies, the other side by its mixture."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from zermelo.serve.tally import Tally, chosen, fraction_text
from zermelo.solution import MixedSolution
from zermelo.views.play_hidden import NOTHING_LOST

MOST_STRATEGIES = 60  # of a player, that a person chooses from


class Known:
    """The strategies of both players that the solution plays or that the game names, how often each is played, and what it is worth against
    the other's mixture, to whoever plays it."""

    def __init__(self, solution: MixedSolution):
        self.solution, self.sign = solution, (1, -1)
        self.strategies = [_known(solution, seat) for seat in range(2)]
        mixtures = [solution.policy(seat) for seat in range(2)]
        self.shares = [[mixtures[seat].get(s, Fraction(0)) for s in self.strategies[seat]] for seat in range(2)]
        self.worth = [
            [sum((p * self.paid(seat, s, t) for t, p in mixtures[1 - seat].items() if p), Fraction(0)) for s in self.strategies[seat]]
            for seat in range(2)
        ]
        self.losses = [[max(worth) - w for w in worth] for worth in self.worth]
        self.names = [[solution.shown(seat, s) for s in self.strategies[seat]] for seat in range(2)]

    def paid(self, seat: int, own: Any, other: Any) -> Fraction:
        """What a player gets if his strategy meets one of the other's."""
        return self.sign[seat] * self.solution.paid(*((own, other) if seat == 0 else (other, own)))

    def result(self, seat: int, pair: tuple[int, int]) -> Fraction:
        """What a player gets if the strategies of these places meet, the row player's first."""
        row, column = (side[k] for side, k in zip(self.strategies, pair, strict=True))
        return self.paid(seat, row, column) if seat == 0 else self.paid(seat, column, row)

    def drawn(self, seat: int, errs: float, most: float) -> int:
        """The place of a strategy, drawn from the mixture; or of one that costs something, but no more than `most`."""
        worse = [k for k, loss in enumerate(self.losses[seat]) if NOTHING_LOST < loss <= most + NOTHING_LOST]
        if errs and worse and random.random() < errs:
            return random.choice(worse)
        return random.choices(range(len(self.shares[seat])), [float(p) for p in self.shares[seat]])[0]

    def pair(self, seat: int, own: int, other: int) -> tuple[int, int]:
        return (own, other) if seat == 0 else (other, own)

    def text(self, pair: tuple[int, int]) -> str:
        """Which strategies met."""
        return "; ".join(f"{name}: {names[k]}" for name, names, k in zip(self.solution.players, self.names, pair, strict=True))


def _known(solution: MixedSolution, seat: int) -> list[Any]:
    played = sorted((s for s, p in solution.policy(seat).items() if p), key=lambda s: -solution.policy(seat)[s])
    named: Callable[[], Any] | None = getattr(solution.game, ("rows", "columns")[seat], None)
    if callable(named):
        played += [s for s in itertools.islice(named(), MOST_STRATEGIES) if s not in set(played)]
    return played[:MOST_STRATEGIES]


class MatrixPlay(Tally):
    """Plays of one person in a row."""

    def __init__(self, known: Known, seat: int):
        super().__init__()
        self.known, self.seat, self.pair = known, seat, None  # type: Known, int, tuple[int, int] | None

    def begin(self) -> None:
        self.pair, self.is_counted = None, False

    def act(self, place: Any) -> None:
        own = chosen(place, len(self.known.strategies[self.seat]) if self.pair is None else 0)
        self.pair = self.known.pair(self.seat, own, self.known.drawn(1 - self.seat, self.errs, self.most))

    def undo(self) -> None:
        self.pair = None

    @property
    def is_over(self) -> bool:
        return self.pair is not None

    def result(self) -> float:
        return 0.0 if self.pair is None else float(self.known.result(self.seat, self.pair))

    def cost(self) -> float:
        return 0.0 if self.pair is None else float(self.known.losses[self.seat][self.pair[self.seat]])

    def seen(self) -> dict[str, Any]:
        known, seat, value = self.known, self.seat, self.known.sign[self.seat] * self.known.solution.value
        names, own = known.names[seat], 0 if self.pair is None else self.pair[seat]
        rows = zip(names, known.shares[seat], known.worth[seat], known.losses[seat], strict=True)
        actions = [{"name": n, "share": float(p), "worth": float(w), "loss": float(x), "places": []} for n, p, w, x in rows]
        return {
            "seat": seat,
            "over": self.is_over,
            "text": BOTH if self.pair is None else known.text(self.pair),
            "actions": [] if self.is_over else actions,
            "steps": [{"text": BOTH, "name": names[own], "loss": self.cost()}] if self.is_over else [],
            "paid": 0.0,
            "result": self.result(),
            "cost": self.cost(),
            "value": float(value),
            "exact": fraction_text(value) if known.solution.answers.is_exact else None,
            "tally": self.told(),
        }


BOTH = "both choose at once"
