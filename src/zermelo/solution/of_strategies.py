"""A solved matrix game, as users hold it: given by best responses, or by its matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.answers.known import Length
from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import digits
from zermelo.basics.progress import Progress, silent
from zermelo.matrix.plain import Matrix
from zermelo.matrix.verbs import check_seat
from zermelo.solution.base import OfStrategies
from zermelo.uses import mixed

if TYPE_CHECKING:
    import pandas

    from zermelo.matrix.verbs import ExactDistribution, MixedEvaluation, MixedResponse
    from zermelo.uses.gymnasium import ZermeloEnv
    from zermelo.uses.pettingzoo import ZermeloParallel
    from zermelo.uses.plays import Simulation


class MixedSolution(OfStrategies[Fraction]):
    """The solution of a matrix game given by best responses: its value, and an optimal mixed strategy for each player (there may be
    others).

    All numbers are rational. The row player, seat 0, maximises; the column player is seat 1. All values are what the row player gets. With
    a certificate of kind "bound" the mixed strategies guarantee `low` and `high`, and `value` is the midpoint. A mixed strategy is a dict
    from strategies to probabilities. Methods that make sense only with states raise `NoStates`, which says what to use instead.
    """

    answers: MixedAnswers

    def __init__(self, answers: MixedAnswers):
        self.answers, self.game = answers, answers.game

    @property
    def row(self) -> Mapping[Any, Fraction]:
        """The row player's mixed strategy: probabilities by strategy, zeros omitted."""
        return dict(self.answers.row)

    @property
    def column(self) -> Mapping[Any, Fraction]:
        """The column player's mixed strategy: probabilities by strategy, zeros omitted."""
        return dict(self.answers.column)

    @property
    def length(self) -> Length:
        """Mean and variance of the number of moves: both choose once, which counts as one move."""
        from zermelo.uses.mixed_verbs import ONE_MOVE

        return ONE_MOVE

    def policy(self, seat: int = 0) -> Mapping[Any, Fraction]:
        """The optimal mixture of the player in `seat`: a dict from the strategies that are played to their probabilities, Fractions.
        (Without states a policy depends only on the seat.) Raises `ParameterError`."""
        from zermelo.uses.mixed_verbs import policy

        return policy(self.answers, seat)

    def evaluate(self, strategy: Any, opponent: Any = None, *, seat: int = 0) -> MixedEvaluation:
        """The exact guarantee of a strategy of the player in `seat`, pure or mixed: its value against a best response, and its loss.

        With `opponent`, a strategy of the other player, its value against that strategy. Raises `ParameterError`; `OutOfReach` for mixtures
        for which the game's own method of best responses cannot be used.
        """
        from zermelo.uses.mixed_verbs import evaluate

        return evaluate(self.answers, strategy, opponent, seat)

    def best_response(self, opponent: Any, *, seat: int = 0) -> MixedResponse:
        """An exact best response of the player in `seat` to a strategy of the other player, pure or mixed. Raises the same errors as
        `evaluate`."""
        from zermelo.uses.mixed_verbs import best_response

        return best_response(self.answers, opponent, seat)

    def distribution(self, payoff: str | None = None) -> ExactDistribution:
        """The probabilities of all payoffs if both draw from their optimal mixtures, as rational numbers. There is one `payoff`, "payoff",
        and lengths have no distribution, as every play is one move long. Raises `ParameterError`."""
        from zermelo.uses.mixed_verbs import distribution

        return distribution(self.answers, payoff)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per strategy that is played (for a matrix: per strategy): the player, its probability, and what the row player
        gets against the other player's mixture."""
        from zermelo.uses.mixed_verbs import to_dataframe

        return to_dataframe(self.answers)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return mixed.players(self.game)

    def shown(self, side: int, strategy: Any) -> str:
        """A strategy of the row player (side 0) or of the column player (side 1) as text. Raises `ParameterError`."""
        return mixed.shown(self.game, check_seat(side), strategy)

    def paid(self, row: Any, column: Any) -> Fraction:
        """The payoff to the row player if these two pure strategies meet. Raises `ParameterError` for anything that is not a strategy."""
        from zermelo.uses.mixed_verbs import payoff_of

        return payoff_of(self.answers, row, column)

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage import mixed as storage

        self._save(storage.save, path, compress)

    def _save(self, save: Callable[[MixedAnswers, str | Path], None], path: str | Path, compress: bool) -> None:
        from zermelo.storage.file import refuse_packing

        refuse_packing(mixed.name(self.game), compress)
        save(self.answers, path)

    def export_certificate(self, path: str | Path, progress: Progress = silent) -> None:
        """Write both mixtures and what they guarantee to a file that `zermelo.verify` checks (docs/certificates.md)."""
        from zermelo.uses.certificate import export

        export(self.answers, path, progress)

    def simulate(
        self,
        plays: int,
        seed: int = 0,
        policy: Any = None,
        *,
        opponent: Any = None,
        seat: int = 0,
        cluster: str | None = None,
        progress: Progress = silent,
    ) -> Simulation:
        """Let both players draw strategies many times: mean, standard error and distribution of what the row player gets.

        Both draw from their optimal mixtures unless `policy`, a pure or mixed strategy of the player in `seat`, or `opponent`, one of the
        other player, is given. The same seed gives the same plays, also on a `cluster` (docs/cluster.md): "local", "auto" or HOST:PORT.
        Raises `ParameterError`.
        """
        from zermelo.uses.simulate_mixtures import simulate

        return simulate(self.answers, plays, seed, policy, opponent, seat, progress, cluster)

    # --- in other people's programs -----------------------------------------------------------------------------------

    def to_gymnasium(
        self,
        seat: int = 0,
        *,
        opponent: Any = None,
        rows: Iterable[Any] | None = None,
        columns: Iterable[Any] | None = None,
        render_mode: str | None = None,
    ) -> ZermeloEnv:
        """The game as a one-step environment of Gymnasium, in which an agent sits in `seat`. The other player draws from its optimal
        mixture, or from `opponent`, a pure or mixed strategy.

        rows, columns  the strategies that can be chosen, in the order of their numbers; by default all that the game lists, or, for a
                       player for whom the game finds best responses, those of the optimal mixture
        render_mode    None, or "ansi" for the strategies played, as text

        The observation is 0, and 1 when the play is over; the reward is what the seat is paid. `info` has "value" with "value_bounds";
        "mixture", the seat's optimal mixture; and by strategy "regret" with "regret_bounds": how much less it gets than a best response
        against the other player's optimal mixture. If the value is proven `info` also has "exact_value", "exact_regret" and "exact_mixture"
        in fractions. Raises `OutOfReach` if gymnasium is missing, and `ParameterError`.
        """
        from zermelo.uses import gymnasium, mixed_environment

        gymnasium.check_options("stay", render_mode)
        table = mixed_environment.table(self.answers, rows, columns, opponent, check_seat(seat))
        return gymnasium.ZermeloEnv(table, seat, opponent, "stay", render_mode)

    def to_pettingzoo(
        self, *, rows: Iterable[Any] | None = None, columns: Iterable[Any] | None = None, render_mode: str | None = None
    ) -> ZermeloParallel:
        """The game as a one-step environment of PettingZoo, in which the agents "player_0", the row player, and "player_1" choose at
        the same time (parallel). Observations are dicts of "observation" and "action_mask". These, `infos` and the options are those of
        `to_gymnasium`. Raises `OutOfReach` if pettingzoo is missing, and `ParameterError`."""
        from zermelo.uses import mixed_environment, pettingzoo

        pettingzoo.check_mode(render_mode)
        return pettingzoo.ZermeloParallel(mixed_environment.table(self.answers, rows, columns), render_mode)

    def __getattr__(self, name: str) -> Any:
        from zermelo.matrix.verbs import no_attribute

        raise no_attribute(type(self).__name__, name)

    def __repr__(self) -> str:
        return f"<MixedSolution of {mixed.name(self.game)}: value {digits(self.value, self.low, self.high)}{mixed.whose(self.game)}>"


class MatrixSolution(MixedSolution):
    """The solution of one matrix: its value and an optimal mixed strategy for each player (there may be others), all exact.

    Strategies are numbers of rows and columns, from 0; seat 0 is the row player, who maximises, seat 1 the column player. Verbs take a
    strategy as its number, as a dict of probabilities, or as a list of all probabilities. Iterating yields value, row, column and
    certificate.
    """

    @property
    def payoff(self) -> tuple[tuple[int | Fraction, ...], ...]:
        """The payoffs to the row player by row and column, as rationals."""
        matrix: Matrix = self.game
        return matrix.payoffs

    @property
    def row(self) -> tuple[Fraction, ...]:  # type: ignore[override]  # all rows, by number
        """Fraction[rows]: the probability of each row in the row player's optimal mixture."""
        return tuple(self.answers.row.get(i, Fraction(0)) for i in self.game.rows())

    @property
    def column(self) -> tuple[Fraction, ...]:  # type: ignore[override]  # all columns, by number
        """Fraction[columns]: the probability of each column in the column player's optimal mixture."""
        return tuple(self.answers.column.get(j, Fraction(0)) for j in self.game.columns())

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the matrix and its solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage import matrix as storage

        self._save(storage.save, path, compress)

    def _parts(self) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...], Certificate]:
        return self.value, self.row, self.column, self.certificate

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parts())

    def __len__(self) -> int:
        return len(self._parts())

    def __getitem__(self, k: Any) -> Any:
        return self._parts()[k]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatrixSolution) and (self.payoff, *self._parts()) == (other.payoff, *other._parts())

    def __hash__(self) -> int:
        return hash((self.payoff, *self._parts()))

    def __repr__(self) -> str:
        return f"<MatrixSolution of {self.game}: value {digits(self.value, self.low, self.high)}{mixed.whose(self.game)}>"
