"""Games with decisions that go through stages: each stage solved by itself from the states where it is entered, the last stage first.

A game says to which stage a state belongs (`stage`), and in which states stages are entered (`entries`). Only the values of these
are kept; all other states of a stage are found, solved, bounded and forgotten again, in compiled code and on two threads.

engine.py     which games it takes
table.py      where stages are entered, checked, as arrays
patterns.py   stages that differ only in a passthrough field have one pattern
worker.py     the kernel with the arrays of one thread
solving.py    all stages, on two threads
again.py      one stage once more, for states that are not kept
plans.py      what policies are worth: the stages once more
play.py       many plays: the stages once more, the first one first
moments.py    how many moves a play takes: the stages once more
"""
