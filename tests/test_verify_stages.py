"""The checks of stages, by themselves: arrays in, hostile claims refused, and every inequality once more in fractions."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from zermelo.kernels import verify_block, verify_patterns
from zermelo.kernels.kernel import only
from zermelo.kernels.patterns import Patterns
from zermelo.kernels.tables import hashed_place

F = Fraction


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with only("interpreted"):
        yield


# --- blocks ----------------------------------------------------------------------------------------------------------------


class Block:
    """A block by hand: the nodes 0 .. n - 1 have rows of (reward, [(ways, to), ...]), the two after them are ends of play."""

    def __init__(self, dice: random.Random, n: int = 5):
        self.n, self.nodes = n, n + 2
        self.rows: list[list[tuple[float, list[tuple[int, int]]]]] = []
        for _ in range(n):
            leaving = [(dice.randint(3, 6), n + dice.randrange(2))]  # in at least half of all ways
            self.rows.append(
                [
                    (dice.randint(-4, 4) / 4, [*leaving, *((dice.choice((1, -1)), dice.randrange(n)) for _ in range(dice.randint(0, 3)))])
                    for _ in range(dice.randint(1, 3))
                ]
            )
        flat = [row for rows in self.rows for row in rows]
        self.first_row = np.cumsum([0, *map(len, self.rows), 0, 0]).astype(np.int32)
        self.first_outcome = np.cumsum([0, *(len(outs) for _, outs in flat)]).astype(np.int32)
        self.to = np.array([t for _, outs in flat for _, t in outs], np.int32)
        self.ways = np.array([float(w) for _, outs in flat for w, _ in outs])
        self.total = np.array([float(sum(abs(w) for w, _ in outs)) for _, outs in flat])
        self.reward = np.array([[reward] for reward, _ in flat])
        self.rough, self.loose = np.zeros_like(self.reward), np.zeros(len(flat))
        self.player = np.array([dice.randrange(2) for _ in range(self.nodes)], np.int8)
        self.order = np.arange(self.nodes, dtype=np.int32)
        self.value = np.array([[dice.uniform(-2, 2)] for _ in range(self.nodes)])
        self.policy = np.array([dice.randrange(len(rows)) for rows in self.rows] + [-1, -1], np.int32)
        self.chosen, self.excess = np.zeros(self.nodes, np.int32), np.zeros(len(flat))

    def excesses(self) -> float:
        b = self
        return float(
            verify_block.excesses(
                b.n, b.first_row, b.first_outcome, b.to, b.ways, b.total, b.reward, b.rough, b.loose, b.player, b.order, b.policy, 0,
                b.value, b.excess,
            )
        )  # fmt: skip

    def holds(self, error: np.ndarray) -> int:
        b = self
        return int(
            verify_block.holds(
                b.nodes, b.n, b.first_row, b.first_outcome, b.to, b.ways, b.total, b.excess, b.order, 0, error, b.chosen
            )
        )  # fmt: skip

    def exactly(self, s: int, k: int) -> Fraction:
        """h of row k of node s."""
        reward, outs = self.rows[s][k]
        total, v = sum(abs(w) for w, _ in outs), [F(float(x)) for x in self.value[:, 0]]
        residual = F(reward) / total + sum(w * v[t] for w, t in outs) / total - v[s]
        return abs(residual) if k == self.policy[s] else residual * (1 - 2 * int(self.player[s]))

    def asked(self, s: int, k: int, error: np.ndarray) -> Fraction:
        _, outs = self.rows[s][k]
        return self.exactly(s, k) + sum(abs(w) * F(float(error[t, 0])) for w, t in outs) / sum(abs(w) for w, _ in outs)

    def satisfied(self, error: np.ndarray) -> bool:
        return all(F(float(error[s, 0])) > self.asked(s, k, error) for s in range(self.n) for k in range(len(self.rows[s])))


def blocks(count: int) -> Iterator[Block]:
    for seed in range(count):
        yield Block(random.Random(seed))


def errors_of(block: Block, size: float) -> np.ndarray:
    return np.array([[size]] * block.n + [[0.0], [0.0]])


def test_the_residuals_of_a_block_are_bounded_from_above() -> None:
    for block in blocks(30):
        largest = block.excesses()
        for s in range(block.n):
            for k in range(len(block.rows[s])):
                found, exact = float(block.excess[block.first_row[s] + k]), block.exactly(s, k)
                assert exact <= F(found) <= exact + F(1, 10**12)
                assert k != block.policy[s] or found <= largest


def test_errors_of_a_block_that_hold_do_so_in_fractions() -> None:
    """Those that do not are refused, and the row that asks for the most is named."""
    accepted = 0
    for block in blocks(60):
        block.excesses()
        dice = random.Random(len(block.to))
        for _ in range(10):
            error = errors_of(block, 0.0)
            error[: block.n, 0] = [dice.uniform(0, 12) for _ in range(block.n)]
            found = block.holds(error)
            assert found == (1 if block.satisfied(error) else 0)
            accepted += found
            if found == 0:
                s = next(s for s in range(block.n) if max(block.asked(s, k, error) for k in range(len(block.rows[s]))) > error[s, 0])
                asked = [block.asked(s, k, error) for k in range(len(block.rows[s]))]
                assert asked[block.chosen[s]] == max(asked)
    assert accepted > 20


def test_an_error_that_is_too_small_by_a_hair_is_refused() -> None:
    for block in blocks(20):
        block.excesses()
        error = errors_of(block, 100.0)
        assert block.holds(error) == 1
        s = 2
        most = max(block.asked(s, k, error) for k in range(len(block.rows[s])))
        if most <= 0 or any(t == s for _, outs in block.rows[s] for _, t in outs):
            continue
        error[s, 0] = float(most) * (1 - 1e-13)
        assert block.holds(error) == 0


@pytest.mark.parametrize("hostile", [-1.0, math.nan, math.inf, -math.inf])
def test_errors_that_are_none_are_refused_for_good(hostile: float) -> None:
    for place in range(7):
        block = Block(random.Random(1))
        block.excesses()
        error = errors_of(block, 100.0)
        error[place, 0] = hostile
        assert block.holds(error) == -1


@pytest.mark.parametrize("hostile", [math.nan, math.inf])
def test_values_that_are_none_are_never_bounded(hostile: float) -> None:
    block = Block(random.Random(1))
    block.value[2, 0] = hostile
    block.excesses()
    assert block.holds(errors_of(block, 1e6)) != 1


def test_rules_whose_ways_are_rounded_ask_for_more() -> None:
    block = Block(random.Random(2))
    block.excesses()
    before = block.excess.copy()
    block.loose[:], block.rough[:] = 1e-10, 1e-10
    block.excesses()
    assert (block.excess >= before + 1e-11).all()


# --- patterns --------------------------------------------------------------------------------------------------------------

KEYS = 64


class Stage:
    """One pattern by hand, of `entries` entries: exits 0 and 1 lead to the entry itself, plain and negated, others to what is known.

    nodes : (side, rows), each row with its outcomes (ways, to); a row of one outcome of a choice has no ways to speak of."""

    def __init__(self, dice: random.Random, nodes: int = 6, known: int = 4):
        self.known = [dice.uniform(-1, 1) for _ in range(known)]
        self.errors = [dice.uniform(0, 1e-14) for _ in range(known)]
        exits = 2 + known + 1  # the last one is an end of play
        self.exits, self.nodes = exits, []
        for i in range(exits, exits + nodes):
            if dice.random() < 0.4:
                least = 2 if i == exits else 0
                self.nodes.append((dice.choice((1, -1)), [[(1, dice.randrange(least, i))] for _ in range(dice.randint(2, 4))]))
            else:
                rows = [[(dice.randint(4, 9), dice.randrange(2, exits)), *((1, dice.randrange(i)) for _ in range(dice.randint(1, 3)))]
                        for _ in range(dice.randint(1, 3))]  # fmt: skip
                self.nodes.append((dice.choice((1, -1)), rows))
        self.patterns = self._arrays()
        keys = np.arange(known + 1) * 3 + 1  # entry 0 is the stage's own
        table = np.full(KEYS, -1, np.int32)
        for number, key in enumerate(keys):
            table[hashed_place(table, keys, key)] = number
        value, error = np.zeros((known + 1, 1)), np.zeros((known + 1, 1))
        value[1:, 0], error[1:, 0] = self.known, self.errors
        self.entries = keys, table, value, error
        size = exits + nodes
        self.value, self.asked, self.sums, self.shared = np.zeros(size), np.zeros(2 * size), np.zeros((8, 3)), np.zeros(2, np.int64)

    def _arrays(self) -> Patterns:
        known, exits, n = len(self.known), self.exits, len(self.nodes)
        kinds, outcomes, begins, to, ways = [], [], [], [], []
        for _, rows in self.nodes:
            certain = all(len(row) == 1 for row in rows)
            kinds.append(len(rows) if certain else -len(rows))
            for row in rows:
                to += [t for _, t in row]
                if not certain:
                    outcomes.append(len(row))
                    begins.append(len(ways))
                    ways += [*(float(w) for w, _ in row), float(sum(w for w, _ in row)), (4.0 * len(row) * 2.0**-53) ** 2]
        both = [0, 0]
        shared = random.Random(n).randint(0, n)  # nodes; some exits, too
        rows = sum(-kind for kind in kinds[:shared] if kind < 0)
        leads = sum(kind if kind > 0 else sum(map(len, given)) for kind, (_, given) in zip(kinds[:shared], self.nodes, strict=False))
        return Patterns(
            np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(2, np.int64), np.array([exits + n - 1], np.int32), np.array([exits + n]),
            np.array([[exits + n, len(outcomes), len(to)]]), np.array([[2, shared]]),
            np.array([[2, shared, rows, leads], [exits, n, len(outcomes), len(to)]]), np.arange(exits, dtype=np.int32),
            np.array([1, 1, *(3 * k + 4 for k in range(known)), 0]), np.array([-1] * (known + 2) + [-2], np.int8),
            np.array([0.0] * (known + 2) + [1.0]), np.array([1.0, -1.0, *[1.0] * known, 1.0]), np.arange(exits, exits + n, dtype=np.int32),
            np.array([side for side, _ in self.nodes], np.int8), np.array(kinds, np.int32),
            np.array(outcomes or both, np.int32), np.array(begins or both, np.int32), np.array(to, np.int32), np.array(ways or [0.0]),
        )  # fmt: skip

    def open(self, known_from: tuple[int, int] = (0, 1)) -> tuple[int, int, float]:
        found: tuple[int, int, float] = verify_patterns.open_exits(
            self.patterns, 0, 0, known_from, 0, 1, self.entries, self.value, self.asked, self.shared
        )
        return found

    def swept(self, u: float) -> int:
        """The last node, if the entry is claimed to be worth u."""
        _, _, self.largest = self.open()
        verify_patterns.claim(self.shared, u, self.value, self.asked)
        verify_patterns.bounded_sweep(self.patterns, 0, self.largest, self.value, self.asked, self.sums)
        return int(self.patterns.root[0])

    def exactly(self, u: Fraction, known: list[Fraction]) -> list[Fraction]:
        """The values of all exits and nodes."""
        v = [u, -u, *known, F(1)]
        for side, rows in self.nodes:
            worths = [sum(w * v[t] for w, t in row) / sum(w for w, _ in row) for row in rows]
            v.append(side * max(side * worth for worth in worths))
        return v

    def satisfied(self, error: Fraction) -> bool:
        """The inequality, for the numbers that the sweep left, if the claimed value has this error."""
        v, a, b = [F(float(x)) for x in self.value], *([F(float(x)) for x in self.asked[k::2]] for k in (0, 1))
        e = [x + y * error for x, y in zip(a, b, strict=True)]
        for i, (side, rows) in enumerate(self.nodes, self.exits):
            for row in rows:
                total = sum(w for w, _ in row)
                worse = side * (sum(w * v[t] for w, t in row) / total - v[i])
                if e[i] <= worse + sum(w * e[t] for w, t in row) / total:
                    return False
            if all(-side * (sum(w * v[t] for w, t in row) / sum(w for w, _ in row) - v[i]) + sum(w * e[t] for w, t in row)
                   / sum(w for w, _ in row) >= e[i] for row in rows):  # fmt: skip
                return False  # no row is good enough
        return True


def stages(count: int) -> Iterator[Stage]:
    for seed in range(count):
        yield Stage(random.Random(seed))


def test_exits_are_what_is_known() -> None:
    for stage in stages(5):
        status, target, largest = stage.open()
        assert status == verify_patterns.DONE and target == 0 and largest == max(1.0, *map(abs, stage.known))
        assert stage.value[2:6].tolist() == stage.known and stage.asked[4:12:2].tolist() == stage.errors
        assert stage.shared.tolist() == [0, 1] and stage.value[6] == 1.0


def test_what_is_not_solved_yet_is_waited_for_and_what_is_missing_refused() -> None:
    stage = Stage(random.Random(0))
    assert stage.open((0, 3))[0] == verify_patterns.NOT_READY
    stage.patterns.key[3] = 999  # no entry
    assert stage.open()[0] == verify_patterns.HARD


def test_a_sweep_bounds_every_node_whatever_is_claimed() -> None:
    for stage in stages(40):
        for u in (0.0, 0.3, -0.7, 1.0):
            root = stage.swept(u)
            exact = stage.exactly(F(u), [F(x) for x in stage.known])
            assert root == len(exact) - 1 and all(abs(F(float(x)) - y) < F(1, 10**14) for x, y in zip(stage.value, exact, strict=True))
            assert not verify_patterns.asks_for_more(root + 1, stage.asked, 1e-12, 2.0)
            assert verify_patterns.asks_for_more(root + 1, stage.asked, 0.0, 2.0)
            for error in (0.0, 1e-20, verify_patterns.LIMIT * stage.largest):
                assert stage.satisfied(F(error))


def test_the_bound_contains_the_true_value() -> None:
    """Known values moved as far as they may be wrong, and claims that are off by a little."""
    accepted = 0
    for stage in stages(30):
        true = {}  # by how far known values are moved
        for sign in (-1, 0, 1):
            u, known = F(0), [F(x) + sign * F(e) for x, e in zip(stage.known, stage.errors, strict=True)]
            for _ in range(80):  # a contraction: at least 4 ways in 7 leave
                u = F(round(stage.exactly(u, known)[-1] * 2**90), 2**90)
            true[sign] = u
        for off in (0.0, 1e-13, -1e-11):
            claimed = float(true[0]) + off
            root = stage.swept(claimed)
            a, b = (np.array([stage.asked[2 * root + k]]) for k in (0, 1))
            rest, target = np.array([abs(stage.value[root] - claimed) * (1 + 2.0**-52)]), np.zeros(1, np.int64)
            if b[0] >= 1:
                continue
            error = (a + rest) / (1 - b) * (1 + 1e-6) + 4e-30
            assert verify_patterns.closes(a, b, rest, target, 0, error)
            found = np.zeros(1)
            args = (stage.patterns, a, b, target, 0, error, stage.largest, stage.asked.reshape(1, -1), found)
            assert verify_patterns.bound(*args)
            for u in true.values():
                assert abs(F(float(stage.value[root])) - u) <= F(float(found[0])) + F(1, 2**70)
            accepted += 1
    assert accepted > 20


def test_errors_that_do_not_close_are_refused() -> None:
    a, b, rest, target = np.array([1e-15, 2e-15]), np.array([0.5, 0.25]), np.array([1e-16, 0.0]), np.array([7, 6])
    exact = [F(0), F(0)]
    for _ in range(200):
        exact = [F(rest[k]) + F(a[k]) + F(b[k]) * exact[1 - k] for k in range(2)]
    closes = verify_patterns.closes
    good = np.array([float(e) * (1 + 1e-9) + 1e-29 for e in exact])
    assert closes(a, b, rest, target, 6, good)
    for place in range(2):
        for hostile in (float(exact[place]) * (1 - 1e-12), 0.0, -1.0, math.nan, -math.inf):
            bad = good.copy()
            bad[place] = hostile
            assert not closes(a, b, rest, target, 6, bad)


def test_errors_beyond_the_limit_are_refused() -> None:
    one = Stage(random.Random(0)).patterns._replace(numbers=np.ones(1, np.int64))
    asked, target = np.array([[1e-15, 0.5]]), np.zeros(1, np.int64)
    a, b, found = np.array([1e-15]), np.array([0.5]), np.zeros(1)

    def bound(error: float, asked: Any = asked) -> bool:
        return bool(verify_patterns.bound(one, a, b, target, 0, np.array([error]), 1.0, asked, found))

    assert bound(1e-12) and found[0] >= 1e-15 + 0.5e-12
    for error in (2e-9, math.nan, math.inf):
        assert not bound(error)
    for wild in ([[2e-9, 0.5]], [[1e-15, 2.5]], [[math.nan, 0.5]], [[1e-15, math.nan]]):
        assert not bound(1e-12, np.array(wild))
