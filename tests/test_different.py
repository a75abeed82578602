"""The different numbers of arrays (basics/different.py), which are what numpy finds."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo.basics.different import different


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.int8, np.float64, np.bool_, object])
@pytest.mark.parametrize("size", [0, 1, 2, 50])
def test_different_numbers(kind: type, size: int) -> None:
    numbers = np.random.default_rng(size).integers(-3, 4, size).astype(kind)
    found = different(numbers)
    assert found.dtype == numbers.dtype and np.array_equal(found, np.unique(numbers))


def test_different_numbers_of_several_arrays() -> None:
    assert different(np.array([[3, 1], [1, 5]]), np.array([2, 5])).tolist() == [1, 2, 3, 5]
