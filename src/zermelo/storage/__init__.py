"""Solutions on disk: one file format, and one module for each kind of answer.

file.py        the format: a header and arrays, checked by sums
pages.py       what is in a file, verified page by page when it is read
contents.py    what a header and its arrays must be, examined before anything is made of them
game.py        the game in the header
data.py        a file whose rules are not known, as data: what all kinds share
report.py      how it was solved, in the header
fractions.py   fractions of any size as arrays
stored.py      answers with all states
entered.py     answers that store entry states only
boards.py      board games, plain or compressed
swept.py       urns; such a file is a checkpoint of the urn sweep, too
mixed.py       games given by best responses
matrix.py      games given by a matrix
hidden.py      games whose players do not see everything
"""
