"""The values of all balanced urns up to a size, in one sweep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress, silent
from zermelo.certificates.urn import curve_errors
from zermelo.engines.urn import kept
from zermelo.engines.urn.solving import window_for
from zermelo.engines.urn.sweep import Sweep, swept
from zermelo.errors import ParameterError


class Curve(NamedTuple):
    """V(n, n), the value of an urn with n balls of each kind."""

    n: np.ndarray  # int64[k]
    value: np.ndarray  # float64[k]
    error: np.ndarray  # float64[k], how far each value can be from the true one


def curve(
    limit: int,
    tolerance: float | None = None,
    at: Sequence[int] | np.ndarray | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress = silent,
) -> Curve:
    """V(n, n) for n = 0, 1, ..., limit, or only for the n in `at`, from one urn sweep; `tolerance` and `checkpoint` are as in
    `zermelo.solve`. A curve that takes long to compute is kept on disk, and read from there the next time (`zermelo cache`)."""
    limit = whole("limit", limit, 0)
    n = np.arange(limit + 1) if at is None else np.unique(np.asarray(at, dtype=np.int64))
    if len(n) and not (n[0] >= 0 and n[-1] <= limit):
        raise ParameterError(f"`at` must lie between 0 and {limit:,}, not {n[0] if n[0] < 0 else n[-1]:,}")
    window = window_for("curve", limit, limit, tolerance)
    there = kept.find(limit, limit, window, n) if checkpoint is None else None
    if there is not None:
        found = there.swept
    else:
        sweep = swept(Sweep(limit, limit, window, n), progress, checkpoint)
        found = sweep.swept()
        if checkpoint is None:
            kept.keep(found, sweep.seconds)
    return Curve(n, found.going_on["curve"], curve_errors(found.tiles, found.highest, limit, limit, n))
