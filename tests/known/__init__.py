"""Values from the literature and from independent computation, one JSON file a game, each with its source.

`known("pig")` gives the facts of tests/known/pig.json; `known("pig", "win probability")` those of one quantity. Numbers
are kept as they were given: rationals and decimals as text, which Fraction reads (`Known.exact`), tables as lists.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
GAMES = tuple(sorted(path.stem for path in HERE.glob("*.json")))


class Known(NamedTuple):
    id: str
    game: str  # name of the class in zermelo.games, or of a puzzle
    params: Mapping[str, Any]
    state: tuple[int, ...] | None  # None: the start
    quantity: str
    value: Any
    kind: str  # rational, int: exact; decimal: to the digits given; printed: rounded in a publication; table, list, ...
    note: str
    source: str

    @property
    def exact(self) -> Fraction:
        return Fraction(self.value)


def known(game: str, quantity: str | None = None) -> list[Known]:
    """The facts of a game, all or those of one quantity."""
    data = json.loads((HERE / f"{game}.json").read_text())
    facts = [
        Known(
            id=entry["id"],
            game=entry["game"],
            params=entry["params"],
            state=tuple(entry["state"]) if "state" in entry else None,
            quantity=entry["quantity"],
            value=entry["value"],
            kind=entry["kind"],
            note=entry.get("note", ""),
            source=data["source"],
        )
        for entry in data["values"]
    ]
    return [fact for fact in facts if quantity in (None, fact.quantity)]
