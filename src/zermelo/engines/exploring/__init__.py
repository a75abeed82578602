"""The states of a game, found with its rules, interpreted or compiled: for every engine that moves from state to state.

explored.py    the states in component order, and batches of their transitions
search.py      the search for all states, with one layout
agreement.py   compiled rules compared with interpreted ones, at states throughout the game
explore.py     from the rules to the states: layout, initial states, interpreted or compiled and compared
game.py        the explored game of a request
"""
