"""The states of a game, found with its rules, interpreted or compiled: for every engine that goes from state to state.

explore.py     the states in component order, and batches of their transitions
agreement.py   compiled rules compared with interpreted ones, at states all over the game
game.py        both: the explored game behind a request
"""
