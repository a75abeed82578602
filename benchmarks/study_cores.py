"""How busy a study keeps the cores: the figures in docs/how-to/study.md.

    python benchmarks/study_cores.py                 # a few minutes; machine code is compiled before anything is measured

Two shares are measured. *At work*: of the processes' time, from the first one that begins to the last one that ends, the share in which
they had a game to solve. That is what the study can do something about, however busy the machine is with other work. *Processor*: seconds
of processor time of these processes and this one, over seconds by the clock times the number of processes; other work on the machine
lowers it.
"""

from __future__ import annotations

import os
import resource
import time
from typing import Any

import zermelo

STUDIES: tuple[tuple[str, dict[str, Any]], ...] = (  # uneven: the largest game of each takes many times as long as the smallest
    ("pig", {"goal": "5..100:5"}),
    ("card-draw", {"red": "50..500:50", "black": "50..500:50"}),
    ("piglet", {"goal": "1..40"}),
)


def processor_seconds() -> float:
    """Of this process and of those that it has begun and that have ended."""
    return sum(r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def measured(game: str, parameters: dict[str, Any]) -> tuple[zermelo.Study, float, float]:
    """A study in which nothing comes from disk, its seconds, and seconds of processor time."""
    began, used = time.perf_counter(), processor_seconds()
    study = zermelo.study(game, parameters, anew=True)
    return study, time.perf_counter() - began, processor_seconds() - used


def main() -> None:
    print(f"{zermelo.threads()} processes; load of the machine before: {os.getloadavg()[0]:.1f}")
    print(f"{'game':12} {'games':>6} {'seconds':>8} {'longest':>8} {'at work':>8} {'processor':>10}")
    for game, parameters in STUDIES:
        measured(game, parameters)  # compiles
        study, seconds, used = measured(game, parameters)
        longest = max(row.seconds for row in study.rows)
        assert study.busy is not None and not study.failed
        share = used / (seconds * study.processes)
        print(f"{game:12} {len(study.rows):6} {seconds:8.1f} {longest:8.2f} {100 * study.busy:7.1f}% {100 * share:9.1f}%", flush=True)


if __name__ == "__main__":
    main()
