"""Optimal stopping on an urn of +1 and -1 balls, for urns far too large to store: see kernels/urn.py for the method.

engine.py    the games that it accepts
sweep.py     the urn sweep: progress, checkpoints
solving.py   a window as wide as the tolerance requires, and the construction of the answer
exact.py     the value as a rational number
curves.py    the values of all balanced urns up to a size, in one sweep
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """`curve` and `Curve`, which are public as `zermelo.urn.curve`: imported when first used, since they bring the compiler."""
    if name in ("curve", "Curve"):
        from zermelo.engines.urn import curves

        return getattr(curves, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
