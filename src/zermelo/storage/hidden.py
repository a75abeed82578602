"""Answers of games with hidden information, on disk: the sequence form, the information sets, and both strategies."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers
from zermelo.answers.hidden import HiddenAnswers, InformationSets, SetArrays
from zermelo.answers.known import StateFacts
from zermelo.basics.bounds import Certificate
from zermelo.errors import OutOfReach
from zermelo.language.rules import Rules
from zermelo.problem.sequences import SequenceForm, Side, Visits
from zermelo.storage.contents import FLOATS, GAME, WHOLES, Arrays, require
from zermelo.storage.data import data_of
from zermelo.storage.file import write
from zermelo.storage.fractions import Fractions, encode_fractions
from zermelo.storage.game import game_header, game_of, layout_of
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "hidden information", "hidden"
SEARCH = "regrets"  # the kind of a checkpoint (engines/hidden/searching.py)


def save(answers: HiddenAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically."""
    if answers.lock is not None:
        raise OutOfReach(f"{answers.rules.name}: a part is locked, and files hold the whole game only: save that, and lock again")
    form, certificate = answers.form, answers.certificate
    ends = np.array([float(certificate.low), float(certificate.high)])
    arrays = {"ends": ends, "row": form.row, "column": form.column, "near": form.near, "size": form.size}
    long: list[Fraction] = []
    if answers.is_exact:
        long += [Fraction(certificate.low), form.unit, *(Fraction(n) for w in answers.weights for n in w)]
        long += [Fraction(int(n)) for n in form.whole]
        arrays |= encode_fractions(long)
    for player, sets in enumerate(answers.sets):
        visits = form.visits[player]
        parts: dict[str, Any] = {
            "parent": sets.side.parent, "first": sets.side.first, "seen_start": sets.arrays.seen_start, "seen": sets.arrays.seen,
            "actions": sets.arrays.actions, "state": sets.arrays.state, "visit_set": visits.set, "visit_other": visits.other,
            "visit_near": visits.near,
        }  # fmt: skip
        if visits.over is not None and visits.under is not None:
            parts |= {"visit_over": visits.over, "visit_under": visits.under}
        if not answers.is_exact:
            parts["weights"] = np.asarray(answers.weights[player], np.float64)
        arrays |= {f"{name} {player}": np.ascontiguousarray(array) for name, array in parts.items()}
    header = {
        **game_header(answers.rules.game, answers.layout),
        "kind": KIND,
        "tuples": [sets.are_tuples for sets in answers.sets],
        "certificate": [certificate.kind, certificate.argument],
        "blur": form.blur,
        "largest": form.largest,
        **report_header(answers.report),
    }
    write(path, header, arrays)


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds a sequence form and strategies."""
    require(header, *GAME, "state", "tuples", "certificate", "blur", "largest", "statistics")
    arrays.shape("ends", FLOATS, 2)
    (entries,) = arrays.shape("near", FLOATS, None)
    arrays.shape("size", FLOATS, entries)
    for name in ("row", "column"):
        arrays.shape(name, ("<i4",), entries)
    sequences = 0
    for player in range(2):
        (sets,) = arrays.shape(f"parent {player}", ("<i4",), None)
        arrays.shape(f"first {player}", WHOLES, sets + 1)
        arrays.shape(f"seen_start {player}", WHOLES, sets + 1)
        arrays.shape(f"seen {player}", WHOLES, None)
        arrays.keys(f"state {player}", header, sets)
        (own, _) = arrays.shape(f"actions {player}", WHOLES, None, None)
        (visits,) = arrays.shape(f"visit_near {player}", FLOATS, None)
        for name in ("set", "other"):
            arrays.shape(f"visit_{name} {player}", ("<i4",), visits)
        sequences += own
        if header["certificate"][0] != "proof":
            arrays.shape(f"weights {player}", FLOATS, own)
    if header["certificate"][0] == "proof":
        arrays.fractions(2 + sequences + entries)


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> HiddenAnswers:
    """The answer that `save` wrote."""
    rules = Rules(game_of(path, header, game))
    layout = layout_of(path, header, rules.game)
    kind, argument = header["certificate"]
    arrays = {name: np.asarray(array) for name, array in arrays.items()}  # kernels accept these, but not arrays that are read by pages
    sides = [Side(arrays[f"parent {p}"], arrays[f"first {p}"]) for p in range(2)]
    visits: list[Visits] = []
    for p in range(2):
        always, exact = ([f"visit_{name} {p}" for name in names] for names in (Visits._fields[:3], Visits._fields[3:]))
        visits.append(Visits(*(arrays[name] for name in always), *(arrays.get(name) for name in exact)))
    sets = [
        InformationSets(side, SetArrays(*(arrays[f"{name} {p}"] for name in SetArrays._fields)), header["tuples"][p])
        for p, side in enumerate(sides)
    ]
    weights: list[Any] = []
    low, high = arrays["ends"].tolist()
    whole, unit, certificate = None, Fraction(1), Certificate(kind, low, high, argument)
    if kind == "proof":
        numbers = list(Fractions(arrays))
        value, unit, counts = numbers[0], numbers[1], [side.sequences for side in sides]
        certificate = Certificate(kind, value, value, argument)
        ends = [2, 2 + counts[0], 2 + sum(counts)]
        weights = [[int(n) for n in numbers[ends[p] : ends[p + 1]]] for p in range(2)]
        long = [int(n) for n in numbers[ends[2] :]]
        whole = np.array(long, np.int64 if all(abs(n) < 2**63 for n in long) else object)
    else:
        weights = [arrays[f"weights {p}"] for p in range(2)]
    row, column, near, size = (arrays[name] for name in ("row", "column", "near", "size"))
    ways = visits[0], visits[1]
    form = SequenceForm(sides[0], sides[1], row, column, near, size, header["blur"], ways, whole, unit, float(header["largest"]))
    report = report_of(header, ENGINE, lambda facts: f"hidden information, {facts['information_sets']:,} information sets")
    return HiddenAnswers(rules, layout, form, (sets[0], sets[1]), (weights[0], weights[1]), certificate, report)


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    kind, argument = header["certificate"]
    low, high = (Fractions(arrays)[0],) * 2 if kind == "proof" else arrays["ends"].tolist()
    found = data_of(path, header, ENGINE, is_exact=kind == "proof")
    found.argument, found.at_start = argument, StateFacts(((low + high) / 2,), (float(high - low) / 2,))
    return found
