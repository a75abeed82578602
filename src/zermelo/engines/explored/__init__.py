"""The general engine: all reachable states, explored with compiled rules and solved by a method that fits their structure.

engine.py      which games it takes
explore.py     the states of a game in component order, and batches of their transitions
agreement.py   compiled rules compared with interpreted ones, at states all over the game
solving.py     explore, solve, prove
settled.py     proof that an endless score may be cut where the rules claim it
"""
