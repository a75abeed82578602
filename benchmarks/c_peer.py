"""The project's own C programs, as a specialist would write them for one game: compiled here, timed by themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from contender import Result

FLAGS = ("-O3", "-march=native")


def run(program: str, size: int, repeats: int = 15) -> Result:
    """Compile `program`.c into a temporary folder and run it; its result is the median of `repeats`."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return {"failed": "not installed: no C compiler (gcc or cc)"}
    source = Path(__file__).with_name(f"{program}.c")
    with tempfile.TemporaryDirectory() as folder:
        binary = str(Path(folder) / program)
        subprocess.run([compiler, *FLAGS, str(source), "-o", binary, "-lm"], check=True, capture_output=True)
        printed = subprocess.run([binary, str(size), str(repeats)], check=True, capture_output=True, text=True).stdout
    return {**json.loads(printed), "note": "values and policy only: rules by hand, no bounds"}
