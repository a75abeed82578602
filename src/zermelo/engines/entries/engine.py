"""Games with decisions that go through stages: only the states where stages are entered are kept."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import Request


class EntriesEngine:
    """Takes games that declare `stage(s)` and `entries()`."""

    name = "entries"
    about = "a game with decisions in stages"
    honours = frozenset({"max_states", "tolerance"})

    def why_not(self, request: Request) -> str | None:
        return None if request.rules.is_entered else "it does not declare `stage(s)` and `entries()`"

    def notes(self, request: Request) -> tuple[str, ...]:
        from zermelo.language.passthrough import passthrough_fields

        if len(request.rules.payoffs) > 1:
            return ("stages are found one by one, since the game has several payoffs: patterns are for one",)
        if not passthrough_fields(request.rules):
            return ("stages are found one by one: no field of the state is only passed through, so no two stages have one pattern",)
        return ()

    def solve(self, request: Request) -> Any:
        from zermelo.engines.entries.solving import solve_entries

        return solve_entries(request)
