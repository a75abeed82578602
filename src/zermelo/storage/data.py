"""A file whose rules are not known, as data: the part that all kinds share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zermelo.answers.data import DataAnswers
from zermelo.answers.known import StateFacts
from zermelo.storage.game import layout_in, number_in, parameters_told, tuples, without_rules
from zermelo.storage.report import report_of


def data_of(path: str | Path, header: Mapping[str, Any], engine: str, **more: Any) -> DataAnswers:
    """The contents of the header. `engine` is used if an older version omitted it."""
    return DataAnswers(
        header["name"], parameters_told(header), header["rules"], without_rules(path, header),
        header.get("argument", ""), report_of(header, engine, lambda facts: ""), ("payoff",), header.get("discount", 1.0), **more,
    )  # fmt: skip


def states_of(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any], engine: str) -> DataAnswers:
    """The contents of the header of a game with states."""
    found = data_of(path, header, engine)
    found.layout = layout_in(header)
    said = header.get("start")
    if said is not None:
        found.payoffs = tuple(said["payoffs"])
        found.start = found.layout.state_class(*tuples(said["state"]))
        found.at_start = StateFacts(tuple(number_in(v) for v in said["values"]), tuple(map(float, said["errors"])))
    elif "values" in arrays:
        found.payoffs = tuple(f"payoff {k}" for k in range(arrays["values"].shape[1]))
    return found
