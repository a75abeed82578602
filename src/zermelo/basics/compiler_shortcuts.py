"""Methods of numba's compiler that take much of its time, replaced by shorter ones that find the same. `lazily` holds only for functions
that are compiled by ours (code_on_demand.py), the others for all."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import ir
from numba.core.base import BaseContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime.context import NRTContext
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import Function
from numba.core.typing.context import BaseContext as TypingContext

# Options --------------------------------------------------------------------------------------------------------------


def _same_options(self: TargetConfig, other: object) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    if type(self) is not type(other):
        return self.values() == other.values()
    return self._values == other._values or all(getattr(self, name) == getattr(other, name) for name in {*self._values, *other._values})


# The same as numba's own methods, which read each of 22 options again, tens of thousands of times. These read only those that were set.
TargetConfig.__eq__ = _same_options
TargetConfig.__hash__ = lambda self: hash(tuple(sorted(self.options)))


# Operators ------------------------------------------------------------------------------------------------------------


def _call_type(self: Function, context: Any, args: Any, kws: Any) -> Any:
    if kws or not all(type(a) in NUMBERS for a in args):
        return _call_type_of_numba(self, context, args, kws)
    known, key = vars(self).setdefault("_of_numbers", {}), (id(context), args)
    if key not in known:
        known[key] = _call_type_of_numba(self, context, args, kws)
    return known[key]


# numba looks for an operator's code among all that it has, much of it for arrays, whenever two numbers are added or compared.
NUMBERS = (types.Integer, types.Float, types.Boolean, types.IntegerLiteral)
_call_type_of_numba = Function.get_call_type
Function.get_call_type = _call_type  # type: ignore[assignment, method-assign]


# Declarations ---------------------------------------------------------------------------------------------------------


def _declared(context: Any) -> int:
    """How many declarations are in the registries that a context reads."""
    return sum(len(getattr(registry, name)) for registry, loader in context._registries.items() for name in loader.registry_items)


def _read_new(self: Any) -> None:
    read = _read_types if isinstance(self, TypingContext) else _read_code
    if vars(self).get("_read") != _declared(self):
        read(self)
        self._read = _declared(self)
    elif read is _read_code:
        self.typing_context.refresh()


# numba looks for new ones, and imports dozens of modules again, at every call of a function.
_read_types, _read_code = TypingContext.refresh, BaseContext.refresh
TypingContext.refresh = BaseContext.refresh = _read_new


# References -----------------------------------------------------------------------------------------------------------


def _counted(self: NRTContext, builder: Any, kind: types.Type, value: Any) -> list[tuple[types.Type, Any]]:
    model = self._context.data_model_manager[kind]
    found = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    if parts := _counted_parts(self, kind, model):
        members = model.traverse(builder)
        for k in parts:
            inner, part = members[k]
            found += _counted(self, builder, inner, part(value))
    return found


def _counted_parts(context: NRTContext, kind: types.Type, model: Any) -> list[int]:
    """Which parts of such a value have references that are counted, in themselves or in their parts."""
    known = vars(model).get("_counted_parts")
    if known is None:
        known = model._counted_parts = []
        for k, (inner, _) in enumerate(model.traverse(None)):
            of_inner = context._context.data_model_manager[inner]
            if of_inner.has_nrt_meminfo() or _counted_parts(context, inner, of_inner):
                known.append(k)
    return known


# Of every part of a value numba takes all parts, down to single numbers, only to see whether they are such: that is most of its code, as
# kernels pass on dozens of arrays in tuples. All but the counted ones are removed again when that code is optimised.
_counted_of_numba = NRTContext.get_meminfos
NRTContext.get_meminfos = _counted


# Variables ------------------------------------------------------------------------------------------------------------


def _variables(self: ir.Inst, parts: Any) -> list[ir.Var]:
    kind = type(parts)
    if kind is dict:
        parts = parts.values()
    elif kind is not list and kind is not tuple:
        return _variables_of_numba(self, parts)
    found = []
    for part in parts:
        kind = type(part)
        if kind is ir.Var:
            found.append(part)
        elif kind not in WITHOUT_VARIABLES:
            found += self._rec_list_vars(part)
    return found


# The variables of an instruction are asked for again and again, and most of its parts are none and contain none.
WITHOUT_VARIABLES = frozenset([ir.Arg, ir.Const, ir.FreeVar, ir.Global, ir.Loc, bool, float, int, str, type(None)])
_variables_of_numba = ir.Inst._rec_list_vars
ir.Inst._rec_list_vars = _variables


def lazily(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """`PostProcessor.run`, with which numba follows the variables of a function after every pass that may have changed it. In a function
    that yields nothing nobody asks for all that: what is asked for is computed then."""
    function = self.func_ir
    if emit_dels or function.is_generator:
        all_at_once(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime, function.generator_info = VariableLifetime(function.blocks), None


all_at_once = PostProcessor.run
