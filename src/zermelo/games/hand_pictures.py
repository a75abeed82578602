"""Pictures that games with hidden cards have in common: the hands of both, and what they have put in (language/pictures.py)."""

from collections.abc import Iterable, Iterator
from typing import Any


def hands(held: Iterable[Iterable[str]], player: int, kind: str = "cards") -> Iterator[dict[str, Any]]:
    """What both players hold, cards or dice: face down what `player` does not see; -1 sees everything."""
    for owner, texts in enumerate(held):
        yield {"kind": kind, "owner": owner, kind: [text if player in (-1, owner) else None for text in texts]}


def stakes(amounts: Iterable[int]) -> Iterator[dict[str, Any]]:
    """What both players have put in."""
    for owner, amount in enumerate(amounts):
        yield {"kind": "coins", "owner": owner, "label": "put in", "coins": amount}
