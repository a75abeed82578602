"""The game robot-maze as the robot's page shows it: the value of every cell, the mean number of moves of policies, and random drives."""

from __future__ import annotations

import random
from typing import Any

from zermelo.basics.progress import Progress
from zermelo.errors import ParameterError
from zermelo.games.robot import LOOK, RobotMaze, left_hand, right_hand
from zermelo.games.robot_views import worth
from zermelo.solution import Solution

OPTIMAL = "optimal policy"
POLICIES = {OPTIMAL: None, "left hand on the wall": left_hand, "right hand on the wall": right_hand}
MOST_MOVES = 2_000  # of a drive shown


def floor(solution: Solution, progress: Progress) -> dict[str, Any]:
    """The walls; expected moves by heading, row and column; and each policy's mean."""
    game = _game(solution)
    progress("asking what every cell is worth", 0, None)
    values = [worth(solution, heading) for heading in range(4)]
    expected = {}
    for name, policy in POLICIES.items():
        progress(f"evaluating: {name}", 0, None)
        expected[name] = float(solution.value if policy is None else solution.evaluate(policy).value)
    return {"walls": game.maze().walls(), "size": [game.width, game.height], "worth": values, "expected": expected}


def drive(solution: Solution, name: Any) -> dict[str, Any]:
    """One drive by a policy: for every move the heading in which it was driven, and where it ended. Raises `ParameterError`."""
    if not isinstance(name, str) or name not in POLICIES:
        raise ParameterError(f"a policy is one of {', '.join(POLICIES)}")
    game, policy = _game(solution), POLICIES[name]
    state, moves = game.start(), []  # type: Any, list[list[int]]
    while state.row < game.height and len(moves) < MOST_MOVES:
        action = solution.probe(state).action if policy is None else policy(state)
        rows = [(ways, paid, after) for ways, paid, after in game.outcomes(state, action) if ways]
        ((_, _, after),) = random.choices(rows, [ways for ways, _, _ in rows])
        if action != LOOK:
            moves.append([_driven(game, state, after), after.column, after.row])
        state = after
    return {"policy": name, "moves": moves, "out": state.row == game.height}


def _driven(game: RobotMaze, before: Any, after: Any) -> int:
    """The heading after a move; for a robot that is out, the heading that led out, which the state does not keep."""
    return 1 if after.row == game.height else int(after.heading)


def _game(solution: Any) -> RobotMaze:
    if not isinstance(solution.game, RobotMaze):
        raise ParameterError("this is about robot-maze only")
    return solution.game
