"""Games whose players do not see everything."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import TWO_TIERS, Examined, Request


class HiddenEngine:
    """Accepts games that declare `sees`; no other engine accepts them."""

    name = "hidden"
    about = "a game with hidden information"
    honours = frozenset({"exact", "max_states", "tolerance", "checkpoint", "refine"})
    believes: tuple[str, ...] = ()
    runs = TWO_TIERS

    def why_not(self, request: Request) -> str | None:
        return None if request.rules.is_hidden else "it does not declare `sees`"

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def examine(self, request: Request) -> Examined:
        """Perfect recall depends on all states: they are explored, but nothing is solved."""
        from zermelo.engines.exploring.explore import write_rules
        from zermelo.engines.hidden.solving import unfolded_game

        explored = unfolded_game(request).explored
        write_rules(request.rules, explored.layout)
        return Examined(explored.num_states, not explored.is_interpreted)

    def solve(self, request: Request) -> Any:
        from zermelo.engines.hidden.solving import solve_hidden

        return solve_hidden(request)
