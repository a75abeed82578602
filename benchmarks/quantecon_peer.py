"""QuantEcon: the card draw as a DiscreteDP. Its user must enumerate states, actions and transitions; here numpy does it at once."""

from __future__ import annotations

import time

import numpy as np
from contender import Result
from quantecon.markov import DiscreteDP, backward_induction
from scipy.sparse import csr_matrix


def card_draw(n: int) -> Result:
    """Discount 1 is refused except for a finite number of periods: 2n draws, keeping the values of every period."""
    began = time.perf_counter()
    game = enumerated(n)
    built = time.perf_counter()
    values, _ = backward_induction(game, 2 * n)
    seconds = time.perf_counter() - began
    parts = {"build": built - began, "solve": seconds - (built - began)}
    return {"seconds": seconds, "value": float(values[0, -1]), "states": (n + 1) ** 2, "parts": parts}


def enumerated(n: int) -> DiscreteDP:
    """State red * (n + 1) + black; action 0 stops (leads to state 0, which pays nothing), 1 draws."""
    states = np.arange((n + 1) ** 2)
    red, black = states // (n + 1), states % (n + 1)
    drawing = states[1:]
    cards = np.maximum(red + black, 1)[drawing]
    first_draw = len(states)
    rows = np.concatenate([states, first_draw + drawing - 1, first_draw + drawing - 1])
    columns = np.concatenate([0 * states, np.maximum(drawing - n - 1, 0), np.maximum(drawing - 1, 0)])
    chances = np.concatenate([np.ones(len(states)), red[drawing] / cards, black[drawing] / cards])
    pairs = len(states) + len(drawing)
    rewards = np.concatenate([np.zeros(len(states)), (red - black)[drawing] / cards])
    transitions = csr_matrix((chances, (rows, columns)), shape=(pairs, len(states)))
    actions = np.repeat([0, 1], [len(states), len(drawing)])
    return DiscreteDP(rewards, transitions, 1.0, np.concatenate([states, drawing]), actions)
