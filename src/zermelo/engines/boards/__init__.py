"""Board games whose positions are ranked: solved backwards in a byte a position.

engine.py      which games it takes
numbering.py   numbers of positions as tables for compiled code; symmetries
solving.py     retrograde analysis: levels, threads
"""
