"""The general engine: explores all reachable states, and solves them by a method that fits their structure."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import MOST_EXPLORED, TWO_TIERS, Request


class ExploredEngine:
    """Accepts games with chance, one player or two, moves in turn or simultaneous, and cycles."""

    name = "explored"
    about = "a game whose states are explored"
    honours = frozenset({"exact", "discount", "solver", "max_states", "tolerance"})
    believes: tuple[str, ...] = ("symmetries",)
    runs = TWO_TIERS

    def why_not(self, request: Request) -> str | None:
        if not callable(getattr(request.game, "urn", None)):
            return None
        states, most = request.rules.urn_states, request.max_states or MOST_EXPLORED
        return f"its urn has {states:,} states, more than {most:,} states (max_states)" if states > most else None

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def examine(self, request: Request) -> int:
        from zermelo.engines.exploring.explore import try_rules
        from zermelo.states.positions import check_held

        check_held(request.rules, request.sample)
        try_rules(request.rules, request.sample)
        return len(request.sample)

    def solve(self, request: Request) -> Any:
        from zermelo.engines.explored.solving import solve_explored

        return solve_explored(request)
