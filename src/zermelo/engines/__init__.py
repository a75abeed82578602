"""From rules to answers: one folder an engine, independent of one another. `ENGINES` is the order in which they are asked.

base.py       what an engine is, and what it is asked (`Request`)
faults.py     errors about rules that several engines tell
choose.py     the list of engines, and the question which of them takes a game
explored/     the general engine: all states that can be reached
stages/       games of chance that go through stages: one linear system a stage
entries/      games with decisions that go through stages: only where stages are entered is kept
boards/       board games whose positions are ranked: a byte a position
urn/          optimal stopping on an urn: a sweep over its stages
replies/      hidden choice, given by best replies
"""
