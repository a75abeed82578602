"""What blackjack costs: `python benchmarks/blackjack.py` prints Markdown tables.

The dealer, for all ten up cards of a shoe: the tree of draws on one core, against the plain recursion over all sequences of cards, compiled
by numba and as a program of the project's own in C (dealer.c), and against a recursion with memory of the cards drawn, in numba. The whole
analysis: all up cards, all hands, pairs split again and again. Times are medians in one process that has computed everything once before.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from c_peer import compiled
from machine import machine, versions
from numba import njit

from zermelo.basics.threads import threads
from zermelo.games import blackjack
from zermelo.games.blackjack.dealer import tree_tables
from zermelo.games.blackjack.kernels import dealer as kernel
from zermelo.games.blackjack.solving import solve

SHOES, FEW = 4096, 200
REPEATS = 9


def seconds(work: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The median time of a call, after a first one."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return median(times)


def shoes(count: int) -> np.ndarray:
    """Eight decks less a few cards, the same as in dealer.c."""
    number, rank = np.arange(count)[:, None], np.arange(10)[None, :]
    return (np.where(rank == 9, 128, 32) - (number * (rank + 3)) % 7).astype(np.int16)


# --- peers ------------------------------------------------------------------------------------------------------------


@njit
def _draw(cards, total, hard, ace, dealt, p, end):
    soft = ace and hard <= 11
    points = hard + 10 if soft else hard
    if points == 21 and dealt == 2:
        return
    if points >= 17:
        end[5 if points > 21 else points - 17] += p
        return
    for r in range(10):
        if cards[r]:
            q = p * cards[r] / total
            cards[r] -= 1
            _draw(cards, total - 1, hard + r + 1, ace or r == 0, dealt + 1, q, end)
            cards[r] += 1


@njit
def plain(many, out):
    """The plain recursion : out[shoe, up, 6]."""
    for i in range(len(many)):
        cards = many[i].astype(np.int64)
        total = cards.sum()
        for up in range(10):
            out[i, up] = 0.0
            cards[up] -= 1
            _draw(cards, total - 1, up + 1, up == 0, 1, 1.0, out[i, up])
            cards[up] += 1


@njit
def _remembering(cards, total, hard, ace, dealt, key, memory):
    """The same backwards, for each multiset of cards once: the six probabilities from here on."""
    points = hard + 10 if ace and hard <= 11 else hard
    found = np.zeros(6)
    if points == 21 and dealt == 2:
        return found
    if points >= 17:
        found[5 if points > 21 else points - 17] = 1.0
        return found
    if key in memory:
        return memory[key]
    for r in range(10):
        if cards[r]:
            p = cards[r] / total
            cards[r] -= 1
            found += p * _remembering(
                cards, total - 1, hard + r + 1, ace or r == 0, dealt + 1, key + (1 << (5 * r)), memory
            )
            cards[r] += 1
    memory[key] = found
    return found


@njit
def remembering(many, out):
    """The recursion with memory, which is shared by the up cards of a shoe : out[shoe, up, 6]."""
    for i in range(len(many)):
        cards = many[i].astype(np.int64)
        total = cards.sum()
        memory = {np.int64(-1): np.zeros(6)}
        for up in range(10):
            cards[up] -= 1
            out[i, up] = _remembering(cards, total - 1, up + 1, up == 0, 1, np.int64(1) << (5 * up), memory)
            cards[up] += 1


# --- tables -----------------------------------------------------------------------------------------------------------


def dealer() -> None:
    tree, many = tree_tables(False), shoes(SHOES)
    out, slow, remembered = np.empty((SHOES, 5, 10)), np.empty((FEW, 10, 6)), np.empty((FEW, 10, 6))
    single, batch = np.empty((1, 5, 10)), np.empty((16, 5, 10))
    ours = seconds(lambda: kernel.outcomes(tree, many, 0, SHOES, out)) / SHOES
    ours_16 = seconds(lambda: [kernel.outcomes(tree, many, i, i + 16, batch) for i in range(0, 1024, 16)]) / 1024
    ours_1 = seconds(lambda: [kernel.outcomes(tree, many, i, i + 1, single) for i in range(256)]) / 256
    by_recursion = seconds(lambda: plain(many[:FEW], slow), 3) / FEW
    by_memory = seconds(lambda: remembering(many[:FEW], remembered), 3) / FEW
    assert np.abs(slow[:, :, :5] - out[:FEW].transpose(0, 2, 1)).max() < 1e-14
    assert np.abs(slow - remembered).max() < 1e-14
    rows = [
        ("tree of draws, batches of 16", ours_16),
        (f"tree of draws, {SHOES} shoes at once", ours),
        ("tree of draws, one shoe alone", ours_1),
        ("recursion with memory, numba", by_memory),
        ("plain recursion, numba", by_recursion),
    ]
    program = compiled("dealer", ("-O3",), [FEW, 5], 1)[0]
    if "failed" not in program:
        assert abs(program["value"] - slow[:, 5, 5].sum()) < 1e-9
        rows.append(("plain recursion, C", program["seconds"] / FEW))
    print("| the dealer, ten up cards, one core | microseconds a shoe | times the tree's |\n|---|---|---|")
    for name, taken in rows:
        print(f"| {name} | {1e6 * taken:.2f} | {taken / ours_16:.1f} |", flush=True)


def analyses() -> None:
    print(f"\n| the whole analysis, {threads()} threads | one deck, ms | eight decks, ms |\n|---|---|---|")
    cases = (
        ("pairs split to 4 hands", {}), ("pairs split to 2 hands", {"split_to": 2}), ("no splitting", {"split_to": 1}),
    )  # fmt: skip
    for name, given in cases:
        cells = [seconds(lambda d=d, g=given: blackjack.analyse(blackjack.Rules(decks=d, **g)), 15) for d in (1, 8)]
        print(f"| {name} | {' | '.join(f'{1000 * t:.1f}' for t in cells)} |", flush=True)
    cells = [seconds(lambda d=d: solve(blackjack.Rules(decks=d)), 7) for d in (1, 8)]
    print(f"| pairs split to 4 hands, one thread | {' | '.join(f'{1000 * t:.1f}' for t in cells)} |", flush=True)


def random_shoes(count: int) -> None:
    random = np.random.default_rng(1)
    full = np.array(blackjack.Rules(decks=6).cards)
    deck = np.repeat(np.arange(10), full)
    left = [full - np.bincount(random.permutation(deck)[: random.integers(1, 234)], minlength=10) for _ in range(count)]
    print(f"\n| {count:,} shoes of 6 decks, up to three quarters dealt | shoes a second |\n|---|---|")
    for name, to in (("no splitting", 1), ("pairs split to 2 hands", 2)):
        rules = blackjack.Rules(split_to=to)
        blackjack.evaluate(left[:16], rules)
        began = time.perf_counter()
        blackjack.evaluate(left, rules)
        print(f"| {name} | {count / (time.perf_counter() - began):.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=2000, metavar="N", help="how many random shoes are valued")
    asked = parser.parse_args()
    dealer()
    analyses()
    random_shoes(asked.shoes)
    facts = {**machine(), **{name: versions().get(name, "?") for name in ("numpy", "numba")}}
    print("\n" + ", ".join(f"{name} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
