"""Solutions on disk: one file format, one codec for each kind of answer.

file.py        the format: a header and arrays, checked by sums
game.py        the game in the header
report.py      how it was solved, in the header
fractions.py   fractions of any size as arrays
stored.py      answers with all states
entered.py     answers that know only where stages are entered
boards.py      board games, plain or packed
swept.py       urns, which are checkpoints of sweeps, too
mixed.py       games of hidden choice
"""
