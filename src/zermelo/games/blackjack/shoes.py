"""Shoes that are not full: their value for perfect play, effects of removal, insurance."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.progress import Progress, silent
from zermelo.cluster.connection import connected
from zermelo.cluster.tasks import Tasks
from zermelo.errors import ParameterError
from zermelo.games.blackjack.analysis import DEFAULT, Analysis, analyse, solved
from zermelo.games.blackjack.cards import ACE, NAMES, RANKS, TEN, Counts, with_card, without
from zermelo.games.blackjack.dealer import array_of
from zermelo.games.blackjack.errors import errors
from zermelo.games.blackjack.plans import Plan, optimal_plan, plan_value
from zermelo.games.blackjack.rules import AfterSplit, Rules, check_after_split, check_rules, check_shoe
from zermelo.games.blackjack.solving import solve
from zermelo.games.blackjack.threads import pool

AT_ONCE = 256  # shoes between two looks at Ctrl-C


def evaluate(
    shoes: Any, rules: Rules = DEFAULT, after_split: AfterSplit = AfterSplit.CDZ, progress: Progress = silent,
    cluster: str | None = None,
) -> np.ndarray:  # fmt: skip
    """The value of a round from each of many shoes under optimal play of that particular shoe : float64[shoes].

    shoes : whole numbers [shoes, 10], for A, 2, ..., 9 and 10. Every shoe must hold enough cards, as `Rules.shoe` must. Shared by threads;
    with split_to=2 a few milliseconds a shoe and core; by all processors of a `cluster` (docs/cluster.md): "local", "auto" or HOST:PORT.
    """
    check_after_split(after_split)
    checked = [rules_with(rules, shoe, f"shoes[{i}]") for i, shoe in enumerate(array_of(shoes).tolist())]
    found = np.empty(len(checked))
    if cluster is not None:
        _evaluate_on(cluster, checked, after_split, found, progress)
        return found
    for begin in range(0, len(checked), AT_ONCE):
        progress("valuing shoes", begin, len(checked))
        some = checked[begin : begin + AT_ONCE]
        found[begin : begin + AT_ONCE] = list(pool().map(lambda r: solve(r, after_split).value, some))
    return found


A_TASK = 32  # shoes


def _evaluate_on(address: str, checked: list[Rules], after_split: AfterSplit, found: np.ndarray, progress: Progress) -> None:
    with connected(address) as library:
        begins = range(0, len(checked), A_TASK)
        values = Tasks(library, _values, after_split).in_order(checked[begin : begin + A_TASK] for begin in begins)
        progress("valuing shoes", 0, len(checked))
        for begin, some in zip(begins, values, strict=True):
            found[begin : begin + A_TASK] = some
            progress("valuing shoes", begin + len(some), len(checked))


def _values(after_split: AfterSplit, some: list[Rules]) -> list[float]:
    """In a process of the cluster."""
    return [solve(rules, after_split).value for rules in some]


def rules_with(rules: Rules, shoe: Any, name: str = "shoe") -> Rules:
    """The rules of a table with another shoe. Raises a `ParameterError` that names an impossible shoe."""
    if not isinstance(rules, Rules):
        check_rules(rules)
    fields = {**rules._asdict(), "shoe": check_shoe(shoe, name), "decks": Rules._field_defaults["decks"]}
    try:
        return check_rules(Rules(**fields))
    except ParameterError as error:
        raise ParameterError(str(error).replace("shoe: ", f"{name}: ", 1)) from None


def rules_without(rules: Rules, gone: Counts) -> Rules:
    """The rules of the table when these cards are gone from its shoe. Raises `ParameterError` where it had fewer, or too few are left."""
    for rank, (count, less) in enumerate(zip(rules.cards, gone, strict=True)):
        if less > count:
            raise ParameterError(f"{less} cards of rank {NAMES[rank]} can't be gone from a shoe that had {count}")
    return rules_with(rules, without(rules.cards, gone), "what is left of the shoe") if sum(gone) else rules


class Removal(NamedTuple):
    """The change of the value of a round when a card of some rank leaves the shoe."""

    card: str
    frozen: float  # value of the round, played optimally for the full shoe
    optimal: float  # played optimally for the remaining cards


class Effects:
    """Effects of removal: the value of a round from the full shoe, and with one card fewer of each rank."""

    def __init__(self, analysis: Analysis):
        self.analysis = analysis
        self.value = float(analysis.value)

    @cached_property
    def plan(self) -> Plan:
        """How the full shoe is played."""
        return optimal_plan(self.analysis.rules, self.analysis.after_split, solved(self.analysis))

    @cached_property
    def removals(self) -> list[Removal]:
        """One for each rank in the shoe, from the ace up."""
        rules, found = self.analysis.rules, []
        for rank in range(RANKS):
            if rules.cards[rank]:
                shoe = with_card(rules.cards, rank, -1)
                less = rules_with(rules, shoe, f"the shoe without a card of rank {NAMES[rank]}")
                optimal = solve(less, self.analysis.after_split, pool()).value
                found.append(Removal(NAMES[rank], plan_value(rules, shoe, self.plan, pool()), optimal))
        return found

    @property
    def error(self) -> float:
        """How far each value of a round here can be from the truth, at most."""
        rules = self.analysis.rules
        less = [rules_with(rules, with_card(rules.cards, rank, -1)) for rank in range(RANKS) if rules.cards[rank]]
        return max(errors(each).round for each in (rules, *less))

    @property
    def mean(self) -> float:
        """Of the frozen values, over a random card: the value of the full shoe again, as a card burnt unseen changes nothing."""
        shoe = self.analysis.rules.cards
        return sum(r.frozen * shoe[NAMES.index(r.card)] for r in self.removals) / sum(shoe)


class State(NamedTuple):
    """A shoe in play, from which the next round is dealt."""

    full: Rules  # the table with its full shoe
    after_split: AfterSplit
    shoe: Counts  # the remaining cards
    value: float  # of a round, played optimally for the remaining cards
    as_full: float  # played optimally for the full shoe
    full_value: float  # of a round from the full shoe
    insurance: float | None  # mean of one unit against an ace, before the player's cards are seen; None without aces
    error: float = 0.0  # how far each value of a round can be from the truth, at most


def state_of(rules: Rules, dealt: Counts, after_split: AfterSplit = AfterSplit.CDZ) -> State:
    """The value of a round when these cards are gone from the full shoe, for a bettor who has seen them all."""
    less = rules_without(rules, dealt)
    shoe = less.cards
    full = analyse(rules, after_split)
    plan = optimal_plan(rules, after_split, solved(full))
    side = 3.0 * shoe[TEN] / (sum(shoe) - 1) - 1.0 if shoe[ACE] else None
    value = solve(less, after_split, pool()).value
    error = max(full.error, errors(less).round)
    return State(rules, after_split, shoe, value, plan_value(rules, shoe, plan, pool()), float(full.value), side, error)
