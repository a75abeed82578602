"""A solved game whose players do not see everything, as users hold it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.answers.hidden import HiddenAnswers
from zermelo.basics.numbers import Number, digits
from zermelo.basics.progress import Progress, silent
from zermelo.language.rules import Action
from zermelo.solution.base import OfStrategies
from zermelo.uses import hidden

if TYPE_CHECKING:
    import pandas

    from zermelo.uses.hidden import HiddenEvaluation, HiddenProbe, HiddenResponse, Strategy
    from zermelo.uses.plays import Simulation


class HiddenSolution(OfStrategies[Number]):
    """The solution of a game whose players do not see everything: its value, and what both should do in every information set (there may
    be other ways that are as good).

    Player 0 maximises; all values are his. An information set is told by the numbers that its player sees there, as a tuple. A
    strategy is a function of these numbers, or a dict of them, and gives an action or a dict of actions and probabilities. With a
    certificate of kind "bound" the strategies guarantee `low` and `high`, and `value` is the middle.
    """

    answers: HiddenAnswers

    def __init__(self, answers: HiddenAnswers):
        self.answers, self.rules, self.layout, self.game = answers, answers.rules, answers.layout, answers.rules.game

    @property
    def _payoff(self) -> str:
        return str(self.rules.payoffs[0])

    def policy(self, seat: int = 0) -> dict[tuple[int, ...], dict[Action, Number]]:
        """What a player does: by the numbers that he sees, the probability of every action."""
        return hidden.policy(self.answers, seat)

    def probe(self, where: Any, seat: int | None = None) -> HiddenProbe:
        """The information set of whoever moves in a state, or of a player who sees these numbers: probabilities and values of the actions,
        and how probable it is that play gets there. Raises `UnreachableState`, `ParameterError`."""
        return hidden.probe(self.answers, where, seat)

    def evaluate(self, strategy: Strategy, opponent: Strategy | None = None, *, seat: int = 0) -> HiddenEvaluation:
        """What a strategy of the player in `seat` guarantees: its value against a best response, its loss, and its costliest mistakes
        against the optimal strategy of the other player. With `opponent`, its value against that one. Raises `ParameterError`."""
        return hidden.evaluate(self.answers, strategy, opponent, seat)

    def best_response(self, opponent: Strategy, *, seat: int = 0) -> HiddenResponse:
        """The best that the player in `seat` can do against a strategy of the other one. Raises `ParameterError`."""
        return hidden.best_response(self.answers, opponent, seat)

    def simulate(
        self,
        plays: int,
        seed: int = 0,
        policy: Strategy | None = None,
        *,
        opponent: Strategy | None = None,
        seat: int = 0,
        progress: Progress = silent,
    ) -> Simulation:
        """Play many times at compiled speed, by the solution unless `policy` (for the player in `seat`) or `opponent` is given: mean,
        standard error, distribution of payoff and length. The same seed gives the same plays."""
        from zermelo.uses.simulate_hidden import simulate

        return simulate(self.answers, plays, seed, policy, opponent, seat, progress)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row an action of an information set: whose, what he sees, its probability and value, and how probable it is to get there."""
        return hidden.to_dataframe(self.answers)

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage.file import refuse_packing
        from zermelo.storage.hidden import save

        refuse_packing(self.rules.name, compress)
        save(self.answers, path)

    def __getattr__(self, name: str) -> Any:
        raise hidden.no_attribute(name)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        return f"<HiddenSolution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}>"
