"""A board's table on two machines of one core each against one process with two threads: `python benchmarks/cluster_boards.py 2,3,1 3,2,0`.

The machines are those of Ray's cluster utilities: nodes in processes of their own, on this machine. A game with one piece of each size
comes first, so that everything is compiled; then each way is timed in turn, REPEATS times, and the least of each is kept. The parts one
after the other in one process, without Ray, tell what of the time is the method (moves looked at twice, and batches) and what Ray's.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import Any

import numpy as np

import zermelo
from zermelo.basics.progress import silent
from zermelo.engines.base import Request
from zermelo.engines.boards.numbering import numbering
from zermelo.engines.boards.solving import solve_board
from zermelo.engines.boards.spread import part as parts
from zermelo.engines.boards.spread.levels import Leader, OneAfterTheOther, State
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import Part
from zermelo.engines.boards.spread.solving import solve_on_cluster
from zermelo.games.gobblet import GobbletGobblers
from zermelo.language.rules import read

REPEATS = int(os.environ.get("REPEATS", "2"))
SENT = ("by_owner", "reach", "win", "lose")  # kernels that put moves into batches, and take them out


def alone(game: Any) -> tuple[float, dict[str, Any]]:
    """One process, two threads: seconds by the clock."""
    zermelo.threads(2)
    began, used = time.perf_counter(), time.process_time()
    answers = solve_board(Request(game))
    used = time.process_time() - used
    return time.perf_counter() - began, {"codes": answers.codes, "states": answers.report.states, "processor": used}


def parted(game: Any) -> tuple[float, dict[str, Any]]:
    """Two parts in one process, one after the other: half of the processor seconds that they take, and the share of batches in them."""
    rules = read(game)
    of = numbering(rules)
    owners = Owners.of(of.positions.size, 2)
    own = [Part(rules, owners, k, True) for k in range(owners.parts)]
    spent = 0.0
    kernels = {name: getattr(parts.kernels, name) for name in SENT}

    def timed(kernel: Any) -> Any:
        def call(*arguments: Any) -> Any:
            nonlocal spent
            began = time.process_time()
            found = kernel(*arguments)
            spent += time.process_time() - began
            return found

        return call

    for name, kernel in kernels.items():
        setattr(parts.kernels, name, timed(kernel))
    began = time.process_time()
    leader = Leader(OneAfterTheOther(own), True, silent, lambda state: None, lambda: False)
    state = leader.solve(State(), of.positions.number(rules.start), of.positions.size)
    leader.compare(1, state, of.positions.size)
    seconds = time.process_time() - began
    for name, kernel in kernels.items():
        setattr(parts.kernels, name, kernel)
    return seconds / 2, {"share": spent / seconds, "rate": state.looked / seconds}


def spread(game: Any, address: str) -> tuple[float, dict[str, Any]]:
    """Two machines of one core each: seconds by the clock in which the conductor leads."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("ZERMELO_CACHE")
        os.environ["ZERMELO_CACHE"] = folder
        try:
            answers = solve_on_cluster(Request(game, cluster=address))
        finally:
            os.environ.pop("ZERMELO_CACHE") if before is None else os.environ.__setitem__("ZERMELO_CACHE", before)
    report = answers.report
    steps = sum(report.seconds[name] for name in ("expanding", "levels", "checking"))
    return steps, {"codes": answers.codes, **report.facts, **{f"s {k}": round(v, 2) for k, v in report.seconds.items()}}


def main(words: list[str]) -> None:
    from zermelo.cluster.connection import ray

    ray()
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 1 << 29})
    cluster.add_node(num_cpus=1, object_store_memory=1 << 29)
    for word in words or ["2,3,1", "3,2,0"]:
        sizes, each, moving = map(int, word.split(","))
        game = GobbletGobblers(sizes, each, bool(moving))
        ways = {"alone": alone, "parted": parted, "spread": lambda g: spread(g, cluster.address)}
        best: dict[str, tuple[float, dict[str, Any]]] = {}
        for way in ways.values():
            way(GobbletGobblers(sizes, 1, bool(moving)))  # the same machine code
        for _ in range(REPEATS):
            for name, way in ways.items():
                found = way(game)
                if name not in best or found[0] < best[name][0]:
                    best[name] = found
        (one, a), (half, b), (two, c) = best["alone"], best["parted"], best["spread"]
        assert np.array_equal(a["codes"], c["codes"])
        moves = c["moves"]
        print(f"Gobblet ({word}): {a['states']:,} positions, {moves:,} moves, load {os.getloadavg()[0]:.1f}")
        print(f"  one process, two threads {one:.2f} s; two machines of one core {two:.2f} s: {two / one:.2f} times")
        used = c["processor seconds"]
        print(f"  processor seconds {a['processor']:.2f} and {used:.2f}: {used / a['processor']:.2f} times")
        both = 2 * half
        print(f"  the same parts without Ray {both:.2f} processor seconds: {both / a['processor']:.2f} times; ", end="")
        print(f"batches are {100 * b['share']:.0f} % of that")
        print(f"  {c['bytes between parts'] / moves:.2f} bytes and {c['batches'] / moves:.2g} batches a move between parts")
        print(f"  a part has {c['bytes of a part']:,} bytes, of a table of {c['table']:,}; {c['states'] / two:,.0f} positions a second")
        print("  ", {k: v for k, v in c.items() if k.startswith("s ")}, flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
