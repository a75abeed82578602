"""`zermelo serve`: a page at 127.0.0.1 that shows a solved game and lets people play it (docs/explorer.md).

server.py      HTTP from the standard library: who may ask, how much, and the files of the page
api.py         the questions that the page can ask, as JSON; every error is one line
shelf.py       what was named on the command line, and what of it is solved
jobs.py        work that takes long: progress, cancelling
positions.py   a state as data: what is known of it, of its actions and of their outcomes
offline.py     `zermelo page`: one file that needs no server
pictures.py    many states as data: maps, distributions, tables
robot.py       `zermelo robot`: the robot of zermelo.robot as it drives, and the game robot-maze
races.py       that game as the robot's page shows it
searches.py    the binary search game, played from either side
blackjack.py   `zermelo blackjack serve`: chart, hands, trainer
page/          what the browser is sent: HTML, CSS and JavaScript, without a build step

This package builds on the facade and on views: it asks solutions only what anybody can ask them, and knows no engine.
"""
