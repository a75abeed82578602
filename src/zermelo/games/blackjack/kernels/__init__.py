"""Array code for numba, of blackjack alone: arrays in, arrays out."""

from __future__ import annotations

from pathlib import Path

from zermelo.basics.machine import require_compiler
from zermelo.kernels import forget_stale_machine_code

forget_stale_machine_code(Path(__file__).parent)
require_compiler()  # modules of this package load it
