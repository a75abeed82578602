"""What is known after solving: plain data. Needs no engine and no compiler.

base.py       what every answer can be asked (`known`), and the capabilities that only some have
known.py      what is known of one state; certificates; the length of plays
report.py     how it was solved: engine, time, facts about the game, what was tried before
stored.py     all states as arrays: the general engine, and games of chance in stages
entered.py    only the states where stages are entered; others are solved again on demand
boards.py     one code a position
swept.py      an urn: the first draws, and when to stop
mixed.py      both mixed strategies of a game given by best replies
"""
