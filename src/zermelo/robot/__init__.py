"""A robot on two driven wheels in a maze: turtle commands, wheel speeds, sensors, and walls that stop it. Standard library only.

    from zermelo.robot import Robot, maze

    robot = Robot(obstacles=maze(rows=5, columns=5, seed=1))
    robot.forward(1)
    robot.left(90)
    robot.distance          # from the robot's rim to the wall ahead

mazes.py     mazes by size and seed, all spanning trees of the grid equally likely
robot.py     the robot: motion, collisions, sensors, pen
programs.py  ways out of a maze: wall following, and dead-end filling
"""

from zermelo.robot.mazes import Maze, maze
from zermelo.robot.programs import drive_along, fill_dead_ends, follow_wall
from zermelo.robot.robot import Robot

__all__ = ["Maze", "Robot", "drive_along", "fill_dead_ends", "follow_wall", "maze"]
