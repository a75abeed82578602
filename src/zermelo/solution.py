"""A solved game, as people hold it: a thin facade above the answers that an engine left behind and the verbs that ask them.

Opening and probing need no engine and no compiler: verbs that do are imported when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.answers.base import Answers, CountsLength, CountsMoves, StoppingLine, Tabled
from zermelo.answers.known import Known, Length
from zermelo.answers.mixed import MixedAnswers
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import Number, digits
from zermelo.basics.progress import Progress, silent
from zermelo.errors import NoStates, OutOfReach, ParameterError
from zermelo.language.rules import Action, State
from zermelo.states.space import Space
from zermelo.uses import files, frames, mixed
from zermelo.uses import probe as probes
from zermelo.uses.legal import check_action
from zermelo.uses.probe import Probe

if TYPE_CHECKING:
    import pandas
    import xarray

    from zermelo.problem.mixtures import Mixtures
    from zermelo.uses.distribution import Distribution
    from zermelo.uses.evaluation import Evaluation, Response
    from zermelo.uses.plays import Simulation
    from zermelo.uses.umb import Exported

Policy = Callable[[State], Action]


class Solution:
    """The solution of a game with states. `value` is what the first payoff is worth to player 0 (to the player to move, with PASS) at the
    start; `answers` is what the engine left behind."""

    def __init__(self, answers: Answers):
        self.answers = answers
        self.rules, self.layout, self.game = answers.rules, answers.layout, answers.rules.game

    @property
    def discount(self) -> float:
        """What comes one step later counts so many times as much."""
        return self.answers.discount

    @property
    def report(self) -> Report:
        """By which engine and method the game was solved, how long that took, and which faster ways could not be taken."""
        return self.answers.report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts, method and times as one dictionary."""
        return self.report.statistics

    def state(self, *numbers: Any, **fields: Any) -> State:
        """A state of the game from its fields, as its class takes them: `solution.state(3, theirs=5)`."""
        try:
            return self.layout.state_class(*numbers, **fields)
        except TypeError:
            names = ", ".join(self.layout.state_class._fields)
            raise ParameterError(f"a state of {self.rules.name} has the fields {names}") from None

    # --- the answer -------------------------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> Known:
        return probes.known_start(self.answers)

    @property
    def is_exact(self) -> bool:
        """Every value is a rational number, proven."""
        return self.answers.is_exact

    @property
    def value(self) -> Number:
        """What the first payoff is worth at the start."""
        return self._start.values[0]

    @property
    def low(self) -> Number:
        """The true value is at least this."""
        return self._start.interval()[0]

    @property
    def high(self) -> Number:
        """The true value is at most this."""
        return self._start.interval()[1]

    @property
    def payoffs(self) -> dict[str, Number]:
        """The expected total of every named payoff at the start."""
        return probes.payoffs_of(self.answers, self._start)

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """An interval that contains the true expectation, for every named payoff at the start."""
        return {name: self._start.interval(j) for j, name in enumerate(self.rules.payoffs)}

    @cached_property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth, and why."""
        low, high = self._start.interval()
        return Certificate("proof" if low == high else "bound", low, high, self.answers.argument)

    @cached_property
    def length(self) -> Length:
        """Mean and variance of the number of moves of a play under optimal play. Raises `OutOfReach`."""
        from zermelo.uses.length import length

        return length(self.answers)

    # --- one state --------------------------------------------------------------------------------------------------

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action of a state, with bounds. Raises `UnreachableState`, `ParameterError`."""
        return probes.probe(self.answers, state)

    def best_action(self, state: State) -> Action:
        """A best action in `state`; None where the play is over or only chance moves. (The likeliest where both choose at once.)"""
        return probes.best_action(self.answers, state)

    @property
    def policy(self) -> Policy:
        """An optimal policy: a function from a state to a best action. Raises `OutOfReach` where both choose at once."""
        self.require_turns("a policy of single actions")
        return self.best_action

    def action_value(self, state: State, action: Action) -> Number:
        """What an action is worth by the values of the next states; 0.1 counts as 1/10 where these are exact.

        Also of an action that `actions` leaves out since others are as good, if the states that it leads to were solved;
        raises `UnreachableState` if not, and `ParameterError` for an action that is not legal.
        """
        return probes.action_value(self.answers, state, action)

    def moves_after(self, state: State, action: Action) -> int | None:
        """Moves to the win or loss under best play if it begins with this action; None for draws, and where they are not counted."""
        check_action(self.answers, state, action)
        return probes.moves_after(self.answers, state, action)

    # --- what the answer has ------------------------------------------------------------------------------------------

    @property
    def has_states(self) -> bool:
        """Whether all states are there, with values and policy, or few enough to be solved again; if not, `probe` answers for each."""
        from zermelo.uses.need import can_be_tabled

        return can_be_tabled(self.answers)

    def _tabled(self, what: str) -> Tabled:
        from zermelo.uses.need import tabled

        return tabled(self.answers, what)

    def require_states(self, what: str) -> None:
        """Raise `OutOfReach` if `what` needs all states and they are not there."""
        self._tabled(what)

    def require_turns(self, what: str) -> None:
        """Raise `OutOfReach` where both players choose at once, so that `what` does not fit."""
        from zermelo.uses.need import check_turns

        check_turns(self.answers, what)

    @property
    def counts_moves(self) -> bool:
        """Whether the solver counted the moves to the end: in games that can only be won, drawn or lost, without chance."""
        return self.answers.lacks(CountsMoves) is None

    def _counting(self) -> Any:
        if not self.counts_moves:
            raise ParameterError(f"{self.rules.name}: its solver counts no moves to the end")
        return self.answers

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """For "won", "lost" and "drawn" (for the player to move; at the end, as `payoff` tells it): pairs (moves to the end,
        positions), shortest first; -1 moves are those of an endless draw. Raises `ParameterError` where moves are not counted.
        """
        found: dict[str, list[tuple[int, int]]] = self._counting().census()
        return found

    def farthest(self) -> State | None:
        """The position from which the player to move wins, but only after the most moves; None if none is won by a move."""
        return self._counting().farthest()

    @property
    def has_stopping_line(self) -> bool:
        """Whether this is an urn that was swept, so that `frontier` tells when to stop."""
        return self.answers.lacks(StoppingLine) is None

    @property
    def frontier(self) -> Any:
        """Of a swept urn: when to stop; `frontier.stops(plus, minus)`, also for arrays, with up to `frontier.known` balls left."""
        why = self.answers.lacks(StoppingLine)
        if why is not None:
            raise OutOfReach(f"the stopping line {why}")
        return self.answers.frontier  # type: ignore[attr-defined]

    # --- all states -------------------------------------------------------------------------------------------------

    @cached_property
    def space(self) -> Any:
        """The states that were solved, in the order in which they sort: `values` and the other arrays go by it.

        Of a board game that is too large for arrays: its positions, by numbers with gaps.
        """
        own = getattr(self.answers, "space", None)
        return self._tabled("`space`").space if own is None or self.has_states else own

    @cached_property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every state, in the order of `space`."""
        table = self._tabled("`values`")
        return table.ordered(table.value[:, 0])

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[states]: how far each of `values` can be from the truth."""
        table = self._tabled("`errors`")
        return table.ordered(table.error[:, 0])

    @cached_property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff, in the order of `space`."""
        table = self._tabled("`payoff_values`")
        return np.asarray(table.ordered(table.value))

    @cached_property
    def action_numbers(self) -> np.ndarray:
        """int32[states]: position of the best action among the state's actions; -1 where the play is over."""
        table = self._tabled("`action_numbers`")
        return table.ordered(table.policy)

    @cached_property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under best play, -1 for endless draws; None where the solver does not count them."""
        table = self._tabled("`distances`")
        return None if table.distance is None else table.ordered(table.distance)

    @property
    def mixtures(self) -> Mixtures:
        """Where both choose at once: both mixtures of every state, in floats, in the engine's order of the states."""
        frames.check_at_once(self.answers, "`mixtures`")
        return frames.mixtures(self._tabled("`mixtures`"))

    def mixtures_at(self, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
        """Where both choose at once: the probabilities of player 0's and of player 1's actions in the state with this index."""
        frames.check_at_once(self.answers, "`mixtures_at`")
        return frames.mixtures_at(self._tabled("`mixtures_at`"), index)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row a state: its fields, the value of every payoff, the error bound, the best action, the distance where known."""
        return frames.to_dataframe(self._tabled("a data frame"))

    def to_xarray(self) -> xarray.Dataset:
        """Values and action numbers as arrays over the fields of a state; NaN and -1 where the box holds no state.

        Raises `OutOfReach` where the states fill less than 1 in 50 of the box that their fields span.
        """
        return frames.to_xarray(self._tabled("an array over the fields"))

    # --- what people do with a solution -------------------------------------------------------------------------------

    def save(self, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. Large board games can be compressed."""
        files.save(self.answers, path, compress, progress)

    def export_umb(self, path: str | Path) -> Exported:
        """Write the game in the interchange format of model checkers, so that others can check the answer (needs the package umbi)."""
        from zermelo.uses.umb import export

        return export(self.answers, path, comment=repr(self))

    def simulate(
        self,
        plays: int,
        seed: int = 0,
        policy: Policy | None = None,
        *,
        opponent: Policy | None = None,
        seat: int = 0,
        progress: Progress = silent,
    ) -> Simulation:
        """Play many times at compiled speed: mean, standard error, distribution of payoff and length.

        Both sides play optimally unless `policy` (for the player in `seat`) or `opponent` is given. The same seed gives the same plays.
        """
        from zermelo.uses.simulate import simulate

        return simulate(self.answers, plays, seed, policy, opponent=opponent, seat=seat, progress=progress)

    def distribution(
        self, payoff: str | None = None, *, tail: float = 1e-12, max_steps: int = 1_000_000, progress: Progress = silent
    ) -> Distribution:
        """The probabilities of every length of a play, or of every total of the named `payoff`, where these are whole numbers.

        Computed, not simulated, under optimal play, until the plays that are still going on have at most the probability `tail`.
        """
        from zermelo.uses.distribution import distribution

        return distribution(self.answers, payoff, tail=tail, max_steps=max_steps, progress=progress)

    def evaluate(
        self, policy: Policy, opponent: Policy | None = None, *, seat: int = 0, progress: Progress = silent
    ) -> Evaluation:
        """The exact value of any policy (a function of the state), its loss against optimal play and its costliest mistakes.

        In a game for two the policy plays in `seat` (0 or 1) against `opponent`, or against optimal play. Where both choose at once
        a policy may answer with probabilities, as a dict. In games in stages that are too large to be stored the policy is compiled with
        the rules (it must be written with `def`, as rules are), and its mistakes are not listed.
        """
        from zermelo.uses.evaluate import evaluate

        return evaluate(self.answers, policy, opponent, seat=seat, progress=progress)

    def best_response(self, opponent: Policy, *, seat: int = 0, progress: Progress = silent) -> Response:
        """The best that the player in `seat` can do against a given policy of the opponent."""
        from zermelo.uses.evaluate import best_response

        return best_response(self.answers, opponent, seat=seat, progress=progress)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        return f"<Solution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}>"


class MixedSolution:
    """The solution of a game of hidden choice: its value, and an optimal mixed strategy for each player (there may be others).

    Everything is rational. With a certificate of kind "bound" the two strategies guarantee `low` and `high`, and `value` is the middle.
    """

    def __init__(self, answers: MixedAnswers):
        self.answers, self.game = answers, answers.game

    @property
    def report(self) -> Report:
        """How the game was solved, and how long that took."""
        return self.answers.report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts and times as one dictionary."""
        return self.report.statistics

    @property
    def row(self) -> Mapping[Any, Fraction]:
        """The probabilities of the row player's strategies that are played at all."""
        return self.answers.row

    @property
    def column(self) -> Mapping[Any, Fraction]:
        """The same of the column player."""
        return self.answers.column

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth, and why."""
        return self.answers.certificate

    @property
    def is_exact(self) -> bool:
        """The value is proven, and not only bounded."""
        return self.certificate.kind == "proof"

    @property
    def value(self) -> Fraction:
        """What the row player gets from the column player on average."""
        return self.answers.value

    @property
    def low(self) -> Fraction:
        """What `row` guarantees to the row player."""
        return self.answers.low

    @property
    def high(self) -> Fraction:
        """What `column` makes the column player pay at most."""
        return self.answers.high

    @property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What the two strategies guarantee, as for games with states."""
        return {"payoff": (self.low, self.high)}

    @property
    def players(self) -> tuple[str, str]:
        """The names of both."""
        return mixed.players(self.game)

    def shown(self, side: int, strategy: Any) -> str:
        """A strategy of the row player (side 0) or of the column player (side 1), for people."""
        return mixed.shown(self.game, side, strategy)

    def paid(self, row: Any, column: Any) -> Fraction:
        """What the row player gets if these two strategies meet."""
        return mixed.paid(self.game, row, column)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and (hasattr(Solution, name) or name in ("rules", "layout", "discount")):
            raise NoStates(f"`{name}` is for games with states: {type(self.game).__name__} is given by best replies and has none")
        raise AttributeError(f"a MixedSolution has no attribute {name!r}", name=name, obj=self)

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage.mixed import save

        if compress:
            raise ParameterError(f"{type(self.game).__name__}: only the tables of large board games are compressed; save it plainly")
        save(self.answers, path)

    def simulate(self, plays: int, seed: int = 0, *, progress: Progress = silent) -> Simulation:
        """Let both draw from their mixtures many times: mean, standard error and distribution of the payoff."""
        from zermelo.uses.simulate_mixtures import simulate

        return simulate(self.answers, plays, seed, progress)

    def __repr__(self) -> str:
        return f"<MixedSolution of {type(self.game).__name__}: value {digits(self.value, self.low, self.high)}>"


def solution_of(answers: Any) -> Any:
    """The facade for an answer."""
    return MixedSolution(answers) if isinstance(answers, MixedAnswers) else Solution(answers)


def open_solution(path: str | Path, game: Any = None, *, verify: bool | None = None) -> Any:
    """Open a stored solution, a `Solution` or (of a game of hidden choice) a `MixedSolution`.

    Its arrays stay on disk and are read as they are needed, and no solver is loaded.
    `game` is needed where the file's game can't be imported by its name. Sums of all data are checked if `verify`, by default up to
    64 MB. Raises `FileError` for a damaged or foreign file, one of another version, or one solved under other rules.
    """
    return solution_of(files.opened(path, game, verify))


__all__ = ["Certificate", "CountsLength", "Length", "MixedSolution", "Probe", "Solution", "Space", "open_solution", "solution_of"]
