"""Random functions of rules say the same compiled as they say in Python, or stop: at every state that they are asked at."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from random_rules import Outcome, compare, functions

TOGETHER = 25  # functions that are compiled in one module


def compared(examples: int, folder: Path) -> list[Outcome]:
    """What random functions give, TOGETHER times as many as examples."""
    found: list[Outcome] = []
    numbers = itertools.count()

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.lists(functions(), min_size=TOGETHER, max_size=TOGETHER))
    def one(bodies: list[str]) -> None:
        outcome = compare(bodies, folder, f"random_rules_{next(numbers)}")
        found.append(outcome)
        print(f"{sum(o.cases for o in found):,} cases, {sum(len(o.differences) for o in found)} differences", flush=True)
        assert not outcome.differences, "\n\n".join(outcome.differences[:5])

    one()
    return found


def summary(found: list[Outcome]) -> dict[str, Any]:
    names = ("cases", "alike", "failed", "stopped", "functions", "refused")
    return {n: sum(getattr(o, n) for o in found) for n in names} | {"differences": sum(len(o.differences) for o in found)}


def test_random_functions_say_the_same(tmp_path: Path) -> None:
    found = summary(compared(2, tmp_path))
    assert found["cases"] > 1000 and found["alike"] > found["cases"] / 2 and found["refused"] < found["functions"] / 2


@pytest.mark.slow
def test_many_random_functions_say_the_same(tmp_path: Path) -> None:
    found = summary(compared(24, tmp_path))
    print(found)
    assert found["cases"] >= 100_000
