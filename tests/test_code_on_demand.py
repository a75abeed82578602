"""Functions that only compiled functions call have no machine code of their own, and nobody can tell."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.ir
import numba
import numpy as np
import pytest
from numba.core import event, ir, types
from numba.core.compiler import run_frontend
from numba.core.lowering import Lower
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext

from zermelo.basics import compiler_shortcuts, machine_code
from zermelo.basics.code_on_demand import on_demand
from zermelo.basics.machine_code import is_kept, is_loaded, kinds, njit
from zermelo.games.named import load
from zermelo.kernels.calling import address_of

TEXT = '''
import numpy as np
from zermelo.basics.machine_code import njit

@njit(cache=True, no_cpython_wrapper=True)
def twice(x):
    return 2.0 * x

@njit(cache=True, no_cpython_wrapper=True)
def entry(a, i):
    if i >= len(a):
        raise ValueError("there is no", i)  # which numba does by the environment of this function
    return twice(np.float64(a[i]))

@njit(cache=True)
def total(a, n):
    found = 0.0
    for i in range(n):
        found += entry(a, i)
    return found

@njit(cache=True, no_cpython_wrapper=True)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

@njit(cache=True, no_cpython_wrapper=True)
def is_even(n):
    return n == 0 or is_odd(n - 1)

@njit(cache=True, no_cpython_wrapper=True)
def is_odd(n):
    return n > 0 and is_even(n - 1)

@njit(cache=True)
def calls(n):
    return fibonacci(n)

@njit(cache=True)
def half_of_total(a, n):
    return total(a, n) / 2

@njit
def halves(n):
    return n // 2 if is_even(n) else -1
'''

IN_A_PROCESS = """
import json, sys
from pathlib import Path
import numpy as np
from zermelo.games.named import load
module = load(Path(sys.argv[1]))
print(json.dumps([module.total(np.ones(3), 3), module.calls(10), bool(module.total.stats.cache_hits)]))
try:
    module.total(np.ones(3), 4)
except ValueError as error:
    print(json.dumps(error.args))
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "parts.py"
    path.write_text(TEXT)
    sys.modules.pop("parts", None)
    return load(path)


def library(function: Any) -> Any:
    (overload,) = function.overloads.values()
    return overload.library


def test_a_part_of_another_function_has_no_machine_code(module: ModuleType) -> None:
    assert module.total(np.ones(3), 3) == 6.0
    assert library(module.entry)._waits and library(module.twice)._waits and not library(module.total)._waits


def test_it_is_made_for_whoever_asks_for_the_address(module: ModuleType) -> None:
    assert module.calls(10) == 55 and library(module.fibonacci)._waits
    assert address_of(module.fibonacci, (10,)) != 0 and not library(module.fibonacci)._waits


def test_errors_are_raised_with_their_arguments(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="there is no") as caught:
        module.total(np.ones(3), 4)
    assert caught.value.args == ("there is no", 3)


def test_functions_of_others_may_call_it(module: ModuleType) -> None:
    entry = module.entry

    @numba.njit
    def theirs(a: Any, i: int) -> Any:
        return entry(a, i)

    assert theirs(np.ones(3), 1) == 2.0 and not hasattr(library(theirs), "_waits")
    with pytest.raises(ValueError, match="there is no"):
        theirs(np.ones(3), 5)


FOR_PYTHON = """
import sys
from pathlib import Path
import numpy as np
from zermelo.basics.machine_code import is_kept, kinds
from zermelo.games.named import load
module, a = load(Path(sys.argv[1])), np.ones(3)
print(is_kept(module.total, kinds(module.total, (a, 3))), eval(sys.argv[2]), bool(module.total.stats.cache_hits))
"""


def test_a_part_is_made_for_python_when_it_calls_it(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    a, total = np.ones(3), module.total
    assert module.half_of_total(a, 2) == 2.0
    given = kinds(total, (a, 3))
    assert library(total)._waits and not is_loaded(total, given) and not is_kept(total, given)

    def out_of_memory(compiled: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as short, pytest.raises(MemoryError):
        short.setattr(machine_code, "finished", out_of_memory)
        total(a, 3)
    assert (total(a, 3), total(a, 2)) == (6.0, 4.0) and not library(total)._waits  # the process crashed
    assert module.half_of_total(a, 2) == 2.0 and len(total.overloads) == 1 and is_loaded(total, given)
    with on_demand(module.half_of_total), on_demand(total):
        assert is_kept(total, given)  # a thread may ask while another one compiles


def test_a_part_that_was_kept_is_made_for_python_once(module: ModuleType) -> None:
    """By the first process that calls it, for all."""
    for words, said in (
        ("module.half_of_total(a, 2)", "False 2.0 False"),
        ("module.total(a, 3)", "False 6.0 True"),
        ("(module.total(a, 1), module.half_of_total(a, 2), module.total(a, 3))", "True (2.0, 2.0, 6.0) True"),
    ):
        done = subprocess.run([sys.executable, "-c", FOR_PYTHON, module.__file__, words], capture_output=True, text=True, check=True)
        assert done.stdout == said + "\n", words


def test_functions_that_call_one_another_in_a_circle_are_called_by_address(module: ModuleType) -> None:
    assert (module.halves(10), module.halves(11)) == (5, -1) and not library(module.is_even)._waits


def test_what_was_kept_is_the_same_in_other_processes(module: ModuleType) -> None:
    for from_disk in (False, True):
        done = subprocess.run([sys.executable, "-c", IN_A_PROCESS, module.__file__], capture_output=True, text=True, check=True)
        results, error = map(json.loads, done.stdout.splitlines())
        assert results == [6.0, 55, from_disk] and error == ["there is no", 3]


def test_a_part_that_was_kept_becomes_a_part_of_a_new_function(module: ModuleType) -> None:
    assert module.total(np.ones(3), 3) == 6.0
    sys.modules.pop("parts")
    again = load(Path(str(module.__file__)))
    assert again.total(np.ones(3, np.float32), 3) == 6.0  # another signature: `twice` for floats is read, the rest is compiled
    assert again.twice.stats.cache_hits


def test_what_nobody_needs_is_not_done() -> None:
    """numba made wrappers for C of its own functions, and an event of every call of LLVM, and ran passes over names of other modules. A
    program that compiles without us has these still."""
    told: list[str] = []

    class Listener(event.Listener):
        def on_start(self, happened: Any) -> None:
            told.append("event")

        def on_end(self, happened: Any) -> None:
            pass

    wrap = Lower.create_cfunc_wrapper
    with pytest.MonkeyPatch.context() as patch, event.install_listener("numba:llvm_lock", Listener()):
        patch.setattr(Lower, "create_cfunc_wrapper", lambda lower: told.append("wrapper") or wrap(lower))
        assert njit(lambda n: np.full(n, 2.0))(3).sum() == 6.0 and told == []
        assert numba.njit(lambda n: np.full(n, 2.0))(3).sum() == 6.0 and {*told} == {"event", "wrapper"}


def test_operators_of_numbers_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, look = [], compiler_shortcuts._call_type_of_numba
    monkeypatch.setattr(compiler_shortcuts, "_call_type_of_numba", lambda *words: asked.append((words[0], words[2])) or look(*words))
    for x in (5, 5.0, 7.0):
        assert njit(lambda x, y: x - 2.0 * y < 9 or x < y)(x, 1.5)
    of_numbers = [(function, kinds) for function, kinds in asked if all(type(k) in compiler_shortcuts.NUMBERS for k in kinds)]
    assert len(of_numbers) == len(set(of_numbers))


def test_references_are_counted_where_numba_counts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    context, array = cpu_target.target_context.subtarget(enable_nrt=True), numba.float64[:, ::1]
    kind = types.Tuple([numba.int64, array, types.Tuple([types.Optional(array), types.UniTuple(array, 2), types.UniTuple(numba.int8, 9)])])

    def counted() -> tuple[list[str], int]:
        block = llvmlite.ir.Function(llvmlite.ir.Module(), llvmlite.ir.FunctionType(llvmlite.ir.VoidType(), []), "f").append_basic_block()
        value = llvmlite.ir.Constant(context.get_value_type(kind), None)
        found = context.nrt.get_meminfos(llvmlite.ir.IRBuilder(block), kind, value)
        return [f"{kind} {value}" for kind, value in found], len(block.instructions)

    found, few = counted()
    monkeypatch.setattr(NRTContext, "get_meminfos", compiler_shortcuts._counted_of_numba)
    of_numba, many = counted()
    assert len(found) == len(of_numba) == 4 and few < many / 2


def test_declarations_that_come_later_are_known() -> None:
    def twice(x: int) -> int:
        return 2 * x

    assert njit(lambda x: x + 1)(1) == 2
    numba.extending.overload(twice)(lambda x: lambda x: 2 * x)
    assert njit(lambda x: twice(x))(3) == 6


def test_variables_of_instructions_are_those_that_numba_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(n, *numbers):
        found = [k for k in range(n) if k % 2 or numbers]
        for k, x in zip(found, numbers, strict=False):
            yield (k, x, {"sum": k + x}), found[k:n]

    def listed() -> list[list[str]]:
        return [[v.name for v in instruction.list_vars()] for block in code.blocks.values() for instruction in block.body]

    code = run_frontend(function)
    found = listed()
    monkeypatch.setattr(ir.Inst, "_rec_list_vars", compiler_shortcuts._variables_of_numba)
    assert found == listed() and max(map(len, found)) > 3
