"""Zermelo: optimal play, computed exactly.

Rules in plain Python in, value, policy and certificate out:

    import zermelo
    solution = zermelo.solve(MyGame())
    solution.value, solution.certificate, solution.probe(state)

Names are imported when first used, so that `import zermelo` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.answers.report import Report as Report
    from zermelo.basics.threads import threads as threads
    from zermelo.basics.verdict import Verdict as Verdict
    from zermelo.errors import (
        FileError as FileError,
    )
    from zermelo.errors import (
        NoMemory as NoMemory,
    )
    from zermelo.errors import (
        NoRules as NoRules,
    )
    from zermelo.errors import (
        NoValue as NoValue,
    )
    from zermelo.errors import (
        OutOfReach as OutOfReach,
    )
    from zermelo.errors import (
        ParameterError as ParameterError,
    )
    from zermelo.errors import (
        RulesError as RulesError,
    )
    from zermelo.errors import (
        UnreachableState as UnreachableState,
    )
    from zermelo.errors import (
        ZermeloError as ZermeloError,
    )
    from zermelo.foreign.as_gambit import to_gambit as to_gambit
    from zermelo.foreign.as_openspiel import to_openspiel as to_openspiel
    from zermelo.foreign.gambit import from_gambit as from_gambit
    from zermelo.foreign.gymnasium import from_gymnasium as from_gymnasium
    from zermelo.foreign.openspiel import from_openspiel as from_openspiel
    from zermelo.foreign.umb import from_umb as from_umb
    from zermelo.games.opening import open_solution as open  # noqa: F401
    from zermelo.problem.structure import Structure as Structure
    from zermelo.solution import Certificate as Certificate
    from zermelo.solution import DataSolution as DataSolution
    from zermelo.solution import HiddenSolution as HiddenSolution
    from zermelo.solution import MatrixSolution as MatrixSolution
    from zermelo.solution import MixedSolution as MixedSolution
    from zermelo.solution import Probe as Probe
    from zermelo.solution import Solution as Solution
    from zermelo.solution import Space as Space
    from zermelo.solvers.auto import choose as choose
    from zermelo.solvers.by_component import Backward as Backward
    from zermelo.solvers.by_component import Cyclic as Cyclic
    from zermelo.solvers.retrograde import Retrograde as Retrograde
    from zermelo.solvers.simultaneous import Simultaneous as Simultaneous
    from zermelo.solving import Plan as Plan
    from zermelo.solving import check as check
    from zermelo.solving import examine as examine
    from zermelo.solving import matrix_game as matrix_game
    from zermelo.solving import plan as plan
    from zermelo.solving import solve as solve
    from zermelo.solving import verify as verify
    from zermelo.studies.exploitability import Exploitability as Exploitability
    from zermelo.studies.exploitability import exploitability as exploitability
    from zermelo.studies.study import Study as Study
    from zermelo.studies.study import study as study

_HOMES = {
    "zermelo.basics.threads": ("threads",),
    "zermelo.basics.verdict": ("Verdict",),
    "zermelo.errors": (
        "FileError",
        "NoMemory",
        "NoRules",
        "NoValue",
        "OutOfReach",
        "ParameterError",
        "RulesError",
        "UnreachableState",
        "ZermeloError",
    ),
    "zermelo.foreign.as_gambit": ("to_gambit",),
    "zermelo.foreign.as_openspiel": ("to_openspiel",),
    "zermelo.foreign.gambit": ("from_gambit",),
    "zermelo.foreign.gymnasium": ("from_gymnasium",),
    "zermelo.foreign.openspiel": ("from_openspiel",),
    "zermelo.foreign.umb": ("from_umb",),
    "zermelo.answers.report": ("Report",),
    "zermelo.solution": ("Certificate", "DataSolution", "HiddenSolution", "MatrixSolution", "MixedSolution", "Probe", "Solution", "Space"),
    "zermelo.solving": ("Plan", "check", "examine", "matrix_game", "plan", "solve", "verify"),
    "zermelo.studies.exploitability": ("Exploitability", "exploitability"),
    "zermelo.studies.study": ("Study", "study"),
    "zermelo.solvers.auto": ("choose",),
    "zermelo.solvers.by_component": ("Backward", "Cyclic"),
    "zermelo.solvers.retrograde": ("Retrograde",),
    "zermelo.solvers.simultaneous": ("Simultaneous",),
    "zermelo.problem.structure": ("Structure",),
}
_HOME_OF = {name: (home, name) for home, names in _HOMES.items() for name in names}
_HOME_OF["urn"] = ("zermelo.engines.urn", "")
_HOME_OF["open"] = ("zermelo.games.opening", "open_solution")

__all__ = ["__version__", *_HOME_OF]


def __dir__() -> list[str]:
    """The public names, for tab completion before anything is imported."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    from zermelo.basics.raise_in import load

    home, name_there = _HOME_OF[name]
    try:
        module = load(home)
        value = getattr(module, name_there) if name_there else module
    except (AttributeError, ImportError):  # half imported
        from zermelo.basics.interrupts import check_outside_compiler

        check_outside_compiler()
        raise
    globals()[name] = value
    return value
