"""Texts that are put behind a game's rules and compiled together with them (link/module.py). They are not imported: the rules' functions
are missing here."""
