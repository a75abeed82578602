"""A solved game whose players do not see everything, as users hold it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.answers.hidden import HiddenAnswers
from zermelo.answers.known import Length
from zermelo.basics.numbers import Number, digits
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import game_text
from zermelo.language.rules import Action
from zermelo.solution.base import OfStrategies
from zermelo.solution.copies import CopiedAsFile
from zermelo.uses import hidden
from zermelo.uses.mixed import whose

if TYPE_CHECKING:
    import pandas

    from zermelo.uses.gymnasium import ZermeloEnv
    from zermelo.uses.hidden import HiddenEvaluation, HiddenProbe, HiddenResponse, Strategy
    from zermelo.uses.pettingzoo import ZermeloAEC, ZermeloParallel
    from zermelo.uses.plays import Simulation
    from zermelo.uses.probabilities import Distribution


class HiddenSolution(CopiedAsFile, OfStrategies[Number]):
    """The solution of a game whose players do not see everything: its value, and optimal play for both players in every information set
    (there may be other play that is equally good).

    Player 0 maximises, and all values are those of player 0. An information set is named by the numbers that its player sees there, as a
    tuple. A strategy is a function of these numbers, or a dict keyed by them, and gives an action or a dict of actions and probabilities.
    With a certificate of kind "bound" the strategies guarantee `low` and `high`, and `value` is the midpoint.
    """

    answers: HiddenAnswers

    def __init__(self, answers: HiddenAnswers):
        self.answers, self.rules, self.layout, self.game = answers, answers.rules, answers.layout, answers.rules.game

    @property
    def _payoff(self) -> str:
        return str(self.rules.payoffs[0])

    def policy(self, seat: int = 0) -> dict[tuple[int, ...], dict[Action, Number]]:
        """The strategy of the player in `seat`: a dict from the numbers seen (a tuple for each information set of the player) to a dict of
        actions and their probabilities, Fractions if `is_exact`. Raises `ParameterError`."""
        return hidden.policy(self.answers, seat)

    def probe(self, where: Any, seat: int | None = None) -> HiddenProbe:
        """The information set of the player to move in a state, or of a player who sees these numbers: probabilities and values of the
        actions, and the probability that play reaches it. Raises `UnreachableState`, `ParameterError`."""
        return hidden.probe(self.answers, where, seat)

    def evaluate(self, strategy: Strategy, opponent: Strategy | None = None, *, seat: int = 0) -> HiddenEvaluation:
        """The guarantee of a strategy of the player in `seat`: its value against a best response, its loss, and its costliest mistakes
        against the optimal strategy of the other player. With `opponent`, its value against that opponent. Raises `ParameterError`."""
        return hidden.evaluate(self.answers, strategy, opponent, seat)

    def best_response(self, opponent: Strategy, *, seat: int = 0) -> HiddenResponse:
        """A best response of the player in `seat` to a strategy of the other player: its value, which is what player 0 gets, an action
        for each information set of the player, and the player's gain. Raises `ParameterError`."""
        return hidden.best_response(self.answers, opponent, seat)

    def lock(
        self,
        strategy: Strategy,
        *,
        seat: int = 0,
        exact: bool = False,
        tolerance: float | None = None,
        refine: bool = False,
        progress: Progress = silent,
    ) -> HiddenSolution:
        """The game, solved again with a part of the strategy of the player in `seat` fixed, given as a dict of that part, or as a function
        that returns None where the player stays free. Locked decisions are left to chance; value and all verbs are those of the remaining
        game. `exact`, `tolerance` and `refine` are as in `zermelo.solve`. Raises `ParameterError`, `OutOfReach`."""
        from zermelo.uses.lock import lock

        return HiddenSolution(lock(self.answers, strategy, seat, exact, tolerance, refine, progress))

    def simulate(
        self,
        plays: int,
        seed: int = 0,
        policy: Strategy | None = None,
        *,
        opponent: Strategy | None = None,
        seat: int = 0,
        cluster: str | None = None,
        progress: Progress = silent,
    ) -> Simulation:
        """Play many times at compiled speed, according to the solution unless `policy` (for the player in `seat`) or `opponent` is given:
        mean, standard error, distribution of payoff and length. The same seed gives the same plays,
        also on a `cluster` (docs/cluster.md): "local", "auto" or HOST:PORT."""
        from zermelo.uses.simulate_hidden import simulate

        return simulate(self.answers, plays, seed, policy, opponent, seat, progress, cluster)

    @property
    def length(self) -> Length:
        """Mean and variance of the number of moves in a play, including those of chance, if both play according to the solution."""
        from zermelo.uses.length import length_where_hidden

        return length_where_hidden(self.answers)

    def distribution(
        self, payoff: str | None = None, *, tail: float = 1e-12, max_steps: int | None = None, progress: Progress = silent
    ) -> Distribution:
        """The probability of every length of a play, or of every total of the named `payoff`, if both play according to the solution. They
        are computed, not simulated. Raises `ParameterError`, `OutOfReach`."""
        from zermelo.uses.distribution import distribution_where_hidden

        return distribution_where_hidden(self.answers, payoff, tail=tail, max_steps=max_steps, progress=progress)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per action of an information set: the player, the numbers seen, the action's probability and value, and how often play
        gets there."""
        return hidden.to_dataframe(self.answers)

    def save(self, path: str | Path, compress: bool = False) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is never compressed."""
        from zermelo.storage.file import refuse_packing
        from zermelo.storage.hidden import save

        refuse_packing(self.rules.name, compress)
        save(self.answers, path)

    def export_certificate(self, path: str | Path, progress: Progress = silent) -> None:
        """Write both strategies and what they guarantee to a file that `zermelo.verify` checks (docs/certificates.md)."""
        from zermelo.uses.certificate import export

        export(self.answers, path, progress)

    # --- in other people's programs -----------------------------------------------------------------------------------

    def to_gymnasium(
        self,
        seat: int | None = None,
        *,
        opponent: Strategy | None = None,
        actions: Iterable[Action] | None = None,
        illegal: str = "stay",
        render_mode: str | None = None,
    ) -> ZermeloEnv:
        """The game as an environment of Gymnasium, in which an agent sits in `seat` (by default 0, if player 0 has choices) and is shown
        only what its player sees. The other player draws from its strategy in the solution, or from `opponent`.

        opponent     the other player's strategy: a function of the numbers that it sees, or a dict keyed by them, as in `evaluate`
        actions      all actions of the game, in the order of their numbers; by default those of all information sets, sorted
        illegal      the effect of an action that is not legal: none ("stay": info["illegal"] is true), or an error ("raise")
        render_mode  None, or "ansi" for positions as text, including everything that is hidden

        An observation is the numbers that `sees` yields at the decision. Shorter ones are padded with the least number of the observation
        space, and at the end of play it is the last one. The reward is what the seat is paid. `info` has "action_mask" and, for the
        information set, "mixture", the seat's own in the solution, "value", what the seat is paid from there on, and by action "regret",
        how much less it gets than a best action, if both go on as in the solution (infinite if not legal). Where the other player's
        strategy never leads, value and regrets are NaN. Exact solutions also have "value_bounds", "regret_bounds", and in fractions
        "exact_value", "exact_regret", "exact_mixture" (None where not known). Decisions that `lock` has fixed are left to chance. Raises
        `OutOfReach` if nobody has a choice or gymnasium is missing, and `ParameterError`.
        """
        from zermelo.uses import gymnasium, hidden_environment

        gymnasium.check_options(illegal, render_mode)
        table, sits = hidden_environment.table(self.answers, seat, opponent, actions)
        return gymnasium.ZermeloEnv(table, sits, opponent, illegal, render_mode)

    def to_pettingzoo(
        self, *, actions: Iterable[Action] | None = None, render_mode: str | None = None
    ) -> ZermeloAEC | ZermeloParallel:
        """The game as an environment of PettingZoo, with the agents "player_0" and "player_1", who act in turn (AEC). With simultaneous
        moves it is an environment in which both act at every step (parallel), and the action of an agent without a choice is ignored.

        Observations are dicts of "observation", what the agent sees at its decision, or saw at its latest one, and "action_mask". The
        `infos` of an agent that chooses, `actions` and `render_mode` are those of `to_gymnasium`. An agent learns nothing that it does not
        see. An action that is not legal raises `ParameterError`. Raises `OutOfReach` if nobody has a choice or pettingzoo is missing.
        """
        from zermelo.uses import hidden_environment, pettingzoo

        pettingzoo.check_mode(render_mode)
        table, _ = hidden_environment.table(self.answers, None, None, actions)
        return pettingzoo.of_two(table, render_mode)

    def __getattr__(self, name: str) -> Any:
        raise hidden.no_attribute(name)

    def __repr__(self) -> str:
        return f"<HiddenSolution of {game_text(self.game)}: value {digits(self.value, self.low, self.high)}{whose(self.game)}>"
