"""A cluster of machines, by Ray (the extra `cluster`). This package knows nothing about games, and no other package imports Ray.

connection   Ray itself, and a cluster to work on: an address, or this machine
tasks        pieces of work done by the machines of a cluster, one after another
sources      the user's own games, sent to machines that do not have their files
"""
