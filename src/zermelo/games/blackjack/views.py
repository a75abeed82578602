"""What an analysis says, as tables for people and as data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.games.blackjack.analysis import Analysis
from zermelo.games.blackjack.cards import NAMES, hand_of
from zermelo.games.blackjack.dealer import Outcomes, outcomes
from zermelo.games.blackjack.dealer_hands import TOTALS
from zermelo.games.blackjack.options import HandValues, Number, described
from zermelo.games.blackjack.rules import Rules
from zermelo.numbers import in_full
from zermelo.table import Table

ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)  # up cards as they are printed everywhere: 2 to 10, then the ace


def number(value: Number | None) -> dict[str, Any] | float | None:
    """A value for JSON: a fraction comes with its decimals."""
    return {"exact": in_full(value), "float": float(value)} if isinstance(value, Fraction) else value


def rules_data(rules: Rules) -> dict[str, Any]:
    return {**rules._asdict(), "shoe": list(rules.cards), "text": rules.text()}


# --- the round --------------------------------------------------------------------------------------------------------


def value_table(analysis: Analysis) -> Table:
    """The value of a round, overall and by up card."""
    by_up = analysis.by_up_card
    rows = [(NAMES[u], float(by_up[NAMES[u]]), analysis.rules.cards[u]) for u in ORDER if NAMES[u] in by_up]
    exact = [f"exactly {in_full(analysis.value)}"] if isinstance(analysis.value, Fraction) else []
    notes = (
        f"the round: {float(analysis.value):+.12f}, that is {100 * float(analysis.value):+.6f} % of the first bet",
        *exact,
        f"optimal play by composition, {analysis.after_split.value} after a split; blackjacks included, no insurance",
    )
    return Table(analysis.rules.text(), ("up card", "value", "in the shoe"), tuple(rows), notes, decimals=12)


def value_data(analysis: Analysis) -> dict[str, Any]:
    return {
        "rules": rules_data(analysis.rules),
        "after split": analysis.after_split.value,
        "value": number(analysis.value),
        "by up card": {name: number(v) for name, v in analysis.by_up_card.items()},
        "conditional on no dealer blackjack": False,
    }


# --- one hand ---------------------------------------------------------------------------------------------------------


def hand_table(analysis: Analysis, found: HandValues) -> Table:
    """Every option, the best first."""
    ordered = sorted(found.values.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(option), float(v), float(found.costs[option])) for option, v in ordered)
    notes = [given(found, analysis.rules)]
    if found.blackjack:
        notes.append(f"the dealer has a blackjack with probability {float(found.blackjack):.6f}")
    if found.insurance is not None:
        verdict = "take it" if found.insurance > 0 else "leave it"
        notes.append(f"insurance: {float(found.insurance):+.6f} for each unit of it; {verdict}")
    notes.append(analysis.rules.text())
    title = f"{found.hand} ({described(hand_of(found.hand))}) against {found.up}: {found.best}"
    best = frozenset({(0, 0)})
    return Table(title, ("option", "value", "costs"), rows, tuple(notes), best, "best", decimals=12)


def given(found: HandValues, rules: Rules) -> str:
    if found.conditional:
        return "values given that the dealer has no blackjack"
    if rules.peek:
        return "values before the dealer has looked; a blackjack takes the first bet only"
    return "values with the dealer's blackjacks, which take all bets"


def hand_data(analysis: Analysis, found: HandValues) -> dict[str, Any]:
    return {
        "rules": rules_data(analysis.rules),
        "after split": analysis.after_split.value,
        "hand": found.hand,
        "up": found.up,
        "values": {str(option): number(v) for option, v in found.values.items()},
        "best": str(found.best),
        "value": number(found.value),
        "insurance": number(found.insurance),
        "dealer blackjack": number(found.blackjack),
        "conditional on no dealer blackjack": found.conditional,
    }


# --- the dealer -------------------------------------------------------------------------------------------------------


def _all_outcomes(rules: Rules, conditional: bool, exact: bool) -> list[Outcomes]:
    ups = [u for u in ORDER if rules.cards[u]]
    return [outcomes(rules.cards, NAMES[u], rules.hits_soft_17, conditional, exact) for u in ups]


def dealer_table(rules: Rules, conditional: bool, exact: bool) -> Table:
    """Every outcome by up card."""
    columns = ("up card", *map(str, TOTALS), "bust", "blackjack")
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (o.up, *map(float, (*o.totals.values(), o.bust, o.blackjack))) for o in _all_outcomes(rules, conditional, exact)
    )
    note = "given that there is no blackjack" if conditional else "before any look for a blackjack"
    return Table(f"How the dealer ends: {rules.text()}", columns, rows, (note,), decimals=9)


def dealer_data(rules: Rules, conditional: bool, exact: bool) -> Mapping[str, Any]:
    return {
        "rules": rules_data(rules),
        "conditional on no dealer blackjack": conditional,
        "outcomes": {
            o.up: {
                **{str(t): number(p) for t, p in o.totals.items()},
                "bust": number(o.bust),
                "blackjack": number(o.blackjack),
            }
            for o in _all_outcomes(rules, conditional, exact)
        },
    }
