"""Small pieces of HTML for notebooks: a card with facts, a table, bars. All displayed text is escaped. Standard library only.

Notebooks have light and dark themes of their own, so nothing here has a background: lines are half transparent, and bars have a blue that
can be seen on both (and that colour-blind people can distinguish from the orange of marks).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

MOST_ROWS = 50  # the most rows of a table
MOST_COLUMNS = 30
LINE = "1px solid rgba(128,128,128,.35)"
BLUE = "#3f8fc4"
MARKED = "background:rgba(230,159,0,.25);"
LINE_END, BOARD = "\n", "white-space:pre;font-family:monospace;"
CROSSING, ONE_LINE = " \\ ", "white-space:nowrap;"
WIDE, HIGH = 420, 110  # size of a picture
FEW = 12  # bars that have a number and a probability each


def card(title: str, *parts: str) -> str:
    """A title with content below it."""
    head = f'<div style="font-weight:600">{escape(title)}</div>'
    return f'<div style="display:inline-block;max-width:100%;overflow-x:auto">{head}{"".join(parts)}</div>'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Pairs of name and text, one below the other."""
    style = "text-align:left;vertical-align:top;padding:1px 14px 1px 0;background:none"
    light = f"{style};font-weight:400;opacity:.7;white-space:nowrap"
    rows = (
        f'<tr style="background:none"><th style="{light}">{escape(name)}</th><td style="{style}">{escape(text)}</td></tr>'
        for name, text in pairs
    )
    return f'<table style="border-collapse:collapse;margin:4px 0"><tbody>{"".join(rows)}</tbody></table>'


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], marked: Collection[tuple[int, int]] = (), strong: Collection[int] = ()
) -> str:
    """A table of texts with numbers right-aligned. Rows and columns beyond a limit are left out, with a note that says so."""
    style = f"padding:2px 9px;border-bottom:{LINE};background:none;"
    wide = range(min(len(columns), MOST_COLUMNS))
    sides = ["right" if all(_is_number(row[j]) for row in rows) else "left" for j in wide]
    whole = [ONE_LINE if CROSSING in columns[j] else "" for j in wide]  # what rows and columns are
    head = "".join(f'<th style="{style}{whole[j]}text-align:{sides[j]}">{escape(columns[j])}</th>' for j in wide)
    body = ""
    for k, row in enumerate(rows[:MOST_ROWS]):
        weight = "font-weight:600;" if k in strong else ""
        cells = (
            f'<td style="{style}{weight}{MARKED if (k, j) in marked else ""}{BOARD if LINE_END in row[j] else ""}text-align:{sides[j]}">'
            f"{escape(row[j])}</td>"
            for j in wide
        )
        body += f'<tr style="background:none">{"".join(cells)}</tr>'
    sizes = ((len(rows), MOST_ROWS, "rows"), (len(columns), MOST_COLUMNS, "columns"))
    left_out = note(" and ".join(f"{n - most:,} more {what}" for n, most, what in sizes if n > most))
    head = f'<thead><tr style="background:none">{head}</tr></thead>'
    return f'<table style="border-collapse:collapse;margin:4px 0">{head}<tbody>{body}</tbody></table>{left_out}'


def _is_number(text: str) -> bool:
    return not text or text.strip("+-−$0123456789.,%/e ") == ""


def note(text: str) -> str:
    """A line in small print."""
    return f'<div style="opacity:.7;font-size:90%">{escape(text)}</div>' if text else ""


def bars(found: Sequence[tuple[int, int, float]], label: str) -> str:
    """Probabilities of ranges of whole numbers, as a picture (SVG)."""
    if not found:
        return ""
    first, last, most = found[0][0], found[-1][1], max(p for *_, p in found) or 1.0
    scale = WIDE / (last - first + 1)
    is_told = len(found) <= FEW and scale >= WIDE / FEW and all(low == high for low, high, _ in found)
    top = 14 if is_told else 0  # room for probabilities above the bars
    drawn = (
        f'<rect x="{scale * (low - first):.2f}" y="{top + HIGH * (1 - p / most):.2f}" '
        f'width="{max(scale * (high - low + 1) * 0.88, 0.4):.2f}" height="{HIGH * p / most:.2f}" fill="{BLUE}">'
        f"<title>{low if low == high else f'{low} to {high}'}: {p:.4g}</title></rect>"
        for low, high, p in found
    )
    text = 'fill="currentColor" opacity="0.7" font-size="12"'
    axis = f'<line x1="0" x2="{WIDE}" y1="{top + HIGH}" y2="{top + HIGH}" stroke="currentColor" opacity="0.5"/>'
    if is_told:
        places = [(scale * (low - first + 0.44), low, p) for low, _, p in found]
        words = "".join(
            f'<text x="{x:.2f}" y="{top + HIGH * (1 - p / most) - 3:.2f}" text-anchor="middle" {text}>{100 * p:.3g} %</text>'
            f'<text x="{x:.2f}" y="{top + HIGH + 14}" text-anchor="middle" {text}>{low}</text>'
            for x, low, p in places
        )
    else:
        ends = (f'x="0" y="{HIGH + 14}" {text}>{first}', f'x="{WIDE}" y="{HIGH + 14}" text-anchor="end" {text}>{last}')
        words = "".join(f"<text {end}</text>" for end in ends)
    return (
        f'<svg viewBox="0 0 {WIDE} {top + HIGH + 18}" width="{WIDE}" style="max-width:100%;display:block;margin:4px 0" role="img" '
        f'aria-label="{escape(label)}">{"".join(drawn)}{axis}{words}</svg>'
    )
