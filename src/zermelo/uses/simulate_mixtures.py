"""Drawing from two mixed strategies many times: the optimal ones, or a user's."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.errors import OutOfReach
from zermelo.kernels.status import LARGEST
from zermelo.matrix.verbs import Mixture, check_seat
from zermelo.uses.mixed import name, paid
from zermelo.uses.plays import MOST_PLAYS, Simulation, play_all

BLOCK = 1024  # plays that share a generator


def simulate(
    answers: MixedAnswers,
    plays: int,
    seed: int,
    policy: Any = None,
    opponent: Any = None,
    seat: int = 0,
    progress: Progress = silent,
    cluster: str | None = None,
) -> Simulation:
    """Play many times: with the optimal mixtures, or with `policy`, a strategy of the player in `seat`, and `opponent`, one of the
    other. The same seed gives the same result. Raises `ParameterError`."""
    whole("plays", plays, 1, MOST_PLAYS)
    whole("seed", seed, 0)
    sides: tuple[Mixture, Mixture] = (answers.row, answers.column)
    values: dict[str, Number] = {"payoff": answers.value}
    check_seat(seat)
    if policy is not None or opponent is not None:
        from zermelo.uses.mixed_verbs import average, chosen  # only here: it brings the solver

        sides, values = chosen(answers, policy, opponent, seat), {}
        average(answers, *sides)  # raises for anything that is not a strategy
    return play_all(_Draws(answers.game, *sides), plays, seed, values, progress, cluster)


class _Draws:
    """Both mixtures and all payoffs, prepared for drawing."""

    names: tuple[str, ...] = ("payoff",)
    block = BLOCK

    def __init__(self, game: Any, rows: Mixture, columns: Mixture):
        payoffs = [[paid(game, row, column) for column in columns] for row in rows]
        if max(abs(payoff) for row in payoffs for payoff in row) > LARGEST:
            raise OutOfReach(f"{name(game)}: plays are added up in floats, and payoffs of them are at most 1e100; distribution() is exact")
        self.payoff = np.array(payoffs, float)
        self.is_whole = bool((self.payoff == np.rint(self.payoff)).all())
        self.laws = [np.cumsum([float(p) for p in mixture.values()]) for mixture in (rows, columns)]

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (both choose once), that none cycles bool[plays]."""
        totals = np.empty((plays, 1))
        for begin in range(0, plays, BLOCK):
            end = min(begin + BLOCK, plays)
            dice = np.random.default_rng([*map(int, seed), first_block + begin // BLOCK])
            drawn: list[Any] = [
                np.minimum(np.searchsorted(law, dice.random(end - begin) * law[-1], side="right"), law.size - 1)
                for law in self.laws
            ]
            totals[begin:end, 0] = self.payoff[drawn[0], drawn[1]]
        return totals, np.ones(plays, np.int64), np.zeros(plays, np.bool_)
