"""Games with decisions that go through stages: one stage after another, the last one first, each from its entry states.

A game declares the stage of a state (`stage`), and the states in which stages are entered (`entries`: the entry states). Only the values
of these are kept; all other states of a stage are found, solved, bounded and discarded, in compiled code and on two threads.

engine.py     the games that it accepts
table.py      the entry states, checked, as arrays
patterns.py   stages that differ only in a passthrough field have one pattern
worker.py     the kernel with the arrays of one thread
solving.py    all stages, on two threads
machines.py   all stages, by the processes of a cluster
again.py      one stage solved again, for states that are not kept; or all of them, for all states stored
policies.py      the values of given policies: all stages again
play.py       many plays: the stages again, the first one first
moments.py    the number of moves of a play: the stages again
"""
