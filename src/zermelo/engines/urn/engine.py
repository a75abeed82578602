"""Optimal stopping on an urn: the urn sweep, in a window around likely plays."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import Examined, GivesUp, Request
from zermelo.errors import OutOfReach, ParameterError

MOST_STORED = 4_000_000  # the most states of an urn that are stored one by one
MOST_EXACT = 40_000  # the most with a rational number each


class UrnEngine:
    """Accepts games that declare `urn(s)`, if they have too many states to store them all."""

    name = "urn"
    about = "an urn that is swept stage by stage"
    honours = frozenset({"exact", "max_states", "tolerance", "checkpoint"})
    believes: tuple[str, ...] = ("urn",)
    runs = "run by Python at a few states; a kernel of its own sweeps over the stages"

    def why_not(self, request: Request) -> str | None:
        if not callable(getattr(request.game, "urn", None)):
            return "it does not declare `urn(s)`"
        states, most = request.rules.urn_states, MOST_EXACT if request.exact else MOST_STORED
        return None if states > most else f"all {states:,} states of the urn can be stored"

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def examine(self, request: Request) -> Examined:
        return Examined(len(request.sample))

    def solve(self, request: Request) -> Any:
        from zermelo.engines.urn.solving import solve_urn

        return solve_urn(request)


class SmallUrnEngine(UrnEngine):
    """Accepts any urn. Asked last, if no other engine keeps a checkpoint or certifies the tolerance."""

    name = "urn (small)"

    def why_not(self, request: Request) -> str | None:
        return None if callable(getattr(request.game, "urn", None)) else "it does not declare `urn(s)`"

    def solve(self, request: Request) -> Any:
        try:
            return super().solve(request)
        except (OutOfReach, ParameterError) as error:
            raise GivesUp(str(error)) from None
