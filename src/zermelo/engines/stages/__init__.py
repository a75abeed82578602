"""Games of pure chance that go through stages: ranked states, one linear system a stage, the last stage first.

A game says to which stage a state belongs (`stage`), and which states a stage has (`space`); and, if the seats at a table are alike,
how a table is turned so that the seat to move comes first (`turned`, `seats`), which leaves one state of as many as there are seats.
"""

from zermelo.engines.stages.solving import Unsettled as Unsettled
from zermelo.engines.stages.solving import solve_stages as solve_stages
from zermelo.engines.stages.spaces import checked_stages as checked_stages
