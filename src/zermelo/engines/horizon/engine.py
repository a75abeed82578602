"""Games that end after a number of moves, and have too many states if each is one for every number of moves left."""

from __future__ import annotations

from typing import Any

from zermelo.engines import base
from zermelo.engines.base import HORIZON, Examined, Request
from zermelo.language.countdown import why_not_counted


class HorizonEngine:
    """Accepts games with a field that counts the moves left (language/countdown.py). It is asked where the general engine gave up, because
    the states of such a game are too many to be stored one by one (engines/explored/engine.py)."""

    name = "horizon"
    about = "a game that ends after a number of moves"
    honours = HORIZON
    believes: tuple[str, ...] = ()
    runs = "compiled"

    def why_not(self, request: Request) -> str | None:
        return why_not_counted(request.rules)

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.exploring.explore import try_rules

        return Examined(len(request.sample), try_rules(request.rules, request.sample, request.max_states))

    def solve(self, request: Request) -> Any:
        from zermelo.engines.horizon.solving import solve_horizon

        return solve_horizon(request, base.FEW_STORED)
