"""The contents of a board table's certificate: all reachable positions, with their results and moves to the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.answers.boards import CHUNK
from zermelo.basics.machine import require
from zermelo.basics.progress import Progress
from zermelo.errors import OutOfReach
from zermelo.kernels.kernel import forced
from zermelo.kernels.status import DRAWN, FINAL_DRAW, FIRST, UNSEEN
from zermelo.link import CompiledSteps, InterpretedSteps
from zermelo.states.keys import sortable

MOST_LISTED = 100_000_000  # positions
FEW = 10_000  # positions up to which Python runs the rules, which takes less time than to compile them
BYTES = 60  # memory for listing one position, sorting included


def of_board(answers: Any, progress: Progress) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays. Raises `OutOfReach` for tables that are too large to list."""
    rules, positions, codes, count = answers.rules, answers.positions, answers.codes, answers.report.states
    if count > MOST_LISTED:
        raise OutOfReach(
            f"a certificate lists all positions: {rules.name} has {count:,}, and at most {MOST_LISTED:,} are listed; all of them were "
            "compared with the next ones when the table was solved"
        )
    require(BYTES * count, f"a certificate of {count:,} positions")
    layout, tier = positions.layout, forced() or ("compiled" if count > FEW else "interpreted")
    steps: CompiledSteps | InterpretedSteps = CompiledSteps(rules, layout) if tier == "compiled" else InterpretedSteps(rules)
    keys, value, distance = layout.room(count), np.empty(count, np.int8), np.empty(count, np.int32)
    done = 0
    for at in range(0, len(codes), CHUNK):
        code = np.asarray(codes[at : at + CHUNK])
        some = np.flatnonzero(code != UNSEEN)
        code, part = code[some].astype(np.int32), slice(done, done + len(some))
        own = layout.pack_columns(positions.slots(at + some).T)
        result = np.where((code == DRAWN) | (code == FINAL_DRAW), 0, np.sign(code))
        if hasattr(rules.game, "player"):
            player = steps.of(layout, own).player
            result = np.where(np.abs(code) == FIRST, result, result * (1 - 2 * player))
        keys[part] = steps.least(layout, own) if rules.folded else own
        value[part] = result
        distance[part] = np.where(code == DRAWN, -1, np.where(code == FINAL_DRAW, 0, np.abs(code) - FIRST))
        done += len(some)
        progress("listing positions", done, count)
    order = np.argsort(sortable(keys))
    header = {"kind": "results", "discount": 1.0, "payoffs": list(rules.payoffs), "fields": list(layout.slot_names)}
    header |= layout.described
    return header, {"states": keys[order], "value": value[order], "distance": distance[order]}
