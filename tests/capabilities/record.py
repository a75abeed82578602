"""What works on which engine: the one table to change where a verb starts to work or to be refused.

Each word says what comes of a verb (row) asked of an engine's answer (column): `yes`; `general`, if the general engine solves the
game instead; or a word of `REASONS`. `page.py --observed` prints the rows as they would have to be.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from capabilities.twins import TWINS, among_its_like
from capabilities.verbs import MEMBER, OF_STATES, OPTIONS, WITHOUT, Case, case_of
from zermelo.errors import ZermeloError
from zermelo.views import plot, table

YES, GENERAL = "yes", "general"


class Reason(NamedTuple):
    """Why a verb is refused."""

    says: str  # in the error
    note: str  # under the tables of the page; "" where the game is only too large


REASONS = {
    "sweep": Reason(
        "takes no checkpoint",
        "Only games in stages, sweeps over an urn, board games with a `space`, and regret minimisation (hidden information) can be "
        "interrupted and go on.",
    ),
    "option": Reason("given by best responses and takes no", "The option is for games with states."),
    "table": Reason("takes no quick", "Only the tables of large board games can be checked by a sample, for speed."),
    "tremble": Reason("takes no refine", "Mistakes that optimal play does not provoke are a matter of hidden information."),
    "size": Reason("which are not stored", ""),
    "kept": Reason(
        "not kept for every number of moves left",
        "Values are not kept for every number of moves left; with `max_states` the general engine stores them all.",
    ),
    "bytes": Reason("which are kept in a byte each", ""),
    "alone": Reason("is not a game for two", "Only in games for two players: there must be somebody to respond to."),
    "umb-one": Reason("gives every state one player", "UMB, the format of model checkers, gives every state one player."),
    "umb-all": Reason(
        "gives every state one observation",
        "UMB gives every state one observation, and here each of the two players has one. (`zermelo translate GAME -o game.efg` writes "
        "games with hidden information for Gambit, `zermelo.to_openspiel(game)` makes them games of OpenSpiel.)",
    ),
    "listed": Reason("needs actions=[...]", "Unless `actions` lists the actions of the game."),
    "turns": Reason("nobody chooses at the same time", "Only where both players choose at once; elsewhere `best_action` has what to do."),
    "moves": Reason(
        "counts no moves to the end",
        "Only in games without chance that are won, drawn or lost: there the moves to the end are counted.",
    ),
    "urn": Reason("the stopping line is not for", "Only of urns: it is the line at which to stop drawing."),
    "pack": Reason("only the tables of large board games are compressed", "Only the files of large board games are compressed."),
    "states": Reason("the game has no states", "There are no states, only strategies: `row` and `column` are the optimal mixtures."),
    "once": Reason("", "Both choose once: every play is one move long, and `distribution()` is that of the payoff."),
    "plain": Reason("", "`matrix_game` takes a matrix and no options, and is always exact."),
    "sees": Reason(
        "the players do not see the states",
        "Players do not see the states: `probe`, `policy(seat)` and `to_dataframe()` tell what to do in every information set.",
    ),
    "unseen": Reason("hidden information and takes no", "The option is for games whose players see everything."),
}  # fmt: skip

COLUMNS = tuple(twin.column for twin in TWINS)
RECORD = """
value               | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    yes    yes
probe               | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     states states yes
action_value        | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     states states sees
best_action         | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    yes    yes
mixtures            | turns   turns   turns   yes     turns   turns   turns   turns   turns   turns   turns   turns   yes    yes    sees
values              | yes     yes     yes     yes     yes     yes     size    kept    yes     bytes   yes     size    states states sees
to_dataframe        | yes     yes     yes     yes     yes     yes     size    kept    yes     bytes   yes     size    yes    yes    yes
to_xarray           | yes     yes     yes     yes     yes     yes     size    kept    yes     bytes   yes     size    states states sees
census              | moves   moves   yes     moves   moves   moves   size    kept    yes     yes     moves   size    states states sees
evaluate            | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     yes    yes    yes
best_response       | yes     yes     yes     yes     alone   yes     yes     alone   yes     yes     alone   alone   yes    yes    yes
simulate            | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    yes    yes
simulate policy     | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     yes    yes    yes
length              | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     yes    yes    yes
distribution        | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     once   once   yes
distribution payoff | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     yes    yes    yes
play                | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    yes    yes
frontier            | urn     urn     urn     urn     urn     urn     urn     urn     urn     urn     yes     yes     states states sees
save                | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    yes    yes
compress            | pack    pack    pack    pack    pack    pack    pack    pack    yes     yes     pack    pack    pack   pack   pack
export_umb          | yes     yes     yes     umb-one yes     yes     size    kept    yes     bytes   yes     size    states states umb-all
export_certificate  | yes     yes     yes     yes     yes     yes     size    kept    yes     yes     yes     size    yes    yes    yes
to_gymnasium        | yes     yes     yes     yes     yes     yes     listed  listed  yes     listed  yes     listed  yes    yes    yes
to_pettingzoo       | yes     yes     yes     yes     alone   yes     listed  alone   yes     listed  alone   alone   yes    yes    yes
table states        | yes     yes     yes     yes     yes     yes     size    kept    yes     bytes   yes     size    states states sees
table actions       | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     states states sees
table lengths       | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     states states sees
plot values         | yes     yes     yes     yes     yes     yes     size    kept    yes     bytes   yes     size    states states sees
plot distances      | moves   moves   yes     moves   moves   moves   size    kept    yes     yes     moves   size    states states sees
plot lengths        | yes     yes     yes     yes     yes     yes     yes     kept    yes     yes     yes     yes     states states sees
exact               | yes     yes     yes     yes     general general general yes     yes     yes     general general yes    plain  yes
discount            | yes     yes     yes     yes     general general general yes     general general general general option plain  unseen
solver              | yes     yes     yes     yes     general general general general general general general general option plain  unseen
max_states          | yes     yes     yes     yes     yes     yes     yes     general yes     yes     yes     yes     option plain  yes
tolerance           | yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes     yes    plain  yes
quick               | table   table   table   table   table   table   table   table   yes     yes     table   table   option plain  table
checkpoint          | sweep   sweep   sweep   sweep   yes     yes     yes     sweep   yes     yes     yes     yes     sweep  plain  yes
refine              | tremble tremble tremble tremble tremble tremble tremble tremble tremble tremble tremble tremble option plain  yes
"""


def recorded() -> dict[str, dict[str, str]]:
    """By verb and column."""
    rows = [line.split("|") for line in RECORD.strip().splitlines()]
    return {verb.strip(): dict(zip(COLUMNS, codes.split(), strict=True)) for verb, codes in rows}


def observed(column: str, verb: str, folder: Path) -> str:
    """The word that belongs into the record. Raises whatever is no refusal in one line: wrong answers, crashes."""
    case = case_of(column, folder)
    with among_its_like(case.twin):
        return _asked(case, verb)


def _asked(case: Case, verb: str) -> str:
    engine = case.twin.engine
    if verb in ONCE and engine in ("replies", "matrix_game"):
        ask = getattr(case.solution, verb.split()[0], None)
        assert ask is None or not set(ONCE[verb]) & set(inspect.signature(ask).parameters), f"{verb} can be asked now"
        return "once"
    if engine == "matrix_game" and verb in OPTIONS:
        assert list(inspect.signature(zermelo.matrix_game).parameters) == ["payoff"], f"{verb} can be asked now"
        return "plain"
    ask = WITHOUT.get(engine, OF_STATES).get(verb) or OPTIONS.get(verb)
    return _tried((lambda: ask(case)) if ask else (lambda: _touched(case.solution, verb, case.folder)), engine)


ONCE = {"distribution": ("tail", "max_steps")}  # what this verb does not know where both choose once


def _tried(ask: Callable[[], Any], engine: str) -> str:
    try:
        by = ask()
    except ZermeloError as error:
        return _reason(str(error))
    return YES if by in (None, engine) else GENERAL


def _reason(message: str) -> str:
    assert "\n" not in message, f"refused in more than one line: {message}"
    found = [code for code, reason in REASONS.items() if reason.says and reason.says in message]
    assert found, f"refused for a reason that the record does not know: {message}"
    return found[0]


def _touched(solution: Any, verb: str, folder: Path) -> None:
    """Something that fits solutions with states is tried on one without."""
    kind, _, name = verb.partition(" ")
    if kind in ("table", "plot"):
        views = {"table": table, "plot": plot}[kind].VIEWS
        assert not views[name].fits(solution), f"{verb} is offered"
        getattr(solution, "space")  # noqa: B009  # its refusal says why
    if kind == "compress":
        solution.save("nowhere", compress=True)
    else:
        getattr(solution, MEMBER.get(verb, verb))
    raise AssertionError(f"{verb} can be asked now: say in verbs.py, among those of strategies, what it must answer")


VERBS = (*OF_STATES, *OPTIONS)


def as_text(table_of_codes: dict[str, dict[str, str]]) -> str:
    """The record as it is written above."""
    widths = [max(len(c), *(len(row[c]) for row in table_of_codes.values())) for c in COLUMNS]
    first = max(map(len, table_of_codes))
    lines = []
    for verb, row in table_of_codes.items():
        words = " ".join(f"{row[c]:{w}}" for c, w in zip(COLUMNS, widths, strict=True))
        lines.append(f"{verb:{first}} | {words}".rstrip())
    return "\n".join(lines)
