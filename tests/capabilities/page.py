"""docs/capabilities.md, made of the record.

    python tests/capabilities/page.py             write it
    python tests/capabilities/page.py --observed  try everything, and print the record as it would have to be
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from capabilities.record import COLUMNS, GENERAL, REASONS, VERBS, YES, as_text, observed, recorded  # noqa: E402
from zermelo.uses.need import MOST_BRIDGED  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "capabilities.md"


class Heading(NamedTuple):
    """A column of the page."""

    engine: str
    games: str
    columns: tuple[str, ...]  # of the record; they must say the same
    large: str = ""  # the column of games that are too large to be solved again


HEADINGS = (
    Heading("explored", "any game whose states can be stored", ("acyclic", "cyclic")),
    Heading("explored", "won, drawn or lost, no chance", ("won-lost",)),
    Heading("explored", "both choose at once", ("at-once",)),
    Heading("stages", "chance only, in stages", ("stages",)),
    Heading("entries", "decisions in stages", ("entries",), "entries+"),
    Heading("horizon", "ends after a number of moves", ("horizon",)),
    Heading("boards", "ranked board games", ("boards",), "boards+"),
    Heading("urn", "stopping on an urn", ("urn",), "urn+"),
    Heading("replies", "given by best responses", ("replies",)),
    Heading("`matrix_game`", "one matrix", ("matrix",)),
    Heading("hidden", "players do not see everything", ("hidden",)),
)

GROUPS = {
    "The answer": {
        "value": "`value`, `low`, `high`, `certificate`, `payoffs`, `bounds`",
        "probe": "`probe(state)`, `moves_after(state, action)`",
        "action_value": "`action_value(state, action)`",
        "best_action": "`best_action(state)`, `policy`; `policy(seat)` of strategies",
        "mixtures": "both optimal mixtures (`mixtures`, `mixtures_at`; `row`, `column`)",
        "census": "`census()`, `farthest()`",
        "frontier": "`frontier`, the stopping line",
    },
    "All states at once": {
        "values": "`space`, `values`, `errors`, `payoff_values`, `action_numbers`, `distances`",
        "to_dataframe": "`to_dataframe()`",
        "to_xarray": "`to_xarray()`",
    },
    "Policies and plays": {
        "evaluate": "`evaluate(policy)`",
        "best_response": "`best_response(opponent)`",
        "simulate": "`simulate(plays)`, optimal play",
        "simulate policy": "`simulate(plays, policy=...)`",
        "length": "`length`, mean and variance",
        "distribution": "`distribution()` of the length",
        "distribution payoff": "`distribution(payoff)`",
        "play": "`zermelo play`",
    },
    "Files": {
        "save": "`save(path)`, then `zermelo.open(path)`",
        "compress": "`save(path, compress=True)`",
        "export_certificate": "`export_certificate(path)`, then `zermelo.verify(path)`",
        "export_umb": "`export_umb(path)`",
    },
    "Other people's programs": {
        "to_gymnasium": "`to_gymnasium()`",
        "to_pettingzoo": "`to_pettingzoo()`",
    },
    "Tables and pictures": {
        "table states": "`zermelo table ... states`",
        "table actions": "`zermelo table ... actions`",
        "table lengths": "`zermelo table ... lengths`",
        "plot values": "`zermelo plot ... values`",
        "plot distances": "`zermelo plot ... distances`",
        "plot lengths": "`zermelo plot ... lengths`",
    },
    "Options of `zermelo.solve`": {
        "exact": "`exact=True`",
        "discount": "`discount`",
        "solver": "`solver`",
        "max_states": "`max_states`",
        "tolerance": "`tolerance`",
        "quick": "`quick=True`",
        "checkpoint": "`checkpoint`",
        "refine": "`refine=True`",
    },
}

BEFORE = """# What can be asked of which solution

Zermelo solves games by several engines; `zermelo.plan(game)` says which one would solve yours, and `solution.report.engine` which one
did. Most questions can be asked of every solution. This page lists those that can't, and why. Where an answer can't be had, Zermelo says so
in one line and raises a `ZermeloError`; no option is ever ignored.

On a [cluster](cluster.md) (`cluster=`) studies of all games are shared, simulated plays of all but those of `entries`, `horizon` and
`boards`, the tables of `boards`, and the checking of certificates of all but `replies` and `hidden`; these solutions are the same as
those of one machine, and answer the same questions.

The page is made by `python tests/capabilities/page.py` from the record of what `tests/test_capabilities.py` tries: on a small game of each
engine, every "yes" was compared with the general engine, and every "no" raises the error it should.

- **yes**: works, whatever the size of the game.
- **{small}**: works in games of up to {most} states, which are solved once more with all states stored; larger ones refuse
  (environments of more than 200,000 states: unless `actions` lists the actions of the game).
- **general**: with this option the general engine (`explored`) solves the game instead, so its states must be few enough to be stored.
- **no**: refused; the number leads to the reason below.

Tables and pictures are offered where they tell something in reasonable time, lengths for instance only where chance or mixed
strategies decide, as optimal play has a single length elsewhere. The message about one that is missing names those that a game has.
"""
SMALL = "small"


class Notes:
    """The reasons in the order in which the page comes to them."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def number(self, code: str) -> int:
        if code not in self.codes:
            self.codes.append(code)
        return self.codes.index(code) + 1


def page() -> str:
    """The text of docs/capabilities.md."""
    record, notes = recorded(), Notes()
    lines = [BEFORE.format(small=SMALL, most=f"{MOST_BRIDGED:,}")]
    for title, rows in GROUPS.items():
        lines += [f"## {title}", "", "| | " + " | ".join(f"{h.engine}<br>{h.games}" for h in HEADINGS) + " |"]
        lines.append("|---|" + "---|" * len(HEADINGS))
        for verb, shown in rows.items():
            cells = " | ".join(_cell(record[verb], heading, notes) for heading in HEADINGS)
            lines.append(f"| {shown} | {cells} |")
        lines.append("")
    lines += ["## Why not", ""]
    lines += [f"{i + 1}. {REASONS[code].note}" for i, code in enumerate(notes.codes)]
    return "\n".join(lines) + "\n"


def _cell(codes: dict[str, str], heading: Heading, notes: Notes) -> str:
    found = {codes[column] for column in heading.columns}
    assert len(found) == 1, f"{heading.engine}, {heading.games}: {codes} differ, and need columns of their own"
    code = found.pop()
    if code == GENERAL:
        return GENERAL
    if code != YES:
        return f"no ({notes.number(code)})"
    is_refused = heading.large and codes[heading.large] != YES
    assert not is_refused or codes[heading.large] in ("size", "bytes", "listed"), codes
    return SMALL if is_refused else YES


def print_observed() -> None:
    found: dict[str, dict[str, str]] = {}
    for verb in VERBS:
        found[verb] = {}
        for column in COLUMNS:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found[verb][column] = observed(column, verb, Path(folder))
                except Exception as error:  # what is wrong is shown, and the rest is tried all the same
                    at = traceback.extract_tb(error.__traceback__)[-1]
                    print(f"{verb} on {column}: {type(error).__name__}: {error} ({at.filename}:{at.lineno})", file=sys.stderr)
                    found[verb][column] = "WRONG"
    print(as_text(found))


if __name__ == "__main__":
    if "--observed" in sys.argv:
        print_observed()
    else:
        PAGE.write_text(page())
