"""Rules -> native code: the only package that knows both a game's rules and the kernels.

constants.py   the constants that rules use from outside, as source text
tables.py      constants of many numbers, as arrays
rewrite.py     one function of the rules, with constructs that numba can't compile rewritten
arithmetic.py  numbers and loops, rewritten so that they stop where machine code would differ from Python
none_known.py  whether a parameter is None, answered before compiling
idioms.py      statements and calls that numba refuses or takes otherwise, rewritten
kinds.py       which expressions are certainly whole numbers or floats
syntax.py      syntax trees
module.py      the whole native module: rules, packing of states, then a template, one of templates/*.py
cache.py       generated modules on disk
numbering.py   the text of the functions that number the positions of a board
native.py      the compiled kernels of one game
refused.py     what the compiler refuses, in the words of the rules
interpreted.py, interpreted_boards.py, interpreted_stages.py, interpreted_steps.py: the same kernels run by Python
tiers.py       kernels that Python runs first, and that are compiled if this takes too long
outgrown.py    which games took too long in Python before, and which did not
again.py       how long Python has run rules, again and again
alone.py       rules that the compiler refuses, which Python goes on running
too_long.py    rules that Python runs for longer, since compiling them takes long, or that are never compiled
"""

from zermelo.link.again import are_refused, count_in_python, seconds_in_python
from zermelo.link.alone import goes_on_alone, in_python_alone, not_alone, tell_alone
from zermelo.link.interpreted import InterpretedRules, Numbers
from zermelo.link.interpreted_steps import InterpretedSteps, Steps
from zermelo.link.module import why_not_written
from zermelo.link.native import (
    CompiledSteps,
    NativeRules,
    RuleRaised,
    RulesRefused,
    StepArrays,
    stages_kernel,
    with_rules,
)
from zermelo.link.outgrown import is_outgrown, remember_found, remember_outgrown, was_found
from zermelo.link.tiers import (
    LONG,
    BoardRules,
    EnteredRules,
    SpreadRules,
    StagedRules,
    allowance,
    most_patience,
    patience,
    seconds_for_the_rest,
)
from zermelo.link.too_long import seconds_to_compile, why_too_long

__all__ = [
    "LONG", "BoardRules", "CompiledSteps", "EnteredRules", "InterpretedRules", "InterpretedSteps", "NativeRules", "Numbers",
    "RuleRaised", "RulesRefused", "SpreadRules", "StagedRules", "StepArrays", "Steps", "allowance", "are_refused",
    "count_in_python", "goes_on_alone", "in_python_alone", "is_outgrown", "most_patience", "not_alone", "patience",
    "remember_found", "remember_outgrown", "seconds_for_the_rest", "seconds_in_python", "seconds_to_compile", "stages_kernel",
    "tell_alone", "was_found", "why_not_written", "why_too_long", "with_rules",
]  # fmt: skip
