"""Matrix games with too many strategies to list, given by best responses: generated row by row and column by column.

engine.py      the games that it accepts
restricted.py  the restricted game: the strategies generated so far, and their payoffs
solving.py     the search for better responses, and the proof in rationals
"""
