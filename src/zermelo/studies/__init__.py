"""Studies: one game solved for many parameters, in processes on this machine, with answers kept on disk.

    values    multiple values of a parameter, from text or from Python
    row       the part of a solution that is kept: a row of numbers
    kept      rows on disk, under a hash of everything they depend on
    pace      the order of the combinations, and how long the rest will take
    workers   processes that each solve one combination after another
    asking    rows of many combinations, from disk if possible, otherwise from workers
    study     `zermelo.study` and its result
    crossing, slope, derivative (by numbers of dual.py), table, figure    queries of a study
"""
