"""Hidden information: players who do not see everything (`sees`), solved as one linear program over the choices of both.

engine.py      the games that it accepts
views.py       the observations of both players in every state
unfolding.py   the explored game in sequence form; perfect recall is checked on the way
public.py      large games, explored by public states instead
searching.py   regret minimisation: progress, Ctrl-C, checkpoints
proving.py     linear programs, and the proof
solving.py     explore, unfold, prove or bound
"""
