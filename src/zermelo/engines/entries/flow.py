"""The distributions of length and total: the stages again, the first one first; the probability at the entries of a stage
is followed until it has left the stage."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.machine import require
from zermelo.basics.progress import Progress
from zermelo.engines.entries.again import blocks
from zermelo.engines.entries.table import entries_of_answers
from zermelo.engines.faults import MOST_PAYOFF, no_total
from zermelo.errors import OutOfReach
from zermelo.kernels.stage_flow import FOLLOWED, follow_stage

GENEROUS = 1.0 + 1e-6  # for rounding in the error bounds themselves


@dataclass
class Flow:
    """How all plays have ended."""

    ended: dict[int, float] = field(default_factory=dict)  # the probability, by length or by total
    errors: dict[int, float] = field(default_factory=dict)  # error bounds of these
    left: float = 0.0  # at most this much probability is missing
    steps: int = 0  # an upper bound of the moves of the longest play that was followed

    def add(self, number: int, probability: float, error: float) -> None:
        before = self.ended.get(number, 0.0)
        self.ended[number] = before + probability
        self.errors[number] = self.errors.get(number, 0.0) + error * GENEROUS + 2.0**-52 * (before + probability)


def flow(answers: EnteredAnswers, payoff: int | None, lengths: int, tail: float, most_steps: int, progress: Progress) -> Flow:
    """All plays under optimal play: by their total of this payoff, which must be paid at the end, or (None) by their length, for lengths
    below `lengths`. It ends early once more than `tail` is left over. Raises `OutOfReach`."""
    rules = answers.rules
    entries, stages = entries_of_answers(answers), len(answers.stages)
    by_length = payoff is None
    shape = len(entries.keys), 1 if by_length or not answers.report.passes else 2, lengths if by_length else 1
    require(16 * shape[0] * shape[1] * shape[2], f"{rules.name}: {shape[2]:,} lengths at {shape[0]:,} entry states")
    mass, rough = np.zeros(shape), np.zeros(shape)
    mass[entries.find(answers.layout.pack(rules.start)), 0, 0] = 1.0
    found, (over, over_rough) = Flow(), np.zeros((2, 1, lengths))

    def is_entered(stage: int) -> bool:
        return bool(mass[entries.first[stage] : entries.first[stage + 1]].any())

    with closing(blocks(answers, range(stages), keeps_payoffs=True, is_wanted=is_entered)) as solved:
        for stage, nodes, block in solved:
            own, after = entries.first[stage : stage + 2].tolist()
            if not by_length:
                over, over_rough = np.zeros((2, nodes, shape[1]))
            how, left, steps = follow_stage(
                nodes, own, after, block, entries.keys, entries.table, mass, rough, by_length, -1 if payoff is None else payoff, over,
                over_rough, tail / (4 * stages), most_steps,
            )  # fmt: skip
            if how != FOLLOWED:
                raise OutOfReach(
                    f"{rules.name}: {rules.payoffs[payoff or 0]} is paid before the end of play, too, so that its distribution needs all "
                    f"states with every total, and {answers.report.states:,} states are too many to be stored: ask for smaller parameters"
                )
            found.left += float(left) * GENEROUS
            found.steps += int(steps)
            if found.left > tail:
                break
            if payoff is not None:
                _add_totals(found, answers, payoff, block.value[:nodes, payoff], over, over_rough)
            progress("following all plays", after, len(entries.keys))
    if by_length:
        found.steps = lengths - 1
        for length in np.flatnonzero(over[0]).tolist():
            found.add(length, float(over[0, length]), float(over_rough[0, length]))
    return found


def _add_totals(
    found: Flow, answers: EnteredAnswers, payoff: int, value: np.ndarray, over: np.ndarray, over_rough: np.ndarray
) -> None:
    """The finished plays, by the payoffs of their final states to the player who moved first."""
    for node, view in np.argwhere(over > 0.0).tolist():
        paid = float(value[node])
        if not paid.is_integer() or abs(paid) > MOST_PAYOFF:
            raise no_total(answers.rules, f"{answers.rules.payoffs[payoff]} is {paid:g} at an end of play")
        found.add(int(paid) * (1 - 2 * view), float(over[node, view]), float(over_rough[node, view]))
