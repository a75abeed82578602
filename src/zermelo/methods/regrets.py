"""Near-optimal plans by regret minimisation (kernels/regret.py), round after round, on one thread or several. Results are the same bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.runs import running
from zermelo.basics.threads import crew, threads
from zermelo.kernels.kernel import at_once
from zermelo.kernels.regret import choose_part, cut, even, fill_in, minimise, multiply, regret_part, regret_top
from zermelo.problem.panels import PanelForm
from zermelo.problem.sequences import SequenceForm, Side

if TYPE_CHECKING:
    from zermelo.basics.crew import Crew

SLIGHTLY = 1e-6  # the frequency of the other player's errors where a best response to optimal play leaves a choice
GROUP = 16  # panels of the same matrix that are multiplied together, while their products are in the cache
PARTS = 32  # parts into which sets are divided for several threads
LARGE = 4_000_000  # products and sequences of a round for which several threads pay off: a millisecond of work or more


class Gains(NamedTuple):
    """The sources of the payoffs of a player's sequences: sequence i from the nonzeros start[i] : start[i + 1], with the place of each in
    `known` (the other's plan, and the products of panels behind it) and its payment to the player. `panels` : in the form that `multiply`
    takes."""

    start: np.ndarray  # int64[sequences + 1]
    place: np.ndarray  # int32[nonzeros]
    paid: np.ndarray  # float64[nonzeros]
    panels: tuple[np.ndarray, ...]
    known: int  # the length of `known` of the other player


class Parts(NamedTuple):
    """The sets of a player: those of the top, with the roots of all parts; and those of the parts, one part after another."""

    top: np.ndarray  # int32
    chosen: np.ndarray  # int32: the same without the roots
    sets: np.ndarray  # int32
    is_root: np.ndarray  # bool[sets]
    begin: np.ndarray  # int64[parts + 1]: where each part begins in `sets`
    ends: np.ndarray  # float64[parts + 1]: the share of all work that is done before each part


class Regrets:
    """The state of the search. `weights` of both players stand for a behaviour: in each set, probabilities in proportion to them."""

    def __init__(self, form: SequenceForm):
        self.form, self.rounds = form, 0
        self.gains = [gains(form, player) for player in range(2)]
        self._state = []
        for player, side in enumerate(form.sides):
            known = np.zeros(self.gains[1 - player].known)
            known[: side.sequences] = even_plan(side)
            self._state += [np.zeros(side.sequences), np.zeros(side.sequences), known, np.zeros(side.sequences)]
        self.work = sum(form.shape) + 2 * form.entries
        self._parts: list[Parts] = []

    def run(self, rounds: int) -> None:
        number = threads() if self.work >= LARGE else 1
        if number == 1:
            own, other = self.form.sides
            _tier(minimise, self.form)(
                rounds, self.rounds, own.parent, own.first, *self.gains[0][:4], other.parent, other.first, *self.gains[1][:4],
                *self._state,
            )  # fmt: skip
            self.rounds += rounds
            return
        self._parts = self._parts or [_parts(side, of) for side, of in zip(self.form.sides, self.gains, strict=True)]
        with crew(number - 1) as pool:
            team = _Team(pool, number)
            for _ in range(rounds):
                for player in range(2):
                    self._answer(player, float(self.rounds + 1) ** 2, team)
                self.rounds += 1

    def _answer(self, player: int, weight: float, team: _Team) -> None:
        """One player's half of a round."""
        side, (start, place, paid, panels, _), parts = self.form.sides[player], self.gains[player], self._parts[player]
        regret, hint, own_known, total = self._state[4 * player : 4 * player + 4]
        plan, known = own_known[: side.sequences], self._state[4 * (1 - player) + 2]
        worth, mean_of = np.empty(side.sequences), np.empty(side.sets)
        given = known, start, place, paid, side.parent, side.first, parts.is_root, worth, mean_of, regret, hint
        last = len(panels[0]) - 1
        if last:
            done = panels[-1][panels[0]]
            team(lambda low, high: multiply.compiled(low, high, *panels, known), (done - done[0]) / max(int(done[-1] - done[0]), 1))
        sets, begin = parts.sets, parts.begin
        team(lambda low, high: regret_part.compiled(sets[begin[low] : begin[high]], *given), parts.ends)
        regret_top.compiled(parts.top, *given)
        plan[0] = 1.0
        total[0] += weight
        chosen = regret, hint, side.parent, side.first, plan, total, weight
        choose_part.compiled(parts.chosen, *chosen)
        team(lambda low, high: choose_part.compiled(sets[begin[low] : begin[high]], *chosen), parts.ends)

    @property
    def weights(self) -> tuple[np.ndarray, np.ndarray]:
        """The averages of all plans so far."""
        sums = self._state[3], self._state[7]
        return sums[0] / max(sums[0][0], sums[0].max(), 1e-300), sums[1] / max(sums[1][0], sums[1].max(), 1e-300)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All data needed to continue elsewhere."""
        return {f"{name} {player}": self._state[4 * player + k] for player in range(2) for k, name in enumerate(KEPT)}

    def go_on(self, rounds: int, arrays: dict[str, np.ndarray]) -> None:
        """Continue from the state of another search after this many rounds."""
        self.rounds = rounds
        for player in range(2):
            for k, name in enumerate(KEPT):
                self._state[4 * player + k][:] = arrays[f"{name} {player}"]


KEPT = ("regret", "hint", "known", "sum")


class _Team:
    """Several threads, this one among them."""

    def __init__(self, pool: Crew, number: int):
        self.pool, self.number = pool, number

    def __call__(self, work: Any, ends: np.ndarray) -> None:
        """`work(low, high)` for ranges of items; ends[i] : the share of the work that is done before item i."""
        at = np.searchsorted(ends, np.arange(1, self.number) / self.number)
        cuts = [0, *np.minimum(at, len(ends) - 1).tolist(), len(ends) - 1]
        begun = [self.pool.submit(work, low, high) for low, high in zip(cuts[1:-1], cuts[2:], strict=True)]
        work(cuts[0], cuts[1])
        for other in begun:
            other.result()


def _parts(side: Side, of: Gains) -> Parts:
    work = (np.diff(of.start[side.first]) + side.widths).astype(np.float64)
    part_of, is_root = np.empty(side.sets, np.int32), np.empty(side.sets, np.bool_)
    cut(side.parent, side.first, side.set_of.astype(np.int32), work.copy(), PARTS, part_of, is_root)
    order = np.argsort(part_of, kind="stable").astype(np.int32)
    sets = order[int((part_of < 0).sum()) :]
    begin = np.searchsorted(part_of[sets], np.arange(int(part_of.max(initial=-1)) + 2)).astype(np.int64)
    done = np.concatenate([[0.0], np.cumsum(work[sets])])[begin]
    top = np.flatnonzero((part_of < 0) | is_root).astype(np.int32)
    return Parts(top, np.flatnonzero(part_of < 0).astype(np.int32), sets, is_root, begin, done / max(done[-1], 1.0))


def gains(form: SequenceForm, player: int) -> Gains:
    """The payoffs by the sequences of a player."""
    sequences, others, sign = form.sides[player].sequences, form.sides[1 - player].sequences, 1 - 2 * player
    if not isinstance(form, PanelForm):
        own, other = form.indices(player)
        none = np.zeros(1, np.int64), *(np.zeros(0, t) for t in (np.int32, float, np.int64, np.int32, np.int32, np.int32, np.int64, float))
        return Gains(*_by_sequence(own, other.astype(np.int32), form.near * sign, sequences), (*none, np.zeros(1, np.int64)), others)
    held, m = form.payments, form.payments.matrices
    own_at, other_at = (held.rows_at, held.columns_at) if player == 0 else (held.columns_at, held.rows_at)
    own_size, other_size = (m.high, m.wide) if player == 0 else (m.wide, m.high)
    pool = _turned(m.high, m.wide, m.at, m.pool) if player == 0 else m.pool
    counts = own_size[held.matrix].astype(np.int64)
    product_at = others + running(counts)
    length = int(product_at[-1])
    own = held.sequence[np.repeat(own_at - product_at[:-1], counts) + np.arange(others, length)]
    loose, against = (held.row, held.column) if player == 0 else (held.column, held.row)
    place = np.concatenate([np.arange(others, length), against]).astype(np.int32 if length < 2**31 else np.int64)
    paid = np.concatenate([np.ones(len(own)), held.near * sign])
    sorted_ = _by_sequence(np.concatenate([own, loose]), place, paid, sequences)
    changes = np.flatnonzero(np.diff(held.matrix)) + 1 if len(held.matrix) else np.zeros(0, np.int64)
    runs = [0, *changes.tolist(), len(held.matrix)] if len(held.matrix) else [0]
    groups = [p for low, high in zip(runs[:-1], runs[1:], strict=True) for p in range(low, high, GROUP)] + runs[-1:]
    panels = (
        np.array(groups, np.int64), held.matrix, held.scale * sign, other_at, held.sequence, own_size, other_size, m.at, pool, product_at,
    )  # fmt: skip
    return Gains(*sorted_, panels, length)


def _by_sequence(own: np.ndarray, place: np.ndarray, paid: np.ndarray, sequences: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.argsort(own, kind="stable")
    start = running(np.bincount(own, minlength=sequences))
    return start, place[order], paid[order]


def _turned(high: np.ndarray, wide: np.ndarray, at: np.ndarray, pool: np.ndarray) -> np.ndarray:
    """The same matrices, stored by columns."""
    size = high.astype(np.int64) * wide
    which = np.arange(len(pool)) - np.repeat(at, size)
    rows, columns = np.repeat(high, size), np.repeat(wide, size)
    found = np.empty(len(pool))
    found[np.repeat(at, size) + which % columns * rows + which // columns] = pool
    return found


def _tier(kernel: Any, form: SequenceForm) -> Any:
    """The kernel, compiled if the rules were."""
    return at_once(kernel) if isinstance(form, PanelForm) else kernel


def even_plan(side: Side) -> np.ndarray:
    """float64[sequences]: a plan that excludes nothing, and has every way in which the player's choices can end equally likely."""
    ends, plan = np.ones(side.sequences), np.ones(side.sequences)
    ends[side.parent] = 0.0
    even(side.parent, side.first, ends, plan)
    return plan


def completed(form: SequenceForm, player: int, weight: np.ndarray, other_plan: np.ndarray, found: Gains | None = None) -> np.ndarray:
    """The weights of a player with a choice in every set. In a set reached only by the player's own mistake, it is a best response to the
    plan of the other player, who also errs occasionally. `found` : the player's gains, if a search has them."""
    against = (1 - SLIGHTLY) * other_plan + SLIGHTLY * even_plan(form.sides[1 - player])
    side, filled = form.sides[player], weight.astype(float)
    _tier(fill_in, form)(worth_of(form, player, against, found), side.parent, side.first, filled)
    return filled


def worth_of(form: SequenceForm, player: int, other_plan: np.ndarray, found: Gains | None = None) -> np.ndarray:
    """The payment of each sequence of a player against a plan of the other player, without later payments."""
    if not isinstance(form, PanelForm):
        own, other = form.indices(player)
        return np.bincount(own, form.near * (1 - 2 * player) * other_plan[other], form.sides[player].sequences)
    start, place, paid, panels, length = found or gains(form, player)
    known = np.zeros(length)
    known[: len(other_plan)] = other_plan
    _tier(multiply, form)(0, len(panels[0]) - 1, *panels, known)
    return np.bincount(np.repeat(np.arange(len(start) - 1), np.diff(start)), paid * known[place], len(start) - 1)
