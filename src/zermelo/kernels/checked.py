"""Arithmetic of compiled rules: the result that Python would give, or `Stopped`.

Machine numbers differ from Python's: whole numbers have 64 bits and wrap around, shifts and conversions are undefined beyond them, a whole
number that meets a float in one variable becomes a float, functions of `math` answer NaN instead of raising. Each function here does one
operation and stops where the result of the machine could differ. The last argument, `place`, is the number of the place in the rules,
for the message. Where the compiler can see that nothing goes wrong (numbers that fit 32 bits, say) no test is left in the machine code.

A float is *certain* if it is a float in Python, too. Any other float may stand for a whole number; it is one exactly while it stays below
2^53, and that is tested wherever the difference could show. `certain` has bit 1 for the first operand and bit 2 for the second one.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing import signature
from numba.extending import intrinsic, overload, overload_method

from zermelo.kernels.faithful import JOINED, Refused, loss
from zermelo.kernels.stopped import (
    BITS,
    DEEP,
    ENDLESS,
    FAR_FLOAT,
    MINUS_ZERO,
    MIXED,
    NEGATIVE,
    NO_FIELD,
    NOT_TOLD,
    NOT_WHOLE,
    SHIFT,
    UNDEFINED,
    Stopped,
)

EXACT = 2.0**53  # floats below it hold every whole number
BEYOND = 2.0**63
LEAST = -(2**63)


def bare(kind: Any) -> Any:
    """What a value is that may be None, if it is not: it is converted to that, and None raises, as in Python."""
    return kind.type if isinstance(kind, types.Optional) else kind


def is_whole(kind: Any) -> bool:
    return isinstance(bare(kind), types.Integer | types.Boolean)


def is_float(kind: Any) -> bool:
    return isinstance(bare(kind), types.Float)


def is_number(kind: Any) -> bool:
    return is_whole(kind) or is_float(kind)


def are_numbers(*kinds: Any) -> bool:
    return all(map(is_number, kinds))


def _literal(kind: Any) -> int:
    if not isinstance(kind, types.Literal):  # numba tries the general type if the literal one fails
        raise TypingError(NOT_TOLD)
    return int(kind.literal_value)


class _Emitter:
    """Writes machine code for one operation at one place."""

    def __init__(self, context: Any, builder: Any, place: int):
        self.context, self.builder, self.place = context, builder, place

    def stop_if(self, wrong: Any, why: str) -> None:
        with self.builder.if_then(wrong, likely=False):
            self.context.call_conv.return_user_exc(self.builder, Stopped, (self.place, why))

    def number(self, value: float) -> Any:
        return ir.Constant(ir.DoubleType(), value)

    def size(self, x: Any) -> Any:
        return self.builder.call(
            self.builder.module.declare_intrinsic("llvm.fabs", [ir.DoubleType()]), [x]
        )

    def is_far(self, x: Any) -> Any:
        """Whether a float is finite and so large that floats skip whole numbers."""
        size = self.size(x)
        far = self.builder.fcmp_ordered(">=", size, self.number(EXACT))
        return self.builder.and_(far, self.builder.fcmp_ordered("<", size, self.number(math.inf)))

    def is_minus_zero(self, x: Any) -> Any:
        bits = self.builder.bitcast(x, ir.IntType(64))
        return self.builder.icmp_signed("==", bits, ir.Constant(bits.type, LEAST))

    def any_of(self, conditions: list[Any]) -> Any:
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.builder.or_(result, condition)
        return result

    def is_far_whole(self, x: Any) -> Any:
        """The same of a whole number."""
        limit = ir.Constant(x.type, int(EXACT))
        low = self.builder.icmp_signed("<=", x, ir.Constant(x.type, -int(EXACT)))
        return self.builder.or_(low, self.builder.icmp_signed(">=", x, limit))

    def undefined(self, result: Any, arguments: list[Any]) -> Any:
        """Where Python raises: NaN of numbers, or infinity of finite numbers."""
        b = self.builder
        no_nan, finite = [], []
        for x in arguments:
            no_nan.append(b.fcmp_ordered("ord", x, x))
            finite.append(b.fcmp_ordered("<", self.size(x), self.number(math.inf)))
        nan = b.fcmp_unordered("uno", result, result)
        infinite = b.fcmp_ordered("==", self.size(result), self.number(math.inf))
        for condition in no_nan:
            nan = b.and_(nan, condition)
        for condition in finite:
            infinite = b.and_(infinite, condition)
        return b.or_(nan, infinite)


def _plain(typing: Any, function: Any, arguments: tuple[Any, ...]) -> tuple[Any, Callable[..., Any]]:
    """What numba does with these types: the signature, and a function that writes the call."""
    known = typing.resolve_value_type(function)
    found = known.get_call_type(typing, arguments, {})

    def write(context: Any, builder: Any, values: list[Any]) -> Any:
        return context.get_function(known, found)(builder, values)

    return found, write


def _internal(context: Any, builder: Any, function: Any, sig: Any, values: list[Any]) -> list[Any]:
    """The parts of the tuple that an inner function gives."""
    return cgutils.unpack_tuple(builder, context.compile_internal(builder, function, sig, values))


# + - * ** // % << >> ---------------------------------------------------------------------------------------------------------


def _overflowing(name: str) -> Callable[..., Any]:
    def write(emitter: _Emitter, a: Any, b: Any) -> Any:
        pair = getattr(emitter.builder, f"{name}_with_overflow")(a, b)
        emitter.stop_if(emitter.builder.extract_value(pair, 1), BITS)
        return emitter.builder.extract_value(pair, 0)

    return write


def _dividing(function: Any) -> Callable[..., Any]:
    def write(emitter: _Emitter, a: Any, b: Any) -> Any:
        builder = emitter.builder
        least = builder.icmp_signed("==", a, ir.Constant(a.type, LEAST))
        emitter.stop_if(builder.and_(least, builder.icmp_signed("==", b, ir.Constant(b.type, -1))), BITS)
        sig = signature(types.int64, types.int64, types.int64)
        return emitter.context.get_function(function, sig)(builder, [a, b])

    return write


@intrinsic
def multiplied(typing, a, b):
    """(a * b, whether that is right)"""

    def code(context, builder, sig, values):
        pair = builder.smul_with_overflow(*values)
        fits = builder.not_(builder.extract_value(pair, 1))
        return context.make_tuple(builder, sig.return_type, [builder.extract_value(pair, 0), fits])

    return types.Tuple((types.int64, types.boolean))(types.int64, types.int64), code


def _power(base, exponent):
    result, fits = 1, exponent >= 0
    while fits:
        if exponent & 1:
            result, fits = multiplied(result, base)
        exponent >>= 1
        if exponent == 0 or not fits:
            break
        base, fits = multiplied(base, base)
    return result, fits


def _shifted_left(x, n):
    if n < 0 or n > 63:
        return 0, n > 63 and x == 0
    result = x << n
    return result, result >> n == x


def _shifted_right(x, n):
    return x >> min(max(n, 0), 63), n >= 0


def _inner(function: Any, why: str) -> Callable[..., Any]:
    def write(emitter: _Emitter, a: Any, b: Any) -> Any:
        sig = signature(types.Tuple((types.int64, types.boolean)), types.int64, types.int64)
        value, fits = _internal(emitter.context, emitter.builder, function, sig, [a, b])
        emitter.stop_if(emitter.builder.not_(fits), why)
        return value

    return write


def _operation(function: Any, inplace: Any, whole: Callable[..., Any]) -> tuple[Any, Any]:
    """The checked operation, and the same for `a += b`."""

    def typed(typing: Any, a: Any, b: Any, place: Any, plain: Any) -> Any:
        number = _literal(place)
        if is_whole(a) and is_whole(b):

            def code(context, builder, sig, values):
                return whole(_Emitter(context, builder, number), *values[:2])

            return signature(types.int64, types.int64, types.int64, place), code
        if are_numbers(a, b):
            found, write = _plain(typing, function, (types.float64, types.float64))

            def rough(context, builder, sig, values):
                emitter = _Emitter(context, builder, number)
                result = write(context, builder, values[:2])
                emitter.stop_if(emitter.any_of([emitter.is_far(v) for v in (*values[:2], result)]), MIXED)
                return result

            return signature(types.float64, types.float64, types.float64, place), rough
        found, write = _plain(typing, plain, (a, b))
        if found is None:
            return None
        if isinstance(a, types.List) and isinstance(b, types.List) and _mixes(a, b):
            raise Refused(JOINED)

        def other(context, builder, sig, values):
            return write(context, builder, values[:2])

        return signature(found.return_type, *found.args, place), other

    @intrinsic(prefer_literal=True)
    def operation(typing, a, b, place):
        return typed(typing, a, b, place, function)

    @intrinsic(prefer_literal=True)
    def changing(typing, a, b, place):
        return typed(typing, a, b, place, inplace)

    return operation, changing


add, iadd = _operation(operator.add, operator.iadd, _overflowing("sadd"))
sub, isub = _operation(operator.sub, operator.isub, _overflowing("ssub"))
mul, imul = _operation(operator.mul, operator.imul, _overflowing("smul"))
floordiv, ifloordiv = _operation(operator.floordiv, operator.ifloordiv, _dividing(operator.floordiv))
mod, imod = _operation(operator.mod, operator.imod, _dividing(operator.mod))
lshift, ilshift = _operation(operator.lshift, operator.ilshift, _inner(_shifted_left, SHIFT))
rshift, irshift = _operation(operator.rshift, operator.irshift, _inner(_shifted_right, SHIFT))


@intrinsic(prefer_literal=True)
def power(typing, base, exponent, certain, place):
    """base ** exponent"""
    number, sure = _literal(place), _literal(certain)
    if not are_numbers(base, exponent):
        return None
    if is_whole(base) and is_whole(exponent):
        known = _literal(exponent) if isinstance(exponent, types.Literal) else -1

        def code(context, builder, sig, values):
            emitter = _Emitter(context, builder, number)
            if 1 <= known <= 3:
                result = values[0]
                for _ in range(known - 1):
                    result = _overflowing("smul")(emitter, result, values[0])
                return result
            negative = builder.icmp_signed("<", values[1], ir.Constant(values[1].type, 0))
            emitter.stop_if(negative, NEGATIVE)
            return _inner(_power, BITS)(emitter, *values[:2])

        return signature(types.int64, types.int64, types.int64, certain, place), code
    found, write = _plain(typing, operator.pow, (types.float64, types.float64))

    def rough(context, builder, sig, values):
        emitter = _Emitter(context, builder, number)
        result = write(context, builder, values[:2])
        emitter.stop_if(emitter.undefined(result, values[:2]), UNDEFINED)
        if not sure:
            emitter.stop_if(emitter.any_of([emitter.is_far(v) for v in (*values[:2], result)]), MIXED)
        return result

    return signature(types.float64, types.float64, types.float64, certain, place), rough


@intrinsic(prefer_literal=True)
def truediv(typing, a, b, place):
    """a / b"""
    number = _literal(place)
    found, write = _plain(typing, operator.truediv, (bare(a), bare(b)))
    if found is None:
        return None

    def code(context, builder, sig, values):
        emitter = _Emitter(context, builder, number)
        far = [emitter.is_far_whole(v) if is_whole(k) else emitter.is_far(v) for v, k in zip(values, sig.args[:2], strict=False)]
        emitter.stop_if(emitter.any_of(far), FAR_FLOAT)
        return write(context, builder, values[:2])

    return signature(found.return_type, *found.args, place), code


@intrinsic(prefer_literal=True)
def neg(typing, a, place):
    """-a"""
    number = _literal(place)
    if is_whole(a):

        def code(context, builder, sig, values):
            zero = ir.Constant(values[0].type, 0)
            return _overflowing("ssub")(_Emitter(context, builder, number), zero, values[0])

        return signature(types.int64, types.int64, place), code
    found, write = _plain(typing, operator.neg, (bare(a),))
    if found is None:
        return None
    return signature(found.return_type, *found.args, place), lambda context, builder, sig, values: write(context, builder, values[:1])


@intrinsic
def invert(typing, a):
    """~a: of a truth value, numba's own is another truth value."""
    if not is_whole(a):
        raise Refused(f"~ works on whole numbers, not on {a}")
    return types.int64(types.int64), lambda context, builder, sig, values: builder.not_(values[0])


@intrinsic(prefer_literal=True)
def absolute(typing, a, place):
    """abs(a)"""
    number = _literal(place)
    found, write = _plain(typing, builtins.abs, (types.int64 if is_whole(a) else bare(a),))
    if found is None:
        return None

    def code(context, builder, sig, values):
        if is_whole(a):
            least = builder.icmp_signed("==", values[0], ir.Constant(values[0].type, LEAST))
            _Emitter(context, builder, number).stop_if(least, BITS)
        return write(context, builder, values[:1])

    return signature(found.return_type, *found.args, place), code


# n.bit_count() and n.bit_length(): of the number without its sign -------------------------------------------------------------


def _of_bits(name: str, write: Callable[[Any, Any], Any]) -> None:
    @intrinsic
    def found(typing, n):
        def code(context, builder, sig, values):
            (n,) = values
            is_negative = builder.icmp_signed("<", n, ir.Constant(n.type, 0))
            return write(builder, builder.select(is_negative, builder.neg(n), n))

        return types.int64(types.int64), code

    for kind in (types.Integer, types.Boolean):
        overload_method(kind, name)(lambda n: lambda n: found(n))


_of_bits("bit_count", lambda builder, n: builder.ctpop(n))
_of_bits("bit_length", lambda builder, n: builder.sub(ir.Constant(n.type, 64), builder.ctlz(n, ir.Constant(ir.IntType(1), 0))))


# whole numbers made of floats --------------------------------------------------------------------------------------------------


def _conversion(round_first: str) -> Any:
    """int(x), math.floor(x) and the like; `round_first` is the machine's name for what is done before the fraction is dropped."""

    @intrinsic(prefer_literal=True)
    def converted(typing, x, certain, place):
        number, limit = _literal(place), BEYOND if _literal(certain) else EXACT
        if is_whole(x):
            return signature(types.int64, types.int64, certain, place), lambda context, builder, sig, values: values[0]
        if not is_float(x):
            raise Refused(f"a whole number can't be made of {types.unliteral(x)}")

        def code(context, builder, sig, values):
            emitter = _Emitter(context, builder, number)
            x = values[0]
            if round_first:
                x = builder.call(builder.module.declare_intrinsic(round_first, [ir.DoubleType()]), [x])
            fits = builder.fcmp_ordered("<", emitter.size(x), emitter.number(limit))
            emitter.stop_if(builder.not_(fits), NOT_WHOLE if limit == BEYOND else MIXED)
            return builder.fptosi(x, ir.IntType(64))

        return signature(types.int64, types.float64, certain, place), code

    return converted


to_int = _conversion("")
trunc = to_int
floor = _conversion("llvm.floor")
ceil = _conversion("llvm.ceil")
to_round = _conversion("llvm.rint")


@intrinsic(prefer_literal=True)
def as_state(typing, value, wanted, place):
    """The named tuple with truth values as the numbers that they are, so that all states are of one type; if it is a state, of the class
    `wanted`, with whole numbers as fields."""
    number = _literal(place)
    if not isinstance(value, types.BaseNamedTuple):
        raise Refused("_replace works on named tuples")
    is_state = value.instance_class is wanted.instance_class

    def code(context, builder, sig, values):
        return _fields(_Emitter(context, builder, number), value, values[0], is_state)

    return signature(_fields_type(value, is_state), value, wanted, place), code


def _fields_type(kind: Any, is_state: bool) -> Any:
    if isinstance(kind, types.BaseTuple):
        cls = getattr(kind, "instance_class", None) if isinstance(kind, types.BaseNamedTuple) else None
        return types.BaseTuple.from_types([_fields_type(k, is_state) for k in kind], cls)
    return types.int64 if is_whole(kind) or (is_state and is_float(kind)) else kind


def _fields(emitter: _Emitter, kind: Any, value: Any, is_state: bool) -> Any:
    context, builder = emitter.context, emitter.builder
    if isinstance(kind, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value, len(kind))
        made = [_fields(emitter, k, v, is_state) for k, v in zip(kind, parts, strict=True)]
        return context.make_tuple(builder, _fields_type(kind, is_state), made)
    if is_whole(kind):
        return context.cast(builder, value, kind, types.int64)
    if is_state and is_float(kind):
        value = context.cast(builder, value, kind, types.float64)
        cut = builder.call(builder.module.declare_intrinsic("llvm.trunc", [ir.DoubleType()]), [value])
        fits = builder.fcmp_ordered("<", emitter.size(value), emitter.number(EXACT))
        emitter.stop_if(builder.not_(builder.and_(fits, builder.fcmp_ordered("==", value, cut))), NO_FIELD)
        return builder.fptosi(value, ir.IntType(64))
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


@intrinsic
def narrow(typing, x):
    """A number that fits 32 bits, in a form from which the compiler knows it."""

    def code(context, builder, sig, values):
        return builder.sext(builder.trunc(values[0], ir.IntType(32)), ir.IntType(64))

    return types.int64(types.int64), code


# comparisons -----------------------------------------------------------------------------------------------------------------


def _order(whole, x):
    """-1, 0 or 1 as a whole number is below, equal to or above a float; 2 if that is no number."""
    rough = float(whole)
    if rough < x:
        return -1
    if rough > x:
        return 1
    if rough != x:
        return 2
    if x >= 9223372036854775808.0:
        return -1
    rest = whole - int(x)
    return (rest > 0) - (rest < 0)


SIGNS = {"eq": (0,), "ne": (-1, 1, 2), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (0, 1)}


def _mixes(a: Any, b: Any) -> bool:
    """Whether whole numbers would be compared with floats inside of two values."""
    if is_whole(a) and is_float(b) or is_float(a) and is_whole(b):
        return True
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        return any(_mixes(x, y) for x, y in zip(a, b, strict=False))
    inner = [getattr(k, "dtype", None) for k in (a, b)]
    return None not in inner and not are_numbers(a) and not are_numbers(b) and _mixes(*inner)


def _comparison(name: str) -> Any:
    function = getattr(operator, name)

    @intrinsic(prefer_literal=True)
    def comparison(typing, a, b, certain, place):
        number, sure = _literal(place), _literal(certain)
        may_be_none = name in ("eq", "ne") and (bare(a) is not a or bare(b) is not b)
        if may_be_none or not are_numbers(a, b):
            if may_be_none and _mixes(a, b):
                raise Refused("what may be None is compared with another kind of number: ask whether it `is None` first")
            if _mixes(a, b):
                raise Refused("whole numbers are compared with floats inside of tuples or lists: compare them one by one")
            found, write = _plain(typing, function, (a, b))
            if found is None:
                return None
            return signature(found.return_type, *found.args, certain, place), lambda c, builder, s, v: write(c, builder, v[:2])
        kinds = [types.int64 if is_whole(k) else types.float64 for k in (a, b)]
        _, write = _plain(typing, function, tuple(kinds))

        def code(context, builder, sig, values):
            emitter = _Emitter(context, builder, number)
            far = [emitter.is_far(v) for i, v in enumerate(values[:2]) if is_float(kinds[i]) and not sure >> i & 1]
            if far and kinds != [types.int64, types.int64]:
                emitter.stop_if(emitter.any_of(far), MIXED)
            if kinds[0] == kinds[1]:
                return write(context, builder, values[:2])
            turned = is_float(kinds[0])
            pair = [values[1], values[0]] if turned else values[:2]
            order = context.compile_internal(builder, _order, types.int64(types.int64, types.float64), pair)
            signs = [-s if turned and s != 2 else s for s in SIGNS[name]]
            return emitter.any_of([builder.icmp_signed("==", order, ir.Constant(order.type, s)) for s in signs])

        return signature(types.boolean, *kinds, certain, place), code

    return comparison


eq, ne, lt, le, gt, ge = map(_comparison, ("eq", "ne", "lt", "le", "gt", "ge"))


@intrinsic(prefer_literal=True)
def contains(typing, items, x, place):
    """x in items"""
    number = _literal(place)
    found, write = _plain(typing, operator.contains, (items, types.unliteral(x)))
    if found is None:
        return None
    if isinstance(items, types.Set | types.DictType) and (why := loss(x, getattr(items, "key_type", None) or items.dtype)):
        raise Refused(why)
    if bare(x) is not x and not (is_whole(x) and _only_whole(items)):
        raise Refused("what may be None is looked for: ask whether it `is None` first")
    if any(_mixes(x, k) for k in (items if isinstance(items, types.BaseTuple) else [getattr(items, "dtype", None)]) if not is_number(k)):
        raise Refused("whole numbers are compared with floats inside of tuples or lists: compare them one by one")

    def code(context, builder, sig, values):
        emitter = _Emitter(context, builder, number)
        if is_whole(sig.args[1]):
            if not _only_whole(items):
                emitter.stop_if(emitter.is_far_whole(context.cast(builder, values[1], sig.args[1], types.int64)), MIXED)
        elif is_float(sig.args[1]):
            emitter.stop_if(emitter.is_far(values[1]), MIXED)
        return write(context, builder, values[:2])

    return signature(found.return_type, *found.args, place), code


def _only_whole(items: Any) -> bool:
    if isinstance(items, types.BaseTuple):
        return all(is_whole(k) for k in items)
    return is_whole(getattr(items, "dtype", getattr(items, "key_type", None)))


# sums, functions of `math`, loops ------------------------------------------------------------------------------------------


def total(items, start, place):
    """sum(items, start)"""
    return builtins.sum(items, start)


@overload(total, prefer_literal=True)
def _total(items, start, place):
    number = _literal(place)
    if isinstance(items, types.BaseTuple):
        text = "start"
        for i in range(len(items)):
            text = f"add({text}, items[{i}], {number})"
        lines = ["def implementation(items, start, place):", f"    return {text}"]
    else:
        of_float = is_float(getattr(items, "dtype", None))
        lines = [
            "def implementation(items, start, place):",
            f"    result = {'1.0 * ' if of_float else ''}start",
            "    for item in items:",
            f"        result = add(result, item, {number})",
            "    return result",
        ]
    scope: dict[str, Any] = {"add": add}
    exec("\n".join(lines), scope)
    return scope["implementation"]


@cache
def of_math(name: str) -> Any:
    """A function of `math` of one number, or of two, that gives a float."""
    function = getattr(math, name)

    def typed(typing: Any, kinds: tuple[Any, ...], place: Any) -> Any:
        number = _literal(place)
        found, write = _plain(typing, function, (types.float64,) * len(kinds))
        if found is None or not are_numbers(*kinds):
            return None

        def code(context, builder, sig, values):
            emitter = _Emitter(context, builder, number)
            result = write(context, builder, values[:-1])
            emitter.stop_if(emitter.undefined(result, values[:-1]), UNDEFINED)
            if name in ("atan2", "copysign"):  # a whole number that is kept as a float has no sign at zero
                emitter.stop_if(emitter.any_of([emitter.is_minus_zero(v) for v in values[:-1]]), MINUS_ZERO)
            return result

        return signature(types.float64, *(types.float64 for _ in kinds), place), code

    @intrinsic(prefer_literal=True)
    def of_one(typing, x, place):
        return typed(typing, (x,), place)

    @intrinsic(prefer_literal=True)
    def of_two(typing, x, y, place):
        return typed(typing, (x, y), place)

    return of_two if name in ("atan2", "copysign", "hypot", "pow") else of_one


@intrinsic(prefer_literal=True)
def step(typing, count, most, place):
    """One more step of a loop, or one more call inside another one, of at most so many."""
    number, limit, why = _literal(place), abs(_literal(most)), DEEP if _literal(most) < 0 else ENDLESS

    def code(context, builder, sig, values):
        emitter = _Emitter(context, builder, number)
        emitter.stop_if(builder.icmp_signed(">=", values[0], ir.Constant(values[0].type, limit)), why)
        return builder.add(values[0], ir.Constant(values[0].type, 1))

    return signature(types.int64, types.int64, most, place), code
