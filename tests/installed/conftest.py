"""What the tests of the installed package ask about the way that a game was solved: of `zermelo.plan` and of the solution's report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zermelo

ONE_BY_ONE = "stages are found one by one"  # a note of the engine of entries where no two stages have one pattern


@pytest.fixture
def way() -> Callable[..., tuple[Any, str]]:
    """Solves a game; gives the solution and the way: the engine that `plan` has foreseen and its solver, such as "entries: Entries",
    with "by patterns" unless a note says that there are none."""

    def solved(game: Any, **options: Any) -> tuple[Any, str]:
        plan, solution = zermelo.plan(game, **options), zermelo.solve(game, **options)
        report = solution.report
        assert plan.engine == report.engine and set(plan.notes) <= set(report.notes)
        by_patterns = report.engine == "entries" and not any(ONE_BY_ONE in note for note in (*plan.notes, *report.notes))
        return solution, f"{report.engine}: {report.solver}".removesuffix(": ") + " by patterns" * by_patterns

    return solved


@pytest.fixture
def small_boards_are_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine of boards take small games, too: those that it takes by themselves need gigabytes."""
    from zermelo.engines.boards import engine

    monkeypatch.setattr(engine, "FEW_POSITIONS", 100)
