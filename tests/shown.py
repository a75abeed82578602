"""What the pages show is what comes out: their commands and Python sessions are run, and what they print is compared or written anew.

    python tests/shown.py                       compares all pages, those parts too that take long
    python tests/shown.py --write PAGE ...      writes what comes out into these pages, and their pictures into docs/images
    python tests/shown.py --write --quick PAGE  leaves out what is marked as slow

In a page, each run in a directory of its own and from the top down:

- a block ```console has commands `$ zermelo ...`, each followed by what it prints in a terminal of 80 columns (`| head -N`: its first
  N lines; `cat FILE` shows a file);
- a block ```pycon is a Python session; all sessions of a page are one;
- a block ```python title="FILE" (or ```text) is saved as FILE first;
- a picture images/NAME that a command of the page writes as NAME is compared with what the command draws;
- `<!-- slow -->` on the line before a block leaves it, and its pictures, to `make test-slow`.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.kernels.kernel import only

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
COLUMNS = "80"
PATCH, MOST_DIFFERENT = 16, 0.1  # of pictures: pixels, and how much a patch may differ on average, from 0 to 1

BLOCK = re.compile(
    r"(?P<slow>^[ ]*<!-- slow -->\n)?^(?P<indent>[ ]*)```(?P<kind>console|pycon|(?:python|text) title=\"(?P<file>[\w.]+)\")[^\n]*\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.S | re.M,
)
MASKS = (  # what differs from run to run, in one line without repeated spaces
    (r"(\d[\d.,]* (ms|s|min|hours|seconds)( [a-z]+)?, )*\d[\d.,]* (ms|s|min|hours|seconds)\b", "TIME"),
    (r"TIME compiling, ", ""),
    (r"(\"seconds[a-z ]*\"): [\d.e-]+", r"\1: TIME"),
    (r"\brules (interpreted|compiled)\b", "RULES"),
    (r"\b\d[\d.,]* million states a second", "SPEED"),
    (r"\b\d+ process(es)?( of \d+ threads)?(, busy \d+ % of the time)?", "PROCESSES"),
    (r"\d+(\.\d+)? [KMG]i?B\b", "MEMORY"),
)  # fmt: skip


@dataclass
class Difference:
    """Something that a page shows and that does not come out."""

    page: str
    what: str
    shown: str
    found: str

    def __str__(self) -> str:
        return f"{self.page}: {self.what}\n--- shown\n{self.shown}\n--- comes out\n{self.found}"


@dataclass
class Run:
    """A page that is being run: what its sessions know, and what differed."""

    name: str
    slow: bool
    scope: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    differences: list[Difference] = field(default_factory=list)
    pictures: dict[str, Path] = field(default_factory=dict)
    shown: int = 0

    def replaced(self, block: re.Match[str]) -> str:
        """The block as it should be."""
        if block["slow"] and not self.slow:
            return block[0]
        indent, text = block["indent"], textwrap.dedent(block["text"])
        if block["file"]:
            Path(block["file"]).write_text(text)
            return block[0]
        with contextlib.nullcontext() if block["slow"] else only("interpreted"):
            found = self.commands(text) if block["kind"] == "console" else self.session(text)
        head = block[0][: block.start("text") - block.start()]
        return head + textwrap.indent(found + "\n", indent, lambda line: bool(line.strip())) + f"{indent}```"

    def compared(self, what: str, shown: str, found: str) -> None:
        self.shown += 1
        if essence(shown) != essence(found):
            self.differences.append(Difference(self.name, what, shown, found))

    def commands(self, text: str) -> str:
        parts = re.split(r"^\$ (.*)\n?", text, flags=re.M)
        if parts[0].strip():
            raise ValueError(f"{self.name}: a console block begins with `$ `, not with {parts[0].splitlines()[0]!r}")
        written = []
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            found = printed(command)
            self.compared(command, shown, found)
            written.append("\n".join([f"$ {command}", *([found] if found else [])]) + ("\n" if shown.endswith("\n\n") else ""))
            self.drawn()
        return "\n".join(written).rstrip()

    def session(self, text: str) -> str:
        written = []
        for example in doctest.DocTestParser().get_examples(text):
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                try:
                    exec(compile(example.source, f"<{self.name}>", "single"), self.scope)
                except Exception as error:
                    last = "".join(traceback.format_exception_only(error)).strip()
                    output.write(f"Traceback (most recent call last):\n  ...\n{last}\n")
            found = output.getvalue().rstrip()
            self.compared(example.source.strip(), example.want, found)
            lines = example.source.rstrip("\n").split("\n")
            written += [">>> " + lines[0], *(f"... {line}".rstrip() for line in lines[1:]), *([found] if found else [])]
            self.drawn()
        return "\n".join(written)

    def drawn(self) -> None:
        """Notice pictures that were drawn."""
        for path in Path.cwd().glob("*.png"):
            self.pictures[path.name] = path


def essence(text: str) -> str:
    """What is compared: everything but line breaks and repeated spaces, times, and how rules were run."""
    text = " ".join(text.split())
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text)
    return text


def printed(command: str) -> str:
    """What a command prints, errors included."""
    from zermelo.cli import main

    words = shlex.split(command, comments=True)
    most = None
    if "|" in words:
        at = words.index("|")
        if words[at + 1] != "head":
            raise ValueError(f"only `| head -N` can follow a command: {command}")
        most, words = -int(words[at + 2]), words[:at]
    if words[0] == "cat":
        return Path(words[1]).read_text().rstrip()
    if words[0] != "zermelo":
        raise ValueError(f"only zermelo is run, not {words[0]}: {command}")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), contextlib.suppress(SystemExit):
        main(words[1:])
    lines = [line.rstrip() for line in output.getvalue().rstrip().splitlines()]
    return "\n".join(lines[:most])


@contextlib.contextmanager
def place() -> Iterator[None]:
    """A directory of its own, in which modules can be imported; the terminal has 80 columns, and nothing is compiled."""
    before, path, modules = Path.cwd(), list(sys.path), set(sys.modules)
    environment = {name: os.environ.get(name) for name in ("COLUMNS", "MPLBACKEND", "NO_COLOR", "ZERMELO_CACHE")}
    os.environ.update({"COLUMNS": COLUMNS, "MPLBACKEND": "agg", "NO_COLOR": "1"})
    with tempfile.TemporaryDirectory() as directory:
        os.environ["ZERMELO_CACHE"] = os.path.join(directory, "cache")  # nothing is known from an earlier time
        os.chdir(directory)
        sys.path.insert(0, directory)
        try:
            yield
        finally:
            os.chdir(before)
            sys.path[:] = path
            for name in set(sys.modules) - modules:
                if str(getattr(sys.modules[name], "__file__", "")).startswith(directory):
                    del sys.modules[name]
            for name, value in environment.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def run(page: Path, slow: bool, write: bool = False) -> Run:
    """Run a page; with `write` it then shows what came out."""
    text = page.read_text()
    this = Run(str(page.relative_to(ROOT)), slow)
    with place():
        new = BLOCK.sub(this.replaced, text)
        for name in re.findall(r"images/([\w-]+\.png)\)", text):
            if name in this.pictures:
                kept, drawn = IMAGES / name, this.pictures[name]
                if not kept.exists() or (far := apart(kept, drawn)) > MOST_DIFFERENT:
                    far = far if kept.exists() else 1.0
                    this.differences.append(Difference(this.name, f"the picture {name}", "", f"differs by {far:.2f} somewhere"))
                    if write:
                        kept.write_bytes(drawn.read_bytes())
    if write and new != text:
        page.write_text(new)
    return this


def apart(one: Path, other: Path) -> float:
    """How far two pictures differ in the patch where they differ most: mean difference of its grey values, from 0 (equal) to 1."""
    import numpy as np
    from matplotlib.image import imread

    a, b = (np.asarray(imread(path))[..., :3].mean(axis=2) for path in (one, other))
    if any(abs(m - n) > 2 for m, n in zip(a.shape, b.shape, strict=True)):
        return 1.0
    high, wide = (min(m, n) // PATCH * PATCH for m, n in zip(a.shape, b.shape, strict=True))
    difference = np.abs(a[:high, :wide] - b[:high, :wide])
    return float(difference.reshape(high // PATCH, PATCH, wide // PATCH, PATCH).mean(axis=(1, 3)).max())


def pages() -> list[Path]:
    """All pages that show something that can be run."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [p for p in found if any(not m["file"] for m in BLOCK.finditer(p.read_text()))]


def has_slow(page: Path) -> bool:
    return any(m["slow"] for m in BLOCK.finditer(page.read_text()))


def main() -> int:
    """The command line of this file; how many things differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    given = parser.parse_args()
    differ = 0
    for page in [p.resolve() for p in given.pages] or pages():
        this = run(page, not given.quick, given.write)
        differ += len(this.differences)
        print(f"{this.name}: {this.shown} shown, {len(this.differences)} {'written' if given.write else 'differ'}")
        for difference in this.differences:
            print(textwrap.indent(str(difference), "    ") if not given.write else f"    {difference.what}")
    return 0 if given.write else int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
