"""Matrix games as the page plays them: both choose at once; the person picks a known strategy, the other side draws from its mixture."""

from __future__ import annotations

from typing import Any

from zermelo.serve.tally import Tally, chosen, fraction_text
from zermelo.views.play_mixed import Known


class MatrixPlay(Tally):
    """A sequence of plays by one person."""

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
