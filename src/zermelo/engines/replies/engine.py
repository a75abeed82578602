"""Matrix games given by best responses: strategies instead of states."""

from __future__ import annotations

from typing import Any

from zermelo.engines.base import Examined, Request


class RepliesEngine:
    """Accepts games that declare `best_row` or `best_column`; they have no states, and no other engine accepts them."""

    name = "replies"
    about = "a game given by best responses"
    honours = frozenset({"exact", "tolerance"})
    believes: tuple[str, ...] = ()
    runs = "run by Python"

    def why_not(self, request: Request) -> str | None:
        return None if request.is_given_by_replies else "it does not declare `best_row` or `best_column`"

    def notes(self, request: Request) -> tuple[str, ...]:
        return ()

    def examine(self, request: Request) -> Examined:
        from zermelo.engines.replies.solving import check_replies

        restricted = check_replies(request.game)
        return Examined(len(restricted.rows) + len(restricted.columns))

    def solve(self, request: Request) -> Any:
        from zermelo.engines.replies.solving import solve_replies

        return solve_replies(request)
