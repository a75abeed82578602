"""Games that end after a number of moves: one table of outcomes serves for every number of moves left.

A game whose state counts the moves left has each of its other states once for every count. Where rules only lower the count and see whether
it is 0 (language/countdown.py), what can happen does not depend on it. So the states are found without the count, with the least number of
moves that leads to them, and the values of all of them are computed with 0 moves left, with 1, and so on: in memory for the states, not for
the states times the moves.

engine.py      the games that it accepts
core.py        the states apart from the count, and their transitions
sweeping.py    values and bounds, one number of moves left after another
exact.py       the same in rationals of any length
solving.py     explore, sweep, answer
play.py        many optimal plays
"""
