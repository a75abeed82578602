"""Shoes that are not full, as tables for people and as data."""

from __future__ import annotations

from typing import Any

from zermelo.games.blackjack.cards import NAMES
from zermelo.games.blackjack.shoes import Effects, State
from zermelo.games.blackjack.views import rules_data
from zermelo.views.table import Table

EACH = "each value of a round in units of the first bet, blackjacks included, no insurance"


def effects_table(effects: Effects) -> Table:
    """What the round is worth with one card of each rank gone."""
    base = effects.value
    rows = tuple(
        (r.card, r.frozen, 100 * (r.frozen - base), r.optimal, 100 * (r.optimal - base)) for r in effects.removals
    )
    columns = ("card gone", "value, played as before", "effect, %", "value, played best", "effect, % ")
    notes = (
        f"the full shoe: {base:+.12f}; the mean over a random card, played as before, is the same: {effects.mean:+.12f}",
        "played as before: by the optimal plan of the full shoe; played best: by that of the shoe with the card gone",
        f"{EACH}; {effects.analysis.after_split.value} after a split",
        effects.analysis.rules.text(),
    )
    return Table("Effects of removal", columns, rows, notes, decimals=9)


def effects_data(effects: Effects) -> dict[str, Any]:
    return {
        "rules": rules_data(effects.analysis.rules),
        "after split": effects.analysis.after_split.value,
        "value": effects.value,
        "mean over a random card": effects.mean,
        "conditional on no dealer blackjack": False,
        "removals": {
            r.card: {
                "played as before": r.frozen,
                "effect": r.frozen - effects.value,
                "played best": r.optimal,
                "effect, played best": r.optimal - effects.value,
            }
            for r in effects.removals
        },
    }


def shoe_table(state: State) -> Table:
    """The cards that are left and what they are worth."""
    full, left = state.full.cards, state.shoe
    rows = tuple((NAMES[r], left[r], full[r], 100.0 * left[r] / sum(left)) for r in range(len(NAMES)))
    better = "bet" if state.value > 0 else "bet nothing, or as little as you may"
    notes = [
        f"a round, played best for these cards: {state.value:+.9f}; {better}",
        f"a round, played as from the full shoe: {state.as_full:+.9f} (the full shoe: {state.full_value:+.9f})",
    ]
    if state.insurance is not None:
        verdict = "take it" if state.insurance > 0 else "leave it"
        notes.append(f"insurance, before you see your cards: {state.insurance:+.6f} for each unit of it; {verdict}")
    notes += [f"{EACH}; {state.after_split.value} after a split", state.full.text()]
    title = f"{sum(left)} of {sum(full)} cards left"
    return Table(title, ("card", "left", "of", "%"), rows, tuple(notes), decimals=2)


def shoe_data(state: State) -> dict[str, Any]:
    return {
        "rules": rules_data(state.full),
        "after split": state.after_split.value,
        "left": list(state.shoe),
        "cards left": sum(state.shoe),
        "value": state.value,
        "value, played as from the full shoe": state.as_full,
        "value of the full shoe": state.full_value,
        "insurance": state.insurance,
        "conditional on no dealer blackjack": False,
    }
