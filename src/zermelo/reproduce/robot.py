"""Numbers of the robot in its maze that are known in other ways: by argument, and from the robot among its walls, without the rules."""

from __future__ import annotations

from zermelo.games import RobotMaze
from zermelo.games.robot import left_hand, right_hand
from zermelo.reproduce.claim import OWN, Bench, Claim, Tally, tally
from zermelo.robot import Robot, fill_dead_ends, follow_wall

MAZES = range(1, 9)  # seeds


def without_errors(seed: int) -> RobotMaze:
    return RobotMaze(6, 6, seed, slip=0, turn_error=0)


def shortest(bench: Bench) -> Tally:
    games = [without_errors(seed) for seed in MAZES]
    return tally([(f"seed {g.seed}", str(len(fill_dead_ends(g.maze()))), f"{bench.solve(g).value:g}") for g in games])


def hands(bench: Bench) -> Tally:
    """Both hands: the results of the policies compared with the number of cells that the robot drives among walls."""
    pairs = []
    for game in map(without_errors, MAZES):
        driven = [follow_wall(Robot(game.maze()), game.maze(), hand) for hand in ("left", "right")]
        ours = [bench.solve(game).evaluate(policy).value for policy in (left_hand, right_hand)]
        pairs.append((f"seed {game.seed}", "{:g} {:g}".format(*driven), "{:g} {:g}".format(*map(float, ours))))
    return tally(pairs)


CLAIMS = (
    Claim("robot-maze.one-cell", "robot-maze", f"{OWN}argument: half of the slips stay", "one cell, one move in ten slips: 1/(1 - 1/20)",
          "20/19", lambda bench: bench.solve(RobotMaze(1, 1), exact=True).value),
    Claim("robot-maze.shortest", "robot-maze", f"{OWN}dead-end filling", "without errors: the cells of the only way out, eight mazes",
          f"all {len(MAZES)}", shortest),
    Claim("robot-maze.hands", "robot-maze", f"{OWN}robot among walls", "without errors: a hand on the wall, eight mazes",
          f"all {len(MAZES)}", hands),
)  # fmt: skip
