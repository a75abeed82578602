"""Drawing from shuffled urns many times, and stopping at the frontier, or where a policy does. The policy is called once at every
state that a play reaches, and the rules are run by Python."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.swept import UrnAnswers
from zermelo.basics.progress import Progress
from zermelo.basics.threads import ranges, shared
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels.urn_play import play_blocks
from zermelo.language.rules import State
from zermelo.uses.chain import check_only_seat, check_policy, chosen_position
from zermelo.uses.evaluation import Policy
from zermelo.uses.plays import BLOCK, Simulation, play_all
from zermelo.uses.probe import known_start, payoffs_of

DRAWS = 1 << 22  # per block, approximately
MOST_ASKED = 5_000_000  # states at which a policy is called: a few minutes, and 2 GB


def simulate_urn(
    answers: Answers, plays: int, seed: int, policy: Policy | None, opponent: Policy | None, seat: int, max_length: int, progress: Progress,
    cluster: str | None = None,
) -> Simulation:  # fmt: skip
    """Play many times. No play is longer than the urn has balls, whatever `max_length`. Raises `ParameterError`; `OutOfReach` if plays
    reach more than `MOST_ASKED` states."""
    check_only_seat(answers, seat, opponent)
    if policy is not None:
        check_policy(policy)
        if cluster is not None:
            raise ParameterError(f"{answers.rules.name}: plays of your own policy in a large urn are played here, without `cluster`")
        return play_all(PolicyPlays(answers, policy), plays, seed, {}, progress)
    return play_all(UrnPlays(answers), plays, seed, payoffs_of(answers, known_start(answers)), progress, cluster)


class UrnPlays:
    """A swept urn prepared for simulation."""

    is_whole = True

    def __init__(self, answers: Answers):
        urn = cast(UrnAnswers, answers)
        self.names = urn.rules.payoffs
        self.plus, self.minus = urn.swept.plus, urn.swept.minus
        self.reach = urn.frontier.reach
        if known_start(urn).values[0] == 0:  # play stops at once, at a place where the line may be unknown
            self.reach = np.full(1, self.plus + self.minus)
        self.block = int(min(max(DRAWS // max(self.plus + self.minus, 1), 1), 1024))

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (stopping is a move), that none cycles bool[plays]."""
        totals, lengths = np.empty((plays, 1)), np.empty(plays, np.int64)

        def some(part: tuple[int, int]) -> None:
            own = slice(part[0] * self.block, part[1] * self.block)  # a thread gets nothing that others write to
            urn = self.plus, self.minus, self.reach
            play_blocks(first_block + part[0], self.block, seed, *urn, totals[own, 0], lengths[own])

        shared(some, ranges(-(-plays // self.block), 1))
        return totals, lengths, np.zeros(plays, np.bool_)


class Draw(NamedTuple):
    """The possible outcomes of the action that a policy takes at a state."""

    law: np.ndarray  # float64[outcomes]: probabilities, added up
    paid: np.ndarray  # float64[outcomes]
    next_states: list[State]


class PolicyPlays:
    """An urn prepared for simulation with a policy. Plays at the same state continue together."""

    is_whole = True
    block = BLOCK

    def __init__(self, answers: Answers, policy: Policy):
        self.rules, self.policy = answers.rules, policy
        self.names = self.rules.payoffs
        self.draws: dict[State, Draw | None] = {}

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (stopping is a move), that none cycles bool[plays]."""
        totals, lengths = np.zeros((plays, 1)), np.zeros(plays, np.int64)
        for begin in range(0, plays, BLOCK):
            dice = np.random.default_rng([*map(int, seed), first_block + begin // BLOCK])
            self._play(dice, totals[begin : begin + BLOCK, 0], lengths[begin : begin + BLOCK])
        return totals, lengths, np.zeros(plays, np.bool_)

    def _play(self, dice: np.random.Generator, totals: np.ndarray, lengths: np.ndarray) -> None:
        at: dict[State, Any] = {self.rules.start: np.arange(totals.size)}
        while at:
            following: dict[State, list[np.ndarray]] = {}
            for state, which in at.items():
                draw = self._draw(state)
                if draw is None:
                    continue
                lengths[which] += 1
                drawn = np.searchsorted(draw.law, dice.random(which.size), side="right")
                totals[which] += draw.paid[drawn]
                for k in np.unique(drawn):
                    following.setdefault(draw.next_states[k], []).append(which[drawn == k])
            at = {state: np.concatenate(parts) for state, parts in following.items()}

    def _draw(self, state: State) -> Draw | None:
        """None at the end."""
        if state not in self.draws:
            if len(self.draws) == MOST_ASKED:
                raise OutOfReach(
                    f"these plays of {self.rules.name} come to more than {MOST_ASKED:,} states, at each of which your policy is asked: ask "
                    "for smaller parameters or fewer plays"
                )
            self.draws[state] = self._asked(state)
        return self.draws[state]

    def _asked(self, state: State) -> Draw | None:
        legal = self.rules.actions(state)
        if not legal:
            return None
        chosen = legal[chosen_position(self.rules, self.policy, state)]
        outcomes = [o for o in self.rules.outcomes(state, chosen) if o.ways]
        law = np.cumsum([float(o.ways) for o in outcomes])
        law /= law[-1]
        law[-1] = 1.0
        return Draw(law, np.array([float(o.payoff[0]) for o in outcomes]), [o.state for o in outcomes])
