"""Builds the wheel, installs it into a fresh environment outside the checkout, and runs the tests of this folder with it.

    python tests/installed/run.py           dependencies are those of the Python that runs this
    python tests/installed/run.py --full    dependencies are installed from the package index, too
    python tests/installed/run.py --clean   remove the environments

Other arguments are given to pytest. Standard library only. The environment is made anew whenever a source has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CHECKOUT = TESTS.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zermelo-installed"
INGREDIENTS = ("pyproject.toml", "README.md", "LICENSE", "src")
NOT_SOURCES = shutil.ignore_patterns("__pycache__", "*.egg-info")
MACHINE_CODE = ("*.nbi", "*.nbc", "kernels.stamp", "compiled-ahead.*")  # what is kept beside kernels


def main(arguments: list[str]) -> int:
    home = CACHE / hashlib.sha256(f"{CHECKOUT}".encode()).hexdigest()[:16]
    if "--clean" in arguments:
        shutil.rmtree(home, ignore_errors=True)
        return 0
    is_full = "--full" in arguments
    environment = home / ("full" if is_full else "lean")
    with tempfile.TemporaryDirectory() as place:
        if not _is_of_today(environment):
            _make(environment, _wheel(Path(place)), is_full)
        options = [a for a in arguments if a != "--full"]
        return _pytest(environment, Path(place), options)


def _wheel(place: Path) -> Path:
    """The wheel of this checkout, built from a copy: a folder `build` left over from another time would come into it."""
    copy = place / "checkout"
    copy.mkdir()
    for name in INGREDIENTS:
        source = CHECKOUT / name
        copied = shutil.copytree if source.is_dir() else shutil.copy2
        copied(source, copy / name, **({"ignore": NOT_SOURCES} if source.is_dir() else {}))
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(copy))
    return next(place.glob("*.whl"))


def _make(environment: Path, wheel: Path, is_full: bool) -> None:
    """A fresh environment with the wheel in it."""
    venv.create(environment, clear=True, with_pip=False, symlinks=os.name != "nt")
    pip = [sys.executable, "-m", "pip", "--python", str(_program(environment, "python")), "install", "--quiet"]
    if is_full:
        _run(*pip, f"{wheel}[umb]", "pytest")
    else:
        _run(*pip, "--no-deps", "--no-index", str(wheel))
        _lend_dependencies(environment)
        _lend_machine_code(_packages(environment) / "zermelo")
    _stamp(environment).write_text(_today())


def _lend_dependencies(environment: Path) -> None:
    """Let the packages of the Python that runs this be found after those of the environment. Files named *.pth in folders that a
    .pth file names are not read, so that an editable installation of the checkout there is not found."""
    folders = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    (_packages(environment) / "dependencies_of_tests.pth").write_text("\n".join(folders) + "\n")


def _lend_machine_code(installed: Path) -> None:
    """Copy what was compiled in the checkout: it takes minutes."""
    sources = CHECKOUT / "src" / "zermelo"
    for file in (f for pattern in MACHINE_CODE for f in sources.rglob(f"__pycache__/{pattern}")):
        target = installed / file.relative_to(sources)
        target.parent.mkdir(exist_ok=True)
        shutil.copy2(file, target)


def _pytest(environment: Path, place: Path, options: list[str]) -> int:
    """Run the tests in an empty folder. Nothing may lead back to the checkout: not pytest's own import paths, either."""
    folder = place / "elsewhere"
    folder.mkdir()
    ours = ["--import-mode=importlib", "-p", "no:cacheprovider", f"--confcutdir={TESTS}"]
    command = [_program(environment, "python"), "-m", "pytest", *ours]
    return subprocess.run([*command, TESTS, *options], cwd=folder, env=_variables()).returncode


def _is_of_today(environment: Path) -> bool:
    return _stamp(environment).exists() and _stamp(environment).read_text() == _today()


def _today() -> str:
    """A hash of all that the wheel is made of, and of the Python that it is for."""
    found = hashlib.sha256(f"{sys.version} {sys.prefix} {(TESTS / 'run.py').read_text()}".encode())
    for name in INGREDIENTS:
        top = CHECKOUT / name
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if file.is_file() and not any(p == "__pycache__" or p.endswith(".egg-info") for p in file.parts):
                found.update(f"{file.relative_to(CHECKOUT)}".encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def _stamp(environment: Path) -> Path:
    return environment / "made_from"


def _packages(environment: Path) -> Path:
    base = {"base": str(environment), "platbase": str(environment), "installed_base": str(environment)}
    return Path(sysconfig.get_path("purelib", "nt_venv" if os.name == "nt" else "posix_venv", vars=base))


def _program(environment: Path, name: str) -> Path:
    return environment / ("Scripts" if os.name == "nt" else "bin") / name


def _variables() -> dict[str, str]:
    """Of the processes started here; Python finds no modules by them."""
    return {n: v for n, v in os.environ.items() if n not in ("PYTHONPATH", "PYTHONHOME")}


def _run(*command: str) -> None:
    done = subprocess.run(command, env=_variables())
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
