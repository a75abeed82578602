"""What MkDocs can't do by itself: the changelog as a page, links that leave the documentation, and the command line's reference."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
PAGES = {"CHANGELOG.md": "changelog.md", "README.md": "index.md"}
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)([^)#]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """The changelog stands beside the README in the repository, and is a page here."""
    files.append(File.generated(config, "changelog.md", content=(ROOT / "CHANGELOG.md").read_text()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links to files of the repository that are no pages become the names of these files; they must exist."""
    here = ROOT / "docs" / Path(page.file.src_uri).parent

    def written(link: re.Match[str]) -> str:
        text, up, rest, anchor = link[1], link[2], link[3], link[4] or ""
        target = (here / up / rest).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return link[0]
        if not target.exists():
            raise FileNotFoundError(f"{page.file.src_uri}: {up}{rest}")
        name = str(target.relative_to(ROOT))
        if name in PAGES:
            return f"[{text}]({'../' * (len(Path(page.file.src_uri).parts) - 1)}{PAGES[name]}{anchor})"
        if text.strip("`") in (name, target.name):
            return f"`{name}`"
        return f"{text} (`{name}`)"

    return LINK.sub(written, markdown)
