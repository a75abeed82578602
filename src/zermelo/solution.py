"""A solved game, as users hold it: a thin facade above the answer of an engine and the verbs that use it.

Opening and probing need no engine and no compiler: verbs that do are imported when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers, CountsMoves, StoppingLine, Tabled
from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.hidden import HiddenAnswers
from zermelo.answers.known import Length, StateFacts
from zermelo.answers.mixed import MixedAnswers
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import Number, digits
from zermelo.basics.progress import Progress, silent
from zermelo.errors import ParameterError
from zermelo.language.rules import Action, State
from zermelo.states.space import Space
from zermelo.uses import files, frames, hidden, mixed
from zermelo.uses import probe as probes
from zermelo.uses.legal import check_action
from zermelo.uses.need import can_be_tabled, check_turns, tabled
from zermelo.uses.probe import Probe
from zermelo.uses.units import Chance, percent, winning

if TYPE_CHECKING:
    import pandas
    import xarray

    from zermelo.matrix.verbs import ExactDistribution, MixedEvaluation, MixedResponse
    from zermelo.problem.mixtures import Mixtures
    from zermelo.uses.evaluation import Evaluation, Response
    from zermelo.uses.hidden import HiddenEvaluation, HiddenProbe, HiddenResponse, Strategy
    from zermelo.uses.plays import Simulation
    from zermelo.uses.probabilities import Distribution
    from zermelo.uses.umb import Exported

Policy = Callable[[State], Action]


class Solution:
    """The solution of a game with states.

    Values are expected totals of a payoff from a state on, when everybody plays optimally, in the unit of the rules' payoffs. Player 0
    maximises the first payoff and player 1 minimises it; with PASS whoever moves maximises, and values are those of the player to move.
    A method that an answer cannot serve raises `OutOfReach` with the reason. `answers` is what the engine left behind.
    """

    has_rules = True  # the game is given by rules with states (False: by strategies and best responses, `MixedSolution`)

    def __init__(self, answers: Answers):
        self.answers = answers
        self.rules, self.layout, self.game = answers.rules, answers.layout, answers.rules.game

    @property
    def discount(self) -> float:
        """The factor by which what comes one move later counts less; 1.0 without discounting."""
        return self.answers.discount

    @property
    def report(self) -> Report:
        """By which engine and method the game was solved, how long that took, and which faster ways were not possible."""
        return self.answers.report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts, method and times in one dictionary; for its keys see docs/glossary.md."""
        return self.report.statistics

    def state(self, *numbers: Any, **fields: Any) -> State:
        """A state of the game from its fields: `solution.state(3, theirs=5)`. Raises `ParameterError` for other fields."""
        try:
            return self.layout.state_class(*numbers, **fields)
        except TypeError:
            names = ", ".join(self.layout.state_class._fields)
            raise ParameterError(f"a state of {self.rules.name} has the fields {names}") from None

    # --- the answer -------------------------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> StateFacts:
        return probes.known_start(self.answers)

    @property
    def is_exact(self) -> bool:
        """Whether every value is a rational number that is proven to be the true one. (After an urn sweep: whether the start's is; other
        values are floats with bounds.)"""
        return self.answers.is_exact

    @property
    def value(self) -> Number:
        """The value of the start: the expected total of the first payoff. A Fraction if `is_exact`, else a float."""
        return self._start.values[0]

    @property
    def low(self) -> Number:
        """The true value of the start is at least this."""
        return self._start.interval()[0]

    @property
    def high(self) -> Number:
        """The true value of the start is at most this."""
        return self._start.interval()[1]

    @property
    def payoffs(self) -> dict[str, Number]:
        """The expected total of every named payoff from the start on, by name."""
        return probes.payoffs_of(self.answers, self._start)

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """For every named payoff an interval (low, high) that contains its true expected total from the start on."""
        return {name: self._start.interval(j) for j, name in enumerate(self.rules.payoffs)}

    @cached_property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth: kind ("proof" or "bound"; "sample" if not all was checked), interval and argument."""
        return self.report.certificate(*self._start.interval(), self.answers.argument)

    @cached_property
    def length(self) -> Length:
        """Mean and variance of the number of moves from the start to the end when everybody plays optimally. Raises `OutOfReach`."""
        from zermelo.uses.length import length

        return length(self.answers)

    # --- one state --------------------------------------------------------------------------------------------------

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action of a state, with bounds. Raises `UnreachableState`, `ParameterError`."""
        return probes.probe(self.answers, state)

    def win_probability(self, state: State | None = None) -> Chance | None:
        """The chance of winning from a state (by default the start) on, with an interval that contains the true one: of the player to move
        with PASS, else of player 0. None where the game has no `win_probability(self, value)` to say it, or is discounted.
        """
        unit = winning(self.answers)
        if unit is None:
            return None
        known = self._start if state is None else self.answers.known(state)
        return unit.of(known.values[0], *known.interval())

    def best_action(self, state: State) -> Action:
        """A best action of the player to move; None in final states and where only chance moves. With simultaneous moves it is the action
        of player 0 that optimal play chooses most often."""
        return probes.best_action(self.answers, state)

    @property
    def policy(self) -> Policy:
        """An optimal policy: a function from a state to a best action. Raises `OutOfReach` in games with simultaneous moves."""
        self.require_turns("a policy of single actions")
        return self.best_action

    def action_value(self, state: State, action: Action) -> Number:
        """The value of an action: its mean payoff plus the mean value of the next states. If these are exact, so is it (0.1 counts as
        1/10).

        The action may also be one that `actions` leaves out because others are as good, provided that the states to which it leads were
        solved. Raises `UnreachableState` if they were not, and `ParameterError` for an action that is not legal.
        """
        return probes.action_value(self.answers, state, action)

    def moves_after(self, state: State, action: Action) -> int | None:
        """The distance to the win or loss if play begins with this action and is optimal from then on; None for draws, and where distances
        are not known."""
        check_action(self.answers, state, action)
        return probes.moves_after(self.answers, state, action)

    # --- what the answer has ------------------------------------------------------------------------------------------

    @property
    def has_states(self) -> bool:
        """Whether arrays of all states can be had: all states are stored, or few enough to be solved again. `probe` works in any case."""
        return can_be_tabled(self.answers)

    def _tabled(self, what: str) -> Tabled:
        return tabled(self.answers, what)

    def require_states(self, what: str) -> None:
        """Raise `OutOfReach` if arrays of all states, which `what` needs, cannot be had. `what` names the subject of the message."""
        self._tabled(what)

    def require_turns(self, what: str) -> None:
        """Raise `OutOfReach` if the game has simultaneous moves, for which `what` is not defined."""
        check_turns(self.answers, what)

    @property
    def counts_moves(self) -> bool:
        """Whether distances are known: in games without chance that are won, drawn or lost."""
        return self.answers.lacks(CountsMoves) is None

    def _counting(self) -> Any:
        if not self.counts_moves:
            if not self.has_states:
                self.require_states("counting positions")
            raise ParameterError(f"{self.rules.name}: its solver counts no moves to the end")
        return self.answers

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """How many positions are "won", "lost" and "drawn" for the player to move: for each word pairs (moves to the end, number of
        positions), shortest first, with -1 moves for draws by infinite play. Final positions count as their `payoff` says.
        Raises `ParameterError` where distances are not known.
        """
        found: dict[str, list[tuple[int, int]]] = self._counting().census()
        return found

    def farthest(self) -> State | None:
        """The position with the longest win of player 0 (with PASS and on boards: of the player to move); None if no position that is not
        final is won. Raises `ParameterError` where distances are not known."""
        return self._counting().farthest()

    @property
    def has_stopping_line(self) -> bool:
        """Whether the stopping line is known (`frontier`): the game was solved by the urn sweep."""
        return self.answers.lacks(StoppingLine) is None

    @property
    def frontier(self) -> Any:
        """The stopping line of an urn: `frontier.stops(plus, minus)` is whether the player stops with so many +1 and -1 balls left
        (numbers or arrays), for up to `frontier.known` balls. Raises `OutOfReach`."""
        from zermelo.uses.stopping import frontier

        return frontier(self.answers)

    # --- all states -------------------------------------------------------------------------------------------------

    @cached_property
    def space(self) -> Any:
        """The states that were solved, sorted: `space.rank(state)` is the index of a state, `space.unrank(index)` the state with an index;
        `values` and the other arrays have the same indices. Of a board game that is too large for arrays: the positions that can be
        reached, with gaps between their indices."""
        own = getattr(self.answers, "space", None)
        return self._tabled("`space`").space if own is None or self.has_states else own

    @cached_property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every state, in the order of `space`."""
        table = self._tabled("`values`")
        return table.ordered(table.value[:, 0])

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[states]: |value - true value| is at most this, in the order of `space`."""
        table = self._tabled("`errors`")
        return table.ordered(table.error[:, 0])

    @cached_property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff, in the order of `space`."""
        table = self._tabled("`payoff_values`")
        return np.asarray(table.ordered(table.value))

    @cached_property
    def action_numbers(self) -> np.ndarray:
        """int32[states]: the position of a best action among the state's actions, in the order of `space`; -1 in final states."""
        table = self._tabled("`action_numbers`")
        return table.ordered(table.policy)

    @cached_property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under optimal play, in the order of `space`, -1 for draws by infinite play; None where distances
        are not known."""
        table = self._tabled("`distances`")
        return None if table.distance is None else table.ordered(table.distance)

    @property
    def mixtures(self) -> Mixtures:
        """With simultaneous moves: the mixed strategies of both players in all states, in floats, by the engine's numbers of the states.
        Raises `OutOfReach` in other games."""
        frames.check_at_once(self.answers, "`mixtures`")
        return frames.mixtures(self._tabled("`mixtures`"))

    def mixtures_at(self, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
        """With simultaneous moves: the probabilities of player 0's and of player 1's actions in the state with this index in `space`."""
        frames.check_at_once(self.answers, "`mixtures_at`")
        return frames.mixtures_at(self._tabled("`mixtures_at`"), index)

    def to_dataframe(self, states: Iterable[State] | None = None) -> pandas.DataFrame:
        """A row for each state: its fields, the value of every payoff, the chance of winning where the game declares it, the error of the
        value, a best action, and the distance where it is known.

        The rows are all states, or only the given `states` in their order; these work for every solution, even if its states are too many
        to be stored. Values are floats. Raises `OutOfReach`, `UnreachableState`, `ParameterError`.
        """
        answers = self._tabled("a data frame without `states`") if states is None else self.answers
        return frames.to_dataframe(answers, states)

    def to_xarray(self) -> xarray.Dataset:
        """Values and action numbers as arrays over the fields of a state, with NaN and -1 where there is no such state.

        Raises `OutOfReach` where the states fill less than 1 in 50 of the box that their fields span.
        """
        return frames.to_xarray(self._tabled("an array over the fields"))

    # --- what people do with a solution -------------------------------------------------------------------------------

    def save(self, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. `compress` makes files of large board games smaller.
        Raises `FileError`."""
        files.save(self.answers, path, compress, progress)

    def export_umb(self, path: str | Path) -> Exported:
        """Write the game in the interchange format of model checkers, so that others can check the answer (needs the package umbi)."""
        from zermelo.uses.umb import export

        return export(self.answers, path, comment=repr(self))

    def export_certificate(self, path: str | Path, progress: Progress = silent) -> None:
        """Write values, bounds, policy and argument of all states to a file that `zermelo.verify` checks (docs/certificates.md)."""
        from zermelo.uses.certificate import export

        export(self.answers, path, progress)

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
        self, payoff: str | None = None, *, tail: float = 1e-12, max_steps: int | None = None, progress: Progress = silent
    ) -> Distribution:
        """The probability of every length of a play, or of every total of the named `payoff`, if its totals are whole numbers.

        It is computed, not simulated, for optimal play, until unfinished plays have at most the probability `tail`. Plays of more than
        `max_steps` moves are refused (by default a million; for an urn there is no limit). After an urn sweep it is that of play to the
        stopping line.
        """
        from zermelo.uses.distribution import distribution

        return distribution(self.answers, payoff, tail=tail, max_steps=max_steps, progress=progress)

    def evaluate(
        self, policy: Policy, opponent: Policy | None = None, *, seat: int = 0, progress: Progress = silent
    ) -> Evaluation:
        """The value of any policy (a function from a state to an action), certified; its loss against optimal play and its costliest
        mistakes.

        In a game for two the policy is that of player `seat` (0 or 1; with PASS 0 is whoever moves first), against `opponent` or against
        the least favourable of all opponents that always take a best action; `against` of the result says whom it was. With
        simultaneous moves a policy may return probabilities, as a dict. In games that go through stages and are too large to be stored
        the policy is compiled with the rules (it must be written with `def`, as rules are), and mistakes are not listed. In an urn too
        large to be stored it is called wherever play under it is likely to come, and the bounds allow for the rest.
        """
        from zermelo.uses.evaluate import evaluate

        return evaluate(self.answers, policy, opponent, seat=seat, progress=progress)

    def best_response(self, opponent: Policy, *, seat: int = 0, progress: Progress = silent) -> Response:
        """A best response of player `seat` to a given policy of the opponent, and its value."""
        from zermelo.uses.evaluate import best_response

        return best_response(self.answers, opponent, seat=seat, progress=progress)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        unit, win = winning(self.answers), self.win_probability()
        wins = f", {unit.name} {percent(win)} %" if unit and win else ""
        return f"<Solution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}{wins}>"


class MixedSolution:
    """The solution of a matrix game given by best responses: its value, and an optimal mixed strategy for each player (there may be
    others).

    All numbers are rational. The row player, seat 0, maximises; the column player is seat 1; all values are what the row player gets. With
    a certificate of kind "bound" the mixed strategies guarantee `low` and `high`, and `value` is the middle. A mixed strategy is a dict
    from strategies to probabilities. What makes sense only with states raises `NoStates`, which says what to ask instead.
    """

    has_rules = False
    has_states = counts_moves = has_stopping_line = False
    discount = 1.0  # both choose once, and nothing comes later

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
        """The row player's mixed strategy: probabilities by strategy, without those that are 0."""
        return self.answers.row

    @property
    def column(self) -> Mapping[Any, Fraction]:
        """The column player's mixed strategy."""
        return self.answers.column

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth, and why."""
        return self.answers.certificate

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven, and not only bounded."""
        return self.certificate.kind == "proof"

    @property
    def value(self) -> Fraction:
        """What the row player gets from the column player on average."""
        return self.answers.value

    @property
    def low(self) -> Fraction:
        """The row player gets at least this on average with `row`."""
        return self.answers.low

    @property
    def high(self) -> Fraction:
        """The column player pays at most this on average with `column`."""
        return self.answers.high

    @property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        """The interval (`low`, `high`) under the name "payoff", as for games with states."""
        return {"payoff": (self.low, self.high)}

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """The value by the name of the payoff, as for games with states."""
        return {"payoff": self.value}

    @property
    def length(self) -> Length:
        """Mean and variance of the number of moves: each chooses once, which counts as one."""
        from zermelo.uses.mixed_verbs import ONE_MOVE

        return ONE_MOVE

    def policy(self, seat: int = 0) -> Mapping[Any, Fraction]:
        """The optimal mixture of a player. (Without states a policy depends on nothing but the seat.)"""
        from zermelo.uses.mixed_verbs import policy

        return policy(self.answers, seat)

    def evaluate(self, strategy: Any, opponent: Any = None, *, seat: int = 0) -> MixedEvaluation:
        """What a strategy of the player in `seat`, pure or mixed, guarantees, exactly: its value against a best response, and its loss.

        With `opponent`, a strategy of the other player, its value against that one. Raises `ParameterError`; `OutOfReach` for mixtures
        that the game's own method of best responses can't be asked for.
        """
        from zermelo.uses.mixed_verbs import evaluate

        return evaluate(self.answers, strategy, opponent, seat)

    def best_response(self, opponent: Any, *, seat: int = 0) -> MixedResponse:
        """The best that the player in `seat` can do against a strategy of the other, pure or mixed, exactly. Raises as `evaluate`."""
        from zermelo.uses.mixed_verbs import best_response

        return best_response(self.answers, opponent, seat)

    def distribution(self) -> ExactDistribution:
        """The probabilities of all payoffs if both draw from their optimal mixtures, as rational numbers."""
        from zermelo.uses.mixed_verbs import distribution

        return distribution(self.answers)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row a strategy that is played: whose, its probability, what the row player gets if it meets the other's mixture."""
        from zermelo.uses.mixed_verbs import to_dataframe

        return to_dataframe(self.answers)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return mixed.players(self.game)

    def shown(self, side: int, strategy: Any) -> str:
        """A strategy of the row player (side 0) or of the column player (side 1) as text."""
        return mixed.shown(self.game, side, strategy)

    def paid(self, row: Any, column: Any) -> Fraction:
        """The payoff of these two strategies against each other, to the row player."""
        return mixed.paid(self.game, row, column)

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage.mixed import save

        if compress:
            raise ParameterError(f"{type(self.game).__name__}: only the tables of large board games are compressed; save it plainly")
        save(self.answers, path)

    def export_certificate(self, path: str | Path, progress: Progress = silent) -> None:
        """Write both mixtures and what they guarantee to a file that `zermelo.verify` checks (docs/certificates.md)."""
        from zermelo.uses.certificate import export

        export(self.answers, path, progress)

    def simulate(self, plays: int, seed: int = 0, *, progress: Progress = silent) -> Simulation:
        """Let both draw strategies from their mixed strategies many times: mean, standard error and distribution of the payoff."""
        from zermelo.uses.simulate_mixtures import simulate

        return simulate(self.answers, plays, seed, progress)

    def __getattr__(self, name: str) -> Any:
        from zermelo.matrix.verbs import no_attribute

        raise no_attribute("MixedSolution", name)

    def __repr__(self) -> str:
        return f"<MixedSolution of {type(self.game).__name__}: value {digits(self.value, self.low, self.high)}>"


class DataSolution:
    """A stored solution whose rules were not given: what its file says, as data.

    Values, bounds and the certificate of the start, and what is stored of every state; states are named tuples with the fields that they
    have in the game. Whatever needs the rules raises `NoRules`, which says how to give them. `rules_text` is the rules that were solved.
    """

    has_rules = False

    def __init__(self, answers: DataAnswers):
        self.answers = answers
        self.name, self.parameters, self.rules_text = answers.name, dict(answers.parameters), answers.rules_text
        self.discount, self.report, self.statistics = answers.discount, answers.report, answers.report.statistics
        self.is_exact, self.need = answers.is_exact, answers.need

    @property
    def _start(self) -> StateFacts:
        if self.answers.at_start is None:
            raise self.answers.refusal("the start, which files of older versions do not name")
        return self.answers.at_start

    @property
    def value(self) -> Number:
        """The value of the start."""
        return self._start.values[0]

    @property
    def low(self) -> Number:
        """The true value of the start is at least this."""
        return self._start.interval()[0]

    @property
    def high(self) -> Number:
        """The true value of the start is at most this."""
        return self._start.interval()[1]

    @property
    def payoffs(self) -> dict[str, Number]:
        """The expected total of every named payoff from the start on, by name."""
        return dict(zip(self.answers.payoffs, self._start.values, strict=True))

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """For every named payoff an interval (low, high) that contains its true expected total from the start on."""
        return {name: self._start.interval(j) for j, name in enumerate(self.answers.payoffs)}

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth: kind ("proof" or "bound"; "sample" if not all was checked), interval and argument."""
        return self.report.certificate(*self._start.interval(), self.answers.argument)

    @property
    def row(self) -> Mapping[Any, Fraction]:
        """In matrix games: the optimal mixture of the row player."""
        return self._strategies(0)

    @property
    def column(self) -> Mapping[Any, Fraction]:
        """In matrix games: the optimal mixture of the column player."""
        return self._strategies(1)

    def _strategies(self, side: int) -> Mapping[Any, Fraction]:
        if self.answers.strategies is None:
            raise self.answers.refusal("the mixture of a matrix game")
        return self.answers.strategies[side]

    @property
    def space(self) -> Space:
        """The states that are stored, with their indices; `values` and the other arrays have the same ones."""
        return self.answers.space

    def state(self, *numbers: Any, **fields: Any) -> State:
        """A state from its fields. Raises `ParameterError` for other fields."""
        try:
            return self.space.layout.state_class(*numbers, **fields)
        except TypeError:
            names = ", ".join(self.space.layout.state_class._fields)
            raise ParameterError(f"a state of {self.name} has the fields {names}") from None

    def probe(self, state: State) -> DataProbe:
        """What is stored of a state. Raises `UnreachableState`, `ParameterError`, `NoRules`."""
        known = self.answers.known(state)
        payoffs = dict(zip(self.answers.payoffs, known.values, strict=True))
        return DataProbe(state, known.values[0], *known.interval(), known.best, payoffs, known.distance)

    @property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every stored state, in the order of `space`."""
        return self._stored().value[:, 0]

    @property
    def errors(self) -> np.ndarray:
        """float64[states]: |value - true value| is at most this."""
        return self._stored().error[:, 0]

    @property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff."""
        return np.asarray(self._stored().value)

    @property
    def action_numbers(self) -> np.ndarray | None:
        """int32[states]: the position of a best action among the actions, which only the rules know; -1 in final states."""
        return None if self._stored().policy is None else np.asarray(self._stored().policy)

    @property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under optimal play, -1 for endless draws; None where they are not known."""
        return None if self._stored().distance is None else np.asarray(self._stored().distance)

    def _stored(self) -> Stored:
        if self.answers.stored is None:
            raise self.answers.refusal("the values of all states")
        return self.answers.stored

    def __getattr__(self, name: str) -> Any:
        own = getattr(type(self), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)  # raises the reason again, which Python takes for a missing attribute
        if name.startswith("_"):
            raise AttributeError(name)
        raise self.answers.refusal(f"`{name}`")

    def __repr__(self) -> str:
        value = "" if self.answers.at_start is None else f": value {digits(self.value, self.low, self.high)}"
        return f"<DataSolution of {self.name}, without its rules{value}>"


class DataProbe(NamedTuple):
    """What a file says of one state, without the rules."""

    state: State
    value: Number
    low: Number  # the true value lies in [low, high]
    high: Number
    action_number: int | None  # the position of a best action among those of the state; None where it is over, or not stored
    payoffs: dict[str, Number]
    distance: int | None  # moves to the end under best play, where they are stored


class HiddenSolution:
    """The solution of a game whose players do not see everything: its value, and what both should do in every information set (there may
    be other ways that are as good).

    Player 0 maximises; all values are his. An information set is told by the numbers that its player sees there, as a tuple. A
    strategy is a function of these numbers, or a dict of them, and gives an action or a dict of actions and probabilities. With a
    certificate of kind "bound" the strategies guarantee `low` and `high`, and `value` is the middle.
    """

    has_rules = has_states = counts_moves = has_stopping_line = False
    discount = 1.0

    def __init__(self, answers: HiddenAnswers):
        self.answers, self.rules, self.layout, self.game = answers, answers.rules, answers.layout, answers.rules.game

    @property
    def report(self) -> Report:
        """How the game was solved, and how long that took."""
        return self.answers.report

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts and times as one dictionary."""
        return self.report.statistics

    @property
    def certificate(self) -> Certificate:
        """How far `value` can be from the truth, and why."""
        return self.answers.certificate

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven, and not only bounded."""
        return self.answers.is_exact

    @property
    def value(self) -> Number:
        """What player 0 gets on average: a Fraction if it is proven."""
        return self.answers.value

    @property
    def low(self) -> Number:
        """Player 0 gets at least this on average with his strategy."""
        return self.certificate.low

    @property
    def high(self) -> Number:
        """Player 0 gets at most this on average against the strategy of player 1."""
        return self.certificate.high

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """The interval (`low`, `high`) by the name of the payoff."""
        return {self.rules.payoffs[0]: (self.low, self.high)}

    @property
    def payoffs(self) -> dict[str, Number]:
        """The value by the name of the payoff."""
        return {self.rules.payoffs[0]: self.value}

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
        from zermelo.storage.hidden import save

        if compress:
            raise ParameterError(f"{self.rules.name}: only the tables of large board games are compressed; save it plainly")
        save(self.answers, path)

    def __getattr__(self, name: str) -> Any:
        raise hidden.no_attribute(name)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        return f"<HiddenSolution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}>"


def solution_of(answers: Any) -> Any:
    """The facade for an answer."""
    if isinstance(answers, DataAnswers):
        return DataSolution(answers)
    if isinstance(answers, HiddenAnswers):
        return HiddenSolution(answers)
    return MixedSolution(answers) if isinstance(answers, MixedAnswers) else Solution(answers)


def open_solution(path: str | Path, game: Any = None, *, verify: bool | None = None) -> Any:
    """Open a stored solution: a `Solution`, a `MixedSolution` of a matrix game, or a `HiddenSolution` of a game with hidden information; a
    `DataSolution` where the rules are not known.

    Its arrays stay on disk and are read as they are needed; no solver is loaded. All data are verified now if `verify` is true, and by
    default if there are up to 64 MiB; each page of a larger file is verified when something of it is first read.
    game : the game or its class, `zermelo.open("mine.zermelo", MyGame)`; not needed for games of the catalogue, nor where the module of the
    game was imported before. Nothing else is imported because a file names it.
    Raises `FileError` for a damaged or foreign file, one of another version, or of other rules.
    """
    return solution_of(files.opened(path, game, verify))


__all__ = [
    "Certificate",
    "Chance",
    "DataProbe",
    "DataSolution",
    "HiddenSolution",
    "Length",
    "MixedSolution",
    "Probe",
    "Solution",
    "Space",
    "open_solution",
    "solution_of",
]
