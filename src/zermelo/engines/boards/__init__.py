"""Board games with a ranked space: retrograde analysis, with one byte per position in memory, or three bits and levels on disk.

engine.py      the games that it accepts
numbering.py   numbers of positions as tables for compiled code; symmetries
board.py       shared by both ways: calling the kernels of a game, limits, the report
solving.py     retrograde analysis in memory: levels, threads
on_disk.py     the same in a folder, from which it can resume
"""
