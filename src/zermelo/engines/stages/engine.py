"""Games of chance that go through stages: one linear system per stage, all states kept."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import TWO_TIERS, Examined, Request


class StagesEngine:
    """Accepts games of pure chance that declare `stage(s)` and `space(self, stage)`."""

    name = "stages"
    about = "a game of chance in stages"
    honours = frozenset({"checkpoint", "max_states", "tolerance"})
    believes: tuple[str, ...] = ("turned",)
    runs = TWO_TIERS

    def why_not(self, request: Request) -> str | None:
        return None if request.rules.is_staged else "it does not declare `stage(s)` and `space(self, stage)`"

    def notes(self, request: Request) -> tuple[str, ...]:
        return () if request.checkpoint is None else (f"the values of stages that are solved are kept in {request.checkpoint}",)

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.exploring.explore import try_rules
        from zermelo.engines.stages.spaces import checked_stages

        checked_stages(request.rules, request.sample)
        return Examined(len(request.sample), try_rules(request.rules, request.sample))

    def solve(self, request: Request) -> Any:
        from zermelo.engines.stages.solving import solve_stages

        return solve_stages(request)
