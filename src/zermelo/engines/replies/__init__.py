"""Matrix games with too many strategies to list, given by best responses: generated row by row and column by column.

engine.py      which games it takes
restricted.py  the restricted game: the strategies generated so far, and what they pay
solving.py     the search for better responses, and the proof in rationals
"""
