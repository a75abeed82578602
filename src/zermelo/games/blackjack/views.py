"""The results of an analysis, as tables for people and as data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.games.blackjack.analysis import Analysis, split_once
from zermelo.games.blackjack.cards import NAMES, hand_of, shown
from zermelo.games.blackjack.dealer import Outcomes, outcomes
from zermelo.games.blackjack.dealer_hands import TOTALS
from zermelo.games.blackjack.exceptions import deviations
from zermelo.games.blackjack.options import HandValues, Number, described
from zermelo.games.blackjack.rules import Rules
from zermelo.games.blackjack.simple import Evaluated
from zermelo.games.blackjack.strategy import HARD, MEANING, PAIR, ROWS, SOFT, UPS, Strategy
from zermelo.views.table import Table

DIGITS = 6  # decimals of a value, unless more are asked for

def number(value: Number | None) -> dict[str, Any] | float | None:
    """A value for JSON: a fraction comes with its decimals."""
    return {"exact": in_full(value), "float": float(value)} if isinstance(value, Fraction) else value


def certified(error: float) -> str:
    """The bound that holds for values in floats; nothing is added to fractions."""
    return f" (certified to {error:.2g})" if error else ""


def rules_data(rules: Rules) -> dict[str, Any]:
    """The rules for JSON; without a number of decks where a shoe was given."""
    decks = None if rules.shoe else rules.decks
    return {**rules._asdict(), "decks": decks, "shoe": list(rules.cards), "text": rules.text()}


# --- the round --------------------------------------------------------------------------------------------------------


def value_table(analysis: Analysis, deviation: bool = False, digits: int = DIGITS) -> Table:
    """The value of a round, overall and by up card; with `deviation` the standard deviation too."""
    by_up = analysis.by_up_card
    rows = [(NAMES[u], float(by_up[NAMES[u]]), analysis.rules.cards[u]) for u in UPS if NAMES[u] in by_up]
    worst = max(analysis.by_up_card_errors.values())
    exact = [f"exactly {in_full(analysis.value)}"] if isinstance(analysis.value, Fraction) else []
    value = float(analysis.value)
    notes = (
        f"the round: {value:+.{digits}f}{certified(analysis.error)}, that is {100 * value:+.{max(digits - 2, 1)}f} % of the first bet",
        *exact,
        *([f"by up card{certified(worst)}"] if worst else []),
        *([f"standard deviation {analysis.standard_deviation:.{digits}f} bets{certified(analysis.spread.error)}"] if deviation else []),
        f"optimal play by composition, {analysis.after_split.value} after a split; blackjacks included, no insurance",
    )
    return Table(analysis.rules.text(), ("up card", "value, bets", "in the shoe"), tuple(rows), notes, decimals=digits)


def value_data(analysis: Analysis, deviation: bool = False) -> dict[str, Any]:
    return {
        **(
            {"standard deviation": analysis.standard_deviation, "standard deviation error": analysis.standard_deviation_error}
            if deviation
            else {}
        ),
        "rules": rules_data(analysis.rules),
        "after split": analysis.after_split.value,
        "value": number(analysis.value),
        "error": analysis.error,
        "by up card": {name: number(v) for name, v in analysis.by_up_card.items()},
        "errors by up card": analysis.by_up_card_errors,
        "conditional on no dealer blackjack": False,
    }


# --- one hand ---------------------------------------------------------------------------------------------------------


def hand_table(
    analysis: Analysis, found: HandValues, remembered: tuple[float, float] | None = None, digits: int = DIGITS
) -> Table:
    """Every option, the best first. `remembered` : the value of splitting once with full memory, and how far it can be from the truth."""
    ordered = sorted(found.values.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(option), float(v), float(found.costs[option])) for option, v in ordered)
    notes = [given(found.conditional, analysis.rules) + certified(max(map(float, found.errors.values())))]
    if remembered is not None:
        most = f"{remembered[0]:+.{digits}f}{certified(remembered[1])}"
        notes.append(f"if the pair may be split only once, no strategy is worth more than {most}: that takes remembering all cards")
    if (once := split_once(analysis, found)) is not None:
        cards = hand_of(found.hand)
        pair, hands = described(cards).removeprefix("a "), analysis.rules.most_hands(cards.index(2))
        notes.append(
            f"split: so is every further {pair}, up to {hands} hands; splitting only once is worth "
            f"{once[0]:+.{digits}f}{certified(once[1])}"
        )
    if found.blackjack:
        notes.append(f"the dealer has a blackjack with probability {float(found.blackjack):.6f}")
    if found.insurance is not None:
        verdict = "take it" if found.insurance > 0 else "leave it"
        notes.append(f"insurance: {float(found.insurance):+.6f} for each unit of it; {verdict}")
    notes.append(analysis.rules.text())
    title = f"{found.hand} ({described(hand_of(found.hand))}) against {found.up}: {found.best}"
    best = frozenset({(0, 0)})
    return Table(title, ("option", "value, bets", "costs, bets"), rows, tuple(notes), best, "best", decimals=digits)


def given(conditional: bool, rules: Rules) -> str:
    """How the values of hands treat blackjacks of the dealer."""
    if conditional:
        return "values given that the dealer has no blackjack"
    if rules.peek:
        return "values before the dealer has looked; a blackjack takes the first bet only"
    return "values with the dealer's blackjacks, which take all bets"


def hand_data(analysis: Analysis, found: HandValues, remembered: tuple[float, float] | None = None) -> dict[str, Any]:
    once = split_once(analysis, found)
    return {
        **({} if once is None else dict(zip(("split once", "split once error"), once, strict=True))),
        **({} if remembered is None else dict(zip(("split once, full memory", "full memory error"), remembered, strict=True))),
        "rules": rules_data(analysis.rules),
        "after split": analysis.after_split.value,
        "hand": found.hand,
        "up": found.up,
        "values": {str(option): number(v) for option, v in found.values.items()},
        "errors": {str(option): float(error) for option, error in found.errors.items()},
        "best": str(found.best),
        "value": number(found.value),
        "insurance": number(found.insurance),
        "dealer blackjack": number(found.blackjack),
        "conditional on no dealer blackjack": found.conditional,
    }


# --- the dealer -------------------------------------------------------------------------------------------------------


def _all_outcomes(rules: Rules, conditional: bool, exact: bool) -> list[Outcomes]:
    ups = [u for u in UPS if rules.cards[u]]
    return [outcomes(rules.cards, NAMES[u], rules.hits_soft_17, conditional, exact) for u in ups]


def dealer_table(rules: Rules, conditional: bool, exact: bool, digits: int = DIGITS) -> Table:
    """Every outcome by up card."""
    columns = ("up card", *map(str, TOTALS), "bust", "blackjack")
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (o.up, *map(float, (*o.totals.values(), o.bust, o.blackjack))) for o in _all_outcomes(rules, conditional, exact)
    )
    note = "given that there is no blackjack" if conditional else "before any look for a blackjack"
    note += "" if exact else certified(max(o.error for o in _all_outcomes(rules, conditional, exact)))
    return Table(f"How the dealer ends: {rules.text()}", columns, rows, (note,), decimals=digits)


def dealer_data(rules: Rules, conditional: bool, exact: bool) -> Mapping[str, Any]:
    return {
        "rules": rules_data(rules),
        "conditional on no dealer blackjack": conditional,
        "outcomes": {
            o.up: {
                **{str(t): number(p) for t, p in o.totals.items()},
                "bust": number(o.bust),
                "blackjack": number(o.blackjack),
                "error": o.error,
            }
            for o in _all_outcomes(rules, conditional, exact)
        },
    }


# --- strategies -------------------------------------------------------------------------------------------------------


def strategy_tables(found: Evaluated, analysis: Analysis, is_best: bool) -> list[Table]:
    """The strategy in three parts, as players know it, then its exceptions."""
    kinds = ((HARD, "hard totals"), (SOFT, "soft totals"), (PAIR, "pairs"))
    grids = []
    for kind, title in kinds:
        rows = tuple((row.partition(" ")[2], *found.strategy.cells[row]) for row in ROWS if row.startswith(kind))
        grids.append(Table(title, (kind, *(NAMES[u] for u in UPS)), rows))
    legend = sorted({code for row in found.strategy.cells.values() for code in row}, key=list(MEANING).index)
    what = "the best table of totals: no other code in any cell is worth more" if is_best else "the strategy given"
    notes = (
        "; ".join(f"{code} {MEANING[code]}" for code in legend),
        what,
        f"{found.value:+.9f} a round{certified(found.error)}, {found.cost:.3g} less than optimal play by composition",
        "each value counts blackjacks; no insurance",
        analysis.rules.text(),
    )
    return [*grids[:-1], grids[-1]._replace(notes=notes), exceptions_table(found.strategy, analysis)]


def exceptions_table(strategy: Strategy, analysis: Analysis) -> Table:
    """Two cards that are better played in another way; how many longer hands there are."""
    twos, more = deviations(analysis, strategy)
    rows = tuple((f"{shown(d.hand)} v {NAMES[d.up]}", str(d.best), str(d.plays), d.cost, f"{d.cost_a_round:.2g}") for d in twos)
    longer = f"and {len(more)} hands of more cards"
    if more:
        worst = more[0]
        first = f"{shown(worst.hand)} v {NAMES[worst.up]}: {worst.best}, not {worst.plays}"
        longer = (
            f"{longer}, {sum(d.cost_a_round for d in more):.2g} a round in all;\n"
            f"the largest part {first} ({worst.cost:.6f}, {worst.cost_a_round:.2g} a round)"
        )
    doubt = 0.0 if analysis.errors is None else 2.0 * max(analysis.errors.hand, float(analysis.errors.split.max()))
    costs = (
        f"costs with such a hand, not given that the dealer has no blackjack{certified(doubt)};\n"
        "a round: times how often the hand comes up, if the strategy is followed"
    )
    columns = ("hand", "best", "by total", "costs", "a round") if rows else ()
    title = "Exceptions by composition" if rows else "No exceptions with two cards"
    return Table(title, columns, rows, (longer, costs), decimals=6)


def strategy_data(found: Evaluated, analysis: Analysis) -> dict[str, Any]:
    twos, more = deviations(analysis, found.strategy)
    return {
        "rules": rules_data(analysis.rules),
        "columns": [NAMES[u] for u in UPS],
        "strategy": {row: list(codes) for row, codes in found.strategy.cells.items()},
        "meaning": MEANING,
        "value": found.value,
        "optimal value": found.optimal,
        "cost": found.cost,
        "error": found.error,
        "by up card": found.by_up_card,
        "conditional on no dealer blackjack": False,
        "exceptions": [
            {
                "hand": shown(d.hand), "up": NAMES[d.up], "best": str(d.best), "by total": str(d.plays), "cost": d.cost,
                "chance": d.chance, "cost a round": d.cost_a_round,
            }
            for d in (*twos, *more)
        ],
    }
