"""Solvers: a whole game on integers in, values with their errors and a policy out. They see integers only.

Each goes through the game in component order; a method (zermelo.methods) finds the values, zermelo.certificates bounds them.

auto.py                   `choose`: the solver for a game's structure
by_component.py           `Backward` and `Cyclic`
retrograde.py             `Retrograde`: win, draw or loss with the distance to the end, proven
simultaneous.py           `Simultaneous`: both players choose at once
rational.py               exact values and a policy proven optimal
rational_floats.py        what floats do for it: first policies, and a safety net
rational_values.py        the exact values of all states
rational_simultaneous.py  exact values where both players choose at once and play never returns to a state
"""
