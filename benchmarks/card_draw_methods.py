"""How the methods of the card draw grow: `python benchmarks/card_draw_methods.py [--until SECONDS]` prints Markdown tables.

n red and n black cards, n doubling; a method is left when a solve took longer than `--until` seconds, or when it refuses. In
brackets: the growth g since the row above, that is, the cost went up 2^g times. Memory is the peak of what the method itself
allocates, by tracemalloc; that slows Python down, so it is measured apart, while a solve takes less than half of `--until`. Every
method has a process of its own, because what it finds in its memory allocator is part of its time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import log2
from multiprocessing import get_context
from time import perf_counter
from tracemalloc import get_traced_memory, start, stop

from machine import machine, versions
from report import Grid, markdown

from zermelo import ParameterError
from zermelo.games.card_draw_methods import METHODS

FIRST = 25  # the smallest n
REPEATED = 0.5  # seconds in which short solves are repeated, long ones twice; the fastest counts
REFUSED = "refused"
Method = Callable[[int, int], float]
Costs = dict[int, float | None]  # by n; None where the method refuses


def seconds(method: Method, n: int) -> float:
    times: list[float] = []
    while len(times) < 2 or sum(times) < REPEATED:
        began = perf_counter()
        method(n, n)
        times.append(perf_counter() - began)
    return min(times)


def kib(method: Method, n: int) -> float:
    start()
    try:
        method(n, n)
        return get_traced_memory()[1] / 1024
    finally:
        stop()


def measured(name: str, until: float) -> tuple[Costs, Costs]:
    """Seconds and KiB of one method."""
    method = METHODS[name]
    time: Costs = {}
    memory: Costs = {}
    n = FIRST
    while True:
        try:
            time[n] = seconds(method, n)
        except ParameterError:
            time[n] = memory[n] = None
            return time, memory
        if time[n] < until / 2:
            memory[n] = kib(method, n)
        if time[n] > until:
            return time, memory
        n *= 2


def table(costs: dict[str, Costs]) -> Grid:
    """A row for every n, a column for every method."""
    sizes = sorted({n for found in costs.values() for n in found})
    return [("n", *costs), *((f"{n:,}", *(cell(found, n) for found in costs.values())) for n in sizes)]


def cell(found: Costs, n: int) -> str:
    cost, before = found.get(n), found.get(n // 2)
    if cost is None:
        return REFUSED if n in found else ""
    text = f"{cost:,.0f}" if cost >= 100 else f"{cost:.2g}"
    return f"{text} ({log2(cost / before):.1f})" if before else text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--until", type=float, default=1.0, metavar="SECONDS", help="leave a method that took longer")
    until = parser.parse_args().until
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        costs = pool.starmap(measured, [(name, until) for name in METHODS], chunksize=1)
    times, memories = zip(*costs, strict=True)
    where, what = machine(), versions()
    print(f"Measured on {where['date']}: {where['processor']}; {where['system']}, numpy {what['numpy']}.\n")
    print("Seconds:\n\n" + markdown(table(dict(zip(METHODS, times, strict=True)))))
    print("\nKiB:\n\n" + markdown(table(dict(zip(METHODS, memories, strict=True)))))


if __name__ == "__main__":
    main()
