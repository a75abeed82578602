"""Board games whose table is spread over the machines of a cluster (docs/cluster.md).

owners.py     the part that a position belongs to
part.py       one part: its codes, messages to and from other parts, files on disk. Independent of Ray
levels.py     the order in which parts work, level by level; knows only their interface
conductor.py  parts as Ray actors, an actor that leads them, and the recovery of lost ones
solving.py    a request: from the rules to the answer
"""
