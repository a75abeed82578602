"""Games that the site plays: files of `zermelo page`, written when the site is built."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

import zermelo
from zermelo.basics.progress import silent
from zermelo.games.named import find
from zermelo.serve.offline import page_of
from zermelo.serve.shelf import Sheet

PLAYED: dict[str, dict[str, int]] = {"tic-tac-toe": {}, "pig": {"goal": 20}, "kuhn-poker": {}, "binary-search": {"n": 13}}


def on_files(files: Files, config: Any) -> Files:
    for word, parameters in PLAYED.items():
        solution = zermelo.solve(word, **parameters)
        made = page_of(solution, Sheet(word, find(word), parameters), silent).content
        files.append(File.generated(config, f"play/{word}.html", content=made))
    return files
