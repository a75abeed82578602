"""The knowledge that solving leaves behind, as plain data. Needs no engine and no compiler.

base.py       the interface of every answer (`known`), and the capabilities that only some have
known.py      what is known about one state; the length of plays
report.py     how it was solved: engine, time, facts about the game, engines that were asked earlier
stored.py     all states as arrays: from the general engine, and from games of chance in stages
entered.py    only the entry states; stages are solved again on demand
counted.py    values for some numbers of moves left; those for the others are computed again on demand
boards.py     one code for each position
swept.py      an urn: values after the first draws, and when to stop
mixed.py      an optimal mixed strategy for each player of a matrix game given by best responses
"""
