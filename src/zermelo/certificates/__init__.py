"""Bounds of given values, rounding included: one package proposes them, another checks them, and only the checks set an error.

certify.py             goes through the components of a game: proposals are made until one is accepted, or `Uncertified` is raised
certify_strategies.py  does so where both players choose at once
find/                  proposes; solves linear systems and runs policy iteration, and may be wrong

What follows, kernels/verify.py, verify_claims.py and verify_ends.py import neither `find`, nor any solver, nor a linear system:

verify.py              the inequality for components in which play can go round forever, on top of kernels/verify.py
endless.py             the proof that a player collects payoffs without limit, so that there is no value
sides.py               one component by itself, seen from one side or from both
fixed_strategies.py    the game for one that is left when one of two strategies is fixed
results.py             wins, losses and draws, proven by induction on the distance to the end
best_replies.py        what a strategy guarantees if players do not see everything: the best response to it
urn.py                 what the urn sweep leaves out, and its rounding: a closed bound
"""
