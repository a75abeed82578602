"""Generated modules on disk, where the next process finds them; never stale.

A module is named by a hash of its text and of the versions of everything below it. numba keeps the machine code of its
kernels beside it (basics/machine_code.py). Edited rules have another text and thus another name, and never use old machine code.
"""

from __future__ import annotations

import hashlib
import linecache
import os
import sys
import types
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.basics.code_folders import code_folders
from zermelo.basics.disk import cache_directory, replacing
from zermelo.basics.raise_in import load
from zermelo.basics.sources import AS_IMPORTED, facts_of
from zermelo.kernels.kernel import kernels_among
from zermelo.version import __version__

KERNELS = Path(__file__).parent.parent / "kernels"
TEMPLATES = Path(__file__).parent / "templates"
OF_RULES = ("faithful", "support", "checked")  # kernels that every module of rules imports, and parts of the compiler with them
LEFT_BEHIND = ".*.tmp"  # temporary files of this folder

_refused: dict[str, dict[str, str]] = {}  # by the name of a module and that of a function: what the compiler said


@lru_cache(maxsize=256)
def load_module(text: str) -> types.ModuleType:
    """The module with this text; the text is kept in the cache directory, and the machine code beside it."""
    name = _name(text)
    module = types.ModuleType(name)
    module.__file__ = _kept(cache_directory(), name, text) or f"<{name}>"
    linecache.cache[module.__file__] = (len(text), None, text.splitlines(keepends=True), module.__file__)  # for messages about its lines
    sys.modules[name] = module
    for library in OF_RULES:
        load(f"zermelo.kernels.{library}")
    exec(compile(text, module.__file__, "exec"), module.__dict__)  # the original text, even if the file on disk has changed
    module.__dict__.update(kernels_among(module.__dict__, "compiled"))
    return module


def machine_code(text: str) -> str:
    """Where the machine code of the module with this text is: "loaded" in this process, "kept" on disk, or "missing"."""
    name = _name(text)
    if name in _refused:
        return "missing"
    held = list(vars(sys.modules[name]).values()) if name in sys.modules else []  # another thread may be filling it
    if any(getattr(f, "__module__", "") == name and getattr(f, "signatures", ()) for f in held):
        return "loaded"
    return "kept" if is_kept(text) else "missing"


def is_kept(text: str) -> bool:
    """Whether machine code of the module with this text is on disk."""
    return _is_on_disk(f"{_name(text)}.")


def note_refusal(text: str, function: str, said: str) -> None:
    """Note that the compiler can't take this function of the module with this text, and what it said. What it took before the fault came to
    light is of no use."""
    _refused.setdefault(_name(text), {})[function] = said


def refusal(text: str, function: str) -> str:
    """What the compiler said to this function of the module with this text; "" unless it refused it."""
    return _refused.get(_name(text), {}).get(function, "")


def _is_on_disk(beginning: str) -> bool:
    with suppress(OSError):  # of a relative name, if the current folder has been deleted
        return any(_begins(folder, beginning) for folder in code_folders(cache_directory()))
    return False


def _begins(folder: Path, beginning: str) -> bool:
    with suppress(OSError), os.scandir(folder) as files:
        return any(file.name.startswith(beginning) and file.name.endswith(".nbc") for file in files)
    return False


@lru_cache(maxsize=256)
def _name(text: str) -> str:
    digest = _versions().copy()
    digest.update(text.encode())
    return "rules_" + digest.hexdigest()[:32]


@lru_cache(maxsize=1)
def _versions() -> Any:
    """The hash of all that is below the text of a module, to be continued."""
    from importlib.metadata import version  # here, and not numba, which takes long to import

    numpy = load("numpy")
    below = "".join(path.read_text() for path in sorted(KERNELS.glob("*.py")))  # some are compiled into the module
    return hashlib.sha256("\n".join([__version__, version("numba"), numpy.__version__, sys.version, below, ""]).encode())


def _kept(directory: Path, name: str, text: str) -> str | None:
    """The path of a file with this text, beside which machine code is kept; None if it is not there and can't be written, or if the name, a
    hash of the kernels on disk, would be given to code of others: another version was installed while this process runs."""
    path = directory / f"{name}.py"
    try:
        if facts_of(KERNELS) != AS_IMPORTED.get(str(KERNELS)):
            return None
        if not _holds(path, text):
            directory.mkdir(parents=True, exist_ok=True)
            with replacing(path, lasting=False, stale=LEFT_BEHIND) as temporary:
                temporary.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        from zermelo.basics.machine_code import cannot_keep

        cannot_keep(f"{directory}: {error.strerror or error}")
        return None
    return str(path)


def _holds(path: Path, text: str) -> bool:
    """Whether a file has this text, also one in a folder that can't be written to."""
    with suppress(OSError):
        return path.read_bytes() == text.encode()
    return False
