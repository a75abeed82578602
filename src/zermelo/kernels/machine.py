"""Single instructions of the processor for compiled kernels: fast access to memory, fused multiply-add, what threads share, and calls by
address. Their counterparts in Python are in prefetch.py, registers.py, twice.py, meeting.py and calling.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.types.misc import CPointer
from numba.extending import intrinsic

from zermelo.basics.machine_code import njit

WIDTH = 8  # floats that the widest registers hold


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
    if array.layout != "C":
        raise TypingError(f"the numbers of {array} do not lie one after another")

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return CPointer(array.dtype)(array), codegen


@intrinsic
def uncounted(typingctx: Any, array: Any) -> Any:
    """See prefetch.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])
        counted, free = made(context, builder, arguments[0]), made(context, builder)
        for name in ("nitems", "itemsize", "data", "shape", "strides"):
            setattr(free, name, getattr(counted, name))
        for name in ("meminfo", "parent"):
            setattr(free, name, cgutils.get_null_value(getattr(counted, name).type))
        return free._getvalue()

    return array(array), codegen


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
def widest(typingctx: Any) -> Any:
    """See registers.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        attributes = builder.function.attributes
        attributes.add("noinline")
        set.add(attributes, f'"prefer-vector-width"="{64 * WIDTH}"')  # its own `add` knows no attributes with a value
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def registers(typingctx: Any, each: Any) -> Any:
    """See registers.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=len(signature.args[0]))

    return CPointer(types.float64)(each), codegen


@intrinsic
def read_row(typingctx: Any, row: Any, each: Any, array: Any, index: Any) -> Any:
    """See registers.py."""
    return types.void(row, each, array, index), _copying(True)


@intrinsic
def add_row(typingctx: Any, row: Any, each: Any, factor: Any, array: Any, index: Any) -> Any:
    """See registers.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, _, factor, array, index = arguments
        begin = _row_of(context, builder, signature.args[3], array, signature.args[4], index)
        for kept, stored in zip(*(_parts(builder, at, len(signature.args[1])) for at in (row, begin)), strict=True):
            some = kept.type.pointee
            first = builder.insert_element(ir.Constant(some, ir.Undefined), factor, ir.IntType(32)(0))
            factors = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), some.count), None))
            product = builder.fmul(factors, builder.load(stored, align=8))
            builder.store(builder.fadd(builder.load(kept, align=8), product), kept, align=8)
        return context.get_dummy_value()

    return types.void(row, each, types.float64, array, index), codegen


@intrinsic
def write_row(typingctx: Any, row: Any, each: Any, array: Any, index: Any) -> Any:
    """See registers.py."""
    return types.void(row, each, array, index), _copying(False)


def _copying(is_read: bool) -> Any:
    """The code that copies a row of an array to registers, or back."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, _, array, index = arguments
        begin = _row_of(context, builder, signature.args[2], array, signature.args[3], index)
        for kept, stored in zip(*(_parts(builder, at, len(signature.args[1])) for at in (row, begin)), strict=True):
            source, target = (stored, kept) if is_read else (kept, stored)
            builder.store(builder.load(source, align=8), target, align=8)
        return context.get_dummy_value()

    return codegen


def _row_of(context: Any, builder: Any, kind: Any, array: Any, of: Any, index: Any) -> Any:
    """Where a row of a 2-dimensional array of floats begins."""
    assert kind.layout == "C" and kind.ndim == 2 and kind.dtype == types.float64, kind
    place = context.cast(builder, index, of, types.intp)
    items = context.make_array(kind)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, kind, items, [place, place.type(0)], wraparound=False)


def _parts(builder: Any, begin: Any, numbers: int) -> Iterator[Any]:
    """The numbers from `begin` on, as vectors of at most WIDTH."""
    for first in range(0, numbers, WIDTH):
        some = ir.VectorType(ir.DoubleType(), min(WIDTH, numbers - first))
        yield builder.bitcast(builder.gep(begin, [ir.IntType(64)(first)]), some.as_pointer())


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


@intrinsic
def increase(typingctx: Any, numbers: Any, index: Any) -> Any:
    """See meeting.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        one = context.get_constant(signature.args[0].dtype, 1)
        return builder.atomic_rmw("add", builder.gep(arguments[0], [place]), one, "acq_rel")

    return numbers.dtype(numbers, index), codegen


@intrinsic
def is_first_to_increase(typingctx: Any, numbers: Any, index: Any, before: Any) -> Any:
    """See meeting.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0].dtype
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        old = context.cast(builder, arguments[2], signature.args[2], kind)
        new = builder.add(old, context.get_constant(kind, 1))
        return builder.extract_value(builder.cmpxchg(builder.gep(arguments[0], [place]), old, new, "acq_rel", "acquire"), 1)

    return types.boolean(numbers, index, before), codegen


@intrinsic
def latest(typingctx: Any, numbers: Any, index: Any) -> Any:
    """See meeting.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        return builder.load_atomic(builder.gep(arguments[0], [place]), "acquire", signature.args[0].dtype.bitwidth // 8)

    return numbers.dtype(numbers, index), codegen


@intrinsic
def let_others_run(typingctx: Any) -> Any:
    """See meeting.py."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def called(typingctx: Any, address: Any, arguments: Any) -> Any:
    """Call the function at this address, as compiled functions call one another: what it raises is raised here."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = signature.args[1].types
        kind = context.call_conv.get_function_type(types.int64, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        parts = cgutils.unpack_tuple(builder, values[1])
        status, result = context.call_conv.call_function(builder, function, types.int64, kinds, parts)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    return types.int64(types.int64, arguments), codegen


def address_of(function: Any, arguments: tuple[Any, ...]) -> int:
    """See calling.py."""
    kinds = tuple(map(typeof, arguments))
    if kinds not in function.overloads:
        function.compile(kinds)
    compiled = function.overloads[kinds]
    assert compiled.signature.return_type == types.int64
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
