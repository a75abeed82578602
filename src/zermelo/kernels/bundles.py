"""A bundle of states cut into public states by what players see in them, before it is asked what follows from these states: so a large
bundle need not be worked on as a whole. What is seen is told by a hash. States of two public states whose hashes fall together stay in one
bundle, and are told apart later (kernels/public.py)."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.public import mix, top_of


@kernel
def hashes(begin: np.ndarray, numbers: np.ndarray, codes: np.ndarray) -> None:
    """codes int64[2, states]: what each player sees in each state, as a number that is not 0; begin, numbers : as `see` writes them."""
    for i in range(codes.shape[1]):
        for q in range(2):
            low, high = begin[4 * i + q], begin[4 * i + q + 1]
            code = np.int64(high - low + 1)
            for k in range(low, high):
                code = mix(code, numbers[k])
            codes[q, i] = code | np.int64(1)


@kernel
def connect(codes: np.ndarray, keys: np.ndarray, values: np.ndarray, look: np.ndarray, root: np.ndarray, part: np.ndarray) -> int:
    """Give states that are connected by what players see the same number in `part` int32[states], from 0 on, in the order in which they
    come first. Returns how many numbers there are. Room to work in: keys int64[2^k], values int32[2^k], at least twice as many as states;
    look int32[2, states]; root int32[2 * states]."""
    mask, nodes = np.int64(len(keys) - 1), 0
    for q in range(2):
        keys[:] = 0
        for i in range(codes.shape[1]):
            place = (codes[q, i] >> 1) & mask
            while keys[place] != 0 and keys[place] != codes[q, i]:
                place = (place + 1) & mask
            if keys[place] == 0:
                keys[place], values[place], root[nodes] = codes[q, i], nodes, nodes
                nodes += 1
            look[q, i] = values[place]
    for i in range(codes.shape[1]):
        one, other = top_of(look[0, i], root), top_of(look[1, i], root)
        root[max(one, other)] = min(one, other)
    values[:nodes] = -1
    parts = 0
    for i in range(codes.shape[1]):
        first = top_of(look[0, i], root)
        if values[first] < 0:
            values[first] = parts
            parts += 1
        part[i] = values[first]
    return parts
