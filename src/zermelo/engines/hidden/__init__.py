"""Hidden information: players who do not see everything (`sees`), solved as one linear program over what both can choose.

engine.py      which games it takes
views.py       what both players see in every state
unfolding.py   the explored game in sequence form; perfect recall is checked on the way
public.py      large games, explored by public states instead
searching.py   regret minimisation: progress, Ctrl-C, checkpoints
proving.py     linear programs, and the proof
solving.py     explore, unfold, prove or bound
"""
