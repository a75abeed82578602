"""Board games with a ranked space: retrograde analysis, with a byte for each position in memory, or three bits and levels on disk.

engine.py      which games it takes
numbering.py   numbers of positions as tables for compiled code; symmetries
board.py       what both ways need: calling the kernels of a game, limits, the report
solving.py     retrograde analysis in memory: levels, threads
on_disk.py     the same in a folder, in which it can be continued
"""
