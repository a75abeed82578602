"""Playing a solved game many times at compiled speed, on all cores: the spread of payoffs and lengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.answers.base import Answers, Coded, CountsDown, Entered, StoppingLine
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.basics.runs import running
from zermelo.basics.threads import ranges, shared
from zermelo.basics.words import counted
from zermelo.cluster.connection import check_address
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import TOO_LONG_TO_PLAY
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels import simulate as kernels
from zermelo.kernels.chain import CYCLES_PAYING
from zermelo.kernels.simulate import BLOCK, NEGLIGIBLE, PAID_CIRCLE, TOO_LONG
from zermelo.problem.transitions import Transitions
from zermelo.uses.best_play import own_policy
from zermelo.uses.board_line import simulate_on_board
from zermelo.uses.chain import (
    as_played,
    check_decides,
    component_of,
    cycling_error,
    deciding_seat,
    edge_starts,
    endless_states,
    play_out,
    policies_of,
    show_state,
    where_paid,
    without_circling,
)
from zermelo.uses.evaluate_joint import joint_chain
from zermelo.uses.evaluation import Policy
from zermelo.uses.need import apart, explored_of, tabled
from zermelo.uses.plays import MOST_PLAYS, Simulation, Stuck, play_all
from zermelo.uses.probe import known_start, payoffs_of
from zermelo.uses.simulate_counted import simulate_counted
from zermelo.uses.simulate_entered import simulate_entered
from zermelo.uses.simulate_urn import simulate_urn
from zermelo.uses.until import rely
from zermelo.uses.ways import Way, way_for

MAX_LENGTH = 10**7
SHARES = 4  # of each thread, of the plays of a batch, which take different times
PREPARED = 1 << 12  # the fewest states that a thread prepares for drawing
BIAS = 1e-12  # of a mean, by what is not followed with a discount; relative
WAYS = (
    Way(StoppingLine, simulate_urn, only_large=True),
    Way(Entered, simulate_entered, only_large=True),
    Way(Coded, simulate_on_board),
)
TOGETHER = (  # plays that a cluster does not share, and why
    (Entered, "its plays go through its stages together, on one machine"),
    (CountsDown, "its plays make their moves together, on one machine"),
    (Coded, "there is no chance, so that every play is the same one"),
)
OPTIMAL_WAYS = (Way(StoppingLine, simulate_urn), Way(CountsDown, simulate_counted, only_large=True), *WAYS)  # if no policy is given


def simulate(
    answers: Answers,
    plays: int,
    seed: int = 0,
    policy: Policy | None = None,
    *,
    opponent: Policy | None = None,
    seat: int = 0,
    max_length: int = MAX_LENGTH,
    cluster: str | None = None,
    progress: Progress = silent,
) -> Simulation:
    """Play from the start many times: the optimal policy, or `policy` in `seat` against `opponent` (by default the
    stored optimal policy: of several equally good actions it takes one, not the least favourable as in `evaluate`).

    The same seed gives the same result, whatever the number of threads, or of machines of a `cluster`. Raises `ParameterError`;
    `NoValue` where play cycles forever while payoffs go on; `OutOfReach` for plays longer than `max_length` moves.
    """
    plays, seed, max_length = whole("plays", plays, 1, MOST_PLAYS), whole("seed", seed, 0), whole("max_length", max_length, 1)
    if cluster is not None:
        check_address(cluster)
        if (why := next((why for capability, why in TOGETHER if answers.lacks(capability) is None), None)) is not None:
            raise ParameterError(f"{answers.rules.name}: {why}; `cluster` shares the plays of other games among machines")
    for given in (policy, opponent):
        check_decides(answers.rules, given)
    ways = OPTIMAL_WAYS if policy is None and opponent is None else WAYS
    way = way_for(answers, ways, _through_all_states)
    simulation: Simulation = way(answers, plays, seed, policy, opponent, seat, max_length, progress, cluster)
    return simulation


def _through_all_states(
    answers: Answers, plays: int, seed: int, policy: Policy | None, opponent: Policy | None, seat: int, max_length: int, progress: Progress,
    cluster: str | None,
) -> Simulation:  # fmt: skip
    is_optimal = policy is None and opponent is None
    solved = tabled(answers, "playing" if is_optimal else "playing a policy of your own", progress)
    table = solved if is_optimal else apart(solved, progress)
    explored = explored_of(table)
    if is_optimal:
        deciding_seat(table, explored, seat, None)
        chain, start = as_played(table, explored), explored.start
        states = np.arange(explored.num_states)
        # plays that are cut off are paid the lower bound
        values = {} if table.rules.is_cut_off else payoffs_of(table, known_start(table))
    elif table.rules.is_simultaneous:
        chain, start = joint_chain(table, policy, opponent, seat, progress), explored.start
        states, values = np.arange(explored.num_states), {}
    else:
        lifted = play_out(explored, policies_of(table, explored, policy, opponent, seat, own_policy(solved, table, explored)), progress)
        if table.rules.must_end:
            without_circling(lifted)  # raises: plays that never end are worth infinitely much
            if table.report.is_for_two and (policy is None or opponent is None):
                rely(table, explored, lifted.nodes >> 1)
        chain, start, states, values = lifted.game, lifted.start, lifted.nodes >> 1, {}
    player = ChainPlays(explored, chain, start, states, table.discount, max_length, known_start(table).values)
    return play_all(player, plays, seed, values, progress, cluster)


def least_weight(chain: Transitions, discount: float, values: Sequence[Number]) -> float:
    """The weight below which what follows in a play does not matter: for each expected payoff no more than BIAS of it."""
    least = NEGLIGIBLE
    if discount == 1:
        return least
    for j, value in enumerate(map(float, values)):
        largest = max(float(np.abs(paid[:, j]).max(initial=0.0)) for paid in (chain.payoff, chain.final_payoff))
        if largest > 0 and math.isfinite(value) and value != 0:
            least = min(least, BIAS * abs(value) * (1 - discount) / largest)
    return least


class ChainPlays:
    """A chain prepared for simulation."""

    def __init__(
        self, explored: Explored, chain: Transitions, start: int, states: np.ndarray, discount: float, max_length: int,
        values: Sequence[Number] = (),
    ):  # fmt: skip
        """values : what is expected of each payoff, roughly; of those that are 0 or left out nothing is known."""
        self.explored, self.start, self.states, self.discount, self.max_length = (
            explored,
            start,
            states,
            discount,
            max_length,
        )
        self.names, self.block = explored.rules.payoffs, BLOCK
        self.edge_start = edge_starts(chain)
        self.kind = np.zeros(chain.high, np.int8)
        self.game: Transitions | None = None  # as it was, where payoffs go on for ever: a message names a cycle of it
        if explored.facts["cycles"] and discount == 1.0:
            self.kind = endless_states(chain)
            self.game = chain if (self.kind == CYCLES_PAYING).any() else None
            chain = self._without_circling(chain) if self.kind.any() else chain
        self.columns, self.numbers = kernels.columns_for(len(chain.next), chain.next.dtype), chain.next.dtype
        self.alias = np.empty(len(chain.next), np.int32)
        states = self.columns.view(self.numbers)

        def table(low: int, high: int) -> None:
            starts = self.edge_start[low : high + 1]
            own = slice(starts[0], starts[-1])  # a thread gets nothing that others write to
            kernels.alias_tables(
                starts, chain.ways[own], chain.next[own], chain.sign[own], self.columns[own], states[own], self.alias[own]
            )

        shared(lambda part: table(*part), ranges(chain.high, PREPARED))
        self.payoff, self.final_payoff = chain.payoff, chain.final_payoff
        self.pays = bool(self.payoff.any())
        paid = (self.payoff, self.final_payoff) if self.pays else (self.final_payoff,)
        self.least = least_weight(chain, discount, values)
        self.is_whole = discount == 1.0 and all(bool((p == np.rint(p)).all()) for p in paid)

    def _without_circling(self, chain: Transitions) -> Transitions:
        """Play that can't leave a component ends there."""
        counts = np.diff(self.edge_start)
        keep = np.repeat(self.kind == 0, counts)
        self.edge_start = running(np.where(self.kind == 0, counts, 0))
        return chain._replace(
            ways=chain.ways[keep], next=chain.next[keep], sign=chain.sign[keep], payoff=chain.payoff[keep]
        )

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, payoffs], lengths int64[plays], whether they cycle bool[plays]."""
        totals = np.empty((plays, self.payoff.shape[1]))
        lengths, cycled = np.empty(plays, np.int64), np.empty(plays, np.bool_)
        blocks = -(-plays // BLOCK)
        how, where = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
        states = self.columns.view(self.numbers)

        def some(part: tuple[int, int]) -> None:
            own, own_blocks = slice(part[0] * BLOCK, part[1] * BLOCK), slice(*part)  # a thread gets nothing that others write to
            kernels.play_blocks(
                first_block + part[0], seed, self.start, self.edge_start, self.columns, states, self.alias, self.payoff, self.pays,
                self.final_payoff, self.kind, self.discount, self.least, self.max_length, totals[own], lengths[own], cycled[own],
                how[own_blocks], where[own_blocks],
            )  # fmt: skip

        shared(some, ranges(blocks, 1, SHARES))
        if how.any():
            bad = int(np.flatnonzero(how)[0])
            raise Stuck(int(how[bad]), int(where[bad]))
        return totals, lengths, cycled

    def __getstate__(self) -> dict[str, Any]:
        """For processes that only play: without the game."""
        return {name: value for name, value in self.__dict__.items() if name not in ("explored", "states", "game")}

    def show(self, node: int) -> str:
        """The state of a node as readable text."""
        return show_state(self.explored, int(self.states[node]))

    def explained(self, how: int, where: int) -> Exception:
        """The error for a play that can't be counted."""
        state = self.show(where)
        if how == PAID_CIRCLE:
            assert self.game is not None
            return cycling_error(self.explored.rules, where_paid(self, component_of(self.game, where)))
        assert how == TOO_LONG
        return OutOfReach(
            f"{self.explored.rules.name}: a play was still going on after {counted(self.max_length, 'move')}, at {state}; "
            f"{TOO_LONG_TO_PLAY}"
        )
