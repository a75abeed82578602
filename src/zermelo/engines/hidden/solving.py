"""Explore a game with hidden information, put it into sequence form, and find optimal behaviour: proven, or between two bounds.

Small games by linear programming: two plans in rational numbers, and the best responses to both in whole numbers; where these come to the
same number it is the value. Large ones by regret minimisation, until what both plans guarantee, rounding included, is close enough.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.hidden import HiddenAnswers, InformationSets, SetArrays
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.words import counted
from zermelo.certificates.best_replies import WholePlan, best_actions, guaranteed, interval, is_plan, payments
from zermelo.engines.base import Request
from zermelo.engines.exploring.game import explored_game
from zermelo.engines.hidden.unfolding import Unfolded, unfolded
from zermelo.errors import OutOfReach
from zermelo.language.rules import lengths
from zermelo.methods.regrets import Regrets, completed
from zermelo.methods.sequence_program import exact_plan, optimum
from zermelo.problem.sequences import SequenceForm, even_plan

MOST_PROVEN = 50_000  # sequences of both players together up to which a linear program is solved without being asked for
FEW = 5_000  # up to which it is solved whatever the tolerance, and among optimal plans one is sought that uses mistakes
TOLERANCE = 1e-3  # of larger games, in the largest payoff, if none was given
FIRST_ROUNDS = 32
STALLED = 8  # doublings of the rounds without the gap getting smaller after which floats have done what they can

Weights = tuple[Any, Any]


def unfolded_game(request: Request) -> Unfolded:
    """A game explored and put into sequence form. Raises `RulesError`, `OutOfReach`."""
    return unfolded(explored_game(request))


class Found(NamedTuple):
    """Strategies, what they guarantee, and how they were found."""

    weights: Weights
    certificate: Certificate
    facts: dict[str, Any]
    notes: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def method(self) -> str:
        return "linear program" if self.certificate.kind == "proof" else "regret minimisation"


def solve_hidden(request: Request) -> HiddenAnswers:
    """The value and behaviour strategies of a game with hidden information. Raises `RulesError`, `OutOfReach`."""
    with Stopwatch() as exploring:
        game = unfolded_game(request)
    found = solve_form(game.form, request)
    compiling = exploring.compiling + found.seconds["compiling"]
    seconds = {"compiling": compiling, "exploring": exploring.seconds, "solving": found.seconds["solving"]}
    explored = game.views.explored
    sets = tuple(_sets(game, player) for player in range(2))
    report = _report(game, found, seconds)
    return HiddenAnswers(explored.rules, explored.layout, game.form, (sets[0], sets[1]), found.weights, found.certificate, report, game)


def solve_form(form: SequenceForm, request: Request) -> Found:
    """Optimal strategies of a sequence form, proven or bounded as the request wants it. Raises `OutOfReach`."""
    name, size = request.name, sum(form.shape)
    if request.exact and not form.is_exact:
        why = "ways or payoffs are no short decimals, or too long for exact numbers"
        raise OutOfReach(f"{name}: {why}; leave out exact=True for an interval")
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    with Stopwatch() as solving:
        found = None
        if form.is_exact and (request.exact or size <= FEW or (request.tolerance is None and size <= MOST_PROVEN)):
            request.progress("solving a linear program", 0, None)
            found = _proven(form, size <= FEW)
            notes = () if found else ("the linear program led to no proof, so the value is bounded by regret minimisation",)
        if found is None and request.exact:
            raise OutOfReach(f"{name}: the linear program with {size:,} sequences led to no proof; leave out exact=True for an interval")
        if found is None:
            if not notes:
                why = f"{size:,} sequences" if form.is_exact else "ways or payoffs that are no short decimals"
                notes = (f"the value is bounded and not proven: the game has {why}",) if request.tolerance is None else ()
            found, more, facts = _bounded(form, request)
            notes += more
    return Found(*found, facts, notes, {"compiling": solving.compiling, "solving": solving.seconds})


def _proven(form: SequenceForm, favouring: bool) -> tuple[Weights, Certificate] | None:
    """Optimal plans of both players in whole numbers; None where best responses do not prove them."""
    plans = []
    for player in range(2):
        other = even_plan(form.sides[1 - player])
        plan = _optimal(form, player, other) if favouring else None
        plans.append((plan, _optimal(form, player, None) if plan is None else None))
    ends = [_worth(form, player, first or second) for player, (first, second) in enumerate(plans)]
    for player in range(2):  # an objective that also looks at mistakes may have cost something
        if ends[0] != ends[1] and plans[player][0] is not None:
            plans[player] = (None, _optimal(form, player, None))
            ends[player] = _worth(form, player, plans[player][1])
    if ends[0] is None or ends[0] != ends[1]:
        return None
    whole = [first or second for first, second in plans]
    value = ends[0]
    argument = "proof: in whole numbers, no strategy of either player is better against that of the other one than the value"
    return _whole_weights(form, (whole[0], whole[1])), Certificate("proof", value, value, argument)


def _optimal(form: SequenceForm, player: int, favour: np.ndarray | None) -> WholePlan | None:
    if not form.sides[player].sets:
        return WholePlan([1], 1)
    if not form.sides[1 - player].sets:  # the other one has no choice, so there is nothing to be mixed
        return _best_plan(form, player)
    found = optimum(form, player, favour)
    exact = None if found is None else exact_plan(form, player, found)
    return None if exact is None else WholePlan([int(n) for n in exact.numerator], int(exact.denominator))


def _best_plan(form: SequenceForm, player: int) -> WholePlan:
    """The best response to a player who has no choice."""
    side = form.sides[player]
    chosen = best_actions(side, payments(form, 1 - player, WholePlan([1], 1)), max if player == 0 else min)
    plan = [1] + [0] * (side.sequences - 1)
    for leading, sequence in zip(side.parent.tolist(), chosen.tolist(), strict=True):
        plan[sequence] = plan[leading]
    return WholePlan(plan, 1)


def _worth(form: SequenceForm, player: int, plan: WholePlan | None) -> Fraction | None:
    return None if plan is None or not is_plan(form.sides[player], plan) else guaranteed(form, player, plan)


def _whole_weights(form: SequenceForm, plans: tuple[Any, Any]) -> Weights:
    """The plans as weights, with a choice also where a player gets only by mistakes of his own."""
    near = [np.array([n / plan.denominator for n in plan.numerator]) for plan in plans]
    weights = []
    for player in range(2):
        is_used = np.array([n > 0 for n in plans[player].numerator], float)
        filled = completed(form, player, np.where(is_used > 0, np.maximum(near[player], 1e-300), 0.0), near[1 - player])
        weights.append([n if n or not f else 1 for n, f in zip(plans[player].numerator, filled.tolist(), strict=True)])
    return weights[0], weights[1]


def _bounded(form: SequenceForm, request: Request) -> tuple[tuple[Weights, Certificate], tuple[str, ...], dict[str, Any]]:
    """Regret minimisation until the interval is narrow enough, no longer narrows, or somebody interrupts."""
    search, best, low, high = Regrets(form), None, -np.inf, np.inf
    since = 0
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    try:
        while since < STALLED:
            search.run(max(FIRST_ROUNDS, search.rounds))
            weights = search.weights
            ends = interval(form, weights)
            since += 1
            if best is None or ends[1] - ends[0] < 0.9 * (high - low):
                since = 0
            if best is None or ends[1] - ends[0] < high - low:
                (low, high), best = ends, weights
            request.progress(f"minimising regrets, gap {max(high - low, 0.0):.0e}", search.rounds, None)
            wish = TOLERANCE * form.largest if request.tolerance is None else request.tolerance * max(1.0, abs(low + high) / 2)
            if (high - low) / 2 <= wish:
                break
    except KeyboardInterrupt:
        if best is None:
            raise
        notes, facts = (f"interrupted after {search.rounds:,} rounds: this is the best so far",), {"interrupted": True}
    assert best is not None
    plans = [_near_plan(form, player, best[player]) for player in range(2)]
    filled = [completed(form, player, best[player], plans[1 - player]) for player in range(2)]
    argument = "what each strategy guarantees against every reply, rounding included"
    return ((filled[0], filled[1]), Certificate("bound", low, high, argument)), notes, {**facts, "rounds": search.rounds}


def _near_plan(form: SequenceForm, player: int, weights: np.ndarray) -> np.ndarray:
    from zermelo.kernels.verify_replies import shares

    side, plan = form.sides[player], np.empty(len(weights))
    shares(weights, side.parent, side.first, plan, np.empty(len(weights)))
    return plan


def _report(game: Unfolded, found: Found, seconds: dict[str, float]) -> Report:
    form, states = game.form, game.views.explored.num_states
    sets, sequences = sum(side.sets for side in form.sides), sum(form.shape)
    facts = {
        "states": states, "players": 2, "information_sets": sets, "sequences": sequences, "histories": game.histories,
        "entries": len(form.row), **found.facts,
    }  # fmt: skip
    summary = f"hidden information, {counted(sets, 'information set')}, {sequences:,} sequences, {counted(states, 'state')}"
    return Report("hidden", found.method, summary, facts, seconds, (), found.notes)


def _sets(game: Unfolded, player: int) -> InformationSets:
    side, views = game.form.sides[player], game.views
    seen = [views.knows[player][k] for k in game.seen[player].tolist()]
    start = np.concatenate([[0], np.cumsum([len(s) for s in seen], dtype=np.int64)]).astype(np.int64)
    rules = views.rules
    own, other = rules.choices(rules.start) if rules.is_simultaneous else (rules.actions(rules.start), [])
    example = (other if player == 1 and rules.is_simultaneous else own)[:1]
    are_tuples = bool(example) and isinstance(example[0], tuple)
    width = lengths(example)[0] if are_tuples else 1
    numbers = [n for k in game.acts[player].tolist() for n in views.choices[k]]
    actions = np.concatenate([np.zeros((1, width), np.int64), np.array(numbers, np.int64).reshape(-1, width)])
    flat = np.array([n for s in seen for n in s], np.int64)
    return InformationSets(side, SetArrays(start, flat, actions, views.explored.keys[game.state[player]]), are_tuples)
