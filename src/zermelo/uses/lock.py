"""Locks a part of a strategy, and solves the rest of the game against it.

From then on, the locked part is left to chance for both players. The value, best responses and mistakes are those of the remaining game,
and a user's strategies are silent there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.answers.hidden import HiddenAnswers, InformationSets, Lock, SetArrays
from zermelo.basics.progress import Progress
from zermelo.engines.base import Request
from zermelo.engines.hidden.solving import solve_form
from zermelo.errors import ParameterError
from zermelo.problem.locking import locked
from zermelo.uses.hidden import Strategy, chances_of, check_player, check_strategy


def lock(
    answers: HiddenAnswers, strategy: Strategy, seat: int, exact: bool, tolerance: float | None, refine: bool, progress: Progress
) -> HiddenAnswers:
    """The game with this part of the strategy of `seat` fixed, solved again. Raises `ParameterError`, `OutOfReach`."""
    player, name = check_player(answers, seat), answers.rules.name
    fixed = _fixed(answers, strategy, player)
    if not fixed:
        raise ParameterError(f"{name}: nothing is locked: the strategy of player {player} says nothing for any information set")
    request = Request(answers.rules.game, exact=exact, tolerance=tolerance, refine=refine, progress=progress).checked()
    left = locked(answers.form, player, fixed)
    found = solve_form(left.form, request)
    sets = list(answers.sets)
    sets[player] = _left(answers.sets[player], left.form.sides[player], left.sets, left.sequences)
    count = f"{len(fixed):,} information set{'s' if len(fixed) > 1 else ''} of player {player}"
    facts = {**answers.report.facts, **found.facts, "information_sets": sum(len(s) for s in sets), "sequences": sum(left.form.shape)}
    notes = (*answers.report.notes, *found.notes, f"locked: {count}; the value is that of the game that is left")
    report = replace(
        answers.report, solver=found.method, facts=facts, summary=f"{answers.report.summary}, a part locked", notes=notes,
        seconds={**answers.report.seconds, **found.seconds},
    )  # fmt: skip
    return replace(
        answers, form=left.form, sets=(sets[0], sets[1]), weights=found.weights, certificate=found.certificate, report=report,
        lock=Lock(answers, player, fixed, left.sequences),
    )  # fmt: skip


def _fixed(answers: HiddenAnswers, strategy: Any, player: int) -> dict[int, list[Fraction]]:
    """The probabilities in every set that the strategy covers."""
    check_strategy(answers, strategy)
    sets, name = answers.sets[player], answers.rules.name
    if isinstance(strategy, Mapping):
        for seen in strategy:
            if not isinstance(seen, tuple) or sets.find(seen) is None:
                raise ParameterError(f"{name}: player {player} has no choice where he sees {seen!r}, or never sees it")
    fixed = {}
    for k in range(len(sets)):
        found = chances_of(answers, strategy, player, sets, k, may_be_silent=True)
        if found is not None:
            fixed[k] = found
    return fixed


def _left(sets: InformationSets, side: Any, kept: np.ndarray, sequences: np.ndarray) -> InformationSets:
    seen = [sets.seen(int(k)) for k in kept]
    start = np.concatenate([[0], np.cumsum([len(s) for s in seen], dtype=np.int64)]).astype(np.int64)
    flat = np.array([n for s in seen for n in s], np.int64)
    return InformationSets(side, SetArrays(start, flat, sets.arrays.actions[sequences], sets.arrays.state[kept]), sets.are_tuples)
