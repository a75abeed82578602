"""Exact answers: the values of a game as rational numbers, and its policy proven optimal.

The float solution supplies a policy, certified or not. Its values v are computed in rationals, component by component: directly where
play cannot return, by an exact linear solve (rational_linear.py) where it can. Then every action of every state is compared in rationals;
an action that is strictly better replaces the chosen one and the component is solved again. The result satisfies the optimality
equation exactly. If policies on the way have no value, or the proof below fails, the component is solved again from policies that
are optimal with discounts close to 1, which are found from any start.

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
`OutOfReach` is raised. Other payoffs are what the policy pays: an exact solution of a system that has only one.

As a safety net, exact values are compared with the float solution's certified intervals, wherever both mean the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpz
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from zermelo.basics.machine import require
from zermelo.basics.numbers import WHOLE, written
from zermelo.basics.progress import silent
from zermelo.errors import OutOfReach
from zermelo.methods.rational_linear import solve
from zermelo.methods.rational_matrix import Column, combine, matrix_of
from zermelo.problem.solver import Fallback, Problem, Progress, Result, SolverFailure, Unbounded, Unproven, told
from zermelo.problem.transitions import Transitions, from_both_sides

ONE_STATE = 48 + 8  # bytes of the tuple of its payoffs, and of its place in a list
ONE_FRACTION = 64 + 2 * 32  # of two whole numbers, at least: the memory of longer ones is watched, not predicted
MAX_ROUNDS = 300
FIRST, SECOND = "policy iteration in rationals", "the policy that is best with a discount close to 1"
NEARLY_ONE = (10, 30, 90)  # discounts 1 - 2^-bits that are tried where policies on the way have no value
TOGETHER = 50  # rounds in which both players switch at once; after that, or if policies recur, they switch in turn

Ratio = tuple[fmpz, fmpz]  # numerator, denominator > 0, not necessarily in lowest terms
Terms = list[tuple[int, Any, Any]]  # sum of weight * numerator / denominator


class ExactValues(Sequence[tuple[Fraction, ...]]):
    """The exact payoffs of every state; fractions are reduced when they are looked at."""

    def __init__(self, ratios: list[tuple[Ratio, ...]]):
        self._ratios = ratios

    @staticmethod
    def of(values: np.ndarray) -> ExactValues:
        """From whole numbers that floats hold exactly."""
        return ExactValues([tuple((fmpz(int(v)), fmpz(1)) for v in row) for row in values])

    def __len__(self) -> int:
        return len(self._ratios)

    def __getitem__(self, index: Any) -> Any:
        return tuple(_fraction(r) for r in self._ratios[index])


def _fraction(ratio: Ratio) -> Fraction:
    reduced = fmpq(*ratio)
    return Fraction(int(reduced.p), int(reduced.q))


def solve_exactly(
    problem: Problem, solved: Result, discount: float | Fraction, progress: Progress
) -> tuple[ExactValues, Result]:
    """Rational values of every state, and the solution with a policy that is proven optimal.

    Raises `OutOfReach` with the reason if a component is too large, or if the rules contain numbers that are not exact; `NoMemory`
    if the values do not fit into memory.
    """
    n = problem.num_states
    needed = n * (ONE_STATE + ONE_FRACTION * problem.num_payoffs)
    require(needed, f"a list of {n:,} exact values", "leave out exact=True for a certified interval, or give smaller parameters")
    policy = solved.policy.copy()
    ratios: list[tuple[Ratio, ...]] = [()] * n
    again: list[Fallback] = []
    comparable = solved.argument != ""  # without an argument the float values only carry the policy
    for batch, components in problem.batches():
        game = _Exact(batch, ratios, policy, written(discount), problem.num_payoffs, bool(solved.argument))
        game.progress = progress
        for low, high in zip(components[:-1], components[1:], strict=True):
            game.settle(int(low), int(high))
            progress("solving in rationals", int(high), n)
        again += game.again
        comparable = comparable and game.is_read_as_floats
        if comparable:
            _compare(ratios, policy, solved, range(batch.low, batch.high))
    return ExactValues(ratios), solved._replace(
        policy=policy,
        argument="proof: the values are rational numbers that satisfy the optimality equation exactly, every action of every state "
        "compared in rationals, and nobody does better by cycling forever",
        notes=(*solved.notes, *told(again)),
    )  # fmt: skip


def _compare(ratios: list[tuple[Ratio, ...]], policy: np.ndarray, solved: Result, states: range) -> None:
    """Raise `OutOfReach` if an exact value is not in the interval that was certified in floats: one of the two is then wrong.

    Payoffs other than the first belong to a policy: they are compared while it is the same in all states so far."""
    same = np.array_equal(policy[: states.stop], solved.policy[: states.stop])
    payoffs = range(solved.value.shape[1] if same else 1)
    for i in states:
        value, error = solved.value[i].tolist(), solved.error[i].tolist()
        for j in payoffs:
            if not _is_within(ratios[i][j], value[j], error[j]):
                raise OutOfReach(
                    f"the exact value of state number {i} (payoff {j}), {float(_fraction(ratios[i][j]))!r}, isn't within {error[j]!r} of "
                    f"the certified float value {value[j]!r}, so one of them is wrong; please report this game"
                )


def _is_within(ratio: Ratio, value: float, error: float) -> bool:
    if not math.isfinite(value + error):  # floats overflowed and certify nothing
        return True
    numerator, denominator = ratio
    (a, b), (c, d) = value.as_integer_ratio(), error.as_integer_ratio()
    return bool(abs(numerator * b - a * denominator) * d <= c * b * denominator)


class _Exact:
    """One batch of transitions in whole numbers."""

    def __init__(
        self,
        batch: Transitions,
        ratios: list[tuple[Ratio, ...]],
        policy: np.ndarray,
        discount: Fraction,
        payoffs: int,
        is_certain: bool,
    ):
        self.batch, self.ratios, self.policy, self.discount, self.payoffs = batch, ratios, policy, discount, payoffs
        self.is_certain = is_certain  # floats have certified values of the policy
        self.again: list[Fallback] = []  # components that were solved from policies for a discount
        self.progress: Progress = silent
        self.action_start = batch.action_start.tolist()
        self.outcome_start = batch.outcome_start.tolist()
        self.next = batch.next.tolist()
        self.sign = batch.sign.tolist()
        self.ways, self.ways_scale = _whole(batch.ways)  # scaled together: probabilities stay what they were
        self.payoff, self.payoff_scale = _whole(batch.payoff)
        self.final, self.final_scale = _whole(batch.final_payoff)

    @property
    def is_read_as_floats(self) -> bool:
        """Whether all numbers are exactly those that floats hold, as for 0.5 but not for 0.1: their denominators are powers of 2."""
        scales = (self.ways_scale, self.payoff_scale, self.final_scale, self.discount.denominator)
        return all(scale & (scale - 1) == 0 for scale in scales)

    def settle(self, low: int, high: int) -> None:
        """Solve the component low..high-1; all earlier ones are solved."""
        if high - low == 1 and not self._returns(low):
            self._settle_one(low)
            return
        try:
            self._iterate(low, high)
        except (Unbounded, Unproven, OutOfReach) as failure:
            if self.discount < 1 or (isinstance(failure, Unbounded) and self.is_certain):
                raise
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
        came_to_an_end, seen, in_turn = False, set(), False
        for attempt in range(MAX_ROUNDS):
            policy = self.policy[low:high].tobytes()
            if not in_turn and (attempt == TOGETHER or policy in seen):
                in_turn = True
                if self._passes(low, high):
                    self._switch_on_both_sides(low, high)
            seen.add(policy)
            try:
                self._evaluate(low, high)
            except Unbounded as endless:
                if self.is_certain or came_to_an_end:
                    if attempt == 0:
                        raise
                    why = f"{endless.why}, under a policy that was tried on the way; leave out exact=True for a certified interval"
                    raise Unproven(endless.states, why) from None
                came_to_an_end = True
                self._come_to_an_end(low, high, endless)
                continue
            tight = self._improve(low, high, (1, 0) if in_turn else ())
            if tight is not None and not self._stay(low, high, tight):
                return
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
        known = [self.ratios[i] for i in outside.tolist()]
        negated = [tuple((-p, q) for p, q in ratios) for ratios in known]
        policy = np.tile(self.policy[low:high], 2)
        both = _Exact(batch, [()] * (2 * n) + known + negated, policy, self.discount, self.payoffs, False)
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

    def _returns(self, state: int) -> bool:
        return any(self.next[o] == state for row in self._rows(state) for o in self._outcomes(row))

    def _settle_one(self, state: int) -> None:
        rows = self._rows(state)
        if not rows:
            final = self.final[state - self.batch.low]
            self.ratios[state] = tuple(_reduced((fmpz(v), fmpz(self.final_scale))) for v in final)
            return
        values_of_rows = self._row_values(rows, 0)
        best = self._best(state, values_of_rows)
        self.policy[state] = best
        row = rows[best]
        rest = [self._row_values([row], j) for j in range(1, self.payoffs)]
        first = (values_of_rows.numerator[best], values_of_rows.denominator)
        self.ratios[state] = tuple(_reduced(r) for r in (first, *((c.numerator[0], c.denominator) for c in rest)))

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
            numerator, denominator = self.ratios[self.next[o]][payoff]
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

    def _evaluate(self, low: int, high: int) -> None:
        """Exact values of low..high-1 under the policy."""
        inside = range(low, high)
        resting = self._resting(inside)
        for i in resting:
            self.ratios[i] = ((fmpz(0), fmpz(1)),) * self.payoffs
        unknown = [i for i in inside if i not in resting]
        position = {i: k for k, i in enumerate(unknown)}
        rows = [self._proportions(self._chosen(i)) for i in unknown]
        matrix = matrix_of(self._equation(k, row, position) for k, row in enumerate(rows))
        solution = solve(matrix, [self._right(rows, position, j) for j in range(self.payoffs)], self.progress)
        for k, i in enumerate(unknown):
            self.ratios[i] = tuple((x.numerator[k], x.denominator) for x in solution)

    def _proportions(self, row: int) -> list[tuple[int, int]]:
        """The outcomes of a row, each with its ways; these in lowest terms, so that the nonzeros of the matrix are short."""
        outcomes = self._outcomes(row)
        common = math.gcd(*(self.ways[o] for o in outcomes))
        return [(o, self.ways[o] // common) for o in outcomes]

    def _equation(self, k: int, row: list[tuple[int, int]], position: dict[int, int]) -> dict[int, int]:
        """Coefficients of unknown k and of those that follow it: ways * (value - discount * sign * next value), in whole numbers."""
        top, bottom = self.discount.numerator, self.discount.denominator
        coefficient = {k: sum(ways for _, ways in row) * bottom}
        for o, ways in row:
            following = position.get(self.next[o])
            if following is not None:
                coefficient[following] = coefficient.get(following, 0) - ways * self.sign[o] * top
        return coefficient

    def _right(self, rows: list[list[tuple[int, int]]], position: dict[int, int], payoff: int) -> Column:
        """ways * payoff + the contribution from outside the unknowns, times the denominator of the discount."""
        top, bottom = self.discount.numerator, self.discount.denominator
        sums = []
        for row in rows:
            terms: Terms = []
            for o, ways in row:
                if self.payoff[o][payoff]:
                    terms.append((ways * self.payoff[o][payoff] * bottom, fmpz(1), fmpz(self.payoff_scale)))
                if self.next[o] not in position:
                    terms.append((ways * self.sign[o] * top, *self.ratios[self.next[o]][payoff]))
            sums.append(terms)
        return combine(sums)

    def _resting(self, inside: range) -> set[int]:
        """The states from which the policy never leaves and never pays: they are worth 0. None with a discount, which determines all.

        Raises `NoValue` unless play leaves or comes to rest from everywhere, sooner or later: only then are the values determined.
        """
        if self.discount < 1:
            return set()
        into: dict[int, list[int]] = {i: [] for i in inside}
        exits = []
        for i in inside:
            following = [self.next[o] for o in self._outcomes(self._chosen(i))]
            for j in following:
                if j in inside:
                    into[j].append(i)
            if any(j not in inside for j in following):
                exits.append(i)
        if len(_leading_to(exits, into)) == len(inside):
            return set()
        paying = [i for i in inside if self._pays(self._chosen(i))]
        resting = set(inside) - _leading_to(exits + paying, into)
        endless = set(inside) - _leading_to(exits + list(resting), into)
        if endless:
            raise Unbounded(sorted(endless))
        return resting

    def _come_to_an_end(self, low: int, high: int, endless: Unbounded) -> None:
        """Choose rows by which play leaves from everywhere, as if both players wanted that. Raises `endless` if there are none."""
        into: dict[int, list[int]] = {i: [] for i in range(low, high)}  # rows
        owner = {row: i for i in range(low, high) for row in self._rows(i)}
        queue = []
        for row in owner:
            following = [self.next[o] for o in self._outcomes(row)]
            queue += [row] if any(not low <= j < high for j in following) else []
            for j in following:
                if low <= j < high:
                    into[j].append(row)
        done: set[int] = set()
        while queue:
            row = queue.pop()
            if owner[row] not in done:
                done.add(owner[row])
                self.policy[owner[row]] = row - self._rows(owner[row])[0]
                queue += into[owner[row]]
        if len(done) < high - low:
            raise endless

    def _improve(self, low: int, high: int, in_turn: Sequence[int] = ()) -> list[Sequence[int]] | None:
        """Switch to strictly better actions. If there are none, the tight rows of each state, those as good as the chosen one.

        in_turn : the players in the order in which they may switch, one of them a round; both at once if there are none."""
        better: dict[int, int] = {}
        tight: list[Sequence[int]] = []
        for i in range(low, high):
            rows: Sequence[int] = self._rows(i)
            if len(rows) > 1:
                values = self._row_values(rows, 0)
                best = self._best(i, values)
                if best != self.policy[i]:
                    better[i] = best
                rows = [r for r, v in zip(rows, values.numerator, strict=True) if v == values.numerator[best]]
            tight.append(rows)
        who = next((p for p in in_turn if any(self._player(i) == p for i in better)), None)
        for i, best in better.items():
            if who is None or self._player(i) == who:
                self.policy[i] = best
        return None if better else tight

    def _player(self, state: int) -> int:
        return int(self.batch.player[state - self.batch.low])

    # --- staying forever ---------------------------------------------------------------------------------------------

    def _stay(self, low: int, high: int, tight: list[Sequence[int]]) -> bool:
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

    def _staying(self, low: int, high: int, tight: list[Sequence[int]]) -> list[Stay]:
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
        numerator, denominator = self.ratios[state][0]
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
                    raise Unproven([s.state], f"{why}; let play end there sooner or later, or give a discount")


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


def _leading_to(goals: Iterable[int], into: dict[int, list[int]]) -> set[int]:
    """The goals and all states from which play may reach one."""
    found = set(goals)
    queue = list(found)
    while queue:
        new = [i for i in into[queue.pop()] if i not in found]
        found.update(new)
        queue += new
    return found


def _reduced(ratio: Ratio) -> Ratio:
    value = fmpq(*ratio)
    return value.p, value.q


def _whole(numbers: np.ndarray) -> tuple[list[Any], int]:
    """Whole numbers in the proportions of `numbers`, and the factor they were multiplied by."""
    if np.all(numbers == np.rint(numbers)) and np.all(np.abs(numbers) < WHOLE):
        return numbers.astype(np.int64).tolist(), 1
    distinct = {v: written(float(v)) for v in np.unique(numbers)}
    scale = int(np.lcm.reduce([f.denominator for f in distinct.values()], dtype=object))
    whole = {v: int(f * scale) for v, f in distinct.items()}
    flat = [whole[v] for v in numbers.ravel().tolist()]
    if numbers.ndim == 1:
        return flat, scale
    width = numbers.shape[1]
    return [flat[i : i + width] for i in range(0, len(flat), width)], scale
