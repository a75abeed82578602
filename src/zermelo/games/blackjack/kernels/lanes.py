"""Arithmetic on LANES numbers at once: rows of arrays that hold the same quantity for LANES shoes.

The tree of draws has thousands of steps of two or three operations each. In a loop over lanes the compiler would have to find
out again at every step that its rows do not overlap; these operations are recognised by name, and become one or two instructions.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

LANES = 16
AT_ONCE = 4  # terms of a sum that do not wait for one another


def multiply(out: Any, to: Any, a: Any, i: Any, b: Any, j: Any) -> None:
    """out[to] = a[i] * b[j], all rows of LANES numbers."""
    out[to] = a[i] * b[j]


def weighted_sum(out: Any, to: int, a: Any, rows: Any, weights: Any, begin: int, end: int) -> None:
    """out[to] = sum of weights[e] * a[rows[e]] over begin <= e < end, whose number is a multiple of AT_ONCE."""
    out[to] = 0.0
    for e in range(begin, end):
        out[to] += weights[e] * a[rows[e]]


def _row(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> Any:
    """A pointer to a row as one vector; rows lie one after the other."""
    items = context.make_array(kind)(context, builder, array)
    place = builder.gep(items.data, [builder.mul(row, ir.Constant(row.type, LANES))])
    return builder.bitcast(place, ir.VectorType(ir.DoubleType(), LANES).as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=8)


@intrinsic
def _multiply(typingctx: Any, out: Any, to: Any, a: Any, i: Any, b: Any, j: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        rows = [context.cast(builder, arguments[n], kinds[n], types.intp) for n in (1, 3, 5)]
        target, x, y = (
            _row(context, builder, kinds[2 * n], arguments[2 * n], row) for n, row in zip(range(3), rows, strict=True)
        )
        builder.store(builder.fmul(_load(builder, x), _load(builder, y)), target, align=8)
        return context.get_dummy_value()

    return types.void(out, to, a, i, b, j), codegen


@intrinsic
def _weighted_sum(
    typingctx: Any, out: Any, to: Any, a: Any, rows: Any, weights: Any, begin: Any, end: Any
) -> Any:  # fmt: skip
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        where, low, high = (context.cast(builder, arguments[n], kinds[n], types.intp) for n in (1, 5, 6))
        numbers, factors = (context.make_array(kinds[n])(context, builder, arguments[n]).data for n in (3, 4))
        vector = ir.VectorType(ir.DoubleType(), LANES)
        undefined = ir.Constant(vector, ir.Undefined)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        function = ir.FunctionType(vector, [vector] * 3)
        fused = cgutils.get_or_insert_function(builder.module, function, f"llvm.fma.v{LANES}f64")
        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES)) for _ in range(AT_ONCE)]
        for one in sums:  # the allocation is made once per function, the zero is needed at every call
            builder.store(ir.Constant(vector, [0.0] * LANES), one)
        with cgutils.for_range_slice(builder, low, high, low.type(AT_ONCE), inc=True) as (at, _):
            for n, one in enumerate(sums):
                entry = builder.add(at, at.type(n))
                row = builder.zext(builder.load(builder.gep(numbers, [entry])), at.type)  # unsigned
                first = builder.insert_element(
                    undefined, builder.load(builder.gep(factors, [entry])), ir.IntType(32)(0)
                )
                factor = builder.shuffle_vector(first, undefined, everywhere)
                x = _load(builder, _row(context, builder, kinds[2], arguments[2], row))
                builder.store(builder.call(fused, [factor, x, builder.load(one)]), one)
        total = builder.load(sums[0])
        for one in sums[1:]:
            total = builder.fadd(total, builder.load(one))
        builder.store(total, _row(context, builder, kinds[0], arguments[0], where), align=8)
        return context.get_dummy_value()

    return types.void(out, to, a, rows, weights, begin, end), codegen


@overload(multiply)
def _overload_multiply(out: Any, to: Any, a: Any, i: Any, b: Any, j: Any) -> Any:
    def implementation(out: Any, to: Any, a: Any, i: Any, b: Any, j: Any) -> Any:
        _multiply(out, to, a, i, b, j)

    return implementation


@overload(weighted_sum)
def _overload_weighted_sum(out: Any, to: Any, a: Any, rows: Any, weights: Any, begin: Any, end: Any) -> Any:
    def implementation(out: Any, to: Any, a: Any, rows: Any, weights: Any, begin: Any, end: Any) -> Any:
        _weighted_sum(out, to, a, rows, weights, begin, end)

    return implementation
