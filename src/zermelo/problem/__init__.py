"""A game on integers, as solvers see it.

transitions.py  actions and outcomes of a range of states, as arrays
structure.py    the facts that decide which solver fits
mixtures.py     mixed strategies of both players in every state
solver.py       what a solver is given and gives back, and why it may fail
"""
