"""Faults of rules by which both choose at once, as far as they show without a state."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.language.checking.source import Kind
from zermelo.language.rules import Rules

JOINT_HINT = " (a game with `other_actions` lets both choose at once)"
NOT_JOINT = {  # what does not go together with `other_actions`, and why
    "player": "both choose at once, and player 0 wants the payoff high; where only one has a choice, the other one has one action",
    "settled": "who stops first is a question of games in turn",
    "bounds": "bounds are for games in turn",
    "urn": "an urn has one player",
}


def joint_faults(rules: Rules) -> Iterator[tuple[str, Kind, str]]:
    """(the member at fault, the kind of fault, what to say) for all that does not fit to `other_actions`."""
    if not rules.is_simultaneous:
        return
    if rules.is_chance:
        text = "`other_actions` needs `actions`: they are what the two choose among at once"
        yield "other_actions", ("joint", "actions"), text
    for other, why in NOT_JOINT.items():
        if hasattr(rules.game, other):
            yield other, ("joint", other), f"`other_actions` and `{other}` do not go together: {why}"
