"""Drawing from an urn of +1 and -1 balls until a frontier says to stop. Random numbers as in simulate.py."""

from __future__ import annotations

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.simulate import drawn, seeded


@inner
def _play_block(block, seed, plus, minus, reach, totals, lengths):
    """Play once for each total. One stops with x more -1 balls than +1 balls among m left if reach[x] >= m."""
    s0, s1, s2, s3 = seeded(seed, block)
    for play in range(len(totals)):
        left, i = plus + minus, plus
        draws = 0
        while left > 0:
            x = left - 2 * i
            if x >= len(reach) or (x >= 0 and reach[x] >= left):
                draws += 1  # stopping is an action too
                break
            number, s0, s1, s2, s3 = drawn(s0, s1, s2, s3)
            i -= number * left < i
            left -= 1
            draws += 1
        totals[play] = (plus - i) - (minus - (left - i))
        lengths[play] = draws


@kernel
def play_blocks(first_block, block, seed, plus, minus, reach, totals, lengths):
    """Play the blocks first_block, first_block + 1, ... of `block` plays until `totals` float64[plays] is full."""
    for b in range((len(totals) + block - 1) // block):
        low, high = b * block, min((b + 1) * block, len(totals))
        _play_block(first_block + b, seed, plus, minus, reach, totals[low:high], lengths[low:high])
