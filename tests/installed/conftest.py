"""What the tests of the installed package ask of its inside: which way a game was solved. In this place only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zermelo


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, str]]:
    """Solves a game; gives the solution and the way: the name of its solver, or "Entries by patterns"."""
    from zermelo.engines.entries import solving

    has_patterns: list[bool] = []
    patterns_of = solving.patterns_of

    def noted(*arguments: Any) -> Any:
        found = patterns_of(*arguments)
        has_patterns.append(len(found[0].of_entry) > 0)
        return found

    monkeypatch.setattr(solving, "patterns_of", noted)

    def solved(game: Any, **options: Any) -> tuple[Any, str]:
        has_patterns.clear()
        solution = zermelo.solve(game, **options)
        if "rounds" in solution.statistics:
            return solution, "Replies"
        return solution, solution.statistics["solver"] + " by patterns" * any(has_patterns)

    return solved


@pytest.fixture
def small_boards_are_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve boards as the largest are, however small they be."""
    from zermelo.engines.boards import solving

    monkeypatch.setattr(solving, "FEW_POSITIONS", 100)
