"""Solutions on disk: one file format, and one module for each kind of answer.

file.py        the format: a header and arrays, checked by sums
game.py        the game in the header
report.py      how it was solved, in the header
fractions.py   fractions of any size as arrays
stored.py      answers with all states
entered.py     answers that store entry states only
boards.py      board games, plain or compressed
swept.py       urns; such a file is a checkpoint of the urn sweep, too
mixed.py       matrix games given by best responses
"""
