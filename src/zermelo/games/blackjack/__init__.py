"""Blackjack, exactly: every hand and every composition of the shoe, including repeated splits.

    from zermelo.games import blackjack

    table = blackjack.analyse(blackjack.Rules(decks=6, hits_soft_17=True))
    table.value                              # the round, in units of the first bet
    table.hand("10 6", up="10").values       # what every option is worth

docs/blackjack.md has the conventions, the methods and the numbers. Names are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.games.blackjack.analysis import Analysis as Analysis
    from zermelo.games.blackjack.analysis import analyse as analyse
    from zermelo.games.blackjack.counting import counting_gains as counting_gains
    from zermelo.games.blackjack.dealer import Outcomes as Outcomes
    from zermelo.games.blackjack.dealer import dealer_outcomes as dealer_outcomes
    from zermelo.games.blackjack.dealer import outcomes as outcomes
    from zermelo.games.blackjack.index_search import search_indices as search_indices
    from zermelo.games.blackjack.memory import full_memory_error as full_memory_error
    from zermelo.games.blackjack.memory import full_memory_split as full_memory_split
    from zermelo.games.blackjack.options import HandValues as HandValues
    from zermelo.games.blackjack.options import Option as Option
    from zermelo.games.blackjack.rules import AfterSplit as AfterSplit
    from zermelo.games.blackjack.rules import Rules as Rules
    from zermelo.games.blackjack.shoes import Effects as Effects
    from zermelo.games.blackjack.shoes import evaluate as evaluate
    from zermelo.games.blackjack.shoes import state_of as state_of
    from zermelo.games.blackjack.simple import Evaluated as Evaluated
    from zermelo.games.blackjack.simple import best_strategy as best_strategy
    from zermelo.games.blackjack.simple import evaluate_strategy as evaluate_strategy
    from zermelo.games.blackjack.simple import split_error as split_error
    from zermelo.games.blackjack.simple import split_value as split_value
    from zermelo.games.blackjack.strategy import Strategy as Strategy
    from zermelo.games.blackjack.strategy import read_strategy as read_strategy

_HOME_OF = {
    "Effects": "shoes",
    "Evaluated": "simple",
    "Strategy": "strategy",
    "best_strategy": "simple",
    "counting_gains": "counting",
    "evaluate": "shoes",
    "evaluate_strategy": "simple",
    "search_indices": "index_search",
    "full_memory_error": "memory",
    "full_memory_split": "memory",
    "read_strategy": "strategy",
    "split_error": "simple",
    "split_value": "simple",
    "state_of": "shoes",
    "AfterSplit": "rules",
    "Analysis": "analysis",
    "HandValues": "options",
    "Option": "options",
    "Outcomes": "dealer",
    "Rules": "rules",
    "analyse": "analysis",
    "dealer_outcomes": "dealer",
    "outcomes": "dealer",
}

__all__ = [*_HOME_OF]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
