"""Backward induction in rationals whose numerators and denominators fit into machine words.

Every product and sum is known to fit before it is computed: a state whose numbers might not is left to long integers
(solvers/rational.py). A fraction is a pair (numerator, denominator > 0) in lowest terms; the denominator 0 says that it is not known
in words.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel

MOST = 1 << 62  # every whole number in words is smaller: the sum of two still fits into int64
SAFE = 4.6e18  # slightly less than MOST: a product of floats below this is certain to come from whole numbers whose product is smaller


@inner
def product_fits(a, b):
    return abs(float(a)) * abs(float(b)) < SAFE


@inner
def common_divisor(a, b):
    """Of two numbers that are not negative, one of them positive."""
    while b != 0:
        a, b = b, a % b
    return a


@inner
def lowest_terms(p, q):
    common = common_divisor(abs(p), q)
    return p // common, q // common


@inner
def added(p, q, r, s):
    """p / q + r / s; with the denominator 0 if that does not fit."""
    if q == s:
        total = p + r
        return (total, q) if abs(total) < MOST else (np.int64(0), np.int64(0))
    common = common_divisor(q, s)
    left, right = s // common, q // common
    if not (product_fits(p, left) and product_fits(r, right) and product_fits(q, left)):
        return np.int64(0), np.int64(0)
    total = p * left + r * right
    return (total, q * left) if abs(total) < MOST else (np.int64(0), np.int64(0))


@inner
def is_less(p, q, r, s):
    """Whether p / q < r / s. Compares continued fractions, whose terms never grow."""
    while True:
        a, b = p // q, r // s
        if a != b:
            return a < b
        p, r = p - a * q, r - b * s
        if r == 0:
            return False
        if p == 0:
            return True
        p, q, r, s = s, r, q, p


@inner
def row_value(row, j, outcome_start, ways, next_state, sign, payoff, discount, payoff_unit, numerator, denominator):
    """The expected value of payoff j when `row` is played; with the denominator 0 if it is not found in words.

    discount : (numerator, denominator); payoffs are multiples of 1 / payoff_unit."""
    nothing = np.int64(0), np.int64(0)
    p, q = np.int64(0), np.int64(1)
    gain, weight = np.int64(0), np.int64(0)
    for o in range(outcome_start[row], outcome_start[row + 1]):
        if ways[o] == 0:
            continue
        weight += ways[o]
        if payoff[o, j] != 0:
            if not product_fits(ways[o], payoff[o, j]):
                return nothing
            gain += ways[o] * payoff[o, j]
        r, s = numerator[next_state[o], j], denominator[next_state[o], j]
        if s == 0 or not product_fits(ways[o], r) or weight >= MOST or abs(gain) >= MOST:
            return nothing
        p, q = added(p, q, (ways[o] if sign[o] > 0 else -ways[o]) * r, s)
        if q == 0:
            return nothing
    if weight == 0:
        return nothing
    if discount[0] != discount[1]:
        p, q = lowest_terms(p, q)
        if not (product_fits(p, discount[0]) and product_fits(q, discount[1])):
            return nothing
        p, q = p * discount[0], q * discount[1]
    if gain != 0:
        p, q = added(p, q, gain, payoff_unit)
        if q == 0:
            return nothing
    common = common_divisor(weight, abs(p))
    p, weight = p // common, weight // common
    p, q = lowest_terms(p, q)
    return (p, q * weight) if product_fits(q, weight) else nothing


@kernel
def settle_in_words(
    low, at, components, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player, discount, units,
    numerator, denominator, policy,
):  # fmt: skip
    """Solve the components from number `at` on, one after another; returns the number of the first one that is left to long integers,
    because it can recur or its numbers do not fit.

    Fills numerator, denominator : int64[states of the game, payoffs], and `policy` with the first best row unless the present one is as
    good. units : (of the payoffs, of the final payoffs), whole numbers of which they are multiples of the inverse.
    """
    for c in range(at, components.size - 1):
        state = components[c]
        if components[c + 1] != state + 1:
            return c
        i = state - low
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            for j in range(numerator.shape[1]):
                numerator[state, j], denominator[state, j] = lowest_terms(final_payoff[i, j], units[1])
            continue
        for o in range(outcome_start[first], outcome_start[last]):
            if next_state[o] == state and ways[o] != 0:
                return c
        chosen = policy[state]
        p, q = row_value(
            first + chosen, 0, outcome_start, ways, next_state, sign, payoff, discount, units[0], numerator, denominator
        )
        if q == 0:
            return c
        for row in range(first, last):
            if row == first + policy[state]:
                continue
            r, s = row_value(row, 0, outcome_start, ways, next_state, sign, payoff, discount, units[0], numerator, denominator)
            if s == 0:
                return c
            if is_less(p, q, r, s) if player[i] == 0 else is_less(r, s, p, q):
                p, q, chosen = r, s, row - first
        for j in range(1, numerator.shape[1]):
            numerator[state, j], denominator[state, j] = row_value(
                first + chosen, j, outcome_start, ways, next_state, sign, payoff, discount, units[0], numerator, denominator
            )
            if denominator[state, j] == 0:
                return c
        numerator[state, 0], denominator[state, 0], policy[state] = p, q, chosen
    return components.size - 1
