"""The rows of many combinations: kept rows from disk, the others from processes that solve them and store them at once."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from zermelo.basics.interrupts import interruptible
from zermelo.basics.notices import notify, said
from zermelo.basics.progress import Progress, roughly
from zermelo.basics.threads import threads
from zermelo.cluster.connection import connected
from zermelo.errors import ParameterError
from zermelo.games.named import Target
from zermelo.language.parameters import packed, unpacked
from zermelo.studies.kept import Keeper
from zermelo.studies.machines import Machines
from zermelo.studies.pace import Pace
from zermelo.studies.row import Options, Row, as_bytes, decoded, encoded, solved
from zermelo.studies.workers import Killed, Workers


@dataclass
class Effort:
    """The cost of the rows so far."""

    seconds: float = 0.0  # of wall-clock time
    processes: int = 0  # the most at a time
    worked: float = 0.0  # seconds in which processes were busy, summed over processes
    could: float = 0.0  # seconds for which they existed, summed over processes
    rows: int = 0  # that were requested

    @property
    def busy(self) -> float | None:
        """The fraction of the time of all processes in which they were busy; None if nothing was solved."""
        return min(self.worked / self.could, 1.0) if self.could else None


@dataclass(frozen=True)
class Asker:
    """Asks for rows of one game, with the same options. `effort` accumulates the cost. `processes` run on this machine, or on those of
    the `cluster` (None: one per processor)."""

    target: Target
    options: Options
    processes: int | None
    anew: bool
    progress: Progress
    cluster: str | None = None
    effort: Effort = field(default_factory=Effort)
    _staying: Workers | Machines | None = None

    @contextmanager
    def staying(self) -> Iterator[Asker]:
        """The same asker; its processes stay alive between calls of `rows` inside the `with` block."""
        with self._workers(self.processes) as workers:
            yield replace(self, _staying=workers)

    @property
    def number(self) -> int:
        """The maximum number of combinations solved at the same time; known while processes stay alive."""
        return self._staying.number if self._staying else self.processes or default_processes()

    def rows(self, combinations: Sequence[Mapping[str, Any]]) -> tuple[list[Row], bool]:
        """Rows in the order of the combinations, and whether all are present: Ctrl-C leaves out the unfinished ones."""
        began = time.perf_counter()
        self.effort.rows += len(combinations)
        games, rows = self._games(combinations)
        keeper = self._keeper
        if not self.anew:
            rows |= {i: row for i, game in games.items() if (row := keeper.find(game)) is not None}
        asked = [i for i in games if i not in rows]
        is_whole = True
        try:
            with interruptible():
                if asked:
                    number = None if self.processes is None else min(self.processes, len(asked))
                    with nullcontext(self._staying) if self._staying else self._workers(number) as workers:
                        self._solve(games, asked, rows, len(combinations), workers)
                alone = [i for i in asked if rows[i].short_of_memory]
                if alone and self.processes != 1:
                    with self._workers(1) as workers:
                        self._solve(games, alone, rows, len(combinations), workers)
        except KeyboardInterrupt:
            is_whole = False
            if not self.anew:  # rows that processes have stored but not yet reported
                rows |= {i: row for i in asked if i not in rows and (row := keeper.find(games[i])) is not None}
        self.effort.seconds += time.perf_counter() - began
        # as asked: a class may fill in parameters that follow from others, and differ where these do
        return [rows[i]._replace(parameters={**rows[i].parameters, **combinations[i]}) for i in sorted(rows)], is_whole

    @contextmanager
    def _workers(self, number: int | None) -> Iterator[Workers | Machines]:
        if self.cluster is None:
            with Workers(self._piece_of_work, number or default_processes()) as workers:
                yield workers
        else:
            with connected(self.cluster) as library:
                yield Machines(library, self.target, self.options, self.anew, number)

    @cached_property
    def _keeper(self) -> Keeper:
        return Keeper(self.target.game_class, self.options)

    def _piece_of_work(self, sent: Mapping[str, Any]) -> bytes:
        """Solve a game and keep its row, in a separate process if there is one. Returns the row, and anything else to report."""
        before = len(said())
        with _anew() if self.anew else nullcontext():
            game = unpacked(self.target.game_class, sent)
            row = solved(game, self.options)
        self._keeper.keep(game, row)
        return as_bytes({"row": encoded(row), "said": said()[before:]})

    def _games(self, combinations: Sequence[Mapping[str, Any]]) -> tuple[dict[int, Any], dict[int, Row]]:
        """The games, and rows for those that the game's class itself rejects."""
        games: dict[int, Any] = {}
        refused: dict[int, Row] = {}
        for i, combination in enumerate(combinations):
            try:
                games[i] = self.target.game_of(combination)
            except ParameterError as error:
                refused[i] = Row(dict(combination), error=str(error))
        return games, refused

    def _solve(self, games: Mapping[int, Any], asked: Sequence[int], rows: dict[int, Row], total: int, workers: Workers | Machines) -> None:
        """Add rows of the requested games, each as soon as it is available."""
        before = {i: rows.pop(i) for i in asked if i in rows}  # tried earlier without success
        chosen = [f.name for f in self.target.fields]  # the others are fixed by the name of the game
        combinations = [{name: getattr(games[i], name) for name in chosen} for i in asked]
        pace = Pace(combinations)
        number = min(workers.number, len(asked))
        self.effort.processes = max(self.effort.processes, number)
        began, worked = time.perf_counter(), workers.worked()
        self.progress(self._said(pace, number), len(rows), total)
        try:
            for place, found in workers.done(pace, lambda place: packed(games[asked[place]])):
                rows[asked[place]] = row = _row(games[asked[place]], found)
                if self.cluster is not None:  # the machine that solved it is not the place to look for it
                    self._keeper.keep(games[asked[place]], row)
                pace.done(place, row.seconds)
                self.progress(self._said(pace, number), len(rows), total)
        finally:
            rows |= {i: row for i, row in before.items() if i not in rows}
            self.effort.worked += workers.worked() - worked
            self.effort.could += number * (time.perf_counter() - began)

    def _said(self, pace: Pace, processes: int) -> str:
        left = pace.left(processes)
        return f"solving {self.target.word}" + ("" if left is None else f", about {roughly(left)} left")


@contextmanager
def _anew() -> Iterator[None]:
    """This process does not use a kept sweep."""
    before = os.environ.get("ZERMELO_ANEW")
    os.environ["ZERMELO_ANEW"] = "1"
    try:
        yield
    finally:
        os.environ.pop("ZERMELO_ANEW")
        os.environ.update({} if before is None else {"ZERMELO_ANEW": before})


def default_processes() -> int:
    """As many processes as the process may use threads."""
    return threads()


def _row(game: Any, found: bytes | Killed) -> Row:
    if isinstance(found, Killed):
        return Row(game._asdict(), error=str(found), short_of_memory=True)
    data = json.loads(found)
    for text in data["said"]:
        notify(text)
    return decoded(game._asdict(), data["row"])
