"""Counterfactual regret minimisation on a sequence form (Zinkevich and others 2007).

What an iteration needs of the tree is in the payoffs by pairs of sequences: against a plan y of the other player the sequences of a player
are worth A y plus what follows them, so that regrets, from the last information sets to the first, and the new plan, from the first to the
last, cost one pass over the nonzeros. Both players are updated in turn (Tammelin and others 2015, CFR+). Regrets are never negative, and
a prediction, the regrets of the round before, is added where actions are chosen (Farina, Kroer and Sandholm 2021); plans are
averaged with weights that grow as the square of the round.

Where payoffs are panels (problem/panels.py), what a plan makes of each panel is computed first, and stands behind the plan: `known`, the
plan of the other player and these products, in which nonzeros then have their place.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@inner
def _chosen(k: int, regret: np.ndarray, hint: np.ndarray, parent: np.ndarray, first: np.ndarray, plan: np.ndarray) -> None:
    """The plan in set k: in proportion to the positive part of regret + hint; evenly where there is none."""
    low, high = first[k], first[k + 1]
    total = 0.0
    for s in range(low, high):
        total += max(regret[s] + hint[s], 0.0)
    leading = plan[parent[k]]
    for s in range(low, high):
        plan[s] = leading * (max(regret[s] + hint[s], 0.0) / total if total > 0.0 else 1.0 / (high - low))


@inner
def _missed(k: int, worth: np.ndarray, regret: np.ndarray, hint: np.ndarray, first: np.ndarray) -> float:
    """Add what the last choice in set k has missed. Returns what it comes to."""
    low, high = first[k], first[k + 1]
    total, mean, even = 0.0, 0.0, 0.0
    for s in range(low, high):
        chance = max(regret[s] + hint[s], 0.0)
        total += chance
        mean += chance * worth[s]
        even += worth[s]
    mean = mean / total if total > 0.0 else even / (high - low)
    for s in range(low, high):
        hint[s] = worth[s] - mean
        regret[s] = max(regret[s] + hint[s], 0.0)
    return mean


@kernel
def multiply(
    low: int, high: int, group: np.ndarray, matrix: np.ndarray, scale: np.ndarray, other_at: np.ndarray, index: np.ndarray,
    own: np.ndarray, others: np.ndarray, at: np.ndarray, pool: np.ndarray, product_at: np.ndarray, known: np.ndarray,
) -> None:  # fmt: skip
    """The products of the panels in the groups low, ..., high - 1 with the plan that `known` begins with: behind it, at product_at[p].

    Group g has the panels group[g] : group[g + 1], all of the same matrix m, which has own[m] numbers for each of others[m] sequences,
    those of a sequence one behind the other. Four sequences are taken together, so that a product is read and written once for all of
    them; and places are unsigned, since the compiler takes a signed one for possibly counted from the end, and then uses no vectors."""
    for g in range(low, high):
        first, last = group[g], group[g + 1]
        m = matrix[first]
        n, base, count = np.int64(own[m]), at[m], np.int64(others[m])
        for k in range(product_at[first], product_at[last]):
            known[k] = 0.0
        together = count - count % 4
        for j in range(0, together, 4):
            a = np.uint64(base + j * n)
            b = a + np.uint64(n)
            c = b + np.uint64(n)
            d = c + np.uint64(n)
            for p in range(first, last):
                factor, where, to = scale[p], other_at[p] + j, np.uint64(product_at[p])
                one, two = factor * known[index[where]], factor * known[index[where + 1]]
                three, four = factor * known[index[where + 2]], factor * known[index[where + 3]]
                if one != 0.0 or two != 0.0 or three != 0.0 or four != 0.0:
                    for k in range(n):
                        i = np.uint64(k)
                        known[to + i] += (one * pool[a + i] + two * pool[b + i]) + (three * pool[c + i] + four * pool[d + i])
        for j in range(together, count):
            a = np.uint64(base + j * n)
            for p in range(first, last):
                share = scale[p] * known[index[other_at[p] + j]]
                if share != 0.0:
                    to = np.uint64(product_at[p])
                    for k in range(n):
                        i = np.uint64(k)
                        known[to + i] += share * pool[a + i]


@inner
def _gained(i: int, known: np.ndarray, start: np.ndarray, other: np.ndarray, paid: np.ndarray) -> float:
    """What sequence i is paid, without what follows it, where the other player's plan and its products are `known`."""
    gained = 0.0
    for e in range(start[i], start[i + 1]):
        gained += paid[e] * known[other[e]]
    return gained


@inner
def _answer(known, start, other, paid, parent, first, worth, regret, hint, plan, total, weight):
    """One player's half of a round: what the other's plan makes of every sequence, the regrets, the next plan, and the sum of all."""
    for i in range(len(plan)):
        worth[i] = _gained(i, known, start, other, paid)
    for k in range(len(parent) - 1, -1, -1):
        worth[parent[k]] += _missed(k, worth, regret, hint, first)
    plan[0] = 1.0
    for k in range(len(parent)):
        _chosen(k, regret, hint, parent, first, plan)
    for i in range(len(plan)):
        total[i] += weight * plan[i]


@kernel
def minimise(
    rounds: int, done: int, parent_0: np.ndarray, first_0: np.ndarray, start_0: np.ndarray, other_0: np.ndarray, paid_0: np.ndarray,
    panels_0: tuple[np.ndarray, ...], parent_1: np.ndarray, first_1: np.ndarray, start_1: np.ndarray, other_1: np.ndarray,
    paid_1: np.ndarray, panels_1: tuple[np.ndarray, ...],
    regret_0: np.ndarray, hint_0: np.ndarray, known_0: np.ndarray, sum_0: np.ndarray,
    regret_1: np.ndarray, hint_1: np.ndarray, known_1: np.ndarray, sum_1: np.ndarray,
) -> None:  # fmt: skip
    """So many more rounds after `done`. For sequence i of player 0 the nonzeros start_0[i] : start_0[i + 1] have the place `other_0` in
    known_1, and what is paid to player 0; likewise for player 1, with what is paid to him. known float64[n] : the plan of the last round,
    and what panels make of it (those of the other player, as `multiply` takes them); sum float64[sequences] : the weighted sum of all."""
    plan_0, plan_1 = known_0[: len(sum_0)], known_1[: len(sum_1)]
    worth_0, worth_1 = np.empty(len(plan_0)), np.empty(len(plan_1))
    group, matrix, scale, other_at, index, own, others, at, pool, product_at = panels_0
    group_1, matrix_1, scale_1, other_at_1, index_1, own_1, others_1, at_1, pool_1, product_at_1 = panels_1
    for t in range(done + 1, done + rounds + 1):
        weight = float(t) * float(t)
        multiply(0, len(group) - 1, group, matrix, scale, other_at, index, own, others, at, pool, product_at, known_1)
        _answer(known_1, start_0, other_0, paid_0, parent_0, first_0, worth_0, regret_0, hint_0, plan_0, sum_0, weight)
        multiply(
            0, len(group_1) - 1, group_1, matrix_1, scale_1, other_at_1, index_1, own_1, others_1, at_1, pool_1, product_at_1, known_0
        )  # fmt: skip
        _answer(known_0, start_1, other_1, paid_1, parent_1, first_1, worth_1, regret_1, hint_1, plan_1, sum_1, weight)


# The same in parts, for several threads: a part has some information sets and all that come after them; what is left is the top.


@kernel
def regret_part(
    sets: np.ndarray, known: np.ndarray, start: np.ndarray, other: np.ndarray, paid: np.ndarray, parent: np.ndarray, first: np.ndarray,
    is_root: np.ndarray, worth: np.ndarray, mean_of: np.ndarray, regret: np.ndarray, hint: np.ndarray,
) -> None:  # fmt: skip
    """What the last choice has missed in these sets, the last one first. `worth` of the sequences is written first; what a set where
    is_root is true comes to is not added to the sequence that leads to it, but kept in `mean_of`."""
    for at in range(len(sets)):
        k = sets[at]
        for i in range(first[k], first[k + 1]):
            worth[i] = _gained(i, known, start, other, paid)
    for at in range(len(sets) - 1, -1, -1):
        k = sets[at]
        mean_of[k] = _missed(k, worth, regret, hint, first)
        if not is_root[k]:
            worth[parent[k]] += mean_of[k]


@kernel
def regret_top(
    sets: np.ndarray, known: np.ndarray, start: np.ndarray, other: np.ndarray, paid: np.ndarray, parent: np.ndarray, first: np.ndarray,
    is_root: np.ndarray, worth: np.ndarray, mean_of: np.ndarray, regret: np.ndarray, hint: np.ndarray,
) -> None:  # fmt: skip
    """The same of the sets of the top, after all parts; the roots of these are among `sets`."""
    for at in range(-1, len(sets)):
        low, high = (0, 1) if at < 0 else (first[sets[at]], first[sets[at] + 1])
        for i in range(low, low if at >= 0 and is_root[sets[at]] else high):
            worth[i] = _gained(i, known, start, other, paid)
    for at in range(len(sets) - 1, -1, -1):
        k = sets[at]
        if not is_root[k]:
            mean_of[k] = _missed(k, worth, regret, hint, first)
        worth[parent[k]] += mean_of[k]


@kernel
def choose_part(
    sets: np.ndarray, regret: np.ndarray, hint: np.ndarray, parent: np.ndarray, first: np.ndarray, plan: np.ndarray, total: np.ndarray,
    weight: float,
) -> None:  # fmt: skip
    """The next plan in these sets, and the sum of all plans."""
    for at in range(len(sets)):
        k = sets[at]
        _chosen(k, regret, hint, parent, first, plan)
        for s in range(first[k], first[k + 1]):
            total[s] += weight * plan[s]


@kernel
def fill_in(worth: np.ndarray, parent: np.ndarray, first: np.ndarray, weight: np.ndarray) -> None:
    """Where a player gets only by other choices of his own, so that nothing is weighed there, the action that is worth most; `worth` of
    each sequence, without what follows it, is made to hold that, too."""
    for k in range(len(parent) - 1, -1, -1):
        low, high = first[k], first[k + 1]
        total, mean, best = 0.0, 0.0, low
        for s in range(low, high):
            total += weight[s]
            mean += weight[s] * worth[s]
            if worth[s] > worth[best] + 1e-12 * abs(worth[best]):
                best = s
        if total == 0.0:
            weight[best] = 1.0
        worth[parent[k]] += mean / total if total > 0.0 else worth[best]


@kernel
def even(parent: np.ndarray, first: np.ndarray, ends: np.ndarray, plan: np.ndarray) -> None:
    """The plan by which every way in which a player's choices can end is equally likely; ends float64[sequences] : 0 for sequences that
    lead to a set of his, else 1, and then the ways to go on from each."""
    for k in range(len(parent) - 1, -1, -1):
        total = 0.0
        for s in range(first[k], first[k + 1]):
            total += ends[s]
        ends[parent[k]] += total
    plan[0] = 1.0
    for k in range(len(parent)):
        total = 0.0
        for s in range(first[k], first[k + 1]):
            total += ends[s]
        for s in range(first[k], first[k + 1]):
            plan[s] = plan[parent[k]] * ends[s] / total


@kernel
def cut(
    parent: np.ndarray, first: np.ndarray, set_of: np.ndarray, work: np.ndarray, parts: int, part_of: np.ndarray, is_root: np.ndarray
) -> None:
    """Cut the sets of a player into about so many parts of whole subtrees and a top. `work` float64[sets] is made to hold that of all that
    come after a set, too; part_of int32[sets] : -1 in the top; is_root : the first set of a subtree in a part."""
    total = 0.0
    for k in range(len(parent) - 1, -1, -1):
        before = set_of[parent[k]]
        if before >= 0:
            work[before] += work[k]
        else:
            total += work[k]
    limit = total / (2 * parts)
    part, filled = 0, 0.0
    for k in range(len(parent)):
        before = set_of[parent[k]]
        is_root[k] = False
        if before >= 0 and part_of[before] >= 0:
            part_of[k] = part_of[before]
        elif work[k] > limit:
            part_of[k] = -1
        else:
            if filled > 2 * limit:
                part, filled = part + 1, 0.0
            part_of[k], is_root[k] = part, True
            filled += work[k]
