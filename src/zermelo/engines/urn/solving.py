"""Solve a game that declares `urn(s)`, by a sweep over stages in a window as wide as the tolerance asks for."""

from __future__ import annotations

from pathlib import Path

from zermelo.basics.parameters import check_tolerance
from zermelo.basics.progress import Progress, silent
from zermelo.engines.urn.bounds import deviations_for, expected_rounding, expected_value
from zermelo.engines.urn.exact import exact_value
from zermelo.engines.urn.solution import UrnSolution
from zermelo.engines.urn.sweep import Sweep, swept
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Rules

TOLERANCE = 1e-9


def solve_urn(
    rules: Rules,
    exact: bool = False,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress = silent,
    max_states: int | None = None,
) -> UrnSolution:
    """The value of the start, certified to `tolerance` (relative; absolute below a value of 1), and when to stop.

    Without a tolerance it is 1e-9, or what rounding allows for the largest urns. `exact` also computes the value as a
    rational number. With `checkpoint` the sweep goes on from this file if it exists, and is saved there every minute,
    when interrupted, and at the end. An urn of more than `max_states` states is refused with `OutOfReach`.
    """
    plus, minus = rules.game.urn(rules.start)
    if max_states is not None and (plus + 1) * (minus + 1) > max_states:
        raise OutOfReach(
            f"{rules.name} has more than {max_states:,} states; give smaller parameters or raise max_states"
        )
    tolerance = None if exact else tolerance  # a fraction meets any
    sweep = swept(Sweep(plus, minus, window_for(rules.name, plus, minus, tolerance)), progress, checkpoint)
    solution = UrnSolution(rules, sweep, exact_value(rules.name, plus, minus, progress) if exact else None)
    error = sweep.error(plus, minus)
    if tolerance is not None and error > tolerance * max(1.0, float(solution.value)):
        raise OutOfReach(f"{rules.name}: the value is certified to {error:.1e} only; ask for less, or for `exact`")
    return solution


def window_for(name: str, plus: int, minus: int, tolerance: float | None) -> float:
    """Half the width of the window in standard deviations. Raises `ParameterError` for what doubles can't certify."""
    check_tolerance(tolerance)
    scale = max(1.0, 0.7 * expected_value(plus, minus))
    rounding = expected_rounding(plus, minus) / scale
    if tolerance is None:
        tolerance = max(TOLERANCE, 2 * rounding)
    elif tolerance < rounding / 2:
        raise ParameterError(
            f"{name}: double precision can't certify {tolerance:g} over {plus + minus:,} stages, about {1.3 * rounding:.0e} is possible"
        )
    return deviations_for(plus, minus, max(tolerance - rounding, tolerance / 10) * scale / 4)
