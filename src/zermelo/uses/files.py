"""Answers to files and back: the codec for each kind, and the work of the engines for an opened answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from zermelo.answers.base import Answers, Coded, CountsDown, Entered, StoppingLine
from zermelo.answers.counted import CountedAnswers, Layer
from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.answers.stored import StoredAnswers
from zermelo.answers.swept import UrnSweep
from zermelo.basics.progress import Progress, silent
from zermelo.errors import FileError, NoRules, ZermeloError
from zermelo.storage import boards, counted, entered, hidden, matrix, mixed, stored, swept
from zermelo.storage.contents import Check, check_contents, check_header
from zermelo.storage.file import read, refuse_packing
from zermelo.uses.need import can_be_tabled, tabled
from zermelo.uses.ways import Way, way_for


def save(answers: Answers, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
    """Write an answer to one file, atomically. Raises `FileError`, and `ParameterError` for `compress` where nothing can be packed."""
    refuse_packing(answers.rules.name, compress and answers.lacks(Coded) is not None)
    way_for(answers, WAYS, _save_all_states)(answers, path, compress, progress)


def _save_all_states(answers: Answers, path: str | Path, compress: bool, progress: Progress) -> None:
    """All states, so that the file opens without a compiler."""
    stored.save(cast(StoredAnswers, tabled(answers, "saving", progress)), path)


def _save_entered(answers: EnteredAnswers, path: str | Path, progress: Progress) -> None:
    """The entry states, so that values are what they were to the bit; with all states, where they are few, for what needs them."""
    bridge = tabled(answers, "saving", progress) if can_be_tabled(answers) else None
    entered.save(answers, path, cast("StoredAnswers | None", bridge))


WAYS = (
    Way(Coded, boards.save),
    Way(StoppingLine, lambda answers, path, *_: swept.save(answers, path)),
    Way(CountsDown, lambda answers, path, *_: counted.save(answers, path)),
    Way(Entered, lambda answers, path, compress, progress: _save_entered(answers, path, progress)),
)


def opened(path: str | Path, game: Any = None, verify: bool | None = None) -> Any:
    """The answer in a file: `Answers`, or `MixedAnswers` of a matrix game, or `DataAnswers` if its rules are not known. Arrays stay on
    disk and are read on demand; no solver is loaded. Raises `FileError`."""
    header, arrays = read(path, verify)
    try:
        check_header(path, header)
        form = _format(path, header)
        check_contents(path, header, arrays, form.check)
        try:
            return form.opened(path, header, arrays, game)
        except NoRules:
            if form.as_data is None:
                raise
            return form.as_data(path, header, arrays)
    except ZermeloError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        said = str(error).partition("\n")[0]
        raise FileError(f"{path} does not hold together ({type(error).__name__}: {said}): solve and save again") from None


def _format(path: str | Path, header: Mapping[str, Any]) -> Format:
    """The format of a file with this header."""
    kind = header.get("kind") or (boards.KIND if "codes" in header else stored.KIND)
    if kind == hidden.SEARCH:
        raise FileError(f"{path} is a checkpoint of regret minimisation, not a solution: solve the game with it as checkpoint")
    if kind not in FORMATS:
        raise FileError(f"{path} holds {kind!r}, which this version of Zermelo does not know: update it, or solve and save again")
    return FORMATS[kind]


def _sweep_from(plus: int, minus: int, deviations: float) -> UrnSweep:
    """Sweeps another urn on demand; loads the compiler."""
    from zermelo.engines.urn.solving import sweep_from

    return sweep_from(plus, minus, deviations)


def _sweep_again(answers: CountedAnswers, below: Layer, last: int) -> list[Layer]:
    """Computes the values for numbers of moves left that are not kept; loads the compiler."""
    from zermelo.engines.horizon.solving import sweep_again

    return sweep_again(answers, below, last)


class _StageSolver:
    """Solves stages again if a requested state is not kept; loads the compiler."""

    def __init__(self) -> None:
        self._solve: Any = None

    def __call__(self, answers: EnteredAnswers, stage: int, key: int) -> StageStates:
        if self._solve is None:
            from zermelo.engines.entries.again import StageSolver

            self._solve = StageSolver()
        found: StageStates = self._solve(answers, stage, key)
        return found


class Format(NamedTuple):
    """The required contents of one kind of file, and the functions that turn one into an answer: with its rules, or as data if unknown."""

    check: Check
    opened: Callable[..., Any]
    as_data: Callable[..., Any] | None = None  # None: it needs no rules


FORMATS = {
    stored.KIND: Format(stored.check, stored.opened, stored.as_data),
    boards.KIND: Format(boards.check, boards.opened, boards.as_data),
    swept.KIND: Format(swept.check, partial(swept.opened, sweep_from=_sweep_from), swept.as_data),
    entered.KIND: Format(
        entered.check,
        lambda path, header, arrays, game: entered.opened(path, header, arrays, game, _StageSolver()),
        entered.as_data,
    ),
    counted.KIND: Format(
        counted.check,
        lambda path, header, arrays, game: counted.opened(path, header, arrays, game, _sweep_again),
        counted.as_data,
    ),
    mixed.KIND: Format(mixed.check, mixed.opened, mixed.as_data),
    matrix.KIND: Format(matrix.check, matrix.opened),
    hidden.KIND: Format(hidden.check, hidden.opened, hidden.as_data),
}
