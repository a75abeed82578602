"""`zermelo serve`: a page at 127.0.0.1 that shows a solved game and lets people play it (docs/explorer.md).

server.py      HTTP from the standard library: access, limits, and the files of the page
api.py         the requests of the page, as JSON; every error is one line
shelf.py       the games named on the command line, and their solutions so far
jobs.py        long-running work: progress, cancelling
positions.py   a state as data: the facts about it, its actions and their outcomes
offline.py     `zermelo page`: one file that needs no server
pictures.py    many states as data: maps, distributions, tables
robot.py       `zermelo robot`: the robot of zermelo.robot as it drives, and the game robot-maze
races.py       that game as the robot's page shows it
searches.py    the binary search game, played from either side
blackjack.py   `zermelo blackjack serve`: chart, hands, trainer
page/          the files sent to the browser: HTML, CSS and JavaScript, without a build step

This package builds on the facade and on views: it uses only the public interface of solutions, and no engine.
"""
