"""Games with decisions that go through stages: only the states where stages are entered are kept."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import TWO_TIERS, Examined, Request

EXAMINED = 100_000  # of the states that `entries` yields, where nothing is solved: it may go on for minutes


class EntriesEngine:
    """Accepts games that declare `stage(s)` and `entries()`."""

    name = "entries"
    about = "a game with decisions in stages"
    honours = frozenset({"checkpoint", "cluster", "max_states", "tolerance"})
    believes: tuple[str, ...] = ()
    runs = TWO_TIERS

    def why_not(self, request: Request) -> str | None:
        return None if request.rules.is_entered else "it does not declare `stage(s)` and `entries()`"

    def notes(self, request: Request) -> tuple[str, ...]:
        from zermelo.engines.entries.patterns import why_one_by_one

        why = why_one_by_one(request.rules)
        kept = () if request.checkpoint is None else (f"the values of stages that are solved are kept in {request.checkpoint}",)
        return (why, *kept) if why else kept

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.entries.table import declared
        from zermelo.engines.exploring.explore import try_rules

        declared(request.rules, EXAMINED)
        return Examined(len(request.sample), try_rules(request.rules, request.sample))

    def solve(self, request: Request) -> Any:
        if request.cluster is not None:
            from zermelo.engines.entries.machines import solve_on_cluster

            return solve_on_cluster(request)
        from zermelo.engines.entries.solving import solve_entries

        return solve_entries(request)
