"""Solutions on disk: one file format, and one module for each kind of answer.

file.py        the format: a header and arrays, protected by checksums
pages.py       the contents of a file, verified page by page when they are read
contents.py    the requirements on a header and its arrays, checked before anything is built from them
game.py        the game in the header
data.py        a file whose rules are not known, as data: the part that all kinds share
report.py      the report on how the game was solved, in the header
fractions.py   fractions of any size as arrays
stored.py      answers with all states
entered.py     answers that store entry states only
counted.py     answers that keep the values for some numbers of moves left
boards.py      board games, plain or compressed
swept.py       urns; such a file is also a checkpoint of the urn sweep
mixed.py       games given by best responses
matrix.py      games given by a matrix
hidden.py      games whose players do not see everything
"""
