"""Pictures that games with hidden cards have in common: both hands, and both stakes (language/pictures.py)."""

from collections.abc import Iterable, Iterator
from typing import Any


def hands(held: Iterable[Iterable[str]], player: int, kind: str = "cards") -> Iterator[dict[str, Any]]:
    """The cards or dice that both players hold, face down if `player` does not see them; -1 sees everything."""
    for owner, texts in enumerate(held):
        yield {"kind": kind, "owner": owner, kind: [text if player in (-1, owner) else None for text in texts]}


def stakes(amounts: Iterable[int]) -> Iterator[dict[str, Any]]:
    """The stakes of both players."""
    for owner, amount in enumerate(amounts):
        yield {"kind": "coins", "owner": owner, "label": "put in", "coins": amount}
