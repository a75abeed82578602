"""The type of numbers of states: 32 bits as long as they suffice, so that arrays stay small; 64 for larger games."""

from __future__ import annotations

from typing import Any

import numpy as np

LARGEST_SHORT_NUMBER = 2**31 - 1  # the largest number that is kept in 32 bits; tests lower it


def number_type(largest: int) -> Any:
    """The type of whole numbers from -1 to `largest`."""
    return np.int32 if largest <= LARGEST_SHORT_NUMBER else np.int64
