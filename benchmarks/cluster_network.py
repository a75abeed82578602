"""How long a table takes on n machines: a model of a few terms, and a simulation of the rounds that parts and network go through.

`python benchmarks/cluster_network.py POSITIONS MOVES` prints both for 1, 2, 4, ... 100 machines. What a core does a second is measured by
benchmarks/cluster_boards.py and stands in RATE below; the network and Ray's costs are assumptions, also below.

A round: every part looks at the moves of CHUNK positions and sends the places of the next ones to their owners, who take them in. The next
step begins while they are on their way. Steps take 10 % more or less, at random; links have a capacity each way, and batches wait for one
another at both ends; the conductor hands out tasks one after the other.
"""

from __future__ import annotations

import sys

import numpy as np

RATE = 1_530_000.0  # positions a second and core, found, decided and checked: Gobblet (2, 3, 1) in docs/cluster.md, Ray included
TAKING = 0.2  # of that time: taking in what others have sent
SENT = 7.3  # bytes a move in all, from one part to another if all are others: twice what goes between two parts
PASSES = 3  # over all positions: forward, back, check
CHUNK = 1 << 17
BANDWIDTH = 1.25e9  # bytes a second of a link each way: 10 Gbit/s
LATENCY = 0.001  # seconds from one machine to another, Ray's included
TASK, BATCH = 150e-6, 15e-6  # seconds of the conductor for a task, and for each batch that it is given
LEVELS, ROUNDS_A_LEVEL = 60, 3  # short rounds, in which little is decided


def model(positions: float, moves: float, n: int) -> dict[str, float]:
    """Seconds on n machines: the largest of the three that overlap, and the rounds of late levels."""
    rounds = PASSES * positions / (CHUNK * n)
    work = positions / (RATE * n)
    network = moves * SENT * (n - 1) / n / n / BANDWIDTH
    conductor = rounds * leading(n)
    late = LEVELS * ROUNDS_A_LEVEL * (LATENCY + leading(n))
    return {"work": work, "network": network, "conductor": conductor, "late levels": late, "in all": max(work, network, conductor) + late}


def leading(n: int) -> float:
    """Seconds of the conductor for a round."""
    return 2 * n * TASK + n * (n - 1) * BATCH


def simulated(positions: float, moves: float, n: int, seed: int = 1) -> float:
    """Seconds, by going through all rounds."""
    dice = np.random.default_rng(seed)
    rounds = max(round(PASSES * positions / (CHUNK * n)), 1)
    each = positions / (RATE * n * rounds)
    batch = moves * SENT / n / n / rounds
    now = 0.0
    free, out, into = np.zeros(n), np.zeros(n), np.zeros(n)  # when each part, and its link either way, has nothing more to do
    conductor, arrived = 0.0, np.zeros(n)
    every = np.arange(n)
    for k in range(rounds + 1):
        conductor = max(conductor, now) + leading(n)
        if k < rounds:
            stepped = np.maximum(free, conductor) + each * (1 - TAKING) * dice.uniform(0.9, 1.1, n)
        taken = np.maximum(stepped if k < rounds else free, arrived) + (each * TAKING if k else 0.0)
        free = taken
        if k == rounds:
            break
        now = float(stepped.max())  # the conductor waits for a step before it hands out the one after the next
        last = np.zeros(n)
        for shift in range(1, n):
            to = (every + shift) % n
            begins = np.maximum(np.maximum(out, stepped), into[to])
            out = begins + batch / BANDWIDTH
            into[to] = out
            last[to] = np.maximum(last[to], out + LATENCY)
        arrived = np.maximum(last, stepped)
    late = LEVELS * ROUNDS_A_LEVEL * (LATENCY + leading(n))
    return float(free.max()) + late


def main(words: list[str]) -> None:
    positions, moves = (float(word) for word in words) if words else (341_024_631.0, 5.1e9)
    print(f"{positions:,.0f} positions, {moves:,.0f} moves\n")
    print("| machines | work, s | network, s | conductor, s | late levels, s | model, s | simulated, s | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for n in (1, 2, 4, 16, 100):
        m, s = model(positions, moves, n), simulated(positions, moves, n)
        terms = " | ".join(f"{m[name]:.3g}" for name in ("work", "network", "conductor", "late levels", "in all"))
        print(f"| {n} | {terms} | {s:.3g} | {s / m['in all']:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
