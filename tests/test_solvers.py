"""Backward induction, cyclic components and certificates on random games, against exact rationals.

The oracle `worths` runs through all pairs of positional strategies of a small game: its specification of what infinite play is
worth. A certificate is right if the exact value lies within its error: nothing is compared with a tolerance.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, identity, kron

from zermelo.certificates.certify import Certifier
from zermelo.errors import OutOfReach
from zermelo.kernels import components, elimination
from zermelo.kernels.condense import Rows, condense
from zermelo.kernels.elimination import elimination_order
from zermelo.kernels.kernel import TIERS, only
from zermelo.methods import (
    backward,
    cyclic,
    factors,
    linear,
    linear_block,
    policy_iteration,
    rational_linear,
    rational_matrix,
)
from zermelo.methods.bicgstab import bicgstab
from zermelo.problem.solver import Unbounded, Uncertified
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Backward

# Small games by hand: a list of (player, final payoffs, rows); a row is a list of (ways, payoff, next state[, sign])


def final(*payoffs):
    return (0, payoffs or (0.0,), [])


def moves(*rows, player=0):
    return (player, None, rows)


def transitions(states, payoffs=1):
    rows = [[tuple(o) + (1,) * (4 - len(o)) for o in row] for _, _, found in states for row in found]
    outs = [o for row in rows for o in row]
    paid = [o[1] if isinstance(o[1], tuple) else (o[1],) + (0,) * (payoffs - 1) for o in outs]
    ends = [payoff or (0.0,) * payoffs for _, payoff, _ in states]
    return Transitions(
        0,
        len(states),
        np.cumsum([0] + [len(found) for _, _, found in states]).astype(np.int64),
        np.cumsum([0] + [len(row) for row in rows]).astype(np.int64),
        np.array([o[0] for o in outs], np.float64),
        np.array([o[2] for o in outs], np.int32),
        np.array([o[3] for o in outs], np.int8),
        np.array(paid, np.float64).reshape(len(outs), payoffs),
        np.array(ends, np.float64).reshape(len(states), payoffs),
        np.array([player for player, _, _ in states], np.int8),
    )


class Solved(NamedTuple):
    value: np.ndarray
    policy: np.ndarray
    error: np.ndarray


def empty(batch):
    n, payoffs = batch.high, batch.payoff.shape[1]
    return np.full((n, payoffs), 777.0), np.full(n, 9, np.int32)


def certified(batch, components, value, policy, discount=1.0):
    bounds = Certifier(value, policy, discount)
    bounds.certify(batch, np.array(components, np.int64))
    return Solved(value, policy, bounds.error)


def solve(batch, components, discount=1.0):
    """By the kernels where they can, which is the way that games take."""
    value, policy = empty(batch)
    cyclic.solve(batch, np.array(components, np.int64), value, policy, discount)
    return certified(batch, components, value, policy, discount)


def solve_generally(batch, components, discount=1.0):
    """By the general method: sparse systems, certificates with two sides."""
    value, policy = empty(batch)
    bounds = Certifier(value, policy, discount)
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, discount)
    rows = Rows(0, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    for start, end in itertools.pairwise(components):
        if batch.action_start[start] == batch.action_start[end]:
            value[start:end], policy[start:end], bounds.error[start:end] = batch.final_payoff[start:end], -1, 0.0
        else:
            policy_iteration.solve_component(rows, start, end, discount, value, policy)
            bounds.certify_generally(batch, start, end)
    return Solved(value, policy, bounds.error)


WAYS = [solve, solve_generally]
KINDS = [(1, False), (2, False), (1, True), (2, True)]  # players, and whether there is PASS


# The oracle -----------------------------------------------------------------------------------------------------------


def exact_rows(batch, j=0, discount=1.0):
    """rows[(state, side)] = list of (expected payoff, whether it pays, {node: probability}) with sides +1 and -1."""
    rows = {}
    for s, side in itertools.product(range(batch.high), (1, -1)):
        rows[s, side] = []
        for a in range(batch.action_start[s], batch.action_start[s + 1]):
            outs = range(batch.outcome_start[a], batch.outcome_start[a + 1])
            total = sum(Fraction(batch.ways[o]) for o in outs)
            reward, chances = Fraction(0), {}
            for o in outs:
                chance = Fraction(batch.ways[o]) / total
                node = (int(batch.next[o]), side * int(batch.sign[o]))
                reward += side * chance * Fraction(batch.payoff[o, j])
                chances[node] = chances.get(node, 0) + chance * Fraction(discount)
            pays = any(batch.payoff[o, j] and batch.ways[o] for o in outs)
            rows[s, side].append((reward, pays, {t: p for t, p in chances.items() if p}))
    return rows


def seen(rows):
    """The rows of the sides that play comes to from side 1: without PASS half of them, and the others only mirror these."""
    todo = [(s, side) for s, side in rows if side == 1]
    found = set(todo)
    for node in todo:  # grows
        new = {t for _, _, chances in rows[node] for t in chances} - found
        found |= new
        todo += new
    return {node: row for node, row in rows.items() if node in found}


def gauss(matrix, right):
    """Solve a regular system of Fractions: with FLINT's, which takes a fifth of the time."""
    n = len(right)
    work = [[fmpq(x.numerator, x.denominator) for x in (*row, r)] for row, r in zip(matrix, right, strict=True)]
    for c in range(n):
        p = next(r for r in range(c, n) if work[r][c])
        work[c], work[p] = work[p], work[c]
        first = work[c][c]
        work[c] = [x / first for x in work[c]]
        for r in range(n):
            if r != c and work[r][c]:
                work[r] = [x - work[r][c] * y for x, y in zip(work[r], work[c], strict=True)]
    return [Fraction(int(row[-1].p), int(row[-1].q)) for row in work]


def chain_worth(chain, ends):
    """(worth of every node, nodes that may come to swing forever) of a Markov chain {node: (reward, pays, chances)}.

    A worth is a Fraction, inf, -inf, or nan where both may happen. Payoffs that swing count as what they are on average."""
    nodes = list(chain)
    reach = {s: {s} for s in nodes}
    for _ in nodes:
        for s in nodes:
            reach[s] |= {u for t in chain[s][2] for u in (reach[t] if t in chain else {t})}
    closed = {}
    for s in nodes:
        if s not in closed and all(t in chain and s in reach[t] for t in reach[s]):
            closed |= class_worth(chain, sorted(reach[s]))
    swings = {t for t in closed if any(chain[u][1] for u in reach[t]) and isinstance(closed[t], Fraction)}
    open_nodes = [s for s in nodes if s not in closed]
    worth = dict(closed)
    endless = {s: {closed[t] for t in reach[s] if t in closed and isinstance(closed[t], float)} for s in open_nodes}
    known = ends | {t: w for t, w in closed.items() if isinstance(w, Fraction)}
    matrix = [[(s == t) - chain[s][2].get(t, Fraction(0)) for t in open_nodes] for s in open_nodes]
    right = [chain[s][0] + sum(p * known[t] for t, p in chain[s][2].items() if t in known) for s in open_nodes]
    for s, v in zip(open_nodes, gauss(matrix, right), strict=True):
        worth[s] = v if not endless[s] else endless[s].pop() if len(endless[s]) == 1 else math.nan
    return worth, {s for s in nodes if reach[s] & swings}


def class_worth(chain, members):
    """Of nodes that never leave: 0 if nothing is ever paid, inf or -inf by the mean payoff; if that is zero, the x with
    x = payoff + (mean of x at the next node) that is zero on average: what has been paid so far on average, in the long run."""
    if not any(chain[s][1] for s in members):
        return dict.fromkeys(members, Fraction(0))
    n = len(members)
    balance = [[chain[s][2].get(t, Fraction(0)) - (s == t) for s in members] for t in members]
    share = gauss(balance[:-1] + [[Fraction(1)] * n], [Fraction(0)] * (n - 1) + [Fraction(1)])
    mean = sum(x * chain[s][0] for x, s in zip(share, members, strict=True))
    if mean:
        return dict.fromkeys(members, math.inf if mean > 0 else -math.inf)
    change = [[(s == t) - chain[s][2].get(t, Fraction(0)) for t in members] for s in members]
    return dict(
        zip(members, gauss(change[:-1] + [share], [chain[s][0] for s in members[:-1]] + [Fraction(0)]), strict=True)
    )


def worths(batch):
    """(low, high) of every state: what player 0 can secure and what player 1 can hold it to, by positional strategies; and
    whether every play by such strategies has a sum.

    What piles up in both directions counts against whoever would rely on it."""
    rows = seen(exact_rows(batch))
    ends = {(s, g): g * Fraction(batch.final_payoff[s, 0]) for s, g in rows if not rows[s, g]}
    owned = [[k for k in rows if rows[k] and (batch.player[k[0]] == 0) == (k[1] == who)] for who in (1, -1)]
    low = dict.fromkeys(rows, -math.inf)
    high = dict.fromkeys(rows, math.inf)
    table, clear = {}, True
    plans = [list(itertools.product(*(range(len(rows[k])) for k in mine))) for mine in owned]
    for mine, theirs in itertools.product(*plans):
        chosen = dict(zip(owned[0] + owned[1], mine + theirs, strict=True))
        table[mine, theirs], swings = chain_worth({k: rows[k][a] for k, a in chosen.items()}, ends)
        clear &= not swings and not any(isinstance(w, float) for w in table[mine, theirs].values())
    for k in owned[0] + owned[1]:
        low[k] = max(min(against(table[x, y][k], -math.inf) for y in plans[1]) for x in plans[0])
        high[k] = min(max(against(table[x, y][k], math.inf) for x in plans[0]) for y in plans[1])
    bounds = [(low[s, 1], high[s, 1]) if rows[s, 1] else (ends[s, 1], ends[s, 1]) for s in range(batch.high)]
    return bounds, clear


def against(worth, instead):
    return instead if isinstance(worth, float) and math.isnan(worth) else worth


def policy_worth(batch, policy, j, discount=1.0):
    """Exact worth of payoff j under a policy."""
    rows = seen(exact_rows(batch, j, discount))
    ends = {(s, g): g * Fraction(batch.final_payoff[s, j]) for s, g in rows if not rows[s, g]}
    chain = {k: rows[k][policy[k[0]]] for k in rows if rows[k]}
    worth = discounted_worth(chain, ends) if discount < 1 else chain_worth(chain, ends)[0]
    return [ends[s, 1] if (s, 1) in ends else worth[s, 1] for s in range(batch.high)]


def discounted_worth(chain, ends):
    nodes = list(chain)
    matrix = [[(s == t) - chain[s][2].get(t, Fraction(0)) for t in nodes] for s in nodes]
    right = [chain[s][0] + sum(p * ends[t] for t, p in chain[s][2].items() if t in ends) for s in nodes]
    return dict(zip(nodes, gauss(matrix, right), strict=True))


# Random games ---------------------------------------------------------------------------------------------------------


def random_game(seed, states, players=1, passes=False, leave=0.0, free=0.5, payoffs=1, rows=2, acyclic=False):
    """Two final states, then `states` others, every row of which leaves at least with probability `leave`, if that is not 0."""
    rng = np.random.default_rng(seed)
    found = [final(*rng.integers(-3, 4, payoffs).astype(float)) for _ in range(2)]
    for s in range(2, states + 2):
        mine = []
        for _ in range(rng.integers(1, rows + 1)):
            outs = []
            for _ in range(rng.integers(1, 4)):
                paid = tuple(rng.integers(-2, 3, payoffs) * (rng.random(payoffs) > free))
                following = rng.integers(0, s if acyclic else states + 2)
                outs.append((int(rng.integers(1, 4)), paid, following, -1 if passes and rng.random() < 0.5 else 1))
            if leave and rng.random() < 0.9:
                outs.append((1, (0,) * payoffs, int(rng.integers(0, 2))))
            elif leave:
                outs = [(1, (0,) * payoffs, int(rng.integers(0, 2)))]
            mine.append(outs)
        found.append(moves(*mine, player=int(rng.integers(0, players))))
    return transitions(found, payoffs), [0, 1, 2, states + 2]


def within(found, s, j, exact):
    return abs(Fraction(found.value[s, j]) - exact) <= Fraction(found.error[s, j])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.integers(1, 2))
def test_acyclic_games_agree_with_the_oracle(seed, passes, players):
    batch, _ = random_game(seed, 6, players, passes, payoffs=2, rows=3, acyclic=True)
    value, policy = empty(batch)
    singles = np.arange(batch.high + 1)
    backward.solve(batch, singles, value, policy)
    found = certified(batch, singles, value, policy)
    rows, values = exact_rows(batch), {}
    for s, side in itertools.product(range(batch.high), (1, -1)):
        best = max if (batch.player[s] == 0) == (side == 1) else min
        worth = [r + sum(p * values[t] for t, p in chances.items()) for r, _, chances in rows[s, side]]
        values[s, side] = best(worth) if worth else side * Fraction(batch.final_payoff[s, 0])
        assert side < 0 or within(found, s, 0, values[s, 1])
    assert all(within(found, s, 1, x) for s, x in enumerate(policy_worth(batch, found.policy, 1)))
    assert found.error.max() < 1e-13
    assert np.allclose(solve(batch, singles).value[:, 0], found.value[:, 0], rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS))
def test_games_that_must_end_agree_with_the_oracle(way, seed, kind):
    players, passes = kind
    batch, components = random_game(seed, 3 if passes else 4, players, passes, leave=0.25, payoffs=2)
    found = way(batch, components)
    bounds, clear = worths(batch)
    assert clear
    for s, (low, high) in enumerate(bounds):
        assert low == high
        assert within(found, s, 0, low)
    assert all(within(found, s, 1, x) for s, x in enumerate(policy_worth(batch, found.policy, 1)))
    assert found.error.max() < 1e-12


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([0.3, 0.7, 1.0]))
@example(11216722, (1, True), 0.3)  # a circle's payoffs swing, and leaving is worth more than they are on average
@example(1004909, (1, False), 0.3)
@example(3103075, (1, True), 0.3)
@example(1006427, (2, False), 0.3)
@example(1011286, (2, False), 0.7)  # and just as much
@example(2100104, (1, True), 0.3)  # v = a - v: a circle that pays and an exit are worth the same
@example(4001127, (2, True), 0.3)  # and so is rest
@example(2101612, (1, True), 0.7)  # the only exit invites the opponent to circle unpaid: refused
def test_games_that_may_circle_are_solved_or_refused(way, seed, kind, free):
    players, passes = kind
    batch, components = random_game(seed, 3 if passes else 4, players, passes, free=free)
    bounds, clear = worths(batch)
    try:
        found = way(batch, components)
    except (Unbounded, Uncertified) as refusal:
        assert not clear
        assert refusal.states
        return
    for s, (low, high) in enumerate(bounds):
        value, error = Fraction(found.value[s, 0]), Fraction(found.error[s, 0])
        assert low <= value + error
        assert value - error <= high
    assert found.error.max() < 1e-11


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS))
def test_discounted_games(way, seed, kind):
    players, passes = kind
    batch, components = random_game(seed, 5, players, passes, payoffs=2)
    found = way(batch, components, 0.75)
    for j in (0, 1):
        assert all(within(found, s, j, x) for s, x in enumerate(policy_worth(batch, found.policy, j, 0.75)))
    rows, exact = exact_rows(batch, 0, 0.75), policy_worth(batch, found.policy, 0, 0.75)
    for s in range(2, batch.high):
        best = max if batch.player[s] == 0 else min
        worth = [r + sum(p * side * exact[t] for (t, side), p in chances.items()) for r, _, chances in rows[s, 1]]
        assert abs(best(worth) - exact[s]) < 1e-12
    assert found.error.max() < 1e-13


# Where play may stay ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tier", TIERS)
def test_what_spreads_slowly_is_followed_from_state_to_state(tier):
    """As what passes through all states find, on random components, also of a larger batch; whatever passes were made before."""
    rng, seen = np.random.default_rng(5), set()
    with only(tier):
        for trial in range(150):
            low, start, n = 2, 2 + int(rng.integers(3)), int(rng.integers(1, 9))
            end = start + n
            of_states = np.append(rng.integers(1, 3, start - low), rng.integers(1, 4, n))
            first_row = np.cumsum([0, *of_states])
            first_outcome = np.cumsum([0, *rng.integers(1, 3, first_row[-1])])
            count = int(first_outcome[-1])
            to = np.clip(rng.integers(start, end + 1, count) if trial % 3 else np.full(count, start), low, end).astype(np.int32)
            to[rng.random(count) < 0.1] = 0
            coef = np.where(rng.random(count) < 0.1, 0.0, 0.5)
            pays = rng.random((first_row[-1], 1)) < 0.3
            rows = Rows(low, first_row, first_outcome, to, coef, 1.0 * pays, pays, np.zeros(end - low, np.int8))
            order, policy = rng.permutation(n).astype(np.int32), np.zeros(end, np.int32)
            policy[start:end] = rng.integers(0, 99, n) % of_states[start - low :]
            for passes in range(3):
                inside, slowly = np.empty(n, bool), np.empty(n, bool)
                may = components.can_stay(rows, start, end, order, inside, components.ANY)
                if components.can_stay(rows, start, end, order, slowly, passes) == components.UNSETTLED:
                    assert components.drop_out(rows, start, end, slowly) == may
                assert (inside == slowly).all() or not may
            rest, reached, slow_rest, slow_reached = np.empty((4, n), bool)
            ends = components.mark_rest(rows, start, end, order, policy, 0, rest, reached, components.ANY)
            assert components.mark_rest(rows, start, end, order, policy, 0, slow_rest, slow_reached, 0) == components.UNSETTLED
            assert components.mark_rest_backwards(rows, start, end, policy, 0, slow_rest, slow_reached) == ends
            assert (rest == slow_rest).all() and (reached == slow_reached).all()
            seen.add((may, ends, bool(rest.any())))
    assert seen == {(0, 1, False), (1, 0, False), (1, 0, True), (1, 1, False), (1, 1, True)}


# Linear systems -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("branching", "direct"), [(200, True), (20_000, False)])
def test_large_systems_are_iterated_or_factorised(branching, direct):
    """A circle of 20,000 states that is left once in 100,000 steps, with short cuts at some or all states."""
    n = 20_000
    rng = np.random.default_rng(1)
    cut = rng.permutation(n)[:branching]
    ahead, chance = np.ones(n), 1.0 - 1e-5
    ahead[cut] = 0.5
    rows, columns = np.append(np.arange(n), cut), np.append((np.arange(n) + 1) % n, rng.integers(0, n, branching))
    transition = chance * csr_matrix((np.append(ahead, np.full(branching, 0.5)), (rows, columns)), shape=(n, n))
    matrix = (identity(n, format="csr") - transition).tocsr()
    true, guess = rng.random((n, 1)), np.zeros((n, 1))
    right = matrix @ true
    assert linear_block.begins_slowly(matrix, right, guess) == direct
    assert (linear_block.with_small_factors(matrix) is not None) == direct
    given_up = set()
    assert linear.solve((transition.indptr, transition.indices, transition.data), right, guess, given_up) == pytest.approx(true, abs=1e-8)
    assert not given_up


def chain(n, reach=3, back_to_first=0):
    """Steps of up to `reach` to and fro along a chain, which is left at its far end only; some states lead back to the first one."""
    rng = np.random.default_rng(2)
    to = np.arange(n)[:, None] + rng.integers(-reach, reach + 1, (n, 3))
    to[:, 0] = np.arange(n) + 1
    to = np.clip(to, 0, n - 1)
    to[rng.permutation(n)[:back_to_first], 1] = 0
    along = csr_matrix((np.full(3 * n, 1 / 3), (np.repeat(np.arange(n), 3), to.ravel())), shape=(n, n)).tolil()
    along[n - 1] = 0.0
    return along.tocsr()


def test_a_random_graph_for_two_is_worth_what_value_iteration_finds():
    """400 states that lead anywhere, and to the end with one step in 20: one component, laid out as it is swept. The oracle is plain."""
    rng, n = np.random.default_rng(7), 400
    to, ways, paid = rng.integers(1, n + 1, (n, 2, 3)), rng.integers(1, 8, (n, 2, 3)), rng.integers(-9, 10, (n, 2, 3))
    to[rng.random(to.shape) < 0.05] = 0
    player = rng.integers(0, 2, n)
    rows = [[list(zip(w, p, t, strict=True)) for w, p, t in zip(*of_state, strict=True)] for of_state in zip(ways, paid, to, strict=True)]
    batch = transitions([final(0.0), *(moves(*of_state, player=int(p)) for of_state, p in zip(rows, player, strict=True))])
    value, chance = np.zeros(n + 1), ways / ways.sum(axis=2, keepdims=True)
    for _ in range(2000):
        worth = (chance * (paid + value[to])).sum(axis=2)
        value[1:] = np.where(player == 0, worth.max(axis=1), worth.min(axis=1))
    found = solve(batch, [0, 1, n + 1])
    assert np.abs(found.value[:, 0] - value).max() < 1e-11 and found.error.max() < 1e-10


@pytest.mark.parametrize("helps", [False, True])
def test_an_iteration_leaves_as_little_as_it_should(helps):
    rng = np.random.default_rng(3)
    matrix = np.eye(50) - 0.9 * (ways := rng.random((50, 50)) ** 8) / ways.sum(axis=1, keepdims=True)
    true = rng.random(50)
    helper = (lambda vector: vector / np.diag(matrix)) if helps else None
    found = bicgstab(matrix, matrix @ true, 1e-12, 100, helper)
    assert np.linalg.norm(matrix @ (found - true)) < 1e-12 * np.linalg.norm(matrix @ true)
    assert (bicgstab(matrix, np.zeros(50), 1e-12, 100, helper) == 0.0).all()
    assert np.linalg.norm(matrix @ (bicgstab(matrix, matrix @ true, 0.1, 100) - true)) < 0.1 * np.linalg.norm(matrix @ true)
    assert (bicgstab(matrix, matrix @ true, 1e-12, 0) == 0.0).all()


@pytest.mark.parametrize("matrix", [np.zeros((2, 2)), [[0.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]])
def test_an_iteration_that_breaks_down_ends(matrix):
    with np.errstate(all="ignore"):
        assert bicgstab(np.array(matrix), np.array([1.0, 0.0]), 1e-12, 100).shape == (2,)


def drifting(side):
    """Steps to the four neighbours on a grid, rather to one side, left for good with one step in 100,000: play goes on for long."""
    to = csr_matrix(np.eye(side, k=1) + 0.25 * np.eye(side, k=-1))
    ways = kron(to, identity(side)) + kron(identity(side), to)
    return csr_matrix(ways.multiply((1.0 - 1e-5) / ways.sum(1)))


@pytest.mark.parametrize("back", [0, 500])
def test_long_thin_systems_are_factorised_at_once(monkeypatch, back):
    """A chain of 20,000 states with 20,000 equations of several unknowns each, of which 500 contain the first one."""
    transition = chain(20_000, back_to_first=back)
    monkeypatch.setattr(linear_block, "bicgstab", None)
    true = np.random.default_rng(1).random((20_000, 1))
    right = true - transition @ true
    found = linear_block.solve_block(transition, right, np.zeros_like(true), set())
    assert np.max(np.abs(found - transition @ found - right)) < 1e-13


@pytest.mark.parametrize("transition", [chain(900), chain(900, back_to_first=300), drifting(30)], ids=["chain", "hub", "plane"])
def test_few_equations_that_are_flat_are_not_iterated(monkeypatch, transition):
    """Factors take a tenth of the time of an iteration, also where that begins fast."""
    monkeypatch.setattr(linear_block, "bicgstab", None)
    true = np.random.default_rng(1).random((900, 1))
    right = true - transition @ true
    found = linear_block.solve_block(transition, right, np.zeros_like(true), set())
    assert np.max(np.abs(found - transition @ found - right)) < 1e-13


def test_few_equations_are_factorised_where_an_iteration_would_be_slow():
    """Clusters that play leaves seldom: the first steps leave a hundredth of the residual, and the others are as slow."""
    rng, n = np.random.default_rng(4), 1500
    to = np.arange(n)[:, None] // 50 * 50 + rng.integers(0, 50, (n, 12))
    to[rng.integers(0, n, n // 15), 0] = rng.integers(0, n, n // 15)
    clusters = csr_matrix((np.full(12 * n, 0.999 / 12), (np.repeat(np.arange(n), 12), to.ravel())), shape=(n, n))
    matrix, right = (identity(n, format="csr") - clusters).tocsr(), rng.integers(-50, 50, (n, 1)).astype(float)
    assert not factors.is_flat(matrix) and linear_block.begins_slowly(matrix, right, np.zeros((n, 1)))
    assert linear_block.with_small_factors(matrix) is not None


@pytest.mark.parametrize("tier", TIERS)
def test_what_is_long_and_thin(tier):
    def is_so(transition, widest=10, hub=20):
        start, neighbours = factors._ties((identity(transition.shape[0], format="csr") - transition).tocsr())
        return elimination.is_thin(start, neighbours, widest, hub)

    with only(tier):
        assert is_so(chain(500)) and is_so(chain(500, back_to_first=50))
        assert not is_so(chain(500), widest=2) and not is_so(chain(500, reach=30)) and not is_so(walk(30))
        assert is_so(csr_matrix((5, 5))) and is_so(walk(8))


def test_singular_systems_that_are_long_and_thin_have_no_such_factors():
    circle = csr_matrix((np.ones(5000), (np.arange(5000), (np.arange(5000) + 1) % 5000)), shape=(5000, 5000))
    assert linear_block.thin((identity(5000, format="csr") - circle).tocsr()) is None


def test_slow_play_on_a_plane_is_factorised(monkeypatch):
    """An iteration takes a hundred times as long here, where factors have seven numbers for each coefficient."""
    transition = drifting(70)
    monkeypatch.setattr(linear_block, "plain", None)
    monkeypatch.setattr(linear_block, "incomplete", None)
    true = np.random.default_rng(1).random((4900, 1))
    right = true - transition @ true
    found = linear_block.solve_block(transition, right, np.zeros_like(true), set())
    assert np.max(np.abs(found - transition @ found - right)) < 1e-13


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slow_play_that_leaves_somewhere_is_swept_from_there(monkeypatch, sign):
    """A plane that is left at one corner, to which play goes rather than away, alone or in turn: factors would take eight times as long."""
    side = 120
    to = csr_matrix(np.eye(side, k=1) + 0.4 * np.eye(side, k=-1))
    ways = csr_matrix(kron(to, identity(side)) + kron(identity(side), to))
    stays = np.append(np.ones(side**2 - 1), 0.3)[:, None]
    transition = csr_matrix(ways.multiply(sign * stays / ways.sum(1)))
    turn = sign ** np.add.outer(np.arange(side), np.arange(side)).reshape(-1, 1)
    true = np.random.default_rng(1).random((side**2, 1)) * turn
    right = true - transition @ true
    assert linear_block.begins_slowly((identity(side**2, format="csr") - transition).tocsr(), right, np.zeros_like(true))
    for other in ("plain", "incomplete", "with_small_factors", "factorised"):
        monkeypatch.setattr(linear_block, other, None)
    found = linear_block.solve_block(transition, right, np.zeros_like(true), set())
    assert np.max(np.abs(found - transition @ found - right)) < 1e-13
    order = linear_block.from_exits(transition)
    assert sorted(order) == [*range(side**2)] and (order[-1], order[0]) == (0, side**2 - 1)


def test_what_mixes_or_fills_in_is_not_flat():
    rng = np.random.default_rng(5)
    n = 5000
    anywhere = csr_matrix((np.full(4 * n, 0.25), (np.repeat(np.arange(n), 4), rng.integers(0, n, 4 * n))), shape=(n, n))
    assert factors.flat_order((identity(n, format="csr") - 0.9 * anywhere).tocsr()) is None
    assert factors.flat_order((identity(4900, format="csr") - drifting(70)).tocsr()) is not None
    assert factors.thin_order((identity(40_000, format="csr") - walk(200)).tocsr()) is None


def joined(start, neighbours, order):
    """How many numbers a factor has, by elimination with sets."""
    near = [set(map(int, neighbours[start[i] : start[i + 1]])) for i in range(start.size - 1)]
    count = 0
    for p in map(int, order):
        count += len(near[p]) + 1
        for i in near[p]:
            near[i] = (near[i] | near[p]) - {i, p}
    return count


@pytest.mark.parametrize("tier", TIERS)
def test_what_fills_in_is_counted_before_anything_is_eliminated(tier):
    rng = np.random.default_rng(3)
    with only(tier):
        for trial in range(60):
            n = int(rng.integers(1, 40))
            ties = rng.random((n, n)) < 0.3 * rng.random()
            ties = csr_matrix((ties | ties.T) & ~np.eye(n, dtype=bool))
            start, neighbours = ties.indptr.astype(np.int64), ties.indices.astype(np.int32)
            order, count = elimination_order(start, neighbours, 1 << 60)
            assert sorted(order) == list(range(n)), trial
            assert count == joined(start, neighbours, order), trial
            assert elimination_order(start, neighbours, count)[1] == count
            assert elimination_order(start, neighbours, count - 1)[1] == -1
        line = csr_matrix(np.eye(50, k=1) + np.eye(50, k=-1))  # nothing fills in
        assert elimination_order(line.indptr.astype(np.int64), line.indices.astype(np.int32), 1 << 60)[1] == 99


def walk(side):
    """A random walk on a grid, which is left at its rim."""
    along = csr_matrix(0.25 * (np.eye(side, k=1) + np.eye(side, k=-1)))
    return (kron(along, identity(side)) + kron(identity(side), along)).tocsr()


def test_factors_are_as_large_as_was_counted_and_refused_before_they_are_made(monkeypatch):
    transition = walk(70)
    matrix = (identity(4900, format="csr") - transition).tocsr()
    true = np.random.default_rng(4).random((4900, 2))
    made = []
    splu = linear_block.splu
    monkeypatch.setattr(linear_block, "splu", lambda *of, **how: made.append(splu(*of, **how)) or made[-1])
    assert linear_block.factorised(matrix)(matrix @ true) == pytest.approx(true, abs=1e-11)
    numbers = made[0].L.nnz + made[0].U.nnz
    monkeypatch.setattr(factors, "available", lambda: factors.NUMBER * numbers / 2)
    monkeypatch.setattr("zermelo.basics.machine.available", factors.available)
    with pytest.raises(OutOfReach, match=r"4,900 equations .* factors have more than .* needs about .* give smaller parameters"):
        linear_block.factorised(matrix)
    monkeypatch.setattr(factors, "available", lambda: factors.NUMBER * 2 * numbers)
    with pytest.raises(OutOfReach, match=r"factors have [\d,]+ numbers, needs about"):  # by now less is free
        linear_block.factorised(matrix)
    monkeypatch.undo()
    monkeypatch.setattr(factors, "MOST_NUMBERS", numbers // 2)
    with pytest.raises(OutOfReach, match="can't count so many"):
        linear_block.factorised(matrix)
    assert len(made) == 1
    monkeypatch.setattr(rational_linear, "ASKED", 4000)
    start, column, entry = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), (4 * matrix.data).astype(np.int64)
    with pytest.raises(OutOfReach, match="can't count so many"):
        rational_linear.solve(rational_matrix.Matrix(start, column, entry), [rational_matrix.column([1] * 4900)])


def test_batches_end_where_an_error_is_told():
    """As garbage they ended where Ctrl-C is printed and forgotten, while their threads are waited for."""

    def batches():
        try:
            yield transitions([final(1.0)]), np.arange(2)
        finally:
            raise KeyboardInterrupt

    def fail(*_):
        raise ValueError

    with pytest.raises(KeyboardInterrupt):
        Backward().solve(SimpleNamespace(num_states=1, num_payoffs=1, batches=batches), 1.0, fail)
