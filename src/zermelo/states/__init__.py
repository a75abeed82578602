"""A state of a game <-> a number: keys, ranked positions, the space of a solution."""
