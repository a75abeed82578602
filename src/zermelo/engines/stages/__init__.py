"""Games of chance that go through stages: ranked states, one linear system for each stage, the last stage first.

A game declares the stage of a state (`stage`) and the states of a stage (`space`). If the seats at a table are alike, it also declares how
the table is rotated so that the seat to move comes first (`turned`, `seats`), so that only one state of each rotation class is solved.

engine.py      the games that it accepts
spaces.py      the states of every stage, numbered; the declarations about them, checked
equations.py   the equations of a stage, written by the compiled rules
columns.py     arrays with a row for each state too large to be copied
solving.py     stage after stage, and the bound
chain.py       all transitions, up to rotation of the table: for the distribution of lengths
"""
