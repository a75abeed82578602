"""Exact answers: the values of a game as rational numbers, and its policy proven optimal.

The game is solved component by component. Where play cannot return, the best action is found directly (in machine words where they
fit, kernels/rational_words.py). Where it can, the values v of a policy are found by an exact linear solve (rational_linear.py), and every
action of every state is compared in rationals; an action that is strictly better replaces the chosen one and the component is solved
again. The result satisfies the optimality equation exactly. Any policy will do as the first one; in a component with choices it is the
one that floats find (rational_floats.py), without a bound, which saves rounds. If policies on the way have no value, or the proof below
fails, the component is solved again from policies that are optimal with discounts close to 1, which are found from any start.

Where play cannot return, and with a discount, that equation has one solution. Where play may cycle forever it can have many. A
minimiser who may leave for 1 or cycle unpaid with the maximiser satisfies it with 1, though cycling yields 0. So it is
proven from each side that the player P of that side can't do better than v while the opponent keeps to the policy. PASS changes
the sides, and on the opponent's side everything is negated, so that P always maximises.

1. No row is worth more than v by v itself. So what was paid so far plus v of the present state never rises in expectation.
2. It stays equal only along *tight* rows, those that are worth exactly v. A play that uses other rows again and again loses
   without end. Any other play that doesn't leave the component stays at last in an end component of the tight rows (de Alfaro
   1997): a set in which P can stay forever, by P's tight rows and the policy's rows of the opponent.
3. In each maximal end component of these, every payment must be exactly v(state) - v(next), outcome for outcome, and v must not
   be negative. Then a play that stays there from s on is paid v(s) - v(present state), never more than v(s). Above all, v is constant
   where nothing is paid, and staying is worth 0. (What swings forever counts as what it is on average, which may be less than
   v(s) though v is negative somewhere: that is left to floats, certificates/verify.py.)

So P gets at most v with any strategy. As that holds on both sides, v is the value and the policy is optimal. If nothing is paid and
v is negative, P does better by staying. P then switches to rows that stay, and the component is solved again. If anything else fails,
the policy switches, once, to rows that are tight and lead out, so that an opponent leaves who might cycle as well; then
`OutOfReach` is raised. Other payoffs are what the policy pays: an exact solution of a system that has only one.

As a safety net, the optimality equation is evaluated once more in floats, with bounds of their rounding errors (`require_fit`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpz
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from zermelo.basics.different import different
from zermelo.basics.numbers import WHOLE, written
from zermelo.basics.progress import silent
from zermelo.errors import OutOfReach
from zermelo.kernels.rational_words import MOST, settle_in_words
from zermelo.methods.lumping import lumped
from zermelo.methods.rational_linear import solve
from zermelo.methods.rational_matrix import Column, Matrix, combine, matrix_of, pieces
from zermelo.problem.solver import (
    IN_FLOATS,
    Fallback,
    Problem,
    Progress,
    Result,
    SolverFailure,
    Unbounded,
    Unproven,
    told,
)
from zermelo.problem.transitions import Transitions, from_both_sides
from zermelo.solvers.rational_alike import SAFE, Names, alike
from zermelo.solvers.rational_floats import ROUGHLY, TINY, FirstPolicy, require_fit, row_values
from zermelo.solvers.rational_values import ExactValues, Ratio

MAX_ROUNDS = 300
FIRST, SECOND = "policy iteration in rationals", "the policy that is best with a discount close to 1"
NEARLY_ONE = (10, 30, 90)  # discounts 1 - 2^-bits that are tried where policies on the way have no value
SEVERAL = 1 << 10  # components at most that are solved in long integers before words are tried again
TOGETHER = 50  # rounds in which both players switch at once; after that, or if policies recur, they switch in turn

Terms = list[tuple[int, Any, Any]]  # sum of weight * numerator / denominator


def solve_exactly(
    problem: Problem, discount: float | Fraction, progress: Progress, start: np.ndarray | None = None
) -> tuple[ExactValues, Result]:
    """Rational values of every state; and as floats with their rounding errors, with a policy that is proven optimal.

    start : int32[n], a policy from which components are solved; without it, floats look for one where there are choices.

    Raises `OutOfReach` with the reason if a component is too large, or if the rules contain numbers that are not exact; `Unbounded`
    where there is no value; `NoMemory` if the values do not fit into memory.
    """
    n, payoffs = problem.num_states, problem.num_payoffs
    policy = np.full(n, -1, np.int32) if start is None else start.copy()
    values = ExactValues(n, payoffs)
    value, error = np.zeros((2, n, payoffs))
    again: list[Fallback] = []
    for batch, components in problem.batches():
        here = slice(batch.low, batch.high)
        first = None
        if start is None:
            policy[here] = np.where(np.diff(batch.action_start) > 0, 0, -1)
            first = FirstPolicy(problem, batch, values, value, policy, float(discount))
        game = _Exact(batch, values, policy, written(discount), payoffs, first)
        game.progress = progress
        for solved_so_far in game.settle_all(components):
            progress("solving in rationals", solved_so_far, n)
        again += game.again
        for j in range(payoffs):
            value[here, j] = values.floats(np.arange(batch.low, batch.high), j)
            error[here, j] = np.where(values.are_whole(here, j), 0.0, np.abs(value[here, j]) * ROUGHLY + TINY)
        if not np.isfinite(value[here]).all():
            raise OutOfReach(
                "values beyond 1.8e308 are more than floats hold, which are kept beside fractions; give payoffs in a larger unit"
            )
        require_fit(batch, value, policy, float(discount))
    argument = (
        "proof: the values are rational numbers that satisfy the optimality equation exactly, every action of every state "
        "compared in rationals, and nobody does better by cycling forever"
    )
    return values, Result(value, policy, error, None, argument, notes=told(again))


class _Exact:
    """One batch of transitions in whole numbers."""

    def __init__(
        self,
        batch: Transitions,
        values: ExactValues,
        policy: np.ndarray,
        discount: Fraction,
        payoffs: int,
        first: FirstPolicy | None = None,
    ):
        self.batch, self.values, self.policy, self.discount, self.payoffs = batch, values, policy, discount, payoffs
        self.first = first
        self.again: list[Fallback] = []  # components that were solved from policies for a discount
        self.progress: Progress = silent
        self.whole_ways, _ = _whole(batch.ways)  # scaled together: probabilities stay what they were
        self.whole_payoff, self.payoff_scale = _whole(batch.payoff)
        self.whole_final, self.final_scale = _whole(batch.final_payoff)

    # The arrays as lists, which are faster to read number by number.

    @cached_property
    def action_start(self) -> list[int]:
        return self.batch.action_start.tolist()

    @cached_property
    def outcome_start(self) -> list[int]:
        return self.batch.outcome_start.tolist()

    @cached_property
    def next(self) -> list[int]:
        return self.batch.next.tolist()

    @cached_property
    def sign(self) -> list[int]:
        return self.batch.sign.tolist()

    @cached_property
    def ways(self) -> list[int]:
        return self.whole_ways.tolist()

    @cached_property
    def payoff(self) -> list[list[int]]:
        return self.whole_payoff.tolist()

    def settle_all(self, components: np.ndarray) -> Iterator[int]:
        """Solve all components, in words where that is possible; yields the number of states that are solved."""
        at, several = 0, 1
        while at < len(components) - 1:
            begin, at = at, self._settled_in_words(at, components)
            several = 1 if at > begin else min(2 * several, SEVERAL)  # tried less often where nearly all numbers are long
            for low, high in pairwise(components[at : at + several + 1].tolist()):
                self.settle(low, high)
                yield high
            at = min(at + several, len(components) - 1)
            yield int(components[at])

    def _settled_in_words(self, at: int, components: np.ndarray) -> int:
        """Solve components from number `at` on; the number of the first one that takes long integers."""
        batch, values = self.batch, self.values
        scales = (self.discount.numerator, self.discount.denominator, self.payoff_scale, self.final_scale)
        arrays = (self.whole_ways, self.whole_payoff, self.whole_final)
        if any(a.dtype == object for a in arrays) or max(scales) >= MOST:
            return at
        top, bottom, unit, final_unit = (np.int64(s) for s in scales)
        return int(
            settle_in_words(
                batch.low, at, components, batch.action_start, batch.outcome_start, self.whole_ways, batch.next, batch.sign,
                self.whole_payoff, self.whole_final, batch.player, (top, bottom), (unit, final_unit), values.numerator,
                values.denominator, self.policy,
            )
        )  # fmt: skip

    def settle(self, low: int, high: int) -> None:
        """Solve the component low..high-1; all earlier ones are solved."""
        if high - low == 1 and not self._returns(low):
            self._settle_one(low)
            return
        if self.first is not None and self._has_choice(low, high):
            self.first.find(low, high)
        try:
            self._iterate(low, high)
        except (Unbounded, Unproven, OutOfReach) as failure:
            if self.discount < 1:
                raise
            if self.first is not None and isinstance(failure, Unbounded):
                self.first.find(low, high)  # which may prove that there is no value
            for number, bits in enumerate(NEARLY_ONE, 1):
                self.progress(f"solving {high - low:,} states in rationals again, with a discount close to 1", number, len(NEARLY_ONE))
                if self._is_settled_by_discount(low, high, bits):
                    self.again.append(Fallback(FIRST, SECOND, high - low))
                    return
            raise

    def _is_settled_by_discount(self, low: int, high: int, bits: int) -> bool:
        """Solve the component from the policy that is optimal with the discount 1 - 2^-bits; whether that is proven.

        Every policy has a value with a discount, so that policy iteration converges from any start; and a policy that is optimal with all
        discounts close to 1 is optimal without one, wherever there is a value (Blackwell 1962)."""
        try:
            self.discount = 1 - Fraction(1, 1 << bits)
            try:
                self._iterate(low, high)
            finally:
                self.discount = Fraction(1)
            self._iterate(low, high)
        except (Unbounded, Unproven, OutOfReach):
            return False
        return True

    def _iterate(self, low: int, high: int) -> None:
        """Policy iteration from the present policy, to values that are proven. Raises `Unbounded`, `Unproven`, `OutOfReach`."""
        came_to_an_end, left_by_ties, seen, in_turn = False, False, set(), False
        valued: np.ndarray | None = None  # the policy to which the present values belong
        tight: list[list[int]] = []
        for attempt in range(MAX_ROUNDS):
            policy = self.policy[low:high].tobytes()
            if not in_turn and (attempt == TOGETHER or policy in seen):
                in_turn = True
                if self._passes(low, high):
                    self._switch_on_both_sides(low, high)
            seen.add(policy)
            try:
                changed = self._evaluate(low, high, valued)
                valued = self.policy[low:high].copy()
            except Unbounded as endless:
                valued = None
                if came_to_an_end:
                    raise Unproven(endless.states, f"{endless.why}, under a policy that was tried on the way", IN_FLOATS) from None
                came_to_an_end = True
                self._come_to_an_end(low, high, endless)
                continue
            concerned = self._concerned(low, high, changed) if tight and not in_turn else np.arange(high - low)
            tight = tight or [[]] * (high - low)
            is_better = self._improve(low, high, concerned, tight, (1, 0) if in_turn else ())
            try:
                if not is_better and not self._stay(low, high, tight):
                    return
            except Unproven:
                if left_by_ties or not self._leave_by_ties(low, high, tight):
                    raise
                left_by_ties = True
        raise OutOfReach(
            f"the exact policy of states {low}..{high - 1} did not converge in {MAX_ROUNDS} rounds; please report this game"
        )

    def _passes(self, low: int, high: int) -> bool:
        """Whether PASS leads from one state of the component to another."""
        rows = (row for i in range(low, high) for row in self._rows(i))
        return any(self.sign[o] < 0 and low <= self.next[o] < high for row in rows for o in self._outcomes(row))

    def _switch_on_both_sides(self, low: int, high: int) -> None:
        """The policy of the component, solved without PASS: every state counts twice, once with each sign.

        `player` gives the player who maximises in the player's own view. With PASS that is either of the two, so that neither can switch
        first."""
        n = high - low
        batch, outside = from_both_sides(self.batch, low, high)
        values = ExactValues(2 * n + 2 * len(outside), self.payoffs)
        for k, i in enumerate(outside.tolist()):
            ratios = self.values.ratios(i)
            values.put(2 * n + k, ratios)
            values.put(2 * n + len(outside) + k, tuple((-p, q) for p, q in ratios))
        policy = np.tile(self.policy[low:high], 2)
        both = _Exact(batch, values, policy, self.discount, self.payoffs)
        both.progress = self.progress
        try:
            both._iterate(0, 2 * n)
        except SolverFailure as failure:
            failure.states = sorted({low + s % n for s in failure.states})
            raise
        self.policy[low:high] = policy[:n]

    # --- one state ----------------------------------------------------------------------------------------------------

    def _rows(self, state: int) -> range:
        i = state - self.batch.low
        return range(self.action_start[i], self.action_start[i + 1])

    def _chosen(self, state: int) -> int:
        return self.action_start[state - self.batch.low] + int(self.policy[state])

    def _outcomes(self, row: int) -> list[int]:
        """The outcomes that can happen."""
        return [o for o in range(self.outcome_start[row], self.outcome_start[row + 1]) if self.ways[o]]

    def _pays(self, row: int, payoffs: slice = slice(None)) -> bool:
        return any(any(self.payoff[o][payoffs]) for o in self._outcomes(row))

    def _has_choice(self, low: int, high: int) -> bool:
        return self.action_start[high - self.batch.low] - self.action_start[low - self.batch.low] > high - low

    def _returns(self, state: int) -> bool:
        return any(self.next[o] == state for row in self._rows(state) for o in self._outcomes(row))

    def _settle_one(self, state: int) -> None:
        rows = self._rows(state)
        if not rows:
            final = self.whole_final[state - self.batch.low].tolist()
            self.values.put(state, tuple(_reduced((fmpz(v), fmpz(self.final_scale))) for v in final))
            return
        values_of_rows = self._row_values(rows, 0)
        best = self._best(state, values_of_rows)
        self.policy[state] = best
        row = rows[best]
        rest = [self._row_values([row], j) for j in range(1, self.payoffs)]
        first = (values_of_rows.numerator[best], values_of_rows.denominator)
        self.values.put(state, tuple(_reduced(r) for r in (first, *((c.numerator[0], c.denominator) for c in rest))))

    def _row_values(self, rows: Sequence[int], payoff: int) -> Column:
        """The value of each row, as fractions over one denominator."""
        return combine(self._terms(row, payoff, sum(self.ways[o] for o in self._outcomes(row))) for row in rows)

    def _terms(self, row: int, payoff: int, divisor: int) -> Terms:
        """ways * (payoff + sign * discount * next value) / divisor."""
        terms: Terms = []
        top, bottom = self.discount.numerator, self.discount.denominator
        gain = 0
        for o in self._outcomes(row):
            gain += self.ways[o] * self.payoff[o][payoff]
            numerator, denominator = self.values.ratios(self.next[o])[payoff]
            terms.append((self.ways[o] * self.sign[o] * top, numerator, denominator * (divisor * bottom)))
        if gain:
            terms.append((gain, fmpz(1), fmpz(divisor * self.payoff_scale)))
        return terms

    def _best(self, state: int, values: Column) -> int:
        """The best row: the chosen one unless another is strictly better."""
        sense = -1 if self.batch.player[state - self.batch.low] else 1
        best = int(self.policy[state])
        for a, value in enumerate(values.numerator):
            if sense * value > sense * values.numerator[best]:
                best = a
        return best

    # --- components ---------------------------------------------------------------------------------------------------

    def _evaluate(self, low: int, high: int, valued: np.ndarray | None = None) -> np.ndarray:
        """Exact values of low..high-1 under the policy; bool[high - low], where they are new. valued : int32[high - low], the policy to
        which their present values belong: they stay where play does not come to a state in which the policy is another one."""
        resting = self._resting(low, high)
        changed = np.ones(high - low, bool) if valued is None else self._leading_to(low, high, valued != self.policy[low:high])
        zero = ((fmpz(0), fmpz(1)),) * self.payoffs
        for i in np.flatnonzero(resting & changed).tolist():
            self.values.put(low + i, zero)
        unknown = np.flatnonzero(changed & ~resting)
        if unknown.size:
            equations = self._equations(low, high, unknown)
            right = [self._right(equations, j) for j in range(self.payoffs)]
            classes = lumped(equations.matrix, right, equations.weight)
            if classes is None:
                solution = solve(equations.matrix, right, self.progress)
            else:
                solution = classes.of_unknowns(solve(classes.matrix, classes.right, self.progress))
            self.values.put_columns((low + unknown).tolist(), solution)
        return changed

    def _concerned(self, low: int, high: int, changed: np.ndarray) -> np.ndarray:
        """int64: the states of low..high-1, counted from 0, whose value is new or that can come to such a state in one step."""
        begin, end = self.batch.action_start[[low - self.batch.low, high - self.batch.low]].tolist()
        first, last = self.batch.outcome_start[[begin, end]].tolist()
        following = self.batch.next[first:last].astype(np.int64) - low
        inside = np.flatnonzero((following >= 0) & (following < high - low))
        leads = first + inside[changed[following[inside]]]
        rows = np.searchsorted(self.batch.outcome_start, leads, side="right") - 1
        states = np.searchsorted(self.batch.action_start, rows, side="right") - 1 + self.batch.low - low
        return different(states, np.flatnonzero(changed))

    def _leading_to(self, low: int, high: int, goals: np.ndarray) -> np.ndarray:
        """bool[high - low]: the states of low..high-1 from which the policy may come to one of the goals without leaving, and the goals."""
        state, outcome = self._chosen_outcomes(low, high)
        following = self.batch.next[outcome].astype(np.int64) - low
        stays = (following >= 0) & (following < high - low)
        edges = following[stays], state[stays] - low
        return leading_to(goals, csr_matrix((np.ones(len(edges[0]), np.int8), edges), shape=(high - low, high - low)))

    def _chosen_outcomes(self, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """(state, outcome): those of the policy that can happen, state by state."""
        batch = self.batch
        rows = batch.action_start[low - batch.low : high - batch.low] + self.policy[low:high]
        state, outcome = pieces(batch.outcome_start[rows], batch.outcome_start[rows + 1])
        happens = self.whole_ways[outcome] != 0
        return low + state[happens], outcome[happens]

    def _equations(self, low: int, high: int, unknown: np.ndarray) -> Equations:
        """Those of the unknown states of low..high-1: ways * (value - discount * sign * next value) = what is paid and known, in whole
        numbers. All other values are known. The ways of a row are in lowest terms, so that the nonzeros of the matrix are short."""
        position = np.full(high - low, -1)
        position[unknown] = np.arange(unknown.size)
        state, outcome = self._chosen_outcomes(low, high)
        row = position[state - low]
        row, outcome = row[row >= 0], outcome[row >= 0]
        first = np.flatnonzero(np.diff(row, prepend=-1))
        ways = self.whole_ways[outcome]
        ways = ways // np.gcd.reduceat(ways, first)[row]
        top, bottom = self.discount.numerator, self.discount.denominator
        sums = np.add.reduceat(ways.astype(float), first)
        if int(sums.max()) * max(top, bottom) >= MOST:
            ways = ways.astype(object)
        following = self.batch.next[outcome].astype(np.int64) - low
        is_inside = (following >= 0) & (following < high - low)
        column = np.where(is_inside, position[np.where(is_inside, following, 0)], -1)
        kept = column >= 0
        signed = np.where(self.batch.sign[outcome] < 0, -ways, ways) * top
        diagonal, weight = np.arange(unknown.size), np.add.reduceat(ways, first) * bottom
        matrix = matrix_of(
            unknown.size,
            np.concatenate([diagonal, row[kept]]),
            np.concatenate([diagonal, column[kept]]),
            np.concatenate([weight, -signed[kept]]),
        )
        return Equations(matrix, weight, row, outcome, ways * bottom, signed, ~kept)

    def _right(self, equations: Equations, payoff: int) -> Column:
        """ways * payoff + the contribution of known values, times the denominator of the discount."""
        sums: list[Terms] = [[] for _ in range(equations.matrix.size)]
        _, _, row, outcome, ways, signed, is_known = equations
        paid = self.whole_payoff[outcome, payoff]
        pays = np.flatnonzero(paid != 0)
        weight, paid = ways[pays], paid[pays]
        if int(np.abs(weight).max(initial=0)) * int(np.abs(paid).max(initial=0)) * len(pays) >= SAFE:
            weight, paid = weight.astype(object), paid.astype(object)
        unit, first = fmpz(self.payoff_scale), np.flatnonzero(np.diff(row[pays], prepend=-1))
        gains = np.add.reduceat(weight * paid, first).tolist() if pays.size else []
        for k, gain in zip(row[pays[first]].tolist(), gains, strict=True):
            sums[k].append((gain, fmpz(1), unit))
        known = np.flatnonzero(is_known)
        name, ratios = self._named(self.batch.next[outcome[known]], payoff)
        order = np.lexsort((name, row[known]))
        name, known = name[order], known[order]
        first = np.flatnonzero((np.diff(row[known], prepend=-1) != 0) | (np.diff(name, prepend=-1) != 0))
        weight = signed[known]
        if int(np.abs(weight).max(initial=0)) * len(known) >= SAFE:
            weight = weight.astype(object)
        total = np.add.reduceat(weight, first).tolist() if known.size else []
        for k, which, ways_there in zip(row[known[first]].tolist(), name[first].tolist(), total, strict=True):
            sums[k].append((ways_there, *ratios[which]))
        return combine(sums)

    def _named(self, states: np.ndarray, payoff: int) -> tuple[np.ndarray, list[Ratio]]:
        """(int64[len(states)], values): the number of each state's value in a list of different ones."""
        distinct, place = np.unique(states, return_inverse=True)
        numbers: dict[Ratio, int] = {}
        number = [numbers.setdefault(self.values.ratios(i)[payoff], len(numbers)) for i in distinct.tolist()]
        return np.array(number, np.int64)[place], list(numbers)

    def _resting(self, low: int, high: int) -> np.ndarray:
        """bool[high - low]: the states from which the policy never leaves and never pays: they are worth 0. None with a discount, which
        determines all.

        Raises `Unbounded` unless play leaves or comes to rest from everywhere, sooner or later: only then are the values determined.
        """
        n = high - low
        if self.discount < 1:
            return np.zeros(n, bool)
        state, outcome = self._chosen_outcomes(low, high)
        following, state = self.batch.next[outcome].astype(np.int64) - low, state - low
        stays = (following >= 0) & (following < n)
        into = csr_matrix((np.ones(stays.sum(), np.int8), (following[stays], state[stays])), shape=(n, n))
        leaves = np.zeros(n, bool)
        leaves[state[~stays]] = True
        if leading_to(leaves, into).all():
            return np.zeros(n, bool)
        pays = leaves.copy()
        pays[state[(self.whole_payoff[outcome] != 0).any(axis=1)]] = True
        resting = ~leading_to(pays, into)
        endless = ~leading_to(leaves | resting, into)
        if endless.any():
            raise Unbounded((low + np.flatnonzero(endless)).tolist())
        return resting

    def _come_to_an_end(self, low: int, high: int, endless: Unbounded) -> None:
        """Choose rows by which play leaves from everywhere, as if both players wanted that. Raises `endless` if there are none."""
        if self._lead_out(low, high, [list(self._rows(i)) for i in range(low, high)]) < high - low:
            raise endless

    def _leave_by_ties(self, low: int, high: int, tight: list[list[int]]) -> bool:
        """Choose rows by which play leaves, among those that are equally good; whether the policy has changed. An opponent who leaves gives
        nobody the chance to cycle with him."""
        before = self.policy[low:high].copy()
        self._lead_out(low, high, tight)
        return bool((self.policy[low:high] != before).any())

    def _lead_out(self, low: int, high: int, rows: list[list[int]]) -> int:
        """Choose rows by which play leaves in the fewest moves, among the given ones of each state; returns the number of states from which
        it does."""
        into: dict[int, list[int]] = {i: [] for i in range(low, high)}  # rows
        owner = {row: i for i in range(low, high) for row in rows[i - low]}
        queue = deque[int]()
        for row in owner:
            following = [self.next[o] for o in self._outcomes(row)]
            queue += [row] * any(not low <= j < high for j in following)
            for j in following:
                if low <= j < high:
                    into[j].append(row)
        done: set[int] = set()
        while queue:
            row = queue.popleft()
            if owner[row] not in done:
                done.add(owner[row])
                self.policy[owner[row]] = row - self._rows(owner[row])[0]
                queue += into[owner[row]]
        return len(done)

    def _improve(self, low: int, high: int, concerned: np.ndarray, tight: list[list[int]], in_turn: Sequence[int] = ()) -> bool:
        """Switch to strictly better actions; whether there are any.

        concerned : int64, the states to look at, counted from `low`; of the others it is known that nothing is better. tight : of each
        state, the rows as good as the chosen one, filled for the states concerned, and valid for all if there is nothing better.
        in_turn : the players in the order in which they may switch, one of them a round; both at once if there are none."""
        for k in concerned.tolist():
            tight[k] = [self._chosen(low + k)]
        better: dict[int, int] = {}
        state, rows = self._open_rows(low + concerned)
        chosen = self.batch.action_start[state - self.batch.low] + self.policy[state]
        is_alike = alike(self.batch, self.whole_ways, self.whole_payoff[:, 0], rows, chosen, Names(self.values))
        for i, row in zip(state[is_alike].tolist(), rows[is_alike].tolist(), strict=True):
            tight[i - low].append(row)
        for i, rest in _grouped(state[~is_alike], rows[~is_alike]):
            compared = [self._chosen(i), *rest]
            sense = -1 if self._player(i) else 1
            worths = [sense * v for v in self._row_values(compared, 0).numerator]
            if max(worths) > worths[0]:
                better[i] = compared[worths.index(max(worths))] - self._rows(i)[0]
            tight[i - low] += [row for row, worth in zip(rest, worths[1:], strict=True) if worth == worths[0]]
        for k in concerned.tolist():
            tight[k].sort()
        who = next((p for p in in_turn if any(self._player(i) == p for i in better)), None)
        for i, best in better.items():
            if who is None or self._player(i) == who:
                self.policy[i] = best
        return bool(better)

    def _open_rows(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(state, row), in order, of these states: the rows besides the chosen one that floats, with bounds of their rounding errors, do
        not show to be worse."""
        batch = self.batch
        first, last = batch.action_start[states - batch.low], batch.action_start[states - batch.low + 1]
        chooses = last - first > 1
        if not chooses.any():
            return np.empty(0, np.int64), np.empty(0, np.int64)
        states, first, last = states[chooses], first[chooses], last[chooses]
        place, rows = pieces(first, last)
        value, error = row_values(batch, rows, 0, self._floats, float(self.discount))
        chosen = (np.cumsum(last - first) - (last - first) + self.policy[states])[place]
        sense = np.where(batch.player[states - batch.low] == 1, -1.0, 1.0)[place]
        with np.errstate(all="ignore"):
            is_worse = sense * (value - value[chosen]) < -(error + error[chosen])
        is_open = ~is_worse & (np.arange(len(rows)) != chosen)
        return states[place[is_open]], rows[is_open]

    def _floats(self, states: np.ndarray) -> np.ndarray:
        distinct, place = np.unique(states, return_inverse=True)
        return self.values.floats(distinct)[place]

    def _player(self, state: int) -> int:
        return int(self.batch.player[state - self.batch.low])

    # --- staying forever ---------------------------------------------------------------------------------------------

    def _stay(self, low: int, high: int, tight: list[list[int]]) -> bool:
        """Switch to cycling unpaid where that is better than the values found; whether it was anywhere.

        If not, the values are proven (3 above), or `OutOfReach` is raised. Where every state has one tight row, play can stay only
        where the policy rests."""
        if self.discount < 1 or all(len(rows) == 1 for rows in tight):
            return False
        nodes = 2 * (high - low)
        ends = end_components(self._staying(low, high, tight), nodes)
        unpaid = [rest for end in ends for rest in self._unpaid(end, nodes)]
        better = [rest for rest in unpaid if self._worth(rest[0].state, rest[0].side)[0] < 0]
        for s in (s for rest in better for s in rest):
            self.policy[s.state] = s.row - self._rows(s.state)[0]
        for end in [] if better else ends:
            if any(self._pays(s.row, slice(1)) for s in end):
                self._check_paid(end)
        return bool(better)

    def _unpaid(self, end: list[Stay], nodes: int) -> list[list[Stay]]:
        """The end components inside an end component where nothing is paid."""
        rows = [s for s in end if not self._pays(s.row, slice(1))]
        return [end] if len(rows) == len(end) else end_components(rows, nodes)

    def _staying(self, low: int, high: int, tight: list[list[int]]) -> list[Stay]:
        """The rows that stay inside, from both sides: all tight ones of the side's player, the policy's of the opponent."""
        n = high - low
        found = []
        for i, side in ((i, side) for i in range(low, high) for side in (0, 1)):
            own = self.batch.player[i - self.batch.low] == side
            for row in tight[i - low] if own else [self._chosen(i)]:
                outcomes = self._outcomes(row)
                if all(low <= self.next[o] < high for o in outcomes):
                    nodes = [self.next[o] - low + n * (side ^ (self.sign[o] < 0)) for o in outcomes]
                    found.append(Stay(i, side, row, i - low + n * side, nodes))
        return found

    def _worth(self, state: int, side: int) -> Ratio:
        numerator, denominator = self.values.ratios(state)[0]
        return (-numerator if side else numerator), denominator

    def _check_paid(self, end: list[Stay]) -> None:
        """Raise `OutOfReach` unless the payments in an end component are the differences of its values, and none is negative."""
        for s in end:
            p, q = self._worth(s.state, s.side)
            for o in self._outcomes(s.row):
                next_p, next_q = self._worth(self.next[o], s.side ^ (self.sign[o] < 0))
                paid = -self.payoff[o][0] if s.side else self.payoff[o][0]
                if p < 0 or paid * q * next_q != (p * next_q - next_p * q) * self.payoff_scale:
                    why = "play can cycle forever here with payoffs that go up and down and never settle"
                    raise Unproven([s.state], why, "let play end there sooner or later, or give a discount")


class Stay(NamedTuple):
    """A tight row that stays in its component, as the player of one side sees it (0: side +, 1: side -)."""

    state: int
    side: int
    row: int
    node: int  # number of (state, side)
    next: list[int]  # the nodes that it can lead to


def end_components(rows: list[Stay], nodes: int) -> list[list[Stay]]:
    """The maximal end components: sets of nodes that are strongly connected by rows that stay among them. As those rows."""
    while True:
        sources = [s.node for s in rows for _ in s.next]
        targets = [t for s in rows for t in s.next]
        graph = csr_matrix((np.ones(len(sources)), (sources, targets)), shape=(nodes, nodes))
        label = connected_components(graph, directed=True, connection="strong")[1].tolist()
        staying = [s for s in rows if all(label[t] == label[s.node] for t in s.next)]
        if len(staying) == len(rows):
            break
        rows = staying
    found: dict[int, list[Stay]] = {}
    for s in rows:
        found.setdefault(label[s.node], []).append(s)
    return list(found.values())


class Equations(NamedTuple):
    """The linear system of a component under a policy; arrays by the outcomes of the policy's rows that can happen."""

    matrix: Matrix
    weight: np.ndarray  # [unknowns], the number by which the equation was multiplied
    row: np.ndarray  # int64, the unknown to whose equation it belongs
    outcome: np.ndarray  # int64
    ways: np.ndarray  # in lowest terms for each row, times the denominator of the discount
    signed: np.ndarray  # the same times the numerator, negated by PASS
    is_known: np.ndarray  # bool, whether it leads to a state whose value is known


def _grouped(state: np.ndarray, rows: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """The rows of each state, which are neighbours."""
    for group in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(state)) + 1):
        if group.size:
            yield int(state[group[0]]), rows[group].tolist()


def leading_to(goals: np.ndarray, into: csr_matrix) -> np.ndarray:
    """bool[n]: the goals, and all nodes from which one is reached; `into` has the edges reversed."""
    found, new = goals.copy(), np.flatnonzero(goals)
    while new.size:
        _, at = pieces(into.indptr[new], into.indptr[new + 1])
        new = different(into.indices[at])
        new = new[~found[new]]
        found[new] = True
    return found


def _reduced(ratio: Ratio) -> Ratio:
    value = fmpq(*ratio)
    return value.p, value.q


def _whole(numbers: np.ndarray) -> tuple[np.ndarray, int]:
    """Whole numbers in the proportions of `numbers`, as int64 or, where they are longer, as Python's, and the factor they were multiplied
    by."""
    if np.all(numbers == np.rint(numbers)) and np.all(np.abs(numbers) < WHOLE):
        return numbers.astype(np.int64), 1
    distinct, place = np.unique(numbers, return_inverse=True)
    fractions = [written(float(v)) for v in distinct]
    scale = int(np.lcm.reduce([f.denominator for f in fractions], dtype=object))
    whole = [int(f * scale) for f in fractions]
    fits = max(map(abs, whole)) < WHOLE
    return np.array(whole, np.int64 if fits else object)[place.reshape(numbers.shape)], scale
