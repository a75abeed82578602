"""The machines of a cluster, which solve one combination after another: the counterpart of `workers` on one machine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from zermelo.basics.notices import Notice, said
from zermelo.cluster.sources import Shipped, received, shipped
from zermelo.cluster.tasks import Lost, Tasks
from zermelo.foreign.modules import answers_to, question_about
from zermelo.games.named import Target
from zermelo.language.parameters import unpacked
from zermelo.language.rules_text import rules_hash
from zermelo.studies.pace import Pace
from zermelo.studies.row import Options, as_bytes, encoded, solved
from zermelo.studies.workers import Killed

# the game, what its value means if it is a model, options, whether it is solved again
Question = tuple[Shipped, Any, Options, bool]


class Machines:
    """Solves combinations on a cluster, one processor for each, at most `number` at a time (None: all processors)."""

    def __init__(self, library: Any, target: Target, options: Options, anew: bool, number: int | None):
        assert target.game_class is not None
        question: Question = shipped(target.game_class, rules_hash), question_about(target.game_class), options, anew
        self._tasks = Tasks(library, _solve, question, number)
        self._seconds = 0.0

    @property
    def number(self) -> int:
        """The maximum number of combinations solved at the same time."""
        return self._tasks.number

    def done(self, pace: Pace, what: Callable[[int], Any]) -> Iterator[tuple[int, bytes | Killed]]:
        """Every piece of the pace when it is done, with its result or its error; see `Workers.done`."""
        def waiting() -> Iterator[tuple[int, Any]]:
            while len(pace):
                piece = pace.next()
                yield piece, what(piece)

        for piece, found in self._tasks.done(waiting()):
            if isinstance(found, Lost):
                yield piece, Killed(found.why)
            else:
                self._seconds += found.seconds
                yield piece, found.result

    def worked(self) -> float:
        """Seconds of work by all processors together on the finished pieces."""
        return self._seconds


def _solve(question: Question, parameters: Mapping[str, Any]) -> bytes:
    """Solve a game in a process on a machine. Returns the row, and anything else to report."""
    sent, asked, options, anew = question
    warnings.simplefilter("ignore", Notice)  # they are part of the notes
    before = len(said())
    if anew:
        os.environ["ZERMELO_ANEW"] = "1"
    else:
        os.environ.pop("ZERMELO_ANEW", None)
    game_class = received(sent, rules_hash)
    if asked is not None:
        answers_to(game_class, asked)
    game = unpacked(game_class, parameters)
    return as_bytes({"row": encoded(solved(game, options)), "said": said()[before:]})
