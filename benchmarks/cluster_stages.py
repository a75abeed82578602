"""A race in stages on two machines of one core each against one process with two threads: `python benchmarks/cluster_stages.py 150 300`.

The machines are those of Ray's cluster utilities: nodes in processes of their own, on this machine. A short race comes first, so that
everything is compiled; then each way is timed in turn, REPEATS times, and the least of each is kept. Starting the processes is in it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import numpy as np

import zermelo
from zermelo.games import TenThousandRace

REPEATS = int(os.environ.get("REPEATS", "2"))


def main(words: list[str]) -> None:
    from zermelo.cluster.connection import ray

    ray()
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 1 << 28})
    cluster.add_node(num_cpus=1, object_store_memory=1 << 28)
    zermelo.threads(2)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZERMELO_CACHE"] = folder
        for goal in [20, *(map(int, words or ["150", "300"]))]:
            best = {"alone": np.inf, "spread": np.inf}
            for _ in range(REPEATS):
                found = {}
                for name, more in (("alone", {}), ("spread", {"cluster": cluster.address})):
                    began = time.perf_counter()
                    found[name] = zermelo.solve(TenThousandRace(goal=goal), **more)
                    best[name] = min(best[name], time.perf_counter() - began)
                a, b = (solution.answers for solution in found.values())
                assert np.array_equal(a.value, b.value) and np.array_equal(a.error, b.error)
            one, two = best.values()
            print(f"race to {goal}: {a.report.states:,} states in {a.report.facts['stages']:,} stages, load {os.getloadavg()[0]:.1f}")
            print(f"  one process, two threads {one:.2f} s; two machines of one core {two:.2f} s: {two / one:.2f} times", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
