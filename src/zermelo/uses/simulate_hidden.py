"""Plays of a game whose players do not see everything, drawn from both strategies at compiled speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.answers.hidden import HiddenAnswers
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress
from zermelo.engines.base import Request
from zermelo.problem.transitions import Transitions
from zermelo.uses.hidden import Strategy, check_player, read_strategy
from zermelo.uses.plays import Simulation, play_all
from zermelo.uses.simulate import MAX_LENGTH, ChainPlays


def simulate(
    answers: HiddenAnswers, plays: int, seed: int, strategy: Strategy | None, opponent: Strategy | None, seat: int, progress: Progress
) -> Simulation:
    """Play many times: by the solution, or `strategy` in `seat` against `opponent`. The same seed gives the same plays."""
    plays, seed, player = whole("plays", plays, 1), whole("seed", seed, 0), check_player(answers, seat)
    given = [strategy, opponent] if player == 0 else [opponent, strategy]
    weights = [answers.weights[p] if own is None else read_strategy(answers, own, p) for p, own in enumerate(given)]
    values: dict[str, Number] = {answers.rules.payoffs[0]: answers.value} if given == [None, None] else {}
    game = unfolded_of(answers, progress)
    explored = game.explored
    table = ChainPlays(explored, _chain(game, weights), explored.start, np.arange(explored.num_states), 1.0, MAX_LENGTH)
    return play_all(table, plays, seed, values, progress)


def unfolded_of(answers: HiddenAnswers, progress: Progress) -> Any:
    """The game in sequence form; explored anew where another process solved it."""
    if answers.unfolded is None:
        from zermelo.engines.hidden.solving import unfolded_game

        answers.unfolded = unfolded_game(Request(answers.rules.game, progress=progress))
    return answers.unfolded


def _chain(game: Any, weights: list[Any]) -> Transitions:
    """What happens in all states if both draw their actions."""
    explored, views = game.explored, game.views
    whole_game = explored.whole()
    rows = np.diff(whole_game.action_start)
    owner = np.repeat(np.arange(len(rows)), rows)
    position = np.arange(len(owner)) - whole_game.action_start[owner]
    others = np.ones(len(rows), np.int64)
    if explored.rules.is_simultaneous:
        others = rows // np.maximum(explored.widths(0, len(rows)), 1)
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
    action_start = np.concatenate([[0], np.cumsum(has_row)])
    ends = whole_game.outcome_start[whole_game.action_start]
    outcome_start = np.concatenate([ends[:-1][rows > 0], ends[-1:]])
    return whole_game._replace(action_start=action_start, outcome_start=outcome_start, ways=ways)


def _chances(side: Any, weights: Any) -> np.ndarray:
    """float64[sequences]: the probability of each action in its set."""
    found = np.ones(side.sequences)
    for k in range(side.sets):
        own = weights[int(side.first[k]) : int(side.first[k + 1])]
        total = sum(own)
        found[side.first[k] : side.first[k + 1]] = [w / total if total else 1 / len(own) for w in own]
    return found
