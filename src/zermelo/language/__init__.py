"""The language of rules: how a game written in plain Python is read and checked. Standard library only."""
