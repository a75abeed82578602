"""The explored game of a request."""

from __future__ import annotations

from zermelo.basics.progress import Progress
from zermelo.engines.base import MOST_EXPLORED, Request
from zermelo.engines.exploring.explore import explore
from zermelo.engines.exploring.explored import Explored
from zermelo.language.checking.seen import ODD_WAYS, odd_ways
from zermelo.language.names import is_generated
from zermelo.language.rules import Rules, State


def explored_game(request: Request, progress: Progress | None = None, most: int | None = None) -> Explored:
    """The states of a game. If they were found with compiled rules, the rules have been compared with the interpreted ones. `progress`,
    `most` (states) : instead of those of the request."""
    seen, rules = request.seen, request.rules
    kind = "hidden" if rules.is_hidden else None
    if seen is not None and seen.has_chance and not (rules.is_simultaneous or rules.is_hidden or request.solver):
        kind = "cycles" if seen.returns else "chance"
    most = request.max_states or MOST_EXPLORED if most is None else most
    return explore(rules, request.sample, most, progress or request.progress, kind)


def remarks_on_ways(request: Request, explored: Explored) -> list[str]:
    """A remark if somewhere ways look like probabilities that do not sum to 1, unless the rules checker has seen that."""
    odd = explored.facts["odd_ways"]
    return remark_on_ways_at(request, explored.rules, explored.state_of(odd - 1)) if odd else []


def remark_on_ways_at(request: Request, rules: Rules, state: State) -> list[str]:
    """The remark on ways of this state that look like probabilities but do not sum to 1, unless the rules checker has seen others.
    Of a model the translator has seen to the sums, or its rules do; their whole number may be any."""
    if is_generated(rules.game) or any(remark.startswith(ODD_WAYS) for remark in request.remarks):
        return []
    actions = [None] if rules.is_chance else rules.actions(state)
    found = (odd_ways([o.ways for o in rules.outcomes(state, a) if o.ways], f"at {rules.in_line(state)}") for a in actions)
    return list(filter(None, found))[:1]
