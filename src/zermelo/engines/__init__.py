"""From rules to answers: one folder for each engine, independent of one another. `ENGINES` is the order in which they are asked.

base.py       the interface of an engine, and its input (`Request`)
faults.py     errors in rules that several engines report
choose.py     the list of engines, and the choice of one for a game
exploring/    finding all reachable states, for several engines
explored/     the general engine: all reachable states
horizon/      games that end after a number of moves: one table of outcomes for all numbers of moves left
hidden/       hidden information: the sequence form, and strategies by information sets
stages/       games of chance that go through stages: one linear system per stage
entries/      games with decisions that go through stages: only entry states are kept
boards/       board games with a ranked space: retrograde analysis, one byte per position
urn/          optimal stopping on an urn: the urn sweep over its stages
replies/      matrix games given by best responses
"""
