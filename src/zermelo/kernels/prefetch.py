"""Reading memory fast: `prefetch` tells the processor that a row of an array will be read soon, `fetch` reads without a check, and
`pointer` hands arrays on without counting who has them.

Sweeps over states read the values of other states far apart in memory. Where these do not fit the caches, most of the time is
spent waiting; asking for them a few rows ahead made sweeps over 2 million states 4.6 times faster
(`python benchmarks/run.py --only ahead`).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.types.misc import CPointer
from numba.extending import intrinsic, overload

AHEAD = 8  # rows


def prefetch(array: Any, row: int) -> None:
    """Ask for the first and the last number of a row of a 2-dimensional array. Changes nothing."""


@overload(prefetch)
def _prefetch(array: Any, row: Any) -> Any:
    def implementation(array: Any, row: Any) -> Any:
        _ask_for(array, row, 0)
        _ask_for(array, row, array.shape[1] - 1)

    return implementation


@intrinsic
def _ask_for(typingctx: Any, array: Any, row: Any, column: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        place = [
            context.cast(builder, value, of, types.intp)
            for value, of in zip(arguments[1:], signature.args[1:], strict=True)
        ]
        items = context.make_array(kind)(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(
            cgutils.get_item_pointer(context, builder, kind, items, place, wraparound=False), byte
        )
        called = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        )
        builder.call(called, [pointer, word(0), word(3), word(1)])  # to read; keep it in all caches; data
        return context.get_dummy_value()

    return types.void(array, row, column), codegen


@intrinsic
def pointer(typingctx: Any, array: Any) -> Any:
    """Where the numbers of a 1-dimensional array lie, for `fetch`. An array that is handed from function to function is counted each time,
    by an instruction that all threads wait for; where it lies is not. The array must be kept alive."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return CPointer(array.dtype)(array), codegen


@intrinsic
def fetch(typingctx: Any, numbers: Any, index: Any) -> Any:
    """The number numbers[index] of a 1-dimensional array or at a `pointer`, `index` being known not to be negative, which saves looking."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        if isinstance(kind, CPointer):
            return builder.load(builder.gep(arguments[0], [place]))
        items = context.make_array(kind)(context, builder, arguments[0])
        return builder.load(cgutils.get_item_pointer(context, builder, kind, items, [place], wraparound=False))

    return numbers.dtype(numbers, index), codegen
