"""Zero-sum games in which both choose hidden from each other, with too many strategies to list: solved from best replies.

engine.py    which games it takes
known.py     the strategies that are known, and what they pay
solving.py   the search for better replies, and the proof in rationals
"""
