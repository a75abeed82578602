"""Functions that compiled rules call where numba has no counterpart, or one that differs from Python."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload, overload_method, register_jitable

from zermelo.kernels.faithful import Refused
from zermelo.kernels.stopped import OTHER_LENGTH, UNKNOWN_LENGTH, Stopped

DISPLAYED = 30  # items of a tuple that Python's own compiler writes as such; it makes longer ones from a list


def replace_field(state: Any, name: str, value: Any) -> Any:
    """The named tuple `state` with the field `name` replaced."""
    return state._replace(**{name: value})


@overload(replace_field, prefer_literal=True)
def _replace_field(state: Any, name: Any, value: Any) -> Any:  # here the arguments are types
    if not isinstance(state, types.BaseNamedTuple) or not isinstance(name, types.StringLiteral):
        raise Refused("_replace works on named tuples")
    if name.literal_value not in state.fields:
        raise Refused(f"{state.instance_class.__name__} has no field {name.literal_value}")
    items = ", ".join("value" if f == name.literal_value else f"state[{i}]" for i, f in enumerate(state.fields))
    scope: dict[str, Any] = {"cls": state.instance_class, "Any": Any}
    exec(f"def implementation(state: Any, name: Any, value: Any) -> Any:\n    return cls({items})", scope)
    return scope["implementation"]


def replace_item(items: Any, i: int, value: Any) -> Any:
    """The tuple `items` with item i replaced."""
    return items[:i] + (value,) + items[i + 1 :]


@overload(replace_item)
def _replace_item(items: Any, i: Any, value: Any) -> Any:
    if not isinstance(items, types.BaseTuple):
        raise Refused("t[:i] + (x,) + t[i + 1:] works on tuples")
    if len(items) > DISPLAYED:
        return _replace_item_of_many(items, value)
    parts = "".join(
        f"value if k == {k} else items[{k}], " for k in range(len(items))
    )  # finds a type for both, as = would not
    lines = [
        "def implementation(items: Any, i: Any, value: Any) -> Any:",
        f"    k = place(i, {len(items)})",
        f"    return ({parts})",
    ]
    scope: dict[str, Any] = {"Any": Any, "place": place}
    exec("\n".join(lines), scope)
    return scope["implementation"]


@register_jitable
def place(i: int, count: int) -> int:
    """The item that `replace_item` replaces, from 0; with -1, or an i beyond the ends, the tuple would become longer."""
    k = i if i >= 0 else i + count
    if i == -1 or k < 0 or k >= count:
        raise IndexError("t[:i] + (x,) + t[i + 1:] with an i that makes t longer")
    return k


def _replace_item_of_many(items: Any, value: Any) -> Any:
    """The same for a long tuple: items are written to memory, and read again. The arguments are types."""
    if not isinstance(items, types.UniTuple) or items.dtype != types.int64 or not isinstance(value, types.Integer | types.Boolean):
        raise Refused(f"t[:i] + (x,) + t[i + 1:] with more than {DISPLAYED} items works on whole numbers")
    count = len(items)

    def implementation(items: Any, i: Any, value: Any) -> Any:
        return tuple_setitem(items, place(i, count), value)

    return implementation


def tuple_of(items: Any, n: int, place: int) -> Any:
    """The tuple of a list of n items, or of a tuple; n is 0 where it is not known."""
    return tuple(items)


@overload(tuple_of, prefer_literal=True)
def _tuple_of(items: Any, n: Any, place: Any) -> Any:
    if isinstance(items, types.BaseTuple) and not isinstance(items, types.BaseNamedTuple):

        def implementation(items: Any, n: Any, place: Any) -> Any:
            return items

        return implementation
    count = len(items) if isinstance(items, types.BaseTuple) else getattr(n, "literal_value", 0)
    if not count or not isinstance(items, types.List | types.BaseTuple):
        raise Refused(UNKNOWN_LENGTH)
    rows = [", ".join(f"items[{i}]" for i in range(k, min(k + DISPLAYED, count))) for k in range(0, count, DISPLAYED)]
    lines = [
        "def implementation(items: Any, n: Any, place: Any) -> Any:",
        f"    if len(items) != {count}:",
        f"        raise Stopped({getattr(place, 'literal_value', 0)}, OTHER_LENGTH)",
        f"    return {' + '.join(f'({row},)' for row in rows)}",
    ]
    scope: dict[str, Any] = {"Any": Any, "Stopped": Stopped, "OTHER_LENGTH": OTHER_LENGTH}
    exec("\n".join(lines), scope)
    return scope["implementation"]


def sorted_tuple(items: Any, reverse: bool, n: int, place: int) -> Any:
    """tuple(sorted(items, reverse=reverse)) of a tuple, or of a list of n items."""
    return tuple(sorted(items, reverse=reverse))


@overload(sorted_tuple, prefer_literal=True)
def _sorted_tuple(items: Any, reverse: Any, n: Any, place: Any) -> Any:
    count = len(items) if isinstance(items, types.BaseTuple) else getattr(n, "literal_value", 0)
    at = getattr(place, "literal_value", 0)

    def implementation(items: Any, reverse: Any, n: Any, place: Any) -> Any:
        return tuple_of(sorted(items, reverse=reverse), count, at)

    return implementation


def exactly(items: Any, n: int) -> Any:
    """The tuple, which must have n items."""
    return items


@overload(exactly, prefer_literal=True)
def _exactly(items: Any, n: Any) -> Any:
    if not isinstance(items, types.BaseTuple) or len(items) != getattr(n, "literal_value", None):
        raise Refused("a tuple made from another tuple must be made from a field of the state")

    def implementation(items: Any, n: Any) -> Any:
        return items

    return implementation


def only_a(value: Any, wanted: Any) -> Any:
    """The value, which must be a tuple of the class `wanted`."""
    return value


@overload(only_a)
def _only_a(value: Any, wanted: Any) -> Any:
    name = wanted.instance_class.__name__
    if not isinstance(value, types.BaseNamedTuple) or value.instance_class is not wanted.instance_class:
        raise Refused(f"this is a member of {name}, but here it is asked of something else: rename one of the two")

    def implementation(value: Any, wanted: Any) -> Any:
        return value

    return implementation


@intrinsic
def next_state(typingctx: Any, state: Any, none: Any) -> Any:
    """The state; `none`, a state that no layout holds, in place of what is none: Python then says what is wrong with it."""
    is_one = isinstance(state, types.Optional) or _is_like(state, none)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, values[0 if is_one else 1])

    return (state if is_one else none)(state, none), code


def _is_like(kind: Any, wanted: Any) -> bool:
    """Whether a value is a named tuple of this class, with whole numbers and tuples of as many whole numbers as fields."""
    if not isinstance(wanted, types.BaseTuple):
        return isinstance(kind, types.Integer | types.Boolean)
    if not isinstance(kind, types.BaseTuple) or len(kind) != len(wanted):
        return False
    is_state = isinstance(wanted, types.BaseNamedTuple)
    if is_state and getattr(kind, "instance_class", None) is not wanted.instance_class:
        return False
    return all(map(_is_like, kind, wanted))


def payoffs_of(paid: Any, count: int) -> Any:
    """A payoff (`count` 0), or a tuple of several, as floats; not-a-numbers in place of what is none."""
    return tuple(map(float, paid)) if count else (float(paid),)


@overload(payoffs_of, prefer_literal=True)
def _payoffs_of(paid: Any, count: Any) -> Any:
    several = count.literal_value
    is_number = isinstance(paid, types.Number | types.Boolean | types.Optional)
    parts = "".join(f"paid[{i}] * 1.0, " for i in range(several)) or "paid * 1.0, "
    if not (isinstance(paid, types.BaseTuple) and len(paid) == several if several else is_number):
        parts = "math.nan, " * (several or 1)
    scope: dict[str, Any] = {"Any": Any, "math": math}
    exec(f"def implementation(paid: Any, count: Any) -> Any:\n    return ({parts})", scope)
    return scope["implementation"]


def in_order(items: Any, key: Any, reverse: Any) -> Any:
    """sorted(items, key=key, reverse=reverse), where the compiler's own does not keep the order of items with equal keys."""
    return sorted(items, key=key, reverse=reverse)


@overload(in_order)
def _in_order(items: Any, key: Any, reverse: Any) -> Any:
    def implementation(items: Any, key: Any, reverse: Any) -> Any:
        found = list(items)
        marks = [key(item) for item in found]
        for i in range(1, len(found)):
            item, mark, at = found[i], marks[i], i
            while at > 0 and (marks[at - 1] < mark if reverse else mark < marks[at - 1]):
                found[at], marks[at] = found[at - 1], marks[at - 1]
                at -= 1
            found[at], marks[at] = item, mark
        return found

    return implementation


def put_in_order(items: Any, key: Any, reverse: Any) -> None:
    """items.sort(key=key, reverse=reverse), likewise."""
    items.sort(key=key, reverse=reverse)


@overload(put_in_order)
def _put_in_order(items: Any, key: Any, reverse: Any) -> Any:
    def implementation(items: Any, key: Any, reverse: Any) -> None:
        items[:] = in_order(items, key, reverse)

    return implementation if isinstance(items, types.List) else None


def second(first: Any, value: Any) -> Any:
    """The second of two values, the first being there to be typed."""
    return value


@overload(second)
def _second(first: Any, value: Any) -> Any:
    def implementation(first: Any, value: Any) -> Any:
        return value

    return implementation


def constant_of(value: Any, name: str, wanted: Any, constant: Any) -> Any:
    """`value.name`, which is `constant` if the value is a tuple of the class `wanted`."""
    return getattr(value, name)


@overload(constant_of, prefer_literal=True)
def _constant_of(value: Any, name: Any, wanted: Any, constant: Any) -> Any:
    is_wanted = isinstance(value, types.BaseNamedTuple) and value.instance_class is wanted.instance_class
    answer = "constant" if is_wanted else f"value.{name.literal_value}"
    scope: dict[str, Any] = {"Any": Any}
    exec(f"def implementation(value: Any, name: Any, wanted: Any, constant: Any) -> Any:\n    return {answer}", scope)
    return scope["implementation"]


def whole(number: Any) -> int:
    """The number, which must be a whole one."""
    return int(number)


@overload(whole)
def _whole(number: Any) -> Any:
    def implementation(number: Any) -> Any:
        found = np.int64(number)
        if found != number:
            raise ValueError("an action, or what a player sees, must be a whole number")
        return found

    return implementation


def numbers_of(action: Any) -> Any:
    """The numbers of an action, as a tuple of whole numbers."""
    return action if isinstance(action, tuple) else (action,)


@overload(numbers_of)
def _numbers_of(action: Any) -> Any:
    count = len(action) if isinstance(action, types.BaseTuple) else 0
    items = "".join(f"whole(action[{i}]), " for i in range(count)) or "whole(action),"
    scope: dict[str, Any] = {"Any": Any, "whole": whole}
    exec(f"def implementation(action: Any) -> Any:\n    return ({items})", scope)
    return scope["implementation"]


TABULATED = 61
BINOMIALS = np.array([[math.comb(n, k) for k in range(TABULATED + 1)] for n in range(TABULATED + 1)], np.int64)


@overload(math.comb)
def _comb(n: Any, k: Any) -> Any:
    if not (isinstance(n, types.Integer) and isinstance(k, types.Integer)):
        return None

    def implementation(n: Any, k: Any) -> Any:
        if n < 0 or k < 0:
            raise ValueError("comb(n, k) of a negative number")
        if n <= TABULATED:
            return BINOMIALS[n, k] if k <= n else 0
        result = 1
        for i in range(min(k, n - k)):
            common = math.gcd(result, i + 1)
            factor = (n - i) // ((i + 1) // common)
            result //= common
            if result > (1 << 62) // max(factor, 1):
                raise OverflowError("comb(n, k) beyond 2^62")
            result *= factor
        return result if k <= n else 0

    return implementation


def gcd(a: int, b: int) -> int:
    """math.gcd(a, b)"""
    return math.gcd(a, b)


@overload(gcd)
def _gcd(a: Any, b: Any) -> Any:
    def implementation(a: Any, b: Any) -> Any:
        common = math.gcd(a, b)
        if common < 0:
            raise OverflowError("gcd(a, b) is 2^63")
        return common

    return implementation


def never() -> bool:
    """False, which the compiler does not know while it finds out types."""
    return False


@overload(never)
def _never() -> Any:
    return lambda: False


def unchanged(value: Any) -> Any:
    """The value, without what the compiler knows of it beyond its type."""
    return value


@overload(unchanged)
def _unchanged(value: Any) -> Any:
    def implementation(value: Any) -> Any:
        return value

    return implementation


# dictionaries ---------------------------------------------------------------------------------------------------------------------


def kept(items: Any) -> Any:
    """What a loop that yields goes through: of a dictionary a list. The compiler's own iterator of one lies on the stack, which is another
    one when a generator goes on."""
    return items


@overload(kept)
def _kept(items: Any) -> Any:
    of_dictionary = types.DictType, types.DictItemsIterableType, types.DictKeysIterableType, types.DictValuesIterableType
    is_one = isinstance(items, of_dictionary)

    def listed(items: Any) -> Any:
        return [item for item in items]  # noqa: C416

    def itself(items: Any) -> Any:
        return items

    return listed if is_one else itself


def dictionary_size(items: Any) -> int:
    """The length of a dictionary, which must not change while a loop goes through it; 0 for anything else."""
    return len(items) if isinstance(items, dict) else 0


@overload(dictionary_size)
def _dictionary_size(items: Any) -> Any:
    is_one = isinstance(items, types.DictType)

    def size(items: Any) -> int:
        return len(items)

    def nothing(items: Any) -> int:
        return 0

    return size if is_one else nothing


# constant dictionaries and sets --------------------------------------------------------------------------------------------------


def place_of(keys: Any, key: Any) -> int:
    """Where a key is among keys in ascending order; -1 if it is not one of them."""
    return next((i for i, known in enumerate(keys.tolist()) if known == (list(key) if isinstance(key, tuple) else key)), -1)


@overload(place_of)
def _place_of(keys: Any, key: Any) -> Any:
    is_one = isinstance(key, types.Integer | types.Boolean) and keys.ndim == 1
    are_whole = isinstance(key, types.BaseTuple) and all(isinstance(item, types.Integer | types.Boolean) for item in key)
    if not is_one and not (are_whole and keys.ndim == 2):
        raise Refused("the keys of this dictionary, or what is in this set, are whole numbers or tuples of them: ask for such")
    if keys.ndim == 1:

        def implementation(keys: Any, key: Any) -> Any:
            at = np.searchsorted(keys, np.int64(key))
            return at if at < len(keys) and keys[at] == key else -1

        return implementation
    tests = " and ".join(f"keys[i, {k}] == key[{k}]" for k in range(len(key)))
    lines = [
        "def implementation(keys: Any, key: Any) -> Any:",
        f"    for i in range(len(keys) if keys.shape[1] == {len(key)} else 0):",
        f"        if {tests or 'False'}:",
        "            return i",
        "    return -1",
    ]
    scope: dict[str, Any] = {"Any": Any}
    exec("\n".join(lines), scope)
    return scope["implementation"]


# items ---------------------------------------------------------------------------------------------------------------------------


@overload_method(types.UniTuple, "count")
def _tuple_count(items: Any, x: Any) -> Any:
    def implementation(items: Any, x: Any) -> int:
        total = 0
        for item in items:
            if item == x:
                total += 1
        return total

    return implementation


@overload(operator.getitem)
def _item_by_truth(items: Any, i: Any) -> Any:
    if isinstance(i, types.Boolean) and isinstance(items, types.UniTuple | types.List | types.UnicodeType | types.RangeType | types.Array):

        def implementation(items: Any, i: Any) -> Any:
            return items[int(i)]

        return implementation
    return None


@overload(operator.setitem)
def _put_by_truth(items: Any, i: Any, value: Any) -> Any:
    if isinstance(i, types.Boolean) and isinstance(items, types.List):

        def implementation(items: Any, i: Any, value: Any) -> Any:
            items[int(i)] = value

        return implementation
    return None


@overload(operator.getitem)
def _item_of_range(items: Any, i: Any) -> Any:
    if not isinstance(items, types.RangeType) or not isinstance(i, types.Integer):
        return None

    def implementation(items: Any, i: Any) -> Any:
        count = len(items)
        at = i + count if i < 0 else i
        if at < 0 or at >= count:
            raise IndexError("range object index out of range")
        return items.start + at * items.step

    return implementation


# pow(a, b, c) --------------------------------------------------------------------------------------------------------------------

ZERO, ONE, HALF = np.uint64(0), np.uint64(1), np.uint64(1 << 32)


@register_jitable
def _size(x: Any) -> Any:
    return np.uint64(x) if x >= 0 else ZERO - np.uint64(x)


@register_jitable
def _product(a: Any, b: Any, size: Any) -> Any:
    """a * b modulo `size`, of numbers below it."""
    if a < HALF and b < HALF:
        return (a * b) % size
    total = ZERO
    while b > ZERO:
        if b & ONE:
            total = (total + a) % size
        a = (a + a) % size
        b = b >> ONE
    return total


@register_jitable
def _inverse(x: Any, size: Any) -> Any:
    r, next_r, t, next_t = size, x, ZERO, ONE
    while next_r > ZERO:
        q = r // next_r
        r, next_r = next_r, r - q * next_r
        t, next_t = next_t, (t + size - _product(q % size, next_t, size)) % size
    if r != ONE:
        raise ValueError("base is not invertible for the given modulus")
    return t


def power_modulo(base: Any, exponent: Any, modulus: Any) -> Any:
    """pow(base, exponent, modulus)"""
    return pow(base, exponent, modulus)


@overload(power_modulo)
def _power_modulo(base: Any, exponent: Any, modulus: Any) -> Any:
    if not all(isinstance(kind, types.Integer | types.Boolean) for kind in (base, exponent, modulus)):
        raise Refused("pow(a, b, c) works on whole numbers")

    def implementation(base: Any, exponent: Any, modulus: Any) -> Any:
        b, e, m = np.int64(base), np.int64(exponent), np.int64(modulus)
        if m == 0:
            raise ValueError("pow() 3rd argument cannot be 0")
        size = _size(m)
        if size == ONE:
            return np.int64(0)
        x = _size(b) % size
        if b < 0 and x > ZERO:
            x = size - x
        if e < 0:
            x = _inverse(x, size)
        left, result = _size(e), ONE
        while left > ZERO:
            if left & ONE:
                result = _product(result, x, size)
            x = _product(x, x, size)
            left = left >> ONE
        if m < 0 and result > ZERO:
            result = result - size
        return np.int64(result)

    return implementation
