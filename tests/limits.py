"""The limits in the source that tests lower to see small games treated as large ones: the one place to change when they move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import zermelo.basics.numbering
import zermelo.engines.base
import zermelo.engines.boards.engine
import zermelo.engines.urn.engine
import zermelo.engines.urn.sweep
import zermelo.states.layout
import zermelo.uses.need

# Of a ranked board game that is explored all the same:
FEW_POSITIONS = (zermelo.engines.boards.engine, "FEW_POSITIONS")
FEW_STORED = (zermelo.engines.base, "FEW_STORED")  # states of a game that counts the moves left, which are stored for every number
MOST_STORED = (zermelo.engines.urn.engine, "MOST_STORED")  # states of an urn that are explored and stored one by one
MOST_EXACT = (zermelo.engines.urn.engine, "MOST_EXACT")  # states with a rational number each
MOST_BRIDGED = (zermelo.uses.need, "MOST_BRIDGED")  # states of a game that is solved again where a verb needs all of them
WORD_BITS = (zermelo.states.layout, "WORD_BITS")  # of a word of a key: with few, small states have keys of several words
SHORT_NUMBER = (zermelo.basics.numbering, "LARGEST_SHORT_NUMBER")  # the largest number of a state that is kept in 32 bits
CELLS_A_CALL = (zermelo.engines.urn.sweep, "BUDGET")  # of a sweep between two reports of progress


@contextmanager
def lowered(limit: tuple[ModuleType, str], value: int) -> Iterator[None]:
    """The limit at this value for a while."""
    module, name = limit
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)
