"""Solve a game stage by stage, and certify the answer by the residuals of every equation.

**Certificate.** Let v be the computed values, for every state of every stage, and eps_j the largest residual of the
equations of v_j,

    v_j(s) = sum over outcomes of p (payoff_j + v_j(next state)),

where v_j(s) = payoff_j(s) in final states. Let g >= 0 be computed in the same way for a payoff of 1 per outcome: the mean number of moves.
Its largest residual is eps_g < 1, so that g(s) >= 1 - eps_g + sum of p g(next): play ends with probability 1, and the residuals along a
play add up, on average, to at most

    |v_j(s) - true value| <= eps_j g(s) / (1 - eps_g).

Where the table is rotated, eps_j is the largest residual of all payoffs that take values from one another.

Rounding, with u = 2^-53: an equation is stored as x = right + P x, where payoffs and values of later stages are summed up in `right`.
Nonzeros of P are ways divided by their sum, with a relative error of u. `right` is summed in double-double and has an error of 3 u: from
adding the payoffs, from the division, and from storing it. If ways or payoffs are not whole numbers, their own sums over m outcomes add
m u each. All this is relative to |right| if nothing is negative, otherwise to the largest value and payoff together. The residuals of x
are also computed in double-double (kernels/verify_linear.py).

The length T of a play has E T^2 = sum of p E T'^2 + 2 E T - 1, T' being the length after a move: one more system with the same
matrix, bounded in the same way.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.answers.known import Length
from zermelo.answers.report import Report
from zermelo.answers.stored import Place, StoredAnswers
from zermelo.basics import ahead
from zermelo.basics.bounds import interval
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import crew, threads
from zermelo.basics.words import counted
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.exploring.game import remark_on_ways_at
from zermelo.engines.faults import disagreement
from zermelo.engines.stages.columns import Columns, Multiples
from zermelo.engines.stages.equations import Equations, Stage, arranged, memory_for
from zermelo.engines.stages.spaces import Stages, check_laws, checked_stages
from zermelo.kernels import status
from zermelo.kernels.kernel import START
from zermelo.kernels.sweeps import System, sweep
from zermelo.kernels.verify_linear import residuals
from zermelo.link import StagedRules
from zermelo.methods.orders import around_the_table
from zermelo.methods.sweeping import FEW, ROUNDING, calls, settle
from zermelo.storage.game import run_of
from zermelo.storage.kept_values import KeptValues, kept_in

if TYPE_CHECKING:
    from zermelo.basics.crew import Crew

UNIT = 2.0**-53
AGREEING = 30  # states at which values are compared with the rules run in Python
SMALL, MANY = 10_000, 1_500  # values of a game, and unknowns that are eliminated in so small a one: it needs no compiler for its sweeps
A_VALUE = 6e-5  # seconds that Python takes at least to find one by sweeps: a dozen sweeps
TINY = 1e-200  # more than underflow can change an equation, also one that is divided by ways of 1e-100
ARGUMENT = (
    "the stages solved one after the other, the last one first; the largest residual of every equation, rounding included, "
    "times the mean number of moves"
)


def solve_stages(request: Request) -> StoredAnswers:
    """The values of all states of all stages, certified. The game's claims are checked at the states of the sample.

    With a checkpoint, a folder, the values are kept there, and the values of stages that another process has solved are read from there.
    Raises `GivesUp` if sweeps fail: other methods may do better. Raises `RulesError`, `OutOfReach`, and `FileError` for the folder.
    """
    rules, path = request.rules, request.checkpoint
    with Stopwatch() as reading:
        stages = checked_stages(rules, request.sample, request.max_states)
        memory_for(stages, len(rules.payoffs) + 2, path is not None)
        native = StagedRules(rules, stages.layout)
    keeping = nullcontext() if path is None else kept_in(path, run_of(rules.game))
    with Stopwatch() as solving, crew(threads() - 1) as pool, keeping as kept:
        for moves in (0, len(rules.payoffs)):  # if the first payoff does not count all moves, they are counted in addition to the payoffs
            if moves or not (rules.payoffs[0] in rules.seats or (kept and kept.facts and kept.facts["moves"])):
                found = _Pass(stages, native, moves, kept, pool, request.progress)
                if found.run():
                    break
        _check_agreement(found)
    seconds = {
        "compiling": reading.compiling + solving.compiling, "numbering": reading.seconds, "solving": solving.seconds,
    }  # fmt: skip
    return _answers(found, request, seconds)


def _answers(found: _Pass, request: Request, seconds: dict[str, float]) -> StoredAnswers:
    """The answer from a finished pass."""
    stages, rules = found.stages, found.stages.rules
    stage, rank, turns = stages.place_of(rules.start)
    payoffs, moves = len(rules.payoffs), found.values.column(found.moves)
    length, counting = found.length(), rules.payoffs[0] if found.moves == 0 else None
    largest = max(space.size for space in stages.spaces)
    notes: list[str] = []
    if found.kept is not None:
        found.values.flat.flags.writeable = False
        notes.append(f"values are read from {found.kept.folder}: keep it, or `save` the solution")
    if odd := int(found.equations.counts[status.ODD]):
        notes += remark_on_ways_at(request, rules, stages.numbered(odd - 1))
    facts = {
        "states": stages.num_states,
        "stages": len(stages.spaces),
        "largest_stage": largest,
        "entries": found.nonzeros,
        "sweeps": found.sweeps,
        "length": length._asdict(),
        "moves": counting,  # the payoff that counts moves
        "interpreted": found.equations.native.is_interpreted,
    }
    summary = (
        f"{counted(stages.num_states, 'state')} in {counted(len(stages.spaces), 'stage')} (the largest {largest:,}), chance only, "
        f"{counted(found.sweeps, 'sweep')}"
    )
    return StoredAnswers(
        rules, stages.layout, found.keys, found.values.first(payoffs), Multiples(found.least_moves(moves), found.factors()[:payoffs]),
        np.where(moves > 0, 0, -1).astype(np.int32), Place(int(stages.offset[stage]) + rank, turns), ARGUMENT,
        Report("stages", "Stages", summary, facts, seconds, notes=tuple(notes)), length=length, moves=counting,
    )  # fmt: skip


class _Pass:
    """One pass over the stages. Column `moves` counts the moves, the last column is the square of that, and the others are payoffs."""

    def __init__(
        self, stages: Stages, native: StagedRules, moves: int, kept: KeptValues | None, pool: Crew, progress: Progress
    ):
        self.stages, self.moves, self.kept, self.pool, self.progress = stages, moves, kept, pool, progress
        payoffs = len(stages.rules.payoffs)
        self.square = max(payoffs, moves + 1)
        others = np.arange(payoffs, self.square + 1) + np.zeros((len(stages.columns), 1), np.int64)
        self.columns = np.hstack([stages.columns, others])
        self.group = groups(self.columns)
        if kept is not None and kept.facts and kept.facts["moves"] != moves:
            kept.forget()
        flat = None if kept is None else kept.begin(stages.num_states * len(self.group), progress)
        self.values = Columns(stages.num_states, self.group, flat)
        self.equations = Equations(stages, native, self.values, self.columns)
        self.few = MANY if self.values.flat.size <= SMALL else FEW  # unknowns that are eliminated
        self.missed = np.zeros(len(self.group))  # the largest residual of each group
        self.largest = np.zeros(len(self.group))  # its largest absolute value
        self.square_paid = 0.0  # the most that the means add to the equations of the squares
        self.nonzeros, self.sweeps = 0, 0
        self.keys = stages.layout.room(stages.num_states)
        self.left = len(stages.spaces)  # stages that are not solved: the first ones
        self.is_stopped = self.is_foreseen = False
        if kept is not None and kept.facts:
            self._go_on(kept.facts)

    def run(self) -> bool:
        """Fill in the values. Returns False if the payoff assumed to be the number of moves is not."""
        total = self.stages.num_states
        try:
            for stage in reversed(range(self.left)):
                if self.stages.states_of(stage):
                    self._foresee(stage)
                    equations = self.equations.of(stage)
                    if self.moves == 0 and self.equations.counts[status.NOT_UNIT]:
                        return False
                    equations = self._arranged(stage, equations)
                    self._solve(stage, equations)
                    self._keep(stage)
                    self.progress("solving", total - int(self.stages.offset[stage]), total)
        finally:
            self.is_stopped = True  # ends sweeps of other threads after Ctrl-C or an error
            if self.kept is not None:
                self.kept.save()
        return True

    def _foresee(self, stage: int) -> None:
        """Where Python would take long to sweep this stage and those before it, it does not begin, and another process compiles what sweeps
        need, while this one compiles the rules."""
        values = int(self.stages.offset[stage + 1]) * len(self.group)
        if self.is_foreseen or self.stages.states_of(stage) * len(self.group) <= self.few or values * A_VALUE <= START:
            return
        self.is_foreseen = True
        widths = np.unique(np.bincount(self.group), return_index=True)[1][::-1]  # a group of each width, the widest first
        systems = [self._system(stage, self.equations.nothing(), g)[0] for g in widths]
        sweeps, steps = zip(*map(calls, systems), strict=True)
        x, least = systems[0].right, np.zeros(0)
        check = residuals, (*systems[0], x, 0.0, 0.0, least, least, least)
        if sweep.foresee(values * A_VALUE, sweeps[0][1]):
            ahead.begin_with([*sweeps, steps[0], check])  # few games need the steps: the others are compiled here meanwhile

    def _keep(self, stage: int) -> None:
        """Record for another process that a stage is solved."""
        self.left = stage
        if self.kept is not None:
            arrays = {name: getattr(self, name).tolist() for name in ("missed", "largest")}
            counted = {"counts": self.equations.counts.tolist(), "most paid": self.equations.most_paid.tolist()}
            numbers = {name: getattr(self, name) for name in ("moves", "left", "square_paid", "nonzeros", "sweeps")}
            self.kept.add(self.values.spans(*self.stages.offset[stage : stage + 2].tolist()), {**arrays, **counted, **numbers})

    def _go_on(self, facts: dict[str, Any]) -> None:
        """Take over the records of another process."""
        self.missed, self.largest = np.array(facts["missed"]), np.array(facts["largest"])
        self.equations.counts[: len(facts["counts"])] = facts["counts"]  # an earlier version counted less
        self.equations.most_paid = np.array(facts["most paid"])
        self.left, self.square_paid, self.nonzeros, self.sweeps = (facts[n] for n in ("left", "square_paid", "nonzeros", "sweeps"))
        for stage in range(self.left, len(self.stages.spaces)):
            self.stages.write_keys(stage, self.keys)

    def _solve(self, stage: int, equations: Stage) -> None:
        """Solve the groups of columns in parallel, the squares after the means, and write the keys of the states."""
        last = int(self.group[self.square])
        moves = int(self.group[self.moves])
        others = [g for g in range(last) if g != moves]
        jobs = [self.pool.submit(self._solve_group, stage, equations, g) for g in others]
        tries = [self._solve_group(stage, equations, moves)]
        offset = self.stages.offset
        mean = self.values.column(self.moves, offset[stage], offset[stage + 1])
        equations.right.column(self.square)[:] += equations.scale * (2.0 * mean - 1.0)
        self.square_paid = max(self.square_paid, float((equations.scale * (2.0 * mean + 1.0)).max()))
        tries.append(self._solve_group(stage, equations, last))
        self.stages.write_keys(stage, self.keys)  # while other threads still solve their groups
        tries += [job.result() for job in jobs]
        if min(tries) < 0:
            at = stage + self.stages.first
            raise GivesUp(f"sweeps do not solve the equations of stage {at}: play goes on for too long there, or forever")
        self.nonzeros += len(equations.to)
        self.sweeps += max(tries)

    def _arranged(self, stage: int, equations: Stage) -> Stage:
        """The equations of a stage, in the order in which they are swept."""
        widest = int(np.bincount(self.group).argmax())
        system, x = self._system(stage, equations, widest)
        order = None if x.size <= self.few else around_the_table(system)
        return equations if order is None else arranged(equations, order)

    def _solve_group(self, stage: int, equations: Stage, g: int) -> int:
        """Solve one group of columns and compute every residual; returns the number of sweeps, or -1 if they do not converge."""
        members = np.flatnonzero(self.group == g)
        system, x = self._system(stage, equations, g)
        if equations.order is not None:  # that of the rows, from here ...
            system.right[:] = np.take(system.right, equations.order, axis=0)
        sweeps = settle(system, x, ROUNDING, lambda: self.is_stopped, few=self.few)
        missed, size, least = (np.empty(len(members)) for _ in range(3))
        weights_error, right_error = self._roundings(is_square=self.square in members)
        residuals(*system, x, weights_error, right_error, missed, size, least)
        if equations.place is not None:  # ... to here
            x[:] = np.take(x, equations.place, axis=0)
        most = missed.max()
        if self.equations.counts[status.PAYS_LESS]:  # sums may cancel: |right| does not show how much was rounded
            most += right_error * (self.largest[members].max() + size.max() + self.equations.most_paid[members].max())
        self.missed[members] = np.maximum(self.missed[members], most * (1 + 1e-6) + TINY)
        self.largest[members] = np.maximum(self.largest[members], size.max())
        good = np.isfinite(missed).all()
        if self.moves in members:
            good = good and least.min() >= 0 and most < 0.5
        return sweeps if good else -1

    def _system(self, stage: int, equations: Stage, g: int) -> tuple[System, np.ndarray]:
        """The system of one group of columns, and where its values are stored."""
        members = np.flatnonzero(self.group == g)
        columns = np.searchsorted(members, self.columns[:, members])
        system = System(*equations[:4], columns, np.zeros(len(members), np.int64), equations.right.block(g))
        return system, self.values.block(g, *self.stages.offset[stage : stage + 2])

    def _roundings(self, is_square: bool) -> tuple[float, float]:
        """Relative errors of the nonzeros of P and of `right`; that of the squares takes 4 more roundings, being computed from the
        means."""
        counts = self.equations.counts
        outcomes = int(counts[status.MOST_OUTCOMES]) if counts[status.NOT_WHOLE] else 0
        return (1 + 2 * outcomes) * UNIT, (8 if is_square else 4) * UNIT + 3 * outcomes * UNIT

    def least_moves(self, moves: np.ndarray) -> np.ndarray:
        """The numbers of moves of all states by which residuals are multiplied: in final states 1 where a payoff may be rounded, as their
        own residuals are."""
        return np.maximum(moves, 1.0) if self.equations.counts[status.NOT_WHOLE] else moves

    def factors(self) -> np.ndarray:
        """float64[columns]: error of the values in each column / mean number of moves. Raises `GivesUp`."""
        if not self.missed[self.moves] < 0.5:
            raise GivesUp("plays take so many moves that rounding leaves nothing certain")
        return self.missed / (1 - self.missed[self.moves]) * (1 + 16 * UNIT)

    def length(self) -> Length:
        """The length of a play from the start."""
        stage, rank, _ = self.stages.place_of(self.stages.rules.start)
        number, factors = int(self.stages.offset[stage]) + rank, self.factors()
        mean, square = (float(self.values.column(j)[number]) for j in (self.moves, self.square))
        relative = float(factors[self.moves])  # relative error of the means
        missed = float(self.missed[self.square]) + relative * self.square_paid
        square_error = missed * mean / (1 - float(self.missed[self.moves])) * (1 + 16 * UNIT)
        error = square_error + (2 + relative) * relative * mean**2 + 8 * UNIT * square
        variance = max(square - mean * mean, 0.0)
        return Length(mean, variance, max(variance - error, 0.0), variance + error, *map(float, interval(mean, relative * mean)))


def groups(columns: np.ndarray) -> np.ndarray:
    """int64[columns]: the group of each column, from 0 on. Columns that take values from one another are in one group."""
    label = np.arange(columns.shape[1])
    for row in columns:
        for j, k in enumerate(row):
            label[label == label[k]] = label[j]
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[group].astype(np.int64)


def _check_agreement(found: _Pass) -> None:
    """Raise `RulesError` if values do not satisfy the equations that the rules give when run in Python, up to rounding, or if what the
    game declares does not hold at a next state."""
    stages, values, dice = found.stages, found.values, np.random.default_rng(0)
    rules, sizes = stages.rules, found.largest + found.equations.most_paid
    close = [1e-9 * max(1.0, size) for size in sizes[: len(rules.payoffs)]]
    for number in np.unique(dice.integers(0, stages.num_states, AGREEING)):
        state = stages.numbered(int(number))
        outcomes = [o for o in rules.outcomes(state, None) if o.ways]
        total = sum(o.ways for o in outcomes)
        places = [stages.place_of(o.state) for o in outcomes]
        for j in range(len(rules.payoffs)):
            then = [values.column(rules.payoff_after(j, turns))[stages.offset[stage] + rank] for stage, rank, turns in places]
            said = sum(o.ways * (o.payoff[j] + value) for o, value in zip(outcomes, then, strict=True))
            said = said / total if outcomes else rules.payoff(state)[j]
            if abs(float(said) - values.column(j)[number]) > close[j]:
                raise disagreement(rules, state)
        check_laws(stages, [outcomes[int(dice.integers(len(outcomes)))].state] if outcomes else [])
