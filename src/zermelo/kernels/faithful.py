"""A compiler that refuses silent conversions of floats to whole numbers, and of whole numbers to floats that can't hold them.

numba does so where a float is put into a list of whole numbers (`items[0] = 0.5` stores 0), looked for in a set of them (`1.5 in {1, 2}`),
or given to one of its functions that takes whole numbers; and it makes truth values of numbers in the same way. Python keeps the float.
Which types meet is known when all types have been found, before any machine code is made: there such rules are refused.

A whole number becomes a float where it is assigned to a variable that is a float on another path, returned beside floats, or put into
a list, set or dictionary of floats. Python keeps it, and below 2^53 the two can't be distinguished; from there on machine code stops.
(Operands of arithmetic are converted in Python, too.)
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import inline_closurecall, ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.errors import NumbaTypeSafetyWarning, TypingError
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes

from zermelo.kernels.stopped import TOLD, TOO_LARGE, Stopped

warnings.filterwarnings("ignore", category=NumbaTypeSafetyWarning, module=".*rules_[0-9a-f]{32}")  # refused here instead
LOST = "a float is put, or looked for, among whole numbers: write these as floats (0.0), or the float as a whole number (int(x))"
LOST_TRUTH = "a number is put, or looked for, among truth values: write these as numbers (0)"
MIXED = "a whole number is looked for among floats: write float(n)"
JOINED = "a list of whole numbers is joined to a list of floats: write `float(...)` in the first"
LOOKS = ("index", "count", "remove", "discard")  # methods of lists and sets that compare
PLACED = ("insert", "pop")  # of which the first argument is a place


class Refused(TypingError):
    """The compiler refuses rules, with a reason in their words."""

    def __init__(self, why: str, loc: Any = None):
        super().__init__(why if TOLD in why else TOLD + why, loc)


def loss(given: Any, wanted: Any) -> str:
    """What is lost where a value of one type is taken for another one; "" if nothing is."""
    given, wanted = (types.unliteral(k) for k in (given, wanted))
    if isinstance(wanted, types.Boolean) and isinstance(given, types.Integer | types.Float) and not isinstance(given, types.Boolean):
        return LOST_TRUTH
    if isinstance(wanted, types.Integer | types.Boolean) and isinstance(given, types.Float):
        return LOST
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        return _first(loss(*pair) for pair in zip(given, wanted, strict=False))
    if isinstance(given, types.List | types.Set) and isinstance(wanted, types.List | types.Set):
        return loss(given.dtype, wanted.dtype)
    if isinstance(given, types.DictType) and isinstance(wanted, types.DictType):
        return loss(given.key_type, wanted.key_type) or loss(given.value_type, wanted.value_type)
    return ""


def mixed(given: Any, wanted: Any) -> str:
    """What is wrong with looking for a value among others: beyond 2^53 a whole number might be taken for a float near it."""
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        return _first(mixed(*pair) for pair in zip(given, wanted, strict=False))
    is_small = isinstance(given, types.IntegerLiteral) and abs(given.literal_value) < 2**53
    is_far = isinstance(types.unliteral(given), types.Integer) and isinstance(wanted, types.Float) and not is_small
    return loss(given, wanted) or MIXED * is_far


def _first(reasons: Iterable[str]) -> str:
    return next(filter(None, reasons), "")


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseLoss(FunctionPass):
    _name = "zermelo_refuse_loss"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                why = _first(_faults(statement, state.typemap, state.calltypes))
                if why:
                    raise Refused(why, loc=statement.loc)
        return False


def _faults(statement: Any, typemap: Any, calltypes: Any) -> Iterator[str]:
    """What is wrong with the types that a statement hands over, given those that are expected there."""
    asked = statement.value if isinstance(statement, ir.Assign) else statement
    found = calltypes.get(asked) if isinstance(asked, ir.Expr | ir.SetItem | ir.StaticSetItem | ir.DelItem) else None
    if found is None or not hasattr(found, "args"):
        return

    def kind(variable: Any) -> Any:
        return typemap[variable.name]

    def given_key(container: Any, key: Any) -> str:
        return mixed(kind(key), container.key_type) if isinstance(container, types.DictType) else loss(kind(key), found.args[1])

    if isinstance(asked, ir.SetItem | ir.StaticSetItem):
        container = kind(asked.target)
        wanted = container.value_type if isinstance(container, types.DictType) else found.args[-1]
        yield loss(kind(asked.value), wanted)
    if isinstance(asked, ir.SetItem | ir.DelItem):
        yield given_key(kind(asked.target), asked.index)
    if not isinstance(asked, ir.Expr):
        return
    if isinstance(found.return_type, types.List) and isinstance(statement, ir.Assign):  # later a float is put into it
        yield loss(kind(statement.target), found.return_type)
    if asked.op == "getitem":
        yield given_key(kind(asked.value), asked.index)
    if asked.op in ("binop", "inplace_binop"):
        left, right = map(kind, (asked.lhs, asked.rhs))
        yield from map(loss, (left, right), found.args)
        if isinstance(left, types.List) and isinstance(right, types.List):
            yield JOINED * bool(mixed(left.dtype, right.dtype) or mixed(right.dtype, left.dtype))
    if asked.op == "call":
        given = [kind(v) for v in (*asked.args, *(value for _, value in asked.kws))]
        if len(given) == len(found.args):
            yield from map(loss, given, found.args)
        if isinstance(kind(asked.func), types.BoundFunction):
            yield loss(found.recvr, kind(asked.func).this)
            yield from _of_method(kind(asked.func).this, _method_name(kind(asked.func)), given)


def _method_name(method: Any) -> str:
    key = method.key[0]
    return str(key[-1] if isinstance(key, tuple) else key).rpartition(".")[2]


def _of_method(container: Any, method: str, given: list[Any]) -> Iterator[str]:
    """The same for a method of a list, set or dictionary."""
    if isinstance(container, types.BaseTuple) and method in LOOKS:
        yield from (mixed(argument, item) for argument in given for item in container)
    if isinstance(container, types.List | types.Set):
        for argument in given[method in PLACED :]:
            is_other = isinstance(argument, types.List | types.Set)
            inner = argument.dtype if is_other else argument
            yield mixed(inner, container.dtype) if method in LOOKS else loss(inner, container.dtype)
    if isinstance(container, types.DictType):
        for argument, wanted, judge in zip(given, (container.key_type, container.value_type), (mixed, loss), strict=False):
            yield loss(argument, container) if isinstance(argument, types.DictType) else judge(argument, wanted)


EXACT = 2**53
CONTAINERS = (types.List, types.Set, types.DictType)


class _Context(CPUContext):
    """A compiler's context of one function; while it is `watched`, a whole number that becomes a float must be one that floats hold."""

    watched = False

    @contextmanager
    def watching(self, is_watched: bool) -> Iterator[None]:
        before, self.watched = self.watched, is_watched
        try:
            yield
        finally:
            self.watched = before

    def cast(self, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
        if self.watched and isinstance(given, types.Integer) and given.bitwidth == 64 and isinstance(wanted, types.Float):
            compare = builder.icmp_signed if given.signed else builder.icmp_unsigned
            wrong = compare(">=", value, llvm.Constant(value.type, EXACT))
            if given.signed:
                wrong = builder.or_(wrong, compare("<=", value, llvm.Constant(value.type, -EXACT)))
            with builder.if_then(wrong, likely=False):
                self.call_conv.return_user_exc(builder, Stopped, (self.fndesc.qualname.rpartition(".")[2], TOO_LARGE))
        return super().cast(builder, value, given, wanted)


class _Lower(Lower):
    """Writes machine code, and watches statements that keep a number in the form of others."""

    def init(self) -> None:
        super().init()
        self.context.__class__ = _Context  # a copy of its own

    def lower_inst(self, inst: Any) -> None:
        is_set = isinstance(inst, ir.SetItem | ir.StaticSetItem)
        with self.context.watching(is_set):
            container = self.typeof(inst.target.name) if is_set else None
            if isinstance(container, types.DictType):
                self._watch(inst.value, container.value_type)
            super().lower_inst(inst)

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        with self.context.watching(isinstance(inst.value, ir.Var)):
            return super().lower_assign(ty, inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        with self.context.watching(self._keeps(expr)):
            for variable, wanted in self._given(resty, expr):
                self._watch(variable, wanted)
            return super().lower_expr(resty, expr)

    def _given(self, resty: Any, expr: Any) -> Iterator[tuple[Any, Any]]:
        """What is passed to functions of dictionaries, and to max and min, which convert it without a check."""
        if expr.op == "build_map":
            for key, value in expr.items:
                yield key, resty.key_type
                yield value, resty.value_type
        if expr.op == "call":
            called = self.typeof(expr.func.name)
            if isinstance(called, types.BoundFunction) and isinstance(called.this, types.DictType):
                yield from ((argument, called.this.value_type) for argument in expr.args[1:])
            if isinstance(called, types.Function) and called.typing_key in (max, min):
                yield from ((argument, resty) for argument in expr.args)

    def _watch(self, variable: Any, wanted: Any) -> None:
        """Stop if a whole number that becomes a float is too large for that."""
        given, value = self.typeof(variable.name), self.loadvar(variable.name)
        pairs = [(given, value)]
        if isinstance(given, types.BaseTuple) and not isinstance(wanted, types.BaseTuple):
            pairs = [(item, self.builder.extract_value(value, i)) for i, item in enumerate(given)]
        for one, number in pairs:
            if mixed(one, wanted):
                with self.context.watching(True):
                    self.context.cast(self.builder, number, one, wanted)

    def _keeps(self, expr: Any) -> bool:
        if expr.op == "call":
            called = self.typeof(expr.func.name)
            return isinstance(called, types.BoundFunction) and isinstance(called.this, CONTAINERS)
        return expr.op in ("cast", "build_list", "build_set", "build_map", "build_tuple")


@register_pass(mutates_CFG=True, analysis_only=False)
class _WriteFaithfully(BaseNativeLowering):
    _name = "zermelo_write_faithfully"

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


FORGOTTEN = (ir.Const, ir.Global, ir.FreeVar, ir.Var)  # what is assigned to a variable that nobody uses, without any effect


def _forget_functions(function: Any) -> None:
    """Leave out inner functions and comprehensions that have been written where they are called."""
    blocks = function.blocks.values()
    while True:
        used = {v.name for b in blocks for s in b.body if not isinstance(s, ir.Del) for v in _used(s)}
        left = [[s for s in b.body if not _is_idle(s) or s.target.name in used] for b in blocks]
        if all(len(body) == len(b.body) for body, b in zip(left, blocks, strict=True)):
            return
        for body, block in zip(left, blocks, strict=True):
            block.body = body


def _used(statement: Any) -> list[Any]:
    found = statement.list_vars()
    if isinstance(statement, ir.Assign):
        found.remove(statement.target)  # once: it may be used, too
    return list(found)


def _is_idle(statement: Any) -> bool:
    value = getattr(statement, "value", None) if isinstance(statement, ir.Assign) else None
    return isinstance(value, FORGOTTEN) or (isinstance(value, ir.Expr) and value.op in ("make_function", "build_tuple"))


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineFaithfully(InlineClosureLikes):
    """numba's pass, without what follows in functions with comprehensions or inner functions: whatever is put into a list that seems to be
    used no more is left out, although the list may be part of another one (`for row in grid: row[0] = 7`), and so are errors of indexes."""

    _name = "zermelo_inline_faithfully"

    def run_pass(self, state: Any) -> bool:
        before = inline_closurecall.dead_code_elimination
        inline_closurecall.dead_code_elimination = _forget_functions  # one thread at a time compiles
        try:
            return bool(super().run_pass(state))
        finally:
            inline_closurecall.dead_code_elimination = before


@register_pass(mutates_CFG=True, analysis_only=False)
class ForgetYields(FunctionPass):
    """Forget `yield`s that can't be reached, which numba has left out of the function, but not of its list of them."""

    _name = "zermelo_forget_yields"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        function = state.func_ir
        if not function.is_generator:
            return False
        left = sum(isinstance(s, ir.Assign) and isinstance(s.value, ir.Yield) for b in function.blocks.values() for s in b.body)
        if left == len(function.generator_info.yield_points):
            return False
        PostProcessor(function).run()
        return True


REPLACED = {NativeLowering: _WriteFaithfully, InlineClosureLikes: InlineFaithfully}


class Faithful(CompilerBase):
    """numba's compiler, with a check of the inferred types, and machine code that checks conversions."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(RefuseLoss, NopythonTypeInference)
        first = next(i for i, (made, _) in enumerate(passes.passes) if made is NopythonTypeInference)
        passes.passes.insert(first, (ForgetYields, "forget yields that can't be reached"))
        passes.passes = [(REPLACED.get(made, made), why) for made, why in passes.passes]
        passes.finalize()
        return [passes]
