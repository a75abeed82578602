"""Finished sweeps that are kept on disk, under a hash of everything they depend on, so that asking the same question twice costs nothing.

The complete result of a sweep is kept, some megabytes for the largest urns: value, stopping line, and the requested curve. The
hash covers the urn, the width of the window, the curve, the versions of numba and numpy, and the sources of the sweep, but not the rules.
Files have the format of a checkpoint, with its checksums. ZERMELO_ANEW=1 sweeps again, and keeps nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.swept import UrnSweep
from zermelo.basics.disk import cache_directory
from zermelo.basics.notices import notify
from zermelo.errors import FileError, ParameterError
from zermelo.kernels import urn_places as places
from zermelo.storage.contents import check_contents, check_header
from zermelo.storage.file import read, write
from zermelo.storage.fractions import decode_fractions, encode_fractions
from zermelo.storage.swept import GOING_ON, KIND, check, run_of
from zermelo.version import __version__

WORTH = 0.005  # seconds of sweeping from which on an answer is kept, which also saves loading the machine code
FOLDER = "sweeps"
PACKAGE = Path(__file__).parent.parent.parent
SOURCES = (
    "kernels/urn.py", "kernels/urn_places.py", "kernels/meeting.py", "kernels/kernel.py", "engines/urn/*.py", "storage/swept.py",
    "answers/swept.py",
)  # fmt: skip


class Kept(NamedTuple):
    """A finished sweep from disk."""

    swept: UrnSweep
    cells: int
    seconds: float  # seconds that the sweep took
    exact: Fraction | None  # the value as a rational number, if it was requested


def find(plus: int, minus: int, deviations: float, at: Sequence[int] | np.ndarray = (), exact: bool = False) -> Kept | None:
    """The sweep of this urn, if it was kept; with its exact value, if requested. A damaged file is reported, and not used."""
    path = _path(plus, minus, deviations, at, exact)
    if _is_anew() or not (os.path.isfile(path) and os.access(path, os.R_OK)):  # it may be another user's
        return None
    try:
        header, arrays = read(path, verify=True)
        check_header(path, header)
        check_contents(path, header, arrays, check)
        if header.get("kind") != KIND or header["run"] != run_of(plus, minus, float(deviations), len(at)) or not _is_whole(header, arrays):
            raise FileError(f"{path} answers another question")
        own = [np.array(arrays[name]) for name in ("tiles", "highest", "reach", "kept")]
        going_on = {name: np.array(arrays[name]) for name in GOING_ON}
        found = UrnSweep(plus, minus, float(deviations), own[0], own[1], own[2], own[3], going_on)
        value = decode_fractions(arrays)[0] if exact else None
        return Kept(found, int(arrays["carried"][places.CELLS]), float(header["seconds"]), value)
    except FileError:
        notify(f"a kept answer was damaged: it is computed again and replaced ({path})")
        return None


def keep(swept: UrnSweep, seconds: float, exact: Fraction | None = None) -> None:
    """Put a finished sweep on disk, if it took long enough to be worth it."""
    if seconds < WORTH or _is_anew():
        return
    at = swept.going_on["at"]
    path = _path(swept.plus, swept.minus, swept.deviations, at, exact is not None)
    header = {
        "kind": KIND, "run": run_of(swept.plus, swept.minus, swept.deviations, len(at)), "zermelo": __version__, "seconds": seconds,
    }  # fmt: skip
    arrays: dict[str, Any] = {
        **swept.going_on, "tiles": swept.tiles, "highest": swept.highest, "reach": swept.reach, "kept": swept.kept,
        **({} if exact is None else encode_fractions([exact])),
    }  # fmt: skip
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, header, arrays)
    except (OSError, FileError) as error:
        why = f"{path.parent}: {error.strerror}" if isinstance(error, OSError) else error
        notify(f"answers can't be kept for the next time ({why}); ZERMELO_CACHE=FOLDER names another place")


def note(found: Kept) -> str:
    """The note about an answer from disk."""
    return f"kept on disk from an earlier time, when it took {found.seconds:.3g} s (`zermelo cache`; ZERMELO_ANEW=1 sweeps again)"


def _is_anew() -> bool:
    asked = os.environ.get("ZERMELO_ANEW", "")
    if asked not in ("", "0", "1"):
        raise ParameterError(f"ZERMELO_ANEW must be 1 or 0, not {asked!r}")
    return asked == "1"


def _is_whole(header: Any, arrays: Any) -> bool:
    run = header["run"]
    return int(arrays["carried"][places.STAGE]) == run["balls that pay 1"] + run["balls that cost 1"]


def _path(plus: int, minus: int, deviations: float, at: Sequence[int] | np.ndarray, exact: bool) -> Path:
    asked = np.asarray(at, dtype=np.int64)
    question = f"{plus} {minus} {float(deviations)!r} {exact} {hashlib.sha256(asked.tobytes()).hexdigest()} {program()}"
    return cache_directory() / FOLDER / f"{hashlib.sha256(question.encode()).hexdigest()}.zermelo"


@cache
def program() -> str:
    """A hash of the sources that a sweep depends on, and of their compiler."""
    found = hashlib.sha256(f"{version('numba')} {version('numpy')}".encode())
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            found.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
