"""The explored game of a request."""

from __future__ import annotations

from zermelo.engines.base import MOST_EXPLORED, Request
from zermelo.engines.exploring.agreement import check_agreement
from zermelo.engines.exploring.explore import explore
from zermelo.engines.exploring.explored import Explored


def explored_game(request: Request) -> Explored:
    """The states of a game. If they were found with compiled rules, the rules have been compared with the interpreted ones."""
    explored = explore(request.rules, request.sample, request.max_states or MOST_EXPLORED, request.progress)
    check_agreement(explored)
    return explored
