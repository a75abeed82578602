"""Optimal stopping on an urn of +1 and -1 balls, for urns far too large to store: see kernels/urn.py for the method.

A game that declares `urn(s)` says that its state s is such an urn, and is solved here when it is large.
"""

from zermelo.engines.urn.curve import Curve, curve
from zermelo.engines.urn.solution import UrnSolution
from zermelo.engines.urn.solving import solve_urn

__all__ = ["Curve", "UrnSolution", "curve", "solve_urn"]
