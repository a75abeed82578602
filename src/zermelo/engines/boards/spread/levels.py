"""A table spread over parts, solved level by level, as solving.py in the folder above does in one piece; the codes are the same.

First all reachable positions are found: every part examines the moves of those that it owns, and notifies the owners of the next ones.
What is won or lost in 1 move is decided there. Then, for d = 2, 3, ..., the parts take back moves from those decided in d - 1. A position
with a move to a loss for the opponent is won; for a position with a move to a win for the opponent, the number of remaining next
positions is counted down, and when none is left, it is lost (Romein and Bal 2003, Solving awari with parallel retrograde analysis,
Computer 36(10)). If fewer positions are undecided than were decided in d - 1, their next positions are examined again instead, and
counted anew: their codes are requested from the owners. So do games that cannot take moves back, in every level, and so does the check
at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from zermelo.basics.progress import Progress
from zermelo.engines.boards.board import check_moves
from zermelo.engines.boards.spread.part import CHUNK, Part, Sent
from zermelo.kernels import status


class Crew(Protocol):
    """All parts of a table, wherever they are."""

    parts: int

    def each(self, method: str, *arguments: Any) -> list[Any]:
        """The results of all parts."""

    def exchange(
        self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...], is_short: bool = False
    ) -> Iterator[tuple[list[Sent], list[Any]]]:
        """Rounds without end, until it is closed: every part takes a step, and the data it hands out is given to its owners. Yields the
        parts' reports on the step, and the results of processing the data given to them, perhaps in an earlier round.

        is_short : one round will probably do, so that no second one should be begun before that is known."""

    def inquire(self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...]) -> Iterator[tuple[list[Sent], list[Any]]]:
        """The same for steps in which owners are asked for the codes of the places that a part hands out, which are then given to that
        part."""


@dataclass
class State:
    """The progress of a table: the data on disk in addition to the parts at each cut."""

    cut: int = 0
    is_expanded: bool = False
    moves: int = 0
    keeps: bool = False
    passes: bool = False
    of_1: int = 0  # positions where player 1 moves
    first: tuple[int, int] = (0, 0)  # positions won and lost in 1 move, which are decided when their moves are examined
    next_level: int = 1
    last: tuple[int, int] = (1, 1)  # positions that the last level decided: won, lost
    levels: list[tuple[int, int, int, float]] = field(default_factory=list)
    looked: int = 0
    bytes: int = 0  # bytes sent between parts
    batches: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    losses: int = 0  # how many times a part was lost

    @property
    def undecided(self) -> int:
        """The number of positions that no level has decided."""
        return self.looked - sum(won + lost for _, won, lost, _ in self.levels)

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class Leader:
    """Makes the parts of a crew solve a table. `save(state)` is called when all parts agree on the finished work, if it `is_due`."""

    def __init__(
        self, crew: Crew, takes_back: bool, progress: Progress, save: Callable[[State], None], is_due: Callable[[], bool]
    ):
        self.crew, self.takes_back, self.progress, self._save, self._is_due = crew, takes_back, progress, save, is_due

    def solve(self, state: State, start: int, positions: int) -> State:
        """Continue from `state`, which the parts have loaded, until everything is decided."""
        if not state.is_expanded:
            if state.cut == 0:
                self.crew.each("start", start)
            while not self._expand(state, positions):
                self._save(state)
            state.is_expanded = True
            self._save(state)
        while any(state.last):
            began = time.perf_counter()
            check_moves(state.next_level)
            if state.next_level > status.MOST_MOVES:
                self.crew.each("widen")
            won, lost = self._level(state, state.next_level)
            seconds = time.perf_counter() - began
            state.levels.append((state.next_level, won, lost, seconds))
            state.seconds["levels"] = state.seconds.get("levels", 0.0) + seconds
            state.last, state.next_level = (won, lost), state.next_level + 1
            if self._is_due():
                self._save(state)
        return state

    def compare(self, stride: int, state: State, positions: int) -> tuple[int, int]:
        """The number of positions compared with their next ones, and the number of a position that differs (-1: none does)."""
        began, compared = time.perf_counter(), 0
        self.crew.each("again")
        rounds = self.crew.inquire("ask", (None, stride), "compare", ())
        for sents, wrong in rounds:
            compared += sum(sent.looked for sent in sents)
            self._count(state, sents, answered=True)
            self.progress("positions compared with the next ones", compared, positions)
            if (different := max(wrong, default=-1)) >= 0:
                rounds.close()  # type: ignore[attr-defined]
                return compared, different
            if not any(sent.more for sent in sents):
                break
        last = self._closed(rounds)
        state.seconds["checking"] = time.perf_counter() - began
        return compared, max((w for _, wrong in last for w in wrong), default=-1)

    def _expand(self, state: State, positions: int) -> bool:
        """Examine the moves of positions that were reached; false if that was stopped because it is time to save."""
        began, before, empty = time.perf_counter(), state.seconds.get("expanding", 0.0), 0
        self.crew.each("again")
        rounds = self.crew.exchange("expand", (), "reached", ())
        for sents, _ in rounds:
            self._expanded(state, sents)
            self.progress("positions that can be reached", state.looked, positions)
            empty = 0 if any(sent.more for sent in sents) else empty + 1
            if empty == 2 or empty == 0 and self._is_due():  # data sent before the first empty round has been processed in the second
                break
        for sents, _ in self._closed(rounds):
            self._expanded(state, sents)
        state.seconds["expanding"] = before + time.perf_counter() - began
        return empty == 2

    def _expanded(self, state: State, sents: Sequence[Sent]) -> None:
        self._count(state, sents)
        state.looked += sum(sent.looked for sent in sents)
        state.moves += sum(sent.moves for sent in sents)
        state.first = state.first[0] + sum(sent.won for sent in sents), state.first[1] + sum(sent.lost for sent in sents)
        state.keeps |= any(sent.keeps for sent in sents)
        state.passes |= any(sent.passes for sent in sents)
        state.of_1 += sum(sent.of_1 for sent in sents)

    def _level(self, state: State, d: int) -> tuple[int, int]:
        if d == 1:
            return state.first
        decided_last = sum(state.last)
        if not self.takes_back or state.keeps or decided_last > state.undecided:
            return self._through(state, d, self.crew.inquire("ask", (status.DRAWN,), "decide", (d,)), answered=True)
        return self._through(state, d, self.crew.exchange("push", (d,), "pushed", (d,), is_short=decided_last <= CHUNK))

    def _through(self, state: State, d: int, rounds: Iterator[tuple[list[Sent], list[Any]]], answered: bool = False) -> tuple[int, int]:
        """Run all rounds of a level; returns the number of positions that they decide."""
        if answered:  # parts see by themselves that moves are taken back from others than before
            self.crew.each("again")
        told: list[Sent] = []
        done = 0
        for sents, taken in rounds:
            self._count(state, sents, answered)
            told += [*sents, *taken]
            done += sum(sent.looked for sent in sents)
            self.progress(f"positions won or lost in {d} moves: looked at", done, None)
            if not any(sent.more for sent in sents):
                break
        for sents, taken in self._closed(rounds):
            told += [*sents, *taken]
        return sum(sent.won for sent in told), sum(sent.lost for sent in told)

    def _closed(self, rounds: Any) -> list[tuple[list[Sent], list[Any]]]:
        """End the rounds; returns the reports that parts had not yet made."""
        try:
            rounds.send(True)
        except StopIteration as ended:
            return list(ended.value or ())
        raise AssertionError("rounds go on")

    def _count(self, state: State, sents: Sequence[Sent], answered: bool = False) -> None:
        codes = sum(sent.bytes for sent in sents)
        width = 4  # bytes of a place, for whose code one byte comes back
        state.bytes += codes + (codes // width if answered else 0)
        state.batches += sum(sent.looked > 0 for sent in sents) * (self.crew.parts - 1) * (2 if answered else 1)


class OneAfterTheOther:
    """A crew in this process, without a cluster: the reference for the others."""

    def __init__(self, parts: Sequence[Part]):
        self.all, self.parts = parts, len(parts)

    def each(self, method: str, *arguments: Any) -> list[Any]:
        return [getattr(part, method)(*arguments) for part in self.all]

    def exchange(
        self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...], is_short: bool = False
    ) -> Iterator[tuple[list[Sent], list[Any]]]:
        while True:
            done = self.each(step, *given)
            taken = [getattr(part, take)(*more, *mail(done, k)) for k, part in enumerate(self.all)]
            if (yield [sent for sent, _ in done], [t for t in taken if t is not None]):
                return

    def inquire(self, step: str, given: tuple[Any, ...], take: str, more: tuple[Any, ...]) -> Iterator[tuple[list[Sent], list[Any]]]:
        while True:
            done = self.each(step, *given)
            taken = []
            for k, part in enumerate(self.all):
                others = [other for other in self.all if other is not part]
                answers = [other.told(batch) for other, batch in zip(others, done[k][1], strict=True)]
                taken.append(getattr(part, take)(*more, *answers))
            if (yield [sent for sent, _ in done], taken):
                return


def mail(done: Sequence[tuple[Any, Sequence[Any]]], k: int) -> list[Any]:
    """The data that the other parts hand out to part k: each has a batch for every part but itself."""
    return [batches[k if k < sender else k - 1] for sender, (_, batches) in enumerate(done) if sender != k]
