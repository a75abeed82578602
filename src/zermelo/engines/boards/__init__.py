"""Board games with a ranked space: retrograde analysis, with a byte for each position.

engine.py      which games it takes
numbering.py   numbers of positions as tables for compiled code; symmetries
solving.py     retrograde analysis: levels, threads
"""
