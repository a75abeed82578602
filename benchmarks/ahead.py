"""Sweeps over a large stage of Left-Center-Right, with and without asking for what will be read (kernels/prefetch.py)."""

from __future__ import annotations

import numpy as np
from contender import Result, timed

NEVER = 1 << 60  # rows ahead


def sweeps(players: int, ahead: bool) -> Result:
    """One sweep over the first stage, for the chances of all seats."""
    from zermelo.engines.stages.columns import Columns
    from zermelo.engines.stages.equations import Equations
    from zermelo.engines.stages.solving import groups
    from zermelo.engines.stages.spaces import stages_of
    from zermelo.games import LeftCenterRight
    from zermelo.kernels import sweeps as kernels
    from zermelo.kernels.kernel import kernel
    from zermelo.kernels.registers import each_of
    from zermelo.language.rules import Rules
    from zermelo.link import StagedRules

    rules = Rules(LeftCenterRight(players))
    stages = stages_of(rules, 2**31)
    columns = np.hstack([stages.columns, np.full((len(stages.columns), 1), len(rules.payoffs))])
    group = groups(columns)
    seats = np.flatnonzero(group == 1)
    equations = Equations(stages, StagedRules(rules, stages.layout), Columns(stages.num_states, group), columns)
    first = equations.of(0)
    turned, alike = np.searchsorted(seats, columns[:, seats]), np.zeros(len(seats), np.int64)
    system = kernels.System(*first[:4], turned, alike, first.right.block(1))
    x, change, largest = np.zeros_like(system.right), np.zeros(len(seats)), np.zeros(len(seats))
    if not ahead:
        kernels.AHEAD = NEVER
    again = kernel(cache=False, nogil=True, fastmath={"contract"})  # compiled here, with this AHEAD
    sweep = again(kernels.sweep.function).compiled
    once, middle, _, peak = timed(lambda: sweep(*system, each_of(len(seats)), x, change, largest))
    parts = {"ns an entry": 1e9 * middle / len(system.to)}
    return {"seconds": middle, "first": once, "states": len(x), "peak_mib": peak, "parts": parts}
