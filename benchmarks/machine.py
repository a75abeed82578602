"""Where and with what was measured."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    "pygambit",
    "nashpy",
    "zermelo", "numpy", "numba", "llvmlite", "scipy", "python-flint", "open_spiel", "stormpy", "dynaplex", "quantecon", "umbi",
)  # fmt: skip


def machine() -> dict[str, str]:
    """Date, processor, cores, memory, system."""
    return {
        "date": date.today().isoformat(),
        "processor": processor(),
        "cores": f"{len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()}",
        "memory": memory(),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "load before": " ".join(f"{x:.1f}" for x in os.getloadavg()),
        "source": source(),
    }


def processor() -> str:
    cpu = Path("/proc/cpuinfo")
    found = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", cpu.read_text(), re.M)) if cpu.exists() else {}
    name = found.get("model name", platform.processor() or platform.machine())
    about = [f"{k} {found[k]}" for k in ("cpu family", "model", "cpu MHz", "cache size") if k in found]
    return ", ".join([name, *about])


def memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (ValueError, OSError):
        return "unknown"


def source() -> str:
    """The commit that was measured, and whether files differ from it."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return said.stdout.strip()


def versions() -> dict[str, str]:
    """The packages that take part, and the C compiler."""
    return {name: installed(name) for name in PACKAGES} | {"C compiler": compiler()}


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source" if name == "zermelo" else "not installed"


def compiler() -> str:
    found = shutil.which("gcc") or shutil.which("cc")
    if not found:
        return "not installed"
    return subprocess.run([found, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
