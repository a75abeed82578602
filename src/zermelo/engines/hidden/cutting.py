"""The division of a large bundle into public states by the observations of the players, before its states are expanded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.basics.threads import shared
from zermelo.kernels.bundles import connect, hashes
from zermelo.link import NativeRules
from zermelo.states.layout import Layout

BYTES = 160  # bytes for each state
PIECE = 1 << 16  # states that are processed together


def public_states(native: NativeRules, layout: Layout, see: Callable[[np.ndarray], Any], keys: np.ndarray) -> np.ndarray:
    """int32[keys]: a number for the public state of each of these states, from 1 on; 0 where play ends. `see` : the observations of the
    players in states with these keys, as lists (link/templates/hidden_rules.py)."""

    def told(some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        is_open = np.empty(len(some), np.bool_)
        native.mark_open(layout, some, is_open)
        codes = np.empty((2, int(is_open.sum())), np.int64)
        hashes.compiled(*see(some[is_open]), codes)
        return is_open, codes

    pieces = shared(told, [keys[low : low + PIECE] for low in range(0, len(keys), PIECE)])
    is_open, codes = np.concatenate([p[0] for p in pieces]), np.concatenate([p[1] for p in pieces], axis=1)
    count, found = codes.shape[1], np.zeros(len(keys), np.int32)
    if count:
        table, parts = 1 << (2 * count).bit_length(), np.empty(count, np.int32)
        room = np.empty(table, np.int64), np.empty(table, np.int32), np.empty((2, count), np.int32), np.empty(2 * count, np.int32)
        connect.compiled(codes, *room, parts)
        found[is_open] = 1 + parts
    return found
