"""Plays of a game whose players do not see everything, as a chain: the outcomes in all states if both draw their actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.answers.hidden import HiddenAnswers
from zermelo.basics.progress import Progress
from zermelo.basics.runs import running
from zermelo.engines.base import Request
from zermelo.problem.transitions import Transitions
from zermelo.uses.chain import LiftedChain, play_out

UNIT = 2.0**-53


def unfolded_of(answers: HiddenAnswers, progress: Progress) -> Any:
    """The game in sequence form; explored again if another process solved it."""
    if answers.unfolded is None:
        from zermelo.engines.hidden.solving import unfolded_game

        answers.unfolded = unfolded_game(Request(answers.rules.game, progress=progress))
    return answers.unfolded


def chain_of(answers: HiddenAnswers, game: Any, weights: list[Any]) -> Transitions:
    """The outcomes in all states of `game`, the answer's game in sequence form, if both draw their actions."""
    weights = [in_order_of(answers, game, player, own) for player, own in enumerate(weights)]
    explored, views = game.explored, game.views
    whole_game = explored.whole()
    rows = np.diff(whole_game.action_start)
    owner = np.repeat(np.arange(len(rows)), rows)
    position = np.arange(len(owner)) - whole_game.action_start[owner]
    others = np.ones(len(rows), np.int64)
    if explored.rules.is_simultaneous:
        others = np.maximum(rows // np.maximum(explored.widths(0, len(rows)), 1), 1)
    share = np.ones(len(owner))
    for player in range(2):
        side = game.form.sides[player]
        in_set = np.full(len(views.knows[player].begin), -1, np.int64)
        in_set[game.seen[player]] = np.arange(side.sets)
        at = in_set[views.seen[player]]
        if explored.rules.is_simultaneous:
            chooses = (rows // others if player == 0 else others) > 1
            own = position // others[owner] if player == 0 else position % others[owner]
        else:
            chooses, own = (whole_game.player == player) & (rows > 1), position
        at = np.where(chooses, at, -1)[owner]
        chances = _chances(side, weights[player])
        chosen = at >= 0
        share[chosen] *= chances[side.first[at[chosen]] + own[chosen]]
    counts = np.diff(whole_game.outcome_start)
    row_of = np.repeat(np.arange(len(owner)), counts)
    totals = np.bincount(row_of, whole_game.ways, len(owner))
    ways = share[row_of] * whole_game.ways / totals[row_of]
    has_row = (rows > 0).astype(np.int64)
    action_start = running(has_row)
    ends = whole_game.outcome_start[whole_game.action_start]
    outcome_start = np.concatenate([ends[:-1][rows > 0], ends[-1:]])
    happens = ways > 0.0
    kept = running(happens)
    return whole_game._replace(
        action_start=action_start, outcome_start=kept[outcome_start], ways=ways[happens], next=whole_game.next[happens],
        sign=whole_game.sign[happens], payoff=whole_game.payoff[happens],
    )  # fmt: skip


def reached(answers: HiddenAnswers, progress: Progress) -> LiftedChain:
    """The part reached by the strategies of the solution. Ways are products of two probabilities, each a sum and a quotient, and the
    share of chance."""
    game = unfolded_of(answers, progress)
    explored = game.explored
    chain = chain_of(answers, game, [answers.filled(player, answers.weights[player]) for player in range(2)])
    only = np.zeros(explored.num_states, np.int32)
    widest = max(int(side.widths.max(initial=1)) for side in game.form.sides)
    roundings = 2 * (widest + 1) + 3 + int(np.diff(explored.whole().outcome_start).max(initial=1))
    return replace(play_out(explored, (only, only), progress, game=chain), blur=2 * roundings * UNIT)


def in_order_of(answers: HiddenAnswers, game: Any, player: int, weights: Any) -> Any:
    """Weights by the sequences of `game`; where it was solved by public states, its information sets have other numbers there."""
    answers = answers.original
    if not answers.is_by_public_states:
        return weights
    side, sets, found = game.form.sides[player], answers.sets[player], np.zeros(game.form.sides[player].sequences)
    for k, seen in enumerate(game.seen[player].tolist()):
        there = sets.find(game.views.knows[player][seen])
        assert there is not None
        span = sets.sequences(there)
        found[side.first[k] : side.first[k + 1]] = weights[span.start : span.stop]
    return found


def _chances(side: Any, weights: Any) -> np.ndarray:
    """float64[sequences]: the probability of each action in its set."""
    found = np.ones(side.sequences)
    for k in range(side.sets):
        own = weights[int(side.first[k]) : int(side.first[k + 1])]
        total = sum(own)
        found[side.first[k] : side.first[k + 1]] = [w / total if total else 1 / len(own) for w in own]
    return found
