"""Policy iteration for one strongly connected component of any kind, with sparse linear systems.

First both players switch to better rows at once (Howard 1960 for one player; Pollatschek and Avi-Itzhak 1969 for two),
with some sweeps of value iteration between two evaluations of a policy. These cost little, and without them two players may
chase each other. This nearly always ends after a few evaluations. If it does not, the minimiser answers optimally before each
switch of the maximiser (Hoffman and Karp 1966), which always ends. For that, a component in which values change sign is doubled,
into states seen with sign + and -, so that one player maximises and the other minimises throughout.

Where play can cycle forever, the values are not determined by the equation v = T(v) alone, and a policy may have no
value. Then a slightly stopped game is solved first: every step inside the component is the last with probability 2^-20,
which makes cycling worth 0 in the long run and payoffs collected by it large. If that takes more than a few rounds, or there are many
states, it is begun with a policy that leads out: values spread from where play leaves by a few steps a round as long as staying seems as
good, but at once along a policy that leads there. The policy that is found is then evaluated and improved without stopping. If that, too,
takes more than a few rounds, play is so long that stopping matters, and is made rarer. States that a policy cycles forever without payoff
are worth 0; if it cycles with payoffs, stopping is made rarer. If it still does, rows that lead to an end are taken where they are equally
good. Such ties are not accidental but the rule where PASS gives v = a - v, so that a player who cycles gets a / 2, as by leaving. If all
this fails, `Unbounded` is raised; at once if the first policy that collects payoffs forever proves that there is no value.
The optimality of the resulting policy is not proven here but by the certificate.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.numbering import number_type
from zermelo.kernels.components import could_stay, improve, isolate, policy_matrix, rest_marked
from zermelo.kernels.condense import Rows
from zermelo.kernels.graph import moves_to_leave
from zermelo.kernels.newton import sweep
from zermelo.methods import linear
from zermelo.methods.layout import laid_out
from zermelo.problem.solver import Fallback, NotConverged, Prove, Unbounded, Witness, unproven

STOPPING = (2.0**-20, 2.0**-30, 2.0**-40)  # the chance that a step stops the game: tried in turn
# That chance, and whether ties are used to reach an end: tried in turn
ATTEMPTS = (*((chance, False) for chance in STOPPING), (STOPPING[0], True))
TIE = 2.0**-14  # relative to the values: more than stopping changes; differences that it hides count again without stopping
TOLERANCES = (1e-14, 1e-12, 1e-10, 1e-8)  # the least gain of a switch, relative to the largest value: tried in turn
FEW = 5  # rounds after which policies change by too little: a first one that leads out, or a game that is stopped more rarely, is better
FAR = 3_000  # states from which on the first policy leads out: sweeps find one near where play leaves, and elsewhere it may go round
SETTLING = 0.25  # the change of values in a round, relative to the one before, from which on they are about to settle
TOGETHER = 50  # rounds of both players switching at once
IN_TURN = 10_000  # rounds of the players switching in turn
SWEEPS = 20  # of value iteration, which find the first policy, and others between two evaluations
ENDED, RECURS, USED_UP = range(3)  # what became of rounds


class Stuck(Exception):
    """The present policy collects payoffs forever in the `states` (local numbers)."""

    def __init__(self, states: np.ndarray, payoff: int):
        self.states, self.payoff = states, payoff
        super().__init__(f"payoff {payoff} of states {states[:10]}")


def solve_component(
    rows: Rows, start: int, end: int, discount: float, value: np.ndarray, policy: np.ndarray, prove: Prove = unproven
) -> list[Fallback]:
    """The general method for one component. Returns the places where a fast method was given up."""
    laid, state = laid_out(Rows(*isolate(rows, start, end, value)))
    block = Block(laid)

    def failed(stuck: Stuck) -> Unbounded:
        place = np.argsort(state)
        witness = Witness(start, end, block.value_if_stopped(stuck.payoff)[place], block.policy[place])
        return prove(Unbounded(start + np.sort(state[stuck.states]), stuck.payoff, witness))

    def give_up_if_proven(stuck: Stuck) -> None:
        if (failure := failed(stuck)).is_proven:
            raise failure

    try:
        block.settle(discount < 1.0, give_up_if_proven)
    except Stuck as stuck:
        raise failed(stuck) from None
    except RuntimeError as failure:
        raise NotConverged(np.arange(start, end), is_sure_to_end=not block.can_circle()) from failure
    value[start + state] = block.value[:-1]
    policy[start + state] = block.policy
    return [Fallback(*how, end - start) for how in sorted(block.given_up)]


class Block:
    """A component by itself (`kernels.components.isolate`), its states as they are swept, with the policy and the values found so far."""

    def __init__(self, rows: Rows):
        self.rows = rows
        self.n = n = rows.player.size
        self.value = np.zeros((n + 1, rows.reward.shape[1]))  # the last row stands for outside
        self.policy = np.zeros(n, np.int32)
        self.order = np.arange(n, dtype=number_type(n))
        self.rest = np.zeros(n, np.bool_)
        self.gains: list[float] = []  # by how much values changed in each round
        self.given_up: set[tuple[str, str]] = set()  # ways to solve linear systems that were given up, and the ones used instead

    def settle(self, discounted: bool, stuck_first: Callable[[Stuck], None] | None = None) -> None:
        """Find an optimal policy and its values. stuck_first : is called if the first policy collects payoffs forever."""
        cycling = not discounted and self.can_circle()
        if not cycling:
            self.sweep(False)
            self.iterate(False)
        else:
            self.settle_circling(stuck_first)
        for j in range(1, self.value.shape[1]):
            self.evaluate(cycling, j)

    def can_circle(self) -> bool:
        """Whether the players together could keep play inside forever."""
        return could_stay(self.rows, 0, self.n, self.order)

    def settle_circling(self, stuck_first: Callable[[Stuck], None] | None) -> None:
        """The stopped game first; stopped more rarely if its policy collects payoffs forever, and then taking ties into account; also more
        rarely if its policy is far from optimal without stopping."""
        far: np.ndarray | None = None
        for attempt, (chance, through_ties) in enumerate(ATTEMPTS):
            if far is not None and through_ties:
                break
            self.begin_stopped(chance, through_ties)
            try:
                if self.switch(True, TOLERANCES[0], (2,), FEW) != USED_UP:
                    return self.iterate(True)
                far = self.policy.copy() if far is None else far
            except Stuck as stuck:
                if attempt == 0 and stuck_first:
                    stuck_first(stuck)
                if attempt == len(ATTEMPTS) - 1:
                    raise
        if far is not None:
            self.policy[:] = far
            with contextlib.suppress(Stuck):
                return self.iterate(True)
            self.begin_stopped(*ATTEMPTS[-1])
        return self.iterate(True)

    def begin_stopped(self, chance: float, through_ties: bool) -> None:
        """The policy that is best in the game that stops with this chance; with rows that lead to an end where they are equally good."""
        stopped = Block(self.stopped(chance))
        stopped.sweep(False)
        if self.n > FAR:
            stopped.lead_out()
        stopped.iterate_or_lead_out(False)
        self.given_up |= stopped.given_up
        self.policy[:] = stopped.policy
        if through_ties:
            self.come_to_an_end(stopped)

    def come_to_an_end(self, stopped: Block) -> None:
        """Where the policy collects payoffs forever, take rows that leave or come to rest if they are equally good in the stopped game."""
        reached = np.empty(self.n, np.bool_)
        if rest_marked(self.rows, 0, self.n, self.order, self.policy, 0, self.rest, reached):
            return
        rows, value = self.rows, stopped.value[:, 0]
        node = np.repeat(np.arange(self.n), np.diff(rows.first_row))
        owner = np.repeat(np.arange(node.size), np.diff(rows.first_outcome))
        worth = rows.reward[:, 0] + np.bincount(owner, stopped.rows.coef * value[rows.next], node.size)
        close = TIE * max(np.max(np.abs(value)), np.max(np.abs(rows.reward[:, 0])))
        tied = np.abs(worth - value[node]) <= close

        def leading(to: np.ndarray) -> np.ndarray:
            return np.bincount(owner[to[rows.next] & (rows.coef != 0.0)], minlength=node.size) > 0

        def take(found: np.ndarray) -> np.ndarray:
            states, first = np.unique(node[found], return_index=True)
            self.policy[states] = np.flatnonzero(found)[first] - rows.first_row[states]
            return states

        rest = np.append(~reached & (np.abs(value[:-1]) <= close), False)
        while True:
            resting = tied & ~rows.pays[:, 0] & rest[node] & ~leading(~rest)
            left = np.append(np.bincount(node[resting], minlength=self.n) > 0, False)
            if (left == rest).all():
                break
            rest = left
        take(resting)
        ended = np.append(reached, True) | rest
        while (found := tied & leading(ended) & ~ended[node]).any():
            ended[take(found)] = True

    def lead_out(self) -> None:
        """A policy by which each player leads play out, to where leaving is good for that player: worth more than the mean of the best and
        the worst place. Of the rows that may come nearer, it takes the one that does so by most in the mean."""
        rows, n = self.rows, self.n
        counts, lengths = np.diff(rows.first_row), np.diff(rows.first_outcome)
        node, owner = np.repeat(np.arange(n), counts), np.repeat(np.arange(lengths.size), lengths)
        to = rows.next.astype(number_type(max(n, lengths.size)))
        chance = np.abs(rows.coef)
        leaves = (to == n) & (chance > 0.0)
        away = np.bincount(owner[leaves], chance[leaves], lengths.size)
        if not away.any():
            return
        worth = np.divide(rows.reward[:, 0], away, where=away > 0.0, out=np.zeros(away.size))
        mean = worth[away > 0.0].min() / 2 + worth[away > 0.0].max() / 2
        for player in different(rows.player).tolist():
            is_good = worth >= mean if player == 0 else worth <= mean
            ways = np.where(leaves & ~is_good[owner], 0.0, chance)
            moves = np.zeros(n + 1, to.dtype)
            moves_to_leave(rows.first_row, rows.first_outcome, to, ways, moves[:-1])
            left = moves[to]
            nearer = np.bincount(owner, (left < moves[node[owner]]) & (ways > 0.0), lengths.size) > 0
            total = np.bincount(owner, ways, lengths.size)
            later = np.divide(np.bincount(owner, ways * left, lengths.size), total, where=total > 0.0, out=np.zeros(total.size))
            order = np.lexsort((later, ~nearer, node))  # of each node, the best row first
            own = (rows.player == player) & (moves[:-1] <= n)
            self.policy[own] = (order[rows.first_row[:-1]] - rows.first_row[:-1])[own]

    def iterate_or_lead_out(self, cycling: bool) -> None:
        """`iterate`, begun again with a policy that leads out if that takes more than a few rounds, and values change as much as before."""
        if self.switch(cycling, TOLERANCES[0], (2,), FEW) == USED_UP and not self.gains[-1] <= SETTLING * self.gains[-2]:
            self.lead_out()
        self.iterate(cycling)

    def stopped(self, chance: float) -> Rows:
        """The rows of the game in which each step inside is the last with this chance."""
        return self.rows._replace(
            coef=np.where(self.rows.next < self.n, self.rows.coef * (1.0 - chance), self.rows.coef)
        )

    def value_if_stopped(self, payoff: int) -> np.ndarray:
        """float64[n]: the value of a payoff under the policy in the slightly stopped game."""
        stopped = Block(self.stopped(STOPPING[0]))
        stopped.policy[:] = self.policy
        stopped.evaluate(False, payoff)
        return stopped.value[:-1, payoff]

    def sweep(self, evaluated: bool, most: int = SWEEPS) -> None:
        """A policy by some sweeps of value iteration from the present values; if those are a policy's, until one changes no row."""
        nowhere, nothing = np.full(self.n, -1, np.int32), np.empty(0)
        self.rest[:] = False
        for _ in range(most):
            changed, _ = sweep(self.rows, 0, self.n, self.order, nowhere, 0, True, -1.0, self.rest, self.value, self.policy, nothing)
            if evaluated and not changed:
                break

    def iterate(self, cycling: bool) -> None:
        """Policy iteration, both players at once, or otherwise in turn; with a larger tolerance if rounding keeps it from ending."""
        for tolerance in TOLERANCES:
            if self.switch(cycling, tolerance, (2,), TOGETHER) == ENDED or self.switch_in_turn(cycling, tolerance):
                return
        raise RuntimeError("policy iteration does not end")

    def switch_in_turn(self, cycling: bool, tolerance: float) -> bool:
        """Hoffman and Karp: the maximiser improves against the minimiser's best answer."""
        if not (self.rows.coef < 0.0).any():
            return self.switch(cycling, tolerance, (1, 0), IN_TURN) == ENDED
        both = Block(doubled(self.rows))
        both.policy[:] = np.tile(self.policy, 2)
        ended = both.switch(cycling, tolerance, (1, 0), IN_TURN)
        self.given_up |= both.given_up
        self.policy[:] = both.policy[: self.n]
        self.evaluate(cycling, 0)
        return ended == ENDED

    def switch(self, cycling: bool, tolerance: float, players: tuple[int, ...], rounds: int) -> int:
        """Rounds in which the first of `players` who can gain switches. Returns ENDED, RECURS if policies do, or USED_UP."""
        seen = set()
        for _ in range(rounds):
            before = self.value[:, 0].copy()
            self.evaluate(cycling, 0)
            with np.errstate(invalid="ignore"):  # values may be infinite
                self.gains.append(float(np.max(np.abs(self.value[:, 0] - before))))
            if not any(improve(self.rows, 0, self.n, self.value, self.policy, who, tolerance) for who in players):
                return ENDED
            policy = hash(self.policy.tobytes())
            if policy in seen:
                return RECURS
            seen.add(policy)
            if players == (2,) and not cycling:  # where play can stay forever, sweeps may change to rows that stay and are equally good
                self.sweep(True)
        return USED_UP

    def evaluate(self, cycling: bool, j: int) -> None:
        """Payoff j under the policy."""
        self.rest[:] = False
        reached = np.empty(self.n, np.bool_)
        if cycling and not rest_marked(self.rows, 0, self.n, self.order, self.policy, j, self.rest, reached):
            raise Stuck(np.flatnonzero(~reached), j)
        transition = policy_matrix(self.rows, self.policy, self.rest)
        right = np.where(self.rest, 0.0, self.rows.reward[self.rows.first_row[:-1] + self.policy, j])
        self.value[:-1, j] = linear.solve(transition, right[:, None], self.value[:-1, j : j + 1], self.given_up)[:, 0]


def doubled(rows: Rows) -> Rows:
    """States s with sign + and n + s with sign -: all coefficients are positive then, and the players change at -."""
    n, outside = rows.player.size, rows.next == rows.player.size
    passes = rows.coef < 0.0
    plus = np.where(outside, 2 * n, rows.next + n * passes)
    minus = np.where(outside, 2 * n, rows.next + n * ~passes)
    return Rows(
        0,
        np.concatenate([rows.first_row, rows.first_row[1:] + rows.first_row[-1]]),
        np.concatenate([rows.first_outcome, rows.first_outcome[1:] + rows.first_outcome[-1]]),
        np.concatenate([plus, minus]).astype(number_type(2 * n)),
        np.tile(np.abs(rows.coef), 2),
        np.concatenate([rows.reward, -rows.reward]),
        np.tile(rows.pays, (2, 1)),
        np.concatenate([rows.player, 1 - rows.player]),
    )
