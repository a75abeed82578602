"""Answers about games that end after a number of moves, on disk: the states apart from that number, and the values that are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.counted import CountedAnswers, Layer
from zermelo.answers.data import DataAnswers
from zermelo.language.rules import Rules
from zermelo.states.layout import flatten, nested
from zermelo.storage.contents import FLOATS, GAME, WHOLES, Arrays, Unfit, require
from zermelo.storage.data import states_of
from zermelo.storage.file import write
from zermelo.storage.fractions import decode_fractions, encode_fractions
from zermelo.storage.game import game_header, game_of, layout_of, start_header
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "moves left", "horizon"


def save(answers: CountedAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically."""
    header = {
        **game_header(answers.rules.game, answers.layout),
        **start_header(answers),
        "kind": KIND,
        "count": answers.count,
        "argument": answers.argument,
        "discount": answers.discount,
        **report_header(answers.report),
    }
    layers = answers.kept
    arrays = {
        "keys": answers.keys,
        "left": np.array([layer.left for layer in layers]),
        "first": np.cumsum([0, *(len(layer.value) for layer in layers)]),
        "values": np.concatenate([layer.value for layer in layers]),
        "errors": np.stack([layer.error for layer in layers]),
        "relative": np.array([layer.is_relative for layer in layers], np.int64),
    }
    if answers.exact is not None:
        arrays |= {"states": np.array([flatten(state) for state in answers.exact], np.int64)}
        arrays |= encode_fractions(value for values in answers.exact.values() for value in values)
    write(path, header, arrays)


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds such an answer."""
    require(header, *GAME, "state", "start", "count", "argument", "discount", "statistics")
    require(header["statistics"], "states")
    if header["count"] not in header["state"]["fields"]:
        raise Unfit("`count` in its header")
    arrays.keys("keys", header)
    (layers,) = arrays.shape("left", WHOLES, None)
    arrays.shape("first", WHOLES, layers + 1)
    payoffs = arrays.shape("values", FLOATS, None, None)[1]
    arrays.shape("errors", FLOATS, layers, payoffs)
    arrays.shape("relative", WHOLES, layers)
    if "numerators" in arrays:
        slots = sum(n or 1 for n in header["state"]["lengths"])
        (states, _) = arrays.shape("states", WHOLES, None, slots)
        arrays.fractions(states * payoffs)


def opened(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any,
    sweep: Callable[[CountedAnswers, Layer, int], list[Layer]],
) -> CountedAnswers:  # fmt: skip
    """The answer that `save` wrote."""
    rules = Rules(game_of(path, header, game))
    layout = layout_of(path, header, rules.game)
    spans = zip(arrays["left"].tolist(), arrays["first"][:-1], arrays["first"][1:], arrays["errors"], arrays["relative"], strict=True)
    kept = [Layer(left, arrays["values"][low:high], error, bool(is_relative)) for left, low, high, error, is_relative in spans]
    exact = None
    if "numerators" in arrays:
        fractions, width = decode_fractions(arrays), len(rules.payoffs)
        states = [nested(layout.state_class, layout.lengths, row) for row in arrays["states"].tolist()]
        exact = {state: tuple(fractions[k * width : (k + 1) * width]) for k, state in enumerate(states)}
    report = report_of(header, ENGINE, lambda facts: "")
    return CountedAnswers(
        rules, layout, header["count"], arrays["keys"], kept, header["argument"], report, sweep, header["discount"], exact
    )


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """What the header says, without the rules, which say what the number of moves left is."""
    found = states_of(path, header, {}, ENGINE)
    found.is_exact = "numerators" in arrays
    return found
