"""The project's own C programs, as a specialist would write them for one game: compiled here, timed by themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from contender import Result


def run(program: str, size: int, repeats: int = 15) -> Result:
    """The program repeats the computation itself, and prints the median."""
    found = compiled(program, ("-O3",), [size, repeats], 1)
    return (
        found[0] if "failed" in found[0] else {**found[0], "note": "values and policy only: rules by hand, no bounds"}
    )


def blocks(size: int, threads: int, repeats: int = 5) -> Result:
    """The essay's method: all of the square, in blocks along their diagonals, those below the boundary skipped."""
    found = compiled("card_draw_blocks", ("-Ofast", "-pthread"), [size, threads], repeats)
    return sorted(found, key=lambda r: r.get("seconds", 0.0))[len(found) // 2]


def gobblet(sizes: int, per_size: int, threads: int = 2, repeats: int = 1) -> Result:
    """The same table and levels, made by hand for this game; nothing is compared with the next positions afterwards."""
    found = compiled("gobblet", ("-O3", "-pthread"), [sizes, per_size, threads], repeats)
    return sorted(found, key=lambda r: r.get("seconds", 0.0))[len(found) // 2]


def compiled(program: str, flags: tuple[str, ...], arguments: list[int], repeats: int) -> list[Result]:
    """Compile `program`.c into a temporary folder and run it: what it prints each time."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return [{"failed": "not installed: no C compiler (gcc or cc)"}]
    source = Path(__file__).with_name(f"{program}.c")
    with tempfile.TemporaryDirectory() as folder:
        binary = str(Path(folder) / program)
        subprocess.run(
            [compiler, *flags, "-march=native", str(source), "-o", binary, "-lm"], check=True, capture_output=True
        )
        command = [binary, *map(str, arguments)]
        return [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            for _ in range(repeats)
        ]
