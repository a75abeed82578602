"""OpenSpiel: its own Pig and its value iteration."""

from __future__ import annotations

import sys
import time
from types import ModuleType
from unittest.mock import MagicMock

from contender import Result


def algorithms() -> tuple[ModuleType, ModuleType]:
    """`value_iteration` and `get_all_states`. The first imports an LP solver, for games of simultaneous moves; Pig never calls it."""
    try:
        import cvxpy  # noqa: F401
    except ImportError:
        sys.modules["cvxpy"] = MagicMock()
    from open_spiel.python.algorithms import get_all_states, value_iteration

    return value_iteration, get_all_states


def pig(goal: int, threshold: float = 1e-9) -> Result:
    import pyspiel

    value_iteration, _ = algorithms()
    game = pyspiel.load_game("pig", {"winscore": goal})
    began = time.perf_counter()
    values = value_iteration.value_iteration(game, -1, threshold, cyclic_game=True)
    seconds = time.perf_counter() - began
    note = f"threshold {threshold:g}; no policy, no bound"
    return {"seconds": seconds, "value": values[str(game.new_initial_state())], "states": len(values), "note": note}


def connect_four(rows: int, columns: int) -> Result:
    """Its minimax with a table of all positions; no distances."""
    from open_spiel.python.algorithms import minimax_solver

    solver = minimax_solver.MinimaxSolver(f"connect_four(rows={rows},columns={columns})")
    began = time.perf_counter()
    table = solver.solve()
    seconds = time.perf_counter() - began
    start = str(solver._game.new_initial_state())
    return {"seconds": seconds, "value": table[start].value, "states": len(table), "note": "no distances to the end"}


def explore_pig(goal: int) -> Result:
    import pyspiel

    _, get_all_states = algorithms()
    game = pyspiel.load_game("pig", {"winscore": goal})
    began = time.perf_counter()
    found = get_all_states.get_all_states(game, -1, True, False, to_string=str, stop_if_encountered=True)
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "states": len(found), "parts": {"million states a second": len(found) / seconds / 1e6}}
