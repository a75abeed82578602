"""The value and optimal mixed strategies of a matrix of rationals, proven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.matrix.numbers import Exact, floats, whole

if TYPE_CHECKING:
    from zermelo.matrix.exact import Equilibrium


def equilibrium(payoff: Sequence[Sequence[Exact]]) -> Equilibrium:
    """Floats identify the strategies in use; rationals solve for the probabilities and prove them (exact.py)."""
    from zermelo.matrix.exact import solve  # loads flint
    from zermelo.matrix.master import Master  # loads HiGHS

    integers, unit = whole(payoff)
    least = min(map(min, integers))  # subtracted, as floats then resolve differences better
    guess = Master(floats([[a - least for a in row] for row in integers])).solve()
    found = solve(integers, guess.rows, guess.columns)
    return found._replace(value=found.value / unit)
