"""Reports in the headers of files. Files of older versions have statistics only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from zermelo.answers.report import Refusal, Report


def report_header(report: Report) -> dict[str, Any]:
    """The part of a header that holds a report."""
    return {
        "statistics": report.statistics,
        "engine": report.engine,
        "summary": report.summary,
        "tried": [list(refusal) for refusal in report.tried],
        "notes": list(report.notes),
    }


def report_of(header: Mapping[str, Any], engine: str, summary: Callable[[Mapping[str, Any]], str]) -> Report:
    """The report in a header. `engine` and `summary` (a function of the facts) are used if an older version omitted them."""
    report = Report.of_statistics(header.get("engine", engine), header["statistics"], header.get("summary", ""))
    tried = tuple(Refusal(*refusal) for refusal in header.get("tried", ()))
    told = {"tried": tried, "notes": tuple(header.get("notes", ())), "rules": header.get("rules hash", "")}
    return replace(report, summary=report.summary or summary(report.facts), **told)
