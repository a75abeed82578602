"""A cluster of machines, by Ray (the extra `cluster`). Nothing here knows a game, and nothing else imports Ray.

connection   Ray itself, and a cluster to work on: an address, or this machine
tasks        pieces of work done by the machines of a cluster, one after the other
sources      games of the user's own, brought to machines that do not have their files
"""
