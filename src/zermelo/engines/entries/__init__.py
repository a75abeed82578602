"""Games with decisions that go through stages: each stage solved by itself from the states where it is entered, the last stage first.

A game says to which stage a state belongs (`stage`), and in which states stages are entered (`entries`). Only the values of these
are kept; all other states of a stage are found, solved, bounded and forgotten again, in compiled code and on two threads.
"""

from zermelo.engines.entries.solving import solve_entries as solve_entries
from zermelo.engines.entries.table import declared as declared
from zermelo.engines.entries.worker import Unsettled as Unsettled
