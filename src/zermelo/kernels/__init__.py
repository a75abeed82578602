"""Array code that numba compiles, or Python runs: arrays in, arrays out. It imports nothing else of the package but `basics`, for the
decorator (kernel.py).

Values:     backward newton components condense (components of a game), joint_newton matrix_game (both players choose at once),
            graph (who surely wins, end components), from_below (value iteration where nothing is paid),
            retrograde (win, draw, loss), sweeps blocks elimination (large linear systems), block patterns pattern_items (games solved
            stage by stage),
            urn (optimal stopping), lifting (linear systems in rationals), regret (hidden information), search_tree, exact_pig
Bounds:     propose propose_ends propose_claims (bounds of components), sides (a component from both sides),
            certify (proposed and checked in one pass)
Checks:     verify verify_ends verify_claims (bounds of components), verify_block, verify_patterns, verify_linear, verify_results,
            verify_replies, deviations (the game that is left to one player); they import no solver and nothing that searches for a bound
Play:       chain distribution simulate (games whose states are stored), stage_play stage_length stage_flow (stage by stage),
            urn_play urn_flow
Forms:      unfold interning (the sequence form of a game with hidden information)
Numbers:    twice (double-double), ranking tables (numbers of states), prefetch (fast access to memory), registers
            (several numbers at a time), machine (for numba)
Compiling:  kernel (the decorator, and the two tiers), status, support, checked and stopped (shared with compiled rules)

numba discards the machine code of a file when that file changes, but not when another file changes whose functions it has inlined.
Kernels inline functions of other kernels, so all of it is discarded when any of them changes: what lies beside them is deleted here, and
wherever it lies it says which kernels it was compiled from (basics/machine_code.py).
"""

from __future__ import annotations

from pathlib import Path

from zermelo.basics.code_folders import COMPILED
from zermelo.basics.sources import AS_IMPORTED, facts_of


def forget_stale_machine_code(kernels: Path) -> None:
    """Remove numba's files beside the kernels if any kernel is not the one that they were compiled with."""
    now = AS_IMPORTED[str(kernels)] = facts_of(kernels)
    cache = kernels / "__pycache__"
    stamp = cache / "kernels.stamp"
    try:
        if stamp.exists() and stamp.read_text() == now:
            return
        cache.mkdir(exist_ok=True)
        for file in (file for pattern in COMPILED for file in cache.glob(pattern)):
            file.unlink(missing_ok=True)
        stamp.write_text(now)
    except OSError:  # nothing lies there, or others will delete it
        return


forget_stale_machine_code(Path(__file__).parent)
