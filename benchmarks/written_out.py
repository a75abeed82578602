"""How long rules with many `yield`s take to be compiled: python benchmarks/written_out.py [--as-written] [N ...]

--as-written leaves out what makes loops of them (link/written_out.py). Processor seconds of zermelo.solve, array kernels compiled before.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import zermelo
from zermelo.kernels.kernel import only
from zermelo.link import rewrite

HEAD = """
from typing import NamedTuple
class S(NamedTuple):
    i{unique}: int
    x: int = 0
class G(NamedTuple):
    def start(self):
        return S(0)
    def actions(self, s):
        if s.i{unique} < 1:
            {actions}
    def outcomes(self, s, action):
        {outcomes}
"""


def text(kind: str, n: int, unique: int) -> str:
    """A game with n yields; no other has its text, so that it must be compiled."""
    i = f"i{unique}"
    actions, outcomes = ["yield 0", "yield 1"], [f"yield 1, 0, S(s.{i} + 1, action)"]
    if kind == "outcomes":
        outcomes = [f"yield {k % 7 + 1}, {k % 5}, S(s.{i} + 1, {k})" for k in range(n)]
    if kind == "branches":
        for k in range(n // 2):
            inside = (f"    yield {k % 3 + 1}, 1, S(s.{i} + 1, {k})", f"    yield 2, 0, s._replace({i}=s.{i} + 1)")
            outcomes += [f"if s.x % {k + 2} == {k}:", *inside]
    if kind == "actions":
        actions = [f"yield {k}" for k in range(n)]
    return HEAD.format(unique=unique, actions="\n            ".join(actions), outcomes="\n        ".join(outcomes))


def seconds(kind: str, n: int, folder: Path) -> float:
    unique = time.time_ns()
    path = folder / f"written_out_{unique}.py"
    path.write_text(text(kind, n, unique))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    before = time.process_time()
    zermelo.solve(module.G())
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--as-written", action="store_true")
    parser.add_argument("sizes", type=int, nargs="*", default=[10, 100, 300, 1000])
    given = parser.parse_args()
    if given.as_written:
        rewrite.as_loops = lambda tree: (tree, {})
    with tempfile.TemporaryDirectory() as name, only("compiled"):
        seconds("outcomes", 3, Path(name))
        for kind in ("outcomes", "branches", "actions"):
            print(f"| {kind} |", " | ".join(f"{seconds(kind, n, Path(name)):.1f}" for n in given.sizes), "|", flush=True)


if __name__ == "__main__":
    main()
