"""What a few states of a game let expect of its solution: which views may fit it, for help, before anything is solved."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.language.pictures import Misdrawn

if TYPE_CHECKING:
    from zermelo.language.checking import Sample
    from zermelo.language.rules import Rules

RESULTS = (-1, 0, 1)  # of a loss, a draw and a win


class Look(NamedTuple):
    """What the solution of a game is expected to be like."""

    has_board: bool  # positions are drawn on a grid
    is_of_results: bool  # play without chance for win, draw or loss, so that moves to the end are counted
    has_chance: bool  # or both choose at once, by mixed strategies


def any_game(look: Look) -> bool:
    return True


def with_chance(look: Look) -> bool:
    return look.has_chance


def of_results(look: Look) -> bool:
    return look.is_of_results


def boards_of_results(look: Look) -> bool:
    return look.has_board and look.is_of_results


def telling_fields(look: Look) -> bool:
    return not boards_of_results(look)


def look_at(game: Any) -> Look | None:
    """A look at the states that the checker examines; None if the rules are wrong, which is reported when they are solved."""
    from zermelo.language.checking import check  # most commands need no views

    try:
        sample = check(game)
        return Look(draws_board(sample.rules), _is_of_results(sample), sample.seen.has_chance or sample.rules.is_simultaneous)
    except ZermeloError:
        return None


def draws_board(rules: Rules) -> bool:
    """Whether positions are drawn on a grid; not if the start can't be drawn, which a note of the solution says."""
    with suppress(Misdrawn):
        return rules.is_pictured and any(e["kind"] == "grid" for e in rules.picture(rules.start) or [])
    return False


def _is_of_results(sample: Sample) -> bool:
    """Whether somebody chooses, there is no chance, and only the end pays, 1, 0 or -1."""
    rules, seen = sample.rules, sample.seen
    if seen.has_chance or not seen.players or rules.is_simultaneous or len(rules.payoffs) > 1:
        return False
    for state in sample.states:
        actions = rules.actions(state)
        if not actions and rules.payoff(state)[0] not in RESULTS:
            return False
        if any(outcome.payoff[0] for action in actions for outcome in rules.outcomes(state, action)):
            return False
    return True
