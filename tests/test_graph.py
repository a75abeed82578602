"""End components, and where a player can force an outcome (kernels/graph.py), compared with a search that starts anew each time, and in
sets."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo.kernels.graph import end_components, moves_to_leave, surely


def random_graph(seed):
    """(first_row, first_outcome, to, chance, mine, fine) of up to 12 nodes; half of the graphs are sparse, so that much can be forced."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 13))
    rows = rng.integers(1, 4, n)
    outcomes = rng.integers(1, 3 if seed % 2 else 4, rows.sum())
    to = rng.integers(0, n + 1 + seed % 3, outcomes.sum()).astype(np.int32)
    if seed % 4 == 0:  # near neighbours
        node = np.repeat(np.repeat(np.arange(n), rows), outcomes)
        to = np.clip(node + rng.integers(-1, 2, to.size), 0, n).astype(np.int32)
    chance = np.where(rng.random(to.size) < 0.1, 0.0, 0.5)
    starts = (np.concatenate([[0], np.cumsum(k)]).astype(np.int64) for k in (rows, outcomes))
    return *starts, np.minimum(to, n), chance, rng.random(n) < rng.choice([0.3, 0.7, 1.0]), rng.random(to.size) < 0.7


def won_anew(first_row, first_outcome, to, chance, mine, fine):
    """The nodes from which play leaves almost surely, and by `fine` outcomes only."""
    n = len(first_row) - 1

    def ways(row):
        return [o for o in range(first_outcome[row], first_outcome[row + 1]) if chance[o] != 0.0]

    kept = set(range(n))
    while True:
        good = {
            row for s in kept for row in range(first_row[s], first_row[s + 1])
            if all(fine[o] if to[o] == n else int(to[o]) in kept for o in ways(row))
        }  # fmt: skip
        nearer = set()
        while True:
            hit = {row for row in good if any(to[o] == n or int(to[o]) in nearer for o in ways(row))}
            more = {s for s in kept if (any if mine[s] else all)(row in hit for row in range(first_row[s], first_row[s + 1]))}
            if more == nearer:
                break
            nearer = more
        if nearer == kept:
            return kept
        kept = nearer


@pytest.mark.parametrize("part", range(4))
def test_what_is_won_surely(part):
    several = 0
    for seed in range(500 * part, 500 * part + 500):
        graph = random_graph(seed)
        first_row, first_outcome, to, chance, mine, _ = graph
        n = len(first_row) - 1
        won, choice = np.ones(n, bool), np.full(n, -1, np.int32)
        surely(*graph, won, choice)
        expected = won_anew(*graph)
        assert set(np.flatnonzero(won).tolist()) == expected, seed
        several += 0 < len(expected) < n
        chosen = np.array([first_row[s] + choice[s] if mine[s] and s in expected else -1 for s in range(n)])
        of = np.repeat(np.arange(n), np.diff(first_row))
        is_left = np.array([s not in expected or not mine[s] or row == chosen[s] for row, s in enumerate(of)])
        kept = [np.flatnonzero(is_left), np.diff(first_outcome)[is_left]]
        rows = np.concatenate([[0], np.cumsum(np.bincount(of[is_left], minlength=n))]).astype(np.int64)
        outs = np.repeat(is_left, np.diff(first_outcome))
        only = (rows, np.concatenate([[0], np.cumsum(kept[1])]).astype(np.int64), to[outs], chance[outs], mine, graph[5][outs])
        assert expected <= won_anew(*only), seed  # by these rows
    assert several > 50


def test_a_chain_whose_nodes_go_out_one_after_another():
    """Waiting, or a step to either side: only the right end is fine. Every node goes out, and no step is looked at again and again."""
    n = 200_000
    first_row, first_outcome = np.arange(0, 2 * n + 1, 2), np.zeros(2 * n + 1, np.int64)
    first_outcome[1::2], first_outcome[2::2] = np.arange(1, 3 * n, 3), np.arange(3, 3 * n + 1, 3)
    to = np.column_stack([np.arange(n), np.arange(n) - 1, np.arange(n) + 1]).ravel().astype(np.int32)
    to[1] = n
    fine = np.ones(3 * n, bool)
    fine[1] = False
    won, choice = np.ones(n, bool), np.zeros(n, np.int32)
    surely(first_row.astype(np.int64), first_outcome, to, np.full(3 * n, 0.5), np.ones(n, bool), fine, won, choice)
    assert not won.any()
    fine[1] = True
    surely(first_row.astype(np.int64), first_outcome, to, np.full(3 * n, 0.5), np.ones(n, bool), fine, won, choice)
    assert won.all() and (choice == 1).all()


def ends_anew(first_row, first_outcome, to, chance, staying):
    """The maximal end components and the rows that stay in one, by definition: each node with all that it reaches and that reaches it."""
    n = len(first_row) - 1
    node = np.repeat(np.arange(n), np.diff(first_row))
    leads = [{int(to[o]) for o in range(first_outcome[r], first_outcome[r + 1]) if chance[o] != 0.0} for r in range(len(node))]
    rows = {r for r in range(len(node)) if staying[r] and n not in leads[r]}
    while True:
        reach = np.eye(n, dtype=bool)
        for _ in range(n):
            for r in rows:
                for t in leads[r]:
                    reach[node[r]] |= reach[t]
        inside = {r for r in rows if all(reach[t, node[r]] for t in leads[r])}
        if inside == rows:
            of = {int(node[r]) for r in rows}
            return {frozenset(t for t in of if reach[s, t] and reach[t, s]) for s in of}, rows
        rows = inside


@pytest.mark.parametrize("part", range(4))
def test_end_components(part):
    several = 0
    for seed in range(300 * part, 300 * part + 300):
        first_row, first_outcome, to, chance, _, _ = random_graph(seed)
        n = len(first_row) - 1
        staying = np.random.default_rng(seed).random(int(first_row[-1])) < 0.8
        expected, rows = ends_anew(first_row, first_outcome, to, chance, staying)
        label = np.empty(n, to.dtype)
        count = end_components(first_row, first_outcome, to, chance, staying, label)
        found = {frozenset(np.flatnonzero(label == k).tolist()) for k in range(count)}
        assert found == expected and set(np.flatnonzero(staying).tolist()) == rows, seed
        assert (label[label >= 0] < count).all()
        several += count > 1
    assert several > 20


def test_the_end_components_of_a_chain_with_a_waiting_move():
    """A step to either side may fall off at the right end, so that waiting is all that stays; no step is looked at again and again."""
    n = 200_000
    first_row, first_outcome = np.arange(0, 2 * n + 1, 2), np.zeros(2 * n + 1, np.int64)
    first_outcome[1::2], first_outcome[2::2] = np.arange(1, 3 * n, 3), np.arange(3, 3 * n + 1, 3)
    to = np.column_stack([np.arange(n), np.maximum(np.arange(n) - 1, 0), np.arange(n) + 1]).ravel().astype(np.int32)
    staying, label = np.ones(2 * n, bool), np.empty(n, np.int32)
    assert end_components(first_row.astype(np.int64), first_outcome, to, np.full(3 * n, 0.5), staying, label) == n
    assert staying[::2].all() and not staying[1::2].any() and len(set(label.tolist())) == n


@pytest.mark.parametrize("part", range(2))
def test_moves_to_leave(part):
    for seed in range(300 * part, 300 * part + 300):
        first_row, first_outcome, to, chance, _, _ = random_graph(seed)
        n = len(first_row) - 1
        node = np.repeat(np.repeat(np.arange(n), np.diff(first_row)), np.diff(first_outcome))
        expected = np.append(np.full(n, n + 1), 0)
        for _ in range(n):
            for s, t in zip(node[chance != 0.0], to[chance != 0.0], strict=True):
                expected[s] = min(expected[s], expected[t] + 1)
        found = np.empty(n, to.dtype)
        moves_to_leave(first_row, first_outcome, to, chance, found)
        assert found.tolist() == expected[:n].tolist(), seed
