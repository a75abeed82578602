"""Single instructions of the processor for compiled kernels: reading memory fast, and products rounded together with a sum. Their twins for
Python are in prefetch.py and twice.py."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.types.misc import CPointer
from numba.extending import intrinsic

from zermelo.basics.machine_code import njit


@njit(inline="always")
def prefetch(array, row):
    """See prefetch.py."""
    ask_for(array, row, 0)
    ask_for(array, row, array.shape[1] - 1)


@intrinsic
def ask_for(typingctx: Any, array: Any, row: Any, column: Any) -> Any:
    """Ask for the number array[row, column] of a 2-dimensional array."""

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
    """See prefetch.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return CPointer(array.dtype)(array), codegen


@intrinsic
def fetch(typingctx: Any, numbers: Any, index: Any) -> Any:
    """See prefetch.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        if isinstance(kind, CPointer):
            return builder.load(builder.gep(arguments[0], [place]))
        items = context.make_array(kind)(context, builder, arguments[0])
        return builder.load(cgutils.get_item_pointer(context, builder, kind, items, [place], wraparound=False))

    return numbers.dtype(numbers, index), codegen


@intrinsic
def fused(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once (IEEE 754-2008, fusedMultiplyAdd)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), codegen


@intrinsic
def merge(typingctx: Any, numbers: Any, index: Any, bits: Any) -> Any:
    """See prefetch.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, index, bits = arguments
        place = context.cast(builder, index, signature.args[1], types.intp)
        wanted = context.cast(builder, bits, signature.args[2], signature.args[0].dtype)
        return builder.atomic_rmw("or", builder.gep(pointer, [place]), wanted, "monotonic")

    return numbers.dtype(numbers, index, bits), codegen


@intrinsic
def replace(typingctx: Any, numbers: Any, index: Any, before: Any, after: Any) -> Any:
    """See prefetch.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0].dtype
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        old, new = (context.cast(builder, arguments[k], signature.args[k], kind) for k in (2, 3))
        builder.cmpxchg(builder.gep(arguments[0], [place]), old, new, "monotonic", "monotonic")
        return context.get_dummy_value()

    return types.void(numbers, index, before, after), codegen
