"""Rules -> native code: the only package that knows both a game's rules and the kernels.

constants.py   what rules take from outside themselves, as source text
tables.py      constants of many numbers, as arrays
rewrite.py     one function of the rules, with what numba can't take rewritten
syntax.py      syntax trees
module.py      the whole native module: rules, packing of states, then a template, one of templates/*.py
cache.py       generated modules on disk
native.py      the compiled kernels of one game
"""

from zermelo.link.native import BoardRules, EnteredRules, NativeRules, RuleRaised, StagedRules

__all__ = ["BoardRules", "EnteredRules", "NativeRules", "RuleRaised", "StagedRules"]
