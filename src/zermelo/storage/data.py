"""A file whose rules are not known, opened as data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.known import StateFacts
from zermelo.answers.swept import Cone
from zermelo.storage import entered, hidden, mixed, stored, swept
from zermelo.storage.fractions import Fractions, decode_fractions
from zermelo.storage.game import layout_in, number_in, tuples, without_rules
from zermelo.storage.report import report_of


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """What the file says, without its rules."""
    kind = header.get("kind")
    if kind == mixed.KIND:
        return _mixed(path, header, arrays)
    if kind == swept.KIND:
        return _swept(path, header, arrays)
    if kind == hidden.KIND:
        return _hidden(path, header, arrays)
    found = _about(path, header)
    found.layout = layout_in(header)
    said = header.get("start")
    if said is not None:
        found.payoffs = tuple(said["payoffs"])
        found.start = found.layout.state_class(*tuples(said["state"]))
        found.at_start = StateFacts(tuple(number_in(v) for v in said["values"]), tuple(map(float, said["errors"])))
    if "codes" not in header:
        exact = stored.Tuples(decode_fractions(arrays), arrays["values"].shape[1]) if "numerators" in arrays else None
        found.is_exact = exact is not None
        found.stored = Stored(arrays["keys"], arrays["values"], arrays["errors"], arrays.get("policy"), arrays.get("distances"), exact)
        if said is None:
            found.payoffs = tuple(f"payoff {k}" for k in range(arrays["values"].shape[1]))
    else:
        found.is_exact = bool(header.get("exact"))
    return found


def _about(path: str | Path, header: Mapping[str, Any], **more: Any) -> DataAnswers:
    engines = {entered.KIND: "entries", mixed.KIND: "replies", hidden.KIND: "hidden"}
    engine = engines.get(header.get("kind", ""), "boards" if "codes" in header else "explored")
    return DataAnswers(
        header["name"], {n: tuples(v) for n, v in header["parameters"].items()}, header["rules"], without_rules(path, header),
        header.get("argument", ""), report_of(header, engine, lambda facts: ""), ("payoff",), header.get("discount", 1.0), **more,
    )  # fmt: skip


def _mixed(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    certificate, row, column = mixed.strategies_in(header, list(Fractions(arrays)))
    value = (certificate.low + certificate.high) / 2
    error = float(certificate.high - certificate.low) / 2
    found = _about(path, header, strategies=(row, column), is_exact=not error)
    found.argument, found.at_start = certificate.argument, StateFacts((value,), (error,))
    return found


def _hidden(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    kind, argument = header["certificate"]
    low, high = (Fractions(arrays)[0],) * 2 if kind == "proof" else arrays["ends"].tolist()
    found = _about(path, header, is_exact=kind == "proof")
    found.argument, found.at_start = argument, StateFacts(((low + high) / 2,), (float(high - low) / 2,))
    return found


def _swept(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    sweep, exact, report = swept.sweep_in(path, header, arrays)
    cone = Cone(sweep)
    value, error = cone.value(sweep.plus, sweep.minus), cone.error(sweep.plus, sweep.minus)
    known = StateFacts((value,), (error,)) if exact is None else StateFacts((exact,), (0.0,))
    return DataAnswers(
        header["name"], {n: tuples(v) for n, v in header["parameters"].items()}, header["rules"], without_rules(path, header),
        "an urn sweep", report, ("payoff",), is_exact=exact is not None, at_start=known,
    )  # fmt: skip
