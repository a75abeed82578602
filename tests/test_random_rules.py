"""Random functions of rules say the same compiled as they say in Python, or stop: at every state that they are asked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from random_rules import compare, compared, summary


def test_random_functions_say_the_same(tmp_path: Path) -> None:
    found = summary(compared(2, tmp_path, 1, 12))
    assert found["cases"] > 1000 and found["alike"] > found["cases"] / 2 and 3 * found["refused"] < 2 * found["functions"]


@pytest.mark.slow
def test_many_random_functions_say_the_same(tmp_path: Path) -> None:
    found = summary(compared(24, tmp_path, 2))
    print(found)
    assert found["cases"] >= 100_000


FAR = "9007199254740992.0"  # 2^53: the next whole number is this one as a float
FOUND = [
    f"items = [0.5, 1.5]\nitems.append(self.a)\nreturn items.index({FAR}) if {FAR} < 0 else len(set(items + [{FAR}]))",
    f"items = {{0.5: 1, self.a: 2}}\nreturn items.get({FAR}, 7)",
    f"x = max(self.a, 0.5)\nreturn 1 if (x, 1) == ({FAR}, 1) else 2",
    "items = {1: 2}\nx = items.get(2, self.a)\nreturn x + 1",  # may be None, for the compiler
    "x = None\nif self.b > 2:\n    x = self.a\nreturn x * 3",
]


def test_what_was_found_stops(tmp_path: Path) -> None:
    """Whole numbers that were kept as floats near them, and sums of what may be None that went around at 2^63."""
    found = compare(FOUND, tmp_path, "found_by_random_rules")
    assert not found.differences and found.refused == 0
    assert found.stopped > 20 * len(FOUND) and found.alike > found.stopped
