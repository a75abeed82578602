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
from zermelo.basics.runs import running
from zermelo.engines.base import Request
from zermelo.engines.hidden.solving import (
    ABOUT_THE_SEARCH,
    NO_DECIMALS,
    PANELS,
    facts_of,
    sets_of,
    solve_form,
    summary_of,
    wants_proof,
)
from zermelo.errors import ParameterError
from zermelo.problem.locking import locked
from zermelo.uses.chain_hidden import unfolded_of
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
    if answers.is_by_public_states and wants_proof(answers.original.form, request):  # as `solve` would do it
        whole = _state_by_state(answers, progress)
        answers, fixed = whole, _same(answers.sets[player], whole.sets[player], fixed)
    left = _with_locked(answers, player, fixed)
    found = solve_form(left.form, request, PANELS if answers.is_by_public_states else NO_DECIMALS)
    count = f"{len(fixed):,} information set{'s' if len(fixed) > 1 else ''} of player {player}"
    size = {"information_sets": sum(map(len, left.sets)), "sequences": sum(left.form.shape), "entries": left.form.entries}
    whole_facts = {name: fact for name, fact in answers.report.facts.items() if name not in ("rounds", "interrupted")}
    before = [note for note in answers.report.notes if not note.startswith(ABOUT_THE_SEARCH)]  # of the game with less locked
    report = replace(
        answers.report, solver=found.method, facts={**whole_facts, **found.facts, **size},
        summary=f"{answers.original.report.summary}, a part locked",
        notes=(*before, *found.notes, f"locked: {count}; the value is that of the game that is left"),
        seconds={**answers.report.seconds, **found.seconds},
    )  # fmt: skip
    return replace(left, weights=found.weights, certificate=found.certificate, report=report)


def _with_locked(answers: HiddenAnswers, player: int, fixed: dict[int, list[Fraction]]) -> HiddenAnswers:
    """The game with these probabilities fixed, not solved yet."""
    left = locked(answers.form, player, fixed)
    sets = list(answers.sets)
    sets[player] = _left(answers.sets[player], left.form.sides[player], left.sets, left.sequences)
    return replace(answers, form=left.form, sets=(sets[0], sets[1]), lock=Lock(answers, player, fixed, left.sequences))


def _state_by_state(answers: HiddenAnswers, progress: Progress) -> HiddenAnswers:
    """The same game, and the same parts locked, explored state by state, so that payoffs are exact if those of the rules are; not
    solved yet."""
    if answers.lock is not None:
        player, before = answers.lock.player, answers.lock.whole
        whole = _state_by_state(before, progress)
        locked_again = _with_locked(whole, player, _same(before.sets[player], whole.sets[player], answers.lock.fixed))
        return replace(locked_again, report=replace(whole.report, notes=answers.report.notes))
    game = unfolded_of(answers, progress)
    facts = {name: fact for name, fact in answers.report.facts.items() if name not in ("public_states", "ends")} | facts_of(game)
    report = replace(answers.report, facts=facts, summary=summary_of(facts))
    return replace(answers, form=game.form, sets=sets_of(game), weights=((), ()), layout=game.explored.layout, report=report)


def _same(sets: InformationSets, others: InformationSets, fixed: dict[int, list[Fraction]]) -> dict[int, list[Fraction]]:
    """Probabilities in the same sets under other numbers."""
    found = {others.find(sets.seen(k)): chances for k, chances in fixed.items()}
    return {k: chances for k, chances in found.items() if k is not None}


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
    start = running([len(s) for s in seen])
    flat = np.array([n for s in seen for n in s], np.int64)
    return InformationSets(side, SetArrays(start, flat, sets.arrays.actions[sequences], sets.arrays.state[kept]), sets.are_tuples)
