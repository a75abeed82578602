"""The decorator of kernels that only kernels call."""

from __future__ import annotations

from numba import njit

# Without the wrapper for Python, which takes long to compile.
inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
