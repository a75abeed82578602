"""Board games with a ranked space: retrograde analysis, with one byte per position."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import Examined, GivesUp, Request

FEW_POSITIONS = 1_000_000  # up to this many are explored, with keys, rather than ranked


class BoardsEngine:
    """Accepts large two-player games without chance that end in a win, a draw or a loss and declare a ranked space, `space(self)`."""

    name = "boards"
    about = "a board game whose positions are ranked"
    honours = frozenset({"checkpoint", "cluster", "exact", "max_states", "quick", "tolerance"})
    believes: tuple[str, ...] = ("symmetries",)
    runs = "compiled"

    def why_not(self, request: Request) -> str | None:
        if request.rules.ranked is None:
            return "it does not declare `space(self)` as a space of zermelo.spaces"
        rules = request.rules
        if rules.is_chance or rules.is_simultaneous or rules.is_cut_off or len(rules.payoffs) > 1:
            return "it is not decided by two players in turn for a win, a draw or a loss"
        from zermelo.engines.boards.numbering import too_large_a_part

        if why := too_large_a_part(rules.ranked):
            return why
        if request.checkpoint is not None or request.cluster is not None:
            return None
        from zermelo.engines.boards.board import num_orbits

        positions = num_orbits(rules)
        return None if positions > FEW_POSITIONS else f"its {positions:,} positions can be stored with all that is known of them"

    def notes(self, request: Request) -> tuple[str, ...]:
        from zermelo.engines.boards.board import way, why_forward

        why = why_forward(request.rules, in_memory=request.checkpoint is None and request.cluster is None)
        return (way(request), why) if why else (way(request),)

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.exploring.explore import try_rules
        from zermelo.states.positions import check_held

        check_held(request.rules, request.sample)
        return Examined(len(request.sample), try_rules(request.rules, request.sample))

    def solve(self, request: Request) -> Any:
        if request.cluster is not None:
            from zermelo.engines.boards.spread.solving import solve_on_cluster

            return solve_on_cluster(request)
        if request.checkpoint is not None:
            from zermelo.engines.boards.on_disk import solve_on_disk

            return solve_on_disk(request)
        from zermelo.engines.boards.board import num_orbits
        from zermelo.engines.boards.solving import EXPLORED, solve_board
        from zermelo.link import RulesRefused

        try:
            return solve_board(request)
        except RulesRefused as why:
            if num_orbits(request.rules) > EXPLORED[0]:
                raise
            raise GivesUp(why.faults[0]) from None  # Python may find all positions to which play leads
