"""Array code for numba, of blackjack alone: arrays in, arrays out."""

from __future__ import annotations

from pathlib import Path

from zermelo.kernels import forget_stale_machine_code

forget_stale_machine_code(Path(__file__).parent)
