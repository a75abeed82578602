"""Mapping between the states of a game and numbers: keys, ranked positions, the space of a solution."""
