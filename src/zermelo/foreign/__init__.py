"""Models in other people's languages, PRISM's and JANI, as games in ours: read, and translated to rules that a person can read.

    prism.py, jani.py (+ grammar.py)  text -> `Model`             model.py   what a model consists of, and a property
    scope.py     names, types, constants, exact quotients         steps.py   what can happen, with whole weights
    python.py    expressions -> Python                            rules.py   model and property -> the text of a game
    loading.py   MODEL.prism:PROPERTY -> the class of a game      words.py   whether a word names a model
"""

from __future__ import annotations
