"""From an explored game to its sequence form. On the way this checks perfect recall, and that actions depend only on what the mover
sees."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.numbers import short_decimal
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.hidden.views import Views
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels.unfold import FORGOTTEN, OTHER_ACTIONS, UNFOLDED, unfold
from zermelo.language.checking.values import show
from zermelo.problem.sequences import SequenceForm, Side, Visits
from zermelo.problem.transitions import Transitions

WHOLE = 2.0**53
FITS = 2.0**62
LONGEST = 2**800  # of the common denominators that are used: all numbers derived from them are finite as floats
UNIT = 2.0**-53


class Unfolded(NamedTuple):
    """A sequence form, and its information sets. `seen` and `acts` int32[sets], by player: ids in `views.knows[player]` and in
    `views.choices`; `state` : a state of each."""

    form: SequenceForm
    views: Views
    seen: tuple[np.ndarray, np.ndarray]
    acts: tuple[np.ndarray, np.ndarray]
    state: tuple[np.ndarray, np.ndarray]
    histories: int  # pairs of a state that is not final and of sequences that lead there

    @property
    def explored(self) -> Explored:
        return self.views.explored


def unfolded(explored: Explored) -> Unfolded:
    """The sequence form of a game with hidden information. Raises `RulesError`; `OutOfReach` beyond 2^31 - 1 states."""
    rules = explored.rules
    _check_kind(explored)
    if number_type(explored.num_states) != np.int32:
        raise OutOfReach(
            f"{rules.name}: {explored.num_states:,} states with hidden information are too many to unfold: give smaller parameters"
        )
    game, views = explored.whole(), Views(explored)
    rows = np.diff(game.action_start).astype(np.int32)
    widths, asked = np.ones((2, explored.num_states), np.int32), np.zeros((2, explored.num_states), np.bool_)
    if rules.is_simultaneous:
        own = np.maximum(explored.widths(0, explored.num_states), 1)
        widths[0], widths[1] = own, np.maximum(rows // own, 1)
        asked[:] = rows > 0
    else:
        for player in range(2):
            asked[player] = (game.player == player) & (rows > 0)
            widths[player] = np.where(asked[player], rows, 1)
    ways, are_whole = _whole_ways(game)
    fault = np.zeros(5, np.int64)
    found = unfold(
        game.action_start, game.outcome_start, ways, game.ways, game.next, game.payoff[:, 0].copy(), game.final_payoff[:, 0].copy(),
        views.seen, views.acts, asked, widths, explored.start, fault,
    )  # fmt: skip
    why, sets, sequences, histories, parent, first, seen, state = found[:8]
    if why != UNFOLDED:
        raise RulesError(rules.name, [_in_words(why, fault, views, first, state)])
    sides = [Side(parent[q], np.append(first[q], sequences[q])) for q in range(2)]
    form = _form(sides[0], sides[1], found[8:], are_whole)
    acts = tuple(views.acts[q][state[q]] for q in range(2))
    return Unfolded(form, views, seen, acts, state, int(histories))


def _check_kind(explored: Explored) -> None:
    """Raise `RulesError` for a game in which play can return to a state, or that uses PASS to say who moves."""
    name = explored.rules.name
    if explored.facts["cycles"]:
        component = int(np.flatnonzero(explored.looped)[0])
        state = explored.layout.unpack(explored.keys[explored.component_start[component]])
        why = "with hidden information (`sees`) play must end; count the moves in the state, and end play after a fixed number of them"
        raise RulesError(name, [f"play can return to {show(state)}: {why}"])
    if explored.facts["passes"]:
        raise RulesError(name, ["`sees` and PASS do not go together: say who moves with `player` instead"])


def _whole_ways(game: Transitions) -> tuple[np.ndarray, bool]:
    """The ways of all outcomes as whole numbers, and whether they are exactly those of the rules."""
    most = float(np.diff(game.outcome_start).max(initial=1))  # outcomes of an action: their sum has to fit as well
    if bool((game.ways == np.rint(game.ways)).all()) and _fit(float(game.ways.max(initial=0.0)), most):
        return game.ways.astype(np.int64), True
    distinct, index = np.unique(game.ways, return_inverse=True)
    meant = [_meant(float(w)) for w in distinct]
    if None not in meant:
        common = lcm(*(m.denominator for m in meant if m is not None))
        scaled = [int(m * common) for m in meant if m is not None]
        if _fit(max(scaled), most):
            return np.array(scaled, np.int64)[index.ravel()], True
    return np.ones(len(game.ways), np.int64), False


def _fit(ways: float, most: float) -> bool:
    """Whether ways up to this, so many of them together, are exact."""
    return ways < WHOLE and ways * most < FITS


def _meant(number: float) -> Fraction | None:
    """What the rules mean by a float; None if that is not certain: a long decimal, or a whole number from 2^53 on."""
    if abs(number) >= WHOLE:
        return None
    return Fraction(int(number)) if number.is_integer() else short_decimal(number)


def _form(own: Side, other: Side, payments: Any, are_whole: bool) -> SequenceForm:
    """Add up the payments of the same pair of sequences."""
    row, column, over, under, near, paid, *_, steps, is_exact = payments
    visits = [_visits(player, payments[6:12], is_exact and are_whole) for player in range(2)]
    key = row.astype(np.int64) * other.sequences + column
    order = np.argsort(key, kind="stable")
    row, column, over, under, near, paid, key = (a[order] for a in (row, column, over, under, near, paid, key))
    begin = np.flatnonzero(np.diff(key, prepend=-1)) if len(key) else np.zeros(0, np.int64)
    whole, unit = _exact(over, under, paid, begin) if is_exact and are_whole else (None, Fraction(1))
    terms = np.diff(np.append(begin, len(key)))
    size = np.add.reduceat(np.abs(near * paid), begin) if len(begin) else np.zeros(0)
    largest = float(np.abs(paid).max(initial=0.0))
    blur = (int(steps) + int(terms.max(initial=1)) + 4) * 2 * UNIT
    if whole is not None:
        values = np.array([float(w * unit) for w in whole.tolist()]) if whole.dtype == object else whole * float(unit)
        blur = 4 * UNIT
    else:
        values = np.add.reduceat(near * paid, begin) if len(begin) else np.zeros(0)
    return SequenceForm(own, other, row[begin], column[begin], values, size, blur, (visits[0], visits[1]), whole, unit, largest)


def _visits(player: int, ways: Any, is_exact: bool) -> Visits:
    chosen = np.flatnonzero(ways[0] == player)
    chosen = chosen[np.argsort(ways[1][chosen], kind="stable")]
    at, other, over, under, near = (a[chosen] for a in ways[1:])
    return Visits(at, other, near, over if is_exact else None, under if is_exact else None)


def _exact(over: np.ndarray, under: np.ndarray, paid: np.ndarray, begin: np.ndarray) -> tuple[Any, Fraction]:
    """Whole numbers and their unit; (None, 1) for payoffs that are not certain, and for numbers that are too long."""
    if not len(begin):
        return np.zeros(0, np.int64), Fraction(1)
    distinct, index = np.unique(paid, return_inverse=True)
    meant = [_meant(float(p)) for p in distinct]
    if None in meant:
        return None, Fraction(1)
    pays = lcm(*(m.denominator for m in meant if m is not None))
    scaled = [int(m * pays) for m in meant if m is not None]
    divisors, of = np.unique(under, return_inverse=True)
    common = 1
    for divisor in divisors.tolist():
        common = lcm(common, divisor)
        if common * pays >= LONGEST:
            return None, Fraction(1)
    factors = [common // d for d in divisors.tolist()]
    unit = Fraction(1, common * pays)
    sizes = np.abs(over.astype(float) * np.array(factors, float)[of.ravel()] * np.array(scaled, float)[index.ravel()])
    if float(common) < FITS and float(np.add.reduceat(sizes, begin).max()) < FITS:
        products = over * np.array(factors, np.int64)[of.ravel()] * np.array(scaled, np.int64)[index.ravel()]
        return np.add.reduceat(products, begin), unit
    long = np.array([n * factors[d] * scaled[p] for n, d, p in zip(over.tolist(), of.ravel(), index.ravel(), strict=True)], dtype=object)
    return np.add.reduceat(long, begin), unit


def _in_words(why: int, fault: np.ndarray, views: Views, first: Any, chosen_at: Any) -> str:
    """A fault of the rules, with the two states that show it."""
    player, one, two, before, after = fault.tolist()
    numbers = views.knows[player][views.seen[player, one]]
    states = [show(views.state(number)) for number in (one, two)]
    if why == OTHER_ACTIONS:
        actions = [_actions(views, player, number) for number in (one, two)]
        return (
            f"player {player} sees the same numbers {numbers} at {states[0]} and at {states[1]}, but his actions are {actions[0]} and "
            f"{actions[1]}: legal actions and their order may depend only on what `sees` yields"
        )
    pasts = [_past(views, player, sequence, first[player], chosen_at[player]) for sequence in (before, after)]
    if why == FORGOTTEN:
        return (
            f"two plays lead to {states[0]}, and in one of them player {player} has chosen {pasts[0]}, in the other {pasts[1]}: the state "
            "forgets what he must remember; keep it in the state, and yield it in `sees`"
        )
    return (
        f"player {player} sees the same numbers {numbers} at {states[0]} and at {states[1]}, but he has chosen {pasts[0]} before the "
        f"one, and {pasts[1]} before the other: `sees` must yield everything that he remembers, what he saw and what he did"
    )


def _actions(views: Views, player: int, number: int) -> str:
    rules, state = views.rules, views.state(number)
    actions = rules.choices(state)[player] if rules.is_simultaneous else rules.actions(state)
    return ", ".join(rules.action_in_words(a) for a in actions)


def _past(views: Views, player: int, sequence: int, first: np.ndarray, chosen_at: np.ndarray) -> str:
    """The last choice of a sequence. `chosen_at` : a state of each set, in which the player chooses: he may see the same elsewhere."""
    if sequence == 0:
        return "nothing yet"
    k = int(np.searchsorted(first, sequence, side="right")) - 1
    number = int(chosen_at[k])
    rules, state = views.rules, views.state(number)
    actions = rules.choices(state)[player] if rules.is_simultaneous else rules.actions(state)
    return f"{rules.action_in_words(actions[sequence - int(first[k])])} where he saw {views.knows[player][views.seen[player, number]]}"

