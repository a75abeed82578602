"""The folders in which machine code lies, as far as it can be said without the compiler.

It lies beside the sources, as Python's own files do, or in the cache directory, if nothing can be written beside them, as where root has
installed the package; with $NUMBA_CACHE_DIR in that folder alone. What is there is read wherever it lies, even if nothing can be written
there; what is new is written to the first folder that takes it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from zermelo.basics.disk import cache_directory

ALONE = "NUMBA_CACHE_DIR"
COMPILED = ("*.nb[ic]", "compiled-ahead.*")  # the files of numba, and those that say what was compiled (ahead.py)


def code_folders(sources: Path) -> list[Path]:
    """Where machine code of the sources in a folder may lie, in the order in which it is looked for, and written."""
    sources = Path(os.path.abspath(sources))
    own = f"{sources.name}_{hashlib.sha1(str(sources).encode()).hexdigest()}"  # numba's name
    if asked := os.environ.get(ALONE):
        return [Path(asked, own)]
    kept = Path(os.path.abspath(cache_directory()))
    return [sources / "__pycache__", *([kept / own] if sources != kept else [])]


def folder_for_new_code(sources: Path) -> Path | None:
    """The first of these folders that can be written to; it is made. None if nothing can be kept."""
    return next(filter(_takes_files, code_folders(sources)), None)


def _takes_files(folder: Path) -> bool:
    import tempfile  # takes long, and is needed only before something is compiled

    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()  # permissions do not tell of everything that may forbid it
    except OSError:
        return False
    return True
