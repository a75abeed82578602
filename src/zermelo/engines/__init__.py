"""From rules to answers: one folder for each engine, independent of one another. `ENGINES` is the order in which they are asked.

base.py       what an engine is, and what it is asked (`Request`)
faults.py     errors in rules that several engines report
choose.py     the list of engines, and which of them takes a game
exploring/    finding all states that can be reached; several engines do
explored/     the general engine: all states that can be reached
hidden/       hidden information: the sequence form, and strategies by information sets
stages/       games of chance that go through stages: one linear system a stage
entries/      games with decisions that go through stages: only entry states are kept
boards/       board games with a ranked space: retrograde analysis, a byte a position
urn/          optimal stopping on an urn: the urn sweep over its stages
replies/      matrix games given by best responses
"""
