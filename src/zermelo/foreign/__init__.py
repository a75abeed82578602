"""Models in other languages, PRISM's and JANI, as games in ours: read, and translated to rules that a person can read.

    prism.py, jani.py (+ grammar.py)  text -> `Model`             model.py      the parts of a model, and a property
    jani_keys.py the keys of JANI's objects: others are refused
    scope.py     names, types, constants, exact quotients         steps.py      the possible steps, with whole weights
    asked.py     the question of a property                       rules.py      model and property -> the text of a game, of which
    start.py, happening.py, rewards.py   write the start, actions and outcomes, and payoffs; text.py, python.py   names and expressions
    concurrent.py   actions and outcomes where players choose at once (csg)
    rows.py      hundreds of commands that differ only in numbers, as tables
    influence.py modules on which nothing depends, left out
    nested.py    thresholds inside properties, as sets of states; deciding.py: their solver
    loading.py   MODEL.prism:PROPERTY -> the class of a game      words.py      whether a word names a model

Games that other programs represent as tables or trees are imported through a table of nodes:

    tables.py    a table of nodes -> the text of a game           modules.py   a text -> the class of a game
    gymnasium.py environments with a transition table `P`, gymnasium_blackjack.py   and that of Blackjack
    openspiel.py, as_openspiel.py   games of OpenSpiel, in and out
    gambit.py, as_gambit.py, gambit_again.py   .efg and .nfg, in, out, and from one to another       umb*.py   UMB, of model checkers, in
"""

from __future__ import annotations
