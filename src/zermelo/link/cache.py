"""Generated modules on disk, where the next process finds them; never stale.

A module is named by a hash of its text and of the versions of everything below it. numba keeps the machine code of its
kernels beside it. Rules that were edited have another text, hence another name, and can't meet old machine code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import types
from functools import lru_cache
from pathlib import Path

from zermelo.version import __version__

KERNELS = Path(__file__).parent.parent / "kernels"
TEMPLATES = Path(__file__).parent / "templates"


def cache_directory() -> Path:
    """Where native modules and their machine code are kept: $ZERMELO_CACHE, or the user's cache directory."""
    if "ZERMELO_CACHE" in os.environ:
        return Path(os.environ["ZERMELO_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "zermelo"


@lru_cache(maxsize=256)
def load_module(text: str) -> types.ModuleType:
    """The module with this text, imported from the cache directory; written there first where it is missing."""
    import numba
    import numpy

    below = "".join(path.read_text() for path in sorted(KERNELS.glob("*.py")))  # some are compiled into the module
    stamp = "\n".join([__version__, numba.__version__, numpy.__version__, sys.version, below, text])
    name = "rules_" + hashlib.sha256(stamp.encode()).hexdigest()[:32]
    path = _written(cache_directory(), name, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _written(directory: Path, name: str, text: str) -> Path:
    path = directory / f"{name}.py"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_text() == text:
            return path
        descriptor, temporary = tempfile.mkstemp(dir=directory, suffix=".tmp")
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        os.replace(temporary, path)
        return path
    except OSError:  # a read-only home: compile again in every process rather than fail
        private = Path(tempfile.mkdtemp(prefix="zermelo-"))
        (private / f"{name}.py").write_text(text)
        return private / f"{name}.py"
