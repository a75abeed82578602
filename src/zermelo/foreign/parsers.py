"""Parsers of our grammars, kept on disk: making one takes a tenth of a second, reading it a hundredth."""

from __future__ import annotations

import hashlib
import io
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.basics.disk import cache_directory, replacing

if TYPE_CHECKING:
    from lark import Lark

SUM = hashlib.sha256().digest_size


@lru_cache(maxsize=4)
def parser(grammar: str, start: str) -> Lark:
    """The parser of a grammar, from the cache if it is there undamaged; otherwise made, and kept if possible."""
    import lark  # takes 50 ms, so only where a model is read

    made_from = "\n".join([lark.__version__, sys.version, start, grammar])
    path = cache_directory() / f"grammar_{hashlib.sha256(made_from.encode()).hexdigest()[:32]}.lark"
    kept = _read(path)
    if kept is not None:
        return lark.Lark.load(io.BytesIO(kept))
    made = lark.Lark(grammar, parser="lalr", start=start, propagate_positions=True, maybe_placeholders=False)
    _write(path, made)
    return made


def _read(path: Path) -> bytes | None:
    """The kept parser, if it is undamaged."""
    with suppress(OSError):
        there = path.read_bytes()
        if hashlib.sha256(there[SUM:]).digest() == there[:SUM]:
            return there[SUM:]
    return None


def _write(path: Path, made: Lark) -> None:
    kept = io.BytesIO()
    made.save(kept)
    with suppress(OSError):  # in this case it is made again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=False) as temporary:
            temporary.write_bytes(hashlib.sha256(kept.getvalue()).digest() + kept.getvalue())
