"""Whether play ends where both choose at once: the game that remains for player 0 when player 1 keeps to a mixture, and the game in
which player 1 sees player 0's choice. In both, players move in turn, and the graph of the transitions decides (until.py)."""

from __future__ import annotations

import numpy as np

from zermelo.basics.runs import running
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.transitions import Transitions


def against(game: Transitions, widths: np.ndarray, mixtures: Mixtures) -> Transitions:
    """All states, player 1 keeping to its mixture: a row for each action of player 0, with all its outcomes. Weights are not
    scaled: it only matters that they are above 0. `widths`: the number of player 0's actions in each state."""
    own, first = _rows_of_player_0(game, widths)
    pairs = np.diff(game.action_start)
    others = pairs // np.maximum(widths, 1)
    state = np.repeat(np.arange(pairs.size), pairs)
    place = np.arange(state.size) - game.action_start[state]
    played = mixtures.other[mixtures.other_start[state] + place % np.maximum(others[state], 1)] > 0.0
    happens = np.repeat(played, np.diff(game.outcome_start))
    return game._replace(action_start=own, outcome_start=game.outcome_start[first], ways=game.ways * happens)


def seen(game: Transitions, widths: np.ndarray) -> Transitions:
    """All states, and one more for each action of player 0, where player 1 chooses: the states come first, in their order."""
    own, first = _rows_of_player_0(game, widths)
    count, states = first.size - 1, game.high - game.low
    return Transitions(
        0,
        states + count,
        np.concatenate([own, count + first[1:]]),
        np.concatenate([np.arange(count), count + game.outcome_start]),
        np.concatenate([np.ones(count), game.ways]),
        np.concatenate([states + np.arange(count), game.next]),
        np.concatenate([np.ones(count, np.int8), game.sign]),
        np.concatenate([np.zeros((count, game.payoff.shape[1])), game.payoff]),
        np.concatenate([game.final_payoff, np.zeros((count, game.payoff.shape[1]))]),
        np.concatenate([np.zeros(states, np.int8), np.ones(count, np.int8)]),
    )


def _rows_of_player_0(game: Transitions, widths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int64[states + 1]: where the actions of player 0 begin in each state; int64[actions + 1]: where the pairs with each begin."""
    pairs = np.diff(game.action_start)
    others = pairs // np.maximum(widths, 1)
    own = running(widths.astype(np.int64))
    return own, running(np.repeat(others, widths))
