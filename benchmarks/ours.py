"""Zermelo's side of every comparison. Times are of a process that has compiled or loaded its native code; `first` is the first."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from contender import Result, clocked, median, peak_mib, timed

WARMING = 5.0  # seconds of solving before times count: a small game is interpreted at first


def game_of(name: str, given: dict[str, Any]) -> Any:
    import circular_games
    import loop_game

    import zermelo.games

    home = next(home for home in (loop_game, circular_games, zermelo.games) if hasattr(home, name))
    return getattr(home, name)(**given)


def solve(name: str, given: dict[str, Any], exact: bool = False, repeats: int = 5) -> Result:
    """Check the rules, find the states, solve, certify. States are sorted when they are first looked at: that is timed apart."""
    import zermelo

    os.environ["ZERMELO_ANEW"] = "1"  # no answer from an earlier time
    game = game_of(name, given)
    first, middle, solution, peak = timed(lambda: zermelo.solve(game, exact=exact), repeats, WARMING)
    is_stored = solution.report.engine in ("explored", "stages")
    parts = {"sorting the states": clocked(lambda: solution.values)} if is_stored else swept(solution, middle)
    result: Result = {
        "seconds": middle,
        "first": first,
        "value": float(solution.value),
        "low": float(solution.low),
        "high": float(solution.high),
        "states": solution.statistics["states"],
        "peak_mib": peak,
        "parts": parts,
    }
    if isinstance(solution.value, Fraction):
        result["exact"] = str(solution.value)
    return result


def lemonade_day(assets: int, cost: int, weather: str) -> Result:
    """The best single day at the lemonade stand: every decision."""
    from zermelo.games.lemonade_day import best_day

    first, middle, day, peak = timed(lambda: best_day(assets, cost, weather))
    return {"seconds": middle, "first": first, "value": float(day.expected), "peak_mib": peak}


def swept(solution: Any, seconds: float) -> dict[str, float]:
    """How fast the cells of a sweep, the positions of a board game, or the outcomes of stages go by in a solve that takes so long."""
    statistics = solution.statistics
    if solution.report.engine == "boards":
        return {
            "million positions a second": statistics["states"] / seconds / 1e6,
            "million moves a second": statistics["moves"] / seconds / 1e6,
            "bytes a position": statistics["table"] / statistics["states"],
        }
    if solution.report.engine != "urn":
        return {"million outcomes a second": statistics["outcomes"] / seconds / 1e6}
    return {"billion cells a second": statistics["cells"] / seconds / 1e9}


def explore(name: str, given: dict[str, Any], repeats: int = 5) -> Result:
    """Find the states and number them in component order, from the rules."""
    from zermelo.engines.exploring.explore import explore as explored
    from zermelo.language.checking import check
    from zermelo.language.rules import read

    game = game_of(name, given)
    rules, sample = read(game), check(game).states
    checked = clocked(lambda: check(game))
    first, middle, found, peak = timed(lambda: explored(rules, sample), repeats)
    written = median([clocked(lambda: write_out(found)) for _ in range(repeats)])
    outcomes = found.facts["outcomes"]
    parts = {
        "million states a second": found.num_states / middle / 1e6,
        "ns an outcome": 1e9 * middle / max(outcomes, 1),
        "checking the rules": checked,
        "writing all transitions": written,
    }
    return {"seconds": middle, "first": first, "states": found.num_states, "peak_mib": peak, "parts": parts}


def write_out(explored: Any) -> None:
    for _ in explored.batches():
        pass


def simulate(name: str, given: dict[str, Any], plays: int) -> Result:
    """Play the optimal policy."""
    import zermelo

    solution = zermelo.solve(game_of(name, given))
    first, middle, found, peak = timed(lambda: solution.simulate(plays, seed=1))
    parts = {"million plays a second": plays / middle / 1e6}
    return {"seconds": middle, "first": first, "value": float(found.mean), "peak_mib": peak, "parts": parts}


def export(name: str, given: dict[str, Any], path: str, exact: bool = False, repeats: int = 1) -> Result:
    """Solve, and write the game for model checkers."""
    import zermelo

    result = solve(name, given, exact, repeats)
    solution = zermelo.solve(game_of(name, given))
    result["parts"] |= {"writing the file": clocked(lambda: solution.export_umb(path))}
    result["peak_mib"] = peak_mib()
    return result


def write(name: str, given: dict[str, Any], path: str) -> Result:
    """Write the game for model checkers: all positions, tables not turned."""
    import zermelo

    solution = zermelo.solve(game_of(name, given))
    return {"seconds": clocked(lambda: solution.export_umb(path)), "peak_mib": peak_mib()}
