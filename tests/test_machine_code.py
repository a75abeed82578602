"""Machine code that was kept: verified before it is used, replaced where it is damaged, compiled in memory where it can't be kept."""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from numba.core.caching import CompileResultCacheImpl
from numba.core.errors import TypingError
from numba.core.ir import Loc

from zermelo.basics import machine_code, notices
from zermelo.basics.code_folders import code_folders
from zermelo.basics.disk import cache_directory
from zermelo.basics.sources import AS_IMPORTED
from zermelo.cli.cache import entries as kept_entries
from zermelo.errors import OutOfReach
from zermelo.games.named import load
from zermelo.link import cache
from zermelo.link.native import Native, RulesRefused

TEXT = '''
from zermelo.basics.machine_code import njit
STEP = 2
@njit(cache=True)
def kernel(n):
    total = 0
    for i in range(n):
        total += i * STEP
    return total
'''


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_said", [])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "kept.py"
    path.write_text(TEXT)
    return path


def loaded(source: Path) -> ModuleType:
    """The module as another process would import it; by the file's text as it is, which is edited within a second here."""
    sys.modules.pop("kept", None)
    return load(source)


def compiled(source: Path) -> tuple[bool, list[str]]:
    """Whether the kernel had to be compiled, and what was said. Its result must be right in any case."""
    kernel = loaded(source).kernel
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert kernel(10) == 90
    return not kernel.stats.cache_hits, [str(w.message) for w in told]


def kept(source: Path) -> list[Path]:
    return sorted((source.parent / "__pycache__").glob("*.nb[ic]"))


def flipped(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def test_the_next_process_finds_it(source: Path) -> None:
    assert compiled(source) == (True, [])
    assert compiled(source) == (False, [])
    source.write_text(TEXT.replace("STEP = 2", "STEP = 3"))
    assert loaded(source).kernel(10) == 135


LARGE = """
import numpy as np
from zermelo.basics.machine_code import njit
TABLE = np.arange(200_000) * 2
@njit(cache=True)
def kernel(n):
    total = 0
    for i in range(n):
        total += TABLE[i + 199_990] - 2 * 199_990
    return total
"""


def test_code_with_a_table_of_more_than_a_megabyte_is_kept(source: Path) -> None:
    """numba refers to such a table by its address, did not keep the code, and warned of it on stderr."""
    source.write_text(LARGE)
    assert compiled(source) == (True, [])
    assert compiled(source) == (False, [])
    source.write_text(LARGE.replace("* 2\n", "* 2 + (np.arange(200_000) < 99)\n"))
    assert compiled(source) == (True, [])  # another table


def test_code_with_a_table_that_is_too_large_to_keep_is_told_of_once(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "MOST_EMBEDDED", 1 << 20)
    source.write_text(LARGE)
    said = "machine code with a constant table of more than 1 MiB, or with sorted(key=...), can't be kept: every process compiles it again"
    assert compiled(source) == (True, [said])
    assert compiled(source) == (True, []) and not kept(source)


def test_reading_it_loads_nothing_that_only_compiling_needs(source: Path) -> None:
    """Reading kept code imported numba's library of implementations first, a sixth of a second; what is compiled then finds it still, and
    not all of scipy.linalg with it."""
    code = f"""
import sys
sys.path.insert(0, {str(source.parent)!r})
import kept, numpy
from zermelo.basics.machine_code import njit
print(kept.kernel(10), "numba.np.arraymath" in sys.modules)

@njit
def more(n):
    return numpy.arange(n).sum() + kept.kernel(n)

print(more(10), "numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
"""
    for read in (False, True):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.split() == ["90", str(not read), "135", "True", "False"], done.stderr


def test_any_flipped_bit_is_noticed_and_repaired(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(source)
    chance = random.Random(12)
    for path in [*kept(source)] * 8:
        good = path.read_bytes()
        bit = chance.randrange(8 * len(good))
        flipped(path, bit)
        monkeypatch.setattr(notices, "_said", [])
        was_compiled, told = compiled(source)
        said = "kept machine code was damaged: it is compiled again and replaced"
        assert was_compiled and len(told) == 1 and said in told[0], (path, bit)
        assert compiled(source) == (False, []), "it was replaced"


def test_cut_and_foreign_files_are_replaced(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(source)
    for content in (b"", b"x", b"\x80\x04." * 40):
        for path in kept(source):
            monkeypatch.setattr(notices, "_said", [])
            path.write_bytes(content)
            assert compiled(source)[0]
            assert compiled(source) == (False, [])
    path.write_bytes(b"")
    monkeypatch.setattr(notices, "_said", [f"{machine_code.DAMAGED} (another file)"])
    assert compiled(source) == (True, []), "it is said once, not of each file of a folder"


def test_code_of_another_signature_or_source_under_the_same_name_is_not_used(source: Path) -> None:
    """As two processes leave it that write at the same time, or one that is killed between index and code."""
    compiled(source)
    (code,) = (path for path in kept(source) if path.suffix == ".nbc")
    old = code.read_bytes()
    source.write_text(TEXT.replace("STEP = 2", "STEP = 3"))
    assert loaded(source).kernel(10) == 135
    code.write_bytes(old)
    assert loaded(source).kernel(10) == 135


def test_a_full_disk_is_said_once(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(machine_code, "_write", full)
    was_compiled, told = compiled(source)
    assert was_compiled and len(told) == 1 and "No space left on device): every process compiles again" in told[0]
    assert compiled(source) == (True, []), "said once"
    assert kept(source) == []


def test_code_of_a_package_that_cant_be_written_to_lies_in_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba kept it in a folder of its own, of which ZERMELO_CACHE did not name another place."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "kernels" / "__pycache__").parent.mkdir()
    (tmp_path / "kernels" / "__pycache__").write_text("no folder")
    source = tmp_path / "kernels" / "kept.py"
    source.write_text(TEXT)
    assert compiled(source) == (True, [])
    assert compiled(source) == (False, [])
    (entry,) = kept_entries(tmp_path / "cache")
    assert (entry.kind, entry.name, len(entry.paths)) == ("machine code", "kept", 2)


@contextmanager
def read_only(*folders: Path) -> Iterator[None]:
    """Nothing can be written to these folders meanwhile, not even by root, who may do without the right to write anywhere."""
    header, held, less = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    system = ctypes.CDLL(None)
    if os.geteuid() == 0:
        assert system.capget(header, held) == 0
        less[:] = [held[0] & ~0b10, *held[1:]]  # CAP_DAC_OVERRIDE, of what this thread uses
        assert system.capset(header, less) == 0
    for folder in folders:
        folder.chmod(0o555)
    try:
        yield
    finally:
        for folder in folders:
            folder.chmod(0o755)
        assert os.geteuid() or system.capset(header, held) == 0


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def test_code_is_read_from_a_folder_that_cant_be_written_to(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was compiled by every command, as in a container whose image had compiled all of it. What is not there is told of."""
    assert compiled(source) == (True, []) and not folder.exists()
    assert cache.load_module(TEXT).kernel(10) == 90 and not any(".lock" in str(path) for path in files_in(folder))
    cache.load_module.cache_clear()
    os.utime(source, (0, 0))  # images round the times of files
    beside, before = source.parent / "__pycache__", files_in(source.parent)
    with read_only(beside, folder, folder / "__pycache__"), monkeypatch.context() as shared:
        shared.setattr(machine_code, "is_shared", lambda: True)
        assert compiled(source) == (False, [])
        module = cache.load_module(TEXT)
        assert module.kernel(10) == 90 and module.kernel.stats.cache_hits and not notices.said()
        for change in ("numba", "processor", "kernels", "rules"):  # nothing of another version is used
            with monkeypatch.context() as other:
                if change == "numba":
                    other.setattr(machine_code.numba, "__version__", "0")
                elif change == "processor":
                    other.setattr("numba.core.codegen.JITCPUCodegen.magic_tuple", lambda self: ("another",))
                elif change == "kernels":
                    other.setitem(AS_IMPORTED, str(source.parent), "2")
                other.setattr(notices, "_said", [])
                if change != "rules":
                    was_compiled, told = compiled(source)
                    assert was_compiled and len(told) == 1 and "Permission denied): every process compiles again" in told[0]
                    assert compiled(source) == (True, [])
                else:
                    with pytest.warns(notices.Notice, match="Permission denied"):
                        assert cache.load_module(TEXT.replace("STEP = 2", "STEP = 3")).kernel(10) == 135
        assert files_in(source.parent) == before
        source.write_text(TEXT.replace("STEP = 2", "STEP = 3"))
        with pytest.warns(notices.Notice, match="Permission denied"):
            assert loaded(source).kernel(10) == 135


def test_what_is_missing_there_lies_in_the_cache_folder(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(source)
    (index,) = (path for path in kept(source) if path.suffix == ".nbi")
    flipped(index, 999)
    with read_only(source.parent / "__pycache__"), monkeypatch.context() as named:
        named.setenv("NUMBA_CACHE_DIR", "/proc/none")
        was_compiled, (told,) = compiled(source)
        assert was_compiled and told.endswith("NUMBA_CACHE_DIR=FOLDER names another place")
    with read_only(source.parent / "__pycache__"):
        was_compiled, told = compiled(source)
        assert was_compiled and told == [f"kept machine code was damaged: it is compiled again but can't be replaced ({index})"]
        assert compiled(source) == (False, []) and len(list(folder.rglob("*.nb[ic]"))) == 2
    assert compiled(source) == (False, [])


def test_code_that_can_be_kept_nowhere_is_told_of_once(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of rules and that of the package were told apart, the second one with another reason; for a user without a home numba made a
    folder named ~ in the current one."""
    folder.write_text("no folder")
    monkeypatch.chdir(source.parent)
    (source.parent / "__pycache__").write_text("no folder")
    with pytest.warns(notices.Notice, match="every process compiles again") as told:
        assert loaded(source).kernel(10) == 90
        assert cache.load_module(TEXT).kernel(10) == 90
    assert len(told) == 1 and sorted(p.name for p in source.parent.iterdir()) == ["__pycache__", "cache", "kept.py"]


def test_code_of_a_kernel_is_not_used_once_another_kernel_has_changed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds code of other kernels. Where the package can't be written to, that of an earlier version was used after an upgrade."""
    for version, was_compiled in (("1", True), ("1", False), ("2", True), ("2", False)):
        monkeypatch.setitem(AS_IMPORTED, str(source.parent), version)
        assert compiled(source) == (was_compiled, [])


def test_a_compiler_that_is_switched_off_is_told(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code.numba.config, "DISABLE_JIT", 1)
    with pytest.raises(OutOfReach, match="NUMBA_DISABLE_JIT forbids the machine code"):
        loaded(source)


# --- the modules of games ---------------------------------------------------------------------------------------------



@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    cache.load_module.cache_clear()
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    cache.load_module.cache_clear()


def test_a_damaged_module_is_written_again(folder: Path) -> None:
    module = cache.load_module(TEXT)
    assert module.kernel(10) == 90
    (path,) = folder.glob("*.py")
    for content in (b"", b"raise SystemError\n", path.read_bytes().replace(b"+=", b"-="), path.read_bytes()[:-9] + b"\xff"):
        path.write_bytes(content)
        cache.load_module.cache_clear()
        assert cache.load_module(TEXT).kernel(10) == 90
        assert path.read_text() == TEXT
    assert not list(folder.rglob("*.pyc")), "Python's own files of machine code have no sums"


def test_where_nothing_can_be_kept_it_is_compiled_in_memory(folder: Path) -> None:
    folder.write_text("no folder")
    with pytest.warns(notices.Notice, match="every process compiles again; ZERMELO_CACHE=FOLDER names another place") as told:
        assert cache.load_module(TEXT).kernel(10) == 90
        assert cache.load_module(TEXT + "\n").kernel(10) == 90
    assert len(told) == 1
    assert "File exists" in str(told[0].message)


def test_rules_are_not_kept_with_kernels_that_are_no_longer_those_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade a process that had begun before kept code of the old kernels under the name of the new ones."""
    monkeypatch.setitem(AS_IMPORTED, str(cache.KERNELS), "an earlier version")
    assert cache.load_module(TEXT).kernel(10) == 90
    assert not folder.exists()


def test_code_is_compiled_where_the_current_folder_was_deleted(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules were told to have no native counterpart."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert Loc("/a/rules.py", 1).get_lines() == []


def test_what_the_system_refuses_the_compiler_is_no_fault_of_the_rules() -> None:
    function, native = SimpleNamespace(signatures=[], __name__="kernel"), SimpleNamespace(written=SimpleNamespace(text=""))
    with pytest.raises(OSError, match="Too many"), Native._errors_of(native, function):  # type: ignore[arg-type]
        raise OSError(errno.EMFILE, "Too many open files")


def test_what_the_compiler_fails_at_is_told_as_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line had no native counterpart, whatever went wrong within the compiler."""
    written = SimpleNamespace(text="", origins={}, places=[])
    native = SimpleNamespace(written=written, rules=SimpleNamespace(name="G"))
    monkeypatch.setattr(cache, "_refused", {})
    refused = [(TypeError("an int64\nis missing"), "fails with an error of its own (TypeError: an a whole number is missing)"),
               (TypingError("Unknown attribute 'x' of type list(int64)"), "`.x` of a list has no native counterpart"),
               (NotImplementedError("this"), "it has no native counterpart")]  # fmt: skip
    for k, (error, said) in enumerate(refused):
        function = SimpleNamespace(signatures=[], __name__=f"kernel_{k}")
        for _ in range(2):  # the second time it is known
            with pytest.raises(RulesRefused) as caught, Native._errors_of(native, function):  # type: ignore[arg-type]
                raise error
            assert said in str(caught.value) and str(caught.value).count("no fault of the rules") == (k == 0)


def test_what_killed_processes_left_in_the_folder_is_deleted(folder: Path) -> None:
    (folder / "__pycache__").mkdir(parents=True)
    left = [folder / ".rules_1.py.abc.tmp", folder / "__pycache__" / ".rules_1.kernel-1.py311.nbi.abc.tmp"]
    for path in left:
        path.write_text("half")
    cache.load_module(TEXT).kernel(10)
    assert not any(path.exists() for path in left)


def test_the_report_says_what_was_said(folder: Path) -> None:
    folder.write_text("no folder")
    code = "import zermelo\nprint(zermelo.solve('card-draw', red=2, black=2).report.notes)"
    compiled = {**os.environ, "ZERMELO_TIER": "compiled"}  # small games are answered without machine code
    run = subprocess.run([sys.executable, "-c", code], env=compiled, capture_output=True, text=True, check=True)
    assert "every process compiles again" in run.stdout and run.stderr.count("every process compiles again") == 1


CALLING = """
import sys
from typing import NamedTuple
import zermelo

class At(NamedTuple):
    i: int

def is_even(n):
    return n == 0 or is_odd(n - 1)

def is_odd(n):
    return n > 0 and is_even(n - 1)

class Tower(NamedTuple):  # its machine code is kept
    def start(self):
        return At(0)

    def actions(self, s):
        if s.i < 5:
            yield 0

    def outcomes(self, s, a):
        yield 1, self.tower(s.i, 0), At(s.i + 1)

    def tower(self, n, least):
        return 0 if n <= least else 1 + self.tower(n - 1, least)

class Circle(NamedTuple):  # its machine code can't be
    start, actions = Tower.start, Tower.actions

    def outcomes(self, s, a):
        yield 1, 2 if is_even(s.i) else 0, At(s.i + 1)

print(zermelo.solve(Tower()).value, zermelo.solve(Circle()).value)
"""


def test_functions_that_call_themselves_are_right_in_the_next_process(tmp_path: Path, folder: Path) -> None:
    """The second process ended with SIGSEGV: what was kept held the addresses of the first one."""
    (tmp_path / "calling.py").write_text(CALLING)
    environment = {**os.environ, "ZERMELO_TIER": "compiled"}
    for _ in range(2):
        run = subprocess.run([sys.executable, tmp_path / "calling.py"], env=environment, capture_output=True, text=True)
        assert (run.returncode, run.stdout) == (0, "10.0 6.0\n"), run.stderr
        assert run.stderr.count("call one another in a circle can't be kept") == 1
    (tower,) = {path.name.split(".")[0] for path in folder.rglob("rules_*.nbc")}
    assert "from the rules of Tower;" in (folder / f"{tower}.py").read_text()


@pytest.mark.parametrize("threshold", [700, 0])  # 0: garbage is never looked for
def test_garbage_is_looked_for_less_often_only_while_something_is_compiled(threshold: int) -> None:
    from numba.core.event import RecordingListener, install_listener

    from zermelo.basics.machine_code import SELDOM, njit

    class Spy(RecordingListener):
        def on_start(self, event: Any) -> None:
            seen.append(gc.get_threshold()[0])

    seen: list[int] = []
    before = gc.get_threshold()
    gc.set_threshold(threshold, *before[1:])
    try:
        with install_listener("numba:compile", Spy()):
            assert njit(lambda x: [x + i for i in range(3)])(1) == [1, 2, 3]
        assert gc.get_threshold() == (threshold, *before[1:])
    finally:
        gc.set_threshold(*before)
    assert seen and set(seen) == {SELDOM if threshold else 0}


def test_options_of_the_compiler_are_equal_if_all_their_values_are() -> None:
    from numba.core.compiler import Flags

    plain, same, other = Flags(), Flags(), Flags()
    same.nrt, other.nrt = plain.nrt, not plain.nrt
    assert plain == same and hash(plain) == hash(same) and plain != other and plain != 1


def test_machine_code_is_found_where_numba_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With $NUMBA_CACHE_DIR it counted as missing, and Python ran what was compiled."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "mine"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert code_folders(cache_directory()) == [tmp_path / "mine" / "__pycache__"]
    name = CompileResultCacheImpl._locator_classes[0].get_suitable_cache_subpath(str(tmp_path / "kernels" / "newton.py"))
    assert code_folders(tmp_path / "kernels") == [tmp_path / "kernels" / "__pycache__", tmp_path / "mine" / name]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    name = CompileResultCacheImpl._locator_classes[0].get_suitable_cache_subpath(str(tmp_path / "mine" / "rules.py"))
    (folder,) = code_folders(cache_directory())
    assert folder == tmp_path / "numba" / name
    assert cache.machine_code("a = 1") == "missing"
    folder.mkdir(parents=True)
    (folder / f"{cache._name('a = 1')}.f-1.py.1.nbc").touch()
    assert cache.machine_code("a = 1") == "kept"


def test_a_module_is_loaded_before_its_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that are at hand, but not compiled, were taken to be: the check of patterns compiled them at once."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    text = TEXT.replace("STEP = 2", "STEP = 4")
    kernel = cache.load_module(text).kernel
    assert cache.machine_code(text) == "missing"
    assert kernel(10) == 180
    assert cache.machine_code(text) == "loaded"
    del sys.modules[kernel.__module__]
    assert cache.machine_code(text) == "kept"
