"""Results as tables: for a terminal, and as Markdown for docs/speed.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from comparisons import COMPARISONS, OURS, TARGETS, Comparison, Target
from contender import Result

Results = dict[str, dict[str, Result]]  # by comparison and contender
Grid = Sequence[Sequence[str]]
MET, NOT_MET = "met", "**not met**"
LONGEST = 40  # characters of a fraction that is printed


class Interval(NamedTuple):
    low: Fraction
    high: Fraction


# --- one comparison ---------------------------------------------------------------------------------------------------


def rows_of(found: Mapping[str, Result]) -> Grid:
    """A header and a row for every contender; columns that would be empty are left out."""
    base = next(iter(found.values()))
    header = ("", "seconds", "ratio", "first time", "MiB", "states", "value", "claimed interval", "remarks")
    table = [header, *(row_of(who, result, base) for who, result in found.items())]
    kept = [j for j in range(len(header)) if j == 0 or any(row[j] for row in table[1:])]
    return [[row[j] for j in kept] for row in table]


def row_of(who: str, result: Result, base: Result) -> tuple[str, ...]:
    if "failed" in result:
        return (who, *("" for _ in range(7)), result["failed"])
    return (
        who,
        seconds(result["seconds"]),
        ratio_text(result, base),
        seconds(result["first"]) if "first" in result else "",
        f"{result['peak_mib']:.0f}" if "states" in result else "",
        f"{result['states']:,}" if "states" in result else "",
        value(result),
        claimed(result),
        "; ".join(filter(None, (verdict(result, base), parts(result), result.get("note", "")))),
    )


def ratio(result: Result, base: Result) -> float | None:
    """How many times longer than ours; None where there is nothing to compare."""
    if "failed" in result or "failed" in base or result is base or result.get("alone"):
        return None
    return result["seconds"] / base["seconds"]


def ratio_text(result: Result, base: Result) -> str:
    found = ratio(result, base)
    return "" if found is None else f"{found:.3g}" if found < 100 else f"{found:.0f}"


def seconds(value: float) -> str:
    return f"{value:.3g}" if value >= 1e-3 else f"{value:.2e}"


def parts(result: Result) -> str:
    return ", ".join(f"{name} {seconds(value)}" for name, value in result.get("parts", {}).items())


# --- values and intervals ---------------------------------------------------------------------------------------------


def value(result: Result) -> str:
    if "exact" in result:
        text = result["exact"]
        return text if len(text) <= LONGEST else f"{result['value']!r}, a fraction of {len(text)} characters"
    return repr(result["value"]) if "value" in result else ""


def claimed(result: Result) -> str:
    """The interval that a contender claims to contain the true value."""
    low, high = result.get("low"), result.get("high")
    if low is None and high is None:
        return ""
    if low is None or high is None:
        return f"at most {high!r}" if low is None else f"at least {low!r}"
    if "exact" in result:
        return "proven" if low == high else ""
    if low == high:
        return f"[{low!r}, {high!r}]"
    return f"{width(result):.1e} wide" if width(result) < 1e-6 * abs(high) else f"[{low!r}, {high!r}]"


def width(result: Result) -> float:
    return result["high"] - result["low"]


def known(result: Result) -> Interval | None:
    """Where our side proves the true value to lie."""
    if "failed" in result or "low" not in result:
        return None
    if "exact" in result:
        return Interval(Fraction(result["exact"]), Fraction(result["exact"]))
    return Interval(Fraction(result["low"]), Fraction(result["high"]))


def verdict(result: Result, base: Result) -> str:
    """What our certified interval says of a peer's value and of the interval that it claims."""
    ours = known(base)
    if ours is None or result is base or "value" not in result:
        return ""
    if "exact" in result:
        return "" if ours.low <= Fraction(result["exact"]) <= ours.high else "another fraction"
    found, said = Fraction(result["value"]), []
    off = max(ours.low - found, found - ours.high, Fraction(0))
    missed = excluded(result, ours)
    if off:
        said.append(f"value off by {float(off):.1e}")
    if missed:
        said.append(f"its interval misses the true value by {float(missed):.1e}")
    return ", ".join(said)


def excluded(result: Result, ours: Interval) -> Fraction:
    """By how much at least the true value lies outside the claimed interval."""
    low, high = result.get("low"), result.get("high")
    below = Fraction(low) - ours.high if low is not None else Fraction(0)
    above = ours.low - Fraction(high) if high is not None else Fraction(0)
    return max(below, above, Fraction(0))


# --- targets and phases -----------------------------------------------------------------------------------------------


def target_rows(results: Results) -> Grid:
    rows = [("target", "aimed at", "measured", "")]
    for target in (t for t in TARGETS if t.comparison in results):
        found = measured(target, results)
        bound = f"{'at least' if target.at_least else 'at most'} {target.bound:g}"
        if found is None:
            rows.append((target.text, bound, "not measured", ""))
        else:
            good = found >= target.bound if target.at_least else found <= target.bound
            rows.append((target.text, bound, f"{found:.3g}", MET if good else NOT_MET))
    return rows


def measured(target: Target, results: Results) -> float | None:
    found = results.get(target.comparison, {})
    result = found.get(target.who)
    if result is None or "failed" in result:
        return None
    if target.quantity == "ratio":
        return ratio(result, next(iter(found.values())))
    if target.quantity == "width":
        return width(result)
    if target.quantity in ("seconds", "peak_mib"):
        return result[target.quantity]  # type: ignore[literal-required]
    return result.get("parts", {}).get(target.quantity)


def phase_rows(phases: Mapping[str, Result]) -> Grid:
    """One column a game: milliseconds of every step."""
    good = {game: found for game, found in phases.items() if "failed" not in found}
    steps = sorted(
        {s for f in good.values() for s in f["parts"]},
        key=lambda s: -max(f["parts"].get(s, 0.0) for f in good.values()),
    )
    rows = [("milliseconds", *good)]
    rows += [(step, *(f"{1e3 * f['parts'].get(step, 0.0):.1f}" for f in good.values())) for step in steps]
    return [*rows, ("sum", *(f"{1e3 * f['seconds']:.1f}" for f in good.values()))]


# --- text -------------------------------------------------------------------------------------------------------------


def plain(table: Grid) -> str:
    widths = [max(len(row[j]) for row in table) for j in range(len(table[0]))]
    return "\n".join("  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in table)


def markdown(table: Grid) -> str:
    header, *rows = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table)
    return "\n".join([header, "|" + " --- |" * len(table[0]), *rows])


def page(
    results: Results, phases: Mapping[str, Result], machine: Mapping[str, str], versions: Mapping[str, str]
) -> str:
    """The measured part of docs/speed.md."""
    told = [f"Measured on {machine['date']}, source {machine['source']}."]
    told += [f"- {name}: {text}" for name, text in machine.items() if name not in ("date", "source")]
    told += ["- versions: " + ", ".join(f"{n} {v}" for n, v in versions.items())]
    text = ["\n".join(told), "## Targets", markdown(target_rows(results)), "## Comparisons"]
    for comparison in COMPARISONS:
        if comparison.name in results:
            text += section(comparison, results[comparison.name])
    if phases:
        text += ["## Where the time goes", "`python benchmarks/run.py --only phases`", markdown(phase_rows(phases))]
    return "\n\n".join(text)


def section(comparison: Comparison, found: Mapping[str, Result]) -> list[str]:
    command = f"`python benchmarks/run.py --only {comparison.name}`"
    limit = [f"What limits it: {comparison.limit}"] if comparison.limit else []
    return [f"### {comparison.title}", command, markdown(rows_of(found)), *limit]


__all__ = ["OURS", "Results", "page", "phase_rows", "plain", "rows_of", "target_rows"]
