"""Plays of a game whose players do not see everything, drawn from both strategies at compiled speed."""

from __future__ import annotations

import numpy as np

from zermelo.answers.hidden import HiddenAnswers
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress
from zermelo.uses.chain_hidden import chain_of, unfolded_of
from zermelo.uses.hidden import Strategy, check_player, read_strategy
from zermelo.uses.plays import MOST_PLAYS, Simulation, play_all
from zermelo.uses.simulate import MAX_LENGTH, ChainPlays


def simulate(
    answers: HiddenAnswers, plays: int, seed: int, strategy: Strategy | None, opponent: Strategy | None, seat: int, progress: Progress,
    cluster: str | None = None,
) -> Simulation:
    """Play many times: by the solution, or `strategy` in `seat` against `opponent`. The same seed gives the same plays."""
    plays, seed, player = whole("plays", plays, 1, MOST_PLAYS), whole("seed", seed, 0), check_player(answers, seat)
    given = [strategy, opponent] if player == 0 else [opponent, strategy]
    weights = [answers.weights[p] if own is None else read_strategy(answers, own, p) for p, own in enumerate(given)]
    values: dict[str, Number] = {answers.rules.payoffs[0]: answers.value} if given == [None, None] else {}
    weights = [answers.filled(p, own) for p, own in enumerate(weights)]
    game = unfolded_of(answers, progress)
    explored = game.explored
    table = ChainPlays(explored, chain_of(answers, game, weights), explored.start, np.arange(explored.num_states), 1.0, MAX_LENGTH)
    return play_all(table, plays, seed, values, progress, cluster)
