"""Games with decisions that go through stages: one stage after the other, the last one first, each from its entry states.

A game says to which stage a state belongs (`stage`), and in which states stages are entered (`entries`: the entry states). Only the values
of these are kept; all other states of a stage are found, solved, bounded and discarded, in compiled code and on two threads.

engine.py     which games it takes
table.py      the entry states, checked, as arrays
patterns.py   stages that differ only in a passthrough field have one pattern
worker.py     the kernel with the arrays of one thread
solving.py    all stages, on two threads
again.py      one stage solved again, for states that are not kept
policies.py      the values of given policies: all stages once more
play.py       many plays: the stages once more, the first one first
moments.py    how many moves a play takes: the stages once more
"""
