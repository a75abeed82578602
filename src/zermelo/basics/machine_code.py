"""numba's `njit`, with machine code kept on disk together with its checksum, which is verified before use.

Damaged files are replaced, and code that cannot be stored is compiled in memory. Either is reported once, and no computation
fails because of it.
"""

from __future__ import annotations

import gc
import hashlib
import io
import os
import pickle
import sys
import threading
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache
from numba.core.cpu import CPUContext
from numba.core.event import Listener, register
from numba.core.generators import GeneratorDescriptor
from numba.core.ir import Loc
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral

from zermelo.basics.ahead import after_others, is_shared
from zermelo.basics.code_folders import ALONE, code_folders, folder_for_new_code
from zermelo.basics.code_on_demand import finished, is_called_by_address, is_part, on_demand
from zermelo.basics.disk import alone_with, cache_directory, replacing
from zermelo.basics.interrupts import heed
from zermelo.basics.machine import keep_freed
from zermelo.basics.notices import notify, said
from zermelo.basics.sources import AS_IMPORTED
from zermelo.errors import OutOfReach

SUM = hashlib.sha256().digest_size
MOST_EMBEDDED = 1 << 23  # bytes of a constant array that is kept within machine code
MOST_INLINED = 64  # `yield`s in a generator whose code is put into the loops over it
KERNELS = "_ZN7zermelo7kernels"  # how names of the functions of our kernels begin in machine code
CANT_KEEP = "machine code can't be kept for the next time"
DAMAGED = "kept machine code was damaged"
FORBIDDEN = "NUMBA_DISABLE_JIT forbids the machine code needed here: unset it, or let Python run everything (ZERMELO_TIER=interpreted)"
SELDOM = 1_000_000  # objects made between two garbage collections while something is compiled
FIRST = 8  # functions whose garbage, 10 MB each, waits for a collection of everything: many processes end before


keep_freed()


def njit(function: Callable[..., Any] | None = None, *, cache: bool = False, plain: bool = False, **options: Any) -> Any:
    """numba's decorator of this name; with `cache` the next process reuses the machine code. With `plain` a function that is called
    with constants is not compiled once for each of them. There is no wrapper for C, which nothing calls and which takes long to compile."""
    if function is None:
        return partial(njit, cache=cache, plain=plain, **options)
    if numba.config.DISABLE_JIT:
        raise OutOfReach(FORBIDDEN)
    dispatcher = numba.njit(**{"no_cfunc_wrapper": True, **options})(function)
    if plain:
        template = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: template([*map(unliteral, args)], {k: unliteral(v) for k, v in kws.items()})
    if cache:
        dispatcher._cache = _cache_of(function)
    compile_now, add_now = dispatcher.compile, dispatcher.add_overload
    parts: dict[Any, Any] = {}  # what Python can't call yet, by the kinds of its arguments
    dispatcher.parts = parts

    def compile_on_demand(signature: Any) -> Any:
        kinds = normalize_signature(signature)[0]
        with _alone_with(dispatcher._cache, kinds):
            pass  # waits for another process while other threads of this one can compile, which they can't inside of `on_demand`
        with on_demand(function), _alone_with(dispatcher._cache, kinds):
            entry = compile_now(signature)
            if is_part() or kinds not in parts:
                return entry
            compiled = finished(parts[kinds])
            add_now(compiled)
            del parts[kinds]  # now, since `finished` may be interrupted
            dispatcher._cache.save_overload(signature, compiled)
            return compiled.entry_point

    def add(compiled: Any) -> None:
        kinds = compiled.signature.args
        if is_part():
            dispatcher.overloads[kinds] = parts[kinds] = compiled
        else:
            add_now(compiled)

    dispatcher.compile, dispatcher.add_overload = compile_on_demand, add
    return dispatcher


def _alone_with(cache: Any, kinds: Any = None) -> AbstractContextManager[None]:
    """No other process compiles the same for these kinds of arguments meanwhile; without kinds: none changes what is kept of it."""
    path = _locked(cache, kinds) if is_shared() else None
    return nullcontext() if path is None else after_others(path)


def _locked(cache: Any, kinds: Any) -> Path | None:
    """What processes lock that compile this for these kinds of arguments; None if it is not kept."""
    return cache.locked(kinds) if isinstance(cache, _Cache) else None


def is_taken(dispatcher: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether another process compiles a function for these kinds of arguments."""
    try:
        path = _locked(dispatcher._cache, kinds)
        with alone_with(path) if path else nullcontext(True) as is_alone:
            return not is_alone
    except OSError:
        return False


def _descriptor_of_generator(cls: type, func_ir: Any, *arguments: Any, **options: Any) -> Any:
    described = _descriptor_of_numba(cls, func_ir, *arguments, **options)
    described.inline = len(func_ir.generator_info.yield_points) <= MOST_INLINED
    return described


# A loop over a generator calls it for every item, and its variables lie in memory. LLVM inlines only short ones, although most are looped
# over in one place: rules as long as those of Gobblet take half the time if they are inlined. Long ones would take long to compile.
_descriptor_of_numba = GeneratorDescriptor.from_generator_fndesc.__func__
GeneratorDescriptor.from_generator_fndesc = classmethod(_descriptor_of_generator)


def _make_constant_array(self: CPUContext, builder: Any, kind: Any, array: Any) -> Any:
    self.allow_dynamic_globals = array.nbytes > MOST_EMBEDDED or kind.layout not in "FC"
    try:
        return _make_constant_array_of_numba(self, builder, kind, array)
    finally:
        del self.allow_dynamic_globals


# numba refers to arrays of more than 1 MB by their address, and code that does can't be kept.
_make_constant_array_of_numba = CPUContext.make_constant_array
CPUContext.make_constant_array = _make_constant_array


def _path_of_location(self: Loc) -> str:
    try:
        return str(_path_of_numba(self))
    except FileNotFoundError:  # the current folder, to which numba's path is relative, has been deleted
        return str(self.filename)


_path_of_numba = Loc._get_path
Loc._get_path = _path_of_location


class _CollectingSeldom(Listener):
    """While numba compiles, which creates millions of objects, garbage is collected less often, as that took an eighth of the time."""

    def __init__(self) -> None:
        self._compiling, self.compiled, self._before = 0, 0, gc.get_threshold()
        self._lock = threading.Lock()

    def on_start(self, event: Any) -> None:
        with self._lock:
            if self._compiling == 0:
                self._before = gc.get_threshold()
                if 0 < self._before[0] < SELDOM:
                    gc.set_threshold(SELDOM, *self._before[1:])
            self._compiling += 1

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._compiling -= 1
            if self._compiling == 0:
                gc.set_threshold(*self._before)
                self.compiled += 1
                if self.compiled <= FIRST and not gc.get_freeze_count():
                    gc.freeze()  # all at once, without looking at any
                    gc.unfreeze()


class _Interrupted(Listener):
    """Raise waiting errors, such as Ctrl-C, between two passes of the compiler."""

    def on_start(self, event: Any) -> None:
        heed()

    def on_end(self, event: Any) -> None:
        pass


class _WithoutBlas(Listener):
    """numba would load all of scipy.linalg as soon as it compiles something, only to find out whether it is installed. Code that needs it
    still loads it."""

    def on_start(self, event: Any) -> None:
        if "numba.np.arraymath" in sys.modules:
            return
        from numba.np import linalg

        looks_for_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            from numba.np import arraymath
        finally:
            linalg.ensure_blas = looks_for_blas
        arraymath.ensure_blas = looks_for_blas

    def on_end(self, event: Any) -> None:
        pass


class _IndicesOfKernels(Listener):
    """A negative index counts from the end, so compiled code looks at each one that may be negative, which takes a tenth of the time of
    Pig. Kernels have none (tests/test_tiers.py): theirs are taken as they are. What else is compiled does as Python does."""

    def on_start(self, event: Any) -> None:
        from numba.np import arrayobj  # takes long, and code that is kept does not need it

        usual = arrayobj.fix_integer_index
        if usual.__module__ != arrayobj.__name__:
            return

        def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
            if kind.signed and builder.function.name.startswith(KERNELS):
                return context.cast(builder, index, kind, types.intp)
            return usual(context, builder, kind, index, size)

        arrayobj.fix_integer_index = as_it_is

    def on_end(self, event: Any) -> None:
        pass


register("numba:compile", _WithoutBlas())
register("numba:compile", _IndicesOfKernels())
register("numba:compile", _collecting := _CollectingSeldom())
register("numba:run_pass", _Interrupted())


def _cache_of(function: Callable[..., Any]) -> Any:
    if Path(function.__code__.co_filename).exists():
        try:
            return _Cache(function)
        except (OSError, RuntimeError) as error:
            cannot_keep(f"{cache_directory()}: {getattr(error, 'strerror', None) or error}")
    return NullCache()


def cannot_keep(why: str, cure: str = "ZERMELO_CACHE") -> None:
    """Report once that machine code is compiled in memory, whatever code it is. `cure` : the variable that names the folder."""
    _notify_once(CANT_KEEP, f" ({why}): every process compiles again; {cure}=FOLDER names another place")


def _notify_once(what: str, more: str) -> None:
    """Report this, unless the same was reported of other code."""
    if not any(text.startswith(what) for text in said()):
        notify(f"{what}{more}")


def compilations() -> int:
    """How many functions this process has compiled, with those that they call."""
    return _collecting.compiled


def kinds(dispatcher: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The kinds of these arguments, for which a function has machine code of its own."""
    return tuple(map(dispatcher.typeof_pyval, arguments))


def is_loaded(dispatcher: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether Python can call the machine code of a function for these kinds of arguments in this process."""
    return kinds in dispatcher.overloads and kinds not in dispatcher.parts


def is_kept(dispatcher: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether machine code of a function for these kinds of arguments, as Python calls it, is on disk."""
    cache = dispatcher._cache
    return isinstance(cache, _Cache) and cache.is_kept(cache._index_key(kinds, dispatcher.targetctx.codegen(), False))


class Damaged(Exception):
    """A file does not contain what was written to it."""


@lru_cache(maxsize=256)
def _digest(path: str, changed: int, size: int) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


_Beside = CompileResultCacheImpl._locator_classes[1]  # for the folder of the function


class _Source(_Beside):  # type: ignore[misc, valid-type]
    """What numba asks of the file that a function is in. Where its machine code lies is not decided here."""

    def get_source_stamp(self) -> bytes:
        """By its text: older numbas take the time of the file, which images of containers round to seconds."""
        facts = os.stat(self._py_file)
        return _digest(self._py_file, facts.st_mtime_ns, facts.st_size)

    def ensure_cache_path(self) -> None:
        """Does nothing: numba makes a folder and a file in it, for each function, to see whether it can."""


class _OfSource(CompileResultCacheImpl):
    _locator_classes = [_Source]


class _Cache(FunctionCache):
    """The machine code of one function, in each folder where it may lie (code_folders.py)."""

    _impl_class = _OfSource
    _cache_file: Any

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        self._sources = Path(function.__code__.co_filename).parent
        stamp = self._cache_file._source_stamp, AS_IMPORTED.get(str(self._sources), "")
        self._places = [_Files(str(folder), self._impl.filename_base, stamp) for folder in code_folders(self._sources)]
        self._cache_file = self._places[0]  # for what of numba we do without

    def locked(self, kinds: Any) -> Path | None:
        """What processes lock that compile this for these kinds of arguments; None if it can't be kept."""
        folder = folder_for_new_code(self._sources)
        return folder and folder / (self._cache_file._index_name + (f"-{zlib.crc32(repr(kinds).encode()):08x}" if kinds else ""))

    def is_kept(self, key: Any) -> bool:
        """Whether any of the folders has it."""
        for files in self._places:
            with suppress(Exception):  # damaged, which is reported when it is loaded
                if key in files._load_index():
                    return True
        return False

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The same, without the data that only compiling needs, which numba loads first (a sixth of a second) and again when it
        compiles."""
        damaged = dict[str, _Files]()
        for part in (is_part(), not is_part()):  # or what was kept for Python where a part of another function is needed, and vice versa
            key = self._index_key(signature, context.codegen(), part)
            for files in self._places:
                try:
                    data = files.load(key)
                    compiled = None if data is None else self._impl.rebuild(context, data)
                except MemoryError:
                    raise
                except Exception:  # a wrong checksum, or code that this machine cannot load: compiled again in any case
                    damaged[files._index_path] = files
                    continue
                if compiled is not None:
                    if part and not is_part():
                        self.save_overload(signature, compiled)
                    return compiled
        for path, files in damaged.items():
            try:
                files.forget()
                then = "and replaced"
            except OSError:
                then = "but can't be replaced"
            _notify_once(DAMAGED, f": it is compiled again {then} ({path})")
        return None

    def _index_key(self, signature: Any, codegen: Any, part: bool | None = None) -> Any:
        return *super()._index_key(signature, codegen), is_part() if part is None else part

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if is_called_by_address(compiled.library):
            notify("machine code of functions that call one another in a circle can't be kept: every process compiles it again; one "
                   "function that calls itself is kept")  # fmt: skip
            return  # numba would store it, and a process that loads it would call address 0
        if compiled.library.has_dynamic_globals:  # numba would warn of it
            size = MOST_EMBEDDED >> 20
            what = f"machine code with a constant table of more than {size} MiB, or with sorted(key=...),"
            notify(f"{what} can't be kept: every process compiles it again")
            return
        if self._impl.check_cachable(compiled):
            with suppress(RuntimeError):  # the compiler has lost its file, as another thread released some when it ended: stored next time
                self._save(self._index_key(signature, compiled.codegen), self._impl.reduce(compiled))

    def _save(self, key: Any, data: Any) -> None:
        """Write it to the first folder that takes it."""
        with _alone_with(self):
            for files in self._places:
                try:
                    files.save(key, data)
                    return
                except OSError as error:
                    why = f"{files._cache_path}: {error.strerror or error}"
        cannot_keep(why, ALONE if os.environ.get(ALONE) else "ZERMELO_CACHE")


class _Files(IndexDataCacheFile):
    """An index and a file for each signature, as in numba; each begins with the SHA-256 of the rest."""

    def forget(self) -> None:
        """Delete the index, and thereby everything that it names. Raises `OSError`."""
        Path(self._index_path).unlink(missing_ok=True)

    def save(self, key: Any, data: Any) -> None:
        Path(self._cache_path).mkdir(parents=True, exist_ok=True)
        try:
            super().save(key, (self._source_stamp, key, data))
        except OSError:
            raise
        except Exception:  # the index that it would be added to is damaged
            self.forget()
            super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        if found is None:
            return None
        *own, data = found
        return data if own == [self._source_stamp, key] else None  # the index is newer, or from another process

    def _load_index(self) -> Any:
        try:
            content = io.BytesIO(_read(self._index_path))
        except (FileNotFoundError, NotADirectoryError, PermissionError):  # nothing is there for this process
            return {}
        if pickle.load(content) != self._version:  # which might not be able to read the rest
            return {}
        stamp, names = pickle.load(content)
        return names if stamp == self._source_stamp else {}

    def _save_index(self, names: Any) -> None:
        _write(self._index_path, self._dump(self._version) + self._dump((self._source_stamp, names)))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_read(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        _write(self._data_path(name), self._dump(data))


def _read(path: str) -> bytes:
    content = Path(path).read_bytes()
    if hashlib.sha256(content[SUM:]).digest() != content[:SUM]:
        raise Damaged(path)
    return content[SUM:]


def _write(path: str, content: bytes) -> None:
    with replacing(Path(path), lasting=False, stale=".*.tmp") as temporary:
        temporary.write_bytes(hashlib.sha256(content).digest() + content)
