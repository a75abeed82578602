"""The oracle: what a solution *is*, in plain Python, dicts and rationals. Small games only.

Positions that `symmetries` identifies are one state, the smallest of them (`canonical`). Every state has values:

    v(s) = payoff(s)                                                    where the play is over
    v(s) = the best action's average of payoff + sign * v(next)         elsewhere

(one number a payoff; the first is what players play for). States are taken component by component (strongly connected,
successors first). A component that is one state without a loop is plain recursion. Elsewhere play may return: there the
values of a pair of policies solve linear equations, and the best policies are found by strategy iteration (Hoffman and
Karp 1966). Infinite play that collects nothing is worth 0. To get that right, policies are compared in a game that goes
on only with probability 1 - e after each action, with e so small that what is optimal there is optimal for e = 0 too
(Blackwell 1962); that no action is better for e = 0 is checked.

Rationals are FLINT's while values are computed, which takes a fifth of the time; what is returned are Fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import splu

from zermelo.errors import NoValue
from zermelo.language.rules import Rules

Number = Any  # Fraction, or float where `number=float` is asked for
Values = tuple[Number, ...]  # one number a payoff
Row = list[tuple[Number, Values, Any, int]]  # the outcomes of an action: (probability, payoff, next state, sign)
FIRST_E = Fraction(1, 1 << 20)


class Count(NamedTuple):
    states: int  # up to symmetry
    transitions: int  # outcomes with positive ways, over all states and actions
    finals: int  # states where the play is over


def solve(
    game: Any, states: Iterable[Any] | None = None, number: Callable[[Any], Number] = Fraction
) -> dict[Any, Values]:
    """Values of all states that can be reached from `states`: by default from the start and from all of `space()`."""
    rules, is_exact = Rules(game), number is Fraction
    number = rational if is_exact else number
    rows = explore(game, states, number)
    v: dict[Any, Values] = {}
    for component in components(rows):
        s = component[0]
        if not rows[s]:
            v[s] = tuple(map(number, rules.payoff(s)))
        elif len(component) == 1 and all(t != s for row in rows[s] for _, _, t, _ in row):
            best = min if rules.player(s) else max
            v[s] = best((average(row, v) for row in rows[s]), key=lambda values: values[0])
        else:
            v.update(solve_component(rules, component, rows, v, tolerance=0 if is_exact else 1e-12))
    return {s: tuple(Fraction(int(x.p), int(x.q)) for x in values) for s, values in v.items()} if is_exact else v


def rational(number: Any) -> Any:
    """A number as one of FLINT's rationals."""
    if type(number) is int:
        return fmpq(number)
    fraction = Fraction(number)
    return fmpq(int(fraction.numerator), int(fraction.denominator))


def value(game: Any, number: Callable[[Any], Number] = Fraction) -> Any:
    """The value of the start: a number, or a tuple where the game names its payoffs."""
    rules = Rules(game)
    values = solve(game, number=number)[canonical(rules, rules.start)]
    return values if rules.has_several_payoffs else values[0]


def count(game: Any) -> Count:
    rows = explore(game)
    outcomes = sum(len(row) for rows_of_state in rows.values() for row in rows_of_state)
    return Count(len(rows), outcomes, finals=sum(not rows_of_state for rows_of_state in rows.values()))


def action_values(game: Any, s: Any, v: dict[Any, Values]) -> dict[Any, Values]:
    """What every action of a state is worth, given the values of the states."""
    rules = Rules(game)
    return {action: average(outcome_row(rules, s, action, Fraction), v) for action in rules.actions(s)}


def canonical(rules: Rules, s: Any) -> Any:
    """The smallest of the positions that are the same as `s`."""
    return min([s, *rules.same_as(s)])


# What the rules lead to


def explore(
    game: Any, states: Iterable[Any] | None = None, number: Callable[[Any], Number] = Fraction
) -> dict[Any, list[Row]]:
    """The rows of every state that can be reached, one an action; none where the play is over."""
    rules = Rules(game)
    waiting = [canonical(rules, s) for s in (all_states(rules) if states is None else states)]
    rows: dict[Any, list[Row]] = {}
    while waiting:
        s = waiting.pop()
        if s not in rows:
            rows[s] = [outcome_row(rules, s, action, number) for action in rules.actions(s)]
            waiting += [t for row in rows[s] for _, _, t, _ in row]
    return rows


def outcome_row(rules: Rules, s: Any, action: Any, number: Callable[[Any], Number]) -> Row:
    outcomes = [o for o in rules.outcomes(s, action) if o.ways > 0]
    total = sum(number(o.ways) for o in outcomes)
    return [(number(o.ways) / total, tuple(map(number, o.payoff)), canonical(rules, o.state), o.sign) for o in outcomes]


def all_states(rules: Rules) -> Iterator[Any]:
    """The start, and the states of a declared space: the product of its ranges."""
    yield rules.start
    if hasattr(rules.game, "space") and not rules.is_staged and rules.ranked is None:
        ranges = [product(*r) if isinstance(r, tuple) else r for r in rules.game.space()]
        yield from (type(rules.start)(*values) for values in product(*ranges))


def components(rows: dict[Any, list[Row]]) -> Iterator[list[Any]]:
    """The strongly connected components, successors first (Tarjan 1972, with a stack of its own)."""
    found: dict[Any, int] = {}  # in which order states are found
    low: dict[Any, int] = {}  # the earliest state of an unfinished component that is known to be reached
    unfinished: list[Any] = []
    finished: set[Any] = set()

    def enter(s: Any) -> tuple[Any, Iterator[Any]]:
        found[s] = low[s] = len(found)
        unfinished.append(s)
        return s, iter([t for row in rows[s] for _, _, t, _ in row])

    for root in rows:
        path = [] if root in found else [enter(root)]
        while path:
            s, successors = path[-1]
            for t in successors:
                if t not in found:
                    path.append(enter(t))
                    break
                if t not in finished:
                    low[s] = min(low[s], found[t])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[s])
                if low[s] == found[s]:
                    at = next(i for i in reversed(range(len(unfinished))) if unfinished[i] == s)
                    component = unfinished[at:]
                    del unfinished[at:]
                    finished.update(component)
                    yield component


# What it is worth


def average(row: Row, v: dict[Any, Values]) -> Values:
    """The mean over outcomes of payoff + sign * v(next)."""
    terms = [[p * (pay + sign * x) for pay, x in zip(payoff, v[t], strict=True)] for p, payoff, t, sign in row]
    return tuple(map(sum, zip(*terms, strict=True)))


class Side(NamedTuple):
    """A state of a component, seen by player 0 (view = 1) or with all payoffs negated (-1); PASS changes the view."""

    state: Any
    view: int


class Equation(NamedTuple):
    """x = constant + sum of weight[y] * y over other sides y of the component."""

    constant: list[Number]  # one a payoff
    weight: dict[Side, Number]


def solve_component(
    rules: Rules, component: list[Any], rows: dict[Any, list[Row]], v: dict[Any, Values], tolerance: float
) -> dict[Any, Values]:
    """Values of the states of a component, given those of the components before it in `v`."""
    inside = set(component)
    passes = any(sign < 0 and t in inside for s in component for row in rows[s] for _, _, t, sign in row)
    sides = [Side(s, view) for s in component for view in ((1, -1) if passes else (1,))]
    options = {side: [equation(side, row, inside, v) for row in rows[side.state]] for side in sides}
    maximisers = [side for side in sides if (rules.player(side.state) == 0) == (side.view == 1)]
    minimisers = [side for side in sides if (rules.player(side.state) == 0) != (side.view == 1)]
    policy = dict.fromkeys(sides, 0)
    values_of = policy_values_in_floats if tolerance else policy_values
    first, zero = (FIRST_E, Fraction(0)) if tolerance else (rational(FIRST_E), fmpq(0))
    e = zero if all(len(rows[s]) == 1 for s in component) else first
    while e == 0 or e > first**32:
        while True:  # the minimiser's best reply to what the maximiser does, then a better maximiser
            x = values_of(options, policy, e)
            if not improve(options, policy, minimisers, min, x, e, tolerance) and not improve(
                options, policy, maximisers, max, x, e, tolerance
            ):
                break
        x = values_of(options, policy, zero) if e else x
        trial = dict(policy)
        if not (
            improve(options, trial, minimisers, min, x, zero, tolerance)
            or improve(options, trial, maximisers, max, x, zero, tolerance)
        ):
            return {side.state: x[side] for side in sides if side.view == 1}
        e = e * e
    raise NoValue(f"no policies found that are optimal for every small e among {len(component)} states: {component[0]}")


def equation(side: Side, row: Row, inside: set[Any], v: dict[Any, Values]) -> Equation:
    """An action as an equation between the values of the component."""
    constant = [0 * pay for pay in row[0][1]]
    weight: dict[Side, Number] = {}
    for p, payoff, t, sign in row:
        known = [0] * len(payoff) if t in inside else v[t]
        constant = [c + side.view * p * (pay + sign * y) for c, pay, y in zip(constant, payoff, known, strict=True)]
        if t in inside:
            to = Side(t, side.view * sign)
            weight[to] = weight.get(to, 0) + p
    return Equation(constant, weight)


def improve(
    options: dict[Side, list[Equation]],
    policy: dict[Side, int],
    sides: list[Side],
    best: Callable[..., int],
    x: dict[Side, Values],
    e: Number,
    tolerance: float,
) -> bool:
    """Switch these sides to their best actions where that is strictly better, given values `x`. Was it anywhere?"""
    switched = False
    for side in sides:
        worth = [q.constant[0] + (1 - e) * sum(w * x[y][0] for y, w in q.weight.items()) for q in options[side]]
        action = best(range(len(worth)), key=worth.__getitem__)
        if abs(worth[action] - worth[policy[side]]) > tolerance:
            policy[side], switched = action, True
    return switched


def policy_values_in_floats(options: dict[Side, list[Equation]], policy: dict[Side, int], e: Number) -> dict[Side, Values]:
    """The same by a sparse solver; where its matrix is singular, elimination says why."""
    number = {side: i for i, side in enumerate(policy)}
    followed = [options[side][action] for side, action in policy.items()]
    weights = [(i, number[y], float((1 - e) * w)) for i, q in enumerate(followed) for y, w in q.weight.items()]
    rows, columns, entries = zip(*weights, strict=True) if weights else ((), (), ())
    matrix = identity(len(number)) - csc_matrix((entries, (rows, columns)), shape=(len(number), len(number)))
    try:
        x = splu(matrix.tocsc()).solve(np.array([q.constant for q in followed], float))
    except RuntimeError:
        return policy_values(options, policy, e)
    return {side: tuple(row) for side, row in zip(policy, x.tolist(), strict=True)}


def policy_values(options: dict[Side, list[Equation]], policy: dict[Side, int], e: Number) -> dict[Side, Values]:
    """Values if everybody follows the policy: Gaussian elimination, the least used unknowns first."""
    constant = {side: list(options[side][action].constant) for side, action in policy.items()}
    weight = {side: {y: (1 - e) * w for y, w in options[side][a].weight.items()} for side, a in policy.items()}
    users: dict[Side, set[Side]] = {side: set() for side in policy}
    for side in policy:
        for y in weight[side]:
            users[y].add(side)
    order: list[Side] = []
    left = set(policy)
    waiting = [(len(weight[y]) * len(users[y]), y) for y in left]
    heapify(waiting)
    while waiting:
        products, y = heappop(waiting)
        if y not in left or products != len(weight[y]) * len(users[y]):  # there is a newer entry
            continue
        left.remove(y)
        order.append(y)
        returns = weight[y].pop(y, 0)
        if returns == 1:  # y and those that lead to it are a circle without an exit
            if any(constant[y]):
                raise NoValue(f"payoffs pile up without end at {y.state}")
        else:
            constant[y] = [c / (1 - returns) for c in constant[y]]
            weight[y] = {z: w / (1 - returns) for z, w in weight[y].items()}
        for user in users[y] - {y}:
            share = weight[user].pop(y)
            constant[user] = [a + share * b for a, b in zip(constant[user], constant[y], strict=True)]
            for z, w in weight[y].items():
                weight[user][z] = weight[user].get(z, 0) + share * w
                users[z].add(user)
        for z in weight[y]:
            users[z].discard(y)
        for z in left.intersection(users[y] | weight[y].keys()):
            heappush(waiting, (len(weight[z]) * len(users[z]), z))
    x: dict[Side, Values] = {}
    for y in reversed(order):
        terms = [[w * value for value in x[z]] for z, w in weight[y].items()]
        x[y] = tuple(map(sum, zip(constant[y], *terms, strict=True)))
    return x
