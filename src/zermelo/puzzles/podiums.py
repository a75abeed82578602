"""Six runners, three medals, ties are possible: in how many ways can the medals be awarded?

Rosen 2019 (Discrete Mathematics and Its Applications, 8th ed., section 6.3, exercise 47) gives gold to all who are
fastest, silver to all with exactly one runner ahead, bronze to all with exactly two ahead. A podium says who gets which medal;
with n runners and m steps, runners with i < m others ahead stand on step i + 1. "Counting Olympic medal podiums"
(Possibly Wrong blog) asks what "three medals" means, and each interpretation has a different answer for n = 6, m = 3:

    as many medals as steps    C(n, m) b(m)                                         260
    a medal of every kind      n (n - 1) ... (n - m + 2) (2^(n - m + 1) - 1)        450
    every podium               a(n, m) = sum_{k=1..n} C(n, k) a(n - k, m - k)       873
    medals by distinct times   sum_{k=1..m+1} k! S(n, k)                           2163

where k runners tie for the best place that is left, a(n, m) = 1 for n = 0 or m <= 0, and the Fubini number b(n) counts
the ways to finish a race of n with ties: b(n) = sum_{k=1..n} C(n, k) b(n - k), b(0) = 1. The third interpretation is the
intended one. The fourth is the rule that the author of the post had assumed: gold to all with the fastest time, silver to all with the
second fastest.

For the first: m medals go to m runners, which finish ahead of all others in one of b(m) ways. For the second: a tie on any step
except the last leaves a step empty, so all steps except the last have one runner each, and the last has any number of the rest, but
at least one. For the fourth, in which all runners without a medal are one more group, k! S(n, k)
finishes have k different times. `podiums` lists all of them, for few runners: the definition, against which the formulas are tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache, lru_cache
from itertools import combinations
from math import comb, perm

from zermelo.basics.parameters import member, whole
from zermelo.puzzles.sheet import Answer, Sheet

MOST_RUNNERS = 200
LINES = 12  # of the table by the number of runners

Podium = tuple[tuple[int, ...], ...]  # the runners tied for the best place, then for the next; only those with a medal


class Reading(Enum):
    """The possible meanings of "three medals are awarded"."""

    AS_MANY_AS_STEPS = "as many medals as steps"
    EVERY_KIND = "a medal of every kind"
    ALL = "every podium"
    BY_TIMES = "medals by distinct times"

    def admits(self, podium: Podium, steps: int) -> bool:
        """Whether this podium is counted."""
        if self is Reading.AS_MANY_AS_STEPS:
            return sum(map(len, podium)) == steps
        return self is not Reading.EVERY_KIND or steps_taken(podium) == {*range(steps)}

    def is_full(self, podium: Podium, steps: int) -> bool:
        """Whether no medal is left for those behind."""
        return (len(podium) if self is Reading.BY_TIMES else sum(map(len, podium))) >= steps


def steps_taken(podium: Podium) -> set[int]:
    """The occupied steps, from 0."""
    return {sum(map(len, podium[:i])) for i in range(len(podium))}


def podiums(runners: int, steps: int, reading: Reading = Reading.ALL) -> Iterator[Podium]:
    """All podiums that are counted in this reading, each once."""
    runners, steps, reading = check(runners, steps, reading)

    def after(ahead: Podium, left: frozenset[int]) -> Iterator[Podium]:
        if not left or reading.is_full(ahead, steps):
            yield from (ahead,) if reading.admits(ahead, steps) else ()
            return
        for k in range(1, len(left) + 1):
            for tied in combinations(sorted(left), k):
                yield from after((*ahead, tied), left - {*tied})

    return after((), frozenset(range(runners)))


def count(runners: int, steps: int, reading: Reading = Reading.ALL) -> int:
    """The number of podiums in this reading."""
    runners, steps, reading = check(runners, steps, reading)
    if reading is Reading.AS_MANY_AS_STEPS:
        return comb(runners, steps) * fubini(steps)
    if reading is Reading.EVERY_KIND:
        left = runners - (steps - 1)  # when all steps but the last have their runner
        return perm(runners, steps - 1) * (2**left - 1) if left > 0 else 0
    if reading is Reading.BY_TIMES:
        return sum(finishes(runners)[1 : steps + 2])
    if runners <= steps:
        return fubini(runners)  # all get a medal
    # a(n, m) goes back to numbers with the same n - m
    fewer = runners - steps
    found = [1]
    for m in range(1, steps + 1):
        n = fewer + m
        within = sum(comb(n, k) * found[m - k] for k in range(1, m + 1))
        found.append(within + sum(comb(n, k) for k in range(m + 1, n + 1)))
    return found[-1]


def fubini(n: int) -> int:
    """The number of ways in which n runners can finish a race with ties."""
    return _fubini()[whole("n", n, 0, MOST_RUNNERS)]


@cache
def _fubini() -> list[int]:
    found = [1]
    for m in range(1, MOST_RUNNERS + 1):
        found.append(sum(comb(m, k) * found[m - k] for k in range(1, m + 1)))
    return found


@lru_cache(maxsize=MOST_RUNNERS)
def finishes(n: int) -> tuple[int, ...]:
    """The number of ways in which n runners can finish a race with 0, ..., n different times: runner n ties with one of the others' times,
    or has a separate time before, between or after these."""
    found = [1]
    for _ in range(whole("n", n, 0, MOST_RUNNERS)):
        found = [0, *(k * (tied + alone) for k, (alone, tied) in enumerate(zip(found, [*found[1:], 0], strict=True), 1))]
    return tuple(found)


def check(runners: int, steps: int, reading: Reading = Reading.ALL) -> tuple[int, int, Reading]:
    """The same numbers as Python's own, since those of numpy would overflow, and the reading, which may be given by its name."""
    meant = member("reading", reading, Reading)
    return whole("runners", runners, 1, MOST_RUNNERS), whole("steps", steps, 1, MOST_RUNNERS), meant


def answer(runners: int = 6, steps: int = 3) -> Answer:
    """The four readings for this many runners, and for fewer."""
    runners, steps, _ = check(runners, steps)
    columns: dict[str, Callable[[int], int]] = {
        **{reading.value: lambda n, r=reading: count(n, steps, r) for reading in Reading},  # type: ignore[misc]
        "all finishes": fubini,
    }
    shown = range(max(1, runners - LINES + 1), runners + 1)
    rows = tuple((n, *(column(n) for column in columns.values())) for n in shown)
    title = f"Podiums of {steps} {'step' if steps == 1 else 'steps'}, with ties"
    notes = ("all finishes: the Fubini numbers, in how many ways the whole race can end",)
    return Answer(
        (Sheet(title, ("runners", *columns), rows, notes),),
        {
            "puzzle": "podiums",
            "parameters": {"runners": runners, "steps": steps},
            **dict(zip(columns, rows[-1][1:], strict=True)),
            "by runners": [dict(zip(("runners", *columns), row, strict=True)) for row in rows],
        },
    )
