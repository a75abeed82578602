"""Answers with all states as arrays, on disk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.known import Length
from zermelo.answers.stored import Place, StoredAnswers
from zermelo.basics.words import counted
from zermelo.language.rules import Rules
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.structure import Structure
from zermelo.states.space import Space
from zermelo.storage.contents import FLOATS, GAME, POLICY, WHOLES, Arrays, Unfit, require
from zermelo.storage.data import states_of
from zermelo.storage.file import write
from zermelo.storage.fractions import Fractions, decode_fractions, encode_fractions
from zermelo.storage.game import game_of, layout_of, rules_header, start_header, state_header
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "all states", "explored"  # files do not name this kind, which is older than the names
UNBOUNDED = {"mean_low": 0.0, "mean_high": math.inf}  # the mean length in files written before it had bounds


def save(answers: StoredAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically."""
    write(path, {**rules_header(answers.rules.game), **header_of(answers)}, arrays_of(answers))


def header_of(answers: StoredAnswers) -> dict[str, Any]:
    """The part of a header about an answer, without the game."""
    return {
        **state_header(answers.layout),
        **start_header(answers),
        "argument": answers.argument,
        "discount": answers.discount,
        **report_header(answers.report),
    }


def arrays_of(answers: StoredAnswers) -> dict[str, np.ndarray]:
    """The arrays of an answer, in the order of the keys."""
    order = answers.order
    arrays = {
        "keys": answers.space.keys,
        "values": np.asarray(answers.ordered(answers.value)),
        "errors": np.asarray(answers.ordered(answers.error)),
        "policy": answers.ordered(answers.policy),
    }
    if answers.mixtures is not None:
        arrays |= {f"mixture {name}": array for name, array in answers.mixtures.reordered(order)._asdict().items()}
    if answers.distance is not None:
        arrays["distances"] = answers.ordered(answers.distance)
    if answers.exact is not None:
        arrays |= encode_fractions(f for i in order for f in answers.exact[int(i)])
    return arrays


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds all states."""
    require(header, *GAME, "state", "argument", "discount", "statistics")
    require(header["statistics"], "states")
    n = arrays.keys("keys", header)
    payoffs = arrays.shape("values", FLOATS, n, None)[1]
    arrays.shape("errors", FLOATS, n, payoffs)
    arrays.shape("policy", POLICY, n)
    if not n or not payoffs:
        raise Unfit("no states")
    if "distances" in arrays:
        arrays.shape("distances", POLICY, n)
    if "mixture own_start" in arrays:
        for side in ("own", "other"):
            arrays.shape(f"mixture {side}_start", WHOLES, n + 1)
            arrays.shape(f"mixture {side}", FLOATS, None)
    if "numerators" in arrays:
        arrays.fractions(n * payoffs)


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> StoredAnswers:
    """The answer that `save` wrote."""
    rules = Rules(game_of(path, header, game))
    layout = layout_of(path, header, rules.game)
    exact = Tuples(decode_fractions(arrays), len(rules.payoffs)) if "numerators" in arrays else None
    names = [f"mixture {name}" for name in Mixtures._fields]
    mixtures = Mixtures(*(arrays[name] for name in names)) if names[0] in arrays else None
    start, turns = Space(rules, layout, arrays["keys"]).find(rules.start)
    report = report_of(header, "stages" if "length" in header["statistics"] else ENGINE, _summary)
    length = report.facts.get("length")
    return StoredAnswers(
        rules, layout, arrays["keys"], arrays["values"], arrays["errors"], arrays["policy"], Place(start, turns), header["argument"],
        report, header["discount"], arrays.get("distances"), exact, mixtures, None if length is None else Length(**UNBOUNDED | length),
        report.facts.get("moves") if length else None,
    )  # fmt: skip


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    found = states_of(path, header, arrays, ENGINE)
    exact = Tuples(decode_fractions(arrays), arrays["values"].shape[1]) if "numerators" in arrays else None
    found.is_exact = exact is not None
    found.stored = Stored(arrays["keys"], arrays["values"], arrays["errors"], arrays["policy"], arrays.get("distances"), exact)
    return found


def _summary(facts: Mapping[str, Any]) -> str:
    """The summary for files of older versions, from their facts."""
    known = {name: facts[name] for name in Structure._fields if name in facts}
    return Structure(**known).in_words() if len(known) == len(Structure._fields) else counted(facts["states"], "state")


class Tuples(Sequence[tuple[Fraction, ...]]):
    """Stored fractions: for each state a tuple, with one for each payoff."""

    def __init__(self, fractions: Fractions, width: int):
        self._fractions, self._width = fractions, width

    def __len__(self) -> int:
        return len(self._fractions) // self._width

    def __getitem__(self, index: Any) -> Any:
        return tuple(self._fractions[index * self._width : (index + 1) * self._width])
