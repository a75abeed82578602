"""Machine code for numba's functions made on demand, and not as soon as they are compiled; and other work that numba does without need.

A function called only by compiled functions becomes a part of each of them: their machine code contains a copy of it, optimised there
again. Its own machine code is never run, and making it takes a quarter of the time of compiling. Inside `on_demand` it is not made, unless
its address is requested. So a function that is compiled because another one calls it can't be called by Python yet: `finished` makes what
Python calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import create_new_function_pass_manager, ffi
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from zermelo.basics.compiler_shortcuts import lazily

_compiling: list[Any] = []  # functions inside `on_demand`, each of which calls the next one
_environments: dict[str, Any] = {}  # environments of functions without machine code, by the name of the variable that will hold each


def is_called_by_address(library: Any) -> bool:
    """Whether some functions of numba's library call one another in a circle: numba makes them find each other by address."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in library._final_module.global_variables)


class _Library(JITCodeLibrary):
    """numba's representation of a function: LLVM code, and machine code, which here is made on demand."""

    _waits = False  # for a request for machine code

    def _optimize_functions(self, ll_module: Any) -> None:
        """Make the code short, which whoever it becomes a part of optimises: numba's passes here take three times as long, and the rest
        is as long after them."""
        if not hasattr(self._codegen, "_pass_builder"):  # an older numba
            super()._optimize_functions(ll_module)
            return
        builder = self._codegen._pass_builder()
        passes = create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_aggressive_dce_pass()
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Does nothing yet: the code is optimised when machine code is made."""

    def _finalize_final_module(self) -> None:
        if self._is_machine_code or is_called_by_address(self):
            self._make()
        else:
            self._finalize_dynamic_globals()
            self._finalized = self._waits = True

    @property
    def _is_machine_code(self) -> bool:
        """Whether it was read from a file as machine code."""
        return getattr(self, "_compiled_object", None) is not None

    def _make(self) -> None:
        if not self._is_machine_code:
            self.enable_object_caching()  # which it is not where it was read without machine code
            super()._optimize_final_module()
            self._final_module.verify()
        super()._finalize_final_module()
        self._waits = False

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        with global_compiler_lock:
            if self._waits and any(function.name == name for function in self.get_defined_functions()):
                self._make()
        return super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> Any:
        """The state for a file: as it is, that is, without machine code if it has none."""
        return self.serialize_using_bitcode() if self._waits else super().serialize_using_object_code()


@contextmanager
def on_demand(function: Any) -> Iterator[None]:
    """Functions compiled inside the `with` block, which compiles this one, get machine code when their address is requested. numba's own
    that they call get no wrapper for C, and calls of LLVM no events, to which nobody listens."""
    context = cpu_target.target_context
    codegen = context.codegen()
    with global_compiler_lock:  # held by this thread until the end, so that no other one compiles in the meantime
        rtsys.initialize(context)  # its functions are called by address: done once, outside
        _accept_late_environments(codegen)
        told = ffi.lib._lock._cblist
        before = codegen._library_class, Lower.create_cfunc_wrapper, PostProcessor.run, told[:]
        codegen._library_class, Lower.create_cfunc_wrapper, PostProcessor.run, told[:] = _Library, _no_wrapper, lazily, []
        _compiling.append(function)
        try:
            yield
        finally:
            _compiling.pop()
            codegen._library_class, Lower.create_cfunc_wrapper, PostProcessor.run, told[:] = before


def is_part() -> bool:
    """Whether the function that is compiled now is a part of another one."""
    return len(_compiling) > 1


def finished(compiled: Any) -> Any:
    """What numba has found out about a function that was compiled as a part of another one, with what Python calls."""
    entry = _executable_of_numba(compiled.target_context, compiled.library, compiled.fndesc, compiled.environment)
    compiled.target_context.insert_user_function(entry, compiled.fndesc, [compiled.library])
    return compiled._replace(entry_point=entry)


def _executable(self: CPUContext, library: Any, described: Any, environment: Any) -> Any:
    if not is_part() or (described.modname, described.qualname) != (_compiling[-1].__module__, _compiling[-1].__qualname__):
        return _executable_of_numba(self, library, described, environment)
    library.codegen.set_env(self.get_env_name(described), environment)
    return _dynfunc.make_function(described.lookup_module(), described.qualname, "", 0, environment, (library,))  # a name for numba


_executable_of_numba = CPUContext.get_executable
CPUContext.get_executable = _executable


def _no_wrapper(lower: Any) -> None:
    pass


def _accept_late_environments(codegen: Any) -> None:
    """numba passes a function's machine code the address of its environment once the function is compiled. This does so when there is
    machine code, in whatever function it becomes a part of."""
    if "set_env" in vars(codegen):
        return
    engine, set_now, finish = codegen._engine, codegen.set_env, codegen._engine.finalize_object

    def set_env(name: str, environment: Any) -> None:
        if engine.is_symbol_defined(name):
            set_now(name, environment)
        else:
            _environments[name] = environment

    def finalize_object() -> None:
        finish()
        for name in [n for n in _environments if engine.is_symbol_defined(n)]:
            set_now(name, _environments.pop(name))

    codegen.set_env, engine.finalize_object = set_env, finalize_object
