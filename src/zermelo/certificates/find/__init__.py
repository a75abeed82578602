"""Proposals for bounds. Nothing here is trusted: certificates/verify.py and kernels/verify.py check all proposals.

Small cutsets have their proposals in kernels/propose.py, components in which nothing is paid in kernels/propose_ends.py, and those
with few states in kernels/propose_claims.py. This package has those for the rest:

claims.py   any component, also one in which play can go round forever: `Claim` of certificates/verify.py, on kernels/propose_claims.py
ends.py     where a player can stay forever
stay.py     the longest stay: policy iteration with sparse linear systems
systems.py  components in which play ends: a linear system where all is chance, else policy iteration
"""
