"""The general engine: explores all reachable states, and solves them by a method that fits their structure."""

from __future__ import annotations

from typing import Any

from zermelo.engines import base
from zermelo.engines.base import HORIZON, MOST_EXPLORED, TWO_TIERS, Examined, GivesUp, Request
from zermelo.language.countdown import why_not_counted

EARLY = 8  # times fewer states than may be stored are found when it is asked whether they count the moves left
SLOW = 10  # times fewer again, where Python runs the rules alone, as the compiler refuses them


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
        if not _may_give_up(request) or why_not_counted(request.rules) is not None:
            return ()
        many = f"with more than {base.FEW_STORED:,} states"
        return (f"{many} the engine horizon is asked, which does not store them for every number of moves left",)

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.exploring.explore import try_rules
        from zermelo.states.positions import check_held

        check_held(request.rules, request.sample)
        return Examined(len(request.sample), try_rules(request.rules, request.sample, request.max_states))

    def solve(self, request: Request) -> Any:
        """Gives up a game with very many states if these are far fewer apart from a number of moves left (engines/horizon/)."""
        from zermelo.engines.explored.solving import solve_explored

        return solve_explored(request, _Watch(request) if _may_give_up(request) else None)


class StoringEngine(ExploredEngine):
    """The same, which gives up nothing: asked again where no other engine took a game that it had given up."""

    name = "explored (at any size)"

    def why_not(self, request: Request) -> str | None:
        return super().why_not(request) if _may_give_up(request) else "it was asked before"

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def solve(self, request: Request) -> Any:
        from zermelo.engines.explored.solving import solve_explored

        return solve_explored(request)


def _may_give_up(request: Request) -> bool:
    """Whether nothing that was asked for needs all states stored."""
    return request.folded and not set(request.asked) - HORIZON


class _Watch:
    """Reports progress, and gives up once there are many states and a number of moves left counts them."""

    def __init__(self, request: Request):
        self.request, self.is_asked = request, False

    def __call__(self, what: str, done: int, total: int | None) -> None:
        self.request.progress(what, done, total)
        if done > base.FEW_STORED // EARLY // SLOW and not self.is_asked:
            from zermelo.link import are_refused, why_too_long

            if done <= base.FEW_STORED // EARLY and not are_refused(self.request.rules):
                return
            self.is_asked = True
            if why_not_counted(self.request.rules) is None and not why_too_long(self.request.rules):
                raise GivesUp("it may have too many states to be stored for every number of moves left", is_noted=False)
