"""Games of pure chance that go through stages: ranked states, one linear system a stage, the last stage first.

A game says to which stage a state belongs (`stage`), and which states a stage has (`space`); and, if the seats at a table are alike,
how a table is turned so that the seat to move comes first (`turned`, `seats`), which leaves one state of as many as there are seats.

engine.py      which games it takes
spaces.py      the states of every stage, numbered; what a game declares of them, checked
equations.py   the equations of a stage, written by the compiled rules
columns.py     arrays of one row a state that are too large to be copied
solving.py     stage after stage, and the bound
chain.py       all moves, tables turned: what lengths of plays are followed on
"""
