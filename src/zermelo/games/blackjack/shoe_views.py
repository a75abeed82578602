"""Shoes that are not full, as tables for people and as data."""

from __future__ import annotations

from typing import Any

from zermelo.games.blackjack.cards import NAMES
from zermelo.games.blackjack.counting import Counting
from zermelo.games.blackjack.index_search import Found
from zermelo.games.blackjack.shoes import Effects, State
from zermelo.games.blackjack.views import DIGITS, certified, rules_data
from zermelo.games.blackjack.ways import HIGH, LOW
from zermelo.views.table import Table

EACH = "each value of a round in units of the first bet, blackjacks included, no insurance"


def effects_table(effects: Effects, digits: int = DIGITS) -> Table:
    """The value of the round with one card of each rank gone."""
    base = effects.value
    rows = tuple(
        (r.card, r.frozen, 100 * (r.frozen - base), r.optimal, 100 * (r.optimal - base)) for r in effects.removals
    )
    columns = ("card gone", "value, played as before", "effect, %", "value, played best", "effect, % ")
    notes = (
        f"the full shoe: {base:+.{digits}f}; the mean over a random card, played as before, is the same: {effects.mean:+.{digits}f}",
        "played as before: by the optimal plan of the full shoe; played best: by that of the shoe with the card gone",
        f"{EACH}{certified(effects.error)}; {effects.analysis.after_split.value} after a split",
        effects.analysis.rules.text(),
    )
    return Table("Effects of removal", columns, rows, notes, decimals=digits)


def effects_data(effects: Effects) -> dict[str, Any]:
    return {
        "rules": rules_data(effects.analysis.rules),
        "after split": effects.analysis.after_split.value,
        "value": effects.value,
        "error": effects.error,
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


def shoe_table(state: State, digits: int = DIGITS) -> Table:
    """The cards that are left and their value."""
    full, left = state.full.cards, state.shoe
    rows = tuple((NAMES[r], left[r], full[r], 100.0 * left[r] / sum(left)) for r in range(len(NAMES)))
    better = "bet" if state.value > 0 else "bet nothing, or as little as you may"
    notes = [
        f"a round, played best for these cards: {state.value:+.{digits}f}; {better}",
        f"a round, played as from the full shoe: {state.as_full:+.{digits}f} (the full shoe: {state.full_value:+.{digits}f})",
    ]
    if state.insurance is not None:
        verdict = "take it" if state.insurance > 0 else "leave it"
        notes.append(f"insurance, before you see your cards: {state.insurance:+.6f} for each unit of it; {verdict}")
    notes += [f"{EACH}{certified(state.error)}; {state.after_split.value} after a split", state.full.text()]
    title = f"{sum(left)} of {sum(full)} cards left"
    return Table(title, ("card", "left", "of", "%"), rows, tuple(notes), decimals=2)


def shoe_data(state: State) -> dict[str, Any]:
    return {
        "rules": rules_data(state.full),
        "after split": state.after_split.value,
        "left": list(state.shoe),
        "cards left": sum(state.shoe),
        "value": state.value,
        "error": state.error,
        "value, played as from the full shoe": state.as_full,
        "value of the full shoe": state.full_value,
        "insurance": state.insurance,
        "conditional on no dealer blackjack": False,
    }


def counting_table(found: Counting) -> Table:
    """The wins of counters in 100 rounds, by depth and by the largest bet."""
    spreads = tuple(dict.fromkeys(g.spread for g in found.gains))
    players = tuple(dict.fromkeys(g.player for g in found.gains))
    of = {(g.dealt, g.player, g.spread): f"{g.mean:+.2f} ± {g.error:.2f}" for g in found.gains}
    depths = tuple(found.raised_from)
    rows = tuple((f"{share:.0%}", player, *(of[share, player, most] for most in spreads)) for share in depths for player in players)
    raised = ", ".join(f"a true count of {count:+d} ({share:.0%})" for share, count in found.raised_from.items())
    notes = [
        "units of the smallest bet in 100 rounds ± standard error; one player, who bets 1, or the most where a win is expected"
        + ("; 0 to 1: nothing where none is" if 0 in spreads else ""),
        f"Hi-Lo raises its bet from {raised} on; betting correlation {found.betting:.4f}, with insurance {found.insurance:.4f}",
        f"{found.valued:,} of {found.rounds:,} rounds valued exactly; rounds before them are played by the table of totals",
        f"beside the standard error, rounding puts a mean off by at most {max(g.rounding for g in found.gains):.1e}",
        found.rules.text(),
    ]
    if found.short:
        notes.insert(3, f"{found.short:,} rounds or shoes left out, since cards might have run out")
    columns = ("dealt", "player", *(f"1 to {most}" if most else "0 to 1" for most in spreads))
    return Table("What counting wins", columns, rows, tuple(notes))


def counting_data(found: Counting) -> dict[str, Any]:
    return {
        "rules": rules_data(found.rules),
        "gains": [gain._asdict() for gain in found.gains],
        "raised from": {str(share): count for share, count in found.raised_from.items()},
        "betting correlation": found.betting,
        "insurance correlation": found.insurance,
        "rounds": found.rounds,
        "valued": found.valued,
        "left out": found.short,
    }


def indices_table(found: Found, most: int) -> Table:
    """The indices that gain most, next to the published ones."""
    usual = {i: "" if i.published is None else f"{i.published:+d}" for i in found.indices}
    rows = tuple((i.row, i.up, i.below, i.above, f"{i.true_count:+d}", f"{i.error:.2f}", i.gain, usual[i]) for i in found.indices[:most])
    notes = (
        "from a true count (running count per 52 unseen cards, rounded down, after the first cards) of `index` on as in the fourth column",
        "gain: units of the bet in 100 rounds, equal bets; ±: standard error of the count at which both are equal",
        f"insurance from {found.insure_from:+d} on: gains {found.insurance_gain:.4f}; usual: those of Schlesinger 1986",
        f"{len(found.indices)} cells have an index between {LOW:+d} and {HIGH:+d}; {found.valued:,} shoes valued, {found.dealt:.0%} dealt",
        found.rules.text(),
    )
    columns = ("cell", "up", "below", "from", "index", "±", "gain", "usual")
    return Table("Indices for Hi-Lo", columns, rows, notes, decimals=4)


def indices_data(found: Found) -> dict[str, Any]:
    return {
        "rules": rules_data(found.rules),
        "dealt": found.dealt,
        "insure from": found.insure_from,
        "insurance gain": found.insurance_gain,
        "indices": [index._asdict() for index in found.indices],
        "valued": found.valued,
    }
