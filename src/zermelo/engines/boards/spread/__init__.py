"""Board games whose table is spread over the machines of a cluster (docs/cluster.md).

owners.py     which part a position belongs to
part.py       one part: its codes, what is sent to other parts and what comes from them; on disk. Knows nothing of Ray
levels.py     the order in which parts do that, level by level; knows parts by what they are asked only
conductor.py  parts as Ray's actors, an actor that leads them, and what happens when one is lost
solving.py    a request: from the rules to the answer
"""
