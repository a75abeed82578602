"""Hashes of the sources of this package, as results and machine code of another version may differ."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

HOME = Path(__file__).parent.parent
AS_IMPORTED: dict[str, str] = {}  # folder of kernels, which are inlined in one another -> its facts


def facts_of(folder: Path) -> str:
    """A hash of the sources in this folder: not of their times, which images of containers round to seconds."""
    found = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


@cache
def program() -> str:
    """A hash of the sources of this package."""
    found = hashlib.sha256()
    for path in sorted(HOME.rglob("*.py")):
        found.update(str(path.relative_to(HOME)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
