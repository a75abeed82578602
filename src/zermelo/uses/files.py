"""Answers to files and back: the codec for each kind, and what the engines do for an answer that was opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.answers.base import Answers, Entered, Packs, StoppingLine, Tabled
from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.answers.swept import Swept
from zermelo.basics.progress import Progress, silent
from zermelo.errors import FileError, ParameterError
from zermelo.storage import boards, entered, mixed, stored, swept
from zermelo.storage.file import read


def save(answers: Answers, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
    """Write an answer to one file, atomically. Raises `FileError`, and `ParameterError` for `compress` where nothing is packed."""
    answer: Any = answers
    if answers.lacks(Packs) is None:
        boards.save(answer, path, compress, progress)
        return
    if compress:
        raise ParameterError(
            f"{answers.rules.name}: only the tables of large board games are compressed; save it plainly"
        )
    if answers.lacks(Tabled) is None:
        stored.save(answer, path)
    elif answers.lacks(StoppingLine) is None:
        swept.save(answer, path)
    else:
        entered_or_stored(answer, path, progress)


def entered_or_stored(answers: EnteredAnswers, path: str | Path, progress: Progress) -> None:
    """All states where they are few, so that the file opens without a compiler; else the entries of stages."""
    from zermelo.uses.need import can_be_tabled, need

    assert answers.lacks(Entered) is None
    if can_be_tabled(answers):
        stored.save(need(answers, Tabled, "saving", progress), path)
    else:
        entered.save(answers, path)


def opened(path: str | Path, game: Any = None, verify: bool | None = None) -> Any:
    """The answer in a file: `Answers`, or `MixedAnswers` of a matrix game. Arrays stay on disk and are read as they are needed;
    no solver is loaded. Raises `FileError`."""
    header, arrays = read(path, verify)
    kind = header.get("kind")
    if kind == mixed.KIND:
        return mixed.opened(path, header, arrays, game)
    if kind == swept.KIND:
        return swept.opened(path, header, arrays, game, _sweep_from)
    if kind == entered.KIND:
        return entered.opened(path, header, arrays, game, _StageSolver())
    if kind is not None:
        raise FileError(f"{path} holds {kind!r}, which this version of Zermelo does not know: update it, or solve and save again")
    return (boards if "codes" in header else stored).opened(path, header, arrays, game)


def _sweep_from(plus: int, minus: int, deviations: float) -> Swept:
    """Sweeps for another urn, when one is asked for; loads the compiler."""
    from zermelo.engines.urn.solving import sweep_from

    return sweep_from(plus, minus, deviations)


class _StageSolver:
    """Solves stages again, when a state is asked for that is not kept; loads the compiler."""

    def __init__(self) -> None:
        self._solve: Any = None

    def __call__(self, answers: EnteredAnswers, stage: int, key: int) -> StageStates:
        if self._solve is None:
            from zermelo.engines.entries.again import StageSolver

            self._solve = StageSolver()
        found: StageStates = self._solve(answers, stage, key)
        return found
