"""A solved game with states, as users hold it: a thin facade over an engine's answer and the verbs that use it.

Opening and probing need no engine and no compiler: verbs that need one are imported when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.answers.base import Answers, CountsMoves, StoppingLine, Tabled
from zermelo.answers.known import Length, StateFacts
from zermelo.basics.numbers import Number, digits
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import game_text
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action, State
from zermelo.solution.base import FromStart
from zermelo.solution.copies import CopiedAsFile
from zermelo.states.space import ByIndex, check_state
from zermelo.uses import frames
from zermelo.uses import probe as probes
from zermelo.uses.legal import legal_action
from zermelo.uses.need import can_be_tabled, check_turns, tabled
from zermelo.uses.probe import Probe
from zermelo.uses.units import Chance, percent, winning

if TYPE_CHECKING:
    import pandas
    import xarray

    from zermelo.problem.mixtures import Mixtures
    from zermelo.uses.evaluation import Evaluation, Response
    from zermelo.uses.gymnasium import ZermeloEnv
    from zermelo.uses.pettingzoo import ZermeloAEC, ZermeloParallel
    from zermelo.uses.plays import Simulation
    from zermelo.uses.probabilities import Distribution
    from zermelo.uses.umb import Exported

Policy = Callable[[State], Action]


class Solution(CopiedAsFile, FromStart):
    """The solution of a game with states.

    Values are expected totals of a payoff from a state on under optimal play, in the unit of the rules' payoffs. Player 0
    maximises the first payoff and player 1 minimises it. With PASS the player to move maximises, and values are those of the player to
    move. A method that an answer cannot serve raises `OutOfReach` with the reason. `answers` is what the engine left behind.
    """

    has_rules = True
    answers: Answers

    def __init__(self, answers: Answers):
        self.answers = answers
        self.rules, self.layout, self.game = answers.rules, answers.layout, answers.rules.game

    def state(self, *numbers: Any, **fields: Any) -> State:
        """A state of the game from its fields: `solution.state(3, theirs=5)`. Raises `ParameterError` for other fields, and for
        anything in them but whole numbers."""
        try:
            state: State = self.layout.state_class(*numbers, **fields)
        except TypeError:
            names = ", ".join(self.layout.state_class._fields)
            raise ParameterError(f"a state of {self.rules.name} has the fields {names}") from None
        check_state(self.rules, self.layout, state)
        return state

    # --- the answer -------------------------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> StateFacts:
        return probes.known_start(self.answers)

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.rules.payoffs)

    @cached_property
    def length(self) -> Length:
        """Mean and variance of the number of moves from the start to the end under optimal play. Raises `OutOfReach`."""
        from zermelo.uses.length import length

        return length(self.answers)

    # --- one state --------------------------------------------------------------------------------------------------

    def probe(self, state: State, off_play: bool = False) -> Probe:
        """Value, best action and the value of every action of a state, with bounds.

        off_play    also accept a state that no play from the start reaches: its value is computed, with bounds, from the states that it
                    leads to. Play from there must reach solved states or its end without cycling; otherwise `OutOfReach` says why.

        Raises `UnreachableState`, `ParameterError`.
        """
        return probes.probe(self.answers, state, off_play)

    def win_probability(self, state: State | None = None) -> Chance | None:
        """The chance of winning from a state on (by default the start), with an interval that contains the true one: for the player to
        move with PASS, otherwise for player 0. None if the game has no `win_probability(self, value)`, or is discounted. Raises
        `UnreachableState`, `ParameterError`.
        """
        known = self._start if state is None else self.answers.known(state)
        unit = winning(self.answers)
        return None if unit is None else unit.of(known.values[0], *known.interval())

    def best_action(self, state: State) -> Action:
        """A best action of the player to move; None in final states and in states where only chance moves. With simultaneous moves, the
        action of player 0 that optimal play chooses most often."""
        return probes.best_action(self.answers, state)

    @property
    def policy(self) -> Policy:
        """An optimal policy: a function from a state to a best action. With simultaneous moves, a function from a state (and a seat, by
        default 0) to a mixture: the probabilities of that player's actions."""
        return probes.MixedPolicy(self) if self.rules.is_simultaneous else self.best_action

    def action_value(self, state: State, action: Action) -> Number:
        """The value of an action: its mean payoff plus the mean value of the next states. If these are exact, so is the result (0.1 counts
        as 1/10).

        The action may also be one that `actions` leaves out because others are equally good, provided that the states it leads to were
        solved. Where both choose at once it is a pair: the action of player 0 and that of player 1. Raises `UnreachableState` if they were
        not solved, and `ParameterError` for an action that is not legal.
        """
        return probes.action_value(self.answers, state, action)

    def moves_after(self, state: State, action: Action) -> int | None:
        """The distance to the win or loss in moves, including this one, if play begins with this action and is optimal from then on; None
        for draws, and if distances are not known. Raises `ParameterError` for an action that is not legal, `UnreachableState`."""
        return probes.moves_after(self.answers, state, legal_action(self.answers, state, action))

    # --- capabilities ------------------------------------------------------------------------------------------------

    @property
    def has_states(self) -> bool:
        """Whether arrays of all states are available: all states are stored, or few enough to be solved again. `probe` works in any
        case."""
        return can_be_tabled(self.answers)

    def _tabled(self, what: str) -> Tabled:
        return tabled(self.answers, what)

    def require_states(self, what: str) -> None:
        """Raise `OutOfReach` if arrays of all states, which `what` needs, are not available. `what` names the subject of the message."""
        self._tabled(what)

    def require_turns(self, what: str) -> None:
        """Raise `OutOfReach` if the game has simultaneous moves, for which `what` is not defined."""
        check_turns(self.answers, what)

    @property
    def counts_moves(self) -> bool:
        """Whether distances are known, which they are in games without chance that end in a win, a draw or a loss."""
        return self.answers.lacks(CountsMoves) is None

    def _counting(self) -> Any:
        if not self.counts_moves:
            if not self.has_states:
                self.require_states("counting positions")
            raise ParameterError(f"{self.rules.name}: its solver counts no moves to the end")
        return self.answers

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """The number of positions that are "won", "lost" and "drawn" for the player to move: for each of these words, pairs (moves to the
        end, number of positions), shortest first, where -1 moves stands for draws by infinite play. Final positions count as their `payoff`
        says. Raises `ParameterError` if distances are not known.
        """
        found: dict[str, list[tuple[int, int]]] = self._counting().census()
        return found

    def farthest(self) -> State | None:
        """The position with the longest win for player 0 (with PASS and on boards: for the player to move); None if no position that is not
        final is won. Raises `ParameterError` if distances are not known."""
        return self._counting().farthest()

    @property
    def has_stopping_line(self) -> bool:
        """Whether the stopping line (`frontier`) is known, that is, whether the game was solved by the urn sweep."""
        return self.answers.lacks(StoppingLine) is None

    @property
    def frontier(self) -> Any:
        """The stopping line of an urn: `frontier.stops(plus, minus)` says whether the player stops with these numbers of +1 and -1 balls
        left (numbers or arrays), for up to `frontier.known` balls. Raises `OutOfReach`."""
        from zermelo.uses.stopping import frontier

        return frontier(self.answers)

    # --- all states -------------------------------------------------------------------------------------------------

    @cached_property
    def space(self) -> Any:
        """The states that were solved, sorted: `space.rank(state)` is the index of a state, and `space.unrank(index)` is the state with an
        index. `values` and the other arrays use the same indices. For a board game that is too large for arrays: the reachable positions,
        with gaps between their indices."""
        own = getattr(self.answers, "space", None)
        return self._tabled("`space`").space if own is None or self.has_states else own

    @cached_property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every state, in the order of `space`; NaN where nothing is known of it (`must_end`)."""
        return ByIndex(frames.values_of(self._tabled("`values`"))[:, 0])

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[states]: an upper bound of |value - true value|, in the order of `space`."""
        table = self._tabled("`errors`")
        return ByIndex(table.ordered(table.error[:, 0]))

    @cached_property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff, in the order of `space`; NaN as in `values`."""
        return ByIndex(frames.values_of(self._tabled("`payoff_values`")))

    @cached_property
    def action_numbers(self) -> np.ndarray:
        """int32[states]: the position of a best action among the state's actions, in the order of `space`; -1 in final states, and where
        nothing is known (`must_end`)."""
        return ByIndex(frames.policy_of(self._tabled("`action_numbers`")))

    @cached_property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under optimal play, in the order of `space`, -1 for draws by infinite play; None if distances
        are not known."""
        table = self._tabled("`distances`")
        return None if table.distance is None else ByIndex(table.ordered(table.distance))

    @property
    def mixtures(self) -> Mixtures:
        """With simultaneous moves: the mixed strategies of both players in all states, in floats, indexed by the engine's numbers of the
        states. Raises `ParameterError` for other games."""
        frames.check_at_once(self.answers, "`mixtures`")
        return frames.mixtures(self._tabled("`mixtures`"))

    def mixtures_at(self, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
        """With simultaneous moves: the probabilities of each player's actions, player 0's first, in the state with this index in
        `space`."""
        frames.check_at_once(self.answers, "`mixtures_at`")
        return frames.mixtures_at(self._tabled("`mixtures_at`"), index)

    def to_dataframe(self, states: Iterable[State] | None = None) -> pandas.DataFrame:
        """A row for each state: its fields, the value of every payoff, the chance of winning if the game declares it, the error of the
        value, a best action, and the distance if it is known.

        The rows are all states, or only the given `states` in their order; the latter works for every solution, even if it has too many
        states to store. Values are floats. Raises `OutOfReach`, `UnreachableState`, `ParameterError`.
        """
        answers = self._tabled("a data frame without `states`") if states is None else self.answers
        return frames.to_dataframe(answers, states)

    def to_xarray(self) -> xarray.Dataset:
        """Values and action numbers as arrays over the fields of a state, with NaN and -1 where no such state exists.

        Raises `OutOfReach` if the states fill less than 1 in 50 of the box that their fields span.
        """
        return frames.to_xarray(self._tabled("an array over the fields"))

    # --- uses of a solution --------------------------------------------------------------------------------------------

    def save(self, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. `compress` makes the files of large board games smaller.
        Raises `FileError`."""
        from zermelo.uses.files import save  # imported here, so that solving starts without the file codecs

        save(self.answers, path, compress, progress)

    def export_umb(self, path: str | Path) -> Exported:
        """Write the game in the interchange format of model checkers, so that they can check the answer (needs the package umbi)."""
        from zermelo.uses.umb import export

        return export(self.answers, path, comment=repr(self))

    def export_certificate(self, path: str | Path, progress: Progress = silent) -> None:
        """Write the values, bounds, policy and argument of all states to a file that `zermelo.verify` checks (docs/certificates.md)."""
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
        cluster: str | None = None,
        progress: Progress = silent,
    ) -> Simulation:
        """Play many times at compiled speed: mean, standard error, distribution of payoff and length.

        Both players play optimally unless `policy` (for the player in `seat`) or `opponent` is given. The same seed gives the same plays,
        also on a `cluster` (docs/cluster.md): "local", "auto" or HOST:PORT. Raises `ParameterError`, `OutOfReach`.
        """
        from zermelo.uses.simulate import simulate

        return simulate(self.answers, plays, seed, policy, opponent=opponent, seat=seat, cluster=cluster, progress=progress)

    def distribution(
        self, payoff: str | None = None, *, tail: float = 1e-12, max_steps: int | None = None, progress: Progress = silent
    ) -> Distribution:
        """The probability of every length of a play, or of every total of the named `payoff`, provided that its totals are whole numbers.

        The distribution is computed, not simulated, for optimal play, until unfinished plays have at most the probability `tail`. (Where
        many totals are in play, the least probable ones are left out, and count as unfinished.) Plays of more than `max_steps` moves are
        refused (by default a million; for an urn there is no limit). After an urn sweep it is the distribution of play to the stopping
        line. Raises `ParameterError`, and `OutOfReach` if plays go on for longer or totals are not whole numbers.
        """
        from zermelo.uses.distribution import distribution

        return distribution(self.answers, payoff, tail=tail, max_steps=max_steps, progress=progress)

    def evaluate(
        self, policy: Policy, opponent: Policy | None = None, *, seat: int = 0, progress: Progress = silent
    ) -> Evaluation:
        """The value of any policy (a function from a state to an action), certified; its loss against optimal play and its costliest
        mistakes. The policy is asked once in a state: it can't draw at random.

        In a two-player game the policy is that of player `seat` (0 or 1; with PASS, 0 is the player who moves first; where one player alone
        decides it is that player's). It plays against `opponent`, or against the least favourable of all opponents that always take a best
        action; `against` of the result names the opponent. With simultaneous moves a policy may return probabilities, as a dict, and the
        opponent is the least favourable one that mixes optimally. In games that go through stages and are too large to be stored, the
        policy is compiled with the rules (it must be written with `def`, as rules are, and have an answer after every entry state, whether
        play comes there or not), and mistakes are not listed. In an urn too large to be stored, the policy is called wherever play under it
        is likely to lead, and the bounds allow for the rest.
        """
        from zermelo.uses.evaluate import evaluate

        return evaluate(self.answers, policy, opponent, seat=seat, progress=progress)

    def best_response(self, opponent: Policy, *, seat: int = 0, progress: Progress = silent) -> Response:
        """A best response of the player in `seat` (0 or 1; with PASS, 0 is the player who moves first) to a policy of the opponent, and the
        resulting value of the start, certified and for the same player as `value`; `gain` is how much better this is for the seat than the
        solution's value.

        With simultaneous moves the opponent's policy may return probabilities, as a dict. Raises `ParameterError` for games that are not
        two-player games and for a policy that returns an illegal action, `NoValue` if the player is paid without limit, `OutOfReach`.
        """
        from zermelo.uses.evaluate import best_response

        return best_response(self.answers, opponent, seat=seat, progress=progress)

    # --- use in other programs ----------------------------------------------------------------------------------------

    def to_gymnasium(
        self,
        seat: int | None = None,
        *,
        opponent: Policy | None = None,
        actions: Iterable[Action] | None = None,
        illegal: str = "stay",
        render_mode: str | None = None,
    ) -> ZermeloEnv:
        """The game as an environment of Gymnasium, in which an agent sits in `seat` (by default the player who has choices, otherwise 0).

        opponent     in two-player games: the other seat's policy, a function from a state to an action, or with simultaneous moves to a
                     mixture; by default optimal play
        actions      all actions of the game, in the order of their numbers; by default those of all states, sorted
        illegal      the effect of an action that is not legal: none ("stay": info["illegal"] is true), or an error ("raise")
        render_mode  None, or "ansi" for positions as text

        Observations are the numbers of the state, an action is its number among env.table.actions, and the reward is what the seat is
        paid (for seat 1 the negated payoff), including for the other side's moves. `info` has "action_mask", "value" with "value_bounds",
        and by action "regret" with "regret_bounds": how much less than a best action it is worth to the seat (infinite if not legal). In
        exact solutions it also has "exact_value" and "exact_regret" in fractions. With simultaneous moves the other side draws from its
        mixture at every step, regrets are measured against its optimal mixture, and "mixture" is the seat's own ("exact_mixture" in exact
        solutions). There is no step limit. Raises `OutOfReach` if play is cut off or gymnasium is missing, and `ParameterError`.
        """
        from zermelo.uses.gymnasium import environment

        return environment(self.answers, seat, opponent, actions, illegal, render_mode)

    def to_pettingzoo(
        self, *, actions: Iterable[Action] | None = None, render_mode: str | None = None
    ) -> ZermeloAEC | ZermeloParallel:
        """A two-player game as an environment of PettingZoo, with the agents "player_0" and "player_1", who act in turn (AEC). With
        simultaneous moves it is an environment in which both act at every step (parallel).

        Observations are dicts of "observation", the numbers of the state, and "action_mask". The `infos` of the agent to move are those of
        `to_gymnasium`, and so are `actions` and `render_mode`. Rewards are each agent's own, and sum to 0. An action that is not legal
        raises `ParameterError`. Raises `OutOfReach` for games with fewer than two players, if play is cut off, or if pettingzoo is missing.
        """
        from zermelo.uses.pettingzoo import environment

        return environment(self.answers, actions, render_mode)

    def __repr__(self) -> str:
        try:
            asked = self.property
        except OutOfReach as error:
            return f"<Solution of {game_text(self.game)}: {error}>"
        if asked is not None:
            return f"<Solution of {game_text(self.game)}: {asked.line}>"
        unit, win = winning(self.answers), self.win_probability()
        wins = f", {unit.name} {percent(win)} %" if unit and win else ""
        return f"<Solution of {game_text(self.game)}: value {digits(self.value, self.low, self.high)}{wins}>"
