"""Board games whose positions are ranked: solved backwards in a byte a position.

positions.py   numbers of positions, and back; no compiler
numbering.py   the same as tables for compiled code; symmetries
solving.py     retrograde analysis: levels, threads
solution.py    results and moves to the end, asked for one by one; no compiler
storing.py     files, plain or compressed
"""
