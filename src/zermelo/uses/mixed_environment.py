"""A solved matrix game for environments: both seats choose once, at the same time, without seeing anything first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.engines.replies.restricted import RestrictedGame
from zermelo.engines.replies.solving import members
from zermelo.matrix import verbs
from zermelo.matrix.plain import Matrix
from zermelo.uses import mixed, mixed_verbs
from zermelo.uses.environment import Played, draw_one, listed, nothing_more, turned
from zermelo.uses.mixed_verbs import MEMBERS, payoff_of, policy

Strategies = tuple[Any, ...]
Before = tuple[()]  # the point of play before both have chosen


class Met(NamedTuple):
    """The strategies that have been played."""

    row: Any
    column: Any


class MatrixTable(Played):
    """A solved matrix game. A seat observes one number: 0 before both have chosen, 1 after."""

    def __init__(self, answers: MixedAnswers, strategies: tuple[Strategies, Strategies]):
        super().__init__(mixed.name(answers.game), True, strategies)
        self.answers = answers

    def ends_of(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(1, np.int64), np.ones(1, np.int64)

    def begin(self, random: np.random.Generator) -> tuple[float, Met | Before]:
        return 0.0, ()

    def is_over(self, at: Met | Before) -> bool:
        return at != ()

    def choosers(self, at: Met | Before) -> tuple[int, ...]:
        return (0, 1) if at == () else ()

    def observed(self, at: Met | Before, seat: int) -> np.ndarray:
        return np.array([at != ()], np.int64)

    def everything(self, at: Met | Before) -> np.ndarray:
        return self.observed(at, 0)

    def legal(self, at: Met | Before, seat: int) -> Strategies:
        return self.actions_of[seat] if at == () else ()

    def choice(self, at: Met | Before, seat: int, action: Any) -> str:
        return mixed.shown(self.answers.game, seat, action)

    def shown(self, at: Met | Before) -> str:
        if at == ():
            return "both choose"
        game, names = self.answers.game, mixed.players(self.answers.game)
        played = [f"{who}: {mixed.shown(game, seat, at[seat])}" for seat, who in enumerate(names)]
        return "\n".join([*played, f"{names[0]} gets {payoff_of(self.answers, *at)}"])

    def answer(self, at: Met | Before, seat: int, strategy: Any, random: np.random.Generator) -> Any:
        mixture = mixed_verbs.chosen(self.answers, strategy, None, seat)[seat]
        return list(mixture)[draw_one(list(mixture.values()), random)]

    def moved(self, at: Met | Before, chosen: Mapping[int, Any], random: np.random.Generator) -> tuple[float, Met]:
        met = Met(chosen[0], chosen[1])
        return float(payoff_of(self.answers, *met)), met

    def facts(self, at: Met | Before, seat: int) -> dict[str, Any]:
        """The value, the seat's optimal mixture, and for each strategy how much less than a best response it gets against the other's;
        where the value is proven, also in fractions."""
        told: dict[str, Any] = {"action_mask": self.mask(at, seat)}
        if at != ():
            return told | nothing_more(self.answers.is_exact)
        return told | self.remembered(seat, lambda: self._known(seat))

    def _known(self, seat: int) -> dict[str, Any]:
        answers, better = self.answers, (1, -1)[seat]
        pays = lambda row, column: payoff_of(answers, row, column)  # noqa: E731
        other, own = policy(answers, 1 - seat), policy(answers, seat)
        best = better * (answers.high if seat == 0 else answers.low)  # the payoff of a best response to the other's mixture
        less = tuple(best - better * verbs.against(pays, seat, action, other) for action in self.actions_of[seat])
        mixture = tuple(own.get(action, Fraction(0)) for action in self.actions_of[seat])
        told: dict[str, Any] = {
            "value": float(better * answers.value),
            "value_bounds": turned(answers.low, answers.high, better),
            "regret": np.array(less, float),
            "regret_bounds": np.array([turned(x, x, 1) for x in less]),
            "mixture": np.array(mixture, float),
        }
        if answers.is_exact:
            told |= {"exact_value": better * answers.value, "exact_regret": less, "exact_mixture": mixture}
        return told


def table(
    answers: MixedAnswers, rows: Iterable[Any] | None, columns: Iterable[Any] | None, opponent: Any = None, seat: int = 0
) -> MatrixTable:
    """The game with the strategies that each seat can choose from. Raises `ParameterError` for anything among them, or of a seat's
    opponent, that is not a strategy."""
    if opponent is not None:
        mixed_verbs.average(answers, *mixed_verbs.chosen(answers, None, opponent, seat))
    strategies = tuple(_strategies(answers, side, given) for side, given in enumerate((rows, columns)))
    return MatrixTable(answers, (strategies[0], strategies[1]))


def _strategies(answers: MixedAnswers, seat: int, given: Iterable[Any] | None) -> Strategies:
    """The given strategies; by default all that the game lists or, if it lists none, those that optimal play chooses."""
    game = answers.game
    if given is not None:
        found = listed(given, "an environment", ("rows", "columns")[seat])
        for strategy in found:
            payoff_of(answers, *((strategy, _any(answers, 1)) if seat == 0 else (_any(answers, 0), strategy)))
        return found
    if isinstance(game, Matrix):
        return tuple((game.rows(), game.columns())[seat])
    known = RestrictedGame(game)
    if known.asks_for(seat):
        return tuple(policy(answers, seat))
    return tuple(dict.fromkeys(m for s in known.strategies(seat) for m in members(game, MEMBERS[seat], s)))


def _any(answers: MixedAnswers, seat: int) -> Any:
    return next(iter(policy(answers, seat)))
