"""The general engine: all reachable states (engines/exploring), solved by a method that fits their structure.

engine.py      the games that it accepts
solving.py     explore, solve, prove
settled.py     proof that an endless score may be cut where the rules claim it
"""
