"""Games of chance that go through stages: ranked states, one linear system for each stage, the last stage first.

A game says to which stage a state belongs (`stage`), and which states a stage has (`space`); and, if the seats at a table are alike, how
the table is rotated so that the seat to move comes first (`turned`, `seats`), so that only one state of each rotation class is solved.

engine.py      which games it takes
spaces.py      the states of every stage, numbered; the declarations about them, checked
equations.py   the equations of a stage, written by the compiled rules
columns.py     arrays with a row for each state that are too large to be copied
solving.py     stage after stage, and the bound
chain.py       all transitions, up to rotation of the table: for the distribution of lengths
"""
