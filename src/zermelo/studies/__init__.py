"""Studies: one game solved for many parameters, in processes of this machine, with answers that are kept on disk.

    values    several values of a parameter, from text or from Python
    row       what is kept of a solution: a row of numbers
    kept      rows on disk, under a hash of all that they depend on
    pace      which combination is solved next, and how long the rest will take
    workers   processes that solve one combination after the other
    asking    rows of many combinations: from disk, and else from workers
    study     `zermelo.study`, and what it returns
    crossing, slope, derivative (by numbers of dual.py), table, figure    what a study can be asked
"""
