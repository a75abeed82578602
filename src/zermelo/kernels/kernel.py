"""The decorator of kernels. A kernel is written once, in Python, and runs in two ways, the *tiers*: interpreted, by Python, where there is
little to compute; and compiled, by numba, which takes seconds for a kernel and a third of a second to be imported.

A call is interpreted if its arrays are small, and started again in the other tier if that takes too long. Both do the same operations in
the same order, so that they give the same bits. Kernels with `fastmath`, of which that is not true, are always compiled, and so are
kernels that call them. $ZERMELO_TIER ("interpreted" or "compiled") or `only` asks for one tier.

Kernels call one another by their names. In each tier these names refer to kernels of the same tier: a kernel has a copy of its
module's names for each tier.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper
from types import FunctionType
from typing import Any

import numpy as np

from zermelo.basics.interrupts import heed
from zermelo.basics.once import once
from zermelo.errors import ParameterError
from zermelo.kernels.earlier import seconds_before

SMALL = 1 << 18  # numbers in an array of a call that is interpreted, and in all of them together; more if compiling takes long:
TOGETHER = 2 * SMALL  # in all of them as long as the compiler is not loaded
A_SECOND = 100_000  # for every second that compiling takes
FURTHER = 4  # times as many numbers with which Python tries: few numbers may take long, and many a moment
TRIED = 0.1  # of the seconds that compiling takes, for that
PATIENCE = 0.25  # seconds of processor time of its thread, at least; half of what compiling takes, if that is more
BYTE = 3e-4  # seconds that the compiler takes for a byte of Python's code of a kernel, and of those that it calls
MOMENT = 0.1  # seconds up to which interpreting a kernel is no matter, however often that was
IMPORTED = 0.4  # the same as long as the compiler would have to be imported, which takes as long
START = 1.0  # seconds for that, and for what the compiler does once
LOADING = 0.01  # the same if its machine code lies on the disk: what reading it takes
TIERS = ("interpreted", "compiled")
COMPILER = "zermelo.basics.machine_code"  # loaded when something is compiled first: with numba, which takes long


def _asked_for() -> list[str]:
    asked = os.environ.get("ZERMELO_TIER", "")
    if asked and asked not in TIERS:
        raise ParameterError(f"ZERMELO_TIER must be interpreted or compiled, not {asked!r}")
    return [asked] if asked else []


_forced = _asked_for()


def forced() -> str | None:
    """The tier that was asked for; None if kernels decide by the size of their arrays."""
    return _forced[-1] if _forced else None


def at_once(kernel: Kernel) -> Callable[..., Any]:
    """The compiled kernel, unless everything is interpreted: where rules are compiled anyway, Python is not tried first."""
    return kernel if forced() == "interpreted" else kernel.compiled


@contextmanager
def only(tier: str) -> Iterator[None]:
    """Inside the `with` block everything is interpreted, or everything is compiled. For tests that compare the two."""
    assert tier in TIERS
    _forced.append(tier)
    try:
        yield
    finally:
        _forced.pop()


class Kernel:
    """A function that is interpreted or compiled."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], undo: str | None = None):
        """`undo` : see `kernel`"""
        update_wrapper(self, function)
        self.function, self.options = function, options
        self._undone = slice(None) if undo is None else slice(at := function.__code__.co_varnames.index(undo), at + 1)
        self.is_ready = False  # its machine code is in memory
        self.seconds = 0.0  # spent interpreting it, or doing without it (`pays`)
        self._kept: dict[Any, bool] = {}  # by the kinds of arguments
        self._is_given_up = False  # by Python, for good

    def __call__(self, *arguments: Any) -> Any:
        heed()
        tier = forced()
        if tier == "interpreted":
            return self.by_python(*arguments)
        if tier is None and not self.is_ready and not self.is_fused and (patience := self.patience(arguments)) > 0.0:
            undone = arrays_among(arguments[self._undone]) if self.called else ()
            kept = [(a, a.copy()) for a in undone if a.flags.writeable]
            began = time.thread_time()  # not of the clock: the process may wait, or be stopped
            try:
                return interpret(self.interpreted, arguments, Allowance(patience))
            except OutOfTime:
                for array, before in kept:
                    array[...] = before
                self.seconds += self.to_compile  # which is done now, and later processes know
            finally:
                self.seconds += time.thread_time() - began
        result = self.compiled(*arguments)
        self.is_ready = True
        return result

    def by_python(self, *arguments: Any) -> Any:
        """Interpret it, however long that takes."""
        return interpret(self.interpreted, arguments, Allowance(math.inf))

    def patience(self, arguments: tuple[Any, ...]) -> float:
        """Seconds that this call may take in Python, none if 0 or less: few once the kernel was interpreted for as long as compiling it
        takes, by earlier processes, too: then its machine code is probably on disk."""
        sizes = [a.size for a in arrays_among(arguments)]
        is_there, is_small = COMPILER in sys.modules, self.handles(sizes)
        if self._is_given_up or not (is_small or self.tries(sizes)):
            return 0.0
        if is_there and self.is_kept(arguments):
            return LOADING - self.seconds if is_small else 0.0
        if self.seconds + self.seconds_before >= self.to_compile:
            return max((MOMENT if is_there else IMPORTED) - self.seconds, 0.0) if is_small else 0.0
        if not is_small:
            return TRIED * self.cost - self.seconds
        return max(PATIENCE, self.cost / 2) if self.seconds < self.cost else 0.0

    def foresee(self, seconds: float, arguments: tuple[Any, ...]) -> bool:
        """Python gives up where this and all calls to come would take it so many seconds, and machine code is there earlier. Returns
        whether it has to be compiled for that."""
        if self.is_ready or self._is_given_up or forced():
            return False
        is_large = not self.handles([a.size for a in arrays_among(arguments)])
        if not is_large and seconds <= START:
            return False
        kept = self.is_kept(arguments)
        self._is_given_up = kept or is_large or seconds > self.cost
        return self._is_given_up and not kept

    def handles(self, sizes: list[int]) -> bool:
        """Whether Python is likely to do what is done with arrays of these sizes before the kernel is compiled."""
        together = SMALL if COMPILER in sys.modules else TOGETHER
        return max(sizes, default=0) <= SMALL and sum(sizes) <= max(together, A_SECOND * self.cost)

    def tries(self, sizes: list[int]) -> bool:
        """Whether Python tries for a short time, as far as no array may be one that other threads write to."""
        return max(sizes, default=0) <= SMALL and sum(sizes) <= FURTHER * A_SECOND * self.cost

    @property
    def cost(self) -> float:
        """Seconds that it takes to compile it now."""
        return self.to_compile + (0.0 if COMPILER in sys.modules else START)

    def is_kept(self, arguments: tuple[Any, ...]) -> bool:
        """Whether its machine code for arguments like these is in memory, or was on the disk when that was asked first."""
        compiled = self.compiled  # first: another thread may be loading the compiler still, and this waits for it
        compiler = sys.modules[COMPILER]
        kinds = compiler.kinds(compiled, arguments)
        if kinds not in self._kept:
            self._kept[kinds] = compiler.is_kept(compiled, kinds)
        return self._kept[kinds] or compiler.is_loaded(compiled, kinds)

    def pays(self, arguments: tuple[Any, ...]) -> bool:
        """Whether to call it where there is another way: its machine code is there, or the other way has taken as long by now (`seconds`)
        as compiling it does."""
        return forced() == "compiled" or self.is_kept(arguments) or self.seconds + self.seconds_before >= self.to_compile

    @once
    def seconds_before(self) -> float:
        """Spent interpreting it, as it is now, in earlier processes, as far as it took long there."""
        code = zlib.crc32(b"".join(sorted(k.function.__code__.co_code for k in self.parts)))
        return seconds_before(f"{self.function.__module__}.{self.function.__qualname__}-{code:08x}", lambda: self.seconds)

    @once
    def called(self) -> list[Kernel]:
        """The kernels that it calls."""
        names = map(self.function.__globals__.get, self.function.__code__.co_names)
        return [k for k in names if isinstance(k, Kernel)]

    @once
    def parts(self) -> set[Kernel]:
        """The kernel, those that it calls, and those that these call."""
        found, waiting = {self}, [self]
        while waiting:
            new = [k for k in waiting.pop().called if k not in found]
            found.update(new)
            waiting += new
        return found

    @once
    def to_compile(self) -> float:
        """Seconds that compiling it takes, about."""
        return sum(k.own_seconds for k in self.parts)

    @property
    def own_seconds(self) -> float:
        """The same without the kernels that it calls."""
        return BYTE * len(self.function.__code__.co_code)

    @once
    def is_fused(self) -> bool:
        """Whether the compiler may round differently."""
        return "fastmath" in self.options or any(k.is_fused for k in self.called if k is not self)

    @once
    def interpreted(self) -> Callable[..., Any]:
        """The function for Python."""
        return _copy(self.function, _names(self.function.__globals__, "interpreted"))

    @property
    def py_func(self) -> Callable[..., Any]:
        """The same under the name that numba uses: rules that call it keep their hash, so that files with this hash can be opened."""
        return self.interpreted

    @once
    def watched(self) -> Callable[..., Any]:
        """The function for Python as other kernels call it: these calls are where time is looked at."""

        def watched(*arguments: Any) -> Any:
            if is_over():
                raise OutOfTime
            return self.interpreted(*arguments)

        return watched

    @once
    def around(self) -> Callable[..., Any]:
        """The function for Python, with compiled kernels inside: where it does little itself, and takes long to compile."""
        return _copy(self.function, _names(self.function.__globals__, "around"))

    @once
    def compiled(self) -> Any:
        """The function for numba, which compiles it when it is called first."""
        return compiler()(plain=True, **self.options)(_copy(self.function, _names(self.function.__globals__, "compiled")))


class Twin:
    """A function of which numba has a version of its own: `name` of the module `module`."""

    def __init__(self, interpreted: Callable[..., Any], module: str, name: str):
        self.interpreted = self.watched = interpreted
        self._module, self._name = module, name

    @once
    def compiled(self) -> Any:
        return getattr(importlib.import_module(self._module), self._name)


def kernel(function: Callable[..., Any] | None = None, undo: str | None = None, **options: Any) -> Any:
    """Decorator of a kernel, with options of `numba.njit`; its machine code is kept on disk unless `cache` is false. While it runs
    compiled, other threads may run Python.

    undo : the only argument whose arrays must be as before where a call that Python began is started again in machine code, as other
    threads write to those of others meanwhile; None: all"""
    options = {"cache": True, "nogil": True, **options}
    return partial(Kernel, options=options, undo=undo) if function is None else Kernel(function, options, undo)


def inner(function: Callable[..., Any]) -> Any:
    """Decorator of a kernel that only kernels call: without the wrapper for Python, which takes long to compile."""
    return kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def twin(module: str, name: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of a function that is `name` of `module` in compiled kernels."""
    return lambda function: Twin(function, module, name)


def compiler() -> Any:
    """The decorator that compiles; numba is imported here when it is needed first, and the time it takes is counted from then on."""
    from zermelo.basics.machine import require_compiler
    from zermelo.basics.raise_in import load
    from zermelo.basics.stopwatch import count_compiling

    if COMPILER not in sys.modules:
        require_compiler()
    njit = load(COMPILER).njit
    count_compiling()
    return njit


# Interpreting ---------------------------------------------------------------------------------------------------------


class OutOfTime(Exception):
    """Interpreting takes longer than it may."""


class OneTakesLong(OutOfTime):
    """A single rule does, which was stopped: perhaps it never ends."""


class Allowance:
    """Seconds of processor time that a thread may use from now on.

    more : each says for how many seconds it may go on, and is asked once, when those before are over, unless one before said 0"""

    def __init__(self, seconds: float, *more: Callable[[], float]):
        self.seconds, self.more = seconds, list(more)
        self.asked = 0  # how often it was asked whether they are over
        self._begin(seconds)

    def _begin(self, seconds: float) -> None:
        self._end, self._look = time.thread_time() + seconds, time.perf_counter() + seconds

    @property
    def is_limited(self) -> bool:
        return self._end < math.inf

    def is_over(self) -> bool:
        self.asked += 1
        now = time.perf_counter()
        if now < self._look:  # faster than reading the processor time of this thread
            return False
        left = self._end - time.thread_time()
        if left <= 0.0 and self.more:
            more = self.more.pop(0)()
            if more <= 0.0:
                self.more.clear()
            self.seconds += more
            self._begin(more)
            return more <= 0.0
        self._look = now + left
        return left <= 0.0


class _Running(threading.local):
    allowance = Allowance(math.inf)


_running = _Running()


def interpret(function: Callable[..., Any], arguments: tuple[Any, ...], allowance: Allowance) -> Any:
    """Call the function. Whole numbers wrap round and divisions by zero give what they give in machine code, without a warning.
    Raises `OutOfTime`, if kernels or rules that it calls find that the time is over."""
    before, _running.allowance = _running.allowance, allowance
    try:
        with np.errstate(all="ignore"):
            return plain(function(*arguments))
    finally:
        _running.allowance = before


def is_over() -> bool:
    """Whether what this thread interprets has taken as long as it may."""
    return _running.allowance.is_over()


def plain(result: Any) -> Any:
    """A result with Python's numbers instead of numpy's, as compiled code returns them."""
    if isinstance(result, np.generic):
        return result.item()
    if type(result) is tuple:
        return tuple(map(plain, result))
    return result


def arrays_among(arguments: tuple[Any, ...]) -> Iterator[np.ndarray]:
    """The arrays among the arguments of a kernel, also those inside of tuples."""
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, tuple):
            yield from arrays_among(argument)


# Names of other kernels -----------------------------------------------------------------------------------------------

_names_of: dict[tuple[int, str], dict[str, Any]] = {}  # (id of a module's names, tier) -> the names for this tier


class _Filling(threading.local):
    def __init__(self) -> None:
        self.names = dict[tuple[int, str], dict[str, Any]]()  # the same, where this thread is about to enter the kernels


_filling = _Filling()


def _names(names: dict[str, Any], tier: str) -> dict[str, Any]:
    """A module's names, kernels among them being those of the tier."""
    key = id(names), tier
    found = _names_of.get(key) or _filling.names.get(key)  # kernels of a module may call one another
    if found is None:
        found = _filling.names[key] = dict(names)
        try:
            found.update(kernels_among(names, tier))
        finally:  # Ctrl-C may come before all are there
            del _filling.names[key]
        _names_of[key] = found
    return found


def kernels_among(names: dict[str, Any], tier: str) -> dict[str, Any]:
    """The kernels among a module's names, as others call them in this tier."""
    return {name: _inside(value, tier) for name, value in names.items() if isinstance(value, Kernel | Twin)}


def _inside(called: Kernel | Twin, tier: str) -> Any:
    if tier == "around":
        return called.compiled if isinstance(called, Kernel) else called.interpreted
    return called.watched if tier == "interpreted" else called.compiled


def _copy(function: Any, names: dict[str, Any]) -> Any:
    """The same function, with other names around it."""
    copied = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    return update_wrapper(copied, function)
